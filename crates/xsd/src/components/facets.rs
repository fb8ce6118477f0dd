//! Facets of simple types (Part 2 section 4.3).

use std::sync::Arc;

use xml::white_space::WhiteSpace;

use super::Position;
use crate::pattern::Pattern;
use crate::value::{Key, Ordered};

/// A facet: its value, and whether derived types must keep it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Facet<T> {
    /// The value.
    pub value: T,
    /// `fixed="true"`.
    pub fixed: bool,
    /// Its position.
    pub position: Position,
}

/// A bound: `minInclusive`, `minExclusive`, `maxInclusive` or `maxExclusive`.
#[derive(Clone, Debug)]
pub struct Bound {
    /// As written, with white space normalised.
    pub text: String,
    /// Whether the bound itself is allowed.
    pub inclusive: bool,
    pub(crate) value: Ordered,
}

/// A value of an enumeration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Enumerated {
    /// As written, with white space normalised as the base type requires.
    pub text: String,
    /// Its position.
    pub position: Position,
}

/// The enumeration of one step of derivation.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    /// In the order of the document.
    pub values: Vec<Enumerated>,
    /// For the key of each value, the index of the first text with that value.
    pub(crate) keys: hashbrown::HashMap<Key, u32, foldhash::fast::RandomState>,
}

impl Enumeration {
    /// The first value with a key.
    #[doc(hidden)]
    #[must_use]
    pub fn find(&self, key: &[u8]) -> Option<&Enumerated> {
        self.values.get(*self.keys.get(key)? as usize)
    }
}

/// The constraining facets of a type.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Facets {
    /// `whiteSpace`.
    pub white_space: Option<Facet<WhiteSpace>>,
    /// `length`: in characters, octets of binary types, or items of lists.
    pub length: Option<Facet<u64>>,
    /// `minLength`, in the same units.
    pub min_length: Option<Facet<u64>>,
    /// `maxLength`, in the same units.
    pub max_length: Option<Facet<u64>>,
    /// `totalDigits`.
    pub total_digits: Option<Facet<u64>>,
    /// `fractionDigits`.
    pub fraction_digits: Option<Facet<u64>>,
    /// `minInclusive` or `minExclusive`.
    pub min: Option<Facet<Bound>>,
    /// `maxInclusive` or `maxExclusive`.
    pub max: Option<Facet<Bound>>,
    /// The allowed values. In effective facets, the values of the last step with an enumeration, which are a subset of
    /// those before.
    pub enumeration: Option<Arc<Enumeration>>,
    /// The patterns, all of which a value must match. The patterns of one step are alternatives in one [`Pattern`].
    pub patterns: Vec<Arc<Pattern>>,
}

impl Facets {
    /// How white space is normalised. Without the facet it is preserved.
    #[must_use]
    pub fn white_space(&self) -> WhiteSpace {
        self.white_space.as_ref().map_or(WhiteSpace::Preserve, |facet| facet.value)
    }
}
