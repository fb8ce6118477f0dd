//! The formats: their names, and how they are detected.

use core::fmt;

#[cfg(feature = "asn1")]
use asn1::EncodingRules;
use tam::Error;

use crate::sniff;

/// A format messages come in. Those whose feature is off are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// XML 1.0 text.
    #[cfg(feature = "xml")]
    Xml,
    /// JSON text (RFC 8259).
    #[cfg(feature = "json")]
    Json,
    /// Transaction Serial Format.
    #[cfg(feature = "tsf")]
    Tsf,
    /// PalCom Object Notation.
    #[cfg(feature = "pon")]
    Pon,
    /// The XML Infoset in unaligned PER.
    #[cfg(feature = "infoset")]
    InfosetUper,
    /// The XML Infoset in aligned PER.
    #[cfg(feature = "infoset")]
    InfosetAper,
    /// The XML Infoset in BER.
    #[cfg(feature = "infoset")]
    InfosetBer,
    /// Values of a schema in unaligned PER.
    #[cfg(feature = "asn1")]
    Uper,
    /// Values of a schema in aligned PER.
    #[cfg(feature = "asn1")]
    Aper,
    /// Values of a schema in BER.
    #[cfg(feature = "asn1")]
    Ber,
    /// Values of a schema in BER, which are written as DER.
    #[cfg(feature = "asn1")]
    Der,
    /// Values of a schema in BER, which are written as CER.
    #[cfg(feature = "asn1")]
    Cer,
    /// Values of a schema in OER.
    #[cfg(feature = "asn1")]
    Oer,
    /// Values of a schema in OER, which are written as CANONICAL-OER.
    #[cfg(feature = "asn1")]
    Coer,
    /// Values of a schema in XML, by the basic XML Encoding Rules.
    #[cfg(all(feature = "asn1", feature = "xml"))]
    Xer,
    /// Values of a schema in XML, which are written by the canonical XML Encoding Rules.
    #[cfg(all(feature = "asn1", feature = "xml"))]
    Cxer,
    /// Values of a schema in the value notation of ASN.1 (X.680).
    #[cfg(feature = "asn1")]
    Asn1,
    /// Table Driven XML.
    #[cfg(feature = "tdxml")]
    Tdxml,
}

