//! XML 1.0 text.

mod options;

pub use options::Options;

/// Reads an XML document into a table.
///
/// # Errors
/// When the document is not well-formed, exceeds a limit or needs what is outside it.
pub fn read<'a>(
    input: &'a [u8],
    options: &Options,
    table: &'a mut tam::Table<'_>,
) -> Result<tam::Document<'a>, tam::Error> {
    let _ = (input, options, table);
    Err(tam::Error::new(tam::ErrorKind::Unsupported, "xml", 0, "a document", "a reader"))
}

/// Writes a document of the XML vocabulary as XML 1.0 in UTF-8.
///
/// # Errors
/// When the document holds what XML cannot.
pub fn write(document: &tam::Document<'_>, options: &Options, out: &mut Vec<u8>) -> Result<(), tam::Error> {
    let _ = (document, options, out);
    Err(tam::Error::new(tam::ErrorKind::Unsupported, "xml", 0, "a document", "a writer"))
}
