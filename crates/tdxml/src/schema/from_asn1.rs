//! Derives data schemas from ASN.1 modules that X.694 produces from an XML Schema.

use std::collections::{HashMap, HashSet};

use ::xml::namespaces::declared;
use asn1::schema::{
    Argument, Assignment, Component, ComponentKind, Fields, Instruction, Kind, Meaning, Module, Prefix, Schema,
    StringKind, Type,
};
use tam::{Document, Error, xml};

use super::{Attribute, Builtin, Content, DataSchema, Element, Order, Record, RecordId};
use crate::place::schema as schema_error;

/// The longest chain of references.
const FOLLOWED: usize = 250;

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The prefixes of names and the root element: what a document adds to its schema.
#[derive(Clone, Debug, Default)]
pub struct Prefixes {
    root: (String, String),
    root_name: String,
    /// Namespaces and their prefixes, in the order of preference.
    bound: Vec<(String, String)>,
    /// The attributes of the root element that a schema does not have: namespace declarations with their values, and
    /// attributes of XML Schema instances.
    declared: Vec<(String, Option<String>)>,
}

impl Prefixes {
    /// Collects these from the root element of a document.
    ///
    /// # Errors
    /// If it is not a document of XML.
    pub fn of(document: &Document<'_>) -> Result<Prefixes, Error> {
        let root = xml::root(document).ok_or_else(|| schema_error(0, "no element", "an XML document"))?;
        let mut prefixes = Prefixes { root_name: root.name().to_text().into_owned(), ..Prefixes::default() };
        for attribute in root.attributes() {
            let (name, value) = (attribute.name().to_text(), attribute.text().unwrap_or_default());
            if let Some(prefix) = declared(&name) {
                prefixes.bound.push((value.to_owned(), prefix.to_owned()));
                prefixes.declared.push((name.into_owned(), Some(value.to_owned())));
            }
        }
        for attribute in root.attributes() {
            let name = attribute.name().to_text();
            let is_instance = name.split_once(':').is_some_and(|(prefix, _)| prefixes.uri(prefix) == XSI);
            if is_instance {
                prefixes.declared.push((name.into_owned(), None));
            }
        }
        let (prefix, local) = prefixes.root_name.split_once(':').unwrap_or(("", &prefixes.root_name));
        prefixes.root = (prefixes.uri(prefix).to_owned(), local.to_owned());
        Ok(prefixes)
    }

    fn uri(&self, prefix: &str) -> &str {
        self.bound.iter().find(|(_, other)| other == prefix).map_or("", |(uri, _)| uri)
    }

    /// A name in a namespace, with the document's prefix. If the document has no prefix for it, the name matches none
    /// of its elements.
    fn name(&self, uri: &str, local: &str) -> String {
        if uri.is_empty() {
            return local.to_owned();
        }
        match self.bound.iter().find(|(other, _)| other == uri) {
            Some((_, prefix)) if prefix.is_empty() => local.to_owned(),
            Some((_, prefix)) => format!("{prefix}:{local}"),
            None => format!("unbound:{local}"),
        }
    }
}

