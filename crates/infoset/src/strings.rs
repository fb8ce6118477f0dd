//! The table of strings: blocks, each opened when one of its strings is wanted.

use tam::{Error, ErrorKind, Limits, Words};

use crate::Strings as Algorithm;
use crate::chars::first_illegal;
use crate::compression::{Decompressed, decompress};
use crate::items::Text;
use crate::rules::{FORMAT, Octets, Rules, syntax};

/// A piece of the text of [`Strings`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) at: u32,
    pub(crate) len: u32,
}

/// The strings that have been wanted so far.
#[derive(Debug)]
pub(crate) struct Strings {
    /// All of them, one behind the other; what had to be put together stands behind.
    text: String,
    /// Where each string of the opened blocks stands in `text`, the empty one first.
    spans: Vec<Span>,
    /// The blocks that have not been opened.
    blocks: std::vec::IntoIter<(Octets, Octets)>,
    /// Bytes that may yet be decompressed.
    left: u64,
    limits: Limits,
    /// Places of the document's text that are taken before `text` begins.
    message_len: usize,
}

impl Strings {
    /// No string yet. The text goes behind what `text` holds room for.
    pub(crate) fn new(blocks: Vec<(Octets, Octets)>, limits: &Limits, message_len: usize, text: Vec<u8>) -> Strings {
        let mut text = String::from_utf8(text).unwrap_or_default();
        text.clear();
        Strings {
            text,
            spans: vec![Span::default()],
            blocks: blocks.into_iter(),
            left: limits.decompressed_bytes.into(),
            limits: *limits,
            message_len,
        }
    }

    /// All of the text.
    pub(crate) fn into_text(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    /// The text of a piece.
    #[inline(always)]
    pub(crate) fn str(&self, span: Span) -> &str {
        self.text.get(span.at as usize..span.at as usize + span.len as usize).unwrap_or("")
    }

    /// The string of an index.
    #[inline(always)]
    pub(crate) fn index<R: Rules>(&mut self, index: u32, r: &R) -> Result<Span, Error> {
        match self.spans.get(index as usize) {
            Some(span) => Ok(*span),
            None => self.unopened(index, r),
        }
    }

    /// The string of an index beyond the blocks that are open.
    #[cold]
    #[inline(never)]
    fn unopened<R: Rules>(&mut self, index: u32, r: &R) -> Result<Span, Error> {
        while let Some((algorithm, octets)) = self.blocks.next() {
            self.open(algorithm, octets, r)?;
            if let Some(span) = self.spans.get(index as usize) {
                return Ok(*span);
            }
        }
        let expected = Words::Own(format!("a string of the table, which has {}", self.spans.len() - 1));
        Err(syntax(r.position(), format!("the index {index}"), expected))
    }

    /// A string in its place or by its index.
    #[inline(always)]
    pub(crate) fn get<R: Rules>(&mut self, text: Text, r: &R) -> Result<Span, Error> {
        match text {
            Text::Index(index) => self.index(index, r),
            Text::Literal(octets) => self.literal(octets, r),
        }
    }

    #[cold]
    #[inline(never)]
    fn literal<R: Rules>(&mut self, octets: Octets, r: &R) -> Result<Span, Error> {
        let mut raw = Vec::new();
        r.copy(octets, &mut raw)?;
        self.push_checked(&raw, octets.at, false)
    }

    /// Adds text that has been put together of what is sound.
    pub(crate) fn push<R: Rules>(&mut self, text: &str, r: &R) -> Result<Span, Error> {
        let at = self.text.len();
        self.check_room(text.len(), r.position())?;
        self.text.push_str(text);
        Ok(Span { at: at as u32, len: text.len() as u32 })
    }

    /// Joins pieces of the text to one, and tells where that stands.
    pub(crate) fn join<R: Rules>(&mut self, pieces: &[Span], r: &R) -> Result<Span, Error> {
        let at = self.text.len();
        for piece in pieces {
            self.check_room(piece.len as usize, r.position())?;
            let from = piece.at as usize;
            self.text.extend_from_within(from..from + piece.len as usize);
        }
        Ok(Span { at: at as u32, len: (self.text.len() - at) as u32 })
    }

    fn check_room(&self, more: usize, at: u64) -> Result<(), Error> {
        if u32::try_from(self.message_len + self.text.len() + more).is_ok() {
            return Ok(());
        }
        Err(Error::limit(FORMAT, 0, "more text", "message_bytes", u32::MAX.into()).at_bit(at))
    }

    fn push_checked(&mut self, raw: &[u8], place: u64, nul: bool) -> Result<Span, Error> {
        let Ok(text) = simdutf8::compat::from_utf8(raw) else {
            return Err(syntax(place, "a string that is not UTF-8", "UTF-8"));
        };
        if let Some(c) = first_illegal(raw, nul).and_then(|at| text.get(at..)).and_then(|rest| rest.chars().next()) {
            let found = Words::Own(format!("the character U+{:04X} in a string", u32::from(c)));
            return Err(syntax(place, found, "characters that XML allows"));
        }
        self.check_room(raw.len(), place)?;
        let at = self.text.len() as u32;
        self.text.push_str(text);
        Ok(Span { at, len: raw.len() as u32 })
    }

    /// Opens a block.
    fn open<R: Rules>(&mut self, algorithm: Octets, octets: Octets, r: &R) -> Result<(), Error> {
        let mut name = Vec::new();
        r.copy(algorithm, &mut name)?;
        let known = [Algorithm::None, Algorithm::Deflate, Algorithm::Bzip2, Algorithm::Zstd];
        let Some(algorithm) = known.into_iter().find(|known| known.as_str().as_bytes() == name) else {
            let found = format!("the compression algorithm '{}'", String::from_utf8_lossy(&name));
            let expected = "none (''), 'bzip2', 'deflate' or 'zstd'";
            return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected).at_bit(octets.at));
        };
        let mut raw = Vec::new();
        if algorithm == Algorithm::None {
            r.copy(octets, &mut raw)?;
        } else {
            let mut packed = Vec::new();
            r.copy(octets, &mut packed)?;
            match decompress(&packed, algorithm, self.left, &mut raw) {
                Decompressed::Whole => self.left -= raw.len() as u64,
                Decompressed::TooMuch => {
                    let limit = self.limits.decompressed_bytes;
                    let found = "a block of strings that comes to more";
                    return Err(Error::limit(FORMAT, 0, found, "decompressed_bytes", limit.into()).at_bit(octets.at));
                }
                Decompressed::Bad(error) => {
                    let found = format!("a block of strings that does not decompress ({error})");
                    return Err(syntax(octets.at, found, algorithm.as_str()));
                }
            }
        }
        if raw.last().is_some_and(|last| *last != 0) {
            return Err(syntax(octets.at, "a block of strings that ends within one", "a NUL behind each string"));
        }
        let span = self.push_checked(&raw, octets.at, true)?;
        let mut at = span.at;
        for string in raw.split_inclusive(|byte| *byte == 0) {
            let len = string.len() as u32;
            self.spans.push(Span { at, len: len - 1 });
            at += len;
        }
        Ok(())
    }
}
