//! The table `infoset`: XML documents as the XML Infoset in ASN.1.

use std::{cell::RefCell, hint::black_box, rc::Rc};

use tam::Table;
use text::xml;

use crate::{
    compress::{bzip2, gzip, zstd},
    counts::XmlCounts,
    documents::Document,
    infoset_ours::{self as ours, TIMED},
    infoset_paper, infoset_relative,
    jvm::{self, Jvm, Loaded, Reader},
    report::{Report, Work},
    timing::Contestant,
    xml_peers::{self, XmlPeer, agreeing},
};

/// What each piece of work is, for the tables' headings.
fn about(work: &str) -> &'static str {
    match work {
        "size" => "bytes of the message under UPER, nothing compressed; the others' in per cent of it",
        "copy" => "a document into another table, rows and texts",
        "read-xml" => "XML text into a document",
        "write-xml" => "document into XML text",
        "read" => {
            "message (UPER) into a document; peers build their tree from XML, those in Java from their own message too"
        }
        "events" => "message (UPER) read piece by piece; peers the XML, those in Java their own message too",
        "write" => "document into a message (UPER), against reading and writing XML",
        "read-aper" | "events-aper" | "write-aper" => "the same under APER",
        "read-ber" | "events-ber" | "write-ber" => "the same under BER",
        "read-deflate" | "events-deflate" | "write-deflate" => "the same, strings under deflate",
        "read-bzip2" | "events-bzip2" | "write-bzip2" => "the same, strings under bzip2",
        "read-zstd" | "events-zstd" | "write-zstd" => "the same, strings under zstd",
        _ => "",
    }
}

pub(crate) fn run(documents: &[Document], report: &mut Report) {
    let works = ["size", "read", "events"];
    let jvm = works.iter().any(|work| report.wants(work)).then(Jvm::start);
    let jvm = match jvm {
        Some(Err(error)) => {
            eprintln!("bench: the Java peers are left out: {error}");
            None
        }
        Some(Ok(jvm)) => {
            if report.prints() {
                let versions = jvm.borrow_mut().versions();
                println!("Java peers: {}", versions.unwrap_or_else(|error| error));
            }
            Some(jvm)
        }
        None => None,
    };
    for document in documents {
        if let Err(error) = measure(document, jvm.as_ref(), report) {
            report.fail(&format!("{}: {error}", document.name));
        }
    }
    report.print(about);
    if report.prints() {
        infoset_relative::print(documents, report);
        infoset_paper::print(documents, report);
    }
}

/// A document that is measured, and what is known of it.
struct Subject<'a> {
    name: &'a str,
    xml: &'a [u8],
    source: tam::Document<'a>,
    counts: XmlCounts,
    /// Attributes that declare namespaces, and the bytes of their values.
    namespaces: (u64, u64),
}

impl<'a> Subject<'a> {
    fn work(&self, name: &'static str, bytes: usize) -> Work<'a> {
        Work { name, document: self.name, bytes, units: self.counts.units(), ..Work::default() }
    }

    /// Those of the peers that find what we do.
    fn agreeing<'p>(&self, peers: impl IntoIterator<Item = XmlPeer<'p>>, report: &mut Report) -> Vec<Contestant<'p>> {
        let agrees = |peer| agreeing(peer, &self.counts, self.namespaces, self.name, report);
        peers.into_iter().filter_map(agrees).collect()
    }

    /// Those of the Java peers that find what we do.
    fn in_java<'p>(&self, java: Option<&Loaded>, readers: &[Reader], report: &mut Report) -> Vec<Contestant<'p>> {
        let mut all = Vec::new();
        for &reader in readers {
            match java.map(|java| java.reading(reader, &self.counts, self.namespaces.0)) {
                Some(Ok(contestant)) => all.push(contestant),
                Some(Err(error)) => report.fail(&format!("{}: {} is left out: {error}", self.name, reader.1)),
                None => {}
            }
        }
        all
    }
}

