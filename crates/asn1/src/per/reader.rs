//! Reading: a walk through a message, guided by the schema (X.691 clauses 12 to 30).
//!
//! It recurses up to the depth limit, on a stack that grows if needed ([`Depth`]).

mod array;
mod containing;
mod number;
mod octets;
mod open;
mod open_type;
mod record;
mod run;
mod text;

use tam::{Error, ErrorKind, Limits, Words};

use super::bits::BitReader;
use crate::compiled::{Code, Compiled, Kind, NodeId, Step};
use crate::contents::{Content, Context};
use crate::depth::Depth;
use crate::event::{At, Part, Sink};
use crate::keys::Keys;
use crate::path;

/// The most values that may take no bit of the message, in total.
const FREE: u64 = 1 << 20;

/// The most open types in fragments that may be nested.
const FRAGMENTED: u32 = 8;

/// Reads one value and reports it to a sink. Returns the number of bits it took.
pub(crate) fn read<S: Sink, const ALIGNED: bool>(
    message: &[u8],
    types: &Compiled,
    node: NodeId,
    limits: &Limits,
    sink: &mut S,
) -> Result<u64, Error> {
    let level = sink.root(node);
    let mut depth = Depth::new(limits.depth);
    let calls = depth.take();
    let mut reader = Reader::<S, ALIGNED>::new(types, BitReader::new(message), sink, FREE, depth, limits);
    let step = Step::new(types.code(node), node);
    match reader.value(level, 0, &step, calls) {
        Ok(()) => Ok(reader.bits.position()),
        Err(error) => Err(reader.explain(error)),
    }
}

/// Reads a value at the start of the content of a string; returns the number of bits it took.
pub(crate) fn read_content<S: Sink, const ALIGNED: bool>(
    content: &Content<'_>,
    types: &Compiled,
    (At { level, index }, node): (At<S::Level>, NodeId),
    sink: &mut S,
    context: &mut Context<'_>,
) -> Result<u64, Error> {
    let mut depth = Depth::new(context.levels);
    let calls = depth.take();
    let mut bits = BitReader::new(content.octets);
    bits.seek(content.start);
    // Values of no bits are few in proportion to the octets.
    let free = content.bits.min(FREE);
    let mut reader = Reader::<S, ALIGNED>::new(types, bits, sink, free, depth, context.limits);
    (reader.lend, reader.nested) = (content.lend, context.nested);
    reader.keys = std::mem::take(context.keys);
    let read = reader.value(level, index, &Step::new(types.code(node), node), calls);
    *context.keys = std::mem::take(&mut reader.keys);
    match read {
        Ok(()) => Ok(reader.bits.position() - content.start),
        Err(error) => Err(reader.explain(error)),
    }
}

struct Reader<'a, 'm, S: Sink, const ALIGNED: bool> {
    types: &'a Compiled,
    bits: BitReader<'m>,
    sink: &'a mut S,
    /// How many more values may take no bits.
    free: u64,
    depth: Depth,
    /// The path to an error: the places that were open when it occurred, innermost first.
    trail: Vec<path::Step>,
    scratch: Vec<u8>,
    text: String,
    /// Whether the input is the caller's message, so that the sink can refer to positions in it.
    lend: bool,
    /// The number of open types in fragments around this value.
    fragmented: u32,
    /// The number of strings around this value that contain it.
    nested: u32,
    limits: &'a Limits,
    /// The components that select types, in the open records.
    keys: Keys,
}

impl<'a, 'm, S: Sink, const ALIGNED: bool> Reader<'a, 'm, S, ALIGNED> {
    fn new(
        types: &'a Compiled,
        bits: BitReader<'m>,
        sink: &'a mut S,
        free: u64,
        depth: Depth,
        limits: &'a Limits,
    ) -> Self {
        Reader {
            types,
            bits,
            sink,
            free,
            depth,
            trail: Vec::new(),
            scratch: Vec::new(),
            text: String::new(),
            lend: true,
            fragmented: 0,
            nested: 0,
            limits,
            keys: Keys::default(),
        }
    }

    /// Adds the path in the value to an error.
    #[cold]
    fn explain(&self, error: Error) -> Error {
        if !error.path().is_empty() {
            return error;
        }
        let position = error.bit().map_or(self.bits.position(), |bit| error.offset() * 8 + u64::from(bit));
        let path = path::path(self.types, self.trail.iter().rev().copied());
        let error = error.met_in("per", 0).at_bit(position);
        if path.is_empty() { error } else { error.in_path(path) }
    }

