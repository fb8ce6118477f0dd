//! Messages into Rust's types.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;

use serde_core::de::{
    self, DeserializeSeed, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde_core::forward_to_deserialize_any;
use tam::{Error, ErrorKind, Words};

use super::{in_item, in_member, placed};
use crate::head::{self, Head, head};
use crate::{FORMAT, Key, Value, key, number};

/// How deep containers can be nested in each other: types that hold themselves recurse.
pub(super) const LEVELS: u32 = 128;

/// Goes through a message, value by value.
pub(super) struct Deserializer<'de> {
    message: &'de [u8],
    /// What is left of the innermost container.
    rest: &'de [u8],
    /// Levels that may still be entered.
    levels: u32,
    /// Levels that may be entered in all.
    depth: u32,
}

impl<'de> Deserializer<'de> {
    /// Over a message that is one node, and whole.
    pub(super) fn new(message: &'de [u8], depth: u32) -> Deserializer<'de> {
        Deserializer { message, rest: message, levels: depth, depth }
    }

    /// Where in the message what is left begins.
    #[inline(always)]
    fn offset(&self) -> usize {
        self.rest.as_ptr().addr() - self.message.as_ptr().addr()
    }

    /// The head of the next node.
    #[inline(always)]
    fn head(&self) -> Result<Head, Error> {
        head(self.rest).ok_or_else(|| head::fault(self.offset(), self.rest, true))
    }

    /// The data of a node whose head has been read. Moves to the next node.
    #[inline(always)]
    fn take(&mut self, head: Head) -> &'de [u8] {
        let (node, rest) = self.rest.split_at(head.end());
        self.rest = rest;
        &node[head.data..]
    }

    /// The value of a node whose head has been read. Moves to the next node.
    #[inline(always)]
    fn value(&mut self, head: Head) -> Value<'de> {
        let at = self.offset() + head.data;
        Value::of(head.tag, self.take(head), at)
    }

    /// Runs `visit` over what is in a container.
    #[inline(always)]
    fn inside<T>(
        &mut self,
        head: Head,
        left_over: &'static str,
        visit: impl FnOnce(&mut Deserializer<'de>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let at = self.offset() + head.data;
        let data = self.take(head);
        if self.levels == 0 {
            return Err(Error::limit(FORMAT, at as u64, "one more level", "depth", self.depth.into()));
        }
        self.levels -= 1;
        let after = core::mem::replace(&mut self.rest, data);
        let visited = visit(self);
        let whole = self.rest.is_empty();
        // After an error too: a type may do without what it could not read.
        self.rest = after;
        self.levels += 1;
        let value = visited?;
        if whole { Ok(value) } else { Err(too_many(at, left_over)) }
    }

    #[inline(always)]
    fn members<V: Visitor<'de>>(
        &mut self,
        head: Head,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.inside(head, "members that the type does not take", |inside| {
            visitor.visit_map(Members { inside, likely: Likely::new(names), key_at: 0, seen: BTreeSet::new() })
        })
    }

    #[inline(always)]
    fn items<V: Visitor<'de>>(&mut self, head: Head, visitor: V) -> Result<V::Value, Error> {
        self.inside(head, "more items than the type takes", |inside| visitor.visit_seq(Items { inside, index: 0 }))
    }

    #[inline(always)]
    fn integer<V: Visitor<'de>>(&mut self, head: Head, visitor: V) -> Result<V::Value, Error> {
        integer(self.value(head), visitor)
    }

    #[inline(always)]
    fn string<V: Visitor<'de>>(&mut self, head: Head, visitor: V) -> Result<V::Value, Error> {
        let value = self.value(head);
        visitor.visit_borrowed_str(value.utf8()?)
    }

    /// A value of any type.
    #[inline(never)]
    fn any<V: Visitor<'de>>(&mut self, head: Head, visitor: V) -> Result<V::Value, Error> {
        match head.tag {
            b's' => return self.string(head, visitor),
            b'i' => return self.integer(head, visitor),
            b'{' => return self.members(head, &[], visitor),
            b'[' => return self.items(head, visitor),
            _ => {}
        }
        let value = self.value(head);
        match head.tag {
            b'd' => visitor.visit_f64(value.as_f64()?),
            b'y' => visitor.visit_borrowed_bytes(value.data()),
            b't' => visitor.visit_bool(true),
            b'f' => visitor.visit_bool(false),
            b'b' => visitor.visit_u8(value.as_byte()?),
            b'c' => visitor.visit_char(value.as_char()?),
            _ => visitor.visit_unit(),
        }
    }
}

