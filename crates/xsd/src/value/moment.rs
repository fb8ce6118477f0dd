//! Dates and times (Part 2 sections 3.2.7 to 3.2.14).

use std::cmp::Ordering;

use smallvec::SmallVec;

use crate::components::Builtin;

/// Digits behind the point of the seconds, without zeros at the end.
pub(crate) type Fraction = SmallVec<[u8; 12]>;

/// A moment, or one that comes again: what is not said of it is that of 1972-12-31T00:00:00, where a day
/// of a month must be there in every year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Seconds from the first of January of the year 0, in UTC where there is a zone.
    pub(crate) seconds: i128,
    pub(crate) fraction: Fraction,
    /// Whether there is a time zone.
    pub(crate) zoned: bool,
}

/// The widest that time zones are from UTC, in seconds.
const WIDEST: i128 = 14 * 3600;

pub(crate) fn fraction(digits: &[u8]) -> Fraction {
    let zeros = digits.iter().rev().take_while(|digit| **digit == b'0').count();
    Fraction::from_slice(digits.get(..digits.len() - zeros).unwrap_or_default())
}

/// Days from the first of January of the year 0 to the first of a month, in the proleptic Gregorian
/// calendar.
pub(crate) fn days_before(year: i64, month: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let last = year - 1;
    let leaps = last.div_euclid(4) - last.div_euclid(100) + last.div_euclid(400);
    // The year 0 is a leap year, which the years before the first are reckoned without.
    let leap_day = i64::from(month > 2 && is_leap(year));
    year * 365 + leaps + 1 + BEFORE[(month - 1) as usize] + leap_day
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: Option<i64>, month: i64) -> i64 {
    match month {
        2 if year.is_none_or(is_leap) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Moment {
    /// The moment of a text of one of the eight types.
    pub(crate) fn parse(ty: Builtin, text: &str) -> Option<Moment> {
        let Told { year, month, day, seconds, fraction, zone } = Told::parse(ty, text)?;
        let year = year.unwrap_or(1972);
        // A month or year alone begins with its first day.
        let day = if matches!(ty, Builtin::GYearMonth | Builtin::GYear | Builtin::GMonth) { 1 } else { day };
        let month = if ty == Builtin::GYear { 1 } else { month };
        let days = i128::from(days_before(year, month)) + i128::from(day - 1);
        let seconds = days * 86_400 + i128::from(seconds) - i128::from(zone.unwrap_or(0)) * 60;
        Some(Moment { seconds, fraction: self::fraction(fraction), zoned: zone.is_some() })
    }

    /// Whether a text is one of a moment.
    pub(crate) fn is_one(ty: Builtin, text: &str) -> bool {
        // ISO 8601 has what most texts are as XML Schema has it.
        let is_plain = match ty {
            Builtin::DateTime => asn1::is_plain_time(text, true, true),
            Builtin::Date => asn1::is_plain_time(text, true, false),
            Builtin::Time => asn1::is_plain_time(text, false, true),
            _ => false,
        };
        is_plain || Told::parse(ty, text).is_some()
    }

    /// How it stands to another; `None` where that depends on the zone of one that has none.
    pub(crate) fn compare(&self, other: &Moment) -> Option<Ordering> {
        let order = |a: &Moment, b: &Moment, shift: i128| {
            a.seconds.cmp(&(b.seconds + shift)).then_with(|| a.fraction.cmp(&b.fraction))
        };
        if self.zoned == other.zoned {
            return Some(order(self, other, 0));
        }
        match (order(self, other, -WIDEST), order(self, other, WIDEST)) {
            (Ordering::Less, _) => Some(Ordering::Less),
            (_, Ordering::Greater) => Some(Ordering::Greater),
            _ => None,
        }
    }
}

/// What a text says of a moment.
struct Told<'t> {
    year: Option<i64>,
    month: i64,
    day: i64,
    /// Of the day.
    seconds: i64,
    /// Digits behind their point.
    fraction: &'t [u8],
    /// In minutes.
    zone: Option<i64>,
}

impl Told<'_> {
    fn parse(ty: Builtin, text: &str) -> Option<Told<'_>> {
        let mut rest = Rest(text.as_bytes());
        let mut told = Told { year: None, month: 12, day: 31, seconds: 0, fraction: b"", zone: None };
        if matches!(ty, Builtin::DateTime | Builtin::Date | Builtin::GYearMonth | Builtin::GYear) {
            told.year = Some(rest.year()?);
        } else if ty != Builtin::Time {
            rest.take(b'-')?;
        }
        let has_month = !matches!(ty, Builtin::GYear | Builtin::Time | Builtin::GDay);
        if has_month {
            rest.take(b'-')?;
            told.month = rest.two(1, 12)?;
        } else if ty == Builtin::GDay {
            rest.take(b'-')?;
        }
        if matches!(ty, Builtin::DateTime | Builtin::Date | Builtin::GMonthDay | Builtin::GDay) {
            rest.take(b'-')?;
            told.day = rest.two(1, 31)?;
            if has_month && told.day > 28 && told.day > days_in(told.year, told.month) {
                return None;
            }
        }
        if ty == Builtin::DateTime {
            rest.take(b'T')?;
        }
        if matches!(ty, Builtin::DateTime | Builtin::Time) {
            (told.seconds, told.fraction) = rest.time()?;
        }
        told.zone = rest.zone()?;
        rest.0.is_empty().then_some(told)
    }
}

