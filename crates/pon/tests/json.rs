//! JSON and TSF through PON: what they say comes back as it was.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

#[path = "../../text/tests/json_support/mod.rs"]
mod json_support;
mod support;

use std::collections::BTreeMap;
use std::fs;

use json_support::{data, python_disagrees};
use support::generate::{Random, tree as made_up};
use support::samples::samples;
use support::{Data, build, twin};
use tam::{Builder, Document, ErrorKind, Limits, Table, TypeSet};
use text::json;

/// What a JSON text says, as a PON message.
fn from_json(text: &[u8]) -> Vec<u8> {
    let mut table = Table::new();
    let document = json::read(text, &json::Options::default(), &mut table).unwrap();
    let message = pon::write(&document).unwrap();
    assert!(document.is_sound() && pon::write(&looked_at(&document)).unwrap() == message);
    message
}

/// The same document, which the writer has to look at.
fn looked_at<'a>(document: &Document<'a>) -> Document<'a> {
    let ((message, beside), (root, roots)) = (document.texts(), document.root_rows());
    Document::from_rows(message, beside, document.rows(), root, roots, document.types())
}

#[test]
fn only_the_reader_of_a_document_says_that_it_is_sound() {
    let mut table = Table::new();
    assert!(json::read(b"[1]", &json::Options::default(), &mut table).unwrap().is_sound());
    let mut builder = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
    builder.primitive(b'#', b"", b"no number").unwrap();
    builder.finish().unwrap();
    let document = table.document(b"", TypeSet::VALUE);
    assert_eq!(pon::write(&document).unwrap_err().kind(), ErrorKind::Unsupported);
    assert!(!document.is_sound() && !looked_at(&document).is_sound());
    // Nor does it hold for what has been changed since.
    let changes: [fn(&mut Table<'static>); 2] = [|table| _ = table.room(), |table| _ = table.text_mut()];
    for change in changes {
        json::read(b"[1]", &json::Options::default(), &mut table).unwrap();
        change(&mut table);
        assert!(!table.document(b"[1]", TypeSet::JSON).is_sound());
    }
}

/// What a PON message says, as a JSON text.
fn to_json(message: &[u8]) -> Result<Vec<u8>, tam::Error> {
    let mut table = Table::new();
    let document = pon::read(message, &pon::Options::default(), &mut table).unwrap();
    let out = json::write(&document, &json::Options::default())?;
    Ok(out)
}

/// Fails where Python sees another JSON value in what comes back through PON: another order of
/// members, fewer of a name, another digit of a number. White space and the spelling of escapes are
/// no part of it.
fn come_back(texts: &BTreeMap<String, Vec<u8>>) {
    let mut pairs = Vec::new();
    for (name, text) in texts {
        let message = from_json(text);
        let back = to_json(&message).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(from_json(&back) == message, "{name}: not the same message again");
        pairs.push((text.clone(), Some(back)));
    }
    if let Some(wrong) = python_disagrees(&pairs) {
        let names: Vec<_> = wrong.iter().filter_map(|&number| texts.keys().nth(number)).collect();
        assert!(names.is_empty(), "not the same: {names:?}");
    }
}

#[test]
fn texts_the_suite_calls_valid_come_back() {
    let Some(directory) = data("conformance/JSONTestSuite") else { return };
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let named = files.map(|file| (file.file_name().into_string().unwrap(), file.path()));
    let valid = named.filter(|(name, _)| name.starts_with("y_"));
    let valid: BTreeMap<_, _> = valid.map(|(name, path)| (name, fs::read(path).unwrap())).collect();
    assert_eq!(valid.len(), 95);
    come_back(&valid);
}

#[test]
fn files_from_the_wild_come_back() {
    let mut texts = BTreeMap::new();
    for name in ["twitter.json", "citm_catalog.json"] {
        let Some(path) = data(&format!("json/{name}")) else { return };
        texts.insert(name.to_owned(), fs::read(path).unwrap());
    }
    come_back(&texts);
}

#[test]
fn made_up_texts_come_back() {
    let mut random = json_support::Random(5);
    let texts = (0..2_000).map(|number| (number.to_string(), random.text())).collect();
    come_back(&texts);
}

/// Counted by hand.
#[test]
fn json_is_written_as_the_page_says() {
    for (text, message) in [
        ("null", &b"u"[..]),
        (" true ", b"t"),
        ("false", b"f"),
        ("49", b"2i49"),
        ("-0", b"2i-0"),
        ("17.3", b"4d17.3"),
        ("1.50", b"4d1.50"),
        ("1e5", b"3d1e5"),
        ("123456789012345678901234567890", b"30i123456789012345678901234567890"),
        (r#""""#, b"0s"),
        (r#""hello""#, b"5shello"),
        (r#""\u00e9\ud83e\udd8b\n""#, b"7s\xC3\xA9\xF0\x9F\xA6\x8B\n"),
        ("[ ]", b"0["),
        ("{ }", b"0{"),
        (r#"{"key1": "value1", "key2": "value2"}"#, b"26{key1:6svalue1key2:6svalue2"),
        (r#"["value1", "value2"]"#, b"16[6svalue16svalue2"),
        (r#"{"a:b": 1, "\\": 2, "": 3, "17": 4, "17": null}"#, br"28{a\:b:1i1\\:1i2:1i317:1i417:u"),
        (r#"{"{\\['": {"\"": [[]]}}"#, br#"14{{\\[':6{":2[0["#),
    ] {
        assert_eq!(from_json(text.as_bytes()).escape_ascii().to_string(), message.escape_ascii().to_string(), "{text}");
    }
}

/// Binary data as base64 (the vectors of RFC 4648, section 10), a character as a string of one, a
/// byte as a number.
/// Short keys and data are copied in blocks; each length, and each place in the text, must give what the page says.
#[test]
fn keys_and_data_of_every_length_are_written() {
    let text = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let digits = "1234567890".repeat(5);
    for key in (0..=40).map(|len| &text[..len]) {
        for len in 0..=40 {
            let (string, number) = (&text[text.len() - len..], &digits[..len.max(1)]);
            let count = number.len();
            let members = format!("{key}:{len}s{string}t:t~:un:{count}i{number}");
            let json = format!(r#"{{"{key}":"{string}","t":true,"~":null,"n":{number}}}"#);
            assert_eq!(from_json(json.as_bytes()), format!("{}{{{members}", members.len()).as_bytes(), "{json}");
        }
    }
    for (key, written) in [(":", r"\:"), ("seven:7", r"seven\:7"), ("a key of twenty-one:", r"a key of twenty-one\:")] {
        let json = format!(r#"{{"first, so that the others are far from the beginning":[0],"{key}":[1]}}"#);
        let members = format!("first, so that the others are far from the beginning:3[1i0{written}:3[1i1");
        assert_eq!(from_json(json.as_bytes()), format!("{}{{{members}", members.len()).as_bytes());
    }
}

#[test]
fn what_json_lacks_is_written_by_convention() {
    for (message, text) in [
        (&b"0y"[..], r#""""#),
        (b"1yf", r#""Zg==""#),
        (b"2yfo", r#""Zm8=""#),
        (b"3yfoo", r#""Zm9v""#),
        (b"6yfoobar", r#""Zm9vYmFy""#),
        (b"3y\xFF\xFE\xFD", r#""//79""#),
        (b"cA", r#""A""#),
        (b"c\"", r#""\"""#),
        (b"c\xF0\x9F\xA6\x8B", "\"\u{1F98B}\""),
        (b"b\x00", "0"),
        (b"bA", "65"),
        (b"b\xFF", "255"),
        (b"9[b1c13yfoo", r#"[49,"1","Zm9v"]"#),
    ] {
        let back = to_json(message).map(|text| String::from_utf8(text).unwrap());
        assert_eq!(back.as_deref(), Ok(text), "{}", message.escape_ascii());
    }
}

#[test]
fn what_json_has_no_number_for_is_refused_by_name() {
    for word in ["NaN", "Infinity", "-Infinity"] {
        let node = format!("{}d{word}", word.len());
        let list = format!("1i1{node}");
        let list = format!("a:{}[{list}", list.len());
        for (message, path) in [(node, ""), (format!("{}{{{list}", list.len()), " in /a/1")] {
            let error = to_json(message.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
            let words = format!("{path}: found '{word}', expected a number that JSON can write");
            assert!(error.to_string().ends_with(&words), "{error}");
        }
    }
    // As text it is a string.
    assert_eq!(to_json(b"3sNaN").unwrap(), br#""NaN""#);
}

/// Types and names of TSF's set `value` by the table of its page, counted by hand.
#[test]
fn values_are_written_in_tsf_as_its_page_says() {
    for (message, tsf) in [
        (&b"5shello"[..], &b"5'hello"[..]),
        (b"2i49", b"2#49"),
        (b"4d17.3", b"4%17.3"),
        (b"t", b"1?t"),
        (b"f", b"1?f"),
        (b"u", b"0~"),
        (b"3y\x00\xFF\x80", b"3*\x00\xFF\x80"),
        (b"c\xC3\xA9", b"2^\xC3\xA9"),
        (b"bA", b"1`A"),
        (b"26{key1:6svalue1key2:6svalue2", b"2{6key1'value16key2'value2"),
        (b"16[6svalue16svalue2", b"2[6'value16'value2"),
        (b"3{0:u", br#"1{0"0~"#),
        (b"2{:t", br#"1{1"?t"#),
        (br"6{a\:b:u", b"1{0a:b~"),
        (br"7{\\[\::u", br#"1{0"\\\[:~"#),
    ] {
        both_ways(message, tsf);
    }
}

/// The PON message and the TSF message say the same.
fn both_ways(message: &[u8], tsf: &[u8]) {
    let options = tsf::Options::new(TypeSet::VALUE).with_limits(Limits::NONE);
    let shown = || message.escape_ascii();
    let (mut from_pon, mut from_tsf) = (Table::new(), Table::new());
    let document = pon::read(message, &pon::Options::default(), &mut from_pon).unwrap();
    let written = tsf::write(&document, &options).unwrap();
    assert_eq!(written.escape_ascii().to_string(), tsf.escape_ascii().to_string(), "{}", shown());
    let document = tsf::read(tsf, &options, &mut from_tsf).unwrap();
    assert_eq!(pon::write(&document).unwrap().escape_ascii().to_string(), shown().to_string());
}

#[test]
fn values_go_through_tsf_without_loss() {
    let mut random = Random::new(9);
    let made_up = (0..4_000).map(|_| made_up(&mut random, 40));
    let options = tsf::Options::new(TypeSet::VALUE).with_limits(Limits::NONE);
    for units in samples().into_iter().map(|sample| sample.units).chain(made_up) {
        let mut table = Table::new();
        build(&units, &mut table);
        let tsf = tsf::write(&table.document(b"", TypeSet::VALUE), &options).unwrap();
        both_ways(&twin::write(&units), &tsf);
    }
}

/// Any JSON comes back from a document of values through PON, TSF and JSON text in turn.
#[test]
fn the_formats_agree_on_what_all_of_them_can_say() {
    let mut random = Random::new(10);
    for _ in 0..test_support::rounds(2_000) {
        let mut units = made_up(&mut random, 40);
        for unit in &mut units {
            match &mut unit.data {
                Data::Binary(_) | Data::Char(_) | Data::Byte(_) => unit.data = Data::Null,
                // JSON knows integers by their digits.
                Data::Float(text) if text.bytes().all(|c| c.is_ascii_digit() || c == b'-') => *text = "0.0".into(),
                Data::Float(text) if text.ends_with(|c: char| c.is_alphabetic()) => *text = "-1e-7".into(),
                _ => {}
            }
        }
        let message = twin::write(&units);
        assert!(from_json(&to_json(&message).unwrap()) == message, "{}", message.escape_ascii());
    }
}
