//! Reads simple type definitions (Part 1 section 3.14).

use tam::Error;
use xml::white_space::words;

use super::{Builder, Original, WrittenSimple, order::order, reference};
use crate::components::{Builtin, Derivations, Facets, Holder, SimpleId, TypeId, Variety};
use crate::documents::{Key, NodeRef, Tag};

/// The most members of unions that are tried for one value.
const MOST_MEMBERS: u64 = 4096;
/// How deep types may be nested in members of unions and items of lists.
const MOST_LEVELS: u32 = 64;

impl Builder<'_> {
    pub(super) fn read_simple(&mut self, id: SimpleId, at: NodeRef) -> Result<(), Error> {
        let Some(child) = self.children(at).into_iter().next() else { return Ok(()) };
        let mut restriction = None;
        match self.tag(child) {
            Tag::Restriction => {
                let base = self.simple_reference(child, Key::Base, "base", Holder::Simple(id))?;
                if base == Builtin::AnySimpleType.id() {
                    return Err(self.set.fault(child, "a restriction of anySimpleType", "one of its derived types"));
                }
                self.schema.simple_types[id].base = base;
                restriction = Some(child);
            }
            Tag::List => {
                let item = self.simple_reference(child, Key::ItemType, "itemType", Holder::Simple(id))?;
                self.schema.simple_types[id].variety = Variety::List(item);
            }
            _ => {
                let names = self.attribute(child, Key::MemberTypes).unwrap_or("").to_owned();
                let mut members = Vec::new();
                for name in words(&names) {
                    members.push(self.simple_named(child, name)?);
                }
                for inner in self.children(child) {
                    members.push(self.later_simple(inner, Holder::Simple(id)));
                }
                if members.is_empty() {
                    return Err(self.set.fault(child, "a union of nothing", "memberTypes or <simpleType>"));
                }
                self.schema.simple_types[id].variety = Variety::Union(members);
            }
        }
        self.simple[id.0 as usize] = WrittenSimple { at: Some(at), restriction };
        self.schema.simple_types[id].exclusions =
            self.derivations(at, Key::Final, Key::FinalDefault, reference::SIMPLE)?;
        Ok(())
    }

    /// The type that an attribute names, or that is defined inside.
    fn simple_reference(&mut self, at: NodeRef, key: Key, name: &str, holder: Holder) -> Result<SimpleId, Error> {
        match (self.attribute(at, key).map(str::to_owned), self.child(at, Tag::SimpleType)) {
            (Some(_), Some(inner)) => {
                Err(self.set.fault(inner, format!("<simpleType> together with {name}"), "one of the two"))
            }
            (Some(reference), None) => self.simple_named(at, &reference),
            (None, Some(inner)) => Ok(self.later_simple(inner, holder)),
            (None, None) => Err(self.set.fault(at, "no type", format!("the attribute {name}, or <simpleType>"))),
        }
    }

    fn simple_named(&self, at: NodeRef, reference: &str) -> Result<SimpleId, Error> {
        match self.base_type(at, reference)? {
            TypeId::Simple(id) => Ok(id),
            TypeId::Complex(_) => {
                Err(self.set.fault(at, format!("the complex type '{}'", reference.trim()), "a simple type"))
            }
        }
    }

    /// The type that a reference names. In a redefinition, its own name refers to the original.
    pub(super) fn base_type(&self, at: NodeRef, reference: &str) -> Result<TypeId, Error> {
        let id = self.find(at, reference, "the type", |schema| &schema.type_names)?;
        Ok(match self.redefining {
            Some((name, Original::Type(original))) if self.schema.type_name(id) == Some(name) => original,
            _ => id,
        })
    }

    /// Resolves what depends on base types: variety and facets.
    pub(super) fn resolve_simple_types(&mut self) -> Result<(), Error> {
        let types = &self.schema.simple_types;
        let order = order(types.len(), |n, others| {
            let ty = &types[SimpleId(n as u32)];
            if ty.base.0 as usize != n {
                others.push(ty.base.0 as usize);
            }
            match &ty.variety {
                Variety::List(item) => others.push(item.0 as usize),
                Variety::Union(members) => others.extend(members.iter().map(|member| member.0 as usize)),
                _ => {}
            }
        });
        let order = order.map_err(|n| {
            let ty = &types[SimpleId(n as u32)];
            let found = format!("the simple type {}, which refers to itself", self.shown(ty.name));
            self.fault_at(ty.position, found, "a type that is made of others")
        })?;
        self.weights = vec![(1, 1); types.len()];
        for n in order {
            self.resolve_simple(SimpleId(n as u32))?;
        }
        Ok(())
    }

    /// Resolves a simple type, whose base, item or members are resolved.
    pub(super) fn resolve_simple(&mut self, id: SimpleId) -> Result<(), Error> {
        let ty = &self.schema.simple_types[id];
        let position = ty.position;
        if ty.builtin.is_some() {
            return self.weigh(id);
        }
        if let Some(restriction) = self.simple[id.0 as usize].restriction {
            let base = &self.schema.simple_types[ty.base];
            if base.exclusions.has(Derivations::RESTRICTION) {
                let found = format!("a restriction of {}", self.shown(base.name));
                return Err(self.fault_at(position, found, "a type that is not final"));
            }
            let (variety, lexical, facets) = (base.variety.clone(), base.lexical, base.facets.clone());
            let base = self.schema.simple_types[id].base;
            let own = self.read_facets(restriction, base)?;
            let ty = &mut self.schema.simple_types[id];
            (ty.variety, ty.lexical, ty.facets) = (variety, lexical, facets);
            super::facets::merge(&mut ty.facets, &own);
            ty.own = own;
            self.take_facet_room(id)?;
            return self.weigh(id);
        }
        let (parts, what) = match &ty.variety {
            Variety::List(item) => (vec![*item], Derivations::LIST),
            Variety::Union(members) => (members.clone(), Derivations::UNION),
            _ => return Ok(()),
        };
        for part in &parts {
            let part = &self.schema.simple_types[*part];
            if part.exclusions.has(what) {
                let found = format!("{} in {}", self.shown(part.name), self.shown(ty.name));
                return Err(self.fault_at(position, found, "a type that is not final"));
            }
        }
        let mut facets = Facets::default();
        if what == Derivations::LIST {
            if self.has_list(parts[0]) {
                return Err(self.fault_at(position, "a list of lists", "items that have no spaces in them"));
            }
            facets.white_space = self.schema.simple_types[Builtin::NmTokens.id()].facets.white_space.clone();
        } else {
            self.flatten(id, parts)?;
        }
        self.schema.simple_types[id].facets = facets;
        self.weigh(id)
    }

    /// Sets the members of a union. The members of a union in it are its own members, unless the inner one has facets.
    fn flatten(&mut self, id: SimpleId, parts: Vec<SimpleId>) -> Result<(), Error> {
        let types = &self.schema.simple_types;
        let mut members = Vec::new();
        for part in parts {
            match &types[part].variety {
                Variety::Union(inner) if types[part].facets.is_empty() && members.len() < MOST_MEMBERS as usize => {
                    members.extend_from_slice(inner);
                }
                _ => members.push(part),
            }
        }
        let left = self.facet_room.checked_sub(members.len());
        self.facet_room = left.ok_or_else(|| {
            let error = Error::limit("xsd", 0, "more members of unions", "particles", self.options.particles.into());
            self.error_at(self.schema.simple_types[id].position, error)
        })?;
        self.schema.simple_types[id].variety = Variety::Union(members);
        Ok(())
    }

    fn has_list(&self, id: SimpleId) -> bool {
        match &self.schema.simple_types[id].variety {
            Variety::List(_) => true,
            // Unions are flattened, so that only unions with facets are nested, at most 64 deep.
            Variety::Union(members) => {
                let mut waiting = members.clone();
                while let Some(member) = waiting.pop() {
                    match &self.schema.simple_types[member].variety {
                        Variety::List(_) => return true,
                        Variety::Union(members) => waiting.extend_from_slice(members),
                        _ => {}
                    }
                }
                false
            }
            _ => false,
        }
    }

    /// Limits what checking a value may cost: nested unions could have exponentially many members.
    fn weigh(&mut self, id: SimpleId) -> Result<(), Error> {
        let ty = &self.schema.simple_types[id];
        let parts: &[SimpleId] = match &ty.variety {
            Variety::List(item) => std::slice::from_ref(item),
            Variety::Union(members) => members,
            _ => &[],
        };
        let (mut weight, mut levels) = (1_u64, 1_u32);
        for part in parts {
            let (of_part, below) = self.weights.get(part.0 as usize).copied().unwrap_or((1, 1));
            weight = weight.saturating_add(of_part);
            levels = levels.max(below.saturating_add(1));
        }
        if weight > MOST_MEMBERS || levels > MOST_LEVELS {
            let error = Error::limit("xsd", 0, "a union of more types", "members", MOST_MEMBERS);
            return Err(self.error_at(ty.position, error));
        }
        if let Some(place) = self.weights.get_mut(id.0 as usize) {
            *place = (weight, levels);
        }
        Ok(())
    }
}
