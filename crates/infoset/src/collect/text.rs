//! Text, and pieces that are joined to one text.

use tam::xml::unit;
use tam::{Error, Row, Words};
use xml::ascii::is_plain;
use xml::chars::{illegal_char, is_white};

use super::{BUFFER, Collector, NO_STRING, OpenElement, Token};

impl<'a> Collector<'a> {
    /// The string for the data of a row.
    #[inline(always)]
    pub(super) fn string(&mut self, row: &'a Row) -> Result<u32, Error> {
        let text = self.document.text(row.value_at(), row.len());
        let (number, new) = self.strings.intern(text);
        if new {
            self.check_string(text).map_err(|found| self.refused(row, found, "text that XML allows"))?;
        }
        Ok(number)
    }

    /// A string that is part of the data of a row, or was joined.
    pub(super) fn string_of(&mut self, text: &'a [u8], row: &'a Row) -> Result<u32, Error> {
        self.plain_string(text).map_err(|found| self.refused(row, found, "text that XML allows"))
    }

    /// A string, which may be empty; an error if it is not XML text.
    pub(super) fn plain_string(&mut self, text: &'a [u8]) -> Result<u32, Words> {
        if text.is_empty() {
            return Ok(NO_STRING);
        }
        let (number, new) = self.strings.intern(text);
        if new {
            self.check_string(text)?;
        }
        Ok(number)
    }

    /// Checks that a new string is XML text, and records whether it is white space.
    #[inline(always)]
    fn check_string(&mut self, text: &[u8]) -> Result<(), Words> {
        self.white.push(is_white(text));
        if is_plain(text) { Ok(()) } else { check_text(text) }
    }

    #[inline(always)]
    pub(super) fn is_white(&self, string: u32) -> bool {
        self.white.get(string as usize).copied().unwrap_or(false)
    }

    /// Whether the paper's parser split a text.
    #[inline(always)]
    pub(super) fn is_split(&self, row: &Row) -> bool {
        self.splits && row.value_at() / BUFFER != (row.value_at() + row.len()).saturating_sub(1) / BUFFER
    }

    /// Joins adjacent text and CDATA.
    #[inline(always)]
    pub(super) fn text(&mut self, level: &mut OpenElement<'a>) -> Result<(), Error> {
        let Some((row, rest)) = level.rest.split_first() else { return Ok(()) };
        let alone = !self.options.paper && !rest.first().is_some_and(|next| matches!(next.kind(), b'[' | b']'));
        if alone && row.kind() == b'[' && !row.is_empty() && row.name_len() == 0 {
            let text = self.string(row)?;
            self.tokens.push(Token::Text { text, white: self.is_white(text) });
            level.children += 1;
            level.rest = rest;
            return Ok(());
        }
        self.text_in_pieces(level)
    }

    #[inline(never)]
    fn text_in_pieces(&mut self, level: &mut OpenElement<'a>) -> Result<(), Error> {
        let mut pieces: Vec<&'a [u8]> = Vec::new();
        let mut last: Option<&'a Row> = None;
        let mut after_text = false;
        while let Some((row, rest)) = level.rest.split_first() {
            match row.kind() {
                b'[' | b']' => {}
                b'+' | b'?' if self.options.paper => {
                    (level.rest, after_text) = (rest, false);
                    continue;
                }
                _ => break,
            }
            if row.name_len() > 0 {
                return Err(self.refused(row, format!("a name of {}", unit(row.kind())), "no name"));
            }
            if row.kind() == b'[' && row.is_empty() {
                return Err(self.refused(row, "empty text", "text of one character or more, or none at all"));
            }
            if row.kind() == b'[' && after_text {
                let expected = "a tag, a comment, an instruction or CDATA between two texts";
                return Err(self.refused(row, "text directly after text", expected));
            }
            after_text = row.kind() == b'[';
            (level.rest, last) = (rest, Some(row));
            let text = self.document.text(row.value_at(), row.len());
            let mut from = 0;
            if self.is_split(row) {
                let cut = (BUFFER - row.value_at() % BUFFER) as usize;
                for end in (cut..text.len()).step_by(BUFFER as usize) {
                    pieces.push(text.get(from..end).unwrap_or_default());
                    self.pieces(&mut pieces, row, level)?;
                    from = end;
                }
            }
            pieces.push(text.get(from..).unwrap_or_default());
        }
        match last {
            Some(row) => self.pieces(&mut pieces, row, level),
            None => Ok(()),
        }
    }

    /// Joins pieces to one text, if they are not empty.
    fn pieces(&mut self, pieces: &mut Vec<&'a [u8]>, row: &'a Row, level: &mut OpenElement<'a>) -> Result<(), Error> {
        pieces.retain(|piece| !piece.is_empty());
        let text = match pieces.as_slice() {
            [] => return Ok(()),
            [piece] => piece,
            pieces => self.chain.add(&pieces.concat()),
        };
        pieces.clear();
        let text = self.string_of(text, row)?;
        self.tokens.push(Token::Text { text, white: self.is_white(text) });
        level.children += 1;
        Ok(())
    }
}

/// Checks that bytes are XML text.
#[cold]
fn check_text(text: &[u8]) -> Result<(), Words> {
    let Ok(utf8) = simdutf8::basic::from_utf8(text) else { return Err("bytes that are not UTF-8".into()) };
    match illegal_char(utf8) {
        None => Ok(()),
        Some(c) => Err(Words::Own(format!("the character U+{:04X}", u32::from(c)))),
    }
}
