//! Steps from one child element to the next.

use super::{Kind, Model, NONE, NodeId};
use crate::components::{ElementId, Namespaces, Schema, Wildcard};
use crate::{Name, NamespaceId};

/// How far the content of an element has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(pub(crate) u32);

impl Place {
    /// Before the first child element.
    pub const START: Place = Place(NONE);

    /// The node of the last child element; `None` at the start.
    #[must_use]
    pub fn node(self) -> Option<NodeId> {
        (self.0 != NONE).then_some(NodeId(self.0))
    }
}

/// The particle that a child element matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transition {
    /// The node of the element declaration or wildcard.
    pub to: NodeId,
    /// The node, a group or `to` itself, that begins another occurrence with this element. `None` at the start, and if the
    /// element continues the open groups. The groups that end and begin follow from the parents of the last node and of
    /// this one, see [`Model::turn`].
    pub again: Option<NodeId>,
}

impl Model {
    /// The transition for a child element with a name; `None` if it is not allowed here. `counts` are the
    /// [`Model::counters`] counters of the parent element, which are zero at the start.
    ///
    /// The element matches an element particle with its name, or whose substitution group it is a member of. Otherwise it
    /// matches a wildcard that allows its namespace.
    pub fn step(
        &self,
        schema: &Schema,
        at: Place,
        name: Name,
        namespace: NamespaceId,
        counts: &mut [u32],
    ) -> Option<Transition> {
        if self.takes_any_name {
            // The element of the items comes after the group that it is in.
            return self.go(at, 1, counts);
        }
        let found = self.step_by_name(at, name, counts);
        if found.is_some() {
            return found;
        }
        if self.may_substitute(schema, name) {
            let mut member = schema.element_names.get(&name).copied();
            while let Some(head) = member.and_then(|member| schema.elements[member].substitution_head) {
                let found = self.step_by_name(at, schema.elements[head].name, counts);
                if let Some(found) = found
                    && self.takes(schema, found.to, name)
                {
                    return Some(found);
                }
                member = Some(head);
            }
        }
        let fits = |node: &&u32| {
            let wildcard = self.wildcard(schema, NodeId(**node));
            wildcard.is_some_and(|wildcard| wildcard.namespaces.allows(namespace))
        };
        self.wildcards.iter().filter(fits).find_map(|node| self.go(at, *node, counts))
    }

    fn may_substitute(&self, schema: &Schema, name: Name) -> bool {
        name != Name::UNKNOWN && schema.has_substitution && !self.names.is_empty()
    }

    /// Whether an element with a name may substitute the element of a node.
    fn takes(&self, schema: &Schema, node: NodeId, member: Name) -> bool {
        match (self.element(node), schema.element_names.get(&member)) {
            (Some(head), Some(member)) => schema.substitutions.contains(&(head, *member)),
            _ => false,
        }
    }

    fn step_by_name(&self, at: Place, name: Name, counts: &mut [u32]) -> Option<Transition> {
        let from = self.names.partition_point(|(other, _)| *other < name);
        let same = self.names[from..].iter().take_while(|(other, _)| *other == name);
        same.map(|(_, node)| *node).find_map(|node| self.go(at, node, counts))
    }

    /// The declaration of a node, if it is an element.
    #[must_use]
    pub fn element(&self, node: NodeId) -> Option<ElementId> {
        match self.nodes[node.0 as usize].kind {
            Kind::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The wildcard of a node, if it is one.
    #[must_use]
    pub fn wildcard<'s>(&self, schema: &'s Schema, node: NodeId) -> Option<&'s Wildcard> {
        match self.nodes[node.0 as usize].kind {
            Kind::Wildcard(wildcard) => Some(&schema.wildcards[wildcard]),
            _ => None,
        }
    }

