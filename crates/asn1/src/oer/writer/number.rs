//! INTEGER, ENUMERATED and REAL (X.696 clauses 10 to 12).

use tam::Error;

use super::super::primitive::Width;
use super::Writer;
use crate::compiled::{Float, Integer as IntegerType, NodeId};
use crate::event::{At, Integer, Real, Scalar, Source};
use crate::integer::{self, minimal_octets as minimal, unsigned};
use crate::real;

impl<S: Source> Writer<'_, '_, S> {
    /// Writes a number of a small range.
    #[inline(always)]
    pub(super) fn scalar(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        (lower, span, scalar): (i64, u64, Scalar),
    ) -> Result<(), Error> {
        if scalar == Scalar::Integer
            && let Some(number) = self.source.scalar(at, node, scalar)
            && number.wrapping_sub(lower) as u64 <= span
            && let Width::Unsigned(octets) | Width::Signed(octets) = Width::small(lower, span)
        {
            self.fixed(number as u64, octets);
            return Ok(());
        }
        self.simple(at, node)
    }

    /// Writes the low octets of a number.
    #[inline(always)]
    fn fixed(&mut self, number: u64, octets: usize) {
        match octets {
            1 => self.out.octet(number as u8),
            2 => self.out.octets(&(number as u16).to_be_bytes()),
            4 => self.out.octets(&(number as u32).to_be_bytes()),
            _ => self.out.octets(&number.to_be_bytes()),
        }
    }

    #[inline(never)]
    pub(super) fn integer(&mut self, at: At<S::Level>, node: NodeId, ty: &IntegerType) -> Result<(), Error> {
        let value = self.source.integer(at, node);
        if !ty.extensible && !self.types.allows_integer(ty, value) {
            return Err(self.refused(node, integer::words(value)));
        }
        self.number(Width::of(self.types, ty), value);
        Ok(())
    }

    /// Writes a whole number, which must fit.
    pub(super) fn number(&mut self, width: Width, value: Integer<'_>) {
        let small;
        let octets = match value {
            Integer::Small(number) => {
                small = number.to_be_bytes();
                &small
            }
            Integer::Big(octets) => octets,
        };
        match width {
            Width::Unsigned(count) | Width::Signed(count) => {
                let number = octets.iter().rev().take(8).rev().fold(0, |number, octet| number << 8 | u64::from(*octet));
                self.fixed(number, count);
            }
            Width::AnySigned => self.counted(minimal(octets)),
            Width::AnyUnsigned => self.counted(match unsigned(octets) {
                [] => &[0],
                octets => octets,
            }),
        }
    }

    /// Writes octets after their length.
    pub(super) fn counted(&mut self, octets: &[u8]) {
        let mark = self.out.len();
        self.out.octets(octets);
        self.length(mark);
    }

    #[inline(never)]
    pub(super) fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let source = self.source;
        let enumeration = self.types.enumeration(number);
        let value = match source.unknown(at, node) {
            Some(_) if !enumeration.extensible => {
                return Err(self.refused(node, "an enumeration that it does not have".into()));
            }
            Some(octets) => integer::of_octets(octets),
            None => match enumeration.items.get(source.enumerated(at, node) as usize) {
                Some((_, number)) => number.as_integer(),
                None => return Err(Self::by_other_rules("an enumeration", "one whose number is known")),
            },
        };
        if let Integer::Small(short @ 0..0x80) = value {
            self.out.octet(short as u8);
            return Ok(());
        }
        let mark = self.out.len();
        match value {
            Integer::Small(number) => self.out.number(number),
            Integer::Big(octets) => self.out.octets(minimal(octets)),
        }
        match u8::try_from(self.out.len() - mark) {
            Ok(octets @ ..0x80) => self.out.octet(0x80 | octets),
            _ => return Err(self.refused(node, "an enumeration of more than 127 octets".into())),
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn real(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let source = self.source;
        let real = source.real(at, node);
        match (self.types.float(node), real) {
            (Some(Float::Binary32), Real::Double(double)) => {
                let single = double as f32;
                if f64::from(single) != double && !double.is_nan() {
                    return Err(self.refused(node, tam::Words::Own(double.to_string())));
                }
                self.out.octets(&single.to_be_bytes());
            }
            (Some(Float::Binary64), Real::Double(double)) => self.out.octets(&double.to_be_bytes()),
            (Some(_), Real::Decimal(text)) => return Err(self.refused(node, tam::Words::Own(text.to_owned()))),
            (None, real) => self.counted(&real::write(real, self.types.is_decimal(node))),
        }
        Ok(())
    }
}
