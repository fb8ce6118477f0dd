//! Every verb of `lengthwise` on PON.

use std::fs;
use std::io::{Seek, SeekFrom, Write};

use crate::program::{Place, sample};
use serde_json::json;

const JSON: &str = r#"{"room":"attic","t":21.50,"a:b":[17,null,true],"é":{"":false}}"#;
const PON: &str = r"41{room:5sattict:5d21.50a\:b:6[2i17uté:2{:f";

/// An object of members as they are written.
fn object(members: &[u8]) -> Vec<u8> {
    [format!("{}{{", members.len()).as_bytes(), members].concat()
}

/// A message of every type, with octets that are no text.
fn all_types() -> Vec<u8> {
    object(b"s:4sa\n\"\\i:2i17d:6d1.50e3y:5y\xFF\x00\xFE\n\x80b:b\xFFc:c\xE2\x82\xACt:tf:fu:ua:6[2i17bAo:3{k:u")
}

#[test]
fn extensions_and_flags_select_pon() {
    let here = Place::new();
    here.file("r.json", JSON);
    here.run(&["convert", "r.json", "-o", "r.pon"]).done();
    assert_eq!(here.text("r.pon"), PON);
    here.run(&["convert", "r.pon", "-o", "back.json"]).done();
    assert_eq!(here.text("back.json"), format!("{JSON}\n"));
    assert_eq!(here.run(&["convert", "r.pon", "-t", "pon"]).done().text(), PON);
    here.run(&["convert", "r.json", "-o", "message", "-t", "pon"]).done();
    assert_eq!(here.run(&["convert", "message", "-f", "pon", "-t", "json"]).done().text(), format!("{JSON}\n"));
}

#[test]
fn standard_input_is_detected_as_pon_by_its_number() {
    let here = Place::new();
    for (message, format) in [
        (PON, "pon"),
        ("2i17", "pon"),
        ("5shello", "pon"),
        ("4[2shi", "pon"),
        ("t", "pon"),
        ("u", "pon"),
        ("cé", "pon"),
        ("bb", "pon"),
        ("0{", "tsf"),
        ("0[", "tsf"),
        ("2{5room'attic5t%21.50", "tsf"),
        ("4'null", "tsf"),
        ("true", "json"),
        ("17", "json"),
    ] {
        let run = here.run_with(&["check", "-", "--json"], message.as_bytes()).done();
        assert_eq!(run.lines()[0]["format"], format, "{message}");
    }
    // Both say the same of what is empty.
    for (message, json) in [("0{", "{}\n"), ("0[", "[]\n")] {
        for arguments in [&["convert", "-", "-t", "json"][..], &["convert", "-", "-t", "json", "-f", "pon"]] {
            assert_eq!(here.run_with(arguments, message.as_bytes()).done().text(), json);
        }
    }
}

#[test]
fn pon_and_tsf_become_each_other() {
    let here = Place::new();
    here.file("all.pon", all_types());
    here.run(&["convert", "all.pon", "-o", "all.tsf"]).done();
    here.run(&["convert", "all.tsf", "-o", "back.pon"]).done();
    assert_eq!(here.read("back.pon"), all_types());
    let tokens = here.run_with(&["convert", "-", "-t", "tsf", "--types", "json"], PON.as_bytes()).done();
    assert_eq!(tokens.text(), "4{7room'\"attic\"5t'21.503a:b[2'174'null4'true1é{5\"'false");
    assert_eq!(here.run_with(&["convert", "-", "-t", "pon"], &tokens.out).done().text(), PON);
    let chars = here.run_with(&["convert", "-", "-t", "tsf", "--lengths", "chars"], "8[c€2sé".as_bytes()).done();
    assert_eq!(chars.text(), "2[1^€1'é");
    let back = here.run_with(&["convert", "-", "-t", "pon", "--lengths", "chars"], &chars.out).done();
    assert_eq!(back.text(), "8[c€2sé");
}

