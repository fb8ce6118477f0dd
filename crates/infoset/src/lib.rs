//! The XML Infoset in ASN.1: any XML document as a value of one schema, under PER or BER.
//!
//! The schema is that of the XML Information Set in Appendix A of OSS Nokalva's *Alternative binary representations of
//! the XML Information Set based on ASN.1* (2003); its section 3 defines the meaning of a message. A repeated text or
//! name is written once, in a table. Elements and attributes refer to that table, with a few bits each in unaligned
//! PER.
//!
//! | what | where |
//! | --- | --- |
//! | a message to a document | [`read`], [`read_prefix`] |
//! | a document to a message | [`write()`], [`append`], [`append_with`] |
//! | a message as events, without building a tree, and looking up only requested texts | [`events()`], [`Reader`] |
//! | the properties of a document: version, encoding, standalone, base URI | [`Properties`] |
//!
//! [`Options`] selects the encoding rules and the compression of the strings.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! # use ::text as lengthwise_text;
//! use lengthwise_infoset::{Event, Options, Strings};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let xml = b"<order><line price='3.50'>bread</line><line price='3.50'>salt</line></order>";
//! let mut table = lengthwise_tam::Table::new();
//! let document = lengthwise_text::xml::read(xml, &lengthwise_text::xml::Options::default(), &mut table)?;
//!
//! let options = Options::uper();
//! let message = lengthwise_infoset::write(&document, &options)?;
//! assert!(message.len() < xml.len());
//!
//! // As a document, which can be written as XML or another format.
//! let mut table = lengthwise_tam::Table::new();
//! let document = lengthwise_infoset::read(&message, &options, &mut table)?;
//! assert_eq!(document.get("/order/line[2]/text()").unwrap().value(), b"salt");
//!
//! // As events.
//! let mut events = lengthwise_infoset::events(&message, &options)?;
//! let mut prices = Vec::new();
//! while let Some(event) = events.next_event()? {
//!     if let Event::Start(tag) = event {
//!         prices.extend(tag.attribute("price")?.map(str::to_owned));
//!     }
//! }
//! assert_eq!(prices, ["3.50", "3.50"]);
//!
//! // With compressed strings, under other rules.
//! let options = Options::aper().with_strings(Strings::Zstd);
//! let message = lengthwise_infoset::write(&document, &options)?;
//! assert_eq!(lengthwise_infoset::read(&message, &options, &mut table)?.units(), 9);
//! # Ok(())
//! # }
//! ```
//!
//! The content of a document comes back unchanged, except that CDATA sections become text and namespace attributes come
//! before the others. A message with references to entities, whose texts it does not have, is refused unless
//! [`Options::entity_references`] keeps them.
//! `docs/formats/infoset.md` describes the format in detail.
//!
//! A message is read in two passes, because in Appendix A the attributes follow the children of their element, and all
//! strings are at the end. The first pass finds the position of every item, in eight bytes each (`scan`; `per_run` and
//! `ber_run` read the most frequent items, `per` and `ber` the rest). The second pass visits the items in document
//! order (`cursor`), and fills a table (`reader`) or produces events (`events`). Writing takes two passes as well:
//! strings and names are numbered and counted (`collect`), then sorted (`order`) and written (`per_writer`,
//! `ber_writer`).

mod ber;
mod ber_run;
mod ber_writer;
mod block;
mod chain;
mod collect;
mod compression;
mod cursor;
mod doctype;
mod events;
mod intern;
mod items;
mod lazy;
mod markup;
mod message;
mod names;
mod namespaces;
mod options;
mod order;
mod outline;
mod per;
mod per_run;
mod per_writer;
mod properties;
mod reader;
mod references;
mod referred;
mod rules;
mod scan;
mod scope;
mod shared;
mod special;
mod store;
mod strings;
mod writer;

pub use events::{Event, Instruction, Name, Reader, StartTag, events};
pub use options::{Options, Strings};
pub use properties::Properties;
pub use reader::{read, read_prefix};
pub use shared::{SharedStrings, StringSamples};
pub use writer::{append, append_with, write};

/// The schema of messages: an ASN.1 module in notation. A message is a value of its type `Document`.
pub const NOTATION: &str = include_str!("infoset.asn1");
