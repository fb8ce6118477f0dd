//! CHOICE, extension additions, and the open types that these stand in (X.691 clauses 11.2, 19 and
//! 23).

use tam::Error;

use super::super::frame::{AdditionsFrame, Frame, RecordFrame};
use super::super::primitive::{write_small, write_small_length};
use super::Writer;
use crate::compiled::{Addition, Kind, NodeId};
use crate::event::{At, Source};

/// The number of an alternative of which BER has told the tag, but no schema the place.
const BY_TAG: u32 = u32::MAX;

impl<S: Source, const ALIGNED: bool> Writer<'_, '_, S, ALIGNED> {
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

    /// Writes which additions are there; the record itself has been taken off the stack.
    #[inline(never)]
    pub(super) fn begin_additions(&mut self, frame: RecordFrame<S::Level>) -> Result<(), Error> {
        let types = self.types;
        let RecordFrame { node, number, level, .. } = frame;
        let additions = &types.record(number).additions;
        write_small_length::<ALIGNED>(additions.len() as u64, &mut self.bits);
        for addition in additions {
            let there = self.has_addition(level, number, addition)?;
            self.bits.bit(there);
        }
        let count = additions.len() as u64;
        self.stack.push(Frame::Additions(AdditionsFrame { node, number, level, next: 0, count, presence: 0 }));
        Ok(())
    }

    pub(super) fn additions(&mut self, mut frame: AdditionsFrame<S::Level>) -> Result<(), Error> {
        let types = self.types;
        let record = types.record(frame.number);
        while let Some(addition) = record.additions.get(frame.next as usize) {
            frame.next += 1;
            if self.has_addition(frame.level, frame.number, addition)? {
                // What is in the addition is written before the next one.
                self.stack.push(Frame::Additions(frame));
                self.begin_open_type();
                self.enter(Frame::Open { end: 0 })?;
                let AdditionsFrame { node, number, level, .. } = frame;
                let at = At { level, index: addition.first };
                return match (addition.group, record.members.get(addition.first as usize)) {
                    (None, Some(member)) => self.value(at, member.node, false),
                    (group, _) => {
                        let range = addition.first..addition.first + addition.count;
                        let group = self.presence(node, number, level, range, group.unwrap_or_default())?;
                        self.enter(Frame::Record(RecordFrame { group: true, ..group }))
                    }
                };
            }
        }
        Ok(())
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

    pub(super) fn choice(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let (source, types) = (self.source, self.types);
        let choice = types.choice(number);
        let (alternative, level) = source.choice(at, node);
        if alternative == BY_TAG && choice.extensible {
            return Err(Self::by_other_rules("an alternative"));
        }
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
}
