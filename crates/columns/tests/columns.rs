//! Messages into columns: each type, absent and default components, projection, refused messages.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use asn1::{Compiled, EncodingRules, Limits, Options, Values, notation};
use lengthwise_columns::{Decoder, Encoder, Layout, Times};
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

/// The layout with some paths only.
fn part<'p>(paths: &'p [&'p str]) -> Layout<'p> {
    Layout { paths: Some(paths), ..Layout::default() }
}

fn batch(rules: EncodingRules, layout: &Layout<'_>) -> RecordBatch {
    let types = Compiled::from_notation(MODULE).unwrap();
    let options = Options::of(rules);
    let mut decoder = Decoder::new(&types, types.find("Record").unwrap(), &options, layout).unwrap();
    for text in [FULL, SPARSE, FULL] {
        decoder.push(&message(&types, text, &options)).unwrap();
    }
    assert_eq!(decoder.rows(), 3);
    decoder.finish().unwrap()
}

#[test]
fn every_type_has_its_column() {
    for rules in RULES {
        let batch = batch(rules, &Layout::default());
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
        let (whole, part) =
            (batch(rules, &Layout::default()), batch(rules, &part(&["list/a", "id", "choice/point/y"])));
        let names: Vec<&str> = part.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
        assert_eq!(names, ["id", "choice", "list"]);
        assert_eq!(part.column(0), whole.column(0));
        assert_eq!(part.column(1).as_struct().column_names(), ["_tag", "point"]);
        assert_eq!(part.column(2).as_list::<i32>().values().as_struct().column_names(), ["a"]);
    }
    let types = Compiled::from_notation(MODULE).unwrap();
    let new = |ty, path| Decoder::new(&types, types.find(ty).unwrap(), &Options::uper(), &part(&[path])).map(|_| ());
    assert_eq!(new("Record", "none").unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(new("Record", "id/x").unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(new("Tree", "value").map_err(|error| error.to_string()), Ok(()));
    let error = Decoder::new(&types, types.find("Tree").unwrap(), &Options::uper(), &Layout::default()).unwrap_err();
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
        let (mut mixed, mut plain) = (
            Decoder::new(&types, node, &options, &Layout::default()).unwrap(),
            Decoder::new(&types, node, &options, &Layout::default()).unwrap(),
        );
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
    let mut decoder = Decoder::new(&types, node, &Options::uper(), &Layout::default()).unwrap();
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
    let mut decoder = Decoder::new(&types, types.find("T").unwrap(), &options, &Layout::default()).unwrap();
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
    let again = encoded(&types, "T", &options, &batch);
    let mut decoder = Decoder::new(&types, types.find("T").unwrap(), &options, &Layout::default()).unwrap();
    again.iter().for_each(|message| decoder.push(message).unwrap());
    assert_eq!(decoder.finish().unwrap(), batch);
    let texts = |column: usize| -> Vec<_> { batch.column(column).as_string::<i32>().iter().flatten().collect() };
    assert_eq!((texts(0), texts(1)), (vec!["2026-11-26", "2026-11-26Z"], vec!["2024-01-02", "-0044-03-15"]));
}

/// The messages of all rows.
fn encoded(types: &Compiled, ty: &str, options: &Options, batch: &RecordBatch) -> Vec<Vec<u8>> {
    let mut encoder = Encoder::new(types, types.find(ty).unwrap(), options, batch.schema_ref()).unwrap();
    let one = |row| {
        let mut out = Vec::new();
        assert_eq!(encoder.append(batch, row, &mut out).unwrap(), out.len());
        out
    };
    (0..batch.num_rows()).map(one).collect()
}

#[test]
fn rows_become_the_messages_that_they_were_read_from() {
    let types = Compiled::from_notation(MODULE).unwrap();
    for rules in RULES {
        let options = Options::of(rules);
        let expected = [FULL, SPARSE, FULL].map(|text| message(&types, text, &options));
        let batch = batch(rules, &Layout::default());
        let messages = encoded(&types, "Record", &options, &batch);
        // In BER a default may be written or left out.
        if rules != EncodingRules::Ber {
            assert_eq!(messages, expected, "{rules:?}");
        }
        let mut decoder = Decoder::new(&types, types.find("Record").unwrap(), &options, &Layout::default()).unwrap();
        messages.iter().for_each(|message| decoder.push(message).unwrap());
        assert_eq!(decoder.finish().unwrap(), batch, "{rules:?}");
    }
}

/// Each type of ASN.1 by values that a column holds in another form.
#[test]
fn what_columns_hold_in_another_form_comes_back() {
    let types = Compiled::from_notation(
        r#"M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            T ::= SEQUENCE { real REAL, decimal REAL (WITH COMPONENTS { ..., base (10) }), fixed BIT STRING (SIZE (12)),
                content OCTET STRING (CONTAINING Inner), string BIT STRING (CONTAINING Inner), day Date, time TIME-OF-DAY,
                relative RELATIVE-OID, any ITEM.&Type ({Set}{@key}), key ITEM.&id ({Set}), numbers SEQUENCE OF Kind,
                n INTEGER (0..18446744073709551615) }
            Inner ::= SEQUENCE { a INTEGER }
            Kind ::= ENUMERATED { one, two, ... }
            Date ::= CHOICE { asn1supportedvalue DATE, othervalues VisibleString }
            ITEM ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &Type BY &id }
            Set ITEM ::= { { Inner BY 1 } | { BOOLEAN BY 2 }, ... }
         END"#,
    )
    .unwrap();
    let node = types.find("T").unwrap();
    let texts = [("PLUS-INFINITY", "2026-11-27", "Inner : { a 5 }", 1), ("-1.5", "2024-02-29", "BOOLEAN : TRUE", 2)];
    for rules in RULES {
        let options = Options::of(rules);
        let mut decoder = Decoder::new(&types, node, &options, &Layout::default()).unwrap();
        let mut messages = Vec::new();
        for (real, day, any, key) in texts {
            let text = format!(
                r#"{{ real {real}, decimal 12.75, fixed '101010101011'B, content CONTAINING {{ a 7 }},
                    string CONTAINING {{ a -1 }}, day asn1supportedvalue : "{day}", time "23:59:59", relative {{ 8571 3 }},
                    any {any}, key {key}, numbers {{ one, two }}, n 9223372036854775807 }}"#
            );
            let mut values = Values::new();
            let value = notation::read_value(&text, &types, Some(node), &Limits::default(), &mut values).unwrap();
            messages.push(asn1::write(value, &options).unwrap());
            decoder.push(messages.last().unwrap()).unwrap_or_else(|error| panic!("{rules:?} {error}"));
        }
        let batch = decoder.finish().unwrap();
        assert_eq!(encoded(&types, "T", &options, &batch), messages, "{rules:?}");
    }
}

