//! Values as text that omits nothing: what of later versions is kept, and whether a default is present. Two values are
//! equal if their texts are.

use std::collections::HashSet;
use std::fmt::Write;

use asn1::compiled::Kind;
use asn1::event::{Integer, Real};
use asn1::{NodeId, Value};

/// A value, however it is encoded: absent components are their defaults, those of a SET OF are sorted, zeros that mean
/// nothing are left out.
pub(crate) fn shown(value: Value<'_>) -> String {
    of(value, Form::One)
}

/// A value as the message has it; of components that are absent it is only said that they are.
pub(crate) fn exact(value: Value<'_>) -> String {
    of(value, Form::Exact)
}

/// A value as [`shown`], without what only the later one of two versions has.
pub(crate) fn known_before(value: Value<'_>) -> String {
    of(value, Form::Earlier)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    One,
    Exact,
    Earlier,
}

fn of(value: Value<'_>, form: Form) -> String {
    let mut text = String::new();
    push(&mut text, value, form);
    text
}

fn push(text: &mut String, value: Value<'_>, form: Form) {
    match value.kind() {
        Kind::Boolean => text.push_str(if value.as_bool().unwrap() { "T" } else { "F" }),
        Kind::Null => text.push('N'),
        Kind::Integer(_) => number(text, value.as_integer().unwrap()),
        Kind::Enumerated(_) => match (value.unknown(), value.as_enumerated(), value.as_item()) {
            (Some(_), ..) | (_, None | Some("later"), _) if form == Form::Earlier => text.push_str("#later"),
            (Some(octets), ..) => unknown(text, octets),
            (_, _, item) => write!(text, "#{}", item.unwrap()).unwrap(),
        },
        Kind::Real => match value.as_real().unwrap() {
            Real::Decimal(decimal) if form != Form::Exact => text.push_str(&without_zeros(decimal)),
            other => real(text, other),
        },
        Kind::BitString(_, names) => {
            let (octets, len) = value.as_bits().unwrap();
            let bits: String =
                (0..len).map(|i| char::from(b'0' + (octets[(i / 8) as usize] >> (7 - i % 8) & 1))).collect();
            let named = names.is_some() && form != Form::Exact;
            write!(text, "'{}", if named { bits.trim_end_matches('0') } else { &bits }).unwrap();
        }
        Kind::OctetString(_) => octets(text, value.as_octets().unwrap()),
        Kind::ObjectIdentifier | Kind::RelativeOid => {
            text.push_str(&value.as_oid().unwrap_or_else(|| "long arcs".into()));
        }
        Kind::Text(_) => write!(text, "{:?}", value.as_str().unwrap()).unwrap(),
        Kind::Record(number) => {
            text.push('{');
            let members = &value.types().record(number).members;
            let there: HashSet<&str> = value.members().map(|(name, _)| name).collect();
            for (index, member) in members.iter().enumerate() {
                if form == Form::Earlier && member.name.starts_with("later") {
                    continue;
                }
                match value.member(index as u32).filter(|_| form != Form::Exact || there.contains(&member.name[..])) {
                    Some(value) => {
                        write!(text, "{}=", member.name).unwrap();
                        push(text, value, form);
                    }
                    None => text.push('-'),
                }
                text.push(',');
            }
            text.push('}');
        }
        Kind::Open(_) => {
            text.push_str("open:");
            unknown(text, value.unknown().unwrap());
        }
        Kind::Choice(_) => match value.chosen() {
            None | Some(("later", _)) if form == Form::Earlier => text.push_str("later"),
            Some((name, value)) => {
                write!(text, "{name}:").unwrap();
                push(text, value, form);
            }
            None => {
                text.push_str("later:");
                unknown(text, value.unknown().unwrap());
            }
        },
        Kind::Array(array) => {
            let mut items: Vec<String> = value.items().map(|item| of(item, form)).collect();
            if array.set && form != Form::Exact {
                items.sort_unstable();
            }
            write!(text, "[{}]", items.join(",")).unwrap();
        }
    }
}

/// A decimal number by its significant digits and the exponent of the last of them.
fn without_zeros(decimal: &str) -> String {
    let lower = decimal.to_lowercase();
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches(['+', '-']));
    let kept = digits.trim_end_matches('0');
    let exponent = exponent.parse::<i64>().unwrap() - fraction.len() as i64 + (digits.len() - kept.len()) as i64;
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    format!("d{sign}{}E{exponent}", kept.trim_start_matches('0'))
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
