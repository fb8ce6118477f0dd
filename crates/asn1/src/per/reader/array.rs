//! SEQUENCE OF and SET OF (X.691 clauses 20 and 22).

use tam::Error;

use super::super::primitive::read_length;
use super::{FREE, Reader, run};
use crate::compiled::{Array, Kind, NodeId, Size, Step};
use crate::event::{At, Part, Sink};
use crate::path;

/// An array that is being read.
struct Components<L> {
    node: NodeId,
    item: NodeId,
    at: At<L>,
    level: L,
    /// The next component, and the end of those announced so far.
    next: u32,
    end: u32,
    /// Whether another length follows.
    more: bool,
    /// Whether the number of components may be outside of the root of the size constraint.
    extended: bool,
}

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    #[inline(never)]
    pub(super) fn array(&mut self, level: S::Level, index: u32, node: NodeId, calls: u32) -> Result<(), Error> {
        // Rows are one level deeper.
        if calls == 0 || calls == 1 && self.depth.is_left() {
            return self.deeper(level, index, node, calls);
        }
        let mut array = self.begin_array(At { level, index }, node)?;
        loop {
            let read = match self.components(&mut array, calls - 1) {
                Ok(()) if array.more => self.next_fragment(&mut array),
                Ok(()) => return self.sink.end(node, array.level),
                Err(error) => Err(error),
            };
            if let Err(error) = read {
                return self.met(path::Step::Item(array.next.saturating_sub(1)), error);
            }
        }
    }

    /// Reads the components announced so far.
    #[inline(always)]
    fn components(&mut self, array: &mut Components<S::Level>, calls: u32) -> Result<(), Error> {
        let (level, item) = (array.level, array.item);
        let Kind::Record(number) = self.types.node(item).kind else {
            let step = Step::new(self.types.code(item), item);
            return each(array, |index| self.value(level, index, &step, calls));
        };
        let record = self.types.record(number);
        if calls == 0 && array.next < array.end {
            return Err(self.depth.exceeded());
        }
        if record.flat {
            let mut rows = array.next..array.end;
            let read = run::rows::<S, ALIGNED>(self.sink, &mut self.bits, record, item, level, &mut rows);
            array.next = rows.start;
            return read.or_else(|(next, error)| self.met(path::Step::before(number, next), error));
        }
        each(array, |index| self.row(level, index, item, number, calls))
    }

    /// Reads what comes before the components.
    #[inline(always)]
    fn begin_array(&mut self, at: At<S::Level>, node: NodeId) -> Result<Components<S::Level>, Error> {
        let types = self.types;
        let array = match &types.node(node).kind {
            Kind::Array(array) => array,
            _ => &Array { item: node, size: Size::ANY, set: false, nullable: false, name: u32::MAX },
        };
        let (length, extended) = self.size(at, node, &array.size)?;
        if !length.more {
            self.check_size(node, &array.size, extended, length.count)?;
        }
        self.backed(array.item, length.count)?;
        let end = length.count as u32;
        let level = self.sink.array(at, node, end)?;
        let (item, more) = (array.item, length.more);
        Ok(Components { node, item, at, level, next: 0, end, more, extended })
    }

    /// Checks that the message can hold `count` components, and that `count` fits in 32 bits.
    #[inline(always)]
    fn backed(&mut self, item: NodeId, count: u64) -> Result<(), Error> {
        let least = u64::from(self.types.node(item).min_bits);
        // The message has fewer than 2^35 bits. Most items take an octet or more.
        if least >= 8 && count.saturating_mul(least) <= self.bits.left() {
            return Ok(());
        }
        self.backed_by_little(item, count)
    }

    /// The same for components that take few or no bits, or are too many.
    #[inline(never)]
    fn backed_by_little(&mut self, item: NodeId, count: u64) -> Result<(), Error> {
        let least = u64::from(self.types.node(item).min_bits);
        if least == 0 {
            let values = match self.types.node(item).kind {
                Kind::Record(number) => self.types.record(number).members.len() as u64 + 1,
                _ => 1,
            };
            self.spend(count.saturating_mul(values))?;
        } else if count.saturating_mul(least) > self.bits.left() {
            return Err(self.bits.short(count.saturating_mul(least)));
        }
        if count > u64::from(u32::MAX) {
            return Err(Error::limit("per", 0, "more values", "units", u32::MAX.into()));
        }
        Ok(())
    }

    /// Counts values that take no bits.
    pub(super) fn spend(&mut self, count: u64) -> Result<(), Error> {
        match self.free.checked_sub(count) {
            Some(left) => {
                self.free = left;
                Ok(())
            }
            None => Err(Error::limit("per", 0, "more values that take no bits", "units", FREE)),
        }
    }

    #[inline(never)]
    fn next_fragment(&mut self, array: &mut Components<S::Level>) -> Result<(), Error> {
        let start = self.bits.position();
        let length = read_length::<ALIGNED>(&mut self.bits)?;
        self.report(array.at, array.node, Part::Length, start);
        self.backed(array.item, length.count)?;
        let more = length.count as u32;
        let Some(end) = array.end.checked_add(more) else {
            return Err(Error::limit("per", 0, "more values", "units", u32::MAX.into()));
        };
        if more > 0 {
            array.level = self.sink.more(array.at, array.node, array.level, more)?;
        }
        (array.end, array.more) = (end, length.more);
        if let (false, Kind::Array(ty)) = (length.more, self.types.node(array.node).kind) {
            self.check_size(array.node, &ty.size, array.extended, end.into())?;
        }
        Ok(())
    }
}

/// Reads the components of an array in order.
#[inline(always)]
fn each<L>(array: &mut Components<L>, mut read: impl FnMut(u32) -> Result<(), Error>) -> Result<(), Error> {
    while array.next < array.end {
        let index = array.next;
        array.next += 1;
        read(index)?;
    }
    Ok(())
}
