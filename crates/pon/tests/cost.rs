//! What hostile messages cost, counted: bytes held, allocations, tries.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use pon::{Options, OwnedValue, Value};
use support::generate::{Random, mutate};
use support::samples::{nested, samples};
use tam::{ErrorKind, Limits, Table};
use test_support::memory::{Counting, cost};

#[global_allocator]
static COUNTING: Counting = Counting;

/// A table holds a row of 16 bytes for a node of one byte, and a key of another form once more; the words of an error
/// are the rest.
const READ: (usize, usize) = (20, 4096);
/// An owned value takes 32 bytes, and a key 24 and its text. A vector that grows holds up to three times its bytes while it
/// moves.
const OWNED: (usize, usize) = (100, 16 * 1024);
/// The path of an error has the keys of the levels that it is in, controls as escapes (six bytes for one), and a string
/// that grows holds up to three times its bytes while it moves.
const PATH: usize = 18;

/// A node of a type and its data.
fn node(tag: u8, data: &[u8]) -> Vec<u8> {
    [data.len().to_string().as_bytes(), &[tag], data].concat()
}

/// A member in nested objects. Each is the value of a long key of the one around it.
fn keyed(levels: usize, key: &str, inside: &[u8]) -> Vec<u8> {
    (0..levels).fold(inside.to_vec(), |value, _| node(b'{', &[key.as_bytes(), b":", &value].concat()))
}

/// Messages that are made to cost.
fn made_to_cost(n: usize) -> Vec<Vec<u8>> {
    let key = "k".repeat(n);
    vec![
        nested(n.min(2000), b"t"),
        nested(n.min(2000), b"x"),
        node(b'[', &b"t".repeat(n)),
        node(b'[', &b"0[".repeat(n)),
        node(b'[', &b"0{".repeat(n)),
        node(b'{', &b"k:t".repeat(n)),
        node(b'{', &b":t".repeat(n)),
        node(b'{', &b"\\::t".repeat(n)),
        node(b'{', &b"1:t".repeat(n)),
        node(b'{', &[b"k:t".repeat(n), b"k:x".to_vec()].concat()),
        node(b'{', format!("{key}:t{key}:x").as_bytes()),
        node(b'{', format!("{}:x", "\\:".repeat(n)).as_bytes()),
        node(b'{', format!("{}:1ix", "\u{1}".repeat(n)).as_bytes()),
        keyed(100, &"k".repeat(n / 100), b"1ix"),
        keyed(100, &"\u{1}".repeat(n / 100), b"u"),
        // Numbers of many digits.
        node(b'i', "9".repeat(n).as_bytes()),
        node(b'd', format!("0.{}1", "0".repeat(n)).as_bytes()),
        node(b'd', format!("1e{}", "9".repeat(n)).as_bytes()),
        format!("{}s", "9".repeat(n)).into_bytes(),
        format!("{}1st", "0".repeat(n)).into_bytes(),
        // Lengths that are not backed.
        b"4294967295[4294967290[".to_vec(),
        node(b'[', &b"99999999s".repeat(n / 9)),
        // A string that is not UTF-8, and words that are shown in an error.
        node(b's', &[vec![b'a'; n], vec![0xFF]].concat()),
        node(b's', &vec![1; n]),
    ]
}

fn holds_no_more(what: &str, (a, b): (usize, usize), message: &[u8], work: impl FnOnce()) {
    let ((), peak, _) = cost(work);
    let bound = a * message.len() + b;
    let shown = message[..message.len().min(80)].escape_ascii();
    assert!(peak <= bound, "{what}: {peak} bytes for {}: {shown}", message.len());
}

