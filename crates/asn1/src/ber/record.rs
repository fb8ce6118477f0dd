//! Reading SEQUENCE and SET (X.690 clauses 8.9 and 8.11).

use tam::{Error, ErrorKind, Words};

use super::frame::Span;
use super::header::{Header, notation};
use super::reader::{Frame, Reader, place_of};
use crate::compiled::{Addition, Member, NodeId, Presence, Record};
use crate::event::{At, Part, Sink};

/// A SEQUENCE or SET being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordFrame<L> {
    pub(super) node: NodeId,
    pub(super) number: u32,
    pub(super) level: L,
    pub(super) span: Span,
    /// Of a SEQUENCE: the component that may come next, in the order of the notation. Of a SET: its
    /// first bits among those that say what has come.
    next: u32,
    /// The member being read, for errors; beyond all of them where it is none.
    pub(super) member: u32,
}

/// A member that is none.
const NONE: u32 = u32::MAX;

impl Record {
    /// The place of a member by its number in the order of the notation.
    #[inline(always)]
    pub(super) fn place(&self, number: u32) -> u32 {
        match &self.declared {
            None => number,
            Some(order) => order.get(number as usize).copied().unwrap_or(NONE),
        }
    }

    /// Of a SEQUENCE: the number, in the order of the notation, of the component before which those of
    /// later versions come.
    fn insertion(&self) -> u32 {
        let all = self.members.len() as u32;
        let before = match &self.declared {
            Some(order) => order.iter().position(|place| *place >= self.root).unwrap_or(order.len()) as u32,
            None => self.root,
        };
        before + (all - self.root)
    }

    /// The group of additions that a member is of.
    pub(super) fn group(&self, place: u32) -> Option<&Addition> {
        let after = self.additions.partition_point(|addition| addition.first <= place);
        let addition = self.additions.get(after.checked_sub(1)?)?;
        (addition.group.is_some() && place < addition.first + addition.count).then_some(addition)
    }

    /// Whether a value without a member is none, whichever its version.
    #[inline(always)]
    fn is_required(&self, place: u32, member: &Member) -> bool {
        place < self.root && member.presence == Presence::Mandatory
    }
}