#[test]
fn columns_of_other_layouts_are_taken() {
    use arrow_array::{
        ArrayRef, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray, Float32Array, LargeStringArray, StringArray,
        StringViewArray, UInt8Array, UInt64Array,
    };
    use std::sync::Arc;
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            T ::= SEQUENCE { n INTEGER (0..18446744073709551615), s INTEGER OPTIONAL, r REAL, e ENUMERATED { x, y }, t UTF8String,
                u UTF8String, o OCTET STRING, f OCTET STRING (SIZE (2)) } END",
    )
    .unwrap();
    let e: DictionaryArray<arrow_array::types::Int8Type> = ["y", "x"].into_iter().collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("f", Arc::new(FixedSizeBinaryArray::try_from_iter([[1u8, 2], [3, 4]].into_iter()).unwrap())),
        ("n", Arc::new(UInt64Array::from(vec![u64::MAX, 0]))),
        ("s", Arc::new(UInt8Array::from(vec![None, Some(255)]))),
        ("r", Arc::new(Float32Array::from(vec![0.5, -2.0]))),
        ("e", Arc::new(e)),
        ("t", Arc::new(LargeStringArray::from(vec!["large", ""]))),
        ("u", Arc::new(StringViewArray::from(vec!["a longer text than fits in a view", "v"]))),
        ("o", Arc::new(BinaryViewArray::from(vec![&b"\x00\xff"[..], b""]))),
    ];
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.iter().map(|(name, array)| (name, array.clone(), true)));
    let batch = batch.unwrap();
    let messages = encoded(&types, "T", &Options::uper(), &batch);
    for (message, text) in messages.iter().zip([
        r#"{ n 18446744073709551615, r 0.5, e y, t "large", u "a longer text than fits in a view", o '00FF'H, f '0102'H }"#,
        r#"{ n 0, s 255, r -2, e x, t "", u "v", o ''H, f '0304'H }"#,
    ]) {
        let mut values = Values::new();
        let node = types.find("T").unwrap();
        let value = notation::read_value(text, &types, Some(node), &Limits::default(), &mut values).unwrap();
        assert_eq!(message, &asn1::write(value, &Options::uper()).unwrap());
    }
    // The batch that was announced, and no other.
    let mut encoder = Encoder::new(&types, types.find("T").unwrap(), &Options::uper(), batch.schema_ref()).unwrap();
    let other = RecordBatch::try_from_iter([("n", Arc::new(StringArray::from(vec!["x"])) as ArrayRef)]).unwrap();
    assert_eq!(encoder.append(&other, 0, &mut Vec::new()).unwrap_err().kind(), ErrorKind::Unsupported);
}

