//! The store of cells.

use std::collections::BTreeMap;

use tam::Error;

use super::again::Free;
use crate::EncodingRules;
use crate::compiled::NodeId;

/// The cells of the components of an open value: number `i` is cell `first + i * stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The cell of the first component.
    pub(crate) first: u32,
    /// The distance between components: 1, except for a row of columns, and the columns themselves.
    pub(crate) stride: u32,
}

impl Level {
    /// The cell of a component.
    #[inline(always)]
    pub(crate) fn cell(self, index: u32) -> usize {
        self.first as usize + index as usize * self.stride as usize
    }

    /// The number of the cell of a component, for [`Filler::take_items`](crate::Filler::take_items).
    #[inline(always)]
    #[must_use]
    pub fn cell_number(self, index: u32) -> u32 {
        self.cell(index) as u32
    }

    /// The components of row `index`, if `self` is columns.
    #[inline(always)]
    #[must_use]
    pub fn row(self, index: u32) -> Level {
        Level { first: self.first + index, stride: self.stride }
    }
}

/// The marks of cells.
pub(crate) mod mark {
    /// No value.
    pub(crate) const ABSENT: u8 = 0;
    /// A value of its type.
    pub(crate) const PLAIN: u8 = 1;
    /// A number that does not fit in a cell, which has the position of its octets or its text.
    pub(crate) const LARGE: u8 = 2;
    /// A value of a later version; the cell has the position of its octets.
    pub(crate) const UNKNOWN: u8 = 3;
    /// The cell before a run that a list has moved from: where the run is now, and how many items this one had room for.
    pub(crate) const MOVED: u8 = 4;
}

/// The octets of a string, as they were read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringOctets {
    /// The type of the value in it.
    pub(super) node: NodeId,
    /// The rules of the value in it.
    pub(super) rules: EncodingRules,
    /// Their position.
    pub(super) place: u64,
    /// The number of bits.
    pub(super) bits: u64,
}

/// Set in the position of octets that are next to the cells, not in the message.
pub(crate) const BESIDE: u32 = 1 << 31;

/// The values of one message, as cells. A store that is reused allocates nothing once it has reached the size of the
/// messages.
///
/// [`read`](crate::read) fills it, and returns a [`Value`](crate::Value) in it.
#[derive(Clone, Debug, Default)]
pub struct Values {
    cells: Vec<u64>,
    pub(super) marks: Vec<u8>,
    pub(super) used: usize,
    pub(crate) text: Vec<u8>,
    /// The number of presence bits of additions of some records, by their first cell.
    pub(crate) additions: BTreeMap<u32, u32>,
    /// The octets of strings that contain values, by the first cell of these.
    pub(crate) contents: BTreeMap<u32, StringOctets>,
    /// Runs that may be used again, and those that have been since the last message.
    pub(super) free: Vec<Free>,
    pub(super) reused: Vec<Free>,
    /// The cells of these.
    pub(super) reused_cells: usize,
}

impl Values {
    pub(crate) const NONE: Values = Values {
        cells: Vec::new(),
        marks: Vec::new(),
        used: 0,
        text: Vec::new(),
        additions: BTreeMap::new(),
        contents: BTreeMap::new(),
        free: Vec::new(),
        reused: Vec::new(),
        reused_cells: 0,
    };

    /// An empty store.
    #[must_use]
    pub fn new() -> Values {
        Values::default()
    }

