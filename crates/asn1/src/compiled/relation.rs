//! Components that a table relates to others (X.682 clause 10): their value is that of the row that these select.

use std::cell::RefCell;

use foldhash::HashMap;
use tam::Error;

use super::build::Builder;
use super::expand::Row;
use super::scope::Definition;
use super::{Compiled, NodeId};
use crate::notation::typed::names::Names;
use crate::schema::{FieldRelation, Meaning};
use crate::values::Value;
use crate::{Options, write};

/// A component whose value is in a table.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    member: u32,
    /// The indexes that lead to the components that select the row.
    keys: Vec<Vec<u32>>,
    /// The value of each row by its keys, as canonical encodings; `None` if rows of the same keys have several.
    rows: HashMap<Vec<u8>, Option<Vec<u8>>>,
}

/// The keys of a row and its value, as canonical encodings.
type KeysAndValue = (Vec<u8>, Vec<u8>);

impl Relation {
    /// Whether a record has another value than the row that it selects.
    fn is_broken(&self, record: Value<'_>) -> bool {
        let Some(value) = record.member(self.member) else { return false };
        self.row(record).is_some_and(|row| encoded(value).is_some_and(|value| value != *row))
    }

    /// The value of the row that a record selects, if that has one.
    fn row(&self, record: Value<'_>) -> Option<&Vec<u8>> {
        let mut keys = Vec::new();
        for path in &self.keys {
            let mut key = Some(record);
            for index in path {
                key = key.and_then(|outer| match outer.chosen_place() {
                    Some((chosen, inner)) => (chosen == *index).then_some(inner),
                    None => outer.member(*index),
                });
            }
            push(&key.and_then(encoded)?, &mut keys);
        }
        self.rows.get(&keys)?.as_ref()
    }
}

/// The canonical encoding of a value, which equal values share.
fn encoded(value: Value<'_>) -> Option<Vec<u8>> {
    write(value, &Options::uper().with_canonical(true)).ok()
}

/// Appends a key, so that lists of keys differ if any of their keys do.
fn push(key: &[u8], keys: &mut Vec<u8>) {
    keys.extend_from_slice(&(key.len() as u64).to_be_bytes());
    keys.extend_from_slice(key);
}

impl Builder<'_, '_> {
    /// Makes the tables of the components that are related to others, once all types exist.
    pub(super) fn build_relations(&mut self) {
        self.out.relations = self.relations_by_record();
    }

    fn relations_by_record(&self) -> HashMap<u32, Vec<Relation>> {
        let mut all: HashMap<u32, Vec<Relation>> = HashMap::default();
        let names = RefCell::new(Names::new(&self.out));
        for (record, relation) in &self.relations {
            if let Some(made) = self.relation(*record, relation, &names) {
                all.entry(*record).or_default().push(made);
            }
        }
        all
    }

    fn relation<'n>(
        &'n self,
        record: u32,
        relation: &FieldRelation,
        names: &'n RefCell<Names<'n>>,
    ) -> Option<Relation> {
        let (member, node) = self.member_at(record, std::slice::from_ref(&relation.member))?;
        let keys: Vec<(Vec<u32>, NodeId)> =
            relation.keys.iter().map(|path| self.member_at(record, path)).collect::<Option<_>>()?;
        let mut rows: HashMap<Vec<u8>, Option<Vec<u8>>> = HashMap::default();
        for row in &self.scope.expanded()?.tables.get(relation.table)?.rows {
            // A row without a value, or with one of a missing module, asks for nothing.
            let Some((keys, value)) = self.related(row, &keys, node, names).ok().flatten() else { continue };
            rows.entry(keys)
                .and_modify(|other| *other = other.take().filter(|other| *other == value))
                .or_insert(Some(value));
        }
        Some(Relation { member: *member.first()?, keys: keys.into_iter().map(|(path, _)| path).collect(), rows })
    }

    /// The keys and the value of a row.
    fn related<'n>(
        &'n self,
        row: &Row,
        keys: &[(Vec<u32>, NodeId)],
        node: NodeId,
        names: &'n RefCell<Names<'n>>,
    ) -> Result<Option<KeysAndValue>, Error> {
        let of = |definition: Definition, node: NodeId| -> Result<Option<Vec<u8>>, Error> {
            let Some(assignment) = self.scope.assignment(definition) else { return Ok(None) };
            let Meaning::Value(_, value) = &assignment.meaning else { return Ok(None) };
            self.encoded(definition, node, value, assignment.position, names).map(Some)
        };
        let mut all = Vec::new();
        for (definition, (_, node)) in row.keys.iter().zip(keys) {
            let Some(key) = of(*definition, *node)? else { return Ok(None) };
            push(&key, &mut all);
        }
        let Some(value) = row.ty else { return Ok(None) };
        Ok(of(value, node)?.map(|value| (all, value)))
    }
}

impl Compiled {
    /// Whether tables relate components to each other.
    #[must_use]
    pub fn has_relations(&self) -> bool {
        !self.relations.is_empty()
    }

    /// The related components of a record with other values than the row that it selects.
    pub(crate) fn broken_relations(&self, number: u32, record: Value<'_>) -> impl Iterator<Item = u32> {
        let all = self.relations.get(&number).into_iter().flatten();
        all.filter(move |one| one.is_broken(record)).map(|one| one.member)
    }

    /// The related components of a record, and the canonical encodings of their values in the row that it selects.
    pub(crate) fn related(&self, number: u32, record: Value<'_>) -> Vec<(u32, Vec<u8>)> {
        let all = self.relations.get(&number).into_iter().flatten();
        all.filter_map(|one| Some((one.member, one.row(record)?.clone()))).collect()
    }
}
