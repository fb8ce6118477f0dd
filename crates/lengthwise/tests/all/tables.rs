//! XML through TDXML by its schema, and back: the same document, to the letter.

#![cfg(all(feature = "tdxml", feature = "xsd"))]
#[allow(dead_code)] // Other tests use the rest.
#[path = "../../../x694/tests/generated/mod.rs"]
mod generated;

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use generated::Generated;
use lengthwise::tdxml::{self, Binary, Scheme};
use lengthwise::{ErrorKind, Format, Options, Schema, convert, x694, xsd};
use test_support::Random;
use text::xml::{Event, Reader};

/// The documents of the test data that have a schema.
const DOCUMENTS: [(&str, &str); 27] = [
    ("gpx/Austria.gpx", "gpx/gpx11.xsd"),
    ("gpx/ISSUE-82.gpx", "gpx/gpx11.xsd"),
    ("gpx/gpx1.1_with_all_fields.gpx", "gpx/gpx11.xsd"),
    ("kml/gnis-ak-first-101.kml", "kml/xsd/ogckml22.xsd"),
    ("kml/kmlsamples.kml", "kml/xsd/ogckml22.xsd"),
    ("ubl21/UBL-CreditNote-2.1-Example.xml", "ubl21/xsd/maindoc/UBL-CreditNote-2.1.xsd"),
    ("ubl21/UBL-Forecast-2.1-Example.xml", "ubl21/xsd/maindoc/UBL-Forecast-2.1.xsd"),
    ("ubl21/UBL-Invoice-2.0-Example.xml", "ubl21/xsd/maindoc/UBL-Invoice-2.1.xsd"),
    ("ubl21/UBL-Invoice-2.1-Example-Trivial.xml", "ubl21/xsd/maindoc/UBL-Invoice-2.1.xsd"),
    ("ubl21/UBL-Invoice-2.1-Example.xml", "ubl21/xsd/maindoc/UBL-Invoice-2.1.xsd"),
    ("ubl21/UBL-Order-2.1-Example.xml", "ubl21/xsd/maindoc/UBL-Order-2.1.xsd"),
    ("ubl21/UBL-OrderResponse-2.1-Example.xml", "ubl21/xsd/maindoc/UBL-OrderResponse-2.1.xsd"),
    ("uddi/valid/businessEntity.xml", "uddi/xsd/uddi_v2.xsd"),
    ("uddi/valid/joe_publisherAssertion.xml", "uddi/xsd/uddi_v2.xsd"),
    ("uddi/valid/joe_publisherAssertion2.xml", "uddi/xsd/uddi_v2.xsd"),
    ("uddi/valid/mary_publisherAssertion.xml", "uddi/xsd/uddi_v2.xsd"),
    ("uddi/valid/moveBusinessService1to3.xml", "uddi/xsd/uddi_v2.xsd"),
    ("uddi/valid/sam_publisherAssertion.xml", "uddi/xsd/uddi_v2.xsd"),
    ("iso20022/camt052_001_02.xml", "iso20022/camt.052.001.02.xsd"),
    ("iso20022/camt053_001_02.xml", "iso20022/camt.053.001.02.xsd"),
    ("iso20022/camt054_1.xml", "iso20022/camt.054.001.04.xsd"),
    ("iso20022/camt054_2.xml", "iso20022/camt.054.001.04.xsd"),
    ("iso20022/camt054_3.xml", "iso20022/camt.054.001.04.xsd"),
    ("iso20022/camt054_4.xml", "iso20022/camt.054.001.04.xsd"),
    ("iso20022/pain001_001_08.xml", "iso20022/pain.001.001.08.xsd"),
    ("iso20022/pain001_ch.xml", "iso20022/pain.001.001.03.ch.02.xsd"),
    ("iso20022/remt_001_001_06.xml", "iso20022/remt.001.001.06.xsd"),
];

/// By reference, messages without comments are at most this part of their XML, in the geometric mean over UBL, GPX, KML
/// and UDDI.
const OF_XML: f64 = 0.40;

/// The same of the XML without its comments.
const OF_DATA: f64 = 0.48;

fn data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if folder.join("uddi").is_dir() {
        return Some(folder);
    }
    test_support::skipped("there are no schemas in ../shared/data");
    None
}

fn schema(data: &Path, path: &str) -> Schema {
    let files = xsd::Files::new().allow(data).unwrap();
    let schema = xsd::Schema::read_from(files, &data.join(path).to_string_lossy(), &xsd::Options::default()).unwrap();
    Schema::from_xsd(schema, &x694::mapping::Options::default()).unwrap()
}

