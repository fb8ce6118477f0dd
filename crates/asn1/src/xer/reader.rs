//! From XML: a walk through a document and its type together, which makes the JSON document of the same value (X.697).
//! That is read as any other, so constraints, missing components and open types are checked in one place.
//!
//! Open values are on an explicit stack, so that nothing recurses over the document.

use std::borrow::Cow;

use tam::xml::{Content, Contents, Element};
use tam::{Builder, Document, Error, ErrorKind, Limits, Table, TypeSet, Words};

use super::FORMAT;
use crate::compiled::{Compiled, Kind, Member, NodeId};
use crate::contents;
use crate::event::Sink;
use crate::jer::{self, CONTAINING};
use crate::keys::Keys;
use crate::values::{Filler, Value, Values};

/// Reads a value of a type from a document of XML, whose root element is named by the type.
///
/// White space around elements means nothing. Comments and instructions are passed over; attributes are an error.
///
/// # Errors
/// * `schema` for a document that is not a value of the type: an element that is not expected, a missing component, a
///   value that the type or its constraint does not allow;
/// * `limit` for a document or a value that is larger or deeper than the limits allow.
pub fn read<'v>(
    document: &Document<'v>,
    types: &'v Compiled,
    node: NodeId,
    limits: &Limits,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    let message = document.texts().0;
    let mut filler = Filler::new(types, *limits, values).with_input(message.len());
    read_events(document, types, node, limits, &mut filler)?;
    Ok(values.value(types, node, message))
}

/// Reads a value of a type from a document of XML and reports it to a sink. Positions in the message are those of its text
/// ([`Document::texts`]).
///
/// # Errors
/// Those of [`read`], and the sink's own.
pub fn read_events<S: Sink>(
    document: &Document<'_>,
    types: &Compiled,
    node: NodeId,
    limits: &Limits,
    sink: &mut S,
) -> Result<(), Error> {
    tam::xml::refuse_references(document, FORMAT)?;
    let message = document.texts().0;
    let mut table = Table::new();
    // Objects of open types and strings of bits are levels of JSON alone.
    let deeper = Limits { depth: limits.depth.saturating_mul(3), ..*limits };
    let mut json = Builder::new(message, TypeSet::VALUE, deeper, &mut table);
    let mut reader = Reader::new(message, types, deeper, &mut json);
    if let Err(error) = reader.walk(document, node) {
        let path = json.path();
        return Err(if path.is_empty() || !error.path().is_empty() { error } else { error.in_path(path) });
    }
    json.finish()?;
    let document = table.document(message, TypeSet::VALUE);
    jer::read_events(&document, types, node, limits, sink).map_err(|error| {
        let own = Error::new(error.kind(), FORMAT, error.offset(), error.found().clone(), error.expected().clone());
        if error.path().is_empty() { own } else { own.in_path(error.path().to_owned()) }
    })
}

pub(super) struct Reader<'d, 't, 'j, 'b, 's> {
    pub(super) message: &'d [u8],
    pub(super) types: &'t Compiled,
    /// Those of the JSON.
    pub(super) limits: Limits,
    pub(super) json: &'j mut Builder<'d, 'b, 's>,
    stack: Vec<Frame<'d, 't>>,
    pub(super) text: String,
    /// The components that select types, in the open records.
    pub(super) keys: Keys,
}

/// An open value, and what is left of its element.
enum Frame<'d, 't> {
    Record {
        node: NodeId,
        number: u32,
        children: Contents<'d>,
        next: usize,
        /// The start of its keys.
        keys: usize,
    },
    Array {
        item: NodeId,
        name: Option<Cow<'t, str>>,
        children: Contents<'d>,
    },
    /// Only the end of its object is left.
    Single,
}

