//! Ways to read digits: by vectors where the processor has them, by words everywhere.

pub mod alignment;
pub mod len;
pub mod literal;
pub mod number;
pub mod numbers;
#[cfg(target_arch = "x86_64")]
mod vector;

use crate::kernels::len::Len;
use crate::kernels::literal::Literal;
use crate::kernels::number::{Number, Powers};
use crate::kernels::numbers::{Numbers, Several};

/// Bytes of memory that are brought near at once.
pub const LINE: usize = 64;

/// How long the texts of the numbers before were.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// Of the last one.
    pub len: usize,
    /// How many in a row were as long.
    steady: u32,
}

impl Pace {
    /// Whether it may be tried to go on without a look at how long the next is: a guess that fails costs more than
    /// the look.
    #[inline(always)]
    pub fn is_steady(&self) -> bool {
        self.steady >= 8
    }

    /// The next one has this length.
    #[cfg(any(test, target_arch = "x86_64"))]
    #[inline(always)]
    pub fn take(&mut self, len: usize) {
        self.steady = if len == self.len { self.steady + 1 } else { 0 };
        self.len = len;
    }

    /// A guess has failed.
    #[inline(always)]
    pub fn stumble(&mut self) {
        self.steady = 0;
    }
}

/// A way to read the numbers that arrays are mostly of.
pub trait Kernel: Copy {
    /// Whether it reads four ints at once.
    const FOUR: bool;

    /// Does a job in code of its own: once compiled, whoever asks for it.
    fn apart<J: Job>(self, job: J) -> J::Output;
    /// Whether the bytes are the same that a mask has bits of, the lowest for the first.
    fn is_same(self, bytes: &[u8; 32], others: &[u8; 32], mask: u32) -> bool;
    /// The double at `at` and the place after it, `None` where it takes more care or is none.
    fn double(self, bytes: &[u8], at: usize, powers: &Powers) -> Option<(f64, usize)>;
    /// The int at `at` and the place after it, `None` where it takes more care or is none.
    fn int(self, bytes: &[u8], at: usize, pace: &mut Pace, powers: &Powers) -> Option<(i32, usize)>;
    /// Four ints of `len` bytes each, the first at `at`, each with `between` after it; whether they are that.
    fn four_ints(self, between: &Literal, bytes: &[u8], at: usize, len: usize, places: &mut [i32; 4]) -> bool;
    /// Items of doubles, the text of the first at `start`, as many as there are places and lengths and as take no more care,
    /// or up to one that equals the number it replaces.
    fn doubles<L: Len, F, const UNTIL_SAME: bool>(
        self,
        numbers: &Numbers<'_, F>,
        start: usize,
        places: &mut [f64],
        lens: &mut [L],
    ) -> Several;
    /// Which byte is the first that is not the same.
    fn difference(self, bytes: &[u8; 128], others: &[u8; 128]) -> Option<usize>;
    /// Has the memory around the `n`th item, which is looked at soon, brought near; it may be none of them.
    fn fetch<T>(self, items: &[T], n: usize);
}

/// Eight digits at a time, in a word.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Kernel for Portable {
    const FOUR: bool = false;

    #[inline(never)]
    fn apart<J: Job>(self, job: J) -> J::Output {
        job.run(self)
    }

    #[inline(always)]
    fn is_same(self, bytes: &[u8; 32], others: &[u8; 32], mask: u32) -> bool {
        // A mask is of the first bytes, some of them or all.
        let count = mask.trailing_ones() as usize;
        let word = |bytes: &[u8; 32], half: usize| u128::from_le_bytes(bytes.as_chunks::<16>().0[half]);
        let differs = |half: usize, count: usize| {
            let kept = if count >= 16 { u128::MAX } else { (1 << (8 * count)) - 1 };
            (word(bytes, half) ^ word(others, half)) & kept
        };
        (differs(0, count) == 0) & (count <= 16 || differs(1, count - 16) == 0)
    }

    #[inline(always)]
    fn double(self, bytes: &[u8], at: usize, powers: &Powers) -> Option<(f64, usize)> {
        f64::by_words(bytes, at, powers)
    }

    #[inline(always)]
    fn int(self, bytes: &[u8], at: usize, _: &mut Pace, powers: &Powers) -> Option<(i32, usize)> {
        i32::by_words(bytes, at, powers)
    }

    #[inline(always)]
    fn four_ints(self, _: &Literal, _: &[u8], _: usize, _: usize, _: &mut [i32; 4]) -> bool {
        false
    }

    #[inline(always)]
    fn doubles<L: Len, F, const UNTIL_SAME: bool>(
        self,
        _: &Numbers<'_, F>,
        _: usize,
        _: &mut [f64],
        _: &mut [L],
    ) -> Several {
        Several::default()
    }

    #[inline(always)]
    fn fetch<T>(self, _: &[T], _: usize) {}

    #[inline(always)]
    fn difference(self, bytes: &[u8; 128], others: &[u8; 128]) -> Option<usize> {
        let ((words, _), (others, _)) = (bytes.as_chunks(), others.as_chunks());
        let differs = |n: usize| u64::from_le_bytes(words[n]) ^ u64::from_le_bytes(others[n]);
        if (0..16).fold(0, |all, n| all | differs(n)) == 0 {
            return None;
        }
        (0..16).find(|&n| differs(n) != 0).map(|n| 8 * n + (differs(n).trailing_zeros() / 8) as usize)
    }
}

/// Work that reads numbers, made once for each kernel.
pub trait Job: Sized {
    type Output;

    /// Does it; to be inlined, so that it is compiled for the kernel's instructions.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// Does a job with the best kernel there is.
#[inline]
pub fn run<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    let job = match crate::kernels::vector::run(job) {
        Ok(output) => return output,
        Err(job) => job,
    };
    job.run(Portable)
}
