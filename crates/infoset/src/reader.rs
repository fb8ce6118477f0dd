//! Reading messages into documents.

use tam::{Builder, Document, Error, ErrorKind, Limits, Row, Table, TypeSet, Words};

use crate::Options;
use crate::cursor::{Cursor, Found, Parts, Value};
use crate::message::Message;
use crate::names::Names;
use crate::rules::FORMAT;
use crate::store::{Span, Store};
use crate::strings::Strings;

/// Reads a message into a table, as a document of XML ([`TypeSet::XML`]; [`TypeSet::XML_REFERENCES`] if it has references to
/// entities and [`Options::entity_references`] keeps them).
///
/// # Errors
/// If the message is not one of Appendix A, or has content that no XML document can hold.
pub fn read<'a>(message: &'a [u8], options: &Options<'_>, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    let (_, types) = document(Message::new(message, options)?, table, true)?;
    Ok(table.document(message, types))
}

/// Checks that nothing follows a document that ends at bit `end`.
pub(crate) fn check_end(message: &[u8], end: u64) -> Result<(), Error> {
    let used = end.div_ceil(8) as usize;
    if used >= message.len() {
        return Ok(());
    }
    let found = Words::Count((message.len() - used) as u64, "bytes after the document");
    Err(Error::new(ErrorKind::Syntax, FORMAT, used as u64, found, "the end of the message"))
}

/// Reads the message at the start of `bytes`, and returns its length too.
///
/// # Errors
/// Those of [`read`].
pub fn read_prefix<'a>(
    bytes: &'a [u8],
    options: &Options<'_>,
    table: &'a mut Table<'_>,
) -> Result<(Document<'a>, usize), Error> {
    let (end, types) = document(Message::new(bytes, options)?, table, false)?;
    Ok((table.document(bytes, types), end.div_ceil(8) as usize))
}

const fn class(kind: u8) -> u16 {
    TypeSet::XML_REFERENCES.class(kind)
}

/// An attribute list, and the list around everything.
const LIST: Row = Row::new(class(b'='), 0, 0, 0, 0);

/// Adds an item to a document.
#[inline(always)]
fn add(
    found: Found,
    parts: &Parts<Strings<'_>, Span>,
    base: u32,
    builder: &mut Builder<'_, '_, '_>,
) -> Result<(), Error> {
    let primitive = |kind: u8| Row::new(class(kind), 0, 0, base + parts.text.at, parts.text.len);
    match found {
        Found::Start | Found::Leaf => {
            let name = parts.names.name(parts.name).qualified;
            builder.open_row(Row::new(class(b'<'), base + name.at, name.len, 0, 0))?;
            if !parts.attributes.is_empty() {
                let row = |attribute: &Value<Span>| {
                    let (name, value) = (parts.names.name(attribute.name).qualified, attribute.value);
                    Row::new(class(b'['), base + name.at, name.len, base + value.at, value.len)
                };
                builder.list_rows(LIST, parts.attributes.iter().map(row))?;
            }
            if found == Found::Leaf {
                if parts.text.len > 0 {
                    builder.primitive_row(primitive(b'['))?;
                }
                builder.close()?;
            }
        }
        Found::End => builder.close()?,
        Found::Text => builder.primitive_row(primitive(b'['))?,
        Found::Comment => builder.primitive_row(primitive(b'+'))?,
        Found::Instruction => builder.primitive_row(primitive(b'?'))?,
        Found::Doctype => builder.primitive_row(primitive(b'!'))?,
        Found::EntityReference => builder.primitive_row(primitive(b'&'))?,
        Found::Over | Found::Failed => {}
    }
    Ok(())
}

/// Reads a document, and returns the bit where it ends, and its type set. Nothing may follow it if `is_all`.
fn document(message: Message<'_>, table: &mut Table<'_>, is_all: bool) -> Result<(u64, &'static TypeSet), Error> {
    let base = message.bytes.len() as u32;
    let mut outline = message.scan()?;
    if is_all {
        check_end(message.bytes, outline.end)?;
    }
    let types = if !outline.entity_references.is_empty() { TypeSet::XML_REFERENCES } else { TypeSet::XML };
    let mut parts = Parts {
        store: Strings::new(message, &mut outline, core::mem::take(table.text_mut()))?,
        names: Names::new(core::mem::take(&mut outline.names), core::mem::take(&mut outline.literal_names), true),
        name: 0,
        text: Span::default(),
        attributes: Vec::new(),
    };
    let mut cursor = Cursor::new(message, outline, true);
    // The list around everything is not part of the document, unless the root element has siblings.
    let Limits { depth, units, .. } = message.limits;
    let limits = Limits { depth: depth.saturating_add(1), units: units.saturating_add(1), ..message.limits };
    let mut builder = Builder::new(&[], TypeSet::XML, limits, table);
    builder.open_row(LIST)?;
    let filled = loop {
        let plain = cursor.advance_while_plain(&mut parts, |found, parts| add(found, parts, base, &mut builder));
        if plain.is_err() {
            break plain;
        }
        let added = match cursor.advance(&mut parts) {
            Found::Over | Found::Failed => break Ok(()),
            found => add(found, &parts, base, &mut builder),
        };
        if added.is_err() {
            break added;
        }
    };
    if let Some(error) = cursor.failure() {
        return Err(error);
    }
    if let Err(error) = filled {
        let is_units = matches!(error.expected(), Words::AtMost(_, "units"));
        let error = if is_units { too_many(units) } else { error.met_in(FORMAT, 0) };
        return Err(cursor.located_last(error));
    }
    builder.close()?;
    builder.finish()?;
    let (end, said) = (cursor.end(), cursor.properties());
    // A document does not hold these, but the strings they refer to must exist.
    for number in [Some(said.encoding), said.base_uri, said.version].into_iter().flatten().filter(|n| *n != 0) {
        let found = parts.store.numbered(number);
        found.map_err(|error| if error.bit().is_some() { error } else { error.at_bit(end) })?;
    }
    *table.text_mut() = parts.store.into_text();
    let document = table.document(message.bytes, TypeSet::XML);
    let (first, count) = document.root_rows();
    let (used, list) = (document.units() as u32, document.rows().get(first as usize).copied());
    // Siblings of the root element are known only at the end, and with them the position of the list.
    if let Some(list) = list.filter(|list| count == 1 && list.len() == 1) {
        table.fill(used - 1, list.value_at(), 1);
    } else if used > units {
        return Err(too_many(units));
    }
    Ok((end, types))
}

#[cold]
fn too_many(units: u32) -> Error {
    Error::limit(FORMAT, 0, "one more unit", "units", units.into())
}
