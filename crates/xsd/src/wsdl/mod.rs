//! WSDL 1.1: descriptions of services, and the schemas in them.
//!
//! A [`Description`] has the messages, port types, bindings and services of a document and of those that it imports, with
//! all references resolved. The schemas in `wsdl:types`, with the documents that they include and import, are one
//! [`Schema`]. Documents are local files in the folders that [`Files`](crate::Files) allows; the network is never used.
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
mod encoded;
mod envelope;
mod model;
mod soap;
mod tree;

use std::path::Path;

use tam::{Error, ErrorKind, Words};

use crate::documents::{DocumentSet, Loading, load_error};
use crate::{Names, Options, Schema, Source};
use documents::Documents;

pub use check::Held;
pub(crate) use check::{SOAP_11, SOAP_12};
pub use envelope::EnvelopeDocument;
pub(crate) use envelope::{SOAP_11_TYPES, SOAP_12_TYPES};
pub use model::{
    Binding, BodyUse, Bound, Carried, Description, Fault, HeaderPart, LeftOut, Message, Operation, Part, PartType,
    Place, Port, PortType, Service, Soap, SoapVersion, Style, Use,
};

impl Description {
    /// Reads the description in a file, and the documents that it imports. It may read the same files as [`Schema::read`].
    ///
    /// # Errors
    /// When the file cannot be read (kind io), a document is not well-formed (syntax) or not a valid description or schema
    /// (schema), or a limit is exceeded. The path of the error is the document; it has a line and a column.
    pub fn read(path: impl AsRef<Path>, options: &Options) -> Result<Description, Error> {
        let (path, location) = (path.as_ref(), path.as_ref().to_string_lossy());
        let files = options.catalog.files(path);
        let files =
            files.map_err(|error| load_error(&error, "wsdl", &location, options.limits.message_bytes.into()))?;
        Description::read_from(files, &location, options)
    }

    /// Reads the description in a document of a source.
    ///
    /// # Errors
    /// As [`Description::read`].
    pub fn read_from(source: impl Source, location: &str, options: &Options) -> Result<Description, Error> {
        Description::read_all(source, &[location], options)
    }

    /// Reads several documents as one description. All but the first may also be schema documents. Messages may have their
    /// elements where the schema has a wildcard.
    ///
    /// # Errors
    /// As [`Description::read`]; when two documents declare the same name (schema).
    pub fn read_all(
        source: impl Source,
        locations: &[impl AsRef<str>],
        options: &Options,
    ) -> Result<Description, Error> {
        let options = &options.clone().with_prefers_elements(true);
        let mut names = Names::new();
        let mut loading = Loading::new(&source, options, &mut names);
        let (documents, given) = Documents::read(locations, &mut loading)?;
        let set = DocumentSet::of(given, &mut loading)?;
        let missing = set.missing();
        let schema = Schema::build(set, names, options)?;
        build::build(&documents, schema, &missing, options.particles)
    }

    /// An error at a position in the description. Its path is the document.
    #[must_use]
    pub fn error(&self, kind: ErrorKind, place: Place, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        let document = self.documents.get(place.document).map_or("", String::as_str);
        Error::new(kind, "wsdl", place.offset.into(), found, expected)
            .at_line(place.line.into(), place.column.into())
            .in_path(document)
    }
}
