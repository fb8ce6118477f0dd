//! Messages in OER put together by hand, clause by clause of X.696: what is at the edges, where encoders go wrong.

use crate::support::{Type, hex};
use asn1::Options;
use tam::ErrorKind;

const OER: Options = Options::oer();
const COER: Options = Options::oer().with_canonical(true);

/// A value in JSON is these octets, and these are the value, by both rules.
fn holds(ty: &Type, json: &str, octets: &str) {
    let message = hex(octets);
    for options in [&OER, &COER] {
        let written = ty.message(json, options).unwrap_or_else(|error| panic!("{json:.200}: {error}"));
        assert!(written == message, "{json:.200}: {written:02X?}, not {message:02X?}");
        let read = ty.json(&message, options).unwrap_or_else(|error| panic!("{json:.200}: {error}"));
        assert!(read == json, "{read:.200}, not {json:.200}");
    }
    for end in 0..message.len() {
        let error = ty.refusal(&message[..end], &OER);
        assert_eq!(error.kind(), ErrorKind::Incomplete, "{json:.200} cut at {end}: {error}");
    }
}

/// Octets that only the basic rules allow are read as a value; the rules write it as other octets.
fn also(ty: &Type, octets: &str, json: &str, written: &str) {
    assert_eq!(ty.json(&hex(octets), &OER).unwrap(), json, "{octets}");
    assert_eq!(ty.rewritten(&hex(octets), &OER).unwrap(), hex(written), "{octets}");
}

fn refused(ty: &Type, octets: &str, kind: ErrorKind) {
    let error = ty.refusal(&hex(octets), &OER);
    assert_eq!(error.kind(), kind, "{octets}: {error}");
}

/// Clause 9: any octet but zero is TRUE; the canonical one is all ones.
#[test]
fn booleans_take_an_octet() {
    let ty = Type::new("T ::= BOOLEAN");
    holds(&ty, "true", "FF");
    holds(&ty, "false", "00");
    also(&ty, "01", "true", "FF");
}

/// Clause 10.3: without a sign where no number is below zero, in 1, 2, 4 or 8 octets where the upper bound is below 2 to
/// the 8th, 16th, 32nd and 64th, and otherwise after a length.
#[test]
fn numbers_without_a_sign() {
    let number = |range: &str| Type::new(&format!("T ::= INTEGER ({range})"));
    holds(&number("0..255"), "255", "FF");
    holds(&number("7..7"), "7", "07");
    holds(&number("1..256"), "256", "0100");
    holds(&number("0..65535"), "258", "0102");
    holds(&number("0..65536"), "258", "00000102");
    holds(&number("0..4294967295"), "4294967295", "FFFFFFFF");
    holds(&number("0..4294967296"), "1", "0000000000000001");
    holds(&number("0..18446744073709551615"), "18446744073709551615", "FFFFFFFFFFFFFFFF");
    holds(&number("0..18446744073709551616"), "18446744073709551616", "09010000000000000000");
    holds(&number("0..18446744073709551616"), "0", "0100");
    holds(&number("0..MAX"), "0", "0100");
    holds(&number("0..MAX"), "128", "0180");
    holds(&number("5..MAX"), "5", "0105");
    holds(&number("9223372036854775808..18446744073709551615"), "9223372036854775808", "8000000000000000");
    also(&number("0..MAX"), "020080", "128", "0180");
    also(&number("0..MAX"), "81020080", "128", "0180");
    refused(&number("0..MAX"), "00", ErrorKind::Syntax);
    refused(&number("0..254"), "FF", ErrorKind::Schema);
    refused(&number("5..MAX"), "0104", ErrorKind::Schema);
}

