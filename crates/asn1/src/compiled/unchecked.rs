//! Constraints that no value is checked against.

use tam::Error;

use super::build::Builder;
use super::scope::Followed;
use crate::schema::{Constraints, Element, Kind, Position};

/// A constraint that is kept and printed, but that no value is checked against.
///
/// Values of INTEGER and of times, sizes, and alphabets are checked. A table that has several types for one identifier
/// is one of these too (`identifier of several types`): where this identifier comes, the open type stays octets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unchecked {
    /// The element of X.680 clause 51 or X.682: `PATTERN`, `single value`.
    pub element: &'static str,
    /// The type that it constrains: `Order.total`.
    pub path: String,
    /// The module that it is in.
    pub module: String,
    /// Its position in the source of the module.
    pub position: Position,
}

impl<'s> Builder<'_, 's> {
    /// Records the unchecked elements in the constraints of a type.
    pub(super) fn note_unchecked(&mut self, followed: &Followed<'s>, path: &str) -> Result<(), Error> {
        let mut waiting = followed.constraints.clone();
        while let Some((module, constraint)) = waiting.pop() {
            // An extensible constraint allows other values as well.
            if constraint.additions.is_some() || !self.noted.insert(std::ptr::from_ref(constraint).addr()) {
                continue;
            }
            let mut sets: Vec<&'s Constraints> = vec![&constraint.root];
            while let Some(set) = sets.pop() {
                let element = match set {
                    Constraints::Element(element) => element,
                    Constraints::Union(all) | Constraints::Intersection(all) => {
                        sets.extend(all);
                        continue;
                    }
                    Constraints::Except(all, but) => {
                        sets.extend([&**all, &**but]);
                        continue;
                    }
                    Constraints::AllExcept(but) => {
                        sets.push(but);
                        continue;
                    }
                };
                match &**element {
                    Element::Group(inner) => waiting.push((module, inner)),
                    Element::Contained(ty) if has_sets(followed.kind) => {
                        waiting.extend(self.scope.follow(module, ty)?.constraints);
                    }
                    element => {
                        if let Some(element) = unchecked(followed.kind, element) {
                            let module = self.scope.module_name(module).to_owned();
                            let (path, position) = (path.to_owned(), constraint.position);
                            self.out.unchecked.push(Unchecked { element, path, module, position });
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether the constraints of a type are reduced to sets of values, sizes or characters.
fn has_sets(kind: &Kind) -> bool {
    let has_sizes = matches!(kind, Kind::BitString(_) | Kind::OctetString | Kind::SequenceOf(_) | Kind::SetOf(_));
    has_sizes || matches!(kind, Kind::Integer(_) | Kind::String(_))
}

/// The name of an element that values of a type are not checked against.
fn unchecked(kind: &Kind, element: &Element) -> Option<&'static str> {
    let is_time = matches!(kind, Kind::String(kind) if kind.is_iso8601());
    let has_values = is_time || matches!(kind, Kind::Integer(_));
    match element {
        Element::Single(_) => (!has_values).then_some("single value"),
        Element::Range(..) => (!has_values).then_some("value range"),
        Element::Contained(_) => Some("contained type"),
        Element::Pattern(_) => Some("PATTERN"),
        Element::UserDefined(_) => Some("CONSTRAINED BY"),
        Element::WithComponent(_) => Some("WITH COMPONENT"),
        // Whether a REAL is in base 10 is part of its encoding.
        Element::WithComponents { components, .. } => {
            let is_base = matches!(kind, Kind::Real) && components.iter().all(|(name, ..)| name == "base");
            (!is_time && !is_base).then_some("WITH COMPONENTS")
        }
        Element::Table { .. } => Some("table"),
        // Noted where its content is not read.
        Element::Contents(..) => None,
        Element::Size(_) | Element::Alphabet(_) | Element::Settings(_) | Element::Group(_) => None,
    }
}