/// All work on one document.
fn measure(document: &Document, jvm: Option<&Rc<RefCell<Jvm>>>, report: &mut Report) -> Result<(), String> {
    let (name, xml) = (document.name.as_str(), &document.bytes[..]);
    let mut table = Table::new();
    let source = xml::read(xml, &xml::Options::default(), &mut table).map_err(|error| error.to_string())?;
    let (counts, namespaces) = (XmlCounts::of(&source), XmlCounts::namespaces(&source));
    let subject = Subject { name, xml, source, counts, namespaces };
    let java = jvm.map(|jvm| Loaded::new(jvm, xml)).transpose();
    let (java, java_sizes) = match java {
        Ok(java) => java.unzip(),
        Err(error) => {
            report.fail(&format!("{name}: the Java peers are left out: {error}"));
            (None, None)
        }
    };

    if report.wants("size") {
        sizes(&subject, &java_sizes.unwrap_or_default(), report)?;
    }
    for variant in &TIMED {
        let plain = variant.read == "read";
        let message = message(&subject, &variant.options)?;
        if report.wants(variant.read) {
            let mut all = vec![ours::reading(&message, &variant.options)];
            let peers = [
                #[cfg(expat)]
                xml_peers::expat(xml),
                #[cfg(pugixml)]
                xml_peers::pugixml(xml, true),
            ];
            all.extend(subject.agreeing(peers, report));
            if plain {
                all.extend(subject.in_java(java.as_ref(), &jvm::TREES, report));
            }
            report.race(&subject.work(variant.read, message.len()), all);
        }
        if report.wants(variant.events) {
            let found = ours::drain(&message, &variant.options).map_err(|error| error.to_string())?;
            if totals(&found) != totals(&subject.counts) {
                return Err(format!("events give {found:?} of {:?}", subject.counts));
            }
            let mut all = vec![ours::draining(&message, &variant.options)];
            let peers = [
                #[cfg(expat)]
                xml_peers::expat(xml),
                #[cfg(expat)]
                xml_peers::expat_events(xml),
            ];
            all.extend(subject.agreeing(peers, report));
            all.push(ours::skimming(&message, &variant.options));
            if plain {
                all.extend(subject.in_java(java.as_ref(), &jvm::EVENTS, report));
            }
            report.race(&subject.work(variant.events, message.len()), all);
        }
        if report.wants(variant.write) {
            let mut all = vec![ours::writing(&subject.source, &variant.options)];
            let peers = [
                #[cfg(expat)]
                xml_peers::expat(xml),
                #[cfg(pugixml)]
                xml_peers::pugixml_write(xml),
            ];
            all.extend(subject.agreeing(peers, report));
            report.race(&subject.work(variant.write, message.len()), all);
        }
    }
    text_and_trees(&subject, report)
}

/// A message that says what the document said.
fn message(subject: &Subject<'_>, options: &infoset::Options) -> Result<Vec<u8>, String> {
    let message = infoset::write(&subject.source, options).map_err(|error| error.to_string())?;
    let mut table = Table::new();
    let read = infoset::read(&message, options, &mut table).map_err(|error| error.to_string())?;
    let (found, wanted) = (XmlCounts::of(&read), subject.counts);
    if totals(&found) == totals(&wanted) { Ok(message) } else { Err(format!("read {found:?}, wrote {wanted:?}")) }
}

/// What an infoset keeps of the counts: a CDATA section is text in it, and joins the text beside it.
fn totals(counts: &XmlCounts) -> [u64; 4] {
    [counts.elements, counts.attributes, counts.name_bytes, counts.value_bytes]
}

/// Sizes of the document in all forms; the first is what the others are shown beside.
fn sizes(subject: &Subject<'_>, java: &[(&str, usize)], report: &mut Report) -> Result<(), String> {
    let message = message(subject, &TIMED[0].options)?;
    let work = subject.work("size", message.len());
    let xml = subject.xml;
    report.size(&work, "xml", xml.len());
    report.size(&work, "xml gzip -9", gzip(xml));
    report.size(&work, "xml bzip2 -9", bzip2(xml));
    report.size(&work, "xml zstd -19", zstd(xml));
    for (name, size) in java {
        report.size(&work, name, *size);
    }
    for (name, options) in ours::all() {
        let message = infoset::write(&subject.source, &options).map_err(|error| error.to_string())?;
        report.size(&work, &name, message.len());
        if infoset_paper::FORMS.contains(&name.as_str()) {
            report.size(&work, &format!("{name}, gzip -9"), gzip(&message));
        }
    }
    Ok(())
}

/// The operations of the paper that know nothing of ASN.1.
fn text_and_trees(subject: &Subject<'_>, report: &mut Report) -> Result<(), String> {
    let (xml, source) = (subject.xml, &subject.source);
    let options = xml::Options::default();
    if report.wants("read-xml") {
        let mut table = Table::new();
        let ours = move || xml::read(xml, &options, &mut table).map(|document| _ = black_box(document)).is_ok();
        let mut all = vec![Contestant::new("lengthwise", ours)];
        let peers = [
            #[cfg(expat)]
            xml_peers::expat(xml),
            #[cfg(expat)]
            xml_peers::expat_events(xml),
            #[cfg(pugixml)]
            xml_peers::pugixml(xml, true),
        ];
        all.extend(subject.agreeing(peers, report));
        report.race(&subject.work("read-xml", xml.len()), all);
    }
    if report.wants("write-xml") {
        let mut out = Vec::new();
        xml::append(source, &options, &mut out).map_err(|error| error.to_string())?;
        let bytes = out.len();
        let ours = || {
            out.clear();
            let done = xml::append(black_box(source), &options, &mut out).is_ok();
            black_box(&out);
            done
        };
        let mut all = vec![Contestant::new("lengthwise", ours)];
        #[cfg(pugixml)]
        all.extend(subject.agreeing([xml_peers::pugixml_write(xml)], report));
        report.race(&subject.work("write-xml", bytes), all);
    }
    if report.wants("copy") {
        let mut table = Table::new();
        copy(source, &mut table);
        let copied = XmlCounts::of(&table.document(b"", source.types()));
        if copied != subject.counts {
            return Err(format!("a copy has {copied:?} of {:?}", subject.counts));
        }
        let mut all = vec![Contestant::new("lengthwise", || copy(black_box(source), &mut table))];
        #[cfg(pugixml)]
        all.extend(subject.agreeing([xml_peers::pugixml_copy(xml)], report));
        report.race(&subject.work("copy", xml.len()), all);
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
