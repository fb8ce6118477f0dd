//! Every verb of `lengthwise` on values of a schema.
#![allow(clippy::unusual_byte_groupings)] // Groups are fields.

use serde_json::{Value, json};

use crate::program::{Place, sample};

/// Small enough to work its messages out by hand.
const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
T ::= SEQUENCE { a INTEGER (0..15), b BOOLEAN OPTIONAL, c CHOICE { x NULL, y UTF8String }, ... }
END
";

const JSON: &str = "{\"a\":5,\"c\":{\"y\":\"é\"}}\n";

/// By X.691: no extension, no b, 0101, the second alternative, one octet of length, two of text, a
/// bit left over.
const UPER: &[u8] = &[0b0_0_0101_1_0, 0b0000010_1, 0x87, 0x52];

/// By X.691 with the length and the text at whole octets.
const APER: &[u8] = &[0b0_0_0101_1_0, 0x02, 0xC3, 0xA9];

/// By X.690; the CHOICE is in a tag of its own.
const BER: &[u8] = &[0x30, 9, 0x80, 1, 5, 0xA2, 4, 0x81, 2, 0xC3, 0xA9];

/// By X.690 clause 9: with indefinite lengths.
const CER: &[u8] = &[0x30, 0x80, 0x80, 1, 5, 0xA2, 0x80, 0x81, 2, 0xC3, 0xA9, 0, 0, 0, 0];

/// By X.696: a preamble, the number, the tag of the alternative, one octet of length, two of text.
const OER: &[u8] = &[0, 5, 0x81, 2, 0xC3, 0xA9];

fn place() -> Place {
    let here = Place::new();
    here.file("m.asn1", MODULE).file("t.json", JSON);
    here.file("t.uper", UPER).file("t.aper", APER).file("t.ber", BER);
    here
}

#[test]
fn values_become_every_format_and_come_back() {
    let here = place();
    for (name, bytes) in
        [("uper", UPER), ("aper", APER), ("ber", BER), ("der", BER), ("cer", CER), ("oer", OER), ("coer", OER)]
    {
        let made = format!("made.{name}");
        here.run(&["convert", "t.json", "-s", "m.asn1", "-t", name, "-o", &made]).done();
        assert_eq!(here.read(&made), bytes, "{name}");
        let back = here.run(&["convert", &made, "-s", "m.asn1", "-t", "json"]).done();
        assert_eq!(back.text(), JSON);
        for other in ["uper", "aper", "ber", "der", "cer", "oer", "coer", "xer", "cxer", "asn1", "tsf", "pon"] {
            let there = here.run(&["convert", &made, "-s", "m.asn1", "-t", other]).done().out;
            let back = here.run_with(&["convert", "-", "-f", other, "-s", "m.asn1", "-t", name], &there).done();
            assert_eq!(back.out, bytes, "{name} by way of {other}");
        }
    }
    let notation = here.run(&["convert", "t.uper", "-s", "m.asn1", "-t", "asn1"]).done();
    assert_eq!(notation.text(), "{\n  a 5,\n  c y : \"é\"\n}\n");
    here.file("t.asnv", "t T ::= { -- five -- a 5, c y : \"é\" }");
    assert_eq!(here.run(&["convert", "t.asnv", "-s", "m.asn1", "-t", "uper"]).done().out, UPER);
}

