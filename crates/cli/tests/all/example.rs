//! `example`: valid messages of a schema; and how the type of messages is found.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::path::Path;

use crate::program::{Place, sample};

const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
T ::= SEQUENCE { n INTEGER (3..7), s IA5String (SIZE (2..4)) (FROM (\"A\"..\"C\")) OPTIONAL, l SEQUENCE (SIZE (1..2)) OF BOOLEAN,
    e ENUMERATED { one, two }, ..., late BOOLEAN }
Tree ::= SEQUENCE { leaf NULL, more SEQUENCE OF Tree OPTIONAL }
Never ::= SEQUENCE { again Never }
END";

/// An object set by X.681: the number selects the type.
const OBJECTS: &str = "O DEFINITIONS AUTOMATIC TAGS ::= BEGIN
P ::= CLASS { &id INTEGER UNIQUE, &Value } WITH SYNTAX { ID &id TYPE &Value }
Set P ::= { { ID 4 TYPE INTEGER (0..9) } | { ID 700 TYPE BOOLEAN } | { ID 9 TYPE UTF8String (SIZE (1..3)) } }
M ::= SEQUENCE OF SEQUENCE { id P.&id ({Set}), value P.&Value ({Set}{@.id}) }
END";

fn example(here: &Place, arguments: &[&str]) -> String {
    here.run(&[&["example"], arguments].concat()).done().text().to_owned()
}

/// The ends of what the constraints allow.
#[test]
fn the_largest_and_the_smallest_are_at_the_ends_of_the_types() {
    let here = Place::new();
    here.file("m.asn1", MODULE);
    let of = |more: &[&str]| example(&here, &[&["-s", "m.asn1", "--root", "T"], more].concat());
    assert_eq!(of(&["--smallest"]), "{\"n\":3,\"l\":[false],\"e\":\"one\"}\n");
    let largest = of(&["--largest"]);
    assert!(
        largest.starts_with("{\"n\":7,\"s\":\"")
            && largest.ends_with(",\"l\":[true,true],\"e\":\"two\",\"late\":true}\n"),
        "{largest}"
    );
    // By X.691: no extension, no s, 000, one component: 0, FALSE, one.
    assert_eq!(of(&["--smallest", "-t", "uper", "--to-framing", "hex-lines"]), "00\n");
    assert_eq!(of(&["--smallest", "-t", "asn1"]), "{\n  n 3,\n  l { FALSE },\n  e one\n}\n");
}

#[test]
fn a_seed_makes_the_same_message_in_every_format() {
    let here = Place::new();
    let module = sample("weather.asn1");
    let json = |seed: &str| example(&here, &["-s", &module, "--seed", seed]);
    assert!(json("1") == json("1") && json("1") != json("2"));
    for format in ["uper", "aper", "ber", "der", "cer", "oer", "coer", "xer", "cxer", "asn1", "tsf", "pon"] {
        let made = format!("x.{format}");
        here.run(&["example", "-s", &module, "--seed", "2", "-t", format, "-o", &made]).done();
        here.run(&["check", &made, "-f", format, "-s", &module]).done();
        let schema = ["-s", &module];
        let schema = if matches!(format, "tsf" | "pon") { &[] } else { &schema[..] };
        let back = here.run(&[&["convert", &made, "-f", format, "-t", "json"], schema].concat()).done();
        assert_eq!(back.text(), json("2"), "{format}");
    }
    let line = here.run(&["example", "-s", &module, "-o", "y.uper", "--json"]).done().lines();
    assert_eq!(
        (&line[0]["to"], line[0]["output_bytes"].as_u64()),
        (&"uper".into(), Some(here.read("y.uper").len() as u64))
    );
    assert!(example(&here, &["-s", &module, "--pretty"]).contains("\n  \"station\""));
}

#[test]
fn types_that_refer_to_themselves_end() {
    let here = Place::new();
    here.file("m.asn1", MODULE);
    for seed in 0..40 {
        let text = example(&here, &["-s", "m.asn1", "--root", "Tree", "--seed", &seed.to_string()]);
        assert!(text.len() < 100_000);
    }
    assert!(example(&here, &["-s", "m.asn1", "--root", "Tree", "--largest"]).len() < 100_000);
    let run = here.run(&["example", "-s", "m.asn1", "--root", "Never"]);
    let words = "error: the schema: no value of Never ends, or it holds a type that several components select\n";
    assert_eq!((run.status, run.err.as_str()), (1, words));
}

/// The value is of the type that its number selects, which the reader checks.
#[test]
fn values_of_open_types_fit_their_identifiers() {
    let here = Place::new();
    here.file("o.asn1", OBJECTS);
    let mut seen = String::new();
    for seed in 0..30 {
        let seed = seed.to_string();
        here.run(&["example", "-s", "o.asn1", "--seed", &seed, "-o", "x.aper"]).done();
        here.run(&["check", "x.aper", "-s", "o.asn1", "-q"]).done();
        seen += here.run(&["convert", "x.aper", "-s", "o.asn1", "-t", "asn1"]).done().text();
    }
    for id in ["id 4,", "id 9,", "id 700,"] {
        assert!(seen.contains(id), "{id}");
    }
}

/// Identifiers may be object identifiers, and DER has no component that equals its default.
#[test]
fn object_identifiers_select_types() {
    let here = Place::new();
    let module = "O DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        P ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Value } WITH SYNTAX { ID &id TYPE &Value }
        Set P ::= { { ID { 2 999 4 } TYPE INTEGER (0..9) } | { ID { 2 999 5 } TYPE BOOLEAN } }
        M ::= SEQUENCE { id P.&id ({Set}), last BOOLEAN DEFAULT FALSE, value P.&Value ({Set}{@id}) }
        S ::= OCTET STRING (SIZE (2..4)) (CONTAINING SEQUENCE OF OCTET STRING)
        END";
    here.file("o.asn1", module);
    let mut seen = String::new();
    for seed in 0..30 {
        let seed = seed.to_string();
        here.run(&["example", "-s", "o.asn1", "--root", "M", "--seed", &seed, "-o", "x.der"]).done();
        let json =
            here.run(&["convert", "x.der", "-s", "o.asn1", "--root", "M", "-t", "json"]).done().text().to_owned();
        assert!(!json.contains("\"last\":false"), "{json}");
        seen += &json;
        // The content fits in the size.
        let content =
            here.run(&["example", "-s", "o.asn1", "--root", "S", "--seed", &seed, "-t", "ber", "-o", "s.ber"]);
        content.done();
        assert!((4..=6).contains(&here.read("s.ber").len()));
    }
    assert!(seen.contains("\"2.999.4\",") && seen.contains("\"2.999.5\",") && seen.contains("\"last\":true"), "{seen}");
}

/// X.682 clause 10: all components that a set constrains have the values of one row, also in what a string contains.
#[test]
fn components_of_one_set_are_of_one_row() {
    let here = Place::new();
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        C ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &kind ENUMERATED { a, b, c }, &name UTF8String, &Type }
            WITH SYNTAX { &id &kind &name &Type }
        Set C ::= { { {1 2 3} b \"three\" INTEGER } | { {1 2 4} c \"four\" SEQUENCE { n INTEGER } }, ... }
        M ::= SEQUENCE { name C.&name ({Set}{@id}), id C.&id ({Set}), kind C.&kind ({Set}{@id}) OPTIONAL,
            v OCTET STRING (CONTAINING C.&Type ({Set}{@id})) }
        END";
    here.file("m.asn1", module);
    for seed in 0..test_support::rounds(30) {
        let seed = seed.to_string();
        for format in ["uper", "der", "xer", "json", "asn1"] {
            here.run(&["example", "-s", "m.asn1", "--seed", &seed, "-t", format, "-o", "x"]).done();
            let run = here.run(&["check", "x", "-f", format, "-s", "m.asn1", "--json"]).done();
            let line = &run.lines()[0];
            assert!(
                line["unlike_rows"].is_null() && line["undecoded"].is_null() && line["unknown"].is_null(),
                "{line}"
            );
        }
    }
}

/// Twice as many values with each type.
#[test]
fn examples_that_cannot_be_small_are_refused_at_once() {
    let here = Place::new();
    let types = (0..40).map(|n| format!("A{n} ::= SEQUENCE {{ a A{m}, b A{m} }} ", m = n + 1)).collect::<String>();
    here.file("m.asn1", format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} A40 ::= NULL END"));
    let run = here.run(&["example", "-s", "m.asn1", "--root", "A0"]);
    let words =
        "error: the schema: limit: found at least 2199023255551 values, expected at most 1048576 in an example\n";
    assert_eq!((run.status, run.err.as_str()), (1, words));
}

#[test]
fn published_modules_have_examples() {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/asn1tools");
    if !modules.exists() {
        return test_support::skipped("the modules of asn1tools are missing");
    }
    let here = Place::new();
    for (file, root, format) in [
        ("3gpp/s1ap_14_4_0.asn", "S1AP-PDU", "aper"),
        ("3gpp/lpp_14_3_0.asn", "LPP-Message", "uper"),
        ("ietf/rfc4511.asn", "LDAPMessage", "ber"),
    ] {
        let module = modules.join(file).to_str().unwrap().to_owned();
        for seed in ["0", "1", "2"] {
            let arguments = ["-s", &module, "--root", root, "-q"];
            here.run(&[&["example", "--seed", seed, "-t", format, "-o", "x"], &arguments[..]].concat()).done();
            let run = here.run(&[&["check", "x", "-f", format, "--json"], &arguments[..]].concat()).done();
            assert!(run.lines()[0]["unlike_rows"].is_null(), "{file} {seed}: {}", run.text());
        }
    }
}

/// XSD Part 2 sections 3.2.6 to 3.2.14, and `pattern` (4.3.4): an independent grammar of each is the validator's, which reads the
/// message back.
#[test]
fn times_and_patterns_of_xml_schemas_are_made() {
    let here = Place::new();
    let types = ["date", "dateTime", "time", "duration", "gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay"];
    for ty in types {
        let schema = format!(
            r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a" type="xs:{ty}"/></xs:schema>"#
        );
        here.file("t.xsd", schema);
        for seed in ["0", "1", "2"] {
            here.file("a.xml", example(&here, &["-s", "t.xsd", "-t", "xml", "--seed", seed]));
            here.run(&["check", "a.xml", "-s", "t.xsd"]).done();
        }
    }
    let patterns = [
        "[0-9]{4}-[A-Z]{2,}",
        r"\d+(\.\d)?",
        "a|b&amp;&lt;",
        "(x(y[zZ])*){3}",
        "[^a-z]&quot;--/*",
        r"[A-Z]{2}\d{3}[^\s]?",
    ];
    for pattern in patterns {
        let schema = format!(
            r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:simpleType>
                <xs:restriction base="xs:string"><xs:pattern value="{pattern}"/></xs:restriction></xs:simpleType></xs:element></xs:schema>"#
        );
        here.file("p.xsd", schema).file("a.xml", example(&here, &["-s", "p.xsd", "-t", "xml"]));
        here.run(&["check", "a.xml", "-s", "p.xsd"]).done();
    }
    here.file("o.xml", example(&here, &["-s", &sample("order.xsd"), "-t", "xml"]));
    here.run(&["check", "o.xml", "-s", &sample("order.xsd")]).done();
}

#[test]
fn options_that_do_not_apply_are_refused() {
    let here = Place::new();
    here.file("m.asn1", MODULE);
    let root = ["-s", "m.asn1", "--root", "T"];
    for (arguments, words) in [
        (&[][..], "`example` needs a schema: name one with -s"),
        (
            &["-s", "m.asn1"],
            "the schema has 3 types that no other refers to: T, Tree, Never: select the type of the messages with --root",
        ),
        (
            &[&root[..], &["--json"]].concat(),
            "--json prints the result on standard output: name a file for the message with -o OUTPUT",
        ),
        (&[&root[..], &["-f", "ber"]].concat(), "--from is for reading messages, but this writes json"),
        (&[&root[..], &["--to-framing", "ber"]].concat(), "--to-framing ber is for ber, but the format is json"),
        (
            &[&root[..], &["-t", "uper", "--pretty"]].concat(),
            "--pretty is for writing XML, JSON or XER, but this writes uper",
        ),
    ] {
        let run = here.run(&[&["example"], arguments].concat());
        assert_eq!((run.status, run.err), (2, format!("error: {words}\n")), "{arguments:?}");
    }
    for arguments in [&["--hex"][..], &["--largest", "--smallest"], &["--seed", "x"], &["x.json"]] {
        assert_eq!(here.run(&[&["example"], &root[..], arguments].concat()).status, 2, "{arguments:?}");
    }
}

#[test]
fn the_root_is_what_the_first_file_leaves_open() {
    let here = Place::new();
    here.file("a.asn1", "A DEFINITIONS ::= BEGIN IMPORTS U FROM B; Message ::= SEQUENCE { u U } END");
    here.file("b.asn1", "B DEFINITIONS ::= BEGIN U ::= BOOLEAN Other ::= INTEGER END");
    assert_eq!(example(&here, &["-s", "a.asn1", "-s", "b.asn1", "--smallest"]), "{\"u\":false}\n");
    let run = here.run(&["example", "-s", "b.asn1", "-s", "a.asn1"]);
    assert_eq!(example(&here, &["-s", "b.asn1", "-s", "a.asn1", "--root", "Message", "--smallest"]), "{\"u\":false}\n");
    assert_eq!((run.status, run.text().trim().parse::<i64>().is_ok()), (0, true));
    // In a directory no file is the first.
    here.file("d/a.asn1", here.read("a.asn1")).file("d/b.asn1", here.read("b.asn1"));
    assert_eq!(here.run(&["example", "-s", "d"]).status, 2);
    for (name, words) in [
        ("Mesage", "error: --root: type Mesage not found (similar: Message)\n"),
        ("message", "error: --root: type message not found (similar: Message)\n"),
        ("A.Messages", "error: --root: type A.Messages not found (similar: Message)\n"),
        ("Zzz", "error: --root: type Zzz not found\n"),
    ] {
        let run = here.run(&["example", "-s", "a.asn1", "-s", "b.asn1", "--root", name]);
        assert_eq!((run.status, run.err.as_str()), (2, words));
    }
}
