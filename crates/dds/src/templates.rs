//! Templates of many kinds of message, within a bound of memory, shared by threads.

use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

use tam::{Error, ErrorKind};

use crate::envelope::Message;
use crate::reader::Reader;
use crate::stats::Stats;
use crate::template::Template;

/// Places a kind of message can be kept in; as many threads can read messages of one kind side by side.
const WAYS: usize = 8;
/// Places in all.
const PLACES: usize = 256;

/// Templates by operation and by sending toolkit: messages that are alike come from the same program for the
/// same purpose (the paper's section 1).
///
/// Threads share it and never wait for each other: a template that is in use is passed over, and a
/// thread that finds none free reads in regular mode. What is kept stays within a bound of memory; the
/// least recently used goes first.
///
/// ```
/// use dds::{Member, Options, Reader, Schema, Simple, Style, Templates};
///
/// # fn main() -> Result<(), tam::Error> {
/// let mut schema = Schema::new();
/// let int = schema.simple(Simple::Int);
/// let parameters = schema.parameters([Member::new("start", int)]);
/// schema.method("urn:example", "search", parameters, Style::Encoded);
/// let templates = Templates::new(Reader::new(schema, &Options::default()), 64 << 20);
///
/// let message = br#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
///     <s:search xmlns:s="urn:example"><start>7</start></s:search></e:Body></e:Envelope>"#;
/// for _ in 0..3 {
///     let mut buffer = message.to_vec();
///     let message = templates.read("search", "gSOAP/2.8", &mut buffer)?;
///     assert!(message.value().is_some());
/// }
/// assert_eq!(templates.stats().regular, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Templates {
    reader: Reader,
    places: Box<[Mutex<Place>]>,
    hasher: RandomState,
    /// Bytes that may be kept, and that are.
    bound: usize,
    kept: AtomicUsize,
    /// Counts messages, to tell which place was used last.
    clock: AtomicU64,
}

#[derive(Debug, Default)]
struct Place {
    kind: (String, String),
    template: Option<Template>,
    used: u64,
    kept: usize,
    /// What templates counted that are gone.
    gone: Stats,
}

impl Place {
    fn forget(&mut self) -> usize {
        if let Some(template) = self.template.take() {
            self.gone += Stats { memory: 0, ..template.counts() };
        }
        core::mem::take(&mut self.kept)
    }
}

/// A message read, and the template it stands in, which is in use until this is dropped.
#[derive(Debug)]
pub struct Lease<'t> {
    templates: &'t Templates,
    held: Held<'t>,
}

#[derive(Debug)]
enum Held<'t> {
    Place(MutexGuard<'t, Place>),
    Own(Box<Message>),
}

/// A message on its way, and the template it is read by.
#[derive(Debug)]
pub struct Arriving<'t> {
    templates: &'t Templates,
    kind: (String, String),
    /// There until the message is finished.
    template: Option<Template>,
}

impl<'t> Arriving<'t> {
    /// Takes the next piece, and reads as much as there is: [`Template::feed`].
    ///
    /// # Errors
    /// As [`Template::feed`].
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.template.as_mut().map_or(Ok(()), |template| template.feed(bytes))
    }

    /// The message, which ends here.
    ///
    /// # Errors
    /// As [`Template::finish`].
    pub fn finish(mut self) -> Result<Lease<'t>, Error> {
        let Some(template) = &mut self.template else { return Err(nothing()) };
        template.finish()?;
        let held = match self.put_back() {
            Some(place) => Held::Place(place),
            None => {
                let message = self.template.take().and_then(Template::into_message);
                Held::Own(Box::new(message.ok_or_else(nothing)?))
            }
        };
        Ok(Lease { templates: self.templates, held })
    }

    /// Leaves the template in a place of its kind, if one is free.
    fn put_back(&mut self) -> Option<MutexGuard<'t, Place>> {
        let (operation, toolkit) = &self.kind;
        let mut place = self.templates.oldest(operation, toolkit)?;
        self.templates.empty(&mut place, operation, toolkit);
        place.template = self.template.take();
        place.used = self.templates.clock.fetch_add(1, Ordering::Relaxed);
        Some(place)
    }
}

impl Drop for Arriving<'_> {
    fn drop(&mut self) {
        let Some(template) = &mut self.template else { return };
        template.give_up();
        let templates = self.templates;
        if let Some(mut place) = self.put_back() {
            templates.settle(&mut place);
        }
    }
}

impl Templates {
    /// Templates that keep at most `bound` bytes between messages.
    #[must_use]
    pub fn new(reader: Reader, bound: usize) -> Templates {
        Templates {
            reader,
            places: (0..PLACES).map(|_| Mutex::default()).collect(),
            hasher: RandomState::new(),
            bound,
            kept: AtomicUsize::new(0),
            clock: AtomicU64::new(0),
        }
    }

