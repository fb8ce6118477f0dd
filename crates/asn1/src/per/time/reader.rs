//! Reading times.

use tam::{Error, ErrorKind, Words};

use super::*;
use crate::iso8601::{Accuracy, BEYOND, Clock, DIGITS, Date, DateForm, Duration, Fraction, Zone};
use crate::per::primitive::{Constrained, read_length, read_semi_constrained};
use crate::per::{BitReader, Length};

/// Reads a time.
///
/// # Errors
/// If the message ends first, or its content is not a time or has numbers of more than 18 digits.
#[cold]
pub(crate) fn read<const ALIGNED: bool>(layout: TimeLayout, bits: &mut BitReader<'_>) -> Result<Time, Error> {
    let at = bits.position();
    let mut reader = Reader::<ALIGNED> { bits };
    let time = match layout {
        TimeLayout::Row(shape, date, clock) => reader.shape(shape, date, clock)?,
        TimeLayout::Mixed => reader.mixed()?,
    };
    time.checked().map_err(|found| Error::new(ErrorKind::Syntax, "per", 0, found, "a time of ISO 8601").at_bit(at))
}

struct Reader<'b, 'm, const ALIGNED: bool> {
    bits: &'b mut BitReader<'m>,
}

impl<const ALIGNED: bool> Reader<'_, '_, ALIGNED> {
    /// MIXED-ENCODING (clause 32.11).
    fn mixed(&mut self) -> Result<Time, Error> {
        let row = self.number(0, 52)? as u8;
        if row < DATES {
            return self.shape(Shape::Point(Parts::Date), Some(row), None);
        }
        if row < DATES + CLOCKS {
            let row = row - DATES;
            let digits = if row < FRACTIONS { 0 } else { self.digits()? };
            return self.shape(Shape::Point(Parts::Clock), None, Some((row, digits)));
        }
        // Of the points, only those with both parts are left.
        let shape = Shape::all().nth(usize::from(row - DATES - CLOCKS) + 2).unwrap_or(Shape::Duration(false));
        self.shape(shape, None, None)
    }

    /// Reads times of one shape. If the rows of their parts are not given, the message has them.
    fn shape(&mut self, shape: Shape, date: Option<DateRow>, clock: Option<ClockRow>) -> Result<Time, Error> {
        let recurrence = match shape.recurs() && self.bits.bit()? {
            true => {
                let count = self.signed()?;
                Some(u64::try_from(count).map_err(|_| self.fault("a recurrence below zero", "zero or more"))?)
            }
            false => None,
        };
        let interval = match shape {
            Shape::Point(parts) => return Ok(Time::Point(self.point(parts, date, clock)?)),
            Shape::StartEnd(_, parts) => {
                Interval::StartEnd(self.point(parts, date, clock)?, self.point(parts, date, clock)?)
            }
            Shape::Duration(_) => Interval::Duration(self.duration()?),
            Shape::StartDuration(_, parts) => {
                Interval::StartDuration(self.point(parts, date, clock)?, self.duration()?)
            }
            Shape::DurationEnd(_, parts) => Interval::DurationEnd(self.duration()?, self.point(parts, date, clock)?),
        };
        Ok(if shape.recurs() { Time::Recurring(recurrence, interval) } else { Time::Interval(interval) })
    }

    fn point(&mut self, parts: Parts, date: Option<DateRow>, clock: Option<ClockRow>) -> Result<Point, Error> {
        Ok(match parts {
            Parts::Date => Point::Date(self.date(date)?),
            Parts::Clock => Point::Clock(self.clock(clock)?),
            Parts::Both => Point::Both(self.date(date)?, self.clock(clock)?),
        })
    }

    /// Dates (clause 32.2), or DATE-TYPE.
    fn date(&mut self, row: Option<DateRow>) -> Result<Date, Error> {
        let row = match row {
            Some(row) => row,
            None => self.number(0, u64::from(DATES) - 1)? as u8,
        };
        let form = DateForm::ALL.get(usize::from(row / 2)).copied().unwrap_or(DateForm::Day);
        let large = row % 2 == 1;
        let most = if form == DateForm::Century { 99 } else { 9999 };
        let year = match (form, large) {
            (_, true) => self.signed()?,
            (DateForm::Century, false) => self.number(0, 99)? as i64,
            (_, false) => match self.number(0, 3)? {
                0 => self.number(2005, 2020)? as i64,
                1 => self.number(2021, 2276)? as i64,
                2 => self.number(1749, 2004)? as i64,
                _ => self.signed()?,
            },
        };
        if (0..=most).contains(&year) == large {
            return Err(self.fault("a year of another row of the table of settings", "one of this row"));
        }
        let (part, day) = match form {
            DateForm::Century | DateForm::Year => (0, 0),
            DateForm::Month => (self.number(1, 12)?, 0),
            DateForm::Day => (self.number(1, 12)?, self.number(1, 31)?),
            DateForm::DayOfYear => (self.number(1, 366)?, 0),
            DateForm::Week => (self.number(1, 53)?, 0),
            DateForm::DayOfWeek => (self.number(1, 53)?, self.number(1, 7)?),
        };
        Ok(Date { form, year, part: part as u16, day: day as u8 })
    }

