//! Templates of many kinds of message, within a bound of memory, shared by threads.

mod arrival;
mod balance;
#[cfg(test)]
mod places;
mod shelf;
mod skeleton;
mod state;
pub(crate) mod template;

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::{Deref, RangeInclusive};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tam::Error;

use crate::checkpoints::{BEGINNING, method};
use crate::options::Matching;
use crate::reader::Reader;
use crate::soap::envelope::Message;
use crate::stats::Stats;
use crate::templates::shelf::{Entry, Shelf};

/// Templates of many kinds and shapes of message, shared by threads, within a bound of memory.
///
/// Messages that are alike come from the same program for the same purpose (the paper's section 1). So a *kind* of message
/// is what the caller knows of it before it is read (its operation and the toolkit that sent it) and the name in the
/// start tag of its method. A kind has up to eight templates, one for each *shape*: of these, a message is read by the one
/// that it begins most like, values aside, in the first 4 KiB; among equals by the one whose message had the nearest length. A
/// message that turns out to be too different from it is read whole and begins a shape of its own.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_dds::{Member, Options, Reader, Schema, Simple, Style, Templates};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut schema = Schema::new();
/// let int = schema.simple(Simple::Int);
/// let parameters = schema.parameters([Member::new("start", int)]);
/// schema.method("urn:example", "search", parameters, Style::Encoded);
/// let templates = Templates::new(Reader::new(schema, &Options::default()), 64 << 20);
///
/// // Two programs that call themselves the same write the same request in two ways, in turn.
/// let shapes = [
///     r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
///         <s:search xmlns:s="urn:example"><start>START</start></s:search></e:Body></e:Envelope>"#,
///     r#"<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body>
///         <s:search xmlns:s="urn:example"><start xmlns="">START</start></s:search></Body></Envelope>"#,
/// ];
/// for start in 0..10 {
///     for shape in shapes {
///         let mut buffer = shape.replace("START", &start.to_string()).into_bytes();
///         let message = templates.read("search", "gSOAP/2.8", &mut buffer)?;
///         assert_eq!(message.value().and_then(|value| value.member(0)), Some(&lengthwise_dds::Value::Int(start)));
///     }
/// }
/// // The first of each shape was read whole.
/// assert_eq!(templates.stats().regular, 2);
/// # Ok(())
/// # }
/// ```
///
/// **Threads** never wait while a message is read: a template in use is passed over, and where none is left the message is
/// read whole into a new one. A lock is held only to choose a template and to put it back.
///
/// **Memory**: templates keep at most `bound` bytes between messages, whatever their number. If there is no room, those
/// go first that no message has been read by yet, from the least recently used on, then the others. Proven templates take
/// at most three quarters, and are ordinary ones again when they have not been used for long.
///
/// **Cost**: to choose among the templates of a kind, at most 8 KiB of them are compared with the message.
///
/// A message that is refused leaves all templates as they were.
#[derive(Debug)]
pub struct Templates {
    reader: Reader,
    hasher: foldhash::fast::RandomState,
    shelf: Mutex<Shelf>,
}

/// A message read, and its template, which is in use until this is dropped.
#[derive(Debug)]
pub struct Lease<'t> {
    templates: &'t Templates,
    entry: Option<Entry>,
}

/// A message that is arriving, and the template it is read by.
#[derive(Debug)]
pub struct Arriving<'t> {
    templates: &'t Templates,
    /// What the caller calls its kind, hashed.
    name: u64,
    len: Option<usize>,
    /// Taken when there is something to read, and there until the message is finished.
    entry: Option<Entry>,
    /// What has arrived before.
    waiting: Vec<u8>,
}

impl<'t> Arriving<'t> {
    /// The same, of a message of so many bytes (its `Content-Length`, if it is not compressed). This helps to choose a
    /// template among those of messages that begin alike; it need not be true.
    #[must_use]
    pub fn with_len(mut self, bytes: usize) -> Arriving<'t> {
        self.len = Some(bytes);
        self
    }

    /// Takes the next piece, and reads as much as there is: [`Template::feed`](crate::Template::feed). As long as less than
    /// [`Options::piece`](crate::Options::piece) bytes have arrived, other messages may use the template.
    ///
    /// # Errors
    /// As [`Template::feed`](crate::Template::feed).
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let options = &self.templates.reader.options;
        let most = options.piece.min(options.limits.message_bytes) as usize;
        if self.entry.is_none() && self.waiting.len() + bytes.len() < most {
            self.waiting.extend_from_slice(bytes);
            return Ok(());
        }
        if let Some(entry) = &mut self.entry {
            return entry.template.feed(bytes);
        }
        let beginning = match self.waiting.len() {
            0 => Cow::Borrowed(bytes),
            BEGINNING.. => Cow::Borrowed(&self.waiting[..]),
            _ => Cow::Owned([&self.waiting, &bytes[..bytes.len().min(BEGINNING)]].concat()),
        };
        let arrived = self.waiting.len() + bytes.len();
        let len = self.len.map_or(arrived..=usize::MAX, |len| len..=len);
        let mut entry = self.templates.take(self.name, &beginning, &len);
        let fed = entry.template.feed(&self.waiting).and_then(|()| entry.template.feed(bytes));
        self.waiting = Vec::new();
        self.entry = Some(entry);
        fed
    }

    /// The message, which ends here.
    ///
    /// # Errors
    /// As [`Template::finish`](crate::Template::finish).
    pub fn finish(mut self) -> Result<Lease<'t>, Error> {
        let mut entry = match self.entry.take() {
            Some(entry) => entry,
            None => {
                let len = self.waiting.len();
                let mut entry = self.templates.take(self.name, &self.waiting, &(len..=len));
                if let Err(error) = entry.template.feed(&self.waiting) {
                    self.templates.put(entry);
                    return Err(error);
                }
                entry
            }
        };
        match entry.template.finish().map(drop) {
            Ok(()) => Ok(self.templates.lease(entry)),
            Err(error) => {
                self.templates.put(entry);
                Err(error)
            }
        }
    }
}

