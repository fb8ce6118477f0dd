//! Runs: items of a list that are all written in the same way. The markup between their values is
//! compared as a whole, tag by tag is not needed. Kernels read items of one number each.

use asn1::event::{At, Integer, Real, Sink};
use asn1::{Filler, Level};
use tam::Error;
use text::xml::{Ahead, Reader as Xml};
use xml::chars::space_end;
use xml::kernels::number::{Number, Powers};
use xml::kernels::numbers::{Batch, Compared, Comparison, Fallback, GATHERED};
use xml::kernels::{self, Job, Kernel, Portable};
use xml::number;
use xsd::Validator;
use xsd::content::NodeId;
use xsd::internal::State;

use super::super::place::{OpenGroup, Target};
use super::super::reader::Reader;
use super::super::types::Types;
use super::follow::Old;
use super::located;
use super::memory::Memory;
use super::plan::Plan;
use super::row::Row;
use super::value::{Checked, ReadValue};

/// So many bytes of an item, all of them markup, decide whether the next one may be written like it.
const AHEAD: usize = 3;

/// A run that is worth its end has as many bytes as so many items.
const FEW: usize = 4;

/// The longest text of a number that is read in a run.
const LONGEST: usize = 64;

/// The numbers of a list that kernels read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberKind {
    Double,
    /// Integers from `least` to `most`.
    Integer {
        least: i64,
        most: i64,
    },
}

/// An item of a list of elements.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct ListItem {
    /// The number of its plan.
    pub(super) plan: u32,
    /// The leaf of the content model that the items of the list match.
    pub(super) leaf: NodeId,
    /// Where it begins, with the white space before it.
    pub(super) start: u32,
}

/// The integers that are read as `i32`: all of these.
pub(super) const LEAST: i64 = i32::MIN as i64;
pub(super) const MOST: i64 = i32::MAX as i64;

/// A number that fills an item.
pub(super) trait Item: Number
where
    LibraryParser: Fallback<Self>,
{
    fn fill(filler: &mut Filler<'_>, level: Level, index: u32, items: &[Self]);
    fn from_cell(cell: u64) -> Self;
    fn to_cell(self) -> u64;

    /// Whether it is one of the numbers of a list.
    #[inline(always)]
    fn is_allowed(self, _: NumberKind) -> bool {
        true
    }
}

impl Item for f64 {
    fn fill(filler: &mut Filler<'_>, level: Level, index: u32, items: &[f64]) {
        filler.doubles(level, index, items);
    }

    fn from_cell(cell: u64) -> f64 {
        f64::from_bits(cell)
    }

    fn to_cell(self) -> u64 {
        self.to_bits()
    }
}

impl Item for i32 {
    fn fill(filler: &mut Filler<'_>, level: Level, index: u32, items: &[i32]) {
        filler.integers(level, index, items);
    }

    fn from_cell(cell: u64) -> i32 {
        cell as i32
    }

    fn to_cell(self) -> u64 {
        i64::from(self) as u64
    }
}

impl Item for i64 {
    fn fill(filler: &mut Filler<'_>, level: Level, index: u32, items: &[i64]) {
        filler.integers(level, index, items);
    }

    fn from_cell(cell: u64) -> i64 {
        cell as i64
    }

    fn to_cell(self) -> u64 {
        self as u64
    }

    #[inline(always)]
    fn is_allowed(self, of: NumberKind) -> bool {
        matches!(of, NumberKind::Integer { least, most } if (least..=most).contains(&self))
    }
}

/// Reads the numbers that kernels leave alone.
#[derive(Clone, Copy)]
pub(super) struct LibraryParser;

impl Fallback<f64> for LibraryParser {
    fn read(self, bytes: &[u8], at: usize) -> Option<(f64, usize)> {
        plain(bytes, at, number::double)
    }
}

impl Fallback<i32> for LibraryParser {
    fn read(self, bytes: &[u8], at: usize) -> Option<(i32, usize)> {
        plain(bytes, at, |text| text.parse().ok())
    }
}

impl Fallback<i64> for LibraryParser {
    fn read(self, bytes: &[u8], at: usize) -> Option<(i64, usize)> {
        plain(bytes, at, |text| text.parse().ok())
    }
}

#[inline(never)]
fn plain<T>(bytes: &[u8], at: usize, parse: impl Fn(&str) -> Option<T>) -> Option<(T, usize)> {
    let text = bytes.get(at..)?;
    let len = text.iter().take(LONGEST).position(|byte| *byte == b'<')?;
    Some((parse(str::from_utf8(text.get(..len)?).ok()?)?, at + len))
}

impl Reader<'_> {
    /// Reads the items of a list after one that has been read and ends at a place, as long as they are written in the same way.
    /// Returns the position after them and the number of events so far.
    #[inline]
    pub(super) fn items(
        &mut self,
        validator: &mut Validator<'_, '_>,
        ahead: &Ahead<'_>,
        (item, end): (ListItem, usize),
        events: u64,
        scope: u64,
    ) -> Result<(usize, u64), Error> {
        let (text, start) = (ahead.text.as_bytes(), item.start as usize);
        let before = text.get(start..start + AHEAD).unwrap_or_default();
        let is_lesson = std::mem::take(&mut self.lesson.is_on);
        if !text.get(end..).is_some_and(|rest| rest.starts_with(before)) {
            return Ok((end, events));
        }
        if is_lesson && let Some(row) = self.lesson.learn(self.types, &self.memory.plans, text, end, scope) {
            self.memory.learn_row(item.plan, row);
        }
        let fits = |row: &&Row| {
            row.scope == scope && row.literals.first().is_some_and(|one| one.after(Portable, text, end).is_some())
        };
        let id = self.memory.known(item.plan).row.as_ref().filter(fits).map(|row| row.id);
        let Some(id) = id.filter(|_| self.may_run(validator, item.plan, item.leaf)) else {
            self.memory.known(item.plan).tried(false);
            return Ok((end, events));
        };
        self.begin_run(validator, end, scope);
        if self.counterpart(validator, end, scope).is_some() {
            // It is followed.
            return Ok((end, events));
        }
        let run = Run { reader: self, validator, ahead, plan: item.plan, end, events };
        let (last, events) = kernels::run(run)?;
        // The item after a run is looked at twice, which a long run makes up for.
        let is_long = last - end >= FEW * (end - start);
        self.memory.known(item.plan).tried(is_long);
        self.end_run(validator, last, scope, (item.plan, id, item.leaf));
        Ok((last, events))
    }

    /// Whether items of a plan may be read in the list that is open: each leaves the place in the content as it is.
    pub(super) fn may_run(&mut self, validator: &mut Validator<'_, '_>, plan: u32, leaf: NodeId) -> bool {
        let place = validator.state.place();
        let depth = self.memory.known(plan).row.as_ref().map_or(0, |row| row.depth);
        !validator.state.is_counting()
            && validator.reader.may_open(depth)
            && self.go_expected(validator, leaf)
            && validator.state.place() == place
    }
}

