//! A value of any kind by serde, as `serde_json::Value` is one of JSON's.

use std::fmt;
use std::slice::Iter;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

use super::{Data, Unit};

/// Strings and bytes keep whether they were lent from the message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Dynamic {
    Null,
    Boolean(bool),
    Signed(i128),
    Unsigned(u128),
    Float(f64),
    String(String, bool),
    Binary(Vec<u8>, bool),
    Char(char),
    Byte(u8),
    Array(Vec<Dynamic>),
    Object(Vec<(String, Dynamic)>),
}

impl<'de> Deserialize<'de> for Dynamic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Dynamic, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

/// One method a kind: those that take no more than to wrap their value.
macro_rules! wrap {
    ($($method:ident($value:ident: $type:ty) => $result:expr;)*) => {$(
        fn $method<E>(self, $value: $type) -> Result<Dynamic, E> {
            Ok($result)
        }
    )*};
}

impl<'de> Visitor<'de> for Any {
    type Value = Dynamic;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    wrap! {
        visit_bool(value: bool) => Dynamic::Boolean(value);
        visit_i64(value: i64) => Dynamic::Signed(value.into());
        visit_i128(value: i128) => Dynamic::Signed(value);
        visit_u8(value: u8) => Dynamic::Byte(value);
        visit_u64(value: u64) => Dynamic::Unsigned(value.into());
        visit_u128(value: u128) => Dynamic::Unsigned(value);
        visit_f64(value: f64) => Dynamic::Float(value);
        visit_char(value: char) => Dynamic::Char(value);
        visit_str(value: &str) => Dynamic::String(value.to_owned(), false);
        visit_borrowed_str(value: &'de str) => Dynamic::String(value.to_owned(), true);
        visit_bytes(value: &[u8]) => Dynamic::Binary(value.to_vec(), false);
        visit_borrowed_bytes(value: &'de [u8]) => Dynamic::Binary(value.to_vec(), true);
    }

    fn visit_unit<E>(self) -> Result<Dynamic, E> {
        Ok(Dynamic::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Dynamic, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Dynamic::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Dynamic, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = members.next_entry()? {
            all.push(member);
        }
        Ok(Dynamic::Object(all))
    }
}

impl Serialize for Dynamic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Dynamic::Null => serializer.serialize_unit(),
            Dynamic::Boolean(value) => serializer.serialize_bool(*value),
            Dynamic::Signed(value) => serializer.serialize_i128(*value),
            Dynamic::Unsigned(value) => serializer.serialize_u128(*value),
            Dynamic::Float(value) => serializer.serialize_f64(*value),
            Dynamic::String(value, _) => serializer.serialize_str(value),
            Dynamic::Binary(value, _) => serializer.serialize_bytes(value),
            Dynamic::Char(value) => serializer.serialize_char(*value),
            Dynamic::Byte(value) => serializer.serialize_u8(*value),
            Dynamic::Array(items) => serializer.collect_seq(items),
            Dynamic::Object(members) => serializer.collect_map(members.iter().map(|(key, value)| (key, value))),
        }
    }
}

/// Whether a value is what the next units say.
pub(crate) fn is(value: &Dynamic, units: &mut Iter<'_, Unit>) -> bool {
    let Some(unit) = units.next() else { return false };
    match (value, &unit.data) {
        (Dynamic::Null, Data::Null) => true,
        (Dynamic::Boolean(value), Data::Boolean(data)) => value == data,
        (Dynamic::Signed(value), Data::Integer(text)) => text.parse() == Ok(*value),
        (Dynamic::Unsigned(value), Data::Integer(text)) => text.parse() == Ok(*value) || *value == 0 && text == "-0",
        (Dynamic::Float(value), Data::Float(text)) => {
            text.parse::<f64>().is_ok_and(|nearest| nearest == *value || nearest.is_nan() && value.is_nan())
        }
        (Dynamic::String(value, borrowed), Data::String(text)) => value == text && *borrowed,
        (Dynamic::Binary(value, borrowed), Data::Binary(octets)) => value == octets && *borrowed,
        (Dynamic::Char(value), Data::Char(c)) => value == c,
        (Dynamic::Byte(value), Data::Byte(byte)) => value == byte,
        (Dynamic::Array(items), Data::Array(count)) => {
            items.len() == *count && items.iter().all(|item| is(item, units))
        }
        (Dynamic::Object(members), Data::Object(count)) => {
            members.len() == *count
                && members.iter().all(|(key, value)| {
                    units.as_slice().first().is_some_and(|unit| unit.key.as_ref() == Some(key)) && is(value, units)
                })
        }
        _ => false,
    }
}
