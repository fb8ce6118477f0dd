//! Type sets of the user's own, in a file.

use serde_json::json;

use crate::program::Place;

const SET: &str = "# Readings
structured ( object
structured < array
primitive  : string
primitive  # number
primitive  ? boolean
primitive  $ number
primitive  !
";

/// A place with the set, and messages under it.
fn here() -> Place {
    let here = Place::new();
    here.file("r.types", SET).file("r.json", r#"{"room":"attic","t":21.50,"ok":[true,7]}"#);
    here.file("r.tsf", "3(5room:attic5t#21.502ok<1?t1#7").file("cents.tsf", "1(2p$12").file("own.tsf", "1(1n!x");
    here
}

#[test]
fn json_and_pon_are_written_under_a_set_in_a_file_and_read_back() {
    let here = here();
    here.run(&["convert", "r.json", "-o", "o.tsf", "--types", "r.types", "--lossless"]).done();
    assert_eq!(here.text("o.tsf"), here.text("r.tsf"));
    let run = here.run(&["convert", "o.tsf", "-t", "json", "--types", "r.types", "--lossless"]).done();
    assert_eq!(run.text().trim_end(), here.text("r.json"));
    here.run(&["convert", "o.tsf", "-o", "o.pon", "--types", "r.types", "--lossless"]).done();
    assert_eq!(here.text("o.pon"), "30{room:5sattict:5d21.50ok:4[t1i7");
    let run = here.run(&["convert", "o.pon", "-t", "tsf", "--types", "r.types", "--lossless"]).done();
    assert_eq!(run.text(), here.text("r.tsf"));
    // The built-in sets on the other side.
    let run = here.run(&["convert", "o.tsf", "-t", "tsf", "--from-types", "r.types", "--types", "value"]).done();
    assert_eq!(run.text(), "3{5room'attic5t%21.502ok[1?t1#7");
    let run = here.run(&["convert", "o.tsf", "-t", "tsf", "--from-types", "r.types"]).done();
    assert_eq!(run.text(), here.text("r.tsf"));
}

#[test]
fn documents_of_a_set_in_a_file_are_looked_at_like_others() {
    let here = here();
    let with = |arguments: &[&str]| here.run(&[arguments, &["--types", "r.types"]].concat()).done();
    assert_eq!(with(&["check", "r.tsf"]).text(), "");
    assert_eq!(with(&["get", "r.tsf", "/ok/1"]).text(), "7\n");
    assert_eq!(with(&["get", "r.tsf", "/ok"]).text(), "2<1?t1#7\n");
    assert_eq!(with(&["get", "r.tsf", "//*[.>10]"]).text(), "21.50\n");
    assert_eq!(with(&["get", "r.tsf", "/ok", "--json"]).lines()[0]["value"], json!([true, 7]));
    let kinds = |file| -> Vec<_> {
        let lines = with(&["inspect", file, "--json"]).lines();
        lines.iter().map(|line| format!("{} {}", line["type"], line["kind"]).replace('"', "")).collect()
    };
    assert_eq!(kinds("r.tsf"), ["( object", ": string", "# number", "< array", "? boolean", "# number"]);
    assert_eq!(kinds("own.tsf"), ["( object", "! unit"]);
    let stats = with(&["inspect", "r.tsf", "--stats", "--json"]).lines();
    assert_eq!((&stats[0]["tsf_bytes"], &stats[0]["containers"]), (&json!(31), &json!(2)));
    here.file("two.tsf", "1(1a:x1(1a:y");
    assert_eq!(with(&["get", "two.tsf", "/a", "--framing", "tsf"]).text(), "x\ny\n");
    let table = with(&["convert", "cents.tsf", "-t", "csv"]);
    assert_eq!(table.text(), "p\n12\n");
}

#[test]
fn what_a_set_in_a_file_cannot_say_is_reported() {
    let here = here();
    // Two types with one meaning: the second comes back as the first.
    let run = here.run(&["convert", "cents.tsf", "-t", "json", "--types", "r.types"]);
    assert_eq!((run.text(), run.err.as_str()), ("{\"p\":12}\n", "note: cents.tsf: 1 type changed (in /p)\n"));
    assert_eq!(here.run(&["convert", "cents.tsf", "-t", "json", "--types", "r.types", "--lossless"]).status, 1);
    let refused = |arguments: &[&str], words: &str| {
        let run = here.run(&[arguments, &["--types", "r.types"]].concat());
        assert_eq!((run.status, run.err.as_str(), run.text()), (1, format!("error: {words}\n").as_str(), ""));
    };
    refused(
        &["convert", "own.tsf", "-t", "json"],
        "own.tsf: unsupported at byte 0 in /n: found a unit of the type '!', which has no meaning, expected a type set that says \
         what it means",
    );
    here.file("null.json", r#"{"a":[null]}"#).file("a.xml", "<a/>");
    refused(
        &["convert", "null.json", "-t", "tsf"],
        "null.json: unsupported at byte 0 in /a/0: found a value that is 'null', expected a type set with that meaning",
    );
    refused(
        &["convert", "a.xml", "-t", "tsf"],
        "a.xml: unsupported at byte 0: found an XML document, expected a document of JSON values: XML has no single form in JSON",
    );
}

#[test]
fn a_file_that_is_no_type_set_is_an_error_with_its_line() {
    let here = here();
    here.file("bad.types", "# Readings\nprimitive # integer\nprimitive $ cents\n");
    let run = here.run(&["check", "r.tsf", "--types", "bad.types"]);
    let first =
        "error: bad.types: syntax at byte 43 (line 3, column 13): found 'cents', expected a meaning (object, array, ";
    assert!(run.status == 1 && run.err.starts_with(first), "{}", run.err);
    for option in ["--types", "--from-types"] {
        let run = here.run(&["convert", "r.tsf", "-t", "tsf", option, "vlaue"]);
        let words = format!("error: {option}: 'vlaue' is not xml, json or value, and there is no such file\n");
        assert_eq!((run.status, run.err), (2, words));
    }
    here.file("empty.types", "").file("dir/x", "");
    let run = here.run(&["check", "r.tsf", "--types", "empty.types"]);
    assert!(run.status == 1 && run.err.contains("found no type"), "{}", run.err);
    assert_eq!(here.run(&["check", "r.tsf", "--types", "dir"]).status, 3);
    let run = here.run(&["check", "r.json", "--types", "r.types"]);
    assert_eq!((run.status, run.err.as_str()), (2, "error: --types is for TSF, but the input is json\n"));
}
