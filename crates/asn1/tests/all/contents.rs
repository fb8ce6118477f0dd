//! Strings that contain values (X.682 clause 11).

use asn1::{Compiled, Limits, Options, Values, jer, notation};
use tam::Table;

const MODULE: &str = "
    M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Message ::= SEQUENCE {
      flag BOOLEAN,
      octets OCTET STRING (CONTAINING Inner),
      bits BIT STRING (CONTAINING Inner) OPTIONAL,
      der OCTET STRING (CONTAINING Inner ENCODED BY {joint-iso-itu-t asn1(1) ber-derived(2) distinguished-encoding(1)})
        OPTIONAL,
      per OCTET STRING (SIZE (2)) (CONTAINING INTEGER (0..65535) ENCODED BY unaligned) OPTIONAL,
      other OCTET STRING (CONTAINING Inner ENCODED BY {1 2 3}) OPTIONAL,
      deep OCTET STRING (CONTAINING Message) OPTIONAL }
    Inner ::= SEQUENCE { a INTEGER (0..255), b UTF8String OPTIONAL, list SEQUENCE OF BOOLEAN }
    unaligned OBJECT IDENTIFIER ::= {joint-iso-itu-t asn1(1) packed-encoding(3) basic(0) unaligned(1)}
    END";

fn all_rules() -> [Options; 6] {
    [Options::uper(), Options::aper(), Options::ber(), Options::der(), Options::cer(), Options::oer()]
}

fn json(value: asn1::Value<'_>) -> String {
    let (mut table, mut shown) = (Table::new(), Vec::new());
    text::json::append(&jer::write(value, &mut table).unwrap(), &text::json::Options::default(), &mut shown).unwrap();
    String::from_utf8(shown).unwrap()
}

/// Writes JSON text as a message.
fn message(types: &Compiled, root: &str, text: &str, options: &Options) -> Vec<u8> {
    let mut table = Table::new();
    let document = text::json::read(text.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
    let mut values = Values::new();
    let value = jer::read(&document, types, types.find(root).unwrap(), &Limits::default(), &mut values).unwrap();
    asn1::write(value, options).unwrap()
}

#[test]
fn content_is_a_value_by_every_set_of_rules() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let inner = r#"{"a":7,"b":"é","list":[true,false]}"#;
    let contained = format!(r#"{{"containing":{inner}}}"#);
    let one = format!(
        r#"{{"flag":true,"octets":{contained},"bits":{contained},"der":{contained},"per":{{"containing":258}},"other":"0102"}}"#
    );
    let text = format!(r#"{{"flag":false,"octets":{contained},"deep":{{"containing":{one}}}}}"#);
    for options in all_rules() {
        let sent = message(&types, "Message", &text, &options);
        let mut values = Values::new();
        let value = asn1::read(&sent, &types, types.find("Message").unwrap(), &options, &mut values).unwrap();
        assert_eq!(json(value), text, "{options:?}");
        assert_eq!(value.get("deep/containing/octets/containing/b").unwrap().as_str(), Some("é"));
        assert_eq!(value.get("deep/containing/per/containing").unwrap().as_i64(), Some(258));
        assert_eq!(asn1::write(value, &options).unwrap(), sent, "{options:?}");
        assert_eq!(value.accepted(&options).rewritten.count, 0, "{options:?}");
        let notated = notation::write_value(value).unwrap();
        let mut again = Values::new();
        let node = Some(types.find("Message").unwrap());
        let read = notation::read_value(&notated, &types, node, &Limits::default(), &mut again).unwrap();
        assert_eq!(asn1::write(read, &options).unwrap(), sent, "{options:?} {notated}");
        // By other rules the content is written by these.
        for other in all_rules() {
            assert_eq!(asn1::write(value, &other).unwrap(), message(&types, "Message", &text, &other), "{other:?}");
        }
        for end in 0..sent.len() {
            let mut values = Values::new();
            assert!(asn1::read(&sent[..end], &types, types.find("Message").unwrap(), &options, &mut values).is_err());
        }
    }
}

/// By X.691 clause 17 and X.682 clause 11: a length in octets, and a complete encoding, which ends with padding.
#[test]
fn octets_are_those_of_the_clauses() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
         T ::= SEQUENCE { x BOOLEAN, y OCTET STRING (CONTAINING SEQUENCE { n INTEGER (0..15), z BOOLEAN }),
           w BIT STRING (CONTAINING NULL) } END",
    )
    .unwrap();
    let text = r#"{"x":true,"y":{"containing":{"n":5,"z":true}},"w":{"containing":null}}"#;
    // 1, the length 00000001, then 0101 1 000; the length 00001000 in bits, and an octet of padding.
    assert_eq!(message(&types, "T", text, &Options::uper()), [0x80, 0xAC, 0x04, 0x00, 0x00]);
    assert_eq!(message(&types, "T", text, &Options::aper()), [0x80, 0x01, 0x58, 0x08, 0x00]);
    assert_eq!(message(&types, "T", text, &Options::oer()), [0xFF, 0x02, 0x05, 0xFF, 0x01, 0x00]);
    let der = [0x30, 0x12, 0x80, 1, 0xFF, 0x81, 8, 0x30, 6, 0x80, 1, 5, 0x81, 1, 0xFF, 0x82, 3, 0, 5, 0];
    assert_eq!(message(&types, "T", text, &Options::der()), der);
}

