//! What hostile messages cost, counted: bytes held, allocations, bytes looked at.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tsf as tsf;

mod support;

use support::Set;
use support::generate::{Random, mutate};
use support::samples::{chain, samples, tail};
use tam::{ErrorKind, Limits, Table, TypeSet};
use test_support::memory::{Counting, cost};
use tsf::{Lengths, MessageEnd, Options};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Reading holds at most so many bytes for each of the message, and the words of an error.
const READ: (usize, usize) = (12, 4096);
/// The path of an error repeats names of the message with controls as escapes, six bytes for one, and a string
/// that grows holds up to three times its bytes while it moves.
const PATH: usize = 18;
/// A look-up holds nothing; the path of a unit what the walk to it has open.
const LOOK: (usize, usize) = (150, 4096);

/// Messages that are made to cost.
fn made_to_cost(n: usize) -> Vec<Vec<u8>> {
    let name = "n".repeat(n);
    vec![
        chain(n),
        tail(n),
        b"0<".repeat(n),
        [format!("{n}<").into_bytes(), b"0a<".repeat(n)].concat(),
        // Claims that are not backed.
        format!("{n}<").into_bytes(),
        b"4294967295<".repeat(n / 11),
        [b"9=".repeat(n / 2), b"0[".repeat(n)].concat(),
        format!("4294967295{name}[").into_bytes(),
        // Numbers of many digits, which are few bytes all the same.
        format!("{}1a<0b<", "0".repeat(n)).into_bytes(),
        "9".repeat(n).into_bytes(),
        // Names: one that is long, one on every level, the same for all, with escapes and controls, without an end.
        format!("1{name}<1{name}<0{name}<").into_bytes(),
        format!("1\"{}<0[", "\\<".repeat(n)).into_bytes(),
        format!("1{}<x", "\u{1}".repeat(n)).into_bytes(),
        format!("1{}", "\\".repeat(n)).into_bytes(),
        format!("{n}<{}", format!("0{}<", "k".repeat(9)).repeat(n)).into_bytes(),
        // A fault at the end of all.
        [format!("{n}<").into_bytes(), b"0<".repeat(n - 1), b"x<".to_vec()].concat(),
        [b"1a<".repeat(n), b"x<".to_vec()].concat(),
    ]
}

fn holds_no_more(what: &str, (a, b): (usize, usize), message: &[u8], work: impl FnOnce()) {
    let ((), peak, _) = cost(work);
    let bound = a * message.len() + b;
    assert!(
        peak <= bound,
        "{what}: {peak} bytes for {}: {}",
        message.len(),
        message[..message.len().min(80)].escape_ascii()
    );
}

fn hold(message: &[u8], types: &TypeSet) {
    for lengths in [Lengths::Bytes, Lengths::Chars] {
        for limits in [Limits::UNTRUSTED, Limits::NONE] {
            let options = Options::new(types).with_lengths(lengths).with_limits(limits);
            let read = (READ.0 + PATH, READ.1);
            holds_no_more("read", read, message, || drop(tsf::read(message, &options, &mut Table::new()).map(drop)));
            holds_no_more("prefix", read, message, || {
                drop(tsf::read_prefix(message, &options, &mut Table::new()).map(drop));
            });
            let mut table = Table::new();
            let Ok(document) = tsf::read(message, &options, &mut table) else { continue };
            let sorted = options.with_sorted_attributes(true);
            // The message again, and of what is sorted a place for each unit.
            holds_no_more("write", (20, 16 * 1024), message, || drop(tsf::write(&document, &sorted)));
            holds_no_more("get", (0, 0), message, || {
                let _ = document.get("/nowhere/at/all[1000000000]");
                let _ = document.get("/0/0/0/0/0");
                let _ = document.get("/*[18446744073709551615]/text()");
            });
            let deepest = document.walk().filter_map(|step| match step {
                tam::Step::Open(node) => Some(node),
                _ => None,
            });
            let Some(deepest) = deepest.last() else { continue };
            holds_no_more("path", LOOK, message, || drop(deepest.path()));
        }
    }
}

#[test]
fn messages_that_are_made_to_cost_hold_what_their_bytes_allow() {
    for message in made_to_cost(20_000) {
        hold(&message, TypeSet::XML);
    }
    for message in made_to_cost(200) {
        hold(&message, TypeSet::XML);
        for set in Set::built_in() {
            hold(&message, &set.types);
        }
    }
}

