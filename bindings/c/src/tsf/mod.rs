//! TSF: counted text units.

pub mod cursor;
#[cfg_attr(feature = "small", path = "../small/tsf_fill.rs")]
mod fill;
#[cfg_attr(feature = "small", path = "../small/tsf_next.rs")]
mod next;
pub mod parts;
#[cfg_attr(feature = "small", path = "../small/tsf_put.rs")]
mod put;
pub mod rows;
pub mod typed;
pub mod writer;