/// Notation that names its type needs no root.
#[test]
fn the_root_is_given_by_name_or_by_the_notation() {
    let here = place();
    here.file("two.asn1", "M DEFINITIONS ::= BEGIN A ::= INTEGER (0..255) B ::= BOOLEAN END");
    here.file("a.asnv", "a A ::= 7");
    assert_eq!(here.run(&["convert", "a.asnv", "-s", "two.asn1", "-t", "uper"]).done().out, [7]);
    let root = ["convert", "-", "-f", "json", "-t", "uper", "-s", "two.asn1", "--root"];
    assert_eq!(here.run_with(&[&root[..], &["M.B"]].concat(), b"true").done().out, [0x80]);
    let run = here.run(&["check", "t.uper", "-s", "two.asn1"]);
    let words =
        "error: the schema has 2 types that no other refers to: A, B: select the type of the messages with --root\n";
    assert_eq!((run.status, run.err.as_str()), (2, words));
    for (arguments, words) in [
        (&["check", "t.uper", "-s", "m.asn1", "--root", "U"][..], "error: --root: type U not found\n"),
        (&["check", "t.json", "--root", "U"], "error: --root needs a schema: name one with -s\n"),
    ] {
        let run = here.run(arguments);
        assert_eq!((run.status, run.err.as_str()), (2, words));
    }
}

#[test]
fn modules_import_from_each_other() {
    let here = place();
    here.file("n.asn1", "N DEFINITIONS ::= BEGIN IMPORTS T FROM M; List ::= SEQUENCE OF T END");
    let list = "[{\"a\":5,\"c\":{\"x\":null}}]";
    let both = ["-s", "n.asn1", "-s", "m.asn1"];
    let message = here.run_with(&[&["convert", "-", "-t", "uper"][..], &both].concat(), list.as_bytes()).done();
    assert_eq!(message.out, [0x01, 0b0_0_0101_0_0]);
    let run = here.run(&["check", "t.uper", "-s", "n.asn1"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.starts_with(
            "error: n.asn1: schema at byte 63 (line 1, column 64) in N: module M not found, from which T is imported"
        ),
        "{}",
        run.err
    );
}

/// The value of an open type that its identifier does not select has a path, and no place in the text.
#[test]
fn an_error_without_a_place_shows_none() {
    let here = Place::new();
    here.file(
        "m.asn1",
        "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
         C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id IS &Type }
         Known C ::= { {1 IS Word} | {2 IS Way} | {3 IS Turn} } Word ::= UTF8String Way ::= BOOLEAN
         Turn ::= [UNTAGGED] CHOICE { left NULL, right NULL }
         Msg ::= SEQUENCE { id C.&id ({Known}), value C.&Type ({Known}{@id}) }
         ENCODING-CONTROL XER GLOBAL-DEFAULTS MODIFIED-ENCODINGS END",
    );
    // The values of a type without an element of its own have no place.
    here.file("m.xml", "<Msg><id>1</id><value><left/></value></Msg>");
    let run = here.run(&["convert", "m.xml", "-s", "m.asn1", "-o", "m.uper"]);
    let words = "found a value of Turn, expected the type that the identifier selects: Word";
    assert_eq!((run.status, run.err), (1, format!("error: m.xml: schema in /value: {words}\n")));
    here.file("m.xml", "<Msg><id>1</id><value>\n  <Way>true</Way></value></Msg>");
    let run = here.run(&["convert", "m.xml", "-s", "m.asn1", "-o", "m.uper", "-q"]);
    let words = "found a value of Way, expected the type that the identifier selects: Word";
    let place = "schema at byte 25 (line 2, column 3) in /Msg/value/Way";
    assert_eq!((run.status, run.err), (1, format!("error: m.xml: {place}: {words}\n")));
}

#[test]
fn without_a_schema_nothing_is_read_or_written() {
    let here = place();
    for arguments in [
        &["check", "t.uper"][..],
        &["get", "t.uper", "/a"],
        &["inspect", "t.uper"],
        &["convert", "t.json", "-t", "uper"],
        &["convert", "t.uper", "-t", "json"],
    ] {
        let run = here.run(arguments);
        let words = "uper needs a schema: name one with -s SCHEMA.asn1 or SCHEMA.xsd (for an infoset use infoset-uper)";
        assert_eq!((run.status, run.err), (2, format!("error: {words}\n")), "{arguments:?}");
    }
    let run = here.run(&["check", "-", "-f", "asn1"]);
    assert_eq!(run.err, "error: asn1 needs a schema: name one with -s SCHEMA.asn1 or SCHEMA.xsd\n");
    here.run(&["compare", "t.json", "--time", "0"]).done();
}

