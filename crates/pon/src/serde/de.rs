//! Messages into Rust's types.

use alloc::borrow::Cow;

use serde_core::de::{
    self, DeserializeSeed, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde_core::forward_to_deserialize_any;
use tam::{Error, ErrorKind};

use super::{in_item, in_member, placed};
use crate::cursor::{Items, Members};
use crate::{FORMAT, Key, Value, number};

/// How deep containers can be nested in each other: types that hold themselves recurse.
const LEVELS: u32 = 128;

pub(super) struct Deserializer<'de> {
    value: Value<'de>,
    /// Levels that may still be entered.
    levels: u32,
}

impl<'de> Deserializer<'de> {
    pub(super) fn new(value: Value<'de>) -> Deserializer<'de> {
        Deserializer { value, levels: LEVELS }
    }

    #[inline(always)]
    fn visit<T>(&self, visited: Result<T, Error>) -> Result<T, Error> {
        visited.map_err(|error| placed(error, self.value.offset()))
    }

    #[inline]
    fn enter(&self) -> Result<u32, Error> {
        self.levels
            .checked_sub(1)
            .ok_or_else(|| Error::limit(FORMAT, self.value.offset() as u64, "one more level", "depth", LEVELS.into()))
    }

    #[inline]
    fn members<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut access = MembersAccess { members: self.value.members(), key: None, levels: self.enter()? };
        let value = self.visit(visitor.visit_map(&mut access))?;
        if access.members.is_empty() { Ok(value) } else { Err(self.more("members that the type does not take")) }
    }

    #[inline]
    fn items<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut access = ItemsAccess { items: self.value.items(), index: 0, levels: self.enter()? };
        let value = self.visit(visitor.visit_seq(&mut access))?;
        match access.items.next() {
            None => Ok(value),
            Some(item) => item.and_then(|_| Err(self.more("more items than the type takes"))),
        }
    }

    #[cold]
    fn more(&self, found: &'static str) -> Error {
        Error::new(ErrorKind::Schema, FORMAT, self.value.offset() as u64, found, "no more of them")
    }

    /// An integer, of the narrowest type that every visitor of integers takes.
    #[inline]
    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let data = self.value.data();
        if let Some(value) = number::to_u64(data) {
            return self.visit(visitor.visit_u64(value));
        }
        if let Some(value) = number::to_i64(data) {
            return self.visit(visitor.visit_i64(value));
        }
        self.wide_integer(visitor)
    }

    #[cold]
    fn wide_integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let data = self.value.data();
        let text = if number::is_integer(data) { self.value.utf8()? } else { "" };
        match (text.parse(), text.parse()) {
            (Ok(value), _) => self.visit(visitor.visit_i128(value)),
            (_, Ok(value)) => self.visit(visitor.visit_u128(value)),
            _ => Err(self.value.bad_integer("an integer of 128 bits")),
        }
    }

    #[inline]
    fn string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.value.utf8()?;
        self.visit(visitor.visit_borrowed_str(text))
    }
}

