//! Checks eight bytes at a time. Most names and values are too short for a vector search or a call to pay off.

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);

/// The eight bytes at `at`, the first the lowest.
#[inline(always)]
#[must_use]
pub fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// Marks the high bit of every byte that equals `byte`. Bytes after the first marked one may be marked wrongly.
#[inline(always)]
#[must_use]
pub const fn mark(word: u64, byte: u8) -> u64 {
    let zeros = word ^ (ONES * byte as u64);
    zeros.wrapping_sub(ONES) & !zeros & HIGHS
}

/// The same for bytes below the space.
#[inline(always)]
#[must_use]
pub const fn mark_controls(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x20) & !word & HIGHS
}

/// The first eight bytes of a text, the first the lowest, zeros after the end of a shorter one.
#[inline(always)]
#[must_use]
pub fn first_word(text: &[u8]) -> u64 {
    if let Some(chunk) = text.first_chunk() {
        return u64::from_le_bytes(*chunk);
    }
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => {
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            u64::from(first) | u64::from(last) << (8 * (text.len() - 4))
        }
        _ => text.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Whether two texts are equal.
#[inline(always)]
#[must_use]
pub fn is_same(a: &[u8], b: &[u8]) -> bool {
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
