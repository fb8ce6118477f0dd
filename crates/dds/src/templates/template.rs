//! A template: the last message of a kind, and what was read from it.

use tam::{Error, ErrorKind, Words};

use crate::checkpoints::BEGINNING;
use crate::pool::Pool;
use crate::reader::Reader;
use crate::soap::envelope::{Body, Message};
use crate::stats::Stats;
use crate::templates::balance::Balance;
use crate::templates::skeleton;
use crate::templates::state::{Arrival, State};
use crate::trace::Part;

/// Reads a stream of similar messages, each by how it differs from the one before.
///
/// Whatever arrives, the result is that of [`Reader::read`], value for value and error for error: bytes
/// are compared, unless [`Options::matching`](crate::Options::matching) asks for hashes. A template keeps the message
/// before, by exchanging buffers with the caller, and for every item of an array a byte with its length (two if some are
/// longer than 255).
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_dds::{Member, Options, Reader, Schema, Simple, Style, Template};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut schema = Schema::new();
/// let int = schema.simple(Simple::Int);
/// let parameters = schema.parameters([Member::new("start", int)]);
/// schema.method("urn:example", "search", parameters, Style::Encoded);
///
/// let mut template = Template::new(Reader::new(schema, &Options::default()));
/// let mut buffer = Vec::new();
/// for start in 0..10 {
///     buffer.extend_from_slice(br#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>"#);
///     buffer.extend_from_slice(br#"<s:search xmlns:s="urn:example"><start>"#);
///     buffer.extend_from_slice(start.to_string().as_bytes());
///     buffer.extend_from_slice(b"</start></s:search></e:Body></e:Envelope>");
///     let message = template.read(&mut buffer)?;
///     assert_eq!(message.value().and_then(|value| value.member(0)), Some(&lengthwise_dds::Value::Int(start)));
/// }
/// assert_eq!(template.stats().regular, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Template {
    pub(crate) reader: Reader,
    /// The message before, empty if there is none.
    pub(crate) last: Vec<u8>,
    pub(crate) state: Option<State>,
    /// The message that is arriving, and what has become of it.
    pub(crate) arriving: Vec<u8>,
    pub(crate) arrival: Arrival,
    pub(crate) pool: Pool,
    pub(crate) stats: Stats,
    /// Bytes of memory kept beside the messages' own, as they were counted last; how long the message was then, and whether
    /// that still holds.
    beside: usize,
    counted_len: usize,
    pub(crate) is_counted: bool,
    pub(crate) balance: Balance,
    /// Whether a message that is too different is to leave the last one, and what was left.
    pub(crate) parts: bool,
    parted: Option<Box<(State, Vec<u8>)>>,
}

impl Template {
    /// A template without a message.
    #[must_use]
    pub fn new(reader: Reader) -> Template {
        Template {
            reader,
            last: Vec::new(),
            state: None,
            arriving: Vec::new(),
            arrival: Arrival::default(),
            pool: Pool::default(),
            stats: Stats::default(),
            beside: 0,
            counted_len: 0,
            is_counted: false,
            balance: Balance::default(),
            parts: false,
            parted: None,
        }
    }

    /// Reads the next message. It is kept, and the buffer of the one before it is given back in its place,
    /// without contents; where hashes are compared, its own. What has been fed and not finished is forgotten.
    ///
    /// # Errors
    /// As [`Reader::read`]. The message is given back as it was, and the template is as it was before; by hashes it may have
    /// forgotten the message it was compared with.
    pub fn read(&mut self, message: &mut Vec<u8>) -> Result<&Message, Error> {
        self.forget_arrival();
        core::mem::swap(&mut self.arriving, message);
        match self.read_arrived() {
            Ok(()) => {
                self.keep();
                core::mem::swap(&mut self.arriving, message);
                message.clear();
                self.message()
            }
            Err(error) => {
                core::mem::swap(&mut self.arriving, message);
                Err(error)
            }
        }
    }

