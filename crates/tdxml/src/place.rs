//! Positions of errors.

use tam::{Error, ErrorKind, Words};

use crate::FORMAT;

/// Adds to an error the line and the column of its offset in `text`.
#[cold]
pub(crate) fn at_line(error: Error, text: &[u8]) -> Error {
    if error.position().is_some() {
        return error;
    }
    let offset = usize::try_from(error.offset()).unwrap_or(usize::MAX);
    let before = text.get(..offset).unwrap_or(text);
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let line = 1 + memchr::memchr_iter(b'\n', before).count();
    // Bytes within a character belong to the byte that begins it.
    let column = 1 + before.iter().skip(start).filter(|c| **c & 0xC0 != 0x80).count();
    error.at_line(line as u64, column as u64)
}

/// An error of kind syntax.
#[cold]
pub(crate) fn syntax(at: usize, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Syntax, FORMAT, at as u64, found, expected)
}

/// An error of kind schema.
#[cold]
pub(crate) fn schema(at: usize, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Schema, FORMAT, at as u64, found, expected)
}

/// An error of kind unsupported.
#[cold]
pub(crate) fn unsupported(at: usize, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Unsupported, FORMAT, at as u64, found, expected)
}

/// The text at a position, for an error message.
#[cold]
pub(crate) fn found(text: &str, at: usize) -> Words {
    let rest = text.get(at..).unwrap_or_default();
    match rest.chars().next() {
        None => Words::End,
        Some('\n') => Words::Text("the end of the line"),
        Some(c) => Words::Own(format!("'{}'", c.escape_debug())),
    }
}
