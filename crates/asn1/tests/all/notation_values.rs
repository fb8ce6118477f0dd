//! Value notation, held against values that a clause or a message says.

use std::fs;
use std::path::Path;

use asn1::event::Real;
use asn1::{Compiled, Limits, NodeId, Options, Value, Values, notation};
use tam::{Error, ErrorKind};
use test_support::Random;

/// A schema of one type `T`, and others it uses.
fn schema(assignments: &str) -> (Compiled, NodeId) {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {assignments} END");
    let types = Compiled::from_notation(&text).unwrap_or_else(|error| panic!("{error} in {assignments}"));
    let node = types.find("T").unwrap();
    (types, node)
}

/// What `look` sees in a value of a type; the value is written and read once more, and is the same.
fn seen<R>(assignments: &str, text: &str, look: impl Fn(Value<'_>) -> R) -> (R, String) {
    let (types, node) = schema(&format!("T ::= {assignments}"));
    let mut values = Values::new();
    let value = notation::read_value(text, &types, Some(node), &Limits::default(), &mut values)
        .unwrap_or_else(|error| panic!("{error} in {text}"));
    let result = look(value);
    let encoded = asn1::write(value, &Options::uper()).unwrap();
    let written = notation::write_value(value).unwrap();
    let mut again = Values::new();
    let value = notation::read_value(&written, &types, Some(node), &Limits::default(), &mut again)
        .unwrap_or_else(|error| panic!("{error} in {written}"));
    assert_eq!(asn1::write(value, &Options::uper()).unwrap(), encoded, "{text} as {written}");
    (result, written)
}

/// That a value is written as it is given.
fn same(assignments: &str, text: &str) {
    assert_eq!(seen(assignments, text, |_| ()).1, text, "{assignments}");
}

fn fault(assignments: &str, text: &str) -> Error {
    let (types, node) = schema(&format!("T ::= {assignments}"));
    let mut values = Values::new();
    let result = notation::read_value(text, &types, Some(node), &Limits::default(), &mut values);
    result.err().unwrap_or_else(|| panic!("{text} is right"))
}

#[test]
fn booleans_nulls_and_enumerations() {
    same("BOOLEAN", "TRUE");
    same("BOOLEAN", "FALSE");
    assert_eq!(seen("BOOLEAN", "TRUE -- surely --", |value| value.as_bool()).0, Some(true));
    same("NULL", "NULL");
    same("ENUMERATED { red, green(5), ..., blue }", "green");
    assert_eq!(seen("ENUMERATED { red, green(5), ..., blue }", "blue", |value| value.as_item()).0, Some(2));
}

#[test]
fn integers_of_any_size_and_by_name() {
    for text in ["0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808"] {
        same("INTEGER", text);
    }
    // 2^200, and one below its negative.
    same("INTEGER", "1606938044258990275541962092341162602522202993782792835301376");
    same("INTEGER", "-1606938044258990275541962092341162602522202993782792835301377");
    assert_eq!(
        seen("INTEGER", "- 170141183460469231731687303715884105728", |value| value.as_i128()).0,
        Some(i128::MIN)
    );
    let days = "INTEGER { monday(1), sunday(-7) }";
    same(days, "sunday");
    assert_eq!(seen(days, "sunday", |value| value.as_i64()).0, Some(-7));
    assert_eq!(seen(days, "1", |_| ()).1, "monday");
    assert_eq!(seen(days, "2", |_| ()).1, "2");
}

#[test]
fn reals_are_what_they_are() {
    let double = |text: &str| match seen("REAL", text, |value| value.as_f64().map(f64::to_bits)).0 {
        Some(bits) => f64::from_bits(bits),
        None => panic!("{text}"),
    };
    assert_eq!(double("PLUS-INFINITY"), f64::INFINITY);
    assert_eq!(double("MINUS-INFINITY"), f64::NEG_INFINITY);
    assert!(double("NOT-A-NUMBER").is_nan());
    assert!(double("-0").is_sign_negative() && double("0").is_sign_positive());
    assert_eq!(double("-1.50E1"), -15.0);
    assert_eq!(double("{ mantissa 5, base 2, exponent -1 }"), 2.5);
    assert_eq!(double("{ mantissa -315, base 10, exponent -2 }"), -3.15);
    for text in [
        "0",
        "-0",
        "1",
        "-0.625",
        "0.000000059604644775390625",
        "9007199254740991",
        "{ mantissa 3602879701896397, base 2, exponent -55 }",
        "{ mantissa 1, base 2, exponent -1074 }",
        "{ mantissa -9007199254740991, base 2, exponent 971 }",
        // No double is equal to these; they stay decimal.
        "3.14",
        "-0.1",
        "1E400",
        "123456789012345678901234567890.125",
    ] {
        same("REAL", text);
    }
    // A tenth in decimal is not the double next to it.
    let decimal = |value: Value<'_>| matches!(value.as_real(), Some(Real::Decimal("0.1")));
    assert!(seen("REAL", "0.1", decimal).0);
    let binary = |value: Value<'_>| matches!(value.as_real(), Some(Real::Double(0.1)));
    assert!(seen("REAL", "{ mantissa 3602879701896397, base 2, exponent -55 }", binary).0);
}

#[test]
fn doubles_of_every_size_come_back() {
    let (types, node) = schema("T ::= SEQUENCE OF REAL");
    let mut random = Random::new(691);
    for _ in 0..200 {
        // Contents octets of X.690 clause 8.5.7: mantissas of eight bits at any exponent, in PER.
        let count = 1 + random.below(20);
        let mut message = vec![count as u8];
        for _ in 0..count {
            let exponent = (random.below(1900) as i16 - 950).to_be_bytes();
            let sign = random.of(&[0x81, 0xC1]);
            message.extend([5, sign, exponent[0], exponent[1], random.next() as u8, random.next() as u8 | 1]);
        }
        let mut values = Values::new();
        let value = asn1::read(&message, &types, node, &Options::uper(), &mut values).unwrap();
        let text = notation::write_value(value).unwrap();
        let canonical = asn1::write(value, &Options::uper()).unwrap();
        let mut again = Values::new();
        let value = notation::read_value(&text, &types, Some(node), &Limits::default(), &mut again).unwrap();
        assert_eq!(asn1::write(value, &Options::uper()).unwrap(), canonical, "{text}");
    }
}

#[test]
fn bit_strings_in_every_form() {
    let bits = |of: &str, text: &str| {
        seen(of, text, |value| value.as_bits().map(|(octets, len)| (octets.to_vec(), len)).unwrap())
    };
    assert_eq!(bits("BIT STRING", "'0110 1'B"), ((vec![0x68], 5), "'01101'B".to_owned()));
    assert_eq!(bits("BIT STRING", "'A5C'H"), ((vec![0xA5, 0xC0], 12), "'A5C'H".to_owned()));
    assert_eq!(bits("BIT STRING", "''B"), ((vec![], 0), "''B".to_owned()));
    assert_eq!(bits("BIT STRING", "''H").0, (vec![], 0));
    let flags = "BIT STRING { first(0), third(2), far(20) }";
    assert_eq!(bits(flags, "{ third, first }"), ((vec![0xA0], 3), "{ first, third }".to_owned()));
    assert_eq!(bits(flags, "{ far }").0, (vec![0, 0, 0x08], 21));
    assert_eq!(bits(flags, "{}"), ((vec![], 0), "{}".to_owned()));
    // Bit 1 has no name.
    assert_eq!(bits(flags, "'111'B").1, "'111'B");
    // As many as the constraint needs (22.7).
    assert_eq!(bits("BIT STRING { first(0) } (SIZE (8..16))", "{ first }").0, (vec![0x80], 8));
}

#[test]
fn octet_strings_in_both_forms() {
    let octets = |text: &str| seen("OCTET STRING", text, |value| value.as_octets().unwrap().to_vec());
    assert_eq!(octets("'0FA0'H"), (vec![0x0F, 0xA0], "'0FA0'H".to_owned()));
    // Zeros after it up to a whole octet (23.4).
    assert_eq!(octets("'ABC'H").0, [0xAB, 0xC0]);
    assert_eq!(octets("'1 0000 0001'B").0, [0x80, 0x80]);
    assert_eq!(octets("''H"), (vec![], "''H".to_owned()));
}

#[test]
fn object_identifiers_by_names_and_numbers() {
    let dotted = |of: &str, text: &str| seen(of, text, |value| value.as_oid().unwrap());
    let expected = ("1.2.840.113549".to_owned(), "{ 1 2 840 113549 }".to_owned());
    assert_eq!(dotted("OBJECT IDENTIFIER", "{ iso member-body us(840) 113549 }"), expected);
    assert_eq!(dotted("OBJECT IDENTIFIER", "{ 1 2 840 113549 }"), expected);
    assert_eq!(dotted("OBJECT IDENTIFIER", "{ joint-iso-itu-t 999 }").0, "2.999");
    let uuid = "{ 2 25 340282366920938463463374607431768211455 }";
    assert_eq!(dotted("OBJECT IDENTIFIER", uuid).1, uuid);
    assert_eq!(dotted("RELATIVE-OID", "{ 8571 sub(3) }"), ("8571.3".to_owned(), "{ 8571 3 }".to_owned()));
}

#[test]
fn texts_in_quotes_and_as_lists() {
    let text = |of: &str, notation: &str| seen(of, notation, |value| value.as_str().unwrap().to_owned());
    assert_eq!(text("UTF8String", "\"a \"\"b\"\" — é\""), ("a \"b\" — é".to_owned(), "\"a \"\"b\"\" — é\"".to_owned()));
    // 12.14.1: a new line goes, and the white space around it.
    assert_eq!(text("UTF8String", "\"ab  \n\t cd\"").0, "abcd");
    // 41.8: cells of ISO/IEC 10646, and columns and rows.
    let (read, written) = text("UTF8String", "{ \"a\", {0, 0, 0, 10}, {0, 0, 32, 172}, \"b\"\"\" }");
    assert_eq!((read.as_str(), written.as_str()), ("a\n€b\"", "{ \"a\", {0, 0, 0, 10}, \"€b\"\"\" }"));
    assert_eq!(text("IA5String", "{7, 15}"), ("\u{7F}".to_owned(), "{ {7, 15} }".to_owned()));
    assert_eq!(
        text("IA5String", "{ \"a\", {0, 13}, {0, 10} }"),
        ("a\r\n".to_owned(), "{ \"a\", {0, 13}, {0, 10} }".to_owned())
    );
    assert_eq!(text("BMPString", "{0, 0, 32, 172}").0, "€");
    assert_eq!(text("UTF8String", "\"\"").1, "\"\"");
    assert_eq!(text("UTCTime", "\"820102070000Z\"").0, "820102070000Z");
    let every: String = ('\0'..='\u{FF}').collect();
    let (types, node) = schema("T ::= SEQUENCE OF UTF8String");
    let mut values = Values::new();
    let quoted = every.replace('"', "\"\"").replace(['\n', '\r', '\u{B}', '\u{C}'], "");
    let notation = format!("{{ \"{quoted}\", {{ {{0,0,0,10}}, {{0,0,0,11}}, {{0,0,0,12}}, {{0,0,0,13}}, \" \" }} }}");
    let value = notation::read_value(&notation, &types, Some(node), &Limits::default(), &mut values).unwrap();
    // White space beside new lines is theirs; here there is none, as they are taken out.
    assert_eq!(value.item(0).unwrap().as_str().unwrap().chars().count(), 252);
    let written = notation::write_value(value).unwrap();
    assert!(!written.chars().any(|c| c.is_control() && c != '\n'), "{written}");
    let mut again = Values::new();
    let read = notation::read_value(&written, &types, Some(node), &Limits::default(), &mut again).unwrap();
    for item in [0, 1] {
        assert_eq!(read.item(item).unwrap().as_str(), value.item(item).unwrap().as_str());
    }
}

#[test]
fn records_choices_and_arrays() {
    let of =
        "SEQUENCE { a INTEGER, b SEQUENCE OF CHOICE { x NULL, y SET { z BOOLEAN } } OPTIONAL, c INTEGER DEFAULT 5 }";
    let text = "{\n  a 1,\n  b {\n    x : NULL,\n    y : {\n      z TRUE\n    }\n  }\n}";
    same(of, text);
    let (seen_values, _) = seen(of, "{ b { x : NULL }, a 1 }", |value| {
        (value.get("a").unwrap().as_i64(), value.get("b").unwrap().len(), value.get("c").unwrap().as_i64())
    });
    assert_eq!(seen_values, (Some(1), 1, Some(5)));
    same(of, "{\n  a 1,\n  b {},\n  c 6\n}");
    same("SEQUENCE {}", "{}");
    same("SET OF SEQUENCE { a NULL OPTIONAL }", "{\n  {},\n  {\n    a NULL\n  }\n}");
    same("CHOICE { a CHOICE { b CHOICE { c INTEGER } } }", "a : b : c : -5");
    // Components by the name that the type gives them (26.3).
    assert_eq!(seen("SEQUENCE OF item INTEGER { one(1) }", "{ item 3, item one }", |value| value.len()).0, 2);
    let numbers: Vec<String> = (0..40).map(|n: i32| (n * 1000).to_string()).collect();
    let (_, written) = seen("SEQUENCE OF INTEGER", &format!("{{ {} }}", numbers.join(", ")), |_| ());
    assert_eq!(written.split_whitespace().collect::<Vec<_>>().join(" "), format!("{{ {} }}", numbers.join(", ")));
    assert!(written.lines().all(|line| line.len() <= 101) && written.lines().count() == 3, "{written}");
}

#[test]
fn groups_of_additions_are_whole_or_not_there() {
    let of = "SEQUENCE { a NULL, ..., [[ b NULL, c NULL OPTIONAL ]] }";
    same(of, "{\n  a NULL,\n  b NULL\n}");
    same(of, "{\n  a NULL\n}");
    let error = fault(of, "{ a NULL, c NULL }");
    assert_eq!((error.kind(), error.found().to_string().as_str()), (ErrorKind::Schema, "missing component b of T"));
}

#[test]
fn an_assignment_names_the_type_itself() {
    let (types, node) = schema("T ::= INTEGER Other ::= BOOLEAN");
    let limits = Limits::default();
    let read = |text: &str, node| {
        let mut values = Values::new();
        notation::read_value(text, &types, node, &limits, &mut values)
            .map(|value| value.node_id())
            .map_err(|e| e.to_string())
    };
    assert_eq!(read("v T ::= 5", None), Ok(node));
    assert_eq!(read("v T ::= 5 -- five", Some(node)), Ok(node));
    assert_eq!(read("v M.T ::= 5", None), Ok(node));
    for (text, of, words) in [
        (
            "v Other ::= TRUE",
            Some(node),
            "schema at byte 2 (line 1, column 3): found a value of Other, expected one of T",
        ),
        ("v None ::= TRUE", None, "schema at byte 2 (line 1, column 3): type None not found"),
        ("5", None, "syntax at byte 0 (line 1, column 1): found '5', expected a value's name, its type and '::='"),
        ("v T = 5", None, "syntax at byte 4 (line 1, column 5): found '=', expected '::='"),
        ("v INTEGER ::= 5", None, "syntax at byte 2 (line 1, column 3): found 'INTEGER', expected the name of a type"),
        ("5 6", Some(node), "syntax at byte 2 (line 1, column 3): found '6', expected the end of the text"),
        (
            "",
            Some(node),
            "incomplete at byte 0 (line 1, column 1): found the end of the input, expected a whole number or its name (T)",
        ),
    ] {
        assert_eq!(read(text, of), Err(words.to_owned()), "{text}");
    }
}

#[test]
fn errors_have_their_position_and_path() {
    let point = "SEQUENCE { x INTEGER (0..9), y SEQUENCE (SIZE (1..2)) OF CHOICE { a BOOLEAN, b IA5String (SIZE (1)) } OPTIONAL }";
    for (of, text, words) in [
        (
            "INTEGER",
            "TRUE",
            "schema at byte 0 (line 1, column 1): found 'TRUE', expected a whole number or its name (T)",
        ),
        ("INTEGER", ")", "syntax at byte 0 (line 1, column 1): found ')', expected a whole number or its name (T)"),
        ("INTEGER", "- x", "schema at byte 0 (line 1, column 1): found '-', expected a whole number or its name (T)"),
        ("INTEGER", "1.5", "schema at byte 0 (line 1, column 1): found '1.5', expected a whole number or its name (T)"),
        ("INTEGER (1..5)", "6", "schema at byte 0 (line 1, column 1): found 6, expected 1 to 5 (T)"),
        ("INTEGER { a(6) } (1..5)", "a", "schema at byte 0 (line 1, column 1): found a, expected 1 to 5 (T)"),
        ("ENUMERATED { a }", "b", "schema at byte 0 (line 1, column 1): found 'b', expected an enumeration of T"),
        (
            "BOOLEAN",
            "",
            "incomplete at byte 0 (line 1, column 1): found the end of the input, expected TRUE or FALSE (T)",
        ),
        ("BIT STRING", "{ a }", "schema at byte 2 (line 1, column 3): found 'a', expected the name of a bit of T"),
        (
            "BIT STRING (SIZE (4))",
            "'1'B",
            "schema at byte 0 (line 1, column 1): found a size of 1, expected a size of 4 (T)",
        ),
        (
            "OCTET STRING",
            "\"a\"",
            "schema at byte 0 (line 1, column 1): found a character string, expected an hstring or a bstring (T)",
        ),
        ("OBJECT IDENTIFIER", "{ 1 }", "schema at byte 0 (line 1, column 1): found 1 arc, expected a value of T"),
        ("OBJECT IDENTIFIER", "{ 3 1 }", "schema at byte 0 (line 1, column 1): found 2 arcs, expected a value of T"),
        (
            "OBJECT IDENTIFIER",
            "{ 1 us }",
            "schema at byte 4 (line 1, column 5): found 'us', expected an arc's number after a name that is not one of X.660",
        ),
        (
            "OBJECT IDENTIFIER",
            "{ 2 25 340282366920938463463374607431768211456 }",
            "unsupported at byte 7 (line 1, column 8): found '340282366920938463463374607431768211456', expected an arc of at most 128 bits",
        ),
        (
            "PrintableString",
            "\"a_b\"",
            "schema at byte 0 (line 1, column 1): found '_', expected characters of PrintableString (T)",
        ),
        (
            "IA5String",
            "{8, 0}",
            "schema at byte 1 (line 1, column 2): found 8, 0, expected column and row below 8 and 16, or the cell of a character",
        ),
        ("IA5String", "{0, 256}", "syntax at byte 4 (line 1, column 5): found '256', expected a number below 256"),
        (
            "REAL",
            "{ mantissa 1, base 3, exponent 0 }",
            "schema at byte 0 (line 1, column 1): found base 3, expected base 2 or 10",
        ),
        (
            "REAL",
            "{ mantissa 1, exponent 0 }",
            "syntax at byte 14 (line 1, column 15): found 'exponent', expected the base",
        ),
        (
            "REAL",
            "{ mantissa 1, base 2, exponent 1024 }",
            "unsupported at byte 0 (line 1, column 1): found a binary number, expected one that a double is equal to",
        ),
        (
            point,
            "{ x 1,\n  x 2 }",
            "schema at byte 9 (line 2, column 3): found a second 'x', expected each component once",
        ),
        (point, "{ z 1 }", "schema at byte 2 (line 1, column 3): found 'z', expected a component of T"),
        (
            point,
            "{ y {} }",
            "schema at byte 4 (line 1, column 5) in /y: found a size of 0, expected a size of 1 to 2 (T.y)",
        ),
        (point, "{}", "schema at byte 0 (line 1, column 1): missing component x of T"),
        (point, "{ x 1, }", "syntax at byte 7 (line 1, column 8): found '}', expected a component"),
        (point, "{ x 1", "incomplete at byte 5 (line 1, column 6): found the end of the input, expected ',' or '}'"),
        (point, "{ x 10 }", "schema at byte 4 (line 1, column 5) in /x: found 10, expected 0 to 9 (T.x)"),
        (
            point,
            "{ y { a : TRUE, c : 1 } }",
            "schema at byte 16 (line 1, column 17) in /y/1: found 'c', expected an alternative of T.y.item",
        ),
        (
            point,
            "{ y { a : TRUE, b : \"\" } }",
            "schema at byte 20 (line 1, column 21) in /y/1/b: found a size of 0, expected a size of 1, characters of IA5String (T.y.item.b)",
        ),
        (point, "{ y { a : TRUE, } }", "syntax at byte 16 (line 1, column 17) in /y/0: found '}', expected a value"),
        (
            point,
            "{ y { TRUE } }",
            "schema at byte 6 (line 1, column 7) in /y/0: found 'TRUE', expected an alternative and ':' (T.y.item)",
        ),
    ] {
        assert_eq!(fault(of, text).to_string(), words, "{text}");
    }
}

#[test]
fn limits_are_kept() {
    let (types, node) = schema("T ::= SEQUENCE OF T");
    let read = |text: &str, limits| {
        let mut values = Values::new();
        notation::read_value(text, &types, Some(node), &limits, &mut values)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    let deep = |levels| format!("{}{}", "{".repeat(levels), "}".repeat(levels));
    assert!(read(&deep(1_000), Limits::default()).is_ok());
    let error = read(&deep(1_001), Limits::default()).unwrap_err();
    assert!(error.starts_with("limit at byte 1000 (line 1, column 1001) in /0/0/"), "{error}");
    assert!(error.ends_with(": found one more level, expected at most 1000 (limit depth)"), "{error}");
    assert!(read(&"{".repeat(1_000_000), Limits { depth: u32::MAX, ..Limits::default() }).is_err());
    assert!(read(&deep(1_000_000), Limits { depth: u32::MAX, ..Limits::default() }).is_ok());
    assert!(
        read("{ {}, {} }", Limits { message_bytes: 9, ..Limits::default() }).unwrap_err().contains("message_bytes")
    );
    assert!(read("{ {}, {} }", Limits { units: 6, ..Limits::default() }).unwrap_err().contains("units"));
}

#[test]
fn spoiled_values_are_read_or_refused() {
    let (types, node) = schema(
        "T ::= SEQUENCE { a INTEGER { one(1) }, b SET OF CHOICE { x NULL, y T, z REAL }, c BIT STRING { d(3) },
            e OBJECT IDENTIFIER, f UTF8String, g ENUMERATED { h }, i OCTET STRING } U ::= NULL",
    );
    let sample = "v T ::= { a one, b { x : NULL, y : { a -5, b {}, c '01'B, e {1 2}, f \"\", g h, i ''H },
        z : { mantissa 1, base 2, exponent 0 }, z : 1.5E3 }, c { d }, e { iso member-body(2) 840 },
        f { \"é\", {0, 0, 32, 172}, \"\"\"\" }, -- comment -- g h, i 'A0'H }";
    let mut random = Random::new(1);
    let characters: Vec<char> = sample.chars().collect();
    let others: Vec<char> = "\"'{}()|.,:;-/* 09aAé\n".chars().collect();
    let (mut right, mut wrong) = (0, 0);
    for round in 0..test_support::rounds(10_000) {
        let mut spoiled = characters.clone();
        if round < characters.len() {
            spoiled.truncate(round);
        } else {
            for _ in 0..random.below(3) {
                let at = random.below(spoiled.len());
                match random.below(3) {
                    0 => drop(spoiled.remove(at)),
                    1 => spoiled.insert(at, random.of(&others)),
                    _ => spoiled[at] = random.of(&others),
                }
            }
        }
        let text: String = spoiled.into_iter().collect();
        let mut values = Values::new();
        match notation::read_value(&text, &types, None, &Limits::default(), &mut values) {
            Ok(value) => {
                assert_eq!(value.node_id(), node);
                let encoded = asn1::write(value, &Options::uper()).unwrap();
                let written = notation::write_value(value).unwrap();
                let mut again = Values::new();
                let read = notation::read_value(&written, &types, Some(node), &Limits::default(), &mut again);
                let read = read.unwrap_or_else(|error| panic!("{error} in {written} from {text}"));
                assert_eq!(asn1::write(read, &Options::uper()).unwrap(), encoded, "{text} as {written}");
                right += 1;
            }
            Err(error) => {
                let at = error.offset() as usize;
                assert!(text.is_char_boundary(at), "{error} in {text}");
                let line = text[..at].matches('\n').count() as u64 + 1;
                assert_eq!(error.position().unwrap().0, line, "{error} in {text}");
                wrong += 1;
            }
        }
    }
    assert!(right > test_support::rounds(1_000) && wrong > test_support::rounds(1_000), "{right} right, {wrong} wrong");
}

/// The golden messages of the Infoset: from PER to notation and back.
#[test]
fn documents_of_the_infoset_go_through_notation() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/infoset-golden");
    let Ok(module) = fs::read_to_string(folder.join("Infoset.asn1")) else {
        test_support::skipped("there is no ../shared/data/infoset-golden");
        return;
    };
    let types = Compiled::from_notation(&module).unwrap();
    let document = types.find("Document").unwrap();
    for name in ["periodic_table", "soap2"] {
        let message = fs::read(folder.join(name).with_extension("uper")).unwrap();
        let mut values = Values::new();
        let value = asn1::read(&message, &types, document, &Options::uper(), &mut values).unwrap();
        let text = notation::write_value(value).unwrap();
        let mut again = Values::new();
        let value = notation::read_value(&text, &types, Some(document), &Limits::default(), &mut again)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(asn1::write(value, &Options::uper()).unwrap() == message, "{name}");
    }
}