    /// Takes the next piece of a message, and reads as much of it as there is: so a message is read while it
    /// arrives. Pieces may end anywhere; reading goes on whenever [`Options::piece`](crate::Options::piece) bytes
    /// are waiting. An array that nobody counts (SOAP's encoding does) is compared with the one before
    /// when all of it is there.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_dds::{Member, Options, Reader, Schema, Simple, Style, Template};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let mut schema = Schema::new();
    /// let int = schema.simple(Simple::Int);
    /// let parameters = schema.parameters([Member::new("start", int)]);
    /// schema.method("urn:example", "search", parameters, Style::Encoded);
    ///
    /// let mut template = Template::new(Reader::new(schema, &Options::default()));
    /// let pieces = [r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Bo"#,
    ///     r#"dy><s:search xmlns:s="urn:example"><start>1"#, "2</start></s:search></e:Body></e:Envelope>"];
    /// for piece in pieces {
    ///     template.feed(piece.as_bytes())?;
    /// }
    /// let message = template.finish()?;
    /// assert_eq!(message.value().and_then(|value| value.member(0)), Some(&lengthwise_dds::Value::Int(12)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the message has become longer than the limit `message_bytes`: it is forgotten. What else is wrong
    /// with a message is reported when it is finished.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let limit = self.reader.options.limits.message_bytes;
        let len = self.arriving.len() as u64 + bytes.len() as u64;
        if len > u64::from(limit) {
            self.forget_arrival();
            self.arriving = Vec::new();
            self.stats.errors += 1;
            let found = Words::Count(len, "bytes");
            return Err(Error::limit("soap", limit.into(), found, "message_bytes", limit.into()));
        }
        self.arriving.extend_from_slice(bytes);
        self.read_on();
        Ok(())
    }

    /// The message whose pieces have been fed, which ends here. The template keeps it.
    ///
    /// # Errors
    /// As [`Reader::read`] of all pieces together. The message is forgotten, and the template is as it was before, as with
    /// [`Template::read`].
    pub fn finish(&mut self) -> Result<&Message, Error> {
        let read = self.read_arrived();
        if read.is_ok() {
            self.keep();
        }
        self.arriving.clear();
        read?;
        self.message()
    }

    /// Reads the message that has arrived as a whole.
    fn read_arrived(&mut self) -> Result<(), Error> {
        self.stats.messages += 1;
        self.stats.bytes += self.arriving.len() as u64;
        self.read_rest().inspect_err(|_| self.stats.errors += 1)
    }

    /// Keeps of the message that has been read what the next one is compared with.
    fn keep(&mut self) {
        let Some(state) = &mut self.state else { return };
        state.len = self.arriving.len();
        match (&self.reader.hasher, &mut state.places, &state.message.body) {
            (Some(hasher), Some((.., trace)), _) => {
                // Where no try can be afforded the next message is not compared, and this one need not be hashed.
                let hasher = self.balance.allows().then_some(hasher);
                skeleton::keep(&self.arriving, trace, hasher, &mut self.last);
            }
            (Some(hasher), None, body) => {
                state.hashes.clear();
                state.hashes.extend(hasher.whole(&self.arriving));
                self.last.clear();
                if let Body::Fault(_) = body {
                    core::mem::swap(&mut self.last, &mut self.arriving);
                }
            }
            (None, ..) => core::mem::swap(&mut self.last, &mut self.arriving),
        }
    }

    fn message(&mut self) -> Result<&Message, Error> {
        let len = self.message_len();
        // Values take no more memory than bytes of the message, but for the texts of an array that has grown.
        if !self.is_counted
            || len.abs_diff(self.counted_len) > self.counted_len / 16
            || self.stats.messages.is_multiple_of(64)
        {
            (self.beside, self.counted_len, self.is_counted) = (self.beside(), len, true);
        }
        match &self.state {
            Some(state) => Ok(&state.message),
            None => Err(Error::new(ErrorKind::Syntax, "soap", 0, "nothing", "a message")),
        }
    }

    /// Forgets what has been fed and not finished.
    pub fn give_up(&mut self) {
        self.forget_arrival();
    }

    /// The message read last, and its bytes; where hashes are compared, those that are in no array, and of a message
    /// read by way of a tree none, unless it is a fault. Header blocks are where they were.
    #[must_use]
    pub fn last(&self) -> Option<(&Message, &[u8])> {
        self.state.as_ref().map(|state| (&state.message, self.last.as_slice()))
    }

    /// What differencing was worth so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats { memory: (self.buffers() + self.beside()) as u64, ..self.stats }
    }

    /// About how much memory is kept, in bytes.
    pub(crate) fn kept(&self) -> usize {
        self.buffers() + self.beside
    }

    fn buffers(&self) -> usize {
        size_of::<Template>() + self.last.capacity() + self.arriving.capacity()
    }

    /// Bytes of memory kept beside messages.
    fn beside(&self) -> usize {
        let state = self.state.as_ref().map_or(0, |state| {
            let places = state.places.as_ref().map_or(0, |(_, scope, trace)| scope.bytes() + trace.bytes());
            state.message.bytes() + places + state.hashes.capacity() * size_of::<u64>()
        });
        state + self.pool.bytes()
    }

    /// A message was read whole: the memory kept is counted anew.
    pub(crate) fn has_read_whole(&mut self, state: State) {
        if self.parts && self.state.is_some() {
            self.undo_arrival();
            let last = self.state.take().filter(|last| last.places.is_some());
            self.parted = last.map(|state| Box::new((state, core::mem::take(&mut self.last))));
        }
        self.state = Some(state);
        self.pool.trim();
        self.is_counted = false;
    }

    /// The last message but one, if it was left, in a template of its own.
    pub(crate) fn take_parted(&mut self) -> Option<Box<Template>> {
        let (state, last) = *self.parted.take()?;
        let mut parted = Template::new(self.reader.clone());
        (parted.state, parted.last, parted.balance) = (Some(state), last, self.balance);
        parted.beside = parted.beside();
        Some(Box::new(parted))
    }

    /// Bytes of the last message.
    pub(crate) fn message_len(&self) -> usize {
        self.state.as_ref().map_or(0, |state| state.len)
    }

    /// Takes all memory back from the last message.
    pub(crate) fn forget(&mut self) {
        let Some(state) = self.state.take() else { return };
        if let Body::Call { value, .. } = state.message.body {
            self.pool.keep(value);
        }
        if let Some((.., trace)) = state.places {
            self.pool.keep_trace(trace);
        }
    }
}

impl Template {
    /// The beginning of its message, as far as the bytes are kept.
    pub(crate) fn beginning(&self) -> &[u8] {
        let mut end = self.last.len().min(BEGINNING);
        // By hashes, the bytes of arrays are left out.
        if self.reader.hasher.is_some()
            && let Some((.., trace)) = self.state.as_ref().and_then(|state| state.places.as_ref())
            && let Some(Part::Run(run)) = trace.parts.iter().find(|part| matches!(part, Part::Run(_)))
        {
            end = end.min(run.start);
        }
        &self.last[..end]
    }
}
