//! Reads a value into a simple type.

use std::borrow::Cow;
use std::str::FromStr;

use serde_core::de::value::StrDeserializer;
use serde_core::de::{self, EnumAccess, IntoDeserializer, Unexpected, VariantAccess, Visitor};
use tam::Error;
use xml::number::{self, integer};
use xml::white_space::trim;

use crate::escape;
use crate::mime::Parts;
use crate::place::schema;
use crate::reader::moved;
use crate::row_reader::Raw;

/// A value of a row or cell, or a default of the schema.
#[derive(Clone, Copy)]
pub(super) enum ValueDe<'de, 'p> {
    Row(Raw<'de>),
    /// Octets, which are checked when they are decoded, and may be in a part.
    Octets(Raw<'de>, &'p Parts<'de>),
    Default(&'p str),
}

impl<'de, 'p> ValueDe<'de, 'p> {
    #[inline(always)]
    fn written(&self) -> &str {
        match self {
            ValueDe::Row(raw) | ValueDe::Octets(raw, _) => raw.text,
            ValueDe::Default(text) => text,
        }
    }

    #[inline(always)]
    fn text(&self) -> Result<Cow<'_, str>, Error> {
        match self {
            ValueDe::Row(raw) | ValueDe::Octets(raw, _) if raw.escaped => {
                escape::decode(raw.text).map_err(|error| moved(error, raw.at()))
            }
            other => Ok(Cow::Borrowed(other.written())),
        }
    }

    /// Adds the position of the value to an error.
    #[cold]
    fn placed(&self, error: Error) -> Error {
        match self {
            ValueDe::Row(raw) | ValueDe::Octets(raw, _) if error.format().is_empty() => {
                error.met_in(crate::FORMAT, raw.at() as u64)
            }
            _ => error,
        }
    }

    #[cold]
    fn other(&self, visitor: &dyn de::Expected) -> Error {
        self.placed(de::Error::invalid_value(Unexpected::Str(self.written()), visitor))
    }

    /// Parses a text without surrounding white space, by one of XML Schema's rules.
    fn by<T>(&self, rule: impl Fn(&str) -> Option<T>, visitor: &dyn de::Expected) -> Result<T, Error> {
        rule(trim(&self.text()?)).ok_or_else(|| self.other(visitor))
    }

    /// Parses an integer. Most have no sign, and no white space around them.
    #[inline]
    fn number<T: FromStr>(&self, visitor: &dyn de::Expected) -> Result<T, Error> {
        self.written().parse().or_else(|_| self.by(integer::<T>, visitor))
    }
}

/// Methods that parse a text by a rule of XML Schema.
macro_rules! parsed {
    ($($method:ident => $visit:ident: $rule:expr,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let value = self.by($rule, &visitor)?;
            visitor.$visit(value)
        }
    )*};
}

macro_rules! integers {
    ($($method:ident => $visit:ident,)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let number = self.number(&visitor)?;
            visitor.$visit(number).map_err(|error| self.placed(error))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for ValueDe<'de, '_> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let ValueDe::Octets(..) = self {
            self.deserialize_bytes(de::IgnoredAny)?;
        }
        let value = match self {
            ValueDe::Row(Raw { text, escaped: false, .. }) | ValueDe::Octets(Raw { text, escaped: false, .. }, _) => {
                visitor.visit_borrowed_str(text)
            }
            ValueDe::Row(..) | ValueDe::Octets(..) => visitor.visit_string(self.text()?.into_owned()),
            ValueDe::Default(text) => visitor.visit_str(text),
        };
        value.map_err(|error| self.placed(error))
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let name = self.text()?;
        visitor.visit_enum(Word(trim(&name))).map_err(|error| self.placed(error))
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.text()?;
        if let (ValueDe::Octets(raw, parts), Some(id)) = (self, text.strip_prefix("cid:")) {
            return visitor.visit_borrowed_bytes(parts.copied(id, raw.at())?);
        }
        let mut octets = Vec::new();
        match (xml::base64::decode(&text, &mut octets), self) {
            (Some(()), _) => visitor.visit_byte_buf(octets),
            (None, ValueDe::Row(raw) | ValueDe::Octets(raw, _)) => {
                Err(schema(raw.at(), "text that is not base64", crate::Builtin::OctetString.expected()))
            }
            (None, ValueDe::Default(_)) => Err(self.other(&visitor)),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.written().is_empty() { visitor.visit_unit() } else { Err(self.other(&visitor)) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            ValueDe::Octets(..) => self.deserialize_bytes(visitor),
            _ => self.text().and_then(|_| visitor.visit_unit()),
        }
    }

    parsed! {
        deserialize_bool => visit_bool: number::boolean, deserialize_f32 => visit_f32: number::float,
        deserialize_f64 => visit_f64: number::double,
    }
    integers! {
        deserialize_i8 => visit_i8, deserialize_i16 => visit_i16, deserialize_i32 => visit_i32,
        deserialize_i64 => visit_i64, deserialize_i128 => visit_i128, deserialize_u8 => visit_u8,
        deserialize_u16 => visit_u16, deserialize_u32 => visit_u32, deserialize_u64 => visit_u64,
        deserialize_u128 => visit_u128,
    }
    tam::__transparent_de! {}
    serde_core::forward_to_deserialize_any! { char seq tuple tuple_struct map struct identifier }
}

/// The name of a variant without data.
struct Word<'w>(&'w str);

impl<'de> EnumAccess<'de> for Word<'_> {
    type Error = Error;
    type Variant = Alone;

    fn variant_seed<S: de::DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Alone), Error> {
        let name: StrDeserializer<'_, Error> = self.0.into_deserializer();
        Ok((seed.deserialize(name)?, Alone))
    }
}

struct Alone;

impl Alone {
    #[cold]
    fn other() -> Error {
        de::Error::invalid_type(Unexpected::UnitVariant, &"a variant with data")
    }
}

impl<'de> VariantAccess<'de> for Alone {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: de::DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Error> {
        Err(Alone::other())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(Alone::other())
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Error> {
        Err(Alone::other())
    }
}
