//! REAL as numbers and as the contents octets of X.690 clause 8.5, which PER uses too.

use std::borrow::Cow;

use tam::ErrorKind;

use crate::event::Real;

/// Parses a decimal number: a double if one is equal to it, otherwise its text; `None` if it is not a number.
pub(crate) fn from_decimal(text: &str) -> Option<Real<'_>> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let number = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    let double: f64 = if number { text.parse().ok()? } else { return None };
    let parts = decimal(text)?;
    if equal(&parts, double) { Some(Real::Double(double)) } else { Some(Real::Decimal(text)) }
}

/// Whether octets, at most 64, are a decimal number as DER and PER write it, with an exponent of a few digits (X.690
/// clause 11.3.2): `-1205.E-1`.
pub(crate) fn is_canonical(octets: &[u8]) -> bool {
    octets.len() <= 64 && is_canonical_by(octets, no_digits(octets))
}

/// The same, given which of the octets are not digits.
#[inline]
pub(crate) fn is_canonical_by(octets: &[u8], no_digits: u64) -> bool {
    let sign = u32::from(octets.first() == Some(&b'-'));
    let no_digits = no_digits >> sign;
    let count = no_digits.trailing_zeros();
    let Some((mantissa, rest)) = octets.get(sign as usize..).and_then(|digits| digits.split_at_checked(count as usize))
    else {
        return false;
    };
    let (exponent, no_digits) = match rest {
        [b'.', b'E', b'-', exponent @ ..] => (exponent, no_digits >> count >> 3),
        [b'.', b'E', exponent @ ..] => (exponent, no_digits >> count >> 2),
        _ => return false,
    };
    let first = |digits: &[u8]| digits.first().is_some_and(|digit| *digit != b'0');
    let all_digits = || (1..=9).contains(&exponent.len()) && no_digits & ((1 << exponent.len()) - 1) == 0;
    first(mantissa) && mantissa.last() != Some(&b'0') && (first(exponent) && all_digits() || rest == b".E+0")
}