impl<'d, 't, 'j, 'b, 's> Reader<'d, 't, 'j, 'b, 's> {
    pub(super) fn new(
        message: &'d [u8],
        types: &'t Compiled,
        limits: Limits,
        json: &'j mut Builder<'d, 'b, 's>,
    ) -> Reader<'d, 't, 'j, 'b, 's> {
        Reader { message, types, limits, json, stack: Vec::new(), text: String::new(), keys: Keys::default() }
    }

    fn walk(&mut self, document: &'d Document<'d>, node: NodeId) -> Result<(), Error> {
        let Some(root) = tam::xml::root(document) else {
            return Err(Error::new(ErrorKind::Schema, FORMAT, 0, "no element", "an element"));
        };
        self.expect(root, &self.types.type_element(node))?;
        self.whole(root, node)
    }

    /// Reads the value in an element, and all in it.
    pub(super) fn whole(&mut self, element: Element<'d>, node: NodeId) -> Result<(), Error> {
        self.value(element, node, "")?;
        while let Some(mut frame) = self.stack.pop() {
            match &mut frame {
                Frame::Record { node, number, children, next, keys } => {
                    if let Some(child) = self.next(children)? {
                        let (place, member) = self.member(*node, *number, child, *next)?;
                        *next = place + 1;
                        self.stack.push(frame);
                        self.value(child, member.node, &member.name)?;
                        continue;
                    }
                    self.keys.end(*keys);
                }
                Frame::Array { item, name, children } => {
                    if let Some(child) = self.next(children)? {
                        let item = *item;
                        match name {
                            Some(name) => self.expect(child, name)?,
                            None => {
                                self.stack.push(frame);
                                self.bare(child, item)?;
                                continue;
                            }
                        }
                        self.stack.push(frame);
                        self.value(child, item, "")?;
                        continue;
                    }
                }
                Frame::Single => {}
            }
            self.json.close()?;
        }
        Ok(())
    }

    /// The next element; there may be white space, comments and instructions before it.
    fn next(&self, children: &mut Contents<'d>) -> Result<Option<Element<'d>>, Error> {
        for content in children {
            match content {
                Content::Element(element) => {
                    self.without_attributes(element)?;
                    return Ok(Some(element));
                }
                Content::Text(text) | Content::CData(text) if !xml::chars::is_white(text.as_bytes()) => {
                    let found = Words::Own(format!("the text {:?}", tam::excerpt(text)));
                    return Err(Error::new(ErrorKind::Schema, FORMAT, self.place(text), found, "an element"));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The position of a text, if it is in the message.
    fn place(&self, text: &str) -> u64 {
        let at = text.as_ptr().addr().wrapping_sub(self.message.as_ptr().addr());
        if at <= self.message.len() { at as u64 } else { 0 }
    }

    /// The error for an element.
    #[cold]
    pub(super) fn fault(&self, element: Element<'_>, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        let at = u64::from(element.node().row().name_at());
        let at = if at < self.message.len() as u64 { at } else { 0 };
        Error::new(ErrorKind::Schema, FORMAT, at, found, expected)
    }

    fn without_attributes(&self, element: Element<'_>) -> Result<(), Error> {
        // Declarations of namespaces mean nothing here.
        match element.attributes().find(|one| !one.name().to_text().starts_with("xmlns")) {
            None => Ok(()),
            Some(one) => Err(self.fault(element, format!("the attribute {}", one.name()), "no attributes")),
        }
    }

    fn expect(&self, element: Element<'_>, name: &str) -> Result<(), Error> {
        if element.name() == *name {
            return Ok(());
        }
        Err(self.fault(element, format!("<{}>", element.name()), format!("<{name}>")))
    }

    /// The component that an element is: after the last one, but in any order in a SET.
    fn member(
        &self,
        node: NodeId,
        number: u32,
        element: Element<'_>,
        next: usize,
    ) -> Result<(usize, &'t Member), Error> {
        let record = self.types.record(number);
        let of = |place: usize| match &record.declared {
            Some(order) => order.get(place).copied().map(|index| index as usize),
            None => Some(place),
        };
        let from = if record.set { 0 } else { next };
        // Most often it is the next one.
        for place in (from..record.members.len()).chain(0..from) {
            let member = of(place).and_then(|index| record.members.get(index));
            if let Some(member) = member.filter(|member| element.name() == *member.identifier()) {
                if place < from {
                    let expected = format!("a component of {} after it", self.types.node(node).name);
                    return Err(self.fault(element, format!("<{}>", element.name()), expected));
                }
                return Ok((place, member));
            }
        }
        let expected = format!("a component of {}", self.types.node(node).name);
        Err(self.fault(element, format!("<{}>", element.name()), expected))
    }

    /// The only element in another one.
    pub(super) fn only(&self, element: Element<'d>) -> Result<Element<'d>, Error> {
        let mut children = element.content();
        match (self.next(&mut children)?, self.next(&mut children)?) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(self.fault(element, "no element", "one element")),
            (Some(_), Some(second)) => Err(self.fault(second, "a second element", "one element")),
        }
    }

    /// Reads an element that is itself a value: of a CHOICE, BOOLEAN or ENUMERATED in a list.
    fn bare(&mut self, element: Element<'d>, node: NodeId) -> Result<(), Error> {
        match self.types.node(node).kind {
            Kind::Choice(number) => self.chosen(element, node, number, ""),
            kind => self.word(element, &element.name().to_text(), kind, node, ""),
        }
    }

    /// Reads the alternative of a CHOICE that an element is.
    fn chosen(&mut self, element: Element<'d>, node: NodeId, number: u32, label: &str) -> Result<(), Error> {
        let alternatives = &self.types.choice(number).alternatives;
        let Some(chosen) = alternatives.iter().find(|one| element.name() == *one.identifier()) else {
            let expected = format!("an alternative of {}", self.types.node(node).name);
            return Err(self.fault(element, format!("<{}>", element.name()), expected));
        };
        self.json.open(b'{', label.as_bytes())?;
        self.stack.push(Frame::Single);
        self.value(element, chosen.node, &chosen.name)
    }

    /// Reads the value in an element, or opens it. `label` is its name in JSON.
    fn value(&mut self, element: Element<'d>, node: NodeId, label: &str) -> Result<(), Error> {
        let (mut element, mut node, mut label) = (element, node, Cow::Borrowed(label));
        self.without_attributes(element)?;
        loop {
            match self.types.node(node).kind {
                Kind::Choice(number) => {
                    let inner = self.only(element)?;
                    let alternatives = &self.types.choice(number).alternatives;
                    let Some(chosen) = alternatives.iter().find(|one| inner.name() == *one.identifier()) else {
                        let expected = format!("an alternative of {}", self.types.node(node).name);
                        return Err(self.fault(inner, format!("<{}>", inner.name()), expected));
                    };
                    self.json.open(b'{', label.as_bytes())?;
                    self.stack.push(Frame::Single);
                    (element, node, label) = (inner, chosen.node, Cow::Owned(chosen.name.clone()));
                }
                Kind::Open(number) => {
                    let open = self.types.open(number);
                    match contents::alternatives(open) {
                        Some((content, _)) if !open.is_encoded() && element.elements().next().is_some() => {
                            element = self.only(element)?;
                            self.expect(element, &self.types.type_element(content))?;
                            self.json.open(b'{', label.as_bytes())?;
                            self.stack.push(Frame::Single);
                            (node, label) = (content, Cow::Borrowed(CONTAINING));
                        }
                        Some((_, string)) => node = string,
                        None => {
                            element = self.only(element)?;
                            let selected = self.keys.select(open);
                            let selected = selected.and_then(|index| open.alternatives.get(index as usize).copied());
                            let Some(selected) = selected else { return self.octets(element, &label) };
                            self.expect_selected(element, selected, &label)?;
                            node = selected;
                        }
                    }
                }
                _ => break,
            }
        }
        match self.types.node(node).kind {
            Kind::Record(number) => {
                self.json.open(b'{', label.as_bytes())?;
                let keys = self.keep_keys(number, element);
                self.stack.push(Frame::Record { node, number, children: element.content(), next: 0, keys });
                Ok(())
            }
            Kind::Array(array) => {
                self.json.open(b'[', label.as_bytes())?;
                let is_bare =
                    matches!(self.types.node(array.item).kind, Kind::Boolean | Kind::Enumerated(_) | Kind::Choice(_));
                let name = (!is_bare).then(|| self.types.item_element(&array));
                self.stack.push(Frame::Array { item: array.item, name, children: element.content() });
                Ok(())
            }
            kind => self.scalar(element, node, kind, &label).map_err(|error| self.within(error, &label)),
        }
    }

    /// Adds the path of a value to its error.
    #[cold]
    fn within(&self, error: Error, label: &str) -> Error {
        let path = self.json.path();
        error.in_path(if label.is_empty() { path } else { format!("{path}/{label}") })
    }

    /// Checks that a value in an open type is of the type that the identifier selects.
    fn expect_selected(&self, element: Element<'_>, selected: NodeId, label: &str) -> Result<(), Error> {
        let name = self.types.type_element(selected);
        if element.name() == *name {
            return Ok(());
        }
        let expected = format!("<{name}>, the type that the identifier selects");
        Err(self.within(self.fault(element, format!("<{}>", element.name()), expected), label))
    }

    /// Reads octets of an open type, in an element that is named by their rules.
    fn octets(&mut self, element: Element<'d>, label: &str) -> Result<(), Error> {
        let rules = element.name().to_text();
        if !matches!(&rules[..], "per" | "oer" | "ber") {
            let expected = "<per>, <oer> or <ber>, because no identifier selects a type";
            return Err(self.within(self.fault(element, format!("<{rules}>"), expected), label));
        }
        self.json.open(b'{', label.as_bytes())?;
        let digits = self.digits(element)?;
        self.json.primitive(b'\'', rules.as_bytes(), digits.as_bytes())?;
        self.json.close()
    }
}
