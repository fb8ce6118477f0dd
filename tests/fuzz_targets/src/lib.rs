//! What the fuzz targets hold true of any bytes; `examples/seeds.rs` makes them something to
//! start from.
//!
//! A property that fails panics. Each finding becomes a test of the crate it was in.
#![allow(clippy::panic, clippy::unwrap_used, missing_docs)] // How a property fails.

mod asn1;
mod compressed;
mod frames;
mod http;
mod infer;
mod infoset;
mod messages;
mod pon;
#[path = "../../../crates/tsf/tests/support/mod.rs"]
mod support;
mod tdxml;
mod wsdl;
mod xsd;

pub use asn1::{
    asn1_elements, asn1_notation, asn1_notation_seeds, asn1_objects, asn1_objects_seeds, asn1_read, asn1_seeds,
    asn1_value, asn1_value_seeds,
};
pub use compressed::{compressed_read, compressed_seeds};
pub use frames::{frames_read, frames_seeds};
pub use http::{http_body, http_body_seeds};
pub use infer::{asn1_infer, infer_seeds};
pub use infoset::{infoset_read, infoset_round, infoset_seeds};
pub use messages::{soap_read, soap_seeds, soap_stream};
pub use pon::{pon_read, pon_round, pon_seeds, pon_serde};
pub use tdxml::{tdxml_read, tdxml_round, tdxml_seeds, tdxml_serde};
pub use wsdl::wsdl_read;
pub use xsd::{
    xsd_message, xsd_message_seeds, xsd_modules, xsd_modules_seeds, xsd_schema, xsd_seeds, xsd_stream,
    xsd_stream_seeds, xsd_validate,
};

use std::sync::LazyLock;

use test_support::memory::Counting;

use lengthwise::{Format, Options, Types};
use support::hold::{Outcome, hold};
use support::twin::{self, Roots};
use support::{Set, tree};
use tam::{Error, ErrorKind, Limits, Table};
use text::xml::Memory;
use tsf::Lengths;

#[global_allocator]
static COUNTING: Counting = Counting;

