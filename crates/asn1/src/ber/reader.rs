//! Reading: a walk through a message, guided by the schema.
//!
//! Open values are on an explicit stack, so that nothing recurses over the message.

use tam::{Error, ErrorKind, Limits, Words};

use super::array::ArrayFrame;
use super::header::{Fault, Header, INDEFINITE, key, notation, parse, parse_short};
use super::record::RecordFrame;
use super::span::Span;
use crate::EncodingRules;
use crate::compiled::{Compiled, Kind, Node, NodeId, Size};
use crate::contents::{Content, Context};
use crate::event::{At, Part, Sink};
use crate::keys::Keys;
use crate::path::{Step, path};
use crate::schema::Tag;

/// Reads one value and reports it to a sink. Returns the number of octets it took. The rules are those of the strings
/// that contain values.
pub(crate) fn read<S: Sink>(
    message: &[u8],
    types: &Compiled,
    node: NodeId,
    rules: EncodingRules,
    limits: &Limits,
    sink: &mut S,
) -> Result<usize, Error> {
    let level = sink.root(node);
    let mut reader = Reader::new(message, types, limits, sink);
    reader.rules = rules;
    match reader.begin_walk(At { level, index: 0 }, node).and_then(|()| reader.walk()) {
        Ok(()) => Ok(reader.at),
        Err(error) => Err(reader.explain(error)),
    }
}

/// Reads a value at the start of the content of a string; returns the number of bits it took.
pub(crate) fn read_content<S: Sink>(
    content: &Content<'_>,
    types: &Compiled,
    (at, node): (At<S::Level>, NodeId),
    rules: EncodingRules,
    sink: &mut S,
    context: &mut Context<'_>,
) -> Result<u64, Error> {
    let limits = Limits { depth: context.levels, ..*context.limits };
    let mut reader = Reader::new(content.octets, types, &limits, sink);
    let start = (content.start / 8) as usize;
    (reader.at, reader.inside, reader.lend, reader.nested) = (start, 1, content.lend, context.nested);
    (reader.keys, reader.rules) = (std::mem::take(context.keys), rules);
    let read = reader.begin_walk(at, node).and_then(|()| reader.walk());
    *context.keys = std::mem::take(&mut reader.keys);
    match read {
        Ok(()) => Ok((reader.at - start) as u64 * 8),
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
    /// The start of the last header. Until anything else is read, `at` is the start of its contents.
    pub(super) start: usize,
    /// The end of the innermost open contents of a definite length, or of the message.
    pub(super) end: usize,
    /// The number of open contents of a definite length, all of which are complete.
    pub(super) inside: u32,
    pub(super) stack: Vec<Frame<S::Level>>,
    /// The number of frames that are not a level of the value.
    pub(super) nameless: usize,
    /// For the open SETs, a bit for each member: whether it has been read.
    pub(super) seen: Vec<u64>,
    pub(super) text: String,
    /// Octets reported that the message does not have: zero bits that sizes require.
    pub(super) padding: u64,
    /// The components that select types, in the open records.
    pub(super) keys: Keys,
    /// The starts of their keys.
    pub(super) keyed: Vec<usize>,
    /// How many open types are directly around this value.
    pub(super) within: u32,
    /// Whether the message is the caller's, so that the sink can refer to positions in it.
    pub(super) lend: bool,
    /// The number of strings around this value that contain it.
    pub(super) nested: u32,
    /// The rules of the message, of those that this reads.
    pub(super) rules: EncodingRules,
}

/// An open value. It is changed in place on the stack, because moving it costs more than reading the values in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame<L> {
    /// SEQUENCE and SET.
    Record(RecordFrame<L>),
    /// SEQUENCE OF and SET OF.
    Array(ArrayFrame<L>),
    /// A CHOICE whose alternative is open.
    Choice { node: NodeId, level: L, alternative: u32 },
    /// An explicit tag that has not ended, and the value in it.
    Tag(Span, At<L>, NodeId),
}

