//! Messages in CER (X.690 clause 9) put together by hand.

use crate::support::{Type, hex};
use asn1::Options;

const CER: Options = Options::cer();

/// A value in JSON is these octets, and these are the value.
fn holds(ty: &Type, json: &str, message: &[u8]) {
    let written = ty.message(json, &CER).unwrap_or_else(|error| panic!("{json:.200}: {error}"));
    assert!(written == message, "{json:.200}: {written:02X?}, not {message:02X?}");
    assert_eq!(ty.json(message, &CER).unwrap(), json);
    assert_eq!(ty.json(message, &Options::ber()).unwrap(), json);
}

/// Clause 9.1: constructed encodings have an indefinite length, primitive ones a definite one.
#[test]
fn constructed_encodings_have_an_indefinite_length() {
    let ty = Type::new("T ::= SEQUENCE { a BOOLEAN, b SEQUENCE OF INTEGER, c CHOICE { d NULL } OPTIONAL }");
    holds(&ty, "{\"a\":true,\"b\":[]}", &hex("3080 8001FF A1800000 0000"));
    holds(&ty, "{\"a\":true,\"b\":[5],\"c\":{\"d\":null}}", &hex("3080 8001FF A180 020105 0000 A280 8000 0000 0000"));
    let ty = Type::tagged("", "T ::= [1] EXPLICIT [2] EXPLICIT INTEGER");
    holds(&ty, "5", &hex("A180 A280 020105 0000 0000"));
    let ty = Type::tagged("", "T ::= CHOICE { a [1] EXPLICIT INTEGER, b [70] EXPLICIT SEQUENCE {} }");
    holds(&ty, "{\"a\":5}", &hex("A180 020105 0000"));
    holds(&ty, "{\"b\":{}}", &hex("BF4680 3080 0000 0000"));
}

/// The tags of an open type are explicit (X.680 clause 31.2.7 c), and so is what they are around constructed.
#[test]
fn the_tags_of_open_types_have_an_indefinite_length() {
    let objects = "ITEM ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &Type BY &id }
        Set ITEM ::= { { Inner BY 1 } | { BOOLEAN BY 2 }, ... } Inner ::= SEQUENCE { a INTEGER }";
    let ty =
        Type::new(&format!("T ::= SEQUENCE {{ any ITEM.&Type ({{Set}}{{@key}}), key ITEM.&id ({{Set}}) }} {objects}"));
    holds(&ty, "{\"any\":{\"a\":5},\"key\":1}", &hex("3080 A080 3080 800105 0000 0000 810101 0000"));
    holds(&ty, "{\"any\":true,\"key\":2}", &hex("3080 A080 0101FF 0000 810102 0000"));
    holds(&ty, "{\"any\":{\"ber\":\"0500\"},\"key\":3}", &hex("3080 A080 0500 0000 810103 0000"));
    let tagged = "T ::= SEQUENCE { key ITEM.&id ({Set}), any [5] EXPLICIT [6] EXPLICIT ITEM.&Type ({Set}{@key}) }";
    let ty = Type::tagged("", &format!("{tagged} {objects}"));
    holds(&ty, "{\"key\":2,\"any\":true}", &hex("3080 020102 A580 A680 0101FF 0000 0000 0000"));
}

/// Clause 9.2: strings of more than 1000 contents octets are in segments of 1000.
#[test]
fn long_strings_are_in_segments() {
    let octets = Type::new("T ::= OCTET STRING");
    let value = |len: usize| format!("\"{}\"", "5A".repeat(len));
    holds(&octets, &value(1000), &[&hex("04 8203E8")[..], &[0x5A; 1000]].concat());
    let segments = [&hex("2480 04 8203E8")[..], &[0x5A; 1000], &hex("04 01 5A 0000")].concat();
    holds(&octets, &value(1001), &segments);
    let two = [&hex("2480 04 8203E8")[..], &[0x5A; 1000], &hex("04 8203E8"), &[0x5A; 1000], &hex("0000")].concat();
    holds(&octets, &value(2000), &two);
    // Contents octets of a string of bits include the number of unused bits.
    let bits = Type::new("T ::= BIT STRING");
    let value = |len: usize| format!("{{\"value\":\"{}\",\"length\":{}}}", "F0".repeat(len), len * 8 - 4);
    holds(&bits, &value(999), &[&hex("03 8203E8 04")[..], &[0xF0; 999]].concat());
    let segments = [&hex("2380 03 8203E8 00")[..], &[0xF0; 999], &hex("03 02 04 F0 0000")].concat();
    holds(&bits, &value(1000), &segments);
    // Segments of characters are strings of octets, whatever the tag of the string (clause 8.23).
    let text = Type::tagged("", "T ::= [3] EXPLICIT UTF8String");
    let segments = [&hex("A380 2C80 04 8203E8")[..], &[b'x'; 1000], &hex("04 01 78 0000 0000")].concat();
    holds(&text, &format!("\"{}\"", "x".repeat(1001)), &segments);
    // A number is not a string, however long.
    let number = Type::new("T ::= INTEGER");
    let digits = "7".repeat(2500);
    assert_eq!(first_octet(&number, &digits), 0x02);
}

fn first_octet(ty: &Type, json: &str) -> u8 {
    let message = ty.message(json, &CER).unwrap();
    assert_eq!(ty.json(&message, &CER).unwrap(), json);
    message[0]
}

/// Clause 9.3: components of a SET by their tags, those of an untagged CHOICE by its least tag, whichever is chosen; in
/// DER by the chosen one (clause 10.3).
#[test]
fn sets_are_in_the_order_of_least_tags() {
    let ty = Type::tagged("", "T ::= SET { a [3] INTEGER, b CHOICE { c [2] INTEGER, d [4] INTEGER } }");
    let json = "{\"a\":1,\"b\":{\"d\":2}}";
    assert_eq!(ty.message(json, &CER).unwrap(), hex("3180 A480 020102 0000 A380 020101 0000 0000"));
    assert_eq!(ty.message(json, &Options::der()).unwrap(), hex("310A A303020101 A403020102"));
}

/// Clause 11: a SET OF sorted, defaults left out.
#[test]
fn the_restrictions_of_der_hold() {
    let ty = Type::new("T ::= SET OF SEQUENCE { a INTEGER DEFAULT 5, b SEQUENCE OF NULL DEFAULT {} }");
    let written = ty.message("[{\"a\":6,\"b\":[null]},{\"a\":5,\"b\":[]}]", &CER).unwrap();
    assert_eq!(written, hex("3180 3080 0000 3080 800106 A180 0500 0000 0000 0000"));
    // Whatever the option says.
    assert_eq!(ty.rewritten(&written, &CER.with_canonical(true)).unwrap(), written);
}
