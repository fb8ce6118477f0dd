//! The canonical form of times: in UTC, with seconds (X.690 clauses 11.7 and 11.8, which also apply to CANONICAL-PER by
//! X.691).

use std::borrow::Cow;

use tam::{Error, ErrorKind, Words};
use xml::calendar::{Date, days_in_month};

use crate::iso8601::{self, Accuracy, Clock, DateForm, Fraction, Zone};
use crate::schema::StringKind;

/// The canonical form of a text: a GeneralizedTime or UTCTime in UTC, anything else unchanged.
///
/// # Errors
/// `unsupported` for a time that has no form in UTC: one without a zone, or an invalid one.
pub(crate) fn canonical<'t>(kind: StringKind, text: &'t str, format: &'static str) -> Result<Cow<'t, str>, Error> {
    let time = match kind {
        StringKind::GeneralizedTime => generalized_in_utc(text),
        StringKind::UtcTime => utc(text),
        kind if kind.is_iso8601() => iso8601::read(text).ok().map(|time| time.text(true)),
        _ => return Ok(Cow::Borrowed(text)),
    };
    match time {
        Some(time) if time == text => Ok(Cow::Borrowed(text)),
        Some(time) => Ok(Cow::Owned(time)),
        None => {
            let found = Words::Own(format!("{:?}", tam::excerpt(text)));
            let expected = match kind {
                StringKind::GeneralizedTime | StringKind::UtcTime => {
                    "a time that can be expressed in UTC (X.690 clauses 11.7 and 11.8)"
                }
                _ => "a time of ISO 8601",
            };
            Err(Error::new(ErrorKind::Unsupported, format, 0, found, expected))
        }
    }
}

/// Whether a text is a time of its type: for a GeneralizedTime or UTCTime, one of the forms of X.680 clauses 46 and 47, of a
/// day and an hour that there are.
pub(crate) fn is_valid(kind: StringKind, text: &str) -> bool {
    let has_zone = |zone: &str, moment| zone.is_empty() || in_utc(moment, zone).is_some();
    match kind {
        StringKind::GeneralizedTime => GeneralizedTime::of(text).is_some_and(|time| has_zone(time.zone, time.moment)),
        StringKind::UtcTime => utc_parts(text).is_some_and(|(moment, zone)| in_utc(moment, zone).is_some()),
        _ => true,
    }
}

/// Year, month, day, hours, minutes and seconds.
type Moment = [u32; 6];

/// The parts of `YYYYMMDDHH[MM[SS]][.f][Z|±HH[MM]]` (X.680 clause 46.3).
struct GeneralizedTime<'t> {
    moment: Moment,
    /// The seconds of its last part, of which it has a fraction.
    unit: u32,
    fraction: &'t str,
    /// Empty for a local time.
    zone: &'t str,
}

impl GeneralizedTime<'_> {
    fn of(text: &str) -> Option<GeneralizedTime<'_>> {
        let (written, rest) = digits(text);
        let unit = match written.len() {
            10 => 3600,
            12 => 60,
            14 => 1,
            _ => return None,
        };
        let moment = moment(written, 4)?;
        let (fraction, zone) = match rest.strip_prefix(['.', ',']) {
            Some(rest) => digits(rest),
            None => ("0", rest),
        };
        let is_after_midnight = moment[3] == 24 && fraction.bytes().any(|digit| digit != b'0');
        (!fraction.is_empty() && !is_after_midnight).then_some(GeneralizedTime { moment, unit, fraction, zone })
    }
}

/// A point in time as numbers.
///
/// ```
/// use lengthwise_asn1::{TimePoint, schema::StringKind};
///
/// # fn main() -> Result<(), &'static str> {
/// let point = TimePoint::read(StringKind::GeneralizedTime, "19700102003000.25+01")?;
/// assert_eq!((point.day, point.nanoseconds, point.ahead), (Some(0), Some(84_600_250_000_000), Some(0)));
/// assert_eq!(point.text(StringKind::DateTime).as_deref(), Some("1970-01-01T23:30:00.25Z"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePoint {
    /// Days from 1970-01-01 in the proleptic Gregorian calendar, if it has a date.
    pub day: Option<i64>,
    /// Nanoseconds from the beginning of the day to its end, if it has a time of day.
    pub nanoseconds: Option<i64>,
    /// Minutes that it is ahead of UTC, if it has a time zone.
    pub ahead: Option<i16>,
}

