//! Reading XML event by event.

use core::ops::Range;

use tam::{Error, ErrorKind, Limits, Words};
use xml::namespaces::{Scope, declared};

use super::Options;
use super::declaration::{self, Declaration};
use super::dtd::Dtd;
use super::encoding::{Decoded, Stop, Text, decode};
use super::entity::{Expansion, Replacement};
use super::expect::shown;
use super::outside::{Outside, in_file};
use super::source::Source;

/// What a [`Reader`] finds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'r> {
    /// A start tag, or an empty-element tag; [`Event::End`] follows for both.
    Start(StartTag<'r>),
    /// The element of this name ends.
    End(&'r str),
    /// Text: all of it up to the next tag, comment, instruction, CDATA section or reference that is kept, other references
    /// resolved. Never empty.
    Text(&'r str),
    /// A CDATA section.
    CData(&'r str),
    /// A comment.
    Comment(&'r str),
    /// A processing instruction.
    Instruction(Instruction<'r>),
    /// The document type declaration: the text between `<!DOCTYPE ` and its `>`.
    Doctype(&'r str),
    /// A reference to the entity of this name, whose text is not read ([`Options::entity_references`]).
    EntityReference(&'r str),
}

/// A start tag.
#[derive(Clone, Copy)]
pub struct StartTag<'r> {
    reader: &'r Reader<'r>,
}

impl<'r> StartTag<'r> {
    /// The name of the element, prefix and all.
    #[inline]
    #[must_use]
    pub fn name(self) -> &'r str {
        self.reader.str(self.reader.name)
    }

    /// Name and normalised value of each attribute, in document order. Those that only the DOCTYPE
    /// supplies follow the written ones, in the order of their declaration.
    #[inline]
    pub fn attributes(self) -> impl ExactSizeIterator<Item = (&'r str, &'r str)> {
        let reader = self.reader;
        reader.attributes.iter().map(|attribute| (reader.str(attribute.name), reader.str(attribute.value)))
    }

    /// The value of the attribute of a name.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<&'r str> {
        self.attributes().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// The namespace that this tag itself declares for a prefix, or by default if the prefix is empty. No other
    /// declarations are in scope in the first tag of a document.
    #[must_use]
    pub fn declared(self, prefix: &str) -> Option<&'r str> {
        self.attributes().find(|(name, _)| declared(name) == Some(prefix)).map(|(_, namespace)| namespace)
    }
}

impl core::fmt::Debug for StartTag<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "StartTag({} ", self.name())?;
        f.debug_map().entries(self.attributes()).finish()?;
        f.write_str(")")
    }
}

/// A processing instruction.
#[derive(Clone, Copy)]
pub struct Instruction<'r> {
    reader: &'r Reader<'r>,
}

impl<'r> Instruction<'r> {
    /// The target.
    #[must_use]
    pub fn target(self) -> &'r str {
        self.reader.str(self.reader.name)
    }

    /// The text after the target and white space; may be empty.
    #[must_use]
    pub fn data(self) -> &'r str {
        self.reader.str(self.reader.data)
    }
}

impl core::fmt::Debug for Instruction<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Instruction({:?}, {:?})", self.target(), self.data())
    }
}

/// Which text a [`Span`] is a place in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    /// The document, or the text of the entity that is being read.
    Frame,
    /// What had to be put together for the event.
    Scratch,
    /// The defaults that the DOCTYPE declares.
    Declared,
}

/// A piece of one of the texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) source: Within,
}

impl Span {
    /// A piece of the text that is being read, which is never longer than 4 GiB.
    #[inline(always)]
    pub(crate) fn frame(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32, source: Within::Frame }
    }

    /// Length in bytes.
    #[inline(always)]
    pub(crate) fn len(self) -> u32 {
        self.end - self.start
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Span,
    pub(crate) value: Span,
}

