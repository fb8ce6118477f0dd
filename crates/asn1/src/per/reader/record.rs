//! SEQUENCE and SET (X.691 clauses 19 and 21).

use tam::Error;

use super::super::frame::{Frame, RecordFrame};
use super::run::{self, Run};
use super::{Reader, Rest};
use crate::compiled::{Code, NodeId};
use crate::event::{At, Part, Sink};

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// What stands in front of the members of a SEQUENCE or SET.
    #[inline(always)]
    pub(super) fn begin_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
    ) -> Result<RecordFrame<S::Level>, Error> {
        let types = self.types;
        let record = types.record(number);
        // Rows have been taken note of with their array.
        if record.free && !row {
            self.spend(record.members.len() as u64 + 1)?;
        }
        let extended = self.extension(at, node, record.extensible)?;
        let level = if row { self.sink.row(at, node)? } else { self.sink.record(at, node)? };
        let (next, end) = (0, record.root);
        let mut frame =
            RecordFrame { node, number, level, next, end, presence: 0, left: 0, more: 0, extended, group: false };
        if record.optional > 0 {
            self.presence(at, &mut frame, record.optional)?;
        }
        Ok(frame)
    }

    /// The bits that say which optional members are there.
    #[inline(always)]
    pub(super) fn presence(
        &mut self,
        at: At<S::Level>,
        frame: &mut RecordFrame<S::Level>,
        count: u32,
    ) -> Result<(), Error> {
        let start = self.bits.position();
        frame.left = count.min(64);
        frame.presence = self.bits.read(frame.left)? << (frame.left.wrapping_neg() & 63);
        frame.more = self.bits.position();
        if count > 64 {
            self.bits.skip(u64::from(count - 64))?;
        }
        self.tell(at, frame.node, Part::Presence, start);
        Ok(())
    }

    /// Reads members until one holds others, or all are read.
    #[inline(always)]
    pub(super) fn members(&mut self, frame: &mut RecordFrame<S::Level>) -> Result<Option<Rest<S::Level>>, Error> {
        let types = self.types;
        let steps = &types.record(frame.number).steps;
        let steps = steps.get(..frame.end as usize).unwrap_or_default();
        loop {
            let RecordFrame { level, next, presence, left, .. } = *frame;
            let run = Run { position: 0, next, presence, left };
            let (run, result) = run::members::<S, ALIGNED>(self.sink, self.bits, steps, level, run);
            self.bits.go(run.position);
            (frame.next, frame.presence, frame.left) = (run.next, run.presence, run.left);
            result?;
            let Some(step) = steps.get(frame.next as usize) else { break };
            if step.optional {
                if frame.left == 0 {
                    self.more_presence(frame)?;
                    continue;
                }
                let present = frame.presence >> 63 != 0;
                frame.presence <<= 1;
                frame.left -= 1;
                if !present {
                    frame.next += 1;
                    continue;
                }
            }
            let at = At { level, index: frame.next };
            frame.next += 1;
            if let Code::Record(number) = step.code {
                return Ok(Some(Rest::Record(at, step.node, number)));
            }
            if !self.coded(at, step.node, step.code)? {
                return Ok(Some(Rest::Open(at, step.node)));
            }
        }
        if frame.extended {
            return Ok(Some(Rest::Additions));
        }
        if !frame.group {
            self.sink.end(frame.node, frame.level)?;
        }
        Ok(None)
    }

    /// The bits of the next 64 optional members, which have been passed over.
    #[inline(never)]
    pub(super) fn more_presence(&self, frame: &mut RecordFrame<S::Level>) -> Result<(), Error> {
        let mut bits = self.bits;
        bits.seek(frame.more);
        frame.left = bits.left().clamp(1, 64) as u32;
        frame.presence = bits.read(frame.left)? << (frame.left.wrapping_neg() & 63);
        frame.more = bits.position();
        Ok(())
    }

    /// Reads a record; `false` if it has to wait.
    #[inline(never)]
    pub(super) fn open_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
        calls: u32,
    ) -> Result<bool, Error> {
        let mut frame = self.begin_record(at, node, number, row)?;
        self.rest_of_record(&mut frame, calls)
    }

    /// Reads the members of a record that are left; `false` if it has to wait.
    pub(super) fn record(&mut self, mut frame: RecordFrame<S::Level>, calls: u32) -> Result<bool, Error> {
        self.rest_of_record(&mut frame, calls)
    }

    #[inline(always)]
    fn rest_of_record(&mut self, frame: &mut RecordFrame<S::Level>, calls: u32) -> Result<bool, Error> {
        loop {
            let read = match self.members(frame) {
                Ok(None) => return Ok(true),
                Ok(Some(Rest::Record(at, node, number))) if calls > 0 => self.nested_record(at, node, number, calls),
                Ok(Some(Rest::Record(at, node, _) | Rest::Open(at, node))) => self.open(at, node, calls),
                Ok(Some(Rest::Additions)) => {
                    let additions = self.begin_additions(*frame)?;
                    return self.holds_up(Frame::Additions(additions), Ok(false));
                }
                Err(error) => Err(error),
            };
            if !matches!(read, Ok(true)) {
                return self.holds_up(Frame::Record(*frame), read);
            }
        }
    }

    #[inline(always)]
    fn nested_record(&mut self, at: At<S::Level>, node: NodeId, number: u32, calls: u32) -> Result<bool, Error> {
        self.check_depth()?;
        self.open += 1;
        let read = self.open_record(at, node, number, false, calls - 1);
        self.open -= 1;
        read
    }
}
