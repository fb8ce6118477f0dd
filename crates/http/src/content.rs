//! What the head of a message of HTTP says about its body.

use crate::charset::Charset;
use crate::coding::Coding;
use crate::media_type::MediaType;

/// How a body is written: `Content-Type` and `Content-Encoding`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Content {
    /// The media type of the XML, in lower case: of `multipart/related` that of the root part, of MTOM that of the message in
    /// it. Empty if the head does not say it.
    pub media_type: String,
    /// The parameter `action` of SOAP 1.2, empty if there is none.
    pub action: String,
    /// How the body is compressed.
    pub coding: Coding,
    /// The character set, if the head names one; otherwise the XML declaration does.
    pub charset: Option<Charset>,
    pub(crate) parts: Option<Parts>,
}

/// The parameters of `multipart/related` (RFC 2387).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) boundary: String,
    /// The `Content-ID` of the root part, without brackets; without one it is the first.
    pub(crate) start: Option<String>,
    /// Whether the root part is a document of XOP, as in MTOM.
    is_package: bool,
}

/// What cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// The value of `Content-Type` is none, or that of `multipart/related` has no boundary.
    Type(String),
    /// Another character set than [`Charset::NAMES`].
    Charset(String),
    /// Another coding than [`Coding::NAMES`], or several.
    Coding(String),
}

impl core::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Unsupported::Type(value) => write!(f, "the content type '{}'", value.escape_debug()),
            Unsupported::Charset(name) => write!(f, "the character set '{}'", name.escape_debug()),
            Unsupported::Coding(name) => write!(f, "the content coding '{}'", name.escape_debug()),
        }
    }
}

impl Content {
    /// What the values of `Content-Type` and `Content-Encoding` say; either may be empty.
    ///
    /// ```
    /// use lengthwise_http::{Coding, Content};
    ///
    /// let content_type = "multipart/related; type=\"application/xop+xml\"; boundary=b; start-info=\"text/xml\"";
    /// let content = Content::of(content_type, "gzip").unwrap();
    /// assert_eq!((content.media_type.as_str(), content.coding), ("text/xml", Coding::Gzip));
    /// assert!(content.is_xml() && content.is_multipart());
    /// ```
    ///
    /// # Errors
    /// If one of them is not supported.
    pub fn of(content_type: &str, content_encoding: &str) -> Result<Content, Unsupported> {
        let coding = Coding::of(content_encoding).ok_or_else(|| Unsupported::Coding(content_encoding.to_owned()))?;
        let mut content =
            Content { media_type: String::new(), action: String::new(), coding, charset: None, parts: None };
        if content_type.trim().is_empty() {
            return Ok(content);
        }
        let unsupported = || Unsupported::Type(content_type.to_owned());
        let value = MediaType::of(content_type).ok_or_else(unsupported)?;
        let parameter = |value: &MediaType, name| value.parameter(name).map(str::to_owned);
        content.action = parameter(&value, "action").unwrap_or_default();
        if value.name != "multipart/related" {
            content.charset = charset(&value)?;
            content.media_type = value.name;
            return Ok(content);
        }
        let boundary = parameter(&value, "boundary").filter(|boundary| (1..=70).contains(&boundary.len()));
        let start = parameter(&value, "start").map(|start| without_brackets(&start).to_owned());
        let boundary = boundary.ok_or_else(unsupported)?;
        let mut is_package = false;
        content.media_type = "text/xml".to_owned();
        for name in ["type", "start-info"] {
            // The value is itself a media type, perhaps with an action.
            let Some(inner) = value.parameter(name).and_then(MediaType::of) else { continue };
            if content.action.is_empty() {
                content.action = parameter(&inner, "action").unwrap_or_default();
            }
            match &inner.name[..] {
                "application/xop+xml" => is_package = true,
                _ => content.media_type = inner.name,
            }
        }
        content.parts = Some(Parts { boundary, start, is_package });
        Ok(content)
    }

    /// Whether the media type is one of XML (RFC 7303), or not stated.
    #[must_use]
    pub fn is_xml(&self) -> bool {
        let media_type = self.media_type.as_str();
        matches!(media_type, "" | "text/xml" | "application/xml") || media_type.ends_with("+xml")
    }

