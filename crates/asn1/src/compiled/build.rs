//! Converts the types of the notation to those of the codecs.
//!
//! Types wait in a queue, so that nothing recurses over their depth. A type that is only a name shares the node of its
//! definition, so that types may be recursive.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use tam::{Error, ErrorKind, Limits};

use super::constraint::{Domain, Reducer, Set};
use super::contents::PendingContent;
use super::decimal::{digits, is_decimal};
use super::expand::expand;
use super::float::float;
use super::interval::End;
use super::node::*;
use super::open::{PendingKey, PendingOpen};
use super::scope::{Definition, Followed, Scope};
use super::tags::tags;
use super::{Compiled, assigned, built_in, fault, text, time, value, within};
use crate::integer::Number;
use crate::per::Offset;
use crate::schema::{
    self, Constraint, Constraints, Element, Meaning, NamedNumber, Position, Schema, StringKind, Tag, Type, Value,
};

/// The most that the notation of a schema may expand to, from the limit `units`: short notation may expand to much.
pub(super) struct ExpansionLimits {
    /// Types, including nested ones, and components of all of them.
    pub(super) nodes: usize,
    /// Intervals and characters of alphabets, in total.
    stored: usize,
    /// Bytes of the defaults, in total.
    pub(super) defaults: usize,
}

impl ExpansionLimits {
    fn new(limits: &Limits) -> ExpansionLimits {
        let units = limits.units as usize;
        ExpansionLimits {
            nodes: units.min(1 << 22),
            stored: units.min(1 << 22),
            defaults: units.saturating_mul(9).min(1 << 26),
        }
    }
}

/// Compiles the named types and everything in them.
pub(super) fn compile(schema: &Schema, limits: &Limits) -> Result<Compiled, Error> {
    let built_in = built_in::module();
    let scope = Scope::new(schema, &built_in)?;
    let expanded = expand(&scope)?;
    let scope = scope.with(&expanded);
    let mut builder = Builder {
        scope: &scope,
        reducer: Reducer::new(&scope, limits.units as usize),
        most: ExpansionLimits::new(limits),
        out: Compiled::default(),
        queue: Vec::new(),
        named: HashMap::default(),
        inner: HashMap::default(),
        referred: HashMap::default(),
        components: 0,
        stored: 0,
        time_work: 0,
        enumerations: HashMap::default(),
        name_lists: HashMap::default(),
        records: HashMap::default(),
        choices: HashMap::default(),
        defaults: Vec::new(),
        opens: Vec::new(),
        keys: Vec::new(),
        contents: Vec::new(),
        relations: Vec::new(),
        broken: HashMap::default(),
        noted: HashSet::default(),
        positions: Positions::default(),
    };
    let names: Vec<Arc<str>> = schema.modules.iter().map(|module| module.name.as_str().into()).collect();
    let mut types = Vec::with_capacity(expanded.types.len());
    for definition in &expanded.types {
        types.push((*definition, builder.named(*definition)?));
    }
    while let Some(task) = builder.queue.pop() {
        let node = task.node;
        let (records, choices) = (builder.out.records.len() as u32, builder.out.choices.len() as u32);
        match builder.build(task) {
            Err(error) if scope.is_missing(&error) => {
                builder.records.retain(|_, number| *number < records);
                builder.choices.retain(|_, number| *number < choices);
                builder.broken.insert(node, error);
            }
            built => built?,
        }
    }
    builder.order_by_tag()?;
    builder.spread_broken();
    builder.close_broken_contents();
    for (definition, node) in types {
        let module = names.get(definition.0).cloned().unwrap_or_default();
        let place = schema.modules.get(definition.0).and_then(|module| module.assignments.get(definition.1));
        let name = place.map_or_else(String::new, |assignment| assignment.name.clone());
        let types = &mut builder.out;
        match builder.broken.get(&node) {
            Some(error) => types.refused.push((module, name, error.clone())),
            None => {
                types.by_name.entry(name.clone()).or_default().push(types.types.len());
                types.types.push((module, name, node));
            }
        }
    }
    // Without a type that can be used, the first error says why.
    if let (true, Some((.., error))) = (builder.out.types.is_empty(), builder.out.refused.first()) {
        return Err(error.clone());
    }
    assigned::check(&scope, &mut builder.reducer)?;
    builder.count_bits();
    builder.out.line_up_steps();
    builder.build_tables()?;
    builder.build_relations();
    builder.out.find_bare_choices();
    builder.out.use_texts();
    builder.build_defaults()?;
    let positions: Vec<Position> = builder.defaults.iter().map(|default| default.position).collect();
    let mut types = builder.out;
    types
        .unchecked
        .sort_by(|one, other| (&one.module, one.position.offset).cmp(&(&other.module, other.position.offset)));
    types.encode_defaults(&positions)?;
    Ok(types)
}

