//! Whether two texts may be one value, where nobody says of which type.

use std::cmp::Ordering;

use super::{Ordered, words};
use crate::components::Builtin;

/// The primitive types whose values have more than one spelling, but those in octets.
const ORDERED: [Builtin; 11] = [
    Builtin::Decimal,
    Builtin::Double,
    Builtin::Duration,
    Builtin::DateTime,
    Builtin::Time,
    Builtin::Date,
    Builtin::GYearMonth,
    Builtin::GYear,
    Builtin::GMonthDay,
    Builtin::GDay,
    Builtin::GMonth,
];

/// Whether two texts spell one value of some primitive type, or item by item of a list of one, white space
/// collapsed: numbers, booleans, times, octets in hexadecimal digits or base64 (Part 2, section 3.2).
///
/// ```
/// use xsd::is_same_value;
///
/// assert!(is_same_value("24.00", "24") && is_same_value("1", "true") && is_same_value("P12M", "P1Y"));
/// assert!(is_same_value("2024-01-01T24:00:00Z", "2024-01-02T01:00:00+01:00"));
/// assert!(!is_same_value("24.01", "24") && !is_same_value("tea", "milk"));
/// ```
#[must_use]
pub fn is_same_value(one: &str, other: &str) -> bool {
    if is_same_base64(one, other) {
        return true;
    }
    let (mut items, mut others) = (words(one), words(other));
    loop {
        match (items.next(), others.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if is_same_item(one, other) => {}
            _ => return false,
        }
    }
}

fn is_same_item(one: &str, other: &str) -> bool {
    // Midnight is one time of day, and no later one (section 3.2.8).
    let midnight = |text: &str| text.strip_prefix("24:").map_or_else(|| text.to_owned(), |rest| format!("00:{rest}"));
    let is_equal = |ty: &Builtin| {
        let value = |text: &str| match *ty {
            Builtin::Time => Ordered::parse(*ty, &midnight(text)),
            _ => Ordered::parse(*ty, text),
        };
        let (one, other) = (value(one), value(other));
        one.zip(other).is_some_and(|(one, other)| one.compare(&other) == Some(Ordering::Equal))
    };
    let is_hexadecimal = |text: &str| text.len().is_multiple_of(2) && text.bytes().all(|c| c.is_ascii_hexdigit());
    one == other
        || matches!((one, other), ("1", "true") | ("true", "1") | ("0", "false") | ("false", "0"))
        || is_hexadecimal(one) && one.eq_ignore_ascii_case(other)
        || ORDERED.iter().any(is_equal)
}

/// White space may be anywhere in base64.
fn is_same_base64(one: &str, other: &str) -> bool {
    let digits = |text: &str| text.bytes().filter(|c| !c.is_ascii_whitespace()).collect::<Vec<u8>>();
    let (one, other) = (digits(one), digits(other));
    let is_digit = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/' | b'=');
    one == other && one.len().is_multiple_of(4) && one.iter().all(is_digit)
}