    /// Adds a step to the path of an error.
    #[cold]
    #[inline(never)]
    fn met(&mut self, step: path::Step, error: Error) -> Result<(), Error> {
        self.trail.push(step);
        Err(error)
    }

    /// Reads a value and its content, with at most `calls` levels before more are requested.
    #[inline(always)]
    fn value(&mut self, level: S::Level, index: u32, step: &Step, calls: u32) -> Result<(), Error> {
        match step.code {
            Code::Record(number) => self.record(level, index, step.node, number, calls),
            Code::Choice(number) => self.choice(level, index, step.node, number, calls),
            Code::Open(number) => self.open(level, index, step.node, number, calls),
            Code::Array(_) => self.array(level, index, step.node, calls),
            _ => self.coded(level, index, step),
        }
    }

    /// Reads a value that needs more levels than `calls`.
    #[inline(never)]
    fn deeper(&mut self, level: S::Level, index: u32, node: NodeId, calls: u32) -> Result<(), Error> {
        let step = Step::new(self.types.code(node), node);
        self.with_more_levels(calls, |reader, calls| reader.value(level, index, &step, calls))
    }

    /// Reads with more levels than `calls`, on a stack that has room for them.
    fn with_more_levels(
        &mut self,
        calls: u32,
        read: impl FnOnce(&mut Self, u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let more = self.depth.take();
        if more + calls == 0 {
            return Err(self.depth.exceeded());
        }
        let done = self.depth.with_room(|| read(self, more + calls));
        self.depth.give_back(more);
        done
    }

    /// Reports the purpose of the bits since `start`.
    #[inline(always)]
    fn report(&mut self, at: At<S::Level>, node: NodeId, part: Part, start: u64) {
        if S::BITS {
            let end = self.bits.position();
            // Positions in octets that are not the caller's message mean nothing to the sink.
            if end > start && self.lend {
                self.sink.bits(at, node, part, start, end);
            }
        }
    }

    /// Reads the bit that says whether a value is outside of the extension root.
    #[inline(always)]
    fn extension(&mut self, at: At<S::Level>, node: NodeId, extensible: bool) -> Result<bool, Error> {
        if !extensible {
            return Ok(false);
        }
        let start = self.bits.position();
        let extended = self.bits.bit()?;
        self.report(at, node, Part::Extension, start);
        Ok(extended)
    }

    /// Reads a value that contains no others, and reports it.
    // Its arguments fit in registers.
    #[inline(never)]
    fn coded(&mut self, level: S::Level, index: u32, step: &Step) -> Result<(), Error> {
        let (at, node) = (At { level, index }, step.node);
        match step.code {
            Code::Scalar(lower, range, scalar) => self.scalar(at, node, (lower, range, scalar)),
            Code::Extensible(lower, range, scalar) if self.in_root(at, node)? => {
                self.scalar(at, node, (lower, range, scalar))
            }
            Code::Octets(count) => self.fixed_octets(at, node, count),
            Code::Utf8(number) if !S::BITS => self.utf8(at, node, number),
            Code::Ascii(number) => self.ascii(at, node, number),
            Code::Time(number) => self.characters(at, node, number),
            Code::Decimal => self.real(at, node),
            Code::Bits(count) => self.fixed_bits(at, node, count),
            _ => self.simple(at, node),
        }
    }

    /// Like `coded`, but takes the node.
    fn simple(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let types = self.types;
        match &types.node(node).kind {
            Kind::Boolean => self.boolean(at, node),
            Kind::Integer(integer) => self.integer(at, node, integer),
            Kind::Enumerated(number) => self.enumerated(at, node, *number),
            Kind::Null => self.sink.null(at, node),
            Kind::OctetString(size) => self.octet_string(at, node, size),
            Kind::Text(number) => self.characters(at, node, *number),
            Kind::BitString(size, _) => self.bit_string(at, node, size),
            Kind::Real => self.real(at, node),
            Kind::ObjectIdentifier | Kind::RelativeOid => self.object_identifier(at, node),
            Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_) => Ok(()),
        }
    }

    #[cold]
    #[inline(never)]
    fn fault(&self, found: &'static str, expected: &'static str) -> Error {
        Error::new(ErrorKind::Syntax, "per", 0, found, expected).at_bit(self.bits.position())
    }

    /// The error for a value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    fn refused(&self, node: NodeId, found: Words) -> Error {
        Error::new(ErrorKind::Schema, "per", 0, found, self.types.allowed(node)).at_bit(self.bits.position())
    }
}
