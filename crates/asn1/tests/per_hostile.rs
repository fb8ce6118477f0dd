//! Messages in PER that mean harm: cut off, spoiled, too deep, claiming what is not there, saying much
//! with little.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_asn1 as asn1;

mod support;

use std::thread;

use asn1::event::{At, Integer, Part, Real, Sink, Stretch};
use asn1::{Compiled, NodeId, Options, Values};
use support::shown::{named, shown};
use support::spoiled::spoiled;
use support::values::{Shape, fill};
use support::{Type, every_way, hex, modules};
use tam::{Error, ErrorKind, Limits};
use test_support::memory::{Counting, cost};
use test_support::{Random, rounds};

#[global_allocator]
static COUNTING: Counting = Counting;

const UPER: Options = Options::uper();
const APER: Options = Options::aper();

/// The types of a made-up module with their names, and its text.
fn made_up(random: &mut Random) -> (String, Compiled, Vec<(String, NodeId)>) {
    let module = modules::module(random);
    let types = Compiled::from_notation(&module.text).unwrap_or_else(|error| panic!("{error}\n{}", module.text));
    let all = named(&types);
    (module.text, types, all)
}

/// A message of a made-up value.
fn message(types: &Compiled, node: NodeId, shape: Shape, options: &Options, random: &mut Random) -> Option<Vec<u8>> {
    let mut values = Values::new();
    let made = fill(types, node, shape, random, &mut values);
    made.then(|| asn1::write(values.value(types, node, b""), options).ok()).flatten()
}

/// A receiver that waits for as many octets as an error asks for gets every message, and never waits for too many.
#[test]
fn every_prefix_is_incomplete_and_needs_no_more_than_there_is_to_come() {
    let mut random = Random::new(21);
    let mut cuts = 0;
    for round in 0..50 {
        let long = (round % 10 == 0).then_some(15);
        let (text, types, all) = made_up(&mut random);
        for (name, node) in all {
            for options in [UPER, APER, Options::oer()] {
                let shape = Shape { later: true, long, size: 3, values: 100 };
                let Some(message) = message(&types, node, shape, &options, &mut random) else { continue };
                let mut values = Values::new();
                let step = message.len().div_ceil(300).max(1);
                for cut in (0..message.len()).step_by(step) {
                    let prefix = &message[..cut];
                    let error = asn1::read(prefix, &types, node, &options, &mut values).unwrap_err();
                    let says = || format!("{error} at {cut} of {message:02X?}, {name} of\n{text}");
                    assert_eq!(error.kind(), ErrorKind::Incomplete, "{}", says());
                    let missing = (message.len() - cut) as u64;
                    assert!((1..=missing).contains(&error.needed().unwrap()), "{:?}: {}", error.needed(), says());
                    assert!(error.offset() <= cut as u64, "{}", says());
                    cuts += 1;
                }
                let mut at_hand = 0;
                while let Err(error) = asn1::read(&message[..at_hand], &types, node, &options, &mut values) {
                    at_hand += error.needed().unwrap() as usize;
                }
                assert_eq!(at_hand, message.len());
            }
        }
    }
    assert!(cuts > 5000, "{cuts}");
}

/// What spoiled messages come to: nothing, or a value that is written and read again.
fn hold_spoiled(modules: usize, times: usize, random: &mut Random) -> (usize, usize) {
    let (mut read, mut refused) = (0, 0);
    for _ in 0..modules {
        let (text, types, all) = made_up(random);
        for (name, node) in all {
            for (way, options) in every_way() {
                let shape = Shape {
                    later: !way.ends_with("er") || way.contains("uper") || way.contains("aper"),
                    ..Shape::SMALL
                };
                let Some(message) = message(&types, node, shape, &options, random) else { continue };
                for _ in 0..times {
                    let message = spoiled(&message, random);
                    let (mut values, mut again) = (Values::new(), Values::new());
                    let value = match asn1::read_prefix(&message, &types, node, &options, &mut values) {
                        Ok((value, used)) => {
                            assert!(used <= message.len() && (used > 0 || way.ends_with("oer")));
                            value
                        }
                        Err(error) => {
                            assert!(error.offset() <= message.len() as u64, "{error}");
                            refused += 1;
                            continue;
                        }
                    };
                    let expected = shown(value);
                    let says = |what: String| format!("{way} {name}: {what}\n{expected:.1000}\n{message:02X?}\n{text}");
                    let rewritten = match asn1::write(value, &options) {
                        Ok(rewritten) => rewritten,
                        Err(error) => panic!("{}", says(error.to_string())),
                    };
                    match asn1::read(&rewritten, &types, node, &options, &mut again) {
                        Ok(value) if shown(value) == expected => {}
                        Ok(value) => panic!("{}", says(shown(value))),
                        Err(error) => panic!("{}", says(error.to_string())),
                    }
                    read += 1;
                }
            }
        }
    }
    (read, refused)
}

