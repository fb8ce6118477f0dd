//! The lexical rules of the built-in types (Part 2 section 3).

use xml::calendar::{Duration, Time, TimeKind};
use xml::name::{is_local, is_name, is_qualified, is_token};
use xml::number::{self, Decimal};
use xml::uri;

use crate::components::Builtin;

fn is_language(text: &str) -> bool {
    text.split('-').enumerate().all(|(n, part)| {
        (1..=8).contains(&part.len()) && part.bytes().all(|c| c.is_ascii_alphabetic() || n > 0 && c.is_ascii_digit())
    })
}

/// The kind of date or time of a built-in type.
pub fn time_kind(ty: Builtin) -> Option<TimeKind> {
    Some(match ty {
        Builtin::DateTime => TimeKind::DateTime,
        Builtin::Time => TimeKind::Time,
        Builtin::Date => TimeKind::Date,
        Builtin::GYearMonth => TimeKind::GYearMonth,
        Builtin::GYear => TimeKind::GYear,
        Builtin::GMonthDay => TimeKind::GMonthDay,
        Builtin::GDay => TimeKind::GDay,
        Builtin::GMonth => TimeKind::GMonth,
        _ => return None,
    })
}

/// Whether a text is a date or time whose year fits in a number.
fn is_time(kind: TimeKind, text: &str) -> bool {
    Time::parse(kind, text).is_some_and(|time| time.year.is_none_or(|year| year.number().is_some()))
}

/// Whether a text, with white space normalised, is a value of a built-in type. Bounds and binary types are checked by the
/// caller.
pub(super) fn is_value(ty: Builtin, text: &str) -> bool {
    match ty {
        Builtin::Boolean => number::boolean(text).is_some(),
        Builtin::Decimal => Decimal::parse(text).is_some(),
        Builtin::Float | Builtin::Double => number::is_double(text),
        Builtin::Duration => Duration::parse(text).is_some_and(|duration| duration.amount().is_some()),
        Builtin::AnyUri => uri::is_uri_reference(text),
        Builtin::QName | Builtin::Notation => is_qualified(text),
        Builtin::Language => is_language(text),
        Builtin::NmToken => is_token(text),
        Builtin::Name => is_name(text),
        Builtin::NcName | Builtin::Id | Builtin::IdRef | Builtin::Entity => is_local(text),
        _ if ty as u8 >= Builtin::Integer as u8 => number::is_integer(text),
        ty => time_kind(ty).is_none_or(|kind| is_time(kind, text)),
    }
}

/// Describes the values of a built-in type for error messages.
pub(super) fn described(ty: Builtin) -> &'static str {
    match ty {
        Builtin::Boolean => "true, false, 1 or 0",
        Builtin::Decimal => "a decimal number",
        Builtin::Float | Builtin::Double => "a number, INF, -INF or NaN",
        Builtin::Duration => "a duration: PnYnMnDTnHnMnS",
        Builtin::DateTime => "a date and time: YYYY-MM-DDThh:mm:ss",
        Builtin::Time => "a time: hh:mm:ss",
        Builtin::Date => "a date: YYYY-MM-DD",
        Builtin::GYearMonth => "a month of a year: YYYY-MM",
        Builtin::GYear => "a year: YYYY",
        Builtin::GMonthDay => "a day of a month: --MM-DD",
        Builtin::GDay => "a day: ---DD",
        Builtin::GMonth => "a month: --MM",
        Builtin::HexBinary => "hexadecimal digits, two an octet",
        Builtin::Base64Binary => "base64",
        Builtin::AnyUri => "a URI reference",
        Builtin::QName => "a qualified name whose prefix is bound",
        Builtin::Notation => "the name of a notation",
        Builtin::Language => "a language: en, de-CH",
        Builtin::NmToken => "a name token",
        Builtin::Name => "a name",
        Builtin::NcName => "a name without a colon",
        Builtin::Id => "a name without a colon (ID)",
        Builtin::IdRef => "a name without a colon (IDREF)",
        Builtin::Entity => "the name of an unparsed entity",
        _ => "an integer",
    }
}
