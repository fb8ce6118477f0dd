//! Which type set a TSF message was written under, judged by the message itself.
//!
//! * The outermost unit of XML is an element or a list, those of JSON are neither.
//! * A message that begins with the mark of `value` ([`tsf::is_marked`]) is of that set.
//! * Scalars of `json` are all tokens, and those of an unmarked message of `value` are not.
//!
//! A name of `json` may hold a character that is a type of `value`. So a message can be made that is sound in
//! both sets and says something else in each; it is taken for `value`, and what [`is_ambiguous`] finds is written
//! so that no message of `json` is one of these.

use tam::json::Value;
use tam::{Document, Error, Row, Step, Table, TypeSet, Vocabulary};

use crate::Types;

/// Reads a TSF message under the type set that it is in; `under` gives the options of each.
pub(crate) fn read<'a>(
    message: &'a [u8],
    under: impl Fn(Types<'a>) -> tsf::Options<'a>,
    table: &'a mut Table<'_>,
) -> Result<Document<'a>, Error> {
    if is_xml(message) {
        return tsf::read(message, &under(Types::Xml), table);
    }
    let mut names = Names::Plain;
    if !tsf::is_marked(message) {
        let read = tsf::read(message, &under(Types::Json), table);
        names = read.map_or(Names::Wrong, |document| json_names(&document));
        if names == Names::Plain {
            return Ok(table.document(message, TypeSet::JSON));
        }
    }
    if names == Names::WithTypes
        && !tsf::read(message, &under(Types::Value), table).is_ok_and(|document| is_typed(&document))
    {
        return tsf::read(message, &under(Types::Json), table);
    }
    // Every type of `json` is one of `value`: a message that neither can read fails alike under
    // both, or was meant for the richer set, whose error is the one to give.
    tsf::read(message, &under(Types::Value), table)
}

/// Whether the message of a document of the set `json` has to be written with names that are escaped for both
/// sets, as it would otherwise be taken for one of `value`.
pub(crate) fn is_ambiguous(document: &Document<'_>, options: &tsf::Options<'_>) -> bool {
    let mut values = *options;
    values.types = TypeSet::VALUE;
    document.types().vocabulary() == Vocabulary::Json
        && !document.has_plain_names()
        && (holds_type(document.texts().0) || holds_type(document.texts().1))
        && document.rows().iter().any(|row| has_typed_name(document, row))
        && tsf::write(document, options).is_ok_and(|message| {
            tsf::read(&message, &values, &mut Table::new()).is_ok_and(|document| is_typed(&document))
        })
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

/// What the names of a document of the set `json` say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    /// It is no document of JSON: a scalar is no token, a member has no name, or an item has one.
    Wrong,
    /// It is one, and under the set `value` it would have the same units.
    Plain,
    /// A name holds a character that is a type of `value`.
    WithTypes,
}

fn json_names(document: &Document<'_>) -> Names {
    let rows = document.rows();
    let mut with_types = false;
    for row in rows {
        with_types |= has_typed_name(document, row);
        let sound = if row.is_structured() {
            has_names_of_json(document, row)
        } else {
            tsf::is_token(document.text(row.value_at(), row.len()))
        };
        if !sound {
            return Names::Wrong;
        }
    }
    if with_types { Names::WithTypes } else { Names::Plain }
}

/// Whether members have names, and items none.
fn has_names_of_json(document: &Document<'_>, row: &Row) -> bool {
    let (first, members) = (row.value_at() as usize, row.kind() == b'{');
    let inner = document.rows().get(first..first + row.len() as usize).unwrap_or(&[]);
    inner.iter().all(|child| (child.name_len() > 0) == members)
}

/// Whether a text holds a type that `value` has beside those of `json`. Compilers make vectors of this form.
fn holds_type(text: &[u8]) -> bool {
    text.chunks(256).any(|chunk| {
        let found = TYPED.map(|kind| chunk.iter().fold(0, |found, c| found | u8::from(*c == kind)));
        found != [0; TYPED.len()]
    })
}

/// Whether a name holds such a type.
fn has_typed_name(document: &Document<'_>, row: &Row) -> bool {
    document.text(row.name_at(), row.name_len()).iter().any(|&c| is_typed_kind(c))
}

/// The types that [`is_typed_kind`] knows.
const TYPED: [u8; 7] = *b"#%*?^`~";

fn is_typed_kind(c: u8) -> bool {
    TypeSet::VALUE.is_type(c) && !TypeSet::JSON.is_type(c)
}

/// Whether a document of the set `value` has a unit that `json` has no type for, and is sound: its data are what
/// their types say, members have names, and items none.
fn is_typed(document: &Document<'_>) -> bool {
    let mut typed = false;
    document.walk().all(|step| match step {
        Step::Open(node) => has_names_of_json(document, node.row()),
        Step::Primitive(node) => {
            typed |= is_typed_kind(node.kind());
            // Text of another encoding is one of `value` all the same.
            node.kind() == b'\'' || !matches!(Value::new(node), Value::Invalid(_))
        }
        Step::Close(_) => true,
    }) && typed
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
    fn a_message_shows_its_type_set() {
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
            // Marked.
            ("01{5zip'10115", Vocabulary::Value),
            ("1{5zip'10115", Vocabulary::Json),
            ("01'7", Vocabulary::Value),
            ("00{1'7", Vocabulary::Value),
            // Zeros that pad a number are no mark.
            ("0001{5zip'10115", Vocabulary::Json),
            // Sound in both sets, and something else in each.
            ("2{1a#15b'11c'2", Vocabulary::Value),
            ("2{1\"a\\#15b'11c'2", Vocabulary::Json),
            // A name with a type of `value`, which could be no value.
            ("2{2a#b'171c'2", Vocabulary::Json),
            ("1{2a%'17", Vocabulary::Json),
        ] {
            assert_eq!(vocabulary(message).unwrap(), expected, "{message}");
        }
    }

    #[test]
    fn texts_hold_the_types_of_value_that_json_has_not() {
        for c in 0..=255 {
            assert_eq!(is_typed_kind(c), TYPED.contains(&c), "{c}");
            for at in [0, 15, 255, 256, 299] {
                let mut text = [b'n'; 300];
                text[at] = c;
                assert_eq!(holds_type(&text), is_typed_kind(c), "{c} at {at}");
            }
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
