//! Open types, and the tables that find the type of a value by the keys before it.

use foldhash::HashSet;
use tam::{Error, ErrorKind, Limits};

use super::build::Builder;
use super::node::{Kind, NodeId, Record};
use super::scope::Followed;
use super::value::{self, ValueBuilder};
use super::{Compiled, Unchecked, fault};
use crate::event::{At, Sink};
use crate::integer::Number;
use crate::keys::{Key, KeySink, simple_octets, unknown_by};
use crate::notation::typed::names::Names;
use crate::schema::{FieldKey, Meaning, Position};
use crate::values::{Filler, Values};
use crate::{EncodingRules, Options, per};

/// An open type (X.681 clause 14): a value of a type that other components select, or of any type.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Open {
    /// The types that its table has, each once.
    pub alternatives: Vec<NodeId>,
    /// The indexes of the alternatives in the order of the table.
    #[doc(hidden)]
    pub declared: Vec<u32>,
    /// The slots of the components that select one.
    pub(crate) keys: Vec<u32>,
    pub(crate) lookup: Lookup,
    /// For a string whose octets or bits are the encoding of a value: the string. Its alternatives are this value
    /// ([`CONTENT`]) and the string itself ([`STRING`]).
    pub(crate) string: Option<ContentString>,
}

/// A string with a contents constraint (X.682 clause 11).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContentString {
    /// Its type, as if there were no value in it.
    pub(crate) kind: Kind,
    /// The rules of its content, if they are not those of the string. Limits do not apply.
    pub(crate) rules: Option<Options>,
}

/// The alternative of a [`ContentString`] that is the value in it.
pub(crate) const CONTENT: u32 = 0;

/// The alternative of a [`ContentString`] that is a string of no such value.
pub(crate) const STRING: u32 = 1;

/// Finds a row by its keys.
#[derive(Clone, Debug, Default)]
pub(crate) enum Lookup {
    /// There is none.
    #[default]
    None,
    /// There is one row, without keys.
    Only,
    /// By a number from the first one on; [`NONE`] where there is no row.
    Dense(i64, Vec<u32>),
    /// By a number, sorted.
    Numbers(Vec<(i64, u32)>),
    /// By octets, sorted.
    Octets(Vec<(Vec<u8>, u32)>),
}

/// No row.
const NONE: u32 = u32::MAX;

/// A row without a type, or rows of several.
const UNTYPED: u32 = u32::MAX - 1;

/// The most numbers of a dense table that have no row, for each that has one.
const SPARSE: usize = 8;

impl Open {
    pub(crate) const ANY: Open =
        Open { alternatives: Vec::new(), declared: Vec::new(), keys: Vec::new(), lookup: Lookup::None, string: None };

    /// Whether it is an OCTET STRING or a BIT STRING with a contents constraint (X.682 clause 11). Its alternatives are
    /// the value in it, and the string, for octets or bits that are not the encoding of such a value.
    #[must_use]
    pub fn is_string(&self) -> bool {
        self.string.is_some()
    }

    /// Whether it is such a string whose content has rules of its own (`ENCODED BY`).
    pub(crate) fn is_encoded(&self) -> bool {
        self.string.is_some_and(|string| string.rules.is_some())
    }