/// A fuzz target: its name, the readers whose cost it holds to their bounds, and what it holds true of an input.
pub type Target = (&'static str, &'static [&'static str], fn(&[u8]));

/// All fuzz targets.
pub const TARGETS: &[Target] = &[
    ("tsf_read", &["tsf"], tsf_read),
    ("tsf_round", &[], tsf_round),
    ("xml_read", &["xml", "xml events"], xml_read),
    ("xml_round", &[], xml_round),
    ("json_read", &["json"], json_read),
    ("json_round", &[], json_round),
    ("pon_read", &["pon"], pon_read),
    ("pon_round", &[], pon_round),
    ("pon_serde", &[], pon_serde),
    ("asn1_elements", &[], asn1_elements),
    ("asn1_notation", &["asn1 notation"], asn1_notation),
    ("asn1_objects", &[], asn1_objects),
    ("asn1_read", &[], asn1_read),
    ("asn1_value", &[], asn1_value),
    ("asn1_infer", &[], asn1_infer),
    ("infoset_read", &["infoset"], infoset_read),
    ("infoset_round", &[], infoset_round),
    ("tdxml_read", &["tdxml", "tdxml lookup"], tdxml_read),
    ("tdxml_round", &[], tdxml_round),
    ("tdxml_serde", &[], tdxml_serde),
    ("xsd_schema", &["xsd", "x694"], xsd_schema),
    ("xsd_message", &[], xsd_message),
    ("xsd_modules", &[], xsd_modules),
    ("xsd_stream", &["x694 templates"], xsd_stream),
    ("xsd_validate", &[], xsd_validate),
    ("convert", &[], convert),
    ("soap_read", &["soap"], soap_read),
    ("soap_stream", &["soap templates"], soap_stream),
    ("wsdl_read", &["wsdl", "soap service"], wsdl_read),
    ("http_body", &["http body"], http_body),
    ("frames_read", &["frames", "hexadecimal", "capture"], frames_read),
    ("compressed_read", &["compressed"], compressed_read),
    ("cost", &[], cost),
];

/// Runs a fuzz target: what its readers cost is within their bounds, and what it holds true is.
///
/// # Panics
/// If it is not, or there is no such target.
pub fn run(name: &str, input: &[u8]) {
    let Some((_, readers, target)) = TARGETS.iter().find(|target| target.0 == name) else { panic!("no target {name}") };
    for reader in *readers {
        hostile::hold(reader, input);
    }
    target(input);
}

/// Any reader, which the first byte chooses, costs no more than its bound. Schemas and messages are parted by a zero
/// byte, as in `tests/hostile`.
pub fn cost(input: &[u8]) {
    let Some((&choice, input)) = input.split_first() else { return };
    hostile::hold(hostile::READERS[usize::from(choice) % hostile::READERS.len()].name, input);
}

/// Inputs of [`cost`]: one of each shape.
pub fn cost_seeds() -> Vec<Vec<u8>> {
    let mut random = test_support::Random::new(1);
    let shapes = hostile::shapes();
    let seeds = shapes.iter().map(|shape| {
        let reader = hostile::READERS.iter().position(|reader| reader.name == shape.readers[0]).unwrap_or(0);
        [&[reader as u8][..], &(shape.make)(&mut random, 300)].concat()
    });
    seeds.collect()
}

/// What XML entities may grow to here: enough to be seen, too little to cost time.
const LIMITS: Limits = Limits { entity_expansion: 1 << 14, ..Limits::DEFAULT };

static SETS: LazyLock<[Set; 8]> = LazyLock::new(|| {
    let [xml, json, value] = Set::built_in();
    let user_made = [
        Set::of(b"X", b"Y"),
        // Three types of one low nibble.
        Set::of(b"q", b"AaQ"),
        Set::of(b"<", b""),
        Set::of(b"", b"'!"),
        Set::of(b" {a", b"~+;[z"),
    ];
    let [a, b, c, d, e] = user_made;
    [xml, json, value, a, b, c, d, e]
});

/// The type set and the lengths that the first byte of an input selects, and the rest.
fn chosen(input: &[u8]) -> Option<(&'static Set, Lengths, &[u8])> {
    let (&choice, message) = input.split_first()?;
    let lengths = if choice & 8 == 0 { Lengths::Bytes } else { Lengths::Chars };
    Some((&SETS[usize::from(choice & 7)], lengths, message))
}

/// Inputs of the TSF targets: messages from the tests, after their first byte.
pub fn tsf_seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for sample in support::samples::samples() {
        let chars = if sample.lengths == Lengths::Chars { 8 } else { 0 };
        for (number, set) in SETS.iter().enumerate() {
            if set.types.characters().eq(sample.set.types.characters()) {
                seeds.push([&[number as u8 | chars], &sample.message[..]].concat());
            }
        }
    }
    seeds
}

/// TSF is read as its twin reads it.
pub fn tsf_read(input: &[u8]) {
    let Some((set, lengths, message)) = chosen(input) else { return };
    let mut table = Table::new();
    hold(message, set, lengths, Roots::First, &mut table);
    hold(message, set, lengths, Roots::All, &mut table);
}

/// What was read as TSF is written so that it reads as the same, in either kind of lengths; a
/// message in the writer's own form comes out as it was.
pub fn tsf_round(input: &[u8]) {
    let Some((set, lengths, message)) = chosen(input) else { return };
    let options = tsf::Options::new(&set.types).with_lengths(lengths).with_limits(Limits::NONE);
    let mut table = Table::new();
    let Ok(document) = tsf::read(message, &options, &mut table) else { return };
    let before = tree(&document);
    let canonical = twin::write(&before, set, lengths).is_some_and(|written| written == message);
    for lengths in [Lengths::Bytes, Lengths::Chars] {
        let options = options.with_lengths(lengths);
        let text = before.iter().all(|unit| match &unit.content {
            support::Content::Data(data) => std::str::from_utf8(data).is_ok(),
            support::Content::Units(_) => true,
        });
        let written = match tsf::write(&document, &options) {
            Ok(written) => written,
            Err(error) => {
                assert!(!text && lengths == Lengths::Chars && error.kind() == ErrorKind::Unsupported, "{error}");
                continue;
            }
        };
        assert_eq!(tsf::encoded_len(&document, &options).ok(), Some(written.len()));
        let mut room = vec![0; written.len()];
        assert_eq!(tsf::write_into(&document, &options, &mut room).ok(), Some(written.len()));
        assert_eq!(room, written);
        if canonical && lengths == options_of(input) {
            assert_eq!(written, message);
        }
        assert_eq!(hold(&written, set, lengths, Roots::All, &mut Table::new()), Outcome::Read);
        let mut table = Table::new();
        let again = tsf::read(&written, &options, &mut table).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(tree(&again), before);
    }
}

fn options_of(input: &[u8]) -> Lengths {
    chosen(input).map_or(Lengths::Bytes, |(_, lengths, _)| lengths)
}

/// An error points into the input and says what was expected.
fn has_position(error: &Error, input: &[u8]) {
    assert!(error.offset() <= input.len() as u64, "{error}");
    assert!(!error.found().to_string().is_empty(), "{error}");
    assert!(!error.found().to_string().is_empty(), "{error}");
}

/// XML is read or refused with a place; as events it says the same as in a table.
pub fn xml_read(input: &[u8]) {
    let options = text::xml::Options::default().with_limits(LIMITS);
    let mut table = Table::new();
    let read = text::xml::read(input, &options, &mut table).map(|_| ());
    if let Err(error) = &read {
        has_position(error, input);
        assert!(error.position().is_some(), "{error}");
    }
    let events = || {
        let mut reader = text::xml::Reader::new(input, &options)?;
        while reader.next_event()?.is_some() {}
        Ok::<_, Error>(())
    };
    match (read, events()) {
        (Ok(()), Ok(())) => {}
        (Err(one), Err(other)) => assert_eq!(one.kind(), other.kind(), "{one}\n{other}"),
        (one, other) => panic!("{one:?}, but as events {other:?}"),
    }
    // After a NUL, which no document has, comes a file: a name of one byte, and the text.
    let mut parts = input.split(|&byte| byte == 0);
    let document = parts.next().unwrap_or_default();
    let named = parts.filter_map(|part| part.split_first_chunk::<1>());
    let files = named.fold(Memory::new(), |files, (name, text)| files.with(String::from_utf8_lossy(name), text));
    match text::xml::standalone(document, None, &options, &files) {
        Ok(whole) => {
            let again = text::xml::standalone(&whole, None, &options, &Memory::new());
            assert!(again.is_ok_and(|again| again == whole), "{}", String::from_utf8_lossy(&whole));
        }
        Err(error) => has_position(&error, document),
    }
}

/// An XML document, which may have references to entities that are not read, is written so that it reads as the same.
pub fn xml_round(input: &[u8]) {
    let options = text::xml::Options::default().with_limits(LIMITS).with_entity_references(true);
    let mut table = Table::new();
    let Ok(document) = text::xml::read(input, &options, &mut table) else { return };
    let mut written = Vec::new();
    if let Err(error) = text::xml::append(&document, &options, &mut written) {
        panic!("{error}");
    }
    let mut table = Table::new();
    // Escapes can take a document over a limit it was just under.
    match text::xml::read(&written, &options, &mut table) {
        Ok(again) => assert_eq!(tree(&again), tree(&document), "{}", written.escape_ascii()),
        Err(error) => assert_eq!(error.kind(), ErrorKind::Limit, "{error}: {}", written.escape_ascii()),
    }
    let mut pretty = Vec::new();
    if let Err(error) = text::xml::append(&document, &options.with_pretty(true), &mut pretty) {
        panic!("{error}");
    }
    if let Err(error) = text::xml::read(&pretty, &options, &mut table) {
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}: {}", pretty.escape_ascii());
    }
}

