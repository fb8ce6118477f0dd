//! Parses the characters of an element or attribute, which have been checked before, and fills their value.

use asn1::compiled::{Kind, Number};
use asn1::event::{At, Integer, Real, Sink, Stretch};
use asn1::{Filler, NodeId};
use tam::{Error, ErrorKind};
use xml::name::split;
use xml::number::{self, Decimal};
use xml::white_space::{trim, words};
use xsd::internal::{Checker, Scope};
use xsd::{SimpleId, Variety};

use super::form::{FieldRef, Real as Numbers, Simple, SimpleForm};
use super::instructions::White;
use super::place::{Target, target_of};
use super::types::Types;
use crate::iso8601;

/// The highest named bit that is read: a BIT STRING may need all bits before it.
const LAST_BIT: u64 = 1 << 19;

/// Parses and fills values. Keeps its buffers from one value to the next.
#[derive(Debug, Default)]
pub(super) struct ValueParser {
    checker: Checker,
    scratch: String,
    octets: Vec<u8>,
}

impl ValueParser {
    /// Fills the value that a text has as a simple type.
    pub(super) fn fill(
        &mut self,
        types: &Types,
        filler: &mut Filler<'_>,
        (form, ty): (SimpleForm, SimpleId),
        to: Target,
        text: &str,
        scope: &dyn Scope,
    ) -> Result<(), Error> {
        let text = if types.enumerates_times(ty) { self.enumerated_time(types, ty, text, scope) } else { text };
        // Most values are texts. The other types are elsewhere, so that this code stays small.
        let Simple::Text(white) = types.forms.simple(form) else {
            return self.fill_other(types, filler, (form, ty), to, text, scope);
        };
        let kept = match white {
            None => filler.keep(text.as_bytes()),
            Some(_) => filler.keep(White::facet(*white).normalize(text, &mut self.scratch).as_bytes()),
        };
        filler.text(to.at, to.node, kept)
    }

    /// A time as the enumeration of its type spells it: XML Schema compares times by value, ASN.1 by their texts.
    #[inline(never)]
    fn enumerated_time<'t>(&mut self, types: &'t Types, ty: SimpleId, text: &'t str, scope: &dyn Scope) -> &'t str {
        let schema = types.schema();
        let is_value = self.checker.check(schema, ty, text, scope, true).is_ok();
        let enumeration = schema.simple_types[ty].facets.enumeration.as_deref().filter(|_| is_value);
        let known = enumeration.and_then(|all| all.find(&self.checker.key));
        known.map_or(text, |known| known.text.as_str())
    }

