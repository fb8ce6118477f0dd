//! Parses the extended formats of ISO 8601, with `C` after a century (X.680 clause 38).

use super::*;

/// Parses a text.
///
/// # Errors
/// A description of what is wrong.
pub(crate) fn read(text: &str) -> Result<Time, &'static str> {
    let time = match text.strip_prefix('R') {
        Some(rest) => {
            let (count, rest) = parts(rest, b'/').ok_or(NONE)?;
            let count = if count.is_empty() { None } else { Some(number(count)?) };
            Time::Recurring(count, interval(rest)?.ok_or("which recurs and is not an interval")?)
        }
        None => match interval(text)? {
            Some(interval) => Time::Interval(interval),
            None => Time::Point(point(text)?),
        },
    };
    time.checked()
}

/// The description of a text that is not a time at all.
const NONE: &str = "which is not a time of ISO 8601";

fn interval(text: &str) -> Result<Option<Interval>, &'static str> {
    Ok(Some(match parts(text, b'/') {
        None => match text.strip_prefix('P') {
            Some(text) => Interval::Duration(duration(text)?),
            None => return Ok(None),
        },
        Some((start, end)) => match (start.strip_prefix('P'), end.strip_prefix('P')) {
            (Some(start), None) => Interval::DurationEnd(duration(start)?, point(end)?),
            (None, Some(end)) => Interval::StartDuration(point(start)?, duration(end)?),
            (None, None) => Interval::StartEnd(point(start)?, point(end)?),
            (Some(_), Some(_)) => return Err("an interval of two durations"),
        },
    }))
}

fn point(text: &str) -> Result<Point, &'static str> {
    if let Some((day, time)) = parts(text, b'T') {
        return Ok(Point::Both(date(day)?, clock(time)?));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    // Two digits are hours, unless `C` follows.
    let is_date = digits != 2 || text.as_bytes().get(2) == Some(&b'C');
    if is_date { date(text).map(Point::Date) } else { clock(text).map(Point::Clock) }
}

/// `2025-03-01` and the like; the year has a sign if it is below 0 or above 9999.
fn date(text: &str) -> Result<Date, &'static str> {
    let (negative, rest) = match text.as_bytes().first() {
        Some(b'-') => (true, text.get(1..).unwrap_or_default()),
        Some(b'+') => (false, text.get(1..).unwrap_or_default()),
        _ => (false, text),
    };
    let signed = rest.len() < text.len();
    let end = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (year, rest) = rest.split_at_checked(end).ok_or(NONE)?;
    let century = rest == "C";
    // The year must have the exact number of digits, and a sign where one is required.
    let least = if century { 2 } else { 4 };
    let fits = match (year.len(), signed) {
        (len, false) => len == least,
        (len, true) if len == least => negative && year.bytes().any(|digit| digit != b'0'),
        (len, true) => len > least && !year.starts_with('0'),
    };
    if !fits {
        return Err(NONE);
    }
    let year = number(year)? as i64;
    let year = if negative { -year } else { year };
    let date = |form, part: &str, day: &str| {
        let value = |digits: &str, len| match digits.len() == len && digits.bytes().all(|digit| digit.is_ascii_digit())
        {
            true => digits.parse::<u16>().map_err(|_| NONE),
            false => Err(NONE),
        };
        let part = if part.is_empty() { 0 } else { value(part, if form == DateForm::DayOfYear { 3 } else { 2 })? };
        let day = if day.is_empty() { 0 } else { value(day, if form == DateForm::DayOfWeek { 1 } else { 2 })? };
        Ok(Date { form, year, part, day: day as u8 })
    };
    if century {
        return date(DateForm::Century, "", "");
    }
    let Some(rest) = rest.strip_prefix('-') else {
        return if rest.is_empty() { date(DateForm::Year, "", "") } else { Err(NONE) };
    };
    match (rest.strip_prefix('W'), rest.len()) {
        (Some(week), 3) => date(DateForm::Week, week, ""),
        (Some(rest), 5) => {
            let (week, day) = parts(rest, b'-').ok_or(NONE)?;
            date(DateForm::DayOfWeek, week, day)
        }
        (None, 2) => date(DateForm::Month, rest, ""),
        (None, 3) => date(DateForm::DayOfYear, rest, ""),
        (None, 5) => {
            let (month, day) = parts(rest, b'-').ok_or(NONE)?;
            date(DateForm::Day, month, day)
        }
        _ => Err(NONE),
    }
}

