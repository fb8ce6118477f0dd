//! What a reader of BER reports: each octet of a message once, and values in order.

use crate::ber_support::forms::Forms;
use crate::ber_support::{Type, hex};
use crate::jer_support::{MODULE, Made, uper_of};
use asn1::event::{At, Integer, Part, Real, Sink, Stretch};
use asn1::{Compiled, NodeId, Options, Values};
use tam::Error;
use test_support::Random;

/// Records what is reported.
struct Recorder<'a> {
    types: &'a Compiled,
    message: &'a [u8],
    buffer: Vec<u8>,
    /// A word for each part of the message, in order, with its number of octets.
    parts: Vec<String>,
    /// The end of the octets reported so far.
    up_to: u64,
    values: Vec<String>,
    levels: u32,
}

impl Recorder<'_> {
    fn say(&mut self, at: At<u32>, words: String) {
        self.values.push(format!("{}.{} {words}", at.level, at.index));
    }

    fn open(&mut self, at: At<u32>, words: String) -> Result<u32, Error> {
        self.say(at, words);
        self.levels += 1;
        Ok(self.levels)
    }

    fn words(&self, octets: Stretch) -> String {
        let (place, octets) = match octets {
            Stretch::Message { start, len } => ("lent", &self.message[start..start + len]),
            Stretch::Buffer { start } => ("gathered", &self.buffer[start..]),
        };
        format!("{place} {}", octets.iter().map(|octet| format!("{octet:02X}")).collect::<String>())
    }
}

impl Sink for Recorder<'_> {
    type Level = u32;
    const BITS: bool = true;

    fn root(&mut self, _: NodeId) -> u32 {
        0
    }

    fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    fn bits(&mut self, _: At<u32>, node: NodeId, part: Part, start: u64, end: u64) {
        assert!(start == self.up_to && end > start && end.is_multiple_of(8), "{part:?} from {start} to {end}");
        self.up_to = end;
        self.parts.push(format!("{} {} {}", self.types.node(node).name, part.as_str(), (end - start) / 8));
    }

    fn null(&mut self, at: At<u32>, _: NodeId) -> Result<(), Error> {
        self.say(at, "null".into());
        Ok(())
    }

    fn boolean(&mut self, at: At<u32>, _: NodeId, value: bool) -> Result<(), Error> {
        self.say(at, value.to_string());
        Ok(())
    }

    fn integer(&mut self, at: At<u32>, _: NodeId, value: Integer<'_>) -> Result<(), Error> {
        self.say(at, value.to_i128().unwrap().to_string());
        Ok(())
    }

    fn enumerated(&mut self, at: At<u32>, _: NodeId, item: u32) -> Result<(), Error> {
        self.say(at, format!("item {item}"));
        Ok(())
    }

    fn real(&mut self, at: At<u32>, _: NodeId, value: Real<'_>) -> Result<(), Error> {
        self.say(at, format!("{value:?}"));
        Ok(())
    }

    fn bit_string(&mut self, at: At<u32>, _: NodeId, octets: Stretch, len: u64) -> Result<(), Error> {
        let words = format!("{} ({len})", self.words(octets));
        self.say(at, words);
        Ok(())
    }

    fn octets(&mut self, at: At<u32>, _: NodeId, octets: Stretch) -> Result<(), Error> {
        let words = self.words(octets);
        self.say(at, words);
        Ok(())
    }

    fn text(&mut self, at: At<u32>, node: NodeId, text: Stretch) -> Result<(), Error> {
        Sink::octets(self, at, node, text)
    }

    fn record(&mut self, at: At<u32>, _: NodeId) -> Result<u32, Error> {
        self.open(at, "record".into())
    }

    fn row(&mut self, at: At<u32>, _: NodeId) -> Result<u32, Error> {
        self.open(at, "row".into())
    }

    fn choice(&mut self, at: At<u32>, _: NodeId, alternative: u32) -> Result<u32, Error> {
        self.open(at, format!("choice {alternative}"))
    }

    fn array(&mut self, at: At<u32>, _: NodeId, len: u32) -> Result<u32, Error> {
        self.open(at, format!("array of {len}"))
    }

    fn more(&mut self, at: At<u32>, _: NodeId, level: u32, more: u32) -> Result<u32, Error> {
        self.say(at, format!("{more} more"));
        Ok(level)
    }

    fn unknown(&mut self, at: At<u32>, _: NodeId, octets: Stretch) -> Result<(), Error> {
        let words = format!("unknown {}", self.words(octets));
        self.say(at, words);
        Ok(())
    }

    fn end(&mut self, _: NodeId, level: u32) -> Result<(), Error> {
        self.values.push(format!("end {level}"));
        Ok(())
    }
}

/// What is reported of a message: each of its octets once, and its values.
fn reported_of(types: &Compiled, node: NodeId, message: &[u8]) -> (Vec<String>, Vec<String>) {
    let (buffer, parts, values) = (Vec::new(), Vec::new(), Vec::new());
    let mut sink = Recorder { types, message, buffer, parts, up_to: 0, values, levels: 0 };
    let used = asn1::read_events(message, types, node, &Options::ber(), &mut sink).unwrap();
    assert_eq!((used, sink.up_to), (message.len(), message.len() as u64 * 8));
    (sink.parts, sink.values)
}

