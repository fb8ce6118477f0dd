//! A schema document as a tree of what says something.

use std::collections::HashSet;

use ::xml::chars::is_white;
use ::xml::name::is_local;
use ::xml::white_space::trim;
use tam::{Error, ErrorKind};
use text::xml::{self, Event, Reader, StartTag};

use super::grammar::{Form, Grammar};
use super::line::Lines;
use super::scopes::{OUTSIDE, Scopes};
use super::vocabulary::{Key, Tag};
use crate::{Names, NamespaceId, Options, WSDL_NAMESPACE, XSD_NAMESPACE};

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// An element. Annotations and what is in them are left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) tag: Tag,
    pub(crate) first_child: u32,
    pub(crate) next: u32,
    pub(crate) offset: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The innermost of the namespace declarations that hold.
    scope: u32,
    attributes: (u32, u32),
}

#[derive(Clone, Copy, Debug)]
struct Attribute {
    key: Key,
    value: (u32, u32),
}

/// A schema document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    /// The first is `xs:schema`.
    pub(crate) nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    text: String,
    scopes: Scopes,
    ids: HashSet<String>,
}

/// What is wrong with an event, and what could be there instead.
pub(crate) type Fault = (String, String);

/// A tree while its document is read, event by event.
#[derive(Debug, Default)]
pub(crate) struct Growing {
    tree: Tree,
    /// The scope around the root.
    outer: u32,
    open: Vec<Open>,
    /// Levels within an annotation.
    passed: u32,
}

/// What is open while reading.
#[derive(Debug)]
struct Open {
    node: u32,
    last_child: u32,
    scope: u32,
    form: Form,
    grammar: Grammar,
}

impl Growing {
    /// A tree whose root stands in a scope of another document.
    pub(crate) fn within(scopes: &Scopes, outer: u32) -> Growing {
        let scopes = scopes.alone(outer);
        let outer = scopes.last();
        Growing { tree: Tree { scopes, ..Tree::default() }, outer, ..Growing::default() }
    }

