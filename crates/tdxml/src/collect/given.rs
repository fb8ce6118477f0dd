//! Finds the numbers of names in a given schema.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use tam::{Error, Node};
use xml::name::split;
use xml::namespaces::declared;

use super::{OpenElement, unfit};
use crate::path::Step;
use crate::rest::{self, Bindings, Kind, OTHER, Place};
use crate::schema::{Content, DataSchema, Element, NONE, Order, Record, ValueType, Wildcard, XSI};

/// A namespace and a local name; without namespaces the whole name.
type Key<'n> = (u32, &'n str);

/// The elements and attributes without a number that an element may have.
#[derive(Clone, Copy, Default)]
pub(super) struct Wild<'s> {
    element: Option<&'s Wildcard>,
    attribute: Option<&'s Wildcard>,
    /// Whether it has an `xsi:type`, so that any may belong to that type.
    has_type: bool,
}

impl Wild<'_> {
    /// Whether it may have elements without a number.
    pub(super) fn has_elements(&self) -> bool {
        self.element.is_some() || self.has_type
    }
}

/// A schema, its names, and the prefixes that the document has declared so far.
pub(super) struct Given<'s> {
    pub(super) schema: &'s DataSchema,
    known: HashMap<u32, ByName<'s>, RandomState>,
    pub(super) bindings: Bindings,
    xsi: u32,
}

/// The elements and attributes of a record by their names.
#[derive(Default)]
struct ByName<'s> {
    elements: HashMap<Key<'s>, Vec<u32>, RandomState>,
    attributes: HashMap<Key<'s>, u32, RandomState>,
}

