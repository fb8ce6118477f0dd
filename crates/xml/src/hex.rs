//! Octets in hexadecimal digits (XML Schema Part 2 section 3.2.15).

/// Appends the octets of a `hexBinary`; `None` if the text is not one. White space must be collapsed.
#[must_use]
pub fn decode(text: &str, out: &mut Vec<u8>) -> Option<()> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    out.reserve(pairs.len());
    for [high, low] in pairs {
        out.push(digit(*high)? << 4 | digit(*low)?);
    }
    Some(())
}

/// Appends octets in their canonical form, which has upper case digits (section 3.2.15.2).
pub fn push(octets: &[u8], out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |four: u8| char::from(DIGITS[usize::from(four)]);
    out.extend(octets.iter().flat_map(|octet| [digit(octet >> 4), digit(octet & 0xF)]));
}
