//! Messages that mean harm: cut off, garbled, too deep, too wide, claiming what is not there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use std::thread;
use std::time::Duration;

use pon::{Options, Value};
use support::generate::{Random, spoiled};
use support::hold::{Outcome, depth, has_its_path, hold};
use support::samples::{nested, samples, wrapped};
use support::{Unit, tree};
use tam::{ErrorKind, Limits, Row, Table};
use test_support::memory::{Counting, cost};

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn samples_are_read_as_the_twin_reads_them() {
    let mut table = Table::new();
    for sample in samples() {
        for whole in [true, false] {
            assert_eq!(hold(&sample.message, whole, &mut table), Outcome::Read);
        }
    }
}

#[test]
fn every_prefix_of_every_sample_needs_more_and_with_its_length_exactly_what_is_missing() {
    for sample in samples() {
        let message = &sample.message;
        // Up to here the length is not whole; of a character it is its first byte.
        let head = message.iter().take_while(|c| c.is_ascii_digit()).count() + 1;
        let head = if matches!(message[0], b'c' | b'b') { 2 } else { head };
        let mut table = Table::new();
        for cut in 0..message.len() {
            let missing = (message.len() - cut) as u64;
            for error in [
                pon::read(&message[..cut], &Options::default(), &mut table).map(|_| ()).unwrap_err(),
                pon::read_prefix(&message[..cut], &Options::default(), &mut table).map(|_| ()).unwrap_err(),
                Value::new(&message[..cut]).unwrap_err(),
                Value::prefix(&message[..cut]).unwrap_err(),
            ] {
                assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}: {cut} of {sample:?}");
                assert_eq!(error.offset(), cut as u64, "{error}: {cut} of {sample:?}");
                let needed = error.needed().unwrap();
                match cut < head {
                    true => assert!((1..=missing).contains(&needed), "{error}: {needed} at {cut} of {sample:?}"),
                    false => assert_eq!(needed, missing, "{error}: at {cut} of {sample:?}"),
                }
            }
        }
        let (_, taken) = pon::read_prefix(message, &Options::default(), &mut table).unwrap();
        assert_eq!(taken, message.len());
    }
}

/// A receiver that waits for exactly the bytes that an error asks for gets every message, and does not wait often.
#[test]
fn a_message_that_arrives_as_it_is_asked_for_is_read() {
    for sample in samples() {
        let (mut arrived, mut tries) = (0, 0);
        loop {
            let mut table = Table::new();
            match pon::read_prefix(&sample.message[..arrived], &Options::default(), &mut table) {
                Ok((_, taken)) => break assert_eq!((arrived, taken), (sample.message.len(), arrived)),
                Err(error) => arrived += error.needed().unwrap() as usize,
            }
            tries += 1;
            assert!(arrived <= sample.message.len() && tries <= 4, "{tries} tries: {sample:?}");
        }
    }
}

/// Spoils samples `count` times; each is read as the twin reads it, or refused with a reason.
fn spoil(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let samples = samples();
    let mut table = Table::new();
    let (mut read, mut refused) = (0_u64, [0_u64; 3]);
    for _ in 0..count {
        let sample = &samples[random.below(samples.len())];
        let other = &samples[random.below(samples.len())].message;
        let message = spoiled(&mut random, &sample.units, &sample.message, other);
        let whole = !random.one_in(3);
        match hold(&message, whole, &mut table) {
            Outcome::Read => read += 1,
            Outcome::Refused(ErrorKind::Syntax) => refused[0] += 1,
            Outcome::Refused(ErrorKind::Incomplete) => refused[1] += 1,
            Outcome::Refused(_) => refused[2] += 1,
        }
        if let Err(error) = pon::read(&message, &Options::default().with_limits(Limits::NONE), &mut table) {
            has_its_path(&error, &message);
        }
    }
    let [syntax, incomplete, limit] = refused;
    println!("{count} mutations: {read} read, {syntax} no PON, {incomplete} not whole, {limit} beyond any length");
    assert!(read * 10 > count as u64 && syntax * 4 > count as u64 && limit > 0, "mutations that try little");
}

#[test]
fn spoiled_messages_are_read_as_the_twin_reads_them() {
    spoil(1, test_support::rounds(30_000));
}

