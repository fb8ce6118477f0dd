//! Whole documents as an independent encoder wrote them, byte for byte, with the paper's omissions.

use crate::support::{RULES, file};
use infoset::{Options, Strings};
use tam::Table;

/// Table 1 of the paper: unaligned and aligned, strings compressed.
#[test]
fn with_bzip2_periodic_is_as_long_as_in_the_paper() {
    let Some(xml) = file("xmls/periodic_table.xml") else { return };
    let mut table = Table::new();
    let document = text::xml::read(&xml, &text::xml::Options::default(), &mut table).unwrap();
    for (rules, expected) in RULES.into_iter().zip([19_058, 23_217]) {
        let options = Options::of(rules).with_paper(true).with_strings(Strings::Bzip2);
        assert_eq!(infoset::write(&document, &options).unwrap().len(), expected);
    }
}

#[test]
fn documents_are_written_as_the_independent_encoder_wrote_them() {
    for name in ["periodic_table", "soap2", "much_ado"] {
        let Some(xml) = file(&format!("xmls/{name}.xml")) else { return };
        let mut table = Table::new();
        let document = text::xml::read(&xml, &text::xml::Options::default(), &mut table).unwrap();
        for rules in RULES {
            let golden = file(&format!("infoset-golden/{name}.{}", rules.as_str())).unwrap();
            let options = Options::of(rules).with_paper(true);
            let written = infoset::write(&document, &options).unwrap();
            let same = written.iter().zip(&golden).take_while(|(a, b)| a == b).count();
            assert!(
                written == golden,
                "{name} {rules:?}: {} bytes of {}, the first {same} the same",
                written.len(),
                golden.len()
            );
            let mut table = Table::new();
            let read = infoset::read(&golden, &options, &mut table).unwrap();
            let again = infoset::write(&read, &options).unwrap();
            // Where much_ado's text is cut depends on the places in the XML it came from.
            assert!(again == golden || name == "much_ado", "{name} {rules:?}");
        }
    }
}
