//! Parameters and what they are bound to (X.683).

use std::rc::Rc;

use tam::{Error, ErrorKind};

use super::super::scope::Definition;
use super::{ClassId, Env, Environment, Expander, NESTED, ObjectId, SetId, Source, is_upper, size};
use crate::notation::parser::Parser;
use crate::schema::{Assignment, Instance, Kind, Meaning, Position, Setting, Type, Unread, Value};

/// What an object counts beside its text, for the memory that it takes.
const OBJECT: usize = 512;

/// What a parameter is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    /// A type, or a set of values.
    Type(Definition),
    Value(Definition),
    Class(ClassId),
    Object(ObjectId),
    Set(SetId),
}

/// What distinguishes instances of a definition.
pub(super) type Key = Bound;

impl Environment {
    pub(super) fn get(&self, module: Option<&str>, name: &str) -> Option<&Bound> {
        if module.is_some() {
            return None;
        }
        self.bound.iter().find(|(own, _)| own == name).map(|(_, bound)| bound)
    }
}

impl<'s> Expander<'_, 's> {
    /// The definition that a name refers to, which is not a parameter.
    pub(super) fn find(&self, env: &Env, of: &Instance) -> Result<(Definition, &'s Assignment), Error> {
        self.find_name(env, of.module.as_deref(), &of.name, of.position)
    }

    pub(super) fn find_name(
        &self,
        env: &Env,
        module: Option<&str>,
        name: &str,
        position: Position,
    ) -> Result<(Definition, &'s Assignment), Error> {
        let definition = self.scope.find(env.module, module, name, position)?;
        match self.scope.assignment(definition) {
            Some(assignment) => Ok((definition, assignment)),
            None => Err(self.schema_fault(env, position, format!("{name} is not defined"), "")),
        }
    }

    /// The names bound in an instance: the parameters of its definition with the actual parameters.
    pub(super) fn bind(
        &mut self,
        definition: Definition,
        assignment: &'s Assignment,
        instance: &Instance,
        env: &Env,
    ) -> Result<Env, Error> {
        let (parameters, arguments) = (&assignment.parameters, &instance.arguments);
        if parameters.is_empty() && arguments.is_empty() {
            return Ok(self.module(definition.0));
        }
        if parameters.len() != arguments.len() {
            let found = format!("{} with {} actual parameters", assignment.name, arguments.len());
            return Err(self.schema_fault(env, instance.position, found, format!("{}", parameters.len())));
        }
        let depth = env.depth + 1;
        if depth > NESTED {
            let found = "instances within the actual parameters of each other";
            let expected = format!("at most {NESTED} levels of them");
            return Err(self.fault(env, ErrorKind::Limit, instance.position, found, expected));
        }
        // The governor may be a parameter before this one.
        let mut inside = Rc::new(Environment { module: definition.0, bound: Vec::new(), depth });
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let bound = match &parameter.governor {
                None => self.bind_type(argument, env, instance.position)?,
                Some(governor) => {
                    let class = self.class_by_type(governor, &inside)?;
                    self.bind_governed(governor, class, &parameter.name, argument, &inside, env, instance.position)?
                }
            };
            Rc::make_mut(&mut inside).bound.push((parameter.name.clone(), bound));
        }
        Ok(inside)
    }

    /// A parameter without a governor: a type or a class.
    fn bind_type(&mut self, argument: &Setting, env: &Env, position: Position) -> Result<Bound, Error> {
        match argument {
            Setting::Type(ty) => Ok(match self.class_by_type(ty, env)? {
                Some(class) => Bound::Class(class),
                None => Bound::Type(self.definition_of(ty, env)?),
            }),
            // NULL is a value and a type.
            Setting::Value(Value::Null) => Ok(Bound::Type(self.definition_of(&Type::new(Kind::Null), env)?)),
            _ => Err(self.schema_fault(env, position, "another actual parameter", "a type or a class")),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn bind_governed(
        &mut self,
        governor: &Type,
        class: Option<ClassId>,
        name: &str,
        argument: &Setting,
        inside: &Env,
        env: &Env,
        position: Position,
    ) -> Result<Bound, Error> {
        match (class, argument) {
            (Some(class), Setting::Braces(unread)) if is_upper(name) => {
                let set = self.read(unread, env, |parser| parser.set_in_braces(true))?;
                Ok(Bound::Set(self.set(&set, class, env)?))
            }
            // Braces around the name of a set are missing in some modules.
            (Some(class), Setting::Type(ty)) if is_upper(name) => Ok(Bound::Set(self.set_by_type(ty, class, env)?)),
            (Some(class), Setting::Value(value)) if !is_upper(name) => {
                Ok(Bound::Object(self.object(value, class, env, position)?))
            }
            (Some(class), Setting::Braces(unread)) => {
                let value = Value::Unread(unread.clone());
                Ok(Bound::Object(self.object(&value, class, env, position)?))
            }
            (None, Setting::Braces(unread)) if is_upper(name) => {
                let set = Rc::new(self.read(unread, env, |parser| parser.set_in_braces(false))?);
                let governor = self.definition_of(governor, inside)?;
                let governor = Rc::new(self.reference(governor));
                self.make(Source::ValueSet(governor, set), Rc::clone(env), position).map(Bound::Type)
            }
            (None, Setting::Type(ty)) if is_upper(name) => Ok(Bound::Type(self.definition_of(ty, env)?)),
            (None, Setting::Value(value)) if !is_upper(name) => {
                let governor = self.definition_of(governor, inside)?;
                Ok(Bound::Value(self.definition_of_value(value, governor, env, position)?))
            }
            (None, Setting::Braces(unread)) => {
                let governor = self.definition_of(governor, inside)?;
                let value = self.read(unread, env, |parser| parser.value())?;
                Ok(Bound::Value(self.definition_of_value(&value, governor, env, position)?))
            }
            (_, Setting::Type(_)) => Err(self.schema_fault(
                env,
                position,
                format!("a type for the parameter {name}"),
                "a value or an object",
            )),
            (_, Setting::Value(_)) => {
                Err(self.schema_fault(env, position, format!("a value for the parameter {name}"), "a set in braces"))
            }
        }
    }

    /// Reads notation whose governor is known by now.
    pub(super) fn read<T>(
        &mut self,
        unread: &Unread,
        env: &Env,
        read: impl FnOnce(&mut Parser<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if !env.bound.is_empty() {
            self.copy(unread.text.len() + OBJECT, env, unread.position)?;
        }
        let path = self.scope.module_name(env.module);
        let limits = tam::Limits { units: u32::MAX, ..tam::Limits::DEFAULT };
        read(&mut Parser::within(unread, &[path], limits)?)
    }

    /// The definition of a type where it is written: that of its name, or one made for it.
    pub(super) fn definition_of(&mut self, ty: &Type, env: &Env) -> Result<Definition, Error> {
        if ty.prefixes.is_empty() && ty.constraints.is_empty() {
            match &ty.kind {
                Kind::Reference { module, name } => match env.get(module.as_deref(), name) {
                    Some(Bound::Type(definition)) => return Ok(*definition),
                    Some(_) => {
                        let found = format!("the parameter {name}, which is not a type");
                        return Err(self.schema_fault(env, ty.position, found, "a type"));
                    }
                    None => {
                        let (definition, _) = self.find_name(env, module.as_deref(), name, ty.position)?;
                        return Ok(definition);
                    }
                },
                Kind::Instance(instance) => return self.instance(instance, env),
                _ => {}
            }
        }
        let key = self.actual_key(&format!("{ty:?}"), env);
        if let Some(definition) = self.actuals.get(&key) {
            return Ok(*definition);
        }
        self.copy(key.len(), env, ty.position)?;
        let made = self.make(Source::Type(Rc::new(ty.clone())), Rc::clone(env), ty.position)?;
        self.actuals.insert(key, made);
        Ok(made)
    }

    /// The definition of a value where it is written.
    pub(super) fn definition_of_value(
        &mut self,
        value: &Value,
        governor: Definition,
        env: &Env,
        position: Position,
    ) -> Result<Definition, Error> {
        if let Value::Name { module, name } = value {
            match env.get(module.as_deref(), name) {
                Some(Bound::Value(definition)) => return Ok(*definition),
                Some(_) => {
                    let found = format!("the parameter {name}, which is not a value");
                    return Err(self.schema_fault(env, position, found, "a value"));
                }
                None => {}
            }
            // A name that is not defined may be that of a number or of an enumeration.
            match self.find_name(env, module.as_deref(), name, position) {
                Ok((definition, Assignment { meaning: Meaning::Value(..), .. })) => return Ok(definition),
                Err(error) if self.scope.is_missing(&error) => return Err(error),
                _ => {}
            }
        }
        let key = self.actual_key(&format!("{value:?} {governor:?}"), env);
        if let Some(definition) = self.actuals.get(&key) {
            return Ok(*definition);
        }
        self.copy(key.len(), env, position)?;
        let governor = Rc::new(self.reference(governor));
        let made = self.make(Source::Value(governor, Rc::new(value.clone())), Rc::clone(env), position)?;
        self.actuals.insert(key, made);
        Ok(made)
    }

    /// What is equal for equal notation where equal names are bound. What names no parameter means the same everywhere
    /// in its module.
    fn actual_key(&self, notation: &str, env: &Env) -> String {
        let mut words = notation.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let is_bound = words.any(|word| env.bound.iter().any(|(name, _)| name == word));
        match is_bound {
            true => format!("{} {:?} {notation}", env.module, env.bound),
            false => format!("{} {notation}", env.module),
        }
    }

    /// The definition of an instance of a type or of a set of values.
    pub(super) fn instance(&mut self, instance: &Instance, env: &Env) -> Result<Definition, Error> {
        if env.get(instance.module.as_deref(), &instance.name).is_some() {
            let found = format!("actual parameters of the parameter {}", instance.name);
            return Err(self.schema_fault(env, instance.position, found, "none"));
        }
        let (definition, assignment) = self.find(env, instance)?;
        let inside = self.bind(definition, assignment, instance, env)?;
        let key = (definition, keys(&inside));
        if let Some(made) = self.instances.get(&key) {
            return Ok(*made);
        }
        let size = *self.sizes.entry(definition).or_insert_with(|| size(assignment));
        self.copy(size, env, instance.position)?;
        let made = self.make(Source::Template(assignment), inside, instance.position)?;
        self.instances.insert(key, made);
        Ok(made)
    }
}

/// What distinguishes the instance with these names.
pub(super) fn keys(env: &Env) -> Vec<Key> {
    env.bound.iter().map(|(_, bound)| bound.clone()).collect()
}