fn reported(ty: &Type, message: &str) -> (Vec<String>, Vec<String>) {
    reported_of(&ty.types, ty.node, &hex(message))
}

#[test]
fn each_octet_is_reported_once_whatever_the_form() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let ty = types.find("Batch").unwrap();
    let mut random = Random::new(93);
    for _ in 0..300 {
        let packed = uper_of(&types, ty, &Made::value(&types, ty, &mut random)).unwrap();
        let mut values = Values::new();
        let value = asn1::read(&packed, &types, ty, &Options::uper(), &mut values).unwrap();
        let definite = asn1::write(value, &Options::ber()).unwrap();
        let other = Forms { random: &mut random }.all(&definite);
        let (one, two) = (reported_of(&types, ty, &definite).1, reported_of(&types, ty, &other).1);
        // The length of an array is reported in pieces, and text is gathered.
        let leaves = |values: &[String]| {
            let words = values.iter().filter_map(|value| value.split_once(' ').map(|(_, words)| words));
            let words = words.filter(|words| !words.starts_with("array") && !words.ends_with("more"));
            words.map(|words| words.replace("gathered", "lent")).collect::<Vec<_>>()
        };
        assert_eq!(leaves(&one), leaves(&two));
    }
}

#[test]
fn values_and_what_the_octets_are_for() {
    let ty = Type::implicit(
        "T ::= SEQUENCE { a [0] EXPLICIT [1] EXPLICIT INTEGER, b [2] CHOICE { c NULL, d BIT STRING }, e SEQUENCE OF BOOLEAN, ... }",
    );
    let (parts, values) = reported(&ty, "3013 A005A103020107 A202 0500 3003 0101FF 8A 01 00");
    assert_eq!(
        parts,
        [
            "T header 2",
            "T.a header 2",
            "T.a header 2",
            "T.a header 2",
            "T.a value 1",
            "T.b header 2",
            "T.b.c header 2",
            "T.e header 2",
            "T.e.item header 2",
            "T.e.item value 1",
            "T unknown 3"
        ]
    );
    assert_eq!(
        values,
        ["0.0 record", "1.0 7", "1.1 choice 1", "2.0 null", "end 2", "1.2 array of 1", "3.0 true", "end 3", "end 1"]
    );
}

/// Alternatives are numbered by their tags: BIT STRING before NULL.
#[test]
fn indefinite_lengths_and_segments() {
    let ty = Type::implicit(
        "T ::= SEQUENCE { a [0] EXPLICIT [1] EXPLICIT INTEGER, b [2] CHOICE { c NULL, d BIT STRING }, e SEQUENCE OF OCTET STRING, ... }",
    );
    let message = "3080 A080A180 020107 0000 0000 A280 2380 03020080 0302 07FF 0000 0000
        3080 0401AA 2480 0401BB 2403 0401CC 0000 0400 0401DD 2400 0000 AA80 8000 A080 0000 0000 0000";
    let (parts, values) = reported(&ty, message);
    assert_eq!(parts.iter().filter(|part| part.ends_with("header 2")).count(), 24, "{parts:#?}");
    assert_eq!(
        values,
        [
            "0.0 record",
            "1.0 7",
            "1.1 choice 0",
            "2.0 gathered 8080 (9)",
            "end 2",
            // Counted as far as lengths are known.
            "1.2 array of 2",
            "3.0 lent AA",
            "3.1 gathered BBCC",
            "1.2 3 more",
            "3.2 lent ",
            "3.3 lent DD",
            "3.4 gathered ",
            "end 3",
            "end 1"
        ]
    );
}

#[test]
fn alternatives_and_enumerations_of_later_versions() {
    let ty = Type::implicit("T ::= SEQUENCE OF CHOICE { a [0] ENUMERATED { x, ... }, ... }");
    let (parts, values) = reported(&ty, "300B 800100 80020100 A1800000");
    assert_eq!(parts.last().unwrap(), "T.item unknown 4");
    assert_eq!(
        values,
        [
            "0.0 array of 3",
            "1.0 choice 0",
            "2.0 item 0",
            "end 2",
            "1.1 choice 0",
            "3.0 unknown lent 0100",
            "end 3",
            "1.2 choice 4294967295",
            "4.0 unknown lent A1800000",
            "end 4",
            "end 1"
        ]
    );
}

#[test]
fn rows_of_arrays_of_records() {
    let ty = Type::implicit("T ::= SET OF SET { a NULL OPTIONAL, b [0] SET OF SET { c NULL OPTIONAL } OPTIONAL }");
    let (_, values) = reported(&ty, "3180 3100 3180 A004 3100 3100 0500 0000 3102 0500 0000");
    assert_eq!(
        values,
        [
            "0.0 array of 2",
            "1.0 row",
            "end 2",
            "1.1 row",
            "3.1 array of 2",
            "4.0 row",
            "end 5",
            "4.1 row",
            "end 6",
            "end 4",
            "3.0 null",
            "end 3",
            "0.0 1 more",
            "1.2 row",
            "7.0 null",
            "end 7",
            "end 1"
        ]
    );
}
