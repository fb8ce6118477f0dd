//! The buffer a message is written into.

use tam::{Error, Row};

/// Names and data of up to so many bytes are copied as one block of that size.
const BLOCK: usize = 32;

/// Room for any unit of short name and short data.
const PIECE: usize = 128;

/// Where the bytes go.
pub(crate) trait Buffer {
    /// The bytes there is room for, those written among them.
    fn bytes(&mut self) -> &mut [u8];

    /// Makes room for `more` bytes behind `len` ones; `false` where that cannot be.
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

/// The end of a vector, from the given place on.
#[cfg(feature = "alloc")]
pub(crate) struct Appended<'v>(pub(crate) &'v mut alloc::vec::Vec<u8>, pub(crate) usize);

#[cfg(feature = "alloc")]
impl Buffer for Appended<'_> {
    #[inline(always)]
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.0[self.1..]
    }

    /// Bytes must be something before they can be written: they are made zeros a little ahead, so
    /// that both happen in the processor's first cache.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize, more: usize) -> bool {
        const AHEAD: usize = 8 * 1024;
        self.0.resize(self.1 + len + more + AHEAD, 0);
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
/// What has no room is counted, not written; [`Output::check`] tells.
pub(crate) struct Output<B> {
    buffer: B,
    len: usize,
}

impl<B: Buffer> Output<B> {
    pub(crate) fn new(buffer: B) -> Output<B> {
        Output { buffer, len: 0 }
    }

    /// Bytes so far.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
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

    /// A whole unit of the document, in one piece where name and data are short; `false` where
    /// they are not, and nothing is written.
    ///
    /// Blocks of a fixed size are copied, whatever the lengths: what is too much is overwritten
    /// by what follows, or lies behind the message.
    #[inline(always)]
    pub(crate) fn short_unit(&mut self, message: &[u8], row: &Row, number: u32) -> bool {
        let block = |at: u32| message.get(at as usize..).and_then(|rest| rest.first_chunk::<BLOCK>());
        let data = if row.is_structured() { (0, 0) } else { (row.value_at(), row.len() as usize) };
        let name_len = row.name_len() as usize;
        if name_len > BLOCK || data.1 > BLOCK || number >= 1000 {
            return false;
        }
        let (Some(name), Some(value)) = (block(row.name_at()), block(data.0)) else { return false };
        let Some(piece) = self.piece() else { return false };
        let digits = three_digits(piece, number);
        *slot(piece, digits) = *name;
        let kind = digits + name_len;
        piece[kind % PIECE] = row.kind();
        *slot(piece, kind + 1) = *value;
        self.len += kind + 1 + data.1;
        true
    }

    /// Room for a whole short unit.
    #[inline(always)]
    fn piece(&mut self) -> Option<&mut [u8; PIECE]> {
        if self.buffer.bytes().len() < self.len + PIECE && !self.buffer.grow(self.len, PIECE) {
            return None;
        }
        self.buffer.bytes().get_mut(self.len..)?.first_chunk_mut()
    }
}

/// The block of a piece that starts at `at`, which is less than half of the piece.
#[inline(always)]
fn slot(piece: &mut [u8; PIECE], at: usize) -> &mut [u8; BLOCK] {
    const { assert!(PIECE / 2 + BLOCK <= PIECE && 3 + BLOCK < PIECE / 2) };
    let (_, behind) = piece.split_at_mut(at % (PIECE / 2));
    match behind.first_chunk_mut() {
        Some(block) => block,
        // Never: half a piece holds more than a block.
        None => unreachable!(),
    }
}

/// Puts a number below 1000 at the start of a piece; how many digits it has.
#[inline(always)]
fn three_digits(piece: &mut [u8; PIECE], number: u32) -> usize {
    let digit = |n: u32| b'0' + (n % 10) as u8;
    if number < 10 {
        piece[0] = digit(number);
        1
    } else if number < 100 {
        piece[0] = digit(number / 10);
        piece[1] = digit(number);
        2
    } else {
        piece[0] = digit(number / 100);
        piece[1] = digit(number / 10);
        piece[2] = digit(number);
        3
    }
}
