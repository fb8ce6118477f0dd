//! SOAP messages by the description of their service (WSDL 1.1): values of the body, header blocks, faults.
//!
//! A [`Service`] has the schema of all messages of a description, of SOAP 1.1 and 1.2. The crate `x694` reads a
//! message by it, whole or by its differences from the one before, and writes one. A [`Message`] is a view of what was
//! read. Whatever an XML Schema can say of a message is checked and kept: attributes, defaults, choices, wildcards,
//! substitution, `xsi:type`.
//!
//! ```
//! # use ::asn1 as lengthwise_asn1;
//! # use ::tam as lengthwise_tam;
//! # use ::x694 as lengthwise_x694;
//! # use ::xsd as lengthwise_xsd;
//! use lengthwise_asn1::Values;
//! use lengthwise_soap::{Body, Service};
//! use lengthwise_x694::xer::{self, Templates};
//! use lengthwise_xsd::{Memory, Options};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let source = Memory::new().with(
//!     "ping.wsdl",
//!     r#"<definitions targetNamespace="urn:ping" xmlns:t="urn:ping" xmlns="http://schemas.xmlsoap.org/wsdl/"
//!            xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
//!          <message name="Ping"><part name="count" type="xs:int"/></message>
//!          <portType name="Port"><operation name="ping"><input message="t:Ping"/></operation></portType>
//!          <binding name="Soap" type="t:Port"><soap:binding style="rpc"/><operation name="ping">
//!            <input><soap:body use="literal" namespace="urn:ping"/></input></operation></binding>
//!        </definitions>"#,
//! );
//! let options = Options::default();
//! let service = Service::read(source, "ping.wsdl", &options)?;
//!
//! let xml = r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
//!     <p:ping xmlns:p="urn:ping"><count>7</count></p:ping></e:Body></e:Envelope>"#;
//! let mut values = Values::new();
//! let message = service.message(xer::read(xml.as_bytes(), service.types(), &options, &mut values)?);
//! let Some(Body::Call { name, value }) = message.body() else { panic!("a fault") };
//! assert_eq!((name.local.as_str(), value.get("count").and_then(|count| count.as_i64())), ("ping", Some(7)));
//!
//! // The same by differences, from many threads.
//! let templates = Templates::new(16 << 20);
//! let read = templates.read(&mut xml.as_bytes().to_vec(), service.types(), &options)?;
//! assert!(matches!(service.message(read.value()).body(), Some(Body::Call { .. })));
//! # Ok(())
//! # }
//! ```
//!
//! # SOAP's encoding
//!
//! Messages in SOAP's encoding (SOAP 1.1 sections 5 and 7) are read by the same functions. A struct is a record whose members
//! may be missing, in any order; a member with `xsi:nil` is as one that is missing. An array is a record of `item`, whose
//! items may be nil, and of `dimensions`, if it has several. `arrayType` and `xsi:type` are checked: they may name the type
//! of the description and, for simple types, a type derived from it. References (`href`) are followed. These are refused:
//! arrays that are sent in part (`offset`, `position`), references to attachments, values that hold themselves.

mod binding;
mod header;
mod message;
mod references;
mod service;
mod writer;

pub use binding::{Binding, LeftOut, Operation, Port};
pub use header::{Header, is_last_receiver};
pub use message::{Body, Fault, Message};
pub use service::{Name, Service};
pub use writer::Head;
pub use xsd::wsdl::{SoapVersion, Style, Use};
