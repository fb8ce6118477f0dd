//! Numbers and lengths as PER writes them (X.691 clause 11), for both variants.

use tam::{Error, ErrorKind, Words};

use super::{BitReader, BitWriter};
use crate::integer::unsigned;

/// Lengths of this and above are sent in fragments (X.691 clause 11.9.3.8), of one to four times this size.
pub const FRAGMENT: u64 = 16_384;

/// A length (X.691 clause 11.9): of the whole, or of a fragment that is not the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Number of things: octets, bits, characters, components.
    pub count: u64,
    /// Whether another length follows.
    pub more: bool,
}

/// A constrained whole number (X.691 clause 11.5), by the span between its bounds. Numbers are encoded as offsets from
/// the lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constrained {
    /// Upper bound less lower bound.
    pub span: u64,
    /// Bits of the field in the unaligned variant, and in the aligned one below a span of 255.
    bits: u32,
}

impl Constrained {
    /// For numbers from 0 to `span`.
    #[must_use]
    pub const fn new(span: u64) -> Constrained {
        Constrained { span, bits: 64 - span.leading_zeros() }
    }

    /// The least number of bits of a value, in either variant.
    #[must_use]
    pub const fn min_bits(self) -> u32 {
        // The aligned variant may use one octet for a number of a wide range.
        if self.bits > 8 { 8 } else { self.bits }
    }

    /// Bits of the field, if it is short and the same in both variants.
    pub(crate) const fn short_bits(self) -> Option<u32> {
        if self.span < 255 { Some(self.bits) } else { None }
    }

    /// Reads a number.
    ///
    /// # Errors
    /// If the message ends first, or the number is above the span.
    #[inline(always)]
    pub fn read<const ALIGNED: bool>(self, bits: &mut BitReader<'_>) -> Result<u64, Error> {
        let number = if !ALIGNED || self.span < 255 { bits.read(self.bits)? } else { self.read_aligned(bits)? };
        if number > self.span {
            return Err(above(bits.position(), number, self.span));
        }
        Ok(number)
    }

    /// Reads a number of a span of 1 to 2^57 - 1 in the unaligned variant if `present` is 1. If it is 0, reads nothing
    /// and returns 0.
    #[inline(always)]
    pub(crate) fn read_if(self, bits: &mut BitReader<'_>, present: u32) -> Result<u64, Error> {
        let number = bits.read_short_or_none(self.bits & present.wrapping_neg())?;
        if number > self.span {
            return Err(above(bits.position(), number, self.span));
        }
        Ok(number)
    }

    /// Reads a number of a span of 1 to 2^57 - 1, as [`Constrained::read`] does.
    #[inline(always)]
    pub(crate) fn read_short<const ALIGNED: bool>(self, bits: &mut BitReader<'_>) -> Result<u64, Error> {
        let number = if !ALIGNED || self.span < 255 {
            bits.read_short(self.bits)?
        } else if self.span < 1 << 16 {
            bits.align();
            bits.read_short(if self.span == 255 { 8 } else { 16 })?
        } else {
            // The number of octets less one comes first: in 2 bits for up to four octets, otherwise in 3.
            let octets = bits.read_short(if self.bits > 32 { 3 } else { 2 })? as u32 + 1;
            bits.align();
            if octets > self.bits.div_ceil(8) {
                return Err(above(bits.position(), octets.into(), self.bits.div_ceil(8).into()));
            }
            bits.read(octets * 8)?
        };
        if number > self.span {
            return Err(above(bits.position(), number, self.span));
        }
        Ok(number)
    }

    #[inline]
    fn read_aligned(self, bits: &mut BitReader<'_>) -> Result<u64, Error> {
        let octets = match self.span {
            255 => 1,
            256..=65_535 => 2,
            _ => {
                let octets = Constrained::new(u64::from(self.bits.div_ceil(8)) - 1).read::<true>(bits)?;
                octets as u32 + 1
            }
        };
        bits.align();
        bits.read(octets * 8)
    }

    /// Writes a number, which must not be above the span.
    #[inline(always)]
    pub fn write<const ALIGNED: bool>(self, number: u64, bits: &mut BitWriter<'_>) {
        if !ALIGNED || self.span < 255 {
            bits.write(number, self.bits);
        } else {
            self.write_aligned(number, bits);
        }
    }

    /// Writes a number of a span of 1 to 2^57 - 1, as [`Constrained::write`] does.
    #[inline(always)]
    pub(crate) fn write_short<const ALIGNED: bool>(self, number: u64, bits: &mut BitWriter<'_>) {
        if !ALIGNED || self.span < 255 {
            bits.write(number, self.bits);
        } else {
            let octets = match self.span {
                255 => 1,
                256..=65_535 => 2,
                _ => {
                    let octets = (64 - number.leading_zeros()).div_ceil(8).max(1);
                    bits.write(u64::from(octets) - 1, if self.bits > 32 { 3 } else { 2 });
                    octets
                }
            };
            bits.align();
            bits.write(number, octets * 8);
        }
    }

