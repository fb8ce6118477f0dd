//! Strings that contain a value (X.682 clause 11).

use std::borrow::Cow;

use tam::Error;

use super::super::bits::BitReader;
use super::super::primitive::{Length, read_length};
use super::Reader;
use crate::EncodingRules;
use crate::compiled::{CONTENT, ContentString, Kind, NodeId, STRING, Size};
use crate::contents::{self, Content, Context};
use crate::event::{At, Sink, Stretch};

/// The octets of a string, before it is known whether they are the encoding of a value.
struct Found<'m> {
    /// Where they start in the message, if they can be read there.
    first: Option<u64>,
    /// The octets, if they can not; those of the message up to the end of the string, if they can.
    octets: Cow<'m, [u8]>,
    bits: u64,
    after: BitReader<'m>,
}

impl<'m, S: Sink, const ALIGNED: bool> Reader<'_, 'm, S, ALIGNED> {
    /// Reads a string that may be the encoding of a value.
    #[inline(never)]
    pub(super) fn containing(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        string: &ContentString,
        (value, own): (NodeId, NodeId),
        calls: u32,
    ) -> Result<(), Error> {
        let (size, unit) = match string.kind {
            Kind::BitString(size, _) => (size, 1),
            Kind::OctetString(size) => (size, 8),
            _ => (Size::ANY, 8),
        };
        let rules = match string.rules {
            Some(rules) => rules.rules,
            None if ALIGNED => EncodingRules::Aper,
            None => EncodingRules::Uper,
        };
        let found = match S::CONTENTS {
            true => Some(self.found(at, node, (&size, unit), rules)?),
            false => None,
        };
        let mut keys = std::mem::take(&mut self.keys);
        let levels = (self.depth.left() + calls).saturating_sub(1);
        let mut context = Context { keys: &mut keys, levels, limits: self.limits, nested: self.nested };
        let found = found
            .filter(|found| contents::is_value::<S>(&found.content(self.lend), self.types, value, rules, &mut context));
        let read = match found {
            None => {
                let level = self.sink.choice(at, node, STRING)?;
                self.simple(At { level, index: 0 }, own)?;
                self.sink.end(node, level)
            }
            Some(found) => {
                let (_, extended) = self.size(at, node, &size)?;
                self.check_size(node, &size, extended, found.bits / unit)?;
                let level = self.sink.choice(at, node, CONTENT)?;
                let octets = self.kept(&found)?;
                self.sink.content_octets((At { level, index: 0 }, value), rules, octets, found.bits)?;
                let (place, content) = ((At { level, index: 0 }, value), found.content(self.lend));
                contents::read(&content, self.types, place, rules, self.sink, &mut context)?;
                self.bits = found.after;
                self.sink.end(node, level)
            }
        };
        self.keys = keys;
        read
    }

    /// Finds the octets of a string. The reader is at its start again afterwards.
    fn found(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        (size, unit): (&Size, u64),
        rules: EncodingRules,
    ) -> Result<Found<'m>, Error> {
        // What is not lent is not reported either.
        let (start, lend) = (self.bits, std::mem::replace(&mut self.lend, false));
        let length = self.size(at, node, size).map(|(length, extended)| {
            // Short strings of a fixed size are not aligned (X.691 clauses 16.9 and 17.6).
            let longest = size.upper.saturating_mul(unit);
            if ALIGNED && length.count > 0 && (extended || size.lower != size.upper || longest > 16) {
                self.bits.align();
            }
            length
        });
        self.lend = lend;
        let found = length.and_then(|length| self.string_octets(length, unit, rules));
        self.bits = start;
        found
    }

    fn string_octets(&mut self, length: Length, unit: u64, rules: EncodingRules) -> Result<Found<'m>, Error> {
        let first = self.bits.position();
        // Unaligned PER begins anywhere, the other rules at a whole octet.
        if !length.more && (first.is_multiple_of(8) || !ALIGNED && rules == EncodingRules::Uper) {
            let bits = length.count.saturating_mul(unit);
            self.bits.skip(bits)?;
            let end = self.bits.position().div_ceil(8) as usize;
            let octets = self.bits.message().get(..end).unwrap_or_default().into();
            return Ok(Found { first: Some(first), octets, bits, after: self.bits });
        }
        let (octets, bits) = self.joined(length, unit)?;
        Ok(Found { first: None, octets: octets.into(), bits, after: self.bits })
    }

    /// Copies a string, which may be in fragments.
    fn joined(&mut self, length: Length, unit: u64) -> Result<(Vec<u8>, u64), Error> {
        let (mut octets, mut bits, mut length) = (Vec::new(), 0, length);
        loop {
            let count = length.count.saturating_mul(unit);
            if let Some(lent) = self.bits.bytes((count / 8) as usize, &mut octets)? {
                octets.extend_from_slice(lent);
            }
            let rest = (count % 8) as u32;
            if rest > 0 {
                octets.push((self.bits.read(rest)? as u8) << (8 - rest));
            }
            bits += count;
            if !length.more {
                return Ok((octets, bits));
            }
            length = read_length::<ALIGNED>(&mut self.bits)?;
        }
    }

    /// The octets of a string, for the sink.
    fn kept(&mut self, found: &Found<'_>) -> Result<Stretch, Error> {
        let len = found.bits.div_ceil(8) as usize;
        match found.first {
            Some(first) if self.lend && first.is_multiple_of(8) => {
                Ok(Stretch::Message { start: (first / 8) as usize, len })
            }
            Some(first) => {
                let after = self.bits;
                self.bits.seek(first);
                let (octets, _) = self.joined(Length { count: found.bits, more: false }, 1)?;
                self.bits = after;
                Ok(self.copied(&octets))
            }
            None => Ok(self.copied(&found.octets)),
        }
    }

    fn copied(&mut self, octets: &[u8]) -> Stretch {
        let buffer = self.sink.buffer();
        let start = buffer.len();
        buffer.extend_from_slice(octets);
        Stretch::Buffer { start }
    }
}

impl Found<'_> {
    fn content(&self, lend: bool) -> Content<'_> {
        let lend = lend && self.first.is_some();
        Content { octets: &self.octets, start: self.first.unwrap_or_default(), bits: self.bits, lend }
    }
}
