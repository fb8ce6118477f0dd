//! The Packed Encoding Rules (X.691), aligned and unaligned.

mod bits;
mod primitive;
mod reader;
mod time;
mod writer;

pub use bits::{BitReader, BitWriter};
pub(crate) use primitive::Offset;
pub use primitive::{
    Constrained, FRAGMENT, Length, read_length, read_semi_constrained, read_small, read_small_length, signed_octets,
    write_length, write_octets, write_semi_constrained, write_small, write_small_length,
};
pub(crate) use reader::{read, read_content};
pub(crate) use time::{Parts, Shape, TimeLayout};
pub(crate) use writer::write;
