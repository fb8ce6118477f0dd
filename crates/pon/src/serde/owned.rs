//! [`OwnedValue`] by serde.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{self, MapAccess, SeqAccess, Visitor};
use serde_core::ser;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use super::de::LEVELS;
use crate::{Array, Float, Integer, Object, OwnedValue};

/// A number is what it is worth, not its digits: `21.50` is written as 21.5, and `-0` as 0. Values can be nested 128 deep, as when
/// they are read by serde, since serde recurses.
impl Serialize for OwnedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Nested { value: self, levels: LEVELS }.serialize(serializer)
    }
}

/// A value that can hold so many levels of others.
struct Nested<'v> {
    value: &'v OwnedValue,
    levels: u32,
}

impl<'v> Nested<'v> {
    fn inner<E: ser::Error>(&self) -> Result<impl Fn(&'v OwnedValue) -> Nested<'v>, E> {
        let levels = self.levels.checked_sub(1).ok_or_else(|| E::custom(format_args!("more than {LEVELS} levels")))?;
        Ok(move |value| Nested { value, levels })
    }
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            OwnedValue::Null => serializer.serialize_unit(),
            OwnedValue::Boolean(value) => serializer.serialize_bool(*value),
            OwnedValue::Integer(value) => integer(value, serializer),
            OwnedValue::Float(value) => match value.as_f64() {
                Some(value) => serializer.serialize_f64(value),
                None => Err(ser::Error::custom("a number beyond the largest double")),
            },
            OwnedValue::String(text) => serializer.serialize_str(text),
            OwnedValue::Binary(octets) => serializer.serialize_bytes(octets),
            OwnedValue::Char(value) => serializer.serialize_char(*value),
            OwnedValue::Byte(value) => serializer.serialize_u8(*value),
            OwnedValue::Array(items) => serializer.collect_seq(items.iter().map(self.inner()?)),
            OwnedValue::Object(members) => {
                let inner = self.inner()?;
                serializer.collect_map(members.iter().map(|(key, value)| (key, inner(value))))
            }
        }
    }
}

fn integer<S: Serializer>(value: &Integer, serializer: S) -> Result<S::Ok, S::Error> {
    if let Some(value) = value.as_i64() {
        return serializer.serialize_i64(value);
    }
    if let Some(value) = value.as_u64() {
        return serializer.serialize_u64(value);
    }
    let text = alloc::string::ToString::to_string(value);
    match (text.parse(), text.parse()) {
        (Ok(value), _) => serializer.serialize_i128(value),
        (_, Ok(value)) => serializer.serialize_u128(value),
        _ => Err(ser::Error::custom("an integer of more than 128 bits")),
    }
}

/// Whatever a format has; an octet (`u8`) is a byte, an integer of another type an integer.
impl<'de> Deserialize<'de> for OwnedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OwnedValue, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

/// Makes a value of what a format has.
macro_rules! visits {
    ($($method:ident $type:ty => $made:expr;)*) => {$(
        fn $method<E: de::Error>(self, value: $type) -> Result<OwnedValue, E> {
            Ok($made(value))
        }
    )*};
}

impl<'de> Visitor<'de> for Any {
    type Value = OwnedValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visits! {
        visit_bool bool => OwnedValue::Boolean;
        visit_u8 u8 => OwnedValue::Byte;
        visit_i64 i64 => OwnedValue::from;
        visit_u64 u64 => OwnedValue::from;
        visit_i128 i128 => |value| OwnedValue::Integer(Integer::from(value));
        visit_u128 u128 => |value| OwnedValue::Integer(Integer::from(value));
        visit_f64 f64 => |value| OwnedValue::Float(Float::from(value));
        visit_char char => OwnedValue::Char;
        visit_str &str => OwnedValue::from;
        visit_string String => OwnedValue::String;
        visit_bytes &[u8] => |octets: &[u8]| OwnedValue::Binary(octets.to_owned());
        visit_byte_buf Vec<u8> => OwnedValue::Binary;
    }

    fn visit_unit<E: de::Error>(self) -> Result<OwnedValue, E> {
        Ok(OwnedValue::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<OwnedValue, E> {
        Ok(OwnedValue::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<OwnedValue, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<OwnedValue, D::Error> {
        deserializer.deserialize_any(self)
    }

    // What a format says of the number of items is not trusted with memory.
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<OwnedValue, A::Error> {
        let mut array = Array::default();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<OwnedValue, A::Error> {
        let mut object = Object::default();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(object.into())
    }
}
