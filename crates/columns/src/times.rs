//! Points in time and decimals as values of Arrow's own types.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Time64MicrosecondArray, TimestampMicrosecondArray};
use arrow_buffer::NullBuffer;
use arrow_schema::ArrowError;
use asn1::compiled::{Compiled, Kind};
use asn1::event::Real;
use asn1::schema::StringKind;
use asn1::{NodeId, TimePoint};
use tam::{Error, ErrorKind, Words, excerpt};

use crate::FORMAT;

/// What columns of times are. Arrow's types keep a moment, but not how it was written: with which zone, with how many digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// Texts, as in the message. Only DATE is `Date32`, which keeps all of it.
    #[default]
    Exact,
    /// Types of Arrow. A date-time whose type does not say whether it has a time zone must have one, and is a moment in UTC.
    Utc,
    /// Types of Arrow. A date-time whose type does not say whether it has a time zone must have none.
    Local,
}

impl Times {
    /// All of them.
    pub const ALL: [Times; 3] = [Times::Exact, Times::Utc, Times::Local];

    /// Its name: `exact`, `utc` or `local`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Times::Exact => "exact",
            Times::Utc => "utc",
            Times::Local => "local",
        }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// # Errors
/// The names that there are, for another one.
impl FromStr for Times {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Times, &'static str> {
        Times::ALL.into_iter().find(|times| times.as_str() == name).ok_or("exact, utc or local")
    }
}

/// The type of a column of points in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Points {
    /// `Date32`.
    Date,
    /// `Time64(µs)`.
    Clock,
    /// `Timestamp(µs)`.
    Local,
    /// `Timestamp(µs, "UTC")`.
    Utc,
}

const DAY: i64 = 86_400_000_000;

impl Points {
    /// That of a type, with the kind of its texts; `None` if they stay texts.
    pub(crate) fn of(types: &Compiled, node: NodeId, times: Times) -> Option<(Points, StringKind)> {
        let Kind::Text(number) = types.node(node).kind else { return None };
        let (kind, form) = (types.characters(number).kind, types.point_form(node)?);
        let points = match (form.has_date, form.has_clock, form.has_zone) {
            (true, false, _) => Points::Date,
            (false, _, Some(true)) => return None,
            (false, ..) => Points::Clock,
            (true, true, Some(true)) => Points::Utc,
            (true, true, None) if times == Times::Utc => Points::Utc,
            (true, true, _) => Points::Local,
        };
        (times != Times::Exact || kind == StringKind::Date).then_some((points, kind))
    }

    /// The number of a text in its column.
    pub(crate) fn read(self, kind: StringKind, text: &[u8]) -> Result<i64, Error> {
        let text = str::from_utf8(text).unwrap_or_default();
        self.number(kind, text).map_err(|fault| {
            let name = match self {
                Points::Date => "Date32",
                Points::Clock => "Time64(µs)",
                Points::Local => "Timestamp(µs)",
                Points::Utc => "Timestamp(µs, UTC)",
            };
            let found = Words::Own(format!("{:?}, {fault}", excerpt(text)));
            let expected = format!("a value of {name}, or columns with exact times, which are texts");
            Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected)
        })
    }

    fn number(self, kind: StringKind, text: &str) -> Result<i64, &'static str> {
        const BEYOND: &str = "out of range";
        // A date of an XML Schema with a time zone.
        let date = text.get(..10).filter(|_| self == Points::Date && text.len() > 10);
        if date.is_some_and(|date| TimePoint::read(kind, date).is_ok()) {
            return Err("with a time zone");
        }
        let point = TimePoint::read(kind, text)?;
        let micros = match point.nanoseconds.unwrap_or_default() {
            nanos if nanos % 1000 != 0 => return Err("with a fraction of a microsecond"),
            nanos => nanos / 1000,
        };
        match (self, point.ahead) {
            (Points::Utc, None) => return Err("without a time zone"),
            (Points::Utc, _) | (_, None) => {}
            _ => return Err("with a time zone"),
        }
        match (self, point.day) {
            (Points::Date, Some(day)) => i32::try_from(day).map(i64::from).map_err(|_| BEYOND),
            (Points::Clock, _) if micros == DAY => Err("the end of a day"),
            (Points::Clock, _) => Ok(micros),
            (_, Some(day)) => {
                let ahead = i64::from(point.ahead.unwrap_or_default()) * 60_000_000;
                day.checked_mul(DAY).and_then(|start| start.checked_add(micros - ahead)).ok_or(BEYOND)
            }
            (_, None) => Err("without a date"),
        }
    }

    pub(crate) fn array(self, numbers: Vec<i64>, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        let timestamps = |numbers: Vec<i64>, nulls| TimestampMicrosecondArray::try_new(numbers.into(), nulls);
        Ok(match self {
            Points::Date => {
                let days: Vec<i32> = numbers.into_iter().map(|day| day as i32).collect();
                Arc::new(Date32Array::try_new(days.into(), nulls)?)
            }
            Points::Clock => Arc::new(Time64MicrosecondArray::try_new(numbers.into(), nulls)?),
            Points::Local => Arc::new(timestamps(numbers, nulls)?),
            Points::Utc => Arc::new(timestamps(numbers, nulls)?.with_timezone("UTC")),
        })
    }
}

/// The most digits of `Decimal128`.
const DIGITS: u64 = 38;

/// The precision and scale of the decimals of a type, if its schema says both.
pub(crate) fn digits(types: &Compiled, node: NodeId) -> Option<(u8, i8)> {
    let (total, fraction) = types.decimal_digits(node)?;
    ((1..=DIGITS).contains(&total) && fraction <= total).then_some((total as u8, fraction as i8))
}

/// A number in units of 10^-scale.
pub(crate) fn scaled(real: Real<'_>, (precision, scale): (u8, i8)) -> Result<i128, Error> {
    let number = real.to_decimal().and_then(|(mantissa, exponent)| {
        let zeros = u32::try_from(exponent.checked_add(scale.into())?).ok();
        let zeros = if mantissa == 0 { 0 } else { zeros? };
        let number = mantissa.checked_mul(10_i128.checked_pow(zeros)?)?;
        (number.unsigned_abs() < 10_u128.pow(precision.into())).then_some(number)
    });
    number.ok_or_else(|| {
        let expected = format!("at most {precision} digits, {scale} of them after the point, as the schema says");
        Error::new(ErrorKind::Unsupported, FORMAT, 0, "a number of more digits", expected)
    })
}
