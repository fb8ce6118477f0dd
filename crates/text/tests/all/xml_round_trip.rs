//! What is written reads back as the same document.

use crate::xml_support::{PLAIN, rewritten, suite};
use proptest::collection::vec;
use proptest::prelude::*;
use tam::{Builder, Document, ErrorKind, Limits, Step, Table, TypeSet};
use test_support::rounds;
use text::xml::{self, EmptyTags, LineEnds, Options};

/// A unit made by hand.
#[derive(Clone, Debug)]
enum Unit {
    Open(u8, String, Vec<Unit>),
    Primitive(u8, String, String),
}

/// The units of a document, comparable.
fn units(document: &Document<'_>) -> Vec<(u8, Vec<u8>, Vec<u8>)> {
    let unit = |step| match step {
        Step::Open(node) => (node.kind(), node.name().to_bytes().into_owned(), Vec::new()),
        Step::Primitive(node) => (node.kind(), node.name().to_bytes().into_owned(), node.value().to_vec()),
        Step::Close(_) => (b')', Vec::new(), Vec::new()),
    };
    document.walk().map(unit).collect()
}

fn build(unit: &Unit, builder: &mut Builder<'_, '_, '_>) {
    match unit {
        Unit::Open(kind, name, content) => {
            builder.open(*kind, name.as_bytes()).unwrap();
            content.iter().for_each(|unit| build(unit, builder));
            builder.close().unwrap();
        }
        Unit::Primitive(kind, name, value) => builder.primitive(*kind, name.as_bytes(), value.as_bytes()).unwrap(),
    }
}

/// Writes, and where that works reads back and compares. Whether it worked, namespaces not checked.
fn round_trip(roots: &[Unit]) -> bool {
    let checked = round_trip_by(roots, &Options::default());
    let plain = round_trip_by(roots, &PLAIN);
    assert!(plain || !checked);
    plain
}

fn table(roots: &[Unit]) -> Table<'_> {
    let mut table = Table::new();
    let mut builder = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
    roots.iter().for_each(|root| build(root, &mut builder));
    builder.finish().unwrap();
    table
}

/// What reading gives of a document: without a list around the root element alone, which says no more than the
/// element (section 5.2.2 of the paper).
fn as_read(roots: &[Unit]) -> &[Unit] {
    match roots {
        [Unit::Open(b'=', name, all)] if name.is_empty() && matches!(**all, [Unit::Open(b'<', ..)]) => all,
        _ => roots,
    }
}

fn round_trip_by(roots: &[Unit], options: &Options) -> bool {
    let mut out = Vec::new();
    if let Err(error) = xml::append(&table(roots).document(b"", TypeSet::XML), options, &mut out) {
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        return false;
    }
    let mut again = Table::new();
    let read = xml::read(&out, options, &mut again)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&out)));
    let expected = table(as_read(roots));
    assert_eq!(units(&read), units(&expected.document(b"", TypeSet::XML)), "{}", String::from_utf8_lossy(&out));
    true
}

/// Text that is worth writing.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~\t\n\r\u{e9}\u{85}\u{2028}\u{1F600}]{1,12}",
        "[&<>\"']{1,4}",
        Just("]]&gt;]>".to_owned()),
        Just("\r\n".to_owned()),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]", "[A-Za-z_:\u{e9}\u{4e2d}][A-Za-z0-9.:_-]{0,8}\u{b7}?", Just("xmlns:p".to_owned())]
}

fn leaf() -> impl Strategy<Value = Unit> {
    prop_oneof![
        4 => text().prop_map(|text| Unit::Primitive(b'[', String::new(), text)),
        1 => "[a-z<&>\\] ]{0,6}".prop_map(|text| Unit::Primitive(b']', String::new(), text.replace("]]>", ""))),
        1 => "[a-z<&> ]{0,6}".prop_map(|text| Unit::Primitive(b'+', String::new(), text)),
        1 => (name(), "[a-z<&>]{0,6}").prop_map(|(target, data)| {
            let data = if data.is_empty() { target } else { format!("{target} {data}") };
            Unit::Primitive(b'?', String::new(), data)
        }),
    ]
}

