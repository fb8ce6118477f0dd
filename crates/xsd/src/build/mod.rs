//! Builds components from schema documents (Part 1 section 3).
//!
//! First, all global components are registered, so that they can refer to each other. Then each is read. Anonymous types
//! are queued, so that nothing recurses. Last comes what depends on base types, base types first: facets, content,
//! attributes, content models.

mod attributes;
mod builtins;
mod complex;
mod elements;
mod facets;
mod globals;
mod groups;
mod identities;
mod inherited;
mod models;
mod order;
mod redefined;
pub(crate) mod reference;
mod simple;
mod substitution;
mod wildcards;
mod xpath;

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::Arc;

use tam::Error;

use crate::components::{
    AttributeGroupId, AttributeUse, ComplexId, DocumentId, ElementId, Global, NamedGroupId, ParticleId, Position,
    Schema, SimpleId, TypeId, WildcardId,
};
use crate::documents::{DocumentSet, Key, Loading, NodeRef, load_error};
use crate::pattern::{MOST_COMPILED, Pattern};
use crate::value::Checker;
use crate::{Name, Names, Options, Source};

/// A queued type.
#[derive(Clone, Copy, Debug)]
enum Work {
    Complex(ComplexId, NodeRef),
    Simple(SimpleId, NodeRef),
}

/// An attribute of a type or group as written, before groups and base types are resolved.
#[derive(Clone, Debug)]
enum Written {
    Use(AttributeUse),
    Prohibited(Name),
    Group(AttributeGroupId, NodeRef),
}

/// The attributes of a type or group as written.
#[derive(Clone, Debug, Default)]
struct WrittenAttributes {
    uses: Vec<Written>,
    wildcard: Option<WildcardId>,
}

/// A complex type as written.
#[derive(Clone, Debug)]
struct WrittenComplex {
    at: NodeRef,
    /// The `xs:restriction` or `xs:extension`, or the type itself.
    body: NodeRef,
    simple_content: bool,
    /// The `xs:simpleType` in a restriction of simple content.
    inner: Option<SimpleId>,
    mixed: bool,
    /// The particle; `None` if it is empty.
    particle: Option<ParticleId>,
    attributes: WrittenAttributes,
}

/// The nodes of a simple type.
#[derive(Clone, Copy, Debug, Default)]
struct WrittenSimple {
    at: Option<NodeRef>,
    /// The `xs:restriction` with its facets.
    restriction: Option<NodeRef>,
}

/// A global component that is replaced by another with its name (`xs:redefine`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Original {
    Type(TypeId),
    Group(NamedGroupId),
    AttributeGroup(AttributeGroupId),
}

impl WrittenComplex {
    fn new(at: NodeRef) -> WrittenComplex {
        WrittenComplex {
            at,
            body: at,
            simple_content: false,
            inner: None,
            mixed: false,
            particle: None,
            attributes: WrittenAttributes::default(),
        }
    }
}

struct Builder<'o> {
    options: &'o Options,
    set: DocumentSet,
    schema: Schema,
    queue: VecDeque<Work>,
    complex: HashMap<ComplexId, WrittenComplex>,
    simple: Vec<WrittenSimple>,
    attribute_groups: Vec<WrittenAttributes>,
    /// Elements without a type of their own.
    untyped: Vec<ElementId>,
    element_at: Vec<NodeRef>,
    attribute_at: Vec<NodeRef>,
    group_at: Vec<NodeRef>,
    attribute_group_at: Vec<NodeRef>,
    /// The components in `xs:redefine`: their nodes, their names, and what they replace.
    originals: Vec<(NodeRef, Name, Original)>,
    redefined: Vec<Global>,
    /// If a redefinition is being read, the original with the same name.
    redefining: Option<(Name, Original)>,
    /// For each simple type, the members that may be tried, and the levels of types in it.
    weights: Vec<(u64, u32)>,
    /// For each model group, whether it may be empty.
    emptiable: Vec<bool>,
    identity_refers: Vec<(crate::components::IdentityId, NodeRef)>,
    checker: Checker,
    /// The patterns compiled so far.
    patterns: HashMap<Vec<String>, Arc<Pattern>>,
    /// The bytes that other patterns may still take.
    pattern_bytes: usize,
    /// How many effective facets and members of unions are still allowed.
    facet_room: usize,
}

impl Schema {
    /// Reads the schema in a file, and the documents that it includes, imports and redefines. These must be regular files
    /// below the folder of the file, or in the catalog. For other folders, use [`Schema::read_from`] with [`Files`](crate::Files).
    ///
    /// # Errors
    /// When the file cannot be read (kind io), a document is not well-formed (syntax) or not a valid schema (schema), or a
    /// limit is exceeded. The path of the error is the document; it has a line and a column.
    pub fn read(path: impl AsRef<Path>, options: &Options) -> Result<Schema, Error> {
        let (path, location) = (path.as_ref(), path.as_ref().to_string_lossy());
        let files = options.catalog.files(path);
        let files = files.map_err(|error| load_error(&error, "xsd", &location, options.limits.message_bytes.into()))?;
        Schema::read_from(files, &location, options)
    }

