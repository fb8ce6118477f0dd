//! A store that keeps the values of one message while those of the next are filled in, which may take parts of them.
//!
//! The next message gets a root of its own, and its lists and records copy the cells of what they take. So a message that is
//! refused is forgotten by going back to [`Values::saved`]. Where only values have changed, they are filled in beside the
//! others, and then all take their places at once ([`Values::replace`]).

use tam::Error;

use super::Filler;
use super::store::{BESIDE, Level, Values, mark};
use crate::compiled::{Compiled, NodeId};
use crate::event::At;

/// A run of cells that no value uses any more, with the cell before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    header: u32,
    cells: u32,
}

/// Most runs that are kept to be used again.
const MOST_FREE: usize = 32;

/// How far a store is filled.
#[derive(Clone, Copy, Debug)]
pub struct Saved {
    used: usize,
    text: usize,
}

impl Values {
    /// How far it is filled: what [`Values::restore`] goes back to.
    #[must_use]
    pub fn saved(&self) -> Saved {
        Saved { used: self.used, text: self.text.len() }
    }

    /// Cells in use, those that nothing refers to any more among them.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }

    /// Bytes of text next to the cells, those that nothing refers to any more among them.
    #[must_use]
    pub fn text_len(&self) -> usize {
        self.text.len()
    }

    /// Forgets what has been filled in since.
    pub fn restore(&mut self, saved: Saved) {
        if let Some(marks) = self.marks.get_mut(saved.used..self.used) {
            marks.fill(mark::ABSENT);
        }
        self.used = self.used.min(saved.used);
        self.contents.split_off(&(self.used as u32));
        self.text.truncate(saved.text);
        let reused = std::mem::take(&mut self.reused);
        self.free.extend(reused);
        self.reused_cells = 0;
    }

    /// Puts values in the place of others: those at a level ([`Filler::beside_others`]), each in one of these cells. The level
    /// began with what is saved, and is no more; what its values refer to remains.
    pub fn replace(&mut self, saved: Saved, level: Level, cells: impl ExactSizeIterator<Item = u32>) {
        let (len, end) = (cells.len(), level.first as usize + cells.len());
        for (index, cell) in (0..).zip(cells) {
            self.copy(level.cell(index), cell as usize, 1);
        }
        self.marks.get_mut(level.first as usize..end).unwrap_or_default().fill(mark::ABSENT);
        if self.used == end && saved.used + len == end {
            self.used = saved.used;
        }
    }

    /// Puts numbers in the place of others, from a cell on.
    #[inline]
    pub fn replace_numbers(&mut self, cell: u32, numbers: &[u64]) {
        self.set_each(cell as usize, numbers.iter().copied());
    }

    /// Puts other octets in the place of some of those in a cell, which the store has itself: of these ranges, in their order.
    pub fn replace_in_octets<'o>(
        &mut self,
        cell: u32,
        pieces: impl Iterator<Item = (std::ops::Range<usize>, &'o [u8])> + Clone,
    ) {
        let place = self.cell(cell as usize);
        let (start, len) = ((place as u32 & !BESIDE) as usize, (place >> 32) as usize);
        if pieces.clone().all(|(range, octets)| range.len() == octets.len()) {
            for (range, octets) in pieces {
                if let Some(there) = self.text.get_mut(start + range.start..start + range.end) {
                    there.copy_from_slice(octets);
                }
            }
            return;
        }
        let (new, mut from) = (self.text.len(), 0);
        for (range, octets) in pieces.chain([(len..len, &[][..])]) {
            let same = start + from..start + range.start;
            if same.start <= same.end && same.end <= new {
                self.text.extend_from_within(same);
            }
            self.text.extend_from_slice(octets);
            from = range.end;
        }
        let len = (self.text.len() - new) as u64;
        self.set(cell as usize, u64::from(new as u32 | BESIDE) | len << 32, mark::PLAIN);
    }

    /// Where a cell is now that was in a run of items, whose list may have moved since.
    #[must_use]
    pub fn cell_now(&self, cell: u32, run: u32) -> u32 {
        self.now(cell, run).0
    }

    /// Where the cells of a record are now that was an item in a run, whose list may have moved since.
    #[must_use]
    pub fn level_now(&self, level: Level, run: u32) -> Level {
        match self.now(level.first, run) {
            (first, _) if first == level.first => level,
            (first, now) => Level { first, stride: self.room_of(now) },
        }
    }

