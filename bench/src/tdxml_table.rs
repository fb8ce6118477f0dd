//! The table `tdxml`: the paper's five messages as typed records, and one value of a large table.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tdxml::{Binary, DataSchema, Lookup, Options, Plan, Scheme, Tags};

use crate::{
    documents::Document,
    report::{Report, Work},
    tdxml_messages::{self as messages, Base64, Octets},
    tdxml_soap as soap,
    timing::Contestant,
};

const GROUPED: &str = "lengthwise grouped";
const AGGREGATED: &str = "lengthwise aggregated";

fn about(work: &str) -> &'static str {
    match work {
        "size" => "bytes of the message; the others' in per cent of it",
        "serialise" => "records into a message, the buffer kept where the library lets one",
        "deserialise" => "message into records that own their strings",
        "read" => "message into a document, the memory kept",
        "lookup" => "one value out of a table of 10 MB",
        _ => "",
    }
}

/// The large table that a value is looked up in.
const LARGE: &str = "table-10M";

pub(crate) fn documents() -> Vec<Document> {
    let made = |name: &str| Document { name: name.into(), bytes: Vec::new(), paper: None };
    messages::NAMES.into_iter().chain([LARGE]).map(made).collect()
}

pub(crate) fn run(documents: &[Document], report: &mut Report) {
    for document in documents {
        let name = document.name.as_str();
        let measured = match name {
            "short" => same(name, "string", &messages::short(), report),
            "simple" => same(name, "CustomerAccount", &messages::account(7, true), report),
            "medium" => same(name, "AccountBatch", &messages::medium(), report),
            "complex" => same(name, "CustomerInvoice", &messages::complex(), report),
            "simpleJpeg" => {
                measure(name, "CustomerPicture", &messages::picture(Octets), &messages::picture(Base64), report)
            }
            _ => lookup(report),
        };
        if let Err(error) = measured {
            report.fail(&format!("{name}: {error}"));
        }
    }
    report.print(about);
    if report.prints() {
        beside_the_paper(report);
    }
}

/// A message whose records are the same in text and binary formats.
fn same<T>(name: &str, root: &str, value: &T, report: &mut Report) -> Result<(), String>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    measure(name, root, value, value, report)
}

fn plan(name: &str, scheme: Scheme, binary: Binary) -> Result<Plan, String> {
    let schema: DataSchema = messages::schema(name).parse().map_err(|error: tdxml::Error| error.to_string())?;
    Ok(Plan::new(schema.with_id("m")).with_tags(Tags::Bare).with_scheme(scheme).with_binary(binary))
}

