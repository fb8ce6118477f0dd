//! Information object classes, objects and sets of them (X.681), and parameters (X.683).

use super::{Position, Type, Value};

/// An information object class (X.681 clause 9).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Class {
    /// Its fields, in order.
    pub fields: Vec<ClassField>,
    /// `WITH SYNTAX { … }` (clause 10), if written.
    pub syntax: Option<Vec<Syntax>>,
}

/// A field of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassField {
    /// Its name, without the `&`: upper case first for a type or a set, lower case first for a value or an object.
    pub name: String,
    /// What governs it.
    pub governor: FieldGovernor,
    /// `UNIQUE`.
    pub unique: bool,
    /// `OPTIONAL`.
    pub optional: bool,
    /// `DEFAULT …`.
    pub default: Option<Setting>,
    /// The position of the name.
    pub position: Position,
}

/// What governs a field of a class.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldGovernor {
    /// Nothing: the field is a type.
    None,
    /// A type or a class: the field is a value, a value set, an object or an object set.
    Type(Type),
    /// `&Type`: the type that another field of the object is.
    Field(Vec<String>),
}

/// An item of `WITH SYNTAX`.
#[derive(Clone, Debug, PartialEq)]
pub enum Syntax {
    /// A word in capitals, or a comma.
    Literal(String),
    /// `&name`, without the `&`.
    Field(String),
    /// `[ … ]`: may be left out.
    Group(Vec<Syntax>),
}

/// The setting of a field, or an actual parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A type or a class; `NULL` is the value.
    Type(Type),
    /// A value or an object.
    Value(Value),
    /// Braces: a value, an object, or a set, which only the governor distinguishes.
    Braces(Unread),
}

/// Notation in braces that cannot be read before its governor is known, which another source may define.
#[derive(Clone, Debug, PartialEq)]
pub struct Unread {
    /// The text, from brace to brace.
    pub text: String,
    /// The position of the first brace.
    pub position: Position,
}

/// A name, with its actual parameters if it is that of a parameterized assignment (X.683 clause 9).
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The module, if given.
    pub module: Option<String>,
    /// The name.
    pub name: String,
    /// The actual parameters.
    pub arguments: Vec<Setting>,
    /// Its position.
    pub position: Position,
}

/// A field of a class (X.681 clause 14), of an object, or of the objects of a set (clause 15): `CLASS.&field`,
/// `object.&a.&b`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldReference {
    /// The class, object or object set.
    pub of: Instance,
    /// The names of the fields, without the `&`.
    pub path: Vec<String>,
}

/// A parameter of an assignment (X.683 clause 8).
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The type or the class that governs it; `None` if it is a type or a class itself.
    pub governor: Option<Type>,
    /// Its name.
    pub name: String,
}

/// The component that a table constraint finds the row by (X.682 clause 10): `@a.b`, `@.a`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtNotation {
    /// How many levels out the first name is: 0 for the innermost SEQUENCE, SET or CHOICE (`@.`); `None` for the
    /// outermost (`@`).
    pub level: Option<u32>,
    /// The names of the components.
    pub path: Vec<String>,
}
