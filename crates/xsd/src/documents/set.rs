//! The documents of a schema: those that a document includes, imports and redefines (Part 1 section 4.2).

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::io;

use tam::{Error, ErrorKind};

use super::encoding;
use super::loading::Loading;
use super::tree::Tree;
use super::vocabulary::{Key, Tag};
use super::well_known;
use crate::{ENCODING_NAMESPACE, Names, NamespaceId, XSD_NAMESPACE};

/// A node of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeRef {
    pub(crate) document: u32,
    pub(crate) node: u32,
}

/// An `xs:import`.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) namespace: NamespaceId,
    pub(crate) at: NodeRef,
    /// Why no document was found for it.
    pub(crate) missing: Option<String>,
}

/// A document with its target namespace.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) location: String,
    pub(crate) target: NamespaceId,
    pub(crate) tree: usize,
    /// Whether it has no namespace of its own, and takes that of the including document.
    pub(crate) chameleon: bool,
    pub(crate) imports: Vec<Import>,
    /// The documents that it includes and redefines.
    pub(crate) includes: Vec<u32>,
}

/// A schema document of a WSDL description.
#[derive(Debug)]
pub(crate) enum Given {
    /// A schema inside the description, whose location is given.
    Embedded(String, Tree),
    /// A separate document, which the description imports, with its name.
    Imported(String, Vec<u8>),
}

/// The documents of a schema.
#[derive(Debug, Default)]
pub(crate) struct DocumentSet {
    pub(crate) trees: Vec<Tree>,
    pub(crate) documents: Vec<Document>,
    /// The `xs:redefine` elements, and the documents they redefine.
    pub(crate) redefines: Vec<(NodeRef, u32)>,
    known: HashMap<(String, NamespaceId), u32>,
    /// Documents by their tree and target namespace.
    by_tree: HashMap<(usize, NamespaceId), u32>,
    /// Trees by the name of the document.
    by_name: HashMap<String, usize>,
    /// Trees by two hashes of the text and its length.
    by_text: HashMap<(u64, u64, usize), usize>,
    seeds: (RandomState, RandomState),
}

/// The error for a document of the caller that could not be read.
#[cold]
pub(crate) fn load_error(error: &io::Error, format: &'static str, name: &str, most: u64) -> Error {
    if error.kind() == io::ErrorKind::FileTooLarge {
        return Error::limit(format, most, "more bytes", "message_bytes", most).in_path(name);
    }
    let expected = if format == "wsdl" { "a WSDL description" } else { "a schema document" };
    Error::new(ErrorKind::Io, format, 0, error.to_string(), expected).in_path(name)
}

impl DocumentSet {
    /// The namespaces of imports without a document, and why there is none.
    pub(crate) fn missing(&self) -> Vec<(NamespaceId, String)> {
        let imports = self.documents.iter().flat_map(|document| &document.imports);
        imports.filter_map(|import| Some((import.namespace, import.missing.clone()?))).collect()
    }

    /// Reads documents, and those that they include, import and redefine. Each is read once.
    pub(crate) fn read(locations: &[impl AsRef<str>], loading: &mut Loading<'_>) -> Result<DocumentSet, Error> {
        let mut set = DocumentSet::default();
        let mut followed = 0;
        for location in locations.iter().map(AsRef::as_ref) {
            let name = loading.source.resolve(None, location);
            if set.by_name.contains_key(&name) {
                continue;
            }
            let bytes = loading.load(&name, "xsd")?;
            let tree = set.tree(&name, &bytes, loading)?;
            let target = set.own_target(tree, loading.names);
            if !set.by_tree.contains_key(&(tree, target)) {
                set.add(name, target, tree, false);
            }
            followed = set.follow_all(followed, loading)?;
        }
        Ok(set)
    }

