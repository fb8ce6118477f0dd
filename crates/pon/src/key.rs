//! Keys: a key ends at `:`; `\` escapes a `:` or a `\` in it.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};
use core::fmt;

use tam::{Error, ErrorKind, Words};

use crate::{FORMAT, text};

/// The key of a member, as it is written.
///
/// ```
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let object = lengthwise_pon::Value::new(br"9{a\:b:1i17")?;
/// let (key, value) = object.members().next().unwrap()?;
/// assert!(key == "a:b" && key.has_escapes());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Key<'m> {
    written: &'m str,
    /// 1 if it has escapes, or 0. A `bool` would leave padding, which is slow to copy, as in [`Value`](crate::Value).
    escapes: usize,
}

impl<'m> Key<'m> {
    /// A key without escapes.
    #[cfg(feature = "serde")]
    pub(crate) const fn of(written: &'m str) -> Key<'m> {
        Key { written, escapes: 0 }
    }

    /// The key that `buffer` begins with, and how many bytes it takes with its `:`.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] where no `:` ends it, an escape is wrong, or it is not UTF-8.
    pub fn prefix(buffer: &'m [u8]) -> Result<(Key<'m>, usize), Error> {
        let (end, escaped) = end(buffer).ok_or_else(|| no_end(0, buffer))?;
        Ok((checked(&buffer[..end], escaped, 0)?, end + 1))
    }

    /// The key as the message has it, escapes included.
    #[must_use]
    pub const fn written(self) -> &'m str {
        self.written
    }

    /// Whether there are escapes in it.
    #[must_use]
    pub const fn has_escapes(self) -> bool {
        self.escapes != 0
    }

    /// The key as one slice, if no escape had to be undone for it.
    #[must_use]
    pub fn as_str(self) -> Option<&'m str> {
        (self.escapes == 0).then_some(self.written)
    }

    /// The characters, escapes undone.
    pub fn chars(self) -> impl Iterator<Item = char> + 'm {
        let mut chars = self.written.chars();
        core::iter::from_fn(move || match chars.next()? {
            '\\' => chars.next(),
            c => Some(c),
        })
    }

    /// The key; a copy only where escapes had to be undone.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_cow(self) -> Cow<'m, str> {
        if self.has_escapes() { Cow::Owned(self.chars().collect()) } else { Cow::Borrowed(self.written) }
    }
}

impl PartialEq<str> for Key<'_> {
    fn eq(&self, other: &str) -> bool {
        if self.has_escapes() { self.chars().eq(other.chars()) } else { self.written == other }
    }
}

impl PartialEq<&str> for Key<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|c| fmt::Write::write_char(f, c))
    }
}

impl fmt::Debug for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// Where the key that `rest` begins with ends, that is, its `:`, and whether it holds escapes.
///
/// `None` if there is no end, or if a `\` escapes anything but `:` and `\`.
#[inline(always)]
pub(crate) fn end(rest: &[u8]) -> Option<(usize, bool)> {
    let mut at = 0;
    loop {
        match *rest.get(at)? {
            b':' => return Some((at, false)),
            b'\\' => return far_end(rest),
            _ => at += 1,
        }
    }
}

#[inline(never)]
fn far_end(rest: &[u8]) -> Option<(usize, bool)> {
    let mut at = first_mark(rest, 0)?;
    let mut escaped = false;
    while rest[at] == b'\\' {
        if !matches!(rest.get(at + 1), Some(b':' | b'\\')) {
            return None;
        }
        escaped = true;
        at = first_mark(rest, at + 2)?;
    }
    Some((at, escaped))
}

/// What follows a key and its `:`, if `rest` begins with them. A key that needs escapes is never
/// found.
#[inline(always)]
pub(crate) fn strip<'m>(rest: &'m [u8], key: &str) -> Option<&'m [u8]> {
    let key = key.as_bytes();
    let (start, after) = rest.split_at_checked(key.len())?;
    let [b':', after @ ..] = after else { return None };
    if is_same(start, key) && !needs_escapes(key) { Some(after) } else { None }
}

/// Whether the key that `rest` begins with is of a length, and is short and without escapes.
#[inline(always)]
pub(crate) fn ends_at(rest: &[u8], len: usize) -> bool {
    let Some((key, [b':', ..])) = rest.split_at_checked(len) else { return false };
    len <= 16 && !needs_escapes(key)
}

/// Whether two keys of one length are the same; most are short.
#[inline(always)]
pub(crate) fn is_same(a: &[u8], b: &[u8]) -> bool {
    match a.len() {
        4..=8 => a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk(),
        9..=16 => a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk(),
        _ => a == b,
    }
}

