//! Differential mode against regular mode: equal, always.

extern crate lengthwise_dds as dds;

mod support;

use dds::{Checksum, Matching, Member, Options, Reader, Schema, Simple, Stats, Style, Template};
use support::{Content, METHODS, SEARCH, TEXTS, Toolkit, service, spoiled};
use test_support::Random;

/// Reads streams of messages that differ from one to the next, and each message by itself.
fn compare(seed: u64, pairs: usize, matching: Matching) -> Stats {
    let mut random = Random::new(seed);
    let mut all = Stats::default();
    let mut left = pairs;
    while left > 0 {
        let portion = random.of(&[32, 64, 256, 1024]);
        let options = Options::default().with_portion(portion).with_matching(matching);
        let reader = Reader::new(service(), &options);
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
                Ok(read) if matching == Matching::Exact => assert_eq!(template.last(), Some((&read, &text[..]))),
                Ok(read) => assert_eq!(template.last().map(|(message, _)| message), Some(&read)),
                Err(_) => assert_eq!(message, text),
            }
        }
        all += template.stats();
    }
    all
}

#[test]
fn differential_mode_reads_what_regular_mode_reads() {
    let stats = compare(1, test_support::rounds(12_000), Matching::Exact);
    assert!(stats.regular < test_support::rounds(9_000) as u64 && stats.bytes_skipped > stats.bytes / 4, "{stats:?}");
}

#[test]
fn by_keyed_hashes_it_reads_the_same() {
    let stats = compare(3, test_support::rounds(12_000), Matching::Keyed);
    assert!(stats.regular < test_support::rounds(9_000) as u64 && stats.bytes_skipped > stats.bytes / 5, "{stats:?}");
}

#[test]
#[ignore = "minutes: make mutations"]
fn differential_mode_reads_what_regular_mode_reads_a_million_times() {
    println!("{:?}", compare(2, 1_000_000, Matching::Exact));
}

#[test]
#[ignore = "minutes: make mutations"]
fn by_keyed_hashes_it_reads_the_same_a_million_times() {
    println!("{:?}", compare(4, 1_000_000, Matching::Keyed));
}

/// With any content in the place of a text, or none, only the first message is read whole.
#[test]
fn texts_of_every_kind_come_from_the_previous_message() {
    let texts = ["plain", "a &amp; b", "", "&lt;", "<![CDATA[<x>]]>", "", "", "c<!-- not this -->d", "x\r\ny", "e"];
    let items = |n: usize| (0..30).map(|m| vec![texts[(n + m / 3) % texts.len()].to_owned()]).collect();
    for matching in [Matching::Exact, Matching::Keyed] {
        for (method, empty) in [(SEARCH, None), (SEARCH, Some("/>")), (TEXTS, None), (TEXTS, Some(" />"))] {
            let reader = Reader::new(service(), &Options::default().with_matching(matching));
            let mut template = Template::new(reader.clone());
            let mut toolkit = Toolkit::gsoap();
            toolkit.empty = empty;
            for n in 0..50 {
                let text = |k: usize| texts[(n * k) % texts.len()].to_owned();
                let (rows, rest) = match method {
                    TEXTS => (items(n), Vec::new()),
                    _ => (Vec::new(), vec![text(1), text(3), n.to_string(), "7".into(), "true".into(), text(7)]),
                };
                // Which odd choices are made in writing depends on the number of rows alone.
                let message = Content { method, rows, rest }.write(&toolkit, &mut Random::new(1));
                let read = template.read(&mut message.clone()).cloned();
                assert!(read.is_ok());
                assert_eq!(read, reader.read(&message), "{}", String::from_utf8_lossy(&message));
            }
            assert_eq!(template.stats().regular, 1, "{matching:?} {method} {empty:?}");
        }
    }
}

/// Items that differ side by side, few and many, as long as before or not, in all of their text or at its end alone.
fn stretches(seed: u64, streams: usize) {
    let mut random = Random::new(seed);
    let (mut skipped, mut regular) = (0, 0);
    for stream in 0..streams {
        let (method, ty, point) = [("sendInts", "int", ""), ("sendDoubles", "double", ".")][stream % 2];
        let value = |random: &mut Random, digits: usize| {
            let text: String = (0..digits).map(|_| char::from(random.of(b"123456789"))).collect();
            format!("{}{point}{}", &text[..1], &text[1..])
        };
        let reader = Reader::new(service(), &Options::default());
        let mut template = Template::new(reader.clone());
        let mut items: Vec<String> = (0..3_000).map(|_| value(&mut random, 8)).collect();
        for _ in 0..20 {
            for _ in 0..1 + random.below(4) {
                let from = random.below(items.len());
                let most = random.of(&[1, 2, 20, 100, 600]);
                let to = items.len().min(from + 1 + random.below(most));
                let kind = random.below(3);
                for item in &mut items[from..to] {
                    let digits = if kind == 0 { item.replace('.', "").len() } else { 2 + random.below(8) };
                    *item = match kind {
                        0 | 1 => value(&mut random, digits),
                        _ => format!("{}{}", &item[..item.len() - 1], random.below(10)),
                    };
                }
            }
            let items: String = items.iter().map(|item| format!("<item>{item}</item>")).collect();
            let message = format!(
                "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\" \
                 xmlns:c=\"http://schemas.xmlsoap.org/soap/encoding/\" xmlns:x=\"http://www.w3.org/2001/XMLSchema\">\
                 <e:Body><m:{method} xmlns:m=\"urn:b\"><data c:arrayType=\"x:{ty}[3000]\">{items}</data></m:{method}>\
                 </e:Body></e:Envelope>"
            )
            .into_bytes();
            assert_eq!(template.read(&mut message.clone()).cloned(), reader.read(&message));
        }
        skipped += template.stats().bytes_skipped * 100 / template.stats().bytes;
        regular += template.stats().regular;
    }
    assert!(skipped / streams as u64 > 60 && regular < 2 * streams as u64, "{skipped} {regular}");
}

