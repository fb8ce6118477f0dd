//! Messages written by hand, last value first.

use tam::{Error, ErrorKind, Row, Words};

use crate::piece::{copy_short, digits};
use crate::writer::{check_len, tag};
use crate::{FORMAT, Payload, Pieces, key, number};

/// Data and keys of less than so many bytes are copied as one block of that size.
const BLOCK: usize = 32;

/// Room for short data with its head, or for a short key with its `:`.
pub(crate) const PIECE: usize = BLOCK + 4;

/// The digits of the lengths of short data, before a type.
const HEADS: [u32; BLOCK] = {
    let mut heads = [0; BLOCK];
    let mut len = 0;
    while len < BLOCK {
        heads[len] = u32::from_be_bytes([0, b'0' + len as u8 / 10, b'0' + len as u8 % 10, 0]);
        len += 1;
    }
    heads
};

/// Writes a message into a buffer of the caller's, from its last value to its first.
///
/// The length of a container precedes its content. Written from the end, every length is known when it
/// is needed: nothing is moved or written twice, and nothing is allocated. To begin a container,
/// remember its end ([`Backward::end`]). Write a value before its key.
///
/// What does not fit into the buffer is counted, not written; [`Backward::finish`] reports this and every
/// other error. The caller must alternate keys and values in an object, and close each container with
/// its own [`End`].
///
/// ```
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let mut buffer = [0; 64];
/// let mut out = lengthwise_pon::Backward::new(&mut buffer);
/// let object = out.end();
/// let array = out.end();
/// out.integer(8);
/// out.integer(-1);
/// out.array(array);
/// out.key("cal");
/// out.float(21.5);
/// out.key("t");
/// out.string("attic");
/// out.key("room");
/// out.object(object);
/// assert_eq!(out.finish()?, b"33{room:5sattict:4d21.5cal:7[2i-11i8");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Backward<'b, 'p> {
    buffer: &'b mut [u8],
    /// Bytes written, and those that had no room.
    written: usize,
    payloads: &'b mut [Payload<'p>],
    /// Payloads that stay where they are, and those that had no place.
    elsewhere: usize,
    /// Bytes of these.
    elsewhere_bytes: u64,
    /// The first thing that was refused.
    refused: Option<Error>,
}

/// Where a container ends: what it takes to write its head in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End(usize);

impl<'b, 'p> Backward<'b, 'p> {
    /// A writer into `buffer`, which is filled from its end. With an empty one the bytes are
    /// counted alone.
    #[inline]
    #[must_use]
    pub fn new(buffer: &'b mut [u8]) -> Backward<'b, 'p> {
        Backward::with_payloads(buffer, &mut [])
    }

    /// A writer that can leave payloads where they are, as many as there are places in `payloads`.
    #[inline]
    #[must_use]
    pub fn with_payloads(buffer: &'b mut [u8], payloads: &'b mut [Payload<'p>]) -> Backward<'b, 'p> {
        Backward { buffer, written: 0, payloads, elsewhere: 0, elsewhere_bytes: 0, refused: None }
    }

    /// Bytes of the message so far, payloads elsewhere and what had no room included.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        usize::try_from(self.total()).unwrap_or(usize::MAX)
    }

    /// [`Backward::len`] where that is more than a `usize` of 32 bits.
    #[inline(always)]
    fn total(&self) -> u64 {
        (self.written as u64).saturating_add(self.elsewhere_bytes)
    }

    /// Whether nothing is written yet.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place where a container ends that is to be written now.
    #[inline(always)]
    #[must_use]
    pub fn end(&self) -> End {
        End(self.len())
    }

    /// The head of a container of a type.
    #[inline(always)]
    pub(crate) fn head_since(&mut self, end: End, tag: u8) {
        match self.len().checked_sub(end.0) {
            Some(len) => self.head(len, tag),
            None => self.refuse("a container's end that is not written yet", "an end of this message"),
        }
    }

    /// The head of an object: all written since `end` was taken is inside it.
    #[inline(always)]
    pub fn object(&mut self, end: End) {
        self.head_since(end, b'{');
    }

    /// The head of an array: all written since `end` was taken is inside it.
    #[inline(always)]
    pub fn array(&mut self, end: End) {
        self.head_since(end, b'[');
    }

    /// The key of the member whose value was written last.
    #[inline(always)]
    pub fn key(&mut self, key: &str) {
        self.key_bytes(key.as_bytes());
    }

    #[inline(always)]
    pub(crate) fn key_bytes(&mut self, key: &[u8]) {
        if key::needs_escapes(key) {
            return self.key_of(key.iter().copied());
        }
        if let Some([start @ .., colon]) = self.place(key.len() + 1) {
            copy(start, key);
            *colon = b':';
        }
    }

    /// A key whose bytes come one by one.
    #[cold]
    pub(crate) fn key_of(&mut self, key: impl Iterator<Item = u8> + Clone) {
        self.byte(b':');
        let written = key::escaped(key);
        let len = written.clone().count();
        if let Some(place) = self.place(len) {
            place.iter_mut().zip(written).for_each(|(place, byte)| *place = byte);
        }
    }