/// All work on a message: `value` as binary formats have it, `text` as text formats do.
fn measure<T, U>(name: &str, root: &str, value: &T, text: &U, report: &mut Report) -> Result<(), String>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
    U: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let shown = |error: &dyn std::fmt::Display| error.to_string();
    let has_groups = matches!(name, "medium" | "complex");
    let has_octets = name == "simpleJpeg";
    let mut plans = vec![(AGGREGATED, plan(name, Scheme::Aggregated, Binary::Base64)?)];
    if has_groups {
        plans.insert(0, (GROUPED, plan(name, Scheme::Grouped, Binary::Base64)?));
    }
    if has_octets {
        plans.insert(0, ("lengthwise MIME", plan(name, Scheme::Smaller, Binary::Mime)?));
    }
    let mut ours = Vec::new();
    for (label, plan) in &plans {
        let message = plan.to_vec(value).map_err(|error| shown(&error))?;
        if plan.read::<T>(&message).map_err(|error| shown(&error))? != *value {
            return Err(format!("{label} reads something else"));
        }
        ours.push((*label, plan, message));
    }
    let written = quick_xml::se::to_string_with_root(root, text).map_err(|error| shown(&error))?;
    let xml = messages::as_sent(&written);
    if quick_xml::de::from_str::<U>(&xml).map_err(|error| shown(&error))? != *text {
        return Err("quick-xml reads something else".into());
    }
    let json = serde_json::to_vec(text).map_err(|error| shown(&error))?;
    if serde_json::from_slice::<U>(&json).map_err(|error| shown(&error))? != *text {
        return Err("serde_json reads something else".into());
    }
    let binary = postcard::to_stdvec(value).map_err(|error| shown(&error))?;
    if postcard::from_bytes::<T>(&binary).map_err(|error| shown(&error))? != *value {
        return Err("postcard reads something else".into());
    }
    let soap = soap::message(&written);
    let service = soap::service(ours[0].1.schema()).map_err(|e| shown(&e))?;
    let mut soap_values = asn1::Values::new();
    if soap::read::<T>(&service, &soap, &mut soap_values).map_err(|e| shown(&e))? != *value
    {
        return Err("the regular mode reads something else".into());
    }
    let bytes = ours[0].2.len();
    let work = |name_of| Work { name: name_of, document: name, bytes, ..Work::default() };
    if report.wants("size") {
        for (label, _, message) in ours.iter().skip(1) {
            report.size(&work("size"), label, message.len());
        }
        report.size(&work("size"), "SOAP", soap.len());
        report.size(&work("size"), "XML", xml.len());
        report.size(&work("size"), "JSON", json.len());
        report.size(&work("size"), "postcard", binary.len());
        for (label, plan, _) in &ours {
            // With the schema in it, as the first message of a kind is sent.
            let own: DataSchema = plan.schema().to_string().parse().map_err(|error: tdxml::Error| shown(&error))?;
            let first = Plan::new(own).with_tags(Tags::Short).with_scheme(if *label == AGGREGATED {
                Scheme::Aggregated
            } else {
                Scheme::Smaller
            });
            if !has_octets {
                let first = first.to_vec(value).map_err(|error| shown(&error))?;
                report.size(&work("size"), &format!("{label}, schema inside"), first.len());
            }
        }
    }
    if report.wants("read") {
        documents_read(name, xml.as_bytes(), report)?;
    }
    if report.wants("serialise") {
        let mut all = Vec::new();
        for (label, plan, message) in &ours {
            let mut out = Vec::with_capacity(2 * message.len());
            all.push(Contestant::new(*label, move || {
                out.clear();
                plan.append(value, &mut out).map(|()| out.len())
            }));
        }
        let mut out = String::with_capacity(2 * xml.len());
        all.push(Contestant::new("quick-xml", move || {
            out.clear();
            out.push_str(messages::DECLARATION);
            let serializer = quick_xml::se::Serializer::with_root(&mut out, Some(root));
            let written = serializer.and_then(|serializer| text.serialize(serializer).map(|_| ()));
            out.insert_str(messages::DECLARATION.len() + 1 + root.len(), messages::NAMESPACES);
            written.map(|()| out.len())
        }));
        let mut out = String::with_capacity(2 * xml.len());
        all.push(Contestant::new("quick-xml, bare XML", move || {
            out.clear();
            let serializer = quick_xml::se::Serializer::with_root(&mut out, Some(root));
            let written = serializer.and_then(|serializer| text.serialize(serializer).map(|_| ()));
            written.map(|()| out.len())
        }));
        all.push(Contestant::new("serde-xml-fast, bare XML", || serde_xml::to_string_with_root(text, root)));
        #[cfg(libxml2)]
        {
            let mut kept = crate::ffi::Libxml2::read(xml.as_bytes()).ok_or("libxml2 reads nothing")?;
            kept.write();
            if kept.text() != written.replace("&apos;", "'").as_bytes() {
                report.fail(&format!("{name}: libxml2 writes something else"));
            }
            all.push(Contestant::new("libxml2", move || kept.write()));
        }
        let mut out = Vec::with_capacity(2 * json.len());
        all.push(Contestant::new("serde_json", move || {
            out.clear();
            serde_json::to_writer(&mut out, text).map(|()| out.len())
        }));
        let mut out = vec![0; 2 * binary.len() + 64];
        all.push(Contestant::new("postcard", move || postcard::to_slice(value, &mut out).map(|used| used.len())));
        report.race(&work("serialise"), all);
    }
    if report.wants("deserialise") {
        let mut all = Vec::new();
        for (label, plan, message) in &ours {
            all.push(Contestant::new(*label, move || plan.read::<T>(message)));
        }
        all.push(Contestant::new("quick-xml", || quick_xml::de::from_str::<U>(&xml)));
        all.push(Contestant::new("quick-xml, bare XML", || quick_xml::de::from_str::<U>(&written)));
        // It reads neither a declaration nor text beside attributes.
        if serde_xml::from_str::<U>(&written).is_ok_and(|read| read == *text) {
            all.push(Contestant::new("serde-xml-fast, bare XML", || serde_xml::from_str::<U>(&written)));
        }
        all.push(Contestant::new("SOAP", || soap::read::<T>(&service, &soap, &mut soap_values)));
        #[cfg(libxml2)]
        all.push(Contestant::new("libxml2", || crate::ffi::Libxml2::read(xml.as_bytes())));
        all.push(Contestant::new("serde_json", || serde_json::from_slice::<U>(&json)));
        all.push(Contestant::new("postcard", || postcard::from_bytes::<T>(&binary)));
        report.race(&work("deserialise"), all);
    }
    Ok(())
}

