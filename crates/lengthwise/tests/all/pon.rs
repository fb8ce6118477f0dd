//! PON and the other formats: conversions lose nothing, and a message is detected.

#[allow(dead_code, reason = "its main function is for the example")]
#[path = "../../examples/vibration.rs"]
mod vibration;

use std::fs;
use std::path::Path;

use lengthwise::tam::Table;
use lengthwise::{ErrorKind, Format, Lengths, Options, Types, convert, read};
use proptest::prelude::*;
use test_support::rounds;

/// A value as PON has it, numbers as they are written.
#[derive(Clone, Debug)]
enum Value {
    Null,
    Boolean(bool),
    Integer(String),
    Float(String),
    String(String),
    Binary(Vec<u8>),
    Char(char),
    Byte(u8),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The node, written the plain way: inside out.
    fn node(&self) -> Vec<u8> {
        let counted = |tag: char, data: &[u8]| [format!("{}{tag}", data.len()).as_bytes(), data].concat();
        match self {
            Value::Null => b"u".to_vec(),
            Value::Boolean(value) => if *value { b"t" } else { b"f" }.to_vec(),
            Value::Integer(text) => counted('i', text.as_bytes()),
            Value::Float(text) => counted('d', text.as_bytes()),
            Value::String(text) => counted('s', text.as_bytes()),
            Value::Binary(octets) => counted('y', octets),
            Value::Char(c) => format!("c{c}").into_bytes(),
            Value::Byte(byte) => vec![b'b', *byte],
            Value::Array(items) => counted('[', &items.iter().flat_map(Value::node).collect::<Vec<_>>()),
            Value::Object(members) => {
                let key = |key: &str| key.replace('\\', "\\\\").replace(':', "\\:") + ":";
                let inside = members.iter().flat_map(|(name, value)| [key(name).into_bytes(), value.node()].concat());
                counted('{', &inside.collect::<Vec<_>>())
            }
        }
    }

    /// Whether JSON has a value for it.
    fn has_json(&self) -> bool {
        match self {
            Value::Float(text) => text.ends_with(|c: char| c.is_ascii_digit()),
            Value::Array(items) => items.iter().all(Value::has_json),
            Value::Object(members) => members.iter().all(|(_, value)| value.has_json()),
            _ => true,
        }
    }

    fn is_empty_container(&self) -> bool {
        match self {
            Value::Array(items) => items.is_empty(),
            Value::Object(members) => members.is_empty(),
            _ => false,
        }
    }
}

/// Text with whatever means something to one of the formats.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{0,6}", "[0-9{}\\[\\]'\"#%?~*^`:\\\\/<=é😀 \n]{0,6}", "[0-9]{1,3}", Just("true".to_owned())]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Boolean),
        "-?(0|[1-9][0-9]{0,30})".prop_map(Value::Integer),
        "-?[0-9]\\.[0-9]{1,4}|[1-9][eE][+-]?[0-9]{1,3}|NaN|-?Infinity".prop_map(Value::Float),
        text().prop_map(Value::String),
        prop::collection::vec(any::<u8>(), 0..12).prop_map(Value::Binary),
        any::<char>().prop_map(Value::Char),
        any::<u8>().prop_map(Value::Byte),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((text(), inner), 0..6).prop_map(Value::Object),
        ]
    })
}

fn typed() -> Options<'static> {
    Options::default().with_input_types(Types::Value)
}

/// The message in every form of JSON's vocabulary, but those that cannot hold it.
fn forms(pon: &[u8]) -> Vec<(Format, Vec<u8>)> {
    let mut forms = vec![(Format::Pon, pon.to_vec())];
    for lengths in [Lengths::Bytes, Lengths::Chars] {
        for types in [Types::Value, Types::Json] {
            let options = Options::default().with_lengths(lengths).with_output_types(types);
            forms.extend(convert(pon, Format::Pon, Format::Tsf, &options).map(|tsf| (Format::Tsf, tsf)));
        }
    }
    for pretty in [false, true] {
        let options = Options::default().with_pretty(pretty);
        forms.extend(convert(pon, Format::Pon, Format::Json, &options).map(|json| (Format::Json, json)));
    }
    forms.extend(convert(pon, Format::Pon, Format::Xml, &Options::default()).map(|xml| (Format::Xml, xml)));
    forms
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(1_000) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pon_through_tsf_is_the_same_bytes(value in value()) {
        let pon = value.node();
        let tsf = convert(&pon, Format::Pon, Format::Tsf, &Options::default()).unwrap();
        prop_assert_eq!(convert(&tsf, Format::Tsf, Format::Pon, &typed()).unwrap(), pon.clone());
        prop_assert_eq!(convert(&pon, Format::Pon, Format::Pon, &Options::default()).unwrap(), pon);
    }

    #[test]
    fn json_through_pon_is_the_same_json(value in value()) {
        let pon = value.node();
        let json = convert(&pon, Format::Pon, Format::Json, &Options::default());
        prop_assert_eq!(json.is_ok(), value.has_json());
        let Ok(json) = json else { return Ok(()) };
        let again = convert(&json, Format::Json, Format::Pon, &Options::default()).unwrap();
        prop_assert_eq!(convert(&again, Format::Pon, Format::Json, &Options::default()).unwrap(), json.clone());
        // Whether straight, or by way of either type set of TSF.
        for types in [Types::Json, Types::Value] {
            let to = Options::default().with_output_types(types);
            let tsf = convert(&json, Format::Json, Format::Tsf, &to).unwrap();
            let from = Options::default().with_input_types(types);
            prop_assert_eq!(convert(&tsf, Format::Tsf, Format::Pon, &from).unwrap(), again.clone());
        }
    }

    #[test]
    fn a_message_shows_its_format(value in value()) {
        for (format, message) in forms(&value.node()) {
            // What is empty is the same in both.
            let expected = if format == Format::Pon && value.is_empty_container() { Format::Tsf } else { format };
            prop_assert_eq!(Format::sniff(&message), Some(expected), "{}", String::from_utf8_lossy(&message));
        }
    }

    /// XML's vocabulary: the root element is never a text.
    #[test]
    fn tsf_of_xml_is_not_taken_for_pon(names in prop::collection::vec("[sidytfubc][a-z]{0,2}", 1..5), text in text()) {
        let open: String = names.iter().map(|name| format!("<{name} {name}='{}'>", name.len())).collect();
        let close: String = names.iter().rev().map(|name| format!("</{name}>")).collect();
        let xml = format!("{open}<![CDATA[{text}]]>{close}");
        for lengths in [Lengths::Bytes, Lengths::Chars] {
            let options = Options::default().with_lengths(lengths);
            let tsf = convert(xml.as_bytes(), Format::Xml, Format::Tsf, &options).unwrap();
            prop_assert_eq!(Format::sniff(&tsf), Some(Format::Tsf));
        }
    }

    #[test]
    fn no_input_upsets_sniffing(start in "[0-9]{0,2}[sidytfubc{\\[:]", rest in prop::collection::vec(any::<u8>(), 0..20)) {
        let input = [start.as_bytes(), &rest].concat();
        let format = Format::sniff(&input);
        // What can be read as PON is detected as PON, unless it could be another format.
        if read(&input, Format::Pon, &Options::default(), &mut Table::new()).is_ok() {
            let is_empty_container = input == *b"0{" || input == *b"0[";
            prop_assert_eq!(format, Some(if is_empty_container { Format::Tsf } else { Format::Pon }));
        }
    }
}

