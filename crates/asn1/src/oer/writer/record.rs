//! SEQUENCE and SET (X.696 clauses 16 and 18), the last component first.

use std::ops::Range;

use tam::Error;

use super::Writer;
use crate::compiled::{Addition, Member, NodeId, Presence, Record};
use crate::equal;
use crate::event::{At, Source};
use crate::path;
use crate::writer::presence_bits;

impl<'a, S: Source> Writer<'a, '_, S> {
    #[inline(never)]
    pub(super) fn record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
        calls: u32,
    ) -> Result<(), Error> {
        let record = self.types.record(number);
        let level = if row { self.source.row(at, node) } else { self.source.record(at, node) };
        let extended = match record.additions.is_empty() {
            true => false,
            false => self.additions(node, number, level, calls)?,
        };
        self.members((node, level), number, 0..record.root, calls)?;
        if record.extensible {
            self.present.push(extended);
        }
        self.preamble(u32::from(record.extensible) + record.optional);
        Ok(())
    }

    /// Writes members, and leaves in `present` which of the optional ones are there.
    #[inline(always)]
    fn members(
        &mut self,
        (node, level): (NodeId, S::Level),
        number: u32,
        range: Range<u32>,
        calls: u32,
    ) -> Result<(), Error> {
        let record = self.types.record(number);
        for index in range.rev() {
            let Some(member) = record.members.get(index as usize) else { continue };
            let written = match self.member(At { level, index }, member, calls) {
                Ok(false) if member.presence == Presence::Mandatory => Err(self.missing(node, &member.name)),
                written => written,
            };
            match written {
                Ok(present) if member.presence != Presence::Mandatory => self.present.push(present),
                Ok(_) => {}
                Err(error) => return self.met(path::Step::Member(number, index), error),
            }
        }
        Ok(())
    }

    /// Writes a member, if it is present and is not left out for its default.
    #[inline(always)]
    fn member(&mut self, at: At<S::Level>, member: &Member, calls: u32) -> Result<bool, Error> {
        if !self.source.is_present(at, member.node) {
            return Ok(false);
        }
        let mark = self.out.len();
        let Presence::Default(number) = member.presence else {
            return self.value(at, member.node, false, calls).map(|()| true);
        };
        let default = self.types.default_value(number);
        let equal = equal::simple(self.types, self.source, at, member.node, default, self.canonical);
        if equal == Some(true) {
            return Ok(false);
        }
        self.value(at, member.node, false, calls)?;
        // Values with content of their own are left out by the canonical rules; otherwise that is the sender's option.
        if equal.is_none() && self.canonical && self.is_default(number, mark)? {
            self.out.take_back(mark);
            return Ok(false);
        }
        Ok(true)
    }

    /// Writes the last `count` of `present` as bits of whole octets, and removes them.
    #[inline(always)]
    fn preamble(&mut self, count: u32) {
        let first = self.present.len() - count as usize;
        // They are in reverse: the first bit of the message is the last one.
        let bits = self.present.get(first..).unwrap_or_default();
        let last = bits.len() % 8;
        let (rest, whole) = bits.split_at(last);
        if last > 0 {
            self.out.octet(octet(rest) << (8 - last));
        }
        for eight in whole.chunks_exact(8) {
            self.out.octet(octet(eight));
        }
        self.present.truncate(first);
    }

    /// Writes the additions that are present, after bits that say which (X.696 clause 16.4). Returns whether there are
    /// any.
    #[inline(never)]
    fn additions(&mut self, node: NodeId, number: u32, level: S::Level, calls: u32) -> Result<bool, Error> {
        let record: &'a Record = self.types.record(number);
        let (before, own) = (self.present.len(), record.additions.len());
        let kept = self.source.additions(level).filter(|_| !self.canonical);
        let beyond = presence_bits(kept, own, own).saturating_sub(own);
        self.present.resize(before + beyond, false);
        for addition in record.additions.iter().rev() {
            let there = self.addition(node, number, level, addition, calls)?;
            self.present.push(there);
        }
        let present = self.present.get(before..).unwrap_or_default();
        let Some(first) = present.iter().position(|there| *there) else {
            self.present.truncate(before);
            return Ok(false);
        };
        let count = presence_bits(kept, own, present.len() - first);
        let mark = self.out.len();
        self.preamble(count as u32);
        self.present.truncate(before);
        self.out.octet((count.next_multiple_of(8) - count) as u8);
        self.length(mark);
        Ok(true)
    }

    /// Writes an addition as an open type, if it is present.
    fn addition(
        &mut self,
        node: NodeId,
        number: u32,
        level: S::Level,
        addition: &Addition,
        calls: u32,
    ) -> Result<bool, Error> {
        let record = self.types.record(number);
        let mark = self.out.len();
        let Addition { first, count, group } = *addition;
        let there = match (group, record.members.get(first as usize)) {
            (None, Some(member)) => match self.member(At { level, index: first }, member, calls) {
                Ok(there) => there,
                Err(error) => return self.met(path::Step::Member(number, first), error).map(|()| false),
            },
            _ => {
                let members = first..first + count;
                let present = |index| {
                    let member = record.members.get(index as usize);
                    member.is_some_and(|member| self.source.is_present(At { level, index }, member.node))
                };
                if !members.clone().any(present) {
                    return Ok(false);
                }
                let before = self.present.len();
                self.members((node, level), number, members, calls)?;
                // All of them may be left out for their defaults.
                let mandatory = (self.present.len() - before) < count as usize;
                let there = mandatory || self.present.get(before..).unwrap_or_default().contains(&true);
                match there {
                    true => self.preamble((self.present.len() - before) as u32),
                    false => self.present.truncate(before),
                }
                there
            }
        };
        if there {
            self.length(mark);
        }
        Ok(there)
    }
}

/// Up to eight bits, the last one highest.
#[inline(always)]
fn octet(bits: &[bool]) -> u8 {
    bits.iter().rev().fold(0, |octet, bit| octet << 1 | u8::from(*bit))
}