#[test]
fn what_json_and_xml_lack_becomes_text_or_is_refused() {
    let here = Place::new();
    here.file("all.pon", all_types()).file("nan.pon", object(b"f:3dNaN")).file("a.xml", "<a/>");
    let json = here.run(&["convert", "all.pon", "-t", "json"]);
    assert_eq!((json.status, json.err.as_str()), (0, "note: all.pon: 4 types changed (in /y)\n"));
    let expected = r#"{"s":"a\n\"\\","i":17,"d":1.50e3,"y":"/wD+CoA=","b":255,"c":"€","t":true,"f":false,"u":null,"a":[17,65],"o":{"k":null}}"#;
    assert_eq!(json.text(), format!("{expected}\n"));
    let xml = here.run(&["convert", "-q", "all.pon", "-t", "xml"]).done();
    assert!(xml.text().contains("<y>/wD+CoA=</y><b>255</b><c>€</c><t>true</t>"), "{}", xml.text());
    for (arguments, expected) in [
        (
            ["convert", "nan.pon", "-t", "json"],
            "error: nan.pon: unsupported at byte 5 in /f: found 'NaN', expected a number that JSON can write\n",
        ),
        (
            ["convert", "a.xml", "-t", "pon"],
            "error: a.xml: unsupported at byte 0: found an XML document, expected a document of JSON values: XML \
             has no single form in JSON\nhint: an XML Schema gives it one: name the schema with -s\n",
        ),
    ] {
        let run = here.run(&arguments);
        assert_eq!((run.status, run.text(), run.err.as_str()), (1, "", expected));
    }
}

#[test]
fn samples_of_json_come_back_through_pon() {
    let here = Place::new();
    for name in ["config.json", "sensors.json"] {
        here.run(&["convert", &sample(name), "-o", "message.pon"]).done();
        here.run(&["convert", "message.pon", "-o", "back.json"]).done();
        let value = |json: &[u8]| serde_json::from_slice::<serde_json::Value>(json).unwrap();
        assert_eq!(value(&here.read("back.json")), value(&fs::read(sample(name)).unwrap()), "{name}");
        here.run(&["convert", "back.json", "-o", "again.pon"]).done();
        assert_eq!(here.read("again.pon"), here.read("message.pon"), "{name}");
    }
}

#[test]
fn several_inputs_and_directories_become_pon() {
    let here = Place::new();
    here.file("in/a.json", "[1]").file("in/b.tsf", "1[0~").file("in/deep/c.pon", "t").file("in/d.pon", "3[tx");
    let run = here.run(&["convert", "in", "-o", "out", "-t", "pon", "--json"]);
    assert_eq!(run.status, 1);
    assert!(run.err.starts_with("error: in/d.pon: incomplete at byte 4: "), "{}", run.err);
    let to = |name: &str| here.text(&format!("out/{name}.pon"));
    assert_eq!((to("a"), to("b"), to("deep/c")), ("3[1i1".to_owned(), "1[u".to_owned(), "t".to_owned()));
    let line = json!({"file": "in/a.json", "ok": true, "output": "out/a.pon", "from": "json", "to": "pon", "bytes": 3,
        "output_bytes": 5, "losses": []});
    assert_eq!(run.lines()[0], line);
    here.run(&["convert", "in/a.json", "in/deep/c.pon", "-o", "two", "-t", "json"]).done();
    assert_eq!((here.text("two/a.json"), here.text("two/c.json")), ("[1]\n".to_owned(), "true\n".to_owned()));
    let run = here.run(&["check", "in", "--json"]);
    assert_eq!((run.status, run.lines().len()), (1, 4));
}

