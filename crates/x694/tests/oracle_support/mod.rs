//! The modules of a mapping as other implementations of ASN.1 can read them.

#![allow(dead_code, clippy::unwrap_used)] // Not every test asks for all of it; how a test fails.

use std::collections::HashSet;

use asn1::schema::{
    Bound, Constraint, Constraints, Element, Field, Fields, Kind, Meaning, Module, Prefix, Schema as Modules, Tagging,
    Type,
};

/// One module of all types, without what asn1tools cannot read and PER does not look at. The type `name` of the
/// module `number` is `M<number>-<name>`.
pub(crate) fn plain(schema: &Modules) -> Modules {
    let mut schema = schema.clone();
    for module in &mut schema.modules {
        for assignment in &mut module.assignments {
            let Meaning::Type(ty) = &mut assignment.meaning else { continue };
            strip(ty);
        }
    }
    merged(&schema)
}

/// The name that a type of a module has in [`plain`].
pub(crate) fn name_in_plain(schema: &Modules, module: &str, name: &str) -> String {
    let number = schema.modules.iter().position(|one| one.name == module).unwrap();
    format!("M{number}-{name}")
}

/// Leaves out the types of a single module that these do not refer to: what others need minutes for.
pub(crate) fn keep_used(schema: &mut Modules, roots: &[String]) {
    let module = &mut schema.modules[0];
    let (mut used, mut todo) = (HashSet::new(), roots.to_vec());
    while let Some(name) = todo.pop() {
        let Some(Meaning::Type(ty)) = module.assignment(&name).map(|assignment| &assignment.meaning) else { continue };
        if used.insert(name) {
            references(ty, &mut todo);
        }
    }
    module.assignments.retain(|assignment| used.contains(&assignment.name));
}

fn references(ty: &Type, names: &mut Vec<String>) {
    match &ty.kind {
        Kind::Reference { name, .. } => names.push(name.clone()),
        Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => {
            fields.root.iter().for_each(|component| references(&component.ty, names));
        }
        Kind::SequenceOf(of) | Kind::SetOf(of) => references(&of.ty, names),
        _ => {}
    }
    for constraint in &ty.constraints {
        let Constraints::Element(element) = &constraint.root else { continue };
        if let Element::Contained(ty) = &**element {
            references(ty, names);
        }
    }
}

/// Leaves out instructions, words, and open ends of ranges of REALs.
fn strip(ty: &mut Type) {
    ty.prefixes.retain(|prefix| matches!(prefix, Prefix::Tag(..)));
    ty.constraints.retain(is_read);
    match &mut ty.kind {
        Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => strip_fields(fields),
        Kind::SequenceOf(of) | Kind::SetOf(of) => strip(&mut of.ty),
        _ => {}
    }
}

/// All types in one module, each with the number of its own in front of its name: to asn1tools types of the
/// same name in different modules are one type that holds itself.
fn merged(schema: &Modules) -> Modules {
    let mut all = Module { name: "Merged".to_owned(), tagging: Tagging::Automatic, ..Module::default() };
    for (number, module) in schema.modules.iter().enumerate() {
        for assignment in &module.assignments {
            let mut assignment = assignment.clone();
            assignment.name = format!("M{number}-{}", assignment.name);
            let Meaning::Type(ty) = &mut assignment.meaning else { continue };
            rename(ty, schema, module, number);
            all.assignments.push(assignment);
        }
    }
    Modules { modules: vec![all], ..Modules::default() }
}

fn rename(ty: &mut Type, schema: &Modules, home: &Module, number: usize) {
    match &mut ty.kind {
        Kind::Reference { module, name } => {
            let import = home.imports.iter().find(|import| import.names.contains(name));
            let from = match (module.take(), import) {
                (Some(from), _) => schema.modules.iter().position(|module| module.name == from).unwrap(),
                (None, _) if home.assignment(name).is_some() => number,
                (None, import) => schema.modules.iter().position(|one| one.name == import.unwrap().module).unwrap(),
            };
            *name = format!("M{from}-{name}");
        }
        Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => {
            fields.root.iter_mut().for_each(|component| rename(&mut component.ty, schema, home, number));
        }
        Kind::SequenceOf(of) | Kind::SetOf(of) => rename(&mut of.ty, schema, home, number),
        _ => {}
    }
    for constraint in &mut ty.constraints {
        let Constraints::Element(element) = &mut constraint.root else { continue };
        if let Element::Contained(ty) = &mut **element {
            rename(ty, schema, home, number);
        }
    }
}

fn strip_fields(fields: &mut Fields) {
    let additions = fields.additions.iter_mut().flatten();
    let additions = additions.flat_map(|field| match field {
        Field::Component(component) => std::slice::from_mut(component),
        Field::Group(_, components) => &mut components[..],
    });
    fields.root.iter_mut().chain(additions).chain(&mut fields.root_after).for_each(|one| strip(&mut one.ty));
}

fn is_read(constraint: &Constraint) -> bool {
    let Constraints::Element(element) = &constraint.root else { return true };
    !matches!(
        &**element,
        Element::UserDefined(_) | Element::Range(Bound::Exclusive(_), _) | Element::Range(_, Bound::Exclusive(_))
    )
}
