//! Real instances through messages and back.

use std::fs;

use crate::instance_support::{SETS, assert_alike, carried_by, data, schema as schema_of};
use test_support::Random;
use x694::mapping::{self, Version};
use x694::xer;
use xsd::Options;

#[test]
fn every_instance_comes_back() {
    let Some(data) = data() else { return };
    let rules = [asn1::Options::uper(), asn1::Options::aper(), asn1::Options::ber(), asn1::Options::der()];
    for (path, instances) in SETS {
        let schema = schema_of(&data, path);
        for version in [Version::V1, Version::V2] {
            let mapping = mapping::Options::default().with_version(version);
            let types = xer::Types::new(schema.clone(), &mapping).unwrap();
            for name in instances.iter().step_by(test_support::stride(2)) {
                let xml = fs::read(data.join(name)).unwrap();
                let mut sizes = Vec::new();
                for rules in &rules {
                    let (message, back) = carried_by(&types, &xml, rules).unwrap();
                    assert_alike(&schema, &xml, &back, name);
                    sizes.push(message.len());
                }
                println!("{name} {version:?}: {} bytes of XML, {sizes:?}", xml.len());
            }
        }
    }
}

/// Messages with changes, as XML: no panic, and what is written is an instance again, or none by what no
/// constraint of ASN.1 says.
#[test]
fn spoiled_messages_are_no_danger() {
    let Some(data) = data() else { return };
    let options = Options::default();
    let (mut written, mut refused, mut random) = (0, 0, Random::new(694));
    for (path, instances) in SETS.iter().take(3) {
        let schema = schema_of(&data, path);
        let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
        let (mut values, mut again) = (asn1::Values::new(), asn1::Values::new());
        for name in *instances {
            let xml = fs::read(data.join(name)).unwrap();
            if xml.len() > 60_000 {
                continue;
            }
            let value = xer::read(&xml, &types, &options, &mut values).unwrap();
            let (root, message) = (value.node_id(), asn1::write(value, &asn1::Options::uper()).unwrap());
            for _ in 0..test_support::rounds(150) {
                let mut message = message.clone();
                for _ in 0..=random.below(3) {
                    let at = random.below(message.len());
                    message[at] ^= 1 << random.below(8);
                }
                let read = asn1::read(&message, types.compiled(), root, &asn1::Options::uper(), &mut again);
                let Ok(value) = read else { continue };
                let mut out = Vec::new();
                match xer::append(value, &types, &mut out) {
                    Ok(()) => {
                        written += 1;
                        let mut third = asn1::Values::new();
                        if let Err(error) = xer::read(&out, &types, &options, &mut third) {
                            assert_eq!(
                                error.kind(),
                                tam::ErrorKind::Schema,
                                "{error}\n{}",
                                String::from_utf8_lossy(&out)
                            );
                        }
                    }
                    Err(_) => {
                        assert!(out.is_empty());
                        refused += 1;
                    }
                }
            }
        }
    }
    println!("{written} written, {refused} refused");
    assert!(written > test_support::rounds(100));
}