    /// Reads the schema in a document of a source.
    ///
    /// # Errors
    /// As [`Schema::read`].
    pub fn read_from(source: impl Source, location: &str, options: &Options) -> Result<Schema, Error> {
        Schema::read_all(source, &[location], options)
    }

    /// Reads several schema documents as one schema. The root of an instance may be an element of any of them, and elements
    /// of one may match wildcards of another. A document that another includes or imports is read once.
    ///
    /// # Errors
    /// As [`Schema::read`]; when two documents declare the same name (schema).
    pub fn read_all(source: impl Source, locations: &[impl AsRef<str>], options: &Options) -> Result<Schema, Error> {
        let mut names = Names::new();
        let set = DocumentSet::read(locations, &mut Loading::new(&source, options, &mut names))?;
        Schema::build(set, names, options)
    }

    /// Builds the schema of documents that have been read.
    pub(crate) fn build(set: DocumentSet, names: Names, options: &Options) -> Result<Schema, Error> {
        let mut schema = Schema { names, ..Schema::default() };
        for document in &set.documents {
            let (location, target) = (document.location.clone(), document.target);
            let prefixes =
                set.trees[document.tree].prefixes().map(|(prefix, namespace)| (prefix.to_owned(), namespace)).collect();
            schema.documents.push(crate::Document { location, target, prefixes });
        }
        let mut builder = Builder {
            options,
            set,
            schema,
            queue: VecDeque::new(),
            complex: HashMap::new(),
            simple: Vec::new(),
            attribute_groups: Vec::new(),
            untyped: Vec::new(),
            element_at: Vec::new(),
            attribute_at: Vec::new(),
            group_at: Vec::new(),
            attribute_group_at: Vec::new(),
            originals: Vec::new(),
            redefined: Vec::new(),
            redefining: None,
            weights: Vec::new(),
            emptiable: Vec::new(),
            identity_refers: Vec::new(),
            checker: Checker::new(options.limits.units.into()),
            patterns: HashMap::new(),
            pattern_bytes: MOST_COMPILED as usize,
            facet_room: options.particles as usize,
        };
        builder.builtins();
        builder.register()?;
        builder.read_globals()?;
        builder.read_queue()?;
        builder.resolve_elements()?;
        builder.resolve_simple_types()?;
        builder.resolve_attribute_groups()?;
        builder.resolve_groups()?;
        builder.resolve_complex_types()?;
        builder.resolve_substitution()?;
        builder.check_values()?;
        builder.resolve_identities()?;
        builder.compile_models()?;
        Ok(builder.schema)
    }
}

impl Builder<'_> {
    fn position(&self, at: NodeRef) -> Position {
        let node = &self.set.tree_of(at.document).nodes[at.node as usize];
        Position { document: Some(DocumentId(at.document)), offset: node.offset, line: node.line, column: node.column }
    }

    /// An error at the position of a component.
    fn fault_at(&self, position: Position, found: impl Into<tam::Words>, expected: impl Into<tam::Words>) -> Error {
        let error = Error::new(tam::ErrorKind::Schema, "xsd", position.offset.into(), found, expected);
        self.error_at(position, error)
    }

    fn error_at(&self, position: Position, error: Error) -> Error {
        let location = position.document.map_or("", |document| &self.schema.documents[document].location);
        error
            .met_in("xsd", position.offset.into())
            .at_line(position.line.into(), position.column.into())
            .in_path(location)
    }

    fn attribute(&self, at: NodeRef, key: Key) -> Option<&str> {
        self.set.attribute(at, key)
    }

    fn children(&self, at: NodeRef) -> Vec<NodeRef> {
        let tree = self.set.tree_of(at.document);
        tree.children(at.node).map(|node| NodeRef { document: at.document, node }).collect()
    }

    fn child(&self, at: NodeRef, tag: crate::documents::Tag) -> Option<NodeRef> {
        let node = self.set.tree_of(at.document).child(at.node, tag)?;
        Some(NodeRef { document: at.document, node })
    }

    fn tag(&self, at: NodeRef) -> crate::documents::Tag {
        self.set.tree_of(at.document).tag(at.node)
    }

    fn read_queue(&mut self) -> Result<(), Error> {
        while let Some(work) = self.queue.pop_front() {
            match work {
                Work::Complex(id, at) => self.read_complex(id, at)?,
                Work::Simple(id, at) => self.read_simple(id, at)?,
            }
        }
        Ok(())
    }
}
