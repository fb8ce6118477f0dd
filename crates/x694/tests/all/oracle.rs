//! Real instances by the mapped modules, as asn1tools and pycrate encode the same values: the same octets.
//!
//! `tests/oracles/instances.py` says what is held. `ASN1TOOLS_PYTHON` is a Python that has both; without it, or
//! without the data beside the repository, there is nothing to hold against.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::instance_support::{SETS, data};
use crate::mapping_support::with_identifiers;
use crate::oracle_support::{keep_used, name_in_plain, plain};
use asn1::{Values, jer, notation};
use tam::Table;
use x694::mapping::{self, Version};
use x694::xer;
use xsd::Options;

fn python() -> Option<PathBuf> {
    let python = env::var_os("ASN1TOOLS_PYTHON").map(PathBuf::from).filter(|python| python.exists());
    if python.is_none() {
        test_support::skipped("ASN1TOOLS_PYTHON names no Python that has asn1tools and pycrate");
    }
    python
}

/// Writes the module of a schema and the instances of it, a line each: document, type, the value in JSON and our
/// messages in hexadecimal.
fn set_out(folder: &Path, number: usize, data: &Path, version: Version) {
    let (location, instances) = SETS[number];
    let schema = crate::instance_support::schema(data, location);
    let types = xer::Types::new(schema, &mapping::Options::default().with_version(version)).unwrap();
    let modules = &types.mapping().schema;
    // Others know identifiers, not the names and texts of the XML.
    let identifiers = asn1::Compiled::new(&with_identifiers(modules)).unwrap();
    let (mut lines, mut roots, mut values) = (String::new(), Vec::new(), Values::new());
    for document in instances {
        let xml = fs::read(data.join(document)).unwrap();
        let value = xer::read(&xml, &types, &Options::default(), &mut values).unwrap();
        let (module, name, _) = types.compiled().types().find(|(.., node)| *node == value.node_id()).unwrap();
        roots.push(name_in_plain(modules, module, name));
        write!(lines, "{document}\t{}", roots.last().unwrap()).unwrap();
        let (mut table, mut json) = (Table::new(), Vec::new());
        let (ber, mut read) = (asn1::Options::ber(), Values::new());
        let message = asn1::write(value, &ber).unwrap();
        let same = asn1::read(&message, &identifiers, value.node_id(), &ber, &mut read).unwrap();
        let tree = jer::write(same, &mut table).unwrap();
        text::json::append(&tree, &text::json::Options::default(), &mut json).unwrap();
        write!(lines, "\t{}", String::from_utf8(json).unwrap().trim_end()).unwrap();
        for rules in [asn1::Options::uper(), asn1::Options::aper(), asn1::Options::ber(), asn1::Options::der()] {
            lines.push('\t');
            asn1::write(value, &rules).unwrap().iter().for_each(|byte| write!(lines, "{byte:02x}").unwrap());
        }
        lines.push('\n');
    }
    let mut module = plain(modules);
    keep_used(&mut module, &roots);
    fs::write(folder.join(format!("{number}.asn1")), notation::print_schema(&module)).unwrap();
    fs::write(folder.join(format!("{number}.tsv")), lines).unwrap();
}

/// Holds the instances of the first sets; how many there are, and in how many messages one of the two wrote the same octets and
/// read the same value.
fn hold(version: Version) -> Option<(usize, usize)> {
    let (data, python) = (data()?, python()?);
    // Those of UBL take a minute each.
    let sets = test_support::rounds(SETS.len());
    let folder = env::temp_dir().join(format!("lengthwise-xsd-oracle-{version:?}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    (0..sets).for_each(|number| set_out(&folder, number, &data, version));
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = crates.join("../../tests/oracles/instances.py");
    let times = crates.join("../asn1/tests/time_support/clause_32.asn1");
    let output = Command::new(python).arg(program).arg(&folder).arg(times).output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    println!("{version:?}, document, library, UPER, APER, BER, DER\n{printed}");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut same = HashSet::new();
    for line in printed.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [document, _, said @ ..] = &columns[..] else { panic!("{line}") };
        assert_eq!(said.len(), 4, "{line}");
        for (rules, said) in said.iter().enumerate() {
            assert!(["same", "-"].contains(said) || said.starts_with("as known: "), "{line}");
            if *said == "same" {
                same.insert((*document, rules));
            }
        }
    }
    let documents: Vec<&str> = SETS.iter().take(sets).flat_map(|(_, instances)| *instances).copied().collect();
    for document in &documents {
        assert!((0..2).all(|rules| same.contains(&(*document, rules))), "{document}: no other PER");
    }
    Some((documents.len(), same.len()))
}

/// By all rules.
#[test]
fn version_1_is_encoded_as_others_encode_it() {
    assert!(hold(Version::V1).is_none_or(|(documents, same)| same == documents * 4));
}

/// With times as types of X.691 clause 32, which has them for PER alone: BER is held of the six documents whose
/// schema has no time, those of UDDI.
#[test]
fn version_2_is_encoded_as_others_encode_it() {
    assert!(hold(Version::V2).is_none_or(|(documents, same)| same == documents * 2 + 6 * 2));
}
