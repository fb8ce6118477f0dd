//! Whether two texts may be the same value, if their type is not known.

use crate::calendar::{Duration, Time, TimeKind};
use crate::white_space::words;
use crate::{base64, hex, number};

/// Whether two texts are the same value of some primitive type, or item by item of a list of one, white space
/// collapsed: numbers, booleans, times, octets in hexadecimal digits or base64 (XML Schema Part 2 section 3.2).
///
/// ```
/// use lengthwise_xml::is_same_value;
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
    one == other
        || is_same(number::boolean, one, other)
        || is_same(octets, one, other)
        || is_same(number::Decimal::parse, one, other)
        || is_same(number::double, one, other)
        || is_same(|text| Duration::parse(text)?.amount(), one, other)
        || TimeKind::ALL.iter().any(|kind| is_same(|text| Time::parse(*kind, text)?.instant(), one, other))
}

fn is_same<'t, T: PartialEq>(value: impl Fn(&'t str) -> Option<T>, one: &'t str, other: &'t str) -> bool {
    value(one).is_some_and(|one| value(other) == Some(one))
}

fn octets(text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    hex::decode(text, &mut octets).map(|()| octets)
}

/// White space may be anywhere in base64.
fn is_same_base64(one: &str, other: &str) -> bool {
    words(one).flat_map(str::bytes).eq(words(other).flat_map(str::bytes))
        && base64::decode(one, &mut Vec::new()).is_some()
}
