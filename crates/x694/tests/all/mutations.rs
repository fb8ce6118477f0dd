//! Real instances, and what a change makes of them, beside libxml2's verdict (`xmllint --schema`).

use std::fs;
use std::process::{Command, Stdio};

use crate::instance_support::{SETS, carried, data, schema as schema_of};
use crate::mutation_support::mutated;
use test_support::Random;
use text::xml::Reader;
use x694::mapping::{self, Version};
use x694::xer;
use xsd::Options;

#[test]
fn instances_of_real_schemas_are_valid() {
    let Some(data) = data() else { return };
    let options = Options::default();
    for (schema, instances) in SETS {
        let schema = schema_of(&data, schema);
        for instance in *instances {
            let text = fs::read(data.join(instance)).unwrap();
            let checked = schema.validate(&text, &options);
            assert!(checked.is_ok(), "{instance}: {}", checked.unwrap_err());
        }
    }
}

#[test]
fn instances_with_what_came_later_are_refused() {
    let Some(data) = data() else { return };
    let options = Options::default();
    let schema = schema_of(&data, "uddi/xsd/uddi_v2.xsd");
    for (name, words) in [("joe_businessEntity.xml", "'xml:lang'"), ("sam_businessService.xml", "'useType'")] {
        let text = fs::read(data.join("uddi/invalid").join(name)).unwrap();
        let error = schema.validate(&text, &options).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn every_main_document_of_ubl_is_a_schema() {
    let Some(data) = data() else { return };
    for entry in fs::read_dir(data.join("ubl21/xsd/maindoc")).unwrap() {
        let path = entry.unwrap().path();
        let schema = schema_of(&data, &path);
        assert!(schema.documents.len() >= 10 && schema.complex_types.len() > 1000, "{}", path.display());
    }
}

fn has_xmllint() -> bool {
    let status = Command::new("xmllint").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = status.is_ok_and(|status| status.success());
    if !there {
        test_support::skipped("there is no xmllint");
    }
    there
}

#[test]
fn changed_instances_are_refused_exactly_where_libxml2_refuses_them() {
    let Some(data) = data().filter(|_| has_xmllint()) else { return };
    let options = Options::default();
    let mut random = Random::new(2004);
    let (mut valid, mut invalid) = (0, 0);
    for (n, (schema_path, instances)) in SETS.iter().enumerate() {
        let schema = schema_of(&data, schema_path);
        let version = if n % 2 == 0 { Version::V2 } else { Version::V1 };
        let mapping = mapping::Options::default().with_version(version);
        let types = xer::Types::new(schema.clone(), &mapping).unwrap();
        let folder = std::env::temp_dir().join(format!("lengthwise-xsd-{}-{n}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut made = Vec::new();
        for instance in *instances {
            let text = fs::read_to_string(data.join(instance)).unwrap().trim_start_matches('\u{FEFF}').to_owned();
            if text.len() > 60_000 {
                continue;
            }
            for _ in 0..test_support::rounds(200 / instances.len()) {
                let mut changed = mutated(&text, &mut random);
                if random.one_in(4)
                    && Reader::from_text(&changed, &text::xml::Options::default()).is_ok_and(is_well_formed)
                {
                    changed = mutated(&changed, &mut random);
                }
                let path = folder.join(format!("{}.xml", made.len()));
                fs::write(&path, &changed).unwrap();
                made.push((path, changed));
            }
        }
        let mut command = Command::new("xmllint");
        command.arg("--noout").arg("--nonet").arg("--schema").arg(data.join(schema_path));
        let output = command.args(made.iter().map(|(path, _)| path)).output().unwrap();
        let verdicts = String::from_utf8_lossy(&output.stderr).into_owned();
        let accepted: std::collections::HashSet<&str> =
            verdicts.lines().filter_map(|line| line.strip_suffix(" validates")).collect();
        for (path, changed) in &made {
            let path = path.to_str().unwrap();
            let mut errors = verdicts.lines().filter(|line| line.starts_with(&format!("{path}:"))).peekable();
            let ours = schema.validate(changed.as_bytes(), &options);
            let is_fault = ours.is_ok() && errors.peek().is_some() && errors.all(is_of_white_space);
            let theirs = accepted.contains(path) || is_fault;
            if theirs {
                valid += 1
            } else {
                invalid += 1
            }
            assert_eq!(ours.is_ok(), theirs, "{schema_path}: {ours:?}\n{changed}");
            // What is valid goes through PER, and what is not never gets there.
            match carried(&types, changed.as_bytes()) {
                Ok(_) => assert!(theirs, "{schema_path}: read {ours:?}\n{changed}"),
                Err(error) => assert_eq!(Some(&error), ours.as_ref().err(), "{schema_path}\n{changed}"),
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    println!("{valid} valid, {invalid} refused");
    assert!(valid > test_support::rounds(100) && invalid > test_support::rounds(500), "{valid} {invalid}");
}

/// Whether libxml2 refuses a date or a time only for white space around it, which collapses (XML Schema Part 2, section 4.3.6).
/// Some versions of it do not know.
fn is_of_white_space(error: &str) -> bool {
    let Some((before, kind)) = error.split_once("' is not a valid value of the atomic type 'xs:") else { return false };
    let value = before.rsplit_once(": '").map_or("", |(_, value)| value);
    (kind.starts_with("date") || kind.starts_with("time")) && value.trim() != value
}

fn is_well_formed(mut reader: Reader<'_>) -> bool {
    loop {
        match reader.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}
