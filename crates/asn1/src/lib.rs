//! ASN.1 at run time.
#![allow(missing_docs)] // until the rooms are furnished
mod ber;
mod check;
pub mod compiled;
mod equal;
pub mod event;
pub mod jer;
pub mod notation;
mod oid;
mod options;
pub mod per;
mod reader;
mod real;
pub mod schema;
mod values;
mod writer;

pub use compiled::{Compiled, NodeId};
pub use options::{EncodingRules, Options};
pub use reader::{read, read_events, read_prefix};
pub use tam::Limits;
pub use values::{Column, Filler, Items, Level, Members, Value, Values};
pub use writer::{append, append_events, encoded_len, write};
