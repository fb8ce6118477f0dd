//! Collects a document as the rows to write: its elements in order, each with its number and occurrence.

mod draft;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use tam::xml::unit;
use tam::{Children, Document, Error, ErrorKind, Node, Vocabulary, Words};
use xml::chars::is_white;
use xml::name::is_name;

use crate::machine::Progress;
use crate::path::Step;
use crate::schema::{Builtin, Content, DataSchema, Element, NONE, Record, RecordId};
use crate::{Binary, FORMAT, Options};
use draft::Drafts;

/// An element of a document.
#[derive(Debug)]
pub(crate) struct Instance<'d> {
    pub(crate) step: Step,
    /// The end of the elements in it.
    pub(crate) end: u32,
    pub(crate) content: Content,
    /// The start of its attributes among all; they end where those of the next element begin.
    pub(crate) attributes: u32,
    pub(crate) text: Option<Cow<'d, str>>,
    /// Whether all elements in it, at any depth, are in the order of their numbers.
    pub(crate) ordered: bool,
}

/// A document, ready to be written.
#[derive(Debug)]
pub(crate) struct Collected<'d> {
    pub(crate) schema: Arc<DataSchema>,
    pub(crate) instances: Vec<Instance<'d>>,
    /// Number and value of each attribute.
    pub(crate) attributes: Vec<(u32, &'d str)>,
}

impl<'d> Collected<'d> {
    /// The attributes of an element, by number.
    pub(crate) fn attributes(&self, instance: usize) -> &[(u32, &'d str)] {
        let first = self.instances.get(instance).map_or(0, |one| one.attributes as usize);
        let end = self.instances.get(instance + 1).map_or(self.attributes.len(), |next| next.attributes as usize);
        self.attributes.get(first..end).unwrap_or_default()
    }
}

/// The names and contents of elements: from a schema, or inferred from the document.
enum Types<'s> {
    Given(&'s DataSchema, HashMap<u32, ByName<'s>>),
    Drafts(Drafts),
}

/// The elements and attributes of a record by their names.
#[derive(Default)]
struct ByName<'s> {
    elements: HashMap<&'s str, Vec<u32>>,
    attributes: HashMap<&'s str, u32>,
}

/// An element whose content is being collected.
struct OpenElement<'d> {
    instance: usize,
    node: Node<'d>,
    content: Children<'d>,
    progress: Progress,
    /// The type; with drafts, the number of the draft.
    ty: Content,
    has_elements: bool,
    /// Whether it has more than white space before the first element in it.
    has_words: bool,
    /// Such text after an element, which a table cannot hold.
    mixed: Option<Node<'d>>,
    /// Whether white space is kept: `xml:space="preserve"`.
    preserves: bool,
}

/// Collects a document.
///
/// # Errors
/// Of kind unsupported if it has content that a table cannot hold; of kind schema if it does not match the schema.
pub(crate) fn collect<'d>(document: &'d Document<'d>, options: &Options<'_>) -> Result<Collected<'d>, Error> {
    if document.types().vocabulary() != Vocabulary::Xml {
        return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, "a document that is not XML", "one of XML"));
    }
    let types = match options.schema {
        Some(schema) => Types::Given(schema, HashMap::new()),
        None => Types::Drafts(Drafts::default()),
    };
    let mut collector = Collector { types, options, instances: Vec::new(), attributes: Vec::new(), open: Vec::new() };
    collector.document(document)?;
    collector.finish()
}

struct Collector<'d, 'o, 's> {
    types: Types<'o>,
    options: &'o Options<'s>,
    instances: Vec<Instance<'d>>,
    attributes: Vec<(u32, &'d str)>,
    open: Vec<OpenElement<'d>>,
}

