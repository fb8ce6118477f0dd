//! Characters and names (XML 1.0 fifth edition, sections 2.2 and 2.3).

use tam::{Error, ErrorKind, Words};

/// The character can begin a name.
const NAME_START: u8 = 1;
/// The character can stand in a name.
const NAME: u8 = 2;
/// White space: the S of the grammar.
const SPACE: u8 = 4;
/// The character can stand in a public identifier.
const PUBLIC: u8 = 8;
/// An attribute value cannot go on over the byte without a closer look.
const VALUE_STOP: u8 = 16;
/// The character can be in a name without a colon.
const LOCAL: u8 = 32;

/// What each byte can be; bytes above 0x7F are looked at as characters instead.
static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut class = [0; 256];
    let mut c = 0;
    while c < 0x80 {
        let byte = c as u8;
        if byte.is_ascii_alphabetic() || byte == b':' || byte == b'_' {
            class[c] |= NAME_START | NAME;
        }
        if byte.is_ascii_digit() || byte == b'-' || byte == b'.' {
            class[c] |= NAME;
        }
        if class[c] & NAME != 0 && byte != b':' {
            class[c] |= LOCAL;
        }
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            class[c] |= SPACE;
        }
        if byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'\r' | b'\n') || in_list(byte, PUBLIC_MARKS) {
            class[c] |= PUBLIC;
        }
        if byte < b' ' || matches!(byte, b'"' | b'\'' | b'<' | b'&') {
            class[c] |= VALUE_STOP;
        }
        c += 1;
    }
    class
}

/// The punctuation of PubidChar (production 13).
const PUBLIC_MARKS: &[u8] = b"-'()+,./:=?;!*#@$_%";

const fn in_list(byte: u8, list: &[u8]) -> bool {
    let mut i = 0;
    while i < list.len() {
        if list[i] == byte {
            return true;
        }
        i += 1;
    }
    false
}

#[inline(always)]
fn is(byte: u8, class: u8) -> bool {
    CLASS[byte as usize] & class != 0
}

/// White space (production 3).
#[inline(always)]
pub(crate) fn is_space(byte: u8) -> bool {
    is(byte, SPACE)
}

/// PubidChar (production 13).
pub(crate) fn is_public(byte: u8) -> bool {
    is(byte, PUBLIC)
}

/// Char (production 2).
pub(crate) fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// NameStartChar (production 4).
pub(crate) fn is_name_start(c: char) -> bool {
    matches!(c, ':' | 'A'..='Z' | '_' | 'a'..='z'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}'
        | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// NameChar (production 4a).
pub(crate) fn is_name_char(c: char) -> bool {
    is_name_start(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Whether all of `text` is one Name (production 5).
pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(is_name_start) && chars.all(is_name_char)
}

/// The character at `at` of valid UTF-8.
pub(crate) fn char_at(bytes: &[u8], at: usize) -> Option<char> {
    let first = *bytes.get(at)?;
    let (len, mut code) = match first {
        0..=0x7F => return Some(char::from(first)),
        0x80..=0xDF => (2, u32::from(first & 0x1F)),
        0xE0..=0xEF => (3, u32::from(first & 0x0F)),
        _ => (4, u32::from(first & 0x07)),
    };
    for byte in bytes.get(at + 1..at + len)? {
        code = code << 6 | u32::from(byte & 0x3F);
    }
    char::from_u32(code)
}

/// Where the Name that begins at `at` ends; `at` itself where none begins there.
#[inline(always)]
pub(crate) fn name_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(&first) if is(first, NAME_START) => token_end(bytes, at + 1),
        Some(0x80..) => wide_name_end(bytes, at),
        _ => at,
    }
}

/// As [`name_end`], with the place of the colon: the end where the name has none, its start where the name is no
/// QName, which has one colon at the most and a name on both sides of it.
#[inline(always)]
pub(crate) fn name_and_colon(bytes: &[u8], at: usize) -> (usize, usize) {
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

/// What [`name_and_colon`] gives of the name at `at` whose first colon is at `colon`.
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

#[inline(never)]
fn other_name(bytes: &[u8], at: usize) -> (usize, usize) {
    let end = name_end(bytes, at);
    match memchr::memchr(b':', &bytes[at..end]) {
        None => (end, end),
        Some(colon) if is_local_part(&bytes[at + colon + 1..end]) => (end, at + colon),
        Some(_) => (end, at),
    }
}

/// Whether the part of a Name after its first colon is a name without a colon (NCName).
#[inline]
pub(crate) fn is_local_part(local: &[u8]) -> bool {
    let begins = match local.first() {
        Some(&first) if first < 0x80 => is(first, NAME_START),
        _ => char_at(local, 0).is_some_and(is_name_start),
    };
    begins && !local.contains(&b':')
}

/// Where the Nmtoken (production 7) that begins at `at` ends.
#[inline(always)]
pub(crate) fn token_end(bytes: &[u8], mut at: usize) -> usize {
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

#[inline(never)]
fn wide_name_end(bytes: &[u8], at: usize) -> usize {
    match char_at(bytes, at) {
        Some(c) if is_name_start(c) => wide_token_end(bytes, at + c.len_utf8()),
        _ => at,
    }
}

#[inline(never)]
fn wide_token_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(c) = char_at(bytes, at).filter(|&c| is_name_char(c)) {
        at += c.len_utf8();
    }
    at
}

/// Where the white space at `at` ends.
#[inline(always)]
pub(crate) fn space_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| is_space(byte)) {
        at += 1;
    }
    at
}

