//! Streams of messages: what templates read is what is read event by event, whatever came before.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_soap as soap;

mod support;

use asn1::{Value, Values, notation};
use soap::Service;
use support::{Content, DOUBLES, INTS, METHODS, NESTED, SEARCH, Toolkit, pair, service, spoiled};
use tam::Error;
use test_support::Random;
use test_support::memory::{self, Counting};
use x694::xer::{self, Stats, Template, Templates};
use xsd::Options;

#[global_allocator]
static COUNTING: Counting = Counting;

fn write_value(value: Value<'_>) -> String {
    notation::write_value(value).unwrap()
}

fn by_events(service: &Service, message: &[u8]) -> Result<String, Error> {
    let mut values = Values::new();
    xer::read_by_events(message, service.types(), &Options::default(), &mut values).map(write_value)
}

fn by(templates: &Templates, service: &Service, message: &[u8]) -> Result<String, Error> {
    let read = templates.read(&mut message.to_vec(), service.types(), &Options::default());
    read.map(|lease| write_value(lease.value()))
}

/// A message of these rows.
fn written(method: usize, rows: Vec<Vec<String>>) -> Vec<u8> {
    let content = Content { method, rows, rest: Vec::new() };
    let text = String::from_utf8(content.write(&Toolkit::gsoap(), &mut Random::new(1))).unwrap();
    // Without the odd choices of writing that `write` makes now and then.
    text.replace("<item xsi:nil=\"true\"/>", "<item>12345</item>").into_bytes()
}

/// Every operation and toolkit, good messages and spoiled ones: by events, by expectation and by differences.
#[test]
fn messages_are_read_alike_in_every_way() {
    let (service, templates, mut random) = (service(), Templates::new(1 << 24), Random::new(11));
    let (mut read, mut refused) = (0, 0);
    for n in 0..test_support::rounds(1_000) {
        for message in pair(&mut random, n) {
            let expected = by_events(&service, &message);
            let mut values = Values::new();
            let expectation = xer::read(&message, service.types(), &Options::default(), &mut values).map(write_value);
            assert_eq!(expectation, expected, "{}", String::from_utf8_lossy(&message));
            assert_eq!(by(&templates, &service, &message), expected, "{}", String::from_utf8_lossy(&message));
            *if expected.is_ok() { &mut read } else { &mut refused } += 1;
        }
    }
    assert!(read > refused && refused > 0, "{read} {refused}");
}

#[test]
fn any_interleaving_reads_what_is_read_by_events() {
    let (service, mut random) = (service(), Random::new(1));
    let templates = Templates::new(1 << 20);
    let toolkits: Vec<_> = (0..6).map(|_| Toolkit::made(&mut random)).collect();
    let mut contents: Vec<_> = (0..METHODS).chain(0..METHODS).map(|n| Content::made(&mut random, n)).collect();
    let mut good = 0;
    for _ in 0..test_support::rounds(2_000) {
        let n = random.below(contents.len());
        contents[n] = contents[n].changed(&mut random);
        let toolkit = &toolkits[random.below(toolkits.len())];
        let mut message = contents[n].write(toolkit, &mut Random::new(9));
        if random.one_in(6) {
            message = spoiled(&message, &mut random);
        }
        let expected = by_events(&service, &message);
        good += usize::from(expected.is_ok());
        assert_eq!(by(&templates, &service, &message), expected);
    }
    assert!(good > test_support::rounds(600), "{good}");
}

#[test]
fn threads_read_what_is_read_by_events() {
    let (service, templates) = (service(), Templates::new(1 << 20));
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let (service, templates) = (&service, &templates);
            scope.spawn(move || {
                let mut random = Random::new(seed);
                let mut contents: Vec<_> = (0..METHODS).map(|method| Content::made(&mut random, method)).collect();
                for n in 0..150 {
                    let content = &mut contents[n % METHODS];
                    *content = content.changed(&mut random);
                    let message = content.write(&Toolkit::gsoap(), &mut Random::new(9));
                    assert_eq!(by(templates, service, &message), by_events(service, &message));
                }
            });
        }
    });
    assert_eq!(templates.stats().messages, 600);
}

#[test]
fn a_lease_holds_its_template_and_others_go_on() {
    let (service, templates) = (service(), Templates::new(1 << 20));
    let message = written(DOUBLES, vec![vec!["1.5".into()]; 10]);
    let read = || templates.read(&mut message.clone(), service.types(), &Options::default()).unwrap();
    let leases: Vec<_> = (0..20).map(|_| read()).collect();
    assert!(leases.windows(2).all(|pair| write_value(pair[0].value()) == write_value(pair[1].value())));
}

/// Issue 30, point 10: what holds a lease may panic.
#[test]
fn a_panic_while_a_lease_is_held_does_not_turn_differencing_off() {
    let (service, templates) = (service(), Templates::new(1 << 20));
    let message = written(INTS, vec![vec!["1".into()]; 500]);
    for _ in 0..3 {
        let panicked = std::thread::scope(|scope| {
            let hold = scope.spawn(|| {
                let lease = templates.read(&mut message.clone(), service.types(), &Options::default()).unwrap();
                assert!(lease.value().is_empty() && lease.skipped() > message.len(), "on purpose");
            });
            hold.join().is_err()
        });
        assert!(panicked);
    }
    for _ in 0..5 {
        by(&templates, &service, &message).unwrap();
    }
    let stats = templates.stats();
    assert_eq!((stats.messages, stats.regular), (8, 1), "{stats:?}");
}

