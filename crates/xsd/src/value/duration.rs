//! Durations (Part 2 section 3.2.6).

use std::cmp::Ordering;

use super::moment::{Fraction, days_before, fraction};

/// Months and seconds, which have no fixed measure in each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Duration {
    pub(crate) negative: bool,
    pub(crate) months: u64,
    pub(crate) seconds: u64,
    pub(crate) fraction: Fraction,
}

/// Numbers beyond are no duration anybody means; a million million years.
const MOST: u64 = 1_000_000_000_000_000;

impl Duration {
    /// The duration of a text: `PnYnMnDTnHnMnS`, with a minus in front.
    pub(crate) fn parse(text: &str) -> Option<Duration> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut rest = rest.strip_prefix('P')?;
        let mut duration = Duration { negative, months: 0, seconds: 0, fraction: Fraction::new() };
        // Designators must come in this order: date first, time behind the T.
        let mut allowed: &[(char, u64, bool)] = &[('Y', 12, true), ('M', 1, true), ('D', 86_400, false)];
        let (mut timed, mut some) = (false, false);
        while !rest.is_empty() {
            if let Some(time) = rest.strip_prefix('T') {
                if timed || time.is_empty() {
                    return None;
                }
                (timed, rest) = (true, time);
                allowed = &[('H', 3600, false), ('M', 60, false), ('S', 1, false)];
                continue;
            }
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number: u64 = rest[..digits].parse().ok().filter(|number| *number <= MOST)?;
            rest = &rest[digits..];
            if let Some(more) = rest.strip_prefix('.') {
                let digits = more.bytes().take_while(u8::is_ascii_digit).count();
                if digits == 0 || !more[digits..].starts_with('S') {
                    return None;
                }
                duration.fraction = fraction(&more.as_bytes()[..digits]);
                rest = &more[digits..];
            }
            let designator = rest.chars().next()?;
            let place = allowed.iter().position(|(other, ..)| *other == designator)?;
            let (_, unit, of_months) = allowed[place];
            let total = if of_months { &mut duration.months } else { &mut duration.seconds };
            *total = number.checked_mul(unit).and_then(|part| total.checked_add(part))?;
            (allowed, rest, some) = (&allowed[place + 1..], &rest[designator.len_utf8()..], true);
        }
        if duration.months == 0 && duration.seconds == 0 && duration.fraction.is_empty() {
            duration.negative = false;
        }
        some.then_some(duration)
    }

    /// How it stands to another: as the four moments of section 3.2.6.2 do that they are added to, if
    /// all agree.
    pub(crate) fn compare(&self, other: &Duration) -> Option<Ordering> {
        const STARTS: [(i64, i64); 4] = [(1696, 9), (1697, 2), (1903, 3), (1903, 7)];
        let mut orders = STARTS.iter().map(|start| self.from(*start).cmp(&other.from(*start)));
        let first = orders.next()?;
        orders.all(|order| order == first).then_some(first)
    }

    /// The moment it leads to from the first of a month, in whole seconds and the fraction.
    fn from(&self, (year, month): (i64, i64)) -> (i128, Part) {
        let sign: i128 = if self.negative { -1 } else { 1 };
        let months = i128::from(year) * 12 + i128::from(month - 1) + sign * i128::from(self.months);
        let days = days_before(months.div_euclid(12) as i64, months.rem_euclid(12) as i64 + 1);
        let seconds = i128::from(days) * 86_400 + sign * i128::from(self.seconds);
        (seconds, Part { negative: self.negative, digits: self.fraction.clone() })
    }
}

/// A part of a second that is added or taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    negative: bool,
    digits: Fraction,
}

impl Ord for Part {
    fn cmp(&self, other: &Part) -> Ordering {
        let is_below = |one: &Part| one.negative && !one.digits.is_empty();
        match (is_below(self), is_below(other)) {
            (false, false) => self.digits.cmp(&other.digits),
            (true, true) => other.digits.cmp(&self.digits),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Part) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
