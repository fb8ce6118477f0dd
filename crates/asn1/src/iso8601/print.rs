//! Times as text.

use super::*;
use crate::schema::StringKind;

impl Time {
    /// Its text: in the form that the store has for values from PER, or in the canonical form, which leaves out the
    /// zero minutes of a difference from UTC (X.690 clause 11).
    pub(crate) fn text(&self, canonical: bool) -> String {
        let mut out = Vec::new();
        self.push(&mut out, canonical);
        String::from_utf8(out).unwrap_or_default()
    }

    /// Appends its text.
    pub(crate) fn push(&self, out: &mut Vec<u8>, canonical: bool) {
        let interval = match self {
            Time::Point(point) => return push_point(out, point, canonical),
            Time::Interval(interval) => interval,
            Time::Recurring(count, interval) => {
                out.push(b'R');
                if let Some(count) = count {
                    push_number(out, *count, 1);
                }
                out.push(b'/');
                interval
            }
        };
        match interval {
            Interval::Duration(duration) => push_duration(out, duration),
            Interval::StartEnd(start, end) => {
                push_point(out, start, canonical);
                out.push(b'/');
                push_point(out, end, canonical);
            }
            Interval::StartDuration(start, duration) => {
                push_point(out, start, canonical);
                out.push(b'/');
                push_duration(out, duration);
            }
            Interval::DurationEnd(duration, end) => {
                push_duration(out, duration);
                out.push(b'/');
                push_point(out, end, canonical);
            }
        }
    }
}

/// Appends a number in at least `width` digits.
fn push_number(out: &mut Vec<u8>, number: u64, width: usize) {
    let digit = |power: u64| b'0' + (number / power % 10) as u8;
    match (width, number) {
        (2, ..100) => return out.extend_from_slice(&[digit(10), digit(1)]),
        (4, ..10_000) => return out.extend_from_slice(&[digit(1000), digit(100), digit(10), digit(1)]),
        _ => {}
    }
    // The maximal length of a number of 64 bits.
    let mut digits = [b'0'; 20];
    let (mut start, mut rest) = (digits.len(), number);
    for digit in digits.iter_mut().rev() {
        if rest == 0 {
            break;
        }
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
        start -= 1;
    }
    let start = start.min(digits.len().saturating_sub(width));
    out.extend_from_slice(digits.get(start..).unwrap_or_default());
}

fn push_point(out: &mut Vec<u8>, point: &Point, canonical: bool) {
    if let Some(date) = point.date() {
        push_date(out, date);
    }
    if let Point::Both(..) = point {
        out.push(b'T');
    }
    if let Some(clock) = point.clock() {
        push_clock(out, clock, canonical);
    }
}

fn push_date(out: &mut Vec<u8>, date: &Date) {
    let century = date.form == DateForm::Century;
    let (most, width) = if century { (99, 2) } else { (9999, 4) };
    if date.year < 0 {
        out.push(b'-');
    } else if date.year > most {
        out.push(b'+');
    }
    push_number(out, date.year.unsigned_abs(), width);
    let (before, width): (&[u8], usize) = match date.form {
        DateForm::Century => return out.push(b'C'),
        DateForm::Year => return,
        DateForm::Month | DateForm::Day => (b"-", 2),
        DateForm::DayOfYear => (b"-", 3),
        DateForm::Week | DateForm::DayOfWeek => (b"-W", 2),
    };
    out.extend_from_slice(before);
    push_number(out, date.part.into(), width);
    if let DateForm::Day | DateForm::DayOfWeek = date.form {
        out.push(b'-');
        push_number(out, date.day.into(), if date.form == DateForm::Day { 2 } else { 1 });
    }
}

fn push_clock(out: &mut Vec<u8>, clock: &Clock, canonical: bool) {
    push_number(out, clock.hours.into(), 2);
    if clock.accuracy != Accuracy::Hours {
        out.push(b':');
        push_number(out, clock.minutes.into(), 2);
    }
    if clock.accuracy == Accuracy::Seconds {
        out.push(b':');
        push_number(out, clock.seconds.into(), 2);
    }
    push_fraction(out, clock.fraction);
    match clock.zone {
        Zone::Local => {}
        Zone::Utc => out.push(b'Z'),
        Zone::Ahead(ahead) => {
            let minutes = ahead.unsigned_abs();
            out.push(if ahead < 0 { b'-' } else { b'+' });
            push_number(out, u64::from(minutes / 60), 2);
            if !canonical || minutes % 60 > 0 {
                out.push(b':');
                push_number(out, u64::from(minutes % 60), 2);
            }
        }
    }
}

fn push_fraction(out: &mut Vec<u8>, fraction: Option<Fraction>) {
    if let Some(Fraction { digits, value }) = fraction {
        out.push(b'.');
        push_number(out, value, digits as usize);
    }
}

fn push_duration(out: &mut Vec<u8>, duration: &Duration) {
    out.push(b'P');
    let last = duration.last();
    for (place, (part, letter)) in duration.parts.iter().zip(*b"YMWDHMS").enumerate() {
        let Some(part) = part else { continue };
        // The first part that is a time.
        if place > 3 && duration.parts.iter().take(place).skip(4).all(Option::is_none) {
            out.push(b'T');
        }
        push_number(out, *part, 1);
        if Some(place) == last {
            push_fraction(out, duration.fraction);
        }
        out.push(letter);
    }
}

/// The text of a value in BER: types with few forms omit what is the same in all values (X.690 clause 8.26).
pub(crate) fn compact(kind: StringKind, text: &str) -> String {
    match kind {
        StringKind::Duration => text.strip_prefix('P').unwrap_or(text).to_owned(),
        StringKind::Date | StringKind::TimeOfDay | StringKind::DateTime => {
            text.chars().filter(char::is_ascii_digit).collect()
        }
        _ => text.to_owned(),
    }
}

/// The reverse: appends the text for the octets of BER to `out`. Returns `false` for octets of another form.
pub(crate) fn spread(kind: StringKind, octets: &[u8], out: &mut String) -> bool {
    let pattern = match kind {
        StringKind::Date => "dddd-dd-dd",
        StringKind::TimeOfDay => "dd:dd:dd",
        StringKind::DateTime => "dddd-dd-ddTdd:dd:dd",
        StringKind::Duration | StringKind::Time => {
            if kind == StringKind::Duration {
                out.push('P');
            }
            return match std::str::from_utf8(octets) {
                Ok(text) => {
                    out.push_str(text);
                    true
                }
                Err(_) => false,
            };
        }
        _ => return false,
    };
    let mut octets = octets.iter();
    for sign in pattern.chars() {
        match sign {
            'd' => match octets.next() {
                Some(digit @ b'0'..=b'9') => out.push(char::from(*digit)),
                _ => return false,
            },
            sign => out.push(sign),
        }
    }
    octets.next().is_none()
}