/// Messages that look alike and differ all over are mostly read whole: what is tried in vain is paid for by what has been
/// read.
#[test]
fn messages_made_to_look_alike_are_mostly_read_whole() {
    let (service, mut random) = (service(), Random::new(5));
    let mut items: Vec<String> = (0..4_000).map(|n| (10_000 + n).to_string()).collect();
    for kind in 0..3 {
        let mut template = Template::new();
        for n in 0..60 {
            match kind {
                0 => items.iter_mut().step_by(2).for_each(|item| *item = (10_000 + random.below(90_000)).to_string()),
                1 => items.iter_mut().for_each(|item| *item = random.below(1_000_000).to_string()),
                _ => {
                    items.iter_mut().step_by(3).for_each(|item| *item = random.below(1_000_000).to_string());
                    items.insert(n * 3, "7".into());
                }
            }
            let mut message = written(INTS, items.iter().map(|item| vec![item.clone()]).collect());
            assert!(template.read(&mut message, service.types(), &Options::default()).is_ok());
        }
        let Stats { bytes, bytes_skipped, .. } = template.stats();
        assert!(bytes_skipped < bytes / 2, "{kind}: {:?}", template.stats());
    }
}

/// Issue 22, point 12: messages that are refused, however much of them is like the one before, leave a template as it was.
#[test]
fn refused_messages_leave_templates_as_they_were() {
    let (service, options) = (service(), Options::default());
    for method in 0..METHODS {
        let mut random = Random::new(method as u64);
        let toolkit = Toolkit::gsoap();
        let (mut content, mut refused) = (Content::made(&mut random, method), 0);
        // One that gets no bad messages does the same.
        let (mut template, mut twin) = (Template::new(), Template::new());
        for n in 0..test_support::rounds(100) {
            let good = content.write(&toolkit, &mut Random::new(9));
            let Ok(expected) = by_events(&service, &good) else {
                content = content.changed(&mut random);
                continue;
            };
            for template in [&mut template, &mut twin] {
                let read = template.read(&mut good.clone(), service.types(), &options).unwrap();
                assert_eq!(write_value(read), expected, "{method} {n}");
            }
            // What a bad message taught about tags may be of use.
            let [(whole, skipped), (twin_whole, twin_skipped)] =
                [&template, &twin].map(|template| (template.stats().regular, template.stats().bytes_skipped));
            // So up to two more are read whole, now or before.
            let of_two = 2 * good.len() as u64;
            let is_alike = whole <= twin_whole + 2 && skipped + of_two >= twin_skipped / 10 * 9;
            assert!(is_alike, "{method} {n}: {whole} {twin_whole}, {skipped} {twin_skipped}");
            let next = content.changed(&mut random);
            for n in 0..4 {
                let bad = match n {
                    0 => b"x".to_vec(),
                    1 => good[..good.len() - 1].to_vec(),
                    _ => spoiled(&next.write(&toolkit, &mut Random::new(9)), &mut random),
                };
                if by_events(&service, &bad).is_err() {
                    refused += 1;
                    assert!(template.read(&mut bad.clone(), service.types(), &options).is_err());
                }
            }
            if random.one_in(2) {
                content = next;
            }
        }
        assert!(refused > test_support::rounds(60), "{method}: {refused}");
        assert_eq!((template.stats().errors, twin.stats().errors), (refused as u64, 0), "{method}");
    }
}

/// Who sends bad messages puts out no template.
#[test]
fn refused_messages_put_out_no_template() {
    let (service, templates) = (service(), Templates::new(1 << 20));
    let good = written(INTS, vec![vec!["7".into()]; 500]);
    by(&templates, &service, &good).unwrap();
    for n in 0..1_000 {
        let bad = format!("<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><x{n}/>");
        assert!(by(&templates, &service, [&b"x"[..], bad.as_bytes()][n % 2]).is_err());
    }
    by(&templates, &service, &good).unwrap();
    let stats = templates.stats();
    assert_eq!((stats.regular, stats.errors, stats.messages), (1, 1_000, 1_002), "{stats:?}");
}

/// Nothing in a stream is like anything before: the memory taken is that of as many templates as a kind may have.
#[test]
fn memory_stays_within_its_bound() {
    let (service, mut random, bound) = (service(), Random::new(5), 100_000);
    let templates = Templates::new(bound);
    for n in 0..600 {
        let rows = (0..30).map(|_| (0..random.below(9)).map(|_| support::int(&mut random)).collect()).collect();
        let content = Content { method: NESTED, rows, rest: Vec::new() };
        let message = content.write(&Toolkit::made(&mut random), &mut Random::new(n));
        _ = by(&templates, &service, &message);
        // One is always kept.
        assert!(templates.stats().memory <= bound as u64, "{:?}", templates.stats());
    }
    assert!(templates.stats().memory > 10_000);
    assert_eq!(templates.stats().messages, 600);
}

/// What a template says that it keeps is what it keeps.
#[test]
fn the_memory_that_templates_report_is_what_the_allocator_sees() {
    let (service, mut random) = (service(), Random::new(1));
    for method in (0..METHODS).filter(|method| *method != SEARCH) {
        let mut content = Content::made(&mut random, method);
        let row = Content::row(&mut random, method);
        content.rows.resize(400, row);
        // What is expected is kept with the types.
        for _ in 0..2 {
            let message = content.write(&Toolkit::gsoap(), &mut Random::new(9));
            _ = xer::read(&message, service.types(), &Options::default(), &mut Values::new());
        }
        let (template, kept) = memory::kept(|| {
            let mut template = Template::new();
            for _ in 0..10 {
                let mut message = content.write(&Toolkit::gsoap(), &mut Random::new(9));
                _ = template.read(&mut message, service.types(), &Options::default());
                content = content.changed(&mut random);
            }
            template
        });
        let counted = template.stats().memory as isize;
        assert!((counted - kept).abs() < 4_096 + kept / 8, "{method}: {counted} counted, {kept} kept");
    }
}
