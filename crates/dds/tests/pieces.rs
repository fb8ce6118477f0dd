//! Messages that arrive in pieces: read as if they had come at once.
#![allow(clippy::unwrap_used)]

extern crate lengthwise_dds as dds;

mod support;

use dds::{Matching, Options, Reader, Stats, Template};
use support::{Content, METHODS, Toolkit, service, spoiled};
use tam::{ErrorKind, Limits};
use test_support::Random;

fn feed(template: &mut Template, message: &[u8], pieces: &[usize]) -> Result<dds::Message, tam::Error> {
    let mut at = 0;
    for &piece in pieces {
        let end = (at + piece).min(message.len());
        template.feed(&message[at..end]).unwrap();
        at = end;
    }
    template.feed(&message[at..]).unwrap();
    template.finish().cloned()
}

/// A message and the one that follows it.
fn pair(random: &mut Random, method: usize) -> [Vec<u8>; 2] {
    let toolkit = Toolkit::made(random);
    let content = Content::made(random, method);
    let next = content.changed(random);
    [content, next].map(|content| content.write(&toolkit, &mut Random::new(5)))
}

#[test]
fn wherever_a_message_is_cut_it_is_read_as_a_whole() {
    let mut random = Random::new(1);
    let reader = Reader::new(service(), &Options::default().with_portion(64).with_piece(1));
    for method in 0..METHODS {
        let [first, second] = pair(&mut random, method);
        for cut in 0..=second.len() {
            let mut template = Template::new(reader.clone());
            assert_eq!(feed(&mut template, &first, &[cut]), reader.read(&first), "{cut}");
            let read = feed(&mut template, &second, &[cut]);
            assert_eq!(read, reader.read(&second), "{cut} of {}", String::from_utf8_lossy(&second));
        }
    }
}

/// Streams of messages in pieces of all sizes, some of them spoiled, some given up.
fn compare(seed: u64, messages: usize) -> Stats {
    let mut random = Random::new(seed);
    let mut all = Stats::default();
    let mut left = messages;
    while left > 0 {
        let matching = random.of(&[Matching::Exact, Matching::Exact, Matching::Keyed]);
        let options = Options::default().with_portion(random.of(&[32, 128, 512])).with_piece(random.of(&[1, 50, 500]));
        let options = options.with_matching(matching);
        let reader = Reader::new(service(), &options);
        let mut template = Template::new(reader.clone());
        let method = random.below(METHODS);
        let toolkit = Toolkit::made(&mut random);
        let mut content = Content::made(&mut random, method);
        for _ in 0..8.min(left) {
            left -= 1;
            content = content.changed(&mut random);
            let seed = if random.one_in(10) { random.next() } else { 5 };
            let mut message = content.write(&toolkit, &mut Random::new(seed));
            if random.one_in(8) {
                message = spoiled(&message, &mut random);
            }
            let most = random.of(&[3, 40, 400, 4_000]);
            let mut pieces = Vec::new();
            while pieces.iter().sum::<usize>() < message.len() {
                pieces.push(1 + random.below(most));
            }
            if random.one_in(20) {
                template.feed(&message[..message.len() / 2]).unwrap();
                let expected = reader.read(&message);
                assert_eq!(template.read(&mut message.clone()).cloned(), expected);
                continue;
            }
            let read = feed(&mut template, &message, &pieces);
            assert_eq!(read, reader.read(&message), "{}", String::from_utf8_lossy(&message));
            if let Ok(read) = read
                && matching == Matching::Exact
            {
                assert_eq!(template.last(), Some((&read, &message[..])));
            }
        }
        all += template.stats();
    }
    all
}

#[test]
fn streams_in_pieces_are_read_as_whole_messages_are() {
    let stats = compare(2, test_support::rounds(4_000));
    assert!(stats.regular < test_support::rounds(3_400) as u64 && stats.bytes_skipped > stats.bytes / 5, "{stats:?}");
}

#[test]
#[ignore = "minutes: make mutations"]
fn streams_in_pieces_are_read_as_whole_messages_are_half_a_million_times() {
    println!("{:?}", compare(3, 500_000));
}

#[test]
fn a_message_that_is_too_long_is_refused_as_soon_as_it_is() {
    let limits = Limits { message_bytes: 1_000, ..Limits::DEFAULT };
    let reader = Reader::new(service(), &Options::default().with_limits(limits));
    let mut template = Template::new(reader);
    template.feed(&[b' '; 700]).unwrap();
    let error = template.feed(&[b' '; 700]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(template.finish().unwrap_err().kind(), ErrorKind::Incomplete);
}
