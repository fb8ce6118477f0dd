//! How long the items of a run are: in a byte each, while none takes 256.

use core::ops::Range;

use xml::kernels::Kernel;

/// Lengths of items, none above [`u16::MAX`].
#[derive(Clone, Debug)]
pub(crate) enum Lens {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Default for Lens {
    fn default() -> Lens {
        Lens::Narrow(Vec::new())
    }
}

impl Lens {
    pub(crate) fn clear(&mut self) {
        match self {
            Lens::Narrow(lens) => lens.clear(),
            Lens::Wide(lens) => lens.clear(),
        }
    }

    /// Room for so many more.
    pub(crate) fn reserve(&mut self, count: usize) {
        match self {
            Lens::Narrow(lens) => lens.reserve(count),
            Lens::Wide(lens) => lens.reserve(count),
        }
    }

    pub(crate) fn get(&self, n: usize) -> Option<usize> {
        match self {
            Lens::Narrow(lens) => lens.get(n).map(|&len| len.into()),
            Lens::Wide(lens) => lens.get(n).map(|&len| len.into()),
        }
    }

    /// Puts more of them after the last.
    #[inline]
    pub(crate) fn extend(&mut self, more: &[u16]) {
        self.widen_for(more);
        match self {
            Lens::Narrow(lens) => lens.extend(more.iter().map(|&len| len as u8)),
            Lens::Wide(lens) => lens.extend_from_slice(more),
        }
    }

    /// Puts some of others after the last.
    pub(crate) fn extend_from(&mut self, others: &Lens, range: Range<usize>) {
        match (&mut *self, others) {
            (Lens::Narrow(lens), Lens::Narrow(others)) => {
                lens.extend_from_slice(others.get(range).unwrap_or(&[]));
            }
            (_, Lens::Wide(others)) => self.extend(others.get(range).unwrap_or(&[])),
            (Lens::Wide(lens), Lens::Narrow(others)) => {
                lens.extend(others.get(range).unwrap_or(&[]).iter().map(|&len| u16::from(len)));
            }
        }
    }

    /// Puts others in the place of those from the `n`th on; the sum of what they replace.
    #[inline]
    pub(crate) fn replace(&mut self, n: usize, others: &[u16]) -> Option<usize> {
        self.widen_for(others);
        let mut sum = 0;
        match self {
            Lens::Narrow(lens) => {
                for (len, &other) in lens.get_mut(n..n + others.len())?.iter_mut().zip(others) {
                    sum += usize::from(*len);
                    *len = other as u8;
                }
            }
            Lens::Wide(lens) => {
                for (len, &other) in lens.get_mut(n..n + others.len())?.iter_mut().zip(others) {
                    sum += usize::from(*len);
                    *len = other;
                }
            }
        }
        Some(sum)
    }

    /// Puts another length in the place of the `n`th; what it replaces. `None` too where it is above [`u16::MAX`].
    #[inline(always)]
    pub(crate) fn replace_one(&mut self, n: usize, len: usize) -> Option<usize> {
        match (&mut *self, u8::try_from(len)) {
            (Lens::Narrow(lens), Ok(len)) => Some(core::mem::replace(lens.get_mut(n)?, len).into()),
            _ => self.replace(n, &[u16::try_from(len).ok()?]),
        }
    }

    /// How many items of `range` lie within `most` bytes, and how many bytes these have.
    #[inline(always)]
    pub(crate) fn within(&self, range: Range<usize>, most: usize) -> Option<(usize, usize)> {
        Some(match self {
            Lens::Narrow(lens) => within(lens.get(range)?, most),
            Lens::Wide(lens) => within(lens.get(range)?, most),
        })
    }

    /// Prefetches those a little after the `n`th.
    #[inline(always)]
    pub(crate) fn fetch<K: Kernel>(&self, kernel: K, n: usize) {
        if let Lens::Narrow(lens) = self {
            [64, 128, 192].into_iter().for_each(|ahead| kernel.fetch(lens, n + ahead));
        }
    }

    /// How long all of `range` are.
    #[inline(always)]
    pub(crate) fn sum(&self, range: Range<usize>) -> Option<usize> {
        Some(match self {
            Lens::Narrow(lens) => {
                let (eights, rest) = lens.get(range)?.as_chunks();
                let sum: u64 = eights.iter().map(sum_of_eight).sum();
                sum as usize + rest.iter().map(|&len| usize::from(len)).sum::<usize>()
            }
            Lens::Wide(lens) => lens.get(range)?.iter().map(|&len| usize::from(len)).sum(),
        })
    }

