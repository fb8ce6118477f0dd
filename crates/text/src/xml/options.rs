//! What a caller may choose.

use tam::Limits;

/// How an element without content is written (paper section 5.3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmptyTags {
    /// As one empty-element tag: `<a/>`.
    #[default]
    Single,
    /// As a start tag and an end tag: `<a></a>`.
    Pair,
}

/// How the ends of lines are written (paper section 5.3.4). Both read back as a line feed (XML 1.0 section 2.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineEnds {
    /// A line feed.
    #[default]
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

impl LineEnds {
    /// The characters.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            LineEnds::Lf => "\n",
            LineEnds::CrLf => "\r\n",
        }
    }
}

/// How XML is read and written.
///
/// ```
/// let options = lengthwise_text::xml::Options::default().with_pretty(true);
/// assert!(options.pretty);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// What reading may cost: `depth` bounds the open elements, `message_bytes` the input,
    /// `entity_expansion` and `expansion_ratio` the text that entities and attribute defaults add,
    /// `units` the rows of the document. Writing does not look at it. Default [`Limits::DEFAULT`].
    pub limits: Limits,
    /// Whether writing puts every element, comment and instruction of element-only content on a
    /// line of its own, two spaces a level for at most 64 levels. It replaces white space between them, so the result
    /// does not read back as the same document; content that holds text stays as it is, and so
    /// does everything under `xml:space="preserve"`. Default `false`.
    pub pretty: bool,
    /// Whether a document must be namespace-well-formed as well (Namespaces in XML 1.0, third
    /// edition, section 7). Reading and writing then refuse a prefix that is not declared, two
    /// attributes of one expanded name, the declarations that the reserved prefixes forbid, and
    /// colons in the names of entities, notations and instructions. `false` accepts all of XML 1.0.
    /// Default `true`.
    pub namespaces: bool,
    /// Whether reading keeps references in content to entities whose text is not read, as units `&` and events: external ones, and
    /// ones that only a part of the DOCTYPE outside the document can declare. `false` refuses a document that has one. Default
    /// `false`.
    pub entity_references: bool,
    /// Whether writing a document of JSON numbers the items of arrays, from 1: `e0s1i1`, `e0s1i2` and so on instead of `e0s1` for
    /// each (paper section 3.2.2). Default `false`.
    pub numbered_items: bool,
    /// How writing ends an element without content. Default [`EmptyTags::Single`].
    pub empty_tags: EmptyTags,
    /// What writing ends lines with, of text and of the layout. Default [`LineEnds::Lf`].
    pub line_ends: LineEnds,
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

impl Options {
    /// The defaults.
    #[must_use]
    pub const fn new() -> Options {
        Options {
            limits: Limits::DEFAULT,
            pretty: false,
            namespaces: true,
            entity_references: false,
            numbered_items: false,
            empty_tags: EmptyTags::Single,
            line_ends: LineEnds::Lf,
        }
    }

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

    /// The same options, for namespace-well-formed documents only or for all of XML 1.0.
    #[must_use]
    pub const fn with_namespaces(mut self, namespaces: bool) -> Options {
        self.namespaces = namespaces;
        self
    }

    /// The same options, keeping references to entities whose text is not read, or refusing them.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_tam::xml::Content;
    /// use lengthwise_text::xml::{self, Options};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let text = b"<!DOCTYPE book [<!ENTITY one SYSTEM \"1.xml\">]><book>&one;</book>";
    /// let options = Options::default().with_entity_references(true);
    /// let mut table = lengthwise_tam::Table::new();
    /// let book = xml::read(text, &options, &mut table)?;
    /// let content = lengthwise_tam::xml::root(&book).unwrap().content().next();
    /// assert!(matches!(content, Some(Content::EntityReference("one"))));
    /// assert_eq!(xml::write(&book, &options)?, text);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn with_entity_references(mut self, entity_references: bool) -> Options {
        self.entity_references = entity_references;
        self
    }

    /// The same options, numbering the items of arrays of JSON or not.
    #[must_use]
    pub const fn with_numbered_items(mut self, numbered: bool) -> Options {
        self.numbered_items = numbered;
        self
    }

    /// The same options, writing elements without content so.
    #[must_use]
    pub const fn with_empty_tags(mut self, empty_tags: EmptyTags) -> Options {
        self.empty_tags = empty_tags;
        self
    }

    /// The same options, writing the ends of lines so.
    #[must_use]
    pub const fn with_line_ends(mut self, line_ends: LineEnds) -> Options {
        self.line_ends = line_ends;
        self
    }
}
