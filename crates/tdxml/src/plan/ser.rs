//! Writes Rust types as messages.

use serde_core::ser::{self, Serialize};
use tam::{Error, Words};

use super::Plan;
use super::columns::{self, Kind, Node};
use super::fields::RowEnd;
use super::parts;
use super::path::Path;
use super::ser_rows::ElementSer;
use super::value_ser::Value;
use crate::Binary;
use crate::place::schema;

/// Writes a value as a message: the envelope, after the octets that it refers to if these are written as parts.
#[inline(always)]
pub(super) fn write<T: Serialize + ?Sized>(plan: &Plan, value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut envelope = Vec::new();
    let mut parts = None;
    if plan.binary == Binary::Mime {
        envelope.reserve(1024);
        parts = Some(parts::Writer::new(std::mem::take(out)));
    }
    let rows = if parts.is_some() { &mut envelope } else { &mut *out };
    plan.head.put(rows);
    let mut writer = Writer { plan, out: rows, path: Path::new(), parts: parts.as_mut(), levels: columns::LEVELS };
    // The only call site, so that it can be inlined.
    let written = value.serialize(ElementSer::new(&mut writer, &plan.schema.root, 0));
    plan.tail.put(rows);
    if let Some(parts) = parts {
        *out = parts.finish(&envelope);
    }
    written
}

/// The state of writing.
pub(super) struct Writer<'w, 'p> {
    pub(super) plan: &'p Plan,
    pub(super) out: &'w mut Vec<u8>,
    /// The path of the element being written in rows of its own.
    pub(super) path: Path,
    /// The parts that rows refer to, if octets are written as parts; the envelope follows them.
    pub(super) parts: Option<&'w mut parts::Writer>,
    pub(super) levels: u32,
}

impl Writer<'_, '_> {
    #[inline(always)]
    pub(super) fn enter(&mut self) -> Result<(), Error> {
        match self.levels.checked_sub(1) {
            Some(levels) => {
                self.levels = levels;
                Ok(())
            }
            None => Err(Error::limit(crate::FORMAT, 0, "one more level", "depth", columns::LEVELS.into())),
        }
    }

    /// Writes a row with the current path and this end; no row if the value is absent.
    #[inline(always)]
    pub(super) fn row<T: Serialize + ?Sized>(&mut self, end: &RowEnd, value: &T) -> Result<(), Error> {
        value.serialize(Value { writer: self, form: end })
    }
}

#[cold]
pub(super) fn unfit(found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    schema(0, found, expected)
}

/// Octets, in the form that serde needs.
pub(super) struct Octets<'b>(pub(super) &'b [u8]);

impl Serialize for Octets<'_> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// A field that the schema does not have must be absent.
#[cold]
pub(super) fn unknown<T: Serialize + ?Sized>(name: &str, value: &T) -> Result<(), Error> {
    match value.serialize(super::value_ser::IsNothing) {
        Ok(true) => Ok(()),
        _ => Err(unfit(format!("the field {name}"), "an element, @attribute or $text that the schema has there")),
    }
}

/// Writes a value as a row of a group.
#[inline]
pub(super) fn row<T: Serialize + ?Sized>(writer: &mut Writer<'_, '_>, node: &Node, value: &T) -> Result<(), Error> {
    value.serialize(super::ser_cells::CellSer { writer, node })?;
    match writer.out.last_mut() {
        Some(last) if *last == b'|' => *last = b'\n',
        // The count has already ended its line.
        _ if !node.items.is_empty() => {}
        _ => writer.out.push(b'\n'),
    }
    Ok(())
}

/// Writes the cells of an absent element.
pub(super) fn nothing(writer: &mut Writer<'_, '_>, kind: &Kind) {
    match kind {
        Kind::Record(_, node) => writer.out.extend_from_slice(&node.blank),
        Kind::Group(..) => writer.out.extend_from_slice(b"0\n"),
        _ => writer.out.push(b'|'),
    }
}
