//! The first levels of a value, written by calls that are a fixed number deep.

use tam::Error;

use super::super::frame::{ArrayFrame, Frame, RecordFrame};
use super::{Inner, Writer};
use crate::compiled::{Code, Kind, NodeId, Step};
use crate::event::{At, Source};
use crate::writer::Start;

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    /// Writes a whole value.
    pub(super) fn start(&mut self, start: Start<S::Level>) -> Result<(), Error> {
        let Start { at, node, row } = start;
        match self.types.code(node) {
            Code::Record(number) if row => self.record_by_calls::<true>(at.level, at.index, node, number, self.calls),
            code => self.by_calls(at.level, at.index, &Step::new(code, node), self.calls),
        }
    }

    /// Writes a value, and what it holds `calls` levels deep by calls.
    #[inline(always)]
    pub(super) fn by_calls(&mut self, level: S::Level, index: u32, step: &Step, calls: u32) -> Result<(), Error> {
        match step.code {
            Code::Record(number) => self.record_by_calls::<false>(level, index, step.node, number, calls),
            Code::Choice(number) => self.choice_by_calls(level, index, step.node, number, calls),
            Code::Array(_) => self.array_by_calls(level, index, step.node, calls),
            _ => self.coded(At { level, index }, step),
        }
    }

    /// Writes a value for which `calls` levels are not enough.
    #[inline(never)]
    fn deep(&mut self, level: S::Level, index: u32, node: NodeId, row: bool, calls: u32) -> Result<(), Error> {
        self.around = self.calls - calls;
        self.open(At { level, index }, node, row)?;
        self.go_on()
    }

    /// Goes on with what is put onto the stack, instead of with `calls` levels.
    #[inline(never)]
    fn instead(&mut self, frame: Frame<S::Level>, calls: u32) -> Result<(), Error> {
        self.around = self.calls - calls;
        self.stack.push(frame);
        self.go_on()
    }

    /// Writes a record, which with `ROW` is one in an array of them.
    #[inline(never)]
    fn record_by_calls<const ROW: bool>(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        if calls == 0 {
            return self.deep(level, index, node, ROW, calls);
        }
        let frame = self.begin_record(At { level, index }, node, number, ROW)?;
        self.all_members(frame, calls)
    }

    #[inline(always)]
    fn all_members(&mut self, mut frame: RecordFrame<S::Level>, calls: u32) -> Result<(), Error> {
        match self.members(&mut frame, Some(calls - 1)) {
            Ok(_) if frame.extended => self.extended(frame, calls),
            Ok(_) => Ok(()),
            Err(error) => self.met(Frame::Record(frame), error),
        }
    }

    /// Writes the additions of a record.
    #[inline(never)]
    fn extended(&mut self, frame: RecordFrame<S::Level>, calls: u32) -> Result<(), Error> {
        let mut frame = self.begin_additions(&frame)?;
        // What is in an open type is two levels deeper.
        if calls < 3 {
            return self.instead(Frame::Additions(frame), calls);
        }
        loop {
            let written = match self.find_addition(&mut frame) {
                Ok(Some(inner)) => self.within_open_type(inner, calls - 2),
                Ok(None) => return Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = written {
                return self.met(Frame::Additions(frame), error);
            }
        }
    }

    fn within_open_type(&mut self, inner: Inner<S::Level>, calls: u32) -> Result<(), Error> {
        self.begin_open_type();
        let written = match inner {
            Inner::Value(At { level, index }, node) => {
                self.by_calls(level, index, &Step::new(self.types.code(node), node), calls)
            }
            Inner::Group(group) => self.begin_group(group).and_then(|group| self.all_members(group, calls)),
        };
        match written {
            Ok(()) => {
                self.end_open_type();
                Ok(())
            }
            Err(error) => self.met(Frame::Open { end: 0 }, error),
        }
    }

    #[inline(never)]
    fn choice_by_calls(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        if calls == 0 {
            return self.deep(level, index, node, false, calls);
        }
        let Some((level, alternative, step)) = self.choose(At { level, index }, node, number) else {
            return self.deep(level, index, node, false, calls);
        };
        match self.by_calls(level, 0, step, calls - 1) {
            Ok(()) => Ok(()),
            Err(error) => self.met(Frame::Choice { node, level, alternative }, error),
        }
    }

    #[inline(never)]
    fn array_by_calls(&mut self, level: S::Level, index: u32, node: NodeId, calls: u32) -> Result<(), Error> {
        let Kind::Array(array) = &self.types.node(node).kind else { return Ok(()) };
        let at = At { level, index };
        let (total, level) = self.source.array(at, node);
        // Rows are a level deeper.
        if calls < 2 || array.set && self.canonical && total > 1 {
            return self.deep(at.level, index, node, false, calls);
        }
        let mut frame = self.begin_array(at, node, array, level, total)?;
        if frame.more {
            return self.instead(Frame::Array(frame), calls);
        }
        match self.all_components(&mut frame, calls) {
            Ok(()) => Ok(()),
            Err(error) => self.met(Frame::Array(frame), error),
        }
    }

    #[inline(always)]
    fn all_components(&mut self, frame: &mut ArrayFrame<S::Level>, calls: u32) -> Result<(), Error> {
        let code = self.types.code(frame.item);
        let step = Step::new(code, frame.item);
        if let Code::Record(number) = code
            && self.types.record(number).flat
        {
            self.flat_rows(frame, number);
        }
        while frame.next < frame.end {
            let (level, index) = (frame.level, frame.next);
            frame.next += 1;
            match code {
                Code::Record(number) => self.record_by_calls::<true>(level, index, frame.item, number, calls - 1)?,
                _ if !self.source.is_present(At { level, index }, frame.item) => {
                    return Err(self.missing(frame.node, "component"));
                }
                _ => self.by_calls(level, index, &step, calls - 1)?,
            }
        }
        Ok(())
    }

    /// Takes note of what was open when an error was met.
    #[cold]
    #[inline(never)]
    fn met(&mut self, frame: Frame<S::Level>, error: Error) -> Result<(), Error> {
        self.trail.push(frame);
        Err(error)
    }
}
