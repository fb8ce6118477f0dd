//! A buffer that is written from its end to its front.

use crate::schema::{StringKind, Tag, TagClass};

/// Appends a message to a buffer, written from its last octet to its first.
///
/// The length of a value precedes the value. When a message is written from its end, every length is known when it is
/// needed, so nothing is moved or written twice.
#[derive(Debug)]
pub(crate) struct Backward<'o> {
    out: &'o mut Vec<u8>,
    /// The length of the buffer before the message.
    before: usize,
    /// The start of the octets written so far, which extend to the end of the buffer.
    start: usize,
}

impl<'o> Backward<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Backward<'o> {
        let before = out.len();
        // Uses the spare capacity of the buffer first.
        let room = (out.capacity() - before).clamp(64, 4096);
        out.resize(before + room, 0);
        let start = out.len();
        Backward { out, before, start }
    }

    /// The number of octets written.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.out.len() - self.start
    }

    /// The octets written since `len` of them had been written.
    #[inline]
    pub(crate) fn since(&self, len: usize) -> &[u8] {
        self.out.get(self.start..self.out.len() - len).unwrap_or_default()
    }

    /// The same octets, mutable.
    pub(crate) fn since_mut(&mut self, len: usize) -> &mut [u8] {
        let end = self.out.len() - len;
        self.out.get_mut(self.start..end).unwrap_or_default()
    }

    /// Removes what has been written since `len` octets had been written.
    pub(crate) fn take_back(&mut self, len: usize) {
        self.start = self.out.len() - len;
    }

    /// Room for `count` more octets before those written.
    #[inline(always)]
    fn place(&mut self, count: usize) -> &mut [u8] {
        if self.start - self.before < count {
            self.grow(count);
        }
        let end = self.start;
        self.start -= count;
        self.out.get_mut(self.start..end).unwrap_or_default()
    }

    /// At least doubles the buffer each time, so that all copying together is proportional to the length of the
    /// message.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let (written, end) = (self.len(), self.out.len());
        let more = (end - self.before).max(count);
        self.out.resize(end + more, 0);
        self.out.copy_within(self.start..end, self.start + more);
        self.start = self.out.len() - written;
    }

    #[inline(always)]
    pub(crate) fn octets(&mut self, octets: &[u8]) {
        self.place(octets.len()).copy_from_slice(octets);
    }

    #[inline(always)]
    pub(crate) fn octet(&mut self, octet: u8) {
        if let [place] = self.place(1) {
            *place = octet;
        }
    }

    /// Writes bits, zeros after those that are given and in what is left of the last octet; how many bits are left.
    pub(crate) fn bits(&mut self, octets: &[u8], count: u64) -> u8 {
        let len = count.div_ceil(8) as usize;
        let unused = (len as u64 * 8 - count) as u8;
        let there = octets.get(..len).unwrap_or(octets);
        for _ in there.len()..len {
            self.octet(0);
        }
        match there {
            [rest @ .., last] if there.len() == len => {
                self.octet(last >> unused << unused);
                self.octets(rest);
            }
            there => self.octets(there),
        }
        unused
    }

    /// Writes a number in two's complement, in as few octets as possible.
    #[inline(always)]
    pub(crate) fn number(&mut self, number: i64) {
        // The leading bits that repeat the sign, less one.
        let same = if number < 0 { number.leading_ones() } else { number.leading_zeros() } - 1;
        let octets = 8 - (same / 8) as usize;
        let all = number.to_be_bytes();
        self.octets(all.get(8 - octets..).unwrap_or_default());
    }

    /// Writes characters of one, two or four octets each.
    #[inline(never)]
    pub(crate) fn characters(&mut self, kind: StringKind, text: &str) {
        let points = text.chars().rev().map(u32::from);
        match kind {
            StringKind::Bmp => points.for_each(|point| self.octets(&(point as u16).to_be_bytes())),
            StringKind::Universal => points.for_each(|point| self.octets(&point.to_be_bytes())),
            _ if text.is_ascii() => self.octets(text.as_bytes()),
            _ => points.for_each(|point| self.octet(point as u8)),
        }
    }

    /// Writes the header before contents, which are all octets written since there were `len`.
    #[inline(always)]
    pub(crate) fn header(&mut self, tag: Tag, constructed: bool, len: usize) {
        let length = self.len() - len;
        let identifier = class_bits(tag.class) | if constructed { 0x20 } else { 0 };
        if length < 0x80 && tag.number < 0x1F {
            if let [first, second] = self.place(2) {
                (*first, *second) = (identifier | tag.number as u8, length as u8);
            }
            return;
        }
        self.long_header(identifier, tag.number, length);
    }

    /// Writes the header before contents of an indefinite length.
    pub(crate) fn indefinite_header(&mut self, tag: Tag) {
        self.octet(0x80);
        self.identifier(class_bits(tag.class) | 0x20, tag.number);
    }

    #[inline(never)]
    fn long_header(&mut self, identifier: u8, number: u32, length: usize) {
        if length < 0x80 {
            self.octet(length as u8);
        } else {
            let all = length.to_be_bytes();
            let zeros = (length.leading_zeros() / 8) as usize;
            let octets = all.get(zeros..).unwrap_or_default();
            self.octets(octets);
            self.octet(0x80 | octets.len() as u8);
        }
        self.identifier(identifier, number);
    }

    /// Writes identifier octets.
    fn identifier(&mut self, identifier: u8, number: u32) {
        if number < 0x1F {
            return self.octet(identifier | number as u8);
        }
        self.octet(number as u8 & 0x7F);
        let mut rest = number >> 7;
        while rest > 0 {
            self.octet(0x80 | rest as u8 & 0x7F);
            rest >>= 7;
        }
        self.octet(identifier | 0x1F);
    }

    /// Ends the message, which now directly follows the earlier content of the buffer. Returns its length.
    pub(crate) fn finish(self) -> usize {
        let len = self.len();
        self.out.copy_within(self.start.., self.before);
        self.out.truncate(self.before + len);
        len
    }

    /// Restores the buffer.
    pub(crate) fn abandon(self) {
        self.out.truncate(self.before);
    }
}