    /// The slots of the components that select the type: those of [`Record::keys`].
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        &self.keys
    }

    /// The rows of the table that have one key: a number, an object identifier or another string; and the index of the
    /// alternative.
    #[must_use]
    pub fn rows(&self) -> Vec<(RowKey, u32)> {
        let number = |(number, row): (i64, u32)| (row < UNTYPED).then_some((RowKey::Number(number), row));
        match &self.lookup {
            Lookup::Dense(first, rows) => (*first..).zip(rows.iter().copied()).filter_map(number).collect(),
            Lookup::Numbers(rows) => rows.iter().copied().filter_map(number).collect(),
            Lookup::Octets(rows) if self.keys.len() == 1 => {
                let rows = rows.iter().filter(|(_, row)| *row < UNTYPED);
                rows.filter_map(|(key, row)| Some((RowKey::Octets(simple_octets(key)?.to_vec()), *row))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The index for octets by some rules, in the place of that of an alternative.
    #[doc(hidden)]
    #[must_use]
    pub fn undecoded(rules: EncodingRules) -> u32 {
        unknown_by(rules)
    }

    /// The only alternative, if there are no keys.
    pub(crate) fn only(&self) -> Option<u32> {
        matches!(self.lookup, Lookup::Only).then_some(0)
    }

    /// The row of a number: the index of its alternative, or [`UNTYPED`].
    #[inline]
    fn row_of_number(&self, number: i64) -> Option<u32> {
        match &self.lookup {
            Lookup::Dense(first, rows) => rows.get(usize::try_from(number.checked_sub(*first)?).ok()?).copied(),
            Lookup::Numbers(rows) => {
                let found = rows.binary_search_by_key(&number, |(number, _)| *number).ok()?;
                rows.get(found).map(|(_, row)| *row)
            }
            _ => None,
        }
    }

    /// The row of octets.
    fn row_of_octets(&self, octets: &[u8]) -> Option<u32> {
        let Lookup::Octets(rows) = &self.lookup else { return None };
        let found = rows.binary_search_by(|(own, _)| own[..].cmp(octets)).ok()?;
        rows.get(found).map(|(_, row)| *row)
    }

    /// The alternative for a number.
    #[inline]
    pub(crate) fn by_number(&self, number: i64) -> Option<u32> {
        self.row_of_number(number).filter(|row| *row < UNTYPED)
    }

    /// The alternative for octets.
    pub(crate) fn by_octets(&self, octets: &[u8]) -> Option<u32> {
        self.row_of_octets(octets).filter(|row| *row < UNTYPED)
    }

    /// Whether a key selects a row that does not say which type the value is of.
    pub(crate) fn is_untyped(&self, key: &Key) -> bool {
        let mut pushed = Vec::new();
        key.push(&mut pushed);
        let row = match key {
            Key::Number(number) => self.row_of_number(*number),
            _ => self.row_of_octets(&pushed),
        };
        row == Some(UNTYPED)
    }
}

/// The key of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowKey {
    /// A BOOLEAN, INTEGER or ENUMERATED.
    Number(i64),
    /// The octets of an OBJECT IDENTIFIER or of another string.
    Octets(Vec<u8>),
}

/// A component that selects rows of tables.
#[derive(Clone, Debug)]
pub(crate) struct RecordKey {
    /// The member that it is or is in.
    pub(crate) member: u32,
    /// The member, and the components in it that lead to the key.
    pub(crate) path: Vec<u32>,
    pub(crate) slot: u32,
    /// Whether an open type may come before it.
    pub(crate) late: bool,
}

impl Compiled {
    /// What a key of a record is in, looked for by the names of what is around it, and its type; `child` is what has a name in
    /// something else.
    pub(crate) fn find_key<T>(
        &self,
        record: &Record,
        key: &RecordKey,
        within: T,
        child: impl Fn(T, &str) -> Option<T>,
    ) -> Option<(T, NodeId)> {
        let member = record.members.get(key.member as usize)?;
        let (mut node, mut found) = (member.node, child(within, &member.name)?);
        for step in key.in_member() {
            let inner = match self.node(node).kind {
                Kind::Record(number) => {
                    self.record(number).members.get(*step as usize).map(|member| (&member.name, member.node))
                }
                Kind::Choice(number) => {
                    let alternative = self.choice(number).alternatives.get(*step as usize);
                    alternative.map(|alternative| (&alternative.name, alternative.node))
                }
                _ => None,
            };
            let Some((name, next)) = inner else { break };
            (node, found) = (next, child(found, name)?);
        }
        Some((found, node))
    }
}

impl RecordKey {
    /// The components that lead from the member to the key.
    pub(crate) fn in_member(&self) -> &[u32] {
        self.path.get(1..).unwrap_or_default()
    }
}

/// An open type whose table is made once all types exist.
pub(super) struct PendingOpen {
    /// Its number among all open types.
    place: u32,
    /// Its number in what has been expanded.
    number: u32,
    path: String,
    module: usize,
    position: Position,
}

/// A key that is found in its record once all types exist.
pub(super) struct PendingKey {
    pub(super) record: u32,
    pub(super) key: FieldKey,
}

impl<'s> Builder<'_, 's> {
    /// An open type, by its number in what has been expanded.
    pub(super) fn open(&mut self, number: u32, followed: &Followed<'s>, path: &str) -> Result<Kind, Error> {
        let scope = self.scope;
        let mut made = Open::default();
        if let Some(expanded) = scope.expanded()
            && let Some(open) = expanded.opens.get(number as usize)
        {
            made.keys.clone_from(&open.slots);
            if let Some(table) = open.table.and_then(|table| expanded.tables.get(table)) {
                for row in &table.rows {
                    if let Some(ty) = row.ty {
                        let node = self.named(ty)?;
                        made.alternatives.push(node);
                    }
                }
                let (mut declared, mut seen) = (made.alternatives.clone(), HashSet::default());
                declared.retain(|node| seen.insert(*node));
                made.alternatives.sort_unstable();
                made.alternatives.dedup();
                let index = |node: &NodeId| made.alternatives.binary_search(node).unwrap_or_default() as u32;
                made.declared = declared.iter().map(index).collect();
            }
        }
        let (path, position, place) = (path.to_owned(), followed.position, self.out.opens.len() as u32);
        self.opens.push(PendingOpen { place, number, path, module: followed.module, position });
        self.out.opens.push(made);
        Ok(Kind::Open(self.out.opens.len() as u32 - 1))
    }

    /// Finds the keys in their records, and makes the tables.
    pub(super) fn build_tables(&mut self) -> Result<(), Error> {
        let mut nodes: Vec<Option<NodeId>> = Vec::new();
        for pending in std::mem::take(&mut self.keys) {
            let Some((path, node)) = self.key_place(&pending) else { continue };
            let Some(member) = path.first().copied() else { continue };
            let slot = pending.key.slot as usize;
            nodes.resize(nodes.len().max(slot + 1), None);
            nodes[slot] = nodes[slot].or(Some(node));
            if let Some(record) = self.out.records.get_mut(pending.record as usize) {
                let late = record.may_come_before(&pending.key.user, member);
                record.keys.push(RecordKey { member, path, slot: pending.key.slot, late });
                record.keyed = true;
            }
        }
        for pending in std::mem::take(&mut self.opens) {
            let mut repeated = 0;
            let lookup = self.lookup(&pending, &nodes, &mut repeated)?;
            let PendingOpen { place, path, module, position, .. } = pending;
            if repeated > 0 {
                let (element, module) = ("identifier of several types", self.scope.module_name(module).to_owned());
                self.out.unchecked.push(Unchecked { element, path, module, position });
            }
            if let Some(open) = self.out.opens.get_mut(place as usize) {
                open.lookup = lookup;
            }
        }
        Ok(())
    }

    /// The indexes that lead to a key in its record, and its type.
    fn key_place(&self, pending: &PendingKey) -> Option<(Vec<u32>, NodeId)> {
        self.member_at(pending.record, &pending.key.path)
    }

    /// The indexes that lead to a component in a record, and its type.
    pub(super) fn member_at(&self, record: u32, path: &[String]) -> Option<(Vec<u32>, NodeId)> {
        let members = &self.out.record(record).members;
        let (first, rest) = path.split_first()?;
        let index = members.iter().position(|member| member.name == *first)?;
        let mut node = members.get(index)?.node;
        let mut path = vec![index as u32];
        for name in rest {
            let place = self.out.member(node, name)?;
            path.push(place.index);
            node = place.node;
        }
        Some((path, node))
    }

    fn lookup(&self, pending: &PendingOpen, nodes: &[Option<NodeId>], repeated: &mut usize) -> Result<Lookup, Error> {
        let open = self.out.open(pending.place);
        let Some(expanded) = self.scope.expanded() else { return Ok(Lookup::None) };
        let table = expanded.opens.get(pending.number as usize).and_then(|open| expanded.tables.get(open.table?));
        let Some(table) = table else { return Ok(Lookup::None) };
        if open.keys.is_empty() {
            return Ok(if open.alternatives.is_empty() { Lookup::None } else { Lookup::Only });
        }
        let keys: Option<Vec<NodeId>> =
            open.keys.iter().map(|slot| nodes.get(*slot as usize).copied().flatten()).collect();
        let Some(keys) = keys else { return Ok(Lookup::None) };
        let names = std::cell::RefCell::new(Names::new(&self.out));
        let (mut numbers, mut octets) = (Vec::new(), Vec::new());
        for row in &table.rows {
            let alternative = match row.ty.and_then(|ty| self.named.get(&ty)) {
                Some(node) => open.alternatives.binary_search(node).map_or(UNTYPED, |found| found as u32),
                None => UNTYPED,
            };
            let mut found = Vec::with_capacity(keys.len());
            for (definition, node) in row.keys.iter().zip(&keys) {
                found.push(self.key(*definition, *node, &names)?);
            }
            match &found[..] {
                // A key from a missing module.
                keys if keys.contains(&Key::Absent) => {}
                [Key::Number(number)] => numbers.push((*number, alternative)),
                found => {
                    let mut all = Vec::new();
                    found.iter().for_each(|key| key.push(&mut all));
                    octets.push((all, alternative));
                }
            }
        }
        Ok(if octets.is_empty() { by_number(numbers, repeated) } else { Lookup::Octets(unique(octets, repeated)) })
    }

    /// The canonical encoding of a value of the notation.
    pub(super) fn encoded<'n>(
        &'n self,
        definition: super::scope::Definition,
        node: NodeId,
        value: &crate::schema::Value,
        position: Position,
        names: &'n std::cell::RefCell<Names<'n>>,
    ) -> Result<Vec<u8>, Error> {
        let mut values = Values::new();
        let mut filler = Filler::new(&self.out, Limits::DEFAULT, &mut values);
        let level = filler.root(node);
        let builder = ValueBuilder { types: &self.out, names, scope: Some(self.scope), position };
        builder.build(&mut filler, At { level, index: 0 }, node, definition.0, value, 0)?;
        let options = Options::uper().with_canonical(true);
        crate::write(values.value(&self.out, node, b""), &options).map_err(|error| {
            let path = self.scope.path(definition);
            fault(ErrorKind::Schema, position, &path, error.found().clone(), error.expected().clone())
        })
    }

    /// The key that a value is.
    fn key<'n>(
        &'n self,
        definition: super::scope::Definition,
        node: NodeId,
        names: &'n std::cell::RefCell<Names<'n>>,
    ) -> Result<Key, Error> {
        if self.scope.error(definition).is_some() {
            return Ok(Key::Absent);
        }
        let missing = self.scope.count_missing();
        let Some(assignment) = self.scope.assignment(definition) else { return Ok(Key::Absent) };
        let Meaning::Value(_, value) = &assignment.meaning else { return Ok(Key::Absent) };
        if let Kind::Integer(_) = self.out.node(node).kind
            && let Ok(Some(Number::Small(number))) =
                value::number(self.scope, definition.0, None, value, assignment.position)
        {
            return Ok(Key::Number(number));
        }
        let encoded = self.encoded(definition, node, value, assignment.position, names);
        if self.scope.count_missing() > missing {
            return Ok(Key::Absent);
        }
        let encoded = encoded?;
        let mut sink = KeySink::new(&encoded, &[]);
        let walked = per::read::<_, false>(&encoded, &self.out, node, &Limits::DEFAULT, &mut sink);
        Ok(sink.key(&walked.map(|_| ())))
    }
}

