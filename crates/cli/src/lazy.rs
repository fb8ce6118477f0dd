//! Reads one value of a PON message without reading the rest.

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;

use lengthwise::pon::{self, Kind, Value};
use lengthwise::{Error, Limits};

/// The node at a path, as bytes of the message.
///
/// Looks only at the path, and at the keys and lengths before it. `None` if that is not enough: a step is not a key or
/// an index, nothing is at the path, or the message is invalid on the way. Reading the whole message then gives the
/// answer.
pub(crate) fn find<'m>(message: &'m [u8], path: &str) -> Option<&'m [u8]> {
    let value = Value::new(message).ok()?.find(&pointer(path)).ok()??;
    node(message, &value)
}

/// Where the node is in a file.
pub(crate) fn locate(file: &mut File, path: &str, limits: Limits) -> Result<Option<Range<u64>>, Error> {
    pon::locate(file, &pointer(path), &pon::Options::default().with_limits(limits))
}

/// A path, of which the first `/` may be left out.
fn pointer(path: &str) -> Cow<'_, str> {
    if path.is_empty() || path.starts_with('/') { Cow::from(path) } else { format!("/{path}").into() }
}

/// A value with its head, which directly precedes its data.
fn node<'m>(message: &'m [u8], value: &Value<'m>) -> Option<&'m [u8]> {
    let len = value.data().len();
    let head = match value.kind() {
        Kind::Boolean => 0,
        Kind::Null | Kind::Char | Kind::Byte => 1,
        _ => len.to_string().len() + 1,
    };
    message.get(value.offset().checked_sub(head)?..value.offset() + len)
}

#[cfg(test)]
mod tests {
    use lengthwise::tam::{Document, Node, Step, Table};
    use lengthwise::{Format, Options, convert, read};

    use super::*;

    /// Steps that exist in one of the messages, and others that look similar.
    const STEPS: [&str; 25] = [
        "",
        "a",
        "b",
        "a:b",
        r"a\b",
        "a~1b",
        "a~0",
        "~",
        "~1",
        "é",
        "0",
        "1",
        "2",
        "01",
        "+1",
        "-1",
        "a[1]",
        "a[2]",
        "[1]",
        "*",
        "*[2]",
        "1[1]",
        "@a",
        "text()",
        "99999999999999999999",
    ];

    fn messages() -> Vec<Vec<u8>> {
        let texts = [
            // Every possible step occurs as a key, some of them twice.
            r#"{"a":17,"b":true,"a:b":null,"a\\b":false,"a/b":{},"a~":[],"~":1.50,"/":"","é":"é","1":["one"],"01":0,
                "+1":0,"-1":1,"a":2,"a[2]":3,"*":4,"@a":5,"text()":{"a":{"":0}},"":{"":[[]],"2":[{"a":1},{"b":2}]}}"#,
            r#"{"a":{"a":{"a":[true,[],null],"b":[true]},"0":{},"1":7},"b":{"1":{"é":1},"01":{"01":2}}}"#,
            r#"[17,["two",{"a":9,"b":{"a":null,"b":[[3]]}}],{"1":[0,1,2]},"a"]"#,
            "{}",
            "[]",
            "null",
            "[[[[]]]]",
            r#""a""#,
        ];
        let as_pon = |text: &str| convert(text.as_bytes(), Format::Json, Format::Pon, &Options::default()).unwrap();
        let mut messages: Vec<_> = texts.map(as_pon).to_vec();
        messages.push(object(b"a:4y\xFF1y\x001:bAb:c\xC3\xA9f:t0:3dNaN2:3[bBuu:u"));
        messages
    }

    fn object(members: &[u8]) -> Vec<u8> {
        [format!("{}{{", members.len()).as_bytes(), members].concat()
    }

    /// A unit as a message of its own.
    fn node_of(document: &Document<'_>, node: &Node<'_>) -> Vec<u8> {
        let (message, beside) = document.texts();
        let mut rows = document.rows().to_vec();
        let row = node.row();
        let class = document.types().class(row.kind());
        rows.push(lengthwise::tam::Row::new(class, 0, 0, row.value_at(), row.len()));
        let root = (rows.len() - 1) as u32;
        let alone = Document::from_rows(message, beside, &rows, root, 1, document.types());
        lengthwise::write(&alone, Format::Pon, &Options::default()).unwrap()
    }

    #[test]
    fn what_is_found_is_what_the_whole_message_has_there() {
        let mut found = 0;
        for message in messages() {
            let mut table = Table::new();
            let document = read(&message, Format::Pon, &Options::default(), &mut table).unwrap();
            let mut paths = vec![String::new()];
            for length in 0..3 {
                let longer = paths.iter().filter(|path| path.matches('/').count() == length);
                let longer = longer.flat_map(|path| STEPS.map(|step| format!("{path}/{step}")));
                paths.extend(longer.collect::<Vec<_>>());
            }
            for path in paths.iter().flat_map(|path| [path.as_str(), path.strip_prefix('/').unwrap_or(path)]) {
                if let Some(node) = find(&message, path) {
                    let expected = document.get(path).map(|node| node_of(&document, &node));
                    assert_eq!(Ok(node), expected.as_deref(), "{path} in {}", String::from_utf8_lossy(&message));
                    found += 1;
                }
            }
        }
        // Enough to be meaningful: some steps are indexes, and some (01, +1) are not.
        assert!(found > 150, "{found}");
    }

    #[test]
    fn every_value_is_found_by_its_own_path() {
        for message in messages() {
            let mut table = Table::new();
            let document = read(&message, Format::Pon, &Options::default(), &mut table).unwrap();
            let units = document.walk().filter_map(|step| match step {
                Step::Open(node) | Step::Primitive(node) => Some(node),
                Step::Close(_) => None,
            });
            for node in units {
                let path = node.path();
                // The second `a` has the path of the only `a[2]`, which has precedence.
                if document.get(&path).unwrap().index() == node.index() {
                    assert_eq!(find(&message, &path), Some(node_of(&document, &node).as_slice()), "{path}");
                }
            }
        }
    }

    #[test]
    fn what_is_elsewhere_is_not_looked_at() {
        // The string is not UTF-8, the number is invalid, and the array's length exceeds its object.
        let message = object(b"s:1s\xFFn:1ixo:7{a:3sonez:9[9i");
        assert_eq!(find(&message, "/o/a"), Some(&b"3sone"[..]));
        assert_eq!(find(&message, "/z"), None);
        assert_eq!(find(&message, "/nowhere"), None);
        assert_eq!(find(b"9{a:t", "/a"), None);
        assert_eq!(find(b"", "/a"), None);
    }
}
