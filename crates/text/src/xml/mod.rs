//! XML 1.0 text.

mod attlist;
mod chars;
mod content;
mod declaration;
mod dtd;
mod encoding;
mod entity;
mod markup;
mod options;
mod reader;
mod tag;
mod tree;

pub use options::Options;
pub use reader::{Attributes, Event, Reader};
pub use tree::read;

/// Writes a document of the XML vocabulary as XML 1.0 in UTF-8.
///
/// # Errors
/// When the document holds what XML cannot.
pub fn write(document: &tam::Document<'_>, options: &Options, out: &mut Vec<u8>) -> Result<(), tam::Error> {
    let _ = (document, options, out);
    Err(tam::Error::new(tam::ErrorKind::Unsupported, "xml", 0, "a document", "a writer"))
}
