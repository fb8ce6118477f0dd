//! The table `infoset`: XML documents as the XML Infoset in ASN.1.

use std::hint::black_box;

use tam::Table;
use text::xml;

use crate::{
    counts::XmlCounts,
    documents::Document,
    report::{Report, Work},
    timing::Contestant,
    xml_peers::{self, agreeing},
};

/// What each piece of work is, for the tables' headings.
fn about(work: &str) -> &'static str {
    match work {
        "copy" => "a document into another table, rows and texts",
        "read-xml" => "XML text into a document",
        "write-xml" => "document into XML text",
        _ => "",
    }
}

pub(crate) fn run(documents: &[Document], report: &mut Report) {
    for document in documents {
        if let Err(error) = measure(document, report) {
            report.fail(&format!("{}: {error}", document.name));
        }
    }
    report.print(about);
}

/// All work on one document.
fn measure(document: &Document, report: &mut Report) -> Result<(), String> {
    let (name, input) = (document.name.as_str(), &document.bytes[..]);
    let from_xml = xml::Options::default();
    let mut source = Table::new();
    let source = xml::read(input, &from_xml, &mut source).map_err(|error| error.to_string())?;
    let counts = XmlCounts::of(&source);
    let namespaces = XmlCounts::namespaces(&source);
    let work = |name, bytes| Work { name, document: &document.name, bytes, units: counts.units(), ..Work::default() };

    if report.wants("read-xml") {
        let mut table = Table::new();
        let ours = move || xml::read(input, &from_xml, &mut table).map(|document| _ = black_box(document)).is_ok();
        let mut all = vec![Contestant::new("lengthwise", ours)];
        let peers = [
            #[cfg(expat)]
            xml_peers::expat(input),
            #[cfg(expat)]
            xml_peers::expat_events(input),
            #[cfg(pugixml)]
            xml_peers::pugixml(input, true),
        ];
        for peer in peers {
            all.extend(agreeing(peer, &counts, namespaces, name, report));
        }
        report.race(&work("read-xml", input.len()), all);
    }

    if report.wants("write-xml") {
        let mut out = Vec::new();
        xml::write(&source, &from_xml, &mut out).map_err(|error| error.to_string())?;
        let bytes = out.len();
        let ours = || {
            out.clear();
            let done = xml::write(&source, &from_xml, &mut out).is_ok();
            black_box(&out);
            done
        };
        let mut all = vec![Contestant::new("lengthwise", ours)];
        #[cfg(pugixml)]
        all.extend(agreeing(xml_peers::pugixml_write(input), &counts, namespaces, name, report));
        report.race(&work("write-xml", bytes), all);
    }

    if report.wants("copy") {
        let mut table = Table::new();
        copy(&source, &mut table);
        let copied = XmlCounts::of(&table.document(b"", source.types()));
        if copied != counts {
            return Err(format!("a copy has {copied:?} of {counts:?}"));
        }
        let mut all = vec![Contestant::new("lengthwise", || copy(black_box(&source), &mut table))];
        #[cfg(pugixml)]
        all.extend(agreeing(xml_peers::pugixml_copy(input), &counts, namespaces, name, report));
        report.race(&work("copy", input.len()), all);
    }
    Ok(())
}

/// Copies a document into a table: rows as they are, and the texts they point to, in their order.
fn copy(from: &tam::Document<'_>, table: &mut Table<'_>) -> bool {
    let (rows, (message, beside), (first, roots)) = (from.rows(), from.texts(), from.root_rows());
    table.clear();
    if !table.make_room(rows.len()) {
        return false;
    }
    table.room()[..rows.len()].copy_from_slice(rows);
    let text = table.text_mut();
    text.extend_from_slice(message);
    text.extend_from_slice(beside);
    table.fill(rows.len() as u32, first, roots);
    black_box(table.text());
    true
}
