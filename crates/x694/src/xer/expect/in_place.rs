//! An instance with the same tags as the one before it: only the values that changed are read, and take the places of those
//! that they replace.
//!
//! While an instance is read whole, it is noted where each value is and where it went ([`Places`]). The next one is compared
//! with it byte by byte. Where the two differ in a value, that is read alone. Where they differ in anything else, the
//! instance is not read in this way. Nothing is replaced before all of it has been read.

use std::ops::Range;

use asn1::event::At;
use asn1::{Filler, Level, NodeId, Values};
use tam::Error;
use text::xml::Reader as Xml;
use xml::kernels::alignment::{Alignment, within};
use xml::kernels::number::Powers;
use xml::kernels::numbers::{Batch, Fallback, GATHERED};
use xml::kernels::{self, Job, Kernel};
use xsd::SimpleId;
use xsd::internal::State;

use super::super::copied::{Copied, as_it_is};
use super::super::place::{OpenGroup, Target};
use super::super::types::Types;
use super::super::value::ValueParser;
use super::follow::around;
use super::memory::Memory;
use super::run::{Item, LEAST, LibraryParser, MOST, NumberKind, values_of};
use super::value::{Checked, ReadValue};

/// Where so many numbers in a row are other ones, and more than half of their run, the instance is read in another way.
const MANY: usize = 8 * GATHERED;
/// After so many records in a row that are other ones, those around are looked at.
const FEW: usize = 8;

/// Where a value is in an instance, and where it went.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct ValuePlace {
    /// Bytes of it.
    len: u32,
    /// Its cell, and the run that this was in, if that is one of a list.
    cell: u32,
    run: u32,
    what: What,
}

/// What is at a place.
#[derive(Clone, Copy, Debug)]
enum What {
    /// A value: the number of the plan that reads it, and of its attribute, and its type.
    Value { plan: u32, attribute: Option<u8>, node: NodeId },
    /// Characters in an element that is copied, of an attribute or not: from which byte of the copy on, and their type.
    Copied { at: u32, ty: SimpleId, is_attribute: bool },
}

impl ValuePlace {
    /// The place of a value of so many bytes, which a plan has read, or its attribute.
    pub(super) fn new(len: usize, (plan, attribute): (u32, Option<u8>), to: Target, open: &[OpenGroup]) -> ValuePlace {
        ValuePlace::at(len, to, open, What::Value { plan, attribute, node: to.node })
    }

    /// The place of characters in the copy of an element.
    pub(in super::super) fn copied(copied: Copied, to: Target, open: &[OpenGroup]) -> ValuePlace {
        let Copied { len, ty, is_attribute, at, .. } = copied;
        ValuePlace::at(len, to, open, What::Copied { at: at as u32, ty, is_attribute })
    }

    /// Moves it in its copy, if it is in that of a cell; whether it is.
    fn move_in_copy(&mut self, cell: Option<u32>, by: i32) -> bool {
        match &mut self.what {
            What::Copied { at, .. } if cell == Some(self.cell) => {
                *at = at.wrapping_add_signed(by);
                true
            }
            _ => false,
        }
    }

    fn at(len: usize, to: Target, open: &[OpenGroup], what: What) -> ValuePlace {
        let run = run_around(to.at.level, open);
        ValuePlace { len: len as u32, cell: to.at.level.cell_number(to.at.index), run, what }
    }
}

/// The run of the innermost list that is open, if a level is that of its last item, or of its items; 0 for none.
#[inline]
pub(in super::super) fn run_around(level: Level, open: &[OpenGroup]) -> u32 {
    let list = open.iter().rev().find_map(|group| match group {
        OpenGroup::List { level, count, .. } => Some((*level, *count)),
        OpenGroup::Sequence { .. } | OpenGroup::Content { .. } => None,
    });
    match list {
        Some((list, count)) if list == level || count > 0 && list.row(count - 1) == level => list.cell_number(0),
        _ => 0,
    }
}

/// Where items of a list are that were read as one run, and where they went.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct RunPlace {
    pub(in super::super) start: u32,
    /// Bytes of it.
    pub(in super::super) len: u32,
    /// The first of the lengths of its items, and how many there are.
    pub(in super::super) lens: u32,
    pub(in super::super) count: u32,
    /// The numbers of the plan of its items, and of their row.
    pub(in super::super) plan: u32,
    pub(in super::super) row: u32,
    /// The cell of its list, the run that this was in, the type of the list and of its items, and the number of the first.
    pub(in super::super) cell: u32,
    pub(in super::super) run: u32,
    pub(in super::super) node: NodeId,
    pub(in super::super) item: NodeId,
    pub(in super::super) first: u32,
}

