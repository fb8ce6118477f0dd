//! Lengths in characters.

/// Where `count` characters of UTF-8 from `start` on end; `None` beyond the message or where
/// they are not UTF-8.
#[inline(always)]
pub(crate) fn end(message: &[u8], start: usize, count: usize) -> Option<usize> {
    if is_ascii(message, start, count)? { Some(start + count) } else { wide_end(message, start, count) }
}

/// Whether `count` bytes from `start` on are ASCII; `None` beyond the message.
#[inline(always)]
fn is_ascii(message: &[u8], start: usize, count: usize) -> Option<bool> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = |at: usize| message.get(at..).and_then(|rest| rest.first_chunk::<8>()).map(|w| u64::from_le_bytes(*w));
    match count {
        0 => Some(true),
        1..=8 => match word(start) {
            Some(word) => Some((word << (64 - 8 * count)) & HIGH == 0),
            None => Some(message.get(start..start + count)?.is_ascii()),
        },
        9..=16 => Some((word(start)? | word(start + count - 8)?) & HIGH == 0),
        _ => Some(message.get(start..start.checked_add(count)?)?.is_ascii()),
    }
}

#[cold]
#[inline(never)]
fn wide_end(message: &[u8], start: usize, count: usize) -> Option<usize> {
    let mut end = start;
    for _ in 0..count {
        end += match *message.get(end)? {
            0..=0x7F => 1,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return None,
        };
    }
    core::str::from_utf8(message.get(start..end)?).ok()?;
    Some(end)
}
