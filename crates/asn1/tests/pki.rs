//! Certificates, lists of revoked ones and cryptographic messages that OpenSSL made come back octet for octet.
//!
//! `make oracle-pki` makes them (`ORACLE_PKI`); the modules of RFC 5280 and 5652 are two folders of `LENGTHWISE_ASN1_SETS`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_asn1 as asn1;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use asn1::{Compiled, Limits, Options, Values};

fn compile(folder: &Path) -> Compiled {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "asn"));
    files.sort();
    let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let sources: Vec<(&str, &str)> = texts.iter().map(|text| ("module", &text[..])).collect();
    Compiled::from_sources(&sources, &Limits::default()).unwrap().1
}

/// The contents of a message by the last arc of their type (RFC 5652); plain data has no structure.
const CONTENTS: [(u8, &str); 5] =
    [(1, "OCTET STRING"), (2, "SignedData"), (3, "EnvelopedData"), (5, "DigestedData"), (6, "EncryptedData")];

/// Reads a message and writes the same octets. Returns the content of a `ContentInfo`, which the modules of RFC 5652 leave
/// open, and the last arc of its type.
fn comes_back(message: &[u8], types: &Compiled, root: &str, path: &Path) -> Option<(u8, Vec<u8>)> {
    if root == "OCTET STRING" {
        return None;
    }
    let mut values = Values::new();
    let node = types.find(root).unwrap();
    let value = asn1::read(message, types, node, &Options::der(), &mut values)
        .unwrap_or_else(|error| panic!("{}, {root}: {error}", path.display()));
    assert_eq!(asn1::write(value, &Options::der()).unwrap(), message, "{}, {root}", path.display());
    if root != "ContentInfo" {
        return None;
    }
    let kind = value.get("contentType").unwrap().as_oid().unwrap();
    let last = kind.strip_prefix("1.2.840.113549.1.7.").and_then(|last| last.parse().ok());
    Some((last.unwrap(), value.get("content").unwrap().unknown().unwrap().to_vec()))
}

#[test]
fn what_openssl_made_comes_back_octet_for_octet() {
    let (Some(made), Some(sets)) = (std::env::var_os("ORACLE_PKI"), std::env::var_os("LENGTHWISE_ASN1_SETS")) else {
        test_support::skipped("no certificates or no modules: see make oracle-pki");
        return;
    };
    let roots = [
        ("certificate", "IETF_PKI_RFC5280", "Certificate"),
        ("crl", "IETF_PKI_RFC5280", "CertificateList"),
        ("cms", "IETF_PKI_RFC5652", "ContentInfo"),
    ];
    let mut types: BTreeMap<&str, Compiled> = BTreeMap::new();
    for (_, set, _) in roots {
        types.entry(set).or_insert_with(|| compile(&Path::new(&sets).join(set)));
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in fs::read_dir(made).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let Some((kind, set, root)) = roots.iter().find(|(kind, ..)| *kind == ending) else { continue };
        let types = types.get(set).unwrap();
        let message = fs::read(&path).unwrap();
        if let Some((kind, content)) = comes_back(&message, types, root, &path) {
            let (_, root) = CONTENTS.iter().find(|(last, _)| *last == kind).expect("a type of content");
            comes_back(&content, types, root, &path);
        }
        *counts.entry(kind).or_default() += 1;
    }
    println!("{counts:?}");
}
