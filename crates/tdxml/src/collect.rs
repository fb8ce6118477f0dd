//! Collects a document as the rows to write: its elements in order, each with its number and occurrence.

mod draft;
mod given;

use std::borrow::Cow;

use tam::xml::unit;
use tam::{Builder, Children, Document, Error, ErrorKind, Limits, Node, Table, TypeSet, Vocabulary, Words as Message};
use xml::chars::is_white;
use xml::name::is_name;

use crate::items::{Class, Items, single};
use crate::path::{REST, Step};
use crate::progress::{Progress, missing};
use crate::rest::{self, Place};
use crate::schema::{Content, DataSchema, NONE, RecordId, ValueType};
use crate::{Binary, FORMAT, Options};
use draft::Drafts;
use given::{Given, Wild};

/// A document, ready to be written.
#[derive(Debug)]
pub(crate) struct Collected<'s> {
    pub(crate) schema: Cow<'s, DataSchema>,
    pub(crate) items: Items,
}

/// The names and contents of elements: from a schema, or inferred from the document.
enum Types<'s> {
    Given(Given<'s>),
    Drafts(Drafts),
}

/// An element whose content is being collected.
struct OpenElement<'d, 's> {
    item: usize,
    node: Node<'d>,
    content: Children<'d>,
    progress: Progress,
    /// The type; with drafts, the number of the draft.
    ty: Content,
    /// What it may have without a number.
    wild: Wild<'s>,
    /// Whether white space is kept: `xml:space="preserve"`.
    preserves: bool,
    /// The number of declarations around it.
    declared: usize,
}

/// What is known of an element that begins.
struct Start<'n> {
    name: &'n str,
    step: Step,
    ty: Content,
    /// The number of declarations around it.
    declared: usize,
    /// What has no number so far.
    rest: String,
    /// Whether white space is kept around it.
    preserves: bool,
}

/// What the content of an element is, apart from its elements.
struct Words<'d> {
    /// The text before the first element.
    text: Option<Cow<'d, str>>,
    /// Whether there are comments or instructions.
    has_notes: bool,
    /// The first text after an element.
    later: Option<Node<'d>>,
    /// Whether all text is kept.
    keeps: bool,
}

/// Collects a document.
///
/// # Errors
/// Of kind unsupported if it has content that a table cannot hold; of kind schema if it does not match the schema.
pub(crate) fn collect<'s>(document: &Document<'_>, options: &Options<'s>) -> Result<Collected<'s>, Error> {
    if document.types().vocabulary() != Vocabulary::Xml {
        return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, "a document that is not XML", "one of XML"));
    }
    tam::xml::refuse_references(document, FORMAT)?;
    let types = match options.schema {
        Some(schema) => Types::Given(Given::new(schema)),
        None => Types::Drafts(Drafts::default()),
    };
    let mut collector = Collector { types, options, items: Items::default(), found: Vec::new(), open: Vec::new() };
    collector.document(document)?;
    collector.finish()
}

struct Collector<'d, 'o, 's> {
    types: Types<'s>,
    options: &'o Options<'s>,
    items: Items,
    /// The attributes of the element that begins, by number.
    found: Vec<(u32, &'d str)>,
    open: Vec<OpenElement<'d, 's>>,
}

