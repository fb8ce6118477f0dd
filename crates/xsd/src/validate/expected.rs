//! Reading by expectation, without events, for the crate `x694`. It changes the same state as events do.
//!
//! Nothing here makes errors. If something is not as expected, the state is unchanged, and the validator continues with
//! the event.

use text::xml::Ahead;

use super::again::Children;
use super::{Frame, State, Validator};
use crate::components::{ElementId, SimpleId, TypeId};
use crate::content::{Model, NodeId, Place, Transition};

impl<'x> Validator<'_, 'x> {
    /// The document ahead, if it may be read by expectation: not in an element that matches a wildcard, and not while
    /// identity constraints are open.
    #[inline]
    #[doc(hidden)]
    pub fn ahead(&mut self) -> Option<Ahead<'x>> {
        if self.copying.is_on || self.state.has_open_identities() {
            return None;
        }
        self.state.settle();
        self.reader.ahead()
    }

    /// Switches off remembering elements, because the caller does it.
    #[doc(hidden)]
    pub fn remember_nothing(&mut self) {
        self.state.children = Children::NOTHING;
    }

    /// The number of events so far.
    #[inline]
    #[doc(hidden)]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Continues after what was read by expectation: at a position in the text, after a number of events.
    #[inline]
    #[doc(hidden)]
    pub fn resume(&mut self, at: usize, events: u64) {
        self.reader.resume(at);
        self.events = events;
    }
}

impl State<'_> {
    /// Removes the characters and bindings of an ended element.
    #[inline]
    pub(super) fn settle(&mut self) {
        if let Some(text) = self.forget.take() {
            self.text.truncate(text);
            self.bindings.end(self.frames.len());
        }
    }

    /// A number that identifies the current prefix bindings in this instance.
    #[inline]
    pub fn binding_state(&self) -> u32 {
        self.bindings.scope()
    }

    /// Appends the current prefix bindings; `false` if they take more than `most` bytes.
    pub fn push_bindings(&self, out: &mut Vec<u8>, most: usize) -> bool {
        self.bindings.push(out, most)
    }

    /// The place in the content of the innermost element.
    #[inline(always)]
    #[must_use]
    pub fn place(&self) -> Place {
        self.frames.last().map_or(Place::START, |frame| frame.place)
    }

    /// Moves to a leaf in the content of the innermost element, which has this model, if it may come next.
    #[inline(always)]
    pub fn go(&mut self, model: &Model, to: NodeId) -> Option<Transition> {
        let frame = self.frames.last_mut()?;
        let transition = model.go(frame.place, to.0, self.counters.get_mut(frame.counters as usize..)?)?;
        frame.place = transition.place();
        frame.parent = true;
        Some(transition)
    }

    /// Goes on after child elements of the innermost element that an earlier instance had, too: to the place that they led
    /// to, where the last of them has occurred so often in a row. Checking them took so many steps. Groups must not be counted
    /// ([`State::is_counting_groups`]).
    pub fn skip_to(&mut self, place: Place, occurred: u32, steps: u64) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.place, frame.parent) = (place, true);
            let counters = self.counters.get_mut(frame.counters as usize..);
            if let (Some(TypeId::Complex(ty)), Some([counter])) = (frame.ty, counters) {
                *counter = self.schema.model(ty).counted(place, occurred);
            }
        }
        self.checker.steps += steps;
    }

    /// Whether occurrences are counted in the content of the innermost element.
    #[must_use]
    pub fn is_counting(&self) -> bool {
        self.frames.last().is_some_and(|frame| self.counters.len() > frame.counters as usize)
    }

    /// Whether occurrences of groups are counted in the content of the innermost element.
    #[must_use]
    pub fn is_counting_groups(&self) -> bool {
        self.is_counting()
            && !self.frames.last().is_some_and(|frame| match frame.ty {
                Some(TypeId::Complex(ty)) => self.schema.model(ty).is_flat(),
                _ => false,
            })
    }

    /// How many IDs and IDREFs there have been so far.
    #[must_use]
    pub fn ids_taken(&self) -> u64 {
        self.ids_taken
    }

    /// Begins an element that has no `xsi:type`, and whose attributes have been checked.
    #[inline]
    pub fn enter(&mut self, element: ElementId) {
        let outline = self.schema.outline(element);
        let counters = self.counters.len();
        self.frames.push(Frame {
            name: outline.name,
            element: Some(element),
            ty: Some(outline.ty),
            inside: outline.inside,
            place: Place::START,
            counters: counters as u32,
            text: self.text.len() as u32,
            nil: false,
            parent: false,
            has_value: outline.has_value,
            in_any: false,
        });
        if outline.counters > 0 {
            self.counters.resize(counters + outline.counters as usize, 0);
        }
    }

    /// Whether the innermost element, which has no characters and this model, may end without an event. One that declares
    /// namespaces may not, because its bindings end with it.
    #[inline]
    #[must_use]
    pub fn may_end(&self, model: &Model) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        !frame.has_value
            && !self.bindings.are_declared_at(self.frames.len())
            && self.counters.get(frame.counters as usize..).is_some_and(|counters| model.accepts(frame.place, counters))
    }

    /// Ends the innermost element.
    #[inline]
    pub fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.text.truncate(frame.text as usize);
            self.counters.truncate(frame.counters as usize);
        }
    }

    /// Whether a text is a value of a type. Its IDs are pending until [`State::take_checked`] or [`State::undo`].
    #[inline]
    pub fn is_value(&mut self, ty: SimpleId, text: &str) -> bool {
        self.checker.check(self.schema, ty, text, &self.bindings, false).is_ok() && !self.checker.is_exhausted()
    }

    /// The steps of checks so far, for [`State::undo`].
    #[inline(always)]
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.checker.steps
    }

    /// Whether so many steps more are within the limit.
    #[must_use]
    pub fn may_take(&self, steps: u64) -> bool {
        self.checker.steps.saturating_add(steps) <= self.checker.most
    }

    /// Undoes checks that a validator will repeat.
    pub fn undo(&mut self, steps: u64) {
        self.checker.steps = steps;
        self.checker.ids.clear();
    }

    /// The number of pending IDs and IDREFs.
    #[inline]
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.checker.ids.len()
    }

    /// Whether all pending IDs are new.
    #[inline]
    #[must_use]
    pub fn names_once(&self) -> bool {
        self.waiting() == 0 || self.are_ids_new()
    }

    /// Keeps the pending IDs and IDREFs, which came with an event.
    #[inline]
    pub fn take_checked(&mut self, event: u64) {
        if self.waiting() > 0 {
            self.event = event;
            let taken = self.take_ids();
            debug_assert!(taken.is_ok());
        }
    }
}
