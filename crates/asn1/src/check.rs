//! Whether values are what their constraints allow.

use crate::compiled::{Characters, Compiled, Integer as IntegerType, Range, Size};
use crate::event::Integer;

impl Compiled {
    /// Whether an INTEGER is of the root of its constraint.
    #[inline]
    pub(crate) fn allows_integer(&self, ty: &IntegerType, value: Integer<'_>) -> bool {
        if let (Range::Unconstrained(None), None) = (ty.range, ty.intervals) {
            return true;
        }
        let Some(number) = value.to_i128() else {
            // Beyond 128 bits only what has no bound on its side is allowed.
            let negative = matches!(value, Integer::Big([first, ..]) if first & 0x80 != 0);
            return ty.intervals.is_none()
                && match ty.range {
                    Range::SemiConstrained(_) => !negative,
                    Range::Unconstrained(upper) => upper.is_none() || negative,
                    Range::Constrained(..) => false,
                };
        };
        let within = match ty.range {
            // Of a number above the bound, the difference fits 128 bits without a sign.
            Range::Constrained(lower, range) => {
                number >= lower && number.wrapping_sub(lower) as u128 <= u128::from(range.span)
            }
            Range::SemiConstrained(lower) => number >= lower,
            Range::Unconstrained(upper) => upper.is_none_or(|upper| number <= upper),
        };
        within && ty.intervals.is_none_or(|intervals| self.intervals(intervals).contains(number))
    }

    /// Whether a size is of the root of its constraint.
    #[inline]
    pub(crate) fn allows_size(&self, size: &Size, count: u64) -> bool {
        (size.lower..=size.upper).contains(&count)
            && size.intervals.is_none_or(|intervals| self.intervals(intervals).contains(count.into()))
    }

    /// The least size of the root from `count` on: as long a BIT STRING with named bits is made by
    /// zeros (X.691 clause 16.3); `count` itself where none is as large.
    pub(crate) fn least_size(&self, size: &Size, count: u64) -> u64 {
        let count = count.max(size.lower);
        let Some(intervals) = size.intervals else { return count };
        let fits = self.intervals(intervals).as_slice().iter().find(|(_, upper)| i128::from(count) <= *upper);
        fits.and_then(|(lower, _)| u64::try_from(*lower).ok()).map_or(count, |lower| lower.max(count))
    }

    /// The first character of a text that its type does not have.
    #[inline]
    pub(crate) fn forbidden(&self, ty: &Characters, text: &str) -> Option<char> {
        let alphabet = self.intervals(ty.alphabet?);
        if ty.plainly_allows(text.as_bytes()) {
            return None;
        }
        if let [(lower, upper)] = *alphabet.as_slice() {
            let allowed = |point: char| (lower..=upper).contains(&u32::from(point).into());
            return text.chars().find(|point| !allowed(*point));
        }
        text.chars().find(|point| !alphabet.contains(u32::from(*point).into()))
    }
}