impl<'a, 'm, S: Sink> Reader<'a, 'm, S> {
    pub(super) fn new(message: &'m [u8], types: &'a Compiled, limits: &'a Limits, sink: &'a mut S) -> Self {
        Reader {
            message,
            types,
            sink,
            limits,
            at: 0,
            start: 0,
            end: message.len(),
            inside: 0,
            stack: Vec::new(),
            nameless: 0,
            seen: Vec::new(),
            text: String::new(),
            padding: 0,
            keys: Keys::default(),
            keyed: Vec::new(),
            within: 0,
            lend: true,
            nested: 0,
            rules: EncodingRules::Ber,
        }
    }

    /// Adds the path in the value to an error.
    #[cold]
    fn explain(&self, error: Error) -> Error {
        // A sink's own errors have no position yet.
        let error = if error.format() == "ber" { error } else { error.met_in("ber", self.at as u64) };
        let steps = self.stack.iter().map(|frame| match frame {
            Frame::Record(record) => Step::Member(record.number, record.member),
            Frame::Array(array) => array.next.checked_sub(1).map_or(Step::Nameless, Step::Item),
            Frame::Choice { node, alternative, .. } => Step::Chosen(*node, *alternative),
            Frame::Tag(..) => Step::Nameless,
        });
        let path = path(self.types, steps);
        if path.is_empty() { error } else { error.in_path(path) }
    }

    /// Reads the header of a value, and the value if it has no content of its own.
    pub(super) fn begin_walk(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let header = self.header()?;
        let described = self.types.node(node);
        if !self.may_begin(described, header) {
            return Err(self.unexpected(header, self.tags_of(node)));
        }
        self.value(at, node, described, header, false)
    }

