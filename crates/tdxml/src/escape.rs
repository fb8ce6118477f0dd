//! Characters that are written as references (XML 1.0 sections 2.4 and 2.11), and what marks a cell.

use core::ops::Range;
use std::borrow::Cow;

use tam::{Error, Words};
use xml::chars::illegal_char;
use xml::escape::Context;
use xml::reference;

use crate::place::syntax;

/// An empty value in a cell of the grouped scheme. An empty cell has no value.
pub(crate) const EMPTY: &str = "\"\"";

/// Which bytes of a value need a closer check before copying: those that may be written as references,
/// control characters, and the first byte of U+FFFE and U+FFFF.
static MARKED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte < 0x20 || matches!(byte as u8, b'&' | b'<' | b'>' | b'|' | 0xEF);
        byte += 1;
    }
    table
};

/// Whether no byte of a value is marked.
#[inline]
pub(crate) fn is_plain(value: &[u8]) -> bool {
    // Eight bytes at a time are faster than the table. Some of the last bytes are checked twice.
    let Some(last) = value.last_chunk() else { return !value.iter().any(|byte| MARKED[usize::from(*byte)]) };
    value.as_chunks().0.iter().fold(marks(last), |all, chunk| all | marks(chunk)) == 0
}

/// A word whose high bits are set where a byte is marked, and perhaps in bytes after it.
#[inline(always)]
fn marks(bytes: &[u8; 8]) -> u64 {
    let word = u64::from_le_bytes(*bytes);
    let ascii = word.wrapping_sub(ONES * 0x20) | none(word, b'&') | none(word | (ONES * 2), b'>') | none(word, b'|');
    ((ascii & !word) | (none(word, 0xEF) & word)) & (ONES * 0x80)
}

const ONES: u64 = u64::MAX / 255;

/// Subtracting one more than a byte sets its high bit unless the bit was set before; so a byte other than `byte` leaves
/// none.
#[inline(always)]
fn none(word: u64, byte: u8) -> u64 {
    (word ^ (ONES * u64::from(byte))).wrapping_sub(ONES)
}

/// Appends the value of a row. `plain` says that it needs no references, if that is known. The error is a character that
/// XML does not allow.
#[inline]
pub(crate) fn push_value(out: &mut Vec<u8>, value: &str, plain: bool) -> Result<(), char> {
    if plain || is_plain(value.as_bytes()) {
        out.extend_from_slice(value.as_bytes());
        return Ok(());
    }
    push(out, value, Context::Line)
}

/// The same for a cell of the grouped scheme, the first of its line or another.
#[inline]
pub(crate) fn push_cell(out: &mut Vec<u8>, value: &str, is_first: bool, plain: bool) -> Result<(), char> {
    match value.as_bytes() {
        [] => {
            out.extend_from_slice(EMPTY.as_bytes());
            return Ok(());
        }
        [b'[', ..] if is_first => {
            out.extend_from_slice(b"&#91;");
            return push(out, &value[1..], Context::Cell);
        }
        b"\"\"" => {
            out.extend_from_slice(b"&#34;\"");
            return Ok(());
        }
        bytes if plain || is_plain(bytes) => {
            out.extend_from_slice(bytes);
            return Ok(());
        }
        _ => {}
    }
    push(out, value, Context::Cell)
}

fn push(out: &mut Vec<u8>, value: &str, context: Context) -> Result<(), char> {
    xml::escape::push(out, value, context);
    illegal_char(value).map_or(Ok(()), Err)
}

/// Resolves the references in raw text. Copies only if there are any.
///
/// # Errors
/// Of kind syntax; the position is counted from the start of the text.
#[inline]
pub(crate) fn decode(raw: &str) -> Result<Cow<'_, str>, Error> {
    reference::decode(raw).map_err(|place| no_reference(raw, place))
}

#[cold]
fn no_reference(raw: &str, place: Range<usize>) -> Error {
    let found = match raw.get(place.clone()).filter(|found| found.ends_with(';')) {
        Some(found) => Words::Own(format!("'{}'", found.escape_debug())),
        None => "'&' without a ';'".into(),
    };
    syntax(place.start, found, "&amp; &lt; &gt; &quot; &apos; or the number of a character")
}

