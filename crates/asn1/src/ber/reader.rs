//! Reading: a walk through a message that the schema leads.
//!
//! What is open waits on a stack of its own, so that nothing recurses over the message.

use tam::{Error, ErrorKind, Limits, Words};

use super::frame::{Span, Step, path};
use super::header::{Fault, Header, INDEFINITE, notation, parse};
use super::record::RecordFrame;
use crate::compiled::{Array, Choice, Compiled, Kind, Node, NodeId, Size};
use crate::event::{At, Part, Sink, Stretch};
use crate::schema::{Tag, TagClass};

/// What ends contents of an indefinite length (X.690 clause 8.1.5).
const END_OF_CONTENTS: Tag = Tag { class: TagClass::Universal, number: 0 };

/// Untagged choices in untagged choices: no deeper than this.
const UNTAGGED: usize = 100;

/// Reads one value and tells it to a sink; the number of octets it took.
pub(crate) fn read<S: Sink>(
    message: &[u8],
    types: &Compiled,
    node: NodeId,
    limits: &Limits,
    sink: &mut S,
) -> Result<usize, Error> {
    let level = sink.root(node);
    let mut reader = Reader {
        message,
        types,
        sink,
        limits,
        at: 0,
        end: message.len(),
        inside: 0,
        stack: Vec::new(),
        nameless: 0,
        seen: Vec::new(),
        text: String::new(),
        padding: 0,
    };
    match reader.walk(At { level, index: 0 }, node) {
        Ok(()) => Ok(reader.at),
        Err(error) => Err(reader.explain(error)),
    }
}

pub(super) struct Reader<'a, 'm, S: Sink> {
    pub(super) message: &'m [u8],
    pub(super) types: &'a Compiled,
    pub(super) sink: &'a mut S,
    pub(super) limits: &'a Limits,
    /// The next octet.
    pub(super) at: usize,
    /// Where the innermost contents of a definite length end that are open, or the message.
    pub(super) end: usize,
    /// How many contents of a definite length are open. All of them are there.
    pub(super) inside: u32,
    pub(super) stack: Vec<Frame<S::Level>>,
    /// How many of the frames are no level of the value.
    nameless: usize,
    /// Of the SETs that are open, a bit a member: whether it has come.
    pub(super) seen: Vec<u64>,
    pub(super) text: String,
    /// Octets told that the message does not have: zero bits that sizes ask for.
    pub(super) padding: u64,
}

/// One open value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame<L> {
    /// SEQUENCE and SET.
    Record(RecordFrame<L>),
    /// SEQUENCE OF and SET OF.
    Array(ArrayFrame<L>),
    /// CHOICE whose alternative is being walked through.
    Choice { node: NodeId, level: L, alternative: u32 },
    /// An explicit tag whose end is still to come.
    Tag(Span),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayFrame<L> {
    node: NodeId,
    item: NodeId,
    at: At<L>,
    level: L,
    span: Span,
    /// The component that is next, and the one behind the last told so far.
    next: u32,
    end: u32,
    /// Whether all components have been counted.
    counted: bool,
}

impl<S: Sink> Reader<'_, '_, S> {
    /// Says where in the value an error is.
    #[cold]
    fn explain(&self, error: Error) -> Error {
        // What a sink says has no place in the message.
        let error = if error.format() == "ber" { error } else { error.met_in("ber", self.at as u64) };
        let steps = self.stack.iter().map(|frame| match frame {
            Frame::Record(record) => Step::Member(record.number, record.member),
            Frame::Array(array) => array.next.checked_sub(1).map_or(Step::Nameless, Step::Item),
            Frame::Choice { node, alternative, .. } => Step::Chosen(*node, *alternative),
            Frame::Tag(_) => Step::Nameless,
        });
        let path = path(self.types, steps);
        if path.is_empty() { error } else { error.in_path(path) }
    }

