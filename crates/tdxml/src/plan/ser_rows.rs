//! Writes Rust types as rows.

use serde_core::ser::{self, Serialize, SerializeSeq, SerializeStruct, SerializeTuple};
use tam::Error;

use super::columns;
use super::fields::{Member, RecordPlan, RowEnd, Target};
use super::map_ser::{MapSer, Members};
use super::ser::{Octets, Writer, row, unfit, unknown};
use super::ser_methods::{element, record_struct, refuse, transparent};
use crate::Scheme;
use crate::path::push_number;
use crate::schema::{Content, Element, NONE, Record};

/// The head of a group is repeated after this many bytes of rows.
const AGAIN: usize = 16 << 10;

#[cold]
fn no_record(element: &Element) -> Error {
    unfit("a struct", format!("a value, as {} has no attributes or elements", element.name))
}

#[cold]
fn no_value(element: &Element) -> Error {
    unfit("a value", format!("a struct, as {} has attributes or elements", element.name))
}

#[cold]
fn no_sequence(found: &'static str, element: &Element) -> Error {
    unfit(found, format!("a sequence, as {} is repeated", element.name))
}

#[cold]
fn no_item() -> Error {
    unfit("nothing in place of an element", "a value for each element of a sequence")
}

/// An element to be written in rows.
pub(super) struct ElementSer<'a, 'w, 'p> {
    writer: &'a mut Writer<'w, 'p>,
    element: &'p Element,
    /// Its number, which is not in the path yet; [`NONE`] for one of several, whose path is complete.
    number: u32,
}

impl<'a, 'w, 'p> ElementSer<'a, 'w, 'p> {
    #[inline(always)]
    pub(super) fn new(writer: &'a mut Writer<'w, 'p>, element: &'p Element, number: u32) -> Self {
        ElementSer { writer, element, number }
    }

    fn is_one_of_several(&self) -> bool {
        self.number == NONE
    }

    /// Appends the step to the element. Returns the previous length of the path.
    #[inline]
    fn step(&mut self) -> usize {
        let path = &mut self.writer.path;
        let len = path.len();
        if self.number != NONE {
            path.step(self.number);
        }
        len
    }

    /// Writes a simple value, or the text of a record.
    fn value<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        if self.element.repeated && !self.is_one_of_several() {
            return Err(no_sequence("one value", self.element));
        }
        let of = match self.element.content {
            Content::Value(of) => of,
            content => {
                let text = self.writer.plan.schema.record(&content).and_then(|record| record.text);
                text.ok_or_else(|| no_value(self.element))?
            }
        };
        let target = if self.is_one_of_several() { Target::Text } else { Target::Element(self.number) };
        self.writer.row(&RowEnd::new(target, of.builtin), value)
    }

    #[inline(always)]
    fn record(mut self) -> Result<RowStruct<'a, 'w, 'p>, Error> {
        if self.element.repeated && !self.is_one_of_several() {
            return Err(no_sequence("one struct", self.element));
        }
        let len = self.step();
        RowStruct::new(self.writer, self.element, len)
    }

    fn nothing(self) -> Result<(), Error> {
        if self.is_one_of_several() { Err(no_item()) } else { Ok(()) }
    }
}

impl<'a, 'w, 'p> ser::Serializer for ElementSer<'a, 'w, 'p> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = RowSeq<'a, 'w, 'p>;
    type SerializeTuple = RowSeq<'a, 'w, 'p>;
    type SerializeMap = MapSer<RowStruct<'a, 'w, 'p>>;
    type SerializeStruct = RowStruct<'a, 'w, 'p>;

    element! {}

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<RowSeq<'a, 'w, 'p>, Error> {
        let mut this = self;
        if !this.element.repeated {
            return Err(unfit("a sequence", format!("one value, as {} is not repeated", this.element.name)));
        }
        if this.is_one_of_several() {
            return Err(unfit("a sequence in a sequence", "values or structs"));
        }
        let path_len = this.step();
        let ElementSer { writer, element, .. } = this;
        let is_group = writer.plan.scheme != Scheme::Aggregated && len.is_none_or(|len| len > 1);
        let group = if is_group { writer.plan.group(element) } else { None };
        writer.enter()?;
        let after_path = writer.path.len();
        Ok(RowSeq { writer, element, path_len, after_path, next: 0, group, head_at: None })
    }

    fn serialize_tuple(self, len: usize) -> Result<RowSeq<'a, 'w, 'p>, Error> {
        self.serialize_seq(Some(len))
    }

    #[inline(always)]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<RowStruct<'a, 'w, 'p>, Error> {
        self.record()
    }

    refuse! { ();
        tuple_struct => unfit("a tuple struct", "a struct, a sequence or a value"),
        tuple_variant => unfit("a variant that is a tuple", "a variant without data, or of one value"),
        struct_variant => unfit("a variant that is a struct", "a variant without data, or of one value"),
    }
}

/// Repeated elements.
pub(super) struct RowSeq<'a, 'w, 'p> {
    writer: &'a mut Writer<'w, 'p>,
    element: &'p Element,
    path_len: usize,
    after_path: usize,
    next: u32,
    group: Option<&'p columns::Group>,
    head_at: Option<usize>,
}

