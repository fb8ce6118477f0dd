//! An option that would do nothing is refused.

use crate::program::Place;

#[test]
fn an_option_that_does_not_apply_is_a_usage_error() {
    let here = Place::new();
    here.file("a.xml", "<a/>").file("a.json", "{}").file("a.tsf", "0a<").file("a.pon", "0{").file("in/a.xml", "<a/>");
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= NULL END");
    for (arguments, words) in [
        (
            &["convert", "a.xml", "-o", "o.tsf", "--strings", "zstd"][..],
            "--strings is for writing an infoset, but this converts xml to tsf",
        ),
        (
            &["convert", "a.xml", "-o", "o.tsf", "--paper"],
            "--paper is for writing an infoset, but this converts xml to tsf",
        ),
        (&["convert", "a.xml", "-t", "xml", "--types", "xml"], "--types is for TSF, but this converts xml to xml"),
        (
            &["convert", "a.xml", "-t", "xml", "--lengths", "bytes"],
            "--lengths is for TSF, but this converts xml to xml",
        ),
        (
            &["convert", "a.xml", "-t", "tsf", "--from-types", "xml"],
            "--from-types is for converting TSF to TSF, but this converts xml to tsf",
        ),
        (
            &["convert", "a.json", "-t", "json", "--canonical"],
            "--canonical is for writing UPER, APER, BER, OER or XER, but this converts json to json",
        ),
        (
            &["convert", "a.xml", "-t", "tsf", "--pretty"],
            "--pretty is for writing XML, JSON or XER, but this converts xml to tsf",
        ),
        (
            &["convert", "a.xml", "-t", "tsf", "--scheme", "grouped"],
            "--scheme is for writing TDXML, but this converts xml to tsf",
        ),
        (
            &["convert", "a.xml", "-t", "tsf", "--drop-comments"],
            "--drop-comments is for writing TDXML, but this converts xml to tsf",
        ),
        (
            &["convert", "a.json", "-t", "tsf", "--sort-attributes"],
            "--sort-attributes is for writing XML as TSF, but this converts json to tsf",
        ),
        (
            &["convert", "a.pon", "-t", "json", "--binary-from-base64"],
            "--binary-from-base64 is for writing JSON values as PON or TSF, but this converts pon to json",
        ),
        (
            &["convert", "a.xml", "-t", "pon", "--binary-from-base64=a"],
            "--binary-from-base64 is for writing JSON values as PON or TSF, but this converts xml to pon",
        ),
        (
            &["convert", "a.json", "-t", "tsf", "--binary-from-base64=a"],
            "--binary-from-base64 needs --types value to write TSF",
        ),
        (&["convert", "in", "-o", "out", "-t", "tsf", "--soap"], "--soap is for writing TDXML, but this writes tsf"),
        (&["check", "a.xml", "--types", "xml"], "--types is for TSF, but the input is xml"),
        (&["inspect", "a.json", "--lengths", "chars"], "--lengths is for TSF, but the input is json"),
        (&["get", "a.tsf", "/a", "--pretty"], "--pretty is for writing XML, JSON or XER, but the input is tsf"),
        (&["schema", "m.asn1", "--lengths", "chars"], "--lengths is for TSF, but `schema` does not use it"),
        (&["schema", "m.asn1", "-f", "asn1"], "--from is for reading messages, but `schema` does not use it"),
        (
            &["schema", "m.asn1", "--mapping", "1"],
            "--mapping is for formats with a schema, if that is an XML Schema, but `schema` does not use it",
        ),
        (
            &["schema", "m.asn1", "--plain-xml"],
            "--plain-xml is for reading or writing XML, but `schema` does not use it",
        ),
        (&["check", "a.tsf", "--entities", "."], "--entities is for reading XML, but the input is tsf"),
        (
            &["convert", "a.xml", "-t", "tsf", "--keep-entity-references"],
            "--keep-entity-references is for XML and infosets on both sides, but this converts xml to tsf",
        ),
        (&["schema", "m.asn1", "--registry", "."], "--registry is for TDXML, but `schema` does not use it"),
        (&["compare", "a.json", "--types", "xml"], "--types is for TSF, but the input is json"),
        (
            &["example", "-s", "m.asn1", "--plain-xml"],
            "--plain-xml is for reading or writing XML, but this writes json",
        ),
    ] {
        let run = here.run(arguments);
        assert_eq!(
            (run.status, run.err.as_str(), run.text()),
            (2, format!("error: {words}\n").as_str(), ""),
            "{arguments:?}"
        );
    }
    let run = here.run(&["convert", "a.json", "-t", "uper", "-s", "m.asn1", "--mapping", "1"]);
    assert!(run.status == 2 && run.err.starts_with("error: --mapping is for formats with a schema, if"), "{}", run.err);
    for arguments in
        [&["convert", "a.json", "-t", "json", "-s", "m.asn1"][..], &["convert", "a.pon", "-t", "pon", "-s", "m.asn1"]]
    {
        let run = here.run(arguments);
        assert!(run.status == 2 && run.err.starts_with("error: --schema is for formats with a schema"), "{}", run.err);
    }
    let run = here.run(&["convert", "a.json", "-t", "pon", "-s", "m.asn1", "--binary-from-base64"]);
    assert!(
        run.status == 2 && run.err.starts_with("error: --binary-from-base64 is for messages without a schema"),
        "{}",
        run.err
    );
    assert_eq!(here.names(), ["a.json", "a.pon", "a.tsf", "a.xml", "in", "in/a.xml", "m.asn1"]);
}

