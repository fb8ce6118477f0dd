//! Which characters XML allows, and what each may be (XML 1.0 fifth edition, sections 2.2 and 2.3).

use crate::kernels::{self, Job, Kernel, Portable};
use crate::scan::first_word;

/// The characters of white space (S, production 3), as a pattern for `str::split` and `str::trim_matches`.
pub const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// The character can begin a name.
pub(crate) const NAME_START: u8 = 1;
/// The character can be in a name.
pub(crate) const NAME: u8 = 2;
/// The character can be in a name without a colon.
pub(crate) const LOCAL: u8 = 4;
/// White space.
const SPACES: u8 = 8;
/// The character can be in a public identifier.
const PUBLIC: u8 = 16;

/// The classes of each byte; bytes above 0x7F are decoded as characters instead.
const CLASS: &[u8; 256] = &classes();

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
            class[c] |= SPACES;
        }
        if byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'\r' | b'\n') || is_public_mark(byte) {
            class[c] |= PUBLIC;
        }
        c += 1;
    }
    class
}

/// The punctuation of PubidChar (production 13).
const fn is_public_mark(byte: u8) -> bool {
    matches!(
        byte,
        b'-' | b'\'' | b'(' | b')' | b'+' | b',' | b'.' | b'/' | b':' | b'=' | b'?' | b';' | b'!' | b'*' | b'#' | b'@'
    ) || matches!(byte, b'$' | b'_' | b'%')
}

/// Whether an ASCII byte is of a class.
#[inline(always)]
pub(crate) fn is(byte: u8, class: u8) -> bool {
    CLASS[byte as usize] & class != 0
}

/// White space (S, production 3).
#[inline(always)]
#[must_use]
pub fn is_space(byte: u8) -> bool {
    is(byte, SPACES)
}

/// Whether a text consists of white space; the empty text does.
#[inline]
#[must_use]
pub fn is_white(text: &[u8]) -> bool {
    // Usually it is a line end, and one kind of space up to the next tag.
    let Some((first, indent)) = text.split_first() else { return true };
    let Some(space) = indent.first() else { return is_space(*first) };
    if !is_space(*first) || !is_space(*space) {
        return false;
    }
    let alike = u64::from(*space) * 0x0101_0101_0101_0101;
    let is_alike = match indent.last_chunk() {
        Some(last) => {
            u64::from_le_bytes(*last) == alike
                && indent.as_chunks().0.iter().all(|eight| u64::from_le_bytes(*eight) == alike)
        }
        None => first_word(indent) == alike & !(u64::MAX << (8 * indent.len())),
    };
    is_alike || indent.iter().all(|&byte| is_space(byte))
}

/// The end of the white space at `at`.
#[inline(always)]
#[must_use]
pub fn space_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| is_space(byte)) {
        at += 1;
    }
    at
}

/// PubidChar (production 13).
#[inline]
#[must_use]
pub fn is_public(byte: u8) -> bool {
    is(byte, PUBLIC)
}

/// Char (production 2).
#[inline]
#[must_use]
pub fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// The character at `at` of valid UTF-8. For other bytes the result is arbitrary.
#[inline]
#[must_use]
pub fn char_at(bytes: &[u8], at: usize) -> Option<char> {
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

/// The position of the first character of valid UTF-8 that is not a Char (production 2). The others are most control
/// characters, U+FFFE and U+FFFF.
#[inline]
#[must_use]
pub fn first_illegal(text: &[u8]) -> Option<usize> {
    illegal_from(text, 0)
}

/// The same for texts with a NUL after each.
#[inline]
#[must_use]
pub fn first_illegal_between_nuls(text: &[u8]) -> Option<usize> {
    illegal_from(text, 1)
}

/// The first illegal character; control characters below `least` are allowed.
fn illegal_from(text: &[u8], least: u8) -> Option<usize> {
    let search = FirstIllegal { text, least };
    if text.len() <= CHECKED { search.run(Portable) } else { kernels::run(search) }
}

struct FirstIllegal<'t> {
    text: &'t [u8],
    least: u8,
}

impl Job for FirstIllegal<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> Option<usize> {
        let FirstIllegal { text, least } = self;
        for (n, chunk) in text.chunks(CHECKED).enumerate() {
            // Without a branch inside, so that many bytes are checked at a time.
            let suspects = chunk.iter().fold(false, |any, &byte| {
                let is_control = (byte < b' ') & (byte >= least) & (byte != b'\n') & (byte != b'\r') & (byte != b'\t');
                any | is_control | (byte == 0xEF)
            });
            if suspects {
                let start = n * CHECKED;
                let illegal = (start..start + chunk.len()).find(|&at| is_illegal_at(text, at, least));
                if illegal.is_some() {
                    return illegal;
                }
            }
        }
        None
    }
}

/// Bytes that are checked together.
const CHECKED: usize = 128;

fn is_illegal_at(text: &[u8], at: usize, least: u8) -> bool {
    match text.get(at..) {
        Some([0xEF, 0xBF, 0xBE | 0xBF, ..]) => true,
        Some([byte, ..]) => (least..b' ').contains(byte) && !is_space(*byte),
        _ => false,
    }
}

/// The first character of a text that is not a Char (production 2).
#[inline]
#[must_use]
pub fn illegal_char(text: &str) -> Option<char> {
    first_illegal(text.as_bytes()).and_then(|at| char_at(text.as_bytes(), at))
}
