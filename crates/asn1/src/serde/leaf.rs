//! Names, octets and bits into Rust's types.

use serde_core::de::value::{BorrowedStrDeserializer, SeqDeserializer, U64Deserializer};
use serde_core::de::{self, DeserializeSeed, IntoDeserializer, MapAccess, Visitor};
use serde_core::forward_to_deserialize_any;
use tam::Error;

/// The identifier of a component or an alternative.
#[derive(Clone, Copy)]
pub(super) struct Name<'de>(pub(super) &'de str);

impl<'de> de::Deserializer<'de> for Name<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    tam::__transparent_de! {}

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// The octets of an OCTET STRING: as bytes, or one by one where a sequence is asked for.
#[derive(Clone, Copy)]
pub(super) struct Octets<'de>(pub(super) &'de [u8]);

impl<'de> de::Deserializer<'de> for Octets<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_bytes(self.0)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        SeqDeserializer::new(self.0.iter().copied()).deserialize_seq(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    tam::__transparent_de! {}

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct tuple_struct map struct enum identifier ignored_any
    }
}

/// A BIT STRING.
#[derive(Clone, Copy)]
pub(super) struct Bits<'de> {
    pub(super) octets: &'de [u8],
    pub(super) len: u64,
    /// Whether the type has one length only, so that octets alone are the whole value.
    pub(super) is_fixed: bool,
}

impl<'de> de::Deserializer<'de> for Bits<'de> {
    type Error = Error;

    /// As in X.697: octets of a fixed length, a pair of names otherwise.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_fixed {
            return visitor.visit_borrowed_bytes(self.octets);
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.len.is_multiple_of(8) {
            return visitor.visit_borrowed_bytes(self.octets);
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let bits = self.octets.iter().flat_map(|octet| (0..8).map(move |bit| octet << bit & 0x80 != 0));
        SeqDeserializer::new(bits.take(self.len as usize)).deserialize_seq(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(BitsMembers { bits: self, next: 0 })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit option newtype_struct
        unit_struct tuple_struct enum identifier ignored_any
    }
}

/// A BIT STRING as X.697 has it if its length is not fixed.
struct BitsMembers<'de> {
    bits: Bits<'de>,
    next: u8,
}

impl<'de> MapAccess<'de> for BitsMembers<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let name = match self.next {
            0 => "value",
            1 => "length",
            _ => return Ok(None),
        };
        self.next += 1;
        seed.deserialize(Name(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.next {
            1 => seed.deserialize(Octets(self.bits.octets)),
            _ => seed.deserialize::<U64Deserializer<Error>>(self.bits.len.into_deserializer()),
        }
    }
}
