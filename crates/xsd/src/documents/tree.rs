//! A schema document as a tree of what says something.

use std::collections::HashSet;

use tam::{Error, ErrorKind};
use text::xml::{self, Event, Reader, StartTag};

use super::grammar::{Form, Grammar};
use super::line::Lines;
use super::vocabulary::{Key, Tag};
use crate::names::XMLNS_NAMESPACE;
use crate::value::is_nc_name;
use crate::{Names, NamespaceId, Options, XSD_NAMESPACE};

/// No node, no scope.
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

/// A namespace declaration, and that around it.
#[derive(Clone, Debug)]
struct Binding {
    outer: u32,
    prefix: Box<str>,
    namespace: NamespaceId,
}

/// A schema document.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The first is `xs:schema`.
    pub(crate) nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    text: String,
    bindings: Vec<Binding>,
    ids: HashSet<String>,
}

/// What is open while reading.
struct Open {
    node: u32,
    last_child: u32,
    scope: u32,
    form: Form,
    grammar: Grammar,
}

impl Tree {
    /// The tree of a document. Errors tell line and column, and not the document.
    pub(crate) fn read(text: &[u8], options: &Options, names: &mut Names, room: &mut u32) -> Result<Tree, Error> {
        let mut reader = Reader::new(text, &xml::Options::default().with_limits(options.limits))?;
        let mut lines = Lines::new(text);
        let mut tree = Tree {
            nodes: Vec::new(),
            attributes: Vec::new(),
            text: String::new(),
            bindings: Vec::new(),
            ids: HashSet::new(),
        };
        let mut open: Vec<Open> = Vec::new();
        // Levels within an annotation.
        let mut passed = 0_u32;
        loop {
            let position = reader.offset();
            let fault = match reader.next_event()? {
                None => return Ok(tree),
                Some(Event::Start(tag)) if passed > 0 => {
                    passed += 1;
                    let local = tag.name().rsplit(':').next().unwrap_or("");
                    if passed > 2 || matches!(local, "appinfo" | "documentation") {
                        continue;
                    }
                    Some((format!("<{}> in an annotation", tag.name()), "<appinfo>, <documentation>".to_owned()))
                }
                Some(Event::End(_)) if passed > 0 => {
                    passed -= 1;
                    continue;
                }
                Some(Event::Start(tag)) => {
                    if *room == 0 {
                        let limit = options.limits.units.into();
                        return Err(Error::limit("xsd", position, "more elements", "units", limit));
                    }
                    *room -= 1;
                    match tree.start(tag, &mut open, names) {
                        Ok(true) => None,
                        Ok(false) => {
                            passed = 1;
                            None
                        }
                        Err(fault) => Some(fault),
                    }
                }
                Some(Event::End(_)) => match open.pop() {
                    Some(open) => open.grammar.end(open.form).err(),
                    None => None,
                },
                Some(Event::Text(text) | Event::CData(text)) if passed == 0 && !super::is_blank(text) => {
                    Some(("text".to_owned(), "elements of XML Schema".to_owned()))
                }
                Some(_) => None,
            };
            if let Some((found, expected)) = fault {
                return Err(reader.error(ErrorKind::Schema, found, expected));
            }
            if let Some(node) = tree.nodes.last_mut().filter(|node| node.line == 0) {
                let offset = reader.offset();
                node.offset = u32::try_from(offset).unwrap_or(u32::MAX);
                (node.line, node.column) = lines.of(offset);
            }
        }
    }

