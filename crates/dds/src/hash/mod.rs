//! Replaces the bytes of a message portion where they are not kept: a keyed hash, or a checksum.
//!
//! # The keyed hash, and what it promises
//! For any two different portions of the same length, chosen by someone who does not know the secret, the
//! hashes are equal for less than one secret in 2^62. Three steps make it, of keys that are independent:
//!
//! 1. *Rows.* A block of 5120 bytes is read as thirty-two groups of five rows of eight 32-bit words, the last group from
//!    the end of a shorter block; a sixth row is the XOR of the five. Two blocks that differ do so in two of the six rows at least.
//! 2. *NH* of each row, with keys of its own: the words, each plus its key modulo 2^32, are multiplied
//!    pair by pair and added up modulo 2^64. Two rows that differ have sums any given distance apart with a
//!    probability of 2^-32 at most (J. Black, S. Halevi, H. Krawczyk, T. Krovetz and P. Rogaway, *UMAC: Fast
//!    and Secure Message Authentication*, CRYPTO 1999, theorem 1, the proof of which has any constant in the
//!    place of the 0). The six sums become two by the columns (1,0), (0,1), (1,1), (1,2), (2,1), (1,3): the
//!    determinant of any two of these is odd, or twice an odd number, so that given the other four, at
//!    most two pairs of distances of two rows that differ make both results the same. Together: 2 * 2^-64. This
//!    is J. Apple's encode, hash and combine (*HalftimeHash: Modern Hashing without 64-bit Multipliers or
//!    Finite Fields*, WADS 2021) with the shortest code there is.
//! 3. *Multiply and shift.* All results of a portion, each times a 128-bit key, are added up modulo 2^128, and the
//!    upper half is the hash. Where they differ, it is the same with a probability of 2^-64 (M. Thorup, *High
//!    Speed Hashing for Integers and Strings*, 2015, section 3.5: vector multiply-shift).
//!
//! Two portions collide in the second step or in the third: 2^-63 + 2^-64. Of q tries, however they are
//! chosen after the ones before, one succeeds with a probability of q times that.

#[cfg(target_arch = "x86_64")]
mod vector;

use std::sync::Arc;

use crate::options::{Checksum, Matching};

/// 32-bit words of a row of a group.
const LANES: usize = 8;
/// Bytes of a group: five rows.
pub(crate) const GROUP: usize = 5 * LANES * 4;
/// Groups of a block.
pub(crate) const GROUPS: usize = 32;
const BLOCK: usize = GROUPS * GROUP;
/// Blocks of a portion, which has no more than 2^16 bytes.
const BLOCKS: usize = (1 << 16) / BLOCK + 1;

/// Keys of the rows of a group, the XOR of the others last.
pub(crate) type RowKeys = [[u32; LANES]; 6];

/// The secret of the keyed hash.
pub(crate) struct Secret {
    rows: [RowKeys; GROUPS],
    results: [[u128; 2]; BLOCKS],
    sum: u128,
}

/// Bytes a secret is made of.
const SECRET: usize = GROUPS * 6 * LANES * 4 + BLOCKS * 32 + 16;

impl Secret {
    /// A secret that the system draws, `None` where it cannot.
    fn drawn() -> Option<Secret> {
        let mut bytes = [0; SECRET];
        getrandom::fill(&mut bytes).ok()?;
        Some(Secret::of(&bytes))
    }

    fn of(bytes: &[u8; SECRET]) -> Secret {
        let (rows, rest) = bytes.split_at(GROUPS * 6 * LANES * 4);
        let mut words = rows.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
        let mut numbers = rest.as_chunks().0.iter().map(|number| u128::from_le_bytes(*number));
        let (mut word, mut number) = (|| words.next().unwrap_or(0), || numbers.next().unwrap_or(0));
        Secret {
            rows: core::array::from_fn(|_| core::array::from_fn(|_| core::array::from_fn(|_| word()))),
            results: core::array::from_fn(|_| core::array::from_fn(|_| number())),
            sum: number(),
        }
    }

    /// The hash of a portion.
    fn hash(&self, portion: &[u8]) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(hash) = vector::hash(self, portion) {
            return hash;
        }
        self.combine(portion, by_words)
    }

    /// The hash of a portion out of the results of its blocks.
    #[inline(always)]
    pub(crate) fn combine(&self, portion: &[u8], block: impl Fn(&[RowKeys; GROUPS], &[u8]) -> [u64; 2]) -> u64 {
        debug_assert!(portion.len() <= 1 << 16, "a portion is shorter");
        let mut sum = self.sum;
        for (bytes, keys) in portion.chunks(BLOCK).zip(&self.results) {
            for (result, key) in block(&self.rows, bytes).into_iter().zip(keys) {
                sum = sum.wrapping_add(key.wrapping_mul(u128::from(result)));
            }
        }
        (sum >> 64) as u64
    }
}