/// Where the values of an instance are, in the order of its text.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Places {
    /// Where each value begins.
    starts: Vec<u32>,
    values: Vec<ValuePlace>,
    runs: Vec<RunPlace>,
}

impl Places {
    pub(in super::super) fn clear(&mut self) {
        self.starts.clear();
        self.values.clear();
        self.runs.clear();
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.starts.is_empty() && self.runs.is_empty()
    }

    /// Whether all of them are in copies of elements.
    pub(in super::super) fn are_copied(&self) -> bool {
        self.runs.is_empty() && self.values.iter().all(|value| matches!(value.what, What::Copied { .. }))
    }

    /// The memory that they take, in bytes.
    pub(in super::super) fn memory(&self) -> usize {
        self.starts.capacity() * 4
            + self.values.capacity() * size_of::<ValuePlace>()
            + self.runs.capacity() * size_of::<RunPlace>()
    }

    pub(in super::super) fn push(&mut self, start: usize, value: ValuePlace) {
        self.starts.push(start as u32);
        self.values.push(value);
    }

    pub(in super::super) fn push_run(&mut self, run: RunPlace) {
        self.runs.push(run);
    }

    /// Moves what comes after something that has another length now, and takes over lengths.
    pub(in super::super) fn update(&mut self, changes: &Changes) {
        let (mut lens, mut copy, mut by) = (changes.values_len.iter().peekable(), None, 0);
        while let Some((number, len)) = lens.next() {
            let next = lens.peek().map_or(self.values.len(), |(next, _)| *next);
            let Some((value, rest)) = self.values.get_mut(*number..next).and_then(<[_]>::split_first_mut) else {
                continue;
            };
            if copy != Some(value.cell) {
                (copy, by) = (Some(value.cell), 0);
            }
            value.move_in_copy(copy, by);
            by += *len as i32 - value.len as i32;
            value.len = *len;
            // What comes later in the same copy moves.
            for value in rest {
                if !value.move_in_copy(copy, by) {
                    break;
                }
            }
        }
        if changes.shifts.iter().all(|shift| shift.by == 0) {
            return;
        }
        let mut before = moves(&changes.shifts);
        for start in &mut self.starts {
            *start = start.wrapping_add_signed(before(*start));
        }
        let (mut before, mut to) = (moves(&changes.shifts), moves(&changes.shifts));
        for run in &mut self.runs {
            let by = before(run.start);
            // A run has no other place in it than its own.
            let own = to(run.start + 1) - by;
            (run.start, run.len) = (run.start.wrapping_add_signed(by), run.len.wrapping_add_signed(own));
        }
    }
}

/// How far places move, asked for in their order: by what is before each.
fn moves(shifts: &[Shift]) -> impl FnMut(u32) -> i32 {
    let (mut shifts, mut by) = (shifts.iter().peekable(), 0);
    move |at| {
        while let Some(shift) = shifts.next_if(|shift| shift.at < at) {
            by += shift.by;
        }
        by
    }
}

/// Something at a place of the instance before that is longer now, or shorter, and took steps to check.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Shift {
    pub(in super::super) at: u32,
    pub(in super::super) by: i32,
    pub(in super::super) steps: u64,
}

/// A value that has been read: the cell that it goes to, its type, and what reads it.
#[derive(Clone, Copy, Debug)]
struct Change {
    cell: u32,
    node: NodeId,
    plan: u32,
    attribute: Option<u8>,
    checked: Checked,
}

/// Characters in the copy of an element that are other ones: the cell of the copy, and where they were in it and are in the
/// text.
#[derive(Clone, Debug)]
struct CopiedChange {
    cell: u32,
    was: Range<usize>,
    is: Range<usize>,
}

