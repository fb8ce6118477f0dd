//! Reading SEQUENCE and SET (X.690 clauses 8.9 and 8.11).

use tam::{Error, ErrorKind, Words};

use super::header::{Header, key, notation};
use super::reader::{Frame, Reader, place_of};
use super::span::Span;
use crate::compiled::{Addition, Member, NodeId, Presence, Record};
use crate::event::{At, Part, Sink};

/// A SEQUENCE or SET being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordFrame<L> {
    node: NodeId,
    pub(super) number: u32,
    level: L,
    span: Span,
    /// In a SEQUENCE: the next possible component, in the order of the notation. In a SET: the start of its bits in
    /// `seen`.
    next: u32,
    /// The member being read, for errors; `NONE` between members.
    pub(super) member: u32,
    /// The number of mandatory components still missing.
    required: u32,
    /// In a SEQUENCE: the number of the component before which additions of later versions were found to be allowed. In
    /// a SET: 0 if they were. No component accepts them instead.
    skipping: u32,
    /// In such a SEQUENCE: the number of the first component whose tag the additions cannot have.
    distinct: u32,
}

/// No member.
const NONE: u32 = u32::MAX;

/// The number of optional components of a SEQUENCE that are tried one by one, before the table of tags is searched.
const TRIED: u32 = 8;

impl Record {
    /// The index of a member from its number in the order of the notation.
    #[inline(always)]
    pub(super) fn place(&self, number: u32) -> u32 {
        match &self.declared {
            None => number,
            Some(order) => order.get(number as usize).copied().unwrap_or(NONE),
        }
    }

    /// In a SEQUENCE: the number, in the order of the notation, of the component before which additions of later
    /// versions are inserted.
    fn insertion(&self) -> u32 {
        self.before + (self.members.len() as u32 - self.root)
    }

    /// In a SEQUENCE: the number of the first component whose tag an addition of a later version cannot have. These are
    /// all after the last mandatory one before the insertion point (X.680 clause 25.6).
    fn distinct_from(&self, insertion: u32) -> u32 {
        let is_required = |number: &u32| {
            let place = self.place(*number);
            self.members.get(place as usize).is_some_and(|member| self.is_required(place, member))
        };
        (0..insertion).rev().find(is_required).map_or(0, |number| number + 1)
    }

    /// In a SEQUENCE: whether a header may begin an addition of a later version. Its tag must differ from those of all
    /// components from `distinct` on.
    fn can_be_new(&self, header: Header, insertion: u32, distinct: u32) -> bool {
        let added = self.members.len() as u32 - self.root;
        let before = insertion - added;
        let number = |place: u32| match place {
            place if place < before => place,
            place if place >= self.root => before + (place - self.root),
            place => place + added,
        };
        let first = self.by_tag.partition_point(|(tag, _)| key(*tag) < header.key());
        let same = self.by_tag.iter().skip(first).take_while(|(tag, _)| key(*tag) == header.key());
        same.into_iter().all(|(_, place)| number(*place) < distinct)
    }

    /// The group of additions that contains a member.
    pub(super) fn group(&self, place: u32) -> Option<&Addition> {
        let after = self.additions.partition_point(|addition| addition.first <= place);
        let addition = self.additions.get(after.checked_sub(1)?)?;
        (addition.group.is_some() && place < addition.first + addition.count).then_some(addition)
    }

    /// Whether a member is mandatory in every version.
    #[inline(always)]
    fn is_required(&self, place: u32, member: &Member) -> bool {
        place < self.root && member.presence == Presence::Mandatory
    }
}

