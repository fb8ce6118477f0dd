//! XER encoding instructions (X.693 Amd 1).

use super::Position;

/// An encoding instruction: `ATTRIBUTE`, `NAME AS "p:colour"`, `GLOBAL-DEFAULTS MODIFIED-ENCODINGS`.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// `NOT` before it, which removes what the keyword assigns.
    pub negating: bool,
    /// The keyword: `ATTRIBUTE`, `NAME`, `NAMESPACE`, `LIST`, `TEXT`, …
    pub keyword: String,
    /// The text between the keyword and the arguments in a control section: the types and components
    /// it applies to, as written (`Color.red`, `ALL IN Type`), empty in a prefix.
    pub targets: Vec<String>,
    /// The arguments after it.
    pub arguments: Vec<Argument>,
    /// The position of the keyword.
    pub position: Position,
}

/// A word of an instruction's arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A word or a sign: `AS`, `PREFIX`, `CAPITALIZED`, `MODIFIED-ENCODINGS`, `EXCEPT`.
    Word(String),
    /// `"text"`, decoded.
    Text(String),
}

/// `ENCODING-CONTROL XER …`, at the end of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct EncodingControl {
    /// Its instructions, in order.
    pub instructions: Vec<Instruction>,
    /// Its position.
    pub position: Position,
}
