//! Numbers: their text as it is on the wire.

use tam::{Error, ErrorKind, json};

use crate::{FORMAT, text};

/// Whether a text is an integer: JSON's number without fraction and exponent (RFC 8259 section 6).
#[inline]
pub(crate) fn is_integer(data: &[u8]) -> bool {
    let digits = data.strip_prefix(b"-").unwrap_or(data);
    match digits {
        [b'0'] | [b'1'..=b'9'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Whether a text is a float: any number of JSON's, or one of the three words that JSON lacks.
#[inline]
pub(crate) fn is_float(data: &[u8]) -> bool {
    json::number(data).is_ok_and(|(len, _)| len == data.len()) || is_word(data)
}

fn is_word(data: &[u8]) -> bool {
    matches!(data, b"NaN" | b"Infinity" | b"-Infinity")
}

/// The word for what JSON has no number for.
pub(crate) fn word(value: f64) -> Option<&'static str> {
    if value.is_finite() {
        return None;
    }
    Some(match (value.is_nan(), value > 0.0) {
        (true, _) => "NaN",
        (_, true) => "Infinity",
        _ => "-Infinity",
    })
}

/// Why data at byte `at` is no number of its type.
#[cold]
pub(crate) fn fault(tag: u8, data: &[u8], at: usize) -> Error {
    let expected = if tag == b'i' { "an integer as JSON writes it" } else { "a number as JSON writes it, or NaN" };
    // Another number may go on where an integer ends.
    let beyond = |c: &u8| tag == b'i' && !c.is_ascii_digit() && *c != b'-';
    let end = data.iter().position(beyond).unwrap_or(data.len());
    let (place, found) = match json::number(&data[..end]) {
        Err(fault) => (fault.at, fault.found),
        Ok((len, _)) => (len, None),
    };
    let met = if place >= data.len() { "the end of the number".into() } else { text::met(&data[place..]) };
    Error::new(ErrorKind::Syntax, FORMAT, (at + place) as u64, found.map_or(met, Into::into), expected)
}

/// The integer a text is, if it is one and fits into 64 bits.
#[inline(always)]
pub(crate) fn to_u64(digits: &[u8]) -> Option<u64> {
    // Nineteen digits always fit.
    if digits.len() > 19 {
        return to_long_u64(digits);
    }
    if digits.len() != 1 && matches!(digits.first(), None | Some(b'0')) {
        return None;
    }
    let (mut value, mut rest) = (0, digits);
    while let Some((eight, after)) = rest.split_first_chunk() {
        value = value * 100_000_000 + eight_digits(u64::from_le_bytes(*eight))?;
        rest = after;
    }
    for &c in rest {
        let digit = c.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    Some(value)
}

/// The number that eight digits are, the first of them in the lowest byte: neighbours are put
/// together, then pairs, then fours.
#[inline(always)]
const fn eight_digits(text: u64) -> Option<u64> {
    const ONES: u64 = u64::MAX / 255;
    // A byte is a digit if its upper half is that of '0', and stays so when 6 is added.
    let halves = (text & (ONES * 0xF0)) | ((text.wrapping_add(ONES * 6) & (ONES * 0xF0)) >> 4);
    if halves != ONES * 0x33 {
        return None;
    }
    let digits = text - ONES * 0x30;
    let pairs = (digits * 10 + (digits >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    Some((fours * 10_000 + (fours >> 32)) & 0xFFFF_FFFF)
}

#[cold]
fn to_long_u64(digits: &[u8]) -> Option<u64> {
    core::str::from_utf8(digits).ok().filter(|_| is_integer(digits))?.parse().ok()
}

/// The integer a text is, if it is one and fits into 64 bits with a sign.
#[inline]
pub(crate) fn to_i64(data: &[u8]) -> Option<i64> {
    match data.strip_prefix(b"-") {
        None => i64::try_from(to_u64(data)?).ok(),
        Some(digits) => 0i64.checked_sub_unsigned(to_u64(digits)?),
    }
}

/// The nearest double of a number or a word; `None` where it is neither, or beyond the largest.
pub(crate) fn to_f64(data: &[u8]) -> Option<f64> {
    parse::<f64>(data).filter(|value| value.is_finite() || is_word(data))
}

/// The number a text is, if it is one and the type takes it.
#[inline]
pub(crate) fn parse<T: core::str::FromStr>(data: &[u8]) -> Option<T> {
    if is_float(data) { core::str::from_utf8(data).ok()?.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_those_of_json() {
        for text in ["0", "-0", "7", "-7", "10", "123456789012345678901234567890"] {
            assert!(is_integer(text.as_bytes()), "{text}");
        }
        for text in ["", "-", "00", "07", "-01", "+1", "1.0", "1e5", "0x1", " 1", "1 ", "٣"] {
            assert!(!is_integer(text.as_bytes()), "{text}");
            assert_eq!(to_i64(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn floats_are_those_of_json_and_three_words() {
        for text in ["0", "1.0", "-1e5", "2E+10", "NaN", "Infinity", "-Infinity"] {
            assert!(is_float(text.as_bytes()), "{text}");
        }
        for text in ["", ".5", "5.", "1e", "nan", "inf", "+Infinity", "-NaN", "1.0.0"] {
            assert!(!is_float(text.as_bytes()), "{text}");
            assert_eq!(to_f64(text.as_bytes()), None, "{text}");
        }
        assert_eq!(to_f64(b"1e400"), None);
        assert!(to_f64(b"NaN").is_some_and(f64::is_nan));
    }

    #[test]
    fn integers_fit_or_do_not() {
        assert_eq!(to_u64(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(to_u64(b"18446744073709551616"), None);
        assert_eq!(to_u64(b"9999999999999999999"), Some(9_999_999_999_999_999_999));
        assert_eq!(to_i64(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(to_i64(b"-9223372036854775809"), None);
        assert_eq!(to_i64(b"9223372036854775807"), Some(i64::MAX));
        assert_eq!(to_i64(b"9223372036854775808"), None);
        assert_eq!(to_i64(b"-0"), Some(0));
    }
}