    #[inline]
    fn write_aligned(self, number: u64, bits: &mut BitWriter<'_>) {
        let octets = match self.span {
            255 => 1,
            256..=65_535 => 2,
            _ => {
                let octets = (64 - number.leading_zeros()).div_ceil(8).max(1);
                Constrained::new(u64::from(self.bits.div_ceil(8)) - 1).write::<true>(u64::from(octets) - 1, bits);
                octets
            }
        };
        bits.align();
        bits.write(number, octets * 8);
    }
}

/// A constrained whole number (X.691 clause 11.5) of any range, as unsigned octets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Offset {
    /// A range of up to 2^64 numbers.
    Short(Constrained),
    /// A larger range: the number of bits of the greatest number.
    Long(u32),
}

impl Offset {
    /// For numbers from 0 to `span`, given in octets.
    pub(crate) fn new(span: &[u8]) -> Offset {
        let span = unsigned(span);
        match span.len() {
            ..=8 => Offset::Short(Constrained::new(u64_of(span))),
            len => Offset::Long(8 * len as u32 - span.first().map_or(0, |first| first.leading_zeros())),
        }
    }

    /// The least number of bits of a value, in either variant.
    pub(crate) const fn min_bits(self) -> u32 {
        match self {
            Offset::Short(constrained) => constrained.min_bits(),
            Offset::Long(_) => 8,
        }
    }

    /// Reads a number to the end of `octets`, with an octet of zero before it. A number above the span is accepted.
    ///
    /// # Errors
    /// If the message ends first.
    pub(super) fn read<const ALIGNED: bool>(self, bits: &mut BitReader<'_>, octets: &mut Vec<u8>) -> Result<(), Error> {
        octets.push(0);
        let count = match self {
            Offset::Short(constrained) => {
                octets.extend_from_slice(&constrained.read::<ALIGNED>(bits)?.to_be_bytes());
                return Ok(());
            }
            Offset::Long(span) if ALIGNED => {
                let length = Constrained::new(u64::from(span.div_ceil(8)) - 1).read::<true>(bits)? + 1;
                bits.align();
                length as usize
            }
            Offset::Long(span) => {
                octets.push(bits.read(span % 8)? as u8);
                (span / 8) as usize
            }
        };
        if let Some(lent) = bits.bytes(count, octets)? {
            octets.extend_from_slice(lent);
        }
        Ok(())
    }

    /// Writes a number, which must not be above the span.
    pub(super) fn write<const ALIGNED: bool>(self, octets: &[u8], bits: &mut BitWriter<'_>) {
        let octets = unsigned(octets);
        match self {
            Offset::Short(constrained) => constrained.write::<ALIGNED>(u64_of(octets), bits),
            Offset::Long(span) if ALIGNED => {
                let length = Constrained::new(u64::from(span.div_ceil(8)) - 1);
                length.write::<true>(octets.len() as u64 - 1, bits);
                bits.align();
                bits.bytes(octets);
            }
            Offset::Long(span) => {
                let missing = (span.div_ceil(8) as usize).saturating_sub(octets.len());
                let mut whole = vec![0; missing];
                whole.extend_from_slice(octets);
                if span % 8 > 0 {
                    bits.write(whole.remove(0).into(), span % 8);
                }
                bits.bytes(&whole);
            }
        }
    }
}

/// The number in up to eight unsigned octets.
pub(super) fn u64_of(octets: &[u8]) -> u64 {
    octets.iter().fold(0, |number, octet| number << 8 | u64::from(*octet))
}

/// Reads an unconstrained length (X.691 clause 11.9.3.5 to 11.9.3.8).
///
/// # Errors
/// If the message ends first, or a fragment is not one to four times 16 384.
#[inline(always)]
pub fn read_length<const ALIGNED: bool>(bits: &mut BitReader<'_>) -> Result<Length, Error> {
    if ALIGNED {
        bits.align();
    }
    let first = bits.read(8)?;
    if first < 0x80 {
        return Ok(Length { count: first, more: false });
    }
    read_long_length(first, bits)
}

#[inline(never)]
fn read_long_length(first: u64, bits: &mut BitReader<'_>) -> Result<Length, Error> {
    if first < 0xC0 {
        return Ok(Length { count: (first & 0x3F) << 8 | bits.read(8)?, more: false });
    }
    match first & 0x3F {
        times @ 1..=4 => Ok(Length { count: times * FRAGMENT, more: true }),
        times => {
            let at = bits.position() - 8;
            let found = format!("a fragment of {times} times 16384");
            Err(Error::new(ErrorKind::Syntax, "per", 0, found, "one to four times").at_bit(at))
        }
    }
}