/// Numbers around 2^63 and 2^64 by every rule into columns and back; only types without negative numbers have the columns.
#[test]
fn integers_up_to_2_64_are_unsigned() {
    use arrow_array::types::UInt64Type;
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            T ::= SEQUENCE { u INTEGER (0..18446744073709551615), v INTEGER (5..9223372036854775808) OPTIONAL,
                s INTEGER (0..9223372036854775807), n INTEGER (-1..9223372036854775808), e INTEGER (0..18446744073709551615, ...),
                w INTEGER (0..18446744073709551616) } END",
    )
    .unwrap();
    let (node, numbers) = (types.find("T").unwrap(), [0, 1, i64::MAX as u64, 1 << 63, u64::MAX]);
    for rules in RULES {
        let options = Options::of(rules);
        let mut decoder = Decoder::new(&types, node, &options, &Layout::default()).unwrap();
        let messages: Vec<Vec<u8>> = numbers
            .iter()
            .map(|number| {
                let mut values = Values::new();
                let v = if *number == 0 { "" } else { "v 9223372036854775808, " };
                let text = format!("{{ u {number}, {v}s 1, n -1, e 2, w 3 }}");
                let value = notation::read_value(&text, &types, Some(node), &Limits::default(), &mut values).unwrap();
                asn1::write(value, &options).unwrap()
            })
            .collect();
        for message in &messages {
            decoder.push(message).unwrap();
        }
        let batch = decoder.finish().unwrap();
        assert_eq!(batch.column(0).as_primitive::<UInt64Type>().values(), &numbers);
        let v: Vec<Option<u64>> = batch.column(1).as_primitive::<UInt64Type>().iter().collect();
        assert_eq!(v, [None, Some(1 << 63), Some(1 << 63), Some(1 << 63), Some(1 << 63)]);
        for signed in 2..6 {
            assert_eq!(batch.column(signed).data_type(), &arrow_schema::DataType::Int64);
        }
        assert_eq!(encoded(&types, "T", &options, &batch), messages);
    }
}

/// A component that was left out is left out again, so that the octets are the same by every rule.
#[test]
fn defaults_are_not_written_out() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { v INTEGER { v1(0) } DEFAULT v1, b BOOLEAN DEFAULT TRUE,
            e ENUMERATED { x, y } DEFAULT y, t UTF8String DEFAULT \"t\", s SEQUENCE { n INTEGER DEFAULT -5 } }
         END",
    )
    .unwrap();
    let node = types.find("T").unwrap();
    for rules in RULES {
        let options = Options::of(rules);
        for text in ["{ s { } }", "{ v 1, b FALSE, e x, t \"\", s { n 5 } }"] {
            let mut values = Values::new();
            let value = notation::read_value(text, &types, Some(node), &Limits::default(), &mut values).unwrap();
            let message = asn1::write(value, &options).unwrap();
            let mut decoder = Decoder::new(&types, node, &options, &Layout::default()).unwrap();
            decoder.push(&message).unwrap();
            let batch = decoder.finish().unwrap();
            assert_eq!(encoded(&types, "T", &options, &batch), [message], "{rules:?} {text}");
        }
    }
}

