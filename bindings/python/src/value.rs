//! Objects of values of a schema.

use std::borrow::Cow;
use std::collections::HashSet;

use lengthwise::asn1::compiled::{Kind as Type, Record};
use lengthwise::asn1::event::{Integer, Real};
use lengthwise::asn1::{self, Compiled, EncodingRules, NodeId, Value};
use lengthwise::tam::Words;
use lengthwise::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyString, PyTuple};

use crate::assemble::{Keys, decimal, integer_of_octets};
use crate::error::Failure;
use crate::objects::{self, Kind, Value as _, repeated_key};

/// The names of a schema as strings of Python: of components, alternatives and enumerations, by the numbers of their
/// types.
#[derive(Default)]
pub(crate) struct Names {
    members: Vec<Vec<Py<PyString>>>,
    alternatives: Vec<Vec<Py<PyString>>>,
    enumerations: Vec<Vec<Py<PyString>>>,
}

impl Names {
    pub(crate) fn new(py: Python<'_>, types: &Compiled) -> Names {
        let mut names = Names::default();
        let mut waiting: Vec<NodeId> = types.types().map(|(_, _, node)| node).collect();
        let mut known: HashSet<NodeId> = waiting.iter().copied().collect();
        while let Some(node) = waiting.pop() {
            let mut inner = Vec::new();
            match types.node(node).kind {
                Type::Record(number) => {
                    let members = &types.record(number).members;
                    put(py, &mut names.members, number, members.iter().map(|member| &member.name[..]));
                    inner.extend(members.iter().map(|member| member.node));
                }
                Type::Choice(number) => {
                    let alternatives = &types.choice(number).alternatives;
                    put(py, &mut names.alternatives, number, alternatives.iter().map(|of| &of.name[..]));
                    inner.extend(alternatives.iter().map(|alternative| alternative.node));
                }
                Type::Enumerated(number) => {
                    put(py, &mut names.enumerations, number, types.enumeration(number).texts());
                }
                Type::Array(array) => inner.push(array.item),
                Type::Open(number) => inner.extend(&types.open(number).alternatives),
                _ => {}
            }
            waiting.extend(inner.into_iter().filter(|node| known.insert(*node)));
        }
        names
    }
}

fn put<'a>(py: Python<'_>, lists: &mut Vec<Vec<Py<PyString>>>, number: u32, names: impl Iterator<Item = &'a str>) {
    let number = number as usize;
    if lists.len() <= number {
        lists.resize_with(number + 1, Vec::new);
    }
    if let Some(list) = lists.get_mut(number) {
        *list = names.map(|name| PyString::intern(py, name).unbind()).collect();
    }
}

fn name(lists: &[Vec<Py<PyString>>], number: u32, index: u32) -> Option<&Py<PyString>> {
    lists.get(number as usize)?.get(index as usize)
}

/// What values are read with.
pub(crate) struct Context<'v> {
    pub(crate) types: &'v Compiled,
    pub(crate) names: &'v Names,
    /// Whether absent components get their defaults.
    pub(crate) defaults: bool,
    /// The rules of what is in open types whose type is not known.
    pub(crate) rules: Option<EncodingRules>,
}

impl<'v> Context<'v> {
    /// The name and the value that a CHOICE has.
    #[inline]
    fn chosen(&self, value: Value<'v>, number: u32) -> Result<(&'v Py<PyString>, Value<'v>), Error> {
        let chosen = value
            .chosen_place()
            .and_then(|(index, inner)| Some((name(&self.names.alternatives, number, index)?, inner)));
        chosen.ok_or_else(|| later("an alternative of a later version of the schema"))
    }

