//! Strings that are decompressed on demand.

use std::cell::{Cell, OnceCell, RefCell};

use tam::{Error, Words};

use crate::block::{Block, Incoming};
use crate::items;
use crate::message::{Message, unreadable};
use crate::outline::{LITERAL, Outline};
use crate::references::References;
use crate::rules::{FORMAT, Octets};
use crate::store::{Span, Store, literal, push_name};

/// A text of an event: the number of a string of the message, or [`PIECE`] plus the number of a joined text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextRef(u32);

impl TextRef {
    /// The text with the number of a token.
    pub(crate) fn new(number: u32) -> TextRef {
        TextRef(number)
    }
}

/// Marks the number of a joined text. No literal has such a number, because there cannot be so many.
const PIECE: u32 = LITERAL | LITERAL >> 1;

/// The strings of a message, and the texts of names and of joined strings.
#[derive(Debug)]
pub(crate) struct Lazy<'m> {
    message: Message<'m>,
    references: RefCell<References>,
    /// The first block, with the empty string before its own.
    first: OnceCell<Opened>,
    blocks: Vec<(Block<'m>, OnceCell<Opened>)>,
    /// The index of the first string of each block, as far as known.
    firsts: Vec<Cell<u32>>,
    known: Cell<usize>,
    literals: Vec<(Octets, OnceCell<String>)>,
    /// The number of bytes that may still be decompressed.
    left: Cell<u64>,
    text: String,
    /// What follows this in `text` belongs to the last event only.
    kept: usize,
    /// The texts that were joined for it.
    pieces: Vec<Span>,
}

/// A block that has been opened.
#[derive(Debug, Default)]
struct Opened {
    text: String,
    /// The positions of the strings; in the first block after the empty one.
    spans: Vec<Span>,
}

impl Opened {
    #[inline(always)]
    fn get(&self, number: usize) -> Option<&str> {
        let span = self.spans.get(number)?;
        self.text.get(span.at as usize..span.at as usize + span.len as usize)
    }

    /// Skips the check of character boundaries.
    #[inline(always)]
    fn bytes(&self, number: usize) -> Option<&[u8]> {
        let span = self.spans.get(number)?;
        self.text.as_bytes().get(span.at as usize..span.at as usize + span.len as usize)
    }
}

impl<'m> Lazy<'m> {
    pub(crate) fn new(message: Message<'m>, outline: &mut Outline) -> Result<Lazy<'m>, Error> {
        let references = References::new(&message, outline)?;
        let literals = core::mem::take(&mut outline.literals);
        let blocks = Block::all(&outline.blocks, &message)?;
        let firsts = blocks.iter().map(|_| Cell::new(0)).collect();
        Ok(Lazy {
            message,
            references: RefCell::new(references),
            first: OnceCell::new(),
            blocks: blocks.into_iter().map(|block| (block, OnceCell::new())).collect(),
            firsts,
            known: Cell::new(0),
            literals: literals.into_iter().map(|octets| (octets, OnceCell::new())).collect(),
            left: Cell::new(message.expansion().left()),
            text: String::new(),
            kept: 0,
            pieces: Vec::new(),
        })
    }

    /// A text of an event.
    ///
    /// # Errors
    /// If its block cannot be opened, or there is no such string.
    #[inline(always)]
    pub(crate) fn text(&self, text: TextRef) -> Result<&str, Error> {
        match self.first.get().and_then(|opened| opened.get(text.0 as usize)) {
            Some(text) => Ok(text),
            None => self.unopened(text.0),
        }
    }

    /// The same text as bytes.
    ///
    /// # Errors
    /// As for [`Lazy::text`].
    #[inline(always)]
    pub(crate) fn bytes(&self, text: TextRef) -> Result<&[u8], Error> {
        match self.first.get().and_then(|opened| opened.bytes(text.0 as usize)) {
            Some(text) => Ok(text),
            None => self.unopened(text.0).map(str::as_bytes),
        }
    }

    /// A piece of the store's own text as bytes.
    #[inline(always)]
    pub(crate) fn piece_bytes(&self, piece: Span) -> &[u8] {
        self.text.as_bytes().get(piece.at as usize..piece.at as usize + piece.len as usize).unwrap_or_default()
    }

    /// The string with a number that is not in the first block, or whose block is not open.
    #[cold]
    #[inline(never)]
    fn unopened(&self, number: u32) -> Result<&str, Error> {
        self.find(number).map_err(|error| self.message.locate_string(number, error))
    }

    fn find(&self, number: u32) -> Result<&str, Error> {
        if number == 0 {
            return Ok("");
        }
        if let Some(at) = number.checked_sub(PIECE) {
            return Ok(self.str(self.pieces.get(at as usize).copied().unwrap_or_default()));
        }
        if let Some(at) = number.checked_sub(LITERAL) {
            let Some((octets, cell)) = self.literals.get(at as usize) else { return Ok("") };
            return match cell.get() {
                Some(text) => Ok(text),
                None => literal(*octets, &self.message).map(|text| cell.get_or_init(|| text).as_str()),
            };
        }
        loop {
            let known = self.known.get();
            let firsts = self.firsts.get(..known).unwrap_or_default();
            let after = firsts.partition_point(|first| first.get() <= number);
            // Whether the last known block contains it is clear once its strings are counted.
            if let Some(at) = after.checked_sub(1) {
                let first = firsts.get(at).map_or(0, Cell::get);
                if number - first < self.count(at)? {
                    let opened = self.open(at)?;
                    let skipped = usize::from(at == 0);
                    return Ok(opened.get((number - first) as usize + skipped).unwrap_or(""));
                }
            }
            let next = match known.checked_sub(1) {
                None => 1,
                Some(last) => self.firsts.get(last).map_or(0, Cell::get).saturating_add(self.count(last)?),
            };
            let Some(first) = self.firsts.get(known) else {
                let expected = Words::Own(format!("a string of the table, which has {}", next - 1));
                return Err(unreadable(format!("the index {number}"), expected));
            };
            first.set(next);
            self.known.set(known + 1);
        }
    }

    fn check_room(&self, more: usize) -> Result<(), Error> {
        if u32::try_from(self.text.len() + more).is_ok() {
            return Ok(());
        }
        Err(Error::limit(FORMAT, 0, "more text", "message_bytes", u32::MAX.into()))
    }

    /// The number of strings of a block.
    fn count(&self, at: usize) -> Result<u32, Error> {
        match self.blocks.get(at) {
            Some((Block { strings: Some(count), .. }, _)) => Ok(*count),
            _ => self.open(at).map(|opened| (opened.spans.len() - usize::from(at == 0)) as u32),
        }
    }

    fn open(&self, at: usize) -> Result<&Opened, Error> {
        static NONE: Opened = Opened { text: String::new(), spans: Vec::new() };
        let Some((block, cell)) = self.blocks.get(at) else { return Ok(&NONE) };
        let cell = if at == 0 { &self.first } else { cell };
        if let Some(opened) = cell.get() {
            return Ok(opened);
        }
        let mut opened = Opened::default();
        if at == 0 {
            opened.spans.push(Span::default());
        }
        let incoming = Incoming::new(&mut opened.text, &mut opened.spans, u32::MAX as usize);
        self.left.set(self.left.get() - incoming.open(block, self.left.get(), &self.message)?);
        let first = if at == 0 { 0 } else { self.firsts.get(at).map_or(0, Cell::get) };
        let others = self.firsts.iter().zip(&self.blocks).enumerate().flat_map(|(other, (first, (_, opened)))| {
            let (first, opened) = match other {
                0 => (0, self.first.get()),
                _ => (first.get(), opened.get()),
            };
            let spans = opened.filter(|_| other != at).map_or(&[][..], |opened| &opened.spans);
            (first..).zip(spans).map(|(index, span)| (index, span.len))
        });
        self.references.borrow_mut().opened(block.at(), first, &opened.spans, others, &self.message)?;
        Ok(cell.get_or_init(|| opened))
    }
}

impl Store for Lazy<'_> {
    type Text = TextRef;

