//! Messages of a schema into Arrow columns, without values in between, and back.
//!
//! A [`Decoder`] reads one message after the other, by PER, BER or OER, or documents of JSON values, and appends each value to the
//! column that it belongs to. Columns that are not asked for are not built. A message that is refused leaves nothing in the columns.
//!
//! An [`Encoder`] writes the rows of batches as messages; [`rows`] makes a batch of what other libraries hand over.
//!
//! ```
//! use arrow_array::{cast::AsArray, types::Int64Type};
//! use asn1::{Compiled, Options};
//! use lengthwise_columns::{Decoder, Layout};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let types = Compiled::from_notation(
//!     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!         Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) }
//!      END",
//! )?;
//! let mut decoder = Decoder::new(&types, types.find("Reading")?, &Options::uper(), &Layout::default())?;
//! decoder.push(&[0x37, 0x80])?;
//! assert!(decoder.push(&[0x37]).is_err());
//! let batch = decoder.finish()?;
//! assert_eq!(batch.num_rows(), 1);
//! assert_eq!(batch.column(1).as_primitive::<Int64Type>().values(), &[20]);
//! # Ok(())
//! # }
//! ```
//!
//! | ASN.1 | Arrow |
//! | --- | --- |
//! | BOOLEAN, NULL | `Boolean`; NULL is `true` where it is present |
//! | INTEGER | `Int64`; `UInt64` of a type such as `INTEGER (0..18446744073709551615)`; larger numbers are refused |
//! | ENUMERATED | `Dictionary(Int32, Utf8)` |
//! | REAL | `Float64`; of types that allow base 10 only `Utf8`, which is exact |
//! | `xs:decimal` with `totalDigits` (at most 38) and `fractionDigits` | `Decimal128`; numbers of more digits are refused |
//! | DATE | `Date32` |
//! | strings, other times, object identifiers | `Utf8`; of times, other types if [`Times`] says so |
//! | OCTET STRING, open types | `Binary`; open types as their octets |
//! | BIT STRING | `Utf8`: a digit `0` or `1` for each bit |
//! | SEQUENCE, SET | `Struct` |
//! | SEQUENCE OF, SET OF | `List` |
//! | CHOICE | `Struct` of the alternatives, with their name in `_tag` |
//! | dates and durations of an XML Schema (a CHOICE by X.694) | `Utf8`, as in the document; of dates, `Date32` if [`Times`] says so |
//!
//! The fields of open types say in their metadata, `lengthwise.rules`, which rules their octets are by.
//!
//! Absent components are null, or have their default. Types that contain themselves are refused, unless the projection
//! leaves them out.

mod cell;
mod column;
mod decoder;
mod encoder;
mod filling;
mod finish;
mod model;
mod open_types;
mod plan;
mod rows;
mod sink;
mod times;

pub use cell::push_text;
pub use decoder::Decoder;
pub use encoder::Encoder;
pub use model::model;
pub use plan::Layout;
pub use rows::rows;
pub use times::Times;

/// The name of the format in errors.
const FORMAT: &str = "columns";
