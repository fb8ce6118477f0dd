//! Rust's types into rows.

use serde_core::ser::{self, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};
use tam::{Error, Words};

use super::columns::{Kind, Node};
use super::fields::{RecordPlan, Target};
use super::refuse::refuse;
use super::value_ser::Value;
use super::{Plan, columns};
use smallvec::SmallVec;

use crate::mime;
use crate::path::{Step, push_attribute, push_number, push_step};
use crate::place::schema;
use crate::schema::{Builtin, Content, Element, NONE, Record};
use crate::{Binary, Scheme};

/// Bytes of rows after which the head of a group is written again.
const AGAIN: usize = 16 << 10;

/// Writes a value as a message.
pub(super) fn write<T: Serialize + ?Sized>(plan: &Plan, value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
    if plan.binary != Binary::Mime {
        return envelope(plan, value, out, None);
    }
    // Octets are written where they stay, and the envelope behind them.
    let mut parts = mime::Writer::new(std::mem::take(out));
    let mut rows = Vec::with_capacity(1024);
    let written = envelope(plan, value, &mut rows, Some(&mut parts));
    *out = parts.finish(&rows);
    written
}

fn envelope<T: Serialize + ?Sized>(
    plan: &Plan,
    value: &T,
    out: &mut Vec<u8>,
    parts: Option<&mut mime::Writer>,
) -> Result<(), Error> {
    out.extend_from_slice(&plan.head);
    let (mut path, mut members) = (Path::new(), SmallVec::new());
    let mut writer = Writer { plan, out, path: &mut path, parts, members: &mut members, levels: columns::LEVELS };
    value.serialize(ElementSer { writer: &mut writer, element: &plan.schema.root, number: 0 })?;
    out.extend_from_slice(&plan.tail);
    Ok(())
}

/// What is written, and where.
pub(super) struct Writer<'w, 'p> {
    pub(super) plan: &'p Plan,
    pub(super) out: &'w mut Vec<u8>,
    /// The path of the element that is being written in rows of its own.
    path: &'w mut Path,
    /// The envelope is behind the parts that rows name; how many of these there are.
    pub(super) parts: Option<&'w mut mime::Writer>,
    /// Of each struct that is open: the places of its members, and where they begin.
    pub(super) members: &'w mut SmallVec<[(u32, usize); 32]>,
    pub(super) levels: u32,
}

impl Writer<'_, '_> {
    #[inline(always)]
    pub(super) fn enter(&mut self) -> Result<(), Error> {
        match self.levels.checked_sub(1) {
            Some(levels) => {
                self.levels = levels;
                Ok(())
            }
            None => Err(Error::limit(crate::FORMAT, 0, "one more level", "depth", columns::LEVELS.into())),
        }
    }

    /// A row of the path that is being written and one more step; none where there is no value.
    #[inline(always)]
    fn row<T: Serialize + ?Sized>(&mut self, last: Last, builtin: Builtin, value: &T) -> Result<(), Error> {
        let start = self.out.len();
        self.path.put(self.out);
        match last {
            Last::None => self.out.extend_from_slice(b" |"),
            Last::Attribute(number @ 0..10) => {
                self.out.extend_from_slice(&[b'(', b'0' + number as u8, b')', b' ', b'|']);
            }
            Last::Element(number @ 0..10) => {
                self.out.extend_from_slice(&[b'[', b'0' + number as u8, b']', b' ', b'|']);
            }
            Last::Attribute(number) => {
                push_attribute(self.out, number);
                self.out.extend_from_slice(b" |");
            }
            Last::Element(number) => {
                push_step(self.out, Step { number, occurrence: NONE });
                self.out.extend_from_slice(b" |");
            }
        }
        match value.serialize(Value { writer: self, builtin, cell: None })? {
            true => self.out.push(b'\n'),
            false => self.out.truncate(start),
        }
        Ok(())
    }
}

/// The last step of the path of a row, which is not kept for others.
#[derive(Clone, Copy)]
enum Last {
    None,
    Attribute(u32),
    Element(u32),
}

/// The path of the element that is being written. Most are short, and copied as a whole number of bytes that is
/// known when the program is compiled: that takes no call.
struct Path {
    short: [u8; Path::SHORT],
    len: usize,
    /// All of it, where it is longer.
    long: Vec<u8>,
}

