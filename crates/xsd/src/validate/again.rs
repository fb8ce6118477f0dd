//! What came next the last time: elements mostly come again in the order that they had before, and what their names are
//! and which leaf of the content model they are of need not be found out each time.

use xml::scan::is_same;

use super::{State, element::Role};
use crate::components::{ComplexId, ElementId, Inside, TypeId};
use crate::content::{NodeId, Place};
use crate::{Name, NamespaceId};

/// How many are remembered, a power of two: those of the types that an instance is mostly of stay in the fastest memory.
const MOST: usize = 128;

/// So many events are read before any is: short instances have little that comes again.
const SHORT: u64 = 100;

/// Longer names are not remembered.
const LONGEST: usize = 32;

/// An element, and where it came.
#[derive(Clone, Copy, Debug)]
struct Child {
    /// The type around it, and the place there before it.
    ty: ComplexId,
    at: Place,
    /// The bindings that its name was read by.
    scope: u32,
    to: NodeId,
    element: ElementId,
    name: Name,
    namespace: NamespaceId,
    len: u32,
    written: [u8; LONGEST],
}

impl Child {
    /// No element is of the length 0.
    const NONE: Child = Child {
        ty: ComplexId(0),
        at: Place::START,
        scope: 0,
        to: NodeId(0),
        element: ElementId(0),
        name: Name::UNKNOWN,
        namespace: NamespaceId::UNKNOWN,
        len: 0,
        written: [0; LONGEST],
    };
}

/// Elements, each in the place that the place before it tells.
#[derive(Debug, Default)]
pub(super) struct Children {
    known: Vec<Child>,
    /// Whether none are to be remembered.
    is_off: bool,
}

impl Children {
    pub(super) const NOTHING: Children = Children { known: Vec::new(), is_off: true };
}

fn place(ty: ComplexId, at: Place) -> usize {
    (ty.0.wrapping_mul(29).wrapping_add(at.0) as usize) % MOST
}

impl State<'_> {
    /// What an element is if it is the one that came here the last time, and may come again.
    #[inline]
    pub(super) fn again(&mut self, written: &str) -> Option<(Name, NamespaceId, Role)> {
        if self.children.known.is_empty() {
            return None;
        }
        let frame = self.frames.last_mut()?;
        let (Inside::Elements { .. }, Some(TypeId::Complex(ty)), false) = (frame.inside, frame.ty, frame.nil) else {
            return None;
        };
        let child = self.children.known.get(place(ty, frame.place))?;
        let is_known = (child.ty, child.at, child.scope) == (ty, frame.place, self.bindings.scope())
            && is_same(child.written.get(..child.len as usize)?, written.as_bytes());
        if !is_known {
            return None;
        }
        let counters = self.counters.get_mut(frame.counters as usize..)?;
        let transition = self.schema.model(ty).go(frame.place, child.to.0, counters)?;
        frame.place = Place(transition.to.0);
        self.transition = Some(transition);
        Some((child.name, child.namespace, Role::Declared(child.element)))
    }

    /// Takes note of an element that a place has been found for, whose name is that of its declaration.
    pub(super) fn remember(&mut self, written: &str, namespace: NamespaceId, (ty, at): (ComplexId, Place), to: NodeId) {
        let len = written.len();
        if len > LONGEST || self.event < SHORT || self.children.is_off {
            return;
        }
        let model = self.schema.model(ty);
        let Some(element) = model.element(to).filter(|_| model.is_countable()) else { return };
        if self.children.known.is_empty() {
            self.children.known.resize(MOST, Child::NONE);
        }
        let name = self.schema.outline(element).name;
        let Some(child) = self.children.known.get_mut(place(ty, at)) else { return };
        (child.ty, child.at, child.scope) = (ty, at, self.bindings.scope());
        (child.to, child.element, child.name, child.namespace) = (to, element, name, namespace);
        if let Some(kept) = child.written.get_mut(..len) {
            kept.copy_from_slice(written.as_bytes());
            child.len = len as u32;
        }
    }
}
