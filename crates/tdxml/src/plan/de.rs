//! Reads Rust types from the events of rows.

use serde_core::de::value::{StrDeserializer, U64Deserializer};
use serde_core::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use tam::{Error, Limits};

use super::fields::{Fields, NONE, RecordPlan};
use super::value_de::ValueDe;
use super::{LEVELS, Plan};
use crate::items::Class;
use crate::mime::Parts;
use crate::place::{schema, unsupported};
use crate::reader::moved;
use crate::row_reader::{Event, Raw, RowReader};
use crate::schema::{Builtin, Content, Element, Record, ValueType};
use crate::{FORMAT, escape};

/// Reads a value from the rows of a message of `len` bytes.
pub(super) fn read<'de, T: Deserialize<'de>>(
    plan: &Plan,
    (rows, base): (&'de str, usize),
    parts: &Parts<'de>,
    len: usize,
) -> Result<T, Error> {
    let mut reader = RowReader::new(&plan.schema, Limits::DEFAULT, len);
    reader.begin(rows, base, true)?;
    let mut cursor = Cursor { plan, reader, text: rows, parts, peeked: None, levels: LEVELS };
    let first = cursor.next()?;
    let value = T::deserialize(ElementDe { cursor: &mut cursor, first, is_item: false });
    let value = value.map_err(|error| match error.format() {
        "" => error.met_in(FORMAT, cursor.at() as u64),
        _ => error,
    })?;
    match cursor.next()? {
        Event::End => Ok(value),
        _ => Err(schema(cursor.at(), "a row beyond the type", "no more rows")),
    }
}

/// The events of a message, of which one may be looked at before it is taken.
pub(super) struct Cursor<'de, 'p> {
    plan: &'p Plan,
    reader: RowReader<'p>,
    text: &'de str,
    parts: &'p Parts<'de>,
    peeked: Option<Event<'de, 'p>>,
    /// The number of levels that may still be entered.
    levels: u32,
}

impl<'de, 'p> Cursor<'de, 'p> {
    #[inline]
    fn next(&mut self) -> Result<Event<'de, 'p>, Error> {
        match self.peeked.take() {
            Some(event) => Ok(event),
            None => self.reader.next(self.text),
        }
    }

    #[cold]
    fn at(&self) -> usize {
        self.reader.position()
    }

    #[inline]
    fn enter(&mut self) -> Result<(), Error> {
        self.levels = self
            .levels
            .checked_sub(1)
            .ok_or_else(|| Error::limit(FORMAT, self.at() as u64, "one more level", "depth", LEVELS.into()))?;
        Ok(())
    }

    /// The next event, if it is one more occurrence of an element.
    #[inline]
    fn occurrence(&mut self, number: u32) -> Result<Option<Event<'de, 'p>>, Error> {
        match self.next()? {
            event @ (Event::Open(_, step) | Event::Value(_, step, ..)) if step.number == number => Ok(Some(event)),
            other => {
                self.peeked = Some(other);
                Ok(None)
            }
        }
    }

    /// Passes over an element that the type has no field for. Its values are checked.
    fn skip(&mut self, first: Event<'de, 'p>) -> Result<(), Error> {
        let (mut depth, mut event) = (0, first);
        loop {
            match event {
                Event::Open(..) => depth += 1,
                Event::Close => depth -= 1,
                Event::Value(.., of, raw) | Event::Text(of, raw) => self.ignore(of, raw)?,
                Event::Attribute(attribute, raw) => self.ignore(attribute.value, raw)?,
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
            event = self.next()?;
        }
    }

    /// Checks a value that the type has no field for.
    fn ignore(&self, of: ValueType, raw: Raw<'de>) -> Result<(), Error> {
        self.value(of, raw)?.deserialize_ignored_any(de::IgnoredAny).map(drop)
    }

    /// A value, which must be one of its type in the schema.
    #[inline]
    fn value(&self, of: ValueType, raw: Raw<'de>) -> Result<ValueDe<'de, 'p>, Error> {
        if of.builtin == Builtin::OctetString {
            return Ok(ValueDe::Octets(raw, self.parts));
        }
        if of != ValueType::TEXT {
            self.check(of, raw)?;
        }
        Ok(ValueDe::Row(raw))
    }

    #[inline(never)]
    fn check(&self, of: ValueType, raw: Raw<'de>) -> Result<(), Error> {
        let text = if raw.escaped { escape::decode(raw.text) } else { Ok(raw.text.into()) };
        let text = text.map_err(|error| moved(error, raw.at()))?;
        match self.plan.schema.allows(of, &text) {
            true => Ok(()),
            false => {
                let found = format!("'{}'", tam::excerpt(&text).escape_debug());
                Err(schema(raw.at(), found, self.plan.schema.expected(of)))
            }
        }
    }
}

/// An element, of which the first event has been read.
struct ElementDe<'a, 'de, 'p> {
    cursor: &'a mut Cursor<'de, 'p>,
    first: Event<'de, 'p>,
    /// Whether it is one of the items of a sequence.
    is_item: bool,
}

impl<'de, 'p> ElementDe<'_, 'de, 'p> {
    fn element(&self) -> Option<&'p Element> {
        match self.first {
            Event::Open(element, _) | Event::Value(element, ..) => Some(element),
            _ => None,
        }
    }

    fn is_sequence(&self) -> bool {
        !self.is_item && self.element().is_some_and(|element| element.repeated)
    }

    /// A sequence needs a type for one.
    #[inline]
    fn single(&self) -> Result<(), Error> {
        match self.is_sequence() {
            true => Err(schema(self.cursor.at(), "an element that is repeated", "a type for a sequence of them")),
            false => Ok(()),
        }
    }

    /// Reads the value of the element, or the text of a record.
    #[inline]
    fn value(self) -> Result<ValueDe<'de, 'p>, Error> {
        self.single()?;
        if let Event::Value(.., of, raw) = self.first {
            return self.cursor.value(of, raw);
        }
        let mut found = (ValueType::TEXT, Raw::new("", self.cursor.at(), false));
        loop {
            match self.cursor.next()? {
                Event::Text(of, raw) => found = (of, raw),
                Event::Close => return self.cursor.value(found.0, found.1),
                Event::Open(..) | Event::Value(..) => {
                    return Err(schema(self.cursor.at(), "an element in a text", "text and attributes"));
                }
                _ => {}
            }
        }
    }

    #[inline]
    fn map<V: Visitor<'de>>(self, names: Option<&'static [&'static str]>, visitor: V) -> Result<V::Value, Error> {
        self.single()?;
        let cursor = self.cursor;
        let plan = cursor.plan;
        let content = match self.first {
            Event::Open(Element { content: Content::Record(id), .. }, _) => Content::Record(*id),
            _ => return Err(schema(cursor.at(), "an element that is a value", "one with attributes or elements")),
        };
        let (Some(record), Some(record_plan)) = (plan.schema.record(&content), plan.record(&content)) else {
            return Err(schema(cursor.at(), "an element that is a value", "one with attributes or elements"));
        };
        cursor.enter()?;
        let mut other = None;
        let fields = names.map(|names| record_plan.fields(names, record, &mut other));
        let seen = NumberSet::default();
        let mut map = Map { cursor, record, plan: record_plan, fields, pending: Pending::Nothing, seen, left: None };
        let value = visitor.visit_map(&mut map)?;
        if map.left.is_none() {
            loop {
                match map.cursor.next()? {
                    Event::Close => break,
                    Event::Rest(_) | Event::Default(..) => {}
                    _ => return Err(schema(map.cursor.at(), "a row more than the type takes", "rows in order")),
                }
            }
        }
        map.cursor.levels += 1;
        Ok(value)
    }
}

