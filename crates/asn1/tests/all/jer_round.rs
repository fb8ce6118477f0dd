//! JSON held against PER: made-up values come back, and hostile documents cost no more than others.

use crate::jer_support::{MODULE, Made, json_of, text_of, uper_of};
use asn1::{Compiled, Options, Values, jer};
use tam::{ErrorKind, Limits, Table};
use test_support::Random;
use test_support::cost::linear;
use text::json;

#[test]
fn made_up_values_come_back_by_way_of_per() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let ty = types.find("Batch").unwrap();
    let mut random = Random::new(4);
    let mut read_again = 0;
    for _ in 0..test_support::rounds(800) {
        let text = Made::value(&types, ty, &mut random);
        let message = uper_of(&types, ty, &text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(json_of(&types, ty, &message, &Options::uper()).unwrap(), text);
        assert_eq!(by_binary_data(&types, ty, &message), message, "{text}");
        // Of a spoiled message that is one still, JSON says what the message says.
        let mut spoiled = message.clone();
        for _ in 0..random.below(3) + 1 {
            let at = random.below(spoiled.len());
            spoiled[at] ^= 1 << random.below(8);
        }
        let mut values = Values::new();
        let Ok(value) = asn1::read(&spoiled, &types, ty, &Options::uper(), &mut values) else { continue };
        match text_of(value) {
            Ok(text) => {
                read_again += 1;
                assert_eq!(
                    uper_of(&types, ty, &text).unwrap(),
                    asn1::write(value, &Options::uper()).unwrap(),
                    "{text}"
                );
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}"),
        }
    }
    assert!(read_again > test_support::rounds(50), "{read_again}");
}

/// A message whose value was a document with octets as binary data.
fn by_binary_data(types: &Compiled, ty: asn1::NodeId, message: &[u8]) -> Vec<u8> {
    let (mut table, mut values, mut again) = (Table::new(), Values::new(), Values::new());
    let value = asn1::read(message, types, ty, &Options::uper(), &mut values).unwrap();
    let document = jer::write_binary(value, &mut table).unwrap();
    let again = jer::read(&document, types, ty, &Limits::default(), &mut again).unwrap();
    asn1::write(again, &Options::uper()).unwrap()
}

/// Octets, bits, octets of an unknown type and of values in strings: as digits and as binary data.
#[test]
fn octets_are_digits_or_binary_data() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
           C ::= CLASS { &id INTEGER UNIQUE, &T } WITH SYNTAX { &id IS &T }
           T ::= SEQUENCE { o OCTET STRING, f BIT STRING (SIZE(3)), b BIT STRING, c OCTET STRING (CONTAINING T2),
             id C.&id, open C.&T }
           T2 ::= OCTET STRING END",
    )
    .unwrap();
    let ty = types.find("T").unwrap();
    let text =
        r#"{"o":"01FF","f":"A0","b":{"value":"C0","length":2},"c":{"containing":"0A"},"id":7,"open":{"per":"05"}}"#;
    let message = uper_of(&types, ty, text).unwrap();
    assert_eq!(by_binary_data(&types, ty, &message), message);
    let (mut table, mut values) = (Table::new(), Values::new());
    let value = asn1::read(&message, &types, ty, &Options::uper(), &mut values).unwrap();
    let document = jer::write_binary(value, &mut table).unwrap();
    for (path, octets) in
        [("/o", &[1, 255][..]), ("/f", &[0xa0]), ("/b/value", &[0xc0]), ("/c/containing", &[10]), ("/open/per", &[5])]
    {
        let unit = document.get(path).unwrap();
        assert_eq!((unit.kind(), unit.value()), (b'*', octets), "{path}");
    }
}

/// Whichever type set a document has, and in whatever order its members come.
#[test]
fn values_are_those_of_the_text_whatever_the_type_set() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let ty = types.find("Batch").unwrap();
    let mut random = Random::new(5);
    for _ in 0..test_support::rounds(300) {
        let text = Made::value(&types, ty, &mut random);
        for kind in [json::Types::Json, json::Types::Value] {
            let mut table = Table::new();
            let document = json::read(text.as_bytes(), &json::Options::default().with_types(kind), &mut table).unwrap();
            let mut values = Values::new();
            let value = jer::read(&document, &types, ty, &Limits::default(), &mut values).unwrap();
            assert_eq!(text_of(value).unwrap(), text);
        }
    }
}

fn read(types: &Compiled, name: &str, text: &str, limits: &Limits) -> Result<(), tam::Error> {
    let mut table = Table::new();
    let document =
        json::read(text.as_bytes(), &json::Options::default().with_limits(Limits::NONE), &mut table).unwrap();
    let mut values = Values::new();
    jer::read(&document, types, types.find(name).unwrap(), limits, &mut values).map(|_| ())
}

#[test]
fn depth_is_bounded_and_nothing_recurses() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let nested =
        |levels: usize| format!("{}{{\"leaf\":1}}{}", r#"{"same":"#.repeat(levels - 1), "}".repeat(levels - 1));
    assert!(read(&types, "Tree", &nested(1000), &Limits::default()).is_ok());
    let error = read(&types, "Tree", &nested(1001), &Limits::default()).unwrap_err();
    assert_eq!((error.kind(), error.expected().to_string().as_str()), (ErrorKind::Limit, "at most 1000 (limit depth)"));
    assert_eq!(error.path(), "/same".repeat(64) + "/…");
    let deep = nested(200_000);
    let limits = Limits { depth: u32::MAX, ..Limits::default() };
    assert!(read(&types, "Tree", &deep, &limits).is_ok());
    // And back.
    let mut table = Table::new();
    let document =
        json::read(deep.as_bytes(), &json::Options::default().with_limits(Limits::NONE), &mut table).unwrap();
    let mut values = Values::new();
    let value = jer::read(&document, &types, types.find("Tree").unwrap(), &limits, &mut values).unwrap();
    let mut table = Table::new();
    assert_eq!(jer::write(value, &mut table).unwrap().units(), 200_001);
}

/// Members in an order that no one expects, in a type of many components; names of many items.
#[test]
fn time_grows_with_the_document_alone() {
    let prepare = |count: usize| {
        let names: Vec<String> = (0..count).map(|i| format!("member{i}")).collect();
        let (members, items) = (names.join(" NULL, "), names.join(", "));
        let notation = format!(
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE {{ {members} NULL }} E ::= SEQUENCE OF ENUMERATED {{ {items} }} END"
        );
        let types = Compiled::from_notation(&notation).unwrap();
        let members: Vec<String> = names.iter().rev().map(|name| format!("\"{name}\":null")).collect();
        let members = format!("{{{}}}", members.join(","));
        let items = format!("[{}]", vec![format!("\"member{}\"", count - 1); 5 * count].join(","));
        (types, members, items)
    };
    linear("members and items", 5_000, prepare, |(types, members, items)| {
        read(types, "T", members, &Limits::default()).unwrap();
        read(types, "E", items, &Limits::default()).unwrap();
    });
}
