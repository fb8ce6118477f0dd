//! To JSON: a walk through a value, guided by its type.

use tam::{Builder, Document, Error, ErrorKind, Limits, Name, Row, Table, TypeSet};

use super::number::{MOST_OCTETS, push_double, push_integer, push_small, special};
use super::{CONTAINING, FORMAT};
use crate::compiled::{CONTENT, Compiled, Kind, NodeId};
use crate::event::{At, Integer, Real, Source};
use crate::keys::{UNKNOWN_BER, UNKNOWN_OER};
use crate::oid;
use crate::values::{Level, Value, ValueReader};

/// The JSON document for a value, in [`TypeSet::VALUE`]. It is in the table; texts stay in the message that the value
/// was read from.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{Compiled, Options, Values};
/// use lengthwise_tam::Table;
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///         Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) }
///      END",
/// )?;
/// let mut values = Values::new();
/// let reading = lengthwise_asn1::read(&[0x37, 0x80], &types, types.find("Reading")?, &Options::uper(), &mut values)?;
/// let mut table = Table::new();
/// let document = lengthwise_asn1::jer::write(reading, &mut table)?;
/// assert_eq!(document.get("/celsius").unwrap().value(), b"20");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// * `unsupported` for what has no JSON form: an alternative or an enumeration of a later version of the schema, an
///   object identifier with an arc of more than 128 bits;
/// * `limit` for an INTEGER of more than 20 000 digits, and for more than a table holds.
pub fn write<'a>(value: Value<'a>, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    write_as(value, b'\'', table)
}

/// The same with binary data (`*`) in place of strings of hexadecimal digits, for a program that has octets. [`read`] takes both.
///
/// [`read`]: super::read
///
/// # Errors
/// Those of [`write()`].
pub fn write_binary<'a>(value: Value<'a>, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    write_as(value, b'*', table)
}

/// Octets are of a kind: strings or binary data.
fn write_as<'a>(value: Value<'a>, octets: u8, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    let (look, at) = value.source();
    let limits = Limits { depth: u32::MAX, ..Limits::DEFAULT };
    let mut json = Builder::new(look.message, TypeSet::VALUE, limits, table);
    let mut writer = Writer {
        types: value.types(),
        look,
        json: &mut json,
        stack: Vec::new(),
        members: Places::default(),
        alternatives: Places::default(),
        enumerations: Places::default(),
        octets,
        scratch: String::new(),
    };
    writer.walk(at, value.node_id(), value.is_row())?;
    json.finish()?;
    Ok(table.document(look.message, TypeSet::VALUE))
}

/// A label for a name in the table. The place of the name is noted at its first use.
fn place<'v>(json: &mut Builder<'_, '_, '_>, slot: Option<&mut u32>, name: &'v str) -> Result<Label<'v>, Error> {
    let Some(slot) = slot else { return Ok(Label::Text(name)) };
    if *slot == Places::NONE {
        // Identifiers of the notation are plain names.
        let plain = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-')
            && name.len() <= Row::MAX_NAME;
        if !plain {
            return Ok(Label::Text(name));
        }
        *slot = json.place(name.as_bytes())?;
    }
    Ok(Label::Placed(name, *slot))
}

struct Writer<'v, 'j, 'b, 's> {
    types: &'v Compiled,
    look: ValueReader<'v>,
    json: &'j mut Builder<'v, 'b, 's>,
    stack: Vec<Frame>,
    members: Places,
    alternatives: Places,
    enumerations: Places,
    /// The kind of octets: strings or binary data.
    octets: u8,
    scratch: String,
}

/// An open value.
enum Frame {
    Record { number: u32, level: Level, next: u32 },
    Array { item: NodeId, level: Level, next: u32, end: u32 },
    Choice,
}

