//! Defaults of components, as values.

use tam::{Error, Limits};

use super::build::Builder;
use super::value::Teller;
use super::{Compiled, DefaultValue};
use crate::event::{At, Sink};
use crate::values::{Filler, Values};

impl Builder<'_, '_> {
    /// Makes values of the defaults that the notation has.
    pub(super) fn tell_defaults(&mut self) -> Result<(), Error> {
        let mut made = Vec::with_capacity(self.defaults.len());
        for default in &self.defaults {
            let mut values = Values::new();
            let mut filler = Filler::new(&self.out, Limits::DEFAULT, &mut values);
            let level = filler.root(default.node);
            let teller = Teller { types: &self.out, scope: Some(self.scope), position: default.position };
            teller.tell(&mut filler, At { level, index: 0 }, default.node, default.module, default.value, 0)?;
            made.push(DefaultValue { node: default.node, values, encoded: Vec::new() });
        }
        self.out.defaults = made;
        Ok(())
    }
}

impl Compiled {
    /// Encodes the defaults, so that values equal to them are known by their encoding.
    pub(super) fn encode_defaults(&mut self) -> Result<(), Error> {
        let options = crate::Options::uper().with_canonical(true);
        for number in 0..self.defaults.len() {
            let mut encoded = Vec::new();
            crate::append(self.default_value(number as u32), &mut encoded, &options)?;
            if let Some(default) = self.defaults.get_mut(number) {
                default.encoded = encoded;
            }
        }
        Ok(())
    }
}