    /// Reads the schema documents of a description, and those that they include and import. The schemas inside the
    /// description see each other and the types of SOAP's encoding.
    pub(crate) fn of(given: Vec<Given>, loading: &mut Loading<'_>) -> Result<DocumentSet, Error> {
        let mut set = DocumentSet::default();
        let mut within = Vec::new();
        for one in given {
            match one {
                Given::Embedded(location, tree) => {
                    set.trees.push(tree);
                    let tree = set.trees.len() - 1;
                    let target = set.own_target(tree, loading.names);
                    within.push(set.documents.len());
                    // It is not registered by name, because no other document can refer to it.
                    let (imports, includes) = (Vec::new(), Vec::new());
                    set.documents.push(Document { location, target, tree, chameleon: false, imports, includes });
                }
                Given::Imported(name, bytes) => {
                    let tree = set.tree(&name, &bytes, loading)?;
                    let target = set.own_target(tree, loading.names);
                    if !set.by_tree.contains_key(&(tree, target)) {
                        set.add(name, target, tree, false);
                    }
                }
            }
        }
        set.follow_all(0, loading)?;
        set.add_encoding(loading)?;
        let mut targets: Vec<NamespaceId> = set.documents.iter().map(|document| document.target).collect();
        targets.sort_unstable();
        targets.dedup();
        for document in within {
            let at = NodeRef { document: document as u32, node: 0 };
            let Some(left) = loading.room.checked_sub(targets.len() as u32) else {
                let limit = loading.options.limits.units.into();
                return Err(set.placed(at, Error::limit("xsd", 0, "more imports", "units", limit)));
            };
            loading.room = left;
            let imports = &mut set.documents[document].imports;
            let known: HashSet<NamespaceId> = imports.iter().map(|import| import.namespace).collect();
            let others = targets.iter().filter(|target| !known.contains(target));
            imports.extend(others.map(|&namespace| Import { namespace, at, missing: None }));
        }
        Ok(set)
    }

    /// Adds the types of SOAP's encoding if a document refers to their namespace and none declares it.
    fn add_encoding(&mut self, loading: &mut Loading<'_>) -> Result<(), Error> {
        let Some(namespace) = loading.names.find_uri(ENCODING_NAMESPACE) else { return Ok(()) };
        if !self.documents.iter().any(|document| document.target == namespace) {
            let tree = self.tree(encoding::LOCATION, encoding::schema().as_bytes(), loading)?;
            self.add(encoding::LOCATION.to_owned(), namespace, tree, false);
        }
        Ok(())
    }

    /// Follows the documents from an index on. Returns the number of documents.
    fn follow_all(&mut self, mut next: usize, loading: &mut Loading<'_>) -> Result<usize, Error> {
        while next < self.documents.len() {
            self.follow(next as u32, loading)?;
            next += 1;
        }
        Ok(next)
    }

    fn tree(&mut self, name: &str, bytes: &[u8], loading: &mut Loading<'_>) -> Result<usize, Error> {
        // Copies of a document are read once: many sets of schemas contain copies of popular ones.
        let text = (self.seeds.0.hash_one(bytes), self.seeds.1.hash_one(bytes), bytes.len());
        let tree = match self.by_text.get(&text) {
            Some(tree) => *tree,
            None => {
                let tree = Tree::read(bytes, loading).map_err(|error| error.in_path(name))?;
                self.trees.push(tree);
                self.by_text.insert(text, self.trees.len() - 1);
                self.trees.len() - 1
            }
        };
        self.by_name.insert(name.to_owned(), tree);
        Ok(tree)
    }

    fn own_target(&self, tree: usize, names: &mut Names) -> NamespaceId {
        self.trees[tree].attribute(0, Key::TargetNamespace).map_or(NamespaceId::NONE, |uri| names.intern_uri(uri))
    }

