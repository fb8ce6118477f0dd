//! Times of ISO 8601: the values of TIME and the types derived from it (X.680 clause 38).
//!
//! The store holds a value as text: `2025-03-01T06:00:00+01:00`. [`Time`] is the parsed form, made from text by
//! [`read`](read::read) and from bits by PER.

mod order;
mod plain;
mod print;
mod read;
mod settings;

pub(crate) use plain::{Plain, PlainKind};
pub(crate) use print::{compact, spread};
pub(crate) use read::read;
pub(crate) use settings::{Settings, YearSetting};

use xml::calendar::{days_in_month, is_leap, weeks_in_year};

/// The most digits of a number: of a year, a fraction, a part of a duration, a recurrence.
pub(crate) const DIGITS: u32 = 18;

/// The least number that has more digits.
pub(crate) const BEYOND: u64 = 1_000_000_000_000_000_000;

/// A value of TIME.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    /// A date, a time of day, or both.
    Point(Point),
    /// An interval.
    Interval(Interval),
    /// A recurring interval with the number of recurrences; `None` means without end.
    Recurring(Option<u64>, Interval),
}

/// An interval of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Interval {
    /// `start/end`.
    StartEnd(Point, Point),
    /// A duration alone.
    Duration(Duration),
    /// `start/duration`.
    StartDuration(Point, Duration),
    /// `duration/end`.
    DurationEnd(Duration, Point),
}

/// A date, a time of day, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// A date alone.
    Date(Date),
    /// A time of day alone.
    Clock(Clock),
    /// Both.
    Both(Date, Clock),
}

/// The form of a date, in the order of X.691 clause 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DateForm {
    /// `20C`.
    Century,
    /// `2025`.
    Year,
    /// `2025-03`.
    Month,
    /// `2025-03-01`.
    Day,
    /// `2025-060`.
    DayOfYear,
    /// `2025-W09`.
    Week,
    /// `2025-W09-6`.
    DayOfWeek,
}

impl DateForm {
    /// All forms in order.
    pub(crate) const ALL: [DateForm; 7] = [
        DateForm::Century,
        DateForm::Year,
        DateForm::Month,
        DateForm::Day,
        DateForm::DayOfYear,
        DateForm::Week,
        DateForm::DayOfWeek,
    ];
}

/// A date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    /// The form of the date.
    pub(crate) form: DateForm,
    /// The year; for a century, the year without its last two digits.
    pub(crate) year: i64,
    /// Month, week, or day of the year; 0 if the form has none.
    pub(crate) part: u16,
    /// Day of the month or week; 0 if the form has none.
    pub(crate) day: u8,
}

/// The smallest unit of a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Accuracy {
    /// `06`.
    Hours,
    /// `06:30`.
    Minutes,
    /// `06:30:00`.
    Seconds,
}

impl Accuracy {
    /// All accuracies in order.
    pub(crate) const ALL: [Accuracy; 3] = [Accuracy::Hours, Accuracy::Minutes, Accuracy::Seconds];
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// The smallest unit given.
    pub(crate) accuracy: Accuracy,
    /// 0 to 24.
    pub(crate) hours: u8,
    /// 0 to 59; 0 if not given.
    pub(crate) minutes: u8,
    /// 0 to 60; 0 if not given.
    pub(crate) seconds: u8,
    /// A fraction of the smallest unit given.
    pub(crate) fraction: Option<Fraction>,
    /// The time zone.
    pub(crate) zone: Zone,
}

/// Digits after the decimal sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fraction {
    /// The number of digits, 1 to [`DIGITS`].
    pub(crate) digits: u32,
    /// The digits as a whole number.
    pub(crate) value: u64,
}

/// The zone of a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    /// Not given.
    Local,
    /// `Z`.
    Utc,
    /// Minutes that local time is ahead of UTC.
    Ahead(i16),
}

impl Zone {
    /// Its index in the order of X.691 clause 32.
    pub(crate) fn kind(self) -> u8 {
        match self {
            Zone::Local => 0,
            Zone::Utc => 1,
            Zone::Ahead(_) => 2,
        }
    }
}

/// A duration: years, months, weeks, days, hours, minutes and seconds, and a fraction of the last part. Zeros before
/// other parts are left out, because they mean nothing (X.691 clause 32.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Duration {
    /// The parts given.
    pub(crate) parts: [Option<u64>; 7],
    /// The fraction of the last part.
    pub(crate) fraction: Option<Fraction>,
}

/// The index of weeks among the parts of a duration; a duration of weeks has no other part.
const WEEKS: usize = 2;

impl Time {
    /// The points of time in it: none, one or two.
    pub(crate) fn points(&self) -> [Option<&Point>; 2] {
        let interval = match self {
            Time::Point(point) => return [Some(point), None],
            Time::Interval(interval) | Time::Recurring(_, interval) => interval,
        };
        match interval {
            Interval::StartEnd(start, end) => [Some(start), Some(end)],
            Interval::Duration(_) => [None, None],
            Interval::StartDuration(point, _) | Interval::DurationEnd(_, point) => [Some(point), None],
        }
    }

    /// The duration, if this is one.
    pub(crate) fn as_duration(&self) -> Option<&Duration> {
        match self {
            Time::Interval(Interval::Duration(duration)) | Time::Recurring(_, Interval::Duration(duration)) => {
                Some(duration)
            }
            _ => None,
        }
    }

