//! Differential mode against regular mode: equal, always.

mod support;

use dds::{Options, Reader, Stats, Template};
use support::{Content, METHODS, Toolkit, service, spoiled};
use test_support::Random;

/// Reads streams of messages that differ from one to the next, and each message by itself.
fn compare(seed: u64, pairs: usize) -> Stats {
    let mut random = Random::new(seed);
    let mut all = Stats::default();
    let mut left = pairs;
    while left > 0 {
        let portion = random.of(&[32, 64, 256, 1024]);
        let reader = Reader::new(service(), &Options::default().with_portion(portion));
        let mut template = Template::new(reader.clone());
        let method = random.below(METHODS);
        let mut content = Content::made(&mut random, method);
        let mut toolkit = Toolkit::made(&mut random);
        for _ in 0..8.min(left) {
            left -= 1;
            if random.one_in(30) {
                toolkit = Toolkit::made(&mut random);
            }
            if random.one_in(3) && toolkit.header.is_some() {
                toolkit.header = Some(random.next() % 1000);
            }
            content = content.changed(&mut random);
            // The odd choices of writing are the same from message to message, mostly.
            let seed = if random.one_in(10) { random.next() } else { 5 };
            let mut message = content.write(&toolkit, &mut Random::new(seed));
            if random.one_in(5) {
                message = spoiled(&message, &mut random);
            }
            let text = message.clone();
            let expected = reader.read(&message);
            let before = template.last().map(|(_, bytes)| bytes.to_vec()).unwrap_or_default();
            let read = template.read(&mut message).cloned();
            assert!(
                read == expected,
                "{}\nafter\n{}\nis {read:?}\nnot {expected:?}",
                String::from_utf8_lossy(&text),
                String::from_utf8_lossy(&before)
            );
            match read {
                Ok(read) => assert_eq!(template.last(), Some((&read, &text[..]))),
                Err(_) => assert_eq!(message, text),
            }
        }
        all += template.stats();
    }
    all
}

#[test]
fn differential_mode_reads_what_regular_mode_reads() {
    let stats = compare(1, 12_000);
    assert!(stats.regular < 9_000 && stats.bytes_skipped > stats.bytes / 4, "{stats:?}");
}

#[test]
#[ignore = "minutes: make mutations"]
fn differential_mode_reads_what_regular_mode_reads_a_million_times() {
    println!("{:?}", compare(2, 1_000_000));
}
