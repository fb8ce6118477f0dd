//! `convert -t parquet|arrow|csv`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what a test cannot set up, it cannot test")]

use std::fs::File;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::program::{Place, sample};

fn parquet(here: &Place, name: &str) -> Vec<RecordBatch> {
    let file = File::open(here.path(name)).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    reader.map(Result::unwrap).collect()
}

fn rows(batches: &[RecordBatch]) -> usize {
    batches.iter().map(RecordBatch::num_rows).sum()
}

/// The integers at a path of structures.
fn integers(batches: &[RecordBatch], path: &[&str]) -> Vec<Option<i64>> {
    let mut all = Vec::new();
    for batch in batches {
        let mut array = batch.column_by_name(path[0]).unwrap().clone();
        for name in &path[1..] {
            array = array.as_struct().column_by_name(name).unwrap().clone();
        }
        all.extend(array.as_primitive::<Int64Type>().iter());
    }
    all
}

/// Ten messages in UPER, each with its length in front, and what is in them as JSON.
fn weather(here: &Place) -> (String, Vec<serde_json::Value>) {
    let schema = sample("weather.asn1");
    let example = ["example", "-s", &schema, "--count", "10"];
    let framed = [&example[..], &["-t", "uper", "--to-framing", "u16be", "-o", "w.bin"]].concat();
    here.run(&framed).done();
    (schema.clone(), here.run(&example).done().lines())
}

const FRAMED: [&str; 4] = ["--framing", "u16be", "-f", "uper"];

#[test]
fn a_table_has_a_row_for_each_message_and_a_column_for_each_component() {
    let here = Place::new();
    let (schema, messages) = weather(&here);
    let to = |output: &str, more: &[&str]| {
        here.run(&[&["convert", "w.bin", "-s", &schema, "-o", output], &FRAMED[..], more].concat())
    };
    to("w.parquet", &[]).done();
    let batches = parquet(&here, "w.parquet");
    assert_eq!(rows(&batches), 10);
    let expected =
        |pointer: &str| messages.iter().map(|one| one.pointer(pointer).unwrap().as_i64()).collect::<Vec<_>>();
    assert_eq!(integers(&batches, &["station", "id"]), expected("/station/id"));
    assert_eq!(integers(&batches, &["station", "place", "metres"]), expected("/station/place/metres"));
    let readings = batches[0].column_by_name("readings").unwrap();
    let lengths: Vec<usize> = (0..10).map(|row| readings.as_list::<i32>().value(row).len()).collect();
    let expected: Vec<usize> = messages.iter().map(|one| one["readings"].as_array().unwrap().len()).collect();
    assert_eq!(lengths, expected);

    // Arrow has the same, and CSV what is no list.
    to("w.arrow", &["--batch-rows", "3"]).done();
    let reader = arrow_ipc::reader::FileReader::try_new(File::open(here.path("w.arrow")).unwrap(), None).unwrap();
    let arrow: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    assert_eq!(arrow.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [3, 3, 3, 1]);
    assert_eq!(integers(&arrow, &["station", "id"]), integers(&batches, &["station", "id"]));
    let lists = to("w.csv", &[]);
    assert!(lists.status == 2 && lists.err.contains("the column readings has lists"), "{}", lists.err);
    assert!(!here.names().contains(&"w.csv".to_owned()));
    let json = to("w.csv", &["--columns", "since,/station/place", "--json"]).done().lines();
    assert_eq!((&json[0]["rows"], &json[0]["columns"], &json[0]["to"]), (&10.into(), &4.into(), &"csv".into()));
    let csv = here.text("w.csv");
    let mut lines = csv.lines();
    let heading = "station/place/latitude,station/place/longitude,station/place/metres,since";
    assert_eq!(lines.next(), Some(heading));
    for (line, message) in lines.zip(&messages) {
        let place = &message["station"]["place"];
        let since = message["since"].as_str().unwrap();
        assert_eq!(line, format!("{},{},{},{since}", place["latitude"], place["longitude"], place["metres"]));
    }
}

#[test]
fn a_table_is_the_same_whatever_the_format_of_its_messages() {
    let here = Place::new();
    let (schema, messages) = weather(&here);
    let lines: String = messages.iter().map(|message| format!("{message}\n")).collect();
    here.file("w.jsonl", lines);
    here.run(&["convert", "w.jsonl", "-s", &schema, "-t", "ber", "-o", "w.ber", "--quiet"]).done();
    let xer = ["convert", "w.jsonl", "-s", &schema, "-t", "xer", "--to-framing", "lines", "-o", "w.xer", "--quiet"];
    here.run(&xer).done();
    let table = |arguments: &[&str]| {
        here.run(&[&["convert", "-s", &schema, "-o", "w.parquet"], arguments].concat()).done();
        parquet(&here, "w.parquet")
    };
    let expected = table(&[&["w.bin"], &FRAMED[..]].concat());
    assert_eq!(table(&["w.jsonl"]), expected);
    assert_eq!(table(&["w.ber", "--framing", "ber"]), expected);
    assert_eq!(table(&["w.xer", "-f", "xer", "--framing", "lines"]), expected);
}