impl TimePoint {
    /// The numbers of a text of a type of time. Those of a GeneralizedTime or UTCTime with a time zone are in UTC.
    ///
    /// # Errors
    /// What of it has no such numbers: a leap second, fractions of a nanosecond, another form of dates.
    pub fn read(kind: StringKind, text: &str) -> Result<TimePoint, &'static str> {
        match kind {
            StringKind::GeneralizedTime => {
                let (moment, fraction, zone) = generalized(text).ok_or(NO_TIME)?;
                TimePoint::of_moment(moment, &fraction, zone)
            }
            StringKind::UtcTime => {
                let (moment, zone) = utc_parts(text).ok_or(NO_TIME)?;
                TimePoint::of_moment(moment, "", zone)
            }
            _ => match iso8601::read(text)? {
                iso8601::Time::Point(point) => TimePoint::of_iso8601(&point),
                _ => Err("an interval"),
            },
        }
    }

    fn of_moment(moment: Moment, fraction: &str, zone: &str) -> Result<TimePoint, &'static str> {
        let moment = if zone.is_empty() { moment } else { in_utc(moment, zone).ok_or(NO_TIME)? };
        let [year, month, day, hours, minutes, seconds] = moment;
        let date = Date { year: year.into(), month: month as u8, day: day as u8 };
        let nanos = nanoseconds([hours, minutes, seconds], fraction.bytes().map(|digit| digit - b'0'))?;
        let ahead = (!zone.is_empty()).then_some(0);
        Ok(TimePoint { day: Some(date.day_number() - first_day()), nanoseconds: Some(nanos), ahead })
    }

    fn of_iso8601(point: &iso8601::Point) -> Result<TimePoint, &'static str> {
        let day = point.date().map(|date| match date.form {
            DateForm::Day if date.year.unsigned_abs() < 1_000_000 => {
                let date = Date { year: date.year, month: date.part as u8, day: date.day };
                Ok(date.day_number() - first_day())
            }
            DateForm::Day => Err("a year of more than six digits"),
            _ => Err("a date of another form"),
        });
        let nanos = point.clock().map(|clock| {
            if clock.accuracy != Accuracy::Seconds {
                return Err("a time without seconds");
            }
            let (count, value) = clock.fraction.map_or((0, 0), |fraction| (fraction.digits, fraction.value));
            let digits = (0..count).rev().map(|place| (value / 10_u64.pow(place) % 10) as u8);
            nanoseconds([clock.hours, clock.minutes, clock.seconds].map(u32::from), digits)
        });
        let ahead = point.clock().and_then(|clock| match clock.zone {
            Zone::Local => None,
            Zone::Utc => Some(0),
            Zone::Ahead(minutes) => Some(minutes),
        });
        Ok(TimePoint { day: day.transpose()?, nanoseconds: nanos.transpose()?, ahead })
    }

    /// Its text in a type of time; `None` if it has none: a type of other texts, a UTCTime before 1950 or with a fraction.
    #[must_use]
    pub fn text(self, kind: StringKind) -> Option<String> {
        let date = self.day.map(|day| Date::from_day_number(day + first_day()));
        let (seconds, fraction) = self.nanoseconds.map_or((0, 0), |nanos| (nanos / SECOND, nanos % SECOND));
        let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
        if !kind.is_plain_time() {
            let date = date.map(|Date { year, month, day }| iso8601::Date {
                form: DateForm::Day,
                year,
                part: month.into(),
                day,
            });
            let [hours, minutes, seconds] = [hours, minutes, seconds].map(|number| number as u8);
            let (mut digits, mut value) = (9, fraction as u64);
            while value > 0 && value.is_multiple_of(10) {
                (digits, value) = (digits - 1, value / 10);
            }
            let fraction = (value > 0).then_some(Fraction { digits, value });
            let zone = match self.ahead {
                None => Zone::Local,
                Some(0) => Zone::Utc,
                Some(minutes) => Zone::Ahead(minutes),
            };
            let accuracy = Accuracy::Seconds;
            let clock = self.nanoseconds.map(|_| Clock { accuracy, hours, minutes, seconds, fraction, zone });
            let point = match (date, clock) {
                (Some(date), Some(clock)) => iso8601::Point::Both(date, clock),
                (Some(date), None) => iso8601::Point::Date(date),
                (None, clock) => iso8601::Point::Clock(clock?),
            };
            return kind.is_iso8601().then(|| iso8601::Time::Point(point).text(false));
        }
        let (Date { year, month, day }, _) = date.zip(self.nanoseconds)?;
        let zone = match self.ahead {
            None => "",
            Some(0) => "Z",
            Some(_) => return None,
        };
        let clock = format!("{month:02}{day:02}{hours:02}{minutes:02}{seconds:02}");
        match kind {
            StringKind::GeneralizedTime => {
                let digits = format!(".{fraction:09}");
                let fraction = digits.trim_end_matches('0').trim_end_matches('.');
                (0..10_000).contains(&year).then(|| format!("{year:04}{clock}{fraction}{zone}"))
            }
            _ => {
                let is_one = (1950..2050).contains(&year) && fraction == 0 && zone == "Z";
                is_one.then(|| format!("{:02}{clock}Z", year % 100))
            }
        }
    }
}

