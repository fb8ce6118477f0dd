//! Sets of numbers.

/// A set of small numbers: the first 64 need no heap.
#[derive(Default)]
pub(super) struct NumberSet {
    first: u64,
    more: Vec<u64>,
}

impl NumberSet {
    /// Whether the set contains a number.
    #[inline]
    pub(super) fn has(&self, number: usize) -> bool {
        let word = match number / 64 {
            0 => self.first,
            word => self.more.get(word - 1).copied().unwrap_or(0),
        };
        word >> (number % 64) & 1 == 1
    }

    /// Adds a number, which the schema bounds. Returns whether it was new.
    #[inline]
    pub(super) fn add(&mut self, number: usize) -> bool {
        let is_new = !self.has(number);
        let bit = 1 << (number % 64);
        match number / 64 {
            0 => self.first |= bit,
            word => {
                if self.more.len() < word {
                    self.more.resize(word, 0);
                }
                if let Some(place) = self.more.get_mut(word - 1) {
                    *place |= bit;
                }
            }
        }
        is_new
    }
}
