//! Writing: a walk through a schema that asks a source for each value, the last one first.
//!
//! What is open waits on a stack of its own, as in the reader.

use std::collections::HashMap;

use tam::{Error, ErrorKind, Words};

use super::backward::Backward;
use super::frame::{Step, path};
use super::order;
use crate::compiled::{Addition, Array, Compiled, Kind, Member, Node, NodeId, Presence, Record, Size};
use crate::equal;
use crate::event::{At, Source};
use crate::per::Start;

/// Defaults encoded to be compared while one around them is encoded to be compared: no deeper than
/// this.
const COMPARED: u32 = 16;

/// Writes one value to the end of `out`; the number of octets. On an error `out` is as it was.
pub(crate) fn write<S: Source>(
    source: &S,
    types: &Compiled,
    start: Start<S::Level>,
    canonical: bool,
    depth: u32,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    let mut defaults = Defaults { encodings: HashMap::new(), within: 0 };
    write_with(source, types, start, canonical, depth, &mut defaults, out)
}

/// The encodings of defaults that hold other values, as far as they were asked for; none of those
/// that are being made.
struct Defaults {
    encodings: HashMap<u32, Option<Vec<u8>>>,
    /// How many are being made, one within the other.
    within: u32,
}

fn write_with<S: Source>(
    source: &S,
    types: &Compiled,
    start: Start<S::Level>,
    canonical: bool,
    depth: u32,
    defaults: &mut Defaults,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    let mut writer = Writer {
        types,
        source,
        out: Backward::new(out),
        canonical,
        depth,
        stack: Vec::new(),
        marks: Vec::new(),
        places: Vec::new(),
        defaults,
    };
    match writer.walk(start) {
        Ok(()) => Ok(writer.out.finish()),
        Err(error) => {
            let error = writer.explain(error);
            writer.out.abandon();
            Err(error)
        }
    }
}

pub(super) struct Writer<'a, 'o, S: Source> {
    pub(super) types: &'a Compiled,
    pub(super) source: &'a S,
    pub(super) out: Backward<'o>,
    pub(super) canonical: bool,
    depth: u32,
    stack: Vec<Frame<S::Level>>,
    /// Of the SETs OF that are open and to be sorted: how many octets had been written before each
    /// of their components.
    marks: Vec<usize>,
    /// Of the SETs that are open and have an order of their own: their members in it.
    places: Vec<u32>,
    defaults: &'a mut Defaults,
}

/// One open value, of which everything behind a place has been written.
#[derive(Clone, Copy, Debug)]
struct Frame<L> {
    node: NodeId,
    level: L,
    /// How many octets had been written before it.
    mark: usize,
    /// The number of the default that it is not written if equal to, from 1; else 0.
    default: u32,
    kind: FrameKind,
}

#[derive(Clone, Copy, Debug)]
enum FrameKind {
    /// SEQUENCE and SET.
    Record {
        number: u32,
        /// How many members there are left in front.
        left: u32,
        /// The member being written, for errors.
        member: u32,
        /// Where its members are among [`Writer::places`], if it has an order of its own.
        places: Option<u32>,
    },
    /// SEQUENCE OF and SET OF.
    Array {
        item: NodeId,
        /// How many components there are left in front.
        left: u32,
        /// Where its components are among [`Writer::marks`], if they are to be sorted.
        marks: Option<usize>,
    },
    /// CHOICE.
    Choice { alternative: u32 },
}

/// A member that is none.
const NONE: u32 = u32::MAX;

impl<S: Source> Writer<'_, '_, S> {
    #[cold]
    fn explain(&self, error: Error) -> Error {
        let steps = self.stack.iter().map(|frame| match frame.kind {
            FrameKind::Record { number, member, .. } => Step::Member(number, member),
            FrameKind::Array { left, .. } => Step::Item(left),
            FrameKind::Choice { alternative } => Step::Chosen(frame.node, alternative),
        });
        let path = path(self.types, steps);
        if path.is_empty() || !error.path().is_empty() { error } else { error.in_path(path) }
    }

