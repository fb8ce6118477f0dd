//! What a validator asks of a declaration for every element of an instance.
//!
//! The components themselves are large, and an instance has elements of many of them: what each one would have to be
//! fetched for stands close together here.

use super::{AttributeId, AttributeUse, ComplexId, Content, ElementId, Schema, SimpleId, TypeId};
use crate::Name;

/// What may be in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// Nothing, not even characters.
    Nothing,
    /// A value of a type.
    Simple(SimpleId),
    /// Elements by a content model.
    Elements {
        /// Whether there may be characters between them.
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
pub struct Outline {
    /// Its name.
    pub name: Name,
    /// The type definition.
    pub ty: TypeId,
    /// What may be in it.
    pub inside: Inside,
    /// Counters that a reader of its content needs.
    pub counters: u32,
    /// Whether the declaration or its type is abstract: no element may be just of these.
    pub is_abstract: bool,
    /// Whether there is a `default` or a `fixed` value.
    pub has_value: bool,
    /// Whether there are identity constraints.
    pub has_identities: bool,
    /// Whether the type has attributes that must be there, or that have a value where nothing is written.
    pub wants_attributes: bool,
}

/// An attribute use in short.
#[derive(Clone, Copy, Debug)]
pub struct UseOutline {
    /// Its name.
    pub name: Name,
    /// Which of the attribute uses of the type it is.
    pub place: u32,
    /// The declaration.
    pub attribute: AttributeId,
    /// The type of the declaration.
    pub ty: SimpleId,
    /// Whether there is a `default` or a `fixed` value.
    pub has_value: bool,
}

impl Schema {
    /// The attribute uses of a complex type in short, in the order of their names.
    pub(crate) fn outlines_of_uses(&self, id: ComplexId) -> Vec<UseOutline> {
        let outline = |(place, one): (u32, &AttributeUse)| {
            let declared = &self.attributes[one.attribute];
            let (name, ty, attribute) = (declared.name, declared.ty, one.attribute);
            UseOutline { name, place, attribute, ty, has_value: one.value.is_some() }
        };
        let mut outlines: Vec<UseOutline> = (0..).zip(&self.complex_types[id].attributes).map(outline).collect();
        outlines.sort_by_key(|one| one.name);
        outlines
    }

    /// The attribute uses of a complex type in short, by name, with those that must be there, and those that have a
    /// value where nothing is written.
    #[doc(hidden)]
    #[must_use]
    pub fn uses(&self, ty: ComplexId) -> (&[UseOutline], &[u32], &[u32]) {
        let of = ty.0 as usize;
        (&self.uses[of], &self.required[of], &self.supplied[of])
    }

    /// Whether any text is a value of a type.
    #[doc(hidden)]
    #[must_use]
    pub fn is_any_text(&self, ty: SimpleId) -> bool {
        self.any_text.get(ty.0 as usize).copied().unwrap_or_default()
    }

    /// The attribute use of a name.
    pub(crate) fn attribute_use(&self, ty: ComplexId, name: Name) -> Option<&UseOutline> {
        let uses = self.uses.get(ty.0 as usize)?;
        uses.get(uses.binary_search_by_key(&name, |one| one.name).ok()?)
    }

    /// The declaration of an element in short, made when all types are there.
    #[doc(hidden)]
    #[must_use]
    pub fn outline(&self, id: ElementId) -> &Outline {
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
    pub(crate) fn wants_attributes(&self, id: ComplexId) -> bool {
        let has = |places: &[Vec<u32>]| places.get(id.0 as usize).is_some_and(|places| !places.is_empty());
        has(&self.required) || has(&self.supplied)
    }
}
