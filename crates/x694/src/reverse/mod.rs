//! The XML Schema of the instances that modules with XER encoding instructions describe: the mapping in reverse.
//!
//! The schema is written as documents, one for each namespace, and read like any other. What the documents cannot declare
//! in place, such as an element of another namespace than its type's, is a group of the other document.

mod content;
mod control;
mod documents;
mod facets;
mod include;
mod open;
mod simple;

use std::collections::HashMap;

use asn1::schema::{Assignment, Instruction, Kind, Schema as Modules, Type};
use tam::{Error, ErrorKind, Words};
use xsd::{Builtin, Name, Names, Options, Schema, TypeId};

pub(crate) use self::control::settle;
use self::documents::Documents;
use crate::mapping::{ElementPlace, XSD, type_name};
use crate::xer::build::is_characters;
use crate::xer::instructions::{Assignments, Resolved, assigned, own_name};

/// How deep types and groups may be nested.
const NESTED: u32 = 128;

/// What modules describe.
pub(crate) struct Described {
    pub(crate) schema: Schema,
    pub(crate) elements: Vec<ElementPlace>,
    /// For each `USE-TYPE` CHOICE, by its address, the type that needs no `xsi:type`.
    pub(crate) declared: HashMap<usize, Name>,
}

/// A type assignment: the index of its module, and its name.
type Place<'m> = (usize, &'m str);

/// A `USE-TYPE` CHOICE.
struct Derived {
    /// The address of its type.
    address: usize,
    /// The type of elements, and whether that needs no `xsi:type`.
    base: String,
    is_declared: bool,
    /// The types of its alternatives.
    alternatives: Vec<String>,
}

struct Describer<'m> {
    modules: &'m Modules,
    by_name: Assignments<'m>,
    /// Namespaces of wildcards are not looked up here.
    no_names: Names,
    documents: Documents,
    /// The document of each module.
    of_module: Vec<usize>,
    /// The names of the types that assignments become.
    types: HashMap<Place<'m>, String>,
    /// The groups that assignments have become.
    groups: HashMap<Place<'m>, String>,
    /// Assignments whose types are still to be written.
    queue: Vec<Place<'m>>,
    derived: Vec<Derived>,
    nested: u32,
}

/// Derives the schema of modules.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) for types that no schema describes, with their position.
pub(crate) fn describe(modules: &Modules) -> Result<Described, Error> {
    let mut describer = Describer::new(modules)?;
    let roots = describer.roots()?;
    while let Some(place) = describer.queue.pop() {
        describer.definition(place).map_err(|error| describer.in_module(error, place))?;
    }
    let Describer { documents, derived, .. } = describer;
    let prefixes = documents.prefixes();
    let (source, locations) = documents.finish();
    let mut schema = Schema::read_all(source, &locations, &Options::default()).map_err(|error| {
        let found = format!("modules that describe no XML Schema: {}", error.found());
        Error::without_place(error.kind(), "xml", found, error.expected().clone())
    })?;
    let name = |schema: &Schema, qname: &str| {
        let (prefix, local) = qname.split_once(':').unwrap_or(("", qname));
        schema.names.find(prefixes.get(prefix).map_or("", |uri| &uri[..]), local)
    };
    let declared = derived.iter().filter(|one| one.is_declared);
    let declared = declared.filter_map(|one| Some((one.address, name(&schema, &one.base)?))).collect();
    derive(&mut schema, derived, name);
    let elements = roots.into_iter().filter_map(|(uri, local, (module, name))| {
        let element = schema.find_element(&uri, &local)?;
        Some(ElementPlace { element, module, name: name.to_owned() })
    });
    let elements = elements.collect();
    Ok(Described { schema, elements, declared })
}

