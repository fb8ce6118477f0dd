//! The table `per`, documents of XML that have a schema: what X.694 makes of them, under PER (the paper's
//! section 2).

use std::{cell::RefCell, path::Path, rc::Rc};

use asn1::{Options, Values};
use tam::Table;
use text::xml;

use crate::{
    compress::zlib,
    counts::{XmlCounts, schema_locations},
    ffi::{Mode, PerPeer},
    jvm::{self, Jvm, Loaded},
    report::{Report, Work},
    timing::Contestant,
    xml_peers::{self, XmlPeer, agreeing},
    xsd_documents::Instance,
    xsd_ours::{self as ours, Types},
    xsd_paper,
    xsd_peers::Validators,
};

fn about(work: &str) -> &'static str {
    match work {
        "size" => "bytes of the message under UPER; the others' in per cent of it",
        "decode" => "message (UPER) into values; peers read the XML, or their own message",
        "encode" => "values into a message (UPER); peers write XML from a tree, or their own message",
        "convert" => "XML into a message (UPER), held against its schema; peers read the XML",
        "export" => "message (UPER) into XML, by way of values; peers write XML from a tree",
        _ => "",
    }
}

pub(crate) fn run(documents: &[Instance], report: &mut Report) {
    if documents.is_empty() {
        return;
    }
    let java = ["size", "decode"].iter().any(|work| report.wants(work)).then(Jvm::start);
    let java = java.and_then(|java| java.map_err(|error| eprintln!("bench: EXI is left out: {error}")).ok());
    if let Some(java) = java.as_ref().filter(|_| report.prints()) {
        println!("Java peers: {}", java.borrow_mut().versions().unwrap_or_else(|error| error));
    }
    // Documents of one schema are adjacent.
    for of_one in documents.chunk_by(|a, b| a.schema == b.schema) {
        if let Err(error) = of_schema(&of_one[0].schema, of_one, java.as_ref(), report) {
            report.fail(&format!("{}: {error}", of_one[0].schema.display()));
        }
    }
    report.print(about);
    if report.prints() {
        xsd_paper::print(documents, report);
    }
}

/// All documents of a schema.
fn of_schema(
    schema: &Path,
    documents: &[Instance],
    java: Option<&Rc<RefCell<Jvm>>>,
    report: &mut Report,
) -> Result<(), String> {
    let types = Types::load(schema).map_err(|error| error.to_string())?;
    let validators = Validators::new(schema, report);
    let java = java.filter(|java| match java.borrow_mut().grammar(schema) {
        Ok(()) => true,
        Err(error) => {
            report.fail(&format!("{}: EXI is left out: {error}", schema.display()));
            false
        }
    });
    for document in documents {
        if let Err(error) = measure(document, &types, &validators, java, report) {
            report.fail(&format!("{}: {error}", document.name));
        }
    }
    Ok(())
}

/// Those of the peers that find what we do.
struct Agreeing<'a> {
    counts: XmlCounts,
    namespaces: (u64, u64),
    schema_locations: u64,
    document: &'a str,
}

impl Agreeing<'_> {
    fn of<'p>(&self, peers: impl IntoIterator<Item = XmlPeer<'p>>, report: &mut Report) -> Vec<Contestant<'p>> {
        let agrees = |peer| agreeing(peer, &self.counts, self.namespaces, self.document, report);
        peers.into_iter().filter_map(agrees).collect()
    }
}

