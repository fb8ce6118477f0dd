//! The end of an element (Part 1 sections 3.3.4 and 3.4.4).

use super::{Checked, EventKind, Fault, Frame, State};
use crate::components::{Inside, SimpleId, TypeId, ValueConstraint};
use crate::value::steps_of;

impl<'s> State<'s> {
    #[inline(never)]
    pub(super) fn end_element(&mut self) -> Checked<EventKind> {
        let Some(frame) = self.frames.last().copied() else { return Ok(EventKind::Nothing) };
        (self.end, self.defaulted, self.part) = (None, None, None);
        self.event_range = (frame.text as usize, self.text.len() - frame.text as usize);
        match frame.inside {
            _ if frame.nil => {}
            Inside::Simple(simple) => self.end_simple(&frame, simple)?,
            Inside::Elements { mixed } => self.end_elements(&frame, mixed)?,
            Inside::Characters => self.end_mixed(&frame)?,
            _ => {}
        }
        if self.has_open_identities() {
            self.end_identities(&frame)?;
        }
        self.frames.pop();
        self.forget = Some(frame.text as usize);
        self.counters.truncate(frame.counters as usize);
        Ok(EventKind::End)
    }

    fn value_constraint(&self, frame: &Frame) -> Option<&'s ValueConstraint> {
        let declared = frame.element.filter(|_| frame.has_value)?;
        self.schema.elements[declared].value.as_ref()
    }

    fn end_simple(&mut self, frame: &Frame, simple: SimpleId) -> Checked<()> {
        if let Some(octets) = self.included.take() {
            return self.end_included(simple, octets);
        }
        let constraint = self.value_constraint(frame);
        let empty = self.text.len() == frame.text as usize;
        self.defaulted = constraint.filter(|_| empty).map(ValueConstraint::text);
        let fixed = match constraint {
            Some(ValueConstraint::Fixed(fixed)) if !empty => Some(fixed.as_str()),
            _ => None,
        };
        if let Some(defaulted) = self.defaulted {
            self.checker.steps += steps_of(defaulted);
        }
        let keyed = fixed.is_some() || self.wants_keys();
        let text = self.defaulted.unwrap_or(&self.text[frame.text as usize..]);
        let checked = self.checker.check(self.schema, simple, text, &self.bindings, keyed);
        let accepted = checked.map_err(|fault| Fault::of_value(fault.found, fault.expected))?;
        self.end = Some((simple, accepted.ty));
        if let Some(fixed) = fixed {
            let found = format!("'{}'", self.text[frame.text as usize..].trim());
            self.check_fixed(simple, fixed, &found)?;
        }
        self.take_ids()
    }

    fn end_elements(&mut self, frame: &Frame, mixed: bool) -> Checked<()> {
        let Some(TypeId::Complex(id)) = frame.ty else { return Ok(()) };
        let (model, counters) = (self.schema.model(id), &self.counters[frame.counters as usize..]);
        if !model.accepts(frame.place, counters) {
            if model.has_dropped(counters) {
                return Err(Fault::too_many_ways());
            }
            return Err(Fault::new("the end of the element", self.expected()));
        }
        if mixed { self.end_mixed(frame) } else { Ok(()) }
    }

    /// Checks that mixed content with a fixed value has no other content.
    fn end_mixed(&mut self, frame: &Frame) -> Checked<()> {
        let Some(ValueConstraint::Fixed(fixed)) = self.value_constraint(frame) else { return Ok(()) };
        let text = &self.text[frame.text as usize..];
        if frame.parent || !text.is_empty() && text != fixed {
            return Err(Fault::new(format!("'{text}'"), format!("the fixed value '{fixed}'")));
        }
        Ok(())
    }
}
