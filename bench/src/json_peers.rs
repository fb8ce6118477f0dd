//! The peers that read JSON.

use crate::{counts::JsonCounts, timing::Contestant};

/// A reader of JSON: how it is timed, and what it finds in the document.
pub(crate) struct JsonPeer<'a> {
    pub(crate) contestant: Contestant<'a>,
    pub(crate) found: Result<JsonCounts, String>,
}

/// A peer that is a Rust crate, by its name.
#[cfg(rust_peers)]
pub(crate) fn rust<'a>(name: &'static str, json: &'a [u8]) -> JsonPeer<'a> {
    let (peer, counts) = crate::ffi::RustPeer::new(name, json);
    let found = counts.map(|[objects, arrays, strings, numbers, literals, names, text_bytes]| JsonCounts {
        objects,
        arrays,
        strings,
        numbers,
        literals,
        names,
        text_bytes,
    });
    JsonPeer { contestant: peer.contestant(name), found }
}

#[cfg(simdjson)]
pub(crate) fn simdjson<'a>(json: &'a [u8]) -> JsonPeer<'a> {
    let mut dom = crate::ffi::Simdjson::new(json);
    let found = dom.parse().map(|()| dom.counts());
    JsonPeer { contestant: Contestant::new("simdjson dom", move || dom.parse().is_ok()), found }
}

#[cfg(yyjson)]
pub(crate) fn yyjson<'a>(json: &'a [u8]) -> JsonPeer<'a> {
    let mut dom = crate::ffi::Yyjson::new(json);
    let found = dom.parse().map(|()| dom.counts());
    let contestant =
        Contestant::prepared("yyjson in situ", dom, move |dom| dom.restore(json), move |dom| dom.parse().is_ok());
    JsonPeer { contestant, found }
}