#[test]
fn samples_show_their_format_in_every_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let Some(format) = Format::from_extension(ending).filter(|format| format.rules().is_none()) else { continue };
        let message = fs::read(&path).unwrap();
        assert_eq!(Format::sniff(&message), Some(format), "{}", path.display());
        for lengths in [Lengths::Bytes, Lengths::Chars] {
            for types in [None, Some(Types::Json), Some(Types::Value)] {
                // Those of ASN.1 begin like anything.
                for &to in Format::ALL.iter().filter(|to| to.rules().is_none()) {
                    let mut options = Options::default().with_lengths(lengths);
                    options.output_types = types;
                    let Ok(other) = convert(&message, format, to, &options) else { continue };
                    assert_eq!(Format::sniff(&other), Some(to), "{} as {to}", path.display());
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn what_pon_holds_beyond_json_becomes_json_by_conventions() {
    let pon = "30{o:3y\u{0}\u{1}~b:bAc:cée:0yn:us:3s\"é".as_bytes();
    let json = convert(pon, Format::Pon, Format::Json, &Options::default()).unwrap();
    assert_eq!(json, r#"{"o":"AAF+","b":65,"c":"é","e":"","n":null,"s":"\"é"}"#.as_bytes());
    let tokens = Options::default().with_output_types(Types::Json);
    let tsf = convert(pon, Format::Pon, Format::Tsf, &tokens).unwrap();
    assert_eq!(tsf, "6{6o'\"AAF+\"2b'654c'\"é\"2e'\"\"4n'null6s'\"\\\"é\"".as_bytes());
    let xml = convert(b"17{o:3yAAFn:ub:bAt:t", Format::Pon, Format::Xml, &Options::default()).unwrap();
    assert_eq!(xml, b"<e0s1><o>QUFG</o><n>null</n><b>65</b><t>true</t></e0s1>");
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let refused = |input: &str, from, to, options: &Options| {
        let error = convert(input.as_bytes(), from, to, options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        format!("{}: {error}", error.format())
    };
    let default = Options::default();
    let tokens = default.with_output_types(Types::Json);
    let nan = "json: unsupported at byte 5 in /f: found 'NaN', expected a number that JSON can write";
    assert_eq!(refused("7{f:3dNaN", Format::Pon, Format::Json, &default), nan);
    assert_eq!(refused("7{f:3dNaN", Format::Pon, Format::Tsf, &tokens), nan);
    let xml = "found an XML document, expected a document of JSON values: XML has no single form in JSON";
    assert_eq!(refused("<a/>", Format::Xml, Format::Pon, &default), format!("pon: unsupported at byte 0: {xml}"));
    assert_eq!(
        refused("1#12#34", Format::Tsf, Format::Pon, &typed()),
        "pon: unsupported at byte 0: found 2 outermost units, expected one"
    );
    assert_eq!(
        refused("1a#1", Format::Tsf, Format::Pon, &typed()),
        "pon: unsupported at byte 0 in /a: found a name, expected no names outside objects"
    );
}

#[test]
fn depth_counts_the_same_levels_in_pon_as_in_json() {
    let read = |message: &str, format, depth: u32| {
        let limits = lengthwise::Limits { depth, ..lengthwise::Limits::default() };
        let options = Options::default().with_limits(limits);
        read(message.as_bytes(), format, &options, &mut Table::new()).map(|_| ()).map_err(|error| error.kind())
    };
    for (message, format) in [("7[5[3[1[u", Format::Pon), ("[[[[null]]]]", Format::Json)] {
        assert_eq!(read(message, format, 4), Ok(()));
        assert_eq!(read(message, format, 3), Err(ErrorKind::Limit));
    }
}

#[test]
fn the_sample_with_binary_data_is_what_its_example_writes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let sample = fs::read(folder.join("vibration.pon")).unwrap();
    assert!(vibration::message(&vibration::samples(), &mut [0; 1024]).unwrap() == sample);
}
