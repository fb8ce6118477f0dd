//! The part of a declaration that a validator needs for every element of an instance.
//!
//! It is stored apart from the components, which are large, so that a validator touches less memory.

use super::{AttributeId, AttributeUse, ComplexId, Content, ElementId, Schema, Scope, SimpleId, TypeId};
use crate::Name;

/// The content that an element may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// Nothing, not even characters.
    Nothing,
    /// A value of a simple type.
    Simple(SimpleId),
    /// Elements that match a content model.
    Elements {
        /// Whether there may be characters between them.
        mixed: bool,
    },
    /// Characters, and no elements.
    Characters,
    /// Any elements. Those with a declaration are validated.
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

/// The outline of an element declaration.
#[derive(Clone, Copy, Debug)]
pub struct Outline {
    /// Its name.
    pub name: Name,
    /// The type definition.
    pub ty: TypeId,
    /// The content that it may have.
    pub inside: Inside,
    /// The number of counters that its content model needs.
    pub counters: u32,
    /// Whether the declaration or its type is abstract.
    pub is_abstract: bool,
    /// Whether there is a `default` or a `fixed` value.
    pub has_value: bool,
    /// Whether there are identity constraints.
    pub has_identities: bool,
    /// Whether the type has required attributes, or attributes with a default.
    pub wants_attributes: bool,
    /// Whether it is in a message in SOAP's encoding: it may be nil, and has no attributes but those of the encoding.
    pub is_encoded: bool,
}

/// The outline of an attribute use.
#[derive(Clone, Copy, Debug)]
pub struct UseOutline {
    /// Its name.
    pub name: Name,
    /// Its index among the attribute uses of the type.
    pub place: u32,
    /// The declaration.
    pub attribute: AttributeId,
    /// The type of the declaration.
    pub ty: SimpleId,
    /// Whether there is a `default` or a `fixed` value.
    pub has_value: bool,
}

impl Schema {
    /// The outlines of the attribute uses of a complex type, sorted by name.
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

    /// The outlines of the attribute uses of a complex type, sorted by name; then the indices of the required attributes,
    /// and of those with a default.
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

    /// The attribute use with a name.
    pub(crate) fn attribute_use(&self, ty: ComplexId, name: Name) -> Option<&UseOutline> {
        let uses = self.uses.get(ty.0 as usize)?;
        uses.get(uses.binary_search_by_key(&name, |one| one.name).ok()?)
    }

    /// The outline of an element declaration, which is made when all types are read.
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
        let has_encoded = |id: ComplexId| self.complex_types[id].encoded.is_some();
        let is_encoded = matches!(element.ty, TypeId::Complex(id) if has_encoded(id))
            || matches!(element.scope, Scope::Complex(id) if has_encoded(id));
        Outline {
            name: element.name,
            ty: element.ty,
            inside,
            counters,
            is_abstract: element.is_abstract || is_abstract,
            has_value: element.value.is_some(),
            has_identities: !element.identities.is_empty(),
            wants_attributes,
            is_encoded,
        }
    }

    /// Whether a type has required attributes, or attributes with a default.
    pub(crate) fn wants_attributes(&self, id: ComplexId) -> bool {
        let has = |places: &[Vec<u32>]| places.get(id.0 as usize).is_some_and(|places| !places.is_empty());
        has(&self.required) || has(&self.supplied)
    }
}
