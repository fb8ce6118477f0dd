//! Types that components select (X.682 clause 10), in a message of BER.

use tam::{Error, ErrorKind, Words};

use super::header::{Header, key, notation};
use super::reader::{Frame, Reader};
use crate::compiled::{CONTENT, ContentString, Kind, Node, NodeId, Record, STRING};
use crate::contents::{self, Content, Context};
use crate::event::{At, Part, Sink, Stretch};
use crate::keys::{Key, KeySink, UNKNOWN_BER};

/// The most open types directly in each other.
const WITHIN: u32 = 100;

impl<'m, S: Sink> Reader<'_, 'm, S> {
    /// Reads an open type: a value of the type that its keys select, or octets if they select none. A value with content
    /// of its own is left on the stack.
    #[inline(never)]
    pub(super) fn open(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        described: &Node,
        number: u32,
        header: Header,
    ) -> Result<(), Error> {
        let mut header = header;
        let types = self.types;
        let open = types.open(number);
        if let Some(inner) = described.tags.get(1..) {
            for tag in inner {
                header = self.pass_tag(at, node, header)?;
                if header.key() != key(*tag) {
                    return Err(self.unexpected(header, notation(*tag)));
                }
            }
            // The last tag of a string is its own.
            if !open.is_string() {
                header = self.pass_tag(at, node, header)?;
            }
        }
        if let (Some(string), Some(alternatives)) = (&open.string, contents::alternatives(open)) {
            return self.containing(at, node, string, alternatives, header);
        }
        let Some((alternative, chosen)) = self.keys.choose::<S>(open) else {
            return self.unknown_type(at, node, header);
        };
        if self.within >= WITHIN {
            let found = "open types directly in each other";
            return Err(Error::new(
                ErrorKind::Limit,
                "ber",
                self.start as u64,
                found,
                Words::AtMost(WITHIN.into(), ""),
            ));
        }
        let within = types.node(chosen);
        if !self.may_begin(within, header) {
            return Err(self.unexpected(header, self.tags_of(chosen)));
        }
        let level = self.sink.choice(at, node, alternative)?;
        self.enter(Frame::Choice { node, level, alternative })?;
        let top = self.stack.len();
        self.within += 1;
        self.value(At { level, index: 0 }, chosen, within, header, false)?;
        self.within -= 1;
        if self.stack.len() == top { self.end_choices(top - 1) } else { Ok(()) }
    }

    /// Reads a string that may be the encoding of a value.
    fn containing(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        string: &ContentString,
        (value, own): (NodeId, NodeId),
        header: Header,
    ) -> Result<(), Error> {
        let (start, types) = (self.start, self.types);
        let (octets, bits) = self.string_of(at, node, &string.kind, header)?;
        let rules = string.rules.map_or(self.rules, |rules| rules.rules);
        let levels = (self.limits.depth as usize + self.nameless).saturating_sub(self.stack.len() + 1) as u32;
        let joined;
        let content = match octets {
            Stretch::Message { start, len } => Content {
                octets: self.message.get(..start + len).unwrap_or_default(),
                start: start as u64 * 8,
                bits,
                lend: self.lend,
            },
            Stretch::Buffer { start } => {
                joined = self.sink.buffer().get(start..).unwrap_or_default().to_vec();
                Content { octets: &joined, start: 0, bits, lend: false }
            }
        };
        let mut keys = std::mem::take(&mut self.keys);
        let mut context = Context { keys: &mut keys, levels, limits: self.limits, nested: self.nested };
        let level = if contents::is_value::<S>(&content, types, value, rules, &mut context) {
            let level = self.sink.choice(at, node, CONTENT)?;
            let octets = self.lent(octets);
            self.sink.content_octets((At { level, index: 0 }, value), rules, octets, bits)?;
            contents::read(&content, types, (At { level, index: 0 }, value), rules, self.sink, &mut context)?;
            level
        } else {
            let level = self.sink.choice(at, node, STRING)?;
            let inside = At { level, index: 0 };
            if let Stretch::Message { start, len } = octets {
                self.report(inside, own, Part::Value, start, start + len);
            }
            let octets = self.lent(octets);
            match string.kind {
                Kind::BitString(..) => self.sink.bit_string(inside, own, octets, bits)?,
                _ => self.sink.octets(inside, own, octets)?,
            }
            level
        };
        self.keys = keys;
        self.start = start;
        self.sink.end(node, level)
    }

    /// Reads an open type of no known type.
    fn unknown_type(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<(), Error> {
        let level = self.sink.choice(at, node, UNKNOWN_BER)?;
        let inside = At { level, index: 0 };
        let start = self.start;
        self.skip(header)?;
        self.report(inside, node, Part::Unknown, start, self.at);
        let octets = self.lent(Stretch::Message { start, len: self.at - start });
        self.sink.unknown(inside, node, octets)?;
        self.sink.end(node, level)
    }

    /// Begins the record that is read next, whose members select the types of others.
    #[inline(never)]
    pub(super) fn begin_keyed(
        &mut self,
        record: &Record,
        number: u32,
        node: NodeId,
        header: Header,
    ) -> Result<(), Error> {
        let base = self.keys.begin(record);
        self.keyed.push(base);
        for (place, key) in record.keys.iter().enumerate().filter(|(_, key)| key.late) {
            let (found, octets) = self
                .key(&key.path, |reader| reader.open_record(At { level: 0, index: 0 }, node, number, header, false));
            self.keys.set(base, place, found);
            self.keys.charge(octets, self.message.len())?;
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn end_keyed(&mut self) {
        if let Some(keys) = self.keyed.pop() {
            self.keys.end(keys);
        }
    }

    /// Keeps the keys in the member whose header has been read.
    #[inline(never)]
    pub(super) fn keep_keys(&mut self, record: &Record, place: u32, node: NodeId) {
        let base = self.keyed.last().copied().unwrap_or_default();
        for (number, key) in record.keys.iter().enumerate().filter(|(_, key)| key.member == place && !key.late) {
            let (found, _) = self.key(key.in_member(), |reader| {
                reader.at = reader.start;
                reader.begin_walk(At { level: 0, index: 0 }, node)
            });
            self.keys.set(base, number, found);
        }
    }

    /// The key in the value whose header has been read, and how many octets have been read for it. A fault is reported
    /// when the value itself is read.
    fn key<'k>(
        &self,
        path: &'k [u32],
        begin: impl FnOnce(&mut Reader<'_, 'm, KeySink<'k>>) -> Result<(), Error>,
    ) -> (Key, u64)
    where
        'm: 'k,
    {
        let mut sink = KeySink::new(self.message, path);
        let mut reader = Reader::new(self.message, self.types, self.limits, &mut sink);
        (reader.at, reader.start, reader.end, reader.inside) = (self.at, self.start, self.end, self.inside);
        let walked = begin(&mut reader).and_then(|()| reader.walk());
        let octets = (reader.at - self.start) as u64;
        (sink.key(&walked), octets)
    }
}
