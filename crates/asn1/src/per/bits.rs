//! Fields of bits in a message, most significant bit first (X.691 clause 11.1).

use tam::{Error, Words};

use crate::compiled::{SPACES, not_above};

/// Reads fields of bits.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::per::BitReader;
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut bits = BitReader::new(&[0b1010_0000, 0xFF]);
/// assert_eq!(bits.read(3)?, 0b101);
/// assert_eq!(bits.position(), 3);
/// bits.align();
/// assert_eq!(bits.read(8)?, 0xFF);
/// assert!(bits.read(1).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BitReader<'m> {
    message: &'m [u8],
    /// In bits from the start of the message.
    at: u64,
}

impl<'m> BitReader<'m> {
    /// At the first bit of a message.
    #[must_use]
    pub fn new(message: &'m [u8]) -> BitReader<'m> {
        BitReader { message, at: 0 }
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> &'m [u8] {
        self.message
    }

    /// The place of the next bit, in bits from the start of the message.
    #[inline(always)]
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Number of bits left.
    #[inline(always)]
    #[must_use]
    pub fn left(&self) -> u64 {
        (self.message.len() as u64 * 8).saturating_sub(self.at)
    }

    /// Moves to a position, in bits from the start of the message; positions beyond the end are clamped to the end.
    #[inline]
    pub fn seek(&mut self, position: u64) {
        self.at = position.min(self.message.len() as u64 * 8);
    }

    /// Returns to a position where this reader, or a copy of it, has been.
    #[inline(always)]
    pub(super) fn go(&mut self, position: u64) {
        self.at = position;
    }

    /// Reads one bit.
    ///
    /// # Errors
    /// If the message ends first.
    #[inline(always)]
    pub fn bit(&mut self) -> Result<bool, Error> {
        match self.message.get((self.at >> 3) as usize) {
            Some(byte) => {
                let bit = byte << (self.at & 7) & 0x80 != 0;
                self.at += 1;
                Ok(bit)
            }
            None => Err(self.short(1)),
        }
    }

    /// Reads a field of `count` bits, at most 64, as a number.
    ///
    /// # Errors
    /// If the message ends first.
    #[inline(always)]
    pub fn read(&mut self, count: u32) -> Result<u64, Error> {
        if count.wrapping_sub(1) < 57 {
            return self.read_short(count);
        }
        let field = self.read_slowly(count)?;
        self.at += u64::from(count.min(64));
        Ok(field)
    }

    /// Reads a field of 1 to 57 bits. For any other count the result is meaningless.
    #[inline(always)]
    pub(crate) fn read_short(&mut self, count: u32) -> Result<u64, Error> {
        let window = match self.window() {
            Some(window) => window,
            None => last_window(self.message, self.at, count)?,
        };
        self.at += u64::from(count);
        Ok(window >> (count.wrapping_neg() & 63))
    }

    /// Reads a field of 0 to 57 bits; a field of 0 bits is 0.
    #[inline(always)]
    pub(crate) fn read_short_or_none(&mut self, count: u32) -> Result<u64, Error> {
        let window = match self.window() {
            Some(window) => window,
            None => last_window(self.message, self.at, count)?,
        };
        self.at += u64::from(count);
        Ok(window >> 1 >> (!count & 63))
    }

    /// The next 57 bits or more, the first one on top. `None` if fewer than eight bytes are left: eight hold a field of
    /// 57 bits, whichever bit of the first byte it starts at.
    #[inline(always)]
    fn window(&self) -> Option<u64> {
        let (start, skip) = ((self.at >> 3) as usize, (self.at & 7) as u32);
        let window = self.message.get(start..start + 8)?.first_chunk::<8>()?;
        Some(u64::from_be_bytes(*window) << skip)
    }

    /// Reads a field of 0 bits, or of more than 57.
    #[inline(never)]
    fn read_slowly(self, count: u32) -> Result<u64, Error> {
        let count = count.min(64);
        let mut at = self.at;
        if self.left() < u64::from(count) {
            return Err(self.short(count.into()));
        }
        let (mut field, mut left) = (0u64, count);
        while left > 0 {
            let byte = self.message.get((at >> 3) as usize).copied().unwrap_or_default();
            let skip = (at & 7) as u32;
            let take = left.min(8 - skip);
            let part = byte << skip >> (8 - take);
            field = field << take | u64::from(part);
            at += u64::from(take);
            left -= take;
        }
        Ok(field)
    }

    /// Returns the next 57 bits or more without reading them. The first bit is on top; bits after the end are zero.
    #[inline(always)]
    #[must_use]
    pub fn peek(&self) -> u64 {
        let (start, skip) = ((self.at >> 3) as usize, (self.at & 7) as u32);
        match self.message.get(start..).and_then(<[u8]>::first_chunk::<8>) {
            Some(window) => u64::from_be_bytes(*window) << skip,
            None => bytes_at_the_end(self.message, start) << skip,
        }
    }

    /// Returns the next 24 octets without reading them, if the message has these and one more.
    #[inline(always)]
    pub(super) fn peek_octets(&self) -> Option<[u8; 24]> {
        let (start, skip) = ((self.at >> 3) as usize, (self.at & 7) as u32);
        let source = self.message.get(start..)?.first_chunk::<25>()?;
        let mut octets = [0; 24];
        let eights = source.as_chunks::<8>().0.iter().zip(source[1..].as_chunks::<8>().0);
        for (place, (eight, next)) in octets.as_chunks_mut::<8>().0.iter_mut().zip(eights) {
            let eight = u64::from_be_bytes(*eight) << skip | u64::from(next[7]) >> (8 - skip);
            *place = eight.to_be_bytes();
        }
        Some(octets)
    }

    /// Returns a text of up to 15 octets and its length, without reading it. An octet before the text holds the length;
    /// the text is at the front of the 16 octets returned. `None` if the message has fewer octets than the longest such
    /// text and one more, or if an octet of the text is not in 0x20 to 0x7F. It may also be `None` for a text that ends
    /// with a space.
    #[inline(always)]
    pub(super) fn peek_short_text(&self) -> Option<([u8; 16], usize)> {
        let (start, skip) = ((self.at >> 3) as usize, (self.at & 7) as u32);
        let source = self.message.get(start..start + 17)?.first_chunk::<17>()?;
        let [front, back] = [*source.first_chunk()?, *source[8..].first_chunk()?].map(u64::from_be_bytes);
        let count = (front << skip >> 56) as usize;
        let highest = HIGHEST_OF.get(count)?;
        let both = u128::from(front) << 64 | u128::from(back);
        let text = both << (skip + 8) | u128::from(source[16]) << skip;
        // An octet below 0x20 borrows from the one before it. That changes the answer only if the last octet is a
        // space.
        let [front, back] = [(text >> 64) as u64, text as u64];
        let beyond =
            (front | front.wrapping_sub(SPACES)) & highest[0] | (back | back.wrapping_sub(SPACES)) & highest[1];
        (beyond == 0).then_some((text.to_be_bytes(), count))
    }

    /// Skips bits.
    ///
    /// # Errors
    /// If the message ends first.
    #[inline(always)]
    pub fn skip(&mut self, count: u64) -> Result<(), Error> {
        if count > self.left() {
            return Err(self.short(count));
        }
        self.at += count;
        Ok(())
    }

    /// Skips the bits up to the next whole byte.
    #[inline(always)]
    pub fn align(&mut self) {
        self.at = (self.at + 7) & !7;
    }

    /// The next `count` bytes, if they start at a whole byte.
    #[inline(always)]
    fn whole_bytes(&self, count: usize) -> Option<&'m [u8]> {
        if self.at & 7 != 0 {
            return None;
        }
        let start = (self.at >> 3) as usize;
        self.message.get(start..start.checked_add(count)?)
    }

