//! Reads a value into a simple type.

use std::borrow::Cow;
use std::str::FromStr;

use serde_core::de::value::StrDeserializer;
use serde_core::de::{self, EnumAccess, IntoDeserializer, Unexpected, VariantAccess, Visitor};
use tam::Error;
use xml::number::integer;
use xml::white_space::trim;

use super::de_methods::{integers, simple, transparent};
use super::scan::{Raw, Scan};
use crate::escape;
use crate::mime::Parts;
use crate::place::schema;
use crate::reader::moved;

/// A value from a row or cell, or a default of the schema.
pub(super) struct Value<'de, 'p> {
    pub(super) raw: Raw<'de>,
    pub(super) parts: &'p Parts<'de>,
    pub(super) base: usize,
}

impl<'de, 'p> Value<'de, 'p> {
    #[inline(always)]
    pub(super) fn new(scan: &Scan<'de, 'p>, raw: Raw<'de>) -> Value<'de, 'p> {
        Value { raw, parts: scan.parts, base: scan.base }
    }

    /// Its position in the message.
    fn at(&self) -> usize {
        self.base + self.raw.at
    }

    #[inline(always)]
    fn text(&self) -> Result<Cow<'de, str>, Error> {
        if self.raw.escaped { self.decoded() } else { Ok(Cow::Borrowed(self.raw.text)) }
    }

    #[cold]
    fn decoded(&self) -> Result<Cow<'de, str>, Error> {
        escape::decode(self.raw.text).map_err(|error| moved(error, self.at()))
    }

    /// Adds the position of the value to an error.
    #[cold]
    fn placed(&self, error: Error) -> Error {
        if error.format().is_empty() { error.met_in(crate::FORMAT, self.at() as u64) } else { error }
    }

    #[cold]
    fn other(&self, visitor: &dyn de::Expected) -> Error {
        self.placed(de::Error::invalid_value(Unexpected::Str(self.raw.text), visitor))
    }

    /// Parses a text without surrounding white space, by one of XML Schema's rules.
    fn by<T>(&self, rule: impl Fn(&str) -> Option<T>, visitor: &dyn de::Expected) -> Result<T, Error> {
        rule(trim(&self.text()?)).ok_or_else(|| self.other(visitor))
    }

    /// Parses an integer. Most have no sign, and no white space around them.
    #[inline]
    fn number<T: FromStr>(&self, visitor: &dyn de::Expected) -> Result<T, Error> {
        self.raw.text.parse().or_else(|_| self.by(integer::<T>, visitor))
    }

    fn is_empty(&self) -> bool {
        self.raw.text.is_empty()
    }

    fn octets<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.text()?;
        if let Some(id) = text.strip_prefix("cid:") {
            return visitor.visit_borrowed_bytes(self.parts.copied(id, self.at())?);
        }
        match from_base64(&text) {
            Some(octets) => visitor.visit_byte_buf(octets),
            None => Err(schema(self.at(), "text that is not base64", crate::Builtin::OctetString.expected())),
        }
    }
}

/// Decodes base64.
pub(super) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    xml::base64::decode(text, &mut octets).map(|()| octets)
}

impl<'de> de::Deserializer<'de> for Value<'de, '_> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = match self.text()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
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

    simple! {}
    integers! { number placed }
    serde_core::forward_to_deserialize_any! { char seq tuple tuple_struct map struct identifier }
}

/// The name of a variant without data.
pub(super) struct Word<'w>(pub(super) &'w str);

impl<'de> EnumAccess<'de> for Word<'_> {
    type Error = Error;
    type Variant = Alone;

    fn variant_seed<S: de::DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Alone), Error> {
        let name: StrDeserializer<'_, Error> = self.0.into_deserializer();
        Ok((seed.deserialize(name)?, Alone))
    }
}

pub(super) struct Alone;

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
