//! Constraints (X.680 clauses 49 to 51).

use super::{AtNotation, Position, Type, Value};

/// The content of one pair of parentheses after a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// What is allowed before the extension marker.
    pub root: Constraints,
    /// The additions after it: `None` without a marker, `Some(None)` for a marker alone.
    pub additions: Option<Option<Constraints>>,
    /// Its position.
    pub position: Position,
}

/// An element set specification: elements and their combinations (X.680 clause 50).
#[derive(Clone, Debug, PartialEq)]
pub enum Constraints {
    /// One element.
    Element(Box<Element>),
    /// `A | B`, two or more; none for a set that begins with its extension marker: `{ ... }`.
    Union(Vec<Constraints>),
    /// `A ^ B`, two or more.
    Intersection(Vec<Constraints>),
    /// `A EXCEPT B`.
    Except(Box<Constraints>, Box<Constraints>),
    /// `ALL EXCEPT B`.
    AllExcept(Box<Constraints>),
}

/// A subtype element (X.680 clause 51).
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// A value.
    Single(Value),
    /// `lower..upper`; each end may be excluded (`<`).
    Range(Bound, Bound),
    /// `SIZE (…)`.
    Size(Constraint),
    /// `FROM (…)`.
    Alphabet(Constraint),
    /// `INCLUDES Type`, or only the type.
    Contained(Type),
    /// `PATTERN "…"`: kept and printed, not checked.
    Pattern(Value),
    /// `SETTINGS "…"`: properties of times (clause 51.10).
    Settings(String),
    /// `WITH COMPONENT (…)`.
    WithComponent(Constraint),
    /// `WITH COMPONENTS { …, name (…) PRESENT }`.
    WithComponents {
        /// `...` first: components that are not listed are unconstrained.
        partial: bool,
        /// The name of each component, its constraint, and whether it must be present.
        components: Vec<(String, Option<Constraint>, Option<Presence>)>,
    },
    /// `CONTAINING Type ENCODED BY value` (X.682 clause 11).
    Contents(Option<Type>, Option<Value>),
    /// `CONSTRAINED BY { … }` (X.682 clause 9): its text, kept and printed, not checked.
    UserDefined(String),
    /// `{ Objects } { @a.b }`: a table constraint, and the components that select its row (X.682 clause 10).
    Table {
        /// The object set.
        set: Constraint,
        /// The components; none if every row is allowed.
        at: Vec<AtNotation>,
    },
    /// `( … )`.
    Group(Constraint),
}

/// An end of a range.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// `MIN`.
    Min,
    /// `MAX`.
    Max,
    /// A value that is in the range.
    Inclusive(Value),
    /// A value next to the range: `1<..` or `..<9`.
    Exclusive(Value),
}

/// The presence of a component in `WITH COMPONENTS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// `PRESENT`.
    Present,
    /// `ABSENT`.
    Absent,
    /// `OPTIONAL`.
    Optional,
}

impl Constraint {
    /// A constraint of one element.
    #[must_use]
    pub fn of(element: Element) -> Constraint {
        Constraints::Element(Box::new(element)).into()
    }
}
