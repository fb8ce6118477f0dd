//! What BER and DER are written as, worked out by the clauses of X.690.

use crate::ber_support::{Type, hex};
use asn1::{Limits, Options, Values};
use tam::ErrorKind;

fn written(ty: &Type, json: &str, options: &Options, message: &str) {
    match ty.message(json, options) {
        Ok(written) => assert!(written == hex(message), "{json} is {written:02X?}"),
        Err(error) => panic!("{error}: {json}"),
    }
}

#[test]
fn simple_values() {
    for (ty, json, message) in [
        ("BOOLEAN", "true", "0101FF"),
        ("BOOLEAN", "false", "010100"),
        ("NULL", "null", "0500"),
        ("INTEGER", "-129", "0202FF7F"),
        ("INTEGER", "9223372036854775808", "0209008000000000000000"),
        ("ENUMERATED { a(-1), b(128) }", r#""b""#, "0A020080"),
        ("ENUMERATED { a(-1), b(128) }", r#""a""#, "0A01FF"),
        ("REAL", "0", "0900"),
        ("REAL", "-0.75", "0903C0FE03"),
        ("OCTET STRING", r#""00FF""#, "040200FF"),
        ("BIT STRING", r#"{"value":"","length":0}"#, "030100"),
        ("BIT STRING", r#"{"value":"A8","length":5}"#, "030203A8"),
        ("OBJECT IDENTIFIER", r#""2.999.3""#, "0603883703"),
        ("UTF8String", r#""€""#, "0C03E282AC"),
        ("BMPString", r#""€A""#, "1E0420AC0041"),
        ("UniversalString", r#""😀""#, "1C040001F600"),
        ("TeletexString", r#""é""#, "1401E9"),
        ("[40] EXPLICIT [APPLICATION 5] IMPLICIT INTEGER", "5", "BF2803450105"),
        ("CHOICE { a [31] CHOICE { b NULL } }", r#"{"a":{"b":null}}"#, "BF1F020500"),
    ] {
        let ty = Type::new(&format!("T ::= {ty}"));
        written(&ty, json, &Options::ber(), message);
        written(&ty, json, &Options::der(), message);
    }
}

/// X.690 clause 11.5, and the Basic rules alike: what is the default anyway is left out.
#[test]
fn defaults_are_left_out_by_der_and_the_senders_option_in_ber() {
    let ty = Type::implicit(
        "T ::= SEQUENCE { a [0] INTEGER DEFAULT 5, b [1] P DEFAULT { x 1, y { 2, 3 } }, c [2] CHOICE { d NULL, e BOOLEAN } DEFAULT e : TRUE,
            f [3] BIT STRING { one(1) } DEFAULT { one } }
         P ::= SEQUENCE { x INTEGER, y SET OF INTEGER }",
    );
    // X.690 clause 8.9.3: what a value says may be sent, though it is the default. Clause 11.5: not in DER.
    let all = r#"{"a":5,"b":{"x":1,"y":[2,3]},"c":{"e":true},"f":{"value":"40","length":2}}"#;
    written(&ty, all, &Options::der(), "3000");
    let sent = "3019 800105 A10B 020101 3106 020102 020103 A203 0101FF 83020640";
    written(&ty, all, &Options::ber(), sent);
    for options in [Options::ber(), Options::der()] {
        written(&ty, "{}", &options, "3000");
        written(&ty, r#"{"a":6}"#, &options, "3003800106");
        written(&ty, r#"{"b":{"x":1,"y":[2]}}"#, &options, "300A A108 020101 3103020102");
        written(&ty, r#"{"c":{"e":false}}"#, &options, "3005 A203010100");
    }
    // A SET OF has no order: it is the default still, as the Distinguished rules have to see.
    written(&ty, r#"{"b":{"x":1,"y":[3,2]}}"#, &Options::der(), "3000");
    // So are zeros after named bits.
    written(&ty, r#"{"f":{"value":"4000","length":16}}"#, &Options::der(), "3000");
}

#[test]
fn a_default_within_itself() {
    let ty = Type::implicit("T ::= SEQUENCE { i INTEGER OPTIONAL, a [0] T DEFAULT { a { i 1 } } }");
    written(&ty, r#"{"a":{"a":{"i":1}}}"#, &Options::der(), "3000");
    written(&ty, r#"{"a":{"a":{"i":1}}}"#, &Options::ber(), "3007 A005 A003 020101");
    for options in [Options::ber(), Options::der()] {
        written(&ty, r#"{"a":{"a":{"i":2}}}"#, &options, "3007 A005 A003 020102");
        written(&ty, r#"{"a":{}}"#, &options, "3002 A000");
    }
}

#[test]
fn members_of_a_set_come_by_their_tags() {
    let ty = Type::implicit(
        "T ::= SET { a [1] NULL, b [APPLICATION 7] NULL, c CHOICE { x [2] NULL, y [0] NULL, z BOOLEAN }, ..., d [PRIVATE 0] NULL, e INTEGER }",
    );
    let json = |chosen: &str| format!(r#"{{"a":null,"b":null,"c":{{{chosen}}},"d":null,"e":1}}"#);
    // X.690 clause 10.3: for a choice, the tag of the chosen alternative counts; additions are sorted too.
    written(&ty, &json(r#""x":null"#), &Options::der(), "310B 020101 4700 8100 8200 C000");
    written(&ty, &json(r#""y":null"#), &Options::der(), "310B 020101 4700 8000 8100 C000");
    written(&ty, &json(r#""z":true"#), &Options::der(), "310C 0101FF 020101 4700 8100 C000");
    let ty = Type::implicit("T ::= SEQUENCE { a [1] NULL, ..., d [PRIVATE 0] NULL, ..., b [0] NULL }");
    written(&ty, r#"{"a":null,"d":null,"b":null}"#, &Options::der(), "3006 8100 C000 8000");
    written(&ty, r#"{"a":null,"d":null,"b":null}"#, &Options::ber(), "3006 8100 C000 8000");
}

#[test]
fn components_of_a_set_of_come_by_their_octets() {
    let ty = Type::new("T ::= SET OF SET OF INTEGER");
    written(
        &ty,
        "[[300,2,1],[],[7],[1,300,2]]",
        &Options::ber(),
        "311F 310A 0202012C 020102 020101 3100 3103 020107 310A 020101 0202012C 020102",
    );
    // The shorter number first, as its length comes before it.
    written(
        &ty,
        "[[300,2,1],[],[7],[1,300,2]]",
        &Options::der(),
        "311F 3100 3103 020107 310A 020101 020102 0202012C 310A 020101 020102 0202012C",
    );
    let ty = Type::new("T ::= SET OF CHOICE { r SEQUENCE { a OCTET STRING, b SET OF BOOLEAN }, n NULL }");
    written(
        &ty,
        r#"[{"r":{"a":"02","b":[true,false]}},{"n":null},{"r":{"a":"01","b":[false]}}]"#,
        &Options::der(),
        "3119 0500 3008 040101 3103 010100 300B 040102 3106 010100 0101FF",
    );
}

/// X.690 clause 11.2.2: without zero bits at the end, even where the size asks for some.
#[test]
fn named_bits() {
    let ty = Type::new("T ::= BIT STRING { a(0), b(9) } (SIZE (4..12))");
    written(&ty, r#"{"value":"8040","length":12}"#, &Options::der(), "0303068040");
    written(&ty, r#"{"value":"8040","length":12}"#, &Options::ber(), "0303048040");
    written(&ty, r#"{"value":"00","length":4}"#, &Options::der(), "030100");
    assert_eq!(ty.json(&hex("030100")).unwrap(), r#"{"value":"00","length":4}"#);
    let plain = Type::new("T ::= BIT STRING");
    written(&plain, r#"{"value":"8000","length":12}"#, &Options::der(), "0303048000");
}

#[test]
fn long_lengths() {
    let ty = Type::new("T ::= [0] SEQUENCE OF OCTET STRING");
    for len in [125usize, 126, 127, 128, 253, 254, 255, 256, 65_535, 65_536, 70_000] {
        let json = format!("[\"{}\"]", "AB".repeat(len));
        let length = |len: usize| match len {
            0..128 => vec![len as u8],
            128..256 => vec![0x81, len as u8],
            256..65_536 => vec![0x82, (len >> 8) as u8, len as u8],
            _ => vec![0x83, (len >> 16) as u8, (len >> 8) as u8, len as u8],
        };
        let mut expected = [vec![0x04], length(len), vec![0xAB; len]].concat();
        expected = [vec![0x30], length(expected.len()), expected].concat();
        expected = [vec![0xA0], length(expected.len()), expected].concat();
        assert!(ty.message(&json, &Options::ber()).unwrap() == expected, "{len} octets");
        assert_eq!(ty.json(&expected).unwrap(), json);
    }
}

#[test]
fn what_constraints_do_not_allow_is_not_written() {
    let loose = Type::implicit("T ::= SEQUENCE { a INTEGER, b [0] UTF8String, c SEQUENCE OF NULL, d BIT STRING }");
    let strict = Type::implicit(
        "T ::= SEQUENCE { a INTEGER (0..7), b [0] UTF8String (SIZE (1) ^ FROM (\"a\"..\"z\")), c SEQUENCE (SIZE (1)) OF NULL, d BIT STRING (SIZE (2)) }",
    );
    let good = r#"{"a":7,"b":"z","c":[null],"d":{"value":"40","length":2}}"#;
    assert_eq!(loose.message(good, &Options::ber()).unwrap(), strict.message(good, &Options::ber()).unwrap());
    for (from, to, path) in [
        ("7", "8", "/a"),
        ("\"z\"", "\"zz\"", "/b"),
        ("\"z\"", "\"Z\"", "/b"),
        ("[null]", "[]", "/c"),
        ("\"length\":2", "\"length\":3", "/d"),
    ] {
        let message = loose.message(&good.replace(from, to), &Options::ber()).unwrap();
        let mut values = Values::new();
        let value = asn1::read(&message, &loose.types, loose.node, &Options::ber(), &mut values).unwrap();
        assert_eq!(asn1::write(value, &Options::ber()).unwrap(), message);
        // The same cells seen by the strict schema, which is laid out alike.
        let value = values.value(&strict.types, strict.node, &message);
        let mut out = vec![1, 2, 3];
        let error = asn1::append(value, &Options::ber(), &mut out).unwrap_err();
        assert_eq!((error.kind(), error.format(), error.path()), (ErrorKind::Schema, "ber", path), "{error}");
        assert_eq!(out, [1, 2, 3], "the buffer is as it was");
    }
}

#[test]
fn missing_components_are_reported() {
    let loose = Type::implicit(
        "T ::= SEQUENCE { a NULL OPTIONAL, ..., [[ b [0] NULL OPTIONAL, c [1] NULL OPTIONAL ]], d [2] NULL }",
    );
    let strict = Type::implicit("T ::= SEQUENCE { a NULL, ..., [[ b [0] NULL OPTIONAL, c [1] NULL ]], d [2] NULL }");
    for (message, missing) in [
        ("3000", Some("missing component a of T")),
        ("3002 0500", None),
        ("3004 0500 8200", None),
        ("3004 0500 8000", Some("missing component c of T")),
    ] {
        let message = hex(message);
        let mut values = Values::new();
        asn1::read(&message, &loose.types, loose.node, &Options::ber(), &mut values).unwrap();
        let written = asn1::write(values.value(&strict.types, strict.node, &message), &Options::ber());
        match missing {
            None => assert_eq!(written.unwrap(), message),
            Some(found) => assert_eq!(written.unwrap_err().found().to_string(), found),
        }
    }
}

#[test]
fn depth_is_bounded_alike_for_reading_and_writing() {
    let ty = Type::tagged(
        "IMPLICIT TAGS",
        "T ::= CHOICE { leaf [0] NULL, list [1] SEQUENCE OF T, tagged [7] EXPLICIT [8] EXPLICIT T }",
    );
    let mut message = hex("8000");
    for level in 0..20 {
        let (inner, outer) = if level % 2 == 0 { (None, 0xA1) } else { (Some(0xA8), 0xA7) };
        if let Some(tag) = inner {
            message = [vec![tag, message.len() as u8], message].concat();
        }
        message = [vec![outer, message.len() as u8], message].concat();
    }
    // 21 choices, and 10 arrays in them.
    for (depth, enough) in [(30, false), (31, true)] {
        let limits = Limits { depth, ..Limits::DEFAULT };
        let read = ty.json_within(&message, limits);
        assert_eq!(read.is_ok(), enough, "{read:?}");
        let mut values = Values::new();
        let value = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
        let written = asn1::write(value, &Options::ber().with_limits(limits));
        assert_eq!(written.is_ok(), enough, "{written:?}");
        for error in [read.map(|_| ()), written.map(|_| ())].into_iter().filter_map(Result::err) {
            assert_eq!(
                (error.kind(), error.expected().to_string()),
                (ErrorKind::Limit, "at most 30 (limit depth)".to_owned())
            );
        }
    }
}

#[test]
fn the_length_is_returned_and_the_value_is_appended() {
    let ty = Type::new("T ::= OCTET STRING");
    let message = hex("0403AABBCC");
    let mut values = Values::new();
    let value = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
    assert_eq!(asn1::encoded_len(value, &Options::ber()).unwrap(), 5);
    let mut out = Vec::with_capacity(100);
    for _ in 0..3 {
        assert_eq!(asn1::append(value, &Options::ber(), &mut out).unwrap(), 5);
    }
    assert_eq!(out, [&message[..], &message, &message].concat());
}
