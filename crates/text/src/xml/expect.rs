//! What must be at a place of a text, and the errors where it is not.

use tam::{Error, ErrorKind, Words};
use xml::chars::{char_at, is_char, space_end};
use xml::name::name_end;

/// A character as errors print it.
pub(crate) fn shown(c: char) -> Words {
    match u8::try_from(c) {
        Ok(byte @ 0x20..=0x7E) => Words::Byte(byte),
        _ if c.is_control() || !is_char(c) => Words::Own(format!("the character U+{:04X}", u32::from(c))),
        _ => Words::Own(format!("'{c}'")),
    }
}

/// The text at `at` is not the expected one; at the end of the text, it is incomplete.
#[cold]
#[inline(never)]
pub(crate) fn unexpected(bytes: &[u8], at: usize, expected: impl Into<Words>) -> Error {
    match char_at(bytes, at) {
        Some(c) => Error::new(ErrorKind::Syntax, "xml", at as u64, shown(c), expected),
        None => Error::incomplete("xml", bytes.len() as u64, 1, expected),
    }
}

/// The position after `literal`, which must be at `at`.
#[inline(always)]
pub(crate) fn after(bytes: &[u8], at: usize, literal: &'static str) -> Result<usize, Error> {
    if bytes.get(at..).is_some_and(|rest| rest.starts_with(literal.as_bytes())) {
        return Ok(at + literal.len());
    }
    Err(no_literal(bytes, at, literal))
}

#[cold]
#[inline(never)]
fn no_literal(bytes: &[u8], at: usize, literal: &'static str) -> Error {
    let rest = bytes.get(at..).unwrap_or(&[]);
    let at = if literal.as_bytes().starts_with(rest) { bytes.len() } else { at };
    unexpected(bytes, at, format!("'{literal}'"))
}

/// The position after the white space that must be at `at`.
#[inline]
pub(crate) fn after_space(bytes: &[u8], at: usize, expected: &'static str) -> Result<usize, Error> {
    let end = space_end(bytes, at);
    if end > at { Ok(end) } else { Err(unexpected(bytes, at, expected)) }
}

/// The position after the Name that must be at `at`.
#[inline]
pub(crate) fn after_name(bytes: &[u8], at: usize, expected: &'static str) -> Result<usize, Error> {
    let end = name_end(bytes, at);
    if end > at { Ok(end) } else { Err(unexpected(bytes, at, expected)) }
}
