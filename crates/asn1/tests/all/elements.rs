//! Encodings without a schema: by X.690, by what OpenSSL says, and hostile ones.

use std::process::Command;

use crate::support::{hex, spoiled};
use asn1::{Element, Elements, Limits};
use tam::{Error, ErrorKind};
use test_support::Random;
use test_support::cost::linear;

fn elements(message: &[u8]) -> Result<Vec<Element>, Error> {
    Elements::new(message, &Limits::DEFAULT).collect()
}

/// Depth, type and value of each.
fn shown(message: &[u8]) -> Vec<(u32, String, String)> {
    elements(message).unwrap().iter().map(|one| (one.depth, one.kind(), one.text(message))).collect()
}

fn one(octets: &str) -> (String, String) {
    let (_, kind, text) = shown(&hex(octets)).remove(0);
    (kind, text)
}

/// Examples of X.690 clause 8, and the tags of X.680.
#[test]
fn values_are_shown_by_their_tags() {
    let cases = [
        ("0101FF", "BOOLEAN", "TRUE"),
        ("02020080", "INTEGER", "128"),
        ("0A01FF", "ENUMERATED", "-1"),
        ("0304066E5DC0", "BIT STRING", "6E5DC0 (6 unused bits)"),
        ("04020F00", "OCTET STRING", "0F00"),
        ("0500", "NULL", ""),
        ("0603813403", "OBJECT IDENTIFIER", "2.100.3"),
        ("0D04C27B0302", "RELATIVE-OID", "8571.3.2"),
        ("090380FF01", "REAL", "0.5"),
        ("0C03E282AC", "UTF8String", "€"),
        ("1E0420AC0061", "BMPString", "€a"),
        ("1C040001F600", "UniversalString", "\u{1F600}"),
        ("170D3932303532313030303030305A", "UTCTime", "920521000000Z"),
        ("8102414D", "[1]", "AM"),
        ("DF8100020001", "[PRIVATE 128]", "0001"),
        ("0202FFFF", "INTEGER", "-1"),
        ("0200", "INTEGER", ""),
        ("0C01FF", "UTF8String", "FF"),
    ];
    for (octets, kind, text) in cases {
        assert_eq!(one(octets), (kind.to_owned(), text.to_owned()), "{octets}");
    }
}

/// Contents of an indefinite length end with an end-of-contents (clause 8.1.5).
#[test]
fn indefinite_lengths_end_where_they_say() {
    let message = hex("3080 A080 0101FF 0000 2403040161 0000 0500");
    let depths: Vec<_> = elements(&message).unwrap().iter().map(|one| (one.depth, one.tag.number, one.end)).collect();
    let expected = [
        (0, 16, None),
        (1, 0, None),
        (2, 1, Some(7)),
        (1, 0, Some(9)),
        (1, 4, Some(14)),
        (2, 4, Some(14)),
        (0, 0, Some(16)),
        (0, 5, Some(18)),
    ];
    assert_eq!(depths, expected);
}

/// A string is looked into where one encoding fills it.
#[test]
fn strings_that_hold_an_encoding_are_looked_into() {
    let holds = |octets: &str| elements(&hex(octets)).unwrap()[0].holds.is_some();
    for octets in ["04053003020105", "0304 00 020105", "04040402 0102"] {
        assert!(holds(octets), "{octets}");
    }
    for octets in [
        "04053003020205",
        "04043000 0000",
        "0403020005",
        "040401020000",
        "0304 01 020104",
        "0402 0500",
        "0404 80020102",
    ] {
        assert!(!holds(octets), "{octets}");
    }
}

