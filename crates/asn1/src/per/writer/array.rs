//! SEQUENCE OF and SET OF (X.691 clauses 20 and 22).

use tam::Error;

use super::super::primitive::write_length;
use super::{Writer, run};
use crate::compiled::{Code, Kind, NodeId, Step};
use crate::event::{At, Source};
use crate::path;

/// An array that is being written.
pub(super) struct Components<L> {
    pub(super) node: NodeId,
    pub(super) item: NodeId,
    pub(super) level: L,
    pub(super) total: u32,
    /// The next component.
    pub(super) next: u32,
}

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    #[inline(never)]
    pub(super) fn array(&mut self, level: S::Level, index: u32, node: NodeId, calls: u32) -> Result<(), Error> {
        // Rows are one level deeper.
        if calls == 0 || calls == 1 && self.depth.is_left() {
            return self.deeper(level, index, node, false, calls);
        }
        let Kind::Array(ty) = &self.types.node(node).kind else { return Ok(()) };
        let (total, level) = self.source.array(At { level, index }, node);
        let mut array = Components { node, item: ty.item, level, total, next: 0 };
        let order = match ty.set && self.canonical && total > 1 {
            true => Some(self.order(&mut array, calls - 1)?),
            false => None,
        };
        array.next = 0;
        let (_, mut length) = self.size(node, &ty.size, total.into())?;
        loop {
            let end = array.next + length.count as u32;
            if let Err(error) = self.components(&mut array, end, order.as_deref(), calls - 1) {
                return self.met(path::Step::Item(array.next.saturating_sub(1)), error);
            }
            if !length.more {
                return Ok(());
            }
            length = write_length::<ALIGNED>(u64::from(total - array.next), &mut self.bits);
        }
    }

    /// Writes components up to `end`, in the given order if there is one.
    #[inline(always)]
    fn components(
        &mut self,
        array: &mut Components<S::Level>,
        end: u32,
        order: Option<&[u32]>,
        calls: u32,
    ) -> Result<(), Error> {
        if let Code::Record(number) = self.types.code(array.item)
            && calls > 0
            && order.is_none()
            && let record = self.types.record(number)
            && record.flat
            && !record.defaults
        {
            // Rows are written up to the first invalid one. The general code then writes that row, and reports its
            // error.
            let (source, item, level) = (self.source, array.item, array.level);
            let rows = array.next..end;
            array.next = self.bits.run(|bits| run::rows::<S, ALIGNED>(source, bits, &record.steps, item, level, rows));
        }
        while array.next < end {
            let index = match order {
                Some(order) => order.get(array.next as usize).copied().unwrap_or_default(),
                None => array.next,
            };
            array.next += 1;
            self.component(array, index, calls)?;
        }
        Ok(())
    }

    /// Writes a component.
    #[inline(always)]
    pub(super) fn component(&mut self, array: &Components<S::Level>, index: u32, calls: u32) -> Result<(), Error> {
        let (level, item) = (array.level, array.item);
        match self.types.code(item) {
            Code::Record(number) => self.record::<true>(level, index, item, number, calls),
            _ if !self.source.is_present(At { level, index }, item) => Err(self.missing(array.node, "component")),
            code => self.value(level, index, &Step::new(code, item), calls),
        }
    }
}
