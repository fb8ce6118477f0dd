//! Writes Rust types as cells of a group.

use serde_core::ser::{self, Serialize, SerializeSeq, SerializeStruct, SerializeTuple};
use tam::Error;

use super::columns::{Item, Kind, Node};
use super::fields::{Member, RecordPlan};
use super::form::Cell;
use super::map_ser::{MapSer, Members};
use super::ser::{Octets, Writer, nothing, row, unfit, unknown};
use super::ser_methods::{all, element, record_struct, refuse, transparent};
use super::value_ser::Value;
use crate::path::push_number;
use crate::schema::{Builtin, Content, Record};

/// The cells of an element, each with its delimiter: `|` or, after a count, the rows.
pub(super) struct CellSer<'a, 'w, 'p, 'n> {
    pub(super) writer: &'a mut Writer<'w, 'p>,
    pub(super) node: &'n Node,
}

/// Writes a cell, empty if the value is absent.
#[inline(always)]
fn cell<T: Serialize + ?Sized>(writer: &mut Writer<'_, '_>, builtin: Builtin, value: &T) -> Result<(), Error> {
    let is_first = writer.out.last() == Some(&b'\n');
    value.serialize(Value { writer, form: Cell { builtin, is_first } })
}

impl<'a, 'w, 'p, 'n> CellSer<'a, 'w, 'p, 'n> {
    /// Writes a simple value, or the text of a record without its attributes.
    fn value<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        let CellSer { writer, node } = self;
        let mut has_own = false;
        for item in &node.items {
            match &item.kind {
                Kind::Own(Builtin::Null) if matches!(node.content, Content::Record(_)) => nothing(writer, &item.kind),
                Kind::Own(builtin) => {
                    has_own = true;
                    cell(writer, *builtin, value)?;
                }
                kind => nothing(writer, kind),
            }
        }
        match has_own {
            true => Ok(()),
            false => Err(unfit("a value", "a struct, as the element has attributes or elements")),
        }
    }

    #[inline]
    fn record(self) -> Result<CellStruct<'a, 'w, 'p, 'n>, Error> {
        let plan = self.writer.plan;
        let content = &self.node.content;
        let (Some(record), Some(record_plan)) = (plan.schema.record(content), plan.record(content)) else {
            return Err(unfit("a struct", "a value, as the element has no attributes or elements"));
        };
        self.writer.enter()?;
        let start = self.writer.out.len();
        let CellSer { writer, node } = self;
        Ok(CellStruct {
            writer,
            node,
            record,
            plan: record_plan,
            next: 0,
            nth: 0,
            start,
            early: None,
            late: Vec::new(),
        })
    }

    fn nothing(self) -> Result<(), Error> {
        self.writer.out.extend_from_slice(&self.node.blank);
        Ok(())
    }
}

impl<'a, 'w, 'p, 'n> ser::Serializer for CellSer<'a, 'w, 'p, 'n> {
    type Ok = ();
    type Error = Error;
    type SerializeMap = MapSer<CellStruct<'a, 'w, 'p, 'n>>;
    type SerializeStruct = CellStruct<'a, 'w, 'p, 'n>;

    element! {}

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<CellStruct<'a, 'w, 'p, 'n>, Error> {
        self.record()
    }

    refuse! { ();
        seq => unfit("a sequence", "one value, as the element is not repeated"),
        tuple => unfit("a tuple", "one value, as the element is not repeated"),
        tuple_struct => unfit("a tuple struct", "a struct, a sequence or a value"),
        tuple_variant => unfit("a variant that is a tuple", "a variant without data, or of one value"),
        struct_variant => unfit("a variant that is a struct", "a variant without data, or of one value"),
    }
}

/// A record in cells.
pub(super) struct CellStruct<'a, 'w, 'p, 'n> {
    writer: &'a mut Writer<'w, 'p>,
    node: &'n Node,
    record: &'p Record,
    plan: &'p RecordPlan,
    /// The next item whose cells are written.
    next: usize,
    nth: usize,
    start: usize,
    /// The number of items written before the first late member.
    early: Option<usize>,
    /// The members since then, and the start of the cells of each.
    late: Vec<(u32, usize)>,
}

impl CellStruct<'_, '_, '_, '_> {
    #[inline]
    fn member<T: Serialize + ?Sized>(&mut self, member: Option<&Member>, name: &str, value: &T) -> Result<(), Error> {
        let Some(&Member { order, .. }) = member else { return unknown(name, value) };
        // Writes empty cells for the items left out.
        while let Some(item) = self.node.items.get(self.next).filter(|item| item.order < order) {
            nothing(self.writer, &item.kind);
            self.next += 1;
        }
        let mut item = self.node.items.get(self.next).filter(|item| item.order == order);
        if item.is_some() {
            self.next += 1;
        } else {
            // A late member: its cells are moved into place at the end.
            self.early.get_or_insert(self.next);
            item = self.node.items.iter().find(|item| item.order == order);
        }
        let Some(item) = item else { return unknown(name, value) };
        let writer = &mut *self.writer;
        if self.early.is_some() {
            self.late.push((order, writer.out.len()));
        }
        match &item.kind {
            Kind::Attribute(_, builtin) | Kind::Own(builtin) | Kind::Value(_, builtin) => cell(writer, *builtin, value),
            Kind::Record(_, node) => value.serialize(CellSer { writer, node }),
            Kind::Group(_, node) => value.serialize(GroupSer { writer, node }),
        }
    }

