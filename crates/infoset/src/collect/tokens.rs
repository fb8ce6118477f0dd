//! What is to be written: a run of tokens, and what they refer to.

use crate::intern::Interner;
use crate::properties::Numbers;

/// A step of writing. Strings and names are numbers in the order of first use, from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// An element with text alone.
    Leaf {
        name: u32,
        text: u32,
        fields: Fields,
    },
    /// An element with so many children, which follow up to [`Token::Close`].
    Open {
        name: u32,
        children: u32,
        fields: Fields,
    },
    /// The end of the children.
    Close {
        fields: Fields,
    },
    /// So many attributes, which follow; behind [`Token::Leaf`] and [`Token::Close`].
    Attributes {
        count: u32,
        /// Whether no namespace attributes come behind them.
        is_last: bool,
    },
    /// So many namespace attributes, which follow.
    NamespaceAttributes {
        count: u32,
        is_last: bool,
    },
    Attribute {
        name: u32,
        value: u32,
    },
    Text {
        text: u32,
        white: bool,
    },
    Comment {
        text: u32,
    },
    /// A processing instruction; without content that is [`NO_STRING`].
    Instruction {
        target: u32,
        content: u32,
    },
    /// The document type declaration.
    Doctype,
}

/// The empty string, which has index 0 whatever else there is.
pub(crate) const NO_STRING: u32 = u32::MAX;

/// Which optional fields an element has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) attributes: bool,
    pub(crate) namespace_attributes: bool,
}

/// A document type declaration, its texts being strings.
#[derive(Debug, Default)]
pub(crate) struct Declaration {
    pub(crate) id: Identifier,
    /// Target and content of each instruction.
    pub(crate) instructions: Vec<(u32, u32)>,
    pub(crate) notations: Vec<(u32, Identifier)>,
    /// Unparsed entities, each with the name of its notation.
    pub(crate) entities: Vec<(u32, Identifier, u32)>,
    /// Whether there is something outside of it that declares more.
    pub(crate) is_part: bool,
}

/// Public and system identifier.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Identifier {
    pub(crate) public: Option<u32>,
    pub(crate) system: Option<u32>,
}

/// A document, its strings and names told apart.
#[derive(Debug)]
pub(crate) struct Collected<'a> {
    pub(crate) tokens: Vec<Token>,
    /// How many of the tokens are children of the document itself.
    pub(crate) outermost: u32,
    pub(crate) declaration: Declaration,
    pub(crate) properties: Numbers,
    pub(crate) strings: Interner<'a>,
    /// Namespace name, local name and prefix of each name as strings, and how often it is used.
    pub(crate) names: Vec<([Option<u32>; 3], u32)>,
}
