//! What the tests of several crates share: made-up choices that are the same in every run, an
//! allocator that counts, the share of a long test that runs, and the count of tests that cannot run here.

pub mod cost;
pub mod memory;
pub mod particles;
mod random;
mod share;
mod skip;

pub use random::Random;
pub use share::{rounds, seconds, stride};
pub use skip::skipped;