/// Of many inputs, an option may be for some.
#[test]
fn an_option_for_some_inputs_of_many_is_taken() {
    let here = Place::new();
    here.file("in/a.xml", "<a z='1' b='2'/>").file("in/b.json", "{}");
    here.run(&["convert", "in", "-o", "out", "-t", "tsf", "--sort-attributes"]).done();
    assert_eq!((here.text("out/a.tsf"), here.text("out/b.tsf")), ("1a<2=1b[21z[1".to_owned(), "0{".to_owned()));
}

/// A default is not given, whatever it says.
#[test]
fn options_are_taken_where_they_apply() {
    let here = Place::new();
    here.file("a.xml", "<a/>").file("a.tsf", "0a<").file("a.json", "{}");
    for arguments in [
        &["convert", "a.xml", "-o", "o.tsf", "--types", "xml", "--lengths", "chars", "--sort-attributes"][..],
        &["convert", "a.tsf", "-o", "o.xml", "--types", "xml", "--lengths", "bytes", "--pretty"],
        &["convert", "a.tsf", "-t", "tsf", "--from-types", "xml", "--from-lengths", "chars"],
        &["convert", "a.xml", "-o", "o.iuper", "--strings", "zstd", "--paper"],
        &["convert", "a.xml", "-o", "o.tdxml", "--scheme", "grouped", "--binary", "mime", "--soap", "--drop-mixed"],
        &["convert", "a.json", "-t", "json", "--pretty"],
        &["check", "a.tsf", "--types", "xml"],
        &["get", "a.xml", "/a", "--pretty"],
    ] {
        here.run(arguments).done();
    }
}

/// The help of a verb has the options that it may use, however it is asked for.
#[test]
fn help_hides_what_a_verb_never_uses() {
    let here = Place::new();
    let help = |arguments: &[&str]| here.run(arguments).done().text().to_owned();
    for verb in ["check", "convert", "schema"] {
        let short = help(&[verb, "-h"]);
        assert_eq!(short, help(&[verb, "-qh"]), "{verb}");
        assert_eq!(short.contains("--from <"), verb != "schema", "{verb}");
        assert_eq!(help(&["help", verb]), help(&[verb, "--help"]), "{verb}");
    }
}
