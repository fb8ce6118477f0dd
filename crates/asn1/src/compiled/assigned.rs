//! Values that the notation assigns, against their types (X.680 clause 16.2).

use tam::{Error, ErrorKind};

use super::constraint::{Domain, Reducer};
use super::scope::Scope;
use super::{fault, value};
use crate::oid::known_arc;
use crate::schema::{Assignment, Kind, Meaning, Value};

/// Checks that numbers are in their types, and that the names in object identifiers are defined. Other values are checked
/// where they are used.
pub(super) fn check<'s>(scope: &Scope<'s>, reducer: &mut Reducer<'_, 's>) -> Result<(), Error> {
    for (module, one) in scope.modules().iter().enumerate() {
        for number in 0..one.assignments.len() {
            let Some(assignment) = scope.assignment((module, number)) else { continue };
            match check_one(scope, reducer, module, assignment) {
                Err(error) if !scope.is_missing(&error) => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

fn check_one<'s>(
    scope: &Scope<'s>,
    reducer: &mut Reducer<'_, 's>,
    module: usize,
    assignment: &'s Assignment,
) -> Result<(), Error> {
    let (Meaning::Value(ty, value), []) = (&assignment.meaning, &assignment.parameters[..]) else { return Ok(()) };
    // An object has a class, which is no type.
    let Ok(followed) = scope.follow(module, ty) else { return Ok(()) };
    let position = assignment.position;
    match (followed.kind, value) {
        (Kind::Integer(names), _) => {
            let names = Some((followed.module, &names[..]));
            let set = reducer.reduce(&followed.constraints, Domain::Number, names)?;
            let number = value::number(scope, module, names, value, position)?;

            let found = match number {
                Some(number) if set.extensible || set.root.contains(number.as_integer()) => return Ok(()),
                Some(number) => number.to_string(),
                None => "another value".to_owned(),
            };
            let path = format!("{}.{}", scope.module_name(module), assignment.name);
            Err(fault(ErrorKind::Schema, position, &path, found, "a value of its type"))
        }
        (Kind::ObjectIdentifier, Value::Braces(items)) => {
            let mut before: Vec<u128> = Vec::new();
            for component in items.iter().flatten() {
                let (of, name) = match component {
                    Value::Name { module, name } => (module.as_deref(), &name[..]),
                    Value::Number(number) | Value::NameAndNumber(_, number) => (None, &number[..]),
                    _ => return Ok(()),
                };
                let known = name.parse().ok().or_else(|| known_arc(&before, name));
                if known.is_none() {
                    scope.find(module, of, name, position)?;
                }
                before.push(known.unwrap_or(u128::MAX));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
