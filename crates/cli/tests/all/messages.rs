//! Several messages in a file, hexadecimal text, captures: every verb that reads messages.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use serde_json::json;

use crate::program::{Place, sample};

const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a INTEGER (0..255), b BOOLEAN } END";

/// Messages by X.691: nothing in front, eight bits, one bit.
const ONE: &[u8] = &[1, 0x80];
const TWO: &[u8] = &[2, 0];

fn place() -> Place {
    let here = Place::new();
    here.file("m.asn1", MODULE).file("two.bin", [&[0, 2], ONE, &[0, 2], TWO].concat());
    here.file("bad.bin", [&[0, 2], ONE, &[0, 1, 9, 0, 2], TWO].concat());
    here.file("two.hex", "0180\n# a comment\n0x02, 0x00\n");
    here
}

const FRAMED: [&str; 6] = ["-f", "uper", "-s", "m.asn1", "--framing", "u16be"];

fn with<'a>(verb: &[&'a str], options: &[&'a str]) -> Vec<&'a str> {
    [verb, options].concat()
}

/// Bytes of 00 between records, as files of charging records have them.
#[test]
fn filler_between_records_is_counted() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= INTEGER END").file("a.ber", [2, 1, 5, 0, 0, 0, 2, 1, 6, 0]);
    let run = here.run(&["convert", "a.ber", "--framing", "ber", "-s", "m.asn1", "-t", "json"]);
    assert_eq!((run.status, run.text()), (0, "5\n6\n"));
    assert_eq!(run.err, "note: a.ber: not read: 4 bytes of 00 between messages\n");
}

#[test]
fn every_verb_reads_the_messages_of_a_file() {
    let here = place();
    here.run(&with(&["check", "two.bin"], &FRAMED)).done();
    assert_eq!(here.run(&with(&["get", "two.bin", "/a"], &FRAMED)).done().text(), "1\n2\n");
    let json = here.run(&with(&["convert", "two.bin", "-t", "json"], &FRAMED)).done();
    assert_eq!(json.text(), "{\"a\":1,\"b\":true}\n{\"a\":2,\"b\":false}\n");
    let rows = here.run(&with(&["inspect", "two.bin"], &FRAMED)).done();
    let rows: Vec<&str> = rows.text().lines().collect();
    assert_eq!(
        (rows[0], rows[2], rows[6]),
        ("message 1 (byte 2)", "  0     8  01      value    INTEGER  /a    1", "message 2 (byte 6)")
    );
    let lines = here.run(&with(&["inspect", "two.bin", "--json"], &FRAMED)).done().lines();
    assert_eq!((&lines[0]["message"], &lines[5]["message"]), (&json!(1), &json!(2)));
    let rows = here.run(&with(&["inspect", "two.bin", "--by-type"], &FRAMED)).done();
    assert!(rows.text().contains("\nmessage 2 (byte 6)\n"), "{}", rows.text());
    let compared = here.run(&with(&["compare", "two.bin", "--time", "0", "--json"], &FRAMED)).done().lines();
    assert_eq!(compared[0]["file"], "two.bin, message 1 (byte 2)");
    let checked = here.run(&with(&["check", "two.bin", "--json"], &FRAMED)).done().lines();
    assert_eq!((checked.len(), &checked[1]["file"], &checked[1]["message"]), (2, &json!("two.bin"), &json!(2)));
}

