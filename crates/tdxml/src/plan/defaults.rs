//! Defaults of attributes that a message leaves out.

use std::str::FromStr;

use serde_core::de::{self, Visitor};
use tam::Error;
use xml::number::integer;
use xml::white_space::trim;

use super::de_methods::{integers, simple, transparent};
use super::fields::{RecordPlan, Target};
use super::seen::NumberSet;
use super::value_de::{Word, from_base64};
use crate::schema::Record;

/// The defaults of a record being read. The type receives them after what the message has.
pub(super) struct Defaults<'p> {
    record: &'p Record,
    /// The attributes that have defaults, in order.
    attributes: &'p [u32],
    /// Which of them the message has.
    present: NumberSet,
    /// The index of the next attribute to check.
    next: usize,
}

impl<'p> Defaults<'p> {
    #[inline(always)]
    pub(super) fn new(record: &'p Record, plan: Option<&'p RecordPlan>) -> Defaults<'p> {
        Defaults { record, attributes: plan.map_or(&[], |plan| &plan.defaults), present: NumberSet::default(), next: 0 }
    }

    /// Records that the message has a member.
    #[inline(always)]
    pub(super) fn note(&mut self, target: Target) {
        if let Target::Attribute(number) = target
            && !self.attributes.is_empty()
            && let Ok(place) = self.attributes.binary_search(&number)
        {
            self.present.add(place);
        }
    }

    /// The next attribute that the message does not have, and its default.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(Target, &'p str)> {
        if self.next < self.attributes.len() { self.next_absent() } else { None }
    }

    #[cold]
    fn next_absent(&mut self) -> Option<(Target, &'p str)> {
        while let Some(number) = self.attributes.get(self.next).copied() {
            let is_present = self.present.has(self.next);
            self.next += 1;
            let default = self.record.attributes.get(number as usize).and_then(|one| one.default.as_deref());
            if let Some(default) = default.filter(|_| !is_present) {
                return Some((Target::Attribute(number), default));
            }
        }
        None
    }
}

/// A default of the schema, which is read like the value of a row.
pub(super) struct Supplied<'s>(pub(super) &'s str);

impl Supplied<'_> {
    /// Parses a text without surrounding white space, by one of XML Schema's rules.
    fn by<T>(&self, rule: impl Fn(&str) -> Option<T>, visitor: &dyn de::Expected) -> Result<T, Error> {
        rule(trim(self.0)).ok_or_else(|| self.other(visitor))
    }

    fn number<T: FromStr>(&self, visitor: &dyn de::Expected) -> Result<T, Error> {
        self.by(integer::<T>, visitor)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[cold]
    fn other(&self, visitor: &dyn de::Expected) -> Error {
        de::Error::invalid_value(de::Unexpected::Str(self.0), visitor)
    }

    fn octets<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match from_base64(self.0) {
            Some(octets) => visitor.visit_byte_buf(octets),
            None => Err(self.other(&visitor)),
        }
    }
}

impl<'de> de::Deserializer<'de> for Supplied<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(Word(trim(self.0)))
    }

    simple! {}
    integers! { number }
    serde_core::forward_to_deserialize_any! { char str string seq tuple tuple_struct map struct identifier }
}
