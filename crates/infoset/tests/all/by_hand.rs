//! A message worked by hand from the clauses of X.691 and X.690, field by field.

#![allow(clippy::unusual_byte_groupings)] // The fields.
use crate::support::{back, message};
use infoset::Options;

const DOCUMENT: &str = "<a b=\"1\">x</a>";

/// The strings in the order of first use, from 1 on.
const STRINGS: [u8; 8] = [b'a', 0, b'b', 0, b'1', 0, b'x', 0];

/// Bits as text, fields apart, as octets.
fn octets(bits: &str) -> Vec<u8> {
    let bits: Vec<u8> = bits.bytes().filter(|bit| matches!(bit, b'0' | b'1')).map(|bit| bit - b'0').collect();
    bits.chunks(8).map(|octet| octet.iter().enumerate().fold(0, |all, (n, bit)| all | bit << (7 - n))).collect()
}

fn is(options: &Options, expected: &[u8]) {
    let message = message(DOCUMENT, options);
    assert!(message == expected, "{} is not {}", message.escape_ascii(), expected.escape_ascii());
    assert_eq!(back(&message, options).unwrap(), DOCUMENT);
}

#[test]
fn unaligned_per_is_what_the_clauses_say() {
    let strings: String = STRINGS.iter().map(|octet| format!("{octet:08b} ")).collect();
    is(
        &Options::uper(),
        &octets(&format!(
            // No base URI, standalone, version. One child, an element. Attributes; no namespace
            // attributes, no base URI. Its name is common, the first.
            "000 00000001 00 100 1 0 0001 \
             0 1 0 00000000100 \
             0 00 000 1 0 0010 1 0 00000000011 \
             1 00000000 00000000 1 0 00000000000 1 \
             00000001 00000000 00001000 {strings} \
             00000010 00 1 0 00000000001 00 1 0 00000000010" // Text alone, the fourth string. One attribute, in the root of its size: nothing but a name, the
                                                             // second common one, and a value, the third string. In scope is what is around. No notations, no
                                                             // entities; the encoding is the empty string; all declarations processed. One block without
                                                             // algorithm, of eight octets. Two names without namespace and prefix.
        )),
    );
}

#[test]
fn a_reference_to_an_entity_is_what_the_clauses_say() {
    let strings = [&b"lengthwise-doctype"[..], b"a [<!ENTITY e SYSTEM \"s\">]", b"a", b"e", b"s"];
    let strings: String =
        strings.iter().flat_map(|string| string.iter().chain([&0])).map(|octet| format!("{octet:08b} ")).collect();
    // Two children of the document: a declaration without identifiers but with an instruction, and an element with one child.
    let expected = octets(&format!(
        "000 00000010 11 00 00000001 0 1 0 00000000001 1 0 00000000010 1 \
         00 000 1 0 0001 1 0 01 \
         010 101 1 0 00000000100 0 1 0 00000000101 1 \
         1 00000000 00000000 1 0 00000000000 1 \
         00000001 00000000 00110100 {strings} \
         00000001 00 1 0 00000000011" // The reference: a system identifier, the fifth string, no public one, and a base URI, which is unknown.
    ));
    let document = "<!DOCTYPE a [<!ENTITY e SYSTEM \"s\">]><a>&e;</a>";
    let options = Options::uper().with_entity_references(true);
    let message = message(document, &options);
    assert!(message == expected, "{} is not {}", message.escape_ascii(), expected.escape_ascii());
    assert_eq!(back(&message, &options).unwrap(), document);
}

#[test]
fn aligned_per_is_what_the_clauses_say() {
    let mut expected = vec![
        0x00,
        0x01,
        0b00_100_1_0_0,
        0b001_0_1_0_00,
        0x00,
        0x04,
        0b0_00_000_1_0,
        0b0010_1_0_00,
        0x00,
        0x03,
        0x80,
        0x00,
        0x00,
        0x80,
        0x00,
        0x00,
        0x80,
        0x01,
        0x00,
        0x08,
    ];
    expected.extend(STRINGS);
    expected.extend([0x02, 0b00_1_0_0000, 0x00, 0x01, 0b00_1_0_0000, 0x00, 0x02]);
    is(&Options::aper(), &expected);
}

#[test]
fn der_is_what_the_clauses_say() {
    let mut expected = vec![
        0x30, 78, 0xA0, 32, 0xA0, 30, // the document, its children, an element
        0xA0, 3, 0x81, 1, 1, // its name, the first common one
        0xA1, 5, 0xA0, 3, 0x81, 1, 4, // text alone, the fourth string
        0xA2, 12, 0x30, 10, 0xA0, 3, 0x81, 1, 2, 0xA1, 3, 0x81, 1, 3, // an attribute
        0xA4, 2, 0x81, 0, // in scope is what is around
        0xA1, 0, 0xA2, 0, 0xA4, 3, 0x81, 1, 0, 0x87, 1, 0xFF, // what is said of the document
        0xA8, 14, 0x30, 12, 0x80, 0, 0x81, 8, // a block
    ];
    expected.extend(STRINGS);
    expected.extend([0xA9, 14, 0x30, 5, 0xA1, 3, 0x81, 1, 1, 0x30, 5, 0xA1, 3, 0x81, 1, 2]);
    is(&Options::ber(), &expected);
}
