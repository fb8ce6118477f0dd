//! Writes Rust types as rows.

use serde_core::ser::{self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};
use tam::{Error, Words};

use super::Plan;
use super::fields::{Member, RecordPlan};
use super::rows::{Cell, Memory, Mode, Open, Writer};
use crate::items::{Class, single};
use crate::path::Step;
use crate::place::schema;
use crate::schema::{Content, Element, NONE, Order, Record};

/// Writes the rows of a value.
pub(super) fn write<T: Serialize + ?Sized>(
    plan: &Plan,
    value: &T,
    memory: &mut Memory,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let root = &plan.schema.root;
    let written = value.serialize(ElementSer::new(&mut Writer::new(plan, memory, out), root, 0));
    if !written.map_err(|error| within(error, &root.name))? && root.is_required() {
        return Err(absent("element", &root.name));
    }
    Ok(())
}

/// An error inside a member.
#[cold]
fn within(error: Error, name: &str) -> Error {
    let path = format!("/{}{}", tam::escape_step(name), error.path());
    error.in_path(path)
}

#[cold]
fn absent(what: &str, name: &str) -> Error {
    unfit(format!("missing {what} {name}"), "")
}

#[cold]
pub(super) fn unfit(found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    schema(0, found, expected)
}

/// Octets, in the form that serde needs.
struct Octets<'b>(&'b [u8]);

impl Serialize for Octets<'_> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

#[cold]
fn no_sequence(found: &'static str, element: &Element) -> Error {
    unfit(found, format!("a sequence, as {} is repeated", element.name))
}

/// An element to be written.
pub(super) struct ElementSer<'a, 'w, 'p> {
    writer: &'a mut Writer<'p, 'w>,
    element: &'p Element,
    step: Step,
}

impl<'a, 'w, 'p> ElementSer<'a, 'w, 'p> {
    #[inline]
    fn new(writer: &'a mut Writer<'p, 'w>, element: &'p Element, number: u32) -> ElementSer<'a, 'w, 'p> {
        ElementSer { writer, element, step: single(number) }
    }

    fn is_item(&self) -> bool {
        self.step.occurrence != NONE
    }

    /// Writes a simple value, or the text of a record.
    #[inline]
    fn value<T: Serialize + ?Sized>(self, value: &T) -> Result<bool, Error> {
        if self.element.repeated && !self.is_item() {
            return Err(no_sequence("one value", self.element));
        }
        let ElementSer { writer, element, step } = self;
        let Content::Value(of) = element.content else {
            let text = writer.plan.schema.record(&element.content).and_then(|record| record.text);
            let no_value = || unfit("a value", format!("a struct, as {} has attributes or elements", element.name));
            let member = Member { place: (Class::Text, 0), value: Some(text.ok_or_else(no_value)?) };
            let mut record = ElementSer { writer, element, step }.record()?;
            record.member(&member, value)?;
            return record.finish();
        };
        if writer.mode == Mode::Lines {
            writer.begin_line(step);
            writer.cell(&Member { place: (Class::Text, 0), value: None }, of, value)?;
            writer.end_line(step);
            return Ok(true);
        }
        writer.value((Class::Element, step), of, value)
    }

    #[inline]
    fn record(self) -> Result<RecordSer<'a, 'w, 'p>, Error> {
        if self.element.repeated && !self.is_item() {
            return Err(no_sequence("one struct", self.element));
        }
        let ElementSer { writer, element, step } = self;
        let plan = writer.plan;
        let (Some(record), Some(record_plan)) = (plan.schema.record(&element.content), plan.record(&element.content))
        else {
            let expected = format!("a value, as {} has no attributes or elements", element.name);
            return Err(unfit("a struct", expected));
        };
        writer.enter()?;
        let open = writer.open(step, element.content);
        let element = (step, element.content);
        let (seen, seen_later) = (0, Vec::new());
        Ok(RecordSer {
            writer,
            record,
            plan: record_plan,
            element,
            open,
            nth: 0,
            next: 0,
            is_sorted: true,
            seen,
            seen_later,
        })
    }

    fn nothing(self) -> Result<bool, Error> {
        match self.is_item() {
            true => Err(unfit("nothing in place of an element", "a value for each element of a sequence")),
            false => Ok(false),
        }
    }
}

/// Methods for simple values.
macro_rules! simple {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<bool, Error> {
            self.value(&value)
        }
    )*};
}