    /// Whether all of `range` are equal.
    pub(crate) fn are_alike(&self, range: Range<usize>) -> bool {
        fn alike<L: Copy + Eq>(lens: &[L]) -> bool {
            // Without an end in between, so that vectors do it.
            lens.first().is_none_or(|&first| lens.iter().fold(true, |alike, &len| alike & (len == first)))
        }
        match self {
            Lens::Narrow(lens) => lens.get(range).is_some_and(alike),
            Lens::Wide(lens) => lens.get(range).is_some_and(alike),
        }
    }

    /// Bytes of memory taken.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Lens::Narrow(lens) => lens.capacity(),
            Lens::Wide(lens) => lens.capacity() * size_of::<u16>(),
        }
    }

    /// Two bytes each from now on, if one of these takes them.
    #[inline]
    fn widen_for(&mut self, more: &[u16]) {
        let all = more.iter().fold(0, |all, len| all | len);
        if let Lens::Narrow(_) = self
            && all > u8::MAX.into()
        {
            self.widen();
        }
    }

    #[cold]
    fn widen(&mut self) {
        if let Lens::Narrow(lens) = self {
            *self = Lens::Wide(lens.iter().map(|&len| len.into()).collect());
        }
    }
}

/// How many items of these lengths are within so many bytes, and how many bytes these have.
#[inline(always)]
pub fn within<L: Copy + Into<usize>>(lens: &[L], most: usize) -> (usize, usize) {
    let (mut count, mut sum) = (0, 0);
    // Eight at a time, so that fewer branches are mispredicted.
    for eight in lens.as_chunks::<8>().0 {
        let all: usize = eight.iter().map(|&len| len.into()).sum();
        if sum + all > most {
            break;
        }
        (count, sum) = (count + 8, sum + all);
    }
    // Which of the next eight is the last, no branch can foresee.
    let mut all = sum;
    for &len in lens.get(count..).unwrap_or(&[]).iter().take(8) {
        all += len.into();
        let is_within = usize::from(all <= most);
        (count, sum) = (count + is_within, sum + len.into() * is_within);
    }
    (count, sum)
}

#[inline(always)]
fn sum_of_eight(lens: &[u8; 8]) -> u64 {
    let all = u64::from_le_bytes(*lens);
    let (low, fours) = (0x00FF_00FF_00FF_00FF, 0x0001_0001_0001_0001);
    // The first part of the product is the sum of four pairs.
    ((all & low) + (all >> 8 & low)).wrapping_mul(fours) >> 48
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::{Random, rounds};

    /// Held against a plain vector.
    #[test]
    fn lengths_are_kept_whatever_their_size() {
        let mut random = Random::new(1);
        for round in 0..rounds(200).max(4) {
            let len = |random: &mut Random| match round % 4 {
                0 if random.one_in(50) => random.below(65_536) as u16,
                1 => random.below(65_536) as u16,
                _ => random.below(256) as u16,
            };
            let (mut lens, mut plain) = (Lens::default(), Vec::new());
            for _ in 0..random.below(20) {
                let more: Vec<u16> = (0..random.below(10)).map(|_| len(&mut random)).collect();
                lens.extend(&more);
                plain.extend(more);
                let n = random.below(plain.len() + 1);
                let others: Vec<u16> = (0..random.below(plain.len() - n + 1)).map(|_| len(&mut random)).collect();
                let replaced = &mut plain[n..n + others.len()];
                assert_eq!(lens.replace(n, &others), Some(replaced.iter().map(|&len| usize::from(len)).sum()));
                replaced.copy_from_slice(&others);
                if let Some(n) = (!plain.is_empty()).then(|| random.below(plain.len())) {
                    let other = len(&mut random);
                    assert_eq!(lens.replace_one(n, other.into()), Some(plain[n].into()));
                    plain[n] = other;
                }
                let mut copy = if random.one_in(2) { Lens::default() } else { Lens::Wide(Vec::new()) };
                copy.extend_from(&lens, n..plain.len());
                for (n, &len) in plain[n..].iter().enumerate() {
                    assert_eq!(copy.get(n), Some(len.into()));
                }
                let most = random.below(2_000);
                let (count, sum) = lens.within(n..plain.len(), most).unwrap();
                assert_eq!(sum, plain[n..n + count].iter().map(|&len| usize::from(len)).sum::<usize>());
                assert!(sum <= most && plain.get(n + count).is_none_or(|&len| sum + usize::from(len) > most));
                assert_eq!(lens.sum(n..plain.len()), Some(plain[n..].iter().map(|&len| usize::from(len)).sum()));
            }
            assert_eq!(lens.get(plain.len()), None);
            assert_eq!(lens.replace(plain.len(), &[1]), None);
            assert_eq!(lens.replace_one(plain.len(), 1), None);
            assert_eq!(lens.replace_one(0, 65_536), None);
        }
    }
}
