//! Unique particle attribution (Part 1 section 3.8.6).
//!
//! Content is ambiguous if two leaves for the same name may come next at the same place. The places after which a leaf may
//! come are described by its *predecessors*: it may be the first of all, it may continue a sequence after an earlier
//! child, or it may begin another occurrence of a group. Two leaves compete if their predecessors have a place in common,
//! which is the case if one's group ends with the other's.

use super::{Kind, Model, NONE, NodeId};
use crate::Name;
use crate::components::{ElementId, Namespaces, Schema};

/// Leaves after which another leaf may come: the last leaves of some nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Predecessors {
    /// None: it may be the first.
    Start,
    /// The last leaves of a node that may occur again.
    Again(u32),
    /// The last leaves of children of a sequence, from index `from` to node `to`.
    Forward { sequence: u32, from: u32, to: u32 },
}

/// More pairs of leaves than any real schema has.
pub(crate) const MOST_PAIRS: u64 = 1 << 20;

/// The result of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribution {
    Unique,
    /// Two leaves that compete for a name.
    Ambiguous(NodeId, NodeId),
    /// There were more pairs to compare than `MOST_PAIRS`.
    TooMany,
}

/// Checks that each name determines its particle; if it `prefers_elements`, among element declarations and among wildcards.
pub(crate) fn check(model: &Model, schema: &Schema, prefers_elements: bool, pairs: &mut u64) -> Attribution {
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
        let declared = model.wildcard(schema, NodeId(*wildcard)).filter(|_| !prefers_elements);
        let Some(declared) = declared else { continue };
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

/// Whether occurrences can be counted in only one way. In `(a{2,3}){2,2}`, the third `a` may belong to the first group or
/// to the second.
///
/// Making the inner group as long as possible is right if it occurs a fixed number of times, or if neither group needs
/// more than one occurrence.
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
                let (Predecessors::Again(x), Predecessors::Again(y)) = (inner, outer) else { continue };
                let (x, y) = (&model.nodes[*x as usize], &model.nodes[*y as usize]);
                let is_decided = x.min == x.max || x.min <= 1 && y.min <= 1;
                if !is_decided && model.ends_in(*inner, *outer) || *pairs > MOST_PAIRS {
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

/// Whether an element that matches a leaf may also match a wildcard.
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
    /// The leaves of substitution group heads that an element of this leaf may substitute. An element of this leaf has its
    /// name, or substitutes it if the leaf refers to a global declaration.
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
            let may_substitute = of_leaf.clone().any(|element| schema.substitutions.contains(&(head, element)));
            let leaves = may_substitute.then(|| self.of_name(schema.elements[head].name)).into_iter().flatten();
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

    fn ways(&self, leaf: u32) -> Vec<Predecessors> {
        let mut ways = Vec::new();
        let first_top = self.nodes[leaf as usize].first_top;
        if first_top == 0 {
            ways.push(Predecessors::Start);
        }
        let mut id = leaf;
        loop {
            let node = &self.nodes[id as usize];
            // Groups outside of `first_top` do not begin with this leaf.
            if node.depth < first_top {
                return ways;
            }
            if node.is_loop() {
                ways.push(Predecessors::Again(id));
            }
            if node.parent == NONE {
                return ways;
            }
            if self.nodes[node.parent as usize].kind == Kind::Sequence && node.index > 0 {
                ways.push(Predecessors::Forward { sequence: node.parent, from: node.since, to: node.previous });
            }
            id = node.parent;
        }
    }

    fn share(&self, one: Predecessors, other: Predecessors) -> bool {
        match (one, other) {
            (Predecessors::Start, Predecessors::Start) => true,
            (Predecessors::Start, _) | (_, Predecessors::Start) => false,
            (
                Predecessors::Forward { sequence: a, from: a_from, to: a_to },
                Predecessors::Forward { sequence: b, from: b_from, to: b_to },
            ) if a == b => a_from <= self.index_of(b_to) && b_from <= self.index_of(a_to),
            _ => self.compete_in(one, other) || self.compete_in(other, one),
        }
    }

    /// Whether the inner group can go on at a leaf that also allows the outer one. A group with a fixed number of
    /// occurrences either begins again or ends, never both.
    fn compete_in(&self, inner: Predecessors, outer: Predecessors) -> bool {
        let fixed = |node: u32| self.nodes[node as usize].min == self.nodes[node as usize].max;
        !matches!(inner, Predecessors::Again(node) if fixed(node)) && self.ends_in(inner, outer)
    }

    /// Whether a last leaf of the inner nodes is also a last leaf of the outer ones.
    fn ends_in(&self, inner: Predecessors, outer: Predecessors) -> bool {
        // Among the children of a sequence, the last one ends the outermost groups.
        let (node, top) = match inner {
            Predecessors::Start => return false,
            Predecessors::Again(node) => (node, self.nodes[node as usize].last_top),
            Predecessors::Forward { sequence, to, .. } => (sequence, self.nodes[to as usize].last_top),
        };
        match outer {
            Predecessors::Start => false,
            Predecessors::Again(around) => self.holds_node(around, node) && top <= self.nodes[around as usize].depth,
            Predecessors::Forward { sequence, from, to } => {
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
    /// Whether some namespace is allowed by both.
    pub(crate) fn overlap(&self, other: &Namespaces) -> bool {
        match (self, other) {
            (Namespaces::Only(some), others) | (others, Namespaces::Only(some)) => {
                some.iter().any(|namespace| others.allows(*namespace))
            }
            _ => true,
        }
    }
}
