//! Durations (section 3.2.6).

use std::cmp::Ordering;

use super::gregorian::Date;
use super::instant::trim_zeros;

/// The parts of a `duration`: numbers of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duration<'t> {
    /// Whether there is a minus sign.
    pub negative: bool,
    /// The digits of years, months, days, hours, minutes and seconds.
    pub parts: [Option<&'t str>; 6],
    /// The digits after the point of the seconds, without trailing zeros.
    pub fraction: &'t str,
}

impl Duration<'_> {
    /// The parts of a text, `None` if it is not a duration: `PnYnMnDTnHnMnS`, optionally after a minus sign, where zero
    /// parts may be left out (section 3.2.6.1). White space must be collapsed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Duration<'_>> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut rest = rest.strip_prefix('P')?;
        let mut duration = Duration { negative, parts: [None; 6], fraction: "" };
        // The next possible part, the first part of this half, and the designators of this half.
        let (mut next, mut first, mut designators) = (0, 0, "YMD");
        while !rest.is_empty() {
            if first == 0
                && let Some(time) = rest.strip_prefix('T')
            {
                (next, first, designators, rest) = (3, 3, "HMS", time);
            }
            let (digits, after) = split_digits(rest);
            let (fraction, after) = match after.strip_prefix('.').map(split_digits) {
                Some((fraction, after)) => (Some(fraction), after),
                None => (None, after),
            };
            let designator = after.chars().next()?;
            let place = first + designators.find(designator)?;
            let fraction_fits = fraction.is_none_or(|fraction| !fraction.is_empty() && designator == 'S');
            if digits.is_empty() || place < next || !fraction_fits {
                return None;
            }
            duration.parts[place] = Some(digits);
            duration.fraction = trim_zeros(fraction.unwrap_or_default());
            (next, rest) = (place + 1, &after[1..]);
        }
        (next > 0).then_some(duration)
    }

    /// The form in which durations are compared; `None` if a number is above 10^15 or the seconds overflow, which is a
    /// limit of this implementation.
    #[must_use]
    pub fn amount(&self) -> Option<Amount> {
        const MOST: u64 = 1_000_000_000_000_000;
        let number = |part: Option<&str>| part.unwrap_or("0").parse().ok().filter(|number: &u64| *number <= MOST);
        let sum = |parts: &[Option<&str>], units: &[u64]| {
            parts.iter().zip(units).try_fold(0_u64, |sum, (part, unit)| {
                number(*part)?.checked_mul(*unit).and_then(|seconds| sum.checked_add(seconds))
            })
        };
        let months = sum(&self.parts[..2], &[12, 1])?;
        let seconds = sum(&self.parts[2..], &[86_400, 3600, 60, 1])?;
        let is_zero = months == 0 && seconds == 0 && self.fraction.is_empty();
        Some(Amount { negative: self.negative && !is_zero, months, seconds, fraction: self.fraction.into() })
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// A number of months and a number of seconds: neither is a fixed number of the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Amount {
    /// Whether it is negative.
    pub negative: bool,
    /// Years and months, in months.
    pub months: u64,
    /// Days to seconds, in seconds.
    pub seconds: u64,
    /// The digits of a fraction of a second, without trailing zeros.
    pub fraction: Box<str>,
}

/// The common order of the sums with four dateTimes, if it is the same for all (section 3.2.6.2).
impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Amount) -> Option<Ordering> {
        const STARTS: [(i64, u8); 4] = [(1696, 9), (1697, 2), (1903, 3), (1903, 7)];
        let mut orders = STARTS.iter().map(|start| {
            let whole = self.after(*start).cmp(&other.after(*start));
            whole.then_with(|| self.compare_fractions(other))
        });
        let first = orders.next()?;
        orders.all(|order| order == first).then_some(first)
    }
}

impl Amount {
    /// The second reached from the first of a month.
    fn after(&self, (year, month): (i64, u8)) -> i128 {
        let sign: i128 = if self.negative { -1 } else { 1 };
        let months = i128::from(year) * 12 + i128::from(month - 1) + sign * i128::from(self.months);
        let (year, month) = (months.div_euclid(12) as i64, months.rem_euclid(12) as u8 + 1);
        i128::from(Date { year, month, day: 1 }.day_number()) * 86_400 + sign * i128::from(self.seconds)
    }

    /// The order of the fractions of a second that are added or taken away.
    fn compare_fractions(&self, other: &Amount) -> Ordering {
        let is_below = |one: &Amount| one.negative && !one.fraction.is_empty();
        match (is_below(self), is_below(other)) {
            (false, false) => self.fraction.cmp(&other.fraction),
            (true, true) => other.fraction.cmp(&self.fraction),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}
