//! Rust's types into messages.

use serde_core::ser::{self, Serialize};
use tam::{Error, Words};

use super::Plan;
use super::columns::{self, Kind, Node};
use super::fields::RowEnd;
use super::path::Path;
use super::ser_rows::ElementSer;
use super::value_ser::{Form, Value};
use crate::Binary;
use crate::mime;
use crate::place::schema;

/// Writes a value as a message.
#[inline(always)]
pub(super) fn write<T: Serialize + ?Sized>(plan: &Plan, value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
    match plan.binary {
        Binary::Base64 => envelope(plan, value, out, None),
        Binary::Mime => with_parts(plan, value, out),
    }
}

/// Writes a value as an envelope behind the octets that it names: these are written where they stay.
#[inline(never)]
fn with_parts<T: Serialize + ?Sized>(plan: &Plan, value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut parts = mime::Writer::new(std::mem::take(out));
    let mut rows = Vec::with_capacity(1024);
    let written = envelope(plan, value, &mut rows, Some(&mut parts));
    *out = parts.finish(&rows);
    written
}

#[inline(always)]
fn envelope<T: Serialize + ?Sized>(
    plan: &Plan,
    value: &T,
    out: &mut Vec<u8>,
    parts: Option<&mut mime::Writer>,
) -> Result<(), Error> {
    out.extend_from_slice(&plan.head);
    let mut writer = Writer { plan, out, path: Path::new(), parts, levels: columns::LEVELS };
    value.serialize(ElementSer::new(&mut writer, &plan.schema.root, 0))?;
    out.extend_from_slice(&plan.tail);
    Ok(())
}

/// What is written, and where.
pub(super) struct Writer<'w, 'p> {
    pub(super) plan: &'p Plan,
    pub(super) out: &'w mut Vec<u8>,
    /// The path of the element that is being written in rows of its own.
    pub(super) path: Path,
    /// The envelope is behind the parts that rows name; how many of these there are.
    pub(super) parts: Option<&'w mut mime::Writer>,
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

    /// A row of the path that is being written and how it ends; none where there is no value.
    #[inline(always)]
    pub(super) fn row<T: Serialize + ?Sized>(&mut self, end: &RowEnd, value: &T) -> Result<(), Error> {
        let form = Form::Row(self.out.len());
        self.path.put(self.out);
        end.put(self.out);
        value.serialize(Value { writer: self, builtin: end.builtin, form })
    }
}

#[cold]
pub(super) fn unfit(found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    schema(0, found, expected)
}

/// Octets, as serde asks for them.
pub(super) struct Octets<'b>(pub(super) &'b [u8]);

impl Serialize for Octets<'_> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// A field that the schema has nothing for has to be nothing.
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
        // A count has ended its line.
        _ if !node.items.is_empty() => {}
        _ => writer.out.push(b'\n'),
    }
    Ok(())
}

/// The cells of an element that is not there.
pub(super) fn nothing(writer: &mut Writer<'_, '_>, kind: &Kind) {
    match kind {
        Kind::Record(_, node) => writer.out.extend_from_slice(&node.blank),
        Kind::Group(..) => writer.out.extend_from_slice(b"0\n"),
        _ => writer.out.push(b'|'),
    }
}