/// What a step finds; its parts are in the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Start,
    End,
    Text,
    CData,
    Comment,
    Instruction,
    Doctype,
    EntityReference,
    /// No event yet.
    Nothing,
    /// An error, which is in the reader. Steps return one byte, so that it stays in a register.
    Failed,
    /// The document is over.
    Over,
}

/// Which part of the document is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Before the DOCTYPE, if there is one.
    Prolog,
    /// Between the DOCTYPE and the root element.
    BeforeRoot,
    Content,
    AfterRoot,
}

/// A text that goes on when the entity within it is over.
#[derive(Debug)]
pub(crate) struct Outer<'a> {
    text: Text<'a>,
    /// Where the entity is referred to, and where reading goes on.
    referred_at: usize,
    at: usize,
    end: usize,
    special: usize,
    data_end: usize,
    base: usize,
    entity: usize,
}

/// Reads XML event by event, without building anything.
///
/// It is a non-validating processor of XML 1.0 (fifth edition) that reads the internal subset:
/// it checks well-formedness, resolves references, normalises line ends and attribute values, and
/// supplies attribute defaults. It checks that the document is namespace-well-formed, unless
/// [`Options::namespaces`] is `false`, and reports names as they are written: `p:a`. Nothing outside
/// the document is read, but by [`Reader::with_entities`]: a reference to an external entity, or to one that only the external subset
/// can declare, is an error of kind unsupported, unless [`Options::entity_references`] keeps those in content; and so is a prefix
/// that only that could declare.
///
/// What an event lends lies in the input wherever it could be left there.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_text::xml::{Event, Options, Reader};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut reader = Reader::new(b"<order id='17'>2 &lt; 3</order>", &Options::default())?;
/// let Some(Event::Start(tag)) = reader.next_event()? else { panic!() };
/// assert_eq!((tag.name(), tag.attribute("id")), ("order", Some("17")));
/// let Some(Event::Text(text)) = reader.next_event()? else { panic!() };
/// assert_eq!(text, "2 < 3");
/// assert!(matches!(reader.next_event()?, Some(Event::End("order"))));
/// assert!(reader.next_event()?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    pub(crate) document: Decoded<'a>,
    pub(crate) limits: Limits,
    pub(crate) part: Part,
    /// The text being read: the document, or the replacement text of an entity.
    pub(crate) text: Text<'a>,
    pub(crate) at: usize,
    pub(crate) end: usize,
    /// Where character data needs a change, or up to where it is known to need none.
    pub(crate) special: usize,
    /// Where character data ends that a reference to an entity interrupts, or a place before it.
    pub(crate) data_end: usize,
    /// Elements that were open where the text began.
    pub(crate) base: usize,
    entity: usize,
    outer: Vec<Outer<'a>>,
    /// The names of the elements that are open.
    pub(crate) open: Vec<Span>,
    /// Whether the element that was opened last is empty, so that its end comes next.
    pub(crate) empty: bool,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) namespaces: bool,
    pub(crate) entity_references: bool,
    /// Whether the namespaces of the attributes of the start tag have to be checked.
    pub(crate) qualified: bool,
    pub(crate) scope: Scope,
    pub(crate) name: Span,
    pub(crate) data: Span,
    pub(crate) scratch: String,
    pub(crate) dtd: Option<Box<Dtd<'a>>>,
    pub(crate) outside: Option<Outside<'a>>,
    pub(crate) expansion: Expansion,
    /// Number of the start tag, and for each declared attribute the last one it was written in.
    pub(crate) tag: u64,
    pub(crate) written_in: Vec<u64>,
    pub(crate) standalone: bool,
    pub(crate) event_at: usize,
    failed: Option<Error>,
}

