//! Typed values as JSON and back: the form of each type, and what is refused.

use crate::jer_support::{json_of, text_of, uper_of};
use crate::support::{self, every_way};
use asn1::schema::{ComponentKind, Kind, Meaning, Type};
use asn1::{Compiled, Options, Values, jer, notation};
use tam::{Error, ErrorKind, Limits, Table, TypeSet};
use text::json;

fn types_of(notation: &str) -> Compiled {
    Compiled::from_notation(&format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {notation} END")).unwrap()
}

/// JSON text that becomes values and then JSON text again.
fn again(types: &Compiled, text: &str, options: &json::Options) -> Result<String, Error> {
    let mut table = Table::new();
    let document = json::read(text.as_bytes(), options, &mut table).unwrap();
    let mut values = Values::new();
    text_of(jer::read(&document, types, types.find("T").unwrap(), &Limits::default(), &mut values)?)
}

/// Each type's JSON, and its bits by X.691, worked out by hand.
#[test]
fn every_type_has_its_form() {
    let beyond = format!("11FF7F{}", "FF".repeat(15));
    let cases: &[(&str, &str, &str)] = &[
        ("BOOLEAN", "true", "80"),
        ("NULL", "null", "00"),
        ("INTEGER (0..255)", "200", "C8"),
        ("INTEGER", "-129", "02FF7F"),
        ("INTEGER", "18446744073709551616", "09010000000000000000"),
        ("INTEGER", "-170141183460469231731687303715884105729", &beyond),
        ("ENUMERATED { red, green, ..., blue }", r#""green""#, "40"),
        ("ENUMERATED { red, green, ..., blue }", r#""blue""#, "80"),
        ("REAL", "0.5", "0380FF01"),
        ("REAL", "0", "00"),
        ("REAL", r#""-0""#, "0143"),
        ("REAL", r#""INF""#, "0140"),
        ("REAL", r#""-INF""#, "0141"),
        ("REAL", r#""NaN""#, "0142"),
        ("REAL", r#"{"base10Value":"1.E-1"}"#, "0603312E452D31"),
        ("OCTET STRING", r#""00FFA5""#, "0300FFA5"),
        ("OCTET STRING (SIZE (0))", r#""""#, "00"),
        ("BIT STRING (SIZE (4))", r#""A0""#, "A0"),
        ("BIT STRING", r#"{"value":"A5C0","length":10}"#, "0AA5C0"),
        ("BIT STRING", r#"{"value":"","length":0}"#, "00"),
        ("BIT STRING (SIZE (4, ...))", r#"{"value":"A0","length":4}"#, "50"),
        ("OBJECT IDENTIFIER", r#""2.999.3""#, "03883703"),
        ("RELATIVE-OID", r#""8571.3.2""#, "04C27B0302"),
        ("UTF8String", r#""grüß\n""#, "076772C3BCC39F0A"),
        ("NumericString (SIZE (2))", r#""1 ""#, "20"),
        ("SEQUENCE { a BOOLEAN, b NULL OPTIONAL }", r#"{"a":true,"b":null}"#, "C0"),
        ("SEQUENCE { a BOOLEAN, b INTEGER DEFAULT 3 }", r#"{"a":false}"#, "00"),
        // The order of the notation, not that of the tags.
        ("SET { a [1] BOOLEAN, b [0] INTEGER (0..1) }", r#"{"a":true,"b":0}"#, "40"),
        ("SEQUENCE OF BOOLEAN", "[true,false,true]", "03A0"),
        ("SEQUENCE OF SEQUENCE { a BOOLEAN }", r#"[{"a":true},{"a":false}]"#, "0280"),
        ("SET OF INTEGER (0..15)", "[]", "00"),
        ("CHOICE { a BOOLEAN, b CHOICE { c NULL, d BOOLEAN } }", r#"{"b":{"d":true}}"#, "E0"),
        ("SEQUENCE { ..., a BOOLEAN }", r#"{"a":true}"#, "8080C000"),
    ];
    for (notation, text, expected) in cases {
        let types = types_of(&format!("T ::= {notation}"));
        let ty = types.find("T").unwrap();
        let message = uper_of(&types, ty, text).unwrap_or_else(|error| panic!("{notation}: {error}"));
        let written: String = message.iter().map(|octet| format!("{octet:02X}")).collect();
        assert_eq!(written, *expected, "{notation}");
        assert_eq!(json_of(&types, ty, &message, &Options::uper()).unwrap(), *text, "{notation}");
    }
}

#[test]
fn other_forms_are_read_as_well() {
    for (notation, text, canonical) in [
        ("BIT STRING (SIZE (4))", r#"{"length":4,"value":"a0"}"#, r#""A0""#),
        ("OCTET STRING", r#""0a\u00342""#, r#""0A42""#),
        ("INTEGER", "-0", "0"),
        ("REAL", "1e2", "100"),
        ("REAL", "0.1000000000000000055511151231257827", "0.1"),
        ("REAL", r#"{"base10Value":"15E-1"}"#, "1.5"),
        ("REAL", "-0.0", r#""-0""#),
        (
            "SEQUENCE { a NULL, b NULL, c NULL, d NULL, e NULL, f NULL }",
            r#"{"f":null,"a":null,"e":null,"b":null,"d":null,"c":null}"#,
            r#"{"a":null,"b":null,"c":null,"d":null,"e":null,"f":null}"#,
        ),
    ] {
        let types = types_of(&format!("T ::= {notation}"));
        assert_eq!(again(&types, text, &json::Options::default()).unwrap(), canonical, "{notation}");
    }
}

/// Either type set of JSON gives the same values, and data that is binary already is taken so.
#[test]
fn both_type_sets_of_json_are_read() {
    let types = types_of("T ::= SEQUENCE { a UTF8String, b OCTET STRING, c REAL, d REAL, e INTEGER, f BOOLEAN }");
    let text = r#"{"a":"\u00b0C","b":"0aFF","c":1.50,"d":"INF","e":-7,"f":false}"#;
    for kind in [json::Types::Json, json::Types::Value] {
        let again = again(&types, text, &json::Options::default().with_types(kind)).unwrap();
        assert_eq!(again, r#"{"a":"°C","b":"0AFF","c":1.5,"d":"INF","e":-7,"f":false}"#);
    }
    let types = types_of("T ::= OCTET STRING");
    let mut table = Table::new();
    let mut build = tam::Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
    build.primitive(b'*', b"", &[0, 0xFF]).unwrap();
    build.finish().unwrap();
    let document = table.document(b"", TypeSet::VALUE);
    let mut values = Values::new();
    let value = jer::read(&document, &types, types.find("T").unwrap(), &Limits::default(), &mut values).unwrap();
    assert_eq!(value.as_octets(), Some(&[0, 0xFF][..]));
}

/// Text without escapes is not copied on the way from JSON.
#[test]
fn texts_stay_in_the_message() {
    let types = types_of("T ::= SEQUENCE { a UTF8String, b UTF8String }");
    let text = r#"{"a":"in place","b":"not \u0069n place"}"#;
    let mut table = Table::new();
    let document = json::read(text.as_bytes(), &json::Options::default(), &mut table).unwrap();
    let mut values = Values::new();
    let value = jer::read(&document, &types, types.find("T").unwrap(), &Limits::default(), &mut values).unwrap();
    let within =
        |name: &str| text.as_bytes().as_ptr_range().contains(&value.get(name).unwrap().as_str().unwrap().as_ptr());
    assert!(within("a") && !within("b"));
    assert_eq!(value.get("b").unwrap().as_str(), Some("not in place"));
}

#[test]
fn what_does_not_fit_is_reported_with_path_and_position() {
    let notation = "T ::= SEQUENCE {
        a INTEGER (0..10) OPTIONAL, b SEQUENCE (SIZE (0..2)) OF Item OPTIONAL, c Choice OPTIONAL, r REAL OPTIONAL,
        big INTEGER OPTIONAL, e ENUMERATED { red, green } OPTIONAL, f BIT STRING (SIZE (4)) OPTIONAL,
        v BIT STRING OPTIONAL, o OCTET STRING (SIZE (2)) OPTIONAL, i OBJECT IDENTIFIER OPTIONAL,
        t PrintableString (SIZE (1..3)) OPTIONAL, ..., [[ g BOOLEAN, h NULL OPTIONAL ]] }
      Item ::= SEQUENCE { x BOOLEAN, y NULL OPTIONAL }
      Choice ::= CHOICE { one NULL, other BOOLEAN }";
    let types = types_of(notation);
    let many = format!(r#"{{"big":{}}}"#, "9".repeat(20_001));
    for (text, expected) in [
        ("17", "schema at byte 0: found a number, expected an object (T)"),
        (r#"{"a":11}"#, "schema at byte 5 in /a: found 11, expected 0 to 10 (T.a)"),
        (
            r#"{"a":10000000000000000000000000000000000000001}"#,
            "schema at byte 5 in /a: found 1000000000000000000000000000000000000000…, expected 0 to 10 (T.a)",
        ),
        (r#"{"a":1.0}"#, "schema at byte 5 in /a: found 1.0, expected a number without fraction and exponent (T.a)"),
        (
            r#"{"a":"1"}"#,
            "schema at byte 5 in /a: found a string, expected a number without fraction and exponent (T.a)",
        ),
        (r#"{"a":1, "z":2}"#, "schema at byte 8: found z, expected a component of T"),
        (r#"{"":2}"#, "schema at byte 0: found a member whose name is empty, expected a component of T"),
        (r#"{"a":1,"a":1}"#, "schema at byte 7: found 'a' a second time, expected each component once"),
        (r#"{"b":[{"x":true},{"y":null}]}"#, "schema at byte 18 in /b/1: missing component x of Item"),
        (
            r#"{"b":[{"x":true},{"x":1}]}"#,
            "schema at byte 22 in /b/1/x: found a number, expected true or false (Item.x)",
        ),
        (r#"{"b":[{},{},{}]}"#, "schema at byte 1 in /b: found a size of 3, expected a size of 0 to 2 (T.b)"),
        (r#"{"c":{}}"#, "schema at byte 1 in /c: found 0 members, expected one, which is chosen (T.c)"),
        (
            r#"{"c":{"one":null,"other":true}}"#,
            "schema at byte 1 in /c: found 2 members, expected one, which is chosen (T.c)",
        ),
        (r#"{"c":{"two":null}}"#, "schema at byte 6 in /c: found two, expected an alternative of T.c"),
        (r#"{"c":{"other":null}}"#, "schema at byte 14 in /c/other: found null, expected true or false (Choice.other)"),
        (
            r#"{"r":1e400}"#,
            r#"schema at byte 5 in /r: found 1e400, expected a number that a double is near to, or {"base10Value": "…"}"#,
        ),
        (
            r#"{"r":-1e-400}"#,
            r#"schema at byte 5 in /r: found -1e-400, expected a number that a double is near to, or {"base10Value": "…"}"#,
        ),
        (r#"{"r":{"base10Value":"one"}}"#, "schema at byte 1 in /r: found one, expected a decimal number"),
        (r#"{"e":"blue"}"#, r#"schema at byte 5 in /e: found "blue", expected an enumeration of T.e: "red", "green""#),
        (r#"{"f":"A8"}"#, "schema at byte 5 in /f: found a bit beyond the 4 of the length, expected zeros there"),
        (
            r#"{"f":"A0F0"}"#,
            "schema at byte 5 in /f: found 16 bits in hexadecimal digits, expected as many octets as 4 bits take",
        ),
        (r#"{"f":{"value":"A0","length":3}}"#, "schema at byte 1 in /f: found a size of 3, expected a size of 4 (T.f)"),
        (r#"{"v":"A0"}"#, r#"schema at byte 5 in /v: found a string, expected {"value": "…", "length": …} (T.v)"#),
        (
            r#"{"v":{"value":"A0","length":-3}}"#,
            "schema at byte 1 in /v: found 8 bits in hexadecimal digits, expected a length in bits",
        ),
        (r#"{"o":"0"}"#, r#"schema at byte 5 in /o: found "0", expected two hexadecimal digits for each octet"#),
        (r#"{"o":"00GG"}"#, r#"schema at byte 5 in /o: found "00GG", expected two hexadecimal digits for each octet"#),
        (r#"{"o":"00"}"#, "schema at byte 5 in /o: found a size of 1, expected a size of 2 (T.o)"),
        (
            r#"{"i":"3.1"}"#,
            r#"schema at byte 5 in /i: found "3.1", expected arcs with dots between them as a string (T.i)"#,
        ),
        (
            r#"{"t":"a_b"}"#,
            "schema at byte 5 in /t: found '_', expected a size of 1 to 3, characters of PrintableString (T.t)",
        ),
        (
            r#"{"t":""}"#,
            "schema at byte 5 in /t: found a size of 0, expected a size of 1 to 3, characters of PrintableString (T.t)",
        ),
        (r#"{"h":null}"#, "schema at byte 1: missing component g of T"),
        (&many, "limit at byte 7 in /big: found 20001 digits, expected at most 20000 (limit digits)"),
    ] {
        let error = again(&types, text, &json::Options::default()).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
    assert_eq!(again(&types, "{}", &json::Options::default()).unwrap(), "{}");
}

/// What a later version of the schema has put in has no form in JSON.
#[test]
fn what_a_later_version_has_is_not_written_as_if_it_were_known() {
    let later = types_of("T ::= SEQUENCE OF U U ::= CHOICE { a ENUMERATED { x, ..., y }, ..., b NULL }");
    let earlier = types_of("T ::= SEQUENCE OF U U ::= CHOICE { a ENUMERATED { x, ... }, ... }");
    let ty = earlier.find("T").unwrap();
    for (text, path) in [(r#"[{"a":"x"},{"b":null}]"#, "/1"), (r#"[{"a":"y"}]"#, "/0/a")] {
        let message = uper_of(&later, later.find("T").unwrap(), text).unwrap();
        let error = json_of(&earlier, ty, &message, &Options::uper()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, path));
    }
}

/// Has components of arrays be optional, which notation cannot say.
fn with_null_items(ty: &mut Type) {
    match &mut ty.kind {
        Kind::SequenceOf(item) => {
            item.kind = ComponentKind::Optional;
            with_null_items(&mut item.ty);
        }
        Kind::Sequence(fields) => fields.root.iter_mut().for_each(|member| with_null_items(&mut member.ty)),
        _ => {}
    }
}

/// What documents have in common, and its bounds.
#[test]
fn types_are_inferred() {
    let infer = |documents: &[&str]| {
        let mut inference = jer::Inference::default();
        for text in documents {
            let mut table = Table::new();
            let options = json::Options::default().with_limits(Limits::NONE);
            inference.add(&json::read(text.as_bytes(), &options, &mut table).unwrap())?;
        }
        Ok::<_, tam::Error>(inference.schema())
    };
    for (documents, expected) in [
        (&["1", "2.5", "3"][..], "REAL"),
        (&["1", "-2"], "INTEGER"),
        (&["1e3"], "REAL"),
        (&["null", "\"a\"", "7"], "UTF8String"),
        (&["null", "[]"], "SEQUENCE OF UTF8String"),
        (&["[]", "[null,true]", "\"a\""], "SEQUENCE OF BOOLEAN"),
        (
            &[r#"{"a":null,"b-c":[{"d":1}]}"#, r#"{"a":[1.5],"b-c":[{"d":2,"e":false}]}"#],
            "SEQUENCE { a SEQUENCE OF REAL OPTIONAL, \
             b-c SEQUENCE OF SEQUENCE { d INTEGER OPTIONAL, e BOOLEAN OPTIONAL } OPTIONAL }",
        ),
    ] {
        let expected = format!("Documents DEFINITIONS AUTOMATIC TAGS ::= BEGIN Document ::= {expected} END");
        let mut expected = asn1::notation::parse(&[("", &expected)], &Limits::default()).unwrap();
        if let Meaning::Type(ty) = &mut expected.modules[0].assignments[0].meaning {
            with_null_items(ty);
        }
        assert_eq!(infer(documents).unwrap(), expected, "{documents:?}");
    }
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(infer(&[&nested(100)]).is_ok());
    assert_eq!(infer(&[&nested(102)]).unwrap_err().kind(), ErrorKind::Limit);
    let members: String = (0..=1 << 16).map(|n| format!(",\"{n}\":0")).collect();
    assert_eq!(infer(&[&format!("{{\"a\":0{members}}}")]).unwrap_err().kind(), ErrorKind::Limit);
}

/// `null` is an absent component only where that is asked for.
#[test]
fn null_may_stand_for_what_is_absent() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            T ::= SEQUENCE { a INTEGER OPTIONAL, b NULL OPTIONAL, c BOOLEAN DEFAULT TRUE, d INTEGER } END",
    )
    .unwrap();
    let ty = types.find("T").unwrap();
    let read = |text: &str, is_nullable: bool| {
        let mut table = Table::new();
        let document = json::read(text.as_bytes(), &json::Options::default(), &mut table)?;
        let (mut values, limits) = (Values::new(), Limits::default());
        let mut filler = asn1::Filler::new(&types, limits, &mut values);
        match is_nullable {
            true => jer::read_nullable(&document, &types, ty, &limits, &mut filler)?,
            false => jer::read_events(&document, &types, ty, &limits, &mut filler)?,
        }
        text_of(values.value(&types, ty, text.as_bytes()))
    };
    let text = r#"{"a":null,"b":null,"c":null,"d":7}"#;
    assert_eq!(read(text, true).unwrap(), r#"{"b":null,"d":7}"#);
    assert_eq!(read(text, false).unwrap_err().path(), "/a");
    for refused in [r#"{"d":null}"#, r#"{"a":null,"a":1,"d":7}"#] {
        assert_eq!(read(refused, true).unwrap_err().kind(), ErrorKind::Schema, "{refused}");
    }
}

/// Components and alternatives have their texts in JSON and identifiers in notation, whatever order their tags bring.
#[test]
fn components_may_be_called_by_texts() {
    let text = "M DEFINITIONS EXPLICIT TAGS ::= BEGIN
        T ::= SET { b [1] INTEGER, a [0] C DEFAULT y : 5 }
        C ::= CHOICE { y [3] INTEGER, x [2] BOOLEAN, z [4] ENUMERATED { one, two } } END";
    let mut modules = notation::parse_one(text, &Limits::DEFAULT).unwrap();
    for assignment in &mut modules.modules[0].assignments {
        let Meaning::Type(ty) = &mut assignment.meaning else { panic!("no type") };
        let (Kind::Set(fields) | Kind::Choice(fields)) = &mut ty.kind else { panic!("no components") };
        for component in &mut fields.root {
            component.text = Some(format!("Größe {}", component.name).into());
            if let Kind::Enumerated(items) = &mut component.ty.kind {
                items.root[0].text = Some("№ 1".into());
            }
        }
    }
    let types = Compiled::new(&modules).unwrap();
    let node = types.find("T").unwrap();
    let ty = support::Type { types, node };
    for (json, written) in [
        (r#"{"Größe b":1,"Größe a":{"Größe x":true}}"#, "{ b 1, a x : TRUE }"),
        (r#"{"Größe b":1,"Größe a":{"Größe z":"№ 1"}}"#, "{ b 1, a z : one }"),
        (r#"{"Größe b":1,"Größe a":{"Größe z":"two"}}"#, "{ b 1, a z : two }"),
        (r#"{"Größe b":1}"#, "{ b 1 }"),
    ] {
        for (rules, options) in every_way() {
            let message = ty.message(json, &options).unwrap();
            assert_eq!(ty.json(&message, &options).unwrap(), json, "{rules}");
        }
        let mut values = Values::new();
        let value = notation::read_value(written, &ty.types, Some(node), &Limits::DEFAULT, &mut values).unwrap();
        assert_eq!(text_of(value).unwrap(), json);
        assert_eq!(notation::write_value(value).unwrap().split_whitespace().collect::<Vec<_>>().join(" "), written);
    }
    let place = ty.types.component(node, "a").unwrap();
    assert_eq!(Some(place), ty.types.member(node, "Größe a"));
    assert!(ty.types.member(node, "a").is_none() && ty.types.component(node, "Größe a").is_none());
    let error = ty.message(r#"{"b":1}"#, &Options::uper()).unwrap_err();
    assert!(error.to_string().contains("found b, expected a component of T"), "{error}");
}
