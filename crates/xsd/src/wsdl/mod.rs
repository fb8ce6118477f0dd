//! WSDL 1.1: the description of a service, and the schemas that stand in it.
//!
//! A [`Description`] has the messages, port types, bindings and services of a document and of all that it
//! imports, each reference followed, and one [`Schema`] of the schema documents that stand in `wsdl:types`, with
//! what these include and import. Documents are local files of the folders that [`Files`] allows; the network is never
//! used.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_xsd::wsdl::{Description, PartType, Use};
//! use lengthwise_xsd::{Memory, Options};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let source = Memory::new().with(
//!     "ping.wsdl",
//!     r#"<definitions name="Ping" targetNamespace="urn:ping" xmlns:t="urn:ping"
//!            xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
//!            xmlns:xs="http://www.w3.org/2001/XMLSchema">
//!          <message name="Ping"><part name="count" type="xs:int"/></message>
//!          <portType name="Port"><operation name="ping"><input message="t:Ping"/></operation></portType>
//!          <binding name="Soap" type="t:Port">
//!            <soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
//!            <operation name="ping">
//!              <soap:operation soapAction="urn:ping#ping"/>
//!              <input><soap:body use="literal" namespace="urn:ping"/></input>
//!            </operation>
//!          </binding>
//!        </definitions>"#,
//! );
//! let description = Description::read_from(source, "ping.wsdl", &Options::default())?;
//! let binding = &description.bindings[0];
//! let operation = &binding.operations[0];
//! assert_eq!(operation.action, "urn:ping#ping");
//! assert_eq!(operation.input.as_ref().unwrap().style, Use::Literal);
//! let ping = &description.port_types[binding.port_type].operations[operation.operation];
//! let message = &description.messages[ping.input.as_ref().unwrap().message];
//! assert!(matches!(message.parts[0].ty, PartType::Type(_)));
//! # Ok(())
//! # }
//! ```
//!
//! Source: W3C Note, Web Services Description Language (WSDL) 1.1, 15 March 2001, and for SOAP 1.2 the W3C Member
//! Submission WSDL 1.1 Binding Extension for SOAP 1.2, 5 April 2006.

mod build;
mod check;
mod documents;
mod model;
mod soap;
mod tree;

use std::path::Path;

use tam::{Error, ErrorKind, Words};

use crate::documents::{Set, unread};
use crate::{Files, Names, Options, Schema, Source};
use documents::Documents;

pub use check::Held;
pub use model::{
    Binding, BodyUse, Bound, Carried, Description, Fault, Message, Operation, Part, PartType, Place, Port, PortType,
    Service, Soap, SoapVersion, Style, Use,
};

impl Description {
    /// Reads the description in a file, and all that it imports, from the files that [`Schema::read`] would take.
    ///
    /// # Errors
    /// When the file cannot be read (kind io); when a document is not well-formed (syntax), or no description or schema
    /// (schema), with the document in the path of the error, its line and column, and what was expected there; when
    /// a limit is exceeded.
    pub fn read(path: impl AsRef<Path>, options: &Options) -> Result<Description, Error> {
        let (path, location) = (path.as_ref(), path.as_ref().to_string_lossy());
        let files = Files::with_catalog(path, &options.catalog);
        let files = files.map_err(|error| unread(&error, "wsdl", &location, options.limits.message_bytes.into()))?;
        Description::read_from(files, &location, options)
    }

    /// Reads the description in a document that a source has.
    ///
    /// # Errors
    /// As [`Description::read`].
    pub fn read_from(source: impl Source, location: &str, options: &Options) -> Result<Description, Error> {
        Description::read_all(source, &[location], options)
    }

    /// Reads several documents as one description. All but the first may also be schema documents, whose elements
    /// messages may then have where a wildcard stands.
    ///
    /// # Errors
    /// As [`Description::read`]; when two documents declare the same name (schema).
    pub fn read_all(
        mut source: impl Source,
        locations: &[impl AsRef<str>],
        options: &Options,
    ) -> Result<Description, Error> {
        let (mut names, mut room) = (Names::new(), options.limits.units);
        let (documents, given) = Documents::read(&mut source, locations, options, &mut names, &mut room)?;
        let set = Set::of(given, &mut source, options, &mut names, &mut room)?;
        let schema = Schema::build(set, names, options)?;
        build::build(&documents, schema)
    }

    /// An error at a place of the description: its path is the document.
    #[must_use]
    pub fn error(&self, kind: ErrorKind, place: Place, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        let document = self.documents.get(place.document).map_or("", String::as_str);
        Error::new(kind, "wsdl", place.offset.into(), found, expected)
            .at_line(place.line.into(), place.column.into())
            .in_path(document)
    }
}
