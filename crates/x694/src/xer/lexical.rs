//! Writes values as characters, in the form that X.693 has for each type.

use std::fmt::{Display, UpperExp, Write};

use asn1::Value;
use asn1::compiled::Number;
use asn1::event::{Integer, Real};
use tam::{Error, ErrorKind, Words};
use xml::number::special;

use super::build::Forms;
use super::form::{Named, Real as Numbers, Simple, SimpleForm};
use super::prefixes::Prefixes;
use crate::iso8601;

/// Appends the characters of a value, and declares the prefixes that they use.
///
/// Lists and unions are nested at most 128 deep, which bounds the recursion.
pub(super) fn push(
    forms: &Forms,
    form: SimpleForm,
    value: Value<'_>,
    prefixes: &mut Prefixes<'_>,
    out: &mut String,
) -> Result<(), Error> {
    match forms.simple(form) {
        Simple::Boolean => out.push_str(if value.as_bool().unwrap_or_default() { "true" } else { "false" }),
        Simple::Integer => {
            let integer = value.as_integer().unwrap_or(Integer::Small(0));
            if !integer.push_digits(out) {
                return Err(Error::limit("xsd", 0, "an INTEGER of more digits", "digits", 20_000));
            }
        }
        Simple::Enumerated(items) => {
            let item = value.as_item().filter(|_| value.unknown().is_none()).or(value.as_bool().map(u32::from));
            match item.and_then(|item| items.texts.get(item as usize)) {
                Some(text) => out.push_str(text),
                None => return Err(unknown("an enumeration of a later version of the schema")),
            }
        }
        Simple::Real(Numbers::Decimal) => {
            if !value.as_real().unwrap_or(Real::Double(0.0)).push_plain(out) {
                return Err(unknown("a number that is infinite, NaN, or has more than 20 000 digits"));
            }
        }
        Simple::Real(of) => match value.as_real().unwrap_or(Real::Double(0.0)) {
            Real::Decimal(text) => out.push_str(&text.replace(".E", "E")),
            Real::Double(number) if *of == Numbers::Finite && !number.is_finite() => {
                return Err(unknown("a number that is infinite or NaN, without MODIFIED-ENCODINGS"));
            }
            // As a float, the number needs fewer digits than as a double.
            Real::Double(number) if *of == Numbers::Float && f64::from(number as f32) == number => {
                push_number(number as f32, number, out)?;
            }
            Real::Double(number) => push_number(number, number, out)?,
        },
        Simple::Octets(true) => xml::base64::push(value.as_octets().unwrap_or_default(), out),
        Simple::Octets(false) => xml::hex::push(value.as_octets().unwrap_or_default(), out),
        Simple::Text(_) => out.push_str(value.as_str().unwrap_or_default()),
        Simple::Time => match iso8601::to_xsd(value.as_str().unwrap_or_default()) {
            Some(text) => out.push_str(text),
            None => return Err(unknown("a duration in weeks")),
        },
        Simple::Undecoded => xml::hex::push(value.unknown().unwrap_or_default(), out),
        Simple::Number(named) => {
            let integer = value.as_integer().unwrap_or(Integer::Small(0));
            let name = named.numbers.iter().find(|(_, number)| named.is_written && number.as_integer() == integer);
            match name {
                Some((name, _)) => out.push_str(name),
                None if integer.push_digits(out) => {}
                None => return Err(Error::limit("xsd", 0, "an INTEGER of more digits", "digits", 20_000)),
            }
        }
        Simple::Bits(named) => {
            let (octets, len) = value.as_bits().unwrap_or_default();
            match named.as_ref().filter(|named| named.is_written).and_then(|named| names_of(named, octets)) {
                Some(names) => out.push_str(&names.join(" ")),
                None => out.extend(asn1::bit_digits(octets, len).map(char::from)),
            }
        }
        Simple::Arcs => match value.as_oid() {
            Some(dotted) => out.push_str(&dotted),
            None => return Err(unknown("an object identifier with an arc of more than 128 bits")),
        },
        Simple::List(item, _) => {
            for (n, one) in value.items().enumerate() {
                if n > 0 {
                    out.push(' ');
                }
                push(forms, *item, one, prefixes, out)?;
            }
        }
        Simple::Union(alternatives) => {
            let Some((index, chosen)) = value.chosen_place() else {
                return Err(unknown("an alternative of a later version of the schema"));
            };
            match alternatives.iter().find(|(place, _)| place.index == index) {
                Some((_, form)) => push(forms, *form, chosen, prefixes, out)?,
                None => return Err(unknown("an alternative that the schema does not have")),
            }
        }
        Simple::QName(uri, name) => {
            let uri = value.member(uri.index).and_then(Value::as_str).unwrap_or("");
            let local = value.member(name.index).and_then(Value::as_str).unwrap_or("");
            if !uri.is_empty() {
                out.push_str(prefixes.of_value(uri));
                out.push(':');
            }
            out.push_str(local);
        }
    }
    Ok(())
}

/// The names of the bits that are set, if all of them have one.
pub(super) fn names_of<'n>(named: &'n Named, octets: &[u8]) -> Option<Vec<&'n str>> {
    let is_set = |number: &Number| {
        let place = usize::try_from(number.to_nearest_i64()).ok()?;
        octets.get(place / 8).filter(|octet| **octet & 0x80 >> (place % 8) != 0)
    };
    let names = named.numbers.iter().filter(|(_, number)| is_set(number).is_some()).map(|(name, _)| &name[..]);
    let names: Vec<&str> = names.collect();
    let count: u32 = octets.iter().map(|octet| octet.count_ones()).sum();
    (names.len() == count as usize).then_some(names)
}

/// Appends the fewest digits that identify the number, with an exponent only where that is shorter.
fn push_number(number: impl Display + UpperExp, value: f64, out: &mut String) -> Result<(), Error> {
    let written = match (special(value), value.abs()) {
        (Some(word), _) => out.write_str(word),
        (None, 0.0 | 1e-7..1e21) => write!(out, "{number}"),
        (None, _) => write!(out, "{number:E}"),
    };
    written.map_err(|_| unknown("a number"))
}

#[cold]
pub(super) fn unknown(found: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, "xsd", 0, found, Words::Text("what the instance has a form for"))
}
