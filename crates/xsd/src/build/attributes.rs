//! Attributes and attribute groups (Part 1 sections 3.2, 3.5 and 3.6).

use std::collections::HashSet;

use tam::Error;
use xml::white_space::trim;

use super::{Builder, Original, Written, WrittenAttributes, order::order};
use crate::components::{
    ArrayType, AttributeGroupId, AttributeId, AttributeUse, Builtin, Holder, Position, Scope, TypeId, ValueConstraint,
    WildcardId,
};
use crate::documents::{Key, NodeRef, Tag};
use crate::{Name, NamespaceId};

/// The attributes of a type or group, including those of the attribute groups it refers to.
pub(super) struct Gathered {
    pub(super) uses: Vec<AttributeUse>,
    pub(super) prohibited: Vec<Name>,
    pub(super) wildcard: Option<WildcardId>,
}

impl Builder<'_> {
    pub(super) fn read_attribute(&mut self, id: AttributeId, at: NodeRef) -> Result<(), Error> {
        let name = self.schema.attributes[id].name;
        if self.schema.names.local(name) == "xmlns" || self.schema.names.namespace(name) == NamespaceId::XSI {
            return Err(self.set.fault(
                at,
                "an attribute that cannot be declared",
                "a name other than xmlns and xsi:…",
            ));
        }
        let ty = match self.type_of(at, Holder::Attribute(id))? {
            None => Builtin::AnySimpleType.id(),
            Some(TypeId::Simple(ty)) => ty,
            Some(TypeId::Complex(_)) => return Err(self.set.fault(at, "a complex type", "a simple type")),
        };
        let value = self.value_constraint(at)?;
        let attribute = &mut self.schema.attributes[id];
        (attribute.ty, attribute.value) = (ty, value);
        Ok(())
    }

    /// Reads the attributes that are declared in an element of a schema document.
    pub(super) fn read_attributes(&mut self, at: NodeRef, scope: Scope) -> Result<WrittenAttributes, Error> {
        let mut written = WrittenAttributes::default();
        for child in self.children(at) {
            match self.tag(child) {
                Tag::Attribute => {
                    let one = self.read_use(child, scope)?;
                    written.uses.push(one);
                }
                Tag::AttributeGroup => {
                    let id = self.attribute_group(child)?;
                    written.uses.push(Written::Group(id, child));
                }
                Tag::AnyAttribute => written.wildcard = Some(self.read_wildcard(child)?),
                _ => {}
            }
        }
        Ok(written)
    }

    fn attribute_group(&self, at: NodeRef) -> Result<AttributeGroupId, Error> {
        let Some(reference) = self.attribute(at, Key::Ref) else {
            return Err(self.set.fault(at, "<attributeGroup> without ref", "the attribute ref"));
        };
        let id = self.find(at, reference, "the attribute group", |schema| &schema.attribute_group_names)?;
        Ok(match self.redefining {
            Some((name, Original::AttributeGroup(original))) if self.schema.attribute_groups[id].name == name => {
                original
            }
            _ => id,
        })
    }

    fn read_use(&mut self, at: NodeRef, scope: Scope) -> Result<Written, Error> {
        let word = trim(self.attribute(at, Key::Use).unwrap_or("optional")).to_owned();
        let value = self.value_constraint(at)?;
        if word != "optional" && matches!(value, Some(ValueConstraint::Default(_))) {
            return Err(self.set.fault(at, format!("a default with use='{word}'"), "use='optional'"));
        }
        let attribute = match self.attribute(at, Key::Ref) {
            None => {
                let name = self.local_name(at, Key::AttributeFormDefault)?;
                if word == "prohibited" {
                    return Ok(Written::Prohibited(name));
                }
                let id = self.new_attribute(name, scope, at);
                self.read_attribute(id, at)?;
                id
            }
            Some(reference) => {
                for key in [Key::Name, Key::Type, Key::Form] {
                    if self.attribute(at, key).is_some() {
                        return Err(self.set.fault(at, format!("{} together with ref", key.name()), "one of the two"));
                    }
                }
                if self.child(at, Tag::SimpleType).is_some() {
                    return Err(self.set.fault(at, "<simpleType> in a reference", "nothing but an annotation"));
                }
                self.find(at, reference, "the attribute", |schema| &schema.attribute_names)?
            }
        };
        let declared = &self.schema.attributes[attribute];
        let required = match word.as_str() {
            "required" => true,
            "optional" => false,
            "prohibited" => return Ok(Written::Prohibited(declared.name)),
            _ => return Err(self.set.fault(at, format!("use='{word}'"), "optional, required or prohibited")),
        };
        let array_type = self.array_type(at)?;
        Ok(Written::Use(AttributeUse { attribute, required, value, array_type, position: self.position(at) }))
    }

    fn array_type(&mut self, at: NodeRef) -> Result<Option<ArrayType>, Error> {
        let Some(text) = self.attribute(at, Key::ArrayType) else { return Ok(None) };
        let text = trim(text).to_owned();
        let (of, ranks) = text.split_at(text.find('[').unwrap_or(text.len()));
        if !ranks.ends_with(']') || !ranks.bytes().all(|byte| matches!(byte, b'[' | b']' | b',')) {
            return Err(self.set.fault(at, format!("wsdl:arrayType='{text}'"), "the name of a type, and brackets"));
        }
        let (namespace, local) = self.qname(at, of)?;
        Ok(Some(ArrayType { of: self.schema.names.intern_in(namespace, local), ranks: ranks.to_owned() }))
    }

    /// Adds to attribute groups the attributes of the groups that they refer to.
    pub(super) fn resolve_attribute_groups(&mut self) -> Result<(), Error> {
        let groups = &self.attribute_groups;
        let order = order(groups.len(), |n, others| {
            others.extend(groups[n].uses.iter().filter_map(|written| match written {
                Written::Group(id, _) => Some(id.0 as usize),
                _ => None,
            }));
        });
        let order = order.map_err(|n| {
            let group = &self.schema.attribute_groups[AttributeGroupId(n as u32)];
            let found = format!("the attribute group {}, which contains itself", self.shown(Some(group.name)));
            self.fault_at(group.position, found, "a group that does not refer to itself")
        })?;
        let redefined: Vec<(NodeRef, AttributeGroupId, AttributeGroupId)> = self.redefined_alone();
        // Groups that refer to groups can have exponentially more attributes than the schema.
        let mut room = self.options.particles;
        for n in order {
            let id = AttributeGroupId(n as u32);
            let written = std::mem::take(&mut self.attribute_groups[n]);
            let position = self.schema.attribute_groups[id].position;
            let Gathered { uses, wildcard, .. } = self.gather(&written, position, &mut room)?;
            let group = &mut self.schema.attribute_groups[id];
            (group.attributes, group.wildcard) = (uses, wildcard);
        }
        redefined.into_iter().try_for_each(|(at, own, original)| self.check_redefined_attributes(at, own, original))
    }

    /// The redefined groups that do not refer to their originals.
    fn redefined_alone(&self) -> Vec<(NodeRef, AttributeGroupId, AttributeGroupId)> {
        let mut alone = Vec::new();
        for (at, _, original) in &self.originals {
            let Original::AttributeGroup(original) = original else { continue };
            let Some(n) = self.attribute_group_at.iter().position(|other| other == at) else { continue };
            let refers = |one: &Written| matches!(one, Written::Group(id, _) if id == original);
            if !self.attribute_groups[n].uses.iter().any(refers) {
                alone.push((*at, AttributeGroupId(n as u32), *original));
            }
        }
        alone
    }

    /// The written attributes and those of groups, the prohibited names, and the complete wildcard (section 3.4.2).
    pub(super) fn gather(
        &mut self,
        written: &WrittenAttributes,
        position: Position,
        room: &mut u32,
    ) -> Result<Gathered, Error> {
        let (mut uses, mut prohibited) = (Vec::new(), Vec::new());
        let mut wildcard = written.wildcard;
        for one in &written.uses {
            match one {
                Written::Use(one) => uses.push(self.with_declared(one.clone())),
                Written::Prohibited(name) => prohibited.push(*name),
                Written::Group(id, at) => {
                    let group = &self.schema.attribute_groups[*id];
                    uses.extend(group.attributes.iter().cloned());
                    if let Some(other) = group.wildcard {
                        wildcard = Some(match wildcard {
                            Some(one) => self.intersection(one, other, *at)?,
                            None => other,
                        });
                    }
                }
            }
            if uses.len() > *room as usize {
                return Err(self.too_many(position));
            }
        }
        self.take_places(&uses, position, room)?;
        self.check_unique(&uses, position)?;
        Ok(Gathered { uses, prohibited, wildcard })
    }

    /// Counts attributes, which are copied with their values to where they are used, against the limit.
    pub(super) fn take_places(&self, uses: &[AttributeUse], position: Position, room: &mut u32) -> Result<(), Error> {
        let size = |one: &AttributeUse| 1 + one.value.as_ref().map_or(0, |value| value.text().len() as u64 / 64);
        let size = uses.iter().map(size).sum::<u64>();
        let left = u64::from(*room).checked_sub(size).ok_or_else(|| self.too_many(position))?;
        *room = left as u32;
        Ok(())
    }

    #[cold]
    fn too_many(&self, position: Position) -> Error {
        let error = Error::limit("xsd", 0, "more attributes", "particles", self.options.particles.into());
        self.error_at(position, error)
    }

    /// A use without a value takes that of the declaration.
    fn with_declared(&self, mut one: AttributeUse) -> AttributeUse {
        if one.value.is_none() {
            one.value = self.schema.attributes[one.attribute].value.clone();
        }
        one
    }

    pub(super) fn check_unique(&self, uses: &[AttributeUse], position: Position) -> Result<(), Error> {
        let mut names = HashSet::new();
        let mut id: Option<Name> = None;
        for one in uses {
            let attribute = &self.schema.attributes[one.attribute];
            if !names.insert(attribute.name) {
                let position = if one.position.document.is_some() { one.position } else { position };
                let found = format!("the attribute {} a second time", self.shown(Some(attribute.name)));
                return Err(self.fault_at(position, found, "each attribute once in a type"));
            }
            if self.is_id(attribute.ty)
                && let Some(other) = id.replace(attribute.name)
            {
                let found = format!(
                    "{} and {}, both of the type ID",
                    self.shown(Some(other)),
                    self.shown(Some(attribute.name))
                );
                return Err(self.fault_at(one.position, found, "one ID in a type"));
            }
        }
        Ok(())
    }
}
