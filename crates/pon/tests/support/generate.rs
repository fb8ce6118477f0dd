//! Made-up trees and messages, the same ones for the same seed.

pub(crate) use test_support::Random;

use super::{Data, Unit, twin};

/// Pieces of keys: escapes, digits, what is a type in TSF, what is a node of its own.
const KEYS: [&str; 26] = [
    "id",
    "key1",
    "a",
    "0",
    "17",
    "64th",
    "",
    ":",
    "\\",
    "a:b",
    "\\:",
    "\"",
    "{\\['",
    "/",
    "~1",
    "[2]",
    "#",
    "~",
    "2i49",
    "u",
    "\u{E9}",
    "\u{6E29}\u{5BA4}",
    "\u{1F98B}",
    "\0",
    "\n",
    " ",
];

pub(crate) fn key(random: &mut Random) -> String {
    match random.below(12) {
        0..8 => random.of(&KEYS).to_owned(),
        // Every length around the blocks that keys may be looked at in, a mark anywhere.
        8 => "k".repeat(random.below(40)),
        9 => {
            let mut key = "k".repeat(random.below(24));
            key.push_str(random.of(&[":", "\\", "\u{E9}", "\\\\::"]));
            key.push_str(&"k".repeat(random.below(24)));
            key
        }
        _ => (0..random.below(6)).map(|_| random.of(&KEYS)).collect(),
    }
}

const TEXTS: [&str; 12] =
    ["", "hello", "value1", "2i49", "\\:", "\u{E9}", "\u{6E29}\u{5BA4}", "\u{1F98B}", "\n", "\0", "\"\\", "12345678"];

const INTEGERS: [&str; 14] = [
    "0",
    "-0",
    "7",
    "49",
    "-1",
    "1000000007",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211455",
    "-170141183460469231731687303715884105728",
    "123456789012345678901234567890",
];

const FLOATS: [&str; 18] = [
    "17.3",
    "1.0",
    "21.50",
    "1e5",
    "1E+5",
    "2e-07",
    "0",
    "-0.0",
    "-12",
    "0.1",
    "5e-324",
    "1.7976931348623157e308",
    "1e400",
    "-1e-400",
    "123456789012345678901234567890.123456789",
    "NaN",
    "Infinity",
    "-Infinity",
];

const CHARACTERS: [char; 10] = ['A', 'z', '5', ':', '\\', '\0', '\u{7F}', '\u{E9}', '\u{6E29}', '\u{1F98B}'];

pub(crate) fn scalar(random: &mut Random) -> Data {
    match random.below(13) {
        0 => Data::Null,
        1 | 2 => Data::Boolean(random.one_in(2)),
        3 => Data::Integer(random.of(&INTEGERS).to_owned()),
        4 => Data::Integer((random.next() as i64 >> random.below(64)).to_string()),
        5 => Data::Float(random.of(&FLOATS).to_owned()),
        6 => Data::Float(format!("{:?}", f64::from_bits(random.next())).replace("inf", "Infinity")),
        7 => Data::Binary((0..random.below_or(40, 30, 2000)).map(|_| random.next() as u8).collect()),
        8 => Data::Char(random.of(&CHARACTERS)),
        9 => Data::Byte(random.next() as u8),
        10 => Data::String("d".repeat(random.below_or(140, 40, 3000))),
        _ => Data::String((0..random.below(8)).map(|_| random.of(&TEXTS)).collect()),
    }
}

/// A tree of up to about `most` units.
pub(crate) fn tree(random: &mut Random, most: usize) -> Vec<Unit> {
    let mut left = random.below(most + 1);
    let mut units = Vec::new();
    // For each open unit how many it still lacks, and whether they have keys.
    let mut open: Vec<(usize, bool)> = vec![(1, false)];
    while let Some((lacks, keys)) = open.last_mut() {
        if *lacks == 0 {
            open.pop();
            continue;
        }
        *lacks -= 1;
        let key = keys.then(|| key(random));
        let container = if units.is_empty() { !random.one_in(8) } else { random.one_in(3) };
        let data = if container {
            let count = match random.below(4) {
                0 => random.below(2),
                1 | 2 => random.below(5),
                _ => random.below_or(14, 20, 120),
            };
            let count = count.min(left);
            left -= count;
            let object = random.one_in(2);
            open.push((count, object));
            if object { Data::Object(count) } else { Data::Array(count) }
        } else {
            scalar(random)
        };
        units.push(Unit { key, data });
    }
    units
}

