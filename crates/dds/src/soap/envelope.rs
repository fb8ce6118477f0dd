//! What is around the body's content (SOAP 1.1 section 4, SOAP 1.2 part 1 section 5).

use core::ops::Range;
use std::sync::Arc;

use crate::schema::Name;
use crate::values::Value;

/// The namespace of SOAP 1.1 envelopes.
pub(crate) const SOAP_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
/// The namespace of SOAP 1.2 envelopes.
pub(crate) const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";
/// The namespace of SOAP 1.1's encoding.
pub(crate) const ENCODING: &str = "http://schemas.xmlsoap.org/soap/encoding/";
/// The namespace of the built-in types.
pub(crate) const XSD: &str = "http://www.w3.org/2001/XMLSchema";
/// The namespace of `xsi:type` and `xsi:nil`.
pub(crate) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Which SOAP a message is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// SOAP 1.1.
    Soap11,
    /// SOAP 1.2.
    Soap12,
}

/// A header block, passed on unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The block's name.
    pub name: Name,
    /// Whether a receiver that does not understand it has to refuse the message.
    pub must_understand: bool,
    /// Whom it is for: the `actor` of SOAP 1.1, the `role` of SOAP 1.2; empty for the last receiver.
    pub actor: String,
    /// Where it is in the message, in bytes.
    pub range: Range<usize>,
}

impl Header {
    /// Whether the last receiver must understand it.
    #[must_use]
    pub fn is_mandatory(&self) -> bool {
        self.must_understand && is_last_receiver(&self.actor)
    }
}

/// Whether an `actor` of SOAP 1.1 or a `role` of SOAP 1.2 is one of the last receiver's: none, or that of the next one whoever it
/// is.
#[must_use]
pub fn is_last_receiver(actor: &str) -> bool {
    const OURS: [&str; 4] = [
        "",
        "http://schemas.xmlsoap.org/soap/actor/next",
        "http://www.w3.org/2003/05/soap-envelope/role/next",
        "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver",
    ];
    OURS.contains(&actor)
}

/// A fault in the place of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// `faultcode`, or the value of SOAP 1.2's `Code`, its prefix resolved.
    pub code: Name,
    /// `faultstring`, or the first text of SOAP 1.2's `Reason`.
    pub reason: String,
    /// `faultactor`, or SOAP 1.2's `Role`; empty where there is none.
    pub actor: String,
    /// Where the `detail` or `Detail` element is in the message, in bytes.
    pub detail: Option<Range<usize>>,
}

/// What is in the body.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A message of the schema.
    Call {
        /// Which of the schema's methods.
        method: usize,
        /// Its value.
        value: Value,
    },
    /// A fault.
    Fault(Fault),
}

impl Body {
    /// What is used where there is no message.
    pub(crate) const NOTHING: Body = Body::Call { method: 0, value: Value::Absent };
}

/// A message as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Which SOAP it is of.
    pub version: Version,
    /// The header blocks, in order.
    pub headers: Vec<Header>,
    /// What is in the body.
    pub body: Body,
}

impl Header {
    fn bytes(&self) -> usize {
        // Headers share the names of their namespaces: each has a part of what these take.
        let namespace = &self.name.namespace;
        self.name.local.capacity() + self.actor.capacity() + shared(namespace)
    }
}

impl Fault {
    fn bytes(&self) -> usize {
        let Fault { code, reason, actor, .. } = self;
        shared(&code.namespace) + code.local.capacity() + reason.capacity() + actor.capacity()
    }
}

/// The part of a shared text that one of its owners has, in bytes of memory.
fn shared(text: &Arc<str>) -> usize {
    (text.len() + 2 * size_of::<usize>()).div_ceil(Arc::strong_count(text))
}

impl Message {
    /// Bytes of memory taken.
    pub(crate) fn bytes(&self) -> usize {
        let headers: usize = self.headers.iter().map(Header::bytes).sum();
        let body = match &self.body {
            Body::Call { value, .. } => value.bytes(),
            Body::Fault(fault) => fault.bytes(),
        };
        headers + self.headers.capacity() * size_of::<Header>() + body
    }

    /// The value of a message of the schema, `None` of a fault.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        match &self.body {
            Body::Call { value, .. } => Some(value),
            Body::Fault(_) => None,
        }
    }
}
