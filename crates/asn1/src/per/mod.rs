//! The Packed Encoding Rules (X.691).

mod bits;

pub use bits::{BitReader, BitWriter};
