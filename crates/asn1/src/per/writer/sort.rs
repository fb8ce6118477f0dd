//! The components of SETs OF in the order of their encodings (X.691 clause 22.1).
//!
//! Each component is first encoded by itself; then all are sorted and written. The order found for a SET OF inside
//! another is kept, so that it is not sorted again when the outer one is written. A value is encoded once for each SET
//! OF around it, and once more.

use tam::Error;

use super::Writer;
use super::array::Components;
use crate::event::Source;
use crate::{equal, path};

/// The orders of SETs OF.
#[derive(Default)]
pub(super) struct Orders {
    /// The number of nested SETs OF whose components are being encoded.
    sorting: u32,
    /// The orders of the next SETs OF to be written, last one first. If it is empty, none are known.
    known: Vec<Vec<u32>>,
    /// The orders of all SETs OF written inside components that are being sorted, in order of writing.
    met: Vec<Vec<u32>>,
}

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    /// The order of the components of a SET OF, before any is written.
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

    /// Encodes all components, each as a message of its own (X.691 clause 22.1), and sorts them.
    fn sort(&mut self, array: &mut Components<S::Level>, calls: u32) -> Result<Vec<u32>, Error> {
        let met = self.orders.met.len();
        self.orders.sorting += 1;
        self.begin_open_type();
        // The end of each component: its octets, and the number of orders found so far.
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
        // Encodings that differ only in trailing zero octets are equal.
        order.sort_by(|one, other| equal::padded_order(encoding(*one), encoding(*other)));
        // The orders found in the components apply again when these are written.
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
