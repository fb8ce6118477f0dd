//! Messages that mean harm: cut off, garbled, too deep, too wide, claiming what is not there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tsf as tsf;

mod support;

use std::thread;

use support::generate::{Random, mutate};
use support::hold::{Outcome, hold};
use support::samples::{chain, samples, tail};
use support::twin::Roots;
use support::{Set, tree};
use tam::{ErrorKind, Limits, Row, Table, TypeSet};
use tsf::{Lengths, Options};

#[test]
fn every_prefix_of_every_sample_needs_more_and_never_more_than_is_missing() {
    for sample in samples() {
        let (message, options) = (&sample.message, sample.options());
        let mut table = Table::new();
        for cut in 0..message.len() {
            let missing = (message.len() - cut) as u64;
            for error in [
                tsf::read(&message[..cut], &options, &mut table).map(|_| ()).unwrap_err(),
                tsf::read_prefix(&message[..cut], &options, &mut table).map(|_| ()).unwrap_err(),
            ] {
                assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}: {cut} of {sample:?}");
                let needed = error.needed().unwrap();
                assert!((1..=missing).contains(&needed), "{error}: needs {needed} at {cut} of {sample:?}");
                assert!(error.offset() <= cut as u64, "{error}");
            }
        }
        let (_, taken) = tsf::read_prefix(message, &options, &mut table).unwrap();
        assert_eq!(taken, message.len());
    }
}

/// A receiver that waits for exactly the bytes that an error asks for gets every message.
#[test]
fn a_message_that_arrives_as_it_is_asked_for_is_read() {
    for sample in samples() {
        let mut arrived = 0;
        loop {
            let mut table = Table::new();
            match tsf::read_prefix(&sample.message[..arrived], &sample.options(), &mut table) {
                Ok((_, taken)) => break assert_eq!((arrived, taken), (sample.message.len(), arrived)),
                Err(error) => arrived += error.needed().unwrap() as usize,
            }
            assert!(arrived <= sample.message.len(), "{sample:?}");
        }
    }
}

/// Spoils samples `count` times; each is read as the twin reads it, or refused with a reason.
fn spoiled(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let samples = samples();
    let mut table = Table::new();
    let (mut read, mut refused) = (0_u64, [0_u64; 3]);
    for _ in 0..count {
        let sample = &samples[random.below(samples.len())];
        let other = &samples[random.below(samples.len())].message;
        let mut message = sample.message.clone();
        mutate(&mut random, &mut message, other, &sample.set);
        let roots = if random.one_in(2) { Roots::First } else { Roots::All };
        match hold(&message, &sample.set, sample.lengths, roots, &mut table) {
            Outcome::Read => read += 1,
            Outcome::Refused(ErrorKind::Syntax) => refused[0] += 1,
            Outcome::Refused(ErrorKind::Incomplete) => refused[1] += 1,
            Outcome::Refused(_) => refused[2] += 1,
        }
    }
    let [syntax, incomplete, limit] = refused;
    println!(
        "{count} mutations: {read} read, {syntax} no TSF, {incomplete} not whole, {limit} beyond what a table holds"
    );
    assert!(read * 50 > count as u64 && syntax * 10 > count as u64 && limit > 0, "mutations that try little");
}

#[test]
fn spoiled_messages_are_read_as_the_twin_reads_them() {
    spoiled(1, test_support::rounds(100_000));
}

#[test]
#[ignore = "long: `make mutations` runs it"]
fn ten_million_spoiled_messages_are_read_as_the_twin_reads_them() {
    spoiled(2, 10_000_000);
}

