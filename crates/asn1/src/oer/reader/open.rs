//! Types that components select (X.696 clause 30, X.682 clause 10): the components are read twice, the first time as
//! keys.

use tam::Error;

use super::Reader;
use crate::EncodingRules;
use crate::compiled::{CONTENT, ContentString, NodeId, Record, STRING};
use crate::contents::{self, Content, Context};
use crate::event::{At, Part, Sink};
use crate::keys::{Key, KeySink, UNKNOWN_OER};

impl<S: Sink> Reader<'_, '_, S> {
    /// Begins a record whose members select the types of others; returns the start of its keys.
    #[inline(never)]
    pub(super) fn begin_keyed(&mut self, node: NodeId, record: &Record) -> Result<usize, Error> {
        let base = self.keys.begin(record);
        for (place, key) in record.keys.iter().enumerate().filter(|(_, key)| key.late) {
            let (found, octets) = self.key(node, &key.path);
            self.keys.set(base, place, found);
            self.keys.charge(octets, self.message.len())?;
        }
        Ok(base)
    }

    /// Keeps the keys in a member that is read next.
    #[inline(never)]
    pub(super) fn keep_keys(&mut self, record: &Record, index: u32, node: NodeId, base: usize) {
        for (place, key) in record.keys.iter().enumerate().filter(|(_, key)| key.member == index && !key.late) {
            let (key, _) = self.key(node, key.in_member());
            self.keys.set(base, place, key);
        }
    }

    /// The key in the value that starts here, and how many octets have been read for it. A fault is reported when the
    /// value itself is read.
    fn key(&mut self, node: NodeId, path: &[u32]) -> (Key, u64) {
        let mut sink = KeySink::new(self.message, path);
        let mut depth = self.depth;
        let calls = depth.take();
        let mut reader = Reader::new(self.types, self.message, &mut sink, self.free, depth, self.limits);
        (reader.at, reader.end, reader.inside) = (self.at, self.end, self.inside);
        let walked = depth.with_room(|| reader.value(At { level: 0, index: 0 }, node, false, calls));
        let octets = (reader.at - self.at) as u64;
        (sink.key(&walked), octets)
    }

    /// Reads an open type: a value of the type that its keys select, or octets if they select none.
    #[inline(never)]
    pub(super) fn open(&mut self, at: At<S::Level>, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        let open = self.types.open(number);
        if let (Some(string), Some(alternatives)) = (&open.string, contents::alternatives(open)) {
            return self.containing(at, node, string, alternatives, calls);
        }
        let Some((alternative, chosen)) = self.keys.choose::<S>(open) else {
            let level = self.sink.choice(at, node, UNKNOWN_OER)?;
            let inside = At { level, index: 0 };
            let len = self.length(inside, node)?;
            let start = self.take(len)?;
            self.report(inside, node, Part::Unknown, start);
            let octets = self.lent(start, len);
            self.sink.unknown(inside, node, octets)?;
            return self.sink.end(node, level);
        };
        let level = self.sink.choice(at, node, alternative)?;
        let inside = At { level, index: 0 };
        self.open_type(inside, node, |reader| reader.value(inside, chosen, false, calls))?;
        self.sink.end(node, level)
    }

    /// Reads a string that may be the encoding of a value.
    fn containing(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        string: &ContentString,
        (value, own): (NodeId, NodeId),
        calls: u32,
    ) -> Result<(), Error> {
        // What is not lent is not reported either.
        let (first, lend) = (self.at, std::mem::replace(&mut self.lend, false));
        let found = self.string_of(at, node, &string.kind);
        self.lend = lend;
        let (start, len, bits) = found?;
        let octets = self.message.get(..start + len).unwrap_or_default();
        let content = Content { octets, start: start as u64 * 8, bits, lend };
        let rules = string.rules.map_or(EncodingRules::Oer, |rules| rules.rules);
        let mut keys = std::mem::take(&mut self.keys);
        let levels = self.depth.left() + calls;
        let mut context = Context { keys: &mut keys, levels, limits: self.limits, nested: self.nested };
        let after = std::mem::replace(&mut self.at, first);
        let read = if contents::is_value::<S>(&content, self.types, value, rules, &mut context) {
            self.at = start;
            self.report(at, node, Part::Length, first);
            self.at = after;
            let level = self.sink.choice(at, node, CONTENT)?;
            let octets = self.lent(start, len);
            self.sink.content_octets((At { level, index: 0 }, value), rules, octets, bits)?;
            contents::read(&content, self.types, (At { level, index: 0 }, value), rules, self.sink, &mut context)?;
            self.sink.end(node, level)
        } else {
            let level = self.sink.choice(at, node, STRING)?;
            self.simple(At { level, index: 0 }, own)?;
            self.sink.end(node, level)
        };
        self.keys = keys;
        read
    }
}
