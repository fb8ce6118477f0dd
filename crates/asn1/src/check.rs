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
            Range::Constrained(lower, range) => number >= lower && number - lower <= i128::from(range.span),
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

    /// The first character of a text that its type does not have.
    #[inline]
    pub(crate) fn forbidden(&self, ty: &Characters, text: &str) -> Option<char> {
        let alphabet = self.intervals(ty.alphabet?);
        if let [(lower, upper)] = *alphabet.as_slice() {
            let allowed = |point: char| (lower..=upper).contains(&u32::from(point).into());
            return text.chars().find(|point| !allowed(*point));
        }
        text.chars().find(|point| !alphabet.contains(u32::from(*point).into()))
    }
}