/// The same message as a document: its tree from TDXML with its schema inside, beside the tree from XML.
fn documents_read(name: &str, xml: &[u8], report: &mut Report) -> Result<(), String> {
    let shown = |error: tdxml::Error| error.to_string();
    let mut table = tam::Table::new();
    let document = text::xml::read(xml, &text::xml::Options::default(), &mut table).map_err(shown)?;
    let options = Options::default();
    let message = tdxml::write(&document, &options).map_err(shown)?;
    let mut registry = tdxml::Registry::new();
    registry.insert("m", tdxml::infer(&document, &options).map_err(shown)?);
    let by_reference = options.with_schema(registry.get("m").ok_or("no schema")?).with_reference(true);
    let short = tdxml::write(&document, &by_reference).map_err(shown)?;
    let referring = options.with_registry(&registry);
    let (mut kept, mut again) = (tam::Table::new(), tam::Table::new());
    if tdxml::read(&short, &referring, &mut kept).map_err(shown)?.units() != document.units() {
        return Err("the message reads as another document".into());
    }
    #[allow(unused_mut)] // Without expat.
    let mut all = vec![
        Contestant::new("lengthwise, by reference", || {
            tdxml::read(&short, &referring, &mut kept).map(|document| document.units())
        }),
        Contestant::new("lengthwise, schema inside", || {
            tdxml::read(&message, &options, &mut again).map(|document| document.units())
        }),
    ];
    #[cfg(expat)]
    all.push(crate::xml_peers::expat(xml).contestant);
    let mut texts = tam::Table::new();
    all.push(Contestant::new("our own XML reader", move || {
        text::xml::read(xml, &text::xml::Options::default(), &mut texts).map(|document| document.units())
    }));
    report.race(&Work { name: "read", document: name, bytes: short.len(), ..Work::default() }, all);
    Ok(())
}

/// One value out of a table of 10 MB: the last rows are as far from its start as can be.
fn lookup(report: &mut Report) -> Result<(), String> {
    if !report.wants("lookup") {
        return Ok(());
    }
    let shown = |error: tdxml::Error| error.to_string();
    let mut xml = String::from("<batch>");
    while xml.len() < 19_000_000 {
        xml.push_str(
            &quick_xml::se::to_string_with_root("account", &messages::account(xml.len() % 9973, false))
                .map_err(|error| error.to_string())?,
        );
    }
    xml.push_str("</batch>");
    let mut table = tam::Table::new();
    let document = text::xml::read(xml.as_bytes(), &text::xml::Options::default(), &mut table).map_err(shown)?;
    let count = document.root().map_or(0, |root| root.children().len());
    let path = format!("/batch/account[{}]/customerEmailAddress", count * 2 / 3);
    let expected = document.get(&format!("{path}/text()")).map(|node| node.value().to_vec()).unwrap_or_default();
    for (document_name, scheme) in [(LARGE, Scheme::Aggregated), ("table-10M, grouped", Scheme::Grouped)] {
        let options = Options::default().with_scheme(scheme);
        let message = tdxml::write(&document, &options).map_err(shown)?;
        let find = || -> Result<Option<usize>, tdxml::Error> {
            let rows = Lookup::new(&message, &options)?;
            Ok(rows.get(&path)?.map(|value| value.len()))
        };
        let rows = Lookup::new(&message, &options).map_err(shown)?;
        let found = rows.get(&path).map_err(shown)?.map(|value| value.as_bytes().to_vec());
        if found.as_deref() != Some(&expected[..]) {
            return Err(format!("{path}: found {found:?}"));
        }
        let index = rows.index().map_err(shown)?;
        let mut kept = tam::Table::new();
        let all = vec![
            Contestant::new("lengthwise lookup", find),
            Contestant::new("the same, the message taken apart before", || {
                rows.get(&path).map(|value| value.map(|value| value.len()))
            }),
            Contestant::new("by a row index", || index.get(&rows, &path).map(|value| value.map(|value| value.len()))),
            Contestant::new("reading the table", || {
                tdxml::read(&message, &options, &mut kept).map(|document| document.units())
            }),
        ];
        report.race(&Work { name: "lookup", document: document_name, bytes: message.len(), ..Work::default() }, all);
    }
    Ok(())
}

