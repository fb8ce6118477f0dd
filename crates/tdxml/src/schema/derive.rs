//! Derives data schemas from ASN.1 modules with XER encoding instructions, such as those that X.694 makes of an XML
//! Schema.
//!
//! Content is flat: a record has one number for each name, whatever groups the elements are in. What decides the order
//! of elements beyond that is in the rows.

use std::collections::HashMap;

use ::xml::namespaces::XML;
use asn1::compiled::{Kind as CompiledKind, Range, Size};
use asn1::schema::{Component, ComponentKind, Fields, Kind, Meaning, Module, Schema, StringKind, Type};
use asn1::{Compiled, NodeId};
use tam::Error;

use super::instructions::{self, Keywords};
use super::merge::{Conflict, add_attribute, add_element, merge};
use super::{Attribute, Builtin, Content, DataSchema, Element, Facets, Order, Record, RecordId, ValueType, Wildcard};
use crate::place::schema as schema_error;

/// The longest chain of references.
const FOLLOWED: usize = 250;

pub(crate) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

impl DataSchema {
    /// The data schema for documents whose root element has a namespace (empty for none) and a local name. The modules
    /// are those that X.694 makes of an XML Schema, or others with XER encoding instructions.
    ///
    /// Names match by their namespaces, so documents may have any prefixes. Each name has one number in its record.
    /// Elements of repeated groups come in any order. Sizes, ranges and enumerations of values are kept, patterns as
    /// comments.
    ///
    /// # Errors
    /// Of kind schema if no type is that of the root element, or a reference cannot be resolved.
    pub fn derive(modules: &Schema, types: &Compiled, uri: &str, local: &str) -> Result<DataSchema, Error> {
        let mut deriver = Deriver {
            modules: &modules.modules,
            types,
            records: Vec::new(),
            known: HashMap::new(),
            names: HashMap::new(),
            waiting: Vec::new(),
            facets: Vec::new(),
            known_facets: HashMap::new(),
            namespaces: vec![("xsi".to_owned(), XSI.to_owned())],
            conflicts: Vec::new(),
        };
        let found = deriver.modules.iter().enumerate().filter(|(_, module)| module.xml_namespace() == uri).find_map(
            |(number, module)| {
                module.assignments.iter().find_map(|assignment| match &assignment.meaning {
                    Meaning::Type(ty) if ty.xml_name(&assignment.name).1 == local => {
                        Some((number, module, &assignment.name, ty))
                    }
                    _ => None,
                })
            },
        );
        let Some((number, module, name, ty)) = found else {
            let found = if uri.is_empty() { local.to_owned() } else { format!("{{{uri}}}{local}") };
            return Err(schema_error(0, format!("the root element {found}"), "one that the schema has"));
        };
        let node = types.find(&format!("{}.{name}", module.name))?;
        let root_name = deriver.name(uri, local);
        let resolved = deriver.resolve(number, ty, node)?;
        let content = deriver.content(&resolved)?;
        while let Some((id, resolved)) = deriver.waiting.pop() {
            let record = deriver.record(&resolved)?;
            if let Some(place) = deriver.records.get_mut(id as usize) {
                let name = place.name.take();
                *place = Record { name, ..record };
            }
        }
        deriver.settle();
        let (content, records) = used(deriver.records, content);
        Ok(DataSchema::new(Element::new(root_name, content), records, deriver.facets, deriver.namespaces))
    }
}

/// The records in use, the root's first, so that only these are printed.
fn used(records: Vec<Record>, content: Content) -> (Content, Vec<Record>) {
    let Content::Record(RecordId(root)) = content else { return (content, Vec::new()) };
    let mut numbers: HashMap<u32, u32> = HashMap::from([(root, 0)]);
    let mut order = vec![root];
    let mut next = 0;
    while let Some(number) = order.get(next).copied() {
        next += 1;
        let elements = records.get(number as usize).map(|record| &record.elements);
        for element in elements.into_iter().flatten() {
            if let Content::Record(RecordId(inner)) = element.content {
                numbers.entry(inner).or_insert_with(|| {
                    order.push(inner);
                    order.len() as u32 - 1
                });
            }
        }
    }
    let mut all: Vec<Option<Record>> = records.into_iter().map(Some).collect();
    let kept = order.into_iter().filter_map(|number| {
        let mut record = all.get_mut(number as usize).and_then(Option::take)?;
        for element in &mut record.elements {
            if let Content::Record(RecordId(inner)) = &mut element.content {
                *inner = numbers.get(inner).copied().unwrap_or(0);
            }
        }
        Some(record)
    });
    (Content::Record(RecordId(0)), kept.collect())
}

