//! JSON text (RFC 8259), to and from a [`Document`](tam::Document).
//!
//! What a JSON text says is kept to the letter: the order of members, names that come more than
//! once, and numbers as they are written. A document of JSON values has one of two type sets
//! ([`Types`]); [`tam::json::Value`] looks at either.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_text::json;
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let mut table = lengthwise_tam::Table::new();
//! let document = json::read(br#"{"id": 17, "t": [1.50, 2e3]}"#, &json::Options::default(), &mut table)?;
//! assert_eq!(document.get("/t/0").unwrap().value(), b"1.50");
//!
//! let out = json::write(&document, &json::Options::default())?;
//! assert_eq!(out, br#"{"id":17,"t":[1.50,2e3]}"#);
//! # Ok(())
//! # }
//! ```

mod fault;
mod options;
mod reader;
mod writer;

pub use options::{Options, Types};
pub use reader::read;
pub use writer::{append, write};

/// The name of the format in errors.
const FORMAT: &str = "json";