#[test]
fn a_million_levels_are_a_matter_of_the_limit() {
    const LEVELS: usize = 1_000_000;
    let work = || {
        for message in [tail(LEVELS), chain(LEVELS - 1)] {
            let mut table = Table::new();
            let error = tsf::read(&message, &Options::default(), &mut table).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
            assert!(error.to_string().ends_with("expected at most 1000 (limit depth)"), "{error}");
            let limits = |depth| Limits { depth, ..Limits::default() };
            let options = Options::default().with_limits(limits(LEVELS as u32 - 1));
            tsf::read(&message, &options, &mut table).unwrap_err();
            let options = Options::default().with_limits(limits(LEVELS as u32));
            let document = tsf::read(&message, &options, &mut table).unwrap();
            assert_eq!(document.units(), message.len() / 2);
            assert!(tsf::write(&document, &options).unwrap() == message);
            assert_eq!(tsf::encoded_len(&document, &options).unwrap(), message.len());
        }
    };
    // What recursed would need far more than this.
    thread::Builder::new().stack_size(64 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn the_depth_limit_counts_structured_units_from_the_outermost_one() {
    let read = |message: &[u8], depth| {
        let options = Options::default().with_limits(Limits { depth, ..Limits::default() });
        tsf::read(message, &options, &mut Table::new()).map(|_| ()).map_err(|error| error.to_string())
    };
    for (message, levels) in [
        (&b"0<"[..], 1),
        (b"0[", 0),
        (b"1<0[", 1),
        (b"1<1<0[", 2),
        (b"2<1<0<0[", 3),
        (b"2<0[1<1@2[xy", 3),
        (b"0<1<0<", 2),
    ] {
        assert_eq!(read(message, levels), Ok(()));
        if levels > 0 {
            let error = read(message, levels - 1).unwrap_err();
            assert!(error.starts_with("limit at byte"), "{error}");
            assert!(error.ends_with(&format!("expected at most {} (limit depth)", levels - 1)), "{error}");
        }
    }
    for depth in [1, 2, 63, 64, 65, 999, 1000] {
        assert_eq!(read(&tail(depth), depth as u32), Ok(()));
        assert_eq!(read(&chain(depth - 1), depth as u32), Ok(()));
        for message in [tail(depth + 1), chain(depth), chain(depth + 40)] {
            let error = read(&message, depth as u32).unwrap_err();
            assert!(error.contains("(limit depth)"), "{error}");
            assert!(error.starts_with(&format!("limit at byte {}", 2 * depth)), "{error}: the unit that is too deep");
        }
    }
}

#[test]
fn the_unit_limit_counts_all_units() {
    let read = |message: &[u8], units| {
        let options = Options::default().with_limits(Limits { units, ..Limits::default() });
        tsf::read(message, &options, &mut Table::new()).map(|_| ()).map_err(|error| error.to_string())
    };
    for (message, units) in [(&b"0["[..], 1), (b"2<0[0[", 3), (b"0[0[0[0[", 4), (b"2<1<0[0[", 4), (b"1<0[2<0[0[", 5)] {
        assert_eq!(read(message, units), Ok(()));
        assert_eq!(read(message, u32::MAX), Ok(()));
        for units in 0..units {
            let error = read(message, units).unwrap_err();
            assert!(error.starts_with("limit at byte"), "{error}");
            assert!(error.ends_with(&format!("expected at most {units} (limit units)")), "{error}");
        }
    }
}

#[test]
fn the_byte_limit_is_of_the_message_not_of_the_buffer() {
    let message = b"2a<1=2id[175[hello";
    let options = |message_bytes| Options::default().with_limits(Limits { message_bytes, ..Limits::default() });
    let len = message.len() as u32;
    let mut table = Table::new();
    tsf::read(message, &options(len), &mut table).unwrap();
    for bytes in 0..len {
        let error = tsf::read(message, &options(bytes), &mut table).unwrap_err();
        assert!(error.to_string().ends_with("(limit message_bytes)"), "{error}");
        let error = tsf::read_prefix(message, &options(bytes), &mut table).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}: waiting for more would be in vain");
        assert!(error.to_string().ends_with(&format!("expected at most {bytes} (limit message_bytes)")), "{error}");
    }
    // Many messages in one buffer are many messages.
    let buffer = message.repeat(9);
    let (_, taken) = tsf::read_prefix(&buffer, &options(len), &mut table).unwrap();
    assert_eq!(taken, message.len());
    // One that is still arriving, and within the limit, is waited for.
    let error = tsf::read_prefix(&message[..9], &options(len), &mut table).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}");
}