impl<'a> Reader<'a> {
    /// A reader of a document in UTF-8, UTF-16, ISO-8859-1 or US-ASCII, as its byte order mark or
    /// its declaration says (XML 1.0 section 4.3.3). UTF-8 and ASCII are read where they are.
    ///
    /// # Errors
    /// When the encoding is unknown or contradicts the bytes, the XML declaration is not
    /// well-formed, or the input is longer than the limit `message_bytes`.
    pub fn new(input: &'a [u8], options: &Options) -> Result<Reader<'a>, Error> {
        check_size(input.len(), options)?;
        Reader::start(decode(input)?, options)
    }

    /// A reader of characters; an encoding declaration in them means nothing any more.
    ///
    /// # Errors
    /// As [`Reader::new`], but for encodings.
    pub fn from_text(text: &'a str, options: &Options) -> Result<Reader<'a>, Error> {
        check_size(text.len(), options)?;
        Reader::start(Decoded::from_text(text), options)
    }

    /// The same reader, which reads external entities, and the external subset, from `source`. Their system identifiers are
    /// relative to `base`, the document.
    ///
    /// It then supplies the defaults that are declared there too, and a prefix or an entity that is declared nowhere is an
    /// error. What cannot be read is an error of kind io. The text of external entities counts to the limits like that of
    /// internal ones. Errors in it have the offset of the reference in the document, and name the file and the place in it.
    /// Call it before the first event.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_text::xml::{Event, Memory, Options, Reader};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let files = Memory::new().with("book/1.xml", "<chapter/>");
    /// let document = b"<!DOCTYPE book [<!ENTITY one SYSTEM '1.xml'>]><book>&one;</book>";
    /// let mut reader = Reader::new(document, &Options::default())?.with_entities(&files, Some("book/book.xml"));
    /// let mut names = Vec::new();
    /// while let Some(event) = reader.next_event()? {
    ///     if let Event::Start(tag) = event {
    ///         names.push(tag.name().to_owned());
    ///     }
    /// }
    /// assert_eq!(names, ["book", "chapter"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_entities(mut self, source: &'a (dyn Source + Sync), base: Option<&str>) -> Reader<'a> {
        self.outside = Some(Outside { source, base: base.map(Into::into) });
        self
    }

    fn start(document: Decoded<'a>, options: &Options) -> Result<Reader<'a>, Error> {
        // Decoding can make a text longer.
        check_size(document.end, &Options::default().with_limits(Limits::NONE))?;
        let none = Span::frame(0, 0);
        let mut reader = Reader {
            limits: options.limits,
            part: Part::Prolog,
            text: document.text.clone(),
            at: 0,
            end: document.end,
            special: 0,
            data_end: 0,
            base: 0,
            entity: usize::MAX,
            outer: Vec::new(),
            open: Vec::new(),
            empty: false,
            attributes: Vec::new(),
            namespaces: options.namespaces,
            entity_references: options.entity_references,
            qualified: false,
            scope: Scope::default(),
            name: none,
            data: none,
            scratch: String::new(),
            dtd: None,
            outside: None,
            expansion: Expansion::new(options.limits.entities(document.end)),
            tag: 0,
            written_in: Vec::new(),
            standalone: false,
            event_at: 0,
            failed: None,
            document,
        };
        let text = reader.text.clone();
        let bytes = text.as_str().as_bytes().get(..reader.end).unwrap_or(&[]);
        if declaration::begins(bytes) {
            match declaration::read(bytes) {
                Ok(said) => (reader.standalone, reader.at) = (said.standalone == Some(true), said.end),
                Err(error) => return Err(reader.located(error)),
            }
        }
        Ok(reader)
    }

    /// The next event; `None` after the last.
    ///
    /// # Errors
    /// When the document is not well-formed (kind syntax), ends before the root element does
    /// (incomplete), exceeds a limit, or needs what is outside it (unsupported). The error has
    /// byte, line and column. Nothing can be read after it.
    #[inline(always)]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        let found = self.advance()?;
        Ok(Some(match found {
            Found::Start => Event::Start(StartTag { reader: self }),
            Found::End => Event::End(self.str(self.name)),
            Found::Text => Event::Text(self.str(self.data)),
            Found::CData => Event::CData(self.str(self.data)),
            Found::Comment => Event::Comment(self.str(self.data)),
            Found::Instruction => Event::Instruction(Instruction { reader: self }),
            Found::Doctype => Event::Doctype(self.str(self.data)),
            Found::EntityReference => Event::EntityReference(self.str(self.data)),
            Found::Nothing | Found::Failed | Found::Over => return Ok(None),
        }))
    }

    /// The XML declaration of the document, if it has one.
    #[must_use]
    pub fn declaration(&self) -> Option<Declaration> {
        let text = self.document.text.as_str();
        let parts = declaration::begins(text.as_bytes()).then(|| declaration::read(text.as_bytes()).ok())?;
        parts.map(|parts| parts.of(text))
    }

    /// Number of elements open: those that have started and not ended.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Offset of the last event in the input, in bytes; inside an entity, that of the reference. In
    /// UTF-16 and ISO-8859-1 it is counted from the start of the input.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.document.offset(self.event_at) as u64
    }

