//! What TSF says is read under the type set that it was written in, without a word about which that is.

use lengthwise::tam::{Builder, Limits, Step, Table, TypeSet, Vocabulary};
use lengthwise::{Format, Lengths, Options, Types, convert, read};
use test_support::Random;

/// Text that could be read as something else: tokens of JSON, and units of TSF.
const DATA: &[&str] = &[
    "10115",
    "true",
    "null",
    "\"\"",
    "\"a\"",
    "-0",
    "1e5",
    "",
    "t",
    "f",
    "green",
    "NaN",
    "ä",
    "17 ",
    "1'2",
    "11c'2",
    "11'2",
    "21b#171c'3",
    "0{",
    "0[",
    "1#2",
    "4'true",
    "\\",
    "1{1a'2",
    "12c'3",
    "5[hello",
    "0~",
    "01'1",
];
const NAMES: &[&str] = &[
    "zip", "ok", "a", "b", "", "1", "a#15b", "a#1", "#", "?", "~", "*x", "a%", "^", "`", "\"", "\\", "'", "{[", "<a>",
    "=", "a'1", "a?1", "b~", "a\"#", "0",
];

fn text(random: &mut Random, from: &[&str]) -> String {
    let pieces = random.below_or(2, 4, 5);
    (0..=pieces).map(|n| if n == 0 || random.one_in(3) { random.of(from) } else { "" }).collect()
}

fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A document of JSON, without white space between its tokens.
fn made_up(random: &mut Random, strings_alone: bool, depth: usize, out: &mut String) {
    match random.below(if depth < 3 { 6 } else { 4 }) {
        0 | 1 => out.push_str(&string(&text(random, DATA))),
        _ if depth >= 3 && strings_alone => out.push_str(&string(&text(random, DATA))),
        2 | 3 if strings_alone => out.push_str(&string(&text(random, DATA))),
        2 => out.push_str(random.of(&["1", "17", "-5", "2.50", "1E+2", "0"])),
        3 => out.push_str(random.of(&["true", "false", "null"])),
        kind => {
            out.push(if kind == 4 { '{' } else { '[' });
            for n in 0..random.below(4) {
                if n > 0 {
                    out.push(',');
                }
                if kind == 4 {
                    out.push_str(&string(&text(random, NAMES)));
                    out.push(':');
                }
                made_up(random, strings_alone, depth + 1, out);
            }
            out.push(if kind == 4 { '}' } else { ']' });
        }
    }
}

/// Through TSF and back by two commands, without naming the type set of the message.
fn there_and_back(json: &str, to: &Options<'_>) -> (Vec<u8>, String) {
    let message = convert(json.as_bytes(), Format::Json, Format::Tsf, to).expect(json);
    let from = Options::default().with_input_lengths(to.output_lengths);
    let shown = || panic!("{json}: {}", message.escape_ascii());
    if Format::sniff(&message) != Some(Format::Tsf) {
        shown();
    }
    let back = convert(&message, Format::Tsf, Format::Json, &from).unwrap_or_else(|_| shown());
    (message, String::from_utf8(back).unwrap())
}

#[test]
fn no_document_of_json_changes_through_a_type_set_that_is_not_named_again() {
    let mut random = Random::new(22);
    let ways = [None, Some(Types::Value), Some(Types::Value), Some(Types::Json)];
    let (mut marked, mut unmarked) = (0, 0);
    for n in 0..test_support::rounds(100_000) {
        let mut json = String::new();
        let strings_alone = random.one_in(2);
        made_up(&mut random, strings_alone, 0, &mut json);
        let mut to = Options::default();
        to.output_types = ways[n % 4];
        if random.one_in(4) {
            to.output_lengths = Lengths::Chars;
        }
        let (message, back) = there_and_back(&json, &to);
        assert_eq!(back, json, "{to:?}: {}", message.escape_ascii());
        match (to.output_types, tsf_is_marked(&message)) {
            (Some(Types::Value), true) => marked += 1,
            (Some(Types::Value), false) => unmarked += 1,
            (_, is_marked) => assert!(!is_marked, "{}", message.escape_ascii()),
        }
    }
    assert!(marked > test_support::rounds(5_000) && unmarked > test_support::rounds(5_000), "{marked} {unmarked}");
}

fn tsf_is_marked(message: &[u8]) -> bool {
    lengthwise::tsf::is_marked(message)
}