/// From a pipe, in hexadecimal, and in lines of it.
#[test]
fn messages_come_in_hexadecimal() {
    let here = place();
    let options = ["-f", "uper", "-s", "m.asn1"];
    let get = |arguments: &[&str], input: &str| {
        let run = here.run_with(&with(&with(&["get", "-", "/a"], &options), arguments), input.as_bytes());
        run.done().text().to_owned()
    };
    assert_eq!(get(&["--hex"], "01 80"), "1\n");
    assert_eq!(get(&["--hex"], "0000  01 80      ..\n\n0000  02 00      ..\n"), "1\n2\n");
    assert_eq!(get(&["--hex", "--framing", "fixed:2"], "0x0180\n0200"), "1\n2\n");
    let lines = here.run(&with(&["get", "two.hex", "/a", "--framing", "hex-lines"], &options)).done();
    assert_eq!(lines.text(), "1\n2\n");
    // The bytes of an error are those of the message, the line is that of the text.
    let run = here.run_with(&with(&["check", "-", "--hex"], &options), b"01 8\n");
    let words = "error: standard input: syntax at byte 3 (line 1, column 4): found a single hexadecimal digit, expected two hexadecimal digits\n";
    assert_eq!((run.status, run.err.as_str()), (1, words));
    let run = here.run_with(&with(&["check", "-", "--hex"], &options), b"0180\n01\n");
    assert!(run.err.starts_with("error: standard input, message 1 (line 1): syntax at byte 2"), "{}", run.err);
    let run = here.run_with(&with(&["check", "-", "--hex"], &options), b"# nothing\n");
    assert_eq!((run.status, run.err.as_str()), (1, "error: standard input: no message\n"));
}

#[test]
fn an_error_says_which_message_and_the_next_is_read() {
    let here = place();
    let run = here.run(&with(&["get", "bad.bin", "/a", "-q"], &FRAMED));
    let words = "error: bad.bin, message 2 (byte 6): incomplete at byte 1 (bit 0) in /b: found the end of the input, expected 1 bit\n";
    assert_eq!((run.status, run.text(), run.err.as_str()), (1, "1\n2\n", words));
    let run = here.run(&with(&["convert", "bad.bin", "-o", "out.jsonl", "-t", "json", "-q", "--json"], &FRAMED));
    assert_eq!((run.status, run.err.as_str()), (1, words));
    assert_eq!(run.lines()[0]["messages"], 2);
    assert_eq!(here.text("out.jsonl"), "{\"a\":1,\"b\":true}\n{\"a\":2,\"b\":false}\n");
    let run = here.run(&with(&["check", "bad.bin", "--json", "-q"], &FRAMED));
    assert_eq!(run.lines().iter().map(|line| line["ok"].as_bool().unwrap()).collect::<Vec<_>>(), [true, false, true]);
    // A file that ends within a message.
    here.file("cut.bin", [&[0, 2], ONE, &[0, 9, 1]].concat());
    let run = here.run(&with(&["get", "cut.bin", "/a", "-q"], &FRAMED));
    let words = "error: cut.bin: incomplete at byte 7: found the end of the input, expected the rest of a message (framing u16be)\n";
    assert_eq!((run.status, run.text(), run.err.as_str()), (1, "1\n", words));
    // Many failures are counted.
    here.file("many.bin", [0, 1, 9].repeat(25));
    let run = here.run(&with(&["check", "many.bin"], &FRAMED));
    assert_eq!(run.err.matches("error: ").count(), 10);
    assert!(run.err.ends_with("note: many.bin: 15 more failed; --all-errors reports all\n"), "{}", run.err);
    let run = here.run(&with(&["check", "many.bin", "--all-errors"], &FRAMED));
    assert_eq!((run.err.matches("error: ").count(), run.err.contains("more failed")), (25, false));
    // If no message can be converted, there is no file.
    let run = here.run(&with(&["convert", "many.bin", "-o", "none.json", "-q"], &FRAMED));
    assert!(run.status == 1 && !here.names().contains(&"none.json".to_owned()));
}

