//! Finds the place of a child element in its parent's record.
//!
//! The validator reports the leaf of the content model that an element matches. If each leaf is one component of the
//! record ([`Leaves`](super::leaves::Leaves)), the leaf determines the place. Otherwise the name does, or the namespace
//! if the element matches a wildcard: XML Schema requires content to be unambiguous. The element goes to the innermost
//! open group that takes it. Where groups must end early to leave elements for later groups, their number is computed
//! beforehand ([`Groupings`](super::grouping::Groupings)).

use std::ops::Range;

use asn1::event::{At, Sink};
use asn1::{Filler, Level, NodeId};
use tam::{Error, ErrorKind};
use xsd::{Name, NamespaceId};

use super::build::Forms;
use super::form::{FieldRef, FormId, List, ParticleId, Sequence, Slot, SlotKind, Table, Term, TypedForm};

/// An open group.
#[derive(Clone, Copy, Debug)]
pub(super) enum OpenGroup {
    /// The components of a sequence, from `next` on; `matched` if the validator's leaves are those of the sequence. Of an UNTAGGED
    /// SET, whose components are few, `next` has a bit for each that has been met.
    Sequence { of: SequenceRef, level: Level, next: u32, matched: bool },
    /// The content of a CHOICE or of a list that is written with tags, before its first element.
    Content { particle: ParticleId, to: Target },
    /// A list of `count` items, and its leaf if that is known.
    List { at: At<Level>, node: NodeId, of: List, level: Level, count: u32, leaf: Option<u32> },
}

/// The sequence of an element's content, or of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SequenceRef {
    Content(FormId),
    Group(ParticleId),
}

impl SequenceRef {
    /// Whether it is an UNTAGGED SET. The validator refuses a second element in the content of an element.
    fn is_set(self, sequence: &Sequence) -> bool {
        sequence.is_unordered && matches!(self, SequenceRef::Group(_))
    }
}

/// A child element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) name: Name,
    /// Its namespace, if it matches a wildcard.
    pub(super) any: Option<NamespaceId>,
    /// The leaf of its parent's content model that it matches.
    pub(super) leaf: Option<u32>,
}

/// Where a value goes. A record that is the item of a list is a row of the list's columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) at: At<Level>,
    pub(super) node: NodeId,
    pub(super) is_item: bool,
}

impl Target {
    pub(super) fn record(self, filler: &mut Filler<'_>) -> Result<Level, Error> {
        if self.is_item { filler.row(self.at, self.node) } else { filler.record(self.at, self.node) }
    }
}

/// How a child element is read: by its form, or as the text of a wildcard's element.
#[derive(Clone, Copy, Debug)]
pub(super) enum ChildForm {
    Element(TypedForm),
    Any,
}

impl Forms {
    pub(super) fn row(&self, row: SequenceRef) -> Option<&Sequence> {
        use super::form::{Content, Form};
        match row {
            SequenceRef::Content(form) => match self.form(form) {
                Form::Element(element) => match &element.content {
                    Content::Particles(sequence) => Some(sequence),
                    _ => None,
                },
                _ => None,
            },
            SequenceRef::Group(particle) => match &self.particle(particle).term {
                Term::Sequence(sequence) => Some(sequence),
                _ => None,
            },
        }
    }

    /// The first of several particles, from `from` on, that an element can begin and that `parts` has.
    fn begun(&self, table: &Table, child: Child, from: u32, parts: &dyn Fn(u32) -> Option<ParticleId>) -> Option<u32> {
        let Some(namespace) = child.any else {
            return table.places(child.name).find(|place| *place >= from && parts(*place).is_some());
        };
        let takes =
            |place: &u32| *place >= from && parts(*place).is_some_and(|particle| self.takes_any(particle, namespace));
        table.wild.iter().copied().find(takes)
    }