    #[inline(always)]
    fn ready(&self, number: u32) -> Option<TextRef> {
        Some(TextRef(number))
    }

    #[inline(always)]
    fn numbered(&mut self, number: u32) -> Result<TextRef, Error> {
        Ok(TextRef(number))
    }

    fn piece(&self, _: TextRef) -> Result<Span, Error> {
        // Only documents track scopes, and they use another store.
        Ok(Span::default())
    }

    #[inline(always)]
    fn is_empty(&self, text: TextRef) -> bool {
        text.0 == 0
    }

    fn text_of(&mut self, piece: Span) -> TextRef {
        if piece.len == 0 {
            return TextRef(0);
        }
        self.pieces.push(piece);
        TextRef(PIECE + (self.pieces.len() as u32 - 1))
    }

    fn forget(&mut self) {
        self.pieces.clear();
        self.text.truncate(self.kept);
    }

    fn join(&mut self, pieces: &[TextRef]) -> Result<TextRef, Error> {
        let mut joined = String::new();
        for piece in pieces {
            joined.push_str(self.text(*piece)?);
            if joined.len() as u64 > self.message.expansion().left() {
                return Err(self.message.too_much("text that comes to more"));
            }
        }
        let piece = self.push(&joined)?;
        Ok(self.text_of(piece))
    }

    fn get(&mut self, text: items::Text) -> Result<Span, Error> {
        if let items::Text::Index(index) = text
            && let Some(text) = self.first.get().and_then(|first| first.get(index as usize))
            && u32::try_from(self.text.len() + text.len()).is_ok()
        {
            let at = self.text.len();
            self.text.push_str(text);
            return Ok(Span { at: at as u32, len: text.len() as u32 });
        }
        let text = match text {
            items::Text::Index(0) => return Ok(Span::default()),
            items::Text::Index(index) => self.text(TextRef(index.min(LITERAL - 1)))?.to_owned(),
            items::Text::Literal(octets) => literal(octets, &self.message)?,
        };
        self.push(&text)
    }

    fn push_name(&mut self, prefix: Span, local: Span) -> Result<Span, Error> {
        self.check_room(prefix.len as usize + 1 + local.len as usize)?;
        Ok(push_name(&mut self.text, prefix, local))
    }

    fn push(&mut self, text: &str) -> Result<Span, Error> {
        let at = self.text.len();
        self.check_room(text.len())?;
        self.text.push_str(text);
        Ok(Span { at: at as u32, len: text.len() as u32 })
    }

    fn keep(&mut self) {
        self.kept = self.text.len();
    }

    #[inline(always)]
    fn str(&self, piece: Span) -> &str {
        self.text.get(piece.at as usize..piece.at as usize + piece.len as usize).unwrap_or("")
    }
}