const JSON_TYPES: [text::json::Types; 2] = [text::json::Types::Json, text::json::Types::Value];

/// JSON is read or refused with a place, the same under both type sets.
pub fn json_read(input: &[u8]) {
    let read = JSON_TYPES.map(|types| {
        let mut table = Table::new();
        text::json::read(input, &text::json::Options::default().with_types(types), &mut table).map(|_| ())
    });
    for error in read.iter().filter_map(|read| read.as_ref().err()) {
        has_position(error, input);
        assert!(error.position().is_some(), "{error}");
    }
    let [one, other] = read;
    assert_eq!(one.is_ok(), other.is_ok(), "{one:?} {other:?}");
}

/// A JSON text is written so that it reads as the same, and a second time to the letter.
pub fn json_round(input: &[u8]) {
    for options in JSON_TYPES.map(|types| text::json::Options::default().with_types(types)) {
        let mut table = Table::new();
        let Ok(document) = text::json::read(input, &options, &mut table) else { return };
        for pretty in [false, true] {
            let options = options.with_pretty(pretty);
            let mut written = Vec::new();
            if let Err(error) = text::json::append(&document, &options, &mut written) {
                panic!("{error}");
            }
            let mut table = Table::new();
            let again = text::json::read(&written, &options, &mut table)
                .unwrap_or_else(|error| panic!("{error}: {}", written.escape_ascii()));
            assert_eq!(tree(&again), tree(&document), "{}", written.escape_ascii());
            let mut twice = Vec::new();
            if let Err(error) = text::json::append(&again, &options, &mut twice) {
                panic!("{error}");
            }
            assert_eq!(twice, written);
        }
    }
}

