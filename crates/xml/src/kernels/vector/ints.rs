//! Ints by vectors, on x86-64 processors with AVX2.
//!
//! The digits of a number are loaded so that they end where their vector ends; three multiplications that add up
//! neighbours make one number of them. Where the numbers before were all of one length, four are read at once, each in
//! eight bytes of a vector, without a look at where they end: a comparison with the markup between them, which is
//! made anyway, shows whether they do. Arrays of such ints take less than half of the time so.
//!
//! The unsafe operations are vector instructions and loads that take references to as many bytes as they load.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::kernels::Pace;
use crate::kernels::literal::Literal;

/// Sixteen bytes from the nth on have a byte in each of their last n. Tables have a row for each value of five bits, so that
/// what is looked up needs no check.
pub(crate) const fn last(byte: u8) -> [u8; 48] {
    let mut last = [0; 48];
    let mut n = 16;
    while n < 32 {
        last[n] = byte;
        n += 1;
    }
    last
}

static LAST: [u8; 48] = last(0xFF);

/// The int at `at` and the place after it, `None` where it takes more care or is none.
///
/// # Safety
/// The processor has AVX2 and BMI1.
#[inline(always)]
pub(crate) unsafe fn read(bytes: &[u8], at: usize, pace: &mut Pace) -> Option<(i32, usize)> {
    // Where the numbers before were as long as this one, the processor goes on with the next before it has
    // looked for the end of this one.
    if pace.is_steady()
        // SAFETY: as the caller promises.
        && let Some(value) = unsafe { before(bytes, at, pace.len) }
    {
        return Some((value, at + pace.len));
    }
    let window = bytes.get(at..)?.first_chunk()?;
    // SAFETY: as the caller promises.
    let len = unsafe { length(window) };
    pace.take(len);
    // SAFETY: as the caller promises.
    let value = unsafe { before(bytes, at, len) };
    Some((value?, at + len))
}

/// The int that ends at a `<`, `len` bytes after `at`.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn before(bytes: &[u8], at: usize, len: usize) -> Option<i32> {
    let (before, following) = bytes.split_at_checked(at + len)?;
    if following.first() != Some(&b'<') {
        return None;
    }
    // SAFETY: as the caller promises.
    unsafe { number(before.last_chunk()?, len, *bytes.get(at)? == b'-') }
}

/// How far it is to the first `<`; 16 where there is none.
///
/// # Safety
/// The processor has BMI1.
#[inline(always)]
unsafe fn length(window: &[u8; 16]) -> usize {
    // SAFETY: the instructions are there, as the caller promises; loads are of arrays as long as they are,
    // at any alignment.
    unsafe {
        let text = _mm_loadu_si128(window.as_ptr().cast());
        let ends = _mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8(b'<' as i8))) as u32;
        (ends | 1 << 16).trailing_zeros() as usize
    }
}

/// The number of `len` bytes at the end of `text`.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn number(text: &[u8; 16], len: usize, negative: bool) -> Option<i32> {
    let count = len.wrapping_sub(usize::from(negative));
    if count.wrapping_sub(1) >= 10 {
        return None;
    }
    let last: &[u8; 16] = LAST.get(count..)?.first_chunk()?;
    // SAFETY: the instructions are there, as the caller promises; loads are of arrays as long as they are,
    // at any alignment.
    unsafe {
        let text = _mm_loadu_si128(text.as_ptr().cast());
        let values = _mm_sub_epi8(text, _mm_set1_epi8(b'0' as i8));
        let values = _mm_and_si128(values, _mm_loadu_si128(last.as_ptr().cast()));
        let are_digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
        if _mm_movemask_epi8(are_digits) != 0xFFFF {
            return None;
        }
        let pairs = _mm_maddubs_epi16(values, _mm_set1_epi16(0x010A));
        let fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x0001_0064));
        let fours = _mm_packus_epi32(fours, fours);
        let eights = _mm_cvtsi128_si64(_mm_madd_epi16(fours, _mm_set1_epi32(0x0001_2710))) as u64;
        let value = ((eights & 0xFFFF_FFFF) * 100_000_000 + (eights >> 32)) as i64;
        i32::try_from(if negative { -value } else { value }).ok()
    }
}

/// Four ints of `len` digits each, the first at `at`, each with `between` after it; whether they are that.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub(crate) unsafe fn four(between: &Literal, bytes: &[u8], at: usize, len: usize, places: &mut [i32; 4]) -> bool {
    if len.wrapping_sub(1) >= 8 || between.len() > 32 {
        return false;
    }
    let (step, last) = (len + between.len(), LAST[8 + len..].first_chunk::<8>());
    // Eight bytes of which the last is a number's last, and thirty-two after that.
    let window = |n: usize| bytes.get((at + len + n * step).checked_sub(8)?..)?.first_chunk::<40>();
    let (Some(last), Some(a), Some(b), Some(c), Some(d)) = (last, window(0), window(1), window(2), window(3)) else {
        return false;
    };
    // SAFETY: the instructions are there, as the caller promises; loads are of arrays as long as they are or
    // longer, at any alignment.
    unsafe {
        let literal = _mm256_loadu_si256(between.first.as_ptr().cast());
        let is = |window: &[u8; 40]| _mm256_cmpeq_epi8(_mm256_loadu_si256(window.as_ptr().add(8).cast()), literal);
        let same = _mm256_and_si256(_mm256_and_si256(is(a), is(b)), _mm256_and_si256(is(c), is(d)));
        let digits = |window: &[u8; 40]| i64::from_le_bytes(*window.first_chunk().unwrap_or(&[0; 8]));
        let text = _mm256_setr_epi64x(digits(a), digits(b), digits(c), digits(d));
        let values = _mm256_sub_epi8(text, _mm256_set1_epi8(b'0' as i8));
        let values = _mm256_and_si256(values, _mm256_set1_epi64x(i64::from_le_bytes(*last)));
        let are_digits = _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values);
        if !(_mm256_movemask_epi8(same) as u32) & between.mask != 0 || _mm256_movemask_epi8(are_digits) != -1 {
            return false;
        }
        let pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi16(0x010A));
        let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x0001_0064));
        let fours = _mm256_packus_epi32(fours, fours);
        let eights = _mm256_madd_epi16(fours, _mm256_set1_epi32(0x0001_2710));
        // Each half of the vector has the two numbers twice.
        let numbers = _mm256_castsi256_si128(_mm256_permute4x64_epi64::<0b10_00>(eights));
        _mm_storeu_si128(places.as_mut_ptr().cast(), numbers);
    }
    true
}
