//! The peers that read XML.

use std::borrow::Cow;

use crate::{Counts, Peer};

/// `struct counts` of `counts.h`.
#[derive(Default)]
struct Found {
    elements: u64,
    attributes: u64,
    texts: u64,
    others: u64,
    name_bytes: u64,
    value_bytes: u64,
}

impl Found {
    fn counts(&self) -> Counts {
        [self.elements, self.attributes, self.texts, self.others, self.name_bytes, self.value_bytes, 0]
    }

    fn attribute(&mut self, name: usize, value: usize) {
        self.attributes += 1;
        self.name_bytes += name as u64;
        self.value_bytes += value as u64;
    }
}

/// A peer that is two functions over text: one that is timed, and one that counts.
struct Reading<R, C> {
    read: R,
    count: C,
}

impl<R: FnMut() -> bool, C: FnMut() -> Result<Found, String>> Peer for Reading<R, C> {
    fn read(&mut self) -> bool {
        (self.read)()
    }

    fn counts(&mut self) -> Result<Counts, String> {
        (self.count)().map(|found| found.counts())
    }
}

/// What these peers take: text whose UTF-8 is checked, here and not when they are timed.
fn text(document: &'static [u8]) -> Result<&'static str, String> {
    std::str::from_utf8(document).map_err(|error| error.to_string())
}

pub(crate) fn quick_xml(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    let xml = text(document)?;
    let count = move || quick_xml_events(xml).map_err(|error| error.to_string());
    Ok(Box::new(Reading { read: move || quick_xml_events(xml).map(std::hint::black_box).is_ok(), count }))
}

/// All events, attributes looked at one by one; what is counted keeps the optimiser honest.
fn quick_xml_events(xml: &str) -> Result<Found, quick_xml::Error> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut found = Found::default();
    loop {
        match reader.read_event()? {
            Event::Start(tag) | Event::Empty(tag) => {
                found.elements += 1;
                found.name_bytes += tag.name().as_ref().len() as u64;
                for attribute in tag.attributes() {
                    let attribute = attribute?;
                    found.attribute(attribute.key.as_ref().len(), attribute.value.len());
                }
            }
            Event::Text(text) => found.value_bytes += text.len() as u64,
            Event::CData(text) => found.value_bytes += text.len() as u64,
            Event::Eof => return Ok(found),
            _ => found.others += 1,
        }
    }
}

pub(crate) fn roxmltree(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    let xml = text(document)?;
    let parse = move || {
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        roxmltree::Document::parse_with_options(xml, options)
    };
    let count = move || {
        let tree = parse().map_err(|error| error.to_string())?;
        let mut found = Found::default();
        for node in tree.descendants() {
            if node.is_element() {
                found.elements += 1;
                for attribute in node.attributes() {
                    found.attribute(0, attribute.value().len());
                }
            } else if node.is_text() {
                found.value_bytes += node.text().map_or(0, str::len) as u64;
            }
        }
        Ok(found)
    };
    Ok(Box::new(Reading { read: move || parse().map(std::hint::black_box).is_ok(), count }))
}

pub(crate) fn uppsala_events(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    let xml = text(document)?;
    let count = move || drain_uppsala(xml).map_err(|error| error.to_string());
    Ok(Box::new(Reading { read: move || drain_uppsala(xml).map(std::hint::black_box).is_ok(), count }))
}

fn drain_uppsala(xml: &str) -> uppsala::XmlResult<Found> {
    use uppsala::pull::PullEvent;
    let mut reader = uppsala::pull::PullParser::with_namespace_aware(xml, false);
    let mut found = Found::default();
    while let Some(event) = reader.next_event()? {
        match event {
            PullEvent::StartElement { name, attributes, namespace_declarations, .. } => {
                found.uppsala_element(&name, &attributes, &namespace_declarations);
            }
            PullEvent::Text { content, .. } => {
                found.texts += 1;
                found.value_bytes += content.len() as u64;
            }
            PullEvent::CData { content, .. } => {
                found.others += 1;
                found.value_bytes += content.len() as u64;
            }
            PullEvent::Comment { .. } | PullEvent::ProcessingInstruction { .. } | PullEvent::Doctype(_) => {
                found.others += 1;
            }
            _ => {}
        }
    }
    Ok(found)
}

pub(crate) fn uppsala_dom(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    let xml = text(document)?;
    let parse = move || uppsala::Parser::with_namespace_aware(false).parse(xml);
    let count = move || {
        let tree = parse().map_err(|error| error.to_string())?;
        let mut found = Found::default();
        for element in tree.descendants(tree.root()).into_iter().filter_map(|id| tree.element(id)) {
            found.uppsala_element(&element.name, &element.attributes, &element.namespace_declarations);
        }
        Ok(found)
    };
    Ok(Box::new(Reading { read: move || parse().map(std::hint::black_box).is_ok(), count }))
}

impl Found {
    /// An element; namespace declarations, which uppsala keeps apart, are attributes like others.
    fn uppsala_element(
        &mut self,
        name: &uppsala::QName<'_>,
        attributes: &[uppsala::Attribute<'_>],
        namespaces: &[(Cow<'_, str>, Cow<'_, str>)],
    ) {
        let len = |name: &uppsala::QName<'_>| {
            name.prefix.as_ref().map_or(0, |prefix| prefix.len() + 1) + name.local_name.len()
        };
        self.elements += 1;
        self.name_bytes += len(name) as u64;
        for attribute in attributes {
            self.attribute(len(&attribute.name), attribute.value.len());
        }
        for (prefix, uri) in namespaces {
            self.attribute("xmlns".len() + usize::from(!prefix.is_empty()) + prefix.len(), uri.len());
        }
    }
}
