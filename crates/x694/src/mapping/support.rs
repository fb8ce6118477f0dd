//! The module `XSD` (X.694 Annex A).

use std::collections::{HashMap, HashSet};

use asn1::notation;
use asn1::schema::{Component, Constraint, Constraints, Element, Kind, Meaning, Module, Type};
use tam::{Error, Limits};

use super::Version;

impl Version {
    /// The module `XSD` as notation.
    #[must_use]
    pub const fn support_text(self) -> &'static str {
        match self {
            Version::V1 => include_str!("xsd_v1.asn1"),
            Version::V2 => include_str!("xsd_v2.asn1"),
        }
    }

    /// The whole module `XSD`.
    ///
    /// # Errors
    ///
    /// None in practice: the text is part of the library.
    pub fn support(self) -> Result<Module, Error> {
        let mut schema = notation::parse_one(self.support_text(), &Limits::DEFAULT)?;
        Ok(schema.modules.pop().unwrap_or_default())
    }
}

/// Removes all types from a module but those wanted and the types that these refer to.
pub(super) fn retain_used(mut module: Module, wanted: impl Iterator<Item = String>) -> Module {
    let types: HashMap<&str, &Type> = module
        .assignments
        .iter()
        .filter_map(|assignment| match &assignment.meaning {
            Meaning::Type(ty) => Some((&assignment.name[..], ty)),
            _ => None,
        })
        .collect();
    let mut kept: HashSet<String> = HashSet::new();
    let mut open: Vec<String> = wanted.collect();
    while let Some(name) = open.pop() {
        let Some(ty) = types.get(&name[..]) else { continue };
        if kept.insert(name) {
            references(ty, &mut open);
        }
    }
    module.assignments.retain(|assignment| kept.contains(&assignment.name));
    for instruction in module.encoding_control.iter_mut().flat_map(|control| &mut control.instructions) {
        if instruction.keyword == "NAME" {
            instruction.targets.retain(|target| kept.contains(target));
        }
    }
    if let Some(control) = &mut module.encoding_control {
        control.instructions.retain(|instruction| instruction.keyword != "NAME" || !instruction.targets.is_empty());
    }
    module
}

/// Collects the types that a type refers to. It recurses only over the module `XSD`, whose types are a few levels deep.
fn references(ty: &Type, found: &mut Vec<String>) {
    match &ty.kind {
        Kind::Reference { name, .. } => found.push(name.clone()),
        Kind::SequenceOf(of) | Kind::SetOf(of) => references(&of.ty, found),
        Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => {
            let types = fields.root.iter().map(|Component { ty, .. }| ty);
            types.for_each(|ty| references(ty, found));
        }
        _ => {}
    }
    for Constraint { root, .. } in &ty.constraints {
        if let Constraints::Element(element) = root
            && let Element::Contained(ty) = &**element
        {
            references(ty, found);
        }
    }
}
