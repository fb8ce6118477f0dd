//! Templates by shape: messages of one kind that are written in several ways, and kinds without number.

#![allow(clippy::unwrap_used)]

extern crate lengthwise_dds as dds;

mod support;

use dds::{Matching, Options, Reader, Templates};
use support::{Content, INTS, METHODS, NESTED, ORDER, Toolkit, service};
use test_support::Random;

const BOUND: usize = 64 << 20;

fn templates(options: &Options) -> (Reader, Templates) {
    let reader = Reader::new(service(), options);
    (reader.clone(), Templates::new(reader, BOUND))
}

/// An order without odd values, whose last part may be left out, with a number that differs in the first value.
fn order(number: usize, lines: usize, shape: usize) -> Vec<u8> {
    let rows = (0..lines).map(|n| vec!["tea".into(), (n % 9).to_string(), format!("{n}.5")]).collect();
    let rest = vec![number.to_string(), "7".into(), (number % 10).to_string()];
    let content = Content { method: ORDER, rows, rest };
    let text = String::from_utf8(content.write(&Toolkit::gsoap(), &mut Random::new(1))).unwrap();
    match shape {
        0 => text,
        1 => text.replace("ns1:", "m:").replace(":ns1=", ":m="),
        2 => text.replace("<ns1:node><ns1:value xsi:nil=\"1\"/></ns1:node>", ""),
        3 => text.replace("SOAP-ENV", "soap"),
        _ => text.replace("><", ">\n<"),
    }
    .into_bytes()
}

/// Issue 24, point 4: today's two shapes under one name were all read whole.
#[test]
fn shapes_in_turn_under_one_name_are_each_read_by_their_own() {
    for matching in [Matching::Exact, Matching::Keyed] {
        for shapes in [2, 5] {
            for lines in [2, 40] {
                let (reader, templates) = templates(&Options::default().with_matching(matching));
                for n in 0..100 {
                    let message = order(100 + 7 * n, lines, n % shapes);
                    let expected = reader.read(&message).unwrap();
                    assert_eq!(*templates.read("order", "a", &mut message.clone()).unwrap(), expected);
                }
                let whole = templates.stats().regular as usize;
                assert!(whole <= shapes + 3, "{matching:?}: {whole} of {shapes} shapes of {lines} lines read whole");
            }
        }
    }
}

#[test]
fn shapes_that_differ_in_their_length_alone_are_told_apart() {
    let (_, templates) = templates(&Options::default());
    // Nobody counts the items, so that the messages begin alike.
    let message = |n: usize, items: usize| {
        let rows = (0..items).map(|item| vec![(1_000 + (item + n) % 5).to_string()]).collect();
        let content = Content { method: INTS, rows, rest: Vec::new() };
        let text = String::from_utf8(content.write(&Toolkit::gsoap(), &mut Random::new(1))).unwrap();
        text.replace(&format!(" xsi:type=\"c:Array\" c:arrayType=\"xsd:int[{items}]\""), "").into_bytes()
    };
    for n in 0..100 {
        let items = [100, 2_000][n % 2];
        for pieces in [false, true] {
            let message = message(if n % 2 == 0 { 1 } else { 2 }, items);
            if pieces {
                let mut arriving = templates.arriving("", "").with_len(message.len());
                message.chunks(1_000).for_each(|piece| arriving.feed(piece).unwrap());
                drop(arriving.finish().unwrap());
            } else {
                drop(templates.read("", "", &mut message.clone()).unwrap());
            }
        }
    }
    let stats = templates.stats();
    assert!(stats.bytes_skipped * 100 > stats.bytes * 96, "{stats:?}");
}

/// Three hundred kinds lost more than half where there was room for all of them.
#[test]
fn kinds_in_turn_all_have_templates_if_there_is_memory() {
    let (_, templates) = templates(&Options::default());
    for n in 0..10 {
        for kind in 0..300 {
            let message = order(1_000 * kind + n, 3, 0);
            drop(templates.read(&format!("operation {kind}"), "a", &mut message.clone()).unwrap());
        }
    }
    let stats = templates.stats();
    assert_eq!((stats.messages, stats.regular), (3_000, 300), "{stats:?}");
    assert!(stats.memory < 300 * 8_000, "{stats:?}");
}

