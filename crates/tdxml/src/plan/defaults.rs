//! Attributes that a message leaves out for their defaults.

use super::fields::{RecordPlan, Target};
use super::seen::Seen;
use crate::schema::Record;

/// The defaults of a record that is being read: told to a type behind what the message has.
pub(super) struct Defaults<'p> {
    record: &'p Record,
    /// The attributes that have defaults, in order.
    attributes: &'p [u32],
    /// Which of them the message has.
    told: Seen,
    /// How many have been looked at.
    next: usize,
}

impl<'p> Defaults<'p> {
    #[inline(always)]
    pub(super) fn new(record: &'p Record, plan: Option<&'p RecordPlan>) -> Defaults<'p> {
        Defaults { record, attributes: plan.map_or(&[], |plan| &plan.defaults), told: Seen::default(), next: 0 }
    }

    /// Takes note of what has been told.
    #[inline(always)]
    pub(super) fn note(&mut self, target: Target) {
        if let Target::Attribute(number) = target
            && !self.attributes.is_empty()
            && let Ok(place) = self.attributes.binary_search(&number)
        {
            self.told.add(place);
        }
    }

    /// The next attribute that has not been told, and its default.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(Target, &'p str)> {
        if self.next < self.attributes.len() { self.untold() } else { None }
    }

    #[cold]
    fn untold(&mut self) -> Option<(Target, &'p str)> {
        while let Some(number) = self.attributes.get(self.next).copied() {
            let is_told = self.told.has(self.next);
            self.next += 1;
            let default = self.record.attributes.get(number as usize).and_then(|one| one.default.as_deref());
            if let Some(default) = default.filter(|_| !is_told) {
                return Some((Target::Attribute(number), default));
            }
        }
        None
    }
}
