//! The events of a message, to be read again in another order.

use std::collections::HashSet;
use std::ops::Range;

use ::xml::name::{is_local, split};
use ::xml::namespaces::{Scope, declared};
use ::xml::white_space::trim;
use tam::Error;
use text::xml::{self, Event, Reader, StartTag};
use xsd::Options;
use xsd::wsdl::SoapVersion;

use crate::service::Name;

/// A piece of [`Events::text`].
pub(super) type Piece = Range<u32>;

/// The prefix of a name, and the namespace that it is bound to.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) prefix: Piece,
    pub(super) uri: Piece,
}

#[derive(Debug)]
pub(super) struct Item {
    /// The number of the event, from 1.
    pub(super) event: u32,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Start(Element),
    /// Characters; the prefix that they begin with, if they may be a qualified name.
    Text(Piece, Option<Use>),
    End,
}

/// A start tag.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: Piece,
    /// Indices of its declarations, of its attributes, and of the prefixes in them, in the lists of [`Events`].
    pub(super) declarations: Range<usize>,
    pub(super) attributes: Range<usize>,
    pub(super) uses: Range<usize>,
    /// The prefix of its own name.
    pub(super) own: Use,
    /// The index of its end among the items.
    pub(super) end: usize,
}

/// The events of a message with references.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) text: String,
    pub(super) items: Vec<Item>,
    pub(super) declarations: Vec<Use>,
    /// Names and values.
    pub(super) attributes: Vec<(Piece, Piece)>,
    pub(super) uses: Vec<Use>,
    /// The indices of the body, and of the first element in it.
    pub(super) body: Option<usize>,
    pub(super) call: Option<usize>,
}

/// Reads events.
struct Builder<'m> {
    messages: &'m HashSet<Name>,
    events: Events,
    scope: Scope,
    /// The namespaces of the scope as pieces, by their numbers.
    uris: Vec<Option<Piece>>,
    open: Vec<usize>,
    has_references: bool,
}

impl Events {
    /// The events of a message with references in the encoding of SOAP 1.1, which begins with one of some elements.
    pub(super) fn of(xml: &[u8], options: &Options, messages: &HashSet<Name>) -> Result<Option<Events>, Error> {
        let mut reader = Reader::new(xml, &xml::Options::default().with_limits(options.limits))?;
        let mut builder = Builder {
            messages,
            events: Events::default(),
            scope: Scope::default(),
            uris: Vec::new(),
            open: Vec::new(),
            has_references: false,
        };
        let mut event = 0;
        while let Some(next) = reader.next_event()? {
            event += 1;
            let kind = match next {
                Event::Start(tag) => match builder.start(tag) {
                    Some(element) => Kind::Start(element),
                    None => return Ok(None),
                },
                Event::Text(text) | Event::CData(text) => {
                    let used = builder.used_by(text);
                    Kind::Text(builder.keep(text), used)
                }
                Event::End(_) => {
                    builder.end();
                    Kind::End
                }
                _ => continue,
            };
            builder.events.items.push(Item { event, kind });
        }
        Ok(builder.has_references.then_some(builder.events))
    }

    pub(super) fn str(&self, piece: &Piece) -> &str {
        self.text.get(piece.start as usize..piece.end as usize).unwrap_or_default()
    }

    /// The element at an index.
    pub(super) fn element(&self, at: usize) -> Option<&Element> {
        match &self.items.get(at)?.kind {
            Kind::Start(element) => Some(element),
            _ => None,
        }
    }

    /// The value of an attribute that has no namespace.
    pub(super) fn attribute(&self, of: &Element, name: &str) -> Option<&str> {
        let all = self.attributes.get(of.attributes.clone()).unwrap_or_default();
        all.iter().find(|(one, _)| self.str(one) == name).map(|(_, value)| self.str(value))
    }
}

