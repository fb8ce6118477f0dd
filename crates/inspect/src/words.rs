//! Names for types of units.

use lengthwise::tam::{Meaning, Node, Vocabulary};

/// The name of a unit's type. `inside` is the types of the two units around it.
#[must_use]
pub fn word(node: &Node<'_>, inside: (Option<u8>, Option<u8>)) -> &'static str {
    match node.document().types().vocabulary() {
        Vocabulary::Xml => xml(node.kind(), inside),
        Vocabulary::Json => match (node.kind(), node.value().first()) {
            (b'{', _) => "object",
            (b'[', _) => "array",
            (_, Some(b'"')) => "string",
            (_, Some(b't' | b'f')) => "boolean",
            (_, Some(b'n')) => "null",
            _ => "number",
        },
        _ => node.document().types().meaning(node.kind()).map_or("unit", Meaning::as_str),
    }
}

fn xml(kind: u8, inside: (Option<u8>, Option<u8>)) -> &'static str {
    match (kind, inside) {
        (b'<', _) => "element",
        (b'=', (None, _)) => "document",
        (b'=', _) => "attributes",
        // The list around a whole document contains no attributes.
        (b'[', (Some(b'='), Some(_))) => "attribute",
        (b'[', _) => "text",
        (b']', _) => "CDATA",
        (b'!', _) => "DOCTYPE",
        (b'?', _) => "instruction",
        (b'+', _) => "comment",
        (b'&', _) => "reference",
        _ => "array",
    }
}
