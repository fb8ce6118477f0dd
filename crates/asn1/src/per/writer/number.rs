//! INTEGER, ENUMERATED and REAL (X.691 clauses 13 to 15).

use tam::{Error, ErrorKind, Words};

use super::super::primitive::{signed_octets, write_length, write_small};
use super::Writer;
use crate::compiled::value::minimal_octets as minimal;
use crate::compiled::{Integer as IntegerType, NodeId, Range};
use crate::event::{At, Integer, Source};
use crate::real;

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    pub(super) fn real(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let octets = real::write(self.source.real(at, node));
        self.counted(&octets);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn integer(&mut self, at: At<S::Level>, node: NodeId, integer: &IntegerType) -> Result<(), Error> {
        let source = self.source;
        let value = source.integer(at, node);
        if let (Range::Constrained(lower, range), Integer::Small(number), None) =
            (integer.range, value, integer.intervals)
            && let Ok(above) = u64::try_from(i128::from(number) - lower)
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
            (Range::SemiConstrained(lower), Some(number)) if inside => match number.checked_sub(lower) {
                Some(above) => {
                    let octets = above.to_be_bytes();
                    let zeros = octets.iter().take_while(|octet| **octet == 0).count().min(15);
                    self.counted(octets.get(zeros..).unwrap_or_default());
                }
                None => return Err(self.too_wide(node)),
            },
            (Range::SemiConstrained(_), None) if inside => return Err(self.too_wide(node)),
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

    #[cold]
    pub(super) fn too_wide(&self, node: NodeId) -> Error {
        let expected = format!("a number of {} within 128 bits", self.types.node(node).name);
        Error::new(ErrorKind::Unsupported, "per", 0, "a larger number", expected)
    }

    #[inline(never)]
    pub(super) fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let enumeration = types.enumeration(number);
        let item = self.source.enumerated(at, node);
        let addition = item.checked_sub(enumeration.root);
        if self.source.unknown(at, node).is_some() || (addition.is_some() && !enumeration.extensible) {
            return Err(self.refused(node, "an enumeration that PER cannot tell".into()));
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

#[cold]
fn number_words(value: Integer<'_>) -> Words {
    match value.to_i128() {
        Some(number) => Words::Own(number.to_string()),
        None => "a number of more than 128 bits".into(),
    }
}
