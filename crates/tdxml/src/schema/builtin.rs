//! The types of values.

use xml::calendar::{Duration, Time, TimeKind};
use xml::number;
use xml::white_space::trim;

/// The type of a value. The lexical forms are those of XML Schema; surrounding white space is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `UTF8String`: any text.
    #[default]
    Utf8String,
    /// `BOOLEAN`: `true`, `false`, `1`, `0`.
    Boolean,
    /// `INTEGER`: decimal digits, optionally with a sign.
    Integer,
    /// `REAL`: a decimal number, optionally with an exponent; `INF`, `-INF`, `NaN`.
    Real,
    /// `OCTET STRING`: octets in base64, or in a part of the message (MIME).
    OctetString,
    /// `DATE`: `2004-07-20`, optionally with a time zone.
    Date,
    /// `TIME-OF-DAY`: `13:20:00`, optionally with a fraction and a time zone.
    TimeOfDay,
    /// `DATE-TIME`: both, separated by `T`.
    DateTime,
    /// `DURATION`: `P1Y2M3DT4H5M6S`.
    Duration,
    /// `NULL`: no text at all.
    Null,
}

impl Builtin {
    /// All types, with their notation.
    pub(crate) const ALL: [(&'static str, Builtin); 10] = [
        ("UTF8String", Builtin::Utf8String),
        ("BOOLEAN", Builtin::Boolean),
        ("INTEGER", Builtin::Integer),
        ("REAL", Builtin::Real),
        ("OCTET STRING", Builtin::OctetString),
        ("DATE", Builtin::Date),
        ("TIME-OF-DAY", Builtin::TimeOfDay),
        ("DATE-TIME", Builtin::DateTime),
        ("DURATION", Builtin::Duration),
        ("NULL", Builtin::Null),
    ];

    /// Its notation.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Builtin::ALL.iter().find(|(_, builtin)| *builtin == self).map_or("UTF8String", |(words, _)| words)
    }

    /// Whether a text is a valid value.
    #[must_use]
    #[inline]
    pub fn allows(self, text: &str) -> bool {
        match self {
            Builtin::Utf8String => true,
            Builtin::Null => text.is_empty(),
            other => other.has(text) || other.has(trim(text)),
        }
    }

    /// Whether a text without surrounding white space is a valid value.
    #[inline(never)]
    pub(crate) fn has(self, text: &str) -> bool {
        let is_time = |kind| Time::parse(kind, text).is_some();
        match self {
            Builtin::Utf8String => true,
            Builtin::Boolean => number::boolean(text).is_some(),
            Builtin::Integer => number::is_integer(text),
            Builtin::Real => number::is_double(text),
            Builtin::OctetString => xml::base64::decode(text, &mut Vec::new()).is_some(),
            Builtin::Date => is_time(TimeKind::Date),
            Builtin::TimeOfDay => is_time(TimeKind::Time),
            Builtin::DateTime => Time::is_date_time(text),
            Builtin::Duration => Duration::parse(text).is_some(),
            Builtin::Null => text.is_empty(),
        }
    }

    /// A description of valid values for error messages.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Builtin::Utf8String => "text",
            Builtin::Boolean => "a BOOLEAN: true or false",
            Builtin::Integer => "an INTEGER",
            Builtin::Real => "a REAL",
            Builtin::OctetString => "an OCTET STRING in base64",
            Builtin::Date => "a DATE",
            Builtin::TimeOfDay => "a TIME-OF-DAY",
            Builtin::DateTime => "a DATE-TIME",
            Builtin::Duration => "a DURATION",
            Builtin::Null => "no text (NULL)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By XML Schema part 2, sections 3.2 and 3.3.
    #[test]
    fn values_are_those_of_xml_schema() {
        let cases: &[(Builtin, &[&str], &[&str])] = &[
            (Builtin::Boolean, &["true", "0", " false\n"], &["TRUE", "", "yes"]),
            (Builtin::Integer, &["0", "-17", "+5", "007", " 3 "], &["", "-", "1.0", "1e3", "1 2"]),
            (
                Builtin::Real,
                &["1", "-1.50", ".5", "5.", "1E3", "1e-3", "INF", "NaN"],
                &["", ".", "e5", "1e", "1,5", "+INF"],
            ),
            (Builtin::OctetString, &["", "AAEC", "AA==", "AA EC"], &["A", "cid:1", "AA=A", "-_"]),
            (
                Builtin::Date,
                &["2004-07-20", "2000-02-29Z", "-0044-03-15", "12004-01-01+14:00", "-0001-02-29", "\n2004-07-20 "],
                &[
                    "2004-02-30",
                    "1900-02-29",
                    "2004-13-01",
                    "04-01-01",
                    "012004-01-01",
                    "2004-01-00",
                    "2004-01-01+14:30",
                    "0000-01-01",
                    "-0004-02-29",
                ],
            ),
            (
                Builtin::TimeOfDay,
                &["13:20:00", "24:00:00", "13:20:00.5-05:00"],
                &["24:00:01", "13:20", "13:60:00", "1:00:00", "13:20:00."],
            ),
            (
                Builtin::DateTime,
                &["2004-07-20T13:20:00Z", "2004-02-29T24:00:00", "2004-07-20T13:20:59.0000000+10:00"],
                &[
                    "2004-07-20",
                    "2004-07-20 13:20:00",
                    "2004-00-20T13:20:00",
                    "2004-13-20T13:20:00",
                    "2004-07-00T13:20:00",
                    "2005-02-29T13:20:00",
                    "2004-07-20T25:20:00",
                    "2004-07-20T13:60:00",
                    "2004-07-20T13:20:60",
                    "2004-07-20T13:20:0:",
                    "2004-07-20T13:2/:00",
                    "2004-07-20T13:20:00.",
                    "2004-07-20T13:20:00+1:00",
                    "2004-07-20T13:20:00+15:00",
                    "2004\u{ad}07-20T13:20:00",
                ],
            ),
            (
                Builtin::Duration,
                &["P1Y2M3DT4H5M6.7S", "-P1D", "PT0S"],
                &["P", "PT", "1Y", "P1S", "P1M1Y", "P1.5D", "P1é"],
            ),
            (Builtin::Null, &[""], &[" ", "x"]),
            (Builtin::Utf8String, &["", " é"], &[]),
        ];
        for (builtin, good, bad) in cases {
            good.iter().for_each(|text| assert!(builtin.allows(text), "{builtin:?} {text:?}"));
            bad.iter().for_each(|text| assert!(!builtin.allows(text), "{builtin:?} {text:?}"));
        }
    }
}
