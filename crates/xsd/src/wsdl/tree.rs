//! A WSDL document as a tree of its elements, and the schemas in it as trees of their own.

use ::xml::name::split;
use ::xml::namespaces::declared;
use ::xml::white_space::trim;
use tam::{Error, ErrorKind};
use text::xml::{self, Event, Reader, StartTag};

use crate::documents::{Fault, Lines, Loading, OUTSIDE, Scopes, Tree as SchemaTree, TreeBuilder};
use crate::{Name, Names, NamespaceId, WSDL_NAMESPACE, XSD_NAMESPACE};

const NONE: u32 = u32::MAX;

/// An element. `wsdl:documentation` and schemas are left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) name: Name,
    pub(super) offset: u32,
    pub(super) line: u32,
    pub(super) column: u32,
    scope: u32,
    first_child: u32,
    next: u32,
    attributes: (u32, u32),
}

#[derive(Clone, Debug)]
struct Attribute {
    name: Name,
    value: Box<str>,
}

/// A document of WSDL.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// The nodes; the first is `wsdl:definitions`.
    pub(super) nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    scopes: Scopes,
}

/// A document: a description or a schema.
pub(super) enum Read {
    /// A description, and the schemas in it.
    Description(Tree, Vec<SchemaTree>),
    /// A schema document.
    Schema,
}

/// An open element.
struct Open {
    node: u32,
    last_child: u32,
    scope: u32,
    /// Whether it is `wsdl:types`.
    types: bool,
}

impl Tree {
    /// Reads a document. Errors have a line and a column; the caller adds the document.
    pub(super) fn read(text: &[u8], loading: &mut Loading<'_>) -> Result<Read, Error> {
        let mut reader = Reader::new(text, &xml::Options::default().with_limits(loading.options.limits))?;
        let mut lines = Lines::new(text);
        let (mut tree, mut schemas) = (Tree::default(), Vec::new());
        let mut open: Vec<Open> = Vec::new();
        let mut builder: Option<TreeBuilder> = None;
        // How many elements of a documentation are open.
        let mut passed = 0_u32;
        loop {
            let position = reader.offset();
            let Some(event) = reader.next_event()? else { return Ok(Read::Description(tree, schemas)) };
            loading.count(&event, position)?;
            let taken = match (event, &mut builder) {
                (event, Some(schema)) => schema.take(event, loading.names),
                (Event::Start(_), None) if passed > 0 => {
                    passed += 1;
                    Ok(())
                }
                (Event::End(_), None) if passed > 0 => {
                    passed -= 1;
                    Ok(())
                }
                (Event::Start(tag), None) => match tree.start(tag, &mut open, loading.names) {
                    Ok(Started::Element) => Ok(()),
                    Ok(Started::Documentation) => {
                        passed = 1;
                        Ok(())
                    }
                    Ok(Started::Schema(_)) if open.is_empty() => return Ok(Read::Schema),
                    Ok(Started::Schema(around)) => {
                        let mut schema = TreeBuilder::within(&tree.scopes, around);
                        let taken = schema.take(Event::Start(tag), loading.names);
                        builder = Some(schema);
                        taken
                    }
                    Err(fault) => Err(fault),
                },
                (Event::End(_), None) => {
                    open.pop();
                    Ok(())
                }
                _ => Ok(()),
            };
            if let Err((found, expected)) = taken {
                return Err(reader.error(ErrorKind::Schema, found, expected).met_in("wsdl", reader.offset()));
            }
            let offset = reader.offset();
            if let Some(schema) = &mut builder {
                schema.set_position(offset, &mut lines);
                if let Some(schema) = schema.finished() {
                    schemas.push(schema);
                    builder = None;
                    // Each schema copies the declarations around it, which counts against the limit.
                    loading.room = loading.room.saturating_sub(tree.scopes.len());
                    if schemas.len() > loading.options.documents as usize {
                        let limit = loading.options.documents.into();
                        return Err(Error::limit("wsdl", offset, "one more schema", "documents", limit));
                    }
                }
            } else if let Some(node) = tree.nodes.last_mut().filter(|node| node.line == 0) {
                node.offset = u32::try_from(offset).unwrap_or(u32::MAX);
                (node.line, node.column) = lines.of(offset);
            }
        }
    }

