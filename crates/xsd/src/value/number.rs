//! Numbers as text (Part 2 sections 3.2.3 to 3.2.5).

use std::cmp::Ordering;

/// A decimal number by its digits, of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal<'t> {
    /// Whether it is below zero; zero is not.
    pub(crate) negative: bool,
    /// Digits before the point, without zeros in front.
    pub(crate) whole: &'t str,
    /// Digits behind it, without zeros at the end.
    pub(crate) fraction: &'t str,
}

impl<'t> Decimal<'t> {
    /// The number of a text, `None` if it is none.
    pub(crate) fn parse(text: &'t str) -> Option<Decimal<'t>> {
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

    /// How it stands to another.
    pub(crate) fn compare(&self, other: &Decimal<'_>) -> Ordering {
        let size = |a: &Decimal<'_>, b: &Decimal<'_>| {
            let whole = a.whole.len().cmp(&b.whole.len()).then_with(|| a.whole.cmp(b.whole));
            // Digits behind the point stand to each other as texts do.
            whole.then_with(|| a.fraction.cmp(b.fraction))
        };
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => size(self, other),
            (true, true) => size(other, self),
        }
    }

    /// All its digits but zeros at the ends of the number.
    pub(crate) fn total_digits(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }
}

/// How many digits a text begins with.
#[inline]
fn digits_of(text: &str) -> usize {
    let (eights, rest) = text.as_bytes().as_chunks();
    for (eight, at) in eights.iter().zip((0..).step_by(8)) {
        let number = u64::from_le_bytes(*eight) ^ 0x3030_3030_3030_3030;
        // A byte above 9 has its highest bit then, or had it before; what is carried over goes to those behind it.
        let others = (number | number.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
    }
    text.len() - rest.len() + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The text of a `float` or `double` as Rust reads it, `None` if it is none.
pub(crate) fn float(text: &str) -> Option<&str> {
    match text {
        "INF" | "-INF" | "NaN" => return Some(text),
        _ => {}
    }
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    Decimal::parse(mantissa)?;
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
    }
    Some(text)
}

/// How two numbers stand to each other; NaN is itself and nothing else.
pub(crate) fn compare(a: f64, b: f64) -> Option<Ordering> {
    if a.is_nan() && b.is_nan() { Some(Ordering::Equal) } else { a.partial_cmp(&b) }
}
