//! The Basic and Distinguished Encoding Rules (X.690).
//!
//! Every value is told as a tag, a length and its contents. Whatever form the Basic rules allow is
//! read; what is written has lengths in their definite form and is as short as can be, and under the
//! Distinguished rules is the only encoding of its value.

mod array;
mod backward;
mod choice;
mod contents;
mod header;
mod order;
mod primitive;
mod reader;
mod record;
mod span;
mod string;
mod writer;

pub(crate) use reader::read;
pub(crate) use writer::write;
