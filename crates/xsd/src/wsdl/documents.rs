//! The documents of a description: those that a document imports (WSDL section 2.1.1), and the schemas in them.

use std::collections::HashSet;

use tam::{Error, ErrorKind, Words};

use super::model::Place;
use super::tree::{Read, Tree};
use crate::documents::{Given, Loading};
use crate::{Names, NamespaceId, WSDL_NAMESPACE};

/// A document.
pub(super) struct Document {
    pub(super) location: String,
    /// The target namespace, empty if there is none.
    pub(super) target: String,
    pub(super) tree: Tree,
}

/// The documents of a description, beginning with the one that was asked for.
#[derive(Default)]
pub(super) struct Documents {
    pub(super) all: Vec<Document>,
}

/// A node of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeRef {
    pub(super) document: usize,
    pub(super) node: u32,
}

impl Documents {
    /// Reads documents and those that they import, each once, and finds the schemas in them.
    pub(super) fn read(
        locations: &[impl AsRef<str>],
        loading: &mut Loading<'_>,
    ) -> Result<(Documents, Vec<Given>), Error> {
        let (mut documents, mut given) = (Documents::default(), Vec::new());
        let (mut known, mut next) = (HashSet::new(), 0);
        for location in locations.iter().map(AsRef::as_ref) {
            let name = loading.source.resolve(None, location);
            if !known.insert(name.clone()) {
                continue;
            }
            let bytes = loading.load(&name, "wsdl")?;
            if !documents.add(name, bytes, loading, &mut given)? && documents.all.is_empty() {
                let expected = format!("<definitions> of the namespace {WSDL_NAMESPACE}");
                return Err(Error::new(ErrorKind::Schema, "wsdl", 0, "an XML Schema", expected).in_path(location));
            }
            while next < documents.all.len() {
                for at in documents.children(NodeRef { document: next, node: 0 }, loading.names, "import") {
                    let Some(name) = documents.location(at, loading)? else { continue };
                    if !known.insert(name.clone()) {
                        continue;
                    }
                    if known.len() > loading.options.documents as usize {
                        let limit = loading.options.documents.into();
                        return Err(
                            documents.placed(at, Error::limit("wsdl", 0, "one more document", "documents", limit))
                        );
                    }
                    let bytes = loading.source.load(&name, loading.most_bytes()).map_err(|error| {
                        let found = format!("an import of '{name}', which cannot be read ({error})");
                        documents.fault(at, found, "a local document")
                    })?;
                    if documents.add(name, bytes, loading, &mut given)? {
                        documents.check_target(at, loading.names)?;
                    }
                }
                next += 1;
            }
        }
        Ok((documents, given))
    }

    /// Reads a document; `false` if it is a schema document.
    fn add(
        &mut self,
        location: String,
        bytes: Vec<u8>,
        loading: &mut Loading<'_>,
        given: &mut Vec<Given>,
    ) -> Result<bool, Error> {
        match Tree::read(&bytes, loading).map_err(|error| error.in_path(&*location))? {
            Read::Schema => {
                given.push(Given::Imported(location, bytes));
                Ok(false)
            }
            Read::Description(tree, schemas) => {
                given.extend(schemas.into_iter().map(|schema| Given::Embedded(location.clone(), schema)));
                let target = tree.attribute(0, loading.names, "", "targetNamespace").unwrap_or("").to_owned();
                self.all.push(Document { location, target, tree });
                Ok(true)
            }
        }
    }

    /// The document of a `wsdl:import`.
    fn location(&self, at: NodeRef, loading: &mut Loading<'_>) -> Result<Option<String>, Error> {
        let namespace = self.attribute(at, loading.names, "namespace").unwrap_or("");
        let location = self.attribute(at, loading.names, "location");
        if let Some(named) = loading.options.catalog.find(namespace, location) {
            return Ok(Some(loading.source.resolve(None, &named)));
        }
        match location {
            Some(location) => Ok(Some(loading.source.resolve(Some(&self.all[at.document].location), location))),
            None => Err(self.fault(at, "an import without a location", "the attribute location")),
        }
    }

    /// Checks that the last imported document has the namespace of its import.
    fn check_target(&self, at: NodeRef, names: &Names) -> Result<(), Error> {
        let expected = self.attribute(at, names, "namespace");
        match (expected, self.all.last()) {
            (Some(expected), Some(last)) if last.target != expected => {
                let found = format!("'{}' of the namespace '{}'", last.location, last.target);
                Err(self.fault(at, found, format!("a document of the namespace '{expected}'")))
            }
            _ => Ok(()),
        }
    }

    /// The children of a node that are WSDL elements with a name.
    pub(super) fn children(&self, at: NodeRef, names: &Names, local: &str) -> Vec<NodeRef> {
        let Some(name) = names.find(WSDL_NAMESPACE, local) else { return Vec::new() };
        let tree = &self.all[at.document].tree;
        let own = tree.children(at.node).filter(|node| tree.nodes[*node as usize].name == name);
        own.map(|node| NodeRef { document: at.document, node }).collect()
    }

    pub(super) fn attribute(&self, at: NodeRef, names: &Names, local: &str) -> Option<&str> {
        self.all[at.document].tree.attribute(at.node, names, "", local)
    }

    /// The namespace and local part of a qualified name in an attribute.
    pub(super) fn qname<'t>(&self, at: NodeRef, text: &'t str) -> Option<(NamespaceId, &'t str)> {
        self.all[at.document].tree.qname(at.node, text)
    }

    pub(super) fn place(&self, at: NodeRef) -> Place {
        let node = &self.all[at.document].tree.nodes[at.node as usize];
        Place { document: at.document, offset: node.offset, line: node.line, column: node.column }
    }

    #[cold]
    pub(super) fn fault(&self, at: NodeRef, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        self.placed(at, Error::new(ErrorKind::Schema, "wsdl", 0, found, expected))
    }

    #[cold]
    fn placed(&self, at: NodeRef, error: Error) -> Error {
        let place = self.place(at);
        error
            .met_in("wsdl", place.offset.into())
            .at_line(place.line.into(), place.column.into())
            .in_path(&*self.all[at.document].location)
    }
}
