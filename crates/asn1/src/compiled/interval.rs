//! Sets of numbers as intervals: values, sizes, code points.

use std::fmt;

use crate::event::Integer;
use crate::integer::{Number, compare};

/// An end of an interval.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// Unbounded below.
    Min,
    /// A number, which is in the interval.
    At(Number),
    /// Unbounded above.
    Max,
}

impl End {
    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<&Number> {
        match self {
            End::At(number) => Some(number),
            End::Min | End::Max => None,
        }
    }

    /// The nearest number of 64 bits.
    #[must_use]
    pub fn to_nearest_i64(&self) -> i64 {
        match self {
            End::Min => i64::MIN,
            End::At(number) => number.to_nearest_i64(),
            End::Max => i64::MAX,
        }
    }

    /// The end of an adjacent interval on the other side of this one.
    fn plus(&self, step: i64) -> End {
        match self {
            End::At(number) => End::At(number.plus(step)),
            end => end.clone(),
        }
    }
}

impl From<i64> for End {
    fn from(number: i64) -> End {
        End::At(Number::Small(number))
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Min => f.write_str("MIN"),
            End::At(number) => number.fmt(f),
            End::Max => f.write_str("MAX"),
        }
    }
}

/// A set of whole numbers: sorted intervals that do not touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervals(Vec<(End, End)>, bool);

impl Intervals {
    /// Every number.
    pub const ALL: Intervals = Intervals(Vec::new(), true);
    /// No number.
    pub const NONE: Intervals = Intervals(Vec::new(), false);

    /// From one number to another, both included; empty if they are in the wrong order.
    #[must_use]
    pub fn range(lower: impl Into<End>, upper: impl Into<End>) -> Intervals {
        match (lower.into(), upper.into()) {
            (End::Min, End::Max) => Intervals::ALL,
            (lower, upper) if lower > upper => Intervals::NONE,
            ends => Intervals(vec![ends], false),
        }
    }

    /// The numbers in a list.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = i64>) -> Intervals {
        Intervals::merge(numbers.into_iter().map(|number| (number.into(), number.into())).collect())
    }

    /// The intervals.
    #[must_use]
    pub fn as_slice(&self) -> &[(End, End)] {
        const ALL: &[(End, End)] = &[(End::Min, End::Max)];
        if self.1 { ALL } else { &self.0 }
    }

    /// Whether it has every number.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.1
    }

    /// The least and the greatest number; `None` for the empty set.
    #[must_use]
    pub fn bounds(&self) -> Option<(&End, &End)> {
        Some((&self.as_slice().first()?.0, &self.as_slice().last()?.1))
    }

    /// Whether the set has a number.
    #[must_use]
    pub fn contains<'n>(&self, number: impl Into<Integer<'n>>) -> bool {
        let number = number.into();
        let after = self.as_slice().partition_point(|(lower, _)| match lower {
            End::Min => true,
            End::At(lower) => compare(lower.as_integer(), number).is_le(),
            End::Max => false,
        });
        after.checked_sub(1).and_then(|i| self.as_slice().get(i)).is_some_and(|(_, upper)| match upper {
            End::Min => false,
            End::At(upper) => compare(number, upper.as_integer()).is_le(),
            End::Max => true,
        })
    }

    /// The least number in the set from `size` on.
    pub(crate) fn least_from(&self, size: u64) -> Option<u64> {
        let from = End::from(i64::try_from(size).unwrap_or(i64::MAX));
        let before = self.as_slice().partition_point(|(_, upper)| *upper < from);
        let (lower, _) = self.as_slice().get(before)?;
        Some((lower.to_nearest_i64().max(0) as u64).max(size))
    }

    /// The numbers in either set.
    #[must_use]
    pub fn union(&self, other: &Intervals) -> Intervals {
        Intervals::merge(self.as_slice().iter().chain(other.as_slice()).cloned().collect())
    }

    /// Sorts and merges intervals that may touch and overlap.
    fn merge(mut all: Vec<(End, End)>) -> Intervals {
        all.sort_unstable();
        let mut merged: Vec<(End, End)> = Vec::with_capacity(all.len());
        for (lower, upper) in all {
            match merged.last_mut() {
                Some(last) if lower <= last.1.plus(1) => {
                    if upper > last.1 {
                        last.1 = upper;
                    }
                }
                _ => merged.push((lower, upper)),
            }
        }
        Intervals::from_merged(merged)
    }

    /// The numbers in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Intervals) -> Intervals {
        let (mut left, mut right) = (self.as_slice().iter().peekable(), other.as_slice().iter().peekable());
        let mut common = Vec::new();
        while let (Some(one), Some(two)) = (left.peek(), right.peek()) {
            let (lower, upper) = ((&one.0).max(&two.0), (&one.1).min(&two.1));
            if lower <= upper {
                common.push((lower.clone(), upper.clone()));
            }
            if one.1 < two.1 {
                left.next()
            } else {
                right.next()
            };
        }
        Intervals::from_merged(common)
    }

    /// The numbers of this set that are not in the other.
    #[must_use]
    pub fn except(&self, other: &Intervals) -> Intervals {
        let mut gaps = Vec::new();
        let mut next = Some(End::Min);
        for (lower, upper) in other.as_slice() {
            if let Some(start) = next
                && start < *lower
            {
                gaps.push((start, lower.plus(-1)));
            }
            next = (*upper != End::Max).then(|| upper.plus(1));
        }
        if let Some(start) = next {
            gaps.push((start, End::Max));
        }
        self.intersection(&Intervals::from_merged(gaps))
    }

    fn from_merged(intervals: Vec<(End, End)>) -> Intervals {
        if intervals == [(End::Min, End::Max)] { Intervals::ALL } else { Intervals(intervals, false) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with sets of single numbers.
    #[test]
    fn sets_of_intervals_are_sets() {
        let sets: Vec<Intervals> = (0..64u32)
            .map(|bits| {
                let one = |i: u32| Intervals::range(i64::from(i) * 2, i64::from(i) * 2 + i64::from(bits >> 4));
                (0..4).filter(|i| bits >> i & 1 == 1).fold(Intervals::NONE, |set, i| set.union(&one(i)))
            })
            .collect();
        for a in &sets {
            for b in &sets {
                let (both, either, only) = (a.intersection(b), a.union(b), a.except(b));
                for n in -2..14_i64 {
                    let (in_a, in_b) = (a.contains(n), b.contains(n));
                    assert_eq!(both.contains(n), in_a && in_b);
                    assert_eq!(either.contains(n), in_a || in_b);
                    assert_eq!(only.contains(n), in_a && !in_b, "{n} in {a:?} except {b:?}");
                }
                for set in [both, either, only] {
                    assert!(set.as_slice().windows(2).all(|two| two[0].1.plus(1) < two[1].0), "{set:?}");
                }
            }
        }
        assert!(Intervals::ALL.except(&Intervals::ALL) == Intervals::NONE);
        assert!(Intervals::NONE.union(&Intervals::ALL).is_all());
        let but = Intervals::ALL.except(&Intervals::range(3, 5));
        assert_eq!(but.as_slice(), [(End::Min, 2.into()), (6.into(), End::Max)]);
    }
}
