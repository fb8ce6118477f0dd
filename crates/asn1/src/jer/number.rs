//! Numbers as text.

use std::fmt::Write;

/// The most octets of an INTEGER that is written: about as many as reading accepts (20 000 digits). The time is
/// quadratic.
pub(crate) const MOST_OCTETS: usize = 8_304;

/// Appends the decimal digits of a number. Most values are numbers, and this takes half the time of the formatting
/// machinery.
pub(crate) fn push_small(number: i64, text: &mut String) {
    if number < 0 {
        text.push('-');
    }
    let mut left = number.unsigned_abs();
    let mut digits = [0; 20];
    let mut first = digits.len();
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        *digit = b'0' + (left % 10) as u8;
        left /= 10;
        first = place;
        if left == 0 {
            break;
        }
    }
    text.extend(digits.get(first..).unwrap_or_default().iter().copied().map(char::from));
}

/// The word for a double that has no digits, or loses its sign with them.
pub(crate) fn special(double: f64) -> Option<&'static str> {
    match double {
        _ if double.is_nan() => Some("NaN"),
        f64::INFINITY => Some("INF"),
        f64::NEG_INFINITY => Some("-INF"),
        0.0 if double.is_sign_negative() => Some("-0"),
        _ => None,
    }
}

/// Appends the decimal digits of a number in two's complement, highest octet first.
pub(crate) fn push_integer(octets: &[u8], text: &mut String) {
    let negative = octets.first().is_some_and(|first| first & 0x80 != 0);
    // The magnitude in words, highest first.
    let fill = if negative { 0xFF } else { 0 };
    let missing = octets.len().next_multiple_of(4) - octets.len();
    let padded: Vec<u8> = std::iter::repeat_n(fill, missing).chain(octets.iter().copied()).collect();
    let (chunks, _) = padded.as_chunks::<4>();
    let mut words: Vec<u32> = chunks.iter().map(|word| u32::from_be_bytes(*word)).collect();
    if negative {
        let mut carry = true;
        for word in words.iter_mut().rev() {
            let (negated, over) = (!*word).overflowing_add(u32::from(carry));
            (*word, carry) = (negated, over);
        }
        text.push('-');
    }
    // Groups of nine digits, lowest first.
    let mut groups = Vec::new();
    let mut first = words.iter().position(|word| *word != 0).unwrap_or(words.len());
    while first < words.len() {
        let mut rest = 0u64;
        for word in words.iter_mut().skip(first) {
            let number = rest << 32 | u64::from(*word);
            *word = (number / 1_000_000_000) as u32;
            rest = number % 1_000_000_000;
        }
        groups.push(rest as u32);
        while words.get(first) == Some(&0) {
            first += 1;
        }
    }
    let highest = groups.pop().unwrap_or_default();
    let _ = write!(text, "{highest}");
    for group in groups.iter().rev() {
        let _ = write!(text, "{group:09}");
    }
}

/// Appends the fewest digits that identify a finite double, as a JSON number.
pub(crate) fn push_double(double: f64, text: &mut String) {
    let size = double.abs();
    let _ = if size != 0.0 && !(1e-5..1e17).contains(&size) {
        write!(text, "{double:e}")
    } else {
        write!(text, "{double}")
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(octets: &[u8]) -> String {
        let mut text = String::new();
        push_integer(octets, &mut text);
        text
    }

    #[test]
    fn integers_of_any_size_have_their_digits() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u128;
        for shift in 0..128 {
            state = state.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
            let number = (state as i128) >> shift;
            assert_eq!(integer(&number.to_be_bytes()), number.to_string());
        }
        assert_eq!(integer(&[0]), "0");
        assert_eq!(integer(&[0x80]), "-128");
        assert_eq!(integer(&[0xFF]), "-1");
        assert_eq!(integer(&[0, 0xFF]), "255");
        // 2^256, and its negative.
        let power = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
        let mut octets = [0; 33];
        octets[0] = 1;
        assert_eq!(integer(&octets), power);
        octets[0] = 0xFF;
        assert_eq!(integer(&octets), format!("-{power}"));
    }

    #[test]
    fn small_integers_have_their_digits() {
        let mut number = i64::MAX;
        while number != 0 {
            for number in [number, -number, number ^ 0x55, !number] {
                let mut text = "x".to_owned();
                push_small(number, &mut text);
                assert_eq!(text, format!("x{number}"));
            }
            number /= 3;
        }
        let mut text = String::new();
        [0, i64::MIN].into_iter().for_each(|number| push_small(number, &mut text));
        assert_eq!(text, "0-9223372036854775808");
    }

    #[test]
    fn doubles_have_the_fewest_digits_and_come_back() {
        for (double, expected) in [
            (0.0, "0"),
            (1.0, "1"),
            (-21.5, "-21.5"),
            (0.1, "0.1"),
            (1e16, "10000000000000000"),
            (1e17, "1e17"),
            (1.5e300, "1.5e300"),
            (1e-5, "0.00001"),
            (9e-6, "9e-6"),
            (5e-324, "5e-324"),
        ] {
            let mut text = String::new();
            push_double(double, &mut text);
            assert_eq!(text, expected);
            assert_eq!(text.parse(), Ok(double));
            assert_eq!(tam::json::number(text.as_bytes()).map(|(len, _)| len), Ok(text.len()));
        }
    }
}
