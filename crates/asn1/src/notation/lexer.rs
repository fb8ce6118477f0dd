//! Lexical items (X.680 clause 12).

use std::borrow::Cow;

use tam::{Error, ErrorKind, Words};

use super::FORMAT;
use crate::schema::Position;

/// The kind of a lexical item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word that begins with a capital: a reference to a type or a module, or a reserved word.
    Upper,
    /// A word that begins with a small letter: an identifier, or a reference to a value.
    Lower,
    /// `17`, without a sign.
    Number,
    /// `3.14`, `1E-3`, without a sign.
    Real,
    /// `"text"`, as written, with the quotes.
    Text,
    /// `'0110'B`, as written.
    Binary,
    /// `'0FA0'H`, as written.
    Hexadecimal,
    /// Anything else: `::=`, `[[`, `{`.
    Sign,
    /// The end of the source.
    End,
}

/// A lexical item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind,
    /// The item as written.
    pub(super) text: &'s str,
    pub(super) position: Position,
}

impl Token<'_> {
    /// The item in an error message.
    pub(super) fn words(&self) -> Words {
        match self.kind {
            Kind::End => Words::End,
            Kind::Text => Words::Text("a character string"),
            Kind::Binary => Words::Text("a bstring"),
            Kind::Hexadecimal => Words::Text("an hstring"),
            _ => Words::Own(format!("'{}'", shortened(self.text))),
        }
    }
}

/// A word or a number, truncated if it is long.
pub(super) fn shortened(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 64;
    if text.len() > LONGEST { format!("{}…", &text[..LONGEST]).into() } else { text.into() }
}

/// The signs of more than one character, longest first.
const SIGNS: [&str; 5] = ["::=", "...", "..", "[[", "]]"];

/// Splits a source into lexical items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'s> {
    source: &'s str,
    /// The position of the source in its file, if it is a part of one.
    base: u32,
    /// The start of the rest.
    here: Position,
}

impl<'s> Lexer<'s> {
    /// A lexer for a source of at most 4 GiB - 1.
    pub(super) fn new(source: &'s str) -> Lexer<'s> {
        let mut here = Position { offset: 0, line: 1, column: 1 };
        if source.starts_with('\u{FEFF}') {
            here.offset = 3;
        }
        Lexer { source, base: 0, here }
    }

    /// A lexer for a part of a source, which begins at a position.
    pub(super) fn at(source: &'s str, here: Position) -> Lexer<'s> {
        Lexer { source, base: here.offset, here }
    }

    /// The text between two positions.
    pub(super) fn between(&self, start: u32, end: u32) -> &'s str {
        &self.source[(start - self.base) as usize..(end - self.base) as usize]
    }

    /// All of it.
    pub(super) fn source(&self) -> &'s str {
        self.source
    }