#[test]
fn inspect_shows_pon_beside_its_heads() {
    let here = Place::new();
    let run = here.run_with(&["inspect", "-", "-f", "pon"], &all_types()).done();
    let expected = [
        "offset  head    length  type         name   value",
        "     0  69{   69 bytes  { object",
        "     3  s:4s   4 bytes  s string       s    a\\n\"\\",
        "    11  i:2i   2 bytes  i integer      i    17",
        "    17  d:6d   6 bytes  d float        d    1.50e3",
        "    27  y:5y   5 bytes  y binary       y    ff 00 fe 0a 80",
        "    36  b:b    1 byte   b byte         b    ff",
        "    40  c:c    3 bytes  c character    c    €",
        "    46  t:t    0 bytes  t boolean      t    true",
        "    49  f:f    0 bytes  f boolean      f    false",
        "    52  u:u    0 bytes  u null         u",
        "    55  a:6[   6 bytes  [ array        a",
        "    59  2i     2 bytes  i integer           17",
        "    63  b      1 byte   b byte              41",
        "    65  o:3{   3 bytes  { object       o",
        "    69  k:u    0 bytes  u null           k",
    ];
    assert_eq!(run.text().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn inspect_shows_the_first_octets_of_binary_data() {
    let here = Place::new();
    let octets: Vec<u8> = (0..=255).collect();
    here.file("b.pon", [b"256y", &octets[..]].concat());
    let table = here.run(&["inspect", "b.pon"]).done();
    assert!(table.text().ends_with("  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f …\n"), "{}", table.text());
    let line = here.run(&["inspect", "b.pon", "--json"]).done().lines().remove(0);
    let hex: String = (0..32).map(|octet| format!("{octet:02x}")).collect();
    let expected = json!({"offset": 0, "depth": 0, "head": "256y", "type": "y", "kind": "binary", "name": null,
        "length": 256, "hex": hex});
    assert_eq!(line, expected);
    // The same in TSF.
    here.run(&["convert", "b.pon", "-o", "b.tsf"]).done();
    let table = here.run(&["inspect", "b.tsf"]).done();
    assert!(table.text().ends_with("  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f …\n"), "{}", table.text());
}

#[test]
fn every_unit_stands_where_inspect_says() {
    let here = Place::new();
    let odd = object(br"\::1i1\\:6{\\\::t:u64th:5[bb1y0b{:c:[:0[");
    here.run(&["convert", &sample("config.json"), "-o", "config.pon"]).done();
    here.run(&["convert", &sample("sensors.json"), "-o", "sensors.pon"]).done();
    here.file("odd.pon", odd).file("all.pon", all_types());
    fs::copy(sample("vibration.pon"), here.path("vibration.pon")).unwrap();
    for name in ["odd.pon", "all.pon", "config.pon", "sensors.pon", "vibration.pon"] {
        let message = here.read(name);
        let mut at = 0;
        for line in here.run(&["inspect", "--json", name]).done().lines() {
            assert_eq!(line["offset"], at, "{line}");
            let head = line["head"].as_str().unwrap().as_bytes();
            assert!(message[at..].starts_with(head), "{line}");
            assert_eq!(head.last().map(|&c| char::from(c).to_string()).as_deref(), line["type"].as_str());
            at += head.len();
            let length = usize::try_from(line["length"].as_u64().unwrap()).unwrap();
            if line["units"].is_null() {
                let data = &message[at..at + length];
                match line["hex"].as_str() {
                    Some(hex) => assert_eq!(hex.len(), 2 * length.min(32)),
                    None if length > 0 => assert_eq!(line["value"].as_str().unwrap().as_bytes(), data),
                    None => {}
                }
                at += length;
            } else {
                assert!(at + length <= message.len());
            }
        }
        assert_eq!(at, message.len(), "{name}");
    }
}

#[test]
fn check_is_silent_or_reports_kind_position_path_and_reason() {
    let here = Place::new();
    here.file("all.pon", all_types());
    assert_eq!(here.run(&["check", "all.pon", &sample("vibration.pon")]).done().text(), "");
    for (message, expected) in [
        (
            &b"26{key1:6svalue1key2:7svalue2"[..],
            "syntax at byte 21 in /key2: found 8 bytes before the end of its container, expected 9 bytes or more for the node",
        ),
        (
            b"26{key1:6svalue1key2:6svalue",
            "incomplete at byte 28: found the end of the input, expected 1 byte more of the message",
        ),
        (b"30{id:2i17", "incomplete at byte 10: found the end of the input, expected 23 bytes more of the message"),
        (b"6{id:2i17", "syntax at byte 8: found '7', expected the end of the message"),
        (b"2i1x", "syntax at byte 3: found 'x', expected an integer as JSON writes it"),
        (b"3[02i", "syntax at byte 2 in /0: found a length with a leading zero, expected one without"),
        (b"5[3s\xFFab", "syntax at byte 4 in /0: found byte 0xFF, expected a string in UTF-8"),
        (b"3{abc", "syntax at byte 2: found 3 bytes to the end of the object, expected a key and its ':'"),
        (b"5{a\\b:t", "syntax at byte 4: found 'b', expected a ':' or a '\\' after the '\\' of a key"),
        (b"tt", "syntax at byte 1: found 't', expected the end of the message"),
        (b"x", "syntax at byte 0: found 'x', expected a length, or one of the types t f u c b"),
    ] {
        let run = here.run_with(&["check", "-f", "pon", "-"], message);
        assert_eq!((run.status, run.text()), (1, ""));
        assert!(run.err.starts_with(&format!("error: standard input: {expected}")), "{}", run.err);
    }
    here.file("bad.pon", "5[3s\u{e9}b2");
    let run = here.run(&["check", "--json", "bad.pon"]);
    assert_eq!(run.lines()[0]["format"], "pon");
}

#[test]
fn hints_are_for_pon_too() {
    let here = Place::new();
    here.file("echo.pon", format!("{PON}\n")).file("wrong.pon", JSON).file("wrong.json", PON);
    let hint = |run: crate::program::Run| {
        assert_eq!(run.status, 1);
        run.err.lines().filter_map(|line| line.strip_prefix("hint: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let line_end = "a text editor or `echo` added a line end, which PON does not allow: write the message with printf '%s', \
                    or remove the line end with truncate -s -1";
    assert_eq!(hint(here.run(&["check", "echo.pon"])), [line_end]);
    assert_eq!(hint(here.run_with(&["check", "-"], format!("{PON}\n").as_bytes())), [line_end]);
    let other = "it was read as pon, but starts like json: set the format with -f";
    assert_eq!(hint(here.run(&["check", "wrong.pon"])), [other]);
    let other = "it was read as json, but starts like pon: set the format with -f";
    assert_eq!(hint(here.run(&["check", "wrong.json"])), [other]);
    let cut = "the input ends before the message does; is the file truncated?";
    assert_eq!(hint(here.run_with(&["check", "-"], &PON.as_bytes()[..20])), [cut]);
    assert_eq!(hint(here.run_with(&["check", "-f", "pon", "-"], b"")), ["the input is empty"]);
    let deep = hint(here.run_with(&["check", "--limit", "depth=1", "-"], PON.as_bytes()));
    assert_eq!(deep, ["if you trust the message, raise the limit: --limit depth=10"]);

    let run = here.run(&["convert", "echo.pon", "-t", "ponn"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("a similar value exists: 'pon'"), "{}", run.err);
}

#[test]
fn get_prints_values_of_pon_as_they_read() {
    let here = Place::new();
    here.file("all.pon", all_types());
    for (path, expected) in [
        ("/s", "a\n\"\\\n"),
        ("/i", "17\n"),
        ("/d", "1.50e3\n"),
        ("/y", "/wD+CoA=\n"),
        ("/b", "255\n"),
        ("/c", "€\n"),
        ("/t", "true\n"),
        ("/f", "false\n"),
        ("/u", "null\n"),
        ("/a", "6[2i17bA\n"),
        ("/a/1", "65\n"),
        ("/a/*[1]", ""),
        ("/o", "3{k:u\n"),
        // Steps that are more than keys and indexes.
        ("/o/*[1]", "null\n"),
        ("/*[2]", "17\n"),
        ("/1", "17\n"),
        ("/i[1]", "17\n"),
    ] {
        let run = here.run(&["get", "all.pon", path]);
        assert_eq!((run.text(), run.status), (expected, i32::from(expected.is_empty())), "{path}");
    }
    let line = |path: &str| here.run(&["get", "--json", "all.pon", path]).done().lines().remove(0);
    assert_eq!(line("/y"), json!({"file": "all.pon", "path": "/y", "type": "binary", "value": "/wD+CoA="}));
    assert_eq!(line("/b"), json!({"file": "all.pon", "path": "/b", "type": "byte", "value": 255}));
    assert_eq!(line("/o")["value"], json!({"k": null}));
}

#[test]
fn get_raw_writes_octets() {
    let here = Place::new();
    here.file("all.pon", all_types());
    here.run(&["convert", "all.pon", "-o", "all.tsf"]).done();
    here.run(&["convert", "-q", "all.pon", "-o", "all.json"]).done();
    for file in ["all.pon", "all.tsf"] {
        for (path, expected) in [
            ("/y", &b"\xFF\x00\xFE\n\x80"[..]),
            ("/b", b"\xFF"),
            ("/s", b"a\n\"\\"),
            ("/i", b"17"),
            ("/c", "€".as_bytes()),
            ("/t", b"true"),
            ("/u", b"null"),
            ("/a/1", b"A"),
        ] {
            assert_eq!(here.run(&["get", "--raw", file, path]).done().out, expected, "{file} {path}");
            here.run(&["get", "--raw", file, path, "-o", "out"]).done();
            assert_eq!(here.read("out"), expected, "{file} {path}");
        }
    }
    // JSON has lost what was octets.
    assert_eq!(here.run(&["get", "--raw", "all.json", "/y"]).done().text(), "/wD+CoA=");
    assert_eq!(here.run(&["get", "--raw", "all.pon", "/o"]).done().text(), "3{k:u");
    assert_eq!(here.run(&["get", "--raw", "all.pon", "/a"]).done().text(), "6[2i17bA");
    assert_eq!(here.run(&["get", "--raw", "all.pon", ""]).done().out, all_types());
    assert_eq!(here.run(&["get", "all.pon", "/i", "-o", "-"]).done().text(), "17\n");
}

#[test]
fn get_writes_a_file_whole_or_not_at_all() {
    let here = Place::new();
    here.file("all.pon", all_types()).file("old", "as it was");
    assert_eq!(here.run(&["get", "all.pon", "/nowhere", "-o", "old"]).status, 1);
    assert_eq!(here.text("old"), "as it was");
    assert_eq!(here.run(&["get", "all.pon", "/y", "-o", "nowhere/y"]).status, 3);
    let run = here.run(&["get", "all.pon", "/y", "--raw", "-o", "all.pon"]);
    assert_eq!((run.status, run.err.as_str()), (2, "error: the output 'all.pon' is the input itself\n"));
    assert_eq!(here.run(&["get", "all.pon", "/y", "--raw", "--json"]).status, 2);
    assert_eq!(here.names(), ["all.pon", "old"]);
}

#[test]
fn get_does_not_read_what_the_path_does_not_lead_through() {
    let here = Place::new();
    here.file("bad.pon", object(b"s:1s\xFFo:7{a:3sonei:2i1xz:9[9i"));
    assert_eq!(here.run(&["get", "bad.pon", "/o/a"]).done().text(), "one\n");
    assert_eq!(here.run(&["get", "bad.pon", "/o"]).done().text(), "7{a:3sone\n");
    // What is asked for is sound, or it is an error with its place in the message.
    for (path, expected) in [
        ("/s", "error: bad.pon: syntax at byte 7 in /s: found byte 0xFF, expected a string in UTF-8\n"),
        ("/z", "error: bad.pon: syntax at byte 7 in /s: found byte 0xFF, expected a string in UTF-8\n"),
        ("/nowhere", "error: bad.pon: syntax at byte 7 in /s: found byte 0xFF, expected a string in UTF-8\n"),
    ] {
        let run = here.run(&["get", "-q", "bad.pon", path]);
        assert_eq!((run.status, run.text(), run.err.as_str()), (1, "", expected), "{path}");
    }
}

#[test]
fn get_says_what_is_there_instead() {
    let here = Place::new();
    here.file("all.pon", all_types());
    let run = here.run(&["get", "all.pon", "/o/x"]);
    assert_eq!((run.status, run.err.as_str()), (1, "error: all.pon: no 'x' in /o\nhint: there is k\n"));
}

#[test]
fn compare_has_pon_in_table_page_and_picture() {
    let here = Place::new();
    let vibration = sample("vibration.pon");
    let run = here.run(&["compare", "--time", "0.01", &vibration, "--html", "c.xhtml", "--svg", "c.svg"]).done();
    let text = run.text();
    let (head, rows) = text.split_once("\n\n").unwrap();
    assert!(head.contains("\n  smallest             tsf, values  "), "{head}");
    let labels = rows.lines().skip(1).map_while(|line| line.trim().split("  ").next().filter(|l| !l.is_empty()));
    assert_eq!(
        labels.collect::<Vec<_>>(),
        ["pon, original", "json", "tsf, tokens", "tsf, values", "pon", "xml, exported"]
    );
    for (file, class) in [("c.svg", "<rect class=\"pon\""), ("c.xhtml", "<rect class=\"pon\""), ("c.svg", "svg .pon {")]
    {
        assert!(here.text(file).contains(class), "{file}");
    }
    let lines = here.run(&["compare", "--time", "0.01", "--json", &vibration]).done().lines();
    let pon: Vec<_> = lines.iter().filter(|line| line["format"] == "pon").collect();
    let size = fs::metadata(&vibration).unwrap().len();
    assert_eq!(pon.len(), 2);
    assert!(pon.iter().all(|line| line["bytes"] == size && line["decode_ns"].as_u64().is_some()));
    assert_eq!((&pon[1]["types"], &pon[1]["as_given"]), (&json!(null), &json!(false)));
}

/// A file that is larger than what may be read whole.
#[test]
fn a_value_of_a_file_larger_than_memory_may_be() {
    let here = Place::new();
    let payload: u64 = 2_000_000_000;
    let (before, after) = (format!("image:{payload}y"), "id:1i7s:3s\u{e9}xn:2[tf");
    let head = format!("{}{{{before}", before.len() as u64 + payload + after.len() as u64);
    let mut file = std::fs::File::create(here.path("big.pon")).unwrap();
    file.write_all(head.as_bytes()).unwrap();
    file.seek(SeekFrom::Current(payload as i64)).unwrap();
    file.write_all(after.as_bytes()).unwrap();
    assert_eq!(here.run(&["get", "big.pon", "/id"]).done().text(), "7\n");
    assert_eq!(here.run(&["get", "big.pon", "n/1", "--json"]).done().lines()[0]["value"], false);
    assert_eq!(here.run(&["get", "big.pon", "/n"]).done().text(), "2[tf\n");
    for (path, words) in [
        (
            "/image",
            "limit at byte 1073741824: found 2000000011 bytes, expected at most 1073741824 (limit message_bytes)\nhint: if you trust the message, raise the limit: --limit message_bytes=4294967295",
        ),
        (
            "/none",
            "nothing is found by '/none'\nhint: in a file of this size, a path has keys and indexes (from 0) only",
        ),
    ] {
        let run = here.run(&["get", "big.pon", path]);
        assert_eq!((run.status, run.err), (1, format!("error: big.pon: {words}\n")));
    }
    // An invalid value, and a file that was cut.
    file.seek(SeekFrom::End(-9)).unwrap();
    file.write_all(b"\xFF").unwrap();
    let run = here.run(&["get", "big.pon", "/s"]);
    assert_eq!(run.status, 1);
    assert!(run.err.starts_with("error: big.pon: syntax at byte 2000000038: found byte 0xFF"), "{}", run.err);
    file.set_len(payload).unwrap();
    let run = here.run(&["get", "big.pon", "/id"]);
    assert!(run.err.starts_with("error: big.pon: incomplete at byte 2000000000"), "{}", run.err);
}

/// The count is in a note and in the line of the result, for one message, for several, and for several files.
#[test]
fn strings_that_became_binary_are_counted() {
    let here = Place::new();
    let (one, other) = (r#"{"a":"Zm8=","b":["Zm9v"]}"#, r#"{"a":null}"#);
    here.file("in/1.json", one).file("in/2.json", other).file("all.jsonl", format!("{one}\n{other}\n{one}\n"));
    let option = "--binary-from-base64=a,b";
    let run = here.run(&["convert", "in/1.json", "-o", "1.pon", option, "--json", "--lossless"]);
    assert_eq!((&run.lines()[0]["binary"], &run.lines()[0]["losses"]), (&json!(2), &json!([])));
    assert_eq!(run.err, "note: in/1.json: 2 strings became binary data\n");
    assert_eq!(here.text("1.pon"), "15{a:2yfob:5[3yfoo");
    let run = here.run(&["convert", "all.jsonl", "-o", "all.pon", option, "--json", "--no-verify"]);
    assert_eq!((&run.lines()[0]["binary"], &run.lines()[0]["messages"]), (&json!(4), &json!(3)));
    let run = here.run(&["convert", "in", "-o", "out", "-t", "pon", option, "--json", "--quiet"]).done();
    let counts: Vec<_> = run.lines().iter().map(|line| line["binary"].clone()).collect();
    assert_eq!(counts, [2, 0]);
    assert_eq!(run.err, "");
    // What was named and is not converted.
    here.file("3.json", r#"{"a":["Zm8=",17,null,{}],"b":true}"#);
    let run = here.run(&["convert", "3.json", "-o", "3.pon", "--binary-from-base64=a,b,c"]);
    let words = "1 string became binary data; 3 values of these members not converted: not a string";
    assert_eq!(run.err, format!("note: 3.json: {words}; no string in a member 'b'; no string in a member 'c'\n"));
    for names in ["", "a,", ",a"] {
        let run = here.run(&["convert", "3.json", "-o", "4.pon", &format!("--binary-from-base64={names}")]);
        assert_eq!(run.status, 2, "{names}: {}", run.err);
    }
    // Without the option there is nothing to count.
    let run = here.run(&["convert", "in/1.json", "-o", "2.pon", "--json"]).done();
    assert_eq!((&run.lines()[0]["binary"], run.err.as_str()), (&json!(null), ""));
    assert_eq!(here.run(&["convert", "1.pon", "-t", "json", "--quiet"]).done().text(), format!("{one}\n"));
}
