//! One element in rows of its own.

use serde_core::de::{self, MapAccess, Visitor};
use tam::Error;

use super::de::skip;
use super::fields::Fields;
use super::record_de::Map;
use super::scan::{Raw, Scan};
use super::value_de::Value;
use crate::schema::{Content, Record};

/// One element in rows of its own. Its path is the text between two positions.
pub(super) struct One<'a, 'de, 'p> {
    pub(super) scan: &'a mut Scan<'de, 'p>,
    pub(super) content: Content,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'de, 'p> One<'_, 'de, 'p> {
    /// Reads the value of the element, or the text of a record.
    #[inline(always)]
    fn value(self) -> Result<Value<'de, 'p>, Error> {
        let One { scan, content, start, end } = self;
        if let Content::Record(_) = content {
            return text(scan, start, end);
        }
        // Its row is the one in which the path was read.
        if scan.at != start {
            return Err(scan.syntax("a row of the element"));
        }
        scan.at = end;
        if matches!(scan.byte(scan.at), Some(b'[' | b'(')) {
            return Err(scan.schema(scan.at, "an element or attribute in a value", "none"));
        }
        let raw = scan.row()?;
        Ok(Value::new(scan, raw))
    }

    fn record(&self) -> Result<&'p Record, Error> {
        self.scan.plan.schema.record(&self.content).ok_or_else(|| {
            self.scan.schema(self.start, "an element that is a value", "one with attributes or elements")
        })
    }

    #[inline(always)]
    fn map<V: Visitor<'de>>(self, fields: Option<&Fields>, visitor: V) -> Result<V::Value, Error> {
        let record = self.record()?;
        let One { scan, content, start, end } = self;
        scan.enter()?;
        let plan = scan.plan.record(&content);
        let mut map = Map::new(scan, record, plan, (start, end), fields);
        let value = visitor.visit_map(&mut map)?;
        map.end()?;
        Ok(value)
    }
}

/// Reads the text of a record for a type that is a simple value.
#[cold]
fn text<'de, 'p>(scan: &mut Scan<'de, 'p>, start: usize, end: usize) -> Result<Value<'de, 'p>, Error> {
    let mut found = Raw { text: "", at: scan.at, escaped: false };
    while scan.is_below(start, end) {
        let path = scan.at;
        scan.at += end - start;
        let mark = scan.byte(scan.at);
        if mark == Some(b'[') {
            scan.at = path;
            return Err(scan.schema(path, "an element in a text", "text and attributes"));
        }
        if mark == Some(b'(') {
            (_, scan.at) = scan.bracketed(scan.at, b')')?;
            scan.row()?;
        } else {
            found = scan.row()?;
        }
        scan.space();
    }
    Ok(Value::new(scan, found))
}

macro_rules! value {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.value()?.$method(visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for One<'_, 'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.content {
            Content::Value(_) => self.value()?.deserialize_any(visitor),
            Content::Record(_) => self.map(None, visitor),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let record = self.record()?;
        let mut other = None;
        let fields = self.scan.plan.record(&self.content).map(|plan| plan.fields(names, record, &mut other));
        self.map(fields, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.map(None, visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.value()?.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.content {
            Content::Value(_) => self.value()?.deserialize_enum(name, variants, visitor),
            // A choice has one member, the chosen alternative.
            Content::Record(_) => self.map(None, AsEnum(visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        skip(self.scan, self.start, self.end, false)?;
        visitor.visit_unit()
    }

    value! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32
        deserialize_f64 deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
        deserialize_unit deserialize_identifier deserialize_seq
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.value()?.deserialize_any(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.value()?.deserialize_any(visitor)
    }
}

/// A record of one member, as an enum.
pub(super) struct AsEnum<V>(pub(super) V);

impl<'de, V: Visitor<'de>> Visitor<'de> for AsEnum<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(de::value::MapAccessDeserializer::new(map))
    }
}
