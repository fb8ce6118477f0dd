//! Declarations of elements, attributes and notations (Part 1 sections 3.2, 3.3 and 3.12).

use super::{AttributeId, ComplexId, DocumentId, ElementId, IdentityId, NamedGroupId, SimpleId, TypeId};
use crate::Name;

/// The position of a component: the start tag that defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The schema document; `None` for built-in components.
    pub document: Option<DocumentId>,
    /// Bytes from the start of the document.
    pub offset: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The position of built-in components.
    pub const BUILT_IN: Position = Position { document: None, offset: 0, line: 0, column: 0 };
}

/// Where a declaration can be referred to: everywhere, or only in the component that contains it.
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
    /// `default`, as written in the schema: the value of an empty element or absent attribute.
    Default(String),
    /// `fixed`, as written in the schema: like `default`, and no other value is valid.
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

/// A set of derivation methods, as in `final` and `block`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Derivations(u8);

impl Derivations {
    /// The empty set.
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

    /// Whether it has at least one of the others.
    #[must_use]
    pub const fn has(self, others: Derivations) -> bool {
        self.0 & others.0 != 0
    }

    /// The union of both sets.
    #[must_use]
    pub const fn with(self, others: Derivations) -> Derivations {
        Derivations(self.0 | others.0)
    }

    /// The intersection of both sets.
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
    /// Where it can be referred to.
    pub scope: Scope,
    /// Its type definition.
    pub ty: TypeId,
    /// `nillable`.
    pub nillable: bool,
    /// `default` or `fixed`.
    pub value: Option<ValueConstraint>,
    /// Its identity constraints: `xs:key`, `xs:keyref`, `xs:unique`.
    pub identities: Vec<IdentityId>,
    /// The head of the substitution group that it is a member of.
    pub substitution_head: Option<ElementId>,
    /// The elements that may substitute it, directly or through others, in the order of their declaration. They do not
    /// include abstract elements, elements excluded by `block` or `final`, or the element itself.
    pub substitutes: Vec<ElementId>,
    /// `final`: substitution group exclusions.
    pub exclusions: Derivations,
    /// `block`: disallowed substitutions.
    pub disallowed: Derivations,
    /// `abstract`.
    pub is_abstract: bool,
    /// Its position.
    pub position: Position,
}

/// An attribute declaration (Part 1 section 3.2).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attribute {
    /// Name and target namespace.
    pub name: Name,
    /// Where it can be referred to.
    pub scope: Scope,
    /// Its type definition.
    pub ty: SimpleId,
    /// `default` or `fixed` of the declaration. A use may override it.
    pub value: Option<ValueConstraint>,
    /// Its position.
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
    /// `default` or `fixed` of the use, otherwise of the declaration.
    pub value: Option<ValueConstraint>,
    /// `wsdl:arrayType`: the item type if the type is an array of SOAP's encoding (WSDL 1.1 section 2.2).
    pub array_type: Option<ArrayType>,
    /// The position of the use.
    pub position: Position,
}

/// The item type and the dimensions of an array: `xsd:int[,][]`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArrayType {
    /// The name of the item type.
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
    /// Its position.
    pub position: Position,
}

/// The component that contains a type definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The schema: for named and built-in types.
    Schema,
    /// An element declaration.
    Element(ElementId),
    /// An attribute declaration.
    Attribute(AttributeId),
    /// The base, item type or a member type of a simple type.
    Simple(SimpleId),
    /// A complex type: for the `xs:simpleType` in an `xs:restriction` of simple content.
    Complex(ComplexId),
}
