//! The types of values.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use xml::chars::{SPACE, is_space};

use crate::escape;

/// The type of a value. Values are written as XML Schema has them; the type says what text may stand
/// there, white space around it aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `UTF8String`: any text.
    #[default]
    Utf8String,
    /// `BOOLEAN`: `true`, `false`, `1`, `0`.
    Boolean,
    /// `INTEGER`: decimal digits, with a sign or not.
    Integer,
    /// `REAL`: a decimal number, with an exponent or not; `INF`, `-INF`, `NaN`.
    Real,
    /// `OCTET STRING`: octets in base64, or in a part of the message (MIME).
    OctetString,
    /// `DATE`: `2004-07-20`, with a time zone or not.
    Date,
    /// `TIME-OF-DAY`: `13:20:00`, with a fraction and a time zone or not.
    TimeOfDay,
    /// `DATE-TIME`: both, a `T` between.
    DateTime,
    /// `DURATION`: `P1Y2M3DT4H5M6S`.
    Duration,
    /// `NULL`: no text at all.
    Null,
}

impl Builtin {
    /// Every one, with the words of its notation.
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

    /// The words of its notation.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Builtin::ALL.iter().find(|(_, builtin)| *builtin == self).map_or("UTF8String", |(words, _)| words)
    }

    /// Whether a text is one of its values.
    #[must_use]
    #[inline]
    pub fn allows(self, text: &str) -> bool {
        self == Builtin::Utf8String || self.has_plain(text) || self.allows_after_a_look(text)
    }

    /// Whether a text is one of its values, in a form that most have, and has nothing that is written as a reference.
    /// Of many that are, it says no.
    #[inline(always)]
    pub(crate) fn has_plain(self, text: &str) -> bool {
        match self {
            Builtin::Utf8String => escape::is_plain_ascii(text.as_bytes()),
            other => other.has_plain_sign(text.as_bytes()),
        }
    }

    /// The same of all but text.
    #[inline(never)]
    fn has_plain_sign(self, text: &[u8]) -> bool {
        match self {
            Builtin::DateTime => is_plain_moment(text),
            Builtin::Integer => is_plain_number(text, 0),
            Builtin::Real => is_plain_number(text, 1),
            Builtin::Boolean => matches!(text, b"true" | b"false"),
            _ => false,
        }
    }

    fn allows_after_a_look(self, text: &str) -> bool {
        let trimmed = text.trim_matches(SPACE);
        match self {
            Builtin::Utf8String => true,
            Builtin::Boolean => matches!(trimmed, "true" | "false" | "1" | "0"),
            Builtin::Integer => is_digits(unsigned(trimmed)),
            Builtin::Real => is_real(trimmed),
            Builtin::OctetString => is_base64(trimmed),
            Builtin::Date => date(trimmed).is_some_and(is_zone),
            Builtin::TimeOfDay => time(trimmed).is_some_and(is_zone),
            Builtin::DateTime => {
                date(trimmed).and_then(|rest| rest.strip_prefix('T')).and_then(time).is_some_and(is_zone)
            }
            Builtin::Duration => is_duration(trimmed),
            Builtin::Null => text.is_empty(),
        }
    }

    /// What is expected of a value.
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

/// Whether a text is decimal digits, which is what most numbers are, with so many points among them at the
/// most.
#[inline]
fn is_plain_number(text: &[u8], points: usize) -> bool {
    let mut seen = 0;
    for byte in text {
        if !byte.is_ascii_digit() {
            if *byte != b'.' {
                return false;
            }
            seen += 1;
        }
    }
    text.first().is_some_and(u8::is_ascii_digit) && seen <= points
}

/// Whether a text is a moment as most are written: `2004-07-20T13:20:00`, on a day that every month has,
/// with a fraction and a zone of whole hours or without.
#[inline]
fn is_plain_moment(text: &[u8]) -> bool {
    let Some((text, rest)) = text.split_first_chunk::<19>() else { return false };
    let zone = match rest {
        [b'.', digits @ ..] => {
            let count = digits.iter().take_while(|c| c.is_ascii_digit()).count();
            if count == 0 { return false } else { &digits[count..] }
        }
        rest => rest,
    };
    let plain_zone = match zone {
        [] | [b'Z'] => true,
        [b'+' | b'-', b'0', hour, b':', b'0', b'0'] => hour.is_ascii_digit(),
        [b'+' | b'-', b'1', b'0'..=b'4', b':', b'0', b'0'] => true,
        _ => false,
    };
    if !plain_zone {
        return false;
    }
    let ([month, day], Some(time)) = (text.as_chunks::<8>().0, text.last_chunk::<8>()) else { return false };
    let (Some(month), Some(day), Some(time)) =
        (digits(month, b"0000-00-"), digits(day, b"00T00:00"), digits(time, b"00:00:00"))
    else {
        return false;
    };
    let two = |word: u64, at: u32| (word >> (8 * at) & 15) * 10 + (word >> (8 * at + 8) & 15);
    matches!(two(month, 5), 1..=12)
        && matches!(two(day, 0), 1..=28)
        && two(time, 0) < 24
        && two(time, 3) < 60
        && two(time, 6) < 60
}

