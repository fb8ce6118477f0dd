//! How much of a long test runs where a program is slow.

use std::time::Duration;

/// What a long test divides its rounds by: 1, and 2000 under Miri. The environment variable `TEST_SHARE` says otherwise:
/// with 20 a twentieth runs, for a processor that is emulated.
fn divisor() -> usize {
    if cfg!(miri) {
        return 2000;
    }
    let share = std::env::var("TEST_SHARE").ok().and_then(|share| share.parse().ok());
    share.unwrap_or(1).max(1)
}

/// Rounds of a long test: all of them, or the share that `divisor` leaves.
#[must_use]
pub fn rounds(all: usize) -> usize {
    all.div_ceil(divisor())
}

/// The step of a test that goes over all there is: 1, or where only a share runs at most `most`.
#[must_use]
pub fn stride(most: usize) -> usize {
    divisor().min(most)
}

/// The time that a test allows: so many seconds, and as many times more as programs are slower.
#[must_use]
pub fn seconds(allowed: u32) -> Duration {
    Duration::from_secs(1) * allowed * divisor() as u32
}
