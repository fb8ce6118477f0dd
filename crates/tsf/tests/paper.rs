//! The author's own documents: his TSF files, and the XML they were made from.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tsf as tsf;

use std::fs;
use std::path::Path;

use tam::{Document, Step, Table, TypeSet};
use tsf::{Lengths, Options};

/// The documents that are there: name, XML, TSF. Nothing, and a message, where there are none.
fn documents() -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/tsf-paper");
    let Ok(entries) = fs::read_dir(&folder) else {
        test_support::skipped("there is no ../shared/data/tsf-paper");
        return Vec::new();
    };
    let mut documents: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tsf"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path.with_extension("xml")).unwrap(), fs::read(&path).unwrap())
        })
        .collect();
    documents.sort();
    assert_eq!(documents.len(), 5, "in {}", folder.display());
    documents
}

/// That two texts are one, without printing megabytes.
fn same(name: &str, what: &str, ours: &[u8], theirs: &[u8]) {
    let at = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    let show = |text: &[u8]| text[at.saturating_sub(60)..text.len().min(at + 60)].escape_ascii().to_string();
    assert!(ours == theirs, "{name}, {what}: differs at {at}:\n{}\n{}", show(ours), show(theirs));
}

fn chars() -> Options<'static> {
    Options::new(TypeSet::XML).with_lengths(Lengths::Chars)
}

#[test]
fn the_author_s_files_are_read_and_written_to_the_letter() {
    for (name, _, message) in documents() {
        let mut table = Table::new();
        let document = tsf::read(&message, &chars(), &mut table).unwrap_or_else(|error| panic!("{name}: {error}"));
        same(&name, "written again", &tsf::write(&document, &chars()).unwrap(), &message);
        assert_eq!(tsf::encoded_len(&document, &chars()).unwrap(), message.len(), "{name}");
    }
}

#[test]
fn lengths_in_bytes_and_back_in_characters_are_the_author_s_again() {
    let bytes = Options::new(TypeSet::XML);
    let mut differ = 0;
    for (name, _, message) in documents() {
        let mut table = Table::new();
        let document = tsf::read(&message, &chars(), &mut table).unwrap();
        let in_bytes = tsf::write(&document, &bytes).unwrap();
        differ += usize::from(in_bytes != message);
        let mut table = Table::new();
        let document = tsf::read(&in_bytes, &bytes, &mut table).unwrap_or_else(|error| panic!("{name}: {error}"));
        same(&name, "by bytes and back", &tsf::write(&document, &chars()).unwrap(), &message);
    }
    // Table 14 marks those that hold characters of more than a byte: of these five it is F5.
    assert!(differ == 1 || documents().is_empty(), "{differ} hold characters of more than a byte");
}

#[test]
fn the_xml_becomes_the_author_s_file_to_the_letter() {
    for (name, xml, message) in documents() {
        let mut table = Table::new();
        let document = text::xml::read(&xml, &text::xml::Options::default(), &mut table)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let written = tsf::write(&document, &chars().with_sorted_attributes(true)).unwrap();
        same(&name, "from XML", &written, &message);
    }
}

/// Counts of the paper's table 14, for the documents of its rows F1, F8 and F9, which are legible in the scan:
/// elements, attributes, text and comments.
#[test]
fn the_documents_hold_what_the_paper_counts() {
    let counts = |document: &Document<'_>| {
        let mut counts = [0; 4];
        let mut lists = 0;
        for step in document.walk() {
            match step {
                Step::Open(node) if node.kind() == b'<' => counts[0] += 1,
                Step::Open(_) => lists += 1,
                Step::Close(node) if node.kind() == b'=' => lists -= 1,
                Step::Primitive(node) if node.kind() == b'[' && !node.name().is_none() => counts[1] += 1,
                Step::Primitive(node) if matches!(node.kind(), b'[' | b']') => counts[2] += 1,
                Step::Primitive(node) if node.kind() == b'+' => counts[3] += 1,
                _ => {}
            }
        }
        assert_eq!(lists, 0);
        counts
    };
    for (name, _, message) in documents() {
        let mut table = Table::new();
        let document = tsf::read(&message, &chars(), &mut table).unwrap();
        let expected = match name.as_str() {
            "future001" => [1936, 6, 2596, 0],
            "exoplanet_catalog.vot" => [168_728, 420, 66_247, 0],
            "LARGEbasicXML" => [73_156, 15_989, 146_227, 1],
            _ => continue,
        };
        assert_eq!(counts(&document), expected, "{name}");
    }
}