#[test]
#[ignore = "long: `make mutations` runs it"]
fn ten_million_spoiled_messages_are_read_as_the_twin_reads_them() {
    spoil(2, 10_000_000);
}

/// What the cursor returns for a member or an item before the damage is correct. After it there is an error or nothing.
#[test]
fn lookups_in_damaged_messages_end_well() {
    let mut random = Random::new(3);
    let samples = samples();
    let paths = [
        "/key2",
        "/a/1/c",
        "/services/2/tags/1",
        "/0/0/0/0/0",
        "/~0~1/:",
        "",
        "/",
        "//",
        "/-1",
        "/99999999999999999999",
    ];
    for _ in 0..test_support::rounds(30_000) {
        let sample = &samples[random.below(samples.len())];
        let message = spoiled(&mut random, &sample.units, &sample.message, &samples[0].message);
        let Ok((object, taken)) = Value::prefix(&message) else { continue };
        let inside = |value: &Value<'_>| {
            assert!(value.offset() + value.data().len() <= taken);
            assert!(value.data() == &message[value.offset()..][..value.data().len()]);
        };
        for path in paths {
            match object.find(path) {
                Ok(found) => found.iter().for_each(inside),
                Err(error) => {
                    assert_eq!(error.kind() == ErrorKind::Incomplete, error.needed().is_some());
                    assert!(matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Limit), "{error}");
                    assert!(error.offset() <= taken as u64, "{error}: {}", message.escape_ascii());
                }
            }
        }
        for key in ["key2", "a:b", "", "\\", "17"] {
            let (first, sure) = (object.get(key), object.require(key));
            match (first, sure) {
                (Ok(Some(value)), Ok(same)) => {
                    inside(&value);
                    assert_eq!((value.kind(), value.offset()), (same.kind(), same.offset()));
                    let mut by_hand = object.members().take_while(|member| member.is_ok()).flatten();
                    match by_hand.find(|(name, _)| *name == *key) {
                        Some((_, first)) => assert_eq!(first.offset(), value.offset()),
                        // Keys before it are compared, and their UTF-8 is not looked at.
                        None => assert!(object.members().any(|member| member.is_err())),
                    }
                }
                (Ok(None), Err(error)) => assert_eq!(error.kind(), ErrorKind::Schema, "{error}"),
                (Err(error), Err(same)) => assert_eq!(error.to_string(), same.to_string()),
                (first, sure) => panic!("{first:?} {sure:?}: {}", message.escape_ascii()),
            }
        }
        for index in [0, 1, 5, usize::MAX] {
            if let Ok(Some(value)) = object.at(index) {
                inside(&value);
            }
        }
        // Whatever it is asked for, of whatever kind.
        for value in object.items().flatten().chain(object.members().flatten().map(|(_, value)| value)) {
            let _ = (value.as_bool(), value.as_i64(), value.as_u64(), value.as_f64(), value.as_str());
            let _ = (value.as_bytes(), value.as_char(), value.as_byte(), value.is_null());
        }
    }
}

#[test]
fn a_million_levels_are_a_matter_of_the_limit() {
    let levels = test_support::rounds(1_000_000);
    let work = move || {
        for message in [nested(levels, b""), wrapped(levels)] {
            let mut table = Table::new();
            let error = pon::read(&message, &Options::default(), &mut table).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
            assert!(
                error.to_string().ends_with("found one more level, expected at most 1000 (limit depth)"),
                "{error}"
            );
            let limits = |depth| Limits { depth, ..Limits::default() };
            let options = Options::default().with_limits(limits(levels as u32 - 1));
            pon::read(&message, &options, &mut table).unwrap_err();
            let options = Options::default().with_limits(limits(levels as u32));
            let document = pon::read(&message, &options, &mut table).unwrap();
            assert!(document.units() >= levels);
            assert!(pon::write(&document).unwrap() == message);
            assert_eq!(pon::encoded_len(&document).unwrap(), message.len());
            // The cursor keeps no levels.
            let mut value = Value::new(&message).unwrap();
            let mut found = 1;
            while let Some(next) = value.items().next().or_else(|| value.members().nth(1).map(|m| m.map(|(_, v)| v))) {
                value = next.unwrap();
                found += usize::from(value.kind().is_container());
            }
            assert_eq!(found, levels);
        }
    };
    // What recursed would need far more than this.
    thread::Builder::new().stack_size(64 * 1024).spawn(work).unwrap().join().unwrap();
    #[cfg(feature = "serde")]
    for message in [nested(levels, b""), wrapped(levels)] {
        let error = pon::from_slice::<support::dynamic::Dynamic>(&message).unwrap_err();
        assert!(error.to_string().ends_with("found one more level, expected at most 128 (limit depth)"), "{error}");
        // What is skipped is skipped whole.
        pon::from_slice::<serde::de::IgnoredAny>(&message).unwrap();
    }
}