/// X.680 clause 13.1 has the END, and 12.1 has the characters of notation.
#[test]
fn modules_that_are_not_right_are_read_with_notes() {
    let here = Place::new();
    here.file("a.asn1", "A DEFINITIONS ::= BEGIN\nT ::= INTEGER\n")
        .file("b.asn1", b"B DEFINITIONS ::= BEGIN -- f\xFCr\nEND");
    let notes = "note: a.asn1: module A ends without END (line 3)\nnote: b.asn1: comments have octets that are not UTF-8 \
                 (line 1)\n";
    let both = ["-s", "a.asn1", "-s", "b.asn1"];
    here.file("t.json", "7");
    for arguments in
        [&["check", "t.json"][..], &["convert", "t.json", "-t", "ber"], &["schema", "a.asn1", "-s", "b.asn1"]]
    {
        let more = if arguments[0] == "schema" { &[][..] } else { &both[..] };
        assert_eq!(here.run(&[arguments, more].concat()).err, notes, "{arguments:?}");
        assert_eq!(here.run(&[arguments, more, &["-q"]].concat()).done().err, "");
    }
}

/// A certificate on standard input, or in a file of any name.
#[test]
fn der_is_found_by_its_first_bytes() {
    let here = Place::new();
    let pem = std::fs::read_to_string(sample("certificate.pem")).unwrap();
    here.file("c.pem", pem);
    let module = sample("certificate.asn1");
    here.run(&["convert", "c.pem", "-s", &module, "-o", "c.der"]).done();
    let der = here.read("c.der");
    here.file("c.p12", &der);
    let serial = here.run(&["get", "c.pem", "/tbsCertificate/serialNumber", "-s", &module]).done().text().to_owned();
    assert_eq!(here.run(&["get", "c.p12", "/tbsCertificate/serialNumber", "-s", &module]).done().text(), serial);
    let piped = here.run_with(&["get", "-", "/tbsCertificate/serialNumber", "-s", &module], &der).done();
    assert_eq!(piped.text(), serial);
}

/// X.680 clause 25: what a later version has put after the extension marker, in PER, OER and BER.
#[test]
fn extensions_that_are_passed_over_are_reported() {
    let here = Place::new();
    here.file("old.asn1", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a BOOLEAN, ... } END");
    here.file(
        "new.asn1",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a BOOLEAN, ..., b NULL, c INTEGER } END",
    );
    here.file("t.json", r#"{"a":true,"b":null,"c":5}"#);
    for format in ["uper", "aper", "ber", "oer"] {
        here.run(&["convert", "t.json", "-s", "new.asn1", "-t", format, "-o", "t"]).done();
        let run = here.run(&["check", "t", "-f", format, "-s", "old.asn1"]);
        let note = "note: 2 extensions of later versions of the schema are passed over (1 message)\n";
        assert_eq!((run.status, &run.err[..]), (0, note), "{format}");
        let line = &here.run(&["check", "t", "-f", format, "-s", "old.asn1", "--json"]).lines()[0];
        assert_eq!(line["skipped"], 2, "{line}");
    }
}

