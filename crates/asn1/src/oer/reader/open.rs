//! Types that components select (X.696 clause 30, X.682 clause 10): the components are read twice, the second time as
//! keys.

use std::ops::Range;

use tam::Error;

use super::Reader;
use crate::compiled::{Code, NodeId};
use crate::event::{At, Part, Sink, Stretch};
use crate::keys::{Key, KeySink, Keys, UNKNOWN_OER};
use crate::path;

impl<S: Sink> Reader<'_, '_, S> {
    /// Reads the members of the root of a record in which members select the types of others; `presence` is the bit of
    /// the first optional one.
    #[inline(never)]
    pub(super) fn keyed_members(
        &mut self,
        number: u32,
        level: S::Level,
        range: Range<u32>,
        presence: usize,
        base: usize,
        calls: u32,
    ) -> Result<(), Error> {
        let types = self.types;
        let record = types.record(number);
        let mut presence = presence;
        // Open types whose keys come after them, and where they start.
        let mut later: Vec<(u32, usize)> = Vec::new();
        for (index, step) in range.clone().zip(record.steps.iter().skip(range.start as usize)) {
            if step.is_optional() {
                presence += 1;
                if !self.bit(presence - 1) {
                    continue;
                }
            }
            let at = At { level, index };
            if let Code::Open(open) = step.code
                && self.keys.is_missing(types.open(open), base)
            {
                later.push((index, self.at));
                let skipped = self.length(at, step.node).and_then(|count| self.take(count));
                if let Err(error) = skipped {
                    return self.met(path::Step::Member(number, index), error);
                }
                continue;
            }
            for (place, key) in record.keys.iter().enumerate().filter(|(_, key)| key.member == index) {
                let key = self.key(step.node, &key.path);
                self.keys.set(base, place, key);
            }
            if let Err(error) = self.value(at, step.node, false, calls) {
                return self.met(path::Step::Member(number, index), error);
            }
        }
        let end = self.at;
        for (index, start) in later {
            let Some(step) = record.steps.get(index as usize) else { break };
            self.at = start;
            if let Err(error) = self.value(At { level, index }, step.node, false, calls) {
                return self.met(path::Step::Member(number, index), error);
            }
        }
        self.at = end;
        Ok(())
    }

    /// The key in the value that starts here. A fault in it is reported when the value itself is read.
    fn key(&mut self, node: NodeId, path: &[u32]) -> Key {
        let mut sink = KeySink::new(self.message, path);
        let mut depth = self.depth;
        let calls = depth.take();
        let mut reader = Reader::<KeySink<'_>> {
            types: self.types,
            message: self.message,
            at: self.at,
            end: self.end,
            inside: self.inside,
            sink: &mut sink,
            free: self.free,
            depth,
            trail: Vec::new(),
            text: String::new(),
            keys: Keys::default(),
        };
        match depth.with_room(|| reader.value(At { level: 0, index: 0 }, node, false, calls)) {
            Ok(()) => sink.key(),
            Err(_) => Key::Absent,
        }
    }

    /// Reads an open type: a value of the type that its keys select, or octets if they select none.
    #[inline(never)]
    pub(super) fn open(&mut self, at: At<S::Level>, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        let open = self.types.open(number);
        let selected = if S::KEYS { self.keys.select(open) } else { None };
        let chosen =
            selected.and_then(|alternative| Some((alternative, *open.alternatives.get(alternative as usize)?)));
        let Some((alternative, chosen)) = chosen else {
            let level = self.sink.choice(at, node, UNKNOWN_OER)?;
            let inside = At { level, index: 0 };
            let len = self.length(inside, node)?;
            let start = self.take(len)?;
            self.report(inside, node, Part::Unknown, start);
            self.sink.unknown(inside, node, Stretch::Message { start, len })?;
            return self.sink.end(node, level);
        };
        let level = self.sink.choice(at, node, alternative)?;
        let inside = At { level, index: 0 };
        self.open_type(inside, node, |reader| reader.value(inside, chosen, false, calls))?;
        self.sink.end(node, level)
    }
}