impl<'a, 'w, 'p> ser::Serializer for ElementSer<'a, 'w, 'p> {
    type Ok = bool;
    type Error = Error;
    type SerializeSeq = SequenceSer<'a, 'w, 'p>;
    type SerializeTuple = SequenceSer<'a, 'w, 'p>;
    type SerializeMap = MapSer<'a, 'w, 'p>;
    type SerializeStruct = RecordSer<'a, 'w, 'p>;

    simple! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128, serialize_f32: f32, serialize_f64: f64, serialize_char: char,
    }
    tam::__transparent_ser! {}

    #[inline]
    fn serialize_str(self, value: &str) -> Result<bool, Error> {
        self.value(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<bool, Error> {
        self.value(&Octets(value))
    }

    fn serialize_none(self) -> Result<bool, Error> {
        self.nothing()
    }

    fn serialize_unit(self) -> Result<bool, Error> {
        self.nothing()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<bool, Error> {
        self.nothing()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<bool, Error> {
        self.value(variant)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<bool, Error> {
        let mut record = self.record()?;
        record.named(variant, value)?;
        record.finish()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<MapSer<'a, 'w, 'p>, Error> {
        Ok(MapSer { record: self.record()?, key: None })
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<SequenceSer<'a, 'w, 'p>, Error> {
        if !self.element.repeated {
            return Err(unfit("a sequence", format!("one value, as {} is not repeated", self.element.name)));
        }
        if self.is_item() {
            return Err(unfit("a sequence in a sequence", "values or structs"));
        }
        let ElementSer { writer, element, step } = self;
        writer.enter()?;
        let is_flat = writer.plan.record(&element.content).is_none_or(|record| record.is_flat);
        let is_group = writer.begin_group(len, is_flat);
        Ok(SequenceSer { writer, element, next: Step { occurrence: 0, ..step }, is_group })
    }

    fn serialize_tuple(self, len: usize) -> Result<SequenceSer<'a, 'w, 'p>, Error> {
        self.serialize_seq(Some(len))
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<RecordSer<'a, 'w, 'p>, Error> {
        self.record()
    }

    tam::__refuse! { bool;
        tuple_struct => unfit("a tuple struct", "a struct, a sequence or a value"),
        tuple_variant => unfit("a variant that is a tuple", "a variant without data, or of one value"),
        struct_variant => unfit("a variant that is a struct", "a variant without data, or of one value"),
    }
}

/// Repeated elements.
pub(super) struct SequenceSer<'a, 'w, 'p> {
    writer: &'a mut Writer<'p, 'w>,
    element: &'p Element,
    next: Step,
    /// Whether it is a group of its own, if it has two elements.
    is_group: bool,
}

impl SerializeSeq for SequenceSer<'_, '_, '_> {
    type Ok = bool;
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let step = self.next;
        self.next.occurrence += 1;
        let written = value.serialize(ElementSer { writer: self.writer, element: self.element, step });
        written.map(|_| ()).map_err(|error| within(error, itoa::Buffer::new().format(step.occurrence)))
    }

    fn end(self) -> Result<bool, Error> {
        if self.is_group {
            self.writer.end_group((self.next, self.element.content))?;
        }
        self.writer.leave();
        Ok(true)
    }
}

impl SerializeTuple for SequenceSer<'_, '_, '_> {
    type Ok = bool;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<bool, Error> {
        SerializeSeq::end(self)
    }
}

/// A record.
pub(super) struct RecordSer<'a, 'w, 'p> {
    writer: &'a mut Writer<'p, 'w>,
    record: &'p Record,
    plan: &'p RecordPlan,
    element: (Step, Content),
    open: Open,
    nth: usize,
    /// The least place of the next member, and whether all came in order.
    next: u64,
    is_sorted: bool,
    /// The attributes and then the elements that are present: a bit for each of the first 64, the others by their places.
    seen: u64,
    seen_later: Vec<u32>,
}

