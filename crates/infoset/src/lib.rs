//! The XML Infoset in ASN.1: any XML document as a value of one schema, under PER or BER.
//!
//! The schema is that of the XML Information Set in Appendix A of OSS Nokalva's *Alternative binary
//! representations of the XML Information Set based on ASN.1* (2003); what a message means is said in its
//! section 3. A text or a name that comes twice is written once, in a table; elements and attributes are
//! places in that table, in unaligned PER a few bits each.
//!
//! | what | where |
//! | --- | --- |
//! | a message to a document | [`read`], [`read_prefix`] |
//! | a document to a message | [`write()`], [`append`], [`append_with`] |
//! | a message as events, nothing being built and no text looked at that is not asked for | [`events`], [`Reader`] |
//! | what a message says of the document as a whole: version, encoding, standalone, base URI | [`Properties`] |
//!
//! Which encoding rules, and how the strings are compressed, is a value in [`Options`].
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
//! // As a document, that XML or another format is written from.
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
//! // The strings compressed, under other rules.
//! let options = Options::aper().with_strings(Strings::Zstd);
//! let message = lengthwise_infoset::write(&document, &options)?;
//! assert_eq!(lengthwise_infoset::read(&message, &options, &mut table)?.units(), 9);
//! # Ok(())
//! # }
//! ```
//!
//! What a document holds comes back as it was, but for CDATA sections, which become text, and namespace
//! attributes, which come before the others. What a message holds that no document can (references to
//! entities) is refused. The page of the format, `docs/formats/infoset.md`, says all of it.
//!
//! A message is read in two passes, because Appendix A has attributes after the children of their element,
//! and all strings at the end. The first pass finds the position of every item, in eight bytes each (`scan`;
//! `per_run` and `ber_run` read the most frequent items, `per` and `ber` the rest). The second pass goes
//! through the items in document order (`cursor`), into a table (`reader`) or as events (`events`). Writing
//! takes two passes as well: strings and names are numbered and counted (`collect`), then sorted (`order`)
//! and written (`per_writer`, `ber_writer`).

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
mod rules;
mod scan;
mod scope;
mod special;
mod store;
mod strings;
mod writer;

pub use events::{Event, Instruction, Name, Reader, StartTag, events};
pub use options::{Options, Strings};
pub use properties::Properties;
pub use reader::{read, read_prefix};
pub use writer::{append, append_with, write};

/// The schema of messages: a module of ASN.1 in its notation, whose type `Document` a message is.
pub const NOTATION: &str = include_str!("infoset.asn1");
