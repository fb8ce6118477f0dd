//! A template: the last message of a kind, and what was read from it.

use tam::{Error, ErrorKind};

use crate::differ::{self, Last};
use crate::envelope::{Body, Message};
use crate::head::Head;
use crate::options::Matching;
use crate::plain;
use crate::pool::Pool;
use crate::reader::Reader;
use crate::regular::Reading;
use crate::scope::Scope;
use crate::stats::Stats;
use crate::trace::Trace;

/// Reads a stream of similar messages, each by how it differs from the one before.
///
/// Whatever arrives, the result is that of [`Reader::read`], value for value and error for error: bytes
/// are compared, not their checksums. A template keeps the message before, by exchanging buffers with
/// the caller, and for every item of an array two bytes that tell where it ends.
///
/// ```
/// use dds::{Member, Options, Reader, Schema, Simple, Style, Template};
///
/// # fn main() -> Result<(), tam::Error> {
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
///     assert_eq!(message.value().and_then(|value| value.member(0)), Some(&dds::Value::Int(start)));
/// }
/// assert_eq!(template.stats().regular, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Template {
    reader: Reader,
    /// The message before, empty if there is none.
    last: Vec<u8>,
    state: Option<State>,
    pool: Pool,
    stats: Stats,
    /// Bytes of memory kept, as of the last message that was read whole, or a few since.
    kept: usize,
    balance: Balance,
}

#[derive(Debug)]
struct State {
    message: Message,
    /// Where everything stood, unless the message was read by way of a tree.
    places: Option<(Head, Scope, Trace)>,
}

impl Template {
    /// A template without a message.
    #[must_use]
    pub fn new(reader: Reader) -> Template {
        Template {
            reader,
            last: Vec::new(),
            state: None,
            pool: Pool::default(),
            stats: Stats::default(),
            kept: 0,
            balance: Balance::default(),
        }
    }

    /// Reads the next message. It is kept, and the buffer of the one before it is given back in its place,
    /// without contents.
    ///
    /// # Errors
    /// As [`Reader::read`]. The message is given back as it was, and the template may have forgotten what
    /// it knew.
    pub fn read(&mut self, message: &mut Vec<u8>) -> Result<&Message, Error> {
        self.stats.messages += 1;
        self.stats.bytes += message.len() as u64;
        if !self.differ(message) {
            let state = self.read_whole(message).inspect_err(|_| self.stats.errors += 1)?;
            self.state = Some(state);
            self.kept = 0;
        }
        core::mem::swap(&mut self.last, message);
        message.clear();
        if self.kept == 0 || self.stats.messages.is_multiple_of(64) {
            self.kept = self.memory();
        }
        match &self.state {
            Some(state) => Ok(&state.message),
            None => Err(Error::new(ErrorKind::Syntax, "soap", 0, "nothing", "a message")),
        }
    }

    /// The message read last, and its bytes.
    #[must_use]
    pub fn last(&self) -> Option<(&Message, &[u8])> {
        self.state.as_ref().map(|state| (&state.message, self.last.as_slice()))
    }

    /// What differencing was worth so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats { memory: self.memory() as u64, ..self.stats }
    }

    /// The counts alone.
    pub(crate) fn counts(&self) -> Stats {
        self.stats
    }

    /// About how much memory is kept, in bytes.
    pub(crate) fn kept(&self) -> usize {
        self.kept
    }

    /// Bytes of memory kept.
    fn memory(&self) -> usize {
        let state = self.state.as_ref().map_or(0, |state| {
            let value = state.message.value().map_or(0, crate::Value::bytes);
            value + state.places.as_ref().map_or(0, |(.., trace)| trace.bytes())
        });
        self.last.capacity() + state + self.pool.bytes()
    }

    /// Tries to have the message from the one before.
    fn differ(&mut self, new: &[u8]) -> bool {
        if self.reader.options.matching == Matching::Never {
            return false;
        }
        let Some(state) = &mut self.state else { return false };
        let places = match (&mut state.places, &mut state.message.body) {
            (Some(places), Body::Call { value, .. }) => Some((places, value)),
            _ => None,
        };
        let Some(((head, scope, trace), value)) = places else {
            let is_same = self.last == new;
            self.stats.bytes_skipped += if is_same { new.len() as u64 } else { 0 };
            return is_same;
        };
        if !self.balance.allows() {
            return false;
        }
        let mut last = Last { message: &self.last, head, scope, trace, value };
        let Reader { schema, options } = &self.reader;
        match differ::update(&mut last, new, schema, options, &mut self.pool, &mut self.stats) {
            Ok(read) => {
                if state.message.headers != head.headers {
                    state.message.headers.clone_from(&head.headers);
                }
                self.stats.bytes_skipped += (new.len() - read.min(new.len())) as u64;
                self.balance.succeeded(new.len(), read);
                true
            }
            Err(different) => {
                self.balance.failed(different.wasted);
                if different.touched {
                    self.forget();
                }
                false
            }
        }
    }

    fn read_whole(&mut self, message: &[u8]) -> Result<State, Error> {
        self.stats.regular += 1;
        self.balance.read(message.len());
        // The memory of what is there is used again; an error leaves nothing to compare with.
        self.forget();
        let Reader { schema, options } = &self.reader;
        Ok(match self.reader.read_fast(message, &mut self.pool) {
            Some(Reading { head, scope, method, value, trace }) => {
                let message = Message {
                    version: head.version,
                    headers: head.headers.clone(),
                    body: Body::Call { method, value },
                };
                State { message, places: Some((head, scope, trace)) }
            }
            None => State { message: plain::read(message, &schema.schema, options)?, places: None },
        })
    }

    /// Takes all memory back from the last message.
    fn forget(&mut self) {
        let Some(state) = self.state.take() else { return };
        if let Body::Call { value, .. } = state.message.body {
            self.pool.keep(value);
        }
        if let Some((.., trace)) = state.places {
            self.pool.keep_trace(trace);
        }
    }
}

/// What differencing has saved and cost, in bytes of regular mode: messages that only look alike, or that
/// differ nearly everywhere, must not cost much above regular mode in the long run.
#[derive(Debug, Default)]
struct Balance(i64);

impl Balance {
    /// Whether another try can be afforded.
    fn allows(&self) -> bool {
        self.0 >= 0
    }

    /// Comparing costs a sixteenth of reading, and values that differ cost a quarter more than others,
    /// when memory is slow.
    fn succeeded(&mut self, len: usize, read: usize) {
        let cost = len / 16 + read + read / 4;
        self.0 = (self.0 + len as i64 - cost as i64).min(len as i64);
    }

    fn failed(&mut self, wasted: usize) {
        self.0 -= (wasted + wasted / 4) as i64;
    }

    /// A message was read whole, which brings what trying may cost: a part in 32.
    fn read(&mut self, len: usize) {
        self.0 = (self.0 + (len / 32) as i64).min(len as i64);
    }
}
