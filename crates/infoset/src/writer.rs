//! Writing documents as messages.

use asn1::EncodingRules;
use tam::{Document, Error};

use crate::block::Block;
use crate::chain::Chain;
use crate::collect::{Collected, collect};
use crate::compression::compress;
use crate::order::Tables;
use crate::{Options, Properties, Strings, ber_writer, per_writer};

/// Writes a document as a message.
///
/// # Errors
/// If the document is not one of XML.
pub fn write(document: &Document<'_>, options: &Options<'_>) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    append(document, options, &mut out)?;
    Ok(out)
}

/// Appends a document to `out` as a message. On an error `out` is unchanged.
///
/// # Errors
/// Those of [`write()`].
pub fn append(document: &Document<'_>, options: &Options<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    append_with(document, &Properties::default(), options, out)
}

/// Like [`append`], with properties that a document does not hold. With [`Options::paper`] they are ignored, because
/// the paper's program did not write them.
///
/// # Errors
/// Those of [`write()`], and if a property is not XML text.
pub fn append_with(
    document: &Document<'_>,
    properties: &Properties<'_>,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let chain = Chain::default();
    let mut collected = collect(document, properties, options, chain.end())?;
    let tables = Tables::new(&collected, options);
    if options.paper {
        // In the paper's program the version was the first string, whatever it is.
        collected.properties.version = tables.string_order.first().copied();
    }
    let blocks = blocks(&collected, &tables, options)?;
    match options.rules {
        EncodingRules::Uper => per_writer::write::<false>(&collected, &tables, &blocks, out),
        EncodingRules::Aper => per_writer::write::<true>(&collected, &tables, &blocks, out),
        _ => ber_writer::write(&collected, &tables, &blocks, out),
    }
    Ok(())
}

/// The strings in blocks: algorithm and octets of each. Only compressed strings are split into several blocks; each
/// then has its number of strings, so that a reader can skip it.
fn blocks(collected: &Collected<'_>, tables: &Tables, options: &Options<'_>) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let strings = collected.strings.entries();
    let is_cut = options.strings != Strings::None && !options.paper;
    let most = if is_cut { options.block_bytes as usize } else { usize::MAX };
    let is_short = |text: &[u8]| options.cuts_by_length() && text.len() < options.compress_from as usize;
    let mut blocks = Vec::new();
    let mut block = Part { algorithm: options.strings, octets: Vec::new(), count: 0 };
    for (at, number) in tables.string_order.iter().enumerate() {
        let Some(entry) = strings.get(*number as usize) else { continue };
        let algorithm = if is_short(entry.text) { Strings::None } else { options.strings };
        if at == 0 {
            block.algorithm = algorithm;
        } else if block.algorithm != algorithm || algorithm != Strings::None && block.octets.len() >= most {
            blocks.push(core::mem::replace(&mut block, Part { algorithm, octets: Vec::new(), count: 0 }));
        }
        block.octets.extend_from_slice(entry.text);
        block.octets.push(0);
        block.count += 1;
    }
    blocks.push(block);
    let are_several = blocks.len() > 1;
    let shared =
        options.shared.filter(|_| tables.has_shared).map(|shared| Ok((Block::shared_name(shared), Vec::new())));
    let pack = |Part { algorithm, octets, count }: Part| {
        let name = Block::name(algorithm, are_several.then_some(count));
        if algorithm == Strings::None {
            return Ok((name, octets));
        }
        let mut packed = Vec::new();
        compress(&octets, algorithm, &mut packed)?;
        Ok((name, packed))
    };
    shared.into_iter().chain(blocks.into_iter().map(pack)).collect()
}

/// The strings of a block.
struct Part {
    algorithm: Strings,
    octets: Vec<u8>,
    count: usize,
}
