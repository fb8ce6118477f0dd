//! Reads Rust types from the cells of a group.

use serde_core::de::value::{StrDeserializer, U64Deserializer};
use serde_core::de::{self, DeserializeSeed, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use tam::Error;

use super::columns::{Item, Kind, Node};
use super::de_methods::{element, forward, transparent};
use super::defaults::{Defaults, Supplied};
use super::element_de::AsEnum;
use super::fields::{Fields, Target};
use super::record_de::{name, number};
use super::scan::{Raw, Scan};
use super::value_de::Value;
use crate::escape::EMPTY;
use crate::path::REST;
use crate::schema::{Content, Record};

/// The next cells, which belong to one element.
pub(super) struct Cells<'a, 'de, 'p, 'n> {
    pub(super) scan: &'a mut Scan<'de, 'p>,
    pub(super) node: &'n Node,
    /// Whether they are a whole row.
    pub(super) is_row: bool,
}

impl<'de, 'p> Cells<'_, 'de, 'p, '_> {
    /// Reads the value of a simple element, or the text of a record.
    fn value(self) -> Result<Value<'de, 'p>, Error> {
        let at = self.scan.at;
        let mut found = Raw { text: "", at, escaped: false };
        if self.node.items.is_empty() {
            self.scan.end_cell(true)?;
        }
        for item in &self.node.items {
            match &item.kind {
                Kind::Own(_) => {
                    let raw = self.scan.cell(item.first, item.last)?;
                    found = if raw.text == EMPTY { Raw { text: "", ..raw } } else { raw };
                }
                Kind::Attribute(..) => {
                    self.scan.cell(item.first, item.last)?;
                }
                _ => return Err(self.scan.schema(at, "elements in a text", "text and attributes")),
            }
        }
        Ok(Value::new(self.scan, found))
    }

    #[inline(always)]
    fn map<V: Visitor<'de>>(self, fields: Option<&Fields>, visitor: V) -> Result<V::Value, Error> {
        let plan = self.scan.plan;
        let Some(record) = plan.schema.record(&self.node.content) else {
            return Err(self.scan.schema(
                self.scan.at,
                "an element that is a value",
                "one with attributes or elements",
            ));
        };
        self.scan.enter()?;
        if self.node.items.is_empty() && self.is_row {
            self.scan.end_cell(true)?;
        }
        let record_plan = plan.record(&self.node.content);
        let mut map = Map {
            scan: self.scan,
            node: self.node,
            record,
            plan: record_plan,
            fields,
            next: 0,
            pending: Pending::None,
            raw: Raw { text: "", at: 0, escaped: false },
            defaults: Defaults::new(record, record_plan),
        };
        let value = visitor.visit_map(&mut map)?;
        map.end()?;
        map.scan.levels += 1;
        Ok(value)
    }

    fn content(&self) -> Content {
        self.node.content
    }

    fn skip(self) -> Result<(), Error> {
        pass(self.scan, self.node, self.is_row)
    }
}

impl<'de> de::Deserializer<'de> for Cells<'_, 'de, '_, '_> {
    type Error = Error;

    element! {}
}

/// Skips the cells of an element. The depth of types limits the recursion.
fn pass(scan: &mut Scan<'_, '_>, node: &Node, is_row: bool) -> Result<(), Error> {
    if node.items.is_empty() && is_row {
        return scan.end_cell(true);
    }
    for item in &node.items {
        match &item.kind {
            Kind::Record(_, inner) => pass(scan, inner, false)?,
            Kind::Group(_, inner) => {
                let left = count(scan)?;
                ignore(Occurrences { scan, node: inner, left })?;
            }
            _ => {
                scan.cell(item.first, item.last)?;
            }
        }
    }
    Ok(())
}

/// Reads a cell with the number of rows that follow.
#[inline]
fn count(scan: &mut Scan<'_, '_>) -> Result<u32, Error> {
    let (count, end) = scan.number(scan.at)?;
    scan.at = end;
    scan.end_cell(true)?;
    Ok(count)
}

/// The rows of a nested group.
pub(super) struct Occurrences<'a, 'de, 'p, 'n> {
    pub(super) scan: &'a mut Scan<'de, 'p>,
    pub(super) node: &'n Node,
    pub(super) left: u32,
}

impl<'de> SeqAccess<'de> for Occurrences<'_, 'de, '_, '_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        if matches!(self.scan.byte(self.scan.at), None | Some(b'[')) {
            return Err(self.scan.syntax("the rows that a group still has"));
        }
        self.left -= 1;
        seed.deserialize(Cells { scan: self.scan, node: self.node, is_row: true }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        // Each row takes at least a byte.
        Some((self.left as usize).min(self.scan.text.len() - self.scan.at))
    }
}

/// Skips the contents of the next group.
fn ignore<'de>(occurrences: Occurrences<'_, 'de, '_, '_>) -> Result<(), Error> {
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

/// The elements of a nested group, for a type that is a sequence.
struct GroupSeq<'a, 'de, 'p, 'n>(Occurrences<'a, 'de, 'p, 'n>);

