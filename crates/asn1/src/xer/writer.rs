//! To XML: a walk through a value, guided by its type.

use std::borrow::Cow;

use tam::{Error, ErrorKind, Words};
use xml::escape::{Context, push};

use super::FORMAT;
use super::control;
use crate::Options;
use crate::compiled::{Array, CONTENT, Compiled, Kind, NodeId, Presence};
use crate::contents;
use crate::event::{At, Integer, Real, Source};
use crate::jer::number::{MOST_OCTETS, push_integer, push_small};
use crate::keys::{UNKNOWN_BER, UNKNOWN_OER};
use crate::oid;
use crate::schema::StringKind;
use crate::time;
use crate::values::{Level, Value, ValueReader};

/// Writes a value as XML text, without white space; by the canonical rules if `canonical` is set.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{Compiled, Options, Values, xer};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///         Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) }
///      END",
/// )?;
/// let mut values = Values::new();
/// let reading = lengthwise_asn1::read(&[0x37, 0x80], &types, types.find("Reading")?, &Options::uper(), &mut values)?;
/// assert_eq!(xer::write(reading, false)?, "<Reading><sensor>3</sensor><celsius>20</celsius></Reading>");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// * `unsupported` for what has no form in XML: an alternative or an enumeration of a later version of the schema, an
///   object identifier with an arc of more than 128 bits, characters that XML does not have;
/// * `limit` for an INTEGER of more than 20 000 digits.
pub fn write(value: Value<'_>, canonical: bool) -> Result<String, Error> {
    let mut out = Vec::new();
    append(value, canonical, &mut out)?;
    // Only text has been written.
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// Writes a value as XML text to the end of a buffer, which is unchanged on an error.
///
/// # Errors
/// Those of [`write()`].
pub fn append(value: Value<'_>, canonical: bool, out: &mut Vec<u8>) -> Result<(), Error> {
    let before = out.len();
    let (look, at) = value.source();
    let (types, text, stack, pieces) = (value.types(), String::new(), Vec::new(), Vec::new());
    let mut writer = Writer { types, look, canonical, out, text, stack, pieces };
    let written = writer.walk(at, value.node_id(), value.is_row());
    let path = if written.is_err() { writer.path() } else { String::new() };
    if written.is_err() {
        out.truncate(before);
    }
    written.map_err(|error| if path.is_empty() { error } else { error.in_path(path) })
}

struct Writer<'v, 'o> {
    types: &'v Compiled,
    look: ValueReader<'v>,
    canonical: bool,
    out: &'o mut Vec<u8>,
    text: String,
    stack: Vec<Frame<'v>>,
    /// The starts of the components of the open SETs OF that are sorted.
    pieces: Vec<usize>,
}

/// A start tag, whose end tag is due.
#[derive(Clone)]
struct Tag<'v> {
    name: Cow<'v, str>,
    /// The end of the start tag.
    content: usize,
}

/// An open value.
struct Frame<'v> {
    tag: Option<Tag<'v>>,
    kind: FrameKind,
}

enum FrameKind {
    /// The components to write, in order, and the place of the next one.
    Record {
        number: u32,
        level: Level,
        order: Vec<u32>,
        next: usize,
    },
    Array {
        array: Array,
        level: Level,
        next: u32,
        end: u32,
        first: usize,
    },
    /// Only its end tag is left; the index of the alternative of a CHOICE.
    Single(Option<(u32, u32)>),
}

