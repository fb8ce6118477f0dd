//! Which components become type assignments, in which order and with which names (X.694 clauses 10.3 and 10.4).

use std::collections::{HashMap, HashSet};

use tam::{Error, ErrorKind};
use xsd::{
    Arena, AttributeId, Derivation, Derivations, Element, ElementId, Global, Id, Name, NamedGroupId, NamespaceId,
    Schema, TypeId,
};

use super::names::{NameKind, UsedNames, module};

/// The most pairs of a base type and a type derived from it.
const MOST_PAIRS: usize = 1 << 20;

/// The most steps from a type to its base that are taken to find these pairs.
const MOST_STEPS: usize = 1 << 22;

/// A type assignment: the index of its module, and its name.
#[derive(Clone, Debug)]
pub(super) struct AssignmentRef {
    pub(super) module: usize,
    pub(super) name: String,
}

/// What an assignment is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Element(ElementId),
    Attribute(AttributeId),
    Type(TypeId),
    Group(NamedGroupId),
    /// An element or its substitutes (`-group`).
    Substitution(ElementId),
    /// A type or one derived from it (`-derivations`).
    Derivations(TypeId),
    /// A type or one derived from it, for nillable elements (`-deriv-nillable`).
    DerivNillable(TypeId),
    /// A complex type for nillable elements (`-nillable`).
    Nillable(TypeId),
}

/// All assignments that will be made.
pub(super) struct Plan {
    /// Namespace and name of each module.
    pub(super) modules: Vec<(NamespaceId, String)>,
    /// The assignments in the order of the mapping.
    pub(super) order: Vec<Source>,
    pub(super) places: HashMap<Source, AssignmentRef>,
    /// The names used in each module.
    pub(super) given: Vec<UsedNames>,
    /// For each type, the derived types that `xsi:type` may name instead, in order.
    pub(super) derived: HashMap<TypeId, Vec<TypeId>>,
}

impl Plan {
    pub(super) fn new(schema: &Schema) -> Result<Plan, Error> {
        let mut globals: Vec<(NamespaceId, u8, Name, Source)> =
            schema.globals.iter().filter_map(|global| entry(schema, *global)).collect();
        // The absent namespace has an empty URI, which sorts first (clause 10.4.2).
        globals.sort_by(|(a_in, a_kind, a, _), (b_in, b_kind, b, _)| {
            let key = |namespace, kind, name| (schema.names.uri(namespace), kind, schema.names.local(name));
            key(*a_in, *a_kind, *a).cmp(&key(*b_in, *b_kind, *b))
        });
        let mut plan = Plan {
            modules: Vec::new(),
            order: Vec::with_capacity(globals.len()),
            places: HashMap::with_capacity(globals.len()),
            given: Vec::new(),
            derived: HashMap::new(),
        };
        let targets = schema.documents.iter().map(|(_, document)| document.target);
        let mut namespaces: Vec<NamespaceId> =
            globals.iter().map(|(namespace, ..)| *namespace).chain(targets).collect();
        namespaces.sort_by_key(|namespace| schema.names.uri(*namespace));
        namespaces.dedup();
        let mut modules = UsedNames::default();
        modules.name("XSD", NameKind::Reference);
        for namespace in namespaces {
            let name = modules.distinct(module(schema.names.uri(namespace)), NameKind::Reference);
            plan.modules.push((namespace, name));
            plan.given.push(UsedNames::default());
        }
        let mut at = 0;
        for (namespace, _, name, source) in globals {
            while plan.modules.get(at).is_some_and(|(other, _)| *other != namespace) {
                at += 1;
            }
            let name = plan.given[at].name(schema.names.local(name), NameKind::Reference);
            plan.add(source, AssignmentRef { module: at, name });
        }
        plan.find_derived(schema)?;
        plan.add_special(schema);
        Ok(plan)
    }

    fn add(&mut self, source: Source, place: AssignmentRef) {
        self.order.push(source);
        self.places.insert(source, place);
    }

    /// For each type of an element, finds the types that `xsi:type` may name instead: all derived types that are neither
    /// blocked nor abstract.
    fn find_derived(&mut self, schema: &Schema) -> Result<(), Error> {
        let bases: HashSet<TypeId> = schema.elements.iter().map(|(_, element)| element.ty).collect();
        let is_base = |ty| bases.contains(&ty) && self.places.contains_key(&Source::Type(ty));
        let types = self.order.iter().filter_map(|source| match source {
            Source::Type(ty) if !is_abstract(schema, *ty) => Some(*ty),
            _ => None,
        });
        let (mut pairs, mut walked) = (0, 0);
        let mut derived: HashMap<TypeId, Vec<TypeId>> = HashMap::new();
        for ty in types {
            let (mut steps, mut blocked) = (Derivations::NONE, Derivations::NONE);
            let mut at = ty;
            while at != TypeId::Complex(Schema::ANY_TYPE) {
                steps = steps.with(step(schema, at));
                at = schema.base(at);
                if let TypeId::Complex(id) = at {
                    blocked = blocked.with(schema.complex_types[id].disallowed);
                }
                if !steps.has(blocked) && is_base(at) {
                    derived.entry(at).or_default().push(ty);
                    pairs += 1;
                }
                walked += 1;
                if pairs > MOST_PAIRS || walked > MOST_STEPS {
                    return Err(too_many(schema));
                }
            }
        }
        self.derived = derived;
        Ok(())
    }