#[test]
fn spoiled_messages_are_refused_or_are_values_that_can_be_written() {
    let (read, refused) = hold_spoiled(rounds(20).max(4), 6, &mut Random::new(21));
    assert!(read > rounds(1000) && refused > rounds(1000), "{read} read, {refused} refused");
}

#[test]
#[ignore = "minutes; run with --release"]
fn ten_million_spoiled_messages_are_refused_or_are_values_that_can_be_written() {
    let mut random = Random::new(22);
    let mut all = 0;
    while all < 10_000_000 {
        let (read, refused) = hold_spoiled(200, 50, &mut random);
        all += read + refused;
        println!("{all} messages; of the last ones {read} read, {refused} refused");
    }
}

/// Types that say much with little, each with messages that claim the most.
fn greedy() -> Vec<(Type, Vec<Vec<u8>>)> {
    let claims = || vec![vec![0xC4; 3000], vec![0xFF; 3000], [hex("C4"), vec![0; 3000]].concat()];
    let many = |count: usize, ty: &str| (0..count).map(|i| format!("a{i} {ty}")).collect::<Vec<_>>().join(", ");
    let doubled: Vec<String> = (1..=40).map(|i| format!("B{i} ::= SEQUENCE {{ a B{}, b B{0} }}", i - 1)).collect();
    let doubled = doubled.join(" ");
    let nested = "SEQUENCE (SIZE (1000)) OF ".repeat(12);
    let of = |assignments: &str| Type::new(assignments);
    let mut all: Vec<(Type, Vec<Vec<u8>>)> = [
        "T ::= SEQUENCE OF NULL",
        "T ::= SEQUENCE (SIZE (0..18446744073709551615)) OF NULL",
        "T ::= SEQUENCE (SIZE (1000000)) OF NULL",
        "T ::= SEQUENCE (SIZE (60000)) OF SEQUENCE (SIZE (60000)) OF INTEGER (7)",
        "T ::= SEQUENCE OF SEQUENCE {}",
        "T ::= SEQUENCE OF SEQUENCE { a NULL, b SEQUENCE { c ENUMERATED { d } } }",
        "T ::= SEQUENCE OF CHOICE { a NULL }",
        "T ::= SEQUENCE OF SEQUENCE OF SEQUENCE OF NULL",
        "T ::= SET OF SET OF BOOLEAN",
        "T ::= IA5String (FROM (\"A\"))",
        "T ::= SEQUENCE OF IA5String (FROM (\"A\")) (SIZE (65535))",
        "T ::= UTF8String",
        "T ::= BMPString",
        "T ::= UniversalString",
        "T ::= BMPString (FROM (\"水火\"))",
        "T ::= OCTET STRING",
        "T ::= SEQUENCE OF OCTET STRING (SIZE (0..3))",
        "T ::= BIT STRING",
        "T ::= SEQUENCE OF BIT STRING { a(0) }",
        "T ::= INTEGER",
        "T ::= INTEGER (5..MAX)",
        "T ::= REAL",
        "T ::= SEQUENCE OF REAL",
        "T ::= OBJECT IDENTIFIER",
        "T ::= SEQUENCE { ..., a BOOLEAN }",
        "T ::= SEQUENCE { ..., a T, b NULL }",
        "T ::= CHOICE { a NULL, ..., b T, c SEQUENCE OF T }",
        "T ::= SEQUENCE (SIZE (0..3, ...)) OF SEQUENCE { a BOOLEAN OPTIONAL, ..., b NULL }",
        "T ::= SEQUENCE OF T",
        "T ::= SEQUENCE { a T }",
        "T ::= CHOICE { a T }",
        "T ::= CHOICE { a SEQUENCE { b T } }",
        "T ::= SEQUENCE (SIZE (2)) OF T",
        "T ::= SEQUENCE { a T, b T }",
        "T ::= SEQUENCE { a T OPTIONAL, b T OPTIONAL }",
    ]
    .into_iter()
    .map(|assignments| (of(assignments), claims()))
    .collect();
    all.push((of(&format!("B0 ::= NULL {doubled} T ::= B40")), claims()));
    all.push((of(&format!("B0 ::= SEQUENCE (SIZE (0)) OF NULL {doubled} T ::= SEQUENCE OF B20")), claims()));
    all.push((of(&format!("T ::= {nested} NULL")), claims()));
    all.push((of(&format!("T ::= SEQUENCE OF SEQUENCE {{ {} }}", many(5000, "NULL"))), claims()));
    all.push((of(&format!("T ::= SEQUENCE OF SEQUENCE {{ {} }}", many(60, "BOOLEAN OPTIONAL"))), claims()));
    all
}