impl core::fmt::Debug for Secret {
    /// Without the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Secret")
    }
}

/// The two results of a block, in safe code, for every processor.
fn by_words(keys: &[RowKeys; GROUPS], bytes: &[u8]) -> [u64; 2] {
    let mut sums = [[0; LANES / 2]; 6];
    let (groups, _) = bytes.as_chunks();
    groups.iter().zip(keys).for_each(|(group, keys)| add(&mut sums, group, keys));
    if let Some((group, keys)) = rest(bytes, keys) {
        add(&mut sums, &group, keys);
    }
    let [a, b, c, d, e, f] = sums.map(|row| row.into_iter().fold(0, u64::wrapping_add));
    let sum = |terms: [u64; 5], twice: u64| terms.into_iter().fold(twice.wrapping_mul(2), u64::wrapping_add);
    [sum([a, c, d, f, 0], e), sum([b, c, e, f, 0], d.wrapping_add(f))]
}

/// The last group of a block where it is not whole, and its keys: the last bytes of the block, some of which the
/// group before has as well, or all of them and zeros.
#[inline(always)]
pub(crate) fn rest<'k>(bytes: &[u8], keys: &'k [RowKeys; GROUPS]) -> Option<([u8; GROUP], &'k RowKeys)> {
    if bytes.len().is_multiple_of(GROUP) {
        return None;
    }
    let group = bytes.last_chunk().copied().unwrap_or_else(|| {
        let mut group = [0; GROUP];
        group.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
        group
    });
    Some((group, keys.get(bytes.len() / GROUP)?))
}

#[inline(always)]
fn add(sums: &mut [[u64; LANES / 2]; 6], group: &[u8; GROUP], keys: &RowKeys) {
    let mut parity = [0; LANES];
    let (rows, _) = group.as_chunks::<{ LANES * 4 }>();
    for ((row, keys), sums) in rows.iter().zip(keys).zip(&mut *sums) {
        let (words, _) = row.as_chunks();
        let words = core::array::from_fn(|n| u32::from_le_bytes(words[n]));
        parity = core::array::from_fn(|n| parity[n] ^ words[n]);
        add_row(sums, &words, keys);
    }
    add_row(&mut sums[5], &parity, &keys[5]);
}

#[inline(always)]
fn add_row(sums: &mut [u64; LANES / 2], words: &[u32; LANES], keys: &[u32; LANES]) {
    let keyed = |n: usize| u64::from(words[n].wrapping_add(keys[n]));
    for (n, sum) in sums.iter_mut().enumerate() {
        *sum = sum.wrapping_add(keyed(2 * n) * keyed(2 * n + 1));
    }
}

/// Hashes portions.
#[derive(Clone, Debug)]
pub(crate) enum Hasher {
    Keyed(Arc<Secret>),
    Checksum(Checksum),
}

impl Hasher {
    /// What options ask for: `None` for bytes that are kept, `Err` where the system gives no secret.
    pub(crate) fn new(matching: Matching) -> Result<Option<Hasher>, ()> {
        Ok(match matching {
            Matching::Never | Matching::Exact => None,
            Matching::Keyed => Some(Hasher::Keyed(Secret::drawn().ok_or(())?.into())),
            Matching::Checksum(checksum) => Some(Hasher::Checksum(checksum)),
        })
    }

    /// The hash of a portion.
    pub(crate) fn hash(&self, portion: &[u8]) -> u64 {
        match self {
            Hasher::Keyed(secret) => secret.hash(portion),
            Hasher::Checksum(Checksum::Xor) => xor(portion).into(),
            Hasher::Checksum(Checksum::Adler32) => simd_adler32::adler32(&portion).into(),
            Hasher::Checksum(Checksum::Crc32) => crc32fast::hash(portion).into(),
        }
    }

    /// The hash of a message of any length.
    pub(crate) fn whole(&self, message: &[u8]) -> impl Iterator<Item = u64> {
        message.chunks(1 << 16).map(|piece| self.hash(piece))
    }
}

/// All 32-bit words, the last one filled up with zeros.
fn xor(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks();
    let mut last = [0; 4];
    last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
    words.iter().fold(u32::from_le_bytes(last), |sum, word| sum ^ u32::from_le_bytes(*word))
}

