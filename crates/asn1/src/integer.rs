//! INTEGERs of any size, as octets in two's complement.

use std::cmp::Ordering;
use std::fmt;

use tam::Words;

use crate::event::Integer;
use crate::jer::number::push_integer;

/// A whole number of any size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// A number of 64 bits.
    Small(i64),
    /// Any other number: its octets in two's complement, highest first, as few as possible.
    Big(Box<[u8]>),
}

impl Number {
    /// The number with these octets in two's complement, highest first.
    #[must_use]
    pub fn from_octets(octets: &[u8]) -> Number {
        match of_octets(octets) {
            Integer::Small(number) => Number::Small(number),
            Integer::Big(octets) => Number::Big(octets.into()),
        }
    }

    /// Parses a decimal number: at most 20 000 digits, after a `-` if it is negative.
    ///
    /// ```
    /// use lengthwise_asn1::compiled::Number;
    ///
    /// let number = Number::from_digits("170141183460469231731687303715884105728").unwrap();
    /// assert!(number > Number::Small(i64::MAX));
    /// assert_eq!(Number::from_digits("-129"), Some(Number::Small(-129)));
    /// assert_eq!(Number::from_digits("1e3"), None);
    /// ```
    #[must_use]
    pub fn from_digits(digits: &str) -> Option<Number> {
        digits.parse().map(Number::Small).ok().or_else(|| Some(Number::from_octets(&integer_octets(digits)?)))
    }

    /// The number, borrowing its octets.
    #[inline]
    #[must_use]
    pub fn as_integer(&self) -> Integer<'_> {
        match self {
            Number::Small(number) => Integer::Small(*number),
            Number::Big(octets) => Integer::Big(octets),
        }
    }

    /// The sum of this number and another.
    #[must_use]
    pub fn plus(&self, other: i64) -> Number {
        if let Number::Small(number) = self
            && let Some(sum) = number.checked_add(other)
        {
            return Number::Small(sum);
        }
        Number::from_octets(&sum(self.as_integer(), Integer::Small(other)))
    }

    /// The nearest number of 64 bits.
    #[must_use]
    pub fn to_nearest_i64(&self) -> i64 {
        match self {
            Number::Small(number) => *number,
            Number::Big(octets) if is_negative(octets) => i64::MIN,
            Number::Big(_) => i64::MAX,
        }
    }
}

impl From<i128> for Number {
    fn from(number: i128) -> Number {
        Number::from_octets(&number.to_be_bytes())
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        compare(self.as_integer(), other.as_integer())
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Small(number) => number.fmt(f),
            Number::Big(octets) => {
                let mut text = String::new();
                push_integer(octets, &mut text);
                f.write_str(&text)
            }
        }
    }
}

/// A number for error messages; beyond 128 bits only its size class.
#[cold]
pub(crate) fn words(number: Integer<'_>) -> Words {
    match number.to_i128() {
        Some(number) => Words::Own(number.to_string()),
        None => "a number of more than 128 bits".into(),
    }
}

/// The order of two numbers.
#[inline]
pub(crate) fn compare(one: Integer<'_>, other: Integer<'_>) -> Ordering {
    match (one, other) {
        (Integer::Small(one), Integer::Small(other)) => one.cmp(&other),
        _ => with_octets(one, |one| with_octets(other, |other| compare_octets(one, other))),
    }
}

fn compare_octets(one: &[u8], other: &[u8]) -> Ordering {
    let (one, other) = (minimal_octets(one), minimal_octets(other));
    match (is_negative(one), is_negative(other)) {
        (false, false) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
        (true, true) => other.len().cmp(&one.len()).then_with(|| one.cmp(other)),
        (one, other) => other.cmp(&one),
    }
}

/// The octets of a sum, which may have a redundant one in front.
pub(crate) fn sum(one: Integer<'_>, other: Integer<'_>) -> Vec<u8> {
    with_octets(one, |one| with_octets(other, |other| add(one, other, false)))
}

/// The octets of a difference, in the same form.
pub(crate) fn difference(one: Integer<'_>, other: Integer<'_>) -> Vec<u8> {
    with_octets(one, |one| with_octets(other, |other| add(one, other, true)))
}

/// Adds numbers in two's complement, or subtracts the second by adding its inverted octets plus one.
fn add(one: &[u8], other: &[u8], subtract: bool) -> Vec<u8> {
    let sign = |octets: &[u8]| if is_negative(octets) { 0xFF } else { 0 };
    let (ones, others) = (std::iter::repeat(sign(one)), std::iter::repeat(sign(other)));
    let both = one.iter().rev().copied().chain(ones).zip(other.iter().rev().copied().chain(others));
    let (inverted, mut carry) = if subtract { (0xFF, 1) } else { (0, 0) };
    let mut sum = vec![0; one.len().max(other.len()) + 1];
    for (octet, (one, other)) in sum.iter_mut().rev().zip(both) {
        let two = u16::from(one) + u16::from(other ^ inverted) + carry;
        (*octet, carry) = (two as u8, two >> 8);
    }
    sum
}

