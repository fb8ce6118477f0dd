//! What names mean: modules, what they define and what they import.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use tam::{Error, ErrorKind};

use super::fault;
use crate::schema::{
    Assignment, Constraint, Exports, Kind, Meaning, NamedNumber, Position, Prefix, Schema, TagMode, Tagging, Type,
};

/// The longest chain of names that refer to names.
const REFERENCES: usize = 250;

/// The names of a schema.
pub(super) struct Scope<'s> {
    pub(super) schema: &'s Schema,
    modules: Vec<Names<'s>>,
    by_name: HashMap<&'s str, usize>,
    /// Lists of named numbers that have been indexed, by their position in the notation.
    numbers: RefCell<HashMap<usize, HashMap<&'s str, usize>>>,
}

struct Names<'s> {
    /// Names defined here: the index of the assignment.
    own: HashMap<&'s str, usize>,
    /// Names imported: the module they come from, or its name if it is missing.
    imported: HashMap<&'s str, Result<usize, &'s str>>,
    /// What others may import, if not everything.
    exported: Option<HashSet<&'s str>>,
}

/// An assignment, by module and index in it.
pub(super) type Definition = (usize, usize);

/// A type with all its references followed.
pub(super) struct Followed<'s> {
    /// The module of the type itself.
    pub(super) module: usize,
    /// The type, which is not a reference.
    pub(super) kind: &'s Kind,
    /// Tags of it and of the references to it, outermost first; whether explicit.
    pub(super) tags: Vec<(crate::schema::Tag, bool)>,
    /// Constraints, those of the type itself first, each with its module.
    pub(super) constraints: Vec<(usize, &'s Constraint)>,
    /// The position of the type itself.
    pub(super) position: Position,
    /// The name that the type itself is defined as, if a reference led to it.
    pub(super) name: Option<&'s str>,
}

impl<'s> Scope<'s> {
    pub(super) fn new(schema: &'s Schema) -> Result<Scope<'s>, Error> {
        let mut by_name = HashMap::new();
        for (number, module) in schema.modules.iter().enumerate() {
            if by_name.insert(&module.name[..], number).is_some() {
                let found = format!("a second module {}", module.name);
                return Err(fault(
                    ErrorKind::Schema,
                    module.position,
                    &module.name,
                    found,
                    "modules of different names",
                ));
            }
        }
        let modules = schema.modules.iter().map(|module| {
            let own = module.assignments.iter().enumerate().map(|(i, assignment)| (&assignment.name[..], i)).collect();
            let imported = module.imports.iter().flat_map(|import| {
                let from = by_name.get(&import.module[..]).copied().ok_or(&import.module[..]);
                import.names.iter().map(move |name| (&name[..], from))
            });
            let exported = match &module.exports {
                Exports::All => None,
                Exports::Only(names) => Some(names.iter().map(|name| &name[..]).collect()),
            };
            Names { own, imported: imported.collect(), exported }
        });
        let modules = modules.collect();
        Ok(Scope { schema, modules, by_name, numbers: RefCell::default() })
    }

    pub(super) fn assignment(&self, (module, number): Definition) -> Option<&'s Assignment> {
        self.schema.modules.get(module)?.assignments.get(number)
    }

    pub(super) fn tagging(&self, module: usize) -> Tagging {
        self.schema.modules.get(module).map_or(Tagging::Explicit, |module| module.tagging)
    }

    pub(super) fn extensibility_implied(&self, module: usize) -> bool {
        self.schema.modules.get(module).is_some_and(|module| module.extensibility_implied)
    }

    /// `Module.Name`, for errors.
    pub(super) fn path(&self, definition: Definition) -> String {
        let module = self.schema.modules.get(definition.0).map(|module| &module.name[..]);
        let name = self.assignment(definition).map(|assignment| &assignment.name[..]);
        format!("{}.{}", module.unwrap_or_default(), name.unwrap_or_default())
    }

    /// The definition of a name in a module.
    pub(super) fn find(
        &self,
        module: usize,
        of: Option<&str>,
        name: &str,
        position: Position,
    ) -> Result<Definition, Error> {
        let mut module = match of {
            Some(of) => match self.by_name.get(of) {
                Some(other) => self.exported(*other, name, position)?,
                None => {
                    return Err(self.missing(module, position, format!("module {of} not found"), ""));
                }
            },
            None => module,
        };
        // The other module may itself import the name.
        for _ in 0..REFERENCES {
            let Some(names) = self.modules.get(module) else { break };
            if let Some(number) = names.own.get(name) {
                return Ok((module, *number));
            }
            module = match names.imported.get(name) {
                Some(Ok(from)) => self.exported(*from, name, position)?,
                Some(Err(from)) => {
                    let found = format!("module {from} not found, from which {name} is imported");
                    return Err(self.missing(module, position, found, ""));
                }
                None => break,
            };
        }
        Err(self.missing(module, position, format!("{name} is neither defined nor imported"), ""))
    }

