//! Whether all values of a REAL are IEEE 754 numbers of 32 or 64 bits, as with `WITH COMPONENTS { mantissa
//! (-16777215..16777215), base (2), exponent (-149..104) }` (X.696 clause 12).

use crate::schema::{Bound, Constraint, Constraints, Element, Value};

/// The IEEE 754 numbers that hold all values of a REAL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Float {
    /// Those of 32 bits.
    Binary32,
    /// Those of 64 bits.
    Binary64,
}

/// The numbers that constraints, applied in order, limit a REAL to.
pub(super) fn float<'s>(constraints: impl Iterator<Item = &'s Constraint>) -> Option<Float> {
    constraints.filter(|constraint| constraint.additions.is_none()).filter_map(|constraint| of(&constraint.root)).min()
}

// Recursion is safe, because the parser limits the depth of notation.
fn of(constraints: &Constraints) -> Option<Float> {
    match constraints {
        Constraints::Element(element) => match &**element {
            Element::Group(constraint) if constraint.additions.is_none() => of(&constraint.root),
            Element::WithComponents { components, .. } => of_components(components),
            _ => None,
        },
        Constraints::Union(all) => {
            let numbers = all.iter().filter(|part| !is_special(part));
            numbers.map(of).collect::<Option<Vec<Float>>>()?.into_iter().max()
        }
        Constraints::Intersection(all) => all.iter().filter_map(of).min(),
        Constraints::Except(all, _) => of(all),
        Constraints::AllExcept(_) => None,
    }
}

/// Whether it is one of the values that IEEE 754 has besides numbers with a mantissa: the infinities, what is not a
/// number, and zero.
fn is_special(constraints: &Constraints) -> bool {
    let Constraints::Element(element) = constraints else { return false };
    match &**element {
        Element::Single(Value::Special(_)) => true,
        Element::Single(value) => number(value) == Some(0),
        _ => false,
    }
}

fn of_components(components: &[(String, Option<Constraint>, Option<crate::schema::Presence>)]) -> Option<Float> {
    let bounds = |wanted: &str| {
        let (_, constraint, _) = components.iter().find(|(name, ..)| name == wanted)?;
        let constraint = constraint.as_ref().filter(|constraint| constraint.additions.is_none())?;
        let Constraints::Element(element) = &constraint.root else { return None };
        let (lower, upper) = match &**element {
            Element::Single(value) => (value, value),
            Element::Range(Bound::Inclusive(lower), Bound::Inclusive(upper)) => (lower, upper),
            _ => return None,
        };
        Some((number(lower)?, number(upper)?))
    };
    let (mantissa, exponent) = (bounds("mantissa")?, bounds("exponent")?);
    if bounds("base")? != (2, 2) {
        return None;
    }
    let within = |bounds: (i64, i64), lower, upper| lower <= bounds.0 && bounds.1 <= upper;
    let fits = |bits: u32, least, most| {
        let magnitude = (1 << bits) - 1;
        within(mantissa, -magnitude, magnitude) && within(exponent, least, most)
    };
    match () {
        () if fits(24, -149, 104) => Some(Float::Binary32),
        () if fits(53, -1074, 971) => Some(Float::Binary64),
        () => None,
    }
}

fn number(value: &Value) -> Option<i64> {
    if let Value::Number(digits) = value { digits.parse().ok() } else { None }
}
