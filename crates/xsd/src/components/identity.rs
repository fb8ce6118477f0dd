//! Identity-constraint definitions (Part 1 section 3.11).

use super::{IdentityId, Position};
use crate::{Name, NamespaceId};

/// `xs:key`, `xs:keyref` or `xs:unique`.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Name and target namespace.
    pub name: Name,
    /// The kind of constraint.
    pub category: IdentityCategory,
    /// The XPath of the selector, as written.
    pub selector: String,
    /// The XPaths of the fields, as written.
    pub fields: Vec<String>,
    pub(crate) selector_paths: Vec<IdentityPath>,
    pub(crate) field_paths: Vec<Vec<IdentityPath>>,
    /// The number of steps in all paths of the selector.
    pub(crate) selector_steps: u64,
    /// The number of steps in all paths of the fields.
    pub(crate) field_steps: u64,
    /// How many levels below a selected element its fields can be.
    pub(crate) reach: usize,
    /// Its position.
    pub position: Position,
}

/// The kind of an identity constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityCategory {
    /// `xs:key`: each selected element has a value, and all values differ.
    Key,
    /// `xs:unique`: all values differ.
    Unique,
    /// `xs:keyref`: each value is also a value of the key.
    Keyref(IdentityId),
}

/// One alternative of an XPath of section 3.11.6.
#[derive(Clone, Debug)]
pub(crate) struct IdentityPath {
    /// Whether it begins with `.//`.
    pub(crate) anywhere: bool,
    /// The elements, outermost first.
    pub(crate) steps: Vec<NodeTest>,
    /// The attribute at the end of a field.
    pub(crate) attribute: Option<NodeTest>,
}

/// What a step of such an XPath matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeTest {
    /// `*`.
    Any,
    /// `p:*`.
    Namespace(NamespaceId),
    /// A name.
    Name(Name),
}
