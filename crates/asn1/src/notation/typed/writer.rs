//! To notation: a walk through a value, guided by its type.

use core::fmt;

use tam::{Error, ErrorKind};

use super::names::Numbers;
use crate::compiled::{CONTENT, Compiled, Kind, NodeId};
use crate::event::{At, Source};
use crate::notation::FORMAT;
use crate::values::{Level, Value, ValueReader};

/// The width of one indentation, in columns.
const INDENT: usize = 2;

/// Deeper levels are not indented further, because the text would be mostly indentation.
const INDENTED: usize = 32;

/// The maximal width of a line of simple values, in columns.
const WIDTH: usize = 100;

/// Writes a value in notation (X.680): components one line each, simple values of an array as many as fit in a line.
///
/// [`read_value`](super::read_value) reads the same value back, so numbers are exact: a REAL without an exact decimal
/// form is written with its mantissa and exponent to base 2. Named numbers and bits are written by their names.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{Compiled, Options, Values, notation};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///         Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) }
///      END",
/// )?;
/// let mut values = Values::new();
/// let reading = lengthwise_asn1::read(&[0x37, 0x80], &types, types.find("Reading")?, &Options::uper(), &mut values)?;
/// assert_eq!(notation::write_value(reading)?, "{\n  sensor 3,\n  celsius 20\n}");
/// // A value shows itself like that.
/// assert_eq!(format!("{:?}", reading.get("sensor")), "Some(Value { type: \"Reading.sensor\", value: 3 })");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// * `unsupported` for what has no notation: an alternative or an enumeration of a later version of the schema, an
///   object identifier with an arc of more than 128 bits;
/// * `limit` for an INTEGER of more than 20 000 digits.
pub fn write_value(value: Value<'_>) -> Result<String, Error> {
    let (look, at) = value.source();
    let mut writer = Writer {
        types: value.types(),
        look,
        out: String::new(),
        line: 0,
        braces: 0,
        stack: Vec::new(),
        numbers: Numbers::new(value.types()),
    };
    match writer.walk(at, value.node_id(), value.is_row()) {
        Ok(()) => Ok(writer.out),
        Err(error) => Err(error.in_path(writer.path())),
    }
}

/// Its type and its value in notation.
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = write_value(*self).unwrap_or_else(|error| format!("({error})"));
        f.debug_struct("Value").field("type", &self.node().name).field("value", &format_args!("{value}")).finish()
    }
}

pub(super) struct Writer<'v> {
    pub(super) types: &'v Compiled,
    pub(super) look: ValueReader<'v>,
    pub(super) out: String,
    /// The start of the last line.
    line: usize,
    /// The number of open braces.
    braces: usize,
    stack: Vec<Frame>,
    pub(super) numbers: Numbers<'v>,
}

/// An open value.
#[derive(Clone, Copy)]
enum Frame {
    Record {
        number: u32,
        level: Level,
        /// The next component to look at, in the order of the notation.
        next: u32,
        /// The component being written.
        component: Option<u32>,
    },
    Array {
        item: NodeId,
        level: Level,
        next: u32,
        end: u32,
        /// Whether a line holds several.
        filled: bool,
    },
    Choice {
        number: u32,
        alternative: u32,
    },
}

