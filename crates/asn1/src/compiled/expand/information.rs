//! Classes and objects (X.681).

use std::rc::Rc;

use tam::Error;

use super::super::scope::Definition;
use super::bind::{Bound, keys};
use super::{ClassId, ClassInfo, Env, Expander, Object, ObjectId, Source, field_of, is_upper};
use crate::schema::{
    ClassField, FieldGovernor, FieldReference, Instance, Kind, Meaning, Position, Setting, Type, Unread, Value,
};

impl<'s> Expander<'_, 's> {
    /// Whether a governor, or the right side of an assignment, is a class.
    pub(super) fn is_class(&mut self, ty: &Type, env: &Env) -> Result<bool, Error> {
        Ok(self.class_by_type(ty, env)?.is_some())
    }

    /// The class that a governor is; `None` if it is a type.
    pub(super) fn class_by_type(&mut self, ty: &Type, env: &Env) -> Result<Option<ClassId>, Error> {
        if !ty.prefixes.is_empty() || !ty.constraints.is_empty() {
            return Ok(None);
        }
        match &ty.kind {
            Kind::Reference { module, name } if !has_small_letters(name) => {
                let (module, name) = (module.clone(), name.clone());
                let of = Instance { module, name, arguments: Vec::new(), position: ty.position };
                self.class_by_name(&of, env)
            }
            Kind::Instance(instance) if !has_small_letters(&instance.name) => self.class_by_name(instance, env),
            _ => Ok(None),
        }
    }

    fn class_by_name(&mut self, of: &Instance, env: &Env) -> Result<Option<ClassId>, Error> {
        if let Some(bound) = env.get(of.module.as_deref(), &of.name) {
            return Ok(match bound {
                Bound::Class(class) => Some(*class),
                _ => None,
            });
        }
        let (definition, assignment) = self.find(env, of)?;
        match &assignment.meaning {
            Meaning::Class(class) => {
                let inside = self.bind(definition, assignment, of, env)?;
                let key = (definition, keys(&inside));
                if let Some(id) = self.class_of.get(&key) {
                    return Ok(Some(*id));
                }
                let id = ClassId(self.classes.len());
                self.classes.push(ClassInfo { class, env: inside });
                self.class_of.insert(key, id);
                Ok(Some(id))
            }
            Meaning::Type(ty) if matches!(ty.kind, Kind::Reference { .. } | Kind::Instance(_)) => {
                if assignment.parameters.len() != of.arguments.len() {
                    return Ok(None);
                }
                let inside = self.bind(definition, assignment, of, env)?;
                self.follow(env, of.position, |expander| expander.class_by_type(ty, &inside))
            }
            _ => Ok(None),
        }
    }

    /// An object where it is written.
    pub(super) fn object(
        &mut self,
        value: &Value,
        class: ClassId,
        env: &Env,
        position: Position,
    ) -> Result<ObjectId, Error> {
        match value {
            Value::Name { module, name } => {
                let (module, name) = (module.clone(), name.clone());
                self.object_by_name(&Instance { module, name, arguments: Vec::new(), position }, env)
            }
            Value::Instance(instance) => self.object_by_name(instance, env),
            Value::Field(field) => {
                let (of, last) = self.object_before(field, env)?;
                self.setting_object(of, last)?.ok_or_else(|| self.no_setting(env, position, last))
            }
            Value::Unread(unread) => self.object_in_place(unread, class, env),
            _ => Err(self.schema_fault(env, position, "a value", "an object")),
        }
    }

    /// An object by its name.
    pub(super) fn object_by_name(&mut self, of: &Instance, env: &Env) -> Result<ObjectId, Error> {
        match env.get(of.module.as_deref(), &of.name) {
            Some(Bound::Object(object)) => return Ok(*object),
            Some(_) => {
                let found = format!("the parameter {}, which is not an object", of.name);
                return Err(self.schema_fault(env, of.position, found, "an object"));
            }
            None => {}
        }
        let (definition, assignment) = self.find(env, of)?;
        let Meaning::Value(governor, value) = &assignment.meaning else {
            return Err(self.schema_fault(env, of.position, of.name.clone(), "an object"));
        };
        let inside = self.bind(definition, assignment, of, env)?;
        let key = (definition, keys(&inside));
        if let Some(id) = self.object_of.get(&key) {
            return Ok(*id);
        }
        let Some(class) = self.class_by_type(governor, &inside)? else {
            return Err(self.schema_fault(env, of.position, format!("{}, a value", of.name), "an object"));
        };
        let position = assignment.position;
        let id = self.follow(env, of.position, |expander| expander.object(value, class, &inside, position))?;
        self.object_of.insert(key, id);
        Ok(id)
    }

    /// An object in braces.
    fn object_in_place(&mut self, unread: &Unread, class: ClassId, env: &Env) -> Result<ObjectId, Error> {
        let key = (env.module, unread.position.offset, class, keys(env));
        if let Some(object) = self.in_place.get(&key) {
            return Ok(*object);
        }
        let info = &self.classes[class.0];
        let notation = info.class;
        let settings = self.read(unread, env, |parser| parser.object(notation))?;
        for field in &notation.fields {
            let is_set = settings.iter().any(|(name, _)| *name == field.name);
            if !is_set && !field.optional && field.default.is_none() {
                let found = format!("an object without &{}", field.name);
                return Err(self.schema_fault(env, unread.position, found, "a setting of it (X.681 clause 11.6)"));
            }
        }
        self.spend(1, env, unread.position)?;
        self.objects.push(Rc::new(Object { class, env: Rc::clone(env), settings }));
        let made = ObjectId(self.objects.len() - 1);
        // What a program made has no position.
        if unread.position.line > 0 {
            self.in_place.insert(key, made);
        }
        Ok(made)
    }

    /// The object before the last field of a path, and the name of that field.
    pub(super) fn object_before<'f>(
        &mut self,
        field: &'f FieldReference,
        env: &Env,
    ) -> Result<(ObjectId, &'f str), Error> {
        let position = field.of.position;
        let mut object = self.object_by_name(&field.of, env)?;
        let Some((last, before)) = field.path.split_last() else {
            return Err(self.schema_fault(env, position, "an object without a field", "a field"));
        };
        for name in before {
            object = self.setting_object(object, name)?.ok_or_else(|| self.no_setting(env, position, name))?;
        }
        Ok((object, last))
    }

    #[cold]
    pub(super) fn no_setting(&self, env: &Env, position: Position, name: &str) -> Error {
        self.schema_fault(env, position, format!("an object that has no &{name}"), "a setting of it")
    }

    /// A field of the class of an object.
    pub(super) fn class_field(&self, class: ClassId, name: &str) -> Option<(&'s ClassField, Env)> {
        let info = &self.classes[class.0];
        let class: &'s crate::schema::Class = info.class;
        Some((field_of(class, name)?, Rc::clone(&info.env)))
    }

    /// How a field of an object is set, and where that is written: in the object, or as a default in its class.
    pub(super) fn setting(&self, object: ObjectId, name: &str) -> Option<(Setting, Env)> {
        let object = &self.objects[object.0];
        if let Some((_, setting)) = object.settings.iter().find(|(own, _)| own == name) {
            return Some((setting.clone(), Rc::clone(&object.env)));
        }
        let (field, env) = self.class_field(object.class, name)?;
        Some((field.default.clone()?, env))
    }

    /// The type that a field is set to.
    pub(super) fn setting_type(&mut self, object: ObjectId, name: &str) -> Result<Option<Definition>, Error> {
        let key = (object, name.to_owned());
        if let Some(found) = self.setting_types.get(&key) {
            return Ok(*found);
        }
        let made = match self.setting(object, name) {
            Some((Setting::Type(ty), env)) => Some(self.definition_of(&ty, &env)?),
            Some((Setting::Braces(unread), env)) => {
                let set = Rc::new(self.read(&unread, &env, |parser| parser.set_in_braces(false))?);
                let class = self.objects[object.0].class;
                match self.governor(class, object, name)? {
                    Some(governor) => {
                        let governor = Rc::new(self.reference(governor));
                        Some(self.make(Source::ValueSet(governor, set), env, unread.position)?)
                    }
                    None => None,
                }
            }
            _ => None,
        };
        self.setting_types.insert(key, made);
        Ok(made)
    }

    /// The value that a field is set to.
    pub(super) fn setting_value(&mut self, object: ObjectId, name: &str) -> Result<Option<Definition>, Error> {
        let key = (object, name.to_owned());
        if let Some(found) = self.setting_values.get(&key) {
            return Ok(*found);
        }
        let class = self.objects[object.0].class;
        let made = match (self.setting(object, name), self.governor(class, object, name)?) {
            (Some((setting, env)), Some(governor)) => {
                let (value, position) = match setting {
                    Setting::Value(value) => (value, Position::default()),
                    Setting::Braces(unread) => (self.read(&unread, &env, |parser| parser.value())?, unread.position),
                    Setting::Type(ty) => return Err(self.schema_fault(&env, ty.position, "a type", "a value")),
                };
                Some(self.definition_of_value(&value, governor, &env, position)?)
            }
            _ => None,
        };
        self.setting_values.insert(key, made);
        Ok(made)
    }

    /// The type of a field for values.
    fn governor(&mut self, class: ClassId, object: ObjectId, name: &str) -> Result<Option<Definition>, Error> {
        let Some((field, env)) = self.class_field(class, name) else { return Ok(None) };
        match &field.governor {
            FieldGovernor::None => Ok(None),
            FieldGovernor::Type(ty) => self.governor_of_class(class, name, ty, &env).map(Some),
            FieldGovernor::Field(path) => {
                let (mut object, mut rest) = (object, &path[..]);
                while let [first, more @ ..] = rest
                    && !more.is_empty()
                {
                    let Some(next) = self.setting_object(object, first)? else { return Ok(None) };
                    (object, rest) = (next, more);
                }
                match rest {
                    [last] => self.setting_type(object, last),
                    _ => Ok(None),
                }
            }
        }
    }

    /// The type of a field of fixed type.
    pub(super) fn governor_of_class(
        &mut self,
        class: ClassId,
        name: &str,
        ty: &Type,
        env: &Env,
    ) -> Result<Definition, Error> {
        let key = (class, name.to_owned());
        if let Some(found) = self.field_types.get(&key) {
            return Ok(*found);
        }
        let made = self.definition_of(ty, env)?;
        self.field_types.insert(key, made);
        Ok(made)
    }

    /// The object that a field is set to.
    pub(super) fn setting_object(&mut self, object: ObjectId, name: &str) -> Result<Option<ObjectId>, Error> {
        let Some((setting, env)) = self.setting(object, name) else { return Ok(None) };
        let class = self.objects[object.0].class;
        let Some((field, outer)) = self.class_field(class, name) else { return Ok(None) };
        let FieldGovernor::Type(governor) = &field.governor else { return Ok(None) };
        let Some(class) = self.class_by_type(governor, &outer)? else { return Ok(None) };
        let (value, position) = match setting {
            Setting::Value(value) => (value, field.position),
            Setting::Braces(unread) => {
                let position = unread.position;
                (Value::Unread(unread), position)
            }
            Setting::Type(_) => return Ok(None),
        };
        if let Value::Unread(unread) = &value {
            return self.object_in_place(unread, class, &env).map(Some);
        }
        self.follow(&env, position, |expander| expander.object(&value, class, &env, position)).map(Some)
    }

    /// The value of a field of an object, as a definition.
    pub(super) fn field_value(&mut self, field: &FieldReference, env: &Env) -> Result<Definition, Error> {
        let position = field.of.position;
        if is_upper(&field.of.name) {
            return Err(self.schema_fault(env, position, "a field of a set or a class", "a value"));
        }
        let (object, last) = self.object_before(field, env)?;
        self.setting_value(object, last)?.ok_or_else(|| self.no_setting(env, position, last))
    }
}

pub(super) fn has_small_letters(name: &str) -> bool {
    name.bytes().any(|c| c.is_ascii_lowercase())
}
