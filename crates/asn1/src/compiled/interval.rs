//! Sets of numbers as intervals: values, sizes, code points.

/// A set of whole numbers: intervals in order that do not touch. Infinite ends are `i128::MIN` and
/// `i128::MAX`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervals(Vec<(i128, i128)>, bool);

impl Intervals {
    /// Every number.
    pub const ALL: Intervals = Intervals(Vec::new(), true);
    /// No number.
    pub const NONE: Intervals = Intervals(Vec::new(), false);

    /// From one number to another, both included; none if they are the wrong way round.
    #[must_use]
    pub fn range(lower: i128, upper: i128) -> Intervals {
        match (lower, upper) {
            (i128::MIN, i128::MAX) => Intervals::ALL,
            _ if lower > upper => Intervals::NONE,
            _ => Intervals(vec![(lower, upper)], false),
        }
    }

    /// The numbers of a list.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = i128>) -> Intervals {
        Intervals::merge(numbers.into_iter().map(|number| (number, number)).collect())
    }

    /// The intervals.
    #[must_use]
    pub fn as_slice(&self) -> &[(i128, i128)] {
        if self.1 { &[(i128::MIN, i128::MAX)] } else { &self.0 }
    }

    /// Whether it has every number.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.1
    }

    /// The least and the greatest number; `None` if there is none.
    #[must_use]
    pub fn bounds(&self) -> Option<(i128, i128)> {
        Some((self.as_slice().first()?.0, self.as_slice().last()?.1))
    }

    /// Whether a number is in it.
    #[must_use]
    pub fn contains(&self, number: i128) -> bool {
        let after = self.as_slice().partition_point(|(lower, _)| *lower <= number);
        after.checked_sub(1).and_then(|i| self.as_slice().get(i)).is_some_and(|(_, upper)| number <= *upper)
    }

    /// How many numbers; `None` if more than 64 bits count.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        self.as_slice().iter().try_fold(0u64, |count, (lower, upper)| {
            count.checked_add(u64::try_from(upper.checked_sub(*lower)?.checked_add(1)?).ok()?)
        })
    }

    /// The numbers of either.
    #[must_use]
    pub fn union(&self, other: &Intervals) -> Intervals {
        Intervals::merge(self.as_slice().iter().chain(other.as_slice()).copied().collect())
    }

    /// Intervals in any order, which may touch and overlap.
    fn merge(mut all: Vec<(i128, i128)>) -> Intervals {
        all.sort_unstable();
        let mut merged: Vec<(i128, i128)> = Vec::with_capacity(all.len());
        for (lower, upper) in all {
            match merged.last_mut() {
                Some(last) if lower <= last.1.saturating_add(1) => last.1 = last.1.max(upper),
                _ => merged.push((lower, upper)),
            }
        }
        Intervals::from_merged(merged)
    }

    /// The numbers of both.
    #[must_use]
    pub fn intersection(&self, other: &Intervals) -> Intervals {
        let (mut left, mut right) = (self.as_slice().iter().peekable(), other.as_slice().iter().peekable());
        let mut common = Vec::new();
        while let (Some(one), Some(two)) = (left.peek(), right.peek()) {
            let (lower, upper) = (one.0.max(two.0), one.1.min(two.1));
            if lower <= upper {
                common.push((lower, upper));
            }
            if one.1 < two.1 {
                left.next()
            } else {
                right.next()
            };
        }
        Intervals::from_merged(common)
    }

    /// The numbers of this one that are not in the other.
    #[must_use]
    pub fn except(&self, other: &Intervals) -> Intervals {
        let mut gaps = Vec::new();
        let mut next = Some(i128::MIN);
        for (lower, upper) in other.as_slice() {
            if let Some(start) = next
                && start < *lower
            {
                gaps.push((start, lower - 1));
            }
            next = upper.checked_add(1);
        }
        if let Some(start) = next {
            gaps.push((start, i128::MAX));
        }
        self.intersection(&Intervals::from_merged(gaps))
    }

    fn from_merged(intervals: Vec<(i128, i128)>) -> Intervals {
        if intervals == [(i128::MIN, i128::MAX)] { Intervals::ALL } else { Intervals(intervals, false) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against sets of numbers kept one by one.
    #[test]
    fn sets_of_intervals_are_sets() {
        let sets: Vec<Intervals> = (0..64u32)
            .map(|bits| {
                let one = |i: u32| Intervals::range(i128::from(i) * 2, i128::from(i) * 2 + i128::from(bits >> 4));
                (0..4).filter(|i| bits >> i & 1 == 1).fold(Intervals::NONE, |set, i| set.union(&one(i)))
            })
            .collect();
        for a in &sets {
            for b in &sets {
                let (both, either, only) = (a.intersection(b), a.union(b), a.except(b));
                for n in -2..14 {
                    let (in_a, in_b) = (a.contains(n), b.contains(n));
                    assert_eq!(both.contains(n), in_a && in_b);
                    assert_eq!(either.contains(n), in_a || in_b);
                    assert_eq!(only.contains(n), in_a && !in_b, "{n} in {a:?} except {b:?}");
                }
                for set in [both, either, only] {
                    assert!(set.as_slice().windows(2).all(|two| two[0].1 + 1 < two[1].0), "{set:?}");
                }
            }
        }
        assert!(Intervals::ALL.except(&Intervals::ALL) == Intervals::NONE);
        assert!(Intervals::NONE.union(&Intervals::ALL).is_all());
        assert_eq!(Intervals::ALL.except(&Intervals::range(3, 5)).as_slice(), [(i128::MIN, 2), (6, i128::MAX)]);
    }
}
