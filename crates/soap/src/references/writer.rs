//! Writes a message with elements in place of references to them.

use std::collections::{HashMap, HashSet};

use ::xml::chars::is_white;
use ::xml::escape::{self, Context};
use ::xml::name::split;
use ::xml::namespaces::Scope;
use ::xml::number::boolean;
use ::xml::white_space::trim;
use tam::{Error, ErrorKind, Expansion, Words};
use xsd::{Options, XSI_NAMESPACE, internal};

use super::events::{Element, Events, Item, Kind, Piece, Use};

/// Items that are being written.
struct Run {
    next: usize,
    end: usize,
}

/// An element that has been begun.
struct Open<'e> {
    name: &'e Piece,
    /// The index of the element that has its content.
    of: usize,
}

pub(super) struct Writer<'e> {
    events: &'e Events,
    xml: &'e [u8],
    options: &'e Options,
    out: Vec<u8>,
    expansion: Expansion,
    /// The elements by their `id`; `None` for one that several have.
    ids: Option<HashMap<&'e str, Option<usize>>>,
    /// Where the references of an element lead in the end, so that no chain of them is followed twice.
    ends: HashMap<usize, usize>,
    /// For each item, whether it is an element whose content is being written.
    is_open: Vec<bool>,
    runs: Vec<Run>,
    open: Vec<Open<'e>>,
    /// The prefixes that are bound where the text has got to.
    scope: Scope,
}

