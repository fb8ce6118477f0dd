//! Octets as text (Part 2 sections 3.2.15 and 3.2.16).

use super::white_space::words;

/// Writes the octets of a `hexBinary` behind others; `None` if the text is none.
pub(super) fn hex(text: &str, out: &mut Vec<u8>) -> Option<()> {
    if !text.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    for pair in text.as_bytes().chunks_exact(2) {
        out.push(digit(pair[0])? << 4 | digit(pair[1])?);
    }
    Some(())
}

/// Writes the octets of a `base64Binary` behind others; `None` if the text is none. Spaces may stand
/// between its characters.
pub(super) fn base64(text: &str, out: &mut Vec<u8>) -> Option<()> {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    if !text.contains(' ') {
        return STANDARD.decode_vec(text, out).ok();
    }
    let joined: String = words(text).collect();
    STANDARD.decode_vec(joined, out).ok()
}