impl Path {
    const SHORT: usize = 32;

    #[inline]
    fn new() -> Path {
        // Most steps are already there.
        Path { short: *b"[0][0][0][0][0][0][0][0][0][0][0", len: 0, long: Vec::new() }
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        match self.short.get_mut(self.len) {
            Some(place) => *place = byte,
            None => self.push_long(byte),
        }
        self.len += 1;
    }

    #[cold]
    fn push_long(&mut self, byte: u8) {
        if self.long.is_empty() {
            self.long.extend_from_slice(&self.short);
        }
        self.long.push(byte);
    }

    /// Goes down to an element. Bytes that are there already are left alone: reading what was written in
    /// smaller pieces just before would have to wait.
    #[inline]
    fn step(&mut self, number: u32) {
        // Byte by byte, as they may have been written.
        if number < 10
            && let Some([b'[', digit, b']']) = self.short.get(self.len..self.len + 3)
            && *digit == b'0' + number as u8
        {
            self.len += 3;
            return;
        }
        self.push(b'[');
        self.push_number(number);
        self.push(b']');
    }

    /// Goes back to a length; what was before is still there.
    #[inline]
    fn truncate(&mut self, len: usize) {
        self.len = len;
        if !self.long.is_empty() {
            self.long.truncate(if len > Path::SHORT { len } else { 0 });
        }
    }

    #[inline]
    fn push_number(&mut self, number: u32) {
        if number < 10 {
            self.push(b'0' + number as u8);
        } else {
            itoa::Buffer::new().format(number).bytes().for_each(|digit| self.push(digit));
        }
    }

    /// Appends it.
    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        if self.len <= Path::SHORT {
            let end = out.len() + self.len;
            out.extend_from_slice(&self.short);
            out.truncate(end);
        } else {
            out.extend_from_slice(&self.long);
        }
    }
}

#[cold]
pub(super) fn unfit(found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    schema(0, found, expected)
}

#[cold]
fn no_record(element: &Element) -> Error {
    unfit("a struct", format!("a value, as {} has no attributes or elements", element.name))
}

#[cold]
fn no_sequence(element: &Element) -> Error {
    unfit("one struct", format!("a sequence, as {} is repeated", element.name))
}

/// An element that is to be written in rows; its own number is not in the path yet.
struct ElementSer<'a, 'w, 'p> {
    writer: &'a mut Writer<'w, 'p>,
    element: &'p Element,
    number: u32,
}

impl<'a, 'w, 'p> ElementSer<'a, 'w, 'p> {
    #[inline]
    fn step(&mut self) -> usize {
        let path = &mut self.writer.path;
        let len = path.len();
        path.step(self.number);
        len
    }

    /// A value alone, or the text of a record.
    #[inline(always)]
    fn value<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        if self.element.repeated {
            return Err(unfit("one value", format!("a sequence, as {} is repeated", self.element.name)));
        }
        let builtin = match self.element.content {
            Content::Value(builtin) => builtin,
            content => self.writer.plan.schema.record(&content).and_then(|record| record.text).ok_or_else(|| {
                unfit("a value", format!("a struct, as {} has attributes or elements", self.element.name))
            })?,
        };
        self.writer.row(Last::Element(self.number), builtin, value)
    }

    #[inline(always)]
    fn record(self) -> Result<RowStruct<'a, 'w, 'p>, Error> {
        if self.element.repeated {
            return Err(no_sequence(self.element));
        }
        let mut this = self;
        let len = this.step();
        RowStruct::new(this.writer, this.element, len)
    }
}

macro_rules! values {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<(), Error> {
            self.value(&value)
        }
    )*};
}

/// Octets, as serde asks for them.
pub(super) struct Octets<'b>(pub(super) &'b [u8]);

impl Serialize for Octets<'_> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

