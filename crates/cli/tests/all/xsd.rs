//! `check` against a schema of XML, and `schema` of one.

use std::path::Path;

use serde_json::json;

use crate::program::Place;

const SCHEMA: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:o" xmlns="urn:o"
    elementFormDefault="qualified">
  <xs:element name="order">
    <xs:complexType>
      <xs:sequence><xs:element name="item" type="xs:unsignedByte" maxOccurs="unbounded"/></xs:sequence>
      <xs:attribute name="id" type="xs:NMTOKEN" use="required"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="note" type="xs:string"/>
</xs:schema>
"#;

const GOOD: &str = "<order xmlns='urn:o' id='a'>\n  <item>7</item>\n  <item>255</item>\n</order>\n";

/// The second item is no unsigned byte.
const BAD: &str = "<order xmlns='urn:o' id='a'>\n  <item>7</item>\n  <item>256</item>\n</order>\n";

/// Imports `urn:o` from where nobody is.
const OUTER: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:o="urn:o">
  <xs:import namespace="urn:o" schemaLocation="http://example.org/o.xsd"/>
  <xs:element name="outer">
    <xs:complexType><xs:sequence><xs:element ref="o:order"/></xs:sequence></xs:complexType>
  </xs:element>
</xs:schema>
"#;

fn place() -> Place {
    let here = Place::new();
    here.file("o.xsd", SCHEMA).file("good.xml", GOOD).file("bad.xml", BAD).file("outer.xsd", OUTER);
    here
}

/// The line on standard error, and the hints after it.
fn failed(here: &Place, arguments: &[&str], status: i32) -> (String, Vec<String>) {
    let run = here.run(arguments);
    assert_eq!(run.status, status, "{}", run.err);
    assert_eq!(run.text(), "");
    let line = run.err.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default().to_owned();
    let hints = run.err.lines().filter_map(|line| line.strip_prefix("hint: ")).map(str::to_owned);
    (line, hints.collect())
}

/// As xmllint does: each of these is one error of its own (Part 1 sections 3.3.4, 3.4.4 and 3.14.4), and no other follows from it.
#[test]
fn all_errors_of_a_document_are_found_on_request() {
    let here = Place::new();
    here.file(
        "s.xsd",
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='r'><xs:complexType><xs:sequence>\
         <xs:element name='a' maxOccurs='9'><xs:complexType><xs:simpleContent><xs:extension base='xs:int'>\
         <xs:attribute name='k' type='xs:int'/></xs:extension></xs:simpleContent></xs:complexType></xs:element>\
         <xs:element name='b'><xs:complexType><xs:sequence><xs:element name='c' type='xs:boolean'/><xs:element name='d'/>\
         </xs:sequence></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element></xs:schema>",
    );
    here.file(
        "x.xml",
        "<r>\n<a>1</a>\n<a k='x'>2</a>\n<a>three</a>\n<no><a>x</a></no>\n<a>4</a>\n<b>text<c>maybe</c>\n</b>\n<b/></r>",
    );
    let run = here.run(&["check", "x.xml", "-s", "s.xsd", "--all-errors"]);
    assert_eq!(run.status, 1);
    let errors: Vec<&str> = run.err.lines().filter(|line| line.starts_with("error: ")).collect();
    let expected = [
        ("(line 3, ", "/r/a[2]", "'x'"),
        ("(line 4, ", "/r/a[3]", "'three'"),
        ("(line 5, ", "/r/no", "<no>"),
        ("(line 7, ", "/r/b", "'text'"),
        ("(line 7, ", "/r/b/c", "'maybe'"),
        ("(line 8, ", "/r/b", "the end of the element"),
        ("(line 9, ", "/r/b[2]", "<b>"),
    ];
    assert_eq!(errors.len(), expected.len(), "{}", run.err);
    for (error, (line, path, found)) in errors.iter().zip(expected) {
        assert!(error.contains(line) && error.contains(path) && error.contains(found), "{error}: {path} {found}");
    }
    assert!(
        run.err.ends_with("hint: keys and references (xs:key, xs:ID) were not checked after the first error\n"),
        "{}",
        run.err
    );
    assert_eq!(here.run(&["check", "x.xml", "-s", "s.xsd", "--all-errors", "--json"]).lines()[0]["errors"], 7);
    assert_eq!(here.run(&["check", "x.xml", "-s", "s.xsd"]).err.matches("error: ").count(), 1);
    // What is not well-formed ends it, and so do many errors.
    here.file("w.xml", "<r><a>x</a><a>y</a><a></r>").file("m.xml", format!("<r>{}</r>", "<a>x</a>".repeat(2_000)));
    let run = here.run(&["check", "w.xml", "-s", "s.xsd", "--all-errors"]);
    assert_eq!((run.status, run.err.matches("error: ").count()), (1, 3), "{}", run.err);
    let run = here.run(&["check", "m.xml", "-s", "s.xsd", "--all-errors"]);
    assert_eq!(run.err.matches("error: ").count(), 1_000);
    assert!(run.err.ends_with("hint: the rest of the document was not checked\n"));
}