#[test]
fn columns_of_nulls_are_components_that_are_absent() {
    use arrow_array::{ArrayRef, Int64Array, NullArray, StructArray};
    use std::sync::Arc;
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            T ::= SEQUENCE { n INTEGER, p P OPTIONAL, l SEQUENCE OF INTEGER OPTIONAL, c CHOICE { a INTEGER, b P } OPTIONAL,
                o OCTET STRING (CONTAINING P) OPTIONAL, d INTEGER DEFAULT 7, q P } P ::= SEQUENCE { t UTF8String OPTIONAL } END",
    )
    .unwrap();
    let nulls = || Arc::new(NullArray::new(1)) as ArrayRef;
    let q = Arc::new(StructArray::try_from(vec![("t", nulls())]).unwrap()) as ArrayRef;
    let mut columns = vec![("n", Arc::new(Int64Array::from(vec![5])) as ArrayRef), ("q", q)];
    columns.extend(["p", "l", "c", "o", "d"].map(|name| (name, nulls())));
    let batch = RecordBatch::try_from_iter(columns.clone()).unwrap();
    let mut values = Values::new();
    let value =
        notation::read_value("{ n 5, q { } }", &types, types.find("T").ok(), &Limits::default(), &mut values).unwrap();
    let expected = asn1::write(value, &Options::uper()).unwrap();
    assert_eq!(encoded(&types, "T", &Options::uper(), &batch), [expected]);
    // One that must be there is missing.
    columns[0].1 = nulls();
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut encoder = Encoder::new(&types, types.find("T").unwrap(), &Options::uper(), batch.schema_ref()).unwrap();
    let error = encoder.append(&batch, 0, &mut Vec::new()).unwrap_err();
    assert_eq!((error.kind(), &*error.found().to_string()), (ErrorKind::Schema, "missing component n of T"));
}

#[test]
fn a_sequence_without_components_is_a_struct_without_fields() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a SEQUENCE {} OPTIONAL, b SEQUENCE OF SEQUENCE {} } END",
    )
    .unwrap();
    let (node, options) = (types.find("T").unwrap(), Options::uper());
    let messages: Vec<_> = ["{ a { }, b { { }, { } } }", "{ b { } }"]
        .iter()
        .map(|text| {
            let mut values = Values::new();
            let value = notation::read_value(text, &types, Some(node), &Limits::default(), &mut values).unwrap();
            asn1::write(value, &options).unwrap()
        })
        .collect();
    let mut decoder = Decoder::new(&types, node, &options, &Layout::default()).unwrap();
    for message in &messages {
        decoder.push(message).unwrap();
    }
    let batch = decoder.finish().unwrap();
    let a = batch.column(0).as_struct();
    assert_eq!((a.len(), a.num_columns(), a.is_null(0), a.is_null(1)), (2, 0, false, true));
    let b = batch.column(1).as_list::<i32>();
    assert_eq!((b.value_length(0), b.value_length(1), b.values().len()), (2, 0, 2));
    let mut encoder = Encoder::new(&types, node, &options, batch.schema_ref()).unwrap();
    for (row, message) in messages.iter().enumerate() {
        let mut out = Vec::new();
        encoder.append(&batch, row, &mut out).unwrap();
        assert_eq!(&out, message);
    }
}

