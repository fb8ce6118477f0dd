//! What reading and writing BER takes of memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_asn1 as asn1;

mod ber_support;

use asn1::{Options, Values};
use ber_support::{Type, hex};
use test_support::memory::{Counting, cost};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Records with choices in explicit tags, strings, numbers and arrays.
fn rows(count: usize, definite: bool) -> (Type, Vec<u8>) {
    let ty = Type::new(
        "T ::= SEQUENCE OF SEQUENCE { a [0] CHOICE { n INTEGER, s UTF8String }, b [1] SEQUENCE OF BOOLEAN, c OCTET STRING OPTIONAL }",
    );
    let row = match definite {
        true => hex("3013 A0040C02 4142 A105 3003 0101FF 0404 01020304"),
        false => hex("3080 A0800C02 4142 0000 A180 3080 0101FF 0000 0000 0404 01020304 0000"),
    };
    (ty, [&[0x30, 0x80][..], &row.repeat(count), &[0, 0]].concat())
}

#[test]
fn a_store_that_is_used_again_needs_nothing_for_one_more_value() {
    for definite in [true, false] {
        let (ty, message) = rows(20_000, definite);
        let mut values = Values::new();
        asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
        let (result, peak, allocations) =
            cost(|| asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).map(|value| value.len()));
        assert_eq!(result.unwrap(), 20_000);
        // The stack of what is open.
        assert!(allocations <= 2 && peak < 2000, "{allocations} allocations, {peak} bytes");
    }
}

#[test]
fn a_message_is_written_into_the_buffer_where_it_stays() {
    let (ty, message) = rows(20_000, true);
    let mut values = Values::new();
    let value = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
    for options in [Options::ber(), Options::der()] {
        let (written, peak, allocations) = cost(|| asn1::write(value, &options).unwrap());
        // Five octets of header instead of two and the end.
        assert_eq!(written.len(), message.len() + 1);
        // It doubles, and the old one and the new one are there at once.
        assert!(allocations < 20 && peak < 6 * message.len(), "{allocations} allocations, {peak} bytes");
        let mut out = written;
        out.clear();
        let (_, peak, allocations) = cost(|| asn1::append(value, &options, &mut out).unwrap());
        assert!(allocations <= 2 && peak < 2 * message.len(), "{allocations} allocations, {peak} bytes");
    }
}

/// Lengths and numbers that a message claims, and does not back.
#[test]
fn nothing_is_taken_on_the_word_of_a_length() {
    let ty = Type::new(
        "T ::= SEQUENCE { a SEQUENCE OF OCTET STRING OPTIONAL, b BIT STRING OPTIONAL, c UTF8String OPTIONAL }",
    );
    for message in [
        "30 84 7FFFFFFF 3084 7FFFFFF0 0484 7FFFFF00",
        "30 80 30 84 7FFFFFFF 0400",
        "30 80 24 84 7FFFFFFF 0401AA",
        "30 80 30 80 2480 0484 7FFFFFFF AABB",
        "30 80 23 80 0384 7FFFFFFF 00AABB",
        "30 80 2C 80 0484 7FFFFFFF 41",
    ] {
        let message = hex(message);
        let mut values = Values::new();
        let (result, peak, _) =
            cost(|| asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).map(|_| ()));
        result.unwrap_err();
        assert!(peak < 20_000, "{peak} bytes for {message:02X?}");
    }
}
