//! What a template keeps.
#![allow(clippy::unwrap_used)]

extern crate lengthwise_dds as dds;

mod support;

use dds::{Matching, Options, Reader, Template};
use support::{Content, DOUBLES, NESTED, Toolkit, service};
use test_support::Random;

/// A message of so many doubles of 17 digits.
fn message(random: &mut Random, items: usize) -> Vec<u8> {
    let row = |random: &mut Random| vec![format!("{:.16e}", f64::from_bits(random.next() >> 2 | 1 << 60))];
    let rows = (0..items).map(|_| row(random)).collect();
    // Without the odd choices of writing that `write` makes now and then.
    let text = Content { method: DOUBLES, rows, rest: Vec::new() }.write(&Toolkit::gsoap(), &mut Random::new(1));
    let text = String::from_utf8(text).unwrap();
    text.replace("<item xsi:nil=\"true\"/>", "<item>0</item>").into_bytes()
}

#[test]
fn beside_message_and_values_a_template_keeps_two_bytes_an_item() {
    let mut random = Random::new(1);
    let items = 20_000;
    let mut template = Template::new(Reader::new(service(), &Options::default()));
    let mut own = 0;
    for _ in 0..3 {
        let mut buffer = message(&mut random, items);
        own = own.max(buffer.capacity());
        template.read(&mut buffer).unwrap();
        let values = items * size_of::<f64>();
        let beside = template.stats().memory as usize - own - values;
        assert!(beside < items * 2, "{beside} bytes beside {own} of the message and {values} of the values");
    }
}

#[test]
fn by_hashes_a_template_keeps_a_hundredth_of_the_message_beside_the_values() {
    let mut random = Random::new(3);
    let items = 20_000;
    let options = Options::default().with_matching(Matching::Keyed);
    let mut template = Template::new(Reader::new(service(), &options));
    for _ in 0..4 {
        let mut buffer = message(&mut random, items);
        let len = buffer.len();
        template.read(&mut buffer).unwrap();
        // The buffer comes back.
        assert!(buffer.capacity() >= len);
        let beside = template.stats().memory as usize - items * size_of::<f64>();
        assert!(beside <= len / 100, "{beside} bytes beside the values of a message of {len}");
    }
}

/// Room for what may be left of a message belongs to one array, not to each.
#[test]
fn arrays_that_nobody_counts_take_memory_for_their_own_items() {
    let mut random = Random::new(4);
    let uncounted = String::from_utf8(
        Content { method: NESTED, rows: vec![vec!["1".into(); 3]; 3_000], rest: Vec::new() }
            .write(&Toolkit::gsoap(), &mut random),
    );
    let mut message = uncounted.unwrap().replace(" xsi:type=\"c:Array\" c:arrayType=\"xsd:int[3]\"", "").into_bytes();
    let len = message.len();
    let mut template = Template::new(Reader::new(service(), &Options::default()));
    template.read(&mut message).unwrap();
    assert_eq!(template.stats().regular, 1);
    assert!((template.stats().memory as usize) < len * 20, "{} for {len}", template.stats().memory);
}

#[test]
fn messages_of_many_kinds_leave_no_more_memory_than_the_largest() {
    let mut random = Random::new(2);
    let mut template = Template::new(Reader::new(service(), &Options::default()));
    let mut most = 0;
    for n in 0..200 {
        let mut buffer = message(&mut random, 10 + n * 37 % 500);
        template.read(&mut buffer).unwrap();
        if n == 20 {
            most = template.stats().memory;
        }
    }
    assert!(template.stats().memory < most * 4, "{} {most}", template.stats().memory);
}
