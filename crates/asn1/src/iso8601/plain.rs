//! A fast path for the most frequent times: `2018-06-19`, `15:36:37`, `2018-06-19T15:36:37Z`.
//! [`read`](super::read::read) and [`Time::push`] handle all times.

use xml::calendar::{clock_digits, date_digits};

use super::*;

/// The parts of a plain time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainKind {
    /// `2018-06-19`.
    Date,
    /// `15:36:37`.
    Clock,
    /// `15:36:37Z`.
    ClockUtc,
    /// `2018-06-19T15:36:37`.
    Both,
    /// `2018-06-19T15:36:37Z`.
    BothUtc,
}

/// A day of the years 1582 to 9999, a second of a day, or both: no end of a day, no leap second, no fraction, and no
/// zone but UTC. Times of the same kind have the same settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    /// Which of the other fields are used.
    pub(crate) kind: PlainKind,
    pub(crate) year: u16,
    pub(crate) month: u8,
    pub(crate) day: u8,
    pub(crate) hours: u8,
    pub(crate) minutes: u8,
    pub(crate) seconds: u8,
}

impl PlainKind {
    /// All kinds.
    pub(crate) const ALL: [PlainKind; 5] =
        [PlainKind::Date, PlainKind::Clock, PlainKind::ClockUtc, PlainKind::Both, PlainKind::BothUtc];

    /// Whether there is a date.
    pub(crate) fn has_date(self) -> bool {
        !matches!(self, PlainKind::Clock | PlainKind::ClockUtc)
    }

    /// Whether there is a time of day.
    pub(crate) fn has_clock(self) -> bool {
        self != PlainKind::Date
    }

    /// Whether there is a `Z`.
    pub(crate) fn is_utc(self) -> bool {
        matches!(self, PlainKind::ClockUtc | PlainKind::BothUtc)
    }
}

impl Plain {
    /// A time of a kind, to test what applies to all of the kind.
    pub(crate) fn sample(kind: PlainKind) -> Plain {
        Plain { kind, year: 2000, month: 1, day: 1, hours: 0, minutes: 0, seconds: 0 }
    }

    /// Parses a text, if it is a plain time.
    #[inline]
    pub(crate) fn read(text: &[u8]) -> Option<Plain> {
        let (date, clock, utc) = match text.len() {
            8 => (None, text, false),
            9 => (None, text, true),
            10 => (text.first_chunk(), &[][..], false),
            19 => (text.first_chunk(), text.get(11..)?, false),
            20 => (text.first_chunk(), text.get(11..)?, true),
            _ => return None,
        };
        let kind = match (date.is_some(), clock.is_empty(), utc) {
            (true, true, _) => PlainKind::Date,
            (false, _, false) => PlainKind::Clock,
            (false, _, true) => PlainKind::ClockUtc,
            (true, false, false) => PlainKind::Both,
            (true, false, true) => PlainKind::BothUtc,
        };
        let mut plain = Plain::sample(kind);
        if let Some(date) = date {
            (plain.year, plain.month, plain.day) = date_digits(date)?;
            if kind.has_clock() && text.get(10) != Some(&b'T') {
                return None;
            }
        }
        if let Some(clock) = clock.first_chunk() {
            [plain.hours, plain.minutes, plain.seconds] = clock_digits(clock)?;
        }
        if utc && text.last() != Some(&b'Z') {
            return None;
        }
        plain.checked()
    }

    /// The time itself, if it exists.
    #[inline(always)]
    pub(crate) fn checked(self) -> Option<Plain> {
        let is_day = (1582..=9999).contains(&self.year)
            && (1..=12).contains(&self.month)
            && self.day > 0
            && (self.day <= 28 || self.day <= days_in_month(self.year.into(), self.month));
        (is_day && self.hours < 24 && self.minutes < 60 && self.seconds < 60).then_some(self)
    }

