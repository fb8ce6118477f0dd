//! The properties of a document that are not part of its content.

/// The properties of a document information item that a [`tam::Document`] does not hold. Most of them come from the XML
/// declaration, which is not part of the document after it.
///
/// [`Reader::properties`](crate::Reader::properties) returns them, [`append_with`](crate::append_with) writes
/// them. They are returned unchanged, even if invalid: messages of the paper's program have a version that
/// is no version of XML.
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
    /// The base URI of the document, which is its location.
    pub base_uri: Option<&'p str>,
    /// The character encoding scheme of the text that the document was read from; empty if
    /// unknown. The strings of a message are UTF-8 in any case.
    pub encoding: &'p str,
    /// The standalone declaration, if there is one.
    pub standalone: Option<bool>,
    /// The version of XML.
    pub version: Option<&'p str>,
    /// Whether all declarations of the DTD have been read. A writer sets it only
    /// for a document that has all declarations in its DOCTYPE.
    pub all_declarations_processed: bool,
}

impl Default for Properties<'_> {
    /// No property is set, and no declaration is missing.
    fn default() -> Self {
        Properties { base_uri: None, encoding: "", standalone: None, version: None, all_declarations_processed: true }
    }
}

/// The same with texts as numbers: when writing, of strings in the order of first use; when reading, as in tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub(crate) base_uri: Option<u32>,
    pub(crate) encoding: u32,
    pub(crate) standalone: Option<bool>,
    pub(crate) version: Option<u32>,
    pub(crate) all_declarations_processed: bool,
}
