//! Every verb of `lengthwise` on documents of XML in ASN.1.

use std::fs;
use std::path::Path;

use crate::program::{Place, sample};

const XML: &str = "<!--c--><a k=\"v\"><?i d?>text &amp; <b/></a>\n";

const FORMATS: [(&str, &str); 3] = [("infoset-uper", "iuper"), ("infoset-aper", "iaper"), ("infoset-ber", "iber")];

#[test]
fn documents_pass_through_every_infoset() {
    let here = Place::new();
    here.file("a.xml", XML);
    for (format, ending) in FORMATS {
        for strings in ["none", "deflate", "bzip2", "zstd"] {
            let name = format!("a.{ending}");
            here.run(&["convert", "a.xml", "-o", &name, "--strings", strings]).done();
            assert_eq!(here.run(&["convert", &name, "-t", "xml"]).done().text(), XML);
            let message = here.read(&name);
            let by_flag = here.run(&["convert", "a.xml", "-t", format, "--strings", strings]).done();
            assert_eq!(by_flag.out, message);
            let tsf = here.run(&["convert", &name, "-t", "tsf"]).done().out;
            let back = here.run_with(&["convert", "-", "-f", "tsf", "-t", format, "--strings", strings], &tsf).done();
            assert_eq!(back.out, message);
        }
        here.run(&["check", &format!("a.{ending}")]).done();
        assert_eq!(here.run(&["get", &format!("a.{ending}"), "/a/@k"]).done().text(), "v\n");
        assert_eq!(here.run(&["get", &format!("a.{ending}"), "/a/b"]).done().text(), "<b/>\n");
    }
    let run = here.run(&["convert", "a.xml", "-t", "infoset-uper", "--strings", "lzma"]);
    assert_eq!(run.status, 2);
}

const BOOK: &str = "<!DOCTYPE book SYSTEM \"book.dtd\" [<!ENTITY one SYSTEM \"1.xml\"><!ENTITY in \"in &one;\">]>\
    <book>&one;<part>&in;</part>&none;</book>";

#[test]
fn references_to_external_entities_are_kept_on_request() {
    let here = Place::new();
    here.file("a.xml", BOOK).file("1.xml", "<p>One</p>");
    // Only the internal entity is replaced by its text.
    let kept = BOOK.replace("&in;", "in &one;") + "\n";
    let note = "note: a.xml: 1 entity reference replaced by its text (line 1, column 105)\n";
    for (format, ending) in FORMATS {
        let name = format!("a.{ending}");
        let run = here.run(&["convert", "a.xml", "-o", &name, "--keep-entity-references"]);
        assert_eq!((run.status, run.err.as_str()), (0, note));
        assert_eq!(here.run(&["convert", &name, "-t", "xml", "--keep-entity-references"]).done().text(), kept);
        let other = here.run(&["convert", &name, "-t", "infoset-ber", "--keep-entity-references"]).done().out;
        let back = ["convert", "-", "-f", "infoset-ber", "-t", format, "--keep-entity-references"];
        assert_eq!(here.run_with(&back, &other).done().out, here.read(&name));
        for arguments in [&["check", &*name][..], &["convert", &name, "-t", "xml"], &["get", &name, "/book/part"]] {
            let run = here.run(arguments);
            let found = "found a reference to the entity 'one', expected its replacement\n";
            assert!(run.status == 1 && run.err.contains(found) && run.err.ends_with(HINT), "{}", run.err);
        }
        here.run(&["inspect", &name]).done();
    }
    assert_eq!(here.run(&["convert", "a.xml", "-t", "xml", "--keep-entity-references", "-q"]).done().text(), kept);
    here.file("b.xml", kept.trim_end());
    here.run(&["convert", "b.xml", "-t", "infoset-uper", "--keep-entity-references", "--lossless"]).done();
}

const HINT: &str = "hint: convert --keep-entity-references keeps references in content, in XML and infosets\n";

