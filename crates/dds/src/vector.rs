//! Digits sixteen at once, on x86-64 processors with AVX2.
//!
//! The text of a number is one load. Comparing it tells where it ends, which bytes are digits, where the point and the
//! exponent stand; the digits before the point and those behind it are loaded so that they end where their sixteen bytes
//! end, and three multiplications that add up neighbours make numbers of both in the two halves of one vector.
//! Nothing of that branches on what the digits are, so that what is in the message cannot mislead the processor. Against
//! digits read eight at a time by [`Portable`], arrays of doubles take 0.6 of the time. Ints are read by `int_vector`.
//!
//! Processors with AVX-512 can push the digits together instead; on two Zen 4 cores that took a sixth longer.
//!
//! The unsafe operations are the call that enters code compiled for these instructions, after the processor has been
//! asked, calls within that code, loads that take references to sixteen or thirty-two bytes, and a hint that reads
//! nothing.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::int_vector::{self, LAST};
use crate::kernel::{Job, Kernel, Pace, Portable};
use crate::literal::Literal;
use crate::number::Powers;

/// Does a job with vector instructions, `None` where the processor has none of these.
#[inline]
pub(crate) fn run<J: Job>(job: J) -> Result<J::Output, J> {
    let has_all = is_x86_feature_detected!("avx2")
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

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn enter<J: Job>(job: J) -> J::Output {
    job.run(Vector(()))
}

/// By vectors; only made where the processor has the instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector(());

/// Bytes that are loaded before a number and from its beginning on.
const BEFORE: usize = 16;
const WINDOW: usize = BEFORE + 32;

impl Kernel for Vector {
    const FOUR: bool = true;

    #[inline(always)]
    fn apart<J: Job>(self, job: J) -> J::Output {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { enter(job) }
    }

    #[inline(always)]
    fn is_same(self, bytes: &[u8; 32], others: &[u8; 32], mask: u32) -> bool {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { is_same(bytes, others, mask) }
    }

    #[inline(always)]
    fn double(self, bytes: &[u8], at: usize, powers: &Powers) -> Option<(f64, usize)> {
        let window = at.checked_sub(BEFORE).and_then(|start| bytes.get(start..)?.first_chunk());
        // SAFETY: a `Vector` is only made where the processor has the features.
        let read = window.and_then(|window| unsafe { double(window) });
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
    fn difference(self, bytes: &[u8; 128], others: &[u8; 128]) -> Option<usize> {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { difference(bytes, others) }
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

/// As many as five bits can tell, so that what is looked up needs no check.
static TENS: [u64; 32] = {
    let mut tens = [1; 32];
    let mut n = 1;
    while n < 17 {
        tens[n] = tens[n - 1] * 10;
        n += 1;
    }
    tens
};

/// Sixteen bytes from one of the first thirty-two on.
#[inline(always)]
fn sixteen(bytes: &[u8; WINDOW], from: u32) -> Option<&[u8; 16]> {
    bytes[(from & 31) as usize..].first_chunk()
}

/// The number that begins behind the bytes before and stands before the first `<`, and its length; `None` where it is
/// not of the common form, or longer than the window.
///
/// # Safety
/// The processor has the features of [`enter`].
#[inline(always)]
unsafe fn double(window: &[u8; WINDOW]) -> Option<(Parts, usize)> {
    let byte = |at: u32| window[BEFORE + (at & 31) as usize];
    // SAFETY: the instructions are there, as the caller promises; loads are of arrays as long as they are,
    // at any alignment.
    unsafe {
        let text: &[u8; 32] = window.last_chunk()?;
        let text = _mm256_loadu_si256(text.as_ptr().cast());
        let mask = |vector: __m256i| _mm256_movemask_epi8(vector) as u32;
        let is = |text: __m256i, byte: u8| mask(_mm256_cmpeq_epi8(text, _mm256_set1_epi8(byte as i8)));
        let len = is(text, b'<').trailing_zeros();
        if len == 32 {
            return None;
        }
        let values = _mm256_sub_epi8(text, _mm256_set1_epi8(b'0' as i8));
        let digits = mask(_mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values));
        let negative = u32::from(byte(0) == b'-');
        let below = |bit: u32| _bzhi_u32(u32::MAX, bit);
        let marks = is(_mm256_or_si256(text, _mm256_set1_epi8(0x20)), b'e') & below(len);
        let end = (marks | 1 << len).trailing_zeros();
        // Of the mantissa what is neither a digit nor the sign is a point, or there is nothing else.
        let point = below(end) & !(digits | negative);
        let place = (point | 1 << end).trailing_zeros();
        let whole = place.wrapping_sub(negative);
        let fraction = end.wrapping_sub(place).wrapping_sub(u32::from(point != 0));
        let is_common = point & point.wrapping_sub(1) == 0 && (point == 0 || byte(place) == b'.');
        if !is_common || whole.wrapping_add(fraction).wrapping_sub(1) >= 19 || whole > 16 || fraction > 16 {
            return None;
        }
        let both =
            |first: &[u8; 16], second: &[u8; 16]| _mm256_loadu2_m128i(second.as_ptr().cast(), first.as_ptr().cast());
        let text = both(sixteen(window, place)?, sixteen(window, end)?);
        let values = _mm256_sub_epi8(text, _mm256_set1_epi8(b'0' as i8));
        let values = _mm256_and_si256(values, both(sixteen(&LAST, whole)?, sixteen(&LAST, fraction)?));
        let pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi16(0x010A));
        let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x0001_0064));
        let fours = _mm256_packus_epi32(fours, fours);
        let eights = _mm256_madd_epi16(fours, _mm256_set1_epi32(0x0001_2710));
        let number = |eights: u64| (eights & 0xFFFF_FFFF) * 100_000_000 + (eights >> 32);
        let before = number(_mm256_extract_epi64::<0>(eights) as u64);
        let behind = number(_mm256_extract_epi64::<2>(eights) as u64);
        let value = before.wrapping_mul(TENS[(fraction & 31) as usize]).wrapping_add(behind);
        let mut exponent = -(fraction as i32);
        if marks != 0 {
            // Without a branch on the sign, which would go wrong half of the time.
            let sign = byte(end + 1);
            let below_one = sign == b'-';
            let start = end + 1 + u32::from(below_one | (sign == b'+'));
            let count = len.wrapping_sub(start);
            let of_exponent = below(len) & !below(start);
            if count.wrapping_sub(1) >= 3 || digits & of_exponent != of_exponent {
                return None;
            }
            let last: &[u8; 4] = window[BEFORE - 4 + (len & 31) as usize..].first_chunk()?;
            let text = u32::from_le_bytes(*last) & 0x0F0F_0F0F & u32::MAX << (8 * (4 - count));
            let written = ((text >> 24) + (text >> 16 & 0xFF) * 10 + (text >> 8 & 0xFF) * 100) as i32;
            let sign = -i32::from(below_one);
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
        !(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, others)) as u32) & mask == 0
    }
}

/// Which byte is the first that is not the same.
///
/// # Safety
/// The processor has the features of [`enter`].
#[inline(always)]
unsafe fn difference(bytes: &[u8; 128], others: &[u8; 128]) -> Option<usize> {
    // SAFETY: the instructions are there, as the caller promises; loads are of arrays as long as they are,
    // at any alignment.
    unsafe {
        let quarter = |n: usize| {
            let of = |bytes: &[u8; 128]| _mm256_loadu_si256(bytes.as_chunks::<32>().0[n].as_ptr().cast());
            _mm256_cmpeq_epi8(of(bytes), of(others))
        };
        let all = [quarter(0), quarter(1), quarter(2), quarter(3)];
        let same = _mm256_and_si256(_mm256_and_si256(all[0], all[1]), _mm256_and_si256(all[2], all[3]));
        if _mm256_movemask_epi8(same) == -1 {
            return None;
        }
        // Without a branch on where, which would go wrong mostly.
        let differs = |n: usize| u64::from(!_mm256_movemask_epi8(all[n]) as u32);
        let (first, second) = (differs(0) | differs(1) << 32, differs(2) | differs(3) << 32);
        Some(if first == 0 { 64 + second.trailing_zeros() } else { first.trailing_zeros() } as usize)
    }
}
