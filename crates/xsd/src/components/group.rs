//! Model groups, particles and wildcards (Part 1 sections 3.7 to 3.10), attribute groups (3.6).

use super::{AttributeUse, ElementId, GroupId, NamedGroupId, ParticleId, Position, WildcardId};
use crate::{Name, NamespaceId};

/// How the particles of a model group stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compositor {
    /// `xs:sequence`: one after the other.
    Sequence,
    /// `xs:choice`: one of them.
    Choice,
    /// `xs:all`: each once at the most, in any order.
    All,
}

/// A model group (Part 1 section 3.8).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelGroup {
    /// How its particles stand together.
    pub compositor: Compositor,
    /// In the order of the document. Those that may not occur (`maxOccurs="0"`) are not there.
    pub particles: Vec<ParticleId>,
    /// Where it stands.
    pub position: Position,
}

/// A particle (Part 1 section 3.9): a term and how often.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Particle {
    /// `minOccurs`.
    pub min: u32,
    /// `maxOccurs`, `None` if unbounded. Numbers beyond 2^32 - 2 are taken for unbounded.
    pub max: Option<u32>,
    /// Of what.
    pub term: Term,
    /// The model group definition whose model group the term is, where the particle is a reference
    /// (`<xs:group ref="…"/>`).
    pub reference: Option<NamedGroupId>,
    /// Where it stands.
    pub position: Position,
}

/// What a particle is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// An element declaration. A reference if its scope is global.
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
    /// Where it stands.
    pub position: Position,
}

/// An attribute group definition (Part 1 section 3.6), the groups it refers to reckoned in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AttributeGroup {
    /// Name and target namespace.
    pub name: Name,
    /// All attribute uses.
    pub attributes: Vec<AttributeUse>,
    /// Which other attributes there may be.
    pub wildcard: Option<WildcardId>,
    /// Where it stands.
    pub position: Position,
}

/// A wildcard (Part 1 section 3.10).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Wildcard {
    /// Of which namespaces.
    pub namespaces: Namespaces,
    /// How what stands there is looked at.
    pub process: Process,
    /// Where it stands.
    pub position: Position,
}

/// A namespace constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Namespaces {
    /// `##any`.
    Any,
    /// `##other`: any but this one and none.
    Not(NamespaceId),
    /// These, in the order of the document; none is [`NamespaceId::NONE`].
    Only(Vec<NamespaceId>),
}

/// How what a wildcard stands for is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// There must be a declaration, and it must be valid.
    Strict,
    /// It must be valid where there is a declaration.
    Lax,
    /// Not at all.
    Skip,
}