#[test]
fn the_depth_limit_counts_containers_from_the_outermost_one() {
    let read = |message: &[u8], depth| {
        let options = Options::default().with_limits(Limits { depth, ..Limits::default() });
        pon::read(message, &options, &mut Table::new()).map(|_| ()).map_err(|error| error.to_string())
    };
    for (message, levels) in [
        (&b"t"[..], 0),
        (b"5shello", 0),
        (b"0[", 1),
        (b"0{", 1),
        (b"1[t", 1),
        (b"3[1[t", 2),
        (b"9{a:2[0[b:t", 3),
        (b"4[0[0[", 2),
        (b"5[3[1[t", 3),
    ] {
        assert_eq!(read(message, levels), Ok(()), "{}", message.escape_ascii());
        if levels > 0 {
            let error = read(message, levels - 1).unwrap_err();
            assert!(error.starts_with("limit at byte"), "{error}");
            let words = format!("found one more level, expected at most {} (limit depth)", levels - 1);
            assert!(error.ends_with(&words), "{error}");
        }
    }
    // The place and the path are those of the container that is too deep.
    for (depth, place) in [(2, "byte 8 in /a/1"), (1, "byte 5 in /a")] {
        let words = format!("limit at {place}: found one more level, expected at most {depth} (limit depth)");
        assert_eq!(read(b"8{a:4[u1[t", depth), Err(words));
    }
    for depth in [1, 2, 63, 64, 65, 999, 1000] {
        for message in [nested(depth, b""), nested(depth, b"t"), wrapped(depth)] {
            assert_eq!(read(&message, depth as u32), Ok(()));
        }
        for message in [nested(depth + 1, b"t"), wrapped(depth + 1), wrapped(depth + 40)] {
            let error = read(&message, depth as u32).unwrap_err();
            assert!(error.contains("(limit depth)"), "{error}");
        }
    }
}

#[test]
fn the_unit_limit_counts_all_values() {
    let read = |message: &[u8], units| {
        let options = Options::default().with_limits(Limits { units, ..Limits::default() });
        pon::read(message, &options, &mut Table::new()).map(|_| ()).map_err(|error| error.to_string())
    };
    for (message, units) in [(&b"t"[..], 1), (b"0{", 1), (b"2[tt", 3), (b"6{a:tb:t", 3), (b"6[3[ttuu", 6)] {
        assert_eq!(read(message, units), Ok(()), "{}", message.escape_ascii());
        assert_eq!(read(message, u32::MAX), Ok(()));
        for units in 0..units {
            let error = read(message, units).unwrap_err();
            assert!(error.starts_with("limit at byte"), "{error}");
            assert!(error.ends_with(&format!("found more units, expected at most {units} (limit units)")), "{error}");
        }
    }
    let many = [b"1000[".to_vec(), b"t".repeat(1000)].concat();
    for units in [1, 10, 100, 132, 133, 134, 135, 250, 251, 252, 256, 999, 1000] {
        let error = read(&many, units).unwrap_err();
        let (at, index) = (5 + units - 1, units - 1);
        let words = format!("limit at byte {at} in /{index}: found more units, expected at most {units} (limit units)");
        assert_eq!(error, words, "the first that is too many");
    }
    assert_eq!(read(&many, 1001), Ok(()));
}

