//! INTEGER, ENUMERATED and REAL (X.691 clauses 13 to 15).

use tam::{Error, Words};

use super::super::primitive::{add, signed_octets, write_length, write_small};
use super::Writer;
use crate::compiled::{Integer as IntegerType, NodeId, Range};
use crate::event::{At, Integer, Source};
use crate::integer::minimal_octets as minimal;
use crate::real;

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
        self.counted(&octets);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn integer(&mut self, at: At<S::Level>, node: NodeId, integer: &IntegerType) -> Result<(), Error> {
        let source = self.source;
        let value = source.integer(at, node);
        if let (Range::Constrained(lower, range), Integer::Small(number), None) =
            (integer.range, value, integer.intervals)
            && let Some(above) = i128::from(number).checked_sub(lower).and_then(|above| u64::try_from(above).ok())
            && above <= range.span
        {
            if integer.extensible {
                self.bits.bit(false);
            }
            range.write::<ALIGNED>(above, &mut self.bits);
            return Ok(());
        }
        self.wide_integer(node, integer, value)
    }

    #[inline(never)]
    pub(super) fn wide_integer(
        &mut self,
        node: NodeId,
        integer: &IntegerType,
        value: Integer<'_>,
    ) -> Result<(), Error> {
        let inside = self.types.allows_integer(integer, value);
        if integer.extensible {
            self.bits.bit(!inside);
        } else if !inside {
            return Err(self.refused(node, number_words(value)));
        }
        match (integer.range, value.to_i128()) {
            (Range::Constrained(lower, range), Some(number)) if inside => {
                range.write::<ALIGNED>((number - lower) as u64, &mut self.bits);
            }
            (Range::SemiConstrained(lower), number) if inside => {
                match (number.and_then(|number| number.checked_sub(lower)), value) {
                    (Some(above), _) => self.counted(unsigned(&above.to_be_bytes())),
                    (None, Integer::Small(number)) => self.counted(unsigned(&above(&number.to_be_bytes(), lower))),
                    (None, Integer::Big(octets)) => self.counted(unsigned(&above(octets, lower))),
                }
            }
            _ => match value {
                Integer::Small(number) => {
                    let octets = signed_octets(number);
                    write_length::<ALIGNED>(octets.into(), &mut self.bits);
                    self.bits.write(number as u64 & (u64::MAX >> (64 - 8 * octets)), 8 * octets);
                }
                Integer::Big(octets) => self.counted(minimal(octets)),
            },
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

/// What a number in two's complement is above a bound that it is not below.
#[cold]
fn above(octets: &[u8], lower: i128) -> Vec<u8> {
    let sign = if octets.first().is_some_and(|first| first & 0x80 != 0) { 0xFF } else { 0 };
    // A whole 17 octets are there for the difference, and its sign.
    let mut above = vec![sign; 18usize.saturating_sub(octets.len()).max(1)];
    above.extend_from_slice(octets);
    // No bound is the least number of 128 bits, which stands for none.
    add(&mut above, lower.wrapping_neg());
    above
}

/// An unsigned number without zero octets in front, one octet at the least.
fn unsigned(octets: &[u8]) -> &[u8] {
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    octets.get(zeros.min(octets.len().saturating_sub(1))..).unwrap_or_default()
}

#[cold]
fn number_words(value: Integer<'_>) -> Words {
    match value.to_i128() {
        Some(number) => Words::Own(number.to_string()),
        None => "a number of more than 128 bits".into(),
    }
}
