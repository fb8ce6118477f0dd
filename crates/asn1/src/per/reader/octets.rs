//! Octets and bits: OCTET STRING, BIT STRING, object identifiers (X.691 clauses 16, 17, 24 and 25).

use tam::{Error, Words};

use super::super::primitive::{Constrained, Length, read_length};
use super::Reader;
use crate::compiled::{NodeId, Size};
use crate::event::{At, Part, Sink, Stretch};
use crate::oid;

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    #[inline(never)]
    pub(super) fn object_identifier(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let octets = self.counted(at, node)?;
        let valid = match octets {
            Stretch::Message { start, len } => self.bits.message().get(start..start + len).is_some_and(oid::is_valid),
            Stretch::Buffer { start } => self.sink.buffer().get(start..).is_some_and(oid::is_valid),
        };
        if !valid {
            return Err(self.fault("octets that are not an object identifier", "arcs (X.690 clause 8.19)"));
        }
        self.sink.octets(at, node, octets)
    }

    /// Gathers the octets after an unconstrained length.
    pub(super) fn counted_octets(&mut self, at: At<S::Level>, node: NodeId, octets: &mut Vec<u8>) -> Result<(), Error> {
        loop {
            let start = self.bits.position();
            let Length { count, more } = read_length::<ALIGNED>(&mut self.bits)?;
            self.report(at, node, Part::Length, start);
            let start = self.bits.position();
            if let Some(lent) = self.bits.bytes(count as usize, octets)? {
                octets.extend_from_slice(lent);
            }
            self.report(at, node, Part::Value, start);
            if !more {
                return Ok(());
            }
        }
    }

    /// Reads the octets after an unconstrained length without copying them, if possible.
    pub(super) fn counted(&mut self, at: At<S::Level>, node: NodeId) -> Result<Stretch, Error> {
        let start = self.bits.position();
        let Length { count, more } = read_length::<ALIGNED>(&mut self.bits)?;
        self.report(at, node, Part::Length, start);
        if !more {
            return self.octets_here(at, node, count);
        }
        self.fragments(at, node, count)
    }

    /// Reads `count` octets at the current position: lends them from the message, or copies them to the sink's buffer.
    #[inline]
    pub(super) fn octets_here(&mut self, at: At<S::Level>, node: NodeId, count: u64) -> Result<Stretch, Error> {
        let first = self.bits.position();
        let start = self.sink.buffer().len();
        let stretch = match self.bits.bytes(count as usize, self.sink.buffer())? {
            Some(lent) if !self.lend => {
                self.sink.buffer().extend_from_slice(lent);
                Stretch::Buffer { start }
            }
            Some(lent) => Stretch::Message { start: (first / 8) as usize, len: lent.len() },
            None => Stretch::Buffer { start },
        };
        self.report(at, node, Part::Value, first);
        Ok(stretch)
    }

    /// Reads octets in fragments; the first one has `count`.
    #[inline(never)]
    pub(super) fn fragments(&mut self, at: At<S::Level>, node: NodeId, count: u64) -> Result<Stretch, Error> {
        let start = self.sink.buffer().len();
        let mut length = Length { count, more: true };
        loop {
            let first = self.bits.position();
            if let Some(lent) = self.bits.bytes(length.count as usize, self.sink.buffer())? {
                self.sink.buffer().extend_from_slice(lent);
            }
            self.report(at, node, Part::Value, first);
            if !length.more {
                return Ok(Stretch::Buffer { start });
            }
            let first = self.bits.position();
            length = read_length::<ALIGNED>(&mut self.bits)?;
            self.report(at, node, Part::Length, first);
        }
    }

    /// Reads the size of a string or an array, up to the first fragment; `more` means that another follows.
    #[inline(always)]
    pub(super) fn size(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(Length, bool), Error> {
        let extended = self.extension(at, node, size.extensible)?;
        let start = self.bits.position();
        let length = if extended || size.upper >= 1 << 16 {
            read_length::<ALIGNED>(&mut self.bits)?
        } else if size.lower == size.upper {
            Length { count: size.lower, more: false }
        } else {
            let above = Constrained::new(size.upper - size.lower).read::<ALIGNED>(&mut self.bits)?;
            Length { count: size.lower + above, more: false }
        };
        self.report(at, node, Part::Length, start);
        Ok((length, extended))
    }

    /// Checks a size, all fragments together, against its constraint.
    #[inline(always)]
    pub(super) fn check_size(&self, node: NodeId, size: &Size, extended: bool, count: u64) -> Result<(), Error> {
        if extended || self.types.allows_size(size, count) {
            return Ok(());
        }
        Err(self.refused(node, Words::Own(format!("a size of {count}"))))
    }

    /// An OCTET STRING of a fixed size.
    #[inline(always)]
    pub(super) fn fixed_octets(&mut self, at: At<S::Level>, node: NodeId, count: u32) -> Result<(), Error> {
        // Strings of one or two octets are not aligned (X.691 clause 17.6).
        if ALIGNED && count > 2 {
            self.bits.align();
        }
        // A few octets that start within an octet are read as one field.
        if count < 8 && self.bits.position() & 7 != 0 {
            let octets = self.field_of_octets(at, node, count * 8)?;
            return self.sink.octets(at, node, octets);
        }
        let octets = self.octets_here(at, node, count.into())?;
        self.sink.octets(at, node, octets)
    }

    /// Reads a field of 1 to 57 bits into the sink's buffer, as octets.
    #[inline(always)]
    fn field_of_octets(&mut self, at: At<S::Level>, node: NodeId, count: u32) -> Result<Stretch, Error> {
        let first = self.bits.position();
        let field = self.bits.read_short(count)? << (64 - count);
        self.report(at, node, Part::Value, first);
        let buffer = self.sink.buffer();
        let start = buffer.len();
        // Copying eight octets and truncating is faster than copying the exact number.
        buffer.extend_from_slice(&field.to_be_bytes());
        buffer.truncate(start + count.div_ceil(8) as usize);
        Ok(Stretch::Buffer { start })
    }

    /// A BIT STRING of a fixed size of 1 to 57 bits.
    #[inline(always)]
    pub(super) fn fixed_bits(&mut self, at: At<S::Level>, node: NodeId, count: u32) -> Result<(), Error> {
        // Strings of up to 16 bits are not aligned (X.691 clause 16.9).
        if ALIGNED && count > 16 {
            self.bits.align();
        }
        let octets = self.field_of_octets(at, node, count)?;
        self.sink.bit_string(at, node, octets, count.into())
    }

    #[inline(never)]
    pub(super) fn octet_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(), Error> {
        let (length, extended) = self.size(at, node, size)?;
        // Strings of a fixed size of one or two octets are not aligned (X.691 clause 17.6).
        if ALIGNED && length.count > 0 && (extended || size.lower != size.upper || size.upper > 2) {
            self.bits.align();
        }
        let octets = if length.more {
            let octets = self.fragments(at, node, length.count)?;
            if let Stretch::Buffer { start } = octets {
                let count = self.sink.buffer().len() - start;
                self.check_size(node, size, extended, count as u64)?;
            }
            octets
        } else {
            self.check_size(node, size, extended, length.count)?;
            self.octets_here(at, node, length.count)?
        };
        self.sink.octets(at, node, octets)
    }

    #[inline(never)]
    pub(super) fn bit_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(), Error> {
        let (mut length, extended) = self.size(at, node, size)?;
        if ALIGNED && length.count > 0 && (extended || size.lower != size.upper || size.upper > 16) {
            self.bits.align();
        }
        let first = self.bits.position();
        // A string that starts and ends at whole bytes can be lent from the message.
        if self.lend && !length.more && first.is_multiple_of(8) && length.count.is_multiple_of(8) {
            self.check_size(node, size, extended, length.count)?;
            self.bits.skip(length.count)?;
            self.report(at, node, Part::Value, first);
            let octets = Stretch::Message { start: (first / 8) as usize, len: (length.count / 8) as usize };
            return self.sink.bit_string(at, node, octets, length.count);
        }
        let start = self.sink.buffer().len();
        let mut count = 0;
        loop {
            let first = self.bits.position();
            if let Some(lent) = self.bits.bytes((length.count / 8) as usize, self.sink.buffer())? {
                self.sink.buffer().extend_from_slice(lent);
            }
            let rest = (length.count % 8) as u32;
            if rest > 0 {
                let last = self.bits.read(rest)? as u8;
                self.sink.buffer().push(last << (8 - rest));
            }
            count += length.count;
            self.report(at, node, Part::Value, first);
            if !length.more {
                break;
            }
            let first = self.bits.position();
            length = read_length::<ALIGNED>(&mut self.bits)?;
            self.report(at, node, Part::Length, first);
        }
        self.check_size(node, size, extended, count)?;
        self.sink.bit_string(at, node, Stretch::Buffer { start }, count)
    }
}
