//! Digits thirty-two at once, on x86-64 processors with AVX-512 (F, BW, VL, VBMI2).
//!
//! The text of a number is one load. Comparing it tells where it ends, which bytes are digits, where
//! the point and the exponent stand; the digits are pushed together to the right, and three
//! multiplications that add up neighbours make one number of them. Nothing of that branches on what the
//! digits are, so that what is in the message cannot mislead the processor. Against digits read eight at
//! a time by [`Portable`], this takes about a third off the time of arrays of doubles. Ints are read by `int_vector`.
//!
//! The unsafe operations are the call that enters code compiled for these instructions, after the
//! processor has been asked, calls within that code, loads that take references to sixteen or
//! thirty-two bytes, and a hint that reads nothing.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::int_vector;
use crate::kernel::{Job, Kernel, Pace, Portable};
use crate::literal::Literal;
use crate::number::Powers;

/// Does a job with vector instructions, `None` where the processor has none of these.
#[inline]
pub(crate) fn run<J: Job>(job: J) -> Result<J::Output, J> {
    let has_all = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    if !has_all {
        return Err(job);
    }
    // SAFETY: the processor has the features the function is compiled for.
    Ok(unsafe { enter(job) })
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn enter<J: Job>(job: J) -> J::Output {
    job.run(Vector(()))
}

/// By vectors; only made where the processor has the instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector(());

impl Kernel for Vector {
    const FOUR: bool = true;

    #[inline(always)]
    fn is_same(self, bytes: &[u8; 32], others: &[u8; 32], mask: u32) -> bool {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { is_same(bytes, others, mask) }
    }

    #[inline(always)]
    fn double(self, bytes: &[u8], at: usize, powers: &Powers) -> Option<(f64, usize)> {
        let Some(window) = bytes.get(at..).and_then(|rest| rest.first_chunk()) else {
            return Portable.double(bytes, at, powers);
        };
        // SAFETY: a `Vector` is only made where the processor has the features.
        let read = unsafe { double(window) };
        match read.and_then(|(parts, len)| Some((parts, powers.double(parts.digits, parts.exponent)?, len))) {
            Some((parts, number, len)) => Some((f64::from_bits(number.to_bits() | parts.sign), at + len)),
            None => Portable.double(bytes, at, powers),
        }
    }

    #[inline(always)]
    fn int(self, bytes: &[u8], at: usize, pace: &mut Pace, powers: &Powers) -> Option<(i32, usize)> {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { int_vector::read(bytes, at, pace) }.or_else(|| Portable.int(bytes, at, pace, powers))
    }

    #[inline(always)]
    fn four_ints(self, between: &Literal, bytes: &[u8], at: usize, len: usize, places: &mut [i32; 4]) -> bool {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { int_vector::four(between, bytes, at, len, places) }
    }

    #[inline(always)]
    fn fetch(self, byte: &u8) {
        // SAFETY: every processor of this kind has the instruction, and the place is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(byte).cast()) }
    }

    #[inline(always)]
    fn differences(self, bytes: &[u8; 64], others: &[u8; 64]) -> u64 {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { differences(bytes, others) }
    }
}

/// A decimal number.
#[derive(Clone, Copy)]
struct Parts {
    digits: u64,
    exponent: i32,
    /// The sign in the place a double has it.
    sign: u64,
}

/// The number that stands before the first `<`, and its length; `None` where it is not of the common
/// form, or longer than the window.
///
/// # Safety
/// The processor has the features of [`enter`].
#[inline(always)]
unsafe fn double(window: &[u8; 32]) -> Option<(Parts, usize)> {
    // SAFETY: the instructions are there, as the caller promises; loads are of arrays as long as they are,
    // at any alignment.
    unsafe {
        let text = _mm256_loadu_si256(window.as_ptr().cast());
        let is = |byte: u8| _mm256_cmpeq_epi8_mask(text, _mm256_set1_epi8(byte as i8));
        let len = is(b'<').trailing_zeros();
        if len == 32 {
            return None;
        }
        let values = _mm256_sub_epi8(text, _mm256_set1_epi8(b'0' as i8));
        let digits = _mm256_cmple_epu8_mask(values, _mm256_set1_epi8(9));
        let minus = is(b'-');
        let negative = minus & 1;
        let below = |bit: u32| _bzhi_u32(u32::MAX, bit);
        let marks = _mm256_cmpeq_epi8_mask(_mm256_or_si256(text, _mm256_set1_epi8(0x20)), _mm256_set1_epi8(b'e' as i8))
            & below(len);
        let end = (marks | 1 << len).trailing_zeros();
        let point = is(b'.') & below(end);
        let of_mantissa = digits & below(end);
        let count = of_mantissa.count_ones();
        let is_common = (of_mantissa | point | negative) == below(end) && point & point.wrapping_sub(1) == 0;
        if !is_common || count.wrapping_sub(1) >= 19 {
            return None;
        }
        // A missing point stands behind the last digit.
        let mut exponent = (point | 1 << end).trailing_zeros() as i32 - end as i32 + i32::from(point != 0);
        let together = _mm256_maskz_compress_epi8(of_mantissa, values);
        let right = _mm256_maskz_expand_epi8(u32::MAX << (32 - count), together);
        let pairs = _mm256_maddubs_epi16(right, _mm256_set1_epi16(0x010A));
        let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x0001_0064));
        let fours = _mm256_packus_epi32(fours, fours);
        let eights = _mm256_madd_epi16(fours, _mm256_set1_epi32(0x0001_2710));
        let first = _mm256_extract_epi64::<0>(eights) as u64;
        let second = _mm256_extract_epi64::<2>(eights) as u64;
        let value = (first >> 32) * 10_000_000_000_000_000 + (second & 0xFFFF_FFFF) * 100_000_000 + (second >> 32);
        if marks != 0 {
            // Of masks, as a branch on the sign would go wrong half of the time.
            let below_one = minus >> end >> 1 & 1;
            let start = end + 1 + (below_one | is(b'+') >> end >> 1 & 1);
            let count = len.wrapping_sub(start);
            let of_exponent = below(len) & !below(start);
            if count.wrapping_sub(1) >= 3 || digits & of_exponent != of_exponent {
                return None;
            }
            let last = window.get(..len as usize)?.last_chunk::<4>()?;
            let text = u32::from_le_bytes(*last) & 0x0F0F_0F0F & u32::MAX << (8 * (4 - count));
            let written = ((text >> 24) + (text >> 16 & 0xFF) * 10 + (text >> 8 & 0xFF) * 100) as i32;
            let sign = -(below_one as i32);
            exponent += (written ^ sign) - sign;
        }
        Some((Parts { digits: value, exponent, sign: u64::from(negative) << 63 }, len as usize))
    }
}