/// What eight bytes are beside a form, `0` of which stands for any digit: a byte for each, the digit or zero.
#[inline(always)]
fn digits(bytes: &[u8; 8], form: &[u8; 8]) -> Option<u64> {
    let most = form.map(|form| if form == b'0' { 127 - 9 } else { 127 });
    let word = u64::from_le_bytes(*bytes) ^ u64::from_le_bytes(*form);
    // What is more than it may be reaches the high bit.
    let beyond = (word.wrapping_add(u64::from_le_bytes(most)) | word) & (u64::MAX / 255 * 0x80);
    (beyond == 0).then_some(word)
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit())
}

fn is_real(text: &str) -> bool {
    if matches!(text, "INF" | "-INF" | "+INF" | "NaN") {
        return true;
    }
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (text, None),
    };
    let (whole, part) = unsigned(number).split_once('.').unwrap_or((unsigned(number), ""));
    let digits = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
    whole.len() + part.len() > 0
        && digits(whole)
        && digits(part)
        && exponent.is_none_or(|exponent| is_digits(unsigned(exponent)))
}

fn is_base64(text: &str) -> bool {
    if !text.contains(SPACE) {
        return STANDARD.decode(text).is_ok();
    }
    let packed: Vec<u8> = text.bytes().filter(|c| !is_space(*c)).collect();
    STANDARD.decode(packed).is_ok()
}

/// What is behind a number of so many digits, within bounds.
fn number(text: &str, digits: usize, most: u32) -> Option<&str> {
    let number: u32 = text.get(..digits).filter(|digits| is_digits(digits))?.parse().ok()?;
    if number <= most { text.get(digits..) } else { None }
}

fn date(text: &str) -> Option<&str> {
    let text = text.strip_prefix('-').unwrap_or(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let year = text.get(..digits).filter(|year| year.len() == 4 || year.len() > 4 && !year.starts_with('0'))?;
    let rest = text.get(digits..)?.strip_prefix('-')?;
    let month: u32 = rest.get(..2)?.parse().ok()?;
    let rest = number(rest, 2, 12)?.strip_prefix('-')?;
    let day: u32 = rest.get(..2)?.parse().ok()?;
    // The last four digits tell leap years: 10 000 is a multiple of 400.
    let year: u32 = year.get(year.len() - 4..)?.parse().ok()?;
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    };
    if month == 0 || day == 0 { None } else { number(rest, 2, days) }
}

fn time(text: &str) -> Option<&str> {
    let minutes = number(text, 2, 24)?.strip_prefix(':')?;
    let seconds = number(minutes, 2, 59)?.strip_prefix(':')?;
    let rest = number(seconds, 2, 59)?;
    let after = match rest.strip_prefix('.') {
        None => rest,
        Some(fraction) => {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            fraction.get(digits..).filter(|_| digits > 0)?
        }
    };
    let midnight = text.get(..text.len() - after.len())?;
    let is_end = midnight.starts_with("24") && midnight.bytes().skip(2).any(|c| matches!(c, b'1'..=b'9'));
    if is_end { None } else { Some(after) }
}

/// Whether a text is a time zone, or nothing.
fn is_zone(text: &str) -> bool {
    if text.is_empty() || text == "Z" {
        return true;
    }
    let minutes =
        text.strip_prefix(['+', '-']).and_then(|hours| number(hours, 2, 14)).and_then(|rest| rest.strip_prefix(':'));
    minutes.and_then(|minutes| number(minutes, 2, 59)) == Some("")
        && !(text[1..].starts_with("14") && text[1..] != *"14:00")
}

fn is_duration(text: &str) -> bool {
    let Some(all) = text.strip_prefix('-').unwrap_or(text).strip_prefix('P') else { return false };
    let (days, hours) = match all.split_once('T') {
        Some((days, hours)) => (days, Some(hours)),
        None => (all, None),
    };
    let runs = |mut text: &str, letters: &str| {
        let mut letters = letters.chars();
        while !text.is_empty() {
            let digits = text.bytes().take_while(|c| c.is_ascii_digit() || *c == b'.').count();
            let (number, rest) = (text.get(..digits).unwrap_or(""), text.get(digits..).unwrap_or(""));
            let Some(letter) = rest.chars().next() else { return false };
            let whole = is_digits(number);
            let parts = number.split_once('.').is_some_and(|(whole, part)| is_digits(whole) && is_digits(part));
            if !letters.any(|other| other == letter) || !(whole || letter == 'S' && parts) {
                return false;
            }
            text = rest.get(letter.len_utf8()..).unwrap_or("");
        }
        true
    };
    runs(days, "YMD") && hours.is_none_or(|hours| !hours.is_empty() && runs(hours, "HMS")) && all.len() > 1
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
            (Builtin::Real, &["1", "-1.50", ".5", "5.", "1E3", "1e-3", "INF", "NaN"], &["", ".", "e5", "1e", "1,5"]),
            (Builtin::OctetString, &["", "AAEC", "AA==", "AA EC"], &["A", "cid:1", "AA=A", "-_"]),
            (
                Builtin::Date,
                &["2004-07-20", "2000-02-29Z", "-0044-03-15", "12004-01-01+14:00"],
                &[
                    "2004-02-30",
                    "1900-02-29",
                    "2004-13-01",
                    "04-01-01",
                    "012004-01-01",
                    "2004-01-00",
                    "2004-01-01+14:30",
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
