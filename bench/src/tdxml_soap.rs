//! The messages of the table `tdxml` as SOAP, document/literal, read by the schema of their service into the same records.

use asn1::compiled::Kind;
use asn1::event::Integer;
use asn1::{Value, Values};
use serde::de::value::SeqDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use soap::{Body, Service};
use tdxml::{Builtin, Content, DataSchema, Element};
use x694::xer;
use xsd::{Memory, Options};

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

/// The service whose messages have a data schema.
pub(crate) fn service(schema: &DataSchema) -> Result<Service, tam::Error> {
    let (root, mut types) = (schema.root(), String::new());
    element(schema, root, "", &mut types);
    let description = format!(
        r#"<definitions targetNamespace="{NAMESPACE}" xmlns:t="{NAMESPACE}" xmlns="http://schemas.xmlsoap.org/wsdl/"
    xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <types><xs:schema targetNamespace="{NAMESPACE}">{types}</xs:schema></types>
  <message name="m"><part name="p" element="t:{0}"/></message>
  <portType name="p"><operation name="o"><input message="t:m"/></operation></portType>
  <binding name="b" type="t:p"><soap:binding style="document"/><operation name="o"><input><soap:body use="literal"/></input>
  </operation></binding></definitions>"#,
        root.name
    );
    Service::read(Memory::new().with("s.wsdl", description), "s.wsdl", &Options::default())
}

/// Declares an element. Those of the messages are nested a few levels deep.
fn element(schema: &DataSchema, of: &Element, occurs: &str, out: &mut String) {
    let builtin = match of.content {
        Content::Value(value) => Some(value.builtin),
        content => schema.record(&content).and_then(|record| record.text).map(|text| text.builtin),
    };
    let name = &of.name;
    if let Some(builtin) = builtin {
        let ty = match builtin {
            Builtin::Boolean => "boolean",
            Builtin::Integer => "long",
            Builtin::OctetString => "base64Binary",
            Builtin::Utf8String => "string",
            // The records keep what is not whole as text.
            _ => "token",
        };
        *out += &format!("<xs:element name=\"{name}\" type=\"xs:{ty}\"{occurs}/>");
        return;
    }
    *out += &format!("<xs:element name=\"{name}\"{occurs}><xs:complexType><xs:sequence>");
    for inner in schema.record(&of.content).map_or(&[][..], |record| &record.elements) {
        let occurs = if inner.repeated { " minOccurs=\"0\" maxOccurs=\"unbounded\"" } else { "" };
        element(schema, inner, occurs, out);
    }
    *out += "</xs:sequence></xs:complexType></xs:element>";
}

/// Reads a message into a record.
pub(crate) fn read<T: DeserializeOwned>(service: &Service, message: &[u8], values: &mut Values) -> Result<T, Error> {
    let value = xer::read(message, service.types(), &Options::default(), values).map_err(Error::custom)?;
    match service.message(value).body() {
        Some(Body::Call { value, .. }) => T::deserialize(Whole(value)),
        _ => Err(Error::custom("a fault")),
    }
}

/// A value whose members are taken by their order.
struct Whole<'v>(Value<'v>);

impl<'de> Deserializer<'de> for Whole<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.0;
        match value.kind() {
            Kind::Boolean => visitor.visit_bool(value.as_bool().unwrap_or_default()),
            Kind::Integer(_) => match value.as_integer() {
                Some(Integer::Small(number)) => visitor.visit_i64(number),
                _ => Err(Error::custom("a larger number")),
            },
            Kind::OctetString(_) => visitor.visit_bytes(value.as_octets().unwrap_or_default()),
            Kind::Record(_) => visitor.visit_seq(SeqDeserializer::new(value.members().map(|(_, value)| Whole(value)))),
            Kind::Array(_) => visitor.visit_seq(SeqDeserializer::new(value.items().map(Whole))),
            _ => value.as_str().map_or_else(|| Err(Error::custom("no value")), |text| visitor.visit_str(text)),
        }
    }

    /// A struct around text takes it as its one member.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0.as_str() {
            Some(_) => visitor.visit_seq(SeqDeserializer::new(std::iter::once(self))),
            None => self.deserialize_any(visitor),
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

impl IntoDeserializer<'_, Error> for Whole<'_> {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}
