//! The lengths of a message, found out before its bytes are written.

use alloc::vec::Vec;

use super::sink::Sink;
use crate::key;
use crate::piece::digits;

/// The lengths of a message.
pub(super) struct Lengths {
    /// Of the data of each container, in the order of their heads.
    pub(super) containers: Containers,
    /// Bytes of the whole message.
    pub(super) total: usize,
    /// Whether a key holds what must be escaped.
    pub(super) escapes: bool,
}

impl Lengths {
    /// Of nothing yet.
    pub(super) fn new() -> Lengths {
        let containers = Containers { first: [0; Containers::FIRST], others: Vec::new(), len: 0 };
        Lengths { containers, total: 0, escapes: false }
    }
}

/// The lengths of containers; for a small message nothing is allocated.
pub(super) struct Containers {
    first: [u32; Containers::FIRST],
    others: Vec<u32>,
    pub(super) len: usize,
}

impl Containers {
    const FIRST: usize = 16;

    #[inline(always)]
    fn push(&mut self) -> usize {
        if self.len >= Containers::FIRST {
            self.others.push(0);
        }
        self.len += 1;
        self.len - 1
    }

    #[inline(always)]
    fn set(&mut self, place: usize, len: usize) {
        let first = self.first.get_mut(place);
        let place = first.or_else(|| self.others.get_mut(place.wrapping_sub(Containers::FIRST)));
        if let Some(place) = place {
            // What is more than fits is found out when all is measured.
            *place = len as u32;
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> u32 {
        let first = self.first.get(place);
        first.or_else(|| self.others.get(place.wrapping_sub(Containers::FIRST))).copied().unwrap_or(0)
    }
}

impl Sink for Lengths {
    /// Its place among the containers, and where it begins.
    type Open = (usize, usize);

    #[inline(always)]
    fn node(&mut self, _: u8, data: &[u8]) {
        self.total += digits(data.len() as u64) + 1 + data.len();
    }

    #[inline(always)]
    fn bare(&mut self, node: &[u8]) {
        self.total += node.len();
    }

    #[inline(always)]
    fn integer(&mut self, negative: bool, magnitude: u64) {
        let len = usize::from(negative) + digits(magnitude);
        self.total += digits(len as u64) + 1 + len;
    }

    #[inline(always)]
    fn key(&mut self, key: &str) {
        self.total += key.len() + 1;
        if key::needs_escapes(key.as_bytes()) {
            self.escaped_key(key);
        }
    }

    #[inline(always)]
    fn open(&mut self, _: u8) -> (usize, usize) {
        (self.containers.push(), self.total)
    }

    #[inline(always)]
    fn close(&mut self, (place, start): (usize, usize)) {
        let len = self.total - start;
        self.containers.set(place, len);
        self.total += digits(len as u64) + 1;
    }
}

impl Lengths {
    #[cold]
    fn escaped_key(&mut self, key: &str) {
        self.escapes = true;
        self.total += key.bytes().filter(|&c| c == b':' || c == b'\\').count();
    }
}