/// Writes the length of `count` items, or of as many as fit in a fragment. Returns the length written, and whether
/// another length must follow.
#[inline(always)]
pub fn write_length<const ALIGNED: bool>(count: u64, bits: &mut BitWriter<'_>) -> Length {
    if ALIGNED {
        bits.align();
    }
    if count < 0x80 {
        bits.write(count, 8);
        Length { count, more: false }
    } else if count < FRAGMENT {
        bits.write(0x8000 | count, 16);
        Length { count, more: false }
    } else {
        let times = (count / FRAGMENT).min(4);
        bits.write(0xC0 | times, 8);
        Length { count: times * FRAGMENT, more: true }
    }
}

/// Writes octets after their length, in fragments if there are many.
pub fn write_octets<const ALIGNED: bool>(octets: &[u8], bits: &mut BitWriter<'_>) {
    let mut rest = octets;
    loop {
        let length = write_length::<ALIGNED>(rest.len() as u64, bits);
        let (now, later) = rest.split_at_checked(length.count as usize).unwrap_or((rest, &[]));
        bits.bytes(now);
        rest = later;
        if !length.more {
            return;
        }
    }
}

/// Reads a normally small non-negative whole number (X.691 clause 11.6).
///
/// # Errors
/// If the message ends first, or the number takes more than 8 octets.
#[inline]
pub fn read_small<const ALIGNED: bool>(bits: &mut BitReader<'_>) -> Result<u64, Error> {
    if !bits.bit()? {
        return bits.read(6);
    }
    read_semi_constrained::<ALIGNED>(bits)
}

/// Writes a normally small non-negative whole number.
#[inline]
pub fn write_small<const ALIGNED: bool>(number: u64, bits: &mut BitWriter<'_>) {
    if number < 64 {
        bits.write(number, 7);
    } else {
        bits.bit(true);
        write_semi_constrained::<ALIGNED>(number, bits);
    }
}

/// Reads a normally small length, 1 or more (X.691 clause 11.9.3.4).
///
/// # Errors
/// If the message ends first, or the length is 0 or in fragments.
#[inline]
pub fn read_small_length<const ALIGNED: bool>(bits: &mut BitReader<'_>) -> Result<u64, Error> {
    let at = bits.position();
    if !bits.bit()? {
        return Ok(bits.read(6)? + 1);
    }
    match read_length::<ALIGNED>(bits)? {
        Length { count: count @ 1.., more: false } => Ok(count),
        _ => {
            let error = Error::new(ErrorKind::Syntax, "per", 0, "none, or more than 16383", "a small length");
            Err(error.at_bit(at))
        }
    }
}

/// Writes a normally small length, of 1 to 16 383.
#[inline]
pub fn write_small_length<const ALIGNED: bool>(length: u64, bits: &mut BitWriter<'_>) {
    if length <= 64 {
        bits.write(length - 1, 7);
    } else {
        bits.bit(true);
        write_length::<ALIGNED>(length, bits);
    }
}

/// Reads a semi-constrained whole number (X.691 clause 11.7) as its offset from the lower bound.
///
/// # Errors
/// If the message ends first, or the number takes 0 octets or more than 8.
#[inline]
pub fn read_semi_constrained<const ALIGNED: bool>(bits: &mut BitReader<'_>) -> Result<u64, Error> {
    let at = bits.position();
    match read_length::<ALIGNED>(bits)? {
        Length { count: count @ 1..=8, more: false } => bits.read(count as u32 * 8),
        Length { count, .. } => Err(wide(at, count)),
    }
}

/// Writes a semi-constrained whole number, given its offset from the lower bound.
#[inline]
pub fn write_semi_constrained<const ALIGNED: bool>(number: u64, bits: &mut BitWriter<'_>) {
    let octets = (64 - number.leading_zeros()).div_ceil(8).max(1);
    write_length::<ALIGNED>(octets.into(), bits);
    bits.write(number, octets * 8);
}

/// Number of octets that hold a number in two's complement, 1 to 8.
#[inline]
#[must_use]
pub const fn signed_octets(number: i64) -> u32 {
    let magnitude = if number < 0 { !number } else { number };
    (65 - magnitude.leading_zeros()).div_ceil(8)
}

#[cold]
#[inline(never)]
fn above(position: u64, number: u64, span: u64) -> Error {
    let expected = Words::Own(format!("at most {span}"));
    Error::new(ErrorKind::Syntax, "per", 0, format!("{number} above the lower bound"), expected).at_bit(position)
}

#[cold]
#[inline(never)]
fn wide(at: u64, octets: u64) -> Error {
    Error::new(ErrorKind::Unsupported, "per", 0, format!("a number of {octets} octets"), "one to eight octets")
        .at_bit(at)
}
