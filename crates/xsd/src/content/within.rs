//! Checks that restricted content allows no more than the content of its base (Part 1 section 3.4.6, derivation valid
//! (restriction), clause 5.4).
//!
//! In most restrictions, each particle has a counterpart in the base, which one pass over the particles finds. Otherwise
//! both models are walked in parallel, so that a restriction is refused only if there is an instance that the base does
//! not allow. If that takes too many steps, the restriction is accepted.

use std::collections::HashSet;

use super::{Kind, Model, NONE, Node, NodeId, Place};
use crate::Name;
use crate::components::{Schema, Wildcard};

/// The most steps for one type.
const MOST_STEPS: u32 = 50_000;

/// The most steps for all types together.
const MOST_STEPS_OF_ALL: u32 = 4_000_000;

/// What the base does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outside {
    /// A leaf at its place.
    Leaf(NodeId),
    /// The end of the content after a leaf, or at the start.
    End(Option<NodeId>),
}

/// The places in both models.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    at: u32,
    counts: Box<[u32]>,
    base_at: u32,
    base_counts: Box<[u32]>,
}

/// The pairs of leaves, in the restriction and in the base, that the same elements match; or what the base does not allow.
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
        counts: own.used_counters(&vec![0; own.counters()]),
        base_at: Place::START.0,
        base_counts: base.used_counters(&vec![0; base.counters()]),
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
            let counts = own.used_counters(&counts);
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
                        step(found.map(|transition| (transition.to.0, base.used_counters(&counts))))?;
                    }
                }
            }
        }
    }
    Ok(pairs.into_iter().collect())
}

/// The pairs of leaves, if each node has a counterpart in the base that allows at least as much, in the same order, and
/// the other nodes of the base are optional. `None` decides nothing.
fn counterparts(schema: &Schema, own: &Model, base: &Model) -> Option<Vec<(NodeId, NodeId)>> {
    let mut counterpart = vec![NONE; own.nodes.len()];
    let mut pairs = Vec::new();
    let mut others = 0;
    for (n, node) in own.nodes.iter().enumerate() {
        // An empty choice has no instance, and neither has a sequence with one.
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

/// Whether a node allows what another does, apart from their children.
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

/// Whether wildcards of the base match all that another one does.
enum Covered {
    By(u32, Box<[u32]>),
    No,
    /// Several wildcards together may.
    Perhaps,
}

impl Model {
    /// Whether a node is a group without an effect, whose content belongs to the group around it.
    fn is_passed(&self, node: usize) -> bool {
        let first = self.nodes.get(node + 1).filter(|first| first.written_parent == node as u32);
        first.is_some_and(|first| first.parent != node as u32)
    }

    /// The node after a node and its content; `None` if the node is required.
    fn past_absent(&self, node: usize) -> Option<usize> {
        let absent = &self.nodes[node];
        let around = self.nodes.get(absent.parent as usize)?;
        (absent.nullable || around.kind == Kind::Choice).then_some(absent.end as usize)
    }

    /// The names of the elements that match a leaf.
    fn names_of(&self, schema: &Schema, leaf: NodeId) -> Vec<Name> {
        let Some(element) = self.element(leaf).map(|id| &schema.elements[id]) else { return Vec::new() };
        let substitutes = element.substitutes.iter().map(|id| schema.elements[*id].name);
        // An abstract element has no instance.
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
                return Covered::By(*node, self.used_counters(&counts));
            }
            some += 1;
        }
        if some > 1 { Covered::Perhaps } else { Covered::No }
    }
}
