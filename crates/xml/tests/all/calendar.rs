//! Dates and times: XML Schema Part 2 sections 3.2.7 to 3.2.14, against days counted one by one.

use std::cmp::Ordering::{Equal, Greater, Less};

use lengthwise_xml::calendar::{
    Date, Time, TimeKind, clock_digits, date_digits, days_in_month, is_leap, weeks_in_year,
};
use test_support::Random;

fn holds(kind: TimeKind, good: &[&str], bad: &[&str]) {
    good.iter().for_each(|text| assert!(Time::parse(kind, text).is_some(), "{kind:?} {text}"));
    bad.iter().for_each(|text| assert!(Time::parse(kind, text).is_none(), "{kind:?} {text}"));
}

fn order(kind: TimeKind, one: &str, other: &str) -> Option<std::cmp::Ordering> {
    let instant = |text| Time::parse(kind, text).unwrap().instant().unwrap();
    instant(one).partial_cmp(&instant(other))
}

/// A calendar of days counted one by one: each is the day after the one before.
struct Days {
    year: i64,
    month: u8,
    day: u8,
    /// Days from 1970-01-01.
    number: i64,
}

impl Days {
    /// A day that many days before 1970-01-01.
    fn back(mut count: i64) -> Days {
        let mut days = Days { year: 1970, month: 1, day: 1, number: 0 };
        while count > 0 {
            (days.number, count) = (days.number - 1, count - 1);
            if days.day > 1 {
                days.day -= 1;
                continue;
            }
            (days.year, days.month) = if days.month > 1 { (days.year, days.month - 1) } else { (days.year - 1, 12) };
            days.day = days.last();
        }
        days
    }

    fn step(&mut self) {
        self.number += 1;
        if self.day < self.last() {
            self.day += 1;
            return;
        }
        self.day = 1;
        (self.year, self.month) = if self.month < 12 { (self.year, self.month + 1) } else { (self.year + 1, 1) };
    }

    /// The last day of the month. Thirty days have September, April, June and November.
    fn last(&self) -> u8 {
        if [9, 4, 6, 11].contains(&self.month) {
            return 30;
        }
        let century = self.year.rem_euclid(100) == 0;
        let is_leap = if century { (self.year / 100).rem_euclid(4) == 0 } else { self.year.rem_euclid(4) == 0 };
        if self.month == 2 { if is_leap { 29 } else { 28 } } else { 31 }
    }
}

#[test]
fn days_are_numbered_one_after_the_other() {
    // From year -400 to 2400.
    let mut days = Days::back(866_000);
    assert!(days.year < -400, "{}", days.year);
    let epoch = Date { year: 1970, month: 1, day: 1 }.day_number();
    while days.year < 2400 {
        let date = Date { year: days.year, month: days.month, day: days.day };
        assert_eq!(date.day_number() - epoch, days.number, "{date:?}");
        assert_eq!(days_in_month(days.year, days.month), days.last(), "{date:?}");
        days.step();
        let next = Date { year: days.year, month: days.month, day: days.day };
        assert_eq!((date.next(), next.previous()), (next, date));
    }
    // 400 years later the calendar is the same again; also of the largest years.
    for year in [-999_999_999_999_600, -400, 0, 1600, 999_999_999_999_200] {
        let first = |year| Date { year, month: 1, day: 1 }.day_number();
        assert_eq!(first(year + 400) - first(year), 146_097);
        assert!(is_leap(year) && !is_leap(year + 100) && is_leap(year + 104) && !is_leap(year + 1));
    }
    assert_eq!(Date { year: 0, month: 1, day: 1 }.day_number(), 0);
}

/// ISO 8601 section 3.2.2: week 01 has the first Thursday of the year.
#[test]
fn years_have_as_many_weeks_as_thursdays() {
    let mut days = Days::back(866_000);
    let mut thursdays = 0;
    let mut year = days.year;
    while days.year < 2400 {
        if days.year > year {
            assert!(year < -401 || thursdays == weeks_in_year(year), "{year}");
            (year, thursdays) = (days.year, 0);
        }
        // 1970-01-01 was a Thursday.
        thursdays += u8::from(days.number.rem_euclid(7) == 0);
        days.step();
    }
    // As calendars say.
    let long: Vec<i64> = (2000..2031).filter(|year| weeks_in_year(*year) == 53).collect();
    assert_eq!(long, [2004, 2009, 2015, 2020, 2026]);
    for start in [-1000, -400, 0, 1999] {
        assert_eq!((start..start + 400).filter(|year| weeks_in_year(*year) == 53).count(), 71);
    }
}

