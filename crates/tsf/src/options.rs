//! How messages are read and written.

use tam::{Limits, TypeSet};

/// What the number in front of a primitive unit counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lengths {
    /// Bytes. Data can be binary.
    #[default]
    Bytes,
    /// Characters: Unicode code points of UTF-8 data.
    Chars,
}

/// How messages are read and written. Both sides must agree on `types` and `lengths`. A message does not
/// say them, but for the zero that [`is_marked`](crate::is_marked) finds.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tam::TypeSet;
/// use lengthwise_tsf::{Lengths, Options};
///
/// let options = Options::new(TypeSet::XML).with_lengths(Lengths::Chars);
/// assert_eq!(options.lengths, Lengths::Chars);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options<'t> {
    /// Which characters are types. Changes the bytes on the wire. Default [`TypeSet::XML`].
    pub types: &'t TypeSet,
    /// What lengths count. Changes the bytes on the wire. Default [`Lengths::Bytes`].
    pub lengths: Lengths,
    /// Writing XML: attributes in the order of their names' code points instead of the
    /// document's. Changes the bytes on the wire. Default `false`.
    pub sort_attributes: bool,
    /// What a message may cost to read. Default [`Limits::DEFAULT`].
    pub limits: Limits,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options::new(TypeSet::XML)
    }
}

impl<'t> Options<'t> {
    /// The defaults under a type set.
    #[must_use]
    pub const fn new(types: &'t TypeSet) -> Options<'t> {
        Options { types, lengths: Lengths::Bytes, sort_attributes: false, limits: Limits::DEFAULT }
    }

    /// The same options, lengths counting bytes or characters.
    #[must_use]
    pub const fn with_lengths(mut self, lengths: Lengths) -> Self {
        self.lengths = lengths;
        self
    }

    /// The same options, attributes sorted by name or not.
    #[must_use]
    pub const fn with_sorted_attributes(mut self, sort: bool) -> Self {
        self.sort_attributes = sort;
        self
    }

    /// The same options under other limits.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
