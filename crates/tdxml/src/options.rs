//! Options of reading and writing.

use tam::Limits;

use crate::{DataSchema, Registry};

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// The one that makes the smaller message.
    #[default]
    Smaller,
    /// One row for each value, with its path (paper section 2.2).
    Aggregated,
    /// The paths of repeated elements once, then one row for each occurrence. Other elements are written as in the
    /// aggregated scheme.
    Grouped,
}

/// How octets are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Binary {
    /// In base64, in the row.
    #[default]
    Base64,
    /// Binary, in parts of a `multipart/related` message that rows refer to.
    Mime,
}

/// The tags around schema and table for writing. Reading accepts all.
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
    /// Writing: how octets are written. Changes the bytes on the wire. Default [`Binary::Base64`].
    pub binary: Binary,
    /// Writing: the tags. Changes the bytes on the wire. Default [`Tags::Short`].
    pub tags: Tags,
    /// Writing: leave out comments, instructions and the DOCTYPE instead of refusing them. Default `false`.
    pub drop_comments: bool,
    /// Writing: leave out text next to elements, and everything that `drop_comments` leaves out, instead of refusing
    /// it. Default `false`.
    pub drop_mixed: bool,
    /// Writing: put the message in the body of a SOAP 1.1 envelope. Of a document that is such an envelope, the element in
    /// its body is tabulated ([`soap_body`](crate::soap_body)). Default `false`.
    pub soap: bool,
    /// Writing: the schema of the document. Default `None`: it is inferred from the document.
    pub schema: Option<&'s DataSchema>,
    /// Writing: refer to the schema by its identifier instead of including it. Changes the bytes on the wire. Default
    /// `false`.
    pub by_reference: bool,
    /// Reading: the schemas that messages may refer to. Default `None`.
    pub registry: Option<&'s Registry>,
    /// The limits of reading. `decompressed_bytes` limits the size of the defaults that a schema supplies. Default
    /// [`Limits::DEFAULT`].
    pub limits: Limits,
}

impl<'s> Options<'s> {
    /// The same options with another scheme.
    #[must_use]
    pub const fn with_scheme(self, scheme: Scheme) -> Options<'s> {
        Options { scheme, ..self }
    }

    /// The same options with octets written this way.
    #[must_use]
    pub const fn with_binary(self, binary: Binary) -> Options<'s> {
        Options { binary, ..self }
    }

    /// The same options with other tags.
    #[must_use]
    pub const fn with_tags(self, tags: Tags) -> Options<'s> {
        Options { tags, ..self }
    }

    /// The same options with `drop_comments` set or cleared.
    #[must_use]
    pub const fn with_drop_comments(self, drop_comments: bool) -> Options<'s> {
        Options { drop_comments, ..self }
    }

    /// Whether comments, instructions and the DOCTYPE are left out.
    pub(crate) const fn drops_comments(&self) -> bool {
        self.drop_comments || self.drop_mixed
    }

    /// The same options with `drop_mixed` set or cleared.
    #[must_use]
    pub const fn with_drop_mixed(self, drop_mixed: bool) -> Options<'s> {
        Options { drop_mixed, ..self }
    }

    /// The same options with `soap` set or cleared.
    #[must_use]
    pub const fn with_soap(self, soap: bool) -> Options<'s> {
        Options { soap, ..self }
    }

    /// The same options with a schema for documents.
    #[must_use]
    pub const fn with_schema(self, schema: &'s DataSchema) -> Options<'s> {
        Options { schema: Some(schema), ..self }
    }

    /// The same options with `by_reference` set or cleared.
    #[must_use]
    pub const fn with_reference(self, by_reference: bool) -> Options<'s> {
        Options { by_reference, ..self }
    }

    /// The same options with schemas that messages may refer to.
    #[must_use]
    pub const fn with_registry(self, registry: &'s Registry) -> Options<'s> {
        Options { registry: Some(registry), ..self }
    }

    /// The same options with other limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Options<'s> {
        Options { limits, ..self }
    }
}
