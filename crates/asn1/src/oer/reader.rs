//! Reading: a walk through a message, guided by the schema (X.696 clauses 9 to 30).
//!
//! It recurses up to the depth limit, on a stack that grows if needed ([`Depth`]).

mod array;
mod choice;
mod number;
mod open;
mod record;
mod string;
mod time;

use tam::{Error, ErrorKind, Limits, Words};

use crate::compiled::{Code, Compiled, Kind, NodeId, Size};
use crate::contents::{Content, Context};
use crate::depth::Depth;
use crate::event::{At, Part, Sink};
use crate::keys::Keys;
use crate::path;

/// The most values that may take no octet of the message, in total.
const FREE: u64 = 1 << 20;

/// Reads one value and reports it to a sink. Returns the number of octets it took.
pub(crate) fn read<S: Sink>(
    message: &[u8],
    types: &Compiled,
    node: NodeId,
    limits: &Limits,
    sink: &mut S,
) -> Result<usize, Error> {
    let level = sink.root(node);
    let mut depth = Depth::new(limits.depth);
    let calls = depth.take();
    let mut reader = Reader::new(types, message, sink, FREE, depth, limits);
    match reader.value(At { level, index: 0 }, node, false, calls) {
        Ok(()) => Ok(reader.at),
        Err(error) => Err(reader.explain(error)),
    }
}

/// Reads a value at the start of the content of a string; returns the number of bits it took.
pub(crate) fn read_content<S: Sink>(
    content: &Content<'_>,
    types: &Compiled,
    (at, node): (At<S::Level>, NodeId),
    sink: &mut S,
    context: &mut Context<'_>,
) -> Result<u64, Error> {
    let mut depth = Depth::new(context.levels);
    let calls = depth.take();
    // Values of no octets are few in proportion to the octets.
    let free = content.bits.min(FREE);
    let mut reader = Reader::new(types, content.octets, sink, free, depth, context.limits);
    let start = (content.start / 8) as usize;
    (reader.at, reader.inside, reader.lend, reader.nested) = (start, 1, content.lend, context.nested);
    reader.keys = std::mem::take(context.keys);
    let read = reader.value(at, node, false, calls);
    *context.keys = std::mem::take(&mut reader.keys);
    match read {
        Ok(()) => Ok((reader.at - start) as u64 * 8),
        Err(error) => Err(reader.explain(error)),
    }
}

struct Reader<'a, 'm, S: Sink> {
    types: &'a Compiled,
    message: &'m [u8],
    /// The next octet.
    at: usize,
    /// The end of the innermost open type, or of the message.
    end: usize,
    /// The number of open types around this value.
    inside: u32,
    sink: &'a mut S,
    /// How many more values may take no octets.
    free: u64,
    depth: Depth,
    /// The path to an error: the places that were open when it occurred, innermost first.
    trail: Vec<path::Step>,
    text: String,
    /// The components that select types, in the open records.
    keys: Keys,
    /// Whether the message is the caller's, so that the sink can refer to positions in it.
    lend: bool,
    /// The number of strings around this value that contain it.
    nested: u32,
    limits: &'a Limits,
}

impl<'a, 'm, S: Sink> Reader<'a, 'm, S> {
    fn new(
        types: &'a Compiled,
        message: &'m [u8],
        sink: &'a mut S,
        free: u64,
        depth: Depth,
        limits: &'a Limits,
    ) -> Self {
        let (at, end, inside) = (0, message.len(), 0);
        let (trail, text, keys) = (Vec::new(), String::new(), Keys::default());
        let (lend, nested) = (true, 0);
        Reader { types, message, at, end, inside, sink, free, depth, trail, text, keys, lend, nested, limits }
    }

    /// Adds the path in the value to an error.
    #[cold]
    fn explain(&self, error: Error) -> Error {
        // Those of a sink and of the depth have no position yet.
        let error = if error.format() == "oer" { error } else { error.met_in("oer", self.at as u64) };
        let path = path::path(self.types, self.trail.iter().rev().copied());
        if path.is_empty() || !error.path().is_empty() { error } else { error.in_path(path) }
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

    /// Reads a value that needs more levels, on a stack that has room for them.
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

    /// Reads a value that contains no others.
    #[inline(never)]
    fn simple(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let types = self.types;
        match &types.node(node).kind {
            Kind::Boolean => self.boolean(at, node),
            Kind::Null => self.sink.null(at, node),
            Kind::Integer(integer) => self.integer(at, node, integer),
            Kind::Enumerated(number) => self.enumerated(at, node, *number),
            Kind::Real => self.real(at, node),
            Kind::OctetString(size) => self.octet_string(at, node, size),
            Kind::BitString(size, _) => self.bit_string(at, node, size),
            Kind::Text(number) => self.characters(at, node, *number),
            Kind::ObjectIdentifier | Kind::RelativeOid => self.object_identifier(at, node),
            Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_) => Ok(()),
        }
    }