/// What differs from the instance before.
#[derive(Debug, Default)]
pub(in super::super) struct Changes {
    /// Values that take more than a cell.
    values: Vec<Change>,
    copied: Vec<CopiedChange>,
    /// Others, and where they go: to cells next to each other.
    numbers: Vec<u64>,
    cells: Vec<(u32, usize)>,
    /// Places of values that have another length now.
    values_len: Vec<(usize, u32)>,
    /// Lengths of items, and the first that they are of.
    pub(in super::super) lens: Vec<u16>,
    pub(in super::super) items: Vec<(usize, usize)>,
    /// In the order of the text.
    pub(in super::super) shifts: Vec<Shift>,
    /// The values of an item, and the levels of the records in it.
    checked: Vec<ReadValue>,
    levels: Vec<Level>,
    /// Bytes that have been read, and that were compared.
    pub(in super::super) read: usize,
    pub(in super::super) compared: usize,
}

impl Changes {
    fn clear(&mut self) {
        self.values.clear();
        self.copied.clear();
        self.numbers.clear();
        self.cells.clear();
        self.values_len.clear();
        self.lens.clear();
        self.items.clear();
        self.shifts.clear();
        (self.read, self.compared) = (0, 0);
    }

    /// The memory that they take, in bytes.
    pub(in super::super) fn memory(&self) -> usize {
        let Changes { values, copied, numbers, cells, values_len, lens, items, shifts, levels, checked, .. } = self;
        values.capacity() * size_of::<Change>()
            + copied.capacity() * size_of::<CopiedChange>()
            + numbers.capacity() * size_of::<u64>()
            + (cells.capacity() + values_len.capacity() + items.capacity()) * size_of::<(usize, usize)>()
            + lens.capacity() * size_of::<u16>()
            + shifts.capacity() * size_of::<Shift>()
            + levels.capacity() * size_of::<Level>()
            + checked.capacity() * size_of::<ReadValue>()
    }

    /// Finds what of an instance differs from the one before, from their beginnings on; `false` if that is not values alone.
    #[allow(clippy::too_many_arguments)]
    pub(in super::super) fn find(
        &mut self,
        (old, new): (&[u8], &[u8]),
        both: Alignment<'_>,
        (places, lens): (&Places, &[u16]),
        values: &Values,
        types: &Types,
        memory: &mut Memory,
        state: &mut State<'_>,
    ) -> bool {
        self.clear();
        let found =
            Find { old, new, places, lens, values, types, memory, state, both, changes: self, next: Next::default() };
        kernels::run(found).is_some()
    }

    /// Puts what has been read in the place of what was there: in the store, with at most so many cells more.
    ///
    /// # Errors
    /// Beyond a limit, with nothing replaced.
    pub(in super::super) fn replace(
        &self,
        new: &[u8],
        values: &mut Values,
        types: &Types,
        memory: &Memory,
        (state, limits): (&State<'_>, tam::Limits),
        most: u64,
    ) -> Result<u64, Error> {
        if !self.copied.is_empty() && 2 * values.text_len() + new.len() > i32::MAX as usize {
            return Err(Error::limit("xsd", 0, "more text", "message_bytes", i32::MAX as u64));
        }
        let saved = values.saved();
        let before = values.used();
        let mut cells = 0;
        if !self.values.is_empty() {
            let mut filler = Filler::beside(types.compiled(), limits, values).with_input(new.len());
            let filled = self.fill(new, &mut filler, types, memory, state).and_then(|level| {
                cells = (filler.used() - before - self.values.len()) as u64;
                // Zeros that exponents expand to are only counted where an instance is read whole.
                if cells > most || filler.has_charged() {
                    Err(Error::limit("xsd", 0, "more values", "units", limits.units.into()))
                } else {
                    Ok(level)
                }
            });
            match filled {
                Ok(level) => values.replace(saved, level, self.values.iter().map(|change| change.cell)),
                Err(error) => {
                    values.restore(saved);
                    return Err(error);
                }
            }
        }
        let mut numbers = &self.numbers[..];
        for (cell, count) in &self.cells {
            let (these, rest) = numbers.split_at(*count);
            values.replace_numbers(*cell, these);
            numbers = rest;
        }
        for of_one in self.copied.chunk_by(|one, other| one.cell == other.cell) {
            let pieces =
                of_one.iter().map(|change| (change.was.clone(), new.get(change.is.clone()).unwrap_or_default()));
            values.replace_in_octets(of_one[0].cell, pieces);
        }
        Ok(cells)
    }

    fn fill(
        &self,
        new: &[u8],
        filler: &mut Filler<'_>,
        types: &Types,
        memory: &Memory,
        state: &State<'_>,
    ) -> Result<asn1::Level, Error> {
        let mut parser = ValueParser::default();
        let level = filler.beside_others(self.values.len())?;
        for (index, change) in (0..).zip(&self.values) {
            let to = Target { at: At { level, index }, node: change.node, is_item: false };
            if let Some(value) = memory.plans.get(change.plan as usize).and_then(|plan| plan.value_of(change.attribute))
            {
                value.fill((types, &mut parser), filler, state, to, change.checked, (new, None))?;
            }
        }
        Ok(level)
    }
}

/// The text of a value at a place, in quotes if it is an attribute, if it needs no change.
#[inline(always)]
fn piece(text: &[u8], start: usize, quote: Option<u8>) -> Option<&str> {
    match quote {
        Some(quote) => Xml::plain_value(text, start, quote),
        None => Xml::plain_text(text, start),
    }
}

/// Looks for what differs.
struct Find<'a, 's> {
    old: &'a [u8],
    new: &'a [u8],
    places: &'a Places,
    lens: &'a [u16],
    values: &'a Values,
    types: &'a Types,
    memory: &'a mut Memory,
    state: &'a mut State<'s>,
    both: Alignment<'a>,
    changes: &'a mut Changes,
    next: Next,
}

/// What may come next of the instance before.
#[derive(Clone, Copy, Default)]
struct Next {
    /// The numbers of a value and of a run.
    value: usize,
    run: usize,
    /// An item of that run, and where it begins: before the run, if none of it has been looked at.
    item: usize,
    start: usize,
    /// How many records before it were other ones, in a row.
    in_a_row: usize,
}

impl Job for Find<'_, '_> {
    type Output = Option<()>;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) -> Option<()> {
        loop {
            let same = self.both.same_by(kernel);
            let (at, new_at) = (self.both.old_at + same, self.both.new_at + same);
            self.changes.compared = new_at;
            if at >= self.old.len() || new_at >= self.new.len() {
                return (at == self.old.len() && new_at == self.new.len()).then_some(());
            }
            let value = last_at(&self.places.starts, self.next.value, at);
            match value.and_then(|value| Some((value, self.places.starts.get(value)?, self.places.values.get(value)?)))
            {
                Some((number, start, place)) if at <= *start as usize + place.len as usize => {
                    self.next.value = number + 1;
                    self.value(number, *start as usize, place)?;
                }
                _ => self.item(kernel, at)?,
            }
        }
    }
}

