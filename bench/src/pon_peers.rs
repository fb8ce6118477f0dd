//! The peers of the table `pon`.

use crate::timing::Contestant;

/// Libraries of JSON, which has no octets.
const JSON: [&str; 3] = ["serde_json", "sonic-rs", "simd-json"];

/// The same with octets as base64 text: the text taken for the value, or the coding counted.
const JSON_IMAGE: [&str; 6] = [
    "serde_json, base64 text",
    "sonic-rs, base64 text",
    "simd-json, base64 text",
    "serde_json + base64",
    "sonic-rs + base64",
    "simd-json + base64",
];

/// Libraries of binary formats.
const BINARY: [&str; 5] = ["ciborium", "minicbor-serde", "rmp-serde named", "rmp-serde positional", "bson"];

/// minicbor without serde, for the paper's messages.
const INDEXED: &str = "minicbor derive, integer keys";

/// The peers that take a message.
pub(crate) fn of(message: &str) -> Vec<&'static str> {
    let image = messages::IMAGES.iter().any(|image| image.0 == message);
    let paper = image || [messages::REQUEST, messages::REPLY].contains(&message);
    let json: &[&str] = if image { &JSON_IMAGE } else { &JSON };
    json.iter().chain(&BINARY).copied().chain(paper.then_some(INDEXED)).collect()
}

/// One that looks the last member up, and the number it finds.
pub(crate) struct Finder<'a> {
    pub(crate) contestant: Contestant<'a>,
    pub(crate) found: Result<u64, String>,
}

/// All that look up in a JSON document.
pub(crate) fn finders(json: &[u8]) -> Vec<Finder<'_>> {
    let mut all = Vec::new();
    #[cfg(rust_peers)]
    for name in [
        "sonic-rs get",
        "sonic-rs get_unchecked",
        "simd-json tape look-up",
        "serde_json visitor",
        "bson raw document",
        "minicbor skip",
    ] {
        let (peer, counts) = crate::ffi::RustPeer::new(name, json);
        all.push(Finder { contestant: peer.contestant(name), found: counts.map(|counts| counts[0]) });
    }
    #[cfg(simdjson)]
    {
        let mut lookup = crate::ffi::SimdjsonLookup::new(json);
        let found = lookup.find(messages::LAST);
        let contestant = Contestant::new("simdjson on demand", move || lookup.find(messages::LAST).is_ok());
        all.push(Finder { contestant, found });
    }
    let _ = json;
    all
}