#[test]
fn documents_of_an_xml_schema_become_rows() {
    let here = Place::new();
    let order = std::fs::read_to_string(sample("order.xml")).unwrap();
    here.file("in/a.xml", order.replace("2024-0117", "1111-1111"))
        .file("in/b.xml", order.replace("2024-0117", "2222-2222"));
    here.file("in/c.xml", order.replace("quantity=\"12\"", "quantity=\"many\""));
    let schema = sample("order.xsd");
    let columns = ["--columns", "id,total/net,customer/since"];
    let run = here.run(&[&["convert", "in", "-s", &schema, "-o", "o.csv"][..], &columns].concat());
    assert_eq!(run.status, 1);
    assert!(
        run.err.contains("error: in/c.xml: ") && run.err.contains("note: 2 rows; messages that could not be read: 1\n"),
        "{}",
        run.err
    );
    assert_eq!(
        here.text("o.csv"),
        "id,customer/since,total/net\n1111-1111,2011-03-05,111.3\n2222-2222,2011-03-05,111.3\n"
    );
}

/// Quotes and commas as RFC 4180 has them. pyarrow, polars and DuckDB distinguish null and the empty text in the same way, also
/// where it is the only value of a line.
#[test]
fn every_simple_value_has_a_text_in_csv() {
    let here = Place::new();
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { t UTF8String OPTIONAL, r REAL OPTIONAL,
        o OCTET STRING OPTIONAL, e ENUMERATED { red, green } OPTIONAL, c CHOICE { i INTEGER, b BIT STRING } OPTIONAL } END";
    here.file("m.asn1", module);
    let first = r#"{"t":"a, \"b\"","r":1.5,"o":"00FFA0","e":"green","c":{"i":-7}}"#;
    let second = r#"{"t":"two\nlines","r":1e300,"c":{"b":{"value":"A0","length":3}}}"#;
    here.file("t.jsonl", format!("{first}\n{second}\n{{}}\n"));
    let convert = ["convert", "t.jsonl", "--framing", "json", "-s", "m.asn1", "-t", "csv"];
    let csv = "t,r,o,e,c/_tag,c/i,c/b\n\"a, \"\"b\"\"\",1.5,00ffa0,green,i,-7,\n\
        \"two\nlines\",1e300,,,b,,101\n,,,,,,\n";
    assert_eq!(here.run(&convert).done().out, csv.as_bytes());
    let one = here.run(&[&convert[..], &["--columns", "t"]].concat()).done().out;
    assert_eq!(one, b"t\n\"a, \"\"b\"\"\"\n\"two\nlines\"\n\n");
    here.file("e.jsonl", "{\"a\":\"\",\"b\":1}\n{\"b\":2}\n{\"a\":\" \",\"b\":3}\n");
    assert_eq!(here.run(&["convert", "e.jsonl", "-t", "csv"]).done().out, b"a,b\n\"\",1\n,2\n ,3\n");
}

/// Names with the characters that separate names, in the heading too; columns that are left out, whose members are not read.
#[test]
fn columns_may_have_any_name_and_be_left_out() {
    let here = Place::new();
    here.file(
        "t.jsonl",
        "{\"a,b\":{\"c/d\":1,\"e\":2},\"\":3,\"x\":{\"y\":4}}\n{\"a,b\":{\"c/d\":5,\"e\":6},\"\":7,\"x\":\"z\"}\n",
    );
    let csv = |more: &[&str]| here.run(&[&["convert", "t.jsonl", "-t", "csv"], more].concat()).done().text().to_owned();
    let named = csv(&["--columns", "\"a,b\"/'c/d',\"\""]);
    assert_eq!(named, "\"a,b/c~1d\",\"\"\n1,3\n5,7\n");
    assert_eq!(csv(&["--exclude-columns", "x,'a,b'/e"]), named);
    assert_eq!(csv(&["--columns", "'a,b',\"\"", "--exclude-columns", "'a,b'/e"]), named);
    let refused = here.run(&["convert", "t.jsonl", "-t", "csv", "--exclude-columns", "z"]);
    assert!(refused.status == 2 && refused.err.contains("no component 'z' in Document"), "{}", refused.err);
}

