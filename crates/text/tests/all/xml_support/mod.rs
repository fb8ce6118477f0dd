//! What the XML tests share: the W3C conformance suite, and Python as a second opinion.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tam::{Error, Table};
use text::xml::{self, Event, Files, Options, Reader};

/// A test of the W3C suite.
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) kind: String,
    /// Which external entities a processor would have to read for it: `none`, `general`, ...
    pub(crate) entities: String,
    pub(crate) path: PathBuf,
    /// The document in James Clark's canonical form.
    pub(crate) output: Option<PathBuf>,
}

impl Case {
    pub(crate) fn input(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap_or_else(|error| panic!("{}: {error}", self.path.display()))
    }

    /// The files that it may refer to.
    pub(crate) fn files(&self) -> Files {
        Files::new().allow(suite_root()).unwrap()
    }

    /// The document with what it refers to.
    pub(crate) fn alone(&self, options: &Options) -> Result<Vec<u8>, Error> {
        let input = self.input();
        xml::standalone(&input, self.path.to_str(), options, &self.files()).map(Cow::into_owned)
    }
}

/// The W3C conformance suite, as far as it is there; `None`, and a message, where it is not.
pub(crate) fn suite() -> Option<Vec<Case>> {
    let root = suite_root();
    if !root.is_dir() {
        test_support::skipped("there is no ../shared/data/conformance/xmlconf");
        return None;
    }
    let catalogues = [
        "xmltest/xmltest.xml",
        "oasis/oasis.xml",
        "sun/sun-valid.xml",
        "sun/sun-invalid.xml",
        "sun/sun-not-wf.xml",
        "sun/sun-error.xml",
    ];
    Some(cases(&root, &catalogues))
}

/// The tests of the W3C suite for Namespaces in XML 1.0, where they are there.
pub(crate) fn namespace_suite() -> Option<Vec<Case>> {
    let root = suite_root();
    let catalogue = "eduni/namespaces/1.0/rmt-ns10.xml";
    if !root.join(catalogue).is_file() {
        test_support::skipped(format!("there is no {catalogue} in ../shared/data/conformance/xmlconf"));
        return None;
    }
    Some(cases(&root, &[catalogue]))
}

fn suite_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/conformance/xmlconf")
}

fn cases(root: &Path, catalogues: &[&str]) -> Vec<Case> {
    let mut cases = Vec::new();
    for catalogue in catalogues {
        let path = root.join(catalogue);
        let text = std::fs::read_to_string(&path).unwrap();
        // Some are entities of one large document, without a root element of their own.
        let body = text.strip_prefix("<?xml").map_or(&text[..], |rest| rest.split_once("?>").unwrap().1);
        let whole = format!("<all>{body}</all>");
        let mut reader = Reader::from_text(&whole, &Options::default()).unwrap();
        while let Some(event) = reader.next_event().unwrap_or_else(|error| panic!("{catalogue}: {error}")) {
            let tag = match event {
                Event::Start(tag) if tag.name() == "TEST" => tag,
                _ => continue,
            };
            let get = |name| tag.attribute(name).unwrap_or("").to_owned();
            let folder = path.parent().unwrap();
            cases.push(Case {
                id: get("ID"),
                kind: get("TYPE"),
                entities: tag.attribute("ENTITIES").unwrap_or("none").to_owned(),
                path: folder.join(get("URI")),
                output: tag.attribute("OUTPUT").map(|output| folder.join(output)),
            });
        }
    }
    cases
}

/// All of XML 1.0, whatever its namespaces.
pub(crate) const PLAIN: Options = Options::new().with_namespaces(false);

/// A document as XML again, namespaces checked.
pub(crate) fn rewritten(input: &[u8]) -> Result<Vec<u8>, Error> {
    rewritten_by(input, &Options::default())
}

/// A document as XML again.
pub(crate) fn rewritten_by(input: &[u8], options: &Options) -> Result<Vec<u8>, Error> {
    let mut table = Table::new();
    let document = xml::read(input, options, &mut table)?;
    let mut out = Vec::new();
    xml::append(&document, options, &mut out).map(|()| out)
}

/// Ends an event in [`events`]; no XML document can hold it.
const EVENT: char = '\x1E';
/// Ends a field of an event.
const FIELD: char = '\x1F';

/// The events of the reader for a document, in one string.
pub(crate) fn events(input: &[u8], options: &Options) -> Result<String, Error> {
    events_of(Reader::new(input, options)?)
}

/// The events of a reader, in one string.
pub(crate) fn events_of(mut reader: Reader<'_>) -> Result<String, Error> {
    let mut out = String::new();
    while let Some(event) = reader.next_event()? {
        let mut fields = |fields: &[&str]| {
            for field in fields {
                out.push_str(field);
                out.push(FIELD);
            }
        };
        match event {
            Event::Start(tag) => {
                fields(&["start", tag.name()]);
                tag.attributes().for_each(|(name, value)| fields(&[name, value]));
            }
            Event::End(name) => fields(&["end", name]),
            Event::Text(text) => fields(&["text", text]),
            Event::CData(text) => fields(&["cdata", text]),
            Event::Comment(text) => fields(&["comment", text]),
            Event::Instruction(instruction) => fields(&["pi", instruction.target(), instruction.data()]),
            Event::Doctype(_) => fields(&["doctype"]),
            Event::EntityReference(name) => fields(&["entity", name]),
            _ => panic!("an event that is new"),
        }
        out.push(EVENT);
    }
    Ok(out)
}

/// Runs a Python script of this folder once on many texts, and gives what it says of each.
/// `None`, and a message, where there is no Python.
pub(crate) fn python<T: AsRef<[u8]>>(script: &str, texts: &[T]) -> Option<Vec<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/xml_support").join(script);
    let child = Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        test_support::skipped("there is no python3");
        return None;
    };
    let mut batch = Vec::new();
    for text in texts {
        let text = text.as_ref();
        batch.extend_from_slice(&(text.len() as u32).to_le_bytes());
        batch.extend_from_slice(text);
    }
    let mut pipe = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || pipe.write_all(&batch));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "python3 failed");
    writer.join().unwrap().unwrap();
    let mut answers = Vec::new();
    let mut rest = &output.stdout[..];
    while let Some((len, after)) = rest.split_first_chunk::<4>() {
        let (answer, after) = after.split_at(u32::from_le_bytes(*len) as usize);
        answers.push(String::from_utf8(answer.to_vec()).unwrap());
        rest = after;
    }
    assert_eq!(answers.len(), texts.len(), "an answer for each text");
    Some(answers)
}

/// A generator of numbers that gives the same ones each time (splitmix64).
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub(crate) fn one_of<'t, T: ?Sized>(&mut self, all: &[&'t T]) -> &'t T {
        all[self.below(all.len())]
    }
}