/// Which of up to 64 octets are not digits: one bit each, the first one's lowest.
#[inline(always)]
pub(crate) fn no_digits(octets: &[u8]) -> u64 {
    let (eights, rest) = octets.as_chunks();
    let mut all = 0;
    for (eight, place) in eights.iter().zip((0..64).step_by(8)) {
        let others = above_nine(u64::from_le_bytes(*eight) ^ 0x3030_3030_3030_3030);
        // The highest byte of the product has one bit of each.
        all |= (others >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56 << place;
    }
    for (octet, place) in rest.iter().zip(octets.len() - rest.len()..64) {
        all |= u64::from(!octet.is_ascii_digit()) << place;
    }
    all
}

/// The highest bit of each of eight bytes, set if the byte is above 9.
#[inline(always)]
pub(crate) fn above_nine(eight: u64) -> u64 {
    // The sum sets that bit, or the byte had it before; nothing carries over.
    (eight | ((eight & 0x7F7F_7F7F_7F7F_7F7F) + 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
}

/// Whether a decimal number equals a double.
///
/// With all factors of 2 taken out of its mantissa, the double is m * 2^q. The number is D * 10^e, and D is not a
/// multiple of 10.
fn equal(parts: &(bool, Vec<u8>, i64), double: f64) -> bool {
    let (negative, digits, first) = parts;
    if digits.is_empty() || double == 0.0 {
        return digits.is_empty() && double == 0.0 && *negative == double.is_sign_negative();
    }
    // No double has more significant digits.
    if !double.is_finite() || digits.len() > 767 || *negative != double.is_sign_negative() {
        return false;
    }
    let (mantissa, binary) = odd_mantissa(double);
    let decimal = first - (digits.len() as i64 - 1);
    let (mantissa, twos, fives) = if decimal < 0 {
        // D = m * 2^(q-e) * 5^-e is a multiple of 5, so it is not one of 2.
        if decimal != i64::from(binary) {
            return false;
        }
        (mantissa, 0, decimal.unsigned_abs() as u32)
    } else {
        // In D * 5^e = m * 2^(q-e), only m can be a multiple of 5, and it is less than 5^23.
        let fives = u32::try_from(decimal).ok().filter(|fives| *fives < 23).map_or(0, |fives| 5u64.pow(fives));
        let twos = i64::from(binary) - decimal;
        if fives == 0 || !mantissa.is_multiple_of(fives) || twos < 0 {
            return false;
        }
        (mantissa / fives, twos as u32, 0)
    };
    let mut expected = Natural::from(mantissa);
    expected.times_power(2, 31, twos);
    expected.times_power(5, 13, fives);
    expected == Natural::of_digits(digits)
}

/// The mantissa of a double that is neither zero nor infinite, without its sign: an odd number, and the exponent of 2.
fn odd_mantissa(double: f64) -> (u64, i32) {
    let bits = double.to_bits();
    let (stored, fraction) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match stored {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, stored - 1075),
    };
    let zeros = mantissa.trailing_zeros();
    (mantissa >> zeros, exponent + zeros as i32)
}

/// A natural number of any size: words of 32 bits, lowest first, without zero words at the end.
#[derive(PartialEq)]
struct Natural(Vec<u32>);

impl Natural {
    fn from(number: u64) -> Natural {
        let mut words = vec![number as u32, (number >> 32) as u32];
        while words.last() == Some(&0) {
            words.pop();
        }
        Natural(words)
    }

    /// The number with these decimal digits.
    fn of_digits(digits: &[u8]) -> Natural {
        let mut natural = Natural(Vec::new());
        for part in digits.chunks(9) {
            let number = part.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
            natural.times(10u32.pow(part.len() as u32), number);
        }
        natural
    }

    fn times(&mut self, factor: u32, add: u32) {
        let mut carry = u64::from(add);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Multiplies with a power, by as many factors at once as a word holds.
    fn times_power(&mut self, base: u32, at_once: u32, exponent: u32) {
        for _ in 0..exponent / at_once {
            self.times(base.pow(at_once), 0);
        }
        self.times(base.pow(exponent % at_once), 0);
    }
}

/// Sign, significant digits without zeros at either end, and the exponent of the first one.
fn decimal(text: &str) -> Option<(bool, Vec<u8>, i64)> {
    let (negative, rest) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let mark = rest.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(rest.len());
    let (mantissa, exponent) = rest.split_at(mark);
    let exponent: i64 = match exponent {
        [] => 0,
        [_, digits @ ..] => std::str::from_utf8(digits).ok()?.parse().ok()?,
    };
    let point = mantissa.iter().position(|byte| *byte == b'.').unwrap_or(mantissa.len());
    let mut digits: Vec<u8> = mantissa.iter().copied().filter(u8::is_ascii_digit).collect();
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.drain(..zeros);
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    let first = exponent.checked_add(point as i64)?.checked_sub(zeros as i64 + 1)?;
    // The exponent of the last digit must fit in 64 bits too, because it is the one written.
    first.checked_sub(digits.len() as i64)?;
    Some((negative, digits, first))
}

/// Mantissa and exponent of 10 of a decimal number, if 128 bits hold the mantissa.
pub(crate) fn decimal_of_text(text: &str) -> Option<(i128, i64)> {
    let (negative, digits, first) = decimal(text)?;
    if digits.is_empty() {
        return Some((0, 0));
    }
    // Counted down from zero for the sake of the least number, if it is negative.
    let mantissa = digits.iter().try_fold(0i128, |mantissa, digit| {
        let digit = i128::from(digit - b'0');
        mantissa.checked_mul(10)?.checked_add(if negative { -digit } else { digit })
    })?;
    Some((mantissa, first - (digits.len() as i64 - 1)))
}

/// The same of a double, which is exactly m * 2^q.
pub(crate) fn decimal_of_double(double: f64) -> Option<(i128, i64)> {
    if double == 0.0 || !double.is_finite() {
        return (double == 0.0).then_some((0, 0));
    }
    let (odd, binary) = odd_mantissa(double);
    let factors = binary.unsigned_abs();
    let (mut mantissa, mut exponent) = match binary {
        // m * 2^-q is (m * 5^q) * 10^-q.
        ..0 => (i128::from(odd).checked_mul(5i128.checked_pow(factors)?)?, i64::from(binary)),
        _ => (i128::from(odd).checked_mul(2i128.checked_pow(factors)?)?, 0),
    };
    while mantissa % 10 == 0 {
        (mantissa, exponent) = (mantissa / 10, exponent + 1);
    }
    Some((if double < 0.0 { -mantissa } else { mantissa }, exponent))
}

/// The most digits of a number without an exponent.
pub(crate) const PLAIN: u64 = 20_000;

/// Appends a decimal number without an exponent. Returns `false` if it is not one, or is too long for that.
pub(crate) fn push_plain(number: &str, text: &mut String) -> bool {
    let Some((negative, digits, first)) = decimal(number) else { return false };
    if digits.is_empty() {
        text.push('0');
        return true;
    }
    let len = digits.len() as i64;
    // Zeros before or after the digits, if the point is not among them.
    let whole = first.saturating_add(1);
    if whole.unsigned_abs().max(len.unsigned_abs()) > PLAIN {
        return false;
    }
    if negative {
        text.push('-');
    }
    let mut push = |digits: &[u8]| text.extend(digits.iter().copied().map(char::from));
    let zeros = |count: i64| vec![b'0'; usize::try_from(count).unwrap_or_default()];
    match usize::try_from(whole) {
        Ok(whole @ 1..) if whole < digits.len() => {
            let (before, after) = digits.split_at(whole);
            push(before);
            push(b".");
            push(after);
        }
        Ok(1..) => {
            push(&digits);
            push(&zeros(whole - len));
        }
        _ => {
            push(b"0.");
            push(&zeros(-whole));
            push(&digits);
        }
    }
    true
}

/// `mantissa` * 2^`exponent`, if a double is equal to it.
pub(crate) fn from_binary(mantissa: i64, exponent: i32) -> Option<f64> {
    if mantissa == 0 {
        return Some(0.0);
    }
    let zeros = mantissa.trailing_zeros();
    let (mantissa, exponent) = (mantissa >> zeros, exponent.checked_add(zeros as i32)?);
    if mantissa.unsigned_abs() >= 1 << 53 {
        return None;
    }
    let double = scale(mantissa as f64, exponent);
    (double.is_finite() && double != 0.0 && scale(double, exponent.checked_neg()?) == mantissa as f64).then_some(double)
}

/// Multiplies a double by a power of two, in steps that do not round on the way.
fn scale(double: f64, exponent: i32) -> f64 {
    let mut double = double;
    let mut left = exponent.clamp(-2200, 2200);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        double *= f64::from_bits(((step + 1023) as u64) << 52);
        left -= step;
    }
    double
}

/// The value of contents octets. The text of a decimal number that no double equals, or of any number if the type
/// allows base 10 only, is put into `text`. `None` if they are invalid, or a binary number that no double equals.
pub(crate) fn read<'t>(octets: &[u8], is_decimal: bool, text: &'t mut String) -> Option<Real<'t>> {
    let (first, rest) = match octets {
        [] => return Some(Real::Double(0.0)),
        [first, rest @ ..] => (*first, rest),
    };
    match first {
        0x40 if rest.is_empty() => Some(Real::Double(f64::INFINITY)),
        0x41 if rest.is_empty() => Some(Real::Double(f64::NEG_INFINITY)),
        0x42 if rest.is_empty() => Some(Real::Double(f64::NAN)),
        0x43 if rest.is_empty() => Some(Real::Double(-0.0)),
        // It is in canonical form, so it needs no conversion.
        0x03 if is_decimal && is_canonical(rest) => {
            text.clear();
            text.push_str(std::str::from_utf8(rest).ok()?);
            Some(Real::Decimal(text))
        }
        // Decimal, in a form of ISO 6093: NR1, NR2 or NR3.
        0x01..=0x03 => {
            let number = std::str::from_utf8(rest).ok()?.trim_start_matches(' ');
            text.clear();
            text.push_str(&number.replace(',', "."));
            let valid = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
            match if valid { from_decimal(text) } else { None } {
                Some(Real::Double(double)) if is_decimal && double != 0.0 => Some(Real::Decimal(text)),
                other => other,
            }
        }
        0x80.. => {
            let base_bits = match first >> 4 & 3 {
                0 => 1,
                1 => 3,
                2 => 4,
                _ => return None,
            };
            let (len, rest) = match first & 3 {
                3 => {
                    let (len, rest) = rest.split_first()?;
                    (usize::from(*len), rest)
                }
                len => (usize::from(len) + 1, rest),
            };
            let (exponent, mantissa) = rest.split_at_checked(len)?;
            let exponent = match exponent {
                [] => return None,
                [high, rest @ ..] if exponent.len() <= 4 => {
                    rest.iter().fold(i64::from(*high as i8), |number, octet| number << 8 | i64::from(*octet))
                }
                _ => return None,
            };
            let mantissa = mantissa.iter().skip_while(|octet| **octet == 0);
            let mut number = 0u128;
            for octet in mantissa {
                number = number.checked_mul(256)? | u128::from(*octet);
            }
            if number == 0 {
                return None;
            }
            let zeros = number.trailing_zeros();
            let exponent = exponent * base_bits + i64::from(first >> 2 & 3) + i64::from(zeros);
            let magnitude = i64::try_from(number >> zeros).ok()?;
            let mantissa = if first & 0x40 != 0 { -magnitude } else { magnitude };
            from_binary(mantissa, i32::try_from(exponent).ok()?).map(Real::Double)
        }
        _ => None,
    }
}

