//! Finds rows by binary search in the table.

use std::cmp::Ordering;

use tam::Error;

use super::Lookup;
use super::target::Target;
use crate::envelope::characters;
use crate::group::Groups;
use crate::path::{self, Step, rank};
use crate::place::syntax;
use crate::reader::moved;
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

/// A group whose rows are being skipped.
struct Frame {
    group: u32,
    column: usize,
    occurrence: u32,
    left: Option<u64>,
    /// The number of steps of the target that lead to the element of the rows, if they do.
    depth: Option<usize>,
}

/// Finds the target's cell in the group after a head.
fn cell(lookup: &Lookup<'_>, head: &Line<'_>, target: &Target) -> Result<Option<(usize, usize)>, Error> {
    let count = head.steps.len();
    let Some((last, above)) = head.steps.split_last() else { return Ok(None) };
    let wanted = target.steps.get(count - 1).filter(|step| step.number == last.number);
    if !target.steps.starts_with(above) || wanted.is_none_or(|step| step.occurrence < last.occurrence) {
        return Ok(None);
    }
    let groups = Groups::read(head.text, head.after, lookup.at + head.start, lookup.limits.depth)?;
    let mut frames = vec![Frame { group: 0, column: 0, occurrence: last.occurrence, left: None, depth: Some(count) }];
    let mut at = head.end;
    let wanted = wanted.map_or(0, |step| step.occurrence);
    while at < lookup.rows.len() {
        let rest = lookup.rows.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end);
        let line = rest.get(..end).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let [top] = &frames[..]
            && top.column == 0
            && (line.first() == Some(&b'[') || top.occurrence > wanted)
        {
            return Ok(None);
        }
        if let Some((start, len)) = row(&groups, &mut frames, line, target, lookup.at + at)? {
            return Ok((len > 0).then(|| {
                let value = line.get(start..start + len).unwrap_or_default();
                if value == crate::escape::EMPTY.as_bytes() {
                    (at + start, at + start)
                } else {
                    (at + start, at + start + len)
                }
            }));
        }
        at += end + 1;
    }
    Ok(None)
}

/// Reads a line. Returns the position of the target's cell, if it is in this line.
fn row(
    groups: &Groups,
    frames: &mut Vec<Frame>,
    line: &[u8],
    target: &Target,
    at: usize,
) -> Result<Option<(usize, usize)>, Error> {
    let mut from = 0;
    while let Some(frame) = frames.last_mut() {
        let Some(column) = groups.columns(frame.group).get(frame.column).copied() else { break };
        let rest = line.get(from..).unwrap_or_default();
        let len = memchr::memchr(b'|', rest).unwrap_or(rest.len());
        let steps = groups.steps(&column);
        // Whether the row leads to the target.
        let depth = frame.depth.filter(|depth| {
            target
                .steps
                .get(depth - 1)
                .is_some_and(|step| step.occurrence == NONE || step.occurrence == frame.occurrence)
        });
        let below = depth.filter(|depth| {
            let next = target.steps.get(*depth..*depth + steps.len()).unwrap_or_default();
            next.len() == steps.len() && next.iter().zip(steps).all(|(own, other)| own.number == other.number)
        });
        frame.column += 1;
        if let Some(group) = column.group {
            let digits = rest.get(..len).and_then(|digits| str::from_utf8(digits).ok());
            let Some(count) = digits.and_then(|digits| digits.parse::<u64>().ok()) else {
                return Err(syntax(at + from, "another cell", "how many rows come"));
            };
            if count > 0 {
                let depth = below.map(|depth| depth + steps.len());
                frames.push(Frame { group, column: 0, occurrence: 0, left: Some(count), depth });
            } else {
                settle(groups, frames);
            }
            return Ok(None);
        }
        let is_it = below.is_some_and(|depth| depth + steps.len() == target.steps.len());
        if is_it && column.attribute == target.attribute {
            return Ok(Some((from, len)));
        }
        if from + len >= line.len() {
            break;
        }
        from += len + 1;
    }
    settle(groups, frames);
    Ok(None)
}

/// Ends the rows that have all their cells.
fn settle(groups: &Groups, frames: &mut Vec<Frame>) {
    while let Some(frame) = frames.last_mut() {
        if frame.column < groups.columns(frame.group).len() {
            return;
        }
        frame.column = 0;
        frame.occurrence = frame.occurrence.saturating_add(1);
        match &mut frame.left {
            None => return,
            Some(left) if *left > 1 => {
                *left -= 1;
                return;
            }
            Some(_) => {
                frames.pop();
            }
        }
    }
}