/// A table by number.
fn by_number(mut rows: Vec<(i64, u32)>, repeated: &mut usize) -> Lookup {
    rows = unique(rows, repeated);
    let (Some((first, _)), Some((last, _))) = (rows.first(), rows.last()) else { return Lookup::None };
    let first = *first;
    match last.checked_sub(first) {
        Some(span) if (span as u64) < (rows.len() * SPARSE + 64) as u64 => {
            let mut dense = vec![NONE; span as usize + 1];
            rows.iter().for_each(|(number, row)| dense[(number - first) as usize] = *row);
            Lookup::Dense(first, dense)
        }
        _ => Lookup::Numbers(rows),
    }
}

/// Sorted rows with different keys. A key with several types has none; these are counted. An object without a type
/// leaves its key to another one.
fn unique<K: Ord>(mut rows: Vec<(K, u32)>, repeated: &mut usize) -> Vec<(K, u32)> {
    rows.sort_unstable();
    rows.dedup();
    let mut unique: Vec<(K, u32)> = Vec::with_capacity(rows.len());
    for (key, row) in rows {
        match unique.last_mut() {
            Some((last, other)) if *last == key => {
                if row != UNTYPED {
                    *other = UNTYPED;
                    *repeated += 1;
                }
            }
            _ => unique.push((key, row)),
        }
    }
    unique
}