    /// Fills values other than texts. Schemas nest unions and lists at most 64 deep, which bounds the recursion.
    #[inline(never)]
    fn fill_other(
        &mut self,
        types: &Types,
        filler: &mut Filler<'_>,
        (form, ty): (SimpleForm, SimpleId),
        to: Target,
        text: &str,
        scope: &dyn Scope,
    ) -> Result<(), Error> {
        let Target { at, node, .. } = to;
        match types.forms.simple(form) {
            Simple::Text(_) => self.fill(types, filler, (form, ty), to, text, scope),
            Simple::Boolean => filler.boolean(at, node, number::boolean(trim(text)) == Some(true)),
            Simple::Integer => self.integer(filler, at, node, trim(text)),
            Simple::Enumerated(items) => {
                let white_space = types.schema().simple_types[ty].facets.white_space();
                let mut scratch = std::mem::take(&mut self.scratch);
                let text = white_space.normalize(text, &mut scratch);
                let item = match items.numbers {
                    true => items.by_text.get(number::canonical_integer(text).as_ref()),
                    false => items.by_text.get(text),
                };
                let item = item.copied().ok_or_else(|| lost(text, "an item of the enumeration"));
                self.scratch = scratch;
                match types.compiled().node(node).kind {
                    Kind::Boolean => filler.boolean(at, node, item? == 1),
                    _ => filler.enumerated(at, node, item?),
                }
            }
            Simple::Real(Numbers::Decimal) => {
                let text = trim(text);
                let Decimal { negative, whole, fraction } =
                    Decimal::parse(text).ok_or_else(|| lost(text, "a decimal number"))?;
                fill_decimal(filler, at, node, negative, (whole.as_bytes(), fraction.as_bytes()))
            }
            Simple::Real(of) => filler.real(at, node, Real::Double(double(trim(text), *of == Numbers::Float)?)),
            Simple::Octets(is_base64) => {
                self.octets.clear();
                let read = match is_base64 {
                    true => xml::base64::decode(text, &mut self.octets).ok_or("base64"),
                    false => xml::hex::decode(trim(text), &mut self.octets).ok_or("hexadecimal digits"),
                };
                read.map_err(|expected| lost(text, expected))?;
                let octets = filler.keep(&self.octets);
                filler.octets(at, node, octets)
            }
            Simple::Undecoded => {
                self.octets.clear();
                xml::hex::decode(trim(text), &mut self.octets).ok_or_else(|| lost(text, "hexadecimal digits"))?;
                let octets = filler.keep(&self.octets);
                filler.unknown(at, node, octets)
            }
            Simple::Number(named) => {
                let text = trim(text);
                let digits = text.strip_prefix('-').unwrap_or(text);
                let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
                let digits = || Number::from_digits(&number::canonical_integer(text)).filter(|_| is_number);
                let number = named.number(text).cloned().or_else(digits);
                let number = number.ok_or_else(|| lost(text, "a whole number or its name"))?;
                let of = types.compiled().node(node);
                if let Kind::Integer(integer) = of.kind
                    && !integer.extensible
                    && !types.compiled().allows_integer(&integer, number.as_integer())
                {
                    return Err(not_allowed(text.to_owned(), types, node));
                }
                filler.integer(at, node, number.as_integer())
            }
            Simple::Bits(Some(named)) if trim(text).is_empty() || !has_digits(text) => {
                let of = types.compiled().node(node);
                let Kind::BitString(size, _) = of.kind else { return Ok(()) };
                self.octets.clear();
                let mut len = 0u64;
                for word in words(text) {
                    let place = named.number(word).and_then(|number| u64::try_from(number.to_nearest_i64()).ok());
                    let place =
                        place.filter(|place| *place < LAST_BIT).ok_or_else(|| lost(word, "the name of a bit"))?;
                    len = len.max(place + 1);
                    self.octets.resize(len.div_ceil(8) as usize, 0);
                    if let Some(octet) = self.octets.get_mut((place / 8) as usize) {
                        *octet |= 0x80 >> (place % 8);
                    }
                }
                // Zeros at the end mean nothing (X.680 clause 22.7), and fill up the string.
                if size.lower <= LAST_BIT {
                    len = types.compiled().least_size(&size, len);
                    self.octets.resize(len.div_ceil(8) as usize, 0);
                }
                if !size.extensible && !types.compiled().allows_size(&size, len) {
                    return Err(not_allowed(format!("a size of {len}"), types, node));
                }
                let octets = filler.keep(&self.octets);
                filler.bit_string(at, node, octets, len)
            }
            Simple::Bits(_) => {
                self.octets.clear();
                if !has_digits(text) {
                    return Err(lost(text, "the digits 0 and 1"));
                }
                let mut len = 0u64;
                for digit in text.bytes().filter(|byte| matches!(byte, b'0' | b'1')) {
                    if len.is_multiple_of(8) {
                        self.octets.push(0);
                    }
                    if let Some(last) = self.octets.last_mut() {
                        *last |= (digit - b'0') << (7 - len % 8);
                    }
                    len += 1;
                }
                let of = types.compiled().node(node);
                if let Kind::BitString(size, _) = of.kind
                    && !size.extensible
                    && !types.compiled().allows_size(&size, len)
                {
                    return Err(not_allowed(format!("a size of {len}"), types, node));
                }
                let octets = filler.keep(&self.octets);
                filler.bit_string(at, node, octets, len)
            }
            Simple::Arcs => {
                let is_relative = types.compiled().node(node).kind == Kind::RelativeOid;
                let octets = asn1::oid_octets(trim(text), is_relative);
                let octets = octets.ok_or_else(|| lost(text, "an object identifier"))?;
                let octets = filler.keep(&octets);
                filler.octets(at, node, octets)
            }
            Simple::Time => {
                let time = iso8601::from_xsd(trim(text));
                let Some(stored) = types.compiled().time_text(node, &time) else {
                    return Err(Error::new(ErrorKind::Unsupported, "xsd", 0, shown(text), "a time that TIME has"));
                };
                let kept = filler.keep(stored.as_bytes());
                filler.text(at, node, kept)
            }
            Simple::List(item, item_node) => {
                let of = match types.schema().simple_types[ty].variety {
                    Variety::List(of) => of,
                    _ => ty,
                };
                let count = words(text).count();
                let level = filler.array(at, node, u32::try_from(count).unwrap_or(u32::MAX))?;
                for (word, index) in words(text).zip(0..) {
                    let to = Target { at: At { level, index }, node: *item_node, is_item: true };
                    self.fill(types, filler, (*item, of), to, word, scope)?;
                }
                Ok(())
            }
            Simple::Union(alternatives) => {
                let (alternative, of) = self.member(types, alternatives, ty, text, scope)?;
                let (place, form) = alternatives[alternative];
                let level = filler.choice(at, node, place.index)?;
                self.fill(types, filler, (form, of), target_of(level, 0, place.node), text, scope)
            }
            Simple::QName(uri, name) => {
                let text = trim(text);
                let (prefix, local) = split(text);
                let namespace = scope.uri(prefix).ok_or_else(|| lost(text, "a declared prefix"))?;
                let level = to.record(filler)?;
                if !namespace.is_empty() {
                    keep_text(filler, At { level, index: uri.index }, uri.node, namespace)?;
                }
                keep_text(filler, At { level, index: name.index }, name.node, local)
            }
        }
    }

