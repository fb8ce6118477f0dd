//! Facets of simple types (Part 2 section 4.3).

use std::sync::Arc;

use xml::white_space::WhiteSpace;

use super::Position;
use crate::pattern::Pattern;
use crate::value::{Key, Ordered};

/// A facet: its value, and whether derived types must leave it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Facet<T> {
    /// The value.
    pub value: T,
    /// `fixed="true"`.
    pub fixed: bool,
    /// Where it stands.
    pub position: Position,
}

/// A bound: `minInclusive` and its like.
#[derive(Clone, Debug)]
pub struct Bound {
    /// As written, white space normalised.
    pub text: String,
    /// Whether the bound itself is allowed.
    pub inclusive: bool,
    pub(crate) value: Ordered,
}

/// A value of an enumeration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Enumerated {
    /// As written, white space normalised as the base type says.
    pub text: String,
    /// Where it stands.
    pub position: Position,
}

/// The values that a step of derivation allows.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    /// In the order of the document.
    pub values: Vec<Enumerated>,
    /// Which of them has a value first, by its key.
    pub(crate) keys: hashbrown::HashMap<Key, u32, foldhash::fast::RandomState>,
}

impl Enumeration {
    /// The first of the values that a key is of.
    #[doc(hidden)]
    #[must_use]
    pub fn find(&self, key: &[u8]) -> Option<&Enumerated> {
        self.values.get(*self.keys.get(key)? as usize)
    }
}

/// The constraining facets, those that are there.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Facets {
    /// `whiteSpace`.
    pub white_space: Option<Facet<WhiteSpace>>,
    /// `length`: characters, octets of binary types, items of lists.
    pub length: Option<Facet<u64>>,
    /// `minLength`, in the same.
    pub min_length: Option<Facet<u64>>,
    /// `maxLength`, in the same.
    pub max_length: Option<Facet<u64>>,
    /// `totalDigits`.
    pub total_digits: Option<Facet<u64>>,
    /// `fractionDigits`.
    pub fraction_digits: Option<Facet<u64>>,
    /// `minInclusive` or `minExclusive`.
    pub min: Option<Facet<Bound>>,
    /// `maxInclusive` or `maxExclusive`.
    pub max: Option<Facet<Bound>>,
    /// The values allowed. Of effective facets those of the last step that says some, which are a part
    /// of those of the steps before.
    pub enumeration: Option<Arc<Enumeration>>,
    /// Patterns, a value of which every one must match. Those of one step are one, with `|` between.
    pub patterns: Vec<Arc<Pattern>>,
}

impl Facets {
    /// What is done with white space; preserved where nothing is said.
    #[must_use]
    pub fn white_space(&self) -> WhiteSpace {
        self.white_space.as_ref().map_or(WhiteSpace::Preserve, |facet| facet.value)
    }
}
