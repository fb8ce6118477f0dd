//! Fast ways held against slow ones: names found by blocks and by bytes, heads read short and
//! whole, characters counted together and one by one, faults found and explained.

use std::{format, println, vec::Vec};

use tam::{Limits, Row, Table, TypeSet};
use test_support::{rounds, stride};

use crate::Lengths;
use crate::head::{near, whole};
use crate::names::{ByBytes, NameEnd};
use crate::scan::{Scanned, Stop, scan_by};
use crate::support::generate::{Random, mutate};
use crate::support::samples::samples;
use crate::{chars, explain};

type Read = Result<(usize, Vec<Row>), Stop>;

fn rows(scanned: Result<Scanned, Stop>, table: &mut Table<'_>) -> Read {
    scanned.map(|scanned| (scanned.bytes, table.room()[..scanned.rows as usize].to_vec()))
}

fn by_bytes<const CHARS: bool>(message: &[u8], types: &TypeSet, limits: &Limits, roots: u32) -> Read {
    let mut table = Table::new();
    let scanned = scan_by::<CHARS, _>(message, message.len(), types, limits, roots, &mut table, ByBytes(types));
    rows(scanned, &mut table)
}

/// `None` where the processor or the set is not made for vectors.
#[cfg(target_arch = "x86_64")]
fn by_vectors<const CHARS: bool>(message: &[u8], types: &TypeSet, limits: &Limits, roots: u32) -> Option<Read> {
    let mut table = Table::new();
    let scanned = crate::vector::scan::<CHARS>(message, message.len(), types, limits, roots, &mut table)?;
    Some(rows(scanned, &mut table))
}

#[cfg(not(target_arch = "x86_64"))]
fn by_vectors<const CHARS: bool>(_: &[u8], _: &TypeSet, _: &Limits, _: u32) -> Option<Read> {
    None
}

/// Spoils samples `count` times and reads what comes of it both ways.
fn both_ways(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let samples = samples();
    let (mut read, mut refused, mut compared) = (0, 0, 0);
    for _ in 0..count {
        let sample = &samples[random.below(samples.len())];
        let other = &samples[random.below(samples.len())].message;
        let mut message = sample.message.clone();
        mutate(&mut random, &mut message, other, &sample.set);
        let roots = 1 + u32::from(random.one_in(8));
        let depth = if random.one_in(8) { random.below(4) as u32 } else { u32::MAX };
        let limits = Limits { depth, ..Limits::NONE };
        let options = sample.options().with_limits(limits);
        let types = &sample.set.types;
        let (slow, fast) = match sample.lengths {
            Lengths::Bytes => (
                by_bytes::<false>(&message, types, &limits, roots),
                by_vectors::<false>(&message, types, &limits, roots),
            ),
            Lengths::Chars => {
                (by_bytes::<true>(&message, types, &limits, roots), by_vectors::<true>(&message, types, &limits, roots))
            }
        };
        if let Some(fast) = fast {
            assert_eq!(fast, slow, "{types:?} {}", message.escape_ascii());
            compared += 1;
        }
        let deep = match slow {
            Ok(_) => {
                read += 1;
                continue;
            }
            Err(Stop::Depth(at)) => Some(at),
            Err(_) => None,
        };
        refused += 1;
        let error = explain::explain(&message, &options, roots, deep);
        assert!(!format!("{error}").contains("a message refused"), "not explained: {}", message.escape_ascii());
        assert!(deep.is_none() || format!("{error}").contains("limit depth"), "{error}");
    }
    println!("{count} mutations: {read} read, {refused} refused, {compared} by vectors and by bytes alike");
    if compared == 0 {
        test_support::skipped("this processor has no AVX2");
    }
}

#[test]
fn names_are_found_alike_by_blocks_and_by_bytes() {
    both_ways(1, rounds(60_000));
}

#[test]
#[ignore = "long: `make mutations` runs it"]
fn ten_million_names_are_found_alike() {
    both_ways(2, 10_000_000);
}

/// A sample as it is, at every place of a window, is read the same by blocks and by bytes.
#[test]
fn whole_messages_are_read_alike_wherever_they_end() {
    for sample in samples() {
        let types = &sample.set.types;
        for padding in (0..70).step_by(stride(23)) {
            let mut message = sample.message.clone();
            message.resize(message.len() + padding, b'7');
            let (slow, fast) = match sample.lengths {
                Lengths::Bytes => (
                    by_bytes::<false>(&message, types, &Limits::NONE, 1),
                    by_vectors::<false>(&message, types, &Limits::NONE, 1),
                ),
                Lengths::Chars => (
                    by_bytes::<true>(&message, types, &Limits::NONE, 1),
                    by_vectors::<true>(&message, types, &Limits::NONE, 1),
                ),
            };
            assert_eq!(slow.as_ref().map(|read| read.0), Ok(sample.message.len()), "{sample:?}");
            assert!(fast.is_none_or(|fast| fast == slow), "{sample:?}");
        }
    }
}

#[test]
fn heads_are_read_alike_in_the_window_and_whole() {
    let mut random = Random::new(3);
    for sample in samples() {
        for _ in 0..rounds(200) {
            let mut message = sample.message.clone();
            mutate(&mut random, &mut message, b"", &sample.set);
            let at = random.below(message.len() + 1);
            let types = &sample.set.types;
            assert_eq!(near(&message[at..], types, ByBytes(types)), whole(&message[at..], types));
        }
    }
}

/// A `NameEnd` that never finds an end, so that every head is read by the slow path.
#[test]
fn an_inconclusive_window_is_not_an_error() {
    #[derive(Clone, Copy)]
    struct Blind;
    impl NameEnd for Blind {
        fn end(self, _: &[u8; 64], _: usize) -> Option<usize> {
            None
        }
    }
    let message = "3name<".repeat(20);
    assert_eq!(near(message.as_bytes(), TypeSet::XML, Blind), whole(message.as_bytes(), TypeSet::XML));
}

/// Where `count` characters end, by decoding them one after the other.
fn slow_end(data: &[u8], count: usize) -> Option<usize> {
    let valid = match core::str::from_utf8(data) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(&data[..error.valid_up_to()]).ok()?,
    };
    valid.char_indices().map(|(at, _)| at).chain([valid.len()]).nth(count)
}

#[test]
fn characters_end_where_decoding_ends_them() {
    let mut random = Random::new(4);
    let pieces: [&[u8]; 9] = [
        b"a",
        b"12345678",
        "\u{E9}".as_bytes(),
        "\u{6E29}".as_bytes(),
        "\u{1F98B}".as_bytes(),
        b"\x80",
        b"\xFF",
        b"\xC3",
        b"\xED\xA0\x80",
    ];
    for round in 0..rounds(40_000) {
        let sound = round % 2 == 0;
        let mut data = Vec::new();
        for _ in 0..random.below(30) {
            data.extend_from_slice(pieces[random.below(if sound { 5 } else { pieces.len() })]);
        }
        let count = random.below(data.len() + 3);
        let start = random.below(3);
        let message = [&[b'x'; 3][..start], &data].concat();
        let expected = slow_end(&data, count).map(|end| start + end);
        assert_eq!(chars::end(&message, start, count), expected, "{count} of {}", data.escape_ascii());
        let counted = core::str::from_utf8(&data).map(|text| text.chars().count());
        assert_eq!(chars::count(&data).ok(), counted.ok());
    }
}
