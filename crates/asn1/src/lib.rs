//! ASN.1 at run time.
#![allow(missing_docs)] // until the rooms are furnished
pub mod notation;
mod options;
pub mod per;
pub mod schema;

pub use options::{EncodingRules, Options};