#[inline(always)]
fn class_bits(class: TagClass) -> u8 {
    (class as u8) << 6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Backward<'_>)) -> Vec<u8> {
        let mut out = vec![0xEE, 0xEF];
        let mut backward = Backward::new(&mut out);
        write(&mut backward);
        let len = backward.finish();
        assert_eq!(out.get(..2), Some(&[0xEE, 0xEF][..]));
        assert_eq!(out.len(), 2 + len);
        out.split_off(2)
    }

    /// By X.690 clause 8.3.
    #[test]
    fn numbers_take_as_few_octets_as_can_be() {
        let cases: [(i64, &[u8]); 10] = [
            (0, &[0]),
            (127, &[0x7F]),
            (128, &[0, 0x80]),
            (-1, &[0xFF]),
            (-128, &[0x80]),
            (-129, &[0xFF, 0x7F]),
            (32767, &[0x7F, 0xFF]),
            (32768, &[0, 0x80, 0]),
            (i64::MAX, &[0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            (i64::MIN, &[0x80, 0, 0, 0, 0, 0, 0, 0]),
        ];
        for (number, octets) in cases {
            assert_eq!(written(|out| out.number(number)), octets, "{number}");
        }
    }

    /// By X.690 clauses 8.1.2 and 8.1.3.
    #[test]
    fn headers_are_as_short_as_can_be() {
        let header = |class, number, constructed, length: usize| {
            let mut all = written(|out| {
                out.octets(&vec![0; length]);
                out.header(Tag { class, number }, constructed, 0);
            });
            all.truncate(all.len() - length);
            all
        };
        assert_eq!(header(TagClass::Universal, 16, true, 0), [0x30, 0]);
        assert_eq!(header(TagClass::Context, 30, false, 127), [0x9E, 127]);
        assert_eq!(header(TagClass::Context, 31, false, 128), [0x9F, 31, 0x81, 128]);
        assert_eq!(header(TagClass::Application, 128, true, 255), [0x7F, 0x81, 0, 0x81, 255]);
        assert_eq!(header(TagClass::Private, u32::MAX, false, 256), [0xDF, 0x8F, 0xFF, 0xFF, 0xFF, 0x7F, 0x82, 1, 0]);
        assert_eq!(header(TagClass::Universal, 4, false, 1 << 16), [4, 0x83, 1, 0, 0]);
    }

    #[test]
    fn what_was_in_the_buffer_stays_however_much_is_written() {
        for count in [0usize, 1, 61, 62, 63, 64, 65, 4095, 4096, 4097, 100_000] {
            let octets: Vec<u8> = (0..count).map(|i| (i * 7) as u8).collect();
            let all = written(|out| octets.iter().rev().for_each(|octet| out.octet(*octet)));
            assert!(all == octets, "{count} octets");
            assert!(written(|out| out.octets(&octets)) == octets, "{count} octets at once");
        }
        let mut out = vec![1];
        let mut backward = Backward::new(&mut out);
        backward.octets(&[0; 1000]);
        backward.abandon();
        assert_eq!(out, [1]);
    }
}