/// Derives the types of alternatives from the types of elements. Of several of these, the one with the fewest alternatives is
/// nearest.
fn derive(schema: &mut Schema, mut derived: Vec<Derived>, name: impl Fn(&Schema, &str) -> Option<Name>) {
    derived.sort_by_key(|one| one.alternatives.len());
    for Derived { base, alternatives, .. } in derived {
        let of = |name: Option<Name>| name.and_then(|name| schema.type_of_name(name));
        let Some(base) = of(name(schema, &base)) else { continue };
        let types: Vec<TypeId> = alternatives.iter().filter_map(|one| of(name(schema, one))).collect();
        for ty in types {
            if schema.is_derived(ty, base, xsd::Derivations::NONE)
                || schema.is_derived(base, ty, xsd::Derivations::NONE)
            {
                continue;
            }
            // The last step that is not yet derived from another alternative.
            let mut ty = ty;
            while schema.base(ty) != TypeId::Complex(Schema::ANY_TYPE) && !matches!(schema.base(ty), TypeId::Simple(_))
            {
                ty = schema.base(ty);
            }
            match (ty, base) {
                (TypeId::Complex(id), _) => schema.complex_types[id].base = base,
                (TypeId::Simple(id), TypeId::Simple(base)) => schema.simple_types[id].base = base,
                (TypeId::Simple(_), TypeId::Complex(_)) => {}
            }
        }
    }
}

impl<'m> Describer<'m> {
    fn new(modules: &'m Modules) -> Result<Describer<'m>, Error> {
        let mut documents = Documents::default();
        let of_module = modules.modules.iter().map(|module| documents.of(module.xml_namespace())).collect();
        for module in modules.modules.iter() {
            documents.prefer(module);
        }
        Ok(Describer {
            modules,
            by_name: Assignments::new(modules),
            no_names: Names::default(),
            documents,
            of_module,
            types: HashMap::new(),
            groups: HashMap::new(),
            queue: Vec::new(),
            derived: Vec::new(),
            nested: 0,
        })
    }

    /// All type assignments but those of the module `XSD`.
    fn assignments(&self) -> impl Iterator<Item = (Place<'m>, &'m Type)> + use<'m> {
        let modules = self.modules.modules.iter().enumerate().filter(|(_, module)| module.name != XSD);
        modules.flat_map(|(at, module)| {
            let all = module.assignments.iter();
            all.filter_map(move |assignment| Some(((at, &assignment.name[..]), assigned(assignment)?)))
        })
    }

