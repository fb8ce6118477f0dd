//! Messages that others are made from: those of the contract and the paper, and larger ones.

use std::{format, string::String, vec, vec::Vec};

use tsf::Lengths;

use super::generate::{self, Random};
use super::{Set, twin};

/// A message, and what it takes to read it.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) message: Vec<u8>,
    pub(crate) set: Set,
    pub(crate) lengths: Lengths,
}

impl Sample {
    fn new(message: impl Into<Vec<u8>>, set: Set, lengths: Lengths) -> Sample {
        Sample { message: message.into(), set, lengths }
    }

    pub(crate) fn options(&self) -> tsf::Options<'_> {
        tsf::Options::new(&self.set.types).with_lengths(self.lengths)
    }
}

/// Single messages (one outermost unit each) of all type sets and both kinds of length.
pub(crate) fn samples() -> Vec<Sample> {
    use Lengths::{Bytes, Chars};
    let mut all = Vec::new();
    for lengths in [Bytes, Chars] {
        for message in [
            &b"0project<"[..],
            b"2p:a<1=7xmlns:p[urn:foo1p:b<1=4id[Boss",
            b"5=9?peri rset12+Introduction1project<7[content6+Epilog9?peri sset",
            b"3=9+ comment 31!doc [<!ELEMENT doc (#PCDATA)>\n]0doc<",
            b"2a<1=6\"\\[\\]\\=[quoted9]cdata <&>",
        ] {
            all.push(Sample::new(message, Set::xml(), lengths));
        }
        for message in [&br#"3{1"64th'74"\{\\\[\''true2[4'true4'null"#[..], br#"2{2"'""4[1'11'21'30{"#, b"4'1.50"] {
            all.push(Sample::new(message, Set::json(), lengths));
        }
        all.push(Sample::new(&b"5{6sensor'indoor7t%21.5e+04code#-1171ok?t3data[0~1^x3`255"[..], Set::value(), lengths));
        all.push(Sample::new(&b"3X1aYq0aX3bYyes"[..], Set::of(b"X", b"Y"), lengths));
        // Three types with the low nibble 1.
        all.push(Sample::new(&b"3bq0a1bAz3cQxyz"[..], Set::of(b"q", b"AaQ"), lengths));
    }
    all.push(Sample::new("2g\u{E9}<1=6n\u{E9}[caf\u{E9} \u{6E29}7[\u{1F98B} wings", Set::xml(), Chars));
    let mut binary = b"1blob{256*".to_vec();
    binary.extend(0..=255);
    all.push(Sample::new(binary, Set::value(), Bytes));
    all.push(Sample::new(orders(5), Set::xml(), Bytes));
    all.push(Sample::new(orders(5), Set::xml(), Chars));
    all.push(Sample::new(chain(40), Set::xml(), Bytes));
    let mut random = Random::new(31);
    let count = if cfg!(miri) { 32 } else { 60 };
    while all.len() < count {
        let set = generate::set(&mut random);
        let lengths = if random.one_in(2) { Bytes } else { Chars };
        let mut units = generate::tree(&mut random, &set, 30, lengths == Chars);
        let Some(message) = generate::sloppy(&mut random, &units, &set, lengths) else { continue };
        let Ok((first, taken)) = twin::read(&message, &set, lengths, twin::Roots::First) else { continue };
        units.truncate(first.len());
        if taken < 400 {
            all.push(Sample::new(&message[..taken], set, lengths));
        }
    }
    all
}

/// A message as an application would send it.
fn orders(count: usize) -> String {
    let mut message = format!("{}orders<1=3day[mon", count + 1);
    for n in 0..count {
        let text = "x".repeat(n * 13 % 150);
        message.push_str(&format!("3order<2=2id[{:02}14purchase-number[PN-{:010}X", n, n * 7919));
        message.push_str(&format!("1item<5[apple1note<{}[{text}", text.len()));
    }
    message
}

/// Units within units, each the first of two: no level is the last thing on its own level.
pub(crate) fn chain(levels: usize) -> Vec<u8> {
    let mut message = Vec::with_capacity(levels * 4 + 2);
    for _ in 0..levels {
        message.extend_from_slice(b"2<");
    }
    message.extend_from_slice(b"0<");
    for _ in 0..levels {
        message.extend_from_slice(b"0[");
    }
    message
}

/// Units within units, each alone.
pub(crate) fn tail(levels: usize) -> Vec<u8> {
    let mut message = b"1<".repeat(levels - 1);
    message.extend_from_slice(b"0<");
    message
}
