//! Reads schemas of XML Schema 1.0 (second edition), and validates instances against them.
//!
//! | step | where |
//! | --- | --- |
//! | read schema documents: include, import, redefine, catalogs; never from the network | [`Schema::read`], [`Source`], [`Catalog`] |
//! | look at the components of Part 1 and the types of Part 2 | [`Schema`] |
//! | match child elements with the particles of a content model | [`content::Model`] |
//! | validate an instance in one pass | [`Schema::validate`] |
//! | validate event by event, with the declaration and type of each element | [`Validator`] |
//! | read the WSDL 1.1 description of a service, and the schemas in it | [`wsdl`] |
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_xsd::{Memory, Options, Schema};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let source = Memory::new().with(
//!     "order.xsd",
//!     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
//!          <xs:element name="order">
//!            <xs:complexType>
//!              <xs:sequence>
//!                <xs:element name="item" type="xs:unsignedByte" maxOccurs="unbounded"/>
//!              </xs:sequence>
//!              <xs:attribute name="id" type="xs:NMTOKEN" use="required"/>
//!            </xs:complexType>
//!          </xs:element>
//!        </xs:schema>"#,
//! );
//! let options = Options::default();
//! let schema = Schema::read_from(source, "order.xsd", &options)?;
//! schema.validate(b"<order id='a1'><item>7</item><item>250</item></order>", &options)?;
//!
//! let error = schema.validate(b"<order id='a1'><item>7</item><item>256</item></order>", &options).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "schema at byte 35 (line 1, column 36) in /order/item[2]: found '256', expected at most 255",
//! );
//! # Ok(())
//! # }
//! ```
//!
//! A schema may come from an untrusted source. [`Files`] reads only regular files in the folders that the caller allows,
//! by default the folder of the schema.
//!
//! [`Options`] limits what a schema may cost: its documents, their elements, the particles of all content models. Nothing
//! recurses over the input except for the members of unions and the items of lists, at most 64 levels deep.
//!
//! These are not checked: whether values of ENTITY are unparsed entities of the instance; attributes of annotations. A
//! restriction of content is compared with its base as a set of instances, not particle by particle (section 3.9.6), and
//! only as far as that takes few steps. `xsi:schemaLocation` is ignored: an instance does not choose its schema.
//!
//! Source: W3C, XML Schema Part 1: Structures and Part 2: Datatypes, second edition, 28 October 2004.

mod build;
mod components;
pub mod content;
mod documents;
mod names;
mod options;
mod pattern;
mod validate;
mod value;
pub mod wsdl;

pub use components::{
    Arena, ArrayType, Attribute, AttributeGroup, AttributeGroupId, AttributeId, AttributeUse, Bound, Builtin,
    ComplexId, ComplexType, Compositor, Content, Derivation, Derivations, Document, DocumentId, Element, ElementId,
    Encoded, Enumerated, Enumeration, Facet, Facets, Global, GroupId, Holder, Id, Identity, IdentityCategory,
    IdentityId, ModelGroup, NamedGroup, NamedGroupId, Namespaces, Notation, NotationId, Particle, ParticleId, Position,
    Process, Schema, Scope, SimpleId, SimpleType, Term, TypeId, ValueConstraint, Variety, Wildcard, WildcardId,
};
pub use documents::Catalog;
pub use names::{
    ENCODING_NAMESPACE, Name, Names, NamespaceId, WSDL_NAMESPACE, XML_NAMESPACE, XSD_NAMESPACE, XSI_NAMESPACE,
};
pub use options::Options;
pub use pattern::Pattern;
pub use tam::Limits;
pub use text::xml::{Files, Memory, Source};
pub use validate::{AttributeMatch, End, Event, Start, Validator};
pub use xml::white_space::WhiteSpace;

/// Parts of the validator for the crate `x694`. They may change in any version.
#[doc(hidden)]
pub mod internal {
    pub use crate::components::{Inside, Outline, UseOutline};
    pub use crate::content::Tally;
    pub use crate::validate::{Copy, EventKind, Room, State, at_event};
    pub use crate::value::{Checker, Scope, time_kind};
}
