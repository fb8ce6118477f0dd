//! Digits at fixed places, read eight bytes at a time. Whether there is such a date or time is for the caller to check.

/// The numbers in `dddd-dd-dd`: year, month and day.
#[must_use]
#[inline]
pub fn date_digits(text: &[u8; 10]) -> Option<(u16, u8, u8)> {
    let [start @ .., tens, ones] = text;
    let [y0, y1, y2, y3, _, m0, m1, _] = eight(*start, *b"0000-00-")?;
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if tens > 9 || ones > 9 {
        return None;
    }
    Some((u16::from(two(y0, y1)) * 100 + u16::from(two(y2, y3)), two(m0, m1), two(tens, ones)))
}

/// The numbers in `dd:dd:dd`: hours, minutes and seconds.
#[must_use]
#[inline]
pub fn clock_digits(text: &[u8; 8]) -> Option<[u8; 3]> {
    let [h0, h1, _, m0, m1, _, s0, s1] = eight(*text, *b"00:00:00")?;
    Some([two(h0, h1), two(m0, m1), two(s0, s1)])
}

/// Eight characters: digits where the pattern has `0`, otherwise equal to the pattern. Returns the digits as numbers,
/// and zeros elsewhere.
#[inline(always)]
fn eight(text: [u8; 8], pattern: [u8; 8]) -> Option<[u8; 8]> {
    let most = pattern.map(|byte| if byte == b'0' { 127 - 9 } else { 127 });
    let number = u64::from_ne_bytes(text) ^ u64::from_ne_bytes(pattern);
    // A number above its maximum reaches the highest bit of its byte; without such a byte nothing carries over.
    let above = (number.wrapping_add(u64::from_ne_bytes(most)) | number) & 0x8080_8080_8080_8080;
    (above == 0).then(|| number.to_ne_bytes())
}

#[inline(always)]
fn two(tens: u8, ones: u8) -> u8 {
    tens * 10 + ones
}
