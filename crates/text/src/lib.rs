//! XML 1.0 and JSON text, read and written.
//!
//! | format | as a [`Document`](tam::Document) | event by event | back to text |
//! | --- | --- | --- | --- |
//! | XML 1.0 with Namespaces | [`xml::read`] | [`xml::Reader`] | [`xml::write`](xml::write()) |
//! | JSON (RFC 8259) | [`json::read`] | | [`json::write`](json::write()) |
//!
//! Both readers are strict and keep what a text says: the order of attributes and members, comments, numbers as they
//! are written, duplicate names. A document points into its text wherever nothing had to be decoded. [`tam::Limits`]
//! bound what a text may cost, and nothing recurses over input.
//!
//! # Read a document
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let mut table = lengthwise_tam::Table::new();
//! let order = lengthwise_text::xml::read(b"<order id='17'><item>tea &amp; milk</item></order>", &Default::default(), &mut table)?;
//! assert_eq!(order.get("/order/@id").unwrap().value(), b"17");
//! assert_eq!(order.get("/order/item/text()").unwrap().value(), b"tea & milk");
//! # Ok(())
//! # }
//! ```
//!
//! # Read event by event
//!
//! A reader holds no more than the event at hand.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_text::xml::{Event, Options, Reader};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let mut reader = Reader::new(b"<list><item price='3'/><item price='4'/></list>", &Options::default())?;
//! let mut prices = Vec::new();
//! while let Some(event) = reader.next_event()? {
//!     if let Event::Start(tag) = event {
//!         prices.extend(tag.attribute("price").map(str::to_owned));
//!     }
//! }
//! assert_eq!(prices, ["3", "4"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Write
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_text::json;
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let mut table = lengthwise_tam::Table::new();
//! let document = json::read(br#"{ "id": 17, "t": [1.50] }"#, &json::Options::default(), &mut table)?;
//! let out = json::write(&document, &json::Options::default())?;
//! assert_eq!(out, br#"{"id":17,"t":[1.50]}"#);
//! # Ok(())
//! # }
//! ```
//!
//! # Find the fault
//!
//! An error has a kind for programs, and a place for people.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! let mut table = lengthwise_tam::Table::new();
//! let error = lengthwise_text::json::read(br#"{"t": [1, 02]}"#, &Default::default(), &mut table).unwrap_err();
//! assert_eq!(error.kind(), lengthwise_tam::ErrorKind::Syntax);
//! assert_eq!((error.offset(), error.position(), error.path()), (10, Some((1, 11)), "/t"));
//! ```

pub mod json;
pub mod xml;

/// Deeper levels are indented like this one: the white space of all lines is at most so many times their number.
pub(crate) const INDENTED: usize = 64;