impl<'d, 's> Collector<'d, '_, 's> {
    fn document(&mut self, document: &'d Document<'d>) -> Result<(), Error> {
        let (mut roots, mut around, mut note) = (Vec::new(), String::new(), None);
        for node in tam::xml::around(document) {
            match node.kind() {
                b'<' => roots.push(node),
                _ if self.options.drops_comments() => {}
                _ => {
                    let place = if roots.is_empty() { Place::Before } else { Place::After };
                    push_note(&mut around, &node, place)?;
                    note.get_or_insert(node);
                }
            }
        }
        let Some(first) = roots.first() else {
            return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, "no element", "a root element"));
        };
        if let Some(note) = note.filter(|_| roots.len() > 1) {
            return Err(refused(&note, unit(note.kind()), "nothing beside several root elements"));
        }
        let mut progress = Progress::default();
        for root in &roots {
            if root.name() != first.name() {
                return Err(refused(root, "another root element", format!("one root element, {}", first.name())));
            }
            self.root(*root, roots.len() > 1, &mut progress, std::mem::take(&mut around))?;
        }
        Ok(())
    }

    fn root(&mut self, node: Node<'d>, several: bool, progress: &mut Progress, rest: String) -> Result<(), Error> {
        let name = name(&node)?;
        let mut declared = 0;
        let (step, ty) = match &mut self.types {
            Types::Given(given) => {
                declared = given.declare(&node)?;
                let root = given.schema.root();
                if given.key(&name, false) != (root.name_at.namespace, root.local()) {
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
        self.enter(node, Start { name: &name, step, ty, declared, rest, preserves: false })?;
        while let Some(top) = self.open.last_mut() {
            match top.content.next() {
                Some(child) if child.kind() == b'<' => self.element(child)?,
                Some(_) => {}
                None => self.leave()?,
            }
        }
        Ok(())
    }

    /// Begins an element: collects its attributes, its text, and what has no number.
    fn enter(&mut self, node: Node<'d>, start: Start<'_>) -> Result<(), Error> {
        let Start { name, step, ty, declared, mut rest, mut preserves } = start;
        let mut content = node.children();
        let list = content.clone().next().filter(|first| first.kind() == b'=');
        let mut wild = Wild::default();
        if let Types::Given(given) = &self.types {
            given.push_prefix(name, &mut rest);
            wild = given.wild(&node, ty);
        }
        if let Some(list) = list {
            content.next();
            for attribute in list.children() {
                let Ok(value) = attribute.text() else {
                    return Err(refused(&attribute, "bytes that are not UTF-8", "text"));
                };
                if attribute.name() == *"xml:space" {
                    preserves = value == "preserve";
                }
                let name = self::name(&attribute)?;
                let number = match &mut self.types {
                    Types::Given(given) => given.attribute(&attribute, &name, value, ty, wild, &mut rest)?,
                    Types::Drafts(drafts) => Some(drafts.attribute(ty, &name, value)),
                };
                self.found.extend(number.map(|number| (number, value)));
            }
        }
        self.found.sort_unstable_by_key(|(number, _)| *number);
        match &mut self.types {
            Types::Given(given) => given.check_attributes(&node, ty, &mut self.found)?,
            Types::Drafts(drafts) => drafts.enter(ty),
        }
        let text = self.words(&node, content.clone(), ty, wild.has_elements(), preserves, &mut rest)?;
        if let (Types::Drafts(drafts), Some(text)) = (&mut self.types, &text) {
            drafts.text(ty, text, self.options.binary == Binary::Mime);
        }
        // A simple element is its text, unless it has something else as well.
        let is_text = matches!(ty, Content::Value(_)) && rest.is_empty();
        let own = self.items.text(text.as_deref().filter(|_| is_text).unwrap_or_default())?;
        let item = self.items.push(Class::Element, step, ty, own);
        if !rest.is_empty() {
            let may = match &mut self.types {
                Types::Given(given) => given.schema.has_rest(&ty),
                Types::Drafts(drafts) => drafts.rest(ty),
            };
            if !may {
                let expected = "elements and text: the schema has no place for anything else";
                return Err(refused(&node, "a comment, an instruction or text between elements", expected));
            }
            let rest = self.items.text(&rest::escaped(&rest))?;
            self.items.push(Class::Rest, single(REST), Content::Value(ValueType::TEXT), rest);
        }
        for (number, value) in std::mem::take(&mut self.found) {
            let of = match &mut self.types {
                Types::Given(given) => given.attribute_type(ty, number),
                Types::Drafts(_) => ValueType::TEXT,
            };
            let value = self.items.text(value)?;
            self.items.push(Class::Attribute, single(number), Content::Value(of), value);
        }
        let text = text.filter(|text| !is_text && !text.is_empty());
        if let Some(text) = text {
            let of = match &self.types {
                Types::Given(given) => given.text(ty).0.unwrap_or(ValueType::TEXT),
                Types::Drafts(_) => ValueType::TEXT,
            };
            let text = self.items.text(&text)?;
            self.items.push(Class::Text, single(0), Content::Value(of), text);
        }
        let progress = Progress::default();
        self.open.push(OpenElement { item, node, content, progress, ty, wild, preserves, declared });
        Ok(())
    }

    /// The text of an element before its first element. Adds other text, comments and elements without a number to
    /// the rest.
    fn words(
        &mut self,
        node: &Node<'d>,
        content: Children<'d>,
        ty: Content,
        is_wild: bool,
        preserves: bool,
        rest: &mut String,
    ) -> Result<Option<Cow<'d, str>>, Error> {
        let mut words = Words { text: None, has_notes: false, later: None, keeps: preserves };
        let mut has_elements = false;
        for child in content.clone() {
            match child.kind() {
                b'<' => has_elements = true,
                b'[' | b']' => {
                    let Ok(text) = child.text() else {
                        return Err(refused(&child, "bytes that are not UTF-8", "text"));
                    };
                    let is_words = !is_white(text.as_bytes());
                    words.keeps |= is_words && !(has_elements && self.options.drop_mixed);
                    if has_elements {
                        words.later = words.later.or(Some(child));
                        continue;
                    }
                    match &mut words.text {
                        Some(joined) => joined.to_mut().push_str(text),
                        none => *none = Some(Cow::Borrowed(text)),
                    }
                }
                _ => words.has_notes = true,
            }
        }
        if has_elements && !words.keeps {
            words.text = None;
        }
        words.later = words.later.filter(|_| words.keeps && !self.options.drop_mixed);
        words.has_notes &= !self.options.drops_comments();
        let mut leads = false;
        if let Types::Given(given) = &self.types {
            let (builtin, may) = given.text(ty);
            if builtin.is_none() {
                let has_words = words.keeps
                    && (words.later.is_some() || words.text.as_deref().is_some_and(|text| !is_white(text.as_bytes())));
                if has_words && !may && !self.options.drop_mixed {
                    return Err(unfit(node, "text", "no text: the schema has none there"));
                }
                // White space alone is kept as well, as no element is beside it.
                let is_alone = given.schema.has_namespaces() && !has_elements;
                leads = (may && words.keeps || is_alone) && words.text.is_some();
                words.text = words.text.filter(|_| leads);
            }
            if let Some(later) = words.later.filter(|_| !may) {
                return Err(unfit(&later, "text after an element", "no text there: the schema has none"));
            }
        }
        if words.has_notes || words.later.is_some() || leads || is_wild && has_elements {
            self.items(content, &words, leads, is_wild.then_some(ty), rest)?;
        }
        if leads {
            words.text = None;
        }
        if let Types::Given(given) = &self.types {
            given.check_text(node, ty, words.text.as_deref(), has_elements)?;
        }
        Ok(words.text)
    }

    /// Appends what has no number. If `leads`, the text before the first element is among it.
    fn items(
        &mut self,
        content: Children<'d>,
        words: &Words<'d>,
        leads: bool,
        wild: Option<Content>,
        rest: &mut String,
    ) -> Result<(), Error> {
        let (mut children, mut offset, mut is_first) = (0, 0, true);
        let has_text = words.text.is_some() && !leads;
        let mut joined = String::new();
        for child in content {
            let place = Place::Inside(children, if children == 0 && has_text { offset } else { 0 });
            let is_text = matches!(child.kind(), b'[' | b']');
            if !is_text && !joined.is_empty() {
                rest::push(rest, place, rest::Kind::Text, &[&joined]);
                joined.clear();
            }
            match child.kind() {
                b'<' => {
                    is_first = false;
                    let is_column = match (&mut self.types, wild) {
                        (Types::Given(given), Some(ty)) => given.has_column(&child, ty)?,
                        _ => true,
                    };
                    if is_column {
                        children += 1;
                    } else {
                        rest::push(rest, place, rest::Kind::Element, &[&as_xml(&child)?]);
                    }
                }
                _ if is_text => {
                    let text = child.text().unwrap_or_default();
                    if is_first && has_text {
                        offset += text.len() as u32;
                    } else if is_first && leads || !is_first && words.later.is_some() {
                        joined.push_str(text);
                    }
                }
                _ if words.has_notes => push_note(rest, &child, place)?,
                _ => {}
            }
        }
        if !joined.is_empty() {
            let place = Place::Inside(children, if children == 0 && has_text { offset } else { 0 });
            rest::push(rest, place, rest::Kind::Text, &[&joined]);
        }
        Ok(())
    }

    fn element(&mut self, node: Node<'d>) -> Result<(), Error> {
        let name = name(&node)?;
        let Some(top) = self.open.last_mut() else { return Ok(()) };
        let (preserves, mut declared) = (top.preserves, 0);
        let (step, ty) = match &mut self.types {
            Types::Given(given) => {
                declared = given.declare(&node)?;
                let Some((step, element)) = given.element(top, &name, &node)? else {
                    given.bindings.end(declared);
                    return Ok(());
                };
                if let Some(record) = given.schema.record(&top.ty) {
                    let from = top.progress.step(record, step, element, 0);
                    let complete = from.and_then(|from| missing(record, from, step.number, 0));
                    complete.map_err(|error| located(&error, &node))?;
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
        self.enter(node, Start { name: &name, step, ty, declared, rest: String::new(), preserves })
    }

    /// Ends the innermost open element.
    fn leave(&mut self) -> Result<(), Error> {
        let Some(top) = self.open.pop() else { return Ok(()) };
        self.items.end(top.item);
        let Types::Given(given) = &mut self.types else { return Ok(()) };
        given.bindings.end(top.declared);
        let whole = given.schema.record(&top.ty).map_or(Ok(()), |record| top.progress.whole(record, 0));
        whole.map_err(|error| located(&error, &top.node))
    }

    /// Assigns numbers and occurrences, once everything is known.
    fn finish(mut self) -> Result<Collected<'s>, Error> {
        let schema = match self.types {
            Types::Given(given) => Cow::Borrowed(given.schema),
            Types::Drafts(drafts) => {
                let settled = drafts.settle();
                settled.apply(&mut self.items);
                Cow::Owned(settled.schema)
            }
        };
        self.items.mark_order();
        if self.options.binary == Binary::Mime {
            self.items.move_octets()?;
        }
        Ok(Collected { schema, items: self.items })
    }
}

/// The namespace (empty for none) and the local name of the root element of a document.
///
/// # Errors
/// Of kind unsupported if the document is not XML.
pub fn root_name(document: &Document<'_>) -> Result<(String, String), Error> {
    let no_root = || Error::new(ErrorKind::Unsupported, FORMAT, 0, "no element", "a root element");
    xml::namespaces::root_name(document).ok_or_else(no_root)
}

/// Appends a comment, an instruction or a DOCTYPE.
fn push_note(rest: &mut String, node: &Node<'_>, place: Place) -> Result<(), Error> {
    let kind = match node.kind() {
        b'+' => rest::Kind::Comment,
        b'?' => rest::Kind::Instruction,
        b'!' => rest::Kind::Doctype,
        kind => return Err(refused(node, unit(kind), "elements, text, comments and instructions")),
    };
    match node.text() {
        Ok(text) => rest::push(rest, place, kind, &[text]),
        Err(_) => return Err(refused(node, "bytes that are not UTF-8", "text")),
    }
    Ok(())
}

/// An element as XML.
fn as_xml(node: &Node<'_>) -> Result<String, Error> {
    let mut table = Table::new();
    let mut builder = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
    tam::xml::copy(*node, &mut builder)?;
    builder.finish()?;
    let options = text::xml::Options::default().with_namespaces(false);
    let written = text::xml::write(&table.document(b"", TypeSet::XML), &options);
    let written = written.map_err(|error| refused(node, error.found().clone(), error.expected().clone()))?;
    String::from_utf8(written).map_err(|_| refused(node, "bytes that are not UTF-8", "text"))
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
pub(crate) fn refused(node: &Node<'_>, found: impl Into<Message>, expected: impl Into<Message>) -> Error {
    Error::new(ErrorKind::Unsupported, FORMAT, offset(node), found, expected).in_path(path(node))
}

/// The error for content that the schema does not allow.
#[cold]
fn unfit(node: &Node<'_>, found: impl Into<Message>, expected: impl Into<Message>) -> Error {
    Error::new(ErrorKind::Schema, FORMAT, offset(node), found, expected).in_path(path(node))
}

#[cold]
fn located(error: &Error, node: &Node<'_>) -> Error {
    unfit(node, error.found().clone(), error.expected().clone())
}
