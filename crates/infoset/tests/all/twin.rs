//! Messages against the general codec with the module of Appendix A: what it reads in them is what this
//! reader reads, and what it writes of that are the same bytes.

#[path = "../support/twin.rs"]
mod plain;

use crate::support::appendix_a::{general, value};
use crate::support::made_up::{document, options};
use crate::support::{RULES, documents, file, said, shared, ways, xml};
use asn1::Values;
use infoset::{Options, Properties, Strings};
use tam::Table;
use test_support::Random;

/// Holds a message of a document against what the general codec has of it.
fn agrees(message: &[u8], options: &Options, name: &str) {
    let mut values = Values::new();
    let value = value(message, options.rules, &mut values);
    let again = asn1::write(value, &general(options.rules)).unwrap();
    assert!(again == message, "{name}, {options:?}: {} is not {}", again.escape_ascii(), message.escape_ascii());
    let mut table = Table::new();
    let document = infoset::read(message, options, &mut table).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(plain::said(value), said(&document), "{name}, {options:?}");
}

#[test]
fn messages_of_the_independent_encoder_are_what_the_general_codec_makes_of_them() {
    for name in ["periodic_table", "soap2", "much_ado"] {
        for rules in RULES {
            let Some(golden) = file(&format!("infoset-golden/{name}.{}", rules.as_str())) else { return };
            agrees(&golden, &Options::of(rules), name);
        }
    }
}

#[test]
fn messages_of_documents_beside_the_project_are_what_the_general_codec_makes_of_them() {
    let mut found = Vec::new();
    ["xmls", "uddi", "conformance/xmlconf/xmltest"].iter().for_each(|folder| documents(&shared(folder), &mut found));
    if found.is_empty() {
        test_support::skipped("there is nothing in ../shared/data");
    }
    for path in found.iter().step_by(test_support::stride(8)) {
        let input = std::fs::read(path).unwrap();
        let mut table = Table::new();
        let Ok(document) = xml(&input, &mut table) else { continue };
        for rules in RULES {
            let options = Options::of(rules).with_entity_references(true);
            agrees(&infoset::write(&document, &options).unwrap(), &options, &path.to_string_lossy());
        }
    }
}

#[test]
fn messages_of_made_up_documents_are_what_the_general_codec_makes_of_them() {
    let mut random = Random::new(7);
    for number in 0..test_support::rounds(400) {
        let made = document(&mut random);
        let mut table = Table::new();
        let read = xml(made.as_bytes(), &mut table).unwrap_or_else(|error| panic!("{error}: {made}"));
        let options = options(&mut random);
        let mut message = Vec::new();
        let said = Properties { version: Some("1.0"), encoding: "x", ..Properties::default() };
        let said = if random.one_in(2) { said } else { Properties::default() };
        infoset::append_with(&read, &said, &options, &mut message).unwrap();
        agrees(&message, &options, &number.to_string());
    }
}

#[test]
fn lengths_and_indexes_of_every_width_are_what_the_general_codec_makes_of_them() {
    let texts = |count| (0..count).map(|n| format!("<n>{n}</n>")).collect::<String>();
    let names = |count| (0..count).map(|n| format!("<n{n}/>")).collect::<String>();
    let attributes = |count| (0..count).map(|n| format!(" a{n}='{n}'")).collect::<String>();
    for count in [1, 3, 4, 5, 15, 16, 127, 128, 2_047, 2_048, 16_383, 16_384, 16_385, 65_537] {
        let mut all = vec![format!("<a>{}</a>", "<b/>".repeat(count)), format!("<a b='{}'/>", "x".repeat(count))];
        if count <= 16_385 {
            all.extend([format!("<a>{}</a>", texts(count)), format!("<a><b{}/></a>", attributes(count))]);
        }
        if count <= 2_048 {
            all.push(format!("<a>{}</a>", names(count)));
        }
        for made in all {
            let mut table = Table::new();
            let document = xml(made.as_bytes(), &mut table).unwrap();
            for rules in RULES {
                let options = Options::of(rules).with_entity_references(true);
                agrees(&infoset::write(&document, &options).unwrap(), &options, &count.to_string());
            }
        }
    }
}

#[test]
fn strings_in_blocks_are_what_the_general_codec_has() {
    let made: String = (0..300).map(|n| format!("<a b='{n}'>text {n}</a>")).collect();
    let made = format!("<all>{made}</all>");
    let mut table = Table::new();
    let document = xml(made.as_bytes(), &mut table).unwrap();
    for options in ways() {
        for bytes in [100, 1_000, 1 << 20] {
            let options = options.with_block_bytes(bytes);
            let message = infoset::write(&document, &options).unwrap();
            agrees(&message, &options, "blocks");
            let mut values = Values::new();
            let blocks = value(&message, options.rules, &mut values).get("component-strings").unwrap().len();
            let is_cut = options.strings != Strings::None && bytes < 1 << 20;
            let are_several = is_cut || options.compress_from > 0 || options.shared.is_some();
            assert_eq!(blocks > 1, are_several, "{blocks} blocks of {bytes} bytes, {options:?}");
        }
    }
}
