//! The peers that read XML.

use crate::{counts::XmlCounts, report::Report, timing::Contestant};

/// A reader of XML: how it is timed, and what it finds in the document.
pub(crate) struct XmlPeer<'a> {
    pub(crate) contestant: Contestant<'a>,
    pub(crate) found: Result<Found, String>,
}

/// What a peer finds, as far as it reports it.
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
    /// Namespaces are resolved, and text counted in other units: how many elements, and attributes that are
    /// no namespace declarations.
    Tags,
}

/// A peer that found in the document what we did; any other makes the run fail.
pub(crate) fn agreeing<'a>(
    peer: XmlPeer<'a>,
    ours: &XmlCounts,
    namespaces: (u64, u64),
    document: &str,
    report: &mut Report,
) -> Option<Contestant<'a>> {
    let agrees = match &peer.found {
        Err(_) => false,
        Ok(found) => match found.compare {
            Compare::All => found.counts == *ours,
            Compare::Attributes => {
                let seen = |c: &XmlCounts| (c.elements, c.attributes, c.name_bytes);
                seen(&found.counts) == seen(ours)
            }
            Compare::Tags => {
                (found.counts.elements, found.counts.attributes) == (ours.elements, ours.attributes - namespaces.0)
            }
            Compare::Elements => {
                let seen = |c: &XmlCounts| (c.elements, c.attributes, c.value_bytes);
                let (count, bytes) = namespaces;
                seen(&found.counts) == (ours.elements, ours.attributes - count, ours.value_bytes - bytes)
            }
        },
    };
    if agrees {
        return Some(peer.contestant);
    }
    let found = match &peer.found {
        Ok(found) => format!("found {:?}", found.counts),
        Err(error) => format!("says: {error}"),
    };
    report.fail(&format!("{document}: {} is left out: it {found}, and ours {ours:?}", peer.contestant.name));
    None
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

/// expat that builds nothing: its handlers look at what they get, and count.
#[cfg(expat)]
pub(crate) fn expat_events<'a>(xml: &'a [u8]) -> XmlPeer<'a> {
    use crate::ffi::ExpatEvents;
    let mut events = ExpatEvents::new();
    let found = events.parse(xml).map(|()| Found { counts: events.counts(), compare: Compare::All });
    XmlPeer { contestant: Contestant::new("expat events", move || events.parse(xml).is_ok()), found }
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

/// A tree of pugixml written as XML; what it wrote is read again, by our reader.
#[cfg(pugixml)]
pub(crate) fn pugixml_write<'a>(xml: &[u8]) -> XmlPeer<'a> {
    use crate::ffi::PugixmlTree;
    match PugixmlTree::new(xml) {
        Ok(mut tree) => {
            let read = tree.write(drain_own).map_err(|error| error.to_string());
            let found = read.map(|counts| Found { counts, compare: Compare::All });
            XmlPeer { contestant: Contestant::new("pugixml write", move || tree.write(|text| text.len())), found }
        }
        Err(error) => XmlPeer { contestant: Contestant::new("pugixml write", || ()), found: Err(error) },
    }
}

/// A tree of pugixml copied into another.
#[cfg(pugixml)]
pub(crate) fn pugixml_copy<'a>(xml: &[u8]) -> XmlPeer<'a> {
    use crate::ffi::{Pugixml, PugixmlTree};
    match PugixmlTree::new(xml) {
        Ok(tree) => {
            let mut copy = Pugixml::new(true);
            tree.copy_to(&mut copy);
            let found = Ok(Found { counts: copy.counts(), compare: Compare::All });
            XmlPeer { contestant: Contestant::new("pugixml copy", move || tree.copy_to(&mut copy)), found }
        }
        Err(error) => XmlPeer { contestant: Contestant::new("pugixml copy", || ()), found: Err(error) },
    }
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

/// A peer that is a Rust crate, by its name.
#[cfg(rust_peers)]
pub(crate) fn rust<'a>(name: &'static str, compare: Compare, xml: &'a [u8]) -> XmlPeer<'a> {
    let (peer, counts) = crate::ffi::RustPeer::new(name, xml);
    let found = counts.map(|[elements, attributes, texts, others, name_bytes, value_bytes, _]| Found {
        counts: XmlCounts { elements, attributes, texts, others, name_bytes, value_bytes },
        compare,
    });
    XmlPeer { contestant: peer.contestant(name), found }
}