    /// The first alternative of a union that has a text as a value, and its type.
    fn member(
        &mut self,
        types: &Types,
        alternatives: &[(FieldRef, SimpleForm)],
        ty: SimpleId,
        text: &str,
        scope: &dyn Scope,
    ) -> Result<(usize, SimpleId), Error> {
        let schema = types.schema();
        if let Variety::Union(members) = &schema.simple_types[ty].variety {
            let fits = |of: &SimpleId| self.checker.check(schema, *of, text, scope, false).is_ok();
            let found = members.iter().take(alternatives.len()).position(fits);
            self.checker.ids.clear();
            return match found {
                Some(found) => Ok((found, members[found])),
                None => Err(lost(text, "a value of a member of the union")),
            };
        }
        // The times of version 2 of X.694: those that TIME does not have are texts.
        let time = iso8601::from_xsd(trim(text));
        let is_time = |(place, _): &&(FieldRef, SimpleForm)| types.compiled().time_text(place.node, &time).is_some();
        match alternatives {
            [first, _] if is_time(&first) => Ok((0, ty)),
            [_, _] => Ok((1, ty)),
            _ => Err(lost(text, "a union")),
        }
    }

    fn integer(&mut self, filler: &mut Filler<'_>, at: At<asn1::Level>, node: NodeId, text: &str) -> Result<(), Error> {
        if let Ok(number) = text.parse::<i64>() {
            return filler.integer(at, node, Integer::Small(number));
        }
        let octets = Integer::octets_of(&number::canonical_integer(text)).ok_or_else(|| {
            let found = tam::Words::Count(text.len() as u64, "digits");
            Error::limit("xsd", 0, found, "digits", 20_000)
        })?;
        filler.integer(at, node, Integer::Big(&octets))
    }
}

/// Fills a decimal number, whose digits before and after the point are given, in the form of PER (X.690 clause 11.3.2):
/// the digits from the first to the last that is not zero, `.E` and an exponent.
#[inline]
pub(super) fn fill_decimal(
    filler: &mut Filler<'_>,
    at: At<asn1::Level>,
    node: NodeId,
    is_negative: bool,
    (whole, fraction): (&[u8], &[u8]),
) -> Result<(), Error> {
    let (mut whole, mut fraction) = (without_leading_zeros(whole), without_trailing_zeros(fraction));
    let mut exponent = -(fraction.len() as i64);
    if fraction.is_empty() {
        exponent = whole.len() as i64;
        whole = without_trailing_zeros(whole);
        exponent -= whole.len() as i64;
    } else if whole.is_empty() {
        fraction = without_leading_zeros(fraction);
    }
    if whole.is_empty() && fraction.is_empty() {
        return filler.real(at, node, Real::Double(0.0));
    }
    let out = filler.buffer();
    let start = out.len();
    if is_negative {
        out.push(b'-');
    }
    out.extend_from_slice(whole);
    out.extend_from_slice(fraction);
    out.extend_from_slice(match exponent {
        0 => b".E+",
        ..0 => b".E-",
        _ => b".E",
    });
    let size = exponent.unsigned_abs();
    match size {
        0..10 => out.push(b'0' + size as u8),
        _ => out.extend_from_slice(size.to_string().as_bytes()),
    }
    filler.decimal(at, node, start)
}

#[inline]
fn without_leading_zeros(digits: &[u8]) -> &[u8] {
    let first = digits.iter().position(|digit| *digit != b'0').unwrap_or(digits.len());
    digits.get(first..).unwrap_or_default()
}

#[inline]
fn without_trailing_zeros(digits: &[u8]) -> &[u8] {
    let len = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
    digits.get(..len).unwrap_or_default()
}

fn keep_text(filler: &mut Filler<'_>, at: At<asn1::Level>, node: NodeId, text: &str) -> Result<(), Error> {
    let kept: Stretch = filler.keep(text.as_bytes());
    filler.text(at, node, kept)
}

fn double(text: &str, is_float: bool) -> Result<f64, Error> {
    let number = if is_float { number::float(text).map(f64::from) } else { number::double(text) };
    number.ok_or_else(|| lost(text, "a number"))
}

/// Whether a text is of the digits of bits alone, and white space.
fn has_digits(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0' | b'1') || ::xml::chars::is_space(byte))
}

/// An error for a value that the constraint of its type does not allow.
#[cold]
fn not_allowed(found: String, types: &Types, node: NodeId) -> Error {
    Error::new(ErrorKind::Schema, "xsd", 0, found, types.compiled().allowed(node))
}

/// An error for text that the validator should have refused.
#[cold]
fn lost(text: &str, expected: &'static str) -> Error {
    Error::new(ErrorKind::Schema, "xsd", 0, shown(text), expected)
}

#[cold]
fn shown(text: &str) -> String {
    format!("'{}'", tam::excerpt(text))
}