/// The first byte from `at` on that an attribute value cannot simply go on over: a quote of
/// either kind, `<`, `&`, white space other than the space.
#[inline(always)]
pub(crate) fn value_run_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| !is(byte, VALUE_STOP)) {
        at += 1;
    }
    at
}

/// The first character that is no Char (production 2). All but the control characters, U+FFFE
/// and U+FFFF are.
pub(crate) fn first_illegal(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    for (n, chunk) in bytes.chunks(64).enumerate() {
        // Without a branch inside, so that it is done many bytes at a time.
        let suspects = chunk.iter().fold(false, |any, &byte| {
            any | ((byte < b' ') & (byte != b'\n') & (byte != b'\r') & (byte != b'\t')) | (byte == 0xEF)
        });
        if suspects {
            let illegal = (n * 64..n * 64 + chunk.len()).find(|&at| is_illegal_at(bytes, at));
            if illegal.is_some() {
                return illegal;
            }
        }
    }
    None
}

fn is_illegal_at(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at..) {
        Some([0xEF, 0xBF, 0xBE | 0xBF, ..]) => true,
        Some([byte, ..]) => *byte < b' ' && !is_space(*byte),
        _ => false,
    }
}

/// A character as errors print it.
pub(crate) fn shown(c: char) -> Words {
    match u8::try_from(c) {
        Ok(byte @ 0x20..=0x7E) => Words::Byte(byte),
        _ if c.is_control() || !is_char(c) => Words::Own(format!("the character U+{:04X}", u32::from(c))),
        _ => Words::Own(format!("'{c}'")),
    }
}

/// What stands at `at` is not what should; where the text ends there, it is incomplete.
#[cold]
#[inline(never)]
pub(crate) fn unexpected(bytes: &[u8], at: usize, expected: impl Into<Words>) -> Error {
    match char_at(bytes, at) {
        Some(c) => Error::new(ErrorKind::Syntax, "xml", at as u64, shown(c), expected),
        None => Error::incomplete("xml", bytes.len() as u64, 1, expected),
    }
}

/// The place behind `literal`, which must stand at `at`.
#[inline(always)]
pub(crate) fn after(bytes: &[u8], at: usize, literal: &'static str) -> Result<usize, Error> {
    if bytes.get(at..).is_some_and(|rest| rest.starts_with(literal.as_bytes())) {
        return Ok(at + literal.len());
    }
    Err(no_literal(bytes, at, literal))
}

#[cold]
#[inline(never)]
fn no_literal(bytes: &[u8], at: usize, literal: &'static str) -> Error {
    let rest = bytes.get(at..).unwrap_or(&[]);
    let at = if literal.as_bytes().starts_with(rest) { bytes.len() } else { at };
    unexpected(bytes, at, format!("'{literal}'"))
}

/// The place behind the white space that must stand at `at`.
#[inline]
pub(crate) fn after_space(bytes: &[u8], at: usize, expected: &'static str) -> Result<usize, Error> {
    let end = space_end(bytes, at);
    if end > at { Ok(end) } else { Err(unexpected(bytes, at, expected)) }
}

/// The place behind the Name that must stand at `at`.
#[inline]
pub(crate) fn after_name(bytes: &[u8], at: usize, expected: &'static str) -> Result<usize, Error> {
    let end = name_end(bytes, at);
    if end > at { Ok(end) } else { Err(unexpected(bytes, at, expected)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_the_productions() {
        for byte in 0..0x80_u8 {
            let c = char::from(byte);
            assert_eq!(is(byte, NAME_START), is_name_start(c), "{c:?}");
            assert_eq!(is(byte, NAME), is_name_char(c), "{c:?}");
        }
    }

    #[test]
    fn every_character_decodes_and_is_found_illegal_where_it_is() {
        for c in '\0'..=char::MAX {
            let text = format!("ab{c}cd");
            assert_eq!(char_at(text.as_bytes(), 2), Some(c));
            assert_eq!(first_illegal(&text), (!is_char(c)).then_some(2), "{c:?}");
        }
    }

    #[test]
    fn names_end_where_a_character_is_none_of_theirs() {
        for (text, end) in [("a>", 1), ("-a", 0), ("a-.9:_\u{B7}é=", 10), ("éa b", 3), ("\u{37E}", 0), ("", 0)] {
            assert_eq!(name_end(text.as_bytes(), 0), end, "{text}");
        }
    }

    #[test]
    fn names_are_found_with_their_colon() {
        for (text, found) in [
            ("a>", (1, 1)),
            ("a:b=", (3, 1)),
            (":a:b/", (4, 0)),
            ("é:é>", (5, 2)),
            ("aé:b", (5, 3)),
            ("a:é", (4, 1)),
            ("a:bé.", (6, 1)),
            ("a:b:c", (5, 0)),
            ("a:1", (3, 0)),
            ("a: ", (2, 0)),
            ("é:b:c", (6, 0)),
            ("-a:b", (0, 0)),
            ("", (0, 0)),
        ] {
            assert_eq!(name_and_colon(text.as_bytes(), 0), found, "{text}");
            assert_eq!(name_end(text.as_bytes(), 0), found.0, "{text}");
        }
    }

    #[test]
    fn an_illegal_character_is_found_beyond_the_first_chunk() {
        let text = format!("{}\u{FFFF}", "\u{FF0C}".repeat(100));
        assert_eq!(first_illegal(&text), Some(300));
    }
}