/// The paper's table 1 and figure 2, ours beside.
fn beside_the_paper(report: &Report) {
    println!("\ntdxml beside the paper: bytes (its table 1)");
    println!(
        "{:12} {:>8} {:>8} {:>8} {:>8}   {:>8} {:>8} {:>8} {:>9}",
        "", "TDXML", "SOAP", "XML", "Binary", "ours", "our SOAP", "our XML", "postcard"
    );
    let paper = [
        ("short", 121, Some(675), 204, 122),
        ("simple", 355, Some(1647), 751, 512),
        ("medium", 4407, Some(14082), 8796, 3245),
        ("complex", 11795, Some(33073), 25276, 5911),
        ("simpleJpeg", 15176, None, 20616, 15310),
    ];
    for (name, tdxml, soap, xml, binary) in paper {
        let shown = soap.map_or("–".to_owned(), |bytes: usize| bytes.to_string());
        let of = |peer: &str| report.size_of(name, peer).map_or("–".to_owned(), |bytes| bytes.to_string());
        let ours = report.bytes_of("size", name).map_or("–".to_owned(), |bytes| bytes.to_string());
        println!(
            "{name:12} {tdxml:>8} {shown:>8} {xml:>8} {binary:>8}   {ours:>8} {:>8} {:>8} {:>9}",
            of("SOAP"),
            of("XML"),
            of("postcard")
        );
    }
    println!("\ntdxml beside the paper: both ways together, microseconds (its figure 2, on a machine of 2005)");
    println!("{:12} {:>8} {:>8}   {:>8} {:>10} {:>9}", "", "TDXML", "Binary", "ours", "quick-xml", "postcard");
    let paper = [
        ("short", Some(42.6), None),
        ("simple", Some(132.0), None),
        ("medium", Some(1089.0), Some(917.0)),
        ("complex", Some(3852.0), Some(1983.0)),
        ("simpleJpeg", Some(786.0), None),
    ];
    for (name, tdxml, binary) in paper {
        let both = |peer: &str| {
            let (_, one) = report.times("serialise", name, peer)?;
            let (_, other) = report.times("deserialise", name, peer)?;
            Some((one + other) / 1e3)
        };
        let ours = report
            .ours("serialise", name)
            .zip(report.ours("deserialise", name))
            .map(|(one, other)| (one + other) / 1e3);
        let shown = |time: Option<f64>| time.map_or("–".to_owned(), |time| format!("{time:.2}"));
        println!(
            "{name:12} {:>8} {:>8}   {:>8} {:>10} {:>9}",
            shown(tdxml),
            shown(binary),
            shown(ours),
            shown(both("quick-xml")),
            shown(both("postcard"))
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes<T: Serialize>(name: &str, root: &str, value: &T, scheme: Scheme) -> (usize, usize) {
        let ours = plan(name, scheme, Binary::Mime).unwrap().to_vec(value).unwrap().len();
        let xml = quick_xml::se::to_string_with_root(root, value).unwrap();
        (ours, messages::as_sent(&xml).len())
    }

    /// The paper's table 1: no message is larger than its TDXML, its XML is near ours.
    #[test]
    fn messages_are_as_the_paper_says() {
        let near = |xml: usize, paper: usize| assert!(xml.abs_diff(paper) * 10 < paper, "{xml}, the paper's {paper}");
        let check = |(ours, xml): (usize, usize), most: usize, paper_xml: usize| {
            assert!(ours <= most, "{ours}, the paper's {most}");
            near(xml, paper_xml);
        };
        check(sizes("short", "string", &messages::short(), Scheme::Smaller), 121, 204);
        check(sizes("simple", "CustomerAccount", &messages::account(7, true), Scheme::Smaller), 355, 751);
        for (scheme, medium, complex) in [(Scheme::Aggregated, 4407, 11795), (Scheme::Grouped, 3245 - 1, 5911 - 1)] {
            check(sizes("medium", "AccountBatch", &messages::medium(), scheme), medium, 8796);
            check(sizes("complex", "CustomerInvoice", &messages::complex(), scheme), complex, 25276);
        }
        let picture =
            plan("simpleJpeg", Scheme::Smaller, Binary::Mime).unwrap().to_vec(&messages::picture(Octets)).unwrap();
        assert!(picture.len() <= 15176, "{}", picture.len());
        let xml = quick_xml::se::to_string_with_root("CustomerPicture", &messages::picture(Base64)).unwrap();
        near(messages::as_sent(&xml).len(), 20616);
    }
}
