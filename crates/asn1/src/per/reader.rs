//! Reading: a walk through a message that the schema leads (X.691 clauses 12 to 30).
//!
//! What is open waits on a stack of its own, so that nothing recurses over the message.

mod array;
mod number;
mod octets;
mod open_type;
mod record;
mod run;
mod text;

use smallvec::SmallVec;
use tam::{Error, ErrorKind, Limits, Words};

use super::bits::BitReader;
use super::frame::{Frame, RecordFrame, path};
use crate::compiled::{Code, Compiled, Kind, NodeId};
use crate::event::{At, Part, Sink};

/// Values that take no bit of the message, all together: no more than these.
const FREE: u64 = 1 << 20;

/// Open types told in fragments within each other: no deeper than this.
const FRAGMENTED: u32 = 8;

/// Values within each other that are read by calls, before those around them are made to wait on the
/// stack: no more than these, whatever the message.
const CALLS: u32 = 8;

/// Reads one value and tells it to a sink; the number of bits it took.
pub(crate) fn read<S: Sink, const ALIGNED: bool>(
    message: &[u8],
    types: &Compiled,
    node: NodeId,
    limits: &Limits,
    sink: &mut S,
) -> Result<u64, Error> {
    let level = sink.root(node);
    let mut reader = Reader::<S, ALIGNED> {
        types,
        bits: BitReader::new(message),
        sink,
        limits,
        free: FREE,
        stack: Stack::new(),
        scratch: Vec::new(),
        text: String::new(),
        lend: true,
        fragmented: 0,
        open: 0,
        pending: SmallVec::new(),
    };
    reader.walk(At { level, index: 0 }, node)?;
    Ok(reader.bits.position())
}

struct Reader<'a, 'm, S: Sink, const ALIGNED: bool> {
    types: &'a Compiled,
    bits: BitReader<'m>,
    sink: &'a mut S,
    limits: &'a Limits,
    /// How many more values may take no bit.
    free: u64,
    stack: Stack<S::Level>,
    scratch: Vec<u8>,
    text: String,
    /// Whether what is read is the caller's message, so that places in it mean something.
    lend: bool,
    /// How many open types told in fragments are around.
    fragmented: u32,
    /// How many values are being read by calls.
    open: u32,
    /// What these were when one in them had to wait, or met an error, innermost first: it goes onto the
    /// stack.
    pending: SmallVec<[Frame<S::Level>; CALLS as usize]>,
}

/// Most messages are no deeper than this, and need no memory for what waits.
type Stack<L> = SmallVec<[Frame<L>; 8]>;

/// What is left of a record whose members have been read as far as they hold no others.
enum Rest<L> {
    /// A member that is to be opened.
    Open(At<L>, NodeId),
    /// One that is a record, and its number.
    Record(At<L>, NodeId, u32),
    /// Additions.
    Additions,
}

