//! CHOICE, extension additions, and their open types (X.691 clauses 11.2, 19 and 23).

use tam::Error;

use super::super::primitive::{write_octets, write_small, write_small_length};
use super::Writer;
use super::record::Members;
use crate::compiled::{Addition, NodeId, Step};
use crate::event::{At, Source};
use crate::keys::UNKNOWN;
use crate::writer::presence_bits;
use crate::{contents, oer, path};

/// The content of an open type.
enum Content<L> {
    Value(At<L>, NodeId),
    Group(Members<L>),
}

impl<'a, S: Source, const ALIGNED: bool> Writer<'a, '_, S, ALIGNED> {
    /// Whether any member of an addition is present.
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

    /// Writes which additions of a record are present, then the additions.
    #[inline(never)]
    pub(super) fn additions(&mut self, node: NodeId, number: u32, level: S::Level, calls: u32) -> Result<(), Error> {
        let record = self.types.record(number);
        let mut presence = Vec::with_capacity(record.additions.len());
        for addition in &record.additions {
            presence.push(self.has_addition(level, number, addition)?);
        }
        let needed = presence.iter().rposition(|there| *there).map_or(1, |last| last + 1);
        let kept = self.source.additions(level).filter(|_| !self.canonical);
        presence.resize(presence_bits(kept, presence.len(), needed), false);
        write_small_length::<ALIGNED>(presence.len() as u64, &mut self.bits);
        presence.iter().for_each(|there| self.bits.bit(*there));
        for addition in &record.additions {
            let Addition { first, count, group } = *addition;
            let (inner, step) = match (group, record.members.get(first as usize)) {
                (None, Some(member)) => {
                    (Content::Value(At { level, index: first }, member.node), path::Step::Member(number, first))
                }
                _ => (Content::Group(Members::new(node, number, level, first..first + count)), path::Step::Nameless),
            };
            let written = match self.has_addition(level, number, addition) {
                Ok(false) => Ok(()),
                Ok(true) => self.open_type(inner, calls),
                Err(error) => Err(error),
            };
            if let Err(error) = written {
                return self.met(step, error);
            }
        }
        Ok(())
    }

    /// Writes an open type, which is a level of its own.
    fn open_type(&mut self, inner: Content<S::Level>, calls: u32) -> Result<(), Error> {
        // A group of members is another level.
        if calls == 0 || calls == 1 && self.depth.is_left() {
            return self.with_more_levels(calls, |writer, calls| writer.open_type(inner, calls));
        }
        self.begin_open_type();
        match inner {
            Content::Value(At { level, index }, node) => {
                self.value(level, index, &Step::new(self.types.code(node), node), calls - 1)?;
            }
            Content::Group(_) if calls == 1 => return Err(self.depth.exceeded()),
            Content::Group(mut members) => {
                let record = self.types.record(members.number);
                self.presence_one_by_one(&mut members, record)?;
                self.all_members(members, calls - 1)?;
            }
        }
        self.end_open_type();
        Ok(())
    }

    /// Writes a value of a type that other components select, or octets whose type is not known.
    #[inline(never)]
    pub(super) fn open(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        let (source, open) = (self.source, self.types.open(number));
        if let (Some(string), Some(alternatives)) = (&open.string, contents::alternatives(open)) {
            return self.containing(At { level, index }, node, string, alternatives, calls);
        }
        let (alternative, level) = source.choice(At { level, index }, node);
        let inside = At { level, index: 0 };
        match open.alternatives.get(alternative as usize) {
            Some(chosen) if source.is_present(inside, *chosen) => {
                self.open_type(Content::Value(inside, *chosen), calls)
            }
            _ => match source.unknown(inside, node) {
                Some(_) if alternative != UNKNOWN => Err(Self::by_other_rules("an open type")),
                Some(octets) => {
                    write_octets::<ALIGNED>(octets, &mut self.bits);
                    Ok(())
                }
                None => Err(self.refused(node, "no value of an open type".into())),
            },
        }
    }

    pub(super) fn begin_open_type(&mut self) {
        let spare = std::mem::take(&mut self.spare);
        let parked = self.bits.park(spare);
        self.parked.push(parked);
    }

    fn end_open_type(&mut self) {
        let Some(parked) = self.parked.pop() else { return };
        let (mut octets, _) = self.bits.unpark(parked);
        if octets.is_empty() {
            octets.push(0);
        }
        write_octets::<ALIGNED>(&octets, &mut self.bits);
        octets.clear();
        self.spare = octets;
    }

    /// Writes the index of the chosen alternative of the root. Returns its level, its number, and its encoding. `None`,
    /// and nothing is written, for any other alternative or one that is absent.
    #[inline(always)]
    fn choose(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Option<(S::Level, u32, &'a Step)> {
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
            return self.deeper(level, index, node, false, calls);
        }
        let at = At { level, index };
        let Some((level, alternative, step)) = self.choose(at, node, number) else {
            return self.choose_widely(at, node, number, calls - 1);
        };
        match self.value(level, 0, step, calls - 1) {
            Ok(()) => Ok(()),
            Err(error) => self.met(path::Step::Chosen(node, alternative), error),
        }
    }

    /// Writes a CHOICE whose value is an addition, or refuses an alternative that the CHOICE does not have.
    #[inline(never)]
    fn choose_widely(&mut self, at: At<S::Level>, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        let (source, types) = (self.source, self.types);
        let choice = types.choice(number);
        let (alternative, level) = source.choice(at, node);
        if alternative >= oer::BY_TAG && choice.extensible {
            return Err(Self::by_other_rules("an alternative"));
        }
        let inside = At { level, index: 0 };
        let Some(addition) = alternative.checked_sub(choice.root).filter(|_| choice.extensible) else {
            let Some(chosen) = choice.alternatives.get(alternative as usize).filter(|_| alternative < choice.root)
            else {
                return Err(self.refused(node, "an alternative that it does not have".into()));
            };
            let error = self.missing(node, &chosen.name);
            return self.met(path::Step::Chosen(node, alternative), error);
        };
        self.bits.bit(true);
        write_small::<ALIGNED>(addition.into(), &mut self.bits);
        let Some(chosen) = choice.alternatives.get(alternative as usize) else {
            return match source.unknown(inside, node) {
                Some(octets) => {
                    write_octets::<ALIGNED>(octets, &mut self.bits);
                    Ok(())
                }
                None => Err(self.refused(node, "an alternative that it does not have".into())),
            };
        };
        let written = match source.is_present(inside, chosen.node) {
            true => self.open_type(Content::Value(inside, chosen.node), calls),
            false => Err(self.missing(node, &chosen.name)),
        };
        match written {
            Ok(()) => Ok(()),
            Err(error) => self.met(path::Step::Chosen(node, alternative), error),
        }
    }
}
