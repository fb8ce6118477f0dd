//! Literal messages of real services: read by their differences as whole.
//!
//! `LENGTHWISE_SERVICES` is a folder of descriptions, with the documents that they import from elsewhere anywhere in it.
//! Each of their messages is made up several times. The instances of ISO 20022 are real.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)] // How a test fails, and what it counts.

extern crate lengthwise_soap as soap;

mod instances;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use asn1::Values;
use instances::Instances;
use soap::Service;
use test_support::Random;
use x694::xer::{self, Templates};
use xsd::{Options, Source};

/// Messages made of each kind.
const EACH: usize = 6;

/// All documents of a folder. One that is named by a location elsewhere is found by the end of its path.
struct Folder {
    files: Vec<PathBuf>,
    made: HashMap<String, String>,
}

impl Folder {
    fn of(folder: &Path) -> Folder {
        let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        Folder { files, made: HashMap::new() }
    }
}

impl Source for Folder {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        if self.made.contains_key(location) || base.is_none() {
            return location.to_owned();
        }
        let beside = Path::new(base.unwrap()).parent().unwrap().join(location);
        if let Ok(path) = beside.canonicalize() {
            return path.to_string_lossy().into_owned();
        }
        let name = location.rsplit('/').next().unwrap();
        let is_it = |path: &&PathBuf| path.file_name().is_some_and(|file| file == name);
        let longest = |path: &&PathBuf| {
            let path = path.to_string_lossy();
            path.bytes().rev().zip(location.bytes().rev()).take_while(|(a, b)| a == b).count()
        };
        let found = self.files.iter().filter(is_it).max_by_key(longest);
        found.map_or_else(|| location.to_owned(), |path| path.canonicalize().unwrap().to_string_lossy().into_owned())
    }

    fn load(&self, name: &str, _: u64) -> io::Result<Vec<u8>> {
        match self.made.get(name) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => fs::read(name),
        }
    }
}

#[derive(Debug, Default)]
struct Count {
    services: usize,
    without_messages: usize,
    kinds: usize,
    messages: usize,
    skipped: u64,
    bytes: u64,
}

#[test]
fn messages_of_published_services_are_read_by_their_differences() {
    let Some(folder) = env::var_os("LENGTHWISE_SERVICES") else {
        test_support::skipped("LENGTHWISE_SERVICES names no folder of descriptions");
        return;
    };
    let (mut count, mut failed) = (Count::default(), Vec::new());
    let folder = Folder::of(Path::new(&folder));
    let descriptions = folder.files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "wsdl"));
    for file in descriptions.clone() {
        let made = Folder { files: folder.files.clone(), made: HashMap::new() };
        match service(file, made, &mut count) {
            Ok(()) => count.services += 1,
            // It is imported by others, and has no binding.
            Err(error) if error.found().to_string() == "no operation" => count.without_messages += 1,
            Err(error) => failed.push(format!("{}: {error}", file.display())),
        }
    }
    eprintln!("{count:?}");
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    assert!(count.messages > 0);
}

/// An element of ISO 20022 as the message of a service.
const ISO_20022: &str = r#"<definitions targetNamespace="urn:bank" xmlns:t="urn:bank" xmlns:d="NAMESPACE"
    xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <types><xs:schema><xs:import namespace="NAMESPACE" schemaLocation="SCHEMA"/></xs:schema></types>
  <message name="Document"><part name="document" element="d:Document"/></message>
  <portType name="Port"><operation name="send"><input message="t:Document"/></operation></portType>
  <binding name="Soap" type="t:Port"><soap:binding style="document"/>
    <operation name="send"><input><soap:body use="literal"/></input></operation></binding>
</definitions>"#;

