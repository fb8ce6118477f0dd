//! PON: JSON's structure, every value with its length.

pub mod cursor;
pub mod parts;
pub mod rows;
pub mod typed;
pub mod writer;
