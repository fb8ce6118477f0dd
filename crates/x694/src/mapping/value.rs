//! Values of simple types as ASN.1 values (X.694 clause 16).

use asn1::schema::{SpecialReal, Value};
use xml::calendar::Time;
use xml::number::{self, Decimal};
use xml::white_space::words;
use xsd::internal::time_kind;
use xsd::{Builtin, SimpleId, Variety};

use super::Version;
use super::facets::{integer_value, is_of_integers};
use super::mapper::Mapper;
use crate::iso8601;

/// The value of a decimal or a double.
pub(super) fn decimal(text: &str) -> Option<Value> {
    match text {
        "INF" => return Some(Value::Special(SpecialReal::PlusInfinity)),
        "-INF" => return Some(Value::Special(SpecialReal::MinusInfinity)),
        "NaN" => return Some(Value::Special(SpecialReal::NotANumber)),
        _ => {}
    }
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
    let Decimal { negative, whole, fraction } = Decimal::parse(mantissa)?;
    let mut made = format!("{}{}", if negative { "-" } else { "" }, if whole.is_empty() { "0" } else { whole });
    if !fraction.is_empty() {
        made.push('.');
        made.push_str(fraction);
    }
    if !exponent.is_empty() && made != "0" {
        made.push('E');
        made.push_str(exponent.strip_prefix('+').unwrap_or(exponent));
    }
    Some(Value::Number(made))
}

/// The value of a text. A cstring cannot contain line ends, so that a text with line ends becomes a list of texts and
/// characters (X.680 clause 41.8).
pub(super) fn quoted(text: &str) -> Value {
    let is_line_end = |c| matches!(c, '\n' | '\u{B}' | '\u{C}' | '\r');
    if !text.contains(is_line_end) {
        return Value::Text(text.to_owned());
    }
    let mut items = Vec::new();
    for part in text.split_inclusive(is_line_end) {
        let bare = part.trim_end_matches(is_line_end);
        if !bare.is_empty() {
            items.push(vec![Value::Text(bare.to_owned())]);
        }
        if let Some(end) = part.chars().last().filter(|c| is_line_end(*c)) {
            let quadruple = [0, 0, 0, u32::from(end)].map(|n| vec![Value::integer(n.into())]);
            items.push(vec![Value::Braces(quadruple.into())]);
        }
    }
    Value::Braces(items)
}

/// Octets as a value.
fn octets(octets: &[u8]) -> Value {
    let mut digits = String::new();
    xml::hex::push(octets, &mut digits);
    Value::Hexadecimal(digits)
}

impl Mapper<'_> {
    /// The value of a text in a schema; `None` if values of the type cannot be written, such as those of QName.
    pub(super) fn value(&mut self, id: SimpleId, text: &str) -> Option<Value> {
        let schema = self.schema;
        let ty = &schema.simple_types[id];
        let mut scratch = String::new();
        let text = ty.facets.white_space().normalize(text, &mut scratch);
        if let Some(items) = self.items(id) {
            return items.identifier(text).map(Value::name);
        }
        match &ty.variety {
            Variety::Any => Some(quoted(text)),
            Variety::Atomic(primitive) => self.atomic(is_of_integers(ty), *primitive, text),
            Variety::List(item) => {
                let items: Option<Vec<Value>> = words(text).map(|word| self.value(*item, word)).collect();
                Some(Value::Braces(items?.into_iter().map(|item| vec![item]).collect()))
            }
            Variety::Union(members) => {
                let fits =
                    |mapper: &mut Self, id: &SimpleId| mapper.checker.check(schema, *id, text, &(), false).is_ok();
                let place = members.iter().position(|id| fits(self, id))?;
                let name = self.member_names(members).into_iter().nth(place)?;
                Some(Value::Choice(name, Box::new(self.value(members[place], text)?)))
            }
        }
    }

    fn atomic(&self, integer: bool, primitive: Builtin, text: &str) -> Option<Value> {
        let zoned =
            || time_kind(primitive).and_then(|kind| Time::parse(kind, text)).is_some_and(|time| time.zone.is_some());
        Some(match primitive {
            Builtin::Boolean => Value::Boolean(number::boolean(text) == Some(true)),
            Builtin::Decimal if integer => integer_value(text)?,
            Builtin::Decimal | Builtin::Float | Builtin::Double => decimal(text)?,
            Builtin::HexBinary => Value::Hexadecimal(text.to_ascii_uppercase()),
            Builtin::Base64Binary => {
                let mut decoded = Vec::new();
                xml::base64::decode(text, &mut decoded)?;
                octets(&decoded)
            }
            Builtin::QName | Builtin::Notation => return None,
            Builtin::Date | Builtin::GYear | Builtin::GYearMonth if self.version == Version::V2 => {
                let zoned = zoned();
                time(zoned, if zoned { quoted(text) } else { quoted(&iso8601::from_xsd(text)) })
            }
            Builtin::DateTime | Builtin::Time if self.version == Version::V2 => quoted(&iso8601::from_xsd(text)),
            Builtin::Duration if self.version == Version::V2 => time(text.starts_with('-'), quoted(text)),
            _ => quoted(text),
        })
    }
}

/// An alternative of a date or duration in version 2.
fn time(other: bool, value: Value) -> Value {
    Value::Choice(if other { "othervalues" } else { "asn1supportedvalue" }.to_owned(), Box::new(value))
}