impl<'d> Collector<'d, '_, '_> {
    fn document(&mut self, document: &'d Document<'d>) -> Result<(), Error> {
        let mut roots = Vec::new();
        let outermost = document.roots();
        let is_list = document.root().is_some_and(|root| root.kind() == b'=' && root.name().is_none());
        let around = if is_list { document.root().map(|list| list.children()) } else { None };
        for node in around.unwrap_or(outermost) {
            match node.kind() {
                b'<' => roots.push(node),
                kind if !self.options.drops_comments() => {
                    let expected = "only the root element: a table cannot hold anything outside it";
                    return Err(refused(&node, unit(kind), expected));
                }
                _ => {}
            }
        }
        let Some(first) = roots.first() else {
            return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, "no element", "a root element"));
        };
        let mut progress = Progress::default();
        for root in &roots {
            if root.name() != first.name() {
                return Err(refused(root, "another root element", format!("one root element, {}", first.name())));
            }
            self.root(*root, roots.len() > 1, &mut progress)?;
        }
        Ok(())
    }

    fn root(&mut self, node: Node<'d>, several: bool, progress: &mut Progress) -> Result<(), Error> {
        let name = name(&node)?;
        let (step, ty) = match &mut self.types {
            Types::Given(schema, _) => {
                let root = schema.root();
                if root.name != name {
                    return Err(unfit(&node, format!("the element {name}"), format!("the root element {}", root.name)));
                }
                let occurrence = match (root.repeated, progress.last) {
                    (true, last) => last.map_or(0, |last| last.occurrence + 1),
                    (false, None) => NONE,
                    (false, Some(_)) => return Err(unfit(&node, "a second root element", "one: it is not repeated")),
                };
                (Step { number: 0, occurrence }, root.content)
            }
            Types::Drafts(drafts) => {
                drafts.root(&name, several);
                let occurrence = if several { progress.last.map_or(0, |last| last.occurrence + 1) } else { NONE };
                (Step { number: 0, occurrence }, Content::Record(RecordId(0)))
            }
        };
        progress.last = Some(step);
        self.enter(node, step, ty, false)?;
        while let Some(top) = self.open.last_mut() {
            match top.content.next() {
                Some(child) => self.child(child)?,
                None => self.leave()?,
            }
        }
        Ok(())
    }

    /// Begins an element and collects its attributes.
    fn enter(&mut self, node: Node<'d>, step: Step, ty: Content, preserves: bool) -> Result<(), Error> {
        let mut content = node.children();
        let mut preserves = preserves;
        let first = self.attributes.len();
        let instance = self.instances.len();
        if let Some(list) = content.clone().next().filter(|first| first.kind() == b'=') {
            content.next();
            for attribute in list.children() {
                let Ok(value) = attribute.text() else {
                    return Err(refused(&attribute, "bytes that are not UTF-8", "text"));
                };
                if attribute.name() == *"xml:space" {
                    preserves = value == "preserve";
                }
                self.attribute(&attribute, value, ty)?;
            }
        }
        match &mut self.types {
            Types::Given(schema, _) => {
                if let Some(attributes) = self.attributes.get_mut(first..) {
                    attributes.sort_unstable_by_key(|(number, _)| *number);
                }
                let present = self.attributes.get(first..).unwrap_or_default();
                check_attributes(&node, schema.record(&ty), present)?;
                if let Some(record) = schema.record(&ty) {
                    // Values that the schema supplies need no row.
                    let is_default = |(number, value): &(u32, &str)| {
                        record.attributes.get(*number as usize).and_then(|one| one.default.as_deref()) == Some(*value)
                    };
                    let mut kept = first;
                    for at in first..self.attributes.len() {
                        let Some(attribute) = self.attributes.get(at).copied() else { break };
                        if !is_default(&attribute) {
                            self.attributes.swap(kept, at);
                            kept += 1;
                        }
                    }
                    self.attributes.truncate(kept);
                }
            }
            Types::Drafts(drafts) => {
                if let Some(attributes) = self.attributes.get_mut(first..) {
                    attributes.sort_unstable_by_key(|(number, _)| *number);
                }
                drafts.enter(ty);
            }
        }
        let attributes = first as u32;
        self.instances.push(Instance { step, end: 0, content: ty, attributes, text: None, ordered: true });
        let progress = Progress::default();
        let (has_elements, has_words, mixed) = (false, false, None);
        self.open.push(OpenElement {
            instance,
            node,
            content,
            progress,
            ty,
            has_elements,
            has_words,
            mixed,
            preserves,
        });
        Ok(())
    }

    fn attribute(&mut self, attribute: &Node<'d>, value: &'d str, ty: Content) -> Result<(), Error> {
        let name = name(attribute)?;
        let number = match &mut self.types {
            Types::Given(schema, known) => {
                let by_name = by_name(schema, known, ty);
                let Some(number) = by_name.and_then(|by_name| by_name.attributes.get(&*name).copied()) else {
                    return Err(unfit(
                        attribute,
                        format!("the attribute {name}"),
                        "an attribute that the schema has there",
                    ));
                };
                let builtin = schema.record(&ty).and_then(|record| record.attributes.get(number as usize));
                let builtin = builtin.map_or(Builtin::Utf8String, |attribute| attribute.builtin);
                check_value(attribute, builtin, value)?;
                number
            }
            Types::Drafts(drafts) => drafts.attribute(ty, &name),
        };
        self.attributes.push((number, value));
        Ok(())
    }

    /// Collects a child of the innermost open element.
    fn child(&mut self, node: Node<'d>) -> Result<(), Error> {
        let drop = self.options.drops_comments();
        let Some(top) = self.open.last_mut() else { return Ok(()) };
        match node.kind() {
            b'<' => return self.element(node),
            b'[' | b']' => {
                let Ok(text) = node.text() else { return Err(refused(&node, "bytes that are not UTF-8", "text")) };
                let is_words = !is_white(text.as_bytes()) || top.preserves;
                if top.has_elements {
                    if is_words {
                        top.mixed.get_or_insert(node);
                    }
                    return Ok(());
                }
                top.has_words |= is_words;
                if let Some(instance) = self.instances.get_mut(top.instance) {
                    match &mut instance.text {
                        Some(joined) => joined.to_mut().push_str(text),
                        none => *none = Some(Cow::Borrowed(text)),
                    }
                }
            }
            kind if !drop => {
                return Err(refused(&node, unit(kind), "elements and text: a table cannot hold anything else"));
            }
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, node: Node<'d>) -> Result<(), Error> {
        let name = name(&node)?;
        let Some(top) = self.open.last_mut() else { return Ok(()) };
        top.has_elements = true;
        let preserves = top.preserves;
        let (step, ty) = match &mut self.types {
            Types::Given(schema, known) => {
                let (step, element) = given(schema, known, top, &name, &node)?;
                if let Some(record) = schema.record(&top.ty) {
                    top.progress.step(record, step, element, 0).map_err(|error| placed(&error, &node))?;
                }
                (step, element.content)
            }
            Types::Drafts(drafts) => {
                let (number, occurrence, ty) = drafts.element(top.ty, top.progress.last, &name);
                let step = Step { number, occurrence };
                top.progress.last = Some(step);
                (step, ty)
            }
        };
        self.enter(node, step, ty, preserves)
    }

    /// Ends the innermost open element.
    fn leave(&mut self) -> Result<(), Error> {
        let Some(top) = self.open.pop() else { return Ok(()) };
        let end = self.instances.len() as u32;
        let Some(instance) = self.instances.get_mut(top.instance) else { return Ok(()) };
        instance.end = end;
        if top.has_elements && !top.has_words {
            instance.text = None;
        }
        if let Some(text) = top.mixed.filter(|_| !self.options.drop_mixed) {
            let expected = "no text after an element: a table cannot hold mixed content";
            return Err(refused(&text, "text after an element", expected));
        }
        match &mut self.types {
            Types::Drafts(drafts) => {
                let is_octets = self.options.binary == Binary::Mime;
                drafts.leave(top.ty, instance.text.as_deref(), is_octets);
                Ok(())
            }
            Types::Given(schema, _) => {
                let builtin = match (top.ty, schema.record(&top.ty)) {
                    (_, Some(record)) => {
                        top.progress.whole(record, 0).map_err(|error| placed(&error, &top.node))?;
                        record.text
                    }
                    (Content::Value(builtin), None) => Some(builtin),
                    _ => None,
                };
                match builtin {
                    Some(builtin) => {
                        let text = instance.text.as_deref().unwrap_or("");
                        // A record may have elements instead.
                        let may_miss = text.is_empty() && !schema.elements_of(&top.ty).is_empty();
                        if may_miss { Ok(()) } else { check_value(&top.node, builtin, text) }
                    }
                    None => {
                        instance.text = None;
                        if top.has_words && !self.options.drop_mixed {
                            return Err(unfit(&top.node, "text", "no text: the schema has none there"));
                        }
                        Ok(())
                    }
                }
            }
        }
    }

    /// Assigns numbers and occurrences, once everything is known.
    fn finish(mut self) -> Result<Collected<'d>, Error> {
        let schema = match self.types {
            Types::Given(schema, _) => Arc::new(schema.clone()),
            Types::Drafts(drafts) => {
                let settled = drafts.settle();
                settled.apply(&mut self.instances);
                Arc::new(settled.schema)
            }
        };
        order(&schema, &mut self.instances);
        Ok(Collected { schema, instances: self.instances, attributes: self.attributes })
    }
}

