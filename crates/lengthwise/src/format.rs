//! The formats: their names, and how a message tells which one it is in.

use core::fmt;

use crate::sniff;

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
    /// PalCom Object Notation.
    Pon,
}

impl Format {
    /// Every format there is.
    pub const ALL: &'static [Format] = &[Format::Xml, Format::Json, Format::Tsf, Format::Pon];

    /// The format's name: `xml`, `json`, `tsf`, `pon`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Xml => "xml",
            Format::Json => "json",
            Format::Tsf => "tsf",
            Format::Pon => "pon",
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
            Format::Pon => &["pon"],
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
    /// Every text that is a JSON number is taken for one; a TSF message never is. A message whose
    /// number is exactly the bytes behind its type, and whose data begins as the type asks for, is
    /// taken for PON, and so is what begins with an object and has another length; of TSF none is
    /// like that but a text of the type set `xml` that stands alone and holds what could be items
    /// of an array, such as `5[3sabc`. The empty `0{` and `0[`, alike in both, are taken for TSF.
    ///
    /// ```
    /// use lengthwise::Format;
    ///
    /// assert_eq!(Format::sniff(b" <a/>"), Some(Format::Xml));
    /// assert_eq!(Format::sniff(b"[1, 2]"), Some(Format::Json));
    /// assert_eq!(Format::sniff(b"1a<2[hi"), Some(Format::Tsf));
    /// assert_eq!(Format::sniff(b"4[2shi"), Some(Format::Pon));
    /// assert_eq!(Format::sniff(b"\x7FELF"), None);
    /// ```
    #[must_use]
    pub fn sniff(input: &[u8]) -> Option<Format> {
        sniff::format(input)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
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
}
