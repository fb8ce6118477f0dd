//! Messages as events, without building a tree.

use core::fmt;

use tam::Error;

use crate::Options;
use crate::cursor::{Cursor, Found, Parts, Value};
use crate::lazy::{Lazy, TextRef};
use crate::message::Message;
use crate::names::Names;
use crate::properties::{Numbers, Properties};
use crate::reader::check_end;
use crate::store::Store;

/// What a [`Reader`] finds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'r> {
    /// The start of an element. Its end follows, even if it is empty.
    Start(StartTag<'r>),
    /// The end of an element.
    End(EndTag<'r>),
    /// Text: all of it up to the next tag, comment or instruction.
    Text(Text<'r>),
    /// A comment.
    Comment(Text<'r>),
    /// A processing instruction.
    Instruction(Instruction<'r>),
    /// The document type declaration: the text between `<!DOCTYPE ` and its `>`.
    Doctype(Text<'r>),
    /// A reference to an entity, whose name this is ([`Options::entity_references`]). The DOCTYPE declares it, or leaves that to a
    /// part outside of it.
    EntityReference(Text<'r>),
}

/// The parts that events refer to.
type EventItem<'m> = Parts<Lazy<'m>, TextRef>;

/// The text of an event.
#[derive(Clone, Copy)]
pub struct Text<'r> {
    parts: &'r EventItem<'r>,
}

impl<'r> Text<'r> {
    /// The text as a string. Opens the block of strings that contains it, if necessary.
    ///
    /// # Errors
    /// If the block is invalid, or has no such string.
    #[inline]
    pub fn as_str(&self) -> Result<&'r str, Error> {
        self.parts.store.text(self.parts.text)
    }

    /// The text as UTF-8 bytes, which is somewhat faster than [`Text::as_str`].
    ///
    /// # Errors
    /// As for [`Text::as_str`].
    #[inline]
    pub fn as_bytes(&self) -> Result<&'r [u8], Error> {
        self.parts.store.bytes(self.parts.text)
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

/// The name of an element or attribute.
#[derive(Clone, Copy)]
pub struct Name<'r> {
    parts: &'r EventItem<'r>,
    number: u32,
}

impl<'r> Name<'r> {
    /// The name as in XML: prefix, colon and local name.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &'r str {
        self.parts.store.str(self.parts.names.name(self.number).qualified)
    }

    /// The name as UTF-8 bytes, which is somewhat faster than [`Name::as_str`].
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &'r [u8] {
        self.parts.store.piece_bytes(self.parts.names.name(self.number).qualified)
    }

    /// The prefix, if there is one.
    #[must_use]
    pub fn prefix(&self) -> Option<&'r str> {
        self.parts.names.name(self.number).parts(self.as_str()).0
    }

    /// The local name.
    #[must_use]
    pub fn local(&self) -> &'r str {
        self.parts.names.name(self.number).parts(self.as_str()).1
    }

    /// The namespace name, if the message has one.
    #[must_use]
    pub fn namespace(&self) -> Option<&'r str> {
        let number = self.parts.names.name(self.number).namespace;
        let namespace = self.parts.store.str(self.parts.names.namespace_text(number));
        (!namespace.is_empty()).then_some(namespace)
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name({self}")?;
        match self.namespace() {
            Some(namespace) => write!(f, ", {namespace})"),
            None => f.write_str(")"),
        }
    }
}

/// The start of an element.
#[derive(Clone, Copy)]
pub struct StartTag<'r> {
    parts: &'r EventItem<'r>,
}

impl<'r> StartTag<'r> {
    /// The name of the element.
    #[inline]
    #[must_use]
    pub fn name(&self) -> Name<'r> {
        Name { parts: self.parts, number: self.parts.name }
    }

    /// The attributes: first the namespace attributes, otherwise in the order of the message.
    #[inline]
    pub fn attributes(&self) -> impl ExactSizeIterator<Item = Attribute<'r>> + use<'r> {
        let parts = self.parts;
        parts.attributes.iter().map(move |attribute| Attribute { parts, attribute })
    }

    /// The value of the attribute with this name, as in XML; `None` if there is none.
    ///
    /// # Errors
    /// As for the value of an attribute.
    pub fn attribute(&self, name: &str) -> Result<Option<&'r str>, Error> {
        self.attributes().find(|other| other.name().as_str() == name).map(|found| found.value()).transpose()
    }
}