impl<'a, 'w, 'p> ser::Serializer for ElementSer<'a, 'w, 'p> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = RowSeq<'a, 'w, 'p>;
    type SerializeTuple = RowSeq<'a, 'w, 'p>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = RowMap<'a, 'w, 'p>;
    type SerializeStruct = RowStruct<'a, 'w, 'p>;
    type SerializeStructVariant = Impossible<(), Error>;

    values! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128, serialize_f32: f32, serialize_f64: f64, serialize_char: char,
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.value(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.value(&Octets(value))
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.value(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut record = self.record()?;
        record.member(RecordPlan::find(variant, record.record), variant, value)?;
        record.end()
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<RowSeq<'a, 'w, 'p>, Error> {
        let mut this = self;
        if !this.element.repeated {
            return Err(unfit("a sequence", format!("one value, as {} is not repeated", this.element.name)));
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

    fn serialize_map(self, _: Option<usize>) -> Result<RowMap<'a, 'w, 'p>, Error> {
        Ok(RowMap { record: self.record()?, key: None })
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

/// Elements that are repeated.
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
        let occurrence = Occurrence { writer: self.writer, element: self.element };
        value.serialize(occurrence)?;
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

/// One of several elements, whose path is whole.
struct Occurrence<'a, 'w, 'p> {
    writer: &'a mut Writer<'w, 'p>,
    element: &'p Element,
}

impl<'a, 'w, 'p> Occurrence<'a, 'w, 'p> {
    fn value<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        let builtin = match self.element.content {
            Content::Value(builtin) => builtin,
            content => self.writer.plan.schema.record(&content).and_then(|record| record.text).ok_or_else(|| {
                unfit("a value", format!("a struct, as {} has attributes or elements", self.element.name))
            })?,
        };
        self.writer.row(Last::None, builtin, value)
    }

    #[inline(always)]
    fn record(self) -> Result<RowStruct<'a, 'w, 'p>, Error> {
        let len = self.writer.path.len();
        RowStruct::new(self.writer, self.element, len)
    }
}

#[cold]
fn no_item() -> Error {
    unfit("nothing in place of an element", "a value for each element of a sequence")
}

impl<'a, 'w, 'p> ser::Serializer for Occurrence<'a, 'w, 'p> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = RowMap<'a, 'w, 'p>;
    type SerializeStruct = RowStruct<'a, 'w, 'p>;
    type SerializeStructVariant = Impossible<(), Error>;

    values! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128, serialize_f32: f32, serialize_f64: f64, serialize_char: char,
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.value(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.value(&Octets(value))
    }

    fn serialize_none(self) -> Result<(), Error> {
        Err(no_item())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Err(no_item())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        Err(no_item())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.value(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut record = self.record()?;
        record.member(RecordPlan::find(variant, record.record), variant, value)?;
        record.end()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<RowMap<'a, 'w, 'p>, Error> {
        Ok(RowMap { record: self.record()?, key: None })
    }

    #[inline(always)]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<RowStruct<'a, 'w, 'p>, Error> {
        self.record()
    }

    refuse! { ();
        seq => unfit("a sequence in a sequence", "values or structs"),
        tuple => unfit("a tuple in a sequence", "values or structs"),
        tuple_struct => unfit("a tuple struct", "a struct, a sequence or a value"),
        tuple_variant => unfit("a variant that is a tuple", "a variant without data, or of one value"),
        struct_variant => unfit("a variant that is a struct", "a variant without data, or of one value"),
    }
}

/// A record in rows.
pub(super) struct RowStruct<'a, 'w, 'p> {
    writer: &'a mut Writer<'w, 'p>,
    record: &'p Record,
    plan: &'p RecordPlan,
    /// How long the path was before the element.
    path_len: usize,
    start: usize,
    first_member: usize,
    nth: usize,
    in_order: bool,
}

impl<'a, 'w, 'p> RowStruct<'a, 'w, 'p> {
    // In its caller, so that it is made where it stays.
    #[inline(always)]
    fn new(writer: &'a mut Writer<'w, 'p>, element: &'p Element, path_len: usize) -> Result<Self, Error> {
        let plan = writer.plan;
        let content = &element.content;
        let (Some(record), Some(record_plan)) = (plan.schema.record(content), plan.record(content)) else {
            return Err(no_record(element));
        };
        writer.enter()?;
        let (start, first_member) = (writer.out.len(), writer.members.len());
        Ok(RowStruct { writer, record, plan: record_plan, path_len, start, first_member, nth: 0, in_order: true })
    }