const NO_TIME: &str = "which is no time of its type";

/// Nanoseconds.
const SECOND: i64 = 1_000_000_000;

/// The number of 1970-01-01.
fn first_day() -> i64 {
    Date { year: 1970, month: 1, day: 1 }.day_number()
}

/// Nanoseconds of a time of day, whose seconds have a fraction of some digits.
fn nanoseconds([hours, minutes, seconds]: [u32; 3], fraction: impl Iterator<Item = u8>) -> Result<i64, &'static str> {
    if seconds == 60 {
        return Err("a leap second");
    }
    let (mut nanos, mut unit) = (i64::from((hours * 60 + minutes) * 60 + seconds) * SECOND, SECOND);
    for digit in fraction {
        unit /= 10;
        if unit == 0 && digit != 0 {
            return Err("a fraction of a nanosecond");
        }
        nanos += i64::from(digit) * unit;
    }
    Ok(nanos)
}

/// A GeneralizedTime as `YYYYMMDDHHMMSS[.f]Z`.
fn generalized_in_utc(text: &str) -> Option<String> {
    let (moment, fraction, zone) = generalized(text)?;
    let [year, month, day, hour, minute, second] = in_utc(moment, zone)?;
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}{point}{fraction}Z"))
}

/// The time of a GeneralizedTime, the digits of a fraction of its seconds without zeros at the end, and the zone.
fn generalized(text: &str) -> Option<(Moment, String, &str)> {
    let GeneralizedTime { moment: mut time, unit, fraction, zone } = GeneralizedTime::of(text)?;
    // A fraction of an hour or minute in seconds, by long multiplication, last digit first.
    let mut fraction = fraction.as_bytes().to_vec();
    let mut carry = 0;
    for digit in fraction.iter_mut().rev() {
        carry += u32::from(*digit - b'0') * unit;
        *digit = b'0' + (carry % 10) as u8;
        carry /= 10;
    }
    if unit > 1 {
        (time[4], time[5]) = (time[4] + carry / 60, carry % 60);
    }
    while fraction.last() == Some(&b'0') {
        fraction.pop();
    }
    Some((time, String::from_utf8(fraction).ok()?, zone))
}

/// The parts of `YYMMDDHHMM[SS](Z|±HHMM)` (X.680 clause 47.3).
fn utc_parts(text: &str) -> Option<(Moment, &str)> {
    let (digits, zone) = digits(text);
    let is_form = matches!(digits.len(), 10 | 12) && matches!(zone.len(), 1 | 5);
    Some((moment(digits, 2).filter(|_| is_form)?, zone))
}

/// A UTCTime as `YYMMDDHHMMSSZ`.
fn utc(text: &str) -> Option<String> {
    let (moment, zone) = utc_parts(text)?;
    let [year, month, day, hour, minute, second] = in_utc(moment, zone)?;
    Some(format!("{:02}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z", year % 100))
}

/// The digits that a text begins with, and the text after them.
fn digits(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or_default()
}

/// The values of digits: two digits each, except for the year; zero for missing ones.
fn moment(digits: &str, year: usize) -> Option<Moment> {
    let (first, rest) = digits.split_at_checked(year)?;
    let mut time = [first.parse().ok()?, 1, 1, 0, 0, 0];
    if year == 2 {
        // The day after 28 February depends on the century, which X.509 defines.
        time[0] += if time[0] < 50 { 2000 } else { 1900 };
    }
    for (field, two) in time.iter_mut().skip(1).zip(rest.as_bytes().chunks(2)) {
        *field = std::str::from_utf8(two).ok()?.parse().ok()?;
    }
    let [year, month, day, hour, minute, second] = time;
    // A leap second is the 61st of its minute.
    let is_date = (1..=12).contains(&month) && (1..=days_in_month(year.into(), month as u8).into()).contains(&day);
    (is_date && (hour < 24 || is_midnight(time)) && minute < 60 && second <= 60).then_some(time)
}

/// Whether this is the end of a day, which is written as the beginning of the next.
fn is_midnight([.., hour, minute, second]: Moment) -> bool {
    (hour, minute, second) == (24, 0, 0)
}

