//! What readers accept although a schema says more about it.

use super::value::Value;
use super::walk::Walk;
use crate::Options;
use crate::compiled::{CONTENT, Kind, STRING};
use crate::event::Source;

/// What a reader accepted in a message although the schema says more about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accepted {
    /// Values that stay octets, because their type is not known: open types whose identifier the schema does not have, and
    /// alternatives and enumerations of later versions.
    pub unknown: Found,
    /// Strings that stay octets or bits: the schema says what they contain, and they are no encoding of that.
    pub undecoded: Found,
    /// Strings that contain a value for which other octets would have been written, by the rules of the message or by their
    /// own. They are written as they were read, but not by other rules.
    pub rewritten: Found,
    /// Components that have another value than the row of the table that relates them to others of their record (X.682
    /// clause 10): a criticality that is not the one of the identifier beside it.
    pub unlike_rows: Found,
}

/// How often something was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// How many.
    pub count: usize,
    /// The path of the first: `/list/0/id`. Empty if there is none, or if the value itself is it.
    pub first: String,
}

impl Found {
    fn add(&mut self, path: impl FnOnce() -> String) {
        if self.count == 0 {
            self.first = path();
        }
        self.count += 1;
    }
}

impl Value<'_> {
    /// What was accepted in this value, which was read with these options.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_asn1::{Compiled, Options, Values, read};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let types = Compiled::from_notation(
    ///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE OF CHOICE { a NULL, ... } END",
    /// )?;
    /// let mut values = Values::new();
    /// let value = read(&[0x01, 0x80, 0x01, 0x00], &types, types.find("T")?, &Options::uper(), &mut values)?;
    /// let unknown = value.accepted(&Options::uper()).unknown;
    /// assert_eq!((unknown.count, &unknown.first[..]), (1, "/0"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn accepted(self, options: &Options) -> Accepted {
        let (look, at) = self.source();
        let types = look.types;
        let (mut walk, mut accepted) = (Walk::new(look, at, self.node_id(), self.is_row()), Accepted::default());
        while let Some(met) = walk.next() {
            let mut alternative = 0;
            match types.node(met.node).kind {
                Kind::Record(number) => {
                    let record = Value::of_record(look, met.node, walk.level(met));
                    for member in types.broken_relations(number, record) {
                        let name = types.record(number).members.get(member as usize).map(|member| &member.name[..]);
                        accepted.unlike_rows.add(|| format!("{}/{}", walk.path(met), name.unwrap_or_default()));
                    }
                }
                Kind::Enumerated(_) if look.unknown(met.at, met.node).is_some() => {
                    accepted.unknown.add(|| walk.path(met));
                }
                Kind::Choice(number) => {
                    let index = look.choice(met.at, met.node).0;
                    if types.choice(number).alternatives.get(index as usize).is_none() {
                        accepted.unknown.add(|| walk.path(met));
                    }
                }
                Kind::Open(number) => {
                    let (open, (index, level)) = (types.open(number), look.choice(met.at, met.node));
                    alternative = index;
                    match index {
                        STRING if open.is_string() => {
                            let content = open.alternatives.first().map(|content| types.node(*content).kind);
                            let is_untyped = matches!(content, Some(Kind::Open(content))
                                if walk.keys.selects_untyped(types.open(content)));
                            if !is_untyped {
                                accepted.undecoded.add(|| walk.path(met));
                            }
                        }
                        CONTENT if open.is_string() && look.is_rewritten(level.cell_number(0), options) => {
                            accepted.rewritten.add(|| walk.path(met));
                        }
                        _ if open.alternatives.get(index as usize).is_none() => {
                            accepted.unknown.add(|| walk.path(met));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
            walk.enter(met, alternative);
        }
        accepted
    }
}