pub(super) struct Builder<'r, 's> {
    pub(super) scope: &'r Scope<'s>,
    reducer: Reducer<'r, 's>,
    pub(super) out: Compiled,
    pub(super) most: ExpansionLimits,
    queue: Vec<Task<'s>>,
    pub(super) named: HashMap<Definition, NodeId>,
    /// Nested types, by their position in the notation and their tag.
    inner: HashMap<(usize, Option<Tag>), NodeId>,
    /// The kinds of referenced types, by the positions of these and of their constraints.
    referred: HashMap<(usize, Vec<usize>), Kind>,
    /// Components of all SEQUENCEs and SETs, and intervals and characters, so far.
    pub(super) components: usize,
    stored: usize,
    /// The work done for the constraints of times.
    time_work: usize,
    /// Enumerations and lists of names, by their position in the notation.
    enumerations: HashMap<usize, u32>,
    name_lists: HashMap<usize, u32>,
    /// Records and choices, by the position of their braces.
    pub(super) records: HashMap<usize, u32>,
    pub(super) choices: HashMap<usize, u32>,
    pub(super) defaults: Vec<PendingDefault<'s>>,
    pub(super) opens: Vec<PendingOpen>,
    pub(super) keys: Vec<PendingKey>,
    pub(super) contents: Vec<PendingContent>,
    /// Components that tables relate to others, with the number of their record.
    pub(super) relations: Vec<(u32, &'s schema::FieldRelation)>,
    /// Types that use missing imports.
    pub(super) broken: HashMap<NodeId, Error>,
    /// Constraints that have been searched for unchecked elements, by their position in the notation.
    pub(super) noted: HashSet<usize>,
    pub(super) positions: Positions,
}

/// The positions of records and choices in the notation, for errors.
#[derive(Default)]
pub(super) struct Positions {
    pub(super) records: Vec<Place>,
    pub(super) choices: Vec<Place>,
}

/// The module of a type, and its position there.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) module: usize,
    pub(super) position: Position,
}

/// A default, which is built once all types exist.
pub(super) struct PendingDefault<'s> {
    pub(super) node: NodeId,
    pub(super) module: usize,
    pub(super) value: &'s Value,
    pub(super) position: Position,
}

/// A node to be made.
struct Task<'s> {
    node: NodeId,
    module: usize,
    ty: &'s Type,
    /// A constraint after the type, from a value set.
    constraint: Option<&'s schema::Constraint>,
    /// The tag from automatic tagging.
    tag: Option<Tag>,
}

