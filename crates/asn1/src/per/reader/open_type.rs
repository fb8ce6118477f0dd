//! CHOICE, extension additions, and the open types that these stand in (X.691 clauses 11.2, 19 and
//! 23).

use tam::{Error, ErrorKind, Words};

use super::super::bits::BitReader;
use super::super::frame::{AdditionsFrame, Frame, RecordFrame};
use super::super::primitive::{Length, read_length, read_small, read_small_length};
use super::record::END;
use super::{FRAGMENTED, Inner, Next, Reader};
use crate::compiled::{NodeId, Step};
use crate::event::{At, Part, Sink};

impl<'a, S: Sink, const ALIGNED: bool> Reader<'a, '_, S, ALIGNED> {
    /// Which additions are there (X.691 clause 19.7 and 19.8).
    #[inline(never)]
    pub(super) fn begin_additions(
        &mut self,
        node: NodeId,
        number: u32,
        level: S::Level,
    ) -> Result<AdditionsFrame<S::Level>, Error> {
        let at = At { level, index: 0 };
        let start = self.bits.position();
        let count = read_small_length::<ALIGNED>(&mut self.bits)?;
        self.tell(at, node, Part::Length, start);
        let presence = self.bits.position();
        self.bits.skip(count)?;
        self.tell(at, node, Part::Presence, presence);
        Ok(AdditionsFrame { node, number, level, next: 0, count, presence })
    }

    /// Goes on with the additions on top of the stack.
    #[inline(never)]
    pub(super) fn next_addition(&mut self) -> Result<Next<S::Level>, Error> {
        let Some(Frame::Additions(mut frame)) = self.stack.pop() else { return Ok(Next::Leave) };
        let found = self.find_addition(&mut frame);
        if matches!(found, Ok(None)) {
            return self.sink.end(frame.node, frame.level).map(|()| Next::Leave);
        }
        self.stack.push(Frame::Additions(frame));
        match found? {
            Some((length, inner)) => self.open_type(length, inner),
            None => Ok(Next::Leave),
        }
    }

    /// Finds the next addition that is there: the length of its open type, and the value, or the group of
    /// members, in it. Those of later versions are passed over.
    #[allow(clippy::type_complexity)]
    pub(super) fn find_addition(
        &mut self,
        frame: &mut AdditionsFrame<S::Level>,
    ) -> Result<Option<(Length, Inner<S::Level>)>, Error> {
        let record = self.types.record(frame.number);
        let level = frame.level;
        while frame.next < frame.count {
            let mut bits = self.bits;
            bits.seek(frame.presence + frame.next);
            frame.next += 1;
            if !bits.bit()? {
                continue;
            }
            let Some(addition) = record.additions.get(frame.next as usize - 1) else {
                self.pass_over(At { level, index: 0 }, frame.node)?;
                continue;
            };
            let at = At { level, index: addition.first };
            let start = self.bits.position();
            let length = read_length::<ALIGNED>(&mut self.bits)?;
            self.tell(at, frame.node, Part::Length, start);
            let inner = match (addition.group, record.members.get(addition.first as usize)) {
                (None, Some(member)) => Inner::Value(at, member.node),
                (group, _) => {
                    let (next, end) = (addition.first, addition.first + addition.count);
                    let members = RecordFrame::new(frame.node, frame.number, level);
                    Inner::Group(RecordFrame { next, end, group: true, ..members }, group.unwrap_or_default())
                }
            };
            return Ok(Some((length, inner)));
        }
        Ok(None)
    }

    /// An open type, and what is in it.
    pub(super) fn open_type(&mut self, length: Length, inner: Inner<S::Level>) -> Result<Next<S::Level>, Error> {
        if length.more {
            return self.open_type_in_fragments(length.count, inner).map(|()| Next::Leave);
        }
        let end = self.open_type_end(length.count)?;
        self.check_depth(0)?;
        self.stack.push(Frame::Open { end });
        self.begin_inner(inner)
    }

    /// Begins what is in an open type, or the message.
    pub(super) fn begin_inner(&mut self, inner: Inner<S::Level>) -> Result<Next<S::Level>, Error> {
        match inner {
            Inner::Value(at, node) => {
                let step = Step::new(self.types.code(node), node);
                self.begin(at.level, at.index, &step)
            }
            Inner::Group(group, optional) => {
                self.check_depth(0)?;
                let group = self.begin_group(group, optional)?;
                self.stack.push(Frame::Record(group));
                Ok(Next::Leave)
            }
        }
    }

    /// What stands in front of a group of members, `optional` of which have a bit that says whether they
    /// are there.
    pub(super) fn begin_group(
        &mut self,
        mut group: RecordFrame<S::Level>,
        optional: u32,
    ) -> Result<RecordFrame<S::Level>, Error> {
        let start = self.bits.position();
        (group.presence, group.more) = (END, start);
        self.bits.skip(optional.into())?;
        self.tell(At { level: group.level, index: group.next }, group.node, Part::Presence, start);
        Ok(group)
    }

    /// Where an open type of `octets` ends.
    pub(super) fn open_type_end(&self, octets: u64) -> Result<u64, Error> {
        match octets * 8 {
            bits if bits > self.bits.left() => Err(self.bits.short(bits)),
            bits => Ok(self.bits.position() + bits),
        }
    }

    /// Leaves an open type: what later versions have put behind the value is passed over.
    pub(super) fn close(&mut self, end: u64) -> Result<(), Error> {
        if self.bits.position() > end {
            return Err(self.fault("a value longer than the open type around it", "one that ends within it"));
        }
        self.bits.seek(end);
        Ok(())
    }

    /// An open type of a later version.
    #[inline(never)]
    pub(super) fn pass_over(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
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
    pub(super) fn open_type_in_fragments(&mut self, count: u64, inner: Inner<S::Level>) -> Result<(), Error> {
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
            calls: self.calls,
            around: self.around,
            trail: std::mem::take(&mut self.trail),
            scratch: std::mem::take(&mut self.scratch),
            text: std::mem::take(&mut self.text),
            lend: false,
            fragmented: self.fragmented + 1,
        };
        let result = reader.walk(inner).map_err(|error| reader.whole_open_type(error));
        self.free = reader.free;
        self.stack = std::mem::take(&mut reader.stack);
        self.trail = std::mem::take(&mut reader.trail);
        self.scratch = std::mem::take(&mut reader.scratch);
        self.text = std::mem::take(&mut reader.text);
        // Places within the gathered octets are none of the message.
        result.map_err(|error| error.at_bit(self.bits.position()))
    }

    /// What stands in front of the value of a CHOICE: its level, the number of the alternative, and how that
    /// is told; `None`, and nothing read, if it is one of very many, or an addition.
    #[inline(always)]
    #[allow(clippy::type_complexity)]
    pub(super) fn choose(
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
        // The extension bit makes it large.
        let Some(step) = choice.steps.get(place as usize).filter(|_| place <= choice.index.span) else {
            self.bits.go(start);
            return Ok(None);
        };
        let marker = u64::from(choice.extensible);
        if S::BITS && choice.extensible {
            self.sink.bits(at, node, Part::Extension, start, start + 1);
        }
        self.tell(at, node, Part::Index, start + marker);
        let alternative = place as u32;
        Ok(Some((self.sink.choice(at, node, alternative)?, alternative, step)))
    }

    /// A CHOICE of one or of very many alternatives, or of which an addition is chosen.
    #[inline(never)]
    pub(super) fn choose_widely(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
    ) -> Result<Next<S::Level>, Error> {
        let choice = self.types.choice(number);
        let extended = self.extension(at, node, choice.extensible)?;
        let start = self.bits.position();
        let alternative = if extended {
            let addition = read_small::<ALIGNED>(&mut self.bits)?;
            let place = u32::try_from(addition).ok().and_then(|addition| addition.checked_add(choice.root));
            // The greatest number is that of an alternative which BER only knows by its tag.
            place.filter(|place| *place < u32::MAX)
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
            return self.sink.end(node, level).map(|()| Next::Leave);
        };
        self.stack.push(Frame::Choice { node, level, alternative });
        let value = Inner::Value(inside, chosen.node);
        if !extended {
            return self.begin_inner(value);
        }
        let start = self.bits.position();
        let length = read_length::<ALIGNED>(&mut self.bits)?;
        self.tell(inside, node, Part::Length, start);
        self.open_type(length, value)
    }
}