    /// An error at the last event: what a caller who expects something else says of it. Lines and
    /// columns are counted from the start of the input.
    #[must_use]
    pub fn error(&self, kind: ErrorKind, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        let (line, column) = self.position(self.event_at);
        Error::new(kind, "xml", self.offset(), found, expected).at_line(line, column)
    }

    /// Whether the texts that the reader lends lie in the input.
    pub(crate) fn is_in_place(&self) -> bool {
        matches!(self.document.text, Text::Lent(_))
    }

    #[inline(always)]
    fn source(&self, source: Within) -> &str {
        match (source, &self.dtd) {
            (Within::Frame, _) => self.text.as_str(),
            (Within::Declared, Some(dtd)) => &dtd.attributes.text,
            _ => &self.scratch,
        }
    }

    #[inline(always)]
    fn str(&self, span: Span) -> &str {
        self.source(span.source).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    #[inline(always)]
    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        self.source(span.source).as_bytes().get(span.start as usize..span.end as usize).unwrap_or(&[])
    }

    /// Goes on to the next event. Inlined, so that what is found need not be asked for twice.
    #[inline(always)]
    pub(crate) fn advance(&mut self) -> Result<Found, Error> {
        self.scratch.clear();
        self.event_at = self.place(self.at);
        if self.empty {
            self.empty = false;
            return Ok(self.closed());
        }
        loop {
            let found = match &self.text {
                Text::Lent(text) => {
                    let text: &'a str = text;
                    self.step(text.as_bytes().get(..self.end).unwrap_or(&[]))
                }
                Text::Shared(text) => {
                    let text = text.clone();
                    self.step(text.as_bytes().get(..self.end).unwrap_or(&[]))
                }
            };
            match found {
                // Unless text has begun, the event begins after what was skipped.
                Found::Nothing if self.scratch.is_empty() => self.event_at = self.place(self.at),
                Found::Nothing => {}
                Found::Failed => return Err(self.failure()),
                found => return Ok(found),
            }
        }
    }

    /// Keeps the error of a step that returns what it found.
    #[cold]
    pub(crate) fn fail(&mut self, error: Error) -> Found {
        self.failed = Some(error);
        Found::Failed
    }

    #[cold]
    fn failure(&mut self) -> Error {
        let error = self.failed.take();
        self.located(error.unwrap_or_else(|| Error::incomplete("xml", self.at as u64, 1, "nothing more")))
    }

    /// Whether the text being read is the document itself.
    #[inline(always)]
    pub(crate) fn in_document(&self) -> bool {
        self.outer.is_empty()
    }

    /// Goes into the replacement text of an entity.
    pub(crate) fn enter(&mut self, entity: usize, replacement: Replacement<'a>, referred_at: usize) {
        let text = core::mem::replace(&mut self.text, replacement.text);
        self.outer.push(Outer {
            text,
            referred_at,
            at: self.at,
            end: self.end,
            special: self.special,
            data_end: self.data_end,
            base: self.base,
            entity: self.entity,
        });
        (self.at, self.end) = (replacement.range.start, replacement.range.end);
        (self.base, self.entity) = (self.open.len(), entity);
        self.special = self.at;
        self.data_end = 0;
    }

