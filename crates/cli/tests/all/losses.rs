//! What a conversion drops or changes, it says.

use serde_json::json;

use crate::program::Place;

const MIXED: &str = "<a>x<b/>important</a>\n";

#[test]
fn dropped_words_of_mixed_content_are_reported_with_their_place() {
    let here = Place::new();
    here.file("a.xml", MIXED);
    let run = here.run(&["convert", "a.xml", "-o", "a.tdxml", "--drop-mixed", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, "note: a.xml: 1 text dropped (line 1, column 9, in /a)\n"));
    let first = json!({"path": "/a", "offset": 8, "line": 1, "column": 9});
    assert_eq!(run.lines()[0]["losses"], json!([{"kind": "text", "count": 1, "first": first}]));
    let quiet = here.run(&["convert", "-q", "a.xml", "-o", "a.tdxml", "--drop-mixed"]).done();
    assert_eq!(quiet.text(), "");
}

#[test]
fn lossless_is_an_error_and_writes_nothing() {
    let here = Place::new();
    here.file("a.xml", MIXED).file("in/b.xml", "<b/>").file("in/c.xml", "<c><!--c--></c>");
    let run = here.run(&["convert", "a.xml", "-o", "a.tdxml", "--drop-mixed", "--lossless"]);
    assert_eq!((run.status, run.err.as_str()), (1, "error: a.xml: lossy: 1 text dropped (line 1, column 9, in /a)\n"));
    assert!(!here.path("a.tdxml").exists());
    let run = here.run(&["convert", "in", "-o", "out", "-t", "tdxml", "--drop-comments", "--lossless", "--json"]);
    assert_eq!((run.status, here.path("out/b.tdxml").exists(), here.path("out/c.tdxml").exists()), (1, true, false));
    let lines = run.lines();
    assert_eq!((&lines[0]["ok"], &lines[0]["losses"]), (&json!(true), &json!([])));
    assert_eq!((&lines[1]["ok"], &lines[1]["kind"]), (&json!(false), &json!("lossy")));
    assert_eq!(lines[1]["losses"][0]["kind"], "comment");
    // Nothing lost, no error.
    here.run(&["convert", "in/c.xml", "-o", "c.tsf", "--lossless"]).done();
    assert_eq!(here.run(&["convert", "in/c.xml", "-o", "c.tsf", "--lossless", "--no-verify"]).status, 2);
}

#[test]
fn several_files_are_reported_one_by_one_and_in_total() {
    let here = Place::new();
    here.file("in/a.xml", "<a><!--1--><!--2--></a>").file("in/b.xml", "<b/>").file("in/c.xml", "<!--c--><c><?p?></c>");
    let run = here.run(&["convert", "in", "-o", "out", "-t", "infoset-uper", "--paper"]);
    assert_eq!(
        run.err,
        "note: in/a.xml: 2 comments dropped (line 1, column 4, in /a)\n\
         note: in/c.xml: 1 comment dropped (line 1, column 1), 1 processing instruction dropped (line 1, column 12, in /c)\n\
         note: 2 of 3 files do not keep everything: 3 comments dropped, 1 processing instruction dropped\n"
    );
}

#[test]
fn without_the_check_nothing_is_reported() {
    let here = Place::new();
    here.file("a.xml", "<a><!--c--></a>");
    let run = here.run(&["convert", "a.xml", "-o", "a.iuper", "--paper", "--no-verify", "--json"]).done();
    assert_eq!(run.lines()[0]["losses"], json!(null));
}

#[test]
fn comments_are_dropped_without_the_words_of_mixed_content() {
    let here = Place::new();
    here.file("a.xml", MIXED).file("b.xml", "<!DOCTYPE a><a><?p?><b>1</b><!--c--></a>");
    here.run(&["convert", "a.xml", "-o", "a.tdxml", "--drop-comments"]);
    assert!(!here.run(&["convert", "a.tdxml", "-t", "xml"]).done().text().contains("<!--"));
    // Nothing is dropped unless it is asked for.
    assert_eq!(here.run(&["convert", "b.xml", "-o", "b.tdxml"]).done().err, "");
    assert_eq!(here.run(&["convert", "b.tdxml", "-t", "xml"]).done().text().trim_end(), here.text("b.xml"));
    let run = here.run(&["convert", "b.xml", "-o", "b.tdxml", "--drop-comments"]);
    let words = "note: b.xml: 1 comment dropped (line 1, column 29, in /a), 1 processing instruction dropped (line 1, \
                 column 16, in /a), 1 DOCTYPE dropped (line 1, column 1)\n";
    assert_eq!((run.status, run.err.as_str()), (0, words));
    assert_eq!(here.run(&["convert", "b.tdxml", "-t", "xml"]).done().text(), "<a><b>1</b></a>\n");
}

#[test]
fn values_that_are_spelled_differently_are_reported() {
    let here = Place::new();
    here.file(
        "o.xsd",
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>
           <xs:element name='price' type='xs:decimal'/><xs:element name='start' type='xs:time'/>
         </xs:schema>",
    );
    for (text, note) in [
        ("<price>24.00</price>", "note: a.xml: 1 value spelled differently (line 1, column 8, in /price)\n"),
        ("<start>24:00:00+00:00</start>", "note: a.xml: 1 value spelled differently (line 1, column 8, in /start)\n"),
        ("<price>24</price>", ""),
    ] {
        here.file("a.xml", text);
        let run = here.run(&["convert", "a.xml", "-o", "a.uper", "-s", "o.xsd"]);
        assert_eq!((run.status, run.err.as_str()), (0, note), "{text}");
    }
}

/// X.690 clause 11.6: DER sorts the components of a SET OF, whatever they are.
#[test]
fn lists_that_are_sorted_have_another_order() {
    let here = Place::new();
    here.file(
        "m.asn1",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SET OF SEQUENCE { a SET OF INTEGER, b UTF8String } END",
    );
    here.file("t.json", r#"[{"a":[2,1],"b":"y"},{"a":[3],"b":"x"}]"#);
    let run = here.run(&["convert", "t.json", "-s", "m.asn1", "-o", "t.der", "--json"]);
    let first = json!({"path": "", "offset": null, "line": null, "column": null});
    assert_eq!(run.lines()[0]["losses"], json!([{"kind": "order", "count": 1, "first": first}]));
}
