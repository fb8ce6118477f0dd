//! SEQUENCE OF and SET OF (X.691 clauses 20 and 22).

use tam::Error;

use super::super::frame::{ArrayFrame, Frame, RecordFrame};
use super::super::primitive::read_length;
use super::{FREE, Next, Reader, run};
use crate::compiled::{Array, Code, Kind, NodeId, Size, Step};
use crate::event::{At, Part, Sink};

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// What stands in front of the components.
    #[inline(always)]
    pub(super) fn begin_array(&mut self, at: At<S::Level>, node: NodeId) -> Result<ArrayFrame<S::Level>, Error> {
        let types = self.types;
        let array = match &types.node(node).kind {
            Kind::Array(array) => array,
            _ => &Array { item: node, size: Size::ANY, set: false },
        };
        let (length, extended) = self.size(at, node, &array.size)?;
        if !length.more {
            self.check_size(node, &array.size, extended, length.count)?;
        }
        self.backed(array.item, length.count)?;
        let end = length.count as u32;
        let level = self.sink.array(at, node, end)?;
        let (item, more) = (array.item, length.more);
        Ok(ArrayFrame { node, item, at, level, next: 0, end, more, extended, total: 0, order: 0 })
    }

    /// Reads components of the array on top of the stack that hold no others, all at once.
    pub(super) fn components(&mut self) -> Result<Next<S::Level>, Error> {
        let Some(Frame::Array(mut frame)) = self.stack.pop() else { return Ok(Next::Leave) };
        let read = match self.types.code(frame.item) {
            // Rows are a level deeper.
            Code::Record(number) => match self.check_depth(u32::from(frame.next < frame.end)) {
                Ok(()) if self.types.record(number).flat => self.flat_rows(&mut frame, number),
                depth => depth.map_err(|error| (None, error)),
            },
            Code::Choice(_) | Code::Array(_) => Ok(()),
            code => self.simple_components(&mut frame, code).map_err(|error| (None, error)),
        };
        self.stack.push(Frame::Array(frame));
        let Err((row, error)) = read else { return Ok(Next::Leave) };
        self.stack.extend(row.map(Frame::Record));
        Err(error)
    }

    /// Components that hold no others.
    #[inline]
    pub(super) fn simple_components(&mut self, frame: &mut ArrayFrame<S::Level>, code: Code) -> Result<(), Error> {
        let step = Step::new(code, frame.item);
        while frame.next < frame.end {
            frame.next += 1;
            self.coded(frame.level, frame.next - 1, &step)?;
        }
        Ok(())
    }

    /// All components of the array on top of the stack that were told so far have been read.
    #[inline(never)]
    pub(super) fn end_array(&mut self) -> Result<Next<S::Level>, Error> {
        let Some(Frame::Array(frame)) = self.stack.last_mut() else { return Ok(Next::Leave) };
        let mut frame = *frame;
        if frame.more {
            self.next_fragment(&mut frame)?;
            self.stack.pop();
            self.stack.push(Frame::Array(frame));
            return self.components();
        }
        self.stack.pop();
        self.sink.end(frame.node, frame.level)?;
        Ok(Next::Leave)
    }

    /// Whether the message can hold a number of components, and 32 bits the number.
    #[inline(always)]
    pub(super) fn backed(&mut self, item: NodeId, count: u64) -> Result<(), Error> {
        let least = u64::from(self.types.node(item).min_bits);
        // The message has fewer bits than 2 to the power of 35, and an item of an octet and more is what most are.
        if least >= 8 && count.saturating_mul(least) <= self.bits.left() {
            return Ok(());
        }
        self.backed_by_little(item, count)
    }

    /// The same of components that take little, or none, or are too many.
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

    /// Reads records of nothing but small numbers; with an error the row in which it was met.
    #[allow(clippy::type_complexity)]
    pub(super) fn flat_rows(
        &mut self,
        frame: &mut ArrayFrame<S::Level>,
        number: u32,
    ) -> Result<(), (Option<RecordFrame<S::Level>>, Error)> {
        let record = self.types.record(number);
        let mut rows = frame.next..frame.end;
        let (item, level) = (frame.item, frame.level);
        let read = run::rows::<S, ALIGNED>(self.sink, &mut self.bits, record, item, level, &mut rows);
        frame.next = rows.start;
        read.map_err(|(next, error)| (Some(RecordFrame { next, ..RecordFrame::new(item, number, level) }), error))
    }

    #[inline(never)]
    pub(super) fn next_fragment(&mut self, frame: &mut ArrayFrame<S::Level>) -> Result<(), Error> {
        let start = self.bits.position();
        let length = read_length::<ALIGNED>(&mut self.bits)?;
        self.tell(frame.at, frame.node, Part::Length, start);
        self.backed(frame.item, length.count)?;
        let more = length.count as u32;
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