    #[inline]
    fn member<T: Serialize + ?Sized>(&mut self, target: Option<Target>, name: &str, value: &T) -> Result<(), Error> {
        let Some(target) = target else { return unknown(name, value) };
        let order = self.plan.order(target);
        let writer = &mut *self.writer;
        if writer.members.len() > self.first_member {
            self.in_order &= writer.members.last().is_some_and(|(last, _)| *last < order);
        }
        writer.members.push((order, writer.out.len()));
        match target {
            Target::Attribute(number) => {
                let builtin =
                    self.record.attributes.get(number as usize).map_or(Builtin::Utf8String, |one| one.builtin);
                writer.row(Last::Attribute(number), builtin, value)
            }
            Target::Text => writer.row(Last::None, self.record.text.unwrap_or_default(), value),
            Target::Element(number) => match self.record.elements.get(number as usize) {
                Some(element) => value.serialize(ElementSer { writer, element, number }),
                None => Ok(()),
            },
        }
    }

    #[inline]
    fn finish(self) -> Result<(), Error> {
        let writer = self.writer;
        if !self.in_order {
            reorder(writer, self.start, self.first_member);
        }
        writer.members.truncate(self.first_member);
        if writer.out.len() == self.start {
            // A row says that the element is there.
            writer.path.put(writer.out);
            writer.out.extend_from_slice(b" |\n");
        }
        writer.levels += 1;
        writer.path.truncate(self.path_len);
        Ok(())
    }
}

/// Puts the members of a struct into the order of the schema.
#[cold]
fn reorder(writer: &mut Writer<'_, '_>, start: usize, first_member: usize) {
    let members = writer.members.get(first_member..).unwrap_or_default();
    let ends = members.iter().skip(1).map(|(_, at)| *at).chain([writer.out.len()]);
    let mut pieces: Vec<(u32, Vec<u8>)> = members
        .iter()
        .zip(ends)
        .map(|((order, at), end)| (*order, writer.out.get(*at..end).unwrap_or_default().to_vec()))
        .collect();
    pieces.sort_by_key(|(order, _)| *order);
    writer.out.truncate(start);
    pieces.iter().for_each(|(_, piece)| writer.out.extend_from_slice(piece));
}

/// A field that the schema has nothing for has to be nothing.
#[cold]
pub(super) fn unknown<T: Serialize + ?Sized>(name: &str, value: &T) -> Result<(), Error> {
    match value.serialize(super::value_ser::IsNothing) {
        Ok(true) => Ok(()),
        _ => Err(unfit(format!("the field {name}"), "an element, @attribute or $text that the schema has there")),
    }
}

impl SerializeStruct for RowStruct<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        let target = self.plan.target(self.nth, key, self.record);
        self.nth += 1;
        self.member(target, key, value)
    }

    fn skip_field(&mut self, _: &'static str) -> Result<(), Error> {
        self.nth += 1;
        Ok(())
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

/// A record in rows, from a map.
pub(super) struct RowMap<'a, 'w, 'p> {
    record: RowStruct<'a, 'w, 'p>,
    key: Option<String>,
}

impl SerializeMap for RowMap<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(key.serialize(super::value_ser::Key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = self.key.take().unwrap_or_default();
        self.record.member(RecordPlan::find(&key, self.record.record), &key, value)
    }

    fn end(self) -> Result<(), Error> {
        self.record.finish()
    }
}

/// Writes a value as a row of a group.
#[inline]
pub(super) fn row<T: Serialize + ?Sized>(writer: &mut Writer<'_, '_>, node: &Node, value: &T) -> Result<(), Error> {
    value.serialize(super::ser_cells::CellSer { writer, node })?;
    match writer.out.last_mut() {
        Some(last) if *last == b'|' => *last = b'\n',
        // A count has ended its line.
        _ if !node.items.is_empty() => {}
        _ => writer.out.push(b'\n'),
    }
    Ok(())
}

/// The cells of an element that is not there.
pub(super) fn nothing(writer: &mut Writer<'_, '_>, kind: &Kind) {
    match kind {
        Kind::Record(_, node) => writer.out.extend_from_slice(&node.blank),
        Kind::Group(..) => writer.out.extend_from_slice(b"0\n"),
        _ => writer.out.push(b'|'),
    }
}
