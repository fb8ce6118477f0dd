//! Reading: a walk through a message that the schema leads (X.691 clauses 12 to 30).
//!
//! The first levels are read by calls ([`by_calls`]), as that is what processors do best. What is deeper
//! waits on a stack of its own, so that nothing recurses over the message.

mod array;
mod by_calls;
mod leaf;
mod number;
mod octets;
mod open_type;
mod record;
mod run;
mod text;

use smallvec::SmallVec;
use tam::{Error, ErrorKind, Limits, Words};

use super::bits::BitReader;
use super::frame::{CALLS, Frame, RecordFrame};
use crate::compiled::{Code, Compiled, Kind, NodeId, Step};
use crate::event::{At, Part, Sink};
use crate::path::path;

/// Values that take no bit of the message, all together: no more than these.
const FREE: u64 = 1 << 20;

/// Open types told in fragments within each other: no deeper than this.
const FRAGMENTED: u32 = 8;

/// Reads one value and tells it to a sink; the number of bits it took.
pub(crate) fn read<S: Sink, const ALIGNED: bool>(
    message: &[u8],
    types: &Compiled,
    node: NodeId,
    limits: &Limits,
    sink: &mut S,
) -> Result<u64, Error> {
    let level = sink.root(node);
    let calls = CALLS.min(limits.depth);
    let mut reader = Reader::<S, ALIGNED> {
        types,
        bits: BitReader::new(message),
        sink,
        limits,
        free: FREE,
        stack: Stack::new(),
        calls,
        around: 0,
        trail: Vec::new(),
        scratch: Vec::new(),
        text: String::new(),
        lend: true,
        fragmented: 0,
    };
    let step = Step::new(types.code(node), node);
    match reader.value(level, 0, &step, calls) {
        Ok(()) => Ok(reader.bits.position()),
        Err(error) => Err(reader.explain(error)),
    }
}

struct Reader<'a, 'm, S: Sink, const ALIGNED: bool> {
    types: &'a Compiled,
    bits: BitReader<'m>,
    sink: &'a mut S,
    limits: &'a Limits,
    /// How many more values may take no bit.
    free: u64,
    stack: Stack<S::Level>,
    /// Levels that are read by calls at the most.
    calls: u32,
    /// How many levels are around what waits on the stack, and are being read by calls.
    around: u32,
    /// What was open when an error was met, and not on the stack, innermost first.
    trail: Vec<Frame<S::Level>>,
    scratch: Vec<u8>,
    text: String,
    /// Whether what is read is the caller's message, so that places in it mean something.
    lend: bool,
    /// How many open types told in fragments are around.
    fragmented: u32,
}

/// Most messages are no deeper than this, and need no memory for what waits.
type Stack<L> = SmallVec<[Frame<L>; 8]>;

/// What is to be done next.
enum Next<L> {
    /// Open a SEQUENCE or SET, a CHOICE, a SEQUENCE OF or SET OF: its place, its node and its number.
    Record(At<L>, NodeId, u32),
    Choice(At<L>, NodeId, u32),
    Array(At<L>, NodeId),
    /// Read members of the record at hand.
    Members,
    /// Go on with what is on top of the stack.
    Leave,
}

impl<L> Next<L> {
    /// Open a value at a place, if it is one that holds others.
    #[inline(always)]
    fn open(at: At<L>, step: &Step) -> Option<Next<L>> {
        match step.code {
            Code::Record(number) => Some(Next::Record(at, step.node, number)),
            Code::Choice(number) => Some(Next::Choice(at, step.node, number)),
            Code::Array(_) => Some(Next::Array(at, step.node)),
            _ => None,
        }
    }
}

