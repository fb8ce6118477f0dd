//! Converts dates, times and durations between XML Schema (Part 2 section 3.2) and ISO 8601 as ASN.1's TIME has it. They
//! differ in years of more than four digits, in midnight at the end of a day (24:00:00) and in UTC written as `-00:00`.

use std::borrow::Cow;

use xml::calendar::{Date, Time, TimeKind};

/// Converts a valid text of XML Schema to ISO 8601.
pub(crate) fn from_xsd(text: &str) -> Cow<'_, str> {
    let is_long = text.as_bytes().first_chunk::<5>().is_some_and(|start| start.iter().all(u8::is_ascii_digit));
    let date_end = match text.as_bytes().get(10) {
        Some(b'T') if !is_long => Some(10),
        _ => text.bytes().position(|byte| byte == b'T'),
    };
    let time = date_end.map_or(text.as_bytes(), |end| &text.as_bytes()[end + 1..]);
    let is_late = time.starts_with(b"24:00:00");
    let is_minus_zero = text.ends_with("-00:00");
    if !is_long && !is_late && !is_minus_zero {
        return Cow::Borrowed(text);
    }
    let mut made = if is_long { format!("+{text}") } else { text.to_owned() };
    if is_minus_zero {
        made.truncate(made.len() - 6);
        made.push('Z');
    }
    if is_late {
        made = next_day(&made).unwrap_or(made);
    }
    Cow::Owned(made)
}

/// Converts the end of a day to the beginning of the next. Fractions of 24:00:00 are zeros.
fn next_day(text: &str) -> Option<String> {
    let midnight = |time: &str| time.replacen("24:00:00", "00:00:00", 1);
    let Some((date, time)) = text.split_once('T') else { return Some(midnight(text)) };
    let time_of = Time::parse(TimeKind::Date, date.strip_prefix('+').unwrap_or(date))?;
    let Date { year, month, day } =
        Date { year: time_of.year?.number()?, month: time_of.month?, day: time_of.day? }.next();
    // The texts have no year 0: the year before 1 is -1.
    let (sign, year) = match year {
        ..1 => ("-", 1 - year),
        1..10_000 => ("", year),
        _ => ("+", year),
    };
    Some(format!("{sign}{year:04}-{month:02}-{day:02}T{}", midnight(time)))
}

/// Converts a text of ISO 8601 to XML Schema; `None` for durations in weeks, which XML Schema does not have.
pub(crate) fn to_xsd(text: &str) -> Option<&str> {
    match text.as_bytes().first() {
        Some(b'P') if text.contains('W') => None,
        Some(b'+') => text.get(1..),
        _ => Some(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_forms_are_unchanged() {
        for text in ["2025-03-01", "-0044-03-15T12:00:00", "06:30:00.50+01:00", "PT1.5S", "2025", "2025-03"] {
            assert_eq!((&*from_xsd(text), to_xsd(text)), (text, Some(text)));
        }
    }

    #[test]
    fn years_of_more_digits_have_a_sign() {
        assert_eq!(from_xsd("12025-03-01"), "+12025-03-01");
        assert_eq!(to_xsd("+12025-03-01"), Some("12025-03-01"));
    }

    #[test]
    fn the_end_of_a_day_becomes_the_beginning_of_the_next() {
        let cases = [
            ("2024-02-28T24:00:00Z", "2024-02-29T00:00:00Z"),
            ("1900-02-28T24:00:00", "1900-03-01T00:00:00"),
            ("2025-12-31T24:00:00.0+01:00", "2026-01-01T00:00:00.0+01:00"),
            ("-0001-12-31T24:00:00", "0001-01-01T00:00:00"),
            ("9999-12-31T24:00:00-00:00", "+10000-01-01T00:00:00Z"),
            // Part 2 section 3.2.7: -0001 is the year before 0001, a leap year.
            ("-0001-02-28T24:00:00", "-0001-02-29T00:00:00"),
            ("-0004-02-28T24:00:00", "-0004-03-01T00:00:00"),
            ("-10000-12-31T24:00:00", "-9999-01-01T00:00:00"),
            ("24:00:00", "00:00:00"),
        ];
        for (text, expected) in cases {
            assert_eq!(from_xsd(text), expected);
        }
    }

    #[test]
    fn weeks_have_no_form_in_xml_schema() {
        assert_eq!(to_xsd("P2W"), None);
    }
}