    /// Whether a particle can begin with an element of a namespace by `ANY-ELEMENT`.
    fn takes_any(&self, particle: ParticleId, namespace: NamespaceId) -> bool {
        let particle = self.particle(particle);
        match &particle.term {
            Term::Any(allowed) => allowed.has(namespace),
            Term::Element(..) | Term::Words(_) => false,
            Term::List(list) => particle.wild && self.takes_any(list.item, namespace),
            Term::Choice(choice) => {
                choice.table.wild.iter().any(|place| self.takes_any(choice.alternatives[*place as usize].1, namespace))
            }
            Term::Sequence(sequence) => sequence.table.wild.iter().any(|place| {
                let slot = sequence.slots[*place as usize];
                slot.since == 0 && self.takes_any(slot.particle, namespace)
            }),
        }
    }

    fn begins(&self, particle: ParticleId, child: Child) -> bool {
        let of = self.particle(particle);
        match child.any {
            Some(namespace) => of.wild && self.takes_any(particle, namespace),
            None => of.first.binary_search(&child.name).is_ok(),
        }
    }

    /// Finds the place of a child element, opening and closing groups on the way; those of its parent are
    /// `open[base..]`. `None` if there is no place for it.
    pub(super) fn place(
        &self,
        filler: &mut Filler<'_>,
        open: &mut Vec<OpenGroup>,
        base: usize,
        child: Child,
    ) -> Result<Option<(Target, ChildForm)>, Error> {
        while open.len() > base {
            let Some(top) = open.last_mut() else { break };
            match top {
                OpenGroup::Sequence { of, level, next, matched } => {
                    let Some(sequence) = self.row(*of) else { return Ok(None) };
                    let (level, is_set) = (*level, of.is_set(sequence));
                    let from = if sequence.is_unordered { 0 } else { *next };
                    let leaf = if *matched { child.leaf } else { None };
                    let found = match leaf.and_then(|leaf| sequence.leaves.slot(leaf)) {
                        Some(slot) => Some(slot).filter(|slot| *slot >= from),
                        None if is_set => self.named(sequence, child, 0).filter(|slot| *next >> slot & 1 == 0),
                        None => self.named(sequence, child, from),
                    };
                    let Some((found, slot)) = found.and_then(|at| Some((at, sequence.slots.get(at as usize)?))) else {
                        self.close_last(filler, open)?;
                        continue;
                    };
                    *next = if is_set { *next | 1 << found } else { found + 1 };
                    self.fill_slots(filler, sequence, from..found, level)?;
                    return self.enter_slot(filler, open, slot, slot.place.at(level), child, leaf);
                }
                OpenGroup::Content { particle, to } => {
                    let (particle, to) = (*particle, *to);
                    if !self.begins(particle, child) {
                        return Ok(None);
                    }
                    open.pop();
                    return self.enter(filler, open, particle, to, child, None);
                }
                OpenGroup::List { at, node, of, level, count, leaf } => {
                    let goes_on = match leaf {
                        Some(_) => *leaf == child.leaf,
                        None => self.begins(of.item, child),
                    };
                    if goes_on && u64::from(*count) < of.most {
                        *level = filler.more(*at, *node, *level, 1)?;
                        let target = Target { at: At { level: *level, index: *count }, node: of.node, is_item: true };
                        *count += 1;
                        let List { item, element, node, .. } = *of;
                        return match element {
                            Some(form) => Ok(Some((target, ChildForm::Element(TypedForm { form, node })))),
                            None => self.enter(filler, open, item, target, child, None),
                        };
                    }
                    self.close_last(filler, open)?;
                }
            }
        }
        Ok(None)
    }

    /// Closes as many groups that could take a child element as `groups` says, from the innermost.
    #[inline(never)]
    pub(super) fn pass(
        &self,
        filler: &mut Filler<'_>,
        open: &mut Vec<OpenGroup>,
        base: usize,
        child: Child,
        mut groups: u32,
    ) -> Result<(), Error> {
        while groups > 0 && open.len() > base {
            let takes = match open.last() {
                Some(OpenGroup::Sequence { of, next, .. }) => {
                    self.row(*of).is_some_and(|sequence| match of.is_set(sequence) {
                        true => self.named(sequence, child, 0).is_some_and(|slot| *next >> slot & 1 == 0),
                        false => self.named(sequence, child, *next).is_some(),
                    })
                }
                Some(OpenGroup::List { of, count, .. }) => u64::from(*count) < of.most && self.begins(of.item, child),
                Some(OpenGroup::Content { .. }) | None => false,
            };
            self.close_last(filler, open)?;
            groups -= u32::from(takes);
        }
        Ok(())
    }

