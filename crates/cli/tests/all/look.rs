//! `lengthwise inspect`, `check` and `get`.

use crate::program::{Place, sample};
use serde_json::json;

/// A string has nothing inside, which is not being empty; `/` is the whole message for every option.
#[test]
fn get_says_what_has_no_members_and_takes_the_whole_message() {
    let here = Place::new();
    here.file("s.json", "\"x\"").file("e.json", "{}").file("n.json", "{\"a\":7}");
    for (arguments, words) in [
        (["s.json", "/a"], "hint: it is a simple value (string), which has nothing inside\n"),
        (["n.json", "/a/b"], "hint: it is a simple value (number), which has nothing inside\n"),
        (["e.json", "/a"], "hint: it is empty\n"),
    ] {
        let run = here.run(&["get", arguments[0], arguments[1]]);
        assert!(run.status == 1 && run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    for (options, expected) in [(&[][..], "{\"a\":7}\n"), (&["--all"], "{\"a\":7}\n"), (&["--count"], "1\n")] {
        assert_eq!(here.run(&[&["get", "n.json", "/"], options].concat()).done().text(), expected);
    }
    // JSON is in UTF-8 (RFC 8259 section 8.1); other programs write UTF-16 with a mark.
    here.file("u.json", b"\xFF\xFE{\0}\0").file("u", b"\xFE\xFF\0{\0}");
    for name in ["u.json", "u"] {
        let run = here.run(&["check", name]);
        assert_eq!(run.status, 1);
        assert!(
            run.err
                .contains("syntax at byte 0 (line 1, column 1): found a byte order mark of UTF-16, expected UTF-8 (RFC 8259 section 8.1)\n"),
            "{}",
            run.err
        );
        assert!(!run.err.contains("starts like"), "{}", run.err);
    }
}

#[test]
fn inspect_shows_tsf_beside_its_heads() {
    let here = Place::new();
    let run = here.run_with(&["inspect", "-"], b"3=9+ comment 4?perl3a<1=1k[v7[x\ny\tz\x1b!0b<").done();
    let expected = [
        "offset  head   length  type           name     value",
        "     0  3=    3 units  = document",
        "     2  9+    9 bytes  + comment                comment",
        "    13  4?    4 bytes  ? instruction           perl",
        "    19  3a<   3 units  < element        a",
        "    22  1=    1 unit   = attributes",
        "    24  1k[   1 byte   [ attribute          k  v",
        "    28  7[    7 bytes  [ text                  x\\ny\\tz\\u{1b}!",
        "    37  0b<   0 units  < element          b",
    ];
    assert_eq!(run.text().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn inspect_shows_where_text_stands_and_where_it_had_to_be_undone() {
    let here = Place::new();
    let run = here.run_with(&["inspect", "-"], b"<a b='1&gt;'>text</a>").done();
    let expected = [
        "offset   length  type          name   value",
        "     1  2 units  < element     a",
        "     -  1 unit   = attributes",
        "     -  2 bytes  [ attribute       b  1>",
        "    13  4 bytes  [ text               text",
    ];
    assert_eq!(run.text().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn inspect_prints_json_on_request() {
    let here = Place::new();
    let run = here.run_with(&["inspect", "--json", "-", "-f", "tsf", "--types", "value"], b"2{2b*\xff\x002i#17").done();
    let expected = [
        json!({"offset": 0, "depth": 0, "head": "2{", "type": "{", "kind": "object", "name": null, "units": 2}),
        json!({"offset": 2, "depth": 1, "head": "2b*", "type": "*", "kind": "binary", "name": "b", "length": 2,
            "hex": "ff00"}),
        json!({"offset": 7, "depth": 1, "head": "2i#", "type": "#", "kind": "integer", "name": "i", "length": 2,
            "value": "17", "utf8": true}),
    ];
    assert_eq!(run.lines(), expected);
}

#[test]
fn every_unit_of_a_message_of_characters_stands_where_inspect_says() {
    let here = Place::new();
    here.run(&["convert", "-q", &sample("order.xml"), "-o", "o.tsf", "--lengths", "chars"]).done();
    let message = here.read("o.tsf");
    let lines = here.run(&["inspect", "--json", "--lengths", "chars", "o.tsf"]).done().lines();
    let mut at = 0;
    for line in &lines {
        assert_eq!(line["offset"], at);
        let head = line["head"].as_str().unwrap();
        assert!(message[at..].starts_with(head.as_bytes()), "{line}");
        at += head.len();
        if let Some(value) = line["value"].as_str() {
            assert!(message[at..].starts_with(value.as_bytes()), "{line}");
            at += value.len();
        }
    }
    assert_eq!(at, message.len());
}

/// Counted by hand: three elements, an attribute, two texts; `3order<1=2id[171item<3[tea1item<4[milk` has 38 bytes.
#[test]
fn stats_count_what_the_tables_of_the_paper_count() {
    let here = Place::new();
    let order = b"<order id='17'><item>tea</item><item>milk</item></order>";
    let run = here.run_with(&["inspect", "-", "--stats"], order).done();
    let rows: Vec<Vec<&str>> = run.text().lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [
        &["element", "3", "13", "0", "6"][..],
        &["attributes", "1", "0", "0", "2"],
        &["attribute", "1", "2", "2", "2"],
        &["text", "2", "0", "7", "4"],
        &["all", "7", "15", "9", "14"],
        // Two names of 4 bytes, and one each of 2 and 5; three data of 1 to 9.
        &["3-4", "2"],
        &["5-8", "1"],
        &["1-9", "3"],
        &["bytes", "in", "xml", "56"],
        &["bytes", "in", "TSF", "38"],
        &["depth,", "most", "2"],
        &["children,", "most", "2"],
    ] {
        assert!(rows.contains(&row.to_vec()), "{row:?}: {rows:#?}");
    }
    let lines = here.run_with(&["inspect", "-", "--stats", "--json"], order).done().lines();
    let [line] = &lines[..] else { panic!("{lines:?}") };
    for (member, expected) in [
        ("bytes", json!(56)),
        ("tsf_bytes", json!(38)),
        ("units", json!(6)),
        ("rows", json!(7)),
        ("containers", json!(3)),
        // Depths 0, 1 and 1; children 2, 1 and 1, without the first 2.
        ("mean_depth", json!(0.7)),
        ("mean_children", json!(0.7)),
        // The order and its list, both items, and the outermost level.
        ("tam_allocations", json!(5)),
        ("tree_allocations", json!(6)),
        ("tag_bytes", json!(5 + 5 + 2 * (5 + 4))),
    ] {
        assert_eq!(line[member], expected, "{member}");
    }
    assert_eq!(line["data"][1], json!({"from": 1, "to": 9, "count": 3}));
    // 3.2 uJ a byte; 7 units of 148 instructions of 76 pJ.
    assert_eq!(line["microjoules"]["radio_tsf"].as_f64(), Some(121.6));
    assert_eq!(line["microjoules"]["reading_tsf"].as_f64(), Some(0.08));
}

#[test]
fn stats_are_of_every_format_of_documents_and_of_no_other() {
    let here = Place::new();
    here.file("a.json", r#"{"a":[1,"x",null]}"#).file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= NULL END");
    for (to, file) in [("json", "o.json"), ("tsf", "o.tsf"), ("pon", "o.pon")] {
        here.run(&["convert", "-q", "a.json", "-t", to, "-o", file]).done();
        let lines = here.run(&["inspect", file, "--stats", "--json"]).done().lines();
        assert_eq!((&lines[0]["rows"], &lines[0]["tag_bytes"]), (&json!(5), &json!(null)), "{to}");
    }
    for (to, file) in [("infoset-uper", "x.iuper"), ("tdxml", "x.tdxml"), ("tsf", "x.tsf")] {
        here.run(&["convert", "-q", &sample("map.xml"), "-t", to, "-o", file]).done();
        let lines = here.run(&["inspect", file, "--stats", "--json"]).done().lines();
        assert!(lines[0]["tag_bytes"].as_u64() > Some(0), "{to}");
    }
    let two = here.run_with(&["inspect", "-", "--framing", "lines", "--stats", "--json"], b"[]\n[1]\n").done().lines();
    assert_eq!((&two[0]["message"], &two[1]["rows"]), (&json!(1), &json!(2)));
    let refused = here.run(&["inspect", "a.json", "-f", "uper", "-s", "m.asn1", "--stats"]);
    let words = "error: --stats is for documents (XML, JSON, TSF, PON, infosets and TDXML), but the input is uper\n";
    assert_eq!((refused.status, refused.err.as_str()), (2, words));
    let both = here.run(&["inspect", "a.json", "--stats", "--by-type"]);
    assert!(both.status == 2 && both.err.contains("cannot be used with"), "{}", both.err);
    let broken = here.run_with(&["inspect", "-", "-f", "json", "--stats"], b"{\"a\":");
    assert!(broken.status == 1 && broken.text().is_empty(), "{}", broken.err);
}

#[test]
fn check_is_silent_about_sound_messages() {
    let here = Place::new();
    for name in ["order.xml", "map.xml", "config.json", "sensors.json"] {
        assert_eq!(here.run(&["check", &sample(name)]).done().text(), "");
    }
}

#[test]
fn check_reports_what_is_wrong_in_words_and_in_json() {
    let here = Place::new();
    let run = here.run(&["check", &sample("broken.xml")]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("found '</nmae>', expected '</name>'"), "{}", run.err);

    here.file("bad.json", "{\"a\": [1,\n 01]}").file("good.json", "1").file("cut.tsf", "2a<0b<");
    let run = here.run(&["check", "--json", "-q", "bad.json", "good.json", "cut.tsf", "missing"]);
    assert_eq!(run.status, 3);
    let lines = run.lines();
    assert_eq!(
        lines[0],
        json!({"file": "bad.json", "ok": false, "kind": "syntax", "format": "json", "offset": 11, "line": 2, "column": 2,
            "path": "/a", "found": "a leading zero", "expected": "a number without one"})
    );
    assert_eq!(lines[1], json!({"file": "good.json", "ok": true, "format": "json", "units": 1}));
    assert_eq!((&lines[2]["kind"], &lines[2]["line"]), (&json!("incomplete"), &json!(null)));
    assert_eq!(lines[3]["kind"], "io");
    assert_eq!(run.err.lines().count(), 3);
}

#[test]
fn a_name_with_the_wrong_format_is_doubted() {
    let here = Place::new();
    let run = here.file("a.xml", "{}").run(&["check", "a.xml"]);
    assert_eq!(run.status, 1);
    let hint = "hint: it was read as xml, but starts like json: set the format with -f\n";
    assert!(run.err.ends_with(hint), "{}", run.err);
    here.run(&["check", "-f", "json", "a.xml"]).done();
}

#[test]
fn a_flag_with_the_wrong_format_is_not_suggested_again() {
    let here = Place::new();
    let run = here.run_with(&["check", "-", "-f", "tsf"], b"12");
    assert_eq!(run.status, 1);
    assert!(run.err.ends_with("hint: the input starts like json, but -f says tsf\n"), "{}", run.err);
}

#[test]
fn an_empty_input_is_called_empty() {
    let here = Place::new();
    here.file("empty.xml", "");
    for arguments in [&["check", "-"][..], &["check", "-", "-f", "tsf"], &["check", "empty.xml"], &["get", "-", "/a"]] {
        let run = here.run(arguments);
        assert_eq!(run.status, 1);
        assert!(run.err.ends_with("\nhint: the input is empty\n"), "{}", run.err);
        assert_eq!(run.err.matches("hint").count(), 1, "{}", run.err);
    }
}

#[test]
fn a_line_end_that_an_editor_added_to_tsf_is_distinguished_from_other_errors() {
    let here = Place::new();
    let hint = |message: &[u8]| {
        let run = here.run_with(&["check", "-", "-f", "tsf"], message);
        assert_eq!(run.status, 1);
        run.err.lines().find_map(|line| line.strip_prefix("hint: ")).map(str::to_owned)
    };
    for (message, cut) in [(&b"1a<2[hi\n"[..], 1), (b"0a<\r\n", 2), (b"4'null\n", 1)] {
        let expected = format!(
            "a text editor or `echo` added a line end, which TSF does not allow: write the message with printf '%s', or \
             remove the line end with truncate -s -{cut}"
        );
        assert_eq!(hint(message), Some(expected));
    }
    assert_eq!(hint(b"1a<2[hi\n\n"), None);
    assert_eq!(hint(b"1a<2[hi\n0b<"), None);
}

#[test]
fn a_directory_with_nothing_to_check_is_reported() {
    let here = Place::new();
    let run = here.file("docs/README", "").run(&["check", "docs"]);
    let words = "error: docs: this directory has no file of a known format\n\
                 note: skipped 1 file: unknown format: docs/README\n";
    assert_eq!((run.status, run.err.as_str()), (1, words));
    let quiet = here.run(&["check", "-q", "docs", "--json"]);
    assert_eq!((quiet.status, quiet.err.lines().count()), (1, 1));
    let lines = quiet.lines();
    let unknown = "unknown format";
    assert_eq!(lines[0], serde_json::json!({"file": "docs/README", "skipped": true, "message": unknown}));
    assert_eq!((&lines[1]["file"], &lines[1]["ok"]), (&"docs".into(), &false.into()));
    // An empty directory among others is an error too; what is in the others is checked.
    here.file("more/a.json", "[");
    std::fs::create_dir(here.path("none")).unwrap();
    let run = here.run(&["check", "none", "more"]);
    assert!(
        run.status == 1 && run.err.starts_with("error: none: this directory has no file of a known format"),
        "{}",
        run.err
    );
    assert!(run.err.contains("error: more/a.json: incomplete"), "{}", run.err);
}

#[test]
fn check_points_at_the_byte_of_a_message_without_lines() {
    let here = Place::new();
    let run = here.run_with(&["check", "-"], b"2a<3[onex[two");
    assert_eq!(run.status, 1);
    assert_eq!(
        run.err,
        "error: standard input: syntax at byte 8 in /a: found 'x', expected the number of a unit\n |\n | 2a<3[onex[two\n \
         |         ^\n"
    );
}

#[test]
fn get_prints_scalars_as_they_read() {
    let here = Place::new();
    here.file("r.json", r#"{"s": "\u00e9\n", "n": 1.50, "b": true, "z": null, "a": [{"k": "v"}], "": 0}"#);
    here.run(&["convert", "r.json", "-o", "tokens.tsf"]).done();
    here.run(&["convert", "r.json", "-o", "values.tsf", "--types", "value"]).done();
    for file in ["r.json", "tokens.tsf", "values.tsf"] {
        for (path, expected) in
            [("/s", "é\n\n"), ("/n", "1.50\n"), ("/b", "true\n"), ("/z", "null\n"), ("/a/0/k", "v\n"), ("/", "0\n")]
        {
            assert_eq!(here.run(&["get", file, path]).done().text(), expected, "{file} {path}");
        }
    }
    assert_eq!(here.run(&["get", "--raw", "r.json", "/s"]).done().text(), "é\n");
}

#[test]
fn get_prints_what_holds_others_in_the_format_of_the_input() {
    let here = Place::new();
    here.file("r.json", r#"{"a": [1, {"k": "v"}]}"#).file("o.xml", "<o><i n='1'>a<b/></i><i>c</i></o>");
    here.run(&["convert", "r.json", "-o", "r.tsf"]).done();
    here.run(&["convert", "o.xml", "-o", "o.tsf"]).done();
    for (file, path, expected) in [
        ("r.json", "/a/1", "{\"k\":\"v\"}\n"),
        ("r.json", "/a", "[1,{\"k\":\"v\"}]\n"),
        ("r.tsf", "/a", "2[1'11{3k'\"v\"\n"),
        ("o.xml", "/o/i", "<i n=\"1\">a<b/></i>\n"),
        ("o.xml", "/o/i[2]", "<i>c</i>\n"),
        ("o.xml", "/o/i/@n", "1\n"),
        ("o.tsf", "/o/i[2]", "1i<1[c\n"),
        ("o.tsf", "/o/i[2]/text()", "c\n"),
    ] {
        assert_eq!(here.run(&["get", file, path]).done().text(), expected, "{file} {path}");
    }
}

/// Namespaces in XML 1.0, section 6.1: a declaration is in scope in all that its element holds. Those that are used are
/// printed; a text such as `a:b` may be a name.
#[test]
fn get_prints_elements_with_the_declarations_around_them() {
    let here = Place::new();
    let xml = "<a:o xmlns:a='urn:a' xmlns='urn:d' xmlns:b='urn:b' xmlns:z='urn:z'><a:i b:n='1' xmlns:b='urn:c'><k/></a:i>\
               <i xmlns=''><k xmlns='urn:e' n='b:x'/><k>a:b</k><k>http://x</k></i></a:o>";
    here.file("o.xml", xml);
    here.run(&["convert", "o.xml", "-o", "o.tsf"]).done();
    for (path, expected) in [
        ("/a:o/a:i", vec![r#"<a:i xmlns:a="urn:a" xmlns="urn:d" b:n="1" xmlns:b="urn:c"><k/></a:i>"#]),
        (
            "//k",
            vec![
                r#"<k xmlns="urn:d"/>"#,
                r#"<k xmlns:b="urn:b" xmlns="urn:e" n="b:x"/>"#,
                r#"<k xmlns:a="urn:a" xmlns="">a:b</k>"#,
                r#"<k xmlns="">http://x</k>"#,
            ],
        ),
    ] {
        let all = here.run(&["get", "o.xml", path, "--all"]).done();
        assert_eq!(all.text().lines().collect::<Vec<_>>(), expected, "{path}");
        let json = here.run(&["get", "o.xml", path, "--json", "--quiet"]).done().lines();
        assert_eq!(json[0]["value"], expected[0], "{path}");
        // A message of its own reads back.
        let mut part = here.run(&["get", "o.tsf", path, "--quiet"]).done().out;
        assert_eq!(part.pop(), Some(b'\n'));
        let back = here.run_with(&["convert", "-", "-f", "tsf", "-t", "xml"], &part).done();
        assert_eq!(back.text().trim_end(), expected[0], "{path}");
    }
}

#[test]
fn get_prints_json_on_request() {
    let here = Place::new();
    here.file("r.json", r#"{"a": [1.0, "x"]}"#).file("o.xml", "<o n='\"'><i>a</i></o>");
    let get = |file: &str, path: &str| here.run(&["get", "--json", file, path]).done().lines().remove(0);
    assert_eq!(get("r.json", "/a"), json!({"file": "r.json", "path": "/a", "type": "array", "value": [1.0, "x"]}));
    assert_eq!(get("r.json", "/a/1")["value"], "x");
    assert_eq!(get("o.xml", "/o/@n"), json!({"file": "o.xml", "path": "/o/@n", "type": "attribute", "value": "\""}));
    assert_eq!(get("o.xml", "/o/i")["value"], "<i>a</i>");
}

#[test]
fn get_names_the_step_that_is_missing_and_those_that_are_there() {
    let here = Place::new();
    here.file("o.xml", "<order id='1'><customer/><items/>text<items/></order>").file("e.json", "{}");
    let many: Vec<_> = (0..30).map(|n| format!("\"k{n}\":0")).collect();
    here.file("many.json", format!("{{{}}}", many.join(",")));
    for (file, path, expected) in [
        ("o.xml", "/order/item", "error: o.xml: no 'item' in /order\nhint: there are items, @id, customer, text()\n"),
        ("o.xml", "/oder", "error: o.xml: no 'oder' in /\nhint: there is order\n"),
        ("e.json", "/a/b", "error: e.json: no 'a' in /\nhint: it is empty\n"),
        (
            "many.json",
            "/x",
            "error: many.json: no 'x' in /\nhint: there are k0, k1, k2, k3, k4, k5, k6, k7, k8, k9 and 20 more\n",
        ),
    ] {
        let run = here.run(&["get", file, path]);
        assert_eq!((run.status, run.text(), run.err.as_str()), (1, "", expected));
    }
}

/// The order in PER has the paths of its XML, which are those of the document but for its prefixes.
#[test]
fn messages_by_an_xml_schema_have_the_paths_of_their_xml() {
    let here = Place::new();
    let (order, schema) = (sample("order.xml"), sample("order.xsd"));
    here.run(&["convert", &order, "-s", &schema, "-o", "order.uper", "--quiet"]).done();
    let get = |path: &str| here.run(&["get", "order.uper", path, "-s", &schema]);
    for (path, of_xml) in [
        ("/order/@id", "/o:order/@id"),
        ("/order/lines/g:line[2]/g:title/text()", "/o:order/o:lines/line[2]/title/text()"),
        ("/order/customer/name/text()", "/o:order/o:customer/o:name/text()"),
    ] {
        assert_eq!(get(path).done().out, here.run(&["get", &order, of_xml]).done().out, "{path}");
    }
    assert_eq!(
        get("/order/customer/email").done().text(),
        "<email xmlns=\"urn:example:order\">orders@pepper.example</email>\n"
    );
    // Paths of values come first.
    assert_eq!(get("/id").done().text(), "2024-0117\n");
    assert_eq!(get("/order/lines/line").err, "error: order.uper: no 'line' in /order/lines\nhint: there is g:line\n");
    assert!(get("/x").err.ends_with("hint: in the XML, the root is order\n"), "{}", get("/x").err);
    let count = |path: &str| here.run(&["get", "order.uper", path, "-s", &schema, "--count"]).done();
    assert_eq!((count("//*:line").text(), count("//nothing").text()), ("3\n", "0\n"));
}

#[test]
fn get_searches_and_asks() {
    let here = Place::new();
    let (order, sensors) = (sample("order.xml"), sample("sensors.json"));
    let all = here.run(&["get", &order, "//title/text()", "--all"]).done();
    assert_eq!(all.text(), "Green tea, 100 g\nCup <0.3 l>, blue & white\nLabels, printed\n");
    let ended = here.run(&["get", &order, "//title/text()", "--all", "-0"]).done();
    assert_eq!(ended.text(), all.text().replace('\n', "\0"));
    assert_eq!(here.run(&["get", &order, "//line", "--count"]).done().text(), "3\n");
    assert_eq!(here.run(&["get", &order, "//nothing", "--count"]).done().text(), "0\n");
    assert_eq!(
        here.run(&["get", &order, "//line[@quantity=3]/title/text()"]).done().text(),
        "Cup <0.3 l>, blue & white\n"
    );
    let first = here.run(&["get", &order, "//title/text()"]);
    assert_eq!((first.status, first.text()), (0, "Green tea, 100 g\n"));
    assert!(first.err.ends_with(": the first of 3; --all prints the other 2 too\n"), "{}", first.err);
    let nothing = here.run(&["get", &order, "//line[price>1000]"]);
    assert_eq!((nothing.status, nothing.out.len()), (1, 0));
    assert!(nothing.err.ends_with(": nothing is found by '//line[price>1000]'\n"), "{}", nothing.err);
    // The same of every format that holds the document, and of values.
    here.run(&["convert", &order, "-o", "order.tsf", "--quiet"]).done();
    assert_eq!(here.run(&["get", "order.tsf", "//title/text()", "--all"]).done().text(), all.text());
    here.run(&["convert", &sensors, "-o", "sensors.pon"]).done();
    for file in [&sensors, "sensors.pon"] {
        let rooms = here.run(&["get", file, "//*[co2>1300]/room", "--all"]).done();
        assert_eq!(rooms.text(), "tomatoes\nstore\nseedlings\n", "{file}");
    }
    // Names with the characters of a query are still names.
    here.file("odd.json", r#"{"a[b]": 1, "//": {"c": 2}}"#);
    assert_eq!(here.run(&["get", "odd.json", "/a[b]"]).done().text(), "1\n");
    assert_eq!(here.run(&["get", "odd.json", "/'a[b]'", "--all"]).done().text(), "1\n");
    let bad = here.run(&["get", &order, "//line[", "--all"]);
    assert_eq!(bad.status, 2);
    assert!(bad.err.contains("the path '//line[' is no query: syntax at byte 7"), "{}", bad.err);
    assert_eq!(here.run(&["get", &order, "//line", "-0"]).status, 2);
    let bad = here.run(&["get", &order, "//line["]);
    assert!(bad.status == 1 && bad.err.contains("hint: it is no query either: syntax at byte 7: "), "{}", bad.err);
}

/// The examples of Namespaces in XML 1.0, sections 6.2 and 6.3.
#[test]
fn a_name_in_braces_is_of_a_namespace() {
    let here = Place::new();
    here.file(
        "book.xml",
        "<?xml version='1.0'?>
<book xmlns='urn:loc.gov:books' xmlns:isbn='urn:ISBN:0-395-36341-6'>
  <title>Cheaper by the Dozen</title>
  <isbn:number>1568491379</isbn:number>
  <notes>
    <p xmlns='http://www.w3.org/1999/xhtml'>This is a <i>funny</i> book!</p>
  </notes>
</book>",
    );
    here.file(
        "beers.xml",
        "<Beers><table xmlns='http://www.w3.org/1999/xhtml'><th><td>Name</td></th><tr>
<td><brandName xmlns=\"\">Huntsman</brandName></td>
<td><details xmlns=\"\"><class>Bitter</class><pro>Wonderful hop, light alcohol</pro></details></td></tr></table></Beers>",
    );
    here.file(
        "x.xml",
        "<x xmlns:n1='http://www.w3.org' xmlns='http://www.w3.org'><good a='1' b='2'/><good a='3' n1:a='4'/></x>",
    );
    for (file, query, expected) in [
        ("book.xml", "//{urn:loc.gov:books}*", "3"),
        ("book.xml", "//{urn:ISBN:0-395-36341-6}number", "1"),
        ("book.xml", "//{http://www.w3.org/1999/xhtml}p/{http://www.w3.org/1999/xhtml}i", "1"),
        ("book.xml", "//{urn:loc.gov:books}i", "0"),
        ("book.xml", "/{urn:loc.gov:books}book[{urn:ISBN:0-395-36341-6}number=1568491379]", "1"),
        ("beers.xml", "//{}*", "5"),
        ("beers.xml", "//{http://www.w3.org/1999/xhtml}td", "3"),
        ("beers.xml", "//{}td", "0"),
        ("x.xml", "//{http://www.w3.org}good", "2"),
        ("x.xml", "//@{http://www.w3.org}a", "1"),
        ("x.xml", "//@{}a", "2"),
        ("x.xml", "//@{}*", "3"),
        ("x.xml", "//{http://www.w3.org}good[@{http://www.w3.org}a=4]/@a", "1"),
    ] {
        assert_eq!(here.run(&["get", file, query, "--count"]).done().text().trim(), expected, "{query}");
    }
    let unclosed = here.run(&["get", "x.xml", "//{http://www.w3.org", "--all"]);
    assert!(unclosed.status == 2 && unclosed.err.contains("a namespace and }"), "{}", unclosed.err);
    // A member of JSON may be called so.
    here.file("a.json", r#"{"{a}b": 1}"#);
    assert_eq!(here.run(&["get", "a.json", "/{a}b"]).done().text(), "1\n");
}

#[test]
fn each_that_is_found_is_printed_with_all_in_it() {
    let here = Place::new();
    here.file("deep.json", r#"[{"x":{"a":[1,{"x":{}}],"x":[true,{"b":"c"}]}},{"x":7}]"#);
    let found = "{\"a\":[1,{\"x\":{}}],\"x\":[true,{\"b\":\"c\"}]}\n{}\n[true,{\"b\":\"c\"}]\n7\n";
    assert_eq!(here.run(&["get", "deep.json", "//x", "--all"]).done().text(), found);
    here.file("deep.xml", "<a k='1'><b k='2'>t<c k='3'/></b></a>");
    for (query, kind) in [("//@k", "attribute"), ("//c", "element"), ("//text()", "text")] {
        let lines = here.run(&["get", "deep.xml", query, "--all", "--json"]).done().lines();
        assert!(!lines.is_empty() && lines.iter().all(|line| line["type"] == kind), "{query}: {lines:?}");
    }
}

#[test]
fn each_that_is_found_has_its_path_in_json() {
    let here = Place::new();
    let order = sample("order.xml");
    let lines = here.run(&["get", &order, "//title", "--all", "--json"]).done().lines();
    let paths: Vec<_> = lines.iter().map(|line| line["path"].as_str().unwrap()).collect();
    assert_eq!(paths.len(), 3);
    for (path, line) in paths.iter().zip(&lines) {
        assert_eq!(here.run(&["get", &order, path, "--json"]).done().lines()[0]["value"], line["value"], "{path}");
    }
}
