//! The tokens to write, and what they refer to.

use crate::intern::Interner;
use crate::properties::Numbers;

/// A step of writing. Strings and names are numbered in the order of first use, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// An element with text alone.
    Leaf {
        name: u32,
        text: u32,
        fields: Fields,
    },
    /// An element with `children` children, which follow up to [`Token::Close`].
    Open {
        name: u32,
        children: u32,
        fields: Fields,
    },
    /// The end of the children.
    Close {
        fields: Fields,
    },
    /// `count` attributes, which follow [`Token::Leaf`] or [`Token::Close`].
    Attributes {
        count: u32,
        /// Whether no namespace attributes follow them.
        is_last: bool,
    },
    /// `count` namespace attributes, which follow.
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
    /// A processing instruction; its content is [`NO_STRING`] if empty.
    Instruction {
        target: u32,
        content: u32,
    },
    /// A reference to an entity, by its number in [`Declaration::referred`].
    EntityReference {
        entity: u32,
    },
    /// The document type declaration.
    Doctype,
}

/// The empty string, which always has index 0.
pub(crate) const NO_STRING: u32 = u32::MAX;

/// Which optional fields an element has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) attributes: bool,
    pub(crate) namespace_attributes: bool,
}

/// A document type declaration; its texts are strings.
#[derive(Debug, Default)]
pub(crate) struct Declaration {
    pub(crate) id: Identifier,
    /// Target and content of each instruction.
    pub(crate) instructions: Vec<(u32, u32)>,
    pub(crate) notations: Vec<(u32, Identifier)>,
    /// Unparsed entities, each with the name of its notation.
    pub(crate) entities: Vec<(u32, Identifier, u32)>,
    /// The entities that content refers to, with the identifiers of those that are declared.
    pub(crate) referred: Vec<(u32, Option<Identifier>)>,
    /// Whether declarations outside of it are missing.
    pub(crate) is_part: bool,
}

/// Public and system identifier.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Identifier {
    pub(crate) public: Option<u32>,
    pub(crate) system: Option<u32>,
}

/// A document with its strings and names numbered.
#[derive(Debug)]
pub(crate) struct Collected<'a> {
    pub(crate) tokens: Vec<Token>,
    /// The number of tokens that are children of the document itself.
    pub(crate) outermost: u32,
    pub(crate) declaration: Declaration,
    pub(crate) properties: Numbers,
    pub(crate) strings: Interner<'a>,
    /// Namespace name, local name and prefix of each name as strings, and how often it is used.
    pub(crate) names: Vec<([Option<u32>; 3], u32)>,
}