#[test]
fn the_byte_limit_is_of_the_message_not_of_the_buffer() {
    let message = b"26{key1:6svalue1key2:6svalue2";
    let options = |message_bytes| Options::default().with_limits(Limits { message_bytes, ..Limits::default() });
    let len = message.len() as u32;
    let mut table = Table::new();
    pon::read(message, &options(len), &mut table).unwrap();
    for bytes in 0..len {
        let words = format!("found a longer message, expected at most {bytes} (limit message_bytes)");
        let error = pon::read(message, &options(bytes), &mut table).unwrap_err();
        assert_eq!((error.kind(), error.to_string().ends_with(&words)), (ErrorKind::Limit, true), "{error}");
        for buffer in [&message[..], &message[..3], &message.repeat(3)] {
            let error = pon::read_prefix(buffer, &options(bytes), &mut table).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}: waiting for more would be in vain");
            assert!(error.to_string().ends_with(&words), "{error}");
        }
    }
    // Many messages in one buffer are many messages.
    let buffer = message.repeat(9);
    let (_, taken) = pon::read_prefix(&buffer, &options(len), &mut table).unwrap();
    assert_eq!(taken, message.len());
    // One that is still arriving, and within the limit, is waited for.
    let error = pon::read_prefix(&message[..9], &options(len), &mut table).unwrap_err();
    assert_eq!((error.kind(), error.needed()), (ErrorKind::Incomplete, Some(20)), "{error}");
}

#[test]
fn rows_lent_are_enough_or_the_limit_is_named() {
    for sample in samples() {
        let message = &sample.message;
        let units = sample.units.len();
        let mut most = vec![Row::EMPTY; units];
        let mut lent = Table::in_rows(&mut most);
        let document = pon::read(message, &Options::default(), &mut lent).unwrap();
        assert_eq!(tree(&document), sample.units);
        for rows in (0..units).step_by(1 + units / 40) {
            let mut few = vec![Row::EMPTY; rows];
            let mut lent = Table::in_rows(&mut few);
            let error = pon::read(message, &Options::default(), &mut lent).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
            let words = format!("found more units than rows lent, expected at most {rows} (limit rows)");
            assert!(error.to_string().ends_with(&words), "{error}");
            // The table is none the worse for it.
            if rows > 0 {
                assert_eq!(pon::read(b"2i49", &Options::default(), &mut lent).unwrap().units(), 1);
            }
        }
    }
}

/// An error has few words, and a path of up to 64 levels.
const WORDS: usize = 4096;

/// Reading costs at most twenty times the message and the words of an error, both ways, and what is
/// read is written in no more than itself and what is open.
fn is_cheap(message: &[u8]) {
    let bound = 20 * message.len() + WORDS;
    let shown = || message[..message.len().min(60)].escape_ascii().to_string();
    let options = Options::default().with_limits(Limits::NONE);
    let (_, peak, _) = cost(|| pon::read(message, &options, &mut Table::new()).map(|document| document.units()));
    assert!(peak <= bound, "{peak} bytes for {}: {}", message.len(), shown());
    let (_, peak, _) = cost(|| pon::read_prefix(message, &options, &mut Table::new()).map(|(_, taken)| taken));
    assert!(peak <= bound, "{peak} bytes for {}, as a prefix: {}", message.len(), shown());
}

/// A node of a type and its data.
fn node(tag: u8, data: &[u8]) -> Vec<u8> {
    [data.len().to_string().as_bytes(), &[tag], data].concat()
}

#[test]
fn a_fresh_table_costs_three_allocations_and_a_used_one_none() {
    for len in [0, 1, 2, 3, 10, 100, 10_000] {
        for message in [
            node(b'[', &b"t".repeat(len)),
            node(b'[', &b"0s".repeat(len)),
            node(b'{', &b"k:t".repeat(len)),
            node(b'{', &b"key1:6svalue1".repeat(len)),
            nested(len, b"t"),
            wrapped(len + 1),
        ] {
            let options = Options::default().with_limits(Limits::NONE);
            let mut table = Table::new();
            let (units, _, allocations) = cost(|| pon::read(&message, &options, &mut table).unwrap().units());
            assert!(allocations <= 3, "{allocations} allocations for {units} units");
            let (_, peak, allocations) = cost(|| pon::read(&message, &options, &mut table).unwrap().units());
            assert_eq!((peak, allocations), (0, 0), "a table used before");
            is_cheap(&message);
        }
    }
}

