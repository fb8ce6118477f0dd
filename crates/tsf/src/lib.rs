//! Transaction Serial Format (TSF): counted text units, read without parsing.
//!
//! A message is *lexical units*. A primitive unit is the length of its data, an optional name, a
//! type character and the data; a structured unit is the number of units in it, an optional
//! name, a type character and those units. A reader never looks for the end of anything. The
//! source is D. Evans, *Energy-Efficient Transaction Serialization for IoT Devices*, sections 2,
//! 3 and 5.
//!
//! | XML | TSF |
//! | --- | --- |
//! | `<project></project>` | `0project<` |
//! | `<a id="Boss">hello</a>` | `2a<1=4id[Boss5[hello` |
//!
//! * [`read`] and [`read_prefix`] put a message into a [`tam::Table`]; nothing is copied.
//! * [`write()`], [`append`], [`write_into`] and [`encoded_len`] make one of a [`tam::Document`].
//! * [`MessageEnd`] finds the end of a message that is still arriving.
//! * [`Options`] say what the types are and what lengths count.
//! * [`embed`] and [`embedded`] carry a message inside an XML document.
//!
//! The crate is `no_std`; without the feature `alloc` rows and buffers are the caller's.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_tam::{Row, Table, TypeSet};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let message = b"2reading{6sensor'indoor1[2#21";
//! let mut rows = [Row::EMPTY; 15]; // never more than half the bytes, and one
//! let mut table = Table::in_rows(&mut rows);
//! let document = lengthwise_tsf::read(message, &lengthwise_tsf::Options::new(TypeSet::VALUE), &mut table)?;
//! assert_eq!(document.get("/reading/sensor").unwrap().value(), b"indoor");
//! # Ok(())
//! # }
//! ```
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate self as tsf;
#[cfg(test)]
extern crate std;

mod chars;
mod embedding;
mod explain;
mod head;
mod mark;
mod message_end;
mod names;
mod options;
mod output;
mod reader;
mod scan;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
#[cfg(test)]
mod twins;
#[cfg(target_arch = "x86_64")]
mod vector;
mod writer;

#[cfg(feature = "alloc")]
pub use embedding::embed;
pub use embedding::{TARGET, check_embeddable, embedded};
pub use mark::{is_marked, is_token};
pub use message_end::MessageEnd;
pub use options::{Lengths, Options};
pub use reader::{read, read_prefix};
#[cfg(feature = "alloc")]
pub use writer::{append, write};
pub use writer::{encoded_len, write_into};
