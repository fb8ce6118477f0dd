//! SOAP messages.

#[path = "../../../crates/dds/tests/support/mod.rs"]
mod support;

use std::sync::LazyLock;

use asn1::Values;
use dds::{Matching, Options, Reader, Template};
use lengthwise::soap::Service;
use test_support::Random;
use x694::xer;

static READER: LazyLock<Reader> = LazyLock::new(|| Reader::new(support::service(), &Options::default()));

/// The encoded messages, by the schema of their service.
static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let source = xsd::Memory::new().with("a", support::description());
    Service::read(source, "a", &xsd::Options::default()).unwrap()
});

/// What parts the messages of a stream.
const BETWEEN: u8 = 0;

/// Messages of every method, of several toolkits; streams of them.
pub fn dds_seeds() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
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

/// Regular mode reads what the plain way reads, value for value and error for error. By the schema, messages are read event
/// by event as by expectation.
pub fn dds_read(input: &[u8]) {
    assert_eq!(READER.read(input), READER.read_plainly(input));
    let (mut values, mut others) = (Values::new(), Values::new());
    let (types, options) = (SERVICE.types(), xsd::Options::default());
    let shown = |value| asn1::notation::write_value(value);
    let by_events = xer::read_by_events(input, types, &options, &mut values).map(shown);
    assert_eq!(xer::read(input, types, &options, &mut others).map(shown), by_events);
}

/// Differential mode reads what regular mode reads: by comparing, by hashes, and in pieces; and by the schema.
pub fn dds_stream(input: &[u8]) {
    let options = Options::default().with_portion(32).with_piece(1);
    let template = |options: &Options| Template::new(Reader::new(support::service(), options));
    let (mut exact, mut pieces) = (template(&options), template(&options));
    let mut keyed = template(&options.with_matching(Matching::Keyed));
    let (types, whole) = (SERVICE.types(), xsd::Options::default());
    let (mut by_schema, mut values) = (xer::Template::new(), Values::new());
    for message in input.split(|&byte| byte == BETWEEN) {
        let expected = READER.read(message);
        assert_eq!(exact.read(&mut message.to_vec()).cloned(), expected);
        assert_eq!(keyed.read(&mut message.to_vec()).cloned(), expected);
        for piece in message.chunks(1 + message.len() % 97) {
            assert_eq!(pieces.feed(piece), Ok(()));
        }
        assert_eq!(pieces.finish().cloned(), expected);
        let read = by_schema.read(&mut message.to_vec(), types, &whole).map(asn1::notation::write_value);
        assert_eq!(read, xer::read(message, types, &whole, &mut values).map(asn1::notation::write_value));
    }
}
