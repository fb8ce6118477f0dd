//! The components of a description.

use std::collections::HashMap;

use tam::Error;

use super::check::Bodies;
use crate::{ElementId, Name, Schema, TypeId};

/// The position of a component: that of its start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Index in [`Description::documents`].
    pub document: usize,
    /// Bytes from the start of the document.
    pub offset: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A description of services. Components refer to each other by their index in its lists.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The schema of all schema documents, and all names of the description.
    pub schema: Schema,
    /// The locations of the documents, beginning with the one that was asked for.
    pub documents: Vec<String>,
    /// Messages (WSDL section 2.3).
    pub messages: Vec<Message>,
    /// Port types (section 2.4).
    pub port_types: Vec<PortType>,
    /// Bindings (section 2.5).
    pub bindings: Vec<Binding>,
    /// Services (section 2.7).
    pub services: Vec<Service>,
    pub(super) bodies: Bodies,
}

/// A message, which is sent in one direction.
#[derive(Clone, Debug)]
pub struct Message {
    /// Name and target namespace.
    pub name: Name,
    /// Its parts in the order of the document.
    pub parts: Vec<Part>,
    /// Its position.
    pub place: Place,
    pub(super) numbers: HashMap<String, usize>,
}

impl Message {
    /// The index of the part with a name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }
}

/// A part of a message.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its element or type.
    pub ty: PartType,
    /// Its position.
    pub place: Place,
}

/// The element or type of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartType {
    /// This element.
    Element(ElementId),
    /// A value of this type.
    Type(TypeId),
}

/// A port type: a set of operations.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PortType {
    /// Name and target namespace.
    pub name: Name,
    /// Its operations in the order of the document.
    pub operations: Vec<Operation>,
    /// Its position.
    pub place: Place,
}

/// An operation: the messages that the service receives and sends.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// The message that the service receives.
    pub input: Option<Carried>,
    /// The message that it sends.
    pub output: Option<Carried>,
    /// The messages that it sends when it fails.
    pub faults: Vec<Fault>,
    /// Its position.
    pub place: Place,
}

/// A message of an operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Carried {
    /// Index in [`Description::messages`].
    pub message: usize,
    /// Its position.
    pub place: Place,
}

/// A message that an operation sends when it fails.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// Its name.
    pub name: String,
    /// Index in [`Description::messages`].
    pub message: usize,
    /// Its position.
    pub place: Place,
}

/// A binding: how the messages of a port type are written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Binding {
    /// Name and target namespace.
    pub name: Name,
    /// Index in [`Description::port_types`].
    pub port_type: usize,
    /// The SOAP binding; `None` for another protocol.
    pub soap: Option<Soap>,
    /// Required extensions (`wsdl:required`) that this reader does not understand, and their positions.
    pub required: Vec<(Name, Place)>,
    /// Its operations in the order of the document; empty for another protocol.
    pub operations: Vec<Bound>,
    /// Its position.
    pub place: Place,
}

/// `soap:binding`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Soap {
    /// The version, from the namespace of the extension.
    pub version: SoapVersion,
    /// `transport`, a URI.
    pub transport: String,
}

/// The version of SOAP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SoapVersion {
    /// SOAP 1.1.
    Soap11,
    /// SOAP 1.2.
    Soap12,
}

impl SoapVersion {
    /// The namespace of its envelopes.
    #[must_use]
    pub fn namespace(self) -> &'static str {
        match self {
            SoapVersion::Soap11 => super::SOAP_11,
            SoapVersion::Soap12 => super::SOAP_12,
        }
    }
}

/// The content of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// An element with the operation's name, which has an element for each part.
    Rpc,
    /// The parts themselves.
    Document,
}

/// How the parts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// As instances of the schema.
    Literal,
    /// With the rules of an encoding.
    Encoded,
}

/// An operation of a binding.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Bound {
    /// Index of the operation in the port type.
    pub operation: usize,
    /// `soapAction`; empty if there is none.
    pub action: String,
    /// The style of the operation, otherwise of the binding. The default is `document`.
    pub style: Style,
    /// How the input is written, if there is an input with a `soap:body`.
    pub input: Option<BodyUse>,
    /// How the output is written.
    pub output: Option<BodyUse>,
    /// Its position.
    pub place: Place,
}

/// `soap:body`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BodyUse {
    /// `use`. The default is literal.
    pub style: Use,
    /// `namespace`: the namespace of the operation's element, for style rpc.
    pub namespace: String,
    /// `encodingStyle`.
    pub encoding: String,
    /// Indices of the message's parts in the body; `None` for all parts but those of `headers`.
    pub parts: Option<Vec<usize>>,
    /// The parts in the header, by `soap:header`, which may be of another message.
    pub headers: Vec<HeaderPart>,
    /// The name of the first element in the body, which identifies the message. `None` if the body is empty, or if
    /// [`Description::envelopes`] has no schema for the message.
    pub element: Option<Name>,
    /// Its position.
    pub place: Place,
}

/// A part of a message that is a block of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderPart {
    /// The index of the message in the description.
    pub message: usize,
    /// The index of the part in it.
    pub part: usize,
    /// `namespace`: that of the block, if the part has a type.
    pub namespace: String,
}

impl Description {
    /// The parts of a message that are in the body.
    #[must_use]
    pub fn in_body<'d>(&'d self, carried: &Carried, body: &BodyUse) -> Vec<&'d Part> {
        let (message, parts) = (carried.message, &self.messages[carried.message].parts);
        let is_header = |part: &usize| body.headers.iter().any(|one| (one.message, one.part) == (message, *part));
        match &body.parts {
            Some(listed) => listed.iter().filter_map(|part| parts.get(*part)).collect(),
            None => (0..parts.len()).filter(|part| !is_header(part)).map(|part| &parts[part]).collect(),
        }
    }
}

/// A message of an operation that has no schema.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeftOut {
    /// The name of the operation.
    pub operation: String,
    /// Whether it is the message that the service sends.
    pub is_response: bool,
    /// What was found there, and what could be read; the path is the document.
    pub error: Error,
}

/// A service: a set of ports.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Service {
    /// Its name.
    pub name: Name,
    /// Its ports in the order of the document.
    pub ports: Vec<Port>,
    /// Its position.
    pub place: Place,
}

/// A port: a binding and its address.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Index in [`Description::bindings`].
    pub binding: usize,
    /// `soap:address`; empty if there is none.
    pub address: String,
    /// Its position.
    pub place: Place,
}
