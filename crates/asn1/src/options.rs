//! What the caller decides.

use tam::Limits;

/// How values are laid out in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingRules {
    /// The Packed Encoding Rules, unaligned (X.691).
    #[default]
    Uper,
    /// The Packed Encoding Rules, aligned (X.691).
    Aper,
    /// The Basic Encoding Rules (X.690); with [`Options::canonical`], the Distinguished ones.
    Ber,
}

impl EncodingRules {
    /// `uper`, `aper` or `ber`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EncodingRules::Uper => "uper",
            EncodingRules::Aper => "aper",
            EncodingRules::Ber => "ber",
        }
    }

    /// What errors call the format: `per` or `ber`.
    pub(crate) const fn format(self) -> &'static str {
        match self {
            EncodingRules::Uper | EncodingRules::Aper => "per",
            EncodingRules::Ber => "ber",
        }
    }
}

/// How values are read and written.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{EncodingRules, Options};
/// use lengthwise_tam::Limits;
///
/// let options = Options::aper().with_limits(Limits { depth: 8, ..Limits::default() });
/// assert_eq!(options.rules, EncodingRules::Aper);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The encoding rules. Default [`EncodingRules::Uper`].
    pub rules: EncodingRules,
    /// Write what is the only encoding of a value: the components of a SET OF in the order of their
    /// encodings, every component that equals its default left out. With [`EncodingRules::Ber`] these
    /// are the Distinguished Encoding Rules, with the others CANONICAL-PER. Reading takes either.
    /// Default `false`.
    pub canonical: bool,
    /// What a message may cost to read: `depth`, `units` (values) and `message_bytes` are kept.
    /// Default [`Limits::DEFAULT`].
    pub limits: Limits,
}

impl Options {
    /// Unaligned PER.
    #[must_use]
    pub const fn uper() -> Options {
        Options::of(EncodingRules::Uper)
    }

    /// Aligned PER.
    #[must_use]
    pub const fn aper() -> Options {
        Options::of(EncodingRules::Aper)
    }

    /// BER.
    #[must_use]
    pub const fn ber() -> Options {
        Options::of(EncodingRules::Ber)
    }

    /// DER: canonical BER.
    #[must_use]
    pub const fn der() -> Options {
        Options::ber().with_canonical(true)
    }

    /// By some rules, all else being as it is by default.
    #[must_use]
    pub const fn of(rules: EncodingRules) -> Options {
        Options { rules, canonical: false, limits: Limits::DEFAULT }
    }

    /// The same options, writing the only encoding of a value or not.
    #[must_use]
    pub const fn with_canonical(self, canonical: bool) -> Options {
        Options { canonical, ..self }
    }

    /// The same options under other limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Options {
        Options { limits, ..self }
    }
}
