//! Where a message says the same as the one before it.

use crate::kernels::{self, Job, Kernel, LINE};

/// Two messages, and how far both have been gone over.
#[derive(Clone, Copy, Debug)]
pub struct Alignment<'a> {
    old: &'a [u8],
    new: &'a [u8],
    /// Places in the two that correspond.
    pub old_at: usize,
    /// The place in the second.
    pub new_at: usize,
    /// How far ahead of both places bytes are the same, if that has been looked at.
    known: usize,
    is_known: bool,
}

impl<'a> Alignment<'a> {
    /// Two messages, from places on that correspond.
    #[must_use]
    pub fn new(old: &'a [u8], new: &'a [u8], old_at: usize, new_at: usize) -> Alignment<'a> {
        Alignment { old, new, old_at, new_at, known: 0, is_known: false }
    }

    /// How many of the next bytes are the same in both.
    #[inline(always)]
    pub fn same(&mut self) -> usize {
        if !self.is_known {
            kernels::run(Look(self));
        }
        self.known
    }

    /// How many of the next bytes are the same in both, in a job.
    #[inline(always)]
    pub fn same_by<K: Kernel>(&mut self, kernel: K) -> usize {
        if !self.is_known {
            self.look(kernel);
        }
        self.known
    }

    /// As far as there is no difference: nothing is compared more than once.
    #[inline(always)]
    fn look<K: Kernel>(&mut self, kernel: K) {
        let (old, new) = (self.old.get(self.old_at..).unwrap_or(&[]), self.new.get(self.new_at..).unwrap_or(&[]));
        let both = old.len().min(new.len());
        self.known = same(kernel, &old[..both], &new[..both]);
        self.is_known = true;
    }

    /// Goes on over bytes that are the same.
    #[inline(always)]
    pub fn skip(&mut self, len: usize) {
        self.old_at += len;
        self.new_at += len;
        self.known = self.known.saturating_sub(len);
    }

    /// Goes on after a difference.
    #[inline(always)]
    pub fn resume(&mut self, old_at: usize, new_at: usize) {
        (self.old_at, self.new_at, self.known, self.is_known) = (old_at, new_at, 0, false);
    }
}

struct Look<'m, 'a>(&'m mut Alignment<'a>);

impl Job for Look<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        self.0.look(kernel);
    }
}

/// How many bytes come before the first that differs, of texts of one length.
#[inline(always)]
fn same<K: Kernel>(kernel: K, a: &[u8], b: &[u8]) -> usize {
    let ((blocks, _), (others, _)) = (a.as_chunks(), b.as_chunks());
    let mut same = 0;
    for (block, other) in blocks.iter().zip(others) {
        if let Some(within) = kernel.difference(block, other) {
            return same + within;
        }
        same += block.len();
    }
    let (a, b) = (a.get(same..).unwrap_or(&[]), b.get(same..).unwrap_or(&[]));
    let ((words, rest), (others, other)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (n, (word, other)) in words.iter().zip(others).enumerate() {
        let differs = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*other);
        if differs != 0 {
            return same + 8 * n + (differs.trailing_zeros() / 8) as usize;
        }
    }
    same + 8 * words.len() + rest.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// Whether two messages have the same bytes at two places: so many, mostly fewer than [`LINE`].
#[inline(always)]
pub fn is_same_at<K: Kernel>(kernel: K, one: (&[u8], usize), other: (&[u8], usize), len: usize) -> bool {
    let [Some(a), Some(b)] = [one, other].map(|(bytes, at)| bytes.get(at..)) else { return false };
    if let (1..=LINE, Some(a), Some(b)) = (len, a.first_chunk::<LINE>(), b.first_chunk::<LINE>()) {
        // Without a branch on the length, which would go wrong often.
        let ([a, c], [b, d]) = (halves(a), halves(b));
        let mask = u64::MAX >> (LINE - len);
        return kernel.is_same(a, b, mask as u32) & kernel.is_same(c, d, (mask >> 32) as u32);
    }
    matches!((a.get(..len), b.get(..len)), (Some(a), Some(b)) if a == b)
}

#[inline(always)]
fn halves(line: &[u8; LINE]) -> [&[u8; LINE / 2]; 2] {
    let (halves, _) = line.as_chunks();
    [&halves[0], &halves[1]]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Portable;
    use test_support::{Random, rounds};

    struct SameAt<'t>(&'t [u8], usize, &'t [u8], usize, usize);

    impl Job for SameAt<'_> {
        type Output = bool;

        fn run<K: Kernel>(self, kernel: K) -> bool {
            is_same_at(kernel, (self.0, self.1), (self.2, self.3), self.4)
        }
    }

    #[test]
    fn bytes_at_two_places_are_compared() {
        let mut random = Random::new(1);
        let mut same = 0;
        for _ in 0..rounds(20_000) {
            let one: Vec<u8> = (0..random.below(200)).map(|_| random.of(b"aaaaaaaaab")).collect();
            let mut other = one.clone();
            if random.one_in(2) && !other.is_empty() {
                let at = random.below(other.len());
                other[at] ^= 1;
            }
            let from = random.below(one.len() + 2);
            let other_from = if random.one_in(8) { random.below(one.len() + 2) } else { from };
            let len = random.below(100);
            let pair = (one.get(from..from + len), other.get(other_from..other_from + len));
            let expected = matches!(pair, (Some(a), Some(b)) if a == b);
            let job = || SameAt(&one, from, &other, other_from, len);
            assert_eq!((kernels::run(job()), job().run(Portable)), (expected, expected), "{from} {other_from} {len}");
            same += usize::from(expected);
        }
        assert!(same > rounds(20_000) / 10, "{same}");
    }

    struct Difference<'a>(&'a [u8; 128], &'a [u8; 128]);

    impl Job for Difference<'_> {
        type Output = Option<usize>;

        fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
            kernel.difference(self.0, self.1)
        }
    }

    #[test]
    fn every_kernel_finds_the_first_difference() {
        let mut random = Random::new(3);
        for _ in 0..rounds(20_000) {
            let block: [u8; 128] = core::array::from_fn(|_| random.next() as u8);
            let mut other = block;
            for _ in 0..random.below(3) {
                other[random.below(128)] ^= 1 << random.below(8);
            }
            let first = (0..128).find(|&n| block[n] != other[n]);
            assert_eq!(Difference(&block, &other).run(Portable), first);
            assert_eq!(kernels::run(Difference(&block, &other)), first);
        }
    }

    #[test]
    fn looking_ahead_finds_what_comparing_finds() {
        let mut random = Random::new(2);
        for _ in 0..rounds(300) {
            let old: Vec<u8> = (0..random.below(20_000)).map(|_| random.of(b"ab")).collect();
            let mut new = old.clone();
            for _ in 0..random.below(3) {
                let at = random.below(new.len() + 1);
                if let Some(byte) = new.get_mut(at) {
                    *byte ^= 1;
                }
            }
            new.truncate(new.len() - random.below(new.len() / 50 + 1));
            let mut matching = Alignment::new(&old, &new, 0, 0);
            while matching.old_at < old.len() {
                let len = 1 + random.below(700);
                let at = matching.old_at;
                let is_same = old.get(at..at + len).is_some_and(|piece| new.get(at..at + len) == Some(piece));
                assert_eq!(matching.same() >= len, is_same, "{at} {len}");
                let same = old[at..].iter().zip(new.get(at..).unwrap_or(&[])).take_while(|(a, b)| a == b).count();
                assert_eq!(matching.same(), same, "{at}");
                if is_same { matching.skip(len) } else { matching.resume(at + len, at + len) }
            }
        }
    }
}
