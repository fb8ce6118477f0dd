//! Makes the modules: their assignments, one after the other, and their imports.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use asn1::schema::{
    Argument, Assignment, EncodingControl, Import, Instruction, Kind, Meaning, Module, Position as At, Tagging, Type,
};
use tam::{Error, ErrorKind, Words};
use xsd::internal::Checker;
use xsd::{Name, NamespaceId, Position, Schema, SimpleId, XSI_NAMESPACE};

use super::enumeration::Items;
use super::instruction::{named, text, word};
use super::plan::{Plan, Source};
use super::support::retain_used;
use super::{ElementPlace, LeftOut, Mapping, Options, Version};
use crate::xer::prefixes::Preferred;

/// How deep types may be nested in one assignment. The parser of ASN.1 notation reads 48 levels, constraints included.
const NESTED: u32 = 40;

/// The name of the module of built-in types.
pub(crate) const XSD: &str = "XSD";

/// The imports of a module.
#[derive(Default)]
struct Imported {
    /// Names by module, in order.
    by_module: BTreeMap<String, BTreeSet<String>>,
    /// The module of each name that is used without its module.
    bare: HashMap<String, String>,
    /// Names imported from several modules, which are always used with their module.
    shared: BTreeSet<String>,
}

/// The names that each module imports from several others.
pub(super) type Shared = Vec<BTreeSet<String>>;

/// Maps a schema.
pub(super) struct Mapper<'s> {
    pub(super) schema: &'s Schema,
    pub(super) version: Version,
    pub(super) plan: Plan,
    /// The module being made.
    pub(super) module: usize,
    imported: Vec<Imported>,
    /// Whether a name was used without its module before it was known that another module has it.
    is_unknown: bool,
    /// How deep the current type is nested.
    level: u32,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) checker: Checker,
    /// The items of types that became ENUMERATED.
    pub(super) enumerations: HashMap<SimpleId, Rc<Items>>,
}