/// A type after all references are followed, with the instructions of the references and its own.
#[derive(Clone)]
struct Resolved<'s> {
    module: usize,
    ty: &'s Type,
    node: NodeId,
    keywords: Keywords,
    /// The name of the last assignment.
    name: Option<&'s str>,
    /// The name of the first type of the module `XSD`.
    built_in: Option<&'s str>,
    /// The types on the way, whose constraints apply.
    chain: Vec<&'s Type>,
}

impl Resolved<'_> {
    fn has(&self, keyword: Keywords) -> bool {
        self.keywords.has(keyword)
    }

    /// Whether values are one text: lists, unions, names.
    fn is_text(&self) -> bool {
        self.has(Keywords::LIST) || self.has(Keywords::USE_UNION) || self.has(Keywords::USE_QNAME)
    }

    /// Whether elements of the type have attributes or elements.
    fn is_record(&self) -> bool {
        !self.is_text() && matches!(self.ty.kind, Kind::Sequence(_) | Kind::Set(_) | Kind::Choice(_))
    }
}

/// Where components are in their record.
#[derive(Clone, Copy)]
struct GroupContext {
    optional: bool,
    repeated: bool,
    depth: usize,
}

impl GroupContext {
    const NONE: GroupContext = GroupContext { optional: false, repeated: false, depth: 0 };
}

struct Deriver<'s> {
    modules: &'s [Module],
    types: &'s Compiled,
    records: Vec<Record>,
    /// The record of each type, by its address and instructions.
    known: HashMap<(usize, Keywords), u32>,
    /// How often each name has been given to a record.
    names: HashMap<String, u32>,
    /// Records whose components have not been converted yet.
    waiting: Vec<(u32, Resolved<'s>)>,
    facets: Vec<Facets>,
    known_facets: HashMap<Facets, u32>,
    namespaces: Vec<(String, String)>,
    conflicts: Vec<Conflict>,
}

impl<'s> Deriver<'s> {
    fn resolve(&self, module: usize, ty: &'s Type, node: NodeId) -> Result<Resolved<'s>, Error> {
        let keywords = Keywords::default();
        let mut at = Resolved { module, ty, node, keywords, name: None, built_in: None, chain: Vec::new() };
        for _ in 0..FOLLOWED {
            at.keywords.add(at.ty);
            // What the module XSD says besides is known by the names of its types.
            if self.modules.get(at.module).is_none_or(|module| module.name != "XSD") || at.chain.is_empty() {
                at.chain.push(at.ty);
            }
            let Kind::Reference { module: of, name } = &at.ty.kind else { return Ok(at) };
            let here = self.modules.get(at.module);
            let imported = || here?.imports.iter().find(|import| import.names.contains(name)).map(|one| &one.module);
            let is_here = of.is_none() && here.is_some_and(|module| module.assignment(name).is_some());
            if !is_here {
                let of = of.as_ref().or_else(imported).ok_or_else(|| unknown(name))?;
                at.module = self.modules.iter().position(|module| module.name == *of).ok_or_else(|| unknown(name))?;
            }
            let module = self.modules.get(at.module).ok_or_else(|| unknown(name))?;
            let assignment = module.assignment(name).ok_or_else(|| unknown(name))?;
            let Meaning::Type(ty) = &assignment.meaning else { return Err(unknown(name)) };
            if module.name == "XSD" {
                at.built_in.get_or_insert(name);
            }
            (at.ty, at.name) = (ty, Some(&name[..]));
        }
        Err(schema_error(0, "references that lead on and on", "a type"))
    }

    /// The resolved type of a component of a SEQUENCE, SET or CHOICE.
    fn component_of(&self, of: &Resolved<'s>, component: &'s Component) -> Result<Resolved<'s>, Error> {
        let place = self.types.component(of.node, &component.name).ok_or_else(|| unknown(&component.name))?;
        self.resolve(of.module, &component.ty, place.node)
    }

    /// A name of the notation, whose prefix is that of its namespace.
    fn name(&mut self, uri: &str, local: &str) -> String {
        if uri.is_empty() {
            return local.to_owned();
        }
        if let Some((prefix, _)) = self.namespaces.iter().find(|(_, other)| other == uri) {
            return format!("{prefix}:{local}");
        }
        let prefix = if uri == XML { "xml".to_owned() } else { format!("n{}", self.namespaces.len()) };
        let name = format!("{prefix}:{local}");
        self.namespaces.push((prefix, uri.to_owned()));
        name
    }