/// Clause 10.4: with a sign where numbers may be below zero.
#[test]
fn numbers_with_a_sign() {
    let number = |range: &str| Type::new(&format!("T ::= INTEGER ({range})"));
    holds(&number("-1..0"), "-1", "FF");
    holds(&number("-128..127"), "-128", "80");
    holds(&number("-128..128"), "-128", "FF80");
    holds(&number("-129..0"), "-129", "FF7F");
    holds(&number("-1..65535"), "-1", "FFFFFFFF");
    holds(&number("-1..2147483648"), "-1", "FFFFFFFFFFFFFFFF");
    let longest = "-9223372036854775808..9223372036854775807";
    holds(&number(longest), "-9223372036854775808", "8000000000000000");
    holds(&number("-1..9223372036854775808"), "9223372036854775808", "09008000000000000000");
    holds(&number("-5..MAX"), "-5", "01FB");
    holds(&number("MIN..5"), "5", "0105");
    let any = Type::new("T ::= INTEGER");
    holds(&any, "-129", "02FF7F");
    holds(&any, "128", "020080");
    also(&any, "03FFFF7F", "-129", "02FF7F");
}

/// Clause 8.2: an extensible constraint has no bounds.
#[test]
fn extensible_constraints_are_not_visible() {
    holds(&Type::new("T ::= INTEGER (0..255, ...)"), "255", "0200FF");
    holds(&Type::new("T ::= INTEGER (0..255, ...)"), "256", "020100");
    holds(&Type::new("T ::= OCTET STRING (SIZE (2, ...))"), "\"0102\"", "020102");
    holds(&Type::new("T ::= IA5String (SIZE (2, ...))"), "\"ab\"", "026162");
}

/// Clause 11: the number of the enumeration, up to 127 in one octet, otherwise after the number of its octets.
#[test]
fn enumerations_are_their_numbers() {
    let ty = Type::new("T ::= ENUMERATED { a(0), b(127), c(128), d(-1), e(65536), ..., f(3) }");
    holds(&ty, "\"a\"", "00");
    holds(&ty, "\"b\"", "7F");
    holds(&ty, "\"c\"", "820080");
    holds(&ty, "\"d\"", "81FF");
    holds(&ty, "\"e\"", "83010000");
    holds(&ty, "\"f\"", "03");
    also(&ty, "8103", "\"f\"", "03");
    refused(&ty, "80", ErrorKind::Syntax);
    // Of a later version: kept by these rules and by BER, which know its number.
    for (octets, written) in [("04", "04"), ("82 00 FF", "82 00 FF"), ("81 04", "04")] {
        assert_eq!(ty.rewritten(&hex(octets), &OER).unwrap(), hex(written));
    }
    let mut values = asn1::Values::new();
    let value = asn1::read(&[0x82, 0, 0xFF], &ty.types, ty.node, &OER, &mut values).unwrap();
    assert_eq!(asn1::write(value, &Options::ber()).unwrap(), hex("0A 02 00 FF"));
    assert_eq!(asn1::write(value, &Options::uper()).unwrap_err().kind(), ErrorKind::Unsupported);
    refused(&Type::new("T ::= ENUMERATED { a }"), "01", ErrorKind::Schema);
}

/// Clause 12: IEEE 754 numbers where the constraint limits a REAL to these, otherwise as in BER after a length.
#[test]
fn reals_of_32_and_64_bits() {
    let real = |mantissa: &str, base: u8, exponent: &str| {
        let components = format!("mantissa ({mantissa}), base ({base}), exponent ({exponent})");
        Type::new(&format!("T ::= REAL (WITH COMPONENTS {{ {components} }})"))
    };
    let single = real("-16777215..16777215", 2, "-149..104");
    holds(&single, "0.5", "3F000000");
    holds(&single, "-2", "C0000000");
    holds(&single, "0", "00000000");
    assert_eq!(single.message("0.1", &OER).unwrap_err().kind(), ErrorKind::Schema);
    let double = real("-9007199254740991..9007199254740991", 2, "-1074..971");
    holds(&double, "0.1", "3FB999999999999A");
    holds(&real("-16777216..16777215", 2, "-149..104"), "0.5", "3FE0000000000000");
    // Beyond these, and in base 10.
    holds(&real("-9007199254740992..9007199254740991", 2, "-1074..971"), "0.5", "0380FF01");
    let decimal = real("-16777215..16777215", 10, "-149..104");
    assert_eq!(decimal.message("0.5", &OER).unwrap(), hex("06 03 352E452D31"));
    holds(&Type::new("T ::= REAL"), "0", "00");
    holds(&Type::new("T ::= REAL"), "\"INF\"", "0140");
}

