//! BOOLEAN, INTEGER, ENUMERATED and REAL (X.691 clauses 12 to 15).

use tam::Error;

use super::super::primitive::{Constrained, read_small, u64_of};
use super::Reader;
use crate::compiled::{Integer as IntegerType, NodeId, Range};
use crate::event::{At, Integer, Part, Scalar, Sink};
use crate::integer::minimal_octets as minimal;
use crate::{integer, real};

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// Reads a number of a range of at most 57 bits, and reports it as its type.
    #[inline]
    pub(super) fn scalar(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        (lower, range, scalar): (i64, Constrained, Scalar),
    ) -> Result<(), Error> {
        let start = self.bits.position();
        let above = range.read_short::<ALIGNED>(&mut self.bits)?;
        self.report(at, node, Part::Value, start);
        self.sink.scalar(at, node, scalar, lower.wrapping_add(above as i64))
    }

    /// Skips the extension bit of a value of the extension root. Returns `false`, and reads nothing, for another value.
    #[inline]
    pub(super) fn in_root(&mut self, at: At<S::Level>, node: NodeId) -> Result<bool, Error> {
        let start = self.bits.position();
        if self.bits.bit()? {
            self.bits.go(start);
            return Ok(false);
        }
        self.report(at, node, Part::Extension, start);
        Ok(true)
    }

    pub(super) fn boolean(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let start = self.bits.position();
        let value = self.bits.bit()?;
        self.report(at, node, Part::Value, start);
        self.sink.boolean(at, node, value)
    }

    #[inline(never)]
    pub(super) fn integer(&mut self, at: At<S::Level>, node: NodeId, ty: &IntegerType) -> Result<(), Error> {
        let extended = self.extension(at, node, ty.extensible)?;
        if let (Range::Constrained(lower, range), false) = (ty.range, extended) {
            let start = self.bits.position();
            let above = range.read::<ALIGNED>(&mut self.bits)?;
            self.report(at, node, Part::Value, start);
            let octets;
            let value = match lower.checked_add_unsigned(above) {
                Some(number) => Integer::Small(number),
                None => {
                    octets = (i128::from(lower) + i128::from(above)).to_be_bytes();
                    Integer::Big(minimal(&octets))
                }
            };
            if ty.intervals.is_some_and(|intervals| !self.types.intervals(intervals).contains(value)) {
                return Err(self.refused(node, integer::words(value)));
            }
            return self.sink.integer(at, node, value);
        }
        self.wide_integer(at, node, ty, extended)
    }

    /// Reads an INTEGER that has a length before it (X.691 clauses 13.2.3 and 13.2.4), or whose bounds do not fit in 64
    /// bits.
    #[inline(never)]
    pub(super) fn wide_integer(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        ty: &IntegerType,
        extended: bool,
    ) -> Result<(), Error> {
        let types = self.types;
        let lower = match ty.range {
            Range::SemiConstrained(lower) if !extended => Some((Integer::Small(lower), None)),
            Range::Wide(number) if !extended => {
                let wide = types.wide(number);
                Some((wide.lower.as_integer(), wide.offset))
            }
            _ => None,
        };
        let mut octets = std::mem::take(&mut self.scratch);
        octets.clear();
        let read = match lower {
            Some((_, Some(offset))) => {
                let start = self.bits.position();
                offset.read::<ALIGNED>(&mut self.bits, &mut octets).map(|()| self.report(at, node, Part::Value, start))
            }
            _ => self.counted_octets(at, node, &mut octets),
        };
        let result = read.and_then(|()| {
            if octets.is_empty() {
                return Err(self.fault("an INTEGER without octets", "one octet or more"));
            }
            let small = match lower {
                Some((Integer::Small(lower), None)) if octets.len() <= 8 => lower.checked_add_unsigned(u64_of(&octets)),
                _ => None,
            };
            if let (Some((lower, _)), None) = (lower, small) {
                // The offset from the lower bound is unsigned.
                octets.insert(0, 0);
                octets = integer::sum(Integer::Big(&octets), lower);
            }
            let value = small.map_or_else(|| integer::of_octets(&octets), Integer::Small);
            if !extended && !types.allows_integer(ty, value) {
                return Err(self.refused(node, integer::words(value)));
            }
            self.sink.integer(at, node, value)
        });
        self.scratch = octets;
        result
    }

    #[inline(never)]
    pub(super) fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let enumeration = types.enumeration(number);
        let extended = self.extension(at, node, enumeration.extensible)?;
        let start = self.bits.position();
        let item = if extended {
            let addition = read_small::<ALIGNED>(&mut self.bits)?;
            u32::try_from(addition).ok().and_then(|addition| addition.checked_add(enumeration.root))
        } else {
            Some(enumeration.index.read::<ALIGNED>(&mut self.bits)? as u32)
        };
        self.report(at, node, Part::Value, start);
        match item {
            Some(item) => self.sink.enumerated(at, node, item),
            None => Err(self.fault("an enumeration beyond 32 bits", "fewer of them")),
        }
    }

    #[inline(never)]
    pub(super) fn real(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        if !S::BITS
            && self.types.is_decimal(node)
            && let Some(start) = self.canonical_decimal()
        {
            return self.sink.decimal(at, node, start);
        }
        let mut octets = std::mem::take(&mut self.scratch);
        let mut text = std::mem::take(&mut self.text);
        octets.clear();
        let read = self.counted_octets(at, node, &mut octets);
        let result = read.and_then(|()| match real::read(&octets, self.types.is_decimal(node), &mut text) {
            Some(value) => self.sink.real(at, node, value),
            None => {
                let (kind, found) = real::fault(&octets);
                let error = Error::new(kind, "per", 0, found, "a REAL (X.690 clause 8.5)");
                Err(error.at_bit(self.bits.position()))
            }
        });
        (self.scratch, self.text) = (octets, text);
        result
    }

    /// Reads a short decimal number in canonical form, which needs no conversion. Returns the start of its text in the
    /// sink's buffer. `None`, and nothing is read, for any other value.
    #[inline(always)]
    fn canonical_decimal(&mut self) -> Option<usize> {
        let mut bits = self.bits;
        if ALIGNED {
            bits.align();
        }
        // The length of so few octets is one octet.
        let octets = bits.peek_octets()?;
        let end = usize::from(octets[0]) + 1;
        let [_, 0x03, text @ ..] = octets.get(..end)? else { return None };
        if !real::is_canonical_by(text, real::no_digits(&octets) >> 2) {
            return None;
        }
        let buffer = self.sink.buffer();
        let start = buffer.len();
        // Eight octets at a time, without a call.
        for eight in octets.as_chunks::<8>().0 {
            buffer.extend_from_slice(eight);
        }
        buffer.truncate(start + end);
        self.bits.go(bits.position() + end as u64 * 8);
        Some(start + 2)
    }
}
