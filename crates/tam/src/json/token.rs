//! The scalars of JSON as they are written (RFC 8259 sections 6 and 7).

use core::fmt;

/// What is wrong with a token, and where.
///
/// A fault at the length of the text means that the text ends where the token goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Where, in bytes from the start of the text given.
    pub at: usize,
    /// What was met, where that is more than the byte at [`Fault::at`].
    pub found: Option<&'static str>,
    /// What should have been there.
    pub expected: &'static str,
}

impl Fault {
    #[cold]
    const fn new(at: usize, expected: &'static str) -> Fault {
        Fault { at, found: None, expected }
    }

    #[cold]
    const fn met(at: usize, found: &'static str, expected: &'static str) -> Fault {
        Fault { at, found: Some(found), expected }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: ", self.at)?;
        if let Some(found) = self.found {
            write!(f, "found {found}, ")?;
        }
        write!(f, "expected {}", self.expected)
    }
}

impl core::error::Error for Fault {}

/// The number a text starts with: its length in bytes, and whether it is an integer, that is,
/// has neither fraction nor exponent (RFC 8259 section 6).
///
/// ```
/// use lengthwise_tam::json;
///
/// assert_eq!(json::number(b"-12,"), Ok((3, true)));
/// assert_eq!(json::number(b"1e5]"), Ok((3, false)));
/// assert!(json::number(b"012").is_err());
/// ```
///
/// # Errors
/// When the text does not start with a number.
#[inline]
pub fn number(text: &[u8]) -> Result<(usize, bool), Fault> {
    let start = usize::from(text.first() == Some(&b'-'));
    let whole = some_digits(text, start, "a digit")?;
    if text[start] == b'0' && whole > start + 1 {
        return Err(Fault::met(start, "a leading zero", "a number without one"));
    }
    let mut at = whole;
    if text.get(at) == Some(&b'.') {
        at = some_digits(text, at + 1, "a digit of the fraction")?;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let sign = matches!(text.get(at + 1), Some(b'+' | b'-'));
        at = some_digits(text, at + 1 + usize::from(sign), "a digit of the exponent")?;
    }
    Ok((at, at == whole))
}

/// Where the digits from `at` on end.
#[inline]
fn some_digits(text: &[u8], at: usize, expected: &'static str) -> Result<usize, Fault> {
    let end = at + first_mark(text.get(at..).unwrap_or(&[]), not_digits, |c| !c.is_ascii_digit());
    if end == at { Err(Fault::new(at, expected)) } else { Ok(end) }
}

/// Marks the bytes of a word that are no digits. Bytes above the lowest mark may be marked in error, because an addition carries
/// into them.
#[inline]
const fn not_digits(word: u64) -> u64 {
    let values = word ^ (ONES * b'0' as u64);
    (values.wrapping_add(ONES * (0x80 - 10)) | values) & (ONES * 0x80)
}

/// The number of bytes at the start of a text that a JSON string has unescaped: all but `"`, `\` and
/// the controls below 0x20 (RFC 8259 section 7).
#[inline]
#[must_use]
pub fn plain_len(text: &[u8]) -> usize {
    first_mark(text, not_plain, |c| !is_plain(c))
}

/// The position of the first byte with a mark, or the length of the text. Bytes are looked at eight at once, where only the lowest
/// mark needs to be right, and the last ones one by one.
#[inline(always)]
fn first_mark(text: &[u8], marks: impl Fn(u64) -> u64, is_marked: impl Fn(u8) -> bool) -> usize {
    let mut rest = text;
    while let Some((eight, after)) = rest.split_first_chunk() {
        let marks = marks(u64::from_le_bytes(*eight));
        if marks != 0 {
            return text.len() - rest.len() + (marks.trailing_zeros() / 8) as usize;
        }
        rest = after;
    }
    text.len() - rest.len() + rest.iter().position(|&c| is_marked(c)).unwrap_or(rest.len())
}

const ONES: u64 = u64::MAX / 255;

#[inline]
const fn is_plain(c: u8) -> bool {
    c >= 0x20 && c != b'"' && c != b'\\'
}

/// Marks the bytes of a word that [`is_plain`] denies. Bytes above the lowest mark may be marked
/// in error, because a subtraction borrows from them; the lowest mark is always right.
#[inline]
const fn not_plain(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let escape = word ^ (ONES * b'\\' as u64);
    let quote = quote.wrapping_sub(ONES) & !quote;
    let escape = escape.wrapping_sub(ONES) & !escape;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (quote | escape | control) & (ONES * 0x80)
}