    /// Goes to a leaf, if it may come next.
    #[inline]
    pub(crate) fn go(&self, at: Place, to: u32, counts: &mut [u32]) -> Option<Transition> {
        if self.all {
            return self.go_in_all(at, to, counts);
        }
        if self.several {
            return self.go_several(at, to, counts);
        }
        if self.flat {
            return self.go_in_sequence(at, to, counts);
        }
        let mut again = None;
        self.follows(at, to, counts, counts, |found| {
            again = Some(found);
            true
        });
        let again = again?;
        self.count(at, to, again, counts);
        Some(Transition { to: NodeId(to), again: again.map(NodeId) })
    }

    /// Counts the occurrences that begin on the path to a leaf.
    pub(super) fn count(&self, at: Place, to: u32, again: Option<u32>, counts: &mut [u32]) {
        // Groups that begin with this element begin with their first occurrence.
        let begun = match (again, at.node()) {
            (Some(node), _) => self.nodes[node as usize].depth,
            (None, None) => NONE,
            (None, Some(from)) => self.nodes[self.meeting(from.0, to) as usize].depth,
        };
        let mut node = to;
        while node != NONE && (begun == NONE || self.nodes[node as usize].depth > begun) {
            let entered = &self.nodes[node as usize];
            if entered.counter != NONE {
                counts[entered.counter as usize] = 1;
            }
            node = entered.parent;
        }
        if let Some(node) = again.map(|node| &self.nodes[node as usize])
            && node.counter != NONE
        {
            let count = &mut counts[node.counter as usize];
            // Occurrences without an upper limit are counted only up to the least number.
            *count = if node.max == u32::MAX { (*count + 1).min(node.min) } else { *count + 1 };
        }
    }

    /// The innermost node that contains both nodes.
    pub(super) fn meeting(&self, from: u32, to: u32) -> u32 {
        let mut node = from;
        while !self.holds(node, to) {
            node = self.nodes[node as usize].parent;
        }
        node
    }

    pub(super) fn holds(&self, outer: u32, inner: u32) -> bool {
        outer <= inner && inner < self.nodes[outer as usize].end
    }

    /// Calls `enough` for each way in which a leaf may come next, until it returns `true`. Its argument is the node that
    /// begins another occurrence, if any. Each counter is between `least` and `most`.
    ///
    /// Continuing a group comes before beginning it again, and inner groups before outer ones.
    pub(super) fn follows(
        &self,
        at: Place,
        to: u32,
        least: &[u32],
        most: &[u32],
        mut enough: impl FnMut(Option<u32>) -> bool,
    ) {
        let next = &self.nodes[to as usize];
        let Some(NodeId(from)) = at.node() else {
            if next.first_top == 0 {
                enough(None);
            }
            return;
        };
        let last_top = self.nodes[from as usize].last_top;
        let mut id = from;
        loop {
            let node = &self.nodes[id as usize];
            let count = least.get(node.counter as usize).copied();
            let holds = self.holds(id, to);
            let again = holds && node.is_loop() && next.first_top <= node.depth && count.unwrap_or(0) < node.max;
            if again && enough(Some(id)) {
                return;
            }
            let count = most.get(node.counter as usize).copied();
            if count.is_some_and(|count| count < node.min) || node.parent == NONE {
                return;
            }
            let parent = &self.nodes[node.parent as usize];
            if !holds && self.holds(node.parent, to) && parent.kind == Kind::Sequence {
                let child = self.child(node.parent, to);
                let index = self.nodes[child as usize].index;
                let reached = index > node.index && index <= node.reach;
                if reached && next.first_top <= parent.depth + 1 && enough(None) {
                    return;
                }
            }
            if last_top > parent.depth {
                return;
            }
            id = node.parent;
        }
    }

    /// The child of a node that contains a leaf.
    fn child(&self, parent: u32, leaf: u32) -> u32 {
        let mut node = leaf;
        while self.nodes[node as usize].parent != parent && self.nodes[node as usize].parent != NONE {
            node = self.nodes[node as usize].parent;
        }
        node
    }

