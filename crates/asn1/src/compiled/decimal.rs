//! Whether a REAL allows base 10 only, as with `WITH COMPONENTS { ..., base (10) }` (X.680 clause 51.8).

use crate::schema::{Bound, Constraint, Constraints, Element, SpecialReal, Value};

/// The bases that a constraint allows.
#[derive(Clone, Copy, PartialEq)]
enum Base {
    /// Only base 10.
    Ten,
    /// None: 0 and the infinities have no base.
    None,
    /// Other bases too.
    Any,
}

/// Whether constraints, applied in order, allow numbers in base 10 only.
pub(super) fn is_decimal<'s>(mut constraints: impl Iterator<Item = &'s Constraint>) -> bool {
    constraints.any(|constraint| of(&constraint.root) == Base::Ten)
}

/// The least `totalDigits` and `fractionDigits` of comments, if there are both: `CONSTRAINED BY { /* totalDigits "5" */ }`.
pub(super) fn digits<'s>(constraints: impl Iterator<Item = &'s Constraint>) -> Option<(u64, u64)> {
    let (mut total, mut fraction) = (None, None);
    for constraint in constraints {
        let Constraints::Element(element) = &constraint.root else { continue };
        let Element::UserDefined(text) = &**element else { continue };
        for (name, least) in [("totalDigits", &mut total), ("fractionDigits", &mut fraction)] {
            let words = text.trim().strip_prefix("/*").and_then(|text| text.trim_start().strip_prefix(name));
            let number = words.and_then(|words| words.split('"').nth(1)).and_then(|number| number.parse::<u64>().ok());
            if let Some(number) = number {
                *least = Some(least.map_or(number, |least: u64| least.min(number)));
            }
        }
    }
    total.zip(fraction)
}

// Recursion is safe, because the parser limits the depth of notation.
fn of(constraints: &Constraints) -> Base {
    match constraints {
        Constraints::Element(element) => of_element(element),
        Constraints::Union(all) => all.iter().map(of).fold(Base::None, |one, other| match (one, other) {
            (Base::None, base) | (base, Base::None) => base,
            (Base::Ten, Base::Ten) => Base::Ten,
            _ => Base::Any,
        }),
        Constraints::Intersection(all) => {
            let mut bases = all.iter().map(of).filter(|base| *base != Base::Any);
            bases.next().unwrap_or(Base::Any)
        }
        Constraints::Except(all, _) => of(all),
        Constraints::AllExcept(_) => Base::Any,
    }
}

fn of_element(element: &Element) -> Base {
    match element {
        Element::Group(constraint) => of(&constraint.root),
        Element::Single(Value::Special(
            SpecialReal::PlusInfinity | SpecialReal::MinusInfinity | SpecialReal::NotANumber,
        )) => Base::None,
        Element::Single(Value::Number(digits)) if !digits.bytes().any(|digit| matches!(digit, b'1'..=b'9')) => {
            Base::None
        }
        Element::WithComponents { components, .. } => {
            let base =
                components.iter().find(|(name, ..)| name == "base").and_then(|(_, constraint, _)| constraint.as_ref());
            match base.map(|constraint| &constraint.root) {
                Some(Constraints::Element(element)) if is_ten(element) => Base::Ten,
                _ => Base::Any,
            }
        }
        _ => Base::Any,
    }
}

fn is_ten(element: &Element) -> bool {
    let ten = |value: &Value| matches!(value, Value::Number(digits) if digits == "10");
    match element {
        Element::Single(value) => ten(value),
        Element::Range(Bound::Inclusive(lower), Bound::Inclusive(upper)) => ten(lower) && ten(upper),
        _ => false,
    }
}