/// Sections 3.2.7.1 to 3.2.14.1.
#[test]
fn dates_and_times_have_their_forms() {
    holds(
        TimeKind::DateTime,
        &[
            "2000-03-04T23:00:00+03:00",
            "1999-05-31T13:20:00.5",
            "-0001-01-01T00:00:00Z",
            "12004-04-12T13:20:00-14:00",
            "2000-02-29T24:00:00",
            "2004-07-20T13:20:59.0000000+10:00",
        ],
        &[
            "2000-03-04",
            "2001-02-29T00:00:00",
            "99-01-01T00:00:00",
            "2000-01-01T24:00:01",
            "2000-01-01T24:00:00.5",
            "2000-01-01T00:00:60",
            "2000-01-01T00:00:00+14:01",
            "2000-01-01T00:00:00.",
            "2000-13-01T00:00:00",
            "2000-01-01 00:00:00",
            "2000-01-01t00:00:00z",
            "2000-1-01T00:00:00",
            "+2000-01-01T00:00:00",
            "2004\u{ad}07-20T13:20:00",
        ],
    );
    holds(
        TimeKind::Time,
        &["13:20:00", "13:20:30.5555Z", "24:00:00"],
        &["5:20:00", "13:20", "25:00:00", "13:61:00", "T13:20:00"],
    );
    holds(
        TimeKind::Date,
        &["2004-04-12", "2004-04-12+14:00", "-0045-01-01", "1900-02-28", "2000-02-29"],
        &["1900-02-29", "2004-4-12", "2004-04-31", "2004-04-00", "2004-00-12", "2004-04-12T", "2004-04-12+1:00"],
    );
    holds(TimeKind::GYearMonth, &["2004-04", "2004-04-05:00"], &["99-04", "2004", "2004-13", "2004-00"]);
    holds(TimeKind::GYear, &["2004", "-2004", "12004Z", "2004-05:00"], &["99", "04", "02004", "2004-04"]);
    holds(TimeKind::GMonthDay, &["--04-12", "--02-29Z"], &["04-12", "--02-30", "--13-01", "-04-12"]);
    holds(TimeKind::GDay, &["---02", "---31Z"], &["--30", "---32", "---2", "---00"]);
    holds(TimeKind::GMonth, &["--04", "--12-05:00"], &["--13", "-04", "--4", "--04--"]);
}

/// Section 3.2.7.1: "if more than four digits, leading zeros are prohibited, and '0000' is prohibited". `tdxml` took the
/// year 0000, and `xsd` did not.
#[test]
fn there_is_no_year_zero() {
    holds(
        TimeKind::Date,
        &["0001-01-01", "-0001-01-01", "10000-01-01"],
        &["0000-01-01", "-0000-01-01", "01000-01-01", "00000-01-01"],
    );
    holds(TimeKind::GYear, &["0001"], &["0000", "-0000"]);
}

/// Section 3.2.7, note: the year before 0001 is -0001, so that it, -0005 and -0401 are leap years of the proleptic Gregorian
/// calendar. `tdxml` took the number as it is (-0004), and so did the mapping of `xsd` to ASN.1, and the validator did not.
#[test]
fn years_below_zero_are_leap_years_four_apart_from_one() {
    let is_leap = |year: &str| Time::parse(TimeKind::Date, &format!("{year}-02-29")).is_some();
    for year in ["-0001", "-0005", "-0401", "-0097", "-10001", "0004", "2000", "12000"] {
        assert!(is_leap(year), "{year}");
    }
    for year in ["-0004", "-0101", "-0100", "-0400", "-10000", "1900", "0001"] {
        assert!(!is_leap(year), "{year}");
    }
    assert_eq!(order(TimeKind::DateTime, "-0001-12-31T24:00:00Z", "0001-01-01T00:00:00Z"), Some(Equal));
    assert_eq!(order(TimeKind::Date, "-0002-01-01", "-0001-01-01"), Some(Less));
}

