//! A position in the rows of a message.

use tam::{Error, Words};

use super::Plan;
use crate::FORMAT;
use crate::mime::Parts;
use crate::place::{found, syntax};
use crate::schema::NONE;

/// The raw value of a row or a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'de> {
    pub(super) text: &'de str,
    /// Its start in the rows.
    pub(super) at: usize,
    /// Whether it contains a reference.
    pub(super) escaped: bool,
}

/// The rows, and the current position in them.
#[derive(Clone)]
pub(super) struct Scan<'de, 'p> {
    pub(super) plan: &'p Plan,
    pub(super) text: &'de str,
    pub(super) at: usize,
    /// The start of the rows in the message.
    pub(super) base: usize,
    pub(super) parts: &'p Parts<'de>,
    /// The number of levels that may still be entered.
    pub(super) levels: u32,
    /// Whether any lines end with carriage return and line feed.
    pub(super) returns: bool,
}

impl<'de> Scan<'de, '_> {
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Reads the value of a cell up to its delimiter, which is not consumed.
    #[inline(always)]
    fn value(&mut self) -> Raw<'de> {
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let mut end = find(rest, [b'|', b'\n', b'&']);
        let escaped = rest.get(end) == Some(&b'&');
        if escaped {
            end = memchr::memchr2(b'|', b'\n', rest).unwrap_or(rest.len());
        }
        self.at = start + end;
        Raw { text: self.line(start, self.at), at: start, escaped }
    }

    /// The text between two positions, without the carriage return that may end a line.
    #[inline(always)]
    fn line(&self, start: usize, end: usize) -> &'de str {
        let text = self.text.get(start..end).unwrap_or_default();
        if self.returns { text.strip_suffix('\r').unwrap_or(text) } else { text }
    }

    /// Reads a cell and its delimiter.
    #[inline(always)]
    pub(super) fn cell(&mut self, first: bool, last: bool) -> Result<Raw<'de>, Error> {
        // There is no line, or a path.
        if first && matches!(self.byte(self.at), None | Some(b'[')) {
            return Err(self.syntax("the rows and cells that a group still has, or '&#91;'"));
        }
        let raw = self.value();
        self.end_cell(last)?;
        Ok(raw)
    }

    /// Reads the delimiter of a cell: the line end after the last one of its row, otherwise `|`.
    #[inline(always)]
    pub(super) fn end_cell(&mut self, last: bool) -> Result<(), Error> {
        match (self.byte(self.at), last) {
            (Some(b'\n'), true) | (Some(b'|'), false) => self.at += 1,
            // The last line needs no line end.
            (None, true) => {}
            (Some(b'\r'), true) => self.at = (self.at + 2).min(self.text.len()),
            _ => return Err(self.other_end(last)),
        }
        Ok(())
    }

    #[cold]
    fn other_end(&self, last: bool) -> Error {
        let expected = if last { "the end of the line" } else { "'|' and one more cell" };
        self.syntax(expected)
    }

    /// Reads what follows the path of a row: `|`, the value, and the end of the line.
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
        let mut end = find(rest, [b'\n', b'&']);
        let escaped = rest.get(end) == Some(&b'&');
        if escaped {
            end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        }
        let end = start + end;
        self.at = (end + 1).min(self.text.len());
        Ok(Raw { text: self.line(start, end), at: start, escaped })
    }

    /// Reads the next line with its end, and returns it without.
    pub(super) fn next_line(&mut self) -> &'de str {
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let end = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = (end + 1).min(self.text.len());
        self.line(start, end)
    }

    /// Skips blank lines.
    #[inline(always)]
    pub(super) fn space(&mut self) {
        if !matches!(self.byte(self.at), None | Some(b'[')) {
            self.blank_lines();
        }
    }

    #[cold]
    fn blank_lines(&mut self) {
        let mut at = self.at;
        while let Some(byte) = self.byte(at) {
            match byte {
                b' ' | b'\t' | b'\r' => {}
                b'\n' => self.at = at + 1,
                _ => return,
            }
            at += 1;
        }
        self.at = at;
    }

    /// The number in brackets at a position, `[1]` or `(0)`, and the position after it.
    #[inline(always)]
    pub(super) fn bracketed(&self, at: usize, close: u8) -> Result<(u32, usize), Error> {
        // Most have one digit.
        let three = self.text.as_bytes().get(at..).and_then(|rest| rest.first_chunk());
        if let Some([_, digit @ b'0'..=b'9', last]) = three
            && *last == close
        {
            return Ok((u32::from(digit - b'0'), at + 3));
        }
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

    /// Whether the row here begins with the path between two positions.
    #[inline(always)]
    pub(super) fn is_below(&self, start: usize, end: usize) -> bool {
        let bytes = self.text.as_bytes();
        // `[0]1` is not a prefix of `[0]12`.
        is_same(bytes, start, self.at, end - start) && !matches!(bytes.get(self.at + (end - start)), Some(b'0'..=b'9'))
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

    /// Enters one more level of types.
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

/// Whether the bytes at two positions are equal. Most paths are short enough for one comparison of words.
#[inline(always)]
fn is_same(bytes: &[u8], one: usize, other: usize, len: usize) -> bool {
    let word = |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|word| u64::from_le_bytes(*word));
    match (word(one), word(other), len) {
        (Some(one), Some(other), 1..=8) => (one ^ other) << (64 - 8 * len) == 0,
        _ => bytes.get(one..one + len).is_some_and(|path| bytes.get(other..other + len) == Some(path)),
    }
}

/// The position of the first of some bytes, or the length. Most values are short, so eight bytes at a time are checked
/// before a call would pay off.
#[inline(always)]
fn find<const N: usize>(bytes: &[u8], wanted: [u8; N]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const WORDS: usize = 8;
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().take(WORDS).enumerate() {
        let word = u64::from_le_bytes(*word);
        let marks = wanted.iter().fold(0, |all, byte| {
            let none = word ^ (ONES * u64::from(*byte));
            all | none.wrapping_sub(ONES) & !none
        });
        // The first of the marked bytes is certainly one of them.
        let marks = marks & (ONES * 0x80);
        if marks != 0 {
            return number * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    if words.len() <= WORDS {
        let before = words.len() * 8;
        return rest.iter().position(|byte| wanted.contains(byte)).map_or(bytes.len(), |at| before + at);
    }
    let rest = bytes.get(WORDS * 8..).unwrap_or_default();
    let found = match wanted[..] {
        [one, other] => memchr::memchr2(one, other, rest),
        [one, other, third] => memchr::memchr3(one, other, third, rest),
        _ => rest.iter().position(|byte| wanted.contains(byte)),
    };
    found.map_or(bytes.len(), |at| WORDS * 8 + at)
}
