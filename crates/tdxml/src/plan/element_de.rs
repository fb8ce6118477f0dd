//! One element in rows of its own.

use serde_core::de::{self, MapAccess, Visitor};
use tam::Error;

use super::de::skip;
use super::de_methods::{element, forward, transparent};
use super::fields::Fields;
use super::record_de::Map;
use super::scan::{Raw, Scan};
use super::value_de::Value;
use crate::schema::Content;

/// One element in rows of its own. Its path is the text between two positions.
pub(super) struct ElementDe<'a, 'de, 'p> {
    pub(super) scan: &'a mut Scan<'de, 'p>,
    pub(super) content: Content,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'de, 'p> ElementDe<'_, 'de, 'p> {
    /// Reads the value of the element, or the text of a record.
    #[inline(always)]
    fn value(self) -> Result<Value<'de, 'p>, Error> {
        let ElementDe { scan, content, start, end } = self;
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

    #[inline(always)]
    fn map<V: Visitor<'de>>(self, fields: Option<&Fields>, visitor: V) -> Result<V::Value, Error> {
        let ElementDe { scan, content, start, end } = self;
        let Some(record) = scan.plan.schema.record(&content) else {
            return Err(scan.schema(start, "an element that is a value", "one with attributes or elements"));
        };
        scan.enter()?;
        let plan = scan.plan.record(&content);
        let mut map = Map::new(scan, record, plan, (start, end), fields);
        let value = visitor.visit_map(&mut map)?;
        map.end()?;
        Ok(value)
    }

    fn content(&self) -> Content {
        self.content
    }

    fn skip(self) -> Result<(), Error> {
        skip(self.scan, self.start, self.end, false)
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

impl<'de> de::Deserializer<'de> for ElementDe<'_, 'de, '_> {
    type Error = Error;

    element! {}
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