#[test]
fn faults_have_their_place() {
    let kind = |octets: &str| elements(&hex(octets)).map_err(|error| (error.kind(), error.offset())).unwrap_err();
    assert_eq!(kind("30"), (ErrorKind::Incomplete, 1));
    assert_eq!(kind("3003 0201"), (ErrorKind::Incomplete, 0));
    assert_eq!(kind("3002 0201"), (ErrorKind::Syntax, 2));
    assert_eq!(kind("3080 020105"), (ErrorKind::Incomplete, 5));
    assert_eq!(kind("0000"), (ErrorKind::Syntax, 0));
    assert_eq!(kind("3002 0000"), (ErrorKind::Syntax, 2));
    assert_eq!(kind("0480"), (ErrorKind::Syntax, 0));
    assert_eq!(elements(&hex("3080").repeat(1001)).unwrap_err().kind(), ErrorKind::Limit);
    assert!(elements(b"").unwrap().is_empty());
}

/// Strings in strings are not looked at again and again.
#[test]
fn time_is_linear() {
    let nested = |levels: usize| {
        let mut nested = vec![5, 0];
        for _ in 0..levels {
            let len = (nested.len() as u32).to_be_bytes();
            nested = [&[4, 0x84][..], &len, &nested].concat();
        }
        nested
    };
    let wide = |size: usize| [&[4, 0x84][..], &(size as u32).to_be_bytes(), &vec![0x30; size]].concat();
    let shows = |message: &Vec<u8>| {
        let shown = Elements::new(message, &Limits::DEFAULT).map_while(Result::ok).count();
        assert!(shown > 0);
    };
    linear("strings in strings", 225, nested, shows);
    linear("a string that is no value", 1 << 18, wide, shows);
    linear("strings that are no values", 1 << 16, |count| hex("04030200").repeat(count), shows);
    linear("strings of values", 1 << 16, |count| hex("0402 3000").repeat(count), shows);
}

/// What OpenSSL makes, and what `openssl asn1parse` says of it.
#[test]
fn openssl_shows_the_same() {
    let folder = std::env::temp_dir().join(format!("lengthwise-elements-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (key, certificate) = (folder.join("key.pem"), folder.join("certificate.der"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3"])
        .args(["-subj", "/C=NO/O=Example/CN=a.example", "-addext", "subjectAltName=DNS:a.example", "-outform", "DER"])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .output();
    let parsed = Command::new("openssl").args(["asn1parse", "-inform", "DER", "-in"]).arg(&certificate).output();
    let (Ok(made), Ok(parsed)) = (made, parsed) else { return test_support::skipped("there is no openssl") };
    assert!(made.status.success() && parsed.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let message = std::fs::read(&certificate).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    // `  13:d=2  hl=2 l=  10 prim: OBJECT …`
    let number = |text: &str, before: &str| -> usize {
        let rest = text.split_once(before).unwrap().1.trim_start();
        rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
    };
    let theirs: Vec<_> = String::from_utf8(parsed.stdout)
        .unwrap()
        .lines()
        .map(|line| {
            let start: usize = line.split(':').next().unwrap().trim().parse().unwrap();
            (start, number(line, "d="), number(line, "hl="), number(line, "l= ".trim_end()), line.contains("cons:"))
        })
        .map(|(start, depth, header, _, constructed)| (start, depth, header, constructed))
        .collect();
    let all = elements(&message).unwrap();
    // It does not look into strings.
    let mut within = 0;
    let ours: Vec<_> = all
        .iter()
        .filter(|one| {
            let inside = one.start < within;
            if let (false, Some(_), Some(end)) = (inside, one.holds, one.end) {
                within = end;
            }
            !inside
        })
        .map(|one| (one.start, one.depth as usize, one.contents - one.start, one.constructed))
        .collect();
    assert_eq!(ours, theirs);
    assert!(all.len() > ours.len());
}

/// Cut or changed messages end in an error or do not, and never in a panic.
#[test]
fn spoiled_messages_are_walked_through() {
    let mut random = Random::new(7);
    let message = hex(
        "3030 0603550403 3080 0101FF 0000 0404 04020102 A106 0304 00020105 0C03E282AC 2407 0403010203 0400 090380FF01",
    );
    for _ in 0..test_support::rounds(200_000) {
        let message = spoiled::spoiled(&message, &mut random);
        for element in Elements::new(&message, &Limits::DEFAULT).map_while(Result::ok) {
            let _ = (element.kind(), element.text(&message));
        }
    }
}
