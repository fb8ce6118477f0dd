//! PON: JSON's structure, every value with its length.

pub mod cursor;
#[cfg_attr(feature = "small", path = "../small/pon_fill.rs")]
mod fill;
#[cfg_attr(feature = "small", path = "../small/pon_next.rs")]
mod next;
pub mod parts;
mod place;
#[cfg_attr(feature = "small", path = "../small/pon_put.rs")]
mod put;
pub mod rows;
pub mod typed;
pub mod writer;
