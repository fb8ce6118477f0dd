//! Checks values against their constraints.

use tam::Words;

use crate::compiled::{Characters, Compiled, Integer as IntegerType, Range, Size};
use crate::event::Integer;
use crate::integer::compare;
use crate::time;

impl Compiled {
    /// Whether an INTEGER is in the root of its constraint.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn allows_integer(&self, ty: &IntegerType, value: Integer<'_>) -> bool {
        let within = match (ty.range, value) {
            (Range::Unconstrained, _) => true,
            (Range::Constrained(lower, range), Integer::Small(number)) => {
                number >= lower && number.abs_diff(lower) <= range.span
            }
            // Such a range has up to 2^64 numbers from a 64-bit number on, so all are within 66 bits.
            (Range::Constrained(lower, range), Integer::Big(_)) => value.to_i128().is_some_and(|number| {
                let span = number.checked_sub(lower.into()).and_then(|span| u64::try_from(span).ok());
                span.is_some_and(|span| span <= range.span)
            }),
            (Range::SemiConstrained(lower), _) => compare(value, Integer::Small(lower)).is_ge(),
            (Range::Wide(number), _) => self.wide(number).contains(value),
        };
        within && ty.intervals.is_none_or(|intervals| self.intervals(intervals).contains(value))
    }

    /// Whether a size is in the root of its constraint.
    #[must_use]
    #[inline]
    pub fn allows_size(&self, size: &Size, count: u64) -> bool {
        (size.lower..=size.upper).contains(&count)
            && size.intervals.is_none_or(|intervals| self.intervals(intervals).contains(count as i64))
    }

    /// The least size of the root from `count` on, to which a BIT STRING with named bits is padded with zeros (X.691
    /// clause 16.3); `count` itself if there is none.
    #[doc(hidden)]
    #[must_use]
    pub fn least_size(&self, size: &Size, count: u64) -> u64 {
        let count = count.max(size.lower);
        let Some(intervals) = size.intervals else { return count };
        self.intervals(intervals).least_from(count).unwrap_or(count)
    }

    /// The first character of a text that its type does not allow.
    #[inline]
    fn forbidden(&self, ty: &Characters, text: &str) -> Option<char> {
        let alphabet = self.intervals(ty.alphabet?);
        if ty.plainly_allows(text.as_bytes()) {
            return None;
        }
        if let [(lower, upper)] = alphabet.as_slice() {
            let allowed = lower.to_nearest_i64()..=upper.to_nearest_i64();
            return text.chars().find(|point| !allowed.contains(&u32::from(*point).into()));
        }
        text.chars().find(|point| !alphabet.contains(i64::from(u32::from(*point))))
    }

    /// What a type does not allow about a text of any size: a character, or what is no GeneralizedTime or UTCTime.
    pub(crate) fn misfit(&self, ty: &Characters, text: &str) -> Option<Words> {
        match self.forbidden(ty, text) {
            Some(point) => Some(Words::Own(format!("{point:?}"))),
            None if time::is_valid(ty.kind, text) => None,
            None => Some(Words::Own(format!("{:?}, which is not a time", tam::excerpt(text)))),
        }
    }

    /// What a type does not allow about a text, if anything.
    pub(crate) fn unfit(&self, ty: &Characters, text: &str) -> Option<Words> {
        let found = self.misfit(ty, text);
        if found.is_some() {
            return found;
        }
        if ty.size == Size::ANY || ty.size.extensible {
            return None;
        }
        let count = text.chars().count() as u64;
        (!self.allows_size(&ty.size, count)).then(|| Words::Own(format!("a size of {count}")))
    }
}
