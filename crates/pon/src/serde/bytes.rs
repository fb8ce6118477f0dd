//! The bytes of a message, written where they belong at once.

use alloc::vec::Vec;

use super::lengths::{Containers, Lengths};
use super::sink::Sink;
use crate::key;
use crate::piece::{copy_short, digits};

/// Keys and strings of so many bytes are written as a piece, which is cheaper than a copy of any
/// length.
const SHORT: usize = 32;

/// Room for the head of a node, or a short key, and a short string.
const PIECE: usize = 16 + SHORT;

/// The bytes of a message, its lengths being known.
pub(super) struct Bytes<'o, 'l> {
    /// What has been written, then zeros to be overwritten.
    out: &'o mut Vec<u8>,
    /// Bytes written.
    at: usize,
    /// Bytes that will be written in the end.
    end: usize,
    containers: &'l Containers,
    /// The container that is next.
    next: usize,
    escapes: bool,
    /// Whether the value is another one than that whose lengths are known.
    changed: bool,
}

impl<'o, 'l> Bytes<'o, 'l> {
    /// Appends to `out`.
    pub(super) fn new(lengths: &'l Lengths, out: &'o mut Vec<u8>) -> Bytes<'o, 'l> {
        out.reserve(lengths.total + PIECE);
        let (at, end) = (out.len(), out.len() + lengths.total);
        let (containers, escapes) = (&lengths.containers, lengths.escapes);
        Bytes { out, at, end, containers, next: 0, escapes, changed: false }
    }

    /// Whether all that was measured has been written, and nothing else; what was made ahead goes.
    pub(super) fn finish(self) -> bool {
        self.out.truncate(self.at);
        !self.changed && self.next == self.containers.len && self.at == self.end
    }

    /// Room for a short node or key.
    #[inline(always)]
    fn piece(&mut self) -> &mut [u8; PIECE] {
        if self.at + PIECE > self.out.len() {
            self.grow();
        }
        match self.out.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut) {
            Some(piece) => piece,
            None => unreachable!("the buffer has been grown"),
        }
    }

    /// Bytes must be something before they can be written: they are made zeros a little ahead.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        const AHEAD: usize = 4096;
        let ahead = (self.end + PIECE).saturating_sub(self.at).clamp(PIECE, AHEAD);
        self.out.resize(self.at + ahead, 0);
    }

    /// Bytes of any number.
    #[inline(never)]
    fn long(&mut self, bytes: &[u8]) {
        match self.out.get_mut(self.at..self.at + bytes.len()) {
            Some(place) => place.copy_from_slice(bytes),
            None => {
                self.out.truncate(self.at);
                self.out.extend_from_slice(bytes);
            }
        }
        self.at += bytes.len();
    }

    #[inline(always)]
    fn head(&mut self, len: u64, tag: u8) {
        let piece = self.piece();
        let digits = decimal(piece, 0, len);
        piece[digits] = tag;
        self.at += digits + 1;
    }

    #[cold]
    fn long_key(&mut self, key: &str) {
        if self.escapes {
            let key: Vec<u8> = key::escaped(key.bytes()).collect();
            self.long(&key);
        } else {
            self.long(key.as_bytes());
        }
        self.long(b":");
    }
}

/// Writes a number in decimal from `at` on; how many digits it has.
#[inline(always)]
fn decimal(piece: &mut [u8; PIECE], at: usize, value: u64) -> usize {
    if value < 10 {
        piece[at] = b'0' + value as u8;
        return 1;
    }
    if value < 100 {
        pair(piece, at, value);
        return 2;
    }
    long_decimal(piece, at, value)
}

fn long_decimal(piece: &mut [u8; PIECE], at: usize, value: u64) -> usize {
    match value {
        0..1000 => {
            piece[at] = b'0' + (value / 100) as u8;
            pair(piece, at + 1, value % 100);
            3
        }
        1000..10_000 => {
            four(piece, at, value);
            4
        }
        10_000..100_000 => {
            piece[at] = b'0' + (value / 10_000) as u8;
            four(piece, at + 1, value % 10_000);
            5
        }
        _ => {
            let mut buffer = itoa::Buffer::new();
            let text = buffer.format(value).as_bytes();
            copy_short(piece, at, text);
            text.len()
        }
    }
}

#[inline(always)]
fn four(piece: &mut [u8; PIECE], at: usize, value: u64) {
    pair(piece, at, value / 100);
    pair(piece, at + 2, value % 100);
}

#[inline(always)]
fn pair(piece: &mut [u8; PIECE], at: usize, value: u64) {
    [piece[at], piece[at + 1]] = [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8];
}

impl Sink for Bytes<'_, '_> {
    /// Where it must end.
    type Open = usize;

    #[inline(always)]
    fn node(&mut self, tag: u8, data: &[u8]) {
        if data.len() > SHORT {
            self.head(data.len() as u64, tag);
            return self.long(data);
        }
        let piece = self.piece();
        let start = decimal(piece, 0, data.len() as u64) + 1;
        piece[start - 1] = tag;
        copy_short(piece, start, data);
        self.at += start + data.len();
    }

    #[inline(always)]
    fn bare(&mut self, node: &[u8]) {
        copy_short(self.piece(), 0, node);
        self.at += node.len();
    }

    #[inline(always)]
    fn integer(&mut self, negative: bool, magnitude: u64) {
        let len = usize::from(negative) + digits(magnitude);
        let piece = self.piece();
        let mut at = decimal(piece, 0, len as u64);
        piece[at] = b'i';
        at += 1;
        if negative {
            piece[at] = b'-';
            at += 1;
        }
        at += decimal(piece, at, magnitude);
        self.at += at;
    }

    #[inline(always)]
    fn key(&mut self, key: &str) {
        if self.escapes || key.len() > SHORT {
            return self.long_key(key);
        }
        let piece = self.piece();
        copy_short(piece, 0, key.as_bytes());
        piece[key.len()] = b':';
        self.at += key.len() + 1;
    }

    #[inline(always)]
    fn map_key(&mut self, key: &str) {
        self.changed |= !self.escapes && key::needs_escapes(key.as_bytes());
        self.key(key);
    }

    #[inline(always)]
    fn open(&mut self, tag: u8) -> usize {
        // Where there is no length, the value has changed: what is written is thrown away.
        let len = self.containers.get(self.next);
        self.next += 1;
        self.head(len.into(), tag);
        self.at + len as usize
    }

    #[inline(always)]
    fn close(&mut self, end: usize) {
        self.changed |= self.at != end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_library_writes_them() {
        let powers = (0..20).map(|power| 10_u64.pow(power));
        let near =
            powers.flat_map(|power| [power - 1, power, power + 1, power.wrapping_mul(7), power.wrapping_mul(19)]);
        for value in near.chain((0..20_000).step_by(test_support::stride(97))).chain([u64::MAX, u64::MAX - 1]) {
            let mut piece = [0; PIECE];
            let count = decimal(&mut piece, 3, value);
            assert_eq!(core::str::from_utf8(&piece[3..3 + count]), Ok(&*alloc::format!("{value}")));
        }
    }
}
