//! What the tests of the format share: trees as lists, a twin that reads and writes in the most
//! obvious way, and made-up messages. Only [`tree`] looks at what the crate has read.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.
// The unit tests of the crate, which is `no_std`, use these modules too.
#![allow(unused_imports)]

pub(crate) mod generate;
pub(crate) mod hold;
pub(crate) mod samples;
pub(crate) mod twin;

use std::borrow::Cow;
use std::{string::String, vec::Vec};

use tam::{Document, Step, TypeSet};

/// Which characters are types, beside the type set the crate makes of them.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) structured: Vec<u8>,
    pub(crate) primitive: Vec<u8>,
    pub(crate) types: TypeSet,
}

impl Set {
    /// The built-in sets, their characters as the table in the contract has them.
    pub(crate) fn built_in() -> [Set; 3] {
        [Set::xml(), Set::json(), Set::value()]
    }

    pub(crate) fn xml() -> Set {
        Set { structured: b"<=@".to_vec(), primitive: b"[]!?+".to_vec(), types: TypeSet::XML.clone() }
    }

    pub(crate) fn json() -> Set {
        Set { structured: b"{[".to_vec(), primitive: b"'".to_vec(), types: TypeSet::JSON.clone() }
    }

    pub(crate) fn value() -> Set {
        Set { structured: b"{[".to_vec(), primitive: b"'#%?~*^`".to_vec(), types: TypeSet::VALUE.clone() }
    }

    /// A set of the user's.
    pub(crate) fn of(structured: &[u8], primitive: &[u8]) -> Set {
        let types = TypeSet::new(structured, primitive).unwrap();
        Set { structured: structured.to_vec(), primitive: primitive.to_vec(), types }
    }

    pub(crate) fn holds(&self, c: u8) -> bool {
        self.structured.contains(&c) || self.primitive.contains(&c)
    }
}

/// One unit of a tree that is written down as the list of its units, in the order of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit<'m> {
    pub(crate) kind: u8,
    /// The name itself, quote and escapes undone. A name can be empty and still be one.
    pub(crate) name: Option<Cow<'m, [u8]>>,
    pub(crate) content: Content<'m>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content<'m> {
    /// Of a primitive unit.
    Data(Cow<'m, [u8]>),
    /// Of a structured unit: how many of the units that follow are directly in it.
    Units(usize),
}

/// A structured unit that holds the next `count` units of its level. No name is `""`.
pub(crate) fn holds<'m>(kind: char, name: &'m str, count: usize) -> Unit<'m> {
    let name = (!name.is_empty()).then_some(Cow::Borrowed(name.as_bytes()));
    Unit { kind: kind as u8, name, content: Content::Units(count) }
}

/// A primitive unit. No name is `""`.
pub(crate) fn data<'m>(kind: char, name: &'m str, data: &'m str) -> Unit<'m> {
    bytes(kind, name, data.as_bytes())
}

/// A primitive unit of any bytes. No name is `""`.
pub(crate) fn bytes<'m>(kind: char, name: &'m str, data: &'m [u8]) -> Unit<'m> {
    let name = (!name.is_empty()).then_some(Cow::Borrowed(name.as_bytes()));
    Unit { kind: kind as u8, name, content: Content::Data(Cow::Borrowed(data)) }
}

impl Unit<'_> {
    /// The same unit, its name being the empty string, which is not the same as none.
    pub(crate) fn with_empty_name(mut self) -> Self {
        self.name = Some(Cow::Borrowed(b""));
        self
    }
}

/// The tree of a document.
pub(crate) fn tree<'d>(document: &'d Document<'d>) -> Vec<Unit<'d>> {
    let mut units = Vec::with_capacity(document.units());
    for step in document.walk() {
        let (node, content) = match step {
            Step::Open(node) => (node, Content::Units(node.children().len())),
            Step::Primitive(node) => (node, Content::Data(Cow::Borrowed(node.value()))),
            Step::Close(_) => continue,
        };
        let name = node.member_name();
        units.push(Unit { kind: node.kind(), name, content });
    }
    units
}
