//! Writes Rust types as items, which become rows.

use serde_core::ser::{self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};
use tam::{Error, Words};

use super::fields::{Member, RecordPlan};
use super::value_ser::ValueSer;
use super::{LEVELS, Plan};
use crate::items::{Class, Items, single};
use crate::path::Step;
use crate::place::schema;
use crate::schema::{Builtin, Content, Element, NONE, Record};
use crate::{Binary, FORMAT};

/// The state of writing.
pub(super) struct Writer<'p> {
    plan: &'p Plan,
    pub(super) items: &'p mut Items,
    levels: u32,
}

/// Adds the items of a value to none.
pub(super) fn write<T: Serialize + ?Sized>(plan: &Plan, value: &T, items: &mut Items) -> Result<(), Error> {
    value.serialize(ElementSer::new(&mut Writer { plan, items, levels: LEVELS }, &plan.schema.root, 0))
}

impl<'p> Writer<'p> {
    #[inline]
    fn enter(&mut self) -> Result<(), Error> {
        self.levels = self
            .levels
            .checked_sub(1)
            .ok_or_else(|| Error::limit(FORMAT, 0, "one more level", "depth", LEVELS.into()))?;
        Ok(())
    }

    /// Whether octets are parts of the message.
    pub(super) fn has_parts(&self) -> bool {
        self.plan.binary == Binary::Mime
    }

    /// The text of a simple value; `None` if it is absent.
    #[inline]
    fn text<T: Serialize + ?Sized>(&mut self, builtin: Builtin, value: &T) -> Result<Option<(u32, u32)>, Error> {
        value.serialize(ValueSer { writer: self, builtin })
    }
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
pub(super) struct ElementSer<'a, 'p> {
    writer: &'a mut Writer<'p>,
    element: &'p Element,
    step: Step,
}

impl<'a, 'p> ElementSer<'a, 'p> {
    #[inline]
    fn new(writer: &'a mut Writer<'p>, element: &'p Element, number: u32) -> ElementSer<'a, 'p> {
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
        let content = element.content;
        let text_of = match content {
            Content::Value(_) => None,
            content => {
                let text = writer.plan.schema.record(&content).and_then(|record| record.text);
                let no_value = || unfit("a value", format!("a struct, as {} has attributes or elements", element.name));
                Some(text.ok_or_else(no_value)?)
            }
        };
        let builtin = match (content, text_of) {
            (Content::Value(of), _) | (_, Some(of)) => of.builtin,
            _ => Builtin::Utf8String,
        };
        let Some(text) = writer.text(builtin, value)? else {
            return ElementSer { writer, element, step }.nothing();
        };
        match text_of {
            None => {
                writer.items.push(Class::Element, step, content, text);
            }
            Some(of) => {
                let at = writer.items.push(Class::Element, step, content, (0, 0));
                writer.items.push(Class::Text, single(0), Content::Value(of), text);
                writer.items.end(at);
            }
        }
        Ok(())
    }

