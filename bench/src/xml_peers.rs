//! The peers that read XML.

use std::borrow::Cow;

use crate::{counts::XmlCounts, timing::Contestant};

/// A reader of XML: how it is timed, and what it finds in the document.
pub(crate) struct XmlPeer<'a> {
    pub(crate) contestant: Contestant<'a>,
    pub(crate) found: Result<Found, String>,
}

/// What a peer finds, as far as it can tell.
pub(crate) struct Found {
    pub(crate) counts: XmlCounts,
    pub(crate) compare: Compare,
}

/// How much of its counts can be compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    /// Everything.
    All,
    /// The tree resolves namespaces, has no DOCTYPE, and merges CDATA with text: elements, and
    /// attributes that are no namespace declarations.
    Elements,
    /// Events before references are resolved: elements and attributes.
    Attributes,
}

#[cfg(expat)]
pub(crate) fn expat<'a>(xml: &'a [u8]) -> XmlPeer<'a> {
    use crate::ffi::Expat;
    let mut tree = Expat::new();
    let found = tree.parse(xml).map(|()| Found { counts: tree.counts(), compare: Compare::All });
    XmlPeer { contestant: Contestant::new("expat tree", move || tree.parse(xml).is_ok()), found }
}

/// The same with parser and arena made anew for every document.
#[cfg(expat)]
pub(crate) fn expat_fresh<'a>(xml: &'a [u8]) -> XmlPeer<'a> {
    use crate::ffi::Expat;
    let contestant = Contestant::new("expat tree", move || Expat::new().parse(xml).is_ok());
    XmlPeer { contestant, ..expat(xml) }
}

#[cfg(pugixml)]
pub(crate) fn pugixml<'a>(xml: &'a [u8], keep: bool) -> XmlPeer<'a> {
    use crate::ffi::Pugixml;
    let mut tree = Pugixml::new(keep);
    let mut copy = xml.to_vec();
    let found = tree.parse(&mut copy, Pugixml::counts).map(|counts| Found { counts, compare: Compare::All });
    let contestant = Contestant::prepared(
        "pugixml in place",
        (tree, copy),
        move |(_, copy)| copy.copy_from_slice(xml),
        move |(tree, copy)| {
            let done = tree.parse(copy, |_| ()).is_ok();
            if !keep {
                tree.clear();
            }
            done
        },
    );
    XmlPeer { contestant, found }
}

/// The events our own converter is made of: what converting adds to reading XML shows against them.
pub(crate) fn own_events<'a>(xml: &'a [u8]) -> XmlPeer<'a> {
    let found = drain_own(xml).map(|counts| Found { counts, compare: Compare::All }).map_err(|error| error.to_string());
    XmlPeer { contestant: Contestant::new("xml events", move || drain_own(xml).is_ok()), found }
}

fn drain_own(xml: &[u8]) -> Result<XmlCounts, tam::Error> {
    use text::xml::Event;
    let mut reader = text::xml::Reader::new(xml, &text::xml::Options::default())?;
    let mut counts = XmlCounts::default();
    while let Some(event) = reader.next_event()? {
        match event {
            Event::Start(tag) => {
                counts.elements += 1;
                counts.name_bytes += tag.name().len() as u64;
                for (name, value) in tag.attributes() {
                    counts.attributes += 1;
                    counts.name_bytes += name.len() as u64;
                    counts.value_bytes += value.len() as u64;
                }
            }
            Event::Text(text) => {
                counts.texts += 1;
                counts.value_bytes += text.len() as u64;
            }
            Event::CData(text) => {
                counts.others += 1;
                counts.value_bytes += text.len() as u64;
            }
            Event::End(_) => {}
            _ => counts.others += 1,
        }
    }
    Ok(counts)
}

pub(crate) fn quick_xml<'a>(xml: &'a str) -> XmlPeer<'a> {
    let found = quick_xml_events(xml)
        .map(|counts| Found { counts, compare: Compare::Attributes })
        .map_err(|error| error.to_string());
    XmlPeer { contestant: Contestant::new("quick-xml events", move || quick_xml_events(xml).is_ok()), found }
}