impl RowSeq<'_, '_, '_> {
    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        if let Some(group) = self.group {
            let writer = &mut *self.writer;
            if self.head_at.is_none_or(|head| writer.out.len() - head > AGAIN) {
                writer.path.put(writer.out);
                push_number(writer.out, self.next);
                writer.out.extend_from_slice(&group.columns);
                self.head_at = Some(writer.out.len());
            }
            self.next += 1;
            return row(writer, &group.node, value);
        }
        self.writer.path.push_number(self.next);
        self.next += 1;
        value.serialize(ElementSer::new(self.writer, self.element, NONE))?;
        self.writer.path.truncate(self.after_path);
        Ok(())
    }

    fn finish(self) {
        self.writer.levels += 1;
        self.writer.path.truncate(self.path_len);
    }
}

impl SerializeSeq for RowSeq<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

impl SerializeTuple for RowSeq<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

/// A record in rows.
pub(super) struct RowStruct<'a, 'w, 'p> {
    writer: &'a mut Writer<'w, 'p>,
    record: &'p Record,
    plan: &'p RecordPlan,
    /// The length of the path before the element.
    path_len: usize,
    start: usize,
    nth: usize,
    /// The least order of the next member; [`NONE`] once a member was out of order.
    next: u32,
}

impl<'a, 'w, 'p> RowStruct<'a, 'w, 'p> {
    // Inlined into its caller, so that it is built in place.
    #[inline(always)]
    fn new(writer: &'a mut Writer<'w, 'p>, element: &'p Element, path_len: usize) -> Result<Self, Error> {
        let plan = writer.plan;
        let content = &element.content;
        let (Some(record), Some(record_plan)) = (plan.schema.record(content), plan.record(content)) else {
            return Err(no_record(element));
        };
        writer.enter()?;
        let start = writer.out.len();
        Ok(RowStruct { writer, record, plan: record_plan, path_len, start, nth: 0, next: 0 })
    }

    #[inline(always)]
    fn member<T: Serialize + ?Sized>(&mut self, member: Option<&Member>, name: &str, value: &T) -> Result<(), Error> {
        let Some(Member { target, order, row }) = member else { return unknown(name, value) };
        self.next = if self.next <= *order { order + 1 } else { NONE };
        match row {
            Some(end) => self.writer.row(end, value),
            None => self.elements(*target, value),
        }
    }

    /// Writes a record element, or repeated elements.
    #[inline(never)]
    fn elements<T: Serialize + ?Sized>(&mut self, target: Target, value: &T) -> Result<(), Error> {
        match target {
            Target::Element(number) => match self.record.elements.get(number as usize) {
                Some(element) => value.serialize(ElementSer::new(self.writer, element, number)),
                None => Ok(()),
            },
            Target::Attribute(_) | Target::Text => Ok(()),
        }
    }

    #[inline(always)]
    fn finish(self) -> Result<(), Error> {
        let writer = self.writer;
        if self.next == NONE {
            reorder(writer.out, self.start, writer.path.len(), self.plan);
        }
        if writer.out.len() == self.start {
            // A row shows that the element is present.
            writer.path.put(writer.out);
            writer.out.extend_from_slice(b" |\n");
        }
        writer.levels += 1;
        writer.path.truncate(self.path_len);
        Ok(())
    }
}

/// Sorts the members of a record, whose rows begin at `start`, into the order of the schema. The path of a row
/// identifies its member; the lines of a group, which never begin like a path, belong to their head.
#[cold]
fn reorder(out: &mut Vec<u8>, start: usize, path_len: usize, plan: &RecordPlan) {
    let rows = out.get(start..).unwrap_or_default().to_vec();
    let mut members: Vec<(u32, &[u8])> = Vec::new();
    let mut at = 0;
    while let Some(rest) = rows.get(at..).filter(|rest| !rest.is_empty()) {
        let mut end = 0;
        loop {
            end = memchr::memchr(b'\n', rest.get(end..).unwrap_or_default()).map_or(rest.len(), |more| end + more + 1);
            if rest.get(end).is_none_or(|byte| *byte == b'[') {
                break;
            }
        }
        let piece = rest.get(..end).unwrap_or_default();
        members.push((order(piece.get(path_len..).unwrap_or_default(), plan), piece));
        at += end;
    }
    members.sort_by_key(|(order, _)| *order);
    out.truncate(start);
    members.iter().for_each(|(_, piece)| out.extend_from_slice(piece));
}

/// The order of the member that a row belongs to, from the text after the path of the record.
fn order(row: &[u8], plan: &RecordPlan) -> u32 {
    let digits = row.get(1..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit());
    let number = digits.fold(0u32, |number, digit| number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')));
    plan.order(match row.first() {
        Some(b'[') => Target::Element(number),
        Some(b'(') => Target::Attribute(number),
        _ => Target::Text,
    })
}

// Inlined into its callers, so that what a field refers to is not passed through memory.
record_struct! { RowStruct<'_, '_, '_>, #[inline(always)] }
