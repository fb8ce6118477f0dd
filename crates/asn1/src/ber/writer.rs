//! Writing: a walk through a schema that asks a source for each value, the last one first.
//!
//! Open values are on an explicit stack, as in the reader.

mod record;

use tam::{Error, ErrorKind, Limits, Words};

use super::order;
use crate::backward::Backward;
use crate::compiled::{Array, Compiled, ContentString, Kind, Node, NodeId, Size};
use crate::defaults::Defaults;
use crate::event::{At, Source};
use crate::keys::UNKNOWN_BER;
use crate::path::{Step, path};
use crate::schema::Tag;
use crate::writer::Start;
use crate::{Options, contents};

/// Defaults are encoded to compare values with them; such comparisons may nest this deep.
const COMPARED: u32 = 16;

/// Writes one value to the end of `out`. Returns the number of octets. On an error `out` is unchanged.
pub(crate) fn write<S: Source>(
    source: &S,
    types: &Compiled,
    start: Start<S::Level>,
    form: Form,
    depth: u32,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    let mut defaults = Defaults::new(COMPARED);
    write_with(source, types, start, form, depth, &mut defaults, out)
}

/// Which of the encodings that the Basic rules allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Definite lengths, in the shortest forms.
    Basic,
    /// The only one of the Distinguished rules.
    Distinguished,
    /// The only one of the Canonical rules: indefinite lengths, and long strings in segments (X.690 clause 9).
    Canonical,
}

