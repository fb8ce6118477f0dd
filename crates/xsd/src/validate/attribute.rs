//! The attributes of an element (Part 1 sections 3.2.4, 3.4.4 and 3.10.4).

use text::xml::StartTag;
use xml::name::split;
use xml::namespaces::declared;

use super::{AttributeMatch, Checked, Fault, State};
use crate::components::{AttributeId, ComplexId, Inside, Process, TypeId, ValueConstraint};
use crate::value::steps_of;
use crate::wsdl::{SOAP_11, SOAP_12};
use crate::{Name, NamespaceId};

impl State<'_> {
    /// Checks the attributes of the element that began. Those of the element before have been cleared.
    #[inline(never)]
    pub(super) fn check_attributes(&mut self, tag: StartTag<'_>, ty: Option<TypeId>, inside: Inside) -> Checked<()> {
        self.tag += 1;
        for (written, value) in tag.attributes() {
            if declared(written).is_some() {
                continue;
            }
            let (prefix, local) = split(written);
            let namespace = if prefix.is_empty() { NamespaceId::NONE } else { self.namespace_of(prefix)? };
            if inside == Inside::Skip {
                continue;
            }
            if namespace == NamespaceId::XSI
                && matches!(local, "type" | "nil" | "schemaLocation" | "noNamespaceSchemaLocation")
            {
                continue;
            }
            let name = self.find_name(namespace, local);
            // SOAP's attributes of header blocks are not a matter of their types.
            let ty = ty.filter(|_| !self.is_of_header_block(namespace, local));
            self.check_attribute(written, name, namespace, value, ty)?;
        }
        match ty {
            Some(TypeId::Complex(id)) if inside != Inside::Skip => {
                self.check_required(id)?;
                self.supply(id)
            }
            _ => Ok(()),
        }
    }

    /// Whether an attribute is SOAP's, on a header block: those belong to any block (SOAP 1.1 section 4.2, SOAP 1.2 part 1
    /// section 5.2).
    fn is_of_header_block(&self, namespace: NamespaceId, local: &str) -> bool {
        const OF_BLOCKS: [&str; 5] = ["mustUnderstand", "actor", "role", "relay", "encodingStyle"];
        let names = &self.schema.names;
        let is_soap = |name: Name, local: &str| names.namespace(name) == namespace && names.local(name) == local;
        let is_block = match &self.frames[..] {
            [envelope, header, _] => is_soap(envelope.name, "Envelope") && is_soap(header.name, "Header"),
            [_] => self.is_block,
            _ => false,
        };
        is_block && OF_BLOCKS.contains(&local) && matches!(names.uri(namespace), SOAP_11 | SOAP_12)
    }

    fn check_attribute(
        &mut self,
        written: &str,
        name: Name,
        namespace: NamespaceId,
        value: &str,
        ty: Option<TypeId>,
    ) -> Checked<()> {
        let schema = self.schema();
        let (mut place, mut has_value) = (None, true);
        let declared = |attribute: AttributeId| (attribute, schema.attributes[attribute].ty);
        let attribute = match ty {
            None => schema.attribute_names.get(&name).copied().map(declared),
            Some(TypeId::Simple(_)) => {
                return Err(Fault::new(format!("the attribute '{written}'"), "no attributes: the type is simple"));
            }
            Some(TypeId::Complex(id)) => match schema.attribute_use(id, name) {
                Some(found) => {
                    (place, has_value) = (Some(found.place), found.has_value);
                    let seen = found.place as usize;
                    if self.seen.len() <= seen {
                        self.seen.resize(seen + 1, 0);
                    }
                    if self.seen[seen] == self.tag {
                        return Err(Fault::new(
                            format!("the attribute '{written}' a second time"),
                            "each attribute once",
                        ));
                    }
                    self.seen[seen] = self.tag;
                    Some((found.attribute, found.ty))
                }
                None => self.any_attribute(id, written, name, namespace)?.map(declared),
            },
        };
        let from = self.values.len() as u32;
        self.values.push_str(value);
        let value_end = self.values.len() as u32;
        if place.is_none() || self.frames.last().is_some_and(|frame| frame.in_any) {
            self.values.push_str(written);
        }
        let written_end = self.values.len() as u32;
        let (declaration, declared) = attribute.unzip();
        let value_at = (from, value_end);
        let mut found =
            AttributeMatch { name, place, attribute: declaration, ty: None, declared, value: value_at, written_end };
        if let Some((attribute, declared)) = attribute {
            let of_use = match (ty, place) {
                _ if !has_value => None,
                (Some(TypeId::Complex(id)), Some(place)) => {
                    schema.complex_types[id].attributes[place as usize].value.as_ref()
                }
                _ => schema.attributes[attribute].value.as_ref(),
            };
            let fixed = match of_use {
                Some(ValueConstraint::Fixed(fixed)) => Some(fixed.as_str()),
                _ => None,
            };
            let keyed = fixed.is_some() || self.wants_keys();
            let checked = self.checker.check(schema, declared, value, &self.bindings, keyed);
            let accepted = checked.map_err(|fault| Fault::new(format!("{written}={}", fault.found), fault.expected))?;
            found.ty = Some(accepted.ty);
            self.attribute_value(name, namespace, value)?;
            if let Some(fixed) = fixed {
                self.check_fixed(declared, fixed, &format!("{written}='{value}'"))?;
            }
        }
        self.attributes.push(found);
        Ok(())
    }

    /// The declaration of an attribute that matches a wildcard.
    fn any_attribute(
        &self,
        id: ComplexId,
        written: &str,
        name: Name,
        namespace: NamespaceId,
    ) -> Checked<Option<AttributeId>> {
        let schema = self.schema();
        let wildcard = schema.complex_types[id].attribute_wildcard.map(|id| &schema.wildcards[id]);
        let Some(wildcard) = wildcard.filter(|wildcard| wildcard.namespaces.allows(namespace)) else {
            return Err(Fault::new(format!("the attribute '{written}'"), self.attributes_expected(id)));
        };
        let declared = schema.attribute_names.get(&name).copied();
        match wildcard.process {
            Process::Skip => Ok(None),
            Process::Strict if declared.is_none() => {
                Err(Fault::new(format!("the attribute '{written}'"), "an attribute that is declared"))
            }
            _ => Ok(declared),
        }
    }

    #[cold]
    fn attributes_expected(&self, id: ComplexId) -> String {
        let schema = self.schema();
        let uses = &schema.complex_types[id].attributes;
        let names = uses.iter().take(8).map(|one| self.shown(schema.attributes[one.attribute].name));
        let names: Vec<&str> = names.collect();
        match names.as_slice() {
            [] => "no attributes".to_owned(),
            names if uses.len() > names.len() => {
                format!("{} and {} others", names.join(", "), uses.len() - names.len())
            }
            names => format!("no others than {}", names.join(", ")),
        }
    }

    /// Adds the defaults of absent attributes, if they may be fields of identity constraints or IDREFs.
    fn supply(&mut self, id: ComplexId) -> Checked<()> {
        let schema = self.schema();
        for place in &schema.supplied[id.0 as usize] {
            let one = &schema.complex_types[id].attributes[*place as usize];
            let attribute = &schema.attributes[one.attribute];
            let refers = schema.refers(attribute.ty);
            if self.seen.get(*place as usize) == Some(&self.tag) || !refers && !self.wants_keys() {
                continue;
            }
            let Some(value) = &one.value else { continue };
            self.checker.steps += steps_of(value.text());
            let checked = self.checker.check(schema, attribute.ty, value.text(), &self.bindings, true);
            if checked.is_ok() {
                let namespace = schema.names.namespace(attribute.name);
                self.attribute_value(attribute.name, namespace, value.text())?;
            }
        }
        Ok(())
    }

    fn check_required(&self, id: ComplexId) -> Checked<()> {
        let schema = self.schema();
        for place in &schema.required[id.0 as usize] {
            if self.seen.get(*place as usize) != Some(&self.tag) {
                let one = &schema.complex_types[id].attributes[*place as usize];
                let name = self.shown(schema.attributes[one.attribute].name);
                return Err(Fault::new(format!("missing attribute '{name}'"), ""));
            }
        }
        Ok(())
    }

    /// Checks that the last value is the fixed one.
    pub(super) fn check_fixed(&mut self, ty: crate::SimpleId, fixed: &str, found: &str) -> Checked<()> {
        let key = std::mem::take(&mut self.checker.key);
        let ids = self.checker.ids.len();
        self.checker.steps += steps_of(fixed);
        // The fixed value itself was checked when the schema was read.
        let checked = self.checker.check(self.schema, ty, fixed, &self.bindings, true);
        self.checker.ids.truncate(ids);
        let same = checked.is_ok() && self.checker.key == key;
        self.checker.key = key;
        if same { Ok(()) } else { Err(Fault::new(found, format!("the fixed value '{fixed}'"))) }
    }
}
