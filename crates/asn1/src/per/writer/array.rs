//! SEQUENCE OF and SET OF (X.691 clauses 20 and 22).

use tam::Error;

use super::super::frame::{ArrayFrame, Frame};
use super::super::primitive::write_length;
use super::sort::SORTING;
use super::{Component, Writer, run};
use crate::compiled::{Array, Code, NodeId};
use crate::event::{At, Source};

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    pub(super) fn open_array(&mut self, at: At<S::Level>, node: NodeId, array: &Array) -> Result<(), Error> {
        let (total, level) = self.source.array(at, node);
        if array.set && self.canonical && total > 1 {
            return self.open_sorted(at, node, array, level, total);
        }
        let (extended, length) = self.size(node, &array.size, total.into())?;
        let (item, end, more) = (array.item, length.count as u32, length.more);
        self.enter(Frame::Array(ArrayFrame { node, item, at, level, next: 0, end, more, extended, total, order: 0 }))
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
        loop {
            if let Code::Record(number) = code
                && self.types.record(number).flat
                && frame.order == 0
                && self.stack.len() + 1 < self.depth as usize
            {
                self.flat_rows(frame, number)?;
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
                if !self.simple(at, frame.item)? {
                    return Ok(Some((at, code)));
                }
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
    pub(super) fn flat_rows(&mut self, frame: &mut ArrayFrame<S::Level>, number: u32) -> Result<(), Error> {
        let record = self.types.record(number);
        if record.defaults {
            return Ok(());
        }
        let (source, item, level) = (self.source, frame.item, frame.level);
        let rows = frame.next..frame.end;
        frame.next = self.bits.run(|bits| run::rows::<S, ALIGNED>(source, bits, &record.steps, item, level, rows));
        Ok(())
    }
}
