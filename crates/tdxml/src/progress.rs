//! Which elements of a record there have been, and whether another one may follow.

use std::collections::HashMap;

use tam::Error;

use crate::path::Step;
use crate::place::schema;
use crate::schema::{Element, NONE, Order, Record};

/// The elements of a record so far.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// The last element and its occurrence.
    pub(crate) last: Option<Step>,
    /// In a record with any order: the number of elements with each number.
    counts: Option<HashMap<u32, u32, foldhash::fast::RandomState>>,
}

impl Progress {
    /// The number of elements with a number, in a record with any order.
    pub(crate) fn count(&self, number: u32) -> u32 {
        self.counts.as_ref().and_then(|counts| counts.get(&number).copied()).unwrap_or(0)
    }

    /// Advances to a root element, if it may follow.
    pub(crate) fn follow(&mut self, step: Step, element: &Element, at: usize) -> Result<(), Error> {
        follows(self.last.replace(step), step, element, at)
    }

    /// Advances to an element, if it may follow. From the returned number on to its own, none may be [`missing`].
    #[inline]
    pub(crate) fn step(&mut self, record: &Record, step: Step, element: &Element, at: usize) -> Result<u32, Error> {
        let last = self.last.replace(step);
        if record.order != Order::Sequence {
            return self.any_order(record, last, step, element, at).map(|()| step.number);
        }
        follows(last, step, element, at)?;
        let from = last.map_or(0, |last| last.number + 1);
        if step.number + 1 < from {
            let found = format!("{} after what follows it", element.name);
            return Err(schema(at, found, "rows in the order of the schema"));
        }
        Ok(from)
    }

    fn any_order(
        &mut self,
        record: &Record,
        last: Option<Step>,
        step: Step,
        element: &Element,
        at: usize,
    ) -> Result<(), Error> {
        if record.order == Order::Choice {
            if let Some(last) = last.filter(|last| last.number != step.number) {
                let found = format!("{} after another alternative", element.name);
                return Err(schema(at, found, format!("one alternative, [{}]", last.number)));
            }
            return follows(last, step, element, at);
        }
        let seen = self.counts.get_or_insert_default().entry(step.number).or_insert(0);
        let before = seen.checked_sub(1).map(|occurrence| Step {
            number: step.number,
            occurrence: if element.repeated { occurrence } else { NONE },
        });
        *seen += 1;
        follows(before, step, element, at)
    }

    /// Checks that a record has all mandatory elements.
    #[inline]
    pub(crate) fn whole(&self, record: &Record, at: usize) -> Result<(), Error> {
        match record.order {
            Order::Sequence => {
                missing(record, self.last.map_or(0, |last| last.number + 1), record.elements.len() as u32, at)
            }
            Order::Choice => match self.last {
                None if record.required() > 0 && record.required() as usize == record.elements.len() => {
                    Err(schema(at, "no alternative", "one of those that the schema has"))
                }
                _ => Ok(()),
            },
            Order::Set => {
                let mut number = record.next_required(0);
                // Each element that is present cost a row, and the first missing one ends the loop.
                while (number as usize) < record.elements.len() {
                    if self.count(number) == 0 {
                        return missing(record, number, number + 1, at);
                    }
                    number = record.next_required(number + 1);
                }
                Ok(())
            }
        }
    }
}

/// Checks that a step may follow the last one of the same parent, by its occurrence.
#[inline]
fn follows(last: Option<Step>, step: Step, element: &Element, at: usize) -> Result<(), Error> {
    let same = last.filter(|last| last.number == step.number);
    let right = match element.repeated {
        true => step.occurrence != NONE && step.occurrence == same.map_or(0, |last| last.occurrence.wrapping_add(1)),
        false => step.occurrence == NONE && same.is_none(),
    };
    if right { Ok(()) } else { Err(out_of_order(at, step, element, same)) }
}

#[cold]
fn out_of_order(at: usize, step: Step, element: &Element, last: Option<Step>) -> Error {
    match (element.repeated, step.occurrence) {
        (true, NONE) => schema(at, "a path without the number of an occurrence", "one"),
        (true, occurrence) => {
            let next = last.map_or(0, |last| last.occurrence.wrapping_add(1));
            let found = format!("occurrence {occurrence} of {}", element.name);
            schema(at, found, format!("{next}: rows in order, those of an element together"))
        }
        (false, NONE) => schema(at, format!("{} a second time", element.name), "at most one, with adjacent rows"),
        (false, _) => {
            let expected = "none: the schema has at most one such element";
            schema(at, "the number of an occurrence", expected)
        }
    }
}

/// Checks that no mandatory element is missing between two numbers.
#[inline]
pub(crate) fn missing(record: &Record, from: u32, to: u32, at: usize) -> Result<(), Error> {
    let next = record.next_required(from);
    if next >= to {
        return Ok(());
    }
    let name = record.elements.get(next as usize).map_or("", |element| &element.name);
    Err(schema(at, format!("missing element {name}"), ""))
}
