//! Units by their paths, and paths of units.
#![cfg(feature = "alloc")]

use crate::support::built;
use proptest::prelude::*;
use tam::{Builder, Document, Limits, Step, Table, TypeSet};

/// The data at a path, or what is said of it.
fn at(document: &Document<'_>, path: &str) -> String {
    match document.get(path) {
        Ok(node) if node.is_structured() => format!("{}{}", node.name(), char::from(node.kind())),
        Ok(node) => String::from_utf8_lossy(node.value()).into_owned(),
        Err(error) => error.to_string(),
    }
}

/// Every unit is found by its own path, except for attribute lists, which have none.
fn check_all(document: &Document<'_>) {
    for step in document.walk() {
        let (Step::Open(node) | Step::Primitive(node)) = step else { continue };
        if node.kind() != b'=' {
            let path = node.path();
            assert_eq!(document.get(&path).map(|found| found.index()), Ok(node.index()), "{path}");
        }
    }
}

#[test]
fn values_are_reached_by_names_and_indexes() {
    let table = built(TypeSet::VALUE, |b| {
        b.open(b'{', b"")?;
        b.primitive(b'#', b"a", b"1")?;
        b.primitive(b'#', b"a", b"2")?;
        b.primitive(b'#', b"a/b~c", b"3")?;
        b.primitive(b'#', b"7", b"4")?;
        b.primitive_member(b'#', Some(b""), b"5")?;
        b.primitive(b'#', b"x[2]", b"6")?;
        b.primitive(b'#', b"*", b"7")?;
        b.open(b'[', b"list")?;
        b.primitive(b'#', b"", b"8")?;
        b.open(b'{', b"")?;
        b.primitive(b'#', b"0", b"9")?;
        b.close()?;
        b.close()?;
        b.close()
    });
    let document = table.document(b"", TypeSet::VALUE);
    for (path, data) in [
        ("", "{"),
        ("/a", "1"),
        ("a", "1"),
        ("/a[2]", "2"),
        ("/a~1b~0c", "3"),
        ("/7", "4"),
        ("/2", "3"),
        ("/", "5"),
        ("/x[2]", "6"),
        ("/*", "7"),
        ("/*[2]", "2"),
        ("/list", "list["),
        ("/list/0", "8"),
        ("/list/1/0", "9"),
        ("/b", "no 'b' in /"),
        ("/a[3]", "no 'a[3]' in /"),
        ("/a[0]", "no 'a[0]' in /"),
        ("/list/2", "no '2' in /list"),
        ("/list/0/0", "no '0' in /list/0"),
        ("/list/1/zero/x", "no 'zero' in /list/1"),
        ("/8", "no '8' in /"),
        ("/list/-1", "no '-1' in /list"),
    ] {
        assert_eq!(at(&document, path), data, "{path}");
    }
    check_all(&document);
}

#[test]
fn xml_is_reached_by_elements_attributes_and_texts() {
    let table = built(TypeSet::XML, |b| {
        b.open(b'=', b"")?;
        b.primitive(b'+', b"", b"comment")?;
        b.open(b'<', b"a")?;
        b.open(b'=', b"")?;
        b.primitive(b'[', b"id", b"1")?;
        b.primitive(b'[', b"x:n", b"2")?;
        b.close()?;
        b.primitive(b'[', b"", b"text")?;
        b.open(b'<', b"b")?;
        b.close()?;
        b.primitive(b']', b"", b"cdata")?;
        b.open(b'<', b"b")?;
        b.primitive(b'[', b"", b"deep")?;
        b.close()?;
        b.close()?;
        b.primitive(b'?', b"", b"instruction")?;
        b.close()
    });
    let document = table.document(b"", TypeSet::XML);
    for (path, data) in [
        ("/a", "a<"),
        ("/", "="),
        ("/a/@id", "1"),
        ("/a/@x:n", "2"),
        ("/a/@y", "no '@y' in /a"),
        ("/a/0", "text"),
        ("/a/text()", "text"),
        ("/a/text()[2]", "cdata"),
        ("/a/b", "b<"),
        ("/a/b[2]/text()", "deep"),
        ("/a/*[2]/0", "deep"),
        ("/a/3/0", "deep"),
        ("/a/id", "no 'id' in /a"),
        ("/0", "comment"),
        ("/2", "instruction"),
    ] {
        assert_eq!(at(&document, path), data, "{path}");
    }
    check_all(&document);
    assert_eq!(document.get("/a/@x:n").unwrap().path(), "/a/@x:n");
    assert_eq!(document.get("/a/b[2]/0").unwrap().path(), "/a/b[2]/0");
}

#[test]
fn a_named_outermost_unit_is_the_first_step() {
    let table = built(TypeSet::JSON, |b| {
        b.open(b'{', b"project")?;
        b.primitive(b'\'', b"x", b"1")?;
        b.close()?;
        b.primitive(b'\'', b"version", b"2")
    });
    let document = table.document(b"", TypeSet::JSON);
    assert_eq!(at(&document, "/project/x"), "1");
    assert_eq!(at(&document, "/version"), "2");
    assert_eq!(at(&document, "/x"), "no 'x' in /");
    check_all(&document);
}

#[test]
fn an_empty_document_has_no_units() {
    let table = Table::new();
    let document = table.document(b"", TypeSet::VALUE);
    assert_eq!(at(&document, ""), "no '' in /");
    assert_eq!(at(&document, "/a"), "no '/a' in /");
}

#[test]
fn names_that_cannot_be_seen_are_shown() {
    let table = built(TypeSet::VALUE, |b| {
        b.open(b'{', b"")?;
        b.primitive(b'~', b"a\nb\x1B", b"")?;
        b.primitive(b'~', b"\xFF", b"")?;
        b.close()
    });
    let document = table.document(b"", TypeSet::VALUE);
    let paths: Vec<_> = document.root().unwrap().children().map(|node| node.path()).collect();
    assert_eq!(paths, [r"/a\nb\u{1b}", "/\u{FFFD}"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// While a document is made, the builder has the same path for each open unit as the finished document.
    #[test]
    fn builders_and_documents_agree_on_paths(moves in prop::collection::vec((0..4u8, "[ab0-9/~*\\[\\]]{0,3}"), 1..60)) {
        let mut table = Table::new();
        let mut builder = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
        builder.open(b'{', b"").unwrap();
        let mut paths = vec![builder.path()];
        let mut objects = vec![true];
        for (kind, name) in &moves {
            let in_object = *objects.last().unwrap();
            let name = in_object.then_some(name.as_bytes());
            match kind {
                0 => builder.primitive_member(b'~', name, b"").unwrap(),
                1 | 2 => {
                    let kind = if *kind == 1 { b'{' } else { b'[' };
                    builder.open_member(kind, name).unwrap();
                    objects.push(kind == b'{');
                    paths.push(builder.path());
                }
                _ if objects.len() > 1 => {
                    builder.close().unwrap();
                    objects.pop();
                }
                _ => {}
            }
        }
        for _ in &objects {
            builder.close().unwrap();
        }
        builder.finish().unwrap();
        let document = table.document(b"", TypeSet::VALUE);
        let opened = document.walk().filter_map(|step| match step {
            Step::Open(node) => Some(node.path()),
            _ => None,
        });
        prop_assert_eq!(opened.collect::<Vec<_>>(), paths);
    }
}