/// Clause 13: a string of fixed size has no length; any other has it, and the number of unused bits.
#[test]
fn strings_of_bits() {
    let ty = |size: &str| Type::new(&format!("T ::= BIT STRING {size}"));
    holds(&ty("(SIZE (4))"), "\"A0\"", "A0");
    holds(&ty("(SIZE (9))"), "\"A080\"", "A080");
    holds(&ty("(SIZE (0))"), "\"\"", "");
    holds(&ty("(SIZE (4..5))"), "{\"value\":\"A0\",\"length\":4}", "0204A0");
    holds(&ty(""), "{\"value\":\"A5C0\",\"length\":10}", "0306A5C0");
    holds(&ty(""), "{\"value\":\"\",\"length\":0}", "0100");
    refused(&ty(""), "0101", ErrorKind::Syntax);
    refused(&ty(""), "020800", ErrorKind::Syntax);
    refused(&ty(""), "00", ErrorKind::Syntax);
    refused(&ty(""), "0204A8", ErrorKind::Syntax);
    refused(&ty("(SIZE (4))"), "A8", ErrorKind::Syntax);
    // Trailing zeros of named bits are not part of the value.
    let named = Type::new("T ::= BIT STRING { a(0), b(9) }");
    assert_eq!(named.rewritten(&hex("03 00 8000"), &COER).unwrap(), hex("02 07 80"));
}

/// Clauses 14, 21, 22 and 15.
#[test]
fn strings_of_octets_and_identifiers() {
    let ty = |size: &str| Type::new(&format!("T ::= OCTET STRING {size}"));
    holds(&ty("(SIZE (2))"), "\"00FF\"", "00FF");
    holds(&ty("(SIZE (1..2))"), "\"00FF\"", "0200FF");
    holds(&ty(""), "\"\"", "00");
    let long = "5A".repeat(128);
    holds(&ty(""), &format!("\"{long}\""), &format!("8180{long}"));
    let long = "5A".repeat(65_536);
    assert_eq!(ty("").message(&format!("\"{long}\""), &COER).unwrap()[..5], hex("83 010000 5A"));
    also(&ty(""), "820002 00FF", "\"00FF\"", "0200FF");
    refused(&ty(""), "80", ErrorKind::Syntax);
    holds(&Type::new("T ::= OBJECT IDENTIFIER"), "\"2.999.3\"", "03883703");
    holds(&Type::new("T ::= RELATIVE-OID"), "\"8571.3.2\"", "04C27B0302");
    holds(&Type::new("T ::= NULL"), "null", "");
}

/// Clause 27: characters of one, two or four octets without a length where all strings have the same number of them;
/// UTF8String and the like always with one.
#[test]
fn strings_of_characters() {
    let ty = |ty: &str| Type::new(&format!("T ::= {ty}"));
    holds(&ty("IA5String (SIZE (3))"), "\"abc\"", "616263");
    holds(&ty("VisibleString (SIZE (1..3))"), "\"abc\"", "03616263");
    holds(&ty("NumericString (SIZE (2))"), "\"1 \"", "3120");
    holds(&ty("PrintableString (FROM (\"a\"..\"c\")) (SIZE (2))"), "\"ab\"", "6162");
    holds(&ty("BMPString (SIZE (2))"), "\"a\u{20AC}\"", "006120AC");
    holds(&ty("BMPString"), "\"a\u{20AC}\"", "04006120AC");
    holds(&ty("UniversalString (SIZE (1))"), "\"\u{1F600}\"", "0001F600");
    holds(&ty("UTF8String (SIZE (1))"), "\"\u{20AC}\"", "03E282AC");
    holds(&ty("TeletexString (SIZE (1))"), "\"\u{E9}\"", "01E9");
    holds(&ty("GeneralizedTime"), "\"20250301060000Z\"", "0F32303235303330313036303030305A");
    refused(&ty("BMPString"), "03006120", ErrorKind::Syntax);
    refused(&ty("IA5String (SIZE (1))"), "80", ErrorKind::Schema);
    refused(&ty("UTF8String"), "01FF", ErrorKind::Syntax);
}

