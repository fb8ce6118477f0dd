//! From the notation's types to the codecs'.
//!
//! Types wait in a queue, so that however deep they hold each other nothing recurses. A type that
//! is a mere name shares the node of its definition, so that types may hold themselves.

use std::collections::HashMap;

use tam::{Error, ErrorKind};

use super::constraint::{Domain, Reducer, Set};
use super::node::*;
use super::scope::{Definition, Followed, Scope};
use super::{Compiled, fault, text, value};
use crate::event::Scalar;
use crate::per::Constrained;
use crate::schema::{
    self, Component, ComponentKind, Fields, Meaning, NamedNumber, Position, Schema, StringKind, Tag, TagClass, Tagging,
    Type, Value,
};

/// Types that a schema may have, those within others included, and components of all of them.
const NODES: usize = 1 << 22;

/// Intervals and characters of alphabets that a schema may have, all together.
const STORED: usize = 1 << 22;

/// Named types and what they hold.
pub(super) fn compile(schema: &Schema) -> Result<Compiled, Error> {
    let scope = Scope::new(schema)?;
    let mut builder = Builder {
        scope: &scope,
        reducer: Reducer::new(&scope),
        out: Compiled::default(),
        queue: Vec::new(),
        named: HashMap::new(),
        inner: HashMap::new(),
        referred: HashMap::new(),
        components: 0,
        stored: 0,
        enumerations: HashMap::new(),
        name_lists: HashMap::new(),
        records: HashMap::new(),
        choices: HashMap::new(),
        defaults: Vec::new(),
        positions: Positions::default(),
    };
    for (number, module) in schema.modules.iter().enumerate() {
        for (place, assignment) in module.assignments.iter().enumerate() {
            if !matches!(assignment.meaning, Meaning::Value(..)) {
                let node = builder.named((number, place))?;
                let types = &mut builder.out;
                types.by_name.entry(assignment.name.clone()).or_default().push(types.types.len());
                types.types.push((module.name.clone(), assignment.name.clone(), node));
            }
        }
    }
    while let Some(task) = builder.queue.pop() {
        builder.build(task)?;
    }
    builder.order_by_tag()?;
    builder.count_bits();
    builder.out.line_up_steps();
    builder.tell_defaults()?;
    let positions: Vec<Position> = builder.defaults.iter().map(|default| default.position).collect();
    let mut types = builder.out;
    types.encode_defaults(&positions)?;
    Ok(types)
}

pub(super) struct Builder<'r, 's> {
    pub(super) scope: &'r Scope<'s>,
    reducer: Reducer<'r, 's>,
    pub(super) out: Compiled,
    queue: Vec<Task<'s>>,
    named: HashMap<Definition, NodeId>,
    /// Types within others, by where they stand in the notation and the tag they are given.
    inner: HashMap<(usize, Option<Tag>), NodeId>,
    /// What has been made of types that references lead to, by where these and their constraints stand.
    referred: HashMap<(usize, Vec<usize>), Kind>,
    /// Components of all SEQUENCEs and SETs, and intervals and characters, so far.
    components: usize,
    stored: usize,
    /// Enumerations and lists of names that have been made, by where they stand in the notation.
    enumerations: HashMap<usize, u32>,
    name_lists: HashMap<usize, u32>,
    /// What has been made of the braces of a SEQUENCE, SET or CHOICE, by where these are.
    records: HashMap<usize, u32>,
    choices: HashMap<usize, u32>,
    pub(super) defaults: Vec<PendingDefault<'s>>,
    pub(super) positions: Positions,
}

/// Where records and choices stand in the notation, for errors.
#[derive(Default)]
pub(super) struct Positions {
    pub(super) records: Vec<Position>,
    pub(super) choices: Vec<Position>,
}

/// A default that waits until all types are there.
pub(super) struct PendingDefault<'s> {
    pub(super) node: NodeId,
    pub(super) module: usize,
    pub(super) value: &'s Value,
    pub(super) position: Position,
}

/// A node that waits to be made.
struct Task<'s> {
    node: NodeId,
    module: usize,
    ty: &'s Type,
    /// A constraint behind the type: a value set's.
    constraint: Option<&'s schema::Constraint>,
    /// The tag that automatic tagging gives.
    tag: Option<Tag>,
}