impl<'v> Writer<'v, '_> {
    fn walk(&mut self, at: At<Level>, node: NodeId, row: bool) -> Result<(), Error> {
        let name = self.types.type_element(node);
        self.value(at, node, row, Some(name))?;
        while let Some(mut frame) = self.stack.pop() {
            match &mut frame.kind {
                FrameKind::Record { number, level, order, next, .. } => {
                    if let Some(index) = order.get(*next).copied() {
                        *next += 1;
                        let (number, level) = (*number, *level);
                        self.stack.push(frame);
                        self.member(number, level, index)?;
                        continue;
                    }
                }
                FrameKind::Array { array, level, next, end, .. } => {
                    if *next < *end {
                        let (array, at) = (*array, At { level: *level, index: *next });
                        *next += 1;
                        self.stack.push(frame);
                        if array.set && self.canonical {
                            self.pieces.push(self.out.len());
                        }
                        // These values are elements themselves.
                        let is_bare = matches!(
                            self.types.node(array.item).kind,
                            Kind::Boolean | Kind::Enumerated(_) | Kind::Choice(_)
                        );
                        let name = (!is_bare).then(|| self.types.item_element(&array));
                        self.value(at, array.item, true, name)?;
                        continue;
                    }
                }
                FrameKind::Single(_) => {}
            }
            if let FrameKind::Array { array, first, .. } = frame.kind
                && array.set
                && self.canonical
            {
                self.sort(first);
            }
            self.close(frame.tag);
        }
        Ok(())
    }

    fn member(&mut self, number: u32, level: Level, index: u32) -> Result<(), Error> {
        let Some(member) = self.types.record(number).members.get(index as usize) else { return Ok(()) };
        let at = At { level, index };
        let name = Some(member.identifier().into());
        match member.presence {
            Presence::Default(default) if self.canonical && !self.look.is_present(at, member.node) => {
                // Its values are in a store of their own.
                let mut out = Vec::new();
                append(self.types.default_value(default), true, &mut out)?;
                let own = self.types.type_element(member.node);
                self.out.extend(renamed(&out, &own, member.identifier()));
                Ok(())
            }
            _ => self.value(at, member.node, false, name),
        }
    }

    fn open(&mut self, name: Option<Cow<'v, str>>) -> Option<Tag<'v>> {
        let name = name?;
        self.out.push(b'<');
        self.out.extend_from_slice(name.as_bytes());
        self.out.push(b'>');
        Some(Tag { name, content: self.out.len() })
    }

    /// Writes an end tag, or makes the start tag that of an empty element.
    fn close(&mut self, tag: Option<Tag<'v>>) {
        let Some(Tag { name, content }) = tag else { return };
        if self.out.len() == content {
            self.out.pop();
            self.out.extend_from_slice(b"/>");
            return;
        }
        self.out.extend_from_slice(b"</");
        self.out.extend_from_slice(name.as_bytes());
        self.out.push(b'>');
    }

    /// Sorts the components of a SET OF by their encodings (X.693 clause 9.7).
    fn sort(&mut self, first: usize) {
        let Some(start) = self.pieces.get(first).copied() else { return };
        let ends = self.pieces.get(first + 1..).unwrap_or_default().iter().copied().chain([self.out.len()]);
        let pieces = self.pieces.get(first..).unwrap_or_default().iter().zip(ends);
        let mut pieces: Vec<Vec<u8>> =
            pieces.map(|(from, to)| self.out.get(*from..to).unwrap_or_default().to_vec()).collect();
        pieces.sort_unstable();
        self.out.truncate(start);
        pieces.iter().for_each(|piece| self.out.extend_from_slice(piece));
        self.pieces.truncate(first);
    }

    /// Writes a simple value, or opens another, in an element with a name. `row` is true for an item of an array, which
    /// makes a record a row of it.
    fn value(&mut self, at: At<Level>, node: NodeId, row: bool, name: Option<Cow<'v, str>>) -> Result<(), Error> {
        let (mut at, mut node, mut row, mut name) = (at, node, row, name);
        // A loop over choices in choices, because recursion would be as deep as they are nested.
        loop {
            match self.types.node(node).kind {
                Kind::Choice(number) => {
                    let tag = self.open(name);
                    let (index, level) = self.look.choice(at, node);
                    self.stack.push(Frame { tag, kind: FrameKind::Single(Some((number, index))) });
                    let Some(chosen) = self.types.choice(number).alternatives.get(index as usize) else {
                        return Err(unsupported("an alternative of a later version of the schema"));
                    };
                    name = Some(chosen.identifier().into());
                    (at, node, row) = (At { level, index: 0 }, chosen.node, false);
                }
                Kind::Open(number) => {
                    let (index, level) = self.look.choice(at, node);
                    let (open, inside) = (self.types.open(number), At { level, index: 0 });
                    let Some(chosen) = open.alternatives.get(index as usize) else {
                        let tag = self.open(name);
                        self.unknown_type(inside, node, index);
                        self.close(tag);
                        return Ok(());
                    };
                    let (string, look) = (open.string.filter(|_| open.is_encoded()), self.look);
                    if let Some(string) = string
                        && let Some(octets) =
                            contents::to_write(&look, self.types, &string, (index, level), *chosen, &Options::ber())
                    {
                        // The octets, and no value, are in the element (X.680 clause 23.4).
                        let (octets, tag) = (octets?, self.open(name));
                        let (octets, bits) = octets.bits();
                        match string.kind {
                            Kind::BitString(..) => self.out.extend(crate::bit_digits(octets, bits)),
                            _ => self.hex(octets),
                        }
                        self.close(tag);
                        return Ok(());
                    }
                    if !open.is_string() || index == CONTENT {
                        let tag = self.open(name);
                        self.stack.push(Frame { tag, kind: FrameKind::Single(None) });
                        name = Some(self.types.type_element(*chosen));
                    }
                    (at, node, row) = (inside, *chosen, false);
                }
                _ => break,
            }
        }
        match self.types.node(node).kind {
            Kind::Record(number) => {
                let level = if row { self.look.row(at, node) } else { self.look.record(at, node) };
                let (tag, order) = (self.open(name), self.order(number, level));
                let kind = FrameKind::Record { number, level, order, next: 0 };
                self.stack.push(Frame { tag, kind });
            }
            Kind::Array(array) => {
                let (end, level) = self.look.array(at, node);
                let (tag, first) = (self.open(name), self.pieces.len());
                self.stack.push(Frame { tag, kind: FrameKind::Array { array, level, next: 0, end, first } });
            }
            kind => {
                let tag = self.open(name);
                self.scalar(at, node, kind)?;
                self.close(tag);
            }
        }
        Ok(())
    }

    /// The components to write: those of a SET in the order of their tags by the canonical rules, otherwise as the
    /// notation has them.
    fn order(&self, number: u32, level: Level) -> Vec<u32> {
        let record = self.types.record(number);
        let mut order: Vec<u32> = match &record.declared {
            Some(declared) => declared.clone(),
            None => (0..record.members.len() as u32).collect(),
        };
        if record.set && self.canonical {
            let least = record.least_tags();
            order.sort_by_key(|index| least.get(*index as usize).copied().flatten());
        }
        // Defaults of additions belong to a version that the value may not be of.
        let is_there = |index: &u32| {
            record.members.get(*index as usize).is_some_and(|member| {
                self.look.is_present(At { level, index: *index }, member.node)
                    || self.canonical && *index < record.root && matches!(member.presence, Presence::Default(_))
            })
        };
        order.retain(is_there);
        order
    }

    /// Writes octets of an open type whose type is not known, with the rules that they are of.
    fn unknown_type(&mut self, at: At<Level>, node: NodeId, alternative: u32) {
        let rules = match alternative {
            UNKNOWN_BER => "ber",
            UNKNOWN_OER => "oer",
            _ => "per",
        };
        let tag = self.open(Some(rules.into()));
        let look = self.look;
        self.hex(look.unknown(at, node).unwrap_or_default());
        self.close(tag);
    }

    fn hex(&mut self, octets: &[u8]) {
        self.text.clear();
        xml::hex::push(octets, &mut self.text);
        self.out.extend_from_slice(self.text.as_bytes());
    }

    fn empty(&mut self, name: &str) {
        self.out.push(b'<');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"/>");
    }

    fn scalar(&mut self, at: At<Level>, node: NodeId, kind: Kind) -> Result<(), Error> {
        let look = self.look;
        self.text.clear();
        match kind {
            Kind::Boolean => self.empty(if look.boolean(at, node) { "true" } else { "false" }),
            Kind::Integer(_) => {
                match look.integer(at, node) {
                    Integer::Small(number) => push_small(number, &mut self.text),
                    Integer::Big(octets) if octets.len() <= MOST_OCTETS => push_integer(octets, &mut self.text),
                    Integer::Big(octets) => {
                        let found = Words::Count(octets.len() as u64, "octets of an INTEGER");
                        return Err(Error::limit(FORMAT, 0, found, "octets", MOST_OCTETS as u64));
                    }
                }
                self.out.extend_from_slice(self.text.as_bytes());
            }
            Kind::Enumerated(number) => {
                let item = self.types.enumeration(number).items.get(look.enumerated(at, node) as usize);
                match item.filter(|_| look.unknown(at, node).is_none()) {
                    Some((name, _)) => self.empty(name),
                    None => return Err(unsupported("an enumeration of a later version of the schema")),
                }
            }
            Kind::Real => self.real(look.real(at, node)),
            Kind::BitString(_, names) => {
                let (octets, mut len) = look.bit_string(at, node);
                if self.canonical && names.is_some() {
                    len = crate::equal::significant_bits(octets, len);
                }
                self.out.extend(crate::bit_digits(octets, len));
            }
            Kind::OctetString(_) => self.hex(look.octets(at, node)),
            Kind::ObjectIdentifier | Kind::RelativeOid => {
                match oid::to_dotted(look.octets(at, node), kind == Kind::RelativeOid) {
                    Some(dotted) => self.out.extend_from_slice(dotted.as_bytes()),
                    None => return Err(unsupported("an object identifier with an arc of more than 128 bits")),
                }
            }
            Kind::Text(number) => {
                let (kind, text) = (self.types.characters(number).kind, look.text_at(look.cell(at)));
                match kind {
                    StringKind::UtcTime | StringKind::GeneralizedTime if self.canonical => {
                        let text = time::canonical(kind, text, FORMAT)?;
                        self.characters(&text)?;
                    }
                    _ => self.characters(text)?,
                }
            }
            Kind::Null | Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_) => {}
        }
        Ok(())
    }

    fn characters(&mut self, text: &str) -> Result<(), Error> {
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| control::name(c).is_some()) {
            let (before, after) = rest.split_at(at);
            self.plain(before)?;
            let mut after = after.chars();
            if let Some(name) = after.next().and_then(control::name) {
                self.empty(name);
            }
            rest = after.as_str();
        }
        self.plain(rest)
    }

    fn plain(&mut self, text: &str) -> Result<(), Error> {
        if xml::chars::illegal_char(text).is_some() {
            return Err(unsupported("a character that XML does not have"));
        }
        push(self.out, text, Context::Content);
        Ok(())
    }

    fn real(&mut self, real: Real<'_>) {
        match real {
            Real::Double(f64::INFINITY) => self.empty("PLUS-INFINITY"),
            Real::Double(f64::NEG_INFINITY) => self.empty("MINUS-INFINITY"),
            Real::Double(double) if double.is_nan() => self.empty("NOT-A-NUMBER"),
            Real::Double(0.0) => {
                let zero = if real == Real::Double(0.0) && is_negative(real) { "-0" } else { "0" };
                self.out.extend_from_slice(zero.as_bytes());
            }
            Real::Double(double) => self.scientific(&format!("{double:e}")),
            Real::Decimal(text) => match real.to_decimal() {
                Some((mantissa, exponent)) => {
                    let digits = mantissa.unsigned_abs().to_string();
                    let sign = if mantissa < 0 { "-" } else { "" };
                    let (first, rest) = digits.split_at(1);
                    let exponent = exponent + rest.len() as i64;
                    let point = if rest.is_empty() { "" } else { "." };
                    self.scientific(&format!("{sign}{first}{point}{rest}e{exponent}"));
                }
                None => self.out.extend_from_slice(text.as_bytes()),
            },
        }
    }

    /// Writes `1.5e10` as `1.5E10`, and `1e0` as `1.0E0`.
    fn scientific(&mut self, text: &str) {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        self.out.extend_from_slice(mantissa.as_bytes());
        if !mantissa.contains('.') {
            self.out.extend_from_slice(b".0");
        }
        self.out.push(b'E');
        self.out.extend_from_slice(exponent.as_bytes());
    }

    /// The path of the value being written.
    fn path(&self) -> String {
        let mut path = String::new();
        for frame in &self.stack {
            let name = match &frame.kind {
                FrameKind::Record { number, order, next, .. } => next.checked_sub(1).and_then(|place| {
                    let index = order.get(place).copied()?;
                    self.types.record(*number).members.get(index as usize).map(|member| &member.name[..])
                }),
                FrameKind::Single(Some((number, index))) => {
                    self.types.choice(*number).alternatives.get(*index as usize).map(|chosen| &chosen.name[..])
                }
                FrameKind::Single(None) => None,
                FrameKind::Array { next, .. } => {
                    path.push_str(&format!("/{}", next.saturating_sub(1)));
                    None
                }
            };
            path.extend(name.iter().flat_map(|name| ["/", name]));
        }
        path
    }
}

fn is_negative(real: Real<'_>) -> bool {
    matches!(real, Real::Double(double) if double.is_sign_negative())
}

/// An element with another name.
fn renamed(element: &[u8], from: &str, to: &str) -> Vec<u8> {
    let after = element.get(1 + from.len()..).unwrap_or_default();
    let end = format!("</{from}>");
    let mut made = vec![b'<'];
    made.extend_from_slice(to.as_bytes());
    match after.strip_suffix(end.as_bytes()) {
        Some(content) => {
            made.extend_from_slice(content);
            made.extend_from_slice(format!("</{to}>").as_bytes());
        }
        None => made.extend_from_slice(after),
    }
    made
}

#[cold]
fn unsupported(found: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "a value that has a form in XML")
}
