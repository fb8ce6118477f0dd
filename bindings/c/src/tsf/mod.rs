//! TSF: counted text units.

pub mod cursor;
pub mod parts;
pub mod rows;
pub mod typed;
pub mod writer;
