//! What BER lets be read: examples of X.690, each form that clause 8 has, and what none has.

use crate::ber_support::{Type, hex};
use asn1::event::Integer;
use asn1::{Options, Values};
use tam::ErrorKind;

/// A message says this in JSON.
fn says(ty: &Type, message: &str, json: &str) {
    match ty.json(&hex(message)) {
        Ok(text) => assert_eq!(text, json, "{message}"),
        Err(error) => panic!("{error}: {message}"),
    }
}

/// A message is refused: as what, at which octet, and where in the value.
fn refused(ty: &Type, message: &str, kind: ErrorKind, offset: u64, path: &str) {
    match ty.json(&hex(message)) {
        Ok(text) => panic!("{message} says {text}"),
        Err(error) => {
            assert_eq!((error.kind(), error.offset(), error.path()), (kind, offset, path), "{error}: {message}")
        }
    }
}

/// X.690 clauses 8.2.2, 8.6.4.2, 8.8.2, 8.9.3, 8.19.5, 8.20.5.
#[test]
fn the_examples_of_clause_8() {
    says(&Type::new("T ::= BOOLEAN"), "01 01 FF", "true");
    let bits = Type::new("T ::= BIT STRING");
    let json = r#"{"value":"0A3B5F291CD0","length":44}"#;
    says(&bits, "03 07 04 0A3B5F291CD0", json);
    says(&bits, "23 80 03 03 00 0A3B 03 05 04 5F291CD0 00 00", json);
    says(&Type::new("T ::= NULL"), "05 00", "null");
    let sequence = Type::new("T ::= SEQUENCE { name IA5String, ok BOOLEAN }");
    says(&sequence, "30 0A 16 05 536D697468 01 01 FF", r#"{"name":"Smith","ok":true}"#);
    says(&Type::new("T ::= OBJECT IDENTIFIER"), "06 03 88 37 03", r#""2.999.3""#);
    says(&Type::new("T ::= RELATIVE-OID"), "0D 04 C2 7B 03 02", r#""8571.3.2""#);
}

/// X.690 clause 8.14.
#[test]
fn the_examples_of_tagged_types() {
    let types = "Type1 ::= VisibleString Type2 ::= [APPLICATION 3] IMPLICIT Type1 Type3 ::= [2] Type2
        Type4 ::= [APPLICATION 7] IMPLICIT Type3 Type5 ::= [2] IMPLICIT Type2";
    let cases = [
        ("Type1", "1A 05 4A6F6E6573"),
        ("Type2", "43 05 4A6F6E6573"),
        ("Type3", "A2 07 43 05 4A6F6E6573"),
        ("Type4", "67 07 43 05 4A6F6E6573"),
        ("Type5", "82 05 4A6F6E6573"),
    ];
    for (name, message) in cases {
        let ty = Type::new(&format!("{types} T ::= {name}"));
        says(&ty, message, r#""Jones""#);
        assert_eq!(ty.message(r#""Jones""#, &Options::ber()).unwrap(), hex(message), "{name}");
        assert_eq!(ty.message(r#""Jones""#, &Options::der()).unwrap(), hex(message), "{name}");
    }
}

/// X.690 clause 8.23.6: the forms of one character string.
#[test]
fn the_examples_of_character_strings() {
    let name = Type::new("T ::= VisibleString");
    for message in [
        "1A 05 4A6F6E6573",
        "1A 81 05 4A6F6E6573",
        "3A 09 04 03 4A6F6E 04 02 6573",
        "3A 80 04 03 4A6F6E 04 02 6573 00 00",
    ] {
        says(&name, message, r#""Jones""#);
    }
}

/// X.690 Annex A: a record of a person. All its tags are in the notation.
const PERSONNEL: &str = "T ::= [APPLICATION 0] IMPLICIT SET {
        name         Name,
        title        [0] VisibleString,
        number       EmployeeNumber,
        dateOfHire   [1] Date,
        nameOfSpouse [2] Name,
        children     [3] IMPLICIT SEQUENCE OF ChildInformation DEFAULT {} }
    ChildInformation ::= SET { name Name, dateOfBirth [0] Date }
    Name ::= [APPLICATION 1] IMPLICIT SEQUENCE
        { givenName VisibleString, initial VisibleString, familyName VisibleString }
    EmployeeNumber ::= [APPLICATION 2] IMPLICIT INTEGER
    Date ::= [APPLICATION 3] IMPLICIT VisibleString";

#[test]
fn the_example_of_annex_a() {
    let ty = Type::new(PERSONNEL);
    let name = "61 10 1A 04 4A6F686E 1A 01 50 1A 05 536D697468";
    let title = "A0 0A 1A 08 4469726563746F72";
    let number = "42 01 33";
    let hired = "A1 0A 43 08 3139373130393137";
    let spouse = "A2 12 61 10 1A 04 4D617279 1A 01 54 1A 05 536D697468";
    let children = "A3 42
        31 1F 61 11 1A 05 52616C7068 1A 01 54 1A 05 536D697468 A0 0A 43 08 3139353731313131
        31 1F 61 11 1A 05 537573616E 1A 01 42 1A 05 4A6F6E6573 A0 0A 43 08 3139353930373137";
    let message = hex(&format!("60 81 85 {name} {title} {number} {hired} {spouse} {children}"));
    assert_eq!(message.len(), 136);
    let mut values = Values::new();
    let record = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
    let text = |value: asn1::Value<'_>, name: &str| value.get(name).unwrap().as_str().unwrap().to_owned();
    let person =
        |value: asn1::Value<'_>| ["givenName", "initial", "familyName"].map(|part| text(value, part)).join(" ");
    assert_eq!(person(record.get("name").unwrap()), "John P Smith");
    assert_eq!(text(record, "title"), "Director");
    assert_eq!(record.get("number").unwrap().as_integer(), Some(Integer::Small(51)));
    assert_eq!(text(record, "dateOfHire"), "19710917");
    assert_eq!(person(record.get("nameOfSpouse").unwrap()), "Mary T Smith");
    let children: Vec<String> =
        record.get("children").unwrap().items().map(|child| person(child.get("name").unwrap())).collect();
    assert_eq!(children, ["Ralph T Smith", "Susan B Jones"]);
    assert_eq!(text(record.get("children").unwrap().item(1).unwrap(), "dateOfBirth"), "19590717");
    // The order of tags puts the number second (X.690 clause 10.3 by X.680 clause 8.6).
    let children = "A3 42
        31 1F 61 11 1A 05 52616C7068 1A 01 54 1A 05 536D697468 A0 0A 43 08 3139353731313131
        31 1F 61 11 1A 05 537573616E 1A 01 42 1A 05 4A6F6E6573 A0 0A 43 08 3139353930373137";
    let sorted = hex(&format!("60 81 85 {name} {number} {title} {hired} {spouse} {children}"));
    assert!(asn1::write(record, &Options::der()).unwrap() == sorted);
    // In any order, whatever the form of lengths, it is the same record.
    let other = hex(&format!("60 80 {children} {spouse} 42 83 00 00 01 33 {hired} {title} {name} 00 00"));
    assert!(ty.rewritten(&other, &Options::der()).unwrap() == sorted);
}

#[test]
fn lengths_of_every_form() {
    let ty = Type::new("T ::= SEQUENCE { a [0] SEQUENCE OF INTEGER, b [1] EXPLICIT OCTET STRING OPTIONAL }");
    let json = r#"{"a":[1,-2],"b":"CAFE"}"#;
    for message in [
        "30 10  A0 08 30 06 020101 0201FE  A1 04 0402CAFE",
        "30 80  A0 80 30 80 020101 0201FE 0000 0000  A1 80 0402CAFE 0000  0000",
        "30 81 12 A0 0A 30 80 020101 0201FE 0000  A1 04 0402CAFE",
        "30 80  A0 80 30 06 020101 0201FE 0000  A1 82 0008 2480 0402CAFE 0000  0000",
        "30 84 00000015 A0 83 000008 30 06 020101 0201FE A1 82 0004 0402CAFE",
    ] {
        says(&ty, message, json);
    }
}

#[test]
fn strings_in_segments_of_segments() {
    let octets = Type::new("T ::= [5] IMPLICIT OCTET STRING");
    for (message, json) in [
        ("85 00", r#""""#),
        ("A5 00", r#""""#),
        ("A5 80 0000", r#""""#),
        ("A5 04 04 00 24 00", r#""""#),
        ("A5 80 24 80 24 05 0401AA 0400 0401BB 0000 24 80 0402CCDD 0000 0000", r#""AABBCCDD""#),
    ] {
        says(&octets, message, json);
    }
    let bits = Type::new("T ::= BIT STRING");
    says(&bits, "23 00", r#"{"value":"","length":0}"#);
    says(&bits, "23 0A 23 04 03 02 00 AA 03 02 03 B8", r#"{"value":"AAB8","length":13}"#);
    // Unused bits are reported as zeros, whatever they are in the message.
    says(&bits, "03 02 03 BF", r#"{"value":"B8","length":5}"#);
    says(&bits, "23 07 03 02 00 FF 03 01 00", r#"{"value":"FF","length":8}"#);
    // The tag of a segment is universal, whatever that of the string.
    refused(&octets, "A5 03 8501AA", ErrorKind::Schema, 2, "");
    refused(&bits, "23 03 0401AA", ErrorKind::Schema, 2, "");
    refused(&Type::new("T ::= UTF8String"), "2C 03 0C0141", ErrorKind::Schema, 2, "");
    // Only the last segment may end within an octet.
    refused(&bits, "23 08 03 02 01 AA 03 02 00 BB", ErrorKind::Syntax, 6, "");
}

#[test]
fn bits_that_are_none() {
    let bits = Type::new("T ::= BIT STRING");
    for message in ["03 00", "03 01 01", "03 02 08 00", "03 02 FF 00"] {
        refused(&bits, message, ErrorKind::Syntax, 0, "");
    }
}

#[test]
fn characters_of_one_octet_two_and_four() {
    for (ty, message, json) in [
        ("UTF8String", "0C 03 E282AC", r#""€""#),
        ("UTF8String", "2C 80 0402E282 0401AC 0000", r#""€""#),
        ("BMPString", "1E 04 20AC0041", r#""€A""#),
        ("BMPString", "3E 06 040120 0401AC", r#""€""#),
        ("UniversalString", "1C 08 0001F600 00000041", r#""😀A""#),
        ("TeletexString", "14 02 41E9", r#""Aé""#),
        ("TeletexString", "34 06 040141 0401E9", r#""Aé""#),
        ("NumericString", "12 03 312033", r#""1 3""#),
        ("GeneralizedTime", "18 0F 32303236303130323033303430355A", r#""20260102030405Z""#),
        ("UTCTime", "17 0D 3236303130323033303430355A", r#""260102030405Z""#),
    ] {
        says(&Type::new(&format!("T ::= {ty}")), message, json);
    }
    for (ty, message, kind) in [
        ("UTF8String", "0C 02 E282", ErrorKind::Syntax),
        ("BMPString", "1E 03 204100", ErrorKind::Syntax),
        ("BMPString", "1E 02 D800", ErrorKind::Syntax),
        ("UniversalString", "1C 04 00110000", ErrorKind::Syntax),
        ("UniversalString", "1C 02 0041", ErrorKind::Syntax),
        ("NumericString", "12 01 41", ErrorKind::Schema),
        ("PrintableString", "13 01 40", ErrorKind::Schema),
        ("IA5String", "16 01 80", ErrorKind::Schema),
        ("IA5String (FROM (\"a\"..\"c\"))", "16 02 6164", ErrorKind::Schema),
        ("UTF8String (SIZE (2))", "0C 03 E282AC", ErrorKind::Schema),
        ("BMPString (SIZE (2))", "1E 02 20AC", ErrorKind::Schema),
    ] {
        refused(&Type::new(&format!("T ::= {ty}")), message, kind, 0, "");
    }
    says(&Type::new("T ::= UTF8String (SIZE (1, ...))"), "0C 02 4142", r#""AB""#);
}

#[test]
fn numbers_of_any_size_in_their_shortest_form() {
    let integer = Type::new("T ::= INTEGER");
    for (message, json) in [
        ("02 01 00", "0"),
        ("02 02 0080", "128"),
        ("02 01 80", "-128"),
        ("02 08 8000000000000000", "-9223372036854775808"),
        ("02 09 008000000000000000", "9223372036854775808"),
        ("02 09 FF7FFFFFFFFFFFFFFF", "-9223372036854775809"),
        ("02 11 0100000000000000000000000000000000", "340282366920938463463374607431768211456"),
    ] {
        says(&integer, message, json);
        assert_eq!(integer.rewritten(&hex(message), &Options::ber()).unwrap(), hex(message));
    }
    // X.690 clause 8.3.2.
    for message in ["02 00", "02 02 0001", "02 02 FF80", "02 03 0000FF", "22 03 020101"] {
        refused(&integer, message, ErrorKind::Syntax, 0, "");
    }
    refused(&Type::new("T ::= INTEGER (0..7)"), "02 01 08", ErrorKind::Schema, 0, "");
    refused(&Type::new("T ::= INTEGER (0..7)"), "02 11 0100000000000000000000000000000000", ErrorKind::Schema, 0, "");
    says(&Type::new("T ::= INTEGER (0..7, ...)"), "02 01 08", "8");
    let enumerated = Type::new("T ::= ENUMERATED { low(-129), high(300) }");
    says(&enumerated, "0A 02 FF7F", r#""low""#);
    says(&enumerated, "0A 02 012C", r#""high""#);
    refused(&enumerated, "0A 01 00", ErrorKind::Schema, 0, "");
    // Those of enumerations as well: 2^64, -2^64 and the next one.
    let enumerated = Type::new(
        "T ::= ENUMERATED { one(1), high(18446744073709551616), low(-18446744073709551616), ..., next, more(18446744073709551618) }",
    );
    for (message, json) in [
        ("0A 01 01", r#""one""#),
        ("0A 09 010000000000000000", r#""high""#),
        ("0A 09 FF0000000000000000", r#""low""#),
        ("0A 01 00", r#""next""#),
        ("0A 09 010000000000000002", r#""more""#),
    ] {
        says(&enumerated, message, json);
        assert_eq!(enumerated.rewritten(&hex(message), &Options::ber()).unwrap(), hex(message));
    }
    let after = Type::new("T ::= ENUMERATED { a, ..., b(9223372036854775807), c }");
    says(&after, "0A 09 008000000000000000", r#""c""#);
    // A place among the root's in the order of the numbers (X.691 clause 14.1).
    for (name, field) in [("low", "00"), ("one", "20"), ("high", "40")] {
        assert_eq!(enumerated.message(&format!("{name:?}"), &Options::uper()).unwrap(), hex(field), "{name}");
    }
}

#[test]
fn booleans_nulls_and_reals() {
    let boolean = Type::new("T ::= BOOLEAN");
    says(&boolean, "01 01 01", "true");
    says(&boolean, "01 01 00", "false");
    for message in ["01 00", "01 02 FFFF", "21 03 0101FF"] {
        refused(&boolean, message, ErrorKind::Syntax, 0, "");
    }
    refused(&Type::new("T ::= NULL"), "05 01 00", ErrorKind::Syntax, 0, "");
    let real = Type::new("T ::= REAL");
    says(&real, "09 00", "0");
    // By clause 8.5.7: 5 times 2; base 8: 5 times 8 to the power of 2; decimal in NR2.
    says(&real, "09 03 80 01 05", "10");
    says(&real, "09 03 90 02 05", "320");
    says(&real, "09 05 02 2D312C35", "-1.5");
    refused(&real, "09 01 44", ErrorKind::Syntax, 0, "");
    // Sound, but of 54 bits, and of an exponent of 32767.
    refused(&real, "09 09 80 00 20000000000001", ErrorKind::Unsupported, 0, "");
    refused(&real, "09 04 81 7FFF 01", ErrorKind::Unsupported, 0, "");
    let identifier = Type::new("T ::= OBJECT IDENTIFIER");
    for message in ["06 00", "06 03 2A 80 01", "06 02 2A 88"] {
        refused(&identifier, message, ErrorKind::Syntax, 0, "");
    }
}

#[test]
fn components_come_in_order_and_absent_ones_are_passed_over() {
    let ty = Type::implicit(
        "T ::= SEQUENCE { a INTEGER OPTIONAL, b BOOLEAN DEFAULT TRUE, c CHOICE { x [0] NULL, y [1] NULL } OPTIONAL, d OCTET STRING, e INTEGER OPTIONAL }",
    );
    says(&ty, "30 02 0400", r#"{"d":""}"#);
    says(&ty, "30 04 8100 0400", r#"{"c":{"y":null},"d":""}"#);
    says(&ty, "30 0D 020101 010100 8000 0400 020102", r#"{"a":1,"b":false,"c":{"x":null},"d":"","e":2}"#);
    // Without `d`; `a` twice; `d` twice; `c` after `d`.
    refused(&ty, "30 00", ErrorKind::Schema, 2, "");
    refused(&ty, "30 03 020101", ErrorKind::Schema, 5, "");
    refused(&ty, "30 06 020101 020102", ErrorKind::Schema, 5, "");
    refused(&ty, "30 04 0400 0400", ErrorKind::Schema, 4, "");
    refused(&ty, "30 04 0400 8100", ErrorKind::Schema, 4, "");
    refused(&ty, "30 05 0400 010100", ErrorKind::Schema, 4, "");
    refused(&ty, "30 04 0400 0200", ErrorKind::Syntax, 4, "/e");
    refused(&ty, "30 05 8101 00 0400", ErrorKind::Syntax, 2, "/c/y");
}

#[test]
fn what_says_which_component_is_missing() {
    let ty = Type::new("T ::= SEQUENCE { a INTEGER OPTIONAL, b BOOLEAN }");
    let error = ty.json(&hex("30 02 0500")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "schema at byte 2: found the tag [UNIVERSAL 5], expected b: [UNIVERSAL 1], a value of T.b"
    );
    let error = ty.json(&hex("30 03 020105")).unwrap_err();
    assert_eq!(error.to_string(), "schema at byte 5: missing component b of T");
    let error = ty.json(&hex("31 00")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "schema at byte 0: found the tag [UNIVERSAL 17], expected [UNIVERSAL 16], a value of T"
    );
}

#[test]
fn components_of_a_set_come_in_any_order() {
    let ty = Type::implicit(
        "T ::= SET { a INTEGER, b BOOLEAN OPTIONAL, c CHOICE { x [5] NULL, y CHOICE { z [6] NULL } }, ..., [[ d [7] NULL, e [8] NULL OPTIONAL ]] }",
    );
    says(&ty, "31 08 0101FF 8600 020107", r#"{"a":7,"b":true,"c":{"y":{"z":null}}}"#);
    says(&ty, "31 05 020107 8500", r#"{"a":7,"c":{"x":null}}"#);
    says(&ty, "31 80 8800 8500 8700 020107 0000", r#"{"a":7,"c":{"x":null},"d":null,"e":null}"#);
    // Unknown ones are passed over; of a group all must come that are not optional.
    says(&ty, "31 08 9F64 00 020107 8500", r#"{"a":7,"c":{"x":null}}"#);
    refused(&ty, "31 07 020107 8500 8800", ErrorKind::Schema, 9, "");
    refused(&ty, "31 07 020107 8500 8600", ErrorKind::Schema, 7, "");
    refused(&ty, "31 08 020107 8500 020107", ErrorKind::Schema, 7, "");
    refused(&ty, "31 02 8500", ErrorKind::Schema, 4, "");
    refused(&ty, "31 03 020107", ErrorKind::Schema, 5, "");
}

#[test]
fn a_set_of_many_components_knows_which_have_come() {
    let members: Vec<String> = (0..200).map(|i| format!("m{i} [{i}] NULL OPTIONAL")).collect();
    let ty = Type::implicit(&format!("T ::= SEQUENCE OF SET {{ {} }}", members.join(", ")));
    let member = |number: u32| match number {
        0..31 => format!("{:02X}00", 0x80 | number),
        31..128 => format!("9F{number:02X}00"),
        _ => format!("9F81{:02X}00", number & 0x7F),
    };
    let set = |numbers: &[u32]| {
        let all: String = numbers.iter().map(|number| member(*number)).collect();
        format!("31{:02X}{all}", all.len() / 2)
    };
    let both = format!("{}{}", set(&[199, 0, 64, 63, 128]), set(&[128, 64]));
    says(
        &ty,
        &format!("30{:02X}{both}", both.len() / 2),
        r#"[{"m0":null,"m63":null,"m64":null,"m128":null,"m199":null},{"m64":null,"m128":null}]"#,
    );
    let twice = set(&[199, 64, 199]);
    refused(&ty, &format!("30{:02X}{twice}", twice.len() / 2), ErrorKind::Schema, 11, "/0");
}

#[test]
fn additions_of_later_versions_are_passed_over_where_they_may_come() {
    let extensible = Type::implicit("T ::= SEQUENCE { a INTEGER, ..., b BOOLEAN, ..., c NULL }");
    says(&extensible, "30 05 020101 0500", r#"{"a":1,"c":null}"#);
    says(&extensible, "30 08 020101 0101FF 0500", r#"{"a":1,"b":true,"c":null}"#);
    // After `b`, of any length and form, more than one.
    says(
        &extensible,
        "30 80 020101 0101FF A980 8101FF A280 0000 3080 0000 0000 8A03ABCDEF 0500 0000",
        r#"{"a":1,"b":true,"c":null}"#,
    );
    says(&extensible, "30 08 020101 8A0100 0500", r#"{"a":1,"c":null}"#);
    // Before `a`, after `c`, and `b` after it: nowhere.
    refused(&extensible, "30 08 8A0100 020101 0500", ErrorKind::Schema, 2, "");
    refused(&extensible, "30 08 020101 0500 8A0100", ErrorKind::Schema, 7, "");
    refused(&extensible, "30 0B 020101 8A0100 0101FF 0500", ErrorKind::Schema, 8, "");
    let closed = Type::implicit("T ::= SEQUENCE { a INTEGER }");
    refused(&closed, "30 06 020101 8A0100", ErrorKind::Schema, 5, "");
    let at_the_end = Type::implicit("T ::= SEQUENCE { a INTEGER OPTIONAL, ... }");
    says(&at_the_end, "30 03 8A0100", "{}");
    refused(&at_the_end, "30 06 8A0100 020101", ErrorKind::Schema, 5, "");
    refused(&at_the_end, "30 06 8A03010203", ErrorKind::Incomplete, 0, "");
    refused(&at_the_end, "30 02 0000", ErrorKind::Syntax, 2, "");
    // Only of components that may be absent must its tag differ.
    let twice =
        Type::implicit("T ::= SEQUENCE { o [0] NULL OPTIONAL, a INTEGER, p [1] NULL OPTIONAL, ..., c [2] NULL }");
    says(&twice, "30 0A 020101 020102 8000 8900", r#"{"a":1}"#);
    says(&twice, "30 09 020101 8200 8000 8900", r#"{"a":1,"c":null}"#);
    refused(&twice, "30 07 020101 8900 8100", ErrorKind::Schema, 7, "");
    refused(&twice, "30 07 020101 8900 8200", ErrorKind::Schema, 7, "");
}

#[test]
fn groups_of_additions_come_whole() {
    let ty = Type::implicit(
        "T ::= SEQUENCE { a NULL, ..., [[ b [0] NULL OPTIONAL, c [1] NULL, d [2] NULL DEFAULT NULL ]], [[ e [3] NULL, f [4] NULL ]], g [5] NULL }",
    );
    says(&ty, "30 02 0500", r#"{"a":null}"#);
    says(&ty, "30 04 0500 8100", r#"{"a":null,"c":null}"#);
    says(&ty, "30 08 0500 8300 8400 8500", r#"{"a":null,"e":null,"f":null,"g":null}"#);
    refused(&ty, "30 04 0500 8000", ErrorKind::Schema, 6, "");
    refused(&ty, "30 04 0500 8200", ErrorKind::Schema, 4, "");
    refused(&ty, "30 06 0500 8000 8300", ErrorKind::Schema, 6, "");
    refused(&ty, "30 06 0500 8400 8500", ErrorKind::Schema, 4, "");
    refused(&ty, "30 06 0500 8300 8500", ErrorKind::Schema, 6, "");
    refused(&ty, "30 06 0500 8300 8900", ErrorKind::Schema, 6, "");
}

#[test]
fn alternatives_of_later_versions_are_kept_with_their_tags() {
    let ty = Type::implicit("T ::= SEQUENCE OF CHOICE { a [0] INTEGER, b CHOICE { c [1] NULL, ... } }");
    let message = hex("30 80 800105 AA80 0500 0000 9F8768 01 AB 0000");
    let mut values = Values::new();
    let value = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
    assert_eq!(value.len(), 3);
    let inner = |index: usize| value.item(index).unwrap().get("b").unwrap();
    assert!(inner(1).chosen().is_none());
    let written = asn1::write(value, &Options::ber()).unwrap();
    assert_eq!(written, hex("30 0E 800105 AA80 0500 0000 9F8768 01 AB"));
    // Where neither choice is extensible it is refused.
    let ty = Type::implicit("T ::= CHOICE { a [0] INTEGER, b CHOICE { c [1] NULL } }");
    refused(&ty, "8200", ErrorKind::Schema, 0, "");
    let ty = Type::implicit("T ::= SEQUENCE { o [9] NULL OPTIONAL, a CHOICE { b [0] NULL, ... }, c [1] NULL }");
    let mut values = Values::new();
    let message = hex("30 05 8A 01 00 81 00");
    let value = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
    assert_eq!(asn1::write(value, &Options::der()).unwrap(), message);
}

#[test]
fn enumerations_of_later_versions_are_kept_as_numbers() {
    let ty = Type::new("T ::= SEQUENCE OF ENUMERATED { a, b, ..., c }");
    let message = hex("30 13 0A0100 0A0102 0A0107 0A08 7FFFFFFFFFFFFFFF");
    let mut values = Values::new();
    let value = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
    assert_eq!(value.item(1).unwrap().as_enumerated(), Some("c"));
    assert_eq!(value.item(2).unwrap().unknown(), Some(&[7][..]));
    assert_eq!(asn1::write(value, &Options::der()).unwrap(), message);
}

#[test]
fn choices_with_tags_of_their_own() {
    let ty = Type::new("T ::= [3] CHOICE { a [0] EXPLICIT [1] EXPLICIT BOOLEAN, b [4] CHOICE { c NULL } }");
    for message in
        ["A3 07 A0 05 A1 03 0101FF", "A3 80 A0 80 A1 80 0101FF 0000 0000 0000", "A3 09 A0 80 A1 03 0101FF 0000"]
    {
        says(&ty, message, r#"{"a":true}"#);
    }
    says(&ty, "A3 04 A4 02 0500", r#"{"b":{"c":null}}"#);
    says(&ty, "A3 80 A4 80 0500 0000 0000", r#"{"b":{"c":null}}"#);
    refused(&ty, "83 04 A4 02 0500", ErrorKind::Syntax, 0, "");
    refused(&ty, "A3 06 A4 02 0500 0500", ErrorKind::Syntax, 6, "");
    refused(&ty, "A3 06 A4 04 0500 0500", ErrorKind::Syntax, 6, "/b");
    refused(&ty, "A3 80 A4 02 0500 0500 0000", ErrorKind::Syntax, 6, "");
    refused(&ty, "A3 00", ErrorKind::Syntax, 2, "");
    refused(&ty, "A3 02 A1 00", ErrorKind::Schema, 2, "");
    refused(&ty, "A3 07 A0 05 A2 03 0101FF", ErrorKind::Schema, 4, "/a");
}

#[test]
fn sizes_and_contents_are_held_against_constraints() {
    let ty = Type::new("T ::= SEQUENCE (SIZE (1..2)) OF OCTET STRING (SIZE (0..2 | 4))");
    says(&ty, "30 06 0404 01020304", r#"["01020304"]"#);
    refused(&ty, "30 00", ErrorKind::Schema, 0, "");
    refused(&ty, "30 80 0000", ErrorKind::Schema, 0, "");
    refused(&ty, "30 06 0400 0400 0400", ErrorKind::Schema, 0, "");
    refused(&ty, "30 80 2480 0000 2480 0000 0400 0000", ErrorKind::Schema, 10, "");
    refused(&ty, "30 07 0400 0403 010203", ErrorKind::Schema, 4, "/1");
    refused(&ty, "30 0B 0400 2407 2405 0403 010203", ErrorKind::Schema, 4, "/1");
}

/// X.680 clause 22.7: of named bits, zeros at the end come and go as sizes ask.
#[test]
fn zero_bits_after_named_ones_are_as_many_as_the_size_requires() {
    let ty = Type::new("T ::= BIT STRING { a(0), b(9) } (SIZE (4..12))");
    for (message, json) in [
        ("03 01 00", r#"{"value":"00","length":4}"#),
        ("03 02 06 40", r#"{"value":"40","length":4}"#),
        ("03 03 06 8040", r#"{"value":"8040","length":10}"#),
        ("03 04 00 804000", r#"{"value":"8040","length":10}"#),
    ] {
        says(&ty, message, json);
    }
    refused(&ty, "03 03 00 8001", ErrorKind::Schema, 0, "");
    let extensible = Type::new("T ::= BIT STRING { a(0), b(9) } (SIZE (4, ...))");
    says(&extensible, "03 02 06 40", r#"{"value":"40","length":4}"#);
    says(&extensible, "03 02 02 40", r#"{"value":"40","length":6}"#);
    let gaps = Type::new("T ::= BIT STRING { a(0), b(4) } (SIZE (3 | 6..7))");
    says(&gaps, "03 01 00", r#"{"value":"00","length":3}"#);
    says(&gaps, "03 02 03 08", r#"{"value":"08","length":6}"#);
    says(&gaps, "03 02 00 08", r#"{"value":"08","length":6}"#);
    assert_eq!(gaps.rewritten(&hex("03020008"), &Options::der()).unwrap(), hex("03020308"));
    refused(&gaps, "03 02 00 01", ErrorKind::Schema, 0, "");
    refused(&Type::new("T ::= BIT STRING (SIZE (4..12))"), "03 01 00", ErrorKind::Schema, 0, "");
}