    /// The content of an element of a type.
    fn content(&mut self, of: &Resolved<'s>) -> Result<Content, Error> {
        if !of.is_record() {
            return Ok(Content::Value(self.value(of)));
        }
        let key = (std::ptr::from_ref(of.ty).addr(), of.keywords.of_content());
        if let Some(known) = self.known.get(&key) {
            return Ok(Content::Record(RecordId(*known)));
        }
        let id = self.records.len() as u32;
        self.known.insert(key, id);
        let name = of.name.map(|name| {
            let times = self.names.entry(name.to_owned()).or_default();
            *times += 1;
            let is_first = *times == 1 && !super::notation::keyword(name);
            if is_first { name.to_owned() } else { format!("{name}.{times}") }
        });
        self.records.push(Record { name, ..Record::default() });
        self.waiting.push((id, of.clone()));
        Ok(Content::Record(RecordId(id)))
    }

    /// The record of a type.
    fn record(&mut self, of: &Resolved<'s>) -> Result<Record, Error> {
        let mut record = Record::default();
        match &of.ty.kind {
            // `xsi:type` selects one of these types. Their record has the components of all.
            Kind::Choice(fields) if of.has(Keywords::USE_TYPE) => {
                for (number, component) in fields.root.iter().enumerate() {
                    let alternative = self.component_of(of, component)?;
                    let other = match alternative.is_record() {
                        true => self.record(&alternative)?,
                        false => Record { text: Some(self.value(&alternative)), ..Record::default() },
                    };
                    if number == 0 {
                        record = other;
                    } else {
                        merge(&mut record, other, &mut self.conflicts);
                    }
                }
            }
            Kind::Choice(fields) => {
                self.fields(&mut record, of, fields, GroupContext { optional: true, ..GroupContext::NONE })?;
            }
            Kind::Sequence(fields) | Kind::Set(fields) => {
                if of.has(Keywords::USE_ORDER) || matches!(of.ty.kind, Kind::Set(_)) {
                    record.order = Order::Set;
                }
                let skipped = usize::from(of.has(Keywords::USE_ORDER)) + usize::from(of.has(Keywords::EMBED_VALUES));
                if of.has(Keywords::EMBED_VALUES) {
                    (record.text, record.rest) = (Some(ValueType::TEXT), true);
                }
                let count = fields.root.len();
                for (number, component) in fields.root.iter().enumerate().skip(skipped) {
                    let inner = self.component_of(of, component)?;
                    let is_content = of.has(Keywords::USE_NIL) && number + 1 == count;
                    match is_content {
                        true => {
                            let context = GroupContext { optional: true, ..GroupContext::NONE };
                            self.group(&mut record, &inner, context)?;
                        }
                        false => self.component(&mut record, component, &inner, GroupContext::NONE)?,
                    }
                }
                for component in
                    fields.additions.iter().flatten().flat_map(|one| one.components()).chain(&fields.root_after)
                {
                    let inner = self.component_of(of, component)?;
                    self.component(
                        &mut record,
                        component,
                        &inner,
                        GroupContext { optional: true, ..GroupContext::NONE },
                    )?;
                }
                self.choice(&mut record, of, &fields.root)?;
            }
            _ => {}
        }
        Ok(record)
    }

    /// Makes the record of a single mandatory choice of elements one whose notation says so.
    fn choice(&self, record: &mut Record, of: &Resolved<'s>, components: &'s [Component]) -> Result<(), Error> {
        let attributes = record.attributes.len();
        let is_closed = !record.rest && record.any_element.is_none();
        let (Some([component]), true) = (components.get(attributes..), is_closed) else { return Ok(()) };
        if component.kind != ComponentKind::Mandatory || record.order != Order::Sequence || record.text.is_some() {
            return Ok(());
        }
        let choice = self.component_of(of, component)?;
        let Kind::Choice(fields) = &choice.ty.kind else { return Ok(()) };
        let mut all_elements = choice.has(Keywords::UNTAGGED) && fields.root.len() == record.elements.len();
        for component in &fields.root {
            all_elements &= !self.component_of(&choice, component)?.has(Keywords::UNTAGGED);
        }
        if all_elements && record.elements.iter().all(|element| !element.repeated) {
            record.order = Order::Choice;
            record.elements.iter_mut().for_each(|element| element.optional = false);
        }
        Ok(())
    }

