//! What the tests of BER share.
#![allow(dead_code)] // Not every test program uses everything.

pub(crate) mod forms;

use asn1::{Compiled, NodeId, Options, Value, Values, jer};
use tam::{Error, Limits, Table};
use text::json;

/// Octets of hexadecimal digits; spaces are free.
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|two| (two[0] << 4 | two[1]) as u8).collect()
}

/// A type of a module.
pub(crate) struct Type {
    pub(crate) types: Compiled,
    pub(crate) node: NodeId,
}

impl Type {
    /// The type `T` of assignments, tags being explicit.
    pub(crate) fn new(assignments: &str) -> Type {
        Type::tagged("EXPLICIT TAGS", assignments)
    }

    /// The same, tags being implicit.
    pub(crate) fn implicit(assignments: &str) -> Type {
        Type::tagged("IMPLICIT TAGS", assignments)
    }

    pub(crate) fn tagged(tags: &str, assignments: &str) -> Type {
        let types = Compiled::from_notation(&format!("M DEFINITIONS {tags} ::= BEGIN {assignments} END")).unwrap();
        let node = types.find("T").unwrap();
        Type { types, node }
    }

    /// What a message says, as JSON.
    pub(crate) fn json(&self, message: &[u8]) -> Result<String, Error> {
        self.json_within(message, Limits::DEFAULT)
    }

    pub(crate) fn json_within(&self, message: &[u8], limits: Limits) -> Result<String, Error> {
        let mut values = Values::new();
        let options = Options::ber().with_limits(limits);
        asn1::read(message, &self.types, self.node, &options, &mut values).map(text_of)
    }

    /// What JSON says, as a message.
    pub(crate) fn message(&self, text: &str, options: &Options) -> Result<Vec<u8>, Error> {
        let mut table = Table::new();
        let document = json::read(text.as_bytes(), &json::Options::default(), &mut table)?;
        let mut values = Values::new();
        asn1::write(jer::read(&document, &self.types, self.node, &options.limits, &mut values)?, options)
    }

    /// What is written again of what has been read.
    pub(crate) fn rewritten(&self, message: &[u8], options: &Options) -> Result<Vec<u8>, Error> {
        let mut values = Values::new();
        asn1::write(asn1::read(message, &self.types, self.node, options, &mut values)?, options)
    }
}

/// A value as JSON.
pub(crate) fn text_of(value: Value<'_>) -> String {
    let mut table = Table::new();
    let document = jer::write(value, &mut table).unwrap();
    let text = json::write(&document, &json::Options::default()).unwrap();
    String::from_utf8(text).unwrap()
}
