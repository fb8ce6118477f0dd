//! Copies of types, constraints and values with their names resolved.

use tam::Error;

use super::super::built_in;
use super::super::scope::Definition;
use super::bind::Bound;
use super::{Env, Expander};
use crate::schema::{
    Assignment, Bound as End, Component, ComponentKind, Constraint, Constraints, Element, Enumeration, Enumerator,
    Field, FieldKey, FieldRelation, Fields, Instance, Kind, Meaning, NamedNumber, Position, Type, Value,
};

/// A SEQUENCE, SET or CHOICE around the type being copied.
pub(super) struct Level<'a> {
    pub(super) fields: &'a Fields,
    pub(super) is_choice: bool,
    /// The component that is being copied.
    pub(super) name: &'a str,
    /// The components that select rows of tables.
    pub(super) keys: Vec<FieldKey>,
    /// The components whose values tables relate to others.
    pub(super) relations: Vec<FieldRelation>,
}

pub(super) type Levels<'a> = Vec<Level<'a>>;

impl<'s> Expander<'_, 's> {
    pub(super) fn copy_assignment(&mut self, assignment: &Assignment, env: &Env) -> Result<Assignment, Error> {
        let meaning = match &assignment.meaning {
            Meaning::Type(ty) => Meaning::Type(self.ty(ty, env, &mut Vec::new())?),
            Meaning::Value(ty, value) => {
                let ty = self.ty(ty, env, &mut Vec::new())?;
                Meaning::Value(ty, self.value(value, env, assignment.position)?)
            }
            Meaning::ValueSet(ty, set) => {
                let ty = self.ty(ty, env, &mut Vec::new())?;
                Meaning::ValueSet(ty, self.constraint(set, env, &mut Vec::new())?)
            }
            Meaning::Class(_) => {
                return Err(self.schema_fault(
                    env,
                    assignment.position,
                    format!("{}, a class", assignment.name),
                    "a type",
                ));
            }
        };
        let (name, position) = (assignment.name.clone(), assignment.position);
        Ok(Assignment { name, parameters: Vec::new(), meaning, position })
    }

    /// A type as an assignment of its own.
    pub(super) fn copy_named(&mut self, ty: &Type, env: &Env) -> Result<Assignment, Error> {
        let meaning = Meaning::Type(self.ty(ty, env, &mut Vec::new())?);
        Ok(Assignment { name: ty.kind.as_str().to_owned(), parameters: Vec::new(), meaning, position: ty.position })
    }

    /// A value as an assignment of its own. Its type is resolved already.
    pub(super) fn copy_value(&mut self, ty: &Type, value: &Value, env: &Env) -> Result<Assignment, Error> {
        let value = self.value(value, env, ty.position)?;
        let (name, position) = ("value".to_owned(), ty.position);
        Ok(Assignment { name, parameters: Vec::new(), meaning: Meaning::Value(ty.clone(), value), position })
    }

    /// A set of values as an assignment of its own. Its type is resolved already.
    pub(super) fn copy_set(&mut self, ty: &Type, set: &Constraint, env: &Env) -> Result<Assignment, Error> {
        let meaning = Meaning::ValueSet(ty.clone(), self.constraint(set, env, &mut Vec::new())?);
        Ok(Assignment { name: "Set".to_owned(), parameters: Vec::new(), meaning, position: set.position })
    }

    /// A type; `levels` are around it in its text. Recursion is safe, because the parser limits the depth of notation.
    pub(super) fn ty<'a>(&mut self, ty: &'a Type, env: &Env, levels: &mut Levels<'a>) -> Result<Type, Error> {
        if let Kind::Field(field) = &ty.kind {
            return self.field_type(ty, field, env, levels);
        }
        let kind = match &ty.kind {
            Kind::Reference { module, name } => self.name(module.as_deref(), name, env, ty.position)?,
            Kind::Instance(instance) => {
                let definition = self.instance(instance, env)?;
                self.reference(definition).kind
            }
            Kind::InstanceOf(class) => return self.instance_of(ty, class, env),
            Kind::Any(_) => self.open(None, Vec::new()),
            Kind::Other(word) => match built_in::type_of(word) {
                Some(number) => {
                    let definition = (self.scope.modules().len(), number);
                    if number == EXTERNAL && !self.out.replaced.contains_key(&definition) {
                        self.replace_built_in(definition)?;
                    }
                    self.reference(definition).kind
                }
                None => ty.kind.clone(),
            },
            Kind::Sequence(fields) => Kind::Sequence(self.fields(fields, false, env, levels)?),
            Kind::Set(fields) => Kind::Set(self.fields(fields, false, env, levels)?),
            Kind::Choice(fields) => Kind::Choice(self.fields(fields, true, env, levels)?),
            Kind::SequenceOf(of) => Kind::SequenceOf(Box::new(self.component(of, env, levels)?)),
            Kind::SetOf(of) => Kind::SetOf(Box::new(self.component(of, env, levels)?)),
            Kind::Selection(name, of) => Kind::Selection(name.clone(), Box::new(self.ty(of, env, levels)?)),
            Kind::Integer(names) => Kind::Integer(self.names(names, env, ty.position)?),
            Kind::BitString(names) => Kind::BitString(self.names(names, env, ty.position)?),
            Kind::Enumerated(enumeration) => Kind::Enumerated(self.enumeration(enumeration, env)?),
            kind => kind.clone(),
        };
        let constraints: Result<_, Error> =
            ty.constraints.iter().map(|one| self.constraint(one, env, levels)).collect();
        Ok(Type { prefixes: ty.prefixes.clone(), kind, constraints: constraints?, position: ty.position })
    }

    /// Expands the associated type of EXTERNAL, which has an open type.
    fn replace_built_in(&mut self, definition: Definition) -> Result<(), Error> {
        let Some(assignment) = self.scope.assignment(definition) else { return Ok(()) };
        let env = self.module(definition.0);
        let copied = self.copy_assignment(assignment, &env)?;
        self.out.replaced.insert(definition, Ok(copied));
        Ok(())
    }

    /// A name that may be a parameter.
    fn name(&mut self, module: Option<&str>, name: &str, env: &Env, position: Position) -> Result<Kind, Error> {
        match env.get(module, name) {
            Some(Bound::Type(definition)) => {
                let definition = *definition;
                Ok(self.reference(definition).kind)
            }
            Some(_) => {
                let found = format!("the parameter {name}, which is not a type");
                Err(self.schema_fault(env, position, found, "a type"))
            }
            None => Ok(Kind::Reference { module: module.map(str::to_owned), name: name.to_owned() }),
        }
    }

    fn fields<'a>(
        &mut self,
        fields: &'a Fields,
        is_choice: bool,
        env: &Env,
        levels: &mut Levels<'a>,
    ) -> Result<Fields, Error> {
        levels.push(Level { fields, is_choice, name: "", keys: Vec::new(), relations: Vec::new() });
        let root = self.components(&fields.root, env, levels)?;
        let additions = match &fields.additions {
            None => None,
            Some(additions) => {
                let mut copied = Vec::with_capacity(additions.len());
                for addition in additions {
                    copied.push(match addition {
                        Field::Component(component) => Field::Component(self.component(component, env, levels)?),
                        Field::Group(version, all) => Field::Group(*version, self.components(all, env, levels)?),
                    });
                }
                Some(copied)
            }
        };
        let root_after = self.components(&fields.root_after, env, levels)?;
        let (keys, relations) = levels.pop().map(|level| (level.keys, level.relations)).unwrap_or_default();
        Ok(Fields { root, additions, root_after, keys, relations })
    }

    fn components<'a>(
        &mut self,
        components: &'a [Component],
        env: &Env,
        levels: &mut Levels<'a>,
    ) -> Result<Vec<Component>, Error> {
        components.iter().map(|component| self.component(component, env, levels)).collect()
    }

    fn component<'a>(
        &mut self,
        component: &'a Component,
        env: &Env,
        levels: &mut Levels<'a>,
    ) -> Result<Component, Error> {
        if let Some(level) = levels.last_mut()
            && !component.name.is_empty()
        {
            level.name = &component.name;
        }
        let ty = self.ty(&component.ty, env, levels)?;
        let kind = match &component.kind {
            ComponentKind::Default(value) => ComponentKind::Default(self.value(value, env, component.position)?),
            kind => kind.clone(),
        };
        let (name, text) = (component.name.clone(), component.text.clone());
        Ok(Component { name, text, ty, kind, position: component.position })
    }

    fn names(&mut self, names: &[NamedNumber], env: &Env, position: Position) -> Result<Vec<NamedNumber>, Error> {
        let copy = |named: &NamedNumber| {
            let number = self.value(&named.number, env, position)?;
            Ok(NamedNumber { name: named.name.clone(), number })
        };
        names.iter().map(copy).collect()
    }

    fn enumeration(&mut self, enumeration: &Enumeration, env: &Env) -> Result<Enumeration, Error> {
        let mut copy = |all: &[Enumerator]| -> Result<Vec<Enumerator>, Error> {
            let one = |one: &Enumerator| {
                let number = one.number.as_ref().map(|number| self.value(number, env, one.position)).transpose()?;
                Ok(Enumerator { number, ..one.clone() })
            };
            all.iter().map(one).collect()
        };
        let root = copy(&enumeration.root)?;
        let additions = enumeration.additions.as_deref().map(copy).transpose()?;
        Ok(Enumeration { root, additions })
    }

    /// A constraint with its names resolved, but for those of tables, which are not checked.
    pub(super) fn constraint<'a>(
        &mut self,
        constraint: &'a Constraint,
        env: &Env,
        levels: &mut Levels<'a>,
    ) -> Result<Constraint, Error> {
        let root = self.elements(&constraint.root, env, constraint.position, levels)?;
        let additions = match &constraint.additions {
            Some(Some(additions)) => Some(Some(self.elements(additions, env, constraint.position, levels)?)),
            Some(None) => Some(None),
            None => None,
        };
        Ok(Constraint { root, additions, position: constraint.position })
    }

    fn elements<'a>(
        &mut self,
        all: &'a Constraints,
        env: &Env,
        position: Position,
        levels: &mut Levels<'a>,
    ) -> Result<Constraints, Error> {
        Ok(match all {
            Constraints::Element(element) => {
                Constraints::Element(Box::new(self.element(element, env, position, levels)?))
            }
            Constraints::Union(all) => {
                let all: Result<_, Error> = all.iter().map(|one| self.elements(one, env, position, levels)).collect();
                Constraints::Union(all?)
            }
            Constraints::Intersection(all) => {
                let all: Result<_, Error> = all.iter().map(|one| self.elements(one, env, position, levels)).collect();
                Constraints::Intersection(all?)
            }
            Constraints::Except(one, other) => Constraints::Except(
                Box::new(self.elements(one, env, position, levels)?),
                Box::new(self.elements(other, env, position, levels)?),
            ),
            Constraints::AllExcept(one) => Constraints::AllExcept(Box::new(self.elements(one, env, position, levels)?)),
        })
    }

    fn element<'a>(
        &mut self,
        element: &'a Element,
        env: &Env,
        position: Position,
        levels: &mut Levels<'a>,
    ) -> Result<Element, Error> {
        Ok(match element {
            Element::Single(value) => Element::Single(self.value(value, env, position)?),
            Element::Range(lower, upper) => {
                Element::Range(self.end(lower, env, position)?, self.end(upper, env, position)?)
            }
            Element::Size(inner) => Element::Size(self.constraint(inner, env, levels)?),
            Element::Alphabet(inner) => Element::Alphabet(self.constraint(inner, env, levels)?),
            Element::Contained(ty) => Element::Contained(self.ty(ty, env, levels)?),
            Element::Pattern(value) => Element::Pattern(self.value(value, env, position)?),
            Element::WithComponent(inner) => Element::WithComponent(self.constraint(inner, env, levels)?),
            Element::WithComponents { partial, components } => {
                let mut copied = Vec::with_capacity(components.len());
                for (name, constraint, presence) in components {
                    let constraint = constraint.as_ref().map(|one| self.constraint(one, env, levels)).transpose()?;
                    copied.push((name.clone(), constraint, *presence));
                }
                Element::WithComponents { partial: *partial, components: copied }
            }
            Element::Contents(ty, rules) => {
                let ty = ty.as_ref().map(|ty| self.ty(ty, env, levels)).transpose()?;
                let rules = rules.as_ref().map(|rules| self.value(rules, env, position)).transpose()?;
                Element::Contents(ty, rules)
            }
            Element::Group(inner) => Element::Group(self.constraint(inner, env, levels)?),
            Element::Table { .. } | Element::Settings(_) | Element::UserDefined(_) => element.clone(),
        })
    }

    fn end(&mut self, end: &End, env: &Env, position: Position) -> Result<End, Error> {
        Ok(match end {
            End::Inclusive(value) => End::Inclusive(self.value(value, env, position)?),
            End::Exclusive(value) => End::Exclusive(self.value(value, env, position)?),
            outermost => outermost.clone(),
        })
    }

    pub(super) fn value(&mut self, value: &Value, env: &Env, position: Position) -> Result<Value, Error> {
        Ok(match value {
            Value::Name { module, name } => match env.get(module.as_deref(), name) {
                Some(Bound::Value(definition)) => {
                    let definition = *definition;
                    Value::name(self.alias(definition))
                }
                Some(_) => {
                    let found = format!("the parameter {name}, which is not a value");
                    return Err(self.schema_fault(env, position, found, "a value"));
                }
                None => value.clone(),
            },
            Value::Instance(instance) => {
                let definition = self.instance(instance, env)?;
                Value::name(self.alias(definition))
            }
            Value::Field(field) => {
                let definition = self.field_value(field, env)?;
                Value::name(self.alias(definition))
            }
            Value::Unread(unread) => {
                let read = self.read(unread, env, |parser| parser.value())?;
                self.value(&read, env, position)?
            }
            Value::Choice(name, value) => Value::Choice(name.clone(), Box::new(self.value(value, env, position)?)),
            Value::Containing(value) => Value::Containing(Box::new(self.value(value, env, position)?)),
            Value::Open(ty, value) => {
                let ty = self.ty(ty, env, &mut Vec::new())?;
                Value::Open(Box::new(ty), Box::new(self.value(value, env, position)?))
            }
            Value::Braces(items) => {
                let mut copied = Vec::with_capacity(items.len());
                for item in items {
                    // The first of two is the identifier of a component, or the first arc.
                    let named = item.len() > 1;
                    let one = |(place, value): (usize, &Value)| match value {
                        Value::Name { .. } if named && place == 0 => Ok(value.clone()),
                        value => self.value(value, env, position),
                    };
                    let item: Result<Vec<Value>, Error> = item.iter().enumerate().map(one).collect();
                    copied.push(item?);
                }
                Value::Braces(copied)
            }
            simple => simple.clone(),
        })
    }

    /// `INSTANCE OF CLASS`: its associated type (X.681 Annex C).
    fn instance_of(&mut self, ty: &Type, class: &Instance, env: &Env) -> Result<Type, Error> {
        use crate::schema::{AtNotation, FieldReference, Prefix, Tag, TagClass, TagMode};
        let set = ty.constraints.iter().find_map(|constraint| match &constraint.root {
            Constraints::Element(element) => match &**element {
                Element::Table { set, .. } => Some(set.clone()),
                _ => None,
            },
            _ => None,
        });
        let field = |name: &str, at: Vec<AtNotation>| {
            let of = FieldReference { of: class.clone(), path: vec![name.to_owned()] };
            let mut made = Type { position: ty.position, ..Type::new(Kind::Field(Box::new(of))) };
            made.constraints
                .extend(set.iter().map(|set| Constraint::of(Element::Table { set: set.clone(), at: at.clone() })));
            made
        };
        let tag = |class, number, mode| Prefix::Tag(Tag { class, number }, Some(mode));
        let at = AtNotation { level: Some(0), path: vec!["type-id".to_owned()] };
        let value = field("Type", vec![at]).prefixed(tag(TagClass::Context, 0, TagMode::Explicit));
        let root = vec![Component::new("type-id", field("id", Vec::new())), Component::new("value", value)];
        // A definition of its own, because its tag is none of the text around it (X.680 clause 25.2).
        let made = Type { position: ty.position, ..Type::new(Kind::Sequence(Fields { root, ..Fields::default() })) }
            .prefixed(tag(TagClass::Universal, 8, TagMode::Implicit));
        let definition = self.definition_of(&made, env)?;
        Ok(self.named(definition, ty))
    }

    /// An open type.
    pub(super) fn open(&mut self, table: Option<usize>, slots: Vec<u32>) -> Kind {
        self.out.opens.push(super::OpenType { table, slots });
        Kind::Open(self.out.opens.len() as u32 - 1)
    }

    /// The definition of a type copied already.
    pub(super) fn named(&mut self, definition: Definition, ty: &Type) -> Type {
        let kind = self.reference(definition).kind;
        Type { prefixes: ty.prefixes.clone(), kind, constraints: Vec::new(), position: ty.position }
    }
}

/// The number of EXTERNAL among what is built in.
const EXTERNAL: usize = 2;
