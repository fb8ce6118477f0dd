//! How numbers, sizes and times are laid out (X.696 clauses 8, 10, 12 and 29).

use crate::compiled::{Compiled, Integer as IntegerType, Number, Range, Size};
use crate::iso8601::DateForm;
use crate::per::{Parts, Shape, TimeLayout};

/// The octets of a whole number (X.696 clause 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// This many octets, without a sign.
    Unsigned(usize),
    /// This many octets, in two's complement.
    Signed(usize),
    /// As many octets as the length before them says, without a sign.
    AnyUnsigned,
    /// As many octets as the length before them says, in two's complement.
    AnySigned,
}

impl Width {
    /// For numbers between two bounds.
    #[inline(always)]
    pub(super) const fn between(lower: i128, upper: i128) -> Width {
        if lower >= 0 {
            match upper {
                ..=0xFF => Width::Unsigned(1),
                0x100..=0xFFFF => Width::Unsigned(2),
                0x1_0000..=0xFFFF_FFFF => Width::Unsigned(4),
                0x1_0000_0000..=0xFFFF_FFFF_FFFF_FFFF => Width::Unsigned(8),
                _ => Width::AnyUnsigned,
            }
        } else {
            // The number of bits that both bounds need, less the sign.
            let magnitude = if upper > !lower { upper } else { !lower };
            match magnitude {
                ..=0x7F => Width::Signed(1),
                0x80..=0x7FFF => Width::Signed(2),
                0x8000..=0x7FFF_FFFF => Width::Signed(4),
                0x8000_0000..=0x7FFF_FFFF_FFFF_FFFF => Width::Signed(8),
                _ => Width::AnySigned,
            }
        }
    }

    /// For numbers of a small range.
    #[inline(always)]
    pub(super) const fn small(lower: i64, span: u64) -> Width {
        Width::between(lower as i128, lower as i128 + span as i128)
    }

    /// For the values of a type. An extensible constraint has no bounds (X.696 clause 8.2).
    pub(super) fn of(types: &Compiled, ty: &IntegerType) -> Width {
        if ty.extensible {
            return Width::AnySigned;
        }
        match ty.range {
            Range::Constrained(lower, range) => Width::small(lower, range.span),
            Range::SemiConstrained(0..) => Width::AnyUnsigned,
            Range::SemiConstrained(_) | Range::Unconstrained => Width::AnySigned,
            Range::Wide(number) => {
                let wide = types.wide(number);
                if wide.lower < Number::Small(0) {
                    return Width::AnySigned;
                }
                let upper = wide.upper.as_ref().and_then(|upper| upper.as_integer().to_i128());
                upper.map_or(Width::AnyUnsigned, |upper| Width::between(0, upper))
            }
        }
    }
}

/// The size of a string, if it is the same for all values of a type, which then have no length (X.696 clauses 13.2, 14.1
/// and 27).
#[inline(always)]
pub(super) const fn fixed(size: &Size) -> Option<u64> {
    if size.lower == size.upper && !size.extensible { Some(size.lower) } else { None }
}

/// How a type of time is encoded (X.696 clause 29).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    /// As the parts of a date.
    Date(DateParts),
    /// As the parts of a time of day.
    Clock(ClockParts),
    /// As those of both.
    Both(DateParts, ClockParts),
    /// As the parts of a duration.
    Duration,
    /// As text.
    Text,
}

/// The last part of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DateParts {
    Year,
    Month,
    Day,
}

/// The parts of a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClockParts {
    /// The number of parts: hours, minutes, seconds.
    pub(super) count: u8,
    /// The digits of the fraction, or 0.
    pub(super) digits: u32,
    /// The zone, as [`crate::iso8601::Zone::kind`] counts.
    pub(super) zone: u8,
}

impl Times {
    pub(super) fn of(layout: TimeLayout) -> Times {
        let TimeLayout::Row(shape, date, clock) = layout else { return Times::Text };
        let date = date.and_then(|row| match DateForm::ALL.get(usize::from(row / 2)) {
            Some(DateForm::Year) => Some(DateParts::Year),
            Some(DateForm::Month) => Some(DateParts::Month),
            Some(DateForm::Day) => Some(DateParts::Day),
            _ => None,
        });
        // Only seconds have fractions there.
        let clock = clock
            .map(|(row, digits)| ClockParts { count: row % 9 / 3 + 1, digits, zone: row % 3 })
            .filter(|clock| clock.count == 3 || clock.digits == 0);
        match (shape, date, clock) {
            (Shape::Duration(false), ..) => Times::Duration,
            (Shape::Point(Parts::Date), Some(date), _) => Times::Date(date),
            (Shape::Point(Parts::Clock), _, Some(clock)) => Times::Clock(clock),
            (Shape::Point(Parts::Both), Some(date), Some(clock)) => Times::Both(date, clock),
            _ => Times::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By X.696 clauses 10.3 and 10.4.
    #[test]
    fn bounds_decide_the_number_of_octets() {
        let cases = [
            (0, 0, Width::Unsigned(1)),
            (0, 255, Width::Unsigned(1)),
            (0, 256, Width::Unsigned(2)),
            (1, 65_535, Width::Unsigned(2)),
            (0, 65_536, Width::Unsigned(4)),
            (0, 4_294_967_295, Width::Unsigned(4)),
            (0, 4_294_967_296, Width::Unsigned(8)),
            (0, u64::MAX.into(), Width::Unsigned(8)),
            (0, i128::from(u64::MAX) + 1, Width::AnyUnsigned),
            (-1, 0, Width::Signed(1)),
            (-128, 127, Width::Signed(1)),
            (-129, 0, Width::Signed(2)),
            (-1, 128, Width::Signed(2)),
            (-32_768, 32_767, Width::Signed(2)),
            (-32_769, 0, Width::Signed(4)),
            (-1, 2_147_483_647, Width::Signed(4)),
            (-1, 2_147_483_648, Width::Signed(8)),
            (i64::MIN.into(), i64::MAX.into(), Width::Signed(8)),
            (i128::from(i64::MIN) - 1, 0, Width::AnySigned),
            (-1, i128::from(i64::MAX) + 1, Width::AnySigned),
        ];
        for (lower, upper, width) in cases {
            assert_eq!(Width::between(lower, upper), width, "{lower}..{upper}");
        }
    }
}