#[test]
fn any_interleaving_reads_what_the_reader_reads() {
    for (seed, matching) in [(1, Matching::Exact), (2, Matching::Exact), (3, Matching::Keyed), (4, Matching::Never)] {
        let mut random = Random::new(seed);
        let options = Options::default().with_matching(matching).with_piece(200);
        let reader = Reader::new(service(), &options);
        let templates = Templates::new(reader.clone(), 1 << 20);
        let toolkits: Vec<_> = (0..6).map(|_| Toolkit::made(&mut random)).collect();
        let mut contents: Vec<_> =
            (0..METHODS).chain(0..METHODS).map(|method| Content::made(&mut random, method)).collect();
        let mut good = 0;
        for _ in 0..test_support::rounds(3_000) {
            let n = random.below(contents.len());
            contents[n] = contents[n].changed(&mut random);
            let toolkit = &toolkits[random.below(toolkits.len())];
            let mut message = contents[n].write(toolkit, &mut Random::new(9));
            if random.one_in(6) {
                message = support::spoiled(&message, &mut random);
            }
            let (expected, names) = (reader.read(&message), ["", "a"][random.below(2)]);
            good += usize::from(expected.is_ok());
            let read = if random.one_in(3) {
                let mut arriving = templates.arriving(names, "");
                message.chunks(1 + random.below(300)).for_each(|piece| arriving.feed(piece).unwrap());
                arriving.finish().map(|read| read.clone())
            } else {
                templates.read(names, "", &mut message.clone()).map(|read| read.clone())
            };
            assert_eq!(read, expected);
        }
        let stats = templates.stats();
        assert!(good > test_support::rounds(1_000), "{good}");
        assert!(matching == Matching::Never || stats.bytes_skipped > stats.bytes / 10, "{matching:?} {stats:?}");
    }
}

/// A message that is refused, or given up, changes nothing, whichever shape it looks like.
#[test]
fn refused_messages_leave_all_shapes_as_they_were() {
    let mut random = Random::new(6);
    let (reader, good) = templates(&Options::default());
    let twins = [good, templates(&Options::default()).1];
    for n in 0..200 {
        let message = order(100 + n, 5, n % 3);
        for templates in &twins {
            drop(templates.read("order", "a", &mut message.clone()).unwrap());
        }
        let bad = support::spoiled(&order(100 + n, 5, random.below(3)), &mut random);
        if reader.read(&bad).is_err() {
            assert!(twins[0].read("order", "a", &mut bad.clone()).is_err());
        }
        let mut arriving = twins[0].arriving("order", "a");
        arriving.feed(&bad).unwrap();
        drop(arriving);
    }
    let of = |templates: &Templates| (templates.stats().regular, templates.stats().bytes_skipped);
    assert_eq!(of(&twins[0]), of(&twins[1]));
    assert!(twins[0].stats().errors > 50 && twins[0].stats().regular < 10, "{:?}", twins[0].stats());
}

/// Who sends messages of ever new kinds puts out no template that is used.
#[test]
fn messages_that_come_once_put_out_no_template_that_is_used() {
    let templates = Templates::new(Reader::new(service(), &Options::default()), 1 << 20);
    let mine = |n: usize| drop(templates.read("order", "mine", &mut order(100 + n, 300, 0)).unwrap());
    (0..3).for_each(mine);
    let whole = templates.stats().regular;
    for n in 0..3_000 {
        drop(templates.read("order", &n.to_string(), &mut order(n, 20, n % 5)).unwrap());
        if n % 500 == 499 {
            mine(n);
        }
        assert!(templates.stats().memory <= 1 << 20);
    }
    assert_eq!(templates.stats().regular, whole + 3_000);
    // Those that are no longer used go in the end.
    for n in 0..400 {
        for _ in 0..2 {
            drop(templates.read("order", &format!("other {}", n % 4), &mut order(n, 300, 0)).unwrap());
        }
    }
    assert!(templates.stats().regular < whole + 3_000 + 10, "{:?}", templates.stats());
}

/// One that takes more than the bound puts out no other.
#[test]
fn a_message_that_is_too_large_to_keep_puts_out_no_other() {
    let templates = Templates::new(Reader::new(service(), &Options::default()), 200_000);
    let small = |n: usize| drop(templates.read("a", "", &mut order(n, 3, 0)).unwrap());
    (0..3).for_each(small);
    for n in 0..5 {
        drop(templates.read("b", "", &mut order(n, 5_000, 0)).unwrap());
        small(n);
    }
    assert_eq!(templates.stats().regular, 1 + 5);
}

#[test]
fn threads_that_send_several_shapes_find_them() {
    let bound = 8 << 20;
    let reader = Reader::new(service(), &Options::default());
    let templates = Templates::new(reader.clone(), bound);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (reader, templates) = (&reader, &templates);
            scope.spawn(move || {
                for n in 0..400 {
                    let message = order(100 + n, 30, (n + thread) % 4);
                    let expected = reader.read(&message).unwrap();
                    let lease = templates.read("order", "a", &mut message.clone()).unwrap();
                    assert_eq!(*lease, expected);
                    assert!(templates.stats().memory <= bound as u64);
                }
            });
        }
    });
    let stats = templates.stats();
    assert_eq!(stats.messages, 1_600);
    assert!(stats.regular < 160, "{stats:?}");
}

/// Nothing in a stream is like anything before: the memory taken is that of as many templates as a kind may have.
#[test]
fn a_kind_has_eight_templates_at_most() {
    let mut random = Random::new(5);
    let templates = Templates::new(Reader::new(service(), &Options::default()), BOUND);
    for n in 0..600 {
        let rows = (0..30).map(|_| (0..random.below(9)).map(|_| support::int(&mut random)).collect()).collect();
        let content = Content { method: NESTED, rows, rest: Vec::new() };
        let _ = templates.read("", "", &mut content.write(&Toolkit::made(&mut random), &mut Random::new(n)));
    }
    assert!(templates.stats().memory < 8 * 120_000, "{:?}", templates.stats());
}