/// An element as reading gives one.
fn element() -> impl Strategy<Value = Unit> {
    let make = |name: String, attributes: Vec<(String, String)>, content: Vec<Unit>| {
        let mut units: Vec<Unit> = Vec::new();
        let mut list: Vec<Unit> = Vec::new();
        for (name, value) in attributes {
            if !list.iter().any(|unit| matches!(unit, Unit::Primitive(_, other, _) if *other == name)) {
                list.push(Unit::Primitive(b'[', name, value));
            }
        }
        if !list.is_empty() {
            units.push(Unit::Open(b'=', String::new(), list));
        }
        for unit in content {
            let is_text = |unit: Option<&Unit>| matches!(unit, Some(Unit::Primitive(b'[', ..)));
            if !(is_text(units.last()) && is_text(Some(&unit))) {
                units.push(unit);
            }
        }
        Unit::Open(b'<', name, units)
    };
    let attributes = || vec((name(), prop_oneof![text(), Just(String::new())]), 0..4);
    let empty = (name(), attributes()).prop_map(move |(name, attributes)| make(name, attributes, vec![]));
    empty.prop_recursive(4, 40, 6, move |inner| {
        (name(), attributes(), vec(prop_oneof![leaf(), inner], 0..6))
            .prop_map(move |(name, attributes, content)| make(name, attributes, content))
    })
}