impl fmt::Debug for StartTag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StartTag({:?} ", self.name())?;
        f.debug_map().entries(self.attributes().map(|attribute| (attribute.name(), attribute.value()))).finish()?;
        f.write_str(")")
    }
}

/// An attribute.
#[derive(Clone, Copy)]
pub struct Attribute<'r> {
    parts: &'r EventItem<'r>,
    attribute: &'r Value<TextRef>,
}

impl<'r> Attribute<'r> {
    /// The name.
    #[inline]
    #[must_use]
    pub fn name(&self) -> Name<'r> {
        Name { parts: self.parts, number: self.attribute.name }
    }

    /// The value, as by [`Text::as_str`].
    ///
    /// # Errors
    /// As for [`Text::as_str`].
    #[inline]
    pub fn value(&self) -> Result<&'r str, Error> {
        self.parts.store.text(self.attribute.value)
    }

    /// The bytes of the value, as by [`Text::as_bytes`].
    ///
    /// # Errors
    /// As for [`Text::as_bytes`].
    #[inline]
    pub fn value_bytes(&self) -> Result<&'r [u8], Error> {
        self.parts.store.bytes(self.attribute.value)
    }
}

impl fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Attribute({:?}, {:?})", self.name(), self.value())
    }
}

/// The end of an element.
#[derive(Clone, Copy)]
pub struct EndTag<'r> {
    parts: &'r EventItem<'r>,
}

impl<'r> EndTag<'r> {
    /// The name of the element.
    #[inline]
    #[must_use]
    pub fn name(&self) -> Name<'r> {
        Name { parts: self.parts, number: self.parts.name }
    }
}

impl fmt::Debug for EndTag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EndTag({:?})", self.name())
    }
}

/// A processing instruction.
#[derive(Clone, Copy)]
pub struct Instruction<'r> {
    parts: &'r EventItem<'r>,
}

impl<'r> Instruction<'r> {
    fn both(&self) -> (&'r str, &'r str) {
        // This text has been opened before.
        let text = self.parts.store.text(self.parts.text).unwrap_or_default();
        text.split_once(' ').unwrap_or((text, ""))
    }

    /// The target.
    #[must_use]
    pub fn target(&self) -> &'r str {
        self.both().0
    }

    /// The data; may be empty.
    #[must_use]
    pub fn data(&self) -> &'r str {
        self.both().1
    }
}

impl fmt::Debug for Instruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Instruction({:?}, {:?})", self.target(), self.data())
    }
}

/// The event that follows an element with only text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PendingEvent {
    Nothing,
    Text,
    End,
}

/// Reads a message event by event, without building a tree.
///
/// A string is looked up when the text of an event is requested. Blocks without requested strings stay compressed.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_infoset::{Event, Options};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// # let mut table = lengthwise_tam::Table::new();
/// # let mut build = lengthwise_tam::Builder::new(b"", lengthwise_tam::TypeSet::XML, lengthwise_tam::Limits::default(), &mut table);
/// # build.open(b'<', b"a")?;
/// # build.open(b'=', b"")?;
/// # build.primitive(b'[', b"b", b"1")?;
/// # build.close()?;
/// # build.primitive(b'[', b"", b"two")?;
/// # build.close()?;
/// # build.finish()?;
/// # let message = lengthwise_infoset::write(&table.document(b"", lengthwise_tam::TypeSet::XML), &Options::uper())?;
/// // <a b="1">two</a>
/// let mut events = lengthwise_infoset::events(&message, &Options::uper())?;
/// let Some(Event::Start(tag)) = events.next_event()? else { panic!() };
/// assert_eq!((tag.name().as_str(), tag.attribute("b")?), ("a", Some("1")));
/// let Some(Event::Text(text)) = events.next_event()? else { panic!() };
/// assert_eq!(text.as_str()?, "two");
/// assert!(matches!(events.next_event()?, Some(Event::End(tag)) if tag.name().local() == "a"));
/// assert!(events.next_event()?.is_none());
/// # Ok(())
/// # }
/// ```
pub struct Reader<'m> {
    parts: EventItem<'m>,
    due: PendingEvent,
    cursor: Cursor<'m>,
}