    fn fields(
        &mut self,
        record: &mut Record,
        of: &Resolved<'s>,
        fields: &'s Fields,
        around: GroupContext,
    ) -> Result<(), Error> {
        if around.depth > FOLLOWED {
            return Err(schema_error(0, "groups within each other", "fewer of them"));
        }
        let additions = fields.additions.iter().flatten().flat_map(|field| field.components());
        for component in fields.root.iter().chain(additions).chain(&fields.root_after) {
            let inner = self.component_of(of, component)?;
            self.component(record, component, &inner, around)?;
        }
        Ok(())
    }

    fn component(
        &mut self,
        record: &mut Record,
        component: &'s Component,
        of: &Resolved<'s>,
        around: GroupContext,
    ) -> Result<(), Error> {
        let optional = around.optional || component.kind != ComponentKind::Mandatory;
        let around = GroupContext { optional, ..around };
        for (keyword, word) in [(Keywords::ANY_ELEMENT, "ANY-ELEMENT"), (Keywords::ANY_ATTRIBUTES, "ANY-ATTRIBUTES")] {
            if of.has(keyword) {
                let made = instructions::wildcard(&of.chain, word);
                let of_kind = if word == "ANY-ELEMENT" { &mut record.any_element } else { &mut record.any_attribute };
                *of_kind = Wildcard::either(of_kind.take(), Some(made));
                return Ok(());
            }
        }
        if of.has(Keywords::UNTAGGED) {
            return self.group(record, of, around);
        }
        let (uri, local) = component.ty.xml_name(&component.name);
        let name = self.name(uri, &local);
        if of.has(Keywords::ATTRIBUTE) {
            let mut attribute = Attribute::new(name, self.value(of));
            // A default of the schema adds no attribute to the document, so the attribute is optional.
            attribute.optional = optional;
            add_attribute(record, attribute);
            return Ok(());
        }
        let mut element = Element::new(name, self.content(of)?);
        element.repeated = around.repeated;
        element.optional = around.optional && !around.repeated;
        add_element(record, element, &mut self.conflicts);
        Ok(())
    }

    /// Adds the components of a type whose content is part of the record, without a tag of its own.
    fn group(&mut self, record: &mut Record, of: &Resolved<'s>, around: GroupContext) -> Result<(), Error> {
        let around = GroupContext { depth: around.depth + 1, ..around };
        match &of.ty.kind {
            Kind::Sequence(fields) | Kind::Set(fields) if !of.is_text() => self.fields(record, of, fields, around),
            Kind::Choice(fields) if !of.is_text() => {
                self.fields(record, of, fields, GroupContext { optional: true, ..around })
            }
            Kind::SequenceOf(item) | Kind::SetOf(item) if !of.is_text() => {
                let CompiledKind::Array(array) = self.types.node(of.node).kind else { return Err(unknown("item")) };
                let inner = self.resolve(of.module, &item.ty, array.item)?;
                let before = record.elements.len();
                let many = array.size.upper > 1;
                let context = GroupContext { optional: true, repeated: around.repeated || many, ..around };
                self.component(record, item, &inner, context)?;
                if many && record.elements.len() - before > 1 {
                    record.order = Order::Set;
                }
                Ok(())
            }
            _ => {
                let mut value = self.value(of);
                if around.optional {
                    value = self.or_empty(value);
                }
                record.text = Some(value);
                Ok(())
            }
        }
    }

    /// Gives the elements that have one name in one record a content that fits all of them.
    fn settle(&mut self) {
        let mut merged = std::collections::HashSet::new();
        while let Some(Conflict { kept: RecordId(kept), other }) = self.conflicts.pop() {
            let other = match other {
                Content::Value(value) => Record { text: Some(value), ..Record::default() },
                Content::Record(RecordId(other)) if merged.insert((kept, other)) => {
                    self.records.get(other as usize).cloned().unwrap_or_default()
                }
                Content::Record(_) => continue,
            };
            let mut record = self.records.get_mut(kept as usize).map(std::mem::take).unwrap_or_default();
            merge(&mut record, other, &mut self.conflicts);
            if let Some(place) = self.records.get_mut(kept as usize) {
                *place = record;
            }
        }
    }

    fn facets(&mut self, builtin: Builtin, facets: Facets) -> ValueType {
        if facets == Facets::default() {
            return ValueType::of(builtin);
        }
        let index = match self.known_facets.get(&facets) {
            Some(index) => *index,
            None => {
                self.facets.push(facets.clone());
                let index = self.facets.len() as u32 - 1;
                self.known_facets.insert(facets, index);
                index
            }
        };
        ValueType { builtin, facets: index }
    }

