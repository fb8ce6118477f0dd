//! SEQUENCE OF and SET OF (X.691 clauses 20 and 22).

use tam::Error;

use super::super::frame::{ArrayFrame, Frame, RecordFrame};
use super::super::primitive::read_length;
use super::{FREE, Reader, run};
use crate::compiled::{Array, Code, Kind, NodeId};
use crate::event::{At, Part, Sink};

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    pub(super) fn open_array(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        array: &Array,
        calls: u32,
    ) -> Result<bool, Error> {
        let (length, extended) = self.size(at, node, &array.size)?;
        if !length.more {
            self.check_size(node, &array.size, extended, length.count)?;
        }
        let end = self.backed(array.item, length.count)?;
        let level = self.sink.array(at, node, end)?;
        let (item, more) = (array.item, length.more);
        let frame = ArrayFrame { node, item, at, level, next: 0, end, more, extended, total: 0, order: 0 };
        self.array(frame, calls)
    }

    /// A number of components that the message can hold.
    #[inline]
    pub(super) fn backed(&mut self, item: NodeId, count: u64) -> Result<u32, Error> {
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
        u32::try_from(count).map_err(|_| Error::limit("per", 0, "more values", "units", u32::MAX.into()))
    }

    /// Takes note of values that take no bit.
    pub(super) fn spend(&mut self, count: u64) -> Result<(), Error> {
        match self.free.checked_sub(count) {
            Some(left) => {
                self.free = left;
                Ok(())
            }
            None => Err(Error::limit("per", 0, "more values that take no bit", "units", FREE)),
        }
    }

    /// Reads the components of an array that are left; `false` if it has to wait.
    pub(super) fn array(&mut self, mut frame: ArrayFrame<S::Level>, calls: u32) -> Result<bool, Error> {
        match self.components(&mut frame, calls) {
            Ok(true) => self.sink.end(frame.node, frame.level).map(|()| true),
            read => self.holds_up(Frame::Array(frame), read),
        }
    }

    fn components(&mut self, frame: &mut ArrayFrame<S::Level>, calls: u32) -> Result<bool, Error> {
        let code = self.types.code(frame.item);
        loop {
            if let Code::Record(number) = code
                && frame.next < frame.end
            {
                self.check_depth()?;
                if self.types.record(number).flat {
                    self.flat_rows(frame, number)?;
                }
            }
            while frame.next < frame.end {
                let at = At { level: frame.level, index: frame.next };
                frame.next += 1;
                let read = match code {
                    Code::Record(number) => {
                        self.open += 1;
                        let read = self.open_record(at, frame.item, number, true, calls);
                        self.open -= 1;
                        read?
                    }
                    _ => self.value(at, frame.item, calls)?,
                };
                if !read {
                    return Ok(false);
                }
            }
            if !frame.more {
                return Ok(true);
            }
            self.next_fragment(frame)?;
        }
    }

    /// Reads records of nothing but small numbers.
    pub(super) fn flat_rows(&mut self, frame: &mut ArrayFrame<S::Level>, number: u32) -> Result<(), Error> {
        let record = self.types.record(number);
        let (steps, rows) = (&record.steps, frame.next..frame.end);
        let (row, run, result) =
            run::rows::<S, ALIGNED>(self.sink, self.bits, steps, record.optional, frame.item, frame.level, rows);
        self.bits.seek(run.position);
        frame.next = row;
        if result.is_err() {
            frame.next += 1;
            let level = frame.level;
            let (node, next, end) = (frame.item, run.next, record.root);
            let (presence, left, more, extended, group) = (0, 0, 0, false, false);
            let row = RecordFrame { node, number, level, next, end, presence, left, more, extended, group };
            self.pending.push(Frame::Record(row));
        }
        result
    }

    #[inline(never)]
    pub(super) fn next_fragment(&mut self, frame: &mut ArrayFrame<S::Level>) -> Result<(), Error> {
        let start = self.bits.position();
        let length = read_length::<ALIGNED>(&mut self.bits)?;
        self.tell(frame.at, frame.node, Part::Length, start);
        let more = self.backed(frame.item, length.count)?;
        let Some(end) = frame.end.checked_add(more) else {
            return Err(Error::limit("per", 0, "more values", "units", u32::MAX.into()));
        };
        if more > 0 {
            frame.level = self.sink.more(frame.at, frame.node, frame.level, more)?;
        }
        (frame.end, frame.more) = (end, length.more);
        if let (false, Kind::Array(array)) = (length.more, self.types.node(frame.node).kind) {
            self.check_size(frame.node, &array.size, frame.extended, end.into())?;
        }
        Ok(())
    }
}
