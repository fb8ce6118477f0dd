//! Properties of times and their settings (X.680 clause 38.2), for SETTINGS constraints.

use super::*;

/// The settings of one or more SETTINGS constraints together; `None` where they leave a property open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Settings {
    pub(crate) basic: Option<Setting>,
    pub(crate) date: Option<Setting>,
    pub(crate) year: Option<YearSetting>,
    /// The accuracy, and the number of digits of a fraction.
    pub(crate) time: Option<(Setting, Option<u32>)>,
    pub(crate) zone: Option<Setting>,
    pub(crate) interval: Option<Setting>,
    pub(crate) point: Option<Setting>,
    /// The number of digits of a recurrence; `None` if it is without end.
    pub(crate) recurrence: Option<Option<u32>>,
    /// Whether midnight is the end of a day.
    pub(crate) midnight: Option<bool>,
}

/// The index of a setting within its property, in the order of [`BASIC`], [`DATE`], [`TIME`], [`ZONE`], [`INTERVAL`]
/// and [`POINT`].
pub(crate) type Setting = u8;

const BASIC: &[&str] = &["Date", "Time", "Date-Time", "Interval", "Rec-Interval"];
const DATE: &[&str] = &["C", "Y", "YM", "YMD", "YD", "YW", "YWD"];
const TIME: &[&str] = &["H", "HM", "HMS"];
const ZONE: &[&str] = &["L", "Z", "LD"];
const INTERVAL: &[&str] = &["SE", "D", "SD", "DE"];
const POINT: &[&str] = &["Date", "Time", "Date-Time"];

/// The range of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum YearSetting {
    /// 1582 to 9999.
    Basic,
    /// 0 to 1581.
    Proleptic,
    /// -9999 to -1.
    Negative,
    /// Of this many digits, 5 or more, with either sign.
    Large(u32),
}

impl YearSetting {
    fn of(date: &Date) -> YearSetting {
        let (century, digits) = match date.form {
            DateForm::Century => (100, 2),
            _ => (1, 0),
        };
        let year = date.year.unsigned_abs();
        match date.year {
            _ if year * century > 9999 => YearSetting::Large(year.ilog10() + 1 + digits),
            ..0 => YearSetting::Negative,
            0..1582 if century == 1 || year < 15 => YearSetting::Proleptic,
            _ => YearSetting::Basic,
        }
    }
}

impl Settings {
    /// `Basic=Date`.
    pub(crate) const DATE: Setting = 0;
    /// `Basic=Time`.
    pub(crate) const CLOCK: Setting = 1;
    /// `Basic=Date-Time`.
    pub(crate) const BOTH: Setting = 2;
    /// `Date=YMD`.
    pub(crate) const YMD: Setting = 3;
    /// `Local-or-UTC=L`.
    pub(crate) const LOCAL: Setting = 0;

    /// Parses the text of SETTINGS.
    ///
    /// # Errors
    /// What is not a property and setting, or is repeated.
    pub(crate) fn parse(text: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        for pair in text.split_ascii_whitespace() {
            settings.add(pair).ok_or_else(|| pair.to_owned())?;
        }
        if settings == Settings::default() { Err("no settings".to_owned()) } else { Ok(settings) }
    }

    fn add(&mut self, pair: &str) -> Option<()> {
        let (property, setting) = pair.split_once('=')?;
        let one_of = |settings: &[&str]| settings.iter().position(|of| *of == setting).map(|place| place as Setting);
        match property {
            "Basic" => put(&mut self.basic, one_of(BASIC)?),
            "Date" => put(&mut self.date, one_of(DATE)?),
            "Year" => put(
                &mut self.year,
                match setting {
                    "Basic" => YearSetting::Basic,
                    "Proleptic" => YearSetting::Proleptic,
                    "Negative" => YearSetting::Negative,
                    _ => YearSetting::Large(count(setting.strip_prefix('L')?).filter(|digits| *digits >= 5)?),
                },
            ),
            "Time" => put(
                &mut self.time,
                match setting.split_once('F') {
                    Some((time, digits)) => (TIME.iter().position(|of| *of == time)? as Setting, Some(count(digits)?)),
                    None => (one_of(TIME)?, None),
                },
            ),
            "Local-or-UTC" => put(&mut self.zone, one_of(ZONE)?),
            "Interval-type" => put(&mut self.interval, one_of(INTERVAL)?),
            "SE-point" => put(&mut self.point, one_of(POINT)?),
            "Recurrence" => put(
                &mut self.recurrence,
                match setting {
                    "Unlimited" => None,
                    _ => Some(count(setting.strip_prefix('R')?)?),
                },
            ),
            "Midnight" => put(
                &mut self.midnight,
                match setting {
                    "Start" => false,
                    "End" => true,
                    _ => return None,
                },
            ),
            _ => None,
        }
    }

