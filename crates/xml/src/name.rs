//! Names (XML 1.0 fifth edition, section 2.3; Namespaces in XML 1.0, sections 3 and 4).

use core::ops::RangeInclusive;

use memchr::memchr;

use crate::chars::{LOCAL, NAME, NAME_START, char_at, is};
use crate::scan::first_word;

/// NameStartChar (production 4).
pub const START: [RangeInclusive<char>; 16] = [
    ':'..=':',
    'A'..='Z',
    '_'..='_',
    'a'..='z',
    '\u{C0}'..='\u{D6}',
    '\u{D8}'..='\u{F6}',
    '\u{F8}'..='\u{2FF}',
    '\u{370}'..='\u{37D}',
    '\u{37F}'..='\u{1FFF}',
    '\u{200C}'..='\u{200D}',
    '\u{2070}'..='\u{218F}',
    '\u{2C00}'..='\u{2FEF}',
    '\u{3001}'..='\u{D7FF}',
    '\u{F900}'..='\u{FDCF}',
    '\u{FDF0}'..='\u{FFFD}',
    '\u{10000}'..='\u{EFFFF}',
];

/// What NameChar (production 4a) allows in addition to [`START`].
pub const MORE: [RangeInclusive<char>; 5] =
    ['-'..='.', '0'..='9', '\u{B7}'..='\u{B7}', '\u{300}'..='\u{36F}', '\u{203F}'..='\u{2040}'];

/// NameStartChar (production 4).
#[inline]
#[must_use]
pub fn is_start(c: char) -> bool {
    START.iter().any(|range| range.contains(&c))
}

/// NameChar (production 4a).
#[inline]
#[must_use]
pub fn is_name_char(c: char) -> bool {
    is_start(c) || MORE.iter().any(|range| range.contains(&c))
}

/// Name (production 5).
#[inline]
#[must_use]
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && name_end(text.as_bytes(), 0) == text.len()
}

/// Nmtoken (production 7).
#[inline]
#[must_use]
pub fn is_token(text: &str) -> bool {
    !text.is_empty() && token_end(text.as_bytes(), 0) == text.len()
}

/// NCName, a name without a colon (Namespaces, production 4).
#[inline]
#[must_use]
pub fn is_local(text: &str) -> bool {
    !text.is_empty() && name_and_colon(text.as_bytes(), 0) == (text.len(), text.len())
}

/// QName, a name with at most one colon and an NCName on each side of it (Namespaces, production 7).
#[inline]
#[must_use]
pub fn is_qualified(text: &str) -> bool {
    let (end, colon) = name_and_colon(text.as_bytes(), 0);
    colon > 0 && end == text.len()
}

/// The first colon of a name. Usually it is among the first eight bytes, or the name is shorter and has none.
#[inline]
#[must_use]
pub fn colon(name: &[u8]) -> Option<usize> {
    let word = first_word(name) ^ 0x3A3A_3A3A_3A3A_3A3A;
    // The lowest marked byte is zero; others may be marked without being zero.
    let zeros = word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080;
    match zeros {
        0 => name.get(8..).and_then(|rest| rest.iter().position(|byte| *byte == b':')).map(|at| 8 + at),
        zeros => Some(zeros.trailing_zeros() as usize / 8),
    }
}

/// The prefix of a name, empty if it has none, and its local part.
#[inline]
#[must_use]
pub fn split(name: &str) -> (&str, &str) {
    match colon(name.as_bytes()) {
        Some(at) => (&name[..at], &name[at + 1..]),
        None => ("", name),
    }
}

/// The end of the Name that begins at `at`; `at` itself if none begins there.
#[inline(always)]
#[must_use]
pub fn name_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(&first) if is(first, NAME_START) => token_end(bytes, at + 1),
        Some(0x80..) => wide_name_end(bytes, at),
        _ => at,
    }
}

/// Like [`name_end`], with the position of the colon: the end if the name has none, its start if the name is not a
/// QName (Namespaces, production 7).
#[inline(always)]
#[must_use]
pub fn name_and_colon(bytes: &[u8], at: usize) -> (usize, usize) {
    let mut end = at;
    if !bytes.get(at).is_some_and(|&first| is(first, NAME_START)) {
        return other_name(bytes, at);
    }
    while let Some(&byte) = bytes.get(end) {
        if !is(byte, LOCAL) {
            if byte == b':' {
                return colon_at(bytes, at, end);
            }
            if byte >= 0x80 {
                return other_name(bytes, at);
            }
            break;
        }
        end += 1;
    }
    (end, end)
}

/// The result of [`name_and_colon`] for the name at `at` whose first colon is at `colon`.
#[inline(always)]
fn colon_at(bytes: &[u8], at: usize, colon: usize) -> (usize, usize) {
    if !bytes.get(colon + 1).is_some_and(|&first| first != b':' && is(first, NAME_START)) {
        return other_name(bytes, at);
    }
    let mut end = colon + 1;
    while bytes.get(end).is_some_and(|&byte| is(byte, LOCAL)) {
        end += 1;
    }
    match bytes.get(end) {
        Some(b':' | 0x80..) => other_name(bytes, at),
        _ => (end, colon),
    }
}

#[cold]
#[inline]
fn other_name(bytes: &[u8], at: usize) -> (usize, usize) {
    let end = name_end(bytes, at);
    let name = bytes.get(at..end).unwrap_or_default();
    match memchr(b':', name) {
        None => (end, end),
        Some(colon) if is_local_part(&name[colon + 1..]) => (end, at + colon),
        Some(_) => (end, at),
    }
}

/// The end of the NCName of ASCII characters that begins at `at`; `at` itself if none begins there. The caller must
/// check whether more of a name follows.
#[inline(always)]
#[must_use]
pub fn local_end(bytes: &[u8], at: usize) -> usize {
    if !bytes.get(at).is_some_and(|&first| first != b':' && is(first, NAME_START)) {
        return at;
    }
    let mut end = at + 1;
    while bytes.get(end).is_some_and(|&byte| is(byte, LOCAL)) {
        end += 1;
    }
    end
}

/// Whether the part of a Name after its first colon is an NCName.
#[inline]
#[must_use]
pub fn is_local_part(local: &[u8]) -> bool {
    let begins = match local.first() {
        Some(&first) if first < 0x80 => is(first, NAME_START),
        _ => char_at(local, 0).is_some_and(is_start),
    };
    begins && !local.contains(&b':')
}

/// The end of the Nmtoken (production 7) that begins at `at`.
#[inline(always)]
#[must_use]
pub fn token_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        if !is(byte, NAME) {
            if byte >= 0x80 {
                return wide_token_end(bytes, at);
            }
            break;
        }
        at += 1;
    }
    at
}

#[cold]
#[inline]
fn wide_name_end(bytes: &[u8], at: usize) -> usize {
    match char_at(bytes, at) {
        Some(c) if is_start(c) => wide_token_end(bytes, at + c.len_utf8()),
        _ => at,
    }
}

#[cold]
#[inline]
fn wide_token_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(c) = char_at(bytes, at).filter(|&c| is_name_char(c)) {
        at += c.len_utf8();
    }
    at
}