impl<'de> de::Deserializer<'de> for Deserializer<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.tag() {
            b's' => self.string(visitor),
            b'i' => self.integer(visitor),
            b'{' => self.members(visitor),
            b'[' => self.items(visitor),
            b'd' => {
                let value = self.value.as_f64()?;
                self.visit(visitor.visit_f64(value))
            }
            b'y' => self.visit(visitor.visit_borrowed_bytes(self.value.data())),
            b't' => self.visit(visitor.visit_bool(true)),
            b'f' => self.visit(visitor.visit_bool(false)),
            b'b' => {
                let value = self.value.as_byte()?;
                self.visit(visitor.visit_u8(value))
            }
            b'c' => {
                let value = self.value.as_char()?;
                self.visit(visitor.visit_char(value))
            }
            _ => self.visit(visitor.visit_unit()),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.tag() == b's' { self.string(visitor) } else { self.deserialize_any(visitor) }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.tag() == b'i' { self.integer(visitor) } else { self.deserialize_any(visitor) }
    }

    #[inline]
    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_u64(visitor)
    }

    #[inline]
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_u64(visitor)
    }

    #[inline]
    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_u64(visitor)
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.tag() {
            b't' => self.visit(visitor.visit_bool(true)),
            b'f' => self.visit(visitor.visit_bool(false)),
            _ => self.deserialize_any(visitor),
        }
    }

    /// The nearest float of 32 bits, not that of the nearest one of 64.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if !matches!(self.value.tag(), b'd' | b'i') {
            return self.deserialize_any(visitor);
        }
        match number::parse::<f32>(self.value.data()) {
            Some(value) => self.visit(visitor.visit_f32(value)),
            None => Err(self.value.bad_float()),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if !matches!(self.value.tag(), b'd' | b'i') {
            return self.deserialize_any(visitor);
        }
        let value = self.value.as_f64()?;
        self.visit(visitor.visit_f64(value))
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if matches!(self.value.tag(), b'y' | b's') {
            return self.visit(visitor.visit_borrowed_bytes(self.value.data()));
        }
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.value.tag() == b'{' { self.members(visitor) } else { self.deserialize_any(visitor) }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.tag() == b'[' { self.items(visitor) } else { self.deserialize_any(visitor) }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let at = self.value.offset();
        let access = match self.value.tag() {
            b's' => Variant { name: Name::Text(self.value.utf8()?), content: None },
            b'{' => {
                let levels = self.enter()?;
                let mut members = self.value.members();
                let Some(member) = members.next() else { return Err(self.value.unfit("one member, a variant")) };
                let (key, value) = member?;
                if !members.is_empty() {
                    return Err(self.more("more members than one variant"));
                }
                Variant { name: Name::Key(key), content: Some(Deserializer { value, levels }) }
            }
            _ => return Err(self.value.unfit("a variant: a string, or an object of one member")),
        };
        visitor.visit_enum(access).map_err(|error| placed(error, at))
    }

    /// What is ignored is skipped whole.
    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i128 u8 u16 u128 char unit unit_struct tuple tuple_struct map identifier
    }
}

struct MembersAccess<'de> {
    members: Members<'de>,
    /// The key read last.
    key: Option<Key<'de>>,
    levels: u32,
}

impl<'de> MapAccess<'de> for &mut MembersAccess<'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        if self.members.is_empty() {
            return Ok(None);
        }
        let at = self.members.offset();
        let key = self.members.key()?;
        self.key = Some(key);
        seed.deserialize(Name::Key(key)).map(Some).map_err(|error| in_member(placed(error, at), &key.to_cow()))
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let inner = match self.members.value() {
            Ok(value) => seed.deserialize(Deserializer { value, levels: self.levels }),
            Err(error) => Err(error),
        };
        inner.map_err(|error| match self.key {
            Some(key) => in_member(error, &key.to_cow()),
            None => error,
        })
    }
}

struct ItemsAccess<'de> {
    items: Items<'de>,
    index: usize,
    levels: u32,
}

impl<'de> SeqAccess<'de> for &mut ItemsAccess<'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let inner = match self.items.next() {
            None => return Ok(None),
            Some(Ok(value)) => seed.deserialize(Deserializer { value, levels: self.levels }),
            Some(Err(error)) => Err(error),
        };
        let index = self.index;
        self.index += 1;
        inner.map(Some).map_err(|error| in_item(error, index))
    }
}

/// What names a member or a variant.
#[derive(Clone, Copy)]
enum Name<'de> {
    Key(Key<'de>),
    Text(&'de str),
}

impl<'de> Name<'de> {
    fn to_cow(self) -> Cow<'de, str> {
        match self {
            Name::Key(key) => key.to_cow(),
            Name::Text(text) => Cow::Borrowed(text),
        }
    }
}

/// A name is a string, and so is what can be made of one.
impl<'de> de::Deserializer<'de> for Name<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.to_cow() {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(Variant { name: self, content: None })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A variant by its name, and its data if it has any.
struct Variant<'de> {
    name: Name<'de>,
    content: Option<Deserializer<'de>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Content<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content<'de>), Error> {
        let value = seed.deserialize(self.name)?;
        Ok((value, Content(self)))
    }
}

struct Content<'de>(Variant<'de>);

impl<'de> Content<'de> {
    /// Runs `read` over the data of a variant that must have some.
    fn read<T>(
        self,
        expected: &'static str,
        read: impl FnOnce(Deserializer<'de>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match self.0.content {
            Some(content) => read(content).map_err(|error| in_member(error, &self.0.name.to_cow())),
            None => Err(Error::invalid_type(Unexpected::UnitVariant, &expected)),
        }
    }
}

impl<'de> VariantAccess<'de> for Content<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.0.content {
            Some(_) => self.read("", de::Deserialize::deserialize),
            None => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.read("a variant with a value", |content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.read("a variant with an array", |content| de::Deserializer::deserialize_seq(content, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.read("a variant with an object", |content| {
            de::Deserializer::deserialize_struct(content, "", fields, visitor)
        })
    }
}