/// What a string holds is kept: what is no such value as octets, and what is encoded in another way as it came.
#[test]
fn messages_keep_their_octets() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= OCTET STRING (CONTAINING SEQUENCE { n INTEGER DEFAULT 5 }) END",
    )
    .unwrap();
    let node = types.find("T").unwrap();
    let cases: [(Options, &[u8], &str, usize); 7] = [
        // The default, encoded, as BER may and DER must not.
        (Options::ber(), &[4, 5, 0x30, 3, 0x80, 1, 5], r#"{"containing":{"n":5}}"#, 0),
        (Options::der(), &[4, 5, 0x30, 3, 0x80, 1, 5], r#"{"containing":{"n":5}}"#, 1),
        // An indefinite length.
        (Options::ber(), &[4, 7, 0x30, 0x80, 0x80, 1, 6, 0, 0], r#"{"containing":{"n":6}}"#, 1),
        // Padding that is not zero.
        (Options::aper(), &[3, 0xFF, 1, 9], r#"{"containing":{"n":9}}"#, 1),
        // One octet more, and one less, than the value.
        (Options::ber(), &[4, 6, 0x30, 3, 0x80, 1, 5, 0], r#""300380010500""#, 0),
        (Options::aper(), &[2, 0x80, 1], r#""8001""#, 0),
        (Options::oer(), &[0], r#""""#, 0),
    ];
    for (options, sent, text, rewritten) in cases {
        let mut values = Values::new();
        let value = asn1::read(sent, &types, node, &options, &mut values).unwrap();
        assert_eq!((json(value), value.accepted(&options).rewritten.count), (text.to_owned(), rewritten), "{sent:?}");
        assert_eq!(asn1::write(value, &options).unwrap(), sent);
    }
}

/// A string in segments is joined.
#[test]
fn segments_are_joined() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { o OCTET STRING (CONTAINING SEQUENCE OF UTF8String) } END",
    )
    .unwrap();
    let node = types.find("T").unwrap();
    let mut values = Values::new();
    let message = [0x30, 12, 0xA0, 10, 4, 3, 0x30, 4, 12, 4, 3, 2, b'h', b'i'];
    let value = asn1::read(&message, &types, node, &Options::ber(), &mut values).unwrap();
    assert_eq!(json(value), r#"{"o":{"containing":["hi"]}}"#);
    let whole = [0x30, 8, 0x80, 6, 0x30, 4, 12, 2, b'h', b'i'];
    assert_eq!(asn1::write(value, &Options::der()).unwrap(), whole);
    // Fragments of PER, and what is unaligned in them.
    let long = format!(r#"{{"o":{{"containing":["{}","{}"]}}}}"#, "x".repeat(40_000), "y".repeat(30_000));
    for options in all_rules() {
        let sent = self::message(&types, "T", &long, &options);
        let value = asn1::read(&sent, &types, node, &options, &mut values).unwrap();
        assert_eq!(json(value), long, "{options:?}");
        assert_eq!(asn1::write(value, &options).unwrap(), sent, "{options:?}");
    }
}

/// Strings within strings: each octet is read twice at most, and what is too deep stays octets.
#[test]
fn strings_in_strings_are_bounded() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { in OCTET STRING (CONTAINING T) OPTIONAL } END",
    )
    .unwrap();
    let node = types.find("T").unwrap();
    for options in [Options::uper(), Options::aper(), Options::ber(), Options::oer()] {
        let mut values = Values::new();
        let mut sent = asn1::write(
            notation::read_value("{}", &types, Some(node), &Limits::default(), &mut values).unwrap(),
            &options,
        )
        .unwrap();
        for _ in 0..600 {
            let digits: String = sent.iter().map(|octet| format!("{octet:02X}")).collect();
            sent = message(&types, "T", &format!(r#"{{"in":"{digits}"}}"#), &options);
        }
        let mut values = Values::new();
        let value = asn1::read(&sent, &types, node, &options, &mut values).unwrap();
        assert_eq!(asn1::write(value, &options).unwrap(), sent);
        let is_read = |levels: usize| value.get(&["in/containing"].repeat(levels).join("/")).is_some();
        assert!(is_read(32) && !is_read(33), "{options:?}");
    }
}

/// Content that cannot be known does not hide the string.
#[test]
fn content_of_a_missing_module_stays_octets() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN IMPORTS A FROM Elsewhere; B ::= SEQUENCE { a A }
         T ::= SEQUENCE { one OCTET STRING (CONTAINING A), two BIT STRING (SIZE (8)) (CONTAINING B) } END",
    )
    .unwrap();
    let text = r#"{"one":"0102","two":"03"}"#;
    assert_eq!(message(&types, "T", text, &Options::oer()), [2, 1, 2, 3]);
    let noted: Vec<_> = types.unchecked().iter().map(|one| (one.element, &one.path[..])).collect();
    assert_eq!(noted, [("CONTAINING", "T.one"), ("CONTAINING", "T.two")]);
}

#[test]
fn defaults_may_contain_values() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN I ::= INTEGER (0..255) T ::= SEQUENCE {
           one OCTET STRING (CONTAINING I) DEFAULT CONTAINING 7, two OCTET STRING (CONTAINING I) DEFAULT '0102'H } END",
    )
    .unwrap();
    let same = r#"{"one":{"containing":7},"two":"0102"}"#;
    assert_eq!(message(&types, "T", same, &Options::der()), [0x30, 0]);
    let other = r#"{"one":{"containing":8},"two":{"containing":1}}"#;
    assert_eq!(message(&types, "T", other, &Options::der()), [0x30, 10, 0x80, 3, 2, 1, 8, 0x81, 3, 2, 1, 1]);
}
