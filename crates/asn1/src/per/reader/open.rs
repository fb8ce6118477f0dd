//! Types that components select (X.691 clause 11.2, X.682 clause 10): the components are read twice, the first time as
//! keys.

use tam::Error;

use super::Reader;
use super::open_type::Content;
use super::record::{END, Members, more_presence};
use crate::compiled::{Code, NodeId, Record, Step};
use crate::contents;
use crate::event::{At, Sink};
use crate::keys::{Key, KeySink, UNKNOWN};
use crate::path;

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    /// Reads a SEQUENCE or SET whose members select the types of others.
    #[inline(never)]
    pub(super) fn keyed_record(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        row: bool,
        calls: u32,
    ) -> Result<(), Error> {
        let record = self.types.record(number);
        let base = self.keys.begin(record);
        for (place, key) in record.keys.iter().enumerate().filter(|(_, key)| key.late) {
            let (found, octets) = self.key(&Step::new(Code::Record(number), node), &key.path);
            self.keys.set(base, place, found);
            self.keys.charge(octets, self.bits.message().len())?;
        }
        let mut members = self.begin_record(At { level, index }, node, (number, record), row)?;
        if let Err(error) = self.keyed_members(record, &mut members, base, calls - 1) {
            return self.met(path::Step::before(number, members.next), error);
        }
        let done = match members {
            Members { extended: true, level, .. } => self.additions(node, number, level, calls - 1),
            Members { level, .. } => self.sink.end(node, level),
        };
        self.keys.end(base);
        done
    }

    fn keyed_members(
        &mut self,
        record: &Record,
        members: &mut Members<S::Level>,
        base: usize,
        calls: u32,
    ) -> Result<(), Error> {
        while members.next < members.end {
            let Some(step) = record.steps.get(members.next as usize) else { break };
            if step.is_optional() {
                if members.presence == END {
                    (members.presence, members.more) = more_presence(self.bits, members.more)?;
                    continue;
                }
                let present = members.presence >> 63 != 0;
                members.presence <<= 1;
                if !present {
                    members.next += 1;
                    continue;
                }
            }
            let index = members.next;
            members.next += 1;
            for (place, key) in record.keys.iter().enumerate() {
                if key.member == index && !key.late {
                    let (key, _) = self.key(step, key.in_member());
                    self.keys.set(base, place, key);
                }
            }
            self.value(members.level, index, step, calls)?;
        }
        Ok(())
    }

    /// The key in the value that starts here, and how many octets have been read for it. A fault is reported when the
    /// value itself is read.
    fn key(&mut self, step: &Step, path: &[u32]) -> (Key, u64) {
        if let Code::Scalar(lower, range, _) = step.code {
            let mut bits = self.bits;
            return match range.read_short::<ALIGNED>(&mut bits) {
                Ok(above) => (Key::Number(lower.wrapping_add(above as i64)), 0),
                Err(_) => (Key::Absent, 0),
            };
        }
        let mut sink = KeySink::new(self.bits.message(), path);
        let mut depth = self.depth;
        let calls = depth.take();
        let mut reader = Reader::<_, ALIGNED>::new(self.types, self.bits, &mut sink, self.free, depth, self.limits);
        reader.fragmented = self.fragmented;
        let walked = depth.with_room(|| reader.value(0, 0, step, calls));
        let octets = (reader.bits.position() - self.bits.position()) / 8;
        (sink.key(&walked), octets)
    }

    /// Reads an open type: a value of the type that its keys select, or octets if they select none.
    #[inline(never)]
    pub(super) fn open(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        let types = self.types;
        let (at, open) = (At { level, index }, types.open(number));
        if let (Some(string), Some(alternatives)) = (&open.string, contents::alternatives(open)) {
            return self.containing(at, node, string, alternatives, calls);
        }
        let Some((alternative, chosen)) = self.keys.choose::<S>(open) else {
            let level = self.sink.choice(at, node, UNKNOWN)?;
            let inside = At { level, index: 0 };
            let octets = self.counted(inside, node)?;
            self.sink.unknown(inside, node, octets)?;
            return self.sink.end(node, level);
        };
        let level = self.sink.choice(at, node, alternative)?;
        let inside = At { level, index: 0 };
        self.open_type(inside, node, Content::Value(inside, chosen), calls)?;
        self.sink.end(node, level)
    }
}