/// What costs most: a row of 16 bytes for each byte of message, and names beside it.
#[test]
fn the_smallest_values_cost_no_more_than_the_bound() {
    for len in [1, 7, 100, 9_000, 40_000] {
        for unit in [
            &b"t"[..],
            b"u",
            b"0s",
            b"0[",
            b":t",
            b"0:t",
            b"1:u",
            b"[:t",
            b"{:f",
            br"\::t",
            br"\\:t",
            b"'#%:t",
            b"[[[[[[[[[[[[[[[[:t",
        ] {
            let tag = if unit.contains(&b':') { b'{' } else { b'[' };
            is_cheap(&node(tag, &unit.repeat(len)));
            is_cheap(&node(tag, &[&unit.repeat(len), &b"x"[..]].concat()));
            // After something large, where their number is unknown.
            let large = node(b'y', &vec![0; 3 * len]);
            let large = if tag == b'{' { [b"k:", &large[..]].concat() } else { large };
            is_cheap(&node(tag, &[&large, &unit.repeat(len)[..]].concat()));
            let inside = node(tag, &unit.repeat(len));
            is_cheap(&nested(20, &inside));
        }
        is_cheap(&node(b'{', &[&b"[".repeat(len), &b":t"[..]].concat()));
        is_cheap(&node(b'{', &[&br"\:".repeat(len), &b":t"[..]].concat()));
    }
}

#[test]
fn spoiled_messages_cost_no_more_than_sound_ones_may() {
    let mut random = Random::new(6);
    let samples = samples();
    for _ in 0..test_support::rounds(8_000) {
        let sample = &samples[random.below(samples.len())];
        is_cheap(&spoiled(&mut random, &sample.units, &sample.message, &sample.message));
    }
}

#[test]
fn what_is_claimed_and_not_there_is_not_allocated() {
    for message in [&b"4000000000[tttt"[..], b"4294967295{a:t", b"12[4000000000[t", b"4000000000y0123", b"3[2[t"] {
        let options = Options::default().with_limits(Limits::NONE);
        let mut table = Table::new();
        let (error, peak, _) = cost(|| pon::read(message, &options, &mut table).unwrap_err());
        assert!(peak <= 1024, "{peak} bytes: {error}");
        drop(error);
        #[cfg(feature = "serde")]
        {
            let (read, peak, _) = cost(|| pon::from_slice::<support::dynamic::Dynamic>(message));
            assert!(peak <= 2048, "{peak} bytes");
            read.unwrap_err();
        }
    }
}

/// Where an error has most to say: a long path, of keys that take room when they are shown.
#[test]
fn errors_of_long_keys_cost_no_more_than_the_bound() {
    for key in [&b"n"[..], b"/", b"~", b"\0", b"\x7F", "\u{80}".as_bytes(), br"\:", br"\\"] {
        for (levels, len) in [(1, 10), (1, 40_000), (2, 16_400), (10, 3_000), (60, 1000), (300, 100), (63, 2)] {
            let key = [&key.repeat(len / key.len()), &b":"[..]].concat();
            for end in [&b"x"[..], b"1", b"5[x", b"1i-", b"3[1[x"] {
                let mut message = end.to_vec();
                for _ in 0..levels {
                    message = node(b'{', &[&key, &message[..]].concat());
                }
                is_cheap(&message);
            }
        }
    }
}

/// The path of an error names the values it lies in, as far as it keeps them.
#[test]
fn a_path_has_no_more_levels_than_it_keeps() {
    for levels in [1, 2, 63, 64, 65, 66, 500] {
        let message = nested(levels, b"x");
        let error = pon::read(&message, &Options::default(), &mut Table::new()).unwrap_err();
        let whole = "/0".repeat(levels.min(64));
        let path = if levels > 64 { whole + "/…" } else { whole };
        assert_eq!(error.path(), path, "{levels} levels");
    }
}

