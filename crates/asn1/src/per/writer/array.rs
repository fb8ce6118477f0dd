//! SEQUENCE OF and SET OF (X.691 clauses 20 and 22).

use tam::{Error, ErrorKind, Words};

use super::super::frame::{ArrayFrame, Frame};
use super::super::primitive::write_length;
use super::{COMPARED, Component, Start, Writer, run, write_compared};
use crate::compiled::{Array, Code, Kind, NodeId, Presence};
use crate::equal;
use crate::event::{At, Source};

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    pub(super) fn open_array(&mut self, at: At<S::Level>, node: NodeId, array: &Array) -> Result<(), Error> {
        let (total, level) = self.source.array(at, node);
        let (extended, length) = self.size(node, &array.size, total.into())?;
        let row = matches!(self.types.node(array.item).kind, Kind::Record(_));
        let order = if array.set && self.canonical && total > 1 {
            let order = self.canonical_order(array.item, level, total, row)?;
            self.orders.push(order);
            self.orders.len() as u32
        } else {
            0
        };
        let (item, end, more) = (array.item, length.count as u32, length.more);
        self.enter(Frame::Array(ArrayFrame { node, item, at, level, next: 0, end, more, extended, total, order }))
    }

    /// The order of the components of a SET OF by their encodings (X.691 clause 22.1).
    pub(super) fn canonical_order(
        &self,
        item: NodeId,
        level: S::Level,
        total: u32,
        row: bool,
    ) -> Result<Vec<u32>, Error> {
        if self.compared >= COMPARED {
            let found = "SETs OF within each other";
            return Err(Error::new(ErrorKind::Limit, "per", 0, found, Words::AtMost(COMPARED.into(), "compared")));
        }
        let mut encodings = Vec::new();
        let mut ends = Vec::with_capacity(total as usize);
        for index in 0..total {
            let start = Start { at: At { level, index }, node: item, row };
            let (depth, compared) = (self.depth, self.compared + 1);
            let before = encodings.len();
            write_compared::<S, ALIGNED>(self.source, self.types, start, true, depth, compared, &mut encodings)?;
            ends.push((before, encodings.len()));
        }
        let encoding = |index: &u32| {
            let (start, end) = ends.get(*index as usize).copied().unwrap_or_default();
            encodings.get(start..end).unwrap_or_default()
        };
        let mut order: Vec<u32> = (0..total).collect();
        // Zero octets behind the shorter one do not make them differ.
        order.sort_by(|one, other| equal::padded_order(encoding(one), encoding(other)));
        Ok(order)
    }

    pub(super) fn array(&mut self, mut frame: ArrayFrame<S::Level>) -> Result<(), Error> {
        match self.components(&mut frame) {
            Ok(None) => {
                if frame.order > 0 {
                    self.orders.pop();
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
                    number => {
                        let order = self.orders.get(number as usize - 1);
                        order.and_then(|order| order.get(frame.next as usize)).copied().unwrap_or_default()
                    }
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
        if record.members.iter().any(|member| matches!(member.presence, Presence::Default(_))) {
            return Ok(());
        }
        let (source, item, level) = (self.source, frame.item, frame.level);
        let rows = frame.next..frame.end;
        frame.next = self.bits.run(|bits| run::rows::<S, ALIGNED>(source, bits, &record.steps, item, level, rows));
        Ok(())
    }
}
