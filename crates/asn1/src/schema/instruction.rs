//! XER encoding instructions (X.693 Amd 1).

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Enumeration, Kind, Module, Position, Prefix, Type};

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

impl Instruction {
    /// The first text of its arguments.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.arguments.iter().find_map(|argument| match argument {
            Argument::Text(text) => Some(&text[..]),
            Argument::Word(_) => None,
        })
    }
}

impl Type {
    /// The instruction of its own prefixes with a keyword.
    #[must_use]
    pub fn instruction(&self, keyword: &str) -> Option<&Instruction> {
        self.prefixes.iter().find_map(|prefix| match prefix {
            Prefix::Instruction(instruction) if instruction.keyword == keyword => Some(instruction),
            _ => None,
        })
    }

    /// The namespace (empty for none) and the local name in XML of something of this type with an identifier.
    #[must_use]
    pub fn xml_name<'m>(&'m self, identifier: &'m str) -> (&'m str, Cow<'m, str>) {
        let namespace = self.instruction("NAMESPACE").and_then(Instruction::text).unwrap_or("");
        let name = self.instruction("NAME").and_then(|instruction| instruction.arguments.last());
        (namespace, spelled(identifier, name))
    }

    /// The texts of a BOOLEAN's values, of an ENUMERATED's items, of named numbers or of named bits that differ from their
    /// identifiers, by identifier.
    #[must_use]
    pub fn item_texts(&self) -> HashMap<&str, Cow<'_, str>> {
        self.item_texts_by(&[])
    }

    /// The same with the texts that references to the type give, of which the first is the outermost. Those of the outermost count.
    #[must_use]
    pub fn item_texts_by<'t>(&'t self, references: &[&'t Type]) -> HashMap<&'t str, Cow<'t, str>> {
        let mut texts = HashMap::new();
        let names: Vec<&str> = match &self.kind {
            Kind::Enumerated(Enumeration { root, .. }) => root.iter().map(|item| &item.name[..]).collect(),
            Kind::Integer(named) | Kind::BitString(named) => named.iter().map(|one| &one.name[..]).collect(),
            Kind::Boolean => vec!["false", "true"],
            _ => return texts,
        };
        let types = [self].into_iter().chain(references.iter().rev().copied());
        for prefix in types.flat_map(|ty| &ty.prefixes) {
            let Prefix::Instruction(Instruction { keyword, arguments, .. }) = prefix else { continue };
            match (&keyword[..], &arguments[..]) {
                ("TEXT", [Argument::Word(all), _, spelling]) if all == "ALL" => {
                    texts.extend(names.iter().map(|name| (*name, spelled(name, Some(spelling)))));
                }
                ("TEXT", [Argument::Word(item), _, spelling]) => {
                    texts.insert(&item[..], spelled(item, Some(spelling)));
                }
                _ => {}
            }
        }
        texts
    }
}

impl Module {
    /// The namespace in XML of its assignments: `NAMESPACE ALL AS "…"`; empty for none.
    #[must_use]
    pub fn xml_namespace(&self) -> &str {
        let instructions = self.encoding_control.iter().flat_map(|control| &control.instructions);
        let mut all = instructions.filter(|one| one.keyword == "NAMESPACE" && one.targets.iter().any(|of| of == "ALL"));
        all.next().and_then(Instruction::text).unwrap_or("")
    }
}

/// An identifier as an instruction spells it.
fn spelled<'m>(identifier: &'m str, spelling: Option<&'m Argument>) -> Cow<'m, str> {
    match spelling {
        None => Cow::Borrowed(identifier),
        Some(Argument::Text(text)) => Cow::Borrowed(text),
        Some(Argument::Word(word)) => {
            let mut name = identifier.to_owned();
            if let Some(first) = name.get_mut(..1) {
                if word == "CAPITALIZED" { first.make_ascii_uppercase() } else { first.make_ascii_lowercase() }
            }
            match &word[..] {
                "UPPERCASED" => name.make_ascii_uppercase(),
                "LOWERCASED" => name.make_ascii_lowercase(),
                _ => {}
            }
            Cow::Owned(name)
        }
    }
}
