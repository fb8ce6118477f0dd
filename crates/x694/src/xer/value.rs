//! The characters of an element or attribute, told as a value. They have been checked before.

use asn1::event::{At, Integer, Real, Sink, Stretch};
use asn1::{Filler, NodeId};
use tam::{Error, ErrorKind};
use xml::number::{self, Decimal};
use xml::white_space::{trim, words};
use xsd::internal::{Checker, Scope};
use xsd::{SimpleId, Variety};

use super::form::{Place, Real as Numbers, Simple, SimpleForm};
use super::marks::White;
use super::place::{Target, target_of};
use super::types::Types;
use crate::iso8601;

/// Tells values, with room to do it in.
#[derive(Debug, Default)]
pub(super) struct Teller {
    checker: Checker,
    scratch: String,
    octets: Vec<u8>,
}

impl Teller {
    /// Tells the value that a text is under a type.
    pub(super) fn tell(
        &mut self,
        types: &Types,
        filler: &mut Filler<'_>,
        (form, ty): (SimpleForm, SimpleId),
        to: Target,
        text: &str,
        scope: &dyn Scope,
    ) -> Result<(), Error> {
        if types.enumerates_times(ty) {
            return self.tell_enumerated(types, filler, (form, ty), to, text, scope);
        }
        self.tell_spelled(types, filler, (form, ty), to, text, scope)
    }

    /// Tells a time as the enumeration spells it: values of XML Schema are compared by value, those of ASN.1 are texts.
    #[inline(never)]
    fn tell_enumerated(
        &mut self,
        types: &Types,
        filler: &mut Filler<'_>,
        (form, ty): (SimpleForm, SimpleId),
        to: Target,
        text: &str,
        scope: &dyn Scope,
    ) -> Result<(), Error> {
        let schema = types.schema();
        let is_value = self.checker.check(schema, ty, text, scope, true).is_ok();
        let enumeration = schema.simple_types[ty].facets.enumeration.as_deref().filter(|_| is_value);
        let known = enumeration.and_then(|all| all.find(&self.checker.key));
        let text = known.map_or(text, |known| known.text.as_str());
        self.tell_spelled(types, filler, (form, ty), to, text, scope)
    }

    /// Tells a value as it is spelled.
    #[inline(always)]
    fn tell_spelled(
        &mut self,
        types: &Types,
        filler: &mut Filler<'_>,
        (form, ty): (SimpleForm, SimpleId),
        to: Target,
        text: &str,
        scope: &dyn Scope,
    ) -> Result<(), Error> {
        // Most values are text, for which little code need be at hand.
        let Simple::Text(white) = types.forms.simple(form) else {
            return self.tell_other(types, filler, (form, ty), to, text, scope);
        };
        let kept = match white {
            None => filler.keep(text.as_bytes()),
            Some(_) => filler.keep(White::facet(*white).normalize(text, &mut self.scratch).as_bytes()),
        };
        filler.text(to.at, to.node, kept)
    }

    /// The same of what is no text. Unions and lists within each other are 64 at the most.
    #[inline(never)]
    fn tell_other(
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
            Simple::Text(_) => self.tell(types, filler, (form, ty), to, text, scope),
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
                filler.enumerated(at, node, item?)
            }
            Simple::Real(Numbers::Decimal) => Self::decimal(filler, at, node, trim(text)),
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
                    self.tell(types, filler, (*item, of), to, word, scope)?;
                }
                Ok(())
            }
            Simple::Union(alternatives) => {
                let (alternative, of) = self.member(types, alternatives, ty, text, scope)?;
                let (place, form) = alternatives[alternative];
                let level = filler.choice(at, node, place.index)?;
                self.tell(types, filler, (form, of), target_of(level, 0, place.node), text, scope)
            }
            Simple::QName(uri, name) => {
                let text = trim(text);
                let (prefix, local) = text.split_once(':').unwrap_or(("", text));
                let namespace = scope.uri(prefix).ok_or_else(|| lost(text, "a declared prefix"))?;
                let level = to.record(filler)?;
                if !namespace.is_empty() {
                    keep_text(filler, At { level, index: uri.index }, uri.node, namespace)?;
                }
                keep_text(filler, At { level, index: name.index }, name.node, local)
            }
        }
    }

    /// The first alternative of a union that a text is a value of.
    fn member(
        &mut self,
        types: &Types,
        alternatives: &[(Place, SimpleForm)],
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
        // The times of version 2: what TIME does not have is text.
        let time = iso8601::from_xsd(trim(text));
        let is_time = |(place, _): &&(Place, SimpleForm)| types.compiled().time_text(place.node, &time).is_some();
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

    /// A decimal number in the form that PER has for it (X.690 clause 11.3.2), which is then written as it stands.
    fn decimal(filler: &mut Filler<'_>, at: At<asn1::Level>, node: NodeId, text: &str) -> Result<(), Error> {
        let Decimal { negative, whole, fraction } =
            Decimal::parse(text).ok_or_else(|| lost(text, "a decimal number"))?;
        let zeros = |digits: &mut dyn Iterator<Item = u8>| digits.take_while(|digit| *digit == b'0').count();
        // The digits from the first to the last that is not zero, and what the last one stands for.
        let (before, behind, exponent): (_, _, i64) = match (whole, fraction) {
            ("", "") => return filler.real(at, node, Real::Double(0.0)),
            (whole, "") => {
                let zeros = zeros(&mut whole.bytes().rev());
                (&whole[..whole.len() - zeros], "", zeros as i64)
            }
            ("", fraction) => ("", &fraction[zeros(&mut fraction.bytes())..], -(fraction.len() as i64)),
            (whole, fraction) => (whole, fraction, -(fraction.len() as i64)),
        };
        // `.E-20`, from its end on.
        let mut tail = [0; 24];
        let mut places = tail.iter_mut().rev();
        let mut size = exponent.unsigned_abs();
        let mut put = |byte| places.next().map_or((), |place| *place = byte);
        loop {
            put(b'0' + (size % 10) as u8);
            size /= 10;
            if size == 0 {
                break;
            }
        }
        match exponent {
            0 => put(b'+'),
            ..0 => put(b'-'),
            _ => {}
        }
        put(b'E');
        put(b'.');
        let left = places.len();
        let out = filler.buffer();
        let start = out.len();
        if negative {
            out.push(b'-');
        }
        out.extend_from_slice(before.as_bytes());
        out.extend_from_slice(behind.as_bytes());
        out.extend_from_slice(&tail[left..]);
        filler.decimal(at, node, start)
    }
}

fn keep_text(filler: &mut Filler<'_>, at: At<asn1::Level>, node: NodeId, text: &str) -> Result<(), Error> {
    let kept: Stretch = filler.keep(text.as_bytes());
    filler.text(at, node, kept)
}

fn double(text: &str, is_float: bool) -> Result<f64, Error> {
    let number = if is_float { number::float(text).map(f64::from) } else { number::double(text) };
    number.ok_or_else(|| lost(text, "a number"))
}

/// What a validator would have refused.
#[cold]
fn lost(text: &str, expected: &'static str) -> Error {
    Error::new(ErrorKind::Schema, "xsd", 0, shown(text), expected)
}

#[cold]
fn shown(text: &str) -> String {
    format!("'{}'", tam::excerpt(text))
}
