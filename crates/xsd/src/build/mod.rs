//! From schema documents to components (Part 1 section 3).
//!
//! First every global component gets its number, so that all may be referred to. Then each is read;
//! the anonymous types in it wait in a queue, so that nothing is deep. Last comes what depends on base
//! types, in an order in which they are there: facets, content, attributes, content models.

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
mod reference;
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
use crate::documents::{At, Files, Key, Set, Source, unread};
use crate::pattern::{MOST_COMPILED, Pattern};
use crate::value::Checker;
use crate::{Name, Names, Options};

/// A type that is read when those before it have been.
#[derive(Clone, Copy, Debug)]
enum Work {
    Complex(ComplexId, At),
    Simple(SimpleId, At),
}

/// An attribute of a type or group before those of groups and base types are there.
#[derive(Clone, Debug)]
enum Written {
    Use(AttributeUse),
    Prohibited(Name),
    Group(AttributeGroupId, At),
}

/// The attributes that a type or group writes.
#[derive(Clone, Debug, Default)]
struct WrittenAttributes {
    uses: Vec<Written>,
    wildcard: Option<WildcardId>,
}

/// What a complex type writes.
#[derive(Clone, Debug)]
struct WrittenComplex {
    at: At,
    /// The `xs:restriction` or `xs:extension`, or the type itself.
    body: At,
    simple_content: bool,
    /// The `xs:simpleType` in a restriction of simple content.
    inner: Option<SimpleId>,
    mixed: bool,
    /// The particle written, `None` if it is no more than nothing.
    particle: Option<ParticleId>,
    attributes: WrittenAttributes,
}

/// What a simple type is made of, beside what is in its definition.
#[derive(Clone, Copy, Debug, Default)]
struct WrittenSimple {
    at: Option<At>,
    /// The `xs:restriction` with its facets.
    restriction: Option<At>,
}

/// A global component that takes the place of another of its name (`xs:redefine`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Original {
    Type(TypeId),
    Group(NamedGroupId),
    AttributeGroup(AttributeGroupId),
}

impl WrittenComplex {
    fn new(at: At) -> WrittenComplex {
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
    set: Set,
    schema: Schema,
    queue: VecDeque<Work>,
    complex: HashMap<ComplexId, WrittenComplex>,
    simple: Vec<WrittenSimple>,
    attribute_groups: Vec<WrittenAttributes>,
    /// Elements without a type of their own.
    untyped: Vec<ElementId>,
    element_at: Vec<At>,
    attribute_at: Vec<At>,
    group_at: Vec<At>,
    attribute_group_at: Vec<At>,
    /// What stands in an `xs:redefine`, and what it takes the place of.
    originals: Vec<(At, Name, Original)>,
    redefined: Vec<Global>,
    /// The component that is being read redefines this one, of the same name.
    redefining: Option<(Name, Original)>,
    /// Of each simple type the members that may be tried, and the levels of types in it.
    weights: Vec<(u64, u32)>,
    /// Of each model group, whether it may stand for nothing.
    emptiable: Vec<bool>,
    identity_refers: Vec<(crate::components::IdentityId, At)>,
    checker: Checker,
    /// The patterns compiled so far, and the bytes that others may still take.
    patterns: HashMap<Vec<String>, Arc<Pattern>>,
    pattern_bytes: usize,
    /// Places of effective facets, and of members of unions, that are left.
    facet_room: usize,
}

impl Schema {
    /// Reads the schema of a file and of all that it includes, imports and redefines: regular files below the folder
    /// of that file, and those that the catalog names. [`Schema::read_from`] with [`Files`] takes other folders.
    ///
    /// # Errors
    /// When the file cannot be read (kind io); when a document is not well-formed (syntax), or no
    /// schema (schema), with the document in the path of the error, its line and column, and what was
    /// expected there; when a limit is exceeded.
    pub fn read(path: impl AsRef<Path>, options: &Options) -> Result<Schema, Error> {
        let (path, location) = (path.as_ref(), path.as_ref().to_string_lossy());
        let files = Files::with_catalog(path, &options.catalog);
        let files = files.map_err(|error| unread(&error, "xsd", &location, options.limits.message_bytes.into()))?;
        Schema::read_from(files, &location, options)
    }

    /// Reads the schema of a document that a source has.
    ///
    /// # Errors
    /// As [`Schema::read`].
    pub fn read_from(source: impl Source, location: &str, options: &Options) -> Result<Schema, Error> {
        Schema::read_all(source, &[location], options)
    }

    /// Reads several schema documents as one schema: an instance may begin with an element of any of them, and what
    /// is of one may be in the place of a wildcard of another. A document that another brings counts once.
    ///
    /// # Errors
    /// As [`Schema::read`]; when two documents declare the same name (schema).
    pub fn read_all(
        mut source: impl Source,
        locations: &[impl AsRef<str>],
        options: &Options,
    ) -> Result<Schema, Error> {
        let mut names = Names::new();
        let set = Set::read(&mut source, locations, options, &mut names)?;
        Schema::build(set, names, options)
    }

    /// The schema of documents that have been read.
    pub(crate) fn build(set: Set, names: Names, options: &Options) -> Result<Schema, Error> {
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
    fn position(&self, at: At) -> Position {
        let node = &self.set.tree_of(at.document).nodes[at.node as usize];
        Position { document: Some(DocumentId(at.document)), offset: node.offset, line: node.line, column: node.column }
    }

    /// The place of a component, for errors; that of the first document for what is built in.
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

    fn attribute(&self, at: At, key: Key) -> Option<&str> {
        self.set.attribute(at, key)
    }

    fn children(&self, at: At) -> Vec<At> {
        let tree = self.set.tree_of(at.document);
        tree.children(at.node).map(|node| At { document: at.document, node }).collect()
    }

    fn child(&self, at: At, tag: crate::documents::Tag) -> Option<At> {
        let node = self.set.tree_of(at.document).child(at.node, tag)?;
        Some(At { document: at.document, node })
    }

    fn tag(&self, at: At) -> crate::documents::Tag {
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
