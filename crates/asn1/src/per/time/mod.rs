//! Times in PER (X.691 clause 32).
//!
//! Clause 32 numbers the encodings of times from 1 to 53: 14 of dates, 18 of times of day, one of both together, 10 of
//! intervals and 10 of recurring intervals. A type whose settings allow only one of them has that encoding; any other
//! type is a CHOICE of all. This module counts them from 0.

mod plain;
mod reader;
mod writer;

pub(crate) use plain::{read_plain, write_plain};
pub(crate) use reader::read;
pub(crate) use writer::write;

use crate::iso8601::{Interval, Point, Settings, Time, YearSetting};

/// How the values of a type are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeLayout {
    /// In any row, as a CHOICE of all.
    Mixed,
    /// In one row.
    Row(Shape, Option<DateRow>, Option<ClockRow>),
}

/// How dates are encoded: twice the index of the form, plus one if years are below 0 or above 9999.
pub(crate) type DateRow = u8;

/// How times of day are encoded: three times the accuracy, plus the zone; plus nine with a fraction, and its number of
/// digits.
pub(crate) type ClockRow = (u8, u32);

/// Encodings of dates.
const DATES: u8 = 14;
/// Encodings of times of day.
const CLOCKS: u8 = 18;
/// The first of these with a fraction.
const FRACTIONS: u8 = 9;

/// The parts of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A point of time.
    Point(Parts),
    /// An interval of start and end, and whether it recurs.
    StartEnd(bool, Parts),
    /// A duration alone.
    Duration(bool),
    /// Start and duration.
    StartDuration(bool, Parts),
    /// Duration and end.
    DurationEnd(bool, Parts),
}

/// The parts of a point of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    Date,
    Clock,
    Both,
}

impl Parts {
    const ALL: [Parts; 3] = [Parts::Date, Parts::Clock, Parts::Both];

    fn has_date(self) -> bool {
        self != Parts::Clock
    }

    fn has_clock(self) -> bool {
        self != Parts::Date
    }
}

impl Shape {
    /// The shapes in order: points, then from row 34 intervals, and recurring intervals.
    fn all() -> impl Iterator<Item = Shape> {
        let intervals = [false, true].into_iter().flat_map(|recurs| {
            let starts = Parts::ALL.into_iter().map(move |parts| Shape::StartEnd(recurs, parts));
            let durations = std::iter::once(Shape::Duration(recurs));
            let ends = Parts::ALL.into_iter().map(move |parts| Shape::StartDuration(recurs, parts));
            let others = Parts::ALL.into_iter().map(move |parts| Shape::DurationEnd(recurs, parts));
            starts.chain(durations).chain(ends).chain(others)
        });
        Parts::ALL.into_iter().map(Shape::Point).chain(intervals)
    }

    fn of(time: &Time) -> Shape {
        let parts = |point: &Point| match point {
            Point::Date(_) => Parts::Date,
            Point::Clock(_) => Parts::Clock,
            Point::Both(..) => Parts::Both,
        };
        let (recurs, interval) = match time {
            Time::Point(point) => return Shape::Point(parts(point)),
            Time::Interval(interval) => (false, interval),
            Time::Recurring(_, interval) => (true, interval),
        };
        match interval {
            Interval::StartEnd(start, _) => Shape::StartEnd(recurs, parts(start)),
            Interval::Duration(_) => Shape::Duration(recurs),
            Interval::StartDuration(start, _) => Shape::StartDuration(recurs, parts(start)),
            Interval::DurationEnd(_, end) => Shape::DurationEnd(recurs, parts(end)),
        }
    }

    fn recurs(self) -> bool {
        match self {
            Shape::Point(_) => false,
            Shape::Duration(recurs)
            | Shape::StartEnd(recurs, _)
            | Shape::StartDuration(recurs, _)
            | Shape::DurationEnd(recurs, _) => recurs,
        }
    }

