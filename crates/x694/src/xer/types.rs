//! A schema, prepared for reading and writing its instances.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use asn1::{Compiled, NodeId};
use tam::{Error, ErrorKind};
use xsd::{ElementId, Id, Name, Schema, SimpleId, SimpleType};

use super::build::{Builder, Forms};
use super::expect::Memory;
use super::form::TypedForm;
use super::instructions::assigned;
use super::prefixes::Preferred;
use super::rewriting::Rewrite;
use crate::mapping::{self, Mapping, is_of_times};
use crate::reverse;

/// Bytes of what one memory of expected tags knows that are copied to another at the most.
const MOST_COPIED: usize = 1 << 20;

/// A schema, the ASN.1 modules that it is mapped to, and the forms of their values in XML.
#[derive(Debug)]
pub struct Types {
    schema: Schema,
    mapping: Mapping,
    compiled: Arc<Compiled>,
    pub(super) forms: Forms,
    /// A number that no other types of this process have.
    pub(super) id: u64,
    /// The global elements, sorted by name.
    roots: Vec<Root>,
    pub(super) preferred: Preferred,
    /// For each simple type, whether it is an enumeration of times.
    enumerated_times: Vec<bool>,
    /// What is said of a document type declaration or a processing instruction in an instance, if there may be none.
    pub(super) no_others: Option<&'static str>,
    /// What is done with an instance that the schema refuses.
    pub(super) rewrite: Option<Box<dyn Rewrite>>,
    /// The expected tags, from the instances read before.
    #[allow(clippy::vec_box, reason = "one is moved for each instance")]
    memories: Mutex<Vec<Box<Memory>>>,
}

/// The number of the next types.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A global element, which can be the root of an instance and the type of a message.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    pub(super) name: Name,
    pub(super) of: TypedForm,
    element: ElementId,
    /// Whether its instances may have a default namespace.
    pub(super) may_have_default: bool,
}

impl Root {
    /// The type of its values, among those of [`Types::compiled`].
    #[must_use]
    pub fn node(self) -> NodeId {
        self.of.node
    }

    /// Its local name.
    #[must_use]
    pub fn name(self, types: &Types) -> &str {
        types.schema.names.local(self.name)
    }

    /// Its namespace, empty for none.
    #[must_use]
    pub fn namespace(self, types: &Types) -> &str {
        types.schema.names.uri(types.schema.names.namespace(self.name))
    }

    /// Its declaration.
    #[must_use]
    pub fn element(self) -> ElementId {
        self.element
    }
}

impl Types {
    /// Maps a schema to ASN.1 modules, and compiles them.
    ///
    /// # Errors
    /// Those of [`mapping::map`] and of [`Compiled::new`], and
    /// [`Limit`](tam::ErrorKind::Limit) where groups or unions are nested more than 128 deep.
    pub fn new(schema: Schema, options: &mapping::Options) -> Result<Types, Error> {
        let mapping = mapping::map(&schema, options)?;
        let compiled = Arc::new(Compiled::new(&mapping.schema)?);
        let modules = &mapping.schema.modules;
        let choices = mapping.substituted.iter().filter_map(|(module, name, ty)| {
            let choice = modules.get(*module)?.assignment(name).and_then(assigned)?;
            Some((std::ptr::from_ref(choice).addr(), *ty))
        });
        let declared = choices.collect();
        Types::built(schema, mapping, compiled, declared)
    }

    /// Derives the schema of the instances that modules with XER encoding instructions describe (EXTENDED-XER, X.693). The
    /// types must be those of the modules.
    ///
    /// The root of an instance may be of any type that the modules assign a name to; of types with the same name in XML it
    /// is the first.
    ///
    /// # Errors
    /// [`Unsupported`](tam::ErrorKind::Unsupported) for types and instructions that no XML Schema describes, with their position;
    /// [`Limit`](tam::ErrorKind::Limit) where types are nested more than 128 deep.
    pub fn from_modules(mut modules: asn1::schema::Schema, compiled: Arc<Compiled>) -> Result<Types, Error> {
        reverse::settle(&mut modules)?;
        let described = reverse::describe(&modules)?;
        let mapping = Mapping { schema: modules, elements: described.elements, ..Mapping::default() };
        Types::built(described.schema, mapping, compiled, described.declared)
    }