/// Finds the element of the schema for a name in the current content.
fn given<'s>(
    schema: &'s DataSchema,
    known: &mut HashMap<u32, ByName<'s>>,
    top: &OpenElement<'_>,
    name: &str,
    node: &Node<'_>,
) -> Result<(Step, &'s Element), Error> {
    use crate::schema::Order;
    let numbers = by_name(schema, known, top.ty).and_then(|by_name| by_name.elements.get(name));
    let (Some(numbers), Some(record)) = (numbers, schema.record(&top.ty)) else {
        return Err(unfit(node, format!("the element {name}"), "an element that the schema has there"));
    };
    let last = top.progress.last;
    let fits = |number: u32, element: &Element| match (record.order, last) {
        (Order::Set, _) => element.repeated || top.progress.count(number) == 0,
        (_, None) => true,
        (_, Some(last)) if last.number == number => element.repeated,
        (Order::Sequence, Some(last)) => number > last.number,
        (Order::Choice, Some(_)) => false,
    };
    let element = |number: u32| record.elements.get(number as usize);
    let number = numbers.iter().copied().find(|number| element(*number).is_some_and(|element| fits(*number, element)));
    let Some((number, element)) = number.and_then(|number| Some((number, element(number)?))) else {
        return Err(unfit(node, format!("the element {name}"), "the order and number of elements that the schema has"));
    };
    let occurrence = match (element.repeated, record.order) {
        (false, _) => NONE,
        (true, Order::Set) => top.progress.count(number),
        (true, _) => last.filter(|last| last.number == number).map_or(0, |last| last.occurrence + 1),
    };
    Ok((Step { number, occurrence }, element))
}