impl<'s> Builder<'_, 's> {
    /// The node of a definition.
    fn named(&mut self, definition: Definition) -> Result<NodeId, Error> {
        if let Some(node) = self.named.get(&definition) {
            return Ok(*node);
        }
        let Some(assignment) = self.scope.assignment(definition) else { return Ok(NodeId(0)) };
        let (ty, constraint) = match &assignment.meaning {
            Meaning::Type(ty) => (ty, None),
            Meaning::ValueSet(ty, constraint) => (ty, Some(constraint)),
            Meaning::Value(..) => {
                let path = self.scope.path(definition);
                let found = format!("{}, a value", assignment.name);
                return Err(fault(ErrorKind::Schema, assignment.position, &path, found, "the name of a type"));
            }
        };
        let node = self.allocate(assignment.name.clone(), ty.position)?;
        self.named.insert(definition, node);
        self.queue.push(Task { node, module: definition.0, ty, constraint, tag: None });
        Ok(node)
    }

    /// A node that is made later.
    fn allocate(&mut self, name: String, position: Position) -> Result<NodeId, Error> {
        if self.out.nodes.len() >= NODES {
            let error = fault(ErrorKind::Limit, position, "", "more types", format!("at most {NODES}"));
            return Err(error);
        }
        let node = NodeId(self.out.nodes.len() as u32);
        self.out.nodes.push(Node { kind: Kind::Null, tags: Vec::new(), min_bits: 0, name });
        Ok(node)
    }

    /// The node of a type within another.
    fn inner(&mut self, module: usize, ty: &'s Type, tag: Option<Tag>, name: String) -> Result<NodeId, Error> {
        if tag.is_none()
            && let Some(definition) = self.scope.mere_name(module, ty)?
        {
            return self.named(definition);
        }
        // A type that holds itself by another tag or under a constraint would be made without end.
        let key = (std::ptr::from_ref(ty).addr(), tag);
        if let Some(node) = self.inner.get(&key) {
            return Ok(*node);
        }
        let node = self.allocate(name, ty.position)?;
        self.inner.insert(key, node);
        self.queue.push(Task { node, module, ty, constraint: None, tag });
        Ok(node)
    }

    fn build(&mut self, task: Task<'s>) -> Result<(), Error> {
        let path = self.out.node(task.node).name.clone();
        let mut followed = self.scope.follow(task.module, task.ty)?;
        followed.constraints.extend(task.constraint.map(|constraint| (task.module, constraint)));
        let kind = self.kind_of(&followed, &path)?;
        let tags = tags(&followed, task.tag);
        if let Some(node) = self.out.nodes.get_mut(task.node.0 as usize) {
            (node.kind, node.tags) = (kind, tags);
        }
        Ok(())
    }

    /// What a type is; what many references lead to is made once.
    fn kind_of(&mut self, followed: &Followed<'s>, path: &str) -> Result<Kind, Error> {
        let Some(name) = followed.name else { return self.kind(followed, path, path) };
        let constraints = followed.constraints.iter().map(|(_, constraint)| std::ptr::from_ref(*constraint).addr());
        let key = (std::ptr::from_ref(followed.kind).addr(), constraints.collect());
        if let Some(kind) = self.referred.get(&key) {
            return Ok(*kind);
        }
        let kind = self.kind(followed, path, name)?;
        self.referred.insert(key, kind);
        Ok(kind)
    }

    /// The same, with the path of the type, and of what stands in its braces.
    fn kind(&mut self, followed: &Followed<'s>, path: &str, home: &str) -> Result<Kind, Error> {
        use schema::Kind as Notation;
        Ok(match followed.kind {
            Notation::Boolean => Kind::Boolean,
            Notation::Null => Kind::Null,
            Notation::Real => Kind::Real,
            Notation::ObjectIdentifier => Kind::ObjectIdentifier,
            Notation::RelativeOid => Kind::RelativeOid,
            Notation::Integer(names) => Kind::Integer(self.integer(followed, names, path)?),
            Notation::Enumerated(enumeration) => {
                let key = std::ptr::from_ref(enumeration).addr();
                if let Some(number) = self.enumerations.get(&key) {
                    return Ok(Kind::Enumerated(*number));
                }
                let made = self.enumeration(followed, enumeration, path)?;
                let number = self.out.enumerations.len() as u32;
                self.out.enumerations.push(made);
                self.enumerations.insert(key, number);
                Kind::Enumerated(number)
            }
            Notation::BitString(names) => {
                let size = self.size(followed, path)?;
                Kind::BitString(size, self.names(followed.module, names, path, followed.position)?)
            }
            Notation::OctetString => Kind::OctetString(self.size(followed, path)?),
            Notation::String(kind) => {
                let made = self.characters(followed, *kind, path)?;
                self.out.characters.push(made);
                Kind::Text(self.out.characters.len() as u32 - 1)
            }
            Notation::Sequence(fields) => Kind::Record(self.record(followed, fields, false, home)?),
            Notation::Set(fields) => Kind::Record(self.record(followed, fields, true, home)?),
            Notation::Choice(fields) => Kind::Choice(self.choice(followed, fields, home)?),
            Notation::SequenceOf(item) | Notation::SetOf(item) => {
                let set = matches!(followed.kind, Notation::SetOf(_));
                let size = self.size(followed, path)?;
                let item = self.inner(followed.module, &item.ty, None, format!("{home}.item"))?;
                Kind::Array(Array { item, size, set })
            }
            Notation::Other(word) => {
                let expected = "a type that the codecs carry";
                return Err(fault(ErrorKind::Unsupported, followed.position, path, *word, expected));
            }
            // References and selections have been followed.
            Notation::Reference { .. } | Notation::Selection(..) => Kind::Null,
        })
    }

    fn integer(&mut self, followed: &Followed<'s>, names: &'s [NamedNumber], path: &str) -> Result<Integer, Error> {
        let set = self.reducer.reduce(&followed.constraints, Domain::Number, Some((followed.module, names)))?;
        let names = self.names(followed.module, names, path, followed.position)?;
        let (lower, upper) = self.bounds(&set, followed, path)?;
        let range = match (lower, upper) {
            (i128::MIN, upper) => Range::Unconstrained((upper != i128::MAX).then_some(upper)),
            (lower, i128::MAX) => Range::SemiConstrained(lower),
            (lower, upper) => match upper.checked_sub(lower).and_then(|span| u64::try_from(span).ok()) {
                Some(span) => Range::Constrained(lower, Constrained::new(span)),
                None => {
                    let found = format!("a range of {lower} to {upper}");
                    let expected = "a range of at most 2^64 numbers";
                    return Err(fault(ErrorKind::Unsupported, followed.position, path, found, expected));
                }
            },
        };
        let intervals = self.intervals(&set, followed, path)?;
        Ok(Integer { range, extensible: set.extensible, intervals, names })
    }

    /// The least and the greatest number that PER sees.
    fn bounds(&self, set: &Set, followed: &Followed<'s>, path: &str) -> Result<(i128, i128), Error> {
        set.visible.bounds().filter(|_| set.root.bounds().is_some()).ok_or_else(|| {
            fault(ErrorKind::Schema, followed.position, path, "a constraint that allows nothing", "at least one value")
        })
    }

    /// The intervals of a root that has gaps, or that PER does not see the whole of.
    fn intervals(&mut self, set: &Set, followed: &Followed<'s>, path: &str) -> Result<Option<u32>, Error> {
        let whole = set.visible.bounds().is_none_or(|bounds| set.root.as_slice() == [bounds]);
        if !set.seen || whole {
            return Ok(None);
        }
        self.store(set.root.as_slice().len(), followed, path)?;
        self.out.intervals.push(set.root.clone());
        Ok(Some(self.out.intervals.len() as u32 - 1))
    }

    /// Takes note of intervals or characters that are kept.
    fn store(&mut self, count: usize, followed: &Followed<'s>, path: &str) -> Result<(), Error> {
        self.stored += count;
        if self.stored > STORED {
            let expected = format!("at most {STORED} of all types");
            return Err(fault(ErrorKind::Limit, followed.position, path, "more intervals and characters", expected));
        }
        Ok(())
    }

    fn size(&mut self, followed: &Followed<'s>, path: &str) -> Result<Size, Error> {
        let set = self.reducer.reduce(&followed.constraints, Domain::Size, None)?;
        if !set.seen {
            return Ok(Size::ANY);
        }
        let (lower, upper) = self.bounds(&set, followed, path)?;
        let end = |bound: i128| u64::try_from(bound.max(0)).unwrap_or(u64::MAX);
        let intervals = self.intervals(&set, followed, path)?;
        Ok(Size { lower: end(lower), upper: end(upper), extensible: set.extensible, intervals })
    }

    fn characters(&mut self, followed: &Followed<'s>, kind: StringKind, path: &str) -> Result<Characters, Error> {
        let size = self.size(followed, path)?;
        let mut alphabet = self.reducer.reduce(&followed.constraints, Domain::Alphabet, None)?;
        if let Some(own) = text::repertoire(kind) {
            alphabet.visible = alphabet.visible.intersection(&own);
            alphabet.root = alphabet.root.intersection(&own);
            alphabet.seen = true;
        }
        if alphabet.visible.bounds().is_none() && size.lower > 0 {
            let found = "an alphabet of no character";
            return Err(fault(ErrorKind::Schema, followed.position, path, found, "at least one character"));
        }
        let known_multiplier = text::known_multiplier(kind, &alphabet.visible);
        let index = known_multiplier.as_ref().and_then(|known| known.index.as_ref()).map_or(0, Vec::len);
        self.store(alphabet.root.as_slice().len() + index, followed, path)?;
        let checked = alphabet.seen.then(|| {
            self.out.intervals.push(alphabet.root.clone());
            self.out.intervals.len() as u32 - 1
        });
        let within = alphabet.root.bounds().is_some_and(|(lower, upper)| lower >= 0 && upper < 0x80);
        let ascii = within.then(|| Box::new(Ascii::new(|byte| alphabet.root.contains(byte.into()))));
        let wider = alphabet.visible != alphabet.root;
        Ok(Characters { kind, size, known_multiplier, alphabet: checked, ascii, wider })
    }

    /// Names of numbers; `None` if there are none.
    fn names(
        &mut self,
        module: usize,
        names: &'s [NamedNumber],
        path: &str,
        position: Position,
    ) -> Result<Option<u32>, Error> {
        if names.is_empty() {
            return Ok(None);
        }
        let key = names.as_ptr().addr();
        if let Some(number) = self.name_lists.get(&key) {
            return Ok(Some(*number));
        }
        let number = |named: &'s NamedNumber| match value::number(self.scope, module, None, &named.number, position)? {
            Some(number) => Ok((named.name.clone(), number)),
            None => Err(fault(ErrorKind::Schema, position, path, "another value", "an integer for each name")),
        };
        let names: Result<Vec<_>, Error> = names.iter().map(number).collect();
        let number = self.out.names.len() as u32;
        self.out.names.push(names?);
        self.name_lists.insert(key, number);
        Ok(Some(number))
    }

    /// The enumerations with their numbers (X.680 clause 20).
    fn enumeration(
        &mut self,
        followed: &Followed<'s>,
        enumeration: &'s schema::Enumeration,
        path: &str,
    ) -> Result<Enumeration, Error> {
        let numbered = |one: &'s schema::Enumerator| match &one.number {
            Some(number) => match value::number(self.scope, followed.module, None, number, one.position)? {
                Some(number) => i64::try_from(number).map(Some).map_err(|_| {
                    fault(ErrorKind::Unsupported, one.position, path, format!("{number}"), "a number of 64 bits")
                }),
                None => Err(fault(ErrorKind::Schema, one.position, path, "another value", "an integer")),
            },
            None => Ok(None),
        };
        let mut taken = std::collections::HashSet::new();
        let mut items: Vec<(String, Option<i64>, Position)> = Vec::new();
        for one in &enumeration.root {
            let number = numbered(one)?;
            items.push((one.name.clone(), number, one.position));
            if let Some(number) = number
                && !taken.insert(number)
            {
                return Err(fault(ErrorKind::Schema, one.position, path, format!("{number} twice"), "other numbers"));
            }
        }
        // Those without a number take the least ones that are free, in order.
        let mut next = 0;
        let mut root: Vec<(String, i64)> = Vec::with_capacity(items.len());
        for (name, number, _) in items {
            let number = number.unwrap_or_else(|| {
                while taken.contains(&next) {
                    next += 1;
                }
                taken.insert(next);
                next
            });
            root.push((name, number));
        }
        root.sort_by_key(|(_, number)| *number);
        let count = root.len();
        if count == 0 {
            return Err(fault(ErrorKind::Schema, followed.position, path, "no enumeration", "at least one"));
        }
        // Each addition without a number takes the least that is free and above those before it.
        let mut items = root;
        let mut above: Option<i64> = None;
        for one in enumeration.additions.iter().flatten() {
            let number = match numbered(one)? {
                Some(number) => number,
                None => {
                    let mut free = above.map_or(0, |last| last.saturating_add(1)).max(0);
                    while taken.contains(&free) && free < i64::MAX {
                        free += 1;
                    }
                    free
                }
            };
            if !taken.insert(number) || above.is_some_and(|last| number <= last) {
                let found = format!("{} of number {number}", one.name);
                return Err(fault(ErrorKind::Schema, one.position, path, found, "a number above those before it"));
            }
            above = Some(number);
            items.push((one.name.clone(), number));
        }
        let mut by_number: Vec<(i64, u32)> = items.iter().enumerate().map(|(i, (_, n))| (*n, i as u32)).collect();
        by_number.sort_unstable();
        Ok(Enumeration {
            root: count as u32,
            extensible: enumeration.additions.is_some() || self.scope.extensibility_implied(followed.module),
            index: Constrained::new(count as u64 - 1),
            by_number,
            items,
        })
    }

    fn choice(&mut self, followed: &Followed<'s>, fields: &'s Fields, path: &str) -> Result<u32, Error> {
        let key = std::ptr::from_ref(fields).addr();
        if let Some(number) = self.choices.get(&key) {
            return Ok(*number);
        }
        let number = self.out.choices.len() as u32;
        self.out.choices.push(Choice::EMPTY);
        self.positions.choices.push(followed.position);
        self.choices.insert(key, number);
        let additions = fields.additions.iter().flatten().flat_map(schema::Field::components);
        let all: Vec<&'s Component> = fields.root.iter().chain(additions).collect();
        let automatic = self.automatic(followed.module, all.iter().copied());
        let mut alternatives = Vec::with_capacity(all.len());
        for (place, component) in all.iter().enumerate() {
            let tag = automatic.then_some(Tag { class: TagClass::Context, number: place as u32 });
            let name = format!("{path}.{}", component.name);
            let node = self.inner(followed.module, &component.ty, tag, name)?;
            alternatives.push(Alternative { name: component.name.clone(), node });
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
                by_tag: Vec::new(),
            };
        }
        Ok(number)
    }

    fn record(&mut self, followed: &Followed<'s>, fields: &'s Fields, set: bool, path: &str) -> Result<u32, Error> {
        let key = std::ptr::from_ref(fields).addr();
        if let Some(number) = self.records.get(&key) {
            return Ok(*number);
        }
        let number = self.out.records.len() as u32;
        self.out.records.push(Record::EMPTY);
        self.positions.records.push(followed.position);
        self.records.insert(key, number);
        let additions = fields.additions.as_deref().unwrap_or_default();
        let added = additions.iter().flat_map(schema::Field::components);
        // Whether tags are automatic is decided before COMPONENTS OF is followed (X.680 clause 25.3).
        let automatic = self.automatic(followed.module, fields.root.iter().chain(&fields.root_after).chain(added));
        let mut record = Record { set, extensible: fields.additions.is_some(), ..Record::EMPTY };
        record.extensible |= self.scope.extensibility_implied(followed.module);
        let mut members =
            Members { builder: self, automatic, path, module: followed.module, made: Vec::new(), looked_at: 0 };
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
                // What COMPONENTS OF stands for is an addition each.
                schema::Field::Component(_) => {
                    record.additions.extend(made.map(|first| Addition { first, count: 1, group: None }));
                }
            }
        }
        // The notation has each name once, but for those that COMPONENTS OF brings.
        let mut names = std::collections::HashSet::new();
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

    /// Whether components get tags by their places.
    fn automatic(&self, module: usize, components: impl Iterator<Item = &'s Component>) -> bool {
        let tagged = |component: &Component| {
            component.kind != ComponentKind::ComponentsOf
                && component.ty.prefixes.iter().any(|prefix| matches!(prefix, schema::Prefix::Tag(..)))
        };
        self.scope.tagging(module) == Tagging::Automatic && !components.into_iter().any(tagged)
    }

    /// Bits that values take at the least: a few rounds, each true, are enough for what holds itself.
    fn count_bits(&mut self) {
        for _ in 0..4 {
            let mut changed = false;
            // What several types share is added up once.
            let mut records = vec![None; self.out.records.len()];
            let mut choices = vec![None; self.out.choices.len()];
            for number in (0..self.out.nodes.len()).rev() {
                let node = NodeId(number as u32);
                let shared = match self.out.node(node).kind {
                    Kind::Record(number) => records.get_mut(number as usize),
                    Kind::Choice(number) => choices.get_mut(number as usize),
                    _ => None,
                };
                let bits = match shared {
                    Some(shared) => *shared.get_or_insert_with(|| self.out.least_bits(node)),
                    None => self.out.least_bits(node),
                };
                let bits = bits.min(1 << 20) as u32;
                if let Some(node) = self.out.nodes.get_mut(number)
                    && node.min_bits != bits
                {
                    node.min_bits = bits;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }
}

/// How many of some members have a bit that says whether they are there.
fn optional(members: &[Member]) -> u32 {
    members.iter().filter(|member| member.presence != Presence::Mandatory).count() as u32
}

/// The components of a SEQUENCE or SET, being made.
struct Members<'b, 'r, 's> {
    builder: &'b mut Builder<'r, 's>,
    automatic: bool,
    path: &'b str,
    module: usize,
    made: Vec<Member>,
    /// Components looked at, COMPONENTS OF among them.
    looked_at: usize,
}

impl<'s> Members<'_, '_, 's> {
    /// COMPONENTS OF a type that has COMPONENTS OF a type: no deeper than this.
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
            open.push((followed.module, fields.root_after.iter()));
            open.push((followed.module, fields.root.iter()));
        }
        Ok(())
    }

    fn push(&mut self, module: usize, component: &'s Component) -> Result<(), Error> {
        let place = self.made.len() as u32;
        let tag = self.automatic.then_some(Tag { class: TagClass::Context, number: place });
        let name = format!("{}.{}", self.path, component.name);
        if place >= 1 << 16 {
            return Err(fault(ErrorKind::Limit, component.position, &name, "more components", "at most 65535"));
        }
        let builder = &mut *self.builder;
        builder.components += 1;
        if builder.components > NODES {
            let expected = format!("at most {NODES} of all types");
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
        self.made.push(Member { name: component.name.clone(), node, presence });
        Ok(())
    }
}