/// Both variants of PER; one of them where nothing is optimised.
fn variants() -> impl Iterator<Item = Options> {
    [UPER, APER].into_iter().take(if cfg!(debug_assertions) { 1 } else { 2 })
}

/// What values without a bit may take: a million of them, each a cell and its mark, while the room for
/// them grows.
const FREE_BYTES: usize = 64 << 20;

#[test]
fn memory_is_taken_for_what_a_message_can_hold() {
    for (ty, messages) in greedy() {
        for message in messages {
            for options in variants() {
                let ((), peak, _) = cost(|| {
                    let mut values = Values::new();
                    let _ = asn1::read_prefix(&message, &ty.types, ty.node, &options, &mut values);
                });
                // A cell and its mark for each bit, twice while they grow.
                let most = FREE_BYTES + message.len() * 8 * 9 * 4;
                let name = &ty.types.node(ty.node).name;
                assert!(peak <= most, "{name}, {:?}: {peak} bytes for {}", ty.types.node(ty.node), message.len());
            }
        }
    }
}

/// Counts what is reported, and keeps nothing.
#[derive(Default)]
struct Count {
    reported: u64,
    buffer: Vec<u8>,
    most: usize,
}

impl Count {
    fn one(&mut self) -> Result<(), Error> {
        self.reported += 1;
        self.most = self.most.max(self.buffer.len());
        self.buffer.clear();
        Ok(())
    }
}

impl Sink for Count {
    type Level = ();
    const BITS: bool = true;

    fn root(&mut self, _: NodeId) {}
    fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }
    fn bits(&mut self, _: At<()>, _: NodeId, _: Part, start: u64, end: u64) {
        assert!(start < end);
    }
    fn null(&mut self, _: At<()>, _: NodeId) -> Result<(), Error> {
        self.one()
    }
    fn boolean(&mut self, _: At<()>, _: NodeId, _: bool) -> Result<(), Error> {
        self.one()
    }
    fn integer(&mut self, _: At<()>, _: NodeId, _: Integer<'_>) -> Result<(), Error> {
        self.one()
    }
    fn enumerated(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        self.one()
    }
    fn real(&mut self, _: At<()>, _: NodeId, _: Real<'_>) -> Result<(), Error> {
        self.one()
    }
    fn bit_string(&mut self, _: At<()>, _: NodeId, _: Stretch, _: u64) -> Result<(), Error> {
        self.one()
    }
    fn octets(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.one()
    }
    fn text(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.one()
    }
    fn record(&mut self, _: At<()>, _: NodeId) -> Result<(), Error> {
        self.one()
    }
    fn row(&mut self, _: At<()>, _: NodeId) -> Result<(), Error> {
        self.one()
    }
    fn choice(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        self.one()
    }
    fn array(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        self.one()
    }
    fn more(&mut self, _: At<()>, _: NodeId, (): (), _: u32) -> Result<(), Error> {
        self.one()
    }
    fn unknown(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.one()
    }
    fn end(&mut self, _: NodeId, (): ()) -> Result<(), Error> {
        self.one()
    }
}

