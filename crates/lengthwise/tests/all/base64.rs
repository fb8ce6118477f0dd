//! Strings of base64 become binary data where that is asked for, and come back letter by letter.

use lengthwise::tam::Table;
use lengthwise::{
    Base64, BinaryCounts, ErrorKind, Format, LossKind, Losses, Options, Types, append_counted, convert, read,
};
use test_support::{Random, rounds};

/// RFC 4648, section 4, bit by bit.
fn base64(octets: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<u8> = octets.iter().flat_map(|octet| (0..8).rev().map(move |bit| octet >> bit & 1)).collect();
    let sextets = bits.chunks(6).map(|six| (0..6).fold(0, |sum, at| sum * 2 + six.get(at).copied().unwrap_or(0)));
    let mut text: String = sextets.map(|sextet| char::from(ALPHABET[usize::from(sextet)])).collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

fn options(which: Base64<'_>) -> Options<'_> {
    Options::default().with_output_types(Types::Value).with_binary_from_base64(which)
}

/// JSON as PON, shown as text, and what became of its strings.
fn pon(json: &str, which: Base64<'_>) -> (String, BinaryCounts) {
    let mut table = Table::new();
    let options = options(which);
    let document = read(json.as_bytes(), Format::Json, &options, &mut table).unwrap();
    let mut out = Vec::new();
    let counts = append_counted(&document, Format::Pon, &options, &mut out).unwrap();
    assert_eq!(convert(json.as_bytes(), Format::Json, Format::Pon, &options).unwrap(), out);
    (out.escape_ascii().to_string(), counts)
}

/// The vectors of RFC 4648, section 10.
#[test]
fn the_members_that_are_named_become_binary() {
    let vectors = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
    for (text, octets) in vectors.iter().zip(["", "f", "fo", "foo", "foob", "fooba", "foobar"]) {
        let (message, counts) = pon(&format!(r#"{{"a":"{text}"}}"#), Base64::Members(&["a"]));
        let node = format!("a:{}y{octets}", octets.len());
        assert_eq!((message, counts.strings), (format!("{}{{{node}", node.len()), 1), "{text}");
    }
}

#[test]
fn only_strings_of_the_members_that_are_named_become_binary() {
    let names = Base64::Members(&["a", "x:y", ""]);
    // In arrays of the member, however deep; in objects of it only by their own names.
    assert_eq!(pon(r#"{"a":["Zg==",[["Zg=="]]],"b":["Zg=="]}"#, names).1.strings, 2);
    assert_eq!(pon(r#"{"a":{"b":"Zg==","a":"Zg=="},"c":[{"a":"Zg=="}]}"#, names).1.strings, 2);
    assert_eq!(pon(r#"{"a":[{"b":"Zg=="},["Zg=="]]}"#, names).1.strings, 1);
    assert_eq!(pon(r#"{"x:y":"Zg==","":"Zg==","\u0061":"Zg\u003d=","aa":"Zg=="}"#, names).1.strings, 3);
    assert_eq!(pon(r#"{"a":null,"a":17,"a":true,"a":{},"a":[]}"#, names).1.strings, 0);
    let counts = pon(r#"{"a":[1,"Zg==",{},null,[true,"Zg=="]],"x:y":"Zg==","":{},"":{"a":null}}"#, names).1;
    assert_eq!((counts.strings, counts.not_strings), (3, 5));
    assert_eq!(counts.members.into_iter().collect::<Vec<_>>(), [("a".to_owned(), 2), ("x:y".to_owned(), 1)]);
    assert_eq!(pon(r#"["Zg=="]"#, names).1.strings, 0);
    assert_eq!(pon(r#"{"a":"Zg=="}"#, Base64::Members(&[])).1.strings, 0);
    assert_eq!(pon(r#"{"x:y":"Zg=="}"#, names).0, r"8{x\\:y:1yf");
}

#[test]
fn a_member_that_is_named_and_is_not_base64_is_an_error_with_its_path() {
    let refused = |json: &str, format: Format| {
        let options = Options::default().with_binary_from_base64(Base64::Members(&["key"]));
        convert(json.as_bytes(), format, Format::Pon, &options).unwrap_err()
    };
    for text in ["Zg", "Zg=", "Zh==", "Zg==Zg==", "Z===", "Zm-_", "Zm9\u{E9}", "?", "Zg==\u{A0}"] {
        let error = refused(&format!(r#"[{{"key":["Zg==","{text}"]}}]"#), Format::Json);
        let place = "at byte 17 (line 1, column 18) in /0/key/1";
        let words = "found a string that is not base64, expected base64 in member 'key'";
        assert_eq!(error.to_string(), format!("schema {place}: {words}"), "{text}");
        assert_eq!(error.kind(), ErrorKind::Schema);
    }
    // What is unescaped is not in the message, but its name is.
    assert_eq!(refused(r#"{"key":"\u0041"}"#, Format::Json).offset(), 2);
    let error = refused("1{3key'\"?\"", Format::Tsf);
    assert_eq!((error.kind(), error.path(), error.offset()), (ErrorKind::Schema, "/key", 0));
    // Nothing is written.
    let mut table = Table::new();
    let options = options(Base64::Members(&["key"]));
    let document = read(br#"{"key":"?"}"#, Format::Json, &options, &mut table).unwrap();
    let mut out = b"kept".to_vec();
    assert!(append_counted(&document, Format::Pon, &options, &mut out).is_err());
    assert_eq!(out, b"kept");
}

/// Words, names, numbers, paths and digests are in the alphabet of base64 too.
#[test]
fn what_is_likely_to_be_something_else_stays_a_string() {
    for text in [
        "",
        "true",
        "1234",
        "abcd",
        "Zm9vYmFyMTI=",
        "internationalize",
        "ConfigurationManager",
        "Europe/Amsterdam",
        "application/json",
        "/home/user/file1",
        "4111111111111111",
        "d41d8cd98f00b204e9800998ecf8427e",
        "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
        "AAAAAAAAAAAAAAAA",
        // No canonical form: a missing pad, a bit beyond the octets, white space, the alphabet for addresses.
        "Zm9vYmFyMTIzNDU2Nw",
        "Zm9vYmFyMTIzNDU2Nx==",
        "Zm9vYmFy MTIzNDU2Nw==",
        "Zm9vYmFyMTIzNDU-Nw==",
        "Zm9vYmFyMTIzNDU2Nw==Zm9v",
    ] {
        assert_eq!(pon(&format!(r#"["{text}",{{"k":"{text}"}}]"#), Base64::Likely).1.strings, 0, "{text}");
    }
    for text in ["Zm9vYmFyMTIzNDU2Nw==", "/9j/4AAQSkZJRgABAQEAYABgAAA=", "Zm9vYmFyMTIz"] {
        let expected = if text.len() < 16 { 0 } else { 2 };
        assert_eq!(pon(&format!(r#"["{text}",{{"k":"{text}"}}]"#), Base64::Likely).1.strings, expected, "{text}");
    }
    let (message, counts) = pon(r#""Zm9vYmFyMTIzNDU2Nw==""#, Base64::Likely);
    assert_eq!((message.as_str(), counts.strings, counts.members.len()), ("13yfoobar1234567", 1, 0));
    assert_eq!(pon(r#"{"k":"Zm9vYmFyMTIzNDU2Nw=="}"#, Base64::Keep).1.strings, 0);
}

/// A made-up document of JSON with strings of base64 and others.
fn json(random: &mut Random, levels: usize) -> String {
    let octets: Vec<u8> = (0..random.below_or(20, 9, 200)).map(|_| random.next() as u8).collect();
    match random.below(if levels == 0 { 5 } else { 8 }) {
        0..3 => format!("\"{}\"", base64(&octets)),
        3 => random.of(&["\"abcd\"", "\"Zg=\"", "\"\u{E9}\"", "\"a\\n\""]).to_owned(),
        4 => random.of(&["17", "1.50", "null", "true"]).to_owned(),
        5 => {
            let items: Vec<String> = (0..random.below(4)).map(|_| json(random, levels - 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => {
            let name = |random: &mut Random| random.of(&["a", "b", "x:y", "17", "{", ""]);
            let members: Vec<String> =
                (0..random.below(4)).map(|_| format!("\"{}\":{}", name(random), json(random, levels - 1))).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}

/// Into PON and TSF, from JSON, TSF and PON; back to the JSON that it was. Nothing is reported, and the count is that of
/// the binary values.
#[test]
fn documents_come_back_letter_by_letter() {
    let mut random = Random::new(5);
    let (mut binary, mut refused) = (0, 0);
    for _ in 0..rounds(3_000) {
        let text = json(&mut random, 4);
        let which = random.of(&[Base64::Likely, Base64::Members(&["a", "17", ""])]);
        let options = options(which);
        let plain = Options::default();
        let tokens = convert(text.as_bytes(), Format::Json, Format::Tsf, &plain).unwrap();
        let values =
            convert(text.as_bytes(), Format::Json, Format::Tsf, &plain.with_output_types(Types::Value)).unwrap();
        let strings = convert(text.as_bytes(), Format::Json, Format::Pon, &plain).unwrap();
        let clean = convert(&strings, Format::Pon, Format::Json, &plain).unwrap();
        let Ok(expected) = convert(text.as_bytes(), Format::Json, Format::Pon, &options) else {
            refused += 1;
            continue;
        };
        let mut table = Table::new();
        let document = read(&expected, Format::Pon, &plain, &mut table).unwrap();
        binary += document.rows().iter().filter(|row| row.kind() == b'*').count();
        for (input, from) in
            [(text.as_bytes(), Format::Json), (&tokens, Format::Tsf), (&values, Format::Tsf), (&strings, Format::Pon)]
        {
            for to in [Format::Pon, Format::Tsf] {
                let output = convert(input, from, to, &options).unwrap();
                let losses = Losses::between(input, from, &output, to, &options).unwrap();
                assert!(losses.is_empty(), "{from} to {to}: {losses}: {text}");
                let back = convert(&output, to, Format::Json, &plain).unwrap();
                assert_eq!(back.escape_ascii().to_string(), clean.escape_ascii().to_string(), "{from} to {to}");
                let again = convert(&output, to, Format::Pon, &plain).unwrap();
                assert_eq!(again.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{from} to {to}");
            }
        }
    }
    assert!(binary > rounds(500) && refused < rounds(1_000), "{binary} {refused}");
}

/// What was dropped from a string is a loss, and so is anything that is not the string's octets.
#[test]
fn losses_compare_the_text_with_the_octets() {
    let options = options(Base64::Members(&["a"]));
    let between = |json: &str, message: &[u8]| {
        Losses::between(json.as_bytes(), Format::Json, message, Format::Pon, &options).unwrap()
    };
    let spaced = r#"{"a":"Zm9v\nYmFy"}"#;
    let message = convert(spaced.as_bytes(), Format::Json, Format::Pon, &options).unwrap();
    assert_eq!(message, b"10{a:6yfoobar");
    assert_eq!(between(spaced, &message).count(LossKind::Spelling), 1);
    assert!(between(r#"{"a":"Zm9vYmFy"}"#, &message).is_empty());
    assert_eq!(between(r#"{"a":"Zm9vYmFz"}"#, &message).count(LossKind::Value), 1);
    assert_eq!(between(r#"{"a":"?"}"#, &message).count(LossKind::Value), 1);
    assert_eq!(between(r#"{"a":17}"#, &message).count(LossKind::Type), 1);
    // Without the option it is another type.
    let losses = Losses::between(&message, Format::Pon, br#"{"a":"Zm9vYmFy"}"#, Format::Json, &Options::default());
    assert_eq!(losses.unwrap().count(LossKind::Type), 1);
}

#[test]
fn type_sets_without_binary_data_are_refused() {
    for types in [None, Some(Types::Json), Some(Types::Xml)] {
        let mut options = Options::default().with_binary_from_base64(Base64::Likely);
        options.output_types = types;
        let error = convert(b"[1]", Format::Json, Format::Tsf, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    }
}

/// Neither nesting nor the number of names costs more than the document has.
#[test]
fn a_hostile_document_takes_linear_time() {
    let names: Vec<String> = (0..20_000).map(|name| format!("n{name}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let deep = format!("{{\"n1\":{}\"Zg==\"{}}}", "[".repeat(900), "]".repeat(900));
    assert_eq!(pon(&deep, Base64::Members(&names)).1.strings, 1);
    let wide = format!("[{}]", vec![r#"{"n19999":"Zg=="}"#; 20_000].join(","));
    assert_eq!(pon(&wide, Base64::Members(&names)).1.strings, 20_000);
}
