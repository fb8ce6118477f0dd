//! The values of components that select the type of an open type, as they are met in a message.

use tam::{Error, ErrorKind, Words};

use crate::EncodingRules;
use crate::compiled::{NodeId, Open, Record};
use crate::event::{At, Integer, Real, Sink, Stretch};

/// The alternative of an open type whose type is not known, with octets of PER.
pub(crate) const UNKNOWN: u32 = u32::MAX - 2;

/// The same with octets of OER.
pub(crate) const UNKNOWN_OER: u32 = u32::MAX - 1;

/// The same for a tag, a length and contents of BER.
pub(crate) const UNKNOWN_BER: u32 = u32::MAX;

/// The alternative for octets by some rules.
pub(crate) fn unknown_by(rules: EncodingRules) -> u32 {
    match rules {
        EncodingRules::Ber | EncodingRules::Cer => UNKNOWN_BER,
        EncodingRules::Oer => UNKNOWN_OER,
        _ => UNKNOWN,
    }
}

/// The value of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Key {
    /// It has not been met.
    #[default]
    Absent,
    /// A BOOLEAN, INTEGER or ENUMERATED.
    Number(i64),
    /// Anything else: what a [`KeySink`] makes of it.
    Octets(Vec<u8>),
}

impl Key {
    /// Appends the key, so that lists of keys differ if any of their keys do.
    pub(crate) fn push(&self, all: &mut Vec<u8>) {
        match self {
            Key::Absent => all.push(0),
            Key::Number(number) => {
                all.push(1);
                all.extend_from_slice(&number.to_be_bytes());
            }
            Key::Octets(octets) => {
                all.push(2);
                all.extend_from_slice(&(octets.len() as u64).to_be_bytes());
                all.extend_from_slice(octets);
            }
        }
    }
}

/// The octets of a single key that is a string, in what [`Key::push`] has appended.
pub(crate) fn simple_octets(pushed: &[u8]) -> Option<&[u8]> {
    let [2, rest @ ..] = pushed else { return None };
    // What `KeySink::put` writes: a kind, an index and a length.
    let (head, octets) = rest.get(8..)?.split_at_checked(9)?;
    (head.get(5..) == Some(&(octets.len() as u32).to_be_bytes()[..])).then_some(octets)
}

/// The most that is read ahead for keys that come after their open types, for each octet of a message.
const AHEAD: u64 = 64;

/// What any message may read ahead, in octets.
const AHEAD_ANYWAY: u64 = 1 << 16;

/// The keys of the open records.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    found: Vec<(u32, Key)>,
    /// The octets that have been read ahead.
    ahead: u64,
}

impl Keys {
    /// Begins a record. Returns what [`Keys::set`] and [`Keys::end`] need.
    pub(crate) fn begin(&mut self, record: &Record) -> usize {
        let base = self.found.len();
        self.found.extend(record.keys.iter().map(|key| (key.slot, Key::Absent)));
        base
    }

    /// The key with an index in its record has been met.
    pub(crate) fn set(&mut self, base: usize, index: usize, key: Key) {
        if let Some((_, place)) = self.found.get_mut(base + index) {
            *place = key;
        }
    }

    /// What [`Keys::end`] returns to.
    pub(crate) fn mark(&self) -> usize {
        self.found.len()
    }

    pub(crate) fn end(&mut self, base: usize) {
        self.found.truncate(base);
    }

    /// The alternative of an open type that its keys select, and its type. A sink without keys has octets instead.
    pub(crate) fn choose<S: Sink>(&self, open: &Open) -> Option<(u32, NodeId)> {
        let alternative = if S::KEYS { self.select(open)? } else { return None };
        Some((alternative, *open.alternatives.get(alternative as usize)?))
    }

    /// The alternative that the keys select.
    pub(crate) fn select(&self, open: &Open) -> Option<u32> {
        match &open.keys[..] {
            [] => open.only(),
            [slot] => match self.get(*slot) {
                Key::Number(number) => open.by_number(*number),
                key => open.by_octets(&pushed([key])),
            },
            slots => open.by_octets(&pushed(slots.iter().map(|slot| self.get(*slot)))),
        }
    }

    /// Whether the key of an open type selects a row that does not say which type the value is of.
    pub(crate) fn selects_untyped(&self, open: &Open) -> bool {
        matches!(open.keys[..], [slot] if open.is_untyped(self.get(slot)))
    }