#[test]
fn no_more_is_reported_than_a_message_has_bits_and_values_without_bits() {
    for (ty, messages) in greedy() {
        for message in messages {
            for options in variants() {
                let mut count = Count::default();
                let ((), peak, _) = cost(|| {
                    let _ = asn1::read_events(&message, &ty.types, ty.node, &options, &mut count);
                });
                let most = message.len() as u64 * 8 * 3 + (5 << 20);
                assert!(count.reported <= most, "{:?}: {} reported", ty.types.node(ty.node), count.reported);
                assert!(peak <= message.len() * 50 + (3 << 20), "{:?}: {peak} bytes", ty.types.node(ty.node));
            }
        }
    }
}

/// Types that hold themselves, each with a message that is as deep as one says.
type Deep = (&'static str, fn(usize) -> Vec<u8>);

const DEEP: [Deep; 6] = [
    // Components: one, one, …, none.
    ("T ::= SEQUENCE OF T", |depth| [vec![1; depth - 1], vec![0]].concat()),
    ("T ::= SET OF T", |depth| [vec![1; depth - 1], vec![0]].concat()),
    ("T ::= SEQUENCE { a T OPTIONAL }", |depth| ones(depth - 1)),
    ("T ::= CHOICE { a T, b NULL }", |depth| zeros_then_one(depth - 1)),
    ("T ::= CHOICE { a SEQUENCE { b T OPTIONAL } }", |depth| ones(depth - 1)),
    ("T ::= SEQUENCE OF CHOICE { a T, b NULL }", |depth| {
        // A length and a bit each; the last one has no components.
        let bits: String = (0..depth).map(|i| if i + 1 < depth { "000000010" } else { "00000000" }).collect();
        support::binary(&bits)
    }),
];

fn ones(count: usize) -> Vec<u8> {
    support::binary(&format!("{}0", "1".repeat(count)))
}

fn zeros_then_one(count: usize) -> Vec<u8> {
    support::binary(&format!("{}1", "0".repeat(count)))
}

/// Runs on a stack of 256 KiB.
fn on_a_small_stack(work: impl FnOnce() + Send) {
    thread::scope(|scope| {
        thread::Builder::new().stack_size(256 << 10).spawn_scoped(scope, work).unwrap().join().unwrap();
    });
}

#[test]
fn messages_a_hundred_thousand_levels_deep_are_read_and_written_on_a_small_stack() {
    on_a_small_stack(|| {
        for (assignments, message) in DEEP {
            let ty = Type::new(assignments);
            let message = message(100_000);
            let deep = |options: Options| options.with_limits(Limits { depth: u32::MAX, ..Limits::DEFAULT });
            let mut values = Values::new();
            let value = asn1::read(&message, &ty.types, ty.node, &deep(UPER), &mut values).unwrap();
            assert!(asn1::write(value, &deep(UPER)).unwrap() == message, "{assignments}");
            let ber = asn1::write(value, &deep(Options::ber())).unwrap();
            let mut again = Values::new();
            let value = asn1::read(&ber, &ty.types, ty.node, &deep(Options::ber()), &mut again).unwrap();
            assert!(asn1::write(value, &deep(UPER)).unwrap() == message, "{assignments}");
            let error = ty.refusal(&message, &UPER);
            assert_eq!(error.kind(), ErrorKind::Limit, "{assignments}: {error}");
            assert!(error.to_string().len() < 2000 && error.path().len() < 2000, "{error}");
        }
    });
}

/// Each level of recursion asks whether the stack has room for it, whatever the limit is.
#[test]
fn no_limit_on_depth_is_too_high_for_a_small_stack() {
    on_a_small_stack(|| {
        let most = |options: Options| options.with_limits(Limits { depth: 1_000_000, ..Limits::DEFAULT });
        for (assignments, message) in [DEEP[0], DEEP[2], DEEP[3]] {
            let ty = Type::new(assignments);
            let message = message(250_000);
            let mut values = Values::new();
            let value = asn1::read(&message, &ty.types, ty.node, &most(UPER), &mut values).unwrap();
            assert!(asn1::write(value, &most(UPER)).unwrap() == message, "{assignments}");
        }
        // Open types in each other: of a component, of a group of them, and of an alternative.
        let open = [
            ("T ::= SEQUENCE { ..., a T }", vec![0x30, 0x80], 0xA0),
            ("T ::= SEQUENCE { ..., [[ a T OPTIONAL ]] }", vec![0x30, 0x80], 0xA0),
            ("T ::= CHOICE { n SEQUENCE {}, ..., a T }", vec![], 0xA1),
        ];
        for (assignments, mut message, tag) in open {
            let ty = Type::new(assignments);
            // By BER with indefinite lengths.
            (0..3_000).for_each(|_| message.extend([tag, 0x80]));
            if message[0] == tag {
                message.extend([0xA0, 0x80]);
            }
            message.resize(2 * message.len(), 0);
            let mut values = Values::new();
            let value = asn1::read(&message, &ty.types, ty.node, &most(Options::ber()), &mut values).unwrap();
            for options in [UPER, APER] {
                let written = asn1::write(value, &most(options)).unwrap();
                let mut again = Values::new();
                let read = asn1::read(&written, &ty.types, ty.node, &most(options), &mut again).unwrap();
                assert!(asn1::write(read, &most(options)).unwrap() == written, "{assignments}");
                assert_eq!(ty.refusal(&written, &options).kind(), ErrorKind::Limit);
            }
        }
        // A SET OF in order, each in the other.
        let ty = Type::new("T ::= SET OF T");
        let message = [&[1; 2_000][..], &[0]].concat();
        let mut values = Values::new();
        let value = asn1::read(&message, &ty.types, ty.node, &most(UPER), &mut values).unwrap();
        assert!(asn1::write(value, &most(UPER.with_canonical(true))).unwrap() == message);
    });
}

#[test]
fn what_may_be_read_may_be_written_up_to_the_same_depth() {
    for (assignments, message) in DEEP {
        let ty = Type::new(assignments);
        for depth in [1, 2, 7, 8, 9, 10, 20, 40] {
            let message = message(depth);
            let within = |limit| UPER.with_limits(Limits { depth: limit, ..Limits::DEFAULT });
            let least = (1..200).find(|limit| ty.json(&message, &within(*limit)).is_ok()).unwrap();
            let mut values = Values::new();
            let value = asn1::read(&message, &ty.types, ty.node, &UPER, &mut values).unwrap();
            let written = (1..200).find(|limit| asn1::write(value, &within(*limit)).is_ok()).unwrap();
            assert_eq!(least, written, "{assignments}, {depth} deep");
            assert_eq!(ty.refusal(&message, &within(least - 1)).kind(), ErrorKind::Limit);
        }
    }
}

/// A value that BER has read and PER cannot write, up to twenty levels of all kinds deep: the reported path does not
/// depend on how much is written by recursion and how much from the stack.
#[test]
fn what_cannot_be_written_is_reported_with_its_path_at_any_depth() {
    let ty = Type::new(
        "T ::= SEQUENCE { r SEQUENCE { t T OPTIONAL } OPTIONAL, c CHOICE { t T, n NULL } OPTIONAL, l SEQUENCE OF T,
            e ENUMERATED { a, ... } OPTIONAL, ..., x T, [[ g T OPTIONAL, h NULL ]] }",
    );
    let tagged = |tag: u8, contents: &[u8]| {
        let len = contents.len() as u16;
        let head = if len < 0x80 { vec![tag, len as u8] } else { [&[tag, 0x82][..], &len.to_be_bytes()].concat() };
        [&head, contents].concat()
    };
    let list = [0xA2, 0];
    for kinds in 0..5usize {
        // All of one kind, and of kinds in turn.
        for (depth, turn) in (0..20).map(|depth| (depth, depth % 2)) {
            let mut contents = [&list[..], &[0x83, 1, 5]].concat();
            let mut path = "/e".to_owned();
            for level in 0..depth {
                let (around, step) = match (kinds + level * turn) % 5 {
                    0 => ([tagged(0xA0, &tagged(0xA0, &contents)), list.to_vec()].concat(), "/r/t"),
                    1 => ([tagged(0xA1, &tagged(0xA0, &contents)), list.to_vec()].concat(), "/c/t"),
                    2 => (tagged(0xA2, &tagged(0x30, &contents)), "/l/0"),
                    3 => ([list.to_vec(), tagged(0xA4, &contents)].concat(), "/x"),
                    _ => ([list.to_vec(), tagged(0xA5, &contents), vec![0x86, 0]].concat(), "/g"),
                };
                contents = around;
                path.insert_str(0, step);
            }
            let mut values = Values::new();
            let message = tagged(0x30, &contents);
            let value = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values).unwrap();
            for options in [UPER, APER] {
                let mut out = vec![7];
                let error = asn1::append(value, &options, &mut out).unwrap_err();
                assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, path.as_str()));
                assert_eq!(out, [7]);
            }
        }
    }
}

