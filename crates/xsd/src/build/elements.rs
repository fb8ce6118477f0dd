//! Reads element declarations (Part 1 section 3.3).

use tam::Error;

use super::{Builder, Work, order::order, reference};
use crate::components::{
    Builtin, ComplexId, Content, Derivations, Element, ElementId, Holder, Schema, Scope, SimpleId, Term, TypeId,
    ValueConstraint,
};
use crate::documents::{Key, NodeRef, Tag};

impl Builder<'_> {
    pub(super) fn read_element(&mut self, id: ElementId, at: NodeRef) -> Result<(), Error> {
        let ty = self.type_of(at, Holder::Element(id))?;
        let value = self.value_constraint(at)?;
        let disallowed = self.derivations(at, Key::Block, Key::BlockDefault, reference::ELEMENT)?;
        let exclusions = if self.schema.elements[id].scope == Scope::Global {
            self.derivations(at, Key::Final, Key::FinalDefault, reference::COMPLEX)?
        } else {
            Derivations::NONE
        };
        let head = self.attribute(at, Key::SubstitutionGroup);
        let head = head.map(|head| self.find(at, head, "the element", |schema| &schema.element_names)).transpose()?;
        let (nillable, is_abstract) = (self.is_true(at, Key::Nillable)?, self.is_true(at, Key::Abstract)?);
        let mut identities = Vec::new();
        for child in self.children(at) {
            if matches!(self.tag(child), Tag::Unique | Tag::Key | Tag::Keyref) {
                identities.push(self.read_identity(child)?);
            }
        }
        if ty.is_none() {
            self.untyped.push(id);
        }
        let element = &mut self.schema.elements[id];
        *element = Element {
            ty: ty.unwrap_or(TypeId::Complex(Schema::ANY_TYPE)),
            nillable,
            value,
            identities,
            substitution_head: head,
            exclusions,
            disallowed,
            is_abstract,
            ..element.clone()
        };
        Ok(())
    }

    /// The type of a declaration: named by its attribute, or defined inside.
    pub(super) fn type_of(&mut self, at: NodeRef, holder: Holder) -> Result<Option<TypeId>, Error> {
        let inner =
            self.children(at).into_iter().find(|child| matches!(self.tag(*child), Tag::SimpleType | Tag::ComplexType));
        match (self.attribute(at, Key::Type), inner) {
            (Some(_), Some(inner)) => {
                Err(self.set.fault(inner, "a type together with the attribute type", "one of the two"))
            }
            (Some(name), None) => self.find(at, name, "the type", |schema| &schema.type_names).map(Some),
            (None, Some(inner)) if self.tag(inner) == Tag::ComplexType => {
                let id = self.new_complex(None, holder, inner);
                self.queue.push_back(Work::Complex(id, inner));
                Ok(Some(TypeId::Complex(id)))
            }
            (None, Some(inner)) => Ok(Some(TypeId::Simple(self.later_simple(inner, holder)))),
            (None, None) => Ok(None),
        }
    }

    /// Queues an anonymous simple type.
    pub(super) fn later_simple(&mut self, at: NodeRef, holder: Holder) -> SimpleId {
        let id = self.new_simple(None, holder, at);
        self.queue.push_back(Work::Simple(id, at));
        id
    }

    pub(super) fn value_constraint(&self, at: NodeRef) -> Result<Option<ValueConstraint>, Error> {
        match (self.attribute(at, Key::Default), self.attribute(at, Key::Fixed)) {
            (Some(_), Some(_)) => Err(self.set.fault(at, "default and fixed", "one of the two")),
            (Some(value), None) => Ok(Some(ValueConstraint::Default(value.to_owned()))),
            (None, Some(value)) => Ok(Some(ValueConstraint::Fixed(value.to_owned()))),
            (None, None) => Ok(None),
        }
    }

    /// Reads an element in a model group: a declaration, or a reference to one.
    pub(super) fn element_term(&mut self, at: NodeRef, scope: Scope) -> Result<Term, Error> {
        let Some(reference) = self.attribute(at, Key::Ref) else {
            let name = self.local_name(at, Key::ElementFormDefault)?;
            let id = self.new_element(name, scope, at);
            self.read_element(id, at)?;
            return Ok(Term::Element(id));
        };
        for key in [Key::Name, Key::Type, Key::Default, Key::Fixed, Key::Nillable, Key::Block, Key::Form] {
            if self.attribute(at, key).is_some() {
                return Err(self.set.fault(at, format!("{} together with ref", key.name()), "one of the two"));
            }
        }
        if let Some(child) = self.children(at).into_iter().next() {
            let found = format!("<{}> in a reference", self.tag(child).name());
            return Err(self.set.fault(child, found, "nothing but an annotation"));
        }
        self.find(at, reference, "the element", |schema| &schema.element_names).map(Term::Element)
    }

    /// Elements without a type take that of the head of their substitution group (section 3.3.2).
    pub(super) fn resolve_elements(&mut self) -> Result<(), Error> {
        let elements = &self.schema.elements;
        let head = |n: usize| elements[ElementId(n as u32)].substitution_head;
        let order = order(elements.len(), |n, heads| heads.extend(head(n).map(|head| head.0 as usize)));
        let order = order.map_err(|n| {
            let element = &elements[ElementId(n as u32)];
            let found = format!("the element {}, which substitutes itself", self.shown(Some(element.name)));
            self.fault_at(element.position, found, "the head of another substitution group")
        })?;
        let untyped: std::collections::HashSet<ElementId> = self.untyped.iter().copied().collect();
        for n in order {
            let id = ElementId(n as u32);
            if let Some(head) = self.schema.elements[id].substitution_head.filter(|_| untyped.contains(&id)) {
                self.schema.elements[id].ty = self.schema.elements[head].ty;
            }
        }
        Ok(())
    }

    /// Checks that defaults and fixed values are valid (section 3.3.6, element default valid).
    pub(super) fn check_values(&mut self) -> Result<(), Error> {
        for n in 0..self.schema.elements.len() {
            let element = &self.schema.elements[ElementId(n as u32)];
            let Some(value) = element.value.clone() else { continue };
            let (at, position) = (self.element_at[n], element.position);
            let simple = match element.ty {
                TypeId::Simple(id) => Some(id),
                TypeId::Complex(id) => match self.schema.complex_types[id].content {
                    Content::Simple(simple) => Some(simple),
                    Content::Mixed(_) if self.is_emptiable(id) => None,
                    _ => {
                        let found = format!("a value for {}", self.shown(Some(element.name)));
                        return Err(self.fault_at(position, found, "simple content, or mixed that may be empty"));
                    }
                },
            };
            if let Some(simple) = simple {
                self.check_value(at, simple, value.text())?;
            }
        }
        let mut uses: Vec<(NodeRef, SimpleId, String)> = Vec::new();
        for (id, attribute) in self.schema.attributes.iter() {
            if let Some(value) = &attribute.value {
                uses.push((self.attribute_at[id.0 as usize], attribute.ty, value.text().to_owned()));
            }
        }
        for (_, ty) in self.schema.complex_types.iter() {
            for attribute in ty.attributes.iter().filter(|attribute| attribute.value.is_some()) {
                let declared = &self.schema.attributes[attribute.attribute];
                let at = self.attribute_at[attribute.attribute.0 as usize];
                if let (Some(ValueConstraint::Fixed(fixed)), Some(value)) = (&declared.value, &attribute.value)
                    && !matches!(value, ValueConstraint::Fixed(own) if self.is_same(declared.ty, own, fixed))
                {
                    let found = format!("the attribute {}", self.shown(Some(declared.name)));
                    let expected = format!("it fixed to '{fixed}', as its declaration has it");
                    return Err(self.fault_at(attribute.position, found, expected));
                }
                if let (Some(value), true) = (&attribute.value, attribute.value != declared.value) {
                    uses.push((at, declared.ty, value.text().to_owned()));
                }
            }
        }
        for (at, ty, value) in uses {
            self.check_value(at, ty, &value)?;
        }
        Ok(())
    }

    /// Whether the content of a type may have no elements.
    pub(super) fn is_emptiable(&self, id: ComplexId) -> bool {
        match self.schema.complex_types[id].content {
            Content::Empty | Content::Mixed(None) => true,
            Content::Simple(_) => false,
            Content::ElementOnly(particle) | Content::Mixed(Some(particle)) => self.particle_emptiable(particle),
        }
    }

    /// Checks that a value in a schema is valid. It must not be an ID.
    fn check_value(&mut self, at: NodeRef, ty: SimpleId, text: &str) -> Result<(), Error> {
        let scope = super::facets::Bindings { set: &self.set, names: &self.schema.names, at };
        let checked = self.checker.check(&self.schema, ty, text, &scope, false);
        self.checker.ids.clear();
        self.accept(at, checked)?;
        if self.is_id(ty) {
            return Err(self.set.fault(at, "a default of the type ID", "no default, because IDs must be unique"));
        }
        Ok(())
    }

    pub(super) fn is_id(&self, ty: SimpleId) -> bool {
        self.schema.simple_types[ty].lexical == Builtin::Id
    }
}
