//! The kernel of x86-64 processors with AVX2: markup and messages are compared thirty-two bytes at once, doubles and ints
//! read by [`doubles`] and [`ints`].
//!
//! The unsafe operations are the call that enters code compiled for these instructions, after the processor has been
//! asked, calls within that code, loads that take references to as many bytes as they load, and hints of what is loaded next.
#![allow(unsafe_code)]

mod doubles;
mod ints;

use core::arch::x86_64::*;

use crate::kernels::len::Len;
use crate::kernels::literal::Literal;
use crate::kernels::number::Powers;
use crate::kernels::numbers::{Numbers, Several};
use crate::kernels::{Job, Kernel, Pace, Portable};

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
        // SAFETY: a `Vector` is only made where the processor has the features.
        match unsafe { doubles::read(bytes, at, powers) } {
            Some((value, len)) => Some((value, at + len)),
            None => Portable.double(bytes, at, powers),
        }
    }

    #[inline(always)]
    fn doubles<L: Len, F, const UNTIL_SAME: bool>(
        self,
        numbers: &Numbers<'_, F>,
        start: usize,
        places: &mut [f64],
        lens: &mut [L],
    ) -> Several {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { doubles::several::<L, F, UNTIL_SAME>(self, numbers, start, places, lens) }
    }

    #[inline(always)]
    fn int(self, bytes: &[u8], at: usize, pace: &mut Pace, powers: &Powers) -> Option<(i32, usize)> {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { ints::read(bytes, at, pace) }.or_else(|| Portable.int(bytes, at, pace, powers))
    }

    #[inline(always)]
    fn four_ints(self, between: &Literal, bytes: &[u8], at: usize, len: usize, places: &mut [i32; 4]) -> bool {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { ints::four(between, bytes, at, len, places) }
    }

    #[inline(always)]
    fn difference(self, bytes: &[u8; 128], others: &[u8; 128]) -> Option<usize> {
        // SAFETY: a `Vector` is only made where the processor has the features.
        unsafe { difference(bytes, others) }
    }

    #[inline(always)]
    fn fetch<T>(self, items: &[T], n: usize) {
        // SAFETY: a hint, which reads nothing and may be of any place.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(n).cast()) }
    }
}

/// Whether the bytes are the same that a mask has bits of.
///
/// # Safety
/// The processor has the features of [`enter`].
#[inline(always)]
pub(crate) unsafe fn is_same(bytes: &[u8; 32], others: &[u8; 32], mask: u32) -> bool {
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
        let (in_first, in_second) = (first.trailing_zeros(), 64 + second.trailing_zeros());
        Some(core::hint::select_unpredictable(first == 0, in_second, in_first) as usize)
    }
}