    /// Charges octets that have been read ahead: records in each other may each read all that is in them.
    pub(crate) fn charge(&mut self, octets: u64, message: usize) -> Result<(), Error> {
        self.ahead += octets;
        let most = AHEAD_ANYWAY + AHEAD * message as u64;
        if self.ahead <= most {
            return Ok(());
        }
        let found = "identifiers after the open types that they select, in too many records within each other";
        Err(Error::new(ErrorKind::Limit, "asn1", 0, found, Words::AtMost(most, "octets read ahead")))
    }

    /// The innermost key of a slot.
    fn get(&self, slot: u32) -> &Key {
        self.found.iter().rev().find(|(own, _)| *own == slot).map_or(&Key::Absent, |(_, key)| key)
    }
}

fn pushed<'k>(keys: impl IntoIterator<Item = &'k Key>) -> Vec<u8> {
    let mut all = Vec::new();
    keys.into_iter().for_each(|key| key.push(&mut all));
    all
}

/// A [`Sink`] that makes a key of the value at a path.
#[derive(Debug)]
pub(crate) struct KeySink<'m> {
    message: &'m [u8],
    path: &'m [u32],
    buffer: Vec<u8>,
    number: Option<i64>,
    octets: Vec<u8>,
    /// Whether the key is complete.
    found: bool,
}

/// A level is how many steps of the path lead to the values in it, if their index is that of the last step.
type Depth = u32;

/// Nothing at this level is on the path.
const OFF: Depth = u32::MAX;
/// Everything at this level is in the key.
const IN: Depth = u32::MAX - 1;
/// Whatever is at this level is on the path: it is the chosen value of a CHOICE.
const CHOSEN: Depth = 1 << 31;

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Off,
    /// On the path, after a number of steps.
    On(usize),
    In,
}

impl<'m> KeySink<'m> {
    /// `path` leads from the value to the key: indexes of members and alternatives.
    pub(crate) fn new(message: &'m [u8], path: &'m [u32]) -> KeySink<'m> {
        KeySink { message, path, buffer: Vec::new(), number: None, octets: Vec::new(), found: false }
    }

    /// The key, after a walk that ended this way. The walk ends with an error once the key is complete.
    pub(crate) fn key(self, walked: &Result<(), Error>) -> Key {
        match self.number {
            _ if walked.is_err() && !self.found => Key::Absent,
            Some(number) => Key::Number(number),
            None if self.octets.is_empty() => Key::Absent,
            None => Key::Octets(self.octets),
        }
    }

    fn place(&self, at: At<Depth>) -> Place {
        match at.level {
            OFF => Place::Off,
            IN => Place::In,
            0 => Place::On(0),
            level if level & CHOSEN != 0 => Place::On((level & !CHOSEN) as usize),
            level if self.path.get(level as usize - 1) == Some(&at.index) => Place::On(level as usize),
            _ => Place::Off,
        }
    }

    /// Whether a value is the key, or in it.
    fn takes(&self, at: At<Depth>) -> bool {
        matches!(self.place(at), Place::In) || self.place(at) == Place::On(self.path.len())
    }

    fn put(&mut self, at: At<Depth>, kind: u8, octets: &[u8]) {
        if self.takes(at) {
            // The index of the key itself is part of its path.
            let index = if at.level == IN { at.index } else { 0 };
            self.octets.push(kind);
            self.octets.extend_from_slice(&index.to_be_bytes());
            self.octets.extend_from_slice(&(octets.len() as u32).to_be_bytes());
            self.octets.extend_from_slice(octets);
        }
    }

    fn put_number(&mut self, at: At<Depth>, number: i64) -> Result<(), Error> {
        match self.place(at) {
            Place::On(steps) if steps == self.path.len() => self.number = Some(number),
            _ => self.put(at, 1, &number.to_be_bytes()),
        }
        self.end_of(at)
    }

    /// Ends the walk if a simple value is the key, so that nothing after it is read.
    fn end_of(&mut self, at: At<Depth>) -> Result<(), Error> {
        if self.path.is_empty() || self.place(at) != Place::On(self.path.len()) {
            return Ok(());
        }
        self.found = true;
        Err(Error::new(ErrorKind::Schema, "asn1", 0, "the identifier", ""))
    }

    fn bytes(&mut self, at: At<Depth>, kind: u8, stretch: Stretch) {
        if !self.takes(at) {
            return self.buffer.clear();
        }
        let octets = match stretch {
            Stretch::Message { start, len } => self.message.get(start..start + len).unwrap_or_default().to_vec(),
            Stretch::Buffer { start } => self.buffer.get(start..).unwrap_or_default().to_vec(),
        };
        self.put(at, kind, &octets);
    }

    /// The level in something at a place; `chosen` is the alternative of a CHOICE.
    fn enter(&mut self, at: At<Depth>, chosen: Option<u32>, len: u32) -> Depth {
        match (self.place(at), chosen) {
            (Place::Off, _) => OFF,
            (Place::On(steps), None) if steps < self.path.len() => steps as u32 + 1,
            (Place::On(steps), Some(chosen)) if steps < self.path.len() => {
                if self.path.get(steps) == Some(&chosen) {
                    CHOSEN | (steps as u32 + 1)
                } else {
                    OFF
                }
            }
            _ => {
                self.put(at, 8, &chosen.unwrap_or(len).to_be_bytes());
                IN
            }
        }
    }
}

