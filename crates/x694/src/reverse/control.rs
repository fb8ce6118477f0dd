//! Brings modules in the form that X.694 writes: the instructions of control sections are prefixes of the types that they are
//! for (X.693 Amendment 1), the components of other types are there themselves, and what comes after an extension marker is
//! optional.

use asn1::compiled::Expansion;
use asn1::schema::{
    Argument, Assignment, Component, ComponentKind, EncodingControl, Field, Fields, Instruction, Kind, Meaning, Module,
    Prefix, Schema, Type,
};
use tam::{Error, ErrorKind};

use super::include::{Included, includes};
use super::open::with_choices;
use crate::mapping::XSD;

/// Moves the instructions of the control sections to the types, and expands classes and parameters.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) for targets and instructions that are not supported, with their position; those of
/// [`Compiled::new`](asn1::Compiled::new) for classes and parameters.
pub(crate) fn settle(modules: &mut Schema) -> Result<(), Error> {
    for module in modules.modules.iter_mut().filter(|module| module.name != XSD) {
        let Some(EncodingControl { instructions, .. }) = &module.encoding_control else { continue };
        for instruction in instructions.clone() {
            let is_for_all = instruction.targets == ["ALL"];
            match &instruction.keyword[..] {
                "GLOBAL-DEFAULTS" => {}
                // It is the namespace of the module's assignments, as the mapping writes it.
                "NAMESPACE" if is_for_all => {}
                _ if instruction.negating || instruction.targets.is_empty() => {
                    return Err(refused(&instruction, format!("{} without a target, or negated", instruction.keyword)));
                }
                _ => instruction.targets.iter().try_for_each(|target| assign(module, &instruction, target))?,
            }
        }
    }
    *modules = with_choices(Expansion::new(modules)?);
    // Most modules include nothing, and are not copied.
    let mut assignments = modules.modules.iter().flat_map(|module| &module.assignments);
    let is_needed = assignments.any(|one| matches!(&one.meaning, Meaning::Type(ty) if includes(ty)));
    let before = is_needed.then(|| modules.clone());
    let included = before.as_ref().map(Included::new);
    for (at, module) in modules.modules.iter_mut().enumerate() {
        for assignment in &mut module.assignments {
            if let Meaning::Type(ty) = &mut assignment.meaning {
                close(included.as_ref(), at, ty)?;
            }
        }
    }
    Ok(())
}

/// Makes additions and the components of other types components of the root. Types are nested as deep as notation is read, which
/// bounds the recursion.
fn close(included: Option<&Included<'_>>, module: usize, ty: &mut Type) -> Result<(), Error> {
    let replace =
        |components: &mut Vec<Component>| included.map_or(Ok(()), |included| included.replace(module, components));
    match &mut ty.kind {
        Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => {
            replace(&mut fields.root)?;
            replace(&mut fields.root_after)?;
            for field in fields.additions.take().into_iter().flatten() {
                let mut components = match field {
                    Field::Component(component) => vec![component],
                    Field::Group(_, components) => components,
                };
                replace(&mut components)?;
                fields.root.extend(components.into_iter().map(|mut component| {
                    if component.kind == ComponentKind::Mandatory {
                        component.kind = ComponentKind::Optional;
                    }
                    component
                }));
            }
            fields.root.append(&mut fields.root_after);
        }
        Kind::Enumerated(items) => items.root.extend(items.additions.take().into_iter().flatten()),
        _ => {}
    }
    components(ty).try_for_each(|component| close(included, module, &mut component.ty))
}

/// Assigns an instruction to what a target names: `Type`, `Type.component`, `Type:item`, `ALL IN Type`.
fn assign(module: &mut Module, instruction: &Instruction, target: &str) -> Result<(), Error> {
    let (all, target) = target.strip_prefix("ALL IN ").map_or((false, target), |target| (true, target));
    let (place, item) = target.split_once(':').map_or((target, None), |(place, item)| (place, Some(item)));
    let mut names = place.split('.');
    let found = names.next().and_then(|name| assigned(module, name));
    let found = names.try_fold(found, |ty, name| Some(component(ty?, name)).filter(Option::is_some));
    let Some(ty) = found.flatten() else {
        return Err(refused(instruction, format!("the target '{target}'")));
    };
    let mut prefix = Instruction { targets: Vec::new(), ..instruction.clone() };
    if let Some(item) = item {
        prefix.arguments.insert(0, Argument::Word(item.to_owned()));
    }
    match all {
        false => ty.prefixes.push(Prefix::Instruction(prefix)),
        true => {
            for component in components(ty) {
                component.ty.prefixes.push(Prefix::Instruction(prefix.clone()));
            }
        }
    }
    Ok(())
}

fn assigned<'m>(module: &'m mut Module, name: &str) -> Option<&'m mut Type> {
    let found = module.assignments.iter_mut().find(|assignment| assignment.name == name);
    match found {
        Some(Assignment { meaning: Meaning::Type(ty), .. }) => Some(ty),
        _ => None,
    }
}

/// A component, alternative or, as `*`, the item of a list.
fn component<'t>(ty: &'t mut Type, name: &str) -> Option<&'t mut Type> {
    let is_item = name == "*" && matches!(ty.kind, Kind::SequenceOf(_) | Kind::SetOf(_));
    components(ty).find(|component| is_item || component.name == name).map(|component| &mut component.ty)
}

fn components(ty: &mut Type) -> impl Iterator<Item = &mut Component> {
    let (fields, item) = match &mut ty.kind {
        Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => (Some(fields), None),
        Kind::SequenceOf(item) | Kind::SetOf(item) => (None, Some(&mut **item)),
        _ => (None, None),
    };
    let root = fields.map(|Fields { root, root_after, .. }| root.iter_mut().chain(root_after));
    root.into_iter().flatten().chain(item)
}

#[cold]
fn refused(instruction: &Instruction, found: String) -> Error {
    let error = Error::new(ErrorKind::Unsupported, "xml", 0, found, "a type or component of the module");
    match instruction.position.line {
        0 => error,
        line => error.at_line(line.into(), instruction.position.column.into()),
    }
}