    /// Where a cell is now, and the run that it is in.
    fn now(&self, cell: u32, run: u32) -> (u32, u32) {
        let (mut cell, mut run) = (cell, run);
        while run > 0 && self.mark(run as usize - 1) == mark::MOVED {
            let (room, to) = (self.room_of(run).max(1), self.cell(run as usize - 1) as u32);
            let (item, column) = ((cell - run) % room, (cell - run) / room);
            (cell, run) = (to + item + column * self.room_of(to), to);
        }
        (cell, run)
    }

    /// How many items a run has, or had, room for.
    fn room_of(&self, run: u32) -> u32 {
        let Some(header) = (run as usize).checked_sub(1) else { return 0 };
        let cell = self.cell(header);
        if self.mark(header) == mark::MOVED { (cell >> 32) as u32 } else { cell as u32 }
    }

    /// The components of an item of the list in a cell, whose items have so many columns.
    #[must_use]
    pub fn item_of(&self, cell: u32, item: u32, columns: Option<u32>) -> Level {
        let first = self.cell(cell as usize) as u32;
        let stride = if columns.is_some() { self.room_of(first) } else { 1 };
        Level { first, stride }.row(item)
    }

    /// The components of the record in a cell.
    #[must_use]
    pub fn record_in(&self, cell: u32) -> Level {
        Level { first: self.cell(cell as usize) as u32, stride: 1 }
    }

    /// The cells of some items of the list in a cell, whose items have a cell each.
    #[must_use]
    pub fn items_of(&self, cell: u32, items: std::ops::Range<usize>) -> &[u64] {
        let list = self.cell(cell as usize);
        let (first, count) = (list as u32 as usize, (list >> 32) as usize);
        let items = items.start.min(count)..items.end.min(count);
        self.cells(first + items.start, items.len()).0
    }

    /// Makes the value filled in last the outermost one: the one at `root`.
    pub fn set_root(&mut self, root: Level) {
        self.copy(root.cell(0), 0, 1);
        self.reused.clear();
        self.reused_cells = 0;
    }

    /// Lets the run of a list be used again that no value refers to any more: that of the list in a cell.
    pub fn release(&mut self, types: &Compiled, list: NodeId, cell: u32) {
        let first = self.cell(cell as usize) as u32;
        let Some(header) = first.checked_sub(1).filter(|_| self.free.len() < MOST_FREE) else { return };
        let room = self.cell(header as usize) as u32;
        if let Some(cells) = room.checked_mul(types.columns(list).unwrap_or(1)) {
            self.free.push(Free { header, cells });
        }
    }

    /// A run that is used again, for at least `room` items of so many columns and not for many more.
    fn reuse(&mut self, columns: Option<u32>, room: u32) -> Option<Level> {
        let cells = room.checked_mul(columns.unwrap_or(1))?;
        let found = self.free.iter().position(|free| free.cells >= cells && free.cells / 2 <= cells)?;
        let free = self.free.swap_remove(found);
        let room = free.cells / columns.unwrap_or(1).max(1);
        let first = free.header + 1;
        self.marks.get_mut(first as usize..(first + free.cells) as usize)?.fill(mark::ABSENT);
        self.set(free.header as usize, room.into(), mark::PLAIN);
        // No record that was there is, either.
        self.additions.clear();
        self.reused.push(free);
        self.reused_cells += free.cells as usize;
        Some(Level { first, stride: if columns.is_some() { room } else { 1 } })
    }
}