impl<'s> Mapper<'s> {
    /// `shared` is what an earlier mapper of the same schema found, or empty.
    pub(super) fn new(schema: &'s Schema, options: &Options, shared: Shared) -> Result<Mapper<'s>, Error> {
        let plan = Plan::new(schema)?;
        let shared = shared.into_iter().chain(std::iter::repeat_with(BTreeSet::new));
        let imported =
            shared.take(plan.modules.len()).map(|shared| Imported { shared, ..Imported::default() }).collect();
        Ok(Mapper {
            schema,
            version: options.version,
            plan,
            module: 0,
            imported,
            is_unknown: false,
            level: 0,
            left_out: LeftOut::of(schema),
            checker: Checker::default(),
            enumerations: HashMap::new(),
        })
    }

    /// The mapping; the names that a module imports from several others, if that was not known.
    pub(super) fn map(mut self) -> Result<Result<Mapping, Shared>, Error> {
        let mut assignments: Vec<Vec<Assignment>> = self.plan.modules.iter().map(|_| Vec::new()).collect();
        let (mut elements, mut substituted) = (Vec::new(), Vec::new());
        for source in std::mem::take(&mut self.plan.order) {
            let Some(place) = self.plan.places.get(&source).cloned() else { continue };
            self.module = place.module;
            let ty = self.assigned(source, &place.name)?;
            if let Source::Derivations(ty) | Source::DerivNillable(ty) = source
                && let Some(name) = self.schema.type_name(ty)
            {
                substituted.push((place.module, place.name.clone(), name));
            }
            if let Source::Element(element) = source {
                elements.push(ElementPlace { element, module: place.module, name: place.name.clone() });
            }
            let (name, parameters, meaning) = (place.name, Vec::new(), Meaning::Type(ty));
            let assignment = Assignment { name, parameters, meaning, position: At::default() };
            assignments[place.module].push(assignment);
        }
        if self.is_unknown {
            return Ok(Err(self.imported.into_iter().map(|imported| imported.shared).collect()));
        }
        let preferred = Preferred::of(self.schema);
        let mut modules = Vec::with_capacity(assignments.len() + 1);
        let mut built_in: BTreeSet<String> = BTreeSet::new();
        for (((namespace, name), assignments), imported) in self.plan.modules.iter().zip(assignments).zip(self.imported)
        {
            built_in.extend(imported.by_module.get(XSD).into_iter().flatten().cloned());
            modules.push(Module {
                name: name.clone(),
                tagging: Tagging::Automatic,
                xer_instructions: true,
                imports: imports(imported),
                assignments,
                encoding_control: Some(control(self.schema.names.uri(*namespace), &preferred)),
                ..Module::default()
            });
        }
        if !built_in.is_empty() {
            modules.push(retain_used(self.version.support()?, built_in.into_iter()));
        }
        let schema = asn1::schema::Schema { modules, ..asn1::schema::Schema::default() };
        Ok(Ok(Mapping { schema, elements, substituted, left_out: self.left_out }))
    }

    /// The type of an assignment.
    fn assigned(&mut self, source: Source, made: &str) -> Result<Type, Error> {
        let schema = self.schema;
        Ok(match source {
            Source::Element(id) => named(self.element_type(id)?, made, schema.names.local(schema.elements[id].name)),
            Source::Attribute(id) => {
                let name = schema.names.local(schema.attributes[id].name);
                let ty = named(self.attribute_type(id)?, made, name);
                super::instruction::with("ATTRIBUTE", ty)
            }
            Source::Type(ty) => {
                let mapped = self.definition(ty)?;
                named(mapped, made, schema.type_name(ty).map_or("", |name| schema.names.local(name)))
            }
            Source::Group(id) => self.named_group(id)?,
            Source::Substitution(id) => self.substitution(id)?,
            Source::Derivations(ty) => self.derivations(ty, false)?,
            Source::DerivNillable(ty) => self.derivations(ty, true)?,
            Source::Nillable(ty) => {
                let mapped = self.nillable_definition(ty)?;
                named(mapped, made, schema.type_name(ty).map_or("", |name| schema.names.local(name)))
            }
        })
    }

    /// A reference to an assignment; `None` if there is no such assignment.
    pub(super) fn refer(&mut self, source: Source) -> Option<Type> {
        let place = self.plan.places.get(&source)?.clone();
        if place.module == self.module {
            return Some(Type::reference(place.name));
        }
        let module = self.plan.modules[place.module].1.clone();
        Some(self.imported(module, place.name))
    }

    /// A reference to a type of the module `XSD`.
    pub(super) fn built_in(&mut self, name: &str) -> Type {
        self.imported(XSD.to_owned(), name.to_owned())
    }

    /// A reference to a type of another module. It includes the module's name if another type has the same name (clause
    /// 10.2).
    fn imported(&mut self, module: String, name: String) -> Type {
        let imported = &mut self.imported[self.module];
        imported.by_module.entry(module.clone()).or_default().insert(name.clone());
        let mut bare = !self.plan.given[self.module].has(&name) && !imported.shared.contains(&name);
        if bare && *imported.bare.entry(name.clone()).or_insert_with(|| module.clone()) != module {
            // It has been used without its module already.
            self.is_unknown |= imported.shared.insert(name.clone());
            bare = false;
        }
        Type::new(Kind::Reference { module: (!bare).then_some(module), name })
    }

    /// Makes something that is nested one level deeper.
    pub(super) fn within<T>(
        &mut self,
        position: Position,
        make: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.level >= NESTED {
            let expected = Words::AtMost(NESTED.into(), "types within each other");
            return Err(self.fault(
                ErrorKind::Limit,
                position,
                "anonymous types and groups within each other",
                expected,
            ));
        }
        self.level += 1;
        let made = make(self);
        self.level -= 1;
        made
    }

    #[cold]
    pub(super) fn fault(
        &self,
        kind: ErrorKind,
        position: Position,
        found: impl Into<Words>,
        expected: impl Into<Words>,
    ) -> Error {
        let error = Error::new(kind, "xsd", position.offset.into(), found, expected)
            .at_line(position.line.into(), position.column.into());
        match position.document {
            Some(document) => error.in_path(&*self.schema.documents[document].location),
            None => error,
        }
    }

    pub(super) fn left_out(&mut self, what: &'static str, name: Name, position: Position) {
        let name = self.schema.names.shown(name);
        self.left_out.push(LeftOut { what, name, position });
    }

    pub(super) fn local(&self, name: Name) -> &'s str {
        self.schema.names.local(name)
    }

    pub(super) fn uri(&self, namespace: NamespaceId) -> &'s str {
        self.schema.names.uri(namespace)
    }
}

fn imports(imported: Imported) -> Vec<Import> {
    let imports = imported.by_module.into_iter();
    imports.map(|(module, names)| Import { names: names.into_iter().collect(), module, ..Import::default() }).collect()
}

/// The instructions for a whole module.
fn control(namespace: &str, preferred: &Preferred) -> EncodingControl {
    let global = |arguments| instruction("GLOBAL-DEFAULTS", &[], arguments);
    let mut instructions = vec![
        global(vec![word("MODIFIED-ENCODINGS")]),
        global(vec![word("CONTROL-NAMESPACE"), text(XSI_NAMESPACE), word("PREFIX"), text("xsi")]),
    ];
    if !namespace.is_empty() {
        let mut arguments = vec![word("AS"), text(namespace)];
        if let Some(prefix) = preferred.of_uri(namespace) {
            arguments.extend([word("PREFIX"), text(prefix)]);
        }
        instructions.push(instruction("NAMESPACE", &["ALL"], arguments));
    }
    EncodingControl { instructions, position: At::default() }
}

fn instruction(keyword: &str, targets: &[&str], arguments: Vec<Argument>) -> Instruction {
    Instruction {
        negating: false,
        keyword: keyword.to_owned(),
        targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        arguments,
        position: At::default(),
    }
}