/// The first `:` or `\` from `at` on, eight bytes at once.
#[inline(always)]
fn first_mark(rest: &[u8], mut at: usize) -> Option<usize> {
    while let Some(eight) = rest.get(at..).and_then(<[u8]>::first_chunk) {
        let marks = marks(u64::from_le_bytes(*eight));
        if marks != 0 {
            return Some(at + (marks.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let marks = marks(fewer_than_eight(rest.get(at..)?));
    if marks == 0 { None } else { Some(at + (marks.trailing_zeros() / 8) as usize) }
}

/// Marks the bytes of a word that are `:` or `\`. Bytes above the lowest mark may be marked in
/// error, because a subtraction borrows from them; the lowest mark is always right.
#[inline(always)]
const fn marks(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let colon = word ^ (ONES * b':' as u64);
    let escape = word ^ (ONES * b'\\' as u64);
    (colon.wrapping_sub(ONES) & !colon | escape.wrapping_sub(ONES) & !escape) & (ONES * 0x80)
}

/// The last few bytes as a word, zeros above them.
#[inline(always)]
fn fewer_than_eight(rest: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
        let above = 8 * (rest.len() as u32 - 4);
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << above;
    }
    // For one or two bytes, the last byte occurs here more than once, also in its right position.
    let [first, .., last] = *rest else { return rest.first().map_or(0, |&byte| byte.into()) };
    u64::from(first) | u64::from(rest[rest.len() / 2]) << 8 | u64::from(last) << 16
}

/// The error for a key without an end in `rest`, which begins at byte `at`.
#[cold]
pub(crate) fn no_end(at: usize, rest: &[u8]) -> Error {
    let mut mark = 0;
    while let Some(escape) = rest[mark..].iter().position(|&c| c == b'\\').map(|escape| mark + escape) {
        if !matches!(rest.get(escape + 1), Some(b':' | b'\\')) {
            let found = rest.get(escape + 1).map_or("the end of the object".into(), |&c| Words::Byte(c));
            let at = (at + escape + 1) as u64;
            return Error::new(ErrorKind::Syntax, FORMAT, at, found, r"a ':' or a '\' after the '\' of a key");
        }
        mark = escape + 2;
    }
    let found = Words::Count(rest.len() as u64, "bytes to the end of the object");
    Error::new(ErrorKind::Syntax, FORMAT, at as u64, found, "a key and its ':'")
}

/// The key `written` at byte `at`, if it is UTF-8.
#[inline]
pub(crate) fn checked<'m>(written: &'m [u8], escaped: bool, at: usize) -> Result<Key<'m>, Error> {
    match text::utf8(written) {
        Some(written) => Ok(Key { written, escapes: escaped.into() }),
        None => Err(not_utf8(at, written)),
    }
}

/// The error for a key at byte `at` that is not UTF-8.
#[cold]
pub(crate) fn not_utf8(at: usize, written: &[u8]) -> Error {
    let valid = text::first_fault(written);
    let found = text::met(&written[valid..]);
    Error::new(ErrorKind::Syntax, FORMAT, (at + valid) as u64, found, "a key in UTF-8")
}

/// The bytes of a key as they are written: escapes where they must be.
pub(crate) fn escaped(key: impl Iterator<Item = u8> + Clone) -> impl Iterator<Item = u8> + Clone {
    key.flat_map(|c| [(c == b':' || c == b'\\').then_some(b'\\'), Some(c)]).flatten()
}

/// Whether a key holds what must be escaped.
#[inline(always)]
pub(crate) fn needs_escapes(key: &[u8]) -> bool {
    match (key.len(), key.first_chunk(), key.last_chunk()) {
        (8..=16, Some(first), Some(last)) => marks(u64::from_le_bytes(*first)) | marks(u64::from_le_bytes(*last)) != 0,
        (0..8, ..) => marks(fewer_than_eight(key)) != 0,
        _ => first_mark(key, 0).is_some(),
    }
}

/// The bytes of a key, escapes undone.
#[cfg(feature = "alloc")]
pub(crate) fn unescaped(written: &[u8]) -> Vec<u8> {
    let mut bytes = written.iter().copied();
    let mut key = Vec::with_capacity(written.len());
    while let Some(c) = bytes.next() {
        key.extend(if c == b'\\' { bytes.next() } else { Some(c) });
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight bytes at once must say what one at a time says.
    #[test]
    fn marks_are_found_at_any_position() {
        for mark in [b':', b'\\'] {
            for filling in [b'a', b'9', b';', b'[', b']', 0, 0xBA, 0xDC, 0xFF] {
                for place in 0..20 {
                    let mut rest = [filling; 20];
                    rest[place] = mark;
                    assert_eq!(first_mark(&rest, 0), Some(place), "{mark} at {place} among {filling}");
                    assert_eq!(first_mark(&rest, place + 1), None);
                }
            }
        }
    }
}