/// A run that is read: how far, and how many events there have been.
pub(super) struct Run<'a, 'r, 'v, 'x, 't> {
    pub(super) reader: &'a mut Reader<'r>,
    pub(super) validator: &'a mut Validator<'v, 'x>,
    pub(super) ahead: &'a Ahead<'t>,
    /// The number of the plan of its items.
    pub(super) plan: u32,
    pub(super) end: usize,
    pub(super) events: u64,
}

impl Job for Run<'_, '_, '_, '_, '_> {
    type Output = Result<(usize, u64), Error>;

    /// Reads all items that are written in the same way.
    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) -> Result<(usize, u64), Error> {
        while self.read(kernel, GATHERED)? == GATHERED {}
        Ok((self.end, self.events))
    }
}

impl Run<'_, '_, '_, '_, '_> {
    /// Reads as many items as are wanted, or fewer that are written in the same way.
    #[inline(always)]
    pub(super) fn read<K: Kernel>(&mut self, kernel: K, wanted: usize) -> Result<usize, Error> {
        match self.number() {
            None => self.rows(kernel, wanted),
            Some(number) => Ok(self.numbers_of(number, wanted, None)?.0),
        }
    }

    /// The numbers that kernels read, if the items are of one each.
    #[inline(always)]
    pub(super) fn number(&self) -> Option<NumberKind> {
        self.reader.memory.number_of(self.plan).filter(|_| self.has_a_cell_each())
    }

    /// Reads as many items of one number each as are wanted, or those that differ from items of an earlier instance: the number
    /// of items, and how they compare.
    #[inline(always)]
    pub(super) fn numbers_of(
        &mut self,
        kind: NumberKind,
        wanted: usize,
        old: Option<Old<'_, '_>>,
    ) -> Result<(usize, Compared), Error> {
        match kind {
            NumberKind::Double => self.numbers::<f64>(kind, wanted, old),
            NumberKind::Integer { least: LEAST, most: MOST } => self.numbers::<i32>(kind, wanted, old),
            NumberKind::Integer { .. } => self.numbers::<i64>(kind, wanted, old),
        }
    }

    /// Whether each item of the open list has one cell.
    fn has_a_cell_each(&self) -> bool {
        match self.reader.open.last() {
            Some(OpenGroup::List { node, .. }) => {
                self.reader.types.compiled().columns(*node).is_none_or(|columns| columns == 1)
            }
            _ => false,
        }
    }

    /// Items of one number each.
    fn numbers<T: Item>(
        &mut self,
        kind: NumberKind,
        wanted: usize,
        old: Option<Old<'_, '_>>,
    ) -> Result<(usize, Compared), Error>
    where
        LibraryParser: Fallback<T>,
    {
        let Run { reader, validator, ahead, plan, end, events } = self;
        let bytes = ahead.text.as_bytes();
        let Reader { filler, open, memory, trail, .. } = &mut **reader;
        let Some(OpenGroup::List { at: list, node, of, level, count, .. }) = open.last_mut() else {
            return Ok(Default::default());
        };
        let Some(known) = memory.known.get_mut(*plan as usize) else { return Ok(Default::default()) };
        let Some(row) = &known.row else { return Ok(Default::default()) };
        let Some(numbers) = row.numbers(bytes) else { return Ok(Default::default()) };
        let (mut values, mut lens) = ([T::default(); GATHERED], [0u16; GATHERED]);
        let left = usize::try_from(of.most.saturating_sub((*count).into())).unwrap_or(usize::MAX);
        let wanted = wanted.min(left).min(GATHERED);
        let (places, room, pace) = (&mut values[..wanted], &mut lens[..wanted], &mut known.pace);
        let list_before = old.as_ref().map(|old| old.run.cell);
        let (read, compared) = match old {
            Some(Old { run: old, both, patience }) => {
                let cells = filler.items_of(old.cell, old.first as usize..old.first as usize + wanted);
                let places = places.get_mut(..cells.len()).unwrap_or_default();
                places.iter_mut().zip(cells).for_each(|(place, cell)| *place = T::from_cell(*cell));
                kernels::run(Comparison {
                    numbers: &numbers,
                    both,
                    old_lens: old.lens,
                    places,
                    lens: room,
                    pace,
                    patience,
                })
            }
            None => (
                kernels::run(Batch::<T, u16, _, false> { numbers: &numbers, at: *end, places, lens: room, pace }),
                Compared::default(),
            ),
        };
        let read = read.count;
        let read = values[..read].iter().position(|value| !value.is_allowed(kind)).unwrap_or(read);
        if let Some(cell) = list_before.filter(|_| compared.same > 0) {
            *level = filler.make_room((*list, *node, *level, *count), cell, read as u32)?;
        }
        let (mut done, events_each) = (0, row.events + 1);
        while done < read {
            // One item at a time makes room for more, so that a limit is exceeded by the same item as without runs.
            let fit = filler.room(*level).saturating_sub(*count).min((read - done) as u32).max(1);
            let grown = filler.more(*list, *node, *level, fit);
            let tag = space_end(bytes, *end);
            *level = grown.map_err(|error| located(validator, &error, tag, *events + events_each - 2))?;
            let part = done..done + fit as usize;
            T::fill(filler, *level, *count, values.get(part.clone()).unwrap_or_default());
            *count += fit;
            *end += lens.get(part).unwrap_or_default().iter().map(|len| usize::from(*len)).sum::<usize>();
            *events += u64::from(fit) * events_each;
            done += fit as usize;
        }
        if let Some(trail) = trail {
            trail.lens.extend_from_slice(lens.get(..read).unwrap_or_default());
        }
        Ok((read, compared))
    }

    /// Items of any kind.
    #[inline(always)]
    pub(super) fn rows<K: Kernel>(&mut self, kernel: K, wanted: usize) -> Result<usize, Error> {
        let Run { reader, validator, ahead, plan, end, events } = self;
        let lent = reader.lends.map(|from| from + ahead.start);
        let Reader { types, filler, open, memory, parser, checked, levels, trail, .. } = &mut **reader;
        let Memory { known, plans, .. } = &**memory;
        let Some(OpenGroup::List { at, node, of, level, count, .. }) = open.last_mut() else { return Ok(0) };
        let Some(row) = known.get(*plan as usize).and_then(|known| known.row.as_ref()) else { return Ok(0) };
        let powers = Powers::get();
        let mut read = 0;
        // Whatever may exceed a limit is read tag by tag.
        while read < wanted && u64::from(*count) < of.most {
            let steps = validator.state.steps();
            let found = check(kernel, row, plans, types, validator, ahead, *end, checked, powers);
            let Some((next, filled)) = found else { break };
            // A value has at most as many cells as bytes.
            if !filler.fits(*node, *level, *count, row.cells + (next - *end) as u64) {
                validator.state.undo(steps);
                break;
            }
            if let Some(trail) = trail {
                // What is taken from the instance before takes no steps.
                let len = u16::try_from(next - *end).ok().filter(|_| validator.state.steps() == steps);
                let Some(len) = len else {
                    validator.state.undo(steps);
                    break;
                };
                trail.lens.push(len);
            }
            *level = filler.more(*at, *node, *level, 1)?;
            let to = At { level: *level, index: *count };
            *count += 1;
            row.begin(types, filler, (to, of.node), levels)?;
            for (hole, ReadValue { value, .. }) in row.holes.iter().zip(&**checked) {
                let target = match hole.place {
                    Some((number, place)) => place.at(levels.get(usize::from(number)).copied().unwrap_or(*level)),
                    None => Target { at: to, node: of.node, is_item: true },
                };
                match value {
                    Checked::Double(number) => filler.real(target.at, target.node, Real::Double(*number))?,
                    Checked::Integer(number) => filler.integer(target.at, target.node, Integer::Small(*number))?,
                    _ => {
                        let plan = plans.get(hole.plan as usize);
                        let Some(reads) = plan.and_then(|plan| plan.value_of(hole.attribute)) else { continue };
                        let parts = (*types, &mut *parser);
                        reads.fill(parts, filler, &validator.state, target, *value, (ahead.text.as_bytes(), lent))?;
                    }
                }
            }
            (*end, *events, read) = (next, *events + row.events + filled, read + 1);
        }
        Ok(read)
    }
}

