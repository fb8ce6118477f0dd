//! REALs in base 10 only: `REAL (WITH COMPONENTS { ..., base (10) })`. Octets are those of X.690 clause 11.3.2 (NR3: no
//! zero at either end of the mantissa); in PER, a length precedes them.

use asn1::{Compiled, Options, Values};
use tam::Table;

const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Decimal ::= REAL (0 | WITH COMPONENTS { ..., base (10) })
    Price   ::= Decimal (0..1000)
    Either  ::= REAL (WITH COMPONENTS { ..., base (10) } | WITH COMPONENTS { ..., base (2) })
    Plain   ::= REAL
END";

fn message(types: &Compiled, name: &str, json: &str) -> Vec<u8> {
    let (mut table, mut values) = (Table::new(), Values::new());
    let options = text::json::Options::default().with_types(text::json::Types::Value);
    let document = text::json::read(json.as_bytes(), &options, &mut table).unwrap();
    let node = types.find(name).unwrap();
    let value = asn1::jer::read(&document, types, node, &asn1::Limits::default(), &mut values).unwrap();
    asn1::write(value, &Options::uper()).unwrap()
}

fn json(types: &Compiled, name: &str, message: &[u8]) -> String {
    let (mut table, mut values) = (Table::new(), Values::new());
    let value = asn1::read(message, types, types.find(name).unwrap(), &Options::uper(), &mut values).unwrap();
    let again = asn1::write(value, &Options::uper()).unwrap();
    assert_eq!(again, message, "what is read is written alike");
    let document = asn1::jer::write(value, &mut table).unwrap();
    let out = text::json::write(&document, &text::json::Options::default()).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn numbers_are_written_in_base_10_and_keep_their_digits() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let cases: [(&str, &[u8], &str); 6] = [
        ("48.5", b"\x08\x03485.E-1", "48.5"),
        ("-292.20", b"\x0A\x03-2922.E-1", "-292.2"),
        ("100", b"\x05\x031.E2", "100"),
        ("7", b"\x06\x037.E+0", "7"),
        // More digits than a double distinguishes.
        ("36028797018963969", b"\x16\x0336028797018963969.E+0", "36028797018963969"),
        ("0", b"\x00", "0"),
    ];
    for (given, octets, back) in cases {
        for name in ["Decimal", "Price"] {
            assert_eq!(message(&types, name, given), octets, "{name} {given}");
            assert_eq!(message(&types, name, &format!("\"{given}\"")), octets, "{name} {given} as a string");
            assert_eq!(json(&types, name, octets), back, "{name} {given}");
        }
    }
}

#[test]
fn other_types_have_numbers_in_base_2() {
    let types = Compiled::from_notation(MODULE).unwrap();
    for name in ["Either", "Plain"] {
        assert!(!types.is_decimal(types.find(name).unwrap()));
        // 48.5 is 97 * 2^-1.
        assert_eq!(message(&types, name, "48.5"), [3, 0x80, 0xFF, 97], "{name}");
    }
}