impl<S: Sink> Reader<'_, '_, S> {
    #[inline]
    pub(super) fn open_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        header: &Header,
        row: bool,
    ) -> Result<(), Error> {
        self.constructed(header)?;
        self.check_depth(0)?;
        let level = if row { self.sink.row(at, node)? } else { self.sink.record(at, node)? };
        let span = self.begin(header);
        let mut next = 0;
        let record = self.types.record(number);
        if record.set {
            next = self.seen.len() as u32;
            self.seen.resize(self.seen.len() + record.members.len().div_ceil(64), 0);
        }
        self.stack.push(Frame::Record(RecordFrame { node, number, level, span, next, member: NONE }));
        Ok(())
    }

    /// Reads members until one holds others; whether they have all been read.
    #[inline]
    pub(super) fn record(&mut self, frame: &mut RecordFrame<S::Level>) -> Result<bool, Error> {
        let top = self.stack.len();
        let record = self.types.record(frame.number);
        loop {
            frame.member = NONE;
            if self.is_at_end(At { level: frame.level, index: 0 }, frame.node, &frame.span) {
                return self.end_record(frame, record).map(|()| true);
            }
            let header = self.header()?;
            let place = if record.set {
                self.member_of_set(frame, record, &header)?
            } else {
                self.next_member(frame, record, &header)?
            };
            let Some(member) = record.members.get(place as usize) else {
                self.skip(&header)?;
                self.tell(At { level: frame.level, index: 0 }, frame.node, Part::Unknown, header.start, self.at);
                continue;
            };
            frame.member = place;
            self.value(At { level: frame.level, index: place }, member.node, header, false)?;
            if self.stack.len() > top {
                return Ok(false);
            }
        }
    }

    /// The member of a SEQUENCE that a header begins, or [`NONE`] if it is an addition of a later
    /// version.
    #[inline(always)]
    fn next_member(
        &mut self,
        frame: &mut RecordFrame<S::Level>,
        record: &Record,
        header: &Header,
    ) -> Result<u32, Error> {
        let mut number = frame.next;
        loop {
            let place = record.place(number);
            let Some(member) = record.members.get(place as usize) else { break };
            if self.fits(member.node, header.tag) {
                if place >= record.root {
                    self.check_group(frame, record, number)?;
                }
                frame.next = number + 1;
                return Ok(place);
            }
            if record.is_required(place, member) {
                break;
            }
            number += 1;
        }
        self.unknown_member(frame, record, number, header)
    }

    /// What a header begins that is of no member that may come next; the search for one ended at
    /// number `last`.
    #[cold]
    #[inline(never)]
    fn unknown_member(
        &mut self,
        frame: &mut RecordFrame<S::Level>,
        record: &Record,
        last: u32,
        header: &Header,
    ) -> Result<u32, Error> {
        for number in frame.next..=last {
            let place = record.place(number);
            let Some(member) = record.members.get(place as usize) else { break };
            if self.takes_unknown(member.node) {
                frame.next = number + 1;
                return Ok(place);
            }
        }
        let insertion = record.insertion();
        if record.extensible && (frame.next..=last).contains(&insertion) {
            self.check_group(frame, record, insertion)?;
            frame.next = insertion;
            return Ok(NONE);
        }
        let place = record.place(last);
        let expected = match record.members.get(place as usize) {
            Some(member) => format!("{}: {}", member.name, self.tags_of(member.node)),
            None => format!("no more components of {}", self.types.node(frame.node).name),
        };
        Err(self.unexpected(header, expected))
    }

    /// Of the components between the one that was read last and a number, refuses to be without those
    /// that their groups must have, where either end is of the group.
    fn check_group(&self, frame: &RecordFrame<S::Level>, record: &Record, number: u32) -> Result<(), Error> {
        let place_of = |number: Option<u32>| number.map_or(NONE, |number| record.place(number));
        let (last, next) = (place_of(frame.next.checked_sub(1)), place_of(Some(number)));
        for skipped in frame.next..number {
            let place = record.place(skipped);
            let Some(member) = record.members.get(place as usize) else { break };
            if member.presence != Presence::Mandatory {
                continue;
            }
            if let Some(group) = record.group(place) {
                let range = group.first..group.first + group.count;
                if range.contains(&last) || range.contains(&next) {
                    return Err(self.missing(frame.node, member));
                }
            }
        }
        Ok(())
    }

    /// The member of a SET that a header begins, or [`NONE`] if it is an addition of a later version.
    fn member_of_set(&mut self, frame: &RecordFrame<S::Level>, record: &Record, header: &Header) -> Result<u32, Error> {
        let mut place = place_of(&record.by_tag, header.tag).unwrap_or(NONE);
        if place == NONE {
            let mut members = record.members.iter().enumerate();
            let takes = |(place, member): &(usize, &Member)| {
                !self.has_come(frame, *place as u32) && self.takes_unknown(member.node)
            };
            match members.find(takes) {
                Some((found, _)) => place = found as u32,
                None if record.extensible => return Ok(NONE),
                None => {
                    let expected = format!("the tag of a component of {}", self.types.node(frame.node).name);
                    return Err(self.unexpected(header, expected));
                }
            }
        }
        if self.has_come(frame, place) {
            let found = format!("the tag {} a second time", notation(header.tag));
            let expected = format!("each component of {} once", self.types.node(frame.node).name);
            return Err(Error::new(ErrorKind::Schema, "ber", header.start as u64, found, expected));
        }
        if let Some(word) = self.seen.get_mut(frame.next as usize + place as usize / 64) {
            *word |= 1 << (place % 64);
        }
        Ok(place)
    }

    /// Whether a member of a SET has come.
    fn has_come(&self, frame: &RecordFrame<S::Level>, place: u32) -> bool {
        let word = self.seen.get(frame.next as usize + place as usize / 64);
        word.is_some_and(|word| word >> (place % 64) & 1 != 0)
    }

    #[inline]
    fn end_record(&mut self, frame: &RecordFrame<S::Level>, record: &Record) -> Result<(), Error> {
        if record.set {
            self.end_set(frame, record)?;
        } else {
            for number in frame.next..record.members.len() as u32 {
                let place = record.place(number);
                if let Some(member) = record.members.get(place as usize)
                    && record.is_required(place, member)
                {
                    return Err(self.missing(frame.node, member));
                }
            }
            if !record.additions.is_empty() {
                self.check_group(frame, record, record.members.len() as u32)?;
            }
        }
        self.sink.end(frame.node, frame.level)
    }

    fn end_set(&mut self, frame: &RecordFrame<S::Level>, record: &Record) -> Result<(), Error> {
        for (place, member) in (0..).zip(&record.members) {
            if member.presence != Presence::Mandatory || self.has_come(frame, place) {
                continue;
            }
            let whole = match record.group(place) {
                Some(group) => (group.first..group.first + group.count).any(|place| self.has_come(frame, place)),
                None => place < record.root,
            };
            if whole {
                return Err(self.missing(frame.node, member));
            }
        }
        self.seen.truncate(frame.next as usize);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn missing(&self, node: NodeId, member: &Member) -> Error {
        let found = Words::Own(format!("no {}", member.name));
        let expected = format!("every component of {} that is not OPTIONAL", self.types.node(node).name);
        Error::new(ErrorKind::Schema, "ber", self.at as u64, found, expected)
    }
}
