//! What the tests of several crates share: made-up choices that are the same in every run, and an
//! allocator that counts.

pub mod memory;
mod random;

pub use random::Random;
