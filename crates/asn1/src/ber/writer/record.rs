//! SEQUENCE and SET (X.690 clauses 8.9 and 8.11), the last component first.

use tam::{Error, ErrorKind, Words};

use super::super::order;
use super::{Form, Frame, FrameKind, NONE, Writer};
use crate::compiled::{Addition, Member, NodeId, Presence, Record};
use crate::equal;
use crate::event::{At, Source};

impl<S: Source> Writer<'_, '_, S> {
    #[inline(always)]
    pub(super) fn open_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
        default: u32,
    ) -> Result<(), Error> {
        self.check_depth()?;
        let record = self.types.record(number);
        let level = if row { self.source.row(at, node) } else { self.source.record(at, node) };
        let (mut left, mut places) = (record.members.len() as u32, 0);
        if record.set && self.canonical {
            places = self.places.len() as u32 + 1;
            self.order_members(node, record, level)?;
            left = self.places.len() as u32 + 1 - places;
        }
        let (kind, mark) = (FrameKind::Record { number, places }, self.out.len());
        self.ends(self.types.node(node).tags.len());
        self.stack.push(Frame { node, level, mark, default, left, place: NONE, kind });
        Ok(())
    }

    /// The members of a SET that are present, in the order of their tags: those of untagged choices by their chosen
    /// alternative in DER, and by their least one in CER (X.690 clauses 9.3 and 10.3).
    #[inline(never)]
    fn order_members(&mut self, node: NodeId, record: &Record, level: S::Level) -> Result<(), Error> {
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        let mut nothing_of = NONE;
        let least = match self.form {
            Form::Canonical => record.least_tags(),
            _ => Vec::new(),
        };
        for (index, member) in (0..).zip(&record.members) {
            let at = At { level, index };
            if self.is_written(at, node, record, member, &mut nothing_of)?.is_some() {
                let least = least.get(index as usize).copied().flatten();
                let tag = least.or_else(|| order::outermost_tag(self.source, self.types, at, member.node));
                members.push((tag, index));
            }
        }
        members.sort_unstable();
        self.places.extend(members.iter().map(|(_, place)| place));
        self.members = members;
        Ok(())
    }

    /// Whether a member is written, as far as known before: the number of the default that it may equal, from 1, or 0;
    /// `None` if it is not written.
    #[inline(always)]
    fn is_written(
        &self,
        at: At<S::Level>,
        node: NodeId,
        record: &Record,
        member: &Member,
        nothing_of: &mut u32,
    ) -> Result<Option<u32>, Error> {
        if !self.source.is_present(at, member.node) {
            if member.presence == Presence::Mandatory {
                self.check_absent(at, node, record, member, nothing_of)?;
            }
            return Ok(None);
        }
        // Sending a value that equals its default is the sender's option, except in DER (X.690 clause 11.5). We send
        // it.
        let Presence::Default(number) = member.presence else { return Ok(Some(0)) };
        if !self.canonical {
            return Ok(Some(0));
        }
        let default = self.types.default_value(number);
        Ok(match equal::simple(self.types, self.source, at, member.node, default, self.canonical) {
            Some(true) => None,
            Some(false) => Some(0),
            None => Some(number + 1),
        })
    }

    /// Refuses to leave out a member that its group or its record requires. `nothing_of` is the first member of a group
    /// already found to be absent.
    #[cold]
    #[inline(never)]
    fn check_absent(
        &self,
        at: At<S::Level>,
        node: NodeId,
        record: &Record,
        member: &Member,
        nothing_of: &mut u32,
    ) -> Result<(), Error> {
        let Some(Addition { first, count, .. }) = record.group(at.index) else {
            return if at.index < record.root { Err(self.missing(node, &member.name)) } else { Ok(()) };
        };
        if nothing_of == first {
            return Ok(());
        }
        for index in *first..first + count {
            let at = At { level: at.level, index };
            let Some(other) = record.members.get(index as usize) else { break };
            // A member left out for its default does not make its group present.
            if self.source.is_present(at, other.node)
                && match other.presence {
                    Presence::Default(number) if self.canonical => {
                        let default = self.types.default_value(number);
                        equal::simple(self.types, self.source, at, other.node, default, self.canonical) != Some(true)
                    }
                    _ => true,
                }
            {
                return Err(self.missing(node, &member.name));
            }
        }
        *nothing_of = *first;
        Ok(())
    }

    #[cold]
    pub(super) fn missing(&self, node: NodeId, name: &str) -> Error {
        let found = Words::Own(format!("missing component {name} of {}", self.types.node(node).name));
        Error::new(ErrorKind::Schema, "ber", 0, found, "")
    }

    /// Writes members, the last one first, until one has content of its own, or all have been written.
    #[inline(always)]
    pub(super) fn record(&mut self, top: usize, number: u32, places: u32) -> Result<(), Error> {
        let Some(frame) = self.stack.get(top) else { return Ok(()) };
        let (node, level, mark, default, mut left) = (frame.node, frame.level, frame.mark, frame.default, frame.left);
        let record = self.types.record(number);
        let mut nothing_of = NONE;
        while left > 0 {
            left -= 1;
            let place = match places {
                0 if record.set => left,
                0 => record.place(left),
                first => self.places.get((first - 1 + left) as usize).copied().unwrap_or(NONE),
            };
            let Some(member) = record.members.get(place as usize) else { continue };
            let at = At { level, index: place };
            let written = match self.is_written(at, node, record, member, &mut nothing_of) {
                Ok(written) => written,
                Err(error) => {
                    self.be_at(top, left, NONE);
                    return Err(error);
                }
            };
            let Some(default) = written else { continue };
            self.be_at(top, left, place);
            self.value(at, member.node, false, default)?;
            if self.stack.len() > top + 1 {
                return Ok(());
            }
        }
        if places > 0 {
            self.places.truncate(places as usize - 1);
        }
        self.end(node, mark, default)
    }

    /// Records which member is being written.
    #[inline(always)]
    pub(super) fn be_at(&mut self, top: usize, left: u32, place: u32) {
        if let Some(frame) = self.stack.get_mut(top) {
            (frame.left, frame.place) = (left, place);
        }
    }
}
