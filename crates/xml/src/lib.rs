//! The rules of XML 1.0, Namespaces in XML and XML Schema that several crates share.
//!
//! This crate reads no documents. It holds what every crate that reads or writes XML must agree on: which
//! characters and names are allowed, how text is escaped, which namespace a prefix means, and which characters
//! write a number, a time or binary data.

pub mod ascii;
pub mod base64;
pub mod calendar;
pub mod chars;
pub mod escape;
pub mod hex;
#[doc(hidden)]
pub mod kernels;
pub mod name;
pub mod namespaces;
pub mod number;
pub mod reference;
pub mod scan;
pub mod uri;
pub mod white_space;
pub mod xop;

mod same_value;

pub use same_value::is_same_value;
