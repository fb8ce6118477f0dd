//! Doubles by vectors, on x86-64 processors with AVX2.
//!
//! The text of a number is one load. Comparing it finds where it ends and which bytes are digits; what is no digit is the
//! sign, the point, the exponent's mark and its sign, in this order. The digits before the point and those after it are
//! loaded so that they end where their sixteen bytes end, and three multiplications that add up neighbours make numbers of
//! both in the two halves of one vector. Nothing of that branches on what the digits are, so that what is in the message
//! cannot mislead the processor. Items that follow each other are read in one loop, which looks at the markup between them in
//! the bytes that are loaded anyway. Against digits read eight at a time, arrays of doubles take less than half of the time.
//!
//! Processors with AVX-512 can push the digits together instead; on two Zen 4 cores that took a sixth longer.
//!
//! The unsafe operations are vector instructions and loads that take references to as many bytes as they load.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::kernels::Kernel;
use crate::kernels::len::Len;
use crate::kernels::number::Powers;
use crate::kernels::numbers::{AHEAD, Numbers, Several};
use crate::kernels::vector::ints::last;
use crate::kernels::vector::{self, Vector};

/// Bytes that are loaded before a number, and from its beginning on.
const BEFORE: usize = 16;
const WINDOW: usize = BEFORE + 64;
/// No text of the common form is as long.
const LONGEST: usize = 32;

/// Sixteen bytes from the nth on leave of their last n the value of a digit.
static LAST: [u8; 48] = last(0x0F);

/// As long as what is looked up, so that it needs no check.
static TENS: [u64; 32] = {
    let mut tens = [1; 32];
    let mut n = 1;
    while n < 17 {
        tens[n] = tens[n - 1] * 10;
        n += 1;
    }
    tens
};

/// The double at `at` and its length, `None` where it is not of the common form. A `<` follows.
///
/// # Safety
/// The processor has the features of [`vector::enter`].
#[inline(always)]
pub(crate) unsafe fn read(bytes: &[u8], at: usize, powers: &Powers) -> Option<(f64, usize)> {
    let window = bytes.get(at.checked_sub(BEFORE)?..)?.first_chunk()?;
    // SAFETY: as the caller promises.
    let (bits, len) = unsafe { double(window, powers) }?;
    Some((f64::from_bits(bits), len))
}

/// Items of doubles of the common form, the text of the first at `start`, as many as there are places and lengths, or up to
/// one that equals the number it replaces, if that is wanted.
///
/// # Safety
/// The processor has the features of [`vector::enter`].
#[inline(always)]
pub(crate) unsafe fn several<L: Len, F, const UNTIL_SAME: bool>(
    vector: Vector,
    numbers: &Numbers<'_, F>,
    start: usize,
    places: &mut [f64],
    lens: &mut [L],
) -> Several {
    let Numbers { between, bytes, powers, .. } = *numbers;
    let mut several = Several::default();
    let Some(mut rest) = start.checked_sub(BEFORE).and_then(|from| bytes.get(from..)) else { return several };
    if L::of(LONGEST + between.len()).is_none() {
        return several;
    }
    for (place, len) in places.iter_mut().zip(lens) {
        let Some(window) = rest.first_chunk() else { break };
        // SAFETY: as the caller promises.
        let Some((bits, text)) = (unsafe { double(window, powers) }) else { break };
        let Some(following) = window[BEFORE..].get(text..).and_then(|rest| rest.first_chunk()) else { break };
        // SAFETY: as the caller promises.
        if unsafe { !vector::is_same(following, &between.first, between.mask) } || !between.ends(rest, BEFORE + text) {
            break;
        }
        let bytes = text + between.len();
        let Some(next) = rest.get(bytes..) else { break };
        rest = next;
        several.count += 1;
        vector.fetch(rest, AHEAD);
        *len = L::cut(bytes);
        let replaced = core::mem::replace(place, f64::from_bits(bits));
        if UNTIL_SAME && replaced.to_bits() == bits {
            several.has_met = true;
            break;
        }
    }
    several.bytes = bytes.len() - rest.len() - (start - BEFORE);
    several
}