/// The last of ascending places that is not after one, from a number on.
#[inline]
fn last_at(starts: &[u32], from: usize, at: usize) -> Option<usize> {
    let is_before = |start: &u32| *start as usize <= at;
    // Most often it is near.
    let mut step = 8;
    let mut low = from;
    while starts.get(low + step).is_some_and(is_before) {
        low += step;
        step *= 2;
    }
    let some = starts.get(low..starts.len().min(low + step + 1))?;
    (low + some.partition_point(is_before)).checked_sub(1).filter(|found| *found >= from)
}

impl Find<'_, '_> {
    /// Reads a value that differs.
    #[inline]
    fn value(&mut self, number: usize, start: usize, place: &ValuePlace) -> Option<()> {
        let new_start = self.both.new_at + (start - self.both.old_at);
        let (cell, before) = (self.values.cell_now(place.cell, place.run), self.state.steps());
        let len = match place.what {
            What::Value { plan, attribute, node } => {
                let value = self.memory.plans.get(plan as usize)?.value_of(attribute)?;
                let quote = match attribute {
                    Some(_) => Some(*self.new.get(new_start.checked_sub(1)?)?),
                    None => None,
                };
                let piece = piece(self.new, new_start, quote)?;
                if piece.is_empty() && attribute.is_none() && value.has_default {
                    return None;
                }
                let checked = value.check(self.types, self.state, piece, new_start)?;
                self.changes.push(Change { cell, node, plan, attribute, checked });
                piece.len()
            }
            What::Copied { at, ty, is_attribute } => {
                let piece = as_it_is(self.new, new_start, is_attribute)?;
                let is_value = Copied::checked(ty).is_none_or(|ty| self.state.is_value(ty, piece));
                let (len, at) = (Some(piece.len()).filter(|_| is_value)?, at as usize);
                let (was, is) = (at..at + place.len as usize, new_start..new_start + len);
                self.changes.copied.push(CopiedChange { cell, was, is });
                len
            }
        };
        let steps = self.state.steps() - before;
        let Changes { values_len, shifts, read, .. } = &mut *self.changes;
        let by = i32::try_from(len).ok()?.checked_sub_unsigned(place.len)?;
        if by != 0 {
            values_len.push((number, len as u32));
        }
        if by != 0 || steps > 0 {
            shifts.push(Shift { at: start as u32, by, steps });
        }
        *read += len;
        self.both.resume(start + place.len as usize, new_start + len);
        Some(())
    }

