//! Templates of many kinds of message, within a bound of memory, shared by threads.

mod arrival;
mod balance;
mod skeleton;
mod state;
pub(crate) mod template;

use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use tam::{Error, ErrorKind};

use crate::reader::Reader;
use crate::soap::envelope::Message;
use crate::stats::Stats;
use crate::templates::template::Template;

/// Places a kind of message can be kept in; as many threads can read messages of one kind side by side.
const WAYS: usize = 8;
/// Places in all.
const ENTRIES: usize = 256;

/// Templates by operation and by sending toolkit: messages that are alike come from the same program for the
/// same purpose (the paper's section 1).
///
/// Threads share it and never wait for each other: a template that is in use is passed over, and a
/// thread that finds none free reads in regular mode. What is kept stays within a bound of memory; the
/// least recently used goes first.
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
    entries: Box<[Mutex<Entry>]>,
    hasher: RandomState,
    /// Bytes that may be kept, and that are.
    bound: usize,
    kept: AtomicUsize,
    /// Counts messages, to tell which place was used last.
    clock: AtomicU64,
    /// What templates counted that are gone.
    gone: Mutex<Stats>,
}

#[derive(Debug, Default)]
struct Entry {
    kind: (String, String),
    /// Not there while it reads.
    template: Option<Box<Template>>,
    used: u64,
    kept: usize,
}

/// A message read, and the template it stands in, which is in use until this is dropped.
#[derive(Debug)]
pub struct Lease<'t> {
    templates: &'t Templates,
    held: Held<'t>,
}

#[derive(Debug)]
enum Held<'t> {
    Entry(MutexGuard<'t, Entry>),
    Own(Box<Message>),
}

/// A message on its way, and the template it is read by.
#[derive(Debug)]
pub struct Arriving<'t> {
    templates: &'t Templates,
    kind: (String, String),
    /// Taken when there is something to read, and there until the message is finished.
    template: Option<Box<Template>>,
    /// Bytes that the template kept, which count against the bound meanwhile.
    kept: usize,
    /// What has arrived before.
    waiting: Vec<u8>,
}

impl<'t> Arriving<'t> {
    /// Takes the next piece, and reads as much as there is: [`Template::feed`]. As long as less than
    /// [`Options::piece`](crate::Options::piece) bytes have arrived, other messages have the template.
    ///
    /// # Errors
    /// As [`Template::feed`].
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let options = &self.templates.reader.options;
        let most = options.piece.min(options.limits.message_bytes) as usize;
        if self.template.is_none() && self.waiting.len() + bytes.len() < most {
            self.waiting.extend_from_slice(bytes);
            return Ok(());
        }
        self.template()?.feed(bytes)
    }

    /// The template, which has taken what was waiting.
    fn template(&mut self) -> Result<&mut Template, Error> {
        let Arriving { templates, kind: (operation, toolkit), template, kept, waiting } = self;
        if template.is_none() {
            let known = templates.entry(operation, toolkit).and_then(|mut entry| {
                *kept = core::mem::take(&mut entry.kept);
                entry.template.take()
            });
            let template = template.insert(known.unwrap_or_else(|| templates.template()));
            template.feed(waiting)?;
            *waiting = Vec::new();
        }
        template.as_deref_mut().ok_or_else(nothing)
    }

    /// The message, which ends here.
    ///
    /// # Errors
    /// As [`Template::finish`].
    pub fn finish(mut self) -> Result<Lease<'t>, Error> {
        self.template()?.finish()?;
        let Some(template) = self.template.take() else { return Err(nothing()) };
        let (operation, toolkit) = &self.kind;
        let kept = core::mem::take(&mut self.kept);
        Ok(Lease { templates: self.templates, held: self.templates.put(template, kept, operation, toolkit)? })
    }
}

impl Drop for Arriving<'_> {
    fn drop(&mut self) {
        let Some(mut template) = self.template.take() else { return };
        template.give_up();
        let (operation, toolkit) = &self.kind;
        self.templates.put_back(template, self.kept, operation, toolkit);
    }
}

impl Templates {
    /// Templates that keep at most `bound` bytes between messages.
    #[must_use]
    pub fn new(reader: Reader, bound: usize) -> Templates {
        Templates {
            reader,
            entries: (0..ENTRIES).map(|_| Mutex::default()).collect(),
            hasher: RandomState::new(),
            bound,
            kept: AtomicUsize::new(0),
            clock: AtomicU64::new(0),
            gone: Mutex::default(),
        }
    }

