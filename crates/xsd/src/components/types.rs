//! Type definitions (Part 1 sections 3.4 and 3.14).

use super::{
    AttributeUse, Builtin, ComplexId, Derivations, Facets, Holder, ParticleId, Position, SimpleId, WildcardId,
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

/// How a type comes from its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// `xs:restriction`, and what complex types without a word of it are: of `xs:anyType`.
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
    /// What holds it.
    pub holder: Holder,
    /// The base type definition; that of `xs:anyType` is itself.
    pub base: TypeId,
    /// How it comes from its base.
    pub derivation: Derivation,
    /// `final`.
    pub exclusions: Derivations,
    /// `block`.
    pub disallowed: Derivations,
    /// `abstract`.
    pub is_abstract: bool,
    /// All attribute uses, those of the base first, in the order of the documents; prohibited ones are
    /// not there.
    pub attributes: Vec<AttributeUse>,
    /// Which other attributes there may be, the base's and groups' reckoned in.
    pub attribute_wildcard: Option<WildcardId>,
    /// What stands between the tags.
    pub content: Content,
    /// Of an extension: what it adds to the content of its base (Part 1 section 3.4.2, explicit content).
    /// Of a restriction: its own content, which is `content`.
    pub own_particle: Option<ParticleId>,
    /// Where it stands.
    pub position: Position,
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
    /// Elements and characters. `None`: characters alone.
    Mixed(Option<ParticleId>),
}

/// A simple type definition (Part 1 section 3.14, Part 2 section 4.1).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SimpleType {
    /// Name and target namespace; `None` if anonymous.
    pub name: Option<Name>,
    /// What holds it.
    pub holder: Holder,
    /// Which built-in type it is, if it is one.
    pub builtin: Option<Builtin>,
    /// The base type definition; that of `xs:anySimpleType` is itself. That of a list or union made by
    /// `xs:list` or `xs:union` is `xs:anySimpleType`.
    pub base: SimpleId,
    /// Atomic, list or union.
    pub variety: Variety,
    /// `final`.
    pub exclusions: Derivations,
    /// The nearest built-in type that it is derived from, itself included; of a list or a union
    /// `xs:anySimpleType`.
    pub lexical: Builtin,
    /// The facets that this step of derivation writes.
    pub own: Facets,
    /// The facets that hold, those of all steps together.
    pub facets: Facets,
    /// Where it stands.
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

/// What values a simple type has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variety {
    /// `xs:anySimpleType`: any text.
    Any,
    /// Values that have no parts; which primitive type they are of.
    Atomic(Builtin),
    /// Values of a type, with spaces between.
    List(SimpleId),
    /// Values of any of these, the first that fits.
    Union(Vec<SimpleId>),
}