    fn add(&mut self, location: String, target: NamespaceId, tree: usize, chameleon: bool) -> u32 {
        let id = self.documents.len() as u32;
        self.known.insert((location.clone(), target), id);
        self.by_tree.insert((tree, target), id);
        let (imports, includes) = (Vec::new(), Vec::new());
        self.documents.push(Document { location, target, tree, chameleon, imports, includes });
        id
    }

    /// Reads the documents that a document includes, imports and redefines.
    fn follow(&mut self, document: u32, loading: &mut Loading<'_>) -> Result<(), Error> {
        let children: Vec<u32> = self.tree_of(document).children(0).collect();
        if self.attribute(NodeRef { document, node: 0 }, Key::TargetNamespace) == Some("") {
            let at = NodeRef { document, node: 0 };
            return Err(self.fault(at, "an empty targetNamespace", "a namespace, or no such attribute"));
        }
        for node in children {
            let at = NodeRef { document, node };
            match self.tree_of(document).tag(node) {
                Tag::Import => self.import(at, loading)?,
                Tag::Include => {
                    let other = self.include(at, loading)?;
                    self.documents[document as usize].includes.push(other);
                }
                Tag::Redefine => {
                    let other = self.include(at, loading)?;
                    self.documents[document as usize].includes.push(other);
                    self.redefines.push((at, other));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the document of an `xs:include` or `xs:redefine`.
    fn include(&mut self, at: NodeRef, loading: &mut Loading<'_>) -> Result<u32, Error> {
        let target = self.documents[at.document as usize].target;
        let Some(location) = self.attribute(at, Key::SchemaLocation).map(str::to_owned) else {
            return Err(self.fault(at, "no schemaLocation", "the attribute schemaLocation"));
        };
        let base = self.documents[at.document as usize].location.clone();
        let named = loading.options.catalog.find_location(&location);
        let name = loading.source.resolve(named.is_none().then_some(&*base), named.as_deref().unwrap_or(&location));
        if let Some(known) = self.known.get(&(name.clone(), target)) {
            return Ok(*known);
        }
        let tree = match self.load(at, &name, loading)? {
            Ok(tree) => tree,
            Err(why) => {
                let found = format!("'{location}', which cannot be read ({why})");
                return Err(self.fault(at, found, "a schema document"));
            }
        };
        let own = self.own_target(tree, loading.names);
        if own != NamespaceId::NONE && own != target {
            let found = format!("'{location}' of the namespace '{}'", loading.names.uri(own));
            let expected = format!("a document of the namespace '{}', or of none", loading.names.uri(target));
            return Err(self.fault(at, found, expected));
        }
        // The same text with another name is the same document, unless it only includes others by relative locations.
        if let Some(twin) = self.by_tree.get(&(tree, target)).filter(|_| self.declares(tree)) {
            self.known.insert((name, target), *twin);
            return Ok(*twin);
        }
        self.room_for_one(at, tree, loading)?;
        Ok(self.add(name, target, tree, own != target))
    }

    /// Whether a document has components of its own.
    fn declares(&self, tree: usize) -> bool {
        let tree = &self.trees[tree];
        tree.children(0).any(|child| !matches!(tree.tag(child), Tag::Include | Tag::Import))
    }

    fn import(&mut self, at: NodeRef, loading: &mut Loading<'_>) -> Result<(), Error> {
        let uri = self.attribute(at, Key::Namespace).unwrap_or("").to_owned();
        let location = self.attribute(at, Key::SchemaLocation).map(str::to_owned);
        let namespace = loading.names.intern_uri(&uri);
        if namespace == self.documents[at.document as usize].target {
            let found =
                if uri.is_empty() { "an import of no namespace".to_owned() } else { format!("an import of '{uri}'") };
            return Err(self.fault(at, found, "another namespace than the document's own"));
        }
        let base = self.documents[at.document as usize].location.clone();
        let named = loading.options.catalog.find(&uri, location.as_deref());
        let mut missing = None;
        let name = match (&named, &location) {
            (Some(named), _) => Some(loading.source.resolve(None, named)),
            (None, Some(location)) => Some(loading.source.resolve(Some(&base), location)),
            (None, None) => None,
        };
        match name {
            _ if uri == XSD_NAMESPACE => {}
            None => missing = Some("it has no schemaLocation".to_owned()),
            Some(name) if self.known.contains_key(&(name.clone(), namespace)) => {}
            Some(name) => match self.load(at, &name, loading)? {
                Ok(tree) => {
                    let own = self.own_target(tree, loading.names);
                    if own != namespace {
                        let found = format!("'{name}' of the namespace '{}'", loading.names.uri(own));
                        return Err(self.fault(at, found, format!("a document of the namespace '{uri}'")));
                    }
                    // The same text with another name is the same document.
                    if !self.by_tree.contains_key(&(tree, namespace)) {
                        self.room_for_one(at, tree, loading)?;
                        self.add(name, namespace, tree, false);
                    }
                }
                Err(why) => {
                    let location = location.as_deref().unwrap_or(&name);
                    missing = Some(format!("its schemaLocation '{location}' cannot be read: {why}"));
                }
            },
        }
        if missing.is_some()
            && let Some((name, text)) = well_known::document(&uri)
        {
            missing = None;
            if !self.documents.iter().any(|document| document.target == namespace) {
                let tree = self.tree(name, text.as_bytes(), loading)?;
                self.add(name.to_owned(), namespace, tree, false);
            }
        }
        self.documents[at.document as usize].imports.push(Import { namespace, at, missing });
        Ok(())
    }

    /// The tree of a document by its name; the reason if it cannot be read.
    fn load(&mut self, at: NodeRef, name: &str, loading: &mut Loading<'_>) -> Result<Result<usize, String>, Error> {
        if let Some(tree) = self.by_name.get(name) {
            return Ok(Ok(*tree));
        }
        let most = loading.most_bytes();
        match loading.source.load(name, most) {
            Ok(bytes) => self.tree(name, &bytes, loading).map(Ok),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let error = Error::limit("xsd", 0, format!("'{name}', which is longer"), "message_bytes", most);
                Err(self.placed(at, error))
            }
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    /// Checks the limits for one more document. The elements of a text that has several namespaces count for each.
    fn room_for_one(&self, at: NodeRef, tree: usize, loading: &mut Loading<'_>) -> Result<(), Error> {
        if self.documents.len() >= loading.options.documents as usize {
            let error = Error::limit("xsd", 0, "one more document", "documents", loading.options.documents.into());
            return Err(self.placed(at, error));
        }
        if self.documents.iter().any(|other| other.tree == tree) {
            let more = self.trees[tree].nodes.len() as u32;
            let limit = || Error::limit("xsd", 0, "more elements", "units", loading.options.limits.units.into());
            loading.room = loading.room.checked_sub(more).ok_or_else(|| self.placed(at, limit()))?;
        }
        Ok(())
    }

    pub(crate) fn tree_of(&self, document: u32) -> &Tree {
        &self.trees[self.documents[document as usize].tree]
    }

    pub(crate) fn attribute(&self, at: NodeRef, key: Key) -> Option<&str> {
        self.tree_of(at.document).attribute(at.node, key)
    }

    /// An error in a schema at a node.
    #[cold]
    pub(crate) fn fault(&self, at: NodeRef, found: impl Into<tam::Words>, expected: impl Into<tam::Words>) -> Error {
        self.placed(at, Error::new(ErrorKind::Schema, "xsd", 0, found, expected))
    }

    /// Adds the position of a node to an error.
    #[cold]
    pub(crate) fn placed(&self, at: NodeRef, error: Error) -> Error {
        let node = &self.tree_of(at.document).nodes[at.node as usize];
        error
            .met_in("xsd", node.offset.into())
            .at_line(node.line.into(), node.column.into())
            .in_path(&*self.documents[at.document as usize].location)
    }
}