impl DataSchema {
    /// The data schema for ASN.1 modules and documents with a given root element and prefixes. The modules are those
    /// that X.694 produces from an XML Schema, or others with XER encoding instructions.
    ///
    /// It allows more than they do: values have only built-in types, an element of a choice inside a sequence may be
    /// missing, and the elements of a repeated group come in any order. It has no elements and attributes for
    /// wildcards.
    ///
    /// # Errors
    /// Of kind schema if no type is that of the root element, or a reference cannot be resolved.
    pub fn from_asn1(modules: &Schema, prefixes: &Prefixes) -> Result<DataSchema, Error> {
        let mut maker = Maker {
            modules: &modules.modules,
            prefixes,
            records: Vec::new(),
            known: HashMap::new(),
            names: HashSet::new(),
            waiting: Vec::new(),
        };
        let (uri, local) = &prefixes.root;
        let found = maker.modules.iter().enumerate().find_map(|(number, module)| {
            let is_root = |assignment: &&Assignment| match &assignment.meaning {
                Meaning::Type(ty) => spelled(&assignment.name, &ty.prefixes) == *local,
                _ => false,
            };
            let found = module.assignments.iter().find(is_root).filter(|_| namespace(module) == *uri)?;
            let Meaning::Type(ty) = &found.meaning else { return None };
            Some((number, ty))
        });
        let Some((module, ty)) = found else {
            return Err(schema_error(0, format!("the root element {}", prefixes.root_name), "one that the schema has"));
        };
        let content = maker.content(module, ty, 0)?;
        while let Some((id, module, ty)) = maker.waiting.pop() {
            maker.fill(id, module, ty)?;
        }
        // The root element has attributes that no other element of its type has.
        let mut root = match content {
            Content::Record(id) => maker.records.get(id.0 as usize).cloned().unwrap_or_default(),
            Content::Value(builtin) => Record { text: Some(builtin), ..Record::default() },
        };
        root.name = None;
        let declared = prefixes.declared.iter().map(|(name, value)| {
            let mut attribute = Attribute::new(name, Builtin::Utf8String);
            attribute.default.clone_from(value);
            attribute.optional = value.is_none();
            attribute
        });
        let own = std::mem::take(&mut root.attributes);
        let is_declared = |name: &str| prefixes.declared.iter().any(|(other, _)| other == name);
        root.attributes = declared.chain(own.into_iter().filter(|one| !is_declared(&one.name))).collect();
        let id = maker.records.len() as u32;
        maker.records.push(root);
        // The record of the root is the first one.
        let element = Element::new(&prefixes.root_name, Content::Record(RecordId(0)));
        Ok(DataSchema::new(element, used(maker.records, id)?))
    }
}

/// The records in use, the root's first, so that only these are printed.
fn used(records: Vec<Record>, root: u32) -> Result<Vec<Record>, Error> {
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
    let mut kept = Vec::with_capacity(order.len());
    for number in order {
        let Some(mut record) = all.get_mut(number as usize).and_then(Option::take) else { continue };
        for element in &mut record.elements {
            if let Content::Record(RecordId(inner)) = &mut element.content {
                *inner = numbers.get(inner).copied().unwrap_or(0);
            }
        }
        kept.push(record);
    }
    Ok(kept)
}

/// The namespace of a module: `NAMESPACE ALL AS "…"`.
fn namespace(module: &Module) -> &str {
    let control = module.encoding_control.iter().flat_map(|control| &control.instructions);
    let of_all =
        control.filter(|one| one.keyword == "NAMESPACE" && one.targets.first().is_some_and(|all| all == "ALL"));
    of_all.flat_map(text).next().unwrap_or("")
}

/// The text among the arguments of an instruction.
fn text(instruction: &Instruction) -> Option<&str> {
    instruction.arguments.iter().find_map(|argument| match argument {
        Argument::Text(text) => Some(&text[..]),
        Argument::Word(_) => None,
    })
}

fn instruction<'t>(prefixes: &'t [Prefix], keyword: &str) -> Option<&'t Instruction> {
    prefixes.iter().find_map(|prefix| match prefix {
        Prefix::Instruction(one) if one.keyword == keyword && !one.negating => Some(one),
        _ => None,
    })
}

/// The XML name for an ASN.1 name.
fn spelled(name: &str, prefixes: &[Prefix]) -> String {
    let Some(renaming) = instruction(prefixes, "NAME") else { return name.to_owned() };
    if let Some(text) = text(renaming) {
        return text.to_owned();
    }
    let is = |word: &str| renaming.arguments.iter().any(|argument| *argument == Argument::Word(word.to_owned()));
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    match (is("CAPITALIZED"), is("UNCAPITALIZED")) {
        (true, _) => first.to_uppercase() + rest,
        (_, true) => first.to_lowercase() + rest,
        _ => name.to_owned(),
    }
}

