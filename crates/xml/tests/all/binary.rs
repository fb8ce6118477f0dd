//! Octets as text: XML Schema Part 2 sections 3.2.15 and 3.2.16.

use lengthwise_xml::{base64, hex};
use test_support::Random;

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let mut out = vec![1];
    hex::decode(text, &mut out).map(|()| out.split_off(1))
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut out = vec![1];
    let decoded = base64::decode(text, &mut out).map(|()| out.split_off(1));
    assert_eq!(out, [1], "what was there before stays, and nothing else");
    decoded
}

/// Section 3.2.15.1: "a pair of hexadecimal digits ([0-9a-fA-F]) representing the octet code".
#[test]
fn hexadecimal_digits_come_in_pairs() {
    assert_eq!(
        (from_hex(""), from_hex("0FB7"), from_hex("0fb7")),
        (Some(vec![]), Some(vec![15, 183]), Some(vec![15, 183]))
    );
    for text in ["0", "0FB", "0G", "0 0", " 00", "00 ", "é", "0é", "+0", "0x00"] {
        assert_eq!(from_hex(text), None, "{text}");
    }
}

/// Section 3.2.15.2: the canonical form has no digits of lower case.
#[test]
fn hexadecimal_digits_are_written_in_upper_case() {
    let all: Vec<u8> = (0..=255).collect();
    let mut text = String::from("x");
    hex::push(&all, &mut text);
    assert_eq!(text[1..], all.iter().map(|octet| format!("{octet:02X}")).collect::<String>());
    assert_eq!((from_hex(&text[1..]), from_hex(&text[1..].to_lowercase())), (Some(all.clone()), Some(all)));
}

/// Section 3.2.16, the grammar of base64Binary: characters in fours, the last four with one `=` or two, bits of the last
/// octets that are not there zero (B16 and B04).
#[test]
fn base64_has_four_characters_for_three_octets() {
    let values: [(&str, &[u8]); 5] =
        [("", b""), ("AQ==", b"\x01"), ("AQI=", b"\x01\x02"), ("AQID", b"\x01\x02\x03"), ("+/+/", b"\xFB\xFF\xBF")];
    for (text, octets) in values {
        assert_eq!(from_base64(text).as_deref(), Some(octets), "{text}");
    }
    for text in ["A", "AQ", "AQI", "AQ=A", "A===", "====", "*", "-_-_", "AQ==AQ==", "AR==", "AQJ=", "cid:1"] {
        assert_eq!(from_base64(text), None, "{text}");
    }
}

/// Section 3.2.16, the grammar of base64Binary: `B64S ::= B64 #x20?`, over a text whose white space is collapsed. So white
/// space may be between any characters, and before and after `=`. `xsd` and `lengthwise` took form feeds for white space.
#[test]
fn base64_may_have_white_space_anywhere() {
    for text in ["AQ ID", " AQID ", "A Q\nI\r\n\tD", "\tAQID\n"] {
        assert_eq!(from_base64(text).as_deref(), Some(&[1, 2, 3][..]), "{text:?}");
    }
    assert_eq!((from_base64("AQ = = "), from_base64("A Q I =")), (Some(vec![1]), Some(vec![1, 2])));
    assert_eq!((from_base64(" "), from_base64("A Q"), from_base64("AQ\u{C}ID")), (Some(vec![]), None, None));
    let is_canonical = |text| base64::decode_canonical(text, &mut Vec::new()).is_some();
    assert!(is_canonical("AQID") && !is_canonical("AQ ID") && !is_canonical("AR=="));
}

#[test]
fn octets_come_back() {
    let mut random = Random::new(1);
    for len in 0..200 {
        let octets: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
        let (mut text, mut bytes) = (String::new(), b"x".to_vec());
        base64::push(&octets, &mut text);
        base64::append(&octets, &mut bytes);
        assert_eq!(&bytes[1..], text.as_bytes());
        assert_eq!(from_base64(&text), Some(octets.clone()));
        let spaced: String = text.chars().flat_map(|c| [c, random.of(&[' ', '\n'])]).collect();
        assert_eq!(from_base64(&spaced), Some(octets));
    }
}
