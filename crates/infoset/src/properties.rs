//! What a message says of its document as a whole, beside what stands in it.

/// The properties of a document information item that a [`tam::Document`] has no place for: most of
/// them are what an XML declaration says, which is no part of the document that follows it.
///
/// A [`Reader`](crate::Reader::properties) tells them, [`append_with`](crate::append_with) writes them.
/// They are told as they stand, whatever they are: the messages of the paper's program have a version
/// that is none.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_infoset::{Options, Properties};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// # let mut table = lengthwise_tam::Table::new();
/// # let mut build = lengthwise_tam::Builder::new(b"", lengthwise_tam::TypeSet::XML, lengthwise_tam::Limits::default(), &mut table);
/// # build.open(b'<', b"a")?;
/// # build.close()?;
/// # build.finish()?;
/// # let document = table.document(b"", lengthwise_tam::TypeSet::XML);
/// // <?xml version="1.0" standalone="yes"?><a/>
/// let said = Properties { version: Some("1.0"), standalone: Some(true), ..Properties::default() };
/// let mut message = Vec::new();
/// lengthwise_infoset::append_with(&document, &said, &Options::uper(), &mut message)?;
/// assert_eq!(lengthwise_infoset::events(&message, &Options::uper())?.properties()?, said);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties<'p> {
    /// The base URI of the document: where it was found.
    pub base_uri: Option<&'p str>,
    /// The character encoding scheme of the text that the document was read from; empty where that
    /// is not told. The strings of a message are UTF-8 in any case.
    pub encoding: &'p str,
    /// What the XML declaration says of being standalone, if it does.
    pub standalone: Option<bool>,
    /// The version of XML.
    pub version: Option<&'p str>,
    /// Whether all declarations of the DTD have been read. What is written says `true` only of a
    /// document all of whose declarations stand in its DOCTYPE.
    pub all_declarations_processed: bool,
}

impl Default for Properties<'_> {
    /// Nothing is told, and no declaration is missing.
    fn default() -> Self {
        Properties { base_uri: None, encoding: "", standalone: None, version: None, all_declarations_processed: true }
    }
}

/// The same, texts being numbers: of strings in the order of first use where it is written, and as in
/// tokens where it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub(crate) base_uri: Option<u32>,
    pub(crate) encoding: u32,
    pub(crate) standalone: Option<bool>,
    pub(crate) version: Option<u32>,
    pub(crate) all_declarations_processed: bool,
}
