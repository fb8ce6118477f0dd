//! Messages into documents.

use asn1::EncodingRules;
use tam::{Builder, Document, Error, ErrorKind, Row, Table, TypeSet, Words};

use crate::Options;
use crate::ber::Ber;
use crate::cursor::{Cursor, Found};
use crate::per::Per;
use crate::rules::{FORMAT, Rules};
use crate::scan::named;
use crate::strings::Span;

/// Reads a message into a table, as a document of XML ([`TypeSet::XML`]).
///
/// # Errors
/// When the message is not one of Appendix A, or holds what no XML document can.
pub fn read<'a>(message: &'a [u8], options: &Options, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    let used = fill(message, options, table)?;
    if used < message.len() {
        let found = Words::Count((message.len() - used) as u64, "bytes behind the document");
        return Err(Error::new(ErrorKind::Syntax, FORMAT, used as u64, found, "the end of the message"));
    }
    Ok(table.document(message, TypeSet::XML))
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
    let used = fill(bytes, options, table)?;
    Ok((table.document(bytes, TypeSet::XML), used))
}

fn fill(message: &[u8], options: &Options, table: &mut Table<'_>) -> Result<usize, Error> {
    match options.rules {
        EncodingRules::Uper => document(Per::<false>::new(message), message, options, table),
        EncodingRules::Aper => document(Per::<true>::new(message), message, options, table),
        _ => document(Ber::new(message), message, options, table),
    }
}

const fn class(kind: u8) -> u16 {
    TypeSet::XML.class(kind)
}

fn document<R: Rules>(r: R, message: &[u8], options: &Options, table: &mut Table<'_>) -> Result<usize, Error> {
    let base = message.len() as u32;
    let text = core::mem::take(table.text_mut());
    let mut cursor = Cursor::new(r, message.len(), &options.limits, text)?;
    let mut builder = Builder::new(&[], TypeSet::XML, options.limits, table);
    let primitive = |kind: u8, span: Span| Row::new(class(kind), 0, 0, base + span.at, span.len);
    let list = Row::new(class(b'='), 0, 0, 0, 0);
    builder.open_row(list)?;
    loop {
        let found = cursor.advance().map_err(|error| named(&error))?;
        match found {
            Found::Start | Found::Leaf => {
                let name = cursor.names.name(cursor.name).qualified;
                builder.open_row(Row::new(class(b'<'), base + name.at, name.len, 0, 0))?;
                if !cursor.attributes.is_empty() {
                    let names = &cursor.names;
                    builder.list_rows(
                        list,
                        cursor.attributes.iter().map(|attribute| {
                            let (name, value) = (names.name(attribute.name).qualified, attribute.value);
                            Row::new(class(b'['), base + name.at, name.len, base + value.at, value.len)
                        }),
                    )?;
                }
                if found == Found::Leaf {
                    if cursor.text.len > 0 {
                        builder.primitive_row(primitive(b'[', cursor.text))?;
                    }
                    builder.close()?;
                }
            }
            Found::End => builder.close()?,
            Found::Text => builder.primitive_row(primitive(b'[', cursor.text))?,
            Found::Comment => builder.primitive_row(primitive(b'+', cursor.text))?,
            Found::Instruction => builder.primitive_row(primitive(b'?', cursor.text))?,
            Found::Doctype => builder.primitive_row(primitive(b'!', cursor.text))?,
            Found::Over => break,
        }
    }
    builder.close()?;
    builder.finish()?;
    let end = cursor.end();
    *table.text_mut() = cursor.strings.into_text();
    let document = table.document(message, TypeSet::XML);
    let (first, count) = document.root_rows();
    let (used, list) = (document.units() as u32, document.rows().get(first as usize).copied());
    // What stands outside the root element is known at the end: only then has the list its place.
    if let Some(list) = list.filter(|list| count == 1 && list.len() == 1) {
        table.fill(used - 1, list.value_at(), 1);
    }
    Ok(end.div_ceil(8) as usize)
}
