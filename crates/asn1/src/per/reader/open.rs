//! Types that components select (X.691 clause 11.2, X.682 clause 10): the components are read twice, the second time as
//! keys.

use tam::Error;

use super::super::primitive::{Length, read_length};
use super::Reader;
use super::open_type::Content;
use super::record::{END, Members, more_presence};
use crate::compiled::{Code, NodeId, Record, Step};
use crate::event::{At, Sink};
use crate::keys::{Key, KeySink, Keys, UNKNOWN};
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
        // Open types whose keys come after them, and where they start.
        let mut later: Vec<(u32, u64)> = Vec::new();
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
            if let Code::Open(number) = step.code
                && self.keys.is_missing(self.types.open(number), base)
            {
                later.push((index, self.bits.position()));
                self.pass_open_type()?;
                continue;
            }
            for (place, key) in record.keys.iter().enumerate() {
                if key.member == index {
                    let key = self.key(step, &key.path);
                    self.keys.set(base, place, key);
                }
            }
            self.value(members.level, index, step, calls)?;
        }
        let (next, end) = (members.next, self.bits.position());
        for (index, start) in later {
            let Some(step) = record.steps.get(index as usize) else { break };
            members.next = index + 1;
            self.bits.seek(start);
            self.value(members.level, index, step, calls)?;
            self.bits.seek(end);
        }
        members.next = next;
        Ok(())
    }

    /// The key in the value that starts here. A fault in it is reported when the value itself is read.
    fn key(&mut self, step: &Step, path: &[u32]) -> Key {
        if let Code::Scalar(lower, range, _) = step.code {
            let mut bits = self.bits;
            return match range.read_short::<ALIGNED>(&mut bits) {
                Ok(above) => Key::Number(lower.wrapping_add(above as i64)),
                Err(_) => Key::Absent,
            };
        }
        let mut sink = KeySink::new(self.bits.message(), path);
        let mut depth = self.depth;
        let calls = depth.take();
        let mut reader = Reader::<KeySink<'_>, ALIGNED> {
            types: self.types,
            bits: self.bits,
            sink: &mut sink,
            free: self.free,
            depth,
            trail: Vec::new(),
            scratch: Vec::new(),
            text: String::new(),
            lend: true,
            fragmented: self.fragmented,
            keys: Keys::default(),
        };
        match depth.with_room(|| reader.value(0, 0, step, calls)) {
            Ok(()) => sink.key(),
            Err(_) => Key::Absent,
        }
    }

    /// Goes over an open type without reporting it.
    fn pass_open_type(&mut self) -> Result<(), Error> {
        loop {
            let Length { count, more } = read_length::<ALIGNED>(&mut self.bits)?;
            self.bits.skip(count * 8)?;
            if !more {
                return Ok(());
            }
        }
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
        let selected = if S::KEYS { self.keys.select(open) } else { None };
        let chosen =
            selected.and_then(|alternative| Some((alternative, *open.alternatives.get(alternative as usize)?)));
        let Some((alternative, chosen)) = chosen else {
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
