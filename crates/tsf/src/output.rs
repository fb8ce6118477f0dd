//! The buffer a message is written into.

use tam::{Document, Error};

/// Bytes of short pieces are copied so many at once.
const BLOCK: usize = 16;

/// A buffer of the caller's, or only the count of what would go into it.
///
/// Writing beyond the end is noted, not done; [`Output::check`] tells.
pub(crate) struct Output<'b> {
    buffer: &'b mut [u8],
    len: usize,
    counting: bool,
}

impl<'b> Output<'b> {
    /// Room behind a message that makes every copy of a short piece one of whole blocks.
    #[cfg(feature = "alloc")]
    pub(crate) const SLACK: usize = 2 * BLOCK;

    pub(crate) fn new(buffer: &'b mut [u8]) -> Output<'b> {
        Output { buffer, len: 0, counting: false }
    }

    /// Nothing is written, all is counted.
    pub(crate) fn counting() -> Output<'b> {
        Output { buffer: &mut [], len: 0, counting: true }
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether all of it had room.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.counting || self.len <= self.buffer.len() { Ok(()) } else { Err(self.short()) }
    }

    #[cold]
    fn short(&self) -> Error {
        Error::limit("tsf", self.buffer.len() as u64, "a longer message", "buffer", self.buffer.len() as u64)
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) {
        if let Some(place) = self.buffer.get_mut(self.len) {
            *place = byte;
        }
        self.len += 1;
    }

    /// A number in decimal digits.
    #[inline(always)]
    pub(crate) fn decimal(&mut self, number: u32) {
        if number < 10 {
            return self.byte(b'0' + number as u8);
        }
        if number < 100 {
            if let Some(place) = self.buffer.get_mut(self.len..self.len + 2) {
                place[0] = b'0' + (number / 10) as u8;
                place[1] = b'0' + (number % 10) as u8;
            }
            self.len += 2;
            return;
        }
        self.long_decimal(number);
    }

    #[inline(never)]
    fn long_decimal(&mut self, mut number: u32) {
        let len = decimal_len(number);
        if let Some(place) = self.buffer.get_mut(self.len..self.len + len) {
            for digit in place.iter_mut().rev() {
                *digit = b'0' + (number % 10) as u8;
                number /= 10;
            }
        }
        self.len += len;
    }

    /// A name or data of the document.
    #[inline(always)]
    pub(crate) fn copy(&mut self, document: &Document<'_>, at: u32, len: u32) {
        let (message, _) = document.texts();
        let (at, len) = (at as usize, len as usize);
        if len <= 2 * BLOCK
            && let Some(from) = message.get(at..at + 2 * BLOCK)
            && let Some(to) = self.buffer.get_mut(self.len..self.len + 2 * BLOCK)
        {
            to[..BLOCK].copy_from_slice(&from[..BLOCK]);
            if len > BLOCK {
                to[BLOCK..].copy_from_slice(&from[BLOCK..]);
            }
            self.len += len;
            return;
        }
        self.copy_exactly(document.text(at as u32, len as u32));
    }

    #[inline(never)]
    fn copy_exactly(&mut self, from: &[u8]) {
        if let Some(to) = self.buffer.get_mut(self.len..self.len + from.len()) {
            to.copy_from_slice(from);
        }
        self.len += from.len();
    }
}

/// Number of decimal digits.
#[inline]
pub(crate) fn decimal_len(number: u32) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
