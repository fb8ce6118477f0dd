//! From JSON: a walk through a document and its type together.
//!
//! Open values are on an explicit stack, so that nothing recurses over the document.

use tam::json::Value as Json;
use tam::{Children, Document, Error, ErrorKind, Limits, Name, Node, Words};

use super::names::Names;
use super::scalar::{push_octets, quoted};
use super::{CONTAINING, FORMAT};
use crate::compiled::{Array, CONTENT, Compiled, Kind, NodeId, Presence, Record, STRING};
use crate::contents;
use crate::event::{At, Sink, Stretch};
use crate::keys::{KeySink, Keys, UNKNOWN, UNKNOWN_BER, UNKNOWN_OER};
use crate::values::{Filler, Value, Values};

/// The most levels shown in a path.
const PATH_LEVELS: usize = 64;

/// Reads a value of a type from a document of JSON, in either of JSON's type sets.
///
/// Text stays in the document's message if possible; the rest is in `values`.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{Compiled, Options, Values};
/// use lengthwise_tam::{Builder, Limits, Table, TypeSet};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///         Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) }
///      END",
/// )?;
/// let mut table = Table::new();
/// let mut json = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
/// json.open(b'{', b"")?;
/// json.primitive(b'#', b"sensor", b"3")?;
/// json.primitive(b'#', b"celsius", b"20")?;
/// json.close()?;
/// json.finish()?;
///
/// let document = table.document(b"", TypeSet::VALUE);
/// let mut values = Values::new();
/// let value = lengthwise_asn1::jer::read(&document, &types, types.find("Reading")?, &Limits::default(), &mut values)?;
/// assert_eq!(lengthwise_asn1::write(value, &Options::uper())?, [0x37, 0x80]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// * `schema` if the document does not match the type, or a value does not match its constraint; the error has the path
///   in the document, and the offset of the value in the message;
/// * `limit` if it is larger or deeper than the limits allow.
pub fn read<'v>(
    document: &Document<'v>,
    types: &'v Compiled,
    node: NodeId,
    limits: &Limits,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    let mut filler = Filler::new(types, *limits, values).with_input(document.texts().0.len());
    read_events(document, types, node, limits, &mut filler)?;
    Ok(values.value(types, node, document.texts().0))
}

/// Reads a value of a type from a document of JSON and reports it to a sink. Components come in the order of the
/// document; positions in the message are those of its text ([`Document::texts`]).
///
/// # Errors
/// Those of [`read`], and the sink's own.
pub fn read_events<S: Sink>(
    document: &Document<'_>,
    types: &Compiled,
    node: NodeId,
    limits: &Limits,
    sink: &mut S,
) -> Result<(), Error> {
    read_by(document, types, node, limits, sink, false)
}

/// The same, but a component with the value `null` is taken as absent, which documents often mean by it: one that is OPTIONAL
/// or has a DEFAULT, unless it is of the type NULL. Sinks may take `null` for a component of a SEQUENCE OF whose type was
/// inferred ([`Sink::null_item`]).
///
/// # Errors
/// Those of [`read_events`].
pub fn read_nullable<S: Sink>(
    document: &Document<'_>,
    types: &Compiled,
    node: NodeId,
    limits: &Limits,
    sink: &mut S,
) -> Result<(), Error> {
    read_by(document, types, node, limits, sink, true)
}

fn read_by<S: Sink>(
    document: &Document<'_>,
    types: &Compiled,
    node: NodeId,
    limits: &Limits,
    sink: &mut S,
    is_nullable: bool,
) -> Result<(), Error> {
    let level = sink.root(node);
    let mut reader = Reader {
        is_nullable,
        message: document.texts().0,
        types,
        depth: limits.depth,
        sink,
        stack: Vec::new(),
        seen: Vec::new(),
        names: Names::default(),
        keys: Keys::default(),
    };
    let Some(unit) = document.root() else {
        return Err(Error::new(ErrorKind::Schema, FORMAT, 0, "no value", "a JSON value"));
    };
    reader.walk(At { level, index: 0 }, node, unit).map_err(|error| reader.explain(error))
}

pub(super) struct Reader<'d, 't, 's, S: Sink> {
    /// Whether `null` stands for an absent component.
    is_nullable: bool,
    pub(super) message: &'d [u8],
    pub(super) types: &'t Compiled,
    depth: u32,
    pub(super) sink: &'s mut S,
    stack: Vec<Frame<'d, S::Level>>,
    /// Which members have been read, for all open records in sequence.
    seen: Vec<bool>,
    pub(super) names: Names<'t>,
    /// The members that select types, in the open records.
    keys: Keys,
}