    fn rest(&self) -> &'s [u8] {
        &self.source.as_bytes()[(self.here.offset - self.base) as usize..]
    }

    /// Skips bytes.
    fn pass(&mut self, bytes: usize) {
        for byte in &self.rest()[..bytes] {
            self.here.offset += 1;
            match byte {
                b'\n' => {
                    self.here.line += 1;
                    self.here.column = 1;
                }
                0x80..=0xBF => {}
                _ => self.here.column += 1,
            }
        }
    }

    /// The next item. At the end of the source this is `End`, however often it is called.
    pub(super) fn next(&mut self) -> Result<Token<'s>, Error> {
        self.space()?;
        let rest = self.rest();
        let (kind, length) = match rest {
            [] => (Kind::End, 0),
            [b'A'..=b'Z', ..] => (Kind::Upper, word(rest)),
            [b'a'..=b'z', ..] => (Kind::Lower, word(rest)),
            [b'0'..=b'9', ..] => self.number()?,
            [b'"', ..] => (Kind::Text, self.text()?),
            [b'\'', ..] => self.digits()?,
            _ => (Kind::Sign, self.sign()?),
        };
        let (position, start) = (self.here, (self.here.offset - self.base) as usize);
        self.pass(length);
        Ok(Token { kind, text: &self.source[start..start + length], position })
    }

    /// Skips white space and comments (clauses 12.1.6 and 12.6).
    fn space(&mut self) -> Result<(), Error> {
        loop {
            match self.rest() {
                [b'\t'..=b'\r' | b' ', ..] => self.pass(1),
                // A no-break space.
                [0xC2, 0xA0, ..] => self.pass(2),
                [b'-', b'-', ..] => self.line_comment(),
                [b'/', b'*', ..] => self.block_comment()?,
                _ => return Ok(()),
            }
        }
    }

    /// Skips a comment that ends with its line, or with two more hyphens.
    fn line_comment(&mut self) {
        let rest = self.rest();
        let mut at = 2;
        let length = loop {
            match rest[at..] {
                [] | [0x0A..=0x0D, ..] => break at,
                [b'-', b'-', ..] => break at + 2,
                _ => at += 1,
            }
        };
        self.pass(length);
    }

    /// Skips a comment in `/* */`; these nest.
    fn block_comment(&mut self) -> Result<(), Error> {
        let rest = self.rest();
        let (mut at, mut open) = (2, 1_u32);
        while open > 0 {
            match rest[at..] {
                [] => return Err(self.ended("'*/', which ends a comment")),
                [b'/', b'*', ..] => (at, open) = (at + 2, open + 1),
                [b'*', b'/', ..] => (at, open) = (at + 2, open - 1),
                _ => at += 1,
            }
        }
        self.pass(at);
        Ok(())
    }

    /// Scans a number or a realnumber (clauses 12.8 and 12.9).
    fn number(&self) -> Result<(Kind, usize), Error> {
        let rest = self.rest();
        let digits = |at: usize| rest[at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let mut length = digits(0);
        if length > 1 && rest[0] == b'0' {
            return Err(self.fault(
                0,
                ErrorKind::Syntax,
                "a number that begins with 0",
                "no zeros in front of a number",
            ));
        }
        let mut kind = Kind::Number;
        // In `1..5` both full stops belong to the range. In `1...5` the first belongs to the number, because `...`
        // follows a number only after a comma.
        let ends_in_point = |after: &[u8]| !after.starts_with(b".") || after.starts_with(b"..");
        if let [b'.', after @ ..] = &rest[length..]
            && ends_in_point(after)
        {
            kind = Kind::Real;
            length += 1 + digits(length + 1);
        }
        if let [b'e' | b'E', after @ ..] = &rest[length..] {
            let sign = usize::from(after.first() == Some(&b'-'));
            if after.get(sign).is_some_and(u8::is_ascii_digit) {
                kind = Kind::Real;
                length += 1 + sign + digits(length + 1 + sign);
            }
        }
        Ok((kind, length))
    }

    /// The length of a cstring (clause 12.14).
    fn text(&self) -> Result<usize, Error> {
        let rest = self.rest();
        let mut at = 1;
        loop {
            match rest[at..] {
                [] => return Err(self.ended("'\"', which ends a character string")),
                [b'"', b'"', ..] => at += 2,
                [b'"', ..] => return Ok(at + 1),
                _ => at += 1,
            }
        }
    }

    /// A bstring or an hstring (clauses 12.10 and 12.12).
    fn digits(&self) -> Result<(Kind, usize), Error> {
        let rest = self.rest();
        let digits = rest[1..].iter().take_while(|c| matches!(c, b'0'..=b'9' | b'A'..=b'F' | b'\t'..=b'\r' | b' '));
        let end = 1 + digits.count();
        match rest[end..] {
            [] | [b'\''] => Err(self.ended("B or H after a string of digits in single quotes")),
            [b'\'', b'H', ..] => Ok((Kind::Hexadecimal, end + 2)),
            [b'\'', b'B', ..] => match rest[1..end].iter().position(|c| matches!(c, b'2'..=b'9' | b'A'..=b'F')) {
                None => Ok((Kind::Binary, end + 2)),
                Some(at) => {
                    Err(self.fault(at + 1, ErrorKind::Syntax, Words::Byte(rest[at + 1]), "0 or 1 in a bstring"))
                }
            },
            [b'\'', ..] => Err(self.unexpected(end + 1, "B or H after a string of digits in single quotes")),
            _ => Err(self.unexpected(end, "a digit (0 to 9, A to F) or a single quote")),
        }
    }

    /// The length of a sign.
    fn sign(&self) -> Result<usize, Error> {
        let rest = self.rest();
        if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
            return Ok(sign.len());
        }
        match rest[0] {
            b'{' | b'}' | b'<' | b'>' | b',' | b'.' | b'/' | b'(' | b')' | b'[' | b']' | b'-' | b':' | b'=' | b';'
            | b'@' | b'|' | b'!' | b'^' | b'&' | b'*' => Ok(1),
            b'_' => Err(self.unexpected(0, "'-' in place of it: names of ASN.1 have letters, digits and '-'")),
            _ => Err(self.unexpected(0, "a lexical item of ASN.1")),
        }
    }

    /// The error for an unexpected character `at` bytes ahead.
    #[cold]
    fn unexpected(&self, at: usize, expected: &'static str) -> Error {
        let start = (self.here.offset - self.base) as usize + at;
        let found = match self.source.get(start..).and_then(|rest| rest.chars().next()) {
            None => return self.ended(expected),
            Some(c) if c.is_ascii() => Words::Byte(c as u8),
            Some(c) if c.is_control() || c.is_whitespace() => Words::Own(format!("U+{:04X}", u32::from(c))),
            Some(c) => Words::Own(format!("'{c}'")),
        };
        self.fault(at, ErrorKind::Syntax, found, expected)
    }

    #[cold]
    fn fault(&self, at: usize, kind: ErrorKind, found: impl Into<Words>, expected: &'static str) -> Error {
        let mut there = Lexer { ..*self };
        there.pass(at);
        located(Error::new(kind, FORMAT, 0, found, expected), there.here)
    }

    #[cold]
    fn ended(&self, expected: &'static str) -> Error {
        let mut there = Lexer { ..*self };
        there.pass(self.rest().len());
        located(Error::incomplete(FORMAT, 0, 1, expected), there.here)
    }
}

