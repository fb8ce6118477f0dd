//! Ways to read digits: by vectors where the processor has them, by words everywhere.

use crate::number::{Number, Powers};

/// A way to read the numbers that arrays are mostly of.
pub(crate) trait Kernel: Copy {
    /// The double at `at` and the place behind it, `None` where it takes more care or is none.
    fn double(self, bytes: &[u8], at: usize, powers: &Powers) -> Option<(f64, usize)>;
    /// The int at `at` and the place behind it, `None` where it takes more care or is none. `guess` is how
    /// long the one before was: where the guess is right, the processor goes on with the next item before
    /// it has looked for the end of this one.
    fn int(self, bytes: &[u8], at: usize, guess: &mut usize, powers: &Powers) -> Option<(i32, usize)>;
}

/// Eight digits at a time, in a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn double(self, bytes: &[u8], at: usize, powers: &Powers) -> Option<(f64, usize)> {
        f64::by_words(bytes, at, powers)
    }

    #[inline(always)]
    fn int(self, bytes: &[u8], at: usize, _: &mut usize, powers: &Powers) -> Option<(i32, usize)> {
        i32::by_words(bytes, at, powers)
    }
}

/// Work that reads numbers, made once for each kernel.
pub(crate) trait Job: Sized {
    type Output;

    /// Does it; to be inlined, so that it is compiled for the kernel's instructions.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// Does a job with the best kernel there is.
#[inline]
pub(crate) fn run<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    let job = match crate::vector::run(job) {
        Ok(output) => return output,
        Err(job) => job,
    };
    job.run(Portable)
}
