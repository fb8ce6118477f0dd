//! Reading strings: of bits, octets and characters, whole or in segments (X.690 clauses 8.6, 8.7 and
//! 8.23).

use tam::{Error, ErrorKind, Words};

use super::header::{Header, key, notation};
use super::reader::Reader;
use crate::compiled::{Compiled, Kind, NodeId, Size, TimeType};
use crate::equal::significant_bits;
use crate::event::{At, Part, Sink, Stretch};
use crate::iso8601;
use crate::schema::{StringKind, Tag, TagClass};

/// The tag of a segment of a BIT STRING.
const BITS: Tag = Tag { class: TagClass::Universal, number: 3 };
/// The tag of a segment of any other string.
const OCTETS: Tag = Tag { class: TagClass::Universal, number: 4 };

/// The most octets of zero bits, in total, that the message does not have but the least sizes of strings with named
/// bits require.
const PADDING: u64 = 1 << 26;

impl<'m, S: Sink> Reader<'_, 'm, S> {
    #[inline]
    pub(super) fn octet_string(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        size: &Size,
        header: Header,
    ) -> Result<(), Error> {
        self.report_header(at, node);
        let octets = self.octets(at, node, header)?;
        let count = self.stretch(octets).len();
        self.check_size(node, size, self.start, count as u64)?;
        let octets = self.lent(octets);
        self.sink.octets(at, node, octets)
    }

    /// The octets of a string of octets or bits that is read by what it contains, and the number of bits.
    pub(super) fn string_of(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        kind: &Kind,
        header: Header,
    ) -> Result<(Stretch, u64), Error> {
        self.report_header(at, node);
        match kind {
            Kind::BitString(size, names) => {
                // What is not lent is not reported either.
                let (start, lend) = (self.at, std::mem::replace(&mut self.lend, false));
                let bits = self.bits(at, node, size, names.is_some(), header);
                self.lend = lend;
                // The number of unused bits.
                self.report(at, node, Part::Length, start, start + 1);
                bits
            }
            kind => {
                let size = if let Kind::OctetString(size) = kind { size } else { &Size::ANY };
                let octets = match header.is_constructed() {
                    true => self.gathered(at, node, header)?,
                    false => {
                        let (start, len) = (self.at, header.end - self.at);
                        self.at = header.end;
                        Stretch::Message { start, len }
                    }
                };
                let count = self.stretch(octets).len() as u64;
                self.check_size(node, size, self.start, count)?;
                Ok((octets, count * 8))
            }
        }
    }

    /// The octets of a string: in the message, or gathered in the sink's buffer.
    #[inline(always)]
    fn octets(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<Stretch, Error> {
        if header.is_constructed() {
            return self.gathered(at, node, header);
        }
        let start = self.at;
        self.at = header.end;
        self.report(at, node, Part::Value, start, header.end);
        Ok(Stretch::Message { start, len: header.end - start })
    }

    #[cold]
    #[inline(never)]
    fn gathered(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<Stretch, Error> {
        let start = self.sink.buffer().len();
        self.segments(at, node, header, OCTETS, |reader, octets| {
            reader.sink.buffer().extend_from_slice(octets);
            Ok(())
        })?;
        Ok(Stretch::Buffer { start })
    }

    /// Reads the segments of a string, and those within them.
    fn segments(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        header: Header,
        tag: Tag,
        mut take: impl FnMut(&mut Self, &'m [u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let start = self.start;
        let mut open = vec![self.begin(header)];
        while let Some(span) = open.last() {
            if self.is_at_end(at, node, *span) {
                open.pop();
                continue;
            }
            let segment = self.header()?;
            if segment.key() != key(tag) {
                return Err(self.unexpected(segment, format!("{}, a segment of the string", notation(tag))));
            }
            self.report_header(at, node);
            if segment.is_constructed() {
                self.check_depth(open.len())?;
                open.push(self.begin(segment));
            } else {
                let octets = self.primitive(at, node, segment)?;
                take(self, octets)?;
            }
        }
        // Errors about the string refer to its own header.
        self.start = start;
        Ok(())
    }

    pub(super) fn bit_string(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        size: &Size,
        named: bool,
        header: Header,
    ) -> Result<(), Error> {
        let (octets, count) = self.bits(at, node, size, named, header)?;
        let octets = self.lent(octets);
        self.sink.bit_string(at, node, octets, count)
    }

    /// The octets of a string of bits, and the number of bits.
    fn bits(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        size: &Size,
        named: bool,
        header: Header,
    ) -> Result<(Stretch, u64), Error> {
        let mut unused = 0;
        let octets = if header.is_constructed() {
            let start = self.sink.buffer().len();
            self.segments(at, node, header, BITS, |reader, segment| {
                if unused != 0 {
                    let found = "a segment of bits that are not whole octets";
                    return Err(reader.fault(reader.start, found, "such a segment only at the end"));
                }
                unused = reader.unused_bits(segment)?;
                reader.sink.buffer().extend_from_slice(segment.get(1..).unwrap_or_default());
                Ok(())
            })?;
            Stretch::Buffer { start }
        } else {
            let contents = self.primitive(at, node, header)?;
            unused = self.unused_bits(contents)?;
            let len = contents.len() - 1;
            Stretch::Message { start: header.end - len, len }
        };
        let mut octets = octets;
        let bytes = self.stretch(octets);
        let mut count = bytes.len() as u64 * 8 - u64::from(unused);
        // The unused bits of the last octet are reported as zeros.
        let last = bytes.last().copied().unwrap_or_default();
        let cleared = last >> unused << unused;
        if cleared != last {
            octets = self.copied(octets);
            if let Some(last) = self.sink.buffer().last_mut() {
                *last = cleared;
            }
        }
        if named && (count < size.lower || !size.extensible && !self.types.allows_size(size, count)) {
            (octets, count) = self.sized(octets, count, size)?;
        }
        self.check_size(node, size, self.start, count)?;
        Ok((octets, count))
    }

    /// The number of unused bits in the last octet of a string of bits.
    fn unused_bits(&self, contents: &[u8]) -> Result<u8, Error> {
        match contents {
            [unused @ 1..=7, _, ..] | [unused @ 0, ..] => Ok(*unused),
            _ => Err(self.fault(
                self.start,
                "a bit string without its number of unused bits",
                "0 to 7 in its first octet, 0 if there is no other",
            )),
        }
    }

    /// Adjusts the trailing zero bits of a string in which they mean nothing to the size, if possible (X.680 clause
    /// 22.7).
    #[cold]
    fn sized(&mut self, octets: Stretch, count: u64, size: &Size) -> Result<(Stretch, u64), Error> {
        let significant = significant_bits(self.stretch(octets), count);
        let Some(wanted) = least_size(self.types, size, significant) else { return Ok((octets, count)) };
        let len = wanted.div_ceil(8) as usize;
        if let Stretch::Message { start, len: there } = octets
            && len <= there
        {
            return Ok((Stretch::Message { start, len }, wanted));
        }
        // The message does not contain these octets.
        self.padding += wanted.saturating_sub(count).div_ceil(8);
        if self.padding > PADDING {
            let found = "more zero bits that a size asks for";
            let expected = Words::AtMost(PADDING, "octets not in the message");
            return Err(Error::new(ErrorKind::Limit, "ber", self.start as u64, found, expected));
        }
        let octets = self.copied(octets);
        if let Stretch::Buffer { start } = octets {
            self.sink.buffer().resize(start + len, 0);
        }
        Ok((octets, wanted))
    }

    /// The octets of a [`Stretch`].
    fn stretch(&mut self, octets: Stretch) -> &[u8] {
        match octets {
            Stretch::Message { start, len } => self.message.get(start..start + len).unwrap_or_default(),
            Stretch::Buffer { start } => self.sink.buffer().get(start..).unwrap_or_default(),
        }
    }

    /// Copies octets of the message, if it is not the caller's.
    #[inline(always)]
    pub(super) fn lent(&mut self, octets: Stretch) -> Stretch {
        if self.lend { octets } else { self.copied(octets) }
    }

    /// Copies the octets to the sink's buffer.
    fn copied(&mut self, octets: Stretch) -> Stretch {
        let Stretch::Message { start, len } = octets else { return octets };
        let message = self.message;
        let buffer = self.sink.buffer();
        let copy = buffer.len();
        buffer.extend_from_slice(message.get(start..start + len).unwrap_or_default());
        Stretch::Buffer { start: copy }
    }

    #[inline]
    pub(super) fn characters(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        header: Header,
    ) -> Result<(), Error> {
        self.report_header(at, node);
        let ty = self.types.characters(number);
        if let Some(time) = &ty.time {
            return self.time(at, node, ty.kind, time, header);
        }
        let octets = self.octets(at, node, header)?;
        let octets = match ty.kind {
            StringKind::Utf8 => octets,
            StringKind::Bmp => self.wide(octets, 2)?,
            StringKind::Universal => self.wide(octets, 4)?,
            // One octet for each character.
            _ if self.stretch(octets).is_ascii() => octets,
            _ => self.decoded(octets, |octets, text| text.extend(octets.iter().map(|octet| char::from(*octet)))),
        };
        let plain = ty.alphabet.is_none() && ty.size == Size::ANY;
        let (message, types) = (self.message, self.types);
        let text = match octets {
            Stretch::Message { start, len } => message.get(start..start + len).unwrap_or_default(),
            Stretch::Buffer { start } => self.sink.buffer().get(start..).unwrap_or_default(),
        };
        let Ok(text) = core::str::from_utf8(text) else {
            return Err(self.fault(self.start, "octets that are not UTF-8", "UTF-8"));
        };
        if !plain {
            let found = types.unfit(ty, text);
            if let Some(found) = found {
                return Err(self.refused(node, self.start, found));
            }
        }
        let octets = self.lent(octets);
        self.sink.text(at, node, octets)
    }

    /// Reads a time (X.690 clauses 8.25 and 8.26).
    #[cold]
    #[inline(never)]
    fn time(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        kind: StringKind,
        ty: &TimeType,
        header: Header,
    ) -> Result<(), Error> {
        let octets = self.primitive(at, node, header)?;
        let mut text = String::new();
        if !iso8601::spread(kind, octets, &mut text) {
            let shown = tam::excerpt(&String::from_utf8_lossy(octets));
            return Err(self.refused(node, self.start, Words::Own(format!("{shown:?}"))));
        }
        let text = match ty.stored(&text) {
            Ok(None) if kind == StringKind::Time => {
                let octets = Stretch::Message { start: header.end - octets.len(), len: octets.len() };
                let octets = self.lent(octets);
                return self.sink.text(at, node, octets);
            }
            Ok(stored) => stored.unwrap_or(text),
            Err(found) => return Err(self.refused(node, self.start, Words::Own(found))),
        };
        let buffer = self.sink.buffer();
        let start = buffer.len();
        buffer.extend_from_slice(text.as_bytes());
        self.sink.text(at, node, Stretch::Buffer { start })
    }

    /// Reads characters of a fixed number of octets each, as UTF-8.
    #[inline(never)]
    fn wide(&mut self, octets: Stretch, width: usize) -> Result<Stretch, Error> {
        if !self.stretch(octets).len().is_multiple_of(width) {
            return Err(self.fault(self.start, "a character cut short", "whole characters"));
        }
        let mut valid = true;
        let text = self.decoded(octets, |octets, text| {
            for octets in octets.chunks_exact(width) {
                let point = octets.iter().fold(0, |point, octet| point << 8 | u32::from(*octet));
                match char::from_u32(point) {
                    Some(point) => text.push(point),
                    None => valid = false,
                }
            }
        });
        if valid { Ok(text) } else { Err(self.fault(self.start, "a code point that is not a character", "characters")) }
    }

    /// Decodes octets to text, which replaces them in the sink's buffer.
    #[inline(never)]
    fn decoded(&mut self, octets: Stretch, decode: impl FnOnce(&[u8], &mut String)) -> Stretch {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        decode(self.stretch(octets), &mut text);
        let buffer = self.sink.buffer();
        if let Stretch::Buffer { start } = octets {
            buffer.truncate(start);
        }
        let start = buffer.len();
        buffer.extend_from_slice(text.as_bytes());
        self.text = text;
        Stretch::Buffer { start }
    }
}

/// The least size of the root of a constraint that is `from` or more.
pub(super) fn least_size(types: &Compiled, size: &Size, from: u64) -> Option<u64> {
    let Some(number) = size.intervals else { return Some(from.max(size.lower)).filter(|least| *least <= size.upper) };
    types.intervals(number).least_from(from)
}
