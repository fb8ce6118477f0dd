//! Lengthwise measured beside its peers. README.md says how to run it and what is measured.

mod alloc;
mod compress;
mod counts;
mod dds_messages;
mod dds_paper;
mod dds_table;
mod documents;
mod ffi;
mod generate;
mod infoset_ours;
mod infoset_paper;
mod infoset_relative;
mod infoset_table;
mod json_peers;
mod json_table;
mod jvm;
mod paper;
mod per_ours;
mod per_peers;
mod per_table;
mod pon_by_hand;
mod pon_ours;
mod pon_peers;
mod pon_table;
mod report;
mod tdxml_messages;
mod tdxml_soap;
mod tdxml_table;
mod timing;
mod tsf_table;
mod xml_peers;
mod xsd_documents;
mod xsd_ours;
mod xsd_paper;
mod xsd_peers;
mod xsd_table;

use std::{path::PathBuf, process::ExitCode};

use report::Report;

const USAGE: &str = "\
usage: cargo run --release --manifest-path bench/Cargo.toml -- TABLE [options]

TABLE            tsf, json, pon, infoset, per, dds or tdxml
--corpus DIR     the documents of DIR instead of our own: .xml and the like for tsf and infoset, .json for json and
                 pon; for per those below DIR whose schemas (.xsd) lie there too; dds and
                 tdxml have messages of their own
--json           a line of JSON for each measurement instead of tables
--rounds N       interleaved rounds to take medians of (default 25)
--work NAME      only this piece of work
--document TEXT  only documents whose name holds TEXT";

/// The tables there are, and what they are of.
const TABLES: [(&str, &str); 7] = [
    ("tsf", "XML documents as TSF: reading, writing, converting, sizes"),
    ("json", "JSON documents as TSF: reading"),
    ("pon", "messages as PON: typed structs out of them and into them, looking up, sizes"),
    ("infoset", "XML documents as the XML Infoset in ASN.1: reading, events, writing, sizes"),
    ("per", "messages under PER, of modules and of schemas of XML: decoding, encoding, converting, sizes"),
    ("dds", "SOAP messages: into typed values, and into those of the message before"),
    ("tdxml", "messages as TDXML: typed records into them and out of them, looking up, sizes"),
];

struct Arguments {
    table: &'static str,
    corpus: Option<PathBuf>,
    json: bool,
    rounds: usize,
    work: Option<String>,
    document: Option<String>,
}

