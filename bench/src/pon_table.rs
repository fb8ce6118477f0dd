//! The table `pon`: messages as typed structs, and a member of a large object.

use std::{io, path::Path};

use messages::{
    Form, Octets, lent,
    named::{self, ImageReply},
    numeral,
};

use crate::{
    documents::{self, Document},
    ffi::TypedPeer,
    generate,
    pon_by_hand::ByHand,
    pon_ours as ours, pon_peers,
    report::{Report, Work},
    timing::Contestant,
};

fn about(work: &str) -> &'static str {
    match work {
        "size" => "bytes of the message; the others' in per cent of it",
        "generate" => "structs into a message, the buffer kept",
        "parse" => "message into structs that borrow from it",
        "lookup" => "the number at the front of the last of 1 000 members",
        _ => "",
    }
}

/// The large object that a member is looked up in.
const LARGE: &str = "members-1000";

/// The structs that a JSON document is read into.
fn structs(name: &str) -> Option<&'static str> {
    match name {
        "twitter.json" | "posts.json" => Some("posts"),
        "citm_catalog.json" | "events.json" => Some("catalog"),
        _ => None,
    }
}

/// The paper's messages, the JSON documents there are structs for, and the large object.
pub(crate) fn documents(corpus: Option<&Path>) -> io::Result<Vec<Document>> {
    let made = |name: &str, bytes| Document { name: name.into(), bytes, paper: None };
    let images = messages::IMAGES.map(|image| image.0);
    let mut all: Vec<Document> =
        [messages::REQUEST, messages::REPLY].into_iter().chain(images).map(|name| made(name, Vec::new())).collect();
    for document in documents::json(corpus)? {
        if structs(&document.name).is_some() {
            all.push(document);
        } else {
            eprintln!("bench: {} is passed over: there are no structs for it", document.name);
        }
    }
    // Made only when it is looked into.
    all.push(made(LARGE, Vec::new()));
    Ok(all)
}

pub(crate) fn run(documents: &[Document], report: &mut Report) {
    for document in documents {
        if let Err(error) = measure(document, report) {
            report.fail(&format!("{}: {error}", document.name));
        }
    }
    report.print(about);
}

fn measure(document: &Document, report: &mut Report) -> Result<(), String> {
    let (name, json) = (document.name.as_str(), &document.bytes[..]);
    let from_json = |error: serde_json::Error| error.to_string();
    let count = messages::IMAGES.iter().find(|image| image.0 == name).map(|image| image.1);
    match (name, count, structs(name)) {
        (messages::REQUEST, ..) => {
            let numeral = Numeral::<lent::NumeralRequest>::new(numeral::request())?;
            let typed = Typed::<lent::Request>::new(name, name, json, named::request())?;
            let best = Best::<named::ServiceListRequest<&str>>::new(&typed.message)?;
            typed.measure(Some(&best), &[&numeral], report)
        }
        (messages::REPLY, ..) => {
            let numeral = Numeral::<lent::NumeralReply>::new(numeral::reply())?;
            let typed = Typed::<lent::Reply>::new(name, name, json, named::reply())?;
            let best = Best::<named::ServiceListReply<&str>>::new(&typed.message)?;
            typed.measure(Some(&best), &[&numeral], report)
        }
        (_, Some(count), _) => {
            let gather = Gather(named::image(count));
            let typed = Typed::<lent::Image>::new(name, name, json, named::image(count))?;
            let best = Best::<ImageReply<&str, Octets<'_>>>::new(&typed.message)?;
            typed.measure(Some(&best), &[&gather], report)
        }
        (.., Some("posts")) => {
            let value = serde_json::from_slice(json).map_err(from_json)?;
            Typed::<lent::Posts>::new(name, "posts", json, value)?.measure(None, &[], report)
        }
        (.., Some(_)) => {
            let value = serde_json::from_slice(json).map_err(from_json)?;
            Typed::<lent::Catalog>::new(name, "catalog", json, value)?.measure(None, &[], report)
        }
        _ => lookup(document, report),
    }
}

/// A message as typed structs, ours and the peers'.
struct Typed<'a, F: Form> {
    /// Of the document.
    name: &'a str,
    value: F::Of<'a>,
    message: Vec<u8>,
    units: u64,
    peers: Vec<(&'static str, TypedPeer<'a>)>,
    /// Peers that are missing, or read something else.
    left_out: Vec<&'static str>,
}