    /// Reads `count` bytes. At a whole byte, returns them as a slice of the message; otherwise copies them to the end
    /// of `copies` and returns `None`.
    ///
    /// # Errors
    /// If the message ends first. Nothing is copied then.
    #[inline]
    pub fn bytes(&mut self, count: usize, copies: &mut Vec<u8>) -> Result<Option<&'m [u8]>, Error> {
        let bits = (count as u64).saturating_mul(8);
        if self.left() < bits {
            return Err(self.short(bits));
        }
        if let Some(bytes) = self.whole_bytes(count) {
            self.at += bits;
            return Ok(Some(bytes));
        }
        if self.bytes_within(count, copies).is_none() {
            self.copy(count, copies);
        }
        Ok(None)
    }

    /// Copies up to 256 bytes that start within a byte of the message to the end of `copies`, eight at a time. Returns
    /// whether each is in 0x20 to 0x7F. `None`, and nothing is read, if they start at a whole byte, are more, or have
    /// too little of the message after them. The vector code of `copy` is faster for more bytes.
    #[inline(always)]
    pub(super) fn bytes_within(&mut self, count: usize, copies: &mut Vec<u8>) -> Option<bool> {
        const MOST: usize = 256;
        let (start, skip) = ((self.at >> 3) as usize, (self.at & 7) as u32);
        if count > MOST || skip == 0 {
            return None;
        }
        let padded = count.next_multiple_of(8);
        let source = self.message.get(start..)?.get(..=padded)?;
        let (eights, nexts) = (source.as_chunks::<8>().0, source.get(1..)?.as_chunks::<8>().0);
        let (len, mut seen, mut last) = (copies.len(), 0, SPACES);
        for (eight, next) in eights.iter().zip(nexts) {
            seen |= not_above(last);
            last = u64::from_be_bytes(*eight) << skip | u64::from(next[7] >> (8 - skip));
            copies.extend_from_slice(&last.to_be_bytes());
        }
        copies.truncate(len + count);
        self.at += count as u64 * 8;
        // Positions after the last byte count as spaces.
        let beyond = u64::MAX.checked_shr((8 * (count + 8 - padded)) as u32).unwrap_or_default();
        seen |= not_above(last & !beyond | SPACES & beyond);
        Some(seen == 0)
    }

    /// Copies bytes that start within a byte of the message. The caller has checked that they exist.
    fn copy(&mut self, count: usize, copies: &mut Vec<u8>) {
        let (start, skip) = ((self.at >> 3) as usize, (self.at & 7) as u32);
        let source = self.message.get(start..).unwrap_or_default();
        // One byte after the other, in a shape that compilers vectorize.
        let source = source.get(..=count).unwrap_or_default();
        let after = source.get(1..).unwrap_or_default();
        copies.extend(source.iter().zip(after).map(|(first, second)| first << skip | second >> (8 - skip)));
        self.at += count as u64 * 8;
    }

    /// The error for a message that ends before a field of `bits` bits.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn short(self, bits: u64) -> Error {
        let needed = (bits - self.left().min(bits)).div_ceil(8).max(1);
        Error::incomplete("per", 0, needed, Words::Count(bits, "bits")).at_bit(self.at)
    }
}

