//! Messages made by the codec that any module can be used with, of the module of Appendix A.

use std::fmt::Write;
use std::sync::LazyLock;

use asn1::{Compiled, EncodingRules, NodeId, Options, Value, Values, notation};
use tam::Limits;

const MODULE: &str = infoset::NOTATION;

static TYPES: LazyLock<(Compiled, NodeId)> = LazyLock::new(|| {
    let types = Compiled::from_notation(MODULE).unwrap();
    let document = types.find("Document").unwrap();
    (types, document)
});

const LIMITS: Limits = Limits { depth: 10_000, ..Limits::DEFAULT };

/// The options of the general codec.
pub(crate) fn general(rules: EncodingRules) -> Options {
    match rules {
        EncodingRules::Uper => Options::uper(),
        EncodingRules::Aper => Options::aper(),
        _ => Options::ber(),
    }
    .with_limits(LIMITS)
}

/// What a message says, as the general codec reads it.
pub(crate) fn value<'v>(message: &'v [u8], rules: EncodingRules, values: &'v mut Values) -> Value<'v> {
    let (types, document) = &*TYPES;
    asn1::read(message, types, *document, &general(rules), values).unwrap_or_else(|error| panic!("{error}"))
}

/// The message of a value in notation.
pub(crate) fn encoded(text: &str, rules: EncodingRules) -> Vec<u8> {
    let (types, document) = &*TYPES;
    let mut values = Values::new();
    let value = notation::read_value(text, types, Some(*document), &LIMITS, &mut values)
        .unwrap_or_else(|error| panic!("{error}: {text:.2000}"));
    asn1::write(value, &general(rules)).unwrap()
}

/// A message in notation, part by part.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) children: String,
    pub(crate) notations: String,
    pub(crate) entities: String,
    /// The fields between these and the strings.
    pub(crate) properties: String,
    pub(crate) blocks: Vec<(String, Vec<u8>)>,
    pub(crate) names: String,
}

impl Parts {
    /// Children, their strings in one block, and local names that are these by index, without namespaces.
    pub(crate) fn new(children: &str, strings: &[&str], names: &[u32]) -> Parts {
        let name = |index: &u32| format!("{{ local-name component-string-index : {index} }}");
        let names: Vec<String> = names.iter().map(name).collect();
        Parts {
            children: children.to_owned(),
            notations: String::new(),
            entities: String::new(),
            properties: "character-encoding-scheme component-string-index : 0, all-declarations-processed TRUE".into(),
            blocks: vec![(String::new(), block(strings))],
            names: names.join(", "),
        }
    }

    pub(crate) fn encoded(&self, rules: EncodingRules) -> Vec<u8> {
        let mut blocks = Vec::new();
        for (algorithm, octets) in &self.blocks {
            let mut hex = String::new();
            octets.iter().for_each(|octet| write!(hex, "{octet:02X}").unwrap());
            blocks.push(format!(
                "{{ compression-algorithm {algorithm:?}, component-strings-compressed-block '{hex}'H }}"
            ));
        }
        let Parts { children, notations, entities, properties, names, .. } = self;
        let text = format!(
            "{{ children {{ {children} }}, notations {{ {notations} }}, unparsed-entities {{ {entities} }}, {properties}, \
             component-strings {{ {} }}, common-names {{ {names} }} }}",
            blocks.join(", ")
        );
        encoded(&text, rules)
    }
}

/// A block of strings, uncompressed.
pub(crate) fn block(strings: &[&str]) -> Vec<u8> {
    strings.iter().flat_map(|string| string.bytes().chain([0])).collect()
}

/// An element of a common name with content.
pub(crate) fn element(name: u32, content: &str) -> String {
    format!(
        "element : {{ name common-name-index : {name}, children {content}, \
         in-scope-namespaces same-as-parent-element : NULL }}"
    )
}

/// The content that is a text alone, by index.
pub(crate) fn text(index: u32) -> String {
    format!("element-content-characters : component-string-index : {index}")
}

/// The content that is children.
pub(crate) fn children(children: &str) -> String {
    format!("children : {{ {children} }}")
}
