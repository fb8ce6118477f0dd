//! XML 1.0 text.
//!
//! [`read`] makes a [`Document`](tam::Document) of it, [`write`](write()) and [`append`] text of a document;
//! [`Reader`] reads event by event, if you need no document.
//!
//! The reader is a non-validating processor of XML 1.0, fifth edition, that reads the internal
//! subset: all of well-formedness is checked, references are resolved, line ends and attribute
//! values normalised (by their declared type) and attribute defaults supplied. Nothing outside the
//! document is read; what would need it is an error of kind unsupported, never a silent loss. With
//! [`Reader::with_entities`] external entities and the external subset are read from a [`Source`], such as the [`Files`] of a
//! folder; [`standalone`](standalone()) writes them into the document, for all that reads one.
//! A document must be namespace-well-formed too (Namespaces in XML 1.0), unless
//! [`Options::namespaces`] is `false`; names are reported as they are written, prefix included. What a
//! document may cost is bounded by [`Limits`](tam::Limits), and nothing recurses over input.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_text::xml::{self, Options};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let mut table = lengthwise_tam::Table::new();
//! let text = b"<!DOCTYPE a [<!ENTITY who 'world'>]><a to=' all '>Hello &who;</a>";
//! let document = xml::read(text, &Options::default(), &mut table)?;
//! assert_eq!(document.get("/a/text()").unwrap().value(), b"Hello world");
//!
//! let error = xml::read(b"<a>\n <b></a>", &Options::default(), &mut table).unwrap_err();
//! assert_eq!(error.to_string(), "syntax at byte 8 (line 2, column 5) in /a/b: found '</a>', expected '</b>'");
//! # Ok(())
//! # }
//! ```

mod ahead;
mod attlist;
mod content;
mod declaration;
mod dtd;
mod encoding;
mod entity;
mod expect;
mod export;
mod markup;
mod namespaces;
mod options;
mod outside;
mod reader;
mod scan;
mod source;
mod standalone;
mod tag;
mod tree;
mod writer;

#[doc(hidden)]
pub use ahead::{Ahead, Room};
pub use declaration::Declaration;
pub use options::{EmptyTags, LineEnds, Options};
pub use reader::{Event, Instruction, Reader, StartTag};
pub use source::{Files, Memory, Source};
pub use standalone::standalone;
pub use tree::read;
pub use writer::{append, write};
