//! What a document holds: the same for everyone who reads it, or nothing is timed.

/// Counts of an XML document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct XmlCounts {
    pub(crate) elements: u64,
    pub(crate) attributes: u64,
    pub(crate) texts: u64,
    /// CDATA sections, comments, processing instructions, DOCTYPE.
    pub(crate) others: u64,
    /// Names of elements and attributes.
    pub(crate) name_bytes: u64,
    /// Attribute values, text and CDATA.
    pub(crate) value_bytes: u64,
}

impl XmlCounts {
    /// Lexical units, as the paper counts them.
    pub(crate) fn units(&self) -> u64 {
        self.elements + self.attributes + self.texts + self.others
    }
}
