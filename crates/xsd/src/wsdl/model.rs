//! The components of a description.

use std::collections::HashMap;

use super::check::Bodies;
use crate::{ElementId, Name, Schema, TypeId};

/// Where a component stands: that of its start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Which of [`Description::documents`].
    pub document: usize,
    /// Bytes from the start of it.
    pub offset: u32,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

/// A description of services. Components refer to each other by their number in its lists.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The schema of all schema documents, and all names of the description.
    pub schema: Schema,
    /// Where the documents of the description were read from, the one asked for first.
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

/// A message: what is sent one way.
#[derive(Clone, Debug)]
pub struct Message {
    /// Name and target namespace.
    pub name: Name,
    /// In the order of the document.
    pub parts: Vec<Part>,
    /// Where it stands.
    pub place: Place,
    pub(super) numbers: HashMap<String, usize>,
}

impl Message {
    /// The number of the part of a name.
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
    /// What it is.
    pub ty: PartType,
    /// Where it stands.
    pub place: Place,
}

/// What a part of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartType {
    /// This element.
    Element(ElementId),
    /// A value of this type.
    Type(TypeId),
}

/// A port type: operations that belong together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PortType {
    /// Name and target namespace.
    pub name: Name,
    /// In the order of the document.
    pub operations: Vec<Operation>,
    /// Where it stands.
    pub place: Place,
}

/// An operation: what is sent to the service, and what it sends.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// What the service receives.
    pub input: Option<Carried>,
    /// What it sends.
    pub output: Option<Carried>,
    /// What it sends instead.
    pub faults: Vec<Fault>,
    /// Where it stands.
    pub place: Place,
}

/// A message of an operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Carried {
    /// Which of [`Description::messages`].
    pub message: usize,
    /// Where it stands.
    pub place: Place,
}

/// A message that an operation sends when it fails.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// Its name.
    pub name: String,
    /// Which of [`Description::messages`].
    pub message: usize,
    /// Where it stands.
    pub place: Place,
}

/// A binding: how the messages of a port type are written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Binding {
    /// Name and target namespace.
    pub name: Name,
    /// Which of [`Description::port_types`].
    pub port_type: usize,
    /// How it is one of SOAP; `None` of another protocol.
    pub soap: Option<Soap>,
    /// Extensions that one must understand and that this reader does not (`wsdl:required`), and where they stand.
    pub required: Vec<(Name, Place)>,
    /// In the order of the document; empty where the protocol is another.
    pub operations: Vec<Bound>,
    /// Where it stands.
    pub place: Place,
}

/// `soap:binding`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Soap {
    /// By the namespace of the extension.
    pub version: SoapVersion,
    /// `transport`, a URI.
    pub transport: String,
}

/// Which SOAP a binding is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SoapVersion {
    /// SOAP 1.1.
    Soap11,
    /// SOAP 1.2.
    Soap12,
}

/// What stands in the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// An element of the operation's name, with an element for each part.
    Rpc,
    /// The parts themselves.
    Document,
}

/// How the parts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// As the schema says.
    Literal,
    /// By the rules of an encoding.
    Encoded,
}

/// An operation as a binding has it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Bound {
    /// Which operation of the port type.
    pub operation: usize,
    /// `soapAction`, empty where there is none.
    pub action: String,
    /// The operation's, or else the binding's; `document` where neither says.
    pub style: Style,
    /// How the input is written, if there is an input and `soap:body` says so.
    pub input: Option<BodyUse>,
    /// How the output is written.
    pub output: Option<BodyUse>,
    /// Where it stands.
    pub place: Place,
}

/// `soap:body`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BodyUse {
    /// `use`; literal where nothing is said.
    pub style: Use,
    /// `namespace`: that of the element of the operation, of style rpc.
    pub namespace: String,
    /// `encodingStyle`.
    pub encoding: String,
    /// The numbers of the message's parts that are in the body; `None` of all but those of `headers`.
    pub parts: Option<Vec<usize>>,
    /// The numbers of the message's parts that `soap:header` takes out of the body.
    pub headers: Vec<usize>,
    /// Where it stands.
    pub place: Place,
}

/// A service: ports that belong together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Service {
    /// Its name.
    pub name: Name,
    /// In the order of the document.
    pub ports: Vec<Port>,
    /// Where it stands.
    pub place: Place,
}

/// A port: a binding and where it is to be had.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Which of [`Description::bindings`].
    pub binding: usize,
    /// `soap:address`, empty where there is none.
    pub address: String,
    /// Where it stands.
    pub place: Place,
}