    #[inline]
    fn finish(mut self) -> Result<(), Error> {
        while let Some(item) = self.node.items.get(self.next) {
            nothing(self.writer, &item.kind);
            self.next += 1;
        }
        if let Some(early) = self.early {
            self.reorder(early);
        }
        let CellStruct { writer, node, start, .. } = self;
        writer.levels += 1;
        // If nothing else does, a cell shows that the element is present.
        if let Some(own) = node.items.iter().position(|item| matches!(item.kind, Kind::Own(_)))
            && writer.out.get(start..) == Some(&node.blank[..])
        {
            let before: usize = own;
            let at = start + before;
            writer.out.splice(at..at, *b"\"\"");
        }
        Ok(())
    }

    /// Rewrites the cells in the order of the columns. Those of the first `early` items are in order already.
    #[cold]
    fn reorder(&mut self, early: usize) {
        let writer = &mut *self.writer;
        let cells = writer.out.get(self.start..).unwrap_or_default().to_vec();
        let piece = |at: usize, item: &Item| {
            let rest = cells.get(at..).unwrap_or_default();
            rest.get(..len(rest, &item.kind)).unwrap_or_default()
        };
        writer.out.truncate(self.start);
        let mut at = 0;
        for (number, item) in self.node.items.iter().enumerate() {
            let first = if number < early { piece(at, item) } else { &[] };
            at += first.len();
            match self.late.iter().find(|(order, _)| *order == item.order) {
                Some((_, at)) => writer.out.extend_from_slice(piece(at - self.start, item)),
                None if number < early => writer.out.extend_from_slice(first),
                None => nothing(writer, &item.kind),
            }
        }
    }
}

/// The length of the cells of one item at the start of `bytes`.
fn len(bytes: &[u8], kind: &Kind) -> usize {
    let cell = |bytes: &[u8]| memchr::memchr(b'|', bytes).map_or(bytes.len(), |end| end + 1);
    match kind {
        Kind::Record(_, node) => {
            node.items.iter().fold(0, |at, item| at + len(bytes.get(at..).unwrap_or_default(), &item.kind))
        }
        Kind::Group(_, node) => {
            let line = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
            let digits = bytes.get(..line).and_then(|line| str::from_utf8(line).ok()).unwrap_or_default();
            let count: usize = digits.trim_end().parse().unwrap_or(0);
            (0..count).fold(line, |at, _| at + row_len(bytes.get(at..).unwrap_or_default(), node))
        }
        _ => cell(bytes),
    }
}

/// The length of a row of a group, whose last cell ends with the line.
fn row_len(bytes: &[u8], node: &Node) -> usize {
    let mut at = 0;
    for item in &node.items {
        let rest = bytes.get(at..).unwrap_or_default();
        at += match &item.kind {
            Kind::Record(_, inner) => row_len(rest, inner),
            kind @ Kind::Group(..) => len(rest, kind),
            _ => memchr::memchr2(b'|', b'\n', rest).map_or(rest.len(), |end| end + 1),
        };
    }
    if node.items.is_empty() { 1 } else { at }
}

record_struct! { CellStruct<'_, '_, '_, '_>, #[inline] }

/// Repeated elements in a row: their number, and then their rows.
struct GroupSer<'a, 'w, 'p, 'n> {
    writer: &'a mut Writer<'w, 'p>,
    node: &'n Node,
}

/// The rows of a nested group.
struct Rows<'a, 'w, 'p, 'n> {
    writer: &'a mut Writer<'w, 'p>,
    node: &'n Node,
    /// The count, if it was known and written before.
    announced: Option<usize>,
    at: usize,
    count: u32,
}

impl<'a, 'w, 'p, 'n> GroupSer<'a, 'w, 'p, 'n> {
    fn rows(self, len: Option<usize>) -> Result<Rows<'a, 'w, 'p, 'n>, Error> {
        self.writer.enter()?;
        let at = self.writer.out.len();
        if let Some(len) = len {
            push_number(self.writer.out, u32::try_from(len).unwrap_or(u32::MAX));
            self.writer.out.push(b'\n');
        }
        Ok(Rows { writer: self.writer, node: self.node, announced: len, at, count: 0 })
    }
}

impl Rows<'_, '_, '_, '_> {
    fn finish(self) {
        if self.announced != Some(self.count as usize) {
            let end = match self.announced {
                None => self.at,
                Some(_) => self
                    .writer
                    .out
                    .get(self.at..)
                    .and_then(|rest| memchr::memchr(b'\n', rest))
                    .map_or(self.at, |end| self.at + end + 1),
            };
            let count = format!("{}\n", self.count);
            self.writer.out.splice(self.at..end, count.bytes());
        }
        self.writer.levels += 1;
    }
}

impl SerializeSeq for Rows<'_, '_, '_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.count += 1;
        row(self.writer, self.node, value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

impl SerializeTuple for Rows<'_, '_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

#[cold]
fn no_sequence(found: &'static str) -> Error {
    unfit(found, "a sequence, as the element is repeated")
}

impl<'a, 'w, 'p, 'n> ser::Serializer for GroupSer<'a, 'w, 'p, 'n> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Rows<'a, 'w, 'p, 'n>;
    type SerializeTuple = Rows<'a, 'w, 'p, 'n>;

    all! { (), Err(no_sequence("one value"));
        serialize_str: &str, serialize_unit_struct: &'static str,
    }
    transparent! {}

    fn serialize_none(self) -> Result<(), Error> {
        self.writer.out.extend_from_slice(b"0\n");
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
        Err(no_sequence("one value"))
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Rows<'a, 'w, 'p, 'n>, Error> {
        self.rows(len)
    }

    fn serialize_tuple(self, len: usize) -> Result<Rows<'a, 'w, 'p, 'n>, Error> {
        self.rows(Some(len))
    }

    refuse! { ();
        tuple_struct => no_sequence("a tuple struct"),
        tuple_variant => no_sequence("a variant"),
        map => no_sequence("a map"),
        struct => no_sequence("a struct"),
        struct_variant => no_sequence("a variant"),
    }
}
