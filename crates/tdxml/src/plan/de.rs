//! Reads Rust types from rows: messages, and repeated elements.

use serde_core::de::{self, Deserialize, DeserializeSeed, SeqAccess, Visitor};
use tam::Error;

use super::Plan;
use super::cells::Cells;
use super::columns::{Group, LEVELS, Node};
use super::de_methods::{forward, transparent};
use super::element_de::ElementDe;
use super::scan::Scan;
use crate::group::Groups;
use crate::mime::Parts;
use crate::schema::Element;

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
    let value = T::deserialize(ElementRows { scan: &mut scan, element: root, start, end });
    let value = value.map_err(|error| match error.format() {
        "" => error.met_in(crate::FORMAT, (base + scan.at) as u64),
        _ => error,
    })?;
    scan.space();
    if scan.at < rows.len() {
        return Err(scan.schema(scan.at, "a row after what follows it, or beyond the type", "rows in order"));
    }
    Ok(value)
}

/// Whether lines end with a carriage return and a line feed. A carriage return elsewhere is an error.
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

/// An element whose rows are next. Its path is the text between two positions.
pub(super) struct ElementRows<'a, 'de, 'p> {
    pub(super) scan: &'a mut Scan<'de, 'p>,
    pub(super) element: &'p Element,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'a, 'de, 'p> ElementRows<'a, 'de, 'p> {
    /// The element as a single one. If it is repeated, it must be the first and only one.
    #[inline(always)]
    fn single(self) -> Result<ElementDe<'a, 'de, 'p>, Error> {
        if self.element.repeated {
            return Err(self.scan.schema(self.start, "an element that is repeated", "a type for a sequence of them"));
        }
        Ok(ElementDe { scan: self.scan, content: self.element.content, start: self.start, end: self.end })
    }
}

impl<'de> de::Deserializer<'de> for ElementRows<'_, 'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.element.repeated { self.deserialize_seq(visitor) } else { self.single()?.deserialize_any(visitor) }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if !self.element.repeated {
            return Err(self.scan.schema(self.start, "an element that is not repeated", "one that is"));
        }
        let ElementRows { scan, element, start, end } = self;
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

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        skip(self.scan, self.start, self.end, self.element.repeated)?;
        visitor.visit_unit()
    }

    forward! { single: deserialize_map }
    transparent! {}
}

/// Skips the rows of an element.
pub(super) fn skip(scan: &mut Scan<'_, '_>, start: usize, end: usize, repeated: bool) -> Result<(), Error> {
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

/// The columns of a group: from the plan, or from a head.
enum Rows<'p> {
    Known(&'p Node),
    Head(Box<Node>),
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
        let one = ElementDe { scan: self.scan, content: self.element.content, start: row, end: after };
        seed.deserialize(one).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        None
    }
}

impl<'de> Sequence<'_, 'de, '_> {
    /// Reads the head of a group, whose columns begin at a position.
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
        self.group = Some(Rows::Head(Box::new(node)));
        Ok(())
    }

    fn cells<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        self.next += 1;
        let node = match &self.group {
            Some(Rows::Known(node)) => node,
            Some(Rows::Head(node)) => &**node,
            None => return Ok(None),
        };
        seed.deserialize(Cells { scan: self.scan, node, is_row: true }).map(Some)
    }
}