    fn walk(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let header = self.header()?;
        if !self.fits(node, header.tag) && !self.takes_unknown(node) {
            return Err(self.unexpected(&header, self.tags_of(node)));
        }
        self.value(at, node, header, false)?;
        while let Some(top) = self.stack.len().checked_sub(1)
            && let Some(mut frame) = self.stack.get(top).copied()
        {
            let ended = match &mut frame {
                Frame::Record(record) => self.record(record),
                Frame::Array(array) => self.array(array),
                Frame::Choice { node, level, .. } => self.sink.end(*node, *level).map(|()| true),
                Frame::Tag(span) => self.end_of_tag(span).map(|()| true),
            };
            // What has been opened meanwhile is above it.
            match ended {
                Ok(true) => {
                    self.nameless -= usize::from(matches!(frame, Frame::Tag(_)));
                    self.stack.truncate(top);
                }
                going_on => {
                    if let Some(place) = self.stack.get_mut(top) {
                        *place = frame;
                    }
                    going_on?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn enter(&mut self, frame: Frame<S::Level>) -> Result<(), Error> {
        self.check_depth(0)?;
        self.stack.push(frame);
        Ok(())
    }

    /// Whether there may be one more level, `beyond` those of the stack.
    #[inline]
    pub(super) fn check_depth(&self, beyond: usize) -> Result<(), Error> {
        if self.stack.len() - self.nameless + beyond < self.limits.depth as usize {
            return Ok(());
        }
        Err(Error::limit("ber", self.at as u64, "one more level", "depth", self.limits.depth.into()))
    }

    /// The next header.
    #[inline(always)]
    pub(super) fn header(&mut self) -> Result<Header, Error> {
        match parse(self.message, self.at, self.end) {
            Ok(header) => {
                self.at = header.contents;
                Ok(header)
            }
            Err(fault) => Err(self.bad_header(fault)),
        }
    }

    #[cold]
    #[inline(never)]
    fn bad_header(&self, fault: Fault) -> Error {
        match fault {
            Fault::Short(at, needed) if self.inside == 0 => {
                Error::incomplete("ber", at as u64, needed as u64, "a tag and a length")
            }
            Fault::Beyond(start, needed) if self.inside == 0 => {
                Error::incomplete("ber", start as u64, needed as u64, "as many octets as the length says")
            }
            Fault::Short(at, _) => self.fault(at, "the end of what is around it", "a tag and a length"),
            Fault::Beyond(start, more) => {
                let found = Words::Own(format!("a value that goes {more} octets beyond what is around it"));
                self.fault(start, found, "one that ends within it")
            }
            Fault::Bad(at, found, expected) => self.fault(at, found, expected),
            Fault::Large(at, found, expected) => Error::new(ErrorKind::Unsupported, "ber", at as u64, found, expected),
        }
    }

    /// Tells a header, and its contents if these are a value.
    #[inline(always)]
    pub(super) fn tell_header(&mut self, at: At<S::Level>, node: NodeId, header: &Header) {
        if S::BITS {
            self.tell(at, node, Part::Header, header.start, header.contents);
        }
    }

    /// Tells what octets of the message are for.
    #[inline(always)]
    pub(super) fn tell(&mut self, at: At<S::Level>, node: NodeId, part: Part, start: usize, end: usize) {
        if S::BITS && end > start {
            self.sink.bits(at, node, part, start as u64 * 8, end as u64 * 8);
        }
    }

    /// Begins to read what is in contents.
    #[inline(always)]
    pub(super) fn begin(&mut self, header: &Header) -> Span {
        let span = Span { end: header.end, outer: self.end };
        if span.end != INDEFINITE {
            self.end = span.end;
            self.inside += 1;
        }
        span
    }

    /// Whether contents end here; if so, what is around them is read on.
    #[inline(always)]
    pub(super) fn is_at_end(&mut self, at: At<S::Level>, node: NodeId, span: &Span) -> bool {
        if span.end == INDEFINITE {
            return self.is_at_mark(at, node);
        }
        // Nothing within them goes beyond them.
        if self.at < span.end {
            return false;
        }
        self.end = span.outer;
        self.inside -= 1;
        true
    }

    /// Whether an end-of-contents is here; if so, it is passed over.
    #[inline]
    fn is_at_mark(&mut self, at: At<S::Level>, node: NodeId) -> bool {
        let mark = self.message.get(self.at..self.end).is_some_and(|rest| rest.starts_with(&[0, 0]));
        if mark {
            self.tell(at, node, Part::Header, self.at, self.at + 2);
            self.at += 2;
        }
        mark
    }

    /// Whether a value with a tag may be of a type; if it is of an extensible choice, see
    /// [`Reader::takes_unknown`] too.
    #[inline(always)]
    pub(super) fn fits(&self, node: NodeId, tag: Tag) -> bool {
        let described = self.types.node(node);
        match described.tags.first() {
            Some(own) => *own == tag,
            None => self.alternative(described, tag).is_some(),
        }
    }

    /// The alternative of an untagged choice that a tag is of.
    #[inline]
    fn alternative(&self, described: &Node, tag: Tag) -> Option<u32> {
        match described.kind {
            Kind::Choice(number) => place_of(&self.types.choice(number).by_tag, tag),
            _ => None,
        }
    }

    /// Whether a type is an untagged choice that takes alternatives of later versions, itself or one
    /// in it.
    #[cold]
    pub(super) fn takes_unknown(&self, node: NodeId) -> bool {
        let mut open = vec![(node, 0)];
        while let Some((node, depth)) = open.pop() {
            let described = self.types.node(node);
            let Kind::Choice(number) = described.kind else { continue };
            if !described.tags.is_empty() || depth > UNTAGGED || open.len() > 1 << 16 {
                continue;
            }
            let choice = self.types.choice(number);
            if choice.extensible {
                return true;
            }
            open.extend(choice.alternatives.iter().map(|one| (one.node, depth + 1)));
        }
        false
    }

    /// The tags that values of a type start with, as the notation writes them.
    #[cold]
    pub(super) fn tags_of(&self, node: NodeId) -> String {
        let described = self.types.node(node);
        match (described.tags.first(), described.kind) {
            (Some(tag), _) => format!("{}, a value of {}", notation(*tag), described.name),
            (None, Kind::Choice(_)) => format!("the tag of an alternative of {}", described.name),
            _ => described.name.clone(),
        }
    }

    /// Reads a value whose header has been read and whose tag is of its type. What it holds is left
    /// on the stack.
    #[inline(always)]
    pub(super) fn value(&mut self, at: At<S::Level>, node: NodeId, header: Header, row: bool) -> Result<(), Error> {
        let types = self.types;
        let described = types.node(node);
        if let Kind::Choice(_) = described.kind {
            return self.choice(at, node, header);
        }
        match described.tags.get(1..) {
            Some([]) => self.plain(at, node, described, header, row),
            inner => {
                let header = self.pass_tags(at, node, inner.unwrap_or_default(), header)?;
                self.plain(at, node, described, header, row)
            }
        }
    }

    /// The same, all explicit tags being passed.
    #[inline(always)]
    fn plain(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        described: &Node,
        header: Header,
        row: bool,
    ) -> Result<(), Error> {
        self.tell_header(at, node, &header);
        match described.kind {
            Kind::Record(number) => self.open_record(at, node, number, &header, row),
            Kind::Array(array) => self.open_array(at, node, &array, &header),
            _ => self.simple(at, node, described, &header),
        }
    }

    /// Goes through explicit tags, the outermost of which has been read and the others of which are
    /// `inner`, to the header within.
    #[inline(never)]
    fn pass_tags(&mut self, at: At<S::Level>, node: NodeId, inner: &[Tag], header: Header) -> Result<Header, Error> {
        let mut header = header;
        for tag in inner {
            header = self.pass_tag(at, node, &header)?;
            if header.tag != *tag {
                return Err(self.unexpected(&header, notation(*tag)));
            }
        }
        Ok(header)
    }

    /// Goes through an explicit tag to the header within.
    #[inline]
    fn pass_tag(&mut self, at: At<S::Level>, node: NodeId, outer: &Header) -> Result<Header, Error> {
        self.tell_header(at, node, outer);
        if !outer.constructed {
            return Err(self.fault(outer.start, "the primitive form of an explicit tag", "the constructed form"));
        }
        let span = self.begin(outer);
        let inner = self.header()?;
        // Where both lengths are known, the end needs not be waited for.
        if inner.end == outer.end && inner.end != INDEFINITE {
            self.end = span.outer;
            self.inside -= 1;
            return Ok(inner);
        }
        if inner.end != INDEFINITE && outer.end != INDEFINITE {
            return Err(self.behind_tagged(inner.end));
        }
        self.nameless += 1;
        self.stack.push(Frame::Tag(span));
        Ok(inner)
    }

    fn end_of_tag(&mut self, span: &Span) -> Result<(), Error> {
        let ended = if span.end == INDEFINITE {
            self.message.get(self.at..self.end).is_some_and(|rest| rest.starts_with(&[0, 0]))
        } else {
            self.at == span.end
        };
        if !ended {
            let start = self.at;
            self.header()?;
            return Err(self.behind_tagged(start));
        }
        if span.end == INDEFINITE {
            self.at += 2;
        } else {
            self.end = span.outer;
            self.inside -= 1;
        }
        Ok(())
    }

    #[cold]
    fn behind_tagged(&self, at: usize) -> Error {
        self.fault(at, "more than one value in an explicit tag", "its end")
    }

    /// Reads a CHOICE, and choices in it.
    #[inline]
    fn choice(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<(), Error> {
        let types = self.types;
        let base = self.stack.len();
        let (mut at, mut node, mut header) = (at, node, header);
        loop {
            let described = types.node(node);
            let Kind::Choice(number) = described.kind else { return Ok(()) };
            let choice = types.choice(number);
            if let Some(inner) = described.tags.get(1..) {
                header = self.pass_tags(at, node, inner, header)?;
                header = self.pass_tag(at, node, &header)?;
            }
            let alternative = match place_of(&choice.by_tag, header.tag) {
                Some(alternative) => alternative,
                None => match self.way_through(node, choice, &header)? {
                    Some(alternative) => alternative,
                    None => return self.unknown_alternative(at, node, &header),
                },
            };
            let Some(chosen) = choice.alternatives.get(alternative as usize) else { return Ok(()) };
            let level = self.sink.choice(at, node, alternative)?;
            self.enter(Frame::Choice { node, level, alternative })?;
            let inside = At { level, index: 0 };
            if let Kind::Choice(_) = types.node(chosen.node).kind {
                (at, node) = (inside, chosen.node);
                continue;
            }
            let top = self.stack.len();
            self.value(inside, chosen.node, header, false)?;
            // Of a simple value, what is around it ends at once.
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
            && let Some(Frame::Choice { node, level, .. }) = self.stack.last().copied()
        {
            self.sink.end(node, level)?;
            self.stack.pop();
        }
        Ok(())
    }

    /// Of a tag that is of no alternative: the alternative that is a choice which takes those of later
    /// versions, or none if the choice itself does.
    #[cold]
    #[inline(never)]
    fn way_through(&self, node: NodeId, choice: &Choice, header: &Header) -> Result<Option<u32>, Error> {
        if choice.extensible && header.tag != END_OF_CONTENTS {
            return Ok(None);
        }
        let through = choice.alternatives.iter().position(|one| self.takes_unknown(one.node));
        match through {
            Some(place) if header.tag != END_OF_CONTENTS => Ok(Some(place as u32)),
            _ => {
                let expected = format!("the tag of an alternative of {}", self.types.node(node).name);
                Err(self.unexpected(header, expected))
            }
        }
    }

    /// An alternative of a later version.
    #[cold]
    #[inline(never)]
    fn unknown_alternative(&mut self, at: At<S::Level>, node: NodeId, header: &Header) -> Result<(), Error> {
        // No schema has as many: which one it is, its tag says, which is told with it.
        let level = self.sink.choice(at, node, u32::MAX)?;
        self.enter(Frame::Choice { node, level, alternative: u32::MAX })?;
        self.skip(header)?;
        self.tell(at, node, Part::Unknown, header.start, self.at);
        let octets = Stretch::Message { start: header.start, len: self.at - header.start };
        self.sink.unknown(At { level, index: 0 }, node, octets)
    }

    /// Passes over a value whose header has been read.
    pub(super) fn skip(&mut self, header: &Header) -> Result<(), Error> {
        if header.tag == END_OF_CONTENTS {
            return Err(self.unexpected(header, "a value".to_owned()));
        }
        if header.end != INDEFINITE {
            self.at = header.end;
            return Ok(());
        }
        let mut open = 1;
        while open > 0 {
            let inner = self.header()?;
            if inner.tag == END_OF_CONTENTS {
                if inner.constructed || inner.end != inner.contents {
                    return Err(self.unexpected(&inner, "a value".to_owned()));
                }
                open -= 1;
            } else if inner.end == INDEFINITE {
                self.check_depth(open)?;
                open += 1;
            } else {
                self.at = inner.end;
            }
        }
        Ok(())
    }

    fn open_array(&mut self, at: At<S::Level>, node: NodeId, array: &Array, header: &Header) -> Result<(), Error> {
        self.constructed(header)?;
        let span = self.begin(header);
        let (end, counted) = self.count(&span);
        if counted {
            self.check_size(node, &array.size, header.start, end.into())?;
        }
        let level = self.sink.array(at, node, end)?;
        self.enter(Frame::Array(ArrayFrame { node, item: array.item, at, level, span, next: 0, end, counted }))
    }

    /// How many values come from here on up to the end of what holds them, and whether these are
    /// all. Those behind one of an indefinite length are not counted: its end is not known yet. A
    /// fault counts as one; who reads it, will find it.
    fn count(&self, span: &Span) -> (u32, bool) {
        let (mut at, mut count) = (self.at, 0);
        loop {
            if at >= span.end {
                return (count, true);
            }
            if span.end == INDEFINITE && self.message.get(at..self.end).is_some_and(|rest| rest.starts_with(&[0, 0])) {
                return (count, true);
            }
            count += 1;
            match parse(self.message, at, self.end) {
                Ok(header) if header.end != INDEFINITE => at = header.end,
                _ => return (count, false),
            }
        }
    }

    /// Reads components until one holds others; whether they have all been read.
    fn array(&mut self, frame: &mut ArrayFrame<S::Level>) -> Result<bool, Error> {
        let top = self.stack.len();
        let types = self.types;
        let row = matches!(types.node(frame.item).kind, Kind::Record(_));
        loop {
            while frame.next < frame.end {
                let at = At { level: frame.level, index: frame.next };
                frame.next += 1;
                let header = self.header()?;
                if !self.fits(frame.item, header.tag) && !self.takes_unknown(frame.item) {
                    return Err(self.unexpected(&header, self.tags_of(frame.item)));
                }
                self.value(at, frame.item, header, row)?;
                if self.stack.len() > top {
                    return Ok(false);
                }
            }
            if frame.counted {
                self.is_at_end(frame.at, frame.node, &frame.span);
                self.sink.end(frame.node, frame.level)?;
                return Ok(true);
            }
            self.count_on(frame)?;
        }
    }

    /// Counts the components behind one whose end was not known.
    #[inline(never)]
    fn count_on(&mut self, frame: &mut ArrayFrame<S::Level>) -> Result<(), Error> {
        let (more, counted) = self.count(&frame.span);
        frame.counted = counted;
        // There are no more of them than octets.
        frame.end = frame.end.saturating_add(more);
        if let (true, Kind::Array(array)) = (counted, self.types.node(frame.node).kind) {
            self.check_size(frame.node, &array.size, self.at, frame.end.into())?;
        }
        if more > 0 {
            frame.level = self.sink.more(frame.at, frame.node, frame.level, more)?;
        }
        Ok(())
    }

    /// Holds a size against its constraint.
    #[inline(always)]
    pub(super) fn check_size(&self, node: NodeId, size: &Size, at: usize, count: u64) -> Result<(), Error> {
        if size.extensible || self.types.allows_size(size, count) {
            return Ok(());
        }
        Err(self.refused(node, at, Words::Own(format!("a size of {count}"))))
    }

    /// Refuses the primitive form of what holds others.
    #[inline(always)]
    pub(super) fn constructed(&self, header: &Header) -> Result<(), Error> {
        if header.constructed {
            return Ok(());
        }
        Err(self.fault(header.start, "the primitive form", "the constructed form of a value that holds others"))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fault(&self, at: usize, found: impl Into<Words>, expected: &'static str) -> Error {
        Error::new(ErrorKind::Syntax, "ber", at as u64, found, expected)
    }

    /// Another tag than the type asks for.
    #[cold]
    #[inline(never)]
    pub(super) fn unexpected(&self, header: &Header, expected: String) -> Error {
        if header.tag == END_OF_CONTENTS {
            return self.fault(header.start, "an end-of-contents or the tag [UNIVERSAL 0]", "a value");
        }
        let found = Words::Own(format!("the tag {}", notation(header.tag)));
        Error::new(ErrorKind::Schema, "ber", header.start as u64, found, expected)
    }

    /// A value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    pub(super) fn refused(&self, node: NodeId, at: usize, found: Words) -> Error {
        let expected = format!("what the constraint of {} allows", self.types.node(node).name);
        Error::new(ErrorKind::Schema, "ber", at as u64, found, expected)
    }
}

/// The place that a tag has in a table in order of tags.
#[inline]
pub(super) fn place_of(by_tag: &[(Tag, u32)], tag: Tag) -> Option<u32> {
    // Most tables are short, and automatic tags number the alternatives.
    if let Some((own, place)) = by_tag.get(tag.number as usize)
        && *own == tag
    {
        return Some(*place);
    }
    let found = by_tag.binary_search_by(|(own, _)| own.cmp(&tag)).ok()?;
    by_tag.get(found).map(|(_, place)| *place)
}
