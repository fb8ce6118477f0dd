//! Documents into messages.

use asn1::EncodingRules;
use tam::{Document, Error};

use crate::chain::Chain;
use crate::collect::{Collected, collect};
use crate::compression::compress;
use crate::order::Tables;
use crate::{Options, Strings, ber_writer, per_writer};

/// Writes a document as a message.
///
/// # Errors
/// When the document is not one of XML.
pub fn write(document: &Document<'_>, options: &Options) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    append(document, options, &mut out)?;
    Ok(out)
}

/// Writes a document as a message behind what `out` holds already.
///
/// On an error `out` is as it was.
///
/// # Errors
/// As [`write()`].
pub fn append(document: &Document<'_>, options: &Options, out: &mut Vec<u8>) -> Result<(), Error> {
    let chain = Chain::default();
    let collected = collect(document, options, chain.end())?;
    let tables = Tables::new(&collected, options);
    let blocks = blocks(&collected, &tables, options)?;
    match options.rules {
        EncodingRules::Uper => per_writer::write::<false>(&collected, &tables, &blocks, options.paper, out),
        EncodingRules::Aper => per_writer::write::<true>(&collected, &tables, &blocks, options.paper, out),
        _ => ber_writer::write(&collected, &tables, &blocks, options.paper, out),
    }
    Ok(())
}

/// The strings in blocks.
fn blocks(collected: &Collected<'_>, tables: &Tables, options: &Options) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let strings = collected.strings.entries();
    let mut block = Vec::new();
    for number in &tables.string_order {
        if let Some(entry) = strings.get(*number as usize) {
            block.extend_from_slice(entry.text);
            block.push(0);
        }
    }
    if options.strings != Strings::None {
        let mut packed = Vec::new();
        compress(&block, options.strings, &mut packed)?;
        block = packed;
    }
    Ok(vec![(options.strings.as_str().to_owned(), block)])
}