    /// The same type, whose values may also be empty.
    fn or_empty(&mut self, value: ValueType) -> ValueType {
        let facets = self.facets.get(value.facets as usize).cloned().unwrap_or_default();
        match value == ValueType::TEXT {
            true => value,
            false => self.facets(value.builtin, Facets { empty: true, ..facets }),
        }
    }

    /// The type of values.
    fn value(&mut self, of: &Resolved<'s>) -> ValueType {
        let mut facets = Facets { empty: of.has(Keywords::DEFAULT_FOR_EMPTY), ..Facets::default() };
        let mut builtin = Builtin::Utf8String;
        let node = self.types.node(of.node);
        match &of.ty.kind {
            _ if of.built_in.and_then(of_xsd).is_some() => builtin = of.built_in.and_then(of_xsd).unwrap_or_default(),
            _ if of.is_text() => {}
            Kind::Boolean => builtin = Builtin::Boolean,
            Kind::Integer(names) if names.is_empty() => {
                builtin = Builtin::Integer;
                if let CompiledKind::Integer(integer) = node.kind
                    && !integer.extensible
                {
                    facets.range = self.range(integer.range, integer.intervals);
                }
            }
            Kind::Real => {
                builtin = Builtin::Real;
                facets.range = instructions::range(&of.chain);
            }
            Kind::OctetString if of.has(Keywords::BASE64) => {
                builtin = Builtin::OctetString;
                if let CompiledKind::OctetString(size) = node.kind {
                    facets.size = sizes(size);
                }
            }
            Kind::Enumerated(_) => {
                if let CompiledKind::Enumerated(number) = node.kind
                    && !self.types.enumeration(number).extensible
                {
                    let items = &self.types.enumeration(number).items;
                    let texts = of.ty.item_texts();
                    facets.values = match of.has(Keywords::USE_NUMBER) {
                        // Numbers have several spellings.
                        true => Vec::new(),
                        false => {
                            let text = |(name, _): &(String, _)| {
                                texts.get(&name[..]).map_or(name.clone(), |text| text.to_string())
                            };
                            items.iter().map(text).collect()
                        }
                    };
                    if of.has(Keywords::USE_NUMBER) {
                        builtin = Builtin::Integer;
                    }
                }
            }
            Kind::String(StringKind::Date) => builtin = Builtin::Date,
            Kind::String(StringKind::TimeOfDay) => builtin = Builtin::TimeOfDay,
            Kind::String(StringKind::DateTime) => builtin = Builtin::DateTime,
            Kind::String(StringKind::Duration) => builtin = Builtin::Duration,
            Kind::String(_) => {
                if let CompiledKind::Text(number) = node.kind {
                    facets.size = sizes(self.types.characters(number).size);
                }
            }
            _ => {}
        }
        facets.comment = instructions::comment(&of.chain);
        if builtin == Builtin::Utf8String && facets == (Facets { empty: true, ..Facets::default() }) {
            return ValueType::TEXT;
        }
        self.facets(builtin, facets)
    }

    fn range(&self, range: Range, intervals: Option<u32>) -> Option<(Option<String>, Option<String>)> {
        match range {
            Range::Constrained(lower, bounds) => {
                Some((Some(lower.to_string()), Some((i128::from(lower) + i128::from(bounds.span)).to_string())))
            }
            Range::SemiConstrained(lower) => Some((Some(lower.to_string()), None)),
            Range::Wide(number) => {
                let wide = self.types.wide(number);
                Some((Some(wide.lower.to_string()), wide.upper.as_ref().map(ToString::to_string)))
            }
            Range::Unconstrained => {
                let (_, upper) = self.types.intervals(intervals?).bounds()?;
                Some((None, Some(upper.number()?.to_string())))
            }
        }
    }
}

fn sizes(size: Size) -> Option<(u64, Option<u64>)> {
    let upper = Some(size.upper).filter(|upper| *upper < u64::MAX);
    (!size.extensible && (size.lower > 0 || upper.is_some())).then_some((size.lower, upper))
}

/// The built-in types of XML Schema that are more specific than their ASN.1 kind.
fn of_xsd(name: &str) -> Option<Builtin> {
    Some(match name {
        "Date" => Builtin::Date,
        "DateTime" => Builtin::DateTime,
        "Time" => Builtin::TimeOfDay,
        "Duration" => Builtin::Duration,
        "GYear" | "GYearMonth" | "GMonth" | "GMonthDay" | "GDay" => Builtin::Utf8String,
        _ => return None,
    })
}

#[cold]
fn unknown(name: &str) -> Error {
    schema_error(0, format!("the type {name}, which is not there"), "a type of the modules")
}
