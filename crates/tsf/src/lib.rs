//! Transaction Serial Format (TSF): counted text units, read without parsing.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod explain;
mod options;
mod reader;
mod scan;

pub use options::{Lengths, Options};
pub use reader::{read, read_prefix};
