//! Rows into Rust's types.

use serde_core::de::value::{StrDeserializer, U64Deserializer};
use serde_core::de::{self, Deserialize, DeserializeSeed, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use tam::Error;

use super::Plan;
use super::cells::{Cells, Occurrences};
use super::columns::{Group, LEVELS};
use super::defaults::Defaults;
use super::fields::{Fields, NONE, Target};
use super::scan::{Raw, Scan};
use super::seen::Seen;
use super::value_de::Value;
use crate::group::Groups;
use crate::mime::Parts;
use crate::place::syntax;
use crate::schema::{Content, Element, Order, Record};

/// Reads a value from the rows of a message.
pub(super) fn read<'de, T: Deserialize<'de>>(
    plan: &Plan,
    rows: &'de str,
    base: usize,
    parts: &Parts<'de>,
) -> Result<T, Error> {
    let mut scan = Scan { plan, text: rows, at: 0, base, parts, levels: LEVELS, returns: returns(rows, base)? };
    scan.space();
    let root = &plan.schema.root;
    if scan.byte(scan.at) != Some(b'[') {
        return Err(scan.syntax("the path of a row: '['"));
    }
    let start = scan.at;
    let (number, end) = scan.bracketed(start, b']')?;
    if number != 0 {
        return Err(scan.schema(start, "another root element", "[0]"));
    }
    let value = T::deserialize(At { scan: &mut scan, element: root, start, end });
    let value = value.map_err(|error| match error.format() {
        "" => error.met_in(crate::FORMAT, (base + scan.at) as u64),
        _ => error,
    })?;
    scan.space();
    if scan.at < rows.len() {
        return Err(scan.schema(scan.at, "a row behind what follows it, or beyond the type", "rows in order"));
    }
    Ok(value)
}

/// Whether lines end with carriage returns and line feeds; an error where a carriage return stands elsewhere.
fn returns(rows: &str, base: usize) -> Result<bool, Error> {
    let mut found = false;
    for at in memchr::memchr_iter(b'\r', rows.as_bytes()) {
        found = true;
        if rows.as_bytes().get(at + 1).is_some_and(|next| *next != b'\n') {
            return Err(crate::reader::lone_return(base + at));
        }
    }
    Ok(found)
}

/// An element whose rows come next: its path up to its number stands between two places.
struct At<'a, 'de, 'p> {
    scan: &'a mut Scan<'de, 'p>,
    element: &'p Element,
    start: usize,
    end: usize,
}

impl<'a, 'de, 'p> At<'a, 'de, 'p> {
    /// The element, one of a kind. Of one that is repeated, the first, and no other may come.
    #[inline(always)]
    fn single(self) -> Result<One<'a, 'de, 'p>, Error> {
        if self.element.repeated {
            return Err(self.scan.schema(self.start, "an element that is repeated", "a type for a sequence of them"));
        }
        Ok(One { scan: self.scan, content: self.element.content, start: self.start, end: self.end })
    }
}

macro_rules! forward {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.single()?.$method(visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for At<'_, 'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.element.repeated { self.deserialize_seq(visitor) } else { self.single()?.deserialize_any(visitor) }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if !self.element.repeated {
            return Err(self.scan.schema(self.start, "an element that is not repeated", "one that is"));
        }
        let At { scan, element, start, end } = self;
        scan.enter()?;
        let value = visitor.visit_seq(Sequence { scan, element, start, end, next: 0, group: None })?;
        scan.levels += 1;
        Ok(value)
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
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.single()?.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.single()?.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.single()?.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        skip(self.scan, self.start, self.end, self.element.repeated)?;
        visitor.visit_unit()
    }

    forward! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32
        deserialize_f64 deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
        deserialize_unit deserialize_map deserialize_identifier
    }
}

