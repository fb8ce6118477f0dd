//! Messages into columns: each type, absent and default components, projection, refused messages.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use asn1::{Compiled, EncodingRules, Limits, Options, Values, notation};
use lengthwise_columns::Decoder;
use tam::ErrorKind;

const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Record ::= SEQUENCE {
        id INTEGER (0..4294967295), kind ENUMERATED { voice, sms, data }, name UTF8String OPTIONAL,
        octets OCTET STRING, bits BIT STRING, ok BOOLEAN, real REAL, nothing NULL OPTIONAL, oid OBJECT IDENTIFIER,
        choice Choice, list SEQUENCE OF SEQUENCE { a INTEGER, b Choice OPTIONAL }, numbers SEQUENCE OF INTEGER,
        default INTEGER DEFAULT 7, point Point OPTIONAL }
    Choice ::= CHOICE { number INTEGER, text UTF8String, point Point }
    Point ::= SEQUENCE { x INTEGER, y INTEGER DEFAULT 1 }
    Tree ::= SEQUENCE { value INTEGER, children SEQUENCE OF Tree }
END";

const RULES: [EncodingRules; 5] =
    [EncodingRules::Uper, EncodingRules::Aper, EncodingRules::Ber, EncodingRules::Cer, EncodingRules::Oer];

const FULL: &str = r#"{ id 4294967295, kind data, name "nåme", octets '00FF'H, bits '101'B, ok TRUE, real 1.5, nothing NULL,
    oid { 1 2 840 }, choice text : "t", list { { a 1, b number : 5 }, { a 2 } }, numbers { 7, 8, 9 }, default 3,
    point { x 4 } }"#;

const SPARSE: &str =
    "{ id 0, kind voice, octets ''H, bits ''B, ok FALSE, real 0, oid { 2 999 }, choice point : { x 1, y 2 },
    list { }, numbers { } }";

fn message(types: &Compiled, text: &str, options: &Options) -> Vec<u8> {
    let mut values = Values::new();
    let node = types.find("Record").unwrap();
    let value = notation::read_value(text, types, Some(node), &Limits::default(), &mut values).unwrap();
    asn1::write(value, options).unwrap()
}

fn batch(rules: EncodingRules, projection: Option<&[&str]>) -> RecordBatch {
    let types = Compiled::from_notation(MODULE).unwrap();
    let options = Options::of(rules);
    let mut decoder = Decoder::new(&types, types.find("Record").unwrap(), &options, projection).unwrap();
    for text in [FULL, SPARSE, FULL] {
        decoder.push(&message(&types, text, &options)).unwrap();
    }
    assert_eq!(decoder.rows(), 3);
    decoder.finish().unwrap()
}

#[test]
fn every_type_has_its_column() {
    for rules in RULES {
        let batch = batch(rules, None);
        let column = |name: &str| batch.column_by_name(name).unwrap();
        assert_eq!(column("id").as_primitive::<Int64Type>().values(), &[4_294_967_295, 0, 4_294_967_295]);
        let kinds = column("kind").as_dictionary::<Int32Type>();
        assert_eq!(kinds.keys().values(), &[2, 0, 2]);
        assert_eq!(kinds.values().as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["voice", "sms", "data"]);
        let text =
            |name: &str| column(name).as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(text("name"), [some("nåme"), None, some("nåme")]);
        assert_eq!(text("bits"), [some("101"), some(""), some("101")]);
        assert_eq!(text("oid"), [some("1.2.840"), some("2.999"), some("1.2.840")]);
        assert_eq!(column("octets").as_binary::<i32>().value(0), [0, 0xFF]);
        assert!(column("ok").as_boolean().value(0) && !column("ok").as_boolean().value(1));
        assert_eq!(column("real").as_primitive::<Float64Type>().values(), &[1.5, 0.0, 1.5]);
        assert!(column("nothing").is_valid(0) && column("nothing").is_null(1));
        assert_eq!(column("default").as_primitive::<Int64Type>().values(), &[3, 7, 3]);
        let numbers = column("numbers").as_list::<i32>();
        assert_eq!((numbers.value_length(0), numbers.value_length(1)), (3, 0));
        assert_eq!(numbers.values().as_primitive::<Int64Type>().values(), &[7, 8, 9, 7, 8, 9]);
        let choice = column("choice").as_struct();
        assert_eq!(choice.column_names(), ["_tag", "number", "text", "point"]);
        assert_eq!(choice.column(0).as_dictionary::<Int32Type>().keys().values(), &[1, 2, 1]);
        assert!(choice.column(1).is_null(0) && choice.column(2).is_valid(0) && choice.column(3).is_null(0));
        assert_eq!(choice.column(3).as_struct().column(1).as_primitive::<Int64Type>().value(1), 2);
        let list = column("list").as_list::<i32>();
        let items = list.values().as_struct();
        assert_eq!(items.column(0).as_primitive::<Int64Type>().values(), &[1, 2, 1, 2]);
        assert!(items.column(1).is_valid(0) && items.column(1).is_null(1));
        let point = column("point").as_struct();
        assert!(point.is_valid(0) && point.is_null(1));
        assert_eq!(point.column(1).as_primitive::<Int64Type>().value(0), 1);
    }
}

