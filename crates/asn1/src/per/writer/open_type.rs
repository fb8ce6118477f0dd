//! CHOICE, extension additions, and the open types that these stand in (X.691 clauses 11.2, 19 and
//! 23).

use tam::Error;

use super::super::frame::{AdditionsFrame, Frame, RecordFrame};
use super::super::primitive::{write_small, write_small_length};
use super::{Group, Inner, Writer};
use crate::compiled::{Addition, Code, NodeId, Step};
use crate::event::{At, Source};

/// The number of an alternative of which BER has told the tag, but no schema the place.
const BY_TAG: u32 = u32::MAX;

impl<'a, S: Source, const ALIGNED: bool> Writer<'a, '_, S, ALIGNED> {
    /// Whether any member of an addition is there.
    pub(super) fn has_addition(&self, level: S::Level, number: u32, addition: &Addition) -> Result<bool, Error> {
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

    /// Writes which additions of a record are there.
    #[inline(never)]
    pub(super) fn begin_additions(&mut self, frame: &RecordFrame<S::Level>) -> Result<AdditionsFrame<S::Level>, Error> {
        let types = self.types;
        let RecordFrame { node, number, level, .. } = *frame;
        let additions = &types.record(number).additions;
        write_small_length::<ALIGNED>(additions.len() as u64, &mut self.bits);
        for addition in additions {
            let there = self.has_addition(level, number, addition)?;
            self.bits.bit(there);
        }
        Ok(AdditionsFrame { node, number, level, next: 0, count: additions.len() as u64, presence: 0 })
    }

    /// The next addition that is there.
    pub(super) fn find_addition(&self, frame: &mut AdditionsFrame<S::Level>) -> Result<Option<Inner<S::Level>>, Error> {
        let AdditionsFrame { node, number, level, .. } = *frame;
        let record = self.types.record(number);
        while let Some(addition) = record.additions.get(frame.next as usize) {
            frame.next += 1;
            if self.has_addition(level, number, addition)? {
                let Addition { first, count, group } = *addition;
                return Ok(Some(match (group, record.members.get(first as usize)) {
                    (None, Some(member)) => Inner::Value(At { level, index: first }, member.node),
                    _ => Inner::Group(Group { node, number, level, first, count }),
                }));
            }
        }
        Ok(None)
    }

    pub(super) fn additions(&mut self, mut frame: AdditionsFrame<S::Level>) -> Result<(), Error> {
        let Some(inner) = self.find_addition(&mut frame)? else { return Ok(()) };
        // What is in the addition is written before the next one.
        self.stack.push(Frame::Additions(frame));
        self.begin_open_type();
        self.enter(Frame::Open { end: 0 })?;
        match inner {
            Inner::Value(at, node) => self.value(at, node),
            Inner::Group(group) => {
                let group = self.begin_group(group)?;
                self.enter(Frame::Record(group))
            }
        }
    }

    pub(super) fn begin_open_type(&mut self) {
        let spare = std::mem::take(&mut self.spare);
        let parked = self.bits.park(spare);
        self.parked.push(parked);
    }

    pub(super) fn end_open_type(&mut self) {
        let Some(parked) = self.parked.pop() else { return };
        let (mut octets, _) = self.bits.unpark(parked);
        if octets.is_empty() {
            octets.push(0);
        }
        self.counted(&octets);
        octets.clear();
        self.spare = octets;
    }

    /// Writes which alternative of the root is chosen: where it is, its number, and what it is. `None`, and nothing
    /// written, of another one, and of one that is not there.
    #[inline(always)]
    pub(super) fn choose(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Option<(S::Level, u32, &'a Step)> {
        let choice = self.types.choice(number);
        let (alternative, level) = self.source.choice(at, node);
        let step = choice.steps.get(alternative as usize)?;
        if alternative >= choice.root || !self.source.is_present(At { level, index: 0 }, step.node) {
            return None;
        }
        if choice.extensible {
            self.bits.bit(false);
        }
        choice.index.write::<ALIGNED>(alternative.into(), &mut self.bits);
        Some((level, alternative, step))
    }

    pub(super) fn choice(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        if let Some((level, alternative, step)) = self.choose(at, node, number) {
            self.enter(Frame::Choice { node, level, alternative })?;
            let inside = At { level, index: 0 };
            return match step.code {
                Code::Choice(_) => self.enter(Frame::Pending { at: inside, node: step.node }),
                _ => self.value(inside, step.node),
            };
        }
        self.choose_widely(at, node, number)
    }

    /// A CHOICE of which an addition is chosen, or what it does not have.
    #[inline(never)]
    fn choose_widely(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let (source, types) = (self.source, self.types);
        let choice = types.choice(number);
        let (alternative, level) = source.choice(at, node);
        if alternative == BY_TAG && choice.extensible {
            return Err(Self::by_other_rules("an alternative"));
        }
        let inside = At { level, index: 0 };
        let Some(addition) = alternative.checked_sub(choice.root).filter(|_| choice.extensible) else {
            let Some(chosen) = choice.alternatives.get(alternative as usize).filter(|_| alternative < choice.root)
            else {
                return Err(self.refused(node, "an alternative that it does not have".into()));
            };
            self.enter(Frame::Choice { node, level, alternative })?;
            return Err(self.missing(node, &chosen.name));
        };
        self.bits.bit(true);
        write_small::<ALIGNED>(addition.into(), &mut self.bits);
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
        self.begin_open_type();
        self.enter(Frame::Open { end: 0 })?;
        match types.code(chosen.node) {
            Code::Choice(_) => self.enter(Frame::Pending { at: inside, node: chosen.node }),
            _ => self.value(inside, chosen.node),
        }
    }
}