    /// The member that an open type is shown with, as X.697 has it where its type is not known.
    #[cold]
    fn member_of_open(&'v self, value: Value<'v>) -> Result<(Name<'v>, Part<'v>), Error> {
        let rules = self.rules.map(|rules| match rules {
            EncodingRules::Uper | EncodingRules::Aper => "per",
            EncodingRules::Oer => "oer",
            _ => "ber",
        });
        let (text, content) = match (value.contained(), rules, value.unknown()) {
            (Some(inner), _, _) => ("containing", Content::Value(inner)),
            (None, Some(rules), Some(octets)) => (rules, Content::Hex(octets)),
            _ => return Err(later("an open type whose type is not known")),
        };
        Ok((Name { text, string: None }, Part { content, context: self }))
    }
}

/// The object of a value, of a type if one is asked for.
pub(crate) fn object<'p>(
    py: Python<'p>,
    value: Value<'_>,
    context: &Context<'_>,
    class: Option<&Bound<'p, PyAny>>,
    format: &'static str,
) -> Result<Bound<'p, PyAny>, Failure> {
    // The message has been read within its limits.
    objects::object(py, Part { content: Content::Value(value.content().bare()), context }, class, None, format)
}

/// A value, or what one is shown as.
#[derive(Clone, Copy)]
pub(crate) struct Part<'v> {
    content: Content<'v>,
    context: &'v Context<'v>,
}

