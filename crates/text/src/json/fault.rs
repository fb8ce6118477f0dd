//! Errors of the reader: where, in what, and in words.

use tam::{Error, ErrorKind, Words, json};

use super::FORMAT;
use super::reader::{BYTE_ORDER_MARK, Reader};

impl Reader<'_, '_, '_> {
    /// The text at `at` is not what was expected there. At the end of the text, more may come.
    #[cold]
    pub(super) fn unexpected(&self, at: usize, expected: impl Into<Words>) -> Error {
        if at < self.text.len() {
            return self.syntax(at, met(&self.text[at..]), expected);
        }
        self.ended(at, expected)
    }

    /// No value starts here.
    #[cold]
    pub(super) fn no_value(&self) -> Error {
        let quote = self.text.get(self.at) == Some(&b'\'');
        self.unexpected(self.at, if quote { "a value, a string being in double quotes" } else { "a value" })
    }

    /// The text ends at `at`, where `expected` should be: the input ends there too, or goes on
    /// with bytes that are not UTF-8.
    #[cold]
    fn ended(&self, at: usize, expected: impl Into<Words>) -> Error {
        let left = &self.input[at..];
        match left.first() {
            None => self.incomplete(expected),
            Some(_) if at == 0 && BYTE_ORDER_MARK.starts_with(left) => self.incomplete("a byte order mark or a value"),
            Some(_) if at == 0 && (left.starts_with(b"\xFF\xFE") || left.starts_with(b"\xFE\xFF")) => {
                self.syntax(at, "a byte order mark of UTF-16", "UTF-8 (RFC 8259 section 8.1)")
            }
            Some(byte) => self.syntax(at, Words::Byte(*byte), "UTF-8"),
        }
    }

    /// A fault in a token that starts here.
    #[cold]
    pub(super) fn fault(&self, fault: json::Fault) -> Error {
        let at = self.at + fault.at;
        match (fault.found, self.text.get(at..)) {
            (Some(found), _) => self.syntax(at, found, fault.expected),
            (None, Some(rest @ [_, ..])) => self.syntax(at, character(rest), fault.expected),
            (None, _) => self.ended(at, fault.expected),
        }
    }

    #[cold]
    pub(super) fn incomplete(&self, expected: impl Into<Words>) -> Error {
        let end = self.input.len();
        self.located(Error::incomplete(FORMAT, end as u64, 1, expected), end)
    }

    /// Whether the input ends inside a character that could be whole with more bytes.
    #[cold]
    pub(super) fn ends_inside_character(&self) -> bool {
        let left = &self.input[self.text.len()..];
        std::str::from_utf8(left).is_err_and(|error| error.error_len().is_none())
    }

    #[cold]
    fn syntax(&self, at: usize, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        self.located(Error::new(ErrorKind::Syntax, FORMAT, at as u64, found, expected), at)
    }

    /// The error with its place in the text, and in the document.
    #[cold]
    pub(super) fn located(&self, error: Error, at: usize) -> Error {
        let (line, column) = position(self.input, at);
        error.met_in(FORMAT, at as u64).at_line(line, column).in_path(self.builder.path())
    }
}

/// Line and column of a place, both from 1, the column in characters.
fn position(input: &[u8], at: usize) -> (u64, u64) {
    let before = input.get(..at).unwrap_or(input);
    let before = before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(before);
    let lines = memchr::memchr_iter(b'\n', before).count();
    let line = memchr::memrchr(b'\n', before).map_or(before, |end| &before[end + 1..]);
    let characters = line.iter().filter(|&&c| !matches!(c, 0x80..=0xBF)).count();
    (lines as u64 + 1, characters as u64 + 1)
}

/// What a text starts with, in words: a whole word, a comment, a character.
fn met(text: &[u8]) -> Words {
    const LONGEST: usize = 24;
    let word = text.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    match text {
        [b'/', b'/' | b'*', ..] => Words::Text("a comment"),
        [b'\'', ..] => Words::Text("a single quote"),
        [b'A'..=b'Z' | b'a'..=b'z', ..] if word <= LONGEST => {
            Words::Own(format!("'{}'", String::from_utf8_lossy(&text[..word])))
        }
        _ => character(text),
    }
}

/// The character a text starts with, by its number where it cannot be seen.
fn character(text: &[u8]) -> Words {
    let c = text.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    match (c, text.first()) {
        (_, Some(byte @ ..0x80)) => Words::Byte(*byte),
        (Some(c), _) if c.is_control() || c.is_whitespace() => Words::Own(format!("U+{:04X}", u32::from(c))),
        (Some(c), _) => Words::Own(format!("'{c}'")),
        (None, Some(byte)) => Words::Byte(*byte),
        (None, None) => Words::End,
    }
}
