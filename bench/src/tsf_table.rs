//! The table `tsf`: XML documents carried as TSF.

use std::hint::black_box;

use tam::{Table, TypeSet};

use crate::{
    alloc::allocations,
    counts::XmlCounts,
    documents::Document,
    paper,
    report::{Report, Work},
    timing::Contestant,
    xml_peers::{self, Compare, XmlPeer},
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

pub(crate) fn run(documents: &[Document], report: &mut Report) -> Result<(), String> {
    let mut sizes = Vec::new();
    for document in documents {
        let size = measure(document, report).map_err(|error| format!("{}: {error}", document.name))?;
        sizes.push((document.name.as_str(), size));
    }
    report.print(about);
    if report.prints() {
        paper::print(documents, report, |name| sizes.iter().find(|size| size.0 == name).map(|size| size.1));
    }
    Ok(())
}

/// All work on one document; gives the size of its message.
fn measure(document: &Document, report: &mut Report) -> Result<usize, String> {
    let xml = &document.bytes[..];
    let text = std::str::from_utf8(xml).map_err(|error| error.to_string())?;
    let bytes = tsf::Options::new(TypeSet::XML);
    let chars = bytes.with_lengths(tsf::Lengths::Chars);

    let mut source = Table::new();
    let source = crate::stand_in::read_xml(text, &mut source);
    let message = &crate::stand_in::message(&source, false)[..];
    let message_chars = &crate::stand_in::message(&source, true)[..];
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

    let work = |name, bytes| Work {
        name,
        document: &document.name,
        bytes,
        units: counts.units(),
        ..Work::default()
    };
    let reading = |message, options| {
        let mut table = Table::new();
        Contestant::new("lengthwise", move || read(message, options, &mut table))
    };

    if report.wants("size") {
        let work = work("size", message.len());
        report.size(&work, "xml", xml.len());
        report.size(&work, "xml gzip -9", gzip(xml));
        report.size(&work, "xml zstd -19", zstd(xml));
        report.size(&work, "tsf zstd -19", zstd(message));
    }

    if report.wants("read") {
        let mut all = vec![reading(message, &bytes)];
        let mut peers = Vec::new();
        #[cfg(expat)]
        peers.push(xml_peers::expat(xml));
        #[cfg(pugixml)]
        peers.push(xml_peers::pugixml(xml, true));
        peers.push(xml_peers::quick_xml(text));
        peers.push(xml_peers::roxmltree(text));
        peers.push(xml_peers::uppsala_events(text));
        peers.push(xml_peers::uppsala_dom(text));
        for peer in peers {
            all.extend(agreeing(peer, &counts, namespaces, document, report));
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
        let mut peers = Vec::new();
        #[cfg(expat)]
        peers.push(xml_peers::expat_fresh(xml));
        #[cfg(pugixml)]
        peers.push(xml_peers::pugixml(xml, false));
        peers.push(xml_peers::roxmltree(text));
        for peer in peers {
            all.extend(agreeing(peer, &counts, namespaces, document, report));
        }
        report.race(&work, all);
    }

    if report.wants("read-chars") {
        let mut peer = reading(message, &bytes);
        peer.name = "tsf bytes".into();
        report.race(&work("read-chars", message_chars.len()), vec![reading(message_chars, &chars), peer]);
    }
    Ok(message.len())
}

/// Reads a message; the document is looked at by nobody, but must be there.
fn read(message: &[u8], options: &tsf::Options<'_>, table: &mut Table<'_>) -> bool {
    tsf::read(message, options, table).map(|document| _ = black_box(document)).is_ok()
}

/// A peer that found in the document what we did; any other makes the run fail.
fn agreeing<'a>(
    peer: XmlPeer<'a>,
    ours: &XmlCounts,
    namespaces: (u64, u64),
    document: &Document,
    report: &mut Report,
) -> Option<Contestant<'a>> {
    let agrees = match &peer.found {
        Err(_) => false,
        Ok(found) => match found.compare {
            Compare::All => found.counts == *ours,
            Compare::Attributes => {
                let seen = |c: &XmlCounts| (c.elements, c.attributes, c.name_bytes);
                seen(&found.counts) == seen(ours)
            }
            Compare::Elements => {
                let seen = |c: &XmlCounts| (c.elements, c.attributes, c.value_bytes);
                let (count, bytes) = namespaces;
                seen(&found.counts) == (ours.elements, ours.attributes - count, ours.value_bytes - bytes)
            }
        },
    };
    if agrees {
        return Some(peer.contestant);
    }
    let found = match &peer.found {
        Ok(found) => format!("found {:?}", found.counts),
        Err(error) => format!("says: {error}"),
    };
    report.fail(&format!("{}: {} is left out: it {found}, and ours {ours:?}", document.name, peer.contestant.name));
    None
}

fn gzip(bytes: &[u8]) -> usize {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_or(0, |out| out.len())
}

fn zstd(bytes: &[u8]) -> usize {
    zstd::bulk::compress(bytes, 19).map_or(0, |out| out.len())
}
