//! Files that appear whole or not at all, outputs that cannot be written, and names that are no text.
#![cfg(unix)]

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::symlink;
use std::process::Stdio;

use crate::program::Place;

/// No process has so large a number (`PID_MAX_LIMIT` is 2^22).
const GONE: u32 = 4_194_305;

#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let here = Place::new();
    let own = std::process::id();
    let (stale, other) = (format!(".old.tsf.lengthwise-{GONE}.tmp"), format!(".old.tsf.lengthwise-{own}.tmp"));
    here.file("a.xml", "<a/>").file(&stale, "half").file(&other, "half").file(".a.tmp", "mine");
    let locked = format!(".new.tsf.lengthwise-{GONE}.tmp");
    here.file(&locked, "half");
    // A writer on another machine that shares the directory.
    let lock = OpenOptions::new().write(true).open(here.path(&locked)).unwrap();
    lock.try_lock().unwrap();
    here.run(&["convert", "a.xml", "-o", "a.tsf"]).done();
    let mut expected = vec![".a.tmp".to_owned(), locked.clone(), other, "a.tsf".to_owned(), "a.xml".to_owned()];
    expected.sort();
    assert_eq!(here.names(), expected);
    drop(lock);
    here.run(&["convert", "a.xml", "-o", "a.tsf"]).done();
    assert!(!here.path(&locked).exists());
}

#[test]
fn a_dangling_link_is_followed_and_not_replaced() {
    let here = Place::new();
    here.file("a.xml", "<a/>");
    fs::create_dir(here.path("there")).unwrap();
    symlink("there/new.tsf", here.path("link.tsf")).unwrap();
    symlink("link.tsf", here.path("second.tsf")).unwrap();
    here.run(&["convert", "a.xml", "-o", "second.tsf"]).done();
    assert!(here.path("link.tsf").is_symlink() && here.path("second.tsf").is_symlink());
    assert_eq!(here.text("there/new.tsf"), "0a<");
    symlink("nowhere/new.tsf", here.path("lost.tsf")).unwrap();
    symlink("round.tsf", here.path("round.tsf")).unwrap();
    for name in ["lost.tsf", "round.tsf"] {
        assert_eq!(here.run(&["convert", "a.xml", "-o", name]).status, 3);
        assert!(here.path(name).is_symlink(), "{name}");
    }
}

