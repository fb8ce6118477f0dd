//! The content of the braces of SEQUENCE, SET and CHOICE.

use foldhash::HashSet;
use tam::{Error, ErrorKind};

use super::build::{Builder, PendingDefault, Place};
use super::node::{Addition, Alternative, Choice, Member, Presence, Record};
use super::open::PendingKey;
use super::scope::Followed;
use super::{fault, within};
use crate::per::Constrained;
use crate::schema::{self, Component, ComponentKind, Fields, Tag, TagClass, Tagging};

impl<'s> Builder<'_, 's> {
    pub(super) fn choice(&mut self, followed: &Followed<'s>, fields: &'s Fields, path: &str) -> Result<u32, Error> {
        let key = std::ptr::from_ref(fields).addr();
        if let Some(number) = self.choices.get(&key) {
            return Ok(*number);
        }
        let number = self.out.choices.len() as u32;
        self.out.choices.push(Choice::EMPTY);
        self.positions.choices.push(Place { module: followed.module, position: followed.position });
        self.choices.insert(key, number);
        let additions = fields.additions.iter().flatten().flat_map(schema::Field::components);
        let all: Vec<&'s Component> = fields.root.iter().chain(additions).collect();
        let automatic = self.automatic(followed.module, all.iter().copied());
        let mut alternatives = Vec::with_capacity(all.len());
        for (place, component) in all.iter().enumerate() {
            let tag = automatic.then_some(Tag { class: TagClass::Context, number: place as u32 });
            let name = within(path, &component.name);
            let node = self.inner(followed.module, &component.ty, tag, name)?;
            alternatives.push(Alternative { name: component.name.clone(), identifier: component.text.clone(), node });
        }
        let root = fields.root.len();
        if root == 0 {
            return Err(fault(ErrorKind::Schema, followed.position, path, "no alternative", "at least one"));
        }
        if let Some(choice) = self.out.choices.get_mut(number as usize) {
            *choice = Choice {
                alternatives,
                root: root as u32,
                extensible: fields.additions.is_some() || self.scope.extensibility_implied(followed.module),
                index: Constrained::new(root as u64 - 1),
                ..Choice::EMPTY
            };
        }
        Ok(number)
    }

    pub(super) fn record(
        &mut self,
        followed: &Followed<'s>,
        fields: &'s Fields,
        set: bool,
        path: &str,
    ) -> Result<u32, Error> {
        let key = std::ptr::from_ref(fields).addr();
        if let Some(number) = self.records.get(&key) {
            return Ok(*number);
        }
        let number = self.out.records.len() as u32;
        self.out.records.push(Record::EMPTY);
        self.positions.records.push(Place { module: followed.module, position: followed.position });
        self.records.insert(key, number);
        self.keys.extend(fields.keys.iter().map(|key| PendingKey { record: number, key: key.clone() }));
        self.relations.extend(fields.relations.iter().map(|one| (number, one)));
        let additions = fields.additions.as_deref().unwrap_or_default();
        let added = additions.iter().flat_map(schema::Field::components);
        // Whether tags are automatic is decided before COMPONENTS OF is expanded (X.680 clause 25.3).
        let automatic = self.automatic(followed.module, fields.root.iter().chain(&fields.root_after).chain(added));
        let mut record = Record { set, extensible: fields.additions.is_some(), ..Record::EMPTY };
        record.extensible |= self.scope.extensibility_implied(followed.module);
        let mut members =
            Members { builder: self, automatic, path, module: followed.module, number, made: Vec::new(), looked_at: 0 };
        members.push_all(&fields.root)?;
        let before = members.made.len();
        members.push_all(&fields.root_after)?;
        let root = members.made.len();
        for addition in additions {
            let first = members.made.len();
            let components = addition.components();
            members.push_all(components)?;
            let made = first as u32..members.made.len() as u32;
            match addition {
                schema::Field::Group(..) => {
                    let group = Some(optional(&members.made[first..]));
                    record.additions.push(Addition { first: made.start, count: made.end - made.start, group });
                }
                // Each component that COMPONENTS OF expands to is an addition.
                schema::Field::Component(_) => {
                    record.additions.extend(made.map(|first| Addition { first, count: 1, group: None }));
                }
            }
        }
        // In the notation names are unique, except for those from COMPONENTS OF.
        let mut names = HashSet::default();
        if members.looked_at > members.made.len()
            && let Some(twice) = members.made.iter().find(|member| !names.insert(&member.name[..]))
        {
            let found = format!("a second {}", twice.name);
            return Err(fault(ErrorKind::Schema, followed.position, path, found, "components of different names"));
        }
        record.members = members.made;
        (record.root, record.before) = (root as u32, before as u32);
        record.optional = optional(record.members.get(..root).unwrap_or_default());
        if record.members.len() >= 1 << 16 {
            return Err(fault(ErrorKind::Limit, followed.position, path, "more components", "at most 65535"));
        }
        if root > before && record.members.len() > root {
            let all = record.members.len() as u32;
            let (before, root) = (before as u32, root as u32);
            record.declared = Some((0..before).chain(root..all).chain(before..root).collect());
        }
        if let Some(place) = self.out.records.get_mut(number as usize) {
            *place = record;
        }
        Ok(number)
    }

    /// Whether components get automatic tags.
    fn automatic(&self, module: usize, components: impl Iterator<Item = &'s Component>) -> bool {
        let tagged = |component: &Component| {
            component.kind != ComponentKind::ComponentsOf
                && component.ty.prefixes.iter().any(|prefix| matches!(prefix, schema::Prefix::Tag(..)))
        };
        self.scope.tagging(module) == Tagging::Automatic && !components.into_iter().any(tagged)
    }
}

