//! What a caller may choose.

use tam::Limits;

/// How XML is read and written.
///
/// ```
/// let options = text::xml::Options::default().with_pretty(true);
/// assert!(options.pretty);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// What reading may cost: `depth` bounds the open elements, `message_bytes` the input,
    /// `entity_expansion` the text that entities and attribute defaults add, `units` the rows of
    /// the document. Writing does not look at it. Default [`Limits::DEFAULT`].
    pub limits: Limits,
    /// Whether writing puts every element, comment and instruction of element-only content on a
    /// line of its own, two spaces a level. It replaces white space between them, so the result
    /// does not read back as the same document; content that holds text stays as it is, and so
    /// does everything under `xml:space="preserve"`. Default `false`.
    pub pretty: bool,
}

impl Options {
    /// The same options with other limits.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Options {
        self.limits = limits;
        self
    }

    /// The same options, indenting or not.
    #[must_use]
    pub const fn with_pretty(mut self, pretty: bool) -> Options {
        self.pretty = pretty;
        self
    }
}