impl<'s> Builder<'_, 's> {
    /// The node of a definition.
    pub(super) fn named(&mut self, definition: Definition) -> Result<NodeId, Error> {
        if let Some(node) = self.named.get(&definition) {
            return Ok(*node);
        }
        if let Some(error) = self.scope.error(definition) {
            let node = self.allocate(String::new(), Position::default())?;
            self.named.insert(definition, node);
            self.broken.insert(node, error.clone());
            return Ok(node);
        }
        let Some(assignment) = self.scope.assignment(definition) else { return Ok(NodeId(0)) };
        let (ty, constraint) = match &assignment.meaning {
            Meaning::Type(ty) => (ty, None),
            Meaning::ValueSet(ty, constraint) => (ty, Some(constraint)),
            Meaning::Value(..) | Meaning::Class(_) => {
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

    /// A node that is filled later.
    pub(super) fn allocate(&mut self, name: String, position: Position) -> Result<NodeId, Error> {
        if self.out.nodes.len() >= self.most.nodes {
            let expected = format!("at most {} (limit units)", self.most.nodes);
            return Err(fault(ErrorKind::Limit, position, "", "more types", expected));
        }
        let node = NodeId(self.out.nodes.len() as u32);
        self.out.nodes.push(Node { kind: Kind::Null, tags: Vec::new(), min_bits: 0, name });
        Ok(node)
    }

    /// The node of a nested type.
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
        // A type that contains itself with another tag or constraint would be made without end.
        let key = (std::ptr::from_ref(ty).addr(), tag);
        if let Some(node) = self.inner.get(&key) {
            return Ok(*node);
        }
        let node = self.allocate(name, ty.position)?;
        self.inner.insert(key, node);
        self.queue.push(Task { node, module, ty, constraint: None, tag });
        Ok(node)
    }

    /// Types that contain types that use missing imports use them as well.
    fn spread_broken(&mut self) {
        if self.broken.is_empty() {
            return;
        }
        let mut users: HashMap<NodeId, Vec<NodeId>> = HashMap::default();
        for number in 0..self.out.nodes.len() {
            let user = NodeId(number as u32);
            let mut uses = |node: NodeId| users.entry(node).or_default().push(user);
            match self.out.node(user).kind {
                Kind::Record(number) => self.out.record(number).members.iter().for_each(|one| uses(one.node)),
                Kind::Choice(number) => self.out.choice(number).alternatives.iter().for_each(|one| uses(one.node)),
                // A string can be read without its content.
                Kind::Open(number) if self.out.open(number).is_string() => {}
                Kind::Open(number) => self.out.open(number).alternatives.iter().for_each(|node| uses(*node)),
                Kind::Array(array) => uses(array.item),
                _ => {}
            }
        }
        let mut waiting: Vec<NodeId> = self.broken.keys().copied().collect();
        waiting.sort_unstable();
        while let Some(node) = waiting.pop() {
            let Some(error) = self.broken.get(&node).cloned() else { continue };
            for user in users.get(&node).into_iter().flatten() {
                if !self.broken.contains_key(user) {
                    self.broken.insert(*user, error.clone());
                    waiting.push(*user);
                }
            }
        }
    }

    fn build(&mut self, task: Task<'s>) -> Result<(), Error> {
        let path = self.out.node(task.node).name.clone();
        let mut followed = self.scope.follow(task.module, task.ty)?;
        followed.constraints.extend(task.constraint.map(|constraint| (task.module, constraint)));
        let kind = self.kind_of(&followed, &path)?;
        let tags = tags(&followed, task.tag);
        let constraints = || followed.constraints.iter().map(|(_, constraint)| *constraint);
        if kind == Kind::Real && is_decimal(constraints()) {
            let at = task.node.0 as usize;
            self.out.decimal.resize(self.out.decimal.len().max(at + 1), false);
            self.out.decimal[at] = true;
            self.out.decimal_digits.extend(digits(constraints()).map(|digits| (task.node, digits)));
        }
        if kind == Kind::Real
            && let Some(float) = float(constraints())
        {
            self.out.floats.insert(task.node, float);
        }
        if let Some(node) = self.out.nodes.get_mut(task.node.0 as usize) {
            (node.kind, node.tags) = (kind, tags);
        }
        Ok(())
    }

    /// The kind of a type; made once for many references.
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

    /// The same, with the paths of the type and of the content of its braces.
    fn kind(&mut self, followed: &Followed<'s>, path: &str, home: &str) -> Result<Kind, Error> {
        use schema::Kind as Notation;
        self.note_unchecked(followed, path)?;
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
                let names = self.names(followed.module, names, path, followed.position)?;
                self.string(followed, Kind::BitString(size, names), path)?
            }
            Notation::OctetString => {
                let size = self.size(followed, path)?;
                self.string(followed, Kind::OctetString(size), path)?
            }
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
            Notation::Open(number) => self.open(*number, followed, path)?,
            Notation::SequenceOf(item) | Notation::SetOf(item) => {
                let set = matches!(followed.kind, Notation::SetOf(_));
                let size = self.size(followed, path)?;
                let name = self.item_name(followed.module, item)?;
                let nullable = item.kind == schema::ComponentKind::Optional;
                let item = self.inner(followed.module, &item.ty, None, within(home, "item"))?;
                Kind::Array(Array { item, size, set, nullable, name })
            }
            Notation::Other(word) => {
                let expected = "a type that the codecs carry";
                return Err(fault(ErrorKind::Unsupported, followed.position, path, *word, expected));
            }
            // References and selections have been resolved.
            _ => Kind::Null,
        })
    }

    /// The name that a component of a SEQUENCE OF has in XML: its identifier, or that of its type (X.680 clause 26.5).
    fn item_name(&mut self, module: usize, item: &'s schema::Component) -> Result<u32, Error> {
        let name = match &item.ty.kind {
            _ if !item.name.is_empty() => item.name.clone(),
            schema::Kind::Reference { module: of, name } => {
                let definition = self.scope.find(module, of.as_deref(), name, item.ty.position)?;
                self.scope.assignment(definition).map_or_else(String::new, |found| found.name.clone())
            }
            _ => return Ok(u32::MAX),
        };
        self.out.element_names.push(name);
        Ok(self.out.element_names.len() as u32 - 1)
    }

    fn integer(&mut self, followed: &Followed<'s>, names: &'s [NamedNumber], path: &str) -> Result<Integer, Error> {
        let set = self.reducer.reduce(&followed.constraints, Domain::Number, Some((followed.module, names)))?;
        let names = self.names(followed.module, names, path, followed.position)?;
        let (lower, upper) = self.bounds(&set, followed, path)?;
        let (lower, upper) = (lower.number(), upper.number());
        let range = match (lower, upper) {
            (None, _) => Range::Unconstrained,
            (Some(Number::Small(lower)), None) => Range::SemiConstrained(*lower),
            (Some(lower), upper) => {
                let wide = Wide::new(lower.clone(), upper.cloned());
                match (&wide.lower, wide.offset) {
                    (Number::Small(lower), Some(Offset::Short(span))) => Range::Constrained(*lower, span),
                    _ => {
                        self.out.wide.push(wide);
                        Range::Wide(self.out.wide.len() as u32 - 1)
                    }
                }
            }
        };
        let intervals = match range {
            // PER does not see a sole upper bound.
            Range::Unconstrained if upper.is_some() => Some(self.push_intervals(&set, followed, path)?),
            _ => self.intervals(&set, followed, path)?,
        };
        Ok(Integer { range, extensible: set.extensible, intervals, names })
    }

    /// The least and the greatest number visible to PER.
    fn bounds<'e>(&self, set: &'e Set, followed: &Followed<'s>, path: &str) -> Result<(&'e End, &'e End), Error> {
        set.visible.bounds().filter(|_| set.root.bounds().is_some()).ok_or_else(|| {
            fault(ErrorKind::Schema, followed.position, path, "a constraint that allows nothing", "at least one value")
        })
    }

    /// The intervals of a root that has gaps, or that is not completely visible to PER.
    fn intervals(&mut self, set: &Set, followed: &Followed<'s>, path: &str) -> Result<Option<u32>, Error> {
        let visible = set.visible.bounds();
        let is_whole = match (visible, set.root.as_slice()) {
            (Some(visible), [(lower, upper)]) => visible == (lower, upper),
            (visible, _) => visible.is_none(),
        };
        if !set.seen || is_whole { Ok(None) } else { self.push_intervals(set, followed, path).map(Some) }
    }

    /// Stores the intervals of a root.
    fn push_intervals(&mut self, set: &Set, followed: &Followed<'s>, path: &str) -> Result<u32, Error> {
        self.store(set.root.as_slice().len(), followed, path)?;
        self.out.intervals.push(set.root.clone());
        Ok(self.out.intervals.len() as u32 - 1)
    }

    /// Counts intervals or characters that are stored.
    fn store(&mut self, count: usize, followed: &Followed<'s>, path: &str) -> Result<(), Error> {
        self.stored += count;
        if self.stored > self.most.stored {
            let expected = format!("at most {} of all types (limit units)", self.most.stored);
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
        // No message has 2^63 of anything.
        let end = |end: &End| match end.to_nearest_i64() {
            i64::MAX => u64::MAX,
            size => size.max(0) as u64,
        };
        let (lower, upper) = (end(lower), end(upper));
        let intervals = self.intervals(&set, followed, path)?;
        Ok(Size { lower, upper, extensible: set.extensible, intervals })
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
            let found = "an empty alphabet";
            return Err(fault(ErrorKind::Schema, followed.position, path, found, "at least one character"));
        }
        let known_multiplier = text::known_multiplier(kind, &alphabet.visible);
        let index = known_multiplier.as_ref().and_then(|known| known.index.as_ref()).map_or(0, Vec::len);
        self.store(alphabet.root.as_slice().len() + index, followed, path)?;
        let checked = alphabet.seen.then(|| {
            self.out.intervals.push(alphabet.root.clone());
            self.out.intervals.len() as u32 - 1
        });
        let within = alphabet.root.bounds().is_some_and(|(lower, upper)| *lower >= 0.into() && *upper < 0x80.into());
        let table = checked.map(|_| Box::new(Ascii::new(|byte| alphabet.root.contains(i64::from(byte)))));
        let (ascii, among) = if within { (table, None) } else { (None, table) };
        let wider = alphabet.visible != alphabet.root;
        let user_defined = self.user_defined(followed)?;
        self.store(user_defined.map_or(0, str::len), followed, path)?;
        let (plain, time, user_defined) = (None, None, user_defined.map(Box::from));
        let alphabet = checked;
        Ok(Characters { kind, size, known_multiplier, alphabet, ascii, among, wider, plain, time, user_defined }
            .plain())
    }

    /// The text of the last `CONSTRAINED BY` of a type, which may be in a type that its constraint includes.
    fn user_defined(&self, followed: &Followed<'s>) -> Result<Option<&'s str>, Error> {
        for (module, constraint) in followed.constraints.iter().rev() {
            let found = match only_element(constraint) {
                Some(Element::UserDefined(text)) => Some(&text[..]),
                Some(Element::Contained(ty)) => {
                    let included = self.scope.follow(*module, ty)?.constraints;
                    included.iter().rev().find_map(|(_, constraint)| match only_element(constraint) {
                        Some(Element::UserDefined(text)) => Some(&text[..]),
                        _ => None,
                    })
                }
                _ => None,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// TIME, DATE, TIME-OF-DAY, DATE-TIME, DURATION.
    fn time(&mut self, followed: &Followed<'s>, kind: StringKind, path: &str) -> Result<Characters, Error> {
        let (reducer, work) = (&mut self.reducer, &mut self.time_work);
        let time = time::Reduction { reducer, work, path, own_work: 0 }.time(followed, kind)?;
        Ok(Characters { kind, time: Some(Box::new(time)), ..Characters::ANY })
    }

    /// Named numbers; `None` if there are none.
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

/// The element of a constraint that has no others.
fn only_element(constraint: &Constraint) -> Option<&Element> {
    match &constraint.root {
        Constraints::Element(element) => Some(element),
        _ => None,
    }
}