    /// Takes a start tag; `false` if it is that of an annotation.
    fn start(&mut self, tag: StartTag<'_>, open: &mut Vec<Open>, names: &mut Names) -> Result<bool, (String, String)> {
        let mut scope = open.last().map_or(NONE, |open| open.scope);
        for (name, value) in tag.attributes() {
            let Some(prefix) = name.strip_prefix("xmlns") else { continue };
            let prefix = match prefix.strip_prefix(':') {
                Some(prefix) => prefix,
                None if prefix.is_empty() => "",
                None => continue,
            };
            if !prefix.is_empty() && (value.is_empty() || prefix == "xmlns" || value == XMLNS_NAMESPACE) {
                return Err((format!("{name}='{value}'"), "a namespace for the prefix".to_owned()));
            }
            let namespace = names.intern_uri(value);
            self.bindings.push(Binding { outer: scope, prefix: prefix.into(), namespace });
            scope = self.bindings.len() as u32 - 1;
        }
        let (prefix, local) = tag.name().split_once(':').unwrap_or(("", tag.name()));
        let namespace = self.find(scope, prefix);
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
            attributes: self.keep_attributes(tag, form, scope)?,
        };
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        if let Some(parent) = open.last_mut() {
            match parent.last_child {
                NONE => self.nodes[parent.node as usize].first_child = id,
                last => self.nodes[last as usize].next = id,
            }
            parent.last_child = id;
        }
        open.push(Open { node: id, last_child: NONE, scope, form, grammar: Grammar::default() });
        Ok(true)
    }

    fn keep_attributes(&mut self, tag: StartTag<'_>, form: Form, scope: u32) -> Result<(u32, u32), (String, String)> {
        let start = self.attributes.len() as u32;
        for (name, value) in tag.attributes() {
            match name.split_once(':') {
                None if name == "xmlns" => continue,
                Some((prefix, _)) => match self.find(scope, prefix) {
                    _ if prefix == "xmlns" => continue,
                    Some(NamespaceId::XSD) => {
                        let expected = "attributes without a prefix, or of another namespace".to_owned();
                        return Err((format!("the attribute '{name}'"), expected));
                    }
                    Some(_) => continue,
                    None => return Err((format!("the prefix of '{name}'"), "a prefix that is bound".to_owned())),
                },
                None => {}
            }
            let key = Key::find(name).filter(|key| form.allows(*key));
            let Some(key) = key else {
                return Err((format!("the attribute '{name}' of <{}>", tag.name()), form.attribute_words()));
            };
            if key == Key::Id && (!is_nc_name(value.trim()) || !self.ids.insert(value.trim().to_owned())) {
                return Err((format!("id='{value}'"), "a name that no other element has".to_owned()));
            }
            let from = self.text.len() as u32;
            self.text.push_str(value);
            self.attributes.push(Attribute { key, value: (from, self.text.len() as u32) });
        }
        Ok((start, self.attributes.len() as u32))
    }

    /// The value of an attribute of a node, as written.
    pub(crate) fn attribute(&self, node: u32, key: Key) -> Option<&str> {
        let (from, to) = self.nodes[node as usize].attributes;
        let found = self.attributes[from as usize..to as usize].iter().find(|attribute| attribute.key == key)?;
        self.text.get(found.value.0 as usize..found.value.1 as usize)
    }

    /// The prefixes that the root declares, in order, but for the empty one.
    pub(crate) fn prefixes(&self) -> impl Iterator<Item = (&str, NamespaceId)> {
        // Those of the root come first, each within the one before.
        let count = self.nodes.first().map_or(0, |root| if root.scope == NONE { 0 } else { root.scope + 1 });
        let declared = self.bindings.iter().take(count as usize);
        declared.filter(|one| !one.prefix.is_empty()).map(|one| (&*one.prefix, one.namespace))
    }

    /// The namespace of a prefix at a node; none for the empty prefix where there is no default.
    pub(crate) fn namespace(&self, node: u32, prefix: &str) -> Option<NamespaceId> {
        self.find(self.nodes[node as usize].scope, prefix)
    }

    fn find(&self, mut scope: u32, prefix: &str) -> Option<NamespaceId> {
        if prefix == "xml" {
            return Some(NamespaceId::XML);
        }
        while scope != NONE {
            let binding = &self.bindings[scope as usize];
            if *binding.prefix == *prefix {
                return Some(binding.namespace);
            }
            scope = binding.outer;
        }
        prefix.is_empty().then_some(NamespaceId::NONE)
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