/// The highest bit of each of the first octets of 16, indexed by their number.
static HIGHEST_OF: [[u64; 2]; 16] = {
    let mut highest = [[0; 2]; 16];
    let mut count = 0;
    while count < 16 {
        let bits = 0x8080_8080_8080_8080_8080_8080_8080_8080 & !(u128::MAX >> (8 * count));
        highest[count] = [(bits >> 64) as u64, bits as u64];
        count += 1;
    }
    highest
};

// These functions take arguments that fit in registers, so that callers can keep their reader in registers too.

/// The next bits of a message from bit `at` on, near its end. At least `count` bits must be left.
#[inline(never)]
fn last_window(message: &[u8], at: u64, count: u32) -> Result<u64, Error> {
    let end = message.len() as u64 * 8;
    if at + u64::from(count) > end {
        return Err(BitReader { message, at }.short(count.into()));
    }
    match message.last_chunk::<8>() {
        // The window begins before the field. For an empty field at the very end its content does not matter.
        Some(window) => Ok(u64::from_be_bytes(*window) << ((at + 64 - end) & 63)),
        None => Ok(bytes_at_the_end(message, (at >> 3) as usize) << (at & 7)),
    }
}

/// Eight bytes of a message from byte `start` on, near its end; bytes after the end are zero.
#[inline]
fn bytes_at_the_end(message: &[u8], start: usize) -> u64 {
    if let Some(window) = message.last_chunk::<8>() {
        let skip = start.saturating_sub(message.len() - 8) as u32 * 8;
        return u64::from_be_bytes(*window).checked_shl(skip).unwrap_or_default();
    }
    let rest = message.get(start..).unwrap_or_default();
    let window = rest.iter().fold(0, |window, byte| window << 8 | u64::from(*byte));
    window.checked_shl(64 - rest.len() as u32 * 8).unwrap_or_default()
}

