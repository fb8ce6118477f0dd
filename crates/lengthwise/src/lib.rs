//! Lengthwise: XML and JSON in length-prefixed binary formats that are read without parsing.
//!
//! This crate is the front door. It knows every [`Format`], reads each into one kind of
//! [`Document`](tam::Document), writes any document as any format that can hold it, and converts.
//! The formats themselves live in crates of their own, which it re-exports: [`tam`] (what a
//! message says), [`tsf`] (Transaction Serial Format), [`pon`] (PalCom Object Notation), [`asn1`]
//! (values of a [`Schema`] in PER and BER), [`infoset`] (the XML Infoset in these), [`tdxml`]
//! (Table Driven XML), [`text`] (XML 1.0 and JSON), [`xsd`] (XML Schema, and documents held against it),
//! [`soap`] (messages of a service by its description).
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
//! # Features
//!
//! All but `columns` are on by default. With `default-features = false` only the formats you name are compiled; [`Format::ALL`] lists
//! them, and formats and options that are left out do not exist.
//!
//! | feature | formats | brings |
//! | --- | --- | --- |
//! | `xml`, `json` | text | |
//! | `tsf` | TSF; between its type sets with `xml` and `json` | |
//! | `pon` | PON | |
//! | `asn1` | UPER, APER, BER, OER and value notation, by a [`Schema`] | `json` |
//! | `infoset` | the XML Infoset in PER and BER | `asn1`, `xml` |
//! | `tdxml` | TDXML | `asn1`, `xml` |
//! | `xsd` | schemas of XML, WSDL | `asn1`, `xml` |
//! | `soap` | [`soap`]: messages of a [`Service`] | `xsd` |
//! | `columns` | messages of a schema as columns of Arrow: `Columns`, `Rows` | `asn1` |
//! | `losses` | [`Losses`]: what a conversion drops or changes | `tsf`, `pon`, `xsd` |
//! | `compress` | any message compressed by zstd or gzip, also by dictionaries: see [`compress`] | |
//! | `serde` | Rust's own types to and from PON and TDXML, and from values of a schema: see [`pon`], [`asn1`] | |

#[cfg(not(any(feature = "xml", feature = "json", feature = "pon", feature = "tsf")))]
compile_error!("enable a format: xml, json, tsf, pon, asn1, infoset, tdxml, xsd or soap");

#[cfg(feature = "asn1")]
pub use asn1;
#[cfg(feature = "infoset")]
pub use infoset::{self, SharedStrings, Strings};
#[cfg(feature = "columns")]
pub use lengthwise_columns as columns;
#[cfg(feature = "compress")]
pub use lengthwise_compress as compress;
#[cfg(feature = "pon")]
pub use pon;
#[cfg(feature = "soap")]
pub use soap::{self, Service};
pub use tam::{self, Error, ErrorKind, Limits};
#[cfg(feature = "tdxml")]
pub use tdxml;
#[cfg(any(feature = "xml", feature = "json"))]
pub use text;
#[cfg(feature = "xml")]
pub use text::xml::{Declaration, EmptyTags, LineEnds};
#[cfg(feature = "tsf")]
pub use tsf::{self, Lengths};
#[cfg(feature = "xsd")]
pub use x694;
#[cfg(feature = "xsd")]
pub use xsd;

#[cfg(any(feature = "pon", feature = "tsf"))]
mod base64;
mod convert;
#[cfg(feature = "asn1")]
mod counter;
mod format;
#[cfg(feature = "losses")]
mod losses;
mod meaning;
mod options;
#[cfg(feature = "asn1")]
mod schema;
mod settings;
mod sniff;
#[cfg(feature = "columns")]
mod tables;
#[cfg(feature = "tsf")]
mod type_set;
#[cfg(feature = "asn1")]
mod typed;

#[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
pub use base64::Base64;
#[cfg(feature = "xml")]
pub use convert::declaration;
#[cfg(all(feature = "tdxml", feature = "xsd"))]
pub use convert::referred;
pub use convert::{
    BinaryCounts, Counts, append, append_counted, check, check_counted, convert, convert_counted, read, write,
};
pub use format::Format;
#[cfg(feature = "losses")]
pub use losses::{Loss, LossKind, Losses, Place, convert_with_losses};
pub use options::{Options, Types};
#[cfg(feature = "asn1")]
pub use schema::Schema;
pub use settings::{Setting, Settings};
#[cfg(feature = "columns")]
pub use tables::{Columns, Rows};
#[cfg(feature = "asn1")]
pub use typed::{append_value, read_value, type_of};

// The programs in these pages are run as doc tests.
#[cfg(all(doctest, feature = "serde", feature = "pon"))]
#[doc = include_str!("../../../docs/formats/pon.md")]
mod page_of_pon {}
#[cfg(all(doctest, feature = "losses", feature = "serde"))]
#[doc = include_str!("../../../docs/formats/asn1.md")]
mod page_of_asn1 {}
#[cfg(all(doctest, feature = "losses", feature = "serde", feature = "soap", feature = "tdxml"))]
#[doc = include_str!("../../../README.md")]
mod readme {}
#[cfg(all(doctest, feature = "losses", feature = "serde"))]
#[doc = include_str!("../../../docs/guides/rust.md")]
mod guide_for_rust {}
#[cfg(all(doctest, feature = "soap"))]
#[doc = include_str!("../../../docs/guides/soap.md")]
mod guide_for_soap {}
