//! Choices.

/// Made-up numbers and choices, the same ones for the same seed: Marsaglia's xorshift64*, which is
/// small, and the same everywhere.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Choices that a seed leads to.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Any number.
    #[allow(clippy::should_implement_trait)] // It never ends.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Less than `bound`, or for once less than `rarely`.
    pub fn below_or(&mut self, bound: usize, times: usize, rarely: usize) -> usize {
        let bound = if self.one_in(times) { rarely } else { bound };
        self.below(bound)
    }

    /// Less than `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) as usize) % bound
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub fn of<T: Copy>(&mut self, choice: &[T]) -> T {
        choice[self.below(choice.len())]
    }
}
