//! Simple JSON values, and the objects of REAL and BIT STRING.

use std::borrow::Cow;

use tam::json::{Number, Text, Value as Json};
use tam::{Error, Node};

use super::FORMAT;
use super::infer::is_float;
use super::reader::Reader;
use crate::compiled::{self, Integer as IntegerType, Kind, NodeId, Size};
use crate::event::{At, Integer, Real, Sink, Stretch};
use crate::{oid, real};

/// The most digits of an INTEGER that is read. The time is quadratic.
const MOST_DIGITS: usize = 20_000;

/// Positions of octets have 31 bits.
const LONGEST: usize = (1 << 31) - 1;

/// Whether the digits of a whole number are those of another one than its double.
fn is_rounded(digits: &str, double: f64) -> bool {
    /// As many digits fit into every double.
    const EXACT: usize = 15;
    digits.len() > EXACT && digits.bytes().all(|c| matches!(c, b'0'..=b'9' | b'-')) && format!("{double:.0}") != digits
}

impl<'d, S: Sink> Reader<'d, '_, '_, S> {
    /// Reads a simple value, and reports it. Returns `false` for JSON of another kind.
    pub(super) fn scalar(&mut self, at: At<S::Level>, node: NodeId, unit: Node<'d>) -> Result<bool, Error> {
        let kind = self.types.node(node).kind;
        if let Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_) = kind {
            return Ok(false);
        }
        match (kind, Json::new(unit)) {
            (Kind::Boolean, Json::Bool(value)) => self.sink.boolean(at, node, value)?,
            (Kind::Null, Json::Null) => self.sink.null(at, node)?,
            (Kind::Integer(integer), Json::Number(number)) => self.integer(at, node, unit, &integer, number)?,
            (Kind::Enumerated(number), Json::String(name)) => {
                self.enumerated(at, node, unit, number, &name.to_cow(), || quoted(name))?;
            }
            (Kind::Enumerated(number), Json::Number(name)) if self.types.enumeration(number).is_of_numbers => {
                self.enumerated(at, node, unit, number, name.as_str(), || tam::excerpt(name.as_str()))?;
            }
            (Kind::Real, value) => self.real(at, node, unit, &value)?,
            (Kind::BitString(size, _), value) => self.bit_string(at, node, unit, &size, &value)?,
            (Kind::OctetString(size), ref value @ Json::String(_)) => {
                let Some(start) = self.octets(unit, value)? else { return Err(self.unlike(unit, node)) };
                let len = self.sink.buffer().len() - start;
                self.size(unit, node, &size, len as u64)?;
                self.sink.octets(at, node, Stretch::Buffer { start })?;
            }
            (Kind::OctetString(size), Json::Binary(octets)) => {
                self.size(unit, node, &size, octets.len() as u64)?;
                let octets = self.stretch(octets);
                self.sink.octets(at, node, octets)?;
            }
            (Kind::ObjectIdentifier | Kind::RelativeOid, Json::String(dotted)) => {
                let octets = oid::from_dotted(&dotted.to_cow(), kind == Kind::RelativeOid);
                let Some(octets) = octets else { return Err(self.unlike_text(unit, node, dotted)) };
                let octets = self.stretch(&octets);
                self.sink.octets(at, node, octets)?;
            }
            (Kind::Text(number), Json::String(text)) => self.text(at, node, unit, number, text.to_cow())?,
            // PON has characters and bytes.
            (Kind::Text(number), Json::Char(c)) => self.text(at, node, unit, number, c.to_string().into())?,
            (Kind::Integer(integer), Json::Byte(byte)) => self.small(at, node, unit, &integer, byte.into())?,
            _ => return Err(self.unlike(unit, node)),
        }
        Ok(true)
    }

    fn small(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        unit: Node<'d>,
        ty: &IntegerType,
        small: i64,
    ) -> Result<(), Error> {
        match ty.extensible || self.types.allows_integer(ty, Integer::Small(small)) {
            true => self.sink.integer(at, node, Integer::Small(small)),
            false => Err(self.refused(unit, node, small.to_string())),
        }
    }

    fn enumerated(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        unit: Node<'d>,
        number: u32,
        text: &str,
        found: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        match self.names.enumeration(number, self.types.enumeration(number), text) {
            Some(item) => self.sink.enumerated(at, node, item),
            None => Err(self.fault(unit, found(), self.one_of(node, number))),
        }
    }

    /// What an error says of an enumeration that is none.
    #[cold]
    fn one_of(&self, node: NodeId, number: u32) -> String {
        const SHOWN: usize = 6;
        let texts: Vec<&str> = self.types.enumeration(number).texts().take(SHOWN + 1).collect();
        let more = if texts.len() > SHOWN { ", …" } else { "" };
        let shown: Vec<String> = texts.iter().take(SHOWN).map(|text| format!("{:?}", tam::excerpt(text))).collect();
        format!("an enumeration of {}: {}{more}", self.types.node(node).name, shown.join(", "))
    }

    fn integer(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        unit: Node<'d>,
        ty: &IntegerType,
        number: Number<'d>,
    ) -> Result<(), Error> {
        let digits = number.as_str();
        if let Some(small) = number.as_i64() {
            return self.small(at, node, unit, ty, small);
        }
        if digits.bytes().any(|c| !matches!(c, b'0'..=b'9' | b'-')) {
            return Err(self.unlike_number(unit, node, digits));
        }
        let Some(number) = compiled::Number::from_digits(digits) else {
            let found = tam::Words::Count(digits.len() as u64, "digits");
            return Err(Error::limit(FORMAT, self.place(unit), found, "digits", MOST_DIGITS as u64));
        };
        if !ty.extensible && !self.types.allows_integer(ty, number.as_integer()) {
            return Err(self.refused(unit, node, tam::excerpt(digits)));
        }
        self.sink.integer(at, node, number.as_integer()).map_err(|error| self.placed(error, unit))
    }

    /// A number of a type that allows base 10 only, with all its digits.
    fn decimal(&mut self, at: At<S::Level>, node: NodeId, unit: Node<'d>, digits: &str) -> Result<(), Error> {
        match real::from_decimal(digits) {
            Some(Real::Double(double)) if double != 0.0 => self.sink.real(at, node, Real::Decimal(digits)),
            Some(real) => self.sink.real(at, node, real),
            None => Err(self.fault(unit, tam::excerpt(digits), "a decimal number")),
        }
    }

    fn real(&mut self, at: At<S::Level>, node: NodeId, unit: Node<'d>, value: &Json<'d>) -> Result<(), Error> {
        let double = match value {
            Json::Number(number) if self.types.is_decimal(node) => {
                return self.decimal(at, node, unit, number.as_str());
            }
            // Many programs write decimals so, lest a reader make doubles of them.
            Json::String(text) if self.types.is_decimal(node) => return self.decimal(at, node, unit, &text.to_cow()),
            Json::Number(number) => {
                let digits = number.as_str();
                let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
                let zero = !mantissa.bytes().any(|digit| matches!(digit, b'1'..=b'9'));
                match number.as_f64() {
                    Some(double) if double != 0.0 || zero => {
                        if is_rounded(digits, double) && !is_float(unit) {
                            self.sink.rounded(at).map_err(|error| self.placed(error, unit))?;
                        }
                        double
                    }
                    _ => {
                        let found = tam::excerpt(digits);
                        return Err(self.fault(
                            unit,
                            found,
                            r#"a number that a double is near to, or {"base10Value": "…"}"#,
                        ));
                    }
                }
            }
            Json::String(word) if *word == "INF" => f64::INFINITY,
            Json::String(word) if *word == "-INF" => f64::NEG_INFINITY,
            Json::String(word) if *word == "NaN" => f64::NAN,
            Json::String(word) if *word == "-0" => -0.0,
            Json::Object(_) => {
                let decimal = match (unit.row().len(), value.get("base10Value")) {
                    (1, Some(Json::String(decimal))) => decimal.to_cow(),
                    _ => return Err(self.unlike(unit, node)),
                };
                return match real::from_decimal(&decimal) {
                    Some(real) => self.sink.real(at, node, real),
                    None => {
                        let found = tam::excerpt(&decimal);
                        Err(self.fault(unit, found, "a decimal number"))
                    }
                };
            }
            _ => return Err(self.unlike(unit, node)),
        };
        self.sink.real(at, node, Real::Double(double))
    }

    fn bit_string(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        unit: Node<'d>,
        size: &Size,
        value: &Json<'d>,
    ) -> Result<(), Error> {
        let fixed = size.lower == size.upper && !size.extensible;
        let member;
        let (octets, len) = match value {
            Json::String(_) | Json::Binary(_) if fixed => (value, Some(size.lower)),
            Json::Object(_) => match (unit.row().len(), value.get("value"), value.get("length")) {
                (2, Some(octets), Some(Json::Number(len))) => {
                    member = octets;
                    (&member, len.as_u64())
                }
                _ => return Err(self.unlike(unit, node)),
            },
            _ => return Err(self.unlike(unit, node)),
        };
        let Some(start) = self.octets(unit, octets)? else { return Err(self.unlike(unit, node)) };
        let octets = self.sink.buffer().get(start..).unwrap_or_default();
        let Some(len) = len.filter(|len| len.div_ceil(8) == octets.len() as u64) else {
            let found = tam::Words::Count(octets.len() as u64 * 8, "bits in hexadecimal digits");
            let expected = match len {
                Some(len) => format!("as many octets as {len} bits take"),
                None => "a length in bits".to_owned(),
            };
            return Err(self.fault(unit, found, expected));
        };
        let spare = (octets.len() as u64 * 8 - len) as u32;
        if octets.last().is_some_and(|last| last.trailing_zeros() < spare) {
            return Err(self.fault(unit, format!("a bit beyond the {len} of the length"), "zeros there"));
        }
        self.size(unit, node, size, len)?;
        self.sink.bit_string(at, node, Stretch::Buffer { start }, len)
    }

    fn text(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        unit: Node<'d>,
        number: u32,
        mut whole: Cow<'d, str>,
    ) -> Result<(), Error> {
        let types = self.types;
        let ty = types.characters(number);
        if let Some(time) = &ty.time {
            match time.stored(&whole) {
                Ok(None) => {}
                Ok(Some(stored)) => whole = stored.into(),
                Err(found) => return Err(self.refused(unit, node, found)),
            }
        }
        if let Some(found) = types.misfit(ty, &whole) {
            return Err(self.refused(unit, node, found));
        }
        if ty.size != Size::ANY {
            self.size(unit, node, &ty.size, whole.chars().count() as u64)?;
        }
        let text = self.stretch(whole.as_bytes());
        self.sink.text(at, node, text)
    }

    fn size(&self, unit: Node<'_>, node: NodeId, size: &Size, count: u64) -> Result<(), Error> {
        match size.extensible || self.types.allows_size(size, count) {
            true => Ok(()),
            false => Err(self.refused(unit, node, format!("a size of {count}"))),
        }
    }

    /// Octets lent from the message, or copied to the sink's buffer.
    fn stretch(&mut self, octets: &[u8]) -> Stretch {
        let start = octets.as_ptr().addr().wrapping_sub(self.message.as_ptr().addr());
        if start <= self.message.len() && octets.len() <= self.message.len() - start && start <= LONGEST {
            return Stretch::Message { start, len: octets.len() };
        }
        let buffer = self.sink.buffer();
        let start = buffer.len();
        buffer.extend_from_slice(octets);
        Stretch::Buffer { start }
    }

    /// Puts binary data, or what hexadecimal digits say, into the sink's buffer. Returns its start there; `None` for other
    /// values.
    pub(super) fn octets(&mut self, unit: Node<'_>, value: &Json<'_>) -> Result<Option<usize>, Error> {
        let start = self.sink.buffer().len();
        match (push_octets(value, self.sink.buffer()), value) {
            (Some(false), Json::String(digits)) => {
                Err(self.fault(unit, quoted(*digits), "two hexadecimal digits for each octet"))
            }
            (read, _) => Ok(read.map(|_| start)),
        }
    }

    #[cold]
    fn unlike_text(&self, unit: Node<'_>, node: NodeId, text: Text<'_>) -> Error {
        self.unlike(unit, node).with_found(quoted(text))
    }

    #[cold]
    fn unlike_number(&self, unit: Node<'_>, node: NodeId, digits: &str) -> Error {
        self.unlike(unit, node).with_found(tam::excerpt(digits))
    }
}

/// Appends binary data, or what hexadecimal digits say; whether they are such digits. `None` for other values.
pub(super) fn push_octets(value: &Json<'_>, out: &mut Vec<u8>) -> Option<bool> {
    match value {
        Json::Binary(octets) => out.extend_from_slice(octets),
        Json::String(digits) => return Some(xml::hex::decode(&digits.to_cow(), out).is_some()),
        _ => return None,
    }
    Some(true)
}

/// A string for error messages.
#[cold]
pub(super) fn quoted(text: Text<'_>) -> String {
    format!("{:?}", tam::excerpt(&text.to_cow()))
}
