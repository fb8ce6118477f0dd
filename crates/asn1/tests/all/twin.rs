//! The reader of PER against its plain twin: messages of made-up modules, whole, spoiled and made up,
//! are read as the same values or refused by both.

use crate::support::modules;
use crate::support::shown::{exact, named};
use crate::support::spoiled::spoiled;
use crate::support::twin::{Refusal, Twin};
use crate::support::values::{Shape, fill};
use asn1::schema::Schema;
use asn1::{Compiled, Limits, NodeId, Options, Values};
use tam::ErrorKind;
use test_support::{Random, rounds};

/// How messages were taken.
#[derive(Debug, Default)]
struct Taken {
    read: usize,
    refused: usize,
    /// One of the two stopped short of them.
    limits: usize,
}

/// A module for both readers.
struct Pair<'s> {
    text: &'s str,
    types: Compiled,
    twins: [(Options, Twin<'s>); 2],
}

impl<'s> Pair<'s> {
    fn new(text: &'s str, schema: &'s Schema) -> Pair<'s> {
        let types = Compiled::new(schema).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let twins = [(Options::uper(), Twin::new(schema, false)), (Options::aper(), Twin::new(schema, true))];
        Pair { text, types, twins }
    }

    /// Reads a message by both, in one variant.
    fn hold(&self, variant: usize, message: &[u8], name: &str, node: NodeId, taken: &mut Taken) {
        let (options, twin) = &self.twins[variant];
        let mut values = Values::new();
        let ours = asn1::read_prefix(message, &self.types, node, options, &mut values);
        let ours = ours.map(|(value, used)| (exact(value), used));
        match (ours, twin.read(message, name)) {
            (Ok(ours), Ok(plain)) => {
                assert!(
                    ours == plain,
                    "{name}: {ours:.2000?}\nbut {plain:.2000?}\nof {message:02X?} {options:?}\n{}",
                    self.text
                );
                taken.read += 1;
            }
            (_, Err(Refusal::Limit)) => taken.limits += 1,
            (Err(error), _) if error.kind() == ErrorKind::Limit => taken.limits += 1,
            (Err(_), Err(_)) => taken.refused += 1,
            (ours, plain) => {
                let ours = ours.map_err(|error| error.to_string());
                panic!("{name}: {ours:.2000?}\nbut {plain:.2000?}\nof {message:02X?} {options:?}\n{}", self.text);
            }
        }
    }
}

/// Messages of some made-up modules, `spoiled_times` of each message spoiled.
fn hold(modules: usize, spoiled_times: usize, shape: Shape, random: &mut Random) -> Taken {
    let mut taken = Taken::default();
    for _ in 0..modules {
        let module = modules::timeless_module(random);
        let schema = asn1::notation::parse_one(&module.text, &Limits::DEFAULT).unwrap();
        let pair = Pair::new(&module.text, &schema);
        for (name, node) in named(&pair.types) {
            let mut values = Values::new();
            if !fill(&pair.types, node, shape, random, &mut values) {
                continue;
            }
            let value = values.value(&pair.types, node, b"");
            for variant in 0..2 {
                let message = asn1::write(value, &pair.twins[variant].0).unwrap();
                let before = taken.read + taken.limits;
                pair.hold(variant, &message, &name, node, &mut taken);
                assert!(taken.read + taken.limits > before, "{name}: {message:02X?}\n{}", module.text);
                for _ in 0..spoiled_times {
                    pair.hold(variant, &spoiled(&message, random), &name, node, &mut taken);
                }
                let made_up: Vec<u8> = (0..random.below(40)).map(|_| random.next() as u8).collect();
                pair.hold(variant, &made_up, &name, node, &mut taken);
            }
        }
    }
    taken
}

#[test]
fn messages_are_read_as_the_twin_reads_them() {
    let shape = Shape { later: true, ..Shape::SMALL };
    let taken = hold(rounds(40), 8, shape, &mut Random::new(10));
    println!("{taken:?}");
    assert!(taken.read > rounds(1000) && taken.refused > rounds(1000) && taken.limits < 500, "{taken:?}");
}

#[test]
fn fragments_are_read_as_the_twin_reads_them() {
    let taken = hold(2, 1, Shape { long: Some(15), size: 3, later: true, values: 200 }, &mut Random::new(11));
    println!("{taken:?}");
}

#[test]
#[ignore = "minutes; run with --release"]
fn ten_million_spoiled_messages_are_read_as_the_twin_reads_them() {
    let mut random = Random::new(12);
    let (mut all, mut rounds) = (0, 0);
    while all < 10_000_000 {
        let taken = hold(100, 60, Shape { later: true, ..Shape::SMALL }, &mut random);
        all += taken.read + taken.refused + taken.limits;
        rounds += 1;
        if rounds % 10 == 0 {
            hold(5, 10, Shape { long: Some(15), size: 3, later: true, values: 200 }, &mut random);
            println!("{all} messages, of the last {taken:?}");
        }
    }
}