/// The number between the bytes before and the first `<`: the bits of the double, and its length.
///
/// # Safety
/// The processor has the features of [`vector::enter`].
#[inline(always)]
unsafe fn double(window: &[u8; WINDOW], powers: &Powers) -> Option<(u64, usize)> {
    let byte = |at: u32| window[BEFORE + at as usize];
    // Sixteen bytes before a place.
    let before = |at: u32| window[at as usize..].first_chunk::<16>();
    let of_last = |count: u32| LAST[count as usize..].first_chunk::<16>();
    // SAFETY: the instructions are there, as the caller promises; loads are of arrays as long as they are,
    // at any alignment.
    unsafe {
        let text: &[u8; 32] = window[BEFORE..].first_chunk()?;
        let text = _mm256_loadu_si256(text.as_ptr().cast());
        let mask = |vector: __m256i| _mm256_movemask_epi8(vector) as u32;
        let is = |byte: u8| mask(_mm256_cmpeq_epi8(text, _mm256_set1_epi8(byte as i8)));
        let len = is(b'<').trailing_zeros();
        let negative = is(b'-') & 1;
        // Digits are the bytes that come to the ten greatest numbers there are.
        let values = _mm256_add_epi8(text, _mm256_set1_epi8(i8::MAX - b'9' as i8));
        let others = mask(_mm256_cmpgt_epi8(_mm256_set1_epi8(i8::MAX - 9), values)) & !negative;
        let place = others.trailing_zeros();
        let (mut end, mut fraction) = (place, 0);
        if byte(place) == b'.' {
            end = _blsr_u32(others).trailing_zeros();
            fraction = end.wrapping_sub(place).wrapping_sub(1);
        }
        let whole = place.wrapping_sub(negative);
        // Seventeen in all, so that there are no more than sixteen after the point either.
        if whole.wrapping_sub(1) >= 16 || fraction > 17 - whole {
            return None;
        }
        let mut exponent = 0;
        if end != len {
            // Without a branch on the sign, which would go wrong half of the time.
            let sign = byte(end + 1);
            let is_below = sign == b'-';
            let start = end + 1 + u32::from(is_below | (sign == b'+'));
            let count = len.wrapping_sub(start);
            let digits = others.wrapping_shr(start).trailing_zeros();
            if byte(end) | 0x20 != b'e' || count.wrapping_sub(1) >= 3 || digits != count {
                return None;
            }
            let text = _mm_loadu_si128(before(len)?.as_ptr().cast());
            let values = _mm_and_si128(text, _mm_loadu_si128(of_last(count)?.as_ptr().cast()));
            let pairs = _mm_maddubs_epi16(values, _mm_set1_epi16(0x010A));
            let written = _mm_extract_epi32::<3>(_mm_madd_epi16(pairs, _mm_set1_epi32(0x0001_0064)));
            exponent = if is_below { -written } else { written };
        }
        let both =
            |first: &[u8; 16], second: &[u8; 16]| _mm256_loadu2_m128i(second.as_ptr().cast(), first.as_ptr().cast());
        let text = both(before(place)?, before(end)?);
        let values = _mm256_and_si256(text, both(of_last(whole)?, of_last(fraction)?));
        let pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi16(0x010A));
        let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x0001_0064));
        let fours = _mm256_packus_epi32(fours, fours);
        let eights = _mm256_madd_epi16(fours, _mm256_set1_epi32(0x0001_2710));
        let upper = _mm256_mul_epu32(eights, _mm256_set1_epi64x(100_000_000));
        let numbers = _mm256_add_epi64(upper, _mm256_srli_epi64::<32>(eights));
        let before = _mm256_extract_epi64::<0>(numbers) as u64;
        let after = _mm256_extract_epi64::<2>(numbers) as u64;
        let digits = before.wrapping_mul(TENS[fraction as usize]).wrapping_add(after);
        let bits = powers.double(digits, exponent - fraction as i32)?;
        Some((bits | u64::from(negative) << 63, len as usize))
    }
}
