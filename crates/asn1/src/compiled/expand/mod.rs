//! Expands what X.681 to X.683 add to the notation into what X.680 has: instances of parameterized types, types of
//! fields, and open types with the rows of their tables.
//!
//! An assignment without any of this stays as it is. Everything else is copied once per list of different actual
//! parameters, with names resolved where they are written. Templates are expanded only when used, from a queue.

mod bind;
mod copy;
mod information;
mod modules;
mod plain;
mod rows;
mod sets;
mod table;

use std::fmt;
use std::rc::Rc;

use foldhash::HashMap;
use tam::{Error, ErrorKind, Words};

use super::fault;
use super::scope::{Definition, Scope};
use crate::schema::{self, Assignment, Class, Constraint, Meaning, Position, Setting, Type, Value};
use bind::{Bound, Key};

pub use modules::Expansion;

/// The first character of the names that references to made definitions have; no name of the notation has it.
pub(super) const ALIAS: char = '\'';

/// The index of the first definition that is made, in every module.
const MADE: usize = 1 << 31;

/// The most instances within actual parameters of each other: `A { B { A { … } } }`.
const NESTED: u32 = 64;

/// The most definitions that are made.
const MOST_MADE: usize = 1 << 18;

/// The most characters that all instances have together, as Rust prints their definitions.
const MOST_COPIED: usize = 1 << 26;

/// The most rows of all sets and tables, counted at each use.
const MOST_ROWS: usize = 1 << 22;

/// The longest chain of names of classes, objects and sets that refer to each other.
const CHAIN: u32 = 250;

/// What a schema has been expanded to.
#[derive(Default)]
pub(super) struct Expanded {
    /// Instances, actual parameters and settings.
    made: Vec<Result<Assignment, Error>>,
    /// The module of each of these.
    homes: Vec<usize>,
    /// Assignments of the schema that had to change.
    replaced: HashMap<Definition, Result<Assignment, Error>>,
    /// What references by number refer to.
    aliases: Vec<Definition>,
    /// The types of the schema, without parameterized ones.
    pub(super) types: Vec<Definition>,
    pub(super) opens: Vec<OpenType>,
    pub(super) tables: Vec<Table>,
}

/// An open type.
pub(super) struct OpenType {
    /// Its table, by number; `None` if any type may come.
    pub(super) table: Option<usize>,
    /// The slots of the components that select the row.
    pub(super) slots: Vec<u32>,
}

/// The rows of a table constraint that have a key.
#[derive(Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
}

/// A row.
pub(super) struct Row {
    /// The values of the keys, each a definition.
    pub(super) keys: Vec<Definition>,
    /// The type, unless the object has none.
    pub(super) ty: Option<Definition>,
}

impl Expanded {
    /// The assignment that replaces one of the schema, or that has been made.
    pub(super) fn assignment(&self, (module, number): Definition) -> Option<&Assignment> {
        let found = match number.checked_sub(MADE) {
            Some(made) => self.made.get(made)?,
            None => self.replaced.get(&(module, number))?,
        };
        found.as_ref().ok()
    }

    /// The error of an assignment that could not be expanded.
    pub(super) fn error(&self, (module, number): Definition) -> Option<&Error> {
        let found = match number.checked_sub(MADE) {
            Some(made) => self.made.get(made)?,
            None => self.replaced.get(&(module, number))?,
        };
        found.as_ref().err()
    }

    /// What a reference by number refers to.
    pub(super) fn alias(&self, number: &str) -> Option<Definition> {
        self.aliases.get(number.parse::<usize>().ok()?).copied()
    }
}

/// Expands a schema.
///
/// Missing imports are errors of the definitions that use them; other errors end the expansion.
pub(super) fn expand(scope: &Scope<'_>) -> Result<Expanded, Error> {
    let mut expander = Expander {
        scope,
        out: Expanded::default(),
        sources: Vec::new(),
        queue: Vec::new(),
        modules: HashMap::default(),
        alias_of: HashMap::default(),
        instances: HashMap::default(),
        actuals: HashMap::default(),
        classes: Vec::new(),
        class_of: HashMap::default(),
        objects: Vec::new(),
        object_of: HashMap::default(),
        copied: 0,
        sizes: HashMap::default(),
        in_place: HashMap::default(),
        sets: Vec::new(),
        set_of: HashMap::default(),
        set_by_rows: HashMap::default(),
        setting_types: HashMap::default(),
        setting_values: HashMap::default(),
        field_types: HashMap::default(),
        table_of: HashMap::default(),
        rows: 0,
        slots: 0,
        chain: 0,
    };
    expander.run()?;
    Ok(expander.out)
}