/// What a document says, all of it but the order of attributes, CDATA, and white space between the elements of an
/// element that has no other text.
fn said(xml: &[u8]) -> String {
    let mut reader = Reader::new(xml, &text::xml::Options::default().with_namespaces(false)).unwrap();
    // For each open element: its lines, whether it has elements, and whether it has words.
    type Open = (Vec<(bool, String)>, bool, bool);
    let mut open: Vec<Open> = vec![(Vec::new(), true, false)];
    while let Some(event) = reader.next_event().unwrap() {
        let top = open.last_mut().unwrap();
        match event {
            Event::Start(tag) => {
                top.1 = true;
                let mut attributes: Vec<String> =
                    tag.attributes().map(|(name, value)| format!(" {name}={value:?}")).collect();
                attributes.sort();
                open.push((vec![(false, format!("<{}{}>", tag.name(), attributes.concat()))], false, false));
            }
            Event::End(name) => {
                let end = format!("</{name}>");
                let (lines, has_elements, has_words) = open.pop().unwrap();
                let mut out = String::new();
                for (is_text, line) in lines {
                    if !is_text || !has_elements || has_words {
                        let _ = writeln!(out, "{line}");
                    }
                }
                open.last_mut().unwrap().0.push((false, out + &end));
            }
            Event::Text(text) | Event::CData(text) => {
                top.2 |= !text.trim_matches([' ', '\t', '\n', '\r']).is_empty();
                let shown = text.escape_debug().to_string();
                match top.0.last_mut() {
                    Some((true, before)) => before.push_str(&shown),
                    _ if !shown.is_empty() => top.0.push((true, shown)),
                    _ => {}
                }
            }
            Event::Comment(text) => top.0.push((false, format!("comment {text:?}"))),
            Event::Instruction(one) => top.0.push((false, format!("instruction {one:?}"))),
            other => top.0.push((false, format!("{other:?}"))),
        }
    }
    open.pop().unwrap().0.into_iter().map(|(_, line)| line + "\n").collect()
}

/// The options of all ways to write.
fn ways(schema: &Schema) -> impl Iterator<Item = Options<'_>> {
    [Scheme::Smaller, Scheme::Aggregated, Scheme::Grouped].into_iter().flat_map(move |scheme| {
        [(Binary::Base64, false), (Binary::Mime, false), (Binary::Base64, true)].map(|(binary, embed)| {
            let tables = tdxml::Options::default().with_scheme(scheme).with_binary(binary);
            let mut options = Options::default().with_schema(schema).with_tables(tables);
            options.embed_schema = embed;
            options
        })
    })
}

/// The size of a message without comments, and how many bytes they take in the XML.
fn without_comments(xml: &[u8], options: &Options<'_>) -> (usize, usize) {
    let mut options = *options;
    options.tables.drop_comments = true;
    let message = convert(xml, Format::Xml, Format::Tdxml, &options).unwrap();
    let mut reader = Reader::new(xml, &text::xml::Options::default()).unwrap();
    let mut comments = 0;
    while let Some(event) = reader.next_event().unwrap() {
        if let Event::Comment(text) = event {
            comments += text.len() + "<!---->".len();
        }
    }
    (message.len(), comments)
}

/// The first line in which a document that came back is another one.
fn difference(xml: &[u8], back: &[u8]) -> Option<String> {
    let (given, back) = (said(xml), said(back));
    (given != back).then(|| {
        let lines = given.lines().zip(back.lines()).find(|(one, other)| one != other);
        format!("{lines:?} of {} and {} lines", given.lines().count(), back.lines().count())
    })
}

#[test]
fn every_document_with_a_schema_comes_back() {
    let Some(data) = data() else { return };
    let mut schemas: HashMap<&str, Schema> = HashMap::new();
    let (mut failed, mut ratios) = (Vec::new(), Vec::new());
    for (name, path) in DOCUMENTS {
        let xml = fs::read(data.join(name)).unwrap();
        let schema = &*schemas.entry(path).or_insert_with(|| schema(&data, path));
        for (way, options) in ways(schema).enumerate() {
            let converted = convert(&xml, Format::Xml, Format::Tdxml, &options).and_then(|message| {
                let back = convert(&message, Format::Tdxml, Format::Xml, &options)?;
                Ok((message.len(), back))
            });
            match converted {
                Ok((len, back)) => {
                    failed.extend(difference(&xml, &back).map(|found| format!("{name}, way {way}: {found}")));
                    if way == 0 {
                        let (data, comments) = without_comments(&xml, &options);
                        let ratio = data as f64 / (xml.len() - comments) as f64;
                        println!("{name}: {len} bytes of {}; without comments {data}, {ratio:.3}", xml.len());
                        assert!(len < xml.len(), "{name}");
                        if !name.starts_with("iso") {
                            ratios.push((data as f64 / xml.len() as f64, ratio));
                        }
                    }
                }
                Err(error) => failed.push(format!("{name}, way {way}: {error}")),
            }
        }
    }
    assert!(failed.is_empty(), "{} failed\n{}", failed.len(), failed.join("\n"));
    let mean =
        |of: fn(&(f64, f64)) -> f64| (ratios.iter().map(|one| of(one).ln()).sum::<f64>() / ratios.len() as f64).exp();
    let (of_xml, of_data) = (mean(|ratios| ratios.0), mean(|ratios| ratios.1));
    println!("geometric means: {of_xml:.3}, {of_data:.3}");
    assert!(of_xml <= OF_XML && of_data <= OF_DATA, "{of_xml} {of_data}");
}

