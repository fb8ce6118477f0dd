//! The parser state that all parts of the notation share: lookahead, expectations, depth.

use std::collections::HashSet;

use tam::{Error, ErrorKind, Limits, Words};

use super::lexer::{Kind, Lexer, Token, located, shortened};
use super::tag::Numbers;
use super::word::is_reserved;
use super::{FORMAT, NESTING, Read};
use crate::schema::Position;

/// The number of items of lookahead.
const AHEAD: usize = 3;

/// Parses modules from one source, item by item.
pub(super) struct Parser<'s> {
    lexer: Lexer<'s>,
    ahead: [Token<'s>; AHEAD],
    /// The number of items ahead, at least one.
    have: usize,
    /// The names of the module, the assignment and the components being read.
    pub(super) path: Vec<&'s str>,
    level: u32,
    /// How many more items may be taken.
    left: u32,
    limits: Limits,
    /// Whether brackets without a keyword hold XER encoding instructions.
    pub(super) xer: bool,
    /// The numbers that the names of tags refer to, once known.
    pub(super) numbers: Option<&'s Numbers<'s>>,
    /// Whether any tag has a name.
    pub(super) has_named_tags: bool,
}

impl<'s> Parser<'s> {
    /// A parser that may take `units` items.
    pub(super) fn new(
        source: &'s str,
        limits: Limits,
        units: u32,
        numbers: Option<&'s Numbers<'s>>,
    ) -> Read<Parser<'s>> {
        let mut lexer = Lexer::new(source);
        let first = lexer.next()?;
        Ok(Parser {
            lexer,
            ahead: [first; AHEAD],
            have: 1,
            path: Vec::new(),
            level: 0,
            left: units,
            limits,
            xer: false,
            numbers,
            has_named_tags: false,
        })
    }

    /// The whole source.
    pub(super) fn source(&self) -> &'s str {
        self.lexer.source()
    }

    /// How many more items may be taken.
    pub(super) fn left(&self) -> u32 {
        self.left
    }

    /// The next item.
    pub(super) fn token(&self) -> Token<'s> {
        self.ahead[0]
    }

    /// The position of the next item.
    pub(super) fn position(&self) -> Position {
        self.ahead[0].position
    }

    /// The item `n` after the next one.
    pub(super) fn peek(&mut self, n: usize) -> Read<Token<'s>> {
        while self.have <= n {
            self.ahead[self.have] = self.lex()?;
            self.have += 1;
        }
        Ok(self.ahead[n])
    }

    fn lex(&mut self) -> Read<Token<'s>> {
        self.lexer.next().map_err(|error| error.in_path(self.path()))
    }

    /// Takes the next item.
    pub(super) fn take(&mut self) -> Read<Token<'s>> {
        if self.left == 0 {
            let error = Error::limit(FORMAT, 0, "one more lexical item", "units", self.limits.units.into());
            return Err(self.here(error, self.position()));
        }
        self.left -= 1;
        let token = self.ahead[0];
        if self.have > 1 {
            self.ahead.copy_within(1.., 0);
            self.have -= 1;
        } else {
            self.ahead[0] = self.lex()?;
        }
        Ok(token)
    }

    /// Whether the next item is this sign or word.
    pub(super) fn is(&self, text: &str) -> bool {
        self.ahead[0].text == text
    }

    /// Takes this sign or word if it is next.
    pub(super) fn takes(&mut self, text: &str) -> Read<bool> {
        let is = self.is(text);
        if is {
            self.take()?;
        }
        Ok(is)
    }

    /// Takes this sign or word, which must be next.
    pub(super) fn expect(&mut self, text: &str, expected: &'static str) -> Read<()> {
        if self.takes(text)? { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Whether the next item is a reference to a type, a module or a class.
    pub(super) fn is_reference(&self) -> bool {
        self.ahead[0].kind == Kind::Upper && !is_reserved(self.ahead[0].text)
    }

    /// Takes such a reference.
    pub(super) fn reference(&mut self, expected: &'static str) -> Read<Token<'s>> {
        if self.is_reference() { self.take() } else { Err(self.unexpected(expected)) }
    }

    /// Takes an identifier, or a reference to a value.
    pub(super) fn identifier(&mut self, expected: &'static str) -> Read<Token<'s>> {
        if self.token().kind == Kind::Lower { self.take() } else { Err(self.unexpected(expected)) }
    }

    /// Begins a level, which [`Self::leave`] ends. After an error, parsing stops.
    pub(super) fn enter(&mut self) -> Read<()> {
        self.level += 1;
        let bound = self.limits.depth;
        if self.level <= bound.min(NESTING) {
            return Ok(());
        }
        let error = if bound < NESTING {
            Error::limit(FORMAT, 0, "one more level", "depth", bound.into())
        } else {
            let expected = format!("at most {NESTING} levels of types, constraints and values");
            Error::new(ErrorKind::Limit, FORMAT, 0, "one more level", expected)
        };
        Err(self.here(error, self.position()))
    }

    pub(super) fn leave(&mut self) {
        self.level -= 1;
    }

    /// Checks that a name is new.
    pub(super) fn first<'n>(&self, name: Token<'n>, seen: &mut HashSet<&'n str>, things: &'static str) -> Read<()> {
        if seen.insert(name.text) {
            return Ok(());
        }
        let found = Words::Own(format!("a second {}", name.words()));
        Err(self.error(ErrorKind::Syntax, name.position, found, things))
    }

    /// The error for an unexpected next item. At the end of the source, the error is that it is incomplete.
    #[cold]
    pub(super) fn unexpected(&self, expected: impl Into<Words>) -> Error {
        let token = self.token();
        if token.kind == Kind::End {
            return self.here(Error::incomplete(FORMAT, 0, 1, expected), token.position);
        }
        self.error(ErrorKind::Syntax, token.position, token.words(), expected)
    }

    /// The error for a next item that begins something unsupported.
    #[cold]
    pub(super) fn unsupported(&self, found: &'static str, expected: &'static str) -> Error {
        self.error(ErrorKind::Unsupported, self.position(), found, expected)
    }

    #[cold]
    pub(super) fn error(
        &self,
        kind: ErrorKind,
        position: Position,
        found: impl Into<Words>,
        expected: impl Into<Words>,
    ) -> Error {
        self.here(Error::new(kind, FORMAT, 0, found, expected), position)
    }

    /// Adds the position and path to an error.
    #[cold]
    fn here(&self, error: Error, position: Position) -> Error {
        located(error, position).in_path(self.path())
    }

    /// `Module.Type.component`, with long names truncated.
    #[cold]
    fn path(&self) -> String {
        self.path.iter().map(|name| shortened(name)).collect::<Vec<_>>().join(".")
    }
}