    /// Appends its text, which is canonical too.
    #[inline]
    pub(crate) fn push(self, out: &mut Vec<u8>) {
        let tens = |number: u8| b'0' + number / 10;
        let ones = |number: u8| b'0' + number % 10;
        let (high, low) = ((self.year / 100) as u8, (self.year % 100) as u8);
        let Plain { kind, month, day, hours, minutes, seconds, .. } = self;
        #[rustfmt::skip]
        let text = [
            tens(high), ones(high), tens(low), ones(low), b'-', tens(month), ones(month), b'-', tens(day), ones(day), b'T',
            tens(hours), ones(hours), b':', tens(minutes), ones(minutes), b':', tens(seconds), ones(seconds), b'Z',
        ];
        let start = if kind.has_date() { 0 } else { 11 };
        let end = if !kind.has_clock() { 10 } else { 19 + usize::from(kind.is_utc()) };
        out.extend_from_slice(text.get(start..end).unwrap_or_default());
    }
}

impl From<Plain> for Time {
    fn from(plain: Plain) -> Time {
        let Plain { kind, year, month, day, hours, minutes, seconds } = plain;
        let date = Date { form: DateForm::Day, year: year.into(), part: month.into(), day };
        let zone = if kind.is_utc() { Zone::Utc } else { Zone::Local };
        let clock = Clock { accuracy: Accuracy::Seconds, hours, minutes, seconds, fraction: None, zone };
        Time::Point(match (kind.has_date(), kind.has_clock()) {
            (true, false) => Point::Date(date),
            (false, _) => Point::Clock(clock),
            (true, true) => Point::Both(date, clock),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(plain: Plain) -> String {
        let mut out = Vec::new();
        plain.push(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn plain_times_are_read_and_printed_as_all_are() {
        for kind in PlainKind::ALL {
            for (year, month, day) in [(1582, 1, 1), (1900, 2, 28), (2000, 2, 29), (2018, 6, 19), (9999, 12, 31)] {
                for (hours, minutes, seconds) in [(0, 0, 0), (9, 10, 59), (23, 59, 8)] {
                    let plain = Plain { kind, year, month, day, hours, minutes, seconds };
                    let text = text(plain);
                    let read = Plain::read(text.as_bytes()).unwrap();
                    assert_eq!(Time::from(read), Time::from(plain));
                    assert_eq!(super::super::read(&text), Ok(plain.into()));
                    assert_eq!((&Time::from(plain).text(false), &Time::from(plain).text(true)), (&text, &text));
                }
            }
        }
    }

    #[test]
    fn what_is_no_plain_time_is_not_taken_for_one() {
        let texts = ["2018-06-19T15:36:37Z", "2018-06-19T15:36:37", "2018-06-19", "15:36:37Z", "15:36:37"];
        for text in texts {
            assert!(Plain::read(text.as_bytes()).is_some(), "{text}");
            // Every other byte at every position: the result is the same as that of the general reader, or left to it.
            for at in 0..text.len() {
                for byte in 0..=0xFF {
                    let mut other = text.as_bytes().to_vec();
                    other[at] = byte;
                    if let Some(plain) = Plain::read(&other) {
                        let other = std::str::from_utf8(&other).unwrap();
                        assert_eq!(super::super::read(other), Ok(plain.into()), "{other}");
                    }
                }
            }
            assert_eq!(Plain::read(&text.as_bytes()[1..]), None);
            assert_eq!(
                Plain::read(format!("{text}Z").as_bytes()).is_some(),
                text.len() % 10 != 0 && !text.ends_with('Z')
            );
        }
        for text in ["2018-02-29", "1900-02-29", "1581-12-31", "2018-00-01", "2018-13-01", "2018-06-31", "2018-06-00"] {
            assert_eq!(Plain::read(text.as_bytes()), None, "{text}");
        }
        for text in ["24:00:00", "23:60:00", "23:59:60", "15:36:37+", "15:36:3,7"] {
            assert_eq!(Plain::read(text.as_bytes()), None, "{text}");
        }
    }
}
