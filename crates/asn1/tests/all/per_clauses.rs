//! Messages in PER put together by hand, clause by clause of X.691: what is at the edges, where
//! encoders go wrong.

use crate::support::{Type, binary, hex};
use asn1::Options;
use tam::ErrorKind;

const UPER: Options = Options::uper();
const APER: Options = Options::aper();

/// A value in JSON is these octets, unaligned and aligned, and these are the value.
fn holds(ty: &Type, json: &str, uper: &[u8], aper: &[u8]) {
    for (options, message) in [(&UPER, uper), (&APER, aper)] {
        let written = ty.message(json, options).unwrap_or_else(|error| panic!("{json:.200}: {error}"));
        assert!(written == message, "{json:.200}: {written:02X?}, not {message:02X?}");
        let read = ty.json(message, options).unwrap_or_else(|error| panic!("{json:.200}: {error}"));
        assert!(read == json, "{read:.200}, not {json:.200}");
        assert_eq!(ty.rewritten(message, &options.with_canonical(true)).unwrap(), message, "{json:.200}");
    }
}

/// The same octets in both variants.
fn holds_alike(ty: &Type, json: &str, message: &[u8]) {
    holds(ty, json, message, message);
}

/// Clause 11.5.7: up to 255 values in as few bits as possible, 256 in an octet, up to 64K in two; more in as few octets
/// as the number takes, after their count.
#[test]
fn constrained_numbers_change_their_form_at_255_256_and_64k() {
    let number = |range: &str| Type::new(&format!("T ::= INTEGER ({range})"));
    holds_alike(&number("7..7"), "7", &hex("00"));
    holds_alike(&number("0..1"), "1", &binary("1"));
    holds_alike(&number("-1..253"), "253", &binary("1111 1110"));
    holds_alike(&number("-1..254"), "254", &hex("FF"));
    holds(&number("0..256"), "256", &binary("1 0000 0000"), &hex("01 00"));
    holds_alike(&number("0..65535"), "258", &hex("01 02"));
    // 1 to 3 octets: two bits say how many, less one.
    holds(&number("0..65536"), "256", &binary("0 0000 0001 0000 0000"), &hex("40 01 00"));
    holds(&number("0..65536"), "65536", &binary("1 0000 0000 0000 0000"), &hex("80 01 00 00"));
    // A number of 1 to 4 octets has a length of two bits, of 1 to 5 three.
    holds(&number("0..4294967295"), "1", &hex("00 00 00 01"), &hex("00 01"));
    holds(&number("0..4294967296"), "4294967296", &hex("80 00 00 00 00"), &hex("80 01 00 00 00 00"));
    let wide = number("-9223372036854775808..9223372036854775807");
    holds(&wide, "9223372036854775807", &hex("FF FF FF FF FF FF FF FF"), &hex("E0 FF FF FF FF FF FF FF FF"));
    holds(&wide, "-9223372036854775808", &hex("00 00 00 00 00 00 00 00"), &hex("00 00"));
    // Ranges that 64 bits do not hold where they are.
    let far = number("-170141183460469231731687303715884105727..-170141183460469231731687303715884105720");
    holds_alike(&far, "-170141183460469231731687303715884105725", &binary("010"));
    assert_eq!(far.message("5", &UPER).unwrap_err().kind(), ErrorKind::Schema);
}

