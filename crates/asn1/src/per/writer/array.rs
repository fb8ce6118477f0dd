//! SEQUENCE OF and SET OF (X.691 clauses 20 and 22).

use tam::Error;

use super::super::frame::{ArrayFrame, Frame};
use super::super::primitive::write_length;
use super::sort::SORTING;
use super::{Component, Writer, run};
use crate::compiled::{Array, Code, NodeId, Step};
use crate::event::{At, Source};

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    pub(super) fn open_array(&mut self, at: At<S::Level>, node: NodeId, array: &Array) -> Result<(), Error> {
        let (total, level) = self.source.array(at, node);
        if array.set && self.canonical && total > 1 {
            return self.open_sorted(at, node, array, level, total);
        }
        let frame = self.begin_array(at, node, array, level, total)?;
        self.enter(Frame::Array(frame))
    }

    /// Writes how many components there are, or how many come now.
    #[inline(always)]
    pub(super) fn begin_array(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        array: &Array,
        level: S::Level,
        total: u32,
    ) -> Result<ArrayFrame<S::Level>, Error> {
        let (extended, length) = self.size(node, &array.size, total.into())?;
        let (item, end, more) = (array.item, length.count as u32, length.more);
        Ok(ArrayFrame { node, item, at, level, next: 0, end, more, extended, total, order: 0 })
    }

    pub(super) fn array(&mut self, mut frame: ArrayFrame<S::Level>) -> Result<(), Error> {
        if frame.order == SORTING {
            return self.sort(frame);
        }
        match self.components(&mut frame) {
            Ok(None) => {
                if frame.order > 0 {
                    self.orders.close();
                }
                Ok(())
            }
            Ok(Some((at, Code::Record(number)))) => {
                self.stack.push(Frame::Array(frame));
                self.check_depth()?;
                let row = self.begin_record(at, frame.item, number, true)?;
                self.record(row)
            }
            Ok(Some((at, _))) => {
                self.stack.push(Frame::Array(frame));
                self.open(at, frame.item, false)
            }
            Err(error) => {
                self.stack.push(Frame::Array(frame));
                Err(error)
            }
        }
    }

    /// Writes components until one holds others, or all are written.
    pub(super) fn components(
        &mut self,
        frame: &mut ArrayFrame<S::Level>,
    ) -> Result<Option<Component<S::Level>>, Error> {
        let code = self.types.code(frame.item);
        let step = Step::new(code, frame.item);
        loop {
            if let Code::Record(number) = code
                && self.types.record(number).flat
                && frame.order == 0
                && self.stack.len() + self.around as usize + 1 < self.depth as usize
            {
                self.flat_rows(frame, number);
            }
            while frame.next < frame.end {
                let index = match frame.order {
                    0 => frame.next,
                    number => self.orders.place(number, frame.next),
                };
                let at = At { level: frame.level, index };
                frame.next += 1;
                if matches!(code, Code::Record(_)) {
                    return Ok(Some((at, code)));
                }
                if !self.source.is_present(at, frame.item) {
                    return Err(self.missing(frame.node, "component"));
                }
                if matches!(code, Code::Choice(_) | Code::Array(_)) {
                    return Ok(Some((at, code)));
                }
                self.coded(at, &step)?;
            }
            if !frame.more {
                return Ok(None);
            }
            let length = write_length::<ALIGNED>(u64::from(frame.total - frame.next), &mut self.bits);
            (frame.end, frame.more) = (frame.next + length.count as u32, length.more);
        }
    }

    /// Writes records of nothing but small numbers, up to the first one that is not as it should be,
    /// which is then written, and refused, as any other.
    pub(super) fn flat_rows(&mut self, frame: &mut ArrayFrame<S::Level>, number: u32) {
        let record = self.types.record(number);
        if record.defaults {
            return;
        }
        let (source, item, level) = (self.source, frame.item, frame.level);
        let rows = frame.next..frame.end;
        frame.next = self.bits.run(|bits| run::rows::<S, ALIGNED>(source, bits, &record.steps, item, level, rows));
    }
}
