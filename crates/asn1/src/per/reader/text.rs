//! Types of characters (X.691 clause 30).

use tam::{Error, Words};

use super::super::bits::BitReader;
use super::super::primitive::{Length, read_length};
use super::super::time::{self, TimeLayout};
use super::Reader;
use crate::compiled::{Ascii, NodeId, Size, TimeType};
use crate::event::{At, Part, Sink, Stretch};

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// Reads a short UTF8String of ASCII characters; `None`, and nothing is read, if it is not one.
    #[inline(always)]
    pub(super) fn short_utf8(
        &mut self,
        bits: &mut BitReader<'_>,
        at: At<S::Level>,
        node: NodeId,
    ) -> Option<Result<(), Error>> {
        if ALIGNED {
            return None;
        }
        let (text, count) = bits.peek_short_text()?;
        bits.go(bits.position() + 8 + 8 * count as u64);
        let buffer = self.sink.buffer();
        let start = buffer.len();
        buffer.extend_from_slice(&text);
        buffer.truncate(start + count);
        Some(self.sink.text(at, node, Stretch::Buffer { start }))
    }

    /// Reads a UTF8String, optimized for ASCII characters.
    #[inline(never)]
    pub(super) fn utf8(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let mut bits = self.bits;
        if let Some(result) = self.short_utf8(&mut bits, at, node) {
            self.bits.go(bits.position());
            return result;
        }
        self.long_utf8(at, node, number)
    }

    /// Like `utf8`, for texts that are long or have other characters.
    #[inline(never)]
    pub(super) fn long_utf8(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let start = self.sink.buffer().len();
        let Length { count, more } = read_length::<ALIGNED>(&mut self.bits)?;
        if more {
            let octets = self.fragments(at, node, count)?;
            return self.octet_text(at, node, number, octets);
        }
        let octets = match self.bits.bytes_within(count as usize, self.sink.buffer()) {
            Some(true) => return self.sink.text(at, node, Stretch::Buffer { start }),
            Some(false) => Stretch::Buffer { start },
            None => self.octets_here(at, node, count)?,
        };
        self.octet_text(at, node, number, octets)
    }

    #[inline(never)]
    pub(super) fn characters(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let ty = types.characters(number);
        let Some(known) = &ty.known_multiplier else {
            if let Some(time) = &ty.time {
                return self.time(at, node, time);
            }
            let octets = self.counted(at, node)?;
            return self.octet_text(at, node, number, octets);
        };
        let (mut length, extended) = self.size(at, node, &ty.size)?;
        let width = if ALIGNED { known.aligned_bits } else { known.bits };
        let index = if ALIGNED { &known.aligned_index } else { &known.index };
        // X.691 clauses 30.5.6 and 30.5.7.
        let most = if extended { u64::MAX } else { ty.size.upper.saturating_mul(width.into()) };
        let fixed = !extended && ty.size.lower == ty.size.upper && ty.size.upper < 1 << 16;
        if ALIGNED && length.count > 0 && (if fixed { most > 16 } else { most >= 16 }) {
            self.bits.align();
        }
        // Octets that equal the characters need not be copied. Times are checked below.
        if width == 8
            && !ty.kind.is_plain_time()
            && index.is_none()
            && !length.more
            && let Some(ascii) = &ty.ascii
        {
            self.check_size(node, &ty.size, extended, length.count)?;
            let octets = self.octets_here(at, node, length.count)?;
            let bytes = self.octets_of(octets);
            if !ascii.has(bytes) {
                return Err(self.refused_character(node, ascii, octets));
            }
            return self.sink.text(at, node, octets);
        }
        let start = self.sink.buffer().len();
        let mut count = 0;
        loop {
            let first = self.bits.position();
            if length.count.saturating_mul(width.into()) > self.bits.left() {
                return Err(self.bits.short(length.count.saturating_mul(width.into())));
            }
            if width == 0 {
                self.spend(length.count)?;
            }
            match &ty.ascii {
                Some(ascii) if width > 0 => {
                    self.run_of_ascii(node, length.count as usize, width, index.as_deref(), ascii)?
                }
                _ => self.run_of_characters(length.count, width, index.as_deref())?,
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
        self.check_size(node, &ty.size, extended, count)?;
        // Characters encoded as their index in the alphabet are always in it, except with EXCEPT.
        let may_misfit = index.is_none() && ty.ascii.is_none() && ty.alphabet.is_some();
        if may_misfit || ty.wider || ty.kind.is_plain_time() {
            let text = self.sink.buffer().get(start..).unwrap_or_default();
            let text = core::str::from_utf8(text).unwrap_or_default();
            if let Some(found) = types.misfit(ty, text) {
                return Err(self.refused(node, found));
            }
        }
        self.sink.text(at, node, Stretch::Buffer { start })
    }

    /// Reads ASCII characters of 7 bits each, or 8 in the aligned variant.
    #[inline(never)]
    pub(super) fn ascii(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let ty = types.characters(number);
        let (Some(range), Some(ascii)) = (ty.plain, &ty.ascii) else { return self.characters(at, node, number) };
        let least = ty.size.lower;
        let first = self.bits.position();
        let count = least + if range.span > 0 { range.read::<ALIGNED>(&mut self.bits)? } else { 0 };
        self.report(at, node, Part::Length, first);
        if ALIGNED {
            // X.691 clauses 30.5.6 and 30.5.7.
            let most = (least + range.span) * 8;
            if count > 0 && (if range.span == 0 { most > 16 } else { most >= 16 }) {
                self.bits.align();
            }
            let octets = self.octets_here(at, node, count)?;
            if !ascii.has(self.octets_of(octets)) {
                return Err(self.refused_character(node, ascii, octets));
            }
            return self.sink.text(at, node, octets);
        }
        let first = self.bits.position();
        if count * 7 > self.bits.left() {
            return Err(self.bits.short(count * 7));
        }
        let mut bits = self.bits;
        let buffer = self.sink.buffer();
        let start = buffer.len();
        for _ in 0..count.div_ceil(8) {
            // The last eight characters may be too many; the excess is cut off.
            buffer.extend_from_slice(&spread(bits.peek() >> 8).to_be_bytes());
            bits.go(bits.position() + 56);
        }
        buffer.truncate(start + count as usize);
        self.bits.go(first + count * 7);
        self.report(at, node, Part::Value, first);
        let octets = Stretch::Buffer { start };
        if !ascii.has(self.octets_of(octets)) {
            return Err(self.refused_character(node, ascii, octets));
        }
        self.sink.text(at, node, octets)
    }

    /// Reads a time (X.691 clause 32).
    #[inline(never)]
    fn time(&mut self, at: At<S::Level>, node: NodeId, ty: &TimeType) -> Result<(), Error> {
        let first = self.bits.position();
        let mut bits = self.bits;
        if ty.layout == TimeLayout::Mixed
            && let Some(plain) = time::read_plain::<ALIGNED>(&mut bits)
            && ty.allows_all(plain.kind)
        {
            self.bits.go(bits.position());
            self.report(at, node, Part::Value, first);
            let buffer = self.sink.buffer();
            let start = buffer.len();
            plain.push(buffer);
            return self.sink.text(at, node, Stretch::Buffer { start });
        }
        let time = time::read::<ALIGNED>(ty.layout, &mut self.bits)?;
        self.report(at, node, Part::Value, first);
        if !ty.allows(&time) {
            return Err(self.refused(node, Words::Own(format!("{:?}", time.text(false)))));
        }
        let buffer = self.sink.buffer();
        let start = buffer.len();
        time.push(buffer, false);
        self.sink.text(at, node, Stretch::Buffer { start })
    }

    /// The octets read last.
    #[inline(always)]
    fn octets_of(&mut self, octets: Stretch) -> &[u8] {
        match octets {
            Stretch::Message { start, len } => self.bits.message().get(start..start + len).unwrap_or_default(),
            Stretch::Buffer { start } => self.sink.buffer().get(start..).unwrap_or_default(),
        }
    }

    /// Reads ASCII characters into the sink's buffer. The caller has checked that they exist.
    fn run_of_ascii(
        &mut self,
        node: NodeId,
        count: usize,
        width: u32,
        index: Option<&[u32]>,
        ascii: &Ascii,
    ) -> Result<(), Error> {
        let mut bits = self.bits;
        let buffer = self.sink.buffer();
        let start = buffer.len();
        buffer.resize(start + count, 0);
        let room = buffer.get_mut(start..).unwrap_or_default();
        let whole = if width == 7 && index.is_none() { count & !7 } else { 0 };
        let (eights, room) = room.split_at_mut(whole.min(count));
        for eight in eights.as_chunks_mut::<8>().0 {
            *eight = spread(bits.read_short(56)?).to_be_bytes();
        }
        let mut beyond = false;
        let at_once = (56 / width) as usize;
        let mask = (1u64 << width) - 1;
        for run in room.chunks_mut(at_once.max(1)) {
            let field = bits.read(run.len() as u32 * width)?;
            for (after, place) in run.iter_mut().rev().enumerate() {
                let code = field >> (after as u32 * width) & mask;
                let point = match index {
                    None => code,
                    Some(points) => points.get(code as usize).copied().map_or(u64::MAX, u64::from),
                };
                beyond |= point > 0x7F;
                *place = point as u8;
            }
        }
        self.bits = bits;
        let octets = Stretch::Buffer { start };
        if beyond {
            return Err(self.fault("a character beyond the alphabet", "one of it"));
        }
        if index.is_none() && !ascii.has(self.sink.buffer().get(start..).unwrap_or_default()) {
            return Err(self.refused_character(node, ascii, octets));
        }
        Ok(())
    }

    /// The error that names the character outside of the alphabet.
    #[cold]
    fn refused_character(&mut self, node: NodeId, ascii: &Ascii, octets: Stretch) -> Error {
        let bytes = self.octets_of(octets);
        let found = bytes.iter().find(|byte| !ascii.has(std::slice::from_ref(*byte)));
        let words = format!("{:?}", char::from(found.copied().unwrap_or_default()));
        self.refused(node, Words::Own(words))
    }

    /// Reads characters of a fixed width into the sink's buffer, as UTF-8.
    fn run_of_characters(&mut self, count: u64, width: u32, index: Option<&[u32]>) -> Result<(), Error> {
        let mut left = count;
        let at_once = 56u32.checked_div(width).unwrap_or(56).min(56);
        while left > 0 {
            let run = left.min(at_once.into()) as u32;
            let field = self.bits.read(run * width)?;
            for i in (0..run).rev() {
                let code = (field >> (i * width)) as u32 & ((1u64 << width) - 1) as u32;
                let point = match index {
                    None => code,
                    Some(points) => match points.get(code as usize) {
                        Some(point) => *point,
                        None => return Err(self.fault("a character beyond the alphabet", "one of it")),
                    },
                };
                let Some(point) = char::from_u32(point) else {
                    return Err(self.fault("a code point that is not a character", "a character of Unicode"));
                };
                let mut utf8 = [0; 4];
                self.sink.buffer().extend_from_slice(point.encode_utf8(&mut utf8).as_bytes());
            }
            left -= u64::from(run);
        }
        Ok(())
    }

    /// Checks and reports a text that is encoded as octets: UTF-8, or one octet a character.
    #[inline(never)]
    pub(super) fn octet_text(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        octets: Stretch,
    ) -> Result<(), Error> {
        let types = self.types;
        let ty = types.characters(number);
        let message = self.bits.message();
        let bytes = match octets {
            Stretch::Message { start, len } => message.get(start..start + len).unwrap_or_default(),
            Stretch::Buffer { start } => self.sink.buffer().get(start..).unwrap_or_default(),
        };
        if ty.plainly_allows(bytes) {
            let count = bytes.len() as u64;
            if ty.size != Size::ANY {
                self.check_size(node, &ty.size, ty.size.extensible, count)?;
            }
            return self.sink.text(at, node, octets);
        }
        let mut octets = octets;
        if ty.kind != crate::schema::StringKind::Utf8 && !bytes.is_ascii() {
            let latin: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            let buffer = self.sink.buffer();
            if let Stretch::Buffer { start } = octets {
                buffer.truncate(start);
            }
            octets = Stretch::Buffer { start: buffer.len() };
            buffer.extend_from_slice(latin.as_bytes());
        }
        let text = match octets {
            Stretch::Message { start, len } => message.get(start..start + len).unwrap_or_default(),
            Stretch::Buffer { start } => self.sink.buffer().get(start..).unwrap_or_default(),
        };
        let Ok(text) = core::str::from_utf8(text) else {
            return Err(self.fault("octets that are not UTF-8", "UTF-8"));
        };
        if let Some(found) = types.misfit(ty, text) {
            return Err(self.refused(node, found));
        }
        if ty.size != Size::ANY && !ty.size.extensible {
            let count = text.chars().count() as u64;
            self.check_size(node, &ty.size, false, count)?;
        }
        self.sink.text(at, node, octets)
    }
}

/// Eight fields of seven bits as eight bytes.
#[inline]
fn spread(fields: u64) -> u64 {
    let halves = (fields & 0x00FF_FFFF_F000_0000) << 4 | fields & 0x0FFF_FFFF;
    let quarters = (halves & 0x0FFF_C000_0FFF_C000) << 2 | halves & 0x0000_3FFF_0000_3FFF;
    (quarters & 0x3F80_3F80_3F80_3F80) << 1 | quarters & 0x007F_007F_007F_007F
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_seven_bits_become_bytes() {
        for place in 0..8 {
            for value in [1, 0x40, 0x55, 0x7F] {
                assert_eq!(spread(value << (7 * place)), value << (8 * place));
            }
        }
        assert_eq!(spread(u64::MAX >> 8), 0x7F7F_7F7F_7F7F_7F7F);
    }
}