/// Section 3.2.7: years have any number of digits; "processors [...] may set an application-defined limit", which
/// [`Time::instant`] does at 15.
#[test]
fn years_of_many_digits_are_values() {
    fn time(digits: &str) -> Time<'_> {
        Time::parse(TimeKind::GYear, digits).unwrap()
    }
    assert_eq!(time("999999999999999").year.unwrap().number(), Some(999_999_999_999_999));
    assert!(time("999999999999999").instant().is_some() && time("-999999999999999").instant().is_some());
    assert!(time("1000000000000000").instant().is_none() && time(&"9".repeat(1000)).instant().is_none());
    holds(TimeKind::Date, &["1000000000000000000000400-02-29"], &["1000000000000000000000100-02-29"]);
}

/// Section 3.2.7.1: "if the value for hh is 24, mm and ss must be zero: the first instant of the following day".
#[test]
fn a_day_ends_when_the_next_begins() {
    assert_eq!(order(TimeKind::DateTime, "2024-02-28T24:00:00", "2024-02-29T00:00:00"), Some(Equal));
    assert_eq!(order(TimeKind::DateTime, "1999-12-31T24:00:00.00Z", "2000-01-01T00:00:00Z"), Some(Equal));
}

/// Section 3.2.8.2: "the canonical representation for midnight is 00:00:00". Facets and keys of `xsd` took 24:00:00 for a
/// later time, and its comparison of values did not.
#[test]
fn midnight_is_one_time_of_day() {
    assert_eq!(order(TimeKind::Time, "24:00:00", "00:00:00"), Some(Equal));
    assert_eq!(order(TimeKind::Time, "24:00:00Z", "00:00:00Z"), Some(Equal));
    assert_eq!(order(TimeKind::Time, "24:00:00", "23:59:59"), Some(Less));
}

/// Section 3.2.7.3: from -14:00 to +14:00.
#[test]
fn time_zones_are_up_to_fourteen_hours_from_utc() {
    holds(
        TimeKind::Time,
        &["00:00:00Z", "00:00:00+00:00", "00:00:00-00:00", "00:00:00+14:00", "00:00:00-14:00", "00:00:00+13:59"],
        &[
            "00:00:00+14:01",
            "00:00:00-14:30",
            "00:00:00+15:00",
            "00:00:00+01:60",
            "00:00:00+1:00",
            "00:00:00+0100",
            "00:00:00ZZ",
            "00:00:00 Z",
        ],
    );
    assert_eq!(Time::parse(TimeKind::GDay, "---31-05:30").unwrap().zone, Some(-330));
    assert_eq!(order(TimeKind::DateTime, "2000-03-04T23:00:00-03:00", "2000-03-05T02:00:00Z"), Some(Equal));
    assert_eq!(order(TimeKind::DateTime, "2000-03-04T23:00:00+00:00", "2000-03-04T23:00:00-00:00"), Some(Equal));
}

/// The table of section 3.2.7.4.
#[test]
fn times_without_a_zone_may_have_no_order() {
    let of = |one: &str, other: &str| order(TimeKind::DateTime, one, other);
    assert_eq!(of("2000-01-15T00:00:00", "2000-02-15T00:00:00"), Some(Less));
    assert_eq!(of("2000-01-15T12:00:00", "2000-01-16T12:00:00Z"), Some(Less));
    assert_eq!(of("2000-01-01T12:00:00", "1999-12-31T23:00:00Z"), None);
    assert_eq!(of("2000-01-16T12:00:00", "2000-01-16T12:00:00Z"), None);
    assert_eq!(of("2000-01-16T00:00:00", "2000-01-16T12:00:00Z"), None);
    // Fourteen hours decide.
    assert_eq!(of("2000-01-01T00:00:00", "2000-01-01T14:00:00Z"), None);
    assert_eq!(of("2000-01-01T00:00:00", "2000-01-01T14:00:00.1Z"), Some(Less));
    assert_eq!(of("2000-01-01T14:00:00.1Z", "2000-01-01T00:00:00"), Some(Greater));
}

/// Fractions are compared as numbers, of any number of digits.
#[test]
fn fractions_of_seconds_have_their_order() {
    assert_eq!(order(TimeKind::Time, "12:00:00.50", "12:00:00.5"), Some(Equal));
    assert_eq!(order(TimeKind::Time, "12:00:00.000", "12:00:00"), Some(Equal));
    assert_eq!(order(TimeKind::Time, "12:00:00.09", "12:00:00.1"), Some(Less));
    assert_eq!(order(TimeKind::Time, "12:00:00.1000000000000000000000001", "12:00:00.1"), Some(Greater));
}