impl<'de> de::Deserializer<'de> for GroupSeq<'_, 'de, '_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut rows = self.0;
        let value = visitor.visit_seq(&mut rows)?;
        match rows.left {
            0 => Ok(value),
            _ => Err(rows.scan.schema(rows.scan.at, "more rows than the type takes", "as many as it takes")),
        }
    }

    tam::__transparent_de! {}

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        ignore(self.0)?;
        visitor.visit_unit()
    }

    serde_core::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier
    }
}

/// The member whose key a map has returned.
#[derive(Clone, Copy)]
enum Pending<'n, 'p> {
    None,
    Item(&'n Kind),
    Default(&'p str),
}

/// The members of a record in cells.
struct Map<'a, 'de, 'p, 'n, 'f> {
    scan: &'a mut Scan<'de, 'p>,
    node: &'n Node,
    record: &'p Record,
    plan: Option<&'p super::RecordPlan>,
    fields: Option<&'f Fields>,
    next: usize,
    pending: Pending<'n, 'p>,
    raw: Raw<'de>,
    defaults: Defaults<'p>,
}

impl<'de, 'n> Map<'_, 'de, '_, 'n, '_> {
    /// The next member that is present.
    #[inline(always)]
    fn next(&mut self) -> Result<Option<Target>, Error> {
        while let Some(item) = self.node.items.get(self.next) {
            self.next += 1;
            if let Some(target) = self.item(item)? {
                self.pending = Pending::Item(&item.kind);
                return Ok(Some(target));
            }
        }
        Ok(None)
    }

    #[inline(always)]
    fn item(&mut self, item: &'n Item) -> Result<Option<Target>, Error> {
        let target = match &item.kind {
            // What has no number has no field.
            Kind::Attribute(REST, _) => {
                self.scan.cell(item.first, item.last)?;
                return Ok(None);
            }
            Kind::Attribute(number, _) => Target::Attribute(*number),
            Kind::Value(number, _) => Target::Element(*number),
            Kind::Own(_) => Target::Text,
            Kind::Record(number, inner) => {
                let is_there = !self.blank(inner);
                return Ok(is_there.then_some(Target::Element(*number)));
            }
            Kind::Group(number, _) => return Ok(Some(Target::Element(*number))),
        };
        let raw = self.scan.cell(item.first, item.last)?;
        if raw.text.is_empty() {
            return Ok(None);
        }
        self.raw = if raw.text == EMPTY { Raw { text: "", ..raw } } else { raw };
        if target == Target::Text && self.record.text.is_none() {
            // This cell means that the element is present.
            return match self.raw.text {
                "" => Ok(None),
                _ => Err(self.scan.schema(raw.at, "text in an element that has none", "no value")),
            };
        }
        Ok(Some(target))
    }

    /// Whether all cells of an element are empty. Skips them if so.
    #[inline(always)]
    fn blank(&mut self, node: &Node) -> bool {
        let bytes = self.scan.text.as_bytes();
        let mut at = self.scan.at;
        for (number, blank) in node.blank.iter().enumerate() {
            let is_last = number + 1 == node.blank.len();
            let ends_line = *blank == b'\n' || is_last && node.ends_row;
            match bytes.get(at) {
                Some(byte) if !ends_line && byte == blank => at += 1,
                Some(b'\n') if ends_line => at += 1,
                Some(b'\r') if ends_line => at = (at + 2).min(bytes.len()),
                // The last line needs no line end, but must be present.
                None if ends_line && is_last && !(number == 0 && node.begins_line) => {}
                _ => return false,
            }
        }
        self.scan.at = at;
        true
    }

    /// Skips the members that the type did not read.
    fn end(&mut self) -> Result<(), Error> {
        while self.next < self.node.items.len() {
            let Some(item) = self.node.items.get(self.next) else { break };
            self.next += 1;
            match &item.kind {
                Kind::Record(_, inner) => pass(self.scan, inner, false)?,
                Kind::Group(_, inner) => {
                    let left = count(self.scan)?;
                    ignore(Occurrences { scan: self.scan, node: inner, left })?;
                }
                _ => {
                    self.scan.cell(item.first, item.last)?;
                }
            }
        }
        Ok(())
    }
}

impl<'de> MapAccess<'de> for &mut Map<'_, 'de, '_, '_, '_> {
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
                let name: StrDeserializer<'_, Error> = name(self.record, self.plan, target).into_deserializer();
                seed.deserialize(name).map(Some)
            }
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        match self.pending {
            Pending::Item(Kind::Attribute(..) | Kind::Own(_) | Kind::Value(..)) => {
                seed.deserialize(Value::new(self.scan, self.raw))
            }
            Pending::Item(Kind::Record(_, node)) => seed.deserialize(Cells { scan: self.scan, node, is_row: false }),
            Pending::Item(Kind::Group(_, node)) => {
                let left = count(self.scan)?;
                self.scan.enter()?;
                let value = seed.deserialize(GroupSeq(Occurrences { scan: self.scan, node, left }))?;
                self.scan.levels += 1;
                Ok(value)
            }
            Pending::Default(text) => seed.deserialize(Supplied(text)),
            Pending::None => Err(self.scan.syntax("a key in front of the value")),
        }
    }
}
