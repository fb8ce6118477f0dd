//! The Transaction Array Model (TAM): what a message says, as one flat table.
//!
//! A [`Document`] is rows of (type, name, value). The children of a row are one contiguous run
//! of rows; names and values stay in the message they came from. All formats of Lengthwise read
//! into it and write from it. The source is D. Evans, *Energy-Efficient Transaction
//! Serialization for IoT Devices*, section 4.
//!
//! * [`Table`] is the arena: one growing block, 16 bytes a unit, reused between messages. Without
//!   the `alloc` feature the caller lends the rows.
//! * [`Document`], [`Node`], [`Children`] look at it; [`Document::get`] takes a path.
//! * [`Builder`] makes one by hand.
//! * [`TypeSet`] says what the types are; XML and JSON are two vocabularies of one model. [`Meaning`] says what the types of a set
//!   of one's own mean.
//! * [`Limits`] bound what a message may cost, [`Expansion`] counts what it expands to, and [`Error`] says what was wrong with it.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(feature = "alloc")]
mod builder;
mod document;
mod error;
pub mod json;
mod levels;
mod limits;
mod meaning;
mod name;
mod path;
#[cfg(feature = "alloc")]
mod query;
mod row;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "serde")]
mod serde_methods;
mod table;
mod types;
#[cfg(feature = "alloc")]
mod walk;
pub mod xml;

#[cfg(feature = "alloc")]
pub use builder::Builder;
pub use document::{Children, Document, Node};
#[cfg(feature = "alloc")]
pub use error::excerpt;
pub use error::{Error, ErrorKind, Words};
pub use levels::Levels;
pub use limits::{Exceeded, Expansion, Limits};
pub use meaning::Meaning;
#[cfg(feature = "alloc")]
pub use name::write_extended;
pub use name::{Name, NameBytes, needs_extended_form};
pub use path::{NotFound, index};
#[cfg(feature = "alloc")]
pub use path::{escape_step, unescape_step};
#[cfg(feature = "alloc")]
pub use query::Query;
pub use row::Row;
pub use table::Table;
pub use types::{TypeSet, TypeSetError, Vocabulary};
#[cfg(feature = "alloc")]
pub use walk::{Step, Walk};
