//! Maps XML schemas to ASN.1 modules (ITU-T X.694): one module for each namespace, and the part of the module `XSD` that
//! they use.
//!
//! ```
//! # use ::asn1 as lengthwise_asn1;
//! # use ::tam as lengthwise_tam;
//! # use ::xsd as lengthwise_xsd;
//! use lengthwise_asn1::notation;
//! use lengthwise_x694::mapping;
//! use lengthwise_xsd::{Memory, Schema};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let source = Memory::new().with(
//!     "order.xsd",
//!     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:order">
//!          <xs:element name="order">
//!            <xs:complexType>
//!              <xs:sequence>
//!                <xs:element name="item" type="xs:unsignedByte" maxOccurs="unbounded"/>
//!              </xs:sequence>
//!              <xs:attribute name="urgent" type="xs:boolean"/>
//!            </xs:complexType>
//!          </xs:element>
//!        </xs:schema>"#,
//! );
//! let schema = Schema::read_from(source, "order.xsd", &lengthwise_xsd::Options::default())?;
//! let modules = mapping::to_asn1(&schema, &mapping::Options::default())?;
//! let text = r#"Order DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
//!
//! Order ::= [NAME AS UNCAPITALIZED] SEQUENCE {
//!   urgent [ATTRIBUTE] BOOLEAN OPTIONAL,
//!   item-list [UNTAGGED] SEQUENCE (SIZE (1..MAX)) OF item INTEGER (0..255)
//! }
//!
//! ENCODING-CONTROL XER
//!   GLOBAL-DEFAULTS MODIFIED-ENCODINGS
//!   GLOBAL-DEFAULTS CONTROL-NAMESPACE "http://www.w3.org/2001/XMLSchema-instance" PREFIX "xsi"
//!   NAMESPACE ALL AS "urn:order"
//!
//! END
//! "#;
//! assert_eq!(notation::print(&modules.modules[0]), text);
//! # Ok(())
//! # }
//! ```

mod complex;
mod element;
mod enumeration;
mod facets;
mod instruction;
mod left_out;
mod mapper;
mod names;
mod particle;
mod plan;
mod simple;
mod support;
mod value;
mod wildcard;

pub(crate) use facets::is_of_times;
pub use left_out::LeftOut;
use mapper::Mapper;
pub(crate) use mapper::XSD;
pub(crate) use simple::type_name;
use tam::{Error, ErrorKind};
use xsd::{ElementId, Name, Schema};

/// Which of the two mappings of X.694.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// Version 1 (2004): dates, times and durations are text of few characters.
    V1,
    /// Version 2 (2008): dates, times and durations are the time types of ASN.1.
    #[default]
    V2,
}

/// How a schema is mapped.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Which mapping: it changes the bytes of dates, times and durations on the wire. Default
    /// [`Version::V2`].
    pub version: Version,
}

impl Options {
    /// The same options with another version.
    #[must_use]
    pub fn with_version(mut self, version: Version) -> Options {
        self.version = version;
        self
    }
}

/// The result of a mapping.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    /// A module for each target namespace, sorted by namespace. The last module has the types of the module `XSD` that
    /// the others use.
    pub schema: asn1::schema::Schema,
    /// The type assignments of global elements.
    pub elements: Vec<ElementPlace>,
    /// The CHOICEs of a type and its derived types: module and name of each, and the type.
    pub(crate) substituted: Vec<(usize, String, Name)>,
    /// The components that are not carried: identity constraints, notations, and defaults that cannot be
    /// written as values.
    pub left_out: Vec<LeftOut>,
}

/// The type assignment that a global element became.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ElementPlace {
    /// The element.
    pub element: ElementId,
    /// The number of its module.
    pub module: usize,
    /// The name of the assignment.
    pub name: String,
}

/// Maps a schema to ASN.1 modules (X.694 clause 7).
///
/// # Errors
///
/// [`Limit`](tam::ErrorKind::Limit) if anonymous types and groups are nested more than 40 deep, which is what the parser
/// of ASN.1 notation can read; or if there are more than 2^20 pairs of a base type and a derived type.
pub fn to_asn1(schema: &Schema, options: &Options) -> Result<asn1::schema::Schema, Error> {
    Ok(map(schema, options)?.schema)
}

/// Maps a schema to ASN.1 modules, and lists what they do not carry.
///
/// # Errors
///
/// Those of [`to_asn1`].
pub fn map(schema: &Schema, options: &Options) -> Result<Mapping, Error> {
    let shared = match Mapper::new(schema, options, Vec::new())?.map()? {
        Ok(mapping) => return Ok(mapping),
        Err(shared) => shared,
    };
    let again = Mapper::new(schema, options, shared)?.map()?;
    again.map_err(|_| Error::new(ErrorKind::Unsupported, "xsd", 0, "names that change", "the same names each time"))
}