impl Record {
    /// The components that select the types of open types: the indexes that lead to each, and its slot.
    pub fn keys(&self) -> impl Iterator<Item = (&[u32], u32)> {
        self.keys.iter().map(|key| (&key.path[..], key.slot))
    }

    /// Whether a component may come before a member, by any rules: additions are last in PER and OER but not in BER,
    /// where a SET has any order.
    fn may_come_before(&self, name: &str, member: u32) -> bool {
        let place = |index: u32| match &self.declared {
            Some(order) => order.iter().position(|other| *other == index),
            None => Some(index as usize),
        };
        let user = self.members.iter().position(|one| one.name == name).map(|user| user as u32);
        let before = |user| user < member || place(user) < place(member);
        self.set || member >= self.root || user.is_none_or(before)
    }
}

impl Compiled {
    /// Whether the type of an open type may be known.
    #[doc(hidden)]
    #[must_use]
    pub fn has_tables(&self) -> bool {
        self.opens.iter().any(|open| !open.is_string() && !open.alternatives.is_empty())
    }

    /// An open type by its number.
    #[inline(always)]
    #[must_use]
    pub fn open(&self, number: u32) -> &Open {
        const NONE: &Open = &Open::ANY;
        self.opens.get(number as usize).unwrap_or(NONE)
    }
}
