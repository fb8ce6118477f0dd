//! SOAP messages into typed values.
//!
//! A [`Schema`] says what the messages of a service are: simple types, compounds, arrays, unions, and
//! the methods that are made of them. A [`Reader`] reads a message by it in one pass: tags are expected
//! before they are read, and arrays of numbers lie side by side in memory. The source is
//! N. Abu-Ghazaleh and M. J. Lewis, *Differential Deserialization for Optimized SOAP Performance*,
//! sections 2 and 3.
//!
//! A [`Template`] reads a stream of similar messages: it compares each with the one before, and reads
//! only the values that differ. The result is always that of the [`Reader`]. [`Templates`] keep one for each
//! kind of message, within a bound of memory, for many threads.
//!
//! Messages may come in pieces, [`Template::feed`], and are read while they arrive.
//!
//! * SOAP 1.1, encoded (section 5: arrays, `xsi:type`, `href` and `id`, nil) and literal; SOAP 1.2, literal.
//! * Namespaces by their names, whatever the prefixes; all of XML but DOCTYPEs and instructions, which
//!   SOAP forbids.
//! * [`Message`]: the header blocks, unchanged, and the value or the [`Fault`] of the body.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_dds::{Member, Options, Reader, Schema, Simple, Style};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let mut schema = Schema::new();
//! let string = schema.simple(Simple::String);
//! let search = schema.parameters([Member::new("key", string), Member::new("q", string)]);
//! schema.method("urn:GoogleSearch", "doGoogleSearch", search, Style::Encoded);
//! let reader = Reader::new(schema, &Options::default());
//!
//! let message = br#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
//!     <s:doGoogleSearch xmlns:s="urn:GoogleSearch"><key>0</key><q>Grid &amp; more</q></s:doGoogleSearch>
//!     </e:Body></e:Envelope>"#;
//! let message = reader.read(message)?;
//! let question = message.value().and_then(|value| value.member(1)?.as_text());
//! assert_eq!(question, Some("Grid & more"));
//! # Ok(())
//! # }
//! ```
pub mod checkpoints;
mod differential;
mod hash;
mod markup;
mod matching;
mod options;
mod plain;
mod pool;
mod reader;
mod regular;
mod rows;
mod schema;
mod soap;
mod stats;
mod templates;
mod trace;
mod values;

pub use options::{Checksum, Matching, Options};
pub use reader::Reader;
pub use schema::{Complex, Member, Method, Name, Occurs, Schema, Simple, Style, Type, TypeId};
pub use soap::envelope::{Body, Fault, Header, Message, Version, is_last_receiver};
pub use stats::Stats;
pub use templates::template::Template;
pub use templates::{Arriving, Lease, Templates};
pub use values::{Array, Items, Value};