#[test]
fn messages_are_written_one_after_the_other_or_each_to_a_file() {
    let here = place();
    let convert = |more: &[&str]| here.run(&with(&with(&["convert", "two.bin"], &FRAMED), more));
    assert_eq!(
        convert(&["-t", "ber"]).done().out,
        [[0x30, 6, 0x80, 1, 1, 0x81, 1, 0xFF], [0x30, 6, 0x80, 1, 2, 0x81, 1, 0]].concat()
    );
    assert_eq!(convert(&["-t", "uper", "--to-framing", "hex-lines"]).done().text(), "0180\n0200\n");
    assert_eq!(convert(&["-t", "uper", "--to-framing", "u16be"]).done().out, here.read("two.bin"));
    let pon = convert(&["-t", "pon"]).done().out;
    let back = ["convert", "-", "--framing", "pon", "-s", "m.asn1", "-t", "uper", "--to-framing", "u16be"];
    assert_eq!(here.run_with(&back, &pon).done().out, here.read("two.bin"));
    let tsf = convert(&["-t", "tsf"]).done().out;
    let back = ["convert", "-", "--framing", "tsf", "-s", "m.asn1", "-t", "uper", "--to-framing", "u16be"];
    assert_eq!(here.run_with(&back, &tsf).done().out, here.read("two.bin"));
    convert(&["-t", "json", "--each", "-o", "each"]).done();
    assert_eq!(here.text("each/two-000001.json"), "{\"a\":1,\"b\":true}\n");
    assert_eq!(here.text("each/two-000002.json"), "{\"a\":2,\"b\":false}\n");
    let piped = with(&["convert", "-", "-t", "uper", "--each", "-o", "piped"], &FRAMED);
    here.run_with(&piped, &here.read("two.bin")).done();
    assert_eq!(here.read("piped/message-000002.uper"), TWO);
    // A single message too.
    let single = ["convert", "-", "-f", "json", "-t", "uper", "-s", "m.asn1", "--to-framing", "hex-lines"];
    assert_eq!(here.run_with(&single, b"{\"a\":1,\"b\":true}").done().text(), "0180\n");
    // A directory of framed files.
    here.file("in/x.bin", here.read("two.bin"));
    here.run(&with(&["convert", "in", "-o", "out", "-t", "json"], &FRAMED)).done();
    assert_eq!(here.text("out/x.json"), "{\"a\":1,\"b\":true}\n{\"a\":2,\"b\":false}\n");
}

#[test]
fn json_lines_become_other_formats_and_come_back() {
    let here = place();
    let lines = "{\"a\":1}\n[2,{}]\n\"x\"\n";
    here.file("x.jsonl", lines);
    for format in ["pon", "tsf"] {
        let made = format!("x.{format}");
        here.run(&["convert", "x.jsonl", "-o", &made]).done();
        let back = here.run(&["convert", &made, "--framing", format, "-t", "json"]).done();
        assert_eq!(back.text(), lines);
    }
    assert_eq!(here.run(&["get", "x.jsonl", "/a"]).text(), "1\n");
    here.run(&["check", "x.jsonl"]).done();
    here.file("y.ndjson", "{\"a\":1}\n{\"a\":\n{\"a\":3}\n");
    let run = here.run(&["get", "y.ndjson", "/a", "-q"]);
    assert_eq!((run.status, run.text()), (1, "1\n3\n"));
    assert!(run.err.starts_with("error: y.ndjson, message 2 (byte 8): incomplete at byte 5"), "{}", run.err);
    // Texts over several lines.
    let run = here.run_with(&["convert", "-", "-t", "json", "--framing", "json"], b"{\n\"a\": 1}{} [1,\n2]");
    assert_eq!(run.done().text(), "{\"a\":1}\n{}\n[1,2]\n");
}

