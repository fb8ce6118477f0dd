//! The formats, and how a message tells which one it is in.

use core::fmt;

use tam::json;

/// A format messages come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// XML 1.0 text.
    Xml,
    /// JSON text (RFC 8259).
    Json,
    /// Transaction Serial Format.
    Tsf,
}

impl Format {
    /// Every format there is.
    pub const ALL: &'static [Format] = &[Format::Xml, Format::Json, Format::Tsf];

    /// The format's name: `xml`, `json`, `tsf`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Xml => "xml",
            Format::Json => "json",
            Format::Tsf => "tsf",
        }
    }

    /// The format of a name, as [`Format::as_str`] gives it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.as_str() == name)
    }

    /// The format that files of an ending (without its dot) are in, upper and lower case alike.
    ///
    /// ```
    /// use lengthwise::Format;
    ///
    /// assert_eq!(Format::from_extension("SVG"), Some(Format::Xml));
    /// assert_eq!(Format::from_extension("txt"), None);
    /// ```
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Format> {
        Format::ALL
            .iter()
            .copied()
            .find(|format| format.extensions().iter().any(|ending| ending.eq_ignore_ascii_case(extension)))
    }

    /// The endings of files in the format, without the dot, the usual one first.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Xml => &["xml", "xhtml", "svg", "xsd", "gpx", "kml"],
            Format::Json => &["json"],
            Format::Tsf => &["tsf"],
        }
    }

    /// Whether messages are text, of lines and white space; a message of a wire format is its bytes
    /// to the last one, and a line end behind it would be part of it, or spoil it.
    ///
    /// ```
    /// use lengthwise::Format;
    ///
    /// assert!(Format::Json.is_text() && !Format::Tsf.is_text());
    /// ```
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Format::Xml | Format::Json)
    }

    /// The format a message is in, judged by how it begins; `None` where it could be none of them.
    ///
    /// Every text that is a JSON number is taken for one; a TSF message never is.
    ///
    /// ```
    /// use lengthwise::Format;
    ///
    /// assert_eq!(Format::sniff(b" <a/>"), Some(Format::Xml));
    /// assert_eq!(Format::sniff(b"[1, 2]"), Some(Format::Json));
    /// assert_eq!(Format::sniff(b"1a<2[hi"), Some(Format::Tsf));
    /// assert_eq!(Format::sniff(b"\x7FELF"), None);
    /// ```
    #[must_use]
    pub fn sniff(input: &[u8]) -> Option<Format> {
        if is_utf16_markup(input) {
            return Some(Format::Xml);
        }
        let marked = input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input);
        let text = marked.trim_ascii_start();
        match text.first()? {
            b'<' => Some(Format::Xml),
            b'{' | b'[' | b'"' | b'-' | b't' | b'f' | b'n' => Some(Format::Json),
            b'0'..=b'9' if text.len() < input.len() || is_number(text) => Some(Format::Json),
            b'0'..=b'9' => Some(Format::Tsf),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// XML in UTF-16 begins with a byte order mark, or with `<` in either byte order (XML 1.0
/// appendix F.1).
fn is_utf16_markup(input: &[u8]) -> bool {
    matches!(input, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..])
}

/// Whether a text is one JSON number and white space.
fn is_number(text: &[u8]) -> bool {
    json::number(text).is_ok_and(|(len, _)| text[len..].trim_ascii_start().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_name_and_its_endings() {
        for &format in Format::ALL {
            assert_eq!(Format::from_name(format.as_str()), Some(format));
            for ending in format.extensions() {
                assert_eq!(Format::from_extension(ending), Some(format));
            }
        }
        assert_eq!(Format::from_name("XML"), None);
        assert_eq!(Format::from_extension(""), None);
    }

    #[test]
    fn first_bytes_tell_the_format() {
        let cases: &[(&[u8], Option<Format>)] = &[
            (b"<?xml version='1.0'?><a/>", Some(Format::Xml)),
            (b"\xEF\xBB\xBF\n<a/>", Some(Format::Xml)),
            (b"\xFE\xFF\0<\0a", Some(Format::Xml)),
            (b"<\0a\0/\0>\0", Some(Format::Xml)),
            (b"\xEF\xBB\xBF{}", Some(Format::Json)),
            (b"\t\"text\"", Some(Format::Json)),
            (b"-1", Some(Format::Json)),
            (b"17", Some(Format::Json)),
            (b"1.5e3\n", Some(Format::Json)),
            (b" 0a", Some(Format::Json)),
            (b"true", Some(Format::Json)),
            (b"17 ", Some(Format::Json)),
            (b"0a<", Some(Format::Tsf)),
            (b"1e5[a", Some(Format::Tsf)),
            (b"4'null", Some(Format::Tsf)),
            (b"", None),
            (b"   ", None),
            (b"%PDF-1.7", None),
            (b"\0\0\0", None),
        ];
        for (input, expected) in cases {
            assert_eq!(Format::sniff(input), *expected, "{}", String::from_utf8_lossy(input));
        }
    }
}
