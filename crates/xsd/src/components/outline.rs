//! What a validator asks of a declaration for every element of an instance.
//!
//! The components themselves are large, and an instance has elements of many of them: what each one would have to be
//! fetched for stands close together here.

use super::{Content, ElementId, Schema, SimpleId, TypeId};
use crate::Name;

/// What may be in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Nothing,
    Simple(SimpleId),
    Elements {
        mixed: bool,
    },
    /// Characters, and no elements.
    Characters,
    /// Elements as their declarations say, where they have any.
    Lax,
    /// Anything.
    Skip,
}

impl From<Content> for Inside {
    fn from(content: Content) -> Inside {
        match content {
            Content::Empty => Inside::Nothing,
            Content::Simple(simple) => Inside::Simple(simple),
            Content::ElementOnly(_) => Inside::Elements { mixed: false },
            Content::Mixed(Some(_)) => Inside::Elements { mixed: true },
            Content::Mixed(None) => Inside::Characters,
        }
    }
}

/// A declaration in short.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    pub(crate) name: Name,
    /// The type definition, and what it lets be in the element.
    pub(crate) ty: TypeId,
    pub(crate) inside: Inside,
    /// Counters that a reader of its content needs.
    pub(crate) counters: u32,
    /// Whether the declaration or its type is abstract: no element may be just of these.
    pub(crate) is_abstract: bool,
    /// Whether there is a `default` or a `fixed` value.
    pub(crate) has_value: bool,
    /// Whether there are identity constraints.
    pub(crate) has_identities: bool,
    /// Whether the type has attributes that must be there, or that have a value where nothing is written.
    pub(crate) wants_attributes: bool,
}

impl Schema {
    /// The declaration of an element in short, made when all types are there.
    pub(crate) fn outline(&self, id: ElementId) -> &Outline {
        &self.outlines[id.0 as usize]
    }

    pub(crate) fn outline_of(&self, id: ElementId) -> Outline {
        let element = &self.elements[id];
        let (inside, counters, is_abstract, wants_attributes) = match element.ty {
            TypeId::Simple(simple) => (Inside::Simple(simple), 0, false, false),
            TypeId::Complex(id) => {
                let ty = &self.complex_types[id];
                (ty.content.into(), self.model(id).counters() as u32, ty.is_abstract, self.wants_attributes(id))
            }
        };
        Outline {
            name: element.name,
            ty: element.ty,
            inside,
            counters,
            is_abstract: element.is_abstract || is_abstract,
            has_value: element.value.is_some(),
            has_identities: !element.identities.is_empty(),
            wants_attributes,
        }
    }

    /// Whether a type has attributes that must be there, or that have a value where nothing is written.
    pub(crate) fn wants_attributes(&self, id: super::ComplexId) -> bool {
        let has = |places: &[Vec<u32>]| places.get(id.0 as usize).is_some_and(|places| !places.is_empty());
        has(&self.required) || has(&self.supplied)
    }
}
