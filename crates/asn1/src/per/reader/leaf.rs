//! Records that hold no others, which most records of a message are.

use tam::Error;

use super::super::bits::BitReader;
use super::Reader;
use crate::compiled::{Code, NodeId, Record};
use crate::event::{At, Sink};
use crate::path;

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// Reads a record of nothing but values that hold no others, by `calls` levels of calls where it has additions.
    // What it takes but for these is what registers hold.
    #[inline(never)]
    pub(super) fn leaf<const ROW: bool>(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        record: &Record,
        calls: u32,
    ) -> Result<(), Error> {
        let at = At { level, index };
        let mut bits = self.bits;
        let mut presence = match record.head {
            0 => 0,
            head => bits.read_short(head)? << (64 - head),
        };
        if record.extensible {
            if presence >> 63 != 0 {
                let number = self.number_of(node);
                return match ROW {
                    true => self.row(level, index, node, number, calls),
                    false => self.record(level, index, node, number, calls),
                };
            }
            presence <<= 1;
        }
        let told = if ROW { self.sink.row(at, node) } else { self.sink.record(at, node) };
        let level = match told {
            Ok(level) => level,
            Err(error) => {
                self.bits.go(bits.position());
                return Err(error);
            }
        };
        let steps = record.steps.get(..record.root as usize).unwrap_or_default();
        let mut next = 0;
        let error = loop {
            let Some(step) = steps.get(next as usize) else {
                self.bits.go(bits.position());
                return self.sink.end(node, level);
            };
            if step.is_optional() {
                let absent = presence.leading_zeros().min(step.optional);
                if absent > 0 {
                    // The head has fewer than 64 of them.
                    presence <<= absent;
                    next += absent;
                    continue;
                }
                presence <<= 1;
            }
            let at = At { level, index: next };
            next += 1;
            let told = match step.code {
                Code::Scalar(lower, range, scalar) => range
                    .read_short::<ALIGNED>(&mut bits)
                    .and_then(|above| self.sink.scalar(at, step.node, scalar, lower.wrapping_add(above as i64))),
                Code::Extensible(lower, range, scalar) => match self.in_root_at_once(&mut bits, at, step.node, range) {
                    Some(above) => self.sink.scalar(at, step.node, scalar, lower.wrapping_add(above as i64)),
                    None => self.aside(&mut bits, |reader| reader.coded(level, at.index, step)),
                },
                Code::Utf8(number) => match self.short_utf8(&mut bits, at, step.node) {
                    Some(told) => told,
                    None => self.aside(&mut bits, |reader| reader.long_utf8(at, step.node, number)),
                },
                _ => self.aside(&mut bits, |reader| reader.coded(level, at.index, step)),
            };
            if let Err(error) = told {
                break error;
            }
        };
        self.bits.go(bits.position());
        self.met(path::Step::before(self.number_of(node), next), error)
    }

    /// Reads a value by a call, from where `bits` are.
    #[inline(always)]
    fn aside(
        &mut self,
        bits: &mut BitReader<'_>,
        read: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.bits.go(bits.position());
        let told = read(self);
        bits.go(self.bits.position());
        told
    }

    #[cold]
    fn number_of(&self, node: NodeId) -> u32 {
        match self.types.code(node) {
            Code::Record(number) => number,
            _ => u32::MAX,
        }
    }
}
