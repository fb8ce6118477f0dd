//! Fills in components that tables relate to others (X.682 clause 10).

use tam::Error;

use super::fill::Filler;
use super::look::ValueReader;
use super::store::Level;
use super::value::Value;
use crate::compiled::{Kind, NodeId};
use crate::contents::{Content, Context};
use crate::event::{At, Source};
use crate::keys::Keys;
use crate::per;

impl Filler<'_> {
    /// Gives the components of a record that are there, and that a table relates to others, the values of the row that these
    /// select. What the values refer to is next to them.
    ///
    /// # Errors
    /// Beyond the limit.
    #[doc(hidden)]
    pub fn fill_related(&mut self, level: Level, node: NodeId) -> Result<(), Error> {
        let (types, limits) = (self.types, self.limits);
        let Kind::Record(number) = types.node(node).kind else { return Ok(()) };
        let look = ValueReader { types, values: self.values, message: b"" };
        for (index, octets) in types.related(number, Value::of_record(look, node, level)) {
            let at = At { level, index };
            let member = types.record(number).members.get(index as usize).map(|member| member.node);
            let look = ValueReader { types, values: self.values, message: b"" };
            let Some(member) = member.filter(|member| look.is_present(at, *member)) else { continue };
            let content = Content { octets: &octets, start: 0, bits: octets.len() as u64 * 8, lend: false };
            let mut context = Context { keys: &mut Keys::default(), levels: limits.depth, limits: &limits, nested: 0 };
            per::read_content::<_, false>(&content, types, (at, member), self, &mut context)?;
        }
        Ok(())
    }
}
