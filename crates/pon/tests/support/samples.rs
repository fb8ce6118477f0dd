//! Messages that others are made from: those of the paper and the contract, and larger ones.

use super::generate::{self, Random};
use super::{Unit, twin};

/// A message and its tree.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) message: Vec<u8>,
    pub(crate) units: Vec<Unit>,
}

const MESSAGES: [&[u8]; 27] = [
    // The paper: section 2.1 (as an array, for nodes side by side are no message), section 2.2 and
    // table 1.
    b"55[15sMy first string16sMy second string15sMy third string",
    b"26{key1:6svalue1key2:6svalue2",
    b"16[6svalue16svalue2",
    b"16sThis is a string",
    b"2i49",
    b"4d17.3",
    b"cA",
    b"bA",
    b"t",
    b"f",
    b"u",
    // The contract: every type, odd keys, numbers as they are written.
    b"0{",
    b"0[",
    b"0s",
    b"0y",
    b"5shello",
    b"3y\x00\xFF\x80",
    b"c\xF0\x9F\xA6\x8B",
    b"b\xFF",
    br"27{a\:b:1i1\\:1i2:1i317:1i4u:u",
    b"30i123456789012345678901234567890",
    b"40[3d1.03d1e53dNaN8dInfinity9d-Infinity2i-0",
    b"24[0[0{3[0{t12{a:0[b:0{:1[u",
    "18{\u{E9}:c\u{E9}\u{6E29}:6s\u{6E29}\u{5BA4}".as_bytes(),
    b"9{a:ta:fa:u",
    b"19[b0b1c0c1tfu0s0y0[0{",
    b"37{room:5satticok:tt:5d21.50cal:6[1i01i8",
];

/// Sound messages of every type and shape.
pub(crate) fn samples() -> Vec<Sample> {
    let mut all: Vec<Sample> = Vec::new();
    for message in MESSAGES {
        let (units, taken) =
            twin::read(message, true).unwrap_or_else(|bad| panic!("{bad:?}: {}", message.escape_ascii()));
        assert_eq!(taken, message.len());
        all.push(Sample { message: message.to_vec(), units });
    }
    let binary: Vec<u8> = (0..=255).collect();
    all.push(Sample::of(&[&b"265{blob:256y"[..], &binary].concat()));
    all.push(Sample::of(&nested(40, b"t")));
    all.push(Sample::of(&services(4)));
    let mut random = Random::new(31);
    while all.len() < 70 {
        let units = generate::tree(&mut random, 30);
        let message = twin::write(&units);
        if message.len() < 600 {
            all.push(Sample { message, units });
        }
    }
    all
}

impl Sample {
    fn of(message: &[u8]) -> Sample {
        let (units, _) = twin::read(message, true).unwrap();
        Sample { message: message.to_vec(), units }
    }
}

/// A message as an application would send it.
fn services(count: usize) -> Vec<u8> {
    let mut list = Vec::new();
    for n in 0..count {
        let name = format!("service-{n}");
        let node = format!("name:{}s{name}id:3i10{n}up:tload:4d0.2{n}tags:{}[1sx2s:\\", name.len(), 3 + 4);
        list.extend_from_slice(format!("{}{{{node}", node.len()).as_bytes());
    }
    let inside = [format!("services:{}[", list.len()).as_bytes(), &list, b"more:f"].concat();
    [format!("{}{{", inside.len()).as_bytes(), &inside].concat()
}

/// Arrays within arrays around a node.
pub(crate) fn nested(levels: usize, inside: &[u8]) -> Vec<u8> {
    // Heads from the innermost to the outermost, their digits the wrong way round.
    let mut reversed: Vec<u8> = inside.iter().rev().copied().collect();
    for _ in 0..levels {
        let len = reversed.len().to_string();
        reversed.push(b'[');
        reversed.extend(len.bytes().rev());
    }
    reversed.reverse();
    reversed
}

/// Nested objects, each with members before and after the next one.
pub(crate) fn wrapped(levels: usize) -> Vec<u8> {
    let (mut before, mut len) = (Vec::new(), 0_usize);
    for level in 0..levels {
        // b"a:t" and b"k:" before it, b"z:u" after it; the innermost has only a and z.
        let inner = if level == 0 { 0 } else { 2 + len };
        let inside = 6 + inner;
        let head = format!("{inside}{{");
        let rest: &[u8] = if level == 0 { b"a:t" } else { b"a:tk:" };
        before.push([head.as_bytes(), rest].concat());
        len = head.len() + inside;
    }
    before.reverse();
    let mut message = before.concat();
    message.extend(b"z:u".repeat(levels));
    message
}