/// Writes fields of bits to the end of a buffer.
///
/// ```
/// use lengthwise_asn1::per::BitWriter;
///
/// let mut message = Vec::new();
/// let mut bits = BitWriter::new(&mut message);
/// bits.write(0b101, 3);
/// bits.align();
/// bits.write(0xFF, 8);
/// bits.finish();
/// assert_eq!(message, [0b1010_0000, 0xFF]);
/// ```
#[derive(Debug)]
pub struct BitWriter<'o> {
    out: &'o mut Vec<u8>,
    /// Where the message starts in `out`, in bytes.
    start: usize,
    /// Bits not yet in `out`, the last one lowest.
    held: u64,
    /// The number of these bits, at most 63.
    count: u32,
}

impl<'o> BitWriter<'o> {
    /// Starts a message at the end of a buffer.
    pub fn new(out: &'o mut Vec<u8>) -> BitWriter<'o> {
        let start = out.len();
        BitWriter { out, start, held: 0, count: 0 }
    }

    /// The length of the message in bits.
    #[inline]
    #[must_use]
    pub fn position(&self) -> u64 {
        (self.out.len() - self.start) as u64 * 8 + u64::from(self.count)
    }

    /// Writes the lowest `count` bits of a number, at most 64; bits above them must be zero.
    #[inline(always)]
    pub fn write(&mut self, field: u64, count: u32) {
        debug_assert!(count <= 64 && (count == 64 || field >> count == 0), "{field} in {count} bits");
        let room = 64 - self.count;
        if count < room {
            self.held = self.held << count | field;
            self.count += count;
            return;
        }
        // `room` is 1 to 64, and `over` 0 to 63.
        let over = count - room;
        let full = if room == 64 { field } else { self.held << room | field >> over };
        self.out.extend_from_slice(&full.to_be_bytes());
        self.held = if over == 0 { 0 } else { field & (u64::MAX >> (64 - over)) };
        self.count = over;
    }

    /// Writes one bit.
    #[inline(always)]
    pub fn bit(&mut self, bit: bool) {
        self.write(u64::from(bit), 1);
    }

    /// Writes zero bits up to the next whole byte.
    #[inline(always)]
    pub fn align(&mut self) {
        self.write(0, self.count.wrapping_neg() & 7);
    }

    /// Writes bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        if self.count & 7 == 0 {
            self.flush();
            self.out.extend_from_slice(bytes);
            return;
        }
        // A few bytes are written as fields of eight bytes.
        if bytes.len() <= 32 {
            let (eights, rest) = bytes.as_chunks();
            eights.iter().for_each(|eight| self.write(u64::from_be_bytes(*eight), 64));
            self.write(few(rest), 8 * rest.len() as u32);
            return;
        }
        let [first, rest @ ..] = bytes else { return };
        // The whole bytes held go out first. Then each byte is put together from two, in a shape that compilers
        // vectorize.
        let part = self.count & 7;
        let held = self.held;
        (self.held, self.count) = (held >> part, self.count - part);
        self.flush();
        let over = 8 - part;
        self.out.push((held << over) as u8 | first >> part);
        self.out.extend(bytes.iter().zip(rest).map(|(before, byte)| before << over | byte >> part));
        let last = rest.last().unwrap_or(first);
        (self.held, self.count) = (u64::from(last & (0xFF >> over)), part);
    }

    /// Writes up to 64 bytes of 0x20 to 0x7F, eight at a time. Returns `false` for any other byte or more of them; the
    /// caller must then undo what was written.
    #[inline(always)]
    pub(super) fn plain_bytes(&mut self, bytes: &[u8]) -> bool {
        const MOST: usize = 64;
        if bytes.len() > MOST {
            return false;
        }
        let (eights, rest) = bytes.as_chunks::<8>();
        let mut seen = 0;
        for eight in eights {
            let eight = u64::from_be_bytes(*eight);
            seen |= not_above(eight);
            // `self.count` is up to 63.
            let full = self.held << 1 << (63 - self.count) | eight >> self.count;
            self.out.extend_from_slice(&full.to_be_bytes());
            self.held = eight & ((1 << self.count) - 1);
        }
        let (field, count) = (few(rest), 8 * rest.len() as u32);
        // The positions before them count as spaces.
        seen |= not_above(field | SPACES << count);
        self.write(field, count);
        seen == 0
    }

    /// Writes the first `count` bits of some bytes.
    pub fn bits_of(&mut self, bytes: &[u8], count: u64) {
        let whole = (count / 8) as usize;
        let rest = (count % 8) as u32;
        self.bytes(bytes.get(..whole).unwrap_or(bytes));
        if let Some(last) = bytes.get(whole)
            && rest > 0
        {
            self.write(u64::from(last >> (8 - rest)), rest);
        }
    }

    /// Moves the whole bytes held into the buffer, if the bits held are whole bytes.
    #[inline]
    fn flush(&mut self) {
        if self.count > 0 {
            let bytes = (self.held << (64 - self.count)).to_be_bytes();
            self.out.extend_from_slice(bytes.get(..(self.count / 8) as usize).unwrap_or_default());
            (self.held, self.count) = (0, 0);
        }
    }

    /// The current end of the message.
    #[inline(always)]
    pub(super) fn mark(&self) -> Mark {
        Mark { len: self.out.len(), held: self.held, count: self.count }
    }

    /// Removes what has been written since the mark.
    pub(super) fn back(&mut self, mark: Mark) {
        self.out.truncate(mark.len);
        (self.held, self.count) = (mark.held, mark.count);
    }

    /// Writes through a copy of this writer, which compilers can keep in registers.
    #[inline(always)]
    pub(super) fn run<T>(&mut self, write: impl FnOnce(&mut BitWriter<'_>) -> T) -> T {
        let mut bits = BitWriter { out: self.out, start: self.start, held: self.held, count: self.count };
        let result = write(&mut bits);
        let BitWriter { held, count, .. } = bits;
        (self.held, self.count) = (held, count);
        result
    }

    /// Starts an empty message in `spare`, and sets the current one aside.
    pub(super) fn park(&mut self, spare: Vec<u8>) -> Parked {
        let parked = Parked { start: self.start, held: self.held, count: self.count, bytes: Vec::new() };
        (self.start, self.held, self.count) = (0, 0, 0);
        Parked { bytes: std::mem::replace(self.out, spare), ..parked }
    }

    /// Continues the message that was set aside. Returns the inner message, ended as by [`BitWriter::finish`], and its
    /// number of bits.
    pub(super) fn unpark(&mut self, parked: Parked) -> (Vec<u8>, u64) {
        let bits = self.position();
        self.align();
        self.flush();
        (self.start, self.held, self.count) = (parked.start, parked.held, parked.count);
        (std::mem::replace(self.out, parked.bytes), bits)
    }

    /// Ends the message with zero bits up to a whole byte, and returns its length in bytes.
    pub fn finish(mut self) -> usize {
        self.align();
        self.flush();
        self.out.len() - self.start
    }
}