    /// Those of the notation, without made ones.
    fn written(&self) -> impl Iterator<Item = (Place<'m>, &'m Type)> + use<'m> {
        let modules = self.modules;
        let is_written = |name: &str| own_name(name) == name;
        self.assignments().filter(move |((at, name), _)| is_written(&modules.modules[*at].name) && is_written(name))
    }

    /// Names the types of all assignments, and declares an element for each that may be one. Of assignments with the same
    /// name in XML, the first is the element and the last is the type.
    fn roots(&mut self) -> Result<Vec<(String, String, Place<'m>)>, Error> {
        let (mut roots, mut taken, mut types) = (Vec::new(), HashMap::new(), HashMap::new());
        for (place, _) in self.assignments() {
            let document = self.of_module[place.0];
            let private = format!("_.{}.{}", self.modules.modules[place.0].name, place.1);
            self.types.insert(place, self.documents.qname(document, &private));
        }
        for (place, ty) in self.written() {
            let (_, local) = ty.xml_name(place.1);
            let document = self.of_module[place.0];
            let of = self.resolve(place.0, ty).map_err(|error| self.in_module(error, place))?;
            if of.instructions.untagged || of.instructions.attribute {
                continue;
            }
            let of_module = self.modules.modules[place.0].xml_namespace();
            if let Some(uri) = ty.instruction("NAMESPACE").and_then(Instruction::text).filter(|uri| *uri != of_module) {
                let found = format!("the namespace \"{uri}\" of {}", place.1);
                let expected = "the one of all assignments of its module (NAMESPACE ALL AS \"…\")";
                return Err(self.in_module(fault(ty, found, expected), place));
            }
            types.insert((document, local.clone()), place);
            if let std::collections::hash_map::Entry::Vacant(entry) = taken.entry((document, local)) {
                entry.insert(place);
            }
        }
        for ((document, local), place) in types {
            self.types.insert(place, self.documents.qname(document, &local));
        }
        self.unite_nillable();
        for (place, ty) in self.written() {
            let (_, local) = ty.xml_name(place.1);
            let document = self.of_module[place.0];
            if taken.get(&(document, local.clone())) == Some(&place) {
                let element = self.element_declaration(place.0, ty, None);
                let element = element.map_err(|error| self.in_module(error, place))?;
                self.documents.push(document, &format!("<xs:element name=\"{local}\"{element}"));
                roots.push((self.documents.uri(document).to_owned(), local.into_owned(), place));
            }
        }
        Ok(roots)
    }

    /// A type for nillable elements (X.694 clause 31) is the same type of XML as the one for others.
    fn unite_nillable(&mut self) {
        for (place, ty) in self.assignments() {
            let Some(plain) = place.1.strip_suffix("-nillable") else { continue };
            let Some(assignment) = self.assignment((place.0, plain)) else { continue };
            let Some(of) = assigned(assignment).filter(|of| of.xml_name(plain).1 == ty.xml_name(place.1).1) else {
                continue;
            };
            if ty.instruction("USE-NIL").is_some() && of.instruction("USE-NIL").is_none() {
                let name = self.documents.qname(self.of_module[place.0], &ty.xml_name(place.1).1);
                self.types.insert((place.0, &assignment.name), name.clone());
                self.types.insert(place, name);
            }
        }
    }

    fn assignment(&self, (module, name): (usize, &str)) -> Option<&'m Assignment> {
        self.by_name.get(module, name)
    }

    fn resolve(&self, module: usize, ty: &'m Type) -> Result<Resolved<'m>, Error> {
        self.by_name
            .resolve(&self.no_names, module, ty)
            .ok_or_else(|| fault(ty, "a name that refers to nothing", "a type"))
    }

    /// The assignment that a reference is to.
    fn referred(&self, module: usize, ty: &'m Type) -> Option<Place<'m>> {
        let Kind::Reference { module: of, name } = &ty.kind else { return None };
        let (module, assignment) = self.by_name.find(module, of.as_deref(), name)?;
        Some((module, &assignment.name))
    }

    /// The name of an assignment's type, which is written later.
    fn type_of(&mut self, place: Place<'m>) -> Option<String> {
        // No schema document derives a type from this one.
        if let Some(of) = self.assignment(place).and_then(assigned).and_then(|ty| self.referred(place.0, ty))
            && self.modules.modules[of.0].name == XSD
            && of.1 == type_name(Builtin::AnySimpleType)
        {
            return Some("xs:anySimpleType".to_owned());
        }
        let name = self.types.get(&place)?.clone();
        if self.documents.announce(&name) {
            self.queue.push(place);
        }
        Some(name)
    }

    /// An error with the type assignment that it is in.
    fn in_module(&self, error: Error, (module, name): Place<'m>) -> Error {
        error.in_path(format!("{}.{name}", self.modules.modules[module].name))
    }

    /// Writes the type of an assignment.
    fn definition(&mut self, place: Place<'m>) -> Result<(), Error> {
        let Some(ty) = self.assignment(place).and_then(assigned) else { return Ok(()) };
        let of = self.resolve(place.0, ty)?;
        let name = self.types.get(&place).cloned().unwrap_or_default();
        let (kind, body) = match is_characters(&of) {
            true => ("simpleType", self.simple_definition(place.0, ty)?),
            false => ("complexType", self.complex(&of)?),
        };
        let local = name.rsplit(':').next().unwrap_or_default();
        self.documents.push(self.of_module[place.0], &format!("<xs:{kind} name=\"{local}\"{body}</xs:{kind}>"));
        Ok(())
    }

    /// Makes something that is nested one level deeper.
    fn within<T>(&mut self, ty: &Type, make: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.nested >= NESTED {
            return Err(at(
                Error::new(
                    ErrorKind::Limit,
                    "xml",
                    0,
                    "types within each other",
                    Words::AtMost(NESTED.into(), "levels"),
                ),
                ty,
            ));
        }
        self.nested += 1;
        let made = make(self);
        self.nested -= 1;
        made
    }
}

/// An error for a type.
#[cold]
pub(crate) fn fault(ty: &Type, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    at(Error::new(ErrorKind::Unsupported, "xml", 0, found, expected), ty)
}

fn at(error: Error, ty: &Type) -> Error {
    match ty.position.line {
        0 => error,
        line => {
            let format = error.format();
            error.met_in(format, ty.position.offset.into()).at_line(line.into(), ty.position.column.into())
        }
    }
}
