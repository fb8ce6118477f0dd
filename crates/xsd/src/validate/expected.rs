//! Elements that are read by expectation, without events, as the crate `x694` does: the same steps over the same state
//! as those of events.
//!
//! Nothing here has words for what is wrong. Where something is not as expected, nothing has been changed, and the
//! validator reads on with the event.

use text::xml::Ahead;

use super::again::Children;
use super::{Frame, State, Validator};
use crate::components::{ElementId, SimpleId};
use crate::content::{Model, NodeId, Place, Transition};

impl<'x> Validator<'_, 'x> {
    /// The document ahead, where it may be read by expectation: not inside an element matched by a wildcard, and not where
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

    /// Remembers no elements: somebody else does.
    #[doc(hidden)]
    pub fn remember_nothing(&mut self) {
        self.state.children = Children::NOTHING;
    }

    /// How many events there have been.
    #[inline]
    #[doc(hidden)]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Goes on after what was read by expectation: a place in the text, and the events there have been.
    #[inline]
    #[doc(hidden)]
    pub fn resume(&mut self, at: usize, events: u64) {
        self.reader.resume(at);
        self.events = events;
    }
}

impl State<'_> {
    /// Forgets what nobody needs of an element that has ended.
    #[inline]
    pub(super) fn settle(&mut self) {
        if let Some(text) = self.forget.take() {
            self.text.truncate(text);
            self.bindings.end(self.frames.len());
        }
    }

    /// A number for the bindings that hold in this instance: others have another.
    #[inline]
    pub fn binding_state(&self) -> u32 {
        self.bindings.scope()
    }

    /// Appends the bindings that hold; `false` if they come to more than `most` bytes.
    pub fn push_bindings(&self, out: &mut Vec<u8>, most: usize) -> bool {
        self.bindings.push(out, most)
    }

    /// How far the content of the innermost element has been read.
    #[inline(always)]
    #[must_use]
    pub fn place(&self) -> Place {
        self.frames.last().map_or(Place::START, |frame| frame.place)
    }

    /// Goes to a leaf of the content of the innermost element, which has that model, if it may come next.
    #[inline(always)]
    pub fn go(&mut self, model: &Model, to: NodeId) -> Option<Transition> {
        let frame = self.frames.last_mut()?;
        let transition = model.go(frame.place, to.0, self.counters.get_mut(frame.counters as usize..)?)?;
        frame.place = transition.place();
        frame.parent = true;
        Some(transition)
    }

    /// Begins an element that is what its declaration says, and whose attributes have been checked.
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

    /// Whether the innermost element, which has no characters and that model, may end.
    #[inline]
    #[must_use]
    pub fn may_end(&self, model: &Model) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        !frame.has_value
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

    /// Whether a text is a value of a type. IDs in it wait for [`State::take_checked`], or are forgotten by
    /// [`State::undo`].
    #[inline]
    pub fn is_value(&mut self, ty: SimpleId, text: &str) -> bool {
        self.checker.check(self.schema, ty, text, &self.bindings, false).is_ok() && !self.checker.is_exhausted()
    }

    /// Steps that checks have taken so far, for [`State::undo`].
    #[inline(always)]
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.checker.steps
    }

    /// Forgets checks that a validator will repeat.
    pub fn undo(&mut self, steps: u64) {
        self.checker.steps = steps;
        self.checker.ids.clear();
    }

    /// How many IDs and IDREFs wait.
    #[inline]
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.checker.ids.len()
    }

    /// Whether the values that wait name no element a second time.
    #[inline]
    #[must_use]
    pub fn names_once(&self) -> bool {
        self.waiting() == 0 || self.are_ids_new()
    }

    /// Keeps the IDs and IDREFs that wait, which came with an event.
    #[inline]
    pub fn take_checked(&mut self, event: u64) {
        if self.waiting() > 0 {
            self.event = event;
            let taken = self.take_ids();
            debug_assert!(taken.is_ok());
        }
    }
}