    fn built(
        schema: Schema,
        mapping: Mapping,
        compiled: Arc<Compiled>,
        declared: HashMap<usize, Name>,
    ) -> Result<Types, Error> {
        let mut builder = Builder::new(&mapping.schema, declared, &compiled, &schema.names);
        let mut roots = Vec::with_capacity(mapping.elements.len());
        for place in &mapping.elements {
            let name = schema.elements[place.element].name;
            let Some(module) = mapping.schema.modules.get(place.module) else { continue };
            let Some(ty) = module.assignment(&place.name).and_then(assigned) else { continue };
            let node = compiled.find(&format!("{}.{}", module.name, place.name))?;
            let of = builder.element(place.module, ty, node)?;
            debug_assert_eq!(schema.names.uri(schema.names.namespace(name)), module.xml_namespace());
            roots.push(Root { name, of, element: place.element, may_have_default: false });
        }
        let mut forms = builder.finish()?;
        forms.find_leaves(&schema, roots.iter().map(|root: &Root| (root.element, root.of.form)));
        roots.sort_by_key(|root| root.name);
        let bare = forms.with_bare_names(&schema.names);
        roots.iter_mut().for_each(|root| root.may_have_default = !bare[root.of.form.0 as usize]);
        let preferred = Preferred::of(&schema);
        let is_one = |ty: &SimpleType| ty.facets.enumeration.is_some() && is_of_times(ty);
        let enumerated_times = schema.simple_types.iter().map(|(_, ty)| is_one(ty)).collect();
        let types = Types {
            schema,
            mapping,
            compiled,
            forms,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            roots,
            preferred,
            enumerated_times,
            no_others: None,
            rewrite: None,
            memories: Mutex::default(),
        };
        Ok(types)
    }

    /// The same types, for instances without a document type declaration and without processing instructions; `expected` says
    /// so in errors.
    #[must_use]
    pub fn with_elements_only(mut self, expected: &'static str) -> Types {
        self.no_others = Some(expected);
        self
    }

    /// The same types, for instances that are rewritten where the schema refuses them.
    #[must_use]
    pub fn with_rewrite(mut self, rewrite: impl Rewrite + 'static) -> Types {
        self.rewrite = Some(Box::new(rewrite));
        self
    }

    /// Takes a memory of expected tags; an empty one if as many threads have one as ever had.
    pub(super) fn take_memory(&self) -> Box<Memory> {
        self.memories().pop().unwrap_or_default()
    }

    /// Keeps a memory for the next instance.
    pub(super) fn keep_memory(&self, memory: Box<Memory>) {
        self.memories().push(memory);
    }

    /// What a memory of expected tags knows that no one has; an empty one if there is none, or it takes long to copy.
    pub(super) fn copy_of_memory(&self) -> Box<Memory> {
        let memories = self.memories();
        let known = memories.last().filter(|memory| memory.bytes() <= MOST_COPIED);
        known.map(|memory| memory.copied()).unwrap_or_default()
    }

    /// Keeps what a memory knows, if there is no other.
    pub(super) fn learn_from(&self, memory: &Memory) {
        let mut memories = self.memories();
        if memories.is_empty() && memory.bytes() <= MOST_COPIED {
            memories.push(memory.copied());
        }
    }

    #[allow(clippy::vec_box)] // As above.
    fn memories(&self) -> MutexGuard<'_, Vec<Box<Memory>>> {
        self.memories.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a simple type is an enumeration of times.
    #[inline]
    pub(super) fn enumerates_times(&self, ty: SimpleId) -> bool {
        self.enumerated_times.get(ty.index()).copied().unwrap_or_default()
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The ASN.1 modules, and a list of what they leave out.
    #[must_use]
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// The types of the modules, compiled for reading and writing messages.
    #[must_use]
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// The global elements, in the order of the documents.
    pub fn roots(&self) -> impl Iterator<Item = Root> {
        let mut roots = self.roots.clone();
        roots.sort_by_key(|root| root.element);
        roots.into_iter()
    }

    /// The global element with a name: `order`, or `{urn:orders}order` if several namespaces have one.
    ///
    /// # Errors
    /// [`Schema`](ErrorKind::Schema) if there is none, or more than one.
    pub fn root(&self, name: &str) -> Result<Root, Error> {
        let names = &self.schema.names;
        let is = |root: &&Root| names.local(root.name) == name || names.shown(root.name) == name;
        let mut found = self.roots.iter().filter(is);
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(*one),
            (Some(one), Some(other)) => {
                let both = format!("{} and {}", names.shown(one.name), names.shown(other.name));
                Err(Error::new(ErrorKind::Schema, "xsd", 0, both, "the namespace in braces before the element's name"))
            }
            (None, _) => {
                let found = format!("the schema has no global element {name}");
                Err(Error::new(ErrorKind::Schema, "xsd", 0, found, ""))
            }
        }
    }

    /// The root whose values have a type.
    pub(super) fn root_of_node(&self, node: NodeId) -> Option<Root> {
        self.roots.iter().find(|root| root.of.node == node).copied()
    }

    /// The root with a name.
    pub(super) fn root_of(&self, name: Name) -> Option<Root> {
        let found = self.roots.binary_search_by_key(&name, |root| root.name).ok()?;
        self.roots.get(found).copied()
    }
}
