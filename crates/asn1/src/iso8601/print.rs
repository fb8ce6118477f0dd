//! Times as text.

use std::fmt::Write;

use super::*;
use crate::schema::StringKind;

impl Time {
    /// The text of it: in the form in which values from PER stand in the store, or in the only one that
    /// canonical rules have, which leaves the zero minutes of a difference from UTC out (X.690 clause
    /// 11).
    pub(crate) fn text(&self, canonical: bool) -> String {
        let mut out = String::new();
        let interval = match self {
            Time::Point(point) => {
                push_point(&mut out, point, canonical);
                return out;
            }
            Time::Interval(interval) => interval,
            Time::Recurring(count, interval) => {
                out.push('R');
                if let Some(count) = count {
                    let _ = write!(out, "{count}");
                }
                out.push('/');
                interval
            }
        };
        match interval {
            Interval::Duration(duration) => push_duration(&mut out, duration),
            Interval::StartEnd(start, end) => {
                push_point(&mut out, start, canonical);
                out.push('/');
                push_point(&mut out, end, canonical);
            }
            Interval::StartDuration(start, duration) => {
                push_point(&mut out, start, canonical);
                out.push('/');
                push_duration(&mut out, duration);
            }
            Interval::DurationEnd(duration, end) => {
                push_duration(&mut out, duration);
                out.push('/');
                push_point(&mut out, end, canonical);
            }
        }
        out
    }
}

fn push_point(out: &mut String, point: &Point, canonical: bool) {
    if let Some(date) = point.date() {
        push_date(out, date);
    }
    if let Point::Both(..) = point {
        out.push('T');
    }
    if let Some(clock) = point.clock() {
        push_clock(out, clock, canonical);
    }
}

fn push_date(out: &mut String, date: &Date) {
    let century = date.form == DateForm::Century;
    let (most, width) = if century { (99, 2) } else { (9999, 4) };
    if date.year < 0 {
        out.push('-');
    } else if date.year > most {
        out.push('+');
    }
    let _ = write!(out, "{:0width$}", date.year.unsigned_abs());
    let Date { part, day, .. } = date;
    let _ = match date.form {
        DateForm::Century => write!(out, "C"),
        DateForm::Year => Ok(()),
        DateForm::Month => write!(out, "-{part:02}"),
        DateForm::Day => write!(out, "-{part:02}-{day:02}"),
        DateForm::DayOfYear => write!(out, "-{part:03}"),
        DateForm::Week => write!(out, "-W{part:02}"),
        DateForm::DayOfWeek => write!(out, "-W{part:02}-{day}"),
    };
}

fn push_clock(out: &mut String, clock: &Clock, canonical: bool) {
    let Clock { hours, minutes, seconds, .. } = clock;
    let _ = match clock.accuracy {
        Accuracy::Hours => write!(out, "{hours:02}"),
        Accuracy::Minutes => write!(out, "{hours:02}:{minutes:02}"),
        Accuracy::Seconds => write!(out, "{hours:02}:{minutes:02}:{seconds:02}"),
    };
    push_fraction(out, clock.fraction);
    match clock.zone {
        Zone::Local => {}
        Zone::Utc => out.push('Z'),
        Zone::Ahead(ahead) => {
            let minutes = ahead.unsigned_abs();
            let _ = write!(out, "{}{:02}", if ahead < 0 { '-' } else { '+' }, minutes / 60);
            if !canonical || minutes % 60 > 0 {
                let _ = write!(out, ":{:02}", minutes % 60);
            }
        }
    }
}

fn push_fraction(out: &mut String, fraction: Option<Fraction>) {
    if let Some(Fraction { digits, value }) = fraction {
        let _ = write!(out, ".{value:0width$}", width = digits as usize);
    }
}

fn push_duration(out: &mut String, duration: &Duration) {
    out.push('P');
    let last = duration.last();
    for (place, (part, letter)) in duration.parts.iter().zip("YMWDHMS".chars()).enumerate() {
        let Some(part) = part else { continue };
        // The first part that is one of time.
        if place > 3 && duration.parts.iter().take(place).skip(4).all(Option::is_none) {
            out.push('T');
        }
        let _ = write!(out, "{part}");
        if Some(place) == last {
            push_fraction(out, duration.fraction);
        }
        out.push(letter);
    }
}

/// The text of a value as BER has it: that of the types of few forms goes without what is the same in
/// all values (X.690 clause 8.26).
pub(crate) fn compact(kind: StringKind, text: &str) -> String {
    match kind {
        StringKind::Duration => text.strip_prefix('P').unwrap_or(text).to_owned(),
        StringKind::Date | StringKind::TimeOfDay | StringKind::DateTime => {
            text.chars().filter(char::is_ascii_digit).collect()
        }
        _ => text.to_owned(),
    }
}

/// The same back: what the octets of BER say, put after what is in `out`. `false` where they have
/// another form.
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
