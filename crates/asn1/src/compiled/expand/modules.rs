//! The modules that a schema expands to, for a reader of types other than the codecs.

use std::cell::Cell;

use foldhash::HashSet;
use tam::Error;

use super::super::built_in;
use super::super::scope::{Definition, Scope};
use super::{ALIAS, Expanded, MADE, expand};
use crate::schema::{
    Assignment, Bound, ComponentKind, Constraint, Constraints, Element, Field, Fields, Kind, Meaning, Module, Schema,
    Type, Value,
};

/// What is after the name of the module of what is built in.
const BUILT_IN: &str = ".0";

/// Modules in the notation of X.680 alone: without classes and parameters, and with the associated types of `EXTERNAL` and its
/// like.
#[doc(hidden)]
#[derive(Debug)]
pub struct Expansion {
    /// The modules in their order, and one of what is built in if they use it. Its name, and the names of types that are made, have
    /// a point and a number after them, as no name of the notation has: `Box.3`. What uses a missing import is left out.
    pub schema: Schema,
    /// The types of tables, each once, in the order of [`Open::declared`](crate::compiled::Open::declared).
    pub tables: Vec<Vec<Type>>,
    /// For each [`Kind::Open`] the number of its table; `None` if any type may come.
    pub opens: Vec<Option<usize>>,
}

impl Expansion {
    /// Expands modules.
    ///
    /// # Errors
    /// Those of [`Compiled::new`](crate::Compiled::new) for classes and parameters.
    pub fn new(schema: &Schema) -> Result<Expansion, Error> {
        let built_in = built_in::module();
        let scope = Scope::new(schema, &built_in)?;
        let expanded = expand(&scope)?;
        let types: HashSet<Definition> = expanded.types.iter().copied().collect();
        let mut modules: Vec<Module> = schema.modules.iter().chain([&built_in]).map(emptied).collect();
        modules.last_mut().into_iter().for_each(|module| module.name.push_str(BUILT_IN));
        let originals = schema.modules.iter().chain([&built_in]).zip(0..);
        for ((module, number), made) in originals.zip(&mut modules) {
            for (assignment, place) in module.assignments.iter().zip(0..) {
                let definition = (number, place);
                let is_value = matches!(assignment.meaning, Meaning::Value(..)) && assignment.parameters.is_empty();
                let is_built_in = number == schema.modules.len() && matches!(assignment.meaning, Meaning::Type(_));
                if (is_value || is_built_in || types.contains(&definition)) && expanded.error(definition).is_none() {
                    let found = expanded.assignment(definition).unwrap_or(assignment);
                    made.assignments.push(Assignment { name: word(&found.name), ..found.clone() });
                }
            }
        }
        let names = Names { schema, built_in: &built_in, expanded: &expanded, uses_built_in: Cell::new(false) };
        for (number, home) in expanded.homes.iter().enumerate() {
            if let (Some(assignment), Some(module)) =
                (expanded.assignment((*home, MADE + number)), modules.get_mut(*home))
            {
                let name = names.of((*home, MADE + number)).1;
                module.assignments.push(Assignment { name, ..assignment.clone() });
            }
        }
        for assignment in modules.iter_mut().flat_map(|module| &mut module.assignments) {
            names.meaning(&mut assignment.meaning);
        }
        let tables = expanded.tables.iter().map(|table| {
            let mut seen = HashSet::default();
            let types = table.rows.iter().filter_map(|row| row.ty).filter(|ty| seen.insert(*ty));
            types.map(|ty| Type::new(names.reference(ty))).collect()
        });
        let (tables, opens) = (tables.collect(), expanded.opens.iter().map(|open| open.table).collect());
        if !names.uses_built_in.get() {
            modules.pop();
        }
        Ok(Expansion { schema: Schema { modules, ..Schema::default() }, tables, opens })
    }
}

/// A module without its assignments.
fn emptied(module: &Module) -> Module {
    Module {
        name: module.name.clone(),
        identifier: module.identifier.clone(),
        tagging: module.tagging,
        xer_instructions: module.xer_instructions,
        extensibility_implied: module.extensibility_implied,
        exports: module.exports.clone(),
        imports: module.imports.clone(),
        assignments: Vec::new(),
        encoding_control: module.encoding_control.clone(),
        source: module.source.clone(),
        position: module.position,
    }
}

/// A name of one word: those of types without a name are keywords.
fn word(name: &str) -> String {
    name.replace(' ', "_")
}

/// The names of definitions.
struct Names<'e> {
    schema: &'e Schema,
    built_in: &'e Module,
    expanded: &'e Expanded,
    /// Whether a reference to what is built in has been met.
    uses_built_in: Cell<bool>,
}

