//! Rust's own types from and to streams: each call takes the bytes of one message, and no more.
#![cfg(all(feature = "serde", feature = "std"))]
#![allow(clippy::unwrap_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use std::io::{self, Read, Write};

use pon::Options;
use serde::de::DeserializeOwned;
use support::dynamic::Dynamic;
use support::generate::{Random, spoiled, tree};
use support::samples::nested;
use support::twin;
use tam::{ErrorKind, Limits};

const ATTIC: &[u8] = b"37{room:5sattict:4d21.5ok:tcal:7[2i-11i8";

/// Gives out bytes in pieces of any length, with interruptions, and fails or panics at the end.
struct Pieces<'m> {
    rest: &'m [u8],
    random: Random,
}

impl Read for Pieces<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.random.one_in(8) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = room.len().min(1 + self.random.below(9));
        self.rest.read(&mut room[..most])
    }
}

/// NaN is itself here.
fn shown(value: &Result<Dynamic, pon::Error>) -> String {
    format!("{value:?}")
}

fn limited(limits: Limits) -> Options {
    Options::default().with_limits(limits)
}

#[test]
fn messages_that_follow_each_other_are_read_one_by_one() {
    let mut random = Random::new(21);
    for round in 0..test_support::rounds(2_000) {
        let messages: Vec<Vec<u8>> = (0..=random.below(4)).map(|_| twin::write(&tree(&mut random, 20))).collect();
        let stream = messages.concat();
        let mut pieces = Pieces { rest: &stream, random: Random::new(round as u64) };
        let mut taken = 0;
        for message in &messages {
            let value = pon::from_reader::<Dynamic>(&mut pieces, &Options::default());
            assert_eq!(shown(&value), shown(&pon::from_slice(message)), "{}", message.escape_ascii());
            taken += message.len();
            assert_eq!(stream.len() - pieces.rest.len(), taken, "{}", message.escape_ascii());
        }
        let error = pon::from_reader::<Dynamic>(&mut pieces, &Options::default()).unwrap_err();
        assert_eq!((error.kind(), error.offset(), error.needed()), (ErrorKind::Incomplete, 0, Some(1)));
    }
}

/// Whatever is wrong with a message, a stream says what a slice says, and has taken no byte after the message.
#[test]
fn a_stream_says_what_a_slice_says() {
    let mut random = Random::new(22);
    let options = limited(Limits::NONE);
    for round in 0..test_support::rounds(10_000) {
        let units = tree(&mut random, 20);
        let message = spoiled(&mut random, &units, &twin::write(&units), ATTIC);
        let mut pieces = Pieces { rest: &message, random: Random::new(round as u64) };
        let streamed = pon::from_reader::<Dynamic>(&mut pieces, &options);
        let taken = message.len() - pieces.rest.len();
        match pon::from_prefix::<Dynamic>(&message) {
            Ok((value, len)) => {
                assert_eq!((shown(&streamed), taken), (shown(&Ok(value)), len), "{}", message.escape_ascii());
            }
            Err(error) => {
                let other = streamed.unwrap_err();
                // A message is at most 4 GiB, its head included; a slice cannot be about that long.
                let huge = error.needed().is_some_and(|needed| needed > 1 << 31);
                let same = (other.kind(), other.offset()) == (error.kind(), error.offset());
                assert!(
                    same || huge && other.kind() == ErrorKind::Limit,
                    "{other} {error}: {}",
                    message.escape_ascii()
                );
            }
        }
    }
}

/// A stream that ends early is incomplete, wherever it ends, and the error says how much is missing.
#[test]
fn every_prefix_is_incomplete() {
    for len in 0..ATTIC.len() {
        let error = pon::from_reader::<Dynamic>(&ATTIC[..len], &Options::default()).unwrap_err();
        let whole = pon::from_slice::<Dynamic>(&ATTIC[..len]).unwrap_err();
        assert_eq!(error, whole, "{len}");
        assert_eq!(error.kind(), ErrorKind::Incomplete, "{len}: {error}");
    }
}

/// No byte is asked for after the last one: the other side may wait for an answer.
#[test]
fn nothing_is_asked_for_after_the_message() {
    struct Ends<'m>(&'m [u8]);
    impl Read for Ends<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty() && room.len() <= self.0.len(), "more than the message is asked for");
            self.0.read(room)
        }
    }
    for message in [&b"t"[..], b"u", b"bA", b"cA", "c\u{1F98B}".as_bytes(), b"0s", b"5shello", b"0[", ATTIC] {
        pon::from_reader::<Dynamic>(Ends(message), &Options::default()).unwrap();
    }
    pon::from_reader::<String>(Ends(format!("{}s{}", 100_000, "x".repeat(100_000)).as_bytes()), &Options::default())
        .unwrap();
}

