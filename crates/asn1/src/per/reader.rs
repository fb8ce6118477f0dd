//! Reading: a walk through a message that the schema leads (X.691 clauses 12 to 30).
//!
//! What is open waits on a stack of its own, so that nothing recurses over the message.

use tam::{Error, ErrorKind, Limits, Words};

use super::bits::BitReader;
use super::frame::{AdditionsFrame, ArrayFrame, Frame, RecordFrame, path};
use super::primitive::{Constrained, Length, read_length, read_small, read_small_length};
use super::run::{self, Run};
use crate::compiled::value::minimal_octets as minimal;
use crate::compiled::{Array, Code, Compiled, Integer as IntegerType, Kind, NodeId, Range, Size};
use crate::event::{At, Integer, Part, Sink, Stretch};
use crate::{oid, real};

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
        base: 0,
        failed: None,
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
    /// What waits on the stack below this is another's.
    base: usize,
    /// The record that was being read when an error was met, if it did not wait on the stack.
    failed: Option<RecordFrame<S::Level>>,
}

/// Most messages are no deeper than this, and need no memory for what waits.
type Stack<L> = smallvec::SmallVec<[Frame<L>; 12]>;

/// What is left of a record whose members have been read as far as they hold no others.
enum Rest<L> {
    /// A member that is to be opened.
    Open(At<L>, NodeId, Code),
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
        self.stack.extend(self.failed.take().map(Frame::Record));
        let inside = self.stack.iter().any(|frame| matches!(frame, Frame::Open { .. })) || !self.lend;
        let error = match error.kind() {
            // All of an open type is there: it is too short for what it should hold.
            ErrorKind::Incomplete if inside => {
                let expected = error.expected().clone();
                let at = self.bits.position();
                Error::new(ErrorKind::Syntax, "per", 0, "the end of an open type", expected).at_bit(at)
            }
            _ => error,
        };
        if !error.path().is_empty() {
            return error;
        }
        let position = error.bit().map_or(self.bits.position(), |bit| error.offset() * 8 + u64::from(bit));
        let path = path(self.types, &self.stack);
        let error = error.met_in("per", 0).at_bit(position);
        if path.is_empty() { error } else { error.in_path(path) }
    }

    fn walk_on(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let base = self.stack.len();
        self.value(at, node)?;
        self.go_on(base)
    }

    /// Reads what waits on the stack above `base`.
    fn go_on(&mut self, base: usize) -> Result<(), Error> {
        self.base = base;
        while self.stack.len() > base {
            match self.stack.pop() {
                Some(Frame::Record(record)) => self.record(record)?,
                Some(Frame::Array(array)) => self.array(array)?,
                Some(Frame::Additions(additions)) => self.additions(additions)?,
                Some(Frame::Choice { node, level, .. }) => self.sink.end(node, level)?,
                Some(Frame::Pending { at, node }) => self.open(at, node)?,
                Some(Frame::Open { end }) => self.close(end)?,
                None => break,
            }
        }
        Ok(())
    }

    /// Reads a value; what it holds may wait on the stack.
    fn value(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        if self.simple(at, node)? { Ok(()) } else { self.open(at, node) }
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
        if self.stack.len() >= self.limits.depth as usize {
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

    fn boolean(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let start = self.bits.position();
        let value = self.bits.bit()?;
        self.tell(at, node, Part::Value, start);
        self.sink.boolean(at, node, value)
    }

    #[inline(never)]
    fn integer(&mut self, at: At<S::Level>, node: NodeId, integer: &IntegerType) -> Result<(), Error> {
        let extended = self.extension(at, node, integer.extensible)?;
        if let (Range::Constrained(lower, range), false) = (integer.range, extended) {
            let start = self.bits.position();
            let above = range.read::<ALIGNED>(&mut self.bits)?;
            self.tell(at, node, Part::Value, start);
            let number = lower + i128::from(above);
            if integer.intervals.is_some_and(|intervals| !self.types.intervals(intervals).contains(number)) {
                return Err(self.refused(node, Words::Own(number.to_string())));
            }
            return match i64::try_from(number) {
                Ok(number) => self.sink.integer(at, node, Integer::Small(number)),
                Err(_) => self.sink.integer(at, node, Integer::Big(minimal(&number.to_be_bytes()))),
            };
        }
        self.wide_integer(at, node, integer, extended)
    }

    /// An INTEGER with its length in front (X.691 clauses 13.2.3 and 13.2.4).
    #[inline(never)]
    fn wide_integer(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        integer: &IntegerType,
        extended: bool,
    ) -> Result<(), Error> {
        let mut octets = std::mem::take(&mut self.scratch);
        octets.clear();
        let told = self.counted_octets(at, node, &mut octets);
        let result = told.and_then(|()| {
            if octets.is_empty() {
                return Err(self.fault("an INTEGER of no octet", "one octet or more"));
            }
            let lower = match integer.range {
                Range::SemiConstrained(lower) if !extended => Some(lower),
                _ => None,
            };
            if let Some(lower) = lower {
                add_to_unsigned(&mut octets, lower);
            }
            let value = match i64_of(&octets) {
                Some(number) => Integer::Small(number),
                None => Integer::Big(minimal(&octets)),
            };
            if !extended && !self.types.allows_integer(integer, value) {
                return Err(self.refused(node, number_words(value)));
            }
            self.sink.integer(at, node, value)
        });
        self.scratch = octets;
        result
    }

    #[inline(never)]
    fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let enumeration = types.enumeration(number);
        let extended = self.extension(at, node, enumeration.extensible)?;
        let start = self.bits.position();
        let item = if extended {
            let addition = read_small::<ALIGNED>(&mut self.bits)?;
            u32::try_from(addition).ok().and_then(|addition| addition.checked_add(enumeration.root))
        } else {
            Some(enumeration.index.read::<ALIGNED>(&mut self.bits)? as u32)
        };
        self.tell(at, node, Part::Value, start);
        match item {
            Some(item) => self.sink.enumerated(at, node, item),
            None => Err(self.fault("an enumeration beyond 32 bits", "fewer of them")),
        }
    }

    #[inline(never)]
    fn real(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let mut octets = std::mem::take(&mut self.scratch);
        let mut text = std::mem::take(&mut self.text);
        octets.clear();
        let told = self.counted_octets(at, node, &mut octets);
        let result = told.and_then(|()| match real::read(&octets, &mut text) {
            Some(value) => self.sink.real(at, node, value),
            None => {
                Err(self.fault("octets that are no REAL, or one that no double holds", "a REAL (X.690 clause 8.5)"))
            }
        });
        (self.scratch, self.text) = (octets, text);
        result
    }

    #[inline(never)]
    fn object_identifier(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let octets = self.counted(at, node)?;
        let valid = match octets {
            Stretch::Message { start, len } => self.bits.message().get(start..start + len).is_some_and(oid::is_valid),
            Stretch::Buffer { start } => self.sink.buffer().get(start..).is_some_and(oid::is_valid),
        };
        if !valid {
            return Err(self.fault("octets that are no object identifier", "arcs (X.690 clause 8.19)"));
        }
        self.sink.octets(at, node, octets)
    }

    /// Octets behind an unconstrained length, gathered.
    fn counted_octets(&mut self, at: At<S::Level>, node: NodeId, octets: &mut Vec<u8>) -> Result<(), Error> {
        loop {
            let start = self.bits.position();
            let Length { count, more } = read_length::<ALIGNED>(&mut self.bits)?;
            self.tell(at, node, Part::Length, start);
            let start = self.bits.position();
            if let Some(lent) = self.bits.bytes(count as usize, octets)? {
                octets.extend_from_slice(lent);
            }
            self.tell(at, node, Part::Value, start);
            if !more {
                return Ok(());
            }
        }
    }

    /// Octets behind an unconstrained length, where they are.
    fn counted(&mut self, at: At<S::Level>, node: NodeId) -> Result<Stretch, Error> {
        let start = self.bits.position();
        let Length { count, more } = read_length::<ALIGNED>(&mut self.bits)?;
        self.tell(at, node, Part::Length, start);
        if !more {
            return self.octets_here(at, node, count);
        }
        self.fragments(at, node, count)
    }

    /// `count` octets here: in the message, or put into the sink's buffer.
    #[inline]
    fn octets_here(&mut self, at: At<S::Level>, node: NodeId, count: u64) -> Result<Stretch, Error> {
        let first = self.bits.position();
        let start = self.sink.buffer().len();
        let stretch = match self.bits.bytes(count as usize, self.sink.buffer())? {
            Some(lent) if !self.lend => {
                self.sink.buffer().extend_from_slice(lent);
                Stretch::Buffer { start }
            }
            Some(lent) => Stretch::Message { start: (first / 8) as usize, len: lent.len() },
            None => Stretch::Buffer { start },
        };
        self.tell(at, node, Part::Value, first);
        Ok(stretch)
    }

    /// Octets in fragments, the first of `count`.
    #[inline(never)]
    fn fragments(&mut self, at: At<S::Level>, node: NodeId, count: u64) -> Result<Stretch, Error> {
        let start = self.sink.buffer().len();
        let mut length = Length { count, more: true };
        loop {
            let first = self.bits.position();
            if let Some(lent) = self.bits.bytes(length.count as usize, self.sink.buffer())? {
                self.sink.buffer().extend_from_slice(lent);
            }
            self.tell(at, node, Part::Value, first);
            if !length.more {
                return Ok(Stretch::Buffer { start });
            }
            let first = self.bits.position();
            length = read_length::<ALIGNED>(&mut self.bits)?;
            self.tell(at, node, Part::Length, first);
        }
    }

    /// The size of a string or an array, up to the first fragment; `more` where another comes.
    #[inline(always)]
    fn size(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(Length, bool), Error> {
        let extended = self.extension(at, node, size.extensible)?;
        let start = self.bits.position();
        let length = if extended || size.upper >= 1 << 16 {
            read_length::<ALIGNED>(&mut self.bits)?
        } else if size.lower == size.upper {
            Length { count: size.lower, more: false }
        } else {
            let above = Constrained::new(size.upper - size.lower).read::<ALIGNED>(&mut self.bits)?;
            Length { count: size.lower + above, more: false }
        };
        self.tell(at, node, Part::Length, start);
        Ok((length, extended))
    }

    /// Holds a size, all fragments together, against its constraint.
    #[inline(always)]
    fn check_size(&self, node: NodeId, size: &Size, extended: bool, count: u64) -> Result<(), Error> {
        if extended || self.types.allows_size(size, count) {
            return Ok(());
        }
        Err(self.refused(node, Words::Own(format!("a size of {count}"))))
    }

    #[inline(never)]
    fn octet_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(), Error> {
        let (length, extended) = self.size(at, node, size)?;
        // Of a fixed size of one octet or two nothing is aligned (X.691 clause 17.6).
        if ALIGNED && length.count > 0 && (extended || size.lower != size.upper || size.upper > 2) {
            self.bits.align();
        }
        let octets = if length.more {
            let octets = self.fragments(at, node, length.count)?;
            if let Stretch::Buffer { start } = octets {
                let count = self.sink.buffer().len() - start;
                self.check_size(node, size, extended, count as u64)?;
            }
            octets
        } else {
            self.check_size(node, size, extended, length.count)?;
            self.octets_here(at, node, length.count)?
        };
        self.sink.octets(at, node, octets)
    }

    #[inline(never)]
    fn bit_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(), Error> {
        let (mut length, extended) = self.size(at, node, size)?;
        if ALIGNED && length.count > 0 && (extended || size.lower != size.upper || size.upper > 16) {
            self.bits.align();
        }
        let first = self.bits.position();
        // At a whole byte, and ending at one, it stands there as it is told.
        if self.lend && !length.more && first % 8 == 0 && length.count % 8 == 0 {
            self.check_size(node, size, extended, length.count)?;
            self.bits.skip(length.count)?;
            self.tell(at, node, Part::Value, first);
            let octets = Stretch::Message { start: (first / 8) as usize, len: (length.count / 8) as usize };
            return self.sink.bit_string(at, node, octets, length.count);
        }
        let start = self.sink.buffer().len();
        let mut count = 0;
        loop {
            let first = self.bits.position();
            if let Some(lent) = self.bits.bytes((length.count / 8) as usize, self.sink.buffer())? {
                self.sink.buffer().extend_from_slice(lent);
            }
            let rest = (length.count % 8) as u32;
            if rest > 0 {
                let last = self.bits.read(rest)? as u8;
                self.sink.buffer().push(last << (8 - rest));
            }
            count += length.count;
            self.tell(at, node, Part::Value, first);
            if !length.more {
                break;
            }
            let first = self.bits.position();
            length = read_length::<ALIGNED>(&mut self.bits)?;
            self.tell(at, node, Part::Length, first);
        }
        self.check_size(node, size, extended, count)?;
        self.sink.bit_string(at, node, Stretch::Buffer { start }, count)
    }

    #[inline(never)]
    fn characters(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let ty = types.characters(number);
        let Some(known) = &ty.known_multiplier else {
            let octets = self.counted(at, node)?;
            return self.told_octets(at, node, number, octets);
        };
        let (mut length, extended) = self.size(at, node, &ty.size)?;
        let width = if ALIGNED { known.aligned_bits } else { known.bits };
        let index = if ALIGNED { &known.aligned_index } else { &known.index };
        // X.691 clauses 30.5.6 and 30.5.7.
        let most = if extended { u64::MAX } else { ty.size.upper.saturating_mul(width.into()) };
        let fixed = !extended && ty.size.lower == ty.size.upper && ty.size.upper < 1 << 16;
        if ALIGNED && length.count > 0 && (if fixed { most > 16 } else { most >= 16 }) {
            self.bits.align();
        }
        if length.count.saturating_mul(width.into()) > self.bits.left() {
            return Err(self.bits.short(length.count.saturating_mul(width.into())));
        }
        if width == 0 {
            self.spend(length.count)?;
        }
        let start = self.sink.buffer().len();
        let mut count = 0;
        loop {
            let first = self.bits.position();
            if length.count.saturating_mul(width.into()) > self.bits.left() {
                return Err(self.bits.short(length.count.saturating_mul(width.into())));
            }
            self.run_of_characters(length.count, width, index.as_deref())?;
            count += length.count;
            self.tell(at, node, Part::Value, first);
            if !length.more {
                break;
            }
            let first = self.bits.position();
            length = read_length::<ALIGNED>(&mut self.bits)?;
            self.tell(at, node, Part::Length, first);
        }
        self.check_size(node, &ty.size, extended, count)?;
        // All characters of the alphabet's indexes are in it.
        if index.is_none() && ty.alphabet.is_some() {
            let text = self.sink.buffer().get(start..).unwrap_or_default();
            let text = core::str::from_utf8(text).unwrap_or_default();
            if let Some(point) = types.forbidden(ty, text) {
                return Err(self.refused(node, Words::Own(format!("{point:?}"))));
            }
        }
        self.sink.text(at, node, Stretch::Buffer { start })
    }

    /// Characters of a fixed width each, put into the sink's buffer as UTF-8.
    fn run_of_characters(&mut self, count: u64, width: u32, index: Option<&[u32]>) -> Result<(), Error> {
        let mut left = count;
        let at_once = 56u32.checked_div(width).unwrap_or(56).min(56);
        while left > 0 {
            let run = left.min(at_once.into()) as u32;
            let field = self.bits.read(run * width)?;
            for i in (0..run).rev() {
                let code = (field >> (i * width)) as u32 & ((1u64 << width) - 1) as u32;
                let point = match index {
                    None => code,
                    Some(points) => match points.get(code as usize) {
                        Some(point) => *point,
                        None => return Err(self.fault("a character beyond the alphabet", "one of it")),
                    },
                };
                if point < 0x80 {
                    self.sink.buffer().push(point as u8);
                } else if let Some(point) = char::from_u32(point) {
                    let mut utf8 = [0; 4];
                    self.sink.buffer().extend_from_slice(point.encode_utf8(&mut utf8).as_bytes());
                } else {
                    return Err(self.fault("a code point that is no character", "a character of Unicode"));
                }
            }
            left -= u64::from(run);
        }
        Ok(())
    }

    /// A type of characters that are told as octets: UTF-8, or one octet a character.
    fn told_octets(&mut self, at: At<S::Level>, node: NodeId, number: u32, octets: Stretch) -> Result<(), Error> {
        let types = self.types;
        let ty = types.characters(number);
        let message = self.bits.message();
        let bytes = match octets {
            Stretch::Message { start, len } => message.get(start..start + len).unwrap_or_default(),
            Stretch::Buffer { start } => self.sink.buffer().get(start..).unwrap_or_default(),
        };
        let mut octets = octets;
        if ty.kind != crate::schema::StringKind::Utf8 && !bytes.is_ascii() {
            let latin: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            let buffer = self.sink.buffer();
            if let Stretch::Buffer { start } = octets {
                buffer.truncate(start);
            }
            octets = Stretch::Buffer { start: buffer.len() };
            buffer.extend_from_slice(latin.as_bytes());
        }
        let text = match octets {
            Stretch::Message { start, len } => message.get(start..start + len).unwrap_or_default(),
            Stretch::Buffer { start } => self.sink.buffer().get(start..).unwrap_or_default(),
        };
        let Ok(text) = core::str::from_utf8(text) else {
            return Err(self.fault("octets that are no UTF-8", "UTF-8"));
        };
        if let Some(point) = types.forbidden(ty, text) {
            return Err(self.refused(node, Words::Own(format!("{point:?}"))));
        }
        if ty.size != Size::ANY && !ty.size.extensible {
            let count = text.chars().count() as u64;
            self.check_size(node, &ty.size, false, count)?;
        }
        self.sink.text(at, node, octets)
    }

    /// Opens a SEQUENCE, SET, CHOICE, SEQUENCE OF or SET OF; what it holds waits on the stack.
    fn open(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        match self.types.node(node).kind {
            Kind::Record(number) => {
                let frame = self.begin_record(at, node, number, false)?;
                self.enter(Frame::Record(frame))
            }
            Kind::Choice(number) => self.choice(at, node, number),
            Kind::Array(array) => self.open_array(at, node, &array),
            _ => Ok(()),
        }
    }

    /// What stands in front of the members of a SEQUENCE or SET.
    #[inline(always)]
    fn begin_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
    ) -> Result<RecordFrame<S::Level>, Error> {
        let types = self.types;
        let record = types.record(number);
        let extended = self.extension(at, node, record.extensible)?;
        let level = if row { self.sink.row(at, node)? } else { self.sink.record(at, node)? };
        let (next, end) = (0, record.root);
        let mut frame =
            RecordFrame { node, number, level, next, end, presence: 0, left: 0, more: 0, extended, group: false };
        if record.optional > 0 {
            self.presence(at, &mut frame, record.optional)?;
        }
        Ok(frame)
    }

    /// The bits that say which optional members are there.
    #[inline(always)]
    fn presence(&mut self, at: At<S::Level>, frame: &mut RecordFrame<S::Level>, count: u32) -> Result<(), Error> {
        let start = self.bits.position();
        frame.left = count.min(64);
        frame.presence = self.bits.read(frame.left)? << (frame.left.wrapping_neg() & 63);
        frame.more = self.bits.position();
        if count > 64 {
            self.bits.skip(u64::from(count - 64))?;
        }
        self.tell(at, frame.node, Part::Presence, start);
        Ok(())
    }

    /// Reads members until one holds others, or all are read.
    #[inline(always)]
    fn members(&mut self, frame: &mut RecordFrame<S::Level>) -> Result<Option<Rest<S::Level>>, Error> {
        let types = self.types;
        let steps = &types.record(frame.number).steps;
        let steps = steps.get(..frame.end as usize).unwrap_or_default();
        loop {
            let RecordFrame { level, next, presence, left, .. } = *frame;
            let run = Run { position: 0, next, presence, left };
            let (run, result) = run::members::<S, ALIGNED>(self.sink, self.bits, steps, level, run);
            self.bits.seek(run.position);
            (frame.next, frame.presence, frame.left) = (run.next, run.presence, run.left);
            result?;
            let Some(step) = steps.get(frame.next as usize) else { break };
            if step.optional {
                if frame.left == 0 {
                    self.more_presence(frame)?;
                    continue;
                }
                let present = frame.presence >> 63 != 0;
                frame.presence <<= 1;
                frame.left -= 1;
                if !present {
                    frame.next += 1;
                    continue;
                }
            }
            let at = At { level, index: frame.next };
            frame.next += 1;
            if matches!(step.code, Code::Record(_)) || !self.simple(at, step.node)? {
                return Ok(Some(Rest::Open(at, step.node, step.code)));
            }
        }
        if frame.extended {
            return Ok(Some(Rest::Additions));
        }
        if !frame.group {
            self.sink.end(frame.node, frame.level)?;
        }
        Ok(None)
    }

    /// The bits of the next 64 optional members, which have been passed over.
    #[inline(never)]
    fn more_presence(&self, frame: &mut RecordFrame<S::Level>) -> Result<(), Error> {
        let mut bits = self.bits;
        bits.seek(frame.more);
        frame.left = bits.left().clamp(1, 64) as u32;
        frame.presence = bits.read(frame.left)? << (frame.left.wrapping_neg() & 63);
        frame.more = bits.position();
        Ok(())
    }

    /// Reads a record, and those that hold it and wait for nothing else.
    fn record(&mut self, mut frame: RecordFrame<S::Level>) -> Result<(), Error> {
        loop {
            match self.members(&mut frame) {
                Ok(None) if self.stack.len() > self.base => match self.stack.last() {
                    Some(Frame::Record(outer)) => {
                        frame = *outer;
                        self.stack.pop();
                    }
                    _ => return Ok(()),
                },
                Ok(None) => return Ok(()),
                Ok(Some(Rest::Additions)) => return self.begin_additions(frame),
                Ok(Some(Rest::Open(at, node, Code::Record(number)))) => {
                    self.stack.push(Frame::Record(frame));
                    self.check_depth()?;
                    frame = self.begin_record(at, node, number, false)?;
                }
                Ok(Some(Rest::Open(at, node, _))) => {
                    self.stack.push(Frame::Record(frame));
                    return self.open(at, node);
                }
                Err(error) => {
                    self.stack.push(Frame::Record(frame));
                    return Err(error);
                }
            }
        }
    }

    /// Which additions are there (X.691 clause 19.7 and 19.8); the record itself has been taken off
    /// the stack.
    #[inline(never)]
    fn begin_additions(&mut self, frame: RecordFrame<S::Level>) -> Result<(), Error> {
        let RecordFrame { node, number, level, .. } = frame;
        let at = At { level, index: 0 };
        let start = self.bits.position();
        let count = read_small_length::<ALIGNED>(&mut self.bits)?;
        self.tell(at, node, Part::Length, start);
        let presence = self.bits.position();
        self.bits.skip(count)?;
        self.tell(at, node, Part::Presence, presence);
        self.stack.push(Frame::Additions(AdditionsFrame { node, number, level, next: 0, count, presence }));
        Ok(())
    }

    fn additions(&mut self, mut frame: AdditionsFrame<S::Level>) -> Result<(), Error> {
        while frame.next < frame.count {
            let mut bits = self.bits;
            bits.seek(frame.presence + frame.next);
            frame.next += 1;
            if bits.bit()? {
                // What is in the addition is read before the next one.
                self.stack.push(Frame::Additions(frame));
                return self.addition(&frame);
            }
        }
        self.sink.end(frame.node, frame.level)
    }

    /// One addition: a value, or a group of members, in an open type.
    fn addition(&mut self, frame: &AdditionsFrame<S::Level>) -> Result<(), Error> {
        let types = self.types;
        let record = types.record(frame.number);
        let level = frame.level;
        let Some(addition) = record.additions.get(frame.next as usize - 1) else {
            return self.pass_over(At { level, index: 0 }, frame.node);
        };
        let at = At { level, index: addition.first };
        let start = self.bits.position();
        let length = read_length::<ALIGNED>(&mut self.bits)?;
        self.tell(at, frame.node, Part::Length, start);
        let inner = match (addition.group, record.members.get(addition.first as usize)) {
            (None, Some(member)) => Inner::Value(at, member.node),
            (group, _) => {
                let (next, end) = (addition.first, addition.first + addition.count);
                let (node, number) = (frame.node, frame.number);
                let (presence, left, more, extended) = (0, 0, 0, false);
                let group_frame =
                    RecordFrame { node, number, level, next, end, presence, left, more, extended, group: true };
                Inner::Group(group_frame, group.unwrap_or_default())
            }
        };
        if length.more {
            return self.open_type_in_fragments(length.count, inner);
        }
        let end = self.open_type_end(length.count)?;
        self.enter(Frame::Open { end })?;
        self.inner(inner)
    }

    /// Begins what is in an open type.
    fn inner(&mut self, inner: Inner<S::Level>) -> Result<(), Error> {
        match inner {
            Inner::Value(at, node) => self.value(at, node),
            Inner::Group(mut record, optional) => {
                self.presence(At { level: record.level, index: record.next }, &mut record, optional)?;
                self.enter(Frame::Record(record))
            }
        }
    }

    /// Where an open type of `octets` ends.
    fn open_type_end(&self, octets: u64) -> Result<u64, Error> {
        match octets * 8 {
            bits if bits > self.bits.left() => Err(self.bits.short(bits)),
            bits => Ok(self.bits.position() + bits),
        }
    }

    /// Leaves an open type: what later versions have put behind the value is passed over.
    fn close(&mut self, end: u64) -> Result<(), Error> {
        if self.bits.position() > end {
            return Err(self.fault("a value longer than the open type around it", "one that ends within it"));
        }
        self.bits.seek(end);
        Ok(())
    }

    /// An open type of a later version.
    #[inline(never)]
    fn pass_over(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        loop {
            let start = self.bits.position();
            let Length { count, more } = read_length::<ALIGNED>(&mut self.bits)?;
            self.tell(at, node, Part::Length, start);
            let start = self.bits.position();
            self.bits.skip(count * 8)?;
            self.tell(at, node, Part::Unknown, start);
            if !more {
                return Ok(());
            }
        }
    }

    /// An open type in fragments: its octets are put side by side, and read by themselves.
    #[inline(never)]
    fn open_type_in_fragments(&mut self, count: u64, inner: Inner<S::Level>) -> Result<(), Error> {
        if self.fragmented >= FRAGMENTED {
            let found = "open types of 16384 octets and more within each other";
            return Err(Error::new(ErrorKind::Limit, "per", 0, found, Words::AtMost(FRAGMENTED.into(), "open types")));
        }
        let mut octets = Vec::new();
        let mut length = Length { count, more: true };
        loop {
            if let Some(lent) = self.bits.bytes(length.count as usize, &mut octets)? {
                octets.extend_from_slice(lent);
            }
            if !length.more {
                break;
            }
            length = read_length::<ALIGNED>(&mut self.bits)?;
        }
        let mut reader = Reader::<S, ALIGNED> {
            types: self.types,
            bits: BitReader::new(&octets),
            sink: self.sink,
            limits: self.limits,
            free: self.free,
            stack: std::mem::take(&mut self.stack),
            scratch: std::mem::take(&mut self.scratch),
            text: std::mem::take(&mut self.text),
            lend: false,
            fragmented: self.fragmented + 1,
            base: 0,
            failed: None,
        };
        let base = reader.stack.len();
        let result = reader.inner(inner).and_then(|()| reader.go_on(base));
        let result = result.map_err(|error| reader.explain(error));
        self.free = reader.free;
        self.stack = std::mem::take(&mut reader.stack);
        self.scratch = std::mem::take(&mut reader.scratch);
        self.text = std::mem::take(&mut reader.text);
        // Places within the gathered octets are none of the message.
        result.map_err(|error| error.at_bit(self.bits.position()))
    }

    fn choice(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let choice = types.choice(number);
        let extended = self.extension(at, node, choice.extensible)?;
        let start = self.bits.position();
        let alternative = if extended {
            let addition = read_small::<ALIGNED>(&mut self.bits)?;
            u32::try_from(addition).ok().and_then(|addition| addition.checked_add(choice.root))
        } else {
            Some(choice.index.read::<ALIGNED>(&mut self.bits)? as u32)
        };
        self.tell(at, node, Part::Index, start);
        let Some(alternative) = alternative else {
            return Err(self.fault("an alternative beyond 32 bits", "fewer of them"));
        };
        let level = self.sink.choice(at, node, alternative)?;
        let inside = At { level, index: 0 };
        let Some(chosen) = choice.alternatives.get(alternative as usize) else {
            let octets = self.counted(inside, node)?;
            self.sink.unknown(inside, node, octets)?;
            return self.sink.end(node, level);
        };
        self.enter(Frame::Choice { node, level, alternative })?;
        if extended {
            let start = self.bits.position();
            let length = read_length::<ALIGNED>(&mut self.bits)?;
            self.tell(inside, node, Part::Length, start);
            if length.more {
                return self.open_type_in_fragments(length.count, Inner::Value(inside, chosen.node));
            }
            let end = self.open_type_end(length.count)?;
            self.enter(Frame::Open { end })?;
        }
        if self.simple(inside, chosen.node)? {
            return Ok(());
        }
        match self.types.node(chosen.node).kind {
            // Choices in choices wait, or this would recurse as deep as they go.
            Kind::Choice(_) => self.enter(Frame::Pending { at: inside, node: chosen.node }),
            _ => self.open(inside, chosen.node),
        }
    }

    fn open_array(&mut self, at: At<S::Level>, node: NodeId, array: &Array) -> Result<(), Error> {
        let (length, extended) = self.size(at, node, &array.size)?;
        if !length.more {
            self.check_size(node, &array.size, extended, length.count)?;
        }
        let end = self.backed(array.item, length.count)?;
        let level = self.sink.array(at, node, end)?;
        let frame = ArrayFrame {
            node,
            item: array.item,
            at,
            level,
            next: 0,
            end,
            more: length.more,
            extended,
            total: 0,
            order: 0,
        };
        self.enter(Frame::Array(frame))
    }

    /// A number of components that the message can hold.
    #[inline]
    fn backed(&mut self, item: NodeId, count: u64) -> Result<u32, Error> {
        let least = u64::from(self.types.node(item).min_bits);
        if least == 0 {
            self.spend(count)?;
        } else if count.saturating_mul(least) > self.bits.left() {
            return Err(self.bits.short(count.saturating_mul(least)));
        }
        u32::try_from(count).map_err(|_| Error::limit("per", 0, "more values", "units", u32::MAX.into()))
    }

    /// Takes note of values that take no bit.
    fn spend(&mut self, count: u64) -> Result<(), Error> {
        match self.free.checked_sub(count) {
            Some(left) => {
                self.free = left;
                Ok(())
            }
            None => Err(Error::limit("per", 0, "more values that take no bit", "units", FREE)),
        }
    }

    fn array(&mut self, mut frame: ArrayFrame<S::Level>) -> Result<(), Error> {
        match self.components(&mut frame) {
            Ok(None) => self.sink.end(frame.node, frame.level),
            Ok(Some((at, Code::Record(number)))) => {
                self.stack.push(Frame::Array(frame));
                self.check_depth()?;
                let row = self.begin_record(at, frame.item, number, true)?;
                self.record(row)
            }
            Ok(Some((at, _))) => {
                self.stack.push(Frame::Array(frame));
                self.open(at, frame.item)
            }
            Err(error) => {
                self.stack.push(Frame::Array(frame));
                Err(error)
            }
        }
    }

    /// Reads components until one holds others, or all are read.
    fn components(&mut self, frame: &mut ArrayFrame<S::Level>) -> Result<Option<(At<S::Level>, Code)>, Error> {
        let code = self.types.code(frame.item);
        loop {
            if let Code::Record(number) = code
                && self.types.record(number).flat
                && self.stack.len() + 1 < self.limits.depth as usize
            {
                self.flat_rows(frame, number)?;
            }
            while frame.next < frame.end {
                let at = At { level: frame.level, index: frame.next };
                frame.next += 1;
                if matches!(code, Code::Record(_)) || !self.simple(at, frame.item)? {
                    return Ok(Some((at, code)));
                }
            }
            if !frame.more {
                return Ok(None);
            }
            self.next_fragment(frame)?;
        }
    }

    /// Reads records of nothing but small numbers.
    fn flat_rows(&mut self, frame: &mut ArrayFrame<S::Level>, number: u32) -> Result<(), Error> {
        let record = self.types.record(number);
        let (steps, rows) = (&record.steps, frame.next..frame.end);
        let (row, run, result) =
            run::rows::<S, ALIGNED>(self.sink, self.bits, steps, record.optional, frame.item, frame.level, rows);
        self.bits.seek(run.position);
        frame.next = row;
        if result.is_err() {
            frame.next += 1;
            let level = frame.level;
            let (node, next, end) = (frame.item, run.next, record.root);
            let (presence, left, more, extended, group) = (0, 0, 0, false, false);
            self.failed = Some(RecordFrame { node, number, level, next, end, presence, left, more, extended, group });
        }
        result
    }

    #[inline(never)]
    fn next_fragment(&mut self, frame: &mut ArrayFrame<S::Level>) -> Result<(), Error> {
        let start = self.bits.position();
        let length = read_length::<ALIGNED>(&mut self.bits)?;
        self.tell(frame.at, frame.node, Part::Length, start);
        let more = self.backed(frame.item, length.count)?;
        let Some(end) = frame.end.checked_add(more) else {
            return Err(Error::limit("per", 0, "more values", "units", u32::MAX.into()));
        };
        if more > 0 {
            frame.level = self.sink.more(frame.at, frame.node, frame.level, more)?;
        }
        (frame.end, frame.more) = (end, length.more);
        if let (false, Kind::Array(array)) = (length.more, self.types.node(frame.node).kind) {
            self.check_size(frame.node, &array.size, frame.extended, end.into())?;
        }
        Ok(())
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

/// The number that octets in two's complement are, if 64 bits hold it.
#[inline]
fn i64_of(octets: &[u8]) -> Option<i64> {
    let octets = minimal(octets);
    let (high, _) = octets.split_first()?;
    if octets.len() > 8 {
        return None;
    }
    let start = if high & 0x80 != 0 { -1 } else { 0 };
    Some(octets.iter().fold(start, |number, octet| number << 8 | i64::from(*octet)))
}

/// Makes of an unsigned number one in two's complement, with `lower` added to it.
fn add_to_unsigned(octets: &mut Vec<u8>, lower: i128) {
    // A whole 17 octets are there for the sum, and its sign.
    let short = 18usize.saturating_sub(octets.len()).max(1);
    octets.splice(0..0, std::iter::repeat_n(0, short));
    let mut carry = 0u16;
    let fill = if lower < 0 { 0xFF } else { 0 };
    let addend = lower.to_be_bytes();
    let addend = addend.iter().rev().copied().chain(std::iter::repeat(fill));
    for (octet, addend) in octets.iter_mut().rev().zip(addend) {
        let sum = u16::from(*octet) + u16::from(addend) + carry;
        (*octet, carry) = (sum as u8, sum >> 8);
    }
}

#[cold]
fn number_words(value: Integer<'_>) -> Words {
    match value.to_i128() {
        Some(number) => Words::Own(number.to_string()),
        None => "a number of more than 128 bits".into(),
    }
}
