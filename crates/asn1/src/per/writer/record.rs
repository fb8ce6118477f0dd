//! SEQUENCE and SET (X.691 clauses 19 and 21).

use tam::{Error, ErrorKind, Words};

use super::super::frame::{Frame, RecordFrame};
use super::{COMPARED, Member, Writer, run, write_compared};
use crate::compiled::{Code, Member as MemberType, NodeId, Presence, Record, Step};
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

    /// Writes what stands in front of the members of a SEQUENCE or SET.
    pub(super) fn begin_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
    ) -> Result<RecordFrame<S::Level>, Error> {
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
        let frame = self.presence(node, number, level, 0..record.root, record.optional)?;
        Ok(RecordFrame { extended, ..frame })
    }

    /// Begins a range of members: writes which of the `optional` ones among them are there.
    #[inline(always)]
    pub(super) fn presence(
        &mut self,
        node: NodeId,
        number: u32,
        level: S::Level,
        range: std::ops::Range<u32>,
        optional: u32,
    ) -> Result<RecordFrame<S::Level>, Error> {
        let types = self.types;
        let record = types.record(number);
        let (next, end) = (range.start, range.end);
        let steps = record.steps.get(next as usize..end as usize).unwrap_or_default();
        let (presence, left) = if record.defaults || optional > 64 {
            self.presence_one_by_one(record, level, range)?
        } else if optional > 0 {
            let is_root = next == 0 && end == record.root && end <= 64;
            let there = if is_root { self.source.presence(level, end) } else { None };
            let (presence, count) = match there {
                Some(there) => (without(there, record.mandatory), optional),
                None => self.presence_of_each(level, next, steps),
            };
            self.bits.write(presence, count);
            (presence << (count.wrapping_neg() & 63), count)
        } else {
            (0, 0)
        };
        Ok(RecordFrame { node, number, level, next, end, presence, left, more: 0, extended: false, group: false })
    }

    /// Which optional members are there, each asked for, the last one's bit lowest, and how many they are.
    #[inline(never)]
    fn presence_of_each(&self, level: S::Level, first: u32, steps: &[Step]) -> (u64, u32) {
        let optional = (first..).zip(steps).filter(|(_, step)| step.is_optional());
        optional.fold((0, 0), |(presence, count), (index, step)| {
            (presence << 1 | u64::from(self.source.is_present(At { level, index }, step.node)), count + 1)
        })
    }

    /// The same where some have defaults, or are many; the bits of the first 64, which are kept so that what they
    /// say is asked once, and how many they are.
    #[inline(never)]
    fn presence_one_by_one(
        &mut self,
        record: &Record,
        level: S::Level,
        range: std::ops::Range<u32>,
    ) -> Result<(u64, u32), Error> {
        let (mut presence, mut kept) = (0u64, 0u32);
        let members = record.members.get(range.start as usize..range.end as usize).unwrap_or_default();
        for (index, member) in range.zip(members) {
            if member.presence != Presence::Mandatory {
                let there = self.is_written(At { level, index }, member)?;
                self.bits.bit(there);
                if kept < 64 {
                    presence |= u64::from(there) << (63 - kept);
                    kept += 1;
                }
            }
        }
        Ok((presence, kept))
    }

    /// Writes members until one holds others; where it is, and what it is.
    pub(super) fn members(&mut self, frame: &mut RecordFrame<S::Level>) -> Result<Option<Member<S::Level>>, Error> {
        let types = self.types;
        let record = types.record(frame.number);
        let steps = record.steps.get(..frame.end as usize).unwrap_or_default();
        loop {
            let source = self.source;
            // An array is a level deeper than the record, which is not on the stack.
            let arrays = self.stack.len() + 1 < self.depth as usize;
            self.bits.run(|bits| run::members::<S, ALIGNED>(source, bits, steps, arrays, frame));
            let Some(step) = steps.get(frame.next as usize) else { return Ok(None) };
            let at = At { level: frame.level, index: frame.next };
            frame.next += 1;
            let there = if step.is_optional() && frame.left > 0 {
                let there = frame.presence >> 63 != 0;
                frame.presence <<= 1;
                frame.left -= 1;
                there
            } else if step.is_optional() || !source.is_present(at, step.node) {
                self.is_there(frame.node, record, at, step)?
            } else {
                true
            };
            if !there {
                continue;
            }
            match step.code {
                Code::Utf8(number) => self.utf8(at, step.node, number)?,
                Code::Time(number) => self.characters(at, step.node, number)?,
                Code::Decimal => self.real(at, step.node)?,
                Code::Record(_) => return Ok(Some((at, step.node, step.code))),
                _ if self.simple(at, step.node)? => {}
                _ => return Ok(Some((at, step.node, step.code))),
            }
        }
    }

    /// Whether a member is written that no bit kept tells of.
    #[inline(never)]
    fn is_there(&self, node: NodeId, record: &Record, at: At<S::Level>, step: &Step) -> Result<bool, Error> {
        match record.members.get(at.index as usize) {
            Some(member) if step.is_optional() => self.is_written(at, member),
            Some(member) => Err(self.missing(node, &member.name)),
            None => Ok(true),
        }
    }

    /// Writes a record, and those that hold it and wait for nothing else.
    pub(super) fn record(&mut self, mut frame: RecordFrame<S::Level>) -> Result<(), Error> {
        loop {
            match self.members(&mut frame) {
                Ok(None) if frame.extended => return self.begin_additions(frame),
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
