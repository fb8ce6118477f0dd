//! Reading on without events, by who knows what is likely to come next.
//!
//! Between two events a caller may look at the text ahead and, where it is what the caller expects, go on after it.
//! What the reader would have checked in that text is the caller's to check: [`Reader::plain_text_end`] does it for
//! characters, a comparison with a tag that the reader has read before does it for names.

use core::ops::Range;

use ::xml::chars::first_illegal;

use super::content::special_from;
use super::encoding::Text;
use super::reader::{Attribute, Part, Reader, Span};
use super::scan::{less_than_from, value_end};

/// A document from the place on that a [`Reader`] has read to.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    /// The whole text of the document, in UTF-8; it ends where the first character is that XML does not allow.
    pub text: &'a str,
    /// The place of the next event in it.
    pub at: usize,
    /// Where in the input the text begins.
    pub start: usize,
}

/// Memory that one reader leaves to the next. Nothing is in it.
#[derive(Debug, Default)]
pub struct Room {
    open: Vec<Span>,
    attributes: Vec<Attribute>,
    scratch: String,
}

impl<'a> Reader<'a> {
    /// Takes the room in exchange for its own: once before it begins, and once when it has ended.
    pub fn exchange(&mut self, room: &mut Room) {
        core::mem::swap(&mut self.open, &mut room.open);
        core::mem::swap(&mut self.attributes, &mut room.attributes);
        core::mem::swap(&mut self.scratch, &mut room.scratch);
        room.open.clear();
        room.attributes.clear();
        room.scratch.clear();
        room.scratch.shrink_to(1 << 16);
    }

    /// The document ahead; `None` where it is not the input itself that comes next: in an entity, after an empty-element
    /// tag, outside the root element, in another encoding than UTF-8; and where there is a DOCTYPE.
    #[inline]
    #[must_use]
    pub fn ahead(&self) -> Option<Ahead<'a>> {
        let Text::Lent(text) = self.text else { return None };
        let is_ready = self.part == Part::Content && !self.empty && self.dtd.is_none() && self.in_document();
        let text = text.get(..self.end)?;
        is_ready.then_some(Ahead { text, at: self.at, start: self.document.offset(0) })
    }

    /// Whether the document is in UTF-8: not in another encoding, whose characters so far are those of ASCII.
    #[must_use]
    pub fn is_utf8(&self) -> bool {
        self.document.is_utf8()
    }

    /// The place that it has read to.
    #[inline(always)]
    #[must_use]
    pub fn place_ahead(&self) -> usize {
        self.at
    }

    /// The place of the last event; inside an entity, that of the reference.
    #[inline(always)]
    #[must_use]
    pub fn event_place(&self) -> usize {
        self.event_at
    }

    /// Goes on at a place.
    #[inline(always)]
    pub fn resume(&mut self, at: usize) {
        self.at = at;
    }

    /// Takes a place for that of the last event, for an error there.
    pub fn locate(&mut self, at: usize) {
        self.event_at = at;
    }

    /// Whether elements may be open in each other, so many more.
    #[inline(always)]
    #[must_use]
    pub fn may_open(&self, levels: usize) -> bool {
        self.open.len() + levels <= self.limits.depth as usize
    }

    /// Opens an element whose start tag has been read, which declares no namespaces: the place of its name.
    #[inline(always)]
    pub fn open(&mut self, name: Range<usize>) {
        self.open.push(Span::frame(name.start, name.end));
    }

    /// The place of the name of the innermost open element.
    #[inline(always)]
    #[must_use]
    pub fn innermost(&self) -> Range<usize> {
        self.open.last().map_or(0..0, |name| name.start as usize..name.end as usize)
    }

    /// Closes the innermost element, whose end tag has been read, if it declares no namespaces and is not the root.
    #[inline(always)]
    pub fn close(&mut self) -> bool {
        let is_plain = self.open.len() > 1 && self.open.len() > self.scope.watched();
        if is_plain {
            self.open.pop();
        }
        is_plain
    }

    /// Where characters from a place on end, if a tag follows them and they need no change.
    #[inline(always)]
    pub fn plain_text_end(&mut self, text: &[u8], start: usize) -> Option<usize> {
        let end = less_than_from(text, start);
        self.find_special(text, start..end);
        (self.special >= end && end < text.len()).then_some(end)
    }

    /// Where the value of an attribute from a place on ends, if it ends with a quote and needs no change.
    #[inline(always)]
    #[must_use]
    pub fn plain_value_end(text: &[u8], start: usize, quote: u8) -> Option<usize> {
        let end = value_end(text, start, quote);
        (text.get(end) == Some(&quote)).then_some(end)
    }

    /// The characters from a place on up to the next `<`, if they need no change, and XML allows them.
    #[inline]
    #[must_use]
    pub fn plain_text(text: &[u8], start: usize) -> Option<&str> {
        let end = less_than_from(text, start);
        let is_plain = end < text.len() && special_from(text, start, end, true) == end;
        allowed(text.get(start..end).filter(|_| is_plain)?)
    }

    /// The value of an attribute from a place on, if it ends with a quote and needs no change, and XML allows its characters.
    #[inline]
    #[must_use]
    pub fn plain_value(text: &[u8], start: usize, quote: u8) -> Option<&str> {
        allowed(text.get(start..Reader::plain_value_end(text, start, quote)?)?)
    }

    /// The place of the name of the tag that was read last.
    #[inline]
    #[must_use]
    pub fn tag_name(&self) -> Range<usize> {
        self.name.start as usize..self.name.end as usize
    }
}

/// A text of UTF-8, all of whose characters XML allows.
#[inline]
fn allowed(text: &[u8]) -> Option<&str> {
    if first_illegal(text).is_some() { None } else { core::str::from_utf8(text).ok() }
}