impl Builder<'_> {
    /// Reads a start tag; `None` if it shows that the message is another.
    fn start(&mut self, tag: StartTag<'_>) -> Option<Element> {
        let depth = self.open.len();
        let (declarations, attributes, uses) =
            (self.events.declarations.len(), self.events.attributes.len(), self.events.uses.len());
        for (name, value) in tag.attributes() {
            let Some(prefix) = declared(name) else { continue };
            self.scope.bind(depth + 1, prefix.as_bytes(), value.as_bytes());
            let declaration = Use { prefix: self.keep(prefix), uri: self.keep(value) };
            self.events.declarations.push(declaration);
        }
        for (name, value) in tag.attributes().filter(|(name, _)| declared(name).is_none()) {
            let (prefix, local) = split(name);
            let own = (!prefix.is_empty()).then(|| self.of_prefix(prefix));
            // `xsi:type` and `SOAP-ENC:arrayType` without a prefix are names in the default namespace.
            let of_value = match self.used_by(value) {
                None if matches!(local, "type" | "arrayType") => Some(self.of_prefix("")),
                used => used,
            };
            self.events.uses.extend(own.into_iter().chain(of_value));
            let attribute = (self.keep(name), self.keep(value));
            self.events.attributes.push(attribute);
        }
        let name = self.keep(tag.name());
        let own = self.of_prefix(split(tag.name()).0);
        let element = Element {
            name,
            declarations: declarations..self.events.declarations.len(),
            attributes: attributes..self.events.attributes.len(),
            uses: uses..self.events.uses.len(),
            own,
            end: 0,
        };
        if !self.is_of_message(depth, &element) {
            return None;
        }
        self.open.push(self.events.items.len());
        Some(element)
    }

    /// Notes what an element is in the message; whether the message may be one with references.
    fn is_of_message(&mut self, depth: usize, element: &Element) -> bool {
        let events = &mut self.events;
        let at = events.items.len();
        let uri = events.text.get(element.own.uri.start as usize..element.own.uri.end as usize).unwrap_or_default();
        let written = events.text.get(element.name.start as usize..element.name.end as usize).unwrap_or_default();
        let local = split(written).1;
        let of_soap = uri == SoapVersion::Soap11.namespace();
        match (depth, events.call) {
            (0, _) if !(of_soap && local == "Envelope") => return false,
            (1, _) if of_soap && local == "Body" && events.body.is_none() => events.body = Some(at),
            (2, None) if events.body.is_some_and(|body| self.open.last() == Some(&body)) => {
                let name = Name { namespace: uri.to_owned(), local: local.to_owned() };
                if !self.messages.contains(&name) {
                    return false;
                }
                events.call = Some(at);
            }
            (2, Some(_)) => self.has_references |= events.attribute(element, "id").is_some(),
            _ => {}
        }
        self.has_references |= self.events.call.is_some() && self.events.attribute(element, "href").is_some();
        true
    }

    fn end(&mut self) {
        let end = self.events.items.len();
        if let Some(open) = self.open.pop()
            && let Some(Item { kind: Kind::Start(element), .. }) = self.events.items.get_mut(open)
        {
            element.end = end;
        }
        self.scope.end(self.open.len());
    }

    fn keep(&mut self, text: &str) -> Piece {
        let from = self.events.text.len() as u32;
        self.events.text.push_str(text);
        from..self.events.text.len() as u32
    }

    /// The prefix that a text begins with, if it may be a qualified name.
    fn used_by(&mut self, text: &str) -> Option<Use> {
        let (prefix, _) = trim(text).split_once(':')?;
        let is_bound = is_local(prefix) && self.scope.namespace(prefix.as_bytes()).is_some();
        is_bound.then(|| self.of_prefix(prefix))
    }

    fn of_prefix(&mut self, prefix: &str) -> Use {
        let number = self.scope.namespace(prefix.as_bytes());
        let number = number.map_or(0, |number| number as usize);
        if self.uris.len() <= number {
            self.uris.resize(number + 1, None);
        }
        let uri = match self.uris.get(number).cloned().flatten() {
            Some(known) => known,
            None => {
                let uri = String::from_utf8_lossy(self.scope.uri(number as u32)).into_owned();
                let kept = self.keep(&uri);
                self.uris[number] = Some(kept.clone());
                kept
            }
        };
        Use { prefix: self.keep(prefix), uri }
    }
}