/// Clauses 11.5.6 and 11.5.7.4: ranges of more than 2^64 numbers are a field of as many bits as the range takes, or,
/// aligned, as few octets as the number takes, after how many these are (13.2.6 a).
#[test]
fn ranges_of_any_size_are_constrained_numbers() {
    let number = |range: &str| Type::new(&format!("T ::= INTEGER ({range})"));
    // 2^127 numbers: 127 bits; the length of 1 to 16 octets has four bits.
    let positive = number("0..170141183460469231731687303715884105727");
    let five = format!("{}0A", "00".repeat(15));
    holds(&positive, "5", &hex(&five), &hex("00 05"));
    let ones = "FF".repeat(15);
    let most = "170141183460469231731687303715884105727";
    holds(&positive, most, &hex(&format!("{ones}FE")), &hex(&format!("F0 7F{ones}")));
    for refused in ["-1", "170141183460469231731687303715884105728"] {
        assert_eq!(positive.message(refused, &UPER).unwrap_err().kind(), ErrorKind::Schema, "{refused}");
    }
    // All of 128 bits.
    let all = number("-170141183460469231731687303715884105728..170141183460469231731687303715884105727");
    holds(&all, "0", &hex(&format!("80{}", "00".repeat(15))), &hex(&format!("F0 80{}", "00".repeat(15))));
    holds(&all, "-170141183460469231731687303715884105728", &hex(&"00".repeat(16)), &hex("00 00"));
    // 2^64 + 1 numbers: 65 bits; 1 to 9 octets in four bits.
    let over = number("0..18446744073709551616");
    holds(&over, "1", &binary(&format!("{}1", "0".repeat(64))), &hex("00 01"));
    holds(&over, "18446744073709551616", &hex("80 00 00 00 00 00 00 00 00"), &hex("80 01 00 00 00 00 00 00 00 00"));
    // Its field has room for numbers above the bound, which are none.
    let error = over.json(&hex("80 00 00 00 00 00 00 00 80"), &UPER).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema, "{error}");
    assert_eq!(over.json(&hex("80 01 00 00 00 00 00 00 01"), &APER).unwrap_err().kind(), ErrorKind::Incomplete);
    assert_eq!(over.json(&hex("80 01 00 00 00 00 00 00 00 01"), &APER).unwrap_err().kind(), ErrorKind::Schema);
    // An eleventh octet of nine.
    assert!(over.json(&hex("A0 00 00 00 00 00 00 00 00 00 01"), &APER).is_err());
    // Few numbers that 128 bits do not hold.
    let few = number("340282366920938463463374607431768211456..340282366920938463463374607431768211463");
    holds_alike(&few, "340282366920938463463374607431768211461", &binary("101"));
    assert_eq!(few.message("340282366920938463463374607431768211464", &UPER).unwrap_err().kind(), ErrorKind::Schema);
    // Bounds beyond 128 bits: 2^200 - 2^136 is above 2^199.
    let far = number(
        "87112285931760246646623899502532662132736..1606938044258990275541962092341162602522202993782792835301376",
    );
    holds(&far, "87112285931760246646623899502532662132737", &hex(&format!("{}01", "00".repeat(24))), &hex("00 01"));
    // A lower bound alone (11.7), and an extension (13.1): unsigned and signed octets after their number.
    let above = number("170141183460469231731687303715884105728..MAX");
    holds_alike(&above, "170141183460469231731687303715884105733", &hex("01 05"));
    assert_eq!(above.message("170141183460469231731687303715884105727", &UPER).unwrap_err().kind(), ErrorKind::Schema);
    let below = number("MIN..-170141183460469231731687303715884105729");
    holds_alike(&below, "-170141183460469231731687303715884105729", &hex("11 FF7F FFFFFFFFFFFFFF FFFFFFFFFFFFFFFF"));
    assert_eq!(below.message("0", &UPER).unwrap_err().kind(), ErrorKind::Schema);
    let extensible = number("0..18446744073709551616, ...");
    holds(&extensible, "1", &binary(&format!("{}1", "0".repeat(65))), &hex("00 01"));
    holds(&extensible, "-1", &binary("1 00000001 11111111"), &hex("80 01 FF"));
    // A number alone has no bits; gaps are refused, but have their codes.
    holds_alike(
        &number("170141183460469231731687303715884105728"),
        "170141183460469231731687303715884105728",
        &hex("00"),
    );
    let parts = number("0 | 3 | 340282366920938463463374607431768211456");
    holds(&parts, "3", &binary(&format!("{}11", "0".repeat(127))), &hex("00 03"));
    assert_eq!(parts.message("4", &UPER).unwrap_err().kind(), ErrorKind::Schema);
    // Exclusive ends, and those of named values (X.680 51.4).
    let named = Type::new("T ::= INTEGER (0<..<big) big INTEGER ::= 340282366920938463463374607431768211457");
    holds(&named, "1", &hex(&"00".repeat(16)), &hex("00 00"));
    let ones = "FF".repeat(16);
    holds(&named, "340282366920938463463374607431768211456", &hex(&ones), &hex(&format!("F0{ones}")));
}

