//! The engine of differential deserialization: what a message has in common with the one before.
//!
//! The source is N. Abu-Ghazaleh and M. J. Lewis, *Differential Deserialization for Optimized SOAP Performance*,
//! section 3. [`checkpoints`] finds the parts of an earlier message that the next one has as well, wherever they are, and
//! compares how messages begin. What the messages are is up to whoever reads them: the crate `x694` reads any XML of a
//! schema so, SOAP messages among it. [`Stats`] count what it was worth.

pub mod checkpoints;
mod stats;

pub use stats::Stats;