/// Numbers at the edges: of a length's digits, of 32 and 64 bits.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "9",
    "10",
    "99",
    "00",
    "01",
    "1000",
    "00000000003",
    "2147483648",
    "4294967295",
    "4294967296",
    "9999999999",
    "10000000000",
    "18446744073709551616",
];

/// Spoils bytes: bits flipped, bytes put in and taken out, numbers changed, pieces of `other` put in
/// their place.
pub(crate) fn mutate(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len() + 1);
        match random.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.of(b"tfuicbdsy[{:\\0129.-e\xC3\xA9\xF0\x80"),
            2 => bytes.insert(at, random.next() as u8),
            3 => bytes.insert(at, random.of(b"tfuicbdsy[{:\\")),
            4 => {
                let end = bytes.len().min(at + 1 + random.below(6));
                bytes.drain(at..end);
            }
            5 => {
                let from = random.below(other.len() + 1);
                let to = other.len().min(from + random.below(40));
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            6 => {
                // A number near the place becomes another one.
                let Some(start) = (at..bytes.len()).find(|&at| bytes[at].is_ascii_digit()) else { continue };
                let digits = bytes[start..].iter().take_while(|c| c.is_ascii_digit()).count();
                let number = if random.one_in(2) {
                    random.of(&NUMBERS).as_bytes().to_vec()
                } else {
                    let digits = core::str::from_utf8(&bytes[start..start + digits]).unwrap();
                    let number: u64 = digits.parse().unwrap_or(7);
                    let near = if random.one_in(2) { number.wrapping_add(1) } else { number.saturating_sub(1) };
                    near.to_string().into_bytes()
                };
                bytes.splice(start..start + digits, number);
            }
            7 => bytes.truncate(at),
            _ => bytes.insert(at, random.of(b"0123456789:\\:\\\xC3\xA9\xF0\x80")),
        }
    }
}

/// A spoiled message. Mostly the lengths around the damage fit it: else all that is ever found is
/// that the outermost length does not.
pub(crate) fn spoiled(random: &mut Random, units: &[Unit], message: &[u8], other: &[u8]) -> Vec<u8> {
    let mut spoiled;
    match random.below(4) {
        0 => {
            spoiled = message.to_vec();
            mutate(random, &mut spoiled, other);
        }
        1 => {
            // Bytes of as many: every length stays right.
            spoiled = message.to_vec();
            for _ in 0..1 + random.below(3) {
                let at = random.below(spoiled.len());
                spoiled[at] = random.of(b"tfuicbdsy[{:\\0129.-eN\xC3\xA9\xF0\x80\xFF");
            }
        }
        _ => {
            let index = random.below(units.len());
            let key = units[index].key.as_ref().filter(|_| random.one_in(3)).map(|key| {
                let mut key = [key.replace('\\', r"\\").replace(':', r"\:").as_bytes(), b":"].concat();
                mutate(random, &mut key, other);
                key
            });
            let count = within(&units[index..]);
            let mut node = Unit { key: None, ..units[index].clone() };
            let mut nodes = units[index..index + count].to_vec();
            std::mem::swap(&mut nodes[0], &mut node);
            let mut node = twin::write(&nodes);
            if key.is_none() {
                mutate(random, &mut node, other);
            }
            spoiled = twin::write_with(units, index, key.as_deref(), &node);
        }
    }
    spoiled
}

/// How many units the first of a list takes, itself included.
fn within(units: &[Unit]) -> usize {
    let (mut taken, mut owed) = (0, 1);
    while owed > 0 {
        owed += units[taken].data.count().unwrap_or(0);
        owed -= 1;
        taken += 1;
    }
    taken
}
