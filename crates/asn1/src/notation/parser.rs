//! The parser state that all parts of the notation share: lookahead, expectations, depth.

use foldhash::HashSet;
use tam::{Error, ErrorKind, Limits, Words};

use super::lexer::{Kind, Lexer, Token, located, shortened};
use super::tag::Numbers;
use super::word::is_reserved;
use super::{FORMAT, NESTING, Read};
use crate::schema::{Position, Unread};

/// The number of items of lookahead.
const AHEAD: usize = 8;

/// Parses modules from one source, item by item.
#[derive(Clone)]
pub(crate) struct Parser<'s> {
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
    /// Whether braces in a set may hold objects.
    pub(super) objects: bool,
    /// What is not right, but was read.
    pub(super) warnings: Vec<(Position, String)>,
}

impl<'s> Parser<'s> {
    /// A parser that may take `units` items.
    pub(super) fn new(
        source: &'s str,
        limits: Limits,
        units: u32,
        numbers: Option<&'s Numbers<'s>>,
    ) -> Read<Parser<'s>> {
        Parser::of(Lexer::new(source), limits, units, numbers)
    }

    /// A parser for notation whose governor is known by now.
    pub(crate) fn within(unread: &'s Unread, path: &[&'s str], limits: Limits) -> Read<Parser<'s>> {
        let mut parser = Parser::of(Lexer::at(&unread.text, unread.position), limits, limits.units, None)?;
        parser.path.extend_from_slice(path);
        Ok(parser)
    }

    fn of(mut lexer: Lexer<'s>, limits: Limits, units: u32, numbers: Option<&'s Numbers<'s>>) -> Read<Parser<'s>> {
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
            objects: false,
            warnings: Vec::new(),
        })
    }

    /// The text between two positions of the source.
    pub(super) fn between(&self, start: u32, end: u32) -> &'s str {
        self.lexer.between(start, end)
    }

    /// All of the source.
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
            self.ahead.copy_within(1..self.have, 0);
            self.have -= 1;
        } else {
            self.ahead[0] = self.lex()?;
        }
        Ok(token)
    }

    /// Splits a sign of two characters, `[[` or `]]`, so that one of them is next.
    pub(super) fn split(&mut self) {
        if matches!(self.ahead[0].text, "[[" | "]]") {
            self.ahead.copy_within(..AHEAD - 1, 1);
            self.have = AHEAD.min(self.have + 1);
            for half in self.ahead.iter_mut().take(2) {
                half.text = &half.text[..1];
            }
            self.ahead[1].position.offset += 1;
            self.ahead[1].position.column += 1;
        }
    }

    /// Takes braces and all in them, which cannot be read yet.
    pub(super) fn unread(&mut self) -> Read<Unread> {
        let position = self.position();
        let mut open = 0;
        loop {
            match self.token().text {
                "{" => {
                    open += 1;
                    self.enter()?;
                }
                "}" => {
                    open -= 1;
                    self.leave();
                }
                _ if self.token().kind == Kind::End => return Err(self.unexpected("'}'")),
                _ => {}
            }
            let end = self.position().offset + 1;
            self.take()?;
            if open == 0 {
                return Ok(Unread { text: self.between(position.offset, end).to_owned(), position });
            }
        }
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

    /// Whether there may be one more than `count` of something.
    pub(super) fn room(&self, count: usize, most: usize, things: &'static str) -> Read<()> {
        if count < most {
            return Ok(());
        }
        let expected = Words::AtMost(most as u64, things);
        Err(self.error(ErrorKind::Limit, self.position(), "one more", expected))
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