impl Drop for Arriving<'_> {
    fn drop(&mut self) {
        if let Some(mut entry) = self.entry.take() {
            entry.template.give_up();
            self.templates.put(entry);
        }
    }
}

impl Templates {
    /// Templates that keep at most `bound` bytes between messages.
    #[must_use]
    pub fn new(reader: Reader, bound: usize) -> Templates {
        Templates { reader, hasher: foldhash::fast::RandomState::default(), shelf: Mutex::new(Shelf::new(bound)) }
    }

    /// Reads a message of an operation (its `SOAPAction`, say) that a toolkit sent (its `User-Agent`). Which
    /// kind a message is said to be of decides how fast it is read, never what is read. The buffer is
    /// exchanged as in [`Template::read`](crate::Template::read), or an empty one is given back.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn read(&self, operation: &str, toolkit: &str, message: &mut Vec<u8>) -> Result<Lease<'_>, Error> {
        let len = message.len();
        let mut entry = self.take(self.name(operation, toolkit), message, &(len..=len));
        match entry.template.read(message).map(drop) {
            Ok(()) => Ok(self.lease(entry)),
            Err(error) => {
                self.put(entry);
                Err(error)
            }
        }
    }

    /// A message of an operation that a toolkit sends, which arrives in pieces. Its template is its own until the
    /// message is finished or given up; no lock is held meanwhile, and it may go from thread to thread.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// # use lengthwise_dds::{Member, Options, Reader, Schema, Simple, Style, Templates};
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// # let mut schema = Schema::new();
    /// # let int = schema.simple(Simple::Int);
    /// # let parameters = schema.parameters([Member::new("start", int)]);
    /// # schema.method("urn:example", "search", parameters, Style::Encoded);
    /// let templates = Templates::new(Reader::new(schema, &Options::default()), 64 << 20);
    /// # let body = br#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
    /// #     <s:search xmlns:s="urn:example"><start>7</start></s:search></e:Body></e:Envelope>"#;
    /// let mut arriving = templates.arriving("search", "gSOAP/2.8");
    /// for piece in body.chunks(100) {
    ///     arriving.feed(piece)?;
    /// }
    /// let message = arriving.finish()?;
    /// assert_eq!(message.value().and_then(|value| value.member(0)), Some(&lengthwise_dds::Value::Int(7)));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn arriving(&self, operation: &str, toolkit: &str) -> Arriving<'_> {
        let name = self.name(operation, toolkit);
        Arriving { templates: self, name, len: None, entry: None, waiting: Vec::new() }
    }

    /// What all templates counted, those that are gone as well, and the memory kept. The messages of templates in use are
    /// left out.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.shelf().stats()
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn name(&self, operation: &str, toolkit: &str) -> u64 {
        self.hasher.hash_one((operation, toolkit))
    }

    /// Takes the template for a message whose kind has a name, which begins with some bytes.
    fn take(&self, name: u64, beginning: &[u8], len: &RangeInclusive<usize>) -> Entry {
        // Where nothing is compared, any template will do.
        let kind = match self.reader.options.matching {
            Matching::Never => name,
            _ => self.hasher.hash_one((name, method(beginning))),
        };
        self.shelf().take(kind, beginning, len, &self.reader)
    }

    fn put(&self, entry: Entry) {
        // What has to go is dropped when the lock is not held.
        let _gone = self.shelf().put(entry);
    }

    /// A template that has read a message.
    fn lease(&self, mut entry: Entry) -> Lease<'_> {
        let is_whole = entry.template.stats.regular > 0;
        let parted = entry.template.take_parted();
        entry.is_torn = is_whole && entry.is_tried && parted.is_none();
        if let Some(parted) = parted {
            let parted = entry.replace(parted);
            let _gone = self.shelf().part(parted);
        }
        (entry.used, entry.is_proven) = (0, !is_whole);
        Lease { templates: self, entry: Some(entry) }
    }
}

impl Deref for Lease<'_> {
    type Target = Message;

    fn deref(&self) -> &Message {
        static NOTHING: Message =
            Message { version: crate::Version::Soap11, headers: Vec::new(), body: crate::Body::NOTHING };
        // A template that is leased has a message.
        let message = self.entry.as_ref().and_then(|entry| entry.template.last());
        message.map_or(&NOTHING, |(message, _)| message)
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(entry) = self.entry.take() {
            self.templates.put(entry);
        }
    }
}