impl<'s> Given<'s> {
    pub(super) fn new(schema: &'s DataSchema) -> Given<'s> {
        let xsi = schema.namespace(XSI).unwrap_or(OTHER);
        Given { schema, known: HashMap::default(), bindings: Bindings::new(schema), xsi }
    }

    /// Binds the prefixes that an element declares. Returns the number of declarations around it.
    pub(super) fn declare(&mut self, node: &Node<'_>) -> Result<usize, Error> {
        let before = self.bindings.len();
        let list = node.children().next().filter(|first| self.schema.has_namespaces() && first.kind() == b'=');
        for attribute in list.into_iter().flat_map(|list| list.children()) {
            let name = attribute.name().to_text();
            if let Some(prefix) = declared(&name) {
                let uri = attribute.text().unwrap_or_default();
                let bound = self.bindings.bind(prefix, uri, self.schema, 0);
                bound.map_err(|error| super::located(&error, node))?;
            }
        }
        Ok(before)
    }

    /// The key of a name in the document.
    pub(super) fn key<'n>(&self, name: &'n str, is_attribute: bool) -> Key<'n> {
        if !self.schema.has_namespaces() {
            return (NONE, name);
        }
        let (prefix, local) = split(name);
        let namespace = if is_attribute && prefix.is_empty() { NONE } else { self.bindings.namespace(prefix) };
        (namespace, local)
    }

    /// Adds an element's prefix to its rest, unless its namespace says it.
    pub(super) fn push_prefix(&self, name: &str, rest: &mut String) {
        let (namespace, _) = self.key(name, false);
        let (prefix, _) = split(name);
        if self.schema.has_namespaces() && namespace < OTHER && self.bindings.prefix(namespace, false) != Some(prefix) {
            rest::push(rest, Place::Inside(0, 0), Kind::Prefix, &[prefix]);
        }
    }

    /// The elements and attributes without a number that an element may have.
    pub(super) fn wild(&self, node: &Node<'_>, ty: Content) -> Wild<'s> {
        let mut wild = Wild::default();
        if !self.schema.has_namespaces() {
            return wild;
        }
        if let Some(record) = self.schema.record(&ty) {
            (wild.element, wild.attribute) = (record.any_element.as_ref(), record.any_attribute.as_ref());
        }
        let list = node.children().next().filter(|first| first.kind() == b'=');
        let mut attributes = list.into_iter().flat_map(|list| list.children());
        wild.has_type = attributes.any(|attribute| self.key(&attribute.name().to_text(), true) == (self.xsi, "type"));
        wild
    }

    fn is_in(&self, wildcard: Option<&Wildcard>, name: &str) -> bool {
        wildcard.is_some_and(|wildcard| wildcard.allows(self.bindings.uri(split(name).0)))
    }

    /// The number of an attribute, or `None` after it has been added to the rest.
    pub(super) fn attribute(
        &mut self,
        attribute: &Node<'_>,
        name: &str,
        value: &str,
        ty: Content,
        wild: Wild<'_>,
        rest: &mut String,
    ) -> Result<Option<u32>, Error> {
        let has_namespaces = self.schema.has_namespaces();
        if let Some(prefix) = declared(name).filter(|_| has_namespaces) {
            match self.schema.namespace(value) {
                Some(number) => {
                    rest::push(rest, Place::Inside(0, 0), Kind::Namespace, &[prefix, "=", &number.to_string()]);
                }
                None => rest::push(rest, Place::Inside(0, 0), Kind::Attribute, &[name, "=", value]),
            }
            return Ok(None);
        }
        let key = self.key(name, true);
        let number =
            by_name(self.schema, &mut self.known, ty).and_then(|by_name| by_name.attributes.get(&key).copied());
        let Some(number) = number else {
            let (prefix, _) = split(name);
            let uri = if prefix.is_empty() { "" } else { self.bindings.uri(prefix) };
            let is_any = wild.attribute.is_some_and(|wildcard| wildcard.allows(uri));
            if has_namespaces && (wild.has_type || is_any || key.0 == self.xsi) {
                rest::push(rest, Place::Inside(0, 0), Kind::Attribute, &[name, "=", value]);
                return Ok(None);
            }
            let attributes = self.schema.record(&ty).map_or(&[][..], |record| &record.attributes);
            let expected = one_of("attribute", attributes.iter().map(|one| &*one.name), wild.attribute);
            return Err(unfit(attribute, format!("the attribute {name}"), expected));
        };
        let record = self.schema.record(&ty);
        let of = record.and_then(|record| record.attributes.get(number as usize));
        self.check(attribute, of.map_or(ValueType::TEXT, |attribute| attribute.value), value)?;
        let (prefix, _) = split(name);
        if has_namespaces && key.0 < OTHER && self.bindings.prefix(key.0, true) != Some(prefix) {
            rest::push(rest, Place::Inside(0, 0), Kind::Prefix, &[&number.to_string(), "=", prefix]);
        }
        Ok(Some(number))
    }

    /// Checks that attributes are complete, and removes those that the schema supplies.
    pub(super) fn check_attributes(
        &self,
        node: &Node<'_>,
        ty: Content,
        attributes: &mut Vec<(u32, &str)>,
    ) -> Result<(), Error> {
        let Some(record) = self.schema.record(&ty) else { return Ok(()) };
        let mut next = record.next_needed(0);
        let mut has_defaults = false;
        while let Some(attribute) = record.attributes.get(next as usize) {
            has_defaults |= attribute.default.is_some();
            if attribute.default.is_none() && attributes.binary_search_by_key(&next, |(number, _)| *number).is_err() {
                return Err(unfit(node, format!("missing attribute {}", attribute.name), ""));
            }
            next = record.next_needed(next + 1);
        }
        if has_defaults {
            let default = |number: u32| record.attributes.get(number as usize).and_then(|one| one.default.as_deref());
            attributes.retain(|(number, value)| default(*number) != Some(*value));
        }
        Ok(())
    }

    /// The type of an attribute.
    pub(super) fn attribute_type(&self, ty: Content, number: u32) -> ValueType {
        let attribute = self.schema.record(&ty).and_then(|record| record.attributes.get(number as usize));
        attribute.map_or(ValueType::TEXT, |attribute| attribute.value)
    }

    /// The type of the text in some content, and whether text may also be elsewhere.
    pub(super) fn text(&self, ty: Content) -> (Option<ValueType>, bool) {
        match (ty, self.schema.record(&ty)) {
            (_, Some(record)) => (record.text, record.rest),
            (Content::Value(value), None) => (Some(value), false),
            _ => (None, false),
        }
    }

    pub(super) fn check_text(
        &self,
        node: &Node<'_>,
        ty: Content,
        text: Option<&str>,
        has_elements: bool,
    ) -> Result<(), Error> {
        let Some(value) = self.text(ty).0 else { return Ok(()) };
        let text = text.unwrap_or_default();
        // A record may have elements instead.
        let may_miss = text.is_empty() && (has_elements || !self.schema.elements_of(&ty).is_empty());
        if may_miss { Ok(()) } else { self.check(node, value, text) }
    }

    fn check(&self, node: &Node<'_>, of: ValueType, value: &str) -> Result<(), Error> {
        if self.schema.allows(of, value) {
            return Ok(());
        }
        Err(unfit(node, format!("'{}'", tam::excerpt(value).escape_debug()), self.schema.expected(of)))
    }

    /// Whether a child element has a number.
    pub(super) fn has_column(&mut self, node: &Node<'_>, ty: Content) -> Result<bool, Error> {
        let name = super::name(node)?;
        let declared = self.declare(node)?;
        let key = self.key(&name, false);
        self.bindings.end(declared);
        Ok(by_name(self.schema, &mut self.known, ty).is_some_and(|by_name| by_name.elements.contains_key(&key)))
    }

    /// The element of the schema for a name in the current content. `None` if it is in the rest.
    pub(super) fn element(
        &mut self,
        top: &OpenElement<'_, '_>,
        name: &str,
        node: &Node<'_>,
    ) -> Result<Option<(Step, &'s Element)>, Error> {
        let key = self.key(name, false);
        let numbers = by_name(self.schema, &mut self.known, top.ty).and_then(|by_name| by_name.elements.get(&key));
        let (Some(numbers), Some(record)) = (numbers, self.schema.record(&top.ty)) else {
            return match top.wild.has_type || self.is_in(top.wild.element, name) {
                true => Ok(None),
                false => {
                    let elements = self.schema.elements_of(&top.ty).iter().map(|element| &*element.name);
                    Err(unfit(node, format!("the element {name}"), one_of("element", elements, top.wild.element)))
                }
            };
        };
        let last = top.progress.last;
        let fits = |number: u32, element: &Element| match (record.order, last) {
            (Order::Set, _) => element.repeated || top.progress.count(number) == 0,
            (_, None) => true,
            (_, Some(last)) if last.number == number => element.repeated,
            (Order::Sequence, Some(last)) => number > last.number,
            (Order::Choice, Some(_)) => false,
        };
        let numbered = |number: u32| record.elements.get(number as usize).map(|element| (number, element));
        let found =
            numbers.iter().filter_map(|number| numbered(*number)).find(|(number, element)| fits(*number, element));
        let Some((number, element)) = found else {
            let before = last.and_then(|last| record.elements.get(last.number as usize)).map_or("", |one| &one.name);
            let is_again = last.is_some_and(|last| numbers.contains(&last.number));
            let expected = match record.order {
                Order::Choice if !is_again => format!("one alternative of the CHOICE, {before}"),
                Order::Sequence if !is_again => {
                    format!("elements in the order of the SEQUENCE, none of it after {before}")
                }
                _ => format!("one {name}: it is not repeated"),
            };
            return Err(unfit(node, format!("the element {name}"), expected));
        };
        let occurrence = match (element.repeated, record.order) {
            (false, _) => NONE,
            (true, Order::Set) => top.progress.count(number),
            (true, _) => last.filter(|last| last.number == number).map_or(0, |last| last.occurrence + 1),
        };
        Ok(Some((Step { number, occurrence }, element)))
    }
}