/// A capture by the specification of pcap, with a datagram of UDP over IPv4 (RFC 791, RFC 768) on a link of raw IP.
fn capture(payloads: &[&[u8]]) -> Vec<u8> {
    let mut file = [&[0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0][..], &[0; 8], &[0, 0, 4, 0, 101, 0, 0, 0]].concat();
    for payload in payloads {
        let len = 28 + payload.len() as u8;
        let ip = [0x45, 0, 0, len, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        let udp = [0x12, 0x34, 0, 9, 0, len - 20, 0, 0];
        file.extend([&[0; 8][..], &[len, 0, 0, 0, len, 0, 0, 0], &ip, &udp, payload].concat());
    }
    file
}

#[test]
fn messages_come_in_captures() {
    let here = place();
    here.file("x.pcap", capture(&[ONE, TWO]));
    let options = ["-f", "uper", "-s", "m.asn1"];
    for port in ["9", "udp:9", "4660"] {
        let run = here.run(&with(&["get", "x.pcap", "/a", "--port", port], &options));
        assert_eq!(run.done().text(), "1\n2\n");
    }
    let rows = here.run(&with(&["inspect", "x.pcap", "--port", "9"], &options)).done();
    assert!(rows.text().starts_with("message 1 (packet 1)\n"), "{}", rows.text());
    let run = here.run(&with(&["check", "x.pcap", "--port", "sctp:9"], &options));
    let words = "error: x.pcap: no message to or from port sctp:9\n\
        hint: the most frequent ports are udp:9 (2 packets), udp:4660 (2 packets)\n";
    assert_eq!((run.status, run.err.as_str()), (1, words));
    let run = here.run(&["inspect", "x.pcap"]);
    let words = "error: x.pcap is a capture: select the messages of a port with --port; \
        the most frequent are udp:9 (2 packets), udp:4660 (2 packets)\n";
    assert_eq!((run.status, run.err.as_str()), (2, words));
    let run = here.run(&with(&["check", "two.bin", "--port", "9"], &options));
    assert_eq!(
        (run.status, run.err.as_str()),
        (1, "error: two.bin: syntax at byte 0: found no capture, expected pcap or pcapng\n")
    );
    here.file("cut.pcap", &capture(&[ONE, TWO])[..90]);
    let run = here.run(&with(&["get", "cut.pcap", "/a", "--port", "9", "-q"], &options));
    assert_eq!((run.status, run.text()), (1, "1\n"));
}

#[test]
fn options_that_do_not_apply_are_refused() {
    let here = place();
    here.file("x.jsonl", "{}\n{}\n").file("x.json", "{}");
    for (arguments, words) in [
        (&["schema", "m.asn1", "--hex"][..], "--hex is for reading messages, but `schema` does not use it"),
        (&["schema", "m.asn1", "--framing", "ber"], "--framing is for reading messages, but `schema` does not use it"),
        (
            &["check", "two.hex", "--hex", "--framing", "hex-lines"],
            "--framing hex-lines is hexadecimal already: leave out --hex",
        ),
        (
            &["check", "two.hex", "--port", "1", "--framing", "hex-lines"],
            "--framing hex-lines is for text, but --port reads a capture",
        ),
        (&["check", "two.bin", "-f", "uper", "--framing", "pon"], "--framing pon is for pon, but the format is uper"),
        (
            &["convert", "x.json", "-t", "tsf", "--to-framing", "ber"],
            "--to-framing ber is for ber, but the format is tsf",
        ),
        (
            &["convert", "x.jsonl", "-t", "xml"],
            "several messages in xml do not say where they end: use --to-framing, or --each to write a file for each",
        ),
        (
            &["convert", "x.json", "-t", "tsf", "--each", "-o", "d"],
            "--each is for several messages, but x.json is one: say with --framing how they follow each other",
        ),
        (
            &["convert", "x.jsonl", "--embed", "--each", "-o", "d"],
            "--embed writes one document for each input: leave out --each",
        ),
        (
            &["convert", "x.jsonl", "--embed-into", "x.xml", "--to-framing", "tsf"],
            "--embed-into writes one document for each input: leave out --to-framing",
        ),
        (&["convert", "x.json", "--embed-into", "x.xml", "-t", "pon"], "--embed-into always writes TSF: leave out -t"),
        (&["schema", "m.asn1", "--embedded"], "--embedded is for reading messages, but `schema` does not use it"),
        (
            &["convert", "x.jsonl", "-t", "tsf", "--each", "-o", "x.json"],
            "--each needs an output directory, but 'x.json' is a file",
        ),
    ] {
        let run = here.run(arguments);
        assert_eq!((run.status, run.err), (2, format!("error: {words}\n")), "{arguments:?}");
    }
    for arguments in [
        &["check", "two.bin", "--framing", "u64"][..],
        &["check", "two.bin", "--framing", "fixed:0"],
        &["check", "two.bin", "--port", "70000"],
        &["check", "two.bin", "--port", "dccp:1"],
        &["check", "two.bin", "--port", "1", "--hex"],
        &["convert", "x.jsonl", "-t", "tsf", "--each"],
        &["convert", "x.jsonl", "-t", "tsf", "--each", "-o", "d", "--to-framing", "tsf"],
        &["get", "x.jsonl", "/a", "--each"],
        &["check", "x.xml", "--embedded", "--framing", "tsf"],
        &["convert", "x.json", "--embed", "--embed-into", "x.xml"],
    ] {
        assert_eq!(here.run(arguments).status, 2, "{arguments:?}");
    }
}

/// A terminal gets no binary data unless it is asked for; `script` (util-linux) provides the terminal.
#[test]
fn a_terminal_gets_no_binary_data() {
    let here = place();
    let on_terminal = |arguments: &str| {
        let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_lengthwise"));
        let mut script = std::process::Command::new("script");
        let output = script.args(["-qec", &command, "/dev/null"]).current_dir(here.path("")).output().ok()?;
        Some((output.status.code().unwrap(), output.stdout))
    };
    here.file("x.json", "{\"a\":1,\"b\":true}");
    let Some((status, shown)) = on_terminal("convert x.json -s m.asn1 -t uper") else {
        return test_support::skipped("there is no script");
    };
    assert!(status == 2 && String::from_utf8_lossy(&shown).contains("binary output on a terminal"), "{shown:?}");
    assert_eq!(on_terminal("convert x.json -s m.asn1 -t uper -o -"), Some((0, ONE.to_vec())));
    let (status, shown) = on_terminal("convert x.json -t pon").unwrap();
    assert_eq!((status, &shown[..]), (0, &b"8{a:1i1b:t"[..]));
}

/// The bodies in recordings of HTTP are messages for every verb.
#[test]
fn recordings_of_http_have_messages() {
    let here = Place::new();
    here.file(
        "shop.http",
        "POST /orders HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{\"id\":17}\
         HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=iso-8859-1\r\nTransfer-Encoding: chunked\r\n\r\n\
         5\r\n<a>ok\r\n4\r\n</a>\r\n0\r\n\r\n\
         HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>\
         HTTP/1.1 500 Error\r\nContent-Type: application/problem+json\r\nContent-Length: 9\r\n\r\n{\"id\":18,",
    );
    let checked = here.run(&["check", "shop.http"]);
    assert_eq!(checked.status, 1);
    let notes = "note: shop.http: skipped 1 message: 1 neither XML nor JSON (first: message 3: text/html)\n";
    assert!(checked.err.contains("error: shop.http, message 4 (byte 347): incomplete at byte 9"), "{}", checked.err);
    assert!(checked.err.ends_with(notes), "{}", checked.err);
    let found = here.run(&["get", "shop.http", "/id", "-q"]);
    assert!(found.text() == "17\n" && found.err.contains("shop.http, message 2: no 'id' in /"), "{}", found.err);
    // Those that are a message are converted, each by its own format.
    let converted = here.run(&["convert", "shop.http", "-t", "tsf", "--each", "-o", "out", "-q"]);
    assert_eq!((converted.status, here.text("out/shop-000001.tsf")), (1, "1{2id'17".to_owned()));
    assert_eq!(here.text("out/shop-000002.tsf"), "1a<2[ok");
    // A directory of them, and archives. With -f, a file is what -f says.
    here.file(
        "in/a.har",
        r#"{"log":{"entries":[{"request":{"headers":[],"postData":{"mimeType":"application/json","text":"[1]"}},
            "response":{"content":{"size":4,"mimeType":"text/xml","text":"<b/>"}}}]}}"#,
    );
    here.file("in/b.http", "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<c/>");
    let inspected = here.run(&["inspect", "in/a.har", "--json"]).done().lines();
    let numbers: Vec<_> = inspected.iter().map(|line| line["message"].as_u64().unwrap()).collect();
    assert_eq!((numbers.first(), numbers.last()), (Some(&1), Some(&2)));
    here.run(&["convert", "in", "-t", "tsf", "-o", "two"]).done();
    assert_eq!((here.text("two/a.tsf"), here.text("two/b.tsf")), ("1[1'10b<".to_owned(), "0c<".to_owned()));
    assert_eq!(
        here.run(&["get", "in/a.har", "-f", "json", "/log/entries/0/request/postData/text"]).done().text(),
        "[1]\n"
    );
}

