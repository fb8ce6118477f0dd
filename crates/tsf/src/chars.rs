//! Lengths in characters: Unicode code points of UTF-8.

/// Data of up to so many bytes is looked at in one piece.
const BLOCK: usize = 32;

/// For every length up to [`BLOCK`]: the high bits of so many bytes.
static HIGH_BITS: [[u8; BLOCK]; BLOCK + 1] = {
    let mut masks = [[0; BLOCK]; BLOCK + 1];
    let mut len = 0;
    while len <= BLOCK {
        let mut at = 0;
        while at < len {
            masks[len][at] = 0x80;
            at += 1;
        }
        len += 1;
    }
    masks
};

/// Where `count` characters from `start` on end; `None` beyond the message or where they are not
/// UTF-8.
#[inline(always)]
pub(crate) fn end(message: &[u8], start: usize, count: usize) -> Option<usize> {
    if let Some(high) = HIGH_BITS.get(count)
        && let Some(data) = message.get(start..).and_then(|rest| rest.first_chunk::<BLOCK>())
    {
        let wide = data.iter().zip(high).fold(0, |wide, (byte, high)| wide | byte & high);
        return if wide == 0 { Some(start + count) } else { wide_end(message, start, count) };
    }
    let ascii = message.get(start..).and_then(|rest| rest.get(..count)).is_some_and(<[u8]>::is_ascii);
    if ascii { Some(start + count) } else { wide_end(message, start, count) }
}

/// [`end`] where characters may be wider than a byte.
#[cold]
#[inline(never)]
fn wide_end(message: &[u8], start: usize, count: usize) -> Option<usize> {
    let mut rest = message.get(start..)?;
    let mut left = count;
    // Eight bytes that begin eight characters at the most: they can be counted together.
    while left >= 8
        && let Some(word) = rest.first_chunk::<8>()
    {
        left -= 8 - continuation_bytes(u64::from_le_bytes(*word));
        rest = &rest[8..];
    }
    // The last character goes on for three bytes at the most.
    let mut continuation = 0;
    for (at, byte) in rest.iter().enumerate() {
        if byte & 0xC0 != 0x80 || continuation == 3 {
            if left == 0 {
                rest = &rest[at..];
                break;
            }
            left -= 1;
        } else if left == 0 {
            continuation += 1;
        }
        if at + 1 == rest.len() {
            rest = &[];
            break;
        }
    }
    let end = message.len() - rest.len();
    let data = message.get(start..end)?;
    if left > 0 {
        return None;
    }
    match core::str::from_utf8(data) {
        Ok(_) => Some(end),
        // Bytes after the last character that begin no character are not part of the data.
        Err(error) => {
            let text = &data[..error.valid_up_to()];
            let characters = text.iter().filter(|&byte| byte & 0xC0 != 0x80).count();
            (characters == count).then_some(start + text.len())
        }
    }
}

/// How many of eight bytes go on a character that another began.
fn continuation_bytes(word: u64) -> usize {
    let high = word & 0x8080_8080_8080_8080;
    let second = (word << 1) & 0x8080_8080_8080_8080;
    (high & !second).count_ones() as usize
}

/// Number of characters, where the data is UTF-8.
#[inline]
pub(crate) fn count(data: &[u8]) -> Result<usize, core::str::Utf8Error> {
    if data.is_ascii() { Ok(data.len()) } else { core::str::from_utf8(data).map(|text| text.chars().count()) }
}

/// Bytes of the character that begins with a byte; 1 where none does.
pub(crate) const fn width(lead: u8) -> usize {
    match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
        _ => 1,
    }
}
