//! Dates, times and durations (XML Schema Part 2 sections 3.2.6 to 3.2.14), over the proleptic Gregorian calendar.
//!
//! [`Time::parse`] and [`Duration::parse`] check texts and return their parts. [`Time::instant`] and
//! [`Duration::amount`] return a form for comparison. The calendar itself ([`Date`], [`days_in_month`]) is also that of
//! ISO 8601.
//!
//! ```
//! use lengthwise_xml::calendar::{Time, TimeKind};
//!
//! let time = Time::parse(TimeKind::DateTime, "2024-02-28T24:00:00Z").unwrap();
//! let next_day = Time::parse(TimeKind::DateTime, "2024-02-29T01:00:00+01:00").unwrap();
//! assert_eq!(time.instant(), next_day.instant());
//! assert!(Time::parse(TimeKind::Date, "2023-02-29").is_none());
//! ```

mod digits;
mod duration;
mod gregorian;
mod instant;
mod time;

pub use digits::{clock_digits, date_digits};
pub use duration::{Amount, Duration};
pub use gregorian::{Date, days_in_month, is_leap, weeks_in_year};
pub use instant::Instant;
pub use time::{Clock, Time, TimeKind, Year};
