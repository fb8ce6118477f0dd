//! Instances of the test data, through messages and back.

#![allow(dead_code, clippy::unwrap_used, clippy::panic)] // Not every test asks for all of it; how a test fails.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use asn1::Values;
use tam::Error;
use text::xml::{Event, Reader};
use x694::xer;
use xsd::{Files, Options, Schema};

/// Schemas of the test data, and valid instances of them.
pub(crate) const SETS: &[(&str, &[&str])] = &[
    (
        "uddi/xsd/uddi_v2.xsd",
        &[
            "uddi/valid/businessEntity.xml",
            "uddi/valid/moveBusinessService1to3.xml",
            "uddi/valid/joe_publisherAssertion.xml",
            "uddi/valid/joe_publisherAssertion2.xml",
            "uddi/valid/sam_publisherAssertion.xml",
            "uddi/valid/mary_publisherAssertion.xml",
        ],
    ),
    ("gpx/gpx11.xsd", &["gpx/gpx1.1_with_all_fields.gpx", "gpx/Austria.gpx", "gpx/ISSUE-82.gpx"]),
    ("kml/xsd/ogckml22.xsd", &["kml/kmlsamples.kml", "kml/gnis-ak-first-101.kml"]),
    (
        "ubl21/xsd/maindoc/UBL-Invoice-2.1.xsd",
        &[
            "ubl21/UBL-Invoice-2.1-Example.xml",
            "ubl21/UBL-Invoice-2.0-Example.xml",
            "ubl21/UBL-Invoice-2.1-Example-Trivial.xml",
        ],
    ),
    ("ubl21/xsd/maindoc/UBL-CreditNote-2.1.xsd", &["ubl21/UBL-CreditNote-2.1-Example.xml"]),
    ("ubl21/xsd/maindoc/UBL-Forecast-2.1.xsd", &["ubl21/UBL-Forecast-2.1-Example.xml"]),
    ("ubl21/xsd/maindoc/UBL-Order-2.1.xsd", &["ubl21/UBL-Order-2.1-Example.xml"]),
    ("ubl21/xsd/maindoc/UBL-OrderResponse-2.1.xsd", &["ubl21/UBL-OrderResponse-2.1-Example.xml"]),
];

pub(crate) fn data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if folder.join("uddi").is_dir() {
        return Some(folder);
    }
    test_support::skipped("there are no schemas in ../shared/data");
    None
}

/// A schema of the test data, whose documents may be anywhere in it.
pub(crate) fn schema(data: &Path, path: impl AsRef<Path>) -> Schema {
    let files = Files::new().allow(data).unwrap();
    Schema::read_from(files, &data.join(path).to_string_lossy(), &Options::default()).unwrap()
}

/// The instance that comes back of an instance that goes into unaligned PER; what that becomes in turn is the
/// same message.
///
/// # Errors
/// Those of reading it.
pub(crate) fn carried(types: &xer::Types, xml: &[u8]) -> Result<Vec<u8>, Error> {
    carried_by(types, xml, &asn1::Options::uper()).map(|(_, back)| back)
}

/// The same by any rules, with the message.
pub(crate) fn carried_by(types: &xer::Types, xml: &[u8], rules: &asn1::Options) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let (options, mut values, mut again) = (Options::default(), Values::new(), Values::new());
    let value = xer::read(xml, types, &options, &mut values)?;
    let message = asn1::write(value, rules).unwrap();
    let value = asn1::read(&message, types.compiled(), value.node_id(), rules, &mut again).unwrap();
    let out = xer::write(value, types).unwrap();
    let value = xer::read(&out, types, &options, &mut values).unwrap_or_else(|error| {
        panic!("{error}\n{}", String::from_utf8_lossy(&out));
    });
    assert_eq!(asn1::write(value, rules).unwrap(), message, "{}", String::from_utf8_lossy(&out));
    Ok((message, out))
}

/// The content of a document: expanded names, attributes in order, characters. Left out are white space between
/// elements, comments, prefixes, hints at schemas, and attributes that equal their default.
fn said(schema: &Schema, xml: &[u8]) -> Vec<String> {
    let defaults = defaults(schema);
    let mut reader = Reader::new(xml, &text::xml::Options::default()).unwrap();
    let mut bindings: Vec<(String, String)> = vec![("xml".to_owned(), xsd::XML_NAMESPACE.to_owned())];
    let mut counts = Vec::new();
    let mut said = vec![String::new()];
    while let Some(event) = reader.next_event().unwrap() {
        match event {
            Event::Start(tag) => {
                counts.push(bindings.len());
                for (name, value) in tag.attributes() {
                    if let Some(prefix) = name.strip_prefix("xmlns") {
                        bindings.push((prefix.trim_start_matches(':').to_owned(), value.to_owned()));
                    }
                }
                let expanded = |name: &str, is_element: bool| {
                    let (prefix, local) = name.split_once(':').unwrap_or(("", name));
                    let uri = bindings.iter().rev().find(|(one, _)| one == prefix).map_or("", |(_, uri)| uri);
                    let uri = if prefix.is_empty() && !is_element { "" } else { uri };
                    format!("{{{uri}}}{local}")
                };
                said.push(format!("<{}", expanded(tag.name(), true)));
                let mut attributes: Vec<(String, String)> = Vec::new();
                for (name, value) in tag.attributes() {
                    let name_said = expanded(name, false);
                    if name.starts_with("xmlns") || name_said.starts_with(&format!("{{{}}}", xsd::XSI_NAMESPACE)) {
                        continue;
                    }
                    let attribute = (name_said, value.to_owned());
                    let is_default =
                        |(name, value): &(String, String)| *name == attribute.0 && are_alike(value, &attribute.1);
                    if !defaults.iter().any(is_default) {
                        attributes.push(attribute);
                    }
                }
                attributes.sort();
                said.extend(attributes.into_iter().flat_map(|(name, value)| [format!("@{name}"), value]));
                said.push(String::new());
            }
            Event::End(_) => {
                bindings.truncate(counts.pop().unwrap());
                said.extend([">".to_owned(), String::new()]);
            }
            Event::Text(text) | Event::CData(text) => said.last_mut().unwrap().push_str(text),
            _ => {}
        }
    }
    said
}

/// Name and value of the attributes that have a default.
fn defaults(schema: &Schema) -> HashSet<(String, String)> {
    let uses = schema.complex_types.iter().flat_map(|(_, ty)| &ty.attributes);
    let named = uses.filter_map(|one| {
        let name = schema.attributes[one.attribute].name;
        let name = format!("{{{}}}{}", schema.names.uri(schema.names.namespace(name)), schema.names.local(name));
        Some((name, one.value.as_ref()?.text().to_owned()))
    });
    named.collect()
}

/// Whether two documents say the same, numbers, truth values and octets being the same in any spelling.
pub(crate) fn assert_alike(schema: &Schema, one: &[u8], other: &[u8], name: &str) {
    let (one, other) = (said(schema, one), said(schema, other));
    for (at, (one, other)) in one.iter().zip(&other).enumerate() {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(are_alike(&words(one), &words(other)), "{name}, {at}: {one:?} came back as {other:?}");
    }
    assert_eq!(one.len(), other.len(), "{name}");
}

fn are_alike(one: &str, other: &str) -> bool {
    let truth = |text: &str| match text {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    };
    let is_hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit()) && text.parse::<f64>().is_ok();
    one == other
        || truth(one).is_some() && truth(one) == truth(other)
        || is_hex(one) && is_hex(other) && one.eq_ignore_ascii_case(other)
        || is_number(one) && is_number(other) && one.parse::<f64>() == other.parse::<f64>()
}