/// The messages of a service, checked by its description.
#[test]
fn recorded_messages_are_checked_by_a_description() {
    let here = Place::new();
    let request = std::fs::read_to_string(sample("requests/search-1.xml")).unwrap();
    let post = |body: &str| {
        format!("POST /search HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    };
    here.file("good.http", post(&request) + &post(&request)).file("bad.http", post(&request.replace("</", "<x/></")));
    let wsdl = sample("search.wsdl");
    here.run(&["check", "good.http", "-s", &wsdl]).done();
    let bad = here.run(&["check", "bad.http", "-s", &wsdl]);
    assert!(bad.status == 1 && bad.err.contains("error: bad.http, message 1 (byte "), "{}", bad.err);
}

/// A long file: the type set of its TSF is found, failures are reported where they are, and the rest keeps its order.
#[test]
fn messages_of_a_long_file_keep_their_order() {
    let here = Place::new();
    let text = "x".repeat(1_000);
    let line = |n: usize| match n % 500 {
        499 => "{\"n\":\n".to_owned(),
        _ => format!("{{\"n\":{n},\"text\":\"{text}\"}}\n"),
    };
    let all: String = (0..3_000).map(line).collect();
    here.file("all.jsonl", &all);
    let kept: String = all.lines().filter(|line| line.ends_with('}')).flat_map(|line| [line, "\n"]).collect();
    let run = here.run(&["convert", "all.jsonl", "-o", "all.tsf"]);
    assert_eq!((run.status, run.err.matches("error: all.jsonl, message ").count()), (1, 6), "{}", run.err);
    assert!(run.err.contains("message 500 (byte 508870)"), "{}", run.err);
    here.run(&["convert", "all.tsf", "--framing", "tsf", "-t", "json", "-o", "back.json"]).done();
    assert!(here.text("back.json") == kept);
    let piped = here.run_with(&["convert", "-", "--framing", "lines", "-t", "json"], all.as_bytes());
    assert!(piped.status == 1 && piped.out == kept.as_bytes());
}

/// The error names the option.
#[test]
fn several_messages_read_as_one_have_a_hint() {
    let here = Place::new();
    here.file("a.jsonl", "{\"a\":1}\n{\"a\":2}\n").file("a.json", "{\"a\":1}\n{\"a\":2}\n");
    here.file("a.ber", b"\x02\x01\x05\x02\x01\x06").file("m.asn1", "M DEFINITIONS ::= BEGIN A ::= INTEGER END");
    here.run(&["convert", "a.jsonl", "-o", "a.pon"]).done();
    for (name, framing) in [("a.pon", "pon"), ("a.json", "json"), ("a.ber", "ber")] {
        let schema = ["-s", "m.asn1"];
        let schema: &[&str] = if framing == "ber" { &schema } else { &[] };
        let run = here.run(&[&["check", name], schema].concat());
        let pem = if framing == "ber" { ", or parts of PEM with --framing pem" } else { "" };
        let hint = format!("hint: if several messages follow each other, read them with --framing {framing}{pem}\n");
        assert!(run.status == 1 && run.err.ends_with(&hint), "{}", run.err);
        here.run(&[&["check", name, "--framing", framing], schema].concat()).done();
    }
    // What follows is no message.
    for text in ["{\"a\":1}x", "{\"a\":1}}", "{\"a\":1 {\"b\":2}"] {
        here.file("b.json", text);
        let run = here.run(&["check", "b.json"]);
        assert!(run.status == 1 && !run.err.contains("several"), "{}", run.err);
    }
}