    #[inline]
    fn record(self) -> Result<RecordSer<'a, 'p>, Error> {
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
        let at = writer.items.push(Class::Element, step, element.content, (0, 0));
        Ok(RecordSer { writer, record, plan: record_plan, at, nth: 0, next: 0, is_sorted: true })
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

impl<'a, 'p> ser::Serializer for ElementSer<'a, 'p> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = SequenceSer<'a, 'p>;
    type SerializeTuple = SequenceSer<'a, 'p>;
    type SerializeMap = MapSer<'a, 'p>;
    type SerializeStruct = RecordSer<'a, 'p>;

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

    fn serialize_map(self, _: Option<usize>) -> Result<MapSer<'a, 'p>, Error> {
        Ok(MapSer { record: self.record()?, key: None })
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<SequenceSer<'a, 'p>, Error> {
        if !self.element.repeated {
            return Err(unfit("a sequence", format!("one value, as {} is not repeated", self.element.name)));
        }
        if self.is_item() {
            return Err(unfit("a sequence in a sequence", "values or structs"));
        }
        let ElementSer { writer, element, step } = self;
        writer.enter()?;
        Ok(SequenceSer { writer, element, next: Step { occurrence: 0, ..step } })
    }

    fn serialize_tuple(self, len: usize) -> Result<SequenceSer<'a, 'p>, Error> {
        self.serialize_seq(Some(len))
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<RecordSer<'a, 'p>, Error> {
        self.record()
    }

    tam::__refuse! { ();
        tuple_struct => unfit("a tuple struct", "a struct, a sequence or a value"),
        tuple_variant => unfit("a variant that is a tuple", "a variant without data, or of one value"),
        struct_variant => unfit("a variant that is a struct", "a variant without data, or of one value"),
    }
}

/// Repeated elements.
pub(super) struct SequenceSer<'a, 'p> {
    writer: &'a mut Writer<'p>,
    element: &'p Element,
    next: Step,
}

impl SerializeSeq for SequenceSer<'_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let step = self.next;
        self.next.occurrence += 1;
        value.serialize(ElementSer { writer: self.writer, element: self.element, step })
    }

    fn end(self) -> Result<(), Error> {
        self.writer.levels += 1;
        Ok(())
    }
}

impl SerializeTuple for SequenceSer<'_, '_> {
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
pub(super) struct RecordSer<'a, 'p> {
    writer: &'a mut Writer<'p>,
    record: &'p Record,
    plan: &'p RecordPlan,
    /// Its item.
    at: usize,
    nth: usize,
    /// The least place of the next member, and whether all came in order.
    next: u64,
    is_sorted: bool,
}

impl RecordSer<'_, '_> {
    #[inline]
    fn member<T: Serialize + ?Sized>(&mut self, member: Option<Member>, name: &str, value: &T) -> Result<(), Error> {
        let Some(Member { place, value: simple }) = member else { return self.unknown(name, value) };
        let (class, number) = place;
        let order = class.order(number);
        self.is_sorted &= self.next <= order;
        self.next = order + 1;
        if let Some(of) = simple {
            if let Some(text) = self.writer.text(of.builtin, value)? {
                self.writer.items.push(class, single(number), Content::Value(of), text);
            }
            return Ok(());
        }
        match self.record.elements.get(number as usize) {
            Some(element) => value.serialize(ElementSer::new(self.writer, element, number)),
            None => Ok(()),
        }
    }

    fn named<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.member(RecordPlan::find(name, self.record), name, value)
    }

    /// A field that the schema does not have must be absent.
    #[cold]
    fn unknown<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        match self.writer.text(Builtin::Utf8String, value) {
            Ok(None) => Ok(()),
            _ => Err(unfit(format!("the field {name}"), "an element, @attribute or $text that the schema has there")),
        }
    }

    #[inline]
    fn finish(self) -> Result<(), Error> {
        if !self.is_sorted {
            self.writer.items.end(self.at);
            self.writer.items.sort(self.at);
        }
        self.writer.items.end(self.at);
        self.writer.levels += 1;
        Ok(())
    }
}

impl SerializeStruct for RecordSer<'_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        let member = self.plan.member(self.nth, key, self.record);
        self.nth += 1;
        self.member(member, key, value)
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
pub(super) struct MapSer<'a, 'p> {
    record: RecordSer<'a, 'p>,
    key: Option<String>,
}

impl SerializeMap for MapSer<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let text = self.record.writer.text(Builtin::Utf8String, key)?;
        let no_key = || unfit("another key", "a string for the key of a map");
        self.key = Some(self.record.writer.items.take(text.ok_or_else(no_key)?));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.record.named(&self.key.take().unwrap_or_default(), value)
    }

    fn end(self) -> Result<(), Error> {
        self.record.finish()
    }
}