/// What the schema has in some place: the names of elements or attributes, and a wildcard.
#[cold]
fn one_of<'n>(what: &str, names: impl ExactSizeIterator<Item = &'n str>, wildcard: Option<&Wildcard>) -> String {
    const SHOWN: usize = 8;
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let mut expected = match names.len() {
        0 => format!("no {what}: the schema has none there"),
        _ => format!("{what}s that the schema has there: {}{more}", names.take(SHOWN).collect::<Vec<_>>().join(", ")),
    };
    if let Some(Wildcard { except, listed }) = wildcard {
        let of = if *except { "except" } else { "of" };
        expected.push_str(&format!("; or any {what} {of} the namespaces \"{}\" (wildcard)", listed.join("\", \"")));
    }
    expected
}

fn by_name<'k, 's>(
    schema: &'s DataSchema,
    known: &'k mut HashMap<u32, ByName<'s>, RandomState>,
    ty: Content,
) -> Option<&'k ByName<'s>> {
    let Content::Record(id) = ty else { return None };
    let record: &'s Record = schema.record(&ty)?;
    Some(known.entry(id.0).or_insert_with(|| {
        let mut by_name = ByName::default();
        for (number, element) in record.elements.iter().enumerate() {
            let key = (element.name_at.namespace, element.local());
            by_name.elements.entry(key).or_default().push(number as u32);
        }
        for (number, attribute) in record.attributes.iter().enumerate() {
            by_name.attributes.insert((attribute.name_at.namespace, attribute.local()), number as u32);
        }
        by_name
    }))
}
