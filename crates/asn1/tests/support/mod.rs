//! What the tests of hostile input and of the clauses share.
#![allow(dead_code)] // Not every test program uses everything.

pub(crate) mod modules;
pub(crate) mod shown;
pub(crate) mod spoiled;
pub(crate) mod times;
pub(crate) mod twin;
pub(crate) mod twin_types;
pub(crate) mod values;

use asn1::{Compiled, NodeId, Options, Value, Values, jer};
use tam::{Error, Limits, Table};
use text::json;

/// Octets of hexadecimal digits; spaces are free.
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter_map(|digit| digit.to_digit(16)).collect();
    assert!(digits.len().is_multiple_of(2), "{digits:?}");
    digits.chunks(2).map(|two| (two[0] << 4 | two[1]) as u8).collect()
}

/// Octets from binary digits, padded with zero bits; spaces are ignored.
pub(crate) fn binary(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter_map(|digit| digit.to_digit(2)).collect();
    let octet = |bits: &[u32]| bits.iter().fold(0, |octet, bit| octet << 1 | bit) << (8 - bits.len());
    digits.chunks(8).map(|bits| octet(bits) as u8).collect()
}

/// Every way to write that can hold any value.
pub(crate) fn every_way() -> [(&'static str, Options); 9] {
    [
        ("uper", Options::uper()),
        ("canonical uper", Options::uper().with_canonical(true)),
        ("aper", Options::aper()),
        ("canonical aper", Options::aper().with_canonical(true)),
        ("ber", Options::ber()),
        ("der", Options::der()),
        ("cer", Options::cer()),
        ("oer", Options::oer()),
        ("canonical oer", Options::oer().with_canonical(true)),
    ]
}

/// A type of a module.
pub(crate) struct Type {
    pub(crate) types: Compiled,
    pub(crate) node: NodeId,
}

impl Type {
    /// The type `T` of assignments, tags being automatic.
    pub(crate) fn new(assignments: &str) -> Type {
        Type::tagged("AUTOMATIC TAGS", assignments)
    }

    pub(crate) fn tagged(tags: &str, assignments: &str) -> Type {
        let types = compiled(tags, assignments).unwrap_or_else(|error| panic!("{error} in {assignments}"));
        let node = types.find("T").unwrap();
        Type { types, node }
    }

    /// What JSON says, as a message.
    pub(crate) fn message(&self, text: &str, options: &Options) -> Result<Vec<u8>, Error> {
        let mut table = Table::new();
        let document = json::read(text.as_bytes(), &json::Options::default(), &mut table)?;
        let mut values = Values::new();
        asn1::write(jer::read(&document, &self.types, self.node, &options.limits, &mut values)?, options)
    }

    /// What a message says, as JSON.
    pub(crate) fn json(&self, message: &[u8], options: &Options) -> Result<String, Error> {
        let mut values = Values::new();
        asn1::read(message, &self.types, self.node, options, &mut values).and_then(text_of)
    }

    /// What a message says, written again.
    pub(crate) fn rewritten(&self, message: &[u8], options: &Options) -> Result<Vec<u8>, Error> {
        let mut values = Values::new();
        asn1::write(asn1::read(message, &self.types, self.node, options, &mut values)?, options)
    }

    /// The error that a message is refused with.
    pub(crate) fn refusal(&self, message: &[u8], options: &Options) -> Error {
        let mut values = Values::new();
        match asn1::read(message, &self.types, self.node, options, &mut values) {
            Err(error) => error,
            Ok(value) => panic!("{message:02X?} is read as {}", shown::shown(value)),
        }
    }
}

/// The types of assignments.
pub(crate) fn compiled(tags: &str, assignments: &str) -> Result<Compiled, Error> {
    let text = format!("M DEFINITIONS {tags} ::= BEGIN {assignments} END");
    Compiled::new(&asn1::notation::parse_one(&text, &Limits::DEFAULT)?)
}

/// A value as JSON.
pub(crate) fn text_of(value: Value<'_>) -> Result<String, Error> {
    let mut table = Table::new();
    let document = jer::write(value, &mut table)?;
    let text = json::write(&document, &json::Options::default())?;
    Ok(String::from_utf8(text).unwrap())
}