impl Arguments {
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut found = Arguments { table: "", corpus: None, json: false, rounds: 25, work: None, document: None };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} wants a value"));
            match argument.as_str() {
                "--corpus" => found.corpus = Some(value()?.into()),
                "--json" => found.json = true,
                "--rounds" => {
                    let value = value()?;
                    found.rounds = value.parse().ok().filter(|&n| n > 0).ok_or(format!("--rounds {value}?"))?;
                }
                "--work" => found.work = Some(value()?),
                "--document" => found.document = Some(value()?),
                name if found.table.is_empty() && !name.starts_with('-') => {
                    found.table = TABLES.iter().map(|table| table.0).find(|&table| table == name).ok_or_else(|| {
                        let all: Vec<_> = TABLES.iter().map(|(name, about)| format!("  {name:7} {about}")).collect();
                        format!("there is no table {name:?}; there are:\n{}", all.join("\n"))
                    })?;
                }
                _ => return Err(format!("what is {argument:?}?\n{USAGE}")),
            }
        }
        if found.table.is_empty() { Err(USAGE.into()) } else { Ok(found) }
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("bench: {error}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(failures) => {
            eprintln!("bench: {failures} failed and were left out");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures a table; gives the number of peers that had to be left out.
fn run(arguments: &Arguments) -> Result<usize, String> {
    let corpus = arguments.corpus.as_deref();
    let documents = match arguments.table {
        "tsf" => documents::xml(corpus),
        "infoset" => documents::infoset(corpus),
        "json" => documents::json(corpus),
        "per" if corpus.is_some() => Ok(Vec::new()),
        "per" => Ok(per_table::documents()),
        "dds" => Ok(dds_messages::documents()),
        "tdxml" => Ok(tdxml_table::documents()),
        _ => pon_table::documents(corpus),
    };
    let words = |error: std::io::Error| match corpus {
        Some(dir) => format!("{}: {error}", dir.display()),
        None => error.to_string(),
    };
    let mut documents = documents.map_err(words)?;
    let mut instances = match arguments.table {
        "per" => xsd_documents::load(corpus).map_err(words)?,
        _ => Vec::new(),
    };
    if let Some(part) = &arguments.document {
        documents.retain(|document| document.name.contains(part.as_str()));
        instances.retain(|instance| instance.name.contains(part.as_str()));
    }
    if documents.is_empty() && instances.is_empty() {
        return Err("no document to measure".into());
    }
    if !arguments.json {
        peers();
    }
    let new = || Report::new(arguments.table, arguments.json, arguments.rounds, arguments.work.clone());
    let (mut report, mut of_schemas) = (new(), new());
    match arguments.table {
        "tsf" => tsf_table::run(&documents, &mut report),
        "json" => json_table::run(&documents, &mut report),
        "infoset" => infoset_table::run(&documents, &mut report),
        "per" => {
            per_table::run(&documents, &mut report);
            xsd_table::run(&instances, &mut of_schemas);
        }
        "dds" => dds_table::run(&documents, &mut report),
        "tdxml" => tdxml_table::run(&documents, &mut report),
        _ => pon_table::run(&documents, &mut report),
    }
    Ok(report.failures + of_schemas.failures)
}

/// Says which peers there are, and which are left out.
fn peers() {
    let mut all: Vec<(&str, Option<String>)> = Vec::new();
    macro_rules! peer {
        ($cfg:ident, $name:literal, $version:path) => {
            #[cfg($cfg)]
            all.push(($name, Some($version().to_string())));
            #[cfg(not($cfg))]
            all.push(($name, None));
        };
    }
    peer!(expat, "libexpat", ffi::Expat::version);
    peer!(libxml2, "libxml2", ffi::Libxml2::version);
    peer!(xerces, "Xerces-C", xerces);
    peer!(pugixml, "pugixml", ffi::Pugixml::version);
    peer!(simdjson, "simdjson", ffi::Simdjson::version);
    peer!(yyjson, "yyjson", ffi::Yyjson::version);
    peer!(gsoap, "gSOAP", ffi::Gsoap::version);
    peer!(rust_peers, "Rust crates", rust_crates);
    let there: Vec<String> =
        all.iter().filter_map(|(name, version)| version.as_ref().map(|version| format!("{name} {version}"))).collect();
    let missing: Vec<&str> = all.iter().filter(|peer| peer.1.is_none()).map(|peer| peer.0).collect();
    println!("peers: {}", there.join(", "));
    if !missing.is_empty() {
        println!("left out, as their libraries are missing (bench/setup.sh brings them): {}", missing.join(", "));
    }
    let ours = if cfg!(target_feature = "avx2") { "for this machine" } else { "for any machine of its kind" };
    println!("peers are built for this machine (-march=native, target-cpu=native), ours {ours}");
}

#[cfg(xerces)]
fn xerces() -> String {
    ffi::Library::Xerces.version().unwrap_or_default()
}

/// The peers in Rust with their versions.
#[cfg(rust_peers)]
fn rust_crates() -> &'static str {
    env!("RUST_PEERS")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn arguments_come_in_any_order() {
        let found = parse("--json tsf --corpus dir --rounds 3").unwrap();
        assert_eq!((found.table, found.json, found.rounds), ("tsf", true, 3));
        assert_eq!(found.corpus.as_deref(), Some(std::path::Path::new("dir")));
    }

    #[test]
    fn another_table_is_refused_with_those_there_are() {
        let error = parse("xml").err().unwrap();
        assert!(
            ["\"xml\"", "tsf", "json", "pon", "infoset", "per", "dds", "tdxml"].iter().all(|name| error.contains(name)),
            "{error}"
        );
        assert!(parse("").is_err() && parse("tsf --rounds 0").is_err() && parse("tsf --what").is_err());
        assert!(parse("tsf --corpus").is_err());
    }
}