/// What converts is a message of the other format, and XML and JSON come back from TSF, JSON from
/// PON too, as they were. The first byte chooses the formats and the options.
pub fn convert(input: &[u8]) {
    let Some((&choice, input)) = input.split_first() else { return };
    let from = Format::ALL[usize::from(choice % 4)];
    let to = Format::ALL[usize::from(choice / 4 % 4)];
    let types = Types::ALL[usize::from(choice / 16 % 3)];
    let lengths = if choice / 48 % 2 == 0 { Lengths::Bytes } else { Lengths::Chars };
    let explicit = choice / 96 % 2 == 0;
    let mut options = Options::default().with_lengths(lengths).with_limits(LIMITS).with_pretty(choice >= 192);
    if from == Format::Tsf && explicit {
        options = options.with_input_types(types);
    }
    if from == Format::Json && to == Format::Tsf && types != Types::Xml {
        options = options.with_output_types(types);
    }
    let written = match lengthwise::convert(input, from, to, &options) {
        Ok(written) => written,
        Err(error) => return assert!(!error.found().to_string().is_empty(), "{error}"),
    };
    let shown = || format!("{from:?} as {to:?}: {}", written.escape_ascii());
    let back = match (from, to) {
        (Format::Xml, Format::Tsf) => options.with_input_types(Types::Xml),
        (Format::Json, Format::Tsf) => options.with_input_types(if types == Types::Xml { Types::Json } else { types }),
        (Format::Pon, Format::Tsf) => options.with_input_types(Types::Value),
        (Format::Tsf, Format::Tsf) => match options.input_types {
            Some(types) => options.with_input_types(types),
            None => return,
        },
        _ => options,
    };
    let mut table = Table::new();
    if let Err(error) = lengthwise::read(&written, to, &back, &mut table) {
        // Escapes, quotes and levels of names can take a message over a limit.
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}: {}", shown());
        return;
    }
    match (from, to) {
        (Format::Xml | Format::Json | Format::Pon, Format::Tsf) | (Format::Json, Format::Pon) => {}
        _ => return,
    }
    let plain = lengthwise::convert(input, from, from, &options);
    let again = lengthwise::convert(&written, to, from, &back);
    match (plain, again) {
        (Ok(plain), Ok(again)) if from != Format::Json => assert_eq!(again, plain, "{}", shown()),
        // JSON goes through TSF as its tokens, or as values, which are escaped anew.
        (Ok(plain), Ok(again)) => assert_eq!(values(&again), values(&plain), "{}", shown()),
        (plain, again) => panic!("{plain:?} {again:?}: {}", shown()),
    }
}

/// What a JSON text says, however it is escaped.
fn values(json: &[u8]) -> String {
    let mut table = Table::new();
    match text::json::read(json, &text::json::Options::default(), &mut table) {
        Ok(document) => format!("{:?}", tree(&document)),
        Err(error) => panic!("{error}: {}", json.escape_ascii()),
    }
}
