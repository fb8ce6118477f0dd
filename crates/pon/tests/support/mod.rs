//! What the tests of the format share: documents as lists, a twin that reads and writes in the most
//! obvious way, and made-up messages. Only [`tree`] and [`hold`] look at what the crate has read.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

#[cfg(feature = "serde")]
pub(crate) mod dynamic;
pub(crate) mod generate;
pub(crate) mod hold;
pub(crate) mod samples;
pub(crate) mod twin;

use tam::{Builder, Document, Limits, Step, Table, TypeSet};

/// One value of a tree that is written down as the list of its values, in the order of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Of a member of an object, escapes undone.
    pub(crate) key: Option<String>,
    pub(crate) data: Data,
}

/// The types of the paper's table 1. Numbers are their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    Null,
    Boolean(bool),
    Integer(String),
    Float(String),
    String(String),
    Binary(Vec<u8>),
    Char(char),
    Byte(u8),
    /// How many of the units that follow are directly in it.
    Array(usize),
    /// How many of the units that follow are directly in it.
    Object(usize),
}

/// An item, or the outermost value.
pub(crate) fn item(data: Data) -> Unit {
    Unit { key: None, data }
}

/// A member of an object.
pub(crate) fn member(key: &str, data: Data) -> Unit {
    Unit { key: Some(key.to_owned()), data }
}

pub(crate) fn string(text: &str) -> Data {
    Data::String(text.to_owned())
}

pub(crate) fn integer(digits: &str) -> Data {
    Data::Integer(digits.to_owned())
}

pub(crate) fn float(text: &str) -> Data {
    Data::Float(text.to_owned())
}

impl Data {
    /// How many of the units that follow are directly in this one.
    pub(crate) fn count(&self) -> Option<usize> {
        match *self {
            Data::Array(count) | Data::Object(count) => Some(count),
            _ => None,
        }
    }
}

/// The tree of a document, its types as the contract has them for the set `value`.
pub(crate) fn tree(document: &Document<'_>) -> Vec<Unit> {
    let text = |data: &[u8]| String::from_utf8(data.to_vec()).expect("UTF-8");
    let mut units = Vec::with_capacity(document.units());
    for step in document.walk() {
        let (Step::Open(node) | Step::Primitive(node)) = step else { continue };
        let value = node.value();
        let data = match node.kind() {
            b'~' => Data::Null,
            b'?' => Data::Boolean(value == b"t"),
            b'#' => Data::Integer(text(value)),
            b'%' => Data::Float(text(value)),
            b'\'' => Data::String(text(value)),
            b'*' => Data::Binary(value.to_vec()),
            b'^' => Data::Char(text(value).chars().next().expect("a character")),
            b'`' => Data::Byte(value[0]),
            b'[' => Data::Array(node.children().len()),
            _ => Data::Object(node.children().len()),
        };
        let key = node.member_name().map(|name| text(&name));
        units.push(Unit { key, data });
    }
    units
}

/// Puts a tree into a table, as a program would that makes a document by hand.
pub(crate) fn build(units: &[Unit], table: &mut Table<'_>) {
    let mut build = Builder::new(b"", TypeSet::VALUE, Limits::NONE, table);
    // How many units each open one still lacks.
    let mut open: Vec<usize> = Vec::new();
    for unit in units {
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        let mut char = [0; 4];
        let (kind, data): (u8, &[u8]) = match &unit.data {
            Data::Null => (b'~', b""),
            Data::Boolean(value) => (b'?', if *value { b"t" } else { b"f" }),
            Data::Integer(text) => (b'#', text.as_bytes()),
            Data::Float(text) => (b'%', text.as_bytes()),
            Data::String(text) => (b'\'', text.as_bytes()),
            Data::Binary(octets) => (b'*', octets),
            Data::Char(c) => (b'^', c.encode_utf8(&mut char).as_bytes()),
            Data::Byte(byte) => (b'`', std::slice::from_ref(byte)),
            Data::Array(_) => (b'[', b""),
            Data::Object(_) => (b'{', b""),
        };
        let key = unit.key.as_deref().map(str::as_bytes);
        match unit.data.count() {
            Some(_) => build.open_member(kind, key),
            None => build.primitive_member(kind, key, data),
        }
        .unwrap();
        open.extend(unit.data.count());
        while open.last() == Some(&0) {
            open.pop();
            build.close().unwrap();
        }
    }
    build.finish().unwrap();
}