impl<'a, F: Form> Typed<'a, F> {
    /// `message` is what the peers call it.
    fn new(name: &'a str, message: &str, json: &'a [u8], value: F::Of<'a>) -> Result<Self, String> {
        let (mut peers, mut left_out) = (Vec::new(), Vec::new());
        let (bytes, text) = ours::message::<F>(&value)?;
        for peer in pon_peers::of(message) {
            match TypedPeer::new(peer, message, json) {
                Some(found) if found.agrees(&text) => peers.push((peer, found)),
                _ => left_out.push(peer),
            }
        }
        Ok(Typed { name, units: ours::units(&bytes)?, value, message: bytes, peers, left_out })
    }

    /// All work on the message. `best` is our best way where there is a better one than serde, and
    /// `beside` are others.
    fn measure(&self, best: Option<&dyn Beside>, beside: &[&dyn Beside], report: &mut Report) -> Result<(), String> {
        for peer in &self.left_out {
            report.fail(&format!("{}: {peer} is left out: it reads something else than ours", self.name));
        }
        let bytes = self.message.len();
        let work = |name| Work { name, document: self.name, bytes, units: self.units, ..Work::default() };
        if report.wants("size") {
            for (name, peer) in &self.peers {
                report.size(&work("size"), name, peer.size());
            }
            for (name, size) in beside.iter().filter_map(|beside| beside.size()) {
                report.size(&work("size"), name, size);
            }
        }
        let serde = if best.is_some() { "lengthwise serde" } else { "lengthwise" };
        if report.wants("generate") {
            let mut all: Vec<_> = best.and_then(Beside::generating).into_iter().collect();
            all.push(ours::generating(serde, &self.value));
            all.extend(self.peers.iter().map(|(name, peer)| peer.generating(name)));
            all.extend(beside.iter().filter_map(|beside| beside.generating()));
            report.race(&work("generate"), all);
        }
        if report.wants("parse") {
            let mut all: Vec<_> = best.and_then(Beside::parsing).into_iter().collect();
            all.push(ours::parsing::<F>(serde, &self.message));
            all.extend(self.peers.iter().map(|(name, peer)| peer.parsing(name)));
            all.extend(beside.iter().filter_map(|beside| beside.parsing()));
            report.race(&work("parse"), all);
        }
        Ok(())
    }
}

/// Another way of ours to the same values.
trait Beside {
    /// Bytes of the message, where they are others.
    fn size(&self) -> Option<(&'static str, usize)>;

    fn generating(&self) -> Option<Contestant<'_>>;

    fn parsing(&self) -> Option<Contestant<'_>>;
}

/// Read and written by hand: our best way, as derived code is that of some peers.
struct Best<'m, T> {
    message: &'m [u8],
    value: T,
    /// As long as the message.
    buffer: Vec<u8>,
}

impl<'m, T: ByHand<'m> + std::fmt::Debug> Best<'m, T> {
    fn new(message: &'m [u8]) -> Result<Self, String> {
        let (value, buffer) = ours::by_hand(message)?;
        Ok(Best { message, value, buffer })
    }
}

impl<'m, T: ByHand<'m>> Beside for Best<'m, T> {
    fn size(&self) -> Option<(&'static str, usize)> {
        None
    }

    fn generating(&self) -> Option<Contestant<'_>> {
        Some(ours::generating_by_hand("lengthwise", &self.value, self.buffer.clone()))
    }

    fn parsing(&self) -> Option<Contestant<'_>> {
        Some(ours::parsing_by_hand::<T>("lengthwise", self.message))
    }
}

/// Numbers for keys, for comparison with integer keys and positions.
struct Numeral<F: Form> {
    value: F::Of<'static>,
    message: Vec<u8>,
}

impl<F: Form> Numeral<F> {
    const NAME: &'static str = "lengthwise, numeral keys";

    fn new(value: F::Of<'static>) -> Result<Self, String> {
        let (message, _) = ours::message::<F>(&value)?;
        Ok(Numeral { value, message })
    }
}

impl<F: Form> Beside for Numeral<F> {
    fn size(&self) -> Option<(&'static str, usize)> {
        Some((Self::NAME, self.message.len()))
    }

    fn generating(&self) -> Option<Contestant<'_>> {
        Some(ours::generating(Self::NAME, &self.value))
    }

    fn parsing(&self) -> Option<Contestant<'_>> {
        Some(ours::parsing::<F>(Self::NAME, &self.message))
    }
}

/// An image whose octets are not copied when it is written.
struct Gather(ImageReply<&'static str, Octets<'static>>);

impl Beside for Gather {
    fn size(&self) -> Option<(&'static str, usize)> {
        None
    }

    fn generating(&self) -> Option<Contestant<'_>> {
        Some(ours::gathering("lengthwise gather", &self.0))
    }

    fn parsing(&self) -> Option<Contestant<'_>> {
        None
    }
}

