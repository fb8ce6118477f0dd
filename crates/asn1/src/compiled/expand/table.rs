//! Types of fields, and the tables of open types (X.681 clause 14, X.682 clause 10).

use tam::Error;

use super::super::scope::Definition;
use super::bind::Bound;
use super::copy::Levels;
use super::{ClassId, Env, Expander, Row, Table, is_upper};
use crate::schema::{
    AtNotation, Component, ComponentKind, Constraint, Constraints, Element, Field, FieldGovernor, FieldKey,
    FieldReference, FieldRelation, Fields, Kind, Meaning, Position, Type, Value,
};

/// What the first name of a field reference is.
enum Root {
    Class(ClassId),
    Set,
    Object,
}

impl<'s> Expander<'_, 's> {
    /// `CLASS.&field`, `object.&Type`, `Set.&field`, with the constraints after it.
    pub(super) fn field_type<'a>(
        &mut self,
        ty: &'a Type,
        field: &'a FieldReference,
        env: &Env,
        levels: &mut Levels<'a>,
    ) -> Result<Type, Error> {
        match self.root(field, env)? {
            Root::Object => {
                let (object, last) = self.object_before(field, env)?;
                let Some(definition) = self.setting_type(object, last)? else {
                    return Err(self.no_setting(env, field.of.position, last));
                };
                self.constrained(ty, definition, None, env, levels)
            }
            Root::Set => self.values_of(ty, field, env, levels),
            Root::Class(class) => {
                let Some((class, last)) = self.last_class(class, field, env)? else {
                    return Err(self.no_field(env, field));
                };
                let Some((found, outer)) = self.class_field(class, last) else { return Err(self.no_field(env, field)) };
                match &found.governor {
                    FieldGovernor::Type(governor) => {
                        let definition = self.governor_of_class(class, last, governor, &outer)?;
                        let is_related = self.relate(ty, field, env, levels);
                        self.constrained(ty, definition, Some((class, is_related)), env, levels)
                    }
                    _ => self.open_type(ty, field, env, levels),
                }
            }
        }
    }

    fn root(&mut self, field: &FieldReference, env: &Env) -> Result<Root, Error> {
        let of = &field.of;
        if !is_upper(&of.name) {
            return Ok(Root::Object);
        }
        match env.get(of.module.as_deref(), &of.name) {
            Some(Bound::Class(class)) => return Ok(Root::Class(*class)),
            Some(Bound::Set(_)) => return Ok(Root::Set),
            Some(_) => {
                let found = format!("the parameter {}", of.name);
                return Err(self.schema_fault(env, of.position, found, "a class, an object or a set of objects"));
            }
            None => {}
        }
        let (module, name) = (of.module.clone(), of.name.clone());
        let kind = match of.arguments.is_empty() {
            true => Kind::Reference { module, name },
            false => Kind::Instance(Box::new(of.clone())),
        };
        let governor = Type { position: of.position, ..Type::new(kind) };
        Ok(match self.class_by_type(&governor, env)? {
            Some(class) => Root::Class(class),
            None => match &self.find(env, of)?.1.meaning {
                Meaning::ValueSet(..) => Root::Set,
                _ => {
                    return Err(self.schema_fault(env, of.position, of.name.clone(), "a class, or a set of objects"));
                }
            },
        })
    }

    /// The class that the last field of a path is one of, and the name of this field.
    fn last_class<'f>(
        &mut self,
        class: ClassId,
        field: &'f FieldReference,
        env: &Env,
    ) -> Result<Option<(ClassId, &'f str)>, Error> {
        let mut class = class;
        let Some((last, before)) = field.path.split_last() else { return Ok(None) };
        for name in before {
            let Some((found, outer)) = self.class_field(class, name) else { return Err(self.no_field(env, field)) };
            let FieldGovernor::Type(governor) = &found.governor else { return Ok(None) };
            let Some(next) = self.class_by_type(governor, &outer)? else { return Ok(None) };
            class = next;
        }
        Ok(Some((class, last)))
    }

    #[cold]
    fn no_field(&self, env: &Env, field: &FieldReference) -> Error {
        let found = format!("&{}, which {} does not have", field.path.join(".&"), field.of.name);
        self.schema_fault(env, field.of.position, found, "a field of it")
    }

    /// Keeps the rows that relate a component to others of its type, and returns whether that is possible.
    fn relate<'a>(&mut self, ty: &'a Type, field: &'a FieldReference, env: &Env, levels: &mut Levels<'a>) -> bool {
        let table = ty.constraints.iter().filter_map(element_of).find_map(|element| match element {
            Element::Table { set, at } if !at.is_empty() => Some((set, &at[..])),
            _ => None,
        });
        let (Some((set, at)), Some(last)) = (table, levels.last()) else { return false };
        let of_last = |component: &&Component| component.name == last.name && std::ptr::eq(&raw const component.ty, ty);
        let additions = last.fields.additions.iter().flatten().flat_map(Field::components);
        let mut all = last.fields.root.iter().chain(additions).chain(&last.fields.root_after);
        let (member, here) = (last.name.to_owned(), levels.len() - 1);
        if last.is_choice || !all.any(|component| of_last(&component)) {
            return false;
        }
        let Ok(keys) = self.keys_at(field, set, at, env, levels) else { return false };
        if keys.iter().any(|(level, ..)| *level != here) {
            return false;
        }
        let mut paths: Vec<Vec<String>> = keys.iter().map(|(.., key)| key.clone()).collect();
        paths.push(field.path.clone());
        let Ok(Root::Class(class)) = self.root(field, env) else { return false };
        let Ok(table) = self.set(set, class, env).and_then(|set| self.table(set, paths, env, field)) else {
            return false;
        };
        let keys = keys.into_iter().map(|(_, path, _)| path.to_vec()).collect();
        if let Some(level) = levels.last_mut() {
            level.relations.push(FieldRelation { member, keys, table });
        }
        true
    }

    /// The level of each component that selects rows, the rest of the path to it, and the field that it is of.
    #[allow(clippy::type_complexity)]
    fn keys_at<'a>(
        &mut self,
        field: &FieldReference,
        set: &Constraint,
        at: &'a [AtNotation],
        env: &Env,
        levels: &Levels<'a>,
    ) -> Result<Vec<(usize, &'a [String], Vec<String>)>, Error> {
        let Root::Class(class) = self.root(field, env)? else { return Err(self.no_field(env, field)) };
        let mut found = Vec::new();
        for at in at {
            let Some((level, path)) = anchor(at, levels) else {
                let found = format!("@{}", at.path.join("."));
                return Err(self.schema_fault(env, set.position, found, "a component around the open type"));
            };
            let fields = levels[level].fields;
            let key = match self.key_field(fields, path, env, (env, set.position))? {
                Some(key) => key,
                None => match self.classes[class.0].class.fields.iter().find(|field| field.unique) {
                    Some(unique) => vec![unique.name.clone()],
                    None => {
                        let found = format!("@{}, which is no field of the class", at.path.join("."));
                        return Err(self.schema_fault(env, set.position, found, "a component of a field's type"));
                    }
                },
            };
            found.push((level, path, key));
        }
        Ok(found)
    }

    /// A type that is known, with the tags and constraints written. For the field of a class, whether its rows are kept.
    fn constrained<'a>(
        &mut self,
        ty: &'a Type,
        definition: Definition,
        class: Option<(ClassId, bool)>,
        env: &Env,
        levels: &mut Levels<'a>,
    ) -> Result<Type, Error> {
        let mut made = self.named(definition, ty);
        for constraint in &ty.constraints {
            match element_of(constraint) {
                // A set that may be extended allows other values as well.
                Some(Element::Table { set, .. })
                    if match class {
                        Some((class, false)) => self.may_be_extended(set, class, env)?,
                        _ => true,
                    } => {}
                _ => made.constraints.push(self.constraint(constraint, env, levels)?),
            }
        }
        Ok(made)
    }

    /// `Set.&field`: the values that the field has in the objects of a set; any type, if it is a type.
    fn values_of<'a>(
        &mut self,
        ty: &'a Type,
        field: &FieldReference,
        env: &Env,
        levels: &mut Levels<'a>,
    ) -> Result<Type, Error> {
        let objects = self.objects_of(field, ClassId(0), env)?;
        let Some(last) = field.path.last() else { return Err(self.no_field(env, field)) };
        let governor = objects.first().map(|object| self.objects[object.0].class);
        let governor = governor.and_then(|class| Some((class, self.class_field(class, last)?)));
        let Some((class, (found, outer))) = governor else {
            let position = field.of.position;
            return Err(self.schema_fault(env, position, format!("{} without objects", field.of.name), "at least one"));
        };
        let FieldGovernor::Type(governor) = &found.governor else {
            let kind = self.open(None, Vec::new());
            return Ok(Type { prefixes: ty.prefixes.clone(), kind, constraints: Vec::new(), position: ty.position });
        };
        let definition = self.governor_of_class(class, last, governor, &outer)?;
        let mut values = Vec::new();
        for object in objects {
            let element = match is_upper(last) {
                true => self.setting_type(object, last)?.map(|set| Element::Contained(self.reference(set))),
                false => self.setting_value(object, last)?.map(|value| Element::Single(Value::name(self.alias(value)))),
            };
            values.extend(element.map(|element| Constraints::Element(Box::new(element))));
        }
        let mut made = self.constrained(ty, definition, Some((class, false)), env, levels)?;
        made.constraints.insert(0, Constraint::from(Constraints::Union(values)));
        Ok(made)
    }

    /// An open type.
    fn open_type<'a>(
        &mut self,
        ty: &'a Type,
        field: &'a FieldReference,
        env: &Env,
        levels: &mut Levels<'a>,
    ) -> Result<Type, Error> {
        let elements: Vec<&Element> = ty.constraints.iter().filter_map(element_of).collect();
        let table = elements.iter().find_map(|element| match element {
            Element::Table { set, at } => Some((set, &at[..])),
            _ => None,
        });
        let only = elements.iter().find_map(|element| match element {
            Element::Contained(ty) => Some(ty),
            _ => None,
        });
        let kind = match (table, only) {
            (Some((set, at @ [_, ..])), _) => self.open_by_table(field, set, at, env, levels)?,
            // Only this type may come (X.681 clause 14.3).
            (_, Some(ty)) => {
                let ty = Some(self.definition_of(ty, env)?);
                self.out.tables.push(Table { rows: vec![Row { keys: Vec::new(), ty }] });
                self.open(Some(self.out.tables.len() - 1), Vec::new())
            }
            _ => self.open(None, Vec::new()),
        };
        Ok(Type { prefixes: ty.prefixes.clone(), kind, constraints: Vec::new(), position: ty.position })
    }

    fn open_by_table<'a>(
        &mut self,
        field: &FieldReference,
        set: &Constraint,
        at: &'a [AtNotation],
        env: &Env,
        levels: &mut Levels<'a>,
    ) -> Result<Kind, Error> {
        let Root::Class(class) = self.root(field, env)? else { return Err(self.no_field(env, field)) };
        let mut paths = Vec::new();
        let mut slots = Vec::new();
        for (level, path, key) in self.keys_at(field, set, at, env, levels)? {
            paths.push(key);
            let user = levels[level].name.to_owned();
            let keys = &mut levels[level].keys;
            let slot = match keys.iter().find(|key| key.path == path) {
                Some(key) => key.slot,
                None => {
                    let slot = self.slots;
                    self.slots += 1;
                    keys.push(FieldKey { path: path.to_vec(), slot, user });
                    slot
                }
            };
            slots.push(slot);
        }
        paths.push(field.path.clone());
        let set = self.set(set, class, env)?;
        let table = self.table(set, paths, env, field)?;
        Ok(self.open(Some(table), slots))
    }

    /// The field of the class that a component is of. The constraint that names it has a module and a position.
    fn key_field(
        &mut self,
        fields: &Fields,
        path: &[String],
        env: &Env,
        named: (&Env, Position),
    ) -> Result<Option<Vec<String>>, Error> {
        let Some((first, rest)) = path.split_first() else { return Ok(None) };
        let additions = fields.additions.iter().flatten().flat_map(Field::components);
        let mut all = fields.root.iter().chain(additions).chain(&fields.root_after);
        let found = all.find(|one| one.kind != ComponentKind::ComponentsOf && one.name == *first);
        match found {
            Some(component) => self.key_type(&component.ty, rest, env, named),
            None => {
                let (env, position) = named;
                Err(self.schema_fault(env, position, format!("@{first}"), "a component around the open type"))
            }
        }
    }

    fn key_type(
        &mut self,
        ty: &Type,
        rest: &[String],
        env: &Env,
        named: (&Env, Position),
    ) -> Result<Option<Vec<String>>, Error> {
        match &ty.kind {
            Kind::Field(field) if rest.is_empty() => Ok(Some(field.path.clone())),
            Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) if !rest.is_empty() => {
                self.key_field(fields, rest, env, named)
            }
            Kind::Reference { .. } | Kind::Instance(_) => {
                let bare = Type { position: ty.position, ..Type::new(ty.kind.clone()) };
                let definition = self.definition_of(&bare, env)?;
                let Some((source, inside)) = self.source(definition) else { return Ok(None) };
                self.follow(env, ty.position, |expander| expander.key_type(&source, rest, &inside, named))
            }
            _ => Ok(None),
        }
    }

    /// The rows of a set that have a key, with their keys and types.
    fn table(
        &mut self,
        set: super::SetId,
        paths: Vec<Vec<String>>,
        env: &Env,
        field: &FieldReference,
    ) -> Result<usize, Error> {
        let key = (set, paths);
        if let Some(table) = self.table_of.get(&key) {
            return Ok(*table);
        }
        let objects = std::rc::Rc::clone(&self.sets[set.0].rows);
        let paths: Vec<&[String]> = key.1.iter().map(Vec::as_slice).collect();
        let mut table = Table::default();
        for object in objects.iter() {
            for mut row in self.joined(*object, &paths, env, field.of.position)? {
                let ty = row.pop().flatten();
                // An object without a key cannot be found.
                if let Some(keys) = row.into_iter().collect::<Option<Vec<Definition>>>() {
                    table.rows.push(Row { keys, ty });
                }
            }
        }
        self.spend(table.rows.len(), env, field.of.position)?;
        self.out.tables.push(table);
        let number = self.out.tables.len() - 1;
        self.table_of.insert(key, number);
        Ok(number)
    }
}

/// The level and the rest of the path that lead to a component without going through the open type itself.
fn anchor<'p>(at: &'p AtNotation, levels: &Levels<'_>) -> Option<(usize, &'p [String])> {
    let mut level = match at.level {
        None => 0,
        Some(out) => levels.len().checked_sub(1 + out as usize)?,
    };
    let mut path = &at.path[..];
    while let [first, rest @ ..] = path
        && !rest.is_empty()
        && levels.get(level)?.name == first
        && level + 1 < levels.len()
    {
        (level, path) = (level + 1, rest);
    }
    (!levels.get(level)?.is_choice).then_some((level, path))
}

/// The element that a constraint consists of, if it is one.
fn element_of(constraint: &Constraint) -> Option<&Element> {
    match &constraint.root {
        Constraints::Element(element) => match &**element {
            Element::Group(inner) => element_of(inner),
            element => Some(element),
        },
        _ => None,
    }
}
