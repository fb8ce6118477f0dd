//! Unique particle attribution (Part 1 section 3.8.6).
//!
//! Content is ambiguous where two leaves for the same name may come next at the same place. The
//! places that a leaf may come behind are told by its *ways*: it goes forward in a sequence behind
//! one of the children before, it begins a group again that may end, or it is the first of all. Two
//! leaves compete where ways of theirs share a place: that is so if the one's group ends with the
//! other's.

use super::{Kind, Model, NONE, NodeId};
use crate::Name;
use crate::components::{ElementId, Namespaces, Schema};

/// Leaves behind which a leaf may come: the last ones of these nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// None: it may be the first.
    Start,
    /// The last of a node that may occur again.
    Again(u32),
    /// The last of the children of a sequence, from the one of an index to the node of another.
    Forward { sequence: u32, from: u32, to: u32 },
}

/// More pairs of leaves than anybody writes.
pub(crate) const MOST_PAIRS: u64 = 1 << 20;

/// Two leaves that compete for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribution {
    Unique,
    Ambiguous(NodeId, NodeId),
    /// There were more pairs to look at than `MOST_PAIRS`.
    TooMany,
}

/// Whether each name tells the particle it is of.
pub(crate) fn check(model: &Model, schema: &Schema, pairs: &mut u64) -> Attribution {
    let mut ambiguous = |one: u32, other: u32| -> Option<Attribution> {
        *pairs += 1;
        if *pairs > MOST_PAIRS {
            return Some(Attribution::TooMany);
        }
        let (one, other) = (one.min(other), one.max(other));
        let compete = one != other && model.compete(one, other);
        compete.then_some(Attribution::Ambiguous(NodeId(one), NodeId(other)))
    };
    for (n, (name, node)) in model.names.iter().enumerate() {
        for (_, other) in model.names[n + 1..].iter().take_while(|(other, _)| other == name) {
            if let Some(found) = ambiguous(*node, *other) {
                return found;
            }
        }
        for other in model.leaves_of_heads(schema, NodeId(*node)) {
            if let Some(found) = ambiguous(*node, other.0) {
                return found;
            }
        }
    }
    for (n, wildcard) in model.wildcards.iter().enumerate() {
        for other in &model.wildcards[n + 1..] {
            let (Some(a), Some(b)) =
                (model.wildcard(schema, NodeId(*wildcard)), model.wildcard(schema, NodeId(*other)))
            else {
                continue;
            };
            if let Some(found) = a.namespaces.overlap(&b.namespaces).then(|| ambiguous(*wildcard, *other)).flatten() {
                return found;
            }
        }
        let Some(declared) = model.wildcard(schema, NodeId(*wildcard)) else { continue };
        for (name, node) in &model.names {
            if let Some(found) =
                takes(schema, model, *node, *name, &declared.namespaces).then(|| ambiguous(*wildcard, *node)).flatten()
            {
                return found;
            }
        }
    }
    Attribution::Unique
}

/// Whether occurrences tell how they are to be counted: in `(a{2,3}){2,2}` the third `a` may be of the
/// first group or of the second.
///
/// Counting the inner group as long as it goes is right if the inner one occurs a fixed number of times,
/// or if neither has a number to reach.
pub(crate) fn is_countable(model: &Model, pairs: &mut u64) -> bool {
    if !model.nodes.iter().any(|node| node.is_loop() && node.min > 1) {
        return true;
    }
    let leaves = model.nodes.iter().enumerate().filter(|(_, node)| node.is_leaf());
    for (leaf, _) in leaves {
        let ways = model.ways(leaf as u32);
        for (n, inner) in ways.iter().enumerate() {
            for outer in &ways[n + 1..] {
                *pairs += 1;
                let (Way::Again(x), Way::Again(y)) = (inner, outer) else { continue };
                let (x, y) = (&model.nodes[*x as usize], &model.nodes[*y as usize]);
                let told = x.min == x.max || x.min <= 1 && y.min <= 1;
                if !told && model.ends_in(*inner, *outer) || *pairs > MOST_PAIRS {
                    return false;
                }
            }
        }
    }
    true
}

/// The heads of the substitution groups of an element, the nearest first.
fn heads(schema: &Schema, member: Option<ElementId>) -> impl Iterator<Item = ElementId> {
    std::iter::successors(member, |member| schema.elements[*member].substitution_head).skip(1)
}

/// Whether an element of a wildcard's namespaces may stand for that of a leaf.
fn takes(schema: &Schema, model: &Model, leaf: u32, name: Name, namespaces: &Namespaces) -> bool {
    let substitutes = || {
        let element = model.element(NodeId(leaf)).map(|id| &schema.elements[id]);
        element.is_some_and(|element| {
            let names = element.substitutes.iter().map(|member| schema.elements[*member].name);
            names.into_iter().any(|name| namespaces.allows(schema.names.namespace(name)))
        })
    };
    namespaces.allows(schema.names.namespace(name)) || substitutes()
}

