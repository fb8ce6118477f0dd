//! Which type set a TSF message was written under, told by the message itself.
//!
//! Nothing in TSF names the type set, but the sets differ: the outermost unit of XML is an
//! element or a list, those of JSON are neither; and data under the set `json` are JSON tokens.

use tam::{Document, Error, Table, TypeSet, json};

use crate::Types;

/// Reads a TSF message under the type set that it tells; `under` gives the options of each.
pub(crate) fn read<'a>(
    message: &'a [u8],
    under: impl Fn(Types) -> tsf::Options<'a>,
    table: &'a mut Table<'_>,
) -> Result<Document<'a>, Error> {
    if is_xml(message) {
        return tsf::read(message, &under(Types::Xml), table);
    }
    if tsf::read(message, &under(Types::Json), table).is_ok_and(|document| is_json(&document)) {
        return Ok(table.document(message, TypeSet::JSON));
    }
    // Every type of `json` is one of `value`: a message that neither can read fails alike under
    // both, or was meant for the richer set, whose error is the one to tell.
    tsf::read(message, &under(Types::Value), table)
}

/// Whether the outermost unit is one of XML: what the first type character in reach says.
fn is_xml(message: &[u8]) -> bool {
    let digits = message.iter().take_while(|c| c.is_ascii_digit()).count();
    let name = &message[digits..];
    let mut quoted = name.first() == Some(&b'"');
    let is_quoted = quoted;
    let mut escaped = false;
    let kind = name.iter().find(|&&c| {
        let plain = std::mem::take(&mut escaped) || std::mem::take(&mut quoted);
        escaped = !plain && is_quoted && c == b'\\';
        !plain && (TypeSet::XML.is_type(c) || TypeSet::VALUE.is_type(c))
    });
    kind.is_some_and(|kind| b"<=@!+]".contains(kind))
}

/// Whether the document is what the type set `json` makes of JSON: scalars are tokens, members
/// have names and items none.
fn is_json(document: &Document<'_>) -> bool {
    let rows = document.rows();
    rows.iter().all(|row| {
        if !row.is_structured() {
            return is_token(document.text(row.value_at(), row.len()));
        }
        let (first, members) = (row.value_at() as usize, row.kind() == b'{');
        let inner = rows.get(first..first + row.len() as usize).unwrap_or(&[]);
        inner.iter().all(|child| (child.name_len() > 0) == members)
    })
}

/// Whether data is the token of one JSON scalar.
fn is_token(data: &[u8]) -> bool {
    match data {
        b"true" | b"false" | b"null" => true,
        [b'"', ..] => json::string(data).is_ok_and(|(len, _)| len == data.len()),
        _ => json::number(data).is_ok_and(|(len, _)| len == data.len()),
    }
}

#[cfg(test)]
mod tests {
    use tam::Vocabulary;

    use super::*;

    fn vocabulary(message: &str) -> Result<Vocabulary, Error> {
        let mut table = Table::new();
        let read = read(message.as_bytes(), |types| tsf::Options::new(types.set()), &mut table);
        read.map(|document| document.types().vocabulary())
    }

    #[test]
    fn a_message_tells_its_type_set() {
        for (message, expected) in [
            ("0a<", Vocabulary::Xml),
            ("3=9+ comment 31!doc [<!ELEMENT doc (#PCDATA)>\n]0doc<", Vocabulary::Xml),
            ("0\"a\\{b<", Vocabulary::Xml),
            ("0{", Vocabulary::Json),
            (r#"2[1'73'"a""#, Vocabulary::Json),
            ("1root{4a'true", Vocabulary::Json),
            ("4'null", Vocabulary::Json),
            ("2{2id#175name'green", Vocabulary::Value),
            ("1[2'go", Vocabulary::Value),
            ("1?t", Vocabulary::Value),
            ("0~", Vocabulary::Value),
            ("1{1a*\0", Vocabulary::Value),
            ("1[1x'7", Vocabulary::Value),
        ] {
            assert_eq!(vocabulary(message).unwrap(), expected, "{message}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_once_no_type_set_fits() {
        for (message, expected) in [
            ("", "incomplete at byte 0: found the end of the input, expected the number of a unit"),
            ("x", "syntax at byte 0: found 'x', expected the number of a unit"),
            ("1[5'go", "incomplete at byte 2: found 2 bytes before the end of the input, expected 5 bytes of data"),
        ] {
            assert_eq!(vocabulary(message).unwrap_err().to_string(), expected, "{message}");
        }
    }
}
