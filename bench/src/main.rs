//! Lengthwise measured beside its peers. README.md says how to run it and what is measured.

mod alloc;
mod counts;
mod documents;
mod ffi;
mod generate;
mod json_peers;
mod json_table;
mod paper;
mod report;
mod timing;
mod tsf_table;
mod xml_peers;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use report::Report;

const USAGE: &str = "\
usage: cargo run --release --manifest-path bench/Cargo.toml -- TABLE [options]

TABLE            tsf or json
--corpus DIR     the documents of DIR (.xml and the like for tsf, .json for json) instead of generated ones
--json           a line of JSON for each measurement instead of tables
--rounds N       interleaved rounds to take medians of (default 25)
--work NAME      only this piece of work
--document TEXT  only documents whose name holds TEXT
--portable       measure this build, though it does not use all this machine has";

/// The tables there are, and what they are of.
const TABLES: [(&str, &str); 2] =
    [("tsf", "XML documents as TSF: reading, writing, converting, sizes"), ("json", "JSON documents as TSF: reading")];

struct Arguments {
    table: &'static str,
    corpus: Option<PathBuf>,
    json: bool,
    rounds: usize,
    work: Option<String>,
    document: Option<String>,
    portable: bool,
}

impl Arguments {
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut found =
            Arguments { table: "", corpus: None, json: false, rounds: 25, work: None, document: None, portable: false };
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
                "--portable" => found.portable = true,
                name if found.table.is_empty() && !name.starts_with('-') => {
                    found.table = TABLES.iter().map(|table| table.0).find(|&table| table == name).ok_or_else(|| {
                        let all: Vec<_> = TABLES.iter().map(|(name, about)| format!("  {name:5} {about}")).collect();
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
    if !arguments.portable
        && let Some(status) = native()
    {
        return status;
    }
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

/// Builds and runs this program for the machine it is on, where it is not built so.
///
/// Some Rust peers (sonic-rs) choose their vector code when they are compiled. Flags for that
/// stand in `.cargo/config.toml`, which cargo reads only when it is run in this directory.
fn native() -> Option<ExitCode> {
    const GUARD: &str = "LENGTHWISE_BENCH_NATIVE";
    #[cfg(target_arch = "x86_64")]
    let built = cfg!(target_feature = "avx2") || !std::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    let built = true;
    if built || std::env::var_os(GUARD).is_some() {
        return None;
    }
    let target = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.parent()?.join("native")));
    let (Some(cargo), Some(target)) = (std::env::var_os("CARGO"), target) else {
        eprintln!("bench: not built for this machine: some peers are slower than they can be (see README.md)");
        return None;
    };
    eprintln!("bench: building again with target-cpu=native, so that all peers are at their best");
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .arg("--")
        .args(std::env::args_os().skip(1))
        .env("RUSTFLAGS", "-C target-cpu=native")
        .env(GUARD, "1")
        .status();
    match status {
        Ok(status) => Some(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))),
        Err(error) => {
            eprintln!("bench: cargo cannot be run ({error}): some peers are slower than they can be");
            None
        }
    }
}

/// Measures a table; gives the number of peers that had to be left out.
fn run(arguments: &Arguments) -> Result<usize, String> {
    let corpus = arguments.corpus.as_deref();
    let documents = if arguments.table == "tsf" { documents::xml(corpus) } else { documents::json(corpus) };
    let mut documents = documents.map_err(|error| match corpus {
        Some(dir) => format!("{}: {error}", dir.display()),
        None => error.to_string(),
    })?;
    if let Some(part) = &arguments.document {
        documents.retain(|document| document.name.contains(part.as_str()));
    }
    if documents.is_empty() {
        return Err("no document to measure".into());
    }
    if !arguments.json {
        peers();
    }
    let mut report = Report::new(arguments.table, arguments.json, arguments.rounds, arguments.work.clone());
    match arguments.table {
        "tsf" => tsf_table::run(&documents, &mut report),
        _ => json_table::run(&documents, &mut report),
    }
    Ok(report.failures)
}

/// Says which peers there are, and which are left out.
fn peers() {
    let mut all: Vec<(&str, Option<String>)> = Vec::new();
    macro_rules! peer {
        ($cfg:ident, $name:literal, $version:path) => {
            #[cfg($cfg)]
            all.push(($name, Some($version())));
            #[cfg(not($cfg))]
            all.push(($name, None));
        };
    }
    peer!(expat, "libexpat", ffi::Expat::version);
    peer!(pugixml, "pugixml", ffi::Pugixml::version);
    peer!(simdjson, "simdjson", ffi::Simdjson::version);
    peer!(yyjson, "yyjson", ffi::Yyjson::version);
    let there: Vec<String> =
        all.iter().filter_map(|(name, version)| version.as_ref().map(|version| format!("{name} {version}"))).collect();
    let missing: Vec<&str> = all.iter().filter(|peer| peer.1.is_none()).map(|peer| peer.0).collect();
    println!("peers: {}, {}", there.join(", "), env!("RUST_PEERS"));
    if !missing.is_empty() {
        println!("left out, as their libraries are missing (bench/setup.sh brings them): {}", missing.join(", "));
    }
    let native = if cfg!(target_feature = "avx2") { "target-cpu=native" } else { "portable" };
    println!("Rust built {native}; C and C++ peers -O3 -march=native");
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
        assert_eq!(found.corpus.as_deref(), Some(Path::new("dir")));
    }

    #[test]
    fn another_table_is_refused_with_those_there_are() {
        let error = parse("pon").err().unwrap();
        assert!(error.contains("\"pon\"") && error.contains("tsf") && error.contains("json"), "{error}");
        assert!(parse("").is_err() && parse("tsf --rounds 0").is_err() && parse("tsf --what").is_err());
        assert!(parse("tsf --corpus").is_err());
    }
}
