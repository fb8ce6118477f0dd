//! ASN.1 at run time: reads a schema from its notation, then reads and writes messages of its types.
//!
//! | step | where |
//! | --- | --- |
//! | notation to a [`schema::Schema`], and back | [`notation`] |
//! | names followed, constraints reduced, once | [`Compiled`] |
//! | a message to typed values: PER aligned and unaligned, BER, DER, OER | [`read`], [`read_prefix`] |
//! | typed values to a message | [`write()`], [`append`], [`encoded_len`] |
//! | no values at all, but events | [`read_events`], [`append_events`], [`event`] |
//! | tags and lengths of BER without a schema | [`Elements`] |
//! | one of the typed values, by its path | [`Value::get`] |
//! | typed values into Rust's own types and back (feature `serde`) | `from_value`, `to_value` |
//! | typed values to JSON and from it | [`jer`] |
//! | typed values to XML by the XML Encoding Rules and from it | [`xer`] |
//! | typed values to value notation and from it | [`notation::read_value`], [`notation::write_value`] |
//!
//! [`Options`] selects the encoding rules; the functions are the same for all.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_asn1::{Compiled, Options, Values};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let types = Compiled::from_notation(
//!     "Weather DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!         Batch  ::= SEQUENCE { station PrintableString (SIZE (3)), samples SEQUENCE OF Sample }
//!         Sample ::= SEQUENCE { minute INTEGER (0..1439), celsius INTEGER (-60..60) OPTIONAL }
//!      END",
//! )?;
//! let batch = types.find("Batch")?;
//! let mut values = Values::new();
//! let value = lengthwise_asn1::notation::read_value(
//!     r#"{ station "OSL", samples { { minute 0, celsius -7 }, { minute 10 } } }"#,
//!     &types, Some(batch), &lengthwise_asn1::Limits::default(), &mut values,
//! )?;
//! let message = lengthwise_asn1::write(value, &Options::uper())?;
//! assert_eq!(message.len(), 8);
//!
//! let mut values = Values::new();
//! let value = lengthwise_asn1::read(&message, &types, batch, &Options::uper(), &mut values)?;
//! assert_eq!(value.get("station").unwrap().as_str(), Some("OSL"));
//! // An array of records is a column a component: its numbers lie side by side.
//! let minutes = value.get("samples").unwrap().column("minute").unwrap();
//! assert_eq!(minutes.as_i64s(), Some(&[0, 10][..]));
//! # Ok(())
//! # }
//! ```
//!
//! Open types become values: the table finds their type by the object's identifier ([`compiled::Open`]). Not supported,
//! and refused with name and position: macros and the IRIs of object identifiers. Constraints of values, sizes, alphabets,
//! contained types, and settings and parts of times are checked. Other constraints are kept and printed, but not
//! checked.
//!
//! Source: ITU-T X.680 to X.683 (notation), X.690 (BER, DER), X.691 (PER), X.696 (OER), X.697 (JSON), X.693 (XER; encoding
//! instructions are kept).

mod backward;
mod ber;
mod check;
pub mod compiled;
mod contents;
mod defaults;
mod depth;
mod equal;
pub mod event;
mod integer;
mod iso8601;
pub mod jer;
mod keys;
pub mod notation;
mod oer;
mod oid;
mod options;
mod path;
pub mod per;
mod reader;
mod real;
pub mod schema;
#[cfg(feature = "serde")]
mod serde;
mod time;
mod values;
mod writer;
pub mod xer;

pub use ber::{Element, Elements};
pub use compiled::{Compiled, NodeId};
pub use equal::bit_digits;
pub use oid::{from_dotted as oid_octets, to_dotted as dotted_oid};
pub use options::{EncodingRules, Options};
pub use reader::{read, read_events, read_prefix};
#[cfg(feature = "serde")]
pub use serde::{from_value, to_value};
pub use tam::Limits;
pub use time::TimePoint;
pub use values::{Accepted, Column, Filler, Found, Items, Level, Members, Saved, Value, Values};
pub use writer::{append, append_events, encoded_len, write};