    /// Reads what is in the open values.
    pub(super) fn walk(&mut self) -> Result<(), Error> {
        // Each call continues until something is opened above it or it is removed from the stack.
        while let Some(top) = self.stack.len().checked_sub(1) {
            match self.stack.get(top) {
                Some(Frame::Record(_)) => self.record(top)?,
                Some(Frame::Array(_)) => self.array(top)?,
                Some(Frame::Choice { .. }) => self.end_choices(top)?,
                Some(Frame::Tag(span, at, node)) => {
                    let (span, at, node) = (*span, *at, *node);
                    self.end_of_tag(span, at, node)?;
                }
                None => break,
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn enter(&mut self, frame: Frame<S::Level>) -> Result<(), Error> {
        self.check_depth(0)?;
        self.stack.push(frame);
        Ok(())
    }

    /// Checks that one more level is allowed, in addition to `beyond` and those on the stack.
    #[inline(always)]
    pub(super) fn check_depth(&self, beyond: usize) -> Result<(), Error> {
        if self.stack.len() - self.nameless + beyond < self.limits.depth as usize {
            return Ok(());
        }
        Err(self.too_deep())
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&self) -> Error {
        Error::limit("ber", self.start as u64, "one more level", "depth", self.limits.depth.into())
    }

    /// Reads the next header.
    #[inline(always)]
    pub(super) fn header(&mut self) -> Result<Header, Error> {
        self.start = self.at;
        let (header, contents) = match parse_short(self.message, self.at, self.end) {
            Some(short) => short,
            None => self.header_slowly()?,
        };
        self.at = contents;
        Ok(header)
    }

    #[inline(never)]
    fn header_slowly(&mut self) -> Result<(Header, usize), Error> {
        parse(self.message, self.at, self.end).map_err(|fault| self.bad_header(fault))
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

    /// Reports the header read last.
    #[inline(always)]
    pub(super) fn report_header(&mut self, at: At<S::Level>, node: NodeId) {
        if S::BITS {
            self.report(at, node, Part::Header, self.start, self.at);
        }
    }

    /// Reports the purpose of octets of the message.
    #[inline(always)]
    pub(super) fn report(&mut self, at: At<S::Level>, node: NodeId, part: Part, start: usize, end: usize) {
        if S::BITS && end > start && self.lend {
            self.sink.bits(at, node, part, start as u64 * 8, end as u64 * 8);
        }
    }

    /// Enters contents.
    #[inline(always)]
    pub(super) fn begin(&mut self, header: Header) -> Span {
        let span = Span { end: header.end, outer: self.end };
        if !header.is_indefinite() {
            self.end = span.end;
            self.inside += 1;
        }
        span
    }

    /// Whether contents end here. If so, returns to what is around them.
    #[inline(always)]
    pub(super) fn is_at_end(&mut self, at: At<S::Level>, node: NodeId, span: Span) -> bool {
        // Nothing within them extends beyond them.
        if self.at < span.end {
            return span.end == INDEFINITE && self.is_at_mark(at, node);
        }
        self.end = span.outer;
        self.inside -= 1;
        true
    }

    /// Whether an end-of-contents is here. If so, skips it.
    #[inline(never)]
    fn is_at_mark(&mut self, at: At<S::Level>, node: NodeId) -> bool {
        let mark = self.sees_mark(self.at);
        if mark {
            self.report(at, node, Part::Header, self.at, self.at + 2);
            self.at += 2;
        }
        mark
    }

    pub(super) fn sees_mark(&self, at: usize) -> bool {
        self.message.get(at..self.end).is_some_and(|rest| rest.starts_with(&[0, 0]))
    }

    /// Whether a header may begin a value of a type. An untagged choice decides that itself.
    #[inline(always)]
    pub(super) fn may_begin(&self, described: &Node, header: Header) -> bool {
        described.tags.first().is_none_or(|tag| key(*tag) == header.key())
    }

    /// Whether a header certainly begins a value; for an extensible choice, see also [`Compiled::takes_unknown`].
    #[inline(always)]
    pub(super) fn begins(&self, described: &Node, header: Header) -> bool {
        match described.tags.first() {
            Some(tag) => key(*tag) == header.key(),
            None => self.is_alternative(described, header),
        }
    }

    /// Whether a header begins an alternative of an untagged choice.
    #[inline(never)]
    fn is_alternative(&self, described: &Node, header: Header) -> bool {
        match described.kind {
            Kind::Choice(number) => {
                let choice = self.types.choice(number);
                place_of(&choice.by_tag, header).is_some() || self.open_alternative(choice, header).is_some()
            }
            Kind::Open(_) => !header.is_end_of_contents(),
            _ => false,
        }
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

    /// Reads a value whose header has been read and matches its type. A value with content of its own is left on the
    /// stack.
    #[inline(always)]
    pub(super) fn value(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        described: &Node,
        header: Header,
        row: bool,
    ) -> Result<(), Error> {
        match &described.kind {
            Kind::Choice(number) => self.choice(at, node, described, *number, header),
            Kind::Open(number) => self.open(at, node, described, *number, header),
            _ if described.tags.len() != 1 => self.value_in_tags(at, node, described, header, row),
            kind => self.untagged(at, node, kind, header, row),
        }
    }

    /// The same for a value with explicit tags that is not a choice. The outermost tag has been read.
    #[inline(never)]
    pub(super) fn value_in_tags(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        described: &Node,
        header: Header,
        row: bool,
    ) -> Result<(), Error> {
        let mut header = header;
        for tag in described.tags.get(1..).unwrap_or_default() {
            header = self.pass_tag(at, node, header)?;
            if header.key() != key(*tag) {
                return Err(self.unexpected(header, notation(*tag)));
            }
        }
        self.untagged(at, node, &described.kind, header, row)
    }

    /// The same for a value that is not a choice, after all of its explicit tags.
    #[inline(always)]
    fn untagged(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        kind: &Kind,
        header: Header,
        row: bool,
    ) -> Result<(), Error> {
        match kind {
            Kind::Record(number) => {
                self.report_header(at, node);
                self.open_record(at, node, *number, header, row)
            }
            Kind::Array(array) => {
                self.report_header(at, node);
                self.open_array(at, node, array, header)
            }
            kind => self.simple(at, node, kind, header),
        }
    }

    /// Enters an explicit tag whose header has been read, and returns the header inside.
    #[inline(always)]
    pub(super) fn pass_tag(&mut self, at: At<S::Level>, node: NodeId, outer: Header) -> Result<Header, Error> {
        self.report_header(at, node);
        // If both lengths are known, the end can be checked now.
        if outer.is_constructed()
            && !outer.is_indefinite()
            && let Some((inner, contents)) = parse_short(self.message, self.at, outer.end)
            && inner.end == outer.end
        {
            (self.start, self.at) = (self.at, contents);
            return Ok(inner);
        }
        self.pass_tag_slowly(at, node, outer)
    }

    #[inline(never)]
    fn pass_tag_slowly(&mut self, at: At<S::Level>, node: NodeId, outer: Header) -> Result<Header, Error> {
        if !outer.is_constructed() {
            return Err(self.fault(self.start, "the primitive form of an explicit tag", "the constructed form"));
        }
        let span = self.begin(outer);
        let inner = self.header()?;
        if outer.is_indefinite() || inner.is_indefinite() {
            self.nameless += 1;
            self.stack.push(Frame::Tag(span, at, node));
            return Ok(inner);
        }
        if inner.end != outer.end {
            return Err(self.extra_in_tag(inner.end));
        }
        self.end = span.outer;
        self.inside -= 1;
        Ok(inner)
    }

    #[inline(never)]
    fn end_of_tag(&mut self, span: Span, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        if !self.is_at_end(at, node, span) {
            self.header()?;
            return Err(self.extra_in_tag(self.start));
        }
        self.nameless -= 1;
        self.stack.pop();
        Ok(())
    }

    #[cold]
    fn extra_in_tag(&self, at: usize) -> Error {
        self.fault(at, "more than one value in an explicit tag", "its end")
    }

    /// Skips a value whose header has been read.
    pub(super) fn skip(&mut self, header: Header) -> Result<(), Error> {
        if header.is_end_of_contents() {
            return Err(self.unexpected(header, String::new()));
        }
        if !header.is_indefinite() {
            self.at = header.end;
            return Ok(());
        }
        let mut open = 1;
        while open > 0 {
            if self.sees_mark(self.at) {
                self.at += 2;
                open -= 1;
                continue;
            }
            let inner = self.header()?;
            if inner.is_end_of_contents() {
                return Err(self.unexpected(inner, String::new()));
            }
            if inner.is_indefinite() {
                self.check_depth(open)?;
                open += 1;
            } else {
                self.at = inner.end;
            }
        }
        Ok(())
    }

    /// Checks a size against its constraint.
    #[inline(always)]
    pub(super) fn check_size(&self, node: NodeId, size: &Size, at: usize, count: u64) -> Result<(), Error> {
        if size.extensible || self.types.allows_size(size, count) {
            return Ok(());
        }
        Err(self.refused(node, at, Words::Own(format!("a size of {count}"))))
    }

    /// Refuses the primitive form of a value with content of its own.
    #[inline(always)]
    pub(super) fn constructed(&self, header: Header) -> Result<(), Error> {
        if header.is_constructed() {
            return Ok(());
        }
        Err(self.fault(self.start, "the primitive form", "the constructed form of a value that holds others"))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fault(&self, at: usize, found: impl Into<Words>, expected: &'static str) -> Error {
        Error::new(ErrorKind::Syntax, "ber", at as u64, found, expected)
    }

    /// The error for a tag that the type does not expect, of the header read last.
    #[cold]
    #[inline(never)]
    pub(super) fn unexpected(&self, header: Header, expected: String) -> Error {
        if header.is_end_of_contents() {
            return self.fault(self.start, "an end-of-contents, or the tag [UNIVERSAL 0]", "a value");
        }
        let found = Words::Own(format!("the tag {}", notation(header.tag())));
        Error::new(ErrorKind::Schema, "ber", self.start as u64, found, expected)
    }

    /// The error for a value that its constraint does not allow.
    #[cold]
    #[inline(never)]
    pub(super) fn refused(&self, node: NodeId, at: usize, found: Words) -> Error {
        Error::new(ErrorKind::Schema, "ber", at as u64, found, self.types.allowed(node))
    }
}

/// The place for the tag of a header, from a table in order of tags.
#[inline(always)]
pub(super) fn place_of(by_tag: &[(Tag, u32)], header: Header) -> Option<u32> {
    // Automatic tags number the alternatives, so the tag is often the index.
    if let Some((own, place)) = by_tag.get(header.key() as u32 as usize)
        && key(*own) == header.key()
    {
        return Some(*place);
    }
    search(by_tag, header.key())
}

#[inline(never)]
fn search(by_tag: &[(Tag, u32)], wanted: u64) -> Option<u32> {
    let found = by_tag.binary_search_by_key(&wanted, |(own, _)| key(*own)).ok()?;
    by_tag.get(found).map(|(_, place)| *place)
}
