//! Defaults of components, as values.

use std::cell::RefCell;

use tam::{Error, ErrorKind, Limits};

use super::build::Builder;
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
        self.out.defaults = self.defaults()?;
        Ok(())
    }

    fn defaults(&self) -> Result<Vec<DefaultValue>, Error> {
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
            builder.build(&mut filler, At { level, index: 0 }, default.node, default.module, default.value, 0)?;
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

impl Compiled {
    /// Encodes the defaults, so that equal values are recognized by their encoding. `positions` are for errors.
    pub(super) fn encode_defaults(&mut self, positions: &[Position]) -> Result<(), Error> {
        let depth = Limits::DEFAULT.depth;
        // A default within a default is left out once its own encoding is known.
        for _ in 0..ROUNDS {
            let mut changed = false;
            for number in 0..self.defaults.len() {
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
