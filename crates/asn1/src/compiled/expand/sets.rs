//! Sets of objects (X.681 clauses 12 and 15.7).

use foldhash::HashSet;
use tam::Error;

use super::super::scope::Definition;
use super::bind::{Bound, Key, keys};
use super::{ClassId, Env, Expander, ObjectId, ObjectSet, SetId, is_upper};
use crate::schema::{
    Constraint, Constraints, Element, FieldGovernor, FieldReference, Instance, Kind, Meaning, Position, Setting, Type,
};

/// The rows of a set, as they are found.
#[derive(Default)]
struct Rows {
    rows: Vec<ObjectId>,
    known: HashSet<ObjectId>,
    /// The sets that have been entered. A set may name itself, directly or not: that adds nothing.
    entered: HashSet<Entered>,
    /// Whether other objects may be added.
    extensible: bool,
}

/// A set by its definition, or as a field of an object.
#[derive(PartialEq, Eq, Hash)]
enum Entered {
    Definition(Definition, Vec<Key>),
    Field(ObjectId, String),
}

impl Rows {
    fn add(&mut self, object: ObjectId) {
        if self.known.insert(object) {
            self.rows.push(object);
        }
    }

    fn add_all(&mut self, set: &ObjectSet) {
        set.rows.iter().for_each(|object| self.add(*object));
        self.extensible |= set.extensible;
    }
}

