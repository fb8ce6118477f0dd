//! CHOICE, extension additions, and the open types that these stand in (X.691 clauses 11.2, 19 and
//! 23).

use smallvec::SmallVec;
use tam::{Error, ErrorKind, Words};

use super::super::bits::BitReader;
use super::super::frame::{AdditionsFrame, Frame, RecordFrame};
use super::super::primitive::{Length, read_length, read_small, read_small_length};
use super::{CALLS, FRAGMENTED, Inner, Reader};
use crate::compiled::NodeId;
use crate::event::{At, Part, Sink};

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// Which additions are there (X.691 clause 19.7 and 19.8).
    #[inline(never)]
    pub(super) fn begin_additions(&mut self, frame: RecordFrame<S::Level>) -> Result<AdditionsFrame<S::Level>, Error> {
        let RecordFrame { node, number, level, .. } = frame;
        let at = At { level, index: 0 };
        let start = self.bits.position();
        let count = read_small_length::<ALIGNED>(&mut self.bits)?;
        self.tell(at, node, Part::Length, start);
        let presence = self.bits.position();
        self.bits.skip(count)?;
        self.tell(at, node, Part::Presence, presence);
        Ok(AdditionsFrame { node, number, level, next: 0, count, presence })
    }

    pub(super) fn additions(&mut self, mut frame: AdditionsFrame<S::Level>) -> Result<(), Error> {
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
    pub(super) fn addition(&mut self, frame: &AdditionsFrame<S::Level>) -> Result<(), Error> {
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

    /// Begins what is in an open type; what of it has to wait goes onto the stack.
    pub(super) fn inner(&mut self, inner: Inner<S::Level>) -> Result<(), Error> {
        let read = match inner {
            Inner::Value(at, node) => self.value(at, node, CALLS),
            Inner::Group(mut record, optional) => {
                self.presence(At { level: record.level, index: record.next }, &mut record, optional)?;
                self.check_depth()?;
                self.record(record, CALLS)
            }
        };
        if !read? {
            self.wait();
        }
        Ok(())
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
            scratch: std::mem::take(&mut self.scratch),
            text: std::mem::take(&mut self.text),
            lend: false,
            fragmented: self.fragmented + 1,
            open: self.open,
            pending: SmallVec::new(),
        };
        let base = reader.stack.len();
        let result = reader.inner(inner).and_then(|()| reader.go_on(base));
        let result = result.map_err(|error| {
            reader.wait();
            reader.whole_open_type(error)
        });
        reader.stack.truncate(base);
        self.free = reader.free;
        self.stack = std::mem::take(&mut reader.stack);
        self.scratch = std::mem::take(&mut reader.scratch);
        self.text = std::mem::take(&mut reader.text);
        // Places within the gathered octets are none of the message.
        result.map_err(|error| error.at_bit(self.bits.position()))
    }

    /// A CHOICE; `false` if it has to wait.
    pub(super) fn choice(&mut self, at: At<S::Level>, node: NodeId, number: u32, calls: u32) -> Result<bool, Error> {
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
            return self.sink.end(node, level).map(|()| true);
        };
        let read = match extended {
            false => self.value(inside, chosen.node, calls),
            true => self.addition_chosen(inside, node, chosen.node, calls),
        };
        match read {
            Ok(true) => self.sink.end(node, level).map(|()| true),
            read => self.holds_up(Frame::Choice { node, level, alternative }, read),
        }
    }

    /// An alternative that is an addition, in its open type.
    fn addition_chosen(
        &mut self,
        inside: At<S::Level>,
        node: NodeId,
        chosen: NodeId,
        calls: u32,
    ) -> Result<bool, Error> {
        let start = self.bits.position();
        let length = read_length::<ALIGNED>(&mut self.bits)?;
        self.tell(inside, node, Part::Length, start);
        if length.more {
            return self.open_type_in_fragments(length.count, Inner::Value(inside, chosen)).map(|()| true);
        }
        let end = self.open_type_end(length.count)?;
        match self.value(inside, chosen, calls) {
            Ok(true) => self.close(end).map(|()| true),
            read => self.holds_up(Frame::Open { end }, read),
        }
    }
}