/// Dates and times made of fields, good and bad, against days that were counted.
#[test]
fn generated_times_are_where_counting_has_them() {
    // Day numbers by year, from -300 to 2400.
    let mut days = Days::back(830_000);
    let mut firsts = std::collections::HashMap::new();
    while days.year < 2400 {
        firsts.insert((days.year, days.month, days.day), days.number);
        days.step();
    }
    let epoch = i128::from(Date { year: 1970, month: 1, day: 1 }.day_number()) * 86_400;
    let mut random = Random::new(1);
    let mut count = 0;
    for _ in 0..test_support::rounds(100_000) {
        let year = if random.one_in(3) { random.below(2690) as i64 - 290 } else { 1880 + random.below(400) as i64 };
        let (month, day) = (random.below(14) as u8, random.below(33) as u8);
        let [hours, minutes, seconds] = [25, 61, 61].map(|most| random.below(most) as i64);
        let [hours, minutes, seconds] = if random.one_in(20) { [24, 0, 0] } else { [hours, minutes, seconds] };
        let fraction = random.of(&["", ".0", ".5", ".125000", "."]);
        let zone = random.of(&[
            ("", None),
            ("Z", Some(0)),
            ("+14:00", Some(14 * 60)),
            ("-05:30", Some(-330)),
            ("+14:10", None),
        ]);
        // Year 0 is written -0001.
        let written = if year > 0 { format!("{year:04}") } else { format!("-{:04}", 1 - year) };
        let text = format!("{written}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}{fraction}{}", zone.0);
        let number = firsts.get(&(year, month, day)).copied();
        let is_midnight = (hours, minutes, seconds) == (24, 0, 0) && matches!(fraction, "" | ".0");
        let is_clock = hours < 24 && minutes < 60 && seconds < 60 || is_midnight;
        let expected = number.filter(|_| is_clock && fraction != "." && zone.0 != "+14:10").map(|number| {
            let seconds = number * 86_400 + hours * 3600 + minutes * 60 + seconds - zone.1.unwrap_or(0) * 60;
            (i128::from(seconds) + epoch, fraction.trim_matches(['.', '0']).to_owned(), zone.1.is_some())
        });
        let instant = Time::parse(TimeKind::DateTime, &text).map(|time| time.instant().unwrap());
        let found = instant.map(|instant| (instant.seconds, instant.fraction.to_string(), instant.zoned));
        assert_eq!(found, expected, "{text}");
        assert_eq!(Time::is_date_time(&text), expected.is_some(), "{text}");
        count += usize::from(expected.is_some());
        // The same parts alone.
        let is_day = number.is_some() && zone.0 != "+14:10";
        assert_eq!(Time::parse(TimeKind::Date, &format!("{written}-{month:02}-{day:02}{}", zone.0)).is_some(), is_day);
        let clock = text.split_once('T').unwrap().1;
        let is_time = is_clock && fraction != "." && zone.0 != "+14:10";
        assert_eq!(Time::parse(TimeKind::Time, clock).is_some(), is_time, "{clock}");
        let month_day = format!("--{month:02}-{day:02}");
        assert_eq!(Time::parse(TimeKind::GMonthDay, &month_day).is_some(), firsts.contains_key(&(2000, month, day)));
    }
    assert!(count > test_support::rounds(30_000), "{count}");
}

/// Every other byte at every place: the digits at fixed places say what a reader of single digits says.
#[test]
fn digits_at_fixed_places_are_digits() {
    let number = |digits: &[u8]| -> Option<u16> {
        digits.iter().all(u8::is_ascii_digit).then(|| std::str::from_utf8(digits).unwrap().parse().unwrap())
    };
    for at in 0..10 {
        for byte in 0..=u8::MAX {
            let mut text = *b"2018-06-19";
            text[at] = byte;
            let signs = (text[4], text[7]) == (b'-', b'-');
            let expected = (|| Some((number(&text[..4])?, number(&text[5..7])? as u8, number(&text[8..])? as u8)))();
            assert_eq!(date_digits(&text), expected.filter(|_| signs), "{text:?}");
            let mut text = *b"15:36:37";
            let Some(place) = text.get_mut(at) else { continue };
            *place = byte;
            let signs = (text[2], text[5]) == (b':', b':');
            let expected =
                (|| Some([number(&text[..2])? as u8, number(&text[3..5])? as u8, number(&text[6..])? as u8]))();
            assert_eq!(clock_digits(&text), expected.filter(|_| signs), "{text:?}");
        }
    }
}
