//! XML 1.0 text.

mod attlist;
mod chars;
mod content;
mod declaration;
mod dtd;
mod encoding;
mod entity;
mod escape;
mod export;
mod markup;
mod options;
mod reader;
mod tag;
mod tree;
mod writer;

pub use options::Options;
pub use reader::{Attributes, Event, Reader};
pub use tree::read;
pub use writer::write;
