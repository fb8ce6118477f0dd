//! Table Driven XML (TDXML): the content of an XML document as rows of a table, its names in a schema.
//!
//! The format is that of A. Ng, *Evaluation of the Serialisation and Deserialisation Performance of Table Driven XML*.
//! A message consists of a *data schema*, which assigns numbers to elements and attributes, and a *content table* with
//! one row for each value, whose path is made of these numbers. The schema is sent once: messages between parties that
//! have agreed on it refer to it. The *grouped scheme* is an addition that the paper's conclusion asks for: the paths
//! of repeated elements are written once, followed by one row for each occurrence.
//!
//! | what | where |
//! | --- | --- |
//! | a message to a document | [`read`] |
//! | a document to a message | [`write()`], [`append`] |
//! | what rows may contain | [`DataSchema`], [`infer`] |
//! | schemas that messages refer to | [`Registry`] |
//! | one value by its path, an index of rows | [`Lookup`], [`RowIndex`] |
//! | rows as they arrive | [`read_rows`] |
//! | Rust's own types, by serde (feature `serde`) | `Plan`, `Plans` |
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! # use ::text as lengthwise_text;
//! use lengthwise_tdxml::{Options, Scheme};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let xml = b"<order id='17'><item><name>tea</name><price>2.50</price></item>\
//!             <item><name>milk</name><price>1.10</price></item></order>";
//! let mut table = lengthwise_tam::Table::new();
//! let document = lengthwise_text::xml::read(xml, &lengthwise_text::xml::Options::default(), &mut table)?;
//! let message = lengthwise_tdxml::write(&document, &Options::default().with_scheme(Scheme::Grouped))?;
//! let expected = r#"<TDXML:Env xmlns:TDXML="urn:tdxml"><TDXML:DS>
//! order [0] ::= SEQUENCE {
//!  id(0) [ATTRIBUTE] INTEGER
//!  item[0] SEQUENCE OF {
//!   name[0] UTF8String,
//!   price[1] UTF8String } }
//! </TDXML:DS><TDXML:CT>
//! [0](0) |17
//! [0][0]0{[0] [1]}
//! tea|2.50
//! milk|1.10
//! </TDXML:CT></TDXML:Env>"#;
//! assert_eq!(message, expected.as_bytes());
//!
//! let mut table = lengthwise_tam::Table::new();
//! let document = lengthwise_tdxml::read(&message, &Options::default(), &mut table)?;
//! assert_eq!(document.get("/order/item[2]/price/text()").unwrap().value(), b"1.10");
//! # Ok(())
//! # }
//! ```
//!
//! `docs/formats/tdxml.md` has the whole grammar.

mod collect;
mod columns;
mod envelope;
mod escape;
mod items;
mod lookup;
mod mime;
mod options;
mod path;
mod place;
#[cfg(feature = "serde")]
mod plan;
mod progress;
mod reader;
mod registry;
mod rest;
mod restore;
mod row_reader;
mod row_writer;
mod schema;
mod soap;
mod stream;
mod writer;

pub use collect::root_name;
pub use envelope::{NAMESPACE, begins};
pub use lookup::{Lookup, Place, RowIndex};
pub use mime::is_multipart;
pub use options::{Binary, Options, Scheme, Tags};
#[cfg(feature = "serde")]
pub use plan::{Plan, Plans};
pub use reader::{read, reference, schema_of};
pub use registry::Registry;
pub use schema::{
    Attribute, Builtin, Content, DataSchema, Element, Facets, Order, Record, RecordId, ValueType, Wildcard,
};
pub use soap::soap_body;
pub use stream::{Event, read_rows};
pub use tam::{Error, Limits};
pub use writer::{append, infer, write};

/// The name of the format in errors.
const FORMAT: &str = "tdxml";
