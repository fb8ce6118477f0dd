//! The components of a schema (Part 1 section 3), each with a number and the position it was read from.

mod arena;
mod builtin;
mod declaration;
mod derivation;
mod facets;
mod group;
mod identity;
mod outline;
mod schema;
mod types;

pub use arena::{
    Arena, AttributeGroupId, AttributeId, ComplexId, DocumentId, ElementId, GroupId, Id, IdentityId, NamedGroupId,
    NotationId, ParticleId, SimpleId, WildcardId,
};
pub use builtin::Builtin;
pub use declaration::{
    ArrayType, Attribute, AttributeUse, Derivations, Element, Holder, Notation, Position, Scope, ValueConstraint,
};
pub use facets::{Bound, Enumerated, Enumeration, Facet, Facets};
pub use group::{AttributeGroup, Compositor, ModelGroup, NamedGroup, Namespaces, Particle, Process, Term, Wildcard};
pub use identity::{Identity, IdentityCategory};
pub(crate) use identity::{IdentityPath, NodeTest};
pub use outline::{Inside, Outline, UseOutline};
pub(crate) use schema::ByName;
pub use schema::{Document, Global, Schema};
pub use types::{ComplexType, Content, Derivation, Encoded, SimpleType, TypeId, Variety};
