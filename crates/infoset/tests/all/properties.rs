//! What a message says of its document as a whole.

use crate::support::{RULES, back, file, xml};
use infoset::{Options, Properties};
use tam::{ErrorKind, Table};

const ALL: Properties<'_> = {
    let mut all = NONE;
    all.base_uri = Some("file:///a.xml");
    all.encoding = "ISO-8859-1";
    all.standalone = Some(false);
    all.version = Some("1.0");
    all
};

const NONE: Properties<'_> =
    Properties { base_uri: None, encoding: "", standalone: None, version: None, all_declarations_processed: true };

fn with(document: &str, properties: &Properties<'_>, options: &Options) -> Vec<u8> {
    let mut table = Table::new();
    let mut out = b"before".to_vec();
    infoset::append_with(&xml(document.as_bytes(), &mut table).unwrap(), properties, options, &mut out).unwrap();
    out.split_off(6)
}

#[test]
fn properties_of_a_document_are_returned() {
    let some = [
        NONE,
        ALL,
        Properties { standalone: Some(true), ..NONE },
        Properties { version: Some(""), ..NONE },
        Properties { encoding: "a", all_declarations_processed: false, ..NONE },
        // A string that the document has as well.
        Properties { base_uri: Some("text"), ..NONE },
    ];
    for said in some {
        for rules in RULES {
            let options = Options::of(rules);
            let message = with("<a>text</a>", &said, &options);
            assert_eq!(infoset::events(&message, &options).unwrap().properties().unwrap(), said);
            assert_eq!(back(&message, &options).unwrap(), "<a>text</a>");
        }
    }
}

/// Worked by hand from X.690: `<a/>`, standalone and of a base URI.
#[test]
fn properties_are_where_the_schema_has_them() {
    let said = Properties { base_uri: Some("b"), standalone: Some(true), ..NONE };
    let message = with("<a/>", &said, &Options::ber());
    // [3] { [1] 2 } [4] { [1] 0 } [5] TRUE [7] TRUE
    let properties = [0xA3, 3, 0x81, 1, 2, 0xA4, 3, 0x81, 1, 0, 0x85, 1, 0xFF, 0x87, 1, 0xFF];
    assert!(message.windows(properties.len()).any(|window| window == properties), "{}", message.escape_ascii());
}

#[test]
fn declarations_elsewhere_are_not_processed() {
    for (document, processed) in [
        ("<!DOCTYPE a [<!ENTITY e 'x'>]><a/>", true),
        ("<!DOCTYPE a SYSTEM 'a.dtd'><a/>", false),
        ("<!DOCTYPE a [<!ENTITY % p SYSTEM 'p'>%p;]><a/>", false),
    ] {
        let message = with(document, &ALL, &Options::uper());
        let said =
            infoset::events(&message, &Options::uper()).unwrap().properties().unwrap().all_declarations_processed;
        assert_eq!(said, processed, "{document}");
    }
}

#[test]
fn what_is_no_text_is_no_property() {
    let mut table = Table::new();
    let document = xml(b"<a/>", &mut table).unwrap();
    for said in [
        Properties { base_uri: Some("\0"), ..NONE },
        Properties { encoding: "\u{1}", ..NONE },
        Properties { version: Some("\u{FFFE}"), ..NONE },
    ] {
        let mut out = vec![1];
        let error = infoset::append_with(&document, &said, &Options::uper(), &mut out).unwrap_err();
        assert_eq!((error.kind(), out), (ErrorKind::Unsupported, vec![1]), "{error}");
    }
}

/// The version in the paper's messages is the first string of the table, whatever that is.
#[test]
fn the_messages_of_the_independent_encoder_say_what_they_say() {
    for rules in RULES {
        let Some(golden) = file(&format!("infoset-golden/periodic_table.{}", rules.as_str())) else { return };
        let events = infoset::events(&golden, &Options::of(rules)).unwrap();
        assert_eq!(events.properties().unwrap(), Properties { version: Some("\n    "), ..NONE });
        let message = with("<a>x<b/>x</a>", &ALL, &Options::of(rules).with_paper(true));
        let events = infoset::events(&message, &Options::of(rules)).unwrap();
        assert_eq!(events.properties().unwrap(), Properties { version: Some("x"), ..NONE });
    }
}
