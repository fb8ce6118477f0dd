//! The messages of the table `tdxml` as SOAP, document/literal, read by our own regular mode into the same records.

use dds::{Array, Body, Items, Member, Reader, Style, TypeId, Value};
use serde::de::value::SeqDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use tdxml::{Builtin, Content, DataSchema, Element};

type Error = serde::de::value::Error;

const NAMESPACE: &str = "urn:tdxml-bench";

/// A message around XML that has neither a declaration nor namespaces.
pub(crate) fn message(xml: &str) -> Vec<u8> {
    let root_end = xml.find(['>', '/']).unwrap_or(xml.len());
    let root = &xml[1..root_end];
    let inner = xml[root_end..].strip_suffix(&format!("</{root}>")).unwrap_or_default();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope \
         xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><soap:Body>\
         <m:{root} xmlns:m=\"{NAMESPACE}\"{inner}</m:{root}></soap:Body></soap:Envelope>"
    )
    .into_bytes()
}

/// A reader for the messages of a data schema.
pub(crate) fn reader(schema: &DataSchema) -> Reader {
    let mut of = dds::Schema::new();
    let root = schema.root();
    let ty = content(schema, root, &mut of);
    of.method(NAMESPACE, &root.name, ty, Style::Literal);
    Reader::new(of, &dds::Options::default())
}

/// The type of an element. Those of the messages are nested a few levels deep.
fn content(schema: &DataSchema, element: &Element, of: &mut dds::Schema) -> TypeId {
    let simple = |builtin| match builtin {
        Builtin::Boolean => dds::Simple::Boolean,
        Builtin::Integer => dds::Simple::Long,
        // The records keep what is not whole as text.
        Builtin::Real => dds::Simple::Decimal,
        Builtin::OctetString => dds::Simple::Base64,
        Builtin::Utf8String => dds::Simple::String,
        _ => dds::Simple::Token,
    };
    let builtin = match element.content {
        Content::Value(value) => Some(value.builtin),
        content => schema.record(&content).and_then(|record| record.text).map(|text| text.builtin),
    };
    if let Some(builtin) = builtin {
        return of.simple(simple(builtin));
    }
    let elements = schema.record(&element.content).map_or(&[][..], |record| &record.elements);
    let members: Vec<Member> = elements
        .iter()
        .map(|inner| {
            let member = Member::new(&inner.name, content(schema, inner, of));
            if inner.repeated { member.many() } else { member }
        })
        .collect();
    of.sequence(members)
}

/// Reads a message into a record.
pub(crate) fn read<T: DeserializeOwned>(reader: &Reader, message: &[u8]) -> Result<T, Error> {
    match reader.read(message).map_err(Error::custom)?.body {
        Body::Call { value, .. } => T::deserialize(Whole(value)),
        _ => Err(Error::custom("a fault")),
    }
}

/// A value that hands on what it owns; members by their order.
struct Whole(Value);

impl<'de> Deserializer<'de> for Whole {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Boolean(value) => visitor.visit_bool(value),
            Value::Long(value) => visitor.visit_i64(value),
            Value::Text(text) => visitor.visit_string(text),
            Value::Binary(octets) => visitor.visit_byte_buf(octets),
            Value::Record(members) => visitor.visit_seq(SeqDeserializer::new(members.into_iter().map(Whole))),
            Value::Array(array) => {
                visitor.visit_seq(SeqDeserializer::new((0..array.len()).map(|at| Item { array: &array, at })))
            }
            _ => Err(Error::custom("no value")),
        }
    }

    /// A struct around text takes it as its one member.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Text(_) => visitor.visit_seq(SeqDeserializer::new(std::iter::once(self))),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Whole {
    type Deserializer = Whole;
    fn into_deserializer(self) -> Whole {
        self
    }
}

/// One item of an array whose members are in columns.
struct Item<'a> {
    array: &'a Array,
    at: usize,
}

impl<'de> Deserializer<'de> for Item<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let at = self.at;
        match self.array.items() {
            Items::Boolean(items) => visitor.visit_bool(items[at]),
            Items::Long(items) => visitor.visit_i64(items[at]),
            Items::Text(items) => visitor.visit_str(&items[at]),
            Items::Columns(columns) => {
                visitor.visit_seq(SeqDeserializer::new(columns.iter().map(|array| Item { array, at })))
            }
            _ => Whole(self.array.get(at).unwrap_or_default()).deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Item<'_> {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}
