//! Lengthwise for JavaScript: what the npm package calls.
//!
//! The package in `../package` is the interface; this crate is the narrow bridge below it. A [`Codec`] keeps options and a
//! schema. Values pass in two flat forms: what is read as rows of numbers ([`rows`]), what is written as a list of units
//! ([`units`]). Errors pass as JSON.

mod codec;
mod failure;
#[cfg(feature = "text")]
mod inspection;
mod rows;
#[cfg(feature = "asn1")]
mod schema;
mod units;

pub use codec::{Codec, detect, formats};
#[cfg(feature = "text")]
pub use inspection::Inspection;
pub use rows::Rows;
