//! `COMPONENTS OF`: the components that replace it (X.680 clause 25.5).

use asn1::schema::{Component, ComponentKind, Field, Kind, Schema, Type};
use tam::Error;

use super::fault;
use crate::xer::instructions::{Assignments, assigned};

/// As many types as the compiled form includes in each other.
const NESTED: u32 = 250;

/// Whether a type has `COMPONENTS OF` in it. Types are nested as deep as notation is read, which bounds the recursion.
pub(super) fn includes(ty: &Type) -> bool {
    match &ty.kind {
        Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => {
            let additions = fields.additions.iter().flatten().flat_map(Field::components);
            let mut all = fields.root.iter().chain(additions).chain(&fields.root_after);
            all.any(|component| component.kind == ComponentKind::ComponentsOf || includes(&component.ty))
        }
        Kind::SequenceOf(item) | Kind::SetOf(item) => includes(&item.ty),
        _ => false,
    }
}

/// Where components are looked up: the modules as they were before any of them was changed.
pub(super) struct Included<'m> {
    by_name: Assignments<'m>,
    modules: &'m Schema,
}

impl<'m> Included<'m> {
    pub(super) fn new(modules: &'m Schema) -> Included<'m> {
        Included { by_name: Assignments::new(modules), modules }
    }

    /// Replaces `COMPONENTS OF` in a list of components of a type in a module.
    pub(super) fn replace(&self, module: usize, components: &mut Vec<Component>) -> Result<(), Error> {
        while let Some(at) = components.iter().position(|one| one.kind == ComponentKind::ComponentsOf) {
            let of = components.remove(at);
            let included = self.components(module, &of.ty, NESTED)?;
            components.splice(at..at, included);
        }
        Ok(())
    }

    /// The components of the extension root of a type, as a module refers to them.
    fn components(&self, module: usize, ty: &Type, left: u32) -> Result<Vec<Component>, Error> {
        let mut of = (module, ty);
        for _ in 0..NESTED {
            let Kind::Reference { module: name_of, name } = &of.1.kind else { break };
            let found = self.by_name.find(of.0, name_of.as_deref(), name);
            let Some((at, ty)) = found.and_then(|(at, assignment)| Some((at, assigned(assignment)?))) else { break };
            of = (at, ty);
        }
        let (Kind::Sequence(fields) | Kind::Set(fields), Some(left)) = (&of.1.kind, left.checked_sub(1)) else {
            return Err(fault(ty, "COMPONENTS OF", "a SEQUENCE or SET"));
        };
        let mut components = Vec::new();
        for component in fields.root.iter().chain(&fields.root_after) {
            match component.kind {
                ComponentKind::ComponentsOf => components.append(&mut self.components(of.0, &component.ty, left)?),
                _ => components.push(component.clone()),
            }
        }
        if of.0 != module {
            components.iter_mut().for_each(|component| self.qualify(of.0, &mut component.ty));
        }
        Ok(components)
    }

    /// Names the modules of references, which are read in another module then. Types are nested as deep as notation is read,
    /// which bounds the recursion.
    fn qualify(&self, module: usize, ty: &mut Type) {
        match &mut ty.kind {
            Kind::Reference { module: of @ None, name } => {
                let found = self.by_name.find(module, None, name).and_then(|(at, _)| self.modules.modules.get(at));
                *of = found.map(|module| module.name.clone());
            }
            Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => {
                let additions = fields.additions.iter_mut().flatten().flat_map(|field| match field {
                    Field::Component(component) => std::slice::from_mut(component),
                    Field::Group(_, components) => &mut components[..],
                });
                let all = fields.root.iter_mut().chain(additions).chain(&mut fields.root_after);
                all.for_each(|component| self.qualify(module, &mut component.ty));
            }
            Kind::SequenceOf(item) | Kind::SetOf(item) => self.qualify(module, &mut item.ty),
            _ => {}
        }
    }
}