#[test]
fn stretches_of_items_that_differ_are_read_to_their_ends() {
    stretches(6, 24);
}

#[test]
#[ignore = "a minute: make mutations"]
fn stretches_of_items_that_differ_are_read_to_their_ends_in_many_streams() {
    stretches(7, 2_000);
}

/// A message with these ints.
fn ints(items: &[&str]) -> Vec<u8> {
    let rows = items.iter().map(|item| vec![(*item).to_owned()]).collect();
    Content { method: support::INTS, rows, rest: Vec::new() }.write(&Toolkit::gsoap(), &mut Random::new(1))
}

/// Whether the second message is taken for the first.
fn is_deceived(matching: Matching, first: &[&str], second: &[&str]) -> bool {
    let reader = Reader::new(service(), &Options::default().with_matching(matching));
    let mut template = Template::new(reader.clone());
    let [before, after] = [first, second].map(ints);
    assert_eq!(template.read(&mut before.clone()).cloned(), reader.read(&before));
    template.read(&mut after.clone()).cloned() != reader.read(&after)
}

/// What makes a checksum unsafe: items are sixteen bytes here, so that words only change places, and sums
/// that are equal are made of others.
#[test]
fn checksums_are_deceived_by_portions_made_for_it_and_keyed_hashes_are_not() {
    let swapped = (["100", "200", "300", "400"], ["100", "300", "200", "400"]);
    // Added up with their places as weights, as Adler-32 does, 1 more, 2 less and 1 more come to nothing.
    let balanced = (["100", "242", "300"], ["100", "323", "300"]);
    let is_deceived = |matching, (a, b): (&[&str], &[&str])| is_deceived(matching, a, b);
    assert!(is_deceived(Matching::Checksum(Checksum::Xor), (&swapped.0, &swapped.1)));
    assert!(is_deceived(Matching::Checksum(Checksum::Adler32), (&balanced.0, &balanced.1)));
    for pair in [(&swapped.0[..], &swapped.1[..]), (&balanced.0, &balanced.1)] {
        assert!(!is_deceived(Matching::Keyed, pair));
        assert!(!is_deceived(Matching::Exact, pair));
        assert!(!is_deceived(Matching::Checksum(Checksum::Crc32), pair));
    }
}

/// Orders with their lines, which nobody counts: where a value takes more bytes than before, or fewer, those orders alone are
/// read, all at once and in pieces.
#[test]
fn arrays_that_nobody_counts_do_not_cost_a_message_of_another_length_its_differences() {
    let mut schema = Schema::new();
    let [int, string] = [Simple::Int, Simple::String].map(|simple| schema.simple(simple));
    let line = schema.parameters([Member::new("sku", string), Member::new("quantity", int)]);
    let lines = schema.array(line);
    let order = schema.parameters([Member::new("id", int), Member::new("lines", lines), Member::new("total", int)]);
    let orders = schema.array(order);
    let parameters = schema.parameters([Member::new("orders", orders)]);
    schema.method("urn:o", "send", parameters, Style::Encoded);
    let mut random = Random::new(5);
    for matching in [Matching::Exact, Matching::Keyed] {
        let reader = Reader::new(schema.clone(), &Options::default().with_matching(matching).with_piece(512));
        let (mut template, mut fed) = (Template::new(reader.clone()), Template::new(reader.clone()));
        let mut all: Vec<[usize; 3]> = (0..300).map(|n| [n, 1 + n % 9, n * 7]).collect();
        for _ in 0..50 {
            for _ in 0..10 {
                let which = random.below(all.len());
                let (field, most) = random.of(&[(1, 20), (2, 100_000)]);
                all[which][field] = 1 + random.below(most);
            }
            let order = |[id, quantity, total]: &[usize; 3]| {
                let line = |n: usize| format!("<item><sku>s{n}</sku><quantity>{}</quantity></item>", quantity + n);
                let lines: String = (0..id % 4).map(line).collect();
                format!("<item><id>{id}</id><lines>{lines}</lines><total>{total}</total></item>")
            };
            let orders: String = all.iter().map(order).collect();
            let message = format!(
                "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body><o:send xmlns:o=\"urn:o\">\
                 <orders>{orders}</orders></o:send></e:Body></e:Envelope>"
            );
            let expected = reader.read(message.as_bytes());
            assert!(expected.is_ok());
            assert_eq!(template.read(&mut message.clone().into_bytes()).cloned(), expected);
            message.as_bytes().chunks(700).for_each(|piece| fed.feed(piece).unwrap());
            assert_eq!(fed.finish().cloned(), expected);
        }
        assert_eq!((template.stats().regular, fed.stats().regular), (1, 1), "{matching:?}");
        assert!(template.stats().bytes_skipped > template.stats().bytes / 10 * 9);
    }
}
