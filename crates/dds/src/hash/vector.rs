//! The rows of the keyed hash by vectors of 32 bytes, on x86-64 processors with AVX2.
//!
//! The compiler makes vectors of sixteen bytes of the safe twin, `by_words`, and none of thirty-two, which take
//! half the time. The unsafe operations are the call that enters code compiled for these instructions, after
//! the processor has been asked, and loads of references to thirty-two bytes.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::hash::{GROUP, GROUPS, RowKeys, Secret, rest};

/// The hash of a portion, `None` where the processor has not the instructions.
#[inline]
pub(crate) fn hash(secret: &Secret, portion: &[u8]) -> Option<u64> {
    // SAFETY: the processor has the features the function is compiled for.
    is_x86_feature_detected!("avx2").then(|| unsafe { of_portion(secret, portion) })
}

#[target_feature(enable = "avx2")]
fn of_portion(secret: &Secret, portion: &[u8]) -> u64 {
    secret.combine(portion, |keys, bytes| results(keys, bytes))
}

/// The two results of a block.
#[target_feature(enable = "avx2")]
#[inline]
fn results(keys: &[RowKeys; GROUPS], bytes: &[u8]) -> [u64; 2] {
    let mut sums = [_mm256_setzero_si256(); 6];
    let (groups, _) = bytes.as_chunks();
    for (group, keys) in groups.iter().zip(keys) {
        add(&mut sums, group, keys);
    }
    if let Some((group, keys)) = rest(bytes, keys) {
        add(&mut sums, &group, keys);
    }
    let [a, b, c, d, e, f] = sums;
    let plus = |a, b| _mm256_add_epi64(a, b);
    let first = plus(plus(plus(a, c), plus(d, f)), plus(e, e));
    let second = plus(plus(plus(b, c), plus(e, f)), plus(plus(d, d), plus(f, f)));
    let both = plus(_mm256_unpacklo_epi64(first, second), _mm256_unpackhi_epi64(first, second));
    let both = _mm_add_epi64(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
    [_mm_cvtsi128_si64(both) as u64, _mm_extract_epi64::<1>(both) as u64]
}

#[target_feature(enable = "avx2")]
#[inline]
fn add(sums: &mut [__m256i; 6], group: &[u8; GROUP], keys: &RowKeys) {
    let mut parity = _mm256_setzero_si256();
    for n in 0..5 {
        let row: &[u8; 32] = &group.as_chunks().0[n];
        // SAFETY: the load is of an array of 32 bytes, at any alignment.
        let words = unsafe { _mm256_loadu_si256(row.as_ptr().cast()) };
        parity = _mm256_xor_si256(parity, words);
        sums[n] = add_row(sums[n], words, &keys[n]);
    }
    sums[5] = add_row(sums[5], parity, &keys[5]);
}

#[target_feature(enable = "avx2")]
#[inline]
fn add_row(sums: __m256i, words: __m256i, keys: &[u32; 8]) -> __m256i {
    // SAFETY: the load is of an array of 32 bytes, at any alignment.
    let keys = unsafe { _mm256_loadu_si256(keys.as_ptr().cast()) };
    let keyed = _mm256_add_epi32(words, keys);
    _mm256_add_epi64(sums, _mm256_mul_epu32(keyed, _mm256_srli_epi64::<32>(keyed)))
}
