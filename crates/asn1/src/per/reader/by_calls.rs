//! The first levels of a value, read by calls that are a fixed number deep.

use tam::Error;

use super::super::frame::{ArrayFrame, Frame, RecordFrame};
use super::super::primitive::Length;
use super::{Inner, Next, Reader};
use crate::compiled::{Code, Kind, NodeId, Record, Step};
use crate::event::{At, Sink};

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// Reads a value, and what it holds `calls` levels deep by calls.
    #[inline(always)]
    pub(super) fn value(&mut self, level: S::Level, index: u32, step: &Step, calls: u32) -> Result<(), Error> {
        match step.code {
            Code::Record(number) => {
                let record = self.types.record(number);
                if record.leaf && calls > 0 && !S::BITS {
                    return self.leaf::<false>(level, index, step.node, record, calls);
                }
                self.record(level, index, step.node, number, calls)
            }
            Code::Choice(number) => self.choice(level, index, step.node, number, calls),
            Code::Array(_) => self.array(level, index, step.node, calls),
            _ => self.coded(level, index, step),
        }
    }

    /// Reads a value for which `calls` levels are not enough.
    #[inline(never)]
    fn deep(&mut self, level: S::Level, index: u32, node: NodeId, calls: u32) -> Result<(), Error> {
        self.around = self.calls - calls;
        self.walk(Inner::Value(At { level, index }, node))
    }

    /// Goes on with what has been put onto the stack, instead of with `calls` levels.
    #[inline(never)]
    fn instead(&mut self, next: Next<S::Level>, level: S::Level, calls: u32) -> Result<(), Error> {
        self.around = self.calls - calls;
        self.go_on(next, level, 0)
    }

    #[inline(never)]
    pub(super) fn record(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        if calls == 0 {
            return self.deep(level, index, node, calls);
        }
        let record = self.types.record(number);
        let frame = self.begin_record(At { level, index }, node, (number, record), false)?;
        self.all_members(record, frame, calls)
    }

    #[inline(never)]
    pub(super) fn row(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        let record = self.types.record(number);
        let frame = self.begin_record(At { level, index }, node, (number, record), true)?;
        self.all_members(record, frame, calls)
    }

    #[inline(always)]
    fn all_members(&mut self, record: &Record, mut frame: RecordFrame<S::Level>, calls: u32) -> Result<(), Error> {
        if let Err(error) = self.members(record, &mut frame, Some(calls - 1)) {
            return self.met(Frame::Record(frame), error);
        }
        if frame.extended {
            return self.extended(frame, calls);
        }
        if frame.group { Ok(()) } else { self.sink.end(frame.node, frame.level) }
    }

    /// Reads the additions of a record.
    #[inline(never)]
    fn extended(&mut self, frame: RecordFrame<S::Level>, calls: u32) -> Result<(), Error> {
        let mut frame = self.begin_additions(frame.node, frame.number, frame.level)?;
        // What is in an open type is two levels deeper.
        if calls < 3 {
            self.stack.push(Frame::Additions(frame));
            return self.instead(Next::Leave, frame.level, calls);
        }
        loop {
            let read = match self.find_addition(&mut frame) {
                Ok(Some((length, inner))) => self.within_open_type(length, inner, calls - 2),
                Ok(None) => return self.sink.end(frame.node, frame.level),
                Err(error) => Err(error),
            };
            if let Err(error) = read {
                return self.met(Frame::Additions(frame), error);
            }
        }
    }

    fn within_open_type(&mut self, length: Length, inner: Inner<S::Level>, calls: u32) -> Result<(), Error> {
        if length.more {
            self.around = self.calls - calls;
            return self.open_type_in_fragments(length.count, inner);
        }
        let end = self.open_type_end(length.count)?;
        let read = match inner {
            Inner::Value(At { level, index }, node) => {
                self.value(level, index, &Step::new(self.types.code(node), node), calls)
            }
            Inner::Group(group, optional) => {
                let record = self.types.record(group.number);
                self.begin_group(group, optional).and_then(|group| self.all_members(record, group, calls))
            }
        };
        match read {
            Ok(()) => self.close(end),
            Err(error) => self.met(Frame::Open { end }, error),
        }
    }

    #[inline(never)]
    fn choice(&mut self, level: S::Level, index: u32, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        if calls == 0 {
            return self.deep(level, index, node, calls);
        }
        let at = At { level, index };
        let Some((level, alternative, step)) = self.choose(at, node, number)? else {
            let next = self.choose_widely(at, node, number)?;
            return self.instead(next, level, calls);
        };
        match self.value(level, 0, step, calls - 1) {
            Ok(()) => self.sink.end(node, level),
            Err(error) => self.met(Frame::Choice { node, level, alternative }, error),
        }
    }

    #[inline(never)]
    fn array(&mut self, level: S::Level, index: u32, node: NodeId, calls: u32) -> Result<(), Error> {
        // Rows are a level deeper.
        if calls < 2 {
            return self.deep(level, index, node, calls);
        }
        let mut frame = self.begin_array(At { level, index }, node)?;
        let level = frame.level;
        if frame.more {
            self.stack.push(Frame::Array(frame));
            let next = self.components()?;
            return self.instead(next, level, calls);
        }
        let read = match self.types.node(frame.item).kind {
            Kind::Record(number) => self.rows(&mut frame, number, calls - 1),
            _ => {
                let step = Step::new(self.types.code(frame.item), frame.item);
                each(&mut frame, |index| self.value(level, index, &step, calls - 1))
            }
        };
        match read {
            Ok(()) => self.sink.end(node, level),
            Err(error) => self.met(Frame::Array(frame), error),
        }
    }

    /// Reads all components of an array, which are records.
    #[inline(always)]
    fn rows(&mut self, frame: &mut ArrayFrame<S::Level>, number: u32, calls: u32) -> Result<(), Error> {
        let record = self.types.record(number);
        let (level, item) = (frame.level, frame.item);
        if record.flat {
            let read = self.flat_rows(frame, number);
            return read.map_err(|(row, error)| {
                self.trail.extend(row.map(Frame::Record));
                error
            });
        }
        if record.leaf && !S::BITS {
            return each(frame, |index| self.leaf::<true>(level, index, item, record, calls));
        }
        each(frame, |index| self.row(level, index, item, number, calls))
    }

    /// Takes note of what was open when an error was met.
    #[cold]
    #[inline(never)]
    pub(super) fn met(&mut self, frame: Frame<S::Level>, error: Error) -> Result<(), Error> {
        self.trail.push(frame);
        Err(error)
    }
}

/// Reads one component of an array after the other.
#[inline(always)]
fn each<L>(frame: &mut ArrayFrame<L>, mut read: impl FnMut(u32) -> Result<(), Error>) -> Result<(), Error> {
    while frame.next < frame.end {
        let index = frame.next;
        frame.next += 1;
        read(index)?;
    }
    Ok(())
}
