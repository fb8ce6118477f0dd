//! Strings of octets, bits and characters, and object identifiers (X.696 clauses 13, 14, 21, 22 and 27).

use tam::{Error, Words};

use super::super::primitive::fixed;
use super::Reader;
use crate::compiled::{Kind, NodeId, Size};
use crate::event::{At, Part, Sink, Stretch};
use crate::oid;
use crate::schema::StringKind;

impl<'m, S: Sink> Reader<'_, 'm, S> {
    #[inline(never)]
    pub(super) fn object_identifier(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let start = self.at;
        let count = self.length(at, node)?;
        let octets = self.octets(count)?;
        self.report(at, node, Part::Value, self.at - count);
        if !oid::is_valid(octets) {
            return Err(self.fault(start, "octets that are not an object identifier", "arcs (X.690 clause 8.19)"));
        }
        let octets = self.lent(self.at - count, count);
        self.sink.octets(at, node, octets)
    }

    /// Takes the octets of a string: as many as all values of the type have, or after their length.
    #[inline(always)]
    fn sized(&mut self, at: At<S::Level>, node: NodeId, fixed: Option<u64>) -> Result<(usize, usize), Error> {
        let count = match fixed {
            Some(count) => usize::try_from(count).unwrap_or(usize::MAX),
            None => self.length(at, node)?,
        };
        let start = self.take(count)?;
        self.report(at, node, Part::Value, start);
        Ok((start, count))
    }

    #[inline(never)]
    pub(super) fn octet_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(), Error> {
        let (start, len) = self.sized(at, node, fixed(size))?;
        self.check_size(node, size, len as u64)?;
        let octets = self.lent(start, len);
        self.sink.octets(at, node, octets)
    }

    /// The place of a string of octets or bits that is read by what it contains, and the number of bits.
    pub(super) fn string_of(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        kind: &Kind,
    ) -> Result<(usize, usize, u64), Error> {
        match kind {
            Kind::BitString(size, _) => self.bits(at, node, size),
            kind => {
                let size = if let Kind::OctetString(size) = kind { size } else { &Size::ANY };
                let (start, len) = self.sized(at, node, fixed(size))?;
                self.check_size(node, size, len as u64)?;
                Ok((start, len, len as u64 * 8))
            }
        }
    }

    #[inline(never)]
    pub(super) fn bit_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(), Error> {
        let (start, len, count) = self.bits(at, node, size)?;
        let octets = self.lent(start, len);
        self.sink.bit_string(at, node, octets, count)
    }

    /// The place of the octets of a string of bits, and the number of bits.
    fn bits(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(usize, usize, u64), Error> {
        let bits = fixed(size);
        let (mut start, mut len) = self.sized(at, node, bits.map(|bits| bits.div_ceil(8)))?;
        let unused = match bits {
            Some(bits) => len as u64 * 8 - bits,
            None => match self.message.get(start..start + len) {
                Some([unused @ 0..=7, rest @ ..]) if !rest.is_empty() || *unused == 0 => {
                    (start, len) = (start + 1, len - 1);
                    u64::from(*unused)
                }
                _ => {
                    let found = "a bit string without its number of unused bits";
                    return Err(self.fault(start, found, "0 to 7 in its first octet, 0 if there is no other"));
                }
            },
        };
        let count = len as u64 * 8 - unused;
        self.check_size(node, size, count)?;
        if let Some(last) = self.message.get(start..start + len).and_then(<[u8]>::last)
            && u64::from(last.trailing_zeros()) < unused
        {
            return Err(self.fault(start + len - 1, "unused bits that are not zero", "zero bits"));
        }
        Ok((start, len, count))
    }

    #[inline(never)]
    pub(super) fn characters(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let ty = types.characters(number);
        if let Some(time) = &ty.time {
            return self.time(at, node, time);
        }
        let first = self.at;
        let fixed = ty.kind.octets_a_character().and_then(|width| Some(fixed(&ty.size)?.saturating_mul(width)));
        let (start, len) = self.sized(at, node, fixed)?;
        let message = self.message;
        let octets = message.get(start..start + len).unwrap_or_default();
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        // Whether the characters are other octets than those in the message.
        let decoded = match ty.kind {
            StringKind::Utf8 => Some(false),
            StringKind::Bmp => decode::<2>(octets, &mut text).then_some(true),
            StringKind::Universal => decode::<4>(octets, &mut text).then_some(true),
            // One octet for each character.
            _ if octets.is_ascii() => Some(false),
            _ => {
                text.extend(octets.iter().map(|octet| char::from(*octet)));
                Some(true)
            }
        };
        let characters = match decoded {
            Some(true) => Some(text.as_str()),
            Some(false) => std::str::from_utf8(octets).ok(),
            None => None,
        };
        let Some(characters) = characters else {
            return Err(self.fault(first, "octets that are not characters", "those of its type"));
        };
        if (ty.alphabet.is_some() || ty.size != Size::ANY)
            && let Some(found) = types.unfit(ty, characters)
        {
            return Err(self.refused(node, found));
        }
        let stretch = match decoded {
            Some(true) => self.buffered(text.as_bytes()),
            _ => self.lent(start, len),
        };
        self.text = text;
        self.sink.text(at, node, stretch)
    }

    /// Octets of the message, which are copied if it is not the caller's.
    #[inline(always)]
    pub(super) fn lent(&mut self, start: usize, len: usize) -> Stretch {
        match self.lend {
            true => Stretch::Message { start, len },
            false => self.buffered(self.message.get(start..start + len).unwrap_or_default()),
        }
    }

    /// Puts octets into the sink's buffer.
    pub(super) fn buffered(&mut self, octets: &[u8]) -> Stretch {
        let buffer = self.sink.buffer();
        let start = buffer.len();
        buffer.extend_from_slice(octets);
        Stretch::Buffer { start }
    }

    /// Takes text after its length.
    pub(super) fn counted_text(&mut self, at: At<S::Level>, node: NodeId) -> Result<&'m str, Error> {
        let (start, len) = self.sized(at, node, None)?;
        let octets = self.message.get(start..start + len).unwrap_or_default();
        std::str::from_utf8(octets).map_err(|_| {
            let text = String::from_utf8_lossy(octets);
            self.refused(node, Words::Own(format!("{:?}", tam::excerpt(&text))))
        })
    }
}

/// Decodes characters of `WIDTH` octets each; `false` if they are not characters.
fn decode<const WIDTH: usize>(octets: &[u8], text: &mut String) -> bool {
    let (characters, rest) = octets.as_chunks::<WIDTH>();
    for octets in characters {
        match char::from_u32(octets.iter().fold(0, |point, octet| point << 8 | u32::from(*octet))) {
            Some(point) => text.push(point),
            None => return false,
        }
    }
    rest.is_empty()
}
