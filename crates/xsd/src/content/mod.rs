//! Content models: which child elements may follow which.
//!
//! A content model is the tree of its particles. A place in the content is a leaf of the tree. Content must be unambiguous
//! (Part 1 section 3.8.6, unique particle attribution), so a place and the name of the next element determine the next
//! place. Whether it may follow is computed from numbers in the nodes, without a transition table: a model takes memory
//! for its particles, not for pairs of them. Occurrences are counted while reading, so that a large `maxOccurs` costs
//! nothing.

mod compile;
mod several;
mod step;
mod turn;
mod upa;
mod within;

pub(crate) use compile::{Budget, compile};
pub use several::Tally;
pub use step::{Place, Transition};
pub use turn::Turn;
pub(crate) use upa::{Attribution, MOST_PAIRS, check as check_attribution, is_countable};

pub(crate) use within::{Outside, within};

use crate::Name;
use crate::components::{ElementId, ParticleId, WildcardId};

/// A node of a [`Model`]: a particle at its place in the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Its index in [`Model::nodes`].
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// No node, no counter.
pub(crate) const NONE: u32 = u32::MAX;

/// How many ways of counting are followed at the same time. Beyond it, the ways with the shortest inner groups are
/// dropped.
pub(crate) const MOST_WAYS: usize = 64;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Element(ElementId),
    Wildcard(WildcardId),
    Sequence,
    Choice,
    All,
}

/// A particle at its place in the content.
///
/// `parent`, `index` and `depth` skip groups without an effect, such as a sequence that occurs once in a sequence.
/// `written_parent` does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) particle: ParticleId,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
    /// The name of an element.
    pub(crate) name: Name,
    pub(crate) min: u32,
    /// `u32::MAX` if unbounded.
    pub(crate) max: u32,
    pub(crate) written_parent: u32,
    pub(crate) parent: u32,
    /// One after the last node in it.
    pub(crate) end: u32,
    /// Its index among the children of `parent`.
    pub(crate) index: u32,
    pub(crate) depth: u32,
    /// Depth of the outermost node that can begin with this one.
    pub(crate) first_top: u32,
    /// Depth of the outermost node that can end with this one.
    pub(crate) last_top: u32,
    /// In a sequence, index of the last sibling that can follow directly.
    pub(crate) reach: u32,
    /// In a sequence, the sibling before it.
    pub(crate) previous: u32,
    /// In a sequence, index of the first sibling that it can follow directly.
    pub(crate) since: u32,
    /// Its counter of occurrences; `NONE` if they need not be counted.
    pub(crate) counter: u32,
}

impl Node {
    pub(crate) fn is_loop(&self) -> bool {
        self.max > 1
    }

    pub(crate) fn is_leaf(&self) -> bool {
        matches!(self.kind, Kind::Element(_) | Kind::Wildcard(_))
    }
}

/// The content of a complex type, compiled.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The nodes in document order: each group comes before its content.
    pub(crate) nodes: Vec<Node>,
    /// The elements, sorted by name.
    pub(crate) names: Vec<(Name, u32)>,
    pub(crate) wildcards: Vec<u32>,
    /// The number of counters.
    pub(crate) counters: u32,
    /// Whether it is one sequence of elements and wildcards that occurs once.
    pub(crate) flat: bool,
    /// Whether it is an `xs:all`, whose counters are a bit set of the elements that have occurred.
    pub(crate) all: bool,
    /// Whether it is an array of SOAP's encoding, whose items may have any name.
    pub(crate) takes_any_name: bool,
    /// Whether occurrences can be counted in several ways. All of them are followed.
    pub(crate) several: bool,
}

impl Model {
    /// The node of the whole content; `None` where there are no elements.
    #[must_use]
    pub fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(NodeId(0))
    }

    /// The particle of a node.
    #[must_use]
    pub fn particle(&self, node: NodeId) -> ParticleId {
        self.nodes[node.0 as usize].particle
    }

    /// The node of the model group that contains a node in the schema; `None` for the root.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node.0 as usize].written_parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// All nodes. A group comes before its content.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The first element with a name.
    #[must_use]
    pub fn find(&self, name: Name) -> Option<NodeId> {
        let at = self.names.partition_point(|(other, _)| *other < name);
        self.names.get(at).filter(|(other, _)| *other == name).map(|(_, node)| NodeId(*node))
    }

    /// Whether it is one sequence of elements and wildcards that occurs once.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.flat
    }

    /// The number of counters for [`Model::step`].
    #[must_use]
    pub fn counters(&self) -> usize {
        if self.several { 1 + MOST_WAYS * 2 * self.counters as usize } else { self.counters as usize }
    }

    /// Whether occurrences can be counted in only one way. In `(a{1,2}){2,2}`, the second `a` may belong to the first group
    /// or to the second, which depends on the elements after it. Such content is validated correctly, but
    /// [`Transition::again`] assumes that inner groups are as long as possible.
    #[must_use]
    pub fn is_countable(&self) -> bool {
        !self.several
    }
}

#[cfg(test)]
mod tests;
