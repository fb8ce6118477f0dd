//! Writing: a walk through a schema that asks a source for each value (X.691 clauses 12 to 30).
//!
//! The first levels are written by calls ([`by_calls`]), and what is deeper waits on a stack, as in the reader.

mod array;
mod by_calls;
mod number;
mod octets;
mod open_type;
mod record;
mod run;
mod sort;
mod text;

use tam::{Error, ErrorKind, Words};

use super::bits::{BitWriter, Parked};
use super::frame::{CALLS, Frame};
use crate::compiled::{Code, Compiled, Kind, NodeId, Step};
use crate::event::{At, Source};
use crate::path::path;
use crate::writer::Start;
use sort::{Orders, Sorting};

/// Values encoded to be compared with defaults while a value around them is: no deeper than this.
const COMPARED: u32 = 8;

/// Writes one value to the end of `out`, up to a whole octet; the number of bits. On an error `out`
/// is as it was.
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
    let calls = CALLS.min(depth);
    let mut writer = Writer::<S, ALIGNED> {
        types,
        source,
        bits: BitWriter::new(out),
        canonical,
        depth,
        compared,
        stack: smallvec::SmallVec::new(),
        calls,
        around: 0,
        trail: Vec::new(),
        parked: Vec::new(),
        spare: Vec::new(),
        orders: Orders::default(),
        sorting: Vec::new(),
    };
    match writer.start(start) {
        Ok(()) => {
            let bits = writer.bits.position();
            writer.bits.finish();
            Ok(bits)
        }
        Err(error) => {
            let position = writer.bits.position();
            let open = writer.trail.iter().rev().chain(&writer.stack);
            let path = path(types, open.map(|frame| frame.step(types)));
            // What has been put aside starts with what `out` had.
            while let Some(parked) = writer.parked.pop() {
                writer.bits.unpark(parked);
            }
            out.truncate(before);
            let error = if error.path().is_empty() { error.in_path(path) } else { error };
            Err(error.met_in("per", position / 8))
        }
    }
}

/// A member that holds others: where it is, its type, and of what kind it is.
type Member<L> = (At<L>, NodeId, Code);

/// Members of a record that are an addition together: of which record they are, and where.
struct Group<L> {
    node: NodeId,
    number: u32,
    level: L,
    first: u32,
    count: u32,
}

/// What is in an open type.
enum Inner<L> {
    Value(At<L>, NodeId),
    Group(Group<L>),
}

/// A component of an array that holds others, and of what kind it is.
type Component<L> = (At<L>, Code);

struct Writer<'a, 'o, S: Source, const ALIGNED: bool> {
    types: &'a Compiled,
    source: &'a S,
    bits: BitWriter<'o>,
    canonical: bool,
    depth: u32,
    /// How many values are being encoded to be compared with defaults, around this one.
    compared: u32,
    stack: smallvec::SmallVec<[Frame<S::Level>; 12]>,
    /// Levels that are written by calls at the most.
    calls: u32,
    /// How many levels are around what waits on the stack, and are being written by calls.
    around: u32,
    /// What was open when an error was met, and not on the stack, innermost first.
    trail: Vec<Frame<S::Level>>,
    /// Messages put aside while an open type is written, or what is to be sorted.
    parked: Vec<Parked>,
    spare: Vec<u8>,
    /// The orders of the components of SETs OF.
    orders: Orders,
    /// SETs OF whose components are being encoded for the order of these, one in the other.
    sorting: Vec<Sorting>,
}

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    /// Goes on with what is on top of the stack until nothing waits there.
    fn go_on(&mut self) -> Result<(), Error> {
        while let Some(frame) = self.stack.pop() {
            match frame {
                Frame::Record(record) => self.record(record)?,
                Frame::Array(array) => self.array(array)?,
                Frame::Additions(additions) => self.additions(additions)?,
                Frame::Choice { .. } => {}
                Frame::Pending { at, node } => self.open(at, node, false)?,
                Frame::Open { .. } => self.end_open_type(),
            }
        }
        Ok(())
    }

    #[inline]
    fn enter(&mut self, frame: Frame<S::Level>) -> Result<(), Error> {
        self.check_depth()?;
        self.stack.push(frame);
        Ok(())
    }

    /// Whether one more level may be opened.
    #[inline(always)]
    fn check_depth(&self) -> Result<(), Error> {
        if self.stack.len() + self.around as usize >= self.depth as usize {
            return Err(Error::limit("per", 0, "one more level", "depth", self.depth.into()));
        }
        Ok(())
    }

    /// Writes a value, or puts onto the stack what it holds.
    fn value(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        match self.types.code(node) {
            Code::Record(_) | Code::Choice(_) | Code::Array(_) => self.open(at, node, false),
            code => self.coded(at, &Step::new(code, node)),
        }
    }

    /// Writes a value that has no others in it.
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

    /// The same, by its node.
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
            Kind::Null | Kind::Record(_) | Kind::Choice(_) | Kind::Array(_) => Ok(()),
        }
    }

    /// Opens a value that has others in it.
    fn open(&mut self, at: At<S::Level>, node: NodeId, row: bool) -> Result<(), Error> {
        match self.types.node(node).kind {
            Kind::Record(number) => self.open_record(at, node, number, row),
            Kind::Choice(number) => self.choice(at, node, number),
            Kind::Array(array) => self.open_array(at, node, &array),
            _ => Ok(()),
        }
    }

    fn open_record(&mut self, at: At<S::Level>, node: NodeId, number: u32, row: bool) -> Result<(), Error> {
        let frame = self.begin_record(at, node, number, row)?;
        self.enter(Frame::Record(frame))
    }

    #[cold]
    fn missing(&self, node: NodeId, name: &str) -> Error {
        let found = Words::Own(format!("no {name}"));
        let expected = format!("every component of {} that is not OPTIONAL", self.types.node(node).name);
        Error::new(ErrorKind::Schema, "per", 0, found, expected)
    }

    /// An alternative or enumeration that BER told, of a later version of the schema.
    #[cold]
    #[inline(never)]
    fn by_other_rules(what: &str) -> Error {
        let found = Words::Own(format!("{what} of a later version, read by other rules"));
        Error::new(ErrorKind::Unsupported, "per", 0, found, "one whose place is known")
    }

    /// A value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    fn refused(&self, node: NodeId, found: Words) -> Error {
        let expected = format!("what the constraint of {} allows", self.types.node(node).name);
        Error::new(ErrorKind::Schema, "per", 0, found, expected)
    }
}
