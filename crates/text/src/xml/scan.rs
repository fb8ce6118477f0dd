//! Short scans, eight bytes at a time: most names and values are shorter than what pays for the
//! start of a vector search.

use memchr::memchr;
use xml::scan::{eight, mark, mark_controls};

/// The place of the first `<` from `start` on, or the end.
#[inline(always)]
pub(crate) fn less_than_from(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < start + 32
        && let Some(word) = eight(bytes, at)
    {
        let marks = mark(word, b'<');
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    bytes.get(at..).and_then(|rest| memchr(b'<', rest)).map_or(bytes.len(), |len| at + len)
}

/// The place of the first byte from `at` on that ends an attribute value in this quote, or is not
/// as it should be read: `<`, `&`, a control character; or the end.
#[inline(always)]
pub(crate) fn value_end(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(word) = eight(bytes, at) {
        let marks = mark(word, quote) | mark(word, b'<') | mark(word, b'&') | mark_controls(word);
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let stops = |&byte: &u8| byte == quote || byte == b'<' || byte == b'&' || byte < b' ';
    bytes.get(at..).and_then(|rest| rest.iter().position(stops)).map_or(bytes.len(), |len| at + len)
}

/// The first byte from `at` on that an attribute value cannot simply go on over: a quote of either kind, `<`, `&`, a
/// control character.
#[inline]
pub(crate) fn value_run_end(bytes: &[u8], at: usize) -> usize {
    let stops = |&byte: &u8| byte < b' ' || matches!(byte, b'"' | b'\'' | b'<' | b'&');
    bytes.get(at..).and_then(|rest| rest.iter().position(stops)).map_or(bytes.len(), |len| at + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_find_what_a_plain_search_finds() {
        let stops = [b'<', b'&', b'"', b'\'', b'\t', b'\n', 0x1F];
        for len in 0..80 {
            for at in 0..len {
                for stop in stops {
                    let mut text = vec![b' '; len];
                    for (n, byte) in text.iter_mut().enumerate() {
                        *byte = [b' ', b'=', b'!', b'%', b'#', b';', 0x80, 0xBC, 0xA6, 0xFF, b'x'][(n * 7 + len) % 11];
                    }
                    text[at] = stop;
                    for start in 0..=at.min(9) {
                        assert_eq!(less_than_from(&text, start), if stop == b'<' { at } else { len });
                        let ends = stop != b'\'';
                        assert_eq!(value_end(&text, start, b'"'), if ends { at } else { len }, "{text:?}");
                    }
                }
            }
        }
    }
}
