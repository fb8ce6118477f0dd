//! Value notation: values of a type as text (X.680 clauses 17 to 42), to and from typed values.
//!
//! Here the type is known, unlike in [`crate::schema::Value`]. Nothing recurses over the text: open values are on an
//! explicit stack.

mod keys;
pub(crate) mod names;
mod reader;
mod scalar;
mod simple;
mod text;
mod writer;

pub use reader::{read_value, read_value_events};
pub use writer::write_value;

/// Positions of octets have 31 bits.
const LONGEST: u32 = (1 << 31) - 1;

/// The highest named bit that is read: a BIT STRING may need all bits before it.
const LAST_BIT: u64 = 1 << 24;
