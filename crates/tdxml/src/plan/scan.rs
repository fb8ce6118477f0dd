//! A place in the rows of a message.

use tam::{Error, Words};

use super::Plan;
use crate::FORMAT;
use crate::mime::Parts;
use crate::place::{found, syntax};
use crate::schema::NONE;

/// Which bytes end a cell, and which begin a reference.
static MARKED: [u8; 256] = {
    let mut table = [0; 256];
    table[b'|' as usize] = CELL;
    table[b'\n' as usize] = CELL;
    table[b'&' as usize] = REFERENCE;
    table
};
const CELL: u8 = 1;
const REFERENCE: u8 = 2;

/// The value of a row or a cell, as it stands there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'de> {
    pub(super) text: &'de str,
    /// Where it begins in the rows.
    pub(super) at: usize,
    /// Whether a reference is in it.
    pub(super) escaped: bool,
}

/// Rows, and where in them reading is.
#[derive(Clone)]
pub(super) struct Scan<'de, 'p> {
    pub(super) plan: &'p Plan,
    pub(super) text: &'de str,
    pub(super) at: usize,
    /// Where the rows begin in the message.
    pub(super) base: usize,
    pub(super) parts: &'p Parts<'de>,
    /// Levels that may still be entered.
    pub(super) levels: u32,
}

impl<'de> Scan<'de, '_> {
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The value of a cell up to what ends it, which is not taken.
    #[inline(always)]
    fn value(&mut self) -> Raw<'de> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut end = start;
        let mut seen = 0;
        while let Some(byte) = bytes.get(end) {
            let mark = MARKED[*byte as usize];
            seen |= mark;
            if mark & CELL != 0 {
                break;
            }
            end += 1;
        }
        self.at = end;
        Raw { text: self.text.get(start..end).unwrap_or_default(), at: start, escaped: seen & REFERENCE != 0 }
    }

    /// A cell, and what ends it.
    #[inline(always)]
    pub(super) fn cell(&mut self, last: bool) -> Result<Raw<'de>, Error> {
        let raw = self.value();
        self.end_cell(last)?;
        Ok(raw)
    }

    /// What ends a cell: the line end behind the last of its row, else `|`.
    #[inline(always)]
    pub(super) fn end_cell(&mut self, last: bool) -> Result<(), Error> {
        match (self.byte(self.at), last) {
            (Some(b'\n'), true) | (Some(b'|'), false) => self.at += 1,
            // The last line needs no end.
            (None, true) => {}
            _ => return Err(self.other_end(last)),
        }
        Ok(())
    }

    #[cold]
    fn other_end(&self, last: bool) -> Error {
        let expected = if last { "the end of the line" } else { "'|' and one more cell" };
        self.syntax(expected)
    }

    /// What follows the path of a row: `|` and the value, up to the end of the line, which is taken.
    #[inline(always)]
    pub(super) fn row(&mut self) -> Result<Raw<'de>, Error> {
        if self.byte(self.at) == Some(b' ') {
            self.at += 1;
        }
        while self.byte(self.at) == Some(b' ') {
            self.at += 1;
        }
        if self.byte(self.at) != Some(b'|') {
            return Err(self.syntax("'|' and a value"));
        }
        let start = self.at + 1;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let end = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let text = self.text.get(start..end).unwrap_or_default();
        let escaped = memchr::memchr(b'&', text.as_bytes()).is_some();
        self.at = (end + 1).min(self.text.len());
        Ok(Raw { text, at: start, escaped })
    }

    /// Passes over blank lines and white space in front of a row.
    #[inline(always)]
    pub(super) fn space(&mut self) {
        while matches!(self.byte(self.at), Some(b'\n' | b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// The number in brackets at a place: `[1]`, `(0)`; and what is behind it.
    #[inline(always)]
    pub(super) fn bracketed(&self, at: usize, close: u8) -> Result<(u32, usize), Error> {
        let (number, end) = self.number(at + 1)?;
        match self.byte(end) {
            Some(byte) if byte == close => Ok((number, end + 1)),
            _ => Err(syntax(self.base + end, found(self.text, end), if close == b')' { "')'" } else { "']'" })),
        }
    }

    /// Decimal digits without a leading zero.
    #[inline(always)]
    pub(super) fn number(&self, at: usize) -> Result<(u32, usize), Error> {
        let mut end = at;
        let mut number: u32 = 0;
        while let Some(digit @ b'0'..=b'9') = self.byte(end) {
            let next = u64::from(number) * 10 + u64::from(digit - b'0');
            if next >= u64::from(NONE) {
                return Err(syntax(self.base + at, "a number beyond 4294967294", "the number of a place"));
            }
            number = next as u32;
            end += 1;
        }
        if end == at || end > at + 1 && self.byte(at) == Some(b'0') {
            return Err(syntax(self.base + at, found(self.text, at), "a number without a leading zero"));
        }
        Ok((number, end))
    }

    /// Whether the row here begins with the path that stands between two places.
    #[inline(always)]
    pub(super) fn is_below(&self, start: usize, end: usize) -> bool {
        let bytes = self.text.as_bytes();
        let len = end - start;
        let (Some(path), Some(here)) = (bytes.get(start..end), bytes.get(self.at..self.at + len)) else { return false };
        // `[0]1` is no part of `[0]12`.
        path == here && !matches!(bytes.get(self.at + len), Some(b'0'..=b'9'))
    }

    #[cold]
    pub(super) fn syntax(&self, expected: &'static str) -> Error {
        match found(self.text, self.at) {
            Words::End => syntax(self.base + self.at, "the end of the table", expected),
            found => syntax(self.base + self.at, found, expected),
        }
    }

    #[cold]
    pub(super) fn schema(&self, at: usize, found: &'static str, expected: &'static str) -> Error {
        crate::place::schema(self.base + at, found, expected)
    }

    /// One more level of types.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> Result<(), Error> {
        match self.levels.checked_sub(1) {
            Some(levels) => {
                self.levels = levels;
                Ok(())
            }
            None => Err(Error::limit(
                FORMAT,
                (self.base + self.at) as u64,
                "one more level",
                "depth",
                super::columns::LEVELS.into(),
            )),
        }
    }
}