    /// The first slot, from `from` on, that an element can begin by its name.
    fn named(&self, sequence: &Sequence, child: Child, from: u32) -> Option<u32> {
        let parts =
            |place: u32| sequence.slots.get(place as usize).filter(|slot| slot.since <= from).map(|slot| slot.particle);
        self.begun(&sequence.table, child, from, &parts)
    }

    /// Goes from a component that begins with an element down to that element.
    #[inline]
    pub(super) fn enter_slot(
        &self,
        filler: &mut Filler<'_>,
        open: &mut Vec<OpenGroup>,
        slot: &Slot,
        target: Target,
        child: Child,
        leaf: Option<u32>,
    ) -> Result<Option<(Target, ChildForm)>, Error> {
        match slot.kind {
            SlotKind::Element(form) => Ok(Some((target, ChildForm::Element(TypedForm { form, node: target.node })))),
            SlotKind::Other => self.enter(filler, open, slot.particle, target, child, leaf),
        }
    }

    /// Goes from a particle that begins with an element down to that element; `leaf` if the particle is a single leaf.
    fn enter(
        &self,
        filler: &mut Filler<'_>,
        open: &mut Vec<OpenGroup>,
        particle: ParticleId,
        target: Target,
        child: Child,
        leaf: Option<u32>,
    ) -> Result<Option<(Target, ChildForm)>, Error> {
        let (mut id, mut to) = (particle, target);
        loop {
            match &self.particle(id).term {
                Term::Element(_, form) => {
                    return Ok(Some((to, ChildForm::Element(TypedForm { form: *form, node: to.node }))));
                }
                Term::Any(_) => return Ok(Some((to, ChildForm::Any))),
                Term::Words(words) => {
                    let word = words.iter().find(|(name, _)| *name == child.name);
                    return Ok(word.map(|(_, form)| (to, ChildForm::Element(TypedForm { form: *form, node: to.node }))));
                }
                Term::Sequence(sequence) => {
                    let level = to.record(filler)?;
                    sequence.begin(filler, level)?;
                    let Some(found) = self.named(sequence, child, 0) else { return Ok(None) };
                    self.fill_slots(filler, sequence, 0..found, level)?;
                    open.push(OpenGroup::Sequence {
                        of: SequenceRef::Group(id),
                        level,
                        next: if sequence.is_unordered { 1 << found } else { found + 1 },
                        matched: false,
                    });
                    let Some(slot) = sequence.slots.get(found as usize) else { return Ok(None) };
                    (id, to) = (slot.particle, slot.place.at(level));
                }
                Term::Choice(choice) => {
                    let parts = |place: u32| choice.alternatives.get(place as usize).map(|(_, particle)| *particle);
                    let Some(found) = self.begun(&choice.table, child, 0, &parts) else { return Ok(None) };
                    let Some((place, particle)) = choice.alternatives.get(found as usize) else { return Ok(None) };
                    let level = filler.choice(to.at, to.node, place.index)?;
                    (id, to) = (*particle, target_of(level, 0, place.node));
                }
                Term::List(list) => {
                    let level = filler.array(to.at, to.node, 1)?;
                    open.push(OpenGroup::List { at: to.at, node: to.node, of: *list, level, count: 1, leaf });
                    let item = Target { at: At { level, index: 0 }, node: list.node, is_item: true };
                    if let Some(form) = list.element {
                        return Ok(Some((item, ChildForm::Element(TypedForm { form, node: list.node }))));
                    }
                    (id, to) = (list.item, item);
                }
            }
        }
    }

    /// Closes the groups of an element that ends.
    pub(super) fn close(&self, filler: &mut Filler<'_>, open: &mut Vec<OpenGroup>, base: usize) -> Result<(), Error> {
        while open.len() > base {
            self.close_last(filler, open)?;
        }
        Ok(())
    }