/// `06:30:00.5+01:00` and the like.
fn clock(text: &str) -> Result<Clock, &'static str> {
    let end = text.bytes().position(|byte| matches!(byte, b'Z' | b'+' | b'-')).unwrap_or(text.len());
    let (text, zone) = text.split_at_checked(end).ok_or(NONE)?;
    let (text, fraction) = match parts(text, b'.').or_else(|| parts(text, b',')) {
        Some((text, digits)) => (text, Some(fraction(digits)?)),
        None => (text, None),
    };
    let mut fields = text.as_bytes().split(|byte| *byte == b':').map(two);
    let hours = fields.next().unwrap_or(Err(NONE))?;
    let (minutes, seconds) = (fields.next().transpose()?, fields.next().transpose()?);
    if fields.next().is_some() {
        return Err(NONE);
    }
    let accuracy = match (minutes, seconds) {
        (None, _) => Accuracy::Hours,
        (_, None) => Accuracy::Minutes,
        _ => Accuracy::Seconds,
    };
    let (minutes, seconds) = (minutes.unwrap_or_default(), seconds.unwrap_or_default());
    Ok(Clock { accuracy, hours, minutes, seconds, fraction, zone: self::zone(zone)? })
}

fn zone(text: &str) -> Result<Zone, &'static str> {
    let negative = match text.as_bytes() {
        [] => return Ok(Zone::Local),
        b"Z" => return Ok(Zone::Utc),
        [sign, ..] => *sign == b'-',
    };
    let mut fields = text.as_bytes().get(1..).unwrap_or_default().split(|byte| *byte == b':').map(two);
    let hours = fields.next().unwrap_or(Err(NONE))?;
    let minutes = fields.next().transpose()?.unwrap_or_default();
    if fields.next().is_some() || minutes > 59 {
        return Err(NONE);
    }
    match i16::from(hours) * 60 + i16::from(minutes) {
        0 if negative => Err("a difference of no time from UTC with a minus sign"),
        ahead if negative => Ok(Zone::Ahead(-ahead)),
        ahead => Ok(Zone::Ahead(ahead)),
    }
}

/// Parses what follows the `P` of a duration.
fn duration(text: &str) -> Result<Duration, &'static str> {
    let (days, time) = match text.split_once('T') {
        Some((_, "")) => return Err(NONE),
        Some((days, time)) => (days, time),
        None => (text, ""),
    };
    let mut duration = Duration { parts: [None; 7], fraction: None };
    let mut next = 0;
    for (mut text, letters) in
        [(days, &[(b'Y', 0), (b'M', 1), (b'W', 2), (b'D', 3)][..]), (time, &[(b'H', 4), (b'M', 5), (b'S', 6)][..])]
    {
        while !text.is_empty() {
            if duration.fraction.is_some() {
                return Err("a fraction in front of other parts of a duration");
            }
            let end = text.bytes().position(|byte| byte.is_ascii_alphabetic()).ok_or(NONE)?;
            let (digits, rest) = text.split_at_checked(end).ok_or(NONE)?;
            let letter = rest.as_bytes().first();
            let place = letters.iter().find(|(of, _)| Some(of) == letter).map(|(_, place)| *place);
            let place = place.filter(|place| *place >= next).ok_or(NONE)?;
            let whole = match parts(digits, b'.').or_else(|| parts(digits, b',')) {
                Some((whole, digits)) => {
                    duration.fraction = Some(fraction(digits)?);
                    whole
                }
                None => digits,
            };
            if let Some(part) = duration.parts.get_mut(place) {
                *part = Some(number(whole)?);
            }
            next = place + 1;
            text = rest.get(1..).unwrap_or_default();
        }
    }
    Ok(duration.without_zeros())
}

fn fraction(digits: &str) -> Result<Fraction, &'static str> {
    if digits.len() > DIGITS as usize {
        return Err(LONG);
    }
    Ok(Fraction { digits: digits.len() as u32, value: number(digits)? })
}

/// The text before and after the first such byte.
fn parts(text: &str, by: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == by)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Parses two digits.
fn two(text: &[u8]) -> Result<u8, &'static str> {
    match text {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => Ok((tens - b'0') * 10 + (ones - b'0')),
        _ => Err(NONE),
    }
}

/// Parses one or more digits; leading zeros do not count.
fn number(digits: &str) -> Result<u64, &'static str> {
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(NONE);
    }
    let digits = digits.trim_start_matches('0');
    if digits.len() > DIGITS as usize {
        return Err(LONG);
    }
    Ok(digits.bytes().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
}
