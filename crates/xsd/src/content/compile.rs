//! Compiles particles to a content model.

use tam::Error;

use super::{Kind, Model, NONE, Node};
use crate::Name;
use crate::components::{Compositor, ParticleId, Schema, Term};

/// How many nodes all models of a schema may still have.
///
/// Groups that refer to groups can make content that is exponentially longer than the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) nodes: u32,
    pub(crate) limit: u32,
}

/// The model of a particle; `None` if it has more nodes than the budget.
pub(crate) fn compile(schema: &Schema, particle: ParticleId, budget: &mut Budget) -> Result<Model, Error> {
    let mut model = Model::default();
    let mut waiting = vec![(particle, NONE)];
    while let Some((particle, parent)) = waiting.pop() {
        let Some(node) = node(schema, particle, parent) else {
            // An empty alternative makes the choice nullable.
            if let Some(choice) = model.nodes.get_mut(parent as usize)
                && choice.kind == Kind::Choice
                && schema.particles[particle].max != Some(0)
            {
                choice.nullable = true;
            }
            continue;
        };
        if budget.nodes == 0 {
            return Err(Error::limit("xsd", 0, "content of more particles", "particles", budget.limit.into()));
        }
        budget.nodes -= 1;
        let id = model.nodes.len() as u32;
        model.nodes.push(node);
        if let Term::Group(group) = schema.particles[particle].term {
            waiting.extend(schema.groups[group].particles.iter().rev().map(|child| (*child, id)));
        }
    }
    number(&mut model);
    Ok(model)
}

/// The node of a particle; `None` for one without any content.
fn node(schema: &Schema, id: ParticleId, written_parent: u32) -> Option<Node> {
    let particle = &schema.particles[id];
    if particle.max == Some(0) {
        return None;
    }
    let (kind, name) = match particle.term {
        Term::Element(element) => (Kind::Element(element), schema.elements[element].name),
        Term::Wildcard(wildcard) => (Kind::Wildcard(wildcard), Name::UNKNOWN),
        Term::Group(group) => {
            let group = &schema.groups[group];
            let kind = match group.compositor {
                Compositor::Sequence => Kind::Sequence,
                Compositor::Choice => Kind::Choice,
                Compositor::All => Kind::All,
            };
            if group.particles.is_empty() && (kind != Kind::Choice || particle.min == 0) {
                return None;
            }
            (kind, Name::UNKNOWN)
        }
    };
    Some(Node {
        particle: id,
        kind,
        // A choice is nullable if an alternative has no node. The rest is computed when all nodes exist.
        nullable: false,
        name,
        min: particle.min,
        max: particle.max.unwrap_or(u32::MAX),
        written_parent,
        parent: NONE,
        end: 0,
        index: 0,
        depth: 0,
        first_top: 0,
        last_top: 0,
        reach: 0,
        previous: NONE,
        since: 0,
        counter: NONE,
    })
}

/// Fills in the numbers that relate nodes to each other.
fn number(model: &mut Model) {
    let count = model.nodes.len();
    let mut written_children = vec![0_u32; count];
    for node in &model.nodes {
        if node.written_parent != NONE {
            written_children[node.written_parent as usize] += 1;
        }
    }
    // The parent of a node in a group without an effect is the group around that.
    let mut children = vec![0_u32; count];
    let mut effective_group = vec![NONE; count];
    for n in 0..count {
        let node = model.nodes[n];
        if node.written_parent == NONE {
            effective_group[n] = n as u32;
            continue;
        }
        let around = effective_group[node.written_parent as usize];
        let kind = model.nodes[around as usize].kind;
        let once = node.min == 1 && node.max == 1 && !node.is_leaf();
        let changes_nothing = once && !node.nullable && written_children[n] > 0;
        let transparent = changes_nothing && (node.kind == kind || written_children[n] == 1);
        let index = &mut children[around as usize];
        (model.nodes[n].parent, model.nodes[n].index) = (around, *index);
        model.nodes[n].depth = model.nodes[around as usize].depth + 1;
        effective_group[n] = if transparent { around } else { n as u32 };
        if !transparent {
            *index += 1;
        }
    }
    let is_passed = |n: usize| effective_group[n] != n as u32;
    ends(model);
    nullability(model, &children, &is_passed);
    reaches(model, &children, &is_passed);
    tops(model, &is_passed);
    counters(model, &is_passed);
    index(model);
}

