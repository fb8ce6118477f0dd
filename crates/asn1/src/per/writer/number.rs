//! INTEGER, ENUMERATED and REAL (X.691 clauses 13 to 15).

use tam::Error;

use super::super::primitive::{Offset, signed_octets, write_length, write_octets, write_small};
use super::Writer;
use crate::compiled::{Integer as IntegerType, NodeId, Range};
use crate::event::{At, Integer, Source};
use crate::integer::{minimal_octets as minimal, unsigned};
use crate::{integer, real};

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    pub(super) fn real(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        if let Some(text) = self.source.decimal_octets(at, node)
            && real::is_canonical(text)
        {
            write_length::<ALIGNED>(text.len() as u64 + 1, &mut self.bits);
            self.bits.write(0x03, 8);
            self.bits.bytes(text);
            return Ok(());
        }
        let octets = real::write(self.source.real(at, node), self.types.is_decimal(node));
        write_octets::<ALIGNED>(&octets, &mut self.bits);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn integer(&mut self, at: At<S::Level>, node: NodeId, ty: &IntegerType) -> Result<(), Error> {
        let source = self.source;
        let value = source.integer(at, node);
        if let (Range::Constrained(lower, range), Integer::Small(number), None) = (ty.range, value, ty.intervals)
            && number >= lower
            && number.abs_diff(lower) <= range.span
        {
            if ty.extensible {
                self.bits.bit(false);
            }
            range.write::<ALIGNED>(number.abs_diff(lower), &mut self.bits);
            return Ok(());
        }
        self.wide_integer(node, ty, value)
    }

    #[inline(never)]
    pub(super) fn wide_integer(&mut self, node: NodeId, ty: &IntegerType, value: Integer<'_>) -> Result<(), Error> {
        let types = self.types;
        let inside = types.allows_integer(ty, value);
        if ty.extensible {
            self.bits.bit(!inside);
        } else if !inside {
            return Err(self.refused(node, integer::words(value)));
        }
        let (lower, offset) = match ty.range {
            Range::Constrained(lower, range) if inside => (Integer::Small(lower), Some(Offset::Short(range))),
            Range::SemiConstrained(lower) if inside => (Integer::Small(lower), None),
            Range::Wide(number) if inside => {
                let wide = types.wide(number);
                (wide.lower.as_integer(), wide.offset)
            }
            _ => {
                match value {
                    Integer::Small(number) => {
                        let octets = signed_octets(number);
                        write_length::<ALIGNED>(octets.into(), &mut self.bits);
                        self.bits.write(number as u64 & (u64::MAX >> (64 - 8 * octets)), 8 * octets);
                    }
                    Integer::Big(octets) => write_octets::<ALIGNED>(minimal(octets), &mut self.bits),
                }
                return Ok(());
            }
        };
        if let (Integer::Small(number), Integer::Small(lower)) = (value, lower) {
            let above = number.abs_diff(lower);
            match offset {
                Some(Offset::Short(range)) => {
                    range.write::<ALIGNED>(above, &mut self.bits);
                    return Ok(());
                }
                None => {
                    write_octets::<ALIGNED>(unsigned(&above.to_be_bytes()), &mut self.bits);
                    return Ok(());
                }
                Some(Offset::Long(_)) => {}
            }
        }
        let above = integer::difference(value, lower);
        match offset {
            Some(offset) => offset.write::<ALIGNED>(&above, &mut self.bits),
            None => write_octets::<ALIGNED>(unsigned(&above), &mut self.bits),
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let enumeration = types.enumeration(number);
        let item = self.source.enumerated(at, node);
        let addition = item.checked_sub(enumeration.root);
        if addition.is_some() && !enumeration.extensible {
            return Err(self.refused(node, "an enumeration that it does not have".into()));
        }
        if self.source.unknown(at, node).is_some() {
            return Err(Self::by_other_rules("an enumeration"));
        }
        if enumeration.extensible {
            self.bits.bit(addition.is_some());
        }
        match addition {
            Some(addition) => write_small::<ALIGNED>(addition.into(), &mut self.bits),
            None => enumeration.index.write::<ALIGNED>(item.into(), &mut self.bits),
        }
        Ok(())
    }
}
