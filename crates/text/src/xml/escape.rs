//! Characters that are written as references (XML 1.0 sections 2.4, 2.11 and 3.3.3).

/// Appends text, so that it reads back as it is.
pub(crate) fn push_text(out: &mut Vec<u8>, text: &str) {
    push(out, text, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#13;"),
        _ => None,
    });
}

/// Appends an attribute value for `"` quotes, so that it reads back as it is.
pub(crate) fn push_attribute(out: &mut Vec<u8>, value: &str) {
    push(out, value, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'"' => Some("&quot;"),
        b'\t' => Some("&#9;"),
        b'\n' => Some("&#10;"),
        b'\r' => Some("&#13;"),
        _ => None,
    });
}

#[inline(always)]
fn push(out: &mut Vec<u8>, text: &str, reference: impl Fn(u8) -> Option<&'static str>) {
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if let Some(reference) = reference(byte) {
            out.extend_from_slice(&bytes[from..at]);
            out.extend_from_slice(reference.as_bytes());
            from = at + 1;
        }
    }
    out.extend_from_slice(&bytes[from..]);
}