impl<'s> Expander<'_, 's> {
    /// A set where it is written.
    pub(super) fn set(&mut self, set: &Constraint, class: ClassId, env: &Env) -> Result<SetId, Error> {
        let mut rows = Rows::default();
        self.gather(set, class, env, &mut rows)?;
        Ok(self.intern(rows))
    }

    /// A set by its name.
    pub(super) fn set_by_type(&mut self, ty: &Type, class: ClassId, env: &Env) -> Result<SetId, Error> {
        let mut rows = Rows::default();
        self.gather_named(ty, class, env, &mut rows)?;
        Ok(self.intern(rows))
    }

    fn intern(&mut self, rows: Rows) -> SetId {
        let set = ObjectSet { rows: rows.rows.into(), extensible: rows.extensible };
        let next = SetId(self.sets.len());
        let id = *self.set_by_rows.entry(set.clone()).or_insert(next);
        if id == next {
            self.sets.push(set);
        }
        id
    }

    /// Whether a set may get other objects in later versions.
    pub(super) fn may_be_extended(&mut self, set: &Constraint, class: ClassId, env: &Env) -> Result<bool, Error> {
        let set = self.set(set, class, env)?;
        Ok(self.sets[set.0].extensible)
    }

    fn gather(&mut self, set: &Constraint, class: ClassId, env: &Env, rows: &mut Rows) -> Result<(), Error> {
        self.gather_elements(&set.root, class, env, set.position, rows)?;
        rows.extensible |= set.additions.is_some();
        if let Some(Some(additions)) = &set.additions {
            self.gather_elements(additions, class, env, set.position, rows)?;
        }
        Ok(())
    }

    fn gather_elements(
        &mut self,
        set: &Constraints,
        class: ClassId,
        env: &Env,
        position: Position,
        rows: &mut Rows,
    ) -> Result<(), Error> {
        match set {
            Constraints::Element(element) => self.gather_element(element, class, env, position, rows)?,
            Constraints::Union(all) => {
                all.iter().try_for_each(|one| self.gather_elements(one, class, env, position, rows))?;
            }
            Constraints::Except(all, but) => {
                let but = self.rows_of(but, class, env, position)?;
                for object in self.rows_of(all, class, env, position)? {
                    if !but.contains(&object) {
                        rows.add(object);
                    }
                }
            }
            Constraints::Intersection(all) => {
                let mut sets = Vec::new();
                for one in all {
                    sets.push(self.rows_of(one, class, env, position)?);
                }
                let Some((first, others)) = sets.split_first() else { return Ok(()) };
                let others: Vec<HashSet<&ObjectId>> = others.iter().map(|set| set.iter().collect()).collect();
                for object in first {
                    if others.iter().all(|set| set.contains(object)) {
                        rows.add(*object);
                    }
                }
            }
            Constraints::AllExcept(_) => {
                return Err(self.schema_fault(env, position, "ALL EXCEPT", "objects, or sets of them"));
            }
        }
        Ok(())
    }

    fn rows_of(
        &mut self,
        set: &Constraints,
        class: ClassId,
        env: &Env,
        position: Position,
    ) -> Result<Vec<ObjectId>, Error> {
        let mut rows = Rows::default();
        self.follow(env, position, |expander| expander.gather_elements(set, class, env, position, &mut rows))?;
        Ok(rows.rows)
    }

    fn gather_element(
        &mut self,
        element: &Element,
        class: ClassId,
        env: &Env,
        position: Position,
        rows: &mut Rows,
    ) -> Result<(), Error> {
        self.spend(1, env, position)?;
        match element {
            Element::Single(value) => {
                match self.object(value, class, env, position) {
                    Err(error) if self.scope.is_missing(&error) => rows.extensible = true,
                    object => rows.add(object?),
                }
                Ok(())
            }
            Element::Contained(ty) => self.gather_named(ty, class, env, rows),
            Element::Group(inner) => self.gather(inner, class, env, rows),
            _ => Err(self.schema_fault(env, position, "another constraint", "objects, or sets of them")),
        }
    }

    /// The rows of a set by its name, or of fields that are sets.
    fn gather_named(&mut self, ty: &Type, class: ClassId, env: &Env, rows: &mut Rows) -> Result<(), Error> {
        let position = ty.position;
        let of = match &ty.kind {
            Kind::Reference { module, name } => {
                Instance { module: module.clone(), name: name.clone(), arguments: Vec::new(), position }
            }
            Kind::Instance(instance) => (**instance).clone(),
            Kind::Field(field) => return self.gather_field(field, class, env, rows),
            _ => return Err(self.schema_fault(env, position, "a type", "a set of objects")),
        };
        self.gather_instance(&of, class, env, rows)
    }

    fn gather_instance(&mut self, of: &Instance, class: ClassId, env: &Env, rows: &mut Rows) -> Result<(), Error> {
        match env.get(of.module.as_deref(), &of.name) {
            Some(Bound::Set(set)) => {
                let set = self.sets[set.0].clone();
                self.spend(set.rows.len(), env, of.position)?;
                rows.add_all(&set);
                return Ok(());
            }
            Some(_) => {
                let found = format!("the parameter {}, which is not a set of objects", of.name);
                return Err(self.schema_fault(env, of.position, found, "a set of objects"));
            }
            None => {}
        }
        let (definition, assignment) = match self.find(env, of) {
            // The objects of a missing module are as unknown as those of a later version.
            Err(error) if self.scope.is_missing(&error) => {
                rows.extensible = true;
                return Ok(());
            }
            found => found?,
        };
        let Meaning::ValueSet(governor, set) = &assignment.meaning else {
            return Err(self.schema_fault(env, of.position, of.name.clone(), "a set of objects"));
        };
        let inside = self.bind(definition, assignment, of, env)?;
        let key = (definition, keys(&inside));
        // A set that has been gathered as a whole is not gathered again.
        if let Some(set) = self.set_of.get(&key) {
            let set = self.sets[set.0].clone();
            self.spend(set.rows.len(), env, of.position)?;
            rows.add_all(&set);
            return Ok(());
        }
        let outermost = rows.entered.is_empty();
        if !rows.entered.insert(Entered::Definition(definition, key.1.clone())) {
            return Ok(());
        }
        let class = self.class_by_type(governor, &inside)?.unwrap_or(class);
        if !outermost || !rows.rows.is_empty() || rows.extensible {
            return self.follow(env, of.position, |expander| expander.gather(set, class, &inside, rows));
        }
        self.follow(env, of.position, |expander| expander.gather(set, class, &inside, rows))?;
        let whole = Rows { rows: rows.rows.clone(), extensible: rows.extensible, ..Rows::default() };
        let id = self.intern(whole);
        self.set_of.insert(key, id);
        rows.entered.clear();
        Ok(())
    }

    /// `object.&Set`, or the objects that fields of the objects of a set are: `Set.&Errors`.
    fn gather_field(
        &mut self,
        field: &FieldReference,
        class: ClassId,
        env: &Env,
        rows: &mut Rows,
    ) -> Result<(), Error> {
        let objects = self.objects_of(field, class, env)?;
        let Some(last) = field.path.last() else { return Ok(()) };
        for object in objects {
            self.gather_setting(object, last, rows)?;
        }
        Ok(())
    }

    /// The objects before the last field of a path: one, or those of a set.
    pub(super) fn objects_of(
        &mut self,
        field: &FieldReference,
        class: ClassId,
        env: &Env,
    ) -> Result<Vec<ObjectId>, Error> {
        let mut objects = if is_upper(&field.of.name) {
            let mut from = Rows::default();
            self.gather_instance(&field.of, class, env, &mut from)?;
            from.rows
        } else {
            vec![self.object_by_name(&field.of, env)?]
        };
        for name in field.path.iter().take(field.path.len().saturating_sub(1)) {
            let mut next = Rows::default();
            for object in objects {
                self.gather_setting(object, name, &mut next)?;
            }
            objects = next.rows;
        }
        Ok(objects)
    }

    /// The objects that a field is set to: one, or those of a set.
    fn gather_setting(&mut self, object: ObjectId, name: &str, rows: &mut Rows) -> Result<(), Error> {
        if !is_upper(name) {
            if let Some(found) = self.setting_object(object, name)? {
                rows.add(found);
            }
            return Ok(());
        }
        let Some((setting, env)) = self.setting(object, name) else { return Ok(()) };
        if !rows.entered.insert(Entered::Field(object, name.to_owned())) {
            return Ok(());
        }
        let class = self.objects[object.0].class;
        let Some((field, outer)) = self.class_field(class, name) else { return Ok(()) };
        let FieldGovernor::Type(governor) = &field.governor else { return Ok(()) };
        let Some(class) = self.class_by_type(governor, &outer)? else { return Ok(()) };
        match setting {
            Setting::Braces(unread) => {
                let set = self.read(&unread, &env, |parser| parser.set_in_braces(true))?;
                self.follow(&env, unread.position, |expander| expander.gather(&set, class, &env, rows))
            }
            Setting::Type(ty) => self.gather_named(&ty, class, &env, rows),
            Setting::Value(_) => Ok(()),
        }
    }

    /// The objects of a set that is a field of an object.
    pub(super) fn setting_set(&mut self, object: ObjectId, name: &str) -> Result<Vec<ObjectId>, Error> {
        let mut rows = Rows::default();
        self.gather_setting(object, name, &mut rows)?;
        Ok(rows.rows)
    }
}