impl Writer<'_> {
    fn walk(&mut self, at: At<Level>, node: NodeId, row: bool) -> Result<(), Error> {
        self.value(at, node, row)?;
        while let Some(mut frame) = self.stack.pop() {
            if let Some((at, node, row)) = self.next(&mut frame) {
                self.stack.push(frame);
                self.value(at, node, row)?;
                continue;
            }
            match frame {
                Frame::Choice { .. } => {}
                Frame::Record { component: None, .. } => self.close(""),
                Frame::Array { filled: true, .. } => self.close(" "),
                Frame::Record { .. } | Frame::Array { .. } => {
                    self.braces -= 1;
                    self.new_line();
                    self.out.push('}');
                }
            }
        }
        Ok(())
    }

    fn close(&mut self, space: &str) {
        self.braces -= 1;
        self.out.push_str(space);
        self.out.push('}');
    }

    /// The next value in an open one, after writing what precedes it.
    fn next(&mut self, frame: &mut Frame) -> Option<(At<Level>, NodeId, bool)> {
        match frame {
            Frame::Record { number, level, next, component } => {
                let record = self.types.record(*number);
                let (index, member) = loop {
                    let index = match &record.declared {
                        Some(order) => *order.get(*next as usize)?,
                        None => *next,
                    };
                    let member = record.members.get(index as usize)?;
                    *next += 1;
                    if self.look.is_present(At { level: *level, index }, member.node) {
                        break (index, member);
                    }
                };
                if component.replace(index).is_some() {
                    self.out.push(',');
                }
                self.new_line();
                self.out.push_str(member.identifier());
                self.out.push(' ');
                Some((At { level: *level, index }, member.node, false))
            }
            Frame::Array { item, level, next, end, filled } => {
                if *next >= *end {
                    return None;
                }
                if *next > 0 {
                    self.out.push(',');
                }
                match *filled {
                    true => self.out.push(' '),
                    false => self.new_line(),
                }
                let at = At { level: *level, index: *next };
                *next += 1;
                Some((at, *item, true))
            }
            Frame::Choice { .. } => None,
        }
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.line = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', INDENT * self.braces.min(INDENTED)));
    }

    /// Writes a simple value, or opens another. `row` is true for an item of an array, which makes a record a row of
    /// it.
    fn value(&mut self, at: At<Level>, node: NodeId, row: bool) -> Result<(), Error> {
        let (mut at, mut node, mut row) = (at, node, row);
        // A loop over choices in choices, because recursion would be as deep as they are nested.
        loop {
            let number = match self.types.node(node).kind {
                Kind::Choice(number) => number,
                Kind::Open(number) => {
                    let (alternative, level) = self.look.choice(at, node);
                    let open = self.types.open(number);
                    let Some(chosen) = open.alternatives.get(alternative as usize) else {
                        return Err(self.unsupported(node, "an open type whose type is not known"));
                    };
                    if !open.is_string() {
                        self.types.push_type(*chosen, &mut self.out);
                        self.out.push_str(" : ");
                    } else if alternative == CONTENT {
                        self.out.push_str("CONTAINING ");
                    }
                    (at, node, row) = (At { level, index: 0 }, *chosen, false);
                    continue;
                }
                _ => break,
            };
            let (alternative, level) = self.look.choice(at, node);
            self.stack.push(Frame::Choice { number, alternative });
            let Some(chosen) = self.types.choice(number).alternatives.get(alternative as usize) else {
                return Err(self.unsupported(node, "an alternative of a later version of the schema"));
            };
            self.out.push_str(chosen.identifier());
            self.out.push_str(" : ");
            (at, node, row) = (At { level, index: 0 }, chosen.node, false);
        }
        match self.types.node(node).kind {
            Kind::Record(number) => {
                let level = if row { self.look.row(at, node) } else { self.look.record(at, node) };
                self.out.push('{');
                self.braces += 1;
                self.stack.push(Frame::Record { number, level, next: 0, component: None });
                Ok(())
            }
            Kind::Array(array) => {
                let (end, level) = self.look.array(at, node);
                if end == 0 {
                    self.out.push_str("{}");
                    return Ok(());
                }
                let filled = !matches!(
                    self.types.node(array.item).kind,
                    Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_)
                );
                self.out.push('{');
                self.braces += 1;
                self.stack.push(Frame::Array { item: array.item, level, next: 0, end, filled });
                Ok(())
            }
            _ => self.simple(at, node),
        }
    }

    /// Writes a simple value. In an array it begins a new line if the last one would be too long.
    fn simple(&mut self, at: At<Level>, node: NodeId) -> Result<(), Error> {
        let start = self.out.len();
        self.scalar(at, node)?;
        let in_line = matches!(self.stack.last(), Some(Frame::Array { filled: true, next: 2.., .. }));
        if in_line && self.out.len() - self.line > WIDTH {
            let text = self.out.split_off(start);
            self.out.pop();
            self.new_line();
            self.out.push_str(&text);
        }
        Ok(())
    }

    /// The path of the value being written.
    fn path(&self) -> String {
        let mut path = String::new();
        for frame in &self.stack {
            let name = match *frame {
                Frame::Record { number, component, .. } => component.and_then(|component| {
                    self.types.record(number).members.get(component as usize).map(|member| &member.name[..])
                }),
                Frame::Choice { number, alternative } => {
                    self.types.choice(number).alternatives.get(alternative as usize).map(|chosen| &chosen.name[..])
                }
                Frame::Array { next, .. } => {
                    path.push_str(&format!("/{}", next.saturating_sub(1)));
                    None
                }
            };
            path.extend(name.iter().flat_map(|name| ["/", name]));
        }
        path
    }

    #[cold]
    pub(super) fn unsupported(&self, node: NodeId, found: &'static str) -> Error {
        let expected = format!("a value of {} that has a notation", self.types.node(node).name);
        Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected)
    }
}
