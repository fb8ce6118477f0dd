//! Small schemas, and the assignments that they become.

use asn1::notation;
use asn1::schema::{Kind, Meaning, Schema as Modules, Type};
use x694::mapping::{self, Mapping, Options, Version};
use xsd::{Memory, Schema};

const HEAD: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'";

/// A schema in no namespace.
pub(crate) fn schema(body: &str) -> Schema {
    schema_with("", body)
}

/// A schema whose `xs:schema` has these attributes as well.
pub(crate) fn schema_with(attributes: &str, body: &str) -> Schema {
    let source = Memory::new().with("main.xsd", format!("{HEAD} {attributes}>{body}</xs:schema>"));
    Schema::read_from(source, "main.xsd", &xsd::Options::default()).unwrap()
}

pub(crate) fn map(schema: &Schema, version: Version) -> Mapping {
    mapping::map(schema, &Options::default().with_version(version)).unwrap()
}

/// The assignments of the first module, white space as single spaces.
pub(crate) fn assignments(schema: &Schema, version: Version) -> String {
    let mapped = map(schema, version).schema;
    let text = notation::print(&mapped.modules[0]);
    assert!(is_read_back(&mapped), "what is printed is not what is read back");
    let (_, body) = text.split_once("BEGIN\n").unwrap();
    let (body, _) = body.split_once("ENCODING-CONTROL").unwrap();
    let body = if body.contains("IMPORTS") { body.split_once(";\n").unwrap().1 } else { body };
    spaced(body)
}

/// Runs of white space as one space each.
pub(crate) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Holds the assignments that a schema in no namespace becomes against those written by hand.
#[track_caller]
pub(crate) fn holds(body: &str, expected: &str) {
    assert_eq!(assignments(&schema(body), Version::V2), spaced(expected));
}

/// Whether the notation of modules is read as these, but for what it does not have.
pub(crate) fn is_read_back(modules: &Modules) -> bool {
    notation::parse_one(&notation::print_schema(modules), &tam::Limits::default()).unwrap() == with_identifiers(modules)
}

/// The modules without what their parts are called in the XML, as others know them.
pub(crate) fn with_identifiers(modules: &Modules) -> Modules {
    let mut plain = modules.clone();
    for assignment in plain.modules.iter_mut().flat_map(|module| &mut module.assignments) {
        if let Meaning::Type(ty) = &mut assignment.meaning {
            remove_texts(ty);
        }
    }
    plain
}

fn remove_texts(ty: &mut Type) {
    match &mut ty.kind {
        Kind::Sequence(fields) | Kind::Choice(fields) => {
            for component in &mut fields.root {
                component.text = None;
                remove_texts(&mut component.ty);
            }
        }
        Kind::SequenceOf(item) => remove_texts(&mut item.ty),
        Kind::Enumerated(items) => items.root.iter_mut().for_each(|item| item.text = None),
        _ => {}
    }
}