/// An integer, of the narrowest type that every visitor of integers takes.
#[inline(always)]
fn integer<'de, V: Visitor<'de>>(value: Value<'de>, visitor: V) -> Result<V::Value, Error> {
    match number::to_u64(value.data()) {
        Some(integer) => visitor.visit_u64(integer),
        None => other_integer(value, visitor),
    }
}

/// An integer that is negative, or needs more than 64 bits.
#[inline(never)]
fn other_integer<'de, V: Visitor<'de>>(value: Value<'de>, visitor: V) -> Result<V::Value, Error> {
    let data = value.data();
    let text = if number::is_integer(data) { value.utf8()? } else { "" };
    match (number::to_i64(data), text.parse(), text.parse()) {
        (Some(integer), ..) => visitor.visit_i64(integer),
        (_, Ok(integer), _) => visitor.visit_i128(integer),
        (_, _, Ok(integer)) => visitor.visit_u128(integer),
        _ => Err(value.bad_integer("an integer of 128 bits")),
    }
}

#[cold]
fn too_many(at: usize, found: &'static str) -> Error {
    Error::new(ErrorKind::Schema, FORMAT, at as u64, found, "no more of them")
}

/// What a type asks for, where the message has it, by a way of its own; all else as any value.
macro_rules! deserialize {
    ($($method:ident $($tag:pat_param)|+ => $read:ident;)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let head = self.head()?;
            if matches!(head.tag, $($tag)|+) { self.$read(head, visitor) } else { self.any(head, visitor) }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let head = self.head()?;
        self.any(head, visitor)
    }

    deserialize! {
        deserialize_str b's' => string;
        deserialize_string b's' => string;
        deserialize_u16 b'i' => integer;
        deserialize_u32 b'i' => integer;
        deserialize_u64 b'i' => integer;
        deserialize_i16 b'i' => integer;
        deserialize_i32 b'i' => integer;
        deserialize_i64 b'i' => integer;
        deserialize_i128 b'i' => integer;
        deserialize_u128 b'i' => integer;
        deserialize_seq b'[' => items;
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = match self.rest.first() {
            Some(b't') => true,
            Some(b'f') => false,
            _ => return self.deserialize_any(visitor),
        };
        self.rest = &self.rest[1..];
        visitor.visit_bool(value)
    }

    #[inline]
    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let &[b'b', byte, ref rest @ ..] = self.rest else { return self.deserialize_u64(visitor) };
        self.rest = rest;
        visitor.visit_u8(byte)
    }

    /// A byte is one of Java's, which are signed (the paper's table 1).
    #[inline]
    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let &[b'b', byte, ref rest @ ..] = self.rest else { return self.deserialize_i64(visitor) };
        self.rest = rest;
        visitor.visit_i8(byte.cast_signed())
    }

    /// The nearest float of 32 bits, not that of the nearest one of 64.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let head = self.head()?;
        if !matches!(head.tag, b'd' | b'i') {
            return self.any(head, visitor);
        }
        let value = self.value(head);
        let is_word = value.data().last().is_some_and(u8::is_ascii_alphabetic);
        match number::parse::<f32>(value.data()) {
            Some(float) if float.is_finite() || is_word => visitor.visit_f32(float),
            _ => Err(value.bad_float("a float of 32 bits")),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let head = self.head()?;
        if !matches!(head.tag, b'd' | b'i') {
            return self.any(head, visitor);
        }
        let value = self.value(head);
        visitor.visit_f64(value.as_f64()?)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let head = self.head()?;
        if !matches!(head.tag, b'y' | b's') {
            return self.any(head, visitor);
        }
        let value = self.value(head);
        visitor.visit_borrowed_bytes(value.data())
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.rest {
            [b'u', rest @ ..] => {
                self.rest = rest;
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let head = self.head()?;
        if head.tag == b'{' { self.members(head, fields, visitor) } else { self.any(head, visitor) }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let head = self.head()?;
        match head.tag {
            b's' => {
                let value = self.value(head);
                let access = Variant { name: Name::Text(value.utf8()?), content: None };
                visitor.visit_enum(access)
            }
            b'{' if head.len > 0 => self.inside(head, "more members than one variant", |inside| {
                let name = Name::Key(inside.key()?);
                visitor.visit_enum(Variant { name, content: Some(inside) })
            }),
            _ => Err(self.value(head).unfit("a variant: a string, or an object of one member")),
        }
    }

    /// What is ignored is skipped whole.
    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let head = self.head()?;
        self.take(head);
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        char unit unit_struct tuple tuple_struct map identifier
    }
}

