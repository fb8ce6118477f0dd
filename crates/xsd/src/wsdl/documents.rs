//! The documents that belong together: those that one imports (WSDL section 2.1.1), and the schemas in them.

use std::collections::HashSet;

use tam::{Error, ErrorKind, Words};

use super::model::Place;
use super::tree::{Read, Tree};
use crate::documents::{Given, unread};
use crate::{Names, NamespaceId, Options, Source, WSDL_NAMESPACE};

/// A document.
pub(super) struct Document {
    pub(super) location: String,
    /// The target namespace, empty if there is none.
    pub(super) target: String,
    pub(super) tree: Tree,
}

/// The documents of a description, the one asked for first.
#[derive(Default)]
pub(super) struct Documents {
    pub(super) all: Vec<Document>,
}

/// A node of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) document: usize,
    pub(super) node: u32,
}

impl Documents {
    /// Reads documents and those that they import, each once, and finds the schemas in them.
    pub(super) fn read(
        source: &mut dyn Source,
        locations: &[impl AsRef<str>],
        options: &Options,
        names: &mut Names,
        room: &mut u32,
    ) -> Result<(Documents, Vec<Given>), Error> {
        let (mut documents, mut given) = (Documents::default(), Vec::new());
        let (mut known, mut next) = (HashSet::new(), 0);
        let most = options.limits.message_bytes.into();
        for location in locations.iter().map(AsRef::as_ref) {
            let name = source.resolve(None, location);
            if !known.insert(name.clone()) {
                continue;
            }
            let bytes = source.load(&name, most).map_err(|error| unread(&error, "wsdl", &name, most))?;
            if !documents.add(name, bytes, options, names, room, &mut given)? && documents.all.is_empty() {
                let expected = format!("<definitions> of the namespace {WSDL_NAMESPACE}");
                return Err(Error::new(ErrorKind::Schema, "wsdl", 0, "an XML Schema", expected).in_path(location));
            }
            while next < documents.all.len() {
                for at in documents.children(At { document: next, node: 0 }, names, "import") {
                    let Some(name) = documents.location(at, source, options, names)? else { continue };
                    if !known.insert(name.clone()) {
                        continue;
                    }
                    if known.len() > options.documents as usize {
                        let limit = options.documents.into();
                        return Err(
                            documents.placed(at, Error::limit("wsdl", 0, "one more document", "documents", limit))
                        );
                    }
                    let bytes = source.load(&name, most).map_err(|error| {
                        let found = format!("an import of '{name}', which cannot be read ({error})");
                        documents.fault(at, found, "a local document")
                    })?;
                    if documents.add(name, bytes, options, names, room, &mut given)? {
                        documents.check_target(at, names)?;
                    }
                }
                next += 1;
            }
        }
        Ok((documents, given))
    }

    /// Reads a document; `false` if it is one of a schema.
    fn add(
        &mut self,
        location: String,
        bytes: Vec<u8>,
        options: &Options,
        names: &mut Names,
        room: &mut u32,
        given: &mut Vec<Given>,
    ) -> Result<bool, Error> {
        match Tree::read(&bytes, options, names, room).map_err(|error| error.in_path(&*location))? {
            Read::Schema => {
                given.push(Given::Whole(location, bytes));
                Ok(false)
            }
            Read::Description(tree, schemas) => {
                given.extend(schemas.into_iter().map(|schema| Given::Within(location.clone(), schema)));
                let target = tree.attribute(0, names, "", "targetNamespace").unwrap_or("").to_owned();
                self.all.push(Document { location, target, tree });
                Ok(true)
            }
        }
    }

    /// The document that a `wsdl:import` names.
    fn location(
        &self,
        at: At,
        source: &mut dyn Source,
        options: &Options,
        names: &Names,
    ) -> Result<Option<String>, Error> {
        let namespace = self.attribute(at, names, "namespace").unwrap_or("");
        let location = self.attribute(at, names, "location");
        if let Some(named) = options.catalog.find(namespace, location) {
            return Ok(Some(source.resolve(None, &named)));
        }
        match location {
            Some(location) => Ok(Some(source.resolve(Some(&self.all[at.document].location), location))),
            None => Err(self.fault(at, "an import without a location", "the attribute location")),
        }
    }

    /// What was imported last must be of the namespace that the import says.
    fn check_target(&self, at: At, names: &Names) -> Result<(), Error> {
        let said = self.attribute(at, names, "namespace");
        match (said, self.all.last()) {
            (Some(said), Some(last)) if last.target != said => {
                let found = format!("'{}' of the namespace '{}'", last.location, last.target);
                Err(self.fault(at, found, format!("a document of the namespace '{said}'")))
            }
            _ => Ok(()),
        }
    }

    /// The children of a node that are elements of WSDL of a name.
    pub(super) fn children(&self, at: At, names: &Names, local: &str) -> Vec<At> {
        let Some(name) = names.find(WSDL_NAMESPACE, local) else { return Vec::new() };
        let tree = &self.all[at.document].tree;
        let own = tree.children(at.node).filter(|node| tree.nodes[*node as usize].name == name);
        own.map(|node| At { document: at.document, node }).collect()
    }

    pub(super) fn attribute(&self, at: At, names: &Names, local: &str) -> Option<&str> {
        self.all[at.document].tree.attribute(at.node, names, "", local)
    }

    /// Namespace and local part of a qualified name that an attribute tells.
    pub(super) fn qname<'t>(&self, at: At, text: &'t str) -> Option<(NamespaceId, &'t str)> {
        self.all[at.document].tree.qname(at.node, text)
    }

    pub(super) fn place(&self, at: At) -> Place {
        let node = &self.all[at.document].tree.nodes[at.node as usize];
        Place { document: at.document, offset: node.offset, line: node.line, column: node.column }
    }

    #[cold]
    pub(super) fn fault(&self, at: At, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        self.placed(at, Error::new(ErrorKind::Schema, "wsdl", 0, found, expected))
    }

    #[cold]
    fn placed(&self, at: At, error: Error) -> Error {
        let place = self.place(at);
        error
            .met_in("wsdl", place.offset.into())
            .at_line(place.line.into(), place.column.into())
            .in_path(&*self.all[at.document].location)
    }
}