    fn walk(&mut self, start: Start<S::Level>) -> Result<(), Error> {
        self.value(start.at, start.node, start.row, 0)?;
        while let Some(top) = self.stack.len().checked_sub(1)
            && let Some(mut frame) = self.stack.get(top).copied()
        {
            let ended = match frame.kind {
                FrameKind::Record { .. } => self.record(&mut frame),
                FrameKind::Array { .. } => self.array(&mut frame),
                FrameKind::Choice { .. } => Ok(true),
            };
            // What has been opened meanwhile is above it.
            if let (Ok(false) | Err(_), Some(place)) = (&ended, self.stack.get_mut(top)) {
                *place = frame;
            }
            if ended? {
                self.end(&frame)?;
                self.stack.truncate(top);
            }
        }
        Ok(())
    }

    fn enter(&mut self, frame: Frame<S::Level>) -> Result<(), Error> {
        if self.stack.len() >= self.depth as usize {
            return Err(Error::limit("ber", 0, "one more level", "depth", self.depth.into()));
        }
        self.stack.push(frame);
        Ok(())
    }

    /// Writes a value; what holds others is left on the stack.
    #[inline(always)]
    fn value(&mut self, at: At<S::Level>, node: NodeId, row: bool, default: u32) -> Result<(), Error> {
        let described = self.types.node(node);
        match described.kind {
            Kind::Record(number) => self.open_record(at, node, number, row, default),
            Kind::Array(array) => self.open_array(at, node, &array, default),
            Kind::Choice(_) => self.choice(at, node, default),
            _ => {
                let mark = self.out.len();
                self.simple(at, node, described)?;
                self.tags(described, false, mark);
                Ok(())
            }
        }
    }

    /// The headers in front of contents.
    #[inline(always)]
    fn tags(&mut self, described: &Node, constructed: bool, mark: usize) {
        if let [tag] = described.tags[..] {
            return self.out.header(tag, constructed, mark);
        }
        for (number, tag) in described.tags.iter().enumerate().rev() {
            let innermost = number + 1 == described.tags.len();
            self.out.header(*tag, constructed || !innermost, mark);
        }
    }

    /// Ends what has been open.
    #[inline]
    fn end(&mut self, frame: &Frame<S::Level>) -> Result<(), Error> {
        self.tags(self.types.node(frame.node), true, frame.mark);
        if frame.default > 0 && self.is_default(frame.default - 1, frame.mark)? {
            self.out.take_back(frame.mark);
        }
        Ok(())
    }

    /// Whether what has been written since a mark is the encoding of a default.
    #[cold]
    #[inline(never)]
    fn is_default(&mut self, number: u32, mark: usize) -> Result<bool, Error> {
        if !self.defaults.encodings.contains_key(&number) {
            if self.defaults.within >= COMPARED {
                if !self.canonical {
                    return Ok(false);
                }
                let found = "defaults within defaults";
                return Err(Error::new(ErrorKind::Limit, "ber", 0, found, Words::AtMost(COMPARED.into(), "compared")));
            }
            // While it is being made, what is in it cannot be equal to it.
            self.defaults.encodings.insert(number, None);
            self.defaults.within += 1;
            let value = self.types.default_value(number);
            let (look, at) = value.source();
            let start = Start { at, node: value.node_id(), row: false };
            let mut encoding = Vec::new();
            let (canonical, depth) = (self.canonical, self.depth);
            write_with(&look, self.types, start, canonical, depth, self.defaults, &mut encoding)?;
            self.defaults.within -= 1;
            self.defaults.encodings.insert(number, Some(encoding));
        }
        let encoding = self.defaults.encodings.get(&number).and_then(Option::as_deref);
        Ok(encoding.is_some_and(|encoding| encoding == self.out.since(mark)))
    }