    /// Takes the next event of the document.
    pub(crate) fn take(&mut self, event: Event<'_>, names: &mut Names) -> Result<(), Fault> {
        match event {
            Event::Start(tag) if self.passed > 0 => {
                self.passed += 1;
                let local = tag.name().rsplit(':').next().unwrap_or("");
                if self.passed > 2 || matches!(local, "appinfo" | "documentation") {
                    return Ok(());
                }
                Err((format!("<{}> in an annotation", tag.name()), "<appinfo>, <documentation>".to_owned()))
            }
            Event::End(_) if self.passed > 0 => {
                self.passed -= 1;
                Ok(())
            }
            Event::Start(tag) => {
                if !self.start(tag, names)? {
                    self.passed = 1;
                }
                Ok(())
            }
            Event::End(_) => self.open.pop().map_or(Ok(()), |open| open.grammar.end(open.form)),
            Event::Text(text) | Event::CData(text) if self.passed == 0 && !is_white(text.as_bytes()) => {
                Err(("text".to_owned(), "elements of XML Schema".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Whether the event taken last, at `offset`, was a start tag in the tree: it is told where it stands.
    pub(crate) fn place(&mut self, offset: u64, lines: &mut Lines<'_>) {
        if let Some(node) = self.tree.nodes.last_mut().filter(|node| node.line == 0) {
            node.offset = u32::try_from(offset).unwrap_or(u32::MAX);
            (node.line, node.column) = lines.of(offset);
        }
    }

    /// The tree, once its root has ended.
    pub(crate) fn finished(&mut self) -> Option<Tree> {
        let is_over = self.open.is_empty() && self.passed == 0 && !self.tree.nodes.is_empty();
        is_over.then(|| std::mem::take(&mut self.tree))
    }

    /// Takes a start tag; `false` if it is that of an annotation.
    fn start(&mut self, tag: StartTag<'_>, names: &mut Names) -> Result<bool, Fault> {
        let (tree, open) = (&mut self.tree, &mut self.open);
        let around = match open.last() {
            Some(open) => open.scope,
            None if tree.nodes.is_empty() => self.outer,
            None => OUTSIDE,
        };
        let scope = tree.scopes.declare(around, tag, names);
        let (prefix, local) = tag.name().split_once(':').unwrap_or(("", tag.name()));
        let namespace = tree.scopes.find(scope, prefix);
        let known = if namespace == Some(NamespaceId::XSD) { Tag::find(local) } else { None };
        let form = match open.last_mut() {
            None if known == Some(Tag::Schema) => Form::Schema,
            None => {
                return Err((format!("<{}>", tag.name()), format!("<schema> of the namespace {XSD_NAMESPACE}")));
            }
            Some(open) => open.grammar.child(open.form, known, tag.name())?,
        };
        if form == Form::Annotation {
            return Ok(false);
        }
        let Some(known) = known else { return Ok(false) };
        let node = Node {
            tag: known,
            first_child: NONE,
            next: NONE,
            offset: 0,
            line: 0,
            column: 0,
            scope,
            attributes: tree.keep_attributes(tag, form, scope, names)?,
        };
        let id = tree.nodes.len() as u32;
        tree.nodes.push(node);
        if let Some(parent) = open.last_mut() {
            match parent.last_child {
                NONE => tree.nodes[parent.node as usize].first_child = id,
                last => tree.nodes[last as usize].next = id,
            }
            parent.last_child = id;
        }
        open.push(Open { node: id, last_child: NONE, scope, form, grammar: Grammar::default() });
        Ok(true)
    }
}

impl Tree {
    /// The tree of a document. Errors tell line and column, and not the document.
    pub(crate) fn read(text: &[u8], options: &Options, names: &mut Names, room: &mut u32) -> Result<Tree, Error> {
        let mut reader = Reader::new(text, &xml::Options::default().with_limits(options.limits))?;
        let mut lines = Lines::new(text);
        let mut growing = Growing { outer: OUTSIDE, ..Growing::default() };
        loop {
            let position = reader.offset();
            let Some(event) = reader.next_event()? else { return Ok(growing.tree) };
            take_room(room, &event, position, options)?;
            if let Err((found, expected)) = growing.take(event, names) {
                return Err(reader.error(ErrorKind::Schema, found, expected));
            }
            growing.place(reader.offset(), &mut lines);
        }
    }

    fn keep_attributes(
        &mut self,
        tag: StartTag<'_>,
        form: Form,
        scope: u32,
        names: &Names,
    ) -> Result<(u32, u32), Fault> {
        let start = self.attributes.len() as u32;
        for (name, value) in tag.attributes() {
            match name.split_once(':') {
                None if name == "xmlns" => continue,
                Some((prefix, local)) => match self.scopes.find(scope, prefix) {
                    _ if prefix == "xmlns" => continue,
                    Some(namespace) if local == "arrayType" && names.uri(namespace) == WSDL_NAMESPACE => {
                        self.keep_attribute(Key::ArrayType, value);
                        continue;
                    }
                    Some(NamespaceId::XSD) => {
                        let expected = "attributes without a prefix, or of another namespace".to_owned();
                        return Err((format!("the attribute '{name}'"), expected));
                    }
                    Some(_) => continue,
                    None => return Err((format!("the prefix of '{name}'"), "a declared prefix".to_owned())),
                },
                None => {}
            }
            let key = Key::find(name).filter(|key| form.allows(*key));
            let Some(key) = key else {
                return Err((format!("the attribute '{name}' of <{}>", tag.name()), form.attribute_words()));
            };
            if key == Key::Id && (!is_local(trim(value)) || !self.ids.insert(trim(value).to_owned())) {
                return Err((format!("id='{value}'"), "a name that no other element has".to_owned()));
            }
            self.keep_attribute(key, value);
        }
        Ok((start, self.attributes.len() as u32))
    }

    fn keep_attribute(&mut self, key: Key, value: &str) {
        let from = self.text.len() as u32;
        self.text.push_str(value);
        self.attributes.push(Attribute { key, value: (from, self.text.len() as u32) });
    }

    /// The value of an attribute of a node, as written.
    pub(crate) fn attribute(&self, node: u32, key: Key) -> Option<&str> {
        let (from, to) = self.nodes[node as usize].attributes;
        let found = self.attributes[from as usize..to as usize].iter().find(|attribute| attribute.key == key)?;
        self.text.get(found.value.0 as usize..found.value.1 as usize)
    }

    /// The prefixes that the root declares, in order, but for the empty one.
    pub(crate) fn prefixes(&self) -> impl Iterator<Item = (&str, NamespaceId)> {
        self.scopes.within(self.nodes.first().map_or(OUTSIDE, |root| root.scope))
    }

    /// The namespace of a prefix at a node; none for the empty prefix where there is no default.
    pub(crate) fn namespace(&self, node: u32, prefix: &str) -> Option<NamespaceId> {
        self.scopes.find(self.nodes[node as usize].scope, prefix)
    }

    /// The children of a node.
    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let first = self.nodes[node as usize].first_child;
        let next = |node: u32| (node != NONE).then_some(node);
        std::iter::successors(next(first), move |node| next(self.nodes[*node as usize].next))
    }

    /// The first child of a tag.
    pub(crate) fn child(&self, node: u32, tag: Tag) -> Option<u32> {
        self.children(node).find(|child| self.nodes[*child as usize].tag == tag)
    }

    pub(crate) fn tag(&self, node: u32) -> Tag {
        self.nodes[node as usize].tag
    }
}

/// One more element of those that all documents together may have.
pub(crate) fn take_room(room: &mut u32, event: &Event<'_>, position: u64, options: &Options) -> Result<(), Error> {
    if !matches!(event, Event::Start(_)) {
        return Ok(());
    }
    let left = room.checked_sub(1);
    *room = left.ok_or_else(|| Error::limit("xsd", position, "more elements", "units", options.limits.units.into()))?;
    Ok(())
}