impl<S: Sink> Reader<'_, '_, S> {
    #[inline(always)]
    pub(super) fn open_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        header: Header,
        row: bool,
    ) -> Result<(), Error> {
        self.constructed(header)?;
        self.check_depth(0)?;
        let record = self.types.record(number);
        if S::KEYS && record.keyed {
            self.begin_keyed(record, number, node, header)?;
        }
        let level = if row { self.sink.row(at, node)? } else { self.sink.record(at, node)? };
        let span = self.begin(header);
        let next = if record.set { self.begin_set(record) } else { 0 };
        let (required, member, skipping, distinct) = (record.root - record.optional, NONE, NONE, NONE);
        let frame = RecordFrame { node, number, level, span, next, member, required, skipping, distinct };
        self.stack.push(Frame::Record(frame));
        Ok(())
    }

    #[inline(never)]
    fn begin_set(&mut self, record: &Record) -> u32 {
        let first = self.seen.len();
        self.seen.resize(first + record.members.len().div_ceil(64), 0);
        first as u32
    }

    /// Reads members until one has content of its own, or all have been read.
    #[inline(always)]
    pub(super) fn record(&mut self, top: usize) -> Result<(), Error> {
        let Some(Frame::Record(frame)) = self.stack.get(top) else { return Ok(()) };
        let (node, level, span, mut next) = (frame.node, frame.level, frame.span, frame.next);
        let types = self.types;
        let record = types.record(frame.number);
        let keyed = S::KEYS && record.keyed;
        loop {
            if self.is_at_end(At { level, index: 0 }, node, span) {
                if keyed {
                    self.end_keyed();
                }
                self.end_record(top, record).map_err(|error| self.between(top, error))?;
                self.sink.end(node, level)?;
                self.stack.truncate(top);
                return Ok(());
            }
            let header = self.header().map_err(|error| self.between(top, error))?;
            let place = if record.set {
                self.member_of_set(top, record, header).map_err(|error| self.between(top, error))?
            } else {
                let begun = self.next_member(top, record, next, header);
                let (place, number) = begun.map_err(|error| self.between(top, error))?;
                next = number;
                place
            };
            let Some(member) = record.members.get(place as usize) else {
                let skipped = self.skip_member(At { level, index: 0 }, node, header);
                skipped.map_err(|error| self.between(top, error))?;
                continue;
            };
            let described = types.node(member.node);
            if keyed {
                self.keep_keys(record, place, member.node);
            }
            self.value(At { level, index: place }, member.node, described, header, false)?;
            if self.stack.len() > top + 1 {
                return Ok(());
            }
        }
    }

    /// Marks an error as one of the record, not of the member read last.
    #[cold]
    #[inline(never)]
    fn between(&mut self, top: usize, error: Error) -> Error {
        if let Some(Frame::Record(frame)) = self.stack.get_mut(top) {
            frame.member = NONE;
        }
        error
    }

    #[cold]
    #[inline(never)]
    fn skip_member(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<(), Error> {
        let start = self.start;
        self.skip(header)?;
        self.sink.skipped();
        self.report(at, node, Part::Unknown, start, self.at);
        Ok(())
    }

    /// The type and number of an open record.
    #[inline(always)]
    fn frame(&self, top: usize) -> (NodeId, u32) {
        match self.stack.get(top) {
            Some(Frame::Record(frame)) => (frame.node, frame.next),
            _ => (NodeId(NONE), 0),
        }
    }

    /// Records that a member has been read.
    #[inline(always)]
    fn come(&mut self, top: usize, next: u32, place: u32, required: bool) {
        if let Some(Frame::Record(frame)) = self.stack.get_mut(top) {
            (frame.next, frame.member) = (next, place);
            frame.required -= u32::from(required);
        }
    }

    /// The member of a SEQUENCE that a header begins, or [`NONE`] for an addition of a later version; and the number of
    /// the next possible member.
    #[inline(always)]
    fn next_member(&mut self, top: usize, record: &Record, next: u32, header: Header) -> Result<(u32, u32), Error> {
        let mut number = next;
        loop {
            let place = record.place(number);
            let Some(member) = record.members.get(place as usize) else { break };
            let required = record.is_required(place, member);
            if self.begins(self.types.node(member.node), header) {
                // Additions, and the components after them.
                if place >= record.before && !record.additions.is_empty() {
                    self.check_group(top, record, number)?;
                }
                self.come(top, number + 1, place, required);
                return Ok((place, number + 1));
            }
            if required {
                break;
            }
            number += 1;
            if number - next == TRIED && place_of(&record.by_tag, header).is_none() {
                break;
            }
        }
        let place = self.unknown_member(top, record, header)?;
        Ok((place, self.frame(top).1))
    }

    /// Handles a header that begins none of the next possible members.
    #[cold]
    #[inline(never)]
    fn unknown_member(&mut self, top: usize, record: &Record, header: Header) -> Result<u32, Error> {
        let Some(Frame::Record(frame)) = self.stack.get(top) else { return Ok(NONE) };
        let (node, next) = (frame.node, frame.next);
        if frame.skipping == next && record.can_be_new(header, next, frame.distinct) {
            return Ok(NONE);
        }
        // Up to the next mandatory component.
        let mut last = next;
        while let place = record.place(last)
            && let Some(member) = record.members.get(place as usize)
        {
            if self.types.node(member.node).tags.is_empty() && self.types.takes_unknown(member.node) {
                let required = record.is_required(place, member);
                self.come(top, last + 1, place, required);
                return Ok(place);
            }
            if record.is_required(place, member) {
                break;
            }
            last += 1;
        }
        let insertion = record.insertion();
        if record.extensible && (next..=last).contains(&insertion) {
            let distinct = record.distinct_from(insertion);
            if record.can_be_new(header, insertion, distinct) {
                self.check_group(top, record, insertion)?;
                if let Some(Frame::Record(frame)) = self.stack.get_mut(top) {
                    (frame.next, frame.skipping, frame.distinct) = (insertion, insertion, distinct);
                }
                return Ok(NONE);
            }
        }
        let expected = match record.members.get(record.place(last) as usize) {
            Some(member) => format!("{}: {}", member.name, self.tags_of(member.node)),
            None => format!("no more components of {}", self.types.node(node).name),
        };
        Err(self.unexpected(header, expected))
    }

    /// Refuses to leave out mandatory components of a group between the member read last and `number`, if either of
    /// these is in the group.
    fn check_group(&self, top: usize, record: &Record, number: u32) -> Result<(), Error> {
        let (node, next) = self.frame(top);
        let last = next.checked_sub(1).map_or(NONE, |last| record.place(last));
        let here = record.place(number);
        for skipped in next..number {
            let place = record.place(skipped);
            let Some(member) = record.members.get(place as usize) else { break };
            if member.presence != Presence::Mandatory {
                continue;
            }
            if let Some(group) = record.group(place) {
                let range = group.first..group.first + group.count;
                if range.contains(&last) || range.contains(&here) {
                    return Err(self.missing(node, member));
                }
            }
        }
        Ok(())
    }

    /// The member of a SET that a header begins, or [`NONE`] for an addition of a later version.
    #[inline(never)]
    fn member_of_set(&mut self, top: usize, record: &Record, header: Header) -> Result<u32, Error> {
        let (node, first) = self.frame(top);
        let place = match place_of(&record.by_tag, header) {
            Some(place) => place,
            None => match self.unknown_member_of_set(top, record, header)? {
                NONE => return Ok(NONE),
                place => place,
            },
        };
        if self.has_come(first, place) {
            let found = format!("the tag {} a second time", notation(header.tag()));
            let expected = format!("each component of {} once", self.types.node(node).name);
            return Err(Error::new(ErrorKind::Schema, "ber", self.start as u64, found, expected));
        }
        if let Some(word) = self.seen.get_mut(first as usize + place as usize / 64) {
            *word |= 1 << (place % 64);
        }
        let required = record.members.get(place as usize).is_some_and(|member| record.is_required(place, member));
        self.come(top, first, place, required);
        Ok(place)
    }

    #[cold]
    fn unknown_member_of_set(&mut self, top: usize, record: &Record, header: Header) -> Result<u32, Error> {
        let Some(Frame::Record(frame)) = self.stack.get_mut(top) else { return Ok(NONE) };
        let (node, first) = (frame.node, frame.next);
        if std::mem::replace(&mut frame.skipping, 0) == 0 {
            return Ok(NONE);
        }
        let takes = |(place, member): &(u32, &Member)| {
            let untagged = self.types.node(member.node).tags.is_empty();
            untagged && !self.has_come(first, *place) && self.types.takes_unknown(member.node)
        };
        match (0..).zip(&record.members).find(takes) {
            Some((place, _)) => {
                if let Some(Frame::Record(frame)) = self.stack.get_mut(top) {
                    frame.skipping = NONE;
                }
                Ok(place)
            }
            None if record.extensible => Ok(NONE),
            None => {
                let expected = format!("the tag of a component of {}", self.types.node(node).name);
                Err(self.unexpected(header, expected))
            }
        }
    }

    /// Whether a member of a SET has been read; `first` is the start of the bits of the SET.
    fn has_come(&self, first: u32, place: u32) -> bool {
        let word = self.seen.get(first as usize + place as usize / 64);
        word.is_some_and(|word| word >> (place % 64) & 1 != 0)
    }

    /// Ends a SEQUENCE or SET, if no mandatory component is missing.
    #[inline(always)]
    fn end_record(&mut self, top: usize, record: &Record) -> Result<(), Error> {
        let Some(Frame::Record(frame)) = self.stack.get(top) else { return Ok(()) };
        if frame.required > 0 || record.set || !record.additions.is_empty() {
            return self.end_record_slowly(top, record);
        }
        Ok(())
    }

    #[inline(never)]
    fn end_record_slowly(&mut self, top: usize, record: &Record) -> Result<(), Error> {
        let Some(Frame::Record(frame)) = self.stack.get(top) else { return Ok(()) };
        let (node, next, required) = (frame.node, frame.next, frame.required);
        // A missing component is reported at this position.
        self.start = self.at;
        if required > 0 {
            let is_missing = |(number, place): &(u32, u32)| {
                let come = if record.set { self.has_come(next, *place) } else { *number < next };
                !come && record.members.get(*place as usize).is_some_and(|member| record.is_required(*place, member))
            };
            let mut places = (0..record.members.len() as u32).map(|number| {
                let place = if record.set { number } else { record.place(number) };
                (number, place)
            });
            let missing = places.find(is_missing).and_then(|(_, place)| record.members.get(place as usize));
            return missing.map_or(Ok(()), |member| Err(self.missing(node, member)));
        }
        if !record.set {
            return self.check_group(top, record, record.members.len() as u32);
        }
        for addition in record.additions.iter().filter(|addition| addition.group.is_some()) {
            let range = addition.first..addition.first + addition.count;
            if !range.clone().any(|place| self.has_come(next, place)) {
                continue;
            }
            for place in range {
                if let Some(member) = record.members.get(place as usize)
                    && member.presence == Presence::Mandatory
                    && !self.has_come(next, place)
                {
                    return Err(self.missing(node, member));
                }
            }
        }
        self.seen.truncate(next as usize);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn missing(&self, node: NodeId, member: &Member) -> Error {
        let found = Words::Own(format!("missing component {} of {}", member.name, self.types.node(node).name));
        Error::new(ErrorKind::Schema, "ber", self.start as u64, found, "")
    }
}
