//! Whether content allows no more than other content (Part 1 section 3.4.6, derivation valid
//! (restriction), clause 5.4).
//!
//! Where each particle has its counterpart in the base, as in most restrictions, one pass over the particles says so.
//! Elsewhere both models are walked side by side, so that what is refused is refused because there is an instance that
//! the base would not have. Content that needs many steps to be compared is taken for restricted.

use std::collections::HashSet;

use super::{Kind, Model, NONE, Node, NodeId, Place};
use crate::Name;
use crate::components::{Schema, Wildcard};

/// Steps that one type may take, and all types together.
const MOST_STEPS: u32 = 50_000;
const MOST_STEPS_OF_ALL: u32 = 4_000_000;

/// What the other content does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outside {
    /// A leaf where it comes.
    Leaf(NodeId),
    /// That it ends behind a leaf, or with nothing.
    End(Option<NodeId>),
}

/// How far both have been read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    at: u32,
    counts: Box<[u32]>,
    base_at: u32,
    base_counts: Box<[u32]>,
}

/// The pairs of leaves of elements, own and base's, that the same elements are of; or what the base does
/// not allow.
pub(crate) fn within(
    schema: &Schema,
    own: &Model,
    base: &Model,
    steps_of_all: &mut u32,
) -> Result<Vec<(NodeId, NodeId)>, Outside> {
    if let Some(pairs) = counterparts(schema, own, base) {
        return Ok(pairs);
    }
    let start = State {
        at: Place::START.0,
        counts: own.kept(&vec![0; own.counters()]),
        base_at: Place::START.0,
        base_counts: base.kept(&vec![0; base.counters()]),
    };
    let (mut known, mut waiting, mut pairs) = (HashSet::from([start.clone()]), vec![start], HashSet::new());
    let mut steps = 0;
    while let Some(state) = waiting.pop() {
        let (at, base_at) = (Place(state.at), Place(state.base_at));
        let is_sure = !base.has_dropped(&state.base_counts);
        if is_sure && own.accepts(at, &state.counts) && !base.accepts(base_at, &state.base_counts) {
            return Err(Outside::End(at.node()));
        }
        for leaf in 0..own.nodes.len() as u32 {
            steps += 1;
            *steps_of_all += 1;
            if steps > MOST_STEPS || *steps_of_all > MOST_STEPS_OF_ALL {
                return Ok(pairs.into_iter().collect());
            }
            if !own.nodes[leaf as usize].is_leaf() {
                continue;
            }
            let mut counts = own.all_counters(&state.counts);
            if own.go(at, leaf, &mut counts).is_none() {
                continue;
            }
            let counts = own.kept(&counts);
            let mut step = |found: Option<(u32, Box<[u32]>)>| {
                let Some((base_at, base_counts)) = found else {
                    return if is_sure { Err(Outside::Leaf(NodeId(leaf))) } else { Ok(()) };
                };
                if base.element(NodeId(base_at)).is_some() && own.element(NodeId(leaf)).is_some() {
                    pairs.insert((NodeId(leaf), NodeId(base_at)));
                }
                let next = State { at: leaf, counts: counts.clone(), base_at, base_counts };
                if known.insert(next.clone()) {
                    waiting.push(next);
                }
                Ok(())
            };
            match own.wildcard(schema, NodeId(leaf)) {
                Some(wildcard) => match base.go_by_wildcard(schema, base_at, wildcard, &state.base_counts) {
                    Covered::By(node, counts) => step(Some((node, counts)))?,
                    Covered::No => step(None)?,
                    Covered::Perhaps => {}
                },
                None => {
                    for name in own.names_of(schema, NodeId(leaf)) {
                        let mut counts = base.all_counters(&state.base_counts);
                        let namespace = schema.names.namespace(name);
                        let found = base.step(schema, base_at, name, namespace, &mut counts);
                        step(found.map(|transition| (transition.to.0, base.kept(&counts))))?;
                    }
                }
            }
        }
    }
    Ok(pairs.into_iter().collect())
}

