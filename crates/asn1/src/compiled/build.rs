//! From the notation's types to the codecs'.
//!
//! Types wait in a queue, so that however deep they hold each other nothing recurses. A type that
//! is a mere name shares the node of its definition, so that types may hold themselves.

use std::collections::HashMap;

use tam::{Error, ErrorKind};

use super::constraint::{Domain, Reducer, Set};
use super::decimal::is_decimal;
use super::node::*;
use super::scope::{Definition, Followed, Scope};
use super::tags::tags;
use super::{Compiled, fault, text, time, value};
use crate::per::Constrained;
use crate::schema::{self, Meaning, NamedNumber, Position, Schema, StringKind, Tag, Type, Value};

/// Types that a schema may have, those within others included, and components of all of them.
pub(super) const NODES: usize = 1 << 22;

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
        time_work: 0,
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
    pub(super) components: usize,
    stored: usize,
    /// What has been gone through for the constraints of times.
    time_work: usize,
    /// Enumerations and lists of names that have been made, by where they stand in the notation.
    enumerations: HashMap<usize, u32>,
    name_lists: HashMap<usize, u32>,
    /// What has been made of the braces of a SEQUENCE, SET or CHOICE, by where these are.
    pub(super) records: HashMap<usize, u32>,
    pub(super) choices: HashMap<usize, u32>,
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
    pub(super) fn inner(
        &mut self,
        module: usize,
        ty: &'s Type,
        tag: Option<Tag>,
        name: String,
    ) -> Result<NodeId, Error> {
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
        if kind == Kind::Real && is_decimal(followed.constraints.iter().map(|(_, constraint)| *constraint)) {
            let at = task.node.0 as usize;
            self.out.decimal.resize(self.out.decimal.len().max(at + 1), false);
            self.out.decimal[at] = true;
        }
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
                let made = match kind.is_iso8601() {
                    true => self.time(followed, *kind, path)?,
                    false => self.characters(followed, *kind, path)?,
                };
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
        let table = checked.map(|_| Box::new(Ascii::new(|byte| alphabet.root.contains(byte.into()))));
        let (ascii, among) = if within { (table, None) } else { (None, table) };
        let wider = alphabet.visible != alphabet.root;
        Ok(Characters { kind, size, known_multiplier, alphabet: checked, ascii, among, wider, plain: None, time: None }
            .plain())
    }

    /// TIME, DATE, TIME-OF-DAY, DATE-TIME, DURATION.
    fn time(&mut self, followed: &Followed<'s>, kind: StringKind, path: &str) -> Result<Characters, Error> {
        let (reducer, work) = (&mut self.reducer, &mut self.time_work);
        let time = time::Reduction { reducer, work, path, own_work: 0 }.time(followed, kind)?;
        Ok(Characters { kind, time: Some(Box::new(time)), ..Characters::ANY })
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
}