/// The moment of GeneralizedTime is that of RFC 3339.
#[test]
fn times_become_timestamps_where_asked() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= SEQUENCE { d DATE, t GeneralizedTime, p REAL OPTIONAL } END");
    here.file(
        "t.jsonl",
        r#"{"d":"2026-03-01","t":"20260301013000.5+02"}
{"d":"2026-03-02","t":"20260302000000"}
"#,
    );
    let to = |more: &[&str]| here.run(&[&["convert", "t.jsonl", "-s", "m.asn1", "--columns", "d,t"], more].concat());
    let csv = to(&["-t", "csv"]).done();
    assert_eq!(csv.text(), "d,t\n2026-03-01,20260301013000.5+02\n2026-03-02,20260302000000\n");
    let utc = to(&["-t", "csv", "--times", "utc"]);
    assert_eq!((utc.status, utc.text()), (1, "d,t\n2026-03-01,2026-02-28T23:30:00.5Z\n"));
    assert!(utc.err.contains("in /t: found \"20260302000000\", without a time zone"), "{}", utc.err);
    let local = to(&["-t", "csv", "--times", "local"]);
    assert_eq!((local.status, local.text()), (1, "d,t\n2026-03-02,2026-03-02T00:00:00\n"));
    to(&["-o", "t.parquet", "--times", "utc", "-q"]);
    let back = here.run(&["convert", "t.parquet", "-s", "m.asn1", "-t", "json"]).done();
    assert_eq!(back.text().trim_end(), r#"{"d":"2026-03-01","t":"20260228233000.5Z"}"#);
    let used = here.run(&["convert", "t.jsonl", "-s", "m.asn1", "-t", "uper", "-o", "t.uper", "--times", "utc"]);
    assert!(used.status == 2 && used.err.contains("--times is for writing a table"), "{}", used.err);
}

#[test]
fn parquet_does_not_hold_structures_without_fields() {
    let here = Place::new();
    here.file("t.jsonl", "{\"n\":1,\"l\":[{\"e\":{}}]}\n{\"n\":2,\"l\":[]}\n");
    let without = here.run(&["convert", "t.jsonl", "-o", "t.parquet"]);
    assert_eq!(
        (without.status, &*without.err),
        (0, "note: l has no components and no column, which parquet cannot hold\n")
    );
    assert_eq!(integers(&parquet(&here, "t.parquet"), &["n"]), [Some(1), Some(2)]);
    assert_eq!(parquet(&here, "t.parquet")[0].num_columns(), 1);
    assert!(here.run(&["convert", "t.jsonl", "-o", "t.parquet", "--exclude-columns", "l"]).done().err.is_empty());
    assert_eq!(here.run(&["convert", "t.jsonl", "-o", "t.arrow"]).status, 0);
}

#[test]
fn what_cannot_be_read_is_left_out_or_null_or_ends_the_run() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= SEQUENCE { a INTEGER (0..255), b BOOLEAN } END");
    // The second message ends too early, the fourth has bytes left.
    here.file("t.hex", "0180\n01\n0300\n030000\n0500\n");
    let to = |output: &str, on_error: &[&str]| {
        let arguments = ["convert", "t.hex", "-f", "uper", "--framing", "hex-lines", "-s", "m.asn1", "-o", output];
        here.run(&[&arguments[..], on_error].concat())
    };
    let collected = to("c.csv", &[]);
    assert_eq!((collected.status, &*here.text("c.csv")), (1, "a,b\n1,true\n3,false\n5,false\n"));
    assert!(collected.err.contains("error: t.hex, message 2 (byte 5): incomplete at byte 1"), "{}", collected.err);
    assert!(collected.err.contains("error: t.hex, message 4 (byte 13): syntax at byte 2"), "{}", collected.err);
    assert!(collected.err.ends_with("note: 3 rows; messages that could not be read: 2\n"), "{}", collected.err);
    let nulls = to("n.csv", &["--on-error", "null", "--json"]);
    assert_eq!((nulls.status, &*here.text("n.csv")), (1, "a,b\n1,true\n,\n3,false\n,\n5,false\n"));
    assert_eq!((&nulls.lines()[0]["rows"], &nulls.lines()[0]["failed"]), (&5.into(), &2.into()));
    let raised = to("r.csv", &["--on-error", "raise"]);
    assert!(raised.status == 1 && raised.err.matches("error: ").count() == 1, "{}", raised.err);
    assert!(!here.names().contains(&"r.csv".to_owned()));
}

