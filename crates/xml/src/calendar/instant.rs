//! Positions of dates and times on the time line (section 3.2.7.4).

use std::cmp::Ordering;

/// A point of the time line, from a text with or without a time zone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Instant {
    /// Seconds from the first of January of year 0, in UTC if there is a time zone.
    pub seconds: i128,
    /// The digits of a fraction of a second, without trailing zeros.
    pub fraction: Box<str>,
    /// Whether there is a time zone.
    pub zoned: bool,
}

/// The maximal distance of a time zone from UTC, in seconds.
const WIDEST: i128 = 14 * 3600;

/// The order of two points; `None` if only one has a time zone, and the order would depend on the zone of the other.
impl PartialOrd for Instant {
    fn partial_cmp(&self, other: &Instant) -> Option<Ordering> {
        let order =
            |shift: i128| self.seconds.cmp(&(other.seconds + shift)).then_with(|| self.fraction.cmp(&other.fraction));
        if self.zoned == other.zoned {
            return Some(order(0));
        }
        match (order(-WIDEST), order(WIDEST)) {
            (Ordering::Less, _) => Some(Ordering::Less),
            (_, Ordering::Greater) => Some(Ordering::Greater),
            _ => None,
        }
    }
}

/// The digits of a fraction without trailing zeros.
pub(super) fn trim_zeros(digits: &str) -> &str {
    digits.trim_end_matches('0')
}
