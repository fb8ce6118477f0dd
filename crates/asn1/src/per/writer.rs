//! Writing: a walk through a schema that asks a source for each value (X.691 clauses 12 to 30).
//!
//! What is open waits on a stack of its own, as in the reader.

use tam::{Error, ErrorKind, Words};

use super::bits::{BitWriter, Parked};
use super::frame::{AdditionsFrame, ArrayFrame, Frame, RecordFrame, path};
use super::primitive::{Constrained, signed_octets, write_length, write_small, write_small_length};
use crate::compiled::value::minimal_octets as minimal;
use crate::compiled::{Addition, Array, Compiled, Integer as IntegerType, Kind, Member, NodeId, Presence, Range, Size};
use crate::event::{At, Integer, Source};
use crate::{equal, oid, real};

/// Values encoded to be compared while a value around them is encoded to be compared: no deeper than
/// this.
const COMPARED: u32 = 8;

/// Where a value is that is to be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<L> {
    pub(crate) at: At<L>,
    pub(crate) node: NodeId,
    /// Whether it is a record in an array of records.
    pub(crate) row: bool,
}

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
        stack: Vec::new(),
        parked: Vec::new(),
        spare: Vec::new(),
        orders: Vec::new(),
    };
    match writer.walk(start) {
        Ok(()) => {
            let bits = writer.bits.position();
            writer.bits.finish();
            Ok(bits)
        }
        Err(error) => {
            let position = writer.bits.position();
            let path = path(types, &writer.stack);
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

struct Writer<'a, 'o, S: Source, const ALIGNED: bool> {
    types: &'a Compiled,
    source: &'a S,
    bits: BitWriter<'o>,
    canonical: bool,
    depth: u32,
    /// How many values are being encoded to be compared, around this one.
    compared: u32,
    stack: Vec<Frame<S::Level>>,
    /// Messages put aside while an open type is written.
    parked: Vec<Parked>,
    spare: Vec<u8>,
    /// The orders of the components of SETs OF that are open.
    orders: Vec<Vec<u32>>,
}

/// What a step through an open value came to.
enum Step<L> {
    End,
    Open(At<L>, NodeId),
    OpenRow(At<L>, NodeId),
    Become(Frame<L>),
    /// An open type has been begun; a group of members, or one value, is to be written in it.
    Group(RecordFrame<L>),
    Value(At<L>, NodeId),
}

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    fn walk(&mut self, start: Start<S::Level>) -> Result<(), Error> {
        self.value(start.at, start.node, start.row)?;
        while let Some(mut frame) = self.stack.pop() {
            let step = match &mut frame {
                Frame::Record(record) => self.record(record),
                Frame::Array(array) => self.array(array),
                Frame::Additions(additions) => self.additions(additions),
                Frame::Choice { .. } => Ok(Step::End),
                Frame::Pending { at, node } => self.open(*at, *node, false).map(|()| Step::End),
                Frame::Open { .. } => {
                    self.end_open_type();
                    Ok(Step::End)
                }
            };
            match step {
                Ok(Step::End) => {}
                Ok(Step::Open(at, node)) => {
                    self.stack.push(frame);
                    self.open(at, node, false)?;
                }
                Ok(Step::OpenRow(at, node)) => {
                    self.stack.push(frame);
                    self.open(at, node, true)?;
                }
                Ok(Step::Become(other)) => self.stack.push(other),
                Ok(Step::Group(record)) => {
                    self.stack.push(frame);
                    self.enter(Frame::Open { end: 0 })?;
                    self.enter(Frame::Record(record))?;
                }
                Ok(Step::Value(at, node)) => {
                    self.stack.push(frame);
                    self.enter(Frame::Open { end: 0 })?;
                    self.value(at, node, false)?;
                }
                Err(error) => {
                    self.stack.push(frame);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn enter(&mut self, frame: Frame<S::Level>) -> Result<(), Error> {
        if self.stack.len() >= self.depth as usize {
            return Err(Error::limit("per", 0, "one more level", "depth", self.depth.into()));
        }
        self.stack.push(frame);
        Ok(())
    }

    fn value(&mut self, at: At<S::Level>, node: NodeId, row: bool) -> Result<(), Error> {
        if self.simple(at, node)? { Ok(()) } else { self.open(at, node, row) }
    }

    /// Writes a value that has no others in it; `false` if it is of another kind.
    #[inline(always)]
    fn simple(&mut self, at: At<S::Level>, node: NodeId) -> Result<bool, Error> {
        match self.types.node(node).kind {
            Kind::Boolean => {
                let value = self.source.boolean(at, node);
                self.bits.bit(value);
            }
            Kind::Integer(integer) => self.integer(at, node, &integer)?,
            Kind::Enumerated(number) => self.enumerated(at, node, number)?,
            Kind::Null => {}
            Kind::OctetString(size) => self.octet_string(at, node, &size)?,
            Kind::Text(number) => self.characters(at, node, number)?,
            Kind::BitString(size, names) => self.bit_string(at, node, &size, names.is_some())?,
            Kind::Real => {
                let octets = real::write(self.source.real(at, node));
                self.counted(&octets);
            }
            Kind::ObjectIdentifier | Kind::RelativeOid => {
                let source = self.source;
                let octets = source.octets(at, node);
                if !oid::is_valid(octets) {
                    return Err(self.refused(node, "octets that are no object identifier".into()));
                }
                self.counted(octets);
            }
            Kind::Record(_) | Kind::Choice(_) | Kind::Array(_) => return Ok(false),
        }
        Ok(true)
    }

    #[inline(always)]
    fn integer(&mut self, at: At<S::Level>, node: NodeId, integer: &IntegerType) -> Result<(), Error> {
        let source = self.source;
        let value = source.integer(at, node);
        if let (Range::Constrained(lower, range), Integer::Small(number), None) =
            (integer.range, value, integer.intervals)
            && let Ok(above) = u64::try_from(i128::from(number) - lower)
            && above <= range.span
        {
            if integer.extensible {
                self.bits.bit(false);
            }
            range.write::<ALIGNED>(above, &mut self.bits);
            return Ok(());
        }
        self.wide_integer(node, integer, value)
    }

    #[inline(never)]
    fn wide_integer(&mut self, node: NodeId, integer: &IntegerType, value: Integer<'_>) -> Result<(), Error> {
        let inside = self.types.allows_integer(integer, value);
        if integer.extensible {
            self.bits.bit(!inside);
        } else if !inside {
            return Err(self.refused(node, number_words(value)));
        }
        match (integer.range, value.to_i128()) {
            (Range::Constrained(lower, range), Some(number)) if inside => {
                range.write::<ALIGNED>((number - lower) as u64, &mut self.bits);
            }
            (Range::SemiConstrained(lower), Some(number)) if inside => match number.checked_sub(lower) {
                Some(above) => {
                    let octets = above.to_be_bytes();
                    let zeros = octets.iter().take_while(|octet| **octet == 0).count().min(15);
                    self.counted(octets.get(zeros..).unwrap_or_default());
                }
                None => return Err(self.too_wide(node)),
            },
            (Range::SemiConstrained(_), None) if inside => return Err(self.too_wide(node)),
            _ => match value {
                Integer::Small(number) => {
                    let octets = signed_octets(number);
                    write_length::<ALIGNED>(octets.into(), &mut self.bits);
                    self.bits.write(number as u64 & (u64::MAX >> (64 - 8 * octets)), 8 * octets);
                }
                Integer::Big(octets) => self.counted(minimal(octets)),
            },
        }
        Ok(())
    }

    #[cold]
    fn too_wide(&self, node: NodeId) -> Error {
        let expected = format!("a number of {} within 128 bits", self.types.node(node).name);
        Error::new(ErrorKind::Unsupported, "per", 0, "a larger number", expected)
    }

    #[inline]
    fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let types = self.types;
        let enumeration = types.enumeration(number);
        let item = self.source.enumerated(at, node);
        let addition = item.checked_sub(enumeration.root);
        if self.source.unknown(at, node).is_some() || (addition.is_some() && !enumeration.extensible) {
            return Err(self.refused(node, "an enumeration that PER cannot tell".into()));
        }
        if enumeration.extensible {
            self.bits.bit(addition.is_some());
        }
        match addition {
            Some(addition) => write_small::<ALIGNED>(addition.into(), &mut self.bits),
            None => enumeration.index.write::<ALIGNED>(item.into(), &mut self.bits),
        }
        Ok(())
    }

    /// Octets behind an unconstrained length.
    fn counted(&mut self, octets: &[u8]) {
        let mut rest = octets;
        loop {
            let length = write_length::<ALIGNED>(rest.len() as u64, &mut self.bits);
            let (now, later) = rest.split_at_checked(length.count as usize).unwrap_or((rest, &[]));
            self.bits.bytes(now);
            rest = later;
            if !length.more {
                return;
            }
        }
    }

    /// Writes whether a size is outside of its root, and the size, up to the first fragment; whether
    /// it is outside, and how many come now.
    #[inline]
    fn size(&mut self, node: NodeId, size: &Size, count: u64) -> Result<(bool, super::Length), Error> {
        let inside = self.types.allows_size(size, count);
        if size.extensible {
            self.bits.bit(!inside);
        } else if !inside {
            return Err(self.refused(node, Words::Own(format!("a size of {count}"))));
        }
        let length = if !inside || size.upper >= 1 << 16 {
            write_length::<ALIGNED>(count, &mut self.bits)
        } else {
            if size.lower != size.upper {
                Constrained::new(size.upper - size.lower).write::<ALIGNED>(count - size.lower, &mut self.bits);
            }
            super::Length { count, more: false }
        };
        Ok((!inside, length))
    }

    fn octet_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(), Error> {
        let source = self.source;
        let octets = source.octets(at, node);
        let (extended, mut length) = self.size(node, size, octets.len() as u64)?;
        if ALIGNED && !octets.is_empty() && (extended || size.lower != size.upper || size.upper > 2) {
            self.bits.align();
        }
        let mut rest = octets;
        loop {
            let (now, later) = rest.split_at_checked(length.count as usize).unwrap_or((rest, &[]));
            self.bits.bytes(now);
            rest = later;
            if !length.more {
                return Ok(());
            }
            length = write_length::<ALIGNED>(rest.len() as u64, &mut self.bits);
        }
    }

    fn bit_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size, named: bool) -> Result<(), Error> {
        let source = self.source;
        let (octets, mut count) = source.bit_string(at, node);
        if named {
            // Zeros at the end mean nothing: as few as the size asks for (X.691 clause 16.2).
            count = equal::significant_bits(octets, count).max(size.lower);
        }
        let (extended, mut length) = self.size(node, size, count)?;
        if ALIGNED && count > 0 && (extended || size.lower != size.upper || size.upper > 16) {
            self.bits.align();
        }
        let mut rest = octets;
        loop {
            let stored = length.count.min(rest.len() as u64 * 8);
            self.bits.bits_of(rest, stored);
            for _ in stored..length.count {
                self.bits.bit(false);
            }
            rest = rest.get((length.count / 8) as usize..).unwrap_or_default();
            count -= length.count;
            if !length.more {
                return Ok(());
            }
            length = write_length::<ALIGNED>(count, &mut self.bits);
        }
    }

    fn characters(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let (source, types) = (self.source, self.types);
        let text = source.text(at, node);
        let ty = types.characters(number);
        if let Some(point) = types.forbidden(ty, text) {
            return Err(self.refused(node, Words::Own(format!("{point:?}"))));
        }
        let Some(known) = &ty.known_multiplier else {
            if ty.size != Size::ANY && !ty.size.extensible {
                let count = text.chars().count() as u64;
                if !types.allows_size(&ty.size, count) {
                    return Err(self.refused(node, Words::Own(format!("a size of {count}"))));
                }
            }
            match ty.kind {
                crate::schema::StringKind::Utf8 => self.counted(text.as_bytes()),
                _ if text.is_ascii() => self.counted(text.as_bytes()),
                _ => self.counted(&text.chars().map(|point| u32::from(point) as u8).collect::<Vec<u8>>()),
            }
            return Ok(());
        };
        let count = if text.is_ascii() { text.len() } else { text.chars().count() } as u64;
        let (extended, mut length) = self.size(node, &ty.size, count)?;
        let width = if ALIGNED { known.aligned_bits } else { known.bits };
        let index = if ALIGNED { &known.aligned_index } else { &known.index };
        let most = if extended { u64::MAX } else { ty.size.upper.saturating_mul(width.into()) };
        let fixed = !extended && ty.size.lower == ty.size.upper && ty.size.upper < 1 << 16;
        if ALIGNED && count > 0 && (if fixed { most > 16 } else { most >= 16 }) {
            self.bits.align();
        }
        let mut left = count;
        let mut points = text.chars();
        loop {
            for point in points.by_ref().take(length.count as usize) {
                let code = u32::from(point);
                let code = match index {
                    None => code,
                    // It is there: the alphabet has been checked.
                    Some(points) => points.binary_search(&code).unwrap_or_default() as u32,
                };
                self.bits.write(code.into(), width);
            }
            left -= length.count;
            if !length.more {
                return Ok(());
            }
            length = write_length::<ALIGNED>(left, &mut self.bits);
        }
    }

    fn open(&mut self, at: At<S::Level>, node: NodeId, row: bool) -> Result<(), Error> {
        match self.types.node(node).kind {
            Kind::Record(number) => self.open_record(at, node, number, row),
            Kind::Choice(number) => self.choice(at, node, number),
            Kind::Array(array) => self.open_array(at, node, &array),
            _ => Ok(()),
        }
    }

    /// Whether a member is written: there, and not what it is anyway.
    #[inline]
    fn is_written(&self, at: At<S::Level>, member: &Member) -> Result<bool, Error> {
        if !self.source.is_present(at, member.node) {
            return Ok(false);
        }
        match member.presence {
            Presence::Default(number) => Ok(!self.is_default(at, member.node, number)?),
            _ => Ok(true),
        }
    }

    fn is_default(&self, at: At<S::Level>, node: NodeId, number: u32) -> Result<bool, Error> {
        if let Some(equal) = equal::simple(self.types, self.source, at, node, self.types.default_value(number)) {
            return Ok(equal);
        }
        if self.compared >= COMPARED {
            if self.canonical {
                let found = "defaults within values that are compared with defaults";
                return Err(Error::new(ErrorKind::Limit, "per", 0, found, Words::AtMost(COMPARED.into(), "compared")));
            }
            return Ok(false);
        }
        let mut encoded = Vec::new();
        let start = Start { at, node, row: false };
        write_compared::<S, false>(self.source, self.types, start, true, self.depth, self.compared + 1, &mut encoded)?;
        Ok(encoded == self.types.default_encoded(number))
    }

    fn open_record(&mut self, at: At<S::Level>, node: NodeId, number: u32, row: bool) -> Result<(), Error> {
        let types = self.types;
        let record = types.record(number);
        let level = if row { self.source.row(at, node) } else { self.source.record(at, node) };
        let mut extended = false;
        if record.extensible {
            for addition in &record.additions {
                extended |= self.has_addition(level, number, addition)?;
            }
            self.bits.bit(extended);
        }
        let frame = self.members(node, number, level, 0, record.root)?;
        self.enter(Frame::Record(RecordFrame { extended, ..frame }))
    }

    /// Begins members from `next` up to `end`: which of them are there.
    #[inline]
    fn members(
        &mut self,
        node: NodeId,
        number: u32,
        level: S::Level,
        next: u32,
        end: u32,
    ) -> Result<RecordFrame<S::Level>, Error> {
        let types = self.types;
        let members = types.record(number).members.get(next as usize..end as usize).unwrap_or_default();
        // The bits of the first 64 are kept, so that what they say is asked once.
        let (mut presence, mut kept) = (0u64, 0u32);
        for (index, member) in (next..).zip(members) {
            if member.presence != Presence::Mandatory {
                let there = self.is_written(At { level, index }, member)?;
                self.bits.bit(there);
                if kept < 64 {
                    presence = presence << 1 | u64::from(there);
                    kept += 1;
                }
            }
        }
        if kept > 0 {
            presence <<= 64 - kept;
        }
        Ok(RecordFrame { node, number, level, next, end, presence, left: kept, more: 0, extended: false, group: false })
    }

    fn record(&mut self, frame: &mut RecordFrame<S::Level>) -> Result<Step<S::Level>, Error> {
        let types = self.types;
        let members = types.record(frame.number).members.get(..frame.end as usize).unwrap_or_default();
        while let Some(member) = members.get(frame.next as usize) {
            let at = At { level: frame.level, index: frame.next };
            frame.next += 1;
            if member.presence == Presence::Mandatory {
                if !self.source.is_present(at, member.node) {
                    return Err(self.missing(frame.node, &member.name));
                }
            } else if frame.left > 0 {
                let there = frame.presence >> 63 != 0;
                frame.presence <<= 1;
                frame.left -= 1;
                if !there {
                    continue;
                }
            } else if !self.is_written(at, member)? {
                continue;
            }
            if !self.simple(at, member.node)? {
                return Ok(Step::Open(at, member.node));
            }
        }
        if !frame.extended {
            return Ok(Step::End);
        }
        self.begin_additions(frame)
    }

    #[cold]
    fn missing(&self, node: NodeId, name: &str) -> Error {
        let found = Words::Own(format!("no {name}"));
        let expected = format!("every component of {} that is not OPTIONAL", self.types.node(node).name);
        Error::new(ErrorKind::Schema, "per", 0, found, expected)
    }

    /// Whether any member of an addition is there.
    fn has_addition(&self, level: S::Level, number: u32, addition: &Addition) -> Result<bool, Error> {
        let members = &self.types.record(number).members;
        for index in addition.first..addition.first + addition.count {
            if let Some(member) = members.get(index as usize)
                && self.is_written(At { level, index }, member)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[inline(never)]
    fn begin_additions(&mut self, frame: &RecordFrame<S::Level>) -> Result<Step<S::Level>, Error> {
        let types = self.types;
        let RecordFrame { node, number, level, .. } = *frame;
        let additions = &types.record(number).additions;
        write_small_length::<ALIGNED>(additions.len() as u64, &mut self.bits);
        for addition in additions {
            let there = self.has_addition(level, number, addition)?;
            self.bits.bit(there);
        }
        let count = additions.len() as u64;
        Ok(Step::Become(Frame::Additions(AdditionsFrame { node, number, level, next: 0, count, presence: 0 })))
    }

    fn additions(&mut self, frame: &mut AdditionsFrame<S::Level>) -> Result<Step<S::Level>, Error> {
        let types = self.types;
        let record = types.record(frame.number);
        while let Some(addition) = record.additions.get(frame.next as usize) {
            frame.next += 1;
            if !self.has_addition(frame.level, frame.number, addition)? {
                continue;
            }
            self.begin_open_type();
            let at = At { level: frame.level, index: addition.first };
            return Ok(match (addition.group, record.members.get(addition.first as usize)) {
                (None, Some(member)) => Step::Value(at, member.node),
                _ => {
                    let end = addition.first + addition.count;
                    let group = self.members(frame.node, frame.number, frame.level, addition.first, end)?;
                    Step::Group(RecordFrame { group: true, ..group })
                }
            });
        }
        Ok(Step::End)
    }

    fn begin_open_type(&mut self) {
        let spare = std::mem::take(&mut self.spare);
        let parked = self.bits.park(spare);
        self.parked.push(parked);
    }

    fn end_open_type(&mut self) {
        let Some(parked) = self.parked.pop() else { return };
        let (mut octets, _) = self.bits.unpark(parked);
        if octets.is_empty() {
            octets.push(0);
        }
        self.counted(&octets);
        octets.clear();
        self.spare = octets;
    }

    fn choice(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let (source, types) = (self.source, self.types);
        let choice = types.choice(number);
        let (alternative, level) = source.choice(at, node);
        let addition = alternative.checked_sub(choice.root);
        if addition.is_some() && !choice.extensible {
            return Err(self.refused(node, "an alternative that it does not have".into()));
        }
        if choice.extensible {
            self.bits.bit(addition.is_some());
        }
        match addition {
            Some(addition) => write_small::<ALIGNED>(addition.into(), &mut self.bits),
            None => choice.index.write::<ALIGNED>(alternative.into(), &mut self.bits),
        }
        let inside = At { level, index: 0 };
        let Some(chosen) = choice.alternatives.get(alternative as usize) else {
            return match source.unknown(inside, node) {
                Some(octets) => {
                    self.counted(octets);
                    Ok(())
                }
                None => Err(self.refused(node, "an alternative that it does not have".into())),
            };
        };
        self.enter(Frame::Choice { node, level, alternative })?;
        if !source.is_present(inside, chosen.node) {
            return Err(self.missing(node, &chosen.name));
        }
        if addition.is_some() {
            self.begin_open_type();
            self.enter(Frame::Open { end: 0 })?;
        }
        match types.node(chosen.node).kind {
            Kind::Choice(_) => self.enter(Frame::Pending { at: inside, node: chosen.node }),
            _ => self.value(inside, chosen.node, false),
        }
    }

    fn open_array(&mut self, at: At<S::Level>, node: NodeId, array: &Array) -> Result<(), Error> {
        let (total, level) = self.source.array(at, node);
        let (extended, length) = self.size(node, &array.size, total.into())?;
        let row = matches!(self.types.node(array.item).kind, Kind::Record(_));
        let order = if array.set && self.canonical && total > 1 {
            let order = self.canonical_order(array.item, level, total, row)?;
            self.orders.push(order);
            self.orders.len() as u32
        } else {
            0
        };
        let (item, end, more) = (array.item, length.count as u32, length.more);
        self.enter(Frame::Array(ArrayFrame { node, item, at, level, next: 0, end, more, extended, total, order }))
    }

    /// The order of the components of a SET OF by their encodings (X.691 clause 22.1).
    fn canonical_order(&self, item: NodeId, level: S::Level, total: u32, row: bool) -> Result<Vec<u32>, Error> {
        if self.compared >= COMPARED {
            let found = "SETs OF within each other";
            return Err(Error::new(ErrorKind::Limit, "per", 0, found, Words::AtMost(COMPARED.into(), "compared")));
        }
        let mut encodings = Vec::new();
        let mut ends = Vec::with_capacity(total as usize);
        for index in 0..total {
            let start = Start { at: At { level, index }, node: item, row };
            let (depth, compared) = (self.depth, self.compared + 1);
            let before = encodings.len();
            write_compared::<S, ALIGNED>(self.source, self.types, start, true, depth, compared, &mut encodings)?;
            ends.push((before, encodings.len()));
        }
        let encoding = |index: &u32| {
            let (start, end) = ends.get(*index as usize).copied().unwrap_or_default();
            encodings.get(start..end).unwrap_or_default()
        };
        let mut order: Vec<u32> = (0..total).collect();
        // Zero octets behind the shorter one do not make them differ.
        order.sort_by(|one, other| equal::padded_order(encoding(one), encoding(other)));
        Ok(order)
    }

    fn array(&mut self, frame: &mut ArrayFrame<S::Level>) -> Result<Step<S::Level>, Error> {
        let row = matches!(self.types.node(frame.item).kind, Kind::Record(_));
        loop {
            while frame.next < frame.end {
                let index = match frame.order {
                    0 => frame.next,
                    number => {
                        let order = self.orders.get(number as usize - 1);
                        order.and_then(|order| order.get(frame.next as usize)).copied().unwrap_or_default()
                    }
                };
                let at = At { level: frame.level, index };
                frame.next += 1;
                if row {
                    return Ok(Step::OpenRow(at, frame.item));
                }
                if !self.source.is_present(at, frame.item) {
                    return Err(self.missing(frame.node, "component"));
                }
                if !self.simple(at, frame.item)? {
                    return Ok(Step::Open(at, frame.item));
                }
            }
            if !frame.more {
                if frame.order > 0 {
                    self.orders.pop();
                }
                return Ok(Step::End);
            }
            let length = write_length::<ALIGNED>(u64::from(frame.total - frame.next), &mut self.bits);
            (frame.end, frame.more) = (frame.next + length.count as u32, length.more);
        }
    }

    /// A value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    fn refused(&self, node: NodeId, found: Words) -> Error {
        let expected = format!("what the constraint of {} allows", self.types.node(node).name);
        Error::new(ErrorKind::Schema, "per", 0, found, expected)
    }
}

#[cold]
fn number_words(value: Integer<'_>) -> Words {
    match value.to_i128() {
        Some(number) => Words::Own(number.to_string()),
        None => "a number of more than 128 bits".into(),
    }
}