    /// Takes the next octets, and returns where they start.
    #[inline(always)]
    fn take(&mut self, count: usize) -> Result<usize, Error> {
        let start = self.at;
        if count > self.end - start {
            return Err(self.short(count));
        }
        self.at = start + count;
        Ok(start)
    }

    /// Takes the next octets, and returns them.
    #[inline(always)]
    fn octets(&mut self, count: usize) -> Result<&'m [u8], Error> {
        let start = self.take(count)?;
        Ok(self.message.get(start..start + count).unwrap_or_default())
    }

    #[inline(always)]
    fn octet(&mut self) -> Result<u8, Error> {
        let start = self.take(1)?;
        Ok(self.message.get(start).copied().unwrap_or_default())
    }

    /// Reads a length (X.696 clause 8.6) of octets that are there.
    #[inline(always)]
    fn length(&mut self, at: At<S::Level>, node: NodeId) -> Result<usize, Error> {
        let start = self.at;
        let count = match self.octet()? {
            short @ ..0x80 => usize::from(short),
            long => self.long_length(long)?,
        };
        if count > self.end - self.at {
            return Err(self.short(count));
        }
        self.report(at, node, Part::Length, start);
        Ok(count)
    }

    #[inline(never)]
    fn long_length(&mut self, first: u8) -> Result<usize, Error> {
        let start = self.at - 1;
        let octets = self.octets(usize::from(first & 0x7F))?;
        if octets.is_empty() {
            let found = "a length of no octets";
            return Err(Error::new(ErrorKind::Syntax, "oer", start as u64, found, "one octet or more"));
        }
        // No message is this long.
        let count = octets.iter().fold(0, |count: u64, octet| count.saturating_mul(256) | u64::from(*octet));
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Reports the purpose of the octets since `start`.
    #[inline(always)]
    fn report(&mut self, at: At<S::Level>, node: NodeId, part: Part, start: usize) {
        if S::BITS && self.at > start && self.lend {
            self.sink.bits(at, node, part, start as u64 * 8, self.at as u64 * 8);
        }
    }

    /// Reads an open type (X.696 clause 30), and skips what later versions have put after its value.
    fn open_type(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        read: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let count = self.length(at, node)?;
        let outer = self.end;
        self.end = self.at + count;
        self.inside += 1;
        read(self)?;
        let rest = self.at;
        self.at = self.end;
        if rest < self.end {
            self.sink.skipped();
        }
        self.report(at, node, Part::Unknown, rest);
        self.end = outer;
        self.inside -= 1;
        Ok(())
    }

    /// Checks a size against its constraint.
    #[inline(always)]
    fn check_size(&self, node: NodeId, size: &Size, count: u64) -> Result<(), Error> {
        if size.extensible || self.types.allows_size(size, count) {
            return Ok(());
        }
        Err(self.refused(node, Words::Own(format!("a size of {count}"))))
    }

    /// The error for octets that are not there: the message ends, or an open type does.
    #[cold]
    #[inline(never)]
    fn short(&self, count: usize) -> Error {
        let missing = (count - (self.end - self.at)) as u64;
        if self.inside == 0 {
            return Error::incomplete("oer", self.at as u64, missing, Words::Count(count as u64, "octets"));
        }
        let expected = Words::Count(count as u64, "octets");
        Error::new(ErrorKind::Syntax, "oer", self.at as u64, "the end of an open type", expected)
    }

    #[cold]
    #[inline(never)]
    fn fault(&self, at: usize, found: &'static str, expected: &'static str) -> Error {
        Error::new(ErrorKind::Syntax, "oer", at as u64, found, expected)
    }

    /// The error for a value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    fn refused(&self, node: NodeId, found: Words) -> Error {
        Error::new(ErrorKind::Schema, "oer", self.at as u64, found, self.types.allowed(node))
    }
}
