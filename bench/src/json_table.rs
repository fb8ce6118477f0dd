//! The table `json`: JSON documents carried as TSF.

use std::hint::black_box;

use tam::Table;
use text::json::{self, Types};

use crate::{
    counts::JsonCounts,
    documents::Document,
    json_peers::{self, JsonPeer},
    report::{Report, Work},
    timing::Contestant,
};

fn about(work: &str) -> &'static str {
    match work {
        "read" => "message into a table that is reused; peers build their tree from JSON",
        _ => "",
    }
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
    let input = &document.bytes[..];
    let counts = {
        let mut table = Table::new();
        let read = json::read(input, &json::Options::default(), &mut table).map_err(|error| error.to_string())?;
        JsonCounts::of_values(&read)
    };

    for (name, types) in [("json", Types::Json), ("value", Types::Value)] {
        let options = json::Options::default().with_types(types);
        let mut source = Table::new();
        let source = json::read(input, &options, &mut source).map_err(|error| error.to_string())?;
        let options = tsf::Options::new(types.set());
        let message = tsf::write(&source, &options).map_err(|error| error.to_string())?;
        let mut table = Table::new();
        let read = tsf::read(&message, &options, &mut table).map_err(|error| error.to_string())?;
        if read.units() as u64 != counts.units() || (types == Types::Value && JsonCounts::of_values(&read) != counts) {
            return Err(format!("type set {name}: read {} units, wrote {counts:?}", read.units()));
        }

        if report.wants("read") {
            let mut all = vec![Contestant::new("lengthwise", || {
                tsf::read(&message, &options, &mut table).map(|document| _ = black_box(document)).is_ok()
            })];
            let peers = [
                #[cfg(simdjson)]
                json_peers::simdjson(input),
                #[cfg(yyjson)]
                json_peers::yyjson(input),
                #[cfg(rust_peers)]
                json_peers::rust("sonic-rs value", input),
                #[cfg(rust_peers)]
                json_peers::rust("simd-json tape", input),
                #[cfg(rust_peers)]
                json_peers::rust("simd-json borrowed value", input),
                #[cfg(rust_peers)]
                json_peers::rust("serde_json value", input),
            ];
            for peer in peers {
                all.extend(agreeing(peer, &counts, document, report));
            }
            let work = Work {
                name: "read",
                document: &document.name,
                types: Some(name),
                bytes: message.len(),
                units: counts.units(),
                allocations: None,
            };
            report.race(&work, all);
        }
    }
    Ok(())
}

/// A peer that found in the document what we did; any other makes the run fail.
fn agreeing<'a>(
    peer: JsonPeer<'a>,
    ours: &JsonCounts,
    document: &Document,
    report: &mut Report,
) -> Option<Contestant<'a>> {
    if peer.found.as_ref() == Ok(ours) {
        return Some(peer.contestant);
    }
    let name = &peer.contestant.name;
    report.fail(&format!("{}: {name} is left out: it found {:?}, and ours {ours:?}", document.name, peer.found));
    None
}
