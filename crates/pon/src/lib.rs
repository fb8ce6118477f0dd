//! PalCom Object Notation (PON): JSON's structure, every value with its length, binary inside.
//!
//! `node = [length] type data`. A reader never searches data for its end, and skips an object or
//! an array whole. The source is M. Nordahl and B. Magnusson, *A lightweight data interchange
//! format for Internet of Things in the PalCom middleware framework* (2015), section 2.
//!
//! There are several ways in and out:
//!
//! * [`read`] checks a whole message and gives a [`Document`](tam::Document), which every other
//!   format can be written from; [`write()`] is the way back.
//! * [`Value`] is a lazy cursor over the bytes: it goes to what it is asked for, and looks at
//!   nothing else. [`Backward`] writes a message by hand, last member first, into a buffer of the
//!   caller's. Neither allocates.
//! * `locate` (feature `std`) is the same lookup in a file, of which it reads keys and lengths alone.
//! * [`OwnedValue`] is a value in memory, to keep and change.
//! * `from_slice` and `to_vec` (feature `serde`) are for Rust's own types; `from_reader` and `to_writer` (with the
//!   feature `std` as well) read and write them as messages of a stream.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! # fn main() -> Result<(), lengthwise_pon::Error> {
//! let message = b"37{room:5satticok:tt:5d21.50cal:6[1i01i8";
//! let reading = lengthwise_pon::Value::new(message)?;
//! assert_eq!(reading.require("t")?.as_f64()?, 21.5);
//!
//! let mut table = lengthwise_tam::Table::new();
//! let document = lengthwise_pon::read(message, &lengthwise_pon::Options::default(), &mut table)?;
//! assert_eq!(document.get("/cal/1").unwrap().value(), b"8");
//! assert_eq!(lengthwise_pon::write(&document)?, message);
//! # Ok(())
//! # }
//! ```
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

mod ascii;
mod backward;
mod cursor;
mod head;
mod key;
mod kind;
#[cfg(feature = "std")]
mod locate;
mod number;
mod options;
#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
mod path;
mod payload;
mod piece;
mod reader;
mod record;
#[cfg(feature = "serde")]
mod serde;
mod text;
mod writer;

pub use backward::{Backward, End};
pub use cursor::{Items, Members, Place, Value};
pub use key::Key;
pub use kind::Kind;
#[cfg(feature = "std")]
pub use locate::locate;
pub use options::Options;
#[cfg(feature = "alloc")]
pub use owned::{Array, Float, Integer, Object, OwnedValue};
pub use payload::{Payload, Piece, Pieces};
pub use reader::{read, read_prefix};
pub use record::Record;
#[cfg(all(feature = "serde", feature = "std"))]
pub use serde::{MessageReader, from_reader, to_writer};
#[cfg(feature = "serde")]
pub use serde::{from_prefix, from_slice, serialized_len, to_buffer, to_vec};
pub use tam::Error;
#[cfg(feature = "alloc")]
pub use writer::{append, write};
pub use writer::{encoded_len, write_into};

/// The name of the format in errors.
const FORMAT: &str = "pon";
