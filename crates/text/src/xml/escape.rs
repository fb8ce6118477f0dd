//! Characters that are written as references (XML 1.0 sections 2.4, 2.11 and 3.3.3).

use xml::scan::{eight, mark, mark_controls};

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
    let marked = |eight| mark(eight, b'&') | mark(eight, b'<') | mark(eight, b'>') | mark(eight, b'\r');
    push(out, text, marked, |byte| match byte {
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
    let marked = |eight| mark(eight, b'&') | mark(eight, b'<') | mark(eight, b'"') | mark_controls(eight);
    push(out, value, marked, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'"' => Some("&quot;"),
        b'\t' => Some("&#9;"),
        b'\n' => Some("&#10;"),
        b'\r' => Some("&#13;"),
        _ => None,
    });
}

/// Appends a text. Of eight bytes at once `marked` tells the first that may be one that a reference stands for.
#[inline(always)]
fn push(out: &mut Vec<u8>, text: &str, marked: impl Fn(u64) -> u64, reference: impl Fn(u8) -> Option<&'static str>) {
    let bytes = text.as_bytes();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        if let Some(eight) = eight(bytes, at) {
            let marks = marked(eight);
            at += marks.trailing_zeros() as usize / 8;
            if marks == 0 {
                continue;
            }
        }
        if let Some(reference) = reference(bytes[at]) {
            out.extend_from_slice(&bytes[from..at]);
            out.extend_from_slice(reference.as_bytes());
            from = at + 1;
        }
        at += 1;
    }
    out.extend_from_slice(&bytes[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stand_where_they_must_at_every_place() {
        let marks = [
            ('&', "&amp;", "&amp;"),
            ('<', "&lt;", "&lt;"),
            ('>', "&gt;", ">"),
            ('"', "\"", "&quot;"),
            ('\t', "\t", "&#9;"),
            ('\n', "\n", "&#10;"),
            ('\r', "&#13;", "&#13;"),
            ('\u{1}', "\u{1}", "\u{1}"),
            ('é', "é", "é"),
            ('€', "€", "€"),
        ];
        for len in 0..20 {
            for at in 0..=len {
                for (mark, text, value) in marks {
                    let whole = |mark: &str| format!("{}{mark}{}", "a".repeat(at), "%".repeat(len - at));
                    let doubled = format!("{mark}{mark}");
                    let (mut out, mut attribute) = (Vec::new(), Vec::new());
                    push_text(&mut out, &whole(&doubled));
                    push_attribute(&mut attribute, &whole(&doubled));
                    assert_eq!(str::from_utf8(&out), Ok(&*whole(&text.repeat(2))));
                    assert_eq!(str::from_utf8(&attribute), Ok(&*whole(&value.repeat(2))));
                }
            }
        }
    }
}
