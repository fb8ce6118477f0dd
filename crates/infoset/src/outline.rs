//! The structure of a message in numbers: the result of the first pass.
//!
//! In Appendix A the attributes of an element follow its children, and the strings and names that everything refers to
//! are at the very end. So a first pass is needed before any text can be returned. It keeps eight bytes for each item,
//! and does not look at text.

use crate::items::{Declared, Instruction, LiteralName, Text};
use crate::properties::Numbers;
use crate::rules::Octets;

/// An item of a document: its kind, and the numbers of a name and a string, if it has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(u64);

/// The kinds of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A text.
    Text,
    /// An element with only a text.
    Leaf,
    /// The start of an element.
    Open,
    /// The end of the element that was opened last.
    Close,
    /// A rarer item, whose number replaces that of a string.
    Special,
}

/// The kinds of items that need no further checks: a text that is not followed by another, and elements without
/// attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Text,
    Leaf,
    Open,
    Close,
    /// Anything else.
    No,
}

impl Token {
    const KIND: u32 = 61;
    const LIST: u64 = 1 << 60;
    const NAME: u32 = 32;
    /// Bits of the number of a name.
    pub(crate) const NAME_BITS: u32 = 28;

    #[inline(always)]
    pub(crate) fn new(kind: Kind, has_list: bool, name: u32, value: u32) -> Token {
        debug_assert!(name >> Token::NAME_BITS == 0);
        let list = if has_list { Token::LIST } else { 0 };
        Token((kind as u64) << Token::KIND | list | u64::from(name) << Token::NAME | u64::from(value))
    }

    #[inline(always)]
    pub(crate) fn kind(self) -> Kind {
        match self.0 >> Token::KIND {
            0 => Kind::Text,
            1 => Kind::Leaf,
            2 => Kind::Open,
            3 => Kind::Close,
            _ => Kind::Special,
        }
    }

    #[inline(always)]
    pub(crate) fn text(text: u32) -> Token {
        Token::new(Kind::Text, false, 0, text)
    }

    #[inline(always)]
    pub(crate) fn leaf(name: u32, text: u32) -> Token {
        Token::new(Kind::Leaf, false, name, text)
    }

    /// Sets the flag that [`Token::has_list`] returns.
    pub(crate) fn set_list(&mut self) {
        self.0 |= Token::LIST;
    }

    /// Whether the next list of attributes belongs to this element; for a text, whether more text follows.
    #[inline(always)]
    pub(crate) fn has_list(self) -> bool {
        self.0 & Token::LIST != 0
    }

    /// The plain kind of an item, with as few checks as possible.
    #[inline(always)]
    pub(crate) fn plain(self) -> Plain {
        const LEAF: u64 = (Kind::Leaf as u64) << 1;
        const OPEN: u64 = (Kind::Open as u64) << 1;
        const CLOSE: u64 = (Kind::Close as u64) << 1;
        let head = self.0 >> (Token::KIND - 1);
        if head == 0 {
            Plain::Text
        } else if head == LEAF {
            Plain::Leaf
        } else if head == CLOSE {
            Plain::Close
        } else if head == OPEN {
            Plain::Open
        } else {
            Plain::No
        }
    }

    #[inline(always)]
    pub(crate) fn name(self) -> u32 {
        (self.0 >> Token::NAME) as u32 & ((1 << Token::NAME_BITS) - 1)
    }

    #[inline(always)]
    pub(crate) fn value(self) -> u32 {
        self.0 as u32
    }
}

/// Marks the number of a string in place; the other bits are its index among these.
pub(crate) const LITERAL: u32 = 1 << 31;
/// The same for the number of a name.
pub(crate) const LITERAL_NAME: u32 = 1 << (Token::NAME_BITS - 1);

/// A rarer item.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Special {
    Comment(Text),
    Instruction(Instruction),
    /// The document type declaration: its identifiers.
    Doctype {
        public: Option<Text>,
        system: Option<Text>,
    },
    /// Octets in place of text, which become base64.
    Binary(Octets),
    /// A reference to an entity whose text the message does not have, by its number among these.
    EntityReference(u32),
}

/// The attributes of an element, and the namespaces in scope there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct List {
    /// The start among all attributes.
    pub(crate) first: u32,
    pub(crate) attributes: u32,
    /// The number of namespace attributes after them.
    pub(crate) namespaces: u32,
    /// The start among all namespaces in scope, and their number.
    pub(crate) in_scope: (u32, u32),
}

/// An attribute: the numbers of its name and its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: u32,
    pub(crate) value: u32,
}

/// The result of the first pass through a message.
#[derive(Debug)]
pub(crate) struct Outline {
    /// All items, in document order.
    pub(crate) tokens: Vec<Token>,
    /// The token of the root element.
    pub(crate) root: usize,
    /// The token of a document type declaration that the message does not have, but what it declares.
    pub(crate) added: Option<usize>,
    /// The lists of attributes, in the order in which their elements begin.
    pub(crate) lists: Vec<List>,
    pub(crate) attributes: Vec<Attribute>,
    /// Prefixes and namespace names in scope.
    pub(crate) in_scope: Vec<(Option<Text>, Text)>,
    pub(crate) specials: Vec<Special>,
    /// The references to entities: name and identifiers of each.
    pub(crate) entity_references: Vec<Declared>,
    /// The instructions in the document type declaration.
    pub(crate) in_doctype: Vec<Instruction>,
    pub(crate) literals: Vec<Octets>,
    pub(crate) literal_names: Vec<LiteralName>,
    pub(crate) properties: Numbers,
    pub(crate) notations: Vec<Declared>,
    pub(crate) unparsed_entities: Vec<Declared>,
    /// The blocks of strings: algorithm and octets.
    pub(crate) blocks: Vec<(Octets, Octets)>,
    /// The common names, with parts from previous names filled in.
    pub(crate) names: Vec<LiteralName>,
    /// The end of the message, in bits.
    pub(crate) end: u64,
}

impl Outline {
    /// The first token that refers to a string by its number, or whose attributes do.
    pub(crate) fn first_token(&self, number: u32) -> Option<usize> {
        let mut lists = self.lists.iter();
        self.tokens.iter().position(|token| match token.kind() {
            Kind::Text => token.value() == number,
            Kind::Close => false,
            Kind::Leaf | Kind::Open => {
                let list = if token.has_list() { lists.next() } else { None };
                let attributes = list.and_then(|List { first, attributes, namespaces, .. }| {
                    self.attributes.get(*first as usize..(first + attributes + namespaces) as usize)
                });
                let is_value = attributes.unwrap_or_default().iter().any(|attribute| attribute.value == number);
                is_value || token.kind() == Kind::Leaf && token.value() == number
            }
            Kind::Special => self.specials.get(token.value() as usize).is_some_and(|special| {
                let is_it = |text: Text| text == Text::Index(number);
                match *special {
                    Special::Comment(text) => is_it(text),
                    Special::Instruction(Instruction { target, content }) => is_it(target) || is_it(content),
                    Special::EntityReference(reference) => self.entity_references.get(reference as usize).is_some_and(
                        |Declared { name, system, public, .. }| {
                            [Some(*name), *system, *public].into_iter().flatten().any(is_it)
                        },
                    ),
                    _ => false,
                }
            }),
        })
    }

    /// The number of a token among those that the message has.
    pub(crate) fn in_message(&self, token: usize) -> usize {
        token - usize::from(self.added.is_some_and(|added| added < token))
    }
}