/// Subtracts the difference of a zone from UTC.
fn in_utc(time: Moment, zone: &str) -> Option<Moment> {
    let [year, month, day, hour, minute, second] = time;
    let (sign, ahead) = match zone.as_bytes() {
        b"Z" => (0, 0),
        [sign @ (b'+' | b'-'), digits @ ..] if matches!(digits.len(), 2 | 4) => {
            let two = |place: usize| std::str::from_utf8(digits.get(place..place + 2)?).ok()?.parse::<i32>().ok();
            let all_digits = digits.iter().all(u8::is_ascii_digit);
            let (hours, minutes) = (two(0)?, if digits.len() == 4 { two(2)? } else { 0 });
            if !all_digits || hours > 23 || minutes > 59 {
                return None;
            }
            (if *sign == b'+' { 1 } else { -1 }, hours * 60 + minutes)
        }
        _ => return None,
    };
    let minutes = (hour * 60 + minute) as i32 - sign * ahead;
    let date = Date { year: year.into(), month: month as u8, day: day as u8 };
    let date = match minutes.div_euclid(24 * 60) {
        ..0 => date.previous(),
        0 => date,
        _ => date.next(),
    };
    let year = u32::try_from(date.year).ok().filter(|year| *year < 10_000)?;
    let minutes = minutes.rem_euclid(24 * 60) as u32;
    Some([year, date.month.into(), date.day.into(), minutes / 60, minutes % 60, second])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Worked out by hand; the last five are the examples of other forms in X.690 clauses 11.7.5 and 11.8.3, with their
    /// canonical forms.
    #[test]
    fn times_are_written_in_utc_with_seconds_and_no_trailing_zeros() {
        for (kind, text, canonical) in [
            (StringKind::GeneralizedTime, "20250301060000Z", Some("20250301060000Z")),
            (StringKind::GeneralizedTime, "202503010600Z", Some("20250301060000Z")),
            (StringKind::GeneralizedTime, "2025030106Z", Some("20250301060000Z")),
            (StringKind::GeneralizedTime, "20250301060000.0Z", Some("20250301060000Z")),
            (StringKind::GeneralizedTime, "20250301060000,250Z", Some("20250301060000.25Z")),
            (StringKind::GeneralizedTime, "2025030106.5Z", Some("20250301063000Z")),
            (StringKind::GeneralizedTime, "2025030106.0001Z", Some("20250301060000.36Z")),
            (StringKind::GeneralizedTime, "202503010630.999Z", Some("20250301063059.94Z")),
            (StringKind::GeneralizedTime, "20250301003000+0100", Some("20250228233000Z")),
            (StringKind::GeneralizedTime, "20240301003000.5+01", Some("20240229233000.5Z")),
            (StringKind::GeneralizedTime, "20241231233000-0030", Some("20250101000000Z")),
            (StringKind::GeneralizedTime, "20250101000000+2359", Some("20241231000100Z")),
            (StringKind::GeneralizedTime, "20161231235960Z", Some("20161231235960Z")),
            (StringKind::UtcTime, "250301060000Z", Some("250301060000Z")),
            (StringKind::UtcTime, "2503010600Z", Some("250301060000Z")),
            (StringKind::UtcTime, "0002282300-0130", Some("000229003000Z")),
            (StringKind::UtcTime, "5001010000+0001", Some("491231235900Z")),
            // No zone; no time; digits out of range.
            (StringKind::GeneralizedTime, "20250301060000", None),
            (StringKind::GeneralizedTime, "20250229060000Z", None),
            (StringKind::GeneralizedTime, "20251301060000Z", None),
            (StringKind::GeneralizedTime, "20250301240001Z", None),
            (StringKind::GeneralizedTime, "20250301240000.5Z", None),
            (StringKind::GeneralizedTime, "2025030124.5Z", None),
            (StringKind::GeneralizedTime, "20250301060000.Z", None),
            (StringKind::GeneralizedTime, "20250301060000+1", None),
            (StringKind::GeneralizedTime, "20250301060000+01é", None),
            (StringKind::GeneralizedTime, "20250301060000Z ", None),
            (StringKind::GeneralizedTime, "00000101000000+0001", None),
            (StringKind::GeneralizedTime, "99991231235900-0001", None),
            (StringKind::GeneralizedTime, "", None),
            (StringKind::UtcTime, "250301060000", None),
            (StringKind::UtcTime, "250301060000+01", None),
            (StringKind::UtcTime, "25030106Z", None),
            (StringKind::UtcTime, "250301060000.5Z", None),
            (StringKind::GeneralizedTime, "19920520240000Z", Some("19920521000000Z")),
            (StringKind::GeneralizedTime, "19920622123421.0Z", Some("19920622123421Z")),
            (StringKind::GeneralizedTime, "19920722132100.30Z", Some("19920722132100.3Z")),
            (StringKind::UtcTime, "920520240000Z", Some("920521000000Z")),
            (StringKind::UtcTime, "9207221321Z", Some("920722132100Z")),
        ] {
            let result = super::canonical(kind, text, "ber");
            match canonical {
                Some(canonical) => assert_eq!(result.unwrap(), canonical, "{text}"),
                None => assert_eq!(result.unwrap_err().kind(), ErrorKind::Unsupported, "{text}"),
            }
        }
        assert_eq!(super::canonical(StringKind::Ia5, "20250301", "ber").unwrap(), "20250301");
    }
}
