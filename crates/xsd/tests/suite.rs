//! The W3C XML Schema test suite, <https://github.com/w3c/xsdtests>, in the folder that `LENGTHWISE_XSTS` names: `make xsts`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_xsd as xsd;

use std::path::{Path, PathBuf};

use text::xml::{Event, Reader, StartTag};
use xml::name::split;
use xsd::{Files, Options, Schema};

/// Collections of the suite, with the most cases that are decided otherwise: of schemas, and of instances. Of the 47 schemas,
/// 10 refer to documents that do not exist, which the suite allows and we refuse.
const COLLECTIONS: [(&str, usize, usize); 2] = [("msMeta", 46, 11), ("sunMeta", 1, 6)];

/// A case: its name, its documents, and whether they are valid.
#[derive(Default)]
struct Case {
    name: String,
    documents: Vec<PathBuf>,
    valid: Option<bool>,
    accepted: bool,
}

/// A schema, and documents that are or are not valid by it.
#[derive(Default)]
struct Group {
    schema: Option<Case>,
    instances: Vec<Case>,
}

/// Whether what a tag describes is of XML Schema 1.0.
fn is_of_first(tag: StartTag<'_>) -> bool {
    tag.attribute("version").is_none_or(|versions| versions.split(' ').any(|version| version == "1.0"))
}

/// The groups of a file of the suite.
fn groups(path: &Path) -> Vec<Group> {
    let (bytes, folder) = (std::fs::read(path).unwrap(), path.parent().unwrap());
    let mut reader = Reader::new(&bytes, &text::xml::Options::default()).unwrap();
    let mut groups: Vec<Group> = Vec::new();
    let (mut case, mut is_in_group, mut is_in_case) = (Case::default(), true, true);
    while let Some(event) = reader.next_event().unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
        match event {
            Event::Start(tag) => match split(tag.name()).1 {
                "testGroup" => {
                    is_in_group = is_of_first(tag);
                    groups.push(Group::default());
                }
                "schemaTest" | "instanceTest" => {
                    is_in_case = is_in_group && is_of_first(tag);
                    case = Case { name: tag.attribute("name").unwrap_or_default().to_owned(), ..Case::default() };
                }
                "schemaDocument" | "instanceDocument" => {
                    case.documents.push(folder.join(tag.attribute("xlink:href").unwrap_or_default()));
                }
                "expected" if is_of_first(tag) => {
                    case.valid = match tag.attribute("validity") {
                        Some("valid") => Some(true),
                        Some("invalid") => Some(false),
                        _ => None,
                    };
                }
                "current" => case.accepted = matches!(tag.attribute("status"), Some("accepted" | "stable")),
                _ => {}
            },
            Event::End(name) if is_in_case && case.accepted && case.valid.is_some() => {
                let group = groups.last_mut().unwrap();
                match split(name).1 {
                    "schemaTest" => group.schema = Some(std::mem::take(&mut case)),
                    "instanceTest" => group.instances.push(std::mem::take(&mut case)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    groups
}

/// What is counted: the cases, and the names of those that are decided otherwise.
#[derive(Default)]
struct Count {
    cases: usize,
    other: Vec<String>,
}

impl Count {
    fn add(&mut self, case: &Case, result: Result<(), String>) {
        self.cases += 1;
        if Some(result.is_ok()) != case.valid {
            self.other.push(format!("{}: {}", case.name, result.err().unwrap_or_else(|| "valid".to_owned())));
        }
    }
}

#[test]
fn schemas_and_instances_are_valid_as_the_suite_says() {
    let Some(suite) = std::env::var_os("LENGTHWISE_XSTS").map(PathBuf::from) else {
        return test_support::skipped("LENGTHWISE_XSTS names no folder with the W3C XML Schema test suite");
    };
    let options = Options::default();
    for (collection, most_schemas, most_instances) in COLLECTIONS {
        let (mut schemas, mut instances) = (Count::default(), Count::default());
        let files = suite.join(collection).read_dir().unwrap().map(|file| file.unwrap().path());
        let is_set = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "xml" || ending == "testSet");
        let mut files: Vec<PathBuf> = files.filter(is_set).collect();
        files.sort();
        for group in files.iter().flat_map(|file| groups(file)) {
            let Some(case) = &group.schema else { continue };
            let paths: Vec<String> = case.documents.iter().map(|path| path.display().to_string()).collect();
            let schema = Schema::read_all(Files::new().allow(&suite).unwrap(), &paths, &options);
            schemas.add(case, schema.as_ref().map(drop).map_err(ToString::to_string));
            let Ok(schema) = schema else { continue };
            for case in &group.instances {
                let document = std::fs::read(&case.documents[0]).unwrap();
                instances.add(case, schema.validate(&document, &options).map_err(|error| error.to_string()));
            }
        }
        for line in schemas.other.iter().chain(&instances.other) {
            println!("{line}");
        }
        let (wrong_schemas, wrong_instances) = (schemas.other.len(), instances.other.len());
        println!(
            "{collection}: {} of {} schemas and {} of {} instances are decided as the suite says",
            schemas.cases - wrong_schemas,
            schemas.cases,
            instances.cases - wrong_instances,
            instances.cases
        );
        assert!(schemas.cases > 0, "{collection}");
        assert!(wrong_schemas <= most_schemas && wrong_instances <= most_instances, "{collection}");
    }
}