#[test]
fn rows_lent_are_enough_or_the_limit_is_named() {
    for sample in samples() {
        let (message, options) = (&sample.message, sample.options());
        let mut table = Table::new();
        let units = tsf::read(message, &options, &mut table).unwrap().units();
        assert!(units <= message.len() / 2 + 1);
        let mut most = vec![Row::EMPTY; message.len() / 2 + 1];
        let mut lent = Table::in_rows(&mut most);
        let document = tsf::read(message, &options, &mut lent).unwrap();
        assert_eq!(tree(&document), tree(&table.document(message, &sample.set.types)));
        for rows in (0..units).step_by(1 + units / 40) {
            let mut few = vec![Row::EMPTY; rows];
            let mut lent = Table::in_rows(&mut few);
            let error = tsf::read(message, &options, &mut lent).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
            assert!(error.to_string().ends_with(&format!("expected at most {rows} (limit rows)")), "{error}");
            // The table is none the worse for it.
            if rows > 0 {
                let document = tsf::read(b"0a<", &Options::new(TypeSet::XML), &mut lent).unwrap();
                assert_eq!(document.units(), 1);
            }
        }
    }
}

#[test]
fn rows_lent_are_enough_for_any_message_at_all() {
    let mut random = Random::new(5);
    let samples = samples();
    for _ in 0..test_support::rounds(20_000) {
        let sample = &samples[random.below(samples.len())];
        let mut message = sample.message.clone();
        mutate(&mut random, &mut message, &sample.message, &sample.set);
        let mut rows = vec![Row::EMPTY; message.len() / 2 + 1];
        let lent = tsf::read(&message, &sample.options(), &mut Table::in_rows(&mut rows)).map(|d| d.units());
        let owned = tsf::read(&message, &sample.options(), &mut Table::new()).map(|d| d.units());
        assert_eq!(lent, owned, "{}", message.escape_ascii());
    }
}

#[test]
fn numbers_at_the_edge_of_what_a_row_holds_are_refused_calmly() {
    let xml = Set::xml();
    let mut table = Table::new();
    for (number, kind) in [
        ("4294967295", ErrorKind::Incomplete),
        ("00004294967295", ErrorKind::Incomplete),
        ("4294967296", ErrorKind::Limit),
        ("18446744073709551615", ErrorKind::Limit),
        ("18446744073709551616", ErrorKind::Limit),
        ("99999999999999999999", ErrorKind::Limit),
        ("340282366920938463463374607431768211456", ErrorKind::Limit),
    ] {
        for lengths in [Lengths::Bytes, Lengths::Chars] {
            for unit in ["<", "name<", "\"\\<<", "[", "name[", "[data", "<0[0[0[0[0[0[0[0[0[0["] {
                for (before, after) in [("", ""), ("2a<", "0["), ("2a<0[", ""), ("0[", ""), ("1<1<1<1<", "")] {
                    let message = format!("{before}{number}{unit}{after}");
                    for roots in [Roots::First, Roots::All] {
                        if (before, roots) != ("0[", Roots::First) {
                            let outcome = hold(message.as_bytes(), &xml, lengths, roots, &mut table);
                            // To wait for 4 GiB is in vain: no message is that long.
                            let kind = if roots == Roots::First { ErrorKind::Limit } else { kind };
                            assert_eq!(outcome, Outcome::Refused(kind), "{message}");
                        }
                    }
                }
            }
        }
    }
    assert!(table.capacity() < 100, "room for what was claimed");
}

