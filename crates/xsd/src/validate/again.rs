//! Remembers which element came next. Elements mostly come again in the same order, so that their names and leaves of the
//! content model need not be looked up each time.

use xml::scan::is_same;

use super::{State, element::Role};
use crate::components::{ComplexId, ElementId, Inside, TypeId};
use crate::content::{NodeId, Place};
use crate::{Name, NamespaceId};

/// How many elements are remembered, a power of two. The table fits in the fastest cache.
const MOST: usize = 128;

/// Nothing is remembered in the first events: in short instances, little comes again.
const SHORT: u64 = 100;

/// Longer names are not remembered.
const LONGEST: usize = 32;

/// An element that came at a place.
#[derive(Clone, Copy, Debug)]
struct Child {
    /// The type of its parent.
    ty: ComplexId,
    /// The place in the content before it.
    at: Place,
    /// The number of the prefix bindings that its name was read with.
    scope: u32,
    to: NodeId,
    element: ElementId,
    name: Name,
    namespace: NamespaceId,
    len: u32,
    written: [u8; LONGEST],
}

impl Child {
    /// An empty entry: its name has the length 0.
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

/// A table of elements, indexed by the place before each.
#[derive(Debug, Default)]
pub(super) struct Children {
    known: Vec<Child>,
    /// Whether nothing is remembered.
    is_off: bool,
}

impl Children {
    pub(super) const NOTHING: Children = Children { known: Vec::new(), is_off: true };
}

fn place(ty: ComplexId, at: Place) -> usize {
    (ty.0.wrapping_mul(29).wrapping_add(at.0) as usize) % MOST
}

impl State<'_> {
    /// The name and declaration of an element, if it is the one that came here the last time and may come again.
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

    /// Remembers an element with the name of its declaration, and the leaf that it matched.
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
