//! Restores a document from its rows: names with the prefixes that it declared, and what has no number.

use std::borrow::Cow;
use std::collections::HashMap;

use tam::{Error, Expansion, Limits, Words};
use text::xml::{Event, Options, Reader};

use crate::mime::Parts;
use crate::place::{schema as schema_error, syntax};
use crate::reader::moved;
use crate::rest::{self, Bindings, Kind, Place};
use crate::row_reader::{Event as RowEvent, Raw, RowReader, charge};
use crate::schema::{Attribute, Builtin, DataSchema, Element, NONE, NameParts, ValueType};
use crate::{FORMAT, escape};

/// A name, and where a copy of it can be kept.
#[derive(Clone, Copy)]
pub(crate) struct Name<'n> {
    pub(crate) text: &'n str,
    /// A place among the elements and attributes of the schema, and a number that changes with the text.
    pub(crate) slot: Option<(u32, u32)>,
}

impl<'n> Name<'n> {
    pub(crate) const fn alone(text: &'n str) -> Name<'n> {
        Name { text, slot: None }
    }
}

/// Receives the content of a document. `at` is the position of a value in the message, if it is there as it is.
pub(crate) trait Output {
    /// There is something beside the root element.
    fn surround(&mut self) -> Result<(), Error>;

    fn start(&mut self, name: Name<'_>, at: usize) -> Result<(), Error>;

    /// An attribute of the element that began last, before anything else in it.
    fn attribute(&mut self, name: Name<'_>, value: &str, at: Option<usize>) -> Result<(), Error>;

    /// Text, which is not empty.
    fn text(&mut self, value: &str, at: Option<usize>) -> Result<(), Error>;

    /// A comment, an instruction or a DOCTYPE.
    fn note(&mut self, kind: Kind, text: &str) -> Result<(), Error>;

    fn end(&mut self) -> Result<(), Error>;
}

/// An open element.
#[derive(Debug)]
struct Level {
    /// The first of its items, and the next one.
    first: usize,
    next: usize,
    /// The number of its elements so far.
    children: u32,
    /// The number of declarations around it.
    declared: usize,
    /// Whether the last thing in it was text.
    after_text: bool,
}

/// An item that is still to come.
#[derive(Debug)]
struct Waiting {
    children: u32,
    offset: u32,
    kind: Kind,
    text: String,
    at: usize,
}

/// Names with prefixes.
#[derive(Debug, Default)]
struct Names {
    /// For each element and attribute in use, its place among the texts.
    slots: HashMap<u32, u32, foldhash::fast::RandomState>,
    /// The names, and the state of the bindings that each belongs to.
    texts: Vec<(u32, String)>,
}

/// Passes on rows as a document.
pub(crate) struct Restorer<'s, 'p, 'm, O> {
    schema: &'s DataSchema,
    limits: Limits,
    parts: Option<&'p Parts<'m>>,
    pub(crate) out: O,
    /// The element that has begun, while its row `(*)` may come.
    pending: Option<(&'s Element, usize)>,
    levels: Vec<Level>,
    waiting: Vec<Waiting>,
    /// What comes after the root element.
    after: Vec<(Kind, String)>,
    bindings: Bindings,
    names: Names,
    /// The prefixes of attributes of the current element that are not the usual ones.
    prefixes: Vec<(u32, String)>,
}

impl<'s, 'p, 'm, O: Output> Restorer<'s, 'p, 'm, O> {
    pub(crate) fn new(
        schema: &'s DataSchema,
        limits: Limits,
        parts: Option<&'p Parts<'m>>,
        out: O,
    ) -> Restorer<'s, 'p, 'm, O> {
        Restorer {
            schema,
            limits,
            parts,
            out,
            pending: None,
            levels: Vec::new(),
            waiting: Vec::new(),
            after: Vec::new(),
            bindings: Bindings::new(schema),
            names: Names::default(),
            prefixes: Vec::new(),
        }
    }

    /// Passes on the start of the pending element.
    fn begin(&mut self) -> Result<(), Error> {
        match self.pending.take() {
            None => Ok(()),
            Some((element, place)) => {
                let declared = self.bindings.len();
                self.start(element, None, declared, place)
            }
        }
    }

    fn start(&mut self, element: &Element, prefix: Option<&str>, declared: usize, at: usize) -> Result<(), Error> {
        let parts = (element.id, element.name_at, &element.name[..]);
        match prefix {
            None => with_name(&mut self.names, &self.bindings, parts, false, at, |name| self.out.start(name, at))?,
            Some(prefix) => self.out.start(Name::alone(&joined(prefix, element.local())), at)?,
        }
        let first = self.waiting.len();
        self.levels.push(Level { first, next: first, children: 0, declared, after_text: false });
        Ok(())
    }

    /// Passes on the items whose place is before the next element, or before the end.
    fn due(&mut self) -> Result<(), Error> {
        while let Some(top) = self.levels.last_mut() {
            let Some(item) = self.waiting.get(top.next).filter(|item| item.children <= top.children) else { break };
            if item.offset > 0 {
                return Err(schema_error(item.at, "a place in a text", "a place that the text has"));
            }
            top.next += 1;
            Self::item(&mut self.out, item, top, &self.limits)?;
        }
        Ok(())
    }

    fn item(out: &mut O, item: &Waiting, top: &mut Level, limits: &Limits) -> Result<(), Error> {
        let after_text = std::mem::replace(&mut top.after_text, item.kind == Kind::Text);
        match item.kind {
            Kind::Text if after_text => Err(schema_error(item.at, "text directly after text", "one text")),
            Kind::Text if item.text.is_empty() => Ok(()),
            Kind::Text => out.text(&item.text, None),
            Kind::Element => fragment(out, item, limits),
            kind => out.note(kind, &item.text),
        }
    }

    /// The value of a row.
    fn value<'v>(&self, of: ValueType, raw: Raw<'v>) -> Result<Cow<'v, str>, Error> {
        let Raw { text, escaped, .. } = raw;
        let at = raw.at();
        let mut text = if escaped { escape::decode(text).map_err(|error| moved(error, at))? } else { text.into() };
        if of == ValueType::TEXT {
            return Ok(text);
        }
        if let (Builtin::OctetString, Some(id), Some(parts)) = (of.builtin, text.strip_prefix("cid:"), self.parts) {
            let mut octets = String::new();
            xml::base64::push(parts.copied(id, at)?, &mut octets);
            text = Cow::Owned(octets);
        }
        if self.schema.allows(of, &text) {
            return Ok(text);
        }
        let found = Words::Own(format!("'{}'", tam::excerpt(&text).escape_debug()));
        Err(schema_error(at, found, self.schema.expected(of)))
    }
}

