//! SEQUENCE and SET (X.691 clauses 19 and 21).

use tam::{Error, ErrorKind, Words};

use super::super::primitive::write_length;
use super::{COMPARED, Writer, write_compared};
use crate::compiled::{Code, Member as MemberType, NodeId, Presence, Record};
use crate::equal;
use crate::event::{At, Source};
use crate::path;
use crate::writer::Start;

/// Members of a SEQUENCE or SET that are being written: those of the root, or of a group of additions.
pub(super) struct Members<L> {
    pub(super) node: NodeId,
    pub(super) number: u32,
    pub(super) level: L,
    /// The next member, and the end of the members.
    pub(super) next: u32,
    pub(super) end: u32,
    /// The presence bits of the next members, the next one's highest, and the number of these bits left.
    presence: u64,
    left: u32,
    /// Whether additions follow the root.
    extended: bool,
}

impl<L> Members<L> {
    /// Members of a range that have not been looked at yet.
    pub(super) fn new(node: NodeId, number: u32, level: L, range: std::ops::Range<u32>) -> Members<L> {
        Members { node, number, level, next: range.start, end: range.end, presence: 0, left: 0, extended: false }
    }
}

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
    /// Whether a member is written: it is present, and differs from its default.
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
        // For types that are not simple, omitting defaults is the sender's option in BASIC-PER (X.691 clause 19.5). We
        // keep the value.
        if !self.canonical {
            return Ok(false);
        }
        if self.compared >= COMPARED {
            let found = "defaults within values that are compared with defaults";
            return Err(Error::new(ErrorKind::Limit, "per", 0, found, Words::AtMost(COMPARED.into(), "compared")));
        }
        let mut encoded = Vec::new();
        let start = Start { at, node, row: false };
        let compared = self.compared + 1;
        self.depth.with_room(|| {
            write_compared::<S, false>(self.source, self.types, start, true, self.most, compared, &mut encoded)
        })?;
        Ok(encoded == self.types.default_encoded(number))
    }

    /// Writes a record; with `ROW`, one in an array of records.
    #[inline(never)]
    pub(super) fn record<const ROW: bool>(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        if calls == 0 {
            return self.deeper(level, index, node, ROW, calls);
        }
        let members = self.begin_record(At { level, index }, node, number, ROW)?;
        self.all_members(members, calls)
    }

    #[inline(always)]
    pub(super) fn all_members(&mut self, mut members: Members<S::Level>, calls: u32) -> Result<(), Error> {
        match self.members(&mut members, calls - 1) {
            Ok(()) if members.extended => self.additions(members.node, members.number, members.level, calls - 1),
            Ok(()) => Ok(()),
            Err(error) => self.met(path::Step::before(members.number, members.next), error),
        }
    }

    /// Writes what comes before the members of a SEQUENCE or SET.
    #[inline(always)]
    fn begin_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
    ) -> Result<Members<S::Level>, Error> {
        let record = self.types.record(number);
        let level = if row { self.source.row(at, node) } else { self.source.record(at, node) };
        let mut frame = Members::new(node, number, level, 0..record.root);
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
        // A record without members has no presence bits.
        let top = record.root.wrapping_neg() & 63;
        if there & mandatory != mandatory {
            let missing = ((mandatory & !there) << top).leading_zeros();
            return Err(self.missing_member(&frame, missing));
        }
        self.bits.write(without(there, mandatory), record.optional);
        (frame.presence, frame.left) = (there << top, record.root);
        Ok(frame)
    }

    /// The presence bits of the members of the root, each asked for, the last one's bit lowest.
    #[inline(never)]
    fn presence_of_each(&self, level: S::Level, record: &Record) -> u64 {
        let root = (0..record.root).zip(&record.steps);
        root.fold(0, |there, (index, step)| {
            there << 1 | u64::from(self.source.is_present(At { level, index }, step.node))
        })
    }

    /// Writes the presence bits of optional members, if some have defaults, or there are many. The bits of the first 64
    /// members are kept, so that the source is asked once.
    #[inline(never)]
    pub(super) fn presence_one_by_one(&mut self, frame: &mut Members<S::Level>, record: &Record) -> Result<(), Error> {
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

    /// The presence bits of up to 64 members from `next` on, the first one's highest, and their number.
    #[inline(never)]
    fn next_presence(&mut self, frame: &Members<S::Level>, next: u32) -> Result<(u64, u32), Error> {
        let record = self.types.record(frame.number);
        let count = frame.end.saturating_sub(next).min(64);
        let members = record.members.get(next as usize..(next + count) as usize).unwrap_or_default();
        let mut presence = 0;
        for ((index, place), member) in (next..).zip((0..64).rev()).zip(members) {
            let written = self.is_written(At { level: frame.level, index }, member)?;
            if !written && member.presence == Presence::Mandatory {
                return Err(self.missing_member(frame, index));
            }
            presence |= u64::from(written) << place;
        }
        Ok((presence, count))
    }

    /// Writes members; those with content get `calls` levels.
    #[inline(always)]
    fn members(&mut self, frame: &mut Members<S::Level>, calls: u32) -> Result<(), Error> {
        let types = self.types;
        let record = types.record(frame.number);
        let steps = record.steps.get(..frame.end as usize).unwrap_or_default();
        // Locals, so that compilers keep them in registers.
        let Members { level, mut next, mut presence, mut left, .. } = *frame;
        let written = loop {
            if presence == 0 {
                next += left;
                if next >= frame.end {
                    break Ok(());
                }
                match self.next_presence(frame, next) {
                    Ok(more) => (presence, left) = more,
                    Err(error) => break Err(error),
                }
                continue;
            }
            let absent = presence.leading_zeros();
            // There may be 63.
            presence = presence << absent << 1;
            next += absent;
            left -= absent + 1;
            let Some(step) = steps.get(next as usize) else { break Ok(()) };
            let at = At { level, index: next };
            next += 1;
            let written = match step.code {
                Code::Array(true) if calls > 0 && self.source.array(at, step.node).0 == 0 => {
                    write_length::<ALIGNED>(0, &mut self.bits);
                    continue;
                }
                _ => self.value(level, at.index, step, calls),
            };
            if let Err(error) = written {
                break Err(error);
            }
        };
        frame.next = next;
        written
    }

    /// The error for a missing mandatory member.
    #[cold]
    #[inline(never)]
    fn missing_member(&mut self, frame: &Members<S::Level>, index: u32) -> Error {
        let name = self.types.record(frame.number).members.get(index as usize).map_or("", |member| &member.name);
        let error = self.missing(frame.node, name);
        self.trail.push(path::Step::Member(frame.number, index));
        error
    }
}

/// Removes the bits `taken` from a number, and closes the gaps.
#[inline(always)]
fn without(mut bits: u64, mut taken: u64) -> u64 {
    // From the highest one on, so that those below keep their positions.
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