    /// Null.
    #[inline(always)]
    pub fn null(&mut self) {
        self.byte(b'u');
    }

    /// A boolean.
    #[inline(always)]
    pub fn boolean(&mut self, value: bool) {
        self.byte(if value { b't' } else { b'f' });
    }

    /// An integer.
    #[inline(always)]
    pub fn integer(&mut self, value: i64) {
        self.signed(value < 0, value.unsigned_abs());
    }

    /// An integer that is not negative.
    #[inline(always)]
    pub fn unsigned(&mut self, value: u64) {
        self.signed(false, value);
    }

    #[inline]
    fn signed(&mut self, negative: bool, magnitude: u64) {
        let count = digits(magnitude);
        if let Some(place) = self.place(count) {
            decimal(place, magnitude);
        }
        if negative {
            self.byte(b'-');
        }
        self.head(count + usize::from(negative), b'i');
    }

    /// An integer of any size, in decimal digits.
    pub fn integer_text(&mut self, text: &str) {
        if !number::is_integer(text.as_bytes()) {
            return self.refuse("other text", "an integer as JSON writes it");
        }
        self.node(b'i', text.as_bytes());
    }

    /// A float, in the fewest digits that distinguish it from every other.
    pub fn float(&mut self, value: f64) {
        let mut digits = zmij::Buffer::new();
        let text = number::word(value).unwrap_or_else(|| digits.format_finite(value));
        self.node(b'd', text.as_bytes());
    }

    /// A float as it is to be written: 21.50, 1e5, NaN.
    pub fn float_text(&mut self, text: &str) {
        if !number::is_float(text.as_bytes()) {
            return self.refuse("other text", "a number as JSON writes it, NaN, Infinity or -Infinity");
        }
        self.node(b'd', text.as_bytes());
    }

    /// A string.
    #[inline(always)]
    pub fn string(&mut self, text: &str) {
        self.node(b's', text.as_bytes());
    }

    /// Binary data, copied into the buffer.
    #[inline(always)]
    pub fn binary(&mut self, octets: &[u8]) {
        self.node(b'y', octets);
    }

    /// Binary data that stays where it is: a piece of its own of [`Backward::finish_pieces`].
    pub fn borrowed(&mut self, octets: &'p [u8]) {
        self.leave(Payload { after: self.written, len: octets.len(), octets: Some(octets) });
    }

    /// Binary data of `len` octets that are not at hand: a gap of [`Backward::finish_pieces`].
    pub fn elsewhere(&mut self, len: usize) {
        self.leave(Payload { after: self.written, len, octets: None });
    }

    fn leave(&mut self, payload: Payload<'p>) {
        if let Some(place) = self.payloads.get_mut(self.elsewhere) {
            *place = payload;
        }
        self.elsewhere += 1;
        self.elsewhere_bytes = self.elsewhere_bytes.saturating_add(payload.len as u64);
        self.head(payload.len, b'y');
    }

    /// A character.
    pub fn character(&mut self, value: char) {
        self.put(value.encode_utf8(&mut [0; 4]).as_bytes());
        self.byte(b'c');
    }

    /// A byte.
    #[inline(always)]
    pub fn octet(&mut self, value: u8) {
        self.put(&[b'b', value]);
    }

    /// A node of a type and its data, which is taken as it is.
    #[inline(always)]
    pub(crate) fn node(&mut self, tag: u8, data: &[u8]) {
        let count = digits(data.len() as u64);
        let Some(place) = self.place(count + 1 + data.len()) else { return };
        let (head, place) = place.split_at_mut(count + 1);
        if let [number @ .., last] = head {
            decimal(number, data.len() as u64);
            *last = tag;
        }
        copy(place, data);
    }

    /// A value of a document that holds no others, if it is short and in `text`; `false` if not, and nothing is written.
    ///
    /// A block of a fixed size is copied, whatever the length. What is too much is overwritten by what comes in front.
    #[inline(always)]
    pub(crate) fn short_scalar(&mut self, text: &[u8], row: &Row) -> bool {
        let len = row.len() as usize;
        let (Some(head), Some(data)) = (HEADS.get(len), block_to(text, row.value_at() as usize + len)) else {
            return false;
        };
        let Some(piece) = self.piece() else { return false };
        piece[PIECE - BLOCK..].copy_from_slice(data);
        let tag = tag(row.kind());
        let at = PIECE - len % BLOCK;
        piece[at - 4..at].copy_from_slice(&(head | u32::from(tag)).to_be_bytes());
        self.written += len
            + match tag {
                b't' => 0,
                b'c' | b'b' | b'u' => 1,
                _ => 2 + usize::from(len >= 10),
            };
        true
    }

