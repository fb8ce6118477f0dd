//! TSF: counted text units.

pub mod cursor;
mod fill;
mod next;
pub mod parts;
mod put;
pub mod rows;
pub mod typed;
pub mod writer;