/// Reads a message event by event.
///
/// This function makes a first pass through the message, to find what is needed before its position: the strings at the
/// end, and attributes, which follow the children of their element.
///
/// # Errors
/// If the message is not one of Appendix A.
pub fn events<'m>(message: &'m [u8], options: &Options<'m>) -> Result<Reader<'m>, Error> {
    let message = Message::new(message, options)?;
    let mut outline = message.scan()?;
    check_end(message.bytes, outline.end)?;
    let parts = Parts {
        store: Lazy::new(message, &mut outline)?,
        names: Names::new(core::mem::take(&mut outline.names), core::mem::take(&mut outline.literal_names), false),
        name: 0,
        text: TextRef::default(),
        attributes: Vec::new(),
    };
    Ok(Reader { parts, due: PendingEvent::Nothing, cursor: Cursor::new(message, outline, false) })
}

impl Reader<'_> {
    /// The properties of the document that the message contains.
    ///
    /// # Errors
    /// If it refers to missing strings, or to strings in an invalid block.
    pub fn properties(&self) -> Result<Properties<'_>, Error> {
        let Numbers { base_uri, encoding, standalone, version, all_declarations_processed } = self.cursor.properties();
        let text = |number| self.parts.store.text(TextRef::new(number));
        Ok(Properties {
            base_uri: base_uri.map(text).transpose()?,
            encoding: text(encoding)?,
            standalone,
            version: version.map(text).transpose()?,
            all_declarations_processed,
        })
    }

    /// The next event; `None` after the last one and after an error.
    ///
    /// # Errors
    /// If the content is not XML, or refers to missing names.
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        match self.due {
            PendingEvent::Nothing => {}
            PendingEvent::Text => {
                self.due = PendingEvent::End;
                return Ok(Some(Event::Text(Text { parts: &self.parts })));
            }
            PendingEvent::End => {
                self.due = PendingEvent::Nothing;
                return Ok(Some(Event::End(EndTag { parts: &self.parts })));
            }
        }
        let found = self.cursor.advance(&mut self.parts);
        let parts = &self.parts;
        Ok(Some(match found {
            Found::Leaf => {
                self.due = if parts.store.is_empty(parts.text) { PendingEvent::End } else { PendingEvent::Text };
                Event::Start(StartTag { parts })
            }
            Found::Start => Event::Start(StartTag { parts }),
            Found::End => Event::End(EndTag { parts }),
            Found::Text => Event::Text(Text { parts }),
            Found::Comment => Event::Comment(Text { parts }),
            Found::Instruction => Event::Instruction(Instruction { parts }),
            Found::Doctype => Event::Doctype(Text { parts }),
            Found::EntityReference => Event::EntityReference(Text { parts }),
            Found::Over => return Ok(None),
            Found::Failed => return self.cursor.failure().map_or(Ok(None), Err),
        }))
    }

    /// Passes all remaining events to `take`: the fastest way to read a message.
    ///
    /// # Errors
    /// Those of [`Reader::next_event`], and those of `take`.
    #[inline]
    pub fn for_each(&mut self, mut take: impl FnMut(Event<'_>) -> Result<(), Error>) -> Result<(), Error> {
        while self.due != PendingEvent::Nothing {
            if let Some(event) = self.next_event()? {
                take(event)?;
            }
        }
        loop {
            self.cursor.advance_while_plain(&mut self.parts, |found, parts| emit(found, parts, &mut take))?;
            match self.cursor.advance(&mut self.parts) {
                Found::Over => return Ok(()),
                Found::Failed => return self.cursor.failure().map_or(Ok(()), Err),
                found => emit(found, &self.parts, &mut take)?,
            }
        }
    }
}

/// Passes the item found to `take`, as events.
#[inline(always)]
fn emit<'r>(
    found: Found,
    parts: &'r EventItem<'_>,
    take: &mut impl FnMut(Event<'r>) -> Result<(), Error>,
) -> Result<(), Error> {
    match found {
        Found::Leaf => {
            take(Event::Start(StartTag { parts }))?;
            if !parts.store.is_empty(parts.text) {
                take(Event::Text(Text { parts }))?;
            }
            take(Event::End(EndTag { parts }))
        }
        Found::Start => take(Event::Start(StartTag { parts })),
        Found::End => take(Event::End(EndTag { parts })),
        Found::Text => take(Event::Text(Text { parts })),
        Found::Comment => take(Event::Comment(Text { parts })),
        Found::Instruction => take(Event::Instruction(Instruction { parts })),
        Found::Doctype => take(Event::Doctype(Text { parts })),
        Found::EntityReference => take(Event::EntityReference(Text { parts })),
        Found::Over | Found::Failed => Ok(()),
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}
