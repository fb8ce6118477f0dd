//! What reading costs in memory, counted: a bound by the message's length whatever the message
//! says, and a constant number of allocations.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tsf as tsf;

mod support;

use support::generate::{Random, mutate};
use support::samples::{chain, samples, tail};
use tam::{Limits, Table};
use test_support::memory::{Counting, cost};
use tsf::{Lengths, Options};

#[global_allocator]
static COUNTING: Counting = Counting;

/// An error has few words, and a path of up to 64 levels.
const WORDS: usize = 4096;

/// Reading costs at most twenty times the message and the words of an error, both ways.
fn is_cheap(message: &[u8], options: &Options<'_>) {
    let bound = 20 * message.len() + WORDS;
    let shown = || message[..message.len().min(60)].escape_ascii().to_string();
    let (_, peak, _) = cost(|| tsf::read(message, options, &mut Table::new()).map(|document| document.units()));
    assert!(peak <= bound, "{peak} bytes for {}: {}", message.len(), shown());
    let (_, peak, _) = cost(|| tsf::read_prefix(message, options, &mut Table::new()).map(|(_, taken)| taken));
    assert!(peak <= bound, "{peak} bytes for {}, as a prefix: {}", message.len(), shown());
}

#[test]
fn a_fresh_table_costs_three_allocations_and_a_used_one_none() {
    let mut messages: Vec<(Vec<u8>, Lengths)> = Vec::new();
    for len in [0, 1, 10, 100, 10_000] {
        messages.push(([format!("{len}<").into_bytes(), b"0[".repeat(len)].concat(), Lengths::Bytes));
        messages.push(([format!("{len}<").into_bytes(), b"3name[abc".repeat(len)].concat(), Lengths::Chars));
        messages.push((chain(len), Lengths::Bytes));
        messages.push((tail(len + 1), Lengths::Bytes));
        messages.push((b"0[".repeat(len + 1), Lengths::Bytes));
        messages.push(([b"1[x".repeat(len), b"9999[".to_vec(), vec![b'x'; 9999]].concat(), Lengths::Chars));
    }
    for (message, lengths) in messages {
        let options = Options::default().with_lengths(lengths).with_limits(Limits::NONE);
        let mut table = Table::new();
        let (units, _, allocations) = cost(|| tsf::read(&message, &options, &mut table).unwrap().units());
        assert!(allocations <= 3, "{allocations} allocations for {units} units");
        let (_, peak, allocations) = cost(|| tsf::read(&message, &options, &mut table).unwrap().units());
        assert_eq!((peak, allocations), (0, 0), "a table used before");
        is_cheap(&message, &options);
    }
    for sample in samples() {
        let mut table = Table::new();
        let (_, _, allocations) = cost(|| tsf::read(&sample.message, &sample.options(), &mut table).unwrap().units());
        assert!(allocations <= 3, "{allocations} allocations for {sample:?}");
        let (_, peak, allocations) =
            cost(|| tsf::read(&sample.message, &sample.options(), &mut table).unwrap().units());
        assert_eq!((peak, allocations), (0, 0), "a table used before for {sample:?}");
    }
}

#[test]
fn spoiled_messages_cost_no_more_than_sound_ones_may() {
    let mut random = Random::new(6);
    let samples = samples();
    for _ in 0..test_support::rounds(8_000) {
        let sample = &samples[random.below(samples.len())];
        let mut message = sample.message.clone();
        mutate(&mut random, &mut message, &sample.message, &sample.set);
        is_cheap(&message, &sample.options().with_limits(Limits::NONE));
    }
}

/// "A message that claims more is refused before anything is allocated for it."
#[test]
fn what_is_claimed_and_not_there_is_not_allocated() {
    for message in
        [&b"4000000000<0[0[0[0[0"[..], b"1<4000000000<0[0[0[0", b"2<0[4294967295@0[0[00", b"4000000000[0123456789"]
    {
        for lengths in [Lengths::Bytes, Lengths::Chars] {
            assert!(message.len() <= 21);
            let options = Options::default().with_lengths(lengths).with_limits(Limits::NONE);
            let mut table = Table::new();
            let (error, peak, _) = cost(|| tsf::read(message, &options, &mut table).unwrap_err());
            assert!(peak <= 1024, "{peak} bytes: {error}");
            drop(error);
            assert!(table.capacity() <= message.len() / 2 + 1, "rows for what was claimed");
        }
    }
}

/// Where an error has most to say: a long path, of names that take room when they are shown.
#[test]
fn errors_of_long_names_cost_no_more_than_the_bound() {
    for name in [&b"n"[..], b"/", b"\0", b"\x7F", b"\xFF", b"\xC2\x80", b"\\\x7F", b"\\/"] {
        for (levels, len) in [(1, 10), (1, 40_000), (2, 16_400), (10, 3_000), (60, 1000), (300, 100), (63, 2)] {
            for quote in ["", "\""] {
                let one = [b"1", quote.as_bytes(), &name.repeat(len / name.len()), b"<"].concat();
                for end in ["x", "1", "5[x", "9<0["] {
                    let message = [&one.repeat(levels)[..], end.as_bytes()].concat();
                    is_cheap(&message, &Options::default());
                }
            }
        }
    }
}

/// As little as a byte of message for a unit more: where a table must grow.
#[test]
fn small_units_after_large_ones_cost_no_more_than_the_bound() {
    for large in [0, 8, 100, 10_000] {
        for small in [1, 7, 100, 9_000, 40_000] {
            for broken in ["", "x", "1", "9<"] {
                let mut message = format!("{}<{large}[", small + 1).into_bytes();
                message.resize(message.len() + large, b'x');
                message.extend_from_slice(&b"0[".repeat(small));
                is_cheap(&[&message, broken.as_bytes()].concat(), &Options::default());
                // The same units, one within the other.
                message.truncate(message.len() - 2 * small);
                message.extend(tail(small));
                is_cheap(&[&message, broken.as_bytes()].concat(), &Options::default().with_limits(Limits::NONE));
            }
        }
    }
}