    /// Like [`Model::go`], for a single sequence without groups.
    fn go_in_sequence(&self, at: Place, to: u32, counts: &mut [u32]) -> Option<Transition> {
        let next = &self.nodes[to as usize];
        let Some(NodeId(from)) = at.node() else {
            if next.first_top != 0 {
                return None;
            }
            if next.counter != NONE {
                counts[next.counter as usize] = 1;
            }
            return Some(Transition { to: NodeId(to), again: None });
        };
        let last = &self.nodes[from as usize];
        let count = counts.get(last.counter as usize).copied();
        if from == to {
            if !last.is_loop() || count.is_some_and(|count| count >= last.max) {
                return None;
            }
            if let Some(count) = counts.get_mut(last.counter as usize) {
                // Occurrences without an upper limit are counted only up to the least number.
                *count = if last.max == u32::MAX { (*count + 1).min(last.min) } else { *count + 1 };
            }
            return Some(Transition { to: NodeId(to), again: Some(NodeId(to)) });
        }
        if count.is_some_and(|count| count < last.min) || next.index <= last.index || next.index > last.reach {
            return None;
        }
        if next.counter != NONE {
            counts[next.counter as usize] = 1;
        }
        Some(Transition { to: NodeId(to), again: None })
    }

    /// The counter at a place whose element has occurred so often, for a single sequence without groups.
    pub(crate) fn counted(&self, at: Place, occurred: u32) -> u32 {
        let last = at.node().and_then(|NodeId(last)| self.nodes.get(last as usize));
        last.map_or(0, |last| if last.max == u32::MAX { occurred.min(last.min) } else { occurred })
    }

    /// Only in a struct of SOAP's encoding can an element repeat, and then directly.
    fn go_in_all(&self, at: Place, to: u32, counts: &mut [u32]) -> Option<Transition> {
        let word = counts.get_mut(to as usize / 32)?;
        let bit = 1 << (to % 32);
        if *word & bit != 0 && !(at.0 == to && self.nodes[to as usize].is_loop()) {
            return None;
        }
        *word |= bit;
        Some(Transition { to: NodeId(to), again: None })
    }

    /// Whether the content may end here.
    #[must_use]
    pub fn accepts(&self, at: Place, counts: &[u32]) -> bool {
        let Some(root) = self.nodes.first() else {
            return true;
        };
        let Some(NodeId(from)) = at.node() else {
            return root.nullable;
        };
        if self.all {
            let is_there = |n: usize| counts.get(n / 32).is_some_and(|word| word & (1 << (n % 32)) != 0);
            return self.nodes.iter().enumerate().skip(1).all(|(n, node)| node.nullable || is_there(n));
        }
        if self.nodes[from as usize].last_top != 0 {
            return false;
        }
        if self.several { self.accepts_several(from, counts) } else { self.is_counted(from, counts) }
    }

    /// Whether all groups around a leaf have occurred often enough.
    pub(super) fn is_counted(&self, leaf: u32, counts: &[u32]) -> bool {
        let mut node = leaf;
        while node != NONE {
            let ended = &self.nodes[node as usize];
            if counts.get(ended.counter as usize).is_some_and(|count| *count < ended.min) {
                return false;
            }
            node = ended.parent;
        }
        true
    }

    /// The leaves that may come next, in the order of the schema, at most `most`.
    #[must_use]
    pub fn expected(&self, at: Place, counts: &[u32], most: usize) -> Vec<NodeId> {
        // Before the first element, there may be no counters yet.
        let mut counts = counts.to_vec();
        counts.resize(self.counters(), 0);
        let mut copy = counts.clone();
        let mut leaves = Vec::new();
        for n in 0..self.nodes.len() as u32 {
            if leaves.len() == most {
                break;
            }
            copy.copy_from_slice(&counts);
            if self.nodes[n as usize].is_leaf() && self.go(at, n, &mut copy).is_some() {
                leaves.push(NodeId(n));
            }
        }
        leaves
    }
}

impl Namespaces {
    /// Whether a namespace is allowed (Part 1 section 3.10.4).
    #[must_use]
    pub fn allows(&self, namespace: NamespaceId) -> bool {
        match self {
            Namespaces::Any => true,
            Namespaces::Not(other) => namespace != *other && namespace != NamespaceId::NONE,
            Namespaces::Only(some) => some.contains(&namespace),
        }
    }
}
