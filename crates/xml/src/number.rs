//! Booleans and numbers as text (XML Schema Part 2 sections 3.2.2 to 3.2.5 and 3.3.13).
//!
//! Every function takes a text whose white space is collapsed.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::str::FromStr;

/// The value of a `boolean` (section 3.2.2.1).
#[must_use]
pub fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Whether a text is an `integer`: digits after an optional sign (section 3.3.13.1).
#[must_use]
#[inline]
pub fn is_integer(text: &str) -> bool {
    is_plain(text.as_bytes(), 0) || is_any_integer(text)
}

fn is_any_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits_of(digits) == digits.len()
}

/// The value of an `integer` as a Rust type, `None` if it does not fit. `-0` is valid for unsigned types too (sections
/// 3.3.21 to 3.3.24).
#[must_use]
pub fn integer<T: FromStr>(text: &str) -> Option<T> {
    let zero = || text.strip_prefix('-').filter(|digits| digits.bytes().all(|digit| digit == b'0'));
    text.parse().ok().or_else(|| zero()?.parse().ok())
}

/// An `integer` in its canonical form: no plus sign, no leading zeros (section 3.3.13.2).
#[must_use]
pub fn canonical_integer(text: &str) -> Cow<'_, str> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    match digits.trim_start_matches('0') {
        "" => "0".into(),
        bare if negative && bare.len() < digits.len() => format!("-{bare}").into(),
        _ if negative => text.into(),
        bare => bare.into(),
    }
}

/// The value of a `decimal`: digits of any number (section 3.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal<'t> {
    /// Whether it is negative.
    pub negative: bool,
    /// The digits before the point, without leading zeros.
    pub whole: &'t str,
    /// The digits after the point, without trailing zeros.
    pub fraction: &'t str,
}

impl<'t> Decimal<'t> {
    /// Parses a decimal number.
    #[must_use]
    pub fn parse(text: &'t str) -> Option<Decimal<'t>> {
        let (negative, digits) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let point = digits_of(digits);
        let (whole, fraction) = match digits.as_bytes().get(point) {
            Some(b'.') => (&digits[..point], &digits[point + 1..]),
            Some(_) => return None,
            None => (digits, ""),
        };
        if whole.len() + fraction.len() == 0 || digits_of(fraction) < fraction.len() {
            return None;
        }
        let (mut first, mut last) = (0, fraction.len());
        while whole.as_bytes().get(first) == Some(&b'0') {
            first += 1;
        }
        while last > 0 && fraction.as_bytes().get(last - 1) == Some(&b'0') {
            last -= 1;
        }
        let (whole, fraction) = (&whole[first..], &fraction[..last]);
        Some(Decimal { negative: negative && !(whole.is_empty() && fraction.is_empty()), whole, fraction })
    }

    /// The number of digits, without zeros at the ends: what the facet totalDigits limits (section 4.3.11).
    #[must_use]
    pub fn total_digits(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Decimal<'_>) -> Ordering {
        let size = |a: &Decimal<'_>, b: &Decimal<'_>| {
            let whole = a.whole.len().cmp(&b.whole.len()).then_with(|| a.whole.cmp(b.whole));
            // Digits after the point compare like texts.
            whole.then_with(|| a.fraction.cmp(b.fraction))
        };
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => size(self, other),
            (true, true) => size(other, self),
        }
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Decimal<'_>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The number of digits at the start of a text.
#[inline]
fn digits_of(text: &str) -> usize {
    let (eights, rest) = text.as_bytes().as_chunks();
    for (eight, at) in eights.iter().zip((0..).step_by(8)) {
        let number = u64::from_le_bytes(*eight) ^ 0x3030_3030_3030_3030;
        // The sum sets the highest bit of a byte above 9, or the byte had it before. A carry only reaches later bytes.
        let others = (number | number.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
    }
    text.len() - rest.len() + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Whether a text is a `float` or a `double` (sections 3.2.4.1 and 3.2.5.1): a decimal number, optionally with an
/// exponent, or `INF`, `-INF`, `NaN`. `+INF` is invalid.
#[must_use]
#[inline]
pub fn is_double(text: &str) -> bool {
    is_plain(text.as_bytes(), 1) || is_any_double(text)
}

/// Whether a text consists of digits and at most `points` points, as most numbers do.
#[inline]
fn is_plain(text: &[u8], points: usize) -> bool {
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

fn is_any_double(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, rest) = unsigned.split_at(digits_of(unsigned));
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(digits_of(rest)),
        None => ("", rest),
    };
    let is_exponent = || rest.strip_prefix(['e', 'E']).is_some_and(is_integer);
    whole.len() + fraction.len() > 0 && (rest.is_empty() || is_exponent()) || special_of(text).is_some()
}

/// The value of a `double`.
#[must_use]
pub fn double(text: &str) -> Option<f64> {
    if is_like_double(text) { text.parse().ok() } else { special_of(text) }
}

/// The value of a `float`. It is not parsed as a double first, which would round twice.
#[must_use]
pub fn float(text: &str) -> Option<f32> {
    if is_like_double(text) { text.parse().ok() } else { special_of(text).map(|special| special as f32) }
}

/// Whether a text has only characters of numbers. For these, Rust accepts what XML Schema allows.
fn is_like_double(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'))
}

fn special_of(text: &str) -> Option<f64> {
    match text {
        "INF" => Some(f64::INFINITY),
        "-INF" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        _ => None,
    }
}

/// XML Schema's name of an infinity or NaN, `None` for numbers.
#[must_use]
pub fn special(value: f64) -> Option<&'static str> {
    match value {
        f64::INFINITY => Some("INF"),
        f64::NEG_INFINITY => Some("-INF"),
        value if value.is_nan() => Some("NaN"),
        _ => None,
    }
}

/// The order of two floats or doubles: NaN equals itself and has no order with numbers (section 3.2.5).
#[must_use]
pub fn compare_doubles(one: f64, other: f64) -> Option<Ordering> {
    if one.is_nan() && other.is_nan() { Some(Ordering::Equal) } else { one.partial_cmp(&other) }
}
