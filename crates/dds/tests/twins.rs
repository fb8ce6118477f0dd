//! Regular mode against the plain way, which reads into a tree first.

extern crate lengthwise_dds as dds;

mod support;

use dds::{Options, Reader};
use support::{Content, METHODS, Toolkit, service, spoiled};
use tam::{ErrorKind, Limits};
use test_support::Random;

/// Reads made-up and spoiled messages in both ways; how many were sound, and how many of those were
/// read in one pass.
fn compare(seed: u64, messages: usize) -> (usize, usize) {
    let mut random = Random::new(seed);
    let reader = Reader::new(service(), &Options::default());
    let (mut sound, mut at_once) = (0, 0);
    for n in 0..messages {
        let content = Content::made(&mut random, n % METHODS);
        let toolkit = Toolkit::made(&mut random);
        let mut message = content.write(&toolkit, &mut random);
        for _ in 0..random.below(3) {
            message = spoiled(&message, &mut random);
        }
        let (fast, plain) = (reader.read(&message), reader.read_plainly(&message));
        assert_eq!(fast, plain, "{}", String::from_utf8_lossy(&message));
        sound += usize::from(fast.is_ok());
        let one_pass = reader.is_read_in_one_pass(&message);
        assert!(!one_pass || fast.is_ok());
        at_once += usize::from(one_pass);
    }
    (sound, at_once)
}

#[test]
fn regular_mode_reads_what_the_plain_way_reads() {
    let (sound, at_once) = compare(1, test_support::rounds(10_000));
    assert!(sound > test_support::rounds(3_000) && at_once * 10 > sound * 9, "{sound} {at_once}");
}

#[test]
#[ignore = "minutes: make mutations"]
fn regular_mode_reads_what_the_plain_way_reads_a_million_times() {
    let (sound, at_once) = compare(2, 1_000_000);
    println!("{sound} of 1000000 messages are sound; {at_once} were read in one pass");
}

#[test]
fn every_cut_message_is_incomplete_or_not_yet_a_message() {
    let mut random = Random::new(3);
    let reader = Reader::new(service(), &Options::default());
    for method in 0..METHODS {
        let message =
            Content { rows: Vec::new(), ..Content::made(&mut random, method) }.write(&Toolkit::gsoap(), &mut random);
        for end in 0..message.len() {
            let error = reader.read(&message[..end]).unwrap_err();
            assert_eq!(error, reader.read_plainly(&message[..end]).unwrap_err());
            assert!(matches!(error.kind(), ErrorKind::Incomplete), "{error}");
        }
    }
}

#[test]
fn limits_hold_in_both_ways() {
    let mut random = Random::new(4);
    for depth in 0..8 {
        for units in [0, 3, 7, 20, 100] {
            let limits = Limits { depth, units, ..Limits::DEFAULT };
            let reader = Reader::new(service(), &Options::default().with_limits(limits));
            for method in 0..METHODS {
                let message = Content::made(&mut random, method).write(&Toolkit::made(&mut random), &mut random);
                assert_eq!(reader.read(&message), reader.read_plainly(&message));
            }
        }
    }
}
