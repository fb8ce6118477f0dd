//! Content models: which elements may follow which.
//!
//! A content model is kept as the tree of its particles. Because the Recommendation wants content to
//! be unambiguous (Part 1 section 3.8.6, unique particle attribution), the place in it, a leaf of the
//! tree, and the name of the next element tell the next place; whether that one may follow is read off
//! numbers that each node has, without a table of what follows what, so that a model takes room for
//! its particles and not for pairs of them. How often a particle has occurred is counted while
//! reading, so that `maxOccurs` costs nothing.

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

/// A node of a [`Model`]: a particle where it stands in this content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Its place among [`Model::nodes`].
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// None of them.
pub(crate) const NONE: u32 = u32::MAX;

/// Ways of counting that are followed side by side; beyond, those are dropped in which groups within
/// go on the shortest.
pub(crate) const MOST_WAYS: usize = 64;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Element(ElementId),
    Wildcard(WildcardId),
    Sequence,
    Choice,
    All,
}

/// A particle in its place.
///
/// Groups that change nothing (a sequence in a sequence, once) are passed over by `parent`, `index`
/// and `depth`, and not by `written_parent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) particle: ParticleId,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
    /// Of an element: its name.
    pub(crate) name: Name,
    pub(crate) min: u32,
    /// `u32::MAX` if unbounded.
    pub(crate) max: u32,
    pub(crate) written_parent: u32,
    pub(crate) parent: u32,
    /// Behind the last node in it.
    pub(crate) end: u32,
    /// Which child of `parent`.
    pub(crate) index: u32,
    pub(crate) depth: u32,
    /// Depth of the outermost node that can begin with this one.
    pub(crate) first_top: u32,
    /// Depth of the outermost node that can end with this one.
    pub(crate) last_top: u32,
    /// The last sibling in a sequence that can follow at once.
    pub(crate) reach: u32,
    /// The sibling before it in a sequence.
    pub(crate) previous: u32,
    /// Index of the first sibling that it can follow at once.
    pub(crate) since: u32,
    /// Where its occurrences are counted, `NONE` if they need not be.
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
    /// Each before what is in it.
    pub(crate) nodes: Vec<Node>,
    /// The elements by name.
    pub(crate) names: Vec<(Name, u32)>,
    pub(crate) wildcards: Vec<u32>,
    /// Counters that a reader needs.
    pub(crate) counters: u32,
    /// Whether it is one sequence, once, of elements and wildcards.
    pub(crate) flat: bool,
    /// Whether it is an `xs:all`, whose counters tell what has been there.
    pub(crate) all: bool,
    /// Whether occurrences can be counted in several ways, which then are all followed.
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

    /// The node of the model group that a node stands in, as written; `None` for the root.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node.0 as usize].written_parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// All nodes, each before what is in it.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The first element of a name.
    #[must_use]
    pub fn find(&self, name: Name) -> Option<NodeId> {
        let at = self.names.partition_point(|(other, _)| *other < name);
        self.names.get(at).filter(|(other, _)| *other == name).map(|(_, node)| NodeId(*node))
    }

    /// Whether it is one sequence, once, of elements and wildcards.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.flat
    }

    /// How many counters [`Model::step`] wants.
    #[must_use]
    pub fn counters(&self) -> usize {
        if self.several { 1 + MOST_WAYS * 2 * self.counters as usize } else { self.counters as usize }
    }

    /// Whether occurrences can be counted in one way only. In `(a{1,2}){2,2}` the second `a` may be of the
    /// first group or of the second: what follows tells. Instances of such content are checked as they
    /// should be, but [`Transition::again`] tells only that reading in which groups within go on as
    /// long as they can.
    #[must_use]
    pub fn is_countable(&self) -> bool {
        !self.several
    }
}

#[cfg(test)]
mod tests;