    /// Reads a message of an operation (its `SOAPAction`, say) that a toolkit sent (its `User-Agent`). Which
    /// kind a message is said to be of decides how fast it is read, never what is read. The buffer is
    /// exchanged as in [`Template::read`].
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn read(&self, operation: &str, toolkit: &str, message: &mut Vec<u8>) -> Result<Lease<'_>, Error> {
        let Some(mut place) = self.place(operation, toolkit) else {
            let read = Box::new(self.reader.read(message)?);
            message.clear();
            return Ok(Lease { templates: self, held: Held::Own(read) });
        };
        place.used = self.clock.fetch_add(1, Ordering::Relaxed);
        let template = place.template.get_or_insert_with(|| Template::new(self.reader.clone()));
        template.read(message)?;
        Ok(Lease { templates: self, held: Held::Place(place) })
    }

    /// A message of an operation that a toolkit sends, which arrives in pieces. Its template is its own until the
    /// message is finished or given up; no lock is held meanwhile, and it may go from thread to thread.
    ///
    /// ```
    /// # use dds::{Member, Options, Reader, Schema, Simple, Style, Templates};
    /// # fn main() -> Result<(), tam::Error> {
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
    /// assert_eq!(message.value().and_then(|value| value.member(0)), Some(&dds::Value::Int(7)));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn arriving(&self, operation: &str, toolkit: &str) -> Arriving<'_> {
        let template = self.place(operation, toolkit).and_then(|mut place| {
            self.kept.fetch_sub(core::mem::take(&mut place.kept), Ordering::Relaxed);
            place.template.take()
        });
        let template = template.unwrap_or_else(|| Template::new(self.reader.clone()));
        Arriving { templates: self, kind: (operation.to_owned(), toolkit.to_owned()), template: Some(template) }
    }

    /// What all templates counted, those that are gone as well, and the memory kept. Templates in use are
    /// left out.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut all = Stats::default();
        for place in self.places.iter().filter_map(free) {
            all += place.gone;
            all += place.template.as_ref().map(Template::stats).unwrap_or_default();
        }
        all
    }

    /// The place of a kind of message, another one that is free, or the one used least recently.
    fn place(&self, operation: &str, toolkit: &str) -> Option<MutexGuard<'_, Place>> {
        let is_mine = |place: &MutexGuard<'_, Place>| place.kind.0 == operation && place.kind.1 == toolkit;
        let mut ways = self.ways(operation, toolkit).filter_map(free);
        if let Some(place) = ways.find(|place| place.template.is_some() && is_mine(place)) {
            return Some(place);
        }
        let mut place = self.oldest(operation, toolkit)?;
        self.empty(&mut place, operation, toolkit);
        Some(place)
    }

    /// The place for a kind of message that is empty, or was used least recently.
    fn oldest(&self, operation: &str, toolkit: &str) -> Option<MutexGuard<'_, Place>> {
        let mut oldest: Option<MutexGuard<'_, Place>> = None;
        for place in self.ways(operation, toolkit).filter_map(free) {
            let age = |place: &MutexGuard<'_, Place>| place.template.as_ref().map(|_| place.used);
            if oldest.as_ref().is_none_or(|oldest| age(&place) < age(oldest)) {
                oldest = Some(place);
            }
        }
        oldest
    }

    /// Makes a place one of another kind, without a template.
    fn empty(&self, place: &mut Place, operation: &str, toolkit: &str) {
        self.kept.fetch_sub(place.forget(), Ordering::Relaxed);
        place.kind = (operation.to_owned(), toolkit.to_owned());
    }

    fn ways(&self, operation: &str, toolkit: &str) -> impl Iterator<Item = &Mutex<Place>> {
        let first = self.hasher.hash_one((operation, toolkit)) as usize;
        (0..WAYS).filter_map(move |way| self.places.get((first.wrapping_add(way)) % PLACES))
    }

    /// Keeps to the bound, after a place has been used.
    fn settle(&self, place: &mut Place) {
        let now = place.template.as_ref().map_or(0, Template::kept);
        let before = core::mem::replace(&mut place.kept, now);
        let all = self.kept.fetch_add(now, Ordering::Relaxed) + now;
        self.kept.fetch_sub(before, Ordering::Relaxed);
        let mut excess = (all - before.min(all)).saturating_sub(self.bound);
        while excess > 0 {
            // The place at hand is locked, so it is not found here: it goes last.
            let others = self.places.iter().filter_map(free).filter(|other| other.kept > 0);
            let freed = match others.min_by_key(|other| other.used) {
                Some(mut oldest) => oldest.forget(),
                None => place.forget(),
            };
            self.kept.fetch_sub(freed, Ordering::Relaxed);
            if freed == 0 {
                return;
            }
            excess = excess.saturating_sub(freed);
        }
    }
}

fn nothing() -> Error {
    Error::new(ErrorKind::Syntax, "soap", 0, "nothing", "a message")
}

/// The place, if nobody uses it. One whose user panicked is as it was left: its template is not used again.
fn free(place: &Mutex<Place>) -> Option<MutexGuard<'_, Place>> {
    match place.try_lock() {
        Ok(place) => Some(place),
        Err(TryLockError::Poisoned(poisoned)) => {
            let mut inner = poisoned.into_inner();
            inner.template = None;
            Some(inner)
        }
        Err(TryLockError::WouldBlock) => None,
    }
}

impl Deref for Lease<'_> {
    type Target = Message;

    fn deref(&self) -> &Message {
        static NOTHING: Message =
            Message { version: crate::Version::Soap11, headers: Vec::new(), body: crate::Body::NOTHING };
        match &self.held {
            Held::Own(message) => message,
            // A place that is leased has a message.
            Held::Place(place) => {
                place.template.as_ref().and_then(Template::last).map_or(&NOTHING, |(message, _)| message)
            }
        }
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Held::Place(place) = &mut self.held {
            self.templates.settle(place);
        }
    }
}
