//! From notation: a walk through a text and its type together.

use tam::{Error, ErrorKind, Limits, Words};

use super::LONGEST;
use super::names::{Names, Of};
use crate::compiled::{CONTENT, Compiled, Kind, NodeId, Presence, Record, STRING};
use crate::contents;
use crate::event::{At, Sink};
use crate::jer::CONTAINING;
use crate::keys::Keys;
use crate::notation::lexer::{Kind as Item, Token, located};
use crate::notation::parser::Parser;
use crate::notation::{FORMAT, Read};
use crate::schema::{Kind as TypeKind, Position, Type};
use crate::values::{Filler, Value, Values};

/// Reads a value from its notation: `{ x 1, y 2 }`, or `origin Point ::= { x 1, y 2 }`, which includes its type.
///
/// `node` is the type of a value that does not include it; if both are given, they must be the same. Text stays in the
/// input if it needs no conversion; the rest is in `values`.
///
/// References to named values are not supported, because they need a module. Values are checked against their
/// constraints.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{Compiled, Limits, Values, notation};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///         Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) }
///      END",
/// )?;
/// let reading = Some(types.find("Reading")?);
/// let mut values = Values::new();
/// let text = "{ sensor 3, celsius -- in the shade -- 20 }";
/// let value = notation::read_value(text, &types, reading, &Limits::default(), &mut values)?;
/// assert_eq!(lengthwise_asn1::write(value, &lengthwise_asn1::Options::uper())?, [0x37, 0x80]);
///
/// let text = "today Reading ::= { sensor 3, celsius 97 }";
/// let error = notation::read_value(text, &types, None, &Limits::default(), &mut values).unwrap_err();
/// let words = "schema at byte 38 (line 1, column 39) in /celsius: found 97, expected -40 to 87 \
///     (Reading.celsius)";
/// assert_eq!(error.to_string(), words);
/// # Ok(())
/// # }
/// ```
///
/// * `syntax` if the text is not the notation of a value, `incomplete` if it ends too early;
/// * `schema` if the value is of another type, or does not match its constraint;
/// * `unsupported` for valid input that is not supported: arcs of more than 128 bits;
/// * `limit` if it is longer or deeper than the limits allow.
pub fn read_value<'v>(
    text: &'v str,
    types: &'v Compiled,
    node: Option<NodeId>,
    limits: &Limits,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    let mut filler = Filler::new(types, *limits, values).with_input(text.len());
    let node = read_value_events(text, types, node, limits, &mut filler)?;
    Ok(values.value(types, node, text.as_bytes()))
}

/// Reads a value from its notation, reports it to a sink, and returns its type. Components come in the order of the
/// text; positions in the message are those in the text.
///
/// # Errors
/// Those of [`read_value`], and the sink's own.
pub fn read_value_events<S: Sink>(
    text: &str,
    types: &Compiled,
    node: Option<NodeId>,
    limits: &Limits,
    sink: &mut S,
) -> Result<NodeId, Error> {
    let bound = limits.message_bytes.min(LONGEST);
    if text.len() > bound as usize {
        let found = Words::Count(text.len() as u64, "bytes");
        return Err(Error::limit(FORMAT, bound.into(), found, "message_bytes", bound.into()));
    }
    let mut reader = Reader::new(Parser::new(text, *limits, limits.units, None)?, types, limits.depth, sink);
    reader.all(node).map_err(|error| reader.explain(error))
}

pub(super) struct Reader<'t, 's, 'k, S: Sink> {
    pub(super) tokens: Parser<'s>,
    pub(super) types: &'t Compiled,
    pub(super) sink: &'k mut S,
    pub(super) depth: u32,
    stack: Vec<Frame<'s, S::Level>>,
    /// Which components have been read, for all open records in sequence.
    seen: Vec<bool>,
    pub(super) names: Names<'t>,
    /// The components that select types, in the open records.
    pub(super) keys: Keys,
}

/// An open value.
struct Frame<'s, L> {
    node: NodeId,
    level: L,
    /// Where it begins.
    position: Position,
    /// The number of values read in it; in a record, the index after the last member read.
    next: u32,
    /// Whether it is still empty.
    is_new: bool,
    of: FrameKind<'s, L>,
}

