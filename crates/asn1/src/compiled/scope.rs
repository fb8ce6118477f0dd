//! What names mean: modules, what they define and what they import.

use std::borrow::Cow;
use std::cell::RefCell;

use foldhash::{HashMap, HashSet};
use tam::{Error, ErrorKind};

use super::built_in;
use super::expand::{ALIAS, Expanded};
use super::fault;
use crate::schema::{
    Assignment, Constraint, Exports, Import, Kind, Meaning, Module, NamedNumber, ObjectIdArc, Position, Prefix, Schema,
    TagMode, Tagging, Type,
};

/// The longest chain of names that refer to names.
const REFERENCES: usize = 250;

/// The names of a schema.
pub(super) struct Scope<'s> {
    schema: &'s Schema,
    built_in: &'s Module,
    /// What classes and parameters have been expanded to, once that is done.
    expanded: Option<&'s Expanded>,
    modules: Vec<Names<'s>>,
    by_name: HashMap<&'s str, Vec<usize>>,
    /// The errors of imports from modules that are missing: they refuse what uses the import, not the schema.
    missing: RefCell<Vec<Error>>,
    /// Lists of named numbers that have been indexed, by their position in the notation.
    numbers: RefCell<HashMap<usize, HashMap<&'s str, usize>>>,
}

