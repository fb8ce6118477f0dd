//! The envelope around schema and table (paper section 2).

use std::borrow::Cow;
use std::ops::Range;

use ::xml::chars::{is_space, is_white};
use ::xml::escape::Context;
use ::xml::name::{is_name, split};
use ::xml::namespaces::{Scope, declared};
use tam::{Error, ErrorKind, Limits, Words};
use text::xml::{self, Event};

use crate::escape;
use crate::place::{at_line, found, syntax, unsupported};
use crate::{FORMAT, Tags};

/// The namespace of the tags. The paper does not define one.
pub const NAMESPACE: &str = "urn:tdxml";

pub(crate) const SOAP: &str = "http://schemas.xmlsoap.org/soap/envelope/";

/// The positions of schema and table in a text.
#[derive(Debug)]
pub(crate) struct Envelope<'a> {
    pub(crate) schema: SchemaSource<'a>,
    pub(crate) table: Range<usize>,
}

/// Where the schema of a message is.
#[derive(Debug)]
pub(crate) enum SchemaSource<'a> {
    /// In the message, optionally with an identifier.
    Inline { id: Option<Cow<'a, str>>, notation: Range<usize> },
    /// Elsewhere: the message has its identifier.
    Reference(Cow<'a, str>),
}

/// Finds the envelope in a text: as the root element, or inside another document.
pub(crate) fn find<'a>(text: &'a str, limits: &Limits) -> Result<Envelope<'a>, Error> {
    let mut scan = Scan { text, at: 0 };
    scan.prolog();
    let start = scan.at;
    if let Ok(tag) = scan.tag()
        && tag.is("Env", "Envelope")
    {
        let envelope = scan.content(&tag)?;
        scan.space();
        return match scan.at == text.len() {
            true => Ok(envelope),
            false => Err(syntax(scan.at, found(text, scan.at), "the end of the message")),
        };
    }
    let at = embedded(text, start, limits)?;
    let mut scan = Scan { text, at };
    let tag = scan.tag()?;
    scan.content(&tag)
}

/// The start of the first envelope in a document, all of which must be XML.
fn embedded(text: &str, start: usize, limits: &Limits) -> Result<usize, Error> {
    // The prefix of the envelope may be unbound.
    let options = xml::Options::default().with_limits(*limits).with_namespaces(false);
    let mut reader = xml::Reader::from_text(text, &options).map_err(|error| unread(&error))?;
    let mut scope = Scope::default();
    let ours = scope.number(NAMESPACE.as_bytes());
    let (mut place, mut was_root, mut depth) = (None, None, 0);
    while let Some(event) = reader.next_event().map_err(|error| unread(&error))? {
        match event {
            Event::Start(tag) if place.is_none() => {
                depth += 1;
                for (name, value) in tag.attributes() {
                    if let Some(prefix) = declared(name) {
                        scope.bind(depth, prefix.as_bytes(), value.as_bytes());
                    }
                }
                let (prefix, local) = split(tag.name());
                let is_ours = || scope.namespace(prefix.as_bytes()).map_or(prefix == "TDXML", |bound| bound == ours);
                let is_envelope = matches!(local, "Env" | "Envelope") && is_ours();
                was_root.get_or_insert_with(|| tag.name().to_owned());
                if is_envelope {
                    place = usize::try_from(reader.offset()).ok();
                }
            }
            Event::End(_) if place.is_none() => {
                depth -= 1;
                scope.end(depth);
            }
            _ => {}
        }
    }
    place.ok_or_else(|| {
        let root = was_root.unwrap_or_default();
        let expected = "<TDXML:Env> as the root element, or inside another";
        syntax(start, format!("<{root}> without a <TDXML:Env>"), expected)
    })
}

/// The start of the table must be among the first tags; this is their number.
const FIRST_TAGS: usize = 8;

/// The end of the start tag of a table among the first tags of `bytes`.
fn table_start(bytes: &[u8]) -> Option<usize> {
    TableStart::default().find(bytes)
}