#[test]
fn columns_that_do_not_fit_are_refused_with_their_path() {
    use arrow_array::{ArrayRef, Int64Array, StringArray, StructArray};
    use std::sync::Arc;
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            T ::= SEQUENCE { a SEQUENCE { b INTEGER (0..9) }, c CHOICE { d INTEGER, e NULL } OPTIONAL } END",
    )
    .unwrap();
    let node = types.find("T").unwrap();
    let number = |number: i64| Arc::new(Int64Array::from(vec![number])) as ArrayRef;
    let text = |text: &str| Arc::new(StringArray::from(vec![text])) as ArrayRef;
    let of = |columns: Vec<(&str, ArrayRef)>| Arc::new(StructArray::try_from(columns).unwrap()) as ArrayRef;
    let refused = |columns: Vec<(&str, ArrayRef)>| {
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut out = b"kept".to_vec();
        let encoder = Encoder::new(&types, node, &Options::uper(), batch.schema_ref());
        let error = encoder.and_then(|mut encoder| encoder.append(&batch, 0, &mut out)).unwrap_err();
        assert_eq!((error.kind(), &out[..]), (ErrorKind::Schema, &b"kept"[..]));
        format!("{}: {} / {}", error.path(), error.found(), error.expected())
    };
    let a = |b| ("a", of(vec![("b", b)]));
    assert_eq!(refused(vec![a(number(10))]), "/a/b: 10 / 0 to 9 (T.a.b)");
    assert_eq!(refused(vec![a(text("1"))]), "/a/b: '1' / an integer");
    assert_eq!(refused(vec![("a", number(1))]), "/a: a column of Int64 for SEQUENCE / a struct");
    assert_eq!(refused(vec![("a", of(vec![("x", number(1))]))]), "/a/x: the column x, which is no component / ");
    assert_eq!(refused(vec![("c", number(1))]), "/c: a column of Int64 for CHOICE / a struct with `_tag`");
    assert_eq!(refused(vec![a(number(1)), ("z", number(1))]), "/z: the column z, which is no component / ");
    let c = |tag, d| ("c", of(vec![("_tag", text(tag)), ("d", d)]));
    assert_eq!(refused(vec![c("d", number(1))]), ": no column a / ");
    assert_eq!(
        refused(vec![a(number(1)), c("f", number(1))]),
        "/c: 'f' as `_tag` / the name of an alternative that has a column"
    );
    assert_eq!(
        refused(vec![a(number(1)), c("e", number(1))]),
        "/c: 'e' as `_tag` / the name of an alternative that has a column"
    );
    assert_eq!(refused(vec![a(number(1)), c("d", text("x"))]), "/c/d: 'x' / an integer");
    let double = Arc::new(arrow_array::Float64Array::from(vec![1.0])) as ArrayRef;
    assert_eq!(refused(vec![a(double)]), "/a/b: 1.0 / an integer");
    assert_eq!(refused(vec![a(number(1)), a(number(1))]), "/a: a second column a / ");
}