    /// Adds the assignments that element declarations need besides those of global components (clauses 29 to 31).
    fn add_special(&mut self, schema: &Schema) {
        let mut needed = Vec::new();
        for (id, element) in schema.elements.iter() {
            if !element.substitutes.is_empty() && self.places.contains_key(&Source::Element(id)) {
                needed.push(Source::Substitution(id));
            }
            needed.extend(self.special(schema, element));
        }
        let own = |source: &Source| match *source {
            Source::Substitution(id) => Source::Element(id),
            Source::Derivations(ty) | Source::DerivNillable(ty) | Source::Nillable(ty) => Source::Type(ty),
            other => other,
        };
        let ranks: HashMap<Source, usize> =
            self.order.iter().enumerate().map(|(rank, source)| (*source, rank)).collect();
        let kind = |source: &Source| match source {
            Source::Substitution(_) => (0, "-group"),
            Source::Derivations(_) => (1, "-derivations"),
            Source::DerivNillable(_) => (2, "-deriv-nillable"),
            _ => (3, "-nillable"),
        };
        needed.sort_by_key(|source| (kind(source).0, ranks.get(&own(source)).copied()));
        needed.dedup();
        for source in needed {
            let Some(AssignmentRef { module, name }) = self.places.get(&own(&source)).cloned() else { continue };
            let name = self.given[module].distinct(format!("{name}{}", kind(&source).1), NameKind::Reference);
            self.add(source, AssignmentRef { module, name });
        }
    }

    /// The additional assignments that an element declaration needs of its type.
    fn special(&self, schema: &Schema, element: &Element) -> Vec<Source> {
        let complex = matches!(element.ty, TypeId::Complex(_));
        if !self.places.contains_key(&Source::Type(element.ty)) {
            return Vec::new();
        }
        let mut needed = Vec::new();
        if self.is_substitutable(element) {
            needed.push(if element.nillable {
                Source::DerivNillable(element.ty)
            } else {
                Source::Derivations(element.ty)
            });
            if element.nillable {
                // Each alternative is nillable.
                let all = self.derived.get(&element.ty).into_iter().flatten().chain([&element.ty]);
                let complex = all.filter(|ty| matches!(ty, TypeId::Complex(_)) && !is_abstract(schema, **ty));
                needed.extend(complex.map(|ty| Source::Nillable(*ty)));
            }
        } else if element.nillable && complex {
            needed.push(Source::Nillable(element.ty));
        }
        needed
    }

    /// Whether `xsi:type` may name another type than the declared one.
    pub(super) fn is_substitutable(&self, element: &Element) -> bool {
        let blocked = element.disallowed;
        self.derived.contains_key(&element.ty)
            && !(blocked.has(Derivations::EXTENSION) && blocked.has(Derivations::RESTRICTION))
    }
}

/// The error for more derived types than any real schema has.
#[cold]
fn too_many(schema: &Schema) -> Error {
    let expected = format!("at most {MOST_PAIRS} pairs of them, and {MOST_STEPS} steps of derivation");
    let error = Error::new(ErrorKind::Limit, "xsd", 0, "more types derived from each other", expected);
    match schema.documents.iter().next() {
        Some((_, document)) => error.in_path(&*document.location),
        None => error,
    }
}

/// How a type is derived from its base.
fn step(schema: &Schema, ty: TypeId) -> Derivations {
    match ty {
        TypeId::Complex(id) if schema.complex_types[id].derivation == Derivation::Extension => Derivations::EXTENSION,
        _ => Derivations::RESTRICTION,
    }
}

pub(super) fn is_abstract(schema: &Schema, ty: TypeId) -> bool {
    matches!(ty, TypeId::Complex(id) if schema.complex_types[id].is_abstract)
}

/// The namespace and the name of a component in an arena.
fn named<I: Id, T>(schema: &Schema, arena: &Arena<I, T>, id: I, name: impl Fn(&T) -> Name) -> (NamespaceId, Name) {
    let name = name(&arena[id]);
    (schema.names.namespace(name), name)
}

/// The sort key of a global component that becomes an assignment. Attribute groups are expanded where they are used, and
/// notations are left out.
fn entry(schema: &Schema, global: Global) -> Option<(NamespaceId, u8, Name, Source)> {
    let ((namespace, name), kind, source) = match global {
        Global::Element(id) => (named(schema, &schema.elements, id, |e| e.name), 0, Source::Element(id)),
        Global::Attribute(id) => (named(schema, &schema.attributes, id, |a| a.name), 1, Source::Attribute(id)),
        Global::Type(ty) => {
            let name = schema.type_name(ty)?;
            ((schema.names.namespace(name), name), 2, Source::Type(ty))
        }
        // An `xs:all` has no assignment: it is the whole content of each type that refers to it.
        Global::Group(id) if schema.groups[schema.named_groups[id].group].compositor == xsd::Compositor::All => {
            return None;
        }
        Global::Group(id) => (named(schema, &schema.named_groups, id, |g| g.name), 3, Source::Group(id)),
        Global::AttributeGroup(_) | Global::Notation(_) => return None,
    };
    Some((namespace, kind, name, source))
}
