//! What is read, as rows of numbers from which the package makes values.

use lengthwise::Error;
use lengthwise::tam::json::Value;
use lengthwise::tam::{Document, Node, Step, Vocabulary};
use wasm_bindgen::prelude::*;

/// The units of a document in document order. Each row is five numbers: the kind, the position and the length of the name,
/// and the position and the length of the data. Positions count bytes of the message and then of [`Rows::copied`]; where
/// there is no name, its position is `u32::MAX`. The end of a unit that contains others is a row of kind 0.
///
/// Kinds are characters of the type set `value`, also for JSON's tokens; those of XML have 256 added.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Rows {
    numbers: Vec<u32>,
    copied: Vec<u8>,
    is_ascii: bool,
}

#[wasm_bindgen]
impl Rows {
    /// The rows.
    #[must_use]
    pub fn numbers(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.numbers)
    }

    /// Text that is not in the message as it is.
    #[must_use]
    pub fn copied(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.copied)
    }

    /// Whether the message is ASCII throughout, so that its bytes are its characters.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.is_ascii
    }
}

impl Rows {
    pub(crate) fn of(document: &Document<'_>, message: &[u8]) -> Result<Rows, Error> {
        let mut rows = Rows { is_ascii: message.len() < ASCII_CHECKED && message.is_ascii(), ..Rows::default() };
        rows.numbers.reserve(5 * document.units());
        let is_xml = document.types().vocabulary() == Vocabulary::Xml;
        for step in document.walk() {
            match step {
                Step::Close(_) => rows.numbers.extend([0; 5]),
                Step::Open(node) => {
                    rows.push(&node, u32::from(node.kind()) + if is_xml { 256 } else { 0 }, &[], message)
                }
                Step::Primitive(node) if is_xml => {
                    rows.push(&node, u32::from(node.kind()) + 256, node.value(), message);
                }
                Step::Primitive(node) => rows.push_value(&node, message),
            }
        }
        Ok(rows)
    }

    fn push_value(&mut self, node: &Node<'_>, message: &[u8]) {
        let kind = match Value::new(*node) {
            Value::String(text) => match text.as_str() {
                Some(text) => return self.push(node, b'\''.into(), text.as_bytes(), message),
                None => {
                    let at = self.copied.len();
                    self.copied.extend(text.to_cow().bytes());
                    let len = self.copied.len() - at;
                    self.push_at(node, b'\''.into(), ((message.len() + at) as u32, len as u32), message);
                    return;
                }
            },
            Value::Number(number) if node.kind() != b'%' => {
                if number.as_str().bytes().any(|c| matches!(c, b'.' | b'e' | b'E')) { b'%' } else { b'#' }
            }
            Value::Null => b'~',
            Value::Bool(true) => b't',
            Value::Bool(false) => b'f',
            _ => node.kind(),
        };
        self.push(node, kind.into(), node.value(), message);
    }

    fn push(&mut self, node: &Node<'_>, kind: u32, data: &[u8], message: &[u8]) {
        let place = self.place(data, message);
        self.push_at(node, kind, place, message);
    }

    fn push_at(&mut self, node: &Node<'_>, kind: u32, data: (u32, u32), message: &[u8]) {
        let name = node.name();
        let (at, len) = match () {
            () if name.is_none() => (u32::MAX, 0),
            () if name.is_extended() => self.place(&name.to_bytes(), message),
            () => self.place(name.written(), message),
        };
        self.numbers.extend([kind, at, len, data.0, data.1]);
    }

    /// The position of a text in the message, or of its copy.
    fn place(&mut self, text: &[u8], message: &[u8]) -> (u32, u32) {
        let at = text.as_ptr().addr().wrapping_sub(message.as_ptr().addr());
        if at <= message.len() && text.len() <= message.len() - at {
            return (at as u32, text.len() as u32);
        }
        let at = message.len() + self.copied.len();
        self.copied.extend_from_slice(text);
        (at as u32, text.len() as u32)
    }
}

/// Longer messages are not read as one text: it would take their room again.
const ASCII_CHECKED: usize = 64 << 20;