fn joined(prefix: &str, local: &str) -> String {
    if prefix.is_empty() { local.to_owned() } else { format!("{prefix}:{local}") }
}

/// Passes the name of an element or attribute on: its index, the parts of its name, and the name in the schema.
fn with_name(
    names: &mut Names,
    bindings: &Bindings,
    (slot, parts, name): (u32, NameParts, &str),
    is_attribute: bool,
    at: usize,
    each: impl FnOnce(Name<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    if parts.namespace == NONE {
        return each(Name { text: name, slot: Some((slot, 0)) });
    }
    // Schemas have many more names than documents, so those in use get numbers of their own.
    let next = names.texts.len() as u32;
    let slot = *names.slots.entry(slot).or_insert(next);
    if slot == next {
        names.texts.push((0, String::new()));
    }
    let Some((generation, text)) = names.texts.get_mut(slot as usize) else { return each(Name::alone(name)) };
    if *generation != bindings.generation {
        let local = name.get(parts.local as usize..).unwrap_or_default();
        let Some(prefix) = bindings.prefix(parts.namespace, is_attribute) else {
            return Err(schema_error(at, format!("no prefix for the namespace of {name}"), "a declaration"));
        };
        (*generation, *text) = (bindings.generation, joined(prefix, local));
    }
    each(Name { text, slot: Some((slot, *generation)) })
}

/// Passes on an element that is in a row as XML.
fn fragment<O: Output>(out: &mut O, item: &Waiting, limits: &Limits) -> Result<(), Error> {
    let placed = |error: Error| {
        Error::new(error.kind(), FORMAT, item.at as u64, error.found().clone(), error.expected().clone())
    };
    let options = Options::default().with_limits(*limits).with_namespaces(false);
    let mut reader = Reader::from_text(&item.text, &options).map_err(placed)?;
    let mut depth = 0;
    while let Some(event) = reader.next_event().map_err(placed)? {
        match event {
            Event::Start(tag) => {
                depth += 1;
                out.start(Name::alone(tag.name()), item.at)?;
                tag.attributes().try_for_each(|(name, value)| out.attribute(Name::alone(name), value, None))?;
            }
            Event::End(_) => {
                depth -= 1;
                out.end()?;
            }
            Event::Text(text) | Event::CData(text) if depth > 0 && !text.is_empty() => out.text(text, None)?,
            Event::Comment(text) if depth > 0 => out.note(Kind::Comment, text)?,
            Event::Instruction(one) if depth > 0 => {
                let data = if one.data().is_empty() { "" } else { " " };
                out.note(Kind::Instruction, &format!("{}{data}{}", one.target(), one.data()))?;
            }
            Event::Text(_) | Event::CData(_) => {}
            _ => return Err(syntax(item.at, "something beside an element", "the text of one element")),
        }
    }
    Ok(())
}

impl<'s, O: Output> Restorer<'s, '_, '_, O> {
    /// Passes on the rows of a text, which may end with the table. Returns whether it has.
    pub(crate) fn read(&mut self, rows: &mut RowReader<'s>, text: &str) -> Result<bool, Error> {
        loop {
            match rows.next(text)? {
                RowEvent::More => return Ok(false),
                RowEvent::End => return Ok(true),
                event => self.event(event, rows)?,
            }
        }
    }

    /// Passes on one event.
    #[inline]
    pub(crate) fn event(&mut self, event: RowEvent<'_, 's>, rows: &mut RowReader<'s>) -> Result<(), Error> {
        let done = match event {
            RowEvent::Open(element, _) => self.open(element, rows.position()),
            RowEvent::Value(element, _, of, raw) => self.simple(element, of, raw),
            RowEvent::Rest(raw) => self.rest(raw, &mut rows.expansion),
            RowEvent::Attribute(attribute, raw) => {
                self.value(attribute.value, raw).and_then(|text| self.attribute(attribute, &text, raw.at(), true))
            }
            RowEvent::Default(attribute, default) => self.attribute(attribute, default, rows.position(), false),
            RowEvent::Text(of, raw) => self.text(of, raw),
            RowEvent::Close => self.close(),
            RowEvent::More | RowEvent::End => Ok(()),
        };
        done.map_err(|error| error.in_path(rows.path()))
    }

    /// Whether the innermost open element has had nothing yet.
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    fn open(&mut self, element: &'s Element, at: usize) -> Result<(), Error> {
        self.begin()?;
        self.due()?;
        if let Some(top) = self.levels.last_mut() {
            top.children += 1;
            top.after_text = false;
        }
        self.prefixes.clear();
        self.pending = Some((element, at));
        Ok(())
    }

    /// Passes on an element with nothing but a text.
    fn simple(&mut self, element: &'s Element, of: ValueType, raw: Raw<'_>) -> Result<(), Error> {
        self.open(element, raw.at())?;
        self.pending = None;
        let text = self.value(of, raw)?;
        let parts = (element.id, element.name_at, &element.name[..]);
        with_name(&mut self.names, &self.bindings, parts, false, raw.at(), |name| self.out.start(name, raw.at()))?;
        if !text.is_empty() {
            self.out.text(&text, matches!(text, Cow::Borrowed(_)).then_some(raw.at()))?;
        }
        self.end()
    }

    fn end(&mut self) -> Result<(), Error> {
        self.out.end()?;
        if self.levels.is_empty() {
            std::mem::take(&mut self.after).iter().try_for_each(|(kind, text)| self.out.note(*kind, text))?;
        }
        Ok(())
    }

    fn rest(&mut self, raw: Raw<'_>, expansion: &mut Expansion) -> Result<(), Error> {
        let (value, at) = (raw.text, raw.at());
        let Some((element, place)) = self.pending.take() else { return Ok(()) };
        let value = escape::decode(value).map_err(|error| moved(error, at))?;
        let value = rest::unescaped(value, at)?;
        let (schema, declared) = (self.schema, self.bindings.len());
        let mut prefix = None;
        self.prefixes.clear();
        let mut is_surrounded = false;
        for item in rest::items(&value, at) {
            let item = item?;
            self.bindings.apply(&item, schema, at)?;
            match (item.kind, item.text.split_once('='), item.place) {
                (Kind::Namespace | Kind::Attribute | Kind::Prefix, ..) if !schema.has_namespaces() => {
                    return Err(schema_error(at, "an attribute", "none without a number in this schema"));
                }
                (Kind::Prefix, None, _) => prefix = Some(item.text),
                (Kind::Prefix, Some((number, prefix)), _) => {
                    let number =
                        number.parse().map_err(|_| syntax(at, "a prefix", "the number of an attribute before it"))?;
                    self.prefixes.push((number, prefix.to_owned()));
                }
                (_, _, Place::Before | Place::After) => {
                    if !self.levels.is_empty() || matches!(item.kind, Kind::Text | Kind::Element) {
                        return Err(schema_error(
                            at,
                            "a place beside the root element",
                            "comments and instructions there",
                        ));
                    }
                    if !std::mem::replace(&mut is_surrounded, true) {
                        self.out.surround()?;
                    }
                    match item.place {
                        Place::Before => self.out.note(item.kind, item.text)?,
                        _ => self.after.push((item.kind, item.text.to_owned())),
                    }
                }
                _ => {}
            }
        }
        charge(expansion, prefix.map_or(0, str::len), at, "more names of elements")?;
        self.start(element, prefix, declared, place)?;
        for item in rest::items(&value, at) {
            let item = item?;
            match (item.kind, item.text.split_once('=')) {
                (Kind::Namespace, Some((prefix, number))) => {
                    let number: usize = number.parse().unwrap_or(usize::MAX);
                    let uri = schema.namespaces.get(number).map_or("", |(_, uri)| &uri[..]);
                    charge(expansion, uri.len(), at, "more namespaces")?;
                    let name = if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") };
                    self.out.attribute(Name::alone(&name), uri, None)?;
                }
                (Kind::Attribute, Some((name, value))) => self.out.attribute(Name::alone(name), value, None)?,
                (Kind::Namespace | Kind::Attribute | Kind::Prefix, _) => {}
                (kind, _) => {
                    if let Place::Inside(children, offset) = item.place {
                        let text = item.text.to_owned();
                        self.waiting.push(Waiting { children, offset, kind, text, at });
                    }
                }
            }
        }
        Ok(())
    }

    /// Passes on an attribute whose value is in the message if it `has_row` and no reference.
    fn attribute(&mut self, attribute: &Attribute, value: &str, place: usize, has_row: bool) -> Result<(), Error> {
        self.begin()?;
        let at = has_row.then_some(place);
        if let Some((_, prefix)) = self.prefixes.iter().find(|(number, _)| *number == attribute.number) {
            return self.out.attribute(Name::alone(&joined(prefix, attribute.local())), value, at);
        }
        let slot = self.schema.elements + attribute.id;
        let parts = (slot, attribute.name_at, &attribute.name[..]);
        with_name(&mut self.names, &self.bindings, parts, true, place, |name| self.out.attribute(name, value, at))
    }

    fn text(&mut self, of: ValueType, raw: Raw<'_>) -> Result<(), Error> {
        self.begin()?;
        let (text, at) = (self.value(of, raw)?, raw.at());
        let verbatim = |from: usize| matches!(text, Cow::Borrowed(_)).then_some(at + from);
        let mut from = 0;
        while let Some(top) = self.levels.last_mut() {
            let item = self.waiting.get(top.next).filter(|item| item.children == 0);
            let end = item.map_or(text.len(), |item| item.offset as usize);
            let Some(piece) = text.get(from..end) else {
                return Err(schema_error(at, "a place in a text", "a place that the text has"));
            };
            if !piece.is_empty() {
                if top.after_text {
                    return Err(schema_error(at, "text directly after text", "one text"));
                }
                self.out.text(piece, verbatim(from))?;
                top.after_text = true;
            }
            from = end;
            let Some(item) = item else { break };
            top.next += 1;
            Self::item(&mut self.out, item, top, &self.limits)?;
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Error> {
        self.begin()?;
        self.due()?;
        let Some(top) = self.levels.pop() else { return Ok(()) };
        if let Some(left) = self.waiting.get(top.next) {
            return Err(schema_error(left.at, "a place after more elements than there are", "one that is there"));
        }
        self.waiting.truncate(top.first);
        self.bindings.end(top.declared);
        self.prefixes.clear();
        self.end()
    }
}