fn by_name<'k, 's>(
    schema: &'s DataSchema,
    known: &'k mut HashMap<u32, ByName<'s>>,
    ty: Content,
) -> Option<&'k ByName<'s>> {
    let Content::Record(id) = ty else { return None };
    let record = schema.record(&ty)?;
    Some(known.entry(id.0).or_insert_with(|| {
        let mut by_name = ByName::default();
        for (number, element) in record.elements.iter().enumerate() {
            by_name.elements.entry(&element.name).or_default().push(number as u32);
        }
        for (number, attribute) in record.attributes.iter().enumerate() {
            by_name.attributes.insert(&attribute.name, number as u32);
        }
        by_name
    }))
}

fn check_attributes(node: &Node<'_>, record: Option<&Record>, present: &[(u32, &str)]) -> Result<(), Error> {
    let Some(record) = record else { return Ok(()) };
    let mut next = record.next_needed(0);
    while let Some(attribute) = record.attributes.get(next as usize) {
        if attribute.default.is_none() && present.binary_search_by_key(&next, |(number, _)| *number).is_err() {
            return Err(unfit(node, format!("missing attribute {}", attribute.name), ""));
        }
        next = record.next_needed(next + 1);
    }
    Ok(())
}

fn check_value(node: &Node<'_>, builtin: Builtin, value: &str) -> Result<(), Error> {
    if builtin.allows(value) {
        return Ok(());
    }
    Err(unfit(node, format!("'{}'", tam::excerpt(value).escape_debug()), builtin.expected()))
}