#[test]
fn a_projection_builds_what_it_names() {
    for rules in RULES {
        let (whole, part) = (batch(rules, None), batch(rules, Some(&["list/a", "id", "choice/point/y"])));
        let names: Vec<&str> = part.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
        assert_eq!(names, ["id", "choice", "list"]);
        assert_eq!(part.column(0), whole.column(0));
        assert_eq!(part.column(1).as_struct().column_names(), ["_tag", "point"]);
        assert_eq!(part.column(2).as_list::<i32>().values().as_struct().column_names(), ["a"]);
    }
    let types = Compiled::from_notation(MODULE).unwrap();
    let new = |ty, path| Decoder::new(&types, types.find(ty).unwrap(), &Options::uper(), Some(&[path])).map(|_| ());
    assert_eq!(new("Record", "none").unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(new("Record", "id/x").unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(new("Tree", "value").map_err(|error| error.to_string()), Ok(()));
    let error = Decoder::new(&types, types.find("Tree").unwrap(), &Options::uper(), None).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "/children"));
}

/// Every prefix of a message, and every message with one octet changed: a refused one leaves no trace.
#[test]
fn a_refused_message_leaves_nothing() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let node = types.find("Record").unwrap();
    for rules in RULES {
        let options = Options::of(rules);
        let (good, mut refused) = (message(&types, FULL, &options), 0);
        let (mut mixed, mut plain) =
            (Decoder::new(&types, node, &options, None).unwrap(), Decoder::new(&types, node, &options, None).unwrap());
        let spoiled = (0..good.len()).flat_map(|at| {
            let mut other = good.clone();
            other[at] ^= 0x5A;
            [good[..at].to_vec(), other]
        });
        for message in spoiled {
            match mixed.push(&message) {
                Ok(()) => plain.push(&message).unwrap(),
                Err(_) => {
                    refused += 1;
                    mixed.push_null().unwrap();
                    plain.push_null().unwrap();
                }
            }
            mixed.push(&good).unwrap();
            plain.push(&good).unwrap();
        }
        assert!(refused > good.len());
        assert_eq!(mixed.finish().unwrap(), plain.finish().unwrap());
    }
}

#[test]
fn what_a_column_cannot_hold_is_refused_with_its_place() {
    let types =
        Compiled::from_notation("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE OF SEQUENCE { a INTEGER } END");
    let types = types.unwrap();
    let node = types.find("T").unwrap();
    let mut values = Values::new();
    let text = "{ { a 1 }, { a 18446744073709551616 } }";
    let value = notation::read_value(text, &types, Some(node), &Limits::default(), &mut values).unwrap();
    let message = asn1::write(value, &Options::uper()).unwrap();
    let mut decoder = Decoder::new(&types, node, &Options::uper(), None).unwrap();
    let error = decoder.push(&message).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "/1/a"));
    let batch = decoder.finish().unwrap();
    assert_eq!((batch.num_rows(), batch.num_columns()), (0, 1));
    assert_eq!(batch.schema_ref().field(0).name(), "value");
}

/// Dates of an XML Schema, as X.694 maps them, are texts: with and without a type of ASN.1, and by default.
#[test]
fn dates_of_xml_schemas_are_texts() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            Date ::= CHOICE { asn1supportedvalue DATE, othervalues VisibleString }
            T ::= SEQUENCE { day Date, due Date DEFAULT asn1supportedvalue:\"2024-01-02\" }
         END",
    )
    .unwrap();
    let options = Options::uper();
    let mut decoder = Decoder::new(&types, types.find("T").unwrap(), &options, None).unwrap();
    for text in [
        r#"{ day asn1supportedvalue : "2026-11-26" }"#,
        r#"{ day othervalues : "2026-11-26Z", due othervalues : "-0044-03-15" }"#,
    ] {
        let mut values = Values::new();
        let node = types.find("T").unwrap();
        let value = notation::read_value(text, &types, Some(node), &Limits::default(), &mut values).unwrap();
        decoder.push(&asn1::write(value, &options).unwrap()).unwrap();
    }
    let batch = decoder.finish().unwrap();
    let texts = |column: usize| -> Vec<_> { batch.column(column).as_string::<i32>().iter().flatten().collect() };
    assert_eq!((texts(0), texts(1)), (vec!["2026-11-26", "2026-11-26Z"], vec!["2024-01-02", "-0044-03-15"]));
}
