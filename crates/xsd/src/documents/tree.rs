//! A schema document as a tree, without annotations.

use std::collections::HashSet;

use ::xml::chars::is_white;
use ::xml::name::{is_local, split};
use ::xml::white_space::trim;
use tam::{Error, ErrorKind};
use text::xml::{self, Event, Reader, StartTag};

use super::grammar::{Form, Grammar};
use super::line::Lines;
use super::loading::Loading;
use super::scopes::{OUTSIDE, Scopes};
use super::vocabulary::{Key, Tag};
use crate::{Names, NamespaceId, WSDL_NAMESPACE, XSD_NAMESPACE};

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
    /// The scope of its namespace declarations.
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
    /// The nodes; the first is `xs:schema`.
    pub(crate) nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    text: String,
    scopes: Scopes,
    ids: HashSet<String>,
}

/// What was found in a document, and what was expected instead.
pub(crate) type Fault = (String, String);

/// Builds a tree from the events of a document.
#[derive(Debug, Default)]
pub(crate) struct TreeBuilder {
    tree: Tree,
    /// The scope around the root.
    outer: u32,
    open: Vec<OpenElement>,
    /// How many elements of an annotation are open.
    annotation_depth: u32,
}

/// An open element.
#[derive(Debug)]
struct OpenElement {
    node: u32,
    last_child: u32,
    scope: u32,
    form: Form,
    grammar: Grammar,
}

impl TreeBuilder {
    /// A builder for a tree that is embedded in a scope of another document.
    pub(crate) fn within(scopes: &Scopes, outer: u32) -> TreeBuilder {
        let scopes = scopes.alone(outer);
        let outer = scopes.last();
        TreeBuilder { tree: Tree { scopes, ..Tree::default() }, outer, ..TreeBuilder::default() }
    }

    /// Adds the next event of the document.
    pub(crate) fn take(&mut self, event: Event<'_>, names: &mut Names) -> Result<(), Fault> {
        match event {
            Event::Start(tag) if self.annotation_depth > 0 => {
                self.annotation_depth += 1;
                let local = tag.name().rsplit(':').next().unwrap_or("");
                if self.annotation_depth > 2 || matches!(local, "appinfo" | "documentation") {
                    return Ok(());
                }
                Err((format!("<{}> in an annotation", tag.name()), "<appinfo>, <documentation>".to_owned()))
            }
            Event::End(_) if self.annotation_depth > 0 => {
                self.annotation_depth -= 1;
                Ok(())
            }
            Event::Start(tag) => {
                if !self.start(tag, names)? {
                    self.annotation_depth = 1;
                }
                Ok(())
            }
            Event::End(_) => self.open.pop().map_or(Ok(()), |open| open.grammar.end(open.form)),
            Event::Text(text) | Event::CData(text) if self.annotation_depth == 0 && !is_white(text.as_bytes()) => {
                Err(("text".to_owned(), "elements of XML Schema".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Sets the position of the last node, if the last event, at `offset`, was its start tag.
    pub(crate) fn set_position(&mut self, offset: u64, lines: &mut Lines<'_>) {
        if let Some(node) = self.tree.nodes.last_mut().filter(|node| node.line == 0) {
            node.offset = u32::try_from(offset).unwrap_or(u32::MAX);
            (node.line, node.column) = lines.of(offset);
        }
    }

    /// The tree, when its root has ended.
    pub(crate) fn finished(&mut self) -> Option<Tree> {
        let is_over = self.open.is_empty() && self.annotation_depth == 0 && !self.tree.nodes.is_empty();
        is_over.then(|| std::mem::take(&mut self.tree))
    }

    /// Adds a start tag; `false` if it begins an annotation.
    fn start(&mut self, tag: StartTag<'_>, names: &mut Names) -> Result<bool, Fault> {
        let (tree, open) = (&mut self.tree, &mut self.open);
        let around = match open.last() {
            Some(open) => open.scope,
            None if tree.nodes.is_empty() => self.outer,
            None => OUTSIDE,
        };
        let scope = tree.scopes.declare(around, tag, names);
        let (prefix, local) = split(tag.name());
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
        open.push(OpenElement { node: id, last_child: NONE, scope, form, grammar: Grammar::default() });
        Ok(true)
    }
}

impl Tree {
    /// Reads a document. Errors have a line and a column; the caller adds the document.
    pub(crate) fn read(text: &[u8], loading: &mut Loading<'_>) -> Result<Tree, Error> {
        let mut reader = Reader::new(text, &xml::Options::default().with_limits(loading.options.limits))?;
        let mut lines = Lines::new(text);
        let mut builder = TreeBuilder { outer: OUTSIDE, ..TreeBuilder::default() };
        loop {
            let position = reader.offset();
            let Some(event) = reader.next_event()? else { return Ok(builder.tree) };
            loading.count(&event, position)?;
            if let Err((found, expected)) = builder.take(event, loading.names) {
                return Err(reader.error(ErrorKind::Schema, found, expected));
            }
            builder.set_position(reader.offset(), &mut lines);
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

    /// The prefixes that the root declares, in order, except for the empty one.
    pub(crate) fn prefixes(&self) -> impl Iterator<Item = (&str, NamespaceId)> {
        self.scopes.within(self.nodes.first().map_or(OUTSIDE, |root| root.scope))
    }

    /// The namespace of a prefix at a node; `None` if it is not declared.
    pub(crate) fn namespace(&self, node: u32, prefix: &str) -> Option<NamespaceId> {
        self.scopes.find(self.nodes[node as usize].scope, prefix)
    }

    /// The children of a node.
    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let first = self.nodes[node as usize].first_child;
        let next = |node: u32| (node != NONE).then_some(node);
        std::iter::successors(next(first), move |node| next(self.nodes[*node as usize].next))
    }

    /// The first child with a tag.
    pub(crate) fn child(&self, node: u32, tag: Tag) -> Option<u32> {
        self.children(node).find(|child| self.nodes[*child as usize].tag == tag)
    }

    pub(crate) fn tag(&self, node: u32) -> Tag {
        self.nodes[node as usize].tag
    }
}