    /// Reads a message of an operation (its `SOAPAction`, say) that a toolkit sent (its `User-Agent`). Which
    /// kind a message is said to be of decides how fast it is read, never what is read. The buffer is
    /// exchanged as in [`Template::read`].
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn read(&self, operation: &str, toolkit: &str, message: &mut Vec<u8>) -> Result<Lease<'_>, Error> {
        let mut entry = self.entry(operation, toolkit);
        let kept = entry.as_mut().and_then(|entry| entry.template.take());
        let mut template = kept.unwrap_or_else(|| self.template());
        let read = template.read(message).map(drop);
        let held = match (read, entry) {
            (Ok(()), Some(entry)) => self.held(entry, template),
            (Ok(()), None) => self.put(template, 0, operation, toolkit)?,
            (Err(error), Some(mut entry)) => {
                entry.template = Some(template);
                self.settle(&mut entry);
                return Err(error);
            }
            (Err(error), None) => {
                self.put_back(template, 0, operation, toolkit);
                return Err(error);
            }
        };
        Ok(Lease { templates: self, held })
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
        let kind = (operation.to_owned(), toolkit.to_owned());
        Arriving { templates: self, kind, template: None, kept: 0, waiting: Vec::new() }
    }

    /// What all templates counted, those that are gone as well, and the memory kept. Templates in use are
    /// left out.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut all = *self.gone();
        for entry in self.entries.iter().filter_map(free) {
            all += entry.template.as_deref().map(Template::stats).unwrap_or_default();
        }
        all
    }

    fn gone(&self) -> MutexGuard<'_, Stats> {
        self.gone.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn template(&self) -> Box<Template> {
        Box::new(Template::new(self.reader.clone()))
    }

    /// A place that has a template of a kind of message.
    fn entry(&self, operation: &str, toolkit: &str) -> Option<MutexGuard<'_, Entry>> {
        let is_mine = |entry: &MutexGuard<'_, Entry>| entry.kind.0 == operation && entry.kind.1 == toolkit;
        self.ways(operation, toolkit).filter_map(free).find(|entry| entry.template.is_some() && is_mine(entry))
    }

    /// The place for a kind of message that is empty, or was used least recently.
    fn oldest(&self, operation: &str, toolkit: &str) -> Option<MutexGuard<'_, Entry>> {
        let mut oldest: Option<MutexGuard<'_, Entry>> = None;
        for entry in self.ways(operation, toolkit).filter_map(free) {
            let age = |entry: &MutexGuard<'_, Entry>| entry.template.as_ref().map(|_| entry.used);
            if oldest.as_ref().is_none_or(|oldest| age(&entry) < age(oldest)) {
                oldest = Some(entry);
            }
        }
        oldest
    }

    /// Leaves a template that has a message, and of which `kept` bytes are counted, in a place for its kind, if one is free;
    /// the message otherwise.
    fn put<'t>(
        &'t self,
        template: Box<Template>,
        kept: usize,
        operation: &str,
        toolkit: &str,
    ) -> Result<Held<'t>, Error> {
        let Some(mut entry) = self.oldest(operation, toolkit) else {
            self.kept.fetch_sub(kept, Ordering::Relaxed);
            *self.gone() += Stats { memory: 0, ..template.counts() };
            let message = template.into_message().ok_or_else(nothing)?;
            return Ok(Held::Own(Box::new(message)));
        };
        self.forget(&mut entry);
        entry.kind = (operation.to_owned(), toolkit.to_owned());
        entry.kept = kept;
        Ok(self.held(entry, template))
    }

    fn held<'t>(&self, mut entry: MutexGuard<'t, Entry>, template: Box<Template>) -> Held<'t> {
        entry.used = self.clock.fetch_add(1, Ordering::Relaxed);
        entry.template = Some(template);
        Held::Entry(entry)
    }

    /// Leaves a template that has refused a message where it was, unless it has no message.
    fn put_back(&self, template: Box<Template>, kept: usize, operation: &str, toolkit: &str) {
        if template.state.is_none() {
            self.kept.fetch_sub(kept, Ordering::Relaxed);
            *self.gone() += Stats { memory: 0, ..template.counts() };
        } else if let Ok(Held::Entry(mut entry)) = self.put(template, kept, operation, toolkit) {
            self.settle(&mut entry);
        }
    }

    /// Takes the template out of a place; the bytes that were kept there.
    fn forget(&self, entry: &mut Entry) -> usize {
        if let Some(template) = entry.template.take() {
            *self.gone() += Stats { memory: 0, ..template.counts() };
        }
        entry.kind = Default::default();
        let freed = core::mem::take(&mut entry.kept);
        self.kept.fetch_sub(freed, Ordering::Relaxed);
        freed
    }

    fn ways(&self, operation: &str, toolkit: &str) -> impl Iterator<Item = &Mutex<Entry>> {
        let first = self.hasher.hash_one((operation, toolkit)) as usize;
        (0..WAYS).filter_map(move |way| self.entries.get((first.wrapping_add(way)) % ENTRIES))
    }

    /// Keeps to the bound, after a place has been used.
    fn settle(&self, entry: &mut Entry) {
        let (operation, toolkit) = &entry.kind;
        let names = operation.capacity() + toolkit.capacity();
        let now = entry.template.as_ref().map_or(0, |template| template.kept() + names);
        let before = core::mem::replace(&mut entry.kept, now);
        let all = self.kept.fetch_add(now, Ordering::Relaxed) + now;
        self.kept.fetch_sub(before, Ordering::Relaxed);
        let mut excess = (all - before.min(all)).saturating_sub(self.bound);
        while excess > 0 {
            // The place at hand is locked, so it is not found here: it goes last.
            let others = self.entries.iter().filter_map(free).filter(|other| other.kept > 0);
            let freed = match others.min_by_key(|other| other.used) {
                Some(mut oldest) => self.forget(&mut oldest),
                None => self.forget(entry),
            };
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

/// The place, if nobody uses it. One whose user panicked is as good as before: its template is elsewhere while it reads.
fn free(entry: &Mutex<Entry>) -> Option<MutexGuard<'_, Entry>> {
    match entry.try_lock() {
        Ok(entry) => Some(entry),
        Err(TryLockError::Poisoned(poisoned)) => {
            entry.clear_poison();
            Some(poisoned.into_inner())
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
            Held::Entry(entry) => {
                entry.template.as_deref().and_then(Template::last).map_or(&NOTHING, |(message, _)| message)
            }
        }
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Held::Entry(entry) = &mut self.held {
            self.templates.settle(entry);
        }
    }
}
