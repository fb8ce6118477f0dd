//! What the tests share: documents beside the project, ways to write, and what a document says.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

pub(crate) mod appendix_a;
pub(crate) mod hold;
pub(crate) mod made_up;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use asn1::EncodingRules;
use infoset::{Options, SharedStrings, Strings};
use tam::{Document, Error, Step, Table};

pub(crate) const RULES: [EncodingRules; 3] = [EncodingRules::Uper, EncodingRules::Aper, EncodingRules::Ber];
pub(crate) const STRINGS: [Strings; 4] = [Strings::None, Strings::Deflate, Strings::Bzip2, Strings::Zstd];

/// A file or folder of the data beside the project.
pub(crate) fn shared(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path)
}

/// A file of the data beside the project; `None`, and a message, where it is not there.
pub(crate) fn file(path: &str) -> Option<Vec<u8>> {
    let found = std::fs::read(shared(path)).ok();
    if found.is_none() {
        test_support::skipped(format!("there is no ../shared/data/{path}"));
    }
    found
}

/// All ways to write; references to entities are kept.
pub(crate) fn ways() -> impl Iterator<Item = Options<'static>> {
    RULES.into_iter().flat_map(|rules| {
        let of = Options::of(rules).with_entity_references(true);
        let shared = of.with_strings(Strings::Deflate).with_compress_from(8).with_shared(Some(shared_strings()));
        STRINGS.into_iter().map(move |strings| of.with_strings(strings)).chain([shared])
    })
}

/// Strings that some of the documents have.
pub(crate) fn shared_strings() -> &'static SharedStrings {
    static STRINGS: LazyLock<SharedStrings> = LazyLock::new(|| {
        SharedStrings::new("x\0urn:a\0text\0not used\0\u{4E2D}\0http://www.w3.org/2000/xmlns/\0".as_bytes()).unwrap()
    });
    &STRINGS
}

/// Reads XML into a table; references to entities are kept.
pub(crate) fn xml<'a>(text: &'a [u8], table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    text::xml::read(text, &text::xml::Options::default().with_namespaces(false).with_entity_references(true), table)
}

/// The message of XML.
pub(crate) fn message(text: &str, options: &Options) -> Vec<u8> {
    let mut table = Table::new();
    infoset::write(&xml(text.as_bytes(), &mut table).unwrap(), options).unwrap()
}

/// The XML of a document.
pub(crate) fn text(document: &Document<'_>) -> Result<Vec<u8>, Error> {
    let out = text::xml::write(document, &text::xml::Options::default().with_namespaces(false))?;
    Ok(out)
}

/// A message as XML.
pub(crate) fn back(message: &[u8], options: &Options) -> Result<String, Error> {
    let mut table = Table::new();
    let document = infoset::read(message, options, &mut table)?;
    Ok(String::from_utf8(text(&document).unwrap()).unwrap())
}

/// A message as XML, from its events.
pub(crate) fn by_events(message: &[u8], options: &Options) -> Result<String, Error> {
    let mut out = String::new();
    let mut events = infoset::events(message, options)?;
    while let Some(event) = events.next_event()? {
        push_event(&mut out, event)?;
    }
    events.properties()?;
    Ok(out)
}

/// The same, events being pushed.
pub(crate) fn pushed(message: &[u8], options: &Options) -> Result<String, Error> {
    let mut out = String::new();
    let mut events = infoset::events(message, options)?;
    events.for_each(|event| push_event(&mut out, event))?;
    events.properties()?;
    Ok(out)
}

fn push_event(out: &mut String, event: infoset::Event<'_>) -> Result<(), Error> {
    use infoset::Event;
    match event {
        Event::Start(tag) => {
            write!(out, "<{}", tag.name()).unwrap();
            for attribute in tag.attributes() {
                assert_eq!(attribute.name().as_bytes(), attribute.name().as_str().as_bytes());
                assert_eq!(attribute.value_bytes()?, attribute.value()?.as_bytes());
                write!(out, " {}={:?}", attribute.name(), attribute.value()?).unwrap();
            }
            out.push('>');
        }
        Event::End(tag) => write!(out, "</{}>", tag.name()).unwrap(),
        Event::Text(text) => {
            assert_eq!(text.as_bytes()?, text.as_str()?.as_bytes());
            if !text.as_str()?.is_empty() {
                write!(out, "{:?}", text.as_str()?).unwrap();
            }
        }
        Event::Comment(text) => write!(out, "<!--{}-->", text.as_str()?).unwrap(),
        Event::Instruction(pi) => write!(out, "<?{} {}?>", pi.target(), pi.data()).unwrap(),
        Event::Doctype(text) => write!(out, "<!{}>", text.as_str()?).unwrap(),
        Event::EntityReference(name) => write!(out, "&{};", name.as_str()?).unwrap(),
        _ => panic!("an event that is new"),
    }
    Ok(())
}

/// What a document says, as far as Appendix A has room for it: CDATA is text, next to text it is one
/// with it, and namespace attributes come first.
pub(crate) fn said(document: &Document<'_>) -> String {
    let mut out = String::new();
    let mut text = String::new();
    let mut names = Vec::new();
    for step in document.walk() {
        let node = match step {
            Step::Open(node) | Step::Primitive(node) | Step::Close(node) => node,
        };
        if matches!(step, Step::Primitive(_)) && matches!(node.kind(), b'[' | b']') && node.name().is_none() {
            text.push_str(node.text().unwrap());
            continue;
        }
        if matches!(step, Step::Primitive(_)) && node.kind() == b'[' {
            continue;
        }
        if node.kind() != b'=' && !text.is_empty() {
            write!(out, "{text:?}").unwrap();
            text.clear();
        }
        match (step, node.kind()) {
            (Step::Open(_), b'<') => {
                write!(out, "<{}", node.name()).unwrap();
                let list = node.children().next().filter(|list| list.kind() == b'=');
                let mut all: Vec<_> = list.iter().flat_map(|list| list.children()).collect();
                all.sort_by_key(|one| {
                    let name = one.name().to_string();
                    !(name == "xmlns" || name.starts_with("xmlns:"))
                });
                for one in all {
                    write!(out, " {}={:?}", one.name(), one.text().unwrap()).unwrap();
                }
                out.push('>');
                names.push(node.name().to_string());
            }
            (Step::Close(_), b'<') => write!(out, "</{}>", names.pop().unwrap()).unwrap(),
            (Step::Primitive(_), b'+') => write!(out, "<!--{}-->", node.text().unwrap()).unwrap(),
            (Step::Primitive(_), b'?') => {
                let (target, data) = node.text().unwrap().split_once(' ').unwrap_or((node.text().unwrap(), ""));
                write!(out, "<?{target} {data}?>").unwrap();
            }
            (Step::Primitive(_), b'!') => write!(out, "<!{}>", node.text().unwrap()).unwrap(),
            (Step::Primitive(_), b'&') => write!(out, "&{};", node.text().unwrap()).unwrap(),
            _ => {}
        }
    }
    out
}

/// Documents of up to half a megabyte below a folder, which may not be there.
pub(crate) fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        if path.is_dir() {
            documents(&path, found);
        } else if ["xml", "gpx", "kml", "xsd"].contains(&ending)
            && entry.metadata().is_ok_and(|file| file.len() < 500_000)
        {
            found.push(path);
        }
    }
}