/// Passes over the rows of an element.
fn skip(scan: &mut Scan<'_, '_>, start: usize, end: usize, repeated: bool) -> Result<(), Error> {
    let (path, mut in_group) = (scan.text.get(start..end).unwrap_or_default(), false);
    while scan.at < scan.text.len() {
        let before = scan.at;
        let line = scan.next_line();
        if let Some(after) = line.strip_prefix(path)
            && (repeated || !after.starts_with(|c: char| c.is_ascii_digit()))
        {
            in_group = line.ends_with('}') && !line.contains('|');
        } else if !in_group || line.starts_with('[') {
            scan.at = before;
            return Ok(());
        }
    }
    Ok(())
}

/// The occurrences of an element, in rows or in groups.
struct Sequence<'a, 'de, 'p> {
    scan: &'a mut Scan<'de, 'p>,
    element: &'p Element,
    start: usize,
    end: usize,
    next: u32,
    /// The group whose rows are being read.
    group: Option<Rows<'p>>,
}

/// The columns of a group: as the plan has them, or as a head told them.
enum Rows<'p> {
    Known(&'p super::columns::Node),
    Told(Box<super::columns::Node>),
}

impl<'de> SeqAccess<'de> for Sequence<'_, 'de, '_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if self.group.is_some() {
            if self.scan.at < self.scan.text.len() && self.scan.byte(self.scan.at) != Some(b'[') {
                return self.cells(seed);
            }
            self.group = None;
        }
        self.scan.space();
        let (start, end) = (self.start, self.end);
        let row = self.scan.at;
        let path = self.scan.text.as_bytes().get(start..end).unwrap_or_default();
        let len = end - start;
        if self.scan.text.as_bytes().get(row..row + len) != Some(path) {
            return Ok(None);
        }
        let Some(b'0'..=b'9') = self.scan.byte(row + len) else {
            return Err(self.scan.schema(row, "a path without the number of an occurrence", "one"));
        };
        let (occurrence, after) = self.scan.number(row + len)?;
        if occurrence != self.next {
            return Err(self.scan.schema(row, "another occurrence", "the next one: rows in order, each once"));
        }
        if self.scan.byte(after) == Some(b'{') {
            self.head(after)?;
            if matches!(self.scan.byte(self.scan.at), None | Some(b'[')) {
                return Err(self.scan.syntax("a row of the group"));
            }
            return self.cells(seed);
        }
        self.next += 1;
        let one = One { scan: self.scan, content: self.element.content, start: row, end: after };
        seed.deserialize(one).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        None
    }
}

impl<'de> Sequence<'_, 'de, '_> {
    /// The head of a group, whose columns stand at a place.
    fn head(&mut self, at: usize) -> Result<(), Error> {
        let plan = self.scan.plan;
        let known = plan.group(self.element);
        if let Some(Group { columns, node }) = known
            && self.scan.text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(columns))
        {
            self.scan.at = at + columns.len();
            self.group = Some(Rows::Known(node));
            return Ok(());
        }
        self.scan.at = at;
        let end = at + self.scan.next_line().len();
        let line = self.scan.text.get(..end).unwrap_or_default();
        let groups = Groups::read(line, at, self.scan.base, LEVELS)?;
        let node = Group::read(&plan.schema, self.element, &groups, self.scan.base + at)?;
        self.group = Some(Rows::Told(Box::new(node)));
        Ok(())
    }

    fn cells<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        self.next += 1;
        let node = match &self.group {
            Some(Rows::Known(node)) => node,
            Some(Rows::Told(node)) => &**node,
            None => return Ok(None),
        };
        seed.deserialize(Cells { scan: self.scan, node, is_row: true }).map(Some)
    }
}

/// One element in rows of its own, whose path stands between two places.
struct One<'a, 'de, 'p> {
    scan: &'a mut Scan<'de, 'p>,
    content: Content,
    start: usize,
    end: usize,
}