    /// Checks that the time exists, whatever it was made from.
    ///
    /// # Errors
    /// A description of what is wrong.
    pub(crate) fn checked(self) -> Result<Time, &'static str> {
        for point in self.points().into_iter().flatten() {
            point.check()?;
        }
        let interval = match &self {
            Time::Point(_) => return Ok(self),
            Time::Interval(interval) => interval,
            Time::Recurring(Some(BEYOND..), _) => return Err(LONG),
            Time::Recurring(_, interval) => interval,
        };
        match interval {
            Interval::StartEnd(start, end) if start.shape() != end.shape() => {
                Err("an interval whose end has another form than its start")
            }
            Interval::StartEnd(..) => Ok(self),
            Interval::Duration(duration)
            | Interval::StartDuration(_, duration)
            | Interval::DurationEnd(duration, _) => duration.check().map(|()| self),
        }
    }
}

/// The description of a number that is too long.
const LONG: &str = "a number of more than 18 digits";

impl Point {
    /// The date, if there is one.
    pub(crate) fn date(&self) -> Option<&Date> {
        match self {
            Point::Date(date) | Point::Both(date, _) => Some(date),
            Point::Clock(_) => None,
        }
    }

    /// The time of day, if there is one.
    pub(crate) fn clock(&self) -> Option<&Clock> {
        match self {
            Point::Clock(clock) | Point::Both(_, clock) => Some(clock),
            Point::Date(_) => None,
        }
    }

    /// The form of the point: both ends of an interval must have the same.
    #[allow(clippy::type_complexity)] // Only compared.
    fn shape(&self) -> (Option<DateForm>, Option<(Accuracy, Option<u32>, u8)>) {
        let clock = self.clock();
        let clock =
            clock.map(|clock| (clock.accuracy, clock.fraction.map(|fraction| fraction.digits), clock.zone.kind()));
        (self.date().map(|date| date.form), clock)
    }

    fn check(&self) -> Result<(), &'static str> {
        if let Some(date) = self.date() {
            date.check()?;
        }
        if let Some(clock) = self.clock() {
            clock.check()?;
        }
        match self {
            Point::Both(date, _) if !matches!(date.form, DateForm::Day | DateForm::DayOfYear | DateForm::DayOfWeek) => {
                Err("a time of day after something that is not a day")
            }
            _ => Ok(()),
        }
    }
}

impl Date {
    fn check(&self) -> Result<(), &'static str> {
        if self.year.unsigned_abs() >= BEYOND {
            return Err(LONG);
        }
        let (part, day) = (self.part, self.day);
        let is_month = (1..=12).contains(&part);
        let is_week = || (1..=weeks_in_year(self.year).into()).contains(&part);
        let is_day = match self.form {
            DateForm::Century | DateForm::Year => true,
            DateForm::Month => is_month,
            DateForm::Day => is_month && (1..=days_in_month(self.year, part as u8)).contains(&day),
            DateForm::DayOfYear => (1..=if is_leap(self.year) { 366 } else { 365 }).contains(&part),
            DateForm::Week => is_week(),
            DateForm::DayOfWeek => is_week() && (1..=7).contains(&day),
        };
        if is_day { Ok(()) } else { Err("which is not in the calendar") }
    }
}

impl Clock {
    /// Whether it is the end of its day.
    pub(crate) fn is_end_of_day(&self) -> bool {
        self.hours == 24
    }

    fn check(&self) -> Result<(), &'static str> {
        let fraction = self.fraction.map_or(Ok(0), |fraction| fraction.check().map(|()| fraction.value))?;
        let is_time = match self.hours {
            0..24 => self.minutes < 60 && self.seconds <= 60,
            24 => (self.minutes, self.seconds, fraction) == (0, 0, 0),
            _ => false,
        };
        match self.zone {
            _ if !is_time => Err("which is not a time of day"),
            Zone::Ahead(minutes) if minutes.unsigned_abs() >= 16 * 60 => {
                Err("a difference from UTC of more than 15 hours and 59 minutes")
            }
            _ => Ok(()),
        }
    }
}

impl Fraction {
    fn check(self) -> Result<(), &'static str> {
        match self.digits {
            0 => Err("a fraction of no digit"),
            1..=DIGITS if self.value < 10_u64.pow(self.digits) => Ok(()),
            1..=DIGITS => Err("a fraction of more digits than it says"),
            _ => Err(LONG),
        }
    }
}

impl Duration {
    /// The index of the last part given.
    pub(crate) fn last(&self) -> Option<usize> {
        self.parts.iter().rposition(Option::is_some)
    }

    /// The duration without zeros that mean nothing.
    pub(crate) fn without_zeros(mut self) -> Duration {
        let last = self.last();
        for (place, part) in self.parts.iter_mut().enumerate() {
            if *part == Some(0) && Some(place) != last {
                *part = None;
            }
        }
        self
    }

    fn check(&self) -> Result<(), &'static str> {
        let count = self.parts.iter().flatten().count();
        if count == 0 {
            return Err("a duration of nothing");
        }
        if self.parts[WEEKS].is_some() && count > 1 {
            return Err("a duration of weeks and something else");
        }
        if self.parts.iter().flatten().any(|part| *part >= BEYOND) {
            return Err(LONG);
        }
        self.fraction.map_or(Ok(()), Fraction::check)
    }
}