/// Whether the bytes are the same that a mask has bits of.
///
/// # Safety
/// The processor has the features of [`enter`].
#[inline(always)]
unsafe fn is_same(bytes: &[u8; 32], others: &[u8; 32], mask: u32) -> bool {
    // SAFETY: the instructions are there, as the caller promises; loads are of arrays as long as they are,
    // at any alignment.
    unsafe {
        let (bytes, others) = (_mm256_loadu_si256(bytes.as_ptr().cast()), _mm256_loadu_si256(others.as_ptr().cast()));
        _mm256_mask_cmpneq_epu8_mask(mask, bytes, others) == 0
    }
}

/// Which bytes are not the same.
///
/// # Safety
/// The processor has the features of [`enter`].
#[inline(always)]
unsafe fn differences(bytes: &[u8; 64], others: &[u8; 64]) -> u64 {
    let half = |n: usize| {
        let of = |bytes: &[u8; 64]| bytes.as_chunks::<32>().0[n].as_ptr().cast();
        // SAFETY: the instructions are there, as the caller promises; loads are of arrays as long as they are,
        // at any alignment.
        u64::from(unsafe { _mm256_cmpneq_epu8_mask(_mm256_loadu_si256(of(bytes)), _mm256_loadu_si256(of(others))) })
    };
    half(0) | half(1) << 32
}