    /// Goes back to where the entity was referred to. Elements that began in it must have ended
    /// in it.
    pub(crate) fn leave(&mut self) -> Result<(), Error> {
        if self.open.len() > self.base {
            return Err(Error::incomplete("xml", self.at as u64, 1, "the end of an element that began there"));
        }
        if let Some(outer) = self.outer.pop() {
            self.expansion.close(self.entity);
            self.text = outer.text;
            (self.at, self.end, self.special) = (outer.at, outer.end, outer.special);
            self.data_end = outer.data_end;
            (self.base, self.entity) = (outer.base, outer.entity);
        }
        Ok(())
    }

    /// Whether the document is over where its text is, rather than stopped by what cannot be read.
    pub(crate) fn is_over(&self) -> bool {
        self.document.stop == Stop::End
    }

    /// The position in the document's text for an error at a position of the text being read.
    fn place(&self, at: usize) -> usize {
        self.outer.first().map_or(at, |document| document.referred_at)
    }

    /// An error of a step, with its position in the input.
    #[cold]
    fn located(&self, error: Error) -> Error {
        let at = self.place(usize::try_from(error.offset()).unwrap_or(usize::MAX));
        let (line, column) = self.position(at);
        let offset = self.document.offset(at) as u64;
        let error = self.explained(error, at);
        error.met_in("xml", offset).at_line(line, column)
    }

    /// The end of the text is not always the end of the document.
    fn explained(&self, error: Error, at: usize) -> Error {
        if !self.in_document()
            && let Some(file) = self.dtd.as_ref().and_then(|dtd| dtd.entities.general.file(self.entity))
        {
            let inside = usize::try_from(error.offset()).unwrap_or(usize::MAX);
            return in_file(&error, file, super::encoding::line_and_column(self.text.as_str(), inside), at);
        }
        let name = self.dtd.as_ref().map_or("", |dtd| dtd.entities.general.name(self.entity));
        let found = if error.kind() != ErrorKind::Incomplete {
            if self.in_document() {
                return error;
            }
            Words::Own(format!("{} in the text of '&{name};'", error.found()))
        } else if !self.in_document() {
            Words::Own(format!("the end of the text of '&{name};'"))
        } else {
            match self.document.stop {
                Stop::End | Stop::Cut => return error,
                Stop::Char(c) => {
                    return Error::new(ErrorKind::Syntax, "xml", at as u64, shown(c), "a character that XML allows");
                }
                Stop::Byte(byte, encoding) => {
                    return Error::new(ErrorKind::Syntax, "xml", at as u64, format!("the byte 0x{byte:02X}"), encoding);
                }
            }
        };
        let kind = if error.kind() == ErrorKind::Incomplete { ErrorKind::Syntax } else { error.kind() };
        Error::new(kind, "xml", at as u64, found, error.expected().clone())
    }

    /// Line and column of a place in the document's text, from 1, the column in characters.
    fn position(&self, at: usize) -> (u64, u64) {
        super::encoding::line_and_column(self.document.text.as_str(), at)
    }
}

fn check_size(bytes: usize, options: &Options) -> Result<(), Error> {
    let limit = options.limits.message_bytes;
    if bytes > limit as usize {
        let found = Words::Count(bytes as u64, "bytes");
        return Err(Error::limit("xml", u64::from(limit), found, "message_bytes", limit.into()));
    }
    Ok(())
}

/// A piece of what was put together for an event.
pub(crate) fn scratch_span(range: Range<usize>, at: usize) -> Result<Span, Error> {
    match (u32::try_from(range.start), u32::try_from(range.end)) {
        (Ok(start), Ok(end)) => Ok(Span { start, end, source: Within::Scratch }),
        _ => Err(Error::limit("xml", at as u64, "more text", "message_bytes", u32::MAX.into())),
    }
}