    /// Reads an item of a run that differs at a place, and more of them if they do, too.
    #[inline(always)]
    fn item<K: Kernel>(&mut self, kernel: K, at: usize) -> Option<()> {
        let rest = self.places.runs.get(self.next.run..)?;
        let passed = rest.iter().take_while(|run| run.start as usize + run.len as usize <= at).count();
        let run = *rest.get(passed).filter(|run| run.start as usize <= at)?;
        let next = &mut self.next;
        if passed > 0 || next.start < run.start as usize {
            *next = Next { run: next.run + passed, item: 0, start: run.start as usize, in_a_row: 0, ..*next };
        }
        let lens = self.lens.get(run.lens as usize..(run.lens + run.count) as usize)?;
        let (count, bytes) = within(lens.get(next.item..)?, at - next.start);
        next.in_a_row = if count == 0 { next.in_a_row + 1 } else { 0 };
        (next.item, next.start) = (next.item + count, next.start + bytes);
        self.both.skip(next.start - self.both.old_at);
        let list = self.values.cell_now(run.cell, run.run);
        let columns = self.types.compiled().columns(run.node);
        let known = self.memory.known.get(run.plan as usize)?;
        let row = known.row.as_ref().filter(|row| row.id == run.row)?;
        match row.number().filter(|_| columns.is_none_or(|columns| columns == 1)) {
            Some(kind @ NumberKind::Double) => self.numbers::<K, f64>(kernel, kind, &run, list),
            Some(kind @ NumberKind::Integer { least: LEAST, most: MOST }) => {
                self.numbers::<K, i32>(kernel, kind, &run, list)
            }
            Some(kind @ NumberKind::Integer { .. }) => self.numbers::<K, i64>(kernel, kind, &run, list),
            None => self.record(kernel, &run, list, columns),
        }
    }

    /// Reads numbers from the item that both have got to.
    #[inline(always)]
    fn numbers<K: Kernel, T: Item>(&mut self, kernel: K, kind: NumberKind, run: &RunPlace, list: u32) -> Option<()>
    where
        LibraryParser: Fallback<T>,
    {
        let Find { old, new, lens, values, memory, both, changes, next, .. } = self;
        let (old, new) = (*old, *new);
        let known = memory.known.get_mut(run.plan as usize)?;
        let numbers = known.row.as_ref()?.numbers(new)?;
        let pace = &mut known.pace;
        let lens = lens.get(run.lens as usize..(run.lens + run.count) as usize)?;
        let (start, old_start) = (both.new_at, both.old_at);
        let cell_of = |item: usize| values.item_of(list, 0, None).cell_number(0) + run.first + item as u32;
        let changed = |changes: &mut Changes, item: usize, now: &[u16], numbers: &[T]| {
            changes.cells.push((cell_of(item), numbers.len()));
            changes.numbers.extend(numbers.iter().map(|number| number.to_cell()));
            changes.items.push((run.lens as usize + item, now.len()));
            changes.lens.extend_from_slice(now);
        };
        let (mut item, mut in_a_row) = (next.item, 0);
        while item < lens.len() {
            let (same, bytes) = within(&lens[item..], both.same_by(kernel));
            if same > 0 {
                both.skip(bytes);
                (item, in_a_row) = (item + same, 0);
            } else if in_a_row == 0 {
                // One by itself, as is likely.
                let (number, end) = numbers.read_one::<T, K>(kernel, both.new_at, pace)?;
                let len = u16::try_from(end - both.new_at).ok()?;
                number.is_allowed(kind).then_some(())?;
                changed(changes, item, &[len], &[number]);
                changes.read += usize::from(len);
                both.resume(both.old_at + usize::from(lens[item]), end);
                (item, in_a_row) = (item + 1, 1);
            } else {
                let wanted = GATHERED.min(lens.len() - item);
                let first = run.first as usize + item;
                let cells = values.items_of(list, first..first + wanted);
                let (mut places, mut now) = ([T::default(); GATHERED], [0u16; GATHERED]);
                let places = places.get_mut(..cells.len())?;
                places.iter_mut().zip(cells).for_each(|(place, cell)| *place = T::from_cell(*cell));
                // Up to one that is the same again.
                let (at, room) = (both.new_at, &mut now[..]);
                let batch = Batch::<T, u16, _, true> { numbers: &numbers, at, places, lens: room, pace: &mut *pace };
                let read = batch.run(kernel);
                let (places, now) = (places.get(..read.count)?, &now[..read.count]);
                places.iter().all(|number| number.is_allowed(kind)).then_some(())?;
                changed(changes, item, now, places);
                changes.read += read.bytes;
                let passed: usize = lens[item..item + read.count].iter().map(|len| usize::from(*len)).sum();
                both.resume(both.old_at + passed, both.new_at + read.bytes);
                item += read.count;
                in_a_row = if read.has_met { 0 } else { in_a_row + read.count };
                let is_item = |at: usize, len| old.get(at..at + len) == new.get(both.new_at..both.new_at + len);
                let is_shifted = in_a_row > GATHERED && around(lens, item, both.old_at, is_item).is_some();
                // Items have come or gone, or most are other ones.
                if read.count < wanted && !read.has_met || is_shifted || in_a_row >= MANY.max(lens.len() / 2) {
                    return None;
                }
            }
        }
        let by = (both.new_at - start) as i64 - (both.old_at - old_start) as i64;
        changes.shift(run.start, i32::try_from(by).ok()?);
        (next.item, next.start) = (item, both.old_at);
        Some(())
    }