/// Replaces references to characters beyond ASCII, which tools without encodings write, by the characters. Other
/// references, and malformed ones, are kept.
pub(crate) fn decode_beyond_ascii(raw: &str) -> Cow<'_, str> {
    if memchr::memmem::find(raw.as_bytes(), b"&#").is_none() {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once("&#") {
        out.push_str(before);
        let end = after.bytes().take(11).position(|c| c == b';').unwrap_or_default();
        let name = rest.get(before.len() + 1..before.len() + 2 + end).unwrap_or_default();
        match reference::character(name.as_bytes()).filter(|c| !c.is_ascii()) {
            Some(c) => {
                out.push(c);
                rest = after.get(end + 1..).unwrap_or_default();
            }
            None => {
                out.push_str("&#");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::stride;

    #[test]
    fn values_come_back_as_they_were() {
        let values = ["", "a", "[", "[x]", "\"\"", "\"", "\"\"\"", "a|b", "&<>", "]]>", "a\r\nb", "é\u{FFFD}", "\t "];
        // Every length that takes another code path, with a mark at every position.
        let mut long = Vec::new();
        for len in (0..70).step_by(stride(9)) {
            let text = "abcdefghij".repeat(7);
            long.push(text[..len].to_owned());
            long.extend((0..len).step_by(stride(9)).map(|at| format!("{}&{}", &text[..at], &text[at + 1..len])));
        }
        for value in values.into_iter().chain(long.iter().map(String::as_str)) {
            let mut row = Vec::new();
            push_value(&mut row, value, false).unwrap();
            assert_eq!(decode(str::from_utf8(&row).unwrap()).unwrap(), value);
            for is_first in [true, false] {
                let mut cell = Vec::new();
                push_cell(&mut cell, value, is_first, false).unwrap();
                let cell = str::from_utf8(&cell).unwrap();
                assert!(!cell.contains(['|', '\n']));
                assert!(!is_first || !cell.starts_with('['));
                assert!(!cell.is_empty());
                assert_eq!(cell == EMPTY, value.is_empty());
                assert_eq!(if cell == EMPTY { "".into() } else { decode(cell).unwrap() }, value);
            }
        }
        assert_eq!(push_value(&mut Vec::new(), "a\u{1}", false), Err('\u{1}'));
        assert_eq!(push_value(&mut Vec::new(), "\u{FFFE}", false), Err('\u{FFFE}'));
    }

    /// Checking many bytes at once gives the same answer as checking each.
    #[test]
    fn plain_values_are_those_without_a_mark() {
        for len in (1..40).step_by(stride(5)) {
            for at in (0..len).step_by(stride(5)) {
                for sign in (0..=u8::MAX).step_by(stride(31)) {
                    let mut value = vec![b'a'; len];
                    value[at] = sign;
                    assert_eq!(is_plain(&value), !MARKED[usize::from(sign)], "{value:?}");
                }
            }
        }
        assert!(is_plain(b""));
    }

    #[test]
    fn references_beyond_ascii_are_characters_of_names() {
        assert_eq!(decode_beyond_ascii("a&#xE9;&#233;b"), "aééb");
        assert_eq!(decode_beyond_ascii("&#x10FFFF;"), "\u{10FFFF}");
        for other in ["&#34;&lt;&#x22;", "&#", "&#;", "&#xE9", "&#xD800;&#x110000;", "&#-1;&#x+E9;", "&amp;#xE9;"] {
            assert_eq!(decode_beyond_ascii(other), other);
        }
    }

    #[test]
    fn references_are_those_of_xml() {
        assert_eq!(decode("&lt;&#x41;&#65;&quot;&apos;&gt;&amp;lt;").unwrap(), "<AA\"'>&lt;");
        for raw in ["&", "&lt", "&nbsp;", "&#0;", "&#xD800;", "&#x110000;", "&#+65;", "&#;", "x&;", "&#xFFFF;"] {
            assert!(decode(raw).is_err(), "{raw}");
        }
    }
}
