//! Messages read by the schema of their service.

use dds::{Stats, Version};
use soap::{Message, Service, SoapVersion};
use tam::{Error, ErrorKind};
use x694::xer::{Templates, Types};

use crate::service::{Messages, Received, Settings};

/// Messages of a service, of whatever its description has: attributes, defaults, choices, wildcards, substitution; SOAP's
/// encoding.
#[derive(Debug)]
pub struct Literal {
    service: Service,
    templates: Templates,
    options: xsd::Options,
}

/// A literal message that has been read, and the types to write an answer by.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LiteralMessage<'m> {
    /// The message.
    pub message: Message<'m>,
    /// The types of all messages of the service.
    pub types: &'m Types,
}

/// A literal message that is arriving. It is read when all of it is there.
#[derive(Debug)]
pub struct ArrivingLiteral<'t> {
    of: &'t Literal,
    text: Vec<u8>,
}

impl Messages for Literal {
    type Reader = Service;
    type Message<'m> = LiteralMessage<'m>;
    type Arriving<'t> = ArrivingLiteral<'t>;

    fn new(service: Service, settings: &Settings) -> Literal {
        let options = xsd::Options::default().with_limits(settings.limits);
        Literal { service, templates: Templates::new(settings.templates), options }
    }

    fn arriving(&self, _action: &str, _toolkit: &str, _len: Option<usize>) -> ArrivingLiteral<'_> {
        // A length that is only promised brings no memory.
        ArrivingLiteral { of: self, text: Vec::new() }
    }

    fn feed(arriving: &mut ArrivingLiteral<'_>, piece: &[u8]) -> Result<(), Error> {
        let most = arriving.of.options.limits.message_bytes;
        if arriving.text.len() + piece.len() > most as usize {
            return Err(Error::limit("xml", most.into(), "a longer message", "message_bytes", most.into()));
        }
        arriving.text.extend_from_slice(piece);
        Ok(())
    }

    fn finish<R>(
        arriving: ArrivingLiteral<'_>,
        then: impl FnOnce(Received<LiteralMessage<'_>>) -> R,
    ) -> Result<R, Error> {
        let ArrivingLiteral { of: Literal { service, templates, options }, mut text } = arriving;
        let read = templates.read(&mut text, service.types(), options)?;
        let message = service.message(read.value());
        let version = match message.version() {
            Some(SoapVersion::Soap11) => Version::Soap11,
            Some(SoapVersion::Soap12) => Version::Soap12,
            None => {
                let expected = "an Envelope of SOAP 1.1 or 1.2";
                return Err(Error::new(ErrorKind::Unsupported, "soap", 0, "another element", expected));
            }
        };
        let mandatory = message.mandatory().map(|header| (header.name.namespace, header.name.local)).collect();
        let message = LiteralMessage { message, types: service.types() };
        Ok(then(Received { version, mandatory, message }))
    }

    fn stats(&self) -> Stats {
        self.templates.stats()
    }
}