impl<'de> Deserializer<'de> {
    /// The key of the next member, whose value is the next node then.
    #[inline]
    fn key(&mut self) -> Result<Key<'de>, Error> {
        let at = self.offset();
        let (written, escaped) = self.written_key()?;
        key::checked(written, escaped, at)
    }

    #[inline(always)]
    fn written_key(&mut self) -> Result<(&'de [u8], bool), Error> {
        let Some((end, escaped)) = key::end(self.rest) else { return Err(key::no_end(self.offset(), self.rest)) };
        let (written, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        Ok((written, escaped))
    }

    /// The value that is next. A type that does not look at it has it skipped.
    #[inline(always)]
    pub(super) fn next_value<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let node = self.rest;
        let value = match seed.deserialize(&mut *self) {
            Ok(value) => value,
            Err(error) => return Err(self.failed(error, node)),
        };
        if self.rest.len() == node.len() {
            self.skip()?;
        }
        Ok(value)
    }

    /// The error of a value, which is passed over: a type may do without what it could not read.
    #[cold]
    #[inline(never)]
    fn failed(&mut self, error: Error, node: &'de [u8]) -> Error {
        let error = self.at_node(error, node);
        if self.rest.len() == node.len() && self.skip().is_err() {
            // Nothing can be read after a broken node.
            self.rest = &node[node.len()..];
        }
        error
    }

    #[cold]
    #[inline(never)]
    fn skip(&mut self) -> Result<(), Error> {
        let head = self.head()?;
        self.take(head);
        Ok(())
    }

    /// The error of a type's own code, met at a node.
    #[cold]
    fn at_node(&self, error: Error, node: &'de [u8]) -> Error {
        let at = node.as_ptr().addr() - self.message.as_ptr().addr();
        placed(error, at + head(node).map_or(0, |head| head.data))
    }
}

struct Members<'a, 'de> {
    inside: &'a mut Deserializer<'de>,
    /// The fields of the struct, if it is one.
    likely: Likely,
    /// The position of the key read last in the message.
    key_at: usize,
    /// The keys so far that are integers or booleans to the type.
    seen: BTreeSet<&'de str>,
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        if self.inside.rest.is_empty() {
            return Ok(None);
        }
        self.key_at = self.inside.offset();
        let key = match self.likely.next(self.inside.rest) {
            Some((name, rest)) => {
                self.inside.rest = rest;
                Key::of(name)
            }
            None => self.unlikely_key()?,
        };
        let read = seed.deserialize(MapKey { key, at: self.key_at, seen: &mut self.seen });
        read.map(Some).map_err(|error| in_member(placed(error, self.key_at), &key.to_cow()))
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.inside.next_value(seed) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.in_member(error)),
        }
    }
}

impl<'de> Members<'_, 'de> {
    /// A key that is not the name expected: members are left out, or come in another order.
    #[inline(never)]
    fn unlikely_key(&mut self) -> Result<Key<'de>, Error> {
        let key = self.inside.key()?;
        self.likely.expect_next(key);
        Ok(key)
    }

    #[cold]
    fn in_member(&self, error: Error) -> Error {
        let rest = &self.inside.message[self.key_at..];
        let key = key::end(rest).and_then(|(end, escaped)| key::checked(&rest[..end], escaped, self.key_at).ok());
        match key {
            Some(key) => in_member(error, &key.to_cow()),
            None => error,
        }
    }
}