    /// Reads the record that both have got to.
    #[inline(always)]
    fn record<K: Kernel>(&mut self, kernel: K, run: &RunPlace, list: u32, columns: Option<u32>) -> Option<()> {
        let Find { old, new, lens, values, types, memory, state, both, changes, next, .. } = self;
        let (new, start, steps) = (*new, both.new_at, state.steps());
        let all = lens.get(run.lens as usize..(run.lens + run.count) as usize)?;
        let is_item = |at: usize, len| old.get(at..at + len) == new.get(start..start + len);
        let is_due = next.in_a_row >= FEW && next.in_a_row.is_power_of_two();
        if is_due && around(all, next.item, both.old_at, is_item).is_some() {
            // Items have come or gone.
            return None;
        }
        let Memory { known, plans, .. } = &**memory;
        let row = known.get(run.plan as usize)?.row.as_ref()?;
        let piece = |start, quote| piece(new, start, quote).map(|piece| (piece, start + piece.len()));
        let (checked, powers) = (&mut changes.checked, Powers::get());
        let read = values_of(kernel, row, plans, types, state, new, start, checked, powers, piece);
        // Items of runs take no steps.
        let end = read.map(|(end, _)| end).filter(|_| state.steps() == steps)?;
        let item = values.item_of(list, run.first + next.item as u32, columns);
        row.levels(item, |cell| values.record_in(cell), &mut changes.levels);
        let checked = std::mem::take(&mut changes.checked);
        for (hole, read) in row.holes.iter().zip(&checked) {
            let (level, index, node) = match hole.place {
                Some((number, place)) => (changes.levels.get(usize::from(number)), place.index, place.node),
                None => (None, 0, run.item),
            };
            let cell = level.copied().unwrap_or(item).cell_number(index);
            changes.push(Change { cell, node, plan: hole.plan, attribute: hole.attribute, checked: read.value });
        }
        changes.checked = checked;
        let (len, place) = (u16::try_from(end - start).ok()?, run.lens as usize + next.item);
        let old_len = *all.get(next.item)?;
        if len != old_len {
            changes.items.push((place, 1));
            changes.lens.push(len);
        }
        changes.shift(run.start, i32::from(len) - i32::from(old_len));
        changes.read += usize::from(len);
        both.resume(both.old_at + usize::from(old_len), end);
        (next.item, next.start) = (next.item + 1, both.old_at);
        Some(())
    }
}

impl Changes {
    #[inline(always)]
    fn push(&mut self, change: Change) {
        match change.checked.cell() {
            Some(number) => {
                self.cells.push((change.cell, 1));
                self.numbers.push(number);
            }
            None => self.values.push(change),
        }
    }

    /// Items of the run that begins at a place have other lengths now.
    #[inline]
    fn shift(&mut self, at: u32, by: i32) {
        match self.shifts.last_mut() {
            _ if by == 0 => {}
            Some(last) if last.at == at => last.by += by,
            _ => self.shifts.push(Shift { at, by, steps: 0 }),
        }
    }
}