#[test]
fn a_message_beyond_the_limit_is_refused_by_its_head() {
    let options = limited(Limits { message_bytes: 9, ..Limits::default() });
    assert_eq!(pon::from_reader::<String>(&b"7svibrate"[..], &options).unwrap(), "vibrate");
    for message in [&b"8svibrated"[..], b"99999999s", b"4294967295y", b"4294967296y", b"99999999999"] {
        let mut rest = message;
        let error = pon::from_reader::<String>(&mut rest, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert!(message.len() - rest.len() <= 11, "{error}");
    }
}

/// What a length announces costs nothing before it comes.
#[test]
fn an_announced_length_takes_no_memory() {
    struct Room(usize);
    impl Read for Room {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.0 = self.0.max(room.len());
            Ok(0)
        }
    }
    let mut room = Room(0);
    let announced = b"1000000000y".as_slice().chain(&mut room);
    let error = pon::from_reader::<Dynamic>(announced, &Options::default()).unwrap_err();
    assert_eq!((error.kind(), error.needed()), (ErrorKind::Incomplete, Some(1_000_000_000)));
    assert!(room.0 < 64 * 1024, "{} bytes of room", room.0);
}

#[test]
fn the_depth_is_that_of_the_options_and_128_at_most() {
    let options = limited(Limits { depth: 3, ..Limits::default() });
    pon::from_reader::<Dynamic>(&nested(3, b"t")[..], &options).unwrap();
    let error = pon::from_reader::<Dynamic>(&nested(4, b"t")[..], &options).unwrap_err();
    assert!(error.to_string().ends_with("found one more level, expected at most 3 (limit depth)"), "{error}");
    let options = limited(Limits { depth: 10_000, ..Limits::default() });
    pon::from_reader::<Dynamic>(&nested(128, b"t")[..], &options).unwrap();
    assert_eq!(pon::from_reader::<Dynamic>(&nested(129, b"t")[..], &options).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn what_the_stream_refuses_is_of_the_kind_io() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("cable out"))
        }
    }
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("cable out"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = pon::from_reader::<String>(b"5she".chain(Broken), &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "io at byte 4: found cable out, expected the message to be read");
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "cable out");
    let error = pon::to_writer("hello", Broken).unwrap_err();
    assert_eq!(error.to_string(), "io at byte 0: found cable out, expected the message to be written");
    // What cannot be written as a message is not begun.
    let mut out = Vec::new();
    let map = std::collections::BTreeMap::from([((), 1)]);
    assert_eq!(pon::to_writer(&map, &mut out).unwrap_err().kind(), ErrorKind::Unsupported);
    assert!(out.is_empty());
}

/// Each read but the second, fourth and so on brings one byte; those fail.
struct Patient<'m>(&'m [u8], bool);

impl Read for Patient<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        (&mut self.0).take(1).read(into)
    }
}

/// Reads a message in spite of timeouts.
fn patiently<T: DeserializeOwned>(messages: &mut pon::MessageReader<Patient<'_>>) -> Result<T, pon::Error> {
    loop {
        let error = match messages.read() {
            Err(error) if error.kind() == ErrorKind::Io => error,
            other => return other,
        };
        let source = std::error::Error::source(&error).unwrap().downcast_ref::<io::Error>().unwrap();
        assert_eq!((source.kind(), error.offset()), (io::ErrorKind::TimedOut, messages.begun().len() as u64));
    }
}

#[test]
fn what_came_before_a_timeout_is_kept() {
    let stream = [pon::to_vec("hello").unwrap(), pon::to_vec(&17).unwrap(), pon::to_vec("x").unwrap()].concat();
    let mut messages = pon::MessageReader::new(Patient(&stream, false), Options::default());
    assert_eq!(patiently::<String>(&mut messages).unwrap(), "hello");
    // A message of another type is read, and the next one comes after it.
    assert_eq!(patiently::<String>(&mut messages).unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(patiently::<String>(&mut messages).unwrap(), "x");
    let end = patiently::<String>(&mut messages).unwrap_err();
    assert_eq!((end.kind(), end.offset()), (ErrorKind::Incomplete, 0));
}