/// Up to seven bytes as a number, the first one highest.
#[inline(always)]
fn few(bytes: &[u8]) -> u64 {
    if let (Some(front), Some(back)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // Where the two halves overlap, they have the same bytes.
        let [front, back] = [*front, *back].map(|four| u64::from(u32::from_be_bytes(four)));
        return front << (8 * bytes.len() - 32) | back;
    }
    bytes.iter().fold(0, |field, byte| field << 8 | u64::from(*byte))
}

/// An earlier end of the message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    len: usize,
    held: u64,
    count: u32,
}

/// An unfinished message that was set aside.
#[derive(Debug)]
pub(super) struct Parked {
    bytes: Vec<u8>,
    start: usize,
    held: u64,
    count: u32,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Each field equals what a reader finds bit by bit.
    #[test]
    fn fields_come_back_at_every_place_and_of_every_width() {
        for lead in 0..16 {
            for count in 0..=64 {
                let field = 0x9E37_79B9_7F4A_7C15u64 & u64::MAX.checked_shr(64 - count).unwrap_or(0);
                for after in [0, 1, 7, 64] {
                    let mut message = vec![0xEE];
                    let mut writer = BitWriter::new(&mut message);
                    (0..lead).for_each(|i| writer.bit(i % 3 == 0));
                    writer.write(field, count);
                    assert_eq!(writer.position(), lead + u64::from(count));
                    (0..after).for_each(|_| writer.bit(true));
                    let len = writer.finish();
                    assert_eq!(message.len(), 1 + len);
                    let message = &message[1..];
                    let mut reader = BitReader::new(message);
                    (0..lead).for_each(|i| assert_eq!(reader.bit().unwrap(), i % 3 == 0));
                    let naive = (0..u64::from(count)).fold(0, |field, i| {
                        let at = (lead + i) as usize;
                        field << 1 | u64::from(message[at / 8] >> (7 - at % 8) & 1)
                    });
                    assert_eq!(naive, field);
                    if (1..=57).contains(&count) {
                        assert_eq!(reader.peek() >> (64 - count), field);
                    }
                    assert_eq!(reader.read(count).unwrap(), field, "{count} bits after {lead}");
                }
            }
        }
    }

