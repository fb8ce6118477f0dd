//! SEQUENCE OF and SET OF (X.696 clauses 17 and 19).

use tam::Error;

use super::{FREE, Reader};
use crate::compiled::{Array, Kind, NodeId, Size};
use crate::event::{At, Part, Sink};
use crate::path;

impl<S: Sink> Reader<'_, '_, S> {
    #[inline(never)]
    pub(super) fn array(&mut self, at: At<S::Level>, node: NodeId, calls: u32) -> Result<(), Error> {
        let array = match self.types.node(node).kind {
            Kind::Array(array) => array,
            _ => Array { item: node, size: Size::ANY, set: false, nullable: false, name: u32::MAX },
        };
        let total = self.quantity(at, node)?;
        self.check_size(node, &array.size, total)?;
        let total = self.backed(array.item, total)?;
        let level = self.sink.array(at, node, total)?;
        for index in 0..total {
            if let Err(error) = self.value(At { level, index }, array.item, true, calls) {
                return self.met(path::Step::Item(index), error);
            }
        }
        self.sink.end(node, level)
    }

    /// Reads the number of components (X.696 clause 17.2).
    #[inline(always)]
    fn quantity(&mut self, at: At<S::Level>, node: NodeId) -> Result<u64, Error> {
        let start = self.at;
        let count = match self.octet()? {
            short @ ..0x80 => usize::from(short),
            long => self.long_length(long)?,
        };
        let octets = self.octets(count)?;
        if octets.is_empty() {
            return Err(self.fault(start, "a number of no octets", "one octet or more"));
        }
        self.report(at, node, Part::Length, start);
        Ok(octets.iter().fold(0, |count: u64, octet| count.saturating_mul(256) | u64::from(*octet)))
    }

    /// Checks that the message can hold `count` components, and that `count` fits in 32 bits.
    fn backed(&mut self, item: NodeId, count: u64) -> Result<u32, Error> {
        let types = self.types;
        // No value takes fewer bits than in PER.
        let least = u64::from(types.node(item).min_bits);
        if least == 0 {
            let values = match types.node(item).kind {
                Kind::Record(number) => types.record(number).members.len() as u64 + 1,
                _ => 1,
            };
            self.spend(count.saturating_mul(values))?;
        } else {
            let needed = count.saturating_mul(least).div_ceil(8);
            if needed > (self.end - self.at) as u64 {
                return Err(self.short(usize::try_from(needed).unwrap_or(usize::MAX)));
            }
        }
        u32::try_from(count).map_err(|_| Error::limit("oer", self.at as u64, "more values", "units", u32::MAX.into()))
    }

    /// Counts values that take no octets.
    pub(super) fn spend(&mut self, count: u64) -> Result<(), Error> {
        match self.free.checked_sub(count) {
            Some(left) => {
                self.free = left;
                Ok(())
            }
            None => Err(Error::limit("oer", self.at as u64, "more values that take no octets", "units", FREE)),
        }
    }
}
