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
mod scan;
mod tag;
mod tree;
mod writer;

pub use options::Options;
pub use reader::{Event, Instruction, Reader, StartTag};
pub use tree::read;
pub use writer::write;