    /// Times of day (clause 32.3), or TIME-TYPE.
    fn clock(&mut self, row: Option<ClockRow>) -> Result<Clock, Error> {
        let (row, digits) = match row {
            Some(row) => row,
            None => {
                let digits = if self.bits.bit()? { self.digits()? } else { 0 };
                let row = self.number(0, u64::from(CLOCKS) - 1)? as u8;
                if (row >= FRACTIONS) != (digits > 0) {
                    return Err(
                        self.fault("a number of digits without a fraction, or a fraction without one", "both or none")
                    );
                }
                (row, digits)
            }
        };
        let place = usize::from(row % FRACTIONS / 3);
        let accuracy = Accuracy::ALL.get(place).copied().unwrap_or(Accuracy::Seconds);
        let hours = self.number(0, 24)? as u8;
        let minutes = if accuracy >= Accuracy::Minutes { self.number(0, 59)? as u8 } else { 0 };
        let seconds = if accuracy >= Accuracy::Seconds { self.number(0, 60)? as u8 } else { 0 };
        let fraction = match row >= FRACTIONS {
            true => Some(Fraction { digits, value: self.extensible(0, 999)? }),
            false => None,
        };
        let zone = match row % 3 {
            0 => Zone::Local,
            1 => Zone::Utc,
            _ => self.difference()?,
        };
        Ok(Clock { accuracy, hours, minutes, seconds, fraction, zone })
    }

    /// TIME-DIFFERENCE.
    fn difference(&mut self) -> Result<Zone, Error> {
        let has_minutes = self.bits.bit()?;
        let negative = self.bits.bit()?;
        let hours = self.number(0, 15)? as i16;
        let minutes = if has_minutes { self.number(1, 59)? as i16 } else { 0 };
        let ahead = hours * 60 + minutes;
        if negative && ahead == 0 {
            return Err(self.fault("a difference of no time from UTC with a minus sign", "a plus sign"));
        }
        Ok(Zone::Ahead(if negative { -ahead } else { ahead }))
    }

    /// DURATION-INTERVAL-ENCODING (clause 32.6).
    fn duration(&mut self) -> Result<Duration, Error> {
        let there = self.bits.read(8)?;
        let mut parts = [None; 7];
        for ((place, part), most) in parts.iter_mut().enumerate().zip(PARTS) {
            if there >> (7 - place) & 1 == 1 {
                *part = Some(self.extensible(0, most)?);
            }
        }
        let fraction = match there & 1 {
            0 => None,
            _ => {
                let digits = self.extensible(1, 3)?;
                Some(Fraction { digits: self.few(digits)?, value: self.extensible(0, 999)? })
            }
        };
        Ok(Duration { parts, fraction }.without_zeros())
    }

    /// The number of digits of a fraction.
    fn digits(&mut self) -> Result<u32, Error> {
        let above = read_semi_constrained::<ALIGNED>(self.bits)?;
        self.few(above.saturating_add(1))
    }

    fn few(&self, digits: u64) -> Result<u32, Error> {
        match u32::try_from(digits) {
            Ok(digits @ 1..=DIGITS) => Ok(digits),
            _ => Err(self.wide(Words::Own(format!("{digits} digits of a fraction")))),
        }
    }

    fn number(&mut self, lower: u64, upper: u64) -> Result<u64, Error> {
        Ok(lower + Constrained::new(upper - lower).read::<ALIGNED>(self.bits)?)
    }

    /// Reads a non-negative number that may be outside of its root.
    fn extensible(&mut self, lower: u64, upper: u64) -> Result<u64, Error> {
        if !self.bits.bit()? {
            return self.number(lower, upper);
        }
        let number = self.signed()?;
        u64::try_from(number).map_err(|_| self.fault("a number below zero", "zero or more"))
    }

    /// Reads an unbounded number of at most 18 digits.
    fn signed(&mut self) -> Result<i64, Error> {
        let octets = match read_length::<ALIGNED>(self.bits)? {
            Length { count: 0, .. } => return Err(self.fault("an INTEGER without octets", "one octet or more")),
            Length { count: count @ 1..=8, more: false } => count as u32,
            Length { count, .. } => return Err(self.wide(Words::Own(format!("a number of {count} octets")))),
        };
        let unused = 64 - octets * 8;
        let number = (self.bits.read(octets * 8)? << unused) as i64 >> unused;
        if number.unsigned_abs() >= BEYOND {
            return Err(self.wide(Words::Own(number.to_string())));
        }
        Ok(number)
    }

    #[cold]
    fn fault(&self, found: &'static str, expected: &'static str) -> Error {
        Error::new(ErrorKind::Syntax, "per", 0, found, expected).at_bit(self.bits.position())
    }

    #[cold]
    fn wide(&self, found: Words) -> Error {
        let expected = "at most 18 digits";
        Error::new(ErrorKind::Unsupported, "per", 0, found, expected).at_bit(self.bits.position())
    }
}

/// The upper bounds of the parts of a duration in the root.
pub(super) const PARTS: [u64; 7] = [31, 15, 63, 31, 31, 63, 63];