/// Checks an item from a place on. Returns where it ends, and how many of its values have characters. If it is written in
/// another way, or is invalid, nothing has happened.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn check<K: Kernel>(
    kernel: K,
    row: &Row,
    plans: &[Plan],
    types: &Types,
    validator: &mut Validator<'_, '_>,
    ahead: &Ahead<'_>,
    at: usize,
    checked: &mut Vec<ReadValue>,
    powers: &Powers,
) -> Option<(usize, u64)> {
    let Validator { state, reader, .. } = validator;
    let (steps, waited) = (state.steps(), state.waiting());
    let text = ahead.text;
    let piece = |start: usize, quote: Option<u8>| {
        let end = match quote {
            Some(quote) => Xml::plain_value_end(text.as_bytes(), start, quote)?,
            None => reader.plain_text_end(text.as_bytes(), start)?,
        };
        Some((text.get(start..end)?, end))
    };
    let read = values_of(kernel, row, plans, types, state, text.as_bytes(), at, checked, powers, piece);
    let read = read.filter(|_| validator.state.waiting() == waited);
    if read.is_none() {
        validator.state.undo(steps);
    }
    read
}

/// Checks an item from a place of a text on. `piece` is the text at a place, with its end: in quotes if it is an attribute.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub(super) fn values_of<'t, K: Kernel>(
    kernel: K,
    row: &Row,
    plans: &[Plan],
    types: &Types,
    state: &mut State<'_>,
    text: &'t [u8],
    mut at: usize,
    checked: &mut Vec<ReadValue>,
    powers: &Powers,
    mut piece: impl FnMut(usize, Option<u8>) -> Option<(&'t str, usize)>,
) -> Option<(usize, u64)> {
    let mut filled = 0;
    checked.clear();
    let (last, literals) = row.literals.split_last()?;
    for (literal, hole) in literals.iter().zip(&row.holes) {
        let start = literal.after(kernel, text, at)?;
        let number = match hole.number {
            Some(NumberKind::Double) => {
                kernel.double(text, start, powers).map(|(number, end)| (Checked::Double(number), end))
            }
            Some(NumberKind::Integer { least, most }) => match i64::by_words(text, start, powers) {
                Some((number, end)) if least <= number && number <= most => Some((Checked::Integer(number), end)),
                _ => None,
            },
            None => None,
        };
        if let Some((number, end)) = number
            && text.get(end) == Some(&b'<')
        {
            filled += 1;
            checked.push(ReadValue { number: 0, value: number, start, len: end - start });
            at = end;
            continue;
        }
        let value = plans.get(hole.plan as usize)?.value_of(hole.attribute)?;
        let quote = if hole.attribute.is_some() { Some(*text.get(start - 1)?) } else { None };
        let (found, end) = piece(start, quote)?;
        if hole.attribute.is_none() {
            if found.is_empty() && value.has_default {
                return None;
            }
            filled += u64::from(start < end);
        }
        let read = value.check(types, state, found, start)?;
        if value.may_charge(read) {
            return None;
        }
        checked.push(ReadValue { number: 0, value: read, start, len: end - start });
        at = end;
    }
    Some((last.after(kernel, text, at)?, filled))
}