/// The character that an escape represents, and the length of the escape in bytes. The text starts with
/// its `\`. A pair of surrogates is one escape (RFC 8259 section 7).
///
/// ```
/// use lengthwise_tam::json;
///
/// assert_eq!(json::escape(br"\n..."), Ok(('\n', 2)));
/// assert_eq!(json::escape(br"\ud83d\ude00"), Ok(('\u{1F600}', 12)));
/// assert!(json::escape(br"\ud83d...").is_err());
/// ```
///
/// # Errors
/// When there is no such escape, or a surrogate is not part of a pair.
pub fn escape(text: &[u8]) -> Result<(char, usize), Fault> {
    let plain = match text.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return code_units(text),
        _ => return Err(Fault::new(1, r#"one of "\/bfnrtu after the backslash"#)),
    };
    Ok((plain, 2))
}

fn code_units(text: &[u8]) -> Result<(char, usize), Fault> {
    let high = hex4(text, 2)?;
    if let Some(c) = char::from_u32(high) {
        return Ok((c, 6));
    }
    if high >= 0xDC00 {
        return Err(Fault::met(0, "a low surrogate alone", "a high surrogate before it"));
    }
    const PAIR: &str = r"a low surrogate (\uDC00 to \uDFFF) after the high one";
    for (at, wanted) in [(6, b'\\'), (7, b'u')] {
        match text.get(at) {
            None => return Err(Fault::new(at, PAIR)),
            Some(&c) if c != wanted => return Err(Fault::met(0, "a high surrogate alone", PAIR)),
            Some(_) => {}
        }
    }
    let low = hex4(text, 8)?;
    if !(0xDC00..=0xDFFF).contains(&low) {
        return Err(Fault::met(0, "a high surrogate alone", PAIR));
    }
    let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    char::from_u32(code).map(|c| (c, 12)).ok_or(Fault::new(0, PAIR))
}

fn hex4(text: &[u8], start: usize) -> Result<u32, Fault> {
    let digits = text.get(start..).and_then(<[u8]>::first_chunk::<4>);
    digits.and_then(code_unit).ok_or_else(|| {
        let is_other = |at: &usize| !text.get(*at).is_some_and(u8::is_ascii_hexdigit);
        Fault::new((start..).find(is_other).unwrap_or(start), "four hexadecimal digits")
    })
}

/// The number that four hexadecimal digits are.
#[inline]
fn code_unit(digits: &[u8; 4]) -> Option<u32> {
    /// The value of each digit; other bytes have higher bits.
    const VALUES: [u8; 256] = {
        let mut values = [0xFF; 256];
        let mut value = 0;
        while value < 16 {
            values[b"0123456789abcdef"[value] as usize] = value as u8;
            values[b"0123456789ABCDEF"[value] as usize] = value as u8;
            value += 1;
        }
        values
    };
    let [a, b, c, d] = digits.map(|digit| u32::from(VALUES[usize::from(digit)]));
    ((a | b | c | d) < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}

/// Appends the characters of the `\u` escapes that a text starts with, up to the first that is none of four digits or half of a
/// pair. Gives the number of bytes that they take.
#[cfg(feature = "alloc")]
pub fn append_escapes(text: &[u8], out: &mut alloc::vec::Vec<u8>) -> usize {
    let mut rest = text;
    loop {
        let mut characters = [0; 96];
        let mut len = 0;
        while let Some(([b'\\', b'u', digits @ ..], after)) = rest.split_first_chunk::<6>()
            && let Some(place) = characters.get_mut(len..).and_then(<[u8]>::first_chunk_mut::<3>)
            && let Some(c) = code_unit(digits).and_then(char::from_u32)
        {
            len += c.encode_utf8(place).len();
            rest = after;
        }
        out.extend_from_slice(&characters[..len]);
        if len + 3 <= characters.len() {
            return text.len() - rest.len();
        }
    }
}

/// The string a text starts with: its length in bytes, quotes included, and whether it holds
/// escapes (RFC 8259 section 7). Whether the text is UTF-8 is not looked at.
///
/// # Errors
/// When the text does not start with a string.
pub fn string(text: &[u8]) -> Result<(usize, bool), Fault> {
    if text.first() != Some(&b'"') {
        return Err(Fault::new(0, "a string in double quotes"));
    }
    let mut at = 1;
    let mut escaped = false;
    loop {
        at += plain_len(&text[at..]);
        match text.get(at) {
            Some(b'"') => return Ok((at + 1, escaped)),
            Some(b'\\') => {
                let (_, len) = escape(&text[at..]).map_err(|fault| Fault { at: at + fault.at, ..fault })?;
                at += len;
                escaped = true;
            }
            Some(_) => return Err(Fault::new(at, r"an escape such as \n or \u0000: controls are not written plainly")),
            None => return Err(Fault::new(at, "the end of the string")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Digits are looked at eight at once; one byte at a time must say the same.
    #[test]
    fn words_and_bytes_agree_on_what_is_a_digit() {
        for special in (0..=255).filter(|c| !u8::is_ascii_digit(c) && !matches!(c, b'.' | b'e' | b'E')) {
            for place in 1..20 {
                for filling in [b'1', b'9'] {
                    let mut text = Vec::from([filling; 20]);
                    text[place..].fill(special);
                    assert_eq!(number(&text), Ok((place, true)), "{special:#x} at {place}");
                    text[place + 1..].fill(filling);
                    assert_eq!(number(&text), Ok((place, true)), "{special:#x} at {place}");
                }
            }
        }
    }

    /// Every code unit, in rows of all lengths: what one escape is, many are.
    #[test]
    #[cfg(feature = "alloc")]
    fn escapes_in_a_row_are_those_one_by_one() {
        use std::{format, string::String};
        for start in (0..=0xFFFF_u32).step_by(61) {
            for len in [0, 1, 2, 31, 32, 33, 34, 61] {
                let (mut text, mut characters) = (String::new(), String::new());
                for code in (start..start + len).map(|code| code & 0xFFFF) {
                    let Some(c) = char::from_u32(code) else { break };
                    text += &if code % 2 == 0 { format!("\\u{code:04x}") } else { format!("\\u{code:04X}") };
                    characters.push(c);
                }
                for end in ["", "\\", "\\u", "\\u12g4", "\\ud800", "\\udc00", "\\n", "x", "\""] {
                    let mut out = Vec::from(*b"before");
                    assert_eq!(append_escapes(format!("{text}{end}").as_bytes(), &mut out), text.len(), "{text}{end}");
                    assert_eq!(out, format!("before{characters}").as_bytes());
                }
            }
        }
    }

    /// `plain_len` looks at eight bytes at once; one byte at a time must say the same.
    #[test]
    fn words_and_bytes_agree_on_what_is_plain() {
        for special in 0..=255 {
            for place in 0..20 {
                for filling in [b' ', b'#', b'!', b'[', b']', 0x7F, 0x80, 0xFF, b'"' + 1, 0x1F + 1] {
                    let mut text = Vec::from([filling; 20]);
                    text[place] = special;
                    let naive = text.iter().position(|&c| !is_plain(c)).unwrap_or(text.len());
                    assert_eq!(plain_len(&text), naive, "{special:#x} at {place} among {filling:#x}");
                }
            }
        }
    }

    #[test]
    fn numbers_follow_the_grammar() {
        for (text, is) in [
            ("0", (1, true)),
            ("-0", (2, true)),
            ("10", (2, true)),
            ("0.50", (4, false)),
            ("1E+2x", (4, false)),
            ("-1.0e-7", (7, false)),
        ] {
            assert_eq!(number(text.as_bytes()), Ok(is), "{text}");
        }
        for (text, at) in
            [("", 0), ("-", 1), ("+1", 0), (".5", 0), ("-a", 1), ("1.", 2), ("1.e1", 2), ("1e", 2), ("1e+", 3)]
        {
            assert_eq!(number(text.as_bytes()).map_err(|fault| fault.at), Err(at), "{text}");
        }
        assert_eq!(number(b"00").map_err(|fault| fault.found), Err(Some("a leading zero")));
    }

    #[test]
    fn escapes_are_undone_in_pairs_where_need_be() {
        for (text, is) in [
            (r#"\""#, ('"', 2)),
            (r"\/", ('/', 2)),
            (r"\u0041", ('A', 6)),
            (r"\uFFFF", ('\u{FFFF}', 6)),
            (r"\uDBFF\uDFFF", ('\u{10FFFF}', 12)),
        ] {
            assert_eq!(escape(text.as_bytes()), Ok(is), "{text}");
        }
        for (text, at) in [
            (r"\", 1),
            (r"\x", 1),
            (r"\u12", 4),
            (r"\u12G4", 4),
            (r"\ud800", 6),
            (r"\ud800\", 7),
            (r"\ud800x", 0),
            (r"\ud800\n", 0),
            (r"\ud800\u0041", 0),
            (r"\udc00\ud800", 0),
        ] {
            assert_eq!(escape(text.as_bytes()).map_err(|fault| fault.at), Err(at), "{text}");
        }
    }

    #[test]
    fn strings_end_at_their_quote() {
        assert_eq!(string(br#""abc" "#), Ok((5, false)));
        assert_eq!(string(br#""a\"b""#), Ok((6, true)));
        for (text, at) in [(&b"'a'"[..], 0), (b"\"a", 2), (b"\"a\tb\"", 2), (b"\"ab\\q\"", 4)] {
            assert_eq!(string(text).map_err(|fault| fault.at), Err(at));
        }
    }
}
