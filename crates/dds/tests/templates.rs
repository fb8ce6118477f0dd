//! Templates of many kinds, shared by threads.

extern crate lengthwise_dds as dds;

mod support;

use dds::{Options, Reader, Stats, Template, Templates};
use support::{Content, METHODS, Toolkit, service};
use test_support::Random;

#[test]
fn threads_read_what_regular_mode_reads() {
    let reader = Reader::new(service(), &Options::default());
    let templates = Templates::new(reader.clone(), 1 << 20);
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let (reader, templates) = (&reader, &templates);
            scope.spawn(move || {
                let mut random = Random::new(seed);
                let toolkit = Toolkit::gsoap();
                let mut contents: Vec<_> = (0..METHODS).map(|method| Content::made(&mut random, method)).collect();
                for n in 0..300 {
                    let content = &mut contents[n % METHODS];
                    *content = content.changed(&mut random);
                    let message = content.write(&toolkit, &mut Random::new(9));
                    let expected = reader.read(&message);
                    let read = templates.read(&content.method.to_string(), "gSOAP", &mut message.clone());
                    assert_eq!(read.map(|read| read.clone()), expected);
                }
            });
        }
    });
    let stats = templates.stats();
    assert!(stats.messages > 1_000 && stats.regular < stats.messages * 9 / 10, "{stats:?}");
}

#[test]
fn memory_stays_within_its_bound() {
    let mut random = Random::new(1);
    let bound = 100_000;
    let templates = Templates::new(Reader::new(service(), &Options::default()), bound);
    for kind in 0..1_000 {
        let rows = (0..50).map(|_| vec![support::int(&mut random)]).collect();
        let content = Content { method: support::INTS, rows, rest: Vec::new() };
        let mut message = content.write(&Toolkit::gsoap(), &mut Random::new(1));
        drop(templates.read(&kind.to_string(), "", &mut message));
        assert!(templates.stats().memory <= bound as u64, "{:?}", templates.stats());
    }
    assert!(templates.stats().memory > 10_000);
    assert_eq!(templates.stats().messages, 1_000);
}

#[test]
fn a_lease_holds_its_template_and_others_go_on() {
    let mut random = Random::new(2);
    let templates = Templates::new(Reader::new(service(), &Options::default()), 1 << 20);
    let message = Content { rows: Vec::new(), ..Content::made(&mut random, support::DOUBLES) };
    let message = message.write(&Toolkit::gsoap(), &mut random);
    let leases: Vec<_> = (0..20).map(|_| templates.read("a", "b", &mut message.clone()).unwrap()).collect();
    assert!(leases.windows(2).all(|pair| *pair[0] == *pair[1]));
}

#[test]
fn messages_that_arrive_side_by_side_have_templates_of_their_own() {
    let mut random = Random::new(3);
    let options = Options::default().with_piece(100);
    let reader = Reader::new(service(), &options);
    let templates = Templates::new(reader.clone(), 1 << 20);
    let mut content = Content::made(&mut random, support::INTS);
    for _ in 0..50 {
        let mut arriving = Vec::new();
        for _ in 0..4 {
            content = content.changed(&mut random);
            let message = content.write(&Toolkit::gsoap(), &mut Random::new(9));
            arriving.push((templates.arriving("a", "b"), message));
        }
        for piece in 0..20 {
            for (arriving, message) in &mut arriving {
                arriving.feed(message.chunks(message.len() / 20 + 1).nth(piece).unwrap_or(&[])).unwrap();
            }
        }
        for (n, (arriving, message)) in arriving.into_iter().enumerate() {
            // One in four is given up.
            if n < 3 {
                let read = std::thread::scope(|scope| {
                    scope.spawn(|| arriving.finish().map(|read| read.clone())).join().unwrap()
                });
                assert_eq!(read, reader.read(&message));
            }
        }
    }
    let stats = templates.stats();
    assert_eq!(stats.messages, 150);
    assert!(stats.regular < 120, "{stats:?}");
}

/// Messages that look alike and differ all over are mostly read whole: what is tried in vain is paid for by what has been
/// read. Where one differs in the markup at its very end alone, what comes before is taken.
#[test]
fn messages_made_to_look_alike_are_mostly_read_whole() {
    let mut random = Random::new(5);
    let ints = |items: &[String]| {
        let rows = items.iter().map(|item| vec![item.clone()]).collect();
        let content = Content { method: support::INTS, rows, rest: Vec::new() };
        let text = String::from_utf8(content.write(&Toolkit::gsoap(), &mut Random::new(1))).unwrap_or_default();
        text.replace("<item xsi:nil=\"true\"/>", "<item>12345</item>")
    };
    let mut items: Vec<String> = (0..4_000).map(|n| (10_000 + n).to_string()).collect();
    let last = ["<item >", "<item\t>", "<item>"];
    for kind in 0..4 {
        let mut template = Template::new(Reader::new(service(), &Options::default()));
        for n in 0..60 {
            match kind {
                // All that follow are as they were.
                0 => {}
                1 => items.iter_mut().step_by(2).for_each(|item| *item = (10_000 + random.below(90_000)).to_string()),
                2 => items.iter_mut().for_each(|item| *item = random.below(1_000_000).to_string()),
                _ => {
                    items.iter_mut().step_by(3).for_each(|item| *item = random.below(1_000_000).to_string());
                    items.insert(n * 3, "7".into());
                }
            }
            let mut message = ints(&items);
            if kind == 0 {
                let at = message.rfind("<item>").unwrap_or(0);
                message.replace_range(at..at + 6, last[n % 3]);
            }
            assert!(template.read(&mut message.into_bytes()).is_ok());
        }
        let Stats { regular, bytes, bytes_skipped, .. } = template.stats();
        let is_right = if kind == 0 { regular == 1 && bytes_skipped > bytes / 20 * 19 } else { regular >= 45 };
        assert!(is_right, "{kind}: {:?}", template.stats());
    }
}