/// Bounds of any size hold for values in notation and in JSON, and by BER as by PER.
#[test]
fn bounds_of_any_size_are_held() {
    let (below, lower) = ("-170141183460469231731687303715884105729", "-170141183460469231731687303715884105728");
    let (upper, above) = ("340282366920938463463374607431768211456", "340282366920938463463374607431768211457");
    let ranges = [(lower, upper), (lower, "MAX"), ("MIN", upper)];
    for (first, last) in ranges {
        let ty = format!("INTEGER {{ far({upper}) }} ({first}..{last})");
        let (types, node) = schema(&format!("T ::= {ty}"));
        let unbound = schema("T ::= INTEGER");
        for (text, allowed) in
            [(below, first == "MIN"), (lower, true), ("0", true), (upper, true), (above, last == "MAX")]
        {
            let mut values = Values::new();
            let read = notation::read_value(text, &types, Some(node), &Limits::default(), &mut values);
            assert_eq!(
                read.map(|_| ()).map_err(|error| error.kind()),
                allowed.then_some(()).ok_or(ErrorKind::Schema),
                "{ty} {text}"
            );
            let mut table = tam::Table::new();
            let document = text::json::read(text.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
            let read = asn1::jer::read(&document, &types, node, &Limits::default(), &mut values);
            assert_eq!(read.is_ok(), allowed, "{ty} {text}");
            let value = asn1::jer::read(&document, &unbound.0, unbound.1, &Limits::default(), &mut values).unwrap();
            let message = asn1::write(value, &asn1::Options::ber()).unwrap();
            let read = asn1::read(&message, &types, node, &asn1::Options::ber(), &mut values);
            assert_eq!(read.is_ok(), allowed, "{ty} {text}");
        }
    }
    assert_eq!(seen(&format!("INTEGER {{ far({upper}) }} (0..far)"), upper, |_| ()).1, "far");
}