#[test]
fn valid_documents_are_silent_and_invalid_ones_are_shown_where_they_are() {
    let here = place();
    assert!(here.run(&["check", "good.xml", "-s", "o.xsd"]).done().out.is_empty());
    assert!(here.run_with(&["check", "-", "-s", "o.xsd"], GOOD.as_bytes()).done().out.is_empty());
    let run = here.run(&["check", "good.xml", "bad.xml", "good.xml", "-s", "o.xsd"]);
    let line = "error: bad.xml: schema at byte ";
    let words = " in /order/item[2]: found '256', expected at most 255\n  |\n3 |   <item>256</item>\n";
    assert!(run.status == 1 && run.err.starts_with(line) && run.err.contains(words), "{}", run.err);
    let run = here.run_with(&["check", "-", "-q", "-s", "o.xsd"], BAD.as_bytes());
    assert!(run.err.starts_with("error: standard input: schema at") && run.err.lines().count() == 1, "{}", run.err);
}

/// Each element and each attribute that the schema says something of counts.
#[test]
fn json_reports_each_document() {
    let here = place();
    let lines = here.run(&["check", "good.xml", "bad.xml", "-s", "o.xsd", "--json"]).lines();
    assert_eq!(lines[0], json!({"file": "good.xml", "ok": true, "format": "xml", "units": 4}));
    let found = (&lines[1]["kind"], &lines[1]["path"], &lines[1]["found"], &lines[1]["expected"], &lines[1]["line"]);
    let expected = (&json!("schema"), &json!("/order/item[2]"), &json!("'256'"), &json!("at most 255"), &json!(3));
    assert_eq!(found, expected);
}

/// As without a schema, path and all.
#[test]
fn input_that_is_not_xml_is_reported_as_before() {
    let here = place();
    here.file("broken.xml", "<order xmlns='urn:o' id='a'>\n<item>7</itme>").file("empty.xml", "");
    for name in ["broken.xml", "empty.xml"] {
        let with = here.run(&["check", name, "-s", "o.xsd"]);
        let without = here.run(&["check", name]);
        assert_eq!((with.status, &with.err), (1, &without.err));
        assert!(with.err.contains("in /order/item: ") || with.err.ends_with("hint: the input is empty\n"));
    }
}

/// A message in another format is checked as the instance that it is, with the same words.
#[test]
fn messages_in_other_formats_are_validated() {
    let here = place();
    for name in ["good", "bad"] {
        for (format, extension) in [("tsf", "tsf"), ("infoset-uper", "iuper"), ("tdxml", "tdxml")] {
            let (xml, made) = (format!("{name}.xml"), format!("{name}.{extension}"));
            here.run(&["convert", &xml, "-t", format, "-o", &made]).done();
            let run = here.run(&["check", &made, "-s", "o.xsd"]);
            let words = if name == "good" {
                String::new()
            } else {
                format!("error: {made}: schema in /order/item[2]: found '256', expected at most 255\n")
            };
            assert_eq!((run.status, run.err.as_str()), (i32::from(name == "bad"), words.as_str()));
        }
    }
    here.run(&["convert", "good.xml", "-s", "o.xsd", "-o", "good.json", "-q"]).done();
    here.run(&["check", "good.json", "-s", "o.xsd", "--root", "order"]).done();
    // What is no instance is reported at its place, and what the schema does not change needs none.
    here.file("j.json", "{\"x\":1}");
    assert!(
        failed(&here, &["check", "j.json", "-s", "o.xsd", "--root", "order"], 1)
            .0
            .starts_with("j.json: schema at byte 1 (line 1, column 2)")
    );
    let (words, _) = failed(&here, &["convert", "good.tsf", "-s", "o.xsd", "-t", "xml"], 2);
    assert!(words.ends_with("but good.tsf is a document of XML, which xml holds without one"), "{words}");
    let (words, _) = failed(&here, &["convert", "good.xml", "-s", "o.xsd", "-t", "tsf"], 2);
    assert!(words.ends_with("but good.xml is a document of XML, which tsf holds without one"), "{words}");
    let values =
        here.run(&["convert", "good.xml", "-s", "o.xsd", "-t", "tsf", "--types", "value", "-q"]).text().to_owned();
    here.file("values.tsf", &values);
    let xml = here.run(&["convert", "values.tsf", "-s", "o.xsd", "--root", "order", "-t", "xml"]).text().to_owned();
    assert_eq!(xml, here.run(&["convert", "good.json", "-s", "o.xsd", "--root", "order", "-t", "xml"]).text());
}