#[test]
fn generated_documents_come_back() {
    let mut failed = Vec::new();
    let (mut schemas, mut documents) = (0, 0);
    for seed in 0..test_support::rounds(300) as u64 {
        if failed.len() > 20 {
            break;
        }
        let mut random = Random::new(seed);
        let made = Generated::new(&mut random);
        let source = xsd::Memory::new().with("t.xsd", made.schema());
        let Ok(read) = xsd::Schema::read_from(source, "t.xsd", &xsd::Options::default()) else { continue };
        let Ok(schema) = Schema::from_xsd(read, &x694::mapping::Options::default()) else { continue };
        schemas += 1;
        for _ in 0..4 {
            let xml = made.instance(&mut random);
            let types = schema.xml().unwrap();
            if types.schema().validate(xml.as_bytes(), &xsd::Options::default()).is_err() {
                continue;
            }
            documents += 1;
            for (way, options) in ways(&schema).enumerate() {
                let converted = convert(xml.as_bytes(), Format::Xml, Format::Tdxml, &options);
                let back = converted.and_then(|message| convert(&message, Format::Tdxml, Format::Xml, &options));
                let found = match back {
                    Ok(back) => difference(xml.as_bytes(), &back),
                    Err(error) => Some(error.to_string()),
                };
                failed.extend(found.map(|found| format!("{seed}, way {way}: {found}\n{xml}\n{}", made.schema())));
            }
        }
    }
    println!("{schemas} schemas, {documents} documents");
    assert!(failed.is_empty(), "{} failed\n{}", failed.len(), failed.first().map_or("", |first| first));
    assert!(documents > schemas);
}

#[test]
fn another_schema_than_the_one_that_the_message_names_is_refused() {
    let of = |ty: &str| {
        let text = format!(
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='a' type='xs:{ty}'/></xs:schema>"
        );
        let source = xsd::Memory::new().with("a.xsd", text);
        let schema = xsd::Schema::read_from(source, "a.xsd", &xsd::Options::default()).unwrap();
        Schema::from_xsd(schema, &x694::mapping::Options::default()).unwrap()
    };
    let (byte, date) = (of("byte"), of("date"));
    let by = |schema| Options::default().with_schema(schema);
    let message = convert(b"<a>7</a>", Format::Xml, Format::Tdxml, &by(&byte)).unwrap();
    assert_eq!(convert(&message, Format::Tdxml, Format::Xml, &by(&byte)).unwrap(), b"<a>7</a>");
    let error = convert(&message, Format::Tdxml, Format::Xml, &by(&date)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("the one of the given schema"), "{error}");
    let error = convert(&message, Format::Tdxml, Format::Xml, &Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    // What the schema says of values is held when writing, and when reading.
    let error = convert(b"<a>128</a>", Format::Xml, Format::Tdxml, &by(&byte)).unwrap_err();
    assert!(error.to_string().contains("(-128..127)"), "{error}");
    let spoiled = String::from_utf8(message).unwrap().replace("|7", "|700");
    let error = convert(spoiled.as_bytes(), Format::Tdxml, Format::Xml, &by(&byte)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
}

#[test]
fn values_go_between_tables_and_per() {
    let Some(data) = data() else { return };
    let (name, path) = ("gpx/Austria.gpx", "gpx/gpx11.xsd");
    let (schema, xml) = (schema(&data, path), fs::read(data.join(name)).unwrap());
    let options = Options::default().with_schema(&schema);
    let uper = convert(&xml, Format::Xml, Format::Uper, &options).unwrap();
    for format in [Format::Tdxml, Format::Tsf, Format::InfosetUper] {
        let message = convert(&xml, Format::Xml, format, &options).unwrap();
        assert_eq!(convert(&message, format, Format::Uper, &options).unwrap(), uper, "{format}");
    }
    let options = options.with_schema(&schema);
    let named = schema.xml().unwrap().root("gpx").unwrap();
    assert_eq!(named.namespace(schema.xml().unwrap()), "http://www.topografix.com/GPX/1/1");
    let table = convert(&uper, Format::Uper, Format::Tdxml, &options).unwrap();
    assert_eq!(convert(&table, Format::Tdxml, Format::Uper, &options).unwrap(), uper);
}