/// Shapes that would take hours if anything of them were looked at again and again.
#[test]
fn large_hostile_messages_end_soon() {
    const SIZE: usize = 1 << 19;
    let wide = "\u{1F98B}".as_bytes();
    let messages: Vec<Vec<u8>> = vec![
        [b"0[".repeat(SIZE / 16), b"x".to_vec()].concat(),
        [b"0<1<0<".repeat(SIZE / 48), b"1".to_vec()].concat(),
        b"0".repeat(SIZE),
        b"9".repeat(SIZE),
        [b"0\"".to_vec(), b"\\".repeat(SIZE)].concat(),
        [b"0".to_vec(), b"n".repeat(SIZE)].concat(),
        [format!("{}[", SIZE + 1).into_bytes(), wide.repeat(SIZE / 4)].concat(),
        [format!("{}[", SIZE / 4).into_bytes(), wide.repeat(SIZE / 4 - 1), b"\xF0\x9F\xA6".to_vec()].concat(),
        [b"1[\xC3".to_vec(), b"\xA9".repeat(SIZE)].concat(),
        [format!("{}<", SIZE / 8).into_bytes(), "1[\u{E9}".repeat(SIZE / 8).into_bytes(), b"x".to_vec()].concat(),
        tail(SIZE / 2 + 1)[..SIZE].to_vec(),
        chain(SIZE / 4)[..SIZE].to_vec(),
        [chain(SIZE / 4), b"x".to_vec()].concat(),
        (1..SIZE / 16).rev().flat_map(|n| format!("{}<", n * 2).into_bytes()).collect(),
        [format!("{}a<", SIZE / 4).into_bytes(), b"0[".repeat(SIZE / 4 - 1), b"\xFF\xFF".to_vec()].concat(),
    ];
    let mut table = Table::new();
    for message in &messages {
        for lengths in [Lengths::Bytes, Lengths::Chars] {
            for limits in [Limits::DEFAULT, Limits::NONE] {
                let options = Options::default().with_lengths(lengths).with_limits(limits);
                let first = tsf::read_prefix(message, &options, &mut table).map(|(_, taken)| taken);
                let all = tsf::read(message, &options, &mut table).map(|document| document.units());
                assert!(all.is_err(), "{first:?} {all:?}: {}...", message[..20].escape_ascii());
            }
        }
    }
}

/// A row keeps the length of a name in 22 bits.
#[test]
fn names_longer_than_a_row_can_hold_are_a_limit() {
    for quote in ["", "\""] {
        let most = format!("0{quote}{}<", "n".repeat(Row::MAX_NAME - quote.len()));
        let mut table = Table::new();
        let document = tsf::read(most.as_bytes(), &Options::default(), &mut table).unwrap();
        assert_eq!(document.root().unwrap().name().to_bytes().len(), Row::MAX_NAME - quote.len());
        assert_eq!(tsf::write(&document, &Options::default()).unwrap().len(), most.len() - quote.len());
        let more = format!("1a<0{quote}{}<", "n".repeat(Row::MAX_NAME - quote.len() + 1));
        let error = tsf::read(more.as_bytes(), &Options::default(), &mut table).unwrap_err();
        let words = "limit at byte 4 in /a: found a longer name, expected at most 4194303 (limit name)";
        assert_eq!(error.to_string(), words);
    }
}

/// The path of an error names the units open at its place, as far as it keeps them.
#[test]
fn a_path_has_no_more_levels_than_it_keeps() {
    for levels in [1, 2, 62, 63, 64, 65, 66, 500] {
        for (open, close) in [("1n<", ""), ("2n<", "0["), ("2n<0[", "")] {
            let message = format!("{}x{}", open.repeat(levels), close.repeat(levels));
            let error = tsf::read(message.as_bytes(), &Options::default(), &mut Table::new()).unwrap_err();
            let path = error.path();
            assert!("/n".repeat(levels).starts_with(path), "{path}");
            assert!(path.len() / 2 >= levels.min(60) - 1, "{path} for {levels} levels");
        }
    }
}