impl<'e> Writer<'e> {
    pub(super) fn new(events: &'e Events, xml: &'e [u8], options: &'e Options) -> Writer<'e> {
        Writer {
            events,
            xml,
            options,
            out: Vec::with_capacity(xml.len()),
            expansion: options.limits.decompression(xml.len()),
            ids: None,
            ends: HashMap::new(),
            is_open: vec![false; events.items.len()],
            runs: vec![Run { next: 0, end: events.items.len() }],
            open: Vec::new(),
            scope: Scope::default(),
        }
    }

    pub(super) fn into_text(self) -> Vec<u8> {
        self.out
    }

    /// Writes the message up to a position of the text. Returns the number of the event that was written there.
    pub(super) fn write(&mut self, most: usize) -> Result<u32, Error> {
        let events = self.events;
        let mut last = 0;
        while let Some(run) = self.runs.last_mut() {
            if self.out.len() > most {
                break;
            }
            if run.next == run.end {
                self.runs.pop();
                if !self.runs.is_empty() {
                    self.end();
                }
                continue;
            }
            let at = run.next;
            run.next += 1;
            let Some(item) = events.items.get(at) else { break };
            let before = self.out.len();
            last = item.event;
            match &item.kind {
                Kind::Start(element) => self.start(at, element)?,
                Kind::Text(text, _) => escape::push(&mut self.out, events.str(text), Context::Content),
                Kind::End => self.end(),
            }
            if self.runs.len() > 1 {
                let charged = self.expansion.charge(self.out.len() - before);
                charged.map_err(|exceeded| {
                    let error = exceeded.error("soap", 0, "references to more bytes");
                    internal::at_event(self.xml, self.options.limits, item.event.into(), &error)
                })?;
            }
        }
        Ok(last)
    }

    fn start(&mut self, at: usize, element: &'e Element) -> Result<(), Error> {
        let events = self.events;
        let is_in_body = self.open.len() == 2 && self.open.last().map(|open| open.of) == events.body;
        if is_in_body && events.call != Some(at) && events.attribute(element, "id").is_some() {
            // An element that is only referred to.
            self.skip_to(element.end + 1);
            return Ok(());
        }
        if events.call.is_none_or(|call| at < call) {
            self.begin(at, element, element);
            return Ok(());
        }
        let target = self.target(at, element)?;
        let Some(content) = events.element(target).filter(|_| target != at) else {
            self.begin(at, element, element);
            return Ok(());
        };
        if self.is_open.get(target) == Some(&true) {
            let expected = "a value that does not hold itself";
            return Err(self.error(ErrorKind::Unsupported, target, "a reference to what holds it", expected));
        }
        let own = events.str(&element.own.prefix);
        let means =
            |used: &Use| events.str(&used.prefix) == own && events.str(&used.uri) != events.str(&element.own.uri);
        if self.uses(target, content).any(means) {
            let found = format!("a reference to an element in which the prefix '{own}' means something else");
            return Err(self.error(ErrorKind::Unsupported, at, found, "prefixes that mean the same"));
        }
        self.skip_to(element.end + 1);
        self.begin(target, element, content);
        self.runs.push(Run { next: target + 1, end: content.end });
        Ok(())
    }

    fn skip_to(&mut self, next: usize) {
        if let Some(run) = self.runs.last_mut() {
            run.next = next;
        }
    }

    /// The prefixes in the attributes and the characters of an element.
    fn uses(&self, at: usize, element: &Element) -> impl Iterator<Item = &'e Use> + use<'e> {
        let events = self.events;
        let texts = events.items.get(at + 1..).unwrap_or_default().iter();
        let texts = texts.map_while(|Item { kind, .. }| match kind {
            Kind::Text(_, used) => Some(used.as_ref()),
            _ => None,
        });
        events.uses.get(element.uses.clone()).unwrap_or_default().iter().chain(texts.flatten())
    }

    /// Begins an element with the name of one and the attributes of another.
    fn begin(&mut self, of: usize, named: &'e Element, content: &'e Element) {
        let events = self.events;
        self.out.push(b'<');
        self.out.extend_from_slice(events.str(&named.name).as_bytes());
        self.open.push(Open { name: &named.name, of });
        if let Some(place) = self.is_open.get_mut(of) {
            *place = true;
        }
        // The prefixes that must be bound come last, so that each is declared once.
        let declared = events.declarations.get(content.declarations.clone()).unwrap_or_default().iter();
        let used = self.uses(of, content).chain([&named.own]).collect::<Vec<_>>();
        if declared.len() > 0 {
            let prefixes = used.iter().map(|one| events.str(&one.prefix)).collect::<HashSet<_>>();
            for one in declared.filter(|one| !prefixes.contains(events.str(&one.prefix))) {
                self.bind(one);
            }
        }
        for one in used {
            let bound = self.scope.namespace(events.str(&one.prefix).as_bytes());
            let bound = bound.map_or(&b""[..], |number| self.scope.uri(number));
            if bound != events.str(&one.uri).as_bytes() {
                self.bind(one);
            }
        }
        let is_in_call = events.call.is_some_and(|call| of >= call);
        for (name, value) in events.attributes.get(content.attributes.clone()).unwrap_or_default() {
            if !(is_in_call && matches!(events.str(name), "id" | "href")) {
                self.attribute(events.str(name), events.str(value));
            }
        }
        self.out.push(b'>');
    }

    /// Declares a prefix in the element that is begun.
    fn bind(&mut self, one: &Use) {
        let (prefix, uri) = (self.events.str(&one.prefix), self.events.str(&one.uri));
        self.scope.bind(self.open.len(), prefix.as_bytes(), uri.as_bytes());
        match prefix {
            "" => self.attribute("xmlns", uri),
            prefix => self.attribute(&format!("xmlns:{prefix}"), uri),
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(b' ');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"=\"");
        escape::push(&mut self.out, value, Context::Attribute);
        self.out.push(b'"');
    }

    fn end(&mut self) {
        let Some(Open { name, of }) = self.open.pop() else { return };
        self.out.extend_from_slice(b"</");
        self.out.extend_from_slice(self.events.str(name).as_bytes());
        self.out.push(b'>');
        self.scope.end(self.open.len());
        if let Some(place) = self.is_open.get_mut(of) {
            *place = false;
        }
    }

    /// The index of the element that has the value of an element: itself if it refers to none.
    fn target(&mut self, at: usize, element: &'e Element) -> Result<usize, Error> {
        let events = self.events;
        let (mut at, mut element, mut passed) = (at, element, Vec::new());
        let end = loop {
            if let Some(end) = self.ends.get(&at) {
                break *end;
            }
            let Some(href) = events.attribute(element, "href").filter(|_| !self.is_nil(element)) else { break at };
            self.check_empty(at, element)?;
            // Each step goes to an element of its own, or around in a circle.
            if passed.len() > events.items.len() {
                return Err(self.error(ErrorKind::Schema, at, "references in a circle", "a value"));
            }
            passed.push(at);
            at = self.find(at, href)?;
            match events.element(at) {
                Some(next) => element = next,
                None => break at,
            }
        };
        self.ends.extend(passed.into_iter().map(|one| (one, end)));
        Ok(end)
    }

    /// The element with the `id` that an element refers to.
    fn find(&mut self, at: usize, href: &str) -> Result<usize, Error> {
        let events = self.events;
        let Some(id) = href.strip_prefix('#') else {
            let found = format!("a reference to '{href}'");
            return Err(self.error(ErrorKind::Unsupported, at, found, "a reference into the message"));
        };
        let ids = self.ids.get_or_insert_with(|| {
            let mut ids = HashMap::new();
            for at in 0..events.items.len() {
                if let Some(id) = events.element(at).and_then(|element| events.attribute(element, "id")) {
                    ids.entry(id).and_modify(|known| *known = None).or_insert(Some(at));
                }
            }
            ids
        });
        match ids.get(id) {
            Some(Some(found)) => Ok(*found),
            Some(None) => {
                Err(self.error(ErrorKind::Schema, at, format!("the id '{id}' more than once"), "each id once"))
            }
            None => {
                let found = format!("a reference to the id '{id}', which no element has");
                Err(self.error(ErrorKind::Schema, at, found, "the id of an element"))
            }
        }
    }

    /// Whether `xsi:nil` says that an element has no value.
    fn is_nil(&self, element: &Element) -> bool {
        let events = self.events;
        let all = events.attributes.get(element.attributes.clone()).unwrap_or_default();
        let used = events.uses.get(element.uses.clone()).unwrap_or_default();
        let of_xsi = used.iter().filter(|one| events.str(&one.uri) == XSI_NAMESPACE);
        let of_xsi = of_xsi.map(|one| events.str(&one.prefix)).collect::<HashSet<_>>();
        all.iter().any(|(name, value)| {
            let (prefix, local) = split(events.str(name));
            local == "nil" && of_xsi.contains(prefix) && boolean(trim(events.str(value))) == Some(true)
        })
    }

    fn check_empty(&self, at: usize, element: &Element) -> Result<(), Error> {
        let items = self.events.items.get(at + 1..element.end).unwrap_or_default();
        for (inner, Item { kind, .. }) in (at + 1..).zip(items) {
            let found = match kind {
                Kind::Text(text, _) if is_white(self.events.str(text).as_bytes()) => continue,
                Kind::Text(..) => "text",
                _ => "an element",
            };
            let expected = "nothing in an element that refers to another";
            return Err(self.error(ErrorKind::Schema, inner, found, expected));
        }
        Ok(())
    }

    #[cold]
    fn error(&self, kind: ErrorKind, at: usize, found: impl Into<Words>, expected: &'static str) -> Error {
        let event = self.events.items.get(at).map_or(0, |item| item.event);
        let error = Error::new(kind, "soap", 0, found, expected);
        internal::at_event(self.xml, self.options.limits, event.into(), &error)
    }
}
