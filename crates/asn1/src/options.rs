//! Options of reading and writing.

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
    /// The Canonical Encoding Rules (X.690 clause 9), whatever [`Options::canonical`] is. Messages are read as with
    /// [`EncodingRules::Ber`].
    Cer,
    /// The Octet Encoding Rules (X.696).
    Oer,
}

impl EncodingRules {
    /// `uper`, `aper`, `ber`, `cer` or `oer`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EncodingRules::Uper => "uper",
            EncodingRules::Aper => "aper",
            EncodingRules::Ber => "ber",
            EncodingRules::Cer => "cer",
            EncodingRules::Oer => "oer",
        }
    }

    /// The name of the format in errors: `per`, `ber` or `oer`.
    pub(crate) const fn format(self) -> &'static str {
        match self {
            EncodingRules::Uper | EncodingRules::Aper => "per",
            EncodingRules::Ber | EncodingRules::Cer => "ber",
            EncodingRules::Oer => "oer",
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
    /// Write the only encoding of a value: the components of a SET OF are sorted by their encodings, and every
    /// component that equals its default is left out. With [`EncodingRules::Ber`] these are the Distinguished Encoding
    /// Rules, with the others CANONICAL-PER and CANONICAL-OER. Reading accepts both. Default `false`.
    pub canonical: bool,
    /// The limits of reading: `depth`, `units` (values) and `message_bytes` apply. Default [`Limits::DEFAULT`].
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

    /// CER.
    #[must_use]
    pub const fn cer() -> Options {
        Options::of(EncodingRules::Cer)
    }

    /// OER.
    #[must_use]
    pub const fn oer() -> Options {
        Options::of(EncodingRules::Oer)
    }

    /// Default options with these rules.
    #[must_use]
    pub const fn of(rules: EncodingRules) -> Options {
        Options { rules, canonical: false, limits: Limits::DEFAULT }
    }

    /// The same options with `canonical` set or cleared.
    #[must_use]
    pub const fn with_canonical(self, canonical: bool) -> Options {
        Options { canonical, ..self }
    }

    /// The same options with other limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Options {
        Options { limits, ..self }
    }
}
