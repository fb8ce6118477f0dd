//! SEQUENCE and SET (X.696 clauses 16 and 18).

use std::ops::Range;

use tam::Error;

use super::Reader;
use crate::compiled::{Addition, NodeId};
use crate::event::{At, Part, Sink};
use crate::path;

/// Members that are being read: those of the root, or of a group of additions.
struct Members<L> {
    number: u32,
    level: L,
    range: Range<u32>,
    /// The bit of the message that says whether the next optional member is present.
    presence: usize,
    /// The start of the record's keys, if members select the types of others.
    keys: Option<usize>,
}

impl<S: Sink> Reader<'_, '_, S> {
    #[inline(never)]
    pub(super) fn record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
        calls: u32,
    ) -> Result<(), Error> {
        let record = self.types.record(number);
        // Rows were counted with their array.
        if record.free && !row {
            self.spend(record.members.len() as u64 + 1)?;
        }
        let keys = if S::KEYS && record.keyed { Some(self.begin_keyed(node, record)?) } else { None };
        let head = self.preamble(u32::from(record.extensible) + record.optional)?;
        let level = if row { self.sink.row(at, node)? } else { self.sink.record(at, node)? };
        let (marker, presence) = (head, head + usize::from(record.extensible));
        if S::BITS {
            let end = presence + record.optional as usize;
            for (part, start, end) in [(Part::Extension, marker, presence), (Part::Presence, presence, end)] {
                if end > start {
                    self.sink.bits(at, node, part, start as u64, end as u64);
                }
            }
        }
        self.members(Members { number, level, range: 0..record.root, presence, keys }, calls)?;
        if record.extensible && self.bit(marker) {
            self.additions(node, number, level, calls)?;
        }
        if let Some(keys) = keys {
            self.keys.end(keys);
        }
        self.sink.end(node, level)
    }

    /// Takes octets of `count` bits, and returns the position of the first bit.
    #[inline(always)]
    fn preamble(&mut self, count: u32) -> Result<usize, Error> {
        Ok(self.take(count.div_ceil(8) as usize)? * 8)
    }

    #[inline(always)]
    pub(super) fn bit(&self, position: usize) -> bool {
        self.message.get(position / 8).is_some_and(|octet| octet << (position % 8) & 0x80 != 0)
    }

    #[inline(always)]
    fn members(&mut self, members: Members<S::Level>, calls: u32) -> Result<(), Error> {
        let Members { number, level, range, mut presence, keys } = members;
        let start = range.start;
        let record = self.types.record(number);
        let steps = record.steps.get(range.start as usize..range.end as usize).unwrap_or_default();
        for (index, step) in (start..).zip(steps) {
            if step.is_optional() {
                presence += 1;
                if !self.bit(presence - 1) {
                    continue;
                }
            }
            if let Some(base) = keys {
                self.keep_keys(record, index, step.node, base);
            }
            if let Err(error) = self.value(At { level, index }, step.node, false, calls) {
                return self.met(path::Step::Member(number, index), error);
            }
        }
        Ok(())
    }

    /// Reads which additions are present (X.696 clause 16.4), then the additions.
    #[inline(never)]
    fn additions(&mut self, node: NodeId, number: u32, level: S::Level, calls: u32) -> Result<(), Error> {
        let at = At { level, index: 0 };
        let octets = self.length(at, node)?;
        let start = self.at;
        let end = self.take(octets)? + octets;
        let unused = match self.message.get(start..end) {
            Some([unused @ 0..=7, rest @ ..]) if !rest.is_empty() || *unused == 0 => usize::from(*unused),
            _ => {
                return Err(self.fault(
                    start,
                    "presence bits without their number of unused bits",
                    "0 to 7 before them",
                ));
            }
        };
        self.report(at, node, Part::Presence, start);
        let bits = (start + 1) * 8..end * 8 - unused;
        let record = self.types.record(number);
        if bits.len() != record.additions.len() {
            self.sink.additions(level, u32::try_from(bits.len()).unwrap_or(u32::MAX));
        }
        for (place, bit) in bits.enumerate() {
            if !self.bit(bit) {
                continue;
            }
            let Some(addition) = record.additions.get(place) else {
                self.pass_over(at, node)?;
                continue;
            };
            let Addition { first, count, group } = *addition;
            let at = At { level, index: first };
            let (read, step) = match (group, record.members.get(first as usize)) {
                (None, Some(member)) => (
                    self.open_type(at, member.node, |reader| reader.value(at, member.node, false, calls)),
                    path::Step::Member(number, first),
                ),
                (group, _) => (
                    self.open_type(at, node, |reader| {
                        let optional = group.unwrap_or_default();
                        let presence = reader.preamble(optional)?;
                        if S::BITS && optional > 0 {
                            let end = presence + optional as usize;
                            reader.sink.bits(at, node, Part::Presence, presence as u64, end as u64);
                        }
                        reader.members(
                            Members { number, level, range: first..first + count, presence, keys: None },
                            calls,
                        )
                    }),
                    path::Step::Nameless,
                ),
            };
            if let Err(error) = read {
                return self.met(step, error);
            }
        }
        Ok(())
    }

    /// Skips an addition of a later version.
    #[inline(never)]
    fn pass_over(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let count = self.length(at, node)?;
        let start = self.take(count)?;
        self.sink.skipped();
        self.report(at, node, Part::Unknown, start);
        Ok(())
    }
}
