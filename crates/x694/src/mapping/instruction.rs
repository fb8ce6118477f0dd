//! Final encoding instructions (X.694 clauses 10 to 31, X.693 Amendment 1).

use asn1::schema::{Argument, Instruction, Position, Prefix, Type};

/// An instruction in a prefix.
pub(super) fn prefix(keyword: &str, arguments: Vec<Argument>) -> Prefix {
    Prefix::Instruction(Instruction {
        negating: false,
        keyword: keyword.to_owned(),
        targets: Vec::new(),
        arguments,
        position: Position::default(),
    })
}

pub(super) fn word(word: impl Into<String>) -> Argument {
    Argument::Word(word.into())
}

pub(super) fn text(text: impl Into<String>) -> Argument {
    Argument::Text(text.into())
}

/// A type with an instruction that has no arguments.
pub(super) fn with(keyword: &str, ty: Type) -> Type {
    ty.prefixed(prefix(keyword, Vec::new()))
}

/// The argument that turns an ASN.1 name back into the XML name: `CAPITALIZED`, `UNCAPITALIZED` or the name itself;
/// `None` if the names are equal.
pub(super) fn spelling(made: &str, name: &str) -> Option<Argument> {
    if made == name {
        return None;
    }
    let (first, rest) = (made.get(..1)?, made.get(1..)?);
    let same = name.get(1..) == Some(rest) && name.get(..1).is_some_and(|c| c.eq_ignore_ascii_case(first));
    Some(match first.as_bytes().first() {
        Some(b'a'..=b'z') if same => word("CAPITALIZED"),
        Some(b'A'..=b'Z') if same => word("UNCAPITALIZED"),
        _ => text(name),
    })
}

/// A type with `[NAME AS …]`, if its name differs from the XML name.
pub(super) fn named(ty: Type, made: &str, name: &str) -> Type {
    match spelling(made, name) {
        None => ty,
        Some(spelling) => ty.prefixed(prefix("NAME", vec![word("AS"), spelling])),
    }
}

/// A type with `[NAMESPACE AS "…"]`, if there is a namespace.
pub(super) fn in_namespace(ty: Type, uri: &str) -> Type {
    if uri.is_empty() { ty } else { ty.prefixed(prefix("NAMESPACE", vec![word("AS"), text(uri)])) }
}
