//! The values of a schema in PER, BER and OER, and BER without a schema.

use std::collections::HashMap;

use lengthwise::asn1::compiled::Kind as TypeKind;
use lengthwise::asn1::{self, Compiled, Elements, NodeId, schema::TagClass};
use lengthwise::{Error, ErrorKind, Options};

use super::{Inspection, Kind, Shape, Span, Text};
use crate::{fields, object_identifier};

pub(super) fn fill(of: &mut Inspection, options: &Options<'_>) -> Result<(), Error> {
    let message = std::mem::take(&mut of.message);
    let copied_from = message.len();
    let filled = by_rules(of, &message, copied_from, options);
    of.message = message;
    filled
}

fn by_rules(of: &mut Inspection, message: &[u8], len: usize, options: &Options<'_>) -> Result<(), Error> {
    let rules = of.format.rules().unwrap_or_default();
    let Some(schema) = options.schema else {
        if matches!(rules, asn1::EncodingRules::Ber | asn1::EncodingRules::Cer) || of.format.as_str() == "der" {
            of.shape = Shape::Elements;
            return elements(of, message, len, options);
        }
        return Err(Error::new(ErrorKind::Schema, of.format.as_str(), 0, "no schema", "a schema of the messages"));
    };
    of.shape = Shape::Values;
    let (types, root) = (schema.types(), schema.root()?);
    let rules = asn1::Options::of(rules).with_limits(options.limits);
    let root_name = push_text(of, len, types.node(root).name.as_bytes());
    let top = of.open(None, root_name, Kind::Word("message"), None);
    if let Some(row) = of.rows.get_mut(top as usize) {
        row.kind = Kind::Word(types.kind_name(root));
    }
    let mut rows = Rows { types, root, len, top, open: Vec::new(), path: String::new(), names: HashMap::new() };
    fields(message, types, root, &rules, &mut |field| {
        let of_message = field.kind.is_empty() || field.path == "/";
        let row = if of_message { top } else { rows.of(of, field.path) };
        of.spans.push(Span { bit: field.bit, bits: field.bits, part: field.part, row });
        let value = field.value.filter(|_| !field.kind.is_empty()).map(|value| push_text(of, len, value.as_bytes()));
        if let Some(row) = of.rows.get_mut(row as usize) {
            if !field.kind.is_empty() && (value.is_some() || matches!(row.kind, Kind::Word(""))) {
                row.kind = Kind::Word(field.kind);
            }
            if matches!(field.part, "value" | "index" | "unknown") && value.is_some() {
                row.value = value;
            }
        }
        true
    })
}

/// The rows of values, which are found by their paths.
struct Rows<'t> {
    types: &'t Compiled,
    root: NodeId,
    /// The length of the message.
    len: usize,
    top: u32,
    /// The rows that the last path led through, with its length up to them, and their types.
    open: Vec<(u32, usize, Option<NodeId>)>,
    path: String,
    /// The names so far: each is kept once, however many rows have it.
    names: HashMap<String, Text>,
}

impl Rows<'_> {
    /// The row of a path, which is made with those above it if it is new.
    fn of(&mut self, of: &mut Inspection, new: &str) -> u32 {
        while let Some((_, end, _)) = self.open.last() {
            let begins = new.get(..*end).is_some_and(|start| self.path.get(..*end) == Some(start));
            if begins && matches!(new.as_bytes().get(*end), None | Some(b'/')) {
                break;
            }
            self.open.pop();
        }
        let mut from = self.open.last().map_or(0, |(_, end, _)| *end);
        self.path.clear();
        self.path.push_str(new);
        while let Some(rest) = new.get(from..).filter(|rest| rest.len() > 1) {
            let name = rest.get(1..).and_then(|rest| rest.split('/').next()).unwrap_or_default();
            let text = match self.names.get(name) {
                Some(text) => *text,
                None => {
                    let text = push_text(of, self.len, name.as_bytes());
                    self.names.insert(name.to_owned(), text);
                    text
                }
            };
            let (parent, node) = self.open.last().map_or((self.top, Some(self.root)), |(row, _, node)| (*row, *node));
            let node = node.and_then(|node| self.below(node, name));
            let kind = node.map_or("", |node| self.types.kind_name(node));
            let row = of.open(Some(parent), text, Kind::Word(kind), None);
            from += 1 + name.len();
            self.open.push((row, from, node));
        }
        self.open.last().map_or(self.top, |(row, ..)| *row)
    }

    /// The type of a component, unless the message selects it.
    fn below(&self, node: NodeId, name: &str) -> Option<NodeId> {
        match self.types.node(node).kind {
            TypeKind::Array(array) => Some(array.item),
            TypeKind::Record(record) => {
                let member = self.types.record(record).members.iter().find(|member| member.name == name)?;
                Some(member.node)
            }
            TypeKind::Choice(choice) => {
                let chosen = self.types.choice(choice).alternatives.iter().find(|chosen| chosen.name == name)?;
                Some(chosen.node)
            }
            _ => None,
        }
    }
}

fn push_text(of: &mut Inspection, message: usize, text: &[u8]) -> Text {
    let at = message + of.copied.len();
    of.copied.extend_from_slice(text);
    Text { at, len: text.len() }
}

/// BER without a schema: a row for each encoding.
fn elements(of: &mut Inspection, message: &[u8], len: usize, options: &Options<'_>) -> Result<(), Error> {
    let mut open: Vec<u32> = Vec::new();
    let mut any = false;
    for element in Elements::new(message, &options.limits) {
        let element = element?;
        any = true;
        open.truncate(element.depth as usize);
        let holds = element.constructed || element.holds.is_some();
        let text = element.text(message);
        let kind = push_text(of, len, element.kind().as_bytes());
        let value = (!holds).then(|| push_text(of, len, text.as_bytes()));
        let is_identifier = element.tag.class == TagClass::Universal && element.tag.number == 6;
        let name = if is_identifier { object_identifier(&text) } else { None };
        let name = push_text(of, len, name.unwrap_or_default().as_bytes());
        let row = of.open(open.last().copied(), name, Kind::Text(kind), value);
        let bit = |at: usize| 8 * at as u64;
        let header = bit(element.contents - element.start);
        of.spans.push(Span { bit: bit(element.start), bits: header, part: "header", row });
        if let Some(end) = element.end.filter(|_| !holds) {
            of.spans.push(Span { bit: bit(element.contents), bits: bit(end - element.contents), part: "value", row });
        }
        open.push(row);
    }
    match any {
        true => Ok(()),
        false => Err(Error::incomplete("ber", 0, 2, "a tag and a length")),
    }
}