/// Anything at all, mostly no XML.
fn anything() -> impl Strategy<Value = Unit> {
    let name = || prop_oneof![4 => Just(String::new()), 4 => name(), 1 => "[ -~]{0,3}"];
    let value = prop_oneof![
        text(),
        Just(String::new()),
        "\\PC{0,4}",
        "a \\[<!ATTLIST b c (CDATA|ID) '[a ]{0,2}'>\\]",
        Just("a".to_owned())
    ];
    let leaf = (prop::sample::select(&b"[[[]+?!"[..]), name(), value).prop_map(|(kind, name, value)| {
        let name = if kind == b'[' && name.len() % 2 == 0 { String::new() } else { name };
        Unit::Primitive(kind, name, value)
    });
    leaf.prop_recursive(4, 24, 5, move |inner| {
        (prop::sample::select(&b"<<<<=@"[..]), name(), vec(inner, 0..5)).prop_map(|(kind, name, content)| {
            Unit::Open(kind, if kind == b'=' { String::new() } else { name }, content)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(600) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn elements_round_trip(root in element()) {
        if !matches!(&root, Unit::Open(_, name, _) if name.is_empty()) {
            prop_assert!(round_trip(&[root]) );
        }
    }

    #[test]
    fn documents_round_trip(before in vec(leaf(), 0..3), root in element(), after in vec(leaf(), 0..3)) {
        let outside = |unit: &Unit| matches!(unit, Unit::Primitive(b'+' | b'?', ..));
        let mut all: Vec<_> = before.into_iter().filter(outside).collect();
        all.push(root);
        all.extend(after.into_iter().filter(outside));
        let all = if all.len() == 1 { all.remove(0) } else { Unit::Open(b'=', String::new(), all) };
        prop_assert!(round_trip(&[all]));
    }

    #[test]
    fn what_is_made_by_hand_round_trips_or_is_refused(roots in vec(anything(), 1..3)) {
        round_trip(&roots);
    }

    #[test]
    fn rewriting_twice_changes_nothing(text in "(<a>|</a>|<b c='d'/>|&lt;|x|\r\n|<!--y-->|<![CDATA[z]]>|<\\?p q\\?>){0,12}") {
        let text = format!("<r>{text}</r>");
        if let Ok(once) = rewritten(text.as_bytes()) {
            prop_assert_eq!(rewritten(&once).unwrap(), once);
        }
    }
}

#[test]
fn what_has_no_place_for_a_name_is_refused_with_one() {
    for kind in *b"[]+?!" {
        let name = |name: &str| Unit::Primitive(kind, name.to_owned(), "a".to_owned());
        let element = |content| Unit::Open(b'<', "a".to_owned(), content);
        let around = |leaf| match kind {
            b'[' | b']' => element(vec![leaf]),
            _ => Unit::Open(b'=', String::new(), vec![leaf, element(vec![])]),
        };
        assert!(round_trip(&[around(name(""))]), "{}", char::from(kind));
        assert!(!round_trip(&[around(name("b"))]), "{}", char::from(kind));
    }
}

#[test]
fn a_list_around_the_root_element_alone_is_read_back_without() {
    let element = || Unit::Open(b'<', "a".to_owned(), vec![]);
    let list = |all| Unit::Open(b'=', String::new(), all);
    assert!(round_trip(&[list(vec![element()])]));
    assert!(!round_trip(&[list(vec![list(vec![element()])])]));
    let comment = Unit::Primitive(b'+', String::new(), "b".to_owned());
    assert!(round_trip(&[list(vec![element(), comment])]));
}

#[test]
fn a_cdata_section_that_holds_its_end_becomes_two() {
    let mut table = Table::new();
    let mut builder = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
    builder.open(b'<', b"a").unwrap();
    builder.primitive(b']', b"", b"x]]>y").unwrap();
    builder.close().unwrap();
    builder.finish().unwrap();
    let out = xml::write(&table.document(b"", TypeSet::XML), &Options::default()).unwrap();
    assert_eq!(out, b"<a><![CDATA[x]]]]><![CDATA[>y]]></a>");
}

fn pretty(text: &str) -> String {
    let mut table = Table::new();
    let document = xml::read(text.as_bytes(), &Options::default(), &mut table).unwrap();
    let out = xml::write(&document, &Options::default().with_pretty(true)).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn pretty_indents_what_holds_no_text() {
    assert_eq!(
        pretty("<!--c--><a><b k='v'><c/>\n\n<c/></b><d>text <e><f/></e></d><g> </g><?p?></a><!--e-->"),
        "<!--c-->\n<a>\n  <b k=\"v\">\n    <c/>\n    <c/>\n  </b>\n  <d>text <e><f/></e></d>\n  <g> </g>\n  <?p?>\n</a>\n<!--e-->"
    );
    assert_eq!(
        pretty("<a><b xml:space='preserve'><c/></b><d><e/></d></a>"),
        "<a>\n  <b xml:space=\"preserve\"><c/></b>\n  <d>\n    <e/>\n  </d>\n</a>"
    );
}

#[test]
fn pretty_documents_stay_pretty() {
    let Some(cases) = suite() else { return };
    for case in cases {
        if let Ok(text) = rewritten(&case.input()) {
            let once = pretty(str::from_utf8(&text).unwrap());
            assert_eq!(pretty(&once), once, "{}", case.id);
        }
    }
}

#[test]
fn json_is_exported_under_the_conventions() {
    for (json, expected) in [
        ("17", "<e0s1>17</e0s1>"),
        ("\"\"", "<e0s1/>"),
        (
            r#"{"a":{"b":[1,[true,null],{}]},"c":"x<\u00e9\n"}"#,
            "<e0s1><a><b><e2s1>1</e2s1><e2s1><e3s2>true</e3s2><e3s2>null</e3s2></e2s1><e2s1/></b></a><c>x&lt;\u{e9}\n</c></e0s1>",
        ),
        (
            r#"{"64th":1,"a b":2,"":3,"x:y":4,"\u00e9":5,"-":6,"\udbff\udffd":7}"#,
            "<e0s1><u00364th>1</u00364th><au0020b>2</au0020b><e1s3>3</e1s3><xu003Ay>4</xu003Ay><\u{e9}>5</\u{e9}><u002D>6</u002D><uDBFFuDFFD>7</uDBFFuDFFD></e0s1>",
        ),
    ] {
        for types in [text::json::Types::Json, text::json::Types::Value] {
            let mut table = Table::new();
            let options = text::json::Options::default().with_types(types);
            let document = text::json::read(json.as_bytes(), &options, &mut table).unwrap();
            let out = xml::write(&document, &Options::default()).unwrap();
            assert_eq!(String::from_utf8(out.clone()).unwrap(), expected);
            xml::read(&out, &Options::default(), &mut Table::new()).unwrap();
        }
    }
    let mut table = Table::new();
    let document = text::json::read(br#"{"a":["x","\u0001"]}"#, &Default::default(), &mut table).unwrap();
    let error = xml::append(&document, &Options::default(), &mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unsupported at byte 0 in /a/1: found the character U+0001, expected a character that XML allows"
    );
}

/// Section 5.3.4 of the paper: "The form of an empty XML element is optionally selectable"; so are the sequences that end lines.
#[test]
fn empty_elements_and_line_ends_have_the_form_that_is_asked_for() {
    let text = "<!DOCTYPE a [\n<!ELEMENT a ANY>]>\n<!--c\nd--><a k=\"1&#10;2\"><b/>x\n<![CDATA[\n]]><?p q\nr?>&#13;\n<b k=\"\"/></a>";
    let mut table = Table::new();
    let document = xml::read(text.as_bytes(), &Options::default(), &mut table).unwrap();
    let written = |options: &Options| String::from_utf8(xml::write(&document, options).unwrap()).unwrap();
    let plain = written(&Options::default());
    let options = Options::default().with_empty_tags(EmptyTags::Pair).with_line_ends(LineEnds::CrLf);
    let expected = "<!DOCTYPE a [\r\n<!ELEMENT a ANY>]><!--c\r\nd--><a k=\"1&#10;2\"><b></b>x\r\n<![CDATA[\r\n]]><?p q\r\nr?>&#13;\
                    \r\n<b k=\"\"></b></a>";
    assert_eq!(written(&options), expected);
    // Both read back as the same document.
    let mut table_back = Table::new();
    let back = xml::read(expected.as_bytes(), &Options::default(), &mut table_back).unwrap();
    assert_eq!(String::from_utf8(xml::write(&back, &Options::default()).unwrap()).unwrap(), plain);

    let mut out = b"kept\n".to_vec();
    let mut table = Table::new();
    let document = xml::read(b"<a><b/><c/></a>", &Options::default(), &mut table).unwrap();
    xml::append(&document, &options.with_pretty(true), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "kept\n<a>\r\n  <b></b>\r\n  <c></c>\r\n</a>");

    let document = text::json::read(br#"{"a":"","b":[],"c":"x\ny"}"#, &Default::default(), &mut table).unwrap();
    let out = xml::write(&document, &options).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "<e0s1><a></a><b></b><c>x\r\ny</c></e0s1>");
}

/// Section 3.2.2 of the paper: "Optionally, the names can be unique by including the sequence number of the array element."
#[test]
fn json_export_can_number_the_items_of_arrays() {
    let mut table = Table::new();
    let json = br#"[1,[2,{"a":[],"b":3}],"",[4]]"#;
    let document = text::json::read(json, &Default::default(), &mut table).unwrap();
    let out = xml::write(&document, &Options::default().with_numbered_items(true)).unwrap();
    // The inner arrays are second and fourth on level 1; members keep their names.
    let expected = "<e0s1><e0s1i1>1</e0s1i1><e0s1i2><e1s2i1>2</e1s2i1><e1s2i2><a/><b>3</b></e1s2i2></e0s1i2><e0s1i3/>\
                    <e0s1i4><e1s4i1>4</e1s4i1></e0s1i4></e0s1>";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn json_export_can_be_indented() {
    let mut table = Table::new();
    let document = text::json::read(br#"{"a":[1,2],"b":{}}"#, &Default::default(), &mut table).unwrap();
    let out = xml::write(&document, &Options::default().with_pretty(true)).unwrap();
    let expected = "<e0s1>\n  <a>\n    <e1s1>1</e1s1>\n    <e1s1>2</e1s1>\n  </a>\n  <b/>\n</e0s1>";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn encodings_hold_the_same_document() {
    let text = "<a b='\u{e9}'>\u{e0}\r\n\u{ff}<!--\u{a0}--></a>";
    let mut table = Table::new();
    let expected = units(&xml::read(text.as_bytes(), &Options::default(), &mut table).unwrap());
    let mark = |text: &str| format!("\u{FEFF}{text}");
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let declared = |name: &str| format!("<?xml version='1.0' encoding='{name}'?>");
    for bytes in [
        mark(text).into_bytes(),
        mark(&(declared("utf-8") + text)).into_bytes(),
        mark(text).encode_utf16().flat_map(u16::to_le_bytes).collect(),
        mark(&(declared("UTF-16") + text)).encode_utf16().flat_map(u16::to_be_bytes).collect(),
        (declared("UTF-16LE") + text).encode_utf16().flat_map(u16::to_le_bytes).collect(),
        [declared("iso-8859-1").as_bytes(), &latin].concat(),
    ] {
        let mut table = Table::new();
        let document = xml::read(&bytes, &Options::default(), &mut table).unwrap();
        assert_eq!(units(&document), expected);
        let out = xml::write(&document, &Options::default()).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), text.replace('\'', "\"").replace("\r\n", "\n"));
    }
}

#[test]
fn names_and_values_stay_in_the_input() {
    let text = b"\xEF\xBB\xBF<?xml version='1.0'?><a b='c'>d\r\n<![CDATA[e]]>\r\n f<?g h?></a>";
    let mut table = Table::new();
    let document = xml::read(text, &Options::default(), &mut table).unwrap();
    let (message, beside) = document.texts();
    assert_eq!(message, text);
    // Only what is not in the input as it should be read: one text with a line end, an instruction.
    assert_eq!(beside, b"d\ng h");
}
