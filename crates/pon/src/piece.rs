//! Short pieces of a message: digits, keys, strings of a few bytes.

/// Decimal digits of a number.
#[inline(always)]
pub(crate) fn digits(value: u64) -> usize {
    match value {
        0..10 => 1,
        10..100 => 2,
        100..1000 => 3,
        _ => value.ilog10() as usize + 1,
    }
}

/// Copies a short text to `at`: as two blocks of one size that may overlap.
#[inline(always)]
pub(crate) fn copy_short(piece: &mut [u8], at: usize, text: &[u8]) {
    let end = at + text.len();
    match text.len() {
        16.. => {
            piece[at..at + 16].copy_from_slice(&text[..16]);
            piece[end - 16..end].copy_from_slice(&text[text.len() - 16..]);
        }
        8.. => {
            piece[at..at + 8].copy_from_slice(&text[..8]);
            piece[end - 8..end].copy_from_slice(&text[text.len() - 8..]);
        }
        4.. => {
            piece[at..at + 4].copy_from_slice(&text[..4]);
            piece[end - 4..end].copy_from_slice(&text[text.len() - 4..]);
        }
        2.. => {
            piece[at..at + 2].copy_from_slice(&text[..2]);
            piece[end - 2..end].copy_from_slice(&text[text.len() - 2..]);
        }
        1 => piece[at] = text[0],
        0 => {}
    }
}
