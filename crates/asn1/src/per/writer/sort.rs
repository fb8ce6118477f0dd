//! The components of SETs OF in the order of their encodings (X.691 clause 22.1).
//!
//! Each component is encoded by itself first, and all of them are put in order and written then. What
//! a SET OF in another finds out of its order is kept, so that it is not sorted again when the outer
//! one is written: a value is encoded once for each SET OF that it is in, and once more.

use tam::Error;

use super::super::frame::{ArrayFrame, Frame};
use super::Writer;
use crate::compiled::{Array, Code, Kind, NodeId, Step};
use crate::equal;
use crate::event::{At, Source};

/// The order of an array that is being encoded to be sorted.
pub(super) const SORTING: u32 = u32::MAX;

/// The orders of SETs OF.
#[derive(Default)]
pub(super) struct Orders {
    /// Of those that are open and being written.
    open: Vec<Vec<u32>>,
    /// Of those that come next in what is being written, the last one first. Where it is empty,
    /// nothing is known of them.
    known: Vec<Vec<u32>>,
    /// Of all that have been written in components to be sorted, as they came.
    met: Vec<Vec<u32>>,
}

impl Orders {
    /// The component of an open one that is written at a place.
    pub(super) fn place(&self, number: u32, place: u32) -> u32 {
        let order = self.open.get((number as usize).wrapping_sub(1));
        order.and_then(|order| order.get(place as usize)).copied().unwrap_or_default()
    }

    /// The innermost open one has been written.
    pub(super) fn close(&mut self) {
        self.open.pop();
    }
}

/// A SET OF whose components are being encoded.
pub(super) struct Sorting {
    /// Where each component ends: its octets, and how many orders had been met.
    ends: Vec<(usize, usize)>,
    /// How many orders had been met before it.
    met: usize,
}

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    /// Begins a SET OF of several components: with their order, if that is known.
    pub(super) fn open_sorted(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        array: &Array,
        level: S::Level,
        total: u32,
    ) -> Result<(), Error> {
        if let Some(order) = self.orders.known.pop() {
            return self.open_in_order(at, node, array, level, order);
        }
        let (item, end, order) = (array.item, total, SORTING);
        self.enter(Frame::Array(ArrayFrame {
            node,
            item,
            at,
            level,
            next: 0,
            end,
            more: false,
            extended: false,
            total,
            order,
        }))?;
        self.sorting.push(Sorting { ends: Vec::with_capacity(total as usize), met: self.orders.met.len() });
        self.begin_open_type();
        Ok(())
    }

    fn open_in_order(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        array: &Array,
        level: S::Level,
        order: Vec<u32>,
    ) -> Result<(), Error> {
        let frame = self.begin_array(at, node, array, level, order.len() as u32)?;
        if !self.sorting.is_empty() {
            self.orders.met.push(order.clone());
        }
        self.orders.open.push(order);
        let order = self.orders.open.len() as u32;
        self.enter(Frame::Array(ArrayFrame { order, ..frame }))
    }

    /// Goes on encoding components to be sorted; once all are, puts them in order and opens the SET OF
    /// to write them.
    pub(super) fn sort(&mut self, mut frame: ArrayFrame<S::Level>) -> Result<(), Error> {
        let code = self.types.code(frame.item);
        loop {
            if frame.next > 0
                && let Some(sorting) = self.sorting.last_mut()
            {
                // Each is encoded as if it were a message (X.691 clause 22.1): up to a whole octet.
                self.bits.align();
                sorting.ends.push(((self.bits.position() / 8) as usize, self.orders.met.len()));
            }
            if frame.next == frame.end {
                return self.end_sorting(&frame);
            }
            let at = At { level: frame.level, index: frame.next };
            frame.next += 1;
            self.stack.push(Frame::Array(frame));
            if let Code::Record(number) = code {
                self.check_depth()?;
                let row = self.begin_record(at, frame.item, number, true)?;
                return self.record(row);
            }
            if !self.source.is_present(at, frame.item) {
                return Err(self.missing(frame.node, "component"));
            }
            if matches!(code, Code::Choice(_) | Code::Array(_)) {
                return self.open(at, frame.item, false);
            }
            self.coded(at, &Step::new(code, frame.item))?;
            self.stack.pop();
        }
    }

    fn end_sorting(&mut self, frame: &ArrayFrame<S::Level>) -> Result<(), Error> {
        let (Some(Sorting { ends, met }), Some(parked)) = (self.sorting.pop(), self.parked.pop()) else {
            return Ok(());
        };
        let (mut octets, _) = self.bits.unpark(parked);
        let start = |index: u32| match index.checked_sub(1) {
            Some(before) => ends.get(before as usize).copied().unwrap_or_default(),
            None => (0, met),
        };
        let encoding = |index: u32| {
            let end = ends.get(index as usize).map_or(0, |end| end.0);
            octets.get(start(index).0..end).unwrap_or_default()
        };
        let mut order: Vec<u32> = (0..frame.total).collect();
        // Zero octets behind the shorter one do not make them differ.
        order.sort_by(|one, other| equal::padded_order(encoding(*one), encoding(*other)));
        // What has been met in the components comes again as these are written.
        for index in order.iter().rev() {
            let end = ends.get(*index as usize).map_or(met, |end| end.1);
            let inner = self.orders.met.get_mut(start(*index).1..end).unwrap_or_default();
            self.orders.known.extend(inner.iter_mut().rev().map(std::mem::take));
        }
        self.orders.met.truncate(met);
        octets.clear();
        self.spare = octets;
        match self.types.node(frame.node).kind {
            Kind::Array(array) => self.open_in_order(frame.at, frame.node, &array, frame.level, order),
            _ => Ok(()),
        }
    }
}