/// The number of members with a presence bit.
fn optional(members: &[Member]) -> u32 {
    members.iter().filter(|member| member.presence != Presence::Mandatory).count() as u32
}

/// The components of a SEQUENCE or SET, being made.
struct Members<'b, 'r, 's> {
    builder: &'b mut Builder<'r, 's>,
    automatic: bool,
    path: &'b str,
    module: usize,
    /// The number of the record.
    number: u32,
    made: Vec<Member>,
    /// The number of components processed, including COMPONENTS OF.
    looked_at: usize,
}

impl<'s> Members<'_, '_, 's> {
    /// The most levels of COMPONENTS OF within COMPONENTS OF.
    const COMPONENTS_OF: usize = 100;

    fn push_all(&mut self, components: &'s [Component]) -> Result<(), Error> {
        let mut open = vec![(self.module, components.iter())];
        while let Some((module, rest)) = open.last_mut() {
            let module = *module;
            let Some(component) = rest.next() else {
                open.pop();
                continue;
            };
            self.looked_at += 1;
            if component.kind != ComponentKind::ComponentsOf {
                self.push(module, component)?;
                continue;
            }
            let followed = self.builder.scope.follow(module, &component.ty)?;
            let (schema::Kind::Sequence(fields) | schema::Kind::Set(fields)) = followed.kind else {
                let expected = "a SEQUENCE or SET to take components of";
                return Err(fault(ErrorKind::Schema, component.position, self.path, "another type", expected));
            };
            if open.len() > Self::COMPONENTS_OF || self.looked_at >= 1 << 18 {
                let expected = "COMPONENTS OF types that end";
                return Err(fault(ErrorKind::Schema, component.position, self.path, "a type of itself", expected));
            }
            let record = self.number;
            self.builder.keys.extend(fields.keys.iter().map(|key| PendingKey { record, key: key.clone() }));
            open.push((followed.module, fields.root_after.iter()));
            open.push((followed.module, fields.root.iter()));
        }
        Ok(())
    }

    fn push(&mut self, module: usize, component: &'s Component) -> Result<(), Error> {
        let place = self.made.len() as u32;
        let tag = self.automatic.then_some(Tag { class: TagClass::Context, number: place });
        let name = within(self.path, &component.name);
        if place >= 1 << 16 {
            return Err(fault(ErrorKind::Limit, component.position, &name, "more components", "at most 65535"));
        }
        let builder = &mut *self.builder;
        builder.components += 1;
        if builder.components > builder.most.nodes {
            let expected = format!("at most {} of all types (limit units)", builder.most.nodes);
            return Err(fault(ErrorKind::Limit, component.position, &name, "more components", expected));
        }
        let node = builder.inner(module, &component.ty, tag, name)?;
        let presence = match &component.kind {
            ComponentKind::Optional => Presence::Optional,
            ComponentKind::Default(value) => {
                builder.defaults.push(PendingDefault { node, module, value, position: component.position });
                Presence::Default(builder.defaults.len() as u32 - 1)
            }
            _ => Presence::Mandatory,
        };
        self.made.push(Member { name: component.name.clone(), identifier: component.text.clone(), node, presence });
        Ok(())
    }
}
