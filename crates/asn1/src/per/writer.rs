//! Writing: a walk through a schema that asks a source for each value (X.691 clauses 12 to 30). It recurses as the
//! reader does.

mod array;
mod number;
mod octets;
mod open_type;
mod record;
mod run;
mod sort;
mod text;

use tam::{Error, ErrorKind, Words};

use super::bits::{BitWriter, Parked};
use crate::compiled::{Code, Compiled, Kind, NodeId, Step};
use crate::depth::Depth;
use crate::event::{At, Source};
use crate::path;
use crate::writer::Start;
use sort::Orders;

/// Values are encoded to compare them with defaults; such comparisons may nest this deep.
const COMPARED: u32 = 8;

/// Writes one value to the end of `out`, up to a whole octet. Returns the number of bits. On an error `out` is
/// unchanged.
pub(crate) fn write<S: Source, const ALIGNED: bool>(
    source: &S,
    types: &Compiled,
    start: Start<S::Level>,
    canonical: bool,
    depth: u32,
    out: &mut Vec<u8>,
) -> Result<u64, Error> {
    write_compared::<S, ALIGNED>(source, types, start, canonical, depth, 0, out)
}

fn write_compared<S: Source, const ALIGNED: bool>(
    source: &S,
    types: &Compiled,
    start: Start<S::Level>,
    canonical: bool,
    depth: u32,
    compared: u32,
    out: &mut Vec<u8>,
) -> Result<u64, Error> {
    let before = out.len();
    let most = depth;
    let mut depth = Depth::new(most);
    let calls = depth.take();
    let mut writer = Writer::<S, ALIGNED> {
        types,
        source,
        bits: BitWriter::new(out),
        canonical,
        most,
        depth,
        compared,
        trail: Vec::new(),
        parked: Vec::new(),
        spare: Vec::new(),
        orders: Orders::default(),
    };
    let Start { at: At { level, index }, node, row } = start;
    let written = match types.code(node) {
        Code::Record(number) if row => writer.record::<true>(level, index, node, number, calls),
        code => writer.value(level, index, &Step::new(code, node), calls),
    };
    match written {
        Ok(()) => {
            let bits = writer.bits.position();
            writer.bits.finish();
            Ok(bits)
        }
        Err(error) => {
            let position = writer.bits.position();
            let path = path::path(types, writer.trail.iter().rev().copied());
            // The first message set aside starts with the content of `out`.
            while let Some(parked) = writer.parked.pop() {
                writer.bits.unpark(parked);
            }
            out.truncate(before);
            let error = if error.path().is_empty() { error.in_path(path) } else { error };
            Err(error.met_in("per", position / 8))
        }
    }
}

struct Writer<'a, 'o, S: Source, const ALIGNED: bool> {
    types: &'a Compiled,
    source: &'a S,
    bits: BitWriter<'o>,
    canonical: bool,
    /// The limit on levels.
    most: u32,
    depth: Depth,
    /// The number of values around this one that are being encoded for comparison with defaults.
    compared: u32,
    /// The path to an error: the places that were open when it occurred, innermost first.
    trail: Vec<path::Step>,
    /// Messages set aside while an open type, or the components of a SET OF, are written.
    parked: Vec<Parked>,
    spare: Vec<u8>,
    /// The orders of the components of SETs OF.
    orders: Orders,
}

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    /// Writes a value and its content, with at most `calls` levels before more are requested.
    #[inline(always)]
    fn value(&mut self, level: S::Level, index: u32, step: &Step, calls: u32) -> Result<(), Error> {
        match step.code {
            Code::Record(number) => self.record::<false>(level, index, step.node, number, calls),
            Code::Choice(number) => self.choice(level, index, step.node, number, calls),
            Code::Open(number) => self.open(level, index, step.node, number, calls),
            Code::Array(_) => self.array(level, index, step.node, calls),
            _ => self.coded(At { level, index }, step),
        }
    }

    /// Writes a value that needs more levels than `calls`.
    #[inline(never)]
    fn deeper(&mut self, level: S::Level, index: u32, node: NodeId, row: bool, calls: u32) -> Result<(), Error> {
        self.with_more_levels(calls, |writer, calls| match writer.types.code(node) {
            Code::Record(number) if row => writer.record::<true>(level, index, node, number, calls),
            code => writer.value(level, index, &Step::new(code, node), calls),
        })
    }

    /// Writes with more levels than `calls`, on a stack that has room for them.
    fn with_more_levels(
        &mut self,
        calls: u32,
        write: impl FnOnce(&mut Self, u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let more = self.depth.take();
        if more + calls == 0 {
            return Err(self.depth.exceeded());
        }
        let done = self.depth.with_room(|| write(self, more + calls));
        self.depth.give_back(more);
        done
    }

    /// Adds a step to the path of an error.
    #[cold]
    #[inline(never)]
    fn met(&mut self, step: path::Step, error: Error) -> Result<(), Error> {
        self.trail.push(step);
        Err(error)
    }

    /// Writes a value that contains no others.
    #[inline(always)]
    fn coded(&mut self, at: At<S::Level>, step: &Step) -> Result<(), Error> {
        match step.code {
            Code::Scalar(lower, range, scalar) => {
                let number = self.source.scalar(at, step.node, scalar);
                let above = number.map_or(u64::MAX, |number| number.wrapping_sub(lower) as u64);
                if above <= range.span {
                    range.write_short::<ALIGNED>(above, &mut self.bits);
                    return Ok(());
                }
                self.simple(at, step.node)
            }
            Code::Utf8(number) => self.utf8(at, step.node, number),
            Code::Time(number) => self.characters(at, step.node, number),
            Code::Decimal => self.real(at, step.node),
            _ => self.simple(at, step.node),
        }
    }

    /// Like `coded`, but takes the node.
    #[inline(never)]
    fn simple(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let types = self.types;
        match &types.node(node).kind {
            Kind::Boolean => {
                let value = self.source.boolean(at, node);
                self.bits.bit(value);
                Ok(())
            }
            Kind::Integer(integer) => self.integer(at, node, integer),
            Kind::Enumerated(number) => self.enumerated(at, node, *number),
            Kind::OctetString(size) => self.octet_string(at, node, size),
            Kind::Text(number) => self.characters(at, node, *number),
            Kind::BitString(size, names) => self.bit_string(at, node, size, names.is_some()),
            Kind::Real => self.real(at, node),
            Kind::ObjectIdentifier | Kind::RelativeOid => self.object_identifier(at, node),
            Kind::Null | Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_) => Ok(()),
        }
    }

    #[cold]
    fn missing(&self, node: NodeId, name: &str) -> Error {
        let found = Words::Own(format!("missing component {name} of {}", self.types.node(node).name));
        Error::new(ErrorKind::Schema, "per", 0, found, "")
    }

    /// The error for an alternative or enumeration of a later version of the schema, which BER has read.
    #[cold]
    #[inline(never)]
    fn by_other_rules(what: &str) -> Error {
        let found = Words::Own(format!("{what} of a later version, read by other rules"));
        Error::new(ErrorKind::Unsupported, "per", 0, found, "one whose place is known")
    }

    /// The error for a value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    fn refused(&self, node: NodeId, found: Words) -> Error {
        Error::new(ErrorKind::Schema, "per", 0, found, self.types.allowed(node))
    }
}
