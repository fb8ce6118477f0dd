//! Dates, times of day and parts of dates as text (sections 3.2.7 to 3.2.14).

use super::digits::{clock_digits, date_digits};
use super::gregorian::{Date, days_in_month};
use super::instant::{Instant, trim_zeros};

/// The eight types of dates and times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums)] // The Recommendation has no others.
pub enum TimeKind {
    /// `dateTime`: `2004-04-12T13:20:00`.
    DateTime,
    /// `time`: `13:20:00`.
    Time,
    /// `date`: `2004-04-12`.
    Date,
    /// `gYearMonth`: `2004-04`.
    GYearMonth,
    /// `gYear`: `2004`.
    GYear,
    /// `gMonthDay`: `--04-12`.
    GMonthDay,
    /// `gDay`: `---12`.
    GDay,
    /// `gMonth`: `--04`.
    GMonth,
}

impl TimeKind {
    /// All of them.
    pub const ALL: [TimeKind; 8] = [
        TimeKind::DateTime,
        TimeKind::Time,
        TimeKind::Date,
        TimeKind::GYearMonth,
        TimeKind::GYear,
        TimeKind::GMonthDay,
        TimeKind::GDay,
        TimeKind::GMonth,
    ];

    fn has_year(self) -> bool {
        matches!(self, TimeKind::DateTime | TimeKind::Date | TimeKind::GYearMonth | TimeKind::GYear)
    }

    fn has_month(self) -> bool {
        !matches!(self, TimeKind::Time | TimeKind::GYear | TimeKind::GDay)
    }

    fn has_day(self) -> bool {
        matches!(self, TimeKind::DateTime | TimeKind::Date | TimeKind::GMonthDay | TimeKind::GDay)
    }

    fn has_clock(self) -> bool {
        matches!(self, TimeKind::DateTime | TimeKind::Time)
    }
}

/// The parts of a date, a time of day, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Time<'t> {
    /// The year.
    pub year: Option<Year<'t>>,
    /// The month, from 1.
    pub month: Option<u8>,
    /// The day of the month, from 1.
    pub day: Option<u8>,
    /// The time of day.
    pub clock: Option<Clock<'t>>,
    /// How many minutes local time is ahead of UTC, up to 14 hours; `None` without a time zone.
    pub zone: Option<i16>,
}

/// A year by its digits, of any number. There is no year 0000 (section 3.2.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Year<'t> {
    negative: bool,
    digits: &'t str,
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clock<'t> {
    /// 0 to 24. At 24 the other fields are zero, and the day ends.
    pub hours: u8,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
    /// The digits after the point of the seconds, without trailing zeros.
    pub fraction: &'t str,
}

impl Year<'_> {
    /// The most digits of a year as a number.
    const MOST_DIGITS: usize = 15;

    /// The year as in ISO 8601: -0001, the year before 0001, is 0. `None` for more than 15 digits, a limit that section
    /// 3.2.7 leaves to processors.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        if self.digits.len() > Year::MOST_DIGITS {
            return None;
        }
        let year = self.digits.bytes().fold(0, |year, digit| year * 10 + i64::from(digit - b'0'));
        Some(if self.negative { 1 - year } else { year })
    }

    /// A year with the same calendar, which repeats every 10 000 years.
    fn alike(&self) -> i64 {
        let digits = self.digits.as_bytes();
        let last = digits.get(digits.len().saturating_sub(4)..).unwrap_or_default();
        let year = last.iter().fold(0, |year, digit| year * 10 + i64::from(digit - b'0'));
        if self.negative { 1 - year } else { year }
    }
}

impl Time<'_> {
    /// The parts of a text, `None` if it is not a value of the type. White space must be collapsed.
    #[must_use]
    pub fn parse(kind: TimeKind, text: &str) -> Option<Time<'_>> {
        let mut rest = Input(text);
        let mut time = Time { year: None, month: None, day: None, clock: None, zone: None };
        if !(kind.has_year() && kind.has_day() && rest.plain_date(&mut time)) {
            rest.date(kind, &mut time)?;
        }
        if let Some(day @ 29..) = time.day
            && let Some(month) = time.month
            // A recurring day is valid if it exists in some year.
            && day > days_in_month(time.year.map_or(0, |year| year.alike()), month)
        {
            return None;
        }
        if kind.has_clock() {
            if kind.has_year() {
                rest.take(b'T')?;
            }
            time.clock = Some(rest.clock()?);
        }
        time.zone = rest.zone()?;
        rest.0.is_empty().then_some(time)
    }

    /// Whether a text is a `dateTime`. Gives the same answer as [`parse`](Time::parse), without the parts.
    #[must_use]
    #[inline]
    pub fn is_date_time(text: &str) -> bool {
        is_plain_date_time(text.as_bytes()) || Time::parse(TimeKind::DateTime, text).is_some()
    }

    /// The form in which values are compared; `None` if the year has more than 15 digits.
    ///
    /// Missing parts are those of 1972-12-31, or the start of the year or month (section 3.2.7.4).
    #[must_use]
    pub fn instant(&self) -> Option<Instant> {
        const DAY: i64 = 86_400;
        let year = self.year.map_or(Some(1972), |year| year.number())?;
        let (month, day) = match (self.month, self.day) {
            (Some(month), Some(day)) => (month, day),
            (Some(month), None) => (month, 1),
            (None, Some(day)) => (12, day),
            (None, None) if self.year.is_some() => (1, 1),
            (None, None) => (12, 31),
        };
        let (seconds, fraction) = self.clock.map_or((0, ""), |clock| {
            let [hours, minutes, seconds] = [clock.hours, clock.minutes, clock.seconds].map(i64::from);
            (hours * 3600 + minutes * 60 + seconds, clock.fraction)
        });
        // Midnight is one time of day, however it is written (section 3.2.8.2).
        let seconds = if self.day.is_none() { seconds % DAY } else { seconds };
        let seconds = seconds - i64::from(self.zone.unwrap_or(0)) * 60;
        let seconds = i128::from(Date { year, month, day }.day_number()) * i128::from(DAY) + i128::from(seconds);
        Some(Instant { seconds, fraction: fraction.into(), zoned: self.zone.is_some() })
    }
}