/// What a directory has beside messages is counted, and links to directories are not followed.
#[test]
fn what_is_left_out_of_a_directory_is_said() {
    let here = Place::new();
    here.file("in/a.json", "1").file("there/b.json", "2").file("in/README", "hello");
    symlink("../there", here.path("in/link")).unwrap();
    symlink("nowhere", here.path("in/lost")).unwrap();
    symlink("../there/b.json", here.path("in/c.json")).unwrap();
    // The head of a file of pcap, and no packet.
    here.file(
        "in/calls.pcap",
        [&[0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0][..], &[0; 8], &[0, 0, 4, 0, 1, 0, 0, 0]].concat(),
    );
    let run = here.run(&["check", "in"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(
        run.err,
        "note: skipped 1 file: unknown format: in/README\n\
         note: skipped 1 file: a capture, whose messages --port selects: in/calls.pcap\n\
         note: skipped 2 files: a link to a directory, or to nothing: in/link, in/lost\n"
    );
    let lines = here.run(&["check", "in", "--json"]).lines();
    assert_eq!(lines.iter().filter(|line| line["skipped"] == true).count(), 4);
    assert_eq!(lines.iter().filter(|line| line["ok"] == true).count(), 2);
}

#[test]
fn a_long_name_is_written_too() {
    let here = Place::new();
    here.file("a.xml", "<a/>");
    let name = format!("{}.tsf", "é".repeat(125));
    here.run(&["convert", "a.xml", "-o", &name]).done();
    assert_eq!(here.text(&name), "0a<");
}

#[test]
fn a_full_output_is_status_3() {
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
        test_support::skipped("there is no /dev/full");
        return;
    };
    let here = Place::new();
    here.file("a.xml", "<a/>").file("b.json", "[1]").file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= NULL END");
    for arguments in [
        &["convert", "a.xml", "-t", "tsf"][..],
        &["convert", "a.xml", "-o", "a.tsf", "--json"],
        &["convert", "a.xml", "b.json", "-o", "out", "-t", "tsf", "--json"],
        &["inspect", "a.xml"],
        &["check", "a.xml", "--json"],
        &["get", "b.json", "/0"],
        &["schema", "m.asn1"],
        &["compare", "a.xml", "--time", "0.001"],
        &["--help"],
    ] {
        let output = here.command(arguments).stdout(full.try_clone().unwrap()).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(here.run(&["convert", "a.xml", "-t", "tsf", "-o", "/dev/full"]).status, 3);
}

/// As ripgrep does: who reads the output has seen enough.
#[test]
fn a_pipe_that_nobody_reads_any_more_ends_the_run_quietly() {
    let here = Place::new();
    here.file("a.json", format!("[{}0]", "1,".repeat(100_000)));
    for arguments in [&["inspect", "a.json"][..], &["convert", "a.json", "-t", "json", "--pretty"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = here.command(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    }
}

#[test]
fn controls_in_names_and_values_are_escaped() {
    let here = Place::new();
    let name = "a\u{1b}[31m\n\u{202e}.xml";
    let shown = "a\\u{1b}[31m\\n\\u{202e}.xml";
    here.file(name, "<a><!--c--></b>").file("good\u{7}.xml", "<a><!--c--></a>").file("dir/x\u{1b}c", "hello");
    let run = here.run(&["check", name]);
    assert!(run.err.starts_with(&format!("error: {shown}: syntax at byte 11")), "{}", run.err);
    let run = here.run(&["convert", "good\u{7}.xml", "-o", "a.iuper", "--paper"]);
    assert_eq!(run.err, "note: good\\u{7}.xml: 1 comment dropped (line 1, column 4, in /a)\n");
    let run = here.run(&["check", "missing\u{1b}.xml"]);
    assert!(run.err.starts_with("error: missing\\u{1b}.xml: io: "), "{}", run.err);
    let run = here.run(&["check", "dir"]);
    assert!(run.err.contains("format: dir/x\\u{1b}c\n"), "{}", run.err);
    // What a message says.
    here.file("v.json", "{\"a\": \"\u{9b}31m\"}")
        .file("v.asn1", "M DEFINITIONS ::= BEGIN T ::= SEQUENCE { a INTEGER } END");
    for arguments in [
        &["check", "v.json", "-s", "v.asn1"][..],
        &["get", "v.json", "/\u{1b}[31m"],
        &["convert", "v.json", "-t", "json", "--scheme", "\u{1b}[31m"],
        &["inspect", "v.json"],
        &["compare", "good\u{7}.xml", "--time", "0.001"],
    ] {
        let run = here.run(arguments);
        let is_control = |c: char| c.is_control() && c != '\n';
        assert!(!run.err.contains(is_control) && !run.text().contains(is_control), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn temporary_files_do_not_stay() {
    let here = Place::new();
    here.file("a.xml", "<a/>");
    fs::create_dir(here.path("a.tsf")).unwrap();
    assert_eq!(here.run(&["convert", "a.xml", "-o", "a.tsf/", "-t", "tsf"]).status, 0);
    assert!(File::open(here.path("a.tsf/a.tsf")).is_ok());
    assert_eq!(here.names(), ["a.tsf", "a.tsf/a.tsf", "a.xml"]);
}

#[test]
fn contents_give_the_format_if_names_do_not() {
    let here = Place::new();
    here.file("in/order", "<?xml version='1.0'?><a/>").file("in/part.data", "<b/>").file("in/r", "{\"a\":1}");
    here.file("in/m", "1a<2[hi").file("in/notes.txt", "2024: nothing").file("in/page.html", "<p>one<br>two");
    here.file("in/list.txt", "true story").file("in/broken", "<?xml version='1.0'?><a>");
    let run = here.run(&["check", "in", "--json"]);
    assert_eq!(run.status, 1);
    let lines = run.lines();
    let of = |name: &str| lines.iter().find(|line| line["file"] == format!("in/{name}")).unwrap();
    for (name, format) in [("order", "xml"), ("part.data", "xml"), ("r", "json"), ("m", "tsf")] {
        assert_eq!((of(name)["ok"].as_bool(), of(name)["format"].as_str()), (Some(true), Some(format)), "{name}");
    }
    for name in ["notes.txt", "page.html", "list.txt"] {
        assert_eq!(of(name)["skipped"], true, "{name}");
    }
    assert_eq!(of("broken")["kind"], "incomplete");
}

/// A sound message says nothing of a constraint that it was not checked against, so `check` does.
#[test]
fn constraints_that_are_not_checked_are_reported() {
    let here = Place::new();
    here.file(
        "m.asn1",
        "M DEFINITIONS ::= BEGIN T ::= SEQUENCE {\n a REAL (0.5..1.5),\n b IA5String (PATTERN \"a\") } END",
    );
    here.file("a.json", "{\"a\": 7, \"b\": \"b\"}");
    let run = here.run(&["check", "a.json", "-s", "m.asn1"]);
    let note = "note: 2 constraints are not checked (first: value range of T.a, line 2, column 9 of module M)\n";
    assert_eq!((run.status, run.text(), run.err.as_str()), (0, "", note));
    let run = here.run(&["check", "a.json", "-s", "m.asn1", "--json", "--quiet"]).done();
    let line: serde_json::Value = serde_json::from_str(run.text().lines().last().unwrap()).unwrap();
    let expected = r#"{"not_checked":2,"constraint":"value range","type":"T.a","module":"M","line":2,"column":9}"#;
    assert_eq!((line, run.err.as_str()), (serde_json::from_str(expected).unwrap(), ""));
}

/// Identifiers that a set does not have are no error, and are counted.
#[test]
fn values_of_unknown_types_are_counted() {
    let here = Place::new();
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
        S C ::= { { 1 BOOLEAN }, ... }
        T ::= SEQUENCE OF SEQUENCE { id C.&id ({S}), v C.&Type ({S}{@id}) } END";
    here.file("m.asn1", module);
    here.file("a.json", r#"[{"id":1,"v":true},{"id":2,"v":{"per":"00"}},{"id":3,"v":{"per":"01"}}]"#);
    here.run(&["convert", "a.json", "-s", "m.asn1", "-o", "a.uper"]).done();
    let run = here.run(&["check", "a.uper", "-s", "m.asn1"]);
    let note = "note: 2 values stay octets: the schema does not know their types (1 message; first: /1/v)\n";
    assert_eq!((run.status, run.err.as_str()), (0, note));
    let run = here.run(&["check", "a.uper", "-s", "m.asn1", "--json"]);
    assert!(run.text().contains(r#""unknown":2,"first_unknown":"/1/v""#), "{}", run.text());
}

#[test]
fn json_is_checked_against_a_module_as_convert_does() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a INTEGER (0..9) } END");
    here.file("bad.json", "{\n \"a\": 10}")
        .file("good.json", "{\"a\": 9}")
        .file("bad.tsf", "1{1a'\"x\"".replace("1a'", "3a'"));
    here.file("bad.pon", "6{a:2i10").file("a.xml", "<a/>").file("x.tsf", "0a<");
    here.run(&["check", "good.json", "-s", "m.asn1"]).done();
    for name in ["bad.json", "bad.tsf", "bad.pon"] {
        let check = here.run(&["check", name, "-s", "m.asn1"]);
        let convert = here.run(&["convert", name, "-s", "m.asn1", "-t", "uper"]);
        assert_eq!((check.status, convert.status), (1, 1), "{name}");
        assert_eq!(check.err, convert.err);
    }
    for name in ["a.xml", "x.tsf"] {
        let run = here.run(&["check", name, "-s", "m.asn1"]);
        assert!(run.status == 2 && run.err.contains("XML cannot be validated against an ASN.1 module"), "{}", run.err);
    }
}

/// Nothing that a run reads is written over: an input, a schema and what it includes, the file of another option.
#[test]
fn what_is_read_is_not_written_over() {
    let here = Place::new();
    let including = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:include schemaLocation='b.xsd'/>\
        <xs:element name='r' type='T'/></xs:schema>";
    let included = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:complexType name='T'><xs:sequence>\
        <xs:element name='q' type='xs:string'/></xs:sequence></xs:complexType></xs:schema>";
    here.file("a.xsd", including).file("b.xsd", included).file("r.xml", "<r><q>v</q></r>").file("a.json", "{\"a\":1}");
    here.file("t.types", "primitive # integer\n").file("q.tsf", "1#5").file("s.strings", "a\0b\0");
    here.run(&["convert", "r.xml", "-s", "a.xsd", "-o", "r.uper"]).done();
    let all = || here.names().into_iter().map(|name| here.read(&name)).collect::<Vec<_>>();
    let before = all();
    for arguments in [
        &["compare", "a.json", "--html", "a.json"][..],
        &["compare", "r.xml", "a.json", "--svg", "a.json"],
        &["compare", "r.xml", "-s", "a.xsd", "--html", "b.xsd"],
        &["inspect", "a.json", "--html", "a.json"],
        &["inspect", "r.uper", "-s", "a.xsd", "--html", "b.xsd"],
        &["inspect", "q.tsf", "--types", "t.types", "--html", "t.types"],
        &["convert", "q.tsf", "--types", "t.types", "-t", "json", "-o", "t.types"],
        &["convert", "r.uper", "-s", "a.xsd", "-t", "xml", "-o", "b.xsd"],
        &["convert", "r.uper", "-s", "a.xsd", "-t", "xml", "-o", "a.xsd"],
        &["convert", "r.xml", "-t", "infoset-uper", "--shared-strings", "s.strings", "-o", "s.strings"],
        &["get", "r.uper", "/q", "-s", "a.xsd", "-o", "b.xsd"],
        &["schema", "a.xsd", "--html", "b.xsd"],
        &["replay", "r.xml", "-s", "a.xsd", "--html", "r.xml"],
        &["replay", "r.xml", "-s", "a.xsd", "--html", "a.xsd"],
        &["replay", "r.xml", "-s", "a.xsd", "--html", "b.xsd"],
    ] {
        let run = here.run(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.err);
        assert!(run.err.contains("is the input itself") || run.err.contains("is part of the schema"), "{}", run.err);
    }
    assert!(before == all());
}