impl<'de, 'p> One<'_, 'de, 'p> {
    /// The value of the element; of a record, its text.
    #[inline(always)]
    fn value(self) -> Result<Value<'de, 'p>, Error> {
        let One { scan, content, start, end } = self;
        if let Content::Record(_) = content {
            return text(scan, start, end);
        }
        // Its row is the one that the path was read in.
        if scan.at != start {
            return Err(scan.syntax("a row of the element"));
        }
        scan.at = end;
        if matches!(scan.byte(scan.at), Some(b'[' | b'(')) {
            return Err(scan.schema(scan.at, "an element or attribute in a value", "none"));
        }
        let raw = scan.row()?;
        Ok(Value::new(scan, raw))
    }

    fn record(&self) -> Result<&'p Record, Error> {
        self.scan.plan.schema.record(&self.content).ok_or_else(|| {
            self.scan.schema(self.start, "an element that is a value", "one with attributes or elements")
        })
    }

    #[inline(always)]
    fn map<V: Visitor<'de>>(self, fields: Option<&Fields>, visitor: V) -> Result<V::Value, Error> {
        let record = self.record()?;
        let One { scan, content, start, end } = self;
        scan.enter()?;
        let plan = scan.plan.record(&content);
        let mut map = Map {
            scan,
            record,
            plan,
            start,
            end,
            fields,
            next: 0,
            elements: Seen::default(),
            pending: Pending::None,
            defaults: Defaults::new(record, plan),
        };
        let value = visitor.visit_map(&mut map)?;
        map.end()?;
        map.scan.levels += 1;
        Ok(value)
    }
}

/// The text of a record where a type asks for a value alone.
#[cold]
fn text<'de, 'p>(scan: &mut Scan<'de, 'p>, start: usize, end: usize) -> Result<Value<'de, 'p>, Error> {
    let mut found = Raw { text: "", at: scan.at, escaped: false };
    while scan.is_below(start, end) {
        let path = scan.at;
        scan.at += end - start;
        let mark = scan.byte(scan.at);
        if mark == Some(b'[') {
            scan.at = path;
            return Err(scan.schema(path, "an element in what is read as text", "text and attributes"));
        }
        if mark == Some(b'(') {
            (_, scan.at) = scan.bracketed(scan.at, b')')?;
            scan.row()?;
        } else {
            found = scan.row()?;
        }
        scan.space();
    }
    Ok(Value::new(scan, found))
}