/// Clauses 11.7 and 11.8: what is above the lower bound, or two's complement, however many octets.
#[test]
fn numbers_without_an_upper_bound_take_any_number_of_octets() {
    // 2^200 - 1: 25 octets.
    let digits = "1606938044258990275541962092341162602522202993782792835301375";
    let ones = "FF".repeat(25);
    holds_alike(&Type::new("T ::= INTEGER (0..MAX)"), digits, &hex(&format!("19 {ones}")));
    holds_alike(&Type::new("T ::= INTEGER (1..MAX)"), digits, &hex(&format!("19 {}FE", "FF".repeat(24))));
    holds_alike(&Type::new("T ::= INTEGER (-1..MAX)"), digits, &hex(&format!("1A 01{}", "00".repeat(25))));
    holds_alike(&Type::new("T ::= INTEGER"), digits, &hex(&format!("1A 00{ones}")));
    let negative = Type::new("T ::= INTEGER (MIN..0)");
    holds_alike(&negative, &format!("-{digits}"), &hex(&format!("1A FF{}01", "00".repeat(24))));
    holds_alike(&negative, "0", &hex("01 00"));
    // 2^63 - 1 above -(2^127 - 1) is 2^127 + 2^63 - 2.
    let far = Type::new("T ::= INTEGER (-170141183460469231731687303715884105727..MAX)");
    holds_alike(&far, "9223372036854775807", &hex("10 8000000000000000 7FFFFFFFFFFFFFFE"));
    holds_alike(&far, "-170141183460469231731687303715884105727", &hex("01 00"));
    // Octets in front that say nothing are read.
    assert_eq!(far.json(&hex("12 0000 8000000000000000 7FFFFFFFFFFFFFFE"), &UPER).unwrap(), "9223372036854775807");
    // With an extension marker, whatever is not in the root is unconstrained (clause 13.1).
    let extensible = Type::new("T ::= INTEGER (0..7, ...)");
    holds(&extensible, "8", &binary("1 00000001 00001000"), &hex("80 01 08"));
    holds(&extensible, "-1", &binary("1 00000001 11111111"), &hex("80 01 FF"));
    holds_alike(&extensible, "7", &binary("0 111"));
}