/// Whether a text is a `dateTime` in the most frequent form: `2004-07-20T13:20:00` on a day that every month has,
/// optionally with a fraction and a zone of whole hours.
#[inline]
fn is_plain_date_time(text: &[u8]) -> bool {
    let Some((date, [b'T', rest @ ..])) = text.split_first_chunk() else { return false };
    let Some((clock, rest)) = rest.split_first_chunk() else { return false };
    let (Some((year, month, day)), Some([hours, minutes, seconds])) = (date_digits(date), clock_digits(clock)) else {
        return false;
    };
    let zone = match rest {
        [b'.', b'0'..=b'9', rest @ ..] => &rest[rest.iter().take_while(|byte| byte.is_ascii_digit()).count()..],
        rest => rest,
    };
    let is_zone = matches!(
        zone,
        [] | [b'Z']
            | [b'+' | b'-', b'0', b'0'..=b'9', b':', b'0', b'0']
            | [b'+' | b'-', b'1', b'0'..=b'4', b':', b'0', b'0']
    );
    is_zone
        && year > 0
        && matches!(month, 1..=12)
        && matches!(day, 1..=28)
        && hours < 24
        && minutes < 60
        && seconds < 60
}

/// The part that has not been read yet.
struct Input<'t>(&'t str);

impl<'t> Input<'t> {
    /// Reads a date with a positive year of four digits. On `false`, nothing is consumed.
    #[inline]
    fn plain_date(&mut self, time: &mut Time<'t>) -> bool {
        let Some((year, month, day)) = self.0.as_bytes().first_chunk().and_then(date_digits) else { return false };
        if year == 0 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return false;
        }
        let (date, rest) = self.0.split_at(10);
        time.year = Some(Year { negative: false, digits: &date[..4] });
        (time.month, time.day, self.0) = (Some(month), Some(day), rest);
        true
    }

    /// Reads a date of the given kind.
    fn date(&mut self, kind: TimeKind, time: &mut Time<'t>) -> Option<()> {
        if kind.has_year() {
            time.year = Some(self.year()?);
        } else if kind != TimeKind::Time {
            self.take(b'-')?;
        }
        if kind.has_month() {
            self.take(b'-')?;
            time.month = Some(self.two(1, 12)?);
        } else if kind == TimeKind::GDay {
            self.take(b'-')?;
        }
        if kind.has_day() {
            self.take(b'-')?;
            time.day = Some(self.two(1, 31)?);
        }
        Some(())
    }

    fn take(&mut self, sign: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(char::from(sign))?;
        Some(())
    }

    /// Reads the next digits.
    fn digits(&mut self) -> &'t str {
        let count = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        digits
    }

    /// Reads four digits, or more without leading zeros; not 0000.
    fn year(&mut self) -> Option<Year<'t>> {
        let negative = self.take(b'-').is_some();
        let digits = self.digits();
        let fits = match digits.len() {
            0..4 => false,
            4 => digits != "0000",
            _ => !digits.starts_with('0'),
        };
        fits.then_some(Year { negative, digits })
    }

    fn two(&mut self, least: u8, most: u8) -> Option<u8> {
        let [tens @ b'0'..=b'9', ones @ b'0'..=b'9', ..] = self.0.as_bytes() else { return None };
        let number = (tens - b'0') * 10 + (ones - b'0');
        self.0 = &self.0[2..];
        (least..=most).contains(&number).then_some(number)
    }

    /// Reads `hh:mm:ss.s`; a day ends at 24:00:00.
    fn clock(&mut self) -> Option<Clock<'t>> {
        let [hours, minutes, seconds] = clock_digits(self.0.as_bytes().first_chunk()?)?;
        self.0 = &self.0[8..];
        let mut fraction = "";
        if self.take(b'.').is_some() {
            let digits = self.digits();
            if digits.is_empty() {
                return None;
            }
            fraction = trim_zeros(digits);
        }
        let is_time = match hours {
            0..24 => minutes < 60 && seconds < 60,
            24 => minutes == 0 && seconds == 0 && fraction.is_empty(),
            _ => false,
        };
        is_time.then_some(Clock { hours, minutes, seconds, fraction })
    }

    /// Reads the time zone at the end in minutes (section 3.2.7.3); `Some(None)` if there is none.
    fn zone(&mut self) -> Option<Option<i16>> {
        let negative = match self.0.as_bytes().first() {
            None => return Some(None),
            Some(b'Z') => {
                self.0 = &self.0[1..];
                return Some(Some(0));
            }
            Some(sign @ (b'+' | b'-')) => *sign == b'-',
            Some(_) => return None,
        };
        self.0 = &self.0[1..];
        let hours = i16::from(self.two(0, 14)?);
        self.take(b':')?;
        let minutes = i16::from(self.two(0, if hours == 14 { 0 } else { 59 })?);
        let ahead = hours * 60 + minutes;
        Some(Some(if negative { -ahead } else { ahead }))
    }
}