    /// The key of a unit of a document, as [`Backward::short_scalar`].
    #[inline(always)]
    pub(crate) fn short_key(&mut self, text: &[u8], row: &Row) -> bool {
        let len = row.name_len() as usize;
        if len >= BLOCK || row.has_extended_name() {
            return false;
        }
        let Some(key) = block_to(text, row.name_at() as usize + len) else { return false };
        if key::needs_escapes(&key[BLOCK - len..]) {
            return false;
        }
        let Some(piece) = self.piece() else { return false };
        piece[PIECE - 1] = b':';
        piece[PIECE - 1 - BLOCK..PIECE - 1].copy_from_slice(key);
        self.written += len + 1;
        true
    }

    /// Room for what is short.
    #[inline(always)]
    fn piece(&mut self) -> Option<&mut [u8; PIECE]> {
        let start = self.buffer.len().wrapping_sub(self.written + PIECE);
        self.buffer.get_mut(start..)?.first_chunk_mut()
    }

    /// Length and type of data that is written already.
    #[inline(always)]
    pub(crate) fn head(&mut self, len: usize, tag: u8) {
        if let Some([number @ .., last]) = self.place(digits(len as u64) + 1) {
            decimal(number, len as u64);
            *last = tag;
        }
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.put(&[byte]);
    }

    /// Bytes in front of those written.
    #[inline(always)]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        if let Some(place) = self.place(bytes.len()) {
            copy(place, bytes);
        }
    }

    /// The place in front of what is written, `len` bytes of it. Where there is no room they are
    /// counted.
    #[inline(always)]
    fn place(&mut self, len: usize) -> Option<&mut [u8]> {
        self.written = self.written.saturating_add(len);
        let start = self.buffer.len().checked_sub(self.written)?;
        self.buffer.get_mut(start..start + len)
    }

    #[cold]
    fn refuse(&mut self, found: &'static str, expected: &'static str) {
        let at = self.len() as u64;
        self.refused.get_or_insert_with(|| Error::new(ErrorKind::Unsupported, FORMAT, at, found, expected));
    }

    /// The message, which is the end of the buffer.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] where it did not fit, and the error says how long it is, or beyond 4 GiB;
    /// [`ErrorKind::Unsupported`] where a text was no number, or a payload is elsewhere.
    #[inline]
    pub fn finish(self) -> Result<&'b [u8], Error> {
        if self.elsewhere > 0 {
            let found = Words::Count(self.elsewhere as u64, "payloads left elsewhere");
            return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "a message in one piece"));
        }
        let (written, _) = self.done()?;
        Ok(written)
    }

    /// The message in pieces: what is in the buffer, and the payloads left where they are.
    ///
    /// # Errors
    /// As [`Backward::finish`]; and [`ErrorKind::Limit`] where there were not places enough for
    /// the payloads.
    pub fn finish_pieces(self) -> Result<Pieces<'b>, Error>
    where
        'p: 'b,
    {
        let (written, payloads) = self.done()?;
        Ok(Pieces::new(written, payloads))
    }

    #[inline]
    fn done(self) -> Result<(&'b [u8], &'b [Payload<'p>]), Error> {
        if let Some(error) = self.refused {
            return Err(error);
        }
        if self.is_empty() {
            return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, "nothing written", "a value"));
        }
        check_len(self.total())?;
        let room = self.buffer.len();
        let Some(start) = room.checked_sub(self.written) else {
            let found = Words::Count(self.written as u64, "bytes of message");
            return Err(Error::limit(FORMAT, room as u64, found, "buffer", room as u64));
        };
        let places = self.payloads.len() as u64;
        let payloads: &[Payload<'p>] = self.payloads;
        let Some(payloads) = payloads.get(..self.elsewhere) else {
            let found = Words::Count(self.elsewhere as u64, "payloads left elsewhere");
            return Err(Error::limit(FORMAT, 0, found, "payloads", places));
        };
        let written: &[u8] = self.buffer;
        Ok((&written[start..], payloads))
    }
}

/// The block that ends at a place of a text.
#[inline(always)]
fn block_to(text: &[u8], end: usize) -> Option<&[u8; BLOCK]> {
    text.get(end.wrapping_sub(BLOCK)..)?.first_chunk()
}

/// Fills a place with the last digits of a number.
#[inline(always)]
fn decimal(place: &mut [u8], value: u64) {
    // Small processors divide 64 bits slowly.
    let mut low = value as u32;
    let mut high = value;
    for digit in place.iter_mut().rev() {
        if high > u64::from(u32::MAX) {
            *digit = b'0' + (high % 10) as u8;
            high /= 10;
            low = high as u32;
        } else {
            *digit = b'0' + (low % 10) as u8;
            low /= 10;
        }
    }
}

/// Copies bytes to a place of their size; most are few.
#[inline(always)]
fn copy(place: &mut [u8], bytes: &[u8]) {
    if bytes.len() <= 32 && place.len() == bytes.len() {
        copy_short(place, 0, bytes)
    } else {
        place.copy_from_slice(bytes)
    }
}