/// Marks the elements whose content is in the order of numbers, and removes the occurrence of elements that are not
/// repeated.
fn order(schema: &DataSchema, instances: &mut [Instance<'_>]) {
    // For each open element: its index, its end, and the last step in it.
    let mut open: Vec<(usize, u32, Option<Step>)> = Vec::new();
    for at in 0..instances.len() {
        close(instances, &mut open, at as u32);
        let Some(instance) = instances.get(at) else { break };
        let (step, end) = (instance.step, instance.end);
        if let Some((parent, _, last)) = open.last_mut() {
            let right = last.is_none_or(|last| {
                step.number > last.number
                    || step.number == last.number && step.occurrence == last.occurrence.wrapping_add(1)
            });
            *last = Some(step);
            if let Some(parent) = instances.get_mut(*parent) {
                parent.ordered &= right;
            }
        }
        open.push((at, end, None));
    }
    close(instances, &mut open, u32::MAX);
    let _ = schema;
}

fn close(instances: &mut [Instance<'_>], open: &mut Vec<(usize, u32, Option<Step>)>, at: u32) {
    while let Some((inner, end, _)) = open.last().copied() {
        if end > at {
            return;
        }
        open.pop();
        let ordered = instances.get(inner).is_none_or(|inner| inner.ordered);
        if let Some((outer, ..)) = open.last()
            && let Some(outer) = instances.get_mut(*outer)
        {
            outer.ordered &= ordered;
        }
    }
}

/// The name of an element or attribute.
fn name<'d>(node: &Node<'d>) -> Result<Cow<'d, str>, Error> {
    let name = node.name();
    let text = match str::from_utf8(name.written()) {
        Ok(written) if !name.is_extended() => Cow::Borrowed(written),
        _ => name.to_text(),
    };
    if is_name(&text) {
        return Ok(text);
    }
    let found = match text.is_empty() {
        true => format!("{} without a name", unit(node.kind())),
        false => format!("the name '{}'", text.escape_debug()),
    };
    Err(refused(node, found, "an XML name"))
}

/// The position of a unit in the document's message.
fn offset(node: &Node<'_>) -> u64 {
    let row = node.row();
    let message = node.document().texts().0.len();
    let at = match row.is_structured() || row.is_empty() && row.name_len() > 0 {
        true => row.name_at(),
        false => row.value_at(),
    };
    if (at as usize) < message { at.into() } else { 0 }
}

/// The path of a unit, or of the element that contains it.
#[cold]
fn path(node: &Node<'_>) -> String {
    let path = node.path();
    match path.rsplit_once('/') {
        Some((above, _)) if node.name().is_none() => above.to_owned(),
        _ => path,
    }
}

/// The error for content that a table cannot hold, with its path and, if known, its position in the input.
#[cold]
pub(crate) fn refused(node: &Node<'_>, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Unsupported, FORMAT, offset(node), found, expected).in_path(path(node))
}

/// The error for content that the schema does not allow.
#[cold]
fn unfit(node: &Node<'_>, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Schema, FORMAT, offset(node), found, expected).in_path(path(node))
}

#[cold]
fn placed(error: &Error, node: &Node<'_>) -> Error {
    unfit(node, error.found().clone(), error.expected().clone())
}
