//! The structure of a message, beside its bytes: what `lengthwise inspect` and the page in `bindings/web` show.
//!
//! * [`Units`]: the units of a document in TSF, PON, XML or JSON, each with its type, its depth and its place in the message.
//! * [`fields()`]: the bits of a message in PER, BER or OER by a schema, each with its purpose, path, type and value.
//! * [`Inspection`]: both as rows in a tree, which are asked for a few at a time, and as a page of HTML (feature
//!   `page`) or its data.
//! * [`word`]: the name of a unit's type.
//! * [`Stats`]: how many units, how deep, how long, as the tables of the paper of TSF have it.
//! * [`object_identifier`]: the names of well-known object identifiers.
//!
//! ```
//! # use lengthwise::{Format, Options, tam::Table};
//! use lengthwise_inspect::Units;
//!
//! # fn main() -> Result<(), lengthwise::Error> {
//! let message = br#"2a<1=4id[Boss5[hello"#;
//! let mut table = Table::new();
//! let document = lengthwise::read(message, Format::Tsf, &Options::default(), &mut table)?;
//! let units: Vec<_> = Units::new(&document, message, Format::Tsf)
//!     .map(|unit| (unit.offset, unit.depth, unit.word, unit.data()))
//!     .collect();
//! assert_eq!(units[0], (Some(0), 0, "element", &b""[..]));
//! assert_eq!(units[2], (Some(5), 2, "attribute", &b"Boss"[..]));
//! assert_eq!(units[3], (Some(13), 1, "text", &b"hello"[..]));
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "asn1")]
mod fields;
mod heads;
mod inspection;
mod json;
#[cfg(feature = "asn1")]
mod object_identifiers;
mod stats;
mod units;
mod words;

#[cfg(feature = "asn1")]
pub use fields::{Field, fields};
pub use heads::Head;
pub use inspection::Inspection;
pub use json::push_json_string;
#[cfg(feature = "asn1")]
pub use object_identifiers::object_identifier;
pub use stats::{Device, LengthClasses, Stats, TypeStats};
pub use units::{Unit, Units};
pub use words::word;