/// The pairs of leaves of elements where each node has a counterpart in the base that allows no less, in the same
/// order, and what the base has besides may be absent. `None` says nothing.
fn counterparts(schema: &Schema, own: &Model, base: &Model) -> Option<Vec<(NodeId, NodeId)>> {
    let mut counterpart = vec![NONE; own.nodes.len()];
    let mut pairs = Vec::new();
    let mut others = 0;
    for (n, node) in own.nodes.iter().enumerate() {
        // No instance has a choice of nothing, nor what is beside it.
        if !node.is_leaf() && node.end == n as u32 + 1 {
            return None;
        }
        if own.is_passed(n) {
            continue;
        }
        let parent = counterpart.get(node.parent as usize).copied().unwrap_or(NONE);
        loop {
            let other = base.nodes.get(others)?;
            if base.is_passed(others) {
                others += 1;
            } else if other.parent == parent && allows(schema, other, node) {
                break;
            } else {
                others = base.past_absent(others)?;
            }
        }
        counterpart[n] = others as u32;
        if matches!((node.kind, base.nodes[others].kind), (Kind::Element(_), Kind::Element(_))) {
            pairs.push((NodeId(n as u32), NodeId(others as u32)));
        }
        others += 1;
    }
    while others < base.nodes.len() {
        others = if base.is_passed(others) { others + 1 } else { base.past_absent(others)? };
    }
    Some(pairs)
}

/// Whether a node allows what another does, children aside.
fn allows(schema: &Schema, base: &Node, own: &Node) -> bool {
    let is_allowed = match (own.kind, base.kind) {
        (Kind::Element(one), Kind::Element(other)) => {
            let element = &schema.elements[one];
            one == other || own.name == base.name && !element.is_abstract && element.substitutes.is_empty()
        }
        (Kind::Wildcard(one), Kind::Wildcard(other)) => {
            let (one, other) = (&schema.wildcards[one], &schema.wildcards[other]);
            one.process.strictness() >= other.process.strictness() && one.namespaces.within(&other.namespaces)
        }
        (one, other) => one == other,
    };
    is_allowed && own.min >= base.min && own.max <= base.max
}

/// Whether wildcards stand for all that another one does.
enum Covered {
    By(u32, Box<[u32]>),
    No,
    /// Several together may.
    Perhaps,
}

impl Model {
    /// Whether a node is a group that changes nothing: what is in it stands in the group around it.
    fn is_passed(&self, node: usize) -> bool {
        let first = self.nodes.get(node + 1).filter(|first| first.written_parent == node as u32);
        first.is_some_and(|first| first.parent != node as u32)
    }

    /// The node behind a node and what is in it; `None` if content cannot do without it.
    fn past_absent(&self, node: usize) -> Option<usize> {
        let absent = &self.nodes[node];
        let around = self.nodes.get(absent.parent as usize)?;
        (absent.nullable || around.kind == Kind::Choice).then_some(absent.end as usize)
    }

    /// The names of the elements that a leaf stands for.
    fn names_of(&self, schema: &Schema, leaf: NodeId) -> Vec<Name> {
        let Some(element) = self.element(leaf).map(|id| &schema.elements[id]) else { return Vec::new() };
        let substitutes = element.substitutes.iter().map(|id| schema.elements[*id].name);
        // Of an abstract element there is no instance.
        (!element.is_abstract).then_some(element.name).into_iter().chain(substitutes).collect()
    }

    fn go_by_wildcard(&self, schema: &Schema, at: Place, own: &Wildcard, counts: &[u32]) -> Covered {
        let mut some = 0;
        for node in &self.wildcards {
            let mut counts = self.all_counters(counts);
            let Some(wildcard) = self.wildcard(schema, NodeId(*node)) else { continue };
            let strict = own.process.strictness() >= wildcard.process.strictness();
            if !strict || !wildcard.namespaces.overlap(&own.namespaces) || self.go(at, *node, &mut counts).is_none() {
                continue;
            }
            if own.namespaces.within(&wildcard.namespaces) {
                return Covered::By(*node, self.kept(&counts));
            }
            some += 1;
        }
        if some > 1 { Covered::Perhaps } else { Covered::No }
    }
}
