//! An index of the positions of all rows.

use std::borrow::Cow;
use std::collections::HashMap;

use tam::Error;

use super::Lookup;
use super::target::Target;
use crate::envelope::characters;
use crate::path::{REST, Step, push_attribute, push_step};
use crate::reader::moved;
use crate::rest::Kind;
use crate::restore::{Name, Output, Restorer};
use crate::row_reader::{Event, Raw, RowReader};

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
        let (mut values, rows) = Values::of(lookup)?;
        while let Some((attribute, raw)) = values.next(rows)? {
            key(&values.steps, attribute, &mut place);
            let start = raw.at() - lookup.at;
            index.places.insert(place.as_slice().into(), (start as u32, (start + raw.text.len()) as u32));
        }
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

/// The units of a document, in the order of a walk, and whether each can be the value of a row.
#[derive(Default)]
struct Units {
    values: Vec<bool>,
    in_list: bool,
}

impl Units {
    fn push(&mut self, is_value: bool, in_list: bool) -> Result<(), Error> {
        self.values.push(is_value);
        self.in_list = in_list;
        Ok(())
    }
}

impl Output for Units {
    fn surround(&mut self) -> Result<(), Error> {
        self.push(false, false)
    }

    fn start(&mut self, _: Name<'_>, _: usize) -> Result<(), Error> {
        self.push(true, false)
    }

    fn attribute(&mut self, _: Name<'_>, _: &str, _: Option<usize>) -> Result<(), Error> {
        if !self.in_list {
            self.push(false, true)?;
        }
        self.push(true, true)
    }

    fn text(&mut self, _: &str, _: Option<usize>) -> Result<(), Error> {
        self.push(true, false)
    }

    fn note(&mut self, _: Kind, _: &str) -> Result<(), Error> {
        self.push(false, false)
    }

    fn end(&mut self) -> Result<(), Error> {
        self.in_list = false;
        Ok(())
    }
}

/// The path of the row of each unit.
pub(super) fn paths(lookup: &Lookup<'_>) -> Result<Vec<Option<String>>, Error> {
    let (Values { mut reader, mut steps, .. }, rows) = Values::of(lookup)?;
    let mut tree = Restorer::new(&lookup.schema, lookup.limits, Some(&lookup.parts), Units::default());
    let mut paths = Vec::new();
    loop {
        let event = reader.next(rows)?;
        if let Event::Open(_, step) | Event::Value(_, step, ..) = event {
            steps.push(step);
        }
        let of = match event {
            Event::Value(..) | Event::Text(..) => Some(None),
            Event::Attribute(attribute, _) => Some(Some(attribute.number)),
            // An element whose row only shows that it is present.
            Event::Close if tree.is_pending() => Some(None),
            Event::More | Event::End => return Ok(paths),
            _ => None,
        };
        tree.event(event, &mut reader)?;
        let units = tree.out.values.get(paths.len()..).unwrap_or_default();
        let unit = units.iter().rposition(|is_value| *is_value).map(|at| paths.len() + at);
        paths.resize(tree.out.values.len(), None);
        if let (Some(attribute), Some(unit)) = (of, unit.and_then(|unit| paths.get_mut(unit))) {
            let mut path = Vec::new();
            steps.iter().for_each(|step| push_step(&mut path, *step));
            attribute.iter().for_each(|number| push_attribute(&mut path, *number));
            *unit = Some(String::from_utf8_lossy(&path).into_owned());
        }
        if let Event::Value(..) | Event::Close = event {
            steps.pop();
        }
    }
}

/// Scans the table up to a value.
pub(super) fn scan(lookup: &Lookup<'_>, target: &Target) -> Result<Option<(usize, usize)>, Error> {
    let (mut values, rows) = Values::of(lookup)?;
    while let Some((attribute, raw)) = values.next(rows)? {
        if attribute == target.attribute && values.steps == target.steps {
            let start = raw.at() - lookup.at;
            return Ok(Some((start, start + raw.text.len())));
        }
    }
    Ok(None)
}

/// The values of rows, with their paths.
pub(super) struct Values<'s> {
    pub(super) reader: RowReader<'s>,
    /// The path of the last value.
    pub(super) steps: Vec<Step>,
    /// Whether it was that of a simple element, which has ended.
    has_ended: bool,
}

impl<'s> Values<'s> {
    pub(super) fn new(reader: RowReader<'s>, steps: Vec<Step>) -> Values<'s> {
        Values { reader, steps, has_ended: false }
    }

    /// Those of a whole table, and its text.
    fn of<'m>(lookup: &'s Lookup<'m>) -> Result<(Values<'s>, &'m str), Error> {
        let rows = characters(lookup.rows).map_err(|error| moved(error, lookup.at))?;
        let mut reader = RowReader::new(&lookup.schema, lookup.limits, lookup.message.len());
        reader.begin(rows, lookup.at, true)?;
        Ok((Values::new(reader, Vec::new()), rows))
    }

    /// The next value, and the attribute that it belongs to. `None` at the end of the text.
    pub(super) fn next<'t>(&mut self, text: &'t str) -> Result<Option<(Option<u32>, Raw<'t>)>, Error> {
        loop {
            if std::mem::take(&mut self.has_ended) {
                self.steps.pop();
            }
            match self.reader.next(text)? {
                Event::Open(_, step) => self.steps.push(step),
                Event::Value(_, step, _, raw) => {
                    self.steps.push(step);
                    self.has_ended = true;
                    return Ok(Some((None, raw)));
                }
                Event::Rest(raw) => return Ok(Some((Some(REST), raw))),
                Event::Attribute(attribute, raw) => return Ok(Some((Some(attribute.number), raw))),
                Event::Text(_, raw) => return Ok(Some((None, raw))),
                Event::Default(..) => {}
                Event::Close => {
                    self.steps.pop();
                }
                Event::More | Event::End => return Ok(None),
            }
        }
    }
}