/// The name of a unit.
#[derive(Clone, Copy)]
enum Label<'v> {
    /// No name: the outermost value, and items of arrays.
    None,
    /// A name that is in the table already, and its place.
    Placed(&'v str, u32),
    /// A name that may need the extended form.
    Text(&'v str),
}

/// The places in the table of the names of each record, choice or enumeration written so far.
#[derive(Default)]
struct Places {
    /// The start of the part of each, by its number.
    first: Vec<u32>,
    places: Vec<u32>,
}

impl Places {
    const NONE: u32 = u32::MAX;

    /// The place of a name used before, or where to note it.
    fn slot(&mut self, number: u32, count: usize, index: u32) -> Option<&mut u32> {
        let number = number as usize;
        if number >= self.first.len() {
            self.first.resize(number + 1, Places::NONE);
        }
        let first = self.first.get_mut(number)?;
        if *first == Places::NONE {
            *first = self.places.len() as u32;
            self.places.resize(self.places.len() + count, Places::NONE);
        }
        self.places.get_mut((*first + index) as usize)
    }
}

impl<'v> Writer<'v, '_, '_, '_> {
    fn walk(&mut self, at: At<Level>, node: NodeId, row: bool) -> Result<(), Error> {
        self.value(at, node, row, Label::None)?;
        while let Some(mut frame) = self.stack.pop() {
            match &mut frame {
                Frame::Record { number, level, next } => {
                    if let Some((index, member)) = self.next_member(*number, *level, next) {
                        let (number, level) = (*number, *level);
                        self.stack.push(frame);
                        let record = self.types.record(number);
                        let name = record.members.get(index as usize).map_or("", |member| &member.name);
                        let slot = self.members.slot(number, record.members.len(), index);
                        let label = place(self.json, slot, name)?;
                        self.value(At { level, index }, member, false, label)?;
                        continue;
                    }
                }
                Frame::Array { item, level, next, end } => {
                    if *next < *end {
                        let (item, at) = (*item, At { level: *level, index: *next });
                        *next += 1;
                        self.stack.push(frame);
                        self.value(at, item, true, Label::None)?;
                        continue;
                    }
                }
                Frame::Choice => {}
            }
            self.json.close()?;
        }
        Ok(())
    }

    /// The index and type of the next member that is present.
    fn next_member(&self, number: u32, level: Level, next: &mut u32) -> Option<(u32, NodeId)> {
        let record = self.types.record(number);
        while (*next as usize) < record.members.len() {
            let index = match &record.declared {
                Some(order) => *order.get(*next as usize)?,
                None => *next,
            };
            *next += 1;
            let node = record.members.get(index as usize)?.node;
            if self.look.is_present(At { level, index }, node) {
                return Some((index, node));
            }
        }
        None
    }

    /// Writes a simple value, or opens another. `row` is true for an item of an array, which makes a record a row of
    /// it.
    fn value(&mut self, at: At<Level>, node: NodeId, row: bool, label: Label<'v>) -> Result<(), Error> {
        let (mut at, mut node, mut row, mut label) = (at, node, row, label);
        // A loop over choices in choices, because recursion would be as deep as they are nested.
        loop {
            let number = match self.types.node(node).kind {
                Kind::Choice(number) => number,
                Kind::Open(number) => {
                    let (index, level) = self.look.choice(at, node);
                    (at, row) = (At { level, index: 0 }, false);
                    let open = self.types.open(number);
                    match open.alternatives.get(index as usize) {
                        Some(chosen) => {
                            node = *chosen;
                            if open.is_string() && index == CONTENT {
                                self.open(b'{', label)?;
                                self.stack.push(Frame::Choice);
                                label = Label::Text(CONTAINING);
                            }
                        }
                        None => return self.unknown_type(at, node, index, label),
                    }
                    continue;
                }
                _ => break,
            };
            let choice = self.types.choice(number);
            let (index, level) = self.look.choice(at, node);
            let Some(alternative) = choice.alternatives.get(index as usize) else {
                return Err(self.unknown(label, "an alternative of a later version of the schema"));
            };
            if !choice.is_bare() {
                self.open(b'{', label)?;
                self.stack.push(Frame::Choice);
                let slot = self.alternatives.slot(number, choice.alternatives.len(), index);
                label = place(self.json, slot, &alternative.name)?;
            }
            (at, node, row) = (At { level, index: 0 }, alternative.node, false);
        }
        match self.types.node(node).kind {
            Kind::Record(number) => {
                let level = if row { self.look.row(at, node) } else { self.look.record(at, node) };
                self.open(b'{', label)?;
                self.stack.push(Frame::Record { number, level, next: 0 });
                Ok(())
            }
            Kind::Array(array) => {
                let (end, level) = self.look.array(at, node);
                self.open(b'[', label)?;
                self.stack.push(Frame::Array { item: array.item, level, next: 0, end });
                Ok(())
            }
            _ => self.scalar(at, node, label),
        }
    }

    /// Writes the octets of an open type whose type is not known, with the rules that they are of.
    fn unknown_type(&mut self, at: At<Level>, node: NodeId, alternative: u32, label: Label<'v>) -> Result<(), Error> {
        self.open(b'{', label)?;
        let rules = match alternative {
            UNKNOWN_BER => "ber",
            UNKNOWN_OER => "oer",
            _ => "per",
        };
        let look = self.look;
        self.octets(Label::Text(rules), look.unknown(at, node).unwrap_or_default(), &mut String::new())?;
        self.json.close()
    }

    fn scalar(&mut self, at: At<Level>, node: NodeId, label: Label<'v>) -> Result<(), Error> {
        let look = self.look;
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        let result = match self.types.node(node).kind {
            Kind::Boolean => self.put(b'?', label, if look.boolean(at, node) { b"t" } else { b"f" }),
            Kind::Integer(_) => {
                match look.integer_at(look.cell(at), look.mark(at)) {
                    Integer::Small(number) => push_small(number, &mut text),
                    Integer::Big(octets) if octets.len() <= MOST_OCTETS => push_integer(octets, &mut text),
                    Integer::Big(octets) => {
                        let found = tam::Words::Count(octets.len() as u64, "octets of an INTEGER");
                        return Err(self.at(label, Error::limit(FORMAT, 0, found, "octets", MOST_OCTETS as u64)));
                    }
                }
                self.put(b'#', label, text.as_bytes())
            }
            Kind::Enumerated(number) => {
                let item = look.enumerated(at, node);
                let text = self.types.enumeration(number).text(item as usize);
                match text.filter(|_| look.unknown(at, node).is_none()) {
                    Some(text) => self.enumerated(number, item, text, label),
                    None => Err(self.unknown(label, "an enumeration of a later version of the schema")),
                }
            }
            Kind::Real => self.real(node, look.real_at(look.cell(at), look.mark(at)), label, &mut text),
            Kind::BitString(size, _) => {
                let (octets, len) = look.bit_string(at, node);
                if size.lower == size.upper && !size.extensible && len == size.lower {
                    self.octets(label, octets, &mut text)
                } else {
                    self.open(b'{', label)?;
                    self.octets(Label::Text("value"), octets, &mut text)?;
                    text.clear();
                    push_small(len as i64, &mut text);
                    self.json.primitive(b'#', b"length", text.as_bytes())?;
                    self.json.close()
                }
            }
            Kind::OctetString(_) => self.octets(label, look.octets(at, node), &mut text),
            kind @ (Kind::ObjectIdentifier | Kind::RelativeOid) => {
                match oid::to_dotted(look.octets(at, node), kind == Kind::RelativeOid) {
                    Some(dotted) => self.put(b'\'', label, dotted.as_bytes()),
                    None => Err(self.unknown(label, "an object identifier with an arc of more than 128 bits")),
                }
            }
            Kind::Text(_) => self.put(b'\'', label, look.text_at(look.cell(at)).as_bytes()),
            Kind::Null | Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_) => {
                self.put(b'~', label, b"")
            }
        };
        self.scratch = text;
        result
    }

    /// Adds octets; `digits` is empty.
    fn octets(&mut self, label: Label<'v>, octets: &[u8], digits: &mut String) -> Result<(), Error> {
        if self.octets == b'*' {
            return self.put(b'*', label, octets);
        }
        xml::hex::push(octets, digits);
        self.put(b'\'', label, digits.as_bytes())
    }

    fn real(&mut self, node: NodeId, real: Real<'_>, label: Label<'v>, text: &mut String) -> Result<(), Error> {
        let double = match real {
            Real::Double(double) => double,
            // The type allows base 10 only, so the form is unambiguous.
            Real::Decimal(_) if self.types.is_decimal(node) && real.push_plain(text) => {
                return self.put(b'%', label, text.as_bytes());
            }
            Real::Decimal(decimal) => {
                self.open(b'{', label)?;
                self.json.primitive(b'\'', b"base10Value", decimal.as_bytes())?;
                return self.json.close();
            }
        };
        if let Some(word) = special(double) {
            self.put(b'\'', label, word.as_bytes())
        } else {
            push_double(double, text);
            self.put(b'%', label, text.as_bytes())
        }
    }

    /// Adds a primitive unit.
    fn put(&mut self, kind: u8, label: Label<'v>, data: &[u8]) -> Result<(), Error> {
        let (at, len) = match label {
            Label::None => (0, 0),
            Label::Placed(name, at) => (at, name.len() as u32),
            Label::Text(name) => return self.json.primitive_member(kind, Some(name.as_bytes()), data),
        };
        let place = self.json.place(data)?;
        self.json.primitive_row(Row::new(TypeSet::VALUE.class(kind), at, len, place, data.len() as u32))
    }

    /// Adds the text of an enumeration, which is in the table once however often it occurs.
    fn enumerated(&mut self, number: u32, item: u32, text: &str, label: Label<'v>) -> Result<(), Error> {
        let enumeration = self.types.enumeration(number);
        let kind = if enumeration.is_of_numbers { b'#' } else { b'\'' };
        let (at, len) = match label {
            Label::None => (0, 0),
            Label::Placed(name, at) => (at, name.len() as u32),
            Label::Text(_) => return self.put(kind, label, text.as_bytes()),
        };
        let count = enumeration.items.len();
        let Some(slot) = self.enumerations.slot(number, count, item) else { return Ok(()) };
        if *slot == Places::NONE {
            *slot = self.json.place(text.as_bytes())?;
        }
        self.json.primitive_row(Row::new(TypeSet::VALUE.class(kind), at, len, *slot, text.len() as u32))
    }

    /// Opens a structured unit.
    fn open(&mut self, kind: u8, label: Label<'v>) -> Result<(), Error> {
        let (at, len) = match label {
            Label::None => (0, 0),
            Label::Placed(name, at) => (at, name.len() as u32),
            Label::Text(name) => return self.json.open_member(kind, Some(name.as_bytes())),
        };
        self.json.open_row(Row::new(TypeSet::VALUE.class(kind), at, len, 0, 0))
    }

    /// The error with the path of the value that the label belongs to.
    #[cold]
    fn at(&self, label: Label<'v>, error: Error) -> Error {
        let mut path = self.json.path();
        let index = match self.stack.last() {
            Some(Frame::Array { next, .. }) => Some(next.saturating_sub(1) as usize),
            _ => None,
        };
        match (label, index) {
            (Label::Text(name) | Label::Placed(name, _), _) => {
                Name::plain(name.as_bytes()).push_step(1, 0, &mut path);
            }
            (Label::None, Some(index)) => Name::plain(b"").push_step(1, index, &mut path),
            (Label::None, None) => {}
        }
        error.in_path(path)
    }

    #[cold]
    fn unknown(&self, label: Label<'v>, found: &'static str) -> Error {
        self.at(label, Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "what JSON has a form for"))
    }
}