// Recursion is safe, because the parser limits the depth of notation, and instances are definitions of their own.
impl Names<'_> {
    /// The module and the name of a definition.
    fn of(&self, definition: Definition) -> (String, String) {
        let (module, suffix) = match self.schema.modules.get(definition.0) {
            Some(module) => (module, ""),
            None => {
                self.uses_built_in.set(true);
                (self.built_in, BUILT_IN)
            }
        };
        let name = match definition.1.checked_sub(MADE) {
            Some(number) => {
                let name = self.expanded.assignment(definition).map_or("", |made| &made.name);
                format!("{}.{number}", word(name))
            }
            None => module.assignments.get(definition.1).map_or_else(String::new, |one| word(&one.name)),
        };
        (format!("{}{suffix}", module.name), name)
    }

    fn reference(&self, definition: Definition) -> Kind {
        let (module, name) = self.of(definition);
        Kind::Reference { module: Some(module), name }
    }

    /// Replaces a reference by number.
    fn name(&self, module: &mut Option<String>, name: &mut String) {
        if let Some(definition) = name.strip_prefix(ALIAS).and_then(|number| self.expanded.alias(number)) {
            let (of, own) = self.of(definition);
            (*module, *name) = (Some(of), own);
        }
    }

    fn meaning(&self, meaning: &mut Meaning) {
        match meaning {
            Meaning::Type(ty) => self.ty(ty),
            Meaning::Value(ty, value) => {
                self.ty(ty);
                self.value(value);
            }
            Meaning::ValueSet(ty, set) => {
                self.ty(ty);
                self.constraint(set);
            }
            Meaning::Class(_) => {}
        }
    }

    fn ty(&self, ty: &mut Type) {
        match &mut ty.kind {
            Kind::Reference { module, name } => self.name(module, name),
            Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => self.fields(fields),
            Kind::SequenceOf(of) | Kind::SetOf(of) => self.ty(&mut of.ty),
            Kind::Selection(_, of) => self.ty(of),
            Kind::Integer(names) | Kind::BitString(names) => {
                names.iter_mut().for_each(|named| self.value(&mut named.number));
            }
            Kind::Enumerated(items) => {
                let all = items.root.iter_mut().chain(items.additions.iter_mut().flatten());
                all.filter_map(|item| item.number.as_mut()).for_each(|number| self.value(number));
            }
            _ => {}
        }
        ty.constraints.iter_mut().for_each(|constraint| self.constraint(constraint));
    }

    fn fields(&self, fields: &mut Fields) {
        let additions = fields.additions.iter_mut().flatten().flat_map(|field| match field {
            Field::Component(component) => std::slice::from_mut(component),
            Field::Group(_, components) => &mut components[..],
        });
        for component in fields.root.iter_mut().chain(additions).chain(&mut fields.root_after) {
            self.ty(&mut component.ty);
            if let ComponentKind::Default(value) = &mut component.kind {
                self.value(value);
            }
        }
    }

    fn constraint(&self, constraint: &mut Constraint) {
        self.constraints(&mut constraint.root);
        constraint.additions.iter_mut().flatten().for_each(|additions| self.constraints(additions));
    }

    fn constraints(&self, constraints: &mut Constraints) {
        match constraints {
            Constraints::Element(element) => self.element(element),
            Constraints::Union(all) | Constraints::Intersection(all) => {
                all.iter_mut().for_each(|one| self.constraints(one));
            }
            Constraints::Except(one, other) => {
                self.constraints(one);
                self.constraints(other);
            }
            Constraints::AllExcept(one) => self.constraints(one),
        }
    }

    fn element(&self, element: &mut Element) {
        match element {
            Element::Single(value) | Element::Pattern(value) => self.value(value),
            Element::Range(lower, upper) => {
                for end in [lower, upper] {
                    if let Bound::Inclusive(value) | Bound::Exclusive(value) = end {
                        self.value(value);
                    }
                }
            }
            Element::Size(inner) | Element::Alphabet(inner) | Element::WithComponent(inner) | Element::Group(inner) => {
                self.constraint(inner);
            }
            Element::Contained(ty) => self.ty(ty),
            Element::WithComponents { components, .. } => {
                components.iter_mut().filter_map(|(_, one, _)| one.as_mut()).for_each(|one| self.constraint(one));
            }
            Element::Contents(ty, rules) => {
                ty.iter_mut().for_each(|ty| self.ty(ty));
                rules.iter_mut().for_each(|rules| self.value(rules));
            }
            Element::Table { .. } | Element::Settings(_) | Element::UserDefined(_) => {}
        }
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::Name { module, name } => self.name(module, name),
            Value::Choice(_, inner) | Value::Containing(inner) => self.value(inner),
            Value::Open(ty, inner) => {
                self.ty(ty);
                self.value(inner);
            }
            Value::Braces(items) => items.iter_mut().flatten().for_each(|one| self.value(one)),
            _ => {}
        }
    }
}
