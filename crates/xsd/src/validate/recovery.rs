//! Goes on after an error, to find others.

use tam::ErrorKind;

use super::{Frame, State, Validator};
use crate::Name;
use crate::components::Inside;
use crate::content::Place;

impl Validator<'_, '_> {
    /// Goes on after an error of kind schema, and returns whether that was the last one. Nothing is checked in an element that its
    /// parent may not have, and the value that was wrong counts as right. Keys and references (`xs:key`, `xs:ID` and so on) are
    /// not checked any more, as they may be in what was passed over.
    pub fn recover(&mut self) -> bool {
        if self.failed.take_if(|error| error.kind() == ErrorKind::Schema).is_none() {
            return false;
        }
        self.is_recovered = true;
        self.state.recover(self.reader.depth());
        true
    }
}

impl State<'_> {
    /// Makes of an event that was not finished one that was: so many elements are open.
    fn recover(&mut self, depth: usize) {
        self.identities = None;
        self.included = None;
        if self.frames.len() < depth {
            if let Some(parent) = self.frames.last_mut() {
                parent.parent = true;
            }
            self.frames.push(Frame {
                name: Name::UNKNOWN,
                element: None,
                ty: None,
                inside: Inside::Skip,
                place: Place::START,
                counters: self.counters.len() as u32,
                text: self.text.len() as u32,
                nil: false,
                parent: false,
                has_value: false,
                in_any: false,
            });
        } else if self.frames.len() > depth
            && let Some(frame) = self.frames.pop()
        {
            self.forget = Some(frame.text as usize);
            self.counters.truncate(frame.counters as usize);
        }
    }
}
