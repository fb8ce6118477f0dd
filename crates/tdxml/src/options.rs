//! What a caller may choose.

use tam::Limits;

use crate::{DataSchema, Registry};

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Whichever makes the smaller message.
    #[default]
    Smaller,
    /// A row a value, its path in front (paper section 2.2).
    Aggregated,
    /// The paths of what repeats once, then a row an occurrence. What does not repeat is written as in the
    /// aggregated scheme.
    Grouped,
}

/// How octets are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Binary {
    /// In base64, in the row.
    #[default]
    Base64,
    /// As they are, in parts of a `multipart/related` message that rows name.
    Mime,
}

/// Which tags are written around schema and table. All are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tags {
    /// `TDXML:Env`, `TDXML:DS`, `TDXML:CT`.
    #[default]
    Short,
    /// `TDXML:Envelope`, `TDXML:DataSchema`, `TDXML:ContentTable`.
    Long,
    /// `Env`, `DS`, `CT` in the default namespace: the shortest, for parties that have agreed on a schema.
    Bare,
}

/// How messages are read and written.
///
/// ```
/// use lengthwise_tdxml::{Binary, Options, Scheme};
///
/// let options = Options::default().with_scheme(Scheme::Grouped).with_binary(Binary::Mime);
/// assert!(!options.drop_mixed && options.schema.is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options<'s> {
    /// Writing: the scheme. Changes the bytes on the wire. Default [`Scheme::Smaller`].
    pub scheme: Scheme,
    /// Writing: where octets go. Changes the bytes on the wire. Default [`Binary::Base64`].
    pub binary: Binary,
    /// Writing: the tags. Changes the bytes on the wire. Default [`Tags::Short`].
    pub tags: Tags,
    /// Writing: comments, instructions and the DOCTYPE are left out instead of refused. Default `false`.
    pub drop_comments: bool,
    /// Writing: text beside elements is left out instead of refused, and so is all that `drop_comments`
    /// leaves out. Default `false`.
    pub drop_mixed: bool,
    /// Writing: the message inside the body of a SOAP 1.1 envelope. Default `false`.
    pub soap: bool,
    /// Writing: the schema of the document. Default `None`: it is made of the document.
    pub schema: Option<&'s DataSchema>,
    /// Writing: the schema is not in the message, which refers to it by its identifier. Changes the bytes
    /// on the wire. Default `false`.
    pub by_reference: bool,
    /// Reading: the schemas that messages may refer to. Default `None`: there are none.
    pub registry: Option<&'s Registry>,
    /// What reading a message may cost. `decompressed_bytes` bounds what the defaults of a schema come to.
    /// Default [`Limits::DEFAULT`].
    pub limits: Limits,
}

impl<'s> Options<'s> {
    /// The same options with another scheme.
    #[must_use]
    pub const fn with_scheme(self, scheme: Scheme) -> Options<'s> {
        Options { scheme, ..self }
    }

    /// The same options, octets going elsewhere.
    #[must_use]
    pub const fn with_binary(self, binary: Binary) -> Options<'s> {
        Options { binary, ..self }
    }

    /// The same options with other tags.
    #[must_use]
    pub const fn with_tags(self, tags: Tags) -> Options<'s> {
        Options { tags, ..self }
    }

    /// The same options, leaving out comments, instructions and the DOCTYPE or refusing them.
    #[must_use]
    pub const fn with_drop_comments(self, drop_comments: bool) -> Options<'s> {
        Options { drop_comments, ..self }
    }

    /// Whether comments, instructions and the DOCTYPE are left out.
    pub(crate) const fn drops_comments(&self) -> bool {
        self.drop_comments || self.drop_mixed
    }

    /// The same options, leaving out all that has no place in a table or refusing it.
    #[must_use]
    pub const fn with_drop_mixed(self, drop_mixed: bool) -> Options<'s> {
        Options { drop_mixed, ..self }
    }

    /// The same options, the message in a SOAP envelope or not.
    #[must_use]
    pub const fn with_soap(self, soap: bool) -> Options<'s> {
        Options { soap, ..self }
    }

    /// The same options, documents being of a schema.
    #[must_use]
    pub const fn with_schema(self, schema: &'s DataSchema) -> Options<'s> {
        Options { schema: Some(schema), ..self }
    }

    /// The same options, the schema being referred to or written.
    #[must_use]
    pub const fn with_reference(self, by_reference: bool) -> Options<'s> {
        Options { by_reference, ..self }
    }

    /// The same options, with schemas that messages may refer to.
    #[must_use]
    pub const fn with_registry(self, registry: &'s Registry) -> Options<'s> {
        Options { registry: Some(registry), ..self }
    }

    /// The same options under other limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Options<'s> {
        Options { limits, ..self }
    }
}