#[test]
fn a_root_element_that_is_not_declared_gets_a_hint() {
    let here = place();
    for (document, hint) in [
        ("<order id='a'/>", "<order> is in no namespace; the schema declares 'order' in the namespace 'urn:o'"),
        (
            "<p:order xmlns:p='urn:p'/>",
            "<p:order> is in the namespace 'urn:p'; the schema declares 'order' in the namespace 'urn:o'",
        ),
        ("<x/>", "<x> is in no namespace; the schema declares elements of the namespace 'urn:o'"),
        ("<ordre xmlns='urn:o'/>", "the root element can be order, note"),
    ] {
        here.file("x.xml", document);
        assert_eq!(failed(&here, &["check", "x.xml", "-s", "o.xsd"], 1).1, [hint], "{document}");
    }
    // What is wrong with an element that is declared is another thing.
    here.file("x.xml", "<order xmlns='urn:o'/>");
    assert!(failed(&here, &["check", "x.xml", "-s", "o.xsd"], 1).1.is_empty());
}

#[test]
fn the_root_element_may_be_said() {
    let here = place();
    here.run(&["check", "good.xml", "-s", "o.xsd", "--root", "order"]).done();
    let words =
        "good.xml: schema at byte 0 (line 1, column 1) in /order: found <order>, expected <note>, as --root says";
    assert_eq!(failed(&here, &["check", "good.xml", "-s", "o.xsd", "--root", "note"], 1).0, words);
    let words = "--root: the schema has no global element 'item'";
    assert_eq!(failed(&here, &["check", "good.xml", "-s", "o.xsd", "--root", "item"], 2).0, words);
}

#[test]
fn a_bad_schema_is_reported_with_its_own_file_and_position() {
    let here = place();
    here.file("empty.xsd", "").file("a.xsd", "<a/>");
    here.file("in.xsd", SCHEMA.replace("xs:unsignedByte", "xs:unsigned"));
    here.file("out.xsd", OUTER.replace("http://example.org/o.xsd", "in.xsd"));
    here.file("gone.xsd", OUTER.replace("import namespace=\"urn:o\"", "include"));
    let item = SCHEMA.find("<xs:element name=\"item\"").unwrap();
    let inner = format!("in.xsd: schema at byte {item} (line 5, column 20): unknown type 'xs:unsigned': no document");
    for (schema, line, hint) in [
        (
            "empty.xsd",
            "empty.xsd: incomplete at byte 0 (line 1, column 1): found the end of the input",
            "the input is empty",
        ),
        ("a.xsd", "a.xsd: schema at byte 0 (line 1, column 1): found <a>, expected <schema> of the namespace", ""),
        // The document that is at fault is another one.
        ("out.xsd", &inner, ""),
        (
            "gone.xsd",
            "gone.xsd: schema at byte 74 (line 2, column 3): found 'http://example.org/o.xsd', which cannot",
            "",
        ),
        (
            "outer.xsd",
            "outer.xsd: schema at byte 74 (line 2, column 3): found an import of 'urn:o' without a document",
            "if you have that schema, name it with another -s",
        ),
    ] {
        let (line_of_error, hints) = failed(&here, &["check", "good.xml", "bad.xml", "-s", schema], 1);
        assert!(line_of_error.starts_with(line), "{line_of_error}");
        assert_eq!(hints.join(""), hint, "{schema}");
    }
    let run = here.run(&["check", "good.xml", "-s", "none.xsd"]);
    assert!(run.status == 3 && run.err.starts_with("error: none.xsd: io: cannot read: "), "{}", run.err);
}

#[test]
fn what_is_no_schema_is_said_to_be_none() {
    let here = place();
    here.file("s.json", "{\"a\": 1}").file("s.wsdl", "x").file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= NULL END");
    here.file("w.xml", "<w:definitions xmlns:w='http://schemas.xmlsoap.org/wsdl/'/>");
    let tail = "expected an ASN.1 module, an XML Schema or a service description";
    let words = format!("s.json: unsupported at byte 0: found JSON, {tail}");
    assert_eq!(failed(&here, &["check", "good.xml", "-s", "s.json"], 1).0, words);
    let words = "w.xml: unsupported at byte 0: found no operation, expected a binding of SOAP, with operations";
    assert_eq!(failed(&here, &["check", "good.xml", "-s", "w.xml"], 1).0, words);
    let words = "s.wsdl: syntax at byte 0 (line 1, column 1): found 'x', expected the root element";
    assert_eq!(failed(&here, &["check", "good.xml", "-s", "s.wsdl"], 1).0, words);
    let words = "-s names XML Schemas and also m.asn1, which is not one";
    for both in [["o.xsd", "m.asn1"], ["m.asn1", "o.xsd"]] {
        assert_eq!(failed(&here, &["check", "good.xml", "-s", both[0], "-s", both[1]], 2).0, words);
    }
}