/// A component that must be there and is not, in records of few members and of many, with and without defaults, of
/// small numbers alone and of others, alone and in an array.
#[test]
fn missing_components_are_reported_with_their_path() {
    for (ty, value) in [("BOOLEAN", "true"), ("OCTET STRING", "\"A5\"")] {
        for (count, default) in [(1, ""), (3, ""), (64, ""), (65, ""), (130, ""), (5, ", z INTEGER DEFAULT 3")] {
            // Every other one may be left out; by the loose type each.
            let types = |even: &str| {
                let members: Vec<String> =
                    (0..count).map(|i| format!("m{i} {ty}{}", if i % 2 == 1 { " OPTIONAL" } else { even })).collect();
                let members = members.join(", ");
                Type::new(&format!("T ::= SEQUENCE {{ r R, l SEQUENCE OF R }} R ::= SEQUENCE {{ {members}{default} }}"))
            };
            let (loose, strict) = (types(" OPTIONAL"), types(""));
            let record = |missing: Option<usize>| {
                let members = (0..count).filter(|i| Some(*i) != missing).map(|i| format!("\"m{i}\":{value}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            };
            for missing in [0, count / 2, count / 2 + 1, count - 1] {
                for place in ["/r", "/l/1"] {
                    let [r, l] = ["/r", "/l/1"].map(|one| record((one == place).then_some(missing)));
                    let text = format!("{{\"r\":{r},\"l\":[{},{l}]}}", record(None));
                    for options in [UPER, APER] {
                        let message = loose.message(&text, &options).unwrap();
                        let mut values = Values::new();
                        asn1::read(&message, &loose.types, loose.node, &options, &mut values).unwrap();
                        let written = asn1::write(values.value(&strict.types, strict.node, &message), &options);
                        if missing % 2 == 1 || missing >= count {
                            assert_eq!(written.unwrap(), strict.message(&text, &options).unwrap());
                            continue;
                        }
                        let error = written.unwrap_err();
                        let of = if place == "/r" { "T.r" } else { "R" };
                        assert_eq!(
                            (error.kind(), error.found().to_string()),
                            (ErrorKind::Schema, format!("missing component m{missing} of {of}"))
                        );
                        assert_eq!(error.path(), format!("{place}/m{missing}"));
                    }
                }
            }
        }
    }
}

/// Additions within additions, each in an open type.
#[test]
fn open_types_within_each_other_are_read_on_a_small_stack() {
    on_a_small_stack(|| {
        let ty = Type::new("T ::= SEQUENCE { ..., a T, b OCTET STRING }");
        for options in [UPER, APER] {
            let mut text = String::from(r#"{"b":"00"}"#);
            for _ in 0..200 {
                text = format!(r#"{{"a":{text},"b":"FF"}}"#);
            }
            let message = ty.message(&text, &options).unwrap();
            assert_eq!(ty.json(&message, &options).unwrap(), text);
            // A few of them in fragments.
            let octets = "A5".repeat(20_000);
            let mut text = format!(r#"{{"b":"{octets}"}}"#);
            for _ in 0..7 {
                text = format!(r#"{{"a":{text}}}"#);
            }
            let message = ty.message(&text, &options).unwrap();
            assert_eq!(ty.json(&message, &options).unwrap(), text);
            // Cut off, whatever is in them is incomplete; with a length too short, it is at fault.
            let mut values = Values::new();
            for cut in (0..message.len()).step_by(997) {
                let error = asn1::read(&message[..cut], &ty.types, ty.node, &options, &mut values).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}");
            }
        }
        // An open type of one octet for a value of two.
        let short = hex("80 80 01 80 0000000000000000");
        assert_eq!(ty.refusal(&short, &APER).kind(), ErrorKind::Syntax);
        assert_eq!(ty.refusal(&short, &UPER).kind(), ErrorKind::Syntax);
    });
}

/// Errors say where: the path of the value and the bit.
#[test]
fn errors_have_the_path_and_the_bit() {
    let ty = Type::new(
        "T ::= SEQUENCE { head BOOLEAN, rows SEQUENCE OF Row, ... , late Late }
         Row ::= SEQUENCE { id INTEGER (0..5), of CHOICE { a NULL, b SEQUENCE OF INTEGER (0..5) } }
         Late ::= SEQUENCE { x INTEGER (0..2) }",
    );
    // No addition, TRUE, two rows: 1 and a; 2 and b of two, the second one being 7.
    let error = ty.refusal(&support::binary("0 1 00000010 001 0 010 1 00000010 101 111"), &UPER);
    assert_eq!((error.kind(), error.path()), (ErrorKind::Syntax, "/rows/1/of/b/1"), "{error}");
    assert_eq!((error.offset() * 8 + u64::from(error.bit().unwrap())) / 3, 32 / 3, "{error}");
    // The addition, in an open type: 3.
    let error = ty.refusal(&support::binary("1 1 00000000 0000000 1 00000001 11000000"), &UPER);
    assert_eq!((error.kind(), error.path()), (ErrorKind::Syntax, "/late/x"), "{error}");
    let flat = Type::new("T ::= SEQUENCE OF SEQUENCE { a INTEGER (0..5), b INTEGER (0..5) }");
    let error = flat.refusal(&support::binary("00000010 001 001 001 111"), &UPER);
    assert_eq!((error.kind(), error.path()), (ErrorKind::Syntax, "/1/b"), "{error}");
    let size = Type::new("T ::= SEQUENCE { s SEQUENCE OF OCTET STRING (SIZE (0..4)) }");
    let error = size.refusal(&support::binary("00000010 000 111"), &UPER);
    assert_eq!((error.kind(), error.path()), (ErrorKind::Syntax, "/s/1"), "{error}");
}

/// What a store held before has no part in what it holds next.
#[test]
fn a_store_that_is_used_again_is_as_good_as_new() {
    let mut random = Random::new(23);
    let (_, types, all) = made_up(&mut random);
    let mut kept = Values::new();
    for _ in 0..200 {
        let (_, node) = all[random.below(all.len())];
        let options = [UPER, APER][random.below(2)];
        let Some(message) = message(&types, node, Shape::SMALL, &options, &mut random) else { continue };
        let message = if random.one_in(2) { spoiled(&message, &mut random) } else { message };
        let mut fresh = Values::new();
        let one = asn1::read(&message, &types, node, &options, &mut fresh).map(shown);
        let other = asn1::read(&message, &types, node, &options, &mut kept).map(shown);
        assert_eq!(one, other);
    }
}
