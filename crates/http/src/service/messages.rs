//! What reads the messages of a service.

use dds::{Arriving, Message, Reader, Stats, Templates, Version};
use tam::Error;

use crate::service::Settings;

/// Reads messages, each by those that came before: [`dds::Templates`] for SOAP's encoding and typed arrays,
/// [`Literal`](crate::service::Literal) for all that an XML Schema describes.
pub trait Messages: Sized + Send + Sync + 'static {
    /// What is read by.
    type Reader;
    /// A message that has been read.
    type Message<'m>;
    /// A message that is arriving.
    type Arriving<'t>: Send
    where
        Self: 't;

    /// Reads by a reader, with the memory and the limits of settings.
    fn new(reader: Self::Reader, settings: &Settings) -> Self;

    /// A message begins to arrive: with its SOAPAction, the sender's toolkit, and its bytes, if they are known.
    fn arriving(&self, action: &str, toolkit: &str, len: Option<usize>) -> Self::Arriving<'_>;

    /// The next piece of a message.
    ///
    /// # Errors
    /// When it is longer than a message may be.
    fn feed(arriving: &mut Self::Arriving<'_>, piece: &[u8]) -> Result<(), Error>;

    /// Reads a message that has arrived, and passes it on.
    ///
    /// # Errors
    /// When it is not one of the service.
    fn finish<R>(arriving: Self::Arriving<'_>, then: impl FnOnce(Received<Self::Message<'_>>) -> R)
    -> Result<R, Error>;

    /// What differencing was worth so far.
    fn stats(&self) -> Stats;
}

/// A message that has arrived.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Received<M> {
    /// Its version of SOAP.
    pub version: Version,
    /// Namespaces and local names of the header blocks that the last receiver must understand.
    pub mandatory: Vec<(String, String)>,
    /// The message.
    pub message: M,
}

impl Messages for Templates {
    type Reader = Reader;
    type Message<'m> = &'m Message;
    type Arriving<'t> = Arriving<'t>;

    fn new(reader: Reader, settings: &Settings) -> Templates {
        Templates::new(reader, settings.templates)
    }

    fn arriving(&self, action: &str, toolkit: &str, len: Option<usize>) -> Arriving<'_> {
        let arriving = Templates::arriving(self, action, toolkit);
        match len {
            Some(len) => arriving.with_len(len),
            None => arriving,
        }
    }

    fn feed(arriving: &mut Arriving<'_>, piece: &[u8]) -> Result<(), Error> {
        arriving.feed(piece)
    }

    fn finish<R>(arriving: Arriving<'_>, then: impl FnOnce(Received<&Message>) -> R) -> Result<R, Error> {
        let message = arriving.finish()?;
        let mandatory = message.headers.iter().filter(|header| header.is_mandatory());
        let mandatory =
            mandatory.map(|header| (header.name.namespace.to_string(), header.name.local.clone())).collect();
        Ok(then(Received { version: message.version, mandatory, message: &message }))
    }

    fn stats(&self) -> Stats {
        Templates::stats(self)
    }
}