macro_rules! value {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.value()?.$method(visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for One<'_, 'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.content {
            Content::Value(_) => self.value()?.deserialize_any(visitor),
            Content::Record(_) => self.map(None, visitor),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let record = self.record()?;
        let mut other = None;
        let fields = self.scan.plan.record(&self.content).map(|plan| plan.fields(names, record, &mut other));
        self.map(fields, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.map(None, visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.value()?.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.content {
            Content::Value(_) => self.value()?.deserialize_enum(name, variants, visitor),
            // The one alternative is the one member.
            Content::Record(_) => self.map(None, AsEnum(visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        skip(self.scan, self.start, self.end, false)?;
        visitor.visit_unit()
    }

    value! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32
        deserialize_f64 deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
        deserialize_unit deserialize_identifier deserialize_seq
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.value()?.deserialize_any(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.value()?.deserialize_any(visitor)
    }
}

/// A record of one member as an enum.
pub(super) struct AsEnum<V>(pub(super) V);

impl<'de, V: Visitor<'de>> Visitor<'de> for AsEnum<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(de::value::MapAccessDeserializer::new(map))
    }
}

/// What a map has given the key of.
enum Pending<'p> {
    None,
    Value,
    Element(&'p Element, usize),
    Default(&'p str),
}

/// The rows of a record.
struct Map<'a, 'de, 'p, 'f> {
    scan: &'a mut Scan<'de, 'p>,
    record: &'p Record,
    plan: Option<&'p super::RecordPlan>,
    start: usize,
    end: usize,
    fields: Option<&'f Fields>,
    /// The least order that the next row may have in a sequence.
    next: u32,
    /// The elements that have come, of a record in any order.
    elements: Seen,
    pending: Pending<'p>,
    defaults: Defaults<'p>,
}

impl<'de, 'p> Map<'_, 'de, 'p, '_> {
    /// The next row of the record: what it is of. Path and number are taken; of an element they are not.
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
                // It says that the element is there.
                let raw = self.scan.row()?;
                if !raw.text.is_empty() {
                    return Err(self.scan.schema(raw.at, "text in an element that has none", "no value"));
                }
                continue;
            }
            return Ok(Some(target));
        }
    }

    /// Whether a row may come that does not come in the order of the schema.
    #[cold]
    fn other_order(&mut self, target: Target, order: u32) -> Result<(), Error> {
        let at = self.scan.at;
        let first_element = self.plan.map_or(0, |plan| plan.order(Target::Element(0)));
        let (may_come, found) = match (self.record.order, target) {
            (Order::Set, Target::Element(number)) => {
                let is_first = self.elements.add(number as usize);
                let repeated = self.record.elements.get(number as usize).is_some_and(|element| element.repeated);
                if !is_first && repeated {
                    let found = "rows of elements of a name that stand apart from each other";
                    return Err(crate::place::unsupported(self.scan.base + at, found, "them together, for a type"));
                }
                (is_first, "an element a second time")
            }
            (Order::Choice, Target::Element(_)) => (self.next <= first_element, "a second alternative"),
            _ => (self.next <= order, "a row a second time, or behind what follows it"),
        };
        if may_come { Ok(()) } else { Err(self.scan.schema(at, found, "rows in order")) }
    }

    fn end(&mut self) -> Result<(), Error> {
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

/// What a field is called in a map.
pub(super) fn name<'p>(record: &'p Record, plan: Option<&'p super::RecordPlan>, target: Target) -> &'p str {
    match target {
        Target::Attribute(number) => {
            plan.and_then(|plan| plan.attribute_names.get(number as usize)).map_or("", String::as_str)
        }
        Target::Text => "$text",
        Target::Element(number) => record.elements.get(number as usize).map_or("", |element| &element.name),
    }
}

/// The number of a field, as derived code takes it; one that no field has is passed over.
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
            Pending::Element(element, end) => seed.deserialize(At { scan: self.scan, element, start, end }),
            Pending::Default(text) => {
                let text: StrDeserializer<'_, Error> = text.into_deserializer();
                seed.deserialize(Supplied(text))
            }
            Pending::None => Err(syntax(self.scan.base + start, "a value without a key", "a key first")),
        }
    }
}

/// A default of the schema, which is not in the message.
pub(super) struct Supplied<'s>(pub(super) StrDeserializer<'s, Error>);

macro_rules! parsed {
    ($($method:ident => $visit:ident: $type:ty),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let text = String::deserialize(self.0)?;
            match text.trim().parse::<$type>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(de::Error::invalid_value(de::Unexpected::Str(&text), &visitor)),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Supplied<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = String::deserialize(self.0)?;
        match text.trim() {
            "true" | "1" => visitor.visit_bool(true),
            "false" | "0" => visitor.visit_bool(false),
            _ => Err(de::Error::invalid_value(de::Unexpected::Str(&text), &visitor)),
        }
    }

    parsed! {
        deserialize_i8 => visit_i8: i8, deserialize_i16 => visit_i16: i16, deserialize_i32 => visit_i32: i32,
        deserialize_i64 => visit_i64: i64, deserialize_u8 => visit_u8: u8, deserialize_u16 => visit_u16: u16,
        deserialize_u32 => visit_u32: u32, deserialize_u64 => visit_u64: u64, deserialize_f32 => visit_f32: f32,
        deserialize_f64 => visit_f64: f64,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    serde_core::forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// What is in the group that comes next, when nobody wants it.
pub(super) fn ignore<'de>(occurrences: Occurrences<'_, 'de, '_, '_>) -> Result<(), Error> {
    struct All;
    impl<'de> Visitor<'de> for All {
        type Value = ();
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("rows")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok(())
        }
    }
    All.visit_seq(occurrences)
}
