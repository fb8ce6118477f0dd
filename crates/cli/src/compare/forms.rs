//! The formats that a message is measured in.

use lengthwise::tam::Vocabulary;
use lengthwise::tdxml::Scheme;
use lengthwise::{Format, Schema, Strings, Types};

use crate::schema;

/// A format with the options that change its output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FormatSpec {
    pub(crate) format: Format,
    pub(crate) types: Option<Types<'static>>,
    pub(crate) strings: Strings,
    pub(crate) scheme: Scheme,
    /// Whether TDXML refers to the data schema of an XML Schema.
    pub(crate) by_reference: bool,
}

impl FormatSpec {
    /// A format without options.
    pub(crate) const fn of(format: Format) -> FormatSpec {
        FormatSpec { format, types: None, strings: Strings::None, scheme: Scheme::Smaller, by_reference: false }
    }

    /// TSF with a type set.
    const fn tsf(types: Types<'static>) -> FormatSpec {
        FormatSpec { types: Some(types), ..FormatSpec::of(Format::Tsf) }
    }

    /// TDXML with a scheme.
    const fn tdxml(scheme: Scheme) -> FormatSpec {
        FormatSpec { scheme, ..FormatSpec::of(Format::Tdxml) }
    }

    /// TDXML by an XML Schema, without its data schema.
    const fn by_reference() -> FormatSpec {
        FormatSpec { by_reference: true, ..FormatSpec::of(Format::Tdxml) }
    }

    /// An infoset with compressed strings.
    const fn infoset(strings: Strings) -> FormatSpec {
        FormatSpec { strings, ..FormatSpec::of(Format::InfosetUper) }
    }
}

/// The forms for XML messages, in the order of output. The last ones need an XML Schema.
const XML_FORMS: [(&str, FormatSpec); 15] = [
    ("xml", FormatSpec::of(Format::Xml)),
    ("tsf", FormatSpec::tsf(Types::Xml)),
    ("infoset-uper", FormatSpec::infoset(Strings::None)),
    ("infoset-uper, deflate", FormatSpec::infoset(Strings::Deflate)),
    ("infoset-uper, bzip2", FormatSpec::infoset(Strings::Bzip2)),
    ("infoset-uper, zstd", FormatSpec::infoset(Strings::Zstd)),
    ("infoset-aper", FormatSpec::of(Format::InfosetAper)),
    ("infoset-ber", FormatSpec::of(Format::InfosetBer)),
    ("tdxml, aggregated", FormatSpec::tdxml(Scheme::Aggregated)),
    ("tdxml, grouped", FormatSpec::tdxml(Scheme::Grouped)),
    ("tdxml, by reference", FormatSpec::by_reference()),
    ("uper, by schema", FormatSpec::of(Format::Uper)),
    ("aper, by schema", FormatSpec::of(Format::Aper)),
    ("ber, by schema", FormatSpec::of(Format::Ber)),
    ("oer, by schema", FormatSpec::of(Format::Oer)),
];

/// The forms for JSON messages. The last ones need a schema.
const JSON_FORMS: [(&str, FormatSpec); 9] = [
    ("json", FormatSpec::of(Format::Json)),
    ("tsf, tokens", FormatSpec::tsf(Types::Json)),
    ("tsf, values", FormatSpec::tsf(Types::Value)),
    ("pon", FormatSpec::of(Format::Pon)),
    ("xml, exported", FormatSpec::of(Format::Xml)),
    ("uper", FormatSpec::of(Format::Uper)),
    ("aper", FormatSpec::of(Format::Aper)),
    ("ber", FormatSpec::of(Format::Ber)),
    ("oer", FormatSpec::of(Format::Oer)),
];

/// Whether a form is one of XML messages, not of JSON.
pub(super) fn is_of_xml(label: &str) -> bool {
    XML_FORMS.iter().any(|(other, _)| *other == label)
}

/// The index of a form among all.
pub(super) fn order(label: &str) -> Option<usize> {
    XML_FORMS.iter().chain(&JSON_FORMS).position(|(other, _)| *other == label)
}

/// The forms for messages of a vocabulary.
pub(super) fn forms(
    vocabulary: Vocabulary,
    schema: Option<&Schema>,
) -> impl Iterator<Item = (&'static str, FormatSpec)> {
    let is_xml = vocabulary == Vocabulary::Xml;
    let forms = if is_xml { &XML_FORMS[..] } else { &JSON_FORMS[..] };
    forms.iter().copied().filter(move |(_, what)| match is_xml && (what.format.needs_schema() || what.by_reference) {
        // An XML instance identifies its type.
        true => schema.is_some_and(|schema| schema.xml().is_some()),
        false => schema::suits(schema, what.format).is_ok(),
    })
}
