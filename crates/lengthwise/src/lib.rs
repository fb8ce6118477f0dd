//! Lengthwise: XML and JSON in length-prefixed binary formats that are read without parsing.
//!
//! This crate is the front door. It knows every [`Format`], reads each into one kind of
//! [`Document`](tam::Document), writes any document as any format that can hold it, and converts.
//! The formats themselves live in crates of their own, which it re-exports: [`tam`] (what a
//! message says), [`tsf`] (Transaction Serial Format), [`pon`] (PalCom Object Notation), [`asn1`]
//! (values of a [`Schema`] in PER and BER), [`infoset`] (the XML Infoset in these), [`tdxml`]
//! (Table Driven XML), [`text`] (XML 1.0 and JSON), [`xsd`] (XML Schema, and documents held against it),
//! [`dds`] (SOAP messages into typed values).
//!
//! ```
//! use lengthwise::{Format, Options, convert};
//!
//! # fn main() -> Result<(), lengthwise::Error> {
//! let order = br#"<order id="17"><item>tea &amp; milk</item></order>"#;
//! let message = convert(order, Format::Xml, Format::Tsf, &Options::default())?;
//! assert_eq!(message, b"2order<1=2id[171item<10[tea & milk");
//!
//! let back = convert(&message, Format::Tsf, Format::Xml, &Options::default())?;
//! assert_eq!(back, order);
//! # Ok(())
//! # }
//! ```
//!
//! To look into a message instead, read it:
//!
//! ```
//! use lengthwise::{Format, Options, read, tam::Table};
//!
//! # fn main() -> Result<(), lengthwise::Error> {
//! let mut table = Table::new();
//! let document = read(br#"{"room": "attic", "t": [21.5, 22]}"#, Format::Json, &Options::default(), &mut table)?;
//! assert_eq!(document.get("/t/1").unwrap().value(), b"22");
//! # Ok(())
//! # }
//! ```
//!
//! The feature `serde`, on unless told otherwise, lets Rust's own types be read from PON and
//! written to it: see [`pon`].

pub use asn1;
pub use dds;
pub use infoset::{self, Strings};
pub use pon;
pub use tam::{self, Error, ErrorKind, Limits};
pub use tdxml;
pub use text;
pub use tsf::{self, Lengths};
pub use xsd;

mod convert;
mod counter;
mod format;
mod losses;
mod options;
mod schema;
pub mod service;
mod sniff;
mod told;
mod typed;

pub use convert::{check, convert, read, write};
pub use format::Format;
pub use losses::{Loss, LossKind, Losses, Place, convert_with_losses};
pub use options::{Options, Types};
pub use schema::Schema;
pub use service::Service;

// The programs on these pages are run as they stand there.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../../../docs/formats/pon.md")]
mod page_of_pon {}
#[cfg(doctest)]
#[doc = include_str!("../../../docs/formats/asn1.md")]
mod page_of_asn1 {}
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../../../README.md")]
mod readme {}