#[derive(Clone, Copy)]
enum Content<'v> {
    Value(Value<'v>),
    /// The name of the alternative of a CHOICE.
    Name(&'v Py<PyString>),
    /// The octets of a BIT STRING and their number of bits.
    Octets(&'v [u8]),
    Bits(u64),
    /// The octets of an open type, in hexadecimal digits.
    Hex(&'v [u8]),
}

impl<'v> Part<'v> {
    fn of(self, content: Content<'v>) -> Part<'v> {
        Part { content, ..self }
    }

    /// Whether a number is a `float` and no `Decimal`.
    #[inline]
    fn is_float(self, value: Value<'v>, real: Option<Real<'_>>) -> bool {
        match real {
            Some(Real::Double(double)) => !double.is_finite() || !self.context.types.is_decimal(value.node_id()),
            _ => false,
        }
    }

    fn real<'p>(self, py: Python<'p>, value: Value<'v>) -> PyResult<Bound<'p, PyAny>> {
        let real = value.as_real();
        match real {
            Some(Real::Double(double)) if self.is_float(value, real) => Ok(PyFloat::new(py, double).into_any()),
            Some(real) => {
                let mut text = String::new();
                match (real.push_plain(&mut text), real) {
                    (false, Real::Decimal(other)) => decimal(py, other),
                    _ => decimal(py, &text),
                }
            }
            None => Ok(py.None().into_bound(py)),
        }
    }

    /// A tuple of the name and the value, or tuples in each other.
    fn choice<'p>(self, py: Python<'p>, value: Value<'v>) -> Result<Bound<'p, PyAny>, Failure> {
        let (mut chosen, mut names) = (value, Vec::new());
        while let Type::Choice(number) = chosen.kind() {
            let (name, inner) = self.context.chosen(chosen, number)?;
            names.push(name);
            chosen = inner.bare();
        }
        let mut object = self.of(Content::Value(chosen)).scalar(py)?;
        for name in names.iter().rev() {
            object = PyTuple::new(py, [name.bind(py).as_any(), &object])?.into_any();
        }
        Ok(object)
    }
}

impl<'v> objects::Value for Part<'v> {
    type Key = Name<'v>;
    type Members = Members<'v>;
    type Items = Items<'v>;

    #[inline]
    fn kind(&self) -> Kind {
        let value = match &self.content {
            Content::Value(value) => value,
            Content::Name(_) | Content::Hex(_) => return Kind::String,
            Content::Octets(_) => return Kind::Binary,
            Content::Bits(_) => return Kind::Integer,
        };
        match value.kind() {
            Type::Record(_) | Type::Open(_) => Kind::Object,
            Type::Array(_) | Type::Choice(_) | Type::BitString(..) => Kind::Array,
            Type::Integer(_) => Kind::Integer,
            Type::Text(_) | Type::Enumerated(_) | Type::ObjectIdentifier | Type::RelativeOid => Kind::String,
            Type::Boolean => Kind::Boolean,
            Type::OctetString(_) => Kind::Binary,
            Type::Real if self.is_float(*value, value.as_real()) => Kind::Float,
            Type::Real => Kind::Decimal,
            Type::Null => Kind::Null,
        }
    }

    #[inline]
    fn rough_kind(&self) -> Kind {
        let Content::Value(value) = &self.content else { return Kind::String };
        match value.kind() {
            Type::Record(_) | Type::Open(_) => Kind::Object,
            Type::Array(_) => Kind::Array,
            Type::Choice(_) if has_parts(*value) => Kind::Array,
            _ => Kind::String,
        }
    }

    #[inline]
    fn scalar<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyAny>, Failure> {
        let value = match &self.content {
            Content::Value(value) => value,
            Content::Name(name) => return Ok(name.bind(py).clone().into_any()),
            Content::Octets(octets) => return Ok(PyBytes::new(py, octets).into_any()),
            Content::Bits(bits) => return Ok(bits.into_pyobject(py)?.into_any()),
            Content::Hex(octets) => return Ok(PyString::new(py, &hex(octets)).into_any()),
        };
        Ok(match value.kind() {
            Type::Integer(_) => match value.as_integer() {
                Some(Integer::Big(octets)) => integer_of_octets(py, octets)?,
                Some(Integer::Small(number)) => number.into_pyobject(py)?.into_any(),
                None => py.None().into_bound(py),
            },
            Type::Text(_) => PyString::new(py, value.as_str().unwrap_or_default()).into_any(),
            Type::Enumerated(number) => {
                let item = value.as_item().filter(|_| value.unknown().is_none());
                match item.and_then(|item| name(&self.context.names.enumerations, number, item)) {
                    Some(name) => name.bind(py).clone().into_any(),
                    None => return Err(later("an enumeration of a later version of the schema").into()),
                }
            }
            Type::Boolean => PyBool::new(py, value.as_bool().unwrap_or_default()).to_owned().into_any(),
            Type::OctetString(_) => PyBytes::new(py, value.as_octets().unwrap_or_default()).into_any(),
            Type::Real => self.real(py, *value)?,
            Type::Choice(_) => self.choice(py, *value)?,
            Type::BitString(..) => {
                let (octets, bits) = value.as_bits().unwrap_or_default();
                (PyBytes::new(py, octets), bits).into_pyobject(py)?.into_any()
            }
            Type::ObjectIdentifier | Type::RelativeOid => match value.as_oid() {
                Some(dotted) => PyString::new(py, &dotted).into_any(),
                None => return Err(later("an object identifier with an arc of more than 128 bits").into()),
            },
            _ => py.None().into_bound(py),
        })
    }

    #[inline]
    fn members(&self) -> Result<Members<'v>, Error> {
        let Content::Value(value) = self.content else { return Err(later("a value that holds no others")) };
        Ok(Members { context: self.context, value, next: 0 })
    }

    #[inline]
    fn items(&self) -> Result<Items<'v>, Error> {
        let Content::Value(value) = self.content else { return Err(later("a value that holds no others")) };
        Ok(match value.kind() {
            Type::Choice(_) | Type::BitString(..) => Items::Pair { context: self.context, value, next: 0 },
            _ => Items::Array { context: self.context, items: value.items(), next: 0 },
        })
    }

    fn is_tuple(&self) -> bool {
        !matches!(self.content, Content::Value(value) if matches!(value.kind(), Type::Array(_)))
    }

    fn repeated_key(_members: &Members<'v>) -> Error {
        repeated_key("asn1", 0, "")
    }

    fn member_step(members: &Members<'v>) -> Option<String> {
        let Type::Record(number) = members.value.kind() else { return None };
        let record = members.context.types.record(number);
        let index = place(record, members.next.checked_sub(1)?);
        record.members.get(index as usize).map(|member| member.name.to_string())
    }

    fn item_step(items: &Items<'v>) -> Option<String> {
        let Items::Array { next, .. } = items else { return None };
        Some(next.checked_sub(1)?.to_string())
    }
}

/// Whether a CHOICE leads to a value that holds others.
fn has_parts(mut value: Value<'_>) -> bool {
    while let Some((_, inner)) = value.chosen_place() {
        value = inner;
    }
    matches!(value.kind(), Type::Record(_) | Type::Open(_) | Type::Array(_))
}

/// The number of the component that comes at a place.
#[inline]
fn place(record: &Record, place: u32) -> u32 {
    match &record.declared {
        Some(order) => order.get(place as usize).copied().unwrap_or_default(),
        None => place,
    }
}

/// The name of a component, or of the only member of an open type.
pub(crate) struct Name<'v> {
    text: &'v str,
    string: Option<&'v Py<PyString>>,
}

impl objects::Key for Name<'_> {
    #[inline]
    fn text(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.text.as_bytes())
    }

    #[inline]
    fn string<'p>(&self, py: Python<'p>, keys: &mut Keys) -> Result<Bound<'p, PyString>, Failure> {
        match self.string {
            Some(string) => Ok(string.bind(py).clone()),
            None => Ok(keys.of(py, self.text())?),
        }
    }
}