#[test]
fn without_the_option_a_reference_to_an_external_entity_is_refused_with_a_hint() {
    let here = Place::new();
    here.file("a.xml", BOOK).file("b.xml", "<!DOCTYPE a SYSTEM 'd'><a>&none;</a>");
    for arguments in [["convert", "a.xml", "-t", "infoset-uper"], ["convert", "b.xml", "-t", "xml"]] {
        let run = here.run(&arguments);
        assert!(run.status == 1 && run.out.is_empty() && run.err.ends_with(HINT), "{}", run.err);
    }
    let run = here.run(&["check", "a.xml"]);
    assert!(run.err.contains("hint: if you trust the document, name the directory of its entities"), "{}", run.err);
    for other in [&["--entities", "."][..], &["--paper"]] {
        let run = here.run(&[&["convert", "a.xml", "-t", "infoset-uper", "--keep-entity-references"], other].concat());
        assert!(run.status == 2 && run.err.contains("cannot be used with"), "{}", run.err);
    }
}

#[test]
fn a_message_with_references_that_is_cut_off_is_no_document() {
    let here = Place::new();
    let xml = b"<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>";
    let message = here.run_with(&["convert", "-", "-t", "infoset-uper", "--keep-entity-references"], xml).done().out;
    for cut in [1, 20, message.len() - 1] {
        let back = ["convert", "-", "-f", "infoset-uper", "-t", "xml", "--keep-entity-references"];
        let run = here.run_with(&back, &message[..cut]);
        assert!(run.status == 1 && run.err.contains("incomplete at byte"), "{}", run.err);
    }
}

#[test]
fn the_papers_omissions_are_made_on_request() {
    let here = Place::new();
    here.file("a.xml", XML);
    for (format, _) in FORMATS {
        let run = here.run(&["convert", "a.xml", "-t", format, "--paper"]);
        assert!(run.err.starts_with("note: a.xml: 1 comment dropped (line 1, column 1), 1 processing"), "{}", run.err);
        let message = run.out;
        let back = here.run_with(&["convert", "-", "-f", format, "-t", "xml"], &message).done();
        assert_eq!(back.text(), "<a k=\"v\">text &amp; <b/></a>\n");
    }
}

#[test]
fn golden_messages_are_read_by_their_flag() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let Ok(message) = fs::read(data.join("infoset-golden/periodic_table.uper")) else {
        test_support::skipped("there is no ../shared/data/infoset-golden");
        return;
    };
    let here = Place::new();
    here.file("periodic.uper", &message);
    here.run(&["check", "periodic.uper", "-f", "infoset-uper"]).done();
    let xml = data.join("xmls/periodic_table.xml");
    let made = here.run(&["convert", "-q", xml.to_str().unwrap(), "-t", "infoset-uper", "--paper"]).done();
    assert!(made.out == message);
    // What the ending says is another thing.
    let run = here.run(&["check", "periodic.uper"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("(for an infoset use infoset-uper)"), "{}", run.err);
}

#[test]
fn bombs_are_stopped_by_their_limit() {
    let here = Place::new();
    here.file("bomb.xml", format!("<a>{}</a>", "0".repeat(1 << 20)));
    for strings in ["deflate", "bzip2", "zstd"] {
        here.run(&["convert", "bomb.xml", "-o", "bomb.iuper", "--strings", strings]).done();
        assert!(here.read("bomb.iuper").len() < 5000);
        let run = here.run(&["check", "bomb.iuper", "--limit", "decompressed_bytes=100K"]);
        assert_eq!(run.status, 1);
        assert!(run.err.contains("at most 102400 (limit decompressed_bytes)"), "{}", run.err);
        assert!(run.err.contains("--limit decompressed_bytes="), "{}", run.err);
        here.run(&["check", "bomb.iuper", "--limit", "decompressed_bytes=2M"]).done();
    }
}

