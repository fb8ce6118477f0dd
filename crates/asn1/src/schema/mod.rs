//! The schema model: ASN.1 modules with their types, constraints and XER instructions.
//!
//! The model follows the notation (X.680), with unresolved names. [`crate::notation`] parses and prints it; programs
//! can build it too. [`crate::compiled`] resolves the names and reduces the constraints to what the codecs need.

use std::fmt;

mod constraint;
mod information;
mod instruction;
mod references;
mod types;
mod value;

pub use constraint::{Bound, Constraint, Constraints, Element, Presence};
pub use information::{
    AtNotation, Class, ClassField, FieldGovernor, FieldReference, Instance, Parameter, Setting, Syntax, Unread,
};
pub use instruction::{Argument, EncodingControl, Instruction};
pub use types::{
    Component, ComponentKind, Enumeration, Enumerator, Field, FieldKey, FieldRelation, Fields, Kind, NamedNumber,
    Prefix, StringKind, Tag, TagClass, TagMode, Type, element_name,
};
pub use value::{ObjectIdArc, SpecialReal, Value};

/// A set of modules that refer to each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// In the order they were read or made.
    pub modules: Vec<Module>,
    /// What is not right in their notation, but was read.
    pub warnings: Vec<Warning>,
}

/// Notation that is not right, but whose meaning is clear.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The name of the source that it is in.
    pub source: String,
    /// Its position there.
    pub position: Position,
    /// What is not right: `module M ends without END`.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Warning { source, position: Position { line, .. }, text } = self;
        let colon = if source.is_empty() { "" } else { ": " };
        write!(f, "{source}{colon}{text} (line {line})")
    }
}

/// A position in the source; line 0 for what a program made.
///
/// All positions are equal to each other, so they do not affect comparisons.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    /// Byte offset from the start of the source.
    pub offset: u32,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

impl PartialEq for Position {
    fn eq(&self, _: &Position) -> bool {
        true
    }
}

impl Eq for Position {}

/// A module definition (X.680 clause 13).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// The module's reference: `Infoset`.
    pub name: String,
    /// The object identifier after the name, as arcs.
    pub identifier: Vec<ObjectIdArc>,
    /// How tags without a keyword apply.
    pub tagging: Tagging,
    /// `XER INSTRUCTIONS`: brackets without a keyword hold XER encoding instructions, not tags.
    pub xer_instructions: bool,
    /// `EXTENSIBILITY IMPLIED`.
    pub extensibility_implied: bool,
    /// What other modules may import.
    pub exports: Exports,
    /// What this one imports, module by module.
    pub imports: Vec<Import>,
    /// Types, values, classes and objects, in the order of the source.
    pub assignments: Vec<Assignment>,
    /// The XER section after the assignments (X.693 Amd 1), if there is one.
    pub encoding_control: Option<EncodingControl>,
    /// The name of the source that it was read from.
    pub source: String,
    /// The position of the module's name.
    pub position: Position,
}

/// The default environment of tags (X.680 clause 13.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tagging {
    /// `EXPLICIT TAGS`, which is also the default.
    #[default]
    Explicit,
    /// `IMPLICIT TAGS`.
    Implicit,
    /// `AUTOMATIC TAGS`.
    Automatic,
}

/// What other modules may import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Exports {
    /// Everything: no `EXPORTS`, or `EXPORTS ALL`.
    #[default]
    All,
    /// These names only.
    Only(Vec<String>),
}

/// What is imported from one module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    /// The imported names.
    pub names: Vec<String>,
    /// The module they come from.
    pub module: String,
    /// Its object identifier, as arcs, if given.
    pub identifier: Vec<ObjectIdArc>,
    /// The position of the module's name.
    pub position: Position,
}

/// A name and its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The reference: upper case first for a type, a class or a set, lower case first for a value or an object.
    pub name: String,
    /// Its parameters (X.683).
    pub parameters: Vec<Parameter>,
    /// What the name means.
    pub meaning: Meaning,
    /// The position of the name.
    pub position: Position,
}

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A type; or another name for a class, if that is what the name refers to.
    Type(Type),
    /// A value of a type, or an object of a class.
    Value(Type, Value),
    /// A set of values of a type, which is a type as well (X.680 clause 16.6); or a set of objects of a class.
    ValueSet(Type, Constraint),
    /// An information object class.
    Class(Class),
}

impl Module {
    /// A module without a name.
    pub(crate) const EMPTY: Module = Module {
        name: String::new(),
        identifier: Vec::new(),
        tagging: Tagging::Explicit,
        xer_instructions: false,
        extensibility_implied: false,
        exports: Exports::All,
        imports: Vec::new(),
        assignments: Vec::new(),
        encoding_control: None,
        source: String::new(),
        position: Position { offset: 0, line: 0, column: 0 },
    };

    /// The assignment with a name.
    #[must_use]
    pub fn assignment(&self, name: &str) -> Option<&Assignment> {
        self.assignments.iter().find(|assignment| assignment.name == name)
    }
}

impl Schema {
    /// The module with a name.
    #[must_use]
    pub fn module(&self, name: &str) -> Option<&Module> {
        self.modules.iter().find(|module| module.name == name)
    }
}