impl RecordSer<'_, '_, '_> {
    #[inline]
    fn member<T: Serialize + ?Sized>(&mut self, member: &Member, value: &T) -> Result<(), Error> {
        let is_second = match self.put(member, value) {
            Ok(is_there) => is_there && !self.note(member.place),
            Err(error) => return Err(within(error, self.plan.name(self.record, member.place))),
        };
        if is_second {
            let found = format!("{} a second time", self.plan.name(self.record, member.place));
            return Err(unfit(found, "one field for each member"));
        }
        Ok(())
    }

    /// Notes that a member is present. False if it was before.
    #[inline]
    fn note(&mut self, (class, number): (Class, u32)) -> bool {
        let place = match class {
            Class::Attribute => number,
            Class::Element => number + self.record.attributes.len() as u32,
            Class::Text | Class::Rest => return true,
        };
        if self.has(place) {
            return false;
        }
        match 1_u64.checked_shl(place) {
            Some(bit) => self.seen |= bit,
            None => self.seen_later.push(place),
        }
        true
    }

    fn has(&self, place: u32) -> bool {
        match 1_u64.checked_shl(place) {
            Some(bit) => self.seen & bit != 0,
            None => self.seen_later.contains(&place),
        }
    }

    /// Checks that all members are present that the schema requires, and no two alternatives.
    #[inline]
    fn whole(&self) -> Result<(), Error> {
        let Record { order, attributes, elements, .. } = self.record;
        let mut next = self.record.next_needed(0);
        while let Some(attribute) = attributes.get(next as usize) {
            if attribute.default.is_none() && !self.has(next) {
                return Err(absent("attribute", &attribute.name));
            }
            next = self.record.next_needed(next + 1);
        }
        let has = |number: u32| self.has(number + attributes.len() as u32);
        if *order == Order::Choice {
            return self.one_alternative((0..elements.len() as u32).filter(|number| has(*number)).count());
        }
        let mut next = self.record.next_required(0);
        while let Some(element) = elements.get(next as usize) {
            if !has(next) {
                return Err(absent("element", &element.name));
            }
            next = self.record.next_required(next + 1);
        }
        Ok(())
    }

    #[cold]
    fn one_alternative(&self, count: usize) -> Result<(), Error> {
        let needs_one = self.record.required() > 0 && self.record.required() as usize == self.record.elements.len();
        match count {
            0 if needs_one => Err(unfit("no alternative", "one of those that the schema has")),
            0 | 1 => Ok(()),
            _ => Err(unfit("several alternatives", "one of those that the schema has")),
        }
    }

    /// Writes a member. Whether it is present.
    #[inline]
    fn put<T: Serialize + ?Sized>(&mut self, member: &Member, value: &T) -> Result<bool, Error> {
        let (class, number) = member.place;
        let order = class.order(number);
        self.is_sorted &= self.next <= order;
        self.next = order + 1;
        if let Some(of) = member.value {
            if self.writer.mode == Mode::Lines {
                match self.writer.cell(member, of, value)? {
                    Cell::Written => return Ok(true),
                    Cell::Absent => return Ok(false),
                    Cell::NoColumn => self.writer.spill(self.element, &mut self.open)?,
                }
            }
            return self.writer.value((class, single(number)), of, value);
        }
        match self.record.elements.get(number as usize) {
            Some(element) => value.serialize(ElementSer::new(self.writer, element, number)),
            None => Ok(false),
        }
    }

    fn named<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        match RecordPlan::find(name, self.record) {
            Some(member) => self.member(&member, value),
            None => self.unknown(name, value),
        }
    }

    /// A field that the schema does not have must be absent.
    #[cold]
    fn unknown<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        match self.writer.aside(value) {
            Ok(None) => Ok(()),
            _ => Err(unfit(format!("the field {name}"), "an element, @attribute or $text that the schema has there")),
        }
    }

    #[inline]
    fn finish(mut self) -> Result<bool, Error> {
        self.whole()?;
        self.writer.close(&mut self.open, self.element, self.is_sorted)?;
        self.writer.leave();
        Ok(true)
    }
}

impl SerializeStruct for RecordSer<'_, '_, '_> {
    type Ok = bool;
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        let (nth, plan) = (self.nth, self.plan);
        self.nth += 1;
        match plan.member(nth, key) {
            Some(member) => self.member(member, value),
            None => match plan.first(nth, key, self.record) {
                Some(member) => self.member(&member, value),
                None => self.unknown(key, value),
            },
        }
    }

    fn skip_field(&mut self, _: &'static str) -> Result<(), Error> {
        self.nth += 1;
        Ok(())
    }

    #[inline]
    fn end(self) -> Result<bool, Error> {
        self.finish()
    }
}

/// A map, written as a record whose members are named by the keys.
pub(super) struct MapSer<'a, 'w, 'p> {
    record: RecordSer<'a, 'w, 'p>,
    key: Option<String>,
}

impl SerializeMap for MapSer<'_, '_, '_> {
    type Ok = bool;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let key = self.record.writer.aside(key)?;
        self.key = Some(key.ok_or_else(|| unfit("another key", "a string for the key of a map"))?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.record.named(&self.key.take().unwrap_or_default(), value)
    }

    fn end(self) -> Result<bool, Error> {
        self.record.finish()
    }
}
