//! Types of units and of values, in words.

use lengthwise::asn1::compiled::Kind;
use lengthwise::asn1::schema::{self, StringKind};
use lengthwise::asn1::{Compiled, NodeId};
use lengthwise::tam::{Node, Vocabulary};

/// What a unit is. `inside` is the type of the unit around it, and of the one around that.
pub(crate) fn word(node: &Node<'_>, inside: (Option<u8>, Option<u8>)) -> &'static str {
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
        Vocabulary::Value => value(node.kind()),
        _ => "unit",
    }
}

fn xml(kind: u8, inside: (Option<u8>, Option<u8>)) -> &'static str {
    match (kind, inside) {
        (b'<', _) => "element",
        (b'=', (None, _)) => "document",
        (b'=', _) => "attributes",
        // The list around a whole document holds no attributes.
        (b'[', (Some(b'='), Some(_))) => "attribute",
        (b'[', _) => "text",
        (b']', _) => "CDATA",
        (b'!', _) => "DOCTYPE",
        (b'?', _) => "instruction",
        (b'+', _) => "comment",
        _ => "array",
    }
}

fn value(kind: u8) -> &'static str {
    match kind {
        b'{' => "object",
        b'[' => "array",
        b'\'' => "string",
        b'#' => "integer",
        b'%' => "float",
        b'?' => "boolean",
        b'~' => "null",
        b'*' => "binary",
        b'^' => "character",
        _ => "byte",
    }
}

/// What a type of a schema is, in the words of the notation.
pub(crate) fn of_type(types: &Compiled, node: NodeId) -> &'static str {
    match types.node(node).kind {
        Kind::Boolean => "BOOLEAN",
        Kind::Null => "NULL",
        Kind::Integer(_) => "INTEGER",
        Kind::Enumerated(_) => "ENUMERATED",
        Kind::Real => "REAL",
        Kind::BitString(..) => "BIT STRING",
        Kind::OctetString(_) => "OCTET STRING",
        Kind::ObjectIdentifier => "OBJECT IDENTIFIER",
        Kind::RelativeOid => "RELATIVE-OID",
        Kind::Text(number) => of_string(types.characters(number).kind),
        Kind::Record(number) if types.record(number).set => "SET",
        Kind::Record(_) => "SEQUENCE",
        Kind::Choice(_) => "CHOICE",
        Kind::Array(array) if array.set => "SET OF",
        Kind::Array(_) => "SEQUENCE OF",
    }
}

/// What a type is as it is written: a reference is the name that it refers to.
pub(crate) fn of_notation(kind: &schema::Kind) -> &str {
    use schema::Kind as Notation;
    match kind {
        Notation::Boolean => "BOOLEAN",
        Notation::Null => "NULL",
        Notation::Integer(_) => "INTEGER",
        Notation::Enumerated(_) => "ENUMERATED",
        Notation::Real => "REAL",
        Notation::BitString(_) => "BIT STRING",
        Notation::OctetString => "OCTET STRING",
        Notation::ObjectIdentifier => "OBJECT IDENTIFIER",
        Notation::RelativeOid => "RELATIVE-OID",
        Notation::String(kind) => of_string(*kind),
        Notation::Sequence(_) => "SEQUENCE",
        Notation::Set(_) => "SET",
        Notation::SequenceOf(_) => "SEQUENCE OF",
        Notation::SetOf(_) => "SET OF",
        Notation::Choice(_) => "CHOICE",
        Notation::Reference { name, .. } | Notation::Selection(name, _) => name,
        Notation::Other(words) => words,
    }
}

fn of_string(kind: StringKind) -> &'static str {
    match kind {
        StringKind::Utf8 => "UTF8String",
        StringKind::Numeric => "NumericString",
        StringKind::Printable => "PrintableString",
        StringKind::Ia5 => "IA5String",
        StringKind::Visible => "VisibleString",
        StringKind::Bmp => "BMPString",
        StringKind::Universal => "UniversalString",
        StringKind::Teletex => "TeletexString",
        StringKind::Videotex => "VideotexString",
        StringKind::Graphic => "GraphicString",
        StringKind::General => "GeneralString",
        StringKind::ObjectDescriptor => "ObjectDescriptor",
        StringKind::UtcTime => "UTCTime",
        StringKind::GeneralizedTime => "GeneralizedTime",
        StringKind::Time => "TIME",
        StringKind::Date => "DATE",
        StringKind::TimeOfDay => "TIME-OF-DAY",
        StringKind::DateTime => "DATE-TIME",
        StringKind::Duration => "DURATION",
    }
}
