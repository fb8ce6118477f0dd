//! A document with octets in other parts of its message: XML-binary Optimized Packaging (XOP 1.0, W3C Recommendation of
//! 25 January 2005), which MTOM sends for SOAP.

use std::collections::BTreeMap;
use std::ops::Range;

use percent_encoding::percent_decode_str;

/// The namespace of the element `Include`, which is in place of octets (section 2.1).
pub const NAMESPACE: &str = "http://www.w3.org/2004/08/xop/include";

/// A document of XML and the parts beside it, in one buffer.
///
/// ```
/// use lengthwise_xml::xop::Package;
///
/// let mut package = Package::new();
/// package.begin_document();
/// package.push(b"<a/>");
/// package.begin_part("1@example.org");
/// package.push(b"\x00\x01");
/// assert_eq!(package.document(), b"<a/>");
/// assert_eq!(package.included("cid:1%40example.org"), Some(4..6));
/// assert_eq!(package.bytes()[4..6], [0, 1]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    bytes: Vec<u8>,
    document: Range<usize>,
    /// The parts by their Content-ID; `None` where several have it.
    parts: BTreeMap<String, Option<Range<usize>>>,
    /// What takes the next bytes, if that is a part.
    open: Option<String>,
}

impl Package {
    /// A package without a document.
    #[must_use]
    pub fn new() -> Package {
        Package::default()
    }

    /// Begins the document. What there was of one is a part that nothing includes.
    pub fn begin_document(&mut self) {
        self.open = None;
        self.document = self.bytes.len()..self.bytes.len();
    }

    /// Begins a part with a Content-ID, without its angle brackets. Of several with the same one, none can be included.
    pub fn begin_part(&mut self, id: &str) {
        let at = self.bytes.len();
        self.parts.entry(id.to_owned()).and_modify(|other| *other = None).or_insert(Some(at..at));
        self.open = Some(id.to_owned());
    }

    /// Appends bytes to what was begun last.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        let end = self.bytes.len();
        match &self.open {
            None => self.document.end = end,
            Some(id) => {
                if let Some(Some(part)) = self.parts.get_mut(id) {
                    part.end = end;
                }
            }
        }
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &[u8] {
        self.bytes.get(self.document.clone()).unwrap_or_default()
    }

    /// Where the document begins in [`Package::bytes`].
    #[must_use]
    pub fn start(&self) -> usize {
        self.document.start
    }

    /// The document and all parts, in their order.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The parts that can be included, with their Content-IDs, in the order of these.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let parts = self.parts.iter().filter_map(|(id, part)| Some((&id[..], part.clone()?)));
        parts.filter_map(|(id, part)| Some((id, self.bytes.get(part)?)))
    }

    /// Whether there are parts, those that nothing includes among them.
    #[must_use]
    pub fn has_parts(&self) -> bool {
        !self.parts.is_empty() || self.document.len() < self.bytes.len()
    }

    /// Where the octets that an `Include` refers to are in [`Package::bytes`]; `None` if no part has its Content-ID, or
    /// several have. The `href` is `cid:` and a Content-ID, with escapes or without (RFC 2392 section 2).
    #[must_use]
    pub fn included(&self, href: &str) -> Option<Range<usize>> {
        let (_, id) = href.split_once(':').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("cid"))?;
        // Some senders escape the Content-ID in the head of the part as well.
        let unescaped = || percent_decode_str(id).decode_utf8().ok();
        let found = self.parts.get(id).or_else(|| self.parts.get(unescaped()?.as_ref()));
        found.cloned().flatten()
    }

    /// The buffer, without what it was.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// A document without parts.
impl From<Vec<u8>> for Package {
    fn from(bytes: Vec<u8>) -> Package {
        Package { document: 0..bytes.len(), bytes, ..Package::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::Package;

    fn package() -> Package {
        let mut package = Package::new();
        package.begin_part("http://example.org/me.png");
        package.push(b"12");
        package.push(b"3");
        package.begin_document();
        package.push(b"<a>");
        package.push(b"</a>");
        package.begin_part("twice");
        package.push(b"4");
        package.begin_part("twice");
        package.push(b"5");
        package.begin_part("100%");
        package.push(b"6");
        package
    }

    #[test]
    fn parts_are_found_by_their_content_ids() {
        let package = package();
        assert_eq!((package.document(), package.start()), (&b"<a></a>"[..], 3));
        assert_eq!(package.bytes(), b"123<a></a>456");
        let parts: Vec<_> = package.parts().collect();
        assert_eq!(parts, [("100%", &b"6"[..]), ("http://example.org/me.png", b"123")]);
        // XOP section 1.2, example 2, and the same with escapes.
        assert_eq!(package.included("cid:http://example.org/me.png"), Some(0..3));
        assert_eq!(package.included("CID:http%3A%2F%2fexample.org%2Fme.png"), Some(0..3));
        assert_eq!(package.included("cid:100%"), Some(12..13));
        assert_eq!(package.included("cid:100%25"), Some(12..13));
    }

    #[test]
    fn what_is_no_part_is_not_found() {
        let package = package();
        for href in ["cid:twice", "cid:other", "http://example.org/me.png", "cid:%FF", "cid:", "", "other:twice"] {
            assert_eq!(package.included(href), None, "{href}");
        }
        let mut package = Package::from(b"<a/>".to_vec());
        assert!(!package.has_parts());
        package.begin_document();
        package.push(b"<b/>");
        assert!(package.has_parts());
    }
}
