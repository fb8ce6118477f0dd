//! What the tests share.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

#[cfg(feature = "serde")]
pub(crate) mod any;
pub(crate) mod spoil;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tam::xml::{Content, Element, root};
use tam::{Document, Error, Table};
use tdxml::{Binary, Options, Scheme, Tags};

/// A file or folder of the data beside the project.
pub(crate) fn shared(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path)
}

/// A file of the data beside the project; `None`, and a message, where it is not there.
pub(crate) fn file(path: &str) -> Option<Vec<u8>> {
    let found = std::fs::read(shared(path)).ok();
    if found.is_none() {
        test_support::skipped(format!("there is no ../shared/data/{path}"));
    }
    found
}

/// The data-oriented documents of the data beside the project: an order of battle, a scenario, maps,
/// tracks, a table of planets, business documents, registry entries.
pub(crate) const DOCUMENTS: [&str; 28] = [
    "tsf-paper/LARGEbasicXML.xml",
    "tsf-paper/eric.map.osm.xml",
    "tsf-paper/exoplanet_catalog.vot.xml",
    "tsf-paper/future001.xml",
    "tsf-paper/sccc.map.osm.xml",
    "gpx/Austria.gpx",
    "gpx/ISSUE-82.gpx",
    "gpx/gpx1.1_with_all_fields.gpx",
    "ubl21/UBL-CreditNote-2.1-Example.xml",
    "ubl21/UBL-Forecast-2.1-Example.xml",
    "ubl21/UBL-Invoice-2.0-Example.xml",
    "ubl21/UBL-Invoice-2.1-Example-Trivial.xml",
    "ubl21/UBL-Invoice-2.1-Example.xml",
    "ubl21/UBL-Order-2.1-Example.xml",
    "ubl21/UBL-OrderResponse-2.1-Example.xml",
    "uddi/valid/businessEntity.xml",
    "uddi/valid/joe_publisherAssertion.xml",
    "uddi/valid/joe_publisherAssertion2.xml",
    "uddi/valid/mary_publisherAssertion.xml",
    "uddi/valid/moveBusinessService1to3.xml",
    "uddi/valid/sam_publisherAssertion.xml",
    "uddi/invalid/joe_businessEntity.xml",
    "uddi/invalid/sam_businessService.xml",
    "kml/gnis-ak-first-101.kml",
    "kml/kmlsamples.kml",
    "xmls/periodic_table.xml",
    "xmls/sfs.xml",
    "xmls/soap2.xml",
];

pub(crate) const SCHEMES: [Scheme; 3] = [Scheme::Smaller, Scheme::Aggregated, Scheme::Grouped];

/// All ways to write.
pub(crate) fn ways() -> impl Iterator<Item = Options<'static>> {
    SCHEMES.into_iter().flat_map(|scheme| {
        [Tags::Short, Tags::Long, Tags::Bare].into_iter().flat_map(move |tags| {
            [Binary::Base64, Binary::Mime].into_iter().flat_map(move |binary| {
                [false, true].map(|soap| {
                    Options::default().with_scheme(scheme).with_tags(tags).with_binary(binary).with_soap(soap)
                })
            })
        })
    })
}

/// Reads XML into a table.
pub(crate) fn xml<'a>(text: &'a [u8], table: &'a mut Table<'_>) -> Document<'a> {
    text::xml::read(text, &text::xml::Options::default(), table).unwrap()
}

/// The message of XML.
pub(crate) fn message(text: &[u8], options: &Options<'_>) -> Result<Vec<u8>, Error> {
    let mut table = Table::new();
    tdxml::write(&xml(text, &mut table), options)
}

/// What a message says.
pub(crate) fn back(message: &[u8], options: &Options<'_>) -> Result<String, Error> {
    let mut table = Table::new();
    Ok(said(&tdxml::read(message, options, &mut table)?))
}

/// What a document says, but for what TDXML does not keep: the order of attributes, white space beside
/// elements, comments, instructions, how text is quoted. Written by no code of the crate.
pub(crate) fn said(document: &Document<'_>) -> String {
    let mut out = String::new();
    for node in document.roots() {
        match Element::new(node) {
            Some(element) => element_said(element, &mut out),
            None => element_said(root(document).unwrap(), &mut out),
        }
    }
    out
}

/// The same of XML.
pub(crate) fn xml_said(text: &[u8]) -> String {
    let mut table = Table::new();
    said(&xml(text, &mut table))
}

fn element_said(root: Element<'_>, out: &mut String) {
    enum Work<'d> {
        Element(Element<'d>),
        Text(&'d str),
        End(String),
    }
    let mut work = vec![Work::Element(root)];
    while let Some(next) = work.pop() {
        let element = match next {
            Work::End(name) => {
                writeln!(out, "</{name}>").unwrap();
                continue;
            }
            Work::Text(text) => {
                writeln!(out, "{}", text.escape_debug()).unwrap();
                continue;
            }
            Work::Element(element) => element,
        };
        write!(out, "<{}", element.name()).unwrap();
        let mut attributes: Vec<String> =
            element.attributes().map(|one| format!(" {}={:?}", one.name(), one.text().unwrap())).collect();
        attributes.sort();
        write!(out, "{}>", attributes.concat()).unwrap();
        let has_elements = element.elements().next().is_some();
        writeln!(out).unwrap();
        work.push(Work::End(element.name().to_string()));
        let inner = element.content().filter_map(|content| match content {
            Content::Text(text) | Content::CData(text) => {
                let is_white = text.trim_matches([' ', '\t', '\n', '\r']).is_empty();
                (!text.is_empty() && (!has_elements || !is_white)).then_some(Work::Text(text))
            }
            Content::Element(element) => Some(Work::Element(element)),
            _ => None,
        });
        // Pieces of text side by side are one, in one line.
        let inner: Vec<_> = inner.collect();
        let is_text = !has_elements && inner.len() > 1;
        if is_text {
            let joined: String =
                inner.iter().map(|work| if let Work::Text(text) = work { *text } else { "" }).collect();
            writeln!(out, "{}", joined.escape_debug()).unwrap();
            continue;
        }
        work.extend(inner.into_iter().rev());
    }
}
