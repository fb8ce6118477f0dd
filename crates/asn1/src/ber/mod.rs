//! The Basic, Distinguished and Canonical Encoding Rules (X.690).
//!
//! A value is encoded as a tag, a length and its contents. Reading accepts every form that the Basic rules allow.
//! Writing uses definite lengths and the shortest forms; under the Distinguished rules it produces the only encoding of
//! a value, as under the Canonical rules, which use indefinite lengths.

mod array;
mod choice;
mod contents;
mod elements;
mod header;
mod open;
mod order;
mod primitive;
mod reader;
mod record;
mod span;
mod string;
mod writer;

pub use elements::{Element, Elements};
pub(crate) use reader::{read, read_content};
pub(crate) use writer::{Form, write};