/// The names that are bound in a place of the notation.
#[derive(Clone)]
struct Environment {
    module: usize,
    /// The parameters with what they are here.
    bound: Vec<(String, Bound)>,
    /// How many instances are around this one.
    depth: u32,
}

type Env = Rc<Environment>;

/// A class where its parameters are known, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ClassId(usize);

/// An object, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ObjectId(usize);

/// A set of objects, by number; sets with the same rows have the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SetId(usize);

struct ClassInfo<'s> {
    class: &'s Class,
    env: Env,
}

/// A set of objects.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ObjectSet {
    rows: Rc<[ObjectId]>,
    /// Whether later versions may add objects.
    extensible: bool,
}

struct Object {
    class: ClassId,
    /// Where its settings are written.
    env: Env,
    settings: Vec<(String, Setting)>,
}

/// Where a made definition comes from.
#[derive(Clone)]
enum Source<'s> {
    /// An assignment with parameters.
    Template(&'s Assignment),
    /// A type, for example an actual parameter.
    Type(Rc<Type>),
    /// A value of a type.
    Value(Rc<Type>, Rc<Value>),
    /// A set of values of a type, which is made already.
    ValueSet(Rc<Type>, Rc<Constraint>),
}

struct Expander<'x, 's> {
    scope: &'x Scope<'s>,
    out: Expanded,
    /// The source of each made definition, and the names bound there.
    sources: Vec<(Source<'s>, Env)>,
    /// Made definitions that have not been copied yet.
    queue: Vec<usize>,
    /// The environments of modules.
    modules: HashMap<usize, Env>,
    alias_of: HashMap<Definition, usize>,
    instances: HashMap<(Definition, Vec<Key>), Definition>,
    /// Actual parameters and settings that are not only names.
    actuals: HashMap<String, Definition>,
    classes: Vec<ClassInfo<'s>>,
    class_of: HashMap<(Definition, Vec<Key>), ClassId>,
    objects: Vec<Rc<Object>>,
    object_of: HashMap<(Definition, Vec<Key>), ObjectId>,
    /// Objects in braces, by their position and the names bound there.
    in_place: HashMap<(usize, u32, ClassId, Vec<Key>), ObjectId>,
    sets: Vec<ObjectSet>,
    set_of: HashMap<(Definition, Vec<Key>), SetId>,
    set_by_rows: HashMap<ObjectSet, SetId>,
    setting_types: HashMap<(ObjectId, String), Option<Definition>>,
    setting_values: HashMap<(ObjectId, String), Option<Definition>>,
    field_types: HashMap<(ClassId, String), Definition>,
    table_of: HashMap<(SetId, Vec<Vec<String>>), usize>,
    rows: usize,
    /// What has been copied, in characters, and the characters of each parameterized definition that was.
    copied: usize,
    sizes: HashMap<Definition, usize>,
    slots: u32,
    /// How many names have been followed to the present one.
    chain: u32,
}

impl<'s> Expander<'_, 's> {
    fn run(&mut self) -> Result<(), Error> {
        for (number, module) in self.scope.modules().iter().enumerate() {
            for (place, assignment) in module.assignments.iter().enumerate() {
                if assignment.parameters.is_empty() {
                    let result = self.assignment((number, place), assignment);
                    self.keep((number, place), result)?;
                }
            }
        }
        while let Some(made) = self.queue.pop() {
            let (source, env) = self.sources[made].clone();
            let copied = match &source {
                Source::Template(assignment) => self.copy_assignment(assignment, &env),
                Source::Type(ty) => self.copy_named(ty, &env),
                Source::Value(ty, value) => self.copy_value(ty, value, &env),
                Source::ValueSet(ty, set) => self.copy_set(ty, set, &env),
            };
            match copied {
                Err(error) if !self.scope.is_missing(&error) => return Err(error),
                copied => self.out.made[made] = copied,
            }
        }
        Ok(())
    }

    /// Keeps the error of an assignment that uses a missing import.
    fn keep(&mut self, definition: Definition, result: Result<(), Error>) -> Result<(), Error> {
        match result {
            Err(error) if self.scope.is_missing(&error) => {
                self.out.types.push(definition);
                self.out.replaced.insert(definition, Err(error));
                Ok(())
            }
            result => result,
        }
    }