#[cfg(test)]
impl Hasher {
    /// A keyed hash whose secret is known.
    pub(crate) fn known(secret: impl Fn(usize) -> u8) -> Hasher {
        let bytes: [u8; SECRET] = core::array::from_fn(secret);
        Hasher::Keyed(Secret::of(&bytes).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::{Random, rounds, stride};

    /// Miri takes seconds for a thousand bytes.
    const LONGEST: usize = if cfg!(miri) { 1_000 } else { 1 << 20 };

    fn secret(random: &mut Random) -> Secret {
        Secret::of(&core::array::from_fn(|_| random.next() as u8))
    }

    #[test]
    fn vectors_and_words_come_to_the_same() {
        let mut random = Random::new(1);
        let secret = secret(&mut random);
        let long = [4096, 5119, 5120, 5121, 10_241, 65_535, 65_536].into_iter().filter(|len| *len < LONGEST);
        for len in (0..600).step_by(stride(37)).chain(long) {
            let portion: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
            assert_eq!(secret.hash(&portion), secret.combine(&portion, by_words), "{len}");
        }
    }

    /// Computed by the definition above, in numbers of any size.
    #[test]
    fn a_hash_is_what_its_definition_says() {
        let mut random = Random::new(2);
        let secret = secret(&mut random);
        for len in [1, 159, 160, 161, 2700, 5120, 5200, 16_000].into_iter().filter(|len| *len < LONGEST) {
            let portion: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
            let mut sum = secret.sum;
            for (n, block) in portion.chunks(5120).enumerate() {
                // The last group is the last bytes.
                let groups = block.len().div_ceil(160);
                let mut bytes = block[..block.len() / 160 * 160].to_vec();
                if block.len() % 160 != 0 {
                    bytes.extend_from_slice(&block[block.len().saturating_sub(160)..]);
                }
                let word = |group: usize, row: usize, lane: usize| {
                    let at = group * 160 + row * 32 + lane * 4;
                    (0..4).map(|n| u32::from(*bytes.get(at + n).unwrap_or(&0)) << (8 * n)).sum::<u32>()
                };
                let mut nh = [0_u64; 6];
                for group in 0..groups {
                    for (row, sum) in nh.iter_mut().enumerate() {
                        let coded = |lane: usize| match row {
                            5 => (0..5).fold(0, |parity, row| parity ^ word(group, row, lane)),
                            _ => word(group, row, lane),
                        };
                        let keyed = |lane: usize| coded(lane).wrapping_add(secret.rows[group][row][lane]);
                        for pair in 0..4 {
                            *sum = sum.wrapping_add(u64::from(keyed(2 * pair)) * u64::from(keyed(2 * pair + 1)));
                        }
                    }
                }
                let columns = [(1, 0), (0, 1), (1, 1), (1, 2), (2, 1), (1, 3)];
                let mut results = [0_u64; 2];
                for (sum, (first, second)) in nh.into_iter().zip(columns) {
                    results[0] = results[0].wrapping_add(sum.wrapping_mul(first));
                    results[1] = results[1].wrapping_add(sum.wrapping_mul(second));
                }
                for (result, key) in results.into_iter().zip(secret.results[n]) {
                    sum = sum.wrapping_add(key.wrapping_mul(result.into()));
                }
            }
            assert_eq!(secret.hash(&portion), (sum >> 64) as u64, "{len}");
        }
    }

    #[test]
    fn any_two_columns_have_a_determinant_that_is_odd_or_twice_odd() {
        let columns = [(1_i32, 0_i32), (0, 1), (1, 1), (1, 2), (2, 1), (1, 3)];
        for (n, a) in columns.iter().enumerate() {
            for b in &columns[..n] {
                assert!((a.0 * b.1 - a.1 * b.0).trailing_zeros() <= 1, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn portions_that_differ_somewhere_have_other_hashes() {
        let mut random = Random::new(3);
        let secret = secret(&mut random);
        for _ in 0..rounds(300) {
            let mut portion: Vec<u8> =
                (0..1 + random.below(6_000.min(LONGEST))).map(|_| random.of(b"0123456789")).collect();
            let hash = secret.hash(&portion);
            for _ in 0..20 {
                let (at, bit) = (random.below(portion.len()), random.below(8));
                portion[at] ^= 1 << bit;
                assert_ne!(secret.hash(&portion), hash);
                portion[at] ^= 1 << bit;
            }
        }
    }

    /// Of RFC 1950 and the catalogue of CRCs: what is checked by everywhere.
    #[test]
    fn checksums_are_those_that_are_published() {
        let sum = |checksum, text: &str| Hasher::Checksum(checksum).hash(text.as_bytes());
        assert_eq!(sum(Checksum::Adler32, "Wikipedia"), 0x11E6_0398);
        assert_eq!(sum(Checksum::Crc32, "123456789"), 0xCBF4_3926);
        assert_eq!(sum(Checksum::Xor, "aaaabbbb\u{1}"), 0x0303_0302);
    }
}
