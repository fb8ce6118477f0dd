//! Values as written in notation (X.680 clause 17). What they mean depends on the type.

use super::{FieldReference, Instance, Position, Type, Unread};

/// A value as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `NULL`.
    Null,
    /// `TRUE`, `FALSE`.
    Boolean(bool),
    /// A number as its text: `-17`, `3.14`, `1.0E-3`.
    Number(String),
    /// `PLUS-INFINITY`, `MINUS-INFINITY`, `NOT-A-NUMBER`.
    Special(SpecialReal),
    /// `"text"`, decoded.
    Text(String),
    /// `'0110'B`, its digits.
    Binary(String),
    /// `'0FA0'H`, its digits.
    Hexadecimal(String),
    /// An identifier or the name of a value: `green`, `Module.value`.
    Name {
        /// The module, if given.
        module: Option<String>,
        /// The name.
        name: String,
    },
    /// `iso(1)`, within braces.
    NameAndNumber(String, String),
    /// `alternative : value`.
    Choice(String, Box<Value>),
    /// `{ … }`: the items between the commas, each of one or more values: `a 1` is two.
    Braces(Vec<Vec<Value>>),
    /// `CONTAINING value`.
    Containing(Box<Value>),
    /// `Type : value`: a value of an open type (X.681 clause 14.6).
    Open(Box<Type>, Box<Value>),
    /// A name with parameters (X.683).
    Instance(Box<Instance>),
    /// A field of an object (X.681 clause 15).
    Field(Box<FieldReference>),
    /// Braces after a governor that may be a class.
    Unread(Unread),
}

/// The special values of a REAL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialReal {
    /// `PLUS-INFINITY`.
    PlusInfinity,
    /// `MINUS-INFINITY`.
    MinusInfinity,
    /// `NOT-A-NUMBER`.
    NotANumber,
}

/// One arc of a module's object identifier.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectIdArc {
    /// Its name, empty if there is only a number.
    pub name: String,
    /// Its number, if written.
    pub number: Option<u64>,
    /// Its position.
    pub position: Position,
}

impl Value {
    /// An integer.
    #[must_use]
    pub fn integer(number: i128) -> Value {
        Value::Number(number.to_string())
    }

    /// An identifier, or the name of a value.
    #[must_use]
    pub fn name(name: impl Into<String>) -> Value {
        Value::Name { module: None, name: name.into() }
    }
}
