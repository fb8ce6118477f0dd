//! Regular mode for callers.

use std::sync::Arc;

use tam::Error;

use crate::hash::Hasher;
use crate::options::{Matching, Options};
use crate::plain;
use crate::pool::Pool;
use crate::regular::{self, Context, Reading};
use crate::schema::Schema;
use crate::schema::compiled::Compiled;
use crate::soap::envelope::{Body, Message};

/// Reads messages of a service, each by itself.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_dds::{Member, Options, Reader, Schema, Simple, Style};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut schema = Schema::new();
/// let int = schema.simple(Simple::Int);
/// let ints = schema.array(int);
/// let parameters = schema.parameters([Member::new("data", ints)]);
/// schema.method("urn:example", "sendInts", parameters, Style::Encoded);
///
/// let message = br#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"
///     xmlns:c="http://schemas.xmlsoap.org/soap/encoding/" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
///   <s:Body><m:sendInts xmlns:m="urn:example"><data c:arrayType="xsd:int[3]">
///     <item>3</item><item>5</item><item>8</item></data></m:sendInts></s:Body></s:Envelope>"#;
/// let message = Reader::new(schema, &Options::default()).read(message)?;
/// let data = message.value().and_then(|value| value.member(0)?.as_array());
/// assert_eq!(data.and_then(|data| data.as_ints()), Some(&[3, 5, 8][..]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Reader {
    pub(crate) schema: Arc<Compiled>,
    pub(crate) options: Options,
    /// Hashes portions, unless their bytes are kept.
    pub(crate) hasher: Option<Hasher>,
}

impl Reader {
    /// A reader of the messages of a schema.
    #[must_use]
    pub fn new(schema: Schema, options: &Options) -> Reader {
        let mut options = *options;
        let hasher = Hasher::new(options.matching).unwrap_or_else(|()| {
            options.matching = Matching::Never;
            None
        });
        Reader { schema: Arc::new(Compiled::new(schema)), options, hasher }
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema.schema
    }

    /// Reads one message.
    ///
    /// # Errors
    /// When it is not well-formed XML (kind syntax), ends early (incomplete), is no SOAP message or not
    /// of the schema (schema), has a DOCTYPE, an instruction or what else is not read (unsupported), or
    /// exceeds a limit.
    pub fn read(&self, message: &[u8]) -> Result<Message, Error> {
        match self.read_fast(message, &mut Pool::default()) {
            Some(reading) => Ok(message_of(reading)),
            None => self.read_plainly(message),
        }
    }

    /// Reads one message by way of a tree: the plain twin of [`Reader::read`], equal to it in value and
    /// in error, and slower. For tests, and to find out what the fast way is worth.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn read_plainly(&self, message: &[u8]) -> Result<Message, Error> {
        plain::read(message, &self.schema.schema, &self.options)
    }

    /// Whether a message is read in one pass, rather than by way of a tree: whether it is sound, and
    /// refers to no other elements, and has nothing in it that toolkits do not write.
    #[must_use]
    pub fn is_read_in_one_pass(&self, message: &[u8]) -> bool {
        self.read_fast(message, &mut Pool::default()).is_some()
    }

    pub(crate) fn context<'r>(&'r self, pool: &'r mut Pool) -> Context<'r> {
        let (limits, portion) = (&self.options.limits, self.options.portion());
        Context { schema: &self.schema, limits, portion, keeps_lens: self.hasher.is_none(), pool, old: None }
    }

    pub(crate) fn read_fast(&self, message: &[u8], pool: &mut Pool) -> Option<Reading> {
        regular::read(message, &mut self.context(pool)).ok()
    }
}

/// What a reading says, without where.
pub(crate) fn message_of(reading: Reading) -> Message {
    let body = Body::Call { method: reading.method, value: reading.value };
    Message { version: reading.head.version, headers: reading.head.headers, body }
}