    fn start(&mut self, tag: StartTag<'_>, open: &mut Vec<Open>, names: &mut Names) -> Result<Started, Fault> {
        let around = open.last().map_or(OUTSIDE, |open| open.scope);
        let before = self.scopes.len();
        let scope = self.scopes.declare(around, tag, names);
        let name = self.name(scope, tag.name(), names)?;
        let (uri, local) = (names.uri(names.namespace(name)), names.local(name));
        let is_wsdl = uri == WSDL_NAMESPACE;
        if uri == XSD_NAMESPACE && local == "schema" && open.last().is_none_or(|open| open.types) {
            self.scopes.truncate(before);
            return Ok(Started::Schema(around));
        }
        if open.is_empty() && !(is_wsdl && local == "definitions") {
            let expected = format!("<definitions> of the namespace {WSDL_NAMESPACE}");
            return Err((format!("<{}>", tag.name()), expected));
        }
        if is_wsdl && local == "documentation" {
            return Ok(Started::Documentation);
        }
        let types = is_wsdl && local == "types";
        let from = self.attributes.len() as u32;
        for (written, value) in tag.attributes() {
            if declared(written).is_some() {
                continue;
            }
            let name = match written.contains(':') {
                true => self.name(scope, written, names)?,
                false => names.intern_in(NamespaceId::NONE, written),
            };
            self.attributes.push(Attribute { name, value: value.into() });
        }
        let id = self.nodes.len() as u32;
        let attributes = (from, self.attributes.len() as u32);
        let place = (0, 0, 0);
        let (offset, line, column) = place;
        self.nodes.push(Node { name, offset, line, column, scope, first_child: NONE, next: NONE, attributes });
        if let Some(parent) = open.last_mut() {
            match parent.last_child {
                NONE => self.nodes[parent.node as usize].first_child = id,
                last => self.nodes[last as usize].next = id,
            }
            parent.last_child = id;
        }
        open.push(Open { node: id, last_child: NONE, scope, types });
        Ok(Started::Element)
    }

    /// The name for a qualified name in a scope.
    fn name(&self, scope: u32, written: &str, names: &mut Names) -> Result<Name, Fault> {
        let (prefix, local) = split(written);
        match self.scopes.find(scope, prefix) {
            Some(namespace) => Ok(names.intern_in(namespace, local)),
            None => Err((format!("the prefix of '{written}'"), "a declared prefix".to_owned())),
        }
    }

    /// The namespace and local part of a qualified name in an attribute of a node.
    pub(super) fn qname<'t>(&self, node: u32, text: &'t str) -> Option<(NamespaceId, &'t str)> {
        let (prefix, local) = split(text);
        self.scopes.find(self.nodes[node as usize].scope, prefix).map(|namespace| (namespace, local))
    }

    /// The value of an attribute of a node, without white space around it.
    pub(super) fn attribute(&self, node: u32, names: &Names, uri: &str, local: &str) -> Option<&str> {
        let (from, to) = self.nodes[node as usize].attributes;
        let name = names.find(uri, local)?;
        let found = self.attributes[from as usize..to as usize].iter().find(|attribute| attribute.name == name)?;
        Some(trim(&found.value))
    }

    /// The children of a node.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let next = |node: u32| (node != NONE).then_some(node);
        let first = self.nodes.get(node as usize).map_or(NONE, |node| node.first_child);
        std::iter::successors(next(first), move |node| next(self.nodes[*node as usize].next))
    }
}

/// The kind of element that a start tag begins.
enum Started {
    Element,
    Documentation,
    /// A schema, with the scope around it.
    Schema(u32),
}
