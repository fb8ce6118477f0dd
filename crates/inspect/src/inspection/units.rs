//! The units of TSF, PON, XML and JSON.

use lengthwise::tam::{Document, Node, Table, Vocabulary};
use lengthwise::{Error, Options};

use super::{Inspection, Kind, Span, Text};
use crate::units::Units;

pub(super) fn fill(of: &mut Inspection, options: &Options<'_>) -> Result<(), Error> {
    let message = std::mem::take(&mut of.message);
    let mut table = Table::new();
    let result = lengthwise::read(&message, of.format, options, &mut table).map(|document| {
        of.copied = document.texts().1.to_vec();
        of.rows.reserve(document.units());
        of.message = Vec::new();
        push(of, &document, &message);
    });
    of.message = message;
    result
}

fn push(of: &mut Inspection, document: &Document<'_>, message: &[u8]) {
    let mut open: Vec<u32> = Vec::new();
    // A message in another character set is not what its document refers to.
    let read = document.texts().0.len();
    let text_at = |at: u32, len: u32| Text { at: place(at as usize, read, message.len()), len: len as usize };
    for unit in Units::new(document, message, of.format) {
        open.truncate(unit.depth);
        let node = &unit.node;
        let opens = node.is_structured();
        let row = node.row();
        let name = name(of, node, read, message.len());
        let value = (!opens).then(|| text_at(row.value_at(), row.len()));
        let number = of.open(open.last().copied(), name, Kind::Word(unit.word), value);
        let mut span = |at: usize, len: usize, part: &'static str| {
            if len > 0 {
                of.spans.push(Span { bit: 8 * at as u64, bits: 8 * len as u64, part, row: number });
            }
        };
        match unit.head {
            Some(head) => {
                span(head.offset, head.bytes.len(), "head");
                if !opens && of_value(node) {
                    span(head.offset + head.bytes.len(), head.number.min(row.len() as usize), "value");
                }
            }
            None => {
                for (at, len, part) in [
                    (row.name_at(), row.name_len(), "name"),
                    (row.value_at(), if opens { 0 } else { row.len() }, "value"),
                ] {
                    if at as usize + len as usize <= read {
                        span(at as usize, len as usize, part);
                    }
                }
            }
        }
        if opens {
            open.push(number);
        }
    }
}

/// The place of a text of a document in the message and the copies.
fn place(at: usize, read: usize, message: usize) -> usize {
    at.checked_sub(read).map_or(at, |beside| message + beside)
}

fn of_value(node: &Node<'_>) -> bool {
    !(node.document().types().vocabulary() == Vocabulary::Value && node.kind() == b'~')
}

/// The name without its escapes.
fn name(of: &mut Inspection, node: &Node<'_>, read: usize, message: usize) -> Text {
    let (name, row) = (node.name(), node.row());
    if !name.is_extended() {
        return Text { at: place(row.name_at() as usize, read, message), len: row.name_len() as usize };
    }
    let at = message + of.copied.len();
    of.copied.extend_from_slice(&name.to_bytes());
    Text { at, len: of.copied.len() + message - at }
}