    fn exported(&self, module: usize, name: &str, position: Position) -> Result<usize, Error> {
        let exported = self.modules.get(module).and_then(|names| names.exported.as_ref());
        if exported.is_none_or(|exported| exported.contains(name)) {
            return Ok(module);
        }
        let from = self.schema.modules.get(module).map(|module| &module.name[..]).unwrap_or_default();
        Err(self.missing(module, position, format!("{name}, which {from} does not export"), "a name that is exported"))
    }

    /// The number with a name in a list.
    pub(super) fn named(&self, list: &'s [NamedNumber], name: &str) -> Option<&'s NamedNumber> {
        let mut numbers = self.numbers.borrow_mut();
        let places = numbers
            .entry(list.as_ptr().addr())
            .or_insert_with(|| list.iter().enumerate().map(|(place, named)| (&named.name[..], place)).collect());
        list.get(*places.get(name)?)
    }

    #[cold]
    fn missing(&self, module: usize, position: Position, found: String, expected: &'static str) -> Error {
        let module = self.schema.modules.get(module).map(|module| &module.name[..]);
        fault(ErrorKind::Schema, position, module.unwrap_or_default(), found, expected)
    }

    /// The definition of a type that is only a name, without tag and constraint.
    pub(super) fn mere_name(&self, module: usize, ty: &'s Type) -> Result<Option<Definition>, Error> {
        match &ty.kind {
            Kind::Reference { module: of, name } if ty.constraints.is_empty() && !ty.prefixes.iter().any(is_tag) => {
                Ok(Some(self.find(module, of.as_deref(), name, ty.position)?))
            }
            _ => Ok(None),
        }
    }

    /// Resolves a type's references.
    pub(super) fn follow(&self, module: usize, ty: &'s Type) -> Result<Followed<'s>, Error> {
        let (mut module, mut ty, mut reference) = (module, ty, None);
        let mut tags = Vec::new();
        let mut constraints = Vec::new();
        for _ in 0..REFERENCES {
            tags.extend(ty.prefixes.iter().filter_map(|prefix| match prefix {
                Prefix::Tag(tag, mode) => {
                    let explicit = match mode {
                        Some(mode) => *mode == TagMode::Explicit,
                        None => self.tagging(module) == Tagging::Explicit,
                    };
                    Some((*tag, explicit))
                }
                Prefix::Instruction(_) => None,
            }));
            constraints.extend(ty.constraints.iter().rev().map(|constraint| (module, constraint)));
            match &ty.kind {
                Kind::Reference { module: of, name } => {
                    let definition = self.find(module, of.as_deref(), name, ty.position)?;
                    (module, reference) = (definition.0, Some(&name[..]));
                    ty = match self.assignment(definition).map(|assignment| &assignment.meaning) {
                        Some(Meaning::Type(ty)) => ty,
                        Some(Meaning::ValueSet(ty, constraint)) => {
                            constraints.push((module, constraint));
                            ty
                        }
                        _ => {
                            let found = format!("{name}, a value");
                            return Err(self.missing(module, ty.position, found, "the name of a type"));
                        }
                    };
                }
                Kind::Selection(name, choice) => {
                    let chosen = self.selected(module, name, choice, ty.position)?;
                    (module, ty, reference) = (chosen.0, chosen.1, None);
                }
                kind => {
                    constraints.reverse();
                    return Ok(Followed { module, kind, tags, constraints, position: ty.position, name: reference });
                }
            }
        }
        let found = format!("more than {REFERENCES} names, one for the other");
        Err(self.missing(module, ty.position, found, "a type that is not defined by itself"))
    }

    /// The type of an alternative (X.680 clause 30), and its module.
    fn selected(
        &self,
        module: usize,
        name: &str,
        choice: &'s Type,
        position: Position,
    ) -> Result<(usize, &'s Type), Error> {
        // The choice may itself be a reference, but not a selection: one step is enough.
        let (mut module, mut choice) = (module, choice);
        for _ in 0..REFERENCES {
            match &choice.kind {
                Kind::Reference { module: of, name: reference } => {
                    let definition = self.find(module, of.as_deref(), reference, position)?;
                    module = definition.0;
                    match self.assignment(definition).map(|assignment| &assignment.meaning) {
                        Some(Meaning::Type(ty)) => choice = ty,
                        _ => break,
                    }
                }
                Kind::Choice(fields) => {
                    let all = fields
                        .root
                        .iter()
                        .chain(fields.additions.iter().flatten().flat_map(|field| field.components()));
                    match all.into_iter().find(|component| component.name == name) {
                        Some(component) => return Ok((module, &component.ty)),
                        None => break,
                    }
                }
                _ => break,
            }
        }
        Err(self.missing(module, position, format!("the CHOICE has no alternative {name}"), ""))
    }
}

fn is_tag(prefix: &Prefix) -> bool {
    matches!(prefix, Prefix::Tag(..))
}