fn nullability(model: &mut Model, children: &[u32], is_passed: &dyn Fn(usize) -> bool) {
    let mut nullable_children = vec![0_u32; model.nodes.len()];
    for n in (0..model.nodes.len()).rev() {
        let node = &mut model.nodes[n];
        let body = match node.kind {
            Kind::Element(_) | Kind::Wildcard(_) => false,
            Kind::Sequence | Kind::All => nullable_children[n] == children[n],
            Kind::Choice => nullable_children[n] > 0 || node.nullable,
        };
        if body {
            // All occurrences may be empty, so that none is required.
            node.min = 0;
        }
        node.nullable = node.min == 0;
        if node.nullable && node.parent != NONE && !is_passed(n) {
            nullable_children[node.parent as usize] += 1;
        }
    }
}

/// For each child of a sequence, the last sibling that can follow directly.
fn reaches(model: &mut Model, children: &[u32], is_passed: &dyn Fn(usize) -> bool) {
    let mut next: Vec<u32> = children.to_vec();
    for n in (0..model.nodes.len()).rev() {
        let node = model.nodes[n];
        if node.parent == NONE || is_passed(n) {
            continue;
        }
        model.nodes[n].reach = next[node.parent as usize];
        if !node.nullable {
            next[node.parent as usize] = node.index;
        }
    }
    // If no later child is required, `reach` is the number of children, which means the end of the sequence.
}

/// The end of each group, whose nodes are contiguous.
fn ends(model: &mut Model) {
    for n in (0..model.nodes.len()).rev() {
        let node = &mut model.nodes[n];
        node.end = node.end.max(n as u32 + 1);
        let (end, parent) = (node.end, node.written_parent);
        if parent != NONE {
            let parent = &mut model.nodes[parent as usize];
            parent.end = parent.end.max(end);
        }
    }
}

fn tops(model: &mut Model, is_passed: &dyn Fn(usize) -> bool) {
    let mut begun = vec![true; model.nodes.len()];
    let mut previous = vec![NONE; model.nodes.len()];
    let mut length = vec![0_u32; model.nodes.len()];
    for n in 0..model.nodes.len() {
        let node = model.nodes[n];
        if node.parent != NONE && !is_passed(n) {
            length[node.parent as usize] = length[node.parent as usize].max(node.index + 1);
        }
    }
    for n in 0..model.nodes.len() {
        let node = model.nodes[n];
        if node.parent == NONE || is_passed(n) {
            continue;
        }
        let parent = model.nodes[node.parent as usize];
        let (can_begin, can_end) = match parent.kind {
            Kind::Sequence => (begun[node.parent as usize], node.reach == length[node.parent as usize]),
            _ => (true, true),
        };
        begun[node.parent as usize] &= node.nullable;
        let before = std::mem::replace(&mut previous[node.parent as usize], n as u32);
        model.nodes[n].previous = before;
        if let Some(before) = model.nodes.get(before as usize) {
            model.nodes[n].since = if before.nullable { before.since } else { before.index };
        }
        model.nodes[n].first_top = if can_begin { parent.first_top } else { node.depth };
        model.nodes[n].last_top = if can_end { parent.last_top } else { node.depth };
    }
}

/// Only occurrences of groups around the current place are counted, so that one counter for each level is enough.
fn counters(model: &mut Model, is_passed: &dyn Fn(usize) -> bool) {
    let mut above = vec![0_u32; model.nodes.len()];
    for n in 0..model.nodes.len() {
        if is_passed(n) {
            continue;
        }
        let node = &mut model.nodes[n];
        let mut used = if node.parent == NONE { 0 } else { above[node.parent as usize] };
        if node.is_loop() && (node.max != u32::MAX || node.min > 1) {
            node.counter = used;
            used += 1;
        }
        above[n] = used;
        model.counters = model.counters.max(used);
    }
}

fn index(model: &mut Model) {
    for (n, node) in model.nodes.iter().enumerate() {
        match node.kind {
            Kind::Element(_) => model.names.push((node.name, n as u32)),
            Kind::Wildcard(_) => model.wildcards.push(n as u32),
            _ => {}
        }
    }
    model.names.sort_unstable();
    let mut leaves = model.nodes.iter().filter(|node| node.is_leaf());
    let root = model.nodes.first();
    model.flat =
        root.is_some_and(|root| root.kind == Kind::Sequence && !root.is_loop()) && leaves.all(|leaf| leaf.parent == 0);
    if model.nodes.first().is_some_and(|root| root.kind == Kind::All) {
        model.all = true;
        model.counters = (model.nodes.len() as u32).div_ceil(32);
    }
}
