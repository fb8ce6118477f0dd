//! What is in an envelope (SOAP 1.1 section 4, SOAP 1.2 part 1 section 5).

use asn1::Value;
use xsd::wsdl::SoapVersion;

use crate::header::Header;
use crate::service::{Envelope, Name, Service};

/// A message that has been read.
#[derive(Clone, Copy, Debug)]
pub struct Message<'v> {
    envelope: Option<&'v Envelope>,
    value: Value<'v>,
}

/// The content of a body.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Body<'v> {
    /// A request or a response.
    Call {
        /// The name of its element. Where a body has several, that of the first.
        name: &'v Name,
        /// Its value. Where a body has several elements, a record of theirs.
        value: Value<'v>,
    },
    /// A fault.
    Fault(Fault<'v>),
}

/// Why there is no response.
#[derive(Clone, Copy, Debug)]
pub struct Fault<'v> {
    /// Its value: `faultcode`, `faultstring`, `faultactor`, `detail` of SOAP 1.1; `code`, `reason`, `node`, `role`,
    /// `detail` of SOAP 1.2.
    pub value: Value<'v>,
}

impl<'v> Message<'v> {
    pub(crate) fn new(service: &'v Service, value: Value<'v>) -> Message<'v> {
        Message { envelope: service.envelopes.iter().find(|envelope| envelope.node == value.node_id()), value }
    }

    /// The version of SOAP; `None` if the value is that of another element.
    #[must_use]
    pub fn version(self) -> Option<SoapVersion> {
        self.envelope.map(|envelope| envelope.version)
    }

    /// The value of the envelope.
    #[must_use]
    pub fn value(self) -> Value<'v> {
        self.value
    }

    /// What is in the body; `None` if nothing is.
    #[must_use]
    pub fn body(self) -> Option<Body<'v>> {
        let (_, content) = self.value.get("Body")?.members().last()?;
        // Where there are only faults, this is one.
        let (place, value) = content.chosen_place().unwrap_or((0, content));
        match self.envelope?.messages.get(place as usize) {
            Some(name) => Some(Body::Call { name, value }),
            // The fault is the last alternative.
            None => Some(Body::Fault(Fault { value })),
        }
    }

    /// The header blocks. [`Header::of`] reads their start tags, [`Service::read_element`] the values of those that the
    /// description declares.
    pub fn headers(self) -> impl Iterator<Item = &'v str> {
        let blocks = self.value.get("Header").and_then(|header| header.members().last());
        blocks.into_iter().flat_map(|(_, blocks)| blocks.items()).filter_map(Value::as_str)
    }

    /// The first header block of a name.
    #[must_use]
    pub fn header(self, name: &Name) -> Option<&'v str> {
        let namespace = self.version().map_or("", SoapVersion::namespace);
        self.headers().find(|block| Header::of(block, namespace).is_some_and(|header| header.name == *name))
    }

    /// The header blocks that must be understood by the last receiver.
    pub fn mandatory(self) -> impl Iterator<Item = Header> {
        let namespace = self.version().map_or("", SoapVersion::namespace);
        self.headers().filter_map(move |block| Header::of(block, namespace)).filter(Header::is_mandatory)
    }
}

impl<'v> Fault<'v> {
    /// Namespace and local name of its code, such as `Client` or `Sender` of the namespace of the envelope.
    #[must_use]
    pub fn code(self) -> Option<(&'v str, &'v str)> {
        let code = self.value.get("faultcode").or_else(|| self.value.get("Code/Value"))?;
        let namespace = code.get("uri").and_then(Value::as_str).unwrap_or_default();
        Some((namespace, code.get("name")?.as_str()?))
    }

    /// What is wrong, in words.
    #[must_use]
    pub fn reason(self) -> Option<&'v str> {
        if let Some(text) = self.value.get("faultstring") {
            return text.as_str();
        }
        let (_, text) = self.value.get("Reason")?.members().last()?;
        let (_, text) = text.item(0)?.members().last()?;
        text.as_str()
    }

    /// Who reports it: `faultactor` of SOAP 1.1, `Role` of SOAP 1.2.
    #[must_use]
    pub fn actor(self) -> Option<&'v str> {
        self.value.get("faultactor").or_else(|| self.value.get("Role"))?.as_str()
    }

    /// The elements of its detail.
    pub fn details(self) -> impl Iterator<Item = &'v str> {
        let elements =
            self.value.get("detail").or_else(|| self.value.get("Detail")).and_then(|detail| detail.members().last());
        elements.into_iter().flat_map(|(_, elements)| elements.items()).filter_map(Value::as_str)
    }
}