/// What has not been read yet.
struct Rest<'t>(&'t [u8]);

impl<'t> Rest<'t> {
    fn take(&mut self, sign: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[sign])?;
        Some(())
    }

    /// How many digits come next.
    fn digits(&self) -> usize {
        self.0.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    /// A year: four digits or more, then without a zero in front; there is no year 0. The year before
    /// the first is 0 to reckon with.
    fn year(&mut self) -> Option<i64> {
        let negative = self.take(b'-').is_some();
        let digits = self.digits();
        if !(4..=15).contains(&digits) || digits > 4 && self.0.first() == Some(&b'0') {
            return None;
        }
        let (digits, rest) = self.0.split_at_checked(digits)?;
        let year = digits.iter().fold(0, |year, digit| year * 10 + i64::from(digit - b'0'));
        self.0 = rest;
        match year {
            0 => None,
            year if negative => Some(1 - year),
            year => Some(year),
        }
    }

    // Six of them in a moment: a call takes less code than each in its place.
    #[inline(never)]
    fn two(&mut self, least: i64, most: i64) -> Option<i64> {
        let [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] = self.0 else { return None };
        let number = i64::from(tens - b'0') * 10 + i64::from(ones - b'0');
        self.0 = rest;
        (least..=most).contains(&number).then_some(number)
    }

    /// `hh:mm:ss.s`; the end of a day is 24:00:00.
    fn time(&mut self) -> Option<(i64, &'t [u8])> {
        let hour = self.two(0, 24)?;
        self.take(b':')?;
        let minute = self.two(0, 59)?;
        self.take(b':')?;
        let second = self.two(0, 59)?;
        let mut part = &b""[..];
        if self.take(b'.').is_some() {
            let digits = self.digits();
            if digits == 0 {
                return None;
            }
            (part, self.0) = self.0.split_at_checked(digits)?;
        }
        let is_day = hour < 24 || minute == 0 && second == 0 && part.iter().all(|digit| *digit == b'0');
        is_day.then_some((hour * 3600 + minute * 60 + second, part))
    }

    /// The zone at the end, in minutes; `Some(None)` where there is none.
    fn zone(&mut self) -> Option<Option<i64>> {
        if self.0.is_empty() {
            return Some(None);
        }
        if self.take(b'Z').is_some() {
            return Some(Some(0));
        }
        let sign = if self.take(b'-').is_some() { -1 } else { self.take(b'+').map(|()| 1)? };
        let hours = self.two(0, 14)?;
        self.take(b':')?;
        let minutes = self.two(0, if hours == 14 { 0 } else { 59 })?;
        Some(Some(sign * (hours * 60 + minutes)))
    }
}