#[test]
fn documents_of_iso_20022_are_messages_of_a_service() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/iso20022");
    if !folder.is_dir() {
        test_support::skipped("there is no ISO 20022 in ../shared/data");
        return;
    }
    let pairs = [
        ("pain.001.001.08.xsd", "pain001_001_08.xml"),
        ("pain.001.001.03.ch.02.xsd", "pain001_ch.xml"),
        ("camt.052.001.02.xsd", "camt052_001_02.xml"),
        ("camt.053.001.02.xsd", "camt053_001_02.xml"),
        ("camt.054.001.04.xsd", "camt054_1.xml"),
        ("camt.054.001.04.xsd", "camt054_4.xml"),
    ];
    let options = Options::default();
    for (schema, document) in pairs {
        let text = fs::read_to_string(folder.join(document)).unwrap();
        let xsd = fs::read_to_string(folder.join(schema)).unwrap();
        let namespace = xsd.split("targetNamespace=\"").nth(1).unwrap().split('"').next().unwrap();
        let location = folder.join(schema).canonicalize().unwrap().to_string_lossy().into_owned();
        let wsdl = ISO_20022.replace("NAMESPACE", namespace).replace("SCHEMA", &location);
        let made = HashMap::from([("bank.wsdl".to_owned(), wsdl)]);
        let service = Service::read(Folder { files: Vec::new(), made }, "bank.wsdl", &options).unwrap();
        let types = service.types();
        // The document without its declaration, in an envelope; then another with another number in it.
        let text = text.trim_start_matches('\u{FEFF}');
        let root = text.find("?>").map_or(text, |end| &text[end + 2..]);
        let message = format!(
            "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>{root}</e:Body></e:Envelope>"
        );
        let place = message.find("</MsgId>").unwrap();
        let other = format!("{}7{}", &message[..place], &message[place..]);
        let templates = Templates::new(usize::MAX);
        let mut values = Values::new();
        for message in [&message, &other, &message] {
            let whole = xer::read(message.as_bytes(), types, &options, &mut values).unwrap();
            let whole = asn1::write(whole, &asn1::Options::uper()).unwrap();
            let mut message = message.clone().into_bytes();
            let value = templates.read(&mut message, types, &options).unwrap();
            assert_eq!(asn1::write(value.value(), &asn1::Options::uper()).unwrap(), whole, "{document}");
        }
        let stats = templates.stats();
        assert_eq!((stats.messages, stats.errors), (3, 0));
        // Two of three may be taken from those before them. A small message has few places to go on from, so that it may not be worth it.
        let least = if message.len() > 8 << 10 { 2 * stats.bytes / 5 } else { 0 };
        assert!(stats.bytes_skipped > least, "{document}: {stats:?}");
    }
}

fn service(file: &Path, source: Folder, count: &mut Count) -> Result<(), tam::Error> {
    let options = Options::default();
    let service = Service::read(source, &file.canonicalize().unwrap().to_string_lossy(), &options)?;
    let types = service.types();
    let mut random = Random::new(1);
    for root in types.roots().filter(|root| root.name(types) == "Envelope").collect::<Vec<_>>() {
        for body in instances::bodies(types.schema(), root.element()) {
            count.kinds += 1;
            let templates = Templates::new(usize::MAX);
            let instances = Instances::new(types.schema(), root.element(), body);
            for _ in 0..EACH {
                let message = instances.make(&mut random);
                let mut values = Values::new();
                let whole = xer::read_by_events(&message, types, &options, &mut values);
                let mut again = message.clone();
                let by_differences = templates.read(&mut again, types, &options);
                let text = || String::from_utf8_lossy(&message).into_owned();
                match (whole, by_differences) {
                    (Ok(whole), Ok(by_differences)) => {
                        let rules = asn1::Options::uper();
                        let whole = asn1::write(whole, &rules).unwrap_or_else(|error| panic!("{error}: {}", text()));
                        assert_eq!(whole, asn1::write(by_differences.value(), &rules).unwrap(), "{}", text());
                    }
                    (Err(error), _) => return Err(error.at_line(0, 0).in_path(&*text())),
                    (_, Err(error)) => panic!("{error}: {}", text()),
                }
                count.messages += 1;
            }
            (count.skipped, count.bytes) =
                (count.skipped + templates.stats().bytes_skipped, count.bytes + templates.stats().bytes);
        }
    }
    Ok(())
}