/// With a schema the columns are known, so that no message is a table of no row.
#[test]
fn no_message_is_a_table_without_rows() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= SEQUENCE { a INTEGER, b BOOLEAN } END");
    here.file("none.jsonl", "").file("blank.jsonl", "\n\n").file("one.jsonl", "{\"a\":1,\"b\":true}\n");
    for inputs in [&["none.jsonl"][..], &["blank.jsonl", "none.jsonl"], &["none.jsonl", "one.jsonl"]] {
        let run = here.run(&[&["convert", "-s", "m.asn1", "-t", "csv"], inputs].concat());
        let expected = if inputs.contains(&"one.jsonl") { "a,b\n1,true\n" } else { "a,b\n" };
        assert_eq!((run.status, run.text()), (0, expected));
        assert!(run.err.contains("note: none.jsonl: no message\n"), "{}", run.err);
    }
    here.run(&["convert", "none.jsonl", "-s", "m.asn1", "-o", "none.parquet", "-q"]).done();
    assert_eq!(rows(&parquet(&here, "none.parquet")), 0);
    let inferred = here.run(&["convert", "none.jsonl", "-t", "csv"]);
    assert_eq!((inferred.status, inferred.text()), (1, ""));
}

#[test]
fn what_does_not_apply_to_tables_is_refused() {
    let here = Place::new();
    here.file("a.json", "{}")
        .file("a.xml", "<a/>")
        .file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= SEQUENCE { a INTEGER OPTIONAL } END");
    for (arguments, words) in [
        (&["convert", "a.json", "-o", "a.parquet"][..], "the documents have no members that could be columns"),
        (&["convert", "a.xml", "-o", "a.parquet"], "parquet of xml needs a schema: name one with -s"),
        (
            &["convert", "a.json", "-s", "m.asn1", "-o", "a.csv", "--lossless"],
            "--lossless is for writing messages, but this writes csv",
        ),
        (
            &["convert", "a.json", "-s", "m.asn1", "-o", "a.csv", "--threads", "2"],
            "--threads is for writing messages, and checking them, but this writes csv",
        ),
        (
            &["convert", "a.json", "-s", "m.asn1", "-o", "a.uper", "--columns", "a"],
            "--columns is for writing a table (parquet, arrow, csv), but this converts json to uper",
        ),
        (&["convert", "a.json", "-s", "m.asn1", "-o", "a.csv", "--columns", "b"], "no component 'b' in T"),
        (&["convert", "a.json", "-s", "m.asn1", "-t", "csv", "-o", "."], "a table is one file, but '.' is a directory"),
    ] {
        let run = here.run(arguments);
        assert!(run.status == 2 && run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    assert_eq!(here.names(), ["a.json", "a.xml", "m.asn1"]);
    // Without a file, the table goes to standard output.
    let csv = here.run(&["convert", "a.json", "-s", "m.asn1", "-t", "csv"]).done();
    assert_eq!(csv.text(), "a\n\n");
}

/// An array is a value of a message, not messages.
#[test]
fn an_array_is_one_row_and_a_note_says_so() {
    let here = Place::new();
    here.file("a.json", "[{\"a\":1},{\"a\":2}]").file("l.jsonl", "[1]\n[2]\n");
    let run = here.run(&["convert", "a.json", "-o", "a.parquet"]);
    assert_eq!(run.status, 0);
    assert!(
        run.err.starts_with("note: the document is an array, which is one row: `jq -c '.[]'` makes lines"),
        "{}",
        run.err
    );
    here.run(&["convert", "l.jsonl", "-o", "l.parquet"]).done();
}

/// Documents without a schema, in every format that holds them, and from several files.
#[test]
fn columns_are_inferred_from_documents() {
    let here = Place::new();
    here.file(
        "a.jsonl",
        r#"{"id":1,"name":"a","t":20,"at":{"x":1}}
{"id":2,"name":null,"t":20.5,"at":{"x":2,"y":[1,2]}}
{"id":"three"}
{"id":4,"t":
{"id":5,"ok":true}
"#,
    );
    let columns = ["--columns", "id,name,t,at/x,ok"];
    let run = here.run(&[&["convert", "a.jsonl", "-t", "csv"], &columns[..]].concat());
    let expected = "id,name,t,at/x,ok\n1,a,20.0,1,\n2,,20.5,2,\n5,,,,true\n";
    assert_eq!((run.status, run.text()), (1, expected));
    assert!(
        run.err.contains("a.jsonl, message 3 (byte 93): schema at byte 6 (line 1, column 7) in /id: found a string"),
        "{}",
        run.err
    );
    assert_eq!(run.err.matches("error: ").count(), 2, "{}", run.err);
    assert!(
        run.err.ends_with("note: without a schema (-s), the first value in a column decides its type\n"),
        "{}",
        run.err
    );
    let run = here.run(&["convert", "a.jsonl", "-t", "csv", "--columns", "id,name", "--batch-rows", "1"]);
    assert!(run.err.ends_with("those of the first 1 messages: --batch-rows looks at more\n"), "{}", run.err);
    for (format, framing) in [("pon", "pon"), ("tsf", "tsf")] {
        let name = format!("a.{format}s");
        here.run(&["convert", "a.jsonl", "-t", format, "--to-framing", framing, "-o", &name]);
        let of = ["convert", &name, "-f", format, "--framing", framing, "-t", "csv"];
        let run = here.run(&[&of[..], &columns].concat());
        assert_eq!((run.status, run.text()), (1, expected), "{}", run.err);
    }
    // Standard input is looked at first, and read from its start then; also if it is compressed, and longer than what is looked at.
    let count = test_support::rounds(50_000);
    let lines: String = (0..count).map(|n| format!("{{\"id\":{n}}}\n")).collect();
    here.run_with(&["convert", "-", "--framing", "lines", "-o", "ids.csv"], lines.as_bytes()).done();
    let expected: String = std::iter::once("id\n".to_owned()).chain((0..count).map(|n| format!("{n}\n"))).collect();
    assert!(std::fs::read_to_string(here.path("ids.csv")).unwrap() == expected);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, lines.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    for rows in ["1", "7000"] {
        let arguments = ["convert", "-", "-f", "json", "--framing", "lines", "-o", "ids.csv", "--batch-rows", rows];
        here.run_with(&arguments, &packed).done();
        assert!(std::fs::read_to_string(here.path("ids.csv")).unwrap() == expected, "{rows}");
    }
    // A table of nothing has no columns, so there is none.
    for input in ["", "{"] {
        let run = here.run_with(&["convert", "-", "-f", "json", "-o", "none.csv"], input.as_bytes());
        assert_eq!((run.status, here.path("none.csv").exists()), (1, false));
        assert!(run.err.starts_with("error: standard input: incomplete"), "{}", run.err);
    }
    let other = here.run_with(&["convert", "-", "-t", "csv"], b"<a/>");
    assert_eq!((other.status, other.text()), (2, ""));
    assert!(other.err.contains("csv of xml needs a schema: name one with -s"), "{}", other.err);
    // What comes after the first batch may have no other columns; more files are one table.
    here.file("b.jsonl", "{\"id\":6}\n{\"id\":7,\"more\":1}\n");
    let run = here.run(&["convert", "b.jsonl", "a.jsonl", "-o", "t.parquet", "--batch-rows", "2", "-q"]);
    assert!(run.status == 1 && run.err.contains("found name, expected a component of Document"), "{}", run.err);
    assert_eq!(integers(&parquet(&here, "t.parquet"), &["id"]), [Some(6), Some(7)]);
    let octets = here.run(&["convert", &sample("vibration.pon"), "-o", "o.parquet"]).done();
    assert!(octets.err.is_empty());
    assert_eq!(rows(&parquet(&here, "o.parquet")), 1);
}

/// A table that was made of messages becomes these messages, and every verb reads its rows.
#[test]
fn rows_are_messages_of_every_verb() {
    let here = Place::new();
    let (schema, messages) = weather(&here);
    for table in ["w.parquet", "w.arrow"] {
        here.run(&[&["convert", "w.bin", "-s", &schema, "-o", table], &FRAMED[..]].concat()).done();
        here.run(&["convert", table, "-s", &schema, "-o", "back.bin", "-t", "uper", "--to-framing", "u16be"]).done();
        assert_eq!(here.read("back.bin"), here.read("w.bin"));
        assert_eq!(here.run(&["convert", table, "-s", &schema, "-t", "json"]).done().lines(), messages);
        here.run(&["check", table, "-s", &schema]).done();
        let ids = here.run(&["get", table, "-s", &schema, "/station/id"]).done();
        let expected: String = messages.iter().map(|one| format!("{}\n", one["station"]["id"])).collect();
        assert_eq!(ids.text(), expected);
        here.run(&["convert", table, "-s", &schema, "--columns", "since", "-o", "one.parquet"]).done();
        assert_eq!(rows(&parquet(&here, "one.parquet")), 10);
    }
    for (arguments, error) in [
        (&["check", "w.parquet", "-f", "uper"][..], "-f uper of parquet needs a schema: name one with -s"),
        (&["check", "w.parquet", "-s", &schema, "-f", "json"], "-f json is for messages, but w.parquet is a table"),
    ] {
        let run = here.run(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.err.contains(error), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn rows_that_are_no_messages_are_reported_with_their_number() {
    let here = Place::new();
    here.file("wide.asn1", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { n INTEGER } END");
    here.file("narrow.asn1", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { n INTEGER (0..9) } END");
    here.file("other.asn1", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { m INTEGER } END");
    here.file("n.jsonl", "{\"n\":1}\n{\"n\":10}\n{\"n\":2}\n");
    here.run(&["convert", "n.jsonl", "-s", "wide.asn1", "-o", "n.parquet"]).done();
    let run = here.run(&["convert", "n.parquet", "-s", "narrow.asn1", "-t", "json"]);
    assert_eq!((run.status, run.text()), (1, "{\"n\":1}\n{\"n\":2}\n"));
    assert!(run.err.contains("n.parquet, message 2: schema") && run.err.contains("in /n: found 10"), "{}", run.err);
    let run = here.run(&["check", "n.parquet", "-s", "other.asn1"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("the column n, which is no component"), "{}", run.err);
    // A file that is cut off, or no table at all.
    let whole = here.read("n.parquet");
    for (name, bytes) in [("cut.parquet", &whole[..whole.len() / 2]), ("no.parquet", b"{}"), ("no.arrow", &whole[..])] {
        here.file(name, bytes);
        let run = here.run(&["check", name, "-s", "wide.asn1"]);
        assert_eq!(run.status, 1, "{name}: {}", run.err);
        assert!(run.err.contains(&format!("{name}: syntax at byte 0: found")), "{}", run.err);
    }
    assert_eq!(here.run(&["check", "none.parquet", "-s", "wide.asn1"]).status, 3);
}

/// Files of four rows with the column `id`, which pyarrow 26 has written.
#[test]
fn tables_of_others_are_decompressed() {
    use base64::{Engine, prelude::BASE64_STANDARD};
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { id INTEGER } END");
    for (name, file) in [
        (
            "gzip.parquet",
            "UEFSMRUAFSwVPCwVCBUAFQYVBhwAAAAfiwgAAAAAAAIDY2JgYOBgZAeSyBgAdT39CBYAAAAVBBksNQAYBnNjaGVtYRUCABUCJQIYAmlkABYIGR\
         wZHCYAHBUCGSUGABkYAmlkFQQWCBZSFmImCEkcFQAVABUCADwpBhkmAAgAAAAWUhYIJggWYgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24g\
         MjYuMC4xGRwcAAAAfAAAAFBBUjE=",
        ),
        (
            "lz4.parquet",
            "UEFSMRUAFSwVJiwVCBUAFQYVBhwAAACjAgAAAAgBBwAAAAQAUAAHAAAAFQQZLDUAGAZzY2hlbWEVAgAVAiUCGAJpZAAWCBkcGRwmABwVAhklBg\
         AZGAJpZBUOFggWUhZMJghJHBUAFQAVAgA8KQYZJgAIAAAAFlIWCCYIFkwAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRkcHAAA\
         AHwAAABQQVIx",
        ),
        (
            "snappy.parquet",
            "UEFSMRUAFSwVMCwVCBUAFQYVBhwAAAAWVAIAAAAIAQcAAAAHAAAABwAAAAcAAAAVBBksNQAYBnNjaGVtYRUCABUCJQIYAmlkABYIGRwZHCYAHB\
         UCGSUGABkYAmlkFQIWCBZSFlYmCEkcFQAVABUCADwpBhkmAAgAAAAWUhYIJggWVgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4x\
         GRwcAAAAfAAAAFBBUjE=",
        ),
        (
            "lz4.arrow",
            "QVJST1cxAAD/////eAAAABAAAAAAAAoADAAGAAUACAAKAAAAAAEEAAwAAAAIAAgAAAAEAAgAAAAEAAAAAQAAABQAAAAQABQACAAGAAcADAAAAB\
         AAEAAAAAAAAQIQAAAAHAAAAAQAAAAAAAAAAgAAAGlkAAAIAAwACAAHAAgAAAAAAAABIAAAAP////+YAAAAFAAAAAAAAAAMABgABgAFAAgADAAM\
         AAAAAAMEABwAAAAoAAAAAAAAAAAAAAAMABwAEAAEAAgADAAMAAAASAAAABwAAAAUAAAABAAAAAAAAAAAAAAABAAEAAQAAAACAAAAAAAAAAAAAA\
         AAAAAAAAAAAAAAAAAAAAAAJAAAAAAAAAAAAAAAAQAAAAQAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAQiTRhgQIINAAAAQwcAAAAEAFAABwAAAAAA\
         AAAAAAAA/////wAAAAAQAAAADAAUAAYACAAMABAADAAAAAAABAA0AAAAJAAAAAQAAAABAAAAiAAAAAAAAACgAAAAAAAAACgAAAAAAAAAAAAAAA\
         gACAAAAAQACAAAAAQAAAABAAAAFAAAABAAFAAIAAYABwAMAAAAEAAQAAAAAAABAhAAAAAcAAAABAAAAAAAAAACAAAAaWQAAAgADAAIAAcACAAA\
         AAAAAAEgAAAAoAAAAEFSUk9XMQ==",
        ),
        (
            "zstd.arrow",
            "QVJST1cxAAD/////eAAAABAAAAAAAAoADAAGAAUACAAKAAAAAAEEAAwAAAAIAAgAAAAEAAgAAAAEAAAAAQAAABQAAAAQABQACAAGAAcADAAAAB\
         AAEAAAAAAAAQIQAAAAHAAAAAQAAAAAAAAAAgAAAGlkAAAIAAwACAAHAAgAAAAAAAABIAAAAP////+gAAAAFAAAAAAAAAAMABgABgAFAAgADAAM\
         AAAAAAMEABwAAAAoAAAAAAAAAAAAAAAMAB4AEAAEAAgADAAMAAAAUAAAACQAAAAYAAAABAAAAAAAAAAAAAAAAAAGAAgABwAGAAAAAAAAAQIAAA\
         AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAhAAAAAAAAAAAAAAABAAAABAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAKLUv/SAQgQAABwAAAAcAAAAH\
         AAAABwAAAAAAAAAAAAD/////AAAAABAAAAAMABQABgAIAAwAEAAMAAAAAAAEADQAAAAkAAAABAAAAAEAAACIAAAAAAAAAKgAAAAAAAAAKAAAAA\
         AAAAAAAAAACAAIAAAABAAIAAAABAAAAAEAAAAUAAAAEAAUAAgABgAHAAwAAAAQABAAAAAAAAECEAAAABwAAAAEAAAAAAAAAAIAAABpZAAACAAM\
         AAgABwAIAAAAAAAAASAAAACgAAAAQVJST1cx",
        ),
    ] {
        here.file(name, BASE64_STANDARD.decode(file).unwrap());
        let run = here.run(&["convert", name, "-s", "m.asn1", "-t", "json"]).done();
        assert_eq!(run.text(), "{\"id\":7}\n".repeat(4), "{name}");
    }
    let brotli = "UEFSMRUAFSwVICwVCBUAFQYVBhwAAAAbFQAAhDGuh69YgqngsHg2FQQZLDUAGAZzY2hlbWEVAgAVAiUCGAJpZAAWCBkcGRwmABwVAhklBgAZGA\
         JpZBUIFggWUhZGJghJHBUAFQAVAgA8KQYZJgAIAAAAFlIWCCYIFkYAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRkcHAAAAHwA\
         AABQQVIx";
    here.file("brotli.parquet", BASE64_STANDARD.decode(brotli).unwrap());
    let run = here.run(&["convert", "brotli.parquet", "-s", "m.asn1", "-t", "json"]);
    let words = "brotli.parquet: unsupported: brotli is not supported: write the file with zstd, gzip, snappy or lz4";
    assert!(run.status == 1 && run.err.contains(words), "{}", run.err);
}

/// An archive of a service: its envelopes have columns, whatever they hold; what is no envelope is of the types in the description.
#[test]
fn messages_of_a_service_are_a_table() {
    let here = Place::new();
    let requests = format!("{}/", sample("requests"));
    let wsdl = sample("search.wsdl");
    let columns = ["--columns", "Body/choice/doGoogleSearch/q"];
    let csv = here.run(&[&["convert", &requests, "-s", &wsdl, "-t", "csv"], &columns[..]].concat()).done();
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!((lines[0], lines.len()), ("Body/choice/_tag,Body/choice/doGoogleSearch/q", 11));
    assert_eq!((lines[1], lines[5]), ("sendDoubles,", "doGoogleSearch,Binghamton Grid Computing"));
    let first = std::fs::read(sample("requests/search-1.xml")).unwrap();
    let piped = here.run_with(&[&["convert", "-", "-s", &wsdl, "-t", "csv"], &columns[..]].concat(), &first).done();
    assert_eq!(piped.text().lines().nth(1), Some(lines[5]));
    here.file("p12.xml", "<e:Envelope xmlns:e='http://www.w3.org/2003/05/soap-envelope'><e:Body><p xmlns='urn:p'>7</p></e:Body></e:Envelope>");
    here.file("p.xml", "<p xmlns='urn:p'>7</p>").file(
        "p.wsdl",
        "<definitions xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:s='http://schemas.xmlsoap.org/wsdl/soap/' \
         xmlns:t='urn:p' targetNamespace='urn:p'><types><schema xmlns='http://www.w3.org/2001/XMLSchema' \
         targetNamespace='urn:p'><element name='p' type='int'/></schema></types>\
         <message name='m'><part name='x' element='t:p'/></message>\
         <portType name='P'><operation name='o'><input message='t:m'/></operation></portType>\
         <binding name='B' type='t:P'><s:binding/><operation name='o'><input><s:body use='literal'/></input></operation>\
         </binding></definitions>",
    );
    // The type that is asked for is that of the table, whatever comes first.
    here.file("two.xsd", "<schema xmlns='http://www.w3.org/2001/XMLSchema'><element name='a' type='int'/><element name='b' type='int'/></schema>")
        .file("a.xml", "<a>1</a>").file("b.xml", "<b>2</b>");
    let of_b = ["convert", "a.xml", "b.xml", "-s", "two.xsd", "--root", "b", "-t", "csv", "--on-error", "collect"];
    let run = here.run(&of_b);
    assert!(run.status == 1 && run.text().ends_with("\n2\n"), "{} {}", run.text(), run.err);
    let payload = here.run(&["convert", "p.xml", "-s", "p.wsdl", "-t", "csv"]).done();
    assert_eq!(payload.text(), "value\n7\n");
    // A table is of one version of SOAP, and is read back as what it is.
    let envelope =
        |inner: &str| format!("<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>{inner}</e:Envelope>");
    here.file("e.xml", envelope("<e:Body><p xmlns='urn:p'>7</p></e:Body>"));
    let both = here.text("p.wsdl").replace("</definitions>", "<binding name='C' type='t:P' \
         xmlns:s='http://schemas.xmlsoap.org/wsdl/soap12/'><s:binding/><operation name='o'><input><s:body use='literal'/>\
         </input></operation></binding></definitions>");
    here.file("both.wsdl", both);
    let columns = ["--columns", "Body/choice/p"];
    let run = here.run(&[&["convert", "e.xml", "p12.xml", "-s", "both.wsdl", "-t", "csv"], &columns[..]].concat());
    let words = "found <Envelope> of the namespace 'http://www.w3.org/2003/05/soap-envelope', expected <Envelope> of the \
                 namespace 'http://schemas.xmlsoap.org/soap/envelope/'";
    assert!(
        run.status == 1 && run.err.contains(words) && run.err.contains("hint: a table is of one type"),
        "{}",
        run.err
    );
    here.run(&["convert", "e.xml", "-s", "p.wsdl", "-o", "e.parquet"]).done();
    let run = here.run(&["convert", "e.parquet", "-s", "both.wsdl", "-t", "xml"]);
    let words = "the schema has 2 global elements: {http://schemas.xmlsoap.org/soap/envelope/}Envelope, ";
    assert!(run.status == 2 && run.err.contains(words), "{} {}", run.status, run.err);
    let root = ["--root", "{http://schemas.xmlsoap.org/soap/envelope/}Envelope"];
    for (wsdl, root) in [("p.wsdl", &[][..]), ("p.wsdl", &root[..]), ("both.wsdl", &root[..])] {
        let again = here.run(&[&["convert", "e.parquet", "-s", wsdl, "-t", "xml"], root].concat()).done();
        assert!(again.text().contains(">7</"), "{}", again.text());
    }
}

/// A table is messages of JSON without a schema too, and what it was made from comes back.
#[test]
fn rows_without_a_schema_are_json() {
    let here = Place::new();
    let text = "{\"id\":1,\"a b\":{\"x\":[1.5,2.25],\"s\":\"é\"},\"ok\":true}\n{\"id\":2,\"a b\":{\"x\":[]}}\n";
    here.file("t.jsonl", text);
    for table in ["t.parquet", "t.arrow"] {
        here.run(&["convert", "t.jsonl", "-o", table]).done();
        let back = here.run(&["convert", table, "-t", "json", "--to-framing", "lines"]).done();
        assert_eq!(back.text(), text, "{table}");
        assert_eq!(here.run(&["get", table, "/id"]).done().text(), "1\n2\n");
    }
    // Moments have the form of ISO 8601.
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= SEQUENCE { d DATE, t GeneralizedTime } END");
    here.file("m.json", r#"{"d":"2026-03-01","t":"20260301013000.5+02"}"#);
    here.run(&["convert", "m.json", "-s", "m.asn1", "-o", "m.parquet", "--times", "utc"]).done();
    let back = here.run(&["convert", "m.parquet", "-t", "json"]).done();
    assert_eq!(back.text().trim_end(), r#"{"d":"2026-03-01","t":"2026-02-28T23:30:00.5Z"}"#);
    let other = here.run(&["convert", "m.parquet", "-f", "uper", "-t", "json"]);
    assert!(other.status == 2 && other.err.contains("-f uper of parquet needs a schema"), "{}", other.err);
}

#[test]
fn the_type_of_documents_can_be_seen() {
    let here = Place::new();
    here.file("t.jsonl", "{\"id\":1,\"at\":{\"x\":[1]}}\n{\"id\":2.5,\"name\":null}\n");
    let shown = here.run(&["schema", "t.jsonl"]).done().text().to_owned();
    for line in
        ["Document ::= SEQUENCE {", "id REAL OPTIONAL,", "x SEQUENCE OF INTEGER OPTIONAL", "name UTF8String OPTIONAL"]
    {
        assert!(shown.contains(line), "{shown}");
    }
    assert_eq!(here.run(&["schema", "t.jsonl", "--json"]).done().lines()[0]["type"], "Document");
}
