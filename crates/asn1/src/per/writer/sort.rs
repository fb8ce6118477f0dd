//! The components of SETs OF in the order of their encodings (X.691 clause 22.1).
//!
//! Each component is encoded by itself first, and all of them are put in order and written then. What
//! a SET OF in another finds out of its order is kept, so that it is not sorted again when the outer
//! one is written: a value is encoded once for each SET OF that it is in, and once more.

use tam::Error;

use super::Writer;
use super::array::Components;
use crate::event::Source;
use crate::{equal, path};

/// The orders of SETs OF.
#[derive(Default)]
pub(super) struct Orders {
    /// How many SETs OF are having their components encoded, one in the other.
    sorting: u32,
    /// Of those that come next in what is being written, the last one first. Where it is empty,
    /// nothing is known of them.
    known: Vec<Vec<u32>>,
    /// Of all that have been written in components to be sorted, as they came.
    met: Vec<Vec<u32>>,
}

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    /// The order of the components of a SET OF, of which nothing has been written.
    #[inline(never)]
    pub(super) fn order(&mut self, array: &mut Components<S::Level>, calls: u32) -> Result<Vec<u32>, Error> {
        let order = match self.orders.known.pop() {
            Some(order) => order,
            None => self.sort(array, calls)?,
        };
        if self.orders.sorting > 0 {
            self.orders.met.push(order.clone());
        }
        Ok(order)
    }

    /// Encodes all components, each as if it were a message (X.691 clause 22.1), and puts them in order.
    fn sort(&mut self, array: &mut Components<S::Level>, calls: u32) -> Result<Vec<u32>, Error> {
        let met = self.orders.met.len();
        self.orders.sorting += 1;
        self.begin_open_type();
        // Where each component ends: its octets, and how many orders had been met.
        let mut ends = Vec::with_capacity(array.total as usize);
        for index in 0..array.total {
            if let Err(error) = self.component(array, index, calls) {
                self.trail.push(path::Step::Item(index));
                return Err(error);
            }
            self.bits.align();
            ends.push(((self.bits.position() / 8) as usize, self.orders.met.len()));
        }
        self.orders.sorting -= 1;
        let Some(parked) = self.parked.pop() else { return Ok(Vec::new()) };
        let (mut octets, _) = self.bits.unpark(parked);
        let start = |index: u32| match index.checked_sub(1) {
            Some(before) => ends.get(before as usize).copied().unwrap_or_default(),
            None => (0, met),
        };
        let encoding = |index: u32| {
            let end = ends.get(index as usize).map_or(0, |end| end.0);
            octets.get(start(index).0..end).unwrap_or_default()
        };
        let mut order: Vec<u32> = (0..array.total).collect();
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
        Ok(order)
    }
}