#[test]
fn truncated_and_spoiled_messages_are_reported() {
    let here = Place::new();
    here.run(&["convert", "-q", &sample("order.xml"), "-o", "o.iuper"]).done();
    let message = here.read("o.iuper");
    here.file("cut.iuper", &message[..message.len() / 2]);
    let run = here.run(&["check", "cut.iuper"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("incomplete at byte"), "{}", run.err);
    here.file("long.iuper", [&message[..], b"\n"].concat());
    let run = here.run(&["check", "long.iuper"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("syntax at byte"), "{}", run.err);
}

#[test]
fn inspect_shows_the_fields_of_an_infoset() {
    let here = Place::new();
    here.file("a.xml", "<a>text</a>");
    for (_, ending) in FORMATS {
        let name = format!("a.{ending}");
        here.run(&["convert", "a.xml", "-o", &name]).done();
        let mut at = 0;
        let lines = here.run(&["inspect", &name, "--json"]).done().lines();
        for line in &lines {
            assert_eq!(line["bit"], at, "{ending}: {line}");
            at += line["bits"].as_u64().unwrap();
        }
        assert_eq!(at, 8 * here.read(&name).len() as u64, "{ending}");
        let value = |path: &str| {
            let line = lines.iter().find(|line| line["path"] == path && line["part"] == "value");
            line.unwrap()["value"].as_str().unwrap().to_owned()
        };
        assert_eq!(value("/character-encoding-scheme/component-string-index"), "0");
        assert!(value("/component-strings/0/component-strings-compressed-block").contains("74657874"));
    }
    let rows = here.run(&["inspect", "a.iuper"]).done();
    assert!(rows.text().contains("  SEQUENCE OF "), "{}", rows.text());
}

/// A message of ASN.1 can begin like one of another format.
#[test]
fn a_wrong_detection_is_reported() {
    let here = Place::new();
    let run = here.run_with(&["check", "-"], b"{\x00\x01\x02");
    assert_eq!(run.status, 1);
    let hint = "hint: it was taken for json; if it is PER, BER or an infoset, set the format with -f\n";
    assert!(run.err.ends_with(hint), "{}", run.err);
}

#[test]
fn compare_measures_infosets_of_xml() {
    let here = Place::new();
    here.file("a.xml", XML);
    let lines = here.run(&["compare", "--json", "--time", "0", "a.xml"]).done().lines();
    let forms: Vec<(String, String)> = lines
        .iter()
        .skip(1)
        .map(|line| (line["format"].as_str().unwrap().to_owned(), line["strings"].as_str().unwrap_or("-").to_owned()))
        .collect();
    let expected = [
        ("xml", "-"),
        ("tsf", "-"),
        ("infoset-uper", "none"),
        ("infoset-uper", "deflate"),
        ("infoset-uper", "bzip2"),
        ("infoset-uper", "zstd"),
        ("infoset-aper", "none"),
        ("infoset-ber", "none"),
        ("tdxml", "-"),
        ("tdxml", "-"),
    ];
    assert_eq!(forms, expected.map(|(format, strings)| (format.to_owned(), strings.to_owned())));
}

#[test]
fn strings_are_shared_by_messages() {
    let here = Place::new();
    for (number, value) in [(1, "21.5"), (2, "22.0"), (3, "-4")] {
        let text =
            format!("<reading xmlns=\"urn:w\"><station>Lund</station><temperature>{value}</temperature></reading>\n");
        here.file(&format!("{number}.xml"), text);
    }
    let run = here.run(&["train", "1.xml", "2.xml", "-o", "w.strings"]);
    let words = "note: w.strings: 7 strings (";
    assert!(run.status == 0 && run.err.starts_with(words), "{}", run.err);
    let line = &here.run(&["train", "1.xml", "2.xml", "3.xml", "-o", "w.strings", "--json"]).done().lines()[0];
    assert!(line["shared_strings_bytes"].as_u64() < line["infoset_bytes"].as_u64(), "{line}");

    let shared = ["--shared-strings", "w.strings"];
    for (format, ending) in FORMATS {
        let (plain, small) = (format!("plain.{ending}"), format!("small.{ending}"));
        here.run(&["convert", "3.xml", "-o", &plain]).done();
        here.run(&[&["convert", "3.xml", "-o", &small], &shared[..]].concat()).done();
        assert!(here.read(&small).len() + 50 < here.read(&plain).len());
        let back = here.run(&[&["convert", &small, "-t", "xml"], &shared[..]].concat()).done();
        assert_eq!(back.text(), here.text("3.xml"));
        assert_eq!(here.run(&[&["get", &small, "//temperature/text()"], &shared[..]].concat()).done().text(), "-4\n");
        let run = here.run(&["check", &small]);
        assert_eq!(run.status, 1);
        assert!(run.err.ends_with("hint: name the file of strings with --shared-strings\n"), "{}", run.err);
        here.run(&["inspect", &small, "-f", format]).done();
    }
    for (arguments, status, words) in [
        (
            &["convert", "1.xml", "-t", "tsf", "--shared-strings", "w.strings"][..],
            2,
            "--shared-strings is for infosets",
        ),
        (
            &["train", "1.xml", "2.xml", "-t", "pon", "-o", "x.strings"],
            2,
            "strings are shared by infosets, but -t is pon",
        ),
        (&["train", "1.xml", "-o", "x.strings"], 1, "the samples: no two of them have a string in common"),
        (&["check", "small.iuper", "--shared-strings", "1.xml"], 1, "1.xml: syntax at byte"),
        (&["check", "small.iuper", "--shared-strings", "none.strings"], 3, "none.strings: io"),
        (
            &["convert", "1.xml", "-t", "infoset-ber", "--strings", "none", "--strings-from", "9"],
            2,
            "--strings-from is for strings that are compressed",
        ),
    ] {
        let run = here.run(arguments);
        assert_eq!(run.status, status, "{}", run.err);
        assert!(run.err.starts_with(&format!("error: {words}")), "{}", run.err);
    }
}

#[test]
fn short_strings_are_not_compressed_on_request() {
    let here = Place::new();
    let long = "long ".repeat(100);
    here.file("a.xml", format!("<a><b>short</b><c>{long}</c></a>\n"));
    here.run(&["convert", "a.xml", "-o", "a.iuper", "--strings", "zstd", "--strings-from", "20"]).done();
    // Readable in the block that is not compressed. In UPER it begins at any bit, so this is looked at in BER.
    here.run(&["convert", "a.xml", "-o", "a.iber", "--strings", "zstd", "--strings-from", "20"]).done();
    let message = here.read("a.iber");
    assert!(message.windows(6).any(|bytes| bytes == b"short\0") && message.len() < 200);
    assert!(!message.windows(10).any(|bytes| bytes == b"long long "));
    assert_eq!(here.run(&["convert", "a.iuper", "-t", "xml"]).done().text(), here.text("a.xml"));
    assert_eq!(here.run(&["convert", "a.xml", "-t", "infoset-ber", "--strings-from", "20"]).status, 2);
}

#[test]
fn the_xml_declaration_is_kept_on_request() {
    let here = Place::new();
    here.file("a.xml", b"<?xml version='1.0' encoding='iso-8859-1' standalone='yes'?>\n<a>\xE9</a>")
        .file("b.xml", "<a/>");
    for (format, ending) in FORMATS {
        let name = format!("a.{ending}");
        here.run(&["convert", "a.xml", "-o", &name, "--declaration"]).done();
        let back = here.run(&["convert", &name, "-t", "xml", "--declaration"]).done();
        assert_eq!(back.text(), "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<a>\u{e9}</a>\n");
        let crlf = here.run(&["convert", &name, "-t", "xml", "--declaration", "--line-ends", "crlf"]).done();
        assert!(crlf.text().starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<a>"));
        assert_eq!(here.run(&["convert", &name, "-t", "xml"]).done().text(), "<a>\u{e9}</a>\n");
        let plain = here.run(&["convert", "b.xml", "-t", format]).done();
        let none = here.run(&["convert", "b.xml", "-t", format, "--declaration"]).done();
        assert_eq!(none.out, plain.out);
        let none = here.run_with(&["convert", "-", "-f", format, "-t", "xml", "--declaration"], &plain.out).done();
        assert_eq!(none.text(), "<a/>\n");
    }
    // The paper's program wrote a version that is none.
    here.run(&["convert", "-q", "a.xml", "-o", "p.iuper", "--paper"]).done();
    let run = here.run(&["convert", "p.iuper", "-t", "xml", "--declaration"]);
    assert_eq!((run.status, run.out.len()), (1, 0));
    assert!(run.err.contains("expected a version of XML ('1.0')"), "{}", run.err);
    let run = here.run(&["convert", "a.xml", "-t", "tsf", "--declaration"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("--declaration is for XML and infosets on both sides"), "{}", run.err);
}