/// Names that look like URIs are files all the same, and no ending is needed.
#[test]
fn a_schema_may_have_any_name() {
    let here = place();
    here.file("schema", SCHEMA).file("o#1:x.xsd", SCHEMA);
    let utf_16: Vec<u8> = format!("\u{FEFF}{SCHEMA}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    here.file("wide.xsd", utf_16);
    for name in ["schema", "./schema", "o#1:x.xsd", "wide.xsd"] {
        here.run(&["check", "good.xml", "-s", name]).done();
        assert_eq!(here.run(&["check", "bad.xml", "-s", name]).status, 1);
    }
}

/// Nothing is fetched; a local document replaces the missing one.
#[test]
fn further_schemas_are_what_the_first_imports() {
    let here = place();
    let outer = |inner: &str| format!("<outer>{}</outer>", inner.trim_end());
    here.file("good-outer.xml", outer(GOOD)).file("bad-outer.xml", outer(BAD));
    here.run(&["check", "good-outer.xml", "-s", "outer.xsd", "-s", "o.xsd"]).done();
    let (line, _) = failed(&here, &["check", "bad-outer.xml", "-s", "outer.xsd", "-s", "o.xsd"], 1);
    assert!(line.ends_with("in /outer/order/item[2]: found '256', expected at most 255"), "{line}");
    // In any order, and each once: the root element says which schema a document is of.
    let all = ["-s", "o.xsd", "-s", "outer.xsd", "-s", "o.xsd"];
    here.run(&[&["check", "good.xml", "good-outer.xml"][..], &all].concat()).done();
    assert_eq!(here.run(&[&["check", "bad-outer.xml"][..], &all].concat()).status, 1);
}

/// A wildcard takes what another schema declares, and two schemas of one namespace are one.
#[test]
fn several_schemas_are_one() {
    let here = place();
    let schema = |namespace: &str, body: &str| {
        let xs = "xmlns:xs='http://www.w3.org/2001/XMLSchema'";
        format!("<xs:schema {xs} targetNamespace='{namespace}' elementFormDefault='qualified'>{body}</xs:schema>")
    };
    let envelope = "<xs:element name='envelope'><xs:complexType><xs:sequence><xs:any namespace='##other'/>\
        </xs:sequence></xs:complexType></xs:element>";
    here.file("e.xsd", schema("urn:e", envelope));
    here.file("o2.xsd", schema("urn:o", "<xs:element name='stamp' type='xs:date'/>"));
    let all = ["-s", "e.xsd", "-s", "o.xsd", "-s", "o2.xsd"];
    let enveloped = |inner: &str| format!("<e:envelope xmlns:e='urn:e'>{inner}</e:envelope>");
    here.file("1.xml", enveloped(GOOD)).file("2.xml", enveloped("<stamp xmlns='urn:o'>2004-10-28</stamp>"));
    here.file("3.xml", enveloped(BAD)).file("4.xml", enveloped("<stamp xmlns='urn:o'>today</stamp>"));
    here.run(&[&["check", "1.xml", "2.xml", "good.xml"][..], &all].concat()).done();
    for (name, words) in [("3.xml", "found '256', expected at most 255"), ("4.xml", "found 'today'")] {
        let (line, _) = failed(&here, &[&["check", name][..], &all].concat(), 1);
        assert!(line.contains(words), "{line}");
    }
    // The root element chooses for PER as well.
    here.run(&[&["convert", "good.xml", "-o", "o.uper"][..], &all].concat()).done();
    assert_eq!(here.read("o.uper"), MESSAGE);
    let back = here.run(&[&["convert", "o.uper", "-t", "xml", "--root", "order"][..], &all].concat()).done();
    assert_eq!(back.text(), BACK);
    // Two that declare the same name cannot be distinguished.
    here.file("o3.xsd", schema("urn:o", "<xs:element name='order'/>"));
    let (line, _) = failed(&here, &["check", "good.xml", "-s", "o.xsd", "-s", "o3.xsd"], 1);
    assert!(line.starts_with("o3.xsd: schema at byte ") && line.contains("a second time"), "{line}");
}

/// What a schema names is read below its own folder alone: nothing else is opened, shown or waited for.
#[test]
fn schemas_read_no_file_outside_their_folder() {
    let here = place();
    here.file("token", "hunter2\n").file("s/sub/in.xsd", SCHEMA).file("s/x/y", "");
    let outside = here.path("token");
    let include = |location: &str| {
        let include = format!("<xs:include schemaLocation='{location}'/>");
        format!("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:o'>{include}</xs:schema>")
    };
    let refused = |location: &str, folder: &str| {
        here.file("s/main.xsd", include(location));
        let (line, hints) = failed(&here, &["check", "good.xml", "-s", "s/main.xsd"], 1);
        let words = format!(
            "found '{location}', which cannot be read (it is outside the folders that may be read: allow '{folder}')"
        );
        assert!(line.starts_with("s/main.xsd: schema at byte ") && line.contains(&words), "{line}");
        assert_eq!(hints, [format!("if you trust these schemas, add --allow-path {folder}")]);
    };
    here.file("s/main.xsd", include("sub/in.xsd"));
    here.run(&["check", "good.xml", "-s", "s/main.xsd"]).done();
    let absolute = outside.display().to_string();
    let folder = outside.parent().unwrap().display().to_string();
    refused("../token", ".");
    refused("../not-there", ".");
    refused(&absolute, &folder);
    refused(&format!("file://{absolute}"), &folder);
    refused("/dev/zero", "/dev");
    // With a leave, it is what any file is that is no schema.
    here.file("s/main.xsd", include("../token"));
    let (line, hints) = failed(&here, &["check", "good.xml", "-s", "s/main.xsd", "--allow-path", "."], 1);
    assert!(line.starts_with("token: syntax at byte 0") && hints.is_empty(), "{line}");
    let run = here.run(&["check", "good.xml", "-s", "s/main.xsd", "--allow-path", "nowhere"]);
    assert!(run.status == 3 && run.err.starts_with("error: nowhere: io: cannot read: "), "{}", run.err);
    // Each -s allows its own folder.
    here.file("o/in.xsd", SCHEMA).file("s/main.xsd", include("../o/in.xsd")).file("o/other.xsd", OUTER);
    refused("../o/in.xsd", "o");
    here.run(&["check", "good.xml", "-s", "s/main.xsd", "-s", "o/other.xsd"]).done();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, here.path("s/link.xsd")).unwrap();
        refused("link.xsd", &folder);
        std::os::unix::fs::symlink(here.path("s/sub/in.xsd"), here.path("s/inner.xsd")).unwrap();
        here.file("s/main.xsd", include("inner.xsd"));
        here.run(&["check", "good.xml", "-s", "s/main.xsd"]).done();
        // A pipe that nobody writes to is not waited for.
        let made = std::process::Command::new("mkfifo").arg(here.path("s/pipe.xsd")).status();
        if made.is_ok_and(|made| made.success()) {
            here.file("s/main.xsd", include("pipe.xsd"));
            let (line, _) = failed(&here, &["check", "good.xml", "-s", "s/main.xsd"], 1);
            assert!(line.contains("(it is not a regular file)"), "{line}");
        } else {
            test_support::skipped("there is no mkfifo");
        }
    }
}

