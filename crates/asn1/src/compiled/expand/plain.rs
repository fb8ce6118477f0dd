//! Whether notation is that of X.680 alone, so that it need not be copied.

use super::super::built_in;
use crate::schema::{
    Bound, ComponentKind, Constraint, Constraints, Element, Field, Fields, Kind, Meaning, Type, Value,
};

// Recursion is safe, because the parser limits the depth of notation.
pub(super) fn meaning(meaning: &Meaning) -> bool {
    match meaning {
        Meaning::Type(one) => ty(one),
        Meaning::Value(one, other) => ty(one) && value(other),
        Meaning::ValueSet(one, set) => ty(one) && constraint(set),
        Meaning::Class(_) => true,
    }
}

pub(super) fn ty(one: &Type) -> bool {
    let kind = match &one.kind {
        Kind::Sequence(all) | Kind::Set(all) | Kind::Choice(all) => fields(all),
        Kind::SequenceOf(of) | Kind::SetOf(of) => ty(&of.ty),
        Kind::Selection(_, of) => ty(of),
        Kind::Instance(_) | Kind::Field(_) | Kind::InstanceOf(_) | Kind::Any(_) => false,
        Kind::Other(word) => built_in::type_of(word).is_none(),
        _ => true,
    };
    kind && one.constraints.iter().all(constraint)
}

fn fields(all: &Fields) -> bool {
    let additions = all.additions.iter().flatten().flat_map(Field::components);
    all.root.iter().chain(additions).chain(&all.root_after).all(|component| {
        let default = match &component.kind {
            ComponentKind::Default(default) => value(default),
            _ => true,
        };
        default && ty(&component.ty)
    })
}

fn constraint(one: &Constraint) -> bool {
    constraints(&one.root) && one.additions.iter().flatten().all(constraints)
}

fn constraints(all: &Constraints) -> bool {
    match all {
        Constraints::Element(one) => element(one),
        Constraints::Union(all) | Constraints::Intersection(all) => all.iter().all(constraints),
        Constraints::Except(one, other) => constraints(one) && constraints(other),
        Constraints::AllExcept(one) => constraints(one),
    }
}

fn element(one: &Element) -> bool {
    match one {
        Element::Single(one) | Element::Pattern(one) => value(one),
        Element::Range(lower, upper) => bound(lower) && bound(upper),
        Element::Size(one) | Element::Alphabet(one) | Element::WithComponent(one) | Element::Group(one) => {
            constraint(one)
        }
        Element::Contained(one) => ty(one),
        Element::Contents(one, rules) => one.iter().all(ty) && rules.iter().all(value),
        Element::WithComponents { components, .. } => components.iter().all(|(_, one, _)| one.iter().all(constraint)),
        Element::Table { .. } => false,
        Element::Settings(_) | Element::UserDefined(_) => true,
    }
}

fn bound(one: &Bound) -> bool {
    match one {
        Bound::Inclusive(one) | Bound::Exclusive(one) => value(one),
        Bound::Min | Bound::Max => true,
    }
}

pub(super) fn value(one: &Value) -> bool {
    match one {
        Value::Choice(_, inner) | Value::Containing(inner) => value(inner),
        Value::Braces(items) => items.iter().flatten().all(value),
        Value::Open(..) | Value::Instance(_) | Value::Field(_) | Value::Unread(_) => false,
        _ => true,
    }
}
