//! Characters that are written as references (XML 1.0 sections 2.4, 2.11, 3.1 and 3.3.3).

use crate::scan::{eight, mark, mark_controls};

/// Where a text is written, which determines the characters that become references:
///
/// | | `&` `<` | `>` | `"` | tab | line feed | carriage return | bar |
/// | --- | --- | --- | --- | --- | --- | --- | --- |
/// | `Content` | yes | yes | | | | yes | |
/// | `Attribute` | yes | | yes | yes | yes | yes | |
/// | `Anywhere` | yes | yes | yes | | | yes | |
/// | `Lines` | yes | after `]` | | | | yes | |
/// | `Line` | yes | after `]` | | | yes | yes | |
/// | `Cell` | yes | after `]` | | | yes | yes | yes |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The content of an element.
    Content,
    /// An attribute value in quotation marks.
    Attribute,
    /// Either of the two, where white space does not matter.
    Anywhere,
    /// Content whose lines stay lines.
    Lines,
    /// Content that stays on one line.
    Line,
    /// The same, before a vertical bar.
    Cell,
}

/// The bytes of content that are not [`push_plain`].
const IN_CONTENT: &[bool; 256] = &not_plain(b"&<>");

/// The same for an attribute value.
const IN_ATTRIBUTE: &[bool; 256] = &not_plain(b"&<\"\t\n");

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

impl Context {
    /// Marks the bytes among eight that may become references: the lowest mark is exact, except for `>`, which
    /// some contexts escape only after `]`.
    #[inline(always)]
    fn marks(self, eight: u64) -> u64 {
        let both = mark(eight, b'&') | mark(eight, b'<');
        both | match self {
            Context::Content => mark(eight, b'>') | mark(eight, b'\r'),
            Context::Attribute => mark(eight, b'"') | mark_controls(eight),
            Context::Anywhere => mark(eight, b'>') | mark(eight, b'"') | mark(eight, b'\r'),
            Context::Lines => mark(eight, b'>') | mark(eight, b'\r'),
            Context::Line => mark(eight, b'>') | mark_controls(eight),
            Context::Cell => mark(eight, b'>') | mark(eight, b'|') | mark_controls(eight),
        }
    }

    /// The reference for the byte at `at`, if it needs one.
    #[inline(always)]
    fn reference(self, bytes: &[u8], at: usize) -> Option<&'static str> {
        use Context::{Anywhere, Attribute, Cell, Content, Line, Lines};
        match (*bytes.get(at)?, self) {
            (b'&', _) => Some("&amp;"),
            (b'<', _) => Some("&lt;"),
            (b'>', Content | Anywhere) => Some("&gt;"),
            // Content must not contain `]]>`.
            (b'>', Lines | Line | Cell) if at.checked_sub(1).is_some_and(|before| bytes[before] == b']') => {
                Some("&gt;")
            }
            (b'"', Attribute | Anywhere) => Some("&quot;"),
            (b'\t', Attribute) => Some("&#9;"),
            (b'\n', Attribute | Line | Cell) => Some("&#10;"),
            (b'\r', _) => Some("&#13;"),
            (b'|', Cell) => Some("&#124;"),
            _ => None,
        }
    }
}

/// Appends a text so that it reads back unchanged. The caller must check that XML allows its characters
/// ([`illegal_char`](crate::chars::illegal_char)).
///
/// ```
/// use lengthwise_xml::escape::{Context, push};
///
/// let mut out = Vec::new();
/// push(&mut out, "a < b", Context::Content);
/// assert_eq!(out, b"a &lt; b");
/// out.clear();
/// push(&mut out, "\"a\"\t&", Context::Attribute);
/// assert_eq!(out, b"&quot;a&quot;&#9;&amp;");
/// ```
pub fn push(out: &mut Vec<u8>, text: &str, context: Context) {
    let each = |piece: &str| out.extend_from_slice(piece.as_bytes());
    // One loop for each context, without a check inside.
    match context {
        Context::Content => pieces(text, Context::Content, each),
        Context::Attribute => pieces(text, Context::Attribute, each),
        Context::Anywhere => pieces(text, Context::Anywhere, each),
        Context::Lines => pieces(text, Context::Lines, each),
        Context::Line => pieces(text, Context::Line, each),
        Context::Cell => pieces(text, Context::Cell, each),
    }
}

/// The same as a new text.
#[must_use]
pub fn escaped(text: &str, context: Context) -> String {
    let mut out = String::with_capacity(text.len());
    pieces(text, context, |piece| out.push_str(piece));
    out
}

/// Appends a text that needs no references and that XML allows. Appends nothing and returns `false` if that needs a
/// slower check: for bytes beyond ASCII, and for contexts other than `Content` and `Attribute`.
#[inline]
#[must_use]
pub fn push_plain(out: &mut Vec<u8>, text: &[u8], context: Context) -> bool {
    let not_plain = match context {
        Context::Content => IN_CONTENT,
        Context::Attribute => IN_ATTRIBUTE,
        _ => return false,
    };
    let plain = text.chunks(32).all(|chunk| !chunk.iter().fold(false, |any, &byte| any | not_plain[byte as usize]));
    if plain {
        out.extend_from_slice(text);
    }
    plain
}

/// Passes on the unescaped pieces of a text, and the references between them.
#[inline(always)]
fn pieces(text: &str, context: Context, mut each: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        if let Some(eight) = eight(bytes, at) {
            let marks = context.marks(eight);
            at += marks.trailing_zeros() as usize / 8;
            if marks == 0 {
                continue;
            }
        }
        if let Some(reference) = context.reference(bytes, at) {
            each(text.get(from..at).unwrap_or_default());
            each(reference);
            from = at + 1;
        }
        at += 1;
    }
    each(text.get(from..).unwrap_or_default());
}