/// Clause 16.2: a preamble of the extension bit and of a bit for each optional component, in whole octets; none where
/// there are no such bits.
#[test]
fn sequences_have_a_preamble() {
    holds(&Type::new("T ::= SEQUENCE { a BOOLEAN, b INTEGER (0..255) }"), "{\"a\":true,\"b\":7}", "FF07");
    holds(&Type::new("T ::= SEQUENCE {}"), "{}", "");
    let ty = Type::new("T ::= SEQUENCE { a BOOLEAN OPTIONAL, b INTEGER (0..255), c NULL OPTIONAL }");
    holds(&ty, "{\"b\":7}", "0007");
    holds(&ty, "{\"a\":true,\"b\":7,\"c\":null}", "C0FF07");
    let ty = Type::new("T ::= SEQUENCE { a BOOLEAN OPTIONAL, ... }");
    holds(&ty, "{\"a\":false}", "4000");
    let nine: String = (0..9).map(|i| format!("a{i} NULL OPTIONAL,")).collect();
    let ty = Type::new(&format!("T ::= SEQUENCE {{ {nine} b NULL }}"));
    holds(&ty, "{\"a8\":null,\"b\":null}", "0080");
    // A default is not sent; in the basic rules it may be.
    let ty = Type::new("T ::= SEQUENCE { a INTEGER (0..255) DEFAULT 5 }");
    holds(&ty, "{\"a\":6}", "8006");
    assert_eq!(ty.message("{\"a\":5}", &COER).unwrap(), hex("00"));
    assert_eq!(ty.json(&hex("8005"), &OER).unwrap(), "{\"a\":5}");
    let ty = Type::new("T ::= SEQUENCE { a SEQUENCE OF INTEGER DEFAULT { 1 } }");
    assert_eq!(ty.message("{\"a\":[1]}", &COER).unwrap(), hex("00"));
    assert_eq!(ty.message("{\"a\":[2]}", &COER).unwrap(), hex("80 0101 0102"));
}

/// Clauses 16.4 and 16.5: bits that say which additions are there, as a BIT STRING, then the additions as open types; a
/// group is a SEQUENCE.
#[test]
fn additions_are_open_types() {
    let ty = Type::new(
        "T ::= SEQUENCE { a BOOLEAN, ..., b INTEGER (0..255), [[ c BOOLEAN OPTIONAL, d NULL ]], e UTF8String OPTIONAL }",
    );
    holds(&ty, "{\"a\":true}", "00FF");
    holds(&ty, "{\"a\":true,\"b\":7}", "80FF 02 05 80 01 07");
    holds(&ty, "{\"a\":true,\"c\":true,\"d\":null}", "80FF 02 05 40 02 80 FF");
    holds(&ty, "{\"a\":true,\"d\":null,\"e\":\"x\"}", "80FF 02 05 60 01 00 02 01 78");
    let ty = Type::new("T ::= SEQUENCE { ..., [[ a NULL ]], b NULL OPTIONAL }");
    holds(&ty, "{\"a\":null}", "80 02 06 80 00");
    // Additions of a later version are skipped, and so is what it puts after a value; its number of bits is kept.
    let ty = Type::new("T ::= SEQUENCE { ..., a INTEGER (0..255) }");
    also(&ty, "80 02 06 C0 02 07 99 03 010203", "{\"a\":7}", "80 02 06 80 01 07");
    also(&ty, "80 02 00 80 01 07", "{\"a\":7}", "80 02 00 80 01 07");
    refused(&ty, "80 00", ErrorKind::Syntax);
    refused(&ty, "80 02 08 80 01 07", ErrorKind::Syntax);
    // An open type that ends within its value.
    refused(&ty, "80 02 07 80 00 07", ErrorKind::Syntax);
}

/// Clauses 18 and 8.7: components of a SET in the order of their tags.
#[test]
fn sets_are_in_the_order_of_tags() {
    let ty = Type::tagged("", "T ::= SET { b [1] BOOLEAN, a [0] INTEGER (0..255), c [APPLICATION 5] BOOLEAN }");
    assert_eq!(ty.message("{\"a\":7,\"b\":true,\"c\":false}", &OER).unwrap(), hex("00 07 FF"));
}

