//! Instances by the printed modules alone: the values and the XML are those by the XML Schema.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_x694 as x694;

mod generated;
mod instance_support;

use std::fs;

use asn1::{Compiled, Values, notation};
use generated::Generated;
use instance_support::{SETS, data, schema as schema_of};
use test_support::Random;
use x694::mapping::{self, Version};
use x694::xer;
use xsd::{Memory, Options, Schema};

fn by_modules(types: &xer::Types) -> xer::Types {
    let text = notation::print_schema(&types.mapping().schema);
    let (modules, compiled) = Compiled::from_sources(&[("", &text[..])], &tam::Limits::default()).unwrap();
    xer::Types::from_modules(modules, compiled.into()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Holds an instance by the modules against the same by the schema: the message, and the XML of it.
fn holds(by_schema: &xer::Types, by_modules: &xer::Types, xml: &[u8], name: &str) {
    let (options, rules) = (Options::default(), asn1::Options::ber());
    let carried = |types: &xer::Types| {
        let mut values = Values::new();
        let value = xer::read(xml, types, &options, &mut values)?;
        Ok::<_, tam::Error>((asn1::write(value, &rules)?, xer::write(value, types)?))
    };
    let Ok((message, written)) = carried(by_schema) else { return };
    let (other_message, other) = carried(by_modules).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(String::from_utf8_lossy(&other), String::from_utf8_lossy(&written), "{name}");
    assert!(message == other_message, "{name}");
}

#[test]
fn real_instances_are_the_same() {
    let Some(data) = data() else { return };
    for (path, instances) in SETS.iter().take(5) {
        let schema = schema_of(&data, path);
        // Version 1 is for the smaller ones, and of UBL two documents are enough here.
        let versions = if path.starts_with("ubl21") { &[Version::V2][..] } else { &[Version::V1, Version::V2] };
        for version in versions {
            let types = xer::Types::new(schema.clone(), &mapping::Options::default().with_version(*version)).unwrap();
            let modules = by_modules(&types);
            for name in *instances {
                holds(&types, &modules, &fs::read(data.join(name)).unwrap(), name);
            }
        }
    }
}

#[test]
fn generated_instances_are_the_same() {
    let mut random = Random::new(2615);
    for number in 0..test_support::rounds(300) {
        let generated = Generated::new(&mut random);
        let text = generated.schema();
        let source = Memory::new().with("t.xsd", text.clone());
        let Ok(schema) = Schema::read_from(source, "t.xsd", &Options::default()) else { continue };
        let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
        let modules = by_modules(&types);
        for _ in 0..4 {
            let xml = generated.instance(&mut random);
            holds(&types, &modules, xml.as_bytes(), &format!("{number}\n{text}\n{xml}"));
        }
    }
}