/// Adds the position in the source to an error.
#[cold]
pub(super) fn located(error: Error, position: Position) -> Error {
    error.met_in(FORMAT, position.offset.into()).at_line(position.line.into(), position.column.into())
}

/// The length of a word: letters, digits, and hyphens between them (clauses 12.2 and 12.3).
fn word(rest: &[u8]) -> usize {
    let mut length = 1;
    loop {
        match rest[length..] {
            [c, ..] if c.is_ascii_alphanumeric() => length += 1,
            // Two hyphens begin a comment.
            [b'-', c, ..] if c.is_ascii_alphanumeric() => length += 2,
            _ => return length,
        }
    }
}

/// The text of a cstring: `""` becomes a quote, and a new line with the white space around it becomes nothing (clause
/// 12.14.1).
pub(super) fn decoded(written: &str) -> String {
    let inside = written.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(written);
    let is_line_end = |c: char| matches!(c, '\n' | '\u{B}' | '\u{C}' | '\r');
    let is_space = |c: char| is_line_end(c) || matches!(c, '\t' | ' ' | '\u{A0}');
    let mut text = String::with_capacity(inside.len());
    for (index, line) in inside.split(is_line_end).enumerate() {
        if index > 0 {
            text.truncate(text.trim_end_matches(is_space).len());
        }
        text.push_str(if index > 0 { line.trim_start_matches(is_space) } else { line });
    }
    text.replace("\"\"", "\"")
}

