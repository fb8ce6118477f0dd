//! The head of a node: its length and its type (paper section 2.1).

use tam::{Error, ErrorKind, Words};

use crate::{FORMAT, text};

/// The head of a node: where its data is in the bytes that the head was read from.
///
/// Every node ends where its data ends; `t` and `f` are their own data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// The type character.
    pub(crate) tag: u8,
    /// Where the data begins.
    pub(crate) data: usize,
    /// Bytes of data.
    pub(crate) len: usize,
}

impl Head {
    /// Where the node ends.
    #[inline(always)]
    pub(crate) fn end(&self) -> usize {
        self.data + self.len
    }
}

/// Lengths are below 4 GiB: what a row of a table can address.
const LONGEST: u64 = u32::MAX as u64;
const MOST_DIGITS: usize = 10;

/// The node that `rest` begins with, if it is all there; [`fault`] says why it is not.
#[inline(always)]
pub(crate) fn head(rest: &[u8]) -> Option<Head> {
    head_within(rest, rest.len())
}

/// Bytes that are enough to read a head, a boolean, a byte or a character.
#[cfg(feature = "std")]
pub(crate) const LONGEST_HEAD: usize = MOST_DIGITS + 1;

/// The same if only the start of the container is at hand, which has `room` bytes from here on. `rest` has
/// [`LONGEST_HEAD`] of them, or all.
#[inline(always)]
pub(crate) fn head_within(rest: &[u8], room: usize) -> Option<Head> {
    let &first = rest.first()?;
    let digit = first.wrapping_sub(b'0');
    if digit > 9 {
        return lengthless(rest, first);
    }
    let mut len = u64::from(digit);
    let mut at = 1;
    let tag = loop {
        let &c = rest.get(at)?;
        let digit = c.wrapping_sub(b'0');
        if digit > 9 {
            break c;
        }
        if first == b'0' || at == MOST_DIGITS {
            return None;
        }
        len = len * 10 + u64::from(digit);
        at += 1;
    };
    let data = at + 1;
    if !has_length(tag) || len > LONGEST || len > (room - data) as u64 {
        return None;
    }
    Some(Head { tag, data, len: len as usize })
}

#[inline(always)]
const fn has_length(tag: u8) -> bool {
    matches!(tag, b's' | b'i' | b'd' | b'y' | b'{' | b'[')
}

#[inline(always)]
fn lengthless(rest: &[u8], tag: u8) -> Option<Head> {
    match tag {
        b't' | b'f' => Some(Head { tag, data: 0, len: 1 }),
        b'u' => Some(Head { tag, data: 1, len: 0 }),
        b'b' if rest.len() > 1 => Some(Head { tag, data: 1, len: 1 }),
        b'c' => character(&rest[1..]),
        _ => None,
    }
}

/// The node of the character that follows its type.
#[inline(never)]
fn character(rest: &[u8]) -> Option<Head> {
    let len = character_len(rest);
    let whole = core::str::from_utf8(rest.get(..len)?).is_ok();
    whole.then_some(Head { tag: b'c', data: 1, len })
}

/// Bytes that a character has, by its first.
fn character_len(rest: &[u8]) -> usize {
    match rest.first() {
        None | Some(..0x80) => 1,
        Some(0x80..0xE0) => 2,
        Some(0xE0..0xF0) => 3,
        Some(0xF0..) => 4,
    }
}

/// Why `rest`, which begins at byte `at`, does not begin with a node. Outside of containers more bytes
/// may come.
#[cold]
#[inline(never)]
pub(crate) fn fault(at: usize, rest: &[u8], inside: bool) -> Error {
    fault_within(at, rest, rest.len(), inside)
}

/// The same for [`head_within`].
#[cold]
pub(crate) fn fault_within(at: usize, rest: &[u8], room: usize, inside: bool) -> Error {
    match rest.first() {
        Some(b'0'..=b'9') => length_fault(at, rest, room, inside),
        Some(b'c') if rest.len() > 1 => character_fault(at, rest, inside),
        None | Some(b'b' | b'c') => short(at, room, 1, inside),
        Some(_) => syntax(at, text::met(rest), "a length, or one of the types t f u c b"),
    }
}

/// Why no node begins `rest`, which begins with a digit.
fn length_fault(at: usize, rest: &[u8], room: usize, inside: bool) -> Error {
    let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
    if rest[0] == b'0' && digits > 1 {
        return syntax(at, "a length with a leading zero".into(), "one without");
    }
    let len = rest[..digits].iter().fold(0_u64, |len, c| len.saturating_mul(10).saturating_add((c - b'0').into()));
    match rest.get(digits) {
        Some(&tag) if digits <= MOST_DIGITS && !has_length(tag) => {
            syntax(at + digits, text::met(&rest[digits..]), "a digit, or one of the types s i d y { [")
        }
        _ if len > LONGEST => Error::limit(FORMAT, at as u64, "a longer node", "message_bytes", LONGEST),
        // The type, and the data that is announced already.
        None => short(at, room, 1 + len, inside),
        Some(_) => short(at, room, len - (room - digits - 1) as u64, inside),
    }
}

fn character_fault(at: usize, rest: &[u8], inside: bool) -> Error {
    let bytes = &rest[1..];
    let len = character_len(bytes);
    let cut = bytes.len() < len && core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    match cut {
        true => short(at, rest.len(), (len - bytes.len()) as u64, inside),
        false => syntax(at + 1, text::met(bytes), "a character in UTF-8"),
    }
}

/// The bytes end before the node does; `needed` more are wanted at the least.
fn short(at: usize, room: usize, needed: u64, inside: bool) -> Error {
    if !inside {
        let end = (at + room) as u64;
        return Error::incomplete(FORMAT, end, needed, Words::Count(needed, "bytes more of the message"));
    }
    let left = Words::Count(room as u64, "bytes before the end of its container");
    let whole = Words::Count(room as u64 + needed, "bytes or more for the node");
    Error::new(ErrorKind::Syntax, FORMAT, at as u64, left, whole)
}

fn syntax(at: usize, found: Words, expected: &'static str) -> Error {
    Error::new(ErrorKind::Syntax, FORMAT, at as u64, found, expected)
}
