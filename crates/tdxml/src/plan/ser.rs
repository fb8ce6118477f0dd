//! Writes Rust types as rows.

use serde_core::ser::{self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};
use tam::{Error, Words};

use super::Plan;
use super::fields::{Member, RecordPlan};
use super::rows::{Cell, Memory, Mode, Open, Writer};
use crate::items::{Class, single};
use crate::path::Step;
use crate::place::schema;
use crate::schema::{Content, Element, NONE, Record};

/// Writes the rows of a value.
pub(super) fn write<T: Serialize + ?Sized>(
    plan: &Plan,
    value: &T,
    memory: &mut Memory,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    value.serialize(ElementSer::new(&mut Writer::new(plan, memory, out), &plan.schema.root, 0))
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
    fn value<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
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
            return Ok(());
        }
        writer.value((Class::Element, step), of, value).map(|_| ())
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
        Ok(RecordSer { writer, record, plan: record_plan, element, open, nth: 0, next: 0, is_sorted: true })
    }

    fn nothing(self) -> Result<(), Error> {
        match self.is_item() {
            true => Err(unfit("nothing in place of an element", "a value for each element of a sequence")),
            false => Ok(()),
        }
    }
}

/// Methods for simple values.
macro_rules! simple {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<(), Error> {
            self.value(&value)
        }
    )*};
}

impl<'a, 'w, 'p> ser::Serializer for ElementSer<'a, 'w, 'p> {
    type Ok = ();
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
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.value(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.value(&Octets(value))
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.nothing()
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.nothing()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.nothing()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.value(variant)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
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

    tam::__refuse! { ();
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
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let step = self.next;
        self.next.occurrence += 1;
        value.serialize(ElementSer { writer: self.writer, element: self.element, step })
    }

    fn end(self) -> Result<(), Error> {
        if self.is_group {
            self.writer.end_group((self.next, self.element.content))?;
        }
        self.writer.leave();
        Ok(())
    }
}

impl SerializeTuple for SequenceSer<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Error> {
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
}

impl RecordSer<'_, '_, '_> {
    #[inline]
    fn member<T: Serialize + ?Sized>(&mut self, member: &Member, value: &T) -> Result<(), Error> {
        let (class, number) = member.place;
        let order = class.order(number);
        self.is_sorted &= self.next <= order;
        self.next = order + 1;
        if let Some(of) = member.value {
            if self.writer.mode == Mode::Lines {
                match self.writer.cell(member, of, value)? {
                    Cell::Written | Cell::Absent => return Ok(()),
                    Cell::NoColumn => self.writer.spill(self.element, &mut self.open)?,
                }
            }
            return self.writer.value((class, single(number)), of, value).map(|_| ());
        }
        match self.record.elements.get(number as usize) {
            Some(element) => value.serialize(ElementSer::new(self.writer, element, number)),
            None => Ok(()),
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
    fn finish(mut self) -> Result<(), Error> {
        self.writer.close(&mut self.open, self.element, self.is_sorted)?;
        self.writer.leave();
        Ok(())
    }
}

impl SerializeStruct for RecordSer<'_, '_, '_> {
    type Ok = ();
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
    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

/// A map, written as a record whose members are named by the keys.
pub(super) struct MapSer<'a, 'w, 'p> {
    record: RecordSer<'a, 'w, 'p>,
    key: Option<String>,
}

impl SerializeMap for MapSer<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let key = self.record.writer.aside(key)?;
        self.key = Some(key.ok_or_else(|| unfit("another key", "a string for the key of a map"))?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.record.named(&self.key.take().unwrap_or_default(), value)
    }

    fn end(self) -> Result<(), Error> {
        self.record.finish()
    }
}