/// Days and seconds are those that Python's `datetime` has.
#[test]
fn times_are_texts_or_of_types_of_arrow() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE {
            date DATE, clock TIME-OF-DAY, both DATE-TIME, general GeneralizedTime, utc UTCTime,
            zoned TIME (SETTINGS \"Basic=Date-Time Date=YMD Time=HMS Local-or-UTC=Z\"), any TIME, year TIME (SETTINGS \"Basic=Date Date=Y\")
        } END",
    )
    .unwrap();
    let (node, options) = (types.find("T").unwrap(), Options::uper());
    let message = |general: &str| {
        let text = format!(
            "{{ date \"2000-02-29\", clock \"12:30:45\", both \"2000-02-29T12:30:45\", general \"{general}\", utc \"991231235959Z\",
                zoned \"2000-02-28T23:30:00Z\", any \"2000-W09\", year \"2000\" }}"
        );
        let mut values = Values::new();
        let value = notation::read_value(&text, &types, Some(node), &Limits::default(), &mut values).unwrap();
        asn1::write(value, &options).unwrap()
    };
    let messages = ["20000229123045.5Z", "20000229123045.000001+0130", "20000229123045", "200002291230"].map(message);
    let types_of = |batch: &RecordBatch| {
        batch.schema().fields().iter().map(|field| field.data_type().to_string()).collect::<Vec<_>>()
    };
    for (times, names, rows) in [
        (Times::Exact, ["Date32", "Utf8", "Utf8", "Utf8", "Utf8", "Utf8"], 4),
        (
            Times::Utc,
            [
                "Date32",
                "Time64(µs)",
                "Timestamp(µs)",
                "Timestamp(µs, \"UTC\")",
                "Timestamp(µs, \"UTC\")",
                "Timestamp(µs, \"UTC\")",
            ],
            2,
        ),
        (
            Times::Local,
            [
                "Date32",
                "Time64(µs)",
                "Timestamp(µs)",
                "Timestamp(µs)",
                "Timestamp(µs, \"UTC\")",
                "Timestamp(µs, \"UTC\")",
            ],
            2,
        ),
    ] {
        let layout = Layout { times, ..Layout::default() };
        let mut decoder = Decoder::new(&types, node, &options, &layout).unwrap();
        let refused: Vec<_> = messages.iter().filter_map(|message| decoder.push(message).err()).collect();
        assert!(refused.iter().all(|error| (error.kind(), error.path()) == (ErrorKind::Unsupported, "/general")));
        let batch = decoder.finish().unwrap();
        assert_eq!((batch.num_rows(), &types_of(&batch)[..6]), (rows, &names.map(str::to_owned)[..]));
        assert_eq!(types_of(&batch)[6..], ["Utf8", "Utf8"], "other times are texts");
        let days = batch.column(0).as_primitive::<arrow_array::types::Date32Type>();
        assert_eq!(days.value(0), 11016);
        if times == Times::Utc {
            let micros = |column: usize| {
                batch.column(column).as_primitive::<arrow_array::types::TimestampMicrosecondType>().values().to_vec()
            };
            assert_eq!(micros(2)[0], 951_827_445_000_000);
            assert_eq!(micros(3), [951_827_445_500_000, 951_822_045_000_001]);
            assert_eq!(micros(4)[0], 946_684_799_000_000);
            assert_eq!(micros(5)[0], 951_780_600_000_000);
        }
        // And back: the same moments, in UTC.
        let mut encoder = Encoder::new(&types, node, &options, batch.schema_ref()).unwrap();
        let value = encoder.value(&batch, 0).unwrap();
        let text = |name: &str| value.get(name).unwrap().as_str().unwrap().to_owned();
        let general = if times == Times::Local { "20000229123045" } else { "20000229123045.5Z" };
        assert_eq!(
            ["date", "clock", "both", "general", "utc", "zoned"].map(text),
            ["2000-02-29", "12:30:45", "2000-02-29T12:30:45", general, "991231235959Z", "2000-02-28T23:30:00Z"]
        );
    }
}

/// What has no place in a column is refused with the reason, and the columns stay as they were.
#[test]
fn times_that_no_column_holds_are_refused() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN D ::= DATE-TIME C ::= TIME-OF-DAY T ::= TIME (SETTINGS \"Basic=Date-Time Date=YMD\") END",
    )
    .unwrap();
    for (name, text, reason) in [
        ("D", "2016-12-31T23:59:60", "a leap second"),
        ("C", "24:00:00", "the end of a day"),
        ("T", "2016-12-31T23:59:59", "without a time zone"),
        ("T", "2016-12-31T23:59:59.1234567Z", "a fraction of a microsecond"),
        ("T", "2016-12-31T23:59Z", "a time without seconds"),
        ("T", "+300000-01-01T00:00:00Z", "out of range"),
    ] {
        let layout = Layout { times: Times::Utc, ..Layout::default() };
        let node = types.find(name).unwrap();
        let mut decoder = Decoder::new(&types, node, &Options::uper(), &layout).unwrap();
        let mut values = Values::new();
        let text = format!("\"{text}\"");
        let value = asn1::notation::read_value(&text, &types, Some(node), &Limits::default(), &mut values).unwrap();
        let message = asn1::write(value, &Options::uper()).unwrap();
        let error = decoder.push(&message).unwrap_err();
        assert!(error.found().to_string().contains(reason), "{text}: {error}");
        assert_eq!((error.kind(), decoder.finish().unwrap().num_rows()), (ErrorKind::Unsupported, 0));
    }
}
