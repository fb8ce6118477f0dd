//! Which slot of a form each leaf of a content model fills. The validator reports the leaf of each element, so that no
//! slot has to be found by its name.

use xsd::content::{Model, NodeId};
use xsd::{ElementId, Encoded, Name, Schema, TypeId};

use super::build::Forms;
use super::form::{Content, Form, FormId, ParticleId, Sequence, Term};

/// For each node of a content model, the slot that it fills; [`Leaves::NONE`] for nodes that are not leaves. Empty if the
/// slots do not correspond to the leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves {
    slots: Box<[u32]>,
}

impl Leaves {
    const NONE: u32 = u32::MAX;

    /// The slot of a leaf.
    #[inline(always)]
    pub(super) fn slot(&self, leaf: u32) -> Option<u32> {
        self.slots.get(leaf as usize).copied()
    }

    /// Whether there are any.
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

impl Forms {
    /// Finds the leaves of all forms that are used by the content of some global elements.
    pub(super) fn find_leaves(&mut self, schema: &Schema, roots: impl Iterator<Item = (ElementId, FormId)>) {
        let mut is_known = vec![false; self.forms.len()];
        let mut waiting: Vec<(TypeId, FormId)> = roots.map(|(id, form)| (schema.elements[id].ty, form)).collect();
        while let Some((ty, id)) = waiting.pop() {
            if std::mem::replace(&mut is_known[id.0 as usize], true) {
                continue;
            }
            let (mut found, mut is_unordered) = (Leaves::default(), false);
            match (self.form(id), ty) {
                (Form::Derived(alternatives), _) => {
                    let types = |one: &super::form::Alternative| Some((schema.type_of_name(one.ty)?, one.of.form));
                    waiting.extend(alternatives.iter().filter_map(types));
                }
                (Form::Element(element), TypeId::Complex(complex)) => {
                    let Content::Particles(sequence) = &element.content else { continue };
                    let model = schema.model(complex);
                    is_unordered =
                        sequence.is_unordered || schema.complex_types[complex].encoded == Some(Encoded::Struct);
                    found = self.leaves(schema, model, sequence, is_unordered);
                    self.types_within(schema, model, sequence, &mut waiting);
                }
                _ => {}
            }
            if let Form::Element(element) = &mut self.forms[id.0 as usize]
                && let Content::Particles(sequence) = &mut element.content
            {
                (sequence.leaves, sequence.is_unordered, element.ty) = (found, is_unordered, Some(ty));
            }
        }
    }

    fn leaves(&self, schema: &Schema, model: &Model, sequence: &Sequence, is_unordered: bool) -> Leaves {
        let is_leaf = |node: &NodeId| model.element(*node).is_some() || model.wildcard(schema, *node).is_some();
        let leaves: Vec<NodeId> = model.nodes().filter(is_leaf).collect();
        let is_one = |(leaf, slot): (&NodeId, &super::form::Slot)| match model.element(*leaf) {
            Some(element) => self.is_element(schema, slot.particle, element),
            None => matches!(self.within_list(slot.particle), Term::Any(_)),
        };
        if !(model.is_flat() || is_unordered)
            || leaves.len() != sequence.slots.len()
            || !leaves.iter().zip(&sequence.slots).all(is_one)
        {
            return Leaves::default();
        }
        let mut slots = vec![Leaves::NONE; model.nodes().len()];
        for (leaf, slot) in leaves.iter().zip(0..) {
            slots[leaf.index()] = slot;
        }
        Leaves { slots: slots.into() }
    }

    /// The term of a particle, or of its items if it is a list.
    fn within_list(&self, particle: ParticleId) -> &Term {
        match &self.particle(particle).term {
            Term::List(list) => &self.particle(list.item).term,
            term => term,
        }
    }

    /// Whether a particle is an element, a choice of the element and its substitutes, or a list of these.
    fn is_element(&self, schema: &Schema, particle: ParticleId, element: ElementId) -> bool {
        let name = schema.elements[element].name;
        let may_substitute = |one: Name| {
            let member = schema.element_of_name(one);
            one == name || member.is_some_and(|member| schema.may_substitute(element, member))
        };
        match self.within_list(particle) {
            Term::Element(one, _) => *one == name,
            Term::Choice(choice) => choice.alternatives.iter().all(
                |(_, particle)| matches!(self.particle(*particle).term, Term::Element(one, _) if may_substitute(one)),
            ),
            _ => false,
        }
    }

    /// The types and forms of the elements of some content.
    fn types_within(&self, schema: &Schema, model: &Model, sequence: &Sequence, found: &mut Vec<(TypeId, FormId)>) {
        let mut particles: Vec<ParticleId> = sequence.slots.iter().map(|slot| slot.particle).collect();
        while let Some(particle) = particles.pop() {
            match &self.particle(particle).term {
                Term::Element(name, form) => {
                    let local = model.find(*name).and_then(|node| model.element(node));
                    let element = local.or_else(|| schema.element_of_name(*name));
                    found.extend(element.map(|element| (schema.elements[element].ty, *form)));
                }
                Term::Any(_) | Term::Words(_) => {}
                Term::Sequence(sequence) => particles.extend(sequence.slots.iter().map(|slot| slot.particle)),
                Term::Choice(choice) => particles.extend(choice.alternatives.iter().map(|(_, particle)| *particle)),
                Term::List(list) => particles.push(list.item),
            }
        }
    }
}
