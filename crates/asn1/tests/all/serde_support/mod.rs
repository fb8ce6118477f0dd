//! Rust types for the module of the tests of JSON, which read values and their JSON text alike, and make values.

use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

#[derive(Debug, PartialEq, Deserialize, Serialize)]
pub(crate) struct Batch {
    station: Station,
    readings: Vec<Reading>,
    tree: Option<Tree>,
    note: Option<String>,
    first: Option<i128>,
    second: Option<Bits>,
    numbers: Option<Vec<i128>>,
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Station {
    id: u16,
    name: String,
    r#where: Place,
    #[serde(default = "mast")]
    kind: Mount,
}

fn mast() -> Mount {
    Mount::Mast
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Place {
    latitude: Float,
    longitude: Float,
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Mount {
    Buoy,
    Mast,
    Ship,
    Drone,
    Glider,
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Reading {
    at: u32,
    celsius: Option<i64>,
    flags: Bits,
    fixed: Bits,
    key: Option<Octets>,
    payload: Octets,
    source: Origin,
    #[serde(default = "yes")]
    valid: bool,
}

fn yes() -> bool {
    true
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Origin {
    Direct,
    Via(String),
    Relative(String),
    Other { text: String, more: Vec<String>, digits: String },
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Tree {
    Leaf(i128),
    Fork { left: Box<Tree>, right: Box<Tree> },
    Same(Box<Tree>),
    List(Vec<Tree>),
}

/// An OCTET STRING: bytes, or the hexadecimal digits of X.697.
#[derive(Debug, PartialEq)]
struct Octets(Vec<u8>);

/// A BIT STRING: bytes or digits of a fixed length; an object otherwise.
#[derive(Debug, PartialEq)]
struct Bits(Vec<u8>, Option<u64>);

/// A REAL; all that is no number is alike.
#[derive(Debug)]
struct Float(f64);

impl PartialEq for Float {
    fn eq(&self, other: &Float) -> bool {
        self.0.to_bits() == other.0.to_bits() || self.0.is_nan() && other.0.is_nan()
    }
}

#[derive(Deserialize, Serialize)]
struct Length {
    value: Octets,
    length: u64,
}

impl Serialize for Octets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.1 {
            None => serializer.serialize_bytes(&self.0),
            Some(length) => Length { value: Octets(self.0.clone()), length }.serialize(serializer),
        }
    }
}

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

macro_rules! by_any {
    ($($type:ident { $($method:ident($from:ty) => $make:expr;)* })*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                struct It;
                impl<'de> Visitor<'de> for It {
                    type Value = $type;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(stringify!($type))
                    }
                    $(fn $method<E: Error>(self, value: $from) -> Result<$type, E> { Ok($make(value)) })*
                    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<$type, A::Error> {
                        FromMap::from_map(map)
                    }
                }
                deserializer.deserialize_any(It)
            }
        }
    )*};
}

by_any! {
    Octets {
        visit_bytes(&[u8]) => |value: &[u8]| Octets(value.to_vec());
        visit_str(&str) => |value: &str| Octets(crate::support::hex(value));
    }
    Bits {
        visit_bytes(&[u8]) => |value: &[u8]| Bits(value.to_vec(), None);
        visit_str(&str) => |value: &str| Bits(crate::support::hex(value), None);
    }
    Float {
        visit_f64(f64) => Float;
        visit_i64(i64) => |value| Float(value as f64);
        visit_u64(u64) => |value| Float(value as f64);
        visit_str(&str) => |value: &str| Float(value.replace("INF", "inf").parse().unwrap());
    }
}

trait FromMap {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>
    where
        Self: Sized;
}

impl FromMap for Octets {
    fn from_map<'de, A: MapAccess<'de>>(_: A) -> Result<Octets, A::Error> {
        Err(A::Error::custom("octets in an object"))
    }
}

impl FromMap for Bits {
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Bits, A::Error> {
        let bits = Length::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Ok(Bits(bits.value.0, Some(bits.length)))
    }
}

impl FromMap for Float {
    fn from_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Float, A::Error> {
        // A number is an object as well where another crate's tests turn on serde_json's `arbitrary_precision`.
        let Some(("base10Value" | "$serde_json::private::Number", text)) = map.next_entry::<&str, String>()? else {
            return Err(A::Error::custom("another object"));
        };
        Ok(Float(text.parse().unwrap()))
    }
}