/// An open value.
enum Frame<'d, L> {
    Record {
        unit: Node<'d>,
        node: NodeId,
        number: u32,
        level: L,
        members: Children<'d>,
        /// The start of its part of `seen`.
        seen: usize,
        /// The start of its keys.
        keys: usize,
        /// The member after the last one read.
        next: u32,
        /// The name of the member being read.
        name: Option<Name<'d>>,
    },
    Array {
        node: NodeId,
        item: NodeId,
        level: L,
        items: Children<'d>,
        next: u32,
        nullable: bool,
    },
    Choice {
        node: NodeId,
        level: L,
        /// The chosen value and its type, until it is read.
        chosen: Option<(Node<'d>, NodeId)>,
        /// The name of the alternative; an open type has none.
        name: Option<Name<'d>>,
    },
}

/// The outcome of a step through an open value.
enum Step<'d, L> {
    End,
    /// A value in it must be opened first; the flag says whether it is a record in an array.
    Open(At<L>, NodeId, Node<'d>, bool),
}

impl<'d, 't, S: Sink> Reader<'d, 't, '_, S> {
    fn walk(&mut self, at: At<S::Level>, node: NodeId, unit: Node<'d>) -> Result<(), Error> {
        if self.scalar(at, node, unit)? {
            return Ok(());
        }
        self.open(at, node, unit, false)?;
        while let Some(mut frame) = self.stack.pop() {
            match self.step(&mut frame) {
                Ok(Step::End) => {}
                Ok(Step::Open(at, node, unit, row)) => {
                    self.stack.push(frame);
                    self.open(at, node, unit, row)?;
                }
                Err(error) => {
                    self.stack.push(frame);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn enter(&mut self, frame: Frame<'d, S::Level>) -> Result<(), Error> {
        if self.stack.len() >= self.depth as usize {
            return Err(Error::limit(FORMAT, 0, "one more level", "depth", self.depth.into()));
        }
        self.stack.push(frame);
        Ok(())
    }

    /// Opens a SEQUENCE, SET, CHOICE, SEQUENCE OF or SET OF.
    fn open(&mut self, at: At<S::Level>, node: NodeId, unit: Node<'d>, row: bool) -> Result<(), Error> {
        let types = self.types;
        match (types.node(node).kind, Json::new(unit)) {
            (Kind::Record(number), Json::Object(_)) => {
                let level = if row { self.sink.row(at, node)? } else { self.sink.record(at, node)? };
                let seen = self.seen.len();
                self.seen.resize(seen + types.record(number).members.len(), false);
                let members = unit.children();
                let keys = self.keep_keys(number, unit);
                self.enter(Frame::Record { unit, node, number, level, members, seen, keys, next: 0, name: None })
            }
            (Kind::Array(array), Json::Array(_)) => self.open_array(at, node, unit, &array),
            (Kind::Open(number), _) => self.open_type(at, node, number, unit),
            (Kind::Choice(number), Json::String(text)) if types.choice(number).is_bare() => {
                let Some((index, alternative)) = types.alternative_of(number, &text.to_cow()) else {
                    return Err(self.refused(unit, node, quoted(text)));
                };
                let level = self.sink.choice(at, node, index)?;
                self.scalar(At { level, index: 0 }, alternative.node, unit).map(|_| ())
            }
            (Kind::Choice(number), Json::Object(_)) => {
                let mut members = unit.children();
                let (Some(member), None) = (members.next(), members.next()) else {
                    let found = Words::Count(unit.row().len().into(), "members");
                    return Err(self.fault(unit, found, format!("one, which is chosen ({})", types.node(node).name)));
                };
                let choice = types.choice(number);
                let found = self.names.alternative(number, choice, member.name());
                let Some((index, alternative)) =
                    found.and_then(|index| Some((index, choice.alternatives.get(index as usize)?)))
                else {
                    let found = shown(member.name());
                    return Err(self.misnamed(member, found, format!("an alternative of {}", types.node(node).name)));
                };
                let level = self.sink.choice(at, node, index)?;
                let chosen = Some((member, alternative.node));
                self.enter(Frame::Choice { node, level, chosen, name: Some(member.name()) })
            }
            _ => Err(self.unlike(unit, node)),
        }
    }

    /// Keeps the keys in a record, wherever they are in it, and returns the start of these.
    fn keep_keys(&mut self, number: u32, unit: Node<'d>) -> usize {
        let types = self.types;
        let record = types.record(number);
        if !S::KEYS || !record.keyed {
            return self.keys.begin(&Record::EMPTY);
        }
        let base = self.keys.begin(record);
        for (place, key) in record.keys.iter().enumerate() {
            let Some((found, node)) = types.find_key(record, key, unit, child) else { continue };
            let mut sink = KeySink::new(self.message, &[]);
            let (stack, seen, keys) = (Vec::new(), Vec::new(), Keys::default());
            let (message, depth, names) = (self.message, self.depth, Names::default());
            let is_nullable = self.is_nullable;
            let mut reader = Reader { is_nullable, message, types, depth, sink: &mut sink, stack, seen, names, keys };
            // A fault is reported when the member itself is read.
            let walked = reader.walk(At { level: 0, index: 0 }, node, found);
            self.keys.set(base, place, sink.key(&walked));
        }
        base
    }

    /// An open type: a value of the type that its keys select, or its octets with the rules that they are of,
    /// `{"per": "…"}`, if they select none.
    fn open_type(&mut self, at: At<S::Level>, node: NodeId, number: u32, unit: Node<'d>) -> Result<(), Error> {
        let open = self.types.open(number);
        if let Some((content, string)) = contents::alternatives(open) {
            if self.encoded(at, node, string, unit)? {
                return Ok(());
            }
            let mut members = unit.children();
            let (alternative, chosen, name) = match (Json::new(unit), members.next(), members.next()) {
                (Json::Object(_), Some(member), None) if member.name().to_text() == CONTAINING => {
                    (CONTENT, (member, content), Some(member.name()))
                }
                _ => (STRING, (unit, string), None),
            };
            let level = self.sink.choice(at, node, alternative)?;
            return self.enter(Frame::Choice { node, level, chosen: Some(chosen), name });
        }
        if let Some((alternative, chosen)) = self.keys.choose::<S>(open) {
            let level = self.sink.choice(at, node, alternative)?;
            return self.enter(Frame::Choice { node, level, chosen: Some((unit, chosen)), name: None });
        }
        let mut members = unit.children();
        let (Json::Object(_), Some(member), None) = (Json::new(unit), members.next(), members.next()) else {
            return Err(self.unlike(unit, node));
        };
        let rules = member.name().to_text();
        let alternative = match &rules[..] {
            "per" => UNKNOWN,
            "oer" => UNKNOWN_OER,
            "ber" => UNKNOWN_BER,
            _ => return Err(self.unlike(unit, node)),
        };
        let level = self.sink.choice(at, node, alternative)?;
        let Some(start) = self.octets(member, &Json::new(member))? else { return Err(self.unlike(member, node)) };
        self.sink.unknown(At { level, index: 0 }, node, Stretch::Buffer { start })?;
        self.sink.end(node, level)
    }

    /// Reads the octets of a string that contain a value by rules of their own, if they do.
    fn encoded(&mut self, at: At<S::Level>, node: NodeId, string: NodeId, unit: Node<'d>) -> Result<bool, Error> {
        let (kind, value) = (self.types.node(string).kind, Json::new(unit));
        let mut octets = Vec::new();
        let (size, value, length) = match (kind, &value) {
            (Kind::OctetString(size), _) => (size, value, None),
            (Kind::BitString(size, _), Json::Object(_)) => match (value.get("value"), value.get("length")) {
                (Some(octets), Some(Json::Number(length))) => (size, octets, length.as_u64()),
                _ => return Ok(false),
            },
            _ => return Ok(false),
        };
        let is_read = push_octets(&value, &mut octets) == Some(true);
        let (bits, count) = match length {
            Some(length) => (length, length),
            None => (octets.len() as u64 * 8, octets.len() as u64),
        };
        // What is wrong is found where they are read as a string.
        if !is_read || bits.div_ceil(8) != octets.len() as u64 || !self.types.allows_size(&size, count) {
            return Ok(false);
        }
        let levels = self.depth.saturating_sub(self.stack.len() as u32);
        let limits = Limits { depth: levels, ..Limits::DEFAULT };
        contents::read_encoded(self.sink, self.types, (at, node), (&octets, bits), &limits)
    }

    fn open_array(&mut self, at: At<S::Level>, node: NodeId, unit: Node<'d>, array: &Array) -> Result<(), Error> {
        let len = unit.row().len();
        if !array.size.extensible && !self.types.allows_size(&array.size, len.into()) {
            return Err(self.refused(unit, node, format!("a size of {len}")));
        }
        let level = self.sink.array(at, node, len)?;
        let (item, nullable) = (array.item, self.is_nullable && array.nullable);
        self.enter(Frame::Array { node, item, level, items: unit.children(), next: 0, nullable })
    }

    fn step(&mut self, frame: &mut Frame<'d, S::Level>) -> Result<Step<'d, S::Level>, Error> {
        match frame {
            Frame::Record { unit, node, number, level, members, seen, keys, next, name } => {
                let types = self.types;
                let record = types.record(*number);
                for member in members {
                    *name = None;
                    let Some(index) = self.names.member(*number, record, member.name(), *next) else {
                        if self.sink.skips(At { level: *level, index: u32::MAX }) {
                            continue;
                        }
                        let found = shown(member.name());
                        return Err(self.misnamed(member, found, format!("a component of {}", types.node(*node).name)));
                    };
                    if let Some(seen) = self.seen.get_mut(*seen + index as usize)
                        && std::mem::replace(seen, true)
                    {
                        let found = format!("'{}' a second time", tam::excerpt(&member.name().to_text()));
                        return Err(self.misnamed(member, found, "each component once"));
                    }
                    (*next, *name) = (index + 1, Some(member.name()));
                    let at = At { level: *level, index };
                    if self.sink.skips(at) {
                        continue;
                    }
                    let of = record.members.get(index as usize);
                    let ty = of.map_or(*node, |member| member.node);
                    if self.is_nullable
                        && matches!(Json::new(member), Json::Null)
                        && of.is_some_and(|of| of.presence != Presence::Mandatory)
                        && types.node(ty).kind != Kind::Null
                    {
                        continue;
                    }
                    if !self.scalar(at, ty, member)? {
                        return Ok(Step::Open(at, ty, member, false));
                    }
                }
                *name = None;
                let is_needed = |index| !self.sink.skips(At { level: *level, index });
                if let Some(missing) = missing(record, self.seen.get(*seen..).unwrap_or_default(), is_needed) {
                    let found = format!("missing component {missing} of {}", types.node(*node).name);
                    return Err(self.fault(*unit, found, ""));
                }
                self.seen.truncate(*seen);
                self.keys.end(*keys);
                self.sink.end(*node, *level)?;
            }
            Frame::Array { node, item, level, items, next, nullable } => {
                let row = matches!(self.types.node(*item).kind, Kind::Record(_));
                for unit in items {
                    let at = At { level: *level, index: *next };
                    *next += 1;
                    if *nullable && matches!(Json::new(unit), Json::Null) && self.sink.null_item(at)? {
                        continue;
                    }
                    if row || !self.scalar(at, *item, unit)? {
                        return Ok(Step::Open(at, *item, unit, row));
                    }
                }
                self.sink.end(*node, *level)?;
            }
            Frame::Choice { node, level, chosen, .. } => {
                let at = At { level: *level, index: 0 };
                if let Some((unit, ty)) = chosen.take()
                    && !self.sink.skips(at)
                    && !self.scalar(at, ty, unit)?
                {
                    return Ok(Step::Open(at, ty, unit, false));
                }
                self.sink.end(*node, *level)?;
            }
        }
        Ok(Step::End)
    }

    /// Adds the position and path in the document to an error.
    #[cold]
    fn explain(&self, error: Error) -> Error {
        let mut path = String::new();
        for (level, frame) in self.stack.iter().enumerate() {
            if level == PATH_LEVELS {
                path.push_str("/…");
                break;
            }
            match frame {
                Frame::Record { name: Some(name), .. } => name.push_step(1, 0, &mut path),
                Frame::Record { .. } => {}
                Frame::Array { next, .. } => {
                    Name::plain(b"").push_step(1, next.saturating_sub(1) as usize, &mut path);
                }
                Frame::Choice { name: Some(name), .. } => name.push_step(1, 0, &mut path),
                Frame::Choice { .. } => {}
            }
        }
        error.in_path(path)
    }

    /// The position of a unit's value in the message, or else of its name, or of a name in it.
    pub(super) fn place(&self, unit: Node<'_>) -> u64 {
        let row = unit.row();
        // Empty data may have a place: that of `null`.
        let has_place = !row.is_structured() && (row.value_at() > 0 || !row.is_empty());
        let value = if has_place { self.text_at(row.value_at(), row.len().max(1)) } else { None };
        let first = || unit.children().next().map(|child| self.name_place(child));
        value.or_else(|| self.text_at(row.name_at(), row.name_len())).or_else(first).unwrap_or_default()
    }

    /// The position of a unit's name in the message.
    fn name_place(&self, unit: Node<'_>) -> u64 {
        self.text_at(unit.row().name_at(), unit.row().name_len()).unwrap_or_default()
    }

    /// The position of a text, if it is in the message. In JSON text a string begins with a quote, so the position of
    /// the quote is returned.
    fn text_at(&self, at: u32, len: u32) -> Option<u64> {
        if len == 0 || u64::from(at) + u64::from(len) > self.message.len() as u64 {
            return None;
        }
        let before = at.checked_sub(1).and_then(|before| self.message.get(before as usize));
        Some(u64::from(at) - u64::from(before == Some(&b'"')))
    }

    /// The error for a member's name.
    #[cold]
    #[inline(never)]
    fn misnamed(&self, member: Node<'_>, found: String, expected: impl Into<Words>) -> Error {
        Error::new(ErrorKind::Schema, FORMAT, self.name_place(member), found, expected)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fault(&self, unit: Node<'_>, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        Error::new(ErrorKind::Schema, FORMAT, self.place(unit), found, expected)
    }

    /// The error of the sink for a value, with the place of the value.
    #[cold]
    #[inline(never)]
    pub(super) fn placed(&self, error: Error, unit: Node<'_>) -> Error {
        let format = error.format();
        error.met_in(format, self.place(unit))
    }

    /// The error for a value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    pub(super) fn refused(&self, unit: Node<'_>, node: NodeId, found: impl Into<tam::Words>) -> Error {
        self.fault(unit, found, self.types.allowed(node))
    }

    /// The error for JSON of another kind than the type needs.
    #[cold]
    #[inline(never)]
    pub(super) fn unlike(&self, unit: Node<'_>, node: NodeId) -> Error {
        let found = match Json::new(unit) {
            Json::Null => "null",
            Json::Bool(_) => "true or false",
            Json::Number(_) => "a number",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
            Json::Binary(_) => "binary data",
            Json::Char(_) => "a character",
            Json::Byte(_) => "a byte",
            _ => "a value that JSON does not have",
        };
        let expected = match self.types.node(node).kind {
            Kind::Boolean => "true or false",
            Kind::Null => "null",
            Kind::Integer(_) => "a number without fraction and exponent",
            Kind::Enumerated(_) => "the identifier of an enumeration as a string",
            Kind::Real => r#"a number, "INF", "-INF", "NaN", "-0" or {"base10Value": "…"}"#,
            Kind::BitString(size, _) if size.lower == size.upper && !size.extensible => {
                r#"a string of hexadecimal digits or {"value": "…", "length": …}"#
            }
            Kind::BitString(..) => r#"{"value": "…", "length": …}"#,
            Kind::OctetString(_) => "a string of hexadecimal digits",
            Kind::ObjectIdentifier | Kind::RelativeOid => "arcs with dots between them as a string",
            Kind::Text(_) => "a string",
            Kind::Record(_) => "an object",
            Kind::Choice(_) => "an object with one member",
            Kind::Open(number) if self.types.open(number).slots().is_empty() => OCTETS,
            Kind::Open(_) => {
                let expected =
                    format!("{OCTETS}, because the identifier selects no type ({})", self.types.node(node).name);
                return self.fault(unit, found, expected);
            }
            Kind::Array(_) => "an array",
        };
        self.fault(unit, found, format!("{expected} ({})", self.types.node(node).name))
    }
}

/// The forms of octets of no known type.
const OCTETS: &str = r#"{"per": "…"}, {"oer": "…"} or {"ber": "…"}"#;

/// The member of an object with a name.
fn child<'d>(unit: Node<'d>, name: &str) -> Option<Node<'d>> {
    unit.children().find(|child| child.name().to_text() == name)
}

/// A name for error messages.
#[cold]
fn shown(name: Name<'_>) -> String {
    const MOST: usize = 60;
    let text = name.to_text();
    match text.char_indices().nth(MOST) {
        _ if text.is_empty() => "a member whose name is empty".to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
    }
}

/// The name of a missing component that is needed: of the root, or of a group that is partly present.
fn missing<'t>(record: &'t Record, seen: &[bool], is_needed: impl Fn(u32) -> bool) -> Option<&'t str> {
    let among = |first: usize, count: usize| {
        let members = (0..).zip(record.members.iter().zip(seen)).skip(first).take(count);
        let mut absent = members
            .filter(|(index, (member, seen))| !**seen && member.presence == Presence::Mandatory && is_needed(*index));
        absent.next().map(|(_, (member, _))| &member.name[..])
    };
    among(0, record.root as usize).or_else(|| {
        let groups = record.additions.iter().filter(|addition| addition.group.is_some());
        let mut partly = groups.filter_map(|group| {
            let (first, count) = (group.first as usize, group.count as usize);
            let any = seen.iter().skip(first).take(count).any(|seen| *seen);
            if any { among(first, count) } else { None }
        });
        partly.next()
    })
}