/// The components of a SEQUENCE or SET, or the member that an open type is shown with.
pub(crate) struct Members<'v> {
    context: &'v Context<'v>,
    value: Value<'v>,
    next: u32,
}

impl<'v> Iterator for Members<'v> {
    type Item = Result<(Name<'v>, Part<'v>), Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let Members { context, value, next } = self;
        let Type::Record(number) = value.kind() else {
            *next += 1;
            return (*next == 1).then(|| context.member_of_open(*value));
        };
        let record = context.types.record(number);
        while (*next as usize) < record.members.len() {
            let index = place(record, *next);
            let member = record.members.get(index as usize)?;
            *next += 1;
            let component = if context.defaults { value.member(index) } else { value.written(index) };
            if let Some(component) = component {
                let key = Name { text: &member.name, string: name(&context.names.members, number, index) };
                return Some(Ok((key, Part { content: Content::Value(component.bare()), context })));
            }
        }
        None
    }
}

/// The items of a SEQUENCE OF or SET OF, the name and the value of a CHOICE, or the octets and the number of bits of a
/// BIT STRING.
pub(crate) enum Items<'v> {
    Array { context: &'v Context<'v>, items: asn1::Items<'v>, next: u32 },
    Pair { context: &'v Context<'v>, value: Value<'v>, next: u32 },
}

impl<'v> Iterator for Items<'v> {
    type Item = Result<Part<'v>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (context, value, next) = match self {
            Items::Array { context, items, next } => {
                *next += 1;
                return items.next().map(|item| Ok(Part { content: Content::Value(item.bare()), context }));
            }
            Items::Pair { context, value, next } => (context, value, next),
        };
        *next += 1;
        let content = match (value.kind(), *next) {
            (_, 3..) => return None,
            (Type::Choice(number), _) => match (context.chosen(*value, number), *next) {
                (Ok((name, _)), 1) => Content::Name(name),
                (Ok((_, inner)), _) => Content::Value(inner.bare()),
                (Err(error), _) => return Some(Err(error)),
            },
            (_, 1) => Content::Octets(value.as_bits().unwrap_or_default().0),
            _ => Content::Bits(value.as_bits().unwrap_or_default().1),
        };
        Some(Ok(Part { content, context }))
    }
}

/// Octets as hexadecimal digits.
pub(crate) fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02X}")).collect()
}

/// The error for what has no form in Python.
#[cold]
fn later(found: &'static str) -> Error {
    Error::without_place(ErrorKind::Unsupported, "python", Words::Text(found), "what the schema knows")
}
