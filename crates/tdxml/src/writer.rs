//! Writing documents as messages.

use tam::{Document, Error, Table};

use crate::collect::{Collected, collect};
use crate::row_writer::{self, Room};
use crate::soap::soap_body;
use crate::{FORMAT, Options, envelope, mime};

/// Writes a document as a message.
///
/// # Errors
/// Of kind unsupported, with path and position, if the document contains what a table cannot hold: mixed content,
/// comments, instructions, a DOCTYPE (left out with [`Options::drop_mixed`] and [`Options::drop_comments`]), characters
/// that XML does not allow. Of kind schema if it does not match [`Options::schema`].
pub fn write(document: &Document<'_>, options: &Options<'_>) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    append(document, options, &mut out)?;
    Ok(out)
}

/// Appends a document as a message to `out`. On an error `out` is unchanged.
///
/// # Errors
/// Those of [`write()`].
pub fn append(document: &Document<'_>, options: &Options<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut body = Table::new();
    let body = if options.soap { soap_body(document, &mut body)? } else { None };
    let document = body.as_ref().unwrap_or(document);
    let collected = collect(document, options)?;
    let id = options.schema.and_then(|schema| schema.id());
    if options.by_reference && id.is_none() {
        let expected = "a schema that has an identifier";
        return Err(Error::new(tam::ErrorKind::Unsupported, FORMAT, 0, "no schema to refer to", expected));
    }
    let notation = (!options.by_reference).then(|| collected.schema.to_string());
    let mut table = Vec::new();
    row_writer::write(&collected.items, options.scheme, &mut Room::default(), b"", &mut table)?;
    let parts = collected.items.parts();
    if parts.is_empty() {
        surround(&table, notation.as_deref(), id, options, out);
        return Ok(());
    }
    let mut inner = Vec::new();
    surround(&table, notation.as_deref(), id, options, &mut inner);
    mime::write(&inner, parts, out);
    Ok(())
}

fn surround(table: &[u8], notation: Option<&str>, id: Option<&str>, options: &Options<'_>, out: &mut Vec<u8>) {
    out.reserve(table.len() + notation.map_or(0, str::len) + 128);
    envelope::start(options.tags, options.soap, id, notation, out);
    out.extend_from_slice(table);
    envelope::end(options.tags, options.soap, out);
}

/// Infers the data schema that a document is written with if none is given.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// # use ::text as lengthwise_text;
/// let xml = b"<order id='17'><item>tea</item><item>milk</item></order>";
/// let mut table = lengthwise_tam::Table::new();
/// let document = lengthwise_text::xml::read(xml, &lengthwise_text::xml::Options::default(), &mut table)?;
/// let schema = lengthwise_tdxml::infer(&document, &lengthwise_tdxml::Options::default())?;
/// let notation = "order [0] ::= SEQUENCE {\n id(0) [ATTRIBUTE] INTEGER\n item[0] SEQUENCE OF UTF8String }";
/// assert_eq!(schema.to_string(), notation);
/// # Ok::<(), lengthwise_tam::Error>(())
/// ```
///
/// # Errors
/// Those of [`write()`].
pub fn infer(document: &Document<'_>, options: &Options<'_>) -> Result<crate::DataSchema, Error> {
    let Collected { schema, .. } = collect(document, &Options { schema: None, ..*options })?;
    Ok(schema.into_owned())
}
