//! SOAP messages.

#[path = "../../../crates/soap/tests/support/mod.rs"]
mod support;

use std::sync::LazyLock;

use asn1::{Value, Values, notation};
use lengthwise::soap::Service;
use test_support::Random;
use x694::xer::{self, Template};
use xsd::Options;

/// A service with something of everything.
static SERVICE: LazyLock<Service> = LazyLock::new(support::service);

/// What parts the messages of a stream.
const BETWEEN: u8 = 0;

/// Messages of every operation, of several toolkits; streams of them.
pub fn soap_seeds() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let mut random = Random::new(1);
    let (mut messages, mut streams) = (Vec::new(), Vec::new());
    for n in 0..10 * support::METHODS {
        let toolkit = support::Toolkit::made(&mut random);
        let content = support::Content::made(&mut random, n % support::METHODS);
        let next = content.changed(&mut random);
        let pair = [content, next].map(|content| content.write(&toolkit, &mut Random::new(3)));
        streams.push(pair.join(&BETWEEN));
        messages.push(pair[0].clone());
    }
    (messages, streams)
}

fn shown(value: Value<'_>) -> Result<String, tam::Error> {
    notation::write_value(value)
}

/// A message is read event by event as by expectation: value for value, and error for error.
pub fn soap_read(input: &[u8]) {
    let (mut values, mut others) = (Values::new(), Values::new());
    let (types, options) = (SERVICE.types(), Options::default());
    let by_events = xer::read_by_events(input, types, &options, &mut values).map(shown);
    assert_eq!(xer::read(input, types, &options, &mut others).map(shown), by_events);
}

/// Messages are read by their differences as they are whole.
pub fn soap_stream(input: &[u8]) {
    let (types, options) = (SERVICE.types(), Options::default());
    let (mut template, mut values) = (Template::new(), Values::new());
    for message in input.split(|&byte| byte == BETWEEN) {
        let read = template.read(&mut message.to_vec(), types, &options).map(shown);
        assert_eq!(read, xer::read(message, types, &options, &mut values).map(shown));
    }
}