/// One member of a large object; the number in it identifies it.
fn lookup(document: &Document, report: &mut Report) -> Result<(), String> {
    if !report.wants("lookup") {
        return Ok(());
    }
    let json = generate::members();
    let value: serde_json::Value = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
    let message = pon::to_vec(&value).map_err(|error| error.to_string())?;
    let number = generate::code(messages::MEMBERS - 1);
    let found = ours::find(&message).map_err(|error| error.to_string())?;
    if found != number {
        return Err(format!("found {found}, wanted {number}"));
    }
    let mut all = vec![ours::finding("lengthwise", &message)];
    for peer in pon_peers::finders(&json) {
        if peer.found == Ok(number) {
            all.push(peer.contestant);
        } else {
            report.fail(&format!("{}: {} is left out: found {:?}", document.name, peer.contestant.name, peer.found));
        }
    }
    let (bytes, units) = (message.len(), ours::units(&message)?);
    report.race(&Work { name: "lookup", document: &document.name, bytes, units, ..Work::default() }, all);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of a message in each library's form, by name.
    fn sizes<F: Form>(message: &'static str, value: F::Of<'static>) -> Vec<(&'static str, usize)> {
        let typed = Typed::<F>::new(message, message, b"", value).unwrap();
        assert_eq!(typed.left_out, [""; 0], "{message}");
        let ours = ("lengthwise", typed.message.len());
        [ours].into_iter().chain(typed.peers.iter().map(|(name, peer)| (*name, peer.size()))).collect()
    }

    fn json_part(sizes: &[(&str, usize)]) -> f64 {
        let size = |name: &str| sizes.iter().find(|size| size.0.starts_with(name)).unwrap().1 as f64;
        size("lengthwise") / size("serde_json")
    }

    #[test]
    fn messages_have_the_shapes_of_the_paper() {
        let request = named::request::<&str>();
        assert_eq!(pon::to_vec(&request).unwrap(), b"43{from:9stablet-17to:9sgateway-3number:4i4711");
        let reply = named::reply::<&str>();
        assert_eq!(reply.services.len(), 15);
        assert!(reply.services.iter().any(|service| service.parent.is_some() && service.help.is_none()));
        assert!(messages::IMAGES.iter().all(|&(_, count)| messages::octets(count).len() == count));
    }

    /// Its section 3.4: the request slightly shorter, the reply about a quarter, images a quarter.
    #[test]
    fn messages_are_shorter_than_json_by_what_the_paper_says() {
        if cfg!(not(rust_peers)) {
            return eprintln!("skipped: the Rust peers are missing");
        }
        let request = json_part(&sizes::<lent::Request>(messages::REQUEST, named::request()));
        assert!((0.85..1.0).contains(&request), "{request}");
        let reply = json_part(&sizes::<lent::Reply>(messages::REPLY, named::reply()));
        assert!((0.70..0.80).contains(&reply), "{reply}");
        for (name, count) in messages::IMAGES {
            let image = json_part(&sizes::<lent::Image>(name, named::image(count)));
            assert!((0.74..0.76).contains(&image), "{name}: {image}");
        }
    }

    #[test]
    fn keys_of_other_kinds_change_no_value() {
        let (_, named) = ours::message::<lent::Reply>(&named::reply()).unwrap();
        let (_, numeral) = ours::message::<lent::NumeralReply>(&numeral::reply()).unwrap();
        assert_eq!(named, numeral);
    }

    #[test]
    fn gathered_pieces_are_the_message() {
        for (_, count) in messages::IMAGES {
            let image = named::image(count);
            assert!(ours::gathered(&image) == Some(pon::to_vec(&image).unwrap()));
        }
    }

    #[test]
    fn peers_read_the_generated_documents_alike() {
        for document in generate::json() {
            let (name, json) = (document.name.as_str(), &document.bytes[..]);
            let left_out = if structs(name) == Some("posts") {
                Typed::<lent::Posts>::new(name, "posts", json, serde_json::from_slice(json).unwrap()).unwrap().left_out
            } else {
                let value = serde_json::from_slice(json).unwrap();
                Typed::<lent::Catalog>::new(name, "catalog", json, value).unwrap().left_out
            };
            assert!(cfg!(not(rust_peers)) || left_out.is_empty(), "{name}: {left_out:?}");
        }
    }

    #[test]
    fn everybody_finds_the_last_of_1000_members_in_10_mb() {
        let json = generate::members();
        assert!((9_800_000..10_200_000).contains(&json.len()), "{} bytes", json.len());
        let number = generate::code(messages::MEMBERS - 1);
        for peer in pon_peers::finders(&json) {
            assert_eq!(peer.found, Ok(number), "{}", peer.contestant.name);
        }
        let value: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(ours::find(&pon::to_vec(&value).unwrap()).unwrap(), number);
    }
}