/// All events, attributes looked at one by one; what is counted keeps the optimiser honest.
fn quick_xml_events(xml: &str) -> Result<XmlCounts, quick_xml::Error> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut counts = XmlCounts::default();
    loop {
        match reader.read_event()? {
            Event::Start(tag) | Event::Empty(tag) => {
                counts.elements += 1;
                counts.name_bytes += tag.name().as_ref().len() as u64;
                for attribute in tag.attributes() {
                    let attribute = attribute?;
                    counts.attributes += 1;
                    counts.name_bytes += attribute.key.as_ref().len() as u64;
                    counts.value_bytes += attribute.value.len() as u64;
                }
            }
            Event::Text(text) => counts.value_bytes += text.len() as u64,
            Event::CData(text) => counts.value_bytes += text.len() as u64,
            Event::Eof => return Ok(counts),
            _ => counts.others += 1,
        }
    }
}

pub(crate) fn roxmltree<'a>(xml: &'a str) -> XmlPeer<'a> {
    let parse = move || {
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        roxmltree::Document::parse_with_options(xml, options)
    };
    let found = parse().map_err(|error| error.to_string()).map(|tree| {
        let mut counts = XmlCounts::default();
        for node in tree.descendants() {
            if node.is_element() {
                counts.elements += 1;
                counts.attributes += node.attributes().len() as u64;
                counts.value_bytes += node.attributes().map(|a| a.value().len() as u64).sum::<u64>();
            } else if node.is_text() {
                counts.value_bytes += node.text().map_or(0, str::len) as u64;
            }
        }
        Found { counts, compare: Compare::Elements }
    });
    XmlPeer { contestant: Contestant::new("roxmltree", move || parse().is_ok()), found }
}

pub(crate) fn uppsala_events<'a>(xml: &'a str) -> XmlPeer<'a> {
    let found =
        drain_uppsala(xml).map(|counts| Found { counts, compare: Compare::All }).map_err(|error| error.to_string());
    XmlPeer { contestant: Contestant::new("uppsala events", move || drain_uppsala(xml).is_ok()), found }
}

fn drain_uppsala(xml: &str) -> uppsala::XmlResult<XmlCounts> {
    use uppsala::pull::PullEvent;
    let mut reader = uppsala::pull::PullParser::with_namespace_aware(xml, false);
    let mut counts = XmlCounts::default();
    while let Some(event) = reader.next_event()? {
        match event {
            PullEvent::StartElement { name, attributes, namespace_declarations, .. } => {
                counts.elements += 1;
                counts.name_bytes += name_len(&name);
                for attribute in &attributes {
                    counts.attributes += 1;
                    counts.name_bytes += name_len(&attribute.name);
                    counts.value_bytes += attribute.value.len() as u64;
                }
                counts.add_namespaces(&namespace_declarations);
            }
            PullEvent::Text { content, .. } => {
                counts.texts += 1;
                counts.value_bytes += content.len() as u64;
            }
            PullEvent::CData { content, .. } => {
                counts.others += 1;
                counts.value_bytes += content.len() as u64;
            }
            PullEvent::Comment { .. } | PullEvent::ProcessingInstruction { .. } | PullEvent::Doctype(_) => {
                counts.others += 1;
            }
            _ => {}
        }
    }
    Ok(counts)
}

fn name_len(name: &uppsala::QName<'_>) -> u64 {
    (name.prefix.as_ref().map_or(0, |prefix| prefix.len() + 1) + name.local_name.len()) as u64
}

impl XmlCounts {
    /// Namespace declarations, which uppsala keeps apart.
    fn add_namespaces(&mut self, declarations: &[(Cow<'_, str>, Cow<'_, str>)]) {
        for (prefix, uri) in declarations {
            self.attributes += 1;
            self.name_bytes += ("xmlns".len() + usize::from(!prefix.is_empty()) + prefix.len()) as u64;
            self.value_bytes += uri.len() as u64;
        }
    }
}

pub(crate) fn uppsala_dom<'a>(xml: &'a str) -> XmlPeer<'a> {
    let parse = move || uppsala::Parser::with_namespace_aware(false).parse(xml);
    let found = parse().map_err(|error| error.to_string()).map(|tree| {
        let mut counts = XmlCounts::default();
        for id in tree.descendants(tree.root()) {
            if let Some(element) = tree.element(id) {
                counts.elements += 1;
                counts.attributes += element.attributes.len() as u64;
                counts.name_bytes += name_len(&element.name);
                counts.name_bytes += element.attributes.iter().map(|a| name_len(&a.name)).sum::<u64>();
                counts.add_namespaces(&element.namespace_declarations);
            }
        }
        Found { counts, compare: Compare::Attributes }
    });
    XmlPeer { contestant: Contestant::new("uppsala dom", move || parse().is_ok()), found }
}
