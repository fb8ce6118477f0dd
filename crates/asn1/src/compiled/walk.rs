//! Prepares what walks through values need to know about types.

use super::build::Builder;
use super::node::*;
use super::{Compiled, STRING};
use crate::event::Scalar;
use crate::per::Constrained;

/// The most presence bits that are read at once, together with the extension bit.
const PRESENCE: u32 = 56;

impl Builder<'_, '_> {
    /// Computes the least number of bits of each type. For recursive types a few rounds suffice: each gives a lower
    /// bound.
    pub(super) fn count_bits(&mut self) {
        for _ in 0..4 {
            let mut changed = false;
            // Shared parts are computed once.
            let mut records = vec![None; self.out.records.len()];
            let mut choices = vec![None; self.out.choices.len()];
            for number in (0..self.out.nodes.len()).rev() {
                let node = NodeId(number as u32);
                let shared = match self.out.node(node).kind {
                    Kind::Record(number) => records.get_mut(number as usize),
                    Kind::Choice(number) => choices.get_mut(number as usize),
                    _ => None,
                };
                let bits = match shared {
                    Some(shared) => *shared.get_or_insert_with(|| self.out.least_bits(node)),
                    None => self.out.least_bits(node),
                };
                let bits = bits.min(1 << 20) as u32;
                if let Some(node) = self.out.nodes.get_mut(number)
                    && node.min_bits != bits
                {
                    node.min_bits = bits;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }
}

impl Compiled {
    /// The least number of bits of a value, given what is known of the types in it.
    fn least_bits(&self, node: NodeId) -> u64 {
        let of = |node: NodeId| u64::from(self.node(node).min_bits);
        let sized = |size: Size, unit: u64| {
            // A size that PER does not encode, or encodes in at least one bit if others are possible.
            let length_bit = if size.lower == size.upper && !size.extensible { 0 } else { 1 };
            if size.extensible { 1 } else { size.lower.saturating_mul(unit).max(length_bit) }
        };
        match self.node(node).kind {
            Kind::Boolean => 1,
            Kind::Null => 0,
            Kind::Integer(Integer { extensible: true, .. }) => 1,
            Kind::Integer(Integer { range: Range::Constrained(_, constrained), .. }) => constrained.min_bits().into(),
            Kind::Integer(Integer { range: Range::Wide(number), .. }) => self.wide(number).min_bits().into(),
            Kind::Integer(_) => 16,
            Kind::Enumerated(number) => {
                let enumeration = self.enumeration(number);
                if enumeration.extensible { 1 } else { enumeration.index.min_bits().into() }
            }
            Kind::Real => 8,
            Kind::BitString(size, _) => sized(size, 1),
            Kind::OctetString(size) => sized(size, 8),
            Kind::ObjectIdentifier | Kind::RelativeOid => 16,
            Kind::Text(number) => {
                let characters = self.characters(number);
                match (&characters.known_multiplier, &characters.time) {
                    (Some(known), _) => sized(characters.size, known.bits.into()),
                    (None, Some(time)) => time.layout.min_bits().into(),
                    (None, None) => 8,
                }
            }
            Kind::Record(number) => {
                let record = self.record(number);
                let mandatory = record.members.iter().take(record.root as usize);
                let mandatory = mandatory.filter(|member| member.presence == Presence::Mandatory);
                u64::from(record.extensible)
                    + u64::from(record.optional)
                    + mandatory.map(|member| of(member.node)).sum::<u64>()
            }
            Kind::Choice(number) => {
                let choice = self.choice(number);
                let least = choice.alternatives.iter().take(choice.root as usize).map(|one| of(one.node)).min();
                if choice.extensible { 1 } else { least.unwrap_or_default() + u64::from(choice.index.min_bits()) }
            }
            Kind::Open(number) => match self.open(number) {
                open if open.is_string() => open.alternatives.get(STRING as usize).map_or(0, |string| of(*string)),
                // A length, and at least one octet.
                _ => 8,
            },
            Kind::Array(array) => sized(array.size, of(array.item)),
        }
    }
}

impl Compiled {
    /// Arranges what walks need of the members of each record, and of the alternatives of each choice, contiguously.
    pub(super) fn line_up_steps(&mut self) {
        self.codes = (0..self.nodes.len()).map(|number| self.code_of(NodeId(number as u32))).collect();
        let components = |node: NodeId| match self.node(node).kind {
            Kind::Record(number) => Some(self.record(number).members.len() as u32),
            _ => None,
        };
        let width = |node: NodeId| match self.node(node).kind {
            Kind::Array(array) => components(array.item).map_or(0, |columns| columns + 1),
            _ => components(node).unwrap_or_default(),
        };
        self.widths = (0..self.nodes.len()).map(|number| width(NodeId(number as u32))).collect();
        for number in 0..self.records.len() {
            let mut optional = 0;
            let steps = self.record(number as u32).members.iter().rev().map(|member| {
                optional = if member.presence == Presence::Mandatory { 0 } else { optional + 1 };
                Step { optional, ..Step::new(self.code(member.node), member.node) }
            });
            let mut steps: Vec<Step> = steps.collect();
            steps.reverse();
            let root = steps.get(..self.record(number as u32).root as usize).unwrap_or_default();
            let mandatory = root.iter().fold(0, |bits, step| bits << 1 | u64::from(!step.is_optional()));
            let free = root.iter().all(|step| !step.is_optional() && self.node(step.node).min_bits == 0);
            if let Some(record) = self.records.get_mut(number) {
                let numbers = steps.iter().all(|step| matches!(step.code, Code::Scalar(..)));
                record.flat = numbers && !record.extensible && record.optional <= 57;
                record.free = free && !record.extensible;
                record.defaults = record.members.iter().any(|one| matches!(one.presence, Presence::Default(_)));
                record.head = u32::from(record.extensible) + record.optional.min(PRESENCE);
                record.mandatory = mandatory;
                record.steps = steps;
            }
        }
        for number in 0..self.choices.len() {
            let alternatives = &self.choice(number as u32).alternatives;
            let steps = alternatives.iter().map(|one| Step::new(self.code(one.node), one.node)).collect();
            if let Some(choice) = self.choices.get_mut(number) {
                let index = choice.index.short_bits();
                choice.head = index.map_or(0, |bits| u32::from(choice.extensible) + bits);
                choice.steps = steps;
            }
        }
    }

    /// How a type is encoded, if it is one of the few most frequent kinds.
    fn code_of(&self, node: NodeId) -> Code {
        let (lower, range, scalar, extensible) = match self.node(node).kind {
            Kind::Boolean => (0, Constrained::new(1), Scalar::Boolean, false),
            Kind::Integer(Integer { range: Range::Constrained(lower, range), extensible, intervals: None, .. }) => {
                match lower.checked_add_unsigned(range.span) {
                    Some(_) => (lower, range, Scalar::Integer, extensible),
                    None => return Code::Other,
                }
            }
            Kind::Enumerated(number) => {
                let enumeration = self.enumeration(number);
                (0, enumeration.index, Scalar::Enumerated, enumeration.extensible)
            }
            Kind::OctetString(Size { lower: size @ 1..=65_535, upper, extensible: false, intervals: None })
                if size == upper =>
            {
                return Code::Octets(size as u32);
            }
            Kind::BitString(Size { lower: size @ 1..=57, upper, extensible: false, intervals: None }, _)
                if size == upper =>
            {
                return Code::Bits(size as u32);
            }
            Kind::Text(number) if self.characters(number).is_plain_utf8() => return Code::Utf8(number),
            Kind::Text(number) if self.characters(number).plain.is_some() => return Code::Ascii(number),
            Kind::Text(number) if self.characters(number).time.is_some() => return Code::Time(number),
            Kind::Real if self.is_decimal(node) => return Code::Decimal,
            Kind::Record(number) => return Code::Record(number),
            Kind::Choice(number) => return Code::Choice(number),
            Kind::Open(number) => return Code::Open(number),
            Kind::Array(super::Array {
                size: Size { lower: 0, upper: 65_536.., extensible: false, intervals: None },
                ..
            }) => {
                return Code::Array(true);
            }
            Kind::Array(_) => return Code::Array(false),
            _ => return Code::Other,
        };
        match range.span {
            1..0x200_0000_0000_0000 if extensible => Code::Extensible(lower, range, scalar),
            1..0x200_0000_0000_0000 => Code::Scalar(lower, range, scalar),
            _ => Code::Other,
        }
    }
}