struct Names<'s> {
    /// Names defined here: the index of the assignment.
    own: HashMap<&'s str, usize>,
    /// Names imported: the module they come from, or its name if it is missing.
    imported: HashMap<&'s str, Result<usize, &'s str>>,
    /// Names imported from two modules that both define them.
    shared: HashMap<&'s str, [usize; 2]>,
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
    /// The names of a schema and of the module that holds what is built in.
    pub(super) fn new(schema: &'s Schema, built_in: &'s Module) -> Result<Scope<'s>, Error> {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::default();
        for (number, module) in schema.modules.iter().enumerate() {
            let same = by_name.entry(&module.name[..]).or_default();
            if same.iter().any(|other| schema.modules[*other].identifier == module.identifier) {
                let found = format!("a second module {}", module.name);
                let expected = "modules of different names or identifiers";
                return Err(fault(ErrorKind::Schema, module.position, &module.name, found, expected));
            }
            same.push(number);
        }
        let all_modules = || schema.modules.iter().chain([built_in]);
        let own = |module: &'s Module| {
            module.assignments.iter().enumerate().map(|(i, assignment)| (&assignment.name[..], i)).collect()
        };
        let own: Vec<HashMap<&str, usize>> = all_modules().map(own).collect();
        let defines = |module: usize, name: &str| own.get(module).is_some_and(|own| own.contains_key(name));
        let names = |module: &'s Module| {
            let (mut all, mut shared) = (HashMap::default(), HashMap::default());
            for import in &module.imports {
                let from = imported(schema, &by_name, import).ok_or(&import.module[..]);
                for name in &import.names {
                    if let (Some(Ok(one)), Ok(other)) = (all.insert(&name[..], from), from)
                        && one != other
                        && defines(one, name)
                    {
                        // A module that passes the name on does not define it.
                        match defines(other, name) {
                            true => _ = shared.insert(&name[..], [one, other]),
                            false => _ = all.insert(name, Ok(one)),
                        }
                    }
                }
            }
            let exported = match &module.exports {
                Exports::All => None,
                Exports::Only(names) => Some(names.iter().map(|name| &name[..]).collect()),
            };
            Names { own: HashMap::default(), imported: all, shared, exported }
        };
        let mut modules: Vec<Names<'_>> = all_modules().map(names).collect();
        modules.iter_mut().zip(own).for_each(|(names, own)| names.own = own);
        Ok(Scope {
            schema,
            built_in,
            expanded: None,
            modules,
            by_name,
            missing: RefCell::default(),
            numbers: RefCell::default(),
        })
    }

    /// The same names, with what classes and parameters have been expanded to.
    pub(super) fn with<'e>(self, expanded: &'e Expanded) -> Scope<'e>
    where
        's: 'e,
    {
        let Scope { schema, built_in, modules, by_name, missing, .. } = self;
        Scope { schema, built_in, expanded: Some(expanded), modules, by_name, missing, numbers: RefCell::default() }
    }

    /// The number of modules, without the one of what is built in.
    pub(super) fn modules(&self) -> &'s [Module] {
        &self.schema.modules
    }

    /// A module by its number; the last one holds what is built in.
    pub(super) fn module(&self, number: usize) -> Option<&'s Module> {
        match number == self.schema.modules.len() {
            true => Some(self.built_in),
            false => self.schema.modules.get(number),
        }
    }

    /// The name of a module, for errors.
    pub(super) fn module_name(&self, number: usize) -> &'s str {
        self.module(number).map(|module| &module.name[..]).unwrap_or_default()
    }

    /// How many missing imports have been met.
    pub(super) fn count_missing(&self) -> usize {
        self.missing.borrow().len()
    }

    /// Whether an error is that an import is missing.
    pub(super) fn is_missing(&self, error: &Error) -> bool {
        self.missing.borrow().contains(error)
    }

    pub(super) fn assignment(&self, (module, number): Definition) -> Option<&'s Assignment> {
        let replaced = self.expanded.and_then(|expanded| expanded.assignment((module, number)));
        replaced.or_else(|| self.module(module)?.assignments.get(number))
    }

    /// What classes and parameters have been expanded to.
    pub(super) fn expanded(&self) -> Option<&'s Expanded> {
        self.expanded
    }

    /// Why a definition could not be expanded: it uses a missing import.
    pub(super) fn error(&self, definition: Definition) -> Option<&'s Error> {
        self.expanded?.error(definition)
    }

    pub(super) fn tagging(&self, module: usize) -> Tagging {
        self.module(module).map_or(Tagging::Explicit, |module| module.tagging)
    }

    pub(super) fn extensibility_implied(&self, module: usize) -> bool {
        self.module(module).is_some_and(|module| module.extensibility_implied)
    }

    /// `Module.Name`, for errors.
    pub(super) fn path(&self, definition: Definition) -> String {
        let name = self.assignment(definition).map(|assignment| &assignment.name[..]);
        format!("{}.{}", self.module_name(definition.0), name.unwrap_or_default())
    }

    /// The definition of a name in a module.
    pub(super) fn find(
        &self,
        module: usize,
        of: Option<&str>,
        name: &str,
        position: Position,
    ) -> Result<Definition, Error> {
        if let Some(alias) = name.strip_prefix(ALIAS)
            && let Some(definition) = self.expanded.and_then(|expanded| expanded.alias(alias))
        {
            return Ok(definition);
        }
        let asks = module;
        let mut module = match of {
            Some(of) => match self.by_name.get(of).and_then(|same| self.of_same_name(module, of, same)) {
                Some(other) => self.exported(other, name, position)?,
                None => {
                    return Err(self.not_found(module, position, format!("module {of} not found")));
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
            if let Some(from) = names.shared.get(name) {
                let [one, other] = from.map(|from| self.module_name(from));
                let found = format!("{name}, which is imported from both {one} and {other}");
                return Err(self.missing(asks, position, found, "the name with its module before it"));
            }
            module = match names.imported.get(name) {
                Some(Ok(from)) => self.exported(*from, name, position)?,
                Some(Err(from)) => {
                    let found = format!("module {from} not found, from which {name} is imported");
                    return Err(self.not_found(module, position, found));
                }
                None => break,
            };
        }
        if let Some(number) = built_in::class(name) {
            return Ok((self.schema.modules.len(), number));
        }
        Err(self.missing(asks, position, format!("{name} is neither defined nor imported"), ""))
    }

    /// A type, with its name in the notation if it is a reference by number.
    pub(super) fn with_own_name<'t>(&self, ty: &'t Type) -> Cow<'t, Type> {
        let Kind::Reference { name, .. } = &ty.kind else { return Cow::Borrowed(ty) };
        let alias = name.strip_prefix(ALIAS).and_then(|alias| self.expanded?.alias(alias));
        match alias.and_then(|definition| self.assignment(definition)) {
            Some(found) => Cow::Owned(Type::reference(&*found.name)),
            None => Cow::Borrowed(ty),
        }
    }

    /// Of several modules with a name, the one that a module imports from; the first if it imports from none.
    fn of_same_name(&self, module: usize, name: &str, same: &[usize]) -> Option<usize> {
        let imports = self.module(module).map(|module| &module.imports[..]).unwrap_or_default();
        let import = imports.iter().find(|import| import.module == name);
        import.and_then(|import| imported(self.schema, &self.by_name, import)).or(same.first().copied())
    }

    #[cold]
    fn not_found(&self, module: usize, position: Position, found: String) -> Error {
        let error = self.missing(module, position, found, "");
        self.missing.borrow_mut().push(error.clone());
        error
    }

    fn exported(&self, module: usize, name: &str, position: Position) -> Result<usize, Error> {
        let exported = self.modules.get(module).and_then(|names| names.exported.as_ref());
        if exported.is_none_or(|exported| exported.contains(name)) {
            return Ok(module);
        }
        // Modules as published forget exports of what others import.
        if self
            .modules
            .get(module)
            .is_some_and(|names| names.own.contains_key(name) || names.imported.contains_key(name))
        {
            return Ok(module);
        }
        let from = self.module_name(module);
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
        fault(ErrorKind::Schema, position, self.module_name(module), found, expected)
    }

    /// The definition of a type without parameters. Published modules that leave out the actual parameters of others
    /// (against X.683 clause 9.5) are read, and what uses such a type is not usable.
    fn find_type(&self, module: usize, of: Option<&str>, name: &str, position: Position) -> Result<Definition, Error> {
        let definition = self.find(module, of, name, position)?;
        match self.assignment(definition).map_or(0, |assignment| assignment.parameters.len()) {
            0 => Ok(definition),
            count => Err(self.not_found(module, position, format!("{name} without its parameters ({count})"))),
        }
    }

    /// The definition of a type that is only a name, without tag and constraint.
    pub(super) fn mere_name(&self, module: usize, ty: &'s Type) -> Result<Option<Definition>, Error> {
        match &ty.kind {
            Kind::Reference { module: of, name } if ty.constraints.is_empty() && !ty.prefixes.iter().any(is_tag) => {
                Ok(Some(self.find_type(module, of.as_deref(), name, ty.position)?))
            }
            _ => Ok(None),
        }
    }

    /// Resolves a type's references.
    pub(super) fn follow(&self, module: usize, ty: &'s Type) -> Result<Followed<'s>, Error> {
        let (mut module, mut ty, mut reference) = (module, ty, None);
        let mut tags = Vec::new();
        let mut constraints = Vec::new();
        // The place of the innermost tag, if that has the word IMPLICIT.
        let mut implicit = None;
        for _ in 0..REFERENCES {
            tags.extend(ty.prefixes.iter().filter_map(|prefix| match prefix {
                Prefix::Tag(tag, mode) => {
                    implicit = (*mode == Some(TagMode::Implicit)).then_some((module, ty.position));
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
                    let definition = self.find_type(module, of.as_deref(), name, ty.position)?;
                    // What uses a missing import is left out, whatever tag it has here.
                    if let Some(error) = self.error(definition) {
                        if !self.is_missing(error) {
                            self.missing.borrow_mut().push(error.clone());
                        }
                        return Err(error.clone());
                    }
                    let assignment = self.assignment(definition);
                    (module, reference) = (definition.0, assignment.map(|assignment| &assignment.name[..]));
                    ty = match assignment.map(|assignment| &assignment.meaning) {
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
                    let mut left = REFERENCES;
                    let chosen = self.selected(module, name, choice, ty.position, &mut left)?;
                    (module, ty, reference) = (chosen.0, chosen.1, None);
                }
                kind => {
                    if let (Some((module, position)), Kind::Choice(_) | Kind::Open(_)) = (implicit, kind) {
                        let found = format!("IMPLICIT before {}", kind.as_str());
                        let expected =
                            "EXPLICIT: a CHOICE and an open type have no tag to replace (X.680 clause 31.2.9)";
                        return Err(self.missing(module, position, found, expected));
                    }
                    constraints.reverse();
                    return Ok(Followed { module, kind, tags, constraints, position: ty.position, name: reference });
                }
            }
        }
        let found = format!("more than {REFERENCES} names, one for the other");
        Err(self.missing(module, ty.position, found, "a type that is not defined by itself"))
    }

    /// The type of an alternative (X.680 clause 30), and its module. `left` is the number of names that may still be followed, which
    /// bounds the recursion.
    fn selected(
        &self,
        module: usize,
        name: &str,
        choice: &'s Type,
        position: Position,
        left: &mut usize,
    ) -> Result<(usize, &'s Type), Error> {
        let (mut module, mut choice) = (module, choice);
        while *left > 0 {
            *left -= 1;
            match &choice.kind {
                Kind::Reference { module: of, name: reference } => {
                    let definition = self.find(module, of.as_deref(), reference, position)?;
                    module = definition.0;
                    match self.assignment(definition).map(|assignment| &assignment.meaning) {
                        Some(Meaning::Type(ty)) => choice = ty,
                        _ => break,
                    }
                }
                Kind::Selection(inner, of) => (module, choice) = self.selected(module, inner, of, position, left)?,
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

/// The module that an import is from: of several with its name, the one with its identifier.
fn imported(schema: &Schema, by_name: &HashMap<&str, Vec<usize>>, import: &Import) -> Option<usize> {
    let same = by_name.get(&import.module[..])?;
    let has_it = |number: &&usize| {
        let own = &schema.modules[**number].identifier;
        let equal = |(one, other): (&ObjectIdArc, &ObjectIdArc)| match (one.number, other.number) {
            (Some(one), Some(other)) => one == other,
            _ => one.name == other.name,
        };
        own.len() == import.identifier.len() && own.iter().zip(&import.identifier).all(equal)
    };
    match &same[..] {
        [only] => Some(*only),
        several => several.iter().find(has_it).or(several.first()).copied(),
    }
}

fn is_tag(prefix: &Prefix) -> bool {
    matches!(prefix, Prefix::Tag(..))
}
