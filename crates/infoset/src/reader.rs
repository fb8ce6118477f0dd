//! Messages into documents.

use tam::{Builder, Document, Error, ErrorKind, Row, Table, TypeSet, Words};

use crate::Options;
use crate::cursor::{Cursor, Found, Parts, Value};
use crate::message::Message;
use crate::names::Names;
use crate::rules::FORMAT;
use crate::store::Span;
use crate::strings::Strings;

/// Reads a message into a table, as a document of XML ([`TypeSet::XML`]).
///
/// # Errors
/// When the message is not one of Appendix A, or holds what no XML document can.
pub fn read<'a>(message: &'a [u8], options: &Options, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    let end = document(Message::new(message, options)?, table)?;
    check_end(message, end)?;
    Ok(table.document(message, TypeSet::XML))
}

/// Nothing may stand behind a document that ends at a bit of the message.
pub(crate) fn check_end(message: &[u8], end: u64) -> Result<(), Error> {
    let used = end.div_ceil(8) as usize;
    if used >= message.len() {
        return Ok(());
    }
    let found = Words::Count((message.len() - used) as u64, "bytes behind the document");
    Err(Error::new(ErrorKind::Syntax, FORMAT, used as u64, found, "the end of the message"))
}

/// Reads the message that `bytes` begin with, and says how many of them it took.
///
/// # Errors
/// As [`read`].
pub fn read_prefix<'a>(
    bytes: &'a [u8],
    options: &Options,
    table: &'a mut Table<'_>,
) -> Result<(Document<'a>, usize), Error> {
    let end = document(Message::new(bytes, options)?, table)?;
    Ok((table.document(bytes, TypeSet::XML), end.div_ceil(8) as usize))
}

const fn class(kind: u8) -> u16 {
    TypeSet::XML.class(kind)
}

/// An attribute list, and the list around everything.
const LIST: Row = Row::new(class(b'='), 0, 0, 0, 0);

/// Adds what was found to a document.
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
        Found::Over | Found::Failed => {}
    }
    Ok(())
}

fn document(message: Message<'_>, table: &mut Table<'_>) -> Result<u64, Error> {
    let base = message.bytes.len() as u32;
    let mut outline = message.scan()?;
    let (blocks, literals) = (core::mem::take(&mut outline.blocks), core::mem::take(&mut outline.literals));
    let mut parts = Parts {
        store: Strings::new(message, blocks, literals, core::mem::take(table.text_mut()))?,
        names: Names::new(core::mem::take(&mut outline.names), core::mem::take(&mut outline.literal_names), true),
        name: 0,
        text: Span::default(),
        attributes: Vec::new(),
    };
    let mut cursor = Cursor::new(message, outline, true);
    let mut builder = Builder::new(&[], TypeSet::XML, message.limits, table);
    builder.open_row(LIST)?;
    loop {
        cursor.advance_while_plain(&mut parts, |found, parts| add(found, parts, base, &mut builder))?;
        match cursor.advance(&mut parts) {
            Found::Over | Found::Failed => break,
            found => add(found, &parts, base, &mut builder)?,
        }
    }
    if let Some(error) = cursor.failure() {
        return Err(error);
    }
    builder.close()?;
    builder.finish()?;
    let end = cursor.end();
    *table.text_mut() = parts.store.into_text();
    let document = table.document(message.bytes, TypeSet::XML);
    let (first, count) = document.root_rows();
    let (used, list) = (document.units() as u32, document.rows().get(first as usize).copied());
    // What stands outside the root element is known at the end: only then has the list its place.
    if let Some(list) = list.filter(|list| count == 1 && list.len() == 1) {
        table.fill(used - 1, list.value_at(), 1);
    }
    Ok(end)
}
