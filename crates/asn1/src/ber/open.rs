//! Types that components select (X.682 clause 10), in a message of BER.

use tam::{Error, ErrorKind, Words};

use super::header::{Header, key, notation};
use super::reader::{Frame, Reader};
use crate::compiled::{Kind, Node, NodeId, Record};
use crate::event::{At, Part, Sink, Stretch};
use crate::keys::{Key, KeySink, Keys, UNKNOWN_BER};

/// The most open types directly in each other.
const WITHIN: u32 = 100;

/// An open record whose members select the types of others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyed {
    /// The start of its keys.
    pub(super) keys: usize,
    /// Once all members have been met but some are read later: its end.
    pub(super) end: Option<usize>,
}

/// An open type whose keys come after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Later {
    /// The place of its record on the stack.
    pub(super) top: usize,
    pub(super) member: u32,
    pub(super) start: usize,
}

impl<S: Sink> Reader<'_, '_, S> {
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
        if let Some(inner) = described.tags.get(1..) {
            for tag in inner {
                header = self.pass_tag(at, node, header)?;
                if header.key() != key(*tag) {
                    return Err(self.unexpected(header, notation(*tag)));
                }
            }
            header = self.pass_tag(at, node, header)?;
        }
        let types = self.types;
        let open = types.open(number);
        let selected = if S::KEYS { self.keys.select(open) } else { None };
        let chosen =
            selected.and_then(|alternative| Some((alternative, *open.alternatives.get(alternative as usize)?)));
        let Some((alternative, chosen)) = chosen else { return self.unknown_type(at, node, header) };
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

    /// Reads an open type of no known type.
    fn unknown_type(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<(), Error> {
        let level = self.sink.choice(at, node, UNKNOWN_BER)?;
        let inside = At { level, index: 0 };
        let start = self.start;
        self.skip(header)?;
        self.report(inside, node, Part::Unknown, start, self.at);
        self.sink.unknown(inside, node, Stretch::Message { start, len: self.at - start })?;
        self.sink.end(node, level)
    }

    #[inline(never)]
    pub(super) fn begin_keyed(&mut self, record: &Record) {
        let keys = self.keys.begin(record);
        self.keyed.push(Keyed { keys, end: None });
    }

    #[inline(never)]
    pub(super) fn end_keyed(&mut self) {
        if let Some(keyed) = self.keyed.pop() {
            self.keys.end(keyed.keys);
        }
    }

    /// Keeps the keys in the member whose header has been read. A fault in it is reported when it is read itself.
    #[inline(never)]
    pub(super) fn keep_keys(&mut self, record: &Record, place: u32, base: usize, node: NodeId) {
        for (number, key) in record.keys.iter().enumerate().filter(|(_, key)| key.member == place) {
            let mut sink = KeySink::new(self.message, &key.path);
            let mut reader = Reader::<KeySink<'_>> {
                message: self.message,
                types: self.types,
                sink: &mut sink,
                limits: self.limits,
                at: self.start,
                start: self.start,
                end: self.end,
                inside: self.inside,
                stack: Vec::new(),
                nameless: 0,
                seen: Vec::new(),
                text: String::new(),
                padding: 0,
                keys: Keys::default(),
                keyed: Vec::new(),
                later: Vec::new(),
                within: 0,
            };
            let found = match reader.walk(At { level: 0, index: 0 }, node) {
                Ok(()) => sink.key(),
                Err(_) => Key::Absent,
            };
            self.keys.set(base, number, found);
        }
    }

    /// Whether a member is an open type whose keys come after it. If so, goes over it.
    pub(super) fn comes_later(
        &mut self,
        top: usize,
        member: u32,
        kind: &Kind,
        base: usize,
        header: Header,
    ) -> Result<bool, Error> {
        let Kind::Open(number) = kind else { return Ok(false) };
        if !self.keys.is_missing(self.types.open(*number), base) {
            return Ok(false);
        }
        self.later.push(Later { top, member, start: self.start });
        self.skip(header)?;
        Ok(true)
    }
}