    /// The memory that it takes, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.cells.capacity() * 8 + self.marks.capacity() + self.text.capacity()
    }

    /// Releases unused memory.
    pub(crate) fn shrink(&mut self) {
        self.cells.truncate(self.used);
        self.marks.truncate(self.used);
        self.cells.shrink_to_fit();
        self.marks.shrink_to_fit();
        self.text.shrink_to_fit();
    }

    pub(crate) fn clear(&mut self) {
        let used = self.used;
        self.marks.get_mut(..used).unwrap_or_default().fill(mark::ABSENT);
        self.used = 0;
        self.text.clear();
        self.additions.clear();
        self.contents.clear();
        self.free.clear();
        self.reused.clear();
        self.reused_cells = 0;
    }

    /// Allocates a run of absent cells. Returns the first one.
    ///
    /// # Errors
    /// Beyond `limit` cells in total.
    #[inline]
    pub(crate) fn run(&mut self, cells: u64, limit: u32) -> Result<u32, Error> {
        let first = self.used;
        let end = first as u64 + cells;
        if end > self.cells.len() as u64 {
            self.grow(end, limit)?;
        }
        self.used = end as usize;
        Ok(first as u32)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: u64, limit: u32) -> Result<(), Error> {
        if end > u64::from(limit) {
            return Err(Error::limit("asn1", 0, "more values", "units", limit.into()));
        }
        let len = (end as usize).max(self.cells.len() * 2).max(64).min(limit as usize);
        self.cells.resize(len, 0);
        self.marks.resize(len, mark::ABSENT);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, cell: usize, value: u64, mark: u8) {
        // This store numbers the cells; a number beyond it would be a bug of the reader.
        if let (Some(place), Some(marked)) = (self.cells.get_mut(cell), self.marks.get_mut(cell)) {
            (*place, *marked) = (value, mark);
        }
    }

    /// Sets cells next to each other to values of their types.
    #[inline(always)]
    pub(crate) fn set_each(&mut self, first: usize, values: impl ExactSizeIterator<Item = u64>) {
        let end = first + values.len();
        if let (Some(places), Some(marks)) = (self.cells.get_mut(first..end), self.marks.get_mut(first..end)) {
            places.iter_mut().zip(values).for_each(|(place, value)| *place = value);
            marks.fill(mark::PLAIN);
        }
    }

    #[inline(always)]
    pub(crate) fn cell(&self, cell: usize) -> u64 {
        self.cells.get(cell).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn mark(&self, cell: usize) -> u8 {
        self.marks.get(cell).copied().unwrap_or(mark::ABSENT)
    }

    /// The presence of `count` cells from `first` on, at most 64: one bit each, the last one's lowest. Reads eight at a
    /// time, including cells after the last one; `None` if the store ends there.
    #[inline(always)]
    pub(crate) fn presence(&self, first: usize, count: u32) -> Option<u64> {
        let mut marks = self.marks.get(first..)?;
        let (mut presence, mut left) = (0, count);
        while left > 0 {
            let eight = u64::from_be_bytes(*marks.first_chunk()?);
            // One bit for each mark, at the bottom of its byte; a mark has at most two bits. The highest byte of the
            // product has all of them.
            let marked = (eight | eight >> 1) & 0x0101_0101_0101_0101;
            let bits = marked.wrapping_mul(0x0102_0408_1020_4080) >> 56;
            let taken = left.min(8);
            presence = presence << taken | bits >> (8 - taken);
            left -= taken;
            marks = marks.get(8..)?;
        }
        Some(presence)
    }

    /// How many of `count` cells from `first` on, `stride` apart, are absent before the first one that is not.
    #[inline]
    pub(crate) fn next_present(&self, first: usize, stride: usize, count: usize) -> Option<usize> {
        let marks = self.marks.get(first..)?;
        if stride != 1 {
            return marks.iter().step_by(stride.max(1)).take(count).position(|mark| *mark != mark::ABSENT);
        }
        let (eights, rest) = marks.get(..count)?.as_chunks();
        let marked = eights.iter().map(|eight| u64::from_le_bytes(*eight)).zip(0..).find(|(marks, _)| *marks != 0);
        match marked {
            Some((marks, number)) => Some(8 * number + marks.trailing_zeros() as usize / 8),
            None => rest.iter().position(|mark| *mark != mark::ABSENT).map(|at| 8 * eights.len() + at),
        }
    }

    /// The cells from `first` on, and their marks.
    pub(crate) fn cells(&self, first: usize, count: usize) -> (&[u64], &[u8]) {
        let range = first..first + count;
        (self.cells.get(range.clone()).unwrap_or_default(), self.marks.get(range).unwrap_or_default())
    }

    /// Copies a run of cells with their marks.
    pub(crate) fn copy(&mut self, from: usize, to: usize, count: usize) {
        if from + count <= self.cells.len() && to + count <= self.cells.len() {
            self.cells.copy_within(from..from + count, to);
            self.marks.copy_within(from..from + count, to);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Runs of marks give the same as each mark, for any length, start, and cells after them.
    #[test]
    fn presence_of_a_run_is_that_of_each_cell() {
        let mut values = Values::new();
        values.run(128, 128).unwrap();
        for cell in 0..128 {
            let mark = [mark::ABSENT, mark::PLAIN, mark::LARGE, mark::ABSENT, mark::UNKNOWN, mark::ABSENT];
            values.set(cell, 0, mark[(cell * cell + cell / 7) % 6]);
        }
        for first in 0..128 {
            for count in 0..=64 {
                let each = (first..first + count)
                    .fold(0u64, |presence, cell| presence << 1 | u64::from(values.mark(cell) != mark::ABSENT));
                let whole = first + count.next_multiple_of(8) <= 128;
                assert_eq!(values.presence(first, count as u32), whole.then_some(each), "{count} from {first} on");
                for stride in [1, 3].into_iter().filter(|stride| first + stride * count <= 128) {
                    let next = (0..count).find(|index| values.mark(first + stride * index) != mark::ABSENT);
                    assert_eq!(values.next_present(first, stride, count), next, "{count} from {first} on");
                }
            }
        }
    }
}
