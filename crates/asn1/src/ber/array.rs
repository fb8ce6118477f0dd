//! Reading SEQUENCE OF and SET OF (X.690 clauses 8.10 and 8.12).

use tam::Error;

use super::header::{Header, INDEFINITE, parse};
use super::reader::{Frame, Reader};
use super::span::Span;
use crate::compiled::{Array, Kind, NodeId};
use crate::event::{At, Sink};

/// A SEQUENCE OF or SET OF being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayFrame<L> {
    node: NodeId,
    item: NodeId,
    at: At<L>,
    level: L,
    span: Span,
    /// The next component, and the end of those announced so far.
    pub(super) next: u32,
    end: u32,
    /// Whether all components have been counted.
    counted: bool,
}

impl<S: Sink> Reader<'_, '_, S> {
    pub(super) fn open_array(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        array: &Array,
        header: Header,
    ) -> Result<(), Error> {
        self.constructed(header)?;
        self.check_depth(0)?;
        let span = self.begin(header);
        let (end, counted) = self.count(span);
        if counted {
            self.check_size(node, &array.size, self.start, end.into())?;
        }
        let level = self.sink.array(at, node, end)?;
        self.stack.push(Frame::Array(ArrayFrame { node, item: array.item, at, level, span, next: 0, end, counted }));
        Ok(())
    }

    /// Counts the values from here to the end of what contains them. Returns the number, and whether these are all:
    /// values after one of an indefinite length are not counted, because its end is not known yet. A faulty value
    /// counts as one; reading it reports the error.
    fn count(&self, span: Span) -> (u32, bool) {
        let (mut at, mut count) = (self.at, 0);
        loop {
            if at >= span.end || (span.end == INDEFINITE && self.sees_mark(at)) {
                return (count, true);
            }
            count += 1;
            match parse(self.message, at, self.end) {
                Ok((header, _)) if !header.is_indefinite() => at = header.end,
                _ => return (count, false),
            }
        }
    }

    /// Reads components until one has content of its own, or all have been read.
    pub(super) fn array(&mut self, top: usize) -> Result<(), Error> {
        let types = self.types;
        loop {
            let Some(Frame::Array(frame)) = self.stack.get(top) else { return Ok(()) };
            let (item, level, end) = (frame.item, frame.level, frame.end);
            let mut next = frame.next;
            let described = types.node(item);
            let row = matches!(described.kind, Kind::Record(_));
            while next < end {
                let at = At { level, index: next };
                next += 1;
                if let Some(Frame::Array(frame)) = self.stack.get_mut(top) {
                    frame.next = next;
                }
                let header = self.header()?;
                if !self.may_begin(described, header) {
                    return Err(self.unexpected(header, self.tags_of(item)));
                }
                self.value(at, item, described, header, row)?;
                if self.stack.len() > top + 1 {
                    return Ok(());
                }
            }
            let Some(Frame::Array(frame)) = self.stack.get(top) else { return Ok(()) };
            let frame = *frame;
            if frame.counted {
                self.is_at_end(frame.at, frame.node, frame.span);
                self.sink.end(frame.node, frame.level)?;
                self.stack.truncate(top);
                return Ok(());
            }
            self.count_on(top, frame)?;
        }
    }

    /// Counts the components after one whose end was not known.
    #[inline(never)]
    fn count_on(&mut self, top: usize, frame: ArrayFrame<S::Level>) -> Result<(), Error> {
        let mut frame = frame;
        let (more, counted) = self.count(frame.span);
        frame.counted = counted;
        // There are at most as many as octets.
        frame.end = frame.end.saturating_add(more);
        let mut result = Ok(());
        if let (true, Kind::Array(array)) = (counted, &self.types.node(frame.node).kind) {
            result = self.check_size(frame.node, &array.size, self.at, frame.end.into());
        }
        if more > 0 && result.is_ok() {
            result = self.sink.more(frame.at, frame.node, frame.level, more).map(|level| frame.level = level);
        }
        if result.is_err() {
            // This error is not of any component.
            frame.next = 0;
        }
        if let Some(place) = self.stack.get_mut(top) {
            *place = Frame::Array(frame);
        }
        result
    }
}
