//! Real instances, and what a change makes of them, beside libxml2's verdict (`xmllint --schema`).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_x694 as x694;

mod instance_support;

use std::fs;
use std::process::{Command, Stdio};

use instance_support::{SETS, carried, data, schema as schema_of};
use test_support::Random;
use text::xml::{Event, Reader};
use x694::mapping::{self, Version};
use x694::xer;
use xsd::Options;

#[test]
fn instances_of_real_schemas_are_valid() {
    let Some(data) = data() else { return };
    let options = Options::default();
    for (schema, instances) in SETS {
        let schema = schema_of(&data, schema);
        for instance in *instances {
            let text = fs::read(data.join(instance)).unwrap();
            let checked = schema.validate(&text, &options);
            assert!(checked.is_ok(), "{instance}: {}", checked.unwrap_err());
        }
    }
}

#[test]
fn instances_with_what_came_later_are_refused() {
    let Some(data) = data() else { return };
    let options = Options::default();
    let schema = schema_of(&data, "uddi/xsd/uddi_v2.xsd");
    for (name, words) in [("joe_businessEntity.xml", "'xml:lang'"), ("sam_businessService.xml", "'useType'")] {
        let text = fs::read(data.join("uddi/invalid").join(name)).unwrap();
        let error = schema.validate(&text, &options).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn every_main_document_of_ubl_is_a_schema() {
    let Some(data) = data() else { return };
    for entry in fs::read_dir(data.join("ubl21/xsd/maindoc")).unwrap() {
        let path = entry.unwrap().path();
        let schema = schema_of(&data, &path);
        assert!(schema.documents.len() >= 10 && schema.complex_types.len() > 1000, "{}", path.display());
    }
}

/// An element as it is written: an element may be copied, moved and renamed by its places.
struct Element {
    start: usize,
    content: usize,
    close: usize,
    end: usize,
    children: usize,
}

/// The elements of a document.
fn elements(text: &str) -> Vec<Element> {
    let mut reader = Reader::from_text(text, &text::xml::Options::default()).unwrap();
    let (mut elements, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    loop {
        let event = match reader.next_event().unwrap() {
            None => return elements,
            Some(Event::Start(_)) => 1,
            Some(Event::End(_)) => 2,
            Some(_) => 0,
        };
        // Before the root element there may be white space.
        let at = reader.offset() as usize;
        let at = at + text[at..].len() - text[at..].trim_start().len();
        match event {
            1 => {
                if let Some(parent) = open.last() {
                    elements[*parent].children += 1;
                }
                open.push(elements.len());
                let content = tag_end(text, at);
                elements.push(Element { start: at, content, close: at, end: at, children: 0 });
            }
            2 => {
                let element = &mut elements[open.pop().unwrap()];
                let empty = text[..element.content].ends_with("/>");
                element.close = if empty { element.content } else { at };
                element.end = if empty { element.content } else { at + text[at..].find('>').unwrap() + 1 };
            }
            _ => {}
        }
    }
}

/// The place behind a start tag.
fn tag_end(text: &str, start: usize) -> usize {
    let mut quote = None;
    for (n, byte) in text.bytes().enumerate().skip(start) {
        match (quote, byte) {
            (None, b'>') => return n + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(mark), _) if mark == byte => quote = None,
            _ => {}
        }
    }
    panic!("a tag without an end");
}

const TEXTS: &[&str] = &[
    "",
    " ",
    "x",
    "-1",
    "1.5",
    "true",
    "2004-01-01",
    "2004-02-30",
    "2004-01-01T00:00:00Z",
    "12:00:00",
    "  7 ",
    "abc def",
    "1e5",
    "INF",
    "%zz",
    "a:b",
    "#x#y",
    "P1Y",
    "http://x/y",
    "+5",
    "é",
    "en-US",
    "id",
    "\n",
];

/// A document with one change.
fn mutated(text: &str, random: &mut Random) -> String {
    let elements = elements(text);
    let element = &elements[random.below(elements.len())];
    let other = &elements[random.below(elements.len())];
    let (mut out, whole) = (text.to_owned(), &text[element.start..element.end]);
    let name_end =
        |element: &Element| element.start + text[element.start..].find([' ', '>', '/', '\n', '\t', '\r']).unwrap_or(1);
    let has_attributes = text[name_end(element)..element.content].contains('=');
    match random.below(9) {
        0 => out.replace_range(element.start..element.end, ""),
        1 => out.insert_str(element.end, &whole.repeat(1 + random.below(3))),
        2 => {
            let name = text[other.start + 1..name_end(other)].to_owned();
            let name = if random.one_in(4) { "foo".to_owned() } else { name };
            if element.close > element.content {
                let close = element.close + 2..element.end - 1;
                out.replace_range(close, &name);
            }
            out.replace_range(element.start + 1..name_end(element), &name);
        }
        3 => {
            // Moved before another that is neither in it nor around it.
            if other.end <= element.start {
                let whole = whole.to_owned();
                out.replace_range(element.start..element.end, "");
                out.insert_str(other.start, &whole);
            }
        }
        4 => out.insert_str(element.content, random.of(&["x", " ", "<foo/>", "<!-- c -->"])),
        5 => {
            let at = name_end(element);
            let attribute = random.of(&["foo", "id", "xml:lang", "lang", "unitCode", "currencyID"]);
            out.insert_str(at, &format!(" {attribute}='{}'", random.of(TEXTS)));
        }
        6 if has_attributes => {
            // The value of the first attribute.
            let from = name_end(element);
            let quote = from + text[from..].find(['"', '\'']).unwrap();
            let mark = &text[quote..=quote];
            let end = quote + 1 + text[quote + 1..].find(mark).unwrap();
            if random.one_in(2) {
                out.replace_range(quote + 1..end, random.of(TEXTS));
            } else {
                out.replace_range(from..=end, "");
            }
        }
        _ => {
            let leaves: Vec<&Element> =
                elements.iter().filter(|leaf| leaf.children == 0 && leaf.close > leaf.content).collect();
            if !leaves.is_empty() {
                let leaf = leaves[random.below(leaves.len())];
                out.replace_range(leaf.content..leaf.close, random.of(TEXTS));
            }
        }
    }
    out
}

fn has_xmllint() -> bool {
    let status = Command::new("xmllint").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = status.is_ok_and(|status| status.success());
    if !there {
        test_support::skipped("there is no xmllint");
    }
    there
}

#[test]
fn changed_instances_are_refused_exactly_where_libxml2_refuses_them() {
    let Some(data) = data().filter(|_| has_xmllint()) else { return };
    let options = Options::default();
    let mut random = Random::new(2004);
    let (mut valid, mut invalid) = (0, 0);
    for (n, (schema_path, instances)) in SETS.iter().enumerate() {
        let schema = schema_of(&data, schema_path);
        let version = if n % 2 == 0 { Version::V2 } else { Version::V1 };
        let mapping = mapping::Options::default().with_version(version);
        let types = xer::Types::new(schema.clone(), &mapping).unwrap();
        let folder = std::env::temp_dir().join(format!("lengthwise-xsd-{}-{n}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut made = Vec::new();
        for instance in *instances {
            let text = fs::read_to_string(data.join(instance)).unwrap().trim_start_matches('\u{FEFF}').to_owned();
            if text.len() > 60_000 {
                continue;
            }
            for _ in 0..test_support::rounds(200 / instances.len()) {
                let mut changed = mutated(&text, &mut random);
                if random.one_in(4)
                    && Reader::from_text(&changed, &text::xml::Options::default()).is_ok_and(is_well_formed)
                {
                    changed = mutated(&changed, &mut random);
                }
                let path = folder.join(format!("{}.xml", made.len()));
                fs::write(&path, &changed).unwrap();
                made.push((path, changed));
            }
        }
        let mut command = Command::new("xmllint");
        command.arg("--noout").arg("--nonet").arg("--schema").arg(data.join(schema_path));
        let output = command.args(made.iter().map(|(path, _)| path)).output().unwrap();
        let verdicts = String::from_utf8_lossy(&output.stderr).into_owned();
        let accepted: std::collections::HashSet<&str> =
            verdicts.lines().filter_map(|line| line.strip_suffix(" validates")).collect();
        for (path, changed) in &made {
            let theirs = accepted.contains(path.to_str().unwrap());
            let ours = schema.validate(changed.as_bytes(), &options);
            if theirs {
                valid += 1
            } else {
                invalid += 1
            }
            assert_eq!(ours.is_ok(), theirs, "{schema_path}: {ours:?}\n{changed}");
            // What is valid goes through PER, and what is not never gets there.
            match carried(&types, changed.as_bytes()) {
                Ok(_) => assert!(theirs, "{schema_path}: read\n{changed}"),
                Err(error) => assert_eq!(Some(&error), ours.as_ref().err(), "{schema_path}\n{changed}"),
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    println!("{valid} valid, {invalid} refused");
    assert!(valid > test_support::rounds(100) && invalid > test_support::rounds(500), "{valid} {invalid}");
}

fn is_well_formed(mut reader: Reader<'_>) -> bool {
    loop {
        match reader.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}