    /// Expands an assignment of the schema, if that changes it.
    fn assignment(&mut self, definition: Definition, assignment: &'s Assignment) -> Result<(), Error> {
        let env = self.module(definition.0);
        match &assignment.meaning {
            Meaning::Class(_) => return Ok(()),
            Meaning::Type(ty) | Meaning::ValueSet(ty, _) if self.is_class(ty, &env)? => return Ok(()),
            Meaning::Type(_) | Meaning::ValueSet(..) => self.out.types.push(definition),
            Meaning::Value(ty, value) => {
                if plain::ty(ty) && plain::value(value) || self.is_class(ty, &env)? {
                    return Ok(());
                }
            }
        }
        if !plain::meaning(&assignment.meaning) {
            match self.copy_assignment(assignment, &env) {
                // A value that cannot be expanded is refused where it is used.
                Err(_) if matches!(assignment.meaning, Meaning::Value(..)) => {}
                copied => {
                    self.out.replaced.insert(definition, Ok(copied?));
                }
            }
        }
        Ok(())
    }

    /// The environment of a module.
    fn module(&mut self, module: usize) -> Env {
        let made = || Rc::new(Environment { module, bound: Vec::new(), depth: 0 });
        Rc::clone(self.modules.entry(module).or_insert_with(made))
    }

    /// A reference to a definition, as a type.
    fn reference(&mut self, definition: Definition) -> Type {
        Type::reference(self.alias(definition))
    }

    /// The name of a definition that is valid in every module.
    fn alias(&mut self, definition: Definition) -> String {
        let aliases = &mut self.out.aliases;
        let number = *self.alias_of.entry(definition).or_insert_with(|| {
            aliases.push(definition);
            aliases.len() - 1
        });
        format!("{ALIAS}{number}")
    }

    /// A definition that is copied from its source later.
    fn make(&mut self, source: Source<'s>, env: Env, position: Position) -> Result<Definition, Error> {
        let made = self.sources.len();
        if made >= MOST_MADE {
            let expected = Words::AtMost(MOST_MADE as u64, "instances and actual parameters");
            return Err(self.fault(&env, ErrorKind::Limit, position, "more instances", expected));
        }
        let definition = (env.module, MADE + made);
        self.sources.push((source, env));
        let empty = Error::new(ErrorKind::Schema, "asn1", 0, "a definition that is not expanded", "");
        self.out.made.push(Err(empty));
        self.out.homes.push(definition.0);
        self.queue.push(made);
        Ok(definition)
    }

    /// Counts characters of what is copied for one set of actual parameters.
    fn copy(&mut self, characters: usize, env: &Env, position: Position) -> Result<(), Error> {
        self.copied = self.copied.saturating_add(characters);
        if self.copied <= MOST_COPIED {
            return Ok(());
        }
        let expected = Words::AtMost(MOST_COPIED as u64, "characters in all instances");
        Err(self.fault(env, ErrorKind::Limit, position, "more instances of long definitions", expected))
    }

    /// Counts rows.
    fn spend(&mut self, rows: usize, env: &Env, position: Position) -> Result<(), Error> {
        self.rows += rows;
        if self.rows <= MOST_ROWS {
            return Ok(());
        }
        let expected = Words::AtMost(MOST_ROWS as u64, "objects in all sets and tables");
        Err(self.fault(env, ErrorKind::Limit, position, "more objects", expected))
    }

    /// Follows one more name from a name.
    fn follow<T>(
        &mut self,
        env: &Env,
        position: Position,
        next: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.chain >= CHAIN {
            let found = format!("more than {CHAIN} names, one for the other");
            return Err(self.fault(env, ErrorKind::Schema, position, found, "a name that is not defined by itself"));
        }
        self.chain += 1;
        let done = next(self);
        self.chain -= 1;
        done
    }

    #[cold]
    fn fault(
        &self,
        env: &Env,
        kind: ErrorKind,
        position: Position,
        found: impl Into<Words>,
        expected: impl Into<Words>,
    ) -> Error {
        fault(kind, position, self.scope.module_name(env.module), found, expected)
    }

    #[cold]
    fn schema_fault(
        &self,
        env: &Env,
        position: Position,
        found: impl Into<Words>,
        expected: impl Into<Words>,
    ) -> Error {
        self.fault(env, ErrorKind::Schema, position, found, expected)
    }
}

/// The number of characters in which Rust prints something.
fn size(printed: &impl fmt::Debug) -> usize {
    struct Counter(usize);
    impl fmt::Write for Counter {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.len();
            Ok(())
        }
    }
    let mut counter = Counter(0);
    // Counting does not fail.
    let _ = fmt::write(&mut counter, format_args!("{printed:?}"));
    counter.0
}

/// Whether a name begins with a capital letter: that of a type, a class or a set.
fn is_upper(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// A field of a class by its name.
fn field_of<'c>(class: &'c Class, name: &str) -> Option<&'c schema::ClassField> {
    class.fields.iter().find(|field| field.name == name)
}
