//! The rules of XML 1.0, Namespaces in XML and XML Schema that several crates share.
//!
//! This crate reads no documents. It holds what every crate that reads or writes XML must agree on: which
//! characters and names are allowed, how text is escaped, which namespace a prefix means, and which characters
//! write a number, a time or binary data.

/// Octets in base64.
pub mod base64;
/// Dates, times and durations.
pub mod calendar;
/// Which characters XML allows, and what each may be.
pub mod chars;
/// Characters that are written as references.
pub mod escape;
/// Octets in hexadecimal digits.
pub mod hex;
/// Names, with and without a colon.
pub mod name;
/// Prefixes and the namespaces they are bound to.
pub mod namespaces;
/// Booleans and numbers.
pub mod number;
/// What references mean.
pub mod reference;
/// Comparing and searching short texts eight bytes at a time.
pub mod scan;
/// URI references.
pub mod uri;
/// White space in values.
pub mod white_space;

mod same_value;

pub use same_value::is_same_value;
