//! An index of the positions of all rows.

use std::borrow::Cow;
use std::collections::HashMap;

use tam::{Error, Expansion};

use super::Lookup;
use super::target::Target;
use crate::envelope::characters;
use crate::machine::{Machine, Sink};
use crate::path::REST;
use crate::path::Step;
use crate::reader::{lines, moved};
use crate::schema::{Attribute, Element, ValueType};

/// The position of each value in a table, by path.
///
/// It belongs to one message, and is meaningless with another. Building it reads the table once; then lookups are fast
/// even if the rows are in any order.
#[derive(Debug, Default)]
pub struct RowIndex {
    places: HashMap<Box<[u32]>, (u32, u32), foldhash::fast::RandomState>,
}

/// A path as a key.
fn key(steps: &[Step], attribute: Option<u32>, out: &mut Vec<u32>) {
    out.clear();
    out.extend(steps.iter().flat_map(|step| [step.number, step.occurrence]));
    out.extend(attribute);
}

impl RowIndex {
    pub(super) fn new(lookup: &Lookup<'_>) -> Result<RowIndex, Error> {
        let mut index = RowIndex::default();
        let mut place = Vec::new();
        walk(lookup, |steps, attribute, start, end| {
            key(steps, attribute, &mut place);
            index.places.insert(place.as_slice().into(), (start as u32, end as u32));
            true
        })?;
        Ok(index)
    }

    /// The value at a path of the indexed message, like [`Lookup::get`].
    ///
    /// # Errors
    /// Those of [`Lookup::get`].
    pub fn get<'m>(&self, rows: &Lookup<'m>, path: &str) -> Result<Option<Cow<'m, str>>, Error> {
        let target = rows.target(path)?;
        let mut place = Vec::with_capacity(2 * target.steps.len() + 1);
        key(&target.steps, target.attribute, &mut place);
        let found = self.places.get(place.as_slice()).map(|(start, end)| (*start as usize, *end as usize));
        rows.value(found, &target)
    }

    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// Scans the table up to a value.
pub(super) fn scan(lookup: &Lookup<'_>, target: &Target) -> Result<Option<(usize, usize)>, Error> {
    let mut found = None;
    walk(lookup, |steps, attribute, start, end| {
        let is_it = attribute == target.attribute && steps == target.steps;
        if is_it {
            found = Some((start, end));
        }
        !is_it
    })?;
    Ok(found)
}

/// Passes each value of a table and its path to `each`, until it returns `false`.
fn walk(lookup: &Lookup<'_>, each: impl FnMut(&[Step], Option<u32>, usize, usize) -> bool) -> Result<(), Error> {
    let rows = characters(lookup.rows).map_err(|error| moved(error, lookup.at))?;
    let mut machine = Machine::new(&lookup.schema, lookup.limits, lookup.message.len());
    let mut values = Values { base: lookup.at, steps: Vec::new(), each, more: true };
    lines(rows, lookup.at, |line, at| match values.more {
        true => machine.line(line, at, &mut values).map_err(|error| error.in_path(machine.path())),
        false => Ok(()),
    })?;
    if values.more { machine.end(lookup.at + rows.len(), &mut values) } else { Ok(()) }
}

/// Passes on the positions of values.
struct Values<F> {
    base: usize,
    steps: Vec<Step>,
    each: F,
    more: bool,
}

impl<F: FnMut(&[Step], Option<u32>, usize, usize) -> bool> Values<F> {
    fn report(&mut self, attribute: Option<u32>, value: &str, at: usize) {
        let start = at - self.base;
        self.more = self.more && (self.each)(&self.steps, attribute, start, start + value.len());
    }
}

impl<F: FnMut(&[Step], Option<u32>, usize, usize) -> bool> Sink<'_> for Values<F> {
    fn open(&mut self, _: &Element, step: Step, _: usize) -> Result<(), Error> {
        self.steps.push(step);
        Ok(())
    }

    fn rest(&mut self, value: &str, at: usize, _: &mut Expansion) -> Result<(), Error> {
        self.report(Some(REST), value, at);
        Ok(())
    }

    fn attribute(&mut self, attribute: &Attribute, value: &str, at: Option<usize>) -> Result<(), Error> {
        if let Some(at) = at {
            self.report(Some(attribute.number), value, at);
        }
        Ok(())
    }

    fn text(&mut self, _: ValueType, value: &str, at: usize) -> Result<(), Error> {
        self.report(None, value, at);
        Ok(())
    }

    fn close(&mut self) -> Result<(), Error> {
        self.steps.pop();
        Ok(())
    }
}
