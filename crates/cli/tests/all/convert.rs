//! `lengthwise convert`.

use std::fs;
use std::process::Stdio;

use crate::program::{Place, sample};

const XML: &str = "<order id=\"17\"><item>tea &amp; milk</item></order>";
const TSF: &str = "2order<1=2id[171item<10[tea & milk";

#[test]
fn extensions_give_the_formats() {
    let here = Place::new();
    here.file("order.xml", XML);
    here.run(&["convert", "order.xml", "-o", "order.tsf"]).done();
    assert_eq!(here.text("order.tsf"), TSF);
    here.run(&["convert", "order.tsf", "-o", "back.svg"]).done();
    assert_eq!(here.text("back.svg"), format!("{XML}\n"));
}

#[test]
fn flags_give_the_formats_if_extensions_do_not() {
    let here = Place::new();
    here.file("order", XML);
    assert_eq!(here.run(&["convert", "order", "-t", "tsf"]).done().text(), TSF);
    assert_eq!(here.run(&["convert", "order", "-f", "xml", "-o", "message", "-t", "tsf"]).done().text(), "");
    assert_eq!(here.text("message"), TSF);
}

#[test]
fn dash_is_standard_input_and_output() {
    let here = Place::new();
    let message = here.run_with(&["convert", "-", "-o", "-", "-t", "tsf"], XML.as_bytes()).done();
    assert_eq!(message.text(), TSF);
    let back = here.run_with(&["convert", "-", "-f", "tsf", "-t", "xml"], &message.out).done();
    assert_eq!(back.text(), format!("{XML}\n"));
}