/// Searches for the start tag of a table in a message that arrives in pieces. Looks at each byte once.
#[derive(Debug, Default)]
pub(crate) struct TableStart {
    /// The number of tags seen, the start of the current one, and how far its end has been searched for.
    tags: usize,
    tag: Option<usize>,
    searched: usize,
}

impl TableStart {
    /// The end of the tag. `bytes` is the message so far, which grows from call to call.
    pub(crate) fn find(&mut self, bytes: &[u8]) -> Option<usize> {
        while self.tags < FIRST_TAGS {
            let from = |at: usize| bytes.get(at..).unwrap_or_default();
            let Some(start) = self.tag else {
                let found = memchr::memchr(b'<', from(self.searched)).map(|found| self.searched + found);
                self.searched = found.map_or(bytes.len(), |found| found + 1);
                self.tag = Some(found?);
                continue;
            };
            let end = memchr::memchr(b'>', from(self.searched)).map(|found| self.searched + found);
            self.searched = end.unwrap_or(bytes.len());
            let end = end?;
            (self.tags, self.tag) = (self.tags + 1, None);
            self.searched = end + 1;
            let name = bytes.get(start + 1..end).unwrap_or_default().trim_ascii_end();
            if matches!(name.rsplit(|c| *c == b':').next(), Some(b"CT" | b"ContentTable")) {
                return Some(end + 1);
            }
        }
        None
    }
}

/// The schema of a message that ends after the start tag of its table. `None` if the envelope is not the root element.
pub(crate) fn head(bytes: &[u8]) -> Option<SchemaSource<'_>> {
    let text = str::from_utf8(bytes).ok()?;
    let mut scan = Scan { text, at: 0 };
    scan.prolog();
    let envelope = scan.tag().ok().filter(|tag| tag.is("Env", "Envelope") && !tag.is_empty)?;
    let schema = scan.schema(&envelope).ok()?;
    let table = scan.table(&envelope).ok()?;
    (!table.is_empty && scan.at == text.len()).then_some(schema)
}

/// Checks that bytes are the end tags of a table and of its envelope, and nothing else.
pub(crate) fn is_tail(bytes: &[u8]) -> Result<(), Error> {
    let text = characters(bytes)?;
    let mut at = 0;
    for names in [["CT", "ContentTable"], ["Env", "Envelope"]] {
        let rest = text.get(at..).unwrap_or_default();
        let tag = rest.trim_ascii_start();
        let inner = tag.strip_prefix("</").and_then(|tag| tag.split_once('>'));
        let Some((name, after)) = inner else {
            return Err(match found(text, at + rest.len() - tag.len()) {
                _ if "</".starts_with(tag) || tag.starts_with("</") => {
                    Error::incomplete(FORMAT, text.len() as u64, 1, "the end tags of the message")
                }
                found => syntax(at, found, "text alone in the table, and its end tag"),
            });
        };
        let local = name.trim_ascii_end().rsplit(':').next().unwrap_or_default();
        if !names.contains(&local) {
            return Err(syntax(at, format!("</{name}>"), format!("the end tag of <{}>", names[0])));
        }
        at = text.len() - after.len();
    }
    match text.get(at..).unwrap_or_default().trim_ascii().is_empty() {
        true => Ok(()),
        false => Err(syntax(at, found(text, at), "the end of the message")),
    }
}

/// Finds schema and table in a message whose root element is the envelope, by looking only at what is around the rows.
/// `None` if that is not possible.
pub(crate) fn front(message: &[u8]) -> Option<(Envelope<'_>, Range<usize>)> {
    // The start tag of the table is one of the first tags, because the schema contains no tags.
    let start = table_start(message)?;
    // The last two tags are the ends of the table and of the envelope.
    let last = memchr::memrchr(b'<', message)?;
    let end = memchr::memrchr(b'<', message.get(..last)?).filter(|end| *end >= start)?;
    let text = str::from_utf8(message.get(..start)?).ok()?;
    let mut scan = Scan { text, at: 0 };
    scan.prolog();
    let envelope = scan.tag().ok().filter(|tag| tag.is("Env", "Envelope") && !tag.is_empty)?;
    let schema = scan.schema(&envelope).ok()?;
    let table = scan.table(&envelope).ok().filter(|table| !table.is_empty && scan.at == start)?;
    let mut tail = Scan { text: str::from_utf8(message.get(end..)?).ok()?, at: 0 };
    tail.end_tag(&table).ok()?;
    tail.space();
    tail.end_tag(&envelope).ok()?;
    Some((Envelope { schema, table: start..end }, start..end))
}