/// The tags of a type, outermost first (X.680 clause 31.2).
fn tags(followed: &Followed<'_>, automatic: Option<Tag>) -> Vec<Tag> {
    // Innermost first, until they are turned round.
    let mut tags: Vec<Tag> =
        universal(followed.kind).map(|number| Tag { class: TagClass::Universal, number }).into_iter().collect();
    let automatic = automatic.map(|tag| (tag, false));
    for (tag, explicit) in followed.tags.iter().rev().copied().chain(automatic) {
        match tags.last_mut() {
            Some(outermost) if !explicit => *outermost = tag,
            // A CHOICE has no tag that another could stand for.
            _ => tags.push(tag),
        }
    }
    tags.reverse();
    tags
}

/// The universal tag of a type; none of a CHOICE (X.680 clause 8.6).
fn universal(kind: &schema::Kind) -> Option<u32> {
    use schema::Kind as Notation;
    Some(match kind {
        Notation::Boolean => 1,
        Notation::Integer(_) => 2,
        Notation::BitString(_) => 3,
        Notation::OctetString => 4,
        Notation::Null => 5,
        Notation::ObjectIdentifier => 6,
        Notation::Real => 9,
        Notation::Enumerated(_) => 10,
        Notation::RelativeOid => 13,
        Notation::Sequence(_) | Notation::SequenceOf(_) => 16,
        Notation::Set(_) | Notation::SetOf(_) => 17,
        Notation::String(kind) => match kind {
            StringKind::ObjectDescriptor => 7,
            StringKind::Utf8 => 12,
            StringKind::Numeric => 18,
            StringKind::Printable => 19,
            StringKind::Teletex => 20,
            StringKind::Videotex => 21,
            StringKind::Ia5 => 22,
            StringKind::UtcTime => 23,
            StringKind::GeneralizedTime => 24,
            StringKind::Graphic => 25,
            StringKind::Visible => 26,
            StringKind::General => 27,
            StringKind::Universal => 28,
            StringKind::Bmp => 30,
        },
        Notation::Choice(_) | Notation::Reference { .. } | Notation::Selection(..) | Notation::Other(_) => return None,
    })
}