/// Why [`read`] returns nothing for contents octets: they are invalid, or the number cannot be represented.
pub(crate) fn fault(octets: &[u8]) -> (ErrorKind, &'static str) {
    let sound = match octets {
        [0x01..=0x03, text @ ..] => {
            let text = std::str::from_utf8(text).unwrap_or_default().replace(',', ".");
            let text = text.trim_start_matches(' ');
            let number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
            number && text.parse::<f64>().is_ok()
        }
        // Base 2, 8 or 16, then an exponent of the given length, and a mantissa that is not zero.
        [first, rest @ ..] if first & 0x80 != 0 && first & 0x30 != 0x30 => {
            let (len, rest) = match (first & 3, rest) {
                (3, [len, rest @ ..]) => (usize::from(*len), rest),
                (len, rest) => (usize::from(len) + 1, rest),
            };
            len > 0 && rest.get(len..).is_some_and(|mantissa| mantissa.iter().any(|octet| *octet != 0))
        }
        _ => false,
    };
    match sound {
        true => (ErrorKind::Unsupported, "a REAL that no double holds"),
        false => (ErrorKind::Syntax, "octets that are not a valid REAL"),
    }
}

/// Contents octets in the canonical form of DER and PER (X.690 clause 11.3): a double in base 2 with an odd mantissa, a
/// decimal number in form NR3. If the type allows base 10 only, doubles use NR3 too.
pub(crate) fn write(real: Real<'_>, is_decimal: bool) -> Cow<'static, [u8]> {
    let double = match real {
        Real::Double(double) if is_decimal && double != 0.0 && double.is_finite() => {
            return decimal_octets(&double.to_string());
        }
        Real::Double(double) => double,
        Real::Decimal(text) => return decimal_octets(text),
    };
    if double == 0.0 {
        return if double.is_sign_negative() { Cow::Borrowed(&[0x43]) } else { Cow::Borrowed(&[]) };
    }
    if !double.is_finite() {
        let octets: &[u8] = if double.is_nan() {
            &[0x42]
        } else if double > 0.0 {
            &[0x40]
        } else {
            &[0x41]
        };
        return Cow::Owned(octets.to_vec());
    }
    let (mantissa, exponent) = odd_mantissa(double);
    let wide = i8::try_from(exponent).is_err();
    let sign = if double < 0.0 { 0x40 } else { 0 };
    let mut octets = vec![0x80 | sign | u8::from(wide)];
    let exponent = (exponent as i16).to_be_bytes();
    octets.extend_from_slice(if wide { &exponent } else { &exponent[1..] });
    octets.extend(mantissa.to_be_bytes().into_iter().skip_while(|octet| *octet == 0));
    Cow::Owned(octets)
}

/// Form NR3 as in X.690 clause 11.3.2: no zero at either end of the mantissa, `.E`, the exponent.
fn decimal_octets(text: &str) -> Cow<'static, [u8]> {
    let Some((negative, digits, first)) = decimal(text) else { return Cow::Borrowed(&[]) };
    let mut octets = vec![0x03];
    if digits.is_empty() {
        return Cow::Borrowed(&[]);
    }
    if negative {
        octets.push(b'-');
    }
    octets.extend_from_slice(&digits);
    let exponent = first - (digits.len() as i64 - 1);
    octets.extend_from_slice(if exponent == 0 { b".E+" } else { b".E" });
    octets.extend_from_slice(exponent.to_string().as_bytes());
    Cow::Owned(octets)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn canonical_numbers_are_those_that_are_written() {
        let mut text = String::new();
        for number in ["0.1", "-1200.50", "1e400", "7", "36028797018963969", "5e-324"] {
            let octets = write(Real::Decimal(number), true);
            assert!(is_canonical(&octets[1..]), "{number}");
            let Some(Real::Decimal(read)) = self::read(&octets, true, &mut text) else { panic!("{number}") };
            assert_eq!(decimal(read), decimal(number), "{number}");
        }
        for other in [
            "",
            "-",
            "0.E+0",
            "10.E0",
            "01.E0",
            "1.E",
            "1.E-",
            "1E0",
            "1.5E0",
            "1.E1234567890",
            "1.E+1",
            "x.E0",
            "1.E0",
            "1.E-0",
            "1.E+",
            "1.E+00",
            "1.E5-",
            "1.E--5",
            "--1.E5",
            "1-.E5",
            ".E5",
            "1.e5",
            "1.E5\0",
        ] {
            assert!(!is_canonical(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn octets_that_are_not_digits_are_found_eight_at_once() {
        for count in [0, 1, 7, 8, 9, 16, 24, 55, 64] {
            for at in 0..count {
                for byte in 0..=0xFF {
                    let mut octets = b"0123456789".repeat(7);
                    octets.truncate(count);
                    octets[at] = byte;
                    assert_eq!(no_digits(&octets), u64::from(!byte.is_ascii_digit()) << at);
                    if at > 0 {
                        octets[at - 1] = 0xFF;
                        let bits = 1 << (at - 1) | u64::from(!byte.is_ascii_digit()) << at;
                        assert_eq!(no_digits(&octets), bits);
                    }
                }
            }
        }
    }

    fn back(octets: &[u8]) -> Option<f64> {
        match read(octets, false, &mut String::new())? {
            Real::Double(double) => Some(double),
            Real::Decimal(_) => None,
        }
    }

    /// Octets worked out by X.690 clauses 8.5 and 11.3: sign, base and exponent, odd mantissa.
    #[test]
    fn doubles_have_one_encoding() {
        let cases: [(f64, &[u8]); 12] = [
            (0.0, &[]),
            (-0.0, &[0x43]),
            (1.0, &[0x80, 0x00, 0x01]),
            (-1.0, &[0xC0, 0x00, 0x01]),
            (10.0, &[0x80, 0x01, 0x05]),
            (0.5, &[0x80, 0xFF, 0x01]),
            (0.625, &[0x80, 0xFD, 0x05]),
            (f64::INFINITY, &[0x40]),
            (f64::NEG_INFINITY, &[0x41]),
            (f64::from_bits(1), &[0x81, 0xFB, 0xCE, 0x01]),
            (f64::MAX, &[0x81, 0x03, 0xCB, 0x1F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            (3.0 * 2f64.powi(-128), &[0x80, 0x80, 0x03]),
        ];
        for (double, octets) in cases {
            assert_eq!(&*write(Real::Double(double), false), octets, "{double}");
            assert_eq!(back(octets).unwrap().to_bits(), double.to_bits(), "{double}");
        }
        assert!(back(&write(Real::Double(f64::NAN), false)).unwrap().is_nan());
    }

    #[test]
    fn other_forms_that_are_read() {
        // Base 8: 5 * 8^2; base 16 with a factor of 2^3: 3 * 8 * 16^-1; an exponent with its length.
        assert_eq!(back(&[0x90, 0x02, 0x05]), Some(320.0));
        assert_eq!(back(&[0xAC, 0xFF, 0x03]), Some(1.5));
        assert_eq!(back(&[0x83, 0x01, 0x02, 0x03]), Some(12.0));
        assert_eq!(back(b"\x01  15"), Some(15.0));
        assert_eq!(back(b"\x02-1,5"), Some(-1.5));
        assert_eq!(back(b"\x0315.E-1"), Some(1.5));
        for bad in [&b"\x03"[..], b"\x01x", b"\x44", b"\x80", b"\x80\x00", b"\xB0\x00\x01", b"\x03inf", b"\x03NaN"] {
            assert_eq!(back(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn decimal_numbers_that_no_double_is_equal_to_stay_as_they_are() {
        assert_eq!(from_decimal("0.5"), Some(Real::Double(0.5)));
        assert_eq!(from_decimal("15E-1"), Some(Real::Double(1.5)));
        assert_eq!(from_decimal("0.1"), Some(Real::Decimal("0.1")));
        assert_eq!(
            from_decimal("123456789012345678901234567890"),
            Some(Real::Decimal("123456789012345678901234567890"))
        );
        assert_eq!(from_decimal("1e400"), Some(Real::Decimal("1e400")));
        assert_eq!(from_decimal("x"), None);
        assert_eq!(from_decimal("-0"), Some(Real::Double(-0.0)));
        assert_eq!(from_decimal("1e-400"), Some(Real::Decimal("1e-400")));
        assert_eq!(from_decimal("9007199254740993"), Some(Real::Decimal("9007199254740993")));
        assert_eq!(&*write(Real::Decimal("0.1"), false), b"\x031.E-1");
        assert_eq!(&*write(Real::Decimal("-1200.50"), false), b"\x03-12005.E-1");
        assert_eq!(&*write(Real::Decimal("1e400"), false), b"\x031.E400");
        assert_eq!(&*write(Real::Decimal("7e0"), false), b"\x037.E+0");
    }

    /// The standard library prints all digits of a double. With one digit changed or added, no double equals them.
    #[test]
    fn all_digits_of_a_double_are_the_double_and_others_are_not() {
        let mut bits = 0x9E37_79B9_7F4A_7C15u64;
        let edges = [1, 2, 0x000F_FFFF_FFFF_FFFF, 0x0010_0000_0000_0000, f64::MAX.to_bits(), 1e22f64.to_bits()];
        let numbers = (0..3000).map(|round| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match round % 4 {
                0 => bits ^ bits >> 29,
                1 => ((bits >> 40) as f64).to_bits(),
                2 => ((bits >> 50) as f64 * 2f64.powi((bits % 200) as i32 - 100)).to_bits(),
                _ => ((bits >> 44) as f64 * 1e9).to_bits(),
            }
        });
        for double in edges.into_iter().chain(numbers).map(f64::from_bits) {
            if !double.is_finite() || double == 0.0 {
                continue;
            }
            let digits = format!("{double:.1074e}");
            assert_eq!(from_decimal(&digits), Some(Real::Double(double)), "{digits}");
            assert_eq!(from_decimal(&format!("{double:.1074}")), Some(Real::Double(double)), "{digits}");
            let (mantissa, exponent) = digits.split_once('e').unwrap();
            let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
            let point = if mantissa.contains('.') { "" } else { "." };
            let more = format!("{mantissa}{point}{}1e{exponent}", "0".repeat(30));
            assert_eq!(from_decimal(&more), Some(Real::Decimal(&more)));
            if mantissa.len() > 17 {
                let mut other = mantissa.to_owned().into_bytes();
                other[9] = if other[9] == b'9' { b'8' } else { other[9] + 1 };
                let other = format!("{}e{exponent}", String::from_utf8(other).unwrap());
                assert!(from_decimal(&other) != Some(Real::Double(double)), "{other}");
            }
        }
    }

    #[test]
    fn binary_numbers_are_the_doubles_that_their_bits_say() {
        let mut bits = 0x9E37_79B9_7F4A_7C15u64;
        let mut found = 0;
        for _ in 0..test_support::rounds(20_000) {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (mantissa, exponent) = (bits >> (bits & 63), (bits >> 40) as i64 % 2300 - 1150);
            if mantissa == 0 || mantissa >= 1 << 53 {
                continue;
            }
            let double = (mantissa as f64).to_bits();
            if (1..=2046).contains(&((double >> 52) as i64 + exponent)) {
                found += 1;
                let expected = double.wrapping_add((exponent as u64) << 52);
                assert_eq!(from_binary(mantissa as i64, exponent as i32).map(f64::to_bits), Some(expected));
            }
        }
        assert!(found > test_support::rounds(10_000), "{found}");
        assert_eq!(from_binary(0, 0), Some(0.0));
        assert_eq!((from_binary(1, 1024), from_binary((1 << 53) - 1, 972)), (None, None));
        assert_eq!(from_binary((1 << 53) - 1, 971), Some(f64::MAX));
        assert_eq!(from_binary(1, -1022), Some(f64::MIN_POSITIVE));
    }

    #[test]
    fn every_kind_of_double_comes_back() {
        let mut bits = 0x9E37_79B9_7F4A_7C15u64;
        for _ in 0..test_support::rounds(20_000) {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let double = f64::from_bits(bits ^ bits >> 29);
            if !double.is_nan() {
                assert_eq!(back(&write(Real::Double(double), false)).unwrap().to_bits(), double.to_bits());
            }
        }
    }
}