/// Shapes that would take hours if anything of them were looked at again and again: twice the bytes
/// may take no more than twice the time, give or take what else the machine does.
#[test]
fn time_is_linear() {
    /// Messages of about so many bytes.
    fn shapes(size: usize) -> Vec<Vec<u8>> {
        let long_key = [&b"k".repeat(size), &b":t"[..]].concat();
        vec![
            node(b'[', &b"t".repeat(size)),
            node(b'{', &b"a:t".repeat(size / 3)),
            node(b'{', &b":t".repeat(size / 2)),
            node(b'{', &br"\::t".repeat(size / 4)),
            node(b'{', &long_key),
            node(b'{', &b"k".repeat(size)),
            node(b'{', &br"\:".repeat(size / 2)),
            node(b'{', &[&b"a:t".repeat(size / 3), &b"a:x"[..]].concat()),
            node(b'[', &[&b"t".repeat(size), &b"x"[..]].concat()),
            nested(size / 7, b""),
            nested(size / 7, b"x"),
            wrapped(size / 13),
            // A long run in each of many levels, and the fault in the innermost one.
            (0..64).fold(b"x".to_vec(), |inner, _| node(b'[', &[&b"t".repeat(size / 64), &inner[..]].concat())),
            (0..64).fold(b"a:x".to_vec(), |inner, _| {
                let inner = node(b'{', &inner);
                [&b"a:t".repeat(size / 192), &b"a:"[..], &inner].concat()
            }),
            b"9".repeat(size),
            b"0".repeat(size),
            node(b's', "\u{1F98B}".repeat(size / 4).as_bytes()),
            node(b'd', &b"1".repeat(size)),
            node(b'i', &[&b"1".repeat(size), &b"x"[..]].concat()),
        ]
    }
    let time = |message: &[u8], times: usize| -> Duration {
        let options = Options::default().with_limits(Limits::NONE);
        let mut table = Table::new();
        let work = || {
            let read = pon::read(message, &options, &mut table).map(|document| pon::write(&document).unwrap().len());
            std::hint::black_box(&read);
            let _ = Value::new(message).map(|value| std::hint::black_box(value.find("/a/b/c").is_ok()));
            #[cfg(feature = "serde")]
            let _ = std::hint::black_box(pon::from_slice::<support::dynamic::Dynamic>(message).is_ok());
        };
        test_support::cost::timed(|| std::iter::repeat_with(work).take(times).count()).1
    };
    for (small, large) in shapes(1 << 13).iter().zip(shapes(1 << 18)) {
        // As many bytes, in 32 messages; what is not linear would take 32 times as long. Systems count processor time in
        // milliseconds.
        let in_parts: Duration = (0..3).map(|_| time(small, 32)).min().unwrap();
        let bound = in_parts.max(test_support::seconds(1) / 100) * 6;
        let taken = (0..3).map(|_| time(&large, 1)).min().unwrap();
        let shown = large[..large.len().min(20)].escape_ascii().to_string();
        assert!(taken < bound, "{taken:?} for {} bytes, {in_parts:?} in 32 messages: {shown}", large.len());
    }
}

/// The samples try what they should.
#[test]
fn the_samples_are_of_every_kind() {
    let all: Vec<Unit> = samples().into_iter().flat_map(|sample| sample.units).collect();
    for kind in 0..10 {
        let is = |unit: &&Unit| {
            use support::Data::*;
            let number = match &unit.data {
                Null => 0,
                Boolean(_) => 1,
                Integer(_) => 2,
                Float(_) => 3,
                String(_) => 4,
                Binary(_) => 5,
                Char(_) => 6,
                Byte(_) => 7,
                Array(_) => 8,
                Object(_) => 9,
            };
            number == kind
        };
        assert!(all.iter().filter(is).count() > 10, "few of kind {kind}");
    }
    assert!(samples().iter().any(|sample| depth(&sample.units) >= 40));
}

/// Octets are not nodes: a message of one large payload needs a few rows.
#[test]
fn a_large_payload_takes_no_rows() {
    for len in [50_000, 5_000_000] {
        let inner = [format!("id:1i7image:{len}y").as_bytes(), &vec![b't'; len], b"ok:t"].concat();
        let message = [format!("{}{{", inner.len()).as_bytes(), &inner].concat();
        let message = [format!("{}[", message.len()).as_bytes(), &message].concat();
        let mut table = Table::new();
        let (units, peak, _) = cost(|| pon::read(&message, &Options::default(), &mut table).unwrap().units());
        assert_eq!(units, 5);
        assert!(peak <= 4096, "{peak} bytes");
    }
}
