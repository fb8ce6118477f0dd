//! The rows of a record.

use serde_core::de::value::{StrDeserializer, U64Deserializer};
use serde_core::de::{DeserializeSeed, IntoDeserializer, MapAccess};
use tam::Error;

use super::de::ElementRows;
use super::defaults::{Defaults, Supplied};
use super::fields::{Fields, NONE, RecordPlan, Target};
use super::scan::Scan;
use super::seen::NumberSet;
use super::value_de::Value;
use crate::place::syntax;
use crate::schema::{Element, Order, Record};

/// The member whose key a map has returned.
enum Pending<'p> {
    None,
    Value,
    Element(&'p Element, usize),
    Default(&'p str),
}

/// The rows of a record.
pub(super) struct Map<'a, 'de, 'p, 'f> {
    scan: &'a mut Scan<'de, 'p>,
    record: &'p Record,
    plan: Option<&'p RecordPlan>,
    start: usize,
    end: usize,
    fields: Option<&'f Fields>,
    /// The least order that the next row may have in a sequence.
    next: u32,
    /// The elements read so far, in a record with any order.
    elements: NumberSet,
    pending: Pending<'p>,
    defaults: Defaults<'p>,
}

impl<'a, 'de, 'p, 'f> Map<'a, 'de, 'p, 'f> {
    /// A record whose path is the text between two positions. One more level has been entered for it.
    #[inline(always)]
    pub(super) fn new(
        scan: &'a mut Scan<'de, 'p>,
        record: &'p Record,
        plan: Option<&'p RecordPlan>,
        (start, end): (usize, usize),
        fields: Option<&'f Fields>,
    ) -> Self {
        let defaults = Defaults::new(record, plan);
        let (elements, pending) = (NumberSet::default(), Pending::None);
        Map { scan, record, plan, start, end, fields, next: 0, elements, pending, defaults }
    }

    /// The target of the next row. For an attribute or text, path and number are consumed; for an element they are not.
    #[inline(always)]
    fn next(&mut self) -> Result<Option<Target>, Error> {
        loop {
            let scan = &mut *self.scan;
            if !scan.is_below(self.start, self.end) {
                if scan.byte(scan.at).is_none_or(|byte| byte == b'[') {
                    return Ok(None);
                }
                scan.space();
                if !scan.is_below(self.start, self.end) {
                    return Ok(None);
                }
            }
            let mark = scan.at + (self.end - self.start);
            let target = match scan.byte(mark) {
                Some(b'[') => {
                    let (number, end) = scan.bracketed(mark, b']')?;
                    let Some(element) = self.record.elements.get(number as usize) else {
                        return Err(scan.schema(
                            scan.at,
                            "an element that the schema does not have there",
                            "one it has",
                        ));
                    };
                    self.pending = Pending::Element(element, end);
                    Target::Element(number)
                }
                // What has no number has no field.
                Some(b'(') if scan.byte(mark + 1) == Some(b'*') => {
                    scan.at = mark + "(*)".len();
                    scan.row()?;
                    continue;
                }
                Some(b'(') => {
                    let (number, end) = scan.bracketed(mark, b')')?;
                    if number as usize >= self.record.attributes.len() {
                        let found = "an attribute that the schema does not have there";
                        return Err(scan.schema(scan.at, found, "one it has"));
                    }
                    scan.at = end;
                    self.pending = Pending::Value;
                    Target::Attribute(number)
                }
                _ => {
                    scan.at = mark;
                    self.pending = Pending::Value;
                    Target::Text
                }
            };
            let order = self.plan.map_or(0, |plan| plan.order(target));
            if self.next > order || self.record.order != Order::Sequence {
                self.other_order(target, order)?;
            }
            self.next = self.next.max(order + 1);
            if target == Target::Text && self.record.text.is_none() {
                // This row means that the element is present.
                let raw = self.scan.row()?;
                if !raw.text.is_empty() {
                    return Err(self.scan.schema(raw.at, "text in an element that has none", "no value"));
                }
                continue;
            }
            return Ok(Some(target));
        }
    }

    /// Checks a row that is not in the order of the schema.
    #[cold]
    fn other_order(&mut self, target: Target, order: u32) -> Result<(), Error> {
        let at = self.scan.at;
        let first_element = self.plan.map_or(0, |plan| plan.order(Target::Element(0)));
        let (may_come, found) = match (self.record.order, target) {
            (Order::Set, Target::Element(number)) => {
                let is_first = self.elements.add(number as usize);
                let repeated = self.record.elements.get(number as usize).is_some_and(|element| element.repeated);
                if !is_first && repeated {
                    let found = "rows of elements of one name that are not adjacent";
                    return Err(crate::place::unsupported(self.scan.base + at, found, "them together, for a type"));
                }
                (is_first, "an element a second time")
            }
            (Order::Choice, Target::Element(_)) => (self.next <= first_element, "a second alternative"),
            _ => (self.next <= order, "a row a second time, or after what follows it"),
        };
        if may_come { Ok(()) } else { Err(self.scan.schema(at, found, "rows in order")) }
    }

    /// Ends the record, which must have no more rows.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        self.scan.levels += 1;
        self.scan.space();
        match self.scan.is_below(self.start, self.end) {
            false => Ok(()),
            true => Err(self.scan.schema(self.scan.at, "a row more than the type takes", "rows in order")),
        }
    }

    fn name(&self, target: Target) -> &'p str {
        name(self.record, self.plan, target)
    }
}

/// The name of a field in a map.
pub(super) fn name<'p>(record: &'p Record, plan: Option<&'p RecordPlan>, target: Target) -> &'p str {
    match target {
        Target::Attribute(number) => {
            plan.and_then(|plan| plan.attribute_names.get(number as usize)).map_or("", String::as_str)
        }
        Target::Text => "$text",
        Target::Element(number) => record.elements.get(number as usize).map_or("", |element| &element.name),
    }
}

/// The number of a field for derived code, which ignores numbers without a field.
#[inline(always)]
pub(super) fn number(fields: &Fields, target: Target) -> u64 {
    let number = match target {
        Target::Attribute(number) => fields.attributes.get(number as usize).copied(),
        Target::Text => Some(fields.text),
        Target::Element(number) => fields.elements.get(number as usize).copied(),
    };
    match number.unwrap_or(NONE) {
        NONE => u64::MAX,
        number => number.into(),
    }
}

impl<'de> MapAccess<'de> for &mut Map<'_, 'de, '_, '_> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let target = match self.next()? {
            Some(target) => target,
            None => match self.defaults.next() {
                Some((target, default)) => {
                    self.pending = Pending::Default(default);
                    target
                }
                None => return Ok(None),
            },
        };
        self.defaults.note(target);
        match self.fields {
            Some(fields) => seed.deserialize(U64Deserializer::<Error>::new(number(fields, target))).map(Some),
            None => {
                let name: StrDeserializer<'_, Error> = self.name(target).into_deserializer();
                seed.deserialize(name).map(Some)
            }
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let start = self.scan.at;
        match std::mem::replace(&mut self.pending, Pending::None) {
            Pending::Value => {
                let raw = self.scan.row()?;
                seed.deserialize(Value::new(self.scan, raw))
            }
            Pending::Element(element, end) => seed.deserialize(ElementRows { scan: self.scan, element, start, end }),
            Pending::Default(text) => seed.deserialize(Supplied(text)),
            Pending::None => Err(syntax(self.scan.base + start, "a value without a key", "a key first")),
        }
    }
}