/// Whether a text begins like a message: an optional XML declaration, then the start tag of an envelope.
///
/// ```
/// assert!(lengthwise_tdxml::begins(b"<?xml version='1.0'?><TDXML:Env>"));
/// assert!(!lengthwise_tdxml::begins(b"<Env>"));
/// ```
#[must_use]
pub fn begins(message: &[u8]) -> bool {
    const LOOKED_AT: usize = 4096;
    let start = message.get(..LOOKED_AT).unwrap_or(message);
    let text = match str::from_utf8(start) {
        Ok(text) => text,
        Err(error) => start.get(..error.valid_up_to()).and_then(|valid| str::from_utf8(valid).ok()).unwrap_or_default(),
    };
    let mut scan = Scan { text, at: 0 };
    scan.prolog();
    scan.tag().is_ok_and(|tag| tag.is("Env", "Envelope"))
}

/// Converts an error of the XML around an envelope.
#[cold]
fn unread(error: &Error) -> Error {
    let again = Error::new(error.kind(), FORMAT, error.offset(), error.found().clone(), error.expected().clone());
    match error.position() {
        Some((line, column)) => again.at_line(line, column),
        None => again,
    }
}

/// A start tag, or an empty-element tag.
struct Tag<'a> {
    prefix: &'a str,
    local: &'a str,
    attributes: Vec<(&'a str, Cow<'a, str>)>,
    is_empty: bool,
}

impl<'a> Tag<'a> {
    /// Whether it is a tag of this format: bound to the namespace, or unbound with the prefix of the paper.
    fn is(&self, short: &str, long: &str) -> bool {
        if self.local != short && self.local != long {
            return false;
        }
        let binding = self.attributes.iter().find(|(name, _)| declared(name) == Some(self.prefix));
        match binding {
            Some((_, uri)) => uri == NAMESPACE,
            None => self.prefix == "TDXML",
        }
    }

    fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        self.attributes.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone())
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        self.at += self.rest().bytes().take_while(|c| is_space(*c)).count();
    }

    /// Skips the byte order mark and the XML declaration.
    fn prolog(&mut self) {
        if self.rest().starts_with('\u{FEFF}') {
            self.at += '\u{FEFF}'.len_utf8();
        }
        if self.rest().starts_with("<?xml ")
            && let Some(end) = self.rest().find("?>")
        {
            self.at += end + 2;
        }
        self.space();
    }

    fn expected(&self, expected: &'static str) -> Error {
        match found(self.text, self.at) {
            Words::End => Error::incomplete(FORMAT, self.at as u64, 1, expected),
            found => syntax(self.at, found, expected),
        }
    }

    fn tag(&mut self) -> Result<Tag<'a>, Error> {
        let rest = self.rest();
        let Some(inside) = rest.strip_prefix('<') else { return Err(self.expected("a start tag: '<'")) };
        let name_end = inside.find([' ', '\t', '\n', '\r', '/', '>']).unwrap_or(inside.len());
        let name = inside.get(..name_end).unwrap_or_default();
        let (prefix, local) = split(name);
        self.at += 1 + name_end;
        let mut attributes = Vec::new();
        loop {
            self.space();
            let rest = self.rest();
            if rest.starts_with("/>") {
                self.at += 2;
                return Ok(Tag { prefix, local, attributes, is_empty: true });
            }
            if rest.starts_with('>') {
                self.at += 1;
                return Ok(Tag { prefix, local, attributes, is_empty: false });
            }
            let name_end = rest.find([' ', '\t', '\n', '\r', '=', '/', '>', '<']).unwrap_or(rest.len());
            let name = rest.get(..name_end).unwrap_or_default();
            if !is_name(name) || attributes.len() > 64 {
                return Err(self.expected("an attribute or '>'"));
            }
            self.at += name_end;
            self.space();
            if !self.rest().starts_with('=') {
                return Err(self.expected("'='"));
            }
            self.at += 1;
            self.space();
            let Some(quote) = self.rest().chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                return Err(self.expected("a value in quotes"));
            };
            self.at += 1;
            let Some(end) = self.rest().find(quote) else {
                return Err(Error::incomplete(FORMAT, self.text.len() as u64, 1, "the end of a value in quotes"));
            };
            let raw = self.rest().get(..end).unwrap_or_default();
            if let Some(bad) = raw.find('<') {
                return Err(syntax(self.at + bad, "'<'", "no '<' in a value"));
            }
            let value = escape::decode(raw).map_err(|error| {
                let at = error.offset() + self.at as u64;
                error.met_in(FORMAT, at)
            })?;
            if attributes.iter().any(|(other, _)| *other == name) {
                return Err(syntax(self.at, format!("the attribute {name} a second time"), "each attribute once"));
            }
            attributes.push((name, value));
            self.at += end + 1;
        }
    }

    /// Reads text up to the end tag of an element.
    fn text(&mut self, tag: &Tag<'_>) -> Result<Range<usize>, Error> {
        let start = self.at;
        let Some(end) = memchr::memchr(b'<', self.rest().as_bytes()) else {
            let at = self.text.len() as u64;
            return Err(Error::incomplete(FORMAT, at, 1, format!("the end tag of <{}>", tag.local)));
        };
        self.at += end;
        self.end_tag(tag)?;
        Ok(start..start + end)
    }

    fn end_tag(&mut self, tag: &Tag<'_>) -> Result<(), Error> {
        let start = self.at;
        let rest = self.rest();
        let colon = if tag.prefix.is_empty() { "" } else { ":" };
        let after = rest
            .strip_prefix("</")
            .and_then(|rest| rest.strip_prefix(tag.prefix)?.strip_prefix(colon)?.strip_prefix(tag.local));
        if let Some(after) = after {
            self.at = self.text.len() - after.len();
            self.space();
            if self.rest().starts_with('>') {
                self.at += 1;
                return Ok(());
            }
        }
        self.at = start;
        let what = match rest.get(..4) {
            Some("<!--") => "a comment",
            Some("<![C") => "a CDATA section",
            Some(other) if other.starts_with("<?") => "an instruction",
            _ if rest.starts_with('<') && !rest.contains('>') => {
                return Err(Error::incomplete(FORMAT, self.text.len() as u64, 1, format!("</{}>", tag.local)));
            }
            _ => return Err(self.expected("the end tag of the element")),
        };
        Err(unsupported(start, what, "text alone in schema and table"))
    }

    /// Reads schema and table, up to the end tag of the envelope.
    fn content(&mut self, envelope: &Tag<'a>) -> Result<Envelope<'a>, Error> {
        if envelope.is_empty {
            return Err(syntax(self.at, "an envelope with nothing in it", "a data schema and a content table"));
        }
        let schema = self.schema(envelope)?;
        let tag = self.table(envelope)?;
        let table = if tag.is_empty { self.at..self.at } else { self.text(&tag)? };
        self.space();
        self.end_tag(envelope)?;
        Ok(Envelope { schema, table })
    }

    /// Reads the data schema, up to its end tag.
    fn schema(&mut self, envelope: &Tag<'a>) -> Result<SchemaSource<'a>, Error> {
        self.space();
        let start = self.at;
        let tag = self.tag()?;
        if tag.prefix != envelope.prefix || !matches!(tag.local, "DS" | "DataSchema") {
            return Err(syntax(start, format!("<{}>", tag.local), "the data schema, <DS>, of the envelope's prefix"));
        }
        let (id, reference) = (tag.attribute("id"), tag.attribute("ref"));
        let notation = if tag.is_empty { self.at..self.at } else { self.text(&tag)? };
        let is_blank = is_white(self.text.get(notation.clone()).unwrap_or_default().as_bytes());
        match (reference, is_blank) {
            (Some(reference), true) => Ok(SchemaSource::Reference(reference)),
            (Some(_), false) => {
                Err(syntax(notation.start, "a schema that is elsewhere as well", "nothing in <DS ref='…'>"))
            }
            (None, true) => Err(syntax(notation.start, "no schema", "a data schema, or where it is: ref='…'")),
            (None, false) => Ok(SchemaSource::Inline { id, notation }),
        }
    }

    /// Reads the start tag of the table.
    fn table(&mut self, envelope: &Tag<'a>) -> Result<Tag<'a>, Error> {
        self.space();
        let start = self.at;
        let tag = self.tag()?;
        if tag.prefix != envelope.prefix || !matches!(tag.local, "CT" | "ContentTable") {
            return Err(syntax(start, format!("<{}>", tag.local), "the content table, <CT>"));
        }
        Ok(tag)
    }
}

/// The text of a message, which must be UTF-8.
pub(crate) fn characters(message: &[u8]) -> Result<&str, Error> {
    simdutf8::basic::from_utf8(message).map_err(|_| {
        let at = str::from_utf8(message).map_or_else(|error| error.valid_up_to(), str::len);
        let is_utf16 = matches!(message, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..]);
        let error = match (is_utf16, message.get(at)) {
            (true, _) => unsupported(0, "UTF-16", "a message in UTF-8"),
            (_, byte) => {
                Error::new(ErrorKind::Syntax, FORMAT, at as u64, byte.map_or(Words::End, |b| Words::Byte(*b)), "UTF-8")
            }
        };
        at_line(error, message)
    })
}

/// The three tags of an envelope.
fn names(tags: Tags) -> [&'static str; 3] {
    match tags {
        Tags::Short => ["TDXML:Env", "TDXML:DS", "TDXML:CT"],
        Tags::Long => ["TDXML:Envelope", "TDXML:DataSchema", "TDXML:ContentTable"],
        Tags::Bare => ["Env", "DS", "CT"],
    }
}

fn put(out: &mut Vec<u8>, pieces: &[&str]) {
    pieces.iter().for_each(|piece| out.extend_from_slice(piece.as_bytes()));
}

/// Appends everything before the rows. `notation` is `None` if the schema is referred to.
pub(crate) fn start(tags: Tags, soap: bool, id: Option<&str>, notation: Option<&str>, out: &mut Vec<u8>) {
    let [envelope, schema, table] = names(tags);
    if soap {
        put(out, &["<soap:Envelope xmlns:soap=\"", SOAP, "\"><soap:Body>"]);
    }
    let prefix = if tags == Tags::Bare { "" } else { ":TDXML" };
    put(out, &["<", envelope, " xmlns", prefix, "=\"", NAMESPACE, "\">", "<", schema]);
    if let Some(id) = id {
        put(out, &[if notation.is_some() { " id=\"" } else { " ref=\"" }]);
        ::xml::escape::push(out, id, Context::Attribute);
        put(out, &["\""]);
    }
    match notation {
        None => put(out, &["/>"]),
        Some(notation) => {
            put(out, &[">\n"]);
            ::xml::escape::push(out, notation, Context::Lines);
            put(out, &["\n</", schema, ">"]);
        }
    }
    put(out, &["<", table, ">\n"]);
}

/// Appends everything after the rows.
pub(crate) fn end(tags: Tags, soap: bool, out: &mut Vec<u8>) {
    let [envelope, _, table] = names(tags);
    put(out, &["</", table, "></", envelope, ">"]);
    if soap {
        put(out, &["</soap:Body></soap:Envelope>"]);
    }
}