    /// Letters, except for one byte.
    fn letters(count: usize, odd: usize, byte: u8) -> Vec<u8> {
        let mut bytes = vec![b'a'; count];
        if let Some(place) = bytes.get_mut(odd) {
            *place = byte;
        }
        bytes
    }

    /// A message of `lead` set bits, then octets.
    fn after_bits(lead: u64, octets: &[&[u8]]) -> Vec<u8> {
        let mut message = Vec::new();
        let mut writer = BitWriter::new(&mut message);
        (0..lead).for_each(|_| writer.bit(true));
        octets.iter().for_each(|octets| writer.bytes(octets));
        writer.finish();
        message
    }

    #[test]
    fn plain_bytes_are_written_like_others_and_distinguished_from_them() {
        for lead in 0..64u64 {
            for count in 0..67 {
                let write = |bytes: &[u8], plainly: bool| {
                    let mut message = Vec::new();
                    let mut writer = BitWriter::new(&mut message);
                    (0..lead).for_each(|i| writer.bit(i % 3 == 0));
                    let written = if plainly { writer.plain_bytes(bytes) } else { true };
                    if !plainly {
                        bytes.iter().for_each(|byte| writer.write(u64::from(*byte), 8));
                    }
                    writer.bit(true);
                    writer.finish();
                    (written, message)
                };
                let plain: Vec<u8> = (0..count).map(|i| 0x20 + (i * 37 + 5) as u8 % 0x60).collect();
                assert_eq!(write(&plain, true).0, count <= 64);
                if count <= 64 {
                    assert_eq!(write(&plain, true), write(&plain, false), "{count} after {lead} bits");
                    for (place, byte) in (0..count).zip([0x00, 0x1F, 0x80, 0xC3, 0xFF].into_iter().cycle()) {
                        assert!(!write(&letters(count, place, byte), true).0, "{byte} at {place} of {count}");
                    }
                }
            }
        }
    }

    #[test]
    fn bytes_are_copied_from_within_a_byte_and_lent_at_a_whole_one() {
        let bytes: Vec<u8> = (0..40u8).map(|i| i.wrapping_mul(37)).collect();
        for lead in 0..9u64 {
            for count in 0..bytes.len() {
                let message = after_bits(lead, &[&bytes[..count]]);
                let mut reader = BitReader::new(&message);
                reader.seek(lead);
                let mut copies = Vec::new();
                match reader.bytes(count, &mut copies).unwrap() {
                    Some(lent) => assert!(lead % 8 == 0 && lent == &bytes[..count]),
                    None => assert!(lead % 8 != 0 && copies == bytes[..count]),
                }
                assert_eq!(reader.position(), lead + 8 * count as u64);
                assert!(reader.bytes(2, &mut copies).is_err());
            }
        }
    }