#[test]
fn strings_that_are_tokens_stay_strings() {
    let to = Options::default().with_output_types(Types::Value);
    for (json, message) in [
        (r#"{"zip":"10115","ok":"true"}"#, "02{5zip'101154ok'true"),
        (r#"["17"]"#, "01[2'17"),
        (r#""17""#, "02'17"),
        // These could be no message of `json`, and are as they were.
        (r#"{"room":"attic","t":21.50}"#, "2{5room'attic5t%21.50"),
        (r#"["17","x"]"#, "2[2'171'x"),
        (r#"["17",18]"#, "2[2'172#18"),
        (r#"{"zip":""}"#, "1{0zip'"),
        ("[]", "0["),
    ] {
        let (written, back) = there_and_back(json, &to);
        assert_eq!(String::from_utf8(written).unwrap(), message);
        assert_eq!(back, json);
    }
}

#[test]
fn a_name_of_json_that_could_be_a_value_is_escaped() {
    let default = Options::default();
    // 5.3.1 leaves open how a message says its set. Without the escape this one is
    // {"a":1,"b":"11c'2"} in the set `value`.
    let (message, back) = there_and_back(r##"{"a#15b":1,"c":2}"##, &default);
    assert_eq!(
        (message.escape_ascii().to_string().as_str(), back.as_str()),
        (r##"2{1\"a\\#15b\'11c\'2"##, r##"{"a#15b":1,"c":2}"##)
    );
    // The other way round the text of a stranger makes no members.
    let values = default.with_output_types(Types::Value);
    let (message, back) = there_and_back(r#"{"a":1,"b":"11c'2"}"#, &values);
    assert_eq!((message.as_slice(), back.as_str()), (&b"2{1a#15b'11c'2"[..], r#"{"a":1,"b":"11c'2"}"#));
    // No escape where nothing else could be meant.
    let (message, _) = there_and_back(r##"{"#text":"x","a?":1}"##, &default);
    assert_eq!(message, br##"2{3#text'"x"1a?'1"##);
}

#[test]
fn documents_of_xml_are_taken_for_nothing_else() {
    let mut random = Random::new(22);
    for _ in 0..test_support::rounds(20_000) {
        let name = random.of(&["a", "zip", "_", "é", "a.b", "x-y", "p:q", "t", "f"]);
        let text = text(&mut random, DATA).replace('&', "&amp;").replace('<', "&lt;");
        let value = random.of(&["1", "1'2", "{", "[", "#", "0{", "t"]);
        let (before, after) =
            random.of(&[("", ""), ("<!--1{1a'2-->", ""), ("<?p 0{?>", ""), ("", "<!--'-->"), ("<!DOCTYPE a>", "")]);
        let xml = match random.below(3) {
            0 => format!("{before}<{name}>{text}</{name}>{after}"),
            1 => format!("{before}<{name} k=\"{value}\">{text}<b/>{text}</{name}>{after}"),
            _ => format!("{before}<{name} k=\"{value}\"/>{after}"),
        };
        let message =
            convert(xml.as_bytes(), Format::Xml, Format::Tsf, &Options::default().with_plain_xml(true)).expect(&xml);
        let mut table = Table::new();
        let document = read(&message, Format::Tsf, &Options::default(), &mut table).expect(&xml);
        assert_eq!(document.types().vocabulary(), Vocabulary::Xml, "{xml}");
    }
}

#[test]
fn what_pon_says_stays_typed() {
    for pon in ["14{a:2s17b:4strue", "4[2s17", "2s17", "8[2s172i18"] {
        let Ok(message) = convert(pon.as_bytes(), Format::Pon, Format::Tsf, &Options::default()) else {
            panic!("{pon}");
        };
        let back = convert(&message, Format::Tsf, Format::Pon, &Options::default()).expect(pon);
        assert_eq!(back.escape_ascii().to_string(), pon, "{}", message.escape_ascii());
    }
}

/// Units of a document: depth, type, name and data of each.
fn units(document: &lengthwise::tam::Document<'_>) -> Vec<(usize, u8, Vec<u8>, Vec<u8>)> {
    let mut depth = 0;
    let mut units = Vec::new();
    for step in document.walk() {
        match step {
            Step::Open(node) => {
                units.push((depth, node.kind(), node.name().to_bytes().into_owned(), Vec::new()));
                depth += 1;
            }
            Step::Primitive(node) => {
                units.push((depth, node.kind(), node.name().to_bytes().into_owned(), node.value().to_vec()));
            }
            Step::Close(_) => depth -= 1,
        }
    }
    units
}

fn typed(random: &mut Random, name: &[u8], depth: usize, out: &mut Builder<'_, '_, '_>) {
    let (kind, data) = match random.below(if depth < 3 { 12 } else { 9 }) {
        0 => (b'#', random.of(&["1", "-17", "0", "123456789012345678901"])),
        1 => (b'%', random.of(&["1.5", "NaN", "-Infinity", "1e5"])),
        2 => (b'?', random.of(&["t", "f"])),
        3 => (b'~', ""),
        4 => (b'^', random.of(&["a", "1", "'", "é"])),
        5 => (b'`', random.of(&["a", "1", "\0"])),
        6 => (b'*', random.of(DATA)),
        7 | 8 => (b'\'', random.of(DATA)),
        container => {
            let kind = if container == 9 { b'[' } else { b'{' };
            out.open(kind, name).unwrap();
            for _ in 0..random.below(4) {
                let name = if kind == b'{' { random.of(&NAMES[..4]).as_bytes() } else { b"" };
                typed(random, name, depth + 1, out);
            }
            return out.close().unwrap();
        }
    };
    out.primitive(kind, name, data.as_bytes()).unwrap();
}

#[test]
fn typed_values_stay_what_they_are() {
    let mut random = Random::new(7);
    let default = Options::default();
    let mut table = Table::new();
    let mut read_table = Table::new();
    for _ in 0..test_support::rounds(30_000) {
        let mut builder = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
        typed(&mut random, b"", 0, &mut builder);
        builder.finish().unwrap();
        let document = table.document(b"", TypeSet::VALUE);
        let message = lengthwise::write(&document, Format::Tsf, &default).unwrap();
        let shown = message.escape_ascii().to_string();
        let back = read(&message, Format::Tsf, &default, &mut read_table).expect(&shown);
        assert_eq!(units(&back), units(&document), "{shown}");
        let has_data = units(&document).iter().any(|(_, kind, ..)| !matches!(kind, b'{' | b'['));
        assert!(!has_data || back.types().vocabulary() == Vocabulary::Value, "{shown}");
    }
}
