//! PON: JSON's structure, every value with its length.

pub mod cursor;
mod fill;
mod next;
pub mod parts;
mod place;
mod put;
pub mod rows;
pub mod typed;
pub mod writer;
