//! A reader and a writer of the grammar, one byte after the other: what the crate is held against.

use std::borrow::Cow;
use std::{string::ToString, vec::Vec};

use tsf::Lengths;

use super::{Content, Set, Unit};

/// Why a message is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bad {
    /// It goes on where the bytes end: so many more are needed at the least.
    Incomplete { least: u128 },
    /// No byte that could follow would make it a message.
    Syntax { at: usize },
}

/// Which outermost units are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Roots {
    /// One, whatever follows.
    First,
    /// All there are, to the last byte.
    All,
}

/// Reads a message: its units in order, and how many bytes they took.
pub(crate) fn read<'m>(
    message: &'m [u8],
    set: &Set,
    lengths: Lengths,
    roots: Roots,
) -> Result<(Vec<Unit<'m>>, usize), Bad> {
    let mut units = Vec::new();
    let mut at = 0;
    // For every open unit, how many units it still has to get.
    let mut open: Vec<u128> = Vec::new();
    let mut owed_in_all = 0;
    loop {
        while open.last() == Some(&0) {
            open.pop();
        }
        match open.last_mut() {
            Some(owed) => {
                *owed -= 1;
                owed_in_all -= 1;
            }
            None if units.is_empty() || roots == Roots::All && at < message.len() => {}
            None => return Ok((units, at)),
        }
        // No unit is shorter than a digit and a type.
        let owed_bytes = 2 * owed_in_all;
        let Some(&first) = message.get(at) else { return Err(Bad::Incomplete { least: 2 + owed_bytes }) };
        if !first.is_ascii_digit() {
            return Err(Bad::Syntax { at });
        }
        let mut number: u128 = 0;
        while let Some(digit) = message.get(at).filter(|c| c.is_ascii_digit()) {
            number = number.saturating_mul(10).saturating_add(u128::from(digit - b'0')).min(1 << 100);
            at += 1;
        }
        // The cheapest end of a unit that so far is a number and perhaps some of a name.
        let rest = if set.primitive.is_empty() { 2 * number } else { number };
        let extended = message.get(at) == Some(&b'"');
        let mut name = None;
        if extended {
            name = Some(Cow::Borrowed(&message[at + 1..at + 1]));
            at += 1;
        }
        let kind = loop {
            let Some(&c) = message.get(at) else { return Err(Bad::Incomplete { least: 1 + rest + owed_bytes }) };
            at += 1;
            if set.holds(c) {
                break c;
            }
            let Some(&c) = (if extended && c == b'\\' {
                at += 1;
                message.get(at - 1)
            } else {
                Some(&c)
            }) else {
                return Err(Bad::Incomplete { least: 2 + rest + owed_bytes });
            };
            name.get_or_insert(Cow::Borrowed(&[])).to_mut().push(c);
        };
        if set.structured.contains(&kind) {
            open.push(number);
            owed_in_all += number;
            units.push(Unit { kind, name, content: Content::Units(number as usize) });
            continue;
        }
        let end = match lengths {
            Lengths::Chars => characters_end(message, at, number, owed_bytes)?,
            _ if number > (message.len() - at) as u128 => {
                return Err(Bad::Incomplete { least: number - (message.len() - at) as u128 + owed_bytes });
            }
            _ => at + number as usize,
        };
        units.push(Unit { kind, name, content: Content::Data(Cow::Borrowed(&message[at..end])) });
        at = end;
    }
}

/// Where `count` characters from `at` on end.
fn characters_end(message: &[u8], mut at: usize, count: u128, owed_bytes: u128) -> Result<usize, Bad> {
    for read in 0..count {
        let more = count - read - 1 + owed_bytes;
        let Some(first) = message.get(at) else { return Err(Bad::Incomplete { least: more + 1 }) };
        // RFC 3629: how long the character is that a byte begins.
        let length = match first {
            0..=0x7F => 1,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return Err(Bad::Syntax { at }),
        };
        let character = &message[at..message.len().min(at + length)];
        match core::str::from_utf8(character) {
            Ok(_) => at += length,
            Err(error) if error.error_len().is_none() => {
                return Err(Bad::Incomplete { least: (length - character.len()) as u128 + more });
            }
            Err(_) => return Err(Bad::Syntax { at }),
        }
    }
    Ok(at)
}

/// A message in the form a writer gives it; `None` where lengths in characters are asked of data
/// that has none.
pub(crate) fn write(units: &[Unit<'_>], set: &Set, lengths: Lengths) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let strings = units.iter().filter_map(|unit| match &unit.content {
        Content::Data(data) => Some(unit.kind == b'\'' && tsf::is_token(data)),
        Content::Units(_) => None,
    });
    let is_value = set.types.vocabulary() == tam::Vocabulary::Value;
    if is_value && strings.clone().count() > 0 && strings.into_iter().all(|token| token) {
        out.push(b'0');
    }
    for unit in units {
        let number = match &unit.content {
            Content::Units(count) => *count,
            Content::Data(data) if lengths == Lengths::Chars => core::str::from_utf8(data).ok()?.chars().count(),
            Content::Data(data) => data.len(),
        };
        out.extend_from_slice(number.to_string().as_bytes());
        if let Some(name) = &unit.name {
            push_name(name, set, &mut out);
        }
        out.push(unit.kind);
        if let Content::Data(data) = &unit.content {
            out.extend_from_slice(data);
        }
    }
    Some(out)
}

/// A name, in the extended form where it cannot do without.
pub(crate) fn push_name(name: &[u8], set: &Set, out: &mut Vec<u8>) {
    let plain = match name.first() {
        None => false,
        Some(first) => !first.is_ascii_digit() && *first != b'"' && !name.iter().any(|&c| set.holds(c)),
    };
    if plain {
        out.extend_from_slice(name);
        return;
    }
    out.push(b'"');
    for &c in name {
        if c == b'"' || c == b'\\' || set.holds(c) {
            out.push(b'\\');
        }
        out.push(c);
    }
}