    fn open_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        number: u32,
        row: bool,
        default: u32,
    ) -> Result<(), Error> {
        let record = self.types.record(number);
        let level = if row { self.source.row(at, node) } else { self.source.record(at, node) };
        let (mark, mut left, mut places) = (self.out.len(), record.members.len() as u32, None);
        if record.set && self.canonical {
            let first = self.places.len();
            places = Some(first as u32);
            self.order_members(node, record, level)?;
            left = (self.places.len() - first) as u32;
        }
        let kind = FrameKind::Record { number, left, member: NONE, places };
        self.enter(Frame { node, level, mark, default, kind })
    }

    /// The members of a SET that are there, in the order of their tags (X.690 clause 10.3).
    fn order_members(&mut self, node: NodeId, record: &Record, level: S::Level) -> Result<(), Error> {
        let mut members = Vec::with_capacity(record.members.len());
        for (index, member) in (0..).zip(&record.members) {
            let at = At { level, index };
            if self.is_written(at, node, record, member)?.is_some() {
                members.push((order::outermost_tag(self.source, self.types, at, member.node), index));
            }
        }
        members.sort_unstable();
        self.places.extend(members.iter().map(|(_, place)| place));
        Ok(())
    }

    /// Whether a member is written, for all that is known before: the number of the default that it
    /// may turn out to be equal to, from 1, or 0.
    #[inline(always)]
    fn is_written(
        &self,
        at: At<S::Level>,
        node: NodeId,
        record: &Record,
        member: &Member,
    ) -> Result<Option<u32>, Error> {
        if !self.source.is_present(at, member.node) {
            if member.presence == Presence::Mandatory {
                self.check_absent(at, node, record, member)?;
            }
            return Ok(None);
        }
        let Presence::Default(number) = member.presence else { return Ok(Some(0)) };
        Ok(match equal::simple(self.types, self.source, at, member.node, self.types.default_value(number)) {
            Some(true) => None,
            Some(false) => Some(0),
            None => Some(number + 1),
        })
    }

    /// Refuses to be without a member that its group or its record must have.
    #[cold]
    #[inline(never)]
    fn check_absent(&self, at: At<S::Level>, node: NodeId, record: &Record, member: &Member) -> Result<(), Error> {
        let missing = match record.group(at.index) {
            None => at.index < record.root,
            Some(Addition { first, count, .. }) => (*first..first + count).any(|index| {
                record.members.get(index as usize).is_some_and(|other| {
                    let at = At { level: at.level, index };
                    let there = self.source.is_present(at, other.node);
                    there
                        && match other.presence {
                            Presence::Default(number) => {
                                let default = self.types.default_value(number);
                                equal::simple(self.types, self.source, at, other.node, default) != Some(true)
                            }
                            _ => true,
                        }
                })
            }),
        };
        if missing { Err(self.missing(node, &member.name)) } else { Ok(()) }
    }

    #[cold]
    fn missing(&self, node: NodeId, name: &str) -> Error {
        let found = Words::Own(format!("no {name}"));
        let expected = format!("every component of {} that is not OPTIONAL", self.types.node(node).name);
        Error::new(ErrorKind::Schema, "ber", 0, found, expected)
    }

    /// Writes members, the last one first, up to one that holds others; whether they have all been
    /// written.
    #[inline]
    fn record(&mut self, frame: &mut Frame<S::Level>) -> Result<bool, Error> {
        let top = self.stack.len();
        let FrameKind::Record { number, left, member: current, places } = &mut frame.kind else { return Ok(true) };
        let record = self.types.record(*number);
        while *left > 0 {
            *left -= 1;
            let place = match places {
                Some(first) => self.places.get((*first + *left) as usize).copied().unwrap_or(NONE),
                None if record.set => *left,
                None => record.place(*left),
            };
            let Some(member) = record.members.get(place as usize) else { continue };
            let at = At { level: frame.level, index: place };
            *current = NONE;
            let Some(default) = self.is_written(at, frame.node, record, member)? else { continue };
            *current = place;
            self.value(at, member.node, false, default)?;
            if self.stack.len() > top {
                return Ok(false);
            }
        }
        if let Some(first) = places {
            self.places.truncate(*first as usize);
        }
        Ok(true)
    }

    fn open_array(&mut self, at: At<S::Level>, node: NodeId, array: &Array, default: u32) -> Result<(), Error> {
        let (total, level) = self.source.array(at, node);
        self.check_size(node, &array.size, total.into())?;
        let marks = (array.set && self.canonical && total > 1).then_some(self.marks.len());
        let kind = FrameKind::Array { item: array.item, left: total, marks };
        self.enter(Frame { node, level, mark: self.out.len(), default, kind })
    }

    /// Writes components, the last one first, up to one that holds others; whether they have all been
    /// written.
    fn array(&mut self, frame: &mut Frame<S::Level>) -> Result<bool, Error> {
        let top = self.stack.len();
        let FrameKind::Array { item, left, marks } = &mut frame.kind else { return Ok(true) };
        let row = matches!(self.types.node(*item).kind, Kind::Record(_));
        while *left > 0 {
            *left -= 1;
            let at = At { level: frame.level, index: *left };
            if marks.is_some() {
                self.marks.push(self.out.len());
            }
            if !row && !self.source.is_present(at, *item) {
                return Err(self.missing(frame.node, "component"));
            }
            self.value(at, *item, row, 0)?;
            if self.stack.len() > top {
                return Ok(false);
            }
        }
        if let Some(first) = *marks {
            order::sort(&mut self.out, self.marks.get(first..).unwrap_or_default());
            self.marks.truncate(first);
        }
        Ok(true)
    }

    fn choice(&mut self, at: At<S::Level>, node: NodeId, default: u32) -> Result<(), Error> {
        let base = self.stack.len();
        let (mut at, mut node, mut default) = (at, node, default);
        loop {
            let described = self.types.node(node);
            let Kind::Choice(number) = described.kind else { return Ok(()) };
            let choice = self.types.choice(number);
            let (alternative, level) = self.source.choice(at, node);
            let (inside, mark) = (At { level, index: 0 }, self.out.len());
            self.enter(Frame { node, level, mark, default, kind: FrameKind::Choice { alternative } })?;
            let Some(chosen) = choice.alternatives.get(alternative as usize) else {
                self.unknown_alternative(inside, node, choice.extensible && alternative == NONE)?;
                return self.end_choices(base);
            };
            if !self.source.is_present(inside, chosen.node) {
                return Err(self.missing(node, &chosen.name));
            }
            if let Kind::Choice(_) = self.types.node(chosen.node).kind {
                (at, node, default) = (inside, chosen.node, 0);
                continue;
            }
            let top = self.stack.len();
            self.value(inside, chosen.node, false, 0)?;
            if self.stack.len() == top {
                self.end_choices(base)?;
            }
            return Ok(());
        }
    }

    /// Ends choices that have been opened since.
    #[inline]
    fn end_choices(&mut self, base: usize) -> Result<(), Error> {
        while self.stack.len() > base
            && let Some(frame) = self.stack.last().copied()
        {
            self.end(&frame)?;
            self.stack.pop();
        }
        Ok(())
    }

    /// An alternative of a later version, as it was read.
    #[cold]
    fn unknown_alternative(&mut self, inside: At<S::Level>, node: NodeId, by_tag: bool) -> Result<(), Error> {
        let source = self.source;
        match source.unknown(inside, node) {
            Some(octets) if by_tag => {
                self.out.octets(octets);
                Ok(())
            }
            Some(_) => {
                let found = "an alternative of a later version, read by other rules";
                Err(Error::new(ErrorKind::Unsupported, "ber", 0, found, "one whose tag is known"))
            }
            None => Err(self.refused(node, "an alternative that it does not have".into())),
        }
    }

    /// Holds a size against its constraint.
    #[inline]
    pub(super) fn check_size(&self, node: NodeId, size: &Size, count: u64) -> Result<(), Error> {
        if size.extensible || self.types.allows_size(size, count) {
            return Ok(());
        }
        Err(self.refused(node, Words::Own(format!("a size of {count}"))))
    }

    /// A value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    pub(super) fn refused(&self, node: NodeId, found: Words) -> Error {
        let expected = format!("what the constraint of {} allows", self.types.node(node).name);
        Error::new(ErrorKind::Schema, "ber", 0, found, expected)
    }
}