impl Sink for KeySink<'_> {
    type Level = Depth;

    const KEYS: bool = false;

    const CONTENTS: bool = false;

    fn root(&mut self, _: NodeId) -> Depth {
        0
    }

    fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    fn null(&mut self, at: At<Depth>, _: NodeId) -> Result<(), Error> {
        self.put_number(at, 0)
    }

    fn boolean(&mut self, at: At<Depth>, _: NodeId, value: bool) -> Result<(), Error> {
        self.put_number(at, value.into())
    }

    fn integer(&mut self, at: At<Depth>, _: NodeId, value: Integer<'_>) -> Result<(), Error> {
        match value {
            Integer::Small(number) => self.put_number(at, number),
            Integer::Big(octets) => {
                self.put(at, 2, octets);
                self.end_of(at)
            }
        }
    }

    fn enumerated(&mut self, at: At<Depth>, _: NodeId, item: u32) -> Result<(), Error> {
        self.put_number(at, item.into())
    }

    fn real(&mut self, at: At<Depth>, _: NodeId, value: Real<'_>) -> Result<(), Error> {
        match value {
            Real::Double(double) => self.put_number(at, double.to_bits() as i64),
            Real::Decimal(text) => {
                self.put(at, 3, text.as_bytes());
                self.end_of(at)
            }
        }
    }

    fn bit_string(&mut self, at: At<Depth>, _: NodeId, octets: Stretch, len: u64) -> Result<(), Error> {
        self.bytes(at, 4, octets);
        self.put(at, 1, &len.to_be_bytes());
        self.end_of(at)
    }

    fn octets(&mut self, at: At<Depth>, _: NodeId, octets: Stretch) -> Result<(), Error> {
        self.bytes(at, 5, octets);
        self.end_of(at)
    }

    fn text(&mut self, at: At<Depth>, _: NodeId, text: Stretch) -> Result<(), Error> {
        self.bytes(at, 6, text);
        self.end_of(at)
    }

    fn record(&mut self, at: At<Depth>, _: NodeId) -> Result<Depth, Error> {
        Ok(self.enter(at, None, 0))
    }

    fn row(&mut self, at: At<Depth>, _: NodeId) -> Result<Depth, Error> {
        Ok(self.enter(at, None, 0))
    }

    fn choice(&mut self, at: At<Depth>, _: NodeId, alternative: u32) -> Result<Depth, Error> {
        Ok(self.enter(at, Some(alternative), 0))
    }

    fn array(&mut self, at: At<Depth>, _: NodeId, len: u32) -> Result<Depth, Error> {
        let level = self.enter(at, None, len);
        Ok(if level == IN { IN } else { OFF })
    }

    fn more(&mut self, _: At<Depth>, _: NodeId, level: Depth, _: u32) -> Result<Depth, Error> {
        Ok(level)
    }

    fn unknown(&mut self, at: At<Depth>, _: NodeId, octets: Stretch) -> Result<(), Error> {
        self.bytes(at, 7, octets);
        self.end_of(at)
    }

    fn end(&mut self, _: NodeId, _: Depth) -> Result<(), Error> {
        Ok(())
    }
}