/// Clauses 17 and 19: the number of components, as a number without bounds; no size changes that. CANONICAL-OER sorts the
/// components of a SET OF.
#[test]
fn lists_have_a_quantity() {
    holds(&Type::new("T ::= SEQUENCE OF INTEGER (0..255)"), "[1,2]", "01020102");
    holds(&Type::new("T ::= SEQUENCE SIZE (2) OF INTEGER (0..255)"), "[1,2]", "01020102");
    holds(&Type::new("T ::= SEQUENCE OF NULL"), "[]", "0100");
    let many = vec!["true"; 256].join(",");
    holds(&Type::new("T ::= SEQUENCE OF BOOLEAN"), &format!("[{many}]"), &format!("020100{}", "FF".repeat(256)));
    also(&Type::new("T ::= SEQUENCE OF BOOLEAN"), "81020001 FF", "[true]", "0101FF");
    refused(&Type::new("T ::= SEQUENCE OF BOOLEAN"), "00", ErrorKind::Syntax);
    let ty = Type::new("T ::= SET OF INTEGER");
    assert_eq!(ty.message("[300,-1,5]", &OER).unwrap(), hex("0103 02012C 01FF 0105"));
    assert_eq!(ty.message("[300,-1,5]", &COER).unwrap(), hex("0103 0105 01FF 02012C"));
}

/// Clauses 8.7 and 20: the outermost tag, then the value; additions are open types. An untagged CHOICE has its tag twice
/// (20.1, note 3).
#[test]
fn choices_have_a_tag() {
    let ty = Type::new("T ::= CHOICE { a BOOLEAN, b INTEGER (0..255), ..., c INTEGER (0..255) }");
    holds(&ty, "{\"a\":true}", "80FF");
    holds(&ty, "{\"b\":7}", "8107");
    holds(&ty, "{\"c\":7}", "820107");
    let ty = Type::tagged(
        "",
        "T ::= CHOICE { a BOOLEAN, b [62] NULL, c [63] NULL, d [APPLICATION 128] NULL, e [PRIVATE 5] EXPLICIT NULL }",
    );
    holds(&ty, "{\"a\":true}", "01FF");
    holds(&ty, "{\"b\":null}", "BE");
    holds(&ty, "{\"c\":null}", "BF3F");
    holds(&ty, "{\"d\":null}", "7F8100");
    holds(&ty, "{\"e\":null}", "C5");
    refused(&ty, "BF803F", ErrorKind::Syntax);
    refused(&ty, "BF8FFFFFFF8000", ErrorKind::Unsupported);
    refused(&ty, "02", ErrorKind::Syntax);
    let ty = Type::tagged("", "T ::= CHOICE { a CHOICE { b [70] BOOLEAN, c [1] NULL }, d [2] NULL }");
    holds(&ty, "{\"a\":{\"b\":true}}", "BF46 BF46 FF");
    holds(&ty, "{\"a\":{\"c\":null}}", "81 81");
    refused(&ty, "81 BF46 FF", ErrorKind::Syntax);
}