/// Methods that take simple values.
macro_rules! simple {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.value()?.$method(visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for ElementDe<'_, 'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.element().map(|element| element.content) {
            _ if self.is_sequence() => self.deserialize_seq(visitor),
            Some(Content::Record(_)) => self.map(None, visitor),
            _ => self.value()?.deserialize_any(visitor),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_item {
            return self.value()?.deserialize_seq(visitor);
        }
        let ElementDe { cursor, first, .. } = self;
        let (Event::Open(element, step) | Event::Value(element, step, ..)) = first else {
            return Err(schema(cursor.at(), "the end of the table", "an element"));
        };
        if !element.repeated {
            return Err(schema(cursor.at(), "an element that is not repeated", "one that is"));
        }
        if step.occurrence != 0 {
            let found = "rows of elements of one name that are not adjacent";
            return Err(unsupported(cursor.at(), found, "them together, for a type"));
        }
        cursor.enter()?;
        let value = visitor.visit_seq(Sequence { cursor: &mut *cursor, number: step.number, first: Some(first) })?;
        cursor.levels += 1;
        match cursor.occurrence(step.number)? {
            None => Ok(value),
            Some(_) => Err(schema(cursor.at(), "more rows than the type takes", "as many as it takes")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.map(Some(names), visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.map(None, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.element().map(|element| element.content) {
            // A choice has one member, the chosen alternative.
            Some(Content::Record(_)) => self.map(None, AsEnum(visitor)),
            _ => self.value()?.deserialize_enum(name, variants, visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.value()?.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = match self.first {
            Event::Open(_, step) | Event::Value(_, step, ..) if self.is_sequence() => step.number,
            _ => NONE,
        };
        self.cursor.skip(self.first)?;
        while let Some(next) = self.cursor.occurrence(number)? {
            self.cursor.skip(next)?;
        }
        visitor.visit_unit()
    }

    simple! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32
        deserialize_f64 deserialize_char deserialize_str deserialize_string deserialize_bytes
        deserialize_byte_buf deserialize_unit deserialize_identifier
    }
    tam::__transparent_de! {}
}

/// The occurrences of an element.
struct Sequence<'a, 'de, 'p> {
    cursor: &'a mut Cursor<'de, 'p>,
    number: u32,
    first: Option<Event<'de, 'p>>,
}

impl<'de> SeqAccess<'de> for Sequence<'_, 'de, '_> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let first = match self.first.take() {
            None => self.cursor.occurrence(self.number)?,
            first => first,
        };
        let Some(first) = first else { return Ok(None) };
        seed.deserialize(ElementDe { cursor: self.cursor, first, is_item: true }).map(Some)
    }
}

/// The member whose key a map has returned.
#[derive(Clone, Copy)]
enum Pending<'de, 'p> {
    Nothing,
    Value(ValueDe<'de, 'p>),
    Element(Event<'de, 'p>),
    /// Repeated elements, of which there are none.
    Absent,
}

/// The members of a record.
struct Map<'a, 'de, 'p, 'f> {
    cursor: &'a mut Cursor<'de, 'p>,
    record: &'p Record,
    plan: &'p RecordPlan,
    fields: Option<&'f Fields>,
    pending: Pending<'de, 'p>,
    /// The repeated elements so far.
    seen: NumberSet,
    /// Once the record has ended: the repeated elements of which it is not known whether there were any.
    left: Option<&'p [u32]>,
}

impl<'de> Map<'_, 'de, '_, '_> {
    /// The next member that is present.
    #[inline(always)]
    fn next(&mut self) -> Result<Option<(Class, u32)>, Error> {
        if self.cursor.peeked.is_none()
            && let Some((element, number, raw)) = self.cursor.reader.plain(self.cursor.text)
        {
            let of = if let Content::Value(of) = element.content { of } else { ValueType::TEXT };
            self.pending = Pending::Value(self.cursor.value(of, raw)?);
            return Ok(Some((Class::Element, number)));
        }
        self.next_event()
    }

    fn next_event(&mut self) -> Result<Option<(Class, u32)>, Error> {
        while self.left.is_none() {
            let event = self.cursor.next()?;
            match event {
                // What has no number has no field.
                Event::Rest(_) => {}
                Event::Attribute(attribute, raw) => {
                    self.pending = Pending::Value(self.cursor.value(attribute.value, raw)?);
                    return Ok(Some((Class::Attribute, attribute.number)));
                }
                Event::Default(attribute, default) => {
                    self.pending = Pending::Value(ValueDe::Default(default));
                    return Ok(Some((Class::Attribute, attribute.number)));
                }
                Event::Text(of, raw) => {
                    self.pending = Pending::Value(self.cursor.value(of, raw)?);
                    return Ok(Some((Class::Text, 0)));
                }
                Event::Value(element, step, of, raw) if !element.repeated => {
                    self.pending = Pending::Value(self.cursor.value(of, raw)?);
                    return Ok(Some((Class::Element, step.number)));
                }
                Event::Open(element, step) | Event::Value(element, step, ..) => {
                    if element.repeated {
                        self.seen.add(step.number as usize);
                    }
                    self.pending = Pending::Element(event);
                    return Ok(Some((Class::Element, step.number)));
                }
                Event::Close | Event::More | Event::End => {
                    // Maps have no members that are not there.
                    self.left = Some(if self.fields.is_some() { &self.plan.repeated } else { &[] });
                }
            }
        }
        while let Some(([number, ..], Some(fields))) = self.left.map(|left| (left, self.fields)) {
            self.left = self.left.and_then(|left| left.get(1..));
            let order = (Class::Element, *number);
            if fields.number(order) != NONE && !self.seen.has(*number as usize) {
                self.pending = Pending::Absent;
                return Ok(Some(order));
            }
        }
        Ok(None)
    }
}

impl<'de> MapAccess<'de> for &mut Map<'_, 'de, '_, '_> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(order) = self.next()? else { return Ok(None) };
        match self.fields {
            Some(fields) => {
                // Derived code ignores numbers without a field.
                let number = match fields.number(order) {
                    NONE => u64::MAX,
                    number => number.into(),
                };
                seed.deserialize(U64Deserializer::<Error>::new(number)).map(Some)
            }
            None => {
                let name: StrDeserializer<'_, Error> = self.plan.name(self.record, order).into_deserializer();
                seed.deserialize(name).map(Some)
            }
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        match self.pending {
            Pending::Value(value) => seed.deserialize(value),
            Pending::Element(first) => seed.deserialize(ElementDe { cursor: self.cursor, first, is_item: false }),
            Pending::Absent => seed.deserialize(NoItems),
            Pending::Nothing => Err(schema(self.cursor.at(), "a value without a key", "a key first")),
        }
    }
}

/// No elements, for the type of a sequence.
struct NoItems;

impl<'de> de::Deserializer<'de> for NoItems {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(de::value::SeqDeserializer::<_, Error>::new(std::iter::empty::<()>()))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    serde_core::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// A record of one member, as an enum.
struct AsEnum<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for AsEnum<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(de::value::MapAccessDeserializer::new(map))
    }
}

/// A set of small numbers: the first 64 need no heap.
#[derive(Default)]
struct NumberSet {
    first: u64,
    more: Vec<u64>,
}

impl NumberSet {
    #[inline]
    fn has(&self, number: usize) -> bool {
        let word = match number / 64 {
            0 => self.first,
            word => self.more.get(word - 1).copied().unwrap_or(0),
        };
        word >> (number % 64) & 1 == 1
    }

    /// Adds a number, which the schema bounds.
    #[inline]
    fn add(&mut self, number: usize) {
        let bit = 1 << (number % 64);
        match number / 64 {
            0 => self.first |= bit,
            word => {
                self.more.resize(self.more.len().max(word), 0);
                if let Some(place) = self.more.get_mut(word - 1) {
                    *place |= bit;
                }
            }
        }
    }
}