/// What the hint names is enough: the main documents of UBL take the common ones from beside their folder.
#[test]
fn the_hint_of_a_refused_schema_is_enough() {
    let here = place();
    let main = OUTER.replace("http://example.org/o.xsd", "../common/o.xsd");
    let include = "<xs:include schemaLocation=\"more.xsd\"/>\n  <xs:element name=\"order\">";
    let common = SCHEMA.replace("<xs:element name=\"order\">", include);
    here.file("xsd/main/outer.xsd", main).file("xsd/common/o.xsd", common);
    here.file(
        "xsd/common/more.xsd",
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:o'/>",
    );
    here.file("good-outer.xml", format!("<outer>{}</outer>", GOOD.trim_end()));
    let check = ["check", "good-outer.xml", "-s", "xsd/main/outer.xsd"];
    let (line, hints) = failed(&here, &check, 1);
    assert!(line.contains("its schemaLocation '../common/o.xsd' cannot be read: it is outside"), "{line}");
    assert_eq!(hints, ["if you trust these schemas, add --allow-path xsd/common"]);
    here.run(&[&check[..], &["--allow-path", "xsd/common"]].concat()).done();
}

/// Files of a directory are documents, but those that the schema is in.
#[test]
fn a_directory_may_hold_its_schema() {
    let here = Place::new();
    here.file("d/a.xml", GOOD).file("d/b.xml", GOOD).file("d/xsd/o.xsd", SCHEMA);
    let lines = here.run(&["check", "d", "-s", "d/xsd/../xsd/o.xsd", "--json"]).done().lines();
    let files: Vec<_> = lines.iter().map(|line| line["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["d/a.xml", "d/b.xml"]);
    // What is named is checked.
    assert_eq!(here.run(&["check", "d/xsd/o.xsd", "-s", "d/xsd/o.xsd"]).status, 1);
}

#[test]
fn limits_bound_schemas_and_documents() {
    let here = place();
    let run = here.run(&["check", "good.xml", "-s", "o.xsd", "--limit", "depth=1"]);
    assert!(run.status == 1 && run.err.contains("error: o.xsd: limit at byte"), "{}", run.err);
    let deep = format!("<note xmlns='urn:o'>{}</note>", "<a>".repeat(2000));
    let run = here.file("deep.xml", deep).run(&["check", "deep.xml", "-s", "o.xsd"]);
    assert!(run.status == 1 && run.err.contains("expected characters, and no elements"), "{}", run.err);
}

/// Documents and schemas of the field, where they are at hand.
#[test]
fn published_documents_are_valid_against_their_schemas() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if !data.join("uddi").is_dir() {
        test_support::skipped("there is no ../shared/data/uddi");
        return;
    }
    let path = |name: &str| data.join(name).to_str().unwrap().to_owned();
    let here = Place::new();
    for (schema, documents) in [
        ("uddi/xsd/uddi_v2.xsd", &["uddi/valid"][..]),
        ("gpx/gpx11.xsd", &["gpx/Austria.gpx", "gpx/ISSUE-82.gpx"]),
        ("kml/xsd/ogckml22.xsd", &["kml/kmlsamples.kml"]),
        ("ubl21/xsd/maindoc/UBL-Order-2.1.xsd", &["ubl21/UBL-Order-2.1-Example.xml"]),
    ] {
        for document in documents {
            here.run(&["check", &path(document), "-s", &path(schema), "--allow-path", &path("ubl21/xsd/common")])
                .done();
        }
    }
    let lines = here.run(&["check", &path("uddi/invalid"), "-s", &path("uddi/xsd/uddi_v2.xsd"), "--json"]).lines();
    let found: Vec<_> =
        lines.iter().map(|line| (line["kind"].as_str().unwrap(), line["line"].as_u64().unwrap())).collect();
    assert_eq!(found, [("schema", 35), ("schema", 33)]);
}

/// What X.694 makes of `SCHEMA`.
const MODULE: &str = r#"O DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN

IMPORTS
  NMTOKEN, String FROM XSD;

Note ::= [NAME AS UNCAPITALIZED] String

Order ::= [NAME AS UNCAPITALIZED] SEQUENCE {
  id [ATTRIBUTE] NMTOKEN,
  item-list [UNTAGGED] SEQUENCE (SIZE (1..MAX)) OF item [NAMESPACE AS "urn:o"] INTEGER (0..255)
}

ENCODING-CONTROL XER
  GLOBAL-DEFAULTS MODIFIED-ENCODINGS
  GLOBAL-DEFAULTS CONTROL-NAMESPACE "http://www.w3.org/2001/XMLSchema-instance" PREFIX "xsi"
  NAMESPACE ALL AS "urn:o"

END

XSD "#;

#[test]
fn schema_prints_the_modules_for_a_schema_of_xml() {
    let here = place();
    let run = here.run(&["schema", "o.xsd"]).done();
    assert!(run.text().starts_with(MODULE) && run.err.is_empty(), "{}", run.text());
    here.run(&["schema", "o.xsd", "-o", "o.asn1"]).done();
    assert_eq!(here.read("o.asn1"), run.text().as_bytes());
    // What is printed is a schema that prints unchanged, and messages have it.
    assert_eq!(here.run(&["schema", "o.asn1"]).done().text(), run.text());
    here.file("o.json", r#"{"id": "a", "item-list": [7, 255]}"#);
    here.run(&["convert", "o.json", "-s", "o.asn1", "--root", "Order", "-o", "o.uper"]).done();
    // A length and one character, a number of items and two octets.
    assert_eq!(here.read("o.uper"), [1, b'a', 2, 7, 255]);
    // Another document of the schema is in the same folder, or is named.
    let text = here.run(&["schema", "outer.xsd", "-s", "o.xsd"]).done().text().to_owned();
    assert!(text.starts_with("NoNamespace DEFINITIONS") && text.contains("  Order FROM O;\n"), "{text}");
    let lines = here.run(&["schema", "o.xsd", "--json"]).lines();
    assert_eq!(lines[1], json!({"module": "O", "type": "Order", "kind": "SEQUENCE"}));
}

#[test]
fn schema_maps_in_the_requested_version_and_reports_what_it_leaves_out() {
    let here = place();
    let schema = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
      <xs:element name="day" type="xs:date"/>
      <xs:notation name="gif" public="image/gif"/></xs:schema>"#;
    here.file("d.xsd", schema);
    let run = here.run(&["schema", "d.xsd"]);
    assert_eq!((run.status, &run.err[..]), (0, "note: not supported: xs:notation 'gif' (d.xsd, line 3)\n"));
    assert!(run.text().contains("TIME (SETTINGS \"Basic=Date Date=YMD\")"), "{}", run.text());
    let run = here.run(&["schema", "d.xsd", "--mapping", "1", "-q"]).done();
    assert!(run.err.is_empty() && run.text().contains("Date ::= DateTimeType (DateOnly)"), "{}", run.text());
    // The schema is not written over, nor what it is read from.
    for output in ["o.xsd", "outer.xsd"] {
        let arguments = ["schema", "outer.xsd", "-s", "o.xsd", "-o", output];
        assert_eq!(here.run(&arguments).status, 2, "{output}");
    }
    assert_eq!(here.read("o.xsd"), SCHEMA.as_bytes());
}

/// A length and one character, a number of items and two octets.
const MESSAGE: &[u8] = &[1, b'a', 2, 7, 255];

/// What comes back of [`GOOD`].
const BACK: &str = "<order xmlns=\"urn:o\" id=\"a\"><item>7</item><item>255</item></order>\n";

#[test]
fn instances_become_messages_and_come_back() {
    let here = place();
    here.run(&["convert", "good.xml", "-s", "o.xsd", "-o", "o.uper"]).done();
    assert_eq!(here.read("o.uper"), MESSAGE);
    let back = |file: &str, to: &str| {
        here.run(&["convert", file, "-s", "o.xsd", "--root", "order", "-t", to]).done().text().to_owned()
    };
    assert_eq!(back("o.uper", "xml"), BACK);
    assert_eq!(back("o.uper", "json"), "{\"id\":\"a\",\"item\":[7,255]}\n");
    assert_eq!(back("good.xml", "json"), back("o.uper", "json"));
    for ending in ["json", "pon", "aper", "ber", "asnv"] {
        let file = format!("o.{ending}");
        here.run(&["convert", "good.xml", "-s", "o.xsd", "-o", &file]).done();
        assert_eq!(back(&file, "xml"), BACK, "{ending}");
    }
    let pretty =
        here.run(&["convert", "o.uper", "-s", "o.xsd", "--root", "{urn:o}order", "-t", "xml", "--pretty"]).done();
    assert_eq!(pretty.text().lines().nth(1), Some("  <item>7</item>"));
    // As a document of XML it needs no schema, and one would do nothing.
    assert_eq!(here.run(&["convert", "good.xml", "-s", "o.xsd", "-t", "tsf"]).status, 2);
}

#[test]
fn the_root_element_of_a_message_must_be_known() {
    let here = place();
    here.file("o.uper", MESSAGE);
    let words = "the schema has 2 global elements: order, note: select the type of the messages with --root";
    for verb in [&["convert", "o.uper", "-t", "xml"][..], &["check", "o.uper"], &["inspect", "o.uper"]] {
        let arguments = [verb, &["-s", "o.xsd"]].concat();
        assert_eq!(failed(&here, &arguments, 2).0, words, "{verb:?}");
    }
    let (line, _) = failed(&here, &["convert", "good.xml", "-s", "o.xsd", "--root", "note", "-t", "uper"], 1);
    assert!(line.starts_with("good.xml: schema at ") && line.contains("found <order>, expected <note>"), "{line}");
    assert_eq!(
        failed(&here, &["check", "o.uper", "-s", "o.xsd", "--root", "item"], 2).0,
        "--root: the schema has no global element 'item'"
    );
}

#[test]
fn invalid_instances_leave_no_message() {
    let here = place();
    let (line, _) = failed(&here, &["convert", "bad.xml", "-s", "o.xsd", "-o", "bad.uper"], 1);
    assert!(line.contains("(line 3, column 9) in /order/item[2]: found '256', expected at most 255"), "{line}");
    assert!(!here.path("bad.uper").exists());
}

#[test]
fn messages_of_a_schema_of_xml_are_looked_into() {
    let here = place();
    here.file("o.uper", MESSAGE);
    let with = |arguments: &[&str]| here.run(&[arguments, &["-s", "o.xsd", "--root", "order"]].concat()).done();
    with(&["check", "o.uper", "good.xml"]);
    assert_eq!(with(&["get", "o.uper", "/item/1"]).text(), "255\n");
    let fields = with(&["inspect", "o.uper"]);
    assert!(fields.text().lines().any(|line| line.ends_with("/item/1  255")), "{}", fields.text());
    let sums = with(&["inspect", "o.uper", "--by-type", "--json"]).lines();
    let sum = |part: &str, kind: Option<&str>| {
        let found = sums.iter().find(|line| line["part"] == part && line["type"].as_str() == kind).unwrap();
        (found["fields"].as_u64().unwrap(), found["bits"].as_u64().unwrap())
    };
    assert_eq!(sum("length", None), (2, 16));
    assert_eq!(sum("value", Some("INTEGER")), (2, 16));
    assert_eq!(sum("value", Some("UTF8String")), (1, 8));
    let table = with(&["inspect", "o.uper", "--by-type"]);
    assert!(table.text().lines().last().is_some_and(|line| line.trim().starts_with("all")), "{}", table.text());
    let lines = here.run(&["compare", "good.xml", "-s", "o.xsd", "--time", "0", "--json"]).lines();
    assert_eq!(lines.iter().find(|line| line["format"] == "uper").unwrap()["bytes"], 5);
    assert_eq!(
        failed(&here, &["inspect", "good.xml", "--by-type"], 2).0,
        "--by-type is for PER, BER, OER and infosets, but the input is xml"
    );
}

/// The module that `schema` prints converts and checks the XML of the schema by itself.
#[test]
fn printed_modules_carry_xml_without_the_schema() {
    let here = place();
    here.file("o.asn1", here.run(&["schema", "o.xsd"]).done().text());
    let by = |schema: &str, to: &str| {
        here.run(&["convert", "good.xml", "-s", schema, "-t", to, "-o", "-"]).done().out.clone()
    };
    for to in ["uper", "ber", "oer", "asn1", "tdxml"] {
        assert_eq!(by("o.asn1", to), by("o.xsd", to), "{to}");
    }
    // In JSON a component has the name that it has where its schema is from.
    let json = |schema: &str| String::from_utf8(by(schema, "json")).unwrap();
    assert_eq!(json("o.xsd"), "{\"id\":\"a\",\"item\":[7,255]}\n");
    assert_eq!(json("o.asn1"), json("o.xsd").replace("item", "item-list"));
    let message = here.run(&["convert", "good.xml", "-s", "o.asn1", "-t", "uper", "-o", "-"]).done().out.clone();
    here.file("m.uper", &message);
    for to in ["xml", "tdxml"] {
        let back = |schema: &str| {
            here.run(&["convert", "m.uper", "-s", schema, "--root", "Order", "-t", to, "-o", "-"]).done().out.clone()
        };
        let by_schema = here.run(&["convert", "m.uper", "-s", "o.xsd", "--root", "order", "-t", to, "-o", "-"]);
        assert_eq!(back("o.asn1"), by_schema.done().out, "{to}");
    }
    here.run(&["check", "good.xml", "-q", "-s", "o.asn1"]).done();
    let (line, _) = failed(&here, &["check", "bad.xml", "-q", "-s", "o.asn1"], 1);
    assert!(line.ends_with("(line 3, column 9) in /order/item[2]: found '256', expected at most 255"), "{line}");
    // What no schema describes is refused where it is, and other formats do not need it.
    let module = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN\nT ::= SEQUENCE { a [ATTRIBUTE] BOOLEAN OPTIONAL }\nEND\n";
    here.file("m.asn1", module).file("t.xml", "<T/>");
    let (line, _) = failed(&here, &["convert", "t.xml", "-s", "m.asn1", "-t", "uper", "-o", "-"], 1);
    assert!(line.starts_with("t.xml: unsupported: found"), "{line}");
    assert!(line.contains("MODIFIED-ENCODINGS (in m.asn1, line 2, column 20, M.T), expected"), "{line}");
    let schema = here.run(&["schema", "m.asn1"]);
    assert!(
        schema.err.starts_with("note: XML by these modules is not usable: m.asn1: unsupported at byte"),
        "{}",
        schema.err
    );
    assert_eq!(
        here.run_with(&["convert", "-", "-f", "json", "-s", "m.asn1", "-t", "ber", "-o", "-"], b"{}").done().out,
        b"0\0"
    );
}

/// XML Schema Part 1, clause 3.2.2: an attribute without a type is of anySimpleType, which nothing may restrict (3.14.6).
#[test]
fn fixed_attributes_without_a_type_are_read_by_their_module() {
    let here = Place::new();
    let schema = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="r"><xs:complexType>
        <xs:attribute name="v" fixed="F"/></xs:complexType></xs:element></xs:schema>"#;
    here.file("s.xsd", schema).file("good.xml", "<r v=\"F\"/>").file("bad.xml", "<r v=\"G\"/>");
    here.run(&["schema", "s.xsd", "-o", "s.asn1"]).done();
    for schema in ["s.xsd", "s.asn1"] {
        here.run(&["check", "good.xml", "-s", schema, "-q"]).done();
        assert_eq!(here.run(&["check", "bad.xml", "-s", schema]).status, 1, "{schema}");
    }
}
