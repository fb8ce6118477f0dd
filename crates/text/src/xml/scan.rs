//! Short scans, eight bytes at a time: most names and values are shorter than what pays for the
//! start of a vector search.

use memchr::memchr;

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);

/// The eight bytes at `at`, the first the lowest.
#[inline(always)]
pub(crate) fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// Marks the high bit of every byte that is `byte`. Behind the first marked one others may be
/// marked too that are not.
#[inline(always)]
pub(crate) const fn mark(word: u64, byte: u8) -> u64 {
    let zeros = word ^ (ONES * byte as u64);
    zeros.wrapping_sub(ONES) & !zeros & HIGHS
}

/// The same for bytes below the space.
#[inline(always)]
pub(crate) const fn mark_controls(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x20) & !word & HIGHS
}

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

/// Whether two texts of one length are the same.
#[inline(always)]
pub(crate) fn is_same(a: &[u8], b: &[u8]) -> bool {
    let len = a.len();
    if len != b.len() {
        return false;
    }
    match len {
        8..=16 => eight(a, 0) == eight(b, 0) && eight(a, len - 8) == eight(b, len - 8),
        4..=7 => a.first_chunk::<4>() == b.first_chunk::<4>() && a.last_chunk::<4>() == b.last_chunk::<4>(),
        0..=3 => a.iter().eq(b),
        _ => a == b,
    }
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

    #[test]
    fn sameness_is_that_of_slices() {
        for len in 0..40 {
            let text = vec![b'a'; len];
            assert!(is_same(&text, &text));
            for at in 0..len {
                let mut other = text.clone();
                other[at] = b'b';
                assert!(!is_same(&text, &other), "{len} {at}");
            }
            assert!(!is_same(&text, &vec![b'a'; len + 1]));
        }
    }
}
