//! The head of a node: its length and its type (paper section 2.1).

use tam::{Error, ErrorKind, Words};

use crate::{FORMAT, text};

/// A node, as its head tells: where its data stands in the bytes the head was read from.
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

/// What a head can be at fault in; [`Bad::at`] makes an error of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bad {
    /// The bytes end before the node does; so many more are needed at the least.
    Short { needed: u64 },
    /// No node begins like this.
    NotANode,
    /// A length of more than one digit begins with zero.
    LeadingZero,
    /// A length beyond what any message can have.
    TooLong,
    /// What follows the length is no type that has one.
    NoType(usize),
    /// A character that is not UTF-8.
    NotUtf8(usize),
}

/// The node that `rest` begins with.
#[inline(always)]
pub(crate) fn head(rest: &[u8]) -> Result<Head, Bad> {
    let Some(&first) = rest.first() else { return Err(Bad::Short { needed: 1 }) };
    if !first.is_ascii_digit() {
        return lengthless(rest, first);
    }
    let mut len = u64::from(first - b'0');
    let mut at = 1;
    let tag = loop {
        let Some(&c) = rest.get(at) else { return Err(short_number(first, at, len)) };
        if !c.is_ascii_digit() {
            break c;
        }
        len = len * 10 + u64::from(c - b'0');
        at += 1;
        if at > MOST_DIGITS {
            return Err(if first == b'0' { Bad::LeadingZero } else { Bad::TooLong });
        }
    };
    if first == b'0' && at > 1 {
        return Err(Bad::LeadingZero);
    }
    if !has_length(tag) {
        return Err(Bad::NoType(at));
    }
    let data = at + 1;
    let left = (rest.len() - data) as u64;
    if len > left {
        return Err(beyond(len, left));
    }
    Ok(Head { tag, data, len: len as usize })
}

/// Lengths are below 4 GiB: what a row of a table can address.
const LONGEST: u64 = u32::MAX as u64;
const MOST_DIGITS: usize = 10;

#[inline(always)]
const fn has_length(tag: u8) -> bool {
    matches!(tag, b's' | b'i' | b'd' | b'y' | b'{' | b'[')
}

#[inline(always)]
fn lengthless(rest: &[u8], tag: u8) -> Result<Head, Bad> {
    match tag {
        b't' | b'f' => Ok(Head { tag, data: 0, len: 1 }),
        b'u' => Ok(Head { tag, data: 1, len: 0 }),
        b'b' if rest.len() > 1 => Ok(Head { tag, data: 1, len: 1 }),
        b'b' => Err(Bad::Short { needed: 1 }),
        b'c' => character(&rest[1..]).map(|len| Head { tag, data: 1, len }),
        _ => Err(Bad::NotANode),
    }
}

/// Bytes of the character that a text begins with.
#[inline(never)]
fn character(rest: &[u8]) -> Result<usize, Bad> {
    let len = match rest.first() {
        None | Some(..0x80) => 1,
        Some(0x80..0xE0) => 2,
        Some(0xE0..0xF0) => 3,
        Some(0xF0..) => 4,
    };
    let start = &rest[..len.min(rest.len())];
    match core::str::from_utf8(start) {
        Ok(_) if start.len() == len => Ok(len),
        Err(error) if error.error_len().is_some() => Err(Bad::NotUtf8(1)),
        _ => Err(Bad::Short { needed: (len - start.len()) as u64 }),
    }
}

/// The bytes end before `len` of data: more may come, but not more than any message has.
#[cold]
fn beyond(len: u64, left: u64) -> Bad {
    if len > LONGEST { Bad::TooLong } else { Bad::Short { needed: len - left } }
}

/// The bytes end inside a length, or before its type.
#[cold]
fn short_number(first: u8, digits: usize, len: u64) -> Bad {
    match (first, digits) {
        (b'0', 2..) => Bad::LeadingZero,
        _ if len > LONGEST => Bad::TooLong,
        // The type, and the data that is announced already.
        _ => Bad::Short { needed: 1 + len },
    }
}

impl Bad {
    /// The error: of a node at byte `at`, where `rest` stands, inside a container or not.
    #[cold]
    pub(crate) fn at(self, at: usize, rest: &[u8], inside: bool) -> Error {
        let syntax = |at: usize, found: Words, expected: &'static str| {
            Error::new(ErrorKind::Syntax, FORMAT, at as u64, found, expected)
        };
        match self {
            Bad::Short { needed } if !inside => {
                let end = (at + rest.len()) as u64;
                Error::incomplete(FORMAT, end, needed, Words::Count(needed, "bytes more of the message"))
            }
            Bad::Short { needed } => {
                let left = Words::Count(rest.len() as u64, "bytes before the end of its container");
                let whole = Words::Count(rest.len() as u64 + needed, "bytes or more for the node");
                Error::new(ErrorKind::Syntax, FORMAT, at as u64, left, whole)
            }
            Bad::NotANode => syntax(at, text::met(rest), "a length, or one of the types t f u c b"),
            Bad::LeadingZero => syntax(at, "a length with a leading zero".into(), "one without"),
            Bad::TooLong => Error::limit(FORMAT, at as u64, "a longer node", "message_bytes", u32::MAX.into()),
            Bad::NoType(digits) => {
                syntax(at + digits, text::met(&rest[digits..]), "a digit, or one of the types s i d y { [")
            }
            Bad::NotUtf8(data) => syntax(at + data, text::met(&rest[data..]), "a character in UTF-8"),
        }
    }
}