#[test]
fn json_goes_through_either_type_set() {
    let here = Place::new();
    here.file("r.json", r#"{"t":[1.50,"\u00b0C",null]}"#);
    let tokens = here.run(&["convert", "r.json", "-t", "tsf"]).done();
    assert_eq!(tokens.text(), "1{3t[4'1.509'\"\\u00b0C\"4'null");
    let values = here.run(&["convert", "r.json", "-t", "tsf", "--types", "value"]).done();
    assert_eq!(values.text(), "1{3t[4%1.503'°C0~");
    let back = here.run_with(&["convert", "-", "-t", "json", "--types", "value"], &values.out).done();
    assert_eq!(back.text(), "{\"t\":[1.50,\"°C\",null]}\n");
    let other = here.run_with(&["convert", "-", "-t", "tsf", "--types", "json"], &values.out).done();
    assert_eq!(other.text(), "1{3t[4'1.505'\"°C\"4'null");
}

#[test]
fn lengths_count_bytes_or_characters() {
    let here = Place::new();
    let chars = here.run_with(&["convert", "-", "-t", "tsf", "--lengths", "chars"], "<a>grüß</a>".as_bytes()).done();
    assert_eq!(chars.text(), "1a<4[grüß");
    let back = here.run_with(&["convert", "-", "-t", "xml", "--lengths", "chars"], &chars.out).done();
    assert_eq!(back.text(), "<a>grüß</a>\n");
    let bytes = here.run_with(&["convert", "-", "-t", "tsf", "--from-lengths", "chars"], &chars.out).done();
    assert_eq!(bytes.text(), "1a<6[grüß");
}

#[test]
fn the_wrong_lengths_are_named() {
    let here = Place::new();
    let run = here.run_with(&["convert", "-", "-t", "xml"], "2a<4[grüß0b<".as_bytes());
    assert_eq!(run.status, 1);
    assert!(run.err.ends_with("hint: it can be read with --lengths chars\n"), "{}", run.err);
}

#[test]
fn a_message_travels_inside_xml() {
    let here = Place::new();
    here.file("order.xml", XML).file("r.json", "[\"?>\"]").file("plain.xml", "<a/>");
    here.run(&["convert", "order.xml", "--embed", "-o", "inside.xml"]).done();
    assert_eq!(here.text("inside.xml"), format!("<tsf><?tsf {TSF}?></tsf>\n"));
    assert_eq!(here.run(&["convert", "inside.xml", "--embedded", "-t", "tsf"]).done().text(), TSF);
    assert_eq!(here.run(&["convert", "inside.xml", "--embedded", "-t", "xml"]).done().text(), format!("{XML}\n"));
    here.run(&["convert", "order.xml", "plain.xml", "--embed", "-o", "out"]).done();
    assert_eq!(here.text("out/plain.xml"), "<tsf><?tsf 0a<?></tsf>\n");

    for (arguments, expected) in [
        (
            &["convert", "r.json", "--embed"][..],
            "error: r.json: unsupported at byte 5: found '?>', expected data without it",
        ),
        (
            &["convert", "plain.xml", "--embedded", "-t", "tsf"],
            "error: plain.xml: the document has no <?tsf ?> instruction",
        ),
    ] {
        let run = here.run(arguments);
        assert_eq!((run.status, run.err), (1, format!("{expected}\n")));
    }
    assert_eq!(here.run(&["convert", "r.json", "--embed", "-t", "json"]).status, 2);
}

#[test]
fn every_verb_reads_the_messages_in_a_document() {
    let here = Place::new();
    here.file("host.xml", "<?xml version='1.0'?>\n<log n='2'/>\n")
        .file("rows.jsonl", "{\"a\":1}\n{\"a\":2,\"b\":[3]}\n");
    here.run(&["convert", "rows.jsonl", "--embed-into", "host.xml", "--types", "json", "-o", "log.xml"]).done();
    let log = "<?xml version='1.0'?>\n<log n='2'><?tsf 1{1a'1?><?tsf 2{1a'21b[1'3?></log>\n";
    assert_eq!(here.text("log.xml"), log);
    assert_eq!(here.text("host.xml"), "<?xml version='1.0'?>\n<log n='2'/>\n");
    let json = here.run(&["convert", "log.xml", "--embedded", "-t", "json"]).done();
    assert_eq!(json.text(), "{\"a\":1}\n{\"a\":2,\"b\":[3]}\n");
    assert_eq!(here.run(&["get", "log.xml", "/a", "--embedded"]).done().text(), "1\n2\n");
    here.run(&["check", "log.xml", "--embedded"]).done();
    let shown = here.run(&["inspect", "log.xml", "--embedded"]).done();
    assert!(shown.text().contains("message 2 (byte 47)\n"), "{}", shown.text());
    here.run(&["convert", "log.xml", "--embedded", "-t", "pon", "--each", "-o", "out"]).done();
    assert_eq!(here.run(&["get", "out/log-000002.pon", "/b/0"]).done().text(), "3\n");
    let compared = here.run(&["compare", "log.xml", "--embedded", "--summary", "--json", "--time", "0.001"]).done();
    assert!(compared.text().contains("\"messages\":2"), "{}", compared.text());
    here.run(&["convert", "log.xml", "--embedded", "--columns", "a", "-o", "log.csv"]).done();
    assert_eq!(here.text("log.csv").lines().count(), 3);

    // A document that is extended, and one that is compressed.
    here.run(&["convert", "rows.jsonl", "--embed-into", "log.xml", "-o", "log.xml"]).done();
    let all = here.run(&["get", "log.xml", "/a", "--embedded"]).done();
    assert_eq!(all.text(), "1\n2\n1\n2\n");
    here.run(&["convert", "rows.jsonl", "--embed-into", "log.xml", "-o", "log.xml.zst"]).done();
    assert_eq!(here.run(&["get", "log.xml.zst", "/a", "--embedded"]).done().text().lines().count(), 6);

    // A message that is wrong is named, and the others are read.
    here.file("bad.xml", "<log><?tsf 1{1a'1?><?tsf 9{?><?tsf 0{?></log>");
    let run = here.run(&["convert", "bad.xml", "--embedded", "-t", "json"]);
    assert_eq!((run.status, run.text()), (1, "{\"a\":1}\n{}\n"));
    assert!(run.err.starts_with("error: bad.xml, message 2 (byte 19): incomplete at byte 0"), "{}", run.err);
    here.file("latin.xml", "<?xml version='1.0' encoding='iso-8859-1'?><a/>");
    let run = here.run(&["convert", "rows.jsonl", "--embed-into", "latin.xml", "-o", "new.xml"]);
    assert_eq!((run.status, here.path("new.xml").exists()), (1, false));
    assert!(run.err.starts_with("error: latin.xml: unsupported at byte 0"), "{}", run.err);
}

#[test]
fn attributes_are_sorted_and_text_is_indented_on_request() {
    let here = Place::new();
    here.file("a.xml", "<a z='1' b='2'><c/></a>").file("a.json", "{\"a\":[1]}");
    let sorted = here.run(&["convert", "a.xml", "-t", "tsf", "--sort-attributes"]).done();
    assert_eq!(sorted.text(), "2a<2=1b[21z[10c<");
    let pretty = here.run(&["convert", "a.xml", "-t", "xml", "--pretty"]).done();
    assert_eq!(pretty.text(), "<a z=\"1\" b=\"2\">\n  <c/>\n</a>\n");
    let pretty = here.run(&["convert", "a.json", "-t", "json", "--pretty"]).done();
    assert_eq!(pretty.text(), "{\n  \"a\": [\n    1\n  ]\n}\n");
}

#[test]
fn samples_come_back_as_they_were() {
    let here = Place::new();
    for name in ["order.xml", "map.xml", "config.json", "sensors.json"] {
        let format = name.rsplit('.').next().unwrap();
        let direct = here.run(&["convert", "-q", &sample(name), "-t", format]).done();
        for options in [&["--lengths", "bytes"], &["--lengths", "chars"]] {
            let [flag, unit] = options;
            here.run(&["convert", "-q", &sample(name), "-o", "message.tsf", flag, unit]).done();
            let back = here.run(&["convert", "message.tsf", "-t", format, flag, unit]).done();
            assert_eq!(back.text(), direct.text(), "{name} {unit}");
        }
    }
}

#[test]
fn an_error_names_file_kind_place_path_and_reason() {
    let here = Place::new();
    here.file("bad.xml", "<order>\n  <item>tea</itme>\n</order>\n");
    let run = here.run(&["convert", "bad.xml", "-t", "tsf"]);
    assert_eq!((run.status, run.text()), (1, ""));
    assert_eq!(
        run.err,
        "error: bad.xml: syntax at byte 19 (line 2, column 12) in /order/item: found '</itme>', expected '</item>'\n\
         \u{20} |\n2 |   <item>tea</itme>\n\u{20} |            ^\n"
    );
    let quiet = here.run(&["convert", "-q", "bad.xml", "-t", "tsf"]);
    assert_eq!(quiet.err.lines().count(), 1);
}

#[test]
fn a_document_of_xml_does_not_become_json() {
    let here = Place::new();
    here.file("a.xml", "<a/>");
    let run = here.run(&["convert", "a.xml", "-t", "json"]);
    assert_eq!(run.status, 1);
    assert_eq!(
        run.err,
        "error: a.xml: unsupported at byte 0: found an XML document, expected a document of JSON values: XML has \
         no single form in JSON\nhint: an XML Schema gives it one: name the schema with -s\n"
    );
}

#[test]
fn a_wrong_command_line_is_reported_before_anything_is_done() {
    let here = Place::new();
    here.file("a.xml", "<a/>").file("b.xml", "<b/>").file("x/a.json", "1").file("x/a.xml", "<a/>");
    for (arguments, expected) in [
        (&["convert", "a.xml"][..], "no output format: name it with -t, or with the extension of -o"),
        (&["convert", "a.xml", "-o", "a.bin"], "unknown extension of 'a.bin': name the output format with -t"),
        (
            &["convert", "a.xml", "b.xml", "-t", "tsf"],
            "several inputs need an output directory: name it with -o DIRECTORY",
        ),
        (
            &["convert", "a.xml", "x", "-o", "b.xml", "-t", "tsf"],
            "several inputs need an output directory, but 'b.xml' is a file",
        ),
        (&["convert", "a.xml", "b.xml", "-o", "out"], "an output directory needs an output format: name it with -t"),
        (&["convert", "a.xml", "-o", "a.xml", "-t", "xml"], "the output 'a.xml' is the input itself"),
        (
            &["convert", "a.xml", "x/a.xml", "-o", "out", "-t", "tsf"],
            "'a.xml' and 'x/a.xml' would both become 'out/a.tsf'",
        ),
        (
            &["convert", "-", "a.xml", "-o", "out", "-t", "tsf"],
            "standard input has no name for its output: name a file with -o FILE",
        ),
        (
            &["convert", "a.xml", "-t", "tsf", "--json"],
            "--json prints the result on standard output: name a file for the message with -o OUTPUT",
        ),
        (&["convert", ".", "-t", "xml", "-o", "."], "the output './a.xml' is the input itself"),
    ] {
        let before = here.names();
        let run = here.run(arguments);
        assert_eq!((run.status, run.err), (2, format!("error: {expected}\n")), "{arguments:?}");
        assert_eq!(here.names(), before);
    }
}

#[test]
fn unknown_formats_are_answered_with_those_there_are() {
    let here = Place::new();
    for arguments in
        [["convert", "a.xml", "-t", "ponn"], ["convert", "a.xml", "-f", "asn"], ["check", "a.xml", "-f", "csv"]]
    {
        let run = here.run(&arguments);
        assert_eq!(run.status, 2);
        assert!(
            run.err.contains("possible values: xml, json, tsf, pon, infoset-uper, infoset-aper, infoset-ber, "),
            "{}",
            run.err
        );
    }
    for arguments in
        [&[][..], &["transmogrify"], &["convert"], &["get", "a.xml"], &["convert", "--limit", "deep=1", "a.xml"]]
    {
        assert_eq!(here.run(arguments).status, 2, "{arguments:?}");
    }
}

#[test]
fn a_file_of_no_known_format_is_a_bad_input() {
    let here = Place::new();
    here.file("junk", b"\x7FELF\x02").file("empty", "").file("empty.xml", "");
    for (name, expected) in [
        ("junk", "error: junk: unsupported at byte 0: found byte 0x7F, expected XML, JSON, TSF, PON or TDXML\n"),
        (
            "empty",
            "error: empty: unsupported at byte 0: found the end of the input, expected XML, JSON, TSF, PON or TDXML\n",
        ),
        ("empty.xml", "error: empty.xml: incomplete at byte 0 (line 1, column 1): "),
    ] {
        let run = here.run(&["convert", name, "-t", "tsf"]);
        assert_eq!(run.status, 1);
        assert!(run.err.starts_with(expected), "{}", run.err);
    }
}

#[test]
fn what_cannot_be_read_or_written_is_status_3() {
    let here = Place::new();
    here.file("a.xml", "<a/>").file("file", "");
    let run = here.run(&["convert", "missing.xml", "-t", "tsf"]);
    assert_eq!(run.status, 3);
    assert!(run.err.starts_with("error: missing.xml: io: cannot read: "), "{}", run.err);
    for output in ["nowhere/a.tsf", "file/a.tsf"] {
        let run = here.run(&["convert", "a.xml", "-o", output]);
        assert_eq!(run.status, 3);
        assert!(run.err.starts_with(&format!("error: {output}: io: cannot write: ")), "{}", run.err);
    }
    assert_eq!(here.run(&["inspect", "."]).status, 3);
}

#[test]
fn a_failed_conversion_leaves_no_file_and_keeps_an_older_one() {
    let here = Place::new();
    here.file("bad.xml", "<a>").file("old.tsf", "as it was");
    for output in ["new.tsf", "old.tsf"] {
        assert_eq!(here.run(&["convert", "bad.xml", "-o", output]).status, 1);
    }
    assert_eq!(here.names(), ["bad.xml", "old.tsf"]);
    assert_eq!(here.text("old.tsf"), "as it was");
}

#[test]
fn an_older_output_is_replaced_as_a_whole() {
    let here = Place::new();
    here.file("a.xml", "<a/>").file("a.tsf", "something longer that was there before");
    here.run(&["convert", "a.xml", "-o", "a.tsf"]).done();
    assert_eq!(here.text("a.tsf"), "0a<");
    assert_eq!(here.names(), ["a.tsf", "a.xml"]);
}

#[cfg(unix)]
#[test]
fn a_replaced_output_keeps_its_permissions_and_links_their_targets() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let here = Place::new();
    here.file("a.xml", "<a/>").file("a.tsf", "old");
    fs::set_permissions(here.path("a.tsf"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("a.tsf", here.path("link.tsf")).unwrap();
    here.run(&["convert", "a.xml", "-o", "link.tsf"]).done();
    assert!(here.path("link.tsf").is_symlink());
    assert_eq!(here.text("a.tsf"), "0a<");
    assert_eq!(fs::metadata(here.path("a.tsf")).unwrap().permissions().mode() & 0o777, 0o600);
    here.run(&["convert", "a.xml", "-o", "/dev/null", "-t", "tsf"]).done();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_directory_converts_whole_but_for_its_bad_files() {
    let here = Place::new();
    here.file("in/a.xml", "<a/>").file("in/deep/er/b.json", "[1]").file("in/c.xml", "<c>").file("in/README", "hello");
    here.file("in/.hidden.xml", "<h/>").file("in/d.e.xml", "<d/>");
    let run = here.run(&["convert", "in", "-o", "out", "-t", "tsf"]);
    assert_eq!((run.status, run.text()), (1, ""));
    assert_eq!(
        run.err,
        "note: skipped 1 file: unknown format: in/README\n\
         error: in/c.xml: incomplete at byte 3 (line 1, column 4) in /c: found the end of the input, expected '</c>'\n\
         \u{20} |\n1 | <c>\n\u{20} |    ^\n\
         hint: the input ends before the message does; is the file truncated?\n"
    );
    let written: Vec<_> = here.names().into_iter().filter(|name| name.starts_with("out")).collect();
    assert_eq!(written, ["out", "out/a.tsf", "out/d.e.tsf", "out/deep", "out/deep/er", "out/deep/er/b.tsf"]);
    assert_eq!(here.text("out/deep/er/b.tsf"), "1[1'1");
}

/// JSON Lines, <https://jsonlines.org>: each line is a value.
#[test]
fn the_extension_of_json_lines_gives_lines() {
    let here = Place::new();
    here.file("in/a.jsonl", "{\"a\":1}\n{\"a\":2}\n").file("in/b.json", "{\"b\":\n[1,\n2]}").file("in/c.json", "{");
    here.run(&["convert", "in/b.json", "-o", "one.jsonl"]).done();
    assert_eq!(here.text("one.jsonl"), "{\"b\":[1,2]}\n");
    let run = here.run(&["convert", "in", "-o", "all.ndjson"]);
    assert!(run.status == 1 && run.err.contains("error: in/c.json: "), "{}", run.err);
    assert_eq!(here.text("all.ndjson"), "{\"a\":1}\n{\"a\":2}\n{\"b\":[1,2]}\n");
    let run = here.run(&["convert", "in/b.json", "-o", "two.jsonl", "--pretty"]);
    assert!(
        run.status == 1 && run.err.contains("the message has a line end, but each line is a message"),
        "{}",
        run.err
    );
    let run = here.run(&["convert", ".", "-o", "all.ndjson"]);
    assert!(run.status == 2 && run.err.contains("is the input itself"), "{}", run.err);
    here.run(&["convert", "in/a.jsonl", "in/b.json", "-o", "pon.jsonl", "-t", "pon"]).done();
    assert!(here.path("pon.jsonl/b.pon").exists());
    std::fs::create_dir(here.path("dir.jsonl")).unwrap();
    here.run(&["convert", "in/a.jsonl", "in/b.json", "-o", "dir.jsonl", "-t", "pon"]).done();
    assert!(here.path("dir.jsonl/b.pon").exists());
}

/// A time without messages is a file of no lines.
#[test]
fn there_may_be_no_lines() {
    let here = Place::new();
    here.file("none.jsonl", "").file("blank.jsonl", "\n \n");
    for input in ["none.jsonl", "blank.jsonl"] {
        let run = here.run(&["convert", input, "-o", "out.jsonl"]);
        assert_eq!((run.status, run.err), (0, format!("note: {input}: no message\n")));
        assert_eq!(here.text("out.jsonl"), "");
        let run = here.run(&["convert", input, "-t", "pon", "-q"]).done();
        assert_eq!(run.text(), "");
    }
    here.run(&["check", "none.jsonl", "-q"]).done();
    let run = here.run_with(&["check", "-", "-f", "json", "--framing", "json"], b"");
    assert_eq!((run.status, run.err.as_str()), (1, "error: standard input: no message\n"));
}

/// Files that differ only in their extension.
#[test]
fn outputs_of_one_name_keep_the_extensions_of_their_inputs() {
    let here = Place::new();
    here.file("in/a.json", "1").file("in/a.xml", "<a/>").file("in/b.json", "2");
    here.run(&["convert", "in", "-o", "out", "-t", "tsf"]).done();
    let written: Vec<_> = here.names().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(written, ["out/a.json.tsf", "out/a.xml.tsf", "out/b.tsf"]);
    let run = here.run(&["convert", "in/a.json", "in/../in/a.json", "-o", "out", "-t", "tsf"]);
    assert!(run.status == 2 && run.err.contains("would both become 'out/a.tsf'"), "{}", run.err);
}

/// What a file would not be by its name is not written.
#[test]
fn an_output_is_what_its_extension_says_or_is_refused() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= INTEGER END").file("t.json", "7");
    for (arguments, words) in [
        (&["convert", "t.json", "-s", "m.asn1", "-o", "t.pem"][..], "'t.pem' would be PEM, which is not written"),
        (&["convert", "t.json", "-s", "m.asn1", "-t", "der", "-o", "t.PEM"], "'t.PEM' would be PEM"),
        (&["example", "-s", "m.asn1", "-o", "t.pem"], "'t.pem' would be PEM"),
        (&["example", "-s", "m.asn1", "-o", "t.pcap"], "unknown extension of 't.pcap': name the output format with -t"),
        (&["schema", "m.asn1", "-o", "t.xsd"], "an XML Schema is not written: `schema` writes ASN.1 notation (.asn1)"),
        (&["schema", "m.asn1", "-o", "t.wsdl"], "a WSDL description is not written"),
    ] {
        let run = here.run(arguments);
        assert!(run.status == 2 && run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    assert_eq!(here.names(), ["m.asn1", "t.json"]);
    here.run(&["example", "-s", "m.asn1", "-o", "t.jsonl", "--count", "3", "--pretty"]).done();
    assert_eq!(here.text("t.jsonl").lines().count(), 3);
}

#[test]
fn what_a_directory_is_converted_into_is_not_converted_again() {
    let here = Place::new();
    here.file("a.xml", "<a/>");
    for _ in 0..2 {
        here.run(&["convert", ".", "-o", "out", "-t", "tsf"]).done();
    }
    assert_eq!(here.names(), ["a.xml", "out", "out/a.tsf"]);
}

#[test]
fn many_files_convert_in_parallel_and_are_reported_in_order() {
    let here = Place::new();
    for n in 0..60 {
        here.file(&format!("in/{n:02}.xml"), if n % 20 == 7 { "<n>".to_owned() } else { format!("<n>{n}</n>") });
    }
    for threads in ["1", "8"] {
        let run = here.run(&["convert", "in", "-o", "out", "-t", "tsf", "--json", "--threads", threads]);
        assert_eq!(run.status, 1);
        assert_eq!(run.err.matches("error: ").count(), 3);
        let lines = run.lines();
        let names: Vec<_> = lines.iter().map(|line| line["file"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names, (0..60).map(|n| format!("in/{n:02}.xml")).collect::<Vec<_>>());
        assert_eq!(lines.iter().filter(|line| line["ok"] == true).count(), 57);
        assert_eq!(lines[7]["kind"], "incomplete");
        assert_eq!(lines[8]["output_bytes"], 6);
        assert!(here.path("out/59.tsf").is_file());
    }
}

#[test]
fn an_unreadable_file_among_many_is_status_3() {
    let here = Place::new();
    here.file("a.xml", "<a/>").file("b.xml", "<b>");
    let run = here.run(&["convert", "a.xml", "b.xml", "missing.xml", "-o", "out", "-t", "tsf"]);
    assert_eq!(run.status, 3);
    assert_eq!(run.err.matches("error: ").count(), 2);
    assert_eq!(here.text("out/a.tsf"), "0a<");
}

#[test]
fn the_result_is_json_on_request() {
    let here = Place::new();
    here.file("a.xml", "<a/>");
    let run = here.run(&["convert", "a.xml", "-o", "a.tsf", "--json"]).done();
    let expected = serde_json::json!({"file": "a.xml", "ok": true, "output": "a.tsf", "from": "xml", "to": "tsf",
        "bytes": 4, "output_bytes": 3, "losses": []});
    assert_eq!(run.lines(), [expected]);
}

#[test]
fn limits_are_kept_and_the_error_says_which_to_raise() {
    let here = Place::new();
    let deep = format!("{}1{}", "[".repeat(2000), "]".repeat(2000));
    let run = here.run_with(&["convert", "-", "-t", "tsf"], deep.as_bytes());
    assert_eq!(run.status, 1);
    assert!(run.err.contains("error: standard input: limit at byte 1000"), "{}", run.err);
    assert!(run.err.contains("hint: if you trust the message, raise the limit: --limit depth=10000\n"), "{}", run.err);
    here.run_with(&["convert", "-", "-t", "tsf", "--limit", "depth=2000"], deep.as_bytes()).done();

    here.file("long.xml", "<a>0123456789</a>");
    let run = here.run(&["convert", "long.xml", "-t", "tsf", "--limit", "message_bytes=16"]);
    assert_eq!(run.status, 1);
    let expected = "error: long.xml: limit at byte 16: found 17 bytes, expected at most 16 (limit message_bytes)\n\
                    hint: if you trust the message, raise the limit: --limit message_bytes=160\n";
    assert_eq!(run.err, expected);
    let run = here.run_with(&["convert", "-", "-t", "tsf", "--limit", "message_bytes=16"], b"<a>0123456789</a>");
    assert_eq!(run.status, 1);
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let here = Place::new();
    here.file("long.json", format!("[{}0]", "123456789,".repeat(100_000)));
    for arguments in
        [&["convert", "long.json", "-t", "json"][..], &["inspect", "long.json"], &["get", "long.json", "/"]]
    {
        let mut child = here.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_is_status_3() {
    let here = Place::new();
    here.file("a.xml", "<a/>");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = here.command(&["convert", "a.xml", "-t", "tsf"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stderr.starts_with(b"error: standard output: io: cannot write: "));
}

#[test]
fn flags_for_the_output_are_distinguished_from_those_for_the_input() {
    let here = Place::new();
    let types = "hint: --types is for the output; set the type set of the input with --from-types\n";
    let run = here.run_with(&["convert", "-", "-f", "tsf", "-t", "tsf", "--types", "json"], b"0a<b{");
    assert_eq!(run.status, 1);
    assert!(run.err.ends_with(types), "{}", run.err);
    let args = ["convert", "-", "-f", "tsf", "-t", "tsf", "--types", "json", "--from-types", "value"];
    assert!(!here.run_with(&args, b"x").err.contains(types));
    assert!(!here.run_with(&["convert", "-", "-f", "tsf", "-t", "json", "--types", "json"], b"x").err.contains(types));

    let characters = "2a<4[grüß0b<".as_bytes();
    let run = here.run_with(&["convert", "-", "-t", "tsf"], characters);
    assert!(run.err.ends_with("hint: it can be read with --from-lengths chars\n"), "{}", run.err);
    let run = here.run_with(&["convert", "-", "-t", "xml"], characters);
    assert!(run.err.ends_with("hint: it can be read with --lengths chars\n"), "{}", run.err);
}

#[test]
fn items_of_arrays_are_numbered_in_xml_on_request() {
    let here = Place::new();
    here.file("a.json", r#"{"t":[21.5,[]]}"#).file("a.tsf", "1{1t[2#17").file("a.xml", "<a/>");
    let numbered = "<e0s1><t><e1s1i1>21.5</e1s1i1><e1s1i2/></t></e0s1>\n";
    assert_eq!(here.run(&["convert", "-q", "a.json", "-t", "xml", "--number-items"]).done().text(), numbered);
    assert_eq!(
        here.run(&["convert", "-q", "a.tsf", "-t", "xml", "--number-items"]).done().text(),
        "<e0s1><t><e1s1i1>17</e1s1i1></t></e0s1>\n"
    );
    for format in ["infoset-uper", "tdxml"] {
        here.run(&["convert", "-q", "a.json", "-t", format, "-o", "o", "--number-items"]).done();
        assert_eq!(here.run(&["convert", "o", "-f", format, "-t", "xml"]).done().text(), numbered, "{format}");
    }
    for (input, to) in [("a.xml", "xml"), ("a.json", "json"), ("a.json", "tsf")] {
        let run = here.run(&["convert", input, "-t", to, "--number-items"]);
        let words = "error: --number-items is for writing JSON as XML, an infoset or TDXML, but this converts";
        assert!(run.status == 2 && run.err.starts_with(words), "{}", run.err);
    }
}

#[test]
fn xml_is_written_with_the_tags_and_line_ends_that_are_asked_for() {
    let here = Place::new();
    here.file("a.tsf", "2a<0b<2[x\n").file("a.json", r#"{"a":""}"#);
    let layout = ["--empty-tags", "pair", "--line-ends", "crlf"];
    let with = |arguments: &[&str]| here.run(&[arguments, &layout].concat());
    let run = with(&["convert", "a.tsf", "-t", "xml", "--lossless"]).done();
    assert_eq!(run.text(), "<a><b></b>x\r\n</a>\r\n");
    let run = with(&["convert", "-q", "a.json", "-t", "xml", "--pretty"]).done();
    assert_eq!(run.text(), "<e0s1>\r\n  <a></a>\r\n</e0s1>\r\n");
    with(&["convert", "a.tsf", "-o", "o.xml"]).done();
    here.run(&["convert", "o.xml", "-o", "o.tsf", "--lossless"]).done();
    assert_eq!(here.text("o.tsf"), here.text("a.tsf"));
    // An instance of a schema, which another writer writes.
    here.file("e.xsd", r#"<schema xmlns="http://www.w3.org/2001/XMLSchema"><element name="e"/></schema>"#);
    here.file("e.xml", "<e/>");
    here.run(&["convert", "e.xml", "-s", "e.xsd", "-o", "e.uper"]).done();
    let run = with(&["convert", "e.uper", "-s", "e.xsd", "-t", "xml", "--lossless"]).done();
    assert_eq!(run.text(), "<e></e>\r\n");
    // The defaults are as before.
    assert_eq!(here.run(&["convert", "a.tsf", "-t", "xml"]).done().text(), "<a><b/>x\n</a>\n");
    for (option, value) in [("--empty-tags", "single"), ("--line-ends", "lf")] {
        for to in ["json", "pon", "tsf"] {
            let run = here.run(&["convert", "a.json", "-t", to, option, value]);
            let words = format!("error: {option} is for writing XML, but this converts json to {to}\n");
            assert_eq!((run.status, run.err), (2, words));
        }
        let run = here.run(&["convert", "a.tsf", "-t", "xml", option, "other"]);
        assert!(run.status == 2 && run.err.contains("invalid value 'other'"), "{}", run.err);
    }
}