    /// Closes the innermost group, and fills the rest of it with empty values.
    pub(super) fn close_last(&self, filler: &mut Filler<'_>, open: &mut Vec<OpenGroup>) -> Result<(), Error> {
        match open.pop() {
            Some(OpenGroup::Sequence { of, level, next, .. }) => {
                let Some(sequence) = self.row(of) else { return Ok(()) };
                self.fill_slots(filler, sequence, next..u32::MAX, level)
            }
            Some(OpenGroup::List { at, node, of, level, count, .. }) => {
                self.fill_up(filler, Target { at, node, is_item: false }, of, level, count)
            }
            Some(OpenGroup::Content { particle, to }) => self.fill_empty(filler, particle, to),
            None => Ok(()),
        }
    }

    /// Fills a list with empty items up to its least length.
    fn fill_up(
        &self,
        filler: &mut Filler<'_>,
        to: Target,
        of: List,
        mut level: Level,
        count: u32,
    ) -> Result<(), Error> {
        for index in count..u32::try_from(of.least).unwrap_or(u32::MAX).max(count) {
            if !self.particle(of.item).empty {
                return Err(no_place());
            }
            level = filler.more(to.at, to.node, level, 1)?;
            self.fill_empty(filler, of.item, Target { at: At { level, index }, node: of.node, is_item: true })?;
        }
        Ok(())
    }

    /// Fills the groups among some slots with values that have no element.
    #[inline]
    fn fill_slots(
        &self,
        filler: &mut Filler<'_>,
        sequence: &Sequence,
        which: Range<u32>,
        level: Level,
    ) -> Result<(), Error> {
        if sequence.groups.is_empty() { Ok(()) } else { self.fill_groups(filler, sequence, which, level) }
    }

    #[inline(never)]
    fn fill_groups(
        &self,
        filler: &mut Filler<'_>,
        sequence: &Sequence,
        which: Range<u32>,
        level: Level,
    ) -> Result<(), Error> {
        for at in sequence.groups.iter().filter(|at| which.contains(at)) {
            let Some(slot) = sequence.slots.get(*at as usize) else { continue };
            self.fill_empty(filler, slot.particle, slot.place.at(level))?;
        }
        Ok(())
    }

    /// Fills a particle with a value that has no element. Groups are nested at most 128 deep, which bounds the recursion.
    pub(super) fn fill_empty(&self, filler: &mut Filler<'_>, particle: ParticleId, to: Target) -> Result<(), Error> {
        match &self.particle(particle).term {
            Term::Element(..) | Term::Any(_) | Term::Words(_) => Ok(()),
            Term::List(list) => {
                let level = filler.array(to.at, to.node, 0)?;
                self.fill_up(filler, to, *list, level, 0)
            }
            Term::Sequence(sequence) => {
                let level = to.record(filler)?;
                sequence.begin(filler, level)?;
                self.fill_slots(filler, sequence, 0..u32::MAX, level)
            }
            Term::Choice(choice) => {
                let Some((place, particle)) = choice.empty.and_then(|at| choice.alternatives.get(at as usize)) else {
                    return Ok(());
                };
                let level = filler.choice(to.at, to.node, place.index)?;
                self.fill_empty(filler, *particle, target_of(level, 0, place.node))
            }
        }
    }
}

/// An error for a valid element that has no place in the mapped type.
#[cold]
pub(super) fn no_place() -> Error {
    Error::new(ErrorKind::Unsupported, "xsd", 0, "content that the mapping does not support", "a place for the element")
}

impl Sequence {
    /// Begins a record: its lists are empty until elements for them come.
    #[inline]
    pub(super) fn begin(&self, filler: &mut Filler<'_>, level: Level) -> Result<(), Error> {
        for list in &self.lists {
            filler.array(At { level, index: list.index }, list.node, 0)?;
        }
        Ok(())
    }
}

impl FieldRef {
    /// Where the component's value goes, at the level of its record.
    pub(super) fn at(self, level: Level) -> Target {
        target_of(level, self.index, self.node)
    }
}

pub(super) fn target_of(level: Level, index: u32, node: NodeId) -> Target {
    Target { at: At { level, index }, node, is_item: false }
}
