//! The notation: modules as text, to and from the [schema model](crate::schema), and values as text,
//! to and from [typed values](crate::Value).
//!
//! Reads modules of X.680 (2021) with the XER encoding instructions of X.693 Amendment 1. Only the notation is checked
//! here; names are resolved by [`Compiled`](crate::Compiled). Classes, objects, table constraints and parameters
//! (X.681 to X.683) are kept, and so is `ANY`. Macros, which X.680 has dropped, and values in XML are refused, with their
//! name and position.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_asn1::notation;
//! use lengthwise_tam::Limits;
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let source = "Shop DEFINITIONS AUTOMATIC TAGS ::= BEGIN Item ::= SEQUENCE { price INTEGER (0..MAX) } END";
//! let schema = notation::parse_one(source, &Limits::default())?;
//! assert_eq!(schema.modules[0].assignments[0].name, "Item");
//!
//! let error = notation::parse_one("Shop DEFINITIONS ::= BEGIN Item ::= SEQUENCE { price }", &Limits::default());
//! let words = "syntax at byte 53 (line 1, column 54) in Shop.Item.price: found '}', expected a type";
//! assert_eq!(error.unwrap_err().to_string(), words);
//! # Ok(())
//! # }
//! ```

mod constraint;
mod field;
mod information;
mod instruction;
mod lexer;
mod module;
pub(crate) mod parser;
mod print;
mod settle;
mod source;
mod syntax;
mod tag;
mod ty;
pub(crate) mod typed;
mod value;
mod word;

pub use print::{print, print_assignment, print_schema, print_type, print_value};
pub(crate) use source::in_source;
pub use source::{SourceError, parse, parse_one};
pub use typed::{read_value, read_value_events, write_value};
pub use word::is_reserved;

/// The name of the format in errors.
const FORMAT: &str = "asn1";

/// The most levels of nested types, constraints and values, whatever the limits allow: reading recurses, and so does
/// every walk over the model.
pub const NESTING: u32 = 48;

/// The result of reading a part of the notation.
pub(crate) type Read<T> = Result<T, tam::Error>;