/// Clause 11.6: numbers beyond 63 have their length in front.
#[test]
fn small_numbers_above_63_have_a_length() {
    let additions: Vec<String> = (0..=64).map(|i| format!("b{i} NULL")).collect();
    let choice = Type::new(&format!("T ::= CHOICE {{ a NULL, ..., {} }}", additions.join(", ")));
    holds_alike(&choice, r#"{"b0":null}"#, &hex("80 01 00"));
    holds_alike(&choice, r#"{"b63":null}"#, &hex("BF 01 00"));
    let uper = binary("1 1 00000001 01000000 00000001 00000000");
    holds(&choice, r#"{"b64":null}"#, &uper, &hex("C0 01 40 01 00"));
    let additions: Vec<String> = (0..=64).map(|i| format!("b{i}")).collect();
    let items = Type::new(&format!("T ::= ENUMERATED {{ a, ..., {} }}", additions.join(", ")));
    holds_alike(&items, r#""a""#, &hex("00"));
    holds_alike(&items, r#""b63""#, &binary("1 0 111111"));
    holds(&items, r#""b64""#, &binary("1 1 00000001 01000000"), &hex("C0 01 40"));
}

/// Clause 19.2 to 19.5: a bit for each component that may be left out, in front of all.
#[test]
fn any_number_of_components_has_presence_bits() {
    let components: Vec<String> = (0..130).map(|i| format!("a{i} BOOLEAN OPTIONAL")).collect();
    let ty = Type::new(&format!("T ::= SEQUENCE {{ {} }}", components.join(", ")));
    let bits = |there: &[usize]| (0..130).map(|i| if there.contains(&i) { '1' } else { '0' }).collect::<String>();
    let message = binary(&format!("{} 1 0 1 1", bits(&[0, 63, 64, 129])));
    holds_alike(&ty, r#"{"a0":true,"a63":false,"a64":true,"a129":true}"#, &message);
    holds_alike(&ty, "{}", &binary(&bits(&[])));
}

/// Clauses 19.7 to 19.9: how many additions there may be, which are there, each in an open type; a
/// group is a sequence in one.
#[test]
fn additions_are_in_open_types_and_groups_are_sequences() {
    let ty = Type::new("T ::= SEQUENCE { a BOOLEAN, ..., b BOOLEAN, [[ c INTEGER (0..7) OPTIONAL, d BOOLEAN ]] }");
    let head = "1 1 0000001";
    let uper = binary(&format!("{head} 11 00000001 10000000 00000001 1 101 1 000"));
    holds(&ty, r#"{"a":true,"b":true,"c":5,"d":true}"#, &uper, &hex("C0 E0 01 80 01 D8"));
    let uper = binary(&format!("{head} 01 00000001 0 1 000000"));
    holds(&ty, r#"{"a":true,"d":true}"#, &uper, &hex("C0 A0 01 40"));
    holds_alike(&ty, r#"{"a":true}"#, &binary("01"));
    // A group may come first of all members.
    let first = Type::new("T ::= SEQUENCE { ..., [[ a INTEGER (0..7) OPTIONAL, b BOOLEAN ]] }");
    holds(&first, r#"{"b":true}"#, &binary("1 0000000 1 00000001 0 1 000000"), &hex("80 80 01 40"));
    holds(&first, r#"{"a":7,"b":true}"#, &binary("1 0000000 1 00000001 1 111 1 000"), &hex("80 80 01 F8"));
    // More than 64 of them: a bit, and a length of any form (clause 11.9.3.4).
    let many: Vec<String> = (0..65).map(|i| format!("b{i} BOOLEAN")).collect();
    let many = Type::new(&format!("T ::= SEQUENCE {{ ..., {} }}", many.join(", ")));
    let zeros = "0".repeat(64);
    let uper = binary(&format!("1 1 01000001 {zeros} 1 00000001 10000000"));
    let aper = binary(&format!("1 1 000000 01000001 {zeros} 1 0000000 00000001 10000000"));
    holds(&many, r#"{"b64":true}"#, &uper, &aper);
    // After a second marker the root continues (X.680 clause 25.1).
    let root = Type::new("T ::= SEQUENCE { a BOOLEAN, ..., b BOOLEAN, ..., c BOOLEAN }");
    let uper = binary("1 1 0 0000000 1 00000001 10000000");
    holds(&root, r#"{"a":true,"b":true,"c":false}"#, &uper, &hex("C0 20 01 80"));
}

/// X.680 clause 25.4: COMPONENTS OF expands to the components, wherever it is.
#[test]
fn components_of_among_additions_are_additions_of_their_own() {
    let ty =
        Type::new("U ::= SEQUENCE { x INTEGER, y INTEGER OPTIONAL } T ::= SEQUENCE { a NULL, ..., COMPONENTS OF U }");
    let uper = binary("1 0000001 11 00000010 00000001 00000101 00000010 00000001 00000110");
    holds(&ty, r#"{"a":null,"x":5,"y":6}"#, &uper, &hex("81 C0 02 01 05 02 01 06"));
    let uper = binary("1 0000001 01 00000010 00000001 00000110");
    holds(&ty, r#"{"a":null,"y":6}"#, &uper, &hex("81 40 02 01 06"));
}

/// Clause 11.2.1: what takes no bit takes an octet in an open type, and as a whole message.
#[test]
fn values_of_no_bit_take_an_octet() {
    let ty = Type::new("T ::= SEQUENCE { ..., n NULL, s SEQUENCE {} }");
    let uper = binary("1 0000001 11 00000001 00000000 00000001 00000000");
    holds(&ty, r#"{"n":null,"s":{}}"#, &uper, &hex("81 C0 01 00 01 00"));
    for ty in ["NULL", "SEQUENCE {}", "INTEGER (5)", "ENUMERATED { a }", "SEQUENCE (SIZE (3)) OF NULL"] {
        let ty = Type::new(&format!("T ::= {ty}"));
        assert_eq!(ty.rewritten(&[0], &UPER).unwrap(), [0]);
        assert_eq!(ty.refusal(&[], &APER).kind(), ErrorKind::Incomplete);
    }
}

/// Clause 19.5, and of CANONICAL-PER the whole of it: a component that equals its default is left
/// out, whatever it is made of.
#[test]
fn defaults_are_known_whatever_they_are_made_of() {
    let left_out = |assignments: &str, json: &str, message: &[u8]| {
        let ty = Type::new(assignments);
        for options in [UPER, APER] {
            assert_eq!(ty.message(json, &options.with_canonical(true)).unwrap(), message, "{assignments} {json}");
        }
    };
    left_out("T ::= SEQUENCE { a SEQUENCE {} DEFAULT {}, b BOOLEAN }", r#"{"a":{},"b":true}"#, &binary("0 1"));
    left_out("T ::= SEQUENCE { a SEQUENCE OF INTEGER DEFAULT { 1, 2 } }", r#"{"a":[1,2]}"#, &binary("0"));
    left_out("T ::= SEQUENCE { a SET OF BOOLEAN DEFAULT { TRUE, FALSE } }", r#"{"a":[false,true]}"#, &binary("0"));
    left_out("T ::= SEQUENCE { a REAL DEFAULT 0.1 }", r#"{"a":{"base10Value":"10E-2"}}"#, &binary("0"));
    left_out(
        "T ::= SEQUENCE { a BIT STRING { x(0) } DEFAULT { x } }",
        r#"{"a":{"value":"80","length":7}}"#,
        &binary("0"),
    );
    // A default with a component equal to its own default, defined before it and after it.
    let (inner, outer) = ("U ::= SEQUENCE { b V DEFAULT { c 5 } }", "T ::= SEQUENCE { a U DEFAULT { b { c 5 } } }");
    let innermost = "V ::= SEQUENCE { c INTEGER (0..7) }";
    for order in [[innermost, inner, outer], [outer, inner, innermost], [inner, outer, innermost]] {
        for json in [r#"{"a":{"b":{"c":5}}}"#, r#"{"a":{}}"#, "{}"] {
            left_out(&order.join(" "), json, &binary("0"));
        }
        left_out(&order.join(" "), r#"{"a":{"b":{"c":6}}}"#, &binary("1 1 110"));
    }
    // A message may say it all the same.
    let said = Type::new("T ::= SEQUENCE { a INTEGER (0..7) DEFAULT 3 }");
    assert_eq!(said.json(&binary("1 011"), &UPER).unwrap(), r#"{"a":3}"#);
}

/// Clause 21.1, with its example: the root of a SET in the order of tags, an untagged choice by the
/// least of its own. Clause 23.2: alternatives are counted in the order of tags.
#[test]
fn sets_and_choices_are_in_the_order_of_tags() {
    let example = Type::tagged(
        "IMPLICIT TAGS",
        "T ::= SET {
            a [3] INTEGER,
            b [1] CHOICE { c [2] INTEGER, d [4] INTEGER },
            e CHOICE { f CHOICE { g [5] INTEGER, h [6] INTEGER }, i CHOICE { j [0] INTEGER } } }",
    );
    // e: f is the second alternative, after i; g the first of two. Then b, then a.
    let uper = binary("1 0 00000001 00000011  0 00000001 00000010  00000001 00000001");
    holds(&example, r#"{"a":1,"b":{"c":2},"e":{"f":{"g":3}}}"#, &uper, &hex("80 01 03 00 01 02 01 01"));
    let ty = Type::tagged(
        "EXPLICIT TAGS",
        "T ::= SET {
            p [PRIVATE 0] BOOLEAN, c [0] INTEGER (0..7), a [APPLICATION 9] BOOLEAN, u INTEGER (0..3), ...,
            y [1] BOOLEAN, x [2] IMPLICIT NULL OPTIONAL, ..., b BOOLEAN }",
    );
    // Of the root: BOOLEAN (universal 1), INTEGER (universal 2), application, context, private. Additions
    // as they are written.
    let json = r#"{"p":true,"c":5,"a":false,"u":2,"y":true,"b":true}"#;
    let uper = binary("1 1 10 0 101 1  0000001 10 00000001 10000000");
    holds(&ty, json, &uper, &binary("1 1 10 0 101 1  0000001 10 000000 00000001 10000000"));
    let choice =
        Type::tagged("EXPLICIT TAGS", "T ::= CHOICE { p [PRIVATE 1] NULL, n NULL, a [APPLICATION 7] NULL, b BOOLEAN }");
    for (json, bits) in
        [(r#"{"b":true}"#, "00 1"), (r#"{"n":null}"#, "01"), (r#"{"a":null}"#, "10"), (r#"{"p":null}"#, "11")]
    {
        holds_alike(&choice, json, &binary(bits));
    }
}

/// Clauses 16.9 to 16.11, 17.6 to 17.8: short strings of a fixed size are not aligned; an extension bit precedes
/// everything.
#[test]
fn strings_are_aligned_unless_they_are_short_and_of_a_fixed_size() {
    let after_a_bit = |ty: &str| Type::new(&format!("T ::= SEQUENCE {{ a BOOLEAN, s {ty} }}"));
    let json = |s: &str| format!(r#"{{"a":true,"s":"{s}"}}"#);
    let two = after_a_bit("OCTET STRING (SIZE (2))");
    holds_alike(&two, &json("01FF"), &binary("1 00000001 11111111"));
    let three = after_a_bit("OCTET STRING (SIZE (3))");
    holds(&three, &json("01FF00"), &binary("1 00000001 11111111 00000000"), &hex("80 01 FF 00"));
    let variable = after_a_bit("OCTET STRING (SIZE (1..2))");
    holds(&variable, &json("FF"), &binary("1 0 11111111"), &hex("80 FF"));
    let extensible = after_a_bit("OCTET STRING (SIZE (2, ...))");
    holds_alike(&extensible, &json("01FF"), &binary("1 0 00000001 11111111"));
    holds(&extensible, &json("FF"), &binary("1 1 00000001 11111111"), &hex("C0 01 FF"));
    holds(&extensible, &json(""), &binary("1 1 00000000"), &hex("C0 00"));
    let sixteen = after_a_bit("BIT STRING (SIZE (16))");
    holds_alike(&sixteen, &json("01FF"), &binary("1 00000001 11111111"));
    let seventeen = after_a_bit("BIT STRING (SIZE (17))");
    holds(&seventeen, &json("01FF80"), &binary("1 00000001 11111111 1"), &hex("80 01 FF 80"));
    let empty = after_a_bit("BIT STRING (SIZE (0..20))");
    let none = r#"{"a":true,"s":{"value":"","length":0}}"#;
    holds_alike(&empty, none, &binary("1 00000"));
}

/// Clauses 30.5.2 to 30.5.7: as many bits as the alphabet asks for, a power of two if aligned; places
/// in the alphabet where code points do not fit; aligned if all can be 16 bits and more.
#[test]
fn characters_take_as_few_bits_as_their_alphabet_lets_them() {
    let after_a_bit = |ty: &str| Type::new(&format!("T ::= SEQUENCE {{ a BOOLEAN, s {ty} }}"));
    let json = |s: &str| format!(r#"{{"a":true,"s":"{s}"}}"#);
    // Eleven characters, the space first: 4 bits in both variants.
    let digits = after_a_bit("NumericString (SIZE (3))");
    holds_alike(&digits, &json("9 0"), &binary("1 1010 0000 0001"));
    // Of 5 times 4 bits, aligned.
    let digits = after_a_bit("NumericString (SIZE (5))");
    holds(&digits, &json("01234"), &binary("1 0001 0010 0011 0100 0101"), &hex("80 12 34 50"));
    // Three characters: 2 bits, by their places.
    let few = after_a_bit(r#"IA5String (FROM ("xyz")) (SIZE (4))"#);
    holds_alike(&few, &json("xyzx"), &binary("1 00 01 10 00"));
    // Five: 3 bits, or 4.
    let five = after_a_bit(r#"IA5String (FROM ("a".."e")) (SIZE (2))"#);
    holds(&five, &json("ae"), &binary("1 000 100"), &binary("1 0000 0100"));
    // 17 are 5 bits, or 8, which hold the code points as they are.
    let letters = after_a_bit(r#"VisibleString (FROM ("a".."q")) (SIZE (1))"#);
    holds(&letters, &json("q"), &binary("1 10000"), &binary("1 0111 0001"));
    // Up to 15 bits together are not aligned; the possibility of 16 is enough, if there is a length.
    let short = after_a_bit("IA5String (SIZE (0..1))");
    holds(&short, &json("A"), &binary("1 1 1000001"), &binary("1 1 01000001"));
    let longer = after_a_bit("IA5String (SIZE (0..2))");
    holds(&longer, &json("A"), &binary("1 01 1000001"), &binary("1 01 00000 01000001"));
    holds_alike(&longer, &json(""), &binary("1 00"));
    // An alphabet of one character takes no bit; one that may grow is none.
    let one = after_a_bit(r#"IA5String (FROM ("A")) (SIZE (0..7))"#);
    holds_alike(&one, &json("AAAAA"), &binary("1 101"));
    let growing = after_a_bit(r#"IA5String (FROM ("A"), ...) (SIZE (1))"#);
    holds(&growing, &json("z"), &binary("1 1111010"), &binary("1 01111010"));
    let wide = after_a_bit("BMPString (SIZE (1))");
    holds(&wide, &json("水"), &binary("1 0110 1100 0011 0100"), &binary("1 0110 1100 0011 0100"));
    let wider = after_a_bit("UniversalString (SIZE (1))");
    holds(&wider, &json("𝄞"), &binary("1 00000000 00000001 11010001 00011110"), &hex("80 00 01 D1 1E"));
}

/// Clause 10.3.21: EXCEPT and what follows it is ignored, but the type does not have a value that it excludes.
#[test]
fn what_an_exception_takes_away_has_its_place_and_is_refused() {
    let text = Type::new(r#"T ::= IA5String (FROM ("abcd" EXCEPT "b")) (SIZE (2))"#);
    holds_alike(&text, r#""ac""#, &binary("00 10"));
    for options in [UPER, APER] {
        assert_eq!(text.refusal(&binary("00 01"), &options).kind(), ErrorKind::Schema);
        assert_eq!(text.message(r#""ab""#, &options).unwrap_err().kind(), ErrorKind::Schema);
    }
    let number = Type::new("T ::= INTEGER (0..3 EXCEPT 0)");
    holds_alike(&number, "1", &binary("01"));
    assert_eq!(number.refusal(&binary("00"), &UPER).kind(), ErrorKind::Schema);
    let size = Type::new("T ::= OCTET STRING (SIZE (0..3 EXCEPT 0))");
    holds(&size, r#""FF""#, &binary("01 11111111"), &hex("40 FF"));
    assert_eq!(size.refusal(&binary("00"), &UPER).kind(), ErrorKind::Schema);
}

/// Clause 11.9.3.8: fragments of 64K, then one of as many times 16K as are left, then the rest.
#[test]
fn what_is_longer_than_16k_comes_in_fragments() {
    let octets = |count: usize| vec![0xA5u8; count];
    let json = |count: usize| format!(r#"{{"a":true,"s":"{}"}}"#, "A5".repeat(count));
    let ty = Type::new("T ::= SEQUENCE { a BOOLEAN, s OCTET STRING }");
    // Lengths as they are written, each with how many octets follow.
    type Fragments<'a> = &'a [(&'a [u8], usize)];
    let pieces: [(usize, Fragments<'_>); 6] = [
        (127, &[(&[0x7F], 127)]),
        (16_383, &[(&[0xBF, 0xFF], 16_383)]),
        (16_384, &[(&[0xC1], 16_384), (&[0], 0)]),
        (49_152 + 128, &[(&[0xC3], 49_152), (&[0x80, 0x80], 128)]),
        (65_536, &[(&[0xC4], 65_536), (&[0], 0)]),
        (5 * 16_384 + 1, &[(&[0xC4], 65_536), (&[0xC1], 16_384), (&[1], 1)]),
    ];
    for (count, fragments) in pieces {
        let content: Vec<u8> =
            fragments.iter().flat_map(|(length, count)| [length.to_vec(), octets(*count)].concat()).collect();
        let aper = [&[0x80], &content[..]].concat();
        // One bit further on.
        let mut uper = Vec::new();
        let mut before = 1;
        for octet in content {
            uper.push(before << 7 | octet >> 1);
            before = octet & 1;
        }
        uper.push(before << 7);
        holds(&ty, &json(count), &uper, &aper);
    }
    // With a size within 64K nothing is in fragments; from 64K on every size has a length (clause 11.9.4.2).
    let bounded = Type::new("T ::= OCTET STRING (SIZE (20000..65535))");
    let digits = "A5".repeat(20_000);
    holds(
        &bounded,
        &format!("{digits:?}"),
        &[&[0, 0][..], &octets(20_000)].concat(),
        &[&[0, 0][..], &octets(20_000)].concat(),
    );
    let fixed = Type::new("T ::= OCTET STRING (SIZE (65536))");
    let digits = "A5".repeat(65_536);
    let message = [&[0xC4][..], &octets(65_536), &[0]].concat();
    holds_alike(&fixed, &format!("{digits:?}"), &message);
    // Components that are no octets: 16 384 bits are 2 048 octets.
    let flags = Type::new("T ::= SEQUENCE OF BOOLEAN");
    let json = format!("[{}true]", "false,".repeat(16_384));
    holds(
        &flags,
        &json,
        &[&[0xC1][..], &[0; 2048], &binary("00000001 1")].concat(),
        &[&[0xC1][..], &[0; 2048], &binary("00000001 1")].concat(),
    );
    // Seven bits a character are 14 336 octets, eight are 16 384.
    let text = Type::new("T ::= IA5String");
    let json = format!("\"{}\"", "\u{7F}".repeat(16_385));
    let read = text.json(&[&[0xC1][..], &[0xFF; 14_336], &binary("00000001 1111111")].concat(), &UPER).unwrap();
    assert_eq!(read.chars().filter(|c| *c == '\u{7F}').count().max(read.matches("\\u007").count()), 16_385);
    let written = text.message(&json, &APER).unwrap();
    assert!(written == [&[0xC1][..], &[0x7F; 16_384], &[1, 0x7F]].concat());
}

/// Clause 14: the root by its order of numbers, additions as they are written.
#[test]
fn enumerations_are_counted_in_the_order_of_their_numbers() {
    let ty = Type::new("T ::= ENUMERATED { c(7), a(-1), d(8), b(5), ..., z(20), y(21) }");
    for (name, bits) in
        [("a", "0 00"), ("b", "0 01"), ("c", "0 10"), ("d", "0 11"), ("z", "1 0000000"), ("y", "1 0000001")]
    {
        holds_alike(&ty, &format!("{name:?}"), &binary(bits));
    }
    // Those without a number take the free ones in order (X.680 clause 20.5): a 1, b 0, c 2, d 3.
    let mixed = Type::new("T ::= ENUMERATED { b(0), a, c(2), d }");
    for (name, bits) in [("b", "00"), ("a", "01"), ("c", "10"), ("d", "11")] {
        holds_alike(&mixed, &format!("{name:?}"), &binary(bits));
    }
}

/// Clause 14.3: an addition takes fewer bits, after its extension bit, than a value of a large root.
#[test]
fn an_addition_may_be_shorter_than_an_enumeration_of_the_root() {
    let items: Vec<String> = (0..200).map(|number| format!("a{number}")).collect();
    let ty = Type::new(&format!("T ::= SEQUENCE {{ e ENUMERATED {{ {}, ..., b, c }} }}", items.join(", ")));
    holds_alike(&ty, r#"{"e":"a199"}"#, &binary("0 1100 0111"));
    holds_alike(&ty, r#"{"e":"b"}"#, &binary("1 0 000000"));
    holds_alike(&ty, r#"{"e":"c"}"#, &binary("1 0 000001"));
    assert_eq!(ty.json(&hex("40"), &UPER).unwrap_err().kind(), ErrorKind::Incomplete);
}

/// Clause 15 and X.690 clause 8.5: what no double equals is returned as text, or refused as such.
#[test]
fn reals_that_no_double_holds_are_unsupported_and_others_are_refused() {
    let ty = Type::new("T ::= REAL");
    // 2^53 + 1; a mantissa of 17 octets; an exponent of 5.
    for sound in ["09 80 00 20000000000001", "13 80 00 01020304050607080910111213141516 17", "08 83 05 0000000001 01"] {
        let error = ty.refusal(&hex(sound), &UPER);
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{sound}: {error}");
    }
    for bad in ["01 44", "02 40 00", "02 80 00", "03 80 00 00", "03 B0 00 01", "02 03 78", "04 03 31 45 45", "02 83 00"]
    {
        let error = ty.refusal(&hex(bad), &UPER);
        assert_eq!(error.kind(), ErrorKind::Syntax, "{bad}: {error}");
    }
    // -(2^63) as an exponent, and the last digit's beyond it.
    let decimal = |text: &str| [&[text.len() as u8 + 1, 3], text.as_bytes()].concat();
    let least = decimal("1.E-9223372036854775807");
    assert_eq!(ty.rewritten(&least, &UPER).unwrap(), least);
    assert_eq!(ty.refusal(&decimal("1E-99999999999999999999999"), &UPER).kind(), ErrorKind::Unsupported);
    assert_eq!(ty.refusal(&decimal("12.34E-9223372036854775807"), &UPER).kind(), ErrorKind::Unsupported);
    // 1234 is 617 times 2, which a double holds.
    assert_eq!(ty.rewritten(&decimal("0012.3400E+2"), &UPER).unwrap(), hex("04 80 01 0269"));
}
