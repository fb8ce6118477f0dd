//! Declarations of elements, attributes and notations (Part 1 sections 3.2, 3.3 and 3.12).

use super::{AttributeId, ComplexId, DocumentId, ElementId, IdentityId, NamedGroupId, SimpleId, TypeId};
use crate::Name;

/// Where a component stands: that of the start tag that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The schema document, `None` for what is built in.
    pub document: Option<DocumentId>,
    /// Bytes from the start of it.
    pub offset: u32,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

impl Position {
    /// That of what is built in.
    pub const BUILT_IN: Position = Position { document: None, offset: 0, line: 0, column: 0 };
}

/// Who may refer to a declaration: everybody, or what holds it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A child of `xs:schema`.
    Global,
    /// Within a complex type.
    Complex(ComplexId),
    /// Within a named model group.
    Group(NamedGroupId),
    /// An attribute within a named attribute group.
    AttributeGroup(super::AttributeGroupId),
}

/// A `default` or a `fixed` value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueConstraint {
    /// `default`: supplied where nothing is written. As written in the schema.
    Default(String),
    /// `fixed`: supplied where nothing is written, and nothing else may be.
    Fixed(String),
}

impl ValueConstraint {
    /// The value as written in the schema.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            ValueConstraint::Default(text) | ValueConstraint::Fixed(text) => text,
        }
    }
}

/// A set of derivations, of `final` and `block`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Derivations(u8);

impl Derivations {
    /// None of them.
    pub const NONE: Derivations = Derivations(0);
    /// `extension`.
    pub const EXTENSION: Derivations = Derivations(1);
    /// `restriction`.
    pub const RESTRICTION: Derivations = Derivations(2);
    /// `substitution`.
    pub const SUBSTITUTION: Derivations = Derivations(4);
    /// `list`.
    pub const LIST: Derivations = Derivations(8);
    /// `union`.
    pub const UNION: Derivations = Derivations(16);

    /// Whether one of the others is in it.
    #[must_use]
    pub const fn has(self, others: Derivations) -> bool {
        self.0 & others.0 != 0
    }

    /// With the others.
    #[must_use]
    pub const fn with(self, others: Derivations) -> Derivations {
        Derivations(self.0 | others.0)
    }

    /// Only what is in both.
    #[must_use]
    pub const fn and(self, others: Derivations) -> Derivations {
        Derivations(self.0 & others.0)
    }
}

/// An element declaration (Part 1 section 3.3).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Element {
    /// Name and target namespace.
    pub name: Name,
    /// Who may refer to it.
    pub scope: Scope,
    /// Its type definition.
    pub ty: TypeId,
    /// `nillable`.
    pub nillable: bool,
    /// `default` or `fixed`.
    pub value: Option<ValueConstraint>,
    /// `xs:key`, `xs:keyref`, `xs:unique` of it.
    pub identities: Vec<IdentityId>,
    /// The head of the substitution group that it is a member of.
    pub substitution_head: Option<ElementId>,
    /// Those that may stand in its place, directly or through others, in the order of their
    /// declaration; abstract ones and those that `block` or `final` keeps out are not among them, nor
    /// is the element itself.
    pub substitutes: Vec<ElementId>,
    /// `final`: substitution group exclusions.
    pub exclusions: Derivations,
    /// `block`: disallowed substitutions.
    pub disallowed: Derivations,
    /// `abstract`.
    pub is_abstract: bool,
    /// Where it stands.
    pub position: Position,
}

/// An attribute declaration (Part 1 section 3.2).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attribute {
    /// Name and target namespace.
    pub name: Name,
    /// Who may refer to it.
    pub scope: Scope,
    /// Its type definition.
    pub ty: SimpleId,
    /// `default` or `fixed` of the declaration; that of a use may say otherwise.
    pub value: Option<ValueConstraint>,
    /// Where it stands.
    pub position: Position,
}

/// An attribute use (Part 1 section 3.5).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AttributeUse {
    /// The declaration.
    pub attribute: AttributeId,
    /// `use="required"`.
    pub required: bool,
    /// `default` or `fixed` of the use, else of the declaration.
    pub value: Option<ValueConstraint>,
    /// `wsdl:arrayType`: what the array of SOAP's encoding is of that the type is (WSDL 1.1 section 2.2).
    pub array_type: Option<ArrayType>,
    /// Where the use stands.
    pub position: Position,
}

/// What an array is of, and its dimensions: `xsd:int[,][]`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArrayType {
    /// The type, by its name.
    pub of: Name,
    /// The dimensions in their brackets, the outermost last.
    pub ranks: String,
}

/// A notation declaration (Part 1 section 3.12).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Notation {
    /// Name and target namespace.
    pub name: Name,
    /// The system identifier.
    pub system: Option<String>,
    /// The public identifier.
    pub public: Option<String>,
    /// Where it stands.
    pub position: Position,
}

/// What an anonymous type is the type of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A type with a name, or one that is built in, is held by the schema.
    Schema,
    /// An element declaration.
    Element(ElementId),
    /// An attribute declaration.
    Attribute(AttributeId),
    /// The base, item type or a member type of a simple type.
    Simple(SimpleId),
    /// The `xs:simpleType` within `xs:restriction` of simple content.
    Complex(ComplexId),
}
