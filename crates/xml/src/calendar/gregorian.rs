//! The proleptic Gregorian calendar. Years are those of ISO 8601: the year before year 1 is year 0, and it is a leap year.

/// A day. Fields are not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year; 0 is the one before year 1.
    pub year: i64,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

/// Days before each month of a year without a leap day.
const DAYS_BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

impl Date {
    /// Days from the first of January of year 0, for years of up to 15 digits.
    #[must_use]
    pub fn day_number(self) -> i64 {
        let Date { year, month, day } = self;
        let last = year - 1;
        let leap_days = last.div_euclid(4) - last.div_euclid(100) + last.div_euclid(400);
        // Year 0 itself is a leap year.
        let own_leap_day = i64::from(month > 2 && is_leap(year));
        let before = DAYS_BEFORE.get(usize::from(month).wrapping_sub(1)).copied().unwrap_or_default();
        year * 365 + leap_days + 1 + before + own_leap_day + i64::from(day) - 1
    }

    /// The day that is so many days from the first of January of year 0.
    ///
    /// ```
    /// use lengthwise_xml::calendar::Date;
    ///
    /// let day = Date { year: 2024, month: 2, day: 29 };
    /// assert_eq!(Date::from_day_number(day.day_number()), day);
    /// ```
    #[must_use]
    pub fn from_day_number(number: i64) -> Date {
        /// Days of 400 years, after which the calendar is the same.
        const CYCLE: i64 = 146_097;
        let (cycles, rest) = (number.div_euclid(CYCLE), number.rem_euclid(CYCLE));
        let first = |year| Date { year, month: 1, day: 1 }.day_number();
        // At most one too late: a year has 365 days or one more.
        let year = rest / 365 - i64::from(first(rest / 365) > rest);
        let mut left = rest - first(year);
        let mut month = 1;
        while left >= days_in_month(year, month).into() {
            left -= i64::from(days_in_month(year, month));
            month += 1;
        }
        Date { year: cycles * 400 + year, month, day: left as u8 + 1 }
    }

    /// The day after.
    #[must_use]
    pub fn next(self) -> Date {
        let Date { year, month, day } = self;
        match (month, day) {
            (12, 31..) => Date { year: year + 1, month: 1, day: 1 },
            _ if day >= days_in_month(year, month) => Date { year, month: month + 1, day: 1 },
            _ => Date { year, month, day: day + 1 },
        }
    }

    /// The day before.
    #[must_use]
    pub fn previous(self) -> Date {
        let Date { year, month, day } = self;
        match (month, day) {
            (1, 1) => Date { year: year - 1, month: 12, day: 31 },
            (_, 1) => Date { year, month: month - 1, day: days_in_month(year, month - 1) },
            _ => Date { year, month, day: day - 1 },
        }
    }
}

/// Whether a year has 366 days.
#[must_use]
#[inline]
pub const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The number of days of a month.
#[must_use]
#[inline]
pub const fn days_in_month(year: i64, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The number of weeks of ISO 8601 in a year: 53 if it begins on a Thursday, or on a Wednesday and is a leap year.
#[must_use]
pub fn weeks_in_year(year: i64) -> u8 {
    // The calendar is the same every 400 years, which are whole weeks. Year 0 begins on a Saturday.
    let first = Date { year: year.rem_euclid(400), month: 1, day: 1 }.day_number() % 7;
    if first == 5 || first == 4 && is_leap(year) { 53 } else { 52 }
}
