//! Octets and bits: OCTET STRING, BIT STRING, object identifiers (X.691 clauses 16, 17, 24 and 25).

use tam::{Error, Limits, Words};

use super::super::primitive::{Constrained, Length, write_length, write_octets};
use super::Writer;
use crate::compiled::{ContentString, Kind, NodeId, Size};
use crate::event::{At, Source};
use crate::{EncodingRules, Options, contents, equal, oid};

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    pub(super) fn object_identifier(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let source = self.source;
        let octets = source.octets(at, node);
        if !oid::is_valid(octets) {
            return Err(self.refused(node, "octets that are not an object identifier".into()));
        }
        write_octets::<ALIGNED>(octets, &mut self.bits);
        Ok(())
    }

    /// Writes the extension bit of a size, and the size up to the first fragment. Returns whether the size is outside
    /// of its root, and the length of the first fragment.
    #[inline]
    pub(super) fn size(&mut self, node: NodeId, size: &Size, count: u64) -> Result<(bool, Length), Error> {
        let inside = self.types.allows_size(size, count);
        if size.extensible {
            self.bits.bit(!inside);
        } else if !inside {
            return Err(self.refused(node, Words::Own(format!("a size of {count}"))));
        }
        let length = if !inside || size.upper >= 1 << 16 {
            write_length::<ALIGNED>(count, &mut self.bits)
        } else {
            if size.lower != size.upper {
                Constrained::new(size.upper - size.lower).write::<ALIGNED>(count - size.lower, &mut self.bits);
            }
            Length { count, more: false }
        };
        Ok((!inside, length))
    }

    #[inline(never)]
    pub(super) fn octet_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(), Error> {
        let source = self.source;
        self.sized_octets(source.octets(at, node), node, size)
    }

    fn sized_octets(&mut self, octets: &[u8], node: NodeId, size: &Size) -> Result<(), Error> {
        let (extended, mut length) = self.size(node, size, octets.len() as u64)?;
        if ALIGNED && !octets.is_empty() && (extended || size.lower != size.upper || size.upper > 2) {
            self.bits.align();
        }
        let mut rest = octets;
        loop {
            let (now, later) = rest.split_at_checked(length.count as usize).unwrap_or((rest, &[]));
            self.bits.bytes(now);
            rest = later;
            if !length.more {
                return Ok(());
            }
            length = write_length::<ALIGNED>(rest.len() as u64, &mut self.bits);
        }
    }

    #[inline(never)]
    pub(super) fn bit_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size, named: bool) -> Result<(), Error> {
        let source = self.source;
        let (octets, mut count) = source.bit_string(at, node);
        if named {
            // Trailing zeros mean nothing: write as few as the size allows (X.691 clause 16.2).
            count = self.types.least_size(size, equal::significant_bits(octets, count));
        }
        self.sized_bits((octets, count), node, size)
    }

    fn sized_bits(&mut self, (octets, bits): (&[u8], u64), node: NodeId, size: &Size) -> Result<(), Error> {
        let mut count = bits;
        let (extended, mut length) = self.size(node, size, count)?;
        if ALIGNED && count > 0 && (extended || size.lower != size.upper || size.upper > 16) {
            self.bits.align();
        }
        let mut rest = octets;
        loop {
            let stored = length.count.min(rest.len() as u64 * 8);
            self.bits.bits_of(rest, stored);
            for _ in stored..length.count {
                self.bits.bit(false);
            }
            rest = rest.get((length.count / 8) as usize..).unwrap_or_default();
            count -= length.count;
            if !length.more {
                return Ok(());
            }
            length = write_length::<ALIGNED>(count, &mut self.bits);
        }
    }

    /// Writes a string that may contain a value.
    #[inline(never)]
    pub(super) fn containing(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        string: &ContentString,
        (value, own): (NodeId, NodeId),
        calls: u32,
    ) -> Result<(), Error> {
        let source = self.source;
        let chosen @ (_, level) = source.choice(at, node);
        let limits = Limits { depth: (self.depth.left() + calls).saturating_sub(1), ..Limits::DEFAULT };
        let rules = if ALIGNED { EncodingRules::Aper } else { EncodingRules::Uper };
        let around = Options::of(rules).with_canonical(self.canonical).with_limits(limits);
        let Some(octets) = contents::to_write(source, self.types, string, chosen, value, &around) else {
            return self.simple(At { level, index: 0 }, own);
        };
        let octets = octets?;
        let (octets, bits) = octets.bits();
        match &string.kind {
            Kind::BitString(size, _) => self.sized_bits((octets, bits), node, size),
            Kind::OctetString(size) => self.sized_octets(octets, node, size),
            _ => Ok(()),
        }
    }
}
