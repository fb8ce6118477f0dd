//! Messages of typed values whose octets are in parts of a MIME message: written in one pass, and split by comparing
//! with what this module writes. [`mime`](crate::mime) reads all others.

use crate::mime::Parts;
use crate::path::push_number;

/// A message of typed values: its parts, and the position of the envelope.
pub(super) struct Simple<'a> {
    pub(super) envelope: (usize, usize),
    pub(super) parts: Parts<'a>,
}

const HEAD: &[u8] = b"Content-Type: multipart/related; type=\"text/xml\"; start=\"<0>\"; boundary=";
const PART: &[u8] = b"Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <";
const ROOT: &[u8] = b"Content-Type: text/xml\r\nContent-ID: <0>\r\n\r\n";

/// Splits a message that [`Writer`] wrote, by comparing. `None` for any other message.
pub(super) fn simple(message: &[u8]) -> Option<Simple<'_>> {
    const MOST: usize = 8;
    let rest = message.strip_prefix(HEAD)?;
    let end = memchr::memchr(b'\r', rest)?;
    let boundary = rest.get(..end).filter(|boundary| (1..=70).contains(&boundary.len()))?;
    let delimited = |rest: &'_ [u8]| -> Option<usize> {
        let after = rest.strip_prefix(b"\r\n--")?.strip_prefix(boundary)?;
        Some(rest.len() - after.len())
    };
    let mut at = HEAD.len() + end + 2;
    let mut parts = Parts::none(&tam::Limits::DEFAULT, message.len());
    loop {
        at += delimited(message.get(at..)?)?;
        let rest = message.get(at..)?.strip_prefix(b"\r\n")?;
        if let Some(envelope) = rest.strip_prefix(ROOT) {
            let start = message.len() - envelope.len();
            let tail = boundary.len() + b"\r\n----\r\n".len();
            let end = message.len().checked_sub(tail).filter(|end| *end >= start)?;
            let after = message.get(end..)?;
            let closed = delimited(after).and_then(|len| after.get(len..)) == Some(b"--\r\n");
            // The envelope cannot contain a delimiter, because rows have no carriage returns.
            let inner = message.get(start..end)?;
            let is_sound = closed && memchr::memchr(b'\r', inner).is_none();
            return is_sound.then_some(Simple { envelope: (start, end), parts });
        }
        let head = rest.strip_prefix(PART)?;
        let end = memchr::memchr(b'>', head)?;
        let id = str::from_utf8(head.get(..end)?).ok()?;
        let digits = head.get(end..)?.strip_prefix(b">\r\nContent-Length: ")?;
        let end = memchr::memchr(b'\r', digits).filter(|end| (1..=10).contains(end))?;
        let length = str::from_utf8(digits.get(..end)?).ok()?.parse::<usize>().ok()?;
        let octets = digits.get(end..)?.strip_prefix(b"\r\n\r\n")?;
        let start = message.len() - octets.len();
        if parts.few.len() == MOST || parts.few.iter().any(|(other, _)| *other == id) {
            return None;
        }
        parts.few.push((id, octets.get(..length)?));
        at = start + length;
    }
}

/// Writes octets as they come, each in its final position, and the envelope after them as the part that `start` names.
/// The boundary is an unpredictable random number, so the octets contain it only by negligible chance; a reader that
/// uses the lengths does not depend on that.
pub(super) struct Writer {
    out: Vec<u8>,
    boundary: [u8; 16],
    count: u32,
}

impl Writer {
    pub(super) fn new(out: Vec<u8>) -> Writer {
        Writer { out, boundary: [0; 16], count: 0 }
    }

    /// Adds octets. Returns the number that rows refer to.
    pub(super) fn push(&mut self, octets: &[u8]) -> u32 {
        let out = &mut self.out;
        out.reserve(octets.len() + 2048);
        if self.count == 0 {
            self.boundary = random();
            out.extend_from_slice(HEAD);
            out.extend_from_slice(&self.boundary);
            out.extend_from_slice(b"\r\n");
        }
        self.count += 1;
        out.extend_from_slice(b"\r\n--");
        out.extend_from_slice(&self.boundary);
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(PART);
        push_number(out, self.count);
        out.extend_from_slice(b">\r\nContent-Length: ");
        out.extend_from_slice(itoa::Buffer::new().format(octets.len()).as_bytes());
        out.extend_from_slice(b"\r\n\r\n");
        out.extend_from_slice(octets);
        self.count
    }

    /// The whole message; only the envelope if no octets were written.
    pub(super) fn finish(mut self, envelope: &[u8]) -> Vec<u8> {
        let out = &mut self.out;
        if self.count == 0 {
            out.extend_from_slice(envelope);
            return self.out;
        }
        out.extend_from_slice(b"\r\n--");
        out.extend_from_slice(&self.boundary);
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(ROOT);
        out.extend_from_slice(envelope);
        out.extend_from_slice(b"\r\n--");
        out.extend_from_slice(&self.boundary);
        out.extend_from_slice(b"--\r\n");
        self.out
    }
}

/// 64 unpredictable bits in hexadecimal: a counter under a keyed hash (SipHash) with a random key.
fn random() -> [u8; 16] {
    use std::hash::{BuildHasher, RandomState};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    static KEY: OnceLock<RandomState> = OnceLock::new();
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let bits = KEY.get_or_init(RandomState::new).hash_one(NEXT.fetch_add(1, Ordering::Relaxed));
    let mut digits = [0; 16];
    for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(bits.to_be_bytes()) {
        *pair = [byte >> 4, byte & 15];
    }
    for digit in &mut digits {
        *digit += if *digit < 10 { b'0' } else { b'a' - 10 };
    }
    digits
}
