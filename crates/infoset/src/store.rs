//! Where the text of items comes from: the document's own text, or strings that are decompressed on demand.

use tam::Error;
use xml::chars::illegal_char;

use crate::items;
use crate::message::Message;
use crate::rules::{Octets, syntax};

/// A piece of the text of a [`Store`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) at: u32,
    pub(crate) len: u32,
}

/// Holds the text of items.
pub(crate) trait Store {
    /// A text of an item.
    type Text: Copy + Default + core::fmt::Debug;

    /// The text with a number, if nothing must be decompressed for it.
    fn ready(&self, number: u32) -> Option<Self::Text>;
    /// The text with a number: an index, or a string in place.
    fn numbered(&mut self, number: u32) -> Result<Self::Text, Error>;
    /// The piece of a text, in a store that keeps all text.
    fn piece(&self, text: Self::Text) -> Result<Span, Error>;
    /// Whether a text is known to be empty.
    fn is_empty(&self, text: Self::Text) -> bool;
    /// A piece as a text.
    fn text_of(&mut self, piece: Span) -> Self::Text;
    /// Discards what was joined for previous items, unless it was kept.
    fn forget(&mut self) {}
    /// Joins several texts.
    fn join(&mut self, pieces: &[Self::Text]) -> Result<Self::Text, Error>;
    /// A string, in the store's own text.
    fn get(&mut self, text: items::Text) -> Result<Span, Error>;
    /// Adds text that was assembled from valid parts.
    fn push(&mut self, text: &str) -> Result<Span, Error>;
    /// Adds a prefix, a colon and a local name, which are pieces of the text.
    fn push_name(&mut self, prefix: Span, local: Span) -> Result<Span, Error>;
    /// Keeps what has been added so far.
    fn keep(&mut self) {}
    /// The text of a piece.
    fn str(&self, piece: Span) -> &str;
}

/// Adds a name to a text that contains the parts as pieces.
pub(crate) fn push_name(text: &mut String, prefix: Span, local: Span) -> Span {
    let at = text.len();
    for (piece, before) in [(prefix, ""), (local, ":")] {
        text.push_str(before);
        text.extend_from_within(piece.at as usize..(piece.at + piece.len) as usize);
    }
    Span { at: at as u32, len: (text.len() - at) as u32 }
}

/// A string in place.
#[cold]
pub(crate) fn literal(octets: Octets, message: &Message<'_>) -> Result<String, Error> {
    let mut raw = Vec::new();
    message.copy(octets, &mut raw)?;
    let text = String::from_utf8(raw).map_err(|_| syntax(octets.at, "a string that is not UTF-8", "UTF-8"))?;
    match illegal_char(&text) {
        None => Ok(text),
        Some(c) => {
            let found = format!("the character U+{:04X} in a string", u32::from(c));
            Err(syntax(octets.at, found, "characters that XML allows"))
        }
    }
}
