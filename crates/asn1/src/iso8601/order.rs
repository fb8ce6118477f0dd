//! The order of times, for ranges (X.680 clauses 51.11 and 51.12).

use std::cmp::Ordering;

use super::*;

impl Time {
    /// The order of two times of the same form: points of time without a difference from UTC, and durations of the same
    /// parts. `None` for other times.
    pub(crate) fn order(&self, other: &Time) -> Option<Ordering> {
        match (self, other) {
            (Time::Point(one), Time::Point(two)) if one.shape() == two.shape() => {
                if let Some(Clock { zone: Zone::Ahead(_), .. }) = one.clock() {
                    return None;
                }
                Some(one.key().cmp(&two.key()))
            }
            (Time::Interval(Interval::Duration(one)), Time::Interval(Interval::Duration(two))) => {
                let shape = |duration: &Duration| {
                    let fraction = duration.fraction.map(|fraction| fraction.digits);
                    (duration.parts.map(|part| part.is_some()), fraction)
                };
                let key = |duration: &Duration| (duration.parts, duration.fraction.map(|fraction| fraction.value));
                (shape(one) == shape(two)).then(|| key(one).cmp(&key(two)))
            }
            _ => None,
        }
    }
}

impl Point {
    fn key(&self) -> [i64; 7] {
        let date = self.date().map_or([0; 3], |date| [date.year, date.part.into(), date.day.into()]);
        let clock = self.clock().map_or([0; 4], |clock| {
            let fraction = clock.fraction.map_or(0, |fraction| fraction.value as i64);
            [clock.hours.into(), clock.minutes.into(), clock.seconds.into(), fraction]
        });
        let [a, b, c] = date;
        let [d, e, f, g] = clock;
        [a, b, c, d, e, f, g]
    }
}
