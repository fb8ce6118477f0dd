//! The table `per`: messages under the packed encoding rules of ASN.1.

use asn1::{Options, Value, Values};
use messages::Kind;
use tam::Table;

use crate::{
    counts::JsonCounts,
    documents::Document,
    per_ours::{self, Module},
    per_peers::{self, RULES},
    report::{Report, Work},
};

fn about(work: &str) -> &'static str {
    match work {
        "size" => "bytes of a message; the others' in per cent of it",
        "decode" => "message into values, by a module loaded at run time; peers have code derived from types",
        "encode" => "values into a message",
        _ => "",
    }
}

/// Messages of a kind under rules: what is measured like a document.
pub(crate) fn documents() -> Vec<Document> {
    let named = |kind: &Kind| {
        let name = move |rules| format!("{}.{rules}", kind.name);
        RULES.map(|rules| Document { name: name(rules), bytes: Vec::new(), paper: None })
    };
    messages::KINDS.iter().flat_map(named).collect()
}

pub(crate) fn run(documents: &[Document], report: &mut Report) {
    for document in documents {
        if let Err(error) = measure(&document.name, report) {
            report.fail(&format!("{}: {error}", document.name));
        }
    }
    report.print(about);
}

/// The kind and the rules that a document's name is of.
fn parts(document: &str) -> Option<(&'static Kind, &'static str)> {
    let (kind, rules) = document.split_once('.')?;
    let kind = messages::KINDS.iter().find(|known| known.name == kind)?;
    Some((kind, RULES.into_iter().find(|&known| known == rules)?))
}

/// All work on the messages of a kind under rules.
fn measure(document: &str, report: &mut Report) -> Result<(), String> {
    let (kind, rules) = parts(document).ok_or("there is no such kind")?;
    let words = |error: tam::Error| error.to_string();
    let options = if rules == "aper" { Options::aper() } else { Options::uper() };
    let json = per_peers::values(kind);
    let module = Module::load(kind).map_err(words)?;
    let peers = per_peers::of(kind, rules, &json);
    for missing in per_peers::missing(kind, &peers) {
        report.fail(&format!("{document}: {missing} is left out: it has no such messages"));
    }

    // The values come from JSON, as those of rasn do, and must be the same bytes for all.
    let mut tables: Vec<(Table<'_>, Values)> = json.lines().map(|_| <_>::default()).collect();
    let made = tables.iter_mut().zip(json.lines()).map(|((table, values), json)| module.make(json, table, values));
    let values = made.collect::<Result<Vec<Value<'_>>, _>>().map_err(words)?;
    let written = values.iter().map(|&value| asn1::write(value, &options));
    let written = written.collect::<Result<Vec<_>, _>>().map_err(words)?;
    let messages: Vec<&[u8]> = written.iter().map(Vec::as_slice).collect();
    let mut read = Values::new();
    for message in &messages {
        let value = module.read(message, &mut read, &options).map_err(words)?;
        if asn1::write(value, &options).map_err(words)? != *message {
            return Err(format!("reads something else than it wrote: {message:02x?}"));
        }
    }
    let (agreeing, others): (Vec<_>, Vec<_>) = peers.iter().partition(|(_, peer)| peer.messages() == messages);
    for (name, _) in others {
        report.fail(&format!("{document}: {name} is left out: it writes other bytes than ours"));
    }

    let mean = |all: &[&[u8]]| all.iter().map(|message| message.len()).sum::<usize>() / all.len().max(1);
    let bytes = mean(&messages);
    let units = units(&json).map_err(words)?;
    let work = |name| Work { name, document, bytes, units, ..Work::default() };
    if report.wants("size") {
        let work = work("size");
        report.size(&work, "json", json.len() / values.len());
        let ber = values.iter().map(|&value| asn1::encoded_len(value, &Options::ber()));
        let ber = ber.sum::<Result<usize, _>>().map_err(words)?;
        report.size(&work, "ber", ber / values.len());
    }
    if report.wants("decode") {
        let mut all = vec![module.decoding("lengthwise", &messages, &options)];
        all.extend(agreeing.iter().map(|(name, peer)| peer.decoding(name)));
        report.race(&work("decode"), all);
    }
    if report.wants("encode") {
        let mut all = vec![per_ours::encoding("lengthwise", &values, &options)];
        all.extend(agreeing.iter().map(|(name, peer)| peer.encoding(name)));
        report.race(&work("encode"), all);
    }
    Ok(())
}

/// Simple values in a message: numbers, strings, those of enumerations, absent ones not.
fn units(json: &str) -> Result<u64, tam::Error> {
    let mut all = 0;
    for line in json.lines() {
        let mut table = Table::new();
        let read = text::json::read(line.as_bytes(), &text::json::Options::default(), &mut table)?;
        let counts = JsonCounts::of_values(&read);
        all += counts.strings + counts.numbers + counts.literals;
    }
    Ok(all / json.lines().count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_a_document_under_all_rules() {
        let documents = documents();
        assert_eq!(documents.len(), messages::KINDS.len() * RULES.len());
        assert!(documents.iter().all(|document| parts(&document.name).is_some()));
        assert!(parts("beacon.ber").is_none() && parts("beacon").is_none());
    }
}