impl<'a> Filler<'a> {
    /// Fills in values next to those that a store has, whose cells the limit `units` does not count.
    pub fn beside(types: &'a Compiled, limits: tam::Limits, values: &'a mut Values) -> Filler<'a> {
        let limit = limits.units.saturating_add(values.used as u32);
        Filler { types, limit, limits, zeros: limits.decompression(0), values }
    }

    /// Cells in use, those that are used again counted once more.
    #[must_use]
    pub fn used(&self) -> usize {
        self.values.used + self.values.reused_cells
    }

    /// How many items a list has.
    #[must_use]
    pub fn list_len(&self, at: At<Level>) -> u32 {
        (self.values.cell(at.level.cell(at.index)) >> 32) as u32
    }

    /// Appends items of another list of the same type, the one in a cell, to an open list that has `len` items: copies of
    /// their cells. Returns the level of the list.
    ///
    /// # Errors
    /// Beyond the limit.
    pub fn take_items(
        &mut self,
        (at, node, level, len): (At<Level>, NodeId, Level, u32),
        cell: u32,
        items: std::ops::Range<u32>,
    ) -> Result<Level, Error> {
        let (columns, list) = (self.types.columns(node), self.values.cell(cell as usize));
        let width = columns.unwrap_or(1) as usize;
        let (first, count) = (list as u32, (list >> 32) as u32);
        let stride = columns.map_or(1, |_| self.values.cell((first as usize).wrapping_sub(1)) as usize);
        let items = items.start.min(count)..items.end.min(count);
        let all = len.saturating_add(items.len() as u32);
        let level = self.make_room((at, node, level, len), cell, items.len() as u32)?;
        let from = Level { first, stride: stride as u32 };
        self.copy_columns(from, items.start, level, len, (items.len(), width));
        self.values.set(at.level.cell(at.index), u64::from(level.first) | u64::from(all) << 32, mark::PLAIN);
        Ok(level)
    }

    /// Makes room in an open list that has `len` items for `more` of them; if it has too little, for as many as the list in a
    /// cell has. Returns the level of the list.
    ///
    /// # Errors
    /// Beyond the limit.
    pub fn make_room(
        &mut self,
        (at, node, level, len): (At<Level>, NodeId, Level, u32),
        cell: u32,
        more: u32,
    ) -> Result<Level, Error> {
        let all = len.saturating_add(more);
        if all <= self.room(level) {
            return Ok(level);
        }
        // Also for those that come later, and a few more: so that the next message has room where this one had.
        let all = all.max((self.values.cell(cell as usize) >> 32) as u32);
        let columns = self.types.columns(node);
        let wider = match self.values.reuse(columns, all) {
            Some(wider) => wider,
            None => self.array_run(columns, all.saturating_add(all / 16 + 4))?,
        };
        self.copy_columns(level, 0, wider, 0, (len as usize, columns.unwrap_or(1) as usize));
        self.mark_moved(level, wider);
        self.values.set(at.level.cell(at.index), u64::from(wider.first) | u64::from(len) << 32, mark::PLAIN);
        Ok(wider)
    }

    /// The cells of some items of the list in a cell, whose items have a cell each.
    #[must_use]
    pub fn items_of(&self, cell: u32, items: std::ops::Range<usize>) -> &[u64] {
        self.values.items_of(cell, items)
    }

    /// Whether something was charged: zeros that exponents expand to, or what a reader charges.
    #[must_use]
    pub fn has_charged(&self) -> bool {
        self.zeros.used() > 0
    }

    /// Makes room for so many values, whose places are others ([`Values::replace`]).
    ///
    /// # Errors
    /// Beyond the limit.
    pub fn beside_others(&mut self, count: usize) -> Result<Level, Error> {
        let first = self.values.run(count as u64, self.limit.saturating_add(count as u32))?;
        Ok(Level { first, stride: 1 })
    }

    /// Notes in a run where its items have moved to.
    pub(super) fn mark_moved(&mut self, from: Level, to: Level) {
        if let Some(header) = from.first.checked_sub(1) {
            let room = u64::from(self.room(from));
            self.values.set(header as usize, u64::from(to.first) | room << 32, mark::MOVED);
        }
    }

    /// Where the cells of a record are now that was an item in a run, whose list may have moved since.
    #[must_use]
    pub fn level_now(&self, level: Level, run: u32) -> Level {
        self.values.level_now(level, run)
    }

    pub(super) fn copy_columns(
        &mut self,
        from: Level,
        first: u32,
        to: Level,
        place: u32,
        (count, width): (usize, usize),
    ) {
        for column in 0..width as u32 {
            self.values.copy(from.row(first).cell(column), to.row(place).cell(column), count);
        }
    }

    /// Takes a component of another record of the same type: a copy of its cell.
    pub fn take_component(&mut self, to: Level, from: Level, index: u32) {
        self.values.copy(from.cell(index), to.cell(index), 1);
    }
}