/// An unsigned number without leading zero octets; at least one octet.
pub(crate) fn unsigned(octets: &[u8]) -> &[u8] {
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    octets.get(zeros.min(octets.len().saturating_sub(1))..).unwrap_or_default()
}

fn with_octets<T>(number: Integer<'_>, work: impl FnOnce(&[u8]) -> T) -> T {
    match number {
        Integer::Small(number) => work(&number.to_be_bytes()),
        Integer::Big(octets) => work(octets),
    }
}

fn is_negative(octets: &[u8]) -> bool {
    octets.first().is_some_and(|first| first & 0x80 != 0)
}

/// The octets in two's complement of a decimal number of any length.
pub(crate) fn integer_octets(digits: &str) -> Option<Vec<u8>> {
    if let Ok(number) = digits.parse::<i128>() {
        return Some(number.to_be_bytes().to_vec());
    }
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits),
    };
    // Long numbers are rare, and the time is quadratic, so their length is limited.
    if digits.is_empty() || digits.len() > 20_000 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let mut words: Vec<u32> = Vec::new();
    for part in digits.as_bytes().chunks(9) {
        let part = std::str::from_utf8(part).ok()?;
        let mut carry: u64 = part.parse().ok()?;
        let scale = 10u64.pow(part.len() as u32);
        for word in &mut words {
            carry += u64::from(*word) * scale;
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            words.push(carry as u32);
        }
    }
    let mut octets: Vec<u8> =
        std::iter::once(0).chain(words.iter().rev().flat_map(|word| word.to_be_bytes())).collect();
    if negative {
        let mut carry = true;
        for octet in octets.iter_mut().rev() {
            let (negated, over) = (!*octet).overflowing_add(u8::from(carry));
            (*octet, carry) = (negated, over);
        }
    }
    Some(octets)
}

/// The integer with these octets in two's complement.
#[inline]
pub(crate) fn of_octets(octets: &[u8]) -> Integer<'_> {
    let octets = minimal_octets(octets);
    if octets.len() > 8 {
        return Integer::Big(octets);
    }
    let start = if is_negative(octets) { -1 } else { 0 };
    Integer::Small(octets.iter().fold(start, |number, octet| number << 8 | i64::from(*octet)))
}

/// Octets in two's complement without redundant leading ones.
pub(crate) fn minimal_octets(octets: &[u8]) -> &[u8] {
    let mut octets = octets;
    while let [0, second, ..] | [0xFF, second, ..] = octets
        && (octets.first() == Some(&0xFF)) == (second & 0x80 != 0)
    {
        octets = octets.get(1..).unwrap_or_default();
    }
    octets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with 128-bit arithmetic, around every power of two.
    #[test]
    fn numbers_are_ordered_and_added_as_those_of_128_bits() {
        let powers = (0..126).map(|power| 1_i128 << power);
        let numbers: Vec<i128> = powers.flat_map(|power| [power - 1, power, -power, -power - 1]).collect();
        for one in &numbers {
            let number = Number::from(*one);
            assert_eq!(number.to_string(), one.to_string());
            assert_eq!(Number::from_digits(&one.to_string()), Some(number.clone()));
            assert_eq!(number.plus(1), Number::from(one + 1));
            assert_eq!(number.plus(-1), Number::from(one - 1));
            for other in &numbers {
                let with = Number::from(*other);
                assert_eq!(number.cmp(&with), one.cmp(other), "{one} {other}");
                let less = difference(number.as_integer(), with.as_integer());
                assert_eq!(Number::from_octets(&less), Number::from(one - other), "{one} {other}");
                let sum = sum(number.as_integer(), with.as_integer());
                assert_eq!(Number::from_octets(&sum), Number::from(one + other), "{one} {other}");
            }
        }
    }

    #[test]
    fn numbers_beyond_128_bits_are_ordered() {
        let digits =
            ["-340282366920938463463374607431768211457", "-170141183460469231731687303715884105729", "-1", "0"];
        let above = ["170141183460469231731687303715884105728", "340282366920938463463374607431768211456"];
        let numbers: Vec<Number> =
            digits.iter().chain(&above).map(|digits| Number::from_digits(digits).unwrap()).collect();
        assert!(numbers.is_sorted());
        assert_eq!(numbers[5].plus(-1).to_string(), "340282366920938463463374607431768211455");
    }
}
