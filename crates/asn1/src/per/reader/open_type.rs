//! CHOICE, extension additions, and their open types (X.691 clauses 11.2, 19 and 23).

use tam::{Error, ErrorKind, Words};

use super::super::bits::BitReader;
use super::super::primitive::{Length, read_length, read_small, read_small_length};
use super::record::{END, Members};
use super::{FRAGMENTED, Reader};
use crate::compiled::{NodeId, Step};
use crate::event::{At, Part, Sink};
use crate::{oer, path};

/// The content of an open type.
pub(super) enum Content<L> {
    Value(At<L>, NodeId),
    /// Members, and the number of those with a presence bit.
    Group(Members<L>, u32),
}

impl<'a, S: Sink, const ALIGNED: bool> Reader<'a, '_, S, ALIGNED> {
    /// Reads which additions are present (X.691 clause 19.7 and 19.8), then the additions.
    #[inline(never)]
    pub(super) fn additions(&mut self, node: NodeId, number: u32, level: S::Level, calls: u32) -> Result<(), Error> {
        let at = At { level, index: 0 };
        let start = self.bits.position();
        let count = read_small_length::<ALIGNED>(&mut self.bits)?;
        self.report(at, node, Part::Length, start);
        let presence = self.bits.position();
        self.bits.skip(count)?;
        self.report(at, node, Part::Presence, presence);
        let record = self.types.record(number);
        if count != record.additions.len() as u64 {
            self.sink.additions(level, u32::try_from(count).unwrap_or(u32::MAX));
        }
        for place in 0..count {
            let mut bits = self.bits;
            bits.seek(presence + place);
            if !bits.bit()? {
                continue;
            }
            let Some(addition) = record.additions.get(place as usize) else {
                if let Err(error) = self.pass_over(at, node) {
                    return self.met(path::Step::Nameless, error);
                }
                continue;
            };
            let at = At { level, index: addition.first };
            let (inner, step) = match (addition.group, record.members.get(addition.first as usize)) {
                (None, Some(member)) => (Content::Value(at, member.node), path::Step::Member(number, addition.first)),
                (group, _) => {
                    let (next, end) = (addition.first, addition.first + addition.count);
                    let (presence, more, extended) = (END, 0, false);
                    let members = Members { node, number, level, next, end, presence, more, extended, group: true };
                    (Content::Group(members, group.unwrap_or_default()), path::Step::Nameless)
                }
            };
            if let Err(error) = self.open_type(at, node, inner, calls) {
                return self.met(step, error);
            }
        }
        self.sink.end(node, level)
    }

    /// Reads an open type and its content.
    pub(super) fn open_type(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        inner: Content<S::Level>,
        calls: u32,
    ) -> Result<(), Error> {
        let start = self.bits.position();
        let length = read_length::<ALIGNED>(&mut self.bits)?;
        self.report(at, node, Part::Length, start);
        if length.more {
            return self.open_type_in_fragments(length.count, inner, calls);
        }
        let end = self.open_type_end(length.count)?;
        match self.inner(inner, calls) {
            Ok(()) => self.close(end),
            Err(error) => Err(self.within_open_type(error)),
        }
    }

    /// Reads the content of an open type, which is a level of its own.
    fn inner(&mut self, inner: Content<S::Level>, calls: u32) -> Result<(), Error> {
        // A group of members is another level.
        if calls == 0 || calls == 1 && self.depth.is_left() {
            return self.with_more_levels(calls, |reader, calls| reader.inner(inner, calls));
        }
        match inner {
            Content::Value(At { level, index }, node) => {
                self.value(level, index, &Step::new(self.types.code(node), node), calls - 1)
            }
            Content::Group(..) if calls == 1 => Err(self.depth.exceeded()),
            Content::Group(members, optional) => {
                let record = self.types.record(members.number);
                let members = self.begin_group(members, optional)?;
                self.all_members(record, members, calls - 1)
            }
        }
    }

    /// Reads the presence bits before a group of members, `optional` of which have one.
    fn begin_group(&mut self, mut group: Members<S::Level>, optional: u32) -> Result<Members<S::Level>, Error> {
        let start = self.bits.position();
        group.more = start;
        self.bits.skip(optional.into())?;
        self.report(At { level: group.level, index: group.next }, group.node, Part::Presence, start);
        Ok(group)
    }

    /// Turns the end of the input within an open type into an error of the open type, which is complete but too short
    /// for its content.
    #[cold]
    fn within_open_type(&self, error: Error) -> Error {
        if error.kind() != ErrorKind::Incomplete {
            return error;
        }
        let (expected, at) = (error.expected().clone(), self.bits.position());
        Error::new(ErrorKind::Syntax, "per", 0, "the end of an open type", expected).at_bit(at)
    }

    /// The end of an open type of `octets` octets.
    fn open_type_end(&self, octets: u64) -> Result<u64, Error> {
        match octets * 8 {
            bits if bits > self.bits.left() => Err(self.bits.short(bits)),
            bits => Ok(self.bits.position() + bits),
        }
    }

    /// Leaves an open type. What later versions have put after the value is skipped.
    fn close(&mut self, end: u64) -> Result<(), Error> {
        if self.bits.position() > end {
            return Err(self.fault("a value longer than the open type around it", "one that ends within it"));
        }
        self.bits.seek(end);
        Ok(())
    }

    /// Skips an open type of a later version.
    #[inline(never)]
    fn pass_over(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        self.sink.skipped();
        loop {
            let start = self.bits.position();
            let Length { count, more } = read_length::<ALIGNED>(&mut self.bits)?;
            self.report(at, node, Part::Length, start);
            let start = self.bits.position();
            self.bits.skip(count * 8)?;
            self.report(at, node, Part::Unknown, start);
            if !more {
                return Ok(());
            }
        }
    }

    /// Reads an open type in fragments: joins its octets, and reads them as a message of their own.
    #[inline(never)]
    fn open_type_in_fragments(&mut self, count: u64, inner: Content<S::Level>, calls: u32) -> Result<(), Error> {
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
        let bits = BitReader::new(&octets);
        let mut reader = Reader::<S, ALIGNED>::new(self.types, bits, self.sink, self.free, self.depth, self.limits);
        (reader.lend, reader.fragmented, reader.nested) = (false, self.fragmented + 1, self.nested);
        (reader.trail, reader.keys) = (std::mem::take(&mut self.trail), std::mem::take(&mut self.keys));
        (reader.scratch, reader.text) = (std::mem::take(&mut self.scratch), std::mem::take(&mut self.text));
        let result = reader.inner(inner, calls).map_err(|error| reader.within_open_type(error));
        self.free = reader.free;
        self.keys = std::mem::take(&mut reader.keys);
        self.trail = std::mem::take(&mut reader.trail);
        self.scratch = std::mem::take(&mut reader.scratch);
        self.text = std::mem::take(&mut reader.text);
        // Positions within the joined octets mean nothing in the message.
        result.map_err(|error| error.at_bit(self.bits.position()))
    }

    #[inline(never)]
    pub(super) fn choice(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        if calls == 0 {
            return self.deeper(level, index, node, calls);
        }
        let at = At { level, index };
        let Some((level, alternative, step)) = self.choose(at, node, number)? else {
            return self.choose_widely(at, node, number, calls - 1);
        };
        match self.value(level, 0, step, calls - 1) {
            Ok(()) => self.sink.end(node, level),
            Err(error) => self.met(path::Step::Chosen(node, alternative), error),
        }
    }

    /// Reads what comes before the value of a CHOICE. Returns its level, the number of the alternative, and how that is
    /// encoded. `None`, and nothing is read, for an addition or a CHOICE with very many alternatives.
    #[inline(always)]
    #[allow(clippy::type_complexity)]
    fn choose(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
    ) -> Result<Option<(S::Level, u32, &'a Step)>, Error> {
        let choice = self.types.choice(number);
        let start = self.bits.position();
        let place = match choice.head {
            0 => return Ok(None),
            head => self.bits.read_short(head)?,
        };
        // The extension bit makes the number large.
        let Some(step) = choice.steps.get(place as usize).filter(|_| place <= choice.index.span) else {
            self.bits.go(start);
            return Ok(None);
        };
        let marker = u64::from(choice.extensible);
        if S::BITS && choice.extensible {
            self.sink.bits(at, node, Part::Extension, start, start + 1);
        }
        self.report(at, node, Part::Index, start + marker);
        let alternative = place as u32;
        Ok(Some((self.sink.choice(at, node, alternative)?, alternative, step)))
    }

    /// Reads a CHOICE with one or very many alternatives, or a CHOICE whose value is an addition.
    #[inline(never)]
    fn choose_widely(&mut self, at: At<S::Level>, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        let types = self.types;
        let choice = types.choice(number);
        let extended = self.extension(at, node, choice.extensible)?;
        let start = self.bits.position();
        let alternative = if extended {
            let addition = read_small::<ALIGNED>(&mut self.bits)?;
            let place = u32::try_from(addition).ok().and_then(|addition| addition.checked_add(choice.root));
            // The greatest numbers are reserved for alternatives that BER and OER know only by their tags.
            place.filter(|place| *place < oer::BY_TAG)
        } else {
            Some(choice.index.read::<ALIGNED>(&mut self.bits)? as u32)
        };
        self.report(at, node, Part::Index, start);
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
        let read = if extended {
            self.open_type(inside, node, Content::Value(inside, chosen.node), calls)
        } else {
            self.value(level, 0, &Step::new(types.code(chosen.node), chosen.node), calls)
        };
        match read {
            Ok(()) => self.sink.end(node, level),
            Err(error) => self.met(path::Step::Chosen(node, alternative), error),
        }
    }
}
