//! Made-up values of made-up modules: written and read they are what they were, by all rules, and by
//! the version of the schema before.

use crate::support::modules;
use crate::support::shown::{known_before, named, shown};
use crate::support::values::{Shape, fill};
use crate::support::{Type, every_way, hex};
use asn1::{Compiled, Options, Values};
use tam::ErrorKind;
use test_support::Random;

/// Values of all types of some made-up modules, each written and read by all rules.
fn hold(modules: usize, shape: Shape, random: &mut Random) {
    for _ in 0..modules {
        let module = modules::module(random);
        let types = compiled(&module.text);
        for (name, node) in named(&types) {
            let mut values = Values::new();
            if !fill(&types, node, shape, random, &mut values) {
                continue;
            }
            let value = values.value(&types, node, b"");
            let expected = shown(value);
            for (way, options) in every_way() {
                let fault =
                    |what: String| -> String { format!("{way} {name}: {what}\n{expected:.2000}\n{}", module.text) };
                let message = match asn1::write(value, &options) {
                    Ok(message) => message,
                    Err(error) => panic!("{}", fault(error.to_string())),
                };
                assert_eq!(asn1::encoded_len(value, &options).unwrap(), message.len());
                let mut again = Values::new();
                match asn1::read(&message, &types, node, &options, &mut again) {
                    Ok(read) if shown(read) == expected => {
                        let rewritten = asn1::write(read, &options);
                        assert!(
                            rewritten.as_ref() == Ok(&message),
                            "{}",
                            fault(format!("{rewritten:?}, was {message:?}"))
                        );
                    }
                    Ok(read) => panic!("{}", fault(format!("read as {:.2000}", shown(read)))),
                    Err(error) => panic!("{}", fault(format!("{error} in {message:02X?}"))),
                }
            }
        }
    }
}

fn compiled(text: &str) -> Compiled {
    Compiled::from_notation(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn what_is_written_is_read_again_by_all_rules() {
    hold(150, Shape::SMALL, &mut Random::new(1));
}

/// Values of a later version, read by the one before and written by it again.
fn hold_versions(modules: usize, random: &mut Random) {
    for _ in 0..modules {
        let module = modules::module(random);
        let (later, earlier) = (compiled(&module.text), compiled(&module.earlier));
        for ((name, node), (_, before)) in named(&later).into_iter().zip(named(&earlier)) {
            let mut values = Values::new();
            if !fill(&later, node, Shape::SMALL, random, &mut values) {
                continue;
            }
            let value = values.value(&later, node, b"");
            let expected = known_before(value);
            for (way, options) in every_way() {
                let Ok(message) = asn1::write(value, &options) else { continue };
                let (mut known, mut again) = (Values::new(), Values::new());
                let read = asn1::read(&message, &earlier, before, &options, &mut known)
                    .unwrap_or_else(|error| panic!("{way} {name}: {error} in {message:02X?}\n{}", module.text));
                assert_eq!(known_before(read), expected, "{way} {name}: {message:02X?}\n{}", module.text);
                let rewritten = asn1::write(read, &options).unwrap();
                let read = asn1::read(&rewritten, &later, node, &options, &mut again)
                    .unwrap_or_else(|error| panic!("{way} {name}: {error} in {rewritten:02X?}\n{}", module.text));
                assert_eq!(known_before(read), expected, "{way} {name}: {rewritten:02X?}\n{}", module.text);
            }
        }
    }
}

#[test]
fn earlier_versions_read_what_they_know_and_keep_what_was_chosen() {
    hold_versions(120, &mut Random::new(4));
}

#[test]
fn strings_and_arrays_in_fragments_are_read_again_by_all_rules() {
    hold(6, Shape { long: Some(20), size: 3, ..Shape::SMALL }, &mut Random::new(2));
}

#[test]
#[ignore = "minutes; run with --release"]
fn many_values_are_read_again_by_all_rules() {
    let mut random = Random::new(3);
    for _ in 0..100 {
        hold(200, Shape::SMALL, &mut random);
        hold(10, Shape { long: Some(20), size: 3, ..Shape::SMALL }, &mut random);
        hold_versions(100, &mut random);
    }
}

/// BER has a tag or a number, PER an index: what is known only by the one cannot be written by the other.
#[test]
fn what_no_version_at_hand_knows_is_written_by_its_own_rules_alone() {
    for (assignments, message, unknown) in [
        ("T ::= CHOICE { a NULL, ... }", "8501FF", "an alternative"),
        ("T ::= ENUMERATED { a, ... }", "0A0105", "an enumeration"),
        ("T ::= SEQUENCE { c CHOICE { a NULL, ... } OPTIONAL }", "3005A0038501FF", "an alternative"),
    ] {
        let ty = Type::new(assignments);
        let message = hex(message);
        assert_eq!(ty.rewritten(&message, &Options::ber()).unwrap(), message, "{assignments}");
        let mut values = Values::new();
        let value = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
        for options in [Options::uper(), Options::aper().with_canonical(true)] {
            let mut out = vec![7];
            let error = asn1::append(value, &options, &mut out).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{assignments}");
            assert_eq!(error.found().to_string(), format!("{unknown} of a later version, read by other rules"));
            assert_eq!(out, [7]);
        }
    }
    // And the other way round.
    for (assignments, message) in [("T ::= CHOICE { a NULL, ... }", "8001 00"), ("T ::= ENUMERATED { a, ... }", "80")] {
        let ty = Type::new(assignments);
        let message = hex(message);
        assert_eq!(ty.rewritten(&message, &Options::uper()).unwrap(), message, "{assignments}");
        let mut values = Values::new();
        let value = asn1::read(&message, &ty.types, ty.node, &Options::uper(), &mut values).unwrap();
        assert_eq!(asn1::write(value, &Options::der()).unwrap_err().kind(), ErrorKind::Unsupported, "{assignments}");
    }
}