/// What is in an open type.
enum Inner<L> {
    Value(At<L>, NodeId),
    /// Members, and how many of them have a bit that says whether they are there.
    Group(RecordFrame<L>, u32),
}

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// Says where in the value it happened, and what an end within an open type means.
    #[cold]
    fn explain(&mut self, error: Error) -> Error {
        self.trail.reverse();
        self.trail.extend(self.stack.drain(..));
        let error = self.whole_open_type(error);
        if !error.path().is_empty() {
            return error;
        }
        let position = error.bit().map_or(self.bits.position(), |bit| error.offset() * 8 + u64::from(bit));
        let path = path(self.types, self.trail.iter().map(|frame| frame.step(self.types)));
        let error = error.met_in("per", 0).at_bit(position);
        if path.is_empty() { error } else { error.in_path(path) }
    }

    /// All of an open type is there: one that ends too early is too short for what it should hold.
    fn whole_open_type(&self, error: Error) -> Error {
        let inside =
            self.trail.iter().chain(&self.stack).any(|frame| matches!(frame, Frame::Open { .. })) || !self.lend;
        if error.kind() != ErrorKind::Incomplete || !inside {
            return error;
        }
        let (expected, at) = (error.expected().clone(), self.bits.position());
        Error::new(ErrorKind::Syntax, "per", 0, "the end of an open type", expected).at_bit(at)
    }

    /// Reads a value, or a group of members, and all that it holds: what is open waits on the stack.
    fn walk(&mut self, inner: Inner<S::Level>) -> Result<(), Error> {
        let base = self.stack.len();
        let (Inner::Value(At { level, .. }, _) | Inner::Group(RecordFrame { level, .. }, _)) = inner;
        let next = self.begin_inner(inner)?;
        self.go_on(next, level, base)
    }

    /// Goes on until nothing waits on the stack above `base`.
    fn go_on(&mut self, mut next: Next<S::Level>, level: S::Level, base: usize) -> Result<(), Error> {
        // The record at hand is not on the stack; there is none before one has been opened.
        let mut record = RecordFrame::new(NodeId(0), 0, level);
        loop {
            next = match next {
                Next::Record(at, node, number) => {
                    self.check_depth(0)?;
                    record = self.begin_record(at, node, (number, self.types.record(number)), false)?;
                    Next::Members
                }
                Next::Choice(at, node, number) => {
                    self.check_depth(0)?;
                    match self.choose(at, node, number)? {
                        Some((level, alternative, step)) => {
                            self.stack.push(Frame::Choice { node, level, alternative });
                            self.begin(level, 0, step)?
                        }
                        None => self.choose_widely(at, node, number)?,
                    }
                }
                Next::Array(at, node) => {
                    self.check_depth(0)?;
                    let array = self.begin_array(at, node)?;
                    self.stack.push(Frame::Array(array));
                    self.components()?
                }
                Next::Members => match self.members(self.types.record(record.number), &mut record, None) {
                    Ok(Some(next)) => {
                        self.stack.push(Frame::Record(record));
                        next
                    }
                    Ok(None) if record.extended => {
                        let additions = self.begin_additions(record.node, record.number, record.level)?;
                        self.stack.push(Frame::Additions(additions));
                        Next::Leave
                    }
                    Ok(None) => {
                        if !record.group {
                            self.sink.end(record.node, record.level)?;
                        }
                        Next::Leave
                    }
                    Err(error) => {
                        self.stack.push(Frame::Record(record));
                        return Err(error);
                    }
                },
                Next::Leave => {
                    let len = self.stack.len();
                    if len == base {
                        return Ok(());
                    }
                    match self.stack.last_mut() {
                        Some(Frame::Record(outer)) => {
                            record = *outer;
                            self.stack.truncate(len - 1);
                            Next::Members
                        }
                        Some(Frame::Array(array)) => {
                            let (level, index, node) = (array.level, array.next, array.item);
                            if array.next == array.end {
                                self.end_array()?
                            } else {
                                array.next += 1;
                                match self.types.code(node) {
                                    Code::Record(number) => {
                                        let read = (number, self.types.record(number));
                                        record = self.begin_record(At { level, index }, node, read, true)?;
                                        Next::Members
                                    }
                                    code => self.begin(level, index, &Step::new(code, node))?,
                                }
                            }
                        }
                        Some(Frame::Choice { node, level, .. }) => {
                            let (node, level) = (*node, *level);
                            self.stack.truncate(len - 1);
                            self.sink.end(node, level)?;
                            Next::Leave
                        }
                        Some(Frame::Additions(_)) => self.next_addition()?,
                        Some(Frame::Open { end }) => {
                            let end = *end;
                            self.close(end)?;
                            self.stack.truncate(len - 1);
                            Next::Leave
                        }
                        Some(Frame::Pending { .. }) | None => return Ok(()),
                    }
                }
            };
        }
    }

    /// Reads a value that has no others in it; one that has is to be opened.
    #[inline(always)]
    fn begin(&mut self, level: S::Level, index: u32, step: &Step) -> Result<Next<S::Level>, Error> {
        match Next::open(At { level, index }, step) {
            Some(next) => Ok(next),
            None => self.coded(level, index, step).map(|()| Next::Leave),
        }
    }

    /// Whether one more level may be opened, `more` levels below what waits.
    #[inline(always)]
    fn check_depth(&self, more: u32) -> Result<(), Error> {
        if self.stack.len() + self.around as usize + more as usize >= self.limits.depth as usize {
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

    /// Reads a value that has no others in it, and tells it.
    // What it takes is what registers hold.
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

    /// The same, by its node.
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
            Kind::Record(_) | Kind::Choice(_) | Kind::Array(_) => Ok(()),
        }
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