/// Issue 22, point 12: messages that are refused, however much of them is like the one before, leave a template as it was.
#[test]
fn refused_messages_leave_templates_as_they_were() {
    let reader = Reader::new(service(), &Options::default());
    for method in 0..METHODS {
        let mut random = Random::new(method as u64);
        let toolkit = Toolkit::gsoap();
        let content = loop {
            let content = Content::made(&mut random, method);
            let is_long = content.rows.len() > 20 || matches!(method, support::SEARCH);
            if is_long && reader.is_read_in_one_pass(&content.write(&toolkit, &mut Random::new(9))) {
                break content;
            }
        };
        // One that gets no bad messages does the same.
        let (mut template, mut twin) = (Template::new(reader.clone()), Template::new(reader.clone()));
        let (mut content, mut refused) = (content, 0);
        for n in 0..250 {
            let good = content.write(&toolkit, &mut Random::new(9));
            let Ok(expected) = reader.read(&good) else {
                content = content.changed(&mut random);
                continue;
            };
            for template in [&mut template, &mut twin] {
                assert_eq!(*template.read(&mut good.clone()).unwrap(), expected, "{method} {n}");
            }
            let of = |template: &Template| (template.stats().regular, template.stats().bytes_skipped);
            assert_eq!(of(&template), of(&twin), "{method} {n}");
            let next = content.changed(&mut random);
            for n in 0..4 {
                let bad = match n {
                    0 => b"x".to_vec(),
                    1 => good[..good.len() - 1].to_vec(),
                    _ => support::spoiled(&next.write(&toolkit, &mut Random::new(9)), &mut random),
                };
                if reader.read(&bad).is_err() {
                    refused += 1;
                    assert!(template.read(&mut bad.clone()).is_err());
                }
            }
            if random.one_in(2) {
                content = next;
            }
        }
        assert!(refused > 200, "{method}: {refused}");
        assert_eq!((template.stats().errors, twin.stats().errors), (refused, 0), "{method}");
    }
}

/// The same of messages that arrive in pieces, and of some that are given up.
#[test]
fn messages_given_up_leave_templates_as_they_were() {
    let mut random = Random::new(7);
    let templates = Templates::new(Reader::new(service(), &Options::default().with_piece(64)), 1 << 20);
    let rows = (0..200).map(|n| vec![(1_000 + n).to_string()]).collect();
    let content = Content { method: support::INTS, rows, rest: Vec::new() };
    let good = content.write(&Toolkit::gsoap(), &mut Random::new(9));
    let expected = templates.read("a", "b", &mut good.clone()).unwrap().clone();
    for n in 0..200 {
        let mut other = content.clone();
        other.rows[n] = vec!["77777".into()];
        let other = other.write(&Toolkit::gsoap(), &mut Random::new(9));
        let mut arriving = templates.arriving("a", "b");
        for piece in other[..random.below(other.len())].chunks(50) {
            arriving.feed(piece).unwrap();
        }
        match n % 3 {
            0 => drop(arriving),
            1 => assert!(arriving.finish().is_err()),
            _ => {
                arriving.feed(b"<").unwrap();
                drop(arriving);
            }
        }
        assert_eq!(*templates.read("a", "b", &mut good.clone()).unwrap(), expected);
    }
    assert_eq!(templates.stats().regular, 1, "{:?}", templates.stats());
}

/// Who begins messages of kinds that nobody knows, and does not end them or sends bad ones, puts out no template.
#[test]
fn refused_messages_of_other_kinds_put_out_no_template() {
    let mut random = Random::new(8);
    let templates = Templates::new(Reader::new(service(), &Options::default()), 1 << 20);
    let good = Content::made(&mut random, support::SEARCH);
    let good = loop {
        let written = good.changed(&mut random).write(&Toolkit::gsoap(), &mut Random::new(9));
        if templates.read("a", "b", &mut written.clone()).is_ok() {
            break written;
        }
    };
    let regular = templates.stats().regular;
    let arriving: Vec<_> = (0..3_000).map(|n| templates.arriving("a", &n.to_string())).collect();
    assert!(templates.read("a", "b", &mut good.clone()).is_ok());
    drop(arriving);
    for n in 0..3_000 {
        assert!(templates.read("a", &n.to_string(), &mut b"x".to_vec()).is_err());
    }
    assert!(templates.read("a", "b", &mut good.clone()).is_ok());
    let stats = templates.stats();
    assert_eq!((stats.regular, stats.errors, stats.messages), (regular, 3_000, 3_003 + regular - 1), "{stats:?}");
}

/// Issue 30, point 10: what holds a lease may panic.
#[test]
fn a_panic_while_a_lease_is_held_does_not_turn_differencing_off() {
    let mut random = Random::new(9);
    let templates = Templates::new(Reader::new(service(), &Options::default()), 1 << 20);
    let content = Content { rows: vec![vec!["1".into()]; 20], ..Content::made(&mut random, support::INTS) };
    let message = content.write(&Toolkit::gsoap(), &mut Random::new(9));
    for _ in 0..3 {
        let panicked = std::thread::scope(|scope| {
            let hold = scope.spawn(|| {
                let lease = templates.read("a", "b", &mut message.clone()).unwrap();
                assert!(lease.value().is_none(), "on purpose");
            });
            hold.join().is_err()
        });
        assert!(panicked);
    }
    for _ in 0..5 {
        drop(templates.read("a", "b", &mut message.clone()).unwrap());
    }
    let stats = templates.stats();
    assert_eq!((stats.messages, stats.regular), (8, 1), "{stats:?}");
}
