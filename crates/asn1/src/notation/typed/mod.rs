//! Value notation: values of a type as text (X.680 clauses 17 to 42), to and from typed values.
//!
//! Here the type is known, unlike in [`crate::schema::Value`], and nothing recurses over the text:
//! what is open waits on a stack.

pub(crate) mod names;
mod reader;
mod scalar;
mod simple;
mod text;
mod writer;

pub use reader::{read_value, read_value_events};
pub use writer::write_value;

/// Places of octets have 31 bits.
const LONGEST: u32 = (1 << 31) - 1;

/// Bits by their names are no further out than this: a BIT STRING may have to hold all before them.
const LAST_BIT: u64 = 1 << 24;
