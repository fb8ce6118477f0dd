//! Where a message says the same as the one before it.

use xml::kernels::{self, Job, Kernel};

/// After a few items that differ, only one in this many is looked for.
pub(crate) const PATIENCE: usize = 16;

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
    pub(crate) fn same(&mut self) -> usize {
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

    /// Whether `len` bytes from `old_at` and from `new_at` on are the same: few, so that nothing is looked at ahead.
    #[inline(always)]
    #[must_use]
    pub fn is_item(&self, old_at: usize, new_at: usize, len: usize) -> bool {
        let (Some(old), Some(new)) = (self.old.get(old_at..old_at + len), self.new.get(new_at..new_at + len)) else {
            return false;
        };
        is_same_short(old, new)
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

/// Equality of texts that are mostly longer than 16 bytes and shorter than 64, without a call.
#[inline(always)]
fn is_same_short(a: &[u8], b: &[u8]) -> bool {
    let len = a.len();
    if !(16..=64).contains(&len) || len != b.len() {
        return a == b;
    }
    let word = |text: &[u8], at: usize| {
        text.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |chunk: &[u8; 16]| u128::from_le_bytes(*chunk))
    };
    // The last sixteen bytes lie over those before them. Where they differ, items do first.
    let mut at = 0;
    while at + 16 < len {
        if word(a, at) != word(b, at) {
            return false;
        }
        at += 16;
    }
    word(a, len - 16) == word(b, len - 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::{Random, rounds};
    use xml::kernels::Portable;

    #[test]
    fn short_texts_are_the_same_where_slices_are() {
        let mut random = Random::new(1);
        for _ in 0..rounds(20_000) {
            let a: Vec<u8> = (0..random.below(80)).map(|_| random.of(b"ab")).collect();
            let mut b = a.clone();
            if random.one_in(2) && !b.is_empty() {
                let at = random.below(b.len());
                b[at] ^= 1;
            }
            assert_eq!(is_same_short(&a, &b), a == b);
        }
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
