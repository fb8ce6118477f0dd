//! The path of the element being written.

use super::copy::ShortBytes;
use super::piece::SmallBytes;

/// The path of the element being written.
pub(super) struct Path {
    bytes: SmallBytes<32>,
}

impl Path {
    #[inline(always)]
    pub(super) fn new() -> Path {
        // Most steps are already in the buffer.
        Path { bytes: SmallBytes::before(*b"[0][0][0][0][0][0][0][0][0][0][0") }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Appends a step to an element. If the bytes are already in the buffer, they are not written again, so that the
    /// next load need not wait for the store.
    #[inline(always)]
    pub(super) fn step(&mut self, number: u32) {
        // Byte by byte, because they may just have been written.
        if let [b'[', digit, b']', ..] = self.bytes.beyond()
            && number < 10
            && u32::from(*digit) == u32::from(b'0') + number
        {
            self.bytes.take(3);
        } else {
            self.push_step(number);
        }
    }

    fn push_step(&mut self, number: u32) {
        self.bytes.push(b"[");
        self.push_number(number);
        self.bytes.push(b"]");
    }

    /// Truncates the path to a length.
    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    #[inline]
    pub(super) fn push_number(&mut self, number: u32) {
        if number < 10 {
            self.bytes.push(&[b'0' + number as u8]);
        } else {
            self.bytes.push(itoa::Buffer::new().format(number).as_bytes());
        }
    }

    /// The path, if it is short.
    #[inline(always)]
    pub(super) fn few(&self) -> Option<&ShortBytes<32>> {
        self.bytes.few()
    }

    /// Appends the path to `out`.
    #[inline]
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.bytes.put(out);
    }
}