    #[test]
    fn bytes_within_others_say_whether_each_is_a_character_from_the_space_on() {
        for lead in 0..8u64 {
            for count in (0..20).chain(60..80).chain([127, 128, 129, 256, 257]) {
                for odd in (0..count.max(1)).step_by(3) {
                    for byte in [b' ', 0x7F, 0x1F, 0x80, 0, 0xFF] {
                        let bytes = letters(count, odd, byte);
                        // The bytes after them are ignored.
                        let message = after_bits(lead, &[&bytes, &[0xFF; 9]]);
                        let mut reader = BitReader::new(&message);
                        reader.seek(lead);
                        let mut copies = vec![1];
                        let above = reader.bytes_within(count, &mut copies);
                        if lead == 0 || count > 256 {
                            assert_eq!((above, reader.position(), copies.len()), (None, lead, 1));
                            continue;
                        }
                        assert_eq!(above, Some(bytes.iter().all(|byte| (0x20..0x80).contains(byte))));
                        assert_eq!((reader.position(), &copies[1..]), (lead + 8 * count as u64, &bytes[..]));
                    }
                }
            }
        }
    }

    #[test]
    fn short_texts_are_looked_at_wherever_they_start() {
        for lead in 0..8u64 {
            for count in 0..20usize {
                for odd in 0..count.max(1) {
                    for (byte, after) in
                        [b' ', 0x7F, 0x1F, 0x80, 0, 0xFF].into_iter().flat_map(|byte| [(byte, 0), (byte, 0xFF)])
                    {
                        let bytes = letters(count, odd, byte);
                        let message = after_bits(lead, &[&[count as u8], &bytes, &[after; 17]]);
                        let mut reader = BitReader::new(&message);
                        reader.seek(lead);
                        let plain = count < 16 && bytes.iter().all(|byte| (0x20..0x80).contains(byte));
                        let Some((text, len)) = reader.peek_short_text() else {
                            // The bytes after them may affect a space at their end.
                            assert!(!plain || after < 0x20 && bytes.last() == Some(&b' '));
                            continue;
                        };
                        assert_eq!((&text[..count], len, plain), (&bytes[..], count, true));
                        assert_eq!(BitReader { message: &message[..16], ..reader }.peek_short_text(), None);
                    }
                }
            }
        }
    }

    #[test]
    fn octets_are_looked_at_wherever_they_start() {
        let bytes: Vec<u8> = (0..40).map(|byte| byte ^ 0xA5).collect();
        for lead in 0..8 {
            let message = after_bits(lead, &[&bytes]);
            let mut reader = BitReader::new(&message);
            for at in 0..40 {
                reader.seek(lead + 8 * at as u64);
                let octets = reader.peek_octets();
                assert_eq!(octets.is_some(), message.len() - (reader.position() / 8) as usize > 24);
                assert!(octets.is_none_or(|octets| octets == bytes[at..at + 24]));
            }
        }
    }

    #[test]
    fn a_message_that_ends_says_how_many_bytes_are_missing() {
        let mut reader = BitReader::new(&[0xFF, 0xFF]);
        reader.seek(9);
        let error = reader.read(8).unwrap_err();
        assert_eq!((error.kind(), error.offset(), error.needed()), (tam::ErrorKind::Incomplete, 1, Some(1)));
        assert_eq!(error.to_string(), "incomplete at byte 1 (bit 1): found the end of the input, expected 8 bits");
        assert_eq!(reader.read(7).unwrap(), 0x7F);
        assert_eq!(reader.bytes(3, &mut Vec::new()).unwrap_err().needed(), Some(3));
        assert!(reader.bit().is_err() && reader.skip(1).is_err());
    }
}
