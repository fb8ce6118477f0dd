//! Type definitions (Part 1 sections 3.4 and 3.14).

use super::{
    AttributeUse, Builtin, ComplexId, Derivations, Facets, Holder, ParticleId, Position, Schema, SimpleId, WildcardId,
};
use crate::Name;

/// A type definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeId {
    /// Simple.
    Simple(SimpleId),
    /// Complex.
    Complex(ComplexId),
}

/// How a type is derived from its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// `xs:restriction`. Complex types without a derivation are restrictions of `xs:anyType`.
    Restriction,
    /// `xs:extension`.
    Extension,
}

/// A complex type definition (Part 1 section 3.4).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComplexType {
    /// Name and target namespace; `None` if anonymous.
    pub name: Option<Name>,
    /// The component that contains it.
    pub holder: Holder,
    /// The base type definition. The base of `xs:anyType` is itself.
    pub base: TypeId,
    /// How it is derived from its base.
    pub derivation: Derivation,
    /// `final`.
    pub exclusions: Derivations,
    /// `block`.
    pub disallowed: Derivations,
    /// `abstract`.
    pub is_abstract: bool,
    /// All attribute uses in the order of the documents, those of the base first. Prohibited ones are not included.
    pub attributes: Vec<AttributeUse>,
    /// The wildcard for other attributes, combined with those of the base and of attribute groups.
    pub attribute_wildcard: Option<WildcardId>,
    /// Its content type.
    pub content: Content,
    /// For an extension, what it adds to the content of its base (Part 1 section 3.4.2, explicit content). For a
    /// restriction, the particle of `content`.
    pub own_particle: Option<ParticleId>,
    /// For a type in SOAP's encoding, what it is. No schema document defines such a type.
    pub encoded: Option<Encoded>,
    /// Its position.
    pub position: Position,
}

/// A type in SOAP's encoding (SOAP 1.1 section 5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// Members in any order, each of which may be missing.
    Struct,
    /// Items of any name.
    Array,
}

impl ComplexType {
    /// A restriction of `xs:anyType` without attributes and content.
    pub(crate) fn empty(name: Option<Name>, holder: Holder, position: Position) -> ComplexType {
        ComplexType {
            name,
            holder,
            base: TypeId::Complex(Schema::ANY_TYPE),
            derivation: Derivation::Restriction,
            exclusions: Derivations::NONE,
            disallowed: Derivations::NONE,
            is_abstract: false,
            attributes: Vec::new(),
            attribute_wildcard: None,
            content: Content::Empty,
            own_particle: None,
            encoded: None,
            position,
        }
    }
}

/// A content type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Empty,
    /// A value of a simple type.
    Simple(SimpleId),
    /// Elements, with white space around them.
    ElementOnly(ParticleId),
    /// Elements and characters. `None`: only characters.
    Mixed(Option<ParticleId>),
}

/// A simple type definition (Part 1 section 3.14, Part 2 section 4.1).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SimpleType {
    /// Name and target namespace; `None` if anonymous.
    pub name: Option<Name>,
    /// The component that contains it.
    pub holder: Holder,
    /// The built-in type that it is, if any.
    pub builtin: Option<Builtin>,
    /// The base type definition. The base of `xs:anySimpleType` is itself, that of an `xs:list` or `xs:union` is
    /// `xs:anySimpleType`.
    pub base: SimpleId,
    /// Atomic, list or union.
    pub variety: Variety,
    /// `final`.
    pub exclusions: Derivations,
    /// The nearest built-in type that it is or is derived from; `xs:anySimpleType` for a list or a union.
    pub lexical: Builtin,
    /// The facets of this step of derivation.
    pub own: Facets,
    /// The effective facets of all steps of derivation.
    pub facets: Facets,
    /// Its position.
    pub position: Position,
}

impl SimpleType {
    /// Whether any text is a value of it.
    pub(crate) fn allows_any_text(&self) -> bool {
        let text = match self.variety {
            Variety::Any => true,
            Variety::Atomic(Builtin::String) => {
                matches!(self.lexical, Builtin::String | Builtin::NormalizedString | Builtin::Token)
            }
            _ => false,
        };
        let Facets { length, min_length, max_length, enumeration, patterns, .. } = &self.facets;
        let sized = length.is_some() || min_length.is_some() || max_length.is_some();
        text && !sized && enumeration.is_none() && patterns.is_empty()
    }
}

/// The kind of values that a simple type has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variety {
    /// `xs:anySimpleType`: any text.
    Any,
    /// Values without parts, of a primitive type.
    Atomic(Builtin),
    /// Lists of values of an item type, separated by spaces.
    List(SimpleId),
    /// Values of the first member type that has the text as a value.
    Union(Vec<SimpleId>),
}
