//! Identity-constraint definitions (Part 1 section 3.11).

use super::{IdentityId, Position};
use crate::{Name, NamespaceId};

/// `xs:key`, `xs:keyref` or `xs:unique`.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Name and target namespace.
    pub name: Name,
    /// Which of the three.
    pub category: IdentityCategory,
    /// The selector as written.
    pub selector: String,
    /// The fields as written.
    pub fields: Vec<String>,
    pub(crate) selector_paths: Vec<IdentityPath>,
    pub(crate) field_paths: Vec<Vec<IdentityPath>>,
    /// The steps of all paths of the selector, and of the fields.
    pub(crate) selector_steps: u64,
    pub(crate) field_steps: u64,
    /// How many levels below a target its fields can be.
    pub(crate) reach: usize,
    /// Where it stands.
    pub position: Position,
}

/// Which identity constraint it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityCategory {
    /// `xs:key`: each has one, and no two the same.
    Key,
    /// `xs:unique`: no two have the same.
    Unique,
    /// `xs:keyref`: each is one of those of a key.
    Keyref(IdentityId),
}

/// One alternative of an XPath of section 3.11.6.
#[derive(Clone, Debug)]
pub(crate) struct IdentityPath {
    /// `.//` in front.
    pub(crate) anywhere: bool,
    /// The elements, outermost first.
    pub(crate) steps: Vec<NodeTest>,
    /// The attribute at the end, of fields.
    pub(crate) attribute: Option<NodeTest>,
}

/// What a step of such an XPath stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeTest {
    /// `*`.
    Any,
    /// `p:*`.
    Namespace(NamespaceId),
    /// A name.
    Name(Name),
}
