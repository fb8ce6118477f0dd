//! Converts values in notation to values of a type.

use std::borrow::Cow;
use std::cell::RefCell;

use tam::{Error, ErrorKind, Words};

use super::scope::Scope;
use super::{CONTENT, Compiled, Kind, NodeId, STRING, fault};
use crate::event::{At, Real, Sink};
use crate::integer::Number;
use crate::notation::typed::names::{Names, Of};
use crate::oid;
use crate::oid::known_arc;
use crate::schema::{self, Meaning, NamedNumber, Position, SpecialReal, Value};
use crate::values::{Filler, Level};

/// The longest chain of names of values that refer to names of values.
const REFERENCES: u32 = 250;

/// The most levels of nested values, including those reached by names, because building them recurses.
const NESTED: u32 = 60;

/// The most bytes of text and octets in one value.
const TEXT: usize = 1 << 25;

/// The last bit that may have a name, and be set by it.
const LAST_BIT: u64 = 1 << 19;

/// The value of an integer, or of a name for one; `None` if it is neither.
pub(super) fn number<'s>(
    scope: &Scope<'s>,
    module: usize,
    names: Option<(usize, &'s [NamedNumber])>,
    value: &'s Value,
    position: Position,
) -> Result<Option<Number>, Error> {
    let (mut module, mut names, mut value) = (module, names, value);
    for _ in 0..REFERENCES {
        match value {
            Value::Number(digits) => return Ok(Number::from_digits(digits)),
            Value::Name { module: of, name } => {
                if let (None, Some((home, list))) = (of, names)
                    && let Some(named) = scope.named(list, name)
                {
                    (module, names, value) = (home, None, &named.number);
                    continue;
                }
                let definition = scope.find(module, of.as_deref(), name, position)?;
                let Some(Meaning::Value(ty, meant)) = scope.assignment(definition).map(|found| &found.meaning) else {
                    return Ok(None);
                };
                module = definition.0;
                let followed = scope.follow(module, ty)?;
                names = match followed.kind {
                    schema::Kind::Integer(list) => Some((followed.module, &list[..])),
                    _ => None,
                };
                value = meant;
            }
            _ => return Ok(None),
        }
    }
    Err(fault(ErrorKind::Schema, position, "", "a value defined by itself", "an integer"))
}

/// The value of a text, or of a name for one; `None` if it is neither.
pub(super) fn text(
    scope: &Scope<'_>,
    module: usize,
    value: &Value,
    position: Position,
) -> Result<Option<String>, Error> {
    let (mut module, mut value) = (module, value);
    for _ in 0..REFERENCES {
        match value {
            Value::Name { module: of, name } => {
                let definition = scope.find(module, of.as_deref(), name, position)?;
                let Some(Meaning::Value(_, meant)) = scope.assignment(definition).map(|found| &found.meaning) else {
                    return Ok(None);
                };
                (module, value) = (definition.0, meant);
            }
            value => return Ok(characters(value)),
        }
    }
    Err(fault(ErrorKind::Schema, position, "", "a value defined by itself", "a character string"))
}

/// A text, or characters by their numbers: `{0, 13}`, `{0, 0, 32, 172}`, or a list of these.
fn characters(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Braces(items) => {
            let numbers: Option<Vec<u32>> = items
                .iter()
                .map(|item| match &item[..] {
                    [Value::Number(digits)] => digits.parse::<u32>().ok().filter(|number| *number < 256),
                    _ => None,
                })
                .collect();
            match numbers.as_deref() {
                Some([column, row]) => char::from_u32(column * 16 + row).map(String::from),
                Some([a, b, c, d]) => char::from_u32(a << 24 | b << 16 | c << 8 | d).map(String::from),
                Some(_) => None,
                None => items
                    .iter()
                    .map(|item| match &item[..] {
                        [one @ (Value::Text(_) | Value::Braces(_))] => characters(one),
                        _ => None,
                    })
                    .collect(),
            }
        }
        _ => None,
    }
}

