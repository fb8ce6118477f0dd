//! Options of reading and writing.

use asn1::EncodingRules;
use tam::Limits;

use crate::SharedStrings;

/// How the table of strings is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strings {
    /// Not at all.
    #[default]
    None,
    /// DEFLATE in the zlib format (RFC 1950).
    Deflate,
    /// bzip2, as in the paper.
    Bzip2,
    /// Zstandard (RFC 8878).
    Zstd,
}

impl Strings {
    /// The name of the algorithm in a message: the URI literal of a block of strings. Empty for none.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Strings::None => "",
            Strings::Deflate => "deflate",
            Strings::Bzip2 => "bzip2",
            Strings::Zstd => "zstd",
        }
    }
}

/// How documents are read and written.
///
/// ```
/// # use ::asn1 as lengthwise_asn1;
/// use lengthwise_asn1::EncodingRules;
/// use lengthwise_infoset::{Options, Strings};
///
/// let options = Options::aper().with_strings(Strings::Bzip2);
/// assert_eq!((options.rules, options.paper), (EncodingRules::Aper, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options<'s> {
    /// The encoding rules, which both sides must agree on. Changes the bytes on the wire. Default
    /// [`EncodingRules::Uper`].
    pub rules: EncodingRules,
    /// Writing: the compression of the strings. Readers find it in the message. Default [`Strings::None`].
    pub strings: Strings,
    /// Writing: strings of fewer bytes are not compressed; they come first, in a block of their own, and are read without
    /// decompressing anything (the paper's section 3.5). Default 0: all are compressed.
    pub compress_from: u32,
    /// Strings that both sides have; messages do not hold them. A reader needs those that the writer had. Default none.
    pub shared: Option<&'s SharedStrings>,
    /// Writing: the approximate number of bytes of strings that are compressed together. A reader of events or of a
    /// part decompresses only the blocks it needs. Default 1 MiB.
    pub block_bytes: u32,
    /// Writing: produce what the paper's program wrote, in its order. Comments, instructions and the DOCTYPE are left
    /// out. Default `false`.
    pub paper: bool,
    /// Reading: keep references to entities whose text the message does not have (`UnexpandedEntityReference` in Appendix A), as
    /// units `&` and events. The DOCTYPE then declares the entities. `false` refuses a message that has one. Default `false`.
    pub entity_references: bool,
    /// The limits of reading: `depth` counts elements, `units` the rows of the document; `message_bytes`,
    /// `decompressed_bytes` and `expansion_ratio` apply too. Default [`Limits::DEFAULT`].
    pub limits: Limits,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options::uper()
    }
}

impl<'s> Options<'s> {
    /// Unaligned PER.
    #[must_use]
    pub const fn uper() -> Options<'s> {
        Options::of(EncodingRules::Uper)
    }

    /// Aligned PER.
    #[must_use]
    pub const fn aper() -> Options<'s> {
        Options::of(EncodingRules::Aper)
    }

    /// BER; writing produces DER.
    #[must_use]
    pub const fn ber() -> Options<'s> {
        Options::of(EncodingRules::Ber)
    }

    /// The defaults with these encoding rules.
    #[must_use]
    pub const fn of(rules: EncodingRules) -> Options<'s> {
        Options {
            rules,
            strings: Strings::None,
            compress_from: 0,
            shared: None,
            block_bytes: 1 << 20,
            paper: false,
            entity_references: false,
            limits: Limits::DEFAULT,
        }
    }

    /// The same options with this compression of strings.
    #[must_use]
    pub const fn with_strings(self, strings: Strings) -> Options<'s> {
        Options { strings, ..self }
    }

    /// The same options; shorter strings are not compressed.
    #[must_use]
    pub const fn with_compress_from(self, compress_from: u32) -> Options<'s> {
        Options { compress_from, ..self }
    }

    /// The same options with strings that both sides have.
    #[must_use]
    pub const fn with_shared(self, shared: Option<&'s SharedStrings>) -> Options<'s> {
        Options { shared, ..self }
    }

    /// The same options with this block size.
    #[must_use]
    pub const fn with_block_bytes(self, block_bytes: u32) -> Options<'s> {
        Options { block_bytes, ..self }
    }

    /// Whether shorter strings are in a block of their own.
    pub(crate) fn cuts_by_length(&self) -> bool {
        self.compress_from > 0 && self.strings != Strings::None && !self.paper
    }

    /// The same options with `paper` set or cleared.
    #[must_use]
    pub const fn with_paper(self, paper: bool) -> Options<'s> {
        Options { paper, ..self }
    }

    /// The same options, keeping references to entities or refusing them.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// # use ::text as lengthwise_text;
    /// use lengthwise_infoset::{Event, Options};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let xml = b"<!DOCTYPE book [<!ENTITY one SYSTEM \"1.xml\">]><book>&one;</book>";
    /// let mut table = lengthwise_tam::Table::new();
    /// let keeping = lengthwise_text::xml::Options::default().with_entity_references(true);
    /// let message = lengthwise_infoset::write(&lengthwise_text::xml::read(xml, &keeping, &mut table)?, &Options::uper())?;
    ///
    /// let options = Options::uper().with_entity_references(true);
    /// let mut events = lengthwise_infoset::events(&message, &options)?;
    /// let mut names = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     if let Event::EntityReference(name) = event {
    ///         names.push(name.as_str()?.to_owned());
    ///     }
    /// }
    /// assert_eq!(names, ["one"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn with_entity_references(self, entity_references: bool) -> Options<'s> {
        Options { entity_references, ..self }
    }

    /// The same options with other limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Options<'s> {
        Options { limits, ..self }
    }
}
