//! Writing: a walk through a schema that asks a source for each value, the last one first, so that every length is known
//! when it is written. It recurses as the reader does.

mod array;
mod choice;
mod number;
mod record;
mod string;
mod time;

use tam::{Error, ErrorKind, Words};

use crate::backward::Backward;
use crate::compiled::{Code, Compiled, Kind, NodeId, Size};
use crate::defaults::Defaults;
use crate::depth::Depth;
use crate::event::{At, Source};
use crate::path;
use crate::writer::Start;

/// Defaults are encoded to compare values with them; such comparisons may nest this deep.
const COMPARED: u32 = 8;

/// Writes one value to the end of `out`. Returns the number of octets. On an error `out` is unchanged.
pub(crate) fn write<S: Source>(
    source: &S,
    types: &Compiled,
    start: Start<S::Level>,
    canonical: bool,
    depth: u32,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    let mut defaults = Defaults::new(COMPARED);
    write_with(source, types, start, canonical, depth, &mut defaults, out)
}

fn write_with<S: Source>(
    source: &S,
    types: &Compiled,
    start: Start<S::Level>,
    canonical: bool,
    most: u32,
    defaults: &mut Defaults,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    let mut depth = Depth::new(most);
    let calls = depth.take();
    let (trail, present, marks) = (Vec::new(), Vec::new(), Vec::new());
    let out = Backward::new(out);
    let mut writer = Writer { types, source, out, canonical, most, depth, trail, present, marks, defaults };
    match writer.value(start.at, start.node, start.row, calls) {
        Ok(()) => Ok(writer.out.finish()),
        Err(error) => {
            let path = path::path(types, writer.trail.iter().rev().copied());
            writer.out.abandon();
            let error = error.met_in("oer", 0);
            Err(if path.is_empty() || !error.path().is_empty() { error } else { error.in_path(path) })
        }
    }
}

struct Writer<'a, 'o, S: Source> {
    types: &'a Compiled,
    source: &'a S,
    out: Backward<'o>,
    canonical: bool,
    /// The limit on levels.
    most: u32,
    depth: Depth,
    /// The path to an error: the places that were open when it occurred, innermost first.
    trail: Vec<path::Step>,
    /// Whether members of the open records are present, the last one first.
    present: Vec<bool>,
    /// For the open SETs OF that are sorted: the number of octets written before each of their components.
    marks: Vec<usize>,
    defaults: &'a mut Defaults,
}

impl<'a, S: Source> Writer<'a, '_, S> {
    /// Writes a value and its content, with at most `calls` levels before more are requested.
    #[inline(always)]
    fn value(&mut self, at: At<S::Level>, node: NodeId, row: bool, calls: u32) -> Result<(), Error> {
        match self.types.code(node) {
            Code::Scalar(lower, range, scalar) => self.scalar(at, node, (lower, range.span, scalar)),
            Code::Record(_) | Code::Choice(_) | Code::Open(_) | Code::Array(_) if calls == 0 => {
                self.deeper(at, node, row)
            }
            Code::Record(number) => self.record(at, node, number, row, calls - 1),
            Code::Choice(number) => self.choice(at, node, number, calls - 1),
            Code::Open(number) => self.open(at, node, number, calls - 1),
            Code::Array(_) => self.array(at, node, calls - 1),
            _ => self.simple(at, node),
        }
    }

    /// Writes a value that needs more levels, on a stack that has room for them.
    #[inline(never)]
    fn deeper(&mut self, at: At<S::Level>, node: NodeId, row: bool) -> Result<(), Error> {
        let more = self.depth.take();
        if more == 0 {
            return Err(self.depth.exceeded());
        }
        let done = self.depth.with_room(|| self.value(at, node, row, more));
        self.depth.give_back(more);
        done
    }

    /// Writes a value that contains no others.
    #[inline(never)]
    fn simple(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let types = self.types;
        match &types.node(node).kind {
            Kind::Boolean => {
                self.out.octet(if self.source.boolean(at, node) { 0xFF } else { 0 });
                Ok(())
            }
            Kind::Integer(integer) => self.integer(at, node, integer),
            Kind::Enumerated(number) => self.enumerated(at, node, *number),
            Kind::Real => self.real(at, node),
            Kind::OctetString(size) => self.octet_string(at, node, size),
            Kind::BitString(size, names) => self.bit_string(at, node, size, names.is_some()),
            Kind::Text(number) => self.characters(at, node, *number),
            Kind::ObjectIdentifier | Kind::RelativeOid => self.object_identifier(at, node),
            Kind::Null | Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_) => Ok(()),
        }
    }

    /// Writes the length (X.696 clause 8.6) of what has been written since there were `mark` octets.
    #[inline(always)]
    fn length(&mut self, mark: usize) {
        let count = self.out.len() - mark;
        if count < 0x80 {
            return self.out.octet(count as u8);
        }
        self.long_length(count);
    }

    #[inline(never)]
    fn long_length(&mut self, count: usize) {
        let octets = self.natural(count as u64);
        self.out.octet(0x80 | octets);
    }

    /// Writes a number without a sign, in as few octets as possible. Returns how many these are.
    fn natural(&mut self, number: u64) -> u8 {
        let octets = (64 - number.leading_zeros()).div_ceil(8).max(1);
        self.out.octets(number.to_be_bytes().get(8 - octets as usize..).unwrap_or_default());
        octets as u8
    }

    /// Adds a step to the path of an error.
    #[cold]
    #[inline(never)]
    fn met(&mut self, step: path::Step, error: Error) -> Result<(), Error> {
        self.trail.push(step);
        Err(error)
    }

    /// Whether what has been written since a mark is the canonical encoding of a default.
    #[cold]
    #[inline(never)]
    fn is_default(&mut self, number: u32, mark: usize) -> Result<bool, Error> {
        let (types, most, depth) = (self.types, self.most, self.depth);
        self.defaults.equals(types, number, self.out.since(mark), "oer", |look, start, defaults, out| {
            depth.with_room(|| write_with(look, types, start, true, most, defaults, out))
        })
    }

    /// Checks a size against its constraint.
    #[inline]
    fn check_size(&self, node: NodeId, size: &Size, count: u64) -> Result<(), Error> {
        if size.extensible || self.types.allows_size(size, count) {
            return Ok(());
        }
        Err(self.refused(node, Words::Own(format!("a size of {count}"))))
    }

    #[cold]
    fn missing(&self, node: NodeId, name: &str) -> Error {
        let found = Words::Own(format!("missing component {name} of {}", self.types.node(node).name));
        Error::new(ErrorKind::Schema, "oer", 0, found, "")
    }

    /// The error for an alternative or enumeration of a later version of the schema, which other rules have read.
    #[cold]
    #[inline(never)]
    fn by_other_rules(what: &str, expected: &'static str) -> Error {
        let found = Words::Own(format!("{what} of a later version, read by other rules"));
        Error::new(ErrorKind::Unsupported, "oer", 0, found, expected)
    }

    /// The error for a value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    fn refused(&self, node: NodeId, found: Words) -> Error {
        Error::new(ErrorKind::Schema, "oer", 0, found, self.types.allowed(node))
    }
}