/// What is in an open type.
enum Inner<L> {
    Value(At<L>, NodeId),
    /// Members, and how many of them have a bit that says whether they are there.
    Group(RecordFrame<L>, u32),
}

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    fn walk(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        match self.walk_on(at, node) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.explain(error)),
        }
    }

    /// Says where in the value it happened, and what an end within an open type means.
    #[cold]
    fn explain(&mut self, error: Error) -> Error {
        self.wait();
        let error = self.whole_open_type(error);
        if !error.path().is_empty() {
            return error;
        }
        let position = error.bit().map_or(self.bits.position(), |bit| error.offset() * 8 + u64::from(bit));
        let path = path(self.types, &self.stack);
        let error = error.met_in("per", 0).at_bit(position);
        if path.is_empty() { error } else { error.in_path(path) }
    }

    /// All of an open type is there: one that ends too early is too short for what it should hold.
    fn whole_open_type(&self, error: Error) -> Error {
        let inside = self.stack.iter().any(|frame| matches!(frame, Frame::Open { .. })) || !self.lend;
        if error.kind() != ErrorKind::Incomplete || !inside {
            return error;
        }
        let (expected, at) = (error.expected().clone(), self.bits.position());
        Error::new(ErrorKind::Syntax, "per", 0, "the end of an open type", expected).at_bit(at)
    }

    fn walk_on(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let base = self.stack.len();
        if !self.value(at, node, CALLS)? {
            self.wait();
        }
        self.go_on(base)
    }

    /// Reads what waits on the stack above `base`.
    fn go_on(&mut self, base: usize) -> Result<(), Error> {
        while self.stack.len() > base {
            let read = match self.stack.pop() {
                Some(Frame::Record(record)) => self.record(record, CALLS),
                Some(Frame::Array(array)) => self.array(array, CALLS),
                Some(Frame::Additions(additions)) => self.additions(additions).map(|()| true),
                Some(Frame::Choice { node, level, .. }) => self.sink.end(node, level).map(|()| true),
                Some(Frame::Pending { at, node }) => self.open(at, node, CALLS),
                Some(Frame::Open { end }) => self.close(end).map(|()| true),
                None => break,
            };
            if !read? {
                self.wait();
            }
        }
        Ok(())
    }

    /// Puts onto the stack what was being read by calls.
    fn wait(&mut self) {
        while let Some(frame) = self.pending.pop() {
            self.stack.push(frame);
        }
    }

    /// Reads a value; `false` if it has to wait, and what is around it as well.
    ///
    /// It calls itself for values within the value, `calls` deep at the most.
    fn value(&mut self, at: At<S::Level>, node: NodeId, calls: u32) -> Result<bool, Error> {
        Ok(self.coded(at, node, self.types.code(node))? || self.open(at, node, calls)?)
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
        if self.stack.len() + self.open as usize >= self.limits.depth as usize {
            return Err(Error::limit("per", 0, "one more level", "depth", self.limits.depth.into()));
        }
        Ok(())
    }

    /// Tells what the bits since `start` were for.
    #[inline(always)]
    fn tell(&mut self, at: At<S::Level>, node: NodeId, part: Part, start: u64) {
        if S::BITS {
            let end = self.bits.position();
            if end > start {
                self.sink.bits(at, node, part, start, end);
            }
        }
    }

    /// One bit that says whether a value is outside of the extension root.
    #[inline(always)]
    fn extension(&mut self, at: At<S::Level>, node: NodeId, extensible: bool) -> Result<bool, Error> {
        if !extensible {
            return Ok(false);
        }
        let start = self.bits.position();
        let extended = self.bits.bit()?;
        self.tell(at, node, Part::Extension, start);
        Ok(extended)
    }

    /// Reads a value that has no others in it, and tells it; `false` if it is of another kind.
    #[inline]
    fn coded(&mut self, at: At<S::Level>, node: NodeId, code: Code) -> Result<bool, Error> {
        let told = match code {
            Code::Scalar(lower, range, scalar) => self.scalar(at, node, (lower, range, scalar)),
            Code::Extensible(lower, range, scalar) if self.in_root(at, node)? => {
                self.scalar(at, node, (lower, range, scalar))
            }
            Code::Octets(count) => self.fixed_octets(at, node, count),
            Code::Bits(count) => self.fixed_bits(at, node, count),
            Code::Record(_) => return Ok(false),
            Code::Extensible(..) | Code::Other => return self.simple(at, node),
        };
        told.map(|()| true)
    }

    /// The same, by its node.
    fn simple(&mut self, at: At<S::Level>, node: NodeId) -> Result<bool, Error> {
        let types = self.types;
        let told = match &types.node(node).kind {
            Kind::Boolean => self.boolean(at, node),
            Kind::Integer(integer) => self.integer(at, node, integer),
            Kind::Enumerated(number) => self.enumerated(at, node, *number),
            Kind::Null => self.sink.null(at, node),
            Kind::OctetString(size) => self.octet_string(at, node, size),
            Kind::Text(number) => self.characters(at, node, *number),
            Kind::BitString(size, _) => self.bit_string(at, node, size),
            Kind::Real => self.real(at, node),
            Kind::ObjectIdentifier | Kind::RelativeOid => self.object_identifier(at, node),
            Kind::Record(_) | Kind::Choice(_) | Kind::Array(_) => return Ok(false),
        };
        told.map(|()| true)
    }

    /// Reads a SEQUENCE, SET, CHOICE, SEQUENCE OF or SET OF; `false` if it has to wait.
    fn open(&mut self, at: At<S::Level>, node: NodeId, calls: u32) -> Result<bool, Error> {
        if calls == 0 {
            self.pending.push(Frame::Pending { at, node });
            return Ok(false);
        }
        self.check_depth()?;
        let types = self.types;
        self.open += 1;
        let read = match &types.node(node).kind {
            Kind::Record(number) => self.open_record(at, node, *number, false, calls - 1),
            Kind::Choice(number) => self.choice(at, node, *number, calls - 1),
            Kind::Array(array) => self.open_array(at, node, array, calls - 1),
            _ => Ok(true),
        };
        self.open -= 1;
        read
    }

    /// Makes a value wait of which something in it has to, or that has met an error.
    #[inline]
    fn holds_up(&mut self, frame: Frame<S::Level>, read: Result<bool, Error>) -> Result<bool, Error> {
        self.pending.push(frame);
        read
    }

    #[cold]
    #[inline(never)]
    fn fault(&self, found: &'static str, expected: &'static str) -> Error {
        Error::new(ErrorKind::Syntax, "per", 0, found, expected).at_bit(self.bits.position())
    }

    /// A value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    fn refused(&self, node: NodeId, found: Words) -> Error {
        let expected = format!("what the constraint of {} allows", self.types.node(node).name);
        Error::new(ErrorKind::Schema, "per", 0, found, expected).at_bit(self.bits.position())
    }
}