struct Items<'a, 'de> {
    inside: &'a mut Deserializer<'de>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.inside.rest.is_empty() {
            return Ok(None);
        }
        let index = self.index;
        self.index += 1;
        self.inside.next_value(seed).map(Some).map_err(|error| in_item(error, index))
    }
}

/// Names that keys are likely to be, in this order.
struct Likely {
    names: &'static [&'static str],
    next: usize,
}

impl Likely {
    const fn new(names: &'static [&'static str]) -> Likely {
        Likely { names, next: 0 }
    }

    /// The next name, and what follows it and its `:`, if `rest` begins with them.
    #[inline(always)]
    fn next<'m>(&mut self, rest: &'m [u8]) -> Option<(&'static str, &'m [u8])> {
        let &name = self.names.get(self.next)?;
        let rest = key::strip(rest, name)?;
        self.next += 1;
        Some((name, rest))
    }

    /// Expects the field after that of a key, if it is a field.
    fn expect_next(&mut self, key: Key<'_>) {
        let (before, after) = self.names.split_at(self.next.min(self.names.len()));
        let place = after.iter().position(|name| key == *name).map(|place| before.len() + place);
        if let Some(place) = place.or_else(|| before.iter().position(|name| key == *name)) {
            self.next = place + 1;
        }
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

impl<'de> de::Deserializer<'de> for Name<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Name::Text(text) => visitor.visit_borrowed_str(text),
            Name::Key(key) => match key.as_str() {
                Some(key) => visitor.visit_borrowed_str(key),
                None => visitor.visit_string(key.to_cow().into_owned()),
            },
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The key of a member: a string, or what a string can be read as.
struct MapKey<'a, 'de> {
    key: Key<'de>,
    /// Its position in the message.
    at: usize,
    seen: &'a mut BTreeSet<&'de str>,
}

impl<'de> MapKey<'_, 'de> {
    /// The text of a key that has no other spelling, the first time it comes.
    fn only(&mut self, expected: &'static str, is_only: impl Fn(&str) -> bool) -> Result<&'de str, Error> {
        match self.key.as_str().filter(|text| is_only(text)) {
            Some(text) if self.seen.insert(text) => Ok(text),
            Some(text) => {
                let found = Words::Own(format!("a second member '{text}'"));
                Err(Error::new(ErrorKind::Schema, FORMAT, self.at as u64, found, "each member once"))
            }
            None => Err(Error::invalid_value(Unexpected::Str(&self.key.to_cow()), &expected)),
        }
    }
}

/// Reads the digits of an integer, as this format writes them.
macro_rules! integer_keys {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
            let is_only = |text: &str| number::is_integer(text.as_bytes()) && text != "-0";
            let digits = self.only("an integer without leading zeros as a key", is_only)?;
            integer(Value::of(b'i', digits.as_bytes(), self.at), visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for MapKey<'_, 'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        Name::Key(self.key).deserialize_any(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let text = self.only("true or false as a key", |text| matches!(text, "true" | "false"))?;
        visitor.visit_bool(text == "true")
    }

    integer_keys! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    tam::__transparent_de! {}

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(Variant { name: Name::Key(self.key), content: None })
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// A variant by its name, and its data if it has any.
struct Variant<'a, 'de> {
    name: Name<'de>,
    content: Option<&'a mut Deserializer<'de>>,
}

impl<'a, 'de> EnumAccess<'de> for Variant<'a, 'de> {
    type Error = Error;
    type Variant = Variant<'a, 'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Variant<'a, 'de>), Error> {
        Ok((seed.deserialize(self.name)?, self))
    }
}

impl<'de> Variant<'_, 'de> {
    /// Runs `read` over the data of a variant that must have some.
    fn read<T>(
        self,
        expected: &'static str,
        read: impl FnOnce(&mut Deserializer<'de>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match self.content {
            Some(content) => read(content).map_err(|error| in_member(error, &self.name.to_cow())),
            None => Err(Error::invalid_type(Unexpected::UnitVariant, &expected)),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.content {
            Some(_) => self.read("", |content| de::Deserialize::deserialize(content)),
            None => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.read("a variant with a value", |content| content.next_value(seed))
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