/// The kind of an open value.
enum FrameKind<'s, L> {
    Record {
        number: u32,
        /// The start of its part of `seen`, and that of its keys.
        seen: usize,
        keys: usize,
        /// The component being read.
        name: Option<&'s str>,
    },
    Array {
        at: At<L>,
        item: NodeId,
    },
    Choice {
        name: &'s str,
    },
    /// An open type, whose value has its path.
    Open,
}

/// The most lists within each other in a type.
const LISTS: usize = 48;

/// The place of the next value in an open one.
struct Slot<L> {
    at: At<L>,
    node: NodeId,
    /// Whether it is a record in an array.
    row: bool,
}

impl<'t, 's, 'k, S: Sink> Reader<'t, 's, 'k, S> {
    pub(super) fn new(tokens: Parser<'s>, types: &'t Compiled, depth: u32, sink: &'k mut S) -> Reader<'t, 's, 'k, S> {
        let (stack, seen, names, keys) = (Vec::new(), Vec::new(), Names::new(types), Keys::default());
        Reader { tokens, types, sink, depth, stack, seen, names, keys }
    }

    fn all(&mut self, node: Option<NodeId>) -> Read<NodeId> {
        let node = self.governor(node)?;
        let level = self.sink.root(node);
        self.walk(At { level, index: 0 }, node)?;
        match self.tokens.token().kind {
            Item::End => Ok(node),
            _ => Err(self.tokens.unexpected("the end of the text")),
        }
    }

    /// Reads a value, and all in it.
    pub(super) fn walk(&mut self, at: At<S::Level>, node: NodeId) -> Read<()> {
        self.value(at, node, false)?;
        while let Some(frame) = self.stack.pop() {
            self.go_on(frame)?;
        }
        Ok(())
    }

    /// Reads the name and type before a value, if present, and returns the type.
    fn governor(&mut self, node: Option<NodeId>) -> Read<NodeId> {
        if self.tokens.token().kind != Item::Lower || self.tokens.peek(1)?.kind != Item::Upper {
            return node.ok_or_else(|| self.tokens.unexpected("a value's name, its type and '::='"));
        }
        self.tokens.take()?;
        let position = self.tokens.position();
        let mut name = self.tokens.reference("the name of a type")?.text.to_owned();
        if self.tokens.takes(".")? {
            name = format!("{name}.{}", self.tokens.reference("the name of a type")?.text);
        }
        self.tokens.expect("::=", "'::='")?;
        let named = self.types.find(&name).map_err(|error| located(error, position))?;
        match node {
            Some(node) if node != named => {
                let expected = format!("one of {}", self.types.node(node).name);
                Err(self.fault(position, format!("a value of {name}"), expected))
            }
            _ => Ok(named),
        }
    }

    /// Reads a simple value, or opens another.
    fn value(&mut self, at: At<S::Level>, node: NodeId, row: bool) -> Read<()> {
        let (mut at, mut node, mut row) = (at, node, row);
        // A loop over choices in choices, because recursion would be as deep as they are nested.
        loop {
            let position = self.tokens.position();
            match self.types.node(node).kind {
                Kind::Choice(number) => (at, node) = self.chosen(at, node, number, position)?,
                Kind::Open(number) => (at, node) = self.typed(at, node, number, position)?,
                _ => break,
            }
            row = false;
        }
        let position = self.tokens.position();
        match self.types.node(node).kind {
            Kind::Record(number) => {
                self.brace(node)?;
                let level = if row { self.sink.row(at, node)? } else { self.sink.record(at, node)? };
                let seen = self.seen.len();
                self.seen.resize(seen + self.types.record(number).members.len(), false);
                let keys = self.keep_keys(number).map_err(|error| located(error, position))?;
                self.open(node, level, position, FrameKind::Record { number, seen, keys, name: None })
            }
            Kind::Array(array) => {
                self.brace(node)?;
                let level = self.sink.array(at, node, 0)?;
                self.open(node, level, position, FrameKind::Array { at, item: array.item })
            }
            _ => self.scalar(at, node),
        }
    }

    /// Reads `alternative :`, and returns the place of its value.
    fn chosen(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        position: Position,
    ) -> Read<(At<S::Level>, NodeId)> {
        if self.tokens.token().kind != Item::Lower || self.tokens.peek(1)?.text != ":" {
            return Err(self.unlike(node));
        }
        let name = self.tokens.take()?;
        self.tokens.take()?;
        let index = self.names.find(Of::Choice(number), name.text);
        let alternatives = &self.types.choice(number).alternatives;
        let Some((index, alternative)) = index.and_then(|index| Some((index, alternatives.get(index as usize)?)))
        else {
            let expected = format!("an alternative of {}", self.types.node(node).name);
            return Err(self.fault(name.position, name.words(), expected));
        };
        let level = self.sink.choice(at, node, index)?;
        self.open(node, level, position, FrameKind::Choice { name: name.text })?;
        Ok((At { level, index: 0 }, alternative.node))
    }

    /// Reads `Type :`, and returns the place of its value.
    fn typed(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        position: Position,
    ) -> Read<(At<S::Level>, NodeId)> {
        if let Some((content, string)) = contents::alternatives(self.types.open(number)) {
            let (alternative, chosen) = match self.tokens.takes("CONTAINING")? {
                true => (CONTENT, content),
                false => (STRING, string),
            };
            let level = self.sink.choice(at, node, alternative)?;
            self.open(node, level, position, FrameKind::Choice { name: CONTAINING })?;
            return Ok((At { level, index: 0 }, chosen));
        }
        let is_number = matches!(self.tokens.token().kind, Item::Number | Item::Real | Item::End);
        if is_number || begins_value(self.tokens.token()) && !self.tokens.is_open_value()? {
            return Err(self.unlike(node));
        }
        let ty = self.written_type()?;
        self.tokens.expect(":", "':' and a value")?;
        let open = self.types.open(number);
        let fits = self.types.written_as(&ty, &open.alternatives);
        let selected = if S::KEYS { self.keys.select(open) } else { None };
        let selected = selected.and_then(|index| Some((*open.alternatives.get(index as usize)?, index)));
        let only = |index: &u32| Some((*open.alternatives.get(*index as usize)?, *index));
        let (chosen, alternative) = match (selected, &fits[..]) {
            (Some(selected), _) if self.types.is_written_as(&ty, selected.0) => Some(selected),
            (None, [index]) if open.keys.is_empty() => only(index),
            (None, [index, ..]) if !S::KEYS => only(index),
            _ => None,
        }
        .ok_or_else(|| self.of_other_type(position, node, &ty, selected.map(|(selected, _)| selected)))?;
        let level = self.sink.choice(at, node, alternative)?;
        self.open(node, level, position, FrameKind::Open)?;
        Ok((At { level, index: 0 }, chosen))
    }

    /// The error for the type of a value that the identifier does not select, or that the table does not have.
    #[cold]
    fn of_other_type(&self, position: Position, node: NodeId, ty: &Type, selected: Option<NodeId>) -> Error {
        let Kind::Open(number) = self.types.node(node).kind else { return self.unlike(node) };
        let mut name = String::new();
        let expected = match selected {
            Some(selected) => {
                self.types.push_type(selected, &mut name);
                format!("the type that the identifier selects: {name}")
            }
            None if self.types.open(number).keys.is_empty() => {
                format!("one type that {} may be", self.types.node(node).name)
            }
            None => "an identifier that selects a type".to_owned(),
        };
        self.fault(position, format!("{}:", ty.kind.as_str()), expected)
    }

    /// Reads the type before a value in an open type. What is in braces may be left out, as may the items of a list.
    fn written_type(&mut self) -> Read<Type> {
        let mut lists: Vec<TypeKind> = Vec::new();
        while matches!(self.tokens.token().text, "SEQUENCE" | "SET") && self.tokens.peek(1)?.text == "OF" {
            if lists.len() >= LISTS {
                return Err(self.tokens.unexpected("lists within each other that end"));
            }
            let list = if self.tokens.is("SET") { TypeKind::SetOf } else { TypeKind::SequenceOf };
            self.tokens.take()?;
            self.tokens.take()?;
            lists.push(self.tokens.element_name(list)?);
        }
        let keyword = ["SEQUENCE", "SET", "CHOICE", "ENUMERATED"].into_iter().find(|word| self.tokens.is(word));
        let mut ty = match (keyword, self.tokens.peek(1)?.text) {
            _ if self.tokens.is(":") && !lists.is_empty() => Type::new(TypeKind::Any(None)),
            (Some(keyword), ":") => {
                self.tokens.take()?;
                Type::new(TypeKind::Other(keyword))
            }
            _ => self.tokens.ty()?,
        };
        while let Some(mut list) = lists.pop() {
            if let TypeKind::SequenceOf(item) | TypeKind::SetOf(item) = &mut list {
                item.ty = ty;
            }
            ty = Type::new(list);
        }
        Ok(ty)
    }

    fn brace(&mut self, node: NodeId) -> Read<()> {
        if self.tokens.takes("{")? { Ok(()) } else { Err(self.unlike(node)) }
    }

    fn open(&mut self, node: NodeId, level: S::Level, position: Position, of: FrameKind<'s, S::Level>) -> Read<()> {
        if self.stack.len() >= self.depth as usize {
            let error = Error::limit(FORMAT, 0, "one more level", "depth", self.depth.into());
            return Err(located(error, position));
        }
        self.stack.push(Frame { node, level, position, next: 0, is_new: true, of });
        Ok(())
    }

    /// Reads the next value in an open one, or its end.
    fn go_on(&mut self, mut frame: Frame<'s, S::Level>) -> Read<()> {
        let result = match frame.of {
            FrameKind::Record { number, .. } => self.next_component(&mut frame, number),
            FrameKind::Array { at, item } => self.next_item(&mut frame, at, item),
            FrameKind::Choice { .. } | FrameKind::Open => Ok(None),
        };
        match result {
            Ok(Some(next)) => {
                self.stack.push(frame);
                self.value(next.at, next.node, next.row)
            }
            Ok(None) => self.sink.end(frame.node, frame.level),
            Err(error) => {
                self.stack.push(frame);
                Err(error)
            }
        }
    }

    /// Whether another value follows in braces, after a comma unless it is the first.
    fn continues(&mut self, frame: &mut Frame<'s, S::Level>, more: &'static str) -> Read<bool> {
        if self.tokens.takes("}")? {
            return Ok(false);
        }
        let is_new = std::mem::take(&mut frame.is_new);
        if !is_new {
            self.tokens.expect(",", "',' or '}'")?;
        }
        if self.tokens.is("}") || self.tokens.token().kind == Item::End {
            return Err(self.tokens.unexpected(more));
        }
        Ok(true)
    }

    /// Reads up to the value of a record's next component, and returns its place.
    fn next_component(&mut self, frame: &mut Frame<'s, S::Level>, number: u32) -> Read<Option<Slot<S::Level>>> {
        let FrameKind::Record { seen, keys, ref mut name, .. } = frame.of else { return Ok(None) };
        *name = None;
        if !self.continues(frame, "a component")? {
            let record = self.types.record(number);
            if let Some(missing) = missing(record, self.seen.get(seen..).unwrap_or_default()) {
                let found = format!("missing component {missing} of {}", self.types.node(frame.node).name);
                return Err(self.fault(frame.position, found, ""));
            }
            self.seen.truncate(seen);
            self.keys.end(keys);
            return Ok(None);
        }
        let token = self.tokens.token();
        if token.kind != Item::Lower {
            return Err(self.tokens.unexpected("a component"));
        }
        let index = self.names.member(number, token.text, frame.next);
        let record = self.types.record(number);
        let Some((index, member)) = index.and_then(|index| Some((index, record.members.get(index as usize)?))) else {
            let expected = format!("a component of {}", self.types.node(frame.node).name);
            return Err(self.fault(token.position, token.words(), expected));
        };
        if let Some(seen) = self.seen.get_mut(seen + index as usize)
            && std::mem::replace(seen, true)
        {
            return Err(self.fault(token.position, format!("a second {}", token.words()), "each component once"));
        }
        self.tokens.take()?;
        frame.next = index + 1;
        if let FrameKind::Record { name, .. } = &mut frame.of {
            *name = Some(token.text);
        }
        Ok(Some(Slot { at: At { level: frame.level, index }, node: member.node, row: false }))
    }

    /// Returns the place of an array's next component.
    fn next_item(
        &mut self,
        frame: &mut Frame<'s, S::Level>,
        at: At<S::Level>,
        item: NodeId,
    ) -> Read<Option<Slot<S::Level>>> {
        if !self.continues(frame, "a value")? {
            let Kind::Array(array) = self.types.node(frame.node).kind else { return Ok(None) };
            self.size(frame.position, frame.node, &array.size, frame.next.into())?;
            return Ok(None);
        }
        // The identifier of the component may come first (X.680 clause 26.3).
        if self.tokens.token().kind == Item::Lower && !matches!(self.tokens.peek(1)?.text, "," | "}" | ":" | "") {
            self.tokens.take()?;
        }
        frame.level = self.sink.more(at, frame.node, frame.level, 1)?;
        let at = At { level: frame.level, index: frame.next };
        frame.next = frame.next.saturating_add(1);
        Ok(Some(Slot { at, node: item, row: matches!(self.types.node(item).kind, Kind::Record(_)) }))
    }

    /// Adds the path in the value to an error.
    #[cold]
    fn explain(&self, error: Error) -> Error {
        let mut path = String::new();
        for frame in &self.stack {
            match frame.of {
                FrameKind::Record { name, .. } => path.extend(name.iter().flat_map(|name| ["/", name])),
                FrameKind::Array { .. } if frame.is_new => {}
                FrameKind::Array { .. } => path.push_str(&format!("/{}", frame.next.saturating_sub(1))),
                FrameKind::Choice { name } => path.extend(["/", name]),
                FrameKind::Open => {}
            }
        }
        error.in_path(path)
    }

    #[cold]
    pub(super) fn fault(&self, position: Position, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        located(Error::new(ErrorKind::Schema, FORMAT, 0, found, expected), position)
    }

    /// The error for a value that its constraint does not allow.
    #[cold]
    pub(super) fn refused(&self, position: Position, node: NodeId, found: impl Into<Words>) -> Error {
        self.fault(position, found, self.types.allowed(node))
    }

    /// The error for a next item that is not a value of the type.
    #[cold]
    pub(super) fn unlike(&self, node: NodeId) -> Error {
        let token = self.tokens.token();
        let what = match self.types.node(node).kind {
            Kind::Boolean => "TRUE or FALSE",
            Kind::Null => "NULL",
            Kind::Integer(_) => "a whole number or its name",
            Kind::Enumerated(_) => "an enumeration",
            Kind::Real => "a number, an infinity, or mantissa, base and exponent",
            Kind::BitString(..) => "a bstring, an hstring or names of bits",
            Kind::OctetString(_) => "an hstring or a bstring",
            Kind::ObjectIdentifier | Kind::RelativeOid => "arcs in braces",
            Kind::Text(_) => "a character string",
            Kind::Record(_) => "components in braces",
            Kind::Choice(_) => "an alternative and ':'",
            Kind::Open(_) => "a type and ':'",
            Kind::Array(_) => "values in braces",
        };
        let expected = format!("{what} ({})", self.types.node(node).name);
        if begins_value(token) {
            self.fault(token.position, token.words(), expected)
        } else {
            self.tokens.unexpected(expected)
        }
    }
}

/// Whether an item can begin a value.
fn begins_value(token: Token<'_>) -> bool {
    match token.kind {
        Item::Lower | Item::Number | Item::Real | Item::Text | Item::Binary | Item::Hexadecimal => true,
        Item::Upper => matches!(
            token.text,
            "TRUE" | "FALSE" | "NULL" | "PLUS-INFINITY" | "MINUS-INFINITY" | "NOT-A-NUMBER" | "CONTAINING"
        ),
        Item::Sign => matches!(token.text, "{" | "-"),
        Item::End => false,
    }
}

/// The name of a missing component: of the root, or of a group that is partly present.
fn missing<'t>(record: &'t Record, seen: &[bool]) -> Option<&'t str> {
    let among = |first: usize, count: usize| {
        let members = record.members.iter().zip(seen).skip(first).take(count);
        let mut absent = members.filter(|(member, seen)| !**seen && member.presence == Presence::Mandatory);
        absent.next().map(|(member, _)| member.identifier())
    };
    let in_root = among(0, record.root as usize);
    in_root.or_else(|| {
        let groups = record.additions.iter().filter(|addition| addition.group.is_some());
        let (first, count) =
            groups.map(|group| (group.first as usize, group.count as usize)).find(|(first, count)| {
                seen.iter().skip(*first).take(*count).any(|seen| *seen) && among(*first, *count).is_some()
            })?;
        among(first, count)
    })
}