    /// The settings that satisfy both; `None` if they require different settings of a property.
    pub(crate) fn meet(&self, other: &Settings) -> Option<Settings> {
        Some(Settings {
            basic: both(self.basic, other.basic)?,
            date: both(self.date, other.date)?,
            year: both(self.year, other.year)?,
            time: both(self.time, other.time)?,
            zone: both(self.zone, other.zone)?,
            interval: both(self.interval, other.interval)?,
            point: both(self.point, other.point)?,
            recurrence: both(self.recurrence, other.recurrence)?,
            midnight: both(self.midnight, other.midnight)?,
        })
    }

    /// Whether a time has these settings; for an interval, both of its ends.
    pub(crate) fn hold(&self, time: &Time) -> bool {
        let points = || time.points().into_iter().flatten();
        let dates = || points().filter_map(Point::date);
        let clocks = || points().filter_map(Point::clock);
        let (interval, recurrence) = match time {
            Time::Point(_) => (None, None),
            Time::Interval(interval) => (Some(interval), None),
            Time::Recurring(count, interval) => (Some(interval), Some(count.map(digits))),
        };
        let basic = match (time, recurrence) {
            (Time::Point(point), _) => place_of(point),
            (_, None) => 3,
            _ => 4,
        };
        let interval_type = interval.map(|interval| match interval {
            Interval::StartEnd(..) => 0,
            Interval::Duration(_) => 1,
            Interval::StartDuration(..) => 2,
            Interval::DurationEnd(..) => 3,
        });
        let point = interval.and_then(|_| points().next().map(place_of));
        let year = |setting| dates().next().is_some() && dates().all(|date| YearSetting::of(date) == setting);
        let clock = clocks().next();
        let midnight = |end| clock.is_some() && clocks().any(Clock::is_end_of_day) == end;
        self.basic.is_none_or(|setting| setting == basic)
            && self.date.is_none_or(|setting| dates().next().map(|date| date.form as u8) == Some(setting))
            && self.year.is_none_or(year)
            && self.time.is_none_or(|setting| {
                clock.map(|clock| (clock.accuracy as u8, clock.fraction.map(|fraction| fraction.digits)))
                    == Some(setting)
            })
            && self.zone.is_none_or(|setting| clock.map(|clock| clock.zone.kind()) == Some(setting))
            && self.interval.is_none_or(|setting| interval_type == Some(setting))
            && self.point.is_none_or(|setting| point == Some(setting))
            && self.recurrence.is_none_or(|setting| recurrence == Some(setting))
            && self.midnight.is_none_or(midnight)
    }
}

/// The index of a point's setting: a date, a time, or both.
fn place_of(point: &Point) -> Setting {
    match point {
        Point::Date(_) => 0,
        Point::Clock(_) => 1,
        Point::Both(..) => 2,
    }
}

/// The number of digits of a number.
fn digits(number: u64) -> u32 {
    number.checked_ilog10().unwrap_or_default() + 1
}

/// Parses a positive number of a setting.
fn count(digits: &str) -> Option<u32> {
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0');
    if plain { digits.parse().ok() } else { None }
}

fn put<T>(place: &mut Option<T>, setting: T) -> Option<()> {
    place.replace(setting).is_none().then_some(())
}

fn both<T: PartialEq>(one: Option<T>, other: Option<T>) -> Option<Option<T>> {
    match (one, other) {
        (Some(one), Some(other)) => (one == other).then_some(Some(one)),
        (one, other) => Some(one.or(other)),
    }
}