/// Builds values from notation, and passes them to a [`Filler`].
pub(crate) struct ValueBuilder<'t, 's> {
    pub(crate) types: &'t Compiled,
    /// Tables of the names of the types, because there may be as many as there are values.
    pub(super) names: &'t RefCell<Names<'t>>,
    /// The scope of named values; `None` if only the names of the types are known.
    pub(super) scope: Option<&'t Scope<'s>>,
    pub(crate) position: Position,
}

impl ValueBuilder<'_, '_> {
    /// Builds one value, and those in it. The parser limits the depth of notation; names of values add to `depth`.
    pub(crate) fn build(
        &self,
        filler: &mut Filler<'_>,
        at: At<Level>,
        node: NodeId,
        module: usize,
        value: &Value,
        depth: u32,
    ) -> Result<(), Error> {
        if depth > NESTED {
            return Err(self.fault(node, "values within each other", Words::AtMost(NESTED.into(), "nesting")));
        }
        if filler.buffer().len() > TEXT {
            return Err(self.fault(node, "more text", Words::AtMost(TEXT as u64, "bytes of text")));
        }
        let depth = depth + 1;
        if let (Value::Name { module: of, name }, Some(scope)) = (value, self.scope)
            && !self.is_own_name(node, name)
        {
            let definition = scope.find(module, of.as_deref(), name, self.position)?;
            if let Some(Meaning::Value(_, meant)) = scope.assignment(definition).map(|found| &found.meaning) {
                return self.build(filler, at, node, definition.0, meant, depth);
            }
        }
        match (self.types.node(node).kind, value) {
            (Kind::Boolean, Value::Boolean(value)) => filler.boolean(at, node, *value),
            (Kind::Null, Value::Null) => filler.null(at, node),
            (Kind::Integer(integer), _) => self.integer(filler, at, node, integer.names, value),
            (Kind::Enumerated(number), Value::Name { name, .. }) => match self.find(Of::Enumeration(number), name) {
                Some(item) => filler.enumerated(at, node, item),
                None => Err(self.fault(node, name.clone(), "an enumeration of the type")),
            },
            (Kind::Real, _) => self.real(filler, at, node, value),
            (Kind::BitString(..), _) => self.bits(filler, at, node, value),
            (Kind::OctetString(_), _) => {
                let octets = match value {
                    Value::Hexadecimal(digits) => from_digits(digits, 4),
                    Value::Binary(digits) => from_digits(digits, 1),
                    Value::Braces(items) if items.is_empty() => Some(Vec::new()),
                    _ => None,
                };
                let octets = octets.ok_or_else(|| self.unlike(node, value))?;
                let octets = filler.keep(&octets);
                filler.octets(at, node, octets)
            }
            (kind @ (Kind::ObjectIdentifier | Kind::RelativeOid), Value::Braces(items)) => {
                let relative = kind == Kind::RelativeOid;
                let arcs: Option<Vec<u128>> =
                    items.first().map_or(Some(Vec::new()), |item| self.arcs(module, item, depth));
                let octets = arcs.and_then(|arcs| oid::from_arcs(&arcs, relative));
                let octets = octets.ok_or_else(|| self.unlike(node, value))?;
                let octets = filler.keep(&octets);
                filler.octets(at, node, octets)
            }
            (Kind::Text(number), _) => {
                let mut text = characters(value).ok_or_else(|| self.unlike(node, value))?;
                if let Some(time) = &self.types.characters(number).time {
                    match time.stored(&text) {
                        Ok(stored) => text = stored.unwrap_or(text),
                        Err(found) => return Err(self.fault(node, found, "a time that the type allows")),
                    }
                }
                let text = filler.keep(text.as_bytes());
                filler.text(at, node, text)
            }
            (Kind::Record(number), Value::Braces(items)) => {
                let level = filler.record(at, node)?;
                self.members(filler, level, number, node, module, items, depth)
            }
            (Kind::Choice(number), Value::Choice(name, value)) => {
                let index = self.find(Of::Choice(number), name);
                let alternatives = &self.types.choice(number).alternatives;
                let Some((index, chosen)) = index.and_then(|index| Some((index, alternatives.get(index as usize)?)))
                else {
                    return Err(self.fault(node, name.clone(), "an alternative of the type"));
                };
                let level = filler.choice(at, node, index)?;
                self.build(filler, At { level, index: 0 }, chosen.node, module, value, depth)
            }
            (Kind::Open(number), Value::Open(ty, value)) => {
                let alternatives = &self.types.open(number).alternatives;
                let ty = self.scope.map_or(Cow::Borrowed(&**ty), |scope| scope.with_own_name(ty));
                let index = self.types.written_as(&ty, alternatives).first().copied();
                let Some((chosen, index)) = index.and_then(|index| Some((alternatives.get(index as usize)?, index)))
                else {
                    let found = format!("a value of {}", ty.kind.as_str());
                    return Err(self.fault(node, found, "a type that is known there"));
                };
                let level = filler.choice(at, node, index)?;
                self.build(filler, At { level, index: 0 }, *chosen, module, value, depth)
            }
            (Kind::Open(number), value) if self.types.open(number).is_string() => {
                let (alternative, value) = match value {
                    Value::Containing(value) => (CONTENT, &**value),
                    value => (STRING, value),
                };
                let chosen = self.types.open(number).alternatives.get(alternative as usize).copied();
                let level = filler.choice(at, node, alternative)?;
                self.build(filler, At { level, index: 0 }, chosen.unwrap_or(node), module, value, depth)
            }
            (Kind::Array(array), Value::Braces(items)) => {
                let level = filler.array(at, node, items.len() as u32)?;
                for (index, item) in items.iter().enumerate() {
                    let at = At { level, index: index as u32 };
                    match (&item[..], self.types.node(array.item).kind) {
                        ([Value::Braces(inner)], Kind::Record(number)) => {
                            let level = filler.row(at, array.item)?;
                            self.members(filler, level, number, array.item, module, inner, depth)?;
                        }
                        // The identifier of a component may come first.
                        ([value] | [Value::Name { .. }, value], kind) if !matches!(kind, Kind::Record(_)) => {
                            self.build(filler, at, array.item, module, value, depth)?;
                        }
                        _ => return Err(self.fault(array.item, "another value", "a value of the component's type")),
                    }
                }
                Ok(())
            }
            _ => Err(self.unlike(node, value)),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn members(
        &self,
        filler: &mut Filler<'_>,
        level: Level,
        number: u32,
        node: NodeId,
        module: usize,
        items: &[Vec<Value>],
        depth: u32,
    ) -> Result<(), Error> {
        let members = &self.types.record(number).members;
        let mut seen = vec![false; members.len()];
        for item in items {
            let [Value::Name { module: None, name }, value] = &item[..] else {
                return Err(self.fault(node, "a value without a name", "a component's identifier and its value"));
            };
            let index = self.find(Of::Record(number), name);
            let Some((index, member)) = index.and_then(|index| Some((index, members.get(index as usize)?))) else {
                return Err(self.fault(node, name.clone(), "a component of the type"));
            };
            if seen.get_mut(index as usize).is_none_or(|seen| std::mem::replace(seen, true)) {
                return Err(self.fault(node, format!("{name} a second time"), "each component once"));
            }
            self.build(filler, At { level, index }, member.node, module, value, depth)?;
        }
        let missing = members.iter().zip(&seen).take(self.types.record(number).root as usize);
        match missing.into_iter().find(|(member, seen)| !**seen && member.presence == super::Presence::Mandatory) {
            Some((member, _)) => Err(self.fault(node, format!("missing component {}", member.name), "")),
            None => Ok(()),
        }
    }

    /// The index of a name.
    fn find(&self, of: Of, name: &str) -> Option<u32> {
        self.names.borrow_mut().find(of, name)
    }

    /// Whether a name is the type's own, not that of a value.
    fn is_own_name(&self, node: NodeId, name: &str) -> bool {
        match self.types.node(node).kind {
            Kind::Enumerated(number) => self.find(Of::Enumeration(number), name).is_some(),
            Kind::Integer(integer) => integer.names.is_some_and(|names| self.find(Of::Names(names), name).is_some()),
            _ => false,
        }
    }

    fn integer(
        &self,
        filler: &mut Filler<'_>,
        at: At<Level>,
        node: NodeId,
        names: Option<u32>,
        value: &Value,
    ) -> Result<(), Error> {
        let number = match value {
            Value::Number(digits) => Number::from_digits(digits),
            Value::Name { name, .. } => names.and_then(|names| self.names.borrow_mut().number(names, name).cloned()),
            _ => None,
        };
        filler.integer(at, node, number.ok_or_else(|| self.unlike(node, value))?.as_integer())
    }

    fn real(&self, filler: &mut Filler<'_>, at: At<Level>, node: NodeId, value: &Value) -> Result<(), Error> {
        let number = |item: &[Value], name: &str| match item {
            [Value::Name { name: own, .. }, Value::Number(digits)] if own == name => Some(digits.clone()),
            _ => None,
        };
        match value {
            Value::Number(text) => {
                return build_decimal(filler, at, node, text).ok_or_else(|| self.unlike(node, value))?;
            }
            Value::Special(special) => {
                let double = match special {
                    SpecialReal::PlusInfinity => f64::INFINITY,
                    SpecialReal::MinusInfinity => f64::NEG_INFINITY,
                    SpecialReal::NotANumber => f64::NAN,
                };
                return filler.real(at, node, Real::Double(double));
            }
            Value::Braces(items) => {
                if let [mantissa, base, exponent] = &items[..]
                    && let (Some(mantissa), Some(base), Some(exponent)) =
                        (number(mantissa, "mantissa"), number(base, "base"), number(exponent, "exponent"))
                {
                    if base == "10" {
                        let text = format!("{mantissa}E{exponent}");
                        return build_decimal(filler, at, node, &text).ok_or_else(|| self.unlike(node, value))?;
                    }
                    if base == "2"
                        && let (Ok(mantissa), Ok(exponent)) = (mantissa.parse::<i64>(), exponent.parse::<i32>())
                        && let Some(double) = crate::real::from_binary(mantissa, exponent)
                    {
                        return filler.real(at, node, Real::Double(double));
                    }
                }
            }
            _ => {}
        }
        Err(self.unlike(node, value))
    }

    fn bits(&self, filler: &mut Filler<'_>, at: At<Level>, node: NodeId, value: &Value) -> Result<(), Error> {
        let (octets, len) = match value {
            Value::Binary(digits) => (from_digits(digits, 1), digits.len() as u64),
            Value::Hexadecimal(digits) => (from_digits(digits, 4), digits.len() as u64 * 4),
            Value::Braces(items) => {
                let mut octets = Vec::new();
                let mut len = 0;
                for item in items {
                    let place = match &item[..] {
                        [Value::Name { name, .. }] => self.bit(node, name),
                        _ => None,
                    };
                    let place = place.ok_or_else(|| self.fault(node, "another name", "the name of a bit"))?;
                    len = len.max(place + 1);
                    octets.resize((len as usize).div_ceil(8).max(octets.len()), 0u8);
                    if let Some(octet) = octets.get_mut((place / 8) as usize) {
                        *octet |= 0x80 >> (place % 8);
                    }
                }
                // Zeros are appended up to the required length (X.680 clause 22.7).
                if let Kind::BitString(size, _) = self.types.node(node).kind
                    && size.lower < LAST_BIT
                {
                    len = len.max(size.lower);
                    octets.resize((len as usize).div_ceil(8), 0);
                }
                (Some(octets), len)
            }
            _ => (None, 0),
        };
        let octets = octets.ok_or_else(|| self.unlike(node, value))?;
        let octets = filler.keep(&octets);
        filler.bit_string(at, node, octets, len)
    }

    /// The place of a named bit.
    fn bit(&self, node: NodeId, name: &str) -> Option<u64> {
        let Kind::BitString(_, Some(names)) = self.types.node(node).kind else { return None };
        let place = self.names.borrow_mut().number(names, name)?;
        u64::try_from(place.to_nearest_i64()).ok().filter(|place| *place < LAST_BIT)
    }

    /// The arcs of an object identifier, or of a name for one.
    pub(super) fn object_identifier(&self, module: usize, value: &Value) -> Option<Vec<u128>> {
        match value {
            Value::Braces(items) => self.arcs(module, items.first()?, 0),
            Value::Name { module: of, name } => self.named_arcs(module, of.as_deref(), name, 0),
            _ => None,
        }
    }

    /// The arcs of an object identifier.
    fn arcs(&self, module: usize, components: &[Value], depth: u32) -> Option<Vec<u128>> {
        let mut arcs: Vec<u128> = Vec::new();
        for component in components {
            match component {
                Value::Number(digits) => arcs.push(digits.parse().ok()?),
                Value::NameAndNumber(_, digits) => match digits.parse() {
                    Ok(number) => arcs.push(number),
                    Err(_) => arcs.extend(self.named_arcs(module, None, digits, depth)?),
                },
                Value::Name { module: None, name } if known_arc(&arcs, name).is_some() => {
                    arcs.extend(known_arc(&arcs, name));
                }
                Value::Name { module: of, name } => arcs.extend(self.named_arcs(module, of.as_deref(), name, depth)?),
                _ => return None,
            }
        }
        Some(arcs)
    }

    /// The arcs that a value's name means: those of an object identifier, or a number.
    fn named_arcs(&self, module: usize, of: Option<&str>, name: &str, depth: u32) -> Option<Vec<u128>> {
        let scope = self.scope?;
        if depth > NESTED {
            return None;
        }
        let definition = scope.find(module, of, name, self.position).ok()?;
        match &scope.assignment(definition)?.meaning {
            Meaning::Value(_, Value::Braces(items)) => self.arcs(definition.0, items.first()?, depth + 1),
            Meaning::Value(_, Value::Number(digits)) => Some(vec![digits.parse().ok()?]),
            Meaning::Value(_, Value::Name { module: of, name }) => {
                self.named_arcs(definition.0, of.as_deref(), name, depth + 1)
            }
            _ => None,
        }
    }

    #[cold]
    fn unlike(&self, node: NodeId, value: &Value) -> Error {
        let found = match value {
            Value::Number(digits) => Words::Own(tam::excerpt(digits)),
            Value::Name { name, .. } => Words::Own(name.clone()),
            Value::Text(_) => "a character string".into(),
            Value::Braces(_) => "a list in braces".into(),
            Value::Choice(..) => "a chosen alternative".into(),
            Value::Binary(_) | Value::Hexadecimal(_) => "a string of bits".into(),
            _ => "another value".into(),
        };
        let name = &self.types.node(node).name;
        self.fault(node, found, format!("a value of {name}"))
    }

    #[cold]
    fn fault(&self, node: NodeId, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        fault(ErrorKind::Schema, self.position, &self.types.node(node).name, found, expected)
    }
}

/// Octets of binary or hexadecimal digits, `bits` each, padded with zeros to a whole octet.
fn from_digits(digits: &str, bits: u32) -> Option<Vec<u8>> {
    let per_octet = (8 / bits) as usize;
    let digits: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(1 << bits)).collect();
    let digits = digits?;
    let octet = |part: &[u32]| {
        let missing = (per_octet - part.len()) as u32 * bits;
        part.iter().fold(0u32, |octet, digit| octet << bits | digit) << missing
    };
    Some(digits.chunks(per_octet).map(|part| octet(part) as u8).collect())
}

/// Builds a decimal number, as a double if one is equal to it.
fn build_decimal(filler: &mut Filler<'_>, at: At<Level>, node: NodeId, text: &str) -> Option<Result<(), Error>> {
    let real = crate::real::from_decimal(text)?;
    Some(filler.real(at, node, real))
}
