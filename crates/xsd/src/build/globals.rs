//! Global components: the children of `xs:schema` (Part 1 section 3.15).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use tam::Error;

use super::{Builder, Original, WrittenAttributes, WrittenSimple};
use crate::Name;
use crate::components::{
    Attribute, AttributeGroup, Builtin, ByName, ComplexId, ComplexType, Compositor, Derivations, Element, Facets,
    Global, Holder, ModelGroup, NamedGroup, Notation, Schema, Scope, SimpleId, SimpleType, TypeId, Variety,
};
use crate::documents::{Key, NodeRef, Tag};

impl Builder<'_> {
    /// Registers every global component with its id and name.
    pub(super) fn register(&mut self) -> Result<(), Error> {
        for document in 0..self.set.documents.len() as u32 {
            self.check_defaults(NodeRef { document, node: 0 })?;
            for at in self.children(NodeRef { document, node: 0 }) {
                if let Some(global) = self.global(at)? {
                    self.register_as(global, at)?;
                }
            }
        }
        // In reverse order, so that of two redefinitions the one in the first included document counts.
        let redefines = self.set.redefines.clone();
        for (at, _) in redefines.into_iter().rev() {
            for at in self.children(at) {
                if let Some(global) = self.global(at)? {
                    self.redefine(global, at)?;
                }
            }
        }
        Ok(())
    }

    /// Adds an empty component for a child of `xs:schema`.
    fn global(&mut self, at: NodeRef) -> Result<Option<Global>, Error> {
        let tag = self.tag(at);
        if matches!(tag, Tag::Include | Tag::Import | Tag::Redefine | Tag::Annotation) {
            return Ok(None);
        }
        let local = self.name(at)?.to_owned();
        let name = self.schema.names.intern_in(self.target(at), &local);
        let position = self.position(at);
        Ok(Some(match tag {
            Tag::Element => Global::Element(self.new_element(name, Scope::Global, at)),
            Tag::Attribute => Global::Attribute(self.new_attribute(name, Scope::Global, at)),
            Tag::ComplexType => Global::Type(TypeId::Complex(self.new_complex(Some(name), Holder::Schema, at))),
            Tag::SimpleType => Global::Type(TypeId::Simple(self.new_simple(Some(name), Holder::Schema, at))),
            Tag::Group => {
                let group = ModelGroup { compositor: Compositor::Sequence, particles: Vec::new(), position };
                let group = self.schema.groups.push(group);
                self.group_at.push(at);
                Global::Group(self.schema.named_groups.push(NamedGroup { name, group, position }))
            }
            Tag::AttributeGroup => {
                self.attribute_groups.push(WrittenAttributes::default());
                self.attribute_group_at.push(at);
                let group = AttributeGroup { name, attributes: Vec::new(), wildcard: None, position };
                Global::AttributeGroup(self.schema.attribute_groups.push(group))
            }
            Tag::Notation => {
                let text = |key| self.attribute(at, key).map(str::to_owned);
                let (system, public) = (text(Key::System), text(Key::Public));
                Global::Notation(self.schema.notations.push(Notation { name, system, public, position }))
            }
            _ => return Ok(None),
        }))
    }

    fn register_as(&mut self, global: Global, at: NodeRef) -> Result<(), Error> {
        let name = self.global_name(global);
        let taken = |schema: &mut Schema| -> bool {
            match global {
                Global::Element(id) => is_taken(&mut schema.element_names, name, id),
                Global::Attribute(id) => is_taken(&mut schema.attribute_names, name, id),
                Global::Type(id) => is_taken(&mut schema.type_names, name, id),
                Global::Group(id) => is_taken(&mut schema.group_names, name, id),
                Global::AttributeGroup(id) => is_taken(&mut schema.attribute_group_names, name, id),
                Global::Notation(id) => is_taken(&mut schema.notation_names, name, id),
            }
        };
        if taken(&mut self.schema) {
            let found = format!("<{}> of the name {} a second time", self.tag(at).name(), self.shown(Some(name)));
            return Err(self.set.fault(at, found, "each name once"));
        }
        self.schema.globals.push(global);
        Ok(())
    }

    fn global_name(&self, global: Global) -> Name {
        let schema = &self.schema;
        match global {
            Global::Element(id) => schema.elements[id].name,
            Global::Attribute(id) => schema.attributes[id].name,
            Global::Type(id) => schema.type_name(id).unwrap_or(Name::UNKNOWN),
            Global::Group(id) => schema.named_groups[id].name,
            Global::AttributeGroup(id) => schema.attribute_groups[id].name,
            Global::Notation(id) => schema.notations[id].name,
        }
    }

    /// Replaces a component by its redefinition.
    fn redefine(&mut self, global: Global, at: NodeRef) -> Result<(), Error> {
        let name = self.global_name(global);
        let schema = &mut self.schema;
        let old = match global {
            Global::Type(id) => schema.type_names.insert(name, id).map(Global::Type),
            Global::Group(id) => schema.group_names.insert(name, id).map(Global::Group),
            Global::AttributeGroup(id) => schema.attribute_group_names.insert(name, id).map(Global::AttributeGroup),
            _ => None,
        };
        let Some(old) = old else {
            let found = format!("<{}> of the name {}", self.tag(at).name(), self.shown(Some(name)));
            return Err(self.set.fault(at, found, "the name of a component to redefine"));
        };
        let original = match old {
            Global::Type(id) => Original::Type(id),
            Global::Group(id) => Original::Group(id),
            Global::AttributeGroup(id) => Original::AttributeGroup(id),
            _ => return Ok(()),
        };
        self.originals.push((at, name, original));
        if let Some(place) = self.schema.globals.iter_mut().find(|other| **other == old) {
            *place = global;
        }
        self.redefined.push(old);
        Ok(())
    }

    /// Reads every global component.
    pub(super) fn read_globals(&mut self) -> Result<(), Error> {
        let mut globals = self.schema.globals.clone();
        globals.extend_from_slice(&self.redefined);
        let originals: HashMap<NodeRef, (Name, Original)> =
            self.originals.iter().map(|(at, name, original)| (*at, (*name, *original))).collect();
        for global in globals {
            let at = match global {
                Global::Element(id) => self.element_at[id.0 as usize],
                Global::Attribute(id) => self.attribute_at[id.0 as usize],
                Global::Type(TypeId::Complex(id)) => self.complex_at(id),
                Global::Type(TypeId::Simple(id)) => self.simple_at(id),
                Global::Group(id) => self.group_at[id.0 as usize],
                Global::AttributeGroup(id) => self.attribute_group_at[id.0 as usize],
                Global::Notation(_) => continue,
            };
            self.redefining = originals.get(&at).copied();
            match global {
                Global::Element(id) => self.read_element(id, at)?,
                Global::Attribute(id) => self.read_attribute(id, at)?,
                Global::Type(TypeId::Complex(id)) => self.read_complex(id, at)?,
                Global::Type(TypeId::Simple(id)) => self.read_simple(id, at)?,
                Global::Group(id) => self.read_named_group(id, at)?,
                Global::AttributeGroup(id) => {
                    let read = self.read_attributes(at, Scope::AttributeGroup(id))?;
                    self.attribute_groups[id.0 as usize] = read;
                }
                Global::Notation(_) => {}
            }
            if let (Global::Type(id), Some((_, Original::Type(original)))) = (global, self.redefining)
                && self.schema.base(id) != original
            {
                let found = "a redefinition of another type";
                return Err(self.set.fault(at, found, "a restriction or extension of the type of its name"));
            }
            self.redefining = None;
        }
        Ok(())
    }

    pub(super) fn new_element(&mut self, name: Name, scope: Scope, at: NodeRef) -> crate::ElementId {
        self.element_at.push(at);
        self.schema.elements.push(Element {
            name,
            scope,
            ty: TypeId::Complex(Schema::ANY_TYPE),
            nillable: false,
            value: None,
            identities: Vec::new(),
            substitution_head: None,
            substitutes: Vec::new(),
            exclusions: Derivations::NONE,
            disallowed: Derivations::NONE,
            is_abstract: false,
            position: self.position(at),
        })
    }

    pub(super) fn new_attribute(&mut self, name: Name, scope: Scope, at: NodeRef) -> crate::AttributeId {
        self.attribute_at.push(at);
        let (ty, position) = (Builtin::AnySimpleType.id(), self.position(at));
        self.schema.attributes.push(Attribute { name, scope, ty, value: None, position })
    }

    pub(super) fn new_simple(&mut self, name: Option<Name>, holder: Holder, at: NodeRef) -> SimpleId {
        self.simple.push(WrittenSimple { at: Some(at), restriction: None });
        self.schema.simple_types.push(SimpleType {
            name,
            holder,
            builtin: None,
            base: Builtin::AnySimpleType.id(),
            variety: Variety::Any,
            exclusions: Derivations::NONE,
            lexical: Builtin::AnySimpleType,
            own: Facets::default(),
            facets: Facets::default(),
            position: self.position(at),
        })
    }

    pub(super) fn new_complex(&mut self, name: Option<Name>, holder: Holder, at: NodeRef) -> ComplexId {
        let id = self.schema.complex_types.push(ComplexType::empty(name, holder, self.position(at)));
        self.complex.insert(id, super::WrittenComplex::new(at));
        id
    }

    pub(super) fn complex_at(&self, id: ComplexId) -> NodeRef {
        self.complex.get(&id).map_or(NodeRef { document: 0, node: 0 }, |written| written.at)
    }

    pub(super) fn simple_at(&self, id: SimpleId) -> NodeRef {
        self.simple[id.0 as usize].at.unwrap_or(NodeRef { document: 0, node: 0 })
    }
}

/// Registers a name. Returns whether it is already taken.
fn is_taken<T>(names: &mut ByName<T>, name: Name, id: T) -> bool {
    match names.entry(name) {
        Entry::Occupied(_) => true,
        Entry::Vacant(place) => {
            place.insert(id);
            false
        }
    }
}