impl Format {
    /// Every format that is compiled in.
    pub const ALL: &'static [Format] = &[
        #[cfg(feature = "xml")]
        Format::Xml,
        #[cfg(feature = "json")]
        Format::Json,
        #[cfg(feature = "tsf")]
        Format::Tsf,
        #[cfg(feature = "pon")]
        Format::Pon,
        #[cfg(feature = "infoset")]
        Format::InfosetUper,
        #[cfg(feature = "infoset")]
        Format::InfosetAper,
        #[cfg(feature = "infoset")]
        Format::InfosetBer,
        #[cfg(feature = "asn1")]
        Format::Uper,
        #[cfg(feature = "asn1")]
        Format::Aper,
        #[cfg(feature = "asn1")]
        Format::Ber,
        #[cfg(feature = "asn1")]
        Format::Der,
        #[cfg(feature = "asn1")]
        Format::Cer,
        #[cfg(feature = "asn1")]
        Format::Oer,
        #[cfg(feature = "asn1")]
        Format::Coer,
        #[cfg(all(feature = "asn1", feature = "xml"))]
        Format::Xer,
        #[cfg(all(feature = "asn1", feature = "xml"))]
        Format::Cxer,
        #[cfg(feature = "asn1")]
        Format::Asn1,
        #[cfg(feature = "tdxml")]
        Format::Tdxml,
    ];

    /// The format's name: `xml`, `json`, `tsf`, `pon`, `infoset-uper`, `infoset-aper`, `infoset-ber`,
    /// `uper`, `aper`, `ber`, `der`, `cer`, `oer`, `coer`, `xer`, `cxer`, `asn1`, `tdxml`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            #[cfg(feature = "xml")]
            Format::Xml => "xml",
            #[cfg(feature = "json")]
            Format::Json => "json",
            #[cfg(feature = "tsf")]
            Format::Tsf => "tsf",
            #[cfg(feature = "pon")]
            Format::Pon => "pon",
            #[cfg(feature = "infoset")]
            Format::InfosetUper => "infoset-uper",
            #[cfg(feature = "infoset")]
            Format::InfosetAper => "infoset-aper",
            #[cfg(feature = "infoset")]
            Format::InfosetBer => "infoset-ber",
            #[cfg(feature = "asn1")]
            Format::Uper => "uper",
            #[cfg(feature = "asn1")]
            Format::Aper => "aper",
            #[cfg(feature = "asn1")]
            Format::Ber => "ber",
            #[cfg(feature = "asn1")]
            Format::Der => "der",
            #[cfg(feature = "asn1")]
            Format::Cer => "cer",
            #[cfg(feature = "asn1")]
            Format::Oer => "oer",
            #[cfg(feature = "asn1")]
            Format::Coer => "coer",
            #[cfg(all(feature = "asn1", feature = "xml"))]
            Format::Xer => "xer",
            #[cfg(all(feature = "asn1", feature = "xml"))]
            Format::Cxer => "cxer",
            #[cfg(feature = "asn1")]
            Format::Asn1 => "asn1",
            #[cfg(feature = "tdxml")]
            Format::Tdxml => "tdxml",
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
            #[cfg(feature = "xml")]
            Format::Xml => &["xml", "xhtml", "svg", "xsd", "gpx", "kml"],
            #[cfg(feature = "json")]
            Format::Json => &["json"],
            #[cfg(feature = "tsf")]
            Format::Tsf => &["tsf"],
            #[cfg(feature = "pon")]
            Format::Pon => &["pon"],
            #[cfg(feature = "infoset")]
            Format::InfosetUper => &["iuper"],
            #[cfg(feature = "infoset")]
            Format::InfosetAper => &["iaper"],
            #[cfg(feature = "infoset")]
            Format::InfosetBer => &["iber"],
            #[cfg(feature = "asn1")]
            Format::Uper => &["uper"],
            #[cfg(feature = "asn1")]
            Format::Aper => &["aper"],
            #[cfg(feature = "asn1")]
            Format::Ber => &["ber"],
            // Certificates, lists of revoked ones and messages of PKCS are DER, whatever the ending says.
            #[cfg(feature = "asn1")]
            Format::Der => &["der", "cer", "crt", "crl", "p7b", "p7c", "p7s", "pem"],
            #[cfg(feature = "asn1")]
            Format::Cer => &[],
            #[cfg(feature = "asn1")]
            Format::Oer => &["oer"],
            #[cfg(feature = "asn1")]
            Format::Coer => &["coer"],
            #[cfg(all(feature = "asn1", feature = "xml"))]
            Format::Xer => &["xer"],
            #[cfg(all(feature = "asn1", feature = "xml"))]
            Format::Cxer => &["cxer"],
            // A module is another thing (`.asn1`): a schema.
            #[cfg(feature = "asn1")]
            Format::Asn1 => &["asnv"],
            #[cfg(feature = "tdxml")]
            Format::Tdxml => &["tdxml"],
        }
    }

    /// Whether messages are text, which may end with a line feed. In a wire format, an appended line feed
    /// would be part of the message or make it invalid.
    ///
    /// ```
    /// use lengthwise::Format;
    ///
    /// assert!(Format::Json.is_text() && !Format::Tsf.is_text());
    /// ```
    #[must_use]
    pub const fn is_text(self) -> bool {
        match self {
            #[cfg(feature = "xml")]
            Format::Xml => true,
            #[cfg(feature = "json")]
            Format::Json => true,
            #[cfg(feature = "asn1")]
            Format::Asn1 => true,
            #[cfg(all(feature = "asn1", feature = "xml"))]
            Format::Xer | Format::Cxer => true,
            #[cfg(feature = "tdxml")]
            Format::Tdxml => true,
            #[allow(unreachable_patterns)] // In a build of text formats alone.
            _ => false,
        }
    }

    /// Whether messages say nothing without a schema ([`Options::schema`](crate::Options::schema)).
    ///
    /// ```
    /// use lengthwise::Format;
    ///
    /// assert!(Format::Uper.needs_schema() && !Format::InfosetUper.needs_schema());
    /// ```
    #[must_use]
    pub const fn needs_schema(self) -> bool {
        #[cfg(feature = "asn1")]
        return {
            use Format::{Aper, Asn1, Ber, Cer, Coer, Der, Oer, Uper};
            matches!(self, Uper | Aper | Ber | Der | Cer | Oer | Coer | Asn1) || self.is_xer()
        };
        #[cfg(not(feature = "asn1"))]
        false
    }

    /// Whether messages are documents of XML in the schema of the XML Infoset.
    #[must_use]
    pub const fn is_infoset(self) -> bool {
        #[cfg(feature = "infoset")]
        return matches!(self, Format::InfosetUper | Format::InfosetAper | Format::InfosetBer);
        #[cfg(not(feature = "infoset"))]
        false
    }

    /// Whether messages can be documents of JSON's values without a schema: JSON, PON and TSF.
    ///
    /// ```
    /// use lengthwise::Format;
    ///
    /// assert!(Format::Json.has_json_values() && !Format::Uper.has_json_values());
    /// ```
    #[must_use]
    pub const fn has_json_values(self) -> bool {
        match self {
            #[cfg(feature = "json")]
            Format::Json => true,
            #[cfg(feature = "pon")]
            Format::Pon => true,
            #[cfg(feature = "tsf")]
            Format::Tsf => true,
            #[allow(unreachable_patterns)] // In a build of these formats alone.
            _ => false,
        }
    }

    /// Whether messages are documents of any type set, of a user's own too.
    pub(crate) const fn is_tsf(self) -> bool {
        match self {
            #[cfg(feature = "tsf")]
            Format::Tsf => true,
            #[allow(unreachable_patterns)] // In a build of TSF alone.
            _ => false,
        }
    }

    /// Whether messages are documents of JSON under its own rules.
    #[cfg(feature = "xsd")]
    pub(crate) const fn is_json(self) -> bool {
        match self {
            Format::Json => true,
            #[cfg(feature = "pon")]
            Format::Pon => true,
            _ => false,
        }
    }

    /// Whether messages are values of a schema in XML.
    #[cfg(feature = "asn1")]
    pub(crate) const fn is_xer(self) -> bool {
        #[cfg(feature = "xml")]
        return matches!(self, Format::Xer | Format::Cxer);
        #[cfg(not(feature = "xml"))]
        false
    }

    /// Whether messages are always written in the only encoding of their value, as with
    /// [`Options::canonical`](crate::Options::canonical).
    #[cfg(feature = "asn1")]
    #[must_use]
    pub const fn is_canonical(self) -> bool {
        #[cfg(feature = "xml")]
        if let Format::Cxer = self {
            return true;
        }
        matches!(self, Format::Der | Format::Cer | Format::Coer)
    }

    /// The encoding rules of PER, BER, OER and infosets in them.
    #[cfg(feature = "asn1")]
    #[must_use]
    pub const fn rules(self) -> Option<EncodingRules> {
        match self {
            #[cfg(feature = "infoset")]
            Format::InfosetUper => Some(EncodingRules::Uper),
            #[cfg(feature = "infoset")]
            Format::InfosetAper => Some(EncodingRules::Aper),
            #[cfg(feature = "infoset")]
            Format::InfosetBer => Some(EncodingRules::Ber),
            Format::Uper => Some(EncodingRules::Uper),
            Format::Aper => Some(EncodingRules::Aper),
            Format::Ber | Format::Der => Some(EncodingRules::Ber),
            Format::Cer => Some(EncodingRules::Cer),
            Format::Oer | Format::Coer => Some(EncodingRules::Oer),
            _ => None,
        }
    }

    /// Adds line and column to an error that has only an offset, if messages of this format are text.
    /// Errors about values that a schema does not allow, for example, have only an offset.
    #[must_use]
    pub fn with_line(self, error: Error, message: &[u8]) -> Error {
        if !self.is_text()
            || error.position().is_some()
            || !matches!(error.format(), "jer" | "xer" | "tdxml" | "base64")
        {
            return error;
        }
        let offset = usize::try_from(error.offset()).unwrap_or(usize::MAX);
        let (line, column) = position(message, offset);
        error.at_line(line, column)
    }

    /// The format a message is in, judged by how it begins; `None` where it could be none of them.
    ///
    /// It is never one of ASN.1: their messages begin like anything.
    ///
    /// A text that is a JSON number is detected as JSON; no TSF message is one. A message is detected as
    /// PON if its number is the count of bytes after its type and its data begins as the type requires,
    /// or if it begins with an object and has another length. The only TSF messages like that are lone
    /// texts of the type set `xml` whose content could be the items of an array, such as `5[3sabc`. The
    /// empty `0{` and `0[` are the same in both formats and are detected as TSF.
    ///
    /// ```
    /// use lengthwise::Format;
    ///
    /// assert_eq!(Format::sniff(b" <a/>"), Some(Format::Xml));
    /// assert_eq!(Format::sniff(b"[1, 2]"), Some(Format::Json));
    /// assert_eq!(Format::sniff(b"1a<2[hi"), Some(Format::Tsf));
    /// assert_eq!(Format::sniff(b"4[2shi"), Some(Format::Pon));
    /// assert_eq!(Format::sniff(b"<TDXML:Env>"), Some(Format::Tdxml));
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

/// Line and column of a byte, from 1; columns count characters.
pub(crate) fn position(text: &[u8], at: usize) -> (u64, u64) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.iter().rposition(|c| *c == b'\n').map_or(0, |end| end + 1);
    let line = 1 + before.iter().filter(|c| **c == b'\n').count();
    // Bytes that do not begin a character go with the one before.
    let column = 1 + before.iter().skip(start).filter(|c| **c & 0xC0 != 0x80).count();
    (line as u64, column as u64)
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
