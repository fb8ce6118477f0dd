//! The first levels of a value, read by calls that are a fixed number deep.

use tam::Error;

use super::super::frame::{Frame, RecordFrame};
use super::super::primitive::Length;
use super::{Inner, Next, Reader};
use crate::compiled::{Code, NodeId, Step};
use crate::event::{At, Sink};

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// Reads a value, and what it holds `calls` levels deep by calls.
    #[inline(always)]
    pub(super) fn value(&mut self, level: S::Level, index: u32, step: &Step, calls: u32) -> Result<(), Error> {
        match step.code {
            Code::Record(number) => self.record(level, index, step.node, number, calls),
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
    fn record(&mut self, level: S::Level, index: u32, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        if calls == 0 {
            return self.deep(level, index, node, calls);
        }
        let frame = self.begin_record(At { level, index }, node, number, false)?;
        self.all_members(frame, calls)
    }

    #[inline(never)]
    fn row(&mut self, level: S::Level, index: u32, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        let frame = self.begin_record(At { level, index }, node, number, true)?;
        self.all_members(frame, calls)
    }

    #[inline(always)]
    fn all_members(&mut self, mut frame: RecordFrame<S::Level>, calls: u32) -> Result<(), Error> {
        let record = self.types.record(frame.number);
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
                self.begin_group(group, optional).and_then(|group| self.all_members(group, calls))
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
        let code = self.types.code(frame.item);
        let step = Step::new(code, frame.item);
        let read = match code {
            Code::Record(number) if self.types.record(number).flat => match self.flat_rows(&mut frame, number) {
                Ok(()) => Ok(()),
                Err((row, error)) => {
                    self.trail.extend(row.map(Frame::Record));
                    Err(error)
                }
            },
            _ => loop {
                let index = frame.next;
                if index == frame.end {
                    break Ok(());
                }
                frame.next += 1;
                let read = match code {
                    Code::Record(number) => self.row(level, index, frame.item, number, calls - 1),
                    _ => self.value(level, index, &step, calls - 1),
                };
                if read.is_err() {
                    break read;
                }
            },
        };
        match read {
            Ok(()) => self.sink.end(node, level),
            Err(error) => self.met(Frame::Array(frame), error),
        }
    }

    /// Takes note of what was open when an error was met.
    #[cold]
    #[inline(never)]
    fn met(&mut self, frame: Frame<S::Level>, error: Error) -> Result<(), Error> {
        self.trail.push(frame);
        Err(error)
    }
}
