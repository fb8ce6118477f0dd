//! Whether content allows no more than other content (Part 1 section 3.4.6, derivation valid
//! (restriction), clause 5.4).
//!
//! The Recommendation compares particles with particles; here both models are walked side by side, so
//! that what is refused is refused because there is an instance that the base would not have. Content
//! that needs many steps to be compared is taken for restricted.

use std::collections::HashSet;

use super::{Model, NodeId, Place};
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

/// Whether wildcards stand for all that another one does.
enum Covered {
    By(u32, Box<[u32]>),
    No,
    /// Several together may.
    Perhaps,
}

impl Model {
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