    fn parts(self) -> Option<Parts> {
        match self {
            Shape::Duration(_) => None,
            Shape::Point(parts)
            | Shape::StartEnd(_, parts)
            | Shape::StartDuration(_, parts)
            | Shape::DurationEnd(_, parts) => Some(parts),
        }
    }

    /// Whether times of this shape can have settings.
    fn can_have(self, settings: &Settings) -> bool {
        let basic = match self {
            Shape::Point(parts) => parts as u8,
            _ if self.recurs() => 4,
            _ => 3,
        };
        let interval = match self {
            Shape::Point(_) => None,
            Shape::StartEnd(..) => Some(0),
            Shape::Duration(_) => Some(1),
            Shape::StartDuration(..) => Some(2),
            Shape::DurationEnd(..) => Some(3),
        };
        let point = interval.and_then(|_| self.parts()).map(|parts| parts as u8);
        let dates = self.parts().is_some_and(Parts::has_date);
        let clocks = self.parts().is_some_and(Parts::has_clock);
        settings.basic.is_none_or(|setting| setting == basic)
            && (dates || settings.date.is_none() && settings.year.is_none())
            && (clocks || settings.time.is_none() && settings.zone.is_none() && settings.midnight.is_none())
            && settings.interval.is_none_or(|setting| interval == Some(setting))
            && settings.point.is_none_or(|setting| point == Some(setting))
            && (self.recurs() || settings.recurrence.is_none())
    }
}

/// The only value seen so far, if all were equal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Agreed<T> {
    None,
    One(T),
    Several,
}

impl<T: PartialEq + Copy> Agreed<T> {
    fn add(&mut self, one: Option<T>) {
        *self = match (*self, one) {
            (Agreed::None, Some(one)) => Agreed::One(one),
            (Agreed::One(other), Some(one)) if one == other => Agreed::One(one),
            _ => Agreed::Several,
        };
    }
}

impl TimeLayout {
    /// The layout of a type, from its alternatives of settings; `None` if no time has any of them.
    pub(crate) fn of(alternatives: &[Settings]) -> Option<TimeLayout> {
        let (mut shapes, mut dates, mut clocks) = (Agreed::None, Agreed::None, Agreed::None);
        for settings in alternatives {
            for shape in Shape::all().filter(|shape| shape.can_have(settings)) {
                shapes.add(Some(shape));
                let large = settings.year.map(|year| match year {
                    YearSetting::Basic | YearSetting::Proleptic => 0,
                    YearSetting::Negative | YearSetting::Large(_) => 1,
                });
                let date = settings.date.zip(large).map(|(form, large)| form * 2 + large);
                let clock = settings.time.zip(settings.zone).map(|((accuracy, digits), zone)| match digits {
                    None => (accuracy * 3 + zone, 0),
                    Some(digits) => (FRACTIONS + accuracy * 3 + zone, digits),
                });
                if shape.parts().is_some_and(Parts::has_date) {
                    dates.add(date);
                }
                if shape.parts().is_some_and(Parts::has_clock) {
                    clocks.add(clock);
                }
            }
        }
        let shape = match shapes {
            Agreed::None => return None,
            Agreed::Several => return Some(TimeLayout::Mixed),
            Agreed::One(shape) => shape,
        };
        let date = match dates {
            Agreed::Several => return Some(TimeLayout::Mixed),
            Agreed::One(date) => Some(date),
            Agreed::None => None,
        };
        let clock = match clocks {
            Agreed::Several => return Some(TimeLayout::Mixed),
            Agreed::One(clock) => Some(clock),
            Agreed::None => None,
        };
        Some(TimeLayout::Row(shape, date, clock))
    }

    /// The least number of bits of a value.
    pub(crate) fn min_bits(self) -> u32 {
        match self {
            TimeLayout::Mixed => 6 + 5,
            // An hour takes the least.
            TimeLayout::Row(..) => 5,
        }
    }
}
