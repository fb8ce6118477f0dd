//! Values as text in which nothing is left out: what of later versions is kept, and whether a default
//! is told. Two values are the same where their texts are.

use std::fmt::Write;

use asn1::compiled::Kind;
use asn1::event::{Integer, Real};
use asn1::{NodeId, Value};

/// A value; components that are absent are their defaults, those of a SET OF in an order of their own.
pub(crate) fn shown(value: Value<'_>) -> String {
    of(value, true)
}

/// A value as the message has it; of components that are absent it is only said that they are.
pub(crate) fn told(value: Value<'_>) -> String {
    of(value, false)
}

fn of(value: Value<'_>, defaults: bool) -> String {
    let mut text = String::new();
    push(&mut text, value, defaults);
    text
}

fn push(text: &mut String, value: Value<'_>, defaults: bool) {
    match value.kind() {
        Kind::Boolean => text.push_str(if value.as_bool().unwrap() { "T" } else { "F" }),
        Kind::Null => text.push('N'),
        Kind::Integer(_) => number(text, value.as_integer().unwrap()),
        Kind::Enumerated(_) => match value.unknown() {
            Some(octets) => unknown(text, octets),
            None => write!(text, "#{}", value.as_item().unwrap()).unwrap(),
        },
        Kind::Real => real(text, value.as_real().unwrap()),
        Kind::BitString(..) => {
            let (octets, len) = value.as_bits().unwrap();
            let bit = |i: u64| octets[(i / 8) as usize] >> (7 - i % 8) & 1;
            text.push('\'');
            (0..len).for_each(|i| text.push(if bit(i) == 1 { '1' } else { '0' }));
        }
        Kind::OctetString(_) => octets(text, value.as_octets().unwrap()),
        Kind::ObjectIdentifier | Kind::RelativeOid => {
            text.push_str(&value.as_oid().unwrap_or_else(|| "long arcs".into()));
        }
        Kind::Text(_) => write!(text, "{:?}", value.as_str().unwrap()).unwrap(),
        Kind::Record(number) => {
            text.push('{');
            let members = &value.types().record(number).members;
            for (index, member) in members.iter().enumerate() {
                let told = value.members().any(|(name, _)| name == member.name);
                match value.member(index as u32).filter(|_| told || defaults) {
                    Some(value) => {
                        write!(text, "{}=", member.name).unwrap();
                        push(text, value, defaults);
                    }
                    None => text.push('-'),
                }
                text.push(',');
            }
            text.push('}');
        }
        Kind::Choice(_) => match value.chosen() {
            Some((name, value)) => {
                write!(text, "{name}:").unwrap();
                push(text, value, defaults);
            }
            None => {
                text.push_str("later:");
                unknown(text, value.unknown().unwrap());
            }
        },
        Kind::Array(array) => {
            let mut items: Vec<String> = value.items().map(|item| of(item, defaults)).collect();
            if array.set && defaults {
                items.sort_unstable();
            }
            write!(text, "[{}]", items.join(",")).unwrap();
        }
    }
}

pub(crate) fn number(text: &mut String, number: Integer<'_>) {
    match (number.to_i128(), number) {
        (Some(number), _) => write!(text, "{number}").unwrap(),
        (None, Integer::Big(bytes)) => octets(text, bytes),
        (None, Integer::Small(_)) => unreachable!(),
    }
}

pub(crate) fn real(text: &mut String, real: Real<'_>) {
    match real {
        Real::Double(double) if double.is_nan() => text.push_str("NaN"),
        Real::Double(double) => write!(text, "r{:016X}", double.to_bits()).unwrap(),
        Real::Decimal(decimal) => write!(text, "d{decimal}").unwrap(),
    }
}

pub(crate) fn octets(text: &mut String, octets: &[u8]) {
    text.push('x');
    octets.iter().for_each(|octet| write!(text, "{octet:02X}").unwrap());
}

fn unknown(text: &mut String, bytes: &[u8]) {
    text.push('?');
    octets(text, bytes);
}

/// How many values there are in one, itself and what it is made of.
pub(crate) fn count(value: Value<'_>) -> usize {
    match value.kind() {
        Kind::Record(number) => {
            let members = value.types().record(number).members.len();
            1 + members + value.members().map(|(_, member)| count(member)).sum::<usize>()
        }
        Kind::Choice(_) => 1 + value.chosen().map_or(1, |(_, value)| count(value)),
        Kind::Array(_) => 1 + value.items().map(count).sum::<usize>(),
        _ => 1,
    }
}

/// The types that a schema gives names to.
pub(crate) fn named(types: &asn1::Compiled) -> Vec<(String, NodeId)> {
    types.types().map(|(_, name, node)| (name.to_owned(), node)).collect()
}
