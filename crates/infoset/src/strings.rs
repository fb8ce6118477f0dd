//! The strings of a document, all in one text.

use tam::{Error, Words};

use crate::block::{Block, Incoming};
use crate::items;
use crate::message::{Message, unreadable};
use crate::outline::{LITERAL, Outline};
use crate::references::References;
use crate::rules::{FORMAT, Octets};
use crate::store::{Span, Store, literal, push_name};

/// The strings needed so far. A block is opened when one of its strings is needed.
#[derive(Debug)]
pub(crate) struct Strings<'m> {
    message: Message<'m>,
    references: References,
    /// All strings in sequence, with joined texts between them.
    text: String,
    /// The position in `text` of each string of the opened blocks, the empty one first.
    spans: Vec<Span>,
    /// The blocks, and how many have been opened or skipped.
    blocks: Vec<Block<'m>>,
    passed: usize,
    /// The positions of the strings in place.
    literals: Vec<Octets>,
    /// The number of bytes that may still be decompressed.
    left: u64,
}

/// Replaces the length of a string whose block was skipped; its number then replaces the position.
const UNOPENED: u32 = u32::MAX;

impl<'m> Strings<'m> {
    /// Starts without strings, and reuses the allocation of `text`.
    pub(crate) fn new(message: Message<'m>, outline: &mut Outline, text: Vec<u8>) -> Result<Strings<'m>, Error> {
        let mut text = String::from_utf8(text).unwrap_or_default();
        text.clear();
        let references = References::new(&message, outline)?;
        let (blocks, literals) = (core::mem::take(&mut outline.blocks), core::mem::take(&mut outline.literals));
        Ok(Strings {
            message,
            references,
            text,
            spans: vec![Span::default()],
            blocks: Block::all(&blocks, &message)?,
            passed: 0,
            literals,
            left: message.expansion().left(),
        })
    }

    /// All of the text.
    pub(crate) fn into_text(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    /// The string with a number that is not loaded yet.
    #[cold]
    #[inline(never)]
    fn unopened(&mut self, number: u32) -> Result<Span, Error> {
        if let Some(at) = number.checked_sub(LITERAL) {
            let octets = self.literals.get(at as usize).copied();
            return octets.map_or(Ok(Span::default()), |octets| self.literal(octets));
        }
        loop {
            match self.spans.get(number as usize) {
                Some(Span { at: block, len: UNOPENED }) => self.open(*block as usize)?,
                Some(span) => return Ok(*span),
                None => self.pass(number)?,
            }
        }
    }

    /// Advances over the next block; skips it if it has its number of strings.
    fn pass(&mut self, number: u32) -> Result<(), Error> {
        let Some(block) = self.blocks.get_mut(self.passed) else {
            let expected = Words::Own(format!("a string of the table, which has {}", self.spans.len() - 1));
            return Err(unreadable(format!("the index {number}"), expected));
        };
        let at = self.passed;
        self.passed += 1;
        block.first = self.spans.len() as u32;
        match block.strings.filter(|count| block.may_have(*count)) {
            Some(count) => {
                let len = self.spans.len() + count as usize;
                self.spans.resize(len, Span { at: at as u32, len: UNOPENED });
                Ok(())
            }
            None => self.open(at),
        }
    }

    /// Opens a block.
    #[inline(never)]
    fn open(&mut self, at: usize) -> Result<(), Error> {
        let Some(block) = self.blocks.get(at).copied() else { return Ok(()) };
        let most = (u32::MAX as usize).saturating_sub(self.message.bytes.len());
        let mut opened = Vec::new();
        // The last block's strings follow all others.
        let is_last = block.first as usize == self.spans.len();
        let spans = if is_last { &mut self.spans } else { &mut opened };
        self.left -= Incoming::new(&mut self.text, spans, most).open(&block, self.left, &self.message)?;
        let first = block.first as usize;
        if !is_last {
            let places = self.spans.get_mut(first..).unwrap_or_default();
            for (place, span) in places.iter_mut().zip(&opened) {
                *place = *span;
            }
        }
        let end = if is_last { self.spans.len() } else { first + opened.len() };
        let block_spans = self.spans.get(first..end).unwrap_or_default();
        let others =
            (0..).zip(&self.spans).filter(|(at, span)| span.len != UNOPENED && !(first..end).contains(&(*at as usize)));
        self.references.opened(
            block.at(),
            block.first,
            block_spans,
            others.map(|(index, span)| (index, span.len)),
            &self.message,
        )
    }

    #[cold]
    #[inline(never)]
    fn literal(&mut self, octets: Octets) -> Result<Span, Error> {
        let text = literal(octets, &self.message)?;
        self.push(&text)
    }

    fn check_room(&self, more: usize) -> Result<(), Error> {
        if u32::try_from(self.message.bytes.len() + self.text.len() + more).is_ok() {
            return Ok(());
        }
        Err(Error::limit(FORMAT, 0, "more text", "message_bytes", u32::MAX.into()))
    }
}

impl Store for Strings<'_> {
    type Text = Span;

    #[inline(always)]
    fn ready(&self, number: u32) -> Option<Span> {
        self.spans.get(number as usize).copied().filter(|span| span.len != UNOPENED)
    }

    fn numbered(&mut self, number: u32) -> Result<Span, Error> {
        match self.spans.get(number as usize) {
            Some(span) if span.len != UNOPENED => Ok(*span),
            _ => self.unopened(number),
        }
    }

    fn piece(&self, text: Span) -> Result<Span, Error> {
        Ok(text)
    }

    #[inline(always)]
    fn is_empty(&self, text: Span) -> bool {
        text.len == 0
    }

    fn text_of(&mut self, piece: Span) -> Span {
        piece
    }

    fn join(&mut self, pieces: &[Span]) -> Result<Span, Error> {
        let at = self.text.len();
        for piece in pieces {
            self.check_room(piece.len as usize)?;
            let from = piece.at as usize;
            self.text.extend_from_within(from..from + piece.len as usize);
        }
        Ok(Span { at: at as u32, len: (self.text.len() - at) as u32 })
    }

    fn get(&mut self, text: items::Text) -> Result<Span, Error> {
        match text {
            items::Text::Index(index) => self.numbered(index.min(LITERAL - 1)),
            items::Text::Literal(octets) => self.literal(octets),
        }
    }

    fn push(&mut self, text: &str) -> Result<Span, Error> {
        let at = self.text.len();
        self.check_room(text.len())?;
        self.text.push_str(text);
        Ok(Span { at: at as u32, len: text.len() as u32 })
    }

    fn push_name(&mut self, prefix: Span, local: Span) -> Result<Span, Error> {
        self.check_room(prefix.len as usize + 1 + local.len as usize)?;
        Ok(push_name(&mut self.text, prefix, local))
    }

    #[inline(always)]
    fn str(&self, span: Span) -> &str {
        self.text.get(span.at as usize..span.at as usize + span.len as usize).unwrap_or("")
    }
}