/// RFC 5912: the algorithm of an RSA signature says nothing of what the BIT STRING has. That of another does.
#[test]
fn strings_of_rows_without_a_type_are_as_they_should_be() {
    let here = Place::new();
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        C ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Value OPTIONAL } WITH SYNTAX { &id [VALUE &Value] }
        Set C ::= { { {1 2 3} } | { {1 2 4} VALUE SEQUENCE { r INTEGER } } }
        T ::= SEQUENCE { id C.&id ({Set}), list SEQUENCE OF SEQUENCE { signature BIT STRING (CONTAINING C.&Value ({Set}{@id})) } }
        END";
    here.file("m.asn1", module);
    for (id, note) in [
        ("1.2.3", ""),
        (
            "1.2.4",
            "note: 1 string stays octets: it does not contain what the schema says (1 message; first: /list/0/signature)\n",
        ),
    ] {
        here.file("t.json", format!(r#"{{"id":"{id}","list":[{{"signature":{{"value":"FFFF","length":16}}}}]}}"#));
        here.run(&["convert", "t.json", "-s", "m.asn1", "-o", "t.der"]).done();
        let run = here.run(&["check", "t.der", "-s", "m.asn1"]);
        // The table of the identifier itself is not checked.
        let first = run.err.split("note: 1 constraint").next();
        assert_eq!((run.status, first), (0, Some(note)), "{id}");
    }
}

#[test]
fn what_is_no_schema_is_refused_where_it_is() {
    let here = place();
    here.file("s.wsdl", "").file("s.txt", " <a/>").file("s.bin", b"\xFFM");
    here.file("s.asn1", "M DEFINITIONS ::= BEGIN\nT ::= SEQUENCE { a Int }\nEND");
    here.file("v.asn1", "M DEFINITIONS ::= BEGIN\nT ::= SEQUENCE ( a INTEGER )\nEND");
    for (name, words) in [
        (
            "s.bin",
            "syntax at byte 0 (line 1, column 1): found byte 0xFF, expected UTF-8, except in comments\n  |\n1 | \u{FFFD}M\n  \
             | ^\n"
                .to_owned(),
        ),
        (
            "s.asn1",
            "schema at byte 43 (line 2, column 20) in M: Int is neither defined nor imported\n  |\n2 | T ::= SEQUENCE { a Int }\n  |                    ^\n"
                .to_owned(),
        ),
        (
            "v.asn1",
            "syntax at byte 43 (line 2, column 20) in M.T: found 'INTEGER', expected ')', or more of the constraint\n  \
             |\n2 | T ::= SEQUENCE ( a INTEGER )\n  |                    ^\n"
                .to_owned(),
        ),
    ] {
        for arguments in [&["schema", name][..], &["check", "t.uper", "-s", name]] {
            let run = here.run(arguments);
            assert_eq!((run.status, run.err), (1, format!("error: {name}: {words}")), "{arguments:?}");
        }
    }
    // What is XML is read as a schema of it.
    let run = here.run(&["schema", "s.txt"]);
    let words = "error: s.txt: schema at byte 1 (line 1, column 2): found <a>, expected <schema> of the namespace ";
    assert!(run.status == 1 && run.err.starts_with(words), "{}", run.err);
    let run = here.run(&["schema", "s.wsdl"]);
    let words =
        "error: s.wsdl: incomplete at byte 0 (line 1, column 1): found the end of the input, expected the root ";
    assert!(run.status == 1 && run.err.starts_with(words), "{}", run.err);
    let run = here.run_with(&["schema", "-"], b"<a/>");
    let words = "error: standard input: unsupported at byte 0: found an XML document, expected an ASN.1 module\nhint: ";
    assert!(run.status == 1 && run.err.starts_with(words), "{}", run.err);
    let run = here.run(&["check", "t.uper", "-s", "none.asn1"]);
    assert_eq!(run.status, 3);
    // A module is no message.
    let run = here.run(&["check", "m.asn1"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.ends_with("hint: this is a schema (ASN.1): name it with -s, or print it with `lengthwise schema`\n")
    );
}

#[test]
fn inspect_shows_what_each_bit_is_for() {
    let here = place();
    let rows = |name: &str| here.run(&["inspect", name, "-s", "m.asn1"]).done().text().to_owned();
    let uper = [
        "bit  bits  octets    part       type        path  value",
        "  0     1  16        extension  SEQUENCE    /",
        "  1     1  16        presence   SEQUENCE    /",
        "  2     4  16        value      INTEGER     /a    5",
        "  6     1  16        index      CHOICE      /c    y",
        "  7     8  16 05     length     UTF8String  /c/y",
        " 15    16  05 87 52  value      UTF8String  /c/y  é",
        " 31     1  52        padding",
    ];
    assert_eq!(rows("t.uper").lines().collect::<Vec<_>>(), uper);
    let ber = [
        "bit  bits  octets  part    type        path  value",
        "  0    16  30 09   header  SEQUENCE    /",
        " 16    16  80 01   header  INTEGER     /a",
        " 32     8  05      value   INTEGER     /a    5",
        " 40    16  a2 04   header  CHOICE      /c",
        " 56    16  81 02   header  UTF8String  /c/y",
        " 72    16  c3 a9   value   UTF8String  /c/y  é",
    ];
    assert_eq!(rows("t.ber").lines().collect::<Vec<_>>(), ber);
    let lines = here.run(&["inspect", "t.uper", "-s", "m.asn1", "--json"]).done().lines();
    assert_eq!(
        lines[3],
        json!({"bit": 6, "bits": 1, "octets": "16", "part": "index", "path": "/c", "type": "CHOICE", "value": "y"})
    );
    assert_eq!(
        lines[6],
        json!({"bit": 31, "bits": 1, "octets": "52", "part": "padding", "path": null, "type": null, "value": null})
    );
}

/// Every bit belongs to something, and to one thing only.
#[test]
fn inspect_leaves_no_bit_out() {
    let here = Place::new();
    let module = sample("weather.asn1");
    for format in ["uper", "aper", "ber", "oer"] {
        let name = format!("w.{format}");
        here.run(&["convert", &sample("weather.json"), "-s", &module, "-o", &name]).done();
        let mut at = 0;
        for line in here.run(&["inspect", &name, "-s", &module, "--json"]).done().lines() {
            assert_eq!(line["bit"], at, "{format}: {line}");
            at += line["bits"].as_u64().unwrap();
        }
        assert_eq!(at, 8 * here.read(&name).len() as u64, "{format}");
    }
}

/// How far a message goes is shown even where it is at fault.
#[test]
fn inspect_shows_a_bad_message_up_to_its_fault() {
    let here = place();
    let run = here.run_with(&["inspect", "-", "-f", "uper", "-s", "m.asn1"], &UPER[..2]);
    assert_eq!((run.status, run.text().lines().count()), (1, 6));
    let words = "error: standard input: incomplete at byte 1 (bit 7) in /c/y: found the end of the input, expected 16 bits\n \
                 |\n | 16 05\n |    ^\n";
    assert!(run.err.starts_with(words), "{}", run.err);
}

#[test]
fn get_finds_values_by_the_paths_of_json() {
    let here = place();
    for name in ["t.uper", "t.aper", "t.ber"] {
        let get = |path: &str| here.run(&["get", name, path, "-s", "m.asn1"]).done().text().to_owned();
        assert_eq!(get("/c/y"), "é\n");
        assert_eq!(get("/c"), "{\"y\":\"é\"}\n");
        assert_eq!(get(""), JSON);
    }
    let run = here.run(&["get", "t.uper", "/c/x", "-s", "m.asn1"]);
    assert_eq!((run.status, run.err.as_str()), (1, "error: t.uper: no 'x' in /c\nhint: there is y\n"));
    let line = here.run(&["get", "t.uper", "/a", "-s", "m.asn1", "--json"]).done().lines();
    assert_eq!(line, [json!({"file": "t.uper", "path": "/a", "type": "integer", "value": 5})]);
}

#[test]
fn get_raw_writes_octets_of_values() {
    let here = Place::new();
    here.file(
        "o.asn1",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE OF SEQUENCE { o OCTET STRING, t UTF8String } END",
    );
    here.file("o.json", r#"[{"o":"00FF0A","t":"0A"}]"#);
    here.run(&["convert", "o.json", "-s", "o.asn1", "-o", "o.ber"]).done();
    let get = |path: &str| here.run(&["get", "o.ber", path, "-s", "o.asn1", "--raw"]);
    assert_eq!(get("/0/o").done().out, [0, 0xFF, 0x0A]);
    assert_eq!(get("/0/t").done().out, b"0A");
    let run = get("/0");
    assert!(run.status == 1 && run.err.contains("in /0: found a value that contains others"), "{}", run.err);
}

#[test]
fn check_counts_values_and_reports_what_is_wrong() {
    let here = place();
    let lines = here.run(&["check", "t.uper", "t.ber", "-s", "m.asn1", "--json"]).done().lines();
    let sound = |name: &str, format: &str| json!({"file": name, "ok": true, "format": format, "units": 4});
    assert_eq!(lines, [sound("t.uper", "uper"), sound("t.ber", "ber")]);
    here.run(&["check", "t.json", "t.uper", "-s", "m.asn1"]).done();
    here.file("long.uper", [UPER, &[0]].concat());
    let run = here.run(&["check", "long.uper", "-s", "m.asn1"]);
    let words = "error: long.uper: syntax at byte 4: found 1 byte after the value, expected the end of the message\n |\n | 16 05 \
                 87 52 00\n |             ^\n";
    assert_eq!((run.status, run.err.as_str()), (1, words));
    let run = here.run(&["check", "t.uper", "-s", "m.asn1", "--limit", "units=3"]);
    assert!(run.err.contains("expected at most 3 (limit units)"), "{}", run.err);
}

#[test]
fn invalid_values_are_shown_at_their_position() {
    let here = place();
    here.file("bad.json", "{\"a\": 5,\n  \"c\": {\"z\": null}}\n");
    let run = here.run(&["convert", "bad.json", "-s", "m.asn1", "-t", "uper"]);
    let words = "error: bad.json: schema at byte 17 (line 2, column 9) in /c: found z, expected an alternative of T.c\n  \
                 |\n2 |   \"c\": {\"z\": null}}\n  |         ^\n";
    assert_eq!((run.status, run.err.as_str()), (1, words));
    let run = here.run_with(&["convert", "-", "-f", "asn1", "-s", "m.asn1", "-t", "uper"], b"{ a 5,\n  c z : NULL }");
    assert!(run.err.contains("(line 2, column 5)") && run.err.contains("2 |   c z : NULL }"), "{}", run.err);
    let xml = here.run_with(&["convert", "-", "-s", "m.asn1", "-t", "uper"], b"<T/>");
    assert!(xml.err.contains("unsupported") && xml.err.contains("an XML document"), "{}", xml.err);
}

/// What a later version of the schema has put in stays as it is by the same rules, and goes nowhere
/// else.
#[test]
fn later_versions_stay_by_their_rules() {
    let here = Place::new();
    here.file("old.asn1", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= CHOICE { a NULL, ... } END");
    here.file("new.asn1", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= CHOICE { a NULL, ..., b INTEGER } END");
    let uper = here.run_with(&["convert", "-", "-t", "uper", "-s", "new.asn1"], b"{\"b\":17}").done();
    here.file("t.uper", &uper.out);
    let run = here.run(&["check", "t.uper", "-s", "old.asn1"]);
    let note = "note: 1 value stays octets: the schema does not know its type (1 message)\n";
    assert_eq!((run.status, run.err.as_str()), (0, note));
    here.run(&["convert", "t.uper", "-o", "same.uper", "-s", "old.asn1"]).done();
    assert_eq!(here.run(&["convert", "same.uper", "-t", "json", "-s", "new.asn1"]).done().text(), "{\"b\":17}\n");
    for format in ["json", "aper", "ber", "asn1"] {
        let run = here.run(&["convert", "t.uper", "-t", format, "-s", "old.asn1"]);
        assert_eq!(run.status, 1, "{format}");
        let words = match format {
            "json" => "an alternative of a later version of the schema",
            _ => "1 value of no type that the schema has",
        };
        assert!(run.err.contains("unsupported") && run.err.contains(words), "{}", run.err);
    }
    let rows = here.run(&["inspect", "t.uper", "-s", "old.asn1"]).done();
    assert!(rows.text().contains("number 1, of a later version"), "{}", rows.text());
}

#[test]
fn a_directory_of_messages_converts_by_one_schema() {
    let here = place();
    here.file("in/one.json", JSON).file("in/two.json", JSON).file("in/bad.json", "{}");
    let run = here.run(&["convert", "in", "-o", "out", "-t", "uper", "-s", "m.asn1", "--quiet"]);
    assert_eq!(run.status, 1);
    assert_eq!((here.read("out/one.uper"), here.read("out/two.uper")), (UPER.to_vec(), UPER.to_vec()));
    assert_eq!(run.err, "error: in/bad.json: schema at byte 0 (line 1, column 1): missing component a of T\n");
}

#[test]
fn the_only_encoding_is_written_on_request() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= SET OF INTEGER END");
    let run =
        |flags: &[&str]| here.run_with(&[&["convert", "-", "-t", "ber", "-s", "m.asn1"], flags].concat(), b"[2,1]");
    assert_eq!(run(&[]).done().out, [0x31, 6, 2, 1, 2, 2, 1, 1]);
    let canonical = run(&["--canonical"]);
    assert_eq!(canonical.out, [0x31, 6, 2, 1, 1, 2, 1, 2]);
    assert_eq!((canonical.status, canonical.err.as_str()), (0, "note: standard input: 1 order changed\n"));
}

#[test]
fn schema_prints_modules_as_they_are_understood() {
    let here = place();
    let printed = here.run(&["schema", "m.asn1"]).done().text().to_owned();
    assert!(
        printed.starts_with("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n") && printed.ends_with("\nEND\n"),
        "{printed}"
    );
    here.run(&["schema", "m.asn1", "-o", "again.asn1"]).done();
    assert_eq!(here.text("again.asn1"), printed);
    assert_eq!(here.run(&["schema", "again.asn1"]).done().text(), printed);
    here.run(&["check", "t.uper", "-s", "again.asn1"]).done();
    let lines = here.run(&["schema", &sample("weather.asn1"), "--json"]).done().lines();
    assert_eq!(lines[0], json!({"module": "Weather", "type": "Batch", "kind": "SEQUENCE", "root": true}));
    assert_eq!(lines.iter().filter(|line| line["root"] == Value::Bool(true)).count(), 1);
    let run = here.run(&["schema", "m.asn1", "-o", "m.asn1"]);
    assert_eq!(run.status, 2);
}

#[test]
fn compare_measures_values_where_there_is_a_schema() {
    let here = place();
    let formats = |arguments: &[&str]| -> Vec<String> {
        let run = here.run(&[&["compare", "--json", "--time", "0"], arguments].concat()).done();
        run.lines().iter().map(|line| line["format"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!formats(&["t.json"]).contains(&"uper".to_owned()));
    let forms = ["json", "json", "tsf", "tsf", "pon", "xml", "uper", "aper", "ber", "oer"];
    assert_eq!(formats(&["t.json", "-s", "m.asn1"]), forms);
    assert_eq!(formats(&["t.uper", "-s", "m.asn1"])[0], "uper");
}

#[test]
fn the_help_mentions_schemas() {
    let here = Place::new();
    let help = here.run(&["convert", "--help"]).done();
    for words in ["--schema", "--root", "--strings", "--paper", "--canonical", "infoset-uper", "asn1"] {
        assert!(help.text().contains(words), "{words}");
    }
    let help = here.run(&["--help"]).done();
    assert!(help.text().contains("schema "), "{}", help.text());
}

#[test]
fn a_missing_module_is_named_with_what_to_do() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN IMPORTS T FROM Other; U ::= T END");
    let run = here.run(&["schema", "m.asn1"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("in M: module Other not found, from which T is imported\n"), "{}", run.err);
    assert!(run.err.ends_with("hint: add the file of that module with -s\n"), "{}", run.err);
}

/// BER without a schema: rows, lines, PEM, and a fault after the rows before it.
#[test]
fn inspect_needs_no_schema_for_ber() {
    let here = Place::new();
    here.file("t.ber", [0x30, 0x80, 0x06, 3, 0x55, 4, 3, 0xA0, 2, 5, 0, 0, 0]);
    let run = here.run(&["inspect", "t.ber"]).done();
    let rows = "offset  header  length  type                 value\n     \
                0       2       …  SEQUENCE\n     \
                2       2       3    OBJECT IDENTIFIER  2.5.4.3  commonName\n     \
                7       2       2    [0]\n     \
                9       2       0      NULL\n    \
                11       2       0  end-of-contents\n";
    assert_eq!(run.text(), rows);
    here.file("t.pem", "-----BEGIN X-----\nMIAGA1UEA6ACBQAAAA==\n-----END X-----\n");
    assert_eq!(here.run(&["inspect", "t.pem"]).done().text(), rows);
    let run = here.run_with(&["inspect", "-"], &here.read("t.pem")).done();
    assert_eq!(run.text(), rows);
    let lines = here.run(&["inspect", "t.pem", "--json"]).done().lines();
    assert_eq!((&lines[1]["name"], &lines[1]["value"]), (&"commonName".into(), &"2.5.4.3".into()));
    assert_eq!((lines.len(), &lines[0]["length"]), (5, &serde_json::Value::Null));
    here.file("bad.der", [5, 0, 0x30, 2, 4, 9]);
    let run = here.run(&["inspect", "bad.der"]);
    assert_eq!((run.status, run.text().lines().count()), (1, 3));
    assert!(run.err.contains("syntax at byte 4"), "{}", run.err);
    here.file("bad.pem", "-----BEGIN X-----\nMIA");
    assert!(here.run(&["inspect", "bad.pem"]).err.contains("expected a line -----END"));
    // Explanatory text may come first (RFC 7468 section 2), and each part may be a message.
    here.file(
        "two.pem",
        "Bag Attributes\n-----BEGIN X-----\nBQA=\n-----END X-----\n# or\n-----BEGIN X-----\nAQH/\n-----END X-----\n",
    );
    let first = here.run(&["inspect", "two.pem"]).done();
    assert!(first.text().contains("NULL") && first.text().contains("BOOLEAN"), "{}", first.text());
    let second = here.run(&["inspect", "two.pem", "--framing", "pem", "--json"]).done().lines();
    assert_eq!((second[0]["message"].as_u64(), second[1]["message"].as_u64()), (Some(1), Some(2)));
    let run = here.run(&["inspect", "t.ber", "--by-type"]);
    assert_eq!(run.status, 2, "{}", run.err);
    // With a schema PEM is read like any message.
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= SEQUENCE { a OBJECT IDENTIFIER, b [0] EXPLICIT NULL } END");
    let json = here.run(&["convert", "t.pem", "-s", "m.asn1", "-t", "json"]).done();
    assert_eq!(json.text(), "{\"a\":\"2.5.4.3\",\"b\":null}\n");
}

/// The value of an open type has the path of its component: by X.691, a number, a length, and a string of the same rules.
#[test]
fn inspect_goes_through_open_types() {
    let here = Place::new();
    let message = [2, 3, 2, b'h', b'i'];
    let run = here.run_with(&["inspect", "-", "-f", "uper", "-s", &sample("protocol.asn1"), "--json"], &message);
    let lines = run.done().lines();
    let paths: Vec<&str> = lines.iter().map(|line| line["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["/id", "/value", "/value", "/value"]);
    assert_eq!((&lines[3]["value"], &lines[3]["octets"]), (&json!("hi"), &json!("6869")));
}
