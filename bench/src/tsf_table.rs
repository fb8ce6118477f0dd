//! The table `tsf`: XML documents carried as TSF.

use std::hint::black_box;

use tam::{Table, TypeSet};
use text::xml;

use crate::{
    alloc::allocations,
    compress::{gzip, zstd},
    counts::XmlCounts,
    documents::Document,
    paper,
    report::{Report, Work},
    timing::Contestant,
    xml_peers::{self, Compare, agreeing},
};

/// What each piece of work is, for the tables' headings.
fn about(work: &str) -> &'static str {
    match work {
        "size" => "bytes of the message; the others' in per cent of it",
        "read" => "message into a table that is reused; peers build their tree from XML",
        "read-fresh" => "the same, nothing kept between messages",
        "read-chars" => "character lengths, against byte lengths",
        "write" => "document read from XML into a message, against reading that message",
        "write-copy" => "document read from a message into a message, against reading that message",
        "convert" => "XML text into a message, against XML events alone",
        _ => "",
    }
}

pub(crate) fn run(documents: &[Document], report: &mut Report) {
    let mut sizes = Vec::new();
    for document in documents {
        match measure(document, report) {
            Ok(size) => sizes.push((document.name.as_str(), size)),
            Err(error) => report.fail(&format!("{}: {error}", document.name)),
        }
    }
    report.print(about);
    if report.prints() {
        paper::print(documents, report, |name| sizes.iter().find(|size| size.0 == name).map(|size| size.1));
    }
}

/// All work on one document; gives the size of its message.
fn measure(document: &Document, report: &mut Report) -> Result<usize, String> {
    let input = &document.bytes[..];
    let bytes = tsf::Options::new(TypeSet::XML);
    let chars = bytes.with_lengths(tsf::Lengths::Chars);

    let from_xml = xml::Options::default();
    let mut source = Table::new();
    let source = xml::read(input, &from_xml, &mut source).map_err(|error| error.to_string())?;
    let message = &tsf::write(&source, &bytes).map_err(|error| error.to_string())?[..];
    let message_chars = &tsf::write(&source, &chars).map_err(|error| error.to_string())?[..];
    let counts = XmlCounts::of(&source);
    let namespaces = XmlCounts::namespaces(&source);

    // Every message must say what the XML said.
    for (message, options) in [(message, &bytes), (message_chars, &chars)] {
        let mut table = Table::new();
        let read = tsf::read(message, options, &mut table).map_err(|error| error.to_string())?;
        let found = XmlCounts::of(&read);
        if found != counts || read.units() != source.units() {
            return Err(format!("{:?} lengths: read {found:?}, wrote {counts:?}", options.lengths));
        }
    }

    let work = |name, bytes| Work { name, document: &document.name, bytes, units: counts.units(), ..Work::default() };

    if report.wants("size") {
        let work = work("size", message.len());
        report.size(&work, "xml", input.len());
        report.size(&work, "xml gzip -9", gzip(input));
        report.size(&work, "xml zstd -19", zstd(input));
        report.size(&work, "tsf zstd -19", zstd(message));
    }

    if report.wants("read") {
        let mut all = vec![reading("lengthwise", message, &bytes)];
        let peers = [
            #[cfg(expat)]
            xml_peers::expat(input),
            #[cfg(pugixml)]
            xml_peers::pugixml(input, true),
            #[cfg(rust_peers)]
            xml_peers::rust("quick-xml events", Compare::Attributes, input),
            #[cfg(rust_peers)]
            xml_peers::rust("roxmltree", Compare::Elements, input),
            #[cfg(rust_peers)]
            xml_peers::rust("uppsala events", Compare::All, input),
            #[cfg(rust_peers)]
            xml_peers::rust("uppsala dom", Compare::Attributes, input),
        ];
        for peer in peers {
            all.extend(agreeing(peer, &counts, namespaces, &document.name, report));
        }
        report.race(&work("read", message.len()), all);
    }

    if report.wants("read-fresh") {
        let fresh = || read(message, &bytes, &mut Table::new());
        fresh();
        let mut work = work("read-fresh", message.len());
        work.allocations = Some(allocations(|| {
            black_box(fresh());
        }));
        let mut all = vec![Contestant::new("lengthwise", fresh)];
        let peers = [
            #[cfg(expat)]
            xml_peers::expat_fresh(input),
            #[cfg(pugixml)]
            xml_peers::pugixml(input, false),
            #[cfg(rust_peers)]
            xml_peers::rust("roxmltree", Compare::Elements, input),
        ];
        for peer in peers {
            all.extend(agreeing(peer, &counts, namespaces, &document.name, report));
        }
        report.race(&work, all);
    }

    if report.wants("read-chars") {
        let ours = reading("lengthwise", message_chars, &chars);
        report.race(&work("read-chars", message_chars.len()), vec![ours, reading("tsf bytes", message, &bytes)]);
    }
    if report.wants("write") {
        report
            .race(&work("write", message.len()), vec![writing(&source, &bytes), reading("tsf read", message, &bytes)]);
    }

    if report.wants("write-copy") {
        let mut table = Table::new();
        let copy = tsf::read(message, &bytes, &mut table).map_err(|error| error.to_string())?;
        report.race(
            &work("write-copy", message.len()),
            vec![writing(&copy, &bytes), reading("tsf read", message, &bytes)],
        );
    }

    if report.wants("convert") {
        let (mut table, mut out) = (Table::new(), Vec::new());
        let ours = move || {
            out.clear();
            let read = xml::read(input, &from_xml, &mut table);
            let done = read.and_then(|document| tsf::append(&document, &bytes, &mut out)).is_ok();
            black_box(&out);
            done
        };
        let mut all = vec![Contestant::new("lengthwise", ours)];
        let peers = [
            xml_peers::own_events(input),
            #[cfg(rust_peers)]
            xml_peers::rust("quick-xml events", Compare::Attributes, input),
        ];
        for peer in peers {
            all.extend(agreeing(peer, &counts, namespaces, &document.name, report));
        }
        report.race(&work("convert", input.len()), all);
    }
    Ok(message.len())
}

/// Reads a message; the document is looked at by nobody, but must be there.
fn read(message: &[u8], options: &tsf::Options<'_>, table: &mut Table<'_>) -> bool {
    tsf::read(message, options, table).map(|document| _ = black_box(document)).is_ok()
}

/// Reading a message into a table that is kept.
fn reading<'a>(name: &str, message: &'a [u8], options: &'a tsf::Options<'_>) -> Contestant<'a> {
    let mut table = Table::new();
    Contestant::new(name, move || read(message, options, &mut table))
}

/// Writing a document into a buffer that is kept.
fn writing<'a>(document: &'a tam::Document<'_>, options: &'a tsf::Options<'_>) -> Contestant<'a> {
    let mut out = Vec::new();
    Contestant::new("lengthwise", move || {
        out.clear();
        let done = tsf::append(document, options, &mut out).is_ok();
        black_box(&out);
        done
    })
}
