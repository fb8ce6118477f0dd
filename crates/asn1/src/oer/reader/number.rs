//! BOOLEAN, INTEGER, ENUMERATED and REAL (X.696 clauses 9 to 12).

use tam::Error;

use super::super::primitive::Width;
use super::Reader;
use crate::compiled::{Float, Integer as IntegerType, NodeId};
use crate::event::{At, Integer, Part, Real, Scalar, Sink};
use crate::integer::{self, compare, unsigned};
use crate::real;

impl<'m, S: Sink> Reader<'_, 'm, S> {
    /// Reads a number of a small range, and reports it as its type.
    #[inline(always)]
    pub(super) fn scalar(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        (lower, span, scalar): (i64, u64, Scalar),
    ) -> Result<(), Error> {
        match scalar {
            Scalar::Integer => {
                let start = self.at;
                let number = match Width::small(lower, span) {
                    Width::Unsigned(octets) => self.unsigned(octets)? as i64,
                    Width::Signed(octets) => self.signed(octets)?,
                    Width::AnyUnsigned | Width::AnySigned => return self.simple(at, node),
                };
                self.report(at, node, Part::Value, start);
                if number.wrapping_sub(lower) as u64 > span {
                    return Err(self.refused(node, integer::words(Integer::Small(number))));
                }
                self.sink.integer(at, node, Integer::Small(number))
            }
            Scalar::Boolean => self.boolean(at, node),
            Scalar::Enumerated => self.simple(at, node),
        }
    }

    #[inline(always)]
    fn unsigned(&mut self, octets: usize) -> Result<u64, Error> {
        Ok(self.octets(octets)?.iter().fold(0, |number, octet| number << 8 | u64::from(*octet)))
    }

    #[inline(always)]
    fn signed(&mut self, octets: usize) -> Result<i64, Error> {
        let unused = 64 - 8 * octets as u32;
        Ok((self.unsigned(octets)? << unused) as i64 >> unused)
    }

    pub(super) fn boolean(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let octet = self.octet()?;
        self.report(at, node, Part::Value, self.at - 1);
        self.sink.boolean(at, node, octet != 0)
    }

    #[inline(never)]
    pub(super) fn integer(&mut self, at: At<S::Level>, node: NodeId, ty: &IntegerType) -> Result<(), Error> {
        self.number(at, node, Width::of(self.types, ty), |reader, value| {
            if !ty.extensible && !reader.types.allows_integer(ty, value) {
                return Err(reader.refused(node, integer::words(value)));
            }
            reader.sink.integer(at, node, value)
        })
    }

    /// Reads a whole number, and passes it on.
    pub(super) fn number<T>(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        width: Width,
        pass: impl FnOnce(&mut Self, Integer<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let start = self.at;
        let with_sign;
        let value = match width {
            Width::Signed(octets) => Integer::Small(self.signed(octets)?),
            Width::Unsigned(octets) => {
                with_sign = i128::from(self.unsigned(octets)?).to_be_bytes();
                integer::of_octets(&with_sign)
            }
            Width::AnySigned => {
                let value = integer::of_octets(self.counted_number(at, node)?);
                return pass(self, value);
            }
            Width::AnyUnsigned => {
                let octets = unsigned(self.counted_number(at, node)?);
                // Few octets need no allocation.
                if let 0..=7 = octets.len() {
                    let number = octets.iter().fold(0, |number, octet| number << 8 | i64::from(*octet));
                    return pass(self, Integer::Small(number));
                }
                return pass(self, integer::of_octets(&[&[0], octets].concat()));
            }
        };
        self.report(at, node, Part::Value, start);
        pass(self, value)
    }

    /// The octets of a number after their length.
    fn counted_number(&mut self, at: At<S::Level>, node: NodeId) -> Result<&'m [u8], Error> {
        let start = self.at;
        let count = self.length(at, node)?;
        if count == 0 {
            return Err(self.fault(start, "a number of no octets", "one octet or more"));
        }
        let octets = self.octets(count)?;
        self.report(at, node, Part::Value, self.at - count);
        Ok(octets)
    }

    #[inline(never)]
    pub(super) fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let enumeration = self.types.enumeration(number);
        let start = self.at;
        let (value, first) = match self.octet()? {
            short @ ..0x80 => (Integer::Small(short.into()), start),
            0x80 => return Err(self.fault(start, "a number of no octets", "one octet or more")),
            long => {
                let count = usize::from(long & 0x7F);
                (integer::of_octets(self.octets(count)?), start + 1)
            }
        };
        self.report(at, node, Part::Value, start);
        let by_number = &enumeration.by_number;
        let place = by_number.binary_search_by(|(own, _)| compare(own.as_integer(), value)).ok();
        match place.and_then(|place| by_number.get(place)) {
            Some((_, item)) => self.sink.enumerated(at, node, *item),
            None if enumeration.extensible => {
                let octets = self.lent(first, self.at - first);
                self.sink.unknown(at, node, octets)
            }
            None => Err(self.refused(node, integer::words(value))),
        }
    }

    #[inline(never)]
    pub(super) fn real(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let start = self.at;
        if let Some(float) = self.types.float(node) {
            let double = match float {
                Float::Binary32 => f32::from_bits(self.unsigned(4)? as u32).into(),
                Float::Binary64 => f64::from_bits(self.unsigned(8)?),
            };
            self.report(at, node, Part::Value, start);
            return self.sink.real(at, node, Real::Double(double));
        }
        let count = self.length(at, node)?;
        let octets = self.octets(count)?;
        self.report(at, node, Part::Value, self.at - count);
        let mut text = std::mem::take(&mut self.text);
        let result = match real::read(octets, self.types.is_decimal(node), &mut text) {
            Some(value) => self.sink.real(at, node, value),
            None => {
                let (kind, found) = real::fault(octets);
                Err(Error::new(kind, "oer", start as u64, found, "a REAL (X.690 clause 8.5)"))
            }
        };
        self.text = text;
        result
    }
}
