//! The units of TSF, PON, XML and JSON.

use lengthwise::tam::{Document, Node, Table, Vocabulary};
use lengthwise::{Error, Format, Options};
use lengthwise_inspect::Units;

use super::{Inspection, Kind, Span, Text};

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
    let text_at = |at: u32, len: u32| Text { at: at as usize, len: len as usize };
    for unit in Units::new(document, message, of.format) {
        open.truncate(unit.depth);
        let node = &unit.node;
        let opens = node.is_structured();
        let row = node.row();
        let name = name(of, node, message.len());
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
                    if at as usize + len as usize <= message.len() {
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

fn of_value(node: &Node<'_>) -> bool {
    !(node.document().types().vocabulary() == Vocabulary::Value && node.kind() == b'~')
}

/// The name without its escapes.
fn name(of: &mut Inspection, node: &Node<'_>, message: usize) -> Text {
    let (name, row) = (node.name(), node.row());
    if !name.is_extended() {
        return Text { at: row.name_at() as usize, len: row.name_len() as usize };
    }
    let at = message + of.copied.len();
    of.copied.extend_from_slice(&name.to_bytes());
    Text { at, len: of.copied.len() + message - at }
}

/// The path of a row, as `Document::get` reads it: an item of an array is its index, one of several elements of a name has
/// its number.
pub(super) fn path(of: &Inspection, row: u32) -> String {
    let mut steps: Vec<String> = Vec::new();
    let mut number = row;
    let is_json = |word: &str| matches!(word, "object" | "array");
    while let Some(here) = of.rows.get(number as usize) {
        let parent = here.parent;
        let word = of.kind(here).into_owned();
        let above = of.rows.get(parent as usize);
        match (above, &word[..]) {
            (_, "attributes" | "document") => {}
            (None, _) if of.format == Format::Pon || is_json(&word) || !is_of_xml(&word) => {}
            (Some(above), _) if of.kind(above) == "array" => {
                steps.push(index(of, parent, number, |_| true).to_string())
            }
            (Some(above), _) if of.kind(above) == "object" => steps.push(of.name(here)),
            (_, "attribute") => steps.push(format!("@{}", of.name(here))),
            (_, "element") => {
                let name = of.name(here);
                let same = |row: u32| of.rows.get(row as usize).is_some_and(|row| of.text(row.name) == name.as_bytes());
                match count(of, parent, same) {
                    0 | 1 => steps.push(name),
                    _ => steps.push(format!("{name}[{}]", index(of, parent, number, same) + 1)),
                }
            }
            _ => {
                let same = |row: u32| of.rows.get(row as usize).is_some_and(|row| of.kind(row) == word);
                let of_kind = if matches!(&word[..], "text" | "CDATA") { "text()" } else { "node()" };
                match count(of, parent, same) {
                    0 | 1 => steps.push(of_kind.to_owned()),
                    _ => steps.push(format!("{of_kind}[{}]", index(of, parent, number, same) + 1)),
                }
            }
        }
        number = parent;
    }
    let path = steps.iter().rev().fold(String::new(), |path, step| path + "/" + step);
    if path.is_empty() { "/".to_owned() } else { path }
}

/// The row that a step of a path leads to, from a row or from above the message. Siblings are counted once for a step, not
/// for each of them.
pub(super) fn child_at(of: &Inspection, from: Option<u32>, step: &str) -> Option<u32> {
    let root = of.rows.first()?;
    let word = of.kind(root);
    let parent = match from {
        Some(row) => row,
        // The root element of XML is a step, other roots are not.
        None if is_of_xml(&word) => {
            return (0..of.rows.len() as u32)
                .filter(|row| of.rows.get(*row as usize).is_some_and(|row| row.depth == 0))
                .find(|row| is_step(of, *row, step));
        }
        None => 0,
    };
    let above = of.rows.get(parent as usize)?;
    if of.kind(above) == "array" {
        return children(of, parent).nth(step.parse().ok()?);
    }
    let (name, number) = step
        .strip_suffix(']')
        .and_then(|step| step.rsplit_once('['))
        .and_then(|(name, number)| Some((name, number.parse::<usize>().ok()?.checked_sub(1)?)))
        .filter(|_| is_of_xml(&word) || word == "document")
        .unwrap_or((step, 0));
    let inside = |row: u32| matches!(of.rows.get(row as usize).map(|row| row.kind), Some(Kind::Word("attributes")));
    children(of, parent)
        .flat_map(|row| if inside(row) { children(of, row).collect::<Vec<_>>() } else { vec![row] })
        .filter(|row| is_step(of, *row, name))
        .nth(number)
}

/// Whether a row is what a step without a number names.
fn is_step(of: &Inspection, row: u32, step: &str) -> bool {
    let Some(row) = of.rows.get(row as usize) else { return false };
    match row.kind {
        Kind::Word("text" | "CDATA") if step == "text()" => true,
        Kind::Word("attribute") => step.strip_prefix('@').is_some_and(|name| of.text(row.name) == name.as_bytes()),
        Kind::Word("text" | "CDATA" | "DOCTYPE" | "instruction" | "comment") => step == "node()",
        _ => of.text(row.name) == step.as_bytes(),
    }
}

fn is_of_xml(word: &str) -> bool {
    matches!(word, "element" | "text" | "CDATA" | "DOCTYPE" | "instruction" | "comment")
}

/// The rows directly below another.
fn children(of: &Inspection, parent: u32) -> impl Iterator<Item = u32> {
    let above = of.rows.get(parent as usize);
    let mut next = parent.wrapping_add(1);
    let end = above.map_or(of.rows.len() as u32, |row| row.end);
    std::iter::from_fn(move || {
        let row = next;
        (row < end).then(|| {
            next = of.rows.get(row as usize).map_or(end, |row| row.end);
            row
        })
    })
}

fn index(of: &Inspection, parent: u32, row: u32, same: impl Fn(u32) -> bool) -> usize {
    children(of, parent).take_while(|child| *child < row).filter(|child| same(*child)).count()
}

fn count(of: &Inspection, parent: u32, same: impl Fn(u32) -> bool) -> usize {
    children(of, parent).filter(|child| same(*child)).take(2).count()
}