#[test]
fn ten_thousand_spoiled_messages_hold_what_their_bytes_allow() {
    let mut random = Random::new(30);
    let samples: Vec<Vec<u8>> = samples().into_iter().map(|sample| sample.message).chain(made_to_cost(100)).collect();
    let sets = Set::built_in();
    for n in 0..10_000 {
        let mut message = samples[random.below(samples.len())].clone();
        let set = &sets[n % sets.len()];
        for _ in 0..=random.below(4) {
            mutate(&mut random, &mut message, &samples[n % samples.len()], set);
        }
        let options = Options::new(&set.types).with_limits(Limits::UNTRUSTED);
        let read = (READ.0 + PATH, READ.1);
        holds_no_more("read", read, &message, || drop(tsf::read(&message, &options, &mut Table::new()).map(drop)));
    }
}

/// Gives a message byte by byte; how often a try was worth while, and where the message ends.
fn trickled(message: &[u8], options: &Options<'_>) -> (usize, Result<usize, ErrorKind>) {
    let mut end = MessageEnd::new(options);
    let (mut tries, mut wanted) = (0, 0);
    for len in 0..=message.len() {
        if len < wanted && len < message.len() {
            continue;
        }
        tries += 1;
        let before = end.passed();
        match end.find(&message[..len]) {
            Ok(end) => return (tries, Ok(end)),
            Err(error) if error.kind() == ErrorKind::Incomplete => {
                // Nothing is looked at again, and nothing beyond what is there.
                assert!((before..=len).contains(&end.passed()));
                let needed = error.needed().unwrap() as usize;
                assert!(needed >= 1);
                wanted = len + needed;
            }
            Err(error) => return (tries, Err(error.kind())),
        }
    }
    (tries, Err(ErrorKind::Incomplete))
}

#[test]
fn the_end_of_a_message_is_where_the_reader_says() {
    let mut random = Random::new(5);
    let samples = samples();
    let sets = Set::built_in();
    let (mut whole, mut table) = (0, Table::new());
    for n in 0..20_000 {
        let sample = &samples[n % samples.len()];
        let mut message = sample.message.clone();
        if random.one_in(2) {
            let other = &samples[random.below(samples.len())].message;
            mutate(&mut random, &mut message, other, &sets[0]);
        }
        let options = sample.options().with_limits(Limits::NONE);
        let read = tsf::read_prefix(&message, &options, &mut table).map(|(_, taken)| taken);
        let (_, end) = trickled(&message, &options);
        let shown = || message.escape_ascii().to_string();
        match read {
            Ok(taken) => assert_eq!(end, Ok(taken), "{}", shown()),
            // Data that is not UTF-8 is found by the reader alone.
            Err(error) if options.lengths == Lengths::Chars && error.kind() == ErrorKind::Syntax => {}
            Err(error) => assert_eq!(end, Err(error.kind()), "{}", shown()),
        }
        whole += usize::from(end.is_ok());
    }
    assert!(whole > 5_000, "{whole}");
}

#[test]
fn a_message_that_trickles_in_is_looked_at_once() {
    // Many units, and then a name that comes byte by byte: every try from the start would be 20 000 units.
    let message = [b"20001<".to_vec(), b"0<".repeat(20_000), format!("0{}<", "n".repeat(5_000)).into_bytes()].concat();
    let options = Options::new(TypeSet::XML).with_limits(Limits::UNTRUSTED);
    let (tries, end) = trickled(&message, &options);
    assert_eq!(end, Ok(message.len()));
    assert!(tries > 5_000, "{tries}");
    // All calls together hold nothing.
    let (_, peak, allocations) = cost(|| MessageEnd::new(&options).find(&message).unwrap());
    assert_eq!((peak, allocations), (0, 0));
}

#[test]
fn a_message_that_is_too_long_is_refused_before_it_has_come() {
    let limits = Limits { message_bytes: 100, units: 20, ..Limits::DEFAULT };
    let options = Options::new(TypeSet::XML).with_limits(limits);
    for (message, limit) in
        [("101[", "message_bytes"), ("20<", "units"), ("1a<99[", "message_bytes"), ("9999999999<", "message_bytes")]
    {
        let error = MessageEnd::new(&options).find(message.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{message}");
        assert!(error.to_string().ends_with(&format!("(limit {limit})")), "{error}");
    }
    let error = MessageEnd::new(&options).find(b"90[").unwrap_err();
    assert_eq!((error.kind(), error.needed()), (ErrorKind::Incomplete, Some(90)));
}
