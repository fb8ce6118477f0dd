//! The rules of XML 1.0, Namespaces in XML and XML Schema that several crates share.
//!
//! This crate reads no documents. It holds what every crate that reads or writes XML must agree on: which
//! characters and names are allowed, how text is escaped, which namespace a prefix means, and which characters
//! write a number, a time or binary data.

/// Which characters XML allows, and what each may be.
pub mod chars;
/// Names, with and without a colon.
pub mod name;
/// Comparing and searching short texts eight bytes at a time.
pub mod scan;