fn write_with<S: Source>(
    source: &S,
    types: &Compiled,
    start: Start<S::Level>,
    form: Form,
    depth: u32,
    defaults: &mut Defaults,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    let mut writer = Writer {
        types,
        source,
        out: Backward::new(out),
        form,
        canonical: form != Form::Basic,
        depth,
        stack: Vec::new(),
        marks: Vec::new(),
        places: Vec::new(),
        members: Vec::new(),
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
    pub(super) form: Form,
    /// Whether it is not the basic form.
    pub(super) canonical: bool,
    depth: u32,
    stack: Vec<Frame<S::Level>>,
    /// For the open SETs OF that are sorted: the number of octets written before each of their components.
    marks: Vec<usize>,
    /// For the open SETs with an order of their own: their members in this order.
    places: Vec<u32>,
    /// The members of the SET that is being sorted, with their tags.
    members: Vec<(Option<Tag>, u32)>,
    defaults: &'a mut Defaults,
}

/// An open value, written from its end up to some member. It is changed in place on the stack, as in the reader.
#[derive(Clone, Copy, Debug)]
struct Frame<L> {
    node: NodeId,
    level: L,
    /// The number of octets written before it.
    mark: usize,
    /// The number of the default that it is compared with, from 1, or 0. It is left out if equal.
    default: u32,
    /// The number of members or components left to write.
    left: u32,
    /// The member or alternative being written, for errors.
    place: u32,
    kind: FrameKind,
}

#[derive(Clone, Copy, Debug)]
enum FrameKind {
    /// SEQUENCE and SET: its number, and the start of its members in [`Writer::places`], from 1, if it has an order of
    /// its own, or 0.
    Record { number: u32, places: u32 },
    /// SEQUENCE OF and SET OF: the type of its components, and their start in [`Writer::marks`], from 1, if they are
    /// sorted, or 0.
    Array { item: NodeId, marks: u32 },
    /// CHOICE.
    Choice,
}

/// No member.
const NONE: u32 = u32::MAX;

impl<S: Source> Writer<'_, '_, S> {
    #[cold]
    fn explain(&self, error: Error) -> Error {
        let steps = self.stack.iter().map(|frame| match frame.kind {
            FrameKind::Record { number, .. } => Step::Member(number, frame.place),
            FrameKind::Array { .. } => Step::Item(frame.left),
            FrameKind::Choice => Step::Chosen(frame.node, frame.place),
        });
        let path = path(self.types, steps);
        if path.is_empty() || !error.path().is_empty() { error } else { error.in_path(path) }
    }

    fn walk(&mut self, start: Start<S::Level>) -> Result<(), Error> {
        self.value(start.at, start.node, start.row, 0)?;
        // Each call continues until something is opened above it or it is removed from the stack.
        while let Some(top) = self.stack.len().checked_sub(1) {
            match self.stack.get(top).map(|frame| frame.kind) {
                Some(FrameKind::Record { number, places }) => self.record(top, number, places)?,
                Some(FrameKind::Array { item, marks }) => self.array(top, item, marks)?,
                _ => self.end_choices(top)?,
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn check_depth(&self) -> Result<(), Error> {
        if self.stack.len() < self.depth as usize {
            return Ok(());
        }
        Err(self.too_deep())
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&self) -> Error {
        Error::limit("ber", 0, "one more level", "depth", self.depth.into())
    }

    /// Writes a value. A value with content of its own is left on the stack.
    #[inline(always)]
    fn value(&mut self, at: At<S::Level>, node: NodeId, row: bool, default: u32) -> Result<(), Error> {
        let described = self.types.node(node);
        match &described.kind {
            Kind::Choice(number) => self.choice(at, node, described, *number, default),
            Kind::Open(number) => self.open(at, node, *number, default),
            Kind::Record(number) => self.open_record(at, node, *number, row, default),
            Kind::Array(array) => self.open_array(at, node, array, default),
            kind => self.simple_in_tags(at, node, described, kind),
        }
    }

    /// Writes a value that contains no others, with its tags.
    #[inline(always)]
    fn simple_in_tags(&mut self, at: At<S::Level>, node: NodeId, described: &Node, kind: &Kind) -> Result<(), Error> {
        // All tags but the last are explicit.
        self.ends(described.tags.len().saturating_sub(1));
        let mark = self.out.len();
        self.simple(at, node, kind)?;
        let segmented = self.form == Form::Canonical && self.segments(kind, mark);
        self.tags(described, segmented, mark);
        Ok(())
    }

    /// Writes what ends that many values of an indefinite length.
    #[inline(always)]
    fn ends(&mut self, count: usize) {
        if self.form == Form::Canonical {
            for _ in 0..count {
                self.out.octets(&[0, 0]);
            }
        }
    }

    /// Writes the headers before contents.
    #[inline(always)]
    fn tags(&mut self, described: &Node, constructed: bool, mark: usize) {
        match &described.tags[..] {
            [] => {}
            [tag] => self.header(*tag, constructed, mark),
            tags => self.all_tags(tags, constructed, mark),
        }
    }

    #[inline(never)]
    fn all_tags(&mut self, tags: &[Tag], constructed: bool, mark: usize) {
        for (number, tag) in tags.iter().enumerate().rev() {
            let innermost = number + 1 == tags.len();
            self.header(*tag, constructed || !innermost, mark);
        }
    }

    #[inline(always)]
    fn header(&mut self, tag: Tag, constructed: bool, mark: usize) {
        match constructed && self.form == Form::Canonical {
            true => self.out.indefinite_header(tag),
            false => self.out.header(tag, constructed, mark),
        }
    }

    /// Ends the value on top of the stack.
    #[inline(always)]
    fn end(&mut self, node: NodeId, mark: usize, default: u32) -> Result<(), Error> {
        self.tags(self.types.node(node), true, mark);
        if default > 0 && self.is_default(default - 1, mark)? {
            self.out.take_back(mark);
        }
        self.stack.truncate(self.stack.len() - 1);
        Ok(())
    }

    /// Whether what has been written since a mark is the encoding of a default.
    #[cold]
    #[inline(never)]
    fn is_default(&mut self, number: u32, mark: usize) -> Result<bool, Error> {
        let (types, form, depth) = (self.types, self.form, self.depth);
        self.defaults.equals(types, number, self.out.since(mark), "ber", |look, start, defaults, out| {
            write_with(look, types, start, form, depth, defaults, out)
        })
    }

    #[inline(always)]
    fn open_array(&mut self, at: At<S::Level>, node: NodeId, array: &Array, default: u32) -> Result<(), Error> {
        self.check_depth()?;
        let (total, level) = self.source.array(at, node);
        self.check_size(node, &array.size, total.into())?;
        let sorted = array.set && self.canonical && total > 1;
        let marks = if sorted { self.marks.len() as u32 + 1 } else { 0 };
        let (kind, mark) = (FrameKind::Array { item: array.item, marks }, self.out.len());
        self.ends(self.types.node(node).tags.len());
        self.stack.push(Frame { node, level, mark, default, left: total, place: NONE, kind });
        Ok(())
    }

    /// Writes components, the last one first, until one has content of its own, or all have been written.
    #[inline(always)]
    fn array(&mut self, top: usize, item: NodeId, marks: u32) -> Result<(), Error> {
        let Some(frame) = self.stack.get(top) else { return Ok(()) };
        let (node, level, mark, default, mut left) = (frame.node, frame.level, frame.mark, frame.default, frame.left);
        let row = matches!(self.types.node(item).kind, Kind::Record(_));
        while left > 0 {
            left -= 1;
            let at = At { level, index: left };
            self.be_at(top, left, NONE);
            if marks > 0 {
                self.marks.push(self.out.len());
            }
            if !row && !self.source.is_present(at, item) {
                return Err(self.missing(node, "component"));
            }
            self.value(at, item, row, 0)?;
            if self.stack.len() > top + 1 {
                return Ok(());
            }
        }
        if marks > 0 {
            self.sort(marks as usize - 1);
        }
        self.end(node, mark, default)
    }

    /// Sorts the components written of a SET OF.
    #[inline(never)]
    fn sort(&mut self, first: usize) {
        order::sort(&mut self.out, self.marks.get(first..).unwrap_or_default());
        self.marks.truncate(first);
    }

    /// Writes a CHOICE, and choices in it. A value with content of its own is left on the stack.
    #[inline(never)]
    fn choice(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        described: &Node,
        number: u32,
        default: u32,
    ) -> Result<(), Error> {
        let base = self.stack.len();
        let (mut at, mut node, mut described, mut number, mut default) = (at, node, described, number, default);
        loop {
            let choice = self.types.choice(number);
            self.check_depth()?;
            let (alternative, level) = self.source.choice(at, node);
            let (inside, mark) = (At { level, index: 0 }, self.out.len());
            let kind = FrameKind::Choice;
            self.ends(described.tags.len());
            let frame = Frame { node, level, mark, default, left: 0, place: alternative, kind };
            let Some(chosen) = choice.alternatives.get(alternative as usize) else {
                self.stack.push(frame);
                self.unknown_alternative(inside, node, choice.extensible && alternative == NONE)?;
                return self.end_choices(base);
            };
            if !self.source.is_present(inside, chosen.node) {
                self.stack.push(frame);
                return Err(self.missing(node, &chosen.name));
            }
            let within = self.types.node(chosen.node);
            match &within.kind {
                Kind::Choice(inner) => {
                    self.stack.push(frame);
                    (at, node, described, number, default) = (inside, chosen.node, within, *inner, 0);
                }
                kind if !kind.holds_others() && default == 0 => {
                    // It leaves nothing on the stack, and the choices around it must not either.
                    if let Err(error) = self.simple_in_tags(inside, chosen.node, within, kind) {
                        self.stack.push(frame);
                        return Err(error);
                    }
                    self.tags(described, true, mark);
                    return self.end_choices(base);
                }
                _ => {
                    self.stack.push(frame);
                    let top = self.stack.len();
                    self.value(inside, chosen.node, false, 0)?;
                    return if self.stack.len() == top { self.end_choices(base) } else { Ok(()) };
                }
            }
        }
    }

    /// Writes an open type. A value with content of its own is left on the stack.
    #[inline(never)]
    fn open(&mut self, at: At<S::Level>, node: NodeId, number: u32, default: u32) -> Result<(), Error> {
        self.check_depth()?;
        let (source, open) = (self.source, self.types.open(number));
        if let (Some(string), Some(alternatives)) = (&open.string, contents::alternatives(open)) {
            return self.containing(at, node, string, alternatives, default);
        }
        let (alternative, level) = source.choice(at, node);
        let (inside, base) = (At { level, index: 0 }, self.stack.len());
        let (mark, kind) = (self.out.len(), FrameKind::Choice);
        // All its tags are explicit.
        self.ends(self.types.node(node).tags.len());
        self.stack.push(Frame { node, level, mark, default, left: 0, place: alternative, kind });
        match open.alternatives.get(alternative as usize) {
            Some(chosen) if source.is_present(inside, *chosen) => self.value(inside, *chosen, false, 0)?,
            _ => match source.unknown(inside, node) {
                Some(octets) if alternative == UNKNOWN_BER => self.out.octets(octets),
                Some(_) => {
                    let found = "octets of a type that is not known, read by other rules";
                    return Err(Error::new(ErrorKind::Unsupported, "ber", 0, found, "a type that is known"));
                }
                None => return Err(self.refused(node, "no value of an open type".into())),
            },
        }
        if self.stack.len() == base + 1 { self.end_choices(base) } else { Ok(()) }
    }

    /// Writes a string that may contain a value.
    #[inline(never)]
    fn containing(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        string: &ContentString,
        (value, own): (NodeId, NodeId),
        default: u32,
    ) -> Result<(), Error> {
        let (source, described) = (self.source, self.types.node(node));
        let chosen @ (_, level) = source.choice(at, node);
        let limits = Limits { depth: self.depth - self.stack.len() as u32 - 1, ..Limits::DEFAULT };
        let around = match self.form {
            Form::Canonical => Options::cer(),
            form => Options::ber().with_canonical(form == Form::Distinguished),
        };
        let around = around.with_limits(limits);
        let before = self.out.len();
        self.ends(described.tags.len().saturating_sub(1));
        let mark = self.out.len();
        match contents::to_write(source, self.types, string, chosen, value, &around) {
            None => self.simple(At { level, index: 0 }, own, &string.kind)?,
            Some(octets) => {
                let octets = octets?;
                let (octets, bits) = octets.bits();
                match &string.kind {
                    Kind::BitString(size, _) => {
                        self.check_size(node, size, bits)?;
                        self.bits(octets, bits);
                    }
                    Kind::OctetString(size) => {
                        self.check_size(node, size, octets.len() as u64)?;
                        self.out.octets(octets);
                    }
                    _ => {}
                }
            }
        }
        let segmented = self.form == Form::Canonical && self.segments(&string.kind, mark);
        self.tags(described, segmented, mark);
        if default > 0 && self.is_default(default - 1, before)? {
            self.out.take_back(before);
        }
        Ok(())
    }

    /// Ends the choices that were opened since `base` and are on top of the stack.
    #[inline(always)]
    fn end_choices(&mut self, base: usize) -> Result<(), Error> {
        while self.stack.len() > base
            && let Some(frame) = self.stack.last()
        {
            let (node, mark, default) = (frame.node, frame.mark, frame.default);
            self.end(node, mark, default)?;
        }
        Ok(())
    }

    /// Writes an alternative of a later version as it was read.
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

    /// Checks a size against its constraint.
    #[inline]
    pub(super) fn check_size(&self, node: NodeId, size: &Size, count: u64) -> Result<(), Error> {
        if size.extensible || self.types.allows_size(size, count) {
            return Ok(());
        }
        Err(self.refused(node, Words::Own(format!("a size of {count}"))))
    }

    /// The error for a value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    pub(super) fn refused(&self, node: NodeId, found: Words) -> Error {
        Error::new(ErrorKind::Schema, "ber", 0, found, self.types.allowed(node))
    }
}