struct Maker<'s> {
    modules: &'s [Module],
    prefixes: &'s Prefixes,
    records: Vec<Record>,
    /// What assignments have been converted to, by module and name.
    known: HashMap<(usize, &'s str), Content>,
    names: HashSet<String>,
    /// Records whose components have not been converted yet.
    waiting: Vec<(u32, usize, &'s Type)>,
}

/// The position of a group of components in their record.
#[derive(Clone, Copy)]
struct GroupContext {
    optional: bool,
    repeated: bool,
}

impl<'s> Maker<'s> {
    /// The type that a reference leads to, and its module.
    fn follow(&self, module: usize, name: &str, from: Option<&str>) -> Result<(usize, &'s Assignment), Error> {
        let mut at = module;
        let mut wanted = from;
        for _ in 0..FOLLOWED {
            if let Some(other) = wanted {
                at = self.modules.iter().position(|module| module.name == other).ok_or_else(|| unknown(name))?;
            }
            let module = self.modules.get(at).ok_or_else(|| unknown(name))?;
            if let Some(found) = module.assignments.iter().find(|one| one.name == name) {
                return Ok((at, found));
            }
            let import = module.imports.iter().find(|import| import.names.iter().any(|other| other == name));
            wanted = Some(&import.ok_or_else(|| unknown(name))?.module);
        }
        Err(unknown(name))
    }

    /// The content of an element of a type.
    fn content(&mut self, module: usize, ty: &'s Type, depth: usize) -> Result<Content, Error> {
        if depth > FOLLOWED {
            return Err(schema_error(0, "references that lead on and on", "a type"));
        }
        let has = |keyword| instruction(&ty.prefixes, keyword).is_some();
        match &ty.kind {
            Kind::Reference { module: from, name } => {
                let (at, found) = self.follow(module, name, from.as_deref())?;
                let Meaning::Type(inner) = &found.meaning else { return Ok(Content::Value(Builtin::Utf8String)) };
                if has("LIST") {
                    return Ok(Content::Value(Builtin::Utf8String));
                }
                if let Some(content) = self.known.get(&(at, &found.name[..])) {
                    return Ok(*content);
                }
                if self.modules.get(at).is_some_and(|module| module.name == "XSD")
                    && let Some(builtin) = of_xsd(&found.name)
                {
                    return Ok(Content::Value(builtin));
                }
                if is_record(inner) {
                    // The type may be recursive, so its components are converted later.
                    let content = self.new_record(at, inner, Some(&found.name));
                    self.known.insert((at, &found.name), content);
                    return Ok(content);
                }
                let content = self.content(at, inner, depth + 1)?;
                self.known.insert((at, &found.name), content);
                Ok(content)
            }
            _ if is_record(ty) => Ok(self.new_record(module, ty, None)),
            _ => Ok(Content::Value(value(ty))),
        }
    }

    fn new_record(&mut self, module: usize, ty: &'s Type, name: Option<&str>) -> Content {
        let id = self.records.len() as u32;
        let name = name.map(|name| {
            let mut unique = name.to_owned();
            let mut nth = 2;
            let is_word = |name: &str| super::notation::keyword(name);
            while is_word(&unique) || !self.names.insert(unique.clone()) {
                unique = format!("{name}-{nth}");
                nth += 1;
            }
            unique
        });
        self.records.push(Record { name, ..Record::default() });
        self.waiting.push((id, module, ty));
        Content::Record(RecordId(id))
    }

    /// Converts the components of a record.
    fn fill(&mut self, id: u32, module: usize, ty: &'s Type) -> Result<(), Error> {
        let mut record = Record::default();
        let plain = GroupContext { optional: false, repeated: false };
        let (mut module, mut ty) = (module, ty);
        for _ in 0..FOLLOWED {
            match &ty.kind {
                // `xsi:type` selects one of these types: the first one is the base, which the others extend.
                Kind::Choice(fields) if instruction(&ty.prefixes, "USE-TYPE").is_some() => {
                    self.instance_attribute(&mut record, "type");
                    let Some(first) = fields.root.first() else { break };
                    ty = &first.ty;
                }
                Kind::Reference { module: from, name } => {
                    let (at, found) = self.follow(module, name, from.as_deref())?;
                    let Meaning::Type(inner) = &found.meaning else { break };
                    if !is_record(inner) {
                        break;
                    }
                    (module, ty) = (at, inner);
                }
                _ => break,
            }
        }
        let has = |keyword| instruction(&ty.prefixes, keyword).is_some();
        match &ty.kind {
            Kind::Choice(fields) if !is_one_text(ty) => {
                self.fields(&mut record, module, fields, plain)?;
                if record.order == Order::Sequence {
                    record.order = Order::Choice;
                }
            }
            Kind::Sequence(fields) | Kind::Set(fields) => {
                if has("USE-ORDER") {
                    record.order = Order::Set;
                }
                if has("USE-NIL") {
                    self.instance_attribute(&mut record, "nil");
                }
                let skipped = usize::from(has("USE-ORDER")) + usize::from(has("EMBED-VALUES"));
                if has("EMBED-VALUES") {
                    record.text = Some(Builtin::Utf8String);
                }
                let count = fields.root.len();
                for (number, component) in fields.root.iter().skip(skipped).enumerate() {
                    if has("USE-NIL") && number + skipped + 1 == count {
                        self.group(
                            &mut record,
                            module,
                            &component.ty,
                            GroupContext { optional: true, repeated: false },
                        )?;
                    } else {
                        self.component(&mut record, module, component, plain)?;
                    }
                }
                // A single mandatory choice that occurs once.
                if let [one] = &fields.root[..]
                    && one.kind == ComponentKind::Mandatory
                    && instruction(&one.ty.prefixes, "UNTAGGED").is_some()
                    && matches!(one.ty.kind, Kind::Choice(_))
                    && record.order == Order::Sequence
                    && record.elements.iter().all(|element| element.optional && !element.repeated)
                {
                    record.order = Order::Choice;
                    record.elements.iter_mut().for_each(|element| element.optional = false);
                }
            }
            _ => self.group(&mut record, module, ty, plain)?,
        }
        if let Some(place) = self.records.get_mut(id as usize) {
            record.name = place.name.take();
            *place = record;
        }
        Ok(())
    }

    /// Adds an attribute of XML Schema instances, if the document has a prefix for them.
    fn instance_attribute(&self, record: &mut Record, local: &str) {
        if self.prefixes.bound.iter().any(|(uri, _)| uri == XSI) {
            let mut attribute = Attribute::new(self.prefixes.name(XSI, local), Builtin::Utf8String);
            attribute.optional = true;
            if record.attributes.iter().all(|other| other.name != attribute.name) {
                record.attributes.push(attribute);
            }
        }
    }

    fn fields(
        &mut self,
        record: &mut Record,
        module: usize,
        fields: &'s Fields,
        around: GroupContext,
    ) -> Result<(), Error> {
        let additions = fields.additions.iter().flatten().flat_map(|field| field.components());
        for component in fields.root.iter().chain(additions).chain(&fields.root_after) {
            self.component(record, module, component, around)?;
        }
        Ok(())
    }

    fn component(
        &mut self,
        record: &mut Record,
        module: usize,
        component: &'s Component,
        around: GroupContext,
    ) -> Result<(), Error> {
        let ty = &component.ty;
        let has = |keyword| instruction(&ty.prefixes, keyword).is_some();
        let around = GroupContext { optional: around.optional || component.kind != ComponentKind::Mandatory, ..around };
        let local = spelled(&component.name, &ty.prefixes);
        let uri = instruction(&ty.prefixes, "NAMESPACE").and_then(text).unwrap_or("");
        if has("ANY-ATTRIBUTES") || has("ANY-ELEMENT") {
            return Ok(());
        }
        if has("ATTRIBUTE") {
            let name = match uri {
                ::xml::namespaces::XML => format!("xml:{local}"),
                uri => self.prefixes.name(uri, &local),
            };
            let builtin = match self.content(module, ty, 0)? {
                Content::Value(builtin) => builtin,
                Content::Record(_) => Builtin::Utf8String,
            };
            if record.attributes.iter().all(|other| other.name != name) {
                let mut attribute = Attribute::new(name, builtin);
                // A default of the schema adds no attribute to the document, so the attribute is optional.
                attribute.optional = component.kind != ComponentKind::Mandatory;
                record.attributes.push(attribute);
            }
            return Ok(());
        }
        if has("UNTAGGED") {
            return self.group(record, module, ty, around);
        }
        let content = self.content(module, ty, 0)?;
        let mut element = Element::new(self.prefixes.name(uri, &local), content);
        element.repeated = around.repeated;
        element.optional = around.optional && !around.repeated;
        record.elements.push(element);
        Ok(())
    }

    /// Converts the components of a type whose content is part of the record, without a tag of its own.
    fn group(&mut self, record: &mut Record, module: usize, ty: &'s Type, around: GroupContext) -> Result<(), Error> {
        let (mut module, mut ty) = (module, ty);
        for _ in 0..FOLLOWED {
            if is_one_text(ty) {
                break;
            }
            let Kind::Reference { module: from, name } = &ty.kind else { break };
            let (at, found) = self.follow(module, name, from.as_deref())?;
            let Meaning::Type(inner) = &found.meaning else { break };
            if !is_record(inner) && !matches!(inner.kind, Kind::Reference { .. } | Kind::SequenceOf(_)) {
                break;
            }
            (module, ty) = (at, inner);
        }
        let before = record.elements.len();
        match &ty.kind {
            _ if is_one_text(ty) => record.text = Some(Builtin::Utf8String),
            Kind::Sequence(fields) | Kind::Set(fields) => {
                self.fields(record, module, fields, around)?;
            }
            Kind::Choice(fields) => {
                self.fields(record, module, fields, GroupContext { optional: true, ..around })?;
            }
            Kind::SequenceOf(inner) | Kind::SetOf(inner) => {
                self.component(record, module, inner, GroupContext { optional: true, repeated: true })?;
                if record.elements.len() - before > 1 {
                    record.order = Order::Set;
                }
            }
            _ => {
                let builtin = match self.content(module, ty, 0)? {
                    Content::Value(builtin) => builtin,
                    Content::Record(_) => Builtin::Utf8String,
                };
                record.text = Some(if around.optional { Builtin::Utf8String } else { builtin });
                return Ok(());
            }
        }
        // An element that occurs twice with the same name may be at either position.
        let twice = |element: &Element| record.elements.iter().filter(|other| other.name == element.name).count() > 1;
        if around.repeated && record.elements.iter().any(twice) {
            let mut seen = HashSet::new();
            record.elements.retain(|element| seen.insert(element.name.clone()));
        }
        Ok(())
    }
}

#[cold]
fn unknown(name: &str) -> Error {
    schema_error(0, format!("the type {name}, which is not there"), "a type of the modules")
}

/// Whether the values of a type with parts are a single text: lists and unions.
fn is_one_text(ty: &Type) -> bool {
    ["LIST", "USE-UNION"].iter().any(|keyword| instruction(&ty.prefixes, keyword).is_some())
}

/// Whether elements of a type have attributes or elements.
fn is_record(ty: &Type) -> bool {
    !is_one_text(ty) && matches!(ty.kind, Kind::Sequence(_) | Kind::Set(_) | Kind::Choice(_))
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

/// The type for values of an ASN.1 type.
fn value(ty: &Type) -> Builtin {
    if is_one_text(ty) {
        return Builtin::Utf8String;
    }
    match &ty.kind {
        Kind::Boolean => Builtin::Boolean,
        // Named numbers are written as names.
        Kind::Integer(names) if names.is_empty() => Builtin::Integer,
        Kind::Real => Builtin::Real,
        Kind::OctetString if instruction(&ty.prefixes, "BASE64").is_some() => Builtin::OctetString,
        Kind::Null => Builtin::Null,
        Kind::String(StringKind::Date) => Builtin::Date,
        Kind::String(StringKind::TimeOfDay) => Builtin::TimeOfDay,
        Kind::String(StringKind::DateTime) => Builtin::DateTime,
        Kind::String(StringKind::Duration) => Builtin::Duration,
        _ => Builtin::Utf8String,
    }
}