/// The digits of a bstring or an hstring, without quotes and white space.
pub(super) fn digits(written: &str) -> String {
    written[1..written.len() - 2].chars().filter(char::is_ascii_hexdigit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds and texts of the items of a source.
    fn items(source: &str) -> Vec<(Kind, &str)> {
        let mut lexer = Lexer::new(source);
        let mut items = Vec::new();
        loop {
            let token = lexer.next().unwrap();
            if token.kind == Kind::End {
                return items;
            }
            items.push((token.kind, token.text));
        }
    }

    fn texts(source: &str) -> Vec<&str> {
        items(source).into_iter().map(|(_, text)| text).collect()
    }

    fn fault(source: &str) -> String {
        let mut lexer = Lexer::new(source);
        loop {
            match lexer.next() {
                Err(error) => return error.to_string(),
                Ok(token) => assert_ne!(token.kind, Kind::End, "{source:?} has no fault"),
            }
        }
    }

    #[test]
    fn words_end_where_a_comment_or_another_item_begins() {
        assert_eq!(texts("Type-1a b--c--d e-- f\ng::=h"), ["Type-1a", "b", "d", "e", "g", "::=", "h"]);
        assert_eq!(texts("a- b-(c"), ["a", "-", "b", "-", "(", "c"]);
    }

    #[test]
    fn comments_of_both_forms_are_passed_over() {
        assert_eq!(texts("a /* /* b */ c -- */ d"), ["a", "d"]);
        assert_eq!(texts("a --- b\nc ---- d"), ["a", "c", "d"]);
        assert_eq!(texts("a -- naïve — */ /* -- b"), ["a", "b"]);
        // By 12.1.6 these are new lines as well.
        assert_eq!(texts("a -- x\rb -- x\u{B}c -- x\u{C}d"), ["a", "b", "c", "d"]);
        assert_eq!(texts("\u{FEFF}a\u{A0}b"), ["a", "b"]);
    }

    #[test]
    fn numbers_leave_the_dots_of_a_range_alone() {
        use Kind::{Number, Real, Sign};
        assert_eq!(items("0..15"), [(Number, "0"), (Sign, ".."), (Number, "15")]);
        assert_eq!(
            items("1...2 1. 1.5 2.5E-3 1E6"),
            [(Real, "1."), (Sign, ".."), (Number, "2"), (Real, "1."), (Real, "1.5"), (Real, "2.5E-3"), (Real, "1E6")]
        );
    }

    #[test]
    fn strings_of_digits_may_hold_white_space() {
        assert_eq!(items("'01 1\n0'B")[0].0, Kind::Binary);
        assert_eq!(digits("'01 1\n0'B"), "0110");
        assert_eq!(items("'0FA0'H ''H ''B").len(), 3);
        assert_eq!(digits("''H"), "");
    }

    #[test]
    fn a_new_line_in_a_character_string_goes_with_the_white_space_around_it() {
        // The example of 12.14.1, in words of our own.
        assert_eq!(decoded("\"ABCDE FGH \n   IJK\"\"XYZ\""), "ABCDE FGHIJK\"XYZ");
        assert_eq!(decoded("\" a\r\n\t\n b \""), " ab ");
        assert_eq!(decoded("\"\"\"\"\"\""), "\"\"");
        assert_eq!(texts("\"a\"\"b\" \"\" c"), ["\"a\"\"b\"", "\"\"", "c"]);
    }

    #[test]
    fn places_are_given_in_bytes_lines_and_characters() {
        let mut lexer = Lexer::new("-- é --\n  é");
        let error = lexer.next().unwrap_err();
        assert_eq!((error.offset(), error.position()), (11, Some((2, 3))));
        let mut lexer = Lexer::new("\"é\n\" a");
        lexer.next().unwrap();
        let position = lexer.next().unwrap().position;
        assert_eq!((position.offset, position.line, position.column), (6, 2, 3));
    }

    #[test]
    fn what_is_not_a_lexical_item_is_refused_at_its_position() {
        let syntax = |at: usize, found: &str, expected: &str| {
            format!("syntax at byte {at} (line 1, column {}): found {found}, expected {expected}", at + 1)
        };
        assert_eq!(fault("a #"), syntax(2, "'#'", "a lexical item of ASN.1"));
        assert_eq!(fault("a_b"), syntax(1, "'_'", "'-' in place of it: names of ASN.1 have letters, digits and '-'"));
        assert_eq!(fault("(007)"), syntax(1, "a number that begins with 0", "no zeros in front of a number"));
        assert_eq!(fault("'012'B"), syntax(3, "'2'", "0 or 1 in a bstring"));
        assert_eq!(fault("'0f'H"), syntax(2, "'f'", "a digit (0 to 9, A to F) or a single quote"));
        assert_eq!(fault("'0'b"), syntax(3, "'b'", "B or H after a string of digits in single quotes"));
        for (open, expected) in [
            ("\"a\"\"", "'\"', which ends a character string"),
            ("/* /* */ x", "'*/', which ends a comment"),
            ("'01", "B or H after a string of digits in single quotes"),
            ("'01'", "B or H after a string of digits in single quotes"),
        ] {
            let end = open.len();
            let words = format!(
                "incomplete at byte {end} (line 1, column {}): found the end of the input, expected {expected}",
                end + 1
            );
            assert_eq!(fault(open), words);
        }
    }
}
