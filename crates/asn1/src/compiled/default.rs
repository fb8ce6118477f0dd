//! Defaults of components, as values.

use std::cell::RefCell;

use foldhash::HashSet;
use tam::{Error, ErrorKind, Limits};

use super::build::Builder;
use super::node::{Kind, NodeId, Presence};
use super::value::ValueBuilder;
use super::{Compiled, DefaultValue, fault};
use crate::event::{At, Sink};
use crate::notation::typed::names::Names;
use crate::per;
use crate::schema::Position;
use crate::values::{Filler, Values};
use crate::writer::Start;

/// The most rounds of encoding defaults. Each round settles one more level of defaults within defaults.
const ROUNDS: u32 = 12;

impl Builder<'_, '_> {
    /// Builds the values of the defaults in the notation.
    pub(super) fn build_defaults(&mut self) -> Result<(), Error> {
        let mut dropped = HashSet::default();
        self.out.defaults = self.defaults(&mut dropped)?;
        if !dropped.is_empty() {
            let members = self.out.records.iter_mut().flat_map(|record| &mut record.members);
            for member in members.filter(|one| matches!(one.presence, Presence::Default(n) if dropped.contains(&n))) {
                member.presence = Presence::Optional;
            }
        }
        Ok(())
    }

    /// `dropped` are those with a value of an open type whose type is not known: their components are only optional.
    fn defaults(&self, dropped: &mut HashSet<u32>) -> Result<Vec<DefaultValue>, Error> {
        let mut made = Vec::with_capacity(self.defaults.len());
        let mut left = self.most.defaults;
        let names = RefCell::new(Names::new(&self.out));
        for default in &self.defaults {
            let mut values = Values::new();
            let limits = Limits { units: (left / 9) as u32, ..Limits::DEFAULT };
            let mut filler = Filler::new(&self.out, limits, &mut values);
            let level = filler.root(default.node);
            let builder =
                ValueBuilder { types: &self.out, names: &names, scope: Some(self.scope), position: default.position };
            let at = At { level, index: 0 };
            let built = builder.build(&mut filler, at, default.node, default.module, default.value, 0);
            if let Err(error) = built {
                if !self.broken.contains_key(&default.node) && !self.has_open_type(default.node) {
                    return Err(error);
                }
                dropped.insert(made.len() as u32);
                made.push(DefaultValue { node: default.node, values: Values::new(), encoded: Vec::new() });
                continue;
            }
            values.shrink();
            let Some(rest) = left.checked_sub(values.memory()) else {
                let path = &self.out.node(default.node).name;
                let expected = tam::Words::AtMost(self.most.defaults as u64, "bytes of defaults");
                return Err(fault(ErrorKind::Limit, default.position, path, "more defaults", expected));
            };
            left = rest;
            made.push(DefaultValue { node: default.node, values, encoded: Vec::new() });
        }
        Ok(made)
    }
}

impl Builder<'_, '_> {
    /// Whether values of a type may contain values of open types.
    fn has_open_type(&self, node: NodeId) -> bool {
        let (mut waiting, mut met) = (vec![node], HashSet::default());
        while let Some(node) = waiting.pop() {
            if !met.insert(node) {
                continue;
            }
            match self.out.node(node).kind {
                Kind::Open(_) => return true,
                Kind::Record(number) => waiting.extend(self.out.record(number).members.iter().map(|one| one.node)),
                Kind::Choice(number) => waiting.extend(self.out.choice(number).alternatives.iter().map(|one| one.node)),
                Kind::Array(array) => waiting.push(array.item),
                _ => {}
            }
        }
        false
    }
}

impl Compiled {
    /// Encodes the defaults, so that equal values are recognized by their encoding. `positions` are for errors.
    pub(super) fn encode_defaults(&mut self, positions: &[Position]) -> Result<(), Error> {
        let depth = Limits::DEFAULT.depth;
        // A default within a default is left out once its own encoding is known.
        for _ in 0..ROUNDS {
            let mut changed = false;
            for number in 0..self.defaults.len() {
                if self.defaults.get(number).is_some_and(|default| default.values.memory() == 0) {
                    continue;
                }
                let value = self.default_value(number as u32);
                let (look, at) = value.source();
                let start = Start { at, node: value.node_id(), row: false };
                let mut encoded = Vec::new();
                per::write::<_, false>(&look, self, start, true, depth, &mut encoded).map_err(|error| {
                    let position = positions.get(number).copied().unwrap_or_default();
                    let path = &self.node(value.node_id()).name;
                    fault(error.kind(), position, path, error.found().clone(), error.expected().clone())
                })?;
                if let Some(default) = self.defaults.get_mut(number)
                    && default.encoded != encoded
                {
                    (default.encoded, changed) = (encoded, true);
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }
}
