//! SEQUENCE and SET (X.691 clauses 19 and 21).

use tam::{Error, ErrorKind, Words};

use super::super::frame::{Frame, RecordFrame};
use super::super::primitive::write_length;
use super::{COMPARED, Group, Member, Writer, write_compared};
use crate::compiled::{Code, Member as MemberType, NodeId, Presence, Record};
use crate::equal;
use crate::event::{At, Source};
use crate::writer::Start;

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    /// Whether a member is written: there, and not what it is anyway.
    #[inline]
    pub(super) fn is_written(&self, at: At<S::Level>, member: &MemberType) -> Result<bool, Error> {
        if !self.source.is_present(at, member.node) {
            return Ok(false);
        }
        match member.presence {
            Presence::Default(number) => Ok(!self.is_default(at, member.node, number)?),
            _ => Ok(true),
        }
    }

    pub(super) fn is_default(&self, at: At<S::Level>, node: NodeId, number: u32) -> Result<bool, Error> {
        let default = self.types.default_value(number);
        if let Some(equal) = equal::simple(self.types, self.source, at, node, default, self.canonical) {
            return Ok(equal);
        }
        // Of types that are not simple it is the sender's option in BASIC-PER (X.691 clause 19.5): the value is kept.
        if !self.canonical {
            return Ok(false);
        }
        if self.compared >= COMPARED {
            let found = "defaults within values that are compared with defaults";
            return Err(Error::new(ErrorKind::Limit, "per", 0, found, Words::AtMost(COMPARED.into(), "compared")));
        }
        let mut encoded = Vec::new();
        let start = Start { at, node, row: false };
        write_compared::<S, false>(self.source, self.types, start, true, self.depth, self.compared + 1, &mut encoded)?;
        Ok(encoded == self.types.default_encoded(number))
    }

    /// Writes what stands in front of the members of a SEQUENCE or SET.
    #[inline(always)]
    pub(super) fn begin_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
    ) -> Result<RecordFrame<S::Level>, Error> {
        let record = self.types.record(number);
        let level = if row { self.source.row(at, node) } else { self.source.record(at, node) };
        let mut frame = RecordFrame::new(node, number, level);
        frame.end = record.root;
        if record.extensible {
            for addition in &record.additions {
                frame.extended |= self.has_addition(level, number, addition)?;
            }
            self.bits.bit(frame.extended);
        }
        if record.defaults || record.root > 64 {
            self.presence_one_by_one(&mut frame, record)?;
            return Ok(frame);
        }
        let there = match self.source.presence(level, record.root) {
            Some(there) => there,
            None => self.presence_of_each(level, record),
        };
        let mandatory = record.mandatory;
        // Where there are no members, nothing is there to be put on top.
        let top = record.root.wrapping_neg() & 63;
        if there & mandatory != mandatory {
            let missing = ((mandatory & !there) << top).leading_zeros();
            return Err(self.missing_member(frame, missing));
        }
        self.bits.write(without(there, mandatory), record.optional);
        (frame.presence, frame.left) = (there << top, record.root);
        Ok(frame)
    }

    /// Begins a group of additions: writes which of its optional members are there.
    #[inline(never)]
    pub(super) fn begin_group(&mut self, group: Group<S::Level>) -> Result<RecordFrame<S::Level>, Error> {
        let Group { node, number, level, first, count } = group;
        let frame = RecordFrame::new(node, number, level);
        let mut frame = RecordFrame { next: first, end: first + count, group: true, ..frame };
        self.presence_one_by_one(&mut frame, self.types.record(number))?;
        Ok(frame)
    }

    /// Which members of the root are there, each asked for, the last one's bit lowest.
    #[inline(never)]
    fn presence_of_each(&self, level: S::Level, record: &Record) -> u64 {
        let root = (0..record.root).zip(&record.steps);
        root.fold(0, |there, (index, step)| {
            there << 1 | u64::from(self.source.is_present(At { level, index }, step.node))
        })
    }

    /// Writes which optional members are there, where some have defaults, or there are many. What is told of the
    /// first 64 is kept, so that it is asked once.
    #[inline(never)]
    fn presence_one_by_one(&mut self, frame: &mut RecordFrame<S::Level>, record: &Record) -> Result<(), Error> {
        let mut next = frame.next;
        while next < frame.end {
            let (presence, count) = self.next_presence(frame, next)?;
            let members = record.members.get(next as usize..(next + count) as usize).unwrap_or_default();
            for (place, member) in members.iter().enumerate() {
                if member.presence != Presence::Mandatory {
                    self.bits.bit(presence << place >> 63 != 0);
                }
            }
            if next == frame.next {
                (frame.presence, frame.left) = (presence, count);
            }
            next += count;
        }
        Ok(())
    }

    /// Which of the members from one on are written, up to 64 of them, the first one's bit highest, and how many
    /// they are.
    #[inline(never)]
    fn next_presence(&mut self, frame: &RecordFrame<S::Level>, next: u32) -> Result<(u64, u32), Error> {
        let record = self.types.record(frame.number);
        let count = frame.end.saturating_sub(next).min(64);
        let members = record.members.get(next as usize..(next + count) as usize).unwrap_or_default();
        let mut presence = 0;
        for ((index, place), member) in (next..).zip((0..64).rev()).zip(members) {
            let written = self.is_written(At { level: frame.level, index }, member)?;
            if !written && member.presence == Presence::Mandatory {
                return Err(self.missing_member(*frame, index));
            }
            presence |= u64::from(written) << place;
        }
        Ok((presence, count))
    }

    /// Writes members until one holds others, or all are written; with `calls` all, those that hold others by so many
    /// levels of calls.
    #[inline(always)]
    pub(super) fn members(
        &mut self,
        frame: &mut RecordFrame<S::Level>,
        calls: Option<u32>,
    ) -> Result<Option<Member<S::Level>>, Error> {
        let types = self.types;
        let record = types.record(frame.number);
        let steps = record.steps.get(..frame.end as usize).unwrap_or_default();
        // In locals, so that compilers keep them in registers.
        let RecordFrame { level, mut next, mut presence, mut left, .. } = *frame;
        let stopped = loop {
            if presence == 0 {
                next += left;
                if next >= frame.end {
                    break Ok(None);
                }
                match self.next_presence(frame, next) {
                    Ok(more) => (presence, left) = more,
                    Err(error) => break Err(error),
                }
                continue;
            }
            let absent = presence.leading_zeros();
            // They may be 63.
            presence = presence << absent << 1;
            next += absent;
            left -= absent + 1;
            let Some(step) = steps.get(next as usize) else { break Ok(None) };
            let at = At { level, index: next };
            next += 1;
            let written = match step.code {
                Code::Array(true) if calls > Some(1) && self.source.array(at, step.node).0 == 0 => {
                    write_length::<ALIGNED>(0, &mut self.bits);
                    continue;
                }
                Code::Record(_) | Code::Choice(_) | Code::Array(_) => match calls {
                    Some(calls) => self.by_calls(level, at.index, step, calls),
                    None => break Ok(Some((at, step.node, step.code))),
                },
                _ => self.coded(at, step),
            };
            if let Err(error) = written {
                break Err(error);
            }
        };
        (frame.next, frame.presence, frame.left) = (next, presence, left);
        stopped
    }

    /// A member that must be there is not.
    #[cold]
    #[inline(never)]
    fn missing_member(&mut self, frame: RecordFrame<S::Level>, index: u32) -> Error {
        let name = self.types.record(frame.number).members.get(index as usize).map_or("", |member| &member.name);
        let error = self.missing(frame.node, name);
        // What has just been begun is not on the stack.
        self.stack.push(Frame::Record(RecordFrame { next: index + 1, ..frame }));
        error
    }

    /// Writes a record, and those that hold it and wait for nothing else.
    pub(super) fn record(&mut self, mut frame: RecordFrame<S::Level>) -> Result<(), Error> {
        loop {
            match self.members(&mut frame, None) {
                Ok(None) if frame.extended => {
                    let additions = self.begin_additions(&frame)?;
                    self.stack.push(Frame::Additions(additions));
                    return Ok(());
                }
                Ok(None) => match self.stack.last() {
                    Some(Frame::Record(outer)) => {
                        frame = *outer;
                        self.stack.pop();
                    }
                    _ => return Ok(()),
                },
                Ok(Some((at, node, Code::Record(number)))) => {
                    self.stack.push(Frame::Record(frame));
                    self.check_depth()?;
                    frame = self.begin_record(at, node, number, false)?;
                }
                Ok(Some((at, node, _))) => {
                    self.stack.push(Frame::Record(frame));
                    return self.open(at, node, false);
                }
                Err(error) => {
                    self.stack.push(Frame::Record(frame));
                    return Err(error);
                }
            }
        }
    }
}

/// The bits of a number but for some of them, the others side by side.
#[inline(always)]
fn without(mut bits: u64, mut taken: u64) -> u64 {
    // From the highest one on, so that those below are where they were.
    while taken != 0 {
        let place = 63 - taken.leading_zeros();
        let below = (1u64 << place) - 1;
        bits = bits >> 1 & !below | bits & below;
        taken &= below;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_taken_out_from_among_others() {
        let bits = 0x9E37_79B9_7F4A_7C15u64;
        for taken in [0, 1, 1 << 63, u64::MAX, 0xF0F0, 0x8000_0001_0000_0001, 0x5555_AAAA_0FF0_1234, !1, u64::MAX >> 1]
        {
            let left = (0..64).rev().filter(|place| taken >> place & 1 == 0);
            let expected = left.fold(0, |left, place| left << 1 | bits >> place & 1);
            assert_eq!(without(bits, taken), expected, "{taken:#x}");
        }
    }
}