impl Compiled {
    /// Bits of a value at the least, given what is known of the types in it.
    fn least_bits(&self, node: NodeId) -> u64 {
        let of = |node: NodeId| u64::from(self.node(node).min_bits);
        let sized = |size: Size, unit: u64| {
            // A size that PER does not tell, or tells in at least a bit where others may come.
            let told = if size.lower == size.upper && !size.extensible { 0 } else { 1 };
            if size.extensible { 1 } else { size.lower.saturating_mul(unit).max(told) }
        };
        match self.node(node).kind {
            Kind::Boolean => 1,
            Kind::Null => 0,
            Kind::Integer(Integer { extensible: true, .. }) => 1,
            Kind::Integer(Integer { range: Range::Constrained(_, constrained), .. }) => constrained.min_bits().into(),
            Kind::Integer(_) => 16,
            Kind::Enumerated(number) => {
                let enumeration = self.enumeration(number);
                if enumeration.extensible { 1 } else { enumeration.index.min_bits().into() }
            }
            Kind::Real => 8,
            Kind::BitString(size, _) => sized(size, 1),
            Kind::OctetString(size) => sized(size, 8),
            Kind::ObjectIdentifier | Kind::RelativeOid => 16,
            Kind::Text(number) => {
                let characters = self.characters(number);
                match &characters.known_multiplier {
                    Some(known) => sized(characters.size, known.bits.into()),
                    None => 8,
                }
            }
            Kind::Record(number) => {
                let record = self.record(number);
                let mandatory = record.members.iter().take(record.root as usize);
                let mandatory = mandatory.filter(|member| member.presence == Presence::Mandatory);
                u64::from(record.extensible)
                    + u64::from(record.optional)
                    + mandatory.map(|member| of(member.node)).sum::<u64>()
            }
            Kind::Choice(number) => {
                let choice = self.choice(number);
                let least = choice.alternatives.iter().take(choice.root as usize).map(|one| of(one.node)).min();
                if choice.extensible { 1 } else { least.unwrap_or_default() + u64::from(choice.index.min_bits()) }
            }
            Kind::Array(array) => sized(array.size, of(array.item)),
        }
    }
}

