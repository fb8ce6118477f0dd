//! Finds rows by binary search in the table.

use std::cmp::Ordering;

use tam::Error;

use super::Lookup;
use super::index::Values;
use super::target::Target;
use crate::envelope::characters;
use crate::path::{self, Step, rank};
use crate::place::syntax;
use crate::reader::moved;
use crate::row_reader::RowReader;
use crate::schema::NONE;

/// A line that begins with a path.
struct Line<'r> {
    start: usize,
    /// The position after the path.
    after: usize,
    end: usize,
    text: &'r str,
    steps: Vec<Step>,
    attribute: Option<u32>,
}

impl Line<'_> {
    fn is_head(&self) -> bool {
        self.text.as_bytes().get(self.after) == Some(&b'{')
    }

    /// Compares its path with the target.
    fn cmp(&self, target: &Target) -> Ordering {
        let pairs = self.steps.iter().zip(&target.steps);
        for (own, other) in pairs {
            let order = own.number.cmp(&other.number).then_with(|| of(own).cmp(&of(other)));
            if order != Ordering::Equal {
                return order;
            }
        }
        // A head comes before everything in its first element; attributes come before text, and text before elements.
        let own = match (self.steps.get(target.steps.len()), self.attribute, self.is_head()) {
            (Some(_), ..) => (2, 0),
            (None, _, true) => (-1, 0),
            (None, Some(number), _) => (0, rank(number)),
            (None, None, _) => (1, 0),
        };
        let other = match (target.steps.get(self.steps.len()), target.attribute) {
            (Some(_), _) => (2, 0),
            (None, Some(number)) => (0, rank(number)),
            (None, None) => (1, 0),
        };
        own.cmp(&other)
    }
}

/// An element that is not repeated counts as the first.
fn of(step: &Step) -> u32 {
    if step.occurrence == NONE { 0 } else { step.occurrence }
}

/// Finds the position of the target's value in the rows.
pub(super) fn find(lookup: &Lookup<'_>, target: &Target) -> Result<Option<(usize, usize)>, Error> {
    if !target.sorted {
        return super::index::scan(lookup, target);
    }
    // Finds the last line whose path is not after the target.
    let (mut low, mut high) = (0, lookup.rows.len());
    let mut best: Option<Line<'_>> = None;
    while low < high {
        let middle = low + (high - low) / 2;
        let from = if middle == low { low } else { middle };
        let Some(line) = next_line(lookup, from, high)? else {
            high = middle;
            continue;
        };
        match line.cmp(target) {
            Ordering::Greater => high = middle,
            order => {
                low = line.end.max(middle + 1);
                let is_it = order == Ordering::Equal;
                best = Some(line);
                if is_it {
                    break;
                }
            }
        }
    }
    let Some(line) = best else { return Ok(None) };
    if line.is_head() {
        return cell(lookup, &line, target);
    }
    let is_it = line.cmp(target) == Ordering::Equal && line.steps.len() == target.steps.len();
    if !is_it || line.attribute != target.attribute {
        return Ok(None);
    }
    let spaces = line.text.get(line.after..).unwrap_or_default().bytes().take_while(|c| *c == b' ').count();
    if line.text.as_bytes().get(line.after + spaces) != Some(&b'|') {
        return Err(syntax(lookup.at + line.start + line.after, "a path alone", "'|' and a value"));
    }
    let value = line.start + line.after + spaces + 1;
    let end = line.start + line.text.len();
    Ok(Some((value, end)))
}

/// The first line between two positions that begins with a path.
fn next_line<'m>(lookup: &Lookup<'m>, from: usize, before: usize) -> Result<Option<Line<'m>>, Error> {
    let rows = lookup.rows;
    let mut at = from;
    if at > 0 && rows.get(at - 1) != Some(&b'\n') {
        at = match rows.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)) {
            Some(end) => at + end + 1,
            None => return Ok(None),
        };
    }
    while at < before {
        let rest = rows.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(rows.len(), |end| at + end);
        if rest.first() == Some(&b'[') {
            let line = rows.get(at..end).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let text = characters(line).map_err(|error| moved(error, lookup.at + at))?;
            let mut steps = Vec::new();
            let (attribute, after) = path::read(text, 0, lookup.at + at, &mut steps)?;
            return Ok(Some(Line { start: at, after, end: (end + 1).min(rows.len()), text, steps, attribute }));
        }
        at = end + 1;
    }
    Ok(None)
}

/// Finds the target's cell in the group after a head.
fn cell(lookup: &Lookup<'_>, head: &Line<'_>, target: &Target) -> Result<Option<(usize, usize)>, Error> {
    let level = head.steps.len() - 1;
    let Some((last, above)) = head.steps.split_last() else { return Ok(None) };
    let wanted = target.steps.get(level).filter(|step| step.number == last.number);
    let Some(wanted) = wanted.filter(|step| step.occurrence >= last.occurrence) else { return Ok(None) };
    if !target.steps.starts_with(above) {
        return Ok(None);
    }
    let mut reader = RowReader::new(&lookup.schema, lookup.limits, lookup.message.len());
    reader.begin_inside(&head.steps);
    let mut values = Values::new(reader, above.to_vec());
    let mut at = head.start;
    while at < lookup.rows.len() {
        let rest = lookup.rows.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        if at > head.start && rest.first() == Some(&b'[') {
            break;
        }
        let place = lookup.at + at;
        let line = characters(rest.get(..end).unwrap_or_default()).map_err(|error| moved(error, place))?;
        values.reader.begin(line, place, false)?;
        while let Some((attribute, raw)) = values.next(line)? {
            if attribute == target.attribute && values.steps == target.steps {
                let start = raw.at() - lookup.at;
                return Ok(Some((start, start + raw.text.len())));
            }
            if values.steps.get(level).is_some_and(|step| step.occurrence > wanted.occurrence) {
                return Ok(None);
            }
        }
        at += end;
    }
    Ok(None)
}
