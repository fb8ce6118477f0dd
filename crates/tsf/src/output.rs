//! The buffer a message is written into.

use tam::{Error, Row};

/// Names and data of less than so many bytes are short, and copied as one block of that size.
const BLOCK: usize = 32;

/// Room for any unit of a short name and short data: digits, name, type, data.
const PIECE: usize = 4 + 1 + 3 * BLOCK;

/// Where the bytes go.
pub(crate) trait Buffer {
    /// The bytes there is room for, those written among them.
    fn bytes(&mut self) -> &mut [u8];

    /// Makes room for `more` bytes after `len` bytes; `false` if that is impossible.
    fn grow(&mut self, len: usize, more: usize) -> bool;
}

/// A buffer of the caller's.
pub(crate) struct Lent<'b>(pub(crate) &'b mut [u8]);

impl Buffer for Lent<'_> {
    #[inline(always)]
    fn bytes(&mut self) -> &mut [u8] {
        self.0
    }

    fn grow(&mut self, _: usize, _: usize) -> bool {
        false
    }
}

/// A vector that grows.
#[cfg(feature = "alloc")]
pub(crate) struct Appended<'v> {
    out: &'v mut alloc::vec::Vec<u8>,
    ahead: usize,
}

#[cfg(feature = "alloc")]
impl<'v> Appended<'v> {
    /// A vector to which about `more` bytes will be added.
    pub(crate) fn new(out: &'v mut alloc::vec::Vec<u8>, more: usize) -> Appended<'v> {
        const AHEAD: usize = 8 * 1024;
        out.reserve(more);
        Appended { out, ahead: more.min(AHEAD) }
    }
}

#[cfg(feature = "alloc")]
impl Buffer for Appended<'_> {
    #[inline(always)]
    fn bytes(&mut self) -> &mut [u8] {
        self.out
    }

    /// Bytes must be something before they can be written: they are made zeros a little ahead, so
    /// that both happen in the processor's first cache.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize, more: usize) -> bool {
        self.out.resize(len + more + self.ahead, 0);
        true
    }
}

/// No bytes at all: what would be written is counted.
pub(crate) struct Counted;

impl Buffer for Counted {
    fn bytes(&mut self) -> &mut [u8] {
        &mut []
    }

    fn grow(&mut self, _: usize, _: usize) -> bool {
        false
    }
}

/// A buffer and how much of it is written.
///
/// What has no room is counted, not written; [`Output::check`] reports it.
pub(crate) struct Output<B> {
    buffer: B,
    /// What the buffer holds before the message.
    start: usize,
    /// What it holds in all.
    len: usize,
}

impl<B: Buffer> Output<B> {
    /// Writes after the first `start` bytes of the buffer.
    pub(crate) fn new(buffer: B, start: usize) -> Output<B> {
        Output { buffer, start, len: start }
    }

    /// Bytes of the message so far.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len - self.start
    }

    /// Whether all of it had room.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        let room = self.buffer.bytes().len();
        if self.len <= room {
            return Ok(());
        }
        Err(Error::limit("tsf", room as u64, "a longer message", "buffer", room as u64))
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) {
        if let Some(place) = self.buffer.bytes().get_mut(self.len) {
            *place = byte;
            self.len += 1;
        } else {
            self.copy(&[byte]);
        }
    }

    /// A number in decimal digits.
    #[inline(never)]
    pub(crate) fn decimal(&mut self, mut number: u32) {
        let mut digits = [0; 10];
        let mut first = digits.len();
        loop {
            first -= 1;
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.copy(&digits[first..]);
    }

    /// A name or data, however long.
    #[inline(never)]
    pub(crate) fn copy(&mut self, from: &[u8]) {
        let end = self.len + from.len();
        if end <= self.buffer.bytes().len() || self.buffer.grow(self.len, from.len()) {
            self.buffer.bytes()[self.len..end].copy_from_slice(from);
        }
        self.len = end;
    }

    /// Number, name and type of a unit, and data if it has any, all short, in one piece; `false`
    /// where they are not, and nothing is written.
    ///
    /// Blocks of a fixed size are copied, whatever the lengths. Bytes too many are overwritten by the next
    /// unit, or lie after the message.
    #[inline(always)]
    pub(crate) fn short_unit(&mut self, message: &[u8], row: &Row, number: u32, data: Option<(u32, u32)>) -> bool {
        let (data_at, data_len) = data.unwrap_or_default();
        // An extended name may not need to be one: it is looked at, not copied.
        let lengths = row.name_len() | data_len | (u32::from(row.has_extended_name()) * BLOCK as u32);
        if lengths >= BLOCK as u32 || number >= 10_000 {
            return false;
        }
        let (Some(name), Some(piece)) = (block(message, row.name_at()), self.piece()) else { return false };
        // Both are less than a block, which the compiler need only be reminded of.
        let (name_len, data_len) = (row.name_len() as usize % BLOCK, data_len as usize % BLOCK);
        let digits = four_digits(piece, number);
        copy_block(piece, digits, name, name_len);
        let kind = digits + name_len;
        piece[kind] = row.kind();
        if data.is_some() {
            let Some(data) = block(message, data_at) else { return false };
            copy_block(piece, kind + 1, data, data_len);
        }
        self.len += kind + 1 + data_len;
        true
    }

    /// Room for a whole short unit.
    #[inline(always)]
    fn piece(&mut self) -> Option<&mut [u8; PIECE]> {
        if self.buffer.bytes().len() < self.len + PIECE && !self.buffer.grow(self.len, PIECE) {
            return None;
        }
        self.buffer.bytes().get_mut(self.len..self.len + PIECE)?.first_chunk_mut()
    }
}

#[inline(always)]
fn block(message: &[u8], at: u32) -> Option<&[u8; BLOCK]> {
    message.get(at as usize..at as usize + BLOCK)?.first_chunk()
}

/// Copies a block, or the half of it that is wanted: fewer bytes to write, where a line of the
/// cache takes so many pieces.
#[inline(always)]
fn copy_block(piece: &mut [u8; PIECE], at: usize, from: &[u8; BLOCK], len: usize) {
    const HALF: usize = BLOCK / 2;
    piece[at..at + HALF].copy_from_slice(&from[..HALF]);
    if len > HALF {
        piece[at + HALF..at + BLOCK].copy_from_slice(&from[HALF..]);
    }
}

/// Puts a number below 10 000 at the start of a piece; how many digits it has.
#[inline(always)]
fn four_digits(piece: &mut [u8; PIECE], number: u32) -> usize {
    let digit = |unit: u32| b'0' + (number / unit % 10) as u8;
    if number < 10 {
        piece[0] = digit(1);
        return 1;
    }
    if number < 100 {
        [piece[0], piece[1]] = [digit(10), digit(1)];
        return 2;
    }
    if number < 1000 {
        [piece[0], piece[1], piece[2]] = [digit(100), digit(10), digit(1)];
        return 3;
    }
    [piece[0], piece[1], piece[2], piece[3]] = [digit(1000), digit(100), digit(10), digit(1)];
    4
}