impl Model {
    /// The leaves of the heads in whose place an element may stand that is also of this leaf: one of its name,
    /// wherever its declaration is, or where it refers to that, one that may stand in its own place.
    pub(crate) fn leaves_of_heads(&self, schema: &Schema, leaf: NodeId) -> impl Iterator<Item = NodeId> {
        let declared = self.element(leaf);
        let name = declared.map(|element| schema.elements[element].name);
        let global = name.and_then(|name| schema.element_names.get(&name).copied());
        let of_leaf = global.into_iter().flat_map(move |global| {
            let element = &schema.elements[global];
            let others = if declared == Some(global) { &element.substitutes[..] } else { &[] };
            (!element.is_abstract).then_some(global).into_iter().chain(others.iter().copied())
        });
        heads(schema, global).flat_map(move |head| {
            let may_stand = of_leaf.clone().any(|element| schema.substitutions.contains(&(head, element)));
            let leaves = may_stand.then(|| self.of_name(schema.elements[head].name)).into_iter().flatten();
            leaves.map(|(_, leaf)| NodeId(*leaf)).filter(move |leaf| self.element(*leaf) == Some(head))
        })
    }

    pub(crate) fn of_name(&self, name: Name) -> impl Iterator<Item = &(Name, u32)> {
        let from = self.names.partition_point(|(other, _)| *other < name);
        self.names[from..].iter().take_while(move |(other, _)| *other == name)
    }

    /// Whether two leaves may come next at the same place.
    fn compete(&self, one: u32, other: u32) -> bool {
        if self.all {
            return true;
        }
        let others = self.ways(other);
        self.ways(one).iter().any(|one| others.iter().any(|other| self.share(*one, *other)))
    }

    fn ways(&self, leaf: u32) -> Vec<Way> {
        let mut ways = Vec::new();
        let first_top = self.nodes[leaf as usize].first_top;
        if first_top == 0 {
            ways.push(Way::Start);
        }
        let mut id = leaf;
        loop {
            let node = &self.nodes[id as usize];
            // What is around begins with the leaf only up to `first_top`.
            if node.depth < first_top {
                return ways;
            }
            if node.is_loop() {
                ways.push(Way::Again(id));
            }
            if node.parent == NONE {
                return ways;
            }
            if self.nodes[node.parent as usize].kind == Kind::Sequence && node.index > 0 {
                ways.push(Way::Forward { sequence: node.parent, from: node.since, to: node.previous });
            }
            id = node.parent;
        }
    }

    fn share(&self, one: Way, other: Way) -> bool {
        match (one, other) {
            (Way::Start, Way::Start) => true,
            (Way::Start, _) | (_, Way::Start) => false,
            (
                Way::Forward { sequence: a, from: a_from, to: a_to },
                Way::Forward { sequence: b, from: b_from, to: b_to },
            ) if a == b => a_from <= self.index_of(b_to) && b_from <= self.index_of(a_to),
            _ => self.compete_in(one, other) || self.compete_in(other, one),
        }
    }

    /// Whether both ways are open at a last leaf of the inner one's nodes. A group of a fixed number of
    /// occurrences begins again or ends, and never both.
    fn compete_in(&self, inner: Way, outer: Way) -> bool {
        let fixed = |node: u32| self.nodes[node as usize].min == self.nodes[node as usize].max;
        !matches!(inner, Way::Again(node) if fixed(node)) && self.ends_in(inner, outer)
    }

    /// Whether a last leaf of the inner way's nodes is one of the outer's as well.
    fn ends_in(&self, inner: Way, outer: Way) -> bool {
        // Of the children of a sequence the last one ends what is around first.
        let (node, top) = match inner {
            Way::Start => return false,
            Way::Again(node) => (node, self.nodes[node as usize].last_top),
            Way::Forward { sequence, to, .. } => (sequence, self.nodes[to as usize].last_top),
        };
        match outer {
            Way::Start => false,
            Way::Again(around) => self.holds_node(around, node) && top <= self.nodes[around as usize].depth,
            Way::Forward { sequence, from, to } => {
                if sequence == node || !self.holds_node(sequence, node) {
                    return false;
                }
                let mut child = node;
                while self.nodes[child as usize].parent != sequence {
                    child = self.nodes[child as usize].parent;
                }
                let child = &self.nodes[child as usize];
                (from..=self.index_of(to)).contains(&child.index) && top <= child.depth
            }
        }
    }

    fn holds_node(&self, outer: u32, inner: u32) -> bool {
        outer <= inner && inner < self.nodes[outer as usize].end
    }

    fn index_of(&self, node: u32) -> u32 {
        self.nodes[node as usize].index
    }
}

impl Namespaces {
    /// Whether a namespace is in both.
    pub(crate) fn overlap(&self, other: &Namespaces) -> bool {
        match (self, other) {
            (Namespaces::Only(some), others) | (others, Namespaces::Only(some)) => {
                some.iter().any(|namespace| others.allows(*namespace))
            }
            _ => true,
        }
    }
}
