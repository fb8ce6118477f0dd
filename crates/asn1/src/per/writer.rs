//! Writing: a walk through a schema that asks a source for each value (X.691 clauses 12 to 30).
//!
//! What is open waits on a stack of its own, as in the reader.

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
use super::frame::Frame;
use crate::compiled::{Code, Compiled, Kind, NodeId};
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
    let mut writer = Writer::<S, ALIGNED> {
        types,
        source,
        bits: BitWriter::new(out),
        canonical,
        depth,
        compared,
        stack: smallvec::SmallVec::new(),
        parked: Vec::new(),
        spare: Vec::new(),
        orders: Orders::default(),
        sorting: Vec::new(),
    };
    match writer.walk(start) {
        Ok(()) => {
            let bits = writer.bits.position();
            writer.bits.finish();
            Ok(bits)
        }
        Err(error) => {
            let position = writer.bits.position();
            let path = path(types, writer.stack.iter().map(|frame| frame.step(types)));
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
    /// Messages put aside while an open type is written, or what is to be sorted.
    parked: Vec<Parked>,
    spare: Vec<u8>,
    /// The orders of the components of SETs OF.
    orders: Orders,
    /// SETs OF whose components are being encoded for the order of these, one in the other.
    sorting: Vec<Sorting>,
}

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    fn walk(&mut self, start: Start<S::Level>) -> Result<(), Error> {
        self.value(start.at, start.node, start.row)?;
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
        if self.stack.len() >= self.depth as usize {
            return Err(Error::limit("per", 0, "one more level", "depth", self.depth.into()));
        }
        Ok(())
    }

    fn value(&mut self, at: At<S::Level>, node: NodeId, row: bool) -> Result<(), Error> {
        if self.simple(at, node)? { Ok(()) } else { self.open(at, node, row) }
    }

    /// Writes a value that has no others in it; `false` if it is of another kind.
    fn simple(&mut self, at: At<S::Level>, node: NodeId) -> Result<bool, Error> {
        let types = self.types;
        let told = match &types.node(node).kind {
            Kind::Boolean => {
                let value = self.source.boolean(at, node);
                self.bits.bit(value);
                Ok(())
            }
            Kind::Integer(integer) => self.integer(at, node, integer),
            Kind::Enumerated(number) => self.enumerated(at, node, *number),
            Kind::Null => Ok(()),
            Kind::OctetString(size) => self.octet_string(at, node, size),
            Kind::Text(number) => self.characters(at, node, *number),
            Kind::BitString(size, names) => self.bit_string(at, node, size, names.is_some()),
            Kind::Real => self.real(at, node),
            Kind::ObjectIdentifier | Kind::RelativeOid => self.object_identifier(at, node),
            Kind::Record(_) | Kind::Choice(_) | Kind::Array(_) => return Ok(false),
        };
        told.map(|()| true)
    }

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