fn hold(message: &[u8]) {
    for limits in [Limits::UNTRUSTED, Limits::NONE] {
        let options = Options::default().with_limits(limits);
        let read = (READ.0 + PATH, READ.1);
        holds_no_more("read", read, message, || drop(pon::read(message, &options, &mut Table::new()).map(drop)));
        let prefix = || drop(pon::read_prefix(message, &options, &mut Table::new()).map(drop));
        holds_no_more("prefix", read, message, prefix);
        let owned = (OWNED.0 + READ.0 + PATH, OWNED.1);
        holds_no_more("owned", owned, message, || drop(OwnedValue::read(message, &options)));
        let mut table = Table::new();
        if let Ok(document) = pon::read(message, &options, &mut table) {
            holds_no_more("write", (40, 16 * 1024), message, || drop(pon::write(&document)));
        }
    }
    // The cursor holds the words of an error alone.
    holds_no_more("find", (0, 2048), message, || {
        if let Ok(value) = Value::new(message) {
            drop(value.find("/k/k/k/k"));
            drop(value.find("/18446744073709551615"));
            drop(value.find("/~0~1"));
            drop(value.get("nowhere"));
            drop(value.at(usize::MAX));
        }
    });
}

#[test]
fn messages_that_are_made_to_cost_hold_what_their_bytes_allow() {
    for message in made_to_cost(20_000).into_iter().chain(made_to_cost(200)) {
        hold(&message);
    }
}

#[test]
fn ten_thousand_spoiled_messages_hold_what_their_bytes_allow() {
    let mut random = Random::new(30);
    let samples: Vec<Vec<u8>> = samples().into_iter().map(|sample| sample.message).chain(made_to_cost(100)).collect();
    for n in 0..10_000 {
        let mut message = samples[random.below(samples.len())].clone();
        for _ in 0..=random.below(4) {
            mutate(&mut random, &mut message, &samples[n % samples.len()]);
        }
        hold(&message);
    }
}

/// Gives a message byte by byte; how often it is tried if a receiver waits for the bytes that are needed.
fn tries(message: &[u8]) -> usize {
    let (mut tries, mut wanted) = (0, 0);
    let mut table = Table::new();
    for len in 0..=message.len() {
        if len < wanted && len < message.len() {
            continue;
        }
        tries += 1;
        match pon::read_prefix(&message[..len], &Options::default(), &mut table) {
            Err(error) if error.kind() == ErrorKind::Incomplete => wanted = len + error.needed().unwrap() as usize,
            _ => break,
        }
    }
    tries
}

#[test]
fn a_message_that_trickles_in_is_tried_once_for_each_digit_of_its_length() {
    for message in made_to_cost(20_000) {
        let tries = tries(&message);
        // A length has at most ten digits, apart from leading zeros; after these there is nothing to read yet.
        let digits = message.iter().take_while(|c| c.is_ascii_digit()).count();
        assert!(tries <= 2 + digits, "{tries}: {}", message[..message.len().min(80)].escape_ascii());
    }
}

#[cfg(feature = "serde")]
mod types {
    use std::collections::{BTreeMap, HashMap};

    use serde::Deserialize;
    use serde::de::IgnoredAny;

    use super::*;

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "what is read is not looked at")]
    enum Choice {
        One,
        Two(u8),
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "what is read is not looked at")]
    struct Fields {
        k: Option<bool>,
        #[serde(default)]
        own: Option<Box<Fields>>,
    }

    /// Values of a type that are read hold as many bytes for each of the message as one of an array takes that is
    /// doing so, three times, as it grows.
    fn hold_as<'m, T: Deserialize<'m>>(message: &'m [u8], each: usize) {
        holds_no_more(std::any::type_name::<T>(), (3 * each + PATH + 4, 4096), message, || {
            drop(pon::from_slice::<T>(message))
        });
    }

    #[test]
    fn types_hold_what_their_items_take() {
        for message in made_to_cost(20_000).iter().chain(&made_to_cost(200)) {
            hold_as::<IgnoredAny>(message, 0);
            hold_as::<bool>(message, 0);
            hold_as::<f64>(message, 0);
            hold_as::<i128>(message, 0);
            hold_as::<&str>(message, 0);
            hold_as::<String>(message, 1);
            hold_as::<Choice>(message, 0);
            hold_as::<Fields>(message, 0);
            hold_as::<Vec<Option<u64>>>(message, size_of::<Option<u64>>());
            hold_as::<Vec<Vec<u8>>>(message, size_of::<Vec<u8>>());
            hold_as::<HashMap<String, Option<bool>>>(message, 3 * size_of::<(String, bool)>());
            hold_as::<BTreeMap<String, IgnoredAny>>(message, 3 * size_of::<String>());
            hold_as::<serde_bytes::ByteBuf>(message, 1);
        }
    }
}