impl Compiled {
    /// Puts what walks need of the members of each record side by side.
    fn line_up_steps(&mut self) {
        self.codes = (0..self.nodes.len()).map(|number| self.code_of(NodeId(number as u32))).collect();
        for number in 0..self.records.len() {
            let steps = self.record(number as u32).members.iter().map(|member| Step {
                code: self.code(member.node),
                node: member.node,
                optional: member.presence != Presence::Mandatory,
            });
            let steps: Vec<Step> = steps.collect();
            let root = steps.get(..self.record(number as u32).root as usize).unwrap_or_default();
            let free = root.iter().all(|step| !step.optional && self.node(step.node).min_bits == 0);
            if let Some(record) = self.records.get_mut(number) {
                let numbers = steps.iter().all(|step| matches!(step.code, Code::Scalar(..)));
                record.flat = numbers && !record.extensible && record.optional <= 57;
                record.free = free && !record.extensible;
                record.steps = steps;
            }
        }
    }

    /// How a type is told, if it is of the few kinds that most are.
    fn code_of(&self, node: NodeId) -> Code {
        let (lower, range, scalar, extensible) = match self.node(node).kind {
            Kind::Boolean => (0, Constrained::new(1), Scalar::Boolean, false),
            Kind::Integer(Integer { range: Range::Constrained(lower, range), extensible, intervals: None, .. }) => {
                let whole = lower.checked_add(range.span.into()).and_then(|upper| i64::try_from(upper).ok());
                match (i64::try_from(lower), whole) {
                    (Ok(lower), Some(_)) => (lower, range, Scalar::Integer, extensible),
                    _ => return Code::Other,
                }
            }
            Kind::Enumerated(number) => {
                let enumeration = self.enumeration(number);
                (0, enumeration.index, Scalar::Enumerated, enumeration.extensible)
            }
            Kind::OctetString(Size { lower: size @ 1..=65_535, upper, extensible: false, intervals: None })
                if size == upper =>
            {
                return Code::Octets(size as u32);
            }
            Kind::BitString(Size { lower: size @ 1..=57, upper, extensible: false, intervals: None }, _)
                if size == upper =>
            {
                return Code::Bits(size as u32);
            }
            Kind::Record(number) => return Code::Record(number),
            _ => return Code::Other,
        };
        match range.span {
            1..0x200_0000_0000_0000 if extensible => Code::Extensible(lower, range, scalar),
            1..0x200_0000_0000_0000 => Code::Scalar(lower, range, scalar),
            _ => Code::Other,
        }
    }
}