/// All work on one document.
fn measure(
    document: &Instance,
    types: &Types,
    validators: &Validators,
    java: Option<&Rc<RefCell<Jvm>>>,
    report: &mut Report,
) -> Result<(), String> {
    let (name, xml) = (&document.name[..], &document.xml[..]);
    let words = |error: tam::Error| error.to_string();
    let (uper, aper) = (Options::uper(), Options::aper());
    let (message, root) = types.message(xml, &uper).map_err(words)?;
    let (aligned, _) = types.message(xml, &aper).map_err(words)?;
    let packed = zlib(&aligned);
    let agree = {
        let mut table = Table::new();
        let read = xml::read(xml, &xml::Options::default(), &mut table).map_err(words)?;
        Agreeing {
            counts: XmlCounts::of(&read),
            namespaces: XmlCounts::namespaces(&read),
            schema_locations: schema_locations(&read),
            document: name,
        }
    };
    let java = java.map(|java| Loaded::new(java, xml)).transpose();
    let (java, strict) = java
        .unwrap_or_else(|error| {
            report.fail(&format!("{name}: EXI is left out: {error}"));
            None
        })
        .map(|(java, _)| {
            let sizes = java.strict();
            (java, sizes)
        })
        .unzip();
    let prost = protobuf(document, report);
    let work =
        |name, bytes| Work { name, document: &document.name, bytes, units: agree.counts.units(), ..Work::default() };

    if report.wants("size") {
        let work = work("size", message.len());
        report.size(&work, "xml", xml.len());
        report.size(&work, "xml zlib -9", zlib(xml).len());
        report.size(&work, "uper zlib -9", zlib(&message).len());
        report.size(&work, "aper", aligned.len());
        report.size(&work, "aper zlib -9", packed.len());
        for (name, size) in strict.unwrap_or_default() {
            report.size(&work, name, size);
        }
        if let Some(bytes) = prost.as_ref().and_then(|prost| prost.messages().first().map(|message| message.to_vec())) {
            report.size(&work, "protobuf", bytes.len());
            report.size(&work, "protobuf zlib -9", zlib(&bytes).len());
        }
    }
    if report.wants("decode") {
        let allocations = Some(types.allocations(&message, root, &uper));
        let mut all = vec![
            types.decoding("lengthwise", &message, root, &uper),
            types.decoding("lengthwise, aper", &aligned, root, &aper),
            types.inflating("lengthwise, aper, zlib", &packed, root, &aper),
        ];
        all.extend(agree.of(
            [
                #[cfg(expat)]
                xml_peers::expat_events(xml),
                #[cfg(expat)]
                xml_peers::expat(xml),
            ],
            report,
        ));
        let modes = [Mode::Events, Mode::EventsValidated, Mode::Tree, Mode::TreeValidated];
        all.extend(agree.of(validators.reading(xml, &modes), report));
        all.extend(prost.as_ref().map(|prost| prost.decoding("prost")));
        if let Some(java) = &java {
            for reader in jvm::STRICT_EVENTS {
                match java.reading_but(reader, &agree.counts, agree.namespaces.0, agree.schema_locations) {
                    Ok(contestant) => all.push(contestant),
                    Err(error) => report.fail(&format!("{name}: {} is left out: {error}", reader.1)),
                }
            }
        }
        report.race(&Work { allocations, ..work("decode", message.len()) }, all);
    }
    if report.wants("encode") {
        let mut values = Values::new();
        let value = types.values(xml, &mut values).map_err(words)?;
        let mut all = vec![
            ours::encoding("lengthwise", value, &uper),
            ours::encoding("lengthwise, aper", value, &aper),
            ours::deflating("lengthwise, aper, zlib", value, &aper),
        ];
        all.extend(agree.of(validators.writing(xml), report));
        #[cfg(pugixml)]
        all.extend(agree.of([xml_peers::pugixml_write(xml)], report));
        all.extend(prost.as_ref().map(|prost| prost.encoding("prost")));
        report.race(&work("encode", message.len()), all);
    }
    if report.wants("convert") {
        let mut all = vec![types.converting("lengthwise", xml, &uper)];
        all.extend(agree.of(
            [
                #[cfg(expat)]
                xml_peers::expat_events(xml),
                xml_peers::own_events(xml),
            ],
            report,
        ));
        let modes = [Mode::Events, Mode::EventsValidated, Mode::TreeValidated];
        all.extend(agree.of(validators.reading(xml, &modes), report));
        report.race(&work("convert", xml.len()), all);
    }
    if report.wants("export") {
        let mut all = vec![types.exporting("lengthwise", &message, root, &uper)];
        all.extend(agree.of(validators.writing(xml), report));
        #[cfg(pugixml)]
        all.extend(agree.of([xml_peers::pugixml_write(xml)], report));
        report.race(&work("export", message.len()), all);
    }
    Ok(())
}

/// The same records as protobuf, for the documents that have such structs.
fn protobuf(document: &Instance, report: &mut Report) -> Option<PerPeer> {
    let kind = document.namespace.strip_prefix("urn:example:")?;
    let xml = std::str::from_utf8(&document.xml).ok()?;
    let peer = PerPeer::new("prost", kind, "", xml);
    if peer.is_none() && cfg!(rust_peers) {
        report.fail(&format!("{}: prost is left out: it does not take it", document.name));
    }
    peer
}