/// An alternative of a later version is kept by these rules, and refused by others.
#[test]
fn unknown_alternatives_are_kept() {
    let ty = Type::new("T ::= CHOICE { a BOOLEAN, ... }");
    assert_eq!(ty.rewritten(&hex("81 02 0102"), &OER).unwrap(), hex("81 02 0102"));
    let mut values = asn1::Values::new();
    let value = asn1::read(&[0x81, 2, 1, 2], &ty.types, ty.node, &OER, &mut values).unwrap();
    for options in [Options::uper(), Options::aper(), Options::ber(), Options::der()] {
        assert_eq!(asn1::write(value, &options).unwrap_err().kind(), ErrorKind::Unsupported);
    }
    let mut values = asn1::Values::new();
    let value = asn1::read(&[0x81, 2, 1, 2], &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
    assert_eq!(asn1::write(value, &OER).unwrap_err().kind(), ErrorKind::Unsupported);
    // Within an untagged choice that is the only one with later versions.
    let ty = Type::tagged("", "T ::= CHOICE { a CHOICE { b [0] BOOLEAN, ... }, d [2] NULL }");
    assert_eq!(ty.rewritten(&hex("85 85 01 07"), &OER).unwrap(), hex("85 85 01 07"));
}

/// Clause 29: the parts of a time where the settings leave one row, otherwise text.
#[test]
fn times_are_their_parts() {
    holds(&Type::new("T ::= DATE"), "\"2025-03-01\"", "02 07E9 03 01");
    holds(&Type::new("T ::= TIME-OF-DAY"), "\"06:30:00\"", "06 1E 00");
    holds(&Type::new("T ::= DATE-TIME"), "\"2012-12-21T06:30:00\"", "02 07DC 0C 15 06 1E 00");
    holds(&Type::new("T ::= DURATION"), "\"P1DT12H\"", "18 0101 010C");
    holds(&Type::new("T ::= DURATION"), "\"PT1.5S\"", "03 0101 0101 0105");
    let ty = Type::new("T ::= TIME (SETTINGS \"Basic=Time Time=HMSF3 Local-or-UTC=LD\")");
    holds(&ty, "\"06:30:00.250-01:00\"", "06 1E 00 01FA FFC4");
    holds(&Type::new("T ::= TIME"), "\"06:30+01:30\"", "0B 30363A33302B30313A3330");
    refused(&Type::new("T ::= DATE"), "02 07E9 0D 01", ErrorKind::Syntax);
}

/// Lengths and quantities that the message does not have.
#[test]
fn lengths_are_backed_before_anything_is_allocated() {
    let cases = [
        ("OCTET STRING", "84FFFFFFFF"),
        ("OCTET STRING", "8AFFFFFFFFFFFFFFFFFFFF"),
        ("UTF8String", "847FFFFFFF"),
        ("OCTET STRING (SIZE (18446744073709551614))", "00"),
        ("BIT STRING (SIZE (9223372036854775807))", "00"),
        ("BMPString (SIZE (9223372036854775807))", "00"),
        ("INTEGER", "847FFFFFFF00"),
        ("SEQUENCE OF BOOLEAN", "04FFFFFFFF"),
        ("SEQUENCE OF BOOLEAN", "0AFFFFFFFFFFFFFFFFFFFF"),
    ];
    for (ty, octets) in cases {
        refused(&Type::new(&format!("T ::= {ty}")), octets, ErrorKind::Incomplete);
    }
    refused(&Type::new("T ::= SEQUENCE OF NULL"), "04FFFFFFFF", ErrorKind::Limit);
    refused(&Type::new("T ::= SEQUENCE OF SEQUENCE OF NULL"), "0102 030FFFFF 030FFFFF", ErrorKind::Limit);
}

/// Deep values need no deep stack, and are refused beyond the limit.
#[test]
fn depth_is_limited() {
    let ty = Type::new("T ::= SEQUENCE { a T OPTIONAL }");
    let chain = |levels: usize| [vec![0x80; levels - 1], vec![0]].concat();
    let deep = |levels, depth| {
        let limits = asn1::Limits { depth, ..asn1::Limits::DEFAULT };
        let ty = &ty;
        std::thread::scope(|scope| {
            let work = move || ty.rewritten(&chain(levels), &OER.with_limits(limits)).map_err(|error| error.kind());
            std::thread::Builder::new().stack_size(512 << 10).spawn_scoped(scope, work).unwrap().join().unwrap()
        })
    };
    assert_eq!(deep(1000, 1000), Ok(chain(1000)));
    assert_eq!(deep(1001, 1000), Err(ErrorKind::Limit));
    assert_eq!(deep(100_000, 100_000), Ok(chain(100_000)));
    let ty = Type::new("T ::= SEQUENCE { ..., a T }");
    let mut message = vec![0];
    for _ in 0..20 {
        let len = message.len() as u8;
        message = [&[0x80, 2, 7, 0x80, len][..], &message].concat();
    }
    assert_eq!(ty.rewritten(&message, &OER).unwrap(), message);
}
