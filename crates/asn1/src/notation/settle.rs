//! Reads braces that were left unread because their governor might have been a class, once all classes are known.

use foldhash::HashSet;
use tam::{Error, Limits};

use super::parser::Parser;
use crate::schema::{Assignment, Constraint, Constraints, Element, Kind, Meaning, Module, Type, Unread, Value};

/// The names in capitals of some modules.
pub(super) struct Classes {
    /// Those that are classes in one module or another.
    classes: HashSet<String>,
    /// Those that are imported from modules that are missing, and other names for these: they may be classes.
    unknown: HashSet<String>,
}

impl Classes {
    pub(super) fn new(modules: &[Module]) -> Classes {
        let assignments = || modules.iter().flat_map(|module| &module.assignments);
        let is_class = |one: &&Assignment| matches!(one.meaning, Meaning::Class(_));
        let mut classes: HashSet<String> = assignments().filter(is_class).map(|one| one.name.clone()).collect();
        classes.extend(["TYPE-IDENTIFIER".to_owned(), "ABSTRACT-SYNTAX".to_owned()]);
        // Other names for classes, and for these.
        let aliases: Vec<(&str, &str)> = assignments()
            .filter_map(|one| match &one.meaning {
                Meaning::Type(ty) => Some((&one.name[..], governor_name(ty)?)),
                _ => None,
            })
            .collect();
        close(&mut classes, &aliases);
        let defined: HashSet<&str> = assignments().map(|one| &one.name[..]).collect();
        let imported = modules.iter().flat_map(|module| &module.imports).flat_map(|import| &import.names);
        let mut unknown = imported.filter(|name| !defined.contains(&name[..])).cloned().collect();
        close(&mut unknown, &aliases);
        Classes { classes, unknown }
    }

    /// Reads the braces of a module whose governors are types.
    pub(super) fn settle(&self, module: &mut Module, limits: Limits) -> Result<(), Error> {
        let name = &module.name;
        for assignment in &mut module.assignments {
            let (Meaning::Value(ty, _) | Meaning::ValueSet(ty, _)) = &assignment.meaning else { continue };
            let Some(governor) = governor_name(ty) else { continue };
            let is_parameter = assignment.parameters.iter().any(|parameter| parameter.name == governor);
            if self.classes.contains(governor) || is_parameter {
                continue;
            }
            let path = [name, &assignment.name[..]];
            let lenient = self.unknown.contains(governor);
            let mut read = |value: &mut Value| match value {
                Value::Unread(unread) => match self::read(unread, &path, limits) {
                    Ok(read) => {
                        *value = read;
                        Ok(())
                    }
                    Err(_) if lenient => Ok(()),
                    Err(error) => Err(error),
                },
                _ => Ok(()),
            };
            match &mut assignment.meaning {
                Meaning::Value(_, value) => read(value)?,
                Meaning::ValueSet(_, set) => each(set, &mut read)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// Adds other names for names of a set.
fn close(names: &mut HashSet<String>, aliases: &[(&str, &str)]) {
    loop {
        let more = aliases.iter().filter(|(name, of)| names.contains(*of) && !names.contains(*name));
        let more: Vec<String> = more.map(|(name, _)| (*name).to_owned()).collect();
        if more.is_empty() {
            return;
        }
        names.extend(more);
    }
}

fn read(unread: &Unread, path: &[&str], limits: Limits) -> Result<Value, Error> {
    Parser::within(unread, path, limits)?.value()
}

/// The name of a governor, if it is in capitals.
fn governor_name(ty: &Type) -> Option<&str> {
    let name = match &ty.kind {
        Kind::Reference { name, .. } => name,
        Kind::Instance(instance) => &instance.name,
        _ => return None,
    };
    (!name.bytes().any(|c| c.is_ascii_lowercase())).then_some(name)
}

/// Visits the values of a set.
fn each(set: &mut Constraint, visit: &mut impl FnMut(&mut Value) -> Result<(), Error>) -> Result<(), Error> {
    each_of(&mut set.root, visit)?;
    match &mut set.additions {
        Some(Some(additions)) => each_of(additions, visit),
        _ => Ok(()),
    }
}

fn each_of(set: &mut Constraints, visit: &mut impl FnMut(&mut Value) -> Result<(), Error>) -> Result<(), Error> {
    match set {
        Constraints::Element(element) => match &mut **element {
            Element::Single(value) => visit(value),
            Element::Group(inner) => each(inner, visit),
            _ => Ok(()),
        },
        Constraints::Union(all) | Constraints::Intersection(all) => {
            all.iter_mut().try_for_each(|one| each_of(one, visit))
        }
        Constraints::Except(one, other) => {
            each_of(one, visit)?;
            each_of(other, visit)
        }
        Constraints::AllExcept(one) => each_of(one, visit),
    }
}
