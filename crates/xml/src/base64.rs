//! Octets in base64 (XML Schema Part 2 section 3.2.16).

use ::base64::Engine;
use ::base64::engine::general_purpose::STANDARD;

use crate::white_space::words;

/// Appends the octets of a `base64Binary`; `None` if the text is not one. White space may be between any characters:
/// once it is collapsed, the grammar has a space between any two.
#[must_use]
pub fn decode(text: &str, out: &mut Vec<u8>) -> Option<()> {
    if decode_canonical(text, out).is_some() {
        return Some(());
    }
    let joined: String = words(text).collect();
    if joined.len() < text.len() { decode_canonical(&joined, out) } else { None }
}

/// Appends the octets of a text in canonical form, which has no white space and is restored exactly from the octets
/// (section 3.2.16.2). `None` for any other text.
#[must_use]
pub fn decode_canonical(text: &str, out: &mut Vec<u8>) -> Option<()> {
    let start = out.len();
    let decoded = STANDARD.decode_vec(text, out).ok();
    if decoded.is_none() {
        out.truncate(start);
    }
    decoded
}

/// Appends octets to a text in base64, in canonical form.
pub fn push(octets: &[u8], out: &mut String) {
    STANDARD.encode_string(octets, out);
}

/// Appends octets to bytes in base64, in canonical form.
pub fn append(octets: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    // Exactly the room that the text takes.
    out.resize(start + octets.len().div_ceil(3) * 4, 0);
    let written = out.get_mut(start..).and_then(|room| STANDARD.encode_slice(octets, room).ok());
    out.truncate(start + written.unwrap_or(0));
}
