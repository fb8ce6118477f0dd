//! What the caller decides.

use tam::{Limits, TypeSet};

/// Which type set a JSON text is read into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Types {
    /// [`TypeSet::JSON`]: every scalar is its JSON token, a string with its quotes and with the
    /// escapes it is written with.
    Json,
    /// [`TypeSet::VALUE`]: strings are decoded, and numbers with a fraction or an exponent
    /// are distinguished from integers.
    #[default]
    Value,
}

impl Types {
    /// The type set itself.
    #[must_use]
    pub const fn set(self) -> &'static TypeSet {
        match self {
            Types::Json => TypeSet::JSON,
            Types::Value => TypeSet::VALUE,
        }
    }
}

/// How JSON is read and written.
///
/// ```
/// use lengthwise_text::json::{Options, Types};
///
/// let options = Options::default().with_types(Types::Json).with_pretty(true);
/// assert!(options.pretty);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Reading: the type set of the document. Writing takes a document of either. Default
    /// [`Types::Value`].
    pub types: Types,
    /// Reading: what a text may cost; `depth`, `units` and `message_bytes` are kept. Default
    /// [`Limits::DEFAULT`].
    pub limits: Limits,
    /// Writing: one member or item a line, two spaces a level, for at most 64 levels. Default `false`: no white space.
    pub pretty: bool,
}

impl Options {
    /// The same options with another type set to read into.
    #[must_use]
    pub const fn with_types(self, types: Types) -> Options {
        Options { types, ..self }
    }

    /// The same options with other limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Options {
        Options { limits, ..self }
    }

    /// The same options, writing one member or item a line or all on one.
    #[must_use]
    pub const fn with_pretty(self, pretty: bool) -> Options {
        Options { pretty, ..self }
    }
}
