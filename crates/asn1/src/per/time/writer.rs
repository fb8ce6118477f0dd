//! Writing times.

use super::reader::PARTS;
use super::*;
use crate::iso8601::{Accuracy, Clock, Date, DateForm, Duration, Zone};
use crate::per::BitWriter;
use crate::per::primitive::{Constrained, signed_octets, write_length, write_semi_constrained};

/// Writes a time, which must be of the type of the layout.
#[cold]
pub(crate) fn write<const ALIGNED: bool>(layout: TimeLayout, time: &Time, bits: &mut BitWriter<'_>) {
    let mut writer = Writer::<ALIGNED> { bits, mixed: layout == TimeLayout::Mixed };
    if writer.mixed {
        writer.row(time);
    }
    writer.time(time);
}

struct Writer<'b, 'o, const ALIGNED: bool> {
    bits: &'b mut BitWriter<'o>,
    /// Whether dates and times of day are preceded by their row.
    mixed: bool,
}

impl<const ALIGNED: bool> Writer<'_, '_, ALIGNED> {
    /// The index of MIXED-ENCODING.
    fn row(&mut self, time: &Time) {
        let row = match time {
            Time::Point(Point::Date(date)) => {
                self.mixed = false;
                date_row(date)
            }
            Time::Point(Point::Clock(clock)) => {
                self.mixed = false;
                DATES + clock_row(clock)
            }
            _ => {
                let shape = Shape::of(time);
                let place = Shape::all().position(|other| other == shape).unwrap_or_default();
                DATES + CLOCKS + (place as u8).saturating_sub(2)
            }
        };
        self.number(row.into(), 0, 52);
        if let Time::Point(Point::Clock(Clock { fraction: Some(fraction), .. })) = time {
            write_semi_constrained::<ALIGNED>(u64::from(fraction.digits) - 1, self.bits);
        }
    }

    fn time(&mut self, time: &Time) {
        let interval = match time {
            Time::Point(point) => return self.point(point),
            Time::Interval(interval) => interval,
            Time::Recurring(count, interval) => {
                self.bits.bit(count.is_some());
                if let Some(count) = count {
                    self.signed(*count as i64);
                }
                interval
            }
        };
        match interval {
            Interval::StartEnd(start, end) => {
                self.point(start);
                self.point(end);
            }
            Interval::Duration(duration) => self.duration(duration),
            Interval::StartDuration(start, duration) => {
                self.point(start);
                self.duration(duration);
            }
            Interval::DurationEnd(duration, end) => {
                self.duration(duration);
                self.point(end);
            }
        }
    }

    fn point(&mut self, point: &Point) {
        if let Some(date) = point.date() {
            self.date(date);
        }
        if let Some(clock) = point.clock() {
            self.clock(clock);
        }
    }

    fn date(&mut self, date: &Date) {
        let row = date_row(date);
        if self.mixed {
            self.number(row.into(), 0, u64::from(DATES) - 1);
        }
        match (date.form, date.year) {
            (_, year) if row % 2 == 1 => self.signed(year),
            (DateForm::Century, year) => self.number(year as u64, 0, 99),
            (_, year @ 2005..=2020) => self.choice(0, year, 2005, 2020),
            (_, year @ 2021..=2276) => self.choice(1, year, 2021, 2276),
            (_, year @ 1749..=2004) => self.choice(2, year, 1749, 2004),
            (_, year) => {
                self.number(3, 0, 3);
                self.signed(year);
            }
        }
        let (part, day) = (date.part.into(), date.day.into());
        match date.form {
            DateForm::Century | DateForm::Year => {}
            DateForm::Month => self.number(part, 1, 12),
            DateForm::Day => {
                self.number(part, 1, 12);
                self.number(day, 1, 31);
            }
            DateForm::DayOfYear => self.number(part, 1, 366),
            DateForm::Week => self.number(part, 1, 53),
            DateForm::DayOfWeek => {
                self.number(part, 1, 53);
                self.number(day, 1, 7);
            }
        }
    }

    /// A year within 256 years.
    fn choice(&mut self, index: u64, year: i64, lower: u64, upper: u64) {
        self.number(index, 0, 3);
        self.number(year as u64, lower, upper);
    }

    fn clock(&mut self, clock: &Clock) {
        if self.mixed {
            self.bits.bit(clock.fraction.is_some());
            if let Some(fraction) = clock.fraction {
                write_semi_constrained::<ALIGNED>(u64::from(fraction.digits) - 1, self.bits);
            }
            self.number(clock_row(clock).into(), 0, u64::from(CLOCKS) - 1);
        }
        self.number(clock.hours.into(), 0, 24);
        if clock.accuracy >= Accuracy::Minutes {
            self.number(clock.minutes.into(), 0, 59);
        }
        if clock.accuracy >= Accuracy::Seconds {
            self.number(clock.seconds.into(), 0, 60);
        }
        if let Some(fraction) = clock.fraction {
            self.extensible(fraction.value, 0, 999);
        }
        if let Zone::Ahead(ahead) = clock.zone {
            let minutes = u64::from(ahead.unsigned_abs());
            self.bits.bit(minutes % 60 > 0);
            self.bits.bit(ahead < 0);
            self.number(minutes / 60, 0, 15);
            if minutes % 60 > 0 {
                self.number(minutes % 60, 1, 59);
            }
        }
    }

    fn duration(&mut self, duration: &Duration) {
        for part in duration.parts {
            self.bits.bit(part.is_some());
        }
        self.bits.bit(duration.fraction.is_some());
        for (part, most) in duration.parts.into_iter().zip(PARTS) {
            if let Some(part) = part {
                self.extensible(part, 0, most);
            }
        }
        if let Some(fraction) = duration.fraction {
            self.extensible(fraction.digits.into(), 1, 3);
            self.extensible(fraction.value, 0, 999);
        }
    }

    fn number(&mut self, number: u64, lower: u64, upper: u64) {
        Constrained::new(upper - lower).write::<ALIGNED>(number.saturating_sub(lower), self.bits);
    }

    fn extensible(&mut self, number: u64, lower: u64, upper: u64) {
        let inside = (lower..=upper).contains(&number);
        self.bits.bit(!inside);
        if inside { self.number(number, lower, upper) } else { self.signed(number as i64) }
    }

    fn signed(&mut self, number: i64) {
        let octets = signed_octets(number);
        write_length::<ALIGNED>(octets.into(), self.bits);
        self.bits.write(number as u64 & (u64::MAX >> (64 - 8 * octets)), 8 * octets);
    }
}

fn date_row(date: &Date) -> DateRow {
    let most = if date.form == DateForm::Century { 99 } else { 9999 };
    date.form as u8 * 2 + u8::from(!(0..=most).contains(&date.year))
}

fn clock_row(clock: &Clock) -> u8 {
    let fraction = if clock.fraction.is_some() { FRACTIONS } else { 0 };
    fraction + clock.accuracy as u8 * 3 + clock.zone.kind()
}
