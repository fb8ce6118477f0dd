//! How alike the beginnings of two messages are, whatever their values.

use memchr::{memchr, memmem, memrchr2};

use xml::kernels::alignment::Alignment;

/// Bytes of a message that are its beginning.
pub const BEGINNING: usize = 4 << 10;

/// Values that may differ before it is no longer looked at what follows.
const VALUES: usize = 6;

/// How far a message begins like another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// Bytes of the message up to the first difference outside of text.
    pub len: usize,
    /// Whether no such difference was found.
    pub is_alike: bool,
}

impl Likeness {
    /// Compares the beginnings of a message and of an earlier one. Text that differs is passed over in both, up to the
    /// next tag; at most six times, so that the cost is that of comparing bytes.
    #[must_use]
    pub fn of(message: &[u8], earlier: &[u8]) -> Likeness {
        let (mut at, mut earlier_at) = (0, 0);
        for _ in 0..=VALUES {
            let (rest, earlier_rest) = (&message[at..], &earlier[earlier_at..]);
            let same = Alignment::new(earlier, message, earlier_at, at).same();
            at += same;
            if same == rest.len() || same == earlier_rest.len() {
                break;
            }
            let is_text = memrchr2(b'<', b'>', &message[..at]).is_some_and(|mark| message[mark] == b'>');
            if !is_text {
                return Likeness { len: at, is_alike: false };
            }
            let next = (memchr(b'<', &rest[same..]), memchr(b'<', &earlier_rest[same..]));
            let (Some(next), Some(earlier_next)) = next else { break };
            at += next;
            earlier_at += same + earlier_next;
        }
        Likeness { len: at, is_alike: true }
    }
}

/// The name in the start tag of the method or, if there is no body of SOAP, of the root element. What is not well-formed
/// has any name: it decides only which templates are considered.
#[must_use]
pub fn method(message: &[u8]) -> &[u8] {
    let root = first_name(message);
    let body = if root.ends_with(b"Envelope") { memmem::find(message, BODY) } else { None };
    body.map_or(root, |at| first_name(&message[at + BODY.len()..]))
}

const BODY: &[u8] = b"Body";

/// The name in the first start tag.
fn first_name(mut rest: &[u8]) -> &[u8] {
    while let Some(at) = memchr(b'<', rest) {
        rest = &rest[at + 1..];
        // Not a declaration, a comment or an end tag.
        if !matches!(rest.first(), Some(b'?' | b'!' | b'/')) {
            let name = &rest[..rest.len().min(BEGINNING)];
            let end = name.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'));
            return &name[..end.unwrap_or(name.len())];
        }
    }
    b""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_differ_do_not_count() {
        let first = b"<a><b>12</b><c>x</c></a>";
        assert_eq!(Likeness::of(first, first), Likeness { len: first.len(), is_alike: true });
        assert_eq!(Likeness::of(b"<a><b>3</b><c></c></a>", first), Likeness { len: 22, is_alike: true });
        assert_eq!(Likeness::of(b"<a><b>3</b><d>x</d></a>", first), Likeness { len: 12, is_alike: false });
        assert_eq!(Likeness::of(b"<a><b/></a>", first), Likeness { len: 5, is_alike: false });
        assert_eq!(Likeness::of(b"", first), Likeness { len: 0, is_alike: true });
        // What follows is too different to be looked at.
        let of = |value: &str, last: &str| format!("<a>{value}</a>").repeat(VALUES + 1) + last;
        assert!(Likeness::of(of("1", "<b/>").as_bytes(), of("2", "<c/>").as_bytes()).is_alike);
    }

    #[test]
    fn the_method_is_the_first_element_in_the_body() {
        let long = format!("<e:Envelope><e:Header>{}</e:Header><e:Body><m:a>", "<b/>".repeat(BEGINNING));
        for (message, expected) in [
            (&long[..], "m:a"),
            ("<?xml version='1.0'?><e:Envelope><e:Body ><!-- b --><m:search xmlns:m='m'/>", "m:search"),
            ("<e:Envelope><e:Header/><e:Body>\n<sum>", "sum"),
            ("<!-- c -->\n<Document xmlns='urn:iso'>", "Document"),
            ("<a", "a"),
            ("x", ""),
            ("", ""),
        ] {
            assert_eq!(method(message.as_bytes()), expected.as_bytes());
        }
    }
}
