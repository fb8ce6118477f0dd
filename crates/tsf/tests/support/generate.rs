//! Made-up type sets, trees and messages, the same ones for the same seed.

use std::borrow::Cow;
use std::{format, vec, vec::Vec};

pub(crate) use test_support::Random;
use tsf::Lengths;

use super::{Content, Set, Unit, twin};

/// A type set: a built-in one, or any that the grammar allows.
pub(crate) fn set(random: &mut Random) -> Set {
    if random.one_in(2) {
        let [xml, json, value] = Set::built_in();
        return [xml, json, value].into_iter().nth(random.below(3)).unwrap();
    }
    let mut allowed: Vec<u8> = (b' '..=b'~').filter(|c| !c.is_ascii_digit() && !b"\"\\".contains(c)).collect();
    // Three types with the same low nibble cannot be distinguished by two look-ups.
    let mut types = match random.below(3) {
        0 => vec![b'!', b'A', b'a'],
        1 => vec![b'+', b';', b'[', b'{'],
        _ => vec![random.of(&allowed)],
    };
    allowed.retain(|c| !types.contains(c));
    for _ in 0..random.below(12) {
        types.push(allowed.swap_remove(random.below(allowed.len())));
    }
    let (structured, primitive): (Vec<u8>, Vec<u8>) = types.into_iter().partition(|_| random.one_in(2));
    Set::of(&structured, &primitive)
}

/// Pieces of names: quotes, escapes, digits and types anywhere, and what is not UTF-8.
const NAMES: [&[u8]; 16] = [
    b"id",
    b"a",
    b"64th",
    b"\"",
    b"\\",
    b"{\\['",
    b"xmlns:soap",
    b"0",
    b"\xC3\xA9",
    b"\xFF",
    b"<",
    b"=",
    b" ",
    b"n\na\0me",
    b"'",
    b"a\"b",
];

fn name(random: &mut Random) -> Option<Cow<'static, [u8]>> {
    match random.below(12) {
        0..4 => None,
        4..8 => Some(Cow::Borrowed(random.of(&NAMES))),
        8 => Some(Cow::Borrowed(b"")),
        // Every length around the blocks that names may be looked at in.
        9 => Some(Cow::Owned(vec![b'n'; random.below(72)])),
        _ => {
            let mut name = Vec::new();
            for _ in 0..random.below(6) {
                name.extend_from_slice(random.of(&NAMES));
            }
            Some(Cow::Owned(name))
        }
    }
}

const DATA: [&str; 12] = [
    "",
    "hello",
    "0",
    "2a<1=4id[Boss",
    "true",
    "\u{E9}",
    "\u{6E29}\u{5BA4}",
    "\u{1F98B}",
    "\n",
    "\0",
    "\"\\",
    "12345678",
];

fn data(random: &mut Random, text: bool) -> Cow<'static, [u8]> {
    match random.below(8) {
        0..4 => Cow::Borrowed(random.of(&DATA).as_bytes()),
        4 => Cow::Owned(vec![b'd'; random.below_or(140, 40, 3000)]),
        5 if !text => Cow::Owned((0..random.below(40)).map(|_| random.next() as u8).collect()),
        _ => {
            let mut data = Vec::new();
            for _ in 0..random.below(24) {
                data.extend_from_slice(random.of(&DATA).as_bytes());
            }
            Cow::Owned(data)
        }
    }
}

/// A tree of up to `most` units or a few more. With `text`, all data is UTF-8.
pub(crate) fn tree(random: &mut Random, set: &Set, most: usize, text: bool) -> Vec<Unit<'static>> {
    let mut units = Vec::new();
    let mut owed = if random.one_in(6) { 1 + random.below(4) } else { 1 };
    let mut left = random.below(most + 1);
    while owed > 0 {
        owed -= 1;
        let structured = !set.structured.is_empty() && (set.primitive.is_empty() || random.one_in(3));
        let content = if structured {
            let count = match random.below(4) {
                0 => 0,
                1 => 1,
                2 => random.below(4),
                _ => random.below_or(14, 20, 120),
            };
            let count = count.min(left);
            left -= count;
            owed += count;
            Content::Units(count)
        } else {
            Content::Data(data(random, text))
        };
        let kinds = if structured { &set.structured } else { &set.primitive };
        units.push(Unit { kind: random.of(kinds), name: name(random), content });
    }
    units
}

/// A tree as a message of the forms a reader must take too: numbers with zeros in front, names in
/// the extended form without need, and escapes without need.
pub(crate) fn sloppy(random: &mut Random, units: &[Unit<'_>], set: &Set, lengths: Lengths) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for unit in units {
        let written = twin::write(core::slice::from_ref(unit), set, lengths)?;
        let digits = written.iter().take_while(|c| c.is_ascii_digit()).count();
        if random.one_in(3) {
            out.extend(vec![b'0'; random.below_or(5, 10, 90)]);
        }
        out.extend_from_slice(&written[..digits]);
        match &unit.name {
            Some(name) if random.one_in(2) => {
                out.push(b'"');
                for &c in name.iter() {
                    if c == b'\\' || set.holds(c) || random.one_in(3) {
                        out.push(b'\\');
                    }
                    out.push(c);
                }
            }
            Some(name) => twin::push_name(name, set, &mut out),
            None => {}
        }
        out.push(unit.kind);
        if let Content::Data(data) = &unit.content {
            out.extend_from_slice(data);
        }
    }
    Some(out)
}

/// Numbers at the edges: of the digits looked at together, of 32 and 64 bits, and beyond.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "9",
    "10",
    "99",
    "999",
    "1000",
    "9999",
    "10000",
    "00000000000000000003",
    "2147483648",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999",
];

/// Spoils a message: bits flipped, bytes put in and taken out, numbers changed, pieces of
/// `other` put in their place.
pub(crate) fn mutate(random: &mut Random, message: &mut Vec<u8>, other: &[u8], set: &Set) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(message.len() + 1);
        match random.below(9) {
            0 if at < message.len() => message[at] ^= 1 << random.below(8),
            1 if at < message.len() => message[at] = random.next() as u8,
            2 => message.insert(at, random.next() as u8),
            3 => {
                let kinds = if random.one_in(2) { &set.structured } else { &set.primitive };
                if !kinds.is_empty() {
                    message.insert(at, random.of(kinds));
                }
            }
            4 => {
                let end = message.len().min(at + 1 + random.below(6));
                message.drain(at..end);
            }
            5 => {
                let from = random.below(other.len() + 1);
                let to = other.len().min(from + random.below(40));
                message.splice(at..at, other[from..to].iter().copied());
            }
            6 => {
                // A number near the place becomes another one.
                let Some(start) = (at..message.len()).find(|&at| message[at].is_ascii_digit()) else { continue };
                let digits = message[start..].iter().take_while(|c| c.is_ascii_digit()).count();
                let number = if random.one_in(2) {
                    random.of(&NUMBERS).as_bytes().to_vec()
                } else {
                    let digits = core::str::from_utf8(&message[start..start + digits]).unwrap();
                    let number: u64 = digits.parse().unwrap_or(7);
                    format!("{}", if random.one_in(2) { number.wrapping_add(1) } else { number.saturating_sub(1) })
                        .into_bytes()
                };
                message.splice(start..start + digits, number);
            }
            7 => message.truncate(at),
            _ => message.insert(at, random.of(b"0123456789\"\\\"\\\xC3\xA9\xF0\x80")),
        }
    }
}