    /// Whether the media type is one of JSON (RFC 8259, RFC 6839).
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.media_type == "application/json" || self.media_type.ends_with("+json")
    }

    /// Whether the body is a package of XOP, as MTOM sends it: octets of the message may be in other parts.
    #[must_use]
    pub fn is_package(&self) -> bool {
        self.parts.as_ref().is_some_and(|parts| parts.is_package)
    }

    /// What separates the parts of the body, if the message is one of them.
    #[must_use]
    pub fn boundary(&self) -> Option<&str> {
        self.parts.as_ref().map(|parts| &parts.boundary[..])
    }

    /// Whether the message is a part of the body.
    #[must_use]
    pub fn is_multipart(&self) -> bool {
        self.parts.is_some()
    }
}

/// The character set that a media type names.
pub(crate) fn charset(value: &MediaType) -> Result<Option<Charset>, Unsupported> {
    let Some(name) = value.parameter("charset") else { return Ok(None) };
    Charset::of(name).map(Some).ok_or_else(|| Unsupported::Charset(name.to_owned()))
}

pub(crate) fn without_brackets(id: &str) -> &str {
    id.trim().trim_start_matches('<').trim_end_matches('>')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heads as Axis2, CXF, WCF and gSOAP write them.
    #[test]
    fn heads_of_mtom_name_the_type_of_the_message() {
        for (value, media_type, action, start) in [
            (
                "multipart/related; boundary=\"MIMEBoundary_4f\"; type=\"application/xop+xml\"; \
                 start=\"<0.f@apache.org>\"; start-info=\"application/soap+xml\"; action=\"urn:echo\"",
                "application/soap+xml",
                "urn:echo",
                Some("0.f@apache.org"),
            ),
            (
                "multipart/related; type=\"application/xop+xml\"; boundary=\"uuid:0ca\"; start=\"<root.message@cxf>\"; \
                 start-info=\"text/xml\"",
                "text/xml",
                "",
                Some("root.message@cxf"),
            ),
            (
                "Multipart/Related;boundary=\"uuid:1+id=1\";type=\"application/xop+xml\";\
                 start-info=\"application/soap+xml; action=\\\"http://tempuri.org/a\\\"\"",
                "application/soap+xml",
                "http://tempuri.org/a",
                None,
            ),
            ("multipart/related; type=\"text/xml\"; boundary=x", "text/xml", "", None),
        ] {
            let content = Content::of(value, "").unwrap();
            assert_eq!((content.media_type.as_str(), content.action.as_str()), (media_type, action), "{value}");
            assert_eq!(content.is_package(), value.contains("xop"), "{value}");
            assert_eq!(content.parts.unwrap().start.as_deref(), start, "{value}");
        }
    }

    #[test]
    fn what_is_not_supported_is_named() {
        assert_eq!(Content::of("x", ""), Err(Unsupported::Type("x".into())));
        let no_boundary = Content::of("multipart/related; type=\"text/xml\"", "");
        assert!(matches!(no_boundary, Err(Unsupported::Type(_))), "{no_boundary:?}");
        assert_eq!(Content::of("text/xml; charset=ebcdic", ""), Err(Unsupported::Charset("ebcdic".into())));
        assert_eq!(Content::of("text/xml", "br"), Err(Unsupported::Coding("br".into())));
        assert_eq!(Content::of("text/xml", "gzip, gzip"), Err(Unsupported::Coding("gzip, gzip".into())));
        let content = Content::of("Text/XML;charset=\"UTF-8\"", " GZIP ").unwrap();
        assert_eq!((content.charset, content.coding), (Some(Charset::Utf8), Coding::Gzip));
        assert!(Content::of("", "").unwrap().is_xml() && Content::of("image/svg+xml", "").unwrap().is_xml());
        assert!(!Content::of("text/html", "").unwrap().is_xml());
        let is_json = |media_type| Content::of(media_type, "").unwrap().is_json();
        assert!(is_json("application/json; charset=utf-8") && is_json("application/problem+json") && !is_json(""));
    }
}
