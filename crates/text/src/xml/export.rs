//! JSON as XML (paper section 3.2.2); [`write`](super::write()) documents the conventions.

use tam::json::Value;
use tam::{Children, Document, Error, ErrorKind, Node};
use xml::chars::illegal_char;
use xml::escape::{self, Context};
use xml::name::{is_name_char, is_start};

use super::expect::shown;
use super::writer::refused;
use super::{EmptyTags, Options};

/// An object or array whose content is being written.
struct Open<'d> {
    content: Children<'d>,
    name: String,
    /// The name of the items of an array.
    item: Option<String>,
    written: usize,
}

pub(crate) fn write(document: &Document<'_>, options: &Options, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut roots = document.roots();
    let Some(root) = roots.next() else {
        return Err(Error::new(ErrorKind::Unsupported, "xml", 0, "no unit", "a root element"));
    };
    if let Some(second) = roots.next() {
        return Err(refused(&second, "a second outermost unit", "one root element"));
    }
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = Some(root);
    loop {
        if let Some(node) = next.take() {
            let level = open.len();
            let (sequence, item) = open.last().map_or((1, None), |top| (top.written, top.item.as_deref()));
            let numbered = item.filter(|_| options.numbered_items).map(|item| format!("{item}i{sequence}"));
            let name = name(&node, numbered.as_deref().or(item), level, sequence)?;
            tag(out, b"<", &name);
            if node.is_structured() && node.children().len() > 0 {
                let item = (node.kind() == b'[').then(|| position(level, sequence));
                open.push(Open { content: node.children(), name, item, written: 0 });
            } else {
                scalar(&node, &name, options, out)?;
            }
        }
        let level = open.len();
        let Some(top) = open.last_mut() else {
            return Ok(());
        };
        next = top.content.next();
        let ended = if next.is_none() { open.pop() } else { None };
        if options.pretty {
            out.push(b'\n');
            out.resize(out.len() + 2 * (level - usize::from(ended.is_some())), b' ');
        }
        match ended {
            Some(ended) => tag(out, b"</", &ended.name),
            None => {
                if let Some(top) = open.last_mut() {
                    top.written += 1;
                }
            }
        }
    }
}

fn tag(out: &mut Vec<u8>, start: &[u8], name: &str) {
    out.extend_from_slice(start);
    out.extend_from_slice(name.as_bytes());
    out.push(b'>');
}

/// The content and the end tag of a unit without units in it; if there is nothing, its start tag may become an
/// empty-element tag.
fn scalar(node: &Node<'_>, name: &str, options: &Options, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    match Value::new(*node) {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) => out.extend_from_slice(number.as_str().as_bytes()),
        Value::String(text) => push(node, &text.to_cow(), out)?,
        Value::Binary(bytes) => ::xml::base64::append(bytes, out),
        Value::Char(c) => push(node, c.encode_utf8(&mut [0; 4]), out)?,
        Value::Byte(byte) => out.extend_from_slice(byte.to_string().as_bytes()),
        Value::Object(_) | Value::Array(_) => {}
        _ => return Err(refused(node, "data that its type does not allow", "a JSON value")),
    }
    if out.len() > start || options.empty_tags == EmptyTags::Pair {
        tag(out, b"</", name);
    } else {
        out.pop();
        out.extend_from_slice(b"/>");
    }
    Ok(())
}

fn push(node: &Node<'_>, text: &str, out: &mut Vec<u8>) -> Result<(), Error> {
    if let Some(c) = illegal_char(text) {
        return Err(refused(node, shown(c), "a character that XML allows"));
    }
    escape::push(out, text, Context::Content);
    Ok(())
}

/// A name generated from a position.
fn position(level: usize, sequence: usize) -> String {
    format!("e{level}s{sequence}")
}

/// The name of the element that a unit becomes.
fn name(node: &Node<'_>, item: Option<&str>, level: usize, sequence: usize) -> Result<String, Error> {
    let bytes = node.name().to_bytes();
    let Ok(name) = str::from_utf8(&bytes) else {
        return Err(refused(node, "a name that is not UTF-8", "text"));
    };
    if name.is_empty() {
        return Ok(item.map_or_else(|| position(level, sequence), str::to_owned));
    }
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        let allowed = if out.is_empty() { is_start(c) } else { is_name_char(c) };
        if allowed && c != ':' {
            out.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("u{unit:04X}"));
            }
        }
    }
    Ok(out)
}
