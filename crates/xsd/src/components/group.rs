//! Model groups, particles and wildcards (Part 1 sections 3.7 to 3.10), attribute groups (3.6).

use super::{AttributeUse, ElementId, GroupId, NamedGroupId, ParticleId, Position, WildcardId};
use crate::{Name, NamespaceId};

/// How the particles of a model group are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compositor {
    /// `xs:sequence`: one after the other.
    Sequence,
    /// `xs:choice`: one of them.
    Choice,
    /// `xs:all`: each at most once, in any order.
    All,
}

/// A model group (Part 1 section 3.8).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelGroup {
    /// How its particles are combined.
    pub compositor: Compositor,
    /// Its particles in the order of the document, without those with `maxOccurs="0"`.
    pub particles: Vec<ParticleId>,
    /// Its position.
    pub position: Position,
}

/// A particle (Part 1 section 3.9): a term and how often it occurs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Particle {
    /// `minOccurs`.
    pub min: u32,
    /// `maxOccurs`; `None` if unbounded. Numbers above 2^32 - 2 count as unbounded.
    pub max: Option<u32>,
    /// What occurs.
    pub term: Term,
    /// For a reference (`<xs:group ref="…"/>`), the model group definition that it refers to.
    pub reference: Option<NamedGroupId>,
    /// Its position.
    pub position: Position,
}

/// The term of a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// An element declaration. If its scope is global, the particle is a reference.
    Element(ElementId),
    /// A model group.
    Group(GroupId),
    /// `xs:any`.
    Wildcard(WildcardId),
}

/// A model group definition (Part 1 section 3.7).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NamedGroup {
    /// Name and target namespace.
    pub name: Name,
    /// Its model group.
    pub group: GroupId,
    /// Its position.
    pub position: Position,
}

/// An attribute group definition (Part 1 section 3.6), including the groups that it refers to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AttributeGroup {
    /// Name and target namespace.
    pub name: Name,
    /// All attribute uses.
    pub attributes: Vec<AttributeUse>,
    /// The wildcard for other attributes.
    pub wildcard: Option<WildcardId>,
    /// Its position.
    pub position: Position,
}

/// A wildcard (Part 1 section 3.10).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Wildcard {
    /// The allowed namespaces.
    pub namespaces: Namespaces,
    /// How matching elements or attributes are validated.
    pub process: Process,
    /// Its position.
    pub position: Position,
}

/// A namespace constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Namespaces {
    /// `##any`.
    Any,
    /// `##other`: any but this one and none.
    Not(NamespaceId),
    /// These, in the order of the document. `##local` is [`NamespaceId::NONE`].
    Only(Vec<NamespaceId>),
}

/// How elements and attributes that match a wildcard are validated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// They must have a declaration and be valid.
    Strict,
    /// They must be valid if they have a declaration.
    Lax,
    /// They are not validated.
    Skip,
}
