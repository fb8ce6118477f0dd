//! Characters that are written as references (XML 1.0 sections 2.4, 2.11 and 3.3.3).

/// Which bytes of a text cannot be copied without a look: those written as references, control
/// characters, and all that is not ASCII.
pub(crate) static IN_TEXT: [bool; 256] = not_plain(b"&<>");

/// The same of an attribute value.
pub(crate) static IN_ATTRIBUTE: [bool; 256] = not_plain(b"&<\"\t\n");

const fn not_plain(marks: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte >= 0x80 || byte < 0x20 && byte != b'\t' as usize && byte != b'\n' as usize;
        byte += 1;
    }
    let mut n = 0;
    while n < marks.len() {
        table[marks[n] as usize] = true;
        n += 1;
    }
    table
}

/// Appends text that reads back as it is without a reference; nothing, if it may not.
#[inline]
pub(crate) fn push_plain(out: &mut Vec<u8>, text: &[u8], not_plain: &[bool; 256]) -> bool {
    let plain = text.chunks(32).all(|chunk| !chunk.iter().fold(false, |any, &byte| any | not_plain[byte as usize]));
    if plain {
        out.extend_from_slice(text);
    }
    plain
}

/// Appends text, so that it reads back as it is: `&`, `<`, `>` and the carriage return become references.
///
/// That the characters are some that XML allows is up to the caller.
///
/// ```
/// let mut out = Vec::new();
/// text::xml::push_text(&mut out, "a < b");
/// assert_eq!(out, b"a &lt; b");
/// ```
pub fn push_text(out: &mut Vec<u8>, text: &str) {
    push(out, text, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#13;"),
        _ => None,
    });
}

/// Appends an attribute value for `"` quotes, so that it reads back as it is: `&`, `<`, `"`, tab, line feed
/// and carriage return become references.
///
/// That the characters are some that XML allows is up to the caller.
///
/// ```
/// let mut out = Vec::new();
/// text::xml::push_attribute(&mut out, "\"a\"\t&");
/// assert_eq!(out, b"&quot;a&quot;&#9;&amp;");
/// ```
pub fn push_attribute(out: &mut Vec<u8>, value: &str) {
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
